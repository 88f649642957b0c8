"""Multi-Armed Bandits with Censored Consumption of Resources (Bengs, Hüllermeier, Machine Learning 2023).

* Problems on a grid of limits: `poscorr`, `negcorr`, `indep`, `many_arms`, `low_censoring`, `lead_instance`,
  `example`, `gaussian`, `independent`, `recorded` from `load_table`; their `correlation`, and what `revealed` shows.
* Problems on all limits: `poscorr_interval`, `negcorr_interval`, `indep_interval`, `gaussian_interval`,
  `independent_interval`.
* Penalties: `promise`, `power`, `tabulated`, `knots`; `literal_grid`.
* Policies: `rcucb`, `zrcucb`, `ucb`, `thompson`; ours `kl_rcucb`.
* `bounds`. The paper's figures and claims stand beside its notebook.
"""

from .._lazy import load_later as _later
from .actions import *
from .curves import *
from .environments import *
from .penalties import *
from .policies import *

__getattr__, __dir__ = _later(globals(), "bounds")
