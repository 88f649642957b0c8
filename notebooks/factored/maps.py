"""Where does the claim stop holding? F-UCB against UCB1 beyond the paper's Figure 3."""

from banditlab.analysis.map import Map
from banditlab.factored.policies import fucb, ucb1

from .runs import fresh_instances
from .studies import FIGURE_3

OPTIONS = 3  # as the sliders begin


def noisy(sigma, d):
    """The instances of Figure 3 with three options, by noise and number of components."""
    alpha, arms = FIGURE_3.fixed["alpha"], [OPTIONS] * d
    policies = {"F-UCB": fucb(arms, sigma, alpha), "UCB1": ucb1(arms, sigma, alpha)}
    return fresh_instances(OPTIONS, d, FIGURE_3.fixed["low"], sigma), policies


WHERE_IT_STOPS = Map(
    "F-UCB", "UCB1", noisy,
    axes=dict(sigma="noise σ", d="components d"), mark=(FIGURE_3.fixed["sigma"], 4),
    sizes=dict(
        quick=dict(grid=dict(sigma=[0.05, 0.1, 0.25, 0.5, 1.0, 2.0], d=[1, 2, 3, 4, 5, 6]),
                   horizon=FIGURE_3.sizes["quick"]["horizon"], runs=10),
        paper=dict(grid=dict(sigma=[0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0], d=[1, 2, 3, 4, 5, 6]),
                   horizon=FIGURE_3.sizes["paper"]["horizon"], runs=50),
    ),
    opens=dict(figure=FIGURE_3.name, k=OPTIONS, **FIGURE_3.fixed),
)  # fmt: skip
