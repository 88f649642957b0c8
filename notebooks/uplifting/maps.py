"""Where does the claim stop holding? UpUCB-nAff against UCB beyond the paper's sets and correlation."""

from banditlab.analysis.sweep import sweep
from banditlab.evidence import provenance
from banditlab.uplifting.environments import scaled_gaussian

from . import names, tuning
from .names import NAFF, UCB

GRIDS = {
    "quick": dict(L=[2, 5, 10, 20, 35, 50], rho=[0.0, 0.3, 0.636, 0.9]),
    "paper": dict(L=[2, 5, 10, 15, 20, 35, 50, 80], rho=[0.0, 0.2, 0.4, 0.636, 0.9]),
}
SIZES = dict(quick=dict(horizon=2000, runs=10), paper=dict(horizon=20_000, runs=20))
PAPERS = (10, 0.636)


@provenance.lasting()
def where_it_stops(scale, seed=0):
    """Regret of UpUCB-nAff, told L only, over UCB's by affected variables and correlation; parameters of Table 3.

    Parameters
    ----------
    scale : {"quick", "paper"}, size of the experiment
    seed : int >= 0

    Returns
    -------
    plotly.graph_objects.Figure
    """

    def instance(L, rho):
        world = scaled_gaussian(seed, 10, 100, L, 0.2, rho=rho)
        return world, {name: names.policy(name, world, tuning.TABLE_3["Gaussian"][name]) for name in (NAFF, UCB)}

    found = sweep(instance, GRIDS[scale], seed=seed, **SIZES[scale])
    return found.where_it_stops(NAFF, UCB, PAPERS, "affected variables L of 100", "correlation ρ")
