"""Duels: the world, RUCB against its literal twin, and what is refused."""

import math

import numpy as np
import pytest

import banditlab as bl
from banditlab import classic

CHANCES = np.array([[0.5, 0.7, 0.8, 0.6], [0.3, 0.5, 0.6, 0.6], [0.2, 0.4, 0.5, 0.3], [0.4, 0.4, 0.7, 0.5]])


CLEAR = np.array([[0.5, 0.95, 1.0, 0.9], [0.05, 0.5, 0.9, 0.8], [0.0, 0.1, 0.5, 0.1], [0.1, 0.2, 0.9, 0.5]])


class Literal:
    """Zoghi and others (2014), Algorithm 1, from the list of all fights; its draws are those of one uniform number."""

    def __init__(self, arms, alpha):
        self.arms, self.alpha, self.fights, self.B = arms, alpha, [], set()

    def U(self, i, j, t):
        if i == j:
            return 0.5
        wins, losses = (sum(fight == pair for fight in self.fights) for pair in ((i, j), (j, i)))
        both = wins + losses
        return wins / both + math.sqrt(self.alpha * math.log(t) / both) if both else 2.0

    def select(self, rng):
        t, u, everybody = len(self.fights) + 1, rng.random(), range(self.arms)
        C = [c for c in everybody if all(self.U(c, j, t) >= 0.5 for j in everybody)]
        self.B &= set(C)
        if not C:
            c = int(self.arms * u)
        else:
            if len(C) == 1:
                self.B = set(C)
            others = [c for c in C if c not in self.B]
            if self.B and (u < 0.5 or not others):
                (c,) = self.B
            else:
                c = others[int(len(others) * (2 * (u - 0.5) if self.B else u))]
        strength = [self.U(j, c, t) for j in everybody]
        strongest = [j for j in everybody if strength[j] == max(strength)]
        return c, next((j for j in strongest if j != c), c)


@pytest.mark.parametrize("seed", range(4))
def test_rucb_plays_what_its_twin_plays(seed):
    policy, twin, fights = classic.rucb(4, 0.6), Literal(4, 0.6), np.random.default_rng(seed)
    rngs = [np.random.default_rng(9) for _ in range(2)]
    state, alone = policy.init(rngs[0]), 0
    for t in range(250):
        action = policy.select(state, t, rngs[0])
        assert tuple(map(int, action)) == twin.select(rngs[1]), t
        won = float(fights.random() < CLEAR[action])
        state = policy.update(state, action, won, t, rngs[0])
        twin.fights.append(action if won else action[::-1])
        alone += bool(twin.B)
    assert alone > 20  # that one arm stood alone is part of what was compared


def test_the_better_arm_wins_as_often_as_it_is_told():
    world, rng = classic.duels(CHANCES), np.random.default_rng(0)
    paid = [world.step(0, (3, 2), t, rng) for t in range(4000)]
    # Tolerance: four standard deviations of a share of 4,000.
    assert np.mean(paid) == pytest.approx(0.7, abs=0.03)
    assert world.regret(0, (0, 0), 0) == 0.0 and world.regret(0, (1, 3), 0) == pytest.approx((0.2 + 0.1) / 2)


def test_a_pair_is_an_action_like_any_other():
    report = bl.check_policy(classic.duels(CHANCES), classic.rucb(4), 2000, runs=20)
    left = [check.name for check in report.checks if check.verdict != "passed"]
    assert report.ok and not left, str(report)
    final = bl.simulate(classic.duels(CHANCES), classic.rucb(4), 20_000, runs=20)
    assert bl.evidence.growth(final, "RUCB").ends(0.95)[1] < 0.75
