"""The instrument that a saved notebook shows where no kernel is: a report's page of one figure, in a frame."""

import subprocess
import sys
import tempfile
import time
from html import escape
from pathlib import Path

from .cell import parameters_cell
from .figure import call_figure, figure_bundle
from .grid import check_grid, grid_bundle

WORDS = "Without a kernel the sliders choose among figures computed in advance."
STYLE = Path(__file__).with_name("saved.css").read_text(encoding="utf-8")
FRAME = f'<style>\n{STYLE}</style><iframe class="banditlab-still" loading=lazy'  # one that is hidden is not loaded


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
    if not check_grid(title, given, figures, values, controls)[0]:  # no axis
        return ""
    figure = call_figure(figures[title], values, progress)
    bundle = {**figure_bundle(figure), **grid_bundle(figures, values, controls, {title: given}, presets, progress)}
    page = export_page(bundle, parameters_cell(controls, next(iter(figures))), values, notebook, progress)
    return f'{FRAME} title="{escape(title)}" srcdoc="{escape(page)}"></iframe>'


def export_page(bundle, cell, values, notebook, progress):
    """Return the report's page of one figure, with the parameters that its command names.

    A process of its own makes it: no slider waits for its imports, which also change the filters of warnings that all
    threads of a process share.
    """
    from nbformat import v4

    first = v4.new_code_cell(cell, metadata={"tags": ["parameters"]})
    shown = v4.new_code_cell(outputs=[v4.new_output("display_data", bundle)])
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}  # for papermill
    executed = v4.new_notebook(cells=[first, shown], metadata=metadata | {"papermill": {"parameters": values}})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{notebook or 'notebook'}.ipynb"
        path.write_text(v4.writes(executed), encoding="utf-8")
        command = [sys.executable, "-m", "nbconvert", "--to", "banditlab", str(path)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                while process.poll() is None:
                    time.sleep(0.05)
                    progress(1.0)  # which ends it where somebody waits for a figure
            finally:
                process.kill()
        return path.with_suffix(".html").read_text(encoding="utf-8")
