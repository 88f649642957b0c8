"""Random instances of all papers, played interpreted: regret is a number, never falls, and keeps below its bounds.

``FUZZ=100000`` in the environment (``make fuzz``) asks for more instances than the 2,500 of the suite.
"""

import math
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from banditlab import composite
from banditlab.engine.loop import run
from banditlab.engine.simulate import check_players
from banditlab.user_code.contract import context_marker, make_streams
from tests.fuzz import CASES, HORIZON, limit, worst

FUZZ = int(os.environ.get("FUZZ", 0))
EACH = math.ceil((FUZZ or 2_500) / len(CASES))  # instances of every case
SLOW = {"campaign": 5, "ftrack": 3}  # the shorter runs of what is slow interpreted


def rounds(case):
    return next((HORIZON // part for name, part in SLOW.items() if name in case), HORIZON)


def play(case, seed):
    """Environment, policy, and the cumulative regret round by round."""
    environment, policy = CASES[case](np.random.default_rng(seed))
    horizon = rounds(case)
    check_players(environment, {"policy": policy}, horizon)
    marks = np.arange(1, horizon + 1)
    flags = np.zeros(2, np.int64)
    return (
        environment,
        policy,
        run(environment, policy, marks, context_marker(environment), flags, *make_streams(seed, 0))[0],
    )


@pytest.mark.parametrize("case", CASES)
def test_regret_is_a_number_that_never_falls(case):
    @settings(
        max_examples=EACH, deadline=None, derandomize=not FUZZ, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(seed=st.integers(0, 2**32 - 1))
    @example(seed=0)
    def holds(seed):
        environment, policy, regret = play(case, seed)
        steps = np.diff(regret, prepend=0.0)
        assert np.isfinite(regret).all()
        # Tolerance: rounding of a sum of up to 60 expected rewards of order one. Realised regret may decrease.
        if not isinstance(environment, composite.environments.Adversarial):
            assert (steps >= -1e-11).all()
            assert steps.max() <= worst(environment) + 1e-9
            assert regret[-1] <= limit(environment, policy, len(regret)) + 1e-9
        else:
            assert np.abs(steps).max() <= 1.0 + 1e-9

    with np.errstate(divide="raise", invalid="raise"):
        holds()


def test_every_environment_and_policy_takes_part():
    assert len(CASES) > 100
    for paper in ("factored", "uplifting", "censored", "composite"):
        assert any(case.startswith(paper) for case in CASES)
