"""Values that a control takes alone, while all others stand where a figure begins.

A table over several controls has room for few values of each. One control alone has room for nearly all of its own:
what is played and drawn there is computed value by value, and nothing is concluded from other places.
"""

from typing import NamedTuple

from ..explorer.controls import Slider
from .tables import MISSING, RUN, list_used

MOST = 100  # values of a control


class Alone(NamedTuple):
    """What a figure plays and draws at values of one control."""

    values: list
    curves: (
        dict  # `Curve` to its columns: numbers value by value, or one where they are the same; a tuple has one a run
    )
    parts: dict  # `Part` to its columns
    kept: set  # values that go last: the paper's own, those of a guided tour, and the ends


def find_alone(played, drawing, curves, parts, offered):
    """What is played and drawn where one control has a value that no table has, by control.

    Parameters
    ----------
    played : Played
    drawing : Drawing
        Both with tables; their positions are those that the tables have.
    curves, parts : dict
        The columns of these tables; a curve that is met here only is added, and is nowhere in them.
    offered : dict of str to list
        All values of each control.

    Returns
    -------
    dict of str to Alone
    """
    used = list_used(curves, parts)
    met, kept = {}, {}
    for name, values in offered.items():
        if name in used and isinstance(played.controls[name], Slider):
            marks = getattr(played.play, "marks", {}).get(name, ())
            kept[name] = {*marks, *played.named.get(name, ()), values[0], values[-1]}
            met[name] = ask_alone(played, drawing, name, pick_values(played, name, values, kept[name]))
    for there in met.values():
        add_missing(there.values(), curves, parts)
    return {
        name: Alone([*there], *lay_out_values(there, curves, parts), kept[name]) for name, there in met.items() if there
    }


def add_missing(met, curves, parts):
    """Curves and parts that tables have nowhere."""
    for there in met:
        for laid, tables in zip(there, (curves, parts), strict=True):
            for one, fields in laid.items():
                tables.setdefault(one, [((), [MISSING])] * (1 + len(fields)))


def pick_values(played, name, values, kept):
    """Values that no table has, evenly chosen where they are many, and all that are kept."""
    rest = [value for value in values if value not in played.positions[name]]
    even = {rest[k * len(rest) // MOST] for k in range(MOST)} if len(rest) > MOST else {*rest}
    return [value for value in rest if value in even | kept]


def ask_alone(played, drawing, name, values):
    """What is played and drawn at each of these values; those at which the figure refuses to be are left out."""
    met = {}
    for value in values:
        if found := ask_at(played, drawing, {name: value}):
            met[value] = found
    return met


def ask_at(played, drawing, moved, whole=False):
    """What is played and drawn where these controls are moved, None where the figure refuses; whole with all bounds."""
    at = {**played.start(), **moved}
    playing, drawn = ask_runs(played, at) if played.plays else {}, drawing.confirm(at)
    if not drawn or (played.plays and not playing):
        return None
    return playing, {part: fields for part, fields in drawn.items() if whole or drawing.keeps(part)}


def ask_runs(played, at):
    """What is played at a position; a field that every run has for itself is a tuple."""
    runs = [played.fields({**at, RUN: run}) for run in played.positions.get(RUN, [0])]
    return {
        curve: tuple(same[0] if len({*same}) == 1 else same for same in zip(*(one[curve] for one in runs), strict=True))
        for curve in runs[0]
    }


def lay_out_values(met, *kinds):
    """The columns of every curve, and of every part, value by value."""
    for place, tables in enumerate(kinds):
        found = {}
        for one, columns in tables.items():
            there = (laid[place] for laid in met.values())
            rows = [(0, *laid[one]) if one in laid else (MISSING,) * len(columns) for laid in there]
            found[one] = [list(same) if len({*same}) > 1 else [same[0]] for same in zip(*rows, strict=True)]
        yield found


def halve_values(one):
    """The same with about half of its values: those that are kept go last."""
    half = [k for k, value in enumerate(one.values) if k % 2 or value in one.kept]
    return take_places(one, half if len(half) < len(one.values) else range(1, len(one.values), 2))


def take_places(one, places):
    """The same with the values at these places."""
    laid = (
        {who: [[n[k] for k in places] if len(n) > 1 else n for n in columns] for who, columns in kind.items()}
        for kind in (one.curves, one.parts)
    )
    return Alone([one.values[k] for k in places], *laid, one.kept)
