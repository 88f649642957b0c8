"""The ledger of Uplifting Bandits: every claim of the paper, its test, and what this run says; then ours."""

from . import bandit, ablations, campaign, theory, beyond  # isort: skip  (the order of the ledger)
from .collected import claims

ledger = claims.ledger
