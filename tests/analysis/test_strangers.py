"""`check_policy` on policies that were written from the pages alone: no right one fails, and no wrong one in silence.

Two are not here that passed: one books rewards to the arm of the round, one keeps the features of another arm. Both
learn, worse than they could, which no check can know.
"""

import os

import pytest

import banditlab as bl
from banditlab.analysis import check_policy
from tests.readers import honest, honest_draws, honest_phases, honest_spaces, mistaken, mistaken_late

# A part here, the whole under `make soak`: most compile loops of their own.
SOAK = bool(os.environ.get("SOAK"))
RIGHT = [pair for part in (honest, honest_draws, honest_phases, honest_spaces) for pair in part.POLICIES]
EARLY, LATE = mistaken.POLICIES, mistaken_late.POLICIES
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of numpy, as a reader sees them


def name(thing):
    return type(thing).__name__ if hasattr(thing, "_fields") else None


@pytest.mark.parametrize("environment, policy", RIGHT if SOAK else RIGHT[1::6], ids=name)
def test_a_right_policy_does_not_fail(environment, policy):
    report = bl.check_policy(environment, policy)
    assert report.ok, str(report)


@pytest.mark.parametrize("environment, policy, told", [*EARLY, *(LATE if SOAK else LATE[::5])], ids=name)
def test_a_mistake_is_told(environment, policy, told):
    report = bl.check_policy(environment, policy)
    found = [check for check in report.checks if check.verdict != check_policy.PASSED and told in check.found]
    assert found, str(report)


def test_there_are_thirty_of_each():
    assert len(RIGHT) >= 30 and len([*EARLY, *LATE]) >= 30
    kinds = [type(policy) for _, policy, *_ in [*RIGHT, *EARLY, *LATE]]
    assert len({*kinds}) == len(kinds)
