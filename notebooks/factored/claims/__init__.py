"""The claims of Factored-Reward Bandits, in the order of the ledger; no number of a figure stands here."""

from . import baselines, track, noise, theory, printed, beyond  # noqa: F401, I001
from .common import claims

ledger = claims.ledger
