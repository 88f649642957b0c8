"""What a figure plays at every position of its controls, as small tables: the factories stay in Python.

In six steps, on a figure with the controls d, k, gap and sigma:

1. Its function is called with simulations held back (`held`): it says that it would play F-UCB on these means.
2. Each control is moved alone (`find_dependence`): the means change with d, k and gap, the policy's noise with sigma.
3. A field with too many positions loses some of them (`thin`), least those of the controls in front.
4. Each field is tabulated over the controls that it depends on, and over no others (`tabulate`).
5. At positions drawn at random the tables must say what the function asks for (`check`).
6. Where they do not, what moved there is learnt (`mend`) and all begins again from 3; where that does not help, the
   figure is refused, and the page slides through its grid.

A world that is drawn anew for every run is one more control to the tables: the number of the run.
"""

import itertools
import math
import random
import time
import zlib
from operator import itemgetter
from typing import NamedTuple

from ..explorer.controls import Slider
from . import modules
from .arguments import Leaf, split_rows

RUN, DRAWS = "run", 50  # name and positions of the control that stands for fresh worlds
FREE = (RUN, "horizon")  # what a reader expects to move in any case
LEAST_RUNS, MAIN = 10, 30  # positions of runs, and of controls at the top of the panel, to be kept if possible
SECONDS = 100  # of computing for the tables of a figure: what takes longer slides through its grid
SPOTS = 6_000  # most entries of a table
WEIGHTS = ((10, 500_000), (1_000, 350_000), (SPOTS, 160_000))  # packed bytes of its fields, up to so many entries
RECENT = 200  # places whose simulations are remembered: their runs are asked for one by one
PLACES = 8_000  # simulations that are asked for to fill all tables
BASES = 2  # places of the other controls, for a table whose curve is not everywhere
LARGEST = 300_000  # packed bytes of a field of a world
PATIENCE = 25  # places that are tried where most are refused
TRIES, STEPS, CHECKS, MENDS = 3, 3, 30, 25  # places that teach nothing, moves of a control, places to agree, repairs
SAMPLE = 100  # places over which the size of a field is averaged
MISSING = -1  # no such curve here


class Curve(NamedTuple):
    """What is played as one: a policy in one of a figure's simulations, its classes and types."""

    simulation: int
    place: int  # among the policies of the simulation: their names change with the controls
    kind: modules.Kind
    case: tuple  # values of the choices that it is met under: each has tables of its own

    def __hash__(self):
        return hash((self.simulation, self.place, self.case))  # types of numba are slow to hash


class Pool:
    """Fields, each once; a figure's are counted."""

    def __init__(self):
        self.places, self.sizes, self.rows = {}, [], {}

    def number(self, leaf):
        """The number of a field."""
        if leaf not in self.places:
            self.places[leaf] = len(self.places)
            if len(rows := split_rows(leaf)) > 1:
                self.rows[self.places[leaf]] = {row: len(zlib.compress(row, 1)) for row in rows}
            self.sizes.append(len(zlib.compress(leaf.data, 1)) if isinstance(leaf, Leaf) else 0)
        return self.places[leaf]


class Case:
    """A figure at the positions of its controls; what it is made of there is said by its kinds, `Played` and `Drawing`.

    Parameters
    ----------
    play : callable
        A figure function of the explorer.
    values : dict
        Its values at the start.
    positions : dict of str to list
        Values of each control; they become fewer where tables would be too large.
    controls : dict of str to Slider, Choice or Switch
    pool : Pool
    """

    most, weights, steps, checks, budget, elsewhere, tries = SPOTS, WEIGHTS, STEPS, CHECKS, PLACES, 100, TRIES
    refuses = True  # whether tables say where the figure refuses to be

    def __init__(self, play, values, positions, controls, pool):
        self.play, self.values, self.positions, self.controls, self.pool = play, values, positions, controls, pool
        self.rng, self.known, self.began = random.Random(0), {}, time.process_time()
        main = [name for name in positions if name != RUN and controls[name].main]
        self.main = {*FREE, *main, *getattr(play, "main", ())}  # what stands in front, or is expected there
        self.named = {}  # values that a guided tour names, which are taken away last, by control
        self.met = {}  # of every curve: where it is played, and its fields there
        told = {name for control in controls.values() for name in getattr(control, "where", None) or ()}
        self.choices = [name for name in positions if name in told]  # they say which other controls matter

    def find_tables(self):
        """Columns of every curve: where it is, and one for each field.

        Raises
        ------
        TypeError
            If no table holds what it depends on; the message says why.
        """
        self.began = time.process_time()
        self.depends = self.find_dependence()
        for _ in range(MENDS):
            self.thin(self.depends)
            curves = self.tabulate(self.depends)
            wrong = self.check(curves)
            if wrong is None:
                return curves
            self.mend(*wrong)
        raise TypeError("what it plays depends on its controls in a way that no table holds")

    def mend(self, here, wrong):
        """Learn from a position where the tables get curves wrong; returns whether something was found."""
        return self.learn(here, self.depends)

    def spend(self):
        """Refuse what takes too long."""
        if time.process_time() - self.began > SECONDS:
            raise TypeError(f"its tables take more than {SECONDS} CPU seconds")

    def start(self):
        """The position at the start."""
        return {name: self.values.get(name, 0) for name in self.positions}

    def case_at(self, at):
        """The values of the choices."""
        return tuple(at.get(name, self.values[name]) for name in self.choices)

    def numbers_at(self, at):
        """What the figure function is given at a position."""
        return {**self.values, **{name: value for name, value in at.items() if name != RUN}}

    def fields(self, at):
        """Numbers of the fields of every curve at a position; none where the figure refuses it."""
        key = tuple(at.get(name, self.values.get(name, 0)) for name in self.positions)
        if key not in self.known:
            self.spend()
            self.known[key] = found = self.lay_down(at)
            for curve, numbers in found.items():
                self.met.setdefault(curve, []).append((dict(zip(self.positions, key, strict=True)), numbers))
        return self.known[key]

    def confirm(self, at):
        """As `fields`, for tables that are checked."""
        return self.fields(at)

    def anywhere(self):
        """A position drawn at random, one that the figure takes where that is soon found."""
        for _ in range(PATIENCE):
            here = {name: self.rng.choice(values) for name, values in self.positions.items()}
            if self.fields(here):
                break
        return here

    def find_dependence(self):
        """What `differences` tells of, to the controls that change it."""
        depends, start, quiet = {}, self.start(), 0
        self.learn(start, depends)
        while quiet < self.tries:
            quiet = 0 if self.learn(self.anywhere(), depends) else quiet + 1
        known = {self.group(curve) for curve in self.fields(start)}
        others = [
            curve for group, curve in {self.group(one): one for one in self.curves()}.items() if group not in known
        ]
        for curve in others[: self.elsewhere]:
            self.learn(self.where(curve), depends)
        return depends

    def curves(self):
        """All curves that were met."""
        return [curve for curve in self.met if self.keeps(curve)]

    def learn(self, here, depends):
        """Move each control alone from here; returns whether something was found that was not known."""
        new = False
        for name, values in self.positions.items():
            first = self.fields(here)
            place = values.index(here[name])
            near = values[max(0, place - 1) : place + 2] if self.steps > 2 else ()
            for value in [*near, *self.rng.sample(values, min(self.steps, len(values)))]:
                there = {**here, name: value}
                for key in self.differences(first, self.fields(there)):
                    known, cause = depends.setdefault(key, set()), self.cause(name, here, there)
                    new |= cause not in known
                    known.add(cause)
        return new

    def cause(self, name, here, there):
        """What a difference comes from that a control makes."""
        return name

    def names_of(self, used):
        """The controls that these causes stand for."""
        return used

    def count_spots(self, names):
        """How many positions these controls have together."""
        return math.prod(len(self.positions[name]) for name in names)

    def count(self, used):
        """How many fields a table over these causes may have."""
        return self.count_spots(used)

    def differences(self, one, other):
        """What differs between two positions: a group of curves, and the number of a field or None for being there."""
        refused = not self.refuses and not (one and other)
        for curve in () if refused else dict.fromkeys((*one, *other)):
            if curve not in one or curve not in other:
                yield self.group(curve), None
            elif one[curve] != other[curve]:
                pairs = enumerate(zip(one[curve], other[curve], strict=True))
                yield from ((self.group(curve), i) for i, (a, b) in pairs if a != b)

    def thin(self, depends):
        """Take positions from controls until every table is small enough; from the runs only where there are many."""
        sizes = self.mean_sizes()
        depends = {key: used for key, used in depends.items() if key[0] in sizes}
        depends = dict(sorted(depends.items(), key=lambda one: self.is_bound(one[0][0])))  # others make room for them
        for (group, i), used in depends.items():
            size = sizes[group][i] if i is not None else 1
            most = min(self.most, max(1, *(min(many, weight // max(1, size)) for many, weight in self.weights)))
            while (many := self.count(used) > most) or self.count_spots(self.names_of(used)) > SPOTS:
                if self.leaves_out(group):
                    break
                self.take_from(used if many else self.names_of(used))
        places = {(group[-1], frozenset(used)) for (group, _), used in depends.items() if self.keeps(group)}
        tables = sorted((sorted(used) for _, used in places))
        while sum(map(self.count_asked, tables)) > self.budget:
            self.take_from(max(tables, key=self.count_asked))
        self.forget()

    def forget(self):
        """Curves that were met only where no control leads any more have no table."""
        for curve, met in list(self.met.items()):
            self.met[curve] = [one for one in met if all(one[0][name] in at for name, at in self.positions.items())]
            if not self.met[curve]:
                del self.met[curve]

    def take_from(self, used):
        """Take positions from one of these controls."""
        longest = max(sorted(used), key=self.worth_thinning)
        if len(self.positions[longest]) == 1:
            raise TypeError("a field of it is too large for a table")
        self.positions[longest][:] = self.fewer(longest)

    def count_asked(self, used):
        """In how many places the figure is asked to fill a table over these controls: once for all runs."""
        return self.count([cause for cause in used if cause != RUN])

    def mean_sizes(self):
        """Packed bytes of the fields of every group of curves, on average over what is known."""
        sizes = {}
        for curve, met in self.met.items():
            some = met if len(met) < SAMPLE else self.rng.sample(met, SAMPLE)
            rows = ([self.pool.sizes[number] for number in numbers] for _, numbers in some)
            own = [sum(column) // len(some) for column in zip(*rows, strict=True)]
            sizes[self.group(curve)] = list(map(max, own, sizes.get(self.group(curve), own)))
        return sizes

    def worth_thinning(self, name):
        """A key that is largest for the control to take positions from: many, and not at the top of the panel."""
        count, main = len(self.positions[name]), name in self.main
        enough = LEAST_RUNS if name == RUN else MAIN if main else 3
        rest = name not in self.choices and count > 1  # a choice that says which controls matter goes last
        return rest, count > enough, count > 3 and not main, not main and count > 1, count

    def keeps(self, curve):
        """Whether a curve stands in the tables."""
        return True

    def is_bound(self, group):
        """Whether this is no more than a bound, which may be left out."""
        return False

    def leaves_out(self, group):
        """Whether this, whose table is too large, leaves the figure."""
        return False

    def find_end(self, name, values):
        """The first of these values of a control at which the figure agrees to be."""
        return next(x for x in values if x == self.values[name] or self.fields({**self.start(), name: x}))

    def fewer(self, name):
        """About half of a control's positions, with its start, its ends and what a tour names; half of the runs.

        First those beyond which the figure refuses to be, all else at the start.
        """
        values = self.positions[name]
        if name == RUN:
            return values[: len(values) // 2]
        start = self.values[name]
        if isinstance(self.controls[name], Slider):
            low, high = (self.find_end(name, way) for way in (values, reversed(values)))
            if (low, high) != (values[0], values[-1]):
                return [value for value in values if low <= value <= high]
        ends, named = {values[0], start, values[-1]}, self.named.get(name, set()) & {*values}
        some = [{*values[::2], *ends, *named}] if len(values) >= 7 else []
        return sorted(next(few for few in (*some, ends | named, ends, {start}) if len(few) < len(values)))

    def tabulate(self, depends):
        """The columns of every curve: names of controls, and numbers of the pool, the last control fastest.

        The first column says where the curve is: 0, or `MISSING`.
        """
        return {curve: [self.presence(curve, depends), *self.columns_of(curve, depends)] for curve in self.curves()}

    def presence(self, curve, depends):
        """Where a curve is."""
        place = self.where(curve)
        used = depends.get((self.group(curve), None), set())
        return self.fill(used, place, {}, lambda spot: 0 if curve in self.fields({**place, **spot}) else MISSING)

    def fill(self, used, place, known, ask):
        """A table over these causes: what is not known is asked for, once where they are the same."""
        key, (names, spots) = self.key(used), self.spots(used)
        keys = [key({**place, **spot}) for spot in spots]
        for values, spot in zip(keys, spots, strict=True):
            if values not in known:
                known[values] = ask(spot)
        return names, [known[values] for values in keys]

    def key(self, used):
        """A function of a position: the values of causes. Where they are the same, so is what they cause."""
        return itemgetter(*used) if used else lambda at: ()

    def columns_of(self, curve, depends):
        """The fields of a curve; what is known of a spot is not asked again."""
        there, group = list(self.met[curve]), self.group(curve)
        bases = [at for at, _ in (there[0], *self.rng.sample(there, min(BASES, len(there))))]
        if curve in self.fields(start := self.start()):
            bases.insert(0, start)
        where = depends.get((group, None), set())
        way = self.key(where)
        ways = {way(at): at for at, _ in there}  # where the curve is: `presence` has met them all
        rows = {}  # of a set of controls to its names and, spot by spot, all fields of the curve
        for i in range(len(there[0][1])):
            used = frozenset(depends.get((group, i), ()))
            if used not in rows:
                key, told, alike = self.key(used), self.key(where & used), {}
                for at in ways.values():
                    alike.setdefault(told(at), []).append(at)

                def ask(spot, told=told, alike=alike):
                    tried = ({**base, **spot} for base in (*bases, *alike.get(told({**bases[0], **spot}), ())))
                    asked = (self.fields(at) for at in tried if way(at) in ways)
                    return next((found[curve] for found in asked if curve in found), None)

                rows[used] = self.fill(used, bases[0], {key(at): fields for at, fields in there}, ask)
            names, fields = rows[used]
            yield names, [MISSING if one is None else one[i] for one in fields]

    def spots(self, used):
        """The positions of these controls, and their names; the last one changes fastest."""
        used = self.names_of(used)
        names = [name for name in self.positions if name in used]
        return names, [dict(zip(names, at, strict=True)) for at in itertools.product(*map(self.positions.get, names))]

    def where(self, curve):
        """A position at which a curve is played."""
        return self.met[curve][0][0]

    def check(self, curves):
        """A position drawn at random that the tables get wrong, and the curves, or None."""
        for _ in range(self.checks):
            here = self.anywhere()
            found = self.confirm(here)
            if not found and not self.refuses:
                continue
            wrong = [curve for curve in found if curve not in curves and self.keeps(curve)]
            for curve, columns in curves.items():
                there, *fields = (look_up(column, here, self.positions) for column in columns)
                if (curve in found) != (there == 0) or (curve in found and list(found[curve]) != fields):
                    wrong.append(curve)
            if wrong:
                return here, wrong
        return None


def list_used(*tables):
    """The controls over which the columns of these tables are laid."""
    return {name for table in tables for columns in table.values() for names, _ in columns for name in names}


def look_up(column, here, positions):
    """The number in a table at a position."""
    names, numbers = column
    place = 0
    for name in names:
        place = place * len(positions[name]) + positions[name].index(here[name])
    return numbers[place]
