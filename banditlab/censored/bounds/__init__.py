"""Bounds of Bengs, Hüllermeier, "Multi-Armed Bandits with Censored Consumption of Resources" (2023).

`gains` is the table of expected penalised gains, (arms, limits), `penalty` the penalty of every limit, `horizon` the
number of rounds T. All theorems ask for alpha > 1; the paper's experiments take 1.
"""

from .regret import *
from .zooming import *
