"""Claims about ARS-EXP3, CLW and ARS-CLW."""

import itertools

import numpy as np

from ...claims import claim, every, some
from ..experiments import paper, sequences
from ..experiments.paper import DELAYS, HARD, final
from .common import LEVEL, below, counted, ratio

ARS, CLW = "ARS-EXP3", "CLW, d told"
PAIRED = "paired 98 % intervals"
LINEAR = 0.9  # growth from which on it is called linear: late slope over early slope, or power of T


def judged(id, sentence, where, statistic, interval, holds, names, scale):
    """A claim whose statistic and reading say which sequences it was tested on."""
    source = sequences.sources(names, paper.sizes(scale).rounds)
    return claim(id, sentence, where, f"{source}: {statistic}", interval, {source: holds})


def slowing(regret):
    """Slope over the last half, over that of the first eighth, as a number per run (see `ratio`): 1 is linear."""
    eighth, half = regret.shape[1] // 8 - 1, regret.shape[1] // 2 - 1
    return ratio((regret[:, -1] - regret[:, half]) / 4.0, regret[:, eighth])


def watched(scale, seed):
    """The six non-oblivious games, by (sequence, d)."""
    return {(name, d): paper.game(name, "non-oblivious", d, scale, seed) for name in HARD for d in DELAYS}


def unwatched(scale, seed):
    """The two oblivious games, by d."""
    return {d: paper.game("week7", "oblivious", d, scale, seed) for d in DELAYS}


def exp3_sublinear(scale, seed):
    """C7."""
    slopes = {key: slowing(game.of_policy(ARS)) for key, game in watched(scale, seed).items()}
    text = [f"{name} {max(slopes[name, d].mean() for d in DELAYS):.2f}" for name in HARD]
    return judged(
        "C7", "With delays that watch the player, ARS-EXP3 is sublinear.", "Section 4.2, Figure 5",
        "late slope over early slope at most " + ", ".join(text),
        f"98 % intervals below {LINEAR} (linear: 1), six cells",
        every(below(slope, LINEAR) for slope in slopes.values()), HARD, scale,
    )  # fmt: skip


def exp3_below_clw(scale, seed):
    """C8."""
    games = watched(scale, seed).values()
    ratios = [final(game, ARS).mean() / final(game, CLW).mean() for game in games]
    lower = [below(final(game, ARS), final(game, CLW)) for game in games]
    flatter = [below(slowing(game.of_policy(ARS)), slowing(game.of_policy(CLW))) for game in games]
    return judged(
        "C8", "With delays that watch the player, ARS-EXP3 is better than CLW, which is told d.", "Figure 5",
        f"regret ratios {min(ratios):.2f} to {max(ratios):.2f}; late slope over early slope "
        + counted(flatter, "smaller", "larger"),
        f"{PAIRED} of both below 0 in six cells", every([*lower, *flatter]), HARD, scale,
    )  # fmt: skip


def clw_linear(scale, seed):
    """C9."""
    slopes = [slowing(game.of_policy(CLW)) for game in watched(scale, seed).values()]
    means = [slope.mean() for slope in slopes]
    return judged(
        "C9", "With delays that watch the player, CLW suffers a linear regret.", "Section 4.2, Figure 5",
        f"late slope over early slope {min(means):.2f} to {max(means):.2f}",
        f"98 % intervals above {LINEAR} in six cells (linear: 1)", every(below(LINEAR, slope) for slope in slopes),
        HARD, scale,
    )  # fmt: skip


def near_tie(scale, seed):
    """C9b."""
    slopes = {name: paper.late_slope(result, CLW) for name, result in paper.stress(scale, seed).items()}
    return claim(
        "C9b", "(ours) Delays that watch the player hurt CLW where two arms nearly tie.", "Section 4.2",
        "synthetic stand-in twin3: regret per step over the last quarter "
        + ", ".join(f"{slope.mean():.4f} ({name})" for name, slope in slopes.items()),
        "98 % interval above twice that under a constant delay of 1, T = 4,000,000",
        {"synthetic stand-in twin3": below(2.0 * slopes["constant 1"], slopes["watching"])}
        if scale == "paper" else None,
    )  # fmt: skip


def told(d, error):
    """Name of CLW with this relative error."""
    return CLW if error == 0 else f"CLW, told {round(d * (1 + error))} for {d}"


def clw_slightly_better(scale, seed):
    """C10."""
    pairs = [(final(game, CLW), final(game, ARS)) for game in unwatched(scale, seed).values()]
    return judged(
        "C10", "With oblivious delays and the right d, CLW is slightly better than ARS-EXP3.", "Section 4.2, Figure 5",
        "regret of CLW over that of ARS-EXP3 " + ", ".join(f"{a.mean() / b.mean():.2f}" for a, b in pairs),
        f"{PAIRED} below 0, d = 10 and 20", every(below(a, b) for a, b in pairs), ("week7",), scale,
    )  # fmt: skip


def ten_percent_matters(scale, seed):
    """C11."""
    games = unwatched(scale, seed).items()
    pairs = [(final(game, told(d, -0.1)), final(game, told(d, 0.1))) for d, game in games]
    exact = [(final(game, told(d, -0.1)), final(game, CLW)) for d, game in games]
    return judged(
        "C11", "(ours) CLW that is told 10 % more than d loses more than CLW that is told 10 % less.", "Section 4.2",
        "regret told 0.9 d over told 1.1 d " + ", ".join(f"{a.mean() / b.mean():.3f}" for a, b in pairs)
        + ", over told d " + ", ".join(f"{a.mean() / b.mean():.3f}" for a, b in exact),
        f"{PAIRED} below 0, d = 10 and 20", every(below(a, b) for a, b in pairs), ("week7",), scale,
    )  # fmt: skip


def ten_percent_worse(scale, seed):
    """C11b."""
    cases = itertools.product(unwatched(scale, seed).items(), (-0.1, 0.1))
    level = 1.0 - (1.0 - LEVEL) / (2 * len(DELAYS))  # Bonferroni: one of four is enough
    found = [below(final(game, ARS), final(game, told(d, error)), level) for (d, game), error in cases]
    right = [below(final(game, ARS), final(game, CLW)) for game in unwatched(scale, seed).values()]
    return judged(
        "C11b", "With an error of 10 % in d CLW can be worse than ARS-EXP3.", "Section 4.2",
        f"CLW, with an error: {counted(found, 'worse', 'better')}; told d: {counted(right, 'worse', 'better')}",
        f"paired {100 * level:g} % interval above 0 in one of four (98 % over all)",
        some(found), ("week7",), scale,
    )  # fmt: skip


def blind(scale, seed):
    """C12."""
    ratios = []
    for (name, _), game in watched(scale, seed).items():
        chances = sequences.chances(name, paper.sizes(scale).rounds)
        uniform = game.checkpoints[-1] * (chances.max() - 1 / len(chances))
        ratios.append(final(game, "EXP3, delay-blind") / uniform)
    means = [values.mean() for values in ratios]
    return judged(
        "C12", "(ours) EXP3 that ignores delays learns nothing.", "Section 3.2",
        f"regret over that of uniform play {min(means):.3f} to {max(means):.3f}",
        "98 % intervals within [0.93, 1.07], six cells",
        every(holds for r in ratios for holds in (below(0.93, r), below(r, 1.07))), HARD, scale,
    )  # fmt: skip


def slope(scale, seed):
    """C13."""
    regret, horizons = paper.slopes(scale, seed)[0], paper.sizes(scale).slopes
    growth, step = ratio(regret[-1], regret[-2]), horizons[-1] / horizons[-2]
    return claim(
        "C13", "The regret of ARS-EXP3 grows like a power of T below 1.", "Theorem 2",
        f"synthetic stand-in outbrain10, d = 10: slope on logarithmic axes from {horizons[-2]:,} to {horizons[-1]:,} "
        f"{np.log(growth.mean()) / np.log(step):.2f} (Theorem 2: 2/3)", f"98 % interval below {LINEAR}",
        {"synthetic stand-in outbrain10": below(growth, step**LINEAR)},
    )  # fmt: skip


def slow_learner(scale, seed):
    """C14."""
    slow = ("ARS-CLW, p = 1/3", "ARS-CLW, p = 1/4")
    cases = itertools.product(watched(scale, seed).values(), slow, (ARS, CLW))
    found = [below(final(game, fast), final(game, name)) for game, name, fast in cases]
    return judged(
        "C14", "ARS-CLW pays for not knowing d with a large regret at first.", "Appendix C",
        f"above CLW and ARS-EXP3: {counted(found, 'so', 'below')}", f"{PAIRED} above 0, six cells", every(found), HARD,
        scale,
    )  # fmt: skip


ADVERSARIAL = (
    exp3_sublinear, exp3_below_clw, clw_linear, near_tie, clw_slightly_better, ten_percent_matters, ten_percent_worse,
    blind, slope, slow_learner,
)  # fmt: skip
