"""cascading: a user reads a list from the top and clicks the first item that they like (Kveton et al., ICML 2015)."""

import math
from typing import NamedTuple

import numpy as np

import banditlab as bl
from banditlab.evidence import Cases, growth, mean, ratio, regret_difference
from banditlab.study.sentences import shapes

# 1. The world and the algorithms.


class Cascade(NamedTuple):
    """Section 2: items please independently. A step draws a uniform for every item, so all policies meet one user."""

    weights: np.ndarray  # (items,) chance that an item pleases
    length: int  # items in a list
    least: float  # chance that nothing in the best list pleases

    def actions(self):
        return bl.spaces.ranked(len(self.weights), self.length)

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        drawn, click = rng.random(len(self.weights)), self.length
        for k in range(self.length - 1, -1, -1):
            if drawn[action[k]] < self.weights[action[k]]:
                click = k
        return click  # place of the click; the length of the list if there is none

    def regret(self, world, action, t):
        missed = 1.0  # chance that nothing pleases
        for item in action:
            missed *= 1.0 - self.weights[item]
        return max(missed - self.least, 0.0)  # the order of the factors rounds otherwise


def problem(items, length, gap, p):
    """Section 4.3: the items of the best list please with chance p, all others with p - gap; and the algorithms."""
    if items <= length or p < gap:
        raise ValueError(f"items={items}, gap={gap}: there must be more than {length} items, and no gap above {p}")
    world = Cascade(np.array([p] * length + [p - gap] * (items - length)), length, (1.0 - p) ** length)
    return world, {"CascadeUCB1": CascadeUCB1(items, length), "CascadeKL-UCB": CascadeKLUCB(items, length)}


class Seen(NamedTuple):
    counts: np.ndarray  # (items,) how often each was read
    clicks: np.ndarray  # (items,)


class CascadeUCB1(NamedTuple):
    """Algorithm 1 with the first index of Section 3.2; an item that was never read has index infinity."""

    items: int
    length: int

    def actions(self):
        return bl.spaces.ranked(self.items, self.length)

    def init(self, rng):
        return Seen(np.zeros(self.items), np.zeros(self.items))

    def index(self, mean, count, t):
        return mean + math.sqrt(1.5 * math.log(t) / count)

    def select(self, state, t, rng):
        ranks = np.full(self.items, -np.inf)
        for item in range(self.items):
            if state.counts[item] > 0.0:
                ranks[item] = -self.index(state.clicks[item] / state.counts[item], state.counts[item], t)
        return np.argsort(ranks, kind="mergesort")[: self.length].copy()

    def update(self, state, action, observation, t, rng):
        for k in range(min(observation + 1, self.length)):  # what was read
            state.counts[action[k]] += 1.0
            if k == observation:
                state.clicks[action[k]] += 1.0
        return state


class CascadeKLUCB(CascadeUCB1):
    """The same with the KL-UCB index."""

    def index(self, mean, count, t):
        budget = (math.log(t) + 3.0 * math.log(max(math.log(t), 1.0))) / count
        low, high = mean, 1.0
        for _ in range(20):  # to a millionth
            q = 0.5 * (low + high)
            spent = mean * math.log(mean / q) if mean > 0.0 else 0.0
            spent += (1.0 - mean) * math.log((1.0 - mean) / (1.0 - q)) if mean < 1.0 else 0.0
            if spent > budget:
                high = q
            else:
                low = q
        return low


def upper_bound(items, length, gap, n):
    """Theorem 2, where all gaps are one."""
    return (items - length) * 12.0 / gap * np.log(n) + math.pi**2 / 3.0 * items


def lower_bound(items, length, gap, p, n):
    """Theorem 4: of the regret of any consistent policy, in the limit."""
    return (items - length) * gap * (1.0 - p) ** (length - 1) / bl.classic.divergence(p - gap, p) * np.log(n)


# 2. One experiment from plain numbers: those without a default are what sliders move.


def play(items, length, gap, p, horizon, runs, seed, progress=None):
    """Both algorithms on one problem."""
    return bl.simulate(*problem(items, length, gap, p), horizon, runs, seed, progress=progress)


# 3. The figure, and the map of its claim.


def caption(found, n):
    """What to conclude, computed from the runs that are drawn."""
    return shapes(found)


TABLE_1 = bl.Study(
    "Table 1", "regret by the length of the list", play, caption,
    grid=dict(length=(2, 4, 8)),
    fixed=dict(items=16, gap=0.15, p=0.2),
    sizes=dict(quick=dict(horizon=10_000, runs=10), paper=dict(horizon=100_000, runs=20)),
    panel="K = {length}",
)  # fmt: skip
CROWD = TABLE_1._replace(
    name="Twice the items", title="regret by the number of items", grid=dict(items=(16, 32)),
    fixed=dict(length=4, gap=0.15, p=0.2), panel="L = {items}", ours=True,
)  # fmt: skip
CLOSE = TABLE_1._replace(
    name="Half the gap", title="regret by the gap", grid=dict(gap=(0.15, 0.075)),
    fixed=dict(items=16, length=4, p=0.2), panel="Δ = {gap}", ours=True,
)  # fmt: skip

WHOLE = TABLE_1._replace(grid=dict(items=(16, 32), length=(2, 4, 8), gap=(0.15, 0.075)), fixed=dict(p=0.2))
PRINTED = {  # their Table 1, by L, K and Δ: both algorithms, mean and error
    (16, 2, 0.15): ((1290.1, 11.3), (357.9, 5.5)), (16, 4, 0.15): ((986.8, 10.8), (275.1, 5.8)),
    (16, 8, 0.15): ((574.8, 7.9), (149.1, 3.2)), (32, 2, 0.15): ((2695.9, 19.8), (761.2, 10.4)),
    (32, 4, 0.15): ((2256.8, 12.8), (633.2, 7.0)), (32, 8, 0.15): ((1581.0, 20.3), (435.4, 5.7)),
    (16, 2, 0.075): ((2077.0, 32.9), (766.0, 18.0)), (16, 4, 0.075): ((1520.4, 23.4), (538.5, 12.5)),
    (16, 8, 0.075): ((725.4, 12.0), (321.0, 16.3)),
}  # fmt: skip


def draw_map(seed=0):
    """Where CascadeKL-UCB loses less than CascadeUCB1, by gap and chance of a click."""

    def eight(gap, p, horizon):
        return problem(8, 2, gap, p)

    found = bl.sweep(eight, {"gap": [0.01, 0.05, 0.1, 0.15], "p": [0.2, 0.5, 0.8]}, horizon=2000, runs=10, seed=seed)
    return found.map("gap", "p", "CascadeUCB1", "CascadeKL-UCB", mark=(0.15, 0.2))


CONTROLS = {
    "length": bl.Slider("List K", 1, 8, 1, "items in a list", main=True, start=2),
    "gap": bl.Slider("Gap Δ", 0.05, 0.2, 0.025, "how much less the other items please", main=True, start=0.15),
    "items": bl.Slider("Items L", 10, 64, 2, "items to choose from", start=16),
    "p": bl.Slider("Chance p", 0.2, 0.9, 0.1, "that a good item pleases", start=0.2),
    "horizon": bl.Slider("Horizon n", 1000, 100_000, 1000, "number of users", start=10_000),
    "runs": bl.Slider("Runs", 5, 100, 5, "independent runs to average over", start=10),
}
FIGURES = {study.name: study.slider() for study in (TABLE_1, CROWD, CLOSE)}
PRESETS = dict([TABLE_1.preset(length=2), TABLE_1.preset(length=8), CLOSE.preset(gap=0.075)])
GRID = {TABLE_1.name: dict(length=(2, 4, 8), gap=(0.05, 0.1, 0.15))}  # computed for the report, which slides

# 4. The claims.

claims = bl.Claims("cascading")
POLICIES = "CascadeUCB1", "CascadeKL-UCB"


@claims("C1", "CascadeUCB1 loses at most the bound.", "Theorem 2", figure="Table 1")
def stays_below(scale, seed):
    n, found = TABLE_1.numbers(scale, seed), TABLE_1.results(scale, seed)
    shares = {
        TABLE_1.title_of(cell): mean(
            found[cell].final_regret("CascadeUCB1") / upper_bound(n.items, cell.length, n.gap, n.horizon)
        )
        for cell in found
    }
    return Cases("regret over the bound", shares).at_most(1)


@claims("C2", "The regret of both algorithms grows more slowly than n.", "Theorems 2 and 3", figure="Table 1")
def grows_slowly(scale, seed):
    found = TABLE_1.results(scale, seed)
    exponents = {f"{name}, K = {cell.length}": growth(found[cell], name) for cell in found for name in POLICIES}
    return Cases("growth exponent", exponents).sublinear()


@claims("C3", "CascadeKL-UCB loses less than CascadeUCB1.", "Section 5.1", figure="Table 1")
def divergence_helps(scale, seed):
    found = TABLE_1.results(scale, seed)
    leads = {TABLE_1.title_of(cell): regret_difference(found[cell], *POLICIES) for cell in found}
    return Cases("CascadeUCB1 loses more by", leads).above(0)


def compare_ends(study, scale, seed):
    """Regret in the last cell over that in the first one, for both algorithms."""
    cells = list(study.results(scale, seed).values())
    return {name: ratio(cells[-1].final_regret(name), cells[0].final_regret(name)) for name in POLICIES}


@claims("C4", "The regret falls with the length of the list.", "Section 5.1", figure="Table 1")
def longer_lists(scale, seed):
    return Cases("regret with K = 8 over K = 2", compare_ends(TABLE_1, scale, seed)).below(1)


@claims("C5", "The regret rises with the number of items.", "Section 5.1", figure="Twice the items")
def more_items(scale, seed):
    return Cases("regret with L = 32 over L = 16", compare_ends(CROWD, scale, seed)).above(1)


@claims("C6", "The regret rises where the gap is smaller.", "Section 5.1", figure="Half the gap")
def closer_items(scale, seed):
    return Cases("regret with Δ = 0.075 over Δ = 0.15", compare_ends(CLOSE, scale, seed)).above(1)


@claims("C7", "Nobody loses less than the lower bound, in the limit.", "Theorem 4", figure="Table 1")
def limit_of_all(scale, seed):
    n, found = TABLE_1.numbers(scale, seed), TABLE_1.results(scale, seed)
    shares = {
        TABLE_1.title_of(cell): mean(
            found[cell].final_regret("CascadeKL-UCB") / lower_bound(n.items, cell.length, n.gap, n.p, n.horizon)
        )
        for cell in found
    }
    return Cases("regret of CascadeKL-UCB over the bound", shares).at_least(1)


@claims("C8", "Both lose what is printed.", "Table 1", note="±: standard error; four: ours", scales=("paper",), looks=1)
def as_printed(scale, seed):
    found, off = {**WHOLE.results(scale, seed, items=(16,)), **WHOLE.results(scale, seed, gap=(0.15,))}, {}
    for cell in found:
        for name, (value, error) in zip(POLICIES, PRINTED[cell], strict=True):
            lost = found[cell].final_regret(name)
            errors = math.hypot(lost.std(ddof=1) / math.sqrt(len(lost)), error)
            off[f"{name}, L = {cell.items}, K = {cell.length}, Δ = {cell.gap}"] = mean((lost - value) / errors)
    return Cases("regret less the printed one, in standard errors of both", off).between(-4, 4)
