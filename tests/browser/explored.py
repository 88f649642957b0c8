"""The demo notebook, and what of its figures is on the screen."""

import pytest

from tests.browser.lab import PANEL

PLOT = f"{PANEL} .js-plotly-plot"
CELLS = [
    "import demo, pathlib, time\nfrom banditlab.explorer import explore, read_parameters\n"
    "values = read_parameters(demo.CONTROLS, {**demo.VALUES, 'live': True})",
    "while pathlib.Path('gate').exists():\n    time.sleep(0.05)",
    "grid = {'Figure 1': {'d': [1, 4, 16], 'runs': 10}}\n"
    "explore(demo.FIGURES, demo.VALUES, demo.CONTROLS, demo.PRESETS, 'demo', grid=grid)",
    "while pathlib.Path('busy').exists():\n    time.sleep(0.05)",
    "from IPython.display import HTML\nHTML('<p style=\"height: 2000px\">long</p>')",
]


def shown(figure):
    """Return the traces of a figure as `Page.lines` reads them from the screen."""
    return [(trace.name, [*trace.x], pytest.approx([*trace.y])) for trace in figure.data]


def on_screen(page):
    """Return the traces on the screen without their visibility."""
    return [line[:3] for line in page.lines()]


def expect_lines(page, wanted):
    """Wait until these traces are on the screen."""
    page.expect(lambda: on_screen(page), wanted)
