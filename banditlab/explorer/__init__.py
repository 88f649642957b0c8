"""One function and its controls: live sliders in JupyterLab, a plain figure in a report.

May import `study` and what it may import.
"""

import html
import inspect
import time
import uuid
from collections.abc import Callable, Mapping

from ..evidence.status_line import NOTEBOOK, running_shell
from .cell import parameters_cell, read_parameters
from .controls import Choice, Control, Slider, Switch, check_parameters, timed
from .figure import call_figure, display_with_caption, list_missing
from .grid import grid_bundle

__all__ = ["Choice", "Slider", "Switch", "check_parameters", "explore", "read_parameters", "parameters_cell", "timed"]

HOW = "For all sliders: Run → Run All Cells."


def explore(
    figures: Mapping[str, Callable],
    values: Mapping[str, object],
    controls: Mapping[str, Control],
    presets: Mapping[str, dict] | None = None,
    notebook: str = "",
    live: bool = True,
    grid: Mapping[str, dict] | None = None,
) -> None:
    """Show a figure, and let the reader change it.

    Parameters
    ----------
    figures : dict of str to callable
        Title and function of each figure. A function takes plain numbers as keywords and ``progress=None`` and returns
        (plotly figure, result); it gets those of `values` that it names. Caption and alt text travel in
        ``figure.layout.meta``.
    values : dict
        The parameters cell: every parameter, and `figure`, the title of the figure to start with.
    controls : dict of str to Slider, Choice or Switch
        What the reader may change of `values`. A figure shows the controls of the parameters that it takes.
    presets : dict of str to dict, optional
        Named settings: values to put in place of those of the parameters cell; `figure` may be among them. One with
        words, ``say``, is a step of the guided tour; ``move`` lists the controls that it puts in front.
    notebook : str
        Name of the notebook, without folder and ending, for the command that makes the figure again.
    live : bool
        Without it no widget is made and the figure is shown as it is.
    grid : dict of str to dict, optional
        What a report computes beforehand, so that it slides without a kernel: see `banditlab.explorer.grid`; by scale
        where it has the keys "quick" and "paper".

    Raises
    ------
    TypeError
        If a value or a preset has the wrong type, or a figure function needs a parameter that is not in `values`.
    ValueError
        If a value or a preset is out of range, or names what does not exist.
    """
    values = check_values(figures, values, controls)
    presets = {title: check_preset(title, one, figures, values, controls) for title, one in (presets or {}).items()}
    grid = (grid or {}).get(values.get("scale"), grid)
    if live:
        show_live(figures, values, controls, presets, notebook, grid)
    else:
        cells = grid_bundle(figures, values, controls, grid, presets) if grid else {}
        display_with_caption(call_figure(figures[values["figure"]], values), cells)


def show_live(figures, values, controls, presets, notebook, grid):
    """Show the panel after the plain figure, whose place it takes.

    A viewer without widgets, a saved notebook and papermill's output have the plain figure, and soon above it the
    instrument with figures computed in advance. While it is being made a line says so; in a notebook opened again the
    same line says how all sliders come back.
    """
    from IPython.display import display, update_display

    from .reader import hear_reader  # widgets are loaded only where they are shown

    hear_reader()
    output = uuid.uuid4().hex
    title = values["figure"]
    display(still_line(f"{title}: compiling..."), raw=True, display_id=output)
    try:
        begin = time.perf_counter()
        figure = call_figure(figures[title], values)
        seconds = time.perf_counter() - begin
        from .panel import Panel

        panel = Panel(figures, values, controls, presets, notebook, figure, seconds)
    except BaseException:
        update_display({"text/plain": "", NOTEBOOK: {}}, raw=True, display_id=output)
        raise
    update_display(still_line(HOW), raw=True, display_id=output)
    display_with_caption(figure)
    display({**panel.widget._repr_mimebundle_(), "text/plain": "", NOTEBOOK: {}}, raw=True)
    from .precompile import tell_panel

    tell_panel(notebook, panel.compiling)

    def frame(alive):
        """Give whoever opens the saved notebook an instrument."""
        from .saved import WORDS, frame_instrument

        options = figures, values, controls, presets, notebook, grid
        if made := frame_instrument(*options, lambda fraction: alive()):
            update_display(still_line(f"{WORDS} {HOW}", made), raw=True, display_id=output)

    panel.do_later(frame)


def still_line(text, frame=""):
    """Return a display bundle of one line and a frame, with the rule that a panel whose kernel is gone is hidden."""
    after = ".jp-OutputArea-child:has(> .jp-RenderedPlotly) ~ .jp-OutputArea-child"
    gone = f"{after}:not(:has(.banditlab-explorer, [data-mime-type]))"
    rule = f".jp-OutputArea:has(.banditlab-still) > {gone} {{ display: none !important }}"
    page = f'<p class="banditlab-still" role="status">{html.escape(text)}</p><style>{rule}</style>{frame}'
    return {"text/html": page, "text/plain": text, NOTEBOOK: {}}


def show_captions():
    """Let figures that a notebook shows have their captions under them."""
    if shell := running_shell():
        import plotly.graph_objects as go

        shell.display_formatter.ipython_display_formatter.for_type(go.Figure, display_with_caption)


show_captions()


def check_values(figures, values, controls):
    """Return the values as plain Python values, all checked."""
    if values.get("figure") not in figures:
        titles = ", ".join(map(repr, figures))
        raise ValueError(f"figure={values.get('figure')!r}: must be one of {titles}")
    for title, function in figures.items():
        if "progress" not in inspect.signature(function).parameters:
            raise TypeError(f"figures[{title!r}]: {function.__name__} must take progress=None")
        if lacking := list_missing(function, values):
            raise TypeError(f"values: {function.__name__} ({title!r}) also needs {', '.join(lacking)}")
    return check_parameters(controls, **values)


def check_preset(title, preset, figures, values, controls):
    """Return the values of a preset as plain Python values, all checked, and what a step of the tour says."""
    step = {name: preset[name] for name in ("say", "move") if name in preset}
    preset = {name: value for name, value in preset.items() if name not in step}
    if unknown := [name for name in preset if name not in values]:
        raise ValueError(f"presets[{title!r}]: {unknown[0]!r} is none of the values {', '.join(map(repr, values))}")
    try:
        check_values(figures, {**values, **preset}, controls)
    except (TypeError, ValueError) as error:
        raise type(error)(f"presets[{title!r}]: {error}") from None
    return {**check_parameters(controls, **preset), **step}
