"""tracking: the best arm with a given confidence, in as few rounds as anybody can (Garivier, Kaufmann, COLT 2016)."""

import math
from typing import NamedTuple

import numpy as np

import banditlab as bl
from banditlab.evidence import Cases, exact, mean, proportion, ratio
from banditlab.figures import plots

# 1. The algorithms: Track-and-Stop is on the shelf; the paper's rival plays all arms that are left, in turn.


class Race(NamedTuple):
    pulls: np.ndarray  # (arms,)
    sums: np.ndarray  # (arms,)
    left: np.ndarray  # (arms,) bool


class ChernoffRacing(NamedTuple):
    """Section 6: all arms that are left in turn; then the worst one leaves, if the evidence against it is enough."""

    arms: int
    delta: float

    def actions(self):
        return self.arms

    def init(self, rng):
        return Race(np.zeros(self.arms), np.zeros(self.arms), np.ones(self.arms, np.bool_))

    def select(self, state, t, rng):
        chosen = -1  # of the arms that are left the first one that was played least
        for arm in range(self.arms):
            if state.left[arm] and (chosen < 0 or state.pulls[arm] < state.pulls[chosen]):
                chosen = arm
        return chosen

    def update(self, state, action, observation, t, rng):
        state.pulls[action] += 1.0
        state.sums[action] += observation
        best, worst, equal = action, action, True
        for arm in range(self.arms):
            if state.left[arm]:
                equal = equal and state.pulls[arm] == state.pulls[action]
                best = arm if state.sums[arm] > state.sums[best] else best
                worst = arm if state.sums[arm] < state.sums[worst] else worst
        if equal and best != worst:
            n, first, last = state.pulls[action], state.sums[best], state.sums[worst]
            evidence = n * (bits(0.5 * (first + last) / n) * 2.0 - bits(first / n) - bits(last / n))
            if evidence > math.log((math.log(n) + 1.0) / self.delta):  # n rounds of the race
                state.left[worst] = False
        return state

    def stop(self, state, t):
        count = 0
        for arm in range(self.arms):
            count += state.left[arm]
        return count == 1

    def answer(self, state):
        return int(np.argmax(np.where(state.left, state.sums, -1.0)))


def bits(p):
    """Entropy of a Bernoulli law, in nats."""
    return 0.0 if p <= 0.0 or p >= 1.0 else -p * math.log(p) - (1.0 - p) * math.log(1.0 - p)


INSTANCES = {"first": (0.5, 0.45, 0.43, 0.4), "second": (0.3, 0.21, 0.2, 0.19, 0.18)}  # Section 6
PRINTED = {"first": (0.417, 0.390, 0.136, 0.057), "second": (0.336, 0.251, 0.177, 0.132, 0.104)}  # their w*
DRAWS = {"first": (4052, 4516), "second": (1406, 3078)}  # their Table 1: D-Tracking and Chernoff-Racing, 3,000 runs
POLICIES = "Track-and-Stop", "Chernoff racing", "LUCB"


def compete(means, delta, horizon, runs, seed, progress=None):
    """All algorithms on Bernoulli arms; all but LUCB with the threshold of the experiments."""
    arms = len(means)
    policies = (
        bl.classic.track_and_stop(arms, delta, threshold="experiments"),
        ChernoffRacing(arms, delta),
        bl.classic.lucb(arms, delta),
    )
    named = dict(zip(POLICIES, policies, strict=True))
    return bl.simulate(bl.classic.bernoulli(means), named, horizon, runs, seed, checkpoints=1, progress=progress)


def told(result, name, column):
    """A column of `Result.final` for one algorithm, run by run."""
    return result.final.loc[result.final["policy"] == name, column].to_numpy()


def times(result, name):
    """Stopping times of an algorithm, run by run."""
    return told(result, name, "stopping_time")


# 2. One experiment from plain numbers: those without a default are what sliders move.


def play(gap, best, arms, delta, horizon, runs, seed, progress=None):
    """One good arm, and others that are worse by 1, 1.5, 2 ... times the gap."""
    means = [best] + [max(best - gap * (1.0 + 0.5 * a), 0.0) for a in range(arms - 1)]
    return compete(means, delta, horizon, runs, seed, progress)


# 3. The figure.


def caption(found, n):
    """What to conclude, computed from the runs that are drawn."""
    said = []
    for name in POLICIES:
        wrong = sum(int(told(result, name, "error").sum()) for result in found.values())
        said.append(f"{name} was wrong in {wrong} of {len(found) * n.runs} runs")
    return f"{'; '.join(said)}; allowed is a share of {n.delta:g}. The dashed line is the least that anybody takes."


def draw(found, n):
    """Mean stopping time of every algorithm, and the lower bound, over the gap."""
    figure = plots.blank("", "gap Δ", "rounds until it stops", "")
    gaps = [cell.gap for cell in found]
    for i, name in enumerate(POLICIES):
        means = [times(result, name).mean() for result in found.values()]
        plots.curve(figure, gaps, means, name, i, mode="lines+markers")
    plots.bound(figure, gaps, [needed(result, n.delta) for result in found.values()], "Theorem 1")
    return figure.update_yaxes(type="log")


def needed(result, delta):
    """Theorem 1: T* kl(delta, 1 - delta)."""
    means = result.settings["environment"].means
    return bl.classic.characteristic_time(means) * bl.classic.divergence(delta, 1 - delta)


TIME = bl.Study(
    "Rounds", "how long it takes to be sure", play, caption,
    grid=dict(gap=(0.1, 0.15, 0.2, 0.3)),
    fixed=dict(best=0.6, arms=3, delta=0.1),
    sizes=dict(quick=dict(horizon=20_000, runs=80), paper=dict(horizon=100_000, runs=1000)),
    draw=draw, panel="Δ = {gap}", ours=True,
)  # fmt: skip


def play_instance(instance, delta, horizon, runs, seed, progress=None):
    """An instance of the paper."""
    return compete(list(INSTANCES[instance]), delta, horizon, runs, seed, progress)


TABLE_1 = bl.Study(
    "Table 1", "rounds on the paper's instances", play_instance, caption,
    grid=dict(instance=("first", "second")),
    fixed=dict(delta=0.1),
    sizes=dict(quick=dict(horizon=50_000, runs=160), paper=dict(horizon=400_000, runs=3000)),
)  # fmt: skip


def draw_map():
    """What equal shares cost in the limit, in rounds over those of the optimal shares, by the gaps of two rivals."""
    gaps, best, cost = np.arange(0.025, 0.5, 0.025), 0.6, []
    for third in gaps:
        row = []
        for second in gaps:
            means = [best, best - second, best - third]
            middles = [(best + mean) / 2 for mean in means[1:]]
            pairs = [(best, middle, mean) for middle, mean in zip(middles, means[1:], strict=True)]
            gain = min(bl.classic.divergence(a, m) + bl.classic.divergence(b, m) for a, m, b in pairs) / 3
            row.append(1.0 / gain / bl.classic.characteristic_time(means))
        cost.append(row)
    figure = plots.blank(
        "Rounds with equal shares over those with the best", "gap of one rival", "gap of the other", ""
    )
    return figure.add_heatmap(x=gaps, y=gaps, z=cost, colorscale="Blues", colorbar_title="times")


CONTROLS = {
    "gap": bl.Slider("Gap Δ", 0.1, 0.4, 0.05, "between the best arm and the second", main=True, start=0.2),
    "delta": bl.Slider("Risk δ", 0.01, 0.3, 0.01, "allowed chance of a wrong answer", main=True, start=0.1),
    "best": bl.Slider("Best mean", 0.4, 0.9, 0.1, "mean of the best arm", start=0.6),
    "arms": bl.Slider("Arms K", 2, 6, 1, "number of arms", start=3),
    "horizon": bl.Slider("Horizon", 10_000, 100_000, 10_000, "rounds after which a run is cut off", start=20_000),
    "runs": bl.Slider("Runs", 20, 1000, 20, "independent runs to average over", start=80),
}
FIGURES = {TIME.name: TIME.slider()}
PRESETS = dict([TIME.preset(gap=0.2)])
GRID = {TIME.name: dict(gap=(0.1, 0.2, 0.3), delta=(0.05, 0.1, 0.2))}  # computed for the report, which slides

# 4. The claims.

claims = bl.Claims("tracking")


@claims("G1", "The optimal shares of both instances are those that are printed.", "Section 6")
def shares_as_printed(scale, seed):
    apart = {
        name: exact(np.abs(bl.classic.optimal_shares(means) - PRINTED[name]).max()) for name, means in INSTANCES.items()
    }
    return Cases("largest difference of a share", apart).at_most(0.0005)


@claims("G2", "Who errs with chance δ takes at least T* kl(δ, 1 - δ) rounds.", "Theorem 1", figure="Rounds")
def nobody_is_faster(scale, seed):
    found, delta = TIME.results(scale, seed), TIME.numbers(scale, seed).delta
    shares = {
        f"{name}, Δ = {cell.gap}": mean(times(found[cell], name) / needed(found[cell], delta))
        for cell in found for name in POLICIES
    }  # fmt: skip
    return Cases("rounds over the bound", shares).at_least(1)


@claims("G3", "Track-and-Stop errs with chance at most δ.", "Theorem 10", figure="Rounds")
def rarely_wrong(scale, seed):
    found, n = TIME.results(scale, seed), TIME.numbers(scale, seed)
    wrong = {
        TIME.title_of(cell): proportion(int(told(found[cell], POLICIES[0], "error").sum()), n.runs) for cell in found
    }
    return Cases("share of wrong answers", wrong).at_most(n.delta)


@claims("G4", "Track-and-Stop needs fewer rounds than racing.", "Section 6, Table 1")
def faster_than_racing(scale, seed):
    (result,) = TABLE_1.results(scale, seed, instance=("second",)).values()
    return Cases("rounds over those of racing", ratio(times(result, POLICIES[0]), times(result, POLICIES[1]))).below(1)


@claims("G5", "Track-and-Stop needs fewer rounds than LUCB.", "Section 6, Table 1")
def faster_than_lucb(scale, seed):
    (result,) = TABLE_1.results(scale, seed, instance=("second",)).values()
    return Cases("rounds over those of LUCB", ratio(times(result, POLICIES[0]), times(result, POLICIES[2]))).below(1)


@claims("G6", "It takes as many rounds as is printed.", "Table 1", note="four errors: ours", scales=("paper",))
def as_printed(scale, seed):
    found, off = TABLE_1.results(scale, seed), {}
    for cell in found:
        for name, value in zip(POLICIES, DRAWS[cell.instance], strict=False):
            took = times(found[cell], name)
            error = took.std(ddof=1) * math.sqrt(1 / len(took) + 1 / 3000)
            off[f"{name}, {cell.instance} instance"] = mean((took - value) / error)
    return Cases("rounds less the printed ones, in standard errors of both", off).between(-4, 4)
