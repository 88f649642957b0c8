"""What a report carries so that its explorer plays: tables, fields, drawings and modules of all figures, packed."""

import base64
import gzip
import hashlib
import json
import struct
from pathlib import Path

from .. import io
from ..evidence.estimates import t_quantile
from ..explorer.figure import list_arguments
from ..explorer.paper import find_paper
from ..user_code import code_identity
from . import modules
from .arguments import Leaf
from .tables import RUN, Pool, list_positions, tabulate
from .traces import find_drawing

ROOM = 1_500_000  # packed bytes of the fields of all figures of a page
SIZES = ("horizon", "runs")  # what the loop is told, not the factories: free where no factory asks for it


def describe_plays(figures, controls, values, workers=1):
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

    Returns
    -------
    dict
        "figures": title to what moves it; "titles": of all figures, in order; "refused": title to one sentence, why the
        page cannot play it; "controls": name to label, values, texts; "start"; "packed": all that is played, as text.
    """
    pool, found, refused = Pool(), {}, {}
    for title, play in figures.items():
        try:
            tables, case = tabulate(play, values, controls, pool)
            found[title] = tables, find_drawing(play, case, tables.curves)
        except (TypeError, LookupError, ValueError) as error:
            refused[title] = str(error) if isinstance(error, TypeError) else f"it draws more than regret ({error})"
    refused |= dict.fromkeys(drop_largest(found, pool), "its fields would make the page too large")
    kinds = {curve.kind for tables, _ in found.values() for curve in tables.curves}
    built = modules.build_modules(sorted(kinds, key=modules.Kind.key), workers)
    for title, (tables, _) in list(found.items()):
        if wrong := next((built[curve.kind] for curve in tables.curves if isinstance(built[curve.kind], str)), None):
            refused[title] = wrong
            del found[title]
    moves = {title: list_moves(figures[title], tables, controls, values) for title, (tables, _) in found.items()}
    named = {
        name: describe_control(controls[name], moves, name)
        for name in controls
        if any(name in one for one in moves.values())
    }
    return {
        "figures": {title: describe_title(one, *found[title], controls) for title, one in moves.items()},
        "titles": list(figures),
        "refused": refused,
        "controls": named,
        "start": {name: values[name] for name in ("seed", *named)},
        "packed": pack_plays(found, pool, built, max([2, *(max(one.get("runs", [2])) for one in moves.values())])),
    }


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
    plays = describe_plays(figures, paper.CONTROLS, {"seed": 0, **starts, **parameters})
    plays["titles"] = list(paper.FIGURES)
    if kept:
        with io.open_whole(kept, "w") as file:
            json.dump(plays, file)
    return plays


def path_of_plays(notebook, parameters):
    """The file in which this is kept for a notebook: its name changes with all source, the paper's too; or None."""
    beside = [notebook.with_suffix(".py"), *sorted(notebook.with_suffix("").rglob("*.py"))]
    sources = [file.read_bytes() for file in beside if file.is_file()]
    told = repr((code_identity.DIGEST, notebook.stem, sorted(parameters.items()))).encode()
    digest = hashlib.sha256(b"".join([told, *sources])).hexdigest()[:16]
    return modules.HOME and modules.HOME / f"{notebook.stem}-{digest}.json"


def list_moves(play, tables, controls, values):
    """Name of each control that moves a figure in a page to its values."""
    moves = {name: at for name, at in tables.positions.items() if name != RUN and len(at) > 1}
    for name in SIZES:
        if name in list_arguments(play) and name in controls and name not in moves:
            moves[name] = list_positions(controls[name], values[name])
    if tables.drawn and "runs" in moves:
        runs = len(tables.positions[RUN])
        moves["runs"] = [number for number in moves["runs"] if number <= runs]
    return {name: moves[name] for name in controls if name in moves}


def describe_title(moves, tables, drawing, controls):
    """What a page says about a figure that it plays."""
    hidden = list(dict.fromkeys(name for name, _ in drawing.hidden if name))
    fixed = {name: at[0] for name, at in tables.positions.items() if len(at) == 1}
    fixed |= {} if "runs" in moves else {"runs": tables.runs}
    return {
        "axes": moves,
        "order": list(moves),
        "fixed": fixed,
        "said": [
            f"{controls[name].symbol} = {controls[name].text(at)}" for name, at in fixed.items() if name != "runs"
        ],
        "drawn": tables.drawn,
        "hidden": hidden,
    }


def describe_control(control, moves, name):
    """What a page says about a control."""
    values = list(dict.fromkeys(value for one in moves.values() for value in one.get(name, ())))
    said = {"label": control.label, "symbol": control.symbol, "help": control.help, "values": values}
    return {**said, "texts": [control.text(value) for value in values], "where": control.where or {}}


def pack_plays(found, pool, built, runs):
    """All that is played, as text: base64 of gzip of the length of a header, the header, fields and modules."""
    leaves, used, blob = list(pool.places), {}, bytearray()
    kinds = {curve.kind: None for tables, _ in found.values() for curve in tables.curves}

    def place(data):
        blob.extend(data)
        return len(blob) - len(data), len(data)

    figures = {title: lay_out_figure(*one, list(kinds), used) for title, one in found.items()}
    fields = [
        [leaf.shape, *place(leaf.data)] if isinstance(leaf, Leaf) else leaf for leaf in map(leaves.__getitem__, used)
    ]
    header = {
        "figures": figures,
        "fields": [[leaf.shape, *place(leaf.data)] if isinstance(leaf, Leaf) else leaf for leaf in fields],
        "modules": [place(built[kind]) for kind in kinds],
        "quantiles": [t_quantile(n) for n in range(2, runs + 1)],
    }
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.b64encode(gzip.compress(struct.pack("<I", len(text)) + text + bytes(blob), 9, mtime=0)).decode()


def lay_out_figure(tables, drawing, kinds, used):
    """One figure, for the header; `used` are the numbers of fields that are packed, in order."""

    def renumber(numbers):
        return [number if number < 0 else used.setdefault(number, len(used)) for number in numbers]

    curves = []
    for curve, (there, *columns) in tables.curves.items():
        packed = [(names, renumber(numbers)) for names, numbers in columns]
        curves.append([curve.simulation, curve.policy, kinds.index(curve.kind), [there, *packed]])
    return {
        "positions": tables.positions,
        "curves": curves,
        "lines": [[line and {**line._asdict(), "at": one["at"]}, one["trace"]] for line, one in drawing.traces],
        "layout": drawing.layout,
    }


def drop_largest(found, pool):
    """Take figures out, the largest first, until what is left finds room in a page; returns their titles."""
    dropped, own = [], {title: list_fields(tables) for title, (tables, _) in found.items()}
    while sum(pool.sizes[number] for number in set().union(*own.values())) > ROOM:
        dropped.append(max(own, key=lambda title: sum(pool.sizes[number] for number in own[title])))
        del own[dropped[-1]], found[dropped[-1]]
    return dropped


def list_fields(tables):
    """Numbers of all fields that a figure uses."""
    columns = (column for curve in tables.curves.values() for column in curve[1:])
    return {number for _, numbers in columns for number in numbers if number >= 0}
