"""Facts checked by hand about the slow twins of the environments of uplifting bandits."""

import numpy as np
import pytest

from tests.naive import uplifting_worlds as naive


class Given:
    """A generator whose numbers are known."""

    def __init__(self, *values):
        self.values = list(values)

    def random(self):
        return self.values.pop(0)

    standard_normal = random


def test_gaussian_by_hand():
    world = naive.GaussianWorld([[1.0, 2.0], [5.0, 6.0]], [4.0, 9.0], [[0.5], [-1.0]], Given(2.0, 1.0, -1.0))
    assert world.play(1) == [5 + 2 * 1 + 0.5 * 2, 6 - 3 * 1 - 1.0 * 2]


def test_bernoulli_by_hand():
    world = naive.BernoulliWorld([0.5, 0.5, 0.5], [0.9, 0.1, 0.9], [[0, 1], [2]], Given(0.8, 0.3, 0.5))
    assert world.play(0) == [1, 0, 0]


def test_clusters_by_hand():
    """Two people at rate 1/2: distribution function 1/4, 3/4, 1; one treated person at rate 0.9: 0.1, 1."""
    for u, count in ((0.0, 0), (0.24, 0), (0.25, 1), (0.74, 1), (0.75, 2), (0.99, 2)):
        assert naive.ClusterWorld([2, 1], [0.5, 0.5], [0.0, 0.9], Given(u, 0.09)).play(1) == [count, 0]
        assert naive.ClusterWorld([2, 1], [0.5, 0.5], [0.0, 0.9], Given(u, 0.11)).play(0) == [0, 0]
        assert naive.ClusterWorld([2, 1], [0.5, 0.5], [0.0, 0.9], Given(u, 0.11)).play(1) == [count, 1]


def test_linear_by_hand():
    theta = [[1.0, 0.0], [2.0, 1.0], [1.0, 2.0]]
    for at_most in (False, True):
        world = naive.LinearWorld(theta, 2, 2, 0.5, at_most, Given(8.0, 6.0, 6.0, -8.0, 4.0, -2.0))
        assert world.context() == [[0.8, 0.6], [0.6, -0.8]]
        assert [round(world.uplift(0, z), 12) for z in (1, 2)] == [1.4, 1.2]
        assert [round(world.uplift(1, z), 12) for z in (1, 2)] == [-0.2, -1.6]
        assert world.best() == [1, 0 if at_most else 1]
        assert world.play([2, 0]) == pytest.approx([0.8 + 1.2 + 2.0, 0.6 - 1.0])
        assert world.regret([0, 2]) == pytest.approx((1.4 if at_most else 1.2) + 1.6)


def campaign(mode, *uniforms):
    """Four people, two of whom come, one is treated; the chances of the oracle are replaced by a table."""
    features, treatment, visit = [[0.0], [0.2], [0.7], [1.0]], [0, 1, 0, 1], [1, 0, 0, 1]
    world = naive.CampaignWorld(features, treatment, visit, mode, 2, 1, False, Given(*uniforms))
    chances = [[0.5, 0.6], [0.2, 0.8], [0.3, 0.4], [0.1, 0.6]]
    world.expected = lambda i, z: chances[world.people[i]][z]
    return world


def test_people_are_drawn_by_exchanges():
    world = campaign(1, 0.6, 0.0)
    context = world.context()  # number int(4 * 0.6) = 2 first, then number 0 of what is left: 1
    assert world.people == [2, 1, 0, 3] and context.tolist() == [[1.0, 0.7], [1.0, 0.2]]


@pytest.mark.parametrize("mode", [1, 2])
def test_campaign_by_hand(mode):
    """Persons 2 (logged 0, no visit) and 1 (logged 1, no visit); treating person 1 is best, with uplift 0.6."""
    world = campaign(mode, 0.6, 0.0, 0.25, 0.7)
    world.context()
    assert world.best() == [0, 1] and world.regret([1, 0]) == pytest.approx(0.6 - 0.1)
    # person 2 treated: 0.25 < 0.4 in either mode; person 1 untreated: 0.7 > 0.2
    assert world.play([1, 0]) == [1, 0]
    # the best action: both as logged, no visit (mode 1); or 0.25 < 0.3 and 0.7 < 0.8
    assert world.realised == {1: 0 + 0 - 1, 2: 1 + 1 - 1}[mode]


def test_the_oracle_is_fitted_by_treatment():
    rng = np.random.default_rng(0)
    features, treatment = rng.random((60, 2)), rng.integers(0, 2, 60)
    visit = (rng.random(60) < 0.3 + 0.3 * treatment).astype(int)
    world = naive.CampaignWorld(features, treatment, visit, 2, 3, 1, False, rng)
    assert len(world.oracle) == 2
    world.context()
    chances = [world.expected(i, z) for i in range(3) for z in (0, 1)]
    assert all(0 < chance < 1 for chance in chances)
