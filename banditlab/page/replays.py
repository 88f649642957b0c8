"""Claims that a page judges anew: which runs a claim asks for, and what it makes of them, found out by asking it.

A claim is tested with made-up regret. What its estimates were made of (`Estimate.made`) is looked for among that
regret: the end of a policy's runs, or half of it, or the difference of two. So found, the claim is made again of other
regret, at twice the runs, and must come to the numbers that its own test comes to; else no page plays it.
"""

import functools
import itertools
from typing import NamedTuple

import numpy as np

from ..engine.instances import RandomInstances
from ..evidence import estimates, exponents, instances, looks, provenance
from ..evidence.claims import all_measures, tested
from ..evidence.questions import LEVEL
from ..evidence.verdicts import DEPENDS, NOT_CONTRADICTED, NOT_REPRODUCED, OURS, REPRODUCED, UNDECIDED
from ..study import study
from ..user_code.contract import has_method
from . import modules
from .arguments import list_leaves, split_leaves
from .held import hold_back, spread_evenly

SCALE = "quick"  # at which a page plays
LARGEST = 400_000  # bytes of the worlds of a simulation
TALL = 3  # worlds drawn for a run: a reader's seed chooses among those that nobody has seen
NEAR, TINY = 1e-9, 1e-300
SHORT, ROUNDING = 10, 1e-12  # digits of a factor that somebody wrote; how far a fitted one may be from it
MOST_ROUNDS = 2e8  # of a first look: what takes a page longer than about ten seconds is not played


class Runs(NamedTuple):
    """Numbers of runs, found among made-up regret: one or two policies at one of their checkpoints."""

    terms: tuple  # of (simulation, policy, checkpoint, sign)
    factor: float
    offset: float  # added to the factor times their sum
    part: tuple  # of the runs: first and end, as shares of all


class Replay(NamedTuple):
    """A claim that a page plays."""

    cells: list  # the simulations it asks for, as of `hold_back`
    readings: dict  # name to questions, whose estimates are what `find_recipe` returns
    comparisons: dict  # name to how many of its intervals hold jointly
    looks: int
    grows: bool  # whether runs double from look to look


def ask_claim(paper, asked, seed, number, salt):
    """Ask a claim's test with made-up regret at one of its looks.

    Returns
    -------
    readings, cells, rounds, grows
    """
    cells, before = [], dict(study.kept)
    study.kept.clear()
    try:
        with provenance.watch() as used, hold_back(cells, spread_evenly, salt):
            with looks.looking(number, looks.share_of(number, asked.looks)) as look:
                why, readings = tested(paper, asked, SCALE, seed)
    finally:
        study.kept.clear()
        study.kept.update(before)
    if why or look.share.spent:
        raise TypeError(why or "its test judges by itself")
    return readings, cells, provenance.sum_rounds(used), look.asked


def find_replay(paper, asked, seed):
    """What a page plays for a claim.

    Parameters
    ----------
    paper : str
    asked : Asked
        A claim of `Claims`.
    seed : int

    Returns
    -------
    Replay

    Raises
    ------
    TypeError
        If it rests on more than the regret of simulations; the message says why.
    """
    readings, cells, rounds, grows = ask_claim(paper, asked, seed, 0, 0)
    if not cells:
        raise TypeError("it rests on no simulation")
    check_cells(cells, rounds)
    number = looks.count_looks(rounds, SCALE, asked.looks) if grows else 1
    search = Search(cells)
    found = change_estimates(readings, lambda estimate: search.find_recipe(estimate.made))
    prove(ask_claim(paper, asked, seed, min(1, number - 1), 1), found, cells)
    used = {term[0] for questions in found.values() for one in questions for term in list_terms(one)}
    if not used:
        raise TypeError("what it asks does not change with its runs")
    comparisons = {name: sum(one.comparisons for one in questions) for name, questions in readings.items()}
    return Replay(cells, found, comparisons, number, grows)


def check_cells(cells, rounds):
    """Refuse simulations that no page plays."""
    if rounds > MOST_ROUNDS:
        raise TypeError(f"it plays {rounds:.0e} rounds")
    for cell in cells:
        if cell.settings["metric"] != "regret":
            raise TypeError("it looks at more than regret")
        if any(has_method(policy, "stop") for policy in cell.settings["policies"].values()):
            raise TypeError("a policy ends its runs by itself")


def change_estimates(readings, change):
    """The same readings, the estimates of their questions changed."""
    return {
        name: [one._replace(found={case: change(it) for case, it in one.found.items()}) for one in questions]
        for name, questions in readings.items()
    }


class Search:
    """Where numbers of runs come from, among the made-up regret of some simulations."""

    def __init__(self, cells):
        self.columns = {}  # number of runs -> places of columns, and the columns
        for i, cell in enumerate(cells):
            policies, runs, points = cell.result.regret.shape
            places, columns = self.columns.setdefault(runs, ([], []))
            places += itertools.product([i], range(policies), range(points))
            columns.append(cell.result.regret.transpose(0, 2, 1).reshape(-1, runs))
        self.columns = {runs: (places, np.concatenate(found)) for runs, (places, found) in self.columns.items()}

    def find_recipe(self, made):
        """What made an estimate, or a part of it, with `Runs` for arrays."""
        if isinstance(made, np.ndarray):
            return self.find_runs(made)
        if made == ():
            raise TypeError("its interval is none that a page makes")
        return tuple(map(self.find_recipe, made)) if isinstance(made, tuple) else made

    def find_runs(self, values):
        """The `Runs` that an array holds."""
        for runs, (places, columns) in self.columns.items():
            for parts in (1, 2):
                if len(values) * parts == runs:
                    for k in range(parts):
                        some = columns[:, k * len(values) : (k + 1) * len(values)]
                        part = k / parts, (k + 1) / parts
                        if found := self.one_column(values, places, some, part):
                            return found
                        if found := self.two_columns(values, places, some, part):
                            return found
        raise TypeError("it looks at more than regret, or at a part of its runs")

    def one_column(self, values, places, columns, part):
        """A policy's regret, as it is, or times a number and plus another."""
        many = len(values) > 2  # two numbers are always one plus a multiple of the other two
        middle, middles = many * values.mean(), many * columns.mean(axis=1)
        mine, theirs = values - middle, columns - middles[:, None]
        factors = (theirs @ mine) / np.maximum((theirs**2).sum(axis=1), TINY)
        wrong = abs(factors[:, None] * theirs - mine).max(axis=1)
        best = int(wrong.argmin())
        if len(values) < 2 or not wrong[best] <= NEAR * abs(mine).max():
            return None
        factor = tidy_factor(float(factors[best]))
        offset = float(middle - factor * middles[best])
        offset = offset if abs(offset) > NEAR * abs(middle) else 0.0
        return Runs(((*places[best], 1),), factor, offset, part)

    def two_columns(self, values, places, columns, part):
        """The regret of one policy less that of another."""
        order = np.argsort(columns[:, 0])
        wanted, near = columns[:, 0] - values[0], NEAR * abs(columns[:, 0]) + NEAR * abs(values[0])
        at = np.minimum(np.searchsorted(columns[order, 0], wanted - near), len(order) - 1)
        for i in np.flatnonzero(abs(columns[order[at], 0] - wanted) <= near):
            other = order[at[i]]
            if np.allclose(columns[i] - columns[other], values, rtol=0, atol=NEAR * columns[i].max()):
                return Runs(((*places[i], 1), (*places[other], -1)), 1.0, 0.0, part)
        return None


def tidy_factor(factor):
    """The short number, or one over one, that a fitted factor is: with it equal runs stay equal to the last bit."""
    shorts = float(f"{factor:.{SHORT}g}"), 1 / float(f"{1 / factor:.{SHORT}g}") if factor else 0.0
    return next((short for short in shorts if abs(short - factor) <= ROUNDING * abs(factor)), factor)


def list_terms(made):
    """All terms in what made an estimate, or in a question."""
    if isinstance(made, Runs):
        yield from made.terms
    elif isinstance(made, tuple | dict):
        for part in made.values() if isinstance(made, dict) else made:
            yield from list_terms(part)


MAKERS = {"exact": estimates.exact, "mean": estimates.mean, "ratio": estimates.ratio, "power": exponents.power}
MAKERS |= {"quotient": estimates.quotient, "difference": estimates.difference}


def make_again(recipe, regret):
    """An estimate of other regret, by simulation; see `Search.find_recipe`."""
    name, *parts = recipe
    made = [make_again(part, regret) if type(part) is tuple else part for part in parts]
    made = [take_runs(part, regret) if isinstance(part, Runs) else part for part in made]
    if name in MAKERS:
        return MAKERS[name](*made)
    values = [one.value for one in made]
    return instances.average(values) if name == "average" else instances.average_ratios(values)


def take_runs(runs, regret):
    """The numbers of runs that are meant."""
    whole = [sign * regret[simulation][policy, :, point] for simulation, policy, point, sign in runs.terms]
    first, end = (round(share * len(whole[0])) for share in runs.part)
    return runs.offset + runs.factor * functools.reduce(np.add, whole)[first:end]


def prove(again, found, cells):
    """Refuse what comes to other numbers than the claim's own test, of other regret and at another look."""
    readings, others, *_ = again
    alike = [describe_cell(cell) for cell in cells] == [describe_cell(cell) for cell in others]
    if not alike or readings.keys() != found.keys():
        raise TypeError("what it asks changes with what it finds")
    regret = [cell.result.regret for cell in others]
    remade = change_estimates(found, lambda recipe: make_again(recipe, regret))
    for mine, theirs in zip(all_measures(remade), all_measures(readings), strict=True):
        numbers = [one[2:5] for one in (mine, theirs)]
        if mine._replace(value=0, low=0, high=0) != theirs._replace(value=0, low=0, high=0) or not np.allclose(
            *numbers, rtol=NEAR, equal_nan=True
        ):
            raise TypeError("what it asks changes with what it finds")


def describe_cell(cell):
    """What must be the same from look to look."""
    return cell.settings["seed"], [*cell.settings["policies"]], cell.recorded.tolist()


def lay_out(paper, asked, seed, pool):
    """What a page needs to play a claim: plain numbers, and fields by their numbers in the pool.

    Parameters
    ----------
    paper : str
    asked : Asked
    seed : int
    pool : Pool

    Returns
    -------
    dict
        "simulations": for each seed, runs of the first look, worlds (one, or all that may be drawn), curves: module,
        checkpoints, fields. "readings": name to levels, look by look with the quantiles of t by number of runs, and
        questions. "answers": words by what was answered.
    """
    replay = find_replay(paper, asked, seed)
    terms = sorted(
        {term[:3] for questions in replay.readings.values() for one in questions for term in list_terms(one)}
    )
    curves = list(dict.fromkeys(term[:2] for term in terms))
    points = {curve: [term[2] for term in terms if term[:2] == curve] for curve in curves}
    simulations = [
        lay_simulation(cell, i, points, replay, pool)
        for i, cell in enumerate(replay.cells)
        if any(i == c[0] for c in curves)
    ]

    def told(made):
        """A recipe as JSON has it; terms are curve, place among its points, and sign."""
        if isinstance(made, Runs):
            own = [[curves.index(t[:2]), points[t[:2]].index(t[2]), t[3]] for t in made.terms]
            return {"terms": own, "factor": made.factor, "offset": made.offset, "part": made.part}
        return [told(part) for part in made] if isinstance(made, tuple) else made

    readings = {
        name: {
            "levels": [lay_level(name, replay, number) for number in range(replay.looks)],
            "questions": [
                {**one._asdict(), "found": [[str(case), told(made)] for case, made in one.found.items()]}
                for one in questions
            ],
        }
        for name, questions in replay.readings.items()
    }
    held = NOT_CONTRADICTED if asked.universal else REPRODUCED
    words = {"true": held, "false": NOT_REPRODUCED, "both": DEPENDS, "null": UNDECIDED}
    answers = {key: OURS.get(word, word) if asked.ours else word for key, word in words.items()}
    return {"seed": seed, "grows": replay.grows, "simulations": simulations, "readings": readings, "answers": answers}


def lay_simulation(cell, number, points, replay, pool):
    """One simulation, of the policies that are looked at."""
    settings, environment = cell.settings, cell.settings["environment"]
    most = settings["runs"] * 2 ** (replay.looks - 1) if replay.grows else settings["runs"]
    if drawn := isinstance(environment, RandomInstances):
        first = [*split_leaves(list_leaves(environment.draw(settings["seed"], 0)))]
        if sum(len(leaf.data) for leaf in first) * TALL * most > LARGEST:
            raise TypeError(f"its worlds take more than {LARGEST / 1e3:.0f} kB")
    worlds = [environment.draw(settings["seed"], run) for run in range(TALL * most)] if drawn else [environment]
    curves = []
    for place, policy in enumerate(settings["policies"].values()):
        if at := points.get((number, place)):
            kind, fields = modules.kind_of(worlds[0], policy), [pool.number(leaf) for leaf in list_leaves(policy)]
            curves.append({"module": kind, "checkpoints": cell.recorded[at].tolist(), "fields": fields})
    laid = ([*(split_leaves(list_leaves(world)) if drawn else list_leaves(world))] for world in worlds)
    numbers = [[pool.number(leaf) for leaf in leaves] for leaves in laid]
    told = {"seed": settings["seed"], "runs": settings["runs"], "most": most, "drawn": drawn}
    return {**told, "worlds": numbers, "curves": curves}


def lay_level(name, replay, number):
    """The level of intervals at a look, and the quantiles of t by number of runs or of instances."""
    share = looks.share_of(number, replay.looks) / max(1, replay.comparisons[name])
    level, questions = 1 - (1 - LEVEL) * share, replay.readings[name]
    counts = {count for one in questions for made in one.found.values() for count in count_runs(made, replay, number)}
    return {"level": level, "quantiles": {n: estimates.t_quantile(n, level) for n in sorted(counts) if n > 1}}


def count_runs(made, replay, number):
    """How many numbers the intervals in a recipe are made of, at a look."""
    if isinstance(made, Runs):
        share = made.part[1] - made.part[0]
        yield round(share * replay.cells[made.terms[0][0]].settings["runs"] * (2**number if replay.grows else 1))
    elif isinstance(made, tuple):
        yield from [len(made) - 1] * (made[0] in ("average", "geometric"))
        for part in made[1:]:
            yield from count_runs(part, replay, number)


def list_curves(laid):
    """The curves of all simulations of a claim."""
    return [curve for simulation in laid["simulations"] for curve in simulation["curves"]]


def fields_of_claim(laid):
    """Numbers of all fields of a claim."""
    worlds = (numbers for simulation in laid["simulations"] for numbers in simulation["worlds"])
    return {number for numbers in (*worlds, *(curve["fields"] for curve in list_curves(laid))) for number in numbers}


def number_parts(laid, kinds, used):
    """The same with modules and fields by their places in a page; `used` are the numbers of its fields, in order."""

    def places(numbers):
        return [used.setdefault(number, len(used)) for number in numbers]

    def curve(one):
        return {**one, "module": kinds.index(one["module"]), "fields": places(one["fields"])}

    simulations = [
        {**one, "worlds": [*map(places, one["worlds"])], "curves": [*map(curve, one["curves"])]}
        for one in laid["simulations"]
    ]
    return {**laid, "simulations": simulations}
