"""Drawn instances where the paper does not give its own: the same for all seeds, which move the noise only.

Ten of them; more at the paper's size where they differ so much that ten do not decide, with fewer runs of each.

And choices that are judged on other runs than those that made them: a tuned parameter is the best of some runs by luck
too.
"""

import functools
from typing import NamedTuple

import numpy as np

from banditlab.study.parameters import Size, bundle
from banditlab.study.study import Study, cell_of, one_seed, own_seed
from banditlab.uplifting import environments
from banditlab.uplifting.environments.campaigns import MODES

from . import captions, data, names, runs, studies, tuning
from .names import LCB, NAFF, NAFF_BL, SUMS, TS, UCB, UP, UP_BL, UPLIFTING, WITH_BONUS, WITH_EPSILON
from .runs import PEOPLE_GRID, PEOPLE_L, grid_of, needed, paper
from .tuning import score, tune

INSTANCES, FORTY = tuple(range(10)), tuple(range(40))
VARIANCE_80 = {UCB: 0.02, TS: 0.003, UP_BL: 0.5, UP: 0.2, NAFF_BL: 2, NAFF: 0.02}  # what `TUNED_LOW` chooses
FRESH = 10**6  # added to a seed: other runs than those that chose


def instance_seed(seed, cell):
    """Policies meet the same runs on an instance; the runs of two instances are independent."""
    return own_seed(seed, cell_of(("instance",))(cell.instance))


@bundle(world=paper, size=Size)
def compared(world, reading, size):
    """The six policies of Figure 2 (a) on an instance, each reading of the noise with its own parameters."""
    parameters = tuning.TABLE_3["Gaussian"] if reading == "std80" else VARIANCE_80
    return size.simulate(world, names.policies(world, parameters), 50)


LOW_BETAS = 0.003, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0
LOW_SIGMA2 = 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2


@bundle(world=paper, size=Size)
def tuned_low(world, policy, size):
    """The tuning protocol on grids that go down as far as the literal noise asks for."""
    world = needed(policy, world)
    make = functools.partial(names.policy, policy, world)
    return tune(world, make, LOW_SIGMA2 if policy == TS else LOW_BETAS, *size)


TUNED_LOW = Study(
    "Figure 2 (a), variance 80", "tuned parameters under the literal noise", tuned_low, captions.none,
    grid=dict(policy=tuple(VARIANCE_80)), fixed=dict(reading="var80"),
    sizes=dict(paper=dict(horizon=studies.HORIZON, runs=40)), seeds=one_seed, ours=True,
)  # fmt: skip

SIZES = dict(quick=dict(horizon=studies.QUICK, runs=2), paper=dict(horizon=studies.HORIZON, runs=20))
DRAWN = Study(
    "Figure 2 (a), drawn instances", "ten instances", compared, captions.none,
    grid=dict(reading=("std80", "var80"), instance=FORTY), sizes=SIZES, seeds=instance_seed, ours=True,
)  # fmt: skip

DRAWN_SIZES = studies.UNEQUAL._replace(
    name="Sizes of the sets, drawn instances", grid=studies.UNEQUAL.grid | dict(instance=INSTANCES),
    sizes=SIZES, seeds=instance_seed,
)  # fmt: skip

TOLD = studies.TOLD._replace(
    name="Noise told by others, drawn instances", grid=dict(instance=INSTANCES), sizes=SIZES, seeds=instance_seed
)

OUTSIDE = studies.OUTSIDE._replace(
    name="Outside the sets, drawn instances", grid=studies.OUTSIDE.grid | dict(instance=INSTANCES),
    sizes=SIZES, seeds=instance_seed,
)  # fmt: skip

# others than the 80 that had left three claims open
BOUNDS_TUNED = studies.TUNED._replace(
    name="Baselines, drawn instances", fixed=dict(every=1),
    grid=dict(policy=(UP, LCB), instance=(*range(80, 200), *range(390, 510))),
    sizes=dict(
        quick=dict(horizon=5000, runs=4, betas=(1, 3, 5, 7, 9)),
        paper=dict(horizon=studies.LONG, runs=30, betas=tuning.GAUSSIAN_BETAS),
    ),
    seeds=instance_seed,
)  # fmt: skip

# as the paper tunes: chosen and judged on the same hundred runs; others than the 20 that had left two claims open
AS_IN_D1 = BOUNDS_TUNED._replace(
    name="Baselines, as in Appendix D.1", grid=dict(policy=(UP, LCB), instance=tuple(range(510, 630))),
    sizes=dict(paper=dict(horizon=studies.LONG, runs=100, betas=tuning.GAUSSIAN_BETAS)),
)  # fmt: skip

GIVEN = studies.FIGURE_3._replace(
    name="Given L, drawn instances", grid=dict(case=tuple(runs.CASES)[2:], instance=FORTY), fixed=dict(every=1),
    sizes=dict(
        quick=dict(horizon=studies.QUICK, runs=4, betas=(5, 6)),
        paper=dict(horizon=studies.HORIZON, runs=40, betas=tuning.GAUSSIAN_BETAS),
    ),
    seeds=instance_seed,
)  # fmt: skip

GIVEN_80 = GIVEN._replace(name="Given L, variance 80", grid=GIVEN.grid | dict(instance=INSTANCES),
                          fixed=GIVEN.fixed | dict(reading="var80"))  # fmt: skip
LARGEST = max(tuning.GAUSSIAN_BETAS)
LOCKED = Study(
    "Too small an L", "UpUCB-nAff (bl) told far too small an L", runs.locks, captions.none,
    grid=dict(reading=("std80", "var80"), L=(5,), instance=INSTANCES), fixed=dict(betas=(LARGEST,)),
    sizes=dict(quick=dict(horizon=studies.QUICK, runs=2), paper=dict(horizon=studies.LONG, runs=40)),
    seeds=instance_seed, ours=True,
)  # fmt: skip


def name_instances(study, what="drawn instances"):
    """On how many instances a claim rests, for its note."""
    few = " (ten at quick size)" if "quick" in study.sizes else ""
    return f"{len(study.grid['instance'])} {what}{few}"


def name_choices(study, scale, horizon=""):
    """The reading of the paper that a claim tests where instances and horizon are ours; `horizon` where it varies."""
    few, horizon = len(list_instances(study, scale)), horizon or f"T = {study.numbers(scale).horizon:,}"
    return f"{few} instances, {horizon} (ours; the paper states neither)"


def name_horizon(study, scale, horizon=None):
    """The reading of the paper that a claim tests where only the horizon is ours; `horizon` where it varies."""
    return f"T = {horizon or study.numbers(scale).horizon:,} (ours; the paper states none)"


def list_instances(study, scale):
    """The instances that are played: at quick size the first ten."""
    return study.grid["instance"][: None if scale == "paper" else len(INSTANCES)]


def by_instance(study, scale, seed, *names):
    """What was played on each instance, by the values of the other names of the grid."""
    found = {}
    for cell, one in study.results(scale, seed, instance=list_instances(study, scale)).items():
        found.setdefault(", ".join(getattr(cell, name) for name in names), []).append(one)
    return found


def held_out(one, rule=score, values=None):
    """A parameter is chosen on one half of the runs and judged on the other, and the other way round.

    Parameters
    ----------
    one : Tuned
    rule : callable, ``rule(final, axis)`` scores parameters; the least is chosen
    values : ndarray, shape (parameters, runs), what is judged: by default the final regrets

    Returns
    -------
    ndarray, shape (runs,)
    """
    final = one.result.regret[:, :, -1]
    values = final if values is None else values
    middle = final.shape[1] // 2
    first, second = slice(None, middle), slice(middle, None)
    pairs = ((first, second), (second, first))
    return np.concatenate([values[rule(final[:, a], 1).argmin(), b] for a, b in pairs])


class Judged(NamedTuple):
    """A printed parameter, or a smaller one, and the one that other runs chose, on the same runs."""

    chosen: float
    printed: np.ndarray  # (runs,) final regrets of the printed or the smaller one
    best: np.ndarray  # (runs,) of the chosen one
    result: object


def judged(world, make, grid, printed, choosing, size):
    """Choose from a grid on some runs, and play what is chosen and what is printed on others."""
    best = tune(world, make, grid, size.horizon, choosing, size.seed).best
    return on_others(world, make, printed, best, size)


def on_others(world, make, printed, best, size):
    """Play two parameters on other runs than those that chose."""
    made = {repr(one): make(one) for one in (printed, best)}
    result = size._replace(seed=size.seed + FRESH).simulate(world, made, 1)
    return Judged(best, result.final_regret(repr(printed)), result.final_regret(repr(best)), result)


@bundle(size=Size)
def judged_gaussian(instance, policy, choosing, size):
    """Table 3's parameter of a policy on an instance."""
    world, printed = needed(policy, paper(instance)), tuning.TABLE_3["Gaussian"][policy]
    grid = grid_of(policy, "Gaussian", tuning.GAUSSIAN_BETAS, 1)
    return judged(world, functools.partial(names.policy, policy, world), grid, printed, choosing, size)


@bundle(size=Size)
def bolder(instance, policy, choosing, size):
    """Of the parameters below a tuned one that of least mean, and the tuned one; none where it is the least."""
    world = needed(policy, paper(instance))
    make = functools.partial(names.policy, policy, world)
    grid = grid_of(policy, "Gaussian", tuning.GAUSSIAN_BETAS, 1)
    found = tune(world, make, grid, size.horizon, choosing, size.seed)
    below = found.table[found.table["parameter"] < found.best]
    if below.empty:
        return None
    return on_others(world, make, float(below["parameter"][below["mean"].idxmin()]), found.best, size)


@bundle(size=Size)
def bold_again(instance, policy, bold, best, size):
    """A smaller parameter and the tuned one."""
    world = needed(policy, paper(instance))
    return on_others(world, functools.partial(names.policy, policy, world), bold, best, size)


@bundle(size=Size)
def judged_clusters(policy, choosing, size):
    """Table 3's parameter on Bernoulli payoffs, by clusters."""
    world, printed = environments.criteo_clusters(), tuning.TABLE_3["Bernoulli"][policy]
    make = functools.partial(names.policy, policy, world)
    return judged(world, make, tuning.BERNOULLI_GRID, printed, choosing, size)


@bundle(size=Size)
def judged_people(policy, choosing, size):
    """Table 3's parameter on Bernoulli payoffs, on all variables; four values of the grid."""
    world, printed = environments.criteo_individuals(), tuning.TABLE_3["Bernoulli"][policy]
    make = functools.partial(names.policy, policy, world, L=PEOPLE_L)
    return judged(world, make, PEOPLE_GRID, printed, choosing, size)


@bundle(size=Size)
def judged_campaign(instance, mode, policy, people, choosing, size):
    """Table 3's parameter in the campaign, on a sample of the people."""
    world = environments.campaign(data.draw_again(instance, *people), mode)
    grid = tuning.EPSILONS if policy in WITH_EPSILON else tuning.BONUSES
    make = functools.partial(names.target, policy, world)
    return judged(world, make, grid, tuning.TABLE_3[mode][policy], choosing, size)


# others than the ten that had left two policies open
JUDGED = Study(
    "Table 3, Gaussian, judged", "printed and chosen", judged_gaussian, captions.none,
    grid=dict(policy=(UCB, TS, *UPLIFTING), instance=tuple(range(10, 90))),
    sizes=dict(paper=dict(horizon=studies.tuning_horizon, choosing=20, runs=100)), seeds=instance_seed, ours=True,
)  # fmt: skip
JUDGED_EARLY = JUDGED._replace(
    name="Table 3, Gaussian, judged at the horizon of Figure 2",
    grid=dict(policy=(UCB, TS, UP_BL, UP), instance=tuple(range(10, 30))),
    sizes=dict(paper=dict(horizon=studies.HORIZON, choosing=50, runs=100)),
)  # fmt: skip
BOLDER = JUDGED._replace(
    name="Too little exploration", play=bolder, grid=dict(policy=(UCB, *UPLIFTING, LCB), instance=INSTANCES),
    sizes=dict(paper=dict(horizon=studies.tuning_horizon, choosing=50, runs=100)),
)  # fmt: skip
BOLDEST = BOLDER._replace(  # on runs that neither chose nor pointed to them
    name="Too little exploration, judged", play=bold_again, seeds=lambda seed, cell: instance_seed(seed, cell) + FRESH,
    sizes=dict(paper=dict(horizon=studies.tuning_horizon, runs=2000)),
)  # fmt: skip


def list_boldest(scale, seed, few=3):
    """Policies and instances on which a smaller parameter of smaller mean deviates most, by name, on further runs."""
    found, again = [], {}
    for cell, one in BOLDER.results(scale, seed).items():
        if one and one.printed.mean() < one.best.mean():
            found.append((one.best.std() / one.printed.std(), cell, [float(name) for name in one.result.policies]))
    for _, cell, (bold, best) in sorted(found, key=lambda one: one[0])[:few]:
        grid, fixed = dict(policy=(cell.policy,), instance=(cell.instance,)), dict(bold=bold, best=best)
        (one,) = BOLDEST._replace(grid=grid, fixed=fixed).results(scale, seed).values()
        again[f"{cell.policy}, instance {cell.instance}, β = {bold:g} and {best:g}"] = one
    return again


JUDGED_CLUSTERS = JUDGED._replace(
    name="Table 3, clusters, judged", play=judged_clusters, seeds=own_seed,
    grid=dict(policy=SUMS, horizon=(500, 2000)), sizes=dict(paper=dict(choosing=100, runs=2000)),
)  # fmt: skip
JUDGED_PEOPLE = JUDGED._replace(
    name="Table 3, variables, judged", play=judged_people, grid=dict(policy=(NAFF_BL, NAFF)), seeds=own_seed,
    sizes=dict(paper=dict(horizon=500, choosing=40, runs=80)),
)  # fmt: skip
JUDGED_CAMPAIGN = JUDGED._replace(
    name="Table 3, campaign, judged", play=judged_campaign,
    grid=dict(mode=MODES, policy=(*WITH_EPSILON, *WITH_BONUS), instance=FORTY[:20]),
    sizes=dict(paper=dict(people=studies.today, horizon=200, choosing=20, runs=50)),
)  # fmt: skip


def on_samples(play, rounds, runs, instances=FORTY):
    """A campaign on samples of the people: what holds on one alone may be an accident of it."""
    return studies.FIGURE_4._replace(
        name="Figure 4, samples of the people", play=play, grid=dict(mode=MODES, instance=instances),
        sizes=dict(paper=dict(people=studies.today, rounds=rounds, runs=runs)), seeds=instance_seed,
    )  # fmt: skip


CAMPAIGN, EQUAL_EPSILONS = (on_samples(play, 200, 5) for play in (runs.figure_4, runs.equal_epsilons))
LONG_CAMPAIGN = on_samples(runs.learners, 1000, 3, tuple(range(80)))
REALISED = on_samples(runs.learners, 200, 15)  # visits are coins: more runs


# below the paper's grid, too: a choice at the end of a grid tells little
WIDER = studies.TUNED._replace(
    name="Table 3, Gaussian, wider", grid=dict(policy=SUMS, instance=INSTANCES), seeds=instance_seed,
    sizes=dict(paper=studies.TUNED.sizes["paper"] | dict(betas=(0.01, 0.1, 0.3, *tuning.GAUSSIAN_BETAS))),
)  # fmt: skip


@bundle(size=Size)
def common_or_not(instance, noise, betas, size):
    """UCB, tuned, on the same normal payoffs, with their correlation and without."""
    world = paper(instance)
    if noise == "independent":
        world = environments.gaussian(world.mu, world.mu0, world.affected)
    world = needed(UCB, world)
    return tune(world, functools.partial(names.policy, UCB, world), betas, *size)


CONTROL = Study(
    "Independent or common noise", "tuned parameters", common_or_not, captions.none,
    grid=dict(noise=("independent", "common"), instance=INSTANCES),
    fixed=dict(betas=(0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)), seeds=instance_seed, ours=True,
    sizes=dict(paper=dict(horizon=studies.HORIZON, runs=100)),
)  # fmt: skip
