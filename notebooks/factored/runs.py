"""What the figures play: one cell each, from plain numbers."""

import numpy as np

from banditlab.engine.instances import random_instances
from banditlab.engine.simulate_horizons import simulate_horizons
from banditlab.factored import bounds
from banditlab.factored.environments import bernoulli, correlated, gaussian
from banditlab.factored.environments import manufacturing as line
from banditlab.factored.environments import pricing as shop
from banditlab.factored.policies import ftrack, fucb, priced_fucb, rucb_mom, tea, ucb1
from banditlab.study.parameters import Size, bundle

VECTORS = 5_000  # a product space larger than this leaves a figure
PRINTED, THREEFOLD, TENFOLD = "F-Track, N₀ as printed", "F-Track, N₀ × 3, ε/√6", "F-Track, N₀ × 10"
READINGS = {PRINTED: dict(), THREEFOLD: dict(n0_mult=3, eps_div=6), TENFOLD: dict(n0_mult=10)}


def one_gap(d, k, gap):
    """Means of d alike components: one option at 1, the k - 1 others at 1 - gap."""
    return [[1.0] + [1.0 - gap] * (k - 1)] * d


def two_options(gap, d, sigma):
    """Gaussian observations of d alike components of two options."""
    return gaussian(one_gap(d, 2, gap), sigma)


def on_products(d, k, **makers):
    """Policies on the product space, where it can be run."""
    return {name.replace("_", "-"): make() for name, make in makers.items()} if k**d <= VECTORS else {}


@bundle(size=Size)
def regret(gap, d, k, law, sigma, alpha, size):
    """F-UCB, which sees every component's observation, and UCB1, which sees their product; both are told sigma."""
    arms, means = [k] * d, one_gap(d, k, gap)
    world = gaussian(means, sigma) if law == "normal" else bernoulli(means)
    policies = {"F-UCB": fucb(arms, sigma, alpha), **on_products(d, k, UCB1=lambda: ucb1(arms, sigma, alpha))}
    return size.simulate(world, policies)


def packing(gap, d, k, sigma, seed, progress=None):
    """Figure 1: means, and lengths and vectors of the slices that pack the exploration of all components."""
    means = np.ones((d, k))
    means[:, 1:] -= gap * np.random.default_rng(seed).uniform(0.5, 1.0, (d, k - 1))
    return means, *bounds.lower_bound_slices(means, sigma)


@bundle(world=two_options, size=Size)
def over_the_bound(world, d, sigma, alpha, size):
    """Figure 2: F-UCB alone; only its last regret counts."""
    return size.simulate(world, {"F-UCB": fucb([2] * d, sigma, alpha)}, 1)


def uniform_instance(seed, d, k, low, sigma):
    """A fresh Gaussian instance with means uniform on [low, 1]."""
    return gaussian(np.random.default_rng(seed).uniform(low, 1.0, (d, k)), sigma)


def fresh_instances(k, d, low, sigma):
    """A `uniform_instance` for every run, the same for all policies."""
    return random_instances(uniform_instance, d=d, k=k, low=low, sigma=sigma)


@bundle(world=fresh_instances, size=Size)
def four(world, k, d, sigma, alpha, size, checkpoints=200):
    """Figure 3: four policies on a fresh instance in every run."""
    arms = [k] * d
    makers = dict(UCB1=lambda: ucb1(arms, sigma, alpha), Robust_UCB=lambda: rucb_mom(arms, sigma))
    policies = {"F-UCB": fucb(arms, sigma, alpha), **on_products(d, k, **makers), "TEA": tea(arms)}
    return size.simulate(world, policies, checkpoints)


@bundle(world=fresh_instances, size=Size)
def first_vectors(world, k, d, sigma, alpha, size, checkpoints=200):
    """Figure 3 as the released code has it: UCB1 and Robust-UCB with the first dk vectors only."""
    arms, few = [k] * d, dict(action_set="first_dk")
    policies = {"UCB1": ucb1(arms, sigma, alpha, **few), "Robust-UCB": rucb_mom(arms, sigma, **few)}
    return size.simulate(world, policies, checkpoints)


@bundle(world=fresh_instances, size=Size)
def narrow_robust(world, k, d, sigma, alpha, size, checkpoints=200):
    """Robust-UCB of Figure 3, its radius multiplied as an argument of the released scripts allows."""
    makers = dict(Robust_UCB=lambda: rucb_mom([k] * d, sigma, mult=0.05))
    return size.simulate(world, on_products(d, k, **makers), checkpoints)


def shared_noise(d, gap, sigma, rho, noisy):
    """Appendix E.3: option 1 has mean 1, option 2 has mean 1 - gap; correlated noise on option 2, or on both."""
    return correlated([[1.0, 1.0 - gap]] * d, [[sigma if noisy == "both" else 0.0, sigma]] * d, rho)


def readings_of(n0_mult, released=False):
    """F-Track's options by name: as printed, at a slider's warm-up, and as in a later version of the released code."""
    name = TENFOLD if n0_mult == 10 else PRINTED if n0_mult == 1 else f"F-Track, N₀ × {n0_mult}"
    return {PRINTED: {}, **({THREEFOLD: READINGS[THREEFOLD]} if released else {}), name: dict(n0_mult=n0_mult)}


def against_horizon(world, d, sigma, alpha, readings, size, checkpoints=10):
    """F-UCB, which needs no horizon, in one run; F-Track under every reading, made anew for every horizon."""
    horizons = np.unique(np.linspace(size.horizon / checkpoints, size.horizon, checkpoints).astype(int)).tolist()
    first, rest = size.split(2)
    anytime = first.simulate(world, {"F-UCB": fucb([2] * d, sigma, alpha)}, horizons)

    def fitting(T):
        """The readings whose warm-up fits into T rounds."""
        fits = {name: 2 * bounds.ftrack_constants(T, sigma, **one).n0 <= T for name, one in readings.items()}
        return {name: ftrack([2] * d, sigma, T, **one) for name, one in readings.items() if fits[name]}

    if not fitting(size.horizon):
        return anytime
    return anytime.join(simulate_horizons(world, fitting, horizons, size.runs, size.seed, rest.progress))


track = bundle(world=two_options, readings=readings_of, size=Size)(against_horizon)  # Figure 4
track_shared = bundle(world=shared_noise, readings=readings_of, size=Size)(against_horizon)  # Figure 6


@bundle(world=two_options, size=Size)
def threefold(world, d, sigma, alpha, size):
    """Figure 4 at its longest horizon, F-Track as in a later version of the authors' code only: for many runs."""
    return against_horizon(world, d, sigma, alpha, {THREEFOLD: READINGS[THREEFOLD]}, size, 1)


@bundle(world=shared_noise)
def expected(world, d, seed, progress=None):
    """Figure 5: expected reward by number m of components on option 2, (d + 1,); exact."""
    values = np.tile(world.weights, (d + 1, 1))  # a column a node; multiplied as `world.expected` does
    for i in range(d):
        parts = world.means[i, :2, None] + world.rho * world.scales[i, :2, None] * world.nodes
        values *= parts[(np.arange(d + 1) > i).astype(int)]
    return np.cumsum(values, axis=1)[:, -1]  # one by one, as it adds


@bundle(size=Size)
def hardest_gap(d, units, sigma, alpha, size):
    """F-UCB where gaps are so many sigma sqrt(2 / T): where they are hardest to tell apart at this horizon."""
    gap = min(1.0, units * sigma * (2.0 / size.horizon) ** 0.5)
    return size.simulate(two_options(gap, d, sigma), {"F-UCB": fucb([2] * d, sigma, alpha)}, 1)


@bundle(world=fresh_instances, size=Size)
def alone(world, k, d, sigma, alpha, size):
    """F-UCB alone on the instances of Figure 3, for many runs."""
    return size.simulate(world, {"F-UCB": fucb([k] * d, sigma, alpha)}, 1)


@bundle(size=Size)
def pricing(k, sigma, spend, alpha, size):
    """Joint pricing and advertising (Appendix A.1): a budget buys impressions, a price sells."""
    shares, prices = np.arange(1, k + 1) / k, np.arange(1, k + 1) / k
    budgets, means = spend * shares, [np.sqrt(shares), 1.0 - 0.8 * prices]
    known = dict(multipliers=[np.ones(k), prices], costs=[budgets, np.zeros(k)], scale=1.0)
    world = shop(means[0], budgets, means[1], prices, sigma)
    return priced(world, [k, k], sigma, known, alpha, size)


@bundle(size=Size)
def manufacturing(d, k, sigma, batch, alpha, size):
    """Manufacturing line (Appendix A.2): every stage trades yield against cost."""
    quality = np.arange(k) / max(1, k - 1)
    yields = [0.7 + 0.28 * quality ** (1 + i % 3) for i in range(d)]
    costs = [0.25 * quality * (1 + i % 2) for i in range(d)]
    known = dict(multipliers=[np.ones(k)] * d, costs=costs, scale=batch)
    return priced(line(yields, costs, batch, sigma), [k] * d, sigma, known, alpha, size)


def random_line(number, runs, seed):
    """A manufacturing line of three stages with three options each, yields and costs drawn; its horizon is short."""
    rng = np.random.default_rng((seed, number))
    yields, costs = np.sort(rng.uniform(0, 1, (3, 3))), np.sort(rng.uniform(0, 0.5, (3, 3)))
    known, size = dict(multipliers=[np.ones(3)] * 3, costs=list(costs), scale=1.0), Size(3000, runs, seed)
    return priced(line(list(yields), list(costs), 1.0, 0.1), [3] * 3, 0.1, known, 4.0, size)


def random_instance(number, horizon, seed):
    """Means, sigma and alpha of a random instance in which the bounds are below what uniform play loses."""
    rng = np.random.default_rng((seed, number, 42))
    while True:
        means = [rng.uniform(0, 1, rng.integers(2, 5)) for _ in range(rng.integers(1, 5))]
        sigma, alpha = rng.uniform(0.2, 0.5), rng.uniform(2.1, 5)
        blind = horizon * (np.prod([row.max() for row in means]) - np.prod([row.mean() for row in means]))
        sizes = [len(row) for row in means]
        others = bounds.upper_bound(means, sigma, horizon, alpha), bounds.worst_case_upper(sizes, sigma, horizon, alpha)
        if min(others) < blind:
            return means, sigma, alpha


def over_theorem_42(number, runs, seed, horizon=10_000):
    """F-UCB's regret on a random instance, run by run, over the linear program, the least of the three bounds."""
    means, sigma, alpha = random_instance(number, horizon, seed)
    policy = {"F-UCB": fucb([len(row) for row in means], sigma, alpha)}
    found = Size(horizon, runs, seed).simulate(gaussian(means, sigma), policy, 1)
    return found.final_regret("F-UCB") / bounds.upper_bound_lp(means, sigma, horizon, alpha)


def priced(world, arms, sigma, known, alpha, size):
    """Policies that know prices and costs, and one that does not."""
    factor = known["scale"] * float(np.prod([max(row) for row in known["multipliers"]]))
    policies = {
        "F-UCB, costs known": priced_fucb(arms, sigma, alpha=alpha, **known),
        "F-UCB, costs known, capped": priced_fucb(arms, sigma, alpha=alpha, cap=True, **known),
        **on_products(len(arms), arms[0], UCB1=lambda: ucb1(arms, sigma * factor, alpha)),
    }
    return size.simulate(world, policies)


def wrong_runs(result, name):
    """Which of F-Track's runs settled for a vector that is not the best under the world's own expectation."""
    world, settled = result.settings["environment"], result.diagnostics["settled"][result.policies.index(name)]
    if not hasattr(world, "rho"):  # one gap: vector 0 is best
        return settled != 0
    shape = (2,) * len(world.sizes)
    worth = {n: world.expected(np.array(np.unravel_index(int(n), shape))) for n in set(settled.tolist()) - {-1.0}}
    return np.array([worth.get(n, -np.inf) < world.best - 1e-12 for n in settled.tolist()])  # -1: no plan yet
