"""Claims on the targeted campaign (Appendix C.3)."""

import numpy as np

from ...claims import claim
from ...result import interval
from .. import data
from ..environments import campaign
from ..environments.contextual import MODES
from ..experiments import paper
from ..experiments.instances import C2, C2_BL, C2UCB, EPS, EPS_BL, GREEDY_BL, RANDOM, growth
from .common import final, larger, ratio


def campaigns(scale, seed):
    """Figure 4 by feedback mode."""
    return {mode: paper.campaign_runs(mode, scale, seed) for mode in MODES}


def campaign_claim(id, sentence, where, tolerance, test, text, scale, seed, modes=MODES):
    """A claim on the campaign in one or both feedback modes; the reading names the data."""
    name = data.pool().name
    results = {mode: result for mode, result in campaigns(scale, seed).items() if mode in modes}
    statistic = "; ".join(f"{text(result)} ({mode}, {name})" for mode, result in results.items())
    holds = {f"{name}, {mode}": bool(test(result)) for mode, result in results.items()}
    return claim(id, sentence, where, statistic, tolerance, holds)


def greedy_poor(scale, seed):
    """C1."""
    good, poor = (C2_BL, C2, EPS_BL, EPS), (GREEDY_BL, RANDOM)
    return campaign_claim(
        "C1", "Greedy choices are poor; C2UpUCB and ε-greedy beat greedy and random ones in mean uplift.",
        "Appendix C.3, Figure 4", "8 paired 95 % intervals above 0",
        lambda r: all(larger(r, b, a) for a in good for b in poor),
        lambda r: f"regret of greedy {final(r, GREEDY_BL).mean():.0f}, random {final(r, RANDOM).mean():.0f}, C2UCB "
        f"{final(r, C2UCB).mean():.0f}, at most {max(final(r, a).mean() for a in good):.0f} for the others",
        scale, seed,
    )  # fmt: skip


def optimism_better(scale, seed):
    """C2."""
    pairs = ((EPS_BL, C2_BL), (EPS, C2))
    return campaign_claim(
        "C2", "C2UpUCB is slightly better than ε-greedy, with the baseline known or not.", "Appendix C.3, Figure 4",
        "paired 95 % intervals above 0", lambda r: all(larger(r, *pair) for pair in pairs),
        lambda r: "ε-greedy over C2UpUCB " + ", ".join(f"{ratio(r, *pair):.2f}" for pair in pairs), scale, seed,
    )  # fmt: skip


def gap_in_errors(result, name):
    """Predicted minus realised regret in standard errors."""
    realised = result.tallies["realised regret"][result.policies.index(name)]
    mean, se, _ = interval(final(result, name) - realised)
    return float(mean / se)


def modes_agree(scale, seed):
    """C3."""
    names = (EPS_BL, EPS, C2_BL, C2, C2UCB, GREEDY_BL)

    def worst(result):
        return max(abs(gap_in_errors(result, name)) for name in names)

    return campaign_claim(
        "C3", "Where all feedback comes from the models, predicted and realised regret agree.",
        "Appendix C.3, Figure 4 (b)", "within 3 standard errors for six policies", lambda r: worst(r) <= 3,
        lambda r: f"largest difference {worst(r):.1f} standard errors", scale, seed, ("all",),
    )  # fmt: skip


def modes_differ(scale, seed):
    """C4, first half."""
    return campaign_claim(
        "C4a", "With logged feedback, predicted and realised regret differ.", "Appendix C.3, Figure 4 (a)",
        "C2UpUCB (bl): above 3 standard errors", lambda r: abs(gap_in_errors(r, C2_BL)) > 3,
        lambda r: f"difference {gap_in_errors(r, C2_BL):.1f} standard errors", scale, seed, ("counterfactual",),
    )  # fmt: skip


def mode1_linear(scale, seed):
    """C4, second half."""

    def least(result):
        return min(growth(result.of_policy(name)) for name in (EPS_BL, EPS, C2_BL, C2))

    return campaign_claim(
        "C4b", "With logged feedback the predicted-uplift regret of all policies is linear.",
        "Appendix C.3, Figure 4 (a)", "growth at least 0.8 (linear: 1)", lambda r: least(r) >= 0.8,
        lambda r: f"least growth {least(r):.2f}", scale, seed, ("counterfactual",),
    )  # fmt: skip


def mode2_sublinear(scale, seed):
    """C5, first half."""
    pairs = ((EPS_BL, C2_BL), (EPS, C2))

    def most(result):
        return max(growth(result.of_policy(name)) for name in (C2_BL, C2))

    return campaign_claim(
        "C5a", "With feedback from the models C2UpUCB is sublinear and much better than ε-greedy.",
        "Appendix C.3, Figure 4 (b)", "growth at most 0.5; paired 95 % intervals above 0",
        lambda r: most(r) <= 0.5 and all(larger(r, *pair) for pair in pairs),
        lambda r: f"largest growth {most(r):.2f}; ε-greedy over C2UpUCB "
        + ", ".join(f"{ratio(r, *pair):.2f}" for pair in pairs), scale, seed, ("all",),
    )  # fmt: skip


def mode2_linear(scale, seed):
    """C5, second half."""
    result = paper.campaign_runs("all", scale, seed)
    least = min(growth(result.of_policy(name)) for name in (EPS_BL, EPS))
    holds = {data.pool().name: least >= 0.5} if result.marks[-1] >= 200 else None
    return claim(
        "C5b", "(ours) ε-greedy, which never stops exploring, is closer to linear there.",
        "Appendix C.3, Figure 4 (b)", f"least growth {least:.2f} ({data.pool().name}, {result.marks[-1]} rounds)",
        "at least 0.5, after 200 rounds", holds,
    )  # fmt: skip


def correlation(scale, seed):
    """C6, first half."""
    pool = data.pool()
    world = campaign(pool)
    found = np.corrcoef(world.chances[:, 0], world.chances[:, 1] - world.chances[:, 0])[0, 1]
    return claim(
        "C6a", "Baseline and uplift are positively correlated.", "Appendix C.3", f"correlation {found:.2f}", "above 0",
        {pool.name: bool(found > 0)},
    )  # fmt: skip


def baseline_hurts(scale, seed):
    """C6, second half."""
    pairs = ((C2_BL, C2), (EPS_BL, EPS))
    return campaign_claim(
        "C6b", "Knowing the baseline may hurt.", "Appendix C.3, Figure 4",
        "some paired 95 % interval of regret with minus without baseline above 0",
        lambda r: any(larger(r, *pair) for pair in pairs),
        lambda r: "with over without baseline " + ", ".join(f"{ratio(r, *pair):.2f}" for pair in pairs)
        + " (C2UpUCB, ε-greedy)", scale, seed,
    )  # fmt: skip


def mode1_alike(scale, seed):
    """C7."""
    pairs = ((EPS_BL, C2_BL), (EPS, C2))

    def apart(result):
        realised = result.tallies["realised regret"]
        gaps = [realised[result.policies.index(a)] - realised[result.policies.index(b)] for a, b in pairs]
        return [float(interval(gap)[0] / interval(gap)[1]) for gap in gaps]

    return campaign_claim(
        "C7", "With logged feedback C2UpUCB and ε-greedy are quite similar in realised rewards.",
        "Appendix C.3, Figure 4 (a)", "realised regrets within 3 standard errors",
        lambda r: max(map(abs, apart(r))) < 3,
        lambda r: "ε-greedy minus C2UpUCB " + ", ".join(f"{x:.1f}" for x in apart(r)) + " standard errors", scale,
        seed, ("counterfactual",),
    )  # fmt: skip
