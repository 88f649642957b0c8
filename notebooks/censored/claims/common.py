"""What the claims share: the ledger they are collected in, and the readings of the paper."""

from pathlib import Path

from banditlab.evidence import Claims

from ..runs import GAIN, PRINTED, RESCALED

claims = Claims("censored", Path(__file__).parents[3] / "reports")

FIRST, AS_PRINTED = "first term of the width only", "width as printed"
READINGS = {AS_PRINTED: PRINTED, FIRST: GAIN}  # the literal one first
ALL_WIDTHS = {AS_PRINTED: PRINTED, FIRST: GAIN, "second term rescaled": RESCALED}
EQUATION_32, PLAYED = "Equation 32", "outcome of the played pair"
TABLES = "as the tables"
LEARNERS = f"{TABLES}: first term of the width, outcome of the played pair, λmax = 10; the parameters of the text"
EXPLAINED = f"{TABLES}: first term of the width, fitted parameters, outcome of the played pair, λmax = 10"
