"""The lower bounds that are ours: every step of the proofs on thousands of random instances, and what attains them."""

import itertools
import math

import numpy as np
import pytest
from factored import ftrack_law, minimax, studies
from scipy.special import ndtr

from banditlab.engine.simulate import simulate
from banditlab.factored import bounds
from banditlab.factored.environments import rademacher
from banditlab.factored.policies import ucb1


def drawn(n, seed=0):
    """Random numbers of options, noise, and a horizon."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        sizes = rng.integers(2, 40, rng.integers(1, 30)).tolist()
        yield sizes, math.exp(rng.uniform(-3, 1.5)), int(10 ** rng.uniform(0, 7))


def test_joint_loss_is_at_least_its_share_of_the_sum():
    """Proof of Theorem 3.1, step one: 1 - prod(1 - x e) >= phi sum x e, least where all err; 5,000 instances."""
    rng = np.random.default_rng(1)
    for _ in range(5000):
        gaps = rng.uniform(0, 1, rng.integers(1, 12)) ** rng.integers(1, 4)
        wrong = rng.random(len(gaps)) < rng.uniform(0, 1)
        share = (1 - np.prod(1 - gaps)) / gaps.sum()
        assert 1 - np.prod(1 - gaps * wrong) >= share * (gaps * wrong).sum() - 1e-12


def test_posterior_errs_alike_whatever_is_played():
    """Step two, two options: after t pulls of any kind the likelier is wrong with chance Phi(-gap sqrt(t) / 2 sigma).

    20,000 runs of players that repeat, alternate, or follow what they saw; 4 standard errors.
    """
    rng, runs, t, gap, sigma = np.random.default_rng(2), 20_000, 25, 0.3, 0.8
    expected = ndtr(-gap * math.sqrt(t) / (2 * sigma))
    for player in ("repeats", "alternates", "follows", "flees"):
        good, score, last = rng.integers(0, 2, runs), np.zeros(runs), np.zeros(runs, int)
        for step in range(t):
            likelier = (score < 0).astype(int)  # option 0 where the score is positive
            option = {"repeats": last, "alternates": np.full(runs, step % 2), "follows": likelier,
                      "flees": 1 - likelier}[player]  # fmt: skip
            x = 1 - gap * (option != good) + sigma * rng.standard_normal(runs)
            score += np.where(option == 0, 1, -1) * (x - 1 + gap / 2)
        wrong = ((score < 0) != good).mean()
        assert abs(wrong - expected) < 4 * math.sqrt(expected * (1 - expected) / runs), player


def exact_sum(gap, d, sigma, horizon):
    """The Bayes regret round by round."""
    t = np.arange(horizon)
    return (-np.expm1(d * np.log1p(-gap * ndtr(-gap * np.sqrt(t) / (2 * sigma))))).sum()


@pytest.mark.parametrize("d, sigma, horizon", [(1, 0.5, 1000), (3, 0.2, 5000), (10, 1.0, 400), (30, 0.5, 10_000)])
def test_two_options_give_the_exact_bayes_regret(d, sigma, horizon):
    """The integral is below the sum by less than 1; the best gap of a fine grid gains next to nothing."""
    gaps = np.geomspace(1e-3, 1, 400)
    best = max(exact_sum(gap, d, sigma, horizon) for gap in gaps)
    found = minimax.minimax_lower([2] * d, sigma, horizon)
    assert best - 1 <= found <= best + 1e-9


def test_the_bayes_policy_attains_the_line():
    """Play the likelier option of every component: 2,000 runs, 4 standard errors."""
    rng, runs, d, sigma, horizon, gap = np.random.default_rng(3), 2000, 4, 0.5, 600, 0.06
    score, lost = np.zeros((runs, d)), np.zeros(runs)  # signed so that the good option is the positive one
    for _ in range(horizon):
        lost += 1 - (1 - gap) ** (score + 1e-9 * rng.standard_normal((runs, d)) < 0).sum(axis=1)
        score += gap / 2 + sigma * rng.standard_normal((runs, d))
    assert abs(lost.mean() - exact_sum(gap, d, sigma, horizon)) < 4 * lost.std() / math.sqrt(runs)


def test_distance_that_separates_the_uniform_instances():
    """Step three: E_j N <= E_0 N + T gap / (2 sigma) sqrt(E_0 N), the total variation by Pinsker's inequality.

    Of a learner that commits: every option m times, then the best mean. Exact by integration over 40,000 draws.
    """
    rng = np.random.default_rng(4)
    for _ in range(20):
        k, m, sigma, gap = rng.integers(3, 8), rng.integers(1, 20), rng.uniform(0.2, 2), rng.uniform(0, 1)
        horizon = int(k * m * rng.uniform(2, 20))
        noise = rng.standard_normal((40_000, k)) * sigma / math.sqrt(m)
        rest = horizon - k * m
        plain, told = (
            m + rest * ((noise + shift).argmax(axis=1) == 0).mean() for shift in (0, gap * (np.arange(k) == 0))
        )
        assert told <= plain + horizon * gap / (2 * sigma) * math.sqrt(plain) + 4 * rest / 200


def test_one_gap_for_all_proves_theorem_31():
    """Gaps of 0.62 sigma sqrt(k_i / T): 0.19 sigma sum sqrt(k_i T) at its least horizon; 4,000 with unequal sizes."""
    rng, found = np.random.default_rng(7), []
    share = ndtr(-0.62 / math.sqrt(2) * np.sqrt(np.arange(1, 10_001) / 10_000)).mean()  # (c), of the horizon
    for _ in range(4000):
        k = rng.integers(2, rng.choice([3, 5, 1000]), int(np.exp(rng.uniform(0, np.log(2000))))).astype(float)
        room = 1 - 2 ** (-1 / (len(k) - 1)) if len(k) > 1 else 1.0
        horizon = 2 * k.max() / room**2 * 1000 ** rng.uniform(0, 1)  # sigma is 1
        gaps = 0.62 * np.sqrt(k / horizon)
        wrong = np.where(k == 2, share, 1 - 1 / k - 0.31)
        both = -np.expm1(np.log1p(-gaps).sum()) / gaps.sum() * (gaps * wrong).sum() * horizon
        found.append(both / np.sqrt(k * horizon).sum())
    assert 0.19 <= min(found) < 0.21


def test_theorem_31_holds_with_its_constant():
    """Thousands of instances at and above its least horizon, with unequal sizes."""
    found = []
    for sizes, sigma, horizon in drawn(4000):
        theirs = bounds.worst_case_lower(sizes, sigma, horizon)
        if not math.isnan(theirs):
            found.append(minimax.minimax_lower(sizes, sigma, horizon) / theirs)
    assert len(found) > 1500 and min(found) > 1.3


def test_minimax_values():
    """Of d = 1, 3, 10, 30 at sigma = 0.5, T = 10,000; sizes of 1 are left out; never more than T or Theorem 4.1."""
    assert [round(minimax.minimax_lower([2] * d, 0.5, 10_000), 1) for d in (1, 3, 10, 30)] == [26.5, 79.2, 261.2, 760.2]
    n = studies.STRESS.numbers("paper")  # what the notes of A15 and B7 say
    unit = n.sigma * math.sqrt(2 * n.horizon)
    parts = [minimax.minimax_lower([2] * d, n.sigma, n.horizon) / (d * unit) for d in studies.STRESS.grid["d"]]
    assert {round(part, 2) for part in parts} == {0.37}
    assert minimax.minimax_lower([1, 1], 1.0, 10) == 0.0
    assert minimax.minimax_lower([5, 1], 1.0, 10) == minimax.minimax_lower([5], 1.0, 10)
    assert minimax.minimax_lower([2, 3], [0.5, 0.5], [10, 100])[1] == minimax.minimax_lower([2, 3], 0.5, 100)
    for sizes, sigma, horizon in drawn(1000, 5):
        assert (
            0
            < minimax.minimax_lower(sizes, sigma, horizon)
            <= min(horizon, bounds.worst_case_upper(sizes, sigma, horizon))
        )


@pytest.mark.parametrize("sizes, sigma", [([2, 2], 1.5), ([3, 2, 2], 0.8), ([2, 3], 1.0)])
def test_all_but_the_hidden_vector_pay_a_fair_sign(sizes, sigma):
    """By enumeration of all signs: the reward is +-sigma^d, fair for every vector but the hidden one."""
    means = minimax.hidden_vector(sizes, sigma, 5000)
    for vector in itertools.product(*map(range, sizes)):
        chances = [0.5 + means[i][j] / (2 * sigma) for i, j in enumerate(vector)]
        plus = sum(
            math.prod(p if s > 0 else 1 - p for p, s in zip(chances, signs, strict=True))
            for signs in itertools.product((-1, 1), repeat=len(sizes))
            if math.prod(signs) > 0
        )
        gap = math.prod(row[j] for row, j in zip(means, vector, strict=True))
        assert plus == pytest.approx(0.5 + gap / (2 * sigma ** len(sizes)), abs=1e-12)
        assert bool(gap > 0) is (not any(vector))


def test_reward_only_line_is_its_formula_and_implies_theorem_32():
    """4,000 random instances: the best of a fine grid of gaps gains less than 1 %; at least 7 times Theorem 3.2."""
    rng, ratios = np.random.default_rng(6), []
    for _ in range(4000):
        sizes, sigma = rng.integers(2, 20, rng.integers(1, 10)).tolist(), rng.uniform(0.3, 4)
        arms, noise = math.prod(sizes), sigma ** len(sizes)
        horizon = math.ceil(max(1, noise**2 * arms) * 10 ** rng.uniform(-1, 3))
        if horizon > 1e15:
            continue
        top = min(1.0, sigma) ** len(sizes)
        gaps = top * np.append(np.geomspace(1e-6, 0.999, 600), 1.0)
        with np.errstate(divide="ignore"):
            told = np.sqrt(-np.log1p(-((gaps / noise) ** 2)) * horizon / arms) / 2
        best = max(0.0, (horizon * gaps * (1 - 1 / arms - told)).max())
        found = minimax.minimax_lower_reward_only(sizes, sigma, horizon)
        assert best * 0.99 - 1e-9 <= found <= best * 1.01 + 1e-9
        if sigma > 1 and (theirs := bounds.reward_only_lower(sizes, sigma, horizon)) > 0:
            ratios.append(found / theirs)
    assert len(ratios) > 500 and min(ratios) > 7


def test_price_of_the_reward_only_is_half_the_root():
    """sigma^d sqrt(k^d T) / 2 once T is large: to 1 % at K = 3^8."""
    sizes, sigma, horizon = [3] * 8, 1.3, 10**9
    expected = sigma**8 * math.sqrt(3**8 * horizon) / 2
    assert minimax.minimax_lower_reward_only(sizes, sigma, horizon) == pytest.approx(expected, rel=0.01)
    assert minimax.minimax_lower_reward_only([1, 1], 2.0, 100) == 0.0


def test_reward_only_learner_loses_as_much_on_average_over_hidden_vectors():
    """UCB1 told the proxy, on each of the four hidden vectors, 100 runs: 4 standard errors."""
    sigma, horizon, lost = 1.5, 2000, []
    good = minimax.hidden_vector([2, 2], sigma, horizon)
    for flips in itertools.product((1, -1), repeat=2):
        means = [row[::flip] for row, flip in zip(good, flips, strict=True)]
        result = simulate(rademacher(means, sigma), {"UCB1": ucb1([2, 2], sigma**2)}, horizon, 100, 0, 1)
        lost.append(result.final_regret("UCB1"))
    lost = np.mean(lost, axis=0)
    assert lost.mean() > minimax.minimax_lower_reward_only([2, 2], sigma, horizon) - 4 * lost.std() / 10


def test_limit_of_theorem_51():
    """By hand at the border 4 eps = gap; before it wrong plans grow like T, after it none is left."""
    begins = ftrack_law.ftrack_limit_begins(0.9, 0.5)
    eps = math.sqrt(2 * 0.25 * (1 + 1 / begins) * 3.5 * math.log(begins) / math.sqrt(begins))
    assert 4 * eps == pytest.approx(0.9, rel=1e-6) and round(begins) == 173_994
    planned, wrong = ftrack_law.ftrack_limit(0.9, 10, 0.5, [50, 1000, begins, 1.001 * begins, 1e9])
    assert wrong[3] == wrong[4] == -math.inf and round(wrong[1]) == 967 and wrong[2] > 0.95 * begins
    assert (np.diff(planned) < 0).all() and planned[-1] == pytest.approx(1, abs=1e-4)
    chance = ftrack_law.misidentification_probability(0.9, 10, 0.5, 7)  # log T = 49: N0 = 7
    floor = bounds.remark41_lower(0.9, 10, 0.5) * 49
    assert ftrack_law.ftrack_limit(0.9, 10, 0.5, 49)[1] == pytest.approx(49 + math.log(0.9 * chance / floor), abs=0.02)


def test_the_ratio_of_theorem_51_falls_to_its_limit():
    """2,000 random instances: it only falls, wrong plans end for good, and far out it is within what is proved of 1.

    With w the warm-up's loss over C(nu), ratio - 1 is w / sqrt(L) plus a falling rest, (1 + 1/L)(1 + 2.5 log(L) / L)
    - 1, at log T = L. Where L is n times the larger of w^2 and of where wrong plans end, the first is at most
    1 / sqrt(n).
    """
    rng = np.random.default_rng(7)
    for _ in range(2000):
        gap, d, sigma = 10 ** rng.uniform(-2, 0), int(10 ** rng.uniform(0, 2)), 10 ** rng.uniform(-2, 1)
        begins = ftrack_law.ftrack_limit_begins(gap, sigma)
        far, n = ftrack_law.far_horizon(gap, d, sigma), 10 ** rng.uniform(0, 8)
        logs = np.geomspace(begins, 1e4 * far, 50)
        planned, wrong = ftrack_law.ftrack_limit(gap, d, sigma, logs)
        assert (np.diff(planned) <= 1e-12).all() and (planned >= 1 - 1e-12).all()
        assert wrong[0] > -math.inf and (wrong[1:] == -math.inf).all()
        L = ftrack_law.far_horizon(gap, d, sigma, n)
        most = 1 / math.sqrt(n) + (1 + 1 / L) * (1 + 2.5 * math.log(L) / L)
        assert L >= n * begins and ftrack_law.ftrack_limit(gap, d, sigma, L)[0] <= most * (1 + 1e-12)
        assert ftrack_law.ftrack_limit(gap, d, sigma, far)[0] < 1.01  # 1 / sqrt(10^5) and a rest below 0.0001
