"""Examples 1 and 2: which model is best under which promise; the models' numbers are ours."""

import functools

import numpy as np

from banditlab.censored import promise
from banditlab.censored.environments import example, gaussian
from banditlab.evidence import LEVEL, Cases, exact, proportion, short

from ..runs import MODELS, SIGMA
from .common import claims

NUMBERS = "numbers of ours"
KEPT = np.arange(2, 51) / 100  # limits that keep the strict promise
RANDOM = {"quick": 10, "paper": 500}  # other numbers for the models


@claims("B22", "With a strict promise simple models are best for most limits, at its end the medium one; complex ones "
        "never.", "Example 2, Figure 2", figure="Figure 2",
        note="exact; the paper gives no numbers, and ours are an example: in brackets the share of "
        f"{RANDOM['paper']} random ones ({RANDOM['quick']} at quick size) that do all of this, at 95 %; mean rewards "
        "and mean consumptions uniform from 0 to 1, ordered as Example 1 says, variance and correlation as ours",
        quote="while the complex model is completely unsuitable")  # fmt: skip
def strict(scale, seed):
    first, *others = asked_of(example("strict", KEPT).gains)
    found = draw_alike(RANDOM[scale])
    low, high = map(short, found.ends(LEVEL))
    said = f"of {RANDOM[scale]} random ones {short(found.value)} [{low}, {high}] do the same in all"
    return {NUMBERS: [first._replace(named=said), *others]}


def asked_of(gains):
    """The three questions about the gains of the models, limit by limit."""
    winners = gains.argmax(axis=0)
    shares = {model: float((winners == place).mean()) for place, model in enumerate(MODELS)}
    return [
        Cases("share of limits at which the simple model is best", exact(shares["simple"])).above(0.5),
        Cases("share of limits at which the complex model is best", exact(shares["complex"])).at_most(0),
        Cases("last limits in a row at which the medium model is best", exact(last_run(winners, 1))).at_least(1),
    ]


@functools.cache
def draw_alike(n):
    """Share of random models, the same for all seeds, that do as the sentence says."""
    rng, penalty, alike = np.random.default_rng(22), promise(KEPT, 0.5, 10.0), 0
    for _ in range(n):
        means = np.sort(rng.random((2, len(MODELS))))[:, ::-1].T
        alike += all(one.answer for one in asked_of(gaussian(means, 0.2, SIGMA, KEPT, penalty).gains))
    return proportion(alike, n)


def last_run(winners, place):
    """Number of limits at the end at which one model is best."""
    others = np.flatnonzero(winners != place)
    return len(winners) - 1 - (others[-1] if len(others) else -1)


@claims("B23", "With a soft promise the complex model is best.", "Example 2, Figure 2", figure="Figure 2", note="exact",
        quote="the most complex model attains the highest penalized expected gain")  # fmt: skip
def soft(scale, seed):
    best = example("soft").gains.max(axis=1)
    others = {model: exact(best[0] - gain) for model, gain in zip(MODELS[1:], best[1:], strict=True)}
    return {NUMBERS: Cases("largest gain of the complex model minus another's", others).above(0)}


@claims("B23b", "With a strict promise gains beyond it are negative.", "Example 2, footnote 5", figure="Figure 2",
        note="the example states no support; proof on the unit square, as in E.2: nothing exceeds the limit 1, where a "
        "model of mean reward r gains r less its mean cost, at least r − 1/10, whatever its law; the complex model has "
        "high rewards, so r is at least 1/2",
        quote="We leave out the cases for which τ > 0.5 as ν is negative in this case")  # fmt: skip
def beyond(scale, seed):
    dearest = float(example("strict").cost.at(1.0))  # no consumption on the unit square costs more
    return {"every law on the unit square": Cases("least gain at the limit 1", exact(0.5 - dearest)).below(0)}
