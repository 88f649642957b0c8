"""The experiments of Uplifting Bandits: a function a figure, and what the sliders may do with it."""

from ...explorer import Choice, Slider, Switch
from ..environments.campaigns import MODES
from .illustration import paper_figure1
from .live import ablation, bernoulli, campaign, identified, ilift, misspecified, regret, uplifts
from .paper import headline, linear_payoffs, paper_figure2, paper_figure3, paper_figure4
from .tables import final_regrets, table3

__all__ = [
    "CONTROLS",
    "FIGURES",
    "PRESETS",
    "ablation",
    "bernoulli",
    "campaign",
    "final_regrets",
    "headline",
    "identified",
    "ilift",
    "linear_payoffs",
    "misspecified",
    "paper_figure1",
    "paper_figure2",
    "paper_figure3",
    "paper_figure4",
    "regret",
    "table3",
    "uplifts",
]

FIGURES = {
    "Regret": regret,
    "Who touches what": identified,
    "Uplifts and intervals": uplifts,
    "Figure 2 (b)": bernoulli,
    "Figure 3 (a)": ablation,
    "Figure 3 (b)": misspecified,
    "Figure 4": campaign,
    "Least uplift known": ilift,
}

CONTROLS = {
    "gap": Slider("Gap Δ", 0.05, 2.0, 0.05, "lead of the best action's expected reward", main=True),
    "L": Slider("Affected L", 1, 50, 1, "variables that each action affects (at most m)", main=True),
    "m": Slider("Variables m", 5, 200, 5, "number of variables, whose payoffs add up to the reward", main=True),
    "sigma": Slider("Noise σ", 0.1, 2.0, 0.1, "standard deviation of a variable's payoff", main=True),
    "K": Slider("Actions K", 2, 20, 1, "number of actions"),
    "rho": Slider("Correlation ρ", 0.0, 1.0, 0.001, "of any two variables' noise; 0.636 in our reading of the paper"),
    "beta": Slider("Exploration β", 0.1, 10.0, 0.1, "squared confidence radius is 2β/N; log(1/δ′) in the theory"),
    "given": Slider("Given L", 1, 60, 1, "number of affected variables that the nAff policies are told"),
    "horizon": Slider("Horizon T", 500, 50_000, 500, "number of rounds", unit="rounds"),
    "runs": Slider("Runs", 2, 100, 1, "independent runs to average over"),
    "bound": Switch("Bounds", "draw Propositions 1 and 3; logarithmic axis"),
    "beta_scale": Slider("β ×", 0.1, 10.0, 0.1, "times the parameters of Table 3"),
    "mode": Choice("Feedback", MODES, "which visits follow the oracle models: of choices unlike the log, or all"),
    "bonus": Slider("Bonus", 0.5, 3.0, 0.5, "multiplies the width of C2UpUCB's intervals"),
    "epsilon": Slider("ε", 0.0, 1.0, 0.05, "share of ε-greedy's treatments that is random"),
    "rounds": Slider("Campaign rounds", 20, 200, 20, "rounds of 100 people each", unit="rounds"),
    "eliminating": Switch("A large gap", "an instance whose gap lets the first phase of UpUCB-iLift drop actions"),
}

PRESETS = {
    "Interactive": {"figure": "Regret", "gap": 0.5, "L": 10, "m": 100, "sigma": 1.0, "K": 10, "beta": 3.0, "given": 10},
    "Paper, Section 7": {
        "figure": "Regret", "gap": 0.2, "L": 10, "m": 100, "sigma": 1.0, "K": 10, "rho": 0.636, "beta": 3.0,
        "given": 10, "horizon": 20_000,
    },
    "Every variable affected": {"figure": "Regret", "gap": 0.5, "L": 20, "m": 20, "given": 20},
    "Hard: a small gap": {"figure": "Regret", "gap": 0.05, "L": 10, "m": 100, "sigma": 1.0},
    "Independent noise": {"figure": "Regret", "gap": 0.5, "L": 10, "m": 100, "rho": 0.0},
    "Degenerate: two actions, one variable": {"figure": "Regret", "gap": 0.5, "L": 1, "m": 5, "K": 2, "given": 1},
    "Told too small an L": {"figure": "Figure 3 (b)", "gap": 0.2, "L": 10, "m": 100, "given": 3},
    "What is identified": {"figure": "Who touches what", "gap": 0.5, "L": 10, "m": 60, "sigma": 0.5, "beta": 3.0},
    "Campaign, all feedback from the models": {"figure": "Figure 4", "mode": "all", "bonus": 2.0, "epsilon": 0.2},
}  # fmt: skip
