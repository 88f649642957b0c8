"""Where does the claim stop holding? RCUCB against UCB beyond the paper's penalty and grids."""

from banditlab.analysis.sweep import sweep
from banditlab.censored.arguments import grid
from banditlab.censored.environments import indep
from banditlab.censored.penalties import promise
from banditlab.censored.policies import rcucb, ucb
from banditlab.evidence import provenance

from .runs import GAIN, UCB
from .studies import FIGURE_4

GRIDS = {
    "quick": dict(steepness=[0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0], limits=[2, 3, 5, 10, 20]),
    "paper": dict(steepness=[0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0], limits=[2, 3, 4, 5, 7, 10, 15, 20]),
}
PAPERS = 10.0, 10  # steepness and number of limits of Figure 4


@provenance.lasting()
def where_it_stops(scale, seed=0):
    """Regret of RCUCB, first term of its width only, over UCB's by steepness of the penalty and limits, on Indep.

    Parameters
    ----------
    scale : {"quick", "paper"}, size of the experiment
    seed : int >= 0

    Returns
    -------
    plotly.graph_objects.Figure
    """
    n = FIGURE_4.numbers(scale)

    def instance(steepness, limits):
        limits = grid("limits", limits)
        world = indep(limits=limits, penalty=promise(limits, steepness=steepness))
        args = len(world.gaps), world.limits, world.penalty
        return world, {GAIN: rcucb(*args, width="gain_only"), UCB: ucb(*args)}

    found = sweep(instance, GRIDS[scale], n.horizon, 10, seed)
    return found.where_it_stops(GAIN, UCB, PAPERS, "steepness L of the penalty", "limits |M|")
