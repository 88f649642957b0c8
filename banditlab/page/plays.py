"""What a report carries so that its explorer plays: tables, fields, drawings and modules of all figures, packed."""

import collections
import contextlib
import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from .. import io
from ..evidence.claims import Claims
from ..explorer.controls import Switch, offered_values
from ..explorer.facts import describe_values
from ..explorer.figure import list_arguments
from ..explorer.grid import list_formulas
from ..explorer.paper import find_paper, first_on_path
from ..user_code import code_identity
from . import modules, replays, room, wanted
from .alone import Alone, find_alone
from .arguments import TEXT, Leaf
from .held import keep_kernels, list_rounds
from .packing import pack_plays
from .played import Played
from .tables import RUN, Pool, list_used
from .traces import Drawing, draw

ROUNDS = 1_000_000  # that a figure may play while it is drawn once
REPLAY_ROOM = 300_000  # of those of its claims that no figure has
TRIED = 8  # places at which another seed is tried
SIZES = ("horizon", "runs")  # what the loop is told, not the factories: free where no factory asks for it


class Tables(NamedTuple):
    """What a figure plays and how it is drawn."""

    positions: dict  # of each control that changes it
    curves: dict  # `Curve` to columns: where it is, its name, the rounds of its simulation, and one for each field
    parts: dict  # `Part` to columns: where it is, its words, and one for each array
    drawn: bool  # whether what it plays was drawn, and so for one seed only
    runs: int | None  # at the start
    hidden: list  # names of the bounds that find no place in tables
    switched: dict  # each of them to the switches that must be on for the figure to draw it
    alone: dict = {}  # control to the `Alone` of its values that no table has
    base: dict = {}  # the position at which the others stand meanwhile
    wanted: Alone = Alone([], {}, {}, set())  # settings that somebody asks for and no table has


def tabulate(play, values, controls, pool, presets=()):
    """Make the tables of a figure.

    Parameters
    ----------
    play : callable
        A figure function of the explorer.
    values : dict
        Its values at the start.
    controls : dict of str to Slider, Choice or Switch
    pool : Pool
    presets : list of dict
        Settings that somebody will ask for; values of those that "say" something are kept as long as possible where
        positions are too many.

    Returns
    -------
    Tables

    Raises
    ------
    TypeError
        If what it plays or draws finds no place in tables; the message says why.
    """
    values = {name: values[name] for name in list_arguments(play) if name in values}
    positions = {name: offered_values(controls[name], {values[name]}) for name in values if name in controls}
    positions.pop("runs", None)
    shorten(play, values, positions)
    offered = {name: [*at] for name, at in positions.items()}
    played = Played(play, values, positions, controls, pool)
    played.named = {name: {one[name] for one in presets if name in one and "say" in one} for name in positions}
    drawing = Drawing(played)
    drawing.find_tables()  # it takes positions away, too
    checked = [*map(len, positions.values())]
    curves = played.find_tables() if played.plays else {}
    thinned = checked != [*map(len, positions.values())]
    fix_idle_switches(drawing, curves)
    parts = drawing.tabulate(drawing.depends)
    if thinned and drawing.check(parts):  # where positions went, those at the ends are met more often
        drawing.find_tables()
        curves, parts = played.tabulate(played.depends), drawing.tabulate(drawing.depends)
    single = find_alone(played, drawing, curves, parts, offered)
    settings = wanted.find_wanted(played, drawing, curves, parts, presets, single)
    used = list_used(curves, parts)
    positions = {name: at for name, at in played.positions.items() if name in used}
    hidden = [name for name in drawing.hidden if name]
    switched = {name: find_switches(drawing, name) for name in hidden}
    drawn = RUN in positions or (played.plays and moves_with_seed(played))
    base = {name: played.values[name] for name in positions if name != RUN}
    return Tables(positions, curves, parts, drawn, played.runs, hidden, switched, single, base, settings)


def shorten(play, values, positions):
    """Take away horizons at which a figure that plays runs while it is drawn would play too many rounds."""
    with list_rounds() as counted, contextlib.suppress(AttributeError, LookupError, TypeError):  # as sketches do
        draw(play, values, sketches=True)
    if counted and "horizon" in positions:
        most = max(1.0, ROUNDS / sum(counted)) * values["horizon"]
        positions["horizon"][:] = [at for at in positions["horizon"] if at <= most]


def fix_idle_switches(drawing, curves):
    """Take away what a switch would do where it adds nothing but bounds that a page leaves out."""
    moves = list_used(curves)
    for name in [one for one in drawing.positions if isinstance(drawing.controls[one], Switch) and one not in moves]:
        off, on = (drawing.fields({**drawing.start(), name: value}) for value in (False, True))
        added = {line for part in on.keys() - off.keys() for line in drawing.names[part[:2]]}
        if added and added <= drawing.hidden.keys():
            drawing.positions[name][:] = [drawing.values[name]]


def find_switches(drawing, bound):
    """The switches that are on wherever this bound was drawn."""
    parts = {one for one, names in drawing.names.items() if bound in names}
    drawn = [at for at, found in drawing.known.items() if any(part[:2] in parts for part in found)]
    names = [(i, name) for i, name in enumerate(drawing.positions) if isinstance(drawing.controls[name], Switch)]
    return [name for i, name in names if all(at[i] for at in drawn)]


def moves_with_seed(played):
    """Whether a seed tells more than the noise: with another one the figure plays another instance."""
    values = {**played.values, "seed": played.values["seed"] + 1}
    other = Played(played.play, values, {**played.positions}, played.controls, played.pool)
    known = played.rng.sample(sorted(played.known, key=repr), min(TRIED, len(played.known)))
    places = [played.start(), *(dict(zip(played.positions, at, strict=True)) for at in known)]
    return any(other.fields(at) != played.fields(at) for at in places)


@keep_kernels()
def describe_plays(figures, controls, values, workers=1, presets=(), claims=None):
    """What a page needs to play the figures of an explorer.

    Parameters
    ----------
    figures : dict of str to callable
        Title and function of each figure, as of `explore`.
    controls : dict of str to Slider, Choice or Switch
    values : dict
        The parameters cell: every parameter.
    workers : int >= 1
        Processes that build modules, side by side.
    presets : list of dict
        "figure" and values of each; those of a guided tour stay where other positions are thinned out.
    claims : Claims, optional
        Those that a page judges anew, where it can.

    Returns
    -------
    dict
        "figures": title to what moves it; "titles": of all figures, in order; "refused": title to one sentence, why the
        page cannot play it; "controls": name to values and texts; "start"; "claims": those that are judged
        anew; "unplayed": the others that were asked for to why not; "packed": all that is played, as text.
    """
    pool, found, refused = Pool(), {}, {}
    for title, play in figures.items():
        try:
            asked = [{"from": values, **one} for one in presets if one.get("figure") == title]
            opens = {} if title == values.get("figure", next(iter(figures))) else getattr(play, "opens", {})
            found[title] = tabulate(play, values | opens, controls, pool, asked)
        except (TypeError, LookupError, ValueError, ArithmeticError) as error:
            refused[title] = str(error) if isinstance(error, TypeError) else f"it draws more than regret ({error})"
    unbuilt = collections.defaultdict(bytes)
    dropped = room.make_room(found, pool, lambda: len(pack_plays(found, pool, unbuilt, 1, {}, 0)))
    refused |= dict.fromkeys(dropped, "its fields would make the page too large")
    own = set().union(*map(room.list_fields, found.values()))
    asked, unplayed = lay_out_claims(claims, values["seed"], pool, own) if claims else ({}, {})
    kinds = {curve.kind for tables in found.values() for curve in tables.curves}
    kinds |= {curve["module"] for laid in asked.values() for curve in replays.list_curves(laid)}
    built = modules.build_modules(sorted(kinds, key=modules.Kind.key), workers)
    for name, laid in list(asked.items()):
        if wrong := [why for one in replays.list_curves(laid) if isinstance(why := built[one["module"]], str)]:
            unplayed[name] = wrong[0]
            del asked[name]
    for title, tables in list(found.items()):
        if wrong := next((built[curve.kind] for curve in tables.curves if isinstance(built[curve.kind], str)), None):
            refused[title] = wrong
            del found[title]
    moves = {title: list_moves(figures[title], tables, controls, values) for title, tables in found.items()}
    runs = [max(one.get("runs", [found[title].runs or 2])) for title, one in moves.items()]
    every = {name: [*dict.fromkeys(at for one in moves.values() for at in one.get(name, ()))] for name in controls}
    every = {name: at for name, at in every.items() if at}
    named = {name: describe_values(controls[name], list_named(controls[name], every[name])) for name in every}
    return {
        "figures": {title: describe_title(one, found[title], controls) for title, one in moves.items()},
        "titles": list(figures),
        "refused": refused,
        "controls": named,
        "start": {name: values[name] for name in ("seed", *named)},
        "formulas": list_formulas(list_captions(pool)),
        "claims": list(asked),
        "unplayed": unplayed,
        "packed": pack_plays(found, pool, built, max([2, *runs]), asked, values.get("horizon")),
    }


def list_named(control, values):
    """The values whose words a page carries; other whole numbers it writes as they are."""
    return [value for value in values if not isinstance(value, int) or control.text(value) != str(value)]


def list_captions(pool):
    """The captions among all fields: a figure of a formula concludes anew at each position."""
    texts = (leaf.data for leaf in pool.places if isinstance(leaf, Leaf) and leaf.shape == TEXT)
    layouts = (json.loads(text) for text in texts if b'"caption"' in text)
    return [layout.get("meta", {}).get("caption", "") for layout in layouts]


def lay_out_claims(claims, seed, pool, known):
    """Claims that a page judges anew to what it needs for that, and the others to why not; new fields take room."""
    found, unplayed, known, room = {}, {}, set(known), REPLAY_ROOM
    for asked in claims.asked:
        try:
            laid = replays.lay_out(claims.paper, asked, seed, pool)
        except (TypeError, LookupError, ValueError, ArithmeticError) as error:
            unplayed[asked.id] = str(error) if isinstance(error, TypeError) else "it rests on more than regret"
            continue
        more = replays.fields_of_claim(laid) - known
        size = sum(pool.sizes[number] for number in more)
        if size <= room:
            found[asked.id], known, room = laid, known | more, room - size
        else:
            unplayed[asked.id] = "its worlds would make the page too large"
    return found, unplayed


def describe_paper(notebook, parameters):
    """As `describe_plays`, of the module beside a notebook; None where it has no figures.

    Its `PLAYS` names those that play, all where it says nothing: tables and modules of a figure take some CPU seconds.

    Parameters
    ----------
    notebook : path
    parameters : dict
        Those of its parameters cell that are given.
    """
    kept = path_of_plays(Path(notebook), parameters)
    if kept and kept.is_file():
        return json.loads(kept.read_text(encoding="utf-8"))
    paper = find_paper(notebook)
    if not getattr(paper, "FIGURES", None) or not getattr(paper, "CONTROLS", None):
        return None
    starts = {name: control.start for name, control in paper.CONTROLS.items()}
    figures = {title: paper.FIGURES[title] for title in getattr(paper, "PLAYS", paper.FIGURES)}
    with first_on_path(Path(notebook).resolve().parent):  # processes that build modules look there, too
        presets = wanted.list_wanted(paper, notebook, parameters.get("scale", "quick"))
        values = {"seed": 0, **starts, **parameters}
        plays = describe_plays(figures, paper.CONTROLS, values, presets=presets, claims=find_claims(paper))
    plays["titles"] = list(paper.FIGURES)
    if kept:
        with io.open_whole(kept, "w") as file:
            json.dump(plays, file)
    return plays


def find_claims(paper):
    """The claims of the module beside a notebook that a page may judge anew; its `REPLAYS` names them, else all are."""
    claims = wanted.all_claims(paper)
    if not claims:
        return None
    names = getattr(paper, "REPLAYS", [one.id for one in claims.asked])
    chosen = Claims(claims.paper)
    chosen.asked += [one for one in claims.asked if one.id in names]
    return chosen


def path_of_plays(notebook, parameters):
    """The file in which this is kept for a notebook: its name changes with all source, the paper's too; or None."""
    beside = [notebook.with_suffix(".py"), *sorted(notebook.with_suffix("").rglob("*.py"))]
    sources = [file.read_bytes() for file in beside if file.is_file()]
    links = wanted.LINK.findall(notebook.read_text(encoding="utf-8"))
    told = repr((code_identity.DIGEST, notebook.stem, links, sorted(parameters.items()))).encode()
    digest = hashlib.sha256(b"".join([told, *sources])).hexdigest()[:16]
    return modules.HOME and modules.HOME / f"{notebook.stem}-{digest}.json"


def list_moves(play, tables, controls, values):
    """Name of each control that moves a figure in a page to its values."""
    every = {name: list_values(tables, name) for name in tables.positions if name != RUN}
    moves = {name: at for name, at in every.items() if len(at) > 1}
    for name in SIZES:
        if name in list_arguments(play) and name in controls and name not in tables.positions:
            moves[name] = offered_values(controls[name], {values[name]})
    if not tables.curves:
        moves.pop("runs", None)  # of a formula
    if RUN in tables.positions and "runs" in moves:
        runs = len(tables.positions[RUN])
        moves["runs"] = [number for number in moves["runs"] if number <= runs]
    return {name: moves[name] for name in controls if name in moves}


def list_values(tables, name):
    """The values of a control that a page can show, with others, alone, or in settings that somebody asks for."""
    known, place = join_values(tables, name), [*tables.base].index(name)
    more = sorted({at[place] for at in tables.wanted.values} - {*known})
    return known + more if any(isinstance(value, str) for value in more) else sorted(known + more) if more else known


def join_values(tables, name):
    """The values of a control that a page can show, alone or with others."""
    single = tables.alone[name].values if name in tables.alone else []
    return sorted([*tables.positions[name], *single]) if single else tables.positions[name]


def describe_title(moves, tables, controls):
    """What a page says about a figure that it plays."""
    fixed = {name: at[0] for name, at in tables.positions.items() if name not in moves and name != RUN}
    fixed |= {"runs": tables.runs} if tables.curves and "runs" not in moves else {}
    single = {name: join_values(tables, name) for name in tables.base if name in moves}
    single = {name: at for name, at in single.items() if name in tables.alone or len(at) < len(moves[name])}
    told = [i for i, name in enumerate(tables.base) if name in moves]
    return {
        "axes": moves,
        "joint": {name: tables.positions[name] for name in single},  # where others do not stand as in the base
        "single": single,  # where they do
        "wanted": {
            "names": [[*tables.base][i] for i in told],
            "values": [[at[i] for i in told] for at in tables.wanted.values],
        },
        "base": {name: value for name, value in tables.base.items() if name in moves},
        "order": list(moves),
        "fixed": fixed,
        "said": [
            f"{controls[name].symbol} = {controls[name].text(at)}" for name, at in fixed.items() if name != "runs"
        ],
        "drawn": tables.drawn,
        "exact": not tables.curves,
        "hidden": tables.hidden,
        "switched": tables.switched,
    }
