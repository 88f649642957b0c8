"""Bounds, equivalences and identities of the paper, checked on runs or exactly."""

import math

import numpy as np

from banditlab.evidence import (
    SIMILAR,
    Cases,
    constant,
    exact,
    growth,
    instance_mean,
    instance_ratio,
    mean,
    power,
    proportion,
    quotient,
    ratio,
)
from banditlab.uplifting import bounds
from banditlab.uplifting.environments.gaussian import Observation
from banditlab.uplifting.policies import noise_adjustment, upucb_naff_bl

from ..beyond import slopes
from ..checks import lasting_loss, over_bounds, ridge_histories, same_actions, transition, two_blocks, wrong_choices
from ..drawn import OUTSIDE
from ..names import ILIFT_BL, LINEAR_ALL, LINEAR_BL, NAFF, NAFF_BL, NAIVE, UCB, UP, UP_BL
from ..studies import (
    BOUNDED,
    COMBINED,
    DELTA,
    FEW_ACTIONS,
    FEW_ACTIONS_LEARNT,
    ORDERS,
    ORDERS_L,
    SEARCHED,
    SEARCHED_CAMPAIGNS,
    THEOREM_5,
)
from .collected import claims

GAPS, SIZES, VARIABLES = [0.0, 0.5, 1.5], [2, 1, 4], 5  # of the instances of equation (42); ours
EQUAL = (0.99, 1.01)  # up to rounding
BETAS = 2000  # random ones


@claims("T1", "No worse action is pulled more often than the proofs allow.",
        "Section 2, Propositions 1, 4, 5; Theorems 1, 3, 4", universal=True,
        note="searched: the largest pulls over bound on three instances, and on 200 random ones (20 at quick size) of "
        "2 to 4 actions; a run may fail with probability 5 %; bounds above the horizon are left out",
        quote="we state a high-probability instance-dependent regret bound")  # fmt: skip
def pull_bounds(scale, seed):
    horizon = BOUNDED.numbers(scale).horizon
    three = {
        f"{name}, {cell.instance}": exact(ratio)
        for cell, one in BOUNDED.results(scale, seed).items()
        for name, ratio in over_bounds(one, horizon).items()
    }
    ((largest, spoke),) = SEARCHED.results(scale, seed).values()
    random = {f"{name}, {spoke[name]} random instances": exact(ratio) for name, ratio in largest.items()}
    return Cases("pulls over the bound", three | random, axis="log").at_most(1)


@claims("T2", "The regret of C2UpUCB-M with linear payoffs is within the bound.", "Section 8, Theorem 5",
        universal=True, note="searched: two instances, one or two treatments; 200 random campaigns (10 at quick size) "
        "of 2 to 8 people, with weights from a hundredth to ten times the noise; 18 in which a wrong choice costs "
        "most; largest regret over bound at any time. The bound is far from tight, but below what blind choices lose "
        "on the two; a run may fail with probability 5 %",
        quote="Theorem 5 provides a regret bound in Õ(√(max(d, L)dqLT)). We observe that the dependence on m is only "
        "logarithmic.")  # fmt: skip
def linear_bound(scale, seed):
    found, blind = {}, {}
    for cell, one in THEOREM_5.results(scale, seed).items():
        limits = one.limits["C2UpUCB-M"]
        found[f"q = {cell.treatments}"] = exact((one.result.regret.max(axis=(0, 1)) / limits).max())
        blind[f"q = {cell.treatments}"] = exact(limits[-1] / one.limits["blind"])
    (searched,) = SEARCHED_CAMPAIGNS.results(scale, seed).values()
    found |= {f"{number} {kind} campaigns": exact(largest) for kind, (largest, number) in searched.items()}
    return [
        Cases("regret over the bound", found, axis="log").at_most(1),
        Cases("bound over what blind choices lose", blind).below(1),
    ]


HISTORIES = dict(delta=0.05, horizon=30, runs=200)


@claims("T4", "At all times the weights lie in the ellipsoid around their ridge estimate, but for a chance of δ′.",
        "Appendix C.2, Lemma 5", universal=True,
        note="δ′ = 0.05; searched: 200 random histories of 30 rounds, in which those of largest width are treated "
        "(ours)",
        quote="lemma which establishes the confidence ellipsoids of the estimated parameters")  # fmt: skip
def ellipsoid(scale, seed):
    outside = ridge_histories(**HISTORIES, seed=seed).distance > 1
    return Cases("share of histories outside the ellipsoid", proportion(int(outside.sum()), len(outside))).at_most(0.05)


@claims("T5", "The squared widths of all who are treated sum to at most 2 d log(1 + n / (d λ)).",
        "Appendix C.2, Lemma 6", universal=True,
        note="n people in all; searched: the largest of 200 random histories of 30 rounds, in which those of largest "
        "width are treated (ours)",
        quote="The lemma below will also be useful for bounding the regret.")  # fmt: skip
def potential(scale, seed):
    largest = ridge_histories(**HISTORIES, seed=seed).widths.max()
    return Cases("sum of squared widths over the bound", exact(largest)).at_most(1)


FOURFOLD = tuple(4 * side for side in SIMILAR)


def noiseless_ratio(large, small, name):
    """Ratio of a policy's regrets where the noise is too small to change a choice: all runs play alike."""
    return quotient(constant(large.final_regret(name)), constant(small.final_regret(name)))


@claims("R1", "The regret of UCB grows with m², that of the uplifting methods does not grow with m.",
        "Section 1, Table 1", figure="Table 1",
        note="twice as many variables, little noise; four times for UCB, within ten per cent for the others; β = 0.05 "
        "and 100,000 rounds were chosen after two tries with fewer rounds, in which the first pulls were most of it",
        quote="Roughly speaking, when m is the number of variables and "
        "L is the number of variables affected by each action")  # fmt: skip
def orders(scale, seed):
    small, large = ORDERS.results(scale, seed).values()
    times = {name: noiseless_ratio(large, small, name) for name in small.policies}
    return [
        Cases("UCB's regret with 2 m over m", {UCB: times[UCB]}, axis="log").between(*FOURFOLD),
        Cases("others' regret with 2 m over m", {name: times[name] for name in (UP_BL, UP, NAFF_BL, NAFF)}).similar(),
    ]


@claims("R2", "The regret of the uplifting methods grows with L².", "Section 1, Table 1", figure="Table 1",
        note="twice as many affected variables, little noise; four times, within ten per cent; β = 1, 100,000 rounds",
        quote="we get a O(L²) regret bound instead of O(m²). This results in major regret reduction for L ≪ m, and is "
        "a distinguishing feature")  # fmt: skip
def orders_of_affected(scale, seed):
    small, large = ORDERS_L.results(scale, seed).values()
    times = {name: noiseless_ratio(large, small, name) for name in (UP_BL, UP, NAFF_BL, NAFF)}
    return Cases("regret with 2 L over L", times, axis="log").between(*FOURFOLD)


@claims("O1", "A baseline estimated beforehand finds the best action only with samples of order L²/Δ².", "Section 3",
        figure="Offline baseline",
        note="two actions, L = 10, Δ = 0.2, noise common within a set; 10,000 estimates: at least a third choose "
        "wrong with a 25th of L²/Δ², at most 5 % with a hundred times that (ours)",
        quote="is possible only when the sum of these widths over L variables is at most")  # fmt: skip
def offline(scale, seed):
    world, order, draws = two_blocks(10, 0.2), 10**2 / 0.2**2, 10_000
    few, many = (proportion(wrong_choices(world, order * times, draws, seed), draws) for times in (0.04, 100))
    return [
        Cases("chance of a wrong action, few samples", few).at_least(1 / 3),
        Cases("chance of a wrong action, many samples", many).at_most(0.05),
    ]


@claims("O2", "Its errors persist: for a regret of order √T it needs samples in the order of T.", "Section 3",
        figure="Offline baseline",
        note="exact: regret of who knows all but the baseline and chooses for ever by its estimate, at the gap where "
        "that costs most; two actions, L = 10, noise common within a set; from T = 10⁴ to 10⁸. With fewer samples, "
        "T^0.9, it grows faster",
        quote="Otherwise, these errors persist at each iteration and n must be in the order of T to ensure O(√T) regret"
)  # fmt: skip
def lasting_errors(scale, seed):
    first, last = 1e4, 1e8
    grown = {share: [T * lasting_loss(10, T**share) for T in (first, last)] for share in (1.0, 0.9)}
    powers = {share: power(exact(late / early), last / first) for share, (early, late) in grown.items()}
    return [
        Cases("power of T in the regret, T samples", powers[1.0]).between(0.49, 0.51),
        Cases("power of T in the regret, T^0.9 samples", powers[0.9]).above(0.51),
    ]


@claims("P2", "Where actions affect all variables, rewards only are seen, or nothing is known of the means and the "
        "sets, some instance costs at least 2 m² log T / Δ.", "Proposition 2",
        note="Lemma 4 on the instance of (42), evaluated exactly, over the printed bound",
        quote="there would be a higher regret in absence of any of the following")  # fmt: skip
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
    return Cases("Lemma 4's bound over the printed one", found).between(*EQUAL)


@claims("P3", "With the affected sets and the baseline known, some instance costs at least 2 (L^a)² log T / Δ^a.",
        "Proposition 3",
        note="Lemma 4 on the instance of (42), unequal sizes, evaluated exactly, over the printed bound",
        quote="essentially posits that the regret must scale with the magnitudes of the noises")  # fmt: skip
def sets_known(scale, seed):
    world = bounds.hard_instance(GAPS, SIZES, VARIABLES)
    left = noise_adjustment(world.affected, world.covariance)[1]
    found = bounds.known_covariance_lower(GAPS, left) / bounds.known_sets_lower(GAPS, SIZES)
    return Cases("Lemma 4's bound over the printed one", exact(found)).between(*EQUAL)


@claims("U1", "UpUCB is CombUCB on a transformed model.", "Section 9", universal=True,
        quote="This observation indeed reduces UpUCB to CombUCB", 
        note="searched: share of 300 rounds in which both choose the same action, ten random instances")  # fmt: skip
def comb_ucb(scale, seed):
    found = {f"instance {k}": exact(same_actions(300, 10 * seed + k)) for k in range(10)}
    return Cases("share of rounds in which both choose the same action", found).at_least(1)


@claims("N1", "Taking just the L variables of largest index would overestimate severely where an uplift is negative; "
        "UpUCB-nAff (bl) stays within 4 L c of the uplift.", "Section 6.1, after Theorem 2",
        note="uplifts 1, 1 and −4, L = 3, 10,000 pulls without noise",
        quote="this would result in a severe overestimate when a negative individual uplift is present")  # fmt: skip
def negative_uplift(scale, seed):
    uplift, pulls, beta = np.array([1.0, 1.0, -4.0, 0.0, 0.0]), 10_000, 1.0
    policy = upucb_naff_bl(1, np.zeros(5), 3, beta)
    state = policy.init(None)
    for t in range(pulls):
        state = policy.update(state, 0, Observation(uplift, uplift.sum()), t, None)
    c = math.sqrt(2 * beta / pulls)
    naive = np.sort(uplift + c)[-3:].sum()
    return [
        Cases("error over 4 L c, L largest indices", exact((naive - uplift.sum()) / (12 * c))).above(1),
        Cases("error over 4 L c, UpUCB-nAff (bl)", exact((state.index[0] - uplift.sum()) / (12 * c))).between(0, 1),
    ]


@claims("I1", "After N₀ pulls the affected variables are found with probability 1 − 2 m δ′ at least.",
        "Section 6.2.1, equation (11)",
        universal=True, note=f"searched: normal noise, uplifts of exactly Δ_up, three β and {BETAS:,} random ones from "
        "0.01 to 100: the union bound on missing one over 2 m δ′, exact; it rises to a half as β falls to 0",
        quote="With a union bound we conclude that with probability at least")  # fmt: skip
def identified(scale, seed):
    def share(beta):  # half of the least uplift is sqrt(2 beta / N0): a mean is off with chance erfc(...)
        return math.erfc(math.sqrt(beta)) / (2 * math.exp(-beta))

    random = 10 ** np.random.default_rng(seed).uniform(-2, 2, BETAS)
    found = {f"β = {beta:g}": exact(share(beta)) for beta in (1.0, 3.0, 6.0)}
    found[f"{BETAS:,} random β"] = exact(max(map(share, random)))
    return Cases("chance of an error over 2 m δ′", found).at_most(1)


@claims("I2", "UpUCB-iLift (bl) goes over smoothly from UCB to the naive strategy that identifies the variables of all "
        "actions first.", "Section 6.2.1, after Theorem 3", figure="Least uplift known",
        note="exact, without noise: two actions, 20 variables, two of them affected, Δ_up = 1, β = 1, gaps of 0.5 to "
        "40 Δ_up; pulls of the worse action against the fewer of the two strategies",
        quote="provides a smooth transition between standard UCB and the naive strategy")  # fmt: skip
def smooth(scale, seed):
    found = transition(gaps=(0.5, 1, 2, 5, 8, 10, 12, 20, 40), delta_up=1.0, m=20, L=2, beta=1.0, horizon=100_000)
    least = {f"Δ = {gap} Δ_up": exact(own[ILIFT_BL] / min(own[UCB], own[NAIVE])) for gap, own in found.items()}
    ends = {name: exact(found[gap][ILIFT_BL] / found[gap][name]) for gap, name in ((0.5, NAIVE), (40, UCB))}
    return [
        Cases("pulls over the fewer of UCB's and the naive strategy's", least).similar(),
        Cases("pulls over naive's at the least gap, UCB's at the largest", ends).similar(),
    ]


@claims("I3", "With L and Δ_up known Algorithms 3 and 5 can be combined: the bound (12) then has L in the place of m.",
        "Section 6.2.1, after Theorem 3",
        note="Algorithm 3 until an action has N₀ pulls, Algorithm 5 from then on (ours; the paper prints neither "
        "policy nor proof); one instance of two actions, 1,000 variables and L = 1, in which a negative uplift hides; "
        "the bound may fail with probability 5 %. With 2 L it is what the paper's two proofs give together, as "
        "Algorithm 3's index may exceed the uplift by 4 L c",
        quote="this results in a regret bound that replaces clip(Δ^a/Δ_up, L^a, m) by clip(Δ^a/Δ_up, L^a, L) in (12)"
)  # fmt: skip
def both_known(scale, seed):
    (one,) = COMBINED.results(scale, seed).values()
    regret = one.result.regret[0, :, -1]
    beyond = {name: int((regret > limit.regret).sum()) for name, limit in one.limits.items()}
    return {
        f"(12) with {name}": Cases("share of runs beyond the bound", proportion(times, len(regret))).at_most(DELTA)
        for name, times in beyond.items()
    }


@claims("S8", "With few actions and linear payoffs regret is of the order of those affected, and much less than that "
        "of a learner of the total reward.", "Section 8", figure="Few actions", note="20 and 80 people, two of them "
        "affected by an action on average, half as many features; much less: at most two thirds. The power of the "
        "number of people with which regret grows: at most 0.25 (ours)",
        quote="the decision of the learner is again based on the uncertain estimates of at most")  # fmt: skip
def few_actions(scale, seed):
    played = {cell.people: result for cell, result in FEW_ACTIONS.results(scale, seed).items()}
    few, many = (mean(result.final_regret(LINEAR_BL)) for result in played.values())
    ratios = {
        f"{people} people": ratio(result.final_regret(LINEAR_BL), result.final_regret(LINEAR_ALL))
        for people, result in played.items()
    }
    return [
        Cases("regret over the total-reward learner's", ratios, axis="log").much_less(),
        Cases("power of the number of people in the regret", power(quotient(many, few), 4)).at_most(0.25),
    ]


@claims("S8b", "A learner of the total reward has regret of the order of all people.", "Section 8",
        figure="Few actions", scales=("paper",), note="the power of the number of people with which regret grows from "
        "20 to 40 of them, with 20 features, over so many rounds that it has learnt: its regret is sublinear by then. "
        "Of the order: a power within a quarter of 1 (ours)",
        quote="In contrast, if the learner works directly with the total reward, the regret is in")  # fmt: skip
def total_reward(scale, seed):
    learnt = {f"{cell.people} people": one for cell, one in FEW_ACTIONS_LEARNT.results(scale, seed).items()}
    few, many = (mean(one.final_regret(LINEAR_ALL)) for one in learnt.values())
    return [
        Cases("power of the number of people in the regret", power(quotient(many, few), 2)).between(0.75, 1.25),
        Cases("growth exponent", {name: growth(one, LINEAR_ALL) for name, one in learnt.items()}).sublinear(),
    ]


@claims("M1", "Small effects outside the affected sets bring linear regret in proportion to them.",
        "Section 2, footnote 2", figure="Outside the sets",
        note="regret a round in the second half over the effect; the gap of the paper's best action is 0.5; ten drawn "
        "instances of four actions, the (geometric) mean over them",
        quote="incurs additional linear regret whose size is proportional to the impact of the actions on")  # fmt: skip
def misspecified(scale, seed):
    shares = {}
    for cell, result in OUTSIDE.results(scale, seed).items():
        shares.setdefault(cell.effect, []).append(slopes(result) / cell.effect)
    top = max(shares)
    alike = {f"effect {e:g} / {top:g}": instance_ratio(own, shares[top]) for e, own in shares.items() if e < top}
    bounded = {f"effect {e:g}": instance_mean(own) for e, own in shares.items()}
    return {
        "proportional": Cases("regret a round per effect, over that at the largest effect", alike).similar(),
        "at most of the order of the effect": Cases("regret a round per effect", bounded).at_most(1),
    }
