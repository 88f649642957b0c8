"""Captions: (found, n) in, a sentence out; what they conclude is computed from the results."""

import math

import numpy as np

from banditlab.composite import bounds
from banditlab.evidence import growth
from banditlab.evidence.provenance import span
from banditlab.study import sentences

from . import misleading, sequences
from .beyond import GENERAL_TOLD
from .data import STAND_INS
from .delay import Delay
from .drawings import BEST, best_variant, linear, only, title_of
from .runs import ARS, BLIND, CENTRE, CLW, GROWTHS, VARIANTS, evenly


def short(value):
    """A number for captions."""
    return "∞" if math.isinf(value) else f"{value:.3g}"


def runs_of(found):
    """How many runs there were, in words."""
    numbers = {result.regret.shape[1] for result in found.values()}
    return f"{min(numbers)} runs" if len(numbers) == 1 else f"at least {min(numbers)} runs"


def regret(found, n):
    """What the explorer's first figure shows, and what Theorem 1 is worth there."""
    text = (
        rf"{n.runs} runs; {Delay.of(n).words}; ARS-UCB with $\alpha={n.alpha:g}$ and f = {GROWTHS[n.growth]}. Left: "
        "means, medians as thin lines. Right: share of runs with at most that regret at the horizon; a long flat end "
        f"is a heavy tail. {sentences.shapes(found)}"
    )
    return text + theorem1(n) if n.upper else text


def theorem1(n):
    """What Theorem 1 is worth here, in words: its leading term at the horizon, and the constant that is left out."""
    means, shape = evenly(n.arms, n.gap), Delay.of(n).shape
    limit = bounds.ars_ucb_upper(means, shape, n.horizon, n.alpha)[-1]
    if not math.isfinite(limit):
        return r" Theorem 1 says nothing here: it asks for $\alpha>4$ and a finite $d_1$."
    late = bounds.d1(means, shape), bounds.d2(means, shape)
    constant, most = bounds.ars_ucb_constant(*late, n.alpha, n.growth).log_t1, n.horizon * float(np.ptp(means))
    return (
        f" The line of Theorem 1 is its leading term, {limit:,.0f} at the horizon, "
        f"{'above' if limit > most else 'below'} {most:,.0f}, the most that can be lost. Its constant is left out: it "
        rf"is at least $2t_1$ with $\ln t_1={constant:,.1f}$."
        + (" With it, the theorem says nothing at this horizon." if constant + math.log(2.0) > math.log(most) else "")
    )


def settings(found, n):
    """Settings of ARS-UCB under one shape."""
    result = only(found)
    heavy = [name for name in result.policies if skewed(result.final_regret(name))]
    return (
        f"{n.runs} runs; {Delay.of(n).words}. Left: mean regret with 95 % t-interval, medians as thin lines. Right: "
        rf"share of runs with at most that regret at $T={n.horizon:,}$. A mean far above its median tells of a heavy "
        "tail: some runs dismiss the best arm early, because its rewards were credited to others. "
        f"Here a tenth of the runs or more lie above twice the median with: {', '.join(heavy) or 'none'}."
    )


def skewed(final):
    """Whether a tenth of the runs lie above twice the median."""
    return (final > 2 * np.median(final)).mean() >= 0.1


def one_reward(found, n):
    """How much of a reward is late."""
    means, shape = evenly(n.arms, n.gap), Delay.of(n).shape
    moments, first, second = bounds.delay_moments(shape), bounds.d1(means, shape), bounds.d2(means, shape)
    return (
        f"{Delay.of(n).words}. Bars: the part of a reward that arrives after each delay (a chance where the delay is "
        f"random). Line: what is still to come. Mean delay {short(moments.mean)} steps; $d_1={short(first)}$ bounds "
        f"the mean, $d_2={short(second)}$ the variance of the reward that is late at any time (Theorem 1)."
    )


def strip(found, n):
    """How the policies hold their arms."""
    played = only(found)
    steps = len(next(iter(played.ranks.values())))
    return (
        f"The first {steps:,} steps of one run under {Delay.of(n).words}; a colour is an arm, the best one darkest. "
        "ARS-UCB holds an arm for a round that grows each time, so that ever less of what it sees belongs to another "
        "arm; UCB1 changes arms at once." + f" ODAAF begins with {played.first:,} steps of each." * bool(played.first)
    )


def triangles(found, n):
    """What a round gets and leaves."""
    played = only(found)
    return (
        "Each row is a pull, each column the step in which a part of its reward arrives. The round (frame, "
        f"{played.steps} steps) collects its columns, not its rows: it gets {played.late:.2f} rewards of earlier pulls "
        "(the triangle above it) and leaves as much of its own to later ones (the triangle on its right), if every "
        f"pull pays 1. {limit_of_triangles(Delay.of(n).shape, played.late)} That is why long rounds help."
    )


def limit_of_triangles(shape, late):
    """How the triangles depend on the length of the round, in words."""
    mean = bounds.delay_moments(shape).mean
    if math.isinf(mean):
        power = "logarithm" if shape.first == 2.0 else f"power {2.0 - shape.first:.2g}"
        return f"There is no limit: it grows like the {power} of the round, slower than the round itself."
    if math.isclose(late, mean):
        return "A longer round gets and leaves no more: this is the mean delay."
    return f"However long the round, it is never more than the mean delay, {mean:.4g}."


def radii(found, n):
    """From when on the proof's radius is below ARS-UCB's, and Theorem 1 at work."""
    means, shape, (table, starts) = evenly(n.arms, n.gap), Delay.of(n).shape, only(found)
    text = "Here $d_1$ or $d_2$ is infinite, and so is the hidden radius."
    if starts is not None:
        above = np.flatnonzero(table["hidden"] > table["ARS-UCB"])
        enough = 0 if len(above) == 0 else above[-1] + 1
        text = "The proof needs the hidden radius to be below ARS-UCB's, " + (
            r"which it never is with $\alpha\le4$." if n.alpha <= 4 else
            f"as it is from {table['pulls N'][enough]:,.0f} pulls on." if enough < len(table) else
            "which takes more pulls than there are steps."
        ) + from_below(table) + at_work(starts, n)  # fmt: skip
    return (
        rf"Left, at $t={n.horizon:,}$, {Delay.of(n).words}: ARS-UCB's radius $\sqrt{{\alpha\ln t/N}}$ knows nothing of "
        rf"the delays. The hidden one of the proof, $\sqrt{{4\ln t/N}}+d_1K/N+\sqrt{{12d_2K\ln t}}/N$, bounds how far "
        rf"what is seen leaves the true mean after K rounds; $d_1={short(bounds.d1(means, shape))}$, "
        rf"$d_2={short(bounds.d2(means, shape))}$. {text}"
    )


def from_below(table):
    """How much of the hidden radius the proved half of Lemma 1 needs, in words."""
    share = table["from below, proved"] / table["hidden"]
    low, high = f"{share.min():.0%}", f"{share.max():.0%}"
    part = low if low == high else f"{low} to {high}"
    return f" On the lower side {part} of the radius has the same confidence: half of Lemma 1, which is proved here."


def at_work(starts, n):
    """From which horizon on Theorem 1 takes effect at this alpha, as printed and refined, in words."""
    if n.alpha <= 4:
        return r" Right: the horizon from which Theorem 1 takes effect, which it does for $\alpha>4$ only."
    here = starts[starts["α"] == n.alpha].iloc[0]
    logs, printed = {f: here[f] for f in GROWTHS.values()}, whole_log(here["printed"])
    said = ", ".join(f"{whole_log(logs[f])} with {f}" for f in sorted(logs, key=logs.get))
    return (
        rf" Right: at $\alpha={n.alpha:g}$ Theorem 1 as printed takes effect at "
        rf"$\ln T^*=(4d_1/(\sqrt\alpha-2))^2={printed}$, for every f, unless $d_2$ asks for more; "
        rf"refined, $d_2$ included, at $\ln T^*$ = {said}."
    )


def whole_log(value):
    """A logarithm for captions."""
    return "∞" if math.isinf(value) else f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def headline(found, n):
    """Who has the least mean in how many cases."""
    both = {cell.case: (result, result.final_regret(CENTRE).mean()) for cell, result in found.items()}
    bests = {case: best_variant(result) for case, (result, _) in both.items()}
    below = [case for case, (_, mean) in both.items() if bests[case] is not None and mean < bests[case].mean()]
    blind = [case for case, (result, mean) in both.items() if result.final_regret(BLIND).mean() < mean]
    told = sum(any(name in result.policies for name in VARIANTS) for result in found.values())
    return (
        f"Regret after $T={n.horizon:,}$ steps on the paper's nine arms, logarithmic axis: points are means of "
        f"{runs_of(found)}, bars reach from the 5 % to the 95 % quantile. ARS-UCB is told nothing; {BEST}, is told the "
        "delays; UCB1 credits what it sees to the arm it has just played. ARS-UCB has a smaller mean than the best "
        f"ODAAF in {len(below)} of {told} cases, UCB1 a smaller one than ARS-UCB in {len(blind)} of {len(found)}"
        + (f" ({', '.join(blind)})." if blind else ".")
    )


def holding(found, n):
    """What rounds cost where nothing is late."""
    result = only(found)
    one = result.final_regret("1").mean()
    said = ", ".join(f"{GROWTHS[f]} {result.final_regret(f).mean() / one:.2f}" for f in result.policies if f != "1")
    return f"No delay, {runs_of(found)}: regret over that of rounds of one step: {said}."


def two_columns(benchmark):
    """Of Figures 2 to 4."""

    def caption(found, n):
        text = (
            f"Medians of {runs_of(found)}, bands from the 5 % to the 95 % quantile; means would hide that some "
            r"settings are heavy tailed. Left $\alpha\in\{1,2,4,8\}$ with f = k², right f = k, k², k³, 2ᵏ with "
            r"$\alpha=4$"
        )
        if not benchmark:
            return text + "; no benchmark is known here."
        return f"{text}; {benchmark} is told the delays. {sentences.compared(found, CENTRE, benchmark, case_of)}"

    return caption


def case_of(cell):
    """Name of a cell of the twelve."""
    return cell.case


def game_of(cell):
    """Name of a cell of the games."""
    return title_of(cell.game)


def games(found, n):
    """Of Figure 5."""
    sources = {cell.game.rule: sequences.sources([cell.game.sequence], n.horizon) for cell in found}
    said = "; ".join(f"{rule.capitalize()} delays on {source}" for rule, source in sources.items())
    return (
        f"Left realised regret over {runs_of(found)}, mean with 95 % t-interval; right how much more than CLW each "
        f"policy loses, run by run, below 0 where it loses less. {said}. EXP3 ignores delays; CLW is told "
        f"d, and where delays are oblivious also 10 % less and more. {sentences.compared(found, ARS, CLW, game_of)} "
        f"{sentences.shapes(found)}"
    )


def adversary(found, n):
    """Of Figure 5 under the sliders."""
    arms, told = len(STAND_INS[n.sequence]), max(1, round(n.d * (1.0 + n.error)))
    limit = bounds.ars_exp3_upper(arms, n.horizon, n.d, n.beta)
    also = f", and {told} in its place" if told != n.d else ""
    also = f" only: with an error of {n.error:+.0%} it rounds to the same" if not also and n.error else also
    return (
        rf"Realised regret on a synthetic stand-in ({n.sequence}, {arms} arms), {n.runs} runs, {n.rule} delays "
        rf"with $d={n.d}$. Theorem 2 allows ARS-EXP3 at most {limit:,.0f}"
        + (", more than the horizon: it says nothing here." if limit > n.horizon else ".")
        + f" CLW is told d{also}. {sentences.shapes(found)}"
    )


def horizons(found, n):
    """How the regret grows with the horizon."""
    result = only(found)
    ends = result.checkpoints[-2:]
    slopes = {
        name: math.log(np.divide(*result.of_policy(name)[:, [-1, -2]].mean(axis=0))) / math.log(ends[1] / ends[0])
        for name in result.policies
    }
    said = ", ".join(f"{name} {slope:.2f}" for name, slope in slopes.items())
    return (
        rf"Synthetic stand-in {n.sequence}, delays that watch the player, $d={n.d}$; policies made anew for every "
        rf"horizon, {runs_of(found)}, 95 % t-intervals, beside the power $T^{{2/3}}$ of Theorem 2. Slope of the last "
        f"piece: {said}."
    )


def ties(found, n):
    """What watching delays do where two arms nearly tie."""
    said = "; ".join(
        f"{name} " + ", ".join(f"{growth(result, name).value:.2f}" for result in found.values()) for name in (ARS, CLW)
    )
    rules = ", ".join(cell.rule for cell in found)
    return (
        rf"Two arms that nearly tie (synthetic stand-in {n.sequence}), $d={n.d}$, {runs_of(found)}: delays that watch "
        rf"the player, or constant ones. Growth exponents $\log_2(R_T/R_{{T/2}})$, 1 is linear, under {rules}: {said}."
    )


def against_time(found, n):
    """Which alpha is best when."""
    result = only(found)
    means, marks = result.regret.mean(axis=1), result.checkpoints
    best = [result.policies[i].split(",")[0] for i in means.argmin(axis=0)]
    turns = [k for k in range(len(best)) if k == 0 or best[k] != best[k - 1]]
    said = ", then ".join(f"{best[k]} (t = {marks[k]:,.0f})" for k in turns)
    return (
        f"{Delay.of(n).words}, f = {GROWTHS[n.growth]}, {runs_of(found)}. Left: mean regret over the smallest mean at "
        "that step. Right: share of runs above twice the median, those that dismissed the best arm early; what they "
        f"lose grows with t. Smallest mean: {said}."
    )


def told_wrong(found, n):
    """What ODAAF loses that is told nothing, or too much."""
    said = []
    for cell, result in found.items():
        final = {m: result.final_regret(GENERAL_TOLD.format(m)).mean() for m in n.told}
        best = min(final, key=final.get)
        said.append(f"{cell.case}: {final[best]:,.0f} told {best:g} times the truth, {final[1.0]:,.0f} told the truth, "
                    f"ARS-UCB {result.final_regret(CENTRE).mean():,.0f}")  # fmt: skip
    return (
        f"Mean regret at $T={n.horizon:,}$ of ODAAF, told this multiple of the true mean delay (generalised: of the "
        rf"true $d$), {runs_of(found)}, 95 % t-intervals. The least regret of generalised ODAAF: {'; '.join(said)}."
    )


def knowledge(found, n):
    """Of the slider's version."""
    return (
        f"{n.runs} runs; {Delay.of(n).words}. ODAAF is told the truth, and {n.told:g} times the truth; ARS-UCB is told "
        f"nothing. {sentences.shapes(found)}"
    )


def misled(found, n):
    """Where the map and the measured cells agree."""
    drift = {cell: misleading.clw_drift(cell.tie, cell.d, 0.5) for cell in found}
    answers = {cell: linear(result, CLW) for cell, result in found.items()}
    agree = sum(answers[cell] is (drift[cell] < 0) for cell in found if answers[cell] is not None)
    decided = sum(answer is not None for answer in answers.values())
    return (
        "Colour: to first order, the drift of CLW's estimates to the best arm under delays that watch the player; "
        "left of the line CLW learns, right of it the rule leads it to the second arm. Dots: cells that were played, "
        rf"three arms, the best of them paying with probability 1/2, {runs_of(found)} of "
        f"{span(int(result.checkpoints[-1]) for result in found.values())} steps; CLW's growth exponent decides. "
        f"Map and dots agree in {agree} of {decided} decided cells."
    )


def misled_live(found, n):
    """Of the slider's version."""
    drift, loss = misleading.clw_drift(n.tie, n.d, 0.5), misleading.clw_loss(n.d)
    horizon = f"{misleading.recovery_horizon(n.tie, n.d):,.0f}" if n.tie < 1 else "∞"
    recovers = f"ARS-EXP3 recovers from about T = {horizon} on. " if n.d > 1 else ""
    return (
        f"Three arms, the second best pays {n.tie:g} times as often as the best; {n.rule} delays, $d={n.d}$, {n.runs} "
        f"runs. A fresh round of CLW on the best arm loses {loss:.1%} of its window to delays that watch; its drift is "
        f"then {drift:+.3f}: {'to the best arm' if drift > 0 else 'to the second arm' if drift < 0 else 'to neither'}. "
        f"{recovers}{sentences.shapes(found)}"
    )


def rates(found, n):
    """Which beta is best."""
    said = []
    for cell, result in found.items():
        final = {b: result.final_regret(f"β = {b:g}").mean() for b in n.betas}
        best = min(final, key=final.get)
        said.append(f"{game_of(cell)}: {best:g} ({final[best]:,.0f} against {final[0.5]:,.0f} at 1/2)")
    return (
        f"ARS-EXP3 with rounds of $k^\\beta$ steps, {runs_of(found)}, $T={n.horizon:,}$, 95 % intervals of the ratio. "
        f"Least mean regret at β of: {'; '.join(said)}."
    )
