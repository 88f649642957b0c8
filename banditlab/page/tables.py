"""What a figure plays at every position of its controls, as small tables: the factories stay in Python.

A figure function is called with its simulations held back, so that it says what it would play. Most fields of
environments and policies depend on few controls, found by moving each alone, and get a table over those; positions
drawn at random must then agree, or the figure is refused. A world that is drawn anew for every run is one more control
to the tables: the number of the run.
"""

import contextlib
import functools
import importlib
import itertools
import math
import random
import time
import zlib
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from ..engine.instances import RandomInstances
from ..engine.simulate import name_policies, resolve_checkpoints
from ..explorer.controls import Choice, Slider, Switch
from ..explorer.figure import list_arguments
from ..results.result import Result
from ..study.study import Study
from . import modules
from .arguments import Leaf, list_leaves

# the package's own names stand for the functions
PLAYERS = [importlib.import_module(f"banditlab.engine.{name}") for name in ("simulate", "simulate_horizons")]
RUN, DRAWS = "run", 50  # name and positions of the control that stands for fresh worlds
FREE = (RUN, "horizon")  # what a reader expects to move in any case
LEAST_RUNS, MAIN = 10, 7  # positions of runs, and of controls at the top of the panel, to be kept if possible
SECONDS = 20  # of computing for the tables of a figure: what takes longer slides through its grid
SPOTS, WEIGHT = 1_000, 500_000  # most entries of a table, packed bytes of its fields
BASES = 2  # places of the other controls, for a table whose curve is not everywhere
LARGEST = 300_000  # packed bytes of a field of a world
PATIENCE = 25  # places that are tried where most are refused
TRIES, STEPS, CHECKS, MENDS = 4, 3, 30, 25  # places where a control is moved, moves, places that must agree, repairs
MISSING = -1  # no such curve here
TABLED = (Slider, Choice, Switch)


class Curve(NamedTuple):
    """What is played as one: a policy in one of a figure's simulations, its classes and types."""

    simulation: int
    policy: str
    kind: modules.Kind


class Held(BaseException):
    """Ends a figure function before it draws; not an Exception, so that nothing catches it on its way."""


known_rounds = functools.lru_cache(1000)(resolve_checkpoints)


def resolved(checkpoints, horizon):
    """As `resolve_checkpoints`, which is asked the same again and again."""
    return (known_rounds if isinstance(checkpoints, int | None) else resolve_checkpoints)(checkpoints, horizon)


@contextlib.contextmanager
def hold_back(asked, draws=False, salt=0):
    """List the simulations that are asked for meanwhile; none is played, their regret is made up.

    A study ends before it draws, unless ``draws``: to draw takes a hundred times as long. It never concludes: captions
    would speak of what was made up.
    """
    before = [(module, name, getattr(module, name)) for module in PLAYERS for name in ("make_cell", "play_all")]
    before.append((Study, "drawn", Study.drawn))

    def list_cell(environment, policies, horizon, runs, seed, checkpoints, metric="regret"):
        checkpoints, recorded = resolved(checkpoints, horizon)
        settings = dict(
            environment=environment, policies=name_policies(policies), horizon=horizon, runs=runs, seed=seed
        )
        settings |= dict(checkpoints=checkpoints, metric=metric)
        shape = len(settings["policies"]), runs, len(recorded)
        made_up = np.random.default_rng((salt, len(asked))).uniform(0.5, 1.5, shape) if draws else np.zeros(shape)
        regret = np.cumsum(made_up, axis=-1) if draws else made_up
        asked.append(SimpleNamespace(settings=settings, recorded=recorded))
        asked[-1].result = Result(settings, recorded, regret, {}, {"seconds": 0.0})
        return asked[-1]

    def draw_without_words(study, *what):
        if not draws:
            raise Held
        return before[-1][-1](study._replace(caption=lambda found, n: ""), *what)

    held = {"make_cell": list_cell, "play_all": lambda *_, **options: None, "drawn": draw_without_words}
    for place, name, _ in before:
        setattr(place, name, held[name])
    try:
        yield
    except Held:
        pass
    finally:
        for place, name, function in before:
            setattr(place, name, function)


class Pool:
    """Fields, each once; a figure's are counted."""

    def __init__(self):
        self.places, self.sizes = {}, []

    def number(self, leaf):
        """The number of a field."""
        if leaf not in self.places:
            self.places[leaf] = len(self.places)
            self.sizes.append(len(zlib.compress(leaf.data, 1)) if isinstance(leaf, Leaf) else 0)
        return self.places[leaf]


class Tables(NamedTuple):
    """What a figure plays."""

    positions: dict  # of each control that changes it
    curves: dict  # `Curve` to a column for each field, the first one for the rounds of the simulation
    drawn: bool  # whether worlds are drawn for every run, and so for one seed only
    runs: int  # at the start


def tabulate(play, values, controls, pool):
    """Make the tables of a figure.

    Parameters
    ----------
    play : callable
        A figure function of the explorer.
    values : dict
        Its values at the start.
    controls : dict of str to Slider, Choice or Switch
    pool : Pool

    Returns
    -------
    Tables, Case

    Raises
    ------
    TypeError
        If the figure plays nothing, or what it plays finds no place in tables; the message says why.
    """
    values = {name: values[name] for name in list_arguments(play) if name in values}
    positions = {name: list_positions(controls[name], values[name]) for name in values if name in controls}
    positions.pop("runs", None)
    case = Case(play, values, positions, controls, pool)
    if case.is_drawn():
        positions[RUN] = list(range(DRAWS))
    depends = case.find_dependence()
    for _ in range(MENDS):
        case.thin(depends)
        curves = case.tabulate(depends)
        wrong = case.check(curves)
        if wrong is None:
            used = {name for columns in curves.values() for names, _ in columns for name in names}
            positions = {name: at for name, at in positions.items() if name in used}
            return Tables(positions, curves, RUN in positions, case.runs), case
        case.learn(wrong, depends)
    raise TypeError("what it plays depends on its controls in a way that no table holds")


def list_positions(control, start):
    """The values that a control offers, the start among them."""
    if isinstance(control, Slider):
        return sorted({*control.positions(), start})
    return list(control.options) if isinstance(control, Choice) else [False, True]


class Case:
    """A figure at the positions of its controls: see `tabulate`."""

    def __init__(self, play, values, positions, controls, pool):
        self.play, self.values, self.positions, self.controls, self.pool = play, values, positions, controls, pool
        self.runs = None
        self.rng, self.known, self.kinds, self.began = random.Random(0), {}, {}, time.process_time()

    def ask(self, at):
        """The simulations that the figure asks for at a position."""
        asked = []
        with hold_back(asked):
            self.play(**{**self.values, **{name: value for name, value in at.items() if name != RUN}})
        return asked

    def is_drawn(self):
        """Whether its worlds are drawn for every run."""
        return any(isinstance(cell.settings["environment"], RandomInstances) for cell in self.ask({}))

    def fields(self, at):
        """Numbers of the fields of every curve at a position; none where the figure refuses it."""
        key = tuple(at.get(name, self.values.get(name, 0)) for name in self.positions)
        if key not in self.known:
            self.known[key] = self.lay_down(at)
        return self.known[key]

    def lay_down(self, at):
        """As `fields`, computed."""
        if time.process_time() - self.began > SECONDS:
            raise TypeError(f"its tables take more than {SECONDS} CPU seconds")
        try:
            asked = self.ask(at)
        except ValueError:
            return {}
        if not asked:
            raise TypeError("it plays nothing")
        found = {}
        for number, cell in enumerate(asked):
            settings, environment = cell.settings, cell.settings["environment"]
            if settings["seed"] != self.values["seed"]:
                raise TypeError("it plays another seed than it is given")
            self.runs = self.values.get("runs", self.runs or settings["runs"])
            if settings["runs"] != self.runs:
                raise TypeError("it plays another number of runs than it is given")
            if isinstance(environment, RandomInstances):
                environment = environment.draw(settings["seed"], at.get(RUN, 0))
            rounds = self.pool.number(self.rounds_of(cell, at))
            first = [self.pool.number(leaf) for leaf in list_leaves(environment)]
            if max(self.pool.sizes[number] for number in first) > LARGEST:
                raise TypeError(f"a field of its world takes more than {LARGEST / 1e3:.0f} kB")
            for name, policy in settings["policies"].items():
                fields = [self.pool.number(leaf) for leaf in list_leaves(policy)]
                found[Curve(number, name, self.kind_of(environment, policy))] = (rounds, *first, *fields)
        return found

    def rounds_of(self, cell, at):
        """The checkpoints of a simulation: how many, where the horizon is the slider's own, else which."""
        horizon, count = at.get("horizon", self.values.get("horizon")), cell.settings["checkpoints"]
        free = cell.settings["horizon"] == horizon and isinstance(count, int)
        return count if free else Leaf(cell.recorded.shape, cell.recorded.tobytes())

    def kind_of(self, environment, policy):
        """The kind of a pair, asked once for every pair of types."""
        key = types_of((environment, policy))
        if key not in self.kinds:
            self.kinds[key] = modules.kind_of(environment, policy)
        return self.kinds[key]

    def anywhere(self):
        """A position drawn at random, one that the figure takes where that is soon found."""
        for _ in range(PATIENCE):
            here = {name: self.rng.choice(values) for name, values in self.positions.items()}
            if self.fields(here):
                break
        return here

    def find_dependence(self):
        """Curve and number of a field, or None for its being there, to the controls that change it."""
        depends = {}
        for _ in range(TRIES):
            self.learn(self.anywhere(), depends)
        self.learn({name: self.values.get(name, 0) for name in self.positions}, depends)
        for curve in {curve.kind: curve for curve in self.curves()}.values():
            self.learn(self.where(curve), depends)
        return depends

    def curves(self):
        """All curves that were met."""
        return list(dict.fromkeys(curve for found in self.known.values() for curve in found))

    def learn(self, here, depends):
        """Move each control alone from here; returns whether something was found that was not known."""
        new = False
        for name, values in self.positions.items():
            first = self.fields(here)
            place = values.index(here[name])
            near = values[max(0, place - 1) : place + 2]
            for value in [*near, *self.rng.sample(values, min(STEPS, len(values)))]:
                for key in differences(first, self.fields({**here, name: value})):
                    known = depends.setdefault(key, set())
                    new |= name not in known
                    known.add(name)
        return new

    def thin(self, depends):
        """Take positions from controls until every table is small enough; from the runs only where there are many."""
        for (curve, i), used in depends.items():
            met = [one[curve][i] for one in self.known.values() if curve in one] if i is not None else []
            met = [one[curve][i] for one in self.known.values() if curve in one] if i is not None else []
            size = sum(self.pool.sizes[number] for number in met) // max(1, len(met))
            most = min(SPOTS, max(1, WEIGHT // max(1, size)))
            while math.prod(len(self.positions[name]) for name in used) > most:
                longest = max(sorted(used), key=self.worth_thinning)
                if len(self.positions[longest]) == 1:
                    raise TypeError("a field of it is too large for a table")
                self.positions[longest][:] = self.fewer(longest)

    def worth_thinning(self, name):
        """A key that is largest for the control to take positions from: many, and not at the top of the panel."""
        count, main = len(self.positions[name]), name in FREE or self.controls[name].main
        enough = LEAST_RUNS if name == RUN else MAIN if main else 3
        return count > enough, count > 3 and not main, not main and count > 1, count

    def fewer(self, name):
        """About half of a control's positions, its start and its ends among them; of the runs the first half."""
        values = self.positions[name]
        if name == RUN:
            return values[: len(values) // 2]
        few = (
            [values[0], self.values[name], values[-1]]
            if len(values) < 7
            else [*values[::2], values[-1], self.values[name]]
        )
        return sorted({*few}) if len({*few}) < len(values) else [self.values[name]]

    def tabulate(self, depends):
        """The columns of every curve: names of controls, and numbers of the pool, the last control fastest.

        The first column says where the curve is: 0, or `MISSING`.
        """
        return {curve: [self.presence(curve, depends), *self.columns_of(curve, depends)] for curve in self.curves()}

    def presence(self, curve, depends):
        """Where a curve is."""
        names, spots = self.spots(depends.get((curve, None), set()))
        place = self.where(curve)
        return names, [0 if curve in self.fields({**place, **spot}) else MISSING for spot in spots]

    def columns_of(self, curve, depends):
        """The fields of a curve; what is known of a spot is not asked again."""
        there = [(at, found[curve]) for key, found in self.known.items() if curve in found for at in [self.place(key)]]
        bases = [at for at, _ in (there[0], *self.rng.sample(there, min(BASES, len(there))))]
        for i in range(len(there[0][1])):
            names, spots = self.spots(depends.get((curve, i), set()))
            known = {tuple(at[name] for name in names): fields[i] for at, fields in there}
            for spot in spots:
                if (key := tuple(spot.values())) not in known:
                    asked = (self.fields({**base, **spot}) for base in bases)
                    known[key] = next((found[curve][i] for found in asked if curve in found), MISSING)
            yield names, [known[tuple(spot.values())] for spot in spots]

    def spots(self, used):
        """The positions of these controls, and their names; the last one changes fastest."""
        names = [name for name in self.positions if name in used]
        return names, [dict(zip(names, at, strict=True)) for at in itertools.product(*map(self.positions.get, names))]

    def place(self, key):
        """A position by its key."""
        return dict(zip(self.positions, key, strict=True))

    def where(self, curve):
        """A position at which a curve is played."""
        key = next(key for key, found in self.known.items() if curve in found)
        return self.place(key)

    def check(self, curves):
        """A position drawn at random that the tables get wrong, or None."""
        for _ in range(CHECKS):
            here = self.anywhere()
            found = self.fields(here)
            for curve, columns in curves.items():
                there, *fields = (look_up(column, here, self.positions) for column in columns)
                if (curve in found) != (there == 0) or (curve in found and list(found[curve]) != fields):
                    return here
            if set(found) - set(curves):
                return here
        return None


def types_of(thing):
    """What the types of numba depend on."""
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.ndim, thing.flags.c_contiguous
    return (type(thing), *map(types_of, thing)) if isinstance(thing, tuple) else type(thing)


def differences(one, other):
    """What differs between two positions: keys as of `Case.find_dependence`."""
    for curve in {*one, *other}:
        if curve not in one or curve not in other:
            yield curve, None
        else:
            yield from ((curve, i) for i, (a, b) in enumerate(zip(one[curve], other[curve], strict=True)) if a != b)


def look_up(column, here, positions):
    """The number in a table at a position."""
    names, numbers = column
    place = 0
    for name in names:
        place = place * len(positions[name]) + positions[name].index(here[name])
    return numbers[place]
