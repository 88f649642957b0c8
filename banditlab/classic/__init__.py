"""Arms and policies that every reader compares with; the papers use them.

* Arms: `bernoulli`, `gaussian`, `beta`; with means that change: `piecewise`, `drifting`; from a log: `read_log`,
  `logged`.
* Policies: `ucb1`, `kl_ucb`, `moss`, `ucb_v`, `thompson_beta`, `thompson_gaussian`, `epsilon_greedy`,
  `epsilon_n_greedy`, `exp3`, `exp3_ix`, `sliding_ucb`, `discounted_ucb`, `successive_elimination`,
  `explore_then_commit`, `uniform`.
* Bounds: `lai_robbins`, with the `divergence` of two laws.
"""

from .._lazy import load_later as _later
from .bounds import *
from .changing import *
from .committing import *
from .forgetting import *
from .greedy import *
from .kl_ucb import *
from .logged import *
from .thompson import *
from .ucb import *
from .weights import *
from .worlds import *

_, __dir__ = _later(globals())
