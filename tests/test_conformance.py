"""The conformance kit: our pairs pass, and every broken policy fails at its own line."""

import numpy as np
import pytest

import banditlab as bl
from banditlab import classic, conformance
from tests.pairs import PAIRS
from tests.test_pairs import name
from tests.toys import broken

ARMS = classic.bernoulli([0.8, 0.6, 0.6, 0.5, 0.4])
BROKEN = [  # a policy with one mistake, where it fails, and what it is told
    (broken.PastTheEnd(5), conformance.runs_compiled, "action 5 outside"),
    (broken.Negative(5), conformance.runs_in_python, "action -1 outside"),
    (broken.ReadsPast(5), conformance.runs_in_python, "out of bounds"),
    (broken.Dice(5), conformance.own_randomness, "draw from rng"),
    (broken.OldDice(5), conformance.own_randomness, "draw from rng"),
    (broken.Chooses(5), conformance.runs_compiled, "rng.choice"),
    (broken.Rounded(5), conformance.same_bits, "math.log"),
    (broken.Growing(5), conformance.memory, "8 bytes a round"),
    (broken.Favourite(5), conformance.names_of_arms, "treat them alike"),
    (broken.Worst(5), conformance.against_uniform, "loses more"),
]


def failed(report):
    return [check.name for check in report.checks if check.verdict == conformance.FAILED]


@pytest.mark.parametrize("policy, where, told", BROKEN, ids=[type(policy).__name__ for policy, *_ in BROKEN])
def test_a_broken_policy_fails_at_its_own_line(policy, where, told):
    horizon = 800 if "PastTheEnd" in type(policy).__name__ else 300
    report = bl.check_policy(ARMS, policy, horizon=horizon, runs=40)
    assert not report.ok
    assert where.__doc__ in failed(report), str(report)
    line = next(check for check in report.checks if check.name == where.__doc__)
    assert told in line.found


@pytest.mark.parametrize("fields", [np.zeros(5)])
def test_a_policy_that_writes_into_its_fields_fails_there(fields):
    report = bl.check_policy(ARMS, broken.OwnField(5, fields), horizon=300, runs=4)
    assert failed(report) == [conformance.runs_in_python.__doc__]
    assert [check.verdict for check in report.checks[3:]] == [conformance.OPEN] * 8


def test_a_right_policy_passes_every_line():
    report = bl.check_policy(ARMS, broken.Right(5), horizon=300, runs=40)
    assert report.ok and {check.verdict for check in report.checks} == {conformance.PASSED}, str(report)
    assert report._repr_html_().count("<tr>") == len(str(report).splitlines()) - 1 == 11


@pytest.mark.parametrize("pair", PAIRS, ids=name)
def test_our_own_pass(pair):
    environment, policy, horizon = pair
    report = bl.check_policy(environment, policy, horizon=min(horizon, 600), runs=10)
    if type(policy).__name__ in PHASED:
        assert set(failed(report)) <= {conformance.names_of_arms.__doc__}, str(report)
    else:
        assert report.ok, str(report)


# They play phases in the order of the arms: in so few rounds the best arm's place does tell, and the check says so.
PHASED = {"ODAAF", "Doubling"}
