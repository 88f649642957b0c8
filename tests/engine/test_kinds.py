"""The quick key by which a simulation finds its compiled loop tells apart whatever numba would compile anew."""

import itertools

import numpy as np
import pytest

from banditlab import classic, factored, uplifting
from banditlab.engine import compiling
from banditlab.user_code import guards

THINGS = [
    1, 2**62, 2**63, 2**64 - 1, 1.0, True, "a", None, np.float64(1), np.float32(1), np.int64(1), np.uint8(1), 1j,
    (), (1,), (1, 2), (1, 2.0), (1, (2, 3)), (1.0, 2), np.zeros(3), np.ones(4), np.zeros((3, 3)), np.zeros((3, 3)).T,
    np.zeros((3, 4))[:, ::2], np.zeros(3, np.float32), np.zeros(3, bool), np.zeros(3, "U2"),
    guards.make_read_only(np.zeros(3)), (np.zeros(3), np.zeros(2)), (np.zeros(3), np.zeros((1, 1))),
    classic.bernoulli([0.5, 0.6]), classic.bernoulli([0.1]), classic.gaussian([0.5]), classic.ucb1(3),
    factored.gaussian([np.array([0.5, 0.1])], 0.5), uplifting.paper_gaussian(0), uplifting.paper_gaussian(1),
]  # fmt: skip


def test_what_numba_tells_apart_is_told_apart():
    for one, other in itertools.combinations(THINGS, 2):
        assert compiling.key_of_types(one) != compiling.key_of_types(other) or compiling.typeof(
            one
        ) == compiling.typeof(other), (
            one,
            other,
        )


@pytest.mark.parametrize("make", [classic.bernoulli, classic.gaussian])
def test_instances_of_one_shape_share_a_loop(make):
    assert compiling.key_of_types(make([0.5, 0.6])) == compiling.key_of_types(make([0.1, 0.2, 0.3]))
