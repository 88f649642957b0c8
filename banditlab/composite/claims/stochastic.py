"""Claims about ARS-UCB: against ODAAF, its growth, and its two parameters."""

import itertools

import numpy as np

from ...claims import claim, every
from ..experiments import paper
from ..experiments.instances import ALPHAS, CASES, EIGHT, GROWTHS, VARIANTS, named
from ..experiments.paper import CENTRE, final
from .common import below, counted, most, ratio

TAILED = "increasing 100"  # mean regret there is that of a heavy tail
SHORT = ("discounted 0.8", "discounted 0.9", "polynomial 3", "polynomial 2")
SEVEN = [named(alpha, growth) for alpha, growth in paper.SEVEN]
THREE = 0.9973  # level of three standard errors; with few runs the t-interval is a little wider
PAIRED = "paired 98 % intervals"


def regrets(name, scale, seed, *settings):
    """Regret at the horizon in one of the twelve cases, run by run, of each setting."""
    result = paper.cell(name, scale, seed)
    return [final(result, setting) for setting in settings]


def against_benchmarks(setting, scale, seed):
    """(cell, variant, whether the setting is better, ratio) in the eight cells with a benchmark."""
    for name, variant in itertools.product(EIGHT, VARIANTS):
        ours, theirs = regrets(name, scale, seed, setting, variant)
        yield name, variant, below(ours, theirs), ours.mean() / theirs.mean()


def beats_odaaf(scale, seed):
    """C1."""
    rows = list(against_benchmarks(CENTRE, scale, seed))
    worst = max(rows, key=lambda row: row[3])
    return claim(
        "C1", "ARS-UCB (α = 4, f = k²) beats ODAAF, which is told the delays.", "Section 4.1, Figures 2 and 3",
        f"largest regret ratio {worst[3]:.2f} ({worst[0]}, {worst[1]}); {counted(row[2] for row in rows)}",
        f"{PAIRED} below 0 against four variants in eight cells",
        {"generalised ODAAF as derived": every(row[2] for row in rows)},
    )  # fmt: skip


def all_settings(id, sentence, settings, scale, seed, tested=True):
    """One sentence about several settings: it holds if it holds for each, where this scale can test it."""
    rows = {name: list(against_benchmarks(name, scale, seed)) for name in settings}
    text = []
    for name, part in rows.items():
        cells = sorted({cell for cell, _, better, _ in part if not better})
        text.append(f"{name}: {counted(row[2] for row in part)}" + (f" ({', '.join(cells)})" if cells else ""))
    return claim(
        id, sentence, "Section 4.1, Figures 2 and 3", "; ".join(text), f"{PAIRED} below 0 in every comparison",
        {"all settings": every(row[2] for part in rows.values() for row in part)} if tested else None,
    )  # fmt: skip


def others_beat_odaaf(scale, seed):
    """C1b."""
    settings = [named(8.0, "k2"), named(4.0, "k3"), named(4.0, "2k")]
    return all_settings("C1b", "So do (8, k²), (4, k³) and (4, 2ᵏ).", settings, scale, seed)


def always_beats_odaaf(scale, seed):
    """C1c: these settings are heavy tailed, and twenty runs miss the tail."""
    sentence = "In all experiments ARS-UCB beats ODAAF, α = 1 and 2 and f = k included."
    settings = [named(1.0, "k2"), named(2.0, "k2"), named(4.0, "k")]
    return all_settings("C1c", sentence, settings, scale, seed, scale == "paper")


def increments(regret):
    """Regret of the last half and of the quarter before, run by run."""
    quarter = regret.shape[1] // 4
    return regret[:, -1] - regret[:, 2 * quarter - 1], regret[:, 2 * quarter - 1] - regret[:, quarter - 1]


def flattens(late, early):
    """Whether an increment is at most the one before, to three standard errors, and below √2 times it."""
    return every([below(early, late, THREE) is not True, below(ratio(late, early), np.sqrt(2.0))])


def logarithmic(scale, seed):
    """C2."""
    settings, holds, ratios = (CENTRE, named(8.0, "k2")), {}, {}
    for name, setting in itertools.product(CASES, settings):
        late, early = increments(paper.cell(name, scale, seed).of_policy(setting))
        holds[name, setting], ratios[name, setting] = flattens(late, early), late.mean() / early.mean()
    judged = [key for key in holds if key[0] != TAILED]
    worst, tailed = max(judged, key=ratios.get), [ratios[TAILED, setting] for setting in settings]
    return claim(
        "C2", "The regret of ARS-UCB is always logarithmic.", "Theorem 1, Section 4.1",
        f"growth over the last doubling of T, over that of the doubling before: {min(ratios[k] for k in judged):.2f} "
        f"to {ratios[worst]:.2f} ({worst[0]}); "
        f"{counted((holds[k] for k in judged), 'flattens', 'not')}; {TAILED}, not judged because its mean is that of a "
        f"heavy tail: {tailed[0]:.2f} and {tailed[1]:.2f}",
        "not above 1 by 3 standard errors (99.73 % interval), and 98 % interval below √2 (logarithm 1, root 1.41)",
        {"(4, k²) and (8, k²), 11 cases": every(holds[k] for k in judged)},
    )  # fmt: skip


def place(found, limit):
    """Whether a setting is among so many best, and its rank: `found` tells which others are decidedly smaller."""
    least, top = 1 + found.count(False), 1 + found.count(False) + found.count(None)
    return None if least <= limit < top else top <= limit


def best_setting(scale, seed):
    """C3."""
    others = [name for name in SEVEN if name != CENTRE]
    means, spreads, best = [], [], []
    for name in CASES:
        regret = dict(zip(SEVEN, regrets(name, scale, seed, *SEVEN), strict=True))
        means.append([below(regret[CENTRE], regret[other]) for other in others])
        off = {setting: np.abs(values - np.median(values)) for setting, values in regret.items()}
        spreads.append([below(off[CENTRE], off[other]) for other in others])
        best.append(min(SEVEN, key=lambda setting, regret=regret: regret[setting].mean()))
    holds = {
        reading: every(most((place(found, limit) for found in half), 0.5) for half in (means, spreads))
        for reading, limit in (("the smallest of seven", 1), ("among the three smallest", 3))
    }
    counts = ", ".join(f"{n} {best.count(n)}" for n in SEVEN if n in best)
    beaten = [sum(False in found for found in half) for half in (means, spreads)]
    return claim(
        "C3", "(α = 4, f = k²) behaves better in most of these problems: small regret and small variance.",
        "Section 4.1", f"smallest mean in: {counts} of 12 cases; another setting has a decidedly smaller mean in "
        f"{beaten[0]}, a decidedly smaller spread in {beaten[1]}",
        f"mean and spread (distance from the median) in more than 6 of 12 cases, {PAIRED}", holds,
    )  # fmt: skip


def short_delays(scale, seed):
    """C4, first part."""
    steps = [regrets(name, scale, seed, named(a, "k2"), named(b, "k2"))
             for name in SHORT for a, b in itertools.pairwise(ALPHAS)]  # fmt: skip
    ratios = [a.mean() / b.mean() for a, b in steps]
    return claim(
        "C4a", "Where little is late and T is large, a smaller α is better.", "Remark 1",
        f"regret ratios of α to 2α: {min(ratios):.2f} to {max(ratios):.2f}",
        f"{PAIRED} below 0, all steps from 1 to 8, four infinite shapes",
        {"f = k²": every(below(a, b) for a, b in steps)},
    )  # fmt: skip


def long_delays(scale, seed):
    """C4, second part."""
    eight, four, one = regrets(TAILED, scale, seed, *(named(a, "k2") for a in (8.0, 4.0, 1.0)))
    return claim(
        "C4b", "Where much is late and T is small, a larger α is better.", "Remark 1",
        f"mean regret in {TAILED}: {eight.mean():.0f} at α = 8, {four.mean():.0f} at 4, {one.mean():.0f} at 1",
        f"{PAIRED} below 0 from 8 to 4 and from 4 to 1; 200 runs, because it is heavy tailed",
        {"f = k²": every([below(eight, four), below(four, one)])} if scale == "paper" else None,
    )  # fmt: skip


def faster_rounds(scale, seed):
    """C5, first part."""
    cube, square, linear = regrets(TAILED, scale, seed, *(named(4.0, f) for f in ("k3", "k2", "k")))
    return claim(
        "C5a", "A faster f avoids a large constant.", "Remark 1",
        f"regret ratios in {TAILED}: k³ to k² {cube.mean() / square.mean():.2f}, k² to k "
        f"{square.mean() / linear.mean():.2f}", f"{PAIRED} below 0, α = 4; 200 runs, because it is heavy tailed",
        {TAILED: every([below(cube, square), below(square, linear)])} if scale == "paper" else None,
    )  # fmt: skip


def faster_rounds_always(scale, seed):
    """C5, second part."""
    steps = [("k³ < k²", "k3", "k2"), ("k² < k", "k2", "k")]
    found = {text: [below(*regrets(name, scale, seed, named(4.0, a), named(4.0, b))) for name in SHORT]
             for text, a, b in steps}  # fmt: skip
    return claim(
        "C5b", "A faster f is better whatever the delays.", "Remark 1",
        "; ".join(f"{text}: {counted(part, 'holds', 'reversed')}" for text, part in found.items()),
        f"{PAIRED} below 0, α = 4, four infinite shapes",
        {"all four": every(holds for part in found.values() for holds in part)},
    )  # fmt: skip


def benchmark_order(scale, seed):
    """C6."""
    order, found = ("generalised ODAAF", "ODAAF bound", "ODAAF mean"), {}
    for name, (first, second) in itertools.product(EIGHT, itertools.pairwise(order)):
        found[name, first, second] = below(*regrets(name, scale, seed, first, second))
    broken = sorted({name for (name, _, _), holds in found.items() if holds is False})
    return claim(
        "C6", "(ours) The benchmarks, best first: generalised ODAAF, ODAAF bound, ODAAF mean.", "Section 4.1",
        counted(found.values(), "in this order", "reversed") + (f" ({', '.join(broken)})" if broken else ""),
        f"{PAIRED} of neighbours in the order below 0, eight cells",
        {"generalised ODAAF as derived": every(found.values())},
    )  # fmt: skip


def order_of(name, alpha, scale, seed):
    """For every two growth functions whether the first is better at this alpha."""
    pairs = itertools.combinations(GROWTHS, 2)
    return [below(*regrets(name, scale, seed, *(named(alpha, growth) for growth in pair))) for pair in pairs]


def other_alphas(scale, seed):
    """C16."""
    agree = []
    for name, alpha in itertools.product(CASES, (2.0, 8.0)):
        both = zip(order_of(name, alpha, scale, seed), order_of(name, 4.0, scale, seed), strict=True)
        agree += [None if a is None or b is None else a == b for a, b in both]
    decided = [same for same in agree if same is not None]
    return claim(
        "C16", "Other α values show similar behaviour of the growth functions.", "Section 4.1",
        f"two of the four f are in the same order at α = 2 or 8 as at 4: {counted(agree, 'so', 'reversed')}",
        f"more than three quarters of the pairs that {PAIRED} decide at both α",
        {"order of the four f": most(decided, 0.75) if decided else None},
    )  # fmt: skip


def holding(scale, seed):
    """C15."""
    result = paper.at_once(scale, seed)
    ratios = {growth: ratio(final(result, growth), final(result, "1")) for growth in GROWTHS}
    return claim(
        "C15", "Holding an arm for a round costs little against UCB.", "Section 2.2",
        "regret over that of rounds of one step, no delay: "
        + ", ".join(f"{GROWTHS[f]} {r.mean():.2f}" for f, r in ratios.items()),
        "98 % interval below 1.3 for f = k²", {"f = k²": below(ratios["k2"], 1.3)},
    )  # fmt: skip


STOCHASTIC = (
    beats_odaaf, others_beat_odaaf, always_beats_odaaf, logarithmic, best_setting, short_delays, long_delays,
    faster_rounds, faster_rounds_always, benchmark_order, other_alphas, holding,
)  # fmt: skip
