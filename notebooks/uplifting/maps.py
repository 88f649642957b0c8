"""Where does the claim stop holding? UpUCB-nAff against UCB beyond the paper's sets and correlation."""

from banditlab.analysis.map import Map
from banditlab.uplifting.environments import scaled_gaussian

from . import names, tuning
from .names import NAFF, UCB


def spread(L, rho, seed):
    """Sets and correlation of another size; UpUCB-nAff is told L only, both have the parameters of Table 3."""
    world = scaled_gaussian(seed, 10, 100, L, 0.2, rho=rho)
    return world, {name: names.policy(name, world, tuning.TABLE_3["Gaussian"][name]) for name in (NAFF, UCB)}


WHERE_IT_STOPS = Map(
    NAFF, UCB, spread,
    axes=dict(L="affected variables L of 100", rho="correlation ρ"), mark=(10, 0.636),
    sizes=dict(
        quick=dict(grid=dict(L=[2, 5, 10, 20, 35, 50], rho=[0.0, 0.3, 0.636, 0.9]), horizon=2000, runs=10),
        paper=dict(grid=dict(L=[2, 5, 10, 15, 20, 35, 50, 80], rho=[0.0, 0.2, 0.4, 0.636, 0.9]), horizon=20_000,
                   runs=20),
    ),
)  # fmt: skip
