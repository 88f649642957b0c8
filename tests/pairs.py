"""Every pair that must run compiled exactly as it runs interpreted; a new algorithm joins by one line."""

import numpy as np

from banditlab import censored, classic, composite, factored, uplifting
from tests import toys

ARMS = classic.bernoulli([0.8, 0.5, 0.5, 0.3])
RAGGED = toys.product([0.9, 0.4], [0.5, 0.7, 0.8, 0.2], [0.6, 0.9, 0.3])
FACTORS = [[0.9, 0.4, 0.7], [0.2, 0.8], [0.6]]
OPTIONS = [3, 2, 1]
NORMAL = factored.gaussian(FACTORS, [0.3, 0.2, 0.5])
COSTS = [[0.3, 0.0, 0.1], [0.0, 0.2], [0.1]]
ONES = [[1.0] * 3, [1.0] * 2, [1.0]]
SHOP = factored.pricing([0.2, 0.9], [0.1, 0.3], [0.8, 0.5, 0.3], [1.0, 1.5, 2.5], 0.1)
POSCORR = censored.poscorr(3, 5)
INDEP = censored.indep(3, 5)
REPLAY = censored.recorded(
    (np.array([[0.7, 0.8, 0.9], [0.6, 0.8, 0.7]]), np.array([[1.0, 2.0, 4.0], [1.5, 1.8, 3.0]])), limits=[0.5, 0.7, 1.0]
)
INTERVAL = censored.indep_interval(3)
SQUARE = censored.poscorr_interval(3, largest=0.9)
AWAY = censored.negcorr_interval(3, censored.knots([0.0, 0.5, 0.51, 1.0], [0.0, 0.05, 5.1, 10.0]))
KNOTTED = censored.indep(3, 5, censored.knots([0.1, 0.5, 0.9], [0.1, 0.2, 4.0]))._replace(
    cost=censored.knots([0.0, 0.4, 1.0], [0.0, 0.1, 0.3])
)
LINE = factored.manufacturing(FACTORS, COSTS, 2.0, 0.2)
TOTALS = [0.8, 0.5, 0.5, 0.3]
LATE = composite.stochastic(TOTALS, composite.random_delay(3, 9))
WANE = composite.stochastic(TOTALS, composite.decreasing(20))
POWER = composite.stochastic(TOTALS, composite.polynomial(2.0))
STREAKS = composite.adversarial([0, 1, 0, 2, 0, 3, 1] * 100, composite.streak_delay(5))
EVEN = composite.stochastic(TOTALS, composite.increasing(20), totals="mean")
TABLE = composite.adversarial(np.random.default_rng(0).random((600, 4)), composite.oblivious_delay(1, 9))
WEEK = composite.adversarial([0, 1, 0, 2, 0, 3, 1] * 100, composite.oblivious_delay(5, 10))
OWN = composite.stochastic(TOTALS, [composite.interval(2, 9), composite.polynomial(2.0), composite.random_delay(0, 5),
                                    composite.discounted(0.8)])  # fmt: skip
VECTORS = composite.adversarial(np.random.default_rng(1).dirichlet(np.ones(6), size=(300, 4))[:, :, :5])
SETS = [[0, 1], [1, 2, 3], [4, 0]]
BASE = [0.3, 0.4, 0.2, 0.5, 0.1, 0.6]
MOVED = [[0.8, 0.2, 0.2, 0.5, 0.1, 0.6], [0.3, 0.9, 0.6, 0.1, 0.1, 0.6], [0.9, 0.4, 0.2, 0.5, 0.8, 0.6]]
LIFT = uplifting.gaussian(MOVED, BASE, SETS, loadings=[[0.5, 0.1]] * 6)
SUMMED = uplifting.summed(LIFT)
OWN_NOISE = uplifting.gaussian(
    MOVED, BASE, SETS, loadings=[[[0.5 * (i in members)] for i in range(6)] for members in SETS],
    idiosyncratic=[1.0] * 6,
)  # fmt: skip
CLUSTERS = uplifting.criteo_clusters(0.01)
PEOPLE = uplifting.criteo_individuals(0.002)
TARGETS = uplifting.linear_campaign([[0.6, 0.2], [0.5, 0.4], [0.6, 0.1]], 8, 3)
TARGET = uplifting.linear_campaign([[0.6, 0.2], [0.5, 0.4]], 8, 3)
FEWER = uplifting.linear_campaign([[0.6, 0.2], [0.5, 0.4]], 8, 3, at_most=True)
SPARSE = uplifting.linear_actions([[0.5, 0.2, 0.1], [0.5, 0.6, 0.1], [0.1, 0.2, 0.4]], 8, active=2, rho=0.5)
VISITORS = uplifting.campaign(uplifting.stand_in(), individuals=10, budget=2)

PAIRS = [  # environment, policy, horizon
    (ARMS, classic.ucb1(4), 600),
    (ARMS, classic.exp3(4, 600), 600),
    (ARMS, classic.uniform(4), 600),
    (ARMS, classic.kl_ucb(4), 600),
    (classic.beta(TOTALS), classic.kl_ucb(4, 3.0), 600),
    (ARMS, classic.moss(4, 600), 600),
    (classic.beta(TOTALS), classic.ucb_v(4), 600),
    (ARMS, classic.thompson_beta(4), 600),
    (ARMS, classic.lucb(4, 0.3), 600),
    (classic.gaussian(TOTALS, 0.3), classic.track_and_stop(4, 0.1, 0.3), 200),
    (classic.bernoulli([0.8, 0.5]), classic.track_and_stop(2, 0.1), 300),
    (ARMS, classic.sequential_halving(4, 300), 400),
    (classic.gaussian(TOTALS, 0.3), classic.thompson_gaussian(4, 0.3), 600),
    (classic.duels([[0.5, 0.7, 0.8], [0.3, 0.5, 0.6], [0.2, 0.4, 0.5]]), classic.rucb(3), 400),
    (classic.fresh_contexts([0.8, -0.4, 0.1], 5, 0.3), classic.lin_ucb(3), 300),
    (classic.fresh_contexts([2.0, -1.0], 4, link="logistic"), classic.lin_ts(2, 0.5), 300),
    (classic.fresh_contexts([2.0, -1.0], 4, link="logistic"), classic.logistic_ts(2), 300),
    (classic.gaussian(TOTALS, 0.3), classic.epsilon_greedy(4), 600),
    (ARMS, classic.epsilon_n_greedy(4, 0.5, 0.5), 600),
    (ARMS, classic.explore_then_commit(4, 20), 600),
    (classic.bernoulli([0.9, 0.5, 0.1]), classic.successive_elimination(3, 0.5, 1.0), 900),
    (ARMS, classic.exp3_ix(4, 600), 600),
    (ARMS, classic.exp3_ix(4), 600),
    (classic.piecewise([[0.9, 0.5], [0.1, 0.5]], [300]), classic.sliding_ucb(2, 50), 600),
    (classic.drifting([0.5, 0.5, 0.5], 0.02), classic.discounted_ucb(3, 0.97), 600),
    (classic.logged([0, 1, 1, 2], [1.0, 0.0, 1.0, 0.5], [0.5, 0.1, 0.4, 1.0]), classic.ucb1(3), 600),
    (toys.censored([0.5, 1.0, 2.0], [0.2, 0.6, 1.0, 3.0]), toys.Pairwise(3, 4), 600),
    (toys.Delayed(np.array([0.7, 0.5, 0.2]), toys.Ring(10, 30)), toys.Rounds(3), 600),
    (toys.Delayed(np.array([0.7, 0.5, 0.2]), toys.Fading(0.9)), toys.Rounds(3), 600),
    (toys.panel(500, 5), toys.Counting(5, 500), 20),
    (toys.Crowd(np.array([0.5, -0.2, 0.1]), 8), toys.Gradient(8, 3, 0.01), 60),
    (toys.Witness(np.array([0.5, 0.2, 0.0]), 300), toys.Listed(3), 300),
    (ARMS, toys.Doubling(4), 300),
    (RAGGED, toys.Ragged(RAGGED.sizes), 300),
    (NORMAL, factored.fucb(OPTIONS, [0.3, 0.2, 0.5]), 400),
    (NORMAL, factored.ucb1(OPTIONS, 0.3), 400),
    (NORMAL, factored.ucb1(OPTIONS, 0.3, scale="reward_std", action_set="first_dk"), 400),
    (NORMAL, factored.rucb_mom(OPTIONS, 0.3, mult=0.05), 400),
    (NORMAL, factored.tea(OPTIONS), 400),
    (NORMAL, factored.tea(OPTIONS, noise_scale=0.05), 400),
    (NORMAL, factored.ftrack(OPTIONS, 0.3, 400), 400),
    (NORMAL, factored.ftrack(OPTIONS, 0.3, 400, truncate=False), 400),
    (NORMAL, factored.ftrack(OPTIONS, 0.3, 400, eps_div=1e6), 400),
    (factored.bernoulli([[0.5, 0.5, 0.5], [0.5, 0.4]]), factored.ftrack([3, 2], 0.5, 200), 200),
    (factored.rademacher(FACTORS, 1.5), factored.ucb1(OPTIONS, 1.5, scale="reward_std"), 400),
    (factored.correlated(FACTORS, COSTS, 0.6), factored.fucb(OPTIONS, 0.3), 400),
    (SHOP, factored.priced_fucb([2, 3], 0.1, [[1, 1], [1.0, 1.5, 2.5]], [[0.1, 0.3], [0, 0, 0]], 1.0), 300),
    (LINE, factored.priced_fucb(OPTIONS, 0.2, ONES, COSTS, 2.0, cap=True), 300),
    (NORMAL, factored.together_fucb(OPTIONS, [0.3, 0.2, 0.5]), 400),
    (NORMAL, factored.rucb_mom(OPTIONS, 0.3, mult=0.05, action_set="first_dk"), 400),
    (NORMAL, factored.tea(OPTIONS, noise_scale=0.001, delta="outside"), 400),
    (NORMAL, factored.ftrack(OPTIONS, 0.3, 400, n0_mult=3, eps_div=6, rows="best"), 400),
    (NORMAL, factored.ftrack(OPTIONS, 0.3, 400, eps_div=1e6, recovery="keep"), 400),
    (LATE, composite.ars_ucb(4), 600),
    (POWER, composite.ars_ucb(4, 2.0, "2k"), 600),
    (composite.stochastic(TOTALS, composite.shape([0.1, 0.5])), composite.ucb1(4), 300),
    (WANE, composite.odaaf(4, 600, 2.0, bound=5.0, variant="bound"), 600),
    (WANE, composite.generalised_odaaf(4, 600, 1.0, bridge="d"), 600),
    (LATE, composite.doubling(lambda horizon: composite.ars_exp3(4, horizon), 100), 600),
    (LATE, composite.doubling(lambda horizon: composite.odaaf(4, horizon, 1.0), 100), 600),
    (LATE, composite.ars_ucb(4, 1.0, ("2k", 1)), 600),
    (EVEN, composite.ars_exp3(4, 600, 0.3, rounding="nearest"), 600),
    (TABLE, composite.clw(4, 600, 9), 600),
    (STREAKS, composite.ars_exp3(4, 600), 600),
    (STREAKS, composite.clw(4, 600, 5), 600),
    (WEEK, composite.ars_clw(4, first=100), 600),
    (WEEK, composite.exp3(4, 600), 600),
    (WEEK, composite.ars_clw(4, lambda T: T.bit_length(), 100, 600), 600),
    (OWN, composite.ars_ucb(4), 600),
    (VECTORS, composite.clw(4, 300, 5), 300),
    (LIFT, uplifting.ucb(3, 6, 0.5), 300),
    (LIFT, uplifting.thompson(LIFT.rewards, 6, 0.05), 300),
    (LIFT, uplifting.upucb_bl(SETS, BASE, 1.0), 300),
    (LIFT, uplifting.upucb(SETS, 6, 1.0), 300),
    (LIFT, uplifting.upucb_lcb(SETS, 6, 1.0), 300),
    (LIFT, uplifting.upucb_naff_bl(3, BASE, [2, 3, 2], 0.5), 300),
    (LIFT, uplifting.upucb_naff(3, 6, 3, 0.5), 300),
    (LIFT, uplifting.upucb_ilift_bl(3, BASE, 0.2, 0.2), 400),
    (LIFT, uplifting.upucb_ilift(3, 6, 0.2, 0.05), 400),
    (LIFT, uplifting.upucb_ilift_naive(3, BASE, 0.4, 0.05), 300),
    (LIFT, uplifting.upucb_offline(SETS, BASE, 50, 1.0), 300),
    (CLUSTERS, uplifting.upucb(CLUSTERS.affected, 20, 1e-3, CLUSTERS.sizes), 200),
    (PEOPLE, uplifting.upucb_naff(20, len(PEOPLE.mu0), 25, 1e-3), 100),
    (TARGETS, uplifting.c2upucb_m(8, 2, 2, 3, penalty=3.0, norm=1.0), 40),
    (TARGET, uplifting.c2upucb_bl(8, 2, 3, [0.6, 0.2]), 40),
    (TARGET, uplifting.c2ucb(8, 2, 3), 40),
    (TARGET, uplifting.greedy_bl(8, 2, 3, [0.6, 0.2]), 40),
    (TARGET, uplifting.epsilon_greedy(8, 2, 3, 0.3), 40),
    (SPARSE, uplifting.upucb_bl_linear([0.5, 0.2, 0.1], 2, 8, 2.0), 100),
    (FEWER, uplifting.c2upucb(8, 2, 3, 0.2, at_most=True), 40),
    (VISITORS, uplifting.epsilon_greedy(10, 13, 2, 0.3, form="logistic"), 15),
    (VISITORS, uplifting.epsilon_greedy_bl(10, 13, 2, VISITORS.weights[0], 0.3, form="logistic"), 15),
    (VISITORS, uplifting.c2upucb(10, 13, 2, 2.0, form="logistic"), 15),
    (LIFT, uplifting.upucb_bl_adjusted(SETS, BASE, LIFT.covariance, 1.0), 300),
    (OWN_NOISE, uplifting.upucb_bl_adjusted(SETS, BASE, OWN_NOISE.covariance, 1.0), 300),
    (LIFT, uplifting.upucb_bl_learnt(SETS, BASE, 1.0), 300),
    (LIFT, uplifting.upucb_bl_optimal(SETS, BASE, LIFT.covariance), 300),
    (TARGETS, uplifting.c2upucb_m(8, 2, 2, 3, baseline=[0.6, 0.2]), 40),
    (TARGETS, uplifting.epsilon_greedy(8, 2, 3, 0.4, treatments=2), 40),
    (TARGETS, uplifting.c2ucb(8, 2, 3, treatments=2), 40),
    (SPARSE, uplifting.upucb_bl_linear([0.5, 0.2, 0.1], 2, 8, 2.0, everybody=True), 100),
    (SUMMED, uplifting.upucb(SUMMED.affected, len(SUMMED.mu0), 1.0, SUMMED.sizes), 300),
    (POSCORR, censored.rcucb(3, 5, POSCORR.penalty), 400),
    (POSCORR, censored.ucb(3, 5, POSCORR.penalty), 400),
    (POSCORR, censored.thompson(3, 5, POSCORR.penalty), 400),
    (INDEP, censored.rcucb(3, 5, INDEP.penalty, survival="carry_up", width="normalised"), 400),
    (INDEP, censored.thompson(3, 5, INDEP.penalty, ts_update="played_outcome"), 400),
    (KNOTTED, censored.rcucb(3, 5, KNOTTED.penalty, survival="known_only", width="gain_only"), 400),
    (REPLAY, censored.rcucb(3, REPLAY.limits, REPLAY.penalty), 300),
    (REPLAY, censored.rcucb(3, REPLAY.limits, REPLAY.penalty, width="gain_only", ties="random"), 300),
    (REPLAY, censored.ucb(3, REPLAY.limits, REPLAY.penalty), 300),
    (INTERVAL, censored.zrcucb(3, 3000, INTERVAL.penalty, parts=4), 3000),
    (INTERVAL, censored.zrcucb(3, 3000, censored.knots([0.0, 1.0], [0.0, 0.1])), 3000),
    (INTERVAL, censored.zrcucb(3, 3000, 0.1, parts=50), 3000),
    (SQUARE, censored.zrcucb(3, 3000, 0.1, 0.9, parts=3), 3000),
    (AWAY, censored.zrcucb(3, 3000, 0.05), 3000),
    (SQUARE, composite.doubling(lambda horizon: censored.zrcucb(3, horizon, 0.05, 0.9), 200), 3000),
    (INDEP, censored.ucb(3, 5, INDEP.penalty, width="rcucb"), 400),
    (POSCORR, censored.kl_rcucb(3, 5, POSCORR.penalty), 400),
    (REPLAY, censored.kl_rcucb(3, REPLAY.limits, REPLAY.penalty, 3.0), 300),
    (censored.revealed(POSCORR), censored.rcucb(3, 5, POSCORR.penalty, survival="oracle", width="gain_only"), 400),
]
