"""Claims on the targeted campaign (Appendix C.3)."""

from ...claims import claim, every
from ..environments.campaigns import MODES
from ..experiments import studies
from ..experiments.instances import C2, C2_BL, C2UCB, EPS, EPS_BL, GREEDY_BL, RANDOM
from ..tuning import TABLE_3
from .common import final, lead, over, pace, ratio, said, worst

PAIRS = ((EPS_BL, C2_BL), (EPS, C2))


def campaign_claim(id, sentence, where, tolerance, answer, text, scale, seed, modes=MODES):
    """A claim on the campaign in one or both feedback modes; the reading names the data."""
    found = {mode: studies.campaign_runs(mode, scale, seed) for mode in modes}
    statistic = "; ".join(f"{text(one.result)} ({mode})" for mode, one in found.items())
    holds = {f"{one.pool}, {mode}": answer(one.result) for mode, one in found.items()}
    return claim(id, sentence, where, statistic, tolerance, holds)


def times(result):
    """How many times the regret of C2UpUCB ε-greedy has, with and without the baseline."""
    return {f"{a} / {b}": ratio(result, a, b, among=2) for a, b in PAIRS}


def greedy_poor(scale, seed):
    """C1."""
    good, poor = (C2_BL, C2, EPS_BL, EPS), (GREEDY_BL, C2UCB, RANDOM)
    return campaign_claim(
        "C1", "Greedy choices and C2UCB are poor: C2UpUCB and ε-greedy beat these and random ones in mean uplift.",
        "Appendix C.3, Figure 4", "12 paired intervals (jointly 95 %) above 0",
        lambda r: every(lead(r, b, a, among=12).above(0.0) for a in good for b in poor),
        lambda r: ", ".join(f"regret of {name} {final(r, name).mean():.0f}" for name in poor)
        + f", at most {max(final(r, a).mean() for a in good):.0f} for the others", scale, seed,
    )  # fmt: skip


def optimism_better(scale, seed):
    """C2, first half."""
    return campaign_claim(
        "C2a", "C2UpUCB is better than ε-greedy, with the baseline known or not.", "Appendix C.3, Figure 4",
        "both paired intervals (jointly 95 %) above 0",
        lambda r: every(lead(r, *pair, among=2).above(0.0) for pair in PAIRS), lambda r: said(times(r)), scale, seed,
    )  # fmt: skip


def optimism_slightly(scale, seed):
    """C2, second half."""
    return campaign_claim(
        "C2b", "It is only slightly better.", "Appendix C.3, Figure 4",
        "both ratios of regret (intervals jointly 95 %) at most 1.25",
        lambda r: every(one.at_most(1.25) for one in times(r).values()), lambda r: said(times(r)), scale, seed,
    )  # fmt: skip


def realised(result, name):
    """Realised regrets of a policy, run by run."""
    return result.tallies["realised regret"][result.policies.index(name)]


def kept(result, *names):
    """Realised over predicted regret, by policy."""
    return {name: over(realised(result, name), final(result, name), among=len(names)) for name in names}


def modes_agree(scale, seed):
    """C3."""
    names = (EPS_BL, EPS, C2_BL, C2, C2UCB, GREEDY_BL)
    return campaign_claim(
        "C3", "Where all feedback comes from the models, predicted and realised regret agree.",
        "Appendix C.3, Figure 4 (b)",
        "six ratios (intervals jointly 95 %) within 0.9 and 1.1; fails where one is outside",
        lambda r: every(one.within(0.9, 1.1) for one in kept(r, *names).values()),
        lambda r: f"realised over predicted regret: {said(kept(r, *names))}", scale, seed, ("all",),
    )  # fmt: skip


def modes_differ(scale, seed):
    """C4, first half."""
    return campaign_claim(
        "C4a", "With logged feedback, predicted and realised regret differ.", "Appendix C.3, Figure 4 (a)",
        "95 % interval outside 0.9 to 1.1; fails where it is within",
        lambda r: {True: False, False: True}.get(kept(r, C2_BL)[C2_BL].within(0.9, 1.1)),
        lambda r: f"realised over predicted regret: {said(kept(r, C2_BL))}", scale, seed, ("counterfactual",),
    )  # fmt: skip


def growths(result, names):
    """Growth of the regret of every policy."""
    return {name: pace(result.of_policy(name), among=len(names)) for name in names}


def mode1_linear(scale, seed):
    """C4, second half."""
    names = (EPS_BL, EPS, C2_BL, C2)
    return campaign_claim(
        "C4b", "With logged feedback the predicted-uplift regret of all policies is linear.",
        "Appendix C.3, Figure 4 (a)", "growth: four intervals (jointly 95 %) at least 0.8 (linear: 1); fails below 0.5",
        lambda r: every(one.linear() for one in growths(r, names).values()),
        lambda r: f"growth {said(growths(r, names))}", scale, seed, ("counterfactual",),
    )  # fmt: skip


def mode2_sublinear(scale, seed):
    """C5, first half."""

    def answer(result):
        flat = [one.sublinear() for one in growths(result, (C2_BL, C2)).values()]
        return every(flat + [lead(result, *pair, among=2).above(0.0) for pair in PAIRS])

    return campaign_claim(
        "C5a", "With feedback from the models C2UpUCB is sublinear and much better than ε-greedy.",
        "Appendix C.3, Figure 4 (b)",
        "growth at most 0.5, fails from 0.8; paired differences above 0 (in pairs, jointly 95 %)",
        answer, lambda r: f"largest growth {worst(growths(r, (C2_BL, C2)))}; {said(times(r))}", scale, seed, ("all",),
    )  # fmt: skip


def mode2_linear(scale, seed):
    """C5, second half."""

    def answer(result):
        long = result.checkpoints[-1] >= 200
        return every(one.at_least(0.5) for one in growths(result, (EPS_BL, EPS)).values()) if long else None

    return campaign_claim(
        "C5b", "(ours) ε-greedy, which never stops exploring, is closer to linear there.",
        "Appendix C.3, Figure 4 (b)", "growth: both intervals (jointly 95 %) at least 0.5, after 200 rounds", answer,
        lambda r: f"growth {said(growths(r, (EPS_BL, EPS)))} after {r.checkpoints[-1]} rounds", scale, seed, ("all",),
    )  # fmt: skip


def correlation(scale, seed):
    """C6, first half."""
    found = studies.correlation()
    return claim(
        "C6a", "Baseline and uplift are positively correlated.", "Appendix C.3", f"correlation {found.result:.2f}",
        "above 0", {found.pool: found.result > 0},
    )  # fmt: skip


def baseline_hurts(scale, seed):
    """C6, second half."""
    holds, text = {}, []
    for mode in MODES:
        tuned, equal = (of(mode, scale, seed) for of in (studies.campaign_runs, studies.equal_epsilons))
        optimism, chance = f"C2UpUCB, bonus {TABLE_3[mode][C2]:g}", f"ε-greedy, ε = {TABLE_3[mode][EPS_BL]:g}"
        for label, run, bl, name in ((optimism, tuned, C2_BL, C2), (chance, equal, EPS_BL, EPS)):
            holds[f"{run.pool}, {mode}, {label}"] = lead(run.result, bl, name, among=4).above(0.0)
            text.append(f"{label}: {ratio(run.result, bl, name, among=4)} ({mode})")
    return claim(
        "C6b", "Knowing the baseline may hurt.", "Appendix C.3, Figure 4",
        f"regret with over without baseline, {'; '.join(text)}",
        "paired difference of regret, with minus without: 98.75 % interval above 0, pair by pair", holds,
    )  # fmt: skip


def mode1_alike(scale, seed):
    """C7."""

    def similar(result):
        return {f"{a} / {b}": over(realised(result, a), realised(result, b), among=2) for a, b in PAIRS}

    return campaign_claim(
        "C7", "With logged feedback C2UpUCB and ε-greedy are quite similar in realised rewards.",
        "Appendix C.3, Figure 4 (a)",
        "ratios of realised regret (intervals jointly 95 %) within 0.9 and 1.1; fails where one is outside",
        lambda r: every(one.within(0.9, 1.1) for one in similar(r).values()),
        lambda r: f"realised regret {said(similar(r))}", scale, seed, ("counterfactual",),
    )  # fmt: skip
