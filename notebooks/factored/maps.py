"""Where does the claim stop holding? F-UCB against UCB1 beyond the paper's Figure 3."""

from banditlab.analysis.sweep import sweep
from banditlab.evidence import provenance
from banditlab.factored.policies import fucb, ucb1

from .runs import fresh_instances
from .studies import FIGURE_3

OPTIONS = 4
GRIDS = {
    "quick": dict(sigma=[0.05, 0.1, 0.25, 0.5, 1.0, 2.0], d=[1, 2, 3, 4, 5]),
    "paper": dict(sigma=[0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0], d=[1, 2, 3, 4, 5, 6]),
}
RUNS = dict(quick=10, paper=50)


@provenance.lasting()
def where_it_stops(scale, seed=0):
    """Regret of F-UCB over UCB1's by noise and number of components, on the instances of Figure 3 with four options.

    Parameters
    ----------
    scale : {"quick", "paper"}, size of the experiment
    seed : int >= 0

    Returns
    -------
    plotly.graph_objects.Figure
    """
    n = FIGURE_3.numbers(scale)

    def instance(sigma, d):
        arms = [OPTIONS] * d
        policies = {"F-UCB": fucb(arms, sigma, n.alpha), "UCB1": ucb1(arms, sigma, n.alpha)}
        return fresh_instances(OPTIONS, d, n.low, sigma), policies

    found = sweep(instance, GRIDS[scale], n.horizon, RUNS[scale], seed)
    return found.where_it_stops("F-UCB", "UCB1", (n.sigma, 4), "noise σ", "components d")
