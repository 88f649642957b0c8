"""What campaigns record beside regret."""

import numpy as np

from banditlab.uplifting.environments.campaigns import EVERY

from . import data


def at(result, what):
    """Rounds, and an array (policies, runs, rounds) of what the campaign recorded: "realised" or "best"."""
    values = result.diagnostics[what]
    return EVERY * np.arange(1, values.shape[2] + 1), values


def mean_uplift(result):
    """Rounds, predicted uplift per treated person so far (policies, runs, rounds), and that of the oracle."""
    checkpoints, best = at(result, "best")
    places = np.searchsorted(result.checkpoints, checkpoints)
    people = result.settings["environment"].budget * checkpoints
    return checkpoints, (best - result.regret[:, :, places]) / people, best[0].mean(axis=0) / people


def realised(result, name):
    """Realised regrets of a policy, run by run."""
    return result.diagnostics["realised regret"][result.policies.index(name)]


def pool_name():
    """The data that a campaign drew from, as its pool is named."""
    return data.pool().name
