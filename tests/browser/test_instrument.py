"""The instrument alone, on an empty page, whose home only keeps what it is asked: rows, steps, presets, typing."""

import json
import re
from pathlib import Path

import pytest

import banditlab.explorer
from banditlab.explorer import Choice, Slider, Switch
from banditlab.explorer.facts import describe_instrument
from tests.browser.lab import PATIENCE, open_browser

HOME = Path(banditlab.explorer.__file__).parent


def figure(a, b, c, d, e, shape, on, progress=None):
    """What it shows."""


def other(a, shape, progress=None):
    """Another figure."""


other.opens, figure.marks = {"a": 7}, {"b": [2, 40]}
figure.edges = [
    ({"b": 25}, "A3 stops holding here", True, "It holds."),
    ({"b": 25}, "A4 is open here", False, "It too."),
    ({"b": 100}, "A5 is open here", False, "Also."),
    ({"b": 40, "c": 0.5}, "A6 stops holding here", True, "All."),
    ({"elsewhere": 1}, "A7 stops holding here", True, "Not here."),
]
CONTROLS = {
    "a": Slider("Gap a", 0, 9, 1, main=True, where={"shape": ("ramp",)}),
    "b": Slider("Number b", 0, 100, 1, main=True, unit="rounds"),
    "c": Slider("Share c", 0.0, 1.0, 0.05, main=True),
    "d": Slider("d", 0, 9, 1, main=True),
    "e": Slider("e", 0, 9, 1, unit="thousand rounds"),
    "shape": Choice("Shape", ["steps", "ramp"]),
    "on": Switch("Bound"),
}
VALUES = {"figure": "One", "a": 0, "b": 10, "c": 0.3, "d": 1, "e": 2, "shape": "steps", "on": False}
PRESETS = {
    "More": {"b": 40, "say": "Raise b.", "move": ["e", "b"]},
    "Ramps": {"shape": "ramp", "say": "Look at a.", "move": ["a"]},
    "Plain": {"c": 0.123, "d": 5},
}
PAGE = """<div id="root"></div><script>%s
const facts = %s, names = title => facts.figures[title].names, asked = window.asked = [];
const gather = (title, of) => Object.fromEntries(names(title).map(name => [name, of(name)]));
openInstrument(document.getElementById('root'), facts, {
  take: [['CSV', 'CSV', 'numbers', () => asked.push('csv')]],
  redraw: () => asked.push('redraw'), cancel: () => asked.push('cancel'),
  moves: title => gather(title, name => facts.controls[name].values),
  at: values => gather(values.figure, name => (window.few || {})[name]?.find(x => x >= values[name]) ?? values[name]),
  ask: (values, preset, begins) => asked.push([values, preset, begins]),
});
</script>"""


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


@pytest.fixture
def tab(browser, tmp_path):
    """A fresh instrument."""
    facts = describe_instrument({"One": figure, "Two": other}, VALUES, CONTROLS, PRESETS)
    scripts, style = (
        "".join((HOME / name).read_text(encoding="utf-8") for name in names)
        for names in (("shared.js", "instrument.js"), ("look.css", "instrument.css"))
    )
    (tmp_path / "page.html").write_text(
        f"<!doctype html><meta charset=utf-8><style>{style}</style>" + PAGE % (scripts, json.dumps(facts)), "utf-8"
    )
    page, wrong = browser.new_page(viewport={"width": 960, "height": 700}), []
    page.set_default_timeout(1000 * PATIENCE)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((tmp_path / "page.html").as_uri())
    yield page
    assert not wrong
    page.close()


def rows(tab, box):
    """Names of the rows in front, or of those that are folded."""
    return tab.locator(f".{box} > .row").evaluate_all("rows => rows.map(row => row.dataset.name)")


def asked(tab):
    """What was asked for last: values, preset, whether a gesture began."""
    return tab.evaluate("window.asked.at(-1)")


def test_three_rows_stand_in_front_and_those_that_do_nothing_are_not_there(tab):
    assert (rows(tab, "main"), rows(tab, "others")) == (["b", "c"], ["d", "e", "shape", "on"])
    tab.get_by_role("button", name="More settings").click()
    tab.get_by_label("Shape").focus()
    tab.get_by_label("Shape").select_option("ramp")
    assert asked(tab) == [{**VALUES, "shape": "ramp"}, "", True]
    assert (rows(tab, "main"), rows(tab, "others")) == (["a", "b", "c"], ["d", "e", "shape", "on"])
    assert tab.evaluate("document.activeElement.id").startswith("bl-shape")  # rows that move do not take the focus
    tab.get_by_label("Bound").check()
    assert asked(tab)[0] == {**VALUES, "shape": "ramp", "on": True}


def test_a_key_leads_to_what_is_there_at_this_setting(tab):
    tab.evaluate("window.few = {b: [10, 25, 40, 1000]}")
    tab.get_by_role("slider", name="Share c", exact=True).press("ArrowRight")  # what is there is asked anew
    for value in (25, 40, 40):
        tab.get_by_role("slider", name="Number b", exact=True).press("ArrowRight")
        assert asked(tab)[0]["b"] == value


def test_a_value_stands_there_whole_with_its_unit(tab):
    tab.get_by_role("button", name="More settings").click()
    box = tab.get_by_label("e, value")
    assert box.input_value() == "2 thousand rounds"
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_a_step_sets_values_says_what_to_look_at_and_brings_its_sliders(tab):
    tab.get_by_role("button", name="1 More").click()
    assert asked(tab) == [{**VALUES, "b": 40}, "More", True] and rows(tab, "main") == ["e", "b"]
    assert tab.locator(".say").inner_text() == "Raise b."
    tab.get_by_role("slider", name="e", exact=True).press("ArrowRight")
    assert asked(tab)[:2] == [{**VALUES, "b": 40, "e": 3}, ""]
    assert rows(tab, "main") == ["e", "b"] and tab.locator(".say").inner_text() == "Raise b."  # while a slider moves
    tab.get_by_role("button", name="2 Ramps").click()
    assert asked(tab)[0] == {**VALUES, "shape": "ramp"} and rows(tab, "main") == ["a"]
    pressed = tab.locator(".tour button").evaluate_all("all => all.map(one => one.getAttribute('aria-pressed'))")
    assert pressed == ["false", "true"]
    tab.get_by_role("button", name="Reset").click()
    assert asked(tab) == [VALUES, "", True] and tab.locator(".say").inner_text() == "What it shows."
    assert rows(tab, "main") == ["b", "c"]


def test_a_preset_stands_on_the_start_and_a_figure_opens_at_its_own_values(tab):
    tab.get_by_role("slider", name="Number b").press("End")
    tab.get_by_label("Preset").select_option("Plain")
    assert asked(tab) == [{**VALUES, "c": 0.123, "d": 5}, "Plain", True]
    assert tab.get_by_role("slider", name="Share c").get_attribute("aria-valuetext") == "0.123"
    options = tab.get_by_label("Preset").locator("option").all_inner_texts()
    assert options == ["choose a preset", "Plain"]  # the steps have buttons of their own
    tab.get_by_role("slider", name="Number b").press("Home")
    assert tab.get_by_label("Preset").input_value() == "choose a preset"
    tab.get_by_label("Figure").select_option("Two")
    assert asked(tab)[0] == {**VALUES, "c": 0.123, "d": 5, "b": 0, "a": 7, "figure": "Two"}
    tab.get_by_label("Figure").select_option("One")  # what the other opened with is not carried over
    assert asked(tab)[0] == {**VALUES, "c": 0.123, "d": 5, "b": 0}


def test_values_are_typed(tab):
    box = tab.get_by_role("textbox", name="Number b, value")
    wrong, ends = tab.locator("[data-name=b] .wrong"), "Number b goes from 0 rounds to 100 rounds."
    whole = "Number b takes whole numbers only."
    typing = [
        ("12", 12, ""),
        ("57.6", 58, whole),
        ("1,000", 100, ends),
        ("7,6", 8, whole),
        ("-3", 0, ends),
        ("0/0", 0, "“0/0”"),
    ]
    for typed, value, told in (*typing, ("999 rounds", 100, ends), ("many", 100, "“many” is not a number.")):
        box.fill(typed)
        box.press("Enter")
        assert asked(tab)[0]["b"] == value and box.input_value() == f"{value} rounds"
        assert wrong.inner_text().startswith(told) and bool(wrong.inner_text()) == bool(told)
        assert box.evaluate("box => box === document.activeElement")
    count = tab.evaluate("window.asked.length")
    box.fill("50")
    box.press("Escape")
    assert box.input_value() == "100 rounds" and not wrong.inner_text()
    box.press("Tab")
    assert tab.evaluate("window.asked.length") == count
    share = tab.get_by_role("textbox", name="Share c, value")
    share.fill("1/8")
    share.press("Enter")
    assert asked(tab)[0]["c"] == 0.125 and share.input_value() == "0.125"
    share.fill("0,375")  # a point to many readers; nobody groups thousands behind a zero
    share.press("Enter")
    assert asked(tab)[0]["c"] == 0.375
    tab.get_by_role("slider", name="Share c").press("ArrowRight")
    assert asked(tab)[0]["c"] in (0.4, 0.45)


def test_one_gesture_begins_once(tab):
    tab.get_by_role("slider", name="Number b").evaluate(
        """e => { for (const value of [11, 12, 13]) { e.value = value; e.dispatchEvent(new Event('input')); }
        e.dispatchEvent(new Event('change')); e.value = 14; e.dispatchEvent(new Event('input')); }"""
    )
    assert tab.evaluate("window.asked.map(one => one[2])") == [True, False, False, True]


def test_names_of_ticks_have_room_for_their_letters(tab):
    """Five letters on every sixth of a track would run into each other, one and three do not."""
    named = "points => placeTicks(points, []).map(([i]) => points[i])"
    assert tab.evaluate(named, [0, 0.256, 0.512, 0.6, 0.688, 0.944, 1]) == [0, 0.256, 0.6, 0.688, 1]
    assert tab.evaluate(named, [1, 50, 95, 100, 105, 200]) == [1, 50, 95, 100, 105, 200]
    start = "([points, start]) => placeTicks(points, [], start).filter(([, , room]) => room).map(([i]) => points[i])"
    assert 0.688 in tab.evaluate(start, [[0, 0.256, 0.512, 0.6, 0.688, 0.944, 1], 0.688])
    assert tab.evaluate("[9999, 10000, 1e6, 2.5e6].map(shorten)") == ["9999", "10k", "1M", "2.5M"]


def test_ticks_mark_the_paper_s_own_values_and_lead_to_them(tab):
    ticks = tab.locator("[data-name=b] .ticks span")
    texts = dict(zip(ticks.evaluate_all("all => all.map(one => one.title)"), ticks.all_inner_texts(), strict=True))
    assert texts == {"0 rounds": "0", "2 rounds: the paper's": "", "40 rounds: the paper's": "40", "100 rounds": "100"}
    tab.locator("[data-name=b] .ticks .paper").nth(1).click()
    assert asked(tab)[0]["b"] == 40
    assert tab.locator("[data-name=b] .ticks .on").inner_text() == "40"


def test_edges_of_claims_stand_under_the_track_where_the_thumb_would(tab):
    found = tab.locator("[data-name=b] .ticks i")
    assert found.evaluate_all("all => all.map(one => one.title)") == [
        "A3 stops holding here; A4 is open here, all else as in the paper",
        "A5 is open here, all else as in the paper",
    ]
    assert [one.get_attribute("class") for one in found.all()] == ["", "open"]
    assert tab.locator(".marks .edge").is_visible() and tab.locator(".marks .paper").is_visible()  # their key
    tab.get_by_role("textbox", name="Number b, value").fill("25")
    tab.keyboard.press("Enter")
    heard = tab.get_by_role("slider", name="Number b").get_attribute("aria-valuetext")
    assert heard == "25 rounds; A3 stops holding here; A4 is open here"
    middle = "one => { const box = one.getBoundingClientRect(); return box.x + box.width / 2; }"
    there = tab.locator("[data-name=b] .ticks").evaluate("e => [e.getBoundingClientRect().x, e.clientWidth]")
    for edge, value in zip(found.all(), (25, 100), strict=True):
        assert edge.evaluate(middle) == pytest.approx(there[0] + there[1] * value / 100, abs=1)
    assert not tab.locator("[data-name=c] .ticks i").count()


def test_where_a_claim_is_decided_otherwise_its_sentence_stands_there(tab):
    told = tab.locator(".stops")
    for value, words in (("25", "Claim A3 stops holding here: It holds."), ("40", ""), ("100", "")):
        tab.get_by_role("textbox", name="Number b, value").fill(value)
        tab.keyboard.press("Enter")
        assert told.inner_text() == words
    for name, value in (("Number b", "40"), ("Share c", "0.5")):  # two numbers together
        tab.get_by_role("textbox", name=f"{name}, value").fill(value)
        tab.keyboard.press("Enter")
    assert told.inner_text() == "Claim A6 stops holding here: All."
    tab.get_by_role("button", name="More settings").click()
    tab.get_by_label("Bound").check()  # the claim is about the others as they were
    assert told.inner_text() == ""


def test_tracks_are_wide_and_a_value_moves_nothing(tab):
    boxes = "[...document.querySelectorAll('.instrument *')].map(e => e.getBoundingClientRect())"
    places = f"() => {boxes}.map(b => [b.x, b.y, b.width])"
    assert min(tab.locator("input[type=range]:visible").evaluate_all("all => all.map(one => one.clientWidth)")) >= 200
    tab.get_by_role("slider", name="Number b").focus()
    before = tab.evaluate(places)
    tab.keyboard.press("End")
    assert tab.evaluate(places) == before


def test_tools_have_names_that_come_with_the_focus(tab):
    reset = tab.get_by_role("button", name="Reset", exact=True)
    assert not reset.locator(".word").is_visible()
    reset.focus()
    tab.keyboard.press("Tab")
    tab.keyboard.press("Shift+Tab")
    assert reset.locator(".word").is_visible()
    assert re.search("start", reset.get_attribute("title"))
    tab.get_by_label("Lock axes").check()
    assert asked(tab) == "redraw"
    tab.get_by_role("button", name="CSV").click()
    assert asked(tab) == "csv"


SHORT = {"noise-adjusted, learnt (bl)": "learnt", "some instance costs at least (proof of Thm 3.1)": "proof of Thm 3.1"}


@pytest.mark.parametrize("name", SHORT)
def test_a_name_at_the_end_of_a_line_is_no_part_of_a_bracket(tab, name):
    others = ["noise-adjusted (bl)", "UpUCB (bl)"]
    assert tab.evaluate("([name, others]) => brief(name, [name, ...others])", [name, others]) == SHORT[name]


def test_a_step_at_the_end_of_an_axis_is_not_half_cut(tab):
    widened = "figure => { widen(figure); return Object.values(figure.layout).map(axis => axis.range || null); }"
    steps = {"type": "scatter", "x": [10, 100, 1000], "y": [0.3, 0.6, 1], "xaxis": "x2", "line": {"shape": "hv"}}
    plain = {"type": "scatter", "x": [1, 9], "y": [0, 5]}
    layout = {"xaxis": {}, "xaxis2": {"type": "log"}, "yaxis": {}}
    drawn = {"data": [plain, steps], "layout": layout}
    assert tab.evaluate(widened, drawn) == [None, pytest.approx([0.95, 3.05]), None]
    layout["xaxis2"]["range"] = [0, 4]  # somebody's own
    assert tab.evaluate(widened, drawn) == [None, [0, 4], None]
