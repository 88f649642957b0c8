"""Claims on the targeted campaign (Appendix C.3). On the stand-in pool they are measured, but nothing is judged.

What counts is a sample of the people, not a run: the means of each are one observation.
"""

import numpy as np

from banditlab.evidence import (
    MUCH,
    SIMILAR,
    Cases,
    count,
    growth_exponent,
    mean,
    ratio,
)
from banditlab.evidence.questions import jointly
from banditlab.uplifting.environments import campaign
from banditlab.uplifting.environments.campaigns import MODES

from .. import data, recorded
from ..checks import blind_loss
from ..drawn import CAMPAIGN, EQUAL_EPSILONS, FORTY, LONG_CAMPAIGN, REALISED, name_instances
from ..names import C2, C2_BL, C2UCB, EPS, EPS_BL, GREEDY_BL, RANDOM
from ..tuning import TABLE_3
from .collected import PEOPLE, claims, judged

PAIRS = ((EPS_BL, C2_BL), (EPS, C2))
LEARNERS = (EPS_BL, EPS, C2_BL, C2)
LOGGED, MODELS = MODES
SAMPLES = name_instances(CAMPAIGN, PEOPLE)
SLIGHT, LONG = 0.1, f"{name_instances(LONG_CAMPAIGN, PEOPLE)}; over 1,000 rounds"
PLAYED = dict(figure="Figure 4", scales=("paper",), looks=2)


def of(study, mode, scale, seed):
    """The campaign in one feedback mode, sample by sample of the people."""
    return list(study.results(scale, seed, mode=(mode,)).values())


def finals(samples, name):
    """Mean final regret of a policy on each sample."""
    return np.array([result.final_regret(name).mean() for result in samples])


def realised(samples, name):
    """The same by the rewards that were realised."""
    return np.array([recorded.realised(result, name).mean() for result in samples])


def uplift(samples):
    """Mean predicted uplift per treated person at the end on each sample, by policy."""
    ends = [recorded.mean_uplift(result)[1][:, :, -1].mean(axis=1) for result in samples]
    return dict(zip(samples[0].policies, np.transpose(ends), strict=True))


@claims("C1", "C2UpUCB and ε-greedy beat greedy and random choices in mean uplift; Greedy and C2UCB are poor.",
        "Appendix C.3, Figure 4", **PLAYED, note=SAMPLES,
        quote="In all the cases, Greedy and C2UCB perform poorly.")  # fmt: skip
def greedy_poor(scale, seed):
    found = {}
    for mode in MODES:
        samples = of(CAMPAIGN, mode, scale, seed)
        lost = {name: finals(samples, name) for name in samples[0].policies}
        more = {f"{b} − {a}": mean(lost[b] - lost[a]) for a in LEARNERS for b in (GREEDY_BL, C2UCB, RANDOM)}
        found[mode] = Cases("others' regret minus C2UpUCB's or ε-greedy's", more).above(0)
    return judged(found)


@claims("C2", "C2UpUCB has an advantage over ε-greedy in mean uplift, with the baseline known or not.",
        "Appendix C.3, Figure 4", **PLAYED, note=f"{SAMPLES}; its size, which the paper calls slight, is claim C2b",
        quote="C2UpUCB still has a slight advantage no matter whether the baseline is known or unknown")  # fmt: skip
def optimism_better(scale, seed):
    found = {}
    for mode in MODES:
        gained = uplift(of(CAMPAIGN, mode, scale, seed))
        more = {f"{b} − {a}": mean(gained[b] - gained[a]) for a, b in PAIRS}
        found[mode] = Cases("C2UpUCB's mean uplift minus ε-greedy's", more).above(0)
    return judged(found)


@claims("C2b", "With feedback from the models that advantage is more than slight.", "Appendix C.3, Figure 4 (b)",
        **PLAYED, ours=True, note=f"{SAMPLES}; slight: at most ten per cent, the bar for similar")  # fmt: skip
def more_than_slight(scale, seed):
    gained = uplift(of(CAMPAIGN, MODELS, scale, seed))
    times = {f"{b} / {a}": ratio(gained[b], gained[a]) for a, b in PAIRS}
    return judged({MODELS: Cases("C2UpUCB's mean uplift over ε-greedy's", times).above(SIMILAR[1])})


def kept(samples, names):
    """Realised over predicted regret, by policy."""
    return {name: ratio(realised(samples, name), finals(samples, name)) for name in names}


@claims("C3", "Where all feedback comes from the models, predicted and realised regret agree.",
        "Appendix C.3, Figure 4 (b)", **PLAYED,
        note=f"{SAMPLES}; by construction: there visits are drawn with the chances that the models predict",
        quote="the regret in terms of the predicted uplifts should be the expectation of the regret in terms of the "
        "realized rewards")  # fmt: skip
def modes_agree(scale, seed):
    samples = of(CAMPAIGN, MODELS, scale, seed)
    return judged(
        {MODELS: Cases("realised over predicted regret", kept(samples, (*LEARNERS, C2UCB, GREEDY_BL))).similar()}
    )


@claims("C4a", "With logged feedback, predicted and realised regret differ.", "Appendix C.3, Figure 4 (a)",
        **PLAYED, note=f"{SAMPLES}; either of the two may be larger on one: counted is the square of their relative "
        "difference, one half of the runs times the other, so that noise adds nothing",
        quote="which explains the discrepancy between Figure 4(a) (Left) and Figure 4(a) (Middle)")  # fmt: skip
def modes_differ(scale, seed):
    samples = of(REALISED, LOGGED, scale, seed)
    apart = {name: Cases("", mean(squared_gaps(samples, name))).above(SLIGHT**2) for name in LEARNERS}
    what = "learners whose two regrets differ by more than ten per cent"
    return judged({LOGGED: count(what, jointly(apart), needed=1)})


def squared_gaps(samples, name):
    """Squared relative difference of a learner's two regrets on each sample; the noise of the runs adds nothing."""
    found = []
    for result in samples:
        gaps = recorded.realised(result, name) / result.final_regret(name).mean() - 1.0
        half = len(gaps) // 2
        found.append(gaps[:half].mean() * gaps[half:].mean())
    return np.array(found)


def growths(samples, names, start=100):
    """Growth exponents of the regret after the first rounds, in which the models know next to nothing."""
    checkpoints, found = samples[0].checkpoints, {}
    place = int(np.searchsorted(checkpoints, start))
    for name in names:
        regret = np.array([result.of_policy(name).mean(axis=0) for result in samples])
        later = regret[:, place + 1 :] - regret[:, place : place + 1]
        found[name] = growth_exponent(checkpoints[place + 1 :] - checkpoints[place], later)
    return found


@claims("C4b", "With logged feedback the predicted-uplift regret of all policies is linear.",
        "Appendix C.3, Figure 4 (a)", **PLAYED, note=f"{LONG} without the first 100 (ours)",
        quote="we also observe linear regret of all the algorithms in Figure 4")  # fmt: skip
def mode1_linear(scale, seed):
    found = growths(of(LONG_CAMPAIGN, LOGGED, scale, seed), LEARNERS)
    return judged({LOGGED: Cases("growth exponent", found).linear()})


@claims("C5a", "With feedback from the models C2UpUCB is sublinear and much better than ε-greedy.",
        "Appendix C.3, Figure 4 (b)", **PLAYED,
        note=f"{LONG} (ours), growth without the first 100",
        quote="achieves sublinear regret and performs much better than")  # fmt: skip
def mode2_sublinear(scale, seed):
    samples = of(LONG_CAMPAIGN, MODELS, scale, seed)
    ratios = {f"{b} / {a}": ratio(finals(samples, b), finals(samples, a)) for a, b in PAIRS}
    return judged({MODELS: [
        Cases("growth exponent", growths(samples, (C2_BL, C2))).sublinear(),
        Cases("C2UpUCB's mean regret over ε-greedy's", ratios, axis="log").at_most(MUCH),
    ]})  # fmt: skip


@claims("C5b", "ε-greedy, which never stops exploring, is not sublinear there.", "Appendix C.3, Figure 4 (b)",
        figure="Figure 4", ours=True, note="by construction, no run needed: what it loses in every round by its "
        "random choices alone, even if its models were exact; 10,000 rounds of people")  # fmt: skip
def mode2_linear(scale, seed):
    lost = {name: mean(blind_loss(data.pool(), TABLE_3[MODELS][name], seed)) for name in (EPS_BL, EPS)}
    return judged({MODELS: Cases("uplift lost a round to random choices", lost).above(0)})


@claims("C6a", "People of higher baseline often have a higher uplift.", "Appendix C.3",
        note=f"{SAMPLES}; correlation of baseline and uplift by the oracle models, which are fitted to each sample and "
        "follow its repeated rows; the stand-in was made with the paper's sign (.550)",
        quote="samples with higher baselines often have higher uplifts")  # fmt: skip
def correlation(scale, seed):
    people = data.source()
    worlds = [campaign(data.draw_again(instance, *people)).chances for instance in FORTY]
    found = [np.corrcoef(chances[:, 0], chances[:, 1] - chances[:, 0])[0, 1] for chances in worlds]
    return judged({"oracle models": Cases("correlation of baseline and uplift", mean(found)).above(0)})


@claims(
    "C6b",
    "Knowing the baseline may make a policy worse.",
    "Appendix C.3, Figure 4",
    **PLAYED,
    note=f"{SAMPLES}; one case suffices; ε-greedy with the ε that Table 3 gives the one that knows it, C2UpUCB with "
    "its bonus",
    quote="the surprising fact that an algorithm might perform better without knowledge of the baseline",
)
def baseline_hurts(scale, seed):
    worse = {}
    for mode in MODES:
        for study, bl, name in ((CAMPAIGN, C2_BL, C2), (EQUAL_EPSILONS, EPS_BL, EPS)):
            samples = of(study, mode, scale, seed)
            more = mean(finals(samples, bl) - finals(samples, name))
            worse[f"{mode}, {name}"] = Cases("regret more with the baseline", more).above(0)
    return judged({"both modes": count("cases in which the baseline makes it worse", jointly(worse), needed=1)})


@claims("C7", "With logged feedback C2UpUCB and ε-greedy are quite similar in realised rewards.",
        "Appendix C.3, Figure 4 (a)", **PLAYED, note=f"{SAMPLES}, which differ so much that more runs do not decide it",
        quote="perform quite similarly here when we look at the realized rewards")  # fmt: skip
def mode1_alike(scale, seed):
    samples = of(REALISED, LOGGED, scale, seed)
    ratios = {f"{a} / {b}": ratio(realised(samples, a), realised(samples, b)) for a, b in PAIRS}
    return judged({LOGGED: Cases("ε-greedy's realised regret over C2UpUCB's", ratios, axis="log").similar()})
