"""The experiments of Factored-Reward Bandits: the figures, what the sliders may move, and the presets."""

from banditlab.explorer import Choice, Slider, Switch

from . import claims  # noqa: F401
from .maps import WHERE_IT_STOPS  # noqa: F401
from .studies import *  # noqa: F403
from .studies import FIGURE_2, FIGURE_3, FIGURE_4, FIGURE_6, REGRET, STUDIES
from .tables import failures, final_regrets, table_1, table_2  # noqa: F401
from .tour import FRONT, TOUR

CONTROLS = {
    "gap": Slider("Gap Δ", 0.05, 1.0, 0.05, "how much worse the other options of a component are", main=True,
                  start=0.3),
    "d": Slider("Components d", 1, 30, 1, "number of components, whose observations multiply", main=True, start=4),
    "sigma": Slider("Noise σ", 0.05, 2.0, 0.05, "standard deviation of an observation", main=True, start=0.5),
    "rho": Slider("Shared noise ρ", 0.0, 1.0, 0.1, "share of the noise that all components have in common", main=True,
                  start=0.6),
    "noisy": Choice("Noise on", ("second", "both"), "shared noise on option 2 only, as the text says, or "
                    "on both, as in the released code", start="second"),
    "k": Slider("Options k", 2, 10, 1, "number of options of every component", start=3),
    "law": Choice("Observations", ("normal", "bernoulli"), "law of an observation; Bernoulli ones are 0 or 1, and "
                  "1/2-subgaussian", start="normal"),
    "horizon": Slider("Horizon T", 1000, 100_000, 1000, "number of rounds", unit="rounds", start=10_000),
    "runs": Slider("Runs", 2, 1000, 1, "independent runs to average over", start=10),
    "alpha": Slider("Exploration α", 2.5, 8.0, 0.5, "width of the confidence radius; the theorems ask for more than 2",
                    start=4.0),
    "low": Slider("Lowest mean", 0.0, 0.9, 0.1, "fresh means are uniform from here to 1", main=True, start=0.7),
    "n0_mult": Slider("Warm-up N₀ ×", 1, 20, 1, "reading of F-Track's warm-up: times the printed number of samples",
                      start=10),
    "spend": Slider("Largest budget", 0.0, 1.0, 0.05, "cost of the largest advertising budget", unit="money",
                    main=True, start=0.3),
    "batch": Slider("Batch value B", 1.0, 10.0, 0.5, "value of an undamaged batch", unit="money", main=True, start=2.0),
    "lower": Switch("Lower bounds", "draw what this instance costs asymptotically, and what some instance costs at "
                    "least (Section 3)", start=True),
    "upper": Switch("Upper bounds", "draw what the policy never exceeds in expectation (Section 4); logarithmic axis",
                    start=False),
}  # fmt: skip

FIGURES = {study.name: study.slider(**FRONT.get(study.name, {})) for study in STUDIES}
claims.claims.mark(FIGURES, CONTROLS)
PLAYS = ("Regret", "Figure 1", "Figure 2", "Figure 3", "Figure 4", "Figure 5", "Figure 6", "Pricing",
         "Manufacturing", "Theorem 5.1", "Reward only")  # in a report # fmt: skip
REPLAYS = ("A2", "A4b", "A5a", "A5c", "A6", "A18", "A8", "A9", "A15", "A19",
           "B6", "B7")  # claims that a page judges anew  # fmt: skip

PRESETS = {
    **TOUR,
    "Interactive": {"figure": "Regret", **REGRET.fixed},
    "All bounds": {"figure": "Regret", "gap": 0.5, "d": 2, "k": 3, "sigma": 1.2, "lower": True, "upper": True},
    "Product space too large": {"figure": "Regret", "gap": 0.3, "d": 20, "k": 5, "sigma": 0.5},
    **dict([
        FIGURE_2.preset(gap=0.5, d=20, runs=5),
        FIGURE_3.preset(k=4, d=3),
        FIGURE_4.preset(gap=0.9, d=30, runs=10),
        FIGURE_6.preset(rho=0.8, runs=10),
    ]),
    "F-Track, ten times the warm-up": {"figure": "Figure 4", "gap": 0.9, "d": 30, "sigma": 0.5, "n0_mult": 10},
    "Bernoulli observations": {"figure": "Regret", "gap": 0.3, "d": 4, "k": 3, "law": "bernoulli", "sigma": 0.5},
    "Who wins at d = 20": {"figure": "Who wins", "d": 20, "n0_mult": 3, "sigma": 0.5, "horizon": 10_000, "runs": 200},
    "Hard: a small gap": {"figure": "Regret", "gap": 0.05, "d": 3, "k": 3, "sigma": 1.0},
    "Degenerate: one component": {"figure": "Regret", "gap": 0.5, "d": 1, "k": 5, "sigma": 0.5},
    "Pricing with an expensive budget": {"figure": "Pricing", "k": 6, "sigma": 0.1, "spend": 0.5},
    "Line of four stages": {"figure": "Manufacturing", "d": 4, "k": 4, "sigma": 0.1, "batch": 2.0},
}  # fmt: skip

GRID = {  # what a reader of the report slides through without a kernel, by scale
    "quick": {
        "Regret": {"gap": [0.1, 0.3, 0.5, 0.7, 0.9], "d": [1, 2, 3, 4, 5, 6], "runs": 10},
        "Figure 4": {"gap": [0.3, 0.5, 0.9], "d": [4, 10, 30], "horizon": 5000, "runs": 5},
        "Figure 6": {"rho": [0.0, 0.2, 0.4, 0.6, 0.8, 1.0], "d": [4, 10], "horizon": 5000, "runs": 5},
        "Who wins": {"d": [4, 20, 30], "n0_mult": 3, "runs": 50},
        "Coordination": {"gap": [0.3, 0.6, 0.9], "d": [2, 4, 10], "runs": 10},
    },
    "paper": {
        "Regret": {"gap": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], "d": [1, 2, 3, 4, 5, 6, 7],
                   "sigma": [0.25, 0.5, 1.0]},
        "Figure 4": {"gap": [0.3, 0.5, 0.7, 0.9], "d": [4, 10, 20, 30], "n0_mult": [1, 3, 5, 10, 20], "runs": 10},
        "Figure 6": {"rho": [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0], "d": [4, 10], "runs": 10},
        "Who wins": {"d": [2, 4, 10, 20, 30], "n0_mult": 3, "runs": 200},
        "Coordination": {"gap": [0.1, 0.3, 0.5, 0.7, 0.9], "d": [2, 4, 6, 10, 20]},
    },
}  # fmt: skip
