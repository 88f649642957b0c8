"""What is to be run: names, scale and parameters, everything checked before a kernel starts."""

import ast
import hashlib
import itertools
import json
import math
import re
from pathlib import Path
from typing import NamedTuple

import papermill

from ..explorer import check_parameters
from ..explorer.paper import choose_notebooks, find_paper
from ..validate import shown

SCALES = ("quick", "paper")
LONGEST, MOST = 80, 64  # characters of a page's name; reports of a grid


class Job(NamedTuple):
    """A notebook to run."""

    name: str
    path: Path
    parameters: dict
    changed: dict  # those of the parameters that differ from the notebook's own: then it is a special report
    given: dict  # those that the command names, whatever the notebook's own are
    notebooks: str  # --notebooks as it was given

    @property
    def page(self):
        """Name of the report's page, without its ending: a special report never takes the standard one's place."""
        return name_page(self.name, self.changed) if self.changed else self.name


def name_page(name, changed):
    """The name of a page about these parameters, one that no other page has."""
    text = "-".join(f"{parameter}{value}" for parameter, value in changed.items())
    plain = re.sub(r"[^\w.=+-]+", "_", text).strip("_.")
    if plain != text or len(plain) > LONGEST:  # two texts must not become one name
        plain = f"{plain[:LONGEST]}-{hashlib.sha256(text.encode()).hexdigest()[:6]}"
    return f"{name}-{plain}"


def plan(names, scale, parameters, notebooks):
    """The jobs to do, everything checked; a parameter of several values, with commas between, makes a job for each."""
    chosen = choose_notebooks(names, notebooks)
    if "index" in chosen:
        raise ValueError(f"{chosen['index']}: the list of all reports is called index, must be another name")
    if parameters and len(names) != 1:
        raise ValueError(f"parameters are for one named notebook, got {len(names)} names")
    return [
        Job(name, path.resolve(), *type_parameters(path, scale, one), str(notebooks))
        for name, path in chosen.items()
        for one in list_settings(path, parameters)
    ]


def list_settings(path, parameters):
    """The settings of a grid: every choice of one value for each parameter."""
    known = inspect_parameters(path) if parameters else {}
    lists = [split_values(path, known.get(name), name, text) for name, text in parameters.items()]
    settings = [dict(zip(parameters, chosen, strict=True)) for chosen in itertools.product(*lists)]
    if len(settings) > MOST:
        raise ValueError(f"the values given make {len(settings)} reports; at most {MOST} are made at once")
    return settings


def split_values(path, declared, name, text):
    """The values that a text gives for a parameter: words are cut at commas only where they are no value as a whole."""
    kind = declared["inferred_type_name"] if declared else ""
    if "," not in text or kind.startswith(("list", "tuple", "dict")) or not declared:
        return [text]
    if kind in ("str", "None"):
        try:
            check_with_module(path, {name: fit_type(name, text, declared)})
            return [text]
        except ValueError:
            pass
    values = [value.strip() for value in text.split(",")]
    if twice := [value for place, value in enumerate(values) if value in values[:place]]:
        raise ValueError(f"{name}={text!r}: {twice[0]!r} is given twice; each value must be given once")
    return values


def inspect_parameters(path):
    """What a notebook declares in its cell of parameters."""
    try:
        return papermill.inspect_notebook(str(path))
    except Exception as error:  # whatever a file that is no notebook provokes
        raise ValueError(f"{path} cannot be read as a notebook: {error}") from None


def type_parameters(path, scale, parameters):
    """Parameters for papermill, which itself would take any name and any type, and those that change something."""
    known = inspect_parameters(path)
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
    changed = {name: value for name, value in values.items() if value != own_value(known[name]["default"], ...)}
    return {"scale": scale, **changed, "live": False}, changed, values


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


def own_value(text, otherwise):
    """The value that stands in the parameters cell as this text; something else where it is an expression."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return otherwise


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
        raise ValueError(f"{name}{meaning} must be of type {finite}{kind}, got {shown(value)}") from None


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
