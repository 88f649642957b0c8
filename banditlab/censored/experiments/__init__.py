"""The experiments of censored consumption: a function a figure, and what the sliders may do with it."""

from ...explorer import Choice, Slider, Switch
from .instances import GRIDS, LITERAL, PROBLEMS, UPDATES, WIDTHS
from .laws import figure1, figure2, figure3, paper_figure2, zooming
from .live import figure4, figure8, figure9, landscape, regret, share
from .paper import (
    final_regrets,
    headline,
    paper_figure5,
    paper_figure6,
    paper_figure7,
    paper_figure8,
    paper_figure9,
    paper_zooming,
)
from .tables import table_51, table_f1

__all__ = [
    "CONTROLS",
    "FIGURES",
    "PRESETS",
    "figure1",
    "figure2",
    "figure3",
    "figure4",
    "figure8",
    "figure9",
    "final_regrets",
    "headline",
    "landscape",
    "paper_figure2",
    "paper_figure5",
    "paper_figure6",
    "paper_figure7",
    "paper_figure8",
    "paper_figure9",
    "paper_zooming",
    "regret",
    "share",
    "table_51",
    "table_f1",
    "zooming",
]

FIGURES = {
    "Regret": regret,
    "Share of censored rounds": share,
    "Landscape": landscape,
    "Figure 1": figure1,
    "Figure 2": figure2,
    "Figure 3": figure3,
    "Figures 4, 6, 7": figure4,
    "Figure 8": figure8,
    "Figure 9": figure9,
    "z-RCUCB": zooming,
}

CONTROLS = {
    "lead": Slider("Lead of arm 1", 0.0, 0.5, 0.05, "mean reward of the first arm minus that of the others", main=True),
    "correlation": Slider("Correlation ρ", -0.9, 0.9, 0.1, "of reward and consumption", main=True),
    "steepness": Slider("Steepness L", 0.5, 20.0, 0.5, "penalty per unit of a limit beyond the promise", main=True),
    "threshold": Slider("Promise τ̃", 0.1, 1.0, 0.01, "up to this limit the penalty is small", main=True),
    "problem": Choice("Problem", tuple(PROBLEMS), "of Section 5.1"),
    "grid": Choice("Grid of limits", (*GRIDS, LITERAL), "0.1 to 0.9 with 10, 2 or 20 points; or as the text says"),
    "arms": Slider("Arms n", 2, 80, 1, "number of arms"),
    "limits": Slider("Limits |M|", 2, 30, 1, "number of limits in the grid"),
    "alpha": Slider("Exploration α", 0.25, 4.0, 0.25, "the experiments take 1, the theorems ask for more"),
    "width": Choice("Width of RCUCB", ("both", *WIDTHS), "reading of the confidence radius"),
    "ts_update": Choice("Thompson's update", tuple(UPDATES), "which limits learn what from a round"),
    "parts": Slider("Refinement m", 2, 5, 1, "into how many cells z-RCUCB cuts one"),
    "horizon": Slider("Horizon T", 1000, 200_000, 1000, "number of rounds", unit="rounds"),
    "runs": Slider("Runs", 2, 100, 1, "independent runs to average over"),
    "upper": Switch("Upper bounds", "Theorem 1 and Corollary 14, where α > 1; logarithmic axis"),
}

PRESETS = {
    "Interactive": {"figure": "Regret", "lead": 0.1, "correlation": 0.4, "steepness": 10.0, "threshold": 0.5,
                    "arms": 10, "limits": 10, "alpha": 1.0, "width": "both", "horizon": 10_000, "runs": 20},
    "Where the rounds go": {"figure": "Landscape", "lead": 0.1, "limits": 10, "horizon": 10_000},
    "Paper, Figure 4, PosCorr": {"figure": "Figures 4, 6, 7", "problem": "PosCorr", "grid": "size 10",
                                 "horizon": 100_000, "runs": 100, "alpha": 1.0},
    "Paper, Figure 7, Indep": {"figure": "Figures 4, 6, 7", "problem": "Indep", "grid": "M2", "horizon": 100_000,
                               "runs": 100, "alpha": 1.0},
    "The grid as the text has it": {"figure": "Figures 4, 6, 7", "problem": "PosCorr", "grid": LITERAL},
    "Paper, Figure 8, n = 50": {"figure": "Figure 8", "arms": 50, "limits": 5, "horizon": 100_000, "runs": 20},
    "Paper, Figure 9": {"figure": "Figure 9", "arms": 5, "limits": 10, "horizon": 100_000, "runs": 20},
    "Paper, Figure 2, strict promise": {"figure": "Figure 2", "threshold": 0.5, "steepness": 10.0, "correlation": 0.4},
    "Paper, Figure 2, soft promise": {"figure": "Figure 2", "threshold": 0.99, "steepness": 5.0, "correlation": 0.4},
    "Bounds with a mild penalty": {"figure": "Regret", "threshold": 1.0, "alpha": 1.25, "arms": 2, "limits": 2,
                                   "lead": 0.5, "upper": True},
    "Hard: no arm leads": {"figure": "Regret", "lead": 0.0, "correlation": 0.0},
    "Degenerate: two limits": {"figure": "Regret", "limits": 2, "arms": 2},
    "z-RCUCB, a long run": {"figure": "z-RCUCB", "parts": 2, "horizon": 200_000, "runs": 10},
}  # fmt: skip
