"""Claims about ARS-UCB in the experiments: against ODAAF, its growth, and its two parameters."""

import itertools
import math

import numpy as np

from banditlab.composite import bounds
from banditlab.evidence import (
    MUCH,
    SIMILAR,
    Cases,
    count,
    every,
    exact,
    growth,
    mean,
    proportion,
    ratio,
    regret_difference,
)
from banditlab.evidence.questions import jointly

from .. import refined
from ..delay import CASES, EIGHT, FOUR, TAILED
from ..runs import ALPHAS, BENCHMARK, CENTRE, GROWTHS, NINE, SAFE_SETTINGS, SEVEN, VARIANTS, named
from ..studies import ALPHA_AGAINST_T, AT_ONCE, DRAWN, FAVOURED, FIGURE_4, SAFE, TWELVE
from .registry import claims

SECTION = "Section 4.1, Figures 2 and 3"
LARGE = named(8.0, "k2")  # the only one of our settings that Theorem 1 covers


def cells(scale, seed, names=tuple(CASES)):
    """Results by name of the case."""
    return {cell.case: result for cell, result in TWELVE.results(scale, seed, case=names).items()}


def against(scale, seed, benchmarks, settings, one):
    """One estimate for each case, benchmark of the case, and setting."""
    return {
        f"{case}, {setting}, {other}": one(result, other, setting)
        for case, result in cells(scale, seed, EIGHT).items()
        for other in benchmarks(case)
        for setting in settings
    }


def less_often(result, other, setting):
    """Share of runs in which the setting has less regret than the other."""
    below = result.final_regret(setting) < result.final_regret(other)
    return proportion(int(below.sum()), len(below))


@claims(
    "C1",
    "ARS-UCB always outperforms ODAAF, which is told the delays.",
    "Section 2.2, Figures 2 and 3",
    quote="ARS-UCB always outperforms ODAAF",
    figure="Regret",
    note="settings: α = 1, 2, 4, 8 with f = k², and f = k, k³, 2ᵏ with α = 4, our choice; generalised ODAAF as derived",
)
def beats_odaaf(scale, seed):
    def printed(case):
        return (BENCHMARK[case],)

    def all_four(case):
        return VARIANTS

    what = "regret of ODAAF minus that of ARS-UCB"
    often = "share of runs in which ARS-UCB loses less"
    return {
        "our seven settings, the paper's benchmark": Cases(
            what, against(scale, seed, printed, SEVEN, regret_difference)
        ).above(0),
        "those with α ≥ 4, the paper's benchmark": Cases(
            what, against(scale, seed, printed, SAFE_SETTINGS, regret_difference)
        ).above(0),
        "(α = 4, k²), which it favours": Cases(what, against(scale, seed, all_four, [CENTRE], regret_difference)).above(
            0
        ),
        "our seven, four variants": Cases(what, against(scale, seed, all_four, SEVEN, regret_difference)).above(0),
        "our seven, in most runs": Cases(often, against(scale, seed, all_four, SEVEN, less_often)).above(0.5),
    }


@claims("C1b", "In all experiments ARS-UCB significantly outperforms ODAAF: much less regret.", SECTION,
        quote="in all our experiments, ARS-UCB significantly outperforms ODAAF, which assumes full knowledge of the "
        "delay size",
        figure="Regret", note="settings as in C1, against the paper's benchmark of each case; the setting that it "
        "favours plays more runs, and others")  # fmt: skip
def much_better(scale, seed):
    def part(result, other, setting):
        return ratio(result.final_regret(setting), result.final_regret(other))

    what = "regret of ARS-UCB over ODAAF's"
    seven = against(scale, seed, lambda case: (BENCHMARK[case],), SEVEN, part)
    played = {cell.case: result for cell, result in FAVOURED.results(scale, seed).items()}
    centre = {f"{case}, {CENTRE}, {BENCHMARK[case]}": part(played[case], BENCHMARK[case], CENTRE) for case in EIGHT}
    safe = {name: one for name, one in seven.items() if any(f", {s}, " in name for s in SAFE_SETTINGS)}
    return {
        "our seven settings": Cases(what, seven, axis="log").much_less(),
        "those with α ≥ 4": Cases(what, safe, axis="log").much_less(),
        "(α = 4, k²), which it favours": Cases(what, centre, axis="log").much_less(),
    }


@claims("C2", "The cumulative regrets of ARS-UCB are always logarithmic.", "Section 4.1, Theorem 1",
        quote="we observe that the cumulative regrets of ARS-UCB are always logarithmic in T",
        figure="Figures 2 to 4: α", note="slower than √T, whose exponent is 1/2; a logarithm's is near 0")  # fmt: skip
def logarithmic(scale, seed):
    found = {(case, s): growth(result, s) for case, result in cells(scale, seed).items() for s in SEVEN}

    def asked(settings):
        part = {f"{case}, {s}": one for (case, s), one in found.items() if s in settings}
        return Cases("growth exponent", part).below(0.5)

    return {
        "our seven settings": asked(SEVEN),
        "those with α ≥ 4": asked(SAFE_SETTINGS),
        "(α = 4, k²), which it favours": asked([CENTRE]),
        "(α = 8, k²), inside Theorem 1": asked([LARGE]),
    }


def is_small(answers):
    """Whether a value is less than half of its rivals or more, from answers about each rival."""
    half, held, open_ = len(answers) / 2, answers.count(True), answers.count(None)
    return True if held >= half else None if held + open_ >= half else False


def leads(study, rivals, scale, seed, values):
    """By case and rival, whether the mean value of the centre is less, by paired differences."""
    for cell, result in study.results(scale, seed).items():
        at = {s: values(result.final_regret(s)) for s in (CENTRE, *rivals)}
        yield from (((cell.case, s), Cases("", mean(at[s] - at[CENTRE])).above(0)) for s in rivals)


def by_case(asked, judge):
    """What is judged in each case from the joint answers about its rivals."""
    answers = {}
    for (case, _), answer in jointly(asked).items():
        answers.setdefault(case, []).append(answer)
    return {case: judge(found) for case, found in answers.items()}


def settings_compared(scale, seed, what, values):
    """Reading to the number of cases in which the centre's mean value is decidedly the least, or small; over half are
    most.

    Rivals with α ≥ 4, all of them among the seven, play more runs to tell the least: where one of these beats the
    centre, it is not the least of the seven either.
    """
    near, far = ([s for s in SEVEN if s != CENTRE and (s in SAFE_SETTINGS) is safe] for safe in (True, False))
    safe = dict(leads(SAFE, near, scale, seed, values))
    least = safe | dict(leads(TWELVE, far, scale, seed, values))
    drawn = dict(leads(DRAWN, near + far, scale, seed, values))
    drawn_safe = {(case, s): one for (case, s), one in drawn.items() if s in near}
    found, groups = {}, ("among our seven", "among those with α ≥ 4")
    for among, asked in zip(groups, (least, safe), strict=True):
        found[among] = count(f"cases in which its {what} is the least", by_case(asked, every), 7)
    for among, asked in zip(groups, (drawn, drawn_safe), strict=True):
        found[f"small {among}"] = count(f"cases in which its {what} is small", by_case(asked, is_small), 7)
    return found


SMALL = (
    "small: less than at least half of the other settings, since the paper says small, not smallest; chosen before it "
    "was run"
)


@claims("C3", "(α = 4, f = k²) behaves better in most of these problems: small regrets.", "Section 4.1",
        quote="behaves better in most of these problem instances, and leads to both small regrets and small variances",
        looks=1, note=f"more than 6 of 12 cases in which its mean is the least, or small; {SMALL}")  # fmt: skip
def best_setting(scale, seed):
    return settings_compared(scale, seed, "mean regret", lambda regret: regret)


@claims("C3b", "(α = 4, f = k²) behaves better in most of these problems: small variances.", "Section 4.1",
        quote="behaves better in most of these problem instances, and leads to both small regrets and small variances",
        looks=1, note=f"more than 6 of 12 cases; spread: mean distance from the median; {SMALL}")  # fmt: skip
def least_spread(scale, seed):
    return settings_compared(scale, seed, "spread", lambda regret: np.abs(regret - np.median(regret)))


@claims("C4a", "When d1, d2 are small but T is large, a smaller α behaves better.", "Remark 1",
        quote="when d1, d2 are small but T is large, a smaller α behaves better",
        figure="Figures 2 to 4: α", note="steps from α = 1 to 2 to 4 to 8, f = k²; large: beside the delays, not "
        "beside T* of Theorem 1, which no horizon played reaches (T1b)")  # fmt: skip
def short_delays(scale, seed):
    found = {f"{case}, α = {a:g} and {b:g}": regret_difference(result, named(b, "k2"), named(a, "k2"))
             for case, result in cells(scale, seed, FOUR).items() for a, b in itertools.pairwise(ALPHAS)}  # fmt: skip
    return Cases("regret at 2α minus that at α", found).above(0)


def at_share(result, name, share_of_horizon):
    """Regret run by run at this share of the horizon."""
    return result.of_policy(name)[:, round(len(result.checkpoints) * share_of_horizon) - 1]


@claims("C4b", "When d1, d2 are large and T is small, a larger α can reduce the regret.", "Remark 1",
        quote="when the delay measures d1, d2 are large and T is small, a larger α can reduce the regret",
        figure="α against T", note=f"{TAILED}, f = k²; small: against the T* of Theorem 1, beside which every horizon "
        "played is small (T1b), or against what is played; α = 8 against 1, and there also 8 against 4 and 4 "
        "against 1")  # fmt: skip
def long_delays(scale, seed):
    (result,) = ALPHA_AGAINST_T.results(scale, seed).values()
    horizon, what = int(result.checkpoints[-1]), "regret at the smaller α minus that at the larger"
    low, high = named(1.0, "k2"), named(8.0, "k2")
    answers = {f"small against T*: T = {horizon:,}": Cases(what, regret_difference(result, low, high)).above(0)}
    for part in (64, 16):
        at = {a: at_share(result, named(a, "k2"), 1 / part) for a in (1.0, 4.0, 8.0)}
        found = {"α = 8 and 4": mean(at[4.0] - at[8.0]), "α = 4 and 1": mean(at[1.0] - at[4.0])}
        answers[f"small against what is played: T = {horizon // part:,}"] = Cases(what, found).above(0)
    return answers


@claims("C5", "To avoid a large constant in regret, a function f that increases faster is better.", "Remark 1",
        quote="to avoid a large constant in regret, choosing a function f that increases faster would be better",
        figure="Figures 2 to 4: f", note="k³ against k² and k² against k; of the regret at α = 4; of the constant "
        "at α = 8, exact: its logarithm as printed, k² against k (from k² on it stays), and ln T* refined, "
        "ours")  # fmt: skip
def faster_rounds(scale, seed):
    answers = of_the_constant()
    steps = (named(4.0, "k2"), named(4.0, "k3")), (named(4.0, "k"), named(4.0, "k2"))
    for reading, names in ((f"large delays ({TAILED})", (TAILED,)), ("small delays (without an end)", FOUR)):
        found = {f"{case}, {slow} and {fast}": regret_difference(result, slow, fast)
                 for case, result in cells(scale, seed, names).items() for slow, fast in steps}  # fmt: skip
        answers[reading] = Cases("regret with the slower f minus that with the faster", found).above(0)
    return answers


def of_the_constant():
    """Whether a faster f has the smaller constant, as printed and refined, in every case that Theorem 1 covers."""
    printed, found = {}, {}
    for case, delay in CASES.items():
        late = bounds.d1(NINE, delay.shape), bounds.d2(NINE, delay.shape)
        if math.isfinite(late[0]):
            slow, fast = (bounds.ars_ucb_constant(*late, 8.0, f).log_constant for f in ("k", "k2"))
            printed[case] = exact(slow / fast)
            logs = {name: refined.refined_log_horizon(*late, 8.0, f) for f, name in list(GROWTHS.items())[:3]}
            steps = itertools.pairwise(logs.items())
            found |= {f"{case}, {a} and {b}": exact(slow / fast) for (a, slow), (b, fast) in steps}
    what = "with the slower over the faster f"
    return {
        "of the constant of Theorem 1, k² against k": Cases(f"ln of the constant {what}", printed, axis="log").above(1),
        "of the constant of Theorem 1, refined": Cases(f"ln T* {what}", found, axis="log").above(1),
    }


@claims("C16", "Other α values show similar behaviour of the growth functions.", "Section 4.1",
        quote="other α values show similar behavior",
        note="of pairs of f that are decided at both α nine in ten have the same order, because similar is within 10 % "
        "elsewhere; chosen after a run was seen")  # fmt: skip
def other_alphas(scale, seed):
    most = []
    for alpha in (2.0, 8.0):
        agree = {}
        for case, result in cells(scale, seed).items():
            for first, second in itertools.combinations(GROWTHS, 2):
                both = [order(result, at, first, second) for at in (4.0, alpha)]
                if None not in both:
                    agree[f"{case}, {GROWTHS[first]} and {GROWTHS[second]}"] = both[0] == both[1]
        agree = agree or {"no pair is decided": None}
        most.append(count(f"pairs of f in the same order at α = {alpha:g} as at α = 4", agree,
                          math.ceil(SIMILAR[0] * len(agree))))  # fmt: skip
    return most


def order(result, alpha, first, second):
    """Whether the first growth function has less regret at this alpha, None where that is open."""
    pair = Cases("", regret_difference(result, named(alpha, second), named(alpha, first)))
    return pair.above(0).answer


@claims(
    "C15",
    "Holding an arm for a round does not cause excessive regret compared to UCB.",
    "Section 2.2",
    quote="doing so does not cause excessive regret compared to UCB",
    note="no delay; excessive: what would make UCB much better, 3/2 and more; chosen after a run was seen",
)
def holding(scale, seed):
    (result,) = AT_ONCE.results(scale, seed).values()
    return {
        f"f = {GROWTHS[f]}": Cases("regret over that of rounds of one step", ratio(
            result.final_regret(f), result.final_regret("1")), axis="log").below(1 / MUCH)
        for f in GROWTHS
    }  # fmt: skip


@claims("C6", "The benchmarks, best first: generalised ODAAF, ODAAF told the bound, ODAAF told the mean.", SECTION,
        ours=True, note="generalised ODAAF as derived")  # fmt: skip
def benchmark_order(scale, seed):
    order = ("generalised ODAAF", "ODAAF bound", "ODAAF mean")
    found = {
        f"{case}, {better}": regret_difference(result, worse, better)
        for case, result in cells(scale, seed, EIGHT).items()
        for better, worse in itertools.pairwise(order)
    }
    return Cases("regret of the next benchmark minus that of the better", found).above(0)


@claims("C17", "Without an end of the delays, but few of them long, UCB1 that ignores delays beats (α = 4, k²).",
        FIGURE_4.name, ours=True, figure="Regret", note="both polynomial shapes")  # fmt: skip
def blind_ucb1(scale, seed):
    found = {case: regret_difference(result, CENTRE, "UCB1, delay-blind")
             for case, result in cells(scale, seed, FOUR[2:]).items()}  # fmt: skip
    return Cases("regret of ARS-UCB minus that of UCB1", found).above(0)
