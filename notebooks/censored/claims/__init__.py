"""The claims of Censored Consumption, by topic: tables, figures, examples, theory, z-RCUCB, the forest."""

from . import tables, learners, examples, theory, zooming, forest  # isort: skip  # the order of the ledger
from .common import claims

ledger = claims.ledger
