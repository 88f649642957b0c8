"""Data in, plotly figure out; one palette, one layout."""

import functools
import json

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
from plotly.subplots import make_subplots

from ..evidence.estimates import interval as _interval
from ..validate import number
from .palette import BOUND, DASHES, PALETTE, places_of

# One template with all that a flat figure needs: plotly merges and checks the templates of every figure anew.
_WHITE = pio.templates["plotly_white"].to_plotly_json()["layout"]
_FLAT = {name: _WHITE[name] for name in ("autotypenumbers", "colorscale", "font", "hoverlabel", "xaxis", "yaxis")}
pio.templates["banditlab"] = go.layout.Template(
    layout=dict(
        **_FLAT,
        paper_bgcolor="white",
        plot_bgcolor="white",
        colorway=PALETTE,
        font_size=14,
        hovermode="closest",
        margin=dict(l=84, r=30, t=110, b=60),  # room for ticks: where plotly must make it, it draws twice
        title=dict(x=0, xref="paper", xanchor="left", y=0.98, yanchor="top", yref="container", font_size=18),
        legend=dict(orientation="h", x=0, xanchor="left", yref="container", yanchor="top"),
        # plotly would offer to upload the chart to its maker's cloud
        modebar_remove=["sendChartToCloud", "lasso2d", "select2d"],
    )
)
TEMPLATE = "banditlab"


def _style(index):
    """Colour and dash of the index-th curve: they differ together, so that colour alone never tells."""
    return dict(color=PALETTE[index % len(PALETTE)], dash=DASHES[index % len(DASHES)], width=2.5)


def _translucent(colour, share=0.18):
    """The colour as rgba."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share})"


@functools.lru_cache(64)
def _frame(rows, columns, options):
    """Panels with the house's layout: plotly takes 7 ms to put them together and 2 to copy them, at every step of a
    slider. The options are JSON, so that a cache can keep them."""
    options = json.loads(options)
    figure = make_subplots(rows=rows, cols=columns, **options)
    height = 470 if rows == 1 else 150 + 230 * rows
    above = 135 if "subplot_titles" in options else 110  # title, two lines of legend, titles of the panels
    return figure.update_layout(template=TEMPLATE, height=height, margin_t=above, legend_y=1 - 44 / height)


def _panels(rows, columns, options):
    """A figure of panels in which nothing is drawn yet."""
    return go.Figure(_frame(rows, columns, options))


def blank(title, x, y, caption, rows=1, columns=1, **options):
    """Return an empty figure with the house's layout.

    Parameters
    ----------
    title : str
        Says what is seen, also to those who do not see it.
    x, y : str
        Axis titles, with units.
    caption : str
        What to conclude; markdown and TeX.
    rows, columns : int
        Panels.
    **options
        Passed on to plotly's ``make_subplots``.

    Returns
    -------
    plotly.graph_objects.Figure
        The figure.
    """
    figure = _panels(rows, columns, json.dumps(options))
    figure.update_layout(title_text=title, meta=dict(caption=caption, alt=title))
    for column in range(1, columns + 1):
        figure.get_subplot(rows, column).xaxis.title.text = x
    for row in range(1, rows + 1):
        figure.get_subplot(row, 1).yaxis.title.text = y
    return figure


def _where(figure, options):
    """Take the panel, from 1, and whether the legend names a trace, out of a call's options, in plotly's words."""
    panel = figure.get_subplot(options.pop("row", 1), options.pop("column", 1))
    axes = {axis.plotly_name[:5]: axis.plotly_name.replace("axis", "") for axis in panel}
    return axes, options.pop("legend", True)


def _add(figure, **options):
    """Add a trace of lines or markers: told as a dict, for plotly makes what its ``add_scatter`` is told twice."""
    figure.add_trace(dict(type="scatter", **options))


def curve(figure, x, y, name, index, band=None, **options):
    """Add a curve, with its band where one is given.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        Where to.
    x, y : array_like, shape (n,)
        The curve.
    name : str
        Its name in the legend.
    index : int
        Its place in the palette.
    band : pair of array_like, shape (n,), optional
        Its lower and its upper edge.
    **options
        ``row=1, column=1``: the panel. ``legend=True``: whether the legend names it (once, where there are several
        panels). All others are passed on to the trace.
    """
    x, (axes, legend) = np.asarray(x), _where(figure, options)
    line = {**_style(index), **options.pop("line", {})}
    if band is not None:
        low, high = map(np.asarray, band)
        edge = np.concatenate([high, low[::-1]])
        _add(
            figure, x=np.concatenate([x, x[::-1]]), y=edge, fill="toself",
            fillcolor=_translucent(line["color"]), line=dict(width=0), mode="lines",
            name=f"{name} (band)", legendgroup=name, showlegend=False, hoverinfo="skip", **axes,
        )  # fmt: skip
    _add(
        figure, x=x, y=np.asarray(y), name=name, legendgroup=name, showlegend=legend, line=line,
        **axes, **{"mode": "lines", **options},
    )  # fmt: skip


def bound(figure, x, y, name, index=0, **where):
    """Add a theoretical bound: thin and grey, so that it is never taken for a measurement.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure, where to
    x, y : array_like, shape (n,), the bound
    name : str, its name, with the theorem
    index : int, its dash
    **where
        Row, column and legend, as of `curve`.
    """
    line, (axes, legend) = dict(color=BOUND, width=1.5, dash=DASHES[1 + index % 5]), _where(figure, where)
    _add(
        figure, x=np.asarray(x), y=np.asarray(y), name=name, legendgroup=name, showlegend=legend, mode="lines",
        line=line, **axes,
    )  # fmt: skip


PRINTED = "paper, printed"


def printed(figure, x, y, text, colour=BOUND, **where):
    """Add what a paper prints as a number: pale, a line or a diamond, named once in the legend; before the curves.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure, where to
    x, y : list of float, one place, or the ends of a line
    text : str, what is printed, for the pointer
    colour : str, of the curve that it belongs to
    **where
        Row and column, as of `curve`.
    """
    if PRINTED not in (trace.name for trace in figure.data):
        key = dict(symbol="diamond", size=14, color=_translucent(BOUND, 0.45))
        _add(figure, x=[None], y=[None], mode="markers", name=PRINTED, legendgroup=PRINTED, marker=key)
    pale, (axes, _) = _translucent(colour, 0.3), _where(figure, where)
    _add(
        figure, x=x, y=y, mode="markers" if len(x) == 1 else "lines", name=PRINTED, legendgroup=PRINTED,
        showlegend=False, line=dict(color=pale, width=7), marker=dict(symbol="diamond", size=17, color=pale),
        hovertemplate=f"{text}<extra>{PRINTED}</extra>", **axes,
    )  # fmt: skip


def regret(result, band=None, title="", caption="", figure=None, styles=None, **where):
    """Draw mean regret, or the metric of the result, against rounds, a curve for every policy.

    Parameters
    ----------
    result : Result
        What `simulate` returned.
    band : float, optional
        Half width of the band in standard errors; by default the 95 % t-interval of the mean.
    title, caption : str
        Of a new figure; by default they say what is drawn.
    figure : plotly.graph_objects.Figure, optional
        Where to draw; a new figure by default.
    styles : dict of str to int, optional
        Place of each policy in the palette; by default their order.
    **where
        Row, column and legend, as of `curve`.

    Returns
    -------
    plotly.graph_objects.Figure
        The figure.
    """
    if band is not None:
        number("band", band, least=0)
    if figure is None:
        runs, what = result.regret.shape[1], "cumulative regret" if result.metric == "regret" else result.metric
        said = caption or f"Mean {what} over {runs} runs; band: {band_name(band)}."
        figure = blank(title or what[0].upper() + what[1:], "round t", what, said)
        name_band(figure, band)
    for name, index in places_of(result.policies, styles).items():
        there = np.isfinite(values := result.of_policy(name)).all(axis=0)  # nowhere else is it played
        mean, se, half = _interval(values[:, there])
        wide = half if band is None else band * se
        edges = None if result.regret.shape[1] == 1 else (mean - wide, mean + wide)
        curve(figure, result.checkpoints[there], mean, name, index, edges, **where)
    return figure


def panels(results, band, title, x, caption, styles, **options):
    """Draw the mean regret of several results, three panels a row.

    Parameters
    ----------
    results : dict of str to Result
        Title of each panel, and what `simulate` returned.
    band : float or None
        Half width of the bands in standard errors; None is the 95 % t-interval.
    title, x, caption : str
        As in `blank`.
    styles : dict of str to int
        Place of each policy in the palette.
    **options
        Passed on to plotly's ``make_subplots``.

    Returns
    -------
    plotly.graph_objects.Figure
        The figure.
    """
    columns = min(3, len(results))
    rows = -(-len(results) // columns)
    figure = blank(
        title, x, "regret", caption, rows=rows, columns=columns, subplot_titles=list(results), shared_xaxes=rows > 1,
        horizontal_spacing=0.03 if "shared_yaxes" in options else 0.07, vertical_spacing=0.28 / rows, **options,
    )  # fmt: skip
    name_band(figure, band)
    for place, result in enumerate(results.values()):
        at = dict(row=1 + place // columns, column=1 + place % columns, legend=place == 0)
        regret(result, band, figure=figure, styles=styles, **at)
    height = 150 + max(320, 185 * rows)
    figure.update_layout(height=height, legend_y=1 - 44 / height).update_annotations(font_size=13)
    figure.update_xaxes(nticks=4, tickfont_size=11, title_font_size=12)
    return figure.update_yaxes(tickfont_size=11, title_font_size=12)


def quantiles(figure, result, level=0.5, styles=None, method="linear", **options):
    """Draw a quantile of regret over runs against rounds, a curve for every policy; the legend is the means' one.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        Where to.
    result : Result
        What `simulate` returned.
    level : float
        In (0, 1); 0.5 is the median.
    styles : dict of str to int, optional
        Place of each policy in the palette; by default their order.
    method : str
        As of numpy's ``quantile``.
    **options
        Row and column, and what else `curve` takes.
    """
    for name, index in places_of(result.policies, styles).items():
        there = np.isfinite(values := result.of_policy(name)).all(axis=0)
        middle = np.quantile(values[:, there], level, axis=0, method=method)
        curve(figure, result.checkpoints[there], middle, name, index, **{"legend": False, **options})


def distribution(figure, result, styles=None, row=1, column=1):
    """Draw the share of runs with at most so much regret at the horizon: one step per run, one curve per policy.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        Where to.
    result : Result
        What `simulate` returned.
    styles : dict of str to int, optional
        Place of each policy in the palette; by default their order.
    row, column : int
        Panel, from 1.
    """
    for name, index in places_of(result.policies, styles).items():
        final = np.sort(result.of_policy(name)[:, -1])
        share = np.arange(1, len(final) + 1) / len(final)
        curve(figure, final, share, name, index, row=row, column=column, legend=False, line=dict(shape="hv"))
    figure.update_xaxes(title_text=f"regret at T = {result.checkpoints[-1]:,}", row=row, col=column)
    figure.update_yaxes(title_text="share of runs", range=[0, 1.03], row=row, col=column)


def rounds(horizon, first=2, count=60):
    """Return rounds for a curve of a bound: whole numbers, evenly spaced on a logarithmic axis, none twice.

    Parameters
    ----------
    horizon : int
        The last one, at least `first`.
    first : int
        The first one, at least 1.
    count : int
        How many at most.

    Returns
    -------
    ndarray of int
        Ascending.

    Examples
    --------
    >>> rounds(1000, count=4)
    array([   2,   15,  125, 1000])
    """
    return np.unique(np.geomspace(first, horizon, count).astype(int))


def name_band(figure, band):
    """Let the legend say what the band is.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        Where to.
    band : float or None
        Half width in standard errors; None is the 95 % t-interval.
    """
    _add(
        figure, x=[None], y=[None], mode="markers", name=band_name(band), hoverinfo="skip",
        marker=dict(symbol="square", size=14, color=_translucent(BOUND, 0.35)),
    )  # fmt: skip


def logarithmic(figure, **where):
    """Make y axes logarithmic, labelled at powers of ten.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        Where to.
    **where
        Row and column, as plotly's ``update_yaxes`` takes them; all axes by default.
    """
    figure.update_yaxes(type="log", dtick=1, exponentformat="power", **where)


def band_name(band):
    """Return the band in words.

    Parameters
    ----------
    band : float or None
        Half width in standard errors; None is the 95 % t-interval.

    Returns
    -------
    str
        For captions and legends.
    """
    if band is None:
        return "95 % t-interval of the mean"
    return "mean ± " + ("1 standard error" if band == 1 else f"{band:g} standard errors")
