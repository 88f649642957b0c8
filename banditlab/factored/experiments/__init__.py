"""The experiments of Factored-Reward Bandits: a function a figure, and what the sliders may do with it."""

from ...explorer import Slider, Switch
from .live import figure1, figure2, figure3, figure4, figure5, figure6, manufacturing, pricing, regret
from .paper import (
    failures,
    final_regrets,
    headline,
    paper_figure2,
    paper_figure3,
    paper_figure4,
    paper_figure5,
    paper_figure6,
)

__all__ = [
    "CONTROLS",
    "FIGURES",
    "PRESETS",
    "failures",
    "figure1",
    "figure2",
    "figure3",
    "figure4",
    "figure5",
    "figure6",
    "final_regrets",
    "headline",
    "manufacturing",
    "paper_figure2",
    "paper_figure3",
    "paper_figure4",
    "paper_figure5",
    "paper_figure6",
    "pricing",
    "regret",
]

FIGURES = {
    "Regret": regret,
    "Figure 1": figure1,
    "Figure 2": figure2,
    "Figure 3": figure3,
    "Figure 4": figure4,
    "Figure 5": figure5,
    "Figure 6": figure6,
    "Pricing": pricing,
    "Manufacturing": manufacturing,
}

CONTROLS = {
    "gap": Slider("Gap Δ", 0.05, 1.0, 0.05, "how much worse the other options of a component are", main=True),
    "d": Slider("Components d", 1, 30, 1, "number of components, whose observations multiply", main=True),
    "sigma": Slider("Noise σ", 0.05, 2.0, 0.05, "standard deviation of an observation", main=True),
    "rho": Slider("Shared noise ρ", 0.0, 1.0, 0.1, "share of the noise that all components have in common", main=True),
    "k": Slider("Options k", 2, 10, 1, "number of options of every component"),
    "horizon": Slider("Horizon T", 1000, 100_000, 1000, "number of rounds", unit="rounds"),
    "runs": Slider("Runs", 2, 200, 1, "independent runs to average over"),
    "alpha": Slider("Exploration α", 2.5, 8.0, 0.5, "width of the confidence radius; the theorems ask for more than 2"),
    "low": Slider("Lowest mean", 0.0, 0.9, 0.1, "fresh means are uniform from here to 1"),
    "n0_mult": Slider("Warm-up N₀ ×", 1, 20, 1, "reading of F-Track's warm-up: times the printed number of samples"),
    "spend": Slider("Largest budget", 0.0, 1.0, 0.05, "cost of the largest advertising budget", unit="money"),
    "batch": Slider("Batch value B", 1.0, 10.0, 0.5, "value of an undamaged batch", unit="money"),
    "lower": Switch("Lower bounds", "draw what no consistent policy can beat (Section 3)"),
    "upper": Switch("Upper bounds", "draw what the policy never exceeds in expectation (Section 4); logarithmic axis"),
}

PRESETS = {
    "Interactive": {"figure": "Regret", "gap": 0.3, "d": 4, "k": 3, "sigma": 0.5, "horizon": 10_000, "runs": 20},
    "All bounds": {"figure": "Regret", "gap": 0.5, "d": 2, "k": 3, "sigma": 1.2, "lower": True, "upper": True},
    "Product space too large": {"figure": "Regret", "gap": 0.3, "d": 20, "k": 5, "sigma": 0.5},
    "Paper, Figure 2, gap 0.5": {
        "figure": "Figure 2",
        "gap": 0.5,
        "d": 20,
        "sigma": 0.5,
        "horizon": 10_000,
        "runs": 5,
        "alpha": 4.0,
    },
    "Paper, Figure 3, k = 4, d = 3": {
        "figure": "Figure 3",
        "d": 3,
        "k": 4,
        "low": 0.7,
        "sigma": 0.1,
        "horizon": 10_000,
        "runs": 50,
        "alpha": 4.0,
    },
    "Paper, Figure 4, gap 0.9, d = 30": {
        "figure": "Figure 4",
        "gap": 0.9,
        "d": 30,
        "sigma": 0.5,
        "horizon": 100_000,
        "runs": 10,
    },
    "F-Track, ten times the warm-up": {"figure": "Figure 4", "gap": 0.9, "d": 30, "sigma": 0.5, "n0_mult": 10},
    "Paper, Figure 6, ρ = 0.8": {
        "figure": "Figure 6",
        "gap": 0.5,
        "d": 10,
        "rho": 0.8,
        "sigma": 0.5,
        "horizon": 100_000,
        "runs": 10,
        "alpha": 4.0,
    },
    "Hard: a small gap": {"figure": "Regret", "gap": 0.05, "d": 3, "k": 3, "sigma": 1.0},
    "Degenerate: one component": {"figure": "Regret", "gap": 0.5, "d": 1, "k": 5, "sigma": 0.5},
    "Pricing with a dear budget": {"figure": "Pricing", "k": 6, "sigma": 0.1, "spend": 0.5},
    "Line of four stages": {"figure": "Manufacturing", "d": 4, "k": 4, "sigma": 0.1, "batch": 2.0},
}
