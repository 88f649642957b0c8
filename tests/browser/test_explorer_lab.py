"""The explorer in a real JupyterLab: what a reader does, and what is then on the screen."""

import numpy as np
import pytest

from tests.browser import demo
from tests.browser.explored import PLOT, expect_lines, shown


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
