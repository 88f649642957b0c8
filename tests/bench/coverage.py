"""How often intervals of `banditlab.evidence` hold: ``python -m tests.bench.coverage`` prints docs/coverage.md.

An interval without ends holds it, and decides nothing; how often that happens stands in brackets.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

from banditlab.evidence import bootstrap, growth_exponent, mean, median, proportion, quantile, quotient, ratio

LEVEL, SAMPLES, SIZES = 0.95, 2000, (2, 3, 5, 10, 20, 100)
MANY, TIMES = (10, 20, 50, 100, 500, 2000), 30  # runs where few fail, and how many times as much they lose


class Law(NamedTuple):
    """What samples are drawn from, and what is true of it."""

    draw: object  # draw(rng, n)
    mean: float
    median: float
    upper: float  # its 0.9 quantile


def lognormal(s):
    """Logarithms of deviation s."""
    return Law(lambda rng, n: np.exp(s * rng.standard_normal(n)), math.exp(s * s / 2), 1.0, math.exp(1.2815515655 * s))


LAWS = {
    "normal": Law(lambda rng, n: 5 + rng.standard_normal(n), 5.0, 5.0, 6.2815515655),
    "exponential": Law(lambda rng, n: rng.exponential(size=n), 1.0, math.log(2), math.log(10)),
    "lognormal, 1": lognormal(1.0),
    "lognormal, 1.5": lognormal(1.5),
    "t, 3 degrees": Law(lambda rng, n: 5 + rng.standard_t(3, n), 5.0, 5.0, 6.6377443536),
    "0 or 1, 5 %": Law(lambda rng, n: 1.0 * (rng.random(n) < 0.05), 0.05, 0.0, 0.0),
    "1 to 3, tied": Law(lambda rng, n: rng.integers(1, 4, n) * 1.0, 2.0, 2.0, 3.0),
}


def failing(share):
    """A policy that sometimes fails: two humps."""
    return Law(
        lambda rng, n: (1 + 0.1 * rng.standard_normal(n)) * np.where(rng.random(n) < share, TIMES, 1),
        1 + (TIMES - 1) * share, math.nan, math.nan,
    )  # fmt: skip


FAILING = {f"{100 * share:g} % fail": failing(share) for share in (0.01, 0.05, 0.1, 0.3)}
ROUNDS = np.array([50, 100])


def of_two(law, rng, n, estimate):
    """An estimate of two samples whose true quotient is 1; the second is moved away from 0."""
    return estimate(law.draw(rng, n) + law.mean, law.draw(rng, n) + law.mean)


KINDS = {  # name -> estimate(law, rng, n), truth(law)
    "mean": (lambda law, rng, n: mean(law.draw(rng, n)), lambda law: law.mean),
    "ratio": (lambda law, rng, n: of_two(law, rng, n, ratio), lambda law: 1.0),
    "quotient": (lambda law, rng, n: of_two(law, rng, n, lambda x, y: quotient(mean(x), mean(y))), lambda law: 1.0),
    "growth_exponent": (
        lambda law, rng, n: growth_exponent(ROUNDS, np.cumsum([law.draw(rng, n), law.draw(rng, n)], axis=0).T),
        lambda law: 1.0,
    ),
    "median": (lambda law, rng, n: median(law.draw(rng, n)), lambda law: law.median),
    "quantile, 0.9": (lambda law, rng, n: quantile(law.draw(rng, n), 0.9), lambda law: law.upper),
    "bootstrap of the mean": (
        lambda law, rng, n: resampled(law.draw(rng, n)),
        lambda law: law.mean,
    ),
}


def resampled(values):
    """The bootstrap of a mean."""
    return bootstrap(lambda rows: values[rows].mean(axis=-1), len(values))


def measure(kind, law, n, samples=SAMPLES, seed=0):
    """How often the interval holds the truth, and how often it has no end on either side.

    Parameters
    ----------
    kind : str, of `KINDS`
    law : Law
    n : int >= 1, runs in a sample
    samples : int >= 1
    seed : int >= 0
    """
    estimate, truth = KINDS[kind]
    rng, held, unknown = np.random.default_rng([seed, n]), 0, 0
    for _ in range(samples):
        low, high = estimate(law, rng, n).ends(LEVEL)
        held += low <= truth(law) <= high
        unknown += bool(np.isinf(high))
    return held / samples, unknown / samples


def covered_proportion(n, chance):
    """How often the interval of a proportion holds the truth: exact, by the binomial law."""
    chances = [math.comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]
    held = [low <= chance <= high for low, high in (proportion(k, n).ends(LEVEL) for k in range(n + 1))]
    return sum(itertools.compress(chances, held))


def table(kind, laws=LAWS, sizes=SIZES):
    """The table of one kind of interval as Markdown."""
    samples = 200 if "bootstrap" in kind else SAMPLES
    lines = [f"| {kind} |" + "".join(f" n = {n:,} |" for n in sizes), "|---|" + "---|" * len(sizes)]
    for name, law in laws.items():
        cells = []
        for n in sizes:
            held, unknown = measure(kind, law, n, samples)
            cells.append(f"{held:.2f}" + f" ({unknown:.2f})" * (unknown > 0.005))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


WORDS = f"""# How often an interval holds

Verdicts rest on nominal 95 % intervals. We measured how often they cover the truth: {SAMPLES:,} samples a cell (200 of
the bootstrap), seed 0, `python -m tests.bench.coverage`. In brackets: how often there is no upper end; this covers,
but decides nothing.

What to know before quoting a verdict:

* **A few equal runs say nothing.** A zero-width interval would claim certainty; we give one only from as many runs
  as would have met an event of 5 % (59 at 95 %), or where the claim says that chance plays no part (`constant`).
* **Skewed runs.** A t-interval falls short on the side of the long tail; there Hall's transformation sets the end.
* **What no interval can know.** A rare large loss that no run has met shows in no sample: see the lognormal laws with
  fewer than 20 runs, and a ratio of 0 or 1. Where one run in a hundred fails, a mean needs 500 runs; where one in
  twenty does, 50. At the papers' sizes most rows have 50 runs and more; the column *runs* of the ledger shows which
  have fewer.
* **Median and quantiles** lie between two ordered runs, whatever the law; where there are too few runs for an end,
  there is none.
* **The bootstrap**, for statistics that have nothing better, needs 20 runs, and falls short on long tails.
* **Joint intervals.** All comparisons of a reading share 5 % of error, so each is made at a higher level.
"""


def main():
    """Print the page."""
    print(WORDS)
    for kind in KINDS:
        print(table(kind) + "\n")
    print(
        f"A policy that sometimes fails, and then loses {TIMES} times as much:\n\n"
        + table("mean", FAILING, MANY)
        + "\n"
    )
    head = "| proportion, exact |" + "".join(f" n = {n} |" for n in SIZES)
    print(head + "\n|---|" + "---|" * len(SIZES))
    for chance in (0.05, 0.5):
        print(f"| chance {chance:g} | " + " | ".join(f"{covered_proportion(n, chance):.2f}" for n in SIZES) + " |")


if __name__ == "__main__":
    main()
