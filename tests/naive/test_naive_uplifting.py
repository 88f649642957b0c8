"""Facts checked by hand about the slow twins of uplifting bandits, and the identities that must hold between them."""

import math

import numpy as np
import pytest

from tests.naive import uplifting as naive


def instance(seed, K=4, m=7, size=3):
    """(mu0, mu, affected) with random overlapping sets."""
    rng = np.random.default_rng(seed)
    mu0 = rng.random(m)
    affected = np.array([rng.permutation(m) < size for _ in range(K)])
    return mu0, np.where(affected, rng.random((K, m)), mu0), affected


def noisy(mu, seed, scale=1.0):
    """Payoffs of round t under any action, all from one draw of the noise per round."""
    noise = np.random.default_rng(seed).standard_normal((1000, len(mu[0])))
    return lambda t, action: mu[action] + scale * noise[t]


def exact(mu):
    return lambda t, action: mu[action]


def play(policy, observe, rounds, watch=lambda t: None):
    """Actions of `rounds` rounds; `watch(t)` is called before each round t."""
    actions = []
    for t in range(rounds):
        watch(t)
        action = policy.select()
        policy.update(action, observe(t, action))
        actions.append(action)
    return actions


def fed(policy, rounds):
    for action, y in rounds:
        policy.update(action, y)
    return policy


# The algorithms by hand


def test_radius():
    assert naive.radius(2.0, 4) == 1.0 and naive.radius(2.0, 0) == math.inf and naive.radius(0.0, 3) == 0.0


def test_ucb_by_hand():
    policy = naive.UCB(2, 3, beta=2.0)
    assert play(policy, exact([[1, 2, 3], [0, 0, 0]]), 2) == [0, 1]
    assert policy.index(0) == 6 + 3 * 2 and policy.index(1) == 0 + 3 * 2 and policy.select() == 0
    policy.update(0, [1, 2, -3])
    assert policy.index(0) == pytest.approx(3 + 3 * math.sqrt(2))


ROUNDS = [(0, [1.0, 2.0, 4.0]), (1, [3.0, 5.0, 6.0]), (0, [2.0, 4.0, 0.0]), (0, [0.0, 0.0, 2.0]), (0, [1.0, 2.0, 2.0])]
SETS = [[True, True, False], [False, True, True]]  # means of action 0: (1, 2, 2), N = (4, 1); beta = 2: c = (1, 2)


def test_upucb_bl_by_hand():
    policy = fed(naive.UpUCBbl([0.5, 1.0, 3.0], SETS, 2.0), ROUNDS)
    assert policy.index(0) == (1 + 1 - 0.5) + (2 + 1 - 1) and policy.index(1) == (5 + 2 - 1) + (6 + 2 - 3)
    assert policy.select() == 1


def test_upucb_by_hand():
    policy = fed(naive.UpUCB(SETS, 2.0), ROUNDS)
    assert [policy.baseline(i) for i in range(3)] == [3 + 2, 0, 2 + 1]
    assert policy.index(0) == (1 + 1 - 5) + (2 + 1) and policy.index(1) == (5 + 2) + (6 + 2 - 3)
    assert policy.select() == 1


def test_upucb_with_lower_bounds_by_hand():
    policy = fed(naive.UpUCBLCB(SETS, 2.0), ROUNDS)
    assert [policy.baseline(i) for i in range(3)] == [3 - 2, 0, 2 - 1]
    assert policy.index(0) == (1 + 1 - 1) + (2 + 1) and policy.index(1) == (5 + 2) + (6 + 2 - 1)


def test_thompson_posterior_and_order_of_draws():
    policy = naive.Thompson([1.0, 3.0, 5.0], m=2, sigma2=0.5, rng=np.random.default_rng(4))
    assert policy.nu0 == 3 and policy.s02 == pytest.approx(8 / 3) and policy.posterior(0) == pytest.approx((3, 8 / 3))
    draws = np.random.default_rng(4).standard_normal(6)
    assert policy.select() == np.argmax(draws[:3])
    fed(policy, [(1, [1.0, 3.0]), (1, [5.0, 1.0])])
    precision = 3 / 8 + 2 / 2
    assert policy.posterior(1) == pytest.approx(((9 / 8 + 10 / 2) / precision, 1 / precision))
    centers, deviations = np.array([3, 49 / 11, 3]), np.sqrt([8 / 3, 8 / 11, 8 / 3])
    assert policy.select() == np.argmax(centers + deviations * draws[3:])


def test_thompson_posterior_is_the_gaussian_conditional():
    """Bayes by the joint law of the mean and three rewards."""
    policy = fed(naive.Thompson([0.0, 4.0], 3, 0.25, None), [(0, [1, 1, 1]), (0, [2, 0, 0]), (0, [0, 0, 7])])
    noise, prior, rewards = 9 * 0.25, 4.0, np.array([3.0, 2.0, 7.0])
    gain = np.linalg.solve(prior * np.ones((3, 3)) + noise * np.eye(3), prior * np.ones(3))
    assert policy.posterior(0) == pytest.approx((2 + gain @ (rewards - 2), prior - gain @ (prior * np.ones(3))))


def test_naff_bl_by_hand():
    rounds = [(0, [3.0, -3.0, 0.5, -0.5, 1.0])] * 2
    indices = [fed(naive.UpUCBnAffbl(1, [0.0] * 5, L, 1.0), rounds).index(0) for L in range(1, 7)]
    identified, padding = (3 + 1) + (-3 + 1), [2.0, 1.5, 0.5]  # c = 1; |1 - 0| = 1 lies on the closed interval
    assert indices == [identified + sum(padding[: max(0, L - 2)]) for L in range(1, 7)]
    assert fed(naive.UpUCBnAffbl(1, [0.0] * 5, 2, 1.0), rounds).identified(0) == [0, 1]


def test_naff_bl_with_a_limit_per_action():
    rounds = [(0, [0.5, 0.25]), (1, [0.5, 0.25])]
    policy = fed(naive.UpUCBnAffbl(2, [0.0, 0.0], [1, 2], 0.5), rounds)
    assert (policy.index(0), policy.index(1)) == (1.5, 2.75)


def test_naff_bl_negative_uplift_does_not_hide():
    """Uplifts 1, 1, -4 and L = 3: r_up <= tau <= r_up + 4 L c; with the L largest rho the upper side would break."""
    for pulls in range(1, 40):
        policy = fed(naive.UpUCBnAffbl(1, [0.0] * 5, 3, 0.5), [(0, [1, 1, -4, 0, 0])] * pulls)
        c = naive.radius(0.5, pulls)
        assert -2 <= policy.index(0) <= -2 + 4 * 3 * c
        largest = sum(sorted([1 + c, 1 + c, -4 + c, c, c])[-3:])
        assert c >= 1 / 3 or largest > -2 + 4 * 3 * c


def test_naff_by_hand():
    rounds = [(0, [0.0, 0.0, 0.0, 0.0])] * 4 + [(1, [9.0, -9.0, 0.5, -2.0])]
    policy = fed(naive.UpUCBnAff(2, 4, 1, 2.0), rounds)  # b = 0, c = (1, 2): identified beyond 3, rho = difference + 1
    assert policy.reference() == 0 and policy.identified(1) == [0, 1]
    assert policy.index(1) == (9 + 1) + (-9 + 1)  # both places of 2L are taken
    assert fed(naive.UpUCBnAff(2, 4, 2, 2.0), rounds).index(1) == 2 + 1.5  # the negative rho of the last is dropped
    assert policy.index(0) == 0.0 and policy.select() == 1
    touching = fed(naive.UpUCBnAff(2, 2, 1, 2.0), [(0, [0.0, 0.0])] * 4 + [(1, [3.0, -3.0])])
    assert touching.identified(1) == [] and touching.index(1) == 4.0  # closed intervals that touch


def test_naff_reference_is_the_lowest_of_the_most_played():
    policy = naive.UpUCBnAff(3, 1, 1, 2.0)
    fed(policy, [(0, [0.0]), (1, [0.0]), (2, [0.0])])
    assert policy.reference() == 0
    fed(policy, [(2, [0.0]), (1, [0.0])])
    assert policy.reference() == 1


@pytest.mark.parametrize("factor, beta, dup, pulls", [(8, 1, 0.3, 89), (32, 3, 0.3, 1067), (8, 2.7, 1.2, 15)])
def test_identification_pulls(factor, beta, dup, pulls):
    """The last ratio is 15, but 8 * 2.7 / (1.2 * 1.2) is rounded above it."""
    assert naive.identification_pulls(factor, beta, dup) == pulls
    assert naive.identification_pulls(factor, 1e-9, 1.0) == 1


def test_ilift_bl_by_hand():
    policy = naive.UpUCBiLiftbl(2, [0.0, 0.0, 0.0], dup=2.0, beta=1.0)
    assert policy.n_id == 2
    fed(policy, [(0, [2.0, 1.0, -2.0]), (1, [0.0, 0.0, 0.0]), (0, [2.0, 1.0, -2.0])])
    assert policy.identified(0) == [0, 2] and policy.identified(1) == [0, 1, 2]  # exactly dup / 2 stays out
    assert policy.index(0) == (2 + 1) + (-2 + 1) and policy.index(1) == pytest.approx(3 * math.sqrt(2))
    fed(policy, [(0, [-2.0, 4.0, -2.0])])  # identified anew after every pull
    assert policy.identified(0) == [1, 2]


def test_naive_ilift_by_hand():
    policy = naive.UpUCBiLiftNaive(2, [0.0, 0.0, 0.0], dup=2.0, beta=1.0)
    mu = [[2.0, 1.0, -1.5], [0.0, 0.0, 0.0]]
    assert play(policy, exact(mu), 5) == [0, 1, 0, 1, 0]
    assert policy.identified(0) == [0, 2] and policy.identified(1) == []
    assert policy.index(0) == pytest.approx(0.5 + 2 * math.sqrt(2 / 3)) and policy.index(1) == 0
    fed(policy, [(0, [-9.0, 90.0, 9.0])])
    assert policy.identified(0) == [0, 2]  # for ever


def test_an_offline_baseline_by_hand():
    """Action 0 has means (1, 2) and c = 1, action 1 (5, 6) and c = 2; two samples have radius sqrt(2)."""
    policy = fed(naive.UpUCBOffline([0.5, 1.0, 3.0], 2, SETS, 2.0), ROUNDS)
    c0 = math.sqrt(2)
    assert policy.index(0) == pytest.approx((1 + 1 - 0.5 + c0) + (2 + 1 - 1 + c0))
    assert policy.index(1) == pytest.approx((5 + 2 - 1 + c0) + (6 + 2 - 3 + c0))


def test_ilift_eliminates_by_hand():
    """beta = 1/2, dup = 2: four sweeps; twice the radius of the total of 4 variables is 8 / sqrt(sweep)."""
    mu = [[0, 0, 2, 9], [0, 0, 5, 9], [0, 4, 0, 5], [0, 0, 0, 0.5]]
    policy = naive.UpUCBiLift(4, 4, dup=2.0, beta=0.5)
    assert policy.n_id == 4
    assert play(policy, exact(mu), 4) == [0, 1, 2, 3] and policy.active == [0, 1, 2]  # 0.5 + 8 < 14
    assert play(policy, exact(mu), 3) == [0, 1, 2] and policy.active == [0, 1, 2]  # 9 + 5.66 >= 14
    assert play(policy, exact(mu), 3) == [0, 1, 2] and policy.active == [0, 1]  # 9 + 4.62 < 14
    assert play(policy, exact(mu), 2) == [0, 1] and policy.sharing == [[0, 1], [0, 1], [], [0, 1]]
    assert policy.index(1) == 5 + 0.5 and set(play(policy, exact(mu), 9)) == {1}


def test_ilift_second_phase_by_hand():
    mu = [[0.0, 0.0, 2.0, 1.0], [0.0, 4.0, 0.0, 2.0], [1.0, 0.0, 0.0, 6.0]]
    policy = naive.UpUCBiLift(3, 4, dup=2.0, beta=0.5)
    assert play(policy, exact(mu), 12) == [0, 1, 2] * 4
    # intervals of length 1 around the means, closed: 1 meets 0 and 2 meets 1, but 2 does not meet 0
    assert policy.sharing == [[0, 1, 2], [0, 2], [1, 2], [0, 1]]
    assert [policy.identified(a) for a in range(3)] == [[2], [1], [3]]
    assert [policy.baseline(i) for i in range(4)] == [0.5, 0.5, 0.5, 1.5]
    assert [policy.index(a) for a in range(3)] == [2, 4, 5] and policy.select() == 2
    fed(policy, [(2, mu[2])] * 12)
    assert [policy.baseline(i) for i in range(4)] == [1.25, 0.25, 0.25, 1.5]  # action 2 is now the most played
    assert policy.sharing[0] == [0, 1, 2] and policy.index(2) == 6 + 0.25 - 1.5


def test_ilift_with_one_survivor_plays_it():
    policy = naive.UpUCBiLift(2, 2, dup=1.0, beta=0.5)
    actions = play(policy, exact([[0.0, 0.0], [3.0, 3.0]]), 40)
    assert policy.active == [1] and policy.sharing == [[], []] and policy.identified(1) == [0, 1]
    assert actions[:4] == [0, 1, 1, 1] and set(actions[2:]) == {1}


def test_ilift_keeps_an_action_on_equality():
    policy = naive.UpUCBiLift(2, 1, dup=4.0, beta=0.5)
    assert policy.n_id == 1
    play(policy, exact([[2.0], [4.0]]), 2)
    assert policy.active == [0, 1]


# Identities


@pytest.mark.parametrize("seed", range(3))
def test_with_all_variables_affected_upucb_is_ucb(seed):
    mu0, mu, _ = instance(seed, size=7)
    everything = np.ones((4, 7), dtype=bool)
    policies = [naive.UCB(4, 7, 0.5), naive.UpUCBbl(mu0, everything, 0.5), naive.UpUCB(everything, 0.5)]
    traces = [play(policy, noisy(mu, seed), 150) for policy in policies]
    assert traces[0] == traces[1] == traces[2] and len(set(traces[0][4:])) > 1
    assert {policies[2].baseline(i) for i in range(7)} == {0.0}


@pytest.mark.parametrize("seed", range(3))
def test_naff_bl_with_every_variable_allowed_is_ucb(seed):
    mu0, mu, _ = instance(seed)
    policies = [naive.UCB(4, 7, 0.5), naive.UpUCBnAffbl(4, mu0, 7, 0.5), naive.UpUCBnAffbl(4, mu0, 9, 0.5)]
    traces = [play(policy, noisy(mu, seed), 150) for policy in policies]
    assert traces[0] == traces[1] == traces[2]
    assert policies[1].index(2) == pytest.approx(policies[0].index(2) - sum(mu0), abs=1e-9)


def test_naff_with_every_variable_allowed_is_not_ucb():
    _, mu, _ = instance(0)
    traces = [play(p, noisy(mu, 0), 150) for p in (naive.UCB(4, 7, 0.5), naive.UpUCBnAff(4, 7, 7, 0.5))]
    assert traces[0] != traces[1]


@pytest.mark.parametrize("seed", range(3))
def test_ilift_bl_is_ucb_until_an_action_is_identified(seed):
    mu0, mu, _ = instance(seed)
    policy = naive.UpUCBiLiftbl(4, mu0, 0.5, 1.0)
    traces = [play(p, noisy(mu, seed), 300) for p in (policy, naive.UCB(4, 7, 1.0))]
    first = next(t for t in range(300) if traces[0][: t + 1].count(traces[0][t]) == policy.n_id)
    assert traces[0][: first + 1] == traces[1][: first + 1] and traces[0] != traces[1]
    assert play(naive.UpUCBiLiftbl(4, mu0, 0.1, 1.0), noisy(mu, seed), 300) == traces[1]


@pytest.mark.parametrize("seed", range(4))
def test_upucb_is_combucb(seed):
    """Also with a variable that every action affects, whose baseline is an item that no action selects."""
    _, mu, affected = instance(seed)
    affected[:, 0] = True
    traces = [play(p, noisy(mu, seed), 150) for p in (naive.UpUCB(affected, 0.5), naive.CombUCB(affected, 0.5))]
    assert traces[0] == traces[1] and len(set(traces[0][4:])) > 1


@pytest.mark.parametrize("seed", range(3))
def test_noise_on_unaffected_variables_changes_nothing(seed):
    mu0, mu, affected = instance(seed)
    affected[:, 5:] = False
    calm, wild = noisy(mu, seed), np.random.default_rng(seed + 100).standard_cauchy((200, 2))
    disturbed = lambda t, action: np.append(calm(t, action)[:5], wild[t])  # noqa: E731
    for make in (lambda: naive.UpUCBbl(mu0, affected, 0.5), lambda: naive.UpUCB(affected, 0.5)):
        assert play(make(), calm, 150) == play(make(), disturbed, 150)
    assert play(naive.UCB(4, 7, 0.5), calm, 150) != play(naive.UCB(4, 7, 0.5), disturbed, 150)


def test_clusters_give_the_indices_of_their_variables():
    """Three clusters of Bernoulli individuals, action a treats cluster a: sums per cluster with weighted radii."""
    sizes, rng = [3, 6, 4], np.random.default_rng(8)
    cluster = np.repeat([0, 1, 2], sizes)
    rates, fine, coarse = np.array([0.25, 0.5, 0.375]), cluster == np.arange(3)[:, None], np.eye(3, dtype=bool)
    mu0 = rates[cluster]
    pairs = [
        (naive.UCB(3, 13, 1e-3), naive.UCB(3, 13, 1e-3)),
        (naive.UpUCBbl(mu0, fine, 1e-3), naive.UpUCBbl(rates * sizes, coarse, 1e-3, sizes)),
        (naive.UpUCB(fine, 1e-3), naive.UpUCB(coarse, 1e-3, sizes)),
        (naive.UpUCBLCB(fine, 1e-3), naive.UpUCBLCB(coarse, 1e-3, sizes)),
    ]
    for t in range(80):
        action = t % 3 if t < 12 else int(rng.integers(3))
        y = (rng.random(13) < mu0 + 0.25 * fine[action]).astype(float)
        for individual, grouped in pairs:
            individual.update(action, y)
            grouped.update(action, np.bincount(cluster, y))
            if t >= 2:
                assert [grouped.index(a) for a in range(3)] == pytest.approx([individual.index(a) for a in range(3)])


def test_thompson_sees_sums_only():
    policies = [naive.Thompson([3, 4, 5], 6, 0.1, np.random.default_rng(2)) for _ in range(2)]
    table = np.random.default_rng(3).integers(0, 2, (100, 3, 6))
    traces = [
        play(policies[0], lambda t, a: table[t, a], 100),
        play(policies[1], lambda t, a: [table[t, a, :4].sum(), table[t, a, 4:].sum()], 100),
    ]
    assert traces[0] == traces[1] and len(set(traces[0])) == 3


# Invariants


def good_event(policy, mu, beta):
    """Whether every mean of every action played so far lies strictly within its radius."""
    for a in {action for action, _ in policy.rounds}:
        ys = naive.payoffs(policy.rounds, a)
        if not all(abs(naive.mean(ys) - mu[a]) < naive.radius(beta, len(ys))):
            return False
    return True


@pytest.mark.parametrize("seed", range(3))
def test_naff_bl_overestimates_by_at_most_four_widths(seed):
    mu0, mu, affected = instance(seed)
    mu = np.where(affected, mu0 + 3 * (mu - mu0), mu0)
    policy, beta, seen = naive.UpUCBnAffbl(4, mu0, 3, 5.0), 5.0, set()

    def watch(t):
        assert good_event(policy, mu, beta)
        for a in range(4) if t >= 4 else []:
            c = naive.radius(beta, len(naive.payoffs(policy.rounds, a)))
            found, uplift = policy.identified(a), sum(mu[a] - mu0)
            assert all(affected[a][found]) and uplift <= policy.index(a) <= uplift + 4 * 3 * c
            seen.update((a, i) for i in found)

    play(policy, noisy(mu, seed, 0.5), 150, watch)
    assert seen


@pytest.mark.parametrize("seed", range(3))
def test_naff_reference_is_the_best_known_action(seed):
    mu0, mu, affected = instance(seed)
    mu = np.where(affected, mu0 + 3 * (mu - mu0), mu0)
    policy, beta, seen = naive.UpUCBnAff(4, 7, 3, 5.0), 5.0, set()

    def watch(t):
        assert good_event(policy, mu, beta)
        for a in range(4) if t >= 4 else []:
            b = policy.reference()
            assert policy.interval(b)[1] <= policy.interval(a)[1] and policy.index(b) == 0.0
            assert all(affected[a][i] or affected[b][i] for i in policy.identified(a))
            seen.update(policy.identified(a))

    play(policy, noisy(mu, seed, 0.5), 150, watch)
    assert seen


@pytest.mark.parametrize("seed", range(2))
def test_upucb_knows_the_baseline_better_than_any_action(seed):
    _, mu, affected = instance(seed)
    policy = naive.UpUCB(affected, 0.5)

    def watch(t):
        for a in range(4):
            pulls = len(naive.payoffs(policy.rounds, a))
            for i in np.flatnonzero(~affected[a]):
                assert len(naive.baseline_payoffs(policy.rounds, policy.sets, i)) >= pulls

    play(policy, noisy(mu, seed), 60, watch)


def separated(seed, K=3, m=6, size=2, dup=2.0):
    """(mu0, mu, affected) under Assumption 1: all values of a variable at least dup apart."""
    rng = np.random.default_rng(seed)
    affected = np.array([rng.permutation(m) < size for _ in range(K)])
    levels = dup * np.array([rng.permutation(K + 1) for _ in range(m)]).T
    return levels[K], np.where(affected, levels[:K], levels[K]), affected


@pytest.mark.parametrize("seed", range(3))
def test_ilift_bl_identifies_exactly_the_affected_variables(seed):
    mu0, mu, affected = separated(seed)
    policy, beta, seen = naive.UpUCBiLiftbl(3, mu0, 2.0, 5.0), 5.0, set()

    def watch(t):
        assert good_event(policy, mu, beta)
        for a in range(3) if t >= 3 else []:
            if len(naive.payoffs(policy.rounds, a)) >= policy.n_id:
                assert policy.identified(a) == list(np.flatnonzero(affected[a]))
                seen.add(a)

    play(policy, noisy(mu, seed, 0.5), 150, watch)
    assert seen


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_ilift_identifies_what_it_needs(seed):
    _, mu, affected = separated(seed)
    policy, beta = naive.UpUCBiLift(3, 6, 2.0, 5.0), 5.0
    star = int(np.argmax(mu.sum(axis=1)))
    assert policy.n_id == 40

    def watch(t):
        assert good_event(policy, mu, beta)

    play(policy, noisy(mu, seed, 0.5), 130, watch)
    assert star in policy.active and policy.sharing
    for i in range(6):
        assert not any(affected[a][i] for a in policy.sharing[i])
    hat = {a: set(policy.identified(a)) for a in policy.active}
    assert len(hat) > 1
    for a in set(hat) - {star}:
        assert hat[a] | hat[star] == set(np.flatnonzero(affected[a] | affected[star]))
