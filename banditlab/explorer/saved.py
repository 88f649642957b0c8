"""The instrument that a saved notebook shows where no kernel is: a report's page of one figure, in a frame."""

from html import escape

from .cell import parameters_cell
from .figure import call_figure, figure_bundle
from .grid import check_grid, grid_bundle

WORDS = "Without a kernel the sliders choose among figures computed in advance."
STYLE = """<style>
iframe.banditlab-still { width: 100%; height: 54rem; border: 0; --turned: invert(.92) hue-rotate(180deg) }
.jp-OutputArea-child:has(iframe.banditlab-still) ~ .jp-OutputArea-child:not(:has(.banditlab-explorer)) { display: none }
/* The page is dark where the system is, and not where the notebook is. */
@media (prefers-color-scheme: light) { [data-jp-theme-light=false] iframe.banditlab-still { filter: var(--turned) } }
@media (prefers-color-scheme: dark) { [data-jp-theme-light=true] iframe.banditlab-still { filter: var(--turned) } }
</style>"""


def frame_instrument(figures, values, controls, presets, notebook, grid, progress):
    """Return the frame as HTML; empty without a grid of the starting figure.

    Parameters
    ----------
    figures, values, controls, presets, notebook, grid
        As of `explore`; `grid` for one scale.
    progress : callable
        As of figure functions.
    """
    title = values["figure"]
    given = (grid or {}).get(title, {})
    axes, _ = check_grid(title, given, figures, values, controls)
    if not axes:
        return ""
    figure = call_figure(figures[title], values, progress)
    bundle = {**figure_bundle(figure), **grid_bundle(figures, values, controls, {title: given}, presets, progress)}
    page = export_page(bundle, parameters_cell(controls, next(iter(figures))), values, notebook)
    seen = f'class="banditlab-still" title="{escape(title)}" loading="lazy"'  # a hidden frame is not loaded
    return f'{STYLE}<iframe {seen} srcdoc="{escape(page)}"></iframe>'


def export_page(bundle, cell, values, notebook):
    """Return the report's page of one figure, with the parameters that its command names."""
    from nbconvert.exporters import get_exporter
    from nbformat import v4

    first = v4.new_code_cell(cell, metadata={"tags": ["parameters"]})
    shown = v4.new_code_cell(outputs=[v4.new_output("display_data", bundle)])
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}  # which papermill reads it by
    executed = v4.new_notebook(
        cells=[first, shown], metadata={"kernelspec": kernel, "papermill": {"parameters": values}}
    )
    return get_exporter("banditlab")().from_notebook_node(executed, {"metadata": {"name": notebook}})[0]
