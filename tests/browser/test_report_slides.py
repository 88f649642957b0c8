"""A report that slides: sliders, ghost, locked axes, numbers and commands, from a file and without a network."""

import base64
import csv
import gzip
import json
import re
import struct

import numpy as np
import plotly.graph_objects as go
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from banditlab.explorer.figure import call_figure, figure_bundle
from banditlab.explorer.grid import NAN, grid_bundle, pack
from banditlab.report.exporter import ReportExporter
from tests.browser import demo
from tests.browser.lab import PATIENCE, expect, open_browser, until

GRID = {
    "Figure 1": {"gap": [0.1, 0.2, 0.5, 1.0], "d": [1, 2, 8, 16], "runs": 10},
    "Figure 4": {"gap": [0.1, 0.9]},
}
STEPS = {  # of a guided tour; the page has as many runs as its grid
    "Gaps": {"gap": 0.5, "move": ("gap", "d"), "say": "Lower Δ step by step."},
    "Runs": {"gap": 0.5, "move": ("runs", "gap"), "say": "Raise the number of runs."},
}
PARAMETERS = """scale: str = "quick"  # size
gap: float = 0.3  # gap
d: int = 4  # components
runs: int = 20  # runs
live: bool = True  # sliders"""
PLOT = "document.querySelector('.plot')"


def draw_map():
    """A map whose cells lead to sliders, but for the last column, which no slider reaches."""
    figure = go.Figure(go.Heatmap(z=[[1, 2, 3], [4, 5, 6]]))
    cells = {"values": {"figure": "Figure 1", "runs": 10}, "x": ["gap", [0.1, 1.0, 2.0]], "y": ["d", [1, 16]]}
    figure.data[0].meta = {"cells": cells}
    return figure


def page_of(folder):
    """A report with one figure that slides and two that do not."""
    slides = {
        **figure_bundle(call_figure(demo.regret, demo.VALUES)),
        **grid_bundle(demo.FIGURES, demo.VALUES, demo.CONTROLS, GRID, demo.PRESETS | STEPS),
    }
    slides = json.loads(json.dumps(slides, sort_keys=True))  # as a stored notebook has it
    plain = figure_bundle(call_figure(demo.panels, demo.VALUES))
    still = json.loads(json.dumps(figure_bundle(draw_map())))
    cells = [new_markdown_cell("# A report"), new_code_cell(PARAMETERS, metadata={"tags": ["parameters"]})]
    cells += [new_code_cell("1", outputs=[new_output("display_data", data)]) for data in (slides, plain, still)]
    nb = new_notebook(
        cells=cells, metadata={"kernelspec": {"name": "python3", "language": "python", "display_name": "P"}}
    )
    html, _ = ReportExporter().from_notebook_node(nb, {"metadata": {"name": "demo"}})
    (folder / "demo.html").write_text(html, encoding="utf-8")
    return folder / "demo.html"


@pytest.fixture(scope="module")
def visit(tmp_path_factory):
    """Opens the report; afterwards nothing may have been asked for and nothing may have gone wrong."""
    path, wrong, contexts = page_of(tmp_path_factory.mktemp("slides")), [], []
    with open_browser() as browser:

        def opened(address="", **options):
            context = browser.new_context(
                offline=True, accept_downloads=True, **{"viewport": {"width": 1400, "height": 1000}, **options}
            )
            context.set_default_timeout(1000 * PATIENCE)
            contexts.append(context)
            context.grant_permissions(["clipboard-read", "clipboard-write"])
            tab = context.new_page()
            tab.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
            tab.on("pageerror", lambda error: wrong.append(str(error)))
            outside = re.compile("^(?!file:|data:|blob:)")
            tab.on("request", lambda one: wrong.append(one.url) if outside.match(one.url) else None)
            tab.goto(path.as_uri() + address)
            return tab

        yield opened
        assert wrong == []
        for context in contexts:
            context.close()


@pytest.fixture(scope="module")
def tab(visit):
    """The report on a wide screen."""
    return ready(visit())


def ready(tab):
    """Wait until the sliders are there and the chart is drawn."""
    tab.wait_for_selector(".slides:not([hidden])")
    tab.wait_for_selector("#figure-1 .main-svg")
    return tab


@pytest.fixture(autouse=True)
def from_the_start(tab):
    """Every test begins at the start figure, compared with nothing."""
    tab.get_by_label("Compare with").select_option("nothing")
    tab.get_by_role("button", name="Reset", exact=True).click()
    expect(tab, lambda: lines(tab), expected(runs=20))


def press(tab, label, key, times=1):
    """Press a key on a slider; the page draws some time later."""
    tab.get_by_role("slider", name=label).focus()
    for _ in range(times):
        tab.keyboard.press(key)


def lines(tab):
    """Names and values of the lines on the screen, without ghosts and the names at the ends of lines."""
    own = f"{PLOT}._fullData.filter(t => !/^(ghost|end)/.test(t.uid))"
    return tab.evaluate(f"{own}.map(t => [t.name, Array.from(t.x), Array.from(t.y)])")


def expected(**values):
    """What the figure function draws at these values."""
    figure = call_figure(demo.regret, {**demo.VALUES, "runs": 10, **values})
    return [
        [trace.name, [*trace.x], pytest.approx([*map(float, trace.y)], rel=1e-3, abs=1e-2)] for trace in figure.data
    ]


def said(tab):
    """The status line."""
    return tab.locator(".slides .said").inner_text()


def unpack(text):
    """The cells of a grid by title, as the page's script unpacks them."""
    raw = gzip.decompress(base64.b64decode(text))
    size = struct.unpack("<I", raw[:4])[0]
    header, stream = json.loads(raw[4 : 4 + size]), np.frombuffer(raw[4 + size :], np.uint8)
    steps = stream[: len(stream) // 2] + stream[len(stream) // 2 :].astype(np.uint16) * np.uint16(256)
    starts = np.concatenate([[0], np.cumsum([head[0] for head in header["arrays"]])]).astype(int)

    def array(number):
        _, low, step, log, decimals = header["arrays"][number]
        codes = np.cumsum(steps[starts[number] : starts[number + 1]], dtype=np.uint16)
        found = low + codes * step
        found = np.exp(found) if log else np.round(found, decimals)
        return [None if code == NAN else float(x) for code, x in zip(codes, found, strict=True)]

    def whole(node):
        if isinstance(node, dict):
            return array(node["$a"]) if "$a" in node else {key: whole(value) for key, value in node.items()}
        return [whole(value) for value in node] if isinstance(node, list) else node

    return {title: [whole(cell) for cell in listed] for title, listed in header["cells"].items()}


def test_what_is_packed_is_unpacked():
    cells = {"Regret": [{"data": [{"y": [0.0, 0.5, 1.0] * 4}]}]}
    assert unpack(pack(cells)) == cells
    packed = grid_bundle(demo.FIGURES, demo.VALUES, demo.CONTROLS, GRID)
    (made,) = packed.values()
    cells = unpack(made["packed"])
    assert {title: len(listed) for title, listed in cells.items()} == {"Figure 1": 25, "Figure 4": 3}
    figure = json.loads(call_figure(demo.regret, {**demo.VALUES, "gap": 0.5, "d": 8, "runs": 10}).to_json())
    cell = cells["Figure 1"][5 * 3 + 3]
    assert cell["layout"]["title"] == figure["layout"]["title"]
    assert cell["data"][1]["x"] == [float(t) for t in demo.T]  # whole numbers are exact
    assert cell["data"][1]["y"] == pytest.approx([(8 * t) ** 0.5 for t in demo.T], abs=6e-4)
    assert len(made["packed"]) < 40_000


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        ({"Figure 1": {"zeta": [1, 2]}}, "'zeta' is no control of this figure"),
        ({"Figure 1": {"gap": [0.1, 7.0]}}, "gap=7.0: must be between"),
        ({"Figure 1": {"bound": [True, False]}}, "bound is no slider"),
    ],
)
def test_a_grid_that_fits_no_controls_is_refused(grid, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        grid_bundle(demo.FIGURES, demo.VALUES, demo.CONTROLS, grid)


def test_sliders_by_keyboard_show_the_computed_figure(tab):
    until(tab, lambda: said(tab).startswith("As the notebook shows it."))
    expect(tab, lambda: lines(tab), expected(runs=20))
    press(tab, "Gap Δ", "End")
    press(tab, "Components d", "ArrowRight")
    expect(tab, lambda: lines(tab), expected(gap=1.0, d=8))
    expect(tab, lambda: said(tab), "Shown: Δ = 1.00 σ, d = 8.")
    assert tab.get_by_role("slider", name="Gap Δ").get_attribute("aria-valuetext") == "1.00 σ"
    assert tab.locator("#figure-1 .title").inner_text() == "Regret, d = 8"
    assert "over 10 runs, gap" in tab.locator("#figure-1 figcaption").inner_text()
    assert "Runs = 10" in tab.locator(".slides .fixed").inner_text()
    tab.get_by_role("button", name="Reset", exact=True).click()
    expect(tab, lambda: lines(tab), expected(runs=20))


ENDS = """[...document.querySelectorAll('#figure-1 .textpoint text')].filter(e => e.textContent.trim()).map(e => {
  const box = e.getBoundingClientRect(), frame = document.querySelector('#figure-1 .main-svg').getBoundingClientRect();
  return {name: e.textContent.trim(), top: box.top, bottom: box.bottom, inside: box.right <= frame.right};
})"""


def test_lines_are_named_at_their_ends_apart_and_inside(tab):
    until(tab, lambda: len(tab.evaluate(ENDS)) > 1)
    ends = sorted(tab.evaluate(ENDS), key=lambda end: end["top"])
    assert {end["name"] for end in ends} <= {name for name, _, _ in lines(tab)}
    assert all(end["inside"] for end in ends)
    assert all(above["bottom"] <= below["top"] + 3 for above, below in zip(ends, ends[1:], strict=False))


def test_ghost_and_locked_axes(tab):
    press(tab, "Components d", "End")
    tab.get_by_label("Compare with").select_option("previous")
    press(tab, "Gap Δ", "Home")
    until(tab, lambda: "Faint lines: Δ = 0.30 σ." in said(tab))  # only what differs
    ghosts = f"{PLOT}.data.filter(t => String(t.uid).startsWith('ghost')).length"
    expect(tab, lambda: tab.evaluate(ghosts), 3)
    tab.get_by_label("Compare with").select_option("start")
    until(tab, lambda: "Faint lines: the start." in said(tab))
    ends = f"{PLOT}.data.filter(t => (t.mode || '').includes('lines')).map(t => t.x.at(-1))"
    expect(tab, lambda: len(set(tab.evaluate(ends))), 1)  # computed for as many rounds as what is shown
    tab.get_by_label("Lock axes").check()
    kept = tab.evaluate(f"{PLOT}._fullLayout.yaxis.range")
    press(tab, "Gap Δ", "End")
    until(tab, lambda: "Outside the locked axes: uniform." in said(tab))
    assert tab.evaluate(f"{PLOT}._fullLayout.yaxis.range") == kept
    tab.get_by_label("Lock axes").uncheck()


def test_with_nothing_to_compare_with_it_says_so(visit):
    tab = ready(visit())
    for name, told in (("previous", "Nothing to compare with yet: move a slider."), ("start", "This is the start")):
        tab.get_by_label("Compare with").select_option(name)
        until(tab, lambda told=told: told in said(tab))


def test_a_link_leads_to_a_state_and_the_nearest_is_named(visit):
    tab = ready(visit("#gap=0.8&d=16"))
    expect(tab, lambda: said(tab), "Nearest computed: Δ = 1.00 σ, d = 16. Asked for Δ = 0.8.")
    tab.get_by_label("Figure", exact=True).select_option("Figure 4")
    expect(tab, lambda: said(tab), "Nearest computed: Δ = 0.90 σ. Asked for Δ = 0.8.")
    expect(tab, tab.locator(".row:visible").count, 1)


def test_the_address_follows_the_sliders_and_leads_back(visit):
    tab = ready(visit())
    press(tab, "Gap Δ", "End")
    tab.get_by_role("textbox", name="Components d, value").fill("15")
    tab.keyboard.press("Enter")
    expect(tab, lambda: tab.evaluate("location.hash"), "#figure=Figure+1&gap=1&d=16")
    expect(tab, lambda: said(tab), "Nearest computed: Δ = 1.00 σ, d = 16. Asked for d = 15.")
    tab.get_by_role("button", name="Copy link").click()
    copied = "navigator.clipboard.readText().then(address => address.split('#')[1])"
    expect(tab, lambda: tab.evaluate(copied), "figure=Figure+1&gap=1&d=16")
    other = ready(visit("#" + tab.evaluate(copied)))
    expect(other, lambda: lines(other), expected(gap=1.0, d=16))
    tab.get_by_role("button", name="Reset", exact=True).click()
    expect(tab, lambda: tab.evaluate("location.hash"), "")
    tab.evaluate("location.hash = '#figure=Figure+4&gap=0.1'")
    expect(tab, lambda: said(tab), "Shown: Δ = 0.10 σ.")


def test_a_jump_in_the_page_takes_the_setting_along(visit):
    tab = ready(visit())
    press(tab, "Gap Δ", "End")
    expect(tab, lambda: tab.evaluate("location.hash"), "#figure=Figure+1&gap=1")
    tab.evaluate("location.hash = '#figure-2'")
    expect(tab, lambda: tab.evaluate("location.hash"), "#figure-2?figure=Figure+1&gap=1")
    other = ready(visit("#figure-2?figure=Figure+1&gap=1"))
    expect(other, lambda: lines(other), expected(gap=1.0, d=4))
    other.wait_for_selector("#figure-2 .main-svg")  # it was brought into view
    tab.get_by_role("button", name="Reset", exact=True).click()
    expect(tab, lambda: tab.evaluate("location.hash"), "")
    tab.evaluate("location.hash = '#figure-2'")
    tab.wait_for_selector("#figure-2 .main-svg")
    assert tab.evaluate("location.hash") == "#figure-2"


def test_what_is_copied_is_said_where_no_tool_moves(visit):
    """On a phone, where no row of tools has room to spare."""
    tab = ready(visit(viewport={"width": 420, "height": 900}))
    places = "[...document.querySelectorAll('#figure-1 .tool')].map(e => [e.offsetLeft, e.offsetTop])"
    before = tab.evaluate(places)
    tab.locator("#figure-1 .tools").get_by_role("button", name="Copy command").click()
    expect(tab, tab.locator("#figure-1 .heard").inner_text, "Copied.")
    assert tab.evaluate(places) == before


def test_a_step_about_a_control_that_the_page_lacks_is_left_out(tab):
    assert tab.locator(".tour button").all_inner_texts() == ["1 Gaps"]


def test_numbers_pictures_and_the_command(tab):
    press(tab, "Components d", "Home")
    expect(tab, lambda: lines(tab), expected(d=1))
    strip = tab.locator("#figure-1 .tools")
    strip.get_by_role("button", name="Copy command").click()
    command = """make report NB=demo P="-p d 1 -p runs 10 -p figure 'Figure 1'" SCALE=quick"""
    expect(tab, lambda: tab.evaluate("navigator.clipboard.readText()"), command)
    with tab.expect_download() as waiting:
        strip.get_by_role("button", name="CSV").click()
    text = waiting.value.path().read_text(encoding="utf-8")
    assert waiting.value.suggested_filename == "demo-figure-a-figure-1-d1-runs10.csv"
    assert strip.locator(".heard").inner_text() == f"Saved {waiting.value.suggested_filename}."
    assert f"# again: {command}" in text and "# d = 1\n" in text and "x is round t, y is regret" in text
    rows = list(csv.DictReader(line for line in text.splitlines() if line[0] != "#"))
    drawn = [(name, x, y) for name, xs, ys in lines(tab) for x, y in zip(xs, ys, strict=True)]
    assert [(row["series"], float(row["x"]), float(row["y"])) for row in rows] == drawn
    for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with tab.expect_download() as waiting:
            strip.get_by_role("button", name=kind).click()
        assert waiting.value.path().read_bytes().startswith(start)


def test_a_finger_moves_a_slider(visit):
    tab = ready(visit(viewport={"width": 420, "height": 900}, has_touch=True, is_mobile=True))
    track = tab.get_by_role("slider", name="Gap Δ")
    track.scroll_into_view_if_needed()
    box = track.bounding_box()
    tab.touchscreen.tap(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    expect(tab, lambda: said(tab), "Shown: Δ = 1.00 σ, d = 4.")


@pytest.mark.parametrize("options", [{"viewport": {"width": 420, "height": 900}}, {"color_scheme": "dark"}])
def test_a_phone_and_the_dark(visit, options):
    tab = ready(visit(**options))
    press(tab, "Gap Δ", "End")
    expect(tab, lambda: said(tab), "Shown: Δ = 1.00 σ, d = 4.")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_print_shows_the_figure_on_the_screen_in_words(tab):
    press(tab, "Gap Δ", "End")
    expect(tab, lambda: lines(tab), expected(gap=1.0))
    tab.emulate_media(media="print")
    assert tab.is_visible(".slides .said")
    assert not any(tab.is_visible(away) for away in (".slides .rows", ".slides .tools", ".take"))
    tab.pdf(format="A4")
    tab.emulate_media(media="screen")
    expect(tab, lambda: lines(tab), expected(gap=1.0))


def test_the_link_of_a_step_opens_the_step(visit):
    tab = visit()
    tab.get_by_role("button", name="1 Gaps").click()
    expect(tab, lambda: tab.evaluate("location.hash"), "#figure=Figure+1&gap=0.5&step=1")
    tab.get_by_role("slider", name="Components d").press("ArrowRight")
    expect(tab, lambda: tab.evaluate("location.hash"), "#figure=Figure+1&gap=0.5&d=8&step=1")
    there = visit("#figure=Figure+1&gap=0.5&d=8&step=1")
    there.locator(".say", has_text="Lower Δ step by step.").wait_for()
    assert there.get_by_role("button", name="1 Gaps").get_attribute("aria-pressed") == "true"
    expect(there, lambda: there.locator("#figure-1 .title").inner_text(), "Regret, d = 8")
    beyond = visit("#figure=Figure+1&step=7")
    assert beyond.get_by_role("button", name="1 Gaps").get_attribute("aria-pressed") == "false"


@pytest.mark.parametrize("address", ["#%", "#figure=%E0%A4%A", "#figure=constructor", "#figure=__proto__&d=8"])
def test_a_link_that_was_cut_or_names_no_figure_opens_the_page(visit, address):
    tab = visit(address)
    tab.wait_for_selector("#figure-1 .main-svg")
    assert tab.locator("#figure-1 .title").inner_text() == "Regret, d = 4"


def test_without_javascript_a_still_picture_stands_there(visit):
    tab = visit(java_script_enabled=False)
    assert not tab.is_visible(".slides")
    assert tab.locator("#figure-1 .still path").count() >= 4 and tab.is_visible("#figure-1 .still")
    assert "F-UCB" in tab.locator("#figure-1 .still").text_content()


def test_a_frame_shows_the_instrument_alone(visit):
    tab = ready(visit("?figure", viewport={"width": 740, "height": 700}))
    assert tab.get_by_role("slider").first.is_visible() and tab.locator("#figure-1 .main-svg").first.is_visible()
    assert not any(tab.locator(place).first.is_visible() for place in ("h1", "nav", ".bar", ".run", "#figure-2"))


CELL = """([column, row]) => {
  const plot = document.querySelector('#figure-3 .plot'), box = plot.getBoundingClientRect();
  const {xaxis, yaxis} = plot._fullLayout;
  return [box.x + xaxis._offset + xaxis.d2p(column), box.y + yaxis._offset + yaxis.d2p(row)];
}"""
HOVERED = "(document.querySelector('#figure-3 .plot')._hoverdata || [{}])[0].pointNumber"


def test_a_click_on_a_cell_of_a_map_sets_the_sliders(visit):
    tab = ready(visit())
    assert tab.locator("#figure-3 .cells").text_content() and not tab.locator("#figure-2 .cells").count()

    def hovers(column, row):
        tab.mouse.move(*tab.evaluate(CELL, [column, row]))
        return tab.evaluate(HOVERED) == [row, column]

    def click(column, row):
        tab.locator("#figure-3").evaluate("e => { e.closest('details').open = true; e.scrollIntoView(); }")
        tab.wait_for_selector("#figure-3 .main-svg")
        until(tab, lambda: hovers(column, row))  # plotly looks every 50 ms, and says of a click what it saw last
        tab.mouse.click(*tab.evaluate(CELL, [column, row]))

    click(2, 0)
    assert tab.evaluate("location.hash") == ""
    click(1, 1)
    expect(tab, lambda: said(tab), "Shown: Δ = 1.00 σ, d = 16.")
    until(tab, lambda: abs(tab.evaluate("document.querySelector('#figure-1').getBoundingClientRect().top")) < 40)


@pytest.mark.parametrize(("height", "foot"), [(600, ".slides .said"), (520, ".plot")])
def test_the_first_plot_ends_on_the_first_screen(visit, height, foot):
    """With its status line, where the plot need not become too flat for it."""
    tab = ready(visit(viewport={"width": 1366, "height": height}))
    bottom = f"document.querySelector('{foot}').getBoundingClientRect().bottom"
    expect(tab, lambda: tab.evaluate(f"{bottom} <= innerHeight"), True)


def test_presets_that_the_page_cannot_show_say_why(tab):
    """A reader sees what the notebook offers beside, and cannot choose it."""
    there = tab.locator("select[aria-label=Preset]")
    away = dict(text.split(": ", 1) for text in there.locator("optgroup > option").all_inner_texts())
    assert list(away) == list(demo.PRESETS) and there.locator("> option").count() == 1
    assert away["Small gap"] == "Δ = 0.05, Runs = 20" and there.locator("optgroup[disabled]").count() == 1
