"""The papers' notebooks in a real JupyterLab: the lines on the screen are the numbers of the experiment."""

from pathlib import Path

import numpy as np
import pytest

from banditlab.factored import experiments
from tests.browser.lab import lab

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
START = dict(gap=0.3, d=4, k=3, sigma=0.5, horizon=10_000, runs=20, alpha=4.0, lower=True, upper=False, seed=0)


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """A JupyterLab in which the notebook of the first paper has run."""
    with lab(NOTEBOOKS / "factored.ipynb", tmp_path_factory.mktemp("papers") / "lab") as page:
        page.run_all()
        page.click("More settings")
        yield page


@pytest.fixture
def page(opened):
    """The same, back at the parameters cell; nothing may have gone wrong in the browser at the end."""
    opened.click("Reset")
    yield opened
    assert not opened.errors


def check_lines(page, figure):
    """The traces on the screen are those of the figure, in its order."""
    drawn = [trace for trace in figure.data if trace.x[0] is not None]  # all but the legend's word on the band
    screen = [line for line in page.lines() if line[1] and line[1][0] is not None]
    assert [line[0] for line in screen] == [trace.name for trace in drawn]
    for (_, x, y, *_), trace in zip(screen, drawn, strict=True):
        assert np.allclose(x, trace.x) and np.allclose(np.array(y, float), trace.y, equal_nan=True), trace.name


def test_starts_with_the_parameters_cell(page):
    check_lines(page, experiments.regret(**START)[0])


def test_sliders_move_by_keyboard_and_the_lines_follow(page):
    page.press("Gap Δ", "ArrowRight", times=2)
    page.press("Components d", "ArrowLeft")
    check_lines(page, experiments.regret(**{**START, "gap": 0.4, "d": 3})[0])
    page.press("Components d", "End")
    assert "UCB1" not in {name for name, *_ in page.lines()}  # the product space is too large: a sentence, no error
    assert not page.alert()


def test_figures_show_their_own_sliders(page):
    names = {name for _, name in page.names()}
    assert "Gap Δ" in names and "Shared noise ρ" not in names
    page.select_figure("Figure 6")
    names = {name for _, name in page.names()}
    assert "Shared noise ρ" in names and "Options k" not in names
    page.select_figure("Figure 5")
    check_lines(page, experiments.figure5(gap=0.3, d=4, sigma=0.5)[0])


def test_a_long_run_is_cancelled(page):
    page.select_figure("Figure 4")
    page.press("Runs", "End", settle=False)
    page.press("Horizon T", "End", settle=False)
    page.page.wait_for_selector(".banditlab-on")
    page.click("Cancel", settle=False)
    page.until(lambda: page.status().startswith("Cancelled"))


def test_every_control_has_a_name(page):
    for title in experiments.FIGURES:
        page.select_figure(title)
        assert all(name for role, name in page.names() if role not in ("status", "alert")), title
