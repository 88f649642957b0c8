"""What a reader of a page may change to make another report: its parameters, and what each of them may be."""

from typing import NamedTuple

import papermill

from ..explorer.controls import COMMON, shorten_limit
from ..explorer.grid import GRID
from .plan import own_value


class Parameter(NamedTuple):
    """A parameter of a notebook as a page shows it."""

    name: str
    value: str  # of this run
    meaning: str
    rule: dict  # what it may be: "options", or "least", "most" and "whole" of a number; {}: only the notebook knows
    allowed: str  # the same in words, where there is no list to choose from


def list_parameters(nb, given):
    """The parameters of a notebook that was run with the given values; `live` is none for a page."""
    known = papermill.inspect_notebook(nb) if "kernelspec" in nb.metadata else {}
    instrument = find_instrument(nb)
    rows = []
    for name, declared in known.items():
        value = given.get(name, own_value(declared["default"], declared["default"]))
        if name != "live":
            rule = find_rule(name, declared["inferred_type_name"], instrument)
            rows.append(Parameter(name, str(value), declared["help"], rule, say_rule(rule)))
    return rows


def find_instrument(nb):
    """What the first figure of a notebook that moves says of figures and controls."""
    outputs = (output for cell in nb.cells for output in cell.get("outputs", []))
    grids = (output["data"][GRID] for output in outputs if GRID in output.get("data", {}))
    return next(grids, {}).get("instrument", {"titles": [], "controls": {}})


def find_rule(name, kind, instrument):
    """The rule of a parameter of this type."""
    control = instrument["controls"].get(name, {})
    lists = {"figure": instrument["titles"], "scale": COMMON["scale"].options}
    if options := control.get("options") or lists.get(name) or (("True", "False") if kind == "bool" else ()):
        return {"options": list(options)}
    if kind not in ("int", "float"):
        return {}
    least = 0 if name == "seed" else control.get("least")
    return {"whole": kind == "int", "least": least, "most": control.get("most")}


def say_rule(rule):
    """A rule in words; options are seen where they are chosen."""
    least, most = (None if rule.get(end) is None else f"{shorten_limit(rule[end]):,}" for end in ("least", "most"))
    return f"{least} to {most}" if least and most else f"at least {least}" if least else ""
