"""Every pair that must run compiled exactly as it runs interpreted; a new algorithm joins by one line."""

import numpy as np

from banditlab import censored, classic, factored
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
KNOTTED = censored.indep(3, 5, censored.knots([0.1, 0.5, 0.9], [0.1, 0.2, 4.0]))._replace(
    cost=censored.knots([0.0, 0.4, 1.0], [0.0, 0.1, 0.3])
)
LINE = factored.manufacturing(FACTORS, COSTS, 2.0, 0.2)

PAIRS = [  # environment, policy, horizon
    (ARMS, classic.ucb1(4), 600),
    (ARMS, classic.exp3(4, 600), 600),
    (ARMS, classic.uniform(4), 600),
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
    (POSCORR, censored.rcucb(3, 5, POSCORR.penalty), 400),
    (POSCORR, censored.ucb(3, 5, POSCORR.penalty), 400),
    (POSCORR, censored.thompson(3, 5, POSCORR.penalty), 400),
    (INDEP, censored.rcucb(3, 5, INDEP.penalty, survival="carry_up", width="normalised"), 400),
    (INDEP, censored.thompson(3, 5, INDEP.penalty, ts_update="played_outcome"), 400),
    (KNOTTED, censored.rcucb(3, 5, KNOTTED.penalty, survival="known_only", width="gain_only"), 400),
    (REPLAY, censored.rcucb(3, REPLAY.limits, REPLAY.penalty), 300),
    (REPLAY, censored.ucb(3, REPLAY.limits, REPLAY.penalty), 300),
    (INTERVAL, censored.zrcucb(3, 3000, INTERVAL.penalty, parts=4), 3000),
    (INTERVAL, censored.zrcucb(3, 3000, censored.knots([0.0, 1.0], [0.0, 0.1])), 3000),
]
