"""The papers' notebooks in a real JupyterLab: the lines on the screen are the numbers of the experiment."""

import importlib
import inspect
from typing import NamedTuple

import nbformat
import numpy as np
import pytest

from tests.browser.lab import PATIENCE, Page, lab
from tests.papers import FEW, with_all

pytestmark = with_all
OWN = {"factored": "Bold", "uplifting": "Adjusted", "censored": "Shared", "composite": "Held"}  # of "Your turn"


class Open(NamedTuple):
    """A notebook that has run in JupyterLab, and what it was given."""

    page: Page
    experiments: object  # of its paper
    given: dict  # its parameters cell


@pytest.fixture(scope="module")
def pages(tmp_path_factory, kept):
    """One JupyterLab for all notebooks; the last of these pages is open."""
    with lab(FEW[0], tmp_path_factory.mktemp("papers") / "lab", FEW[1:]) as page:
        yield [page]


@pytest.fixture(scope="module", params=FEW, ids=lambda path: path.stem)
def opened(request, pages):
    """Each notebook in turn."""
    (cell,) = [c for c in nbformat.read(request.param, 4).cells if "parameters" in c.metadata.get("tags", [])]
    given = {}
    exec(cell.source, given)
    experiments = importlib.import_module(request.param.stem)
    if request.param.name not in pages[-1].url:
        pages.append(pages[-1].beside(request.param))
    pages[-1].run_all(5 * PATIENCE)  # nothing may be compiled yet
    pages[-1].click("More settings")
    return Open(pages[-1], experiments, given)


@pytest.fixture
def notebook(opened):
    """The same, back at the parameters cell; nothing may have gone wrong in the browser at the end."""
    opened.page.click("Reset")
    yield opened
    assert not opened.page.errors


def ours(page):
    """The traces on the screen but for those of the reader's own policy, which joins in the last section."""
    return [line for line in page.lines() if line.name.removesuffix(" (band)") not in OWN.values()]


def check_lines(notebook, **changes):
    """The traces on the screen are those of the chosen figure at these values, in its order."""
    values = {**notebook.given, **changes}
    function = notebook.experiments.FIGURES[values["figure"]]
    figure, _ = function(**{name: values[name] for name in inspect.signature(function).parameters if name in values})
    drawn = [trace for trace in figure.data if trace.x is not None and trace.x[0] is not None]  # not the words on bands
    notebook.page.expect(lambda: different(notebook.page, drawn), [])


def different(page, drawn):
    """The names of the lines on the screen that are not these, in this order."""
    screen = [line for line in ours(page) if line[1] and line[1][0] is not None]
    if [line[0] for line in screen] != [trace.name for trace in drawn]:
        return [line[0] for line in screen]
    return [line[0] for line, trace in zip(screen, drawn, strict=True) if not same(line, trace)]


def same(line, trace):
    """Whether a line on the screen has the numbers of a trace."""
    _, x, y, *_ = line
    if len(x) != len(trace.x) or not (list(x) == list(trace.x) or np.allclose(x, trace.x)):
        return False
    return np.allclose(np.array(y, float), np.array(trace.y, float), equal_nan=True)


def test_starts_with_the_parameters_cell(notebook):
    check_lines(notebook)


def test_sliders_move_by_keyboard_and_the_lines_follow(notebook):
    function = notebook.experiments.FIGURES[notebook.given["figure"]]
    controls = {n: c for n, c in notebook.experiments.CONTROLS.items() if n in inspect.signature(function).parameters}
    name, slider = next((n, c) for n, c in controls.items() if c.main and hasattr(c, "step"))
    notebook.page.press(slider.label, "ArrowRight")
    moved = notebook.page.readout(slider.label).split()[0]
    assert float(moved) != notebook.given[name]
    check_lines(notebook, **{name: type(notebook.given[name])(float(moved))})
    assert not notebook.page.alert()


def test_the_reader_s_own_policy_waits_to_be_switched_on_and_stays_while_sliders_move(notebook):
    slider = next(c for c in notebook.experiments.CONTROLS.values() if c.main and hasattr(c, "step"))
    own = OWN[notebook.experiments.__name__]

    def line():
        return next((line for line in notebook.page.lines() if line.name == own), None)

    notebook.page.until(line)
    assert not line().visible
    named = notebook.page.panel.locator(".annotation, .legendtext", has_text=own).first
    named.click() if "annotation" in named.get_attribute("class") else switch_in_legend(notebook.page, own)
    notebook.page.until(lambda: line().visible)
    before = line()
    notebook.page.press(slider.label, "ArrowRight")
    notebook.page.until(lambda: line() and line().visible and line().y != before.y)


def switch_in_legend(page, name):
    """Click a line's entry in the legend."""
    page.panel.locator(".legend .traces", has_text=name).first.locator(".legendtoggle").click()


def test_every_figure_is_drawn_and_every_control_has_a_name(notebook):
    for title in notebook.experiments.FIGURES:
        notebook.page.select_figure(title)
        named = [name for role, name in notebook.page.names() if role not in ("status", "alert")]
        assert all(named), title
        assert not notebook.page.alert(), title


def test_a_long_run_is_cancelled(notebook):
    if "Figure 4" not in notebook.experiments.FIGURES or "n0_mult" not in notebook.given:
        return  # one figure that takes long is enough
    notebook.page.select_figure("Figure 4")
    notebook.page.press("Runs", "End", settle=False)
    notebook.page.press("Horizon T", "End", settle=False)
    last = notebook.page.readout("Horizon T")
    notebook.page.until(lambda: last in notebook.page.status())  # else what is cancelled is the figure before
    notebook.page.click("Cancel", settle=False)
    notebook.page.until(lambda: notebook.page.status().startswith("Cancelled"))


def test_the_ledger_is_that_of_the_report_and_no_verdict_is_out_of_sight(notebook):
    ledger = notebook.page.page.locator(".ledger").first
    ledger.scroll_into_view_if_needed()
    assert ledger.evaluate("(e) => e.scrollWidth <= e.parentElement.clientWidth")
    assert ledger.evaluate("(e) => [...e.querySelectorAll('.verdict')].every((c) => c.scrollWidth <= c.clientWidth)")
    named = notebook.page.page.locator(".jp-RenderedMarkdown a[href^='#claim-']").first  # of the notebook's text
    row = ledger.locator(named.get_attribute("href"))
    named.click()
    assert row.evaluate("(e) => e.open") and row.is_visible()
    ledger.locator(".mark").last.click()
    assert ledger.locator("details[open] > .fold").first.is_visible()
    total = ledger.locator(".claims > details").count()
    ledger.locator(".filters input").fill("qqqq")
    notebook.page.until(lambda: ledger.locator(".filters [role=status]").inner_text() == f"0 of {total} claims")
    ledger.locator(".filters input").fill("")
