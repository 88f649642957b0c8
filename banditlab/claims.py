"""The claims of papers that still judge by themselves, as rows of the ledger in `banditlab.evidence`."""

from . import evidence
from .evidence import Ledger, every, some  # noqa: F401


def Claim(paper, id, sentence, where, statistic, rule, reading, verdict, scale):  # noqa: N802
    rest = [], scale, 0, "", "", 0.0
    return evidence.Claim(paper, id, sentence, where, False, "", statistic, rule, reading, verdict, *rest)


def verdict(holds):
    return (evidence.claims.UNTESTED, "at this scale") if holds is None else evidence.verdict(holds)


def claim(id, sentence, where, statistic, interval, holds):
    said, reading = verdict(holds)
    return id, sentence, where, statistic, interval, reading, said


def least(result, first, second):
    return float(result.paired(first, second)["low"].iloc[-1])
