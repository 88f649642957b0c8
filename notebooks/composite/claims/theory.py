"""Claims of the theorems, lemmas and remarks that can be computed or run."""

import itertools
import math

import numpy as np

from banditlab.composite import bounds
from banditlab.composite.policies import ars_ucb
from banditlab.evidence import SIMILAR, Cases, Untested, exact, growth, mean, power, quotient, ratio

from .. import beyond
from ..delay import CASES, EIGHT, FOUR, TAILED
from ..runs import ARS, GROWTHS, NINE, SLOW
from ..studies import BETAS, NON_OBLIVIOUS, OBLIVIOUS, READINGS, SLOPES, TWELVE
from .registry import claims
from .stochastic import LARGE, cells

FINITE = [name for name, delay in CASES.items() if math.isfinite(bounds.delay_moments(delay.shape).mean)]
EIGHT_TIMES = 8.0  # the only α drawn that Theorem 1 covers
LARGEST_ROUND = 100_000


def game_name(game):
    """A game in words."""
    return f"{game.sequence}, {game.rule}, d = {game.d}"


@claims(
    "T1",
    "Theorem 1: for α > 4 the regret of ARS-UCB is at most Σ 8α ln T / Δ and a constant.",
    "Theorem 1",
    figure="Regret",
    note="the leading term alone, (α = 8, k²); polynomial 2 lies outside (d1 infinite)",
)
def theorem_1(scale, seed):
    found = {}
    for case, result in cells(scale, seed, tuple(FINITE)).items():
        leading = bounds.ars_ucb_upper(NINE, CASES[case].shape, result.checkpoints[-1:], EIGHT_TIMES)[0]
        found[case] = mean(result.final_regret(LARGE) / leading)
    return Cases("regret over the leading term", found).at_most(1)


@claims(
    "T1b",
    "The constant of Theorem 1 exceeds all that can be lost at any horizon that is played.",
    "Theorem 1",
    ours=True,
    note="α = 8, f = k²; the setting that the paper favours, α = 4, lies outside the theorem",
)
def constant(scale, seed):
    most = math.log(TWELVE.numbers(scale).horizon * (max(NINE) - min(NINE)))
    found = {}
    for case in FINITE:
        late = (bound(NINE, CASES[case].shape) for bound in (bounds.d1, bounds.d2))
        found[case] = exact(bounds.ars_ucb_constant(*late, EIGHT_TIMES).log_constant - most)
    return Cases("logarithm of the constant over all that can be lost", found).above(0)


@claims(
    "T2",
    "The constant before ln T in ARS-UCB's regret bound is much smaller than ODAAF's.",
    "Section 2.2",
    note="8α / Δ over Δ n_m / ln T at the phase in which ODAAF surely drops an arm; T → ∞, without its bridges",
)
def smaller_constant(scale, seed):
    gaps = [NINE[0] - mean for mean in NINE[1:]]
    lost = sum(gap * plays_per_log(0.5 ** surely_dropped(gap)) for gap in gaps)
    ours = {"α → 4, the infimum": 4.0, "α = 8": EIGHT_TIMES}
    return {reading: Cases("constant of ARS-UCB over ODAAF's", exact(sum(8.0 * alpha / gap for gap in gaps) / lost),
                           axis="log").much_less() for reading, alpha in ours.items()}  # fmt: skip


def surely_dropped(gap):
    """The first phase whose tolerance is at most half the gap: the confidence intervals are then apart."""
    return math.ceil(math.log2(2.0 / gap) - 1e-9)


def plays_per_log(tolerance):
    """n_m / ln T of ODAAF for T without end."""
    return (math.sqrt(2.0) + math.sqrt(2.0 + 8.0 / 3.0 * tolerance)) ** 2 / tolerance**2


@claims("T3", "If f increases, K_i / √N_i is at most √2.", "Proof sketch of Theorem 1",
        note="rounds up to 100,000 steps long; 2ᵏ with f(1) = 4")  # fmt: skip
def few_rounds(scale, seed):
    found = {}
    for f in GROWTHS:
        policy, pulls, k, worst = ars_ucb(9, growth=f), 0.0, 0, 0.0
        while k < 1000 and policy.size(k + 1) <= LARGEST_ROUND:
            k += 1
            pulls += policy.size(k)
            worst = max(worst, k / math.sqrt(pulls))
        found[f"f = {GROWTHS[f]}"] = exact(worst)
    return Cases("largest K / √F(K)", found).at_most(math.sqrt(2.0))


@claims("T8", "f(k) = c k^β, and f(k) = 2^(k + c) with f(1) = 2^(2 + c), meet both conditions of Theorem 1.",
        "Section 2.2, after Theorem 1", note="c = 1, 2, 5 and β = 1, 2, 3; c = 0, 1, 3; \"increasing\" read as never "
        "falling: f(1) = f(2) for the powers of two")  # fmt: skip
def allowed_growths(scale, seed):
    pairs = {f"{c} k^{b}": (c, b) for c in (1, 2, 5) for b in (1, 2, 3)}
    pairs, steps, parts = pairs | {f"2^(k + {c})": ("2k", c) for c in (0, 1, 3)}, {}, {}
    for name, pair in pairs.items():
        sizes = list(map(ars_ucb(9, growth=pair).size, range(1, 61)))
        steps[name] = exact(min(late - early for early, late in itertools.pairwise(sizes)))
        played = list(itertools.accumulate(sizes))
        parts[name] = exact(min(done / size for done, size in zip(played[9:], sizes[10:], strict=False)))
    return [Cases("smallest f(k + 1) - f(k)", steps).at_least(0),
            Cases("smallest F(k) / f(k + 1) from the tenth round on", parts).at_least(1)]  # fmt: skip


@claims("T4", "However long a round, M and L differ by no more than the two triangles, a bounded amount.",
        "Section 2.2, Figure 1, Equation (3)", figure="Figure 1",
        note="exact; growth of a triangle when the round grows from 50,000 to 100,000 steps")  # fmt: skip
def bounded_triangles(scale, seed):
    def growing(names):
        shapes = {name: CASES[name].shape for name in names}
        grown = {name: bounds.triangle(s, LARGEST_ROUND) / bounds.triangle(s, LARGEST_ROUND // 2)
                 for name, s in shapes.items()}  # fmt: skip
        return Cases("triangle of a round twice as long, over the triangle", {n: exact(g) for n, g in grown.items()})

    return {
        "shapes with a finite mean delay": growing(FINITE).at_most(1.001),
        "polynomial 2, which the paper runs too": growing([n for n in CASES if n not in FINITE]).at_most(1.001),
    }


@claims("T5", "Lemma 1: s_i leaves the hidden radius with probability at most 1/t³ on either side.", "Lemma 1",
        figure="Hidden radius")  # fmt: skip
def coverage(scale, seed):
    horizon = TWELVE.numbers(scale).horizon
    used = {case: mean(beyond.used_radius(case, horizon, 20, seed)) for case in (TAILED, EIGHT[1], FOUR[1])}
    why = f"2/t³ is {2 / horizon**3:.0e} at t = {horizon:,}: no number of runs can show it"
    return Untested(why, {"largest error of any arm": Cases("share of the hidden radius", used).below(1)})


def regrets(study, scale, seed, name):
    """Regret of a policy in every game, run by run, with the longest delay."""
    return {cell.game: result.final_regret(name) for cell, result in study.results(scale, seed).items()}


@claims("T6", "Theorem 2: the regret of ARS-EXP3 is at most 3 g(K) √(N K ln N) + 2 d K + g(K + 1).", "Theorem 2",
        figure="Figure 5")  # fmt: skip
def theorem_2(scale, seed):
    found = {}
    for cell, result in {**NON_OBLIVIOUS.results(scale, seed), **OBLIVIOUS.results(scale, seed)}.items():
        arms, horizon = 7 if cell.game.sequence == "week7" else 10, int(result.checkpoints[-1])
        found[game_name(cell.game)] = mean(result.final_regret(ARS) / bounds.ars_exp3_upper(arms, horizon, cell.game.d))
    return Cases("regret over the bound", found).at_most(1)


@claims("C13a", "The regret of ARS-EXP3 is sublinear in T.", "Theorem 2, Section 1", figure="Growth with T",
        note="outbrain10, delays that watch the player, d = 10; made anew for every horizon")  # fmt: skip
def sublinear_in_t(scale, seed):
    return Cases("slope on logarithmic axes", slope(scale, seed)).sublinear()


@claims(
    "C13b",
    "The regret of ARS-EXP3 is O(T^(2/3)).",
    "Theorem 2",
    figure="Growth with T",
    note="a rate is a limit: a slope above 2/3 at these horizons does not refute it unless it is linear",
)
def two_thirds(scale, seed):
    return Cases("slope on logarithmic axes", slope(scale, seed)).ask((None, 2 / 3), (0.95, None))


def slope(scale, seed):
    """Power of T between the last two horizons."""
    (result,) = SLOPES.results(scale, seed).values()
    regret, (before, last) = result.of_policy(ARS), result.checkpoints[-2:]
    return power(ratio(regret[:, -1], regret[:, -2]), last / before)


@claims(
    "T7",
    "Theorem 3: against oblivious delays the regret of ARS-CLW is O(√(T h(2T) N ln N) + h⁻¹(d)).",
    "Theorem 3",
    figure="Figure 5",
    note="h = T^(1/3): power 2/3; linear growth at these horizons refutes no rate",
)
def theorem_3(scale, seed):
    found = {game_name(cell.game): growth(result, SLOW[0]) for cell, result in OBLIVIOUS.results(scale, seed).items()}
    return Untested("a rate that shows only at horizons beyond reach",
                    {"growth exponent here": Cases("growth exponent", found).at_most(2 / 3)})  # fmt: skip


def power_of(beta):
    """The larger of the two powers of T in Theorem 2."""
    return max((2 * beta + 1) / (2 * beta + 2), 1 / (beta + 1))


@claims("C18", "Remark 2: Theorem 2 shows that g(k) = k^(1/2) provides a good choice.", "Remark 2",
        figure="β of ARS-EXP3", note="of the bound: the least power of T for β from 0 to 1; of the regret: within 10 % "
        "of the best of β = 0, 0.1, 0.3, 0.5, 0.7, 1")  # fmt: skip
def good_beta(scale, seed):
    excess = power_of(0.5) - min(power_of(i / 100) for i in range(101))
    found = {}
    for cell, result in BETAS.results(scale, seed).items():
        others = [name for name in result.policies if name != "β = 0.5"]
        least = others[int(np.argmin([result.final_regret(name).mean() for name in others]))]
        found[f"{game_name(cell.game)}, {least}"] = ratio(result.final_regret("β = 0.5"), result.final_regret(least))
    return {
        "of the bound": Cases("power of T at β = 1/2 less the least", exact(excess)).at_most(0),
        "of the regret, at these horizons": Cases("regret at β = 1/2 over the least", found, axis="log").at_most(1.1),
    }


@claims("C19", "Footnote 3: where T is unknown, the doubling trick keeps the bound.", "Section 3.1, footnote 3",
        note="doubling a bound of power 2/3 costs at most 2^(2/3) / (2^(2/3) - 1)")  # fmt: skip
def doubling_trick(scale, seed):
    found = {game_name(cell.game): ratio(result.final_regret("doubling"), result.final_regret(ARS))
             for cell, result in READINGS.results(scale, seed).items()}  # fmt: skip
    return Cases("regret with doubling over that with T known", found, axis="log").at_most(1 / (1 - 2 ** (-2 / 3)))


@claims("C20", "In each phase of ARS-CLW every step ends a round with the same probability, unlike in CLW.",
        "Appendix C", note="rounds that end per step, in the first 2d steps over later ones; d = 10")  # fmt: skip
def same_probability(scale, seed):
    found = beyond.ends(10, 4000, seed)
    early = {name: quotient(mean(first), mean(later)) for name, (first, later) in found.items()}
    return [
        Cases("first 2d steps over later ones, ARS-CLW", early["ARS-CLW"], axis="log").similar(),
        Cases("first 2d steps over later ones, CLW", early["CLW"], axis="log").above(SIMILAR[1]),
    ]


@claims("R1", "Rounding g, and waiting for the first coins, change the regret by less than a tenth.",
        "Algorithms 2 and 3", ours=True)  # fmt: skip
def readings(scale, seed):
    pairs = {"g rounded down": ARS, "g rounded to the nearest": ARS, "coins waited for": "CLW, d told"}
    found = {f"{game_name(cell.game)}, {name}": ratio(result.final_regret(name), result.final_regret(base))
             for cell, result in READINGS.results(scale, seed).items() for name, base in pairs.items()}  # fmt: skip
    return Cases("regret over that of the default", found, axis="log").similar()
