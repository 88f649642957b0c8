"""The ledger of the paper at quick size: what the statistics say, within what they may vary."""

import re

import pytest

from banditlab.claims import CLASSES
from banditlab.factored import ledger

FIRM = {  # verdicts that no seed should change: exact statements and effects of many standard errors
    "A1": "reproduced",
    "A2": "reproduced",
    "A3": "reproduced",
    "A4a": "depends on the reading",
    "A4b": "depends on the reading",
    "A5b": "reproduced",
    "A5c": "not reproduced",
    "A6": "reproduced",
    "A9": "not reproduced",
    "A11": "reproduced",
    "A13": "depends on the reading",
    "A12": "reproduced",
    "A14": "reproduced",
    "A15": "reproduced",
    "A16": "reproduced",
    "A17a": "reproduced",
    "A17b": "not reproduced",
}


@pytest.fixture(scope="module")
def claims(kept):
    return {claim.id: claim for claim in ledger("quick", seed=0)}


def test_firm_verdicts(claims):
    assert {id: claims[id].verdict for id in FIRM} == FIRM


def test_every_claim_of_the_paper_is_there_and_two_thirds_are_judged(claims):
    assert {re.match(r"A\d+", id)[0] for id in claims} == {f"A{i}" for i in range(1, 18)}
    assert sum(c.verdict != "not tested at this scale" for c in claims.values()) >= 2 * len(claims) / 3
    assert {c.verdict for c in claims.values()} <= set(CLASSES)


def test_every_row_says_what_was_measured_and_how(claims):
    for claim in claims.values():
        assert claim.paper == "factored" and claim.scale == "quick"
        assert re.search(r"\d", claim.statistic) and claim.interval and claim.where and claim.reading


def test_bad_scale_is_refused():
    with pytest.raises(ValueError, match="scale='small': must be one of 'quick', 'paper'"):
        ledger("small")
