"""The explorer in its notebook: layout and theme of JupyterLab, other views, saved files, cells that run."""

import pytest

from tests.browser import demo
from tests.browser.explored import CELLS, PLOT, expect_lines, shown
from tests.browser.lab import PANEL
from tests.papers import ALL

VISIBLE = "() => [...document.querySelectorAll('.js-plotly-plot')].filter((e) => e.offsetParent).length"
FRAME = "iframe.banditlab-still"
PLOTLY = "application/vnd.plotly.v1+json"
SPAN = """(e) => {
  const ends = ['.rows', '.js-plotly-plot', '.said'].flatMap((c) =>
    [...e.querySelectorAll(c)].filter((b) => b.offsetParent).map((b) => b.getBoundingClientRect()));
  return Math.max(...ends.map((b) => b.bottom)) - Math.min(...ends.map((b) => b.top));
}"""
SESSIONS = "async () => (await (await fetch('/api/sessions')).json()).length"  # kernels that the server has
OUTER = "document.querySelector('.jp-NotebookPanel .jp-WindowedPanel-outer')"


def test_the_widget_is_shown_and_the_file_keeps_the_plain_figure(page):
    page.expect(lambda: page.page.evaluate(VISIBLE), 1)  # the widget's; the plain one has made room
    page.page.locator(FRAME).wait_for(state="attached")
    bundles = [output.data for cell in page.save().cells for output in cell.outputs]
    (plain,) = [bundle for bundle in bundles if PLOTLY in bundle]
    assert plain["text/plain"] == "Regret of three policies." and len(plain[PLOTLY]["data"]) == 3
    assert any('<iframe class="banditlab-still"' in bundle.get("text/html", "") for bundle in bundles)
    assert sum("application/vnd.jupyter.widget-view+json" in bundle for bundle in bundles) == 1


@pytest.fixture
def folded(page):
    """The same with the settings folded; afterwards they are there again, and the window is as large as before."""
    page.click("More settings", settle=False)
    yield page
    page.click("More settings", settle=False)
    page.resize(1300, 1350)


@pytest.mark.parametrize("size", [(1366, 768), (900, 768)])
def test_figure_and_main_sliders_fit_one_screen(folded, size):
    folded.resize(*size)
    folded.panel.evaluate("(e) => e.scrollIntoView({block: 'start'})")
    room = f"() => {OUTER}.getBoundingClientRect().height"
    folded.until(lambda: folded.panel.evaluate(SPAN) <= folded.page.evaluate(room))


@pytest.mark.parametrize(("width", "place"), [(1300, ".controls"), (900, ".rows.main")])
def test_the_controls_stay_in_view(folded, width, place):
    """Beside the plot all of them, above it those that are moved most."""
    folded.resize(width, 700)
    folded.panel.evaluate("(e) => e.scrollIntoView({block: 'start'})")
    folded.page.evaluate(f"() => {{ {OUTER}.scrollTop += 130; }}")
    gap = f"(e) => e.getBoundingClientRect().top - {OUTER}.getBoundingClientRect().top"
    controls = folded.panel.locator(place)
    folded.until(lambda: folded.panel.evaluate(gap) < -120 and abs(controls.evaluate(gap)) < 2)


@pytest.mark.parametrize("width", [1920, 1366, 1300, 1100, 900])
def test_sliders_and_boxes_are_long_enough(page, width):
    page.resize(width, 900)
    movable = ".rows :is([type=range], select)"
    lengths = page.panel.evaluate(f"(e) => [...e.querySelectorAll('{movable}')].map((s) => s.clientWidth)")
    page.resize(1300, 1350)
    assert lengths and min(length for length in lengths if length) >= 200


def test_dark_lab_has_a_dark_plot(page):
    ink = f"() => getComputedStyle(document.querySelector('{PLOT} .xtick text')).fill"
    page.expect(lambda: page.page.evaluate(ink), "rgb(27, 31, 36)")
    page.page.evaluate("() => { document.body.dataset.jpThemeLight = 'false'; }")
    page.until(lambda: page.page.evaluate(ink) == "rgb(231, 234, 238)")
    still = "() => getComputedStyle(document.querySelector('.jp-RenderedPlotly')).filter"
    assert page.page.evaluate(still).startswith("invert")  # a figure that stands still
    page.page.evaluate("() => { document.body.dataset.jpThemeLight = 'true'; }")
    assert page.page.evaluate(still) == "none"


def test_two_views_and_a_page_loaded_again_show_the_same(page):
    page.panel.locator(".said").click(button="right")
    page.page.get_by_text("Create New View for Cell Output").click()
    page.page.locator(".jp-LinkedOutputView .banditlab-explorer .js-plotly-plot .main-svg").first.wait_for()
    page.press("Gap Δ", "ArrowRight", settle=False)
    first_lines = (
        "() => [...document.querySelectorAll('.banditlab-explorer .js-plotly-plot')].map((p) => [...p._fullData[0].y])"
    )
    line = shown(demo.regret(gap=0.35, d=4)[0])[0][2]
    page.expect(lambda: page.page.evaluate(first_lines), [line, line])
    page.page.locator(".lm-TabBar-tab.lm-mod-current .lm-TabBar-tabCloseIcon").last.click()
    page.press("Gap Δ", "ArrowRight", settle=False)
    expect_lines(page, shown(demo.regret(gap=0.4, d=4)[0]))
    page.save()
    page.reload()
    page.expect(lambda: page.readout("Gap Δ"), "0.40 σ")
    expect_lines(page, shown(demo.regret(gap=0.4, d=4)[0]))
    page.press("Gap Δ", "ArrowRight", settle=False)
    expect_lines(page, shown(demo.regret(gap=0.45, d=4)[0]))


def test_a_saved_notebook_opened_without_its_kernel_has_the_instrument(page):
    frame = page.page.locator(FRAME)
    frame.wait_for(state="attached")
    assert not frame.is_visible()  # the live one is there
    page.save()
    page.menu("Kernel", "kernelmenu:shutdown")
    page.until(lambda: page.page.evaluate(SESSIONS) == 0)  # else the page that is loaded now may still find it
    page.page.goto(page.url)
    frame.wait_for()
    assert page.page.evaluate(VISIBLE) == 0  # the plain figure has made room here, too
    page.page.get_by_text("Without a kernel the sliders choose among figures computed in advance.").wait_for()
    inside = frame.content_frame
    slider = inside.get_by_role("slider", name="Components d")
    slider.press("ArrowLeft")
    page.until(lambda: inside.locator(".said").inner_text().startswith("Shown: d = 1."))
    inside.locator(".plot .main-svg").first.wait_for()
    assert not page.page.get_by_text("Error displaying widget").is_visible()
    page.errors[:] = [error for error in page.errors if "widget model not found" not in error]


def test_sliders_move_while_the_cells_below_run(opened):  # it and the next one make another explorer
    page, busy = opened, opened.folder / "busy"
    page.idle()  # the page was loaded without a kernel: before there is a new one Run All does nothing
    page.threads.clear()
    busy.touch()
    try:
        page.menu("Run", "runmenu:run-all")
        page.until(lambda: page.waiting() == 2)
        page.drawn()
        page.until(page.has_threads)  # JupyterLab asks for one beside the cells when it sees the first widget
        page.press("Gap Δ", "ArrowRight", settle=False)
        expect_lines(page, shown(demo.regret(gap=0.35, d=4)[0]))
        page.press("Gap Δ", "ArrowRight", settle=False)
        expect_lines(page, shown(demo.regret(gap=0.4, d=4)[0]))
        assert page.waiting() == 2
    finally:
        busy.unlink()
    page.ended()


def wheel(page):
    page.page.mouse.move(600, 700)
    page.page.mouse.wheel(0, 300)


def press_key(page):
    page.page.keyboard.press("PageDown")


def drag(page):
    """Its scrollbar is hidden in a headless browser: what the page hears of it is made up."""
    heard = "dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))"
    page.page.evaluate(f"() => {{ {OUTER}.{heard}; {OUTER}.scrollTop += 300; }}")


def go_to_another_cell(page):
    page.page.locator(".jp-Cell").first.locator(".jp-InputPrompt").click()
    page.page.evaluate(f"() => {{ {OUTER}.scrollTop += 300; }}")


WAYS = (None, wheel, press_key, drag, go_to_another_cell, None) if ALL else (None,)  # four seconds each


def test_run_all_leaves_the_reader_at_the_first_figure(opened):
    """One who scrolls meanwhile, or goes to another cell, stays there; the next time it is as at first.

    The page is short when the explorer comes: the last cell is in view, wherever the reader has gone.
    """
    page, gate, busy = opened, opened.folder / "gate", opened.folder / "busy"
    page.idle()  # the page was loaded without a kernel: before there is a new one Run All does nothing
    last = "() => [...document.querySelectorAll('.jp-Cell')].at(-1).classList.contains('jp-mod-active')"
    top = f"() => {OUTER}.scrollTop"
    cell = f"document.querySelector('{PANEL}').closest('.jp-Cell')"
    above = f"() => {cell}.getBoundingClientRect().top - {OUTER}.getBoundingClientRect().top"
    for leave in WAYS:
        gate.touch()
        busy.touch()
        page.menu("Run", "runmenu:run-all")
        page.until(lambda: page.waiting() == len(CELLS) - 1 and page.page.evaluate(last))
        page.until(lambda: page.page.evaluate("() => window.banditlabScrolled !== undefined"))
        before = page.page.evaluate(top)
        if leave:
            leave(page)
            page.until(lambda before=before: page.page.evaluate(top) != before)
        gate.unlink()
        page.page.locator(f"{PANEL} [type=range]").first.wait_for(state="attached")  # the explorer is there
        page.until(lambda left=leave is not None: (abs(page.page.evaluate(above)) > 9) is left)
        busy.unlink()
        page.until(lambda: not page.waiting())
        page.resize(1300, 1350)  # the panel has found its place
        page.until(lambda left=leave is not None: (abs(page.page.evaluate(above)) > 9) is left)
    page.drawn()
