"""What is played to test the theory: pull bounds, Theorem 5, Table 1, equivalences."""

from typing import NamedTuple

import numpy as np

from banditlab.analysis.record_run import record_run
from banditlab.engine.simulate import simulate, split_progress
from banditlab.study.parameters import Size, bundle
from banditlab.uplifting import bounds, environments, policies

from . import names
from .names import BOTH, ILIFT, ILIFT_BL, NAFF, NAFF_BL, UCB, UP, UP_BL


class Bounded(NamedTuple):
    """Runs at the theorems' beta, and the bounds by policy."""

    result: object
    limits: dict


def wide_gaussian():
    """Four actions with two affected variables each and gaps from 8 to 14: there every bound is below the horizon."""
    uplifts = np.repeat([6.0, 2.0, 1.0, -1.0], 2)
    inside = np.kron(np.eye(4), np.ones(2)) > 0
    return environments.gaussian(inside * uplifts, np.zeros(8), inside)


def limits_of(world, delta_up, horizon, delta):
    """The bound of every policy that the instance is for; those of UpUCB-iLift need the least individual uplift."""
    m, sizes, args = len(world.mu0), world.affected.sum(axis=1), (horizon, delta)
    L, found = int(sizes.max()), {}
    if delta_up:
        found[ILIFT_BL] = bounds.ilift_bl_upper(world.gaps, sizes, delta_up, m, *args)
        found[ILIFT] = bounds.ilift_upper(world.gaps, sizes, delta_up, m, *args)
    return found | {
        UP_BL: bounds.upucb_bl_upper(world.gaps, sizes, *args),
        UP: bounds.upucb_upper(world.gaps, sizes, *args),
        NAFF_BL: bounds.naff_bl_upper(world.gaps, L, m, *args),
        NAFF: bounds.naff_upper(world.gaps, L, m, *args),
        UCB: bounds.ucb_upper(world.gaps, m, *args),
    }


@bundle(size=Size)
def bounded(instance, delta, size):
    """All policies on one of three instances, each with the beta of its theorem."""
    world, delta_up = {
        "paper": lambda: (environments.paper_gaussian(0), 0.0),
        "eliminating": lambda: (environments.ilift_gaussian(0, eliminating=True), names.LEAST_UPLIFT),
        "wide": lambda: (wide_gaussian(), 0.0),
    }[instance]()
    return against_bounds(world, delta_up, delta, size)


def against_bounds(world, delta_up, delta, size):
    """All policies for which there is a bound, each with the beta of its theorem."""
    limits = limits_of(world, delta_up, size.horizon, delta)
    found = names.policies(world, {name: limit.beta for name, limit in limits.items()})
    return Bounded(size.simulate(world, found, 1), limits)


def drawn_world(number):
    """A random instance on which most bounds are below a few thousand rounds, and the least uplift, 0 if too small."""
    rng = np.random.default_rng([number, 11])
    K, m = int(rng.integers(2, 5)), int(rng.integers(6, 11))
    affected = np.array([rng.permutation(m) < rng.integers(1, 3) for _ in range(K)])
    mu0, uplifts = rng.normal(0, 2, m), rng.choice([-1, 1], (K, m)) * rng.uniform(0.3, 14, (K, m))
    mu = np.where(affected, mu0 + uplifts, mu0)
    values = [np.append(mu[affected[:, i], i], mu0[i]) for i in range(m)]
    least = min(np.diff(np.sort(own)).min(initial=np.inf) for own in values)
    rho = rng.choice([0.0, 0.6, 1.0])
    noise = dict(loadings=np.full((m, 1), np.sqrt(rho)), idiosyncratic=np.full(m, 1 - rho))
    return environments.gaussian(mu, mu0, affected, **noise), names.LEAST_UPLIFT * (least >= names.LEAST_UPLIFT)


def searched(instances, delta, horizon, runs, seed, progress=None):
    """The largest pulls over their bound on so many random instances, by policy, and how many bounds spoke."""
    largest, spoke = {}, {}
    for number, part in enumerate(split_progress(progress, instances)):
        one = against_bounds(*drawn_world(number), delta, Size(horizon, runs, seed, part))
        for name, ratio in over_bounds(one, horizon).items():
            largest[name], spoke[name] = max(ratio, largest.get(name, 0.0)), spoke.get(name, 0) + 1
    return largest, spoke


class Both(NamedTuple):
    """UpUCB-nAff (bl) until the variables of an action are identified, UpUCB-iLift (bl) from then on."""

    early: tuple  # what `upucb_naff_bl` returns
    late: tuple  # what `upucb_ilift_bl` returns

    def actions(self):
        return self.late.actions()

    def diagnostics(self, world, state):
        return {"pulls": state.pulls}

    def init(self, rng):
        return self.late.init(rng)

    def select(self, state, t, rng):
        return self.late.select(state, t, rng)

    def update(self, state, action, observation, t, rng):
        if state.pulls[action] + 1.0 < self.late.enough:
            return self.early.update(state, action, observation, t, rng)
        return self.late.update(state, action, observation, t, rng)


@bundle(size=Size)
def combined(m, at, hidden, lead, delta, size):
    """`Both` where a worse action's only uplift is negative and hides; and (12) with L, and with 2 L, in m's place.

    Two actions that affect one of m variables each. With c for the radius after so many (`at`) pulls of the worse
    action, its uplift is -`hidden` c, and its gap `lead` times the 2 L c that (12) allows its index to be too high.
    """
    c = np.sqrt(2.0 * np.log(4 * m * size.horizon / delta) / at)
    own, gap, inside = hidden * c, 2.0 * lead * c, np.eye(2, m) > 0
    world = environments.gaussian(inside * np.array([[gap - own], [-own]]), np.zeros(m), inside)
    limits = {
        f"{times} L".removeprefix("1 "): bounds.ilift_bl_upper(
            world.gaps, [1, 1], own, times, size.horizon, delta * times / m
        )
        for times in (1, 2)
    }  # whose beta has m
    beta = limits["L"].beta
    both = Both(policies.upucb_naff_bl(2, world.mu0, 1, beta), policies.upucb_ilift_bl(2, world.mu0, own, beta))
    return Bounded(size.simulate(world, {BOTH: both}, 1), limits)


def over_bounds(one, horizon):
    """Largest pulls over their bound, by policy; bounds above the horizon are left out."""
    found = {}
    for name, limit in one.limits.items():
        telling = np.isfinite(limit.pulls) & (limit.pulls < horizon)
        if telling.any():
            pulls = one.result.diagnostics["pulls"][one.result.policies.index(name)][:, telling]
            found[name] = float((pulls / limit.pulls[telling]).max())
    return found


def transition(gaps, delta_up, m, L, beta, horizon):
    """Pulls of the worse of two actions without noise, gap by gap and policy by policy."""
    inside, found = np.kron(np.eye(2), np.ones(L)) > 0, {}
    inside = np.hstack([inside, np.zeros((2, m - 2 * L), bool)])
    for gap in gaps:
        uplift = np.array([[delta_up + gap / L], [delta_up]])
        world = environments.gaussian(inside * uplift, np.zeros(m), inside, idiosyncratic=np.zeros(m))
        made = {
            UCB: policies.ucb(2, m, beta), ILIFT_BL: policies.upucb_ilift_bl(2, world.mu0, delta_up, beta),
            names.NAIVE: policies.upucb_ilift_naive(2, world.mu0, delta_up, beta),
        }  # fmt: skip
        pulls = simulate(world, made, horizon, 1, 0, 1).diagnostics["pulls"]
        found[gap] = dict(zip(made, pulls[:, 0, 1].tolist(), strict=True))
    return found


THETA = ((-1.0, 0.0), (1.0, 0.0), (0.0, 1.0))


@bundle(size=Size)
def theorem_5(treatments, delta, size):
    """C2UpUCB-M as Theorem 5 wants it: four people, one is treated; and the bound."""
    world = environments.linear_campaign(THETA[: treatments + 1], individuals=4, budget=1)
    result, limits = played_with_bound(world, 1.0, delta, size)
    return Bounded(result, {"C2UpUCB-M": limits, "blind": size.horizon * best_uplift(world)})


def played_with_bound(world, norm, delta, size):
    """C2UpUCB-M with a penalty of L and weights of at most this length, and Theorem 5's bound at its checkpoints."""
    m, d, q, budget = world.actions()[:4]
    policy = policies.c2upucb_m(m, d, q, budget, penalty=float(budget), norm=norm, delta=delta)
    result = size.simulate(world, {"C2UpUCB-M": policy}, 50)
    rest = (m, d, q, budget), float(budget), norm, delta
    return result, np.array([bounds.contextual_upper(int(t), *rest) for t in result.checkpoints])


def drawn_campaign(number):
    """A random linear campaign; its weights are far below the noise, of its order or above it."""
    rng = np.random.default_rng([number, 12])
    people, features, treatments = int(rng.integers(2, 9)), int(rng.integers(1, 5)), int(rng.integers(1, 4))
    theta, budget = rng.standard_normal((treatments + 1, features)), int(rng.integers(1, people))
    theta *= 10 ** rng.uniform(-2, 1) / np.linalg.norm(theta, axis=1).max()
    return environments.linear_campaign(theta, people, budget, noise=1.0)


def stress_campaigns():
    """Campaigns in which every wrong choice costs most: a treatment's weights are those of none, turned round."""
    sizes = ((2, 1, 1), (40, 1, 20), (40, 4, 20))  # people, features, budget
    lengths = (0.01, 0.03, 0.1, 0.3, 1.0, 10.0)
    return [environments.linear_campaign(np.outer([-1, 1], np.eye(d)[0]) * length, m, budget, noise=1.0)
            for m, d, budget in sizes for length in lengths]  # fmt: skip


def searched_campaigns(instances, delta, horizon, runs, seed, progress=None):
    """The largest regret over Theorem 5's bound at any time, on random and on stress campaigns, and how many there are.

    As the theorem allows them: noise of deviation 1, a penalty of L, and S the length of the longest weights.
    """
    drawn = {"random": [drawn_campaign(number) for number in range(instances)], "stress": stress_campaigns()}
    parts, found = iter(split_progress(progress, sum(map(len, drawn.values())))), {}
    for kind, worlds in drawn.items():
        ratios = [over_theorem_5(world, delta, Size(horizon, runs, seed, next(parts))) for world in worlds]
        found[kind] = max(ratios), len(ratios)
    return found


def over_theorem_5(world, delta, size):
    """Largest regret of C2UpUCB-M over its bound, in any run at any time."""
    result, limits = played_with_bound(world, float(np.linalg.norm(world.theta, axis=1).max()), delta, size)
    return float((result.regret[0].max(axis=0) / limits).max())


def best_uplift(world, draws=10_000):
    """What a blind choice, whose uplift is 0 on average, loses in a round."""
    x = np.random.default_rng(0).standard_normal((draws, world.individuals, world.theta.shape[1]))
    x /= np.linalg.norm(x, axis=2, keepdims=True)
    return float((x @ (world.theta[1:] - world.theta[0]).T).max(axis=(1, 2)).mean())


class Histories(NamedTuple):
    """How far ridge estimates come to Lemmas 5 and 6, history by history."""

    distance: np.ndarray  # largest distance of the weights from their estimate, over Lemma 5's radius
    widths: np.ndarray  # squared widths of all who were treated, over Lemma 6's bound


def ridge_histories(delta, horizon, runs, seed):
    """Histories in which, of eight people a round, the four of largest width are treated: three features, λ = 4."""
    rng, (individuals, d, budget) = np.random.default_rng([seed, 5]), (8, 3, 4)
    theta, penalty = np.eye(d)[0], float(budget)
    gram, moments = np.tile(penalty * np.eye(d), (runs, 1, 1)), np.zeros((runs, d))
    distance, widths = np.zeros(runs), np.zeros(runs)
    for _ in range(horizon):
        x = rng.standard_normal((runs, individuals, d))
        x /= np.linalg.norm(x, axis=2, keepdims=True)
        squares = np.einsum("rid,rde,rie->ri", x, np.linalg.inv(gram), x)
        treated = np.argsort(-squares, axis=1)[:, :budget]
        x = np.take_along_axis(x, treated[:, :, None], axis=1)
        widths += np.take_along_axis(squares, treated, axis=1).sum(axis=1)
        gram += np.einsum("rid,rie->rde", x, x)
        moments += np.einsum("ri,rid->rd", x @ theta + rng.standard_normal((runs, budget)), x)
        off = theta - np.linalg.solve(gram, moments[:, :, None])[:, :, 0]
        radii = [bounds.confidence_ellipsoid(V, penalty, 1.0, delta) for V in gram]
        distance = np.maximum(distance, np.sqrt(np.einsum("rd,rde,re->r", off, gram, off)) / radii)
    return Histories(distance, widths / bounds.elliptical_potential(budget * horizon, d, penalty))


@bundle(size=Size)
def order(m, L, beta, size):
    """Three actions that affect L variables each, of m: gaps 0, 1, 1, little noise: regret follows the radii."""
    inside = np.kron(np.eye(3), np.ones(L)) > 0
    inside = np.hstack([inside, np.zeros((3, m - 3 * L), bool)])
    uplift = np.array([2.0, 1.0, 1.0]) / L
    world = environments.gaussian(inside * uplift[:, None], np.zeros(m), inside, idiosyncratic=np.full(m, 1e-8))
    shown = dict.fromkeys((UCB, UP_BL, UP, NAFF_BL, NAFF), beta)
    return size.simulate(world, names.policies(world, shown), 10)


def same_actions(horizon, seed, progress=None):
    """Whether UpUCB plays as CombUCB on the semi-bandit of Section 9, on a small random instance; no ties."""
    rng = np.random.default_rng([seed, 9])
    inside = rng.random((4, 7)) < 0.5
    inside[np.arange(4), np.arange(4)] = True
    mu0 = rng.random(7)
    world = environments.gaussian(np.where(inside, rng.random((4, 7)), mu0), mu0, inside)
    ours = record_run(world, names.policy(UP, world, 0.5), horizon, seed)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0, 0)))  # the world's stream of that run
    payoffs, state = [], world.reset(rng)
    for t, action in enumerate(ours.actions):
        payoffs.append(world.step(state, action, t, rng).y.copy())
    twins = [comb_ucb(inside, ours.actions[:t], payoffs[:t], 0.5) for t in range(horizon)]
    return float(np.mean(ours.actions == twins))


def comb_ucb(inside, actions, payoffs, beta):
    """The next action of CombUCB: the largest sum of upper bounds of the items that an action selects."""
    K, m = inside.shape
    if len(actions) < K:
        return len(actions)
    y, moved, upper = np.array(payoffs), inside[actions], np.zeros((K + 1, m))
    for a, rows in [*((a, (actions == a)[:, None] & moved) for a in range(K)), (K, ~moved)]:
        n = np.maximum(rows.sum(axis=0), 1)
        upper[a] = (y * rows).sum(axis=0) / n + np.sqrt(2 * beta / n)
    return int(np.argmax([np.where(inside[a], upper[a], upper[K]).sum() for a in range(K)]))


def two_blocks(L, gap):
    """Two actions that affect L variables each; the noise is one number within a set, independent between the sets."""
    inside = np.kron(np.eye(2), np.ones(L)) > 0
    mu = inside * np.array([[1.0], [1.0 - gap]]) / L
    return environments.gaussian(mu, np.zeros(2 * L), inside, inside.T.astype(float))


def wrong_choices(world, samples, draws, seed):
    """How often, of so many draws, a baseline estimated from so many samples makes a worse action look best."""
    rng = np.random.default_rng([seed, 3])
    inside = world.affected.astype(float)
    spread = inside @ world.covariance[0] @ inside.T / samples  # of the errors of the uplifts
    errors = rng.multivariate_normal(np.zeros(len(inside)), spread, draws, method="eigh")
    return int((world.gaps[np.argmax(world.rewards - errors, axis=1)] > 0).sum())


def lasting_loss(L, samples):
    """Regret a round, at the gap where it is largest, of who chooses for ever by a baseline from so many samples.

    Two actions that affect L variables each, noise common within a set; all but the baseline is known.
    """
    from scipy.special import ndtr  # slow to import

    world = two_blocks(L, 1.0)
    ahead = world.affected[0].astype(float) - world.affected[1]
    spread = np.sqrt(ahead @ world.covariance[0] @ ahead / samples)
    gaps = spread * np.geomspace(0.01, 10, 2000)
    return float((gaps * ndtr(-gaps / spread)).max())


def blind_loss(pool, epsilon, seed, rounds=10_000):
    """Uplift that ε-greedy loses in a round by its random choices alone, its models being exact; (rounds,)."""
    world, rng = environments.campaign(pool, "all"), np.random.default_rng([seed, 7])
    uplift, m, budget = world.chances[:, 1] - world.chances[:, 0], world.individuals, world.budget
    lost = np.zeros(rounds)
    for t, blind in enumerate(rng.binomial(budget, epsilon, rounds)):
        ranked = np.sort(uplift[rng.choice(len(uplift), m, replace=False)])[::-1]
        last = budget - blind  # these are chosen greedily, the others among the rest
        lost[t] = ranked[last:budget].sum() - blind * ranked[last:].mean()
    return lost
