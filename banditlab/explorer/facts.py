"""What an instrument must know of figures, controls and presets, as plain data, in a notebook and in a report."""

from .controls import Choice, Slider, offered_values
from .figure import first_sentence, list_arguments

MOST = 3  # main controls; the others are folded


def describe_instrument(figures, values, controls, presets, texts=True):
    """Return the facts that `instrument.js` builds an instrument of.

    Parameters
    ----------
    figures, values, controls, presets
        As of `explore`.
    texts : bool
        Whether all positions of the controls and their words are among them; a page has those that it can show.

    Returns
    -------
    dict
        "titles" and "order" of figures and controls; "figures": title to the names of its controls, the main ones, the
        paper's own values, where claims change their verdicts, the values it opens with, what it is about; "controls";
        "presets"; "start".
    """
    there = [name for name in controls if name in values]
    wanted = {name: {values[name], *(p[name] for p in presets.values() if name in p)} for name in there}
    return {
        "titles": list(figures),
        "order": there,
        "figures": {title: describe_front(function, controls, there) for title, function in figures.items()},
        "controls": {name: describe_slider_row(controls[name], wanted[name], texts) for name in there},
        "presets": [describe_setting(title, preset) for title, preset in presets.items()],
        "start": {"figure": values["figure"], **{name: values[name] for name in there}},
    }


def describe_front(function, controls, there):
    """Return what a figure function says of itself; `there` are the controls that there are."""
    taken = list_arguments(function)
    names = [name for name in there if name in taken]
    main = getattr(function, "main", ()) or [name for name in names if controls[name].main]
    return {
        "names": names,
        "main": [name for name in main if name in names][:MOST],
        "marks": {name: at for name, at in getattr(function, "marks", {}).items() if name in names},
        "edges": [edge for edge in getattr(function, "edges", ()) if edge[0].keys() <= set(names)],
        "opens": {name: value for name, value in getattr(function, "opens", {}).items() if name in names},
        "about": getattr(function, "about", first_sentence(function)),
    }


def describe_slider_row(control, wanted, texts):
    """Return a control as plain data; `wanted` are values that it must be able to show."""
    kind = "slider" if isinstance(control, Slider) else "choice" if isinstance(control, Choice) else "switch"
    said = {"kind": kind, "label": control.label, "symbol": control.symbol, "help": control.help}
    said |= {"where": {name: list(allowed) for name, allowed in (control.where or {}).items()}}
    if kind == "slider":
        said |= {"unit": control.unit, "whole": control.whole, "least": control.lo, "most": control.hi}
    if kind == "choice":
        said |= {"options": list(control.options)}
    return said | (describe_values(control, offered_values(control, wanted)) if texts else {})


def describe_values(control, values):
    """Return values that a control takes, and how each is shown."""
    return {"values": values, "texts": [control.text(value) for value in values]}


def describe_setting(title, preset):
    """Return a preset as plain data; one that says something is a step of the guided tour."""
    values = {name: value for name, value in preset.items() if name not in ("say", "move")}
    return {"title": title, "say": preset.get("say", ""), "move": list(preset.get("move", ())), "values": values}
