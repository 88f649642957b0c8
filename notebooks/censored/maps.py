"""Where does the claim stop holding? RCUCB against UCB beyond the paper's penalty and grids."""

from banditlab.analysis.map import Map
from banditlab.censored.arguments import grid
from banditlab.censored.environments import indep
from banditlab.censored.penalties import promise
from banditlab.censored.policies import rcucb, ucb

from .runs import GAIN, UCB
from .studies import FIGURE_4


def steep(steepness, limits):
    """Indep by steepness of the penalty and number of limits; of the width of RCUCB the first term only."""
    limits = grid("limits", limits)
    world = indep(limits=limits, penalty=promise(limits, steepness=steepness))
    args = len(world.gaps), world.limits, world.penalty
    return world, {GAIN: rcucb(*args, width="gain_only"), UCB: ucb(*args)}


WHERE_IT_STOPS = Map(
    GAIN, UCB, steep,
    axes=dict(steepness="steepness L of the penalty", limits="limits |M|"), mark=(10.0, 10),  # of Figure 4
    title="Where does RCUCB lose less than UCB?",
    sizes=dict(
        quick=dict(grid=dict(steepness=[0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0], limits=[2, 3, 5, 10, 20]),
                   horizon=FIGURE_4.sizes["quick"]["horizon"], runs=10),
        paper=dict(grid=dict(steepness=[0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0],
                             limits=[2, 3, 4, 5, 7, 10, 15, 20]),
                   horizon=FIGURE_4.sizes["paper"]["horizon"], runs=10),
    ),
)  # fmt: skip
