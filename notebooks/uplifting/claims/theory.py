"""Bounds, equivalences and identities of the paper, checked on runs or exactly."""

import math

import numpy as np

from banditlab.evidence import SIMILAR, Cases, constant, exact, growth, proportion, quotient, ratio, regret_difference
from banditlab.uplifting import bounds
from banditlab.uplifting.environments.gaussian import Observation
from banditlab.uplifting.policies import noise_adjustment, upucb_naff_bl

from .. import beyond
from ..checks import ridge_histories, same_actions, two_blocks, wrong_choices
from ..names import ILIFT_BL, LINEAR_ALL, LINEAR_BL, NAFF, NAFF_BL, NAIVE, UCB, UP, UP_BL
from ..studies import BOUNDED, FEW_ACTIONS, ILIFT, ORDERS, ORDERS_L, OUTSIDE, THEOREM_5
from .collected import claims

GAPS, SIZES, VARIABLES = [0.0, 0.5, 1.5], [2, 1, 4], 5  # of the instances of equation (42); ours
EQUAL = (0.99, 1.01)  # up to rounding


@claims("T1", "No worse action is pulled more often than the proofs allow.",
        "Section 2, Propositions 1, 4, 5; Theorems 1, 3, 4",
        note="largest pulls over bound; a run may fail with probability 5 %; bounds above the horizon are left out"
)  # fmt: skip
def pull_bounds(scale, seed):
    found, horizon = {}, BOUNDED.numbers(scale).horizon
    for cell, one in BOUNDED.results(scale, seed).items():
        for name, limit in one.limits.items():
            telling = np.isfinite(limit.pulls) & (limit.pulls < horizon)
            if telling.any():
                pulls = one.result.diagnostics["pulls"][one.result.policies.index(name)][:, telling]
                found[f"{name}, {cell.instance}"] = exact((pulls / limit.pulls[telling]).max())
    return Cases("pulls over the bound", found, axis="log").at_most(1)


@claims("T2", "The regret of C2UpUCB-M with linear payoffs is within the bound.", "Section 8, Theorem 5",
        note="largest regret over bound at any time; the bound is far from tight, but below what blind "
        "choices lose")  # fmt: skip
def linear_bound(scale, seed):
    found, blind = {}, {}
    for cell, one in THEOREM_5.results(scale, seed).items():
        limits = one.limits["C2UpUCB-M"]
        found[f"q = {cell.treatments}"] = exact((one.result.regret.max(axis=(0, 1)) / limits).max())
        blind[f"q = {cell.treatments}"] = exact(limits[-1] / one.limits["blind"])
    return [
        Cases("regret over the bound", found, axis="log").at_most(1),
        Cases("bound over what blind choices lose", blind).below(1),
    ]


HISTORIES = dict(delta=0.05, horizon=30, runs=200)


@claims("T4", "At all times the weights lie in the ellipsoid around their ridge estimate, but for a chance of δ′.",
        "Appendix C.2, Lemma 5",
        note="δ′ = 0.05; 200 histories of 30 rounds, in which those of largest width are treated (ours)")  # fmt: skip
def ellipsoid(scale, seed):
    outside = ridge_histories(**HISTORIES, seed=seed).distance > 1
    return Cases("share of histories that leave it", proportion(int(outside.sum()), len(outside))).at_most(0.05)


@claims("T5", "The squared widths of all who are treated sum to at most 2 d log(1 + n / (d λ)).",
        "Appendix C.2, Lemma 6",
        note="n people in all; the largest of 200 histories of 30 rounds, in which those of largest width are treated "
        "(ours)")  # fmt: skip
def potential(scale, seed):
    largest = ridge_histories(**HISTORIES, seed=seed).widths.max()
    return Cases("sum over the bound", exact(largest)).at_most(1)


FOURFOLD = tuple(4 * side for side in SIMILAR)


def noiseless_ratio(large, small, name):
    """Ratio of a policy's regrets where the noise is too small to change a choice: all runs play alike."""
    return quotient(constant(large.final_regret(name)), constant(small.final_regret(name)))


@claims("R1", "The regret of UCB grows with m², that of the uplifting methods does not grow with m.",
        "Section 1, Table 1", figure="Table 1",
        note="twice as many variables, little noise; four times for UCB, within ten per cent for the others; β = 0.05 "
        "and 100,000 rounds were chosen after two tries with fewer rounds, in which the first pulls were most of it"
)  # fmt: skip
def orders(scale, seed):
    small, large = ORDERS.results(scale, seed).values()
    times = {name: noiseless_ratio(large, small, name) for name in small.policies}
    return [
        Cases("regret with 2 m over m", {UCB: times[UCB]}, axis="log").between(*FOURFOLD),
        Cases("regret with 2 m over m", {name: times[name] for name in (UP_BL, UP, NAFF_BL, NAFF)}).similar(),
    ]


@claims("R2", "The regret of the uplifting methods grows with L².", "Section 1, Table 1", figure="Table 1",
        note="twice as many affected variables, little noise; four times, within ten per cent; β = 1, 100,000 rounds"
)  # fmt: skip
def orders_of_affected(scale, seed):
    small, large = ORDERS_L.results(scale, seed).values()
    times = {name: noiseless_ratio(large, small, name) for name in (UP_BL, UP, NAFF_BL, NAFF)}
    return Cases("regret with 2 L over L", times, axis="log").between(*FOURFOLD)


@claims("O1", "A baseline estimated beforehand finds the best action only with samples of order L²/Δ².", "Section 3",
        figure="Offline baseline",
        note="two actions, L = 10, Δ = 0.2, noise common within a set; 10,000 estimates: at least a third choose "
        "wrong with a 25th of L²/Δ², at most 5 % with a hundred times that (ours)")  # fmt: skip
def offline(scale, seed):
    world, order, draws = two_blocks(10, 0.2), 10**2 / 0.2**2, 10_000
    few, many = (proportion(wrong_choices(world, order * times, draws, seed), draws) for times in (0.04, 100))
    return [
        Cases("chance of a wrong action, few samples", few).at_least(1 / 3),
        Cases("chance of a wrong action, many samples", many).at_most(0.05),
    ]


@claims("P2", "Where actions affect all variables, rewards only are seen, or nothing is known of the means and the "
        "sets, none can have less than 2 m² log T / Δ.", "Proposition 2",
        note="Lemma 4 on the instance of (42), evaluated exactly, over the printed bound")  # fmt: skip
def reward_only(scale, seed):
    gaps, printed = np.array(GAPS), bounds.no_knowledge_lower(GAPS, VARIABLES)
    everywhere = bounds.hard_instance(GAPS, [VARIABLES] * len(GAPS), VARIABLES)
    left = noise_adjustment(everywhere.affected, everywhere.covariance)[1]
    world = bounds.hard_instance(GAPS, SIZES, VARIABLES, everywhere=True)
    information = gaps**2 / (2 * world.covariance.sum(axis=(1, 2)))  # divergence of the reward, shifted by the gap
    unknown = noise_adjustment(np.ones_like(world.affected), world.covariance)[1]  # any variable may gain, in any set
    found = {
        "all affected": exact(bounds.known_covariance_lower(GAPS, left) / printed),
        "rewards only": exact(bounds.information_lower(gaps, information) / printed),
        "nothing known": exact(bounds.known_covariance_lower(GAPS, unknown) / printed),
    }
    return Cases("Lemma 4 over the bound", found).between(*EQUAL)


@claims("P3", "With the affected sets and the baseline known, none can have less than 2 (L^a)² log T / Δ^a.",
        "Proposition 3",
        note="Lemma 4 on the instance of (42), unequal sizes, evaluated exactly, over the printed bound")  # fmt: skip
def sets_known(scale, seed):
    world = bounds.hard_instance(GAPS, SIZES, VARIABLES)
    left = noise_adjustment(world.affected, world.covariance)[1]
    found = bounds.known_covariance_lower(GAPS, left) / bounds.known_sets_lower(GAPS, SIZES)
    return Cases("Lemma 4 over the bound", exact(found)).between(*EQUAL)


@claims("U1", "UpUCB is CombUCB on a transformed model.", "Section 9",
        note="share of 300 rounds in which both choose the same action, ten random instances")  # fmt: skip
def comb_ucb(scale, seed):
    found = {f"instance {k}": exact(same_actions(300, 10 * seed + k)) for k in range(10)}
    return Cases("same actions", found).at_least(1)


@claims("N1", "Taking just the L variables of largest index would overestimate severely where an uplift is negative; "
        "UpUCB-nAff (bl) stays within 4 L c of the uplift.", "Section 6.1, after Theorem 2",
        note="uplifts 1, 1 and −4, L = 3, 10,000 pulls without noise")  # fmt: skip
def negative_uplift(scale, seed):
    uplift, pulls, beta = np.array([1.0, 1.0, -4.0, 0.0, 0.0]), 10_000, 1.0
    policy = upucb_naff_bl(1, np.zeros(5), 3, beta)
    state = policy.init(None)
    for t in range(pulls):
        state = policy.update(state, 0, Observation(uplift, uplift.sum()), t, None)
    c = math.sqrt(2 * beta / pulls)
    naive = np.sort(uplift + c)[-3:].sum()
    return [
        Cases("largest three, above the uplift in units of 4 L c", exact((naive - uplift.sum()) / (12 * c))).above(1),
        Cases("UpUCB-nAff (bl), the same", exact((state.index[0] - uplift.sum()) / (12 * c))).between(0, 1),
    ]


@claims("I1", "After N₀ pulls the affected variables are found with probability 1 − 2 m δ′ at least.",
        "Section 6.2.1, equation (11)",
        note="normal noise, uplifts of exactly Δ_up: the union bound on missing one over 2 m δ′, evaluated exactly"
)  # fmt: skip
def identified(scale, seed):
    found = {}
    for beta in (1.0, 3.0, 6.0):  # half of the least uplift is sqrt(2 beta / N0): a mean is off with chance erfc(...)
        found[f"β = {beta:g}"] = exact(math.erfc(math.sqrt(beta)) / (2 * math.exp(-beta)))
    return Cases("chance of an error over 2 m δ′", found).at_most(1)


@claims("I2", "UpUCB-iLift (bl) lies between UCB and the naive strategy and has less regret than either.",
        "Section 6.2.1, after Theorem 3", figure="Least uplift known", note="instance and β ours")  # fmt: skip
def smooth(scale, seed):
    result = next(iter(ILIFT.results(scale, seed).values()))
    return Cases(
        "regret more", {f"{b} − {ILIFT_BL}": regret_difference(result, b, ILIFT_BL) for b in (UCB, NAIVE)}
    ).above(0)


@claims("S8", "With few actions and linear payoffs the regret is of order L where it would be of order m.", "Section 8",
        figure="Few actions", note="a tenth of the people affected; much less: at most two thirds")  # fmt: skip
def few_actions(scale, seed):
    found = {
        f"{cell.people} people": ratio(result.final_regret(LINEAR_BL), result.final_regret(LINEAR_ALL))
        for cell, result in FEW_ACTIONS.results(scale, seed).items()
    }
    return Cases("ratio of mean regrets", found, axis="log").much_less()


@claims("M1", "Small effects outside the affected sets bring linear regret.", "Section 2, footnote 2",
        figure="Outside the sets", note="an effect that makes another action the best")  # fmt: skip
def misspecified(scale, seed):
    found = {cell.effect: result for cell, result in OUTSIDE.results(scale, seed).items() if beyond.slope(result) > 0}
    name = "told the sets without it"
    return Cases("growth exponent", {f"effect {e:g}": growth(result, name) for e, result in found.items()}).linear()
