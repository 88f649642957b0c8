"""Random instances: every environment of the four papers with every policy that plays on its actions.

A case makes environment, policy and the most that a round can cost from a generator of random numbers. Edges are
frequent: equal means, zeros and ones, single options, tiny and huge noise.
"""

import math

import numpy as np

from banditlab import censored, classic, composite, factored, uplifting

HORIZON = 60  # rounds; policies that must know it are told it


def of(r, *values):
    """One of these."""
    return values[int(r.integers(len(values)))]


def level(r):
    """A number in [0, 1], an end now and then."""
    return of(r, 0.0, 1.0, 0.5, r.random(), r.random(), r.random())


def levels(r, n):
    return [level(r) for _ in range(n)]


def positive(r):
    """A number over many orders of magnitude."""
    return of(r, 1e-3, 0.1, 0.5, 1.0, 10.0) * (0.5 + r.random())


# Factored rewards.


def factors(r):
    return [levels(r, int(r.integers(2, 4))) for _ in range(int(r.integers(1, 4)))]


def factored_worlds():
    def priced(r):
        k, prices = int(r.integers(2, 4)), np.sort(0.2 + r.random(int(r.integers(2, 4)))).tolist()
        impressions, budgets = r.random(k).tolist(), (0.1 * r.random(k)).tolist()
        world = factored.pricing(impressions, budgets, r.random(len(prices)).tolist(), prices, 0.1)
        multipliers, costs = [[1.0] * k, prices], [budgets, [0.0] * len(prices)]
        return world, factored.priced_fucb([k, len(prices)], 0.1, multipliers, costs, 1.0, cap=of(r, True, False))

    def made(r):
        means, batch = factors(r), positive(r)
        costs = [[0.3 * r.random() for _ in row] for row in means]
        ones, arms = [[1.0] * len(row) for row in means], [len(row) for row in means]
        world = factored.manufacturing(means, costs, batch, 0.2)
        return world, factored.priced_fucb(arms, 0.2, ones, costs, batch, cap=of(r, True, False))

    def plain(make, policy):
        def case(r):
            means, sigma = factors(r), of(r, 0.1, 0.5, 2.0)
            return make(r, means, sigma), policy(r, [len(row) for row in means], sigma)

        return case

    worlds = {
        "gaussian": lambda r, means, sigma: factored.gaussian(means, sigma),
        "bernoulli": lambda r, means, sigma: factored.bernoulli(means),
        "rademacher": lambda r, means, sigma: factored.rademacher(means, 1 + sigma),
        "correlated": lambda r, means, sigma: factored.correlated(means, [[sigma] * len(m) for m in means], r.random()),
    }
    policies = {
        "fucb": lambda r, k, sigma: factored.fucb(k, sigma, 2 + positive(r)),
        "together_fucb": lambda r, k, sigma: factored.together_fucb(k, sigma),
        "ucb1": lambda r, k, sigma: factored.ucb1(
            k, sigma, scale=of(r, "observation", "reward_std"), action_set=of(r, "all", "first_dk")
        ),
        "rucb_mom": lambda r, k, sigma: factored.rucb_mom(
            k, sigma, of(r, 0.01, 1.0), action_set=of(r, "all", "first_dk")
        ),
        "tea": lambda r, k, sigma: factored.tea(k, of(r, 0.001, 1.0), delta=of(r, "inside", "outside")),
        "ftrack": lambda r, k, sigma: factored.ftrack(
            k, sigma, HORIZON, n0_mult=of(r, 0.1, 1.0), eps_div=of(r, 1.0, 1e6), truncate=of(r, True, False),
            rows=of(r, "worst", "best"), recovery=of(r, "fresh", "keep"),
        ),
    }  # fmt: skip
    found = {f"factored.{w} x {p}": plain(worlds[w], policies[p]) for w in worlds for p in policies}
    return found | {"factored.pricing x priced_fucb": priced, "factored.manufacturing x priced_fucb": made}


# Uplifting: the payoffs of variables, some of which an action moves.


def uplifting_worlds():
    def instance(r):
        arms, m = int(r.integers(2, 4)), int(r.integers(3, 6))
        sets = [sorted(r.choice(m, int(r.integers(1, m + 1)), replace=False).tolist()) for _ in range(arms)]
        base = levels(r, m)
        moved = [[level(r) if i in members else base[i] for i in range(m)] for members in sets]
        return arms, m, sets, base, moved

    def apart(sets, m):
        """As many sets that share no variable."""
        return [list(range(i, m, len(sets))) for i in range(len(sets))]

    def plain(make, policy):
        def case(r):
            arms, m, sets, base, moved = instance(r)
            world = make(r, sets, base, moved)
            return world, policy(r, world, arms, m, sets, base, of(r, 0.05, 0.5, 2.0))

        return case

    worlds = {
        "gaussian": lambda r, sets, base, moved: uplifting.gaussian(
            moved, base, sets, loadings=[[of(r, 0.0, 0.5)] for _ in base], idiosyncratic=[of(r, 0.1, 2.0)] * len(base)
        ),
        "bernoulli": lambda r, sets, base, moved: uplifting.bernoulli(
            base, levels(r, len(base)), apart(sets, len(base))
        ),
    }
    policies = {
        "ucb": lambda r, w, k, m, sets, base, b: uplifting.ucb(k, m, b),
        # equal rewards are refused: their variance is that of the prior
        "thompson": lambda r, w, k, m, sets, base, b: uplifting.thompson(w.rewards + 1e-6 * np.arange(k), m, b),
        "upucb_bl": lambda r, w, k, m, sets, base, b: uplifting.upucb_bl(sets, base, b),
        "upucb": lambda r, w, k, m, sets, base, b: uplifting.upucb(sets, m, b),
        "upucb_lcb": lambda r, w, k, m, sets, base, b: uplifting.upucb_lcb(sets, m, b),
        "upucb_naff_bl": lambda r, w, k, m, sets, base, b: uplifting.upucb_naff_bl(k, base, list(map(len, sets)), b),
        "upucb_naff": lambda r, w, k, m, sets, base, b: uplifting.upucb_naff(k, m, max(map(len, sets)), b),
        "upucb_ilift_bl": lambda r, w, k, m, sets, base, b: uplifting.upucb_ilift_bl(k, base, 0.2, b),
        "upucb_ilift": lambda r, w, k, m, sets, base, b: uplifting.upucb_ilift(k, m, 0.2, b),
        "upucb_ilift_naive": lambda r, w, k, m, sets, base, b: uplifting.upucb_ilift_naive(k, base, 0.2, b),
        "upucb_offline": lambda r, w, k, m, sets, base, b: uplifting.upucb_offline(sets, base, 20, b),
        "upucb_bl_learnt": lambda r, w, k, m, sets, base, b: uplifting.upucb_bl_learnt(sets, base, b),
        "upucb_bl_optimal": lambda r, w, k, m, sets, base, b: uplifting.upucb_bl_optimal(sets, base, np.eye(m)),
        "upucb_bl_adjusted": lambda r, w, k, m, sets, base, b: uplifting.upucb_bl_adjusted(sets, base, np.eye(m), b),
    }
    found = {f"uplifting.{w} x {p}": plain(worlds[w], policies[p]) for w in worlds for p in policies}

    def linear(r):
        arms, d, people = int(r.integers(2, 4)), int(r.integers(1, 4)), int(r.integers(3, 7))
        theta = [[x / d for x in levels(r, d)] for _ in range(arms)]
        world = uplifting.linear_actions(theta, people, active=int(r.integers(1, d + 1)), rho=of(r, 0.0, 0.5))
        return world, uplifting.upucb_bl_linear(theta[0], arms - 1, people, positive(r), everybody=of(r, True, False))

    found["uplifting.linear_actions x upucb_bl_linear"] = linear
    contextual = {
        "c2upucb": lambda r, n, d, b, base, **o: uplifting.c2upucb(n, d, b, positive(r), **o),
        "c2upucb_bl": lambda r, n, d, b, base, **o: uplifting.c2upucb_bl(n, d, b, base, positive(r), **o),
        "c2ucb": lambda r, n, d, b, base, **o: uplifting.c2ucb(n, d, b, positive(r), **o),
        "greedy": lambda r, n, d, b, base, **o: uplifting.greedy(n, d, b, **o),
        "greedy_bl": lambda r, n, d, b, base, **o: uplifting.greedy_bl(n, d, b, base, **o),
        "epsilon_greedy": lambda r, n, d, b, base, **o: uplifting.epsilon_greedy(n, d, b, level(r), **o),
        "epsilon_greedy_bl": lambda r, n, d, b, base, **o: uplifting.epsilon_greedy_bl(n, d, b, base, level(r), **o),
    }

    def people(policy):
        def case(r):
            n, d, few = int(r.integers(3, 7)), int(r.integers(1, 4)), of(r, True, False)
            theta, budget = [[x / d for x in levels(r, d)] for _ in range(2)], int(r.integers(1, 3))
            world = uplifting.linear_campaign(theta, n, budget, at_most=few)
            return world, policy(r, n, d, budget, theta[0], at_most=few)

        return case

    def several(r):
        n, d, k = int(r.integers(4, 7)), int(r.integers(1, 4)), int(r.integers(2, 4))
        world = uplifting.linear_campaign([[x / d for x in levels(r, d)] for _ in range(k + 1)], n, 2)
        return world, uplifting.c2upucb_m(n, d, k, 2, positive(r))

    pool = uplifting.stand_in()

    def visitors(policy):
        def case(r):
            world = uplifting.campaign(pool, individuals=5, budget=2)
            base, features = world.weights[0], world.weights.shape[1]
            return world, policy(r, 5, features, 2, base, form=of(r, "linear", "logistic"))

        return case

    found |= {f"uplifting.linear_campaign x {p}": people(make) for p, make in contextual.items()}
    found |= {f"uplifting.campaign x {p}": visitors(make) for p, make in contextual.items()}
    return found | {"uplifting.linear_campaign x c2upucb_m": several}


# Censored consumption of resources.


def censored_worlds():
    def grid(make):
        def world(r):
            limits = int(r.integers(2, 6))
            law = censored.power(positive(r)), censored.knots([0.0, 0.5, 0.51, 1.0], [0.0, 0.05, 2.0, 5.0])
            listed = np.sort(r.random(limits)).tolist()
            return make(int(r.integers(2, 5)), limits, of(r, None, listed, *law))

        return world

    def recorded(r):
        arms, problems = int(r.integers(2, 4)), int(r.integers(1, 5))
        table = np.array([levels(r, problems) for _ in range(arms)]), 4 * r.random((arms, problems)) + 0.01
        return censored.recorded(table, limits=sorted((0.1 + r.random(3)).tolist()))

    worlds = {
        "poscorr": grid(censored.poscorr),
        "negcorr": grid(censored.negcorr),
        "indep": grid(censored.indep),
        "many_arms": lambda r: censored.many_arms(int(r.integers(2, 9)), int(r.integers(2, 6))),
        "low_censoring": lambda r: censored.low_censoring(int(r.integers(2, 5)), int(r.integers(2, 6))),
        "recorded": recorded,
    }
    policies = {
        "rcucb": lambda r, w: censored.rcucb(
            len(w.gaps), w.limits, w.penalty, 0.5 + positive(r), survival=of(r, "consistent", "carry_up", "known_only"),
            width=of(r, "printed", "normalised", "gain_only"), ties=of(r, "lowest", "random"),
        ),
        "ucb": lambda r, w: censored.ucb(len(w.gaps), w.limits, w.penalty, width=of(r, "printed", "rcucb")),
        "thompson": lambda r, w: censored.thompson(
            len(w.gaps), w.limits, w.penalty, ts_update=of(r, "per_tau", "played_outcome")
        ),
    }  # fmt: skip

    def plain(make, policy):
        def case(r):
            world = make(r)
            return world, policy(r, world)

        return case

    found = {f"censored.{w} x {p}": plain(worlds[w], policies[p]) for w in worlds for p in policies}
    spans = {
        "poscorr_interval": censored.poscorr_interval,
        "negcorr_interval": censored.negcorr_interval,
        "indep_interval": censored.indep_interval,
    }

    def zooming(make):
        def case(r):
            arms, law = int(r.integers(2, 4)), of(r, 0.05, censored.knots([0.0, 1.0], [0.0, 0.5]))
            world, parts = make(arms, law), int(r.integers(2, 9))
            if r.random() < 0.5:
                return world, censored.zrcucb(arms, HORIZON, law, parts=parts)
            return world, composite.doubling(lambda T: censored.zrcucb(arms, T, law), 20)

        return case

    return found | {f"censored.{name} x zrcucb": zooming(make) for name, make in spans.items()}


# Composite and anonymous feedback.


def composite_worlds():
    def shape(r):
        lo = int(r.integers(1, 5))
        return of(
            r, composite.random_delay(lo, lo + int(r.integers(5))), composite.interval(lo, lo + 1 + int(r.integers(5))),
            composite.decreasing(lo), composite.increasing(lo), composite.discounted(0.05 + 0.9 * r.random()),
            composite.polynomial(1.1 + positive(r)), composite.shape((r.dirichlet(np.ones(4)) * r.random()).tolist()),
        )  # fmt: skip

    def adversarial(r, arms):
        rows = HORIZON + int(r.integers(5))
        if r.random() < 0.3:
            return composite.adversarial(r.dirichlet(np.ones(4), size=(rows, arms))[:, :, :3])
        delays = of(
            r, composite.oblivious_delay(1, int(r.integers(1, 9))), composite.streak_delay(int(r.integers(1, 5)))
        )
        labels = r.integers(arms, size=rows)
        return composite.adversarial(of(r, np.concatenate([np.arange(arms), labels]), r.random((rows, arms))), delays)

    worlds = {
        "stochastic": lambda r, arms: composite.stochastic(
            levels(r, arms), shape(r), totals=of(r, "bernoulli", "mean")
        ),
        "stochastic, shapes of their own": lambda r, arms: composite.stochastic(
            levels(r, arms), [shape(r) for _ in range(arms)]
        ),
        "adversarial": adversarial,
    }
    policies = {
        "ucb1": lambda r, k: composite.ucb1(k, positive(r)),
        "exp3": lambda r, k: composite.exp3(k, HORIZON),
        "ars_ucb": lambda r, k: composite.ars_ucb(k, 1 + positive(r), of(r, "k2", "2k", ("2k", 1))),
        "ars_exp3": lambda r, k: composite.ars_exp3(k, HORIZON, r.random(), rounding=of(r, "ceil", "nearest")),
        "clw": lambda r, k: composite.clw(k, HORIZON, int(r.integers(1, 9))),
        "ars_clw": lambda r, k: composite.ars_clw(k, first=int(r.integers(10, 40))),
        "odaaf": lambda r, k: composite.odaaf(k, HORIZON, positive(r)),
        "odaaf, bound": lambda r, k: composite.odaaf(k, HORIZON, 1.0, bound=1 + positive(r), variant="bound"),
        "generalised_odaaf": lambda r, k: composite.generalised_odaaf(
            k, HORIZON, positive(r), bridge=of(r, "d", "ratio")
        ),
        "doubling": lambda r, k: composite.doubling(lambda T: composite.ars_exp3(k, T), int(r.integers(2, 40))),
        "kl_ucb": lambda r, k: classic.kl_ucb(k),
    }

    def plain(make, policy):
        def case(r):
            arms = int(r.integers(2, 6))
            return make(r, arms), policy(r, arms)

        return case

    return {f"composite.{w} x {p}": plain(worlds[w], policies[p]) for w in worlds for p in policies}


CASES = {**factored_worlds(), **uplifting_worlds(), **censored_worlds(), **composite_worlds()}


def worst(environment):
    """The most that a round can cost: the largest gap, the width of the means or of their products; inf elsewhere."""
    gaps, means = getattr(environment, "gaps", None), getattr(environment, "means", None)
    if gaps is not None:
        return float(np.max(gaps))
    if means is None or hasattr(environment, "multipliers") or hasattr(environment, "rho"):
        return math.inf
    return float(np.ptp(means) if means.ndim == 1 else np.prod(np.nanmax(means, 1)) - np.prod(np.nanmin(means, 1)))


def limit(environment, policy, horizon):
    """An upper bound on the expected regret, from a theorem, or inf; these instances end long before it is tight."""
    if type(policy).__name__ == "FUCB" and hasattr(environment, "sigma"):
        rows = [row[~np.isnan(row)] for row in environment.means]
        return float(factored.bounds.upper_bound(rows, environment.sigma, horizon, policy.alpha))
    if hasattr(environment, "gains"):
        return float(censored.bounds.trivial(environment.gains, horizon))
    return math.inf
