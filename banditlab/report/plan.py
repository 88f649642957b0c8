"""What is to be run: names, scale and parameters, everything checked before a kernel starts."""

import ast
import hashlib
import json
import math
import re
from pathlib import Path
from typing import NamedTuple

import papermill

from ..explorer import check_parameters
from ..explorer.paper import find_paper, reading_order

SCALES = ("quick", "paper")
LONGEST = 80  # characters of a page's name


class Job(NamedTuple):
    """A notebook to run."""

    name: str
    path: Path
    parameters: dict
    changed: dict  # those of the parameters that differ from the notebook's own: then it is a special report
    places: dict  # --notebooks and --out as they were given

    @property
    def page(self):
        """Name of the report's page, without its ending: a special report never takes the standard one's place."""
        if not self.changed:
            return self.name
        text = "-".join(f"{name}{value}" for name, value in self.changed.items())
        plain = re.sub(r"[^\w.=+-]+", "_", text).strip("_.")
        if plain != text or len(plain) > LONGEST:  # two texts must not become one name
            plain = f"{plain[:LONGEST]}-{hashlib.sha256(text.encode()).hexdigest()[:6]}"
        return f"{self.name}-{plain}"


def plan(names, scale, parameters, notebooks, out):
    """The jobs to do, everything checked."""
    if scale not in SCALES:
        raise ValueError(f"scale must be one of {', '.join(SCALES)}, got {scale!r}")
    there = {path.stem: path for path in notebooks.glob("*.ipynb")}
    if not there:
        raise ValueError(f"there is no notebook in {notebooks}")
    in_order = [path.stem for path in sorted(there.values(), key=reading_order)]
    chosen = list(dict.fromkeys(name.removesuffix(".ipynb") for name in names)) or in_order
    for name in chosen:
        if name not in there:
            known = ", ".join(in_order)
            raise ValueError(f"there is no notebook {name!r} in {notebooks}; there are {known}")
        if name == "index":
            raise ValueError(f"{there[name]}: the list of all reports is called index, must be another name")
    if parameters and len(names) != 1:
        raise ValueError(f"parameters are for one named notebook, got {len(names)} names")
    places = {"notebooks": str(notebooks), "out": str(out)}
    return [
        Job(name, there[name].resolve(), *type_parameters(there[name], scale, parameters), places) for name in chosen
    ]


def type_parameters(path, scale, parameters):
    """Parameters for papermill, which itself would take any name and any type, and those that change something."""
    try:
        known = papermill.inspect_notebook(str(path))
    except Exception as error:  # whatever a file that is no notebook provokes
        raise ValueError(f"{path} cannot be read as a notebook: {error}") from None
    for name in ("scale", "live"):
        if name not in known:
            raise ValueError(f"{path} declares no parameter {name!r} in its cell tagged parameters")
        if name in parameters:
            raise ValueError(f"{name} is no parameter to set here: --scale sets the scale, a report is never live")
    values = {}
    for name, value in parameters.items():
        if name not in known:
            allowed = ", ".join(key for key in known if key not in ("scale", "live"))
            raise ValueError(f"{path} has no parameter {name!r}; it has {allowed}")
        values[name] = fit_type(name, value, known[name])
    check_with_module(path, values)
    changed = {name: value for name, value in values.items() if value != own_value(known[name])}
    return {"scale": scale, **changed, "live": False}, changed


def check_with_module(path, values):
    """Refuse what the module beside the notebook does not allow; a kernel would do so too, but a minute later."""
    paper = find_paper(path) if values else None
    if not isinstance(getattr(paper, "CONTROLS", None), dict):
        return
    check_parameters(paper.CONTROLS, **values)
    figures = getattr(paper, "FIGURES", {})
    if figures and values.get("figure", next(iter(figures))) not in figures:
        titles = ", ".join(map(repr, figures))
        raise ValueError(f"figure={values['figure']!r}: must be one of {titles}")


def own_value(declared):
    """The value that stands in the parameters cell; an expression stays text, which no value equals."""
    try:
        return ast.literal_eval(declared["default"])
    except (ValueError, SyntaxError):
        return Ellipsis


def fit_type(name, value, declared):
    """The value with the declared type; text is read as JSON or as a Python literal."""
    kind = declared["inferred_type_name"]
    try:
        if kind == "None":  # no annotation: the type of the default
            kind = type(read_literal(declared["default"])).__name__
        return cast_value(value if kind == "str" else read_literal(value), kind)
    except (ValueError, SyntaxError, TypeError, OverflowError, RecursionError, MemoryError):
        meaning = f" ({declared['help']})" if declared["help"] else ""
        finite = "finite " if kind == "float" else ""
        raise ValueError(f"{name}{meaning} must be of type {finite}{kind}, got {shorten_value(value)}") from None


def shorten_value(value):
    """A value as Python writes it, at most a line of it."""
    text = repr(value)
    return text if len(text) < 100 else f"{text[:97]}..."


def read_literal(text):
    """Text as JSON or else as a Python literal."""
    try:
        return json.loads(text)
    except ValueError:
        return ast.literal_eval(text)


def cast_value(value, kind):
    """The value where it is of the kind (an int passes as a float), else TypeError."""
    base, _, inner = kind.partition("[")
    if base == "float" and type(value) is int:
        value = float(value)
    if type(value).__name__ != base or (base == "float" and not math.isfinite(value)):
        raise TypeError
    return [cast_value(item, inner.removesuffix("]")) for item in value] if base == "list" and inner else value
