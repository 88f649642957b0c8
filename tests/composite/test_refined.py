"""What the proof of Theorem 1 gives beyond the paper: its inequalities on thousands of random instances."""

import functools
import math

import numpy as np
import pytest
from composite import misleading, refined

from banditlab.analysis.record_run import record_run
from banditlab.composite import ars_ucb, bounds, increasing, stochastic

GROWTHS = ("k", "k2", "k3", "2k", (3, 1), (2, 2))


def covers(log_t, played, rounds, late, alpha):
    """Whether the radius is at least that of the proof, for every K; times sqrt(N / ln t)."""
    hidden = 2 + late[0] * rounds / np.sqrt(played * log_t) + np.sqrt(12 * late[1] * rounds / played)
    return math.sqrt(alpha) >= hidden - 1e-9


@functools.cache
def all_rounds(growth, n=20_000):
    """F(K) and K."""
    policy = ars_ucb(1, growth=growth)
    sizes = [float(policy.size(k)) for k in range(1, 400 if growth == "2k" else n)]
    return np.cumsum(sizes), np.arange(1.0, len(sizes) + 1)


@pytest.fixture
def fewer_rounds(monkeypatch):
    """As many as `all_rounds` has, so that thousands of instances take a second."""
    monkeypatch.setattr(refined, "ROUNDS", 20_000)


@pytest.mark.usefixtures("fewer_rounds")
@pytest.mark.parametrize("growth", GROWTHS)
def test_radius_covers_that_of_the_proof_from_the_refined_horizon_on(growth, soak):
    """Random d1, d2, alpha; horizons from T* to a thousand times its logarithm; every K with F(K) >= alpha ln t."""
    rng, (played, rounds), tried, count = np.random.default_rng(1), all_rounds(growth), 0, 5000 if soak else 500
    for _ in range(count):
        late, alpha = (10 ** rng.uniform(-1, 1.5), 10 ** rng.uniform(-2, 1)), 4 + 10 ** rng.uniform(-0.5, 1.5)
        start = refined.refined_log_horizon(*late, alpha, growth)
        for log_t in (start * (1 + 1e-9), start * 10 ** rng.uniform(0, 3)):
            counts = played >= alpha * log_t
            tried += counts.any()
            assert covers(log_t, played[counts], rounds[counts], late, alpha).all()
    assert tried > 1.6 * count


@pytest.mark.usefixtures("fewer_rounds")
@pytest.mark.parametrize("growth", ["k2", "k3", (2, 2)])
def test_before_the_refined_horizon_some_round_is_not_covered(growth, soak):
    """It is the first: a hundredth before it an admissible K fails, where K / F(K) falls from the first round on."""
    rng, (played, rounds), tried, count = np.random.default_rng(2), all_rounds(growth), 0, 5000 if soak else 500
    for _ in range(count):
        late, alpha = (10 ** rng.uniform(-1, 1), 10 ** rng.uniform(-2, 1)), 4 + 10 ** rng.uniform(0, 1.5)
        log_t = 0.99 * refined.refined_log_horizon(*late, alpha, growth)
        counts = played >= alpha * log_t
        if counts.any():
            tried += 1
            assert not covers(log_t, played[counts], rounds[counts], late, alpha).all()
    assert tried > 2 * count / 3


def test_an_arm_with_few_pulls_has_a_radius_above_any_gap(soak):
    """Random games: at every decision at which some arm has less than alpha ln t pulls, the arm begun has less, too."""
    rng, seen = np.random.default_rng(6), 0
    for run in range(2000 if soak else 200):
        arms, alpha = int(rng.integers(2, 6)), rng.uniform(4, 40)
        policy = ars_ucb(arms, alpha, ("k", "k2", "k3", "2k")[rng.integers(4)])
        world = stochastic(np.sort(rng.uniform(0, 1, arms))[::-1], increasing(int(rng.integers(1, 60))))
        actions = record_run(world, policy, 2000, run).actions
        played = np.cumsum(actions[:, None] == np.arange(arms), axis=0)
        starts = np.flatnonzero(np.diff(actions)) + 1  # steps after which another arm is begun
        starts = starts[(played[starts - 1] > 0).all(axis=1)]
        pulls, few = played[starts - 1], alpha * np.log(starts)
        some = pulls.min(axis=1) < few
        seen += some.sum()
        assert (pulls[np.arange(len(starts)), actions[starts]] < few)[some].all()
    assert seen > 2000


def test_refined_horizon_is_shorter_and_follows_the_rounds():
    """Numbers of three of the paper's cases at alpha = 8, and the powers of d1 in them."""
    found = [[round(refined.refined_log_horizon(*late, 8.0, f)) for f in ("k2", "k3", "2k")]
             for late in ((4.5, 0.69), (18.0, 6.64), (60.3, 13.4))]  # fmt: skip
    assert found == [[40, 14, 31], [691, 238, 256], [2807, 760, 543]]
    for late in (0.5, 5.0, 50.0):
        printed = bounds.ars_ucb_constant(late, 0.0, 8.0).log_t1
        logs = [refined.refined_log_horizon(late, 0.0, 8.0, f) for f in ("k", "k2", "k3")]
        assert printed > logs[0] > logs[1] > logs[2]
    for beta, power in ((1, 2.0), (2, 1.5), (3, 4 / 3)):
        low, high = (refined.refined_log_horizon(late, 0.0, 8.0, (1, beta)) for late in (1e2, 1e3))
        assert math.log10(high / low) == pytest.approx(power, abs=0.05)
    assert refined.refined_log_horizon(1.0, 1.0, 4.0) == math.inf == refined.refined_log_horizon(math.inf, 1.0, 8.0)
    assert refined.refined_log_horizon(1.0, 1.0, 8.0, "1") == math.inf


@pytest.mark.parametrize("alpha", [4.5, 8.0, 20.0])
def test_with_doubling_rounds_the_refined_horizon_is_of_the_order_d1_log_d1(alpha):
    """Just before T* the notebook's bound on the left side is above the right one; d1's power is just over 1."""
    room, share = math.sqrt(alpha) - 2, np.array([0.0, 0.1, 1.0])
    logs = []
    for late in np.geomspace(30, 1e6, 40):
        found = np.array([refined.refined_log_horizon(late, late * part, alpha, "2k") for part in share])
        counted = np.log2(alpha * found)  # more than the rounds of the first K that counts
        left = late * counted / (math.sqrt(alpha) * found) + np.sqrt(12 * late * share * counted / (alpha * found))
        assert (left > room * (1 - 1e-9)).all()
        logs.append(np.log(found) - np.log(late))
    rise = (logs[-1] - logs[0]) / math.log(1e6 / 30)
    assert ((rise > 0) & (rise < 0.15)).all()
    for low, high, power in ((20, 80, 1.05), (1e3, 1e4, 1.12)):
        found = [refined.refined_log_horizon(late, 0.0, 8.0, "2k") for late in (low, high)]
        assert math.log(found[1] / found[0]) / math.log(high / low) == pytest.approx(power, abs=0.005)


def test_lower_half_of_lemma_1():
    """Below 1 / t^3 at every t tried; its union bound counts no fewer rounds than there may be."""
    steps = np.unique(np.geomspace(1, 1e9, 5000).astype(int))
    assert all(refined.lemma1_lower(int(t)) <= t**-3.0 for t in steps)
    for growth in GROWTHS:
        played, rounds = all_rounds(growth)
        assert (rounds <= np.sqrt(2 * played)).all()


def random_game(rng, arms=3):
    """Weights of the parts of each arm's reward (arms, delays), and chances of a total of 1."""
    reach = int(rng.integers(1, 40))
    return rng.dirichlet(np.full(reach, rng.uniform(0.1, 2)), arms), rng.uniform(0, 1, arms)


def test_an_arm_sees_at_least_what_its_pulls_pay_within_their_rounds(soak):
    """Random games and growths: M_i is no less than that at every end of a round, and sometimes more."""
    rng, more = np.random.default_rng(3), 0
    for _ in range(300 if soak else 60):
        weights, chances = random_game(rng)
        policy = ars_ucb(3, rng.uniform(0.5, 8), GROWTHS[rng.integers(len(GROWTHS))])
        state, seen, own, paid = policy.init(rng), np.zeros(600), np.zeros(3), np.zeros(3)
        for t in range(500):
            arm, left = policy.select(state, t, rng), state.left
            parts = (rng.random() < chances[arm]) * weights[arm]
            seen[t + 1 : t + 1 + len(parts)] += parts  # what a pull pays begins to arrive a step later
            paid[arm] += parts[: left - 1].sum()
            state = policy.update(state, arm, seen[t], t, rng)
            if left == 1:
                own[arm] = paid[arm]
                assert (state.sums >= own - 1e-9).all()
        more += (state.sums > own + 1).any()
    assert more > 10


def test_whatever_is_played_a_round_is_seen_to_pay_what_its_pulls_pay_in_it(soak):
    """2,000 games side by side, 12 rounds each of arms that follow what was seen: at every end M_i is no less."""
    rng, games, arms, reach = np.random.default_rng(7), 20_000 if soak else 2000, 3, 40
    weights = rng.dirichlet(np.full(reach, 0.5), (games, arms))
    chances, game = rng.uniform(0, 1, (games, arms)), np.arange(games)
    seen, own, sums, pulls, more, t = np.zeros((games, 600)), *np.zeros((3, games, arms)), 0, 0
    for size in rng.integers(1, 40, 12):
        best, any_arm = (sums / np.maximum(pulls, 1)).argmax(axis=1), rng.integers(arms, size=games)
        arm = np.where(rng.random(games) < 0.5, best, any_arm)
        for left in range(size, 0, -1):
            parts = (rng.random(games) < chances[game, arm])[:, None] * weights[game, arm]
            seen[:, t + 1 : t + 1 + reach] += parts
            own[game, arm] += parts[:, : left - 1].sum(axis=1)
            sums[game, arm] += seen[:, t]
            pulls[game, arm] += 1
            t += 1
        assert (sums >= own - 1e-9).all()
        more += (sums > own + 1).sum()
    assert more > games


def test_what_pulls_pay_within_their_rounds_misses_at_most_d1_a_round_in_the_mean():
    """3,000 random games: exact; long rounds miss all of it."""
    rng, shares = np.random.default_rng(4), []
    for _ in range(3000):
        weights, chances = random_game(rng)
        late = np.cumsum(weights[:, ::-1], axis=1)[:, ::-1]  # what arrives after so many steps or more
        policy = ars_ucb(3, growth=GROWTHS[rng.integers(len(GROWTHS))])
        missed = sum(chances * late[:, : policy.size(k)].sum(axis=1) for k in range(1, 9))
        shares.append((missed / 8 / (chances[:, None] * late).max(axis=0).sum()).max())
    assert max(shares) <= 1 + 1e-12 and max(shares) > 0.99


def test_loss_of_a_fresh_round_is_the_sum_over_its_lengths():
    """The coins' law step by step, as a chain of tails in a row, against the closed form; d up to 200."""
    for d in (1, 2, 3, 5, 17, 60, 200):
        heads, tails, lost = 1 / (2 * d), np.zeros(2 * d), 0.0
        tails[0] = 1.0
        for length in range(1, 5 * d):
            lost += heads * tails[-1] * max(0, min(length, 4 * d - 1) - max(length - d, 3 * d))
            before, tails = tails, np.zeros(2 * d)
            tails[1:] = (1 - heads) * before[:-1]
            tails[-1] += (1 - heads) * before[-1]
            tails[0] = heads * before[:-1].sum()
        assert misleading.clw_loss(d) == pytest.approx(lost / d, rel=1e-12, abs=1e-15)
    limit = 1 / (2 * math.e) - 1 / (24 * math.e**2)
    assert misleading.clw_loss(10_000) == pytest.approx(limit, abs=1e-4) and misleading.clw_loss(10_000) < limit
