"""The experiments of Uplifting Bandits: a study a figure, and what the sliders may do with it."""

from banditlab.explorer import Choice, Slider, Switch
from banditlab.uplifting.environments.campaigns import MODES

from . import claims, studies  # noqa: F401
from .maps import WHERE_IT_STOPS  # noqa: F401
from .studies import *
from .tables import final_regrets, printed_parameters, table_1, table_3
from .tour import FRONT, TOUR

CONTROLS = {
    "gap": Slider("Gap Δ", 0.05, 2.0, 0.05, "lead of the best action's expected reward", main=True, start=0.5),
    "L": Slider("Affected L", 1, 50, 1, "variables that each action affects (at most m)", main=True, start=10),
    "m": Slider("Variables m", 5, 200, 5, "number of variables, whose payoffs add up to the reward", main=True,
                start=100),
    "sigma": Slider("Noise σ", 0.1, 2.0, 0.1, "standard deviation of a variable's payoff", main=True, start=1.0),
    "K": Slider("Actions K", 2, 20, 1, "number of actions", start=10),
    "rho": Slider("Correlation ρ", 0.0, 1.0, 0.001, "of any two variables' noise; 0.636 in our reading of the paper",
                  start=0.6),
    "beta": Slider("Exploration β", 0.1, 10.0, 0.1, "squared confidence radius is 2β/N; log(1/δ′) in the theory",
                   start=3.0),
    "given": Slider("Given L", 1, 60, 1, "number of affected variables that the nAff policies are told", start=10,
                    symbol="given L"),
    "horizon": Slider("Horizon T", 500, 50_000, 500, "number of rounds", unit="rounds", start=2500),
    "runs": Slider("Runs", 2, 1000, 1, "independent runs to average over", start=10),
    "bound": Switch("Bounds", "draw Propositions 1 and 3; logarithmic axis", start=False),
    "beta_scale": Slider("β ×", 0.1, 10.0, 0.1, "times the parameters of Table 3", main=True, start=1.0),
    "mode": Choice("Feedback", MODES, "visits that the oracle models supply: where the log chose otherwise, or all",
                   main=True, start="all"),
    "bonus": Slider("Bonus", 0.5, 3.0, 0.5, "multiplies the width of C2UpUCB's intervals", start=2.0),
    "epsilon": Slider("ε", 0.0, 1.0, 0.05, "share of ε-greedy's treatments that is random", start=0.2),
    "rounds": Slider("Campaign rounds", 20, 200, 20, "rounds of 100 people each", unit="rounds", start=60),
    "eliminating": Switch("A large gap", "an instance whose gap lets the first phase of UpUCB-iLift drop actions",
                          main=True, start=True),
    "spread": Slider("Total noise", 9.0, 90.0, 1.0, "standard deviation of the sum of all 100 payoffs", main=True,
                     start=80.0),
    "best": Slider("Best's L*", 1, 60, 1, "variables that the best action affects, where the others affect L",
                   main=True, start=50),
    "effect": Slider("Hidden effect", 0.0, 2.0, 0.1, "of the second best action on a variable outside its set",
                     main=True, start=0.8),
}  # fmt: skip

FIGURES = {
    study.name: study.slider(**FRONT.get(study.name, {}))
    for study in (
        studies.REGRET, studies.TOUCHED, studies.UPLIFTS, studies.FIGURE_2B, studies.FIGURE_3A, studies.FIGURE_3B,
        studies.FIGURE_4_LIVE, studies.ILIFT, studies.TOLD_LIVE, studies.GAINS, studies.PRICE, studies.ONE_UNIT,
        studies.OUTSIDE,
    )
}  # fmt: skip
claims.claims.mark(FIGURES, CONTROLS)
PLAYS = ("Regret", "Who touches what", "Figure 2 (b)", "Figure 3 (a)", "Figure 3 (b)", "Least uplift known",
         "Map of the gain", "Table 3 in one unit", "Outside the sets")  # in a report # fmt: skip
REPLAYS = ("G1", "G2", "G3", "G4", "B1", "B2", "S8", "F1", "F4")  # claims that a page judges anew

PRESETS = {
    **TOUR,
    "Interactive": {"figure": "Regret", "gap": 0.5, "L": 10, "m": 100, "sigma": 1.0, "K": 10, "beta": 3.0, "given": 10},
    "Paper, Section 7": {
        "figure": "Regret", "gap": 0.2, "L": 10, "m": 100, "sigma": 1.0, "K": 10, "rho": 0.636, "beta": 3.0,
        "given": 10, "horizon": 20_000, "runs": 100,
    },
    "Every variable affected": {"figure": "Regret", "gap": 0.5, "L": 20, "m": 20, "given": 20},
    "Hard: a small gap": {"figure": "Regret", "gap": 0.05, "L": 10, "m": 100, "sigma": 1.0},
    "Independent noise": {"figure": "Regret", "gap": 0.5, "L": 10, "m": 100, "rho": 0.0},
    "Degenerate: two actions, one variable": {"figure": "Regret", "gap": 0.5, "L": 1, "m": 5, "K": 2, "given": 1},
    "Told too small an L": {"figure": "Figure 3 (b)", "gap": 0.2, "L": 10, "m": 100, "given": 3},
    "What is identified": {"figure": "Who touches what", "gap": 0.5, "L": 10, "m": 60, "sigma": 0.5, "beta": 3.0},
    "Campaign, all feedback from the models": {"figure": "Figure 4", "mode": "all", "bonus": 2.0, "epsilon": 0.2},
    "The noise of the others": {"figure": "Noise told by others", "gap": 0.5, "L": 10, "m": 100, "rho": 0.6},
    "Variance 80 as printed": {"figure": "Table 3 in one unit", "spread": 9.0},
    "An unknown baseline, a large best set": {"figure": "Price of the baseline", "best": 50, "L": 5},
    "An effect outside the sets": {"figure": "Outside the sets", "effect": 1.5, "beta": 1.0},
}  # fmt: skip

GRID = {  # what a reader of the report slides through without a kernel, by scale
    "quick": {
        "Regret": {"m": [50, 100], "rho": [0.0, 0.6], "gap": [0.2, 0.5], "horizon": 2500,
                   "runs": 10},
        "Uplifts and intervals": {"gap": [0.1, 0.2, 0.5, 1.0, 2.0], "L": [2, 5, 10, 20], "horizon": 2500},
    },
    "paper": {
        "Regret": {"m": [20, 50, 100, 200], "rho": [0.0, 0.6], "gap": [0.1, 0.2, 0.5, 1.0], "runs": 10},
        "Uplifts and intervals": {"gap": [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0],
                                  "L": [2, 5, 10, 15, 20, 30], "sigma": [0.5, 1.0]},
    },
}  # fmt: skip
