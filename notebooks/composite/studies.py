"""The figures as data."""

from banditlab.composite.environments import adversarial
from banditlab.engine.simulate import simulate
from banditlab.figures import plots
from banditlab.study.study import Live, Study, one_seed, own_seed
from banditlab.validate import whole

from . import beyond, captions, drawings, exact, misleading, runs, searches
from .data import Sequence
from .delay import CASES, EIGHT, FOUR, TAILED, Delay
from .runs import GROWTHS, NINE, Game, contestants, delays_of

WATCHED = ("zipf10", "outbrain10", "neartie10")  # sequences of the non-oblivious games
DELAYS = (10, 20)
GAP = 0.1  # between the paper's means
TAILS = {"quick": {"increasing 100": 40}, "paper": {"interval 10–20": 120, "increasing 100": 200}}  # runs
STOCHASTIC = dict(
    quick=dict(horizon=20_000, runs=lambda cell: TAILS["quick"].get(cell.case, 20)),
    paper=dict(horizon=200_000, runs=lambda cell: TAILS["paper"].get(cell.case, 80)),
)


def oblivious_twice(runs):
    """Twice as many runs where delays do not watch: an error of a tenth in d makes little difference."""
    return lambda cell: runs * (1 + (cell.game.rule == "oblivious"))


GAMES = dict(quick=dict(horizon=100_000, runs=oblivious_twice(10)),
             paper=dict(horizon=1_000_000, runs=oblivious_twice(30)))  # fmt: skip

REGRET = Study("Regret", "ARS-UCB against policies told of delays or blind to them", runs.regret, captions.regret,
               draw=drawings.with_theorem1, live=Live(switches=("upper",)), ours=True)  # fmt: skip
ONE_REWARD = Study("One reward", "how it spreads over time", exact.one_reward, captions.one_reward,
                   draw=drawings.one_reward, ours=True)  # fmt: skip
ROUNDS = Study("Rounds", "which arm is played when", runs.rounds, captions.strip, draw=drawings.strip, ours=True)
RADII = Study("Hidden radius", "the radius that is played, that of the proof, and when the proof begins",
              exact.radii, captions.radii, draw=drawings.radii, ours=True)  # fmt: skip
FIGURE_1 = Study("Figure 1", "the two triangles", exact.triangles, captions.triangles, draw=drawings.triangles,
                 fixed=Delay("decreasing", 20)._asdict(), sizes=dict(quick={}, paper={}))  # fmt: skip
ALPHAS = Study("Figures 2 to 4: α", "values of the exploration α", runs.alphas, captions.settings,
               draw=drawings.distributed, ours=True)  # fmt: skip
GROWTH = Study("Figures 2 to 4: f", "round sizes f", runs.growths, captions.settings, draw=drawings.distributed,
               ours=True)  # fmt: skip
ADVERSARY = Study(
    "Figure 5", "rewards of an adversary", runs.adversary, captions.adversary, draw=drawings.regret, ours=True
)

TWELVE = Study(
    "Twelve cases", "regret in the twelve cases, with and without known delays", runs.stochastic_case,
    captions.headline, grid=dict(case=tuple(CASES)), sizes=STOCHASTIC, draw=drawings.headline, seeds=one_seed,
    ours=True,
)  # fmt: skip


def shown(name, title, cases, benchmark):
    """A figure of some of the twelve cases: in the left column alpha varies, in the right one f."""
    drawn = dict(draw=drawings.two_columns(benchmark), caption=captions.two_columns(benchmark))
    return TWELVE._replace(name=name, title=title, grid=dict(case=cases), ours=False, **drawn)


FIGURE_2 = shown("Figure 2", "random delays", EIGHT[:2], "ODAAF mean")
FIGURE_3 = shown("Figure 3", "rewards spread over a bounded interval", EIGHT[2:], "generalised ODAAF")
FIGURE_4 = shown("Figure 4", "rewards without an end", FOUR, None)
SAFE = TWELVE._replace(  # differences between these are small
    name="Safe settings", play=runs.safe_case, draw=None,
    sizes=dict(quick=STOCHASTIC["quick"], paper=dict(horizon=200_000, runs=6000)),
)  # fmt: skip
DRAWN = SAFE._replace(  # whether something is small takes fewer runs than whether it is smallest
    name="Drawn settings", play=runs.drawn_case,
    sizes=dict(quick=STOCHASTIC["quick"], paper=dict(horizon=200_000, runs=400)),
)  # fmt: skip
FAVOURED = TWELVE._replace(  # few policies: more runs than the twelve cases have, and others
    name="The setting it favours", play=runs.favoured_case, draw=None, grid=dict(case=EIGHT), seeds=own_seed,
    sizes=dict(quick=dict(horizon=20_000, runs=40), paper=dict(horizon=200_000, runs=800)),
)  # fmt: skip
AT_ONCE = Study("No delay", "holding an arm costs little", runs.at_once, captions.holding,
                fixed=dict(growths=("1", *GROWTHS)), sizes=dict(quick=dict(horizon=20_000, runs=20),
                paper=dict(horizon=200_000, runs=80)), seeds=one_seed, ours=True)  # fmt: skip

FIGURE_5 = Study(
    "Figure 5", "adversarial rewards", runs.game, captions.games,
    grid=dict(game=(*[Game("outbrain10", "non-oblivious", d) for d in DELAYS],
                    *[Game("week7", "oblivious", d) for d in DELAYS])),
    sizes=GAMES, draw=drawings.games, seeds=one_seed,
)  # fmt: skip
NON_OBLIVIOUS = FIGURE_5._replace(grid=dict(game=tuple(Game(s, "non-oblivious", d) for s in WATCHED for d in DELAYS)))
OBLIVIOUS = FIGURE_5._replace(grid=dict(game=FIGURE_5.grid["game"][2:]))
SLOPES = Study(
    "Growth with T", "how the regret grows with the horizon", runs.slopes, captions.horizons,
    fixed=dict(sequence="outbrain10", d=10), draw=drawings.horizons, seeds=one_seed, ours=True,
    sizes=dict(quick=dict(horizons=(30_000, 100_000, 300_000), runs=20),
               paper=dict(horizons=(100_000, 300_000, 1_000_000, 3_000_000, 10_000_000), runs=10)),
)  # fmt: skip
TIES = Study(
    "Near tie", "two arms that nearly tie", runs.stress, captions.ties,
    grid=dict(rule=("watching", "constant 1", "constant 10")), fixed=dict(sequence="twin3", d=10),
    sizes=dict(quick=dict(horizon=600_000, runs=12), paper=dict(horizon=4_000_000, runs=12)),
    draw=drawings.ties, seeds=one_seed, ours=True,
)  # fmt: skip


ALPHA_AGAINST_T = Study(
    "α against T", "which α is best when, under long delays", beyond.alpha_against_t, captions.against_time,
    fixed=CASES[TAILED]._asdict() | dict(growth="k2", arms=len(NINE), gap=GAP), draw=drawings.against_time,
    sizes=dict(quick=dict(horizon=50_000, runs=100), paper=dict(horizon=200_000, runs=300)), seeds=one_seed, ours=True,
)  # fmt: skip
KNOWLEDGE = Study(
    "Knowledge", "what knowledge of the delays is worth", beyond.knowledge_case, captions.told_wrong,
    grid=dict(case=("increasing 50", "interval 10–20")), fixed=dict(told=(0.0, 0.25, 0.5, 1.0, 2.0, 4.0)),
    sizes=dict(quick=dict(horizon=20_000, runs=20), paper=dict(horizon=200_000, runs=80)), draw=drawings.told_wrong,
    seeds=one_seed, ours=True,
)  # fmt: skip
KNOWLEDGE_LIVE = Study("Knowledge", "what knowledge of the delays is worth", beyond.knowledge, captions.knowledge,
                       draw=drawings.distributed, ours=True)  # fmt: skip


def until_misled(cell):
    """Rounds until growth tells: delays that lead CLW astray take millions."""
    watching = cell.rule == "non-oblivious"
    return 10_000_000 if watching and misleading.clw_drift(cell.tie, cell.d, 0.5) < 0 else 3_000_000


MISLED = Study(
    "Who is misled", "who is misled by delays that watch the player", beyond.misled, captions.misled,
    grid=dict(tie=(0.9, 0.94), d=(2, 5), rule=("non-oblivious",)),
    sizes=dict(quick=dict(horizon=until_misled, runs=4), paper=dict(horizon=30_000_000, runs=10)),
    draw=drawings.map_of_misled, seeds=one_seed, ours=True,
)  # fmt: skip
MISLED_LIVE = Study("Who is misled", "a near tie under delays that watch the player", beyond.misled,
                    captions.misled_live, draw=drawings.regret, ours=True)  # fmt: skip
NEAR_TIE = MISLED._replace(grid=dict(tie=(0.94,), d=(5,), rule=("non-oblivious", "oblivious")))
BETAS = Study(
    "β of ARS-EXP3", "how fast rounds should grow", beyond.betas, captions.rates,
    grid=FIGURE_5.grid, fixed=dict(betas=(0.0, 0.1, 0.3, 0.5, 0.7, 1.0)), sizes=GAMES, draw=drawings.rates,
    seeds=one_seed, ours=True,
)  # fmt: skip
READINGS = FIGURE_5._replace(name="Readings", play=beyond.readings, ours=True,
                             grid=dict(game=(FIGURE_5.grid["game"][0], *FIGURE_5.grid["game"][2:])))  # fmt: skip
LONGER = NON_OBLIVIOUS._replace(  # ARS-EXP3 alone: growth tells only at longer horizons
    play=beyond.longer,
    draw=None,
    sizes=dict(paper=dict(horizon=4_000_000, runs=10)),
)
INDEPENDENT = Study(
    "Independent rounds", "who is ahead on which sequence", beyond.independent, captions.games,
    grid=dict(name=tuple(beyond.INDEPENDENT)), fixed=dict(d=10), seeds=one_seed, ours=True,
    sizes=dict(quick=dict(horizon=100_000, runs=12), paper=dict(horizon=100_000, runs=48)),
)  # fmt: skip
OVERTAKEN = INDEPENDENT._replace(
    name="Independent rounds, later",
    grid=dict(name=("0.9, 0.1", "0.8, 0.2")),
    sizes=dict(quick=dict(horizon=3_000_000, runs=8), paper=dict(horizon=10_000_000, runs=12)),
)
LEARNT = Study(
    "Learnt", "games that are learnt at these horizons", beyond.learnt_guess, captions.games,
    grid=dict(chances=((0.9, 0.1), (0.8, 0.1, 0.1)), delay=(1, *DELAYS)), seeds=one_seed, ours=True,
    sizes=dict(quick=dict(horizon=1_024_000, runs=8), paper=dict(horizon=1_024_000, runs=20)),
)  # fmt: skip
LEARNT_CLW = LEARNT._replace(
    play=beyond.learnt_clw, grid=dict(game=(((0.9, 0.1), 10), *searches.learnt_games(10))),
    sizes=dict(quick=dict(horizon=1_000_000, runs=10), paper=dict(horizon=64_000_000, runs=20)),
)  # fmt: skip
LEARNT_SLOPES = LEARNT._replace(
    play=beyond.learnt_slopes, grid={}, fixed=dict(chances=(0.8, 0.2), d=10),
    sizes=dict(quick=dict(horizons=(100_000, 1_000_000), runs=40),
               paper=dict(horizons=(100_000, 1_000_000, 10_000_000), runs=20)),
)  # fmt: skip
GUESSING = Study(
    "Guesses", "what guessing the delay costs", beyond.guessing, captions.games, grid=dict(delay=(1, *DELAYS)),
    sizes=dict(quick=dict(horizon=256_000, runs=10), paper=dict(horizon=1_024_000, runs=30)), seeds=one_seed, ours=True,
)  # fmt: skip

LIVE = (REGRET, ONE_REWARD, ROUNDS, RADII, FIGURE_1, ALPHAS, GROWTH, ADVERSARY, ALPHA_AGAINST_T, KNOWLEDGE_LIVE,
        MISLED_LIVE)  # what the explorer offers # fmt: skip


def at(study, values):
    """A study at the numbers of a notebook's parameters cell.

    Parameters
    ----------
    study : Study
    values : dict, parameters by name

    Returns
    -------
    figure, found : plotly.graph_objects.Figure, dict
        The figure, and the results by cell.
    """
    return study.explore(**values)


def recorded(sequence, rule="non-oblivious", d=10, runs=20, seed=0, progress=None):
    """Figure 5 on a sequence of one's own, such as those that `outbrain` and `coupon` read.

    Parameters
    ----------
    sequence : Sequence
        The arm that pays in each round, the same in every run; the figure says where it comes from.
    rule : {"non-oblivious", "oblivious"}, whether delays watch the player
    d : int >= 1, longest delay in steps
    runs : int >= 1, number of runs
    seed : int >= 0
    progress : callable, optional, as `simulate` takes it

    Returns
    -------
    figure, result : plotly.graph_objects.Figure, Result
        The figure and its numbers.
    """
    if not isinstance(sequence, Sequence):
        raise TypeError(f"sequence={sequence!r}: must be made by outbrain, coupon, or synthetic")
    arms, horizon = len(sequence.names), len(sequence.labels)
    world = adversarial(sequence.labels, delays_of(rule, whole("d", d, 1)), arms)
    policies = contestants(arms, horizon, d)
    result = simulate(world, policies, horizon, runs, seed, progress=progress)
    caption = (
        rf"Realised regret against {sequence.names[world.best]}, the best of {arms} arms; {sequence.source}, "
        rf"{horizon:,} steps, {runs} runs, {rule} delays with $d={d}$."
    )
    title = f"Regret on {sequence.source}"
    return plots.regret(result, figure=plots.blank(title, "step t", "cumulative regret", caption)), result


__all__ = ["at", "recorded", *(name for name, thing in globals().items() if isinstance(thing, Study))]
