"""The guided tour: settings that show something, and what to look at; and what stands in front of each figure."""

from .studies import FIGURE_4

FRONT = {  # the controls that matter to a figure, and values at which its words come true
    "Regret": dict(main=("d", "gap", "sigma"), marks=FIGURE_4.printed()),
    "Figure 2": dict(main=("gap", "d", "sigma"), gap=0.5, d=20),
    "Figure 3": dict(main=("k", "d", "low")),
    "Figure 4": dict(main=("gap", "d", "n0_mult"), gap=0.9, d=30),
    "Figure 5": dict(main=("gap", "d", "sigma")),
    "Figure 6": dict(main=("rho", "d", "gap"), rho=0.8, d=10, gap=0.5),
    "Pricing": dict(main=("spend", "k", "sigma")),
    "Manufacturing": dict(main=("batch", "d", "k")),
    "Who wins": dict(main=("d", "n0_mult", "sigma"), d=20),
    "Reward only": dict(main=("sigma", "d", "k")),
    "Coordination": dict(main=("gap", "d", "sigma")),
}

TOUR = {
    "More components": {
        "figure": "Regret", "d": 4, "move": ("d", "k", "gap"),
        "say": "Raise d step by step to 7. UCB1 must try all kᵈ vectors, 81 at d = 4 and k = 3, then 2,187; F-UCB "
               "learns dk means, 12, then 21. Whose regret follows the number of vectors?",
    },
    "Too many vectors": {
        "figure": "Regret", "d": 9, "move": ("d", "k", "gap"),
        "say": "With nine components there are 19,683 vectors, and UCB1 leaves the figure: its name stays above "
               "the frame. F-UCB learns 27 means. Go back to d = 7 to see UCB1 return.",
    },
    "Smaller gaps": {
        "figure": "Regret", "gap": 0.15, "move": ("gap", "sigma", "horizon"),
        "say": "A smaller gap is harder to see. Lower Δ further, then raise T: how long does F-UCB keep "
               "exploring?",
    },
    "The warm-up": {
        "figure": "Figure 4", "gap": 0.9, "d": 30, "n0_mult": 10, "move": ("n0_mult", "gap", "d"),
        "say": "Move F-Track's warm-up between 1 and 20 times the printed number of samples. Where is its "
               "regret smallest, and when does its distribution (right panel) have two peaks?",
    },
    "Shared noise": {
        "figure": "Figure 6", "rho": 0.8, "d": 10, "gap": 0.5, "move": ("rho", "d", "gap"),
        "say": "Lower ρ step by step. Above which ρ does the best product no longer consist of the best "
               "components, so that regret grows in every round?",
    },
}  # fmt: skip
