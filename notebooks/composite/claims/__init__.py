"""The ledger of composite and anonymous feedback: every claim of the paper, its test, and what this run says.

Claims about adversarial rewards are tested on synthetic stand-ins, unless the folder that ``BANDITLAB_DATA`` names
holds the competitions' complete files; their readings say which.
"""

from . import stochastic, theory, adversarial, beyond  # noqa: I001  (the order of the ledger)
from .registry import claims

ledger = claims.ledger
