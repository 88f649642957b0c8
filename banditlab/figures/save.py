"""A figure as a file for a paper: its width, its fonts, no title, thin lines."""

import math
import os
from pathlib import Path

import plotly.graph_objects as go

from ..validate import choice, number

WIDTHS = {"column": 3.25, "page": 6.75}  # inches, of a paper in two columns
INCH, POINT = 96, 96 / 72  # plotly's pixels
FONT = "Times New Roman, Liberation Serif, Nimbus Roman, serif"
ENDINGS = (".svg", ".pdf", ".png", ".webp")


def save_figure(
    figure: go.Figure,
    path: str | os.PathLike,
    width: str | float = "column",
    height: float | None = None,
    font: str = FONT,
    size: float = 8,
) -> None:
    """Write a figure as SVG, PDF, PNG or WebP, as a paper needs it: the caption is the paper's, so the title goes.

    Needs kaleido (``pip install -e '.[picture]'``), and Chromium or Chrome on the machine.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure, which stays as it is
    path : path-like, ending in .svg, .pdf, .png or .webp
    width : {"column", "page"} or float
        Of a paper in two columns: 3.25 or 6.75 inches; or inches, 1 to 20.
    height : float, optional
        Inches, 1 to 20; by default two thirds of the width of a panel for every row of panels.
    font : str
        Families to try, the first first.
    size : float
        Of all texts, in points, 4 to 24.

    Examples
    --------
    >>> from banditlab import classic, figures, simulate
    >>> result = simulate(classic.bernoulli([0.9, 0.5]), classic.ucb1(2), 500, runs=5)
    >>> figures.save_figure(figures.regret(result), "regret.pdf")  # doctest: +SKIP
    """
    path = Path(path)
    choice("path's ending", path.suffix.lower(), ENDINGS)
    inches = width if isinstance(width, int | float) else WIDTHS[choice("width", width, tuple(WIDTHS))]
    inches, size = number("width", inches, least=1, most=20), number("size", size, least=4, most=24)
    height = None if height is None else number("height", height, least=1, most=20)
    small = fit_to_print(figure, inches, height, {"size": size * POINT, "family": font, "color": "black"})
    try:
        small.write_image(path, scale=1 if path.suffix.lower() in (".svg", ".pdf") else 4)
    except Exception as error:  # kaleido has errors of its own where no browser is found or starts
        needs = f"pictures need kaleido (pip install -e '.[picture]') and Chromium or Chrome: {error}"
        raise RuntimeError(f"path={str(path)!r}: {needs}") from error


def fit_to_print(figure, inches, height, text):
    """A copy of the figure in the size of print; `text` is the font."""
    small, unit = go.Figure(figure.to_dict()), text["size"]
    rows = len({round(axis.domain[0], 3) for axis in small.select_yaxes() if axis.domain})
    columns = len({round(axis.domain[0], 3) for axis in small.select_xaxes() if axis.domain})
    above = (1.9 * count_legend_lines(small, inches * INCH / unit) + 1.8 * bool(small.layout.annotations) + 0.5) * unit
    if height is None:
        height = inches / max(1, columns) * max(1, rows) * 2 / 3 + above / INCH
    axis = dict(title_font=text, tickfont=text, title_standoff=4, ticks="outside", ticklen=3)
    small.update_layout(
        title=None, template="plotly_white", width=inches * INCH, height=height * INCH, font=text,
        margin=dict(l=4.5 * unit, r=unit, t=above, b=3.5 * unit),
        legend=dict(orientation="h", x=0, y=1, yref="container", yanchor="top", font=text, itemwidth=30),
    )  # fmt: skip
    small.update_xaxes(axis).update_yaxes(axis).update_annotations(font=text)
    for trace in small.select_traces({"type": "scatter"}):
        if trace.line.width != 0 and "lines" in (trace.mode or "lines"):  # no band
            trace.line.width = 1.2 * POINT
    return small


def count_legend_lines(figure, width):
    """How many lines the legend will take, about; `width` in sizes of the font."""
    names = [trace.name for trace in figure.data if trace.name and trace.showlegend is not False]
    return math.ceil(sum(0.5 * len(name) + 4.5 for name in names) / width) if len(names) > 1 else 0
