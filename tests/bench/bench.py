"""``make bench``: how fast the compiled loop is, as ratios within one run. Nothing here is asserted in the tests.

Machine load is noisy: quote the ratios, not the seconds. ``--paper`` adds figures at paper size.
"""

import argparse
import math
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from composite.data import synthetic
from numba import njit
from uplifting import names as lift
from uplifting import tuning as lift_tuning

import banditlab as bl
from banditlab.engine.loop import run
from banditlab.user_code.contract import context_marker, make_streams
from tests.kernels import compile_for
from tests.naive import classic as naive_classic
from tests.naive import factored as naive_factored

ROOT = Path(__file__).parents[2]


def say(what, value, target=""):
    """One line of the table."""
    print(f"{what:<66}{value:>16}   {target}", flush=True)


def cpu(call, rounds=5):
    """Least CPU seconds of some calls."""
    times = []
    for _ in range(rounds):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return min(times)


def compiled(environment, policy, horizon):
    """A call of the compiled loop for one run."""
    checkpoints = np.linspace(0, horizon, 201).astype(np.int64)[1:]
    given = environment, policy, checkpoints, context_marker(environment), np.zeros(2, np.int64)
    loop = compile_for(run, *given, *make_streams(0, 0))
    return lambda: loop(*given, *make_streams(0, 0))


def interpreted(environment, policy, horizon):
    """The same run in plain Python."""
    return lambda: run(environment, policy, [horizon], context_marker(environment), [0, 0], *make_streams(0, 0))


@njit(nogil=True)
def fused(means, gaps, alpha, horizon, rng):
    """UCB1 on Bernoulli arms, written by hand into one function."""
    n = len(means)
    pulls, sums, average, roots, total = np.zeros(n), np.zeros(n), np.zeros(n), np.full(n, np.inf), 0.0
    for t in range(horizon):
        width, best, top = math.sqrt(alpha * math.log(max(t, 1) + 1.0)), 0, -np.inf
        for a in range(n):
            index = average[a] + width * roots[a]
            if index > top:
                best, top = a, index
        pulls[best] += 1.0
        sums[best] += 1.0 if rng.random() < means[best] else 0.0
        average[best] = sums[best] / pulls[best]
        roots[best] = math.sqrt(1.0 / pulls[best])
        total += gaps[best]
    return total


def twin(policy, environment, horizon):
    """A literal twin against the interpreted environment."""
    rng = np.random.default_rng(0)
    world = environment.reset(rng)
    for t in range(horizon):
        action = policy.select()
        seen = environment.step(world, action, t, rng)
        if hasattr(seen, "x"):
            policy.update(action, list(seen.x), seen.reward)
        else:
            policy.update(action, seen)


def classic():
    """UCB1 with ten arms."""
    arms, policy, horizon = bl.classic.bernoulli(np.linspace(0.1, 0.9, 10)), bl.classic.ucb1(10), 1_000_000
    ours, by_hand = (
        compiled(arms, policy, horizon),
        lambda: fused(arms.means, arms.gaps, 2.0, horizon, make_streams(0, 0)[0]),
    )
    ours(), by_hand()
    both = [(cpu(ours, 1), cpu(by_hand, 1)) for _ in range(9)]  # in turns, so that load hits both
    mine, hand = (min(column) / horizon for column in zip(*both, strict=True))
    python = cpu(interpreted(arms, policy, 20_000), 2) / 20_000
    literal = cpu(lambda: twin(naive_classic.UCB1(10, 2.0), arms, 500), 1) / 500
    say("UCB1, 10 Bernoulli arms: ns per step", f"{mine * 1e9:.1f}")
    say("  over the hand-fused loop", f"{mine / hand:.2f}", "target 1.1")
    say("  million steps per CPU second", f"{1e-6 / mine:.1f}", "target 15")
    say("  interpreted loop over compiled", f"{python / mine:.0f}")
    say("  literal twin (500 rounds) over compiled", f"{literal / mine:.0f}")


def censored():
    """The policies of the third paper: 10 arms, 10 limits; z-RCUCB on 3 arms."""
    world, interval = bl.censored.poscorr(), bl.censored.indep_interval()
    args = 10, world.limits, world.penalty
    rows = [
        ("UCB", world, bl.censored.ucb(*args), 300_000, 300),
        ("RCUCB, first term only", world, bl.censored.rcucb(*args, width="gain_only"), 300_000, 350),
        ("RCUCB, width as printed", world, bl.censored.rcucb(*args), 300_000, 350),
        ("Thompson sampling", world, bl.censored.thompson(*args), 30_000, 4000),
    ]
    for m in (2, 4):
        zoom = bl.censored.zrcucb(3, 1_000_000, interval.penalty, parts=m)
        rows.append((f"z-RCUCB, m = {m}, T = 1,000,000", interval, zoom, 1_000_000, 2000))
    for name, environment, policy, horizon, target in rows:
        call = compiled(environment, policy, horizon)
        call()
        say(f"{name}: ns per step", f"{cpu(call, 3) / horizon * 1e9:.0f}", f"target {target}")


def factored():
    """The policies of the first paper, d = 4, k = 5."""
    means, arms, sigma = np.random.default_rng(0).uniform(0.7, 1.0, (4, 5)), [5] * 4, 0.1
    world = bl.factored.gaussian(means, sigma)
    policies = {
        "F-UCB": bl.factored.fucb(arms, sigma),
        "UCB1": bl.factored.ucb1(arms, sigma),
        "Robust-UCB": bl.factored.rucb_mom(arms, sigma),
        "TEA": bl.factored.tea(arms),
        "F-Track": bl.factored.ftrack(arms, sigma, 100_000),
    }
    for name, policy in policies.items():
        horizon = 100_000 if name in ("F-UCB", "F-Track", "TEA") else 10_000
        call = compiled(world, policy, horizon)
        call()
        step = cpu(call, 3) / horizon
        python = cpu(interpreted(world, policy, 2_000), 1) / 2_000
        say(f"{name}, d = 4, k = 5: ns per step", f"{step * 1e9:.0f}", "target 150" if name == "F-UCB" else "")
        say("  interpreted loop over compiled", f"{python / step:.0f}", "target 70" if name == "F-UCB" else "")
        if name == "F-UCB":
            literal = cpu(lambda: twin(naive_factored.FUCB(arms, sigma), world, 1000), 1) / 1000
            say("  literal twin (1,000 rounds) over compiled", f"{literal / step:.0f}")
    began = time.perf_counter()
    bl.simulate(world, {"Robust-UCB": policies["Robust-UCB"]}, 10_000, runs=50)
    say("Robust-UCB, 625 arms, T = 10,000, 50 runs: s", f"{time.perf_counter() - began:.2f}", "target 5")


def composite():
    """The policies of the paper on composite feedback: nine arms, or ten against an adversary that watches."""
    arms, horizon, lab = np.arange(9, 0, -1) / 10, 1_000_000, bl.composite
    finite, power = lab.stochastic(arms, lab.increasing(100)), lab.stochastic(arms, lab.polynomial(2.0))
    streaks = lab.adversarial(synthetic("outbrain10", horizon).labels, lab.streak_delay(10))
    for name, world, policy, target in (
        ("ARS-UCB, finite shape", finite, lab.ars_ucb(9), 12),
        ("ODAAF, finite shape", finite, lab.odaaf(9, horizon, 67.0), 12),
        ("ARS-UCB, polynomial shape", power, lab.ars_ucb(9), 40),
        ("ARS-EXP3, finite shape", finite, lab.ars_exp3(9, horizon), 12),
        ("CLW, finite shape", finite, lab.clw(9, horizon, 100), 20),
        ("ARS-CLW, finite shape", finite, lab.ars_clw(9), 20),
        ("ARS-EXP3, adversary", streaks, lab.ars_exp3(10, horizon), 12),
        ("CLW, adversary", streaks, lab.clw(10, horizon, 10), 20),
        ("ARS-CLW, adversary", streaks, lab.ars_clw(10), 20),
    ):
        call = compiled(world, policy, horizon)
        call()
        say(f"{name}: ns per step", f"{cpu(call, 5) / horizon * 1e9:.1f}", f"target {target}")


def uplifting():
    """The draw of the payoffs, and what a round of every policy costs beyond it."""
    world, horizon = bl.uplifting.paper_gaussian(0), 50_000
    rng, payoffs = np.random.default_rng(0), world.reset(None)
    drawn = compile_for(draws, world, payoffs, horizon, rng)
    drawn(world, payoffs, horizon, rng)
    draw = cpu(lambda: drawn(world, payoffs, horizon, rng), 3) / horizon
    say("Gaussian draw of 100 payoffs: ns", f"{draw * 1e9:.0f}", "target 400")
    for name, beta in lift_tuning.TABLE_3["Gaussian"].items():
        call = compiled(world, lift.policy(name, world, float(beta)), horizon)
        call()
        say(f"{name}, K = 10, m = 100: ns per step beyond the draw", f"{(cpu(call, 3) / horizon - draw) * 1e9:.0f}")


def draws(environment, world, rounds, rng):
    """Draw the payoffs of so many rounds."""
    total = 0.0
    for t in range(rounds):
        total += environment.step(world, 0, t, rng).reward
    return total


def paper_size():
    """All four papers at their own size, one process each on one core, nothing kept."""
    total = 0.0
    for name in ("factored", "composite", "censored", "uplifting"):
        with tempfile.TemporaryDirectory() as folder:
            began = resource.getrusage(resource.RUSAGE_CHILDREN)
            call = [sys.executable, "-m", "banditlab.report", name, "--scale", "paper", "--out", folder]
            subprocess.run(call, check=True, capture_output=True, cwd=ROOT)
            ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = ended.ru_utime - began.ru_utime + ended.ru_stime - began.ru_stime
        total += seconds
        say(f"{name} at paper size: CPU s", f"{seconds:.0f}")
    say("all four papers at paper size: CPU min", f"{total / 60:.0f}", "target 30, which is 15 min on two cores")


if __name__ == "__main__":
    from .floor import floor
    from .waits import waits

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paper", action="store_true", help="also all four papers at paper size: an hour")
    options = parser.parse_args()
    for part in (classic, censored, factored, composite, uplifting, floor, waits):
        part()
    if options.paper:
        paper_size()
