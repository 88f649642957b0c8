"""The explorer in a real JupyterLab: what a reader does, and what is then on the screen."""

import nbformat
import numpy as np
import pytest

from tests.browser import demo
from tests.browser.lab import IDLE, PANEL, lab
from tests.papers import ALL

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


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """A JupyterLab in which the demo notebook has run."""
    folder = tmp_path_factory.mktemp("explore")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    nbformat.write(notebook, folder / "demo.ipynb")
    with lab(folder / "demo.ipynb", folder / "lab", [demo.__file__]) as page:
        page.run_all()
        page.click("More settings")
        yield page


@pytest.fixture
def page(opened):
    """The same, back at the parameters cell; nothing may have gone wrong in the browser at the end."""
    opened.click("Reset")
    expect_lines(opened, shown(demo.regret(gap=0.3, d=4, runs=20)[0]))
    yield opened
    assert not opened.errors


@pytest.fixture
def hold(opened):
    """The file that holds computations: a test makes it, looks at what is shown meanwhile, and removes it."""
    file = opened.folder / demo.HOLD
    yield file
    file.unlink(missing_ok=True)


def shown(figure):
    """Return the traces of a figure as `Page.lines` reads them from the screen."""
    return [(trace.name, [*trace.x], pytest.approx([*trace.y])) for trace in figure.data]


def on_screen(page):
    """Return the traces on the screen without their visibility."""
    return [line[:3] for line in page.lines()]


def expect_lines(page, wanted):
    """Wait until these traces are on the screen."""
    page.expect(lambda: on_screen(page), wanted)


def axis(page, name):
    """Return type, range and autorange of an axis as drawn."""
    return page.page.evaluate(
        f"() => {{ const a = document.querySelector('{PLOT}')._fullLayout.{name};"
        " return [a.type, a.range, a.autorange]; }"
    )


def zoom(page):
    """Zoom into a part of the plot with the mouse."""
    box = page.page.locator(f"{PLOT} .nsewdrag").first.bounding_box()
    page.page.mouse.move(box["x"] + 100, box["y"] + 50)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + 300, box["y"] + 150, steps=5)
    page.page.mouse.up()
    page.page.wait_for_function(f"() => !document.querySelector('{PLOT}')._fullLayout.xaxis.autorange")
    page.settle()


VISIBLE = "() => [...document.querySelectorAll('.js-plotly-plot')].filter((e) => e.offsetParent).length"
PLOTLY = "application/vnd.plotly.v1+json"


def test_the_widget_is_shown_and_the_file_keeps_the_plain_figure(page):
    page.expect(lambda: page.page.evaluate(VISIBLE), 1)  # the widget's; the plain one has made room
    page.page.get_by_text("Here d moves, with Runs = 10.").wait_for(state="attached")  # it has its slider
    bundles = [output.data for cell in page.save().cells for output in cell.outputs]
    (plain,) = [bundle for bundle in bundles if PLOTLY in bundle]
    assert plain["text/plain"] == "Regret of three policies." and len(plain[PLOTLY]["data"]) == 3
    assert [step["label"] for step in plain[PLOTLY]["layout"]["sliders"][0]["steps"]] == ["1", "4", "16"]
    assert any("Here d moves, with Runs = 10." in bundle.get("text/html", "") for bundle in bundles)
    assert sum("application/vnd.jupyter.widget-view+json" in bundle for bundle in bundles) == 1


def test_every_control_has_a_name(page, hold):
    page.select_figure("Figure 2: long runs")
    expected = {
        ("combobox", "Figure"),
        ("combobox", "Preset"),
        ("slider", "Components d"),
        ("slider", "Runs"),
        ("combobox", "Shape of the delays"),
        ("button", "Copy command"),
        ("button", "More settings"),
    }
    page.until(lambda: expected <= {*page.names()})
    assert all(name for role, name in page.names() if role not in ("status", "alert"))
    hold.touch()
    page.press("Length of the simulation", "ArrowRight", settle=False)
    page.page.wait_for_selector(".playing.on")
    page.until(lambda: {("progressbar", "Progress"), ("button", "Cancel")} <= {*page.names()})
    page.click("Cancel")
    page.expect(lambda: page.readout("Length of the simulation"), "2.1 s")


def test_the_keyboard_moves_sliders_and_the_lines_follow(page):
    expect_lines(page, shown(demo.regret(gap=0.3, d=4, runs=20)[0]))
    page.press("Gap Δ", "ArrowRight", times=2, settle=False)
    page.expect(lambda: page.readout("Gap Δ"), "0.40 σ")
    expect_lines(page, shown(demo.regret(gap=0.4, d=4, runs=20)[0]))
    page.press("Components d", "End", settle=False)
    page.press("Runs", "ArrowRight", settle=False)
    expect_lines(page, shown(demo.regret(gap=0.4, d=20, runs=25)[0]))
    page.until(lambda: "Δ = 0.40 σ, d = 20, Runs = 25" in page.status())


FOLLOWED = """address => {   // a link in a cell is clicked
  const link = document.createElement('a');
  link.href = address;
  document.querySelector('.jp-Notebook .jp-Cell').append(link);
  link.click();
  link.remove();
}"""


def test_a_link_of_the_text_or_the_ledger_sets_the_sliders(page):
    """One to another paper's figure is for another explorer."""
    page.page.evaluate(FOLLOWED, "#figure=Landscape&gap=0.6")
    page.page.evaluate(FOLLOWED, "#figure=Figure+1&gap=0.6&d=7")
    page.until(lambda: "Δ = 0.60 σ, d = 7, Runs = 20" in page.status())
    expect_lines(page, shown(demo.regret(gap=0.6, d=7, runs=20)[0]))


def test_many_fast_presses_end_in_the_right_state_after_few_computations(page, hold):
    """Held, the first one is still under way when the last key is pressed, however slow keys and machine are."""
    page.select_figure("Figure 3")
    title = "() => document.querySelector('.banditlab-explorer .title').textContent"
    for key, gap, text in (("ArrowRight", 1.0, "1.00 σ"), ("ArrowLeft", 0.3, "0.30 σ")):
        page.until(lambda: page.page.evaluate(title).isdigit())  # drawn: the status may say so before
        before = int(page.page.evaluate(title))
        hold.touch()
        page.press("Gap Δ", key, times=14, settle=False)
        assert page.readout("Gap Δ") == text
        hold.unlink()
        expect_lines(page, [("line", [*demo.T], pytest.approx([*demo.T**gap]))])
        page.until(lambda text=text: f"Δ = {text}" in page.status())
        assert int(page.page.evaluate(title)) - before <= 4


def test_zoom_and_hidden_lines_survive_a_slider_and_not_a_switch_of_figures(page):
    names = page.page.locator(f"{PLOT} .textpoint text")
    page.until(lambda: page.legend() == [] and names.count() == 3)
    names.get_by_text("UCB1", exact=True).click()
    page.page.wait_for_function(f"() => document.querySelector('{PLOT}')._fullData[1].visible === 'legendonly'")
    zoom(page)
    page.until(lambda: page.legend() == ["F-UCB", "UCB1", "uniform"])  # the ends may be out of sight
    kept = axis(page, "xaxis"), axis(page, "yaxis")
    page.press("Gap Δ", "ArrowRight", settle=False)
    page.panel.get_by_label("Show the upper bound").check()  # one more line: all are replaced
    seen = [("F-UCB", True), ("UCB1", False), ("uniform", True), ("bound", True)]
    page.expect(lambda: [(line.name, line.visible) for line in page.lines()], seen)
    assert (axis(page, "xaxis"), axis(page, "yaxis")) == kept
    page.page.locator(f"{PLOT} .legendtoggle").nth(1).click()
    page.expect(lambda: [line.visible for line in page.lines()], [True] * 4)
    page.page.locator(f"{PLOT} .nsewdrag").first.dblclick()
    page.until(lambda: page.legend() == [])
    names.get_by_text("UCB1", exact=True).click()
    page.page.locator(f"{PLOT} .annotation", has_text="○ UCB1").click()
    page.expect(lambda: [line.visible for line in page.lines()], [True] * 4)
    page.select_figure("Figure 3")
    page.expect(lambda: axis(page, "xaxis"), ["linear", [1, 200], False])  # all of it
    page.select_figure("Figure 1")
    page.expect(lambda: [line.visible for line in page.lines()], [True] * 4)
    assert axis(page, "yaxis")[2] is True


def test_zoom_survives_a_first_sketch(page, hold):
    """The frame waits for the rest of the rounds; what the reader has zoomed into is not the frame's."""
    page.select_figure("Figure 2: long runs")
    expect_lines(page, [("steps", ["F-UCB", "UCB1"], [4, 20])])
    whole = axis(page, "xaxis")
    zoom(page)
    kept = axis(page, "xaxis")
    assert kept != whole
    for d in (5, 6):
        hold.touch()
        page.press("Components d", "ArrowRight", settle=False)
        expect_lines(page, [("steps", ["F-UCB", "UCB1"], [d, 3])])
        assert axis(page, "xaxis") == kept
        hold.unlink()
        expect_lines(page, [("steps", ["F-UCB", "UCB1"], [d, 20])])
        assert axis(page, "xaxis") == kept
    page.page.locator(f"{PLOT} .nsewdrag").first.dblclick()
    page.page.wait_for_function(f"() => document.querySelector('{PLOT}')._fullLayout.xaxis.autorange")
    page.press("Components d", "ArrowRight", settle=False)
    expect_lines(page, [("steps", ["F-UCB", "UCB1"], [7, 20])])
    assert axis(page, "xaxis") == whole


def test_switching_figures_hides_what_the_figure_ignores(page):
    page.select_figure("Figure 2: long runs")
    expect_lines(page, [("steps", ["F-UCB", "UCB1"], [4, 20])])
    assert axis(page, "xaxis")[0] == "category"
    page.expect(page.slider("Gap Δ").count, 0)
    page.select_figure("Figure 3")
    page.expect(lambda: axis(page, "xaxis")[0], "linear")
    page.expect(page.slider("Components d").count, 0)
    page.expect(page.panel.get_by_role("button", name="More settings").count, 0)
    page.select_figure("Figure 4")
    expect_lines(page, shown(demo.panels(gap=0.3)[0]))
    low, high = axis(page, "yaxis")[1]
    assert low > high
    page.select_figure("Figure 1")
    page.until(page.slider("Components d").count)
    expect_lines(page, shown(demo.regret(gap=0.3, d=4, runs=20)[0]))
    low, high = axis(page, "yaxis")[1]
    assert low < high  # nothing is inherited
    assert page.page.evaluate(f"() => document.querySelector('{PLOT}')._fullLayout.xaxis2 === undefined")


def test_a_long_run_shows_a_part_first_and_can_be_cancelled(page, hold):
    page.select_figure("Figure 2: long runs")
    hold.touch()
    page.press("Length of the simulation", "End", settle=False)
    page.page.wait_for_selector(".playing.on")
    page.click("Cancel", settle=False)
    shows = "Figure 2: long runs: d = 4, Runs = 20, Length of the simulation ="
    page.until(lambda: page.status().startswith(f"Cancelled. Still shown: {shows} 2.0 s"))
    expect_lines(page, [("steps", ["F-UCB", "UCB1"], [4, 20])])
    hold.unlink()
    page.press("Length of the simulation", "Home", settle=False)
    page.until(lambda: page.status().startswith(f"{shows} 0.1 s, Shape of the delays = steps ("))
    page.press("Length of the simulation", "ArrowRight", times=9, settle=False)
    page.until(lambda: page.status().startswith(f"{shows} 1.0 s"))  # it took as long: three runs come first
    hold.touch()
    page.press("Length of the simulation", "ArrowRight", settle=False)
    page.until(lambda: "First 3 of 20 runs" in page.status())
    expect_lines(page, [("steps", ["F-UCB", "UCB1"], [4, 3])])
    hold.unlink()
    expect_lines(page, [("steps", ["F-UCB", "UCB1"], [4, 20])])


def test_an_error_is_one_line_and_the_last_good_figure_stays(page):
    page.select("Preset", "Quick bars", settle=False)
    page.until(lambda: page.status().startswith("Figure 2: long runs: d = 12"))
    page.press("Components d", "ArrowRight", settle=False)
    page.expect(page.alert, "ValueError: d=13: too many arms")
    page.until(lambda: page.status().startswith("Still shown: Figure 2: long runs: d = 12"))
    expect_lines(page, [("steps", ["F-UCB", "UCB1"], [12, 20])])
    page.press("Components d", "ArrowRight", settle=False)
    page.expect(page.alert, "")
    expect_lines(page, [("steps", ["F-UCB", "UCB1"], [14, 20])])


def test_presets_and_reset(page):
    box = page.panel.get_by_label("Preset", exact=True)
    page.select("Preset", "Small gap", settle=False)
    expect_lines(page, shown(demo.regret(gap=0.05, d=2, runs=20)[0]))
    page.press("Gap Δ", "ArrowRight", settle=False)
    page.expect(box.input_value, "choose a preset")  # it is none any more
    page.select("Preset", "Between the steps", settle=False)
    page.expect(lambda: page.readout("Gap Δ"), "0.123 σ")
    page.select("Preset", "Quick bars")
    page.click("Reset")
    page.expect(box.input_value, "choose a preset")
    expect_lines(page, shown(demo.regret(gap=0.3, d=4, runs=20)[0]))


def test_command_numbers_and_picture_can_be_taken_away(page):
    page.press("Gap Δ", "ArrowLeft", settle=False)
    page.until(lambda: page.status().startswith("Figure 1: Δ = 0.25 σ"))  # the command is new by then
    page.click("Copy command", settle=False)
    page.expect(page.clipboard, "python -m banditlab.report demo --scale quick -p gap 0.25 --notebooks .")
    page.click("Copy link", settle=False)
    page.expect(page.clipboard, "demo.html#figure=Figure+1&gap=0.25")
    page.click("Copy papermill command", settle=False)
    line = (
        "papermill notebooks/demo.ipynb out.ipynb -r scale quick -p seed 0 -r figure 'Figure 1' -p gap 0.25 -p d 4 "
        "-p runs 20 -p seconds 2.0 -r shape steps -p bound False -p live False"
    )
    page.expect(page.clipboard, line)
    name, text = page.download("CSV")
    assert name == "demo-figure-1-gap0.25.csv"
    assert len([line for line in text.splitlines() if line[0] != "#"]) == 1 + 3 * 200
    name, text = page.download("SVG")
    assert name == "demo-figure-1-gap0.25.svg" and text.startswith("<svg") and "Regret, d = 4" in text
    page.page.hover(PLOT)
    buttons = page.page.locator(f"{PLOT} .modebar-btn")
    page.until(buttons.count)
    assert not [title for title in buttons.evaluate_all("bs => bs.map(b => b.dataset.title)") if "hare" in title]


GHOSTS = f"() => document.querySelector('{PLOT}').data.filter((t) => String(t.uid).startsWith('ghost')).length"


def test_a_ghost_of_the_previous_curves_and_locked_axes(page):
    page.page.wait_for_timeout(1600)  # a pause of 1,500 ms is what makes the next change a gesture of its own
    page.press("Gap Δ", "ArrowRight", settle=False)
    expect_lines(page, shown(demo.regret(gap=0.35, d=4)[0]))
    compare = page.panel.get_by_label("Compare with")
    compare.select_option("previous")
    page.expect(lambda: page.page.evaluate(GHOSTS), 3)
    ghost = page.page.evaluate(f"() => [...document.querySelector('{PLOT}')._fullData[0].y]")
    assert ghost == shown(demo.regret(gap=0.3, d=4)[0])[0][2]  # what was there before the last gesture
    compare.select_option("nothing")
    page.expect(lambda: page.page.evaluate(GHOSTS), 0)
    page.panel.get_by_label("Lock axes").check()
    kept = axis(page, "yaxis")[1]
    page.press("Gap Δ", "Home", settle=False)
    note = page.panel.locator(".heard")
    page.expect(note.inner_text, "Outside the locked axes: F-UCB.")
    assert axis(page, "yaxis")[1] == kept
    page.panel.get_by_label("Lock axes").uncheck()
    page.until(lambda: axis(page, "yaxis")[1] != kept)


SPAN = """(e) => {
  const ends = ['.rows', '.js-plotly-plot', '.said'].flatMap((c) =>
    [...e.querySelectorAll(c)].filter((b) => b.offsetParent).map((b) => b.getBoundingClientRect()));
  return Math.max(...ends.map((b) => b.bottom)) - Math.min(...ends.map((b) => b.top));
}"""
OUTER = "document.querySelector('.jp-NotebookPanel .jp-WindowedPanel-outer')"


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


def test_an_interrupt_of_the_kernel_does_no_harm(page, hold):
    page.select_figure("Figure 2: long runs")
    hold.touch()
    page.press("Length of the simulation", "End", settle=False)
    page.page.wait_for_selector(".playing.on")
    page.menu("Kernel", "kernelmenu:interrupt")
    page.click("Reset")
    page.press("Gap Δ", "ArrowRight")
    expect_lines(page, shown(demo.regret(gap=0.35, d=4, runs=20)[0]))


def test_every_press_repaints(page):
    page.select_figure("Figure 3")
    assert np.isfinite(page.latency("Gap Δ", 5)).all()


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


def test_a_saved_notebook_opened_without_its_kernel_shows_the_figure_and_slides(page):
    page.save()
    page.menu("Kernel", "kernelmenu:shutdown")
    page.until(lambda: not page.page.locator(IDLE).count())  # else the page that is loaded now may still find it
    page.page.goto(page.url)
    page.page.locator(".banditlab-still").first.wait_for(state="attached")
    page.until(lambda: page.page.locator(".jp-RenderedPlotly:visible").count() == 1)
    page.page.get_by_text("Here d moves, with Runs = 10. For all sliders: Run → Run All Cells.").wait_for()
    page.page.locator(".jp-RenderedPlotly").hover()  # a picture until then, where the notebook was saved with one
    page.page.locator(".jp-RenderedPlotly .slider-rail-touch-rect").click(position={"x": 3, "y": 3})
    page.page.locator(".jp-RenderedPlotly .gtitle", has_text="Regret, d = 1").wait_for()
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
