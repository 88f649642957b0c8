"""oful: optimism in an ellipsoid (Abbasi-Yadkori, Pál, Szepesvári, NIPS 2011)."""

import math
from typing import NamedTuple

import numpy as np

import banditlab as bl
from banditlab.evidence import Cases, growth, mean, proportion, ratio
from banditlab.study.sentences import shapes

# 1. The world and the algorithm.


class Directions(NamedTuple):
    """An action is one of some unit vectors; it pays what its direction is worth, and normal noise."""

    vectors: np.ndarray  # (actions, d)
    theta: np.ndarray  # (d,)
    sigma: float
    best: float  # largest worth

    def actions(self):
        return bl.spaces.vectors(self.vectors)

    def reset(self, rng):
        return self.theta.copy()

    def step(self, world, action, t, rng):
        return inner(action, self.theta) + self.sigma * rng.standard_normal()

    def regret(self, world, action, t):
        return max(self.best - inner(action, self.theta), 0.0)


def inner(x, y):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return total


class Ellipsoid(NamedTuple):
    design: np.ndarray  # (d, d) V
    inverse: np.ndarray  # (d, d)
    sums: np.ndarray  # (d,)
    estimate: np.ndarray  # (d,) of all rounds
    used: np.ndarray  # (d,) what is played
    radius: np.ndarray  # (1,) of all rounds
    logs: np.ndarray  # (2,) log det V now, and when the action was last computed
    count: np.ndarray  # (1,) how often it was computed


class OFUL(NamedTuple):
    """Figures 1 and 3: play the most optimistic vector; with C > 0 look for it only when det V has grown by 1 + C."""

    vectors: np.ndarray
    sigma: float  # R
    bound: float  # S, largest length of theta
    delta: float
    ridge: float  # lambda
    growth: float  # C

    def actions(self):
        return bl.spaces.vectors(self.vectors)

    def init(self, rng):
        d = self.vectors.shape[1]
        first = np.array([self.ridge_radius(0.0)])
        design, zeros, never = np.eye(d), np.zeros(d), np.array([0.0, -np.inf])
        return Ellipsoid(
            design * self.ridge, design / self.ridge, zeros, zeros + 0.0, zeros + 0.0, first, never, np.zeros(1)
        )

    def ridge_radius(self, log_ratio):
        """Theorem 2; of log det V - d log lambda."""
        return self.sigma * math.sqrt(log_ratio - 2.0 * math.log(self.delta)) + math.sqrt(self.ridge) * self.bound

    def select(self, state, t, rng):
        if state.logs[0] > state.logs[1] + math.log(1.0 + self.growth) or state.count[0] == 0.0:
            best, top = 0, -np.inf
            for a in range(len(self.vectors)):
                x, spread = self.vectors[a], 0.0
                for i in range(len(x)):
                    spread += x[i] * inner(state.inverse[i], x)
                index = inner(state.estimate, x) + state.radius[0] * math.sqrt(max(spread, 0.0))
                if index > top:
                    best, top = a, index
            state.count[0] += 1.0
            state.logs[1] = state.logs[0]
            for i in range(len(state.used)):
                state.used[i] = self.vectors[best, i]
        return state.used.copy()

    def update(self, state, action, observation, t, rng):
        d = len(action)
        turned = np.zeros(d)
        for i in range(d):
            turned[i] = inner(state.inverse[i], action)
            state.sums[i] += observation * action[i]
        scale = 1.0 + inner(turned, action)
        state.logs[0] += math.log(scale)
        for i in range(d):
            for j in range(d):
                state.design[i, j] += action[i] * action[j]
                state.inverse[i, j] -= turned[i] * turned[j] / scale
        for i in range(d):
            state.estimate[i] = inner(state.inverse[i], state.sums)
        state.radius[0] = self.ridge_radius(state.logs[0])
        return state

    def diagnostics(self, world, state):
        """Whether the ellipsoid of the last round misses theta, which is the world; how often it was optimised over."""
        off = world - state.estimate
        return {"missed": float(off @ state.design @ off > state.radius[0] ** 2), "computed": state.count[0]}


def upper_bound(d, sigma, delta, n):
    """Theorem 3, with lambda, S and the lengths of all vectors 1."""
    radius = 1.0 + sigma * np.sqrt(2 * np.log(1 / delta) + d * np.log(1 + n / d))
    return 4 * np.sqrt(n * d * np.log(1 + n / d)) * radius


# 2. One experiment from plain numbers: those without a default are what sliders move.

OPTIMISTS = "OFUL", "OFUL, rarely"


def problem(d, count, sigma, delta, C):
    """So many random directions, always the same ones, and the algorithms; lambda is 1."""
    vectors = np.random.default_rng(100 * d + count).normal(size=(count, d))
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    theta = np.eye(d)[0]
    world = Directions(vectors, theta, sigma, float((vectors @ theta).max()))
    policies = {
        name: OFUL(vectors, sigma, 1.0, delta, 1.0, grown) for name, grown in zip(OPTIMISTS, (0.0, C), strict=True)
    }
    return world, policies


def play(d, count, sigma, delta, C, horizon, runs, seed, progress=None):
    """OFUL in every round and rarely, beside a policy without skill."""
    world, policies = problem(d, count, sigma, delta, C)
    policies["uniform"] = bl.classic.uniform(world.actions())
    return bl.simulate(world, policies, horizon, runs, seed, progress=progress)


# 3. The figure.


def caption(found, n):
    """What to conclude, computed from the runs that are drawn."""
    return shapes(found)


REGRET = bl.Study(
    "Regret", "regret in few and in many dimensions", play, caption,
    grid=dict(d=(2, 5, 10)),
    fixed=dict(count=50, sigma=0.5, delta=0.05, C=0.2),
    sizes=dict(quick=dict(horizon=3000, runs=20), paper=dict(horizon=20_000, runs=100)),
    panel="d = {d}", ours=True,
)  # fmt: skip


def draw_map(seed=0):
    """Where to compute rarely costs regret, by C and dimension."""

    def pair(C, d, horizon):
        return problem(d, 30, 0.5, 0.05, C)

    found = bl.sweep(pair, {"C": [0.2, 1.0, 10.0, 1000.0], "d": [2, 4, 8]}, horizon=2000, runs=10, seed=seed)
    return found.map("C", "d", *OPTIMISTS, mark=(0.2, 2))


CONTROLS = {
    "d": bl.Slider("Dimension d", 2, 10, 1, "features of an action", main=True, start=2),
    "sigma": bl.Slider("Noise R", 0.1, 1.0, 0.1, "standard deviation of a reward", main=True, start=0.5),
    "C": bl.Slider("Growth C", 0.1, 5.0, 0.1, "of det V before the action is computed anew", start=0.2),
    "count": bl.Slider("Actions", 10, 100, 10, "number of directions", start=50),
    "delta": bl.Slider("Risk δ", 0.01, 0.2, 0.01, "chance that the ellipsoid misses theta", start=0.05),
    "horizon": bl.Slider("Horizon n", 1000, 20_000, 1000, "number of rounds", start=3000),
    "runs": bl.Slider("Runs", 5, 100, 5, "independent runs to average over", start=20),
}
FIGURES = {REGRET.name: REGRET.slider()}
PRESETS = dict([REGRET.preset(d=2), REGRET.preset(d=10)])
GRID = {REGRET.name: dict(d=(2, 5, 10), sigma=(0.2, 0.5, 1.0))}  # computed for the report, which slides

# 4. The claims.

claims = bl.Claims("oful")


def by_panel(what, scale, seed):
    """A number of every panel: what(result, d)."""
    found = REGRET.results(scale, seed)
    return {REGRET.title_of(cell): what(found[cell], cell.d) for cell in found}


@claims("O1", "OFUL loses at most the bound.", "Theorem 3", figure="Regret")
def stays_below(scale, seed):
    n = REGRET.numbers(scale, seed)
    shares = by_panel(
        lambda r, d: mean(r.final_regret("OFUL") / upper_bound(d, n.sigma, n.delta, n.horizon)), scale, seed
    )
    return Cases("regret over the bound", shares).at_most(1)


@claims("O2", "The ellipsoid misses theta with chance at most δ.", "Theorem 2", note="Looked at after the last round.")
def covers(scale, seed):
    def missed(result, d):
        return result.final.loc[result.final["policy"] == "OFUL", "missed"].to_numpy()

    every = np.concatenate(list(by_panel(missed, scale, seed).values()))
    return Cases("share of runs", proportion(int(every.sum()), len(every))).at_most(REGRET.fixed["delta"])


@claims("O3", "The regret grows more slowly than n.", "Theorem 3", figure="Regret")
def grows_slowly(scale, seed):
    return Cases("growth exponent", by_panel(lambda r, d: growth(r, "OFUL"), scale, seed)).sublinear()


@claims("O4", "The action is computed of the order of log n times.", "Section 5.1", note="Lemma 10 bounds log det V.")
def rarely_computed(scale, seed):
    n = REGRET.numbers(scale, seed)

    def share(result, d):
        count = result.final.loc[result.final["policy"] == OPTIMISTS[1], "computed"].to_numpy()
        return mean(count / (1 + d * np.log(1 + n.horizon / d) / np.log(1 + n.C)))

    return Cases("how often over its bound", by_panel(share, scale, seed)).at_most(1)


@claims("O5", "To compute it rarely costs at most √(1 + C) in the bound.", "Theorem 4", figure="Regret")
def hardly_worse(scale, seed):
    n = REGRET.numbers(scale, seed)

    def share(result, d):
        bound = math.sqrt(1 + n.C) * upper_bound(d, n.sigma, n.delta, n.horizon)
        return mean(result.final_regret(OPTIMISTS[1]) / bound)

    return Cases("regret over the bound", by_panel(share, scale, seed)).at_most(1)


@claims("O6", "Computed rarely, OFUL loses less than half as much again.", "Section 5.1", figure="Regret", ours=True)
def little_more(scale, seed):
    worse = by_panel(lambda r, d: ratio(r.final_regret(OPTIMISTS[1]), r.final_regret("OFUL")), scale, seed)
    return Cases("regret, rarely over always", worse).below(1.5)
