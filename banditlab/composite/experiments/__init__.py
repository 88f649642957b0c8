"""The experiments on composite anonymous feedback: a function a figure, and what the sliders may do with it."""

from ...explorer import Choice, Slider, Switch
from ..data import STAND_INS
from .instances import GROWTHS, SHAPES
from .live import adversary, alphas, figure1, growths, radii, regret, rounds, spread
from .paper import (
    adversarial_table,
    headline,
    heavy_tails,
    paper_figure1,
    paper_figure2,
    paper_figure3,
    paper_figure4,
    paper_figure5,
)
from .studies import growth_and_ties, recorded

__all__ = [
    "CONTROLS",
    "FIGURES",
    "PRESETS",
    "adversarial_table",
    "adversary",
    "alphas",
    "figure1",
    "growth_and_ties",
    "growths",
    "headline",
    "heavy_tails",
    "paper_figure1",
    "paper_figure2",
    "paper_figure3",
    "paper_figure4",
    "paper_figure5",
    "radii",
    "recorded",
    "regret",
    "rounds",
    "spread",
]

FIGURES = {
    "Regret": regret,
    "One reward": spread,
    "Rounds": rounds,
    "Hidden radius": radii,
    "Figure 1": figure1,
    "Figures 2 to 4: α": alphas,
    "Figures 2 to 4: f": growths,
    "Figure 5": adversary,
}

CONTROLS = {
    "delay": Choice("Delay shape", SHAPES, "how the reward of one pull spreads over time", main=True),
    "d": Slider("Longest delay d", 1, 100, 1, "of the shapes with an end, and of the adversary", "steps", main=True),
    "start": Slider("First delay / d", 0.0, 1.0, 0.05, "of a random delay or an interval, as a share of d", main=True),
    "gamma": Slider("Discounted γ", 0.05, 0.95, 0.05, "share of a discounted reward left from step to step", main=True),
    "power": Slider("Polynomial γ", 1.1, 6.0, 0.1, "exponent; up to 2 the mean delay is infinite", main=True),
    "alpha": Slider("Exploration α", 0.5, 16.0, 0.5, "width of ARS-UCB's radius; Theorem 1 asks for over 4", main=True),
    "growth": Choice(
        "Round sizes f", list(GROWTHS), "ARS-UCB's k-th round of an arm: k, k², k³ or 2ᵏ steps", main=True
    ),
    "arms": Slider("Arms N", 2, 20, 1, "number of arms, the best one of mean 0.9"),
    "gap": Slider("Gap Δ", 0.01, 0.9, 0.01, "between the means of one arm and the next"),
    "horizon": Slider("Horizon T", 1000, 1_000_000, 1000, "number of steps", unit="steps"),
    "runs": Slider("Runs", 2, 200, 1, "independent runs to average over"),
    "sequence": Choice("Sequence", list(STAND_INS), "synthetic stand-in: which arm pays in each step"),
    "rule": Choice("Delay rule", ["non-oblivious", "oblivious"], "whether the adversary's delays watch the player"),
    "error": Slider("Error of told d", -0.5, 1.0, 0.1, "CLW is told d (1 + error), beside the true d"),
    "beta": Slider("Growth β", 0.0, 1.0, 0.05, "ARS-EXP3's k-th round has k to the β steps"),
    "upper": Switch("Upper bound", "draw the leading term of Theorem 1, where it applies"),
}

PRESETS = {
    "Interactive": {"figure": "Regret", "delay": "increasing", "d": 50, "alpha": 4.0, "growth": "k2", "arms": 9,
                    "gap": 0.1},
    "Paper, random delay 10 to 30": {"figure": "Regret", "delay": "random delay", "d": 30, "start": 1 / 3, "arms": 9,
                                     "gap": 0.1, "horizon": 200_000, "runs": 40},
    "Paper, interval 30 to 40": {"figure": "Figures 2 to 4: f", "delay": "interval", "d": 40, "start": 0.75,
                                 "alpha": 4.0, "arms": 9, "gap": 0.1, "horizon": 200_000, "runs": 40},
    "Paper, discounted": {"figure": "Figures 2 to 4: α", "delay": "discounted", "gamma": 0.9, "growth": "k2", "arms": 9,
                          "gap": 0.1, "horizon": 200_000, "runs": 40},
    "Hard: heavy tails": {"figure": "Figures 2 to 4: α", "delay": "increasing", "d": 100, "growth": "k2", "arms": 9,
                          "gap": 0.1, "horizon": 100_000, "runs": 40},
    "Hard: infinite mean delay": {"figure": "Regret", "delay": "polynomial", "power": 2.0, "arms": 9, "gap": 0.1},
    "Theorem 1 applies": {"figure": "Regret", "delay": "discounted", "gamma": 0.5, "alpha": 8.0, "upper": True},
    "The adversary watches": {"figure": "Figure 5", "sequence": "outbrain10", "rule": "non-oblivious", "d": 10},
    "Two arms nearly tie": {"figure": "Figure 5", "sequence": "twin3", "rule": "non-oblivious", "d": 20,
                            "horizon": 500_000},
    "Degenerate: no delay": {"figure": "Regret", "delay": "random delay", "d": 1, "start": 0.0},
}  # fmt: skip
