"""Figure functions: which parameters they take, how they are called, and what their figures say of themselves."""

import inspect
import json

from ..evidence.status_line import NOTEBOOK


def list_arguments(function):
    """Return the names of the parameters of a figure function, `progress` left out."""
    return [name for name in inspect.signature(function).parameters if name != "progress"]


def list_missing(function, values):
    """Return the parameters that a figure function needs and nobody gives."""
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.default is p.empty and p.name not in (*values, "progress")]


def call_figure(function, values, progress=None):
    """Call a figure function with those of the values that it takes, and return its figure."""
    taken = {name: values[name] for name in list_arguments(function) if name in values}
    figure, _ = function(**taken, progress=progress)
    return figure


def read_meta(figure, name):
    """Return the caption or the alt text that a figure carries, or an empty string."""
    return (figure.layout.meta or {}).get(name, "")


def first_sentence(function):
    """Return the first line of a figure function's docstring."""
    return (inspect.getdoc(function) or "").partition("\n")[0]


def display_with_caption(figure, more=None):
    """Display a figure, with more of its kind in the same output, and under it its caption."""
    from IPython.display import display

    display({**figure_bundle(figure), **(more or {})}, raw=True)
    if said := read_meta(figure, "caption"):  # for a notebook only: a report sets captions itself
        display({"text/markdown": said, "text/plain": said, NOTEBOOK: {}}, raw=True)


def figure_bundle(figure):
    """Return a figure as a display bundle that needs no widget: what a report shows."""
    made = json.loads(figure.to_json())
    return {"application/vnd.plotly.v1+json": made, "text/plain": read_meta(figure, "alt") or "figure"}
