"""RCUCB, UCB and Thompson sampling against their twins; their statistics against the definitions; bad input."""

import math

import numpy as np
import pytest
from censored.runs import best_pair
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betaln
from scipy.stats import beta, chi2, kstest

import banditlab as bl
from banditlab import censored
from banditlab.censored.policies.kl_rcucb import KLState, upper_bound
from banditlab.censored.policies.pairs import BASE, new_peaks
from banditlab.censored.policies.pairs import best_pair as found
from banditlab.censored.policies.thompson import SHARE, passed_over, threshold
from banditlab.classic.kl_ucb import entropy
from tests.censored.duel import cost_and_penalty, duel, told
from tests.naive import censored as naive

SEEDS = st.integers(0, 2**32 - 1)
LIMITS = [0.2, 0.45, 0.5, 0.9]
PENALTY = censored.promise(LIMITS)
STEP = naive.step_penalty()
PLACES = st.sampled_from([None, 2])
LAMBDA = st.sampled_from([None, 10.0, 30.0])
READINGS = [
    (s, w) for s in ("consistent", "carry_up", "known_only", "oracle") for w in ("printed", "gain_only", "normalised")
]


@pytest.mark.parametrize("survival, width", READINGS)
@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=SEEDS, places=PLACES, lambda_max=LAMBDA)
def test_rcucb_plays_as_its_twin(survival, width, seed, places, lambda_max):
    policy = censored.rcucb(3, LIMITS, PENALTY, 0.7, lambda_max, survival=survival, width=width)
    twin = naive.RCUCB(3, LIMITS, naive.synthetic_cost, STEP, 0.7, survival, width, lambda_max)
    world = told(3, LIMITS, 120, seed, places)._replace(reveals=survival == "oracle")
    _, actions = duel(policy, twin, world, 120)
    assert actions[:3] == [(0, 3), (1, 3), (2, 3)]


@pytest.mark.parametrize("c", [0.0, 0.3])  # of more most indices are 1 up to rounding in the first rounds
@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_kl_rcucb_plays_as_its_twin(c, seed):
    policy = censored.kl_rcucb(3, LIMITS, PENALTY, c)
    duel(policy, naive.KLRCUCB(3, LIMITS, naive.synthetic_cost, STEP, c), told(3, LIMITS, 120, seed), 120)


def test_kl_indices_are_what_is_played_by():
    policy, world, rng = censored.kl_rcucb(2, LIMITS, PENALTY), told(2, LIMITS, 60, 4), np.random.default_rng(0)
    state, played = policy.init(rng), world.reset(rng)
    assert np.isnan(policy.indices(state, 0)).all()
    for t in range(60):
        action = policy.select(state, t, rng)
        if t >= 2:
            estimate, radius, index = policy.indices(state, t)
            assert index.argmax() == action.arm * 4 + action.limit and (radius >= 0).all() and (index <= 1).all()
        state = policy.update(state, action, world.step(played, action, t, rng), t, rng)


def test_a_gain_exceeds_its_index_as_rarely_as_the_divergence_says(soak):
    """2,000 laws of gains, 10,000 under `make soak`, exact: the sum of n draws on a grid, by convolution.

    Of independent draws, whichever their number n, P(n d(mean of the draws, mean) > budget, from below) <= e^-budget.
    """
    rng, tightest = np.random.default_rng(0), 0.0
    for _ in range(10_000 if soak else 2000):
        n, atoms, penalty = int(rng.integers(1, 40)), int(rng.integers(2, 7)), np.array([rng.uniform(0, 20)])
        law = rng.dirichlet(np.full(atoms, rng.choice([0.2, 1.0])))
        gains, chances = np.linspace(-penalty[0], 1, atoms), np.ones(1)
        for _ in range(n):
            chances = np.convolve(chances, law)
        means = np.linspace(0, 1, len(chances))
        state = KLState(np.full((1, len(means)), float(n)), None, means[None], np.array([[*map(entropy, means)]]), None)
        budget = rng.uniform(0.1, 6)
        bound = [upper_bound(state, np.repeat(penalty, len(means)), 0, j, budget) for j in range(len(means))]
        wrong = chances[np.array(bound) < law @ gains - 1e-9].sum()
        assert wrong <= math.exp(-budget) * (1 + 1e-9)
        tightest = max(tightest, wrong * math.exp(budget))
    assert tightest > 0.5  # it is not far from what happens


def test_an_unlucky_start_is_made_good():
    """The better arm is censored in its first two rounds: the first term alone gives it up, the divergence does not."""
    outcomes = np.tile([[[0.9, 0.1]], [[0.5, 0.1]]], (1, 20_000, 1))
    outcomes[0, :2, 1] = 1.0
    world = told(2, [0.9], 1, 0)._replace(outcomes=outcomes)
    lost = {}
    for policy in (censored.kl_rcucb(2, [0.9], [9.0]), censored.rcucb(2, [0.9], [9.0], width="gain_only")):
        _, actions = duel(policy, None, world, 20_000)
        lost[type(policy).__name__] = sum(arm == 1 for arm, _ in actions)
    assert lost["KLRCUCB"] < 5000 and lost["RCUCB"] > 19_000


def test_the_oracle_needs_what_only_it_gets():
    """Where consumption is revealed only its reading plays, and it plays nowhere else; the world is the same."""
    world = censored.indep(3, LIMITS)
    shown, oracle = censored.revealed(world), censored.rcucb(3, LIMITS, PENALTY, survival="oracle")
    for environment, policy in ((world, oracle), (shown, oracle._replace(survival=0))):
        with pytest.raises(ValueError, match="plays on actions .*consumption revealed|offers .*consumption revealed"):
            bl.simulate(environment, policy, 10)
    with pytest.raises(TypeError, match="environment=Told: must be a problem on a grid"):
        censored.revealed(told(2, LIMITS, 5, 0))
    played, (rng, other) = world.reset(None), (np.random.default_rng(1) for _ in range(2))
    for t in range(50):
        seen = shown.step(played, censored.Pair(1, t % 4), t, rng)
        plain = world.step(played, censored.Pair(1, t % 4), t, other)
        assert (seen.consumption > LIMITS[t % 4]) == seen.censored == plain.censored
        assert plain == (plain._replace(consumption=0.0) if plain.censored else seen)


def test_indices_are_what_is_played_by():
    """Estimate, radius and their sum, pair by pair; the largest is played."""
    policy, world, rng = censored.rcucb(2, LIMITS, PENALTY, 0.3), told(2, LIMITS, 60, 4), np.random.default_rng(0)
    state, played = policy.init(rng), world.reset(rng)
    assert np.isnan(policy.indices(state, 0)).all()
    for t in range(60):
        action = policy.select(state, t, rng)
        if t >= 2:
            estimate, radius, index = policy.indices(state, t)
            assert index.argmax() == action.arm * 4 + action.limit and (estimate + radius == index).all()
            root = np.sqrt(0.6 * math.log(t + 1) / state.rounds) + PENALTY * np.sqrt(
                0.6 * math.log(t + 1) / state.pulls[:, None]
            )
            assert radius == pytest.approx(root.ravel(), rel=1e-12)
        state = policy.update(state, action, world.step(played, action, t, rng), t, rng)


@pytest.mark.parametrize("width", ["gain_only", "printed"])
@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_rcucb_breaks_ties_as_its_twin(width, seed):
    """Consumptions of one digit, so that limits between two of them tie; the draws are those of the twin."""
    policy = censored.rcucb(3, [0.2, 0.45, 0.5, 0.86, 0.9], np.zeros(5), 0.2, width=width, ties="random")
    rng = np.random.default_rng(seed)
    twin = naive.RCUCB(3, policy.limits.tolist(), naive.synthetic_cost, lambda x: 0.0, 0.2, width=width, rng=rng)
    _, actions = duel(policy, twin, told(3, policy.limits, 120, seed, 1), 120, seed)
    assert {(0, 3), (0, 4)} & set(actions[3:])
    lowest = duel(policy._replace(ties=0), None, told(3, policy.limits, 120, seed, 1), 120, seed)[1]
    assert lowest != actions


@settings(max_examples=10, deadline=None, derandomize=True)
@given(seed=SEEDS, lambda_max=LAMBDA)
def test_ucb_plays_as_its_twin(seed, lambda_max):
    """Without ties, which the twin breaks by rounding of its own: it rescales the mean, not every gain."""
    policy = censored.ucb(3, LIMITS, PENALTY, 1.5, lambda_max)
    twin = naive.UCB(3, LIMITS, naive.synthetic_cost, STEP, 1.5, lambda_max)
    _, actions = duel(policy, twin, told(3, LIMITS, 200, seed), 200)
    assert actions[:12] == [(i, j) for i in range(3) for j in range(4)]


@pytest.mark.parametrize("lambda_max", [None, 10.0])
def test_ucb_of_rcucbs_width_has_its_first_term(lambda_max):
    """On the scale of the gains the radius is sqrt(2 alpha log t / T)."""
    policy, top = censored.ucb(2, LIMITS, PENALTY, 0.7, lambda_max, "rcucb"), lambda_max or PENALTY[-1]
    for t, T in ((10, 3), (5000, 77)):
        radius = math.sqrt(policy.alpha * math.log(t) / (2 * T))
        assert (1 + top) * radius == pytest.approx(math.sqrt(2 * 0.7 * math.log(t) / T), rel=1e-14)
    twin = naive.UCB(2, LIMITS, naive.synthetic_cost, STEP, policy.alpha, lambda_max)
    _, actions = duel(policy, twin, told(2, LIMITS, 200, 3), 200)
    assert len(set(actions[8:])) > 2


@pytest.mark.parametrize("mode", ["per_tau", "played_outcome", "naive"])
@settings(max_examples=6, deadline=None, derandomize=True)
@given(seed=SEEDS, lambda_max=LAMBDA)
def test_thompson_learns_as_its_twin(mode, seed, lambda_max):
    """After every round the same posteriors, whatever is played: the trials are drawn from the same stream."""
    policy, world = censored.thompson(3, LIMITS, PENALTY, mode, lambda_max), told(3, LIMITS, 150, seed)
    coins, rng = np.random.default_rng(seed), np.random.default_rng(seed + 1)
    twin = naive.ThompsonSampling(3, LIMITS, naive.synthetic_cost, STEP, np.random.default_rng(seed), mode, lambda_max)
    state, played = policy.init(rng), world.reset(rng)
    for t in range(150):
        action = policy.select(state, t, rng)
        assert t >= 12 or tuple(action) == twin.select()
        seen = world.step(played, action, t, rng)
        state = policy.update(state, action, seen, t, coins)
        hidden = math.nan, math.nan, True
        twin.update(tuple(action), hidden if seen.censored else (seen.reward, seen.consumption, False))
        for pair in twin.pairs:
            assert (state.successes[pair], state.failures[pair]) == twin.posterior(pair)
    assert state.log_beta == pytest.approx(betaln(state.successes, state.failures), abs=1e-10)


def posterior(policy, counts, last):
    """A state of Thompson sampling with these parameters of the Beta laws."""
    a, b = np.array(counts, float)
    return policy.init(None)._replace(successes=a, failures=b, log_beta=betaln(a, b), last=np.array(last))


POSTERIORS = {
    "fresh": ([[1, 1, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 1]]),
    "few": ([[3, 1, 2], [5, 2, 1]], [[1, 2, 2], [3, 1, 4]]),
    "some": ([[40, 55, 30], [62, 50, 20]], [[20, 25, 30], [30, 22, 1]]),
    "many": ([[4000, 5100, 30], [6200, 50, 900]], [[2000, 2550, 10], [3100, 22, 460]]),
    "edge": ([[1, 900, 1], [800, 1, 950]], [[1, 1, 30], [1, 900, 1]]),
}


@pytest.mark.parametrize("last", [(0, 0), (1, 2)])
@pytest.mark.parametrize("name", POSTERIORS)
def test_thompson_chooses_with_the_law_of_full_draws(name, last):
    """20,000 choices against 20,000 with all draws: two-sample chi-square below its 99.99 % quantile."""
    policy = censored.thompson(2, [0.3, 0.5, 0.9], [0.03, 0.05, 9.0])
    state, rng, runs = posterior(policy, POSTERIORS[name], last), np.random.default_rng(5), 20_000
    pairs = [policy.select(state, 6, rng) for _ in range(runs)]
    ours = np.bincount([pair.arm * 3 + pair.limit for pair in pairs], minlength=6)
    draws = rng.beta(state.successes.ravel(), state.failures.ravel(), (runs, 6))
    theirs = np.bincount(draws.argmax(axis=1), minlength=6)
    known = ours + theirs > 0
    statistic = ((ours - theirs) ** 2 / (ours + theirs).clip(1)).sum()
    assert known.sum() > 1 and statistic < chi2.ppf(0.9999, known.sum() - 1)


@pytest.mark.parametrize("spread", [3, 60])
def test_thompson_passes_over_quiet_pairs_with_the_law_of_full_draws(spread):
    """64 pairs, most of them quiet: by pair and over all as above, 15,000 choices each."""
    rng, policy = np.random.default_rng(2), censored.thompson(8, 8, np.linspace(0.1, 0.8, 8))
    counts = np.array([rng.integers(400, 400 + spread, (8, 8)), rng.integers(200, 200 + spread, (8, 8))])
    state, runs = posterior(policy, counts, (3, 4)), 15_000
    pairs = [policy.select(state, 64, rng) for _ in range(runs)]
    assert 0.5 < (state.quiet < 1).mean() < 1
    ours = np.bincount([pair.arm * 8 + pair.limit for pair in pairs], minlength=64)
    draws = rng.beta(state.successes.ravel(), state.failures.ravel(), (runs, 64))
    theirs = np.bincount(draws.argmax(axis=1), minlength=64)
    known = ours + theirs > 0
    statistic = ((ours - theirs) ** 2 / (ours + theirs).clip(1)).sum()
    assert known.sum() > 10 and statistic < chi2.ppf(0.9999, known.sum() - 1)


@pytest.mark.parametrize("a, b, x", [(1, 1, 0.3), (2, 5, 0.4), (40, 20, 0.75), (900, 2, 0.9985), (3, 1, 0.9)])
def test_what_lies_beyond_a_draw_has_its_law(a, b, x):
    """Of 40,000 draws the share beyond x within 5 standard errors, those beyond x uniform in their distribution
    function (Kolmogorov-Smirnov, p > 1e-4)."""
    policy, top, rng = censored.thompson(1, [0.5], [0.1]), threshold(x), np.random.default_rng(1)
    state = posterior(policy, [[[a]], [[b]]], (0, 0))
    drawn = np.array([policy.draw(state, 0, 0, top, 1.0, rng) for _ in range(40_000)])
    share, over = beta.sf(x, a, b), drawn[drawn > x]
    assert abs(len(over) / 40_000 - share) < 5 * math.sqrt(share * (1 - share) / 40_000)
    assert kstest(1 - beta.sf(over, a, b) / share, "uniform").pvalue > 1e-4
    assert (state.quiet[0, 0] == x) == (share < SHARE / 2)


def test_coins_that_do_not_fall_are_counted():
    """Of 50,000 numbers of coins the share of each k up to 5 within 5 standard errors of q (1 - q)^k."""
    rng, draws = np.random.default_rng(4), 50_000
    counts = np.bincount([passed_over(rng) for _ in range(draws)])
    for k in range(6):
        share = SHARE * (1 - SHARE) ** k
        assert abs(counts[k] / draws - share) < 5 * math.sqrt(share / draws)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(SEEDS, st.integers(1, 6), st.integers(1, 4), st.sampled_from([0, 2, 9]))
def test_no_best_pair_is_passed_over(seed, arms, limits, places):
    """The first of the largest indices is found, also among ties and infinite radii, and after a narrower width."""
    rng, peaks, shape = np.random.default_rng(seed), new_peaks(arms), (arms, limits)
    estimate, root = rng.random(shape).round(places), np.full(shape, np.inf)
    for t in range(60):
        width = 1 + math.log(1 + t) if t < 50 else 1.0
        indices = estimate + width * root
        pair = found(estimate, root, peaks, width)
        assert pair == np.unravel_index(indices.argmax(), shape)
        estimate[pair] = rng.random(limits)[pair.limit].round(places)
        root[pair] = np.round(0.3 * rng.random() + 0.2, places)
        peaks[pair.arm, BASE] = np.inf


@pytest.mark.parametrize("world", [censored.poscorr(4, 6), censored.indep(4, [0.5, 0.9])], ids=["poscorr", "indep"])
def test_policies_play_as_their_twins_on_the_papers_problems(world):
    cost, penalty = cost_and_penalty(world)
    args = len(world.gaps), world.limits, world.penalty
    twin = naive.RCUCB(args[0], world.limits.tolist(), cost, penalty, width="gain_only")
    _, actions = duel(censored.rcucb(*args, width="gain_only"), twin, world, 250)
    assert len(set(actions)) > 5, "a trace without switches would prove little"
    duel(censored.ucb(*args), naive.UCB(args[0], world.limits.tolist(), cost, penalty), world, 250)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3)), min_size=1, max_size=40), SEEDS)
def test_incremental_statistics_are_the_definitions(history, seed):
    """Equations 8 and 9 and the identities of the counts, on histories that no policy would choose; to 1e-12."""
    policy, world, rng = censored.rcucb(2, LIMITS, PENALTY), told(2, LIMITS, 60, seed, 2), np.random.default_rng(0)
    seen, state, played = naive.Statistics(naive.synthetic_cost), policy.init(rng), world.reset(rng)
    for t, pair in enumerate([(0, 3), (1, 3), *history]):
        outcome = world.step(played, censored.Pair(*pair), t, rng)
        state = policy.update(state, censored.Pair(*pair), outcome, t, rng)
        told_ = (math.nan, math.nan, True) if outcome.censored else (outcome.reward, outcome.consumption, False)
        seen.rounds.append((pair[0], LIMITS[pair[1]], told_))
    for i in range(2):
        for j, limit in enumerate(LIMITS):
            expected = [seen.N(i, limit), seen.G(i, limit), seen.K(i, limit)]
            assert [state.rounds[i, j], state.gains[i, j], state.exceeded[i, j]] == pytest.approx(expected, abs=1e-12)
        counts = [*state.rounds[i], 0.0]
        assert (np.diff(counts) <= 0).all() and counts[0] == state.pulls[i]
        assert (-np.diff(counts)).tolist() == [seen.pulls(i, limit) for limit in LIMITS]
    assert state.pulls.sum() == 2 + len(history)


def test_without_costs_and_censoring_rcucb_is_ucb1():
    """Remark 1: one limit that is never exceeded; the index is mean + sqrt(2 alpha log t / N)."""
    rng = np.random.default_rng(3)
    outcomes = np.stack([rng.random((3, 300)) * [[1.0], [0.8], [0.5]], np.zeros((3, 300))], axis=-1)
    worlds = [told(3, [1.0], 1, 0)._replace(outcomes=outcomes) for _ in range(2)]
    played = [world.reset(rng) for world in worlds]
    policy, plain = censored.rcucb(3, [1.0], [0.0]), bl.classic.ucb1(3, 2.0)
    state, other, arms = policy.init(rng), plain.init(rng), []
    for t in range(300):
        action, arm = policy.select(state, t, rng), plain.select(other, t, rng)
        assert action == (arm, 0), f"round {t + 1}"
        state = policy.update(state, action, worlds[0].step(played[0], action, t, rng), t, rng)
        other = plain.update(other, arm, worlds[1].step(played[1], action, t, rng).reward, t, rng)
        arms.append(arm)
    assert len(set(arms[50:])) == 3


def test_regret_never_decreases_and_counts_add_up():
    world = censored.indep(3, 5)
    policies = {"RCUCB": censored.rcucb(3, 5, world.penalty), "UCB": censored.ucb(3, 5, world.penalty)}
    result = bl.simulate(world, policies, 500, runs=3, checkpoints=500)
    assert (np.diff(result.regret, axis=-1) >= 0).all()
    counts = result.diagnostics["pulls"].reshape(-1, 3, 5)
    assert (counts.sum(axis=(1, 2)) == 500).all()
    assert np.allclose(counts[:, :, -1].sum(axis=1) / 500, result.final["largest limit"], rtol=1e-12)
    assert np.allclose(counts[:, *best_pair(world)] / 500, result.final["optimal"], rtol=1e-12)
    assert np.allclose((counts * world.gaps).sum(axis=(1, 2)), result.final["regret"], rtol=1e-12)  # decomposition


def test_rcucb_learns_where_ucb_does_not_yet():
    """Mean over 10 runs, 10,000 rounds, width gain_only: below half of UCB's regret (measured: below a sixth)."""
    world = censored.indep()
    args = 10, world.limits, world.penalty
    policies = {"RCUCB": censored.rcucb(*args, width="gain_only"), "UCB": censored.ucb(*args)}
    regret = bl.simulate(world, policies, 10_000, runs=10, checkpoints=10).regret[:, :, -1].mean(axis=1)
    assert 0 < regret[0] < 0.5 * regret[1]


MAKERS = [censored.rcucb, censored.ucb, censored.thompson]


RECORDING = censored.Table(np.full((2, 4), 0.5), np.array([[1.0, 2.0, 3.0, 4.0]] * 2))
FOREIGN = [  # the environment, and limits that are as many as its own
    (censored.indep(4, 4), LIMITS),
    (censored.poscorr(4, censored.literal_grid(10)), 10),
    (censored.low_censoring(4), 10),
    (censored.recorded(RECORDING), 10),
    (censored.indep(4, [0.2, 0.45, 0.5, 0.9000001]), LIMITS),
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("world, limits", FOREIGN, ids=["indep", "literal", "low", "recorded", "near"])
def test_a_policy_of_other_limits_is_refused(make, world, limits):
    with pytest.raises(ValueError, match=r"plays on actions \(4, \(0\.[12], .*offers \(4, \("):
        bl.simulate(world, make(4, limits, world.penalty), 10)


@pytest.mark.parametrize("make", MAKERS)
def test_a_policy_of_another_number_of_limits_is_refused(make):
    with pytest.raises(ValueError, match=r"\(3, \(0.2, 0.45, 0.5, 0.9\)\), but the environment offers \(3, \(0.1, 0.9"):
        bl.simulate(censored.indep(3, 2), make(3, LIMITS, PENALTY), 10)
    assert make(2, 0.1 * np.arange(1, 4), [0, 1, 2]).actions() == make(2, [0.1, 0.2, 0.3], [0, 1, 2]).actions()


@pytest.mark.parametrize("make", MAKERS)
def test_a_consumption_beyond_all_limits_counts_as_exceeding_them(make):
    """An environment of one's own may say so; nothing is written beyond the arrays."""
    policy, rng = make(1, LIMITS, PENALTY), np.random.default_rng(0)
    action, seen = censored.Pair(0, 3), censored.Observation(1.0, 7.0, 0.7, False)
    state = policy.update(policy.init(rng), action, seen, 0, rng)
    if make is censored.rcucb:
        assert state.exceeded[0].tolist() == [1.0] * 4 and not state.gains.any()
