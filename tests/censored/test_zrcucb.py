"""z-RCUCB against its twin: grids, buckets, recommendations; its first split; bad input."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import banditlab as bl
from banditlab import censored
from banditlab.censored.policies.buckets import CONSUMPTION, NEXT
from banditlab.censored.policies.cells import END, ESTIMATE, EXCEEDED, GAIN, HEAD, ROUNDS, split
from tests.censored.duel import duel, told
from tests.naive import censored as naive

MILD = censored.power(0.1)


def grid_of(state, arm):
    return state.cells[arm, : state.count[arm], END].tolist()


def tiny(arms, parts, log, penalty=(MILD, lambda x: x / 10), largest=1.0):
    """A policy and its twin whose logarithm is so small that they split after a few rounds."""
    policy = censored.zrcucb(arms, 1000, penalty[0], largest, parts=parts)._replace(scale=math.sqrt(2.2 * log))
    twin = naive.ZRCUCB(arms, largest, naive.synthetic_cost, penalty[1], 1000, m=parts)
    twin.log = log
    return policy, twin


def check_recommendations(policy, twin, state):
    counts = policy.diagnostics(None, state)
    assert (counts["finest arm"], counts["finest limit"]) == twin.recommend_finest()
    assert (counts["safest arm"], counts["safest limit"]) == twin.recommend_lower()


def jump(x):
    return x / 10 if x <= 0.5 else 1 + x / 10


PENALTIES = {
    "line": (MILD, lambda x: x / 10),
    "jump": (censored.knots([0.0, 0.5, 0.5 + 1e-9, 2.0], [0.0, 0.05, jump(0.5 + 1e-9), 1.2]), jump),
    "curved": (censored.power(4.0, 2.0), lambda x: 4.0 * math.pow(x, 2.0)),
}


@pytest.mark.parametrize("penalty, largest", [("line", 1.0), ("jump", 1.0), ("jump", 1.6), ("curved", 0.7)])
@pytest.mark.parametrize("parts", [2, 3, 4])
@settings(max_examples=3, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1), log=st.sampled_from([0.02, 0.3, 2.0]))
def test_zrcucb_plays_as_its_twin(parts, penalty, largest, seed, log):
    policy, twin = tiny(2, parts, log, PENALTIES[penalty], largest)
    state, _ = duel(policy, twin, told(2, [largest], 100, seed), 100)
    for arm in range(2):
        grid = grid_of(state, arm)
        assert grid == twin.grid(arm)
        for cell, limit in zip(state.cells[arm], grid, strict=False):
            seen = twin.statistics
            expected = [seen.N(arm, limit), seen.G(arm, limit), seen.K(arm, limit)]
            assert cell[[ROUNDS, GAIN, EXCEEDED]] == pytest.approx(expected, abs=1e-12)
            assert cell[ESTIMATE] == pytest.approx(twin.estimate(arm, limit), abs=1e-12)
        levels = math.log(min(np.diff([0.0, *grid])) / largest, 1 / parts)
        places = np.array(grid) / largest * parts ** round(levels)
        assert np.allclose(places, places.round(), atol=1e-6), "not a grid of parts of parts"
    check_recommendations(policy, twin, state)
    assert log > 0.02 or max(len(grid_of(state, arm)) for arm in range(2)) > 4, "hardly a split"


@pytest.mark.parametrize("make", [censored.poscorr_interval, censored.negcorr_interval])
def test_zrcucb_plays_as_its_twin_on_the_papers_problems(make):
    """A step penalty, and a promise in which the cells of the first arms are refined."""
    world = make(2, censored.knots([0.0, 0.5, 0.51, 1.0], [0.0, 0.05, 0.5, 1.0]))
    policy = censored.zrcucb(2, 1000, world.penalty)._replace(scale=math.sqrt(2.2 * 0.05))
    twin = naive.ZRCUCB(2, 1.0, naive.synthetic_cost, world.penalty.at, 1000, m=2)
    twin.log = 0.05
    state, _ = duel(policy, twin, world, 120)
    assert [grid_of(state, arm) for arm in range(2)] == [twin.grid(arm) for arm in range(2)]
    assert max(len(grid_of(state, arm)) for arm in range(2)) > 4, "hardly a split"
    check_recommendations(policy, twin, state)


def test_zrcucb_with_doubling_plays_as_its_twin():
    """Fresh for 20 rounds, for 40, for 80, each with the logarithm of its own horizon."""
    policy = bl.composite.doubling(lambda horizon: censored.zrcucb(2, horizon, MILD, alpha=1.1, delta=0.9), 20)

    class Doubling:
        def __init__(self):
            self.horizon = 20
            self.open()

        def open(self):
            self.left = self.horizon
            self.twin = naive.ZRCUCB(2, 1.0, naive.synthetic_cost, lambda x: x / 10, self.horizon, 1.1, 2, 0.9)

        def select(self):
            return self.twin.select()

        def update(self, action, outcome):
            self.twin.update(action, outcome)
            self.left -= 1
            if self.left == 0:
                self.horizon *= 2
                self.open()

    duel(policy, Doubling(), told(2, [1.0], 140, 8), 140)


def test_a_split_into_many_parts_finds_room():
    """More parts than twice the cells that there is room for at first."""
    policy, twin = tiny(2, 50, 0.05)
    state, _ = duel(policy, twin, told(2, [1.0], 12, 3), 12)
    assert all(grid_of(state, arm) == twin.grid(arm) for arm in range(2)) and len(grid_of(state, 0)) >= 50


@pytest.mark.parametrize("alpha, delta", [(1.1, 0.9), (1.7, 0.5)])
def test_zrcucb_of_the_factory_plays_as_its_twin(alpha, delta):
    """Nothing replaced: both know 2 alpha log(n T^2 / delta) from their arguments."""
    policy = censored.zrcucb(2, 160, MILD, alpha=alpha, delta=delta)
    twin = naive.ZRCUCB(2, 1.0, naive.synthetic_cost, lambda x: x / 10, 160, alpha, 2, delta)
    state, _ = duel(policy, twin, told(2, [1.0], 160, 8), 160)
    assert max(len(grid_of(state, arm)) for arm in range(2)) > 1, "never a split"
    check_recommendations(policy, twin, state)


def test_equal_recommendations_are_the_lowest():
    """Arms without noise or penalty, all alike: the same estimate at every limit that holds the consumption."""
    policy, twin = tiny(2, 2, 0.3, (censored.power(0.0), lambda x: 0.0))
    state, _ = duel(policy, twin, told(2, [1.0], 1, 0)._replace(outcomes=np.full((2, 40, 2), [0.5, 0.1])), 40)
    assert policy.diagnostics(None, state)["finest limit"] < 1.0 and policy.diagnostics(None, state)["finest arm"] == 0
    check_recommendations(policy, twin, state)


def test_every_observation_lies_in_the_bucket_of_its_cell():
    policy, twin = tiny(1, 2, 0.05)
    state, _ = duel(policy, twin, told(1, [1.0], 200, 5), 200)
    grid, kept = [0.0, *grid_of(state, 0)], 0
    for j, (low, high) in enumerate(zip(grid[:-1], grid[1:], strict=True)):
        place = int(state.cells[0, j, HEAD])
        while place >= 0:
            assert low < state.buckets.rows[place, CONSUMPTION] <= high
            place, kept = int(state.buckets.rows[place, NEXT]), kept + 1
    assert kept == state.buckets.size > 100


@pytest.mark.parametrize("slope, expected", [(10.0, 6687), (0.1, None)])
def test_first_split_comes_at_the_first_count_that_allows_it(slope, expected):
    """2 alpha log(n T^2 / delta) (1 + lambda)^2 / tau^2 pulls of one arm; 6687 for the paper's penalty at alpha 1."""
    policy = censored.zrcucb(10, 100_000, censored.power(slope))
    log = math.log(10 * 100_000**2 / 0.1)
    policy = policy._replace(arms=1, scale=math.sqrt(2 * log))  # alpha 1, which the factory refuses; n as in log
    need = math.ceil(2 * log * (1 + slope) ** 2)
    assert expected in (None, need)
    rng, state = np.random.default_rng(0), policy.init(np.random.default_rng(0))
    for t in range(need):
        assert state.count[0] == 1
        action = policy.select(state, t, rng)
        state = policy.update(state, action, censored.Observation(0.0, 0.0, 0.0, True), t, rng)
    assert grid_of(state, 0) == [0.5, 1.0]


def test_figure_3():
    """{1}, then the cells of .25 and .5 split again in four."""
    cells, observations = np.zeros((16, 8)), np.zeros((1, 3))
    cells[0, END], cells[0, HEAD] = 1.0, -1
    size = split(cells, 0, 1, 4, observations)
    assert cells[:size, END].tolist() == [0.25, 0.5, 0.75, 1.0]
    size = split(cells, 1, size, 4, observations)
    size = split(cells, 0, size, 4, observations)
    assert cells[:size, END].tolist() == [0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375, 0.5, 0.75, 1.0]


def test_zrcucb_finds_a_good_pair():
    """4 runs of 100,000 rounds: the pair of the largest lower bound is within 0.01 of the best."""
    world = censored.indep_interval()
    final = bl.simulate(world, censored.zrcucb(3, 100_000, world.penalty), 100_000, runs=4, checkpoints=1).final
    pairs = final[["safest arm", "safest limit"]].to_numpy()
    assert max(world.best - world.gain(int(arm), float(limit)) for arm, limit in pairs) < 0.01
