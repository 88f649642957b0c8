"""Settings that somebody will ask for: presets, steps of the tour, links of the text, cells of a map, counterexamples.

A table has room for few values of each control, and `alone` moves one control only. A setting that a page names is
computed by itself where no table has it, and with it what it asks the reader to move next.
"""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs

from ..analysis.map import Map
from ..evidence.claims import Claims
from ..explorer.controls import Choice, Switch
from .alone import Alone, add_missing, ask_at, lay_out_values
from .room import list_numbers, weigh
from .tables import RUN, list_used
from .traces import Unlike

LINK = re.compile(r"\]\(#([^)\s]*=[^)\s]*)\)")  # of a text, to a setting of the instrument: #d=6&gap=0.3
MOVES = 10  # most values of the control that a setting lets move
HEAVY = 60_000  # packed bytes above which a setting lets nothing move


def list_wanted(paper, notebook, scale):
    """What a notebook and the module beside it set the sliders to, each with the figure that it is about.

    Steps of a tour, links, cells and counterexamples "say" something, at least nothing: tables keep their values long.
    """
    first = next(iter(paper.FIGURES))
    found = [
        *getattr(paper, "PRESETS", {}).values(),
        *list_links(notebook, paper.CONTROLS),
        *list_map_cells(paper, scale),
    ]
    grid = getattr(paper, "GRID", {}).get(scale, {})
    found = [{"figure": first, **one} for one in found + list_counterexamples(paper)]
    return [
        {**one, "ways": {k: v for k, v in grid.get(one["figure"], {}).items() if isinstance(v, list)}} for one in found
    ]


def list_links(notebook, controls):
    """What the links of a notebook's text set the sliders to."""
    cells = json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    asked = [{name: given[-1] for name, given in parse_qs(link).items()} for link in LINK.findall(text)]
    return [{"say": "", **{name: parse_value(controls.get(name), said) for name, said in one.items()}} for one in asked]


def parse_value(control, given):
    """The value of a control that a link gives as words."""
    if control is None or isinstance(control, Choice):
        return given
    if isinstance(control, Switch):
        return given == "true"
    return int(given) if control.whole else float(given)


def list_map_cells(paper, scale):
    """What the sliders are set to by a click on a map of the module beside a notebook."""
    maps = [one for one in vars(paper).values() if isinstance(one, Map)]
    return [{**cell, "say": "", "move": ()} for one in maps for cell in one.settings(scale)]


def list_counterexamples(paper):
    """What the sliders are set to by a claim's link to where it is decided otherwise."""
    claims = all_claims(paper)
    limits = claims.limits() if claims else {}
    asked = [one for one in claims.asked if one.id in limits] if limits else []
    return [{**limits[one.id]["shown"], "figure": one.figure, "say": "", "move": ()} for one in asked]


def all_claims(paper):
    """The claims of the module beside a notebook, or None."""
    claims = getattr(paper, "claims", None)
    claims = getattr(claims, "claims", claims)
    return claims if isinstance(claims, Claims) else None


def find_wanted(played, drawing, curves, parts, wanted, single):
    """What is played and drawn at settings that no table has.

    Parameters
    ----------
    played, drawing, curves, parts
        As of `alone.find_alone`.
    wanted : list of dict
        Values of each setting, what it leaves open is as in "from"; "move" and "ways" are which controls it asks the
        reader to move, and where to.
    single : dict of str to Alone
        What controls have alone.

    Returns
    -------
    Alone
        Its values are settings: tuples with a value of every control that the tables know, in the order of `names_of`.
    """
    met, names = {}, names_of(played, curves, parts)

    def settle(one):
        return {name: one.get(name, one.get("from", played.values)[name]) for name in names}

    def ask(settings, again=False):
        new = [at for at in settings if again or not all(at[name] in played.positions[name] for name in names)]
        found = {tuple(at.values()): ask_or_pass(played, drawing, at) for at in new}
        return {key: there for key, there in found.items() if there and key not in met}

    off = [name for name in names if isinstance(played.controls[name], Switch) and len(played.positions[name]) == 1]
    for one in [*wanted, *({name: not played.values[name], "move": ()} for name in off)]:  # a switch of bounds only
        here = settle(one)
        move, offered = find_move(played, one, single)
        met |= ask([here, *({**here, move: value} for value in one.get("ways", {}).get(move, ()) if move in names)])
        more = ask({**here, move: value} for value in offered if move in names)
        if weigh_met(more, met, played.pool) <= HEAVY:
            met |= more
    met |= ask(map(settle, [{}, *wanted] if drawing.hidden else ()), again=True)  # tables lack some bounds there
    add_missing(met.values(), curves, parts)
    return Alone([*met], *lay_out_values(met, curves, parts), {*met})


def ask_or_pass(played, drawing, at):
    """As `alone.ask_at` with all bounds; None, too, where the figure draws what no page does: the page says so."""
    try:
        return ask_at(played, drawing, at, whole=True)
    except (TypeError, LookupError, ArithmeticError, Unlike):
        return None


def names_of(played, curves, parts):
    """The controls that the tables know, but for the runs."""
    used = list_used(curves, parts)
    return [name for name in played.positions if name in used and name != RUN]


def find_move(played, one, single):
    """The control that a text asks the reader to move, else the first in front that it does not set; some values."""
    front = [name for name in getattr(played.play, "main", ()) if name not in one] if "say" in one else ()
    move = next(iter(one.get("move", front)), None)
    values = [*played.positions.get(move, ()), *(single[move].values if move in single else ())]
    most = min(MOVES, len(values))
    return move, [sorted(values)[k * len(values) // most] for k in range(most)]


def weigh_met(more, met, pool):
    """Packed bytes of the fields that are met more."""
    own, known = ({n for there in one.values() for n in list_numbers(fields_of(there))} for one in (more, met))
    return weigh(own - known, pool)


def fields_of(there):
    """The fields of all curves and parts at one place."""
    return [fields for laid in there for fields in laid.values()]
