"""Maps over two parameters: where does the claim stop holding, and which growth of the rounds suits which delay?"""

from banditlab.analysis.map import Map
from banditlab.composite.environments import streak_delay
from banditlab.composite.policies import ars_exp3, ars_ucb, generalised_odaaf

from . import sequences
from .data import STAND_INS
from .delay import Delay
from .runs import NINE, VARIANTS, shuffled_runs
from .studies import GAP, REGRET

STAND_IN = "outbrain10"


def increasing(alpha, d, horizon):
    """ARS-UCB by exploration, and generalised ODAAF, which is told d, under increasing parts of this delay."""
    arms = len(NINE)
    policies = {"ARS-UCB": ars_ucb(arms, alpha), VARIANTS[3]: generalised_odaaf(arms, horizon, d)}
    return shuffled_runs(NINE, Delay("increasing", d).shape), policies


WHERE_IT_STOPS = Map(
    "ARS-UCB", VARIANTS[3], increasing,
    axes=dict(alpha="exploration α", d="longest delay d"), mark=(4.0, 50),
    sizes=dict(
        quick=dict(grid=dict(alpha=[1.0, 2.0, 4.0, 8.0], d=[5, 10, 20, 50, 100, 200]), horizon=20_000, runs=20),
        paper=dict(grid=dict(alpha=[0.5, 1.0, 2.0, 4.0, 8.0, 16.0], d=[5, 10, 20, 50, 100, 200, 400]),
                   horizon=200_000, runs=80),
    ),
    opens=dict(figure=REGRET.name, delay="increasing", arms=len(NINE), gap=GAP, growth="k2"),
)  # fmt: skip


def watched(beta, d, horizon):
    """ARS-EXP3 at this beta and at 1/2, under delays that watch, on a stand-in."""
    arms, world = len(STAND_INS[STAND_IN]), sequences.synthetic_worlds(STAND_IN, horizon, streak_delay(d))
    return world, {"this β": ars_exp3(arms, horizon, beta), "β = 1/2": ars_exp3(arms, horizon)}


RATES_BY_DELAY = Map(
    "this β", "β = 1/2", watched,
    axes=dict(beta="β of ARS-EXP3", d="longest delay d"), mark=(0.5, 10),
    sizes=dict(
        quick=dict(grid=dict(beta=[0.0, 0.25, 0.5, 0.75, 1.0], d=[2, 5, 10, 20, 50]), horizon=50_000, runs=10),
        paper=dict(grid=dict(beta=[0.0, 0.1, 0.3, 0.5, 0.7, 1.0], d=[2, 5, 10, 20, 50, 100]), horizon=1_000_000,
                   runs=30),
    ),
    title=f"Growth of the rounds and the delay, {STAND_IN} (a synthetic stand-in)",
)  # fmt: skip
