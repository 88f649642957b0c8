"""``make bench-growth``: CPU time and memory against every size, with fitted exponents; draws the docs' picture."""

import subprocess
import sys
import time
from functools import partial

import numpy as np
from plotly.subplots import make_subplots

import banditlab as bl

from .bench import ROOT, say

CHART = ROOT / "docs" / "growth.svg"
PEAK = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"


def classic(horizon=20_000, runs=20, arms=10):
    """UCB1 on Bernoulli arms."""
    world, policy = bl.classic.bernoulli(np.linspace(0.1, 0.9, arms)), bl.classic.ucb1(arms)
    bl.simulate(world, {"UCB1": policy}, horizon, runs)


def factored(d=4):
    """F-UCB on d components of five options."""
    means = np.tile(np.linspace(1.0, 0.6, 5), (d, 1))
    bl.simulate(bl.factored.gaussian(means, 0.1), {"F-UCB": bl.factored.fucb([5] * d, 0.1)}, 20_000, 10)


def uplifting(m=100):
    """UpUCB with known baseline, ten actions, ten affected variables each, of m."""
    world = bl.uplifting.scaled_gaussian(0, 10, m, 10, 0.5, 1.0, 0.0)
    from uplifting import names

    bl.simulate(world, {"UpUCB (bl)": names.policy("UpUCB (bl)", world, 1.0)}, 5_000, 10)


def cell(gap):
    """One cell of a sweep."""
    return bl.classic.bernoulli([0.5, 0.5 - gap]), {"UCB1": bl.classic.ucb1(2)}


def sweep(cells=16):
    """A sweep of so many cells."""
    bl.sweep(cell, {"gap": np.linspace(0.01, 0.4, cells).tolist()}, 5_000, 10)


SIZES = {
    "horizon": (classic, [10_000, 40_000, 160_000, 640_000]),
    "runs": (classic, [20, 80, 320, 1280]),
    "arms": (classic, [5, 20, 80, 320]),
    "d": (factored, [2, 8, 32, 128]),
    "m": (uplifting, [50, 200, 800, 3200]),
    "cells": (sweep, [16, 64, 256, 1024]),
}


def measured(call):
    """Least CPU seconds of two calls, the kernels compiled before."""
    times = []
    for _ in range(2):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return min(times)


def memory(name, size):
    """Peak memory of a process that does it, in MB."""
    code = f"from tests.bench.growth import SIZES; SIZES[{name!r}][0](**{{{name!r}: {size}}}); {PEAK}"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT)
    return int(done.stdout) / 1024


def exponent(x, y):
    """Slope of log y against log x, over the upper half, where the cost of starting no longer counts."""
    half = len(x) // 2 - 1
    return np.polyfit(np.log(x[half:]), np.log(y[half:]), 1)[0]


def main():
    """Measure, print, draw."""
    titles, drawn = [], []
    for name, (call, sizes) in SIZES.items():
        call(**{name: sizes[0]})
        seconds = [measured(partial(call, **{name: size})) for size in sizes]
        peaks = [memory(name, size) for size in sizes]
        power = exponent(sizes, seconds)
        say(f"CPU time against {name}, {sizes[0]:,} to {sizes[-1]:,}", f"exponent {power:.2f}",
            f"{peaks[0]:.0f} to {peaks[-1]:.0f} MB")  # fmt: skip
        titles.append(f"{name}: power {power:.2f}, {peaks[0]:.0f} to {peaks[-1]:.0f} MB")
        drawn.append((name, sizes, seconds))
    figure = make_subplots(2, 3, subplot_titles=titles, vertical_spacing=0.2)
    for place, (name, sizes, seconds) in enumerate(drawn):
        at = dict(row=1 + place // 3, col=1 + place % 3)
        figure.add_scatter(x=sizes, y=seconds, mode="lines+markers", line_color="#0072B2", **at)
        figure.update_xaxes(type="log", title_text=name, tickvals=sizes, **at)
        figure.update_yaxes(type="log", title_text="CPU seconds" if place % 3 == 0 else "", dtick=1, **at)
    figure.update_layout(template="simple_white", width=1000, height=560, showlegend=False, margin=dict(t=40))
    figure.update_annotations(font_size=13)
    figure.write_image(CHART)


if __name__ == "__main__":
    main()
