"""Maps over two parameters: where does the claim stop holding, and which growth of the rounds suits which delay?"""

from banditlab.analysis.sweep import sweep
from banditlab.composite.environments import streak_delay
from banditlab.composite.policies import ars_exp3, ars_ucb, generalised_odaaf
from banditlab.evidence import provenance

from . import sequences
from .data import STAND_INS
from .delay import Delay
from .runs import NINE, VARIANTS, shuffled_runs

WHERE = {
    "quick": (dict(alpha=[1.0, 2.0, 4.0, 8.0], d=[5, 10, 20, 50, 100, 200]), dict(horizon=20_000, runs=20)),
    "paper": (dict(alpha=[0.5, 1.0, 2.0, 4.0, 8.0, 16.0], d=[5, 10, 20, 50, 100, 200, 400]),
              dict(horizon=200_000, runs=80)),
}  # fmt: skip
RATES = {
    "quick": (dict(beta=[0.0, 0.25, 0.5, 0.75, 1.0], d=[2, 5, 10, 20, 50]), dict(horizon=50_000, runs=10)),
    "paper": (dict(beta=[0.0, 0.1, 0.3, 0.5, 0.7, 1.0], d=[2, 5, 10, 20, 50, 100]), dict(horizon=1_000_000, runs=30)),
}
STAND_IN = "outbrain10"


@provenance.lasting()
def where_it_stops(scale, seed=0):
    """Regret of ARS-UCB over that of generalised ODAAF, which is told d, by exploration and delay (increasing parts).

    Parameters
    ----------
    scale : {"quick", "paper"}, size of the experiment
    seed : int >= 0

    Returns
    -------
    plotly.graph_objects.Figure
    """
    arms, (grid, size) = len(NINE), WHERE[scale]

    def instance(alpha, d, horizon):
        policies = {"ARS-UCB": ars_ucb(arms, alpha), VARIANTS[3]: generalised_odaaf(arms, horizon, d)}
        return shuffled_runs(NINE, Delay("increasing", d).shape), policies

    found = sweep(instance, grid, **size, seed=seed)
    return found.where_it_stops("ARS-UCB", VARIANTS[3], (4.0, 50), "exploration α", "longest delay d")


@provenance.lasting()
def rates_by_delay(scale, seed=0):
    """Regret of ARS-EXP3 over that at beta = 1/2, by beta and delay, under delays that watch, on a stand-in.

    Parameters
    ----------
    scale : {"quick", "paper"}, size of the experiment
    seed : int >= 0

    Returns
    -------
    plotly.graph_objects.Figure
    """
    arms, (grid, size) = len(STAND_INS[STAND_IN]), RATES[scale]

    def instance(beta, d, horizon):
        world = sequences.synthetic_worlds(STAND_IN, horizon, streak_delay(d))
        return world, {"this β": ars_exp3(arms, horizon, beta), "β = 1/2": ars_exp3(arms, horizon)}

    figure = sweep(instance, grid, **size, seed=seed).map("beta", "d", "this β", "β = 1/2", mark=(0.5, 10))
    sequences.drawn.cache_clear()
    figure.update_layout(title_text=f"Growth of the rounds and the delay, {STAND_IN} (a synthetic stand-in)")
    return figure.update_xaxes(title_text="β of ARS-EXP3").update_yaxes(title_text="longest delay d")
