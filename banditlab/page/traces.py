"""How a figure is drawn at every position of its controls, as tables: lines are statistics of what is played there.

A figure is drawn with made-up regret. A trace that shows the mean of one policy's made-up regret, or a band, or the
mean over what a theorem promises, shows the same of its real one; what does not change with the regret, a bound or
the figure of a formula, is kept as it is drawn. What changes with the regret in another way makes the page refuse it.
"""

import json
import re
import time
from typing import NamedTuple

import numpy as np

from .arguments import TEXT, Leaf
from .held import hold_back, spread_widely
from .lines import LINES, as_ratio, list_series, points_of, recognise
from .tables import RUN, SPOTS, STEPS, Case

LAYOUT = -1  # the place of what surrounds the traces
PLAYERS = "who plays"  # a cause beside the controls: which policies join at a position
ROUND = "\u2063T"  # stands for the horizon in the words of a figure
BOUNDS = 80  # most entries of a table of a bound: to draw takes twenty times as long as to ask what is played
WAYS = 1_000  # positions at which it is asked who plays, to count in how many ways
ARRAYS = 80_000  # packed bytes of a table of arrays
FEW = 8  # numbers that stay among the words of a trace
DIGITS, NUMBERS = re.compile(r"\d+"), re.compile(r"[\d.]+")
OTHER = "\u2063"  # begins the shape of what is no line, beside lines: its name, as a bound may stand where a key did


class Unlike(Exception):
    """A sketch is not what plotly draws, or there is none."""


class Part(NamedTuple):
    """A trace by its place in the figure, or the layout."""

    place: int
    shape: str  # which fields it has, and what it is beside lines
    case: tuple  # as of `Curve`


def draw(play, values, salt=0, sketches=False):
    """A figure with made-up regret, as JSON with arrays, and what it asked for."""
    asked = []
    with hold_back(asked, spread_widely, salt, sketches), np.errstate(all="ignore"):  # of what is made up
        figure, _ = play(**values)
    layout = figure.layout.to_plotly_json()
    layout.pop("template", None)
    return [trace.to_plotly_json() for trace in figure.data], to_json(layout), asked  # a whole figure packs its arrays


class Drawing(Case):
    """A figure as it is drawn at the positions of its controls."""

    weights, steps, checks, budget, elsewhere, tries, refuses = ((SPOTS, ARRAYS),), 1, 40, 120, 2, 1, False

    def __init__(self, played):
        positions = {name: at for name, at in played.positions.items() if name != RUN}
        super().__init__(played.play, played.values, positions, played.controls, played.pool)
        self.proved, self.names, self.hidden, self.plays = {}, {}, {}, played.plays
        self.sketches = True  # whether dicts stand in for plotly
        self.outlines, self.confirmed = {}, set()  # which words, without numbers; those that plotly has drawn, too
        self.played, self.players = played, {}
        self.joins = find_joins(played) & {*positions}  # what stands behind `PLAYERS`
        self.named = played.named
        self.most = BOUNDS if self.plays else self.budget
        if self.plays:
            self.budget = 2 * BOUNDS
            self.choices = []  # lines are drawn alike under all of them
        else:
            self.steps, self.elsewhere = STEPS, Case.elsewhere  # traces come and go with the numbers of a formula

    def find_tables(self):
        """As `Case.find_tables`, of sketches; of plotly's own figures where these are not the same."""
        try:
            return super().find_tables()
        except Unlike:
            self.sketches = False
            for found in (self.known, self.met, self.proved, self.names, self.hidden):
                found.clear()
            return super().find_tables()

    def confirm(self, at):
        """As `fields`, drawn by plotly where a part says what it has not confirmed: others it only copies."""
        found = self.fields(at)
        outlines = {(part, self.outlines[words]) for part, (words, *_) in found.items()}
        if self.sketches and not outlines <= self.confirmed:
            self.sketches = False
            drawn, self.sketches = self.lay_down(at), True
            if drawn != found:
                raise Unlike
            self.confirmed |= outlines
        return found

    def group(self, part):
        """Every part is alone; what a formula draws has traces in numbers that change, and all alike share a table."""
        return part if self.plays else part._replace(place=0)

    def thin(self, depends):
        """Where a policy joins or leaves, any trace may be another one."""
        for part in self.curves():
            for field in (None, 0):  # whether it is there, and its words
                depends.setdefault((self.group(part), field), set()).update([PLAYERS] if self.joins else ())
        super().thin(depends)

    def mend(self, here, wrong):
        """Where who plays does not explain a part, every control does that changes who plays."""
        groups, joins = {self.group(part) for part in wrong}, {*self.joins}
        if not super().mend(here, wrong) and self.joins == joins:
            for (group, _), used in self.depends.items():
                if group in groups and PLAYERS in used:
                    used |= self.joins

    def cause(self, name, here, there):
        """A control that changes who plays does nothing else, as far as is seen there."""
        one, other = (self.list_players(at) for at in (here, there)) if self.plays else ((), ())
        if one == other or not (one and other):
            return name
        if name not in self.joins:
            self.joins.add(name)
            self.players.clear()
        return PLAYERS

    def names_of(self, used):
        """The controls behind causes."""
        return {*used, *self.joins} - {PLAYERS} if PLAYERS in used else used

    def key(self, used):
        """As `Case.key`; who plays is asked once for the values of the controls that change it."""
        others, joined = super().key(used - {PLAYERS}), super().key(self.joins)
        if PLAYERS not in used:
            return others

        def key(at):
            if (values := joined(at)) not in self.players:
                self.players[values] = self.list_players(at)
            return others(at), self.players[values]

        return key

    def list_players(self, at):
        """The names of all that play there; nobody where the figure refuses to be."""
        try:
            return tuple(tuple(cell.settings["policies"]) for cell in self.played.ask(at))
        except ValueError:
            return ()

    def count(self, used):
        """How many fields a table has: one of those who play there for all positions where they are the same."""
        if PLAYERS not in used:
            return self.count_spots(used)
        rest = {*used} - {PLAYERS} - self.joins
        return self.count_spots(rest) * self.count_players({*used} & self.joins)

    def count_players(self, told=frozenset()):
        """In how many ways policies join, at each position of the controls that tell more."""
        if (most := self.count_spots(self.joins)) > WAYS:
            return most
        key, start = self.key({PLAYERS, *told}), self.start()
        return len({key({**start, **spot}) for spot in self.spots(self.joins)[1]})

    def take_from(self, used):
        """Take positions from controls; from those that change who plays if that has many ways, or nothing else."""
        rest = {*used} - {PLAYERS}
        others = any(len(self.positions[name]) > 1 for name in rest)
        super().take_from(rest if others and self.count_players() <= FEW else self.names_of(used))

    def lay_down(self, at):
        """As `Case.fields`, of the parts of the figure."""
        values = self.numbers_at(at)
        try:
            traces, layout, asked = draw(self.play, values, 0, self.sketches)
        except ValueError:
            return {}
        except (AttributeError, LookupError, TypeError):
            if self.sketches:
                raise Unlike from None
            raise
        case, series = self.case_at(at), list(list_series(asked))
        horizon = values.get("horizon")
        found = {Part(LAYOUT, "", case): (self.words(layout, horizon),)}
        points = [points_of(trace) for trace in traces]
        shown = [pair and recognise(pair, series) for pair in points]
        unknown = [i for i, one in enumerate(shown) if one is None and (i, traces[i].get("name")) not in self.proved]
        factored = [i for i, one in enumerate(shown) if one is None and self.proved.get((i, traces[i].get("name")))]
        if (unknown or factored) and series:
            self.prove(values, traces, layout, series, points, shown)
        for place, (trace, one) in enumerate(zip(traces, shown, strict=True)):
            words, arrays = split_trace(trace, one)
            kind = one.line.statistic if one else f"{OTHER}{DIGITS.sub('0', str(trace.get('name')))}" * self.plays
            part = Part(place, " ".join([kind, *words["arrays"]]), case)
            self.names.setdefault(part[:2], {})[trace.get("name")] = None
            found[part] = (self.words(to_json(words), horizon), *map(self.pool.number, arrays))
        return found

    def prove(self, values, traces, layout, series, points, shown):
        """Draw again with other regret, to tell factors from what never changes, and both from what is unknown."""
        again, layout_again, asked = draw(self.play, values, 1, self.sketches)
        if layout != layout_again:
            raise TypeError("what surrounds its curves changes with the regret")
        salted = list(list_series(asked))
        for place, (trace, second) in enumerate(zip(traces, again, strict=True)):
            if shown[place] is not None:
                continue
            if points[place] and not is_same_trace(trace, second):
                shown[place] = recognise(points[place], series, points_of(second), salted)
                shown[place] = shown[place] or as_ratio(points[place], series)
            if shown[place] is None and not is_same_trace(trace, second):
                raise TypeError(f"it draws of the regret what no page makes ({trace.get('name')})")
            self.proved[place, trace.get("name")] = shown[place] is not None

    def words(self, text, horizon):
        """The number of a text, in which the horizon, if it is named, stands for any."""
        if horizon and horizon >= 1000:
            text = text.replace(f"{horizon:,}", ROUND)
        number = self.pool.number(Leaf(TEXT, text.encode()))
        if number not in self.outlines:
            self.outlines[number] = frozenset(NUMBERS.sub("0", text).split('"'))
        return number

    def leaves_out(self, part):
        """A bound whose table is too large is left out, wherever it stands; anything else has fewer places."""
        if not self.is_bound(part):
            return False
        self.hidden |= self.names[part[:2]]
        return True

    def keeps(self, part):
        """Whether a part is not left out."""
        return not (self.is_bound(part) and self.names[part[:2]].keys() & self.hidden.keys())

    def is_bound(self, part):
        """Whether a part of what is played shows what no policy does."""
        if not self.plays or part.place == LAYOUT or part.shape.startswith(tuple(LINES)):
            return False
        lines = {name for (_, shape), names in self.names.items() if shape.startswith(tuple(LINES)) for name in names}
        return not lines & self.names[part[:2]].keys()  # what bears the name of a line is more than its bound


def find_joins(played):
    """The controls that change who plays, or under which name."""
    played.began, played.refuses = time.process_time(), False  # nothing is drawn where the figure refuses to be
    found = played.find_dependence().items() if played.plays else ()
    del played.refuses
    played.known.clear()  # the drawing may take positions away at which this was met
    played.met.clear()
    return set().union(*(used for (_, field), used in found if field in (None, 0)))


def is_same_trace(one, other):
    """Whether two traces are the same to the last bit."""
    return to_json(one) == to_json(other)


def split_trace(trace, shown):
    """The words of a trace, and its arrays as leaves of numbers with seven digits."""
    if shown is not None:
        arrays = {name: value for name, value in (("places", shown.x), ("factor", shown.factor)) if value is not None}
        rest = {name: value for name, value in trace.items() if name not in "xy"}
    else:
        arrays = dict(sorted(walk_arrays(trace)))
        rest = without(trace, arrays)
    words = {"trace": rest, "arrays": [*arrays], "line": shown and shown.line._asdict()}
    return words, [Leaf(value.shape, value.astype(np.float32).tobytes()) for value in arrays.values()]


def walk_arrays(trace, before=""):
    """Path and numbers of all arrays in a trace that are no words."""
    for name, value in trace.items():
        if isinstance(value, dict):
            yield from walk_arrays(value, f"{before}{name}.")
        elif isinstance(value, np.ndarray | list | tuple) and len(value) > FEW and name != "colorscale":
            try:
                numbers = np.array(value, float)
            except (TypeError, ValueError):
                continue
            if numbers.ndim in (1, 2):
                yield before + name, numbers


def without(trace, paths, before=""):
    """A trace without these arrays."""
    return {
        name: without(value, paths, f"{before}{name}.") if isinstance(value, dict) else value
        for name, value in trace.items()
        if before + name not in paths
    }


def to_json(thing):
    """A part of a figure as text."""
    from plotly.utils import PlotlyJSONEncoder

    return json.dumps(thing, cls=PlotlyJSONEncoder, sort_keys=True)
