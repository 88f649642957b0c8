"""What cannot be judged is refused: with the name of the argument, its value and what is allowed, or of the claim."""

import re

import numpy as np
import pytest

from banditlab.evidence import (
    Cases,
    Claims,
    Untested,
    bootstrap,
    count,
    difference,
    every,
    exact,
    growth_exponent,
    mean,
    median,
    proportion,
    quotient,
    ratio,
    some,
    verdict,
)

ONE = Cases("one", exact(1))


@pytest.mark.parametrize(
    "call, error, said",
    [
        (lambda: exact("3"), TypeError, "value='3': must be a number"),
        (lambda: mean([]), ValueError, "values=[]: must be a one-dimensional list or array, not empty"),
        (lambda: mean([[1, 2], [3, 4]]), ValueError, "values=[[1, 2], [3, 4]]: must be a one-dimensional"),
        (lambda: mean("12"), TypeError, "values='12': must be a list or array of numbers, one of each run"),
        (lambda: median([]), ValueError, "values=[]: must be a one-dimensional list or array, not empty"),
        (lambda: ratio([1, 2, 3], [1]), ValueError, "second has 1 entries: must have 3, one of each run"),
        (lambda: ratio([], [1]), ValueError, "first=[]: must be a one-dimensional"),
        (lambda: quotient(3, exact(1)), TypeError, "first=3: must be an Estimate"),
        (lambda: difference(exact(1), 3), TypeError, "second=3: must be an Estimate"),
        (lambda: proportion(5, 3), ValueError, "count=5: must be at least 0 and at most 3"),
        (lambda: proportion(-1, 3), ValueError, "count=-1: must be at least 0 and at most 3"),
        (lambda: proportion(0, 0), ValueError, "n=0: must be at least 1"),
        (lambda: proportion(0.5, 3), TypeError, "count=0.5: must be a whole number"),
        (lambda: proportion(1, "3"), TypeError, "n='3': must be a whole number"),
        (lambda: bootstrap(np.mean, 0), ValueError, "runs=0: must be at least 1"),
        (lambda: bootstrap(np.mean, 5, seed=-1), ValueError, "seed=-1: must be at least 0"),
        (lambda: growth_exponent([2, 1], [[1, 2]]), ValueError, "checkpoints=array([2., 1.]): must be ascending"),
        (lambda: growth_exponent([1, 2], [1, 2]), ValueError, "regret has shape (2,): must have a row for each run"),
        (lambda: ONE.between(2, 1), ValueError, "high=1: must be finite and at least 2"),
        (lambda: ONE.above("1"), TypeError, "limit='1': must be a number"),
        (lambda: ONE.below(None), TypeError, "limit=None: must be a number"),
        (lambda: ONE.at_least(float("nan")), ValueError, "limit=nan: must be finite"),
        (lambda: ONE.at_most(True), TypeError, "limit=True: must be a number"),
        (lambda: ONE.ask((1, 0)), ValueError, "holds[1]=0: must be finite and at least 1"),
        (lambda: ONE.ask((1, None), 0), TypeError, "fails=0: must be a pair of numbers"),
        (lambda: Cases("it", 3.0), TypeError, "found=3.0: must be an Estimate, or a dict of case to Estimate"),
        (lambda: Cases("it", {"a": 3}), TypeError, "found['a']=3: must be an Estimate"),
        (lambda: count("it", {}), ValueError, "answers={}: must hold at least one answer (what='it')"),
        (lambda: count("it", [True]), TypeError, "answers=[True]: must be a dict of case to True, False or None"),
        (lambda: count("it", {"a": 1}), TypeError, "answers['a']=1: must be True, False or None"),
        (lambda: count("it", {"a": True}, 2), ValueError, "needed=2: must be at least 1 and at most 1"),
        (lambda: count("it", {"a": True}, "1"), TypeError, "needed='1': must be a whole number"),
        (lambda: every([True, 1]), TypeError, "answers[1]=1: must be True, False or None"),
        (lambda: some(["yes"]), TypeError, "answers[0]='yes': must be True, False or None"),
        (lambda: verdict({}), ValueError, "answers={}: must hold at least one answer"),
        (lambda: verdict({"a": "yes"}), TypeError, "answers['a']='yes': must be True, False or None"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, error, said):
    with pytest.raises(error, match=re.escape(said)):
        call()


def test_numbers_of_numpy_and_missing_runs_are_welcome():
    assert proportion(np.int64(1), np.int64(2)).value == 0.5 and exact(np.float32(2)).value == 2
    assert np.isnan(mean([1.0, np.nan]).value) and Cases("it", mean([1.0, np.nan])).above(0).answer is None
    row = Cases("it", exact(1)).between(np.int64(0), 2).measure().row()
    assert (row["holds"], type(row["holds"][0])) == ((0, 2), float)


@pytest.mark.parametrize(
    "found, said",
    [
        (lambda: None, "returned None"),
        (lambda: [], "returned []"),
        (lambda: {}, "returned {}"),
        (lambda: {"as printed": []}, "returned {'as printed': []}"),
        (lambda: True, "returned True"),
        (lambda: Cases("it", exact(1)), "returned <banditlab.evidence.questions.Cases"),
        (lambda: [ONE.above(0), None], "None]"),
        (lambda: ONE.above(0)._replace(found={}), "returned Question(what='one', found={}"),
        (lambda: count("x", {}), "answers={}: must hold at least one answer (what='x')"),
        (lambda: Cases("x", {}).above(0), "found={}: must hold at least one estimate (what='x')"),
        (lambda: Untested(""), "returned Untested(why='', found={})"),
        (lambda: Untested("why", {"a": []}), "returned {'a': []}"),
    ],
)
def test_a_claim_that_asks_nothing_is_refused_by_its_name(found, said):
    claims = Claims("toy")
    claims("T7", "It holds.", "Section 1")(lambda scale, seed: found())
    with pytest.raises(ValueError, match=f"^claim T7 of toy: .*{re.escape(said)}") as caught:
        claims.ledger()
    assert str(caught.value).endswith(
        "; it must return a Question, a list of them or a dict of reading to either, none of them empty, or Untested"
    )


def test_a_claim_that_cannot_be_tested_need_not_ask():
    claims = Claims("toy")
    claims("T1", "It holds.", "Section 1")(lambda scale, seed: Untested("why"))
    assert [(claim.verdict, claim.reading) for claim in claims.ledger()] == [("not tested", "why")]
