"""The experiments of censored consumption: the figures as data, and what the sliders may do with them."""

from banditlab.explorer import Choice, Slider, Switch, timed

from . import claims  # noqa: F401
from .beyond import CUT_SHORT, LEAVING, MOST_WORTH, REMARK_3, SAFE, SWINGS, UNLUCKY, WORTH, ZOOMING  # noqa: F401
from .maps import WHERE_IT_STOPS  # noqa: F401
from .runs import GRIDS, INSTANCES, LITERAL, PROBLEMS, UPDATES, WIDTHS
from .studies import (  # fmt: skip
    FIGURE_1,
    FIGURE_2,
    FIGURE_3,
    FIGURE_4,
    FIGURE_5,
    FIGURE_6,
    FIGURE_7,
    FIGURE_8,
    FIGURE_9,
    LANDSCAPE,
    REGRET,
    REGRETS,
    SHARE,
    TABLE_SHARES,
    figure_of_recording,
)
from .tables import final_regrets, printed_shares, table_51, table_f1
from .tour import FRONT, TOUR

STUDIES = (
    REGRET, SHARE, LANDSCAPE, FIGURE_1, FIGURE_2, FIGURE_3, REGRETS, TABLE_SHARES, FIGURE_8, FIGURE_9, CUT_SHORT, WORTH,
    MOST_WORTH, REMARK_3, LEAVING, ZOOMING, SWINGS, SAFE,
)  # fmt: skip
HEADLINE = FIGURE_4

FIGURES = {study.name: study.slider(**FRONT.get(study.name, {})) for study in STUDIES}
PLAYS = ("Regret", "Share of censored rounds", "Figure 1", "Figure 2", "Figure 3", "Figures 4, 6, 7",
         "Shares of the tables", "Readings of Equation 9", "What sharing is worth at most",
         "Shared and safe")  # in a report # fmt: skip
REPLAYS = ("B12", "B13", "B14", "B15", "B21", "B31", "B39", "B25", "B26")  # claims that a page judges anew

CONTROLS = {
    "lead": Slider("Lead of arm 1", 0.0, 0.5, 0.05, "mean reward of the first arm minus that of the others", main=True,
                   start=0.1),
    "correlation": Slider("Correlation ρ", -0.9, 0.9, 0.1, "of reward and consumption", main=True, start=0.4),
    "steepness": Slider("Steepness L", 0.5, 20.0, 0.5, "penalty per unit of a limit beyond the promise", main=True,
                        start=10.0),
    "threshold": Slider("Promise τ̃", 0.1, 1.0, 0.01, "the promise: up to this limit the penalty is small", main=True,
                        start=0.5),
    "arms": Slider("Arms n", 2, 80, 1, "number of arms", main=True, start=10),
    "limits": Slider("Limits |M|", 2, 30, 1, "number of limits in the grid", main=True, start=10),
    "alpha": Slider("Exploration α", 0.25, 4.0, 0.25, "the experiments take 1, the theorems ask for more", start=1.0),
    "width": Choice("Width of RCUCB", ("both", *WIDTHS), "reading of the confidence radius", start="both"),
    "horizon": Slider("Horizon T", 1000, 200_000, 1000, "number of rounds", unit="rounds", start=10_000),
    "runs": Slider("Runs", 2, 1000, 1, "independent runs to average over", start=10),
    "problem": Choice("Problem", tuple(PROBLEMS), "of Section 5.1", main=True, start="PosCorr"),
    "grid": Choice("Grid of limits", (*GRIDS, LITERAL), "0.1 to 0.9 with 10, 2 or 20 points; or as the text says",
                   main=True, start="size 10"),
    "instance": Choice("Instance", tuple(INSTANCES), "of PosCorr and NegCorr: the text's, or fitted to the tables",
                       main=True, start="text", words=INSTANCES),
    "ts_update": Choice("Thompson's update", tuple(UPDATES), "how a round updates the limits", start="per_tau"),
    "penalty": Slider("Penalty λ", 0.0, 20.0, 0.5, "of the only limit in Remark 3's figure", main=True, start=9.0),
    "parts": Slider("Refinement m", 2, 5, 1, "parts into which z-RCUCB cuts a cell", main=True, start=2),
    "upper": Switch("Upper bounds", "Theorem 1 and Corollary 14, where α > 1; logarithmic axis", start=False),
}  # fmt: skip
claims.claims.mark(FIGURES, CONTROLS)

PRESETS = {
    **TOUR,
    "Interactive": {"figure": "Regret", **REGRET.fixed},
    "Where the rounds go": {"figure": "Landscape", **LANDSCAPE.fixed},
    **dict([REGRETS.preset(problem="PosCorr", grid="size 10"), REGRETS.preset(problem="Indep", grid="M2")]),
    "The grid as the text has it": {"figure": REGRETS.name, "problem": "PosCorr", "grid": LITERAL},
    **dict([FIGURE_8.preset(arms=50, runs=20), FIGURE_9.preset(arms=5, runs=20)]),
    **dict(FIGURE_2.preset(threshold=threshold, correlation=0.4) for threshold in FIGURE_2.grid["threshold"]),
    "Bounds with a mild penalty": {"figure": "Regret", "threshold": 1.0, "alpha": 1.25, "arms": 2, "limits": 2,
                                   "lead": 0.5, "upper": True},
    "Hard: no arm leads": {"figure": "Regret", "lead": 0.0, "correlation": 0.0},
    "Degenerate: two limits": {"figure": "Regret", "limits": 2, "arms": 2},
    "z-RCUCB, a long run": {"figure": ZOOMING.name, "problem": "Indep", "parts": 2, "horizon": 200_000, "runs": 10},
}  # fmt: skip

PRESETS = timed(PRESETS, {  # seconds on two cores, as tools/presets.py measures them
    "Paper, Figures 4, 6, 7, PosCorr, size 10": 9, "Paper, Figures 4, 6, 7, Indep, M2": 11,
})  # fmt: skip

GRID = {  # what a reader of the report slides through without a kernel, by scale; what plays in the page has few cells
    "quick": {
        "Regret": {"lead": [0.1, 0.3], "correlation": [-0.9, -0.6, 0.0], "horizon": 2500, "runs": 10},
        "Share of censored rounds": {"lead": [0.1, 0.3], "correlation": [-0.9, -0.6, 0.0], "horizon": 2500, "runs": 10},
        "Landscape": {"steepness": [1.0, 3.0], "lead": [0.1, 0.3], "horizon": 10_000},
        "Figure 1": {"correlation": [-0.6, 0.0, 0.4]},
        "Remark 3": {"penalty": [0.5, 1.0, 3.0], "alpha": 2.0},
    },
    "paper": {
        "Regret": {"lead": [0.0, 0.05, 0.1, 0.2, 0.3, 0.4], "correlation": [-0.8, -0.4, 0.0, 0.4, 0.8]},
        "Landscape": {"steepness": [3.0, 10.0], "lead": [0.0, 0.05, 0.1, 0.2, 0.3, 0.4]},
        "Share of censored rounds": {"lead": [0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4],
                                     "correlation": [-0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8]},
        "Figure 2": {"threshold": [0.1, 0.3, 0.5, 0.7, 0.9, 1.0], "steepness": [1.0, 2.0, 5.0, 10.0, 20.0]},
        "Figure 1": {"correlation": [-0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8]},
        "Remark 3": {"alpha": 2.0, "penalty": [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 9.0, 15.0, 20.0]},
    },
}  # fmt: skip
