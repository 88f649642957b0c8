"""Where the claims are collected, and what their tests share."""

from pathlib import Path

import numpy as np

from banditlab.evidence import Claims, Untested

from .. import data
from ..runs import PANELS
from ..studies import FIGURE_2

claims = Claims("uplifting", Path(__file__).parents[3] / "reports")

STD80, VAR80 = "standard deviation 80, Table 3", "variance 80 as printed, tuned"
MORE = 1.5  # "much more": the inverse of what counts as much less
PEOPLE = "drawn instances of the people, samples with replacement from the rows"
MUCH_MORE = "much: half more (ours), the bar of every row that says much"


def panel(place, scale, seed):
    """The runs of a panel of Figure 2."""
    return next(iter(FIGURE_2.results(scale, seed, panel=PANELS[place : place + 1]).values()))


def after(result, name, first=20):
    """Final regrets without those of the first rounds, in which most policies must play every action once."""
    regret = result.of_policy(name)
    return regret[:, -1] - regret[:, int(np.searchsorted(result.checkpoints, first))]


def judged(found):
    """The questions, their readings named after the data, but no verdict where these are not the paper's."""
    if not data.find():
        return Untested(data.NO_DATA, found)
    rows = f"{len(data.pool().visit):,} rows of the Criteo data"
    return {f"{reading} ({rows})": questions for reading, questions in found.items()}
