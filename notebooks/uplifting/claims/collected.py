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


def judged(found, least=0):
    """The questions, their readings named after the data, but no verdict without the paper's, or enough of them."""
    if not data.find():
        return Untested(data.NO_DATA, found)
    rows = len(data.pool().visit)
    named = {f"{reading} ({rows:,} rows of the Criteo data)": questions for reading, questions in found.items()}
    few = f"needs {least:,} rows of the paper's data, for it says how good they are; measured on those at hand"
    return named if rows >= least else Untested(few, named)
