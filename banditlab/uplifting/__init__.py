"""Uplifting Bandits (Hsieh, Kasiviswanathan, Kveton, NeurIPS 2022).

* Few actions: `gaussian`, `bernoulli`, `paper_gaussian`, `scaled_gaussian`, `ilift_gaussian`, `criteo_clusters`,
  `criteo_individuals`, `linear_actions`; `summed` shows a policy no more than it looks at.
* Their policies: `upucb`, `upucb_bl`, `upucb_lcb`, `upucb_naff`, `upucb_naff_bl`, `upucb_ilift`, `upucb_ilift_bl`,
  `upucb_ilift_naive`, `upucb_offline`, `upucb_bl_linear`, `upucb_bl_adjusted` with its `noise_adjustment`; `ucb` and
  `thompson`.
* Campaigns: `campaign`, `linear_campaign`, on the people of `pool`, `load` or `stand_in`.
* Their policies: `c2upucb`, `c2upucb_bl`, `c2upucb_m`, `c2ucb`, `epsilon_greedy`, `epsilon_greedy_bl`, `greedy`,
  `greedy_bl`.
* `bounds`. The paper's figures and claims stand beside its notebook.
"""

from .._lazy import load_later as _later
from .data import Pool, load, pool, stand_in
from .environments import *
from .policies import *

__getattr__, __dir__ = _later(globals(), "bounds")
