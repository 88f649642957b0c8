"""``make bench-peers``: steps per CPU second beside other libraries of bandits, on one core, in turns, in one run.

Every library lives in an environment of its own, for their requirements exclude each other, and is used through its
public interface (`peer`). What does not install or run gets a sentence. The chart of docs/speed.md is drawn from it.
"""

import json
import os
import statistics
import subprocess
import sys
import time
import venv
from importlib.metadata import version
from pathlib import Path

import numpy as np
import plotly.graph_objects as go

import banditlab as bl

from .bench import ROOT, compiled, cpu, say
from .peer import MEANS, PEERS

HOMES, CHART = ROOT / ".peers", ROOT / "docs" / "peers.svg"
TURNS = 5
LENGTHS = {"river": 20_000, "coba": 10_000, "mabby": 10_000, "mabwiser": 5_000}


def install(name):
    """Return the Python of a library's environment, or the sentence that says why there is none."""
    home = HOMES / name
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not (home / "ready").exists():
        venv.create(home, with_pip=True, clear=True)
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", name], capture_output=True, text=True)
        if done.returncode:
            return None, f"does not install: {last_error(done.stderr)}"
        (home / "ready").touch()
    return python, ""


def last_error(text):
    """The line of a traceback or of pip that names the error."""
    lines = [line.strip() for line in text.splitlines() if "Error" in line]
    return (lines or text.strip().splitlines() or ["no reason given"])[-1].split(" (")[0]


def measure(python, name, times=1):
    """Version and speeds of a library, in a process of its own, or a sentence."""
    line = [python, Path(__file__).with_name("peer.py"), name, str(LENGTHS.get(name, 5_000)), str(times)]
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode:
        return None, f"does not run: {last_error(done.stderr)}"
    return json.loads(done.stdout.splitlines()[-1]), ""


def ours(horizon=1_000_000):
    """A call of one run of UCB1, compiled, and its rounds."""
    call = compiled(bl.classic.bernoulli(MEANS), bl.classic.ucb1(10), horizon)
    call()
    return call, horizon


def plain_fucb(world, d, k, sigma, horizon, rng, alpha=4.0):
    """F-UCB in plain numpy, line by line as the paper's Algorithm 1."""
    pulls, sums, chosen = np.zeros((d, k)), np.zeros((d, k)), np.arange(d)
    for t in range(1, horizon + 1):
        with np.errstate(divide="ignore", invalid="ignore"):
            index = sums / pulls + sigma * np.sqrt(alpha * np.log(t) / pulls)
        arms = np.where(pulls == 0, np.inf, index).argmax(1)
        x = world[chosen, arms] + sigma * rng.standard_normal(d)
        pulls[chosen, arms] += 1
        sums[chosen, arms] += x


def factored():
    """F-UCB, d = 4, k = 5, beside plain numpy: how many times faster."""
    means, sigma, horizon = np.random.default_rng(0).uniform(0.7, 1.0, (4, 5)), 0.1, 100_000
    call = compiled(bl.factored.gaussian(means, sigma), bl.factored.fucb([5] * 4, sigma), horizon)
    call()
    mine = cpu(call, 3) / horizon
    rng = np.random.default_rng(0)
    plain = cpu(lambda: plain_fucb(means, 4, 5, sigma, 5_000, rng), 3) / 5_000
    say("F-UCB, d = 4, k = 5: plain numpy over compiled", f"{plain / mine:.0f}", f"{mine * 1e9:.0f} ns a step")


def main():
    """Measure all in turns, print a table, draw the chart."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found, versions = {"banditlab": []}, {"banditlab": version("banditlab-workbench")}
    pythons = {}
    for peer in PEERS:
        python, why = install(peer.__name__)
        first, why = measure(python, peer.__name__) if python else (None, why)
        if first is None:
            say(peer.__name__, "-", why)
            continue
        pythons[peer.__name__], versions[peer.__name__] = python, first["version"]
        found[peer.__name__] = []
    call, rounds = ours()
    for _ in range(TURNS):  # in turns, so that load hits all
        began = time.process_time()
        call()
        found["banditlab"].append(rounds / (time.process_time() - began))
        for name, python in pythons.items():
            found[name] += measure(python, name)[0]["speeds"]
    medians = {name: statistics.median(speeds) for name, speeds in found.items()}
    for name, speeds in sorted(found.items(), key=lambda item: -medians[item[0]]):
        spread = f"{min(speeds):,.0f} to {max(speeds):,.0f}"
        if name != "banditlab":
            spread += f"; banditlab is {medians['banditlab'] / medians[name]:,.0f} times as fast"
        say(f"{name} {versions[name]}: steps per CPU second", f"{medians[name]:,.0f}", spread)
    factored()
    draw(medians, found, versions)


def draw(medians, found, versions):
    """The chart of the README."""
    names = sorted(medians, key=medians.get)
    figure = go.Figure(
        go.Scatter(
            x=[medians[name] for name in names], mode="markers", marker_size=11,
            y=[f"{name} {versions[name]}: {medians[name]:,.0f}" for name in names],
            error_x=dict(
                array=[max(found[name]) - medians[name] for name in names],
                arrayminus=[medians[name] - min(found[name]) for name in names],
            ),
            marker_color=["#0072B2" if name == "banditlab" else "#777777" for name in names],
        )
    )  # fmt: skip
    figure.update_layout(
        template="simple_white", width=760, height=100 + 36 * len(names), margin=dict(l=10, r=20, t=40, b=50),
        title=dict(text="UCB1 on 10 Bernoulli arms: steps per CPU second, on one core", font_size=15),
    )  # fmt: skip
    figure.update_xaxes(type="log", title_text="median of 5 turns, with the least and the largest", dtick=1)
    figure.update_yaxes(automargin=True, showgrid=True)
    figure.write_image(CHART)
    print(f"drawn: {CHART.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
