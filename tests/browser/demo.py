"""Figure functions to drive an explorer with: no simulation, only numbers that tests know."""

import itertools
import pathlib
import time

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from banditlab.explorer import Choice, Slider, Switch

T = np.arange(1, 201)
COUNT = itertools.count(1)
HOLD = pathlib.Path("hold")  # while this file is there, a long computation goes on: tests look at what stands still


def held(progress):
    """Go on until the test has seen enough, or nobody waits for the figure any more."""
    while HOLD.exists():
        time.sleep(0.01)
        progress(0.5)


def regret(gap, d, runs=20, bound=False, progress=None):
    """Regret of three policies against the round, drawn at once."""
    figure = go.Figure()
    for name, regrets in (("F-UCB", np.log(T) / gap), ("UCB1", np.sqrt(d * T)), ("uniform", gap * T + 1 / runs)):
        figure.add_scatter(x=T, y=regrets, name=name, mode="lines")
    if bound:
        figure.add_scatter(x=T, y=d * np.log(T) / gap, name="bound", mode="lines")
    meta = {"caption": rf"**Regret** over {runs} runs, gap $\Delta={gap}$.", "alt": "Regret of three policies."}
    figure.update_layout(title_text=f"Regret, d = {d}", xaxis_title="round t", yaxis_title="regret", meta=meta)
    return figure, None


def slow(d, runs, seconds=2.0, shape="steps", progress=None):
    """Final regret of a long simulation, a bar for each policy."""
    for i in range(50 * runs // 20):
        time.sleep(seconds / 50)
        progress(i / 50) if progress else None
    if runs > 3:  # a first sketch has no more
        held(progress)
    if d == 13:
        raise ValueError("d=13: too many arms\nto list them")
    figure = go.Figure(go.Bar(x=["F-UCB", "UCB1"], y=[d, runs], name=shape))
    return figure.update_layout(xaxis_title="policy", yaxis_title="regret", meta={"alt": "Two bars."}), None


def paced(gap, progress=None):
    """One line after a simulation of 100 ms; the title counts the simulations."""
    time.sleep(0.1)
    held(progress)
    figure = go.Figure(go.Scatter(x=T, y=T**gap, name="line", mode="lines"))
    return figure.update_layout(title_text=str(next(COUNT))), None


def panels(gap, progress=None):
    """Two panels, one of them upside down."""
    figure = make_subplots(cols=2, subplot_titles=["left", "right"])
    figure.add_scatter(x=T, y=T**gap, name="line", mode="lines", row=1, col=1)
    figure.add_scatter(x=T, y=gap * T, name="line", mode="lines", row=1, col=2)
    return figure.update_yaxes(autorange="reversed", col=1), None


FIGURES = {"Figure 1": regret, "Figure 2: long runs": slow, "Figure 3": paced, "Figure 4": panels}
CONTROLS = {
    "gap": Slider("Gap Δ", 0.05, 1, 0.05, "gap between the best and the other option", "σ", main=True, start=0.3),
    "d": Slider("Components d", 1, 20, 1, "number of components of an action", main=True, start=4),
    "runs": Slider("Runs", 5, 100, 5, "independent runs to average over", start=20),
    "seconds": Slider("Length of the simulation", 0.1, 10, 0.1, "how long the long runs take", "s", start=2.0),
    "shape": Choice("Shape of the delays", ("steps", "ramp"), "how a reward is spread", start="steps"),
    "bound": Switch("Show the upper bound", "Theorem 1", start=False),
}
PRESETS = {
    "The paper's own": {"gap": 0.5, "d": 10},
    "Small gap": {"gap": 0.05, "d": 2},
    "Between the steps": {"gap": 0.123},
    "Quick bars": {"figure": "Figure 2: long runs", "seconds": 0.1, "d": 12},
}
VALUES = {
    "scale": "quick",
    "seed": 0,
    "figure": "Figure 1",
    "gap": 0.3,
    "d": 4,
    "runs": 20,
    "seconds": 2.0,
    "shape": "steps",
    "bound": False,
}
