"""The ledger: verdicts follow from what was found, and the table says so without colour."""

import pytest

from banditlab.claims import CLASSES, SIGNS, UNTESTED, Claim, Ledger, every, some, verdict


def a_claim(id="A1", said="reproduced", sentence="x < y & z"):
    return Claim("factored", id, sentence, "Figure 1", "0.1", "< 0.2", "as printed", said, "quick")


@pytest.mark.parametrize(
    "holds, said, reading",
    [
        ({"printed": True}, "reproduced", "printed"),
        ({"printed": True, "other": True}, "reproduced", "printed, other"),
        ({"printed": False, "other": False}, "not reproduced", "printed, other"),
        ({"printed": False, "other": True}, "depends on the reading", "holds: other; fails: printed"),
        ({"printed": True, "other": False}, "depends on the reading", "holds: printed; fails: other"),
        (None, UNTESTED, "—"),
        ({"printed": None}, UNTESTED, "undecided: printed"),
        ({"printed": True, "other": None}, "reproduced", "printed; undecided: other"),
        ({"printed": False, "other": None}, "not reproduced", "printed; undecided: other"),
        ({"a": True, "b": False, "c": None}, "depends on the reading", "holds: a; fails: b; undecided: c"),
    ],
)
def test_verdict_follows_from_the_readings(holds, said, reading):
    assert verdict(holds) == (said, reading)


def test_ledger_shows_every_claim_with_sign_and_word():
    ledger = Ledger(a_claim(f"A{i}", said) for i, said in enumerate(CLASSES))
    bundle = ledger._repr_mimebundle_()
    for i, said in enumerate(CLASSES):
        assert f">A{i}<" in bundle["text/html"] and f"{SIGNS[said]} {said}" in bundle["text/html"]
    assert "4 claims: 1 reproduced" in bundle["text/html"]
    assert "x &lt; y &amp; z" in bundle["text/html"] and "x < y & z" in bundle["text/plain"]


def test_rows_are_strings_under_the_nine_names():
    rows = Ledger([a_claim()])._repr_mimebundle_()["application/vnd.banditlab.claims+json"]
    assert list(rows[0]) == list(Claim._fields) and all(isinstance(v, str) for v in rows[0].values())


def test_counts_and_order():
    ledger = Ledger([a_claim("A2"), a_claim("A1", "not reproduced"), a_claim("A3")])
    assert [c.id for c in ledger] == ["A2", "A1", "A3"] and len(ledger) == 3
    assert ledger.counts()["reproduced"] == 2 and ledger.counts()["not reproduced"] == 1


def test_all_and_one_of_several_conditions():
    assert every([True, True]) is True and every([True, None]) is None
    assert every([None, False]) is False
    assert some([False, True, None]) is True and some([False, None]) is None
    assert some([False, False]) is False
