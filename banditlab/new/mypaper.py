"""mypaper: greedy play with a share of uniform draws. Replace it by an algorithm, a figure and claims of your own."""

from typing import NamedTuple

import numpy as np

import banditlab as bl
from banditlab.evidence import Cases, growth
from banditlab.study.sentences import shapes

# 1. The algorithm: what it remembers, and three methods. Plain loops, `math` and `rng` are compiled.


class Sums(NamedTuple):
    pulls: np.ndarray  # (arms,)
    rewards: np.ndarray  # (arms,) sums


class EpsilonGreedy(NamedTuple):
    """Auer, Cesa-Bianchi, Fischer 2002, Figure 3; with ``falling`` 0 the share stays where it starts."""

    arms: int
    share: float  # of uniform draws
    falling: float  # rounds after which the share falls like 1/t; 0 for never

    def actions(self):
        return self.arms

    def init(self, rng):
        return Sums(np.zeros(self.arms), np.zeros(self.arms))

    def select(self, state, t, rng):
        share = self.share if self.falling == 0.0 else min(1.0, self.falling / (t + 1))
        if rng.random() < share:
            return int(self.arms * rng.random())
        best, top = 0, -np.inf
        for arm in range(self.arms):
            mean = state.rewards[arm] / state.pulls[arm] if state.pulls[arm] > 0.0 else np.inf
            if mean > top:
                best, top = arm, mean
        return best

    def update(self, state, action, observation, t, rng):
        state.pulls[action] += 1.0
        state.rewards[action] += observation
        return state


# 2. One experiment from plain numbers: those without a default are what sliders move.


def play(gap, arms, share, horizon, runs, seed, progress=None):
    """Falling and constant share against UCB1; the best of all Bernoulli arms has mean 0.9."""
    world = bl.classic.bernoulli([0.9] + [0.9 - gap] * (arms - 1))
    policies = {
        "falling share": EpsilonGreedy(arms, 1.0, 5 * arms / (gap * gap)),
        "constant share": EpsilonGreedy(arms, share, 0.0),
        "UCB1": bl.classic.ucb1(arms),
    }
    return bl.simulate(world, policies, horizon, runs, seed, progress=progress)


# 3. The figure: a grid of panels, what stays fixed, the sizes; and what the reader may slide.


def caption(found, n):
    """What to conclude, computed from the runs that are drawn."""
    return shapes(found)


FIGURE_1 = bl.Study(
    "Figure 1", "regret of greedy play with a share of uniform draws", play, caption,
    grid=dict(gap=(0.2, 0.3, 0.4)),
    fixed=dict(arms=5, share=0.2),
    sizes=dict(quick=dict(horizon=20_000, runs=20), paper=dict(horizon=100_000, runs=100)),
    panel="Δ = {gap}",
)  # fmt: skip

CONTROLS = {
    "gap": bl.Slider("Gap Δ", 0.1, 0.8, 0.05, "how much worse the other arms are", main=True, start=0.3),
    "share": bl.Slider("Share ε", 0.02, 0.5, 0.02, "of uniform draws, where it stays constant", main=True, start=0.2),
    "arms": bl.Slider("Arms K", 2, 20, 1, "number of arms", start=5),
    "horizon": bl.Slider("Horizon T", 1000, 100_000, 1000, "number of rounds T", start=20_000),
    "runs": bl.Slider("Runs", 5, 100, 5, "independent runs to average over", start=20),
}
FIGURES = {FIGURE_1.name: FIGURE_1.slider()}
PRESETS = dict([FIGURE_1.preset(gap=0.3)])
GRID = {FIGURE_1.name: dict(gap=(0.2, 0.3, 0.4, 0.5), share=(0.1, 0.2, 0.3))}  # computed for the report, which slides

# 4. The claims: a sentence, where it stands, and the statistic that decides it.

claims = bl.Claims("mypaper")


def exponents(policy, scale, seed):
    """Growth exponents of a policy's regret in all panels of the figure."""
    found = FIGURE_1.results(scale, seed)
    return Cases("growth exponent", {FIGURE_1.title_of(cell): growth(found[cell], policy) for cell in found})


@claims("M1", "With a share that falls like 1/t the regret grows more slowly than t.", "Theorem 3", figure="Figure 1")
def grows_slowly(scale, seed):
    return exponents("falling share", scale, seed).sublinear()


@claims("M2", "With a constant share of uniform draws the regret is linear.", "Section 2", figure="Figure 1")
def grows_linearly(scale, seed):
    return exponents("constant share", scale, seed).linear()
