"""What a reader takes away: the command that makes the figure again, and the numbers of its lines."""

import csv
import io
import json
import shlex
from collections import Counter
from itertools import product, zip_longest
from urllib.parse import quote, urlencode


def make_line(notebook, scale, given):
    """Return the `make` line of a report of a notebook in the usual place.

    Parameters
    ----------
    notebook, scale : str
        Name of the notebook, quick or paper.
    given : dict
        The parameters that are not the notebook's own. Whoever copies a line has reports of their own, so ``out`` is
        none of it.

    Examples
    --------
    >>> make_line("factored", "quick", {"d": 6, "figure": "Figure 4"})
    'make report NB=factored P="-p d 6 -p figure \\'Figure 4\\'" SCALE=quick'
    """
    arguments = list_options(given, {})
    quoted = f'"{arguments}"' if not set(arguments) & set('"$`\\') else shlex.quote(arguments.replace("$", "$$"))
    return f"make report NB={shlex.quote(notebook)} " + (f"P={quoted} " if arguments else "") + f"SCALE={scale}"


def report_lines(notebook, scale, given, places):
    """Return the lines that make a report again, the best first; notebooks outside the repository have no Makefile."""
    line = f"python -m banditlab.report {shlex.quote(notebook)} --scale {scale} {list_options(given, places)}".rstrip()
    return [line] if "notebooks" in places else [make_line(notebook, scale, given), line]


def lab_line(notebook, places):
    """Return the line that opens a notebook, wherever it is."""
    return "jupyter lab " + shlex.quote(f"{places.get('notebooks', 'notebooks').rstrip('/')}/{notebook}.ipynb")


def list_options(given, places):
    """Return parameters and places as options of the report command."""
    parameters = [f"-p {name} {shlex.quote(str(value))}" for name, value in given.items()]
    return " ".join(parameters + [f"--{name} {shlex.quote(value)}" for name, value in places.items()])


def papermill_command(notebook, values):
    """Return the papermill line that runs a notebook at these values, or nothing without a notebook."""
    given = [(name, value) for name, value in values.items() if name != "live"]
    # -r keeps a string that looks like something else
    options = [f"{'-r' if isinstance(value, str) else '-p'} {name} {shlex.quote(str(value))}" for name, value in given]
    line = f"papermill {shlex.quote(f'notebooks/{notebook}.ipynb')} out.ipynb {' '.join(options)} -p live False"
    return line if notebook else ""


def report_link(notebook, given):
    """Return the address that opens the report of a notebook at this setting.

    Parameters
    ----------
    notebook : str
        Its name.
    given : dict
        Title of the figure, and the parameters that are not the notebook's own.

    Examples
    --------
    >>> report_link("factored", {"figure": "Figure 4", "d": 6, "lower": False})
    'factored.html#figure=Figure+4&d=6&lower=false'
    """
    said = {name: value if isinstance(value, str) else json.dumps(value) for name, value in given.items()}
    return f"{quote(notebook)}.html#{urlencode(said)}"


def format_csv(figure, head=()):
    """Return the traces of a figure as CSV text.

    Columns are panel (1, 2, ... where a figure has several), series, x, y, and low and high where the series has a
    band: a closed trace of the same legend group before it, its upper edge first. One row per series and x; of a map
    one per cell, its value in a column z. Lines that begin with ``#`` stand on top: those of `head`, and what the axes
    of each panel are.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
    head : iterable of str
        Lines for the top.
    """
    panels, bands, taken, rows = {}, {}, Counter(), []
    for trace in figure.data:
        panel = panels.setdefault((trace.xaxis or "x", trace.yaxis or "y"), len(panels) + 1)
        if trace.type == "scatter" and trace.fill == "toself" and trace.legendgroup is not None:  # the band of a line
            bands[panel, trace.legendgroup] = trace.y
            continue
        closed = bands.pop((panel, trace.legendgroup), ())
        high, low = closed[: len(closed) // 2], closed[len(closed) // 2 :][::-1]
        columns = (() if column is None else column for column in (trace.x, trace.y, low, high))
        points = [row for row in zip_longest(*columns, fillvalue="") if row[0] is not None]
        if "z" in trace and trace.z is not None:
            cells = product(enumerate(trace.y), enumerate(trace.x))
            points = [(x, y, "", "", trace.z[j][i]) for (j, y), (i, x) in cells]
        if points:  # a trace without points only stands in the legend
            taken[panel, trace.name] += 1
            number = taken[panel, trace.name]
            name = f"{trace.name} ({number})" if number > 1 else trace.name
            rows += [(panel, name, *row) for row in points]
    text = io.StringIO()
    for line in (*head, *(f"panel {number}: {axis_titles(figure, *pair)}" for pair, number in panels.items())):
        text.write(f"# {line}\n")
    names = ("panel", "series", "x", "y", "low", "high", "z")[: max(map(len, rows), default=6)]
    csv.writer(text, lineterminator="\n").writerows([names, *rows])
    return text.getvalue()


def axis_titles(figure, x, y):
    """Return in words what the axes of a panel are."""
    shown = (figure.layout[f"{axis[0]}axis{axis[1:]}"].title.text or "not named" for axis in (x, y))
    return "x is {}, y is {}".format(*shown)
