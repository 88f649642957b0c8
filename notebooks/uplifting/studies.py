"""The figures: what is played in each, at which numbers, and how they are drawn."""

from banditlab.study.study import Live, Study, one_seed
from banditlab.uplifting.environments.campaigns import MODES, THETA

from . import beyond, captions, checks, data, drawings, runs, tuning
from .names import LCB, NAFF, NAFF_BL, STYLES, SUMS, TS, UCB, UPLIFTING, WITH_BONUS, WITH_EPSILON

HORIZON, QUICK = 20_000, 10_000  # of Gaussian payoffs; the paper has 100 runs and gives no horizons
LONG = 100_000  # where it is asked which runs fail
GAUSSIAN = dict(quick=dict(horizon=QUICK, runs=20), paper=dict(horizon=HORIZON, runs=100))
CLUSTERS = dict(quick=dict(horizon=2000, runs=30), paper=dict(horizon=2000, runs=100))
PEOPLE = dict(quick=dict(horizon=100, runs=2), paper=dict(horizon=500, runs=50))
QUICK_GRID, GRID = dict(betas=(3, 5, 6), every=3), dict(betas=tuning.GAUSSIAN_BETAS, every=1)


def today(cell):
    """Where a campaign's people come from now: a campaign is played again when the data change."""
    return data.source()


def by_panel(name):
    """A number of Figure 2 by its panel."""

    def sizes(scale):
        table = dict(zip(runs.PANELS, (GAUSSIAN, CLUSTERS, PEOPLE), strict=True))
        return lambda cell: table[cell.panel][scale][name]

    return sizes


HEADLINE = Study(
    "Headline", "what seeing every payoff is worth", runs.figure_2, captions.headline,
    grid=dict(panel=runs.PANELS[:1]), sizes=GAUSSIAN, band=1, styles=STYLES, seeds=one_seed, ours=True,
)  # fmt: skip

REGRET = Study(
    "Regret", "regret of policies that see every payoff and of those that see the sum", runs.regret, captions.regret,
    styles=STYLES, live=Live(drawings.regret, switches=("bound",)),
)  # fmt: skip

FIGURE_1 = Study(
    "Figure 1", "three actions, five variables", runs.around_a_pull, captions.figure_1, fixed=dict(beta=1.0, seen=60),
    sizes=dict(quick={}, paper={}), draw=drawings.figure_1, seeds=one_seed,
)  # fmt: skip

TOUCHED = Study(
    "Who touches what", "which variables does an action touch?", runs.identified, captions.identified,
    fixed=dict(gap=0.5, L=8, m=60, sigma=0.5, K=8, rho=0.5, beta=3.0, given=8),
    sizes=dict(quick=dict(horizon=5000), paper=dict(horizon=5000)), draw=drawings.identified, seeds=one_seed, ours=True,
)  # fmt: skip

UPLIFTS = Study(
    "Uplifts and intervals", "uplifts and their intervals", runs.uplifts, captions.uplifts, draw=drawings.uplifts
)

FIGURE_2 = Study(
    "Figure 2", "six policies", runs.figure_2, captions.figure_2, grid=dict(panel=runs.PANELS),
    sizes={scale: {name: by_panel(name)(scale) for name in ("horizon", "runs")} for scale in ("quick", "paper")},
    panel="{panel}", band=1, styles=STYLES, seeds=one_seed,
)  # fmt: skip

FIGURE_2B = Study(
    "Figure 2 (b)", "Bernoulli payoffs", runs.clusters, captions.clusters, fixed=dict(beta_scale=1.0), sizes=CLUSTERS,
    band=1, styles=STYLES, seeds=one_seed,
)  # fmt: skip

OFTEN = Study(  # one run in a hundred locks, and decides the mean of a hundred
    "Figure 2 (b), many runs", "Bernoulli payoffs", runs.clusters, captions.clusters, fixed=dict(beta_scale=1.0),
    sizes=dict(quick=CLUSTERS["quick"], paper=CLUSTERS["paper"] | dict(runs=2000)), seeds=one_seed,
)  # fmt: skip

SHORT = OFTEN._replace(  # as long as the runs on all variables
    name="Figure 2 (b), short", sizes={scale: OFTEN.sizes[scale] | dict(horizon=size["horizon"])
                                       for scale, size in PEOPLE.items()},
)  # fmt: skip

UNEQUAL = Study(
    "Sizes of the sets", "the price of an unknown baseline", runs.affected, captions.affected,
    grid=dict(sizes=((10,) * 10, (50, *[5] * 9))), fixed=dict(beta=5), sizes=GAUSSIAN, seeds=one_seed, ours=True,
)  # fmt: skip

FIGURE_3 = Study(
    "Figure 3", "ablations", runs.figure_3, captions.figure_3, grid=dict(case=tuple(runs.CASES)),
    sizes=dict(quick=dict(horizon=QUICK, runs=10, **QUICK_GRID), paper=dict(horizon=HORIZON, runs=100, **GRID)),
    draw=drawings.figure_3, band=1, seeds=one_seed,
)  # fmt: skip

FIGURE_3A = Study(
    "Figure 3 (a)", "which bound of the baseline?", runs.ablation, captions.ablation, draw=drawings.with_quantile,
    styles=STYLES,
)  # fmt: skip

FIGURE_3B = Study(
    "Figure 3 (b)", "given L against the true one", runs.misspecified, captions.misspecified,
    draw=drawings.with_quantile,
)  # fmt: skip

LOCKING = Study(
    "A run that locks", "indices in a run that locks", runs.locking, captions.locking, fixed=dict(beta=1.0),
    sizes=dict(quick=dict(horizon=5000, runs=50), paper=dict(horizon=HORIZON, runs=100)), draw=drawings.locking,
    seeds=one_seed, ours=True,
)  # fmt: skip

NOISELESS = Study(
    "Without noise", "pulls without noise, and the bound on them", runs.noiseless, captions.noiseless,
    fixed=dict(beta=3.0), sizes=dict(quick=dict(horizon=50_000), paper=dict(horizon=1_000_000)),
    draw=drawings.noiseless, seeds=one_seed, ours=True,
)  # fmt: skip


def tuning_horizon(cell):
    """Of Figure 2 (a) for the nAff policies, which look at every variable; long for those that look at sums."""
    return HORIZON if cell.policy in (NAFF_BL, NAFF) else LONG


TUNED = Study(
    "Table 3, Gaussian", "tuned parameters", runs.tuned, captions.none, grid=dict(policy=(UCB, TS, *UPLIFTING, LCB)),
    sizes=dict(quick=dict(horizon=5000, runs=10, **QUICK_GRID), paper=dict(horizon=tuning_horizon, runs=100, **GRID)),
    seeds=one_seed,
)  # fmt: skip

TUNED_CLUSTERS = Study(
    "Table 3, Bernoulli, clusters", "tuned parameters", runs.tuned_clusters, captions.none,
    grid=dict(policy=SUMS), fixed=dict(beyond=()),
    sizes=dict(quick=dict(horizon=2000, runs=10, every=3), paper=dict(horizon=2000, runs=100, every=1)), seeds=one_seed,
)  # fmt: skip
WIDER_CLUSTERS = TUNED_CLUSTERS._replace(fixed=dict(beyond=(1e-3, 1e-2, 0.1, 1.0)))  # up to the Gaussian grid

TUNED_PEOPLE = Study(
    "Table 3, Bernoulli, variables", "tuned parameters", runs.tuned_people, captions.none,
    grid=dict(policy=(NAFF_BL, NAFF)), sizes=dict(paper=dict(horizon=500, runs=10)), seeds=one_seed,
)  # fmt: skip

FIGURE_4 = Study(
    "Figure 4", "a targeted campaign", runs.figure_4, captions.figure_4, grid=dict(mode=MODES),
    sizes=dict(quick=dict(people=today, rounds=100, runs=10), paper=dict(people=today, rounds=200, runs=100)),
    draw=drawings.campaign, band=1, styles=STYLES, seeds=one_seed,
)  # fmt: skip
FIGURE_4_LIVE = FIGURE_4._replace(play=runs.campaign, sizes={})
TUNED_CAMPAIGN = Study(
    "Table 3, campaign", "tuned parameters", runs.tuned_campaign, captions.none,
    grid=dict(mode=MODES, policy=(*WITH_EPSILON, *WITH_BONUS)),
    sizes=dict(paper=dict(people=today, rounds=200, runs=100)), seeds=one_seed,
)  # fmt: skip

LINEAR_PAYOFFS = Study(
    "Linear payoffs", "linear payoffs (Section 8)", runs.linear, captions.linear,
    grid=dict(treatments=tuple(range(1, len(THETA)))),
    sizes=dict(quick=dict(horizon=500, runs=20), paper=dict(horizon=1000, runs=100)), panel="treatments: {treatments}",
    band=1, styles=STYLES, seeds=one_seed, ours=True,
)  # fmt: skip

FEW_ACTIONS = Study(
    "Few actions", "few actions on many people (Section 8)", beyond.few_actions, captions.few_actions,
    grid=dict(people=(20, 80)), sizes=dict(quick=dict(horizon=1000, runs=20), paper=dict(horizon=2000, runs=100)),
    panel="{people} people", band=1, styles=STYLES, seeds=one_seed, ours=True,
)  # fmt: skip
FEW_ACTIONS_LEARNT = FEW_ACTIONS._replace(  # by a learner of the total reward alone
    name="Few actions, learnt", play=beyond.total_reward, grid=dict(people=(20, 40)),
    sizes=dict(paper=dict(horizon=200_000, runs=20)),
)  # fmt: skip

ILIFT = Study(
    "Least uplift known", "UpUCB-iLift, told the least uplift", runs.ilift, captions.ilift,
    fixed=dict(beta=1.0, eliminating=True),
    sizes=dict(quick=dict(horizon=10_000, runs=20), paper=dict(horizon=HORIZON, runs=100)), band=1, styles=STYLES,
    seeds=one_seed, ours=True,
)  # fmt: skip

OFFLINE = Study(
    "Offline baseline", "a baseline estimated beforehand", runs.offline, captions.offline,
    fixed=dict(samples=(100, 10_000, 1_000_000), beta=3),
    sizes=dict(quick=dict(horizon=QUICK, runs=20), paper=dict(horizon=HORIZON, runs=100)), band=1, seeds=one_seed,
    ours=True,
)  # fmt: skip

TOLD = Study(
    "Noise told by others", "unaffected variables reveal the noise", beyond.told_paper, captions.told,
    fixed=dict(beta=3.0), sizes=GAUSSIAN, band=1, styles=STYLES, seeds=one_seed, ours=True,
)  # fmt: skip
TOLD_LIVE = TOLD._replace(play=beyond.told_scaled, fixed={}, sizes={})

GAINS = Study(
    "Map of the gain", "what the others reveal", beyond.gains, captions.gains, fixed=dict(m=100),
    sizes=dict(quick={}, paper={}), draw=drawings.gains, seeds=one_seed, ours=True,
)  # fmt: skip

PRICE = Study(
    "Price of the baseline", "what an unknown baseline costs", beyond.priced, captions.price, grid=dict(best=(10, 50)),
    fixed=dict(L=10, beta=0.1), sizes=dict.fromkeys(("quick", "paper"), dict(horizon=3 * LONG)),
    draw=drawings.price, panel="the best action affects {best}", seeds=one_seed, ours=True,
)  # fmt: skip

ONE_UNIT = Study(
    "Table 3 in one unit", "Table 3 in units of the noise", beyond.one_unit, captions.one_unit,
    grid=dict(spread=(80.0, 80.0**0.5)), sizes=dict(quick={}, paper={}), draw=drawings.one_unit, seeds=one_seed,
    ours=True,
)  # fmt: skip

OUTSIDE = Study(
    "Outside the sets", "an effect outside the sets", beyond.outside, captions.outside,
    grid=dict(effect=(0.2, 0.8, 1.5)), fixed=dict(beta=1.0),
    sizes=dict(quick=dict(horizon=10_000, runs=20), paper=dict(horizon=HORIZON, runs=100)), draw=drawings.outside,
    panel="effect {effect:g}", band=1, seeds=one_seed, ours=True,
)  # fmt: skip

DELTA = 0.05  # what a bound may fail with
BOUNDED = Study(
    "Pull bounds", "pulls against their bounds", checks.bounded, captions.none,
    grid=dict(instance=("paper", "eliminating", "wide")), fixed=dict(delta=DELTA),
    sizes=dict(quick=dict(horizon=HORIZON, runs=10), paper=dict(horizon=HORIZON, runs=10)), seeds=one_seed, ours=True,
)  # fmt: skip

SEARCHED = Study(
    "Pull bounds, random instances", "pulls against their bounds", checks.searched, captions.none,
    fixed=dict(delta=DELTA), seeds=one_seed, ours=True,
    sizes=dict(quick=dict(instances=20, horizon=5000, runs=2), paper=dict(instances=200, horizon=5000, runs=5)),
)  # fmt: skip

COMBINED = Study(
    "L and the least uplift known", "pulls against (12) with L", checks.combined, captions.none,
    fixed=dict(m=1000, at=20, hidden=0.8, lead=1.1, delta=DELTA),
    sizes=dict(quick=dict(horizon=500, runs=100), paper=dict(horizon=500, runs=400)), seeds=one_seed, ours=True,
)  # fmt: skip

THEOREM_5 = Study(
    "Theorem 5", "regret against Theorem 5", checks.theorem_5, captions.none, grid=dict(treatments=(1, 2)),
    fixed=dict(delta=DELTA), sizes=dict(quick=dict(horizon=50_000, runs=5), paper=dict(horizon=50_000, runs=5)),
    seeds=one_seed, ours=True,
)  # fmt: skip

SEARCHED_CAMPAIGNS = Study(
    "Theorem 5, random campaigns", "regret against Theorem 5", checks.searched_campaigns, captions.none,
    fixed=dict(delta=DELTA), seeds=one_seed, ours=True,
    sizes=dict(quick=dict(instances=10, horizon=500, runs=2), paper=dict(instances=200, horizon=2000, runs=5)),
)  # fmt: skip

ORDERS = Study(
    "Table 1", "regret as the number of variables doubles", checks.order, captions.none, grid=dict(m=(40, 80)),
    fixed=dict(L=5, beta=0.05), sizes=dict(quick=dict(horizon=LONG, runs=4), paper=dict(horizon=LONG, runs=4)),
    seeds=one_seed, ours=True,
)  # fmt: skip
ORDERS_L = ORDERS._replace(name="Table 1, L", title="regret as the affected variables double",
                           grid=dict(L=(5, 10)), fixed=dict(m=40, beta=1.0),
                           sizes=dict.fromkeys(("quick", "paper"), dict(horizon=LONG, runs=2)))  # fmt: skip

__all__ = [name for name, thing in globals().items() if isinstance(thing, Study)]
