"""Estimates with intervals, questions asked of them, and claims that they decide: the only place that judges.

From runs to a verdict: an `Estimate` knows its interval at any level; `Cases` asks one `Question` of many estimates;
the ledger answers all questions of one reading jointly at 95 % and turns each into a `Measure`, from which words,
picture, verdict and ``claims.json`` follow, so that they cannot disagree. CONTRIBUTING states the rules of evidence.
May import `validate`.
"""

from .claims import *
from .estimates import *
from .exponents import *
from .instances import *
from .ledger import *
from .looks import runs_now as runs_now
from .questions import *
from .refute import *
