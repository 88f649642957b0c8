"""The experiments on composite anonymous feedback: the figures, and what the sliders may do with them."""

from banditlab.explorer import Choice, Slider, Switch

from . import claims, studies  # noqa: F401
from .data import STAND_INS
from .delay import CASES, SHAPES
from .maps import RATES_BY_DELAY, WHERE_IT_STOPS
from .runs import GROWTHS, NINE, RULES
from .studies import *
from .tables import adversarial_table, heavy_tails, refined_constants
from .tour import FRONT, TOUR

HEADLINE = studies.TWELVE

FIGURES = {study.name: study.slider(**FRONT.get(study.name, {})) for study in studies.LIVE}
PLAYS = ("Regret", "One reward", "Rounds", "Hidden radius", "Figures 2 to 4: α", "Figures 2 to 4: f", "Figure 5",
         "α against T", "Knowledge", "Who is misled")  # in a report # fmt: skip
REPLAYS = ("C1b", "C2", "C4a", "C4b", "C5", "C15", "C6", "C17", "T1", "B2", "B3",
           "B4")  # claims that a page judges anew  # fmt: skip

CONTROLS = {
    "delay": Choice("Delay shape", SHAPES, "how the reward of one pull spreads over time", main=True,
                    start="increasing"),
    "d": Slider("Longest delay d", 1, 100, 1, "of the bounded shapes and of the adversary", "steps", main=True,
                start=50, where={"delay": ("random delay", "interval", "decreasing", "increasing")}),
    "start": Slider("First delay / d", 0.0, 1.0, 0.05, "of a random delay or an interval, as a share of d", main=True,
                    start=0.3, where={"delay": ("random delay", "interval")}, symbol="first delay / d"),
    "gamma": Slider("Discounted γ", 0.05, 0.95, 0.05, "share of a discounted reward left from step to step", main=True,
                    start=0.8, where={"delay": ("discounted",)}),
    "power": Slider("Polynomial γ", 1.1, 6.0, 0.1, "exponent; up to 2 the mean delay is infinite", main=True,
                    start=2.0, where={"delay": ("polynomial",)}),
    "alpha": Slider("Exploration α", 0.5, 16.0, 0.5, "width of ARS-UCB's radius; Theorem 1 asks for over 4", main=True,
                    start=4.0),
    "growth": Choice("Round sizes f", tuple(GROWTHS), "ARS-UCB's k-th round of an arm: k, k², k³ or 2ᵏ steps",
                     main=True, start="k2", words=GROWTHS),
    "arms": Slider("Arms N", 2, 20, 1, "number of arms, the best one of mean 0.9", start=9),
    "gap": Slider("Gap Δ", 0.01, 0.9, 0.01, "between the means of one arm and the next", start=0.1),
    "horizon": Slider("Horizon T", 1000, 1_000_000, 1000, "number of steps", unit="steps", start=50_000),
    "runs": Slider("Runs", 2, 1000, 1, "independent runs to average over", start=10),
    "sequence": Choice("Sequence", tuple(STAND_INS), "synthetic stand-in: which arm pays in each step",
                       main=True, start="outbrain10"),
    "rule": Choice("Delay rule", RULES, "whether the adversary's delays watch the player", start="non-oblivious"),
    "error": Slider("Error of told d", -0.5, 1.0, 0.1, "CLW is told d (1 + error), besides the true d", start=0.1,
                    symbol="error of told d"),
    "beta": Slider("Growth β", 0.0, 1.0, 0.05, "ARS-EXP3's k-th round has k to the β steps", start=0.5),
    "told": Slider("ODAAF is told × m", 0.0, 4.0, 0.25, "ODAAF is told m times the truth about the delays", start=1.0),
    "tie": Slider("Near tie s₂/s₁", 0.8, 1.0, 0.01, "chance of the second best arm over that of the best", main=True,
                  start=0.94),
    "upper": Switch("Upper bound", "draw the leading term of Theorem 1, where it applies", start=False),
}  # fmt: skip
claims.claims.mark(FIGURES, CONTROLS)


def _paper(figure, case, **settings):
    """Slider positions of one of the paper's cases."""
    used = {"random delay": ("d", "start"), "interval": ("d", "start"), "discounted": ("gamma",),
            "polynomial": ("power",)}  # fmt: skip
    delay = CASES[case]
    own = {name: getattr(delay, name) for name in used.get(delay.delay, ("d",))}
    size = studies.STOCHASTIC["paper"]["horizon"]
    nine = {"delay": delay.delay, "arms": len(NINE), "gap": studies.GAP, "horizon": size, "runs": 40}
    return {"figure": figure, **nine, **own, **settings}


PRESETS = {
    **TOUR,
    "Interactive": {"figure": "Regret", "delay": "increasing", "d": 50, "alpha": 4.0, "growth": "k2", "arms": 9,
                    "gap": 0.1},
    "Paper, random delay 10 to 30": _paper("Regret", "random 10–30"),
    "Paper, interval 30 to 40": _paper("Figures 2 to 4: f", "interval 30–40", alpha=4.0),
    "Paper, discounted": _paper("Figures 2 to 4: α", "discounted 0.9", growth="k2"),
    "Hard: heavy tails": _paper("Figures 2 to 4: α", "increasing 100", growth="k2", horizon=100_000),
    "Hard: infinite mean delay": {"figure": "Regret", "delay": "polynomial", "power": 2.0, "arms": 9, "gap": 0.1},
    "Theorem 1 applies": {"figure": "Regret", "delay": "discounted", "gamma": 0.5, "alpha": 8.0, "upper": True},
    "The adversary watches": {"figure": "Figure 5", "sequence": "outbrain10", "rule": "non-oblivious", "d": 10},
    "Two arms nearly tie": {"figure": "Figure 5", "sequence": "twin3", "rule": "non-oblivious", "d": 20,
                            "horizon": 500_000},
    "Degenerate: no delay": {"figure": "Regret", "delay": "random delay", "d": 1, "start": 0.0},
}  # fmt: skip

GRID = {  # what a reader of the report slides through without a kernel, by scale
    "quick": {
        "Regret": {"d": [5, 10, 20, 50, 100], "gap": [0.02, 0.05, 0.1], "alpha": [1.0, 4.0, 8.0],
                   "horizon": 12_500, "runs": 10},
        "Hidden radius": {"d": [5, 10, 20, 50, 100], "alpha": [1.0, 2.0, 4.0, 8.0], "horizon": 12_500},
        "Figures 2 to 4: α": {"d": [10, 50, 100], "horizon": 12_500, "runs": 10},
        "Figures 2 to 4: f": {"d": [10, 50, 100], "horizon": 12_500, "runs": 10},
        "Who is misled": {"d": [5, 10, 20, 50], "tie": [0.8, 0.9, 0.94, 1.0]},
    },
    "paper": {
        "Regret": {"d": [1, 2, 5, 10, 20, 30, 50, 70, 100], "gap": [0.01, 0.02, 0.05, 0.1],
                   "alpha": [1.0, 2.0, 4.0, 8.0]},
        "Hidden radius": {"d": [1, 2, 5, 10, 20, 30, 50, 70, 100], "alpha": [0.5, 1.0, 2.0, 4.0, 8.0, 16.0]},
        "Figures 2 to 4: α": {"d": [5, 10, 20, 50, 100], "gap": [0.02, 0.05, 0.1]},
        "Figures 2 to 4: f": {"d": [5, 10, 20, 50, 100], "gap": [0.02, 0.05, 0.1]},
        "Knowledge": {"d": [10, 50, 100], "told": [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0]},
        "Who is misled": {"d": [2, 5, 10, 15, 20, 30, 50], "tie": [0.8, 0.85, 0.9, 0.92, 0.94, 0.96, 0.98, 1.0]},
    },
}  # fmt: skip
