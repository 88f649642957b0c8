"""Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback (Wang, Wang, Huang, AAAI 2021).

* Environments: `stochastic`, `adversarial`.
* Shapes of a delay: `interval`, `discounted`, `polynomial`, `increasing`, `decreasing`, `random_delay`, `shape`; for
  an adversary: `oblivious_delay`, `streak_delay`.
* Sequences: `coupon`, `outbrain`, `synthetic`.
* Policies: `ars_ucb`, `odaaf`, `generalised_odaaf`, `ucb1`; against an adversary `ars_exp3`, `ars_clw`, `clw`,
  `exp3`; `doubling`.
* `bounds`. The paper's figures and claims stand beside its notebook.
"""

from .._lazy import load_later as _later
from .data import *
from .environments import *
from .policies import *

__getattr__, __dir__ = _later(globals(), "bounds")
