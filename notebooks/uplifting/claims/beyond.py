"""Claims of ours: what the paper missed."""

import numpy as np

from banditlab.evidence import MUCH, SIMILAR, Cases, exact, instance_mean, power
from banditlab.uplifting import bounds

from .. import baseline, beyond, optimal
from ..drawn import OUTSIDE, TOLD
from ..names import ADJUSTED, LEARNT, OWN_WIDTH, TS, UCB, UP, UP_BL
from ..runs import paper
from ..studies import ONE_UNIT, PRICE
from .bandit import TEN, times
from .collected import claims


@claims("F1", "What an action does not touch tells the noise: subtracting it leaves much less regret, against the "
        "paper's radius and against one that knows the noise of the affected sum.", "Figure 2 (a)", ours=True,
        figure="Noise told by others", note=f"{TEN}; UpUCB (bl) at Table 3's β, the others at β = 3")  # fmt: skip
def told(scale, seed):
    results = list(TOLD.results(scale, seed).values())
    deviations = (beyond.deviations(one.settings["environment"]).mean(axis=1) for one in results)
    return [
        times(results, [(ADJUSTED, UP_BL), (ADJUSTED, OWN_WIDTH)]).much_less(),
        Cases("noise after subtracting over before", exact(max(left / own for own, left in deviations))).at_most(MUCH),
    ]


@claims("F4", "Nobody need tell the covariance: an action's own rounds teach what the others tell, and regret is much "
        "less all the same.", "Figure 2 (a)", ours=True, figure="Noise told by others",
        note=f"{TEN}; regression on the sum of the variables that an action leaves alone; UpUCB (bl) at Table 3's β, "
        "the others at β = 3")  # fmt: skip
def learnt(scale, seed):
    return times(list(TOLD.results(scale, seed).values()), [(LEARNT, UP_BL), (LEARNT, OWN_WIDTH)]).much_less()


WIDTHS, LIMIT, DRAWN = np.geomspace(0.05, 30, 2000), 1e12, 1000


@claims("F5", "Lemma 4 is attained: for normal payoffs of known covariance UpUCB (bl) on what is left of the noise, "
        "with a radius that grows with time, has the least regret of all consistent policies in the limit.",
        "Appendix B.1, Lemma 4", ours=True, figure="Noise told by others",
        note="proof: Theorem 8.1 of Lattimore and Szepesvári on the scale of each action; exact: its sums over what "
        "they may be, and the bound that they give over Lemma 4's, on the instance of Figure 2 (a) and on the worst of "
        f"{DRAWN:,} drawn ones of 2 to 10 actions, their deviations within a factor of ten; slowly, at log T = 10¹²"
)  # fmt: skip
def attained(scale, seed):
    low, reaching = (one.max() for one in optimal.proof_sums(WIDTHS))
    sums = {"too low": low, "too low, over time": optimal.inverse_sum() / optimal.INVERSE, "reaching": reaching}
    world, rng = paper(), np.random.default_rng(14)
    cases = {"Figure 2 (a)": [(world.gaps, beyond.deviations(world)[1])], "drawn": []}
    for arms in rng.integers(2, 11, DRAWN):
        cases["drawn"].append((np.r_[0.0, 10 ** rng.uniform(-2, 1, arms - 1)], 10 ** rng.uniform(-1, 0, arms)))
    over = {name: {log: max(over_lemma_4(*one, log) for one in own) for log in (LIMIT / 10, LIMIT)}
            for name, own in cases.items()}  # fmt: skip
    last = {name: exact(own[LIMIT]) for name, own in over.items()}
    return [
        Cases("proof's sum over what it allows", {name: exact(one) for name, one in sums.items()}).at_most(1),
        Cases("excess over Lemma 4's bound, as a share of it", last).between(0, 0.01),
        Cases("excess over Lemma 4's bound, at log T over log T / 10",
              {name: exact(own[LIMIT] / own[LIMIT / 10]) for name, own in over.items()}).below(1),
    ]  # fmt: skip


def over_lemma_4(gaps, deviations, log):
    """How much more `upucb_bl_optimal` loses at most than a consistent policy must, at this log T; as a share."""
    return optimal.optimal_upper(gaps, deviations, log) / bounds.known_covariance_lower(gaps, deviations) - 1


@claims("F2", "In units of the noise, UCB and Thompson sampling are tuned alike in both settings of Table 3 if 80 is "
        "the standard deviation of the total; if it is its variance, they are not.", "Appendix D.1, Table 3", ours=True,
        figure="Table 3 in one unit",
        note="Gaussian over Bernoulli parameter in units; alike: within a factor of 10, ours"
)  # fmt: skip
def one_unit(scale, seed):
    found = []
    for cell, table in ONE_UNIT.results(scale, seed).items():
        units = table.set_index(["policy", "setting"])["in units"]
        times = {name: exact(units[name, "Gaussian"] / units[name, "Bernoulli"]) for name in (UCB, TS)}
        if cell.spread == 80:
            found.append(Cases("Gaussian over Bernoulli, standard deviation 80", times, axis="log").between(0.1, 10))
        else:
            found.append(Cases("Gaussian over Bernoulli, variance 80", times, axis="log").above(10))
    return found


@claims("F3", "The linear regret of an effect outside the known sets follows from them: the gap of the action that "
        "looks best without it.", "Section 2, footnote 2", ours=True, figure="Outside the sets",
        note="regret a round in the second half, over that gap; ten drawn instances of four actions, the mean over "
        "them")  # fmt: skip
def outside(scale, seed):
    found = {}
    for cell, result in OUTSIDE.results(scale, seed).items():
        predicted = beyond.slope(result)
        if predicted > 0:
            found.setdefault(f"effect {cell.effect:g}", []).append(beyond.slopes(result) / predicted)
    over = {effect: instance_mean(own) for effect, own in found.items()}
    return Cases("regret a round over the gap", over).between(*SIMILAR)


def prices(scale, seed):
    """Size of the best action's set to regrets by number of actions, without noise."""
    return {cell.best: table for cell, table in PRICE.results(scale, seed).items()}


@claims("P4", "What UpUCB loses more than UpUCB (bl) is in the order of K (L of the best action)² log T / Δ.",
        "Section 5, after Theorem 1", figure=PRICE.name, note="exact, without noise, from 2 to 20 actions; the paper "
        "compares bounds. The power of K − 1 with which what it loses more grows: 1 in that order",
        quote="A detailed comparison with Proposition 1 reveals that the difference is in the order of")  # fmt: skip
def order_of_the_price(scale, seed):
    n, answers = PRICE.numbers(scale), {"of the bounds": {}, "of the regret": {}}
    for best, table in prices(scale, seed).items():
        printed = [more_in_print(int(K), n.L, best, n.horizon) for K in table["K"]]
        worse = (table["K"].iloc[-1] - 1) / (table["K"].iloc[0] - 1)
        for found, more in zip(answers.values(), (printed, (table[UP] - table[UP_BL]).tolist()), strict=True):
            found[f"L* = {best}"] = power(exact(more[-1] / more[0]), worse)
    return {what: Cases("power of the number of worse actions", found).linear() for what, found in answers.items()}


def more_in_print(K, L, best, horizon):
    """What the bound of Theorem 1 has more than that of Proposition 1; gaps of 1."""
    gaps, sizes = [0.0, *[1.0] * (K - 1)], [best, *[L] * (K - 1)]
    return bounds.upucb_upper(gaps, sizes, horizon).regret - bounds.upucb_bl_upper(gaps, sizes, horizon).regret


@claims("P5", "An unknown baseline is paid once: UpUCB's regret over UpUCB (bl)'s tends to (1 + L*/(L √(K − 1)))², "
        "where the bounds have (1 + L*/L)².", "Section 5, after Theorem 1", ours=True, figure=PRICE.name,
        note="exact, without noise")  # fmt: skip
def paid_once(scale, seed):
    found = {}
    for best, table in prices(scale, seed).items():
        for K, up, bl in table.itertuples(index=False):
            price = baseline.baseline_price(int(K), PRICE.numbers(scale).L, best)
            found[f"K = {K}, L* = {best}"] = exact(up / bl / price)
    return Cases("UpUCB's regret over UpUCB (bl)'s, over the formula", found, axis="log").similar()
