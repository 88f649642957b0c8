"""A report and the index in a real browser without a network: nothing requested, no error, every chart drawn."""

import itertools
import json
import os
import re
from html import escape

import nbformat
import pytest

from banditlab.evidence import Claim, Ledger
from banditlab.report.exporter import ReportExporter
from banditlab.report.index import write_index
from tests.browser.lab import PATIENCE, expect, open_browser, until
from tests.report.test_report_fold import report as folded_report
from tests.reports import DEMO, claim

PLOTLY = "application/vnd.plotly.v1+json"
NAMES = ["F-UCB", "UCB1 on all vectors", "Robust UCB with median of means", "TEA", "F-Track", "F-UCB, bound", "uniform"]
VERDICTS = {"reproduced": 3, "not reproduced": 1, "depends on the reading": 1, "not tested": 2}

# One scheme with one width and one page here, all with all under `make soak`.
SCREENS, LEDGERS = [("light", 1400), ("dark", 420)], [("report", "light"), ("index", "dark")]
if os.environ.get("SOAK"):
    SCREENS = list(itertools.product(("light", "dark"), (1400, 420)))
    LEDGERS = list(itertools.product(("report", "index"), ("light", "dark")))

LEGENDS_APART = """() => [...document.querySelectorAll('.plot')].filter(e => e.querySelector('.legend')).every(e => {
  const [a, b] = ['.legend .bg', '.nsewdrag'].map(name => e.querySelector(name).getBoundingClientRect());
  return a.left >= b.right - 1 || b.left >= a.right - 1 || a.top >= b.bottom - 1 || b.top >= a.bottom - 1;
})"""
SCROLLING = """() =>
  [...document.querySelectorAll("main pre")].filter(e => e.scrollHeight > e.clientHeight).map(e => e.tabIndex)"""
STROKE = "getComputedStyle(document.querySelector('.js-line')).stroke"
CONTRASTS = """() => [...document.querySelectorAll('.ledger .verdict, .counts [class*="verdict-"]')].map(chip => {
  const light = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const grounds = [chip, document.body].map(e => getComputedStyle(e).backgroundColor);
  const ground = grounds.find(colour => colour !== 'rgba(0, 0, 0, 0)');
  const [a, b] = [getComputedStyle(chip).color, ground].map(light);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
})"""


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium."""
    with open_browser() as browser:
        yield browser


def figure(titles):
    """A plotly figure with a panel for every title and all policies in each."""
    data = [
        {"type": "scatter", "name": name, "x": [1, 500, 1000], "y": [0, k, 1.5 * k], "line": {"color": "#000000"},
         "xaxis": f"x{panel}", "yaxis": f"y{panel}", "showlegend": panel == 1}
        for panel, _ in enumerate(titles, 1) for k, name in enumerate(NAMES, 1)
    ]  # fmt: skip
    layout = {"title": {"text": ", ".join(titles)}, "legend": {"orientation": "h", "y": 1, "yanchor": "bottom"}}
    for panel, title in enumerate(titles, 1):
        left = (panel - 1) / len(titles)
        domain = [left, left + 0.8 / len(titles)]
        layout[f"xaxis{panel}"] = {"title": {"text": title}, "domain": domain, "anchor": f"y{panel}"}
        layout[f"yaxis{panel}"] = {"title": {"text": "regret"}, "anchor": f"x{panel}"}
    layout["meta"] = {"caption": "With a gap of $\\Delta$.", "alt": "Regret."}
    return nbformat.v4.new_output("display_data", {PLOTLY: {"data": data, "layout": layout}})


def rows():
    """A claim for every verdict that is to be counted."""
    verdicts = [verdict for verdict, number in VERDICTS.items() for _ in range(number)]
    words = {"sentence": "It is at most $\\sqrt{T}$.", "rule": "below k^d - 1", "code": "return\n" * 100}
    return [claim(number=k, verdict=verdict, **words) for k, verdict in enumerate(verdicts)]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The demo report alone in a folder, and the index of another."""
    nb = nbformat.read(DEMO, 4)
    shown = Ledger((Claim(**row) for row in rows()), symbols=[({"T"}, ["horizon"])])
    table = nbformat.v4.new_output("display_data", shown._repr_mimebundle_())
    for cell in nb.cells:
        outputs = {"headline": figure(["round t"]), "explorer": figure(["left", "right"]), "ledger": table}
        cell.outputs = [outputs[cell.id]] if cell.id in outputs else []
    html, _ = ReportExporter().from_notebook_node(nb, {"metadata": {"name": "demo"}})
    alone, index = tmp_path_factory.mktemp("alone"), tmp_path_factory.mktemp("index")
    for folder in (alone, index):
        (folder / "demo.html").write_text(html, encoding="utf-8")
    (index / "claims.json").write_text(json.dumps(rows()))
    write_index(index, DEMO)
    folded, _ = ReportExporter().from_notebook_node(folded_report(), {"metadata": {"name": "folded"}})
    (alone / "folded.html").write_text(folded, encoding="utf-8")
    return {"report": alone / "demo.html", "index": index / "index.html", "folded": alone / "folded.html"}


@pytest.fixture
def visit(browser, pages):
    """Opens a page with the network cut; afterwards nothing may have been asked for and nothing may have gone wrong."""
    requests, errors, contexts = [], [], []

    def open_page(name, **options):
        context = browser.new_context(**options)
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)
        tab = context.new_page()
        own = pages[name].as_uri()

        def route(request):
            if request.request.url.split("#")[0] == own or request.request.url.startswith(("data:", "blob:")):
                return request.continue_()
            requests.append(request.request.url)
            return request.abort("internetdisconnected")

        tab.route("**/*", route)
        tab.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.goto(own)
        return tab

    yield open_page
    for context in contexts:
        context.close()
    assert requests == []
    assert errors == []


def wait_for(tab, condition):
    """Wait until a JavaScript expression is true (the page's own policy forbids playwright's way of waiting)."""
    until(tab, lambda: tab.evaluate(condition))


def scroll_through(tab):
    """Show every chart, as a reader who scrolls would, and wait until it is drawn."""
    for plot in tab.query_selector_all(".plot"):
        plot.scroll_into_view_if_needed()
        plot.wait_for_selector(".main-svg")


@pytest.mark.parametrize("scheme, width", SCREENS)
def test_report_is_complete(visit, width, scheme):
    tab = visit("report", viewport={"width": width, "height": 900}, color_scheme=scheme)
    scroll_through(tab)
    lines = "[...document.querySelectorAll('.plot')].map(e => e.querySelectorAll('.scatterlayer .js-line').length)"
    expect(tab, lambda: tab.evaluate(lines), [7, 14])
    formulas = (
        "[...document.querySelectorAll('.tex')].map(e => e.querySelector('math > *').getBoundingClientRect().width)"
    )
    assert min(tab.evaluate(formulas)) > 0
    assert not re.search(r"\$|\\[a-z]", tab.inner_text("main"))
    assert tab.evaluate("document.documentElement.scrollWidth") == width  # what is wide scrolls by itself
    tab.evaluate("document.querySelectorAll('details.code').forEach(e => { e.open = true; })")
    cut = "[...document.querySelectorAll('pre')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"
    assert tab.evaluate(cut) == []  # lines of code go on below
    wait_for(tab, LEGENDS_APART)
    ink = "rgb(231, 234, 238)" if scheme == "dark" else "rgb(0, 0, 0)"
    expect(tab, lambda: tab.evaluate(STROKE), ink)  # black would vanish in the dark
    contrasts = tab.evaluate(CONTRASTS)
    assert len(contrasts) == 7 and min(contrasts) >= 4.5


def test_first_screen_holds_title_sentence_and_figure(visit):
    tab = visit("report", viewport={"width": 1400, "height": 900})
    tab.wait_for_selector("#figure-1 .main-svg")
    assert tab.evaluate("document.querySelector('h1').getBoundingClientRect().top") < 200
    assert tab.evaluate("document.querySelector('#figure-1 .nsewdrag').getBoundingClientRect().bottom") < 900


def test_legends_stay_apart_when_the_window_changes(visit):
    tab = visit("report", viewport={"width": 1400, "height": 900})
    scroll_through(tab)
    for width in (700, 420, 1000):
        tab.set_viewport_size({"width": width, "height": 900})
        wait_for(tab, "document.querySelector('.main-svg').clientWidth === document.querySelector('.plot').clientWidth")
        wait_for(tab, LEGENDS_APART)


def test_colours_follow_the_system(visit):
    tab = visit("report", viewport={"width": 1400, "height": 900}, color_scheme="light")
    scroll_through(tab)
    tab.emulate_media(color_scheme="dark")
    wait_for(tab, f"{STROKE} === 'rgb(231, 234, 238)'")


def test_print_draws_all_charts_on_white(visit):
    tab = visit("report", viewport={"width": 420, "height": 600}, color_scheme="dark")
    tab.wait_for_selector("#figure-1 .main-svg")
    assert not tab.query_selector("#figure-2 .main-svg")  # not near yet
    seen = """addEventListener('beforeprint', () => { window.seen = [...document.querySelectorAll('.plot')].map(e =>
      [e.querySelector('.main-svg').clientWidth, getComputedStyle(e.querySelector('.js-line')).stroke]) })"""
    tab.evaluate(seen)
    tab.pdf(format="A4")
    assert tab.evaluate("window.seen") == [[660, "rgb(0, 0, 0)"]] * 2
    wait_for(tab, "document.querySelector('#figure-1 .main-svg').clientWidth < 420")  # and back on the screen


def test_camera_saves_svg_and_nothing_is_sent_to_a_cloud(visit):
    tab = visit("report", viewport={"width": 1400, "height": 900})
    tab.wait_for_selector("#figure-1 .main-svg")
    tab.hover("#figure-1 .plot")
    tab.wait_for_selector("#figure-1 .modebar-btn", state="attached")
    titles = tab.evaluate("[...document.querySelectorAll('#figure-1 .modebar-btn')].map(e => e.dataset.title)")
    assert titles and not [title for title in titles if "share" in title.lower() or "cloud" in title.lower()]
    with tab.expect_download() as download:
        tab.click("#figure-1 .modebar-btn[data-title*='Download']")
    assert download.value.suggested_filename == "figure-1.svg"
    assert download.value.path().read_text().startswith("<svg")


def test_code_switch_and_folded_contents(visit):
    tab = visit("report", viewport={"width": 420, "height": 900})
    assert not tab.is_visible("nav ol")
    assert not tab.is_visible("#cell-headline .highlight")
    tab.click("#code-switch")
    assert tab.evaluate("[...document.querySelectorAll('details.code')].every(e => e.open)")
    assert tab.inner_text("#code-switch") == "Hide all code"
    tab.click("#code-switch")
    assert not tab.is_visible("#cell-headline .highlight")


@pytest.mark.parametrize("width", [1400, 420])
def test_report_without_javascript(visit, width):
    tab = visit("report", viewport={"width": width, "height": 900}, java_script_enabled=False)
    tab.click(".run .more summary >> nth=0")  # what is folded opens all the same
    text = tab.inner_text("main")
    for words in (
        "Optimism loses only",
        "Without JavaScript charts stand still",
        "Figure B.",
        "random seed",
        "depends on",
    ):
        assert words in text
    assert tab.is_visible("#figure-1 .still") and not tab.is_visible("#code-switch")


def test_a_link_into_what_is_folded_opens_it(visit):
    tab = visit("folded", viewport={"width": 1366, "height": 768})
    assert tab.locator("details.tile[open]").count() == 0 and not tab.is_visible("#figure-3")
    tab.evaluate("location.hash = '#figure-3'")
    tab.wait_for_selector("#figure-3 .main-svg")
    assert tab.locator("details.tile[open]").count() == 1
    tab.locator(".tile[open] > summary").press("Enter")  # and closes by the keyboard
    assert not tab.is_visible("#figure-3")


def test_contents_lead_there_and_say_where_one_is(visit):
    tab = visit("folded", viewport={"width": 1366, "height": 500})
    tab.wait_for_selector("#figure-1 .main-svg")
    tab.click("nav a >> text=Two")
    expect(tab, lambda: tab.locator("nav a[aria-current]").all_inner_texts(), ["Two"])
    assert -1 <= tab.evaluate("document.getElementById('two').getBoundingClientRect().top") < 120


def test_print_opens_everything_and_closes_it_again(visit):
    tab = visit("folded", viewport={"width": 1366, "height": 768})
    tab.wait_for_selector("#figure-1 .main-svg")
    count = "document.querySelectorAll('main details:not(.code)[open]').length"
    tab.evaluate(f"addEventListener('beforeprint', () => {{ window.seen = {count} }})")
    tab.pdf(format="A4")
    assert tab.evaluate("window.seen") == tab.locator("main details:not(.code)").count() > 5
    expect(tab, lambda: tab.evaluate(count), 0)


def test_what_scrolls_is_reached_with_the_keyboard(visit):
    tab = visit("report")
    tab.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    expect(tab, lambda: tab.evaluate(SCROLLING), [0] * sum(VERDICTS.values()))


def test_a_tile_that_is_open_says_that_it_folds(visit):
    tab = visit("folded")
    tile = tab.locator(".tile > summary").first
    name = tile.inner_text()
    tile.press("Enter")
    expect(tab, lambda: tile.inner_text().strip(), "Fold this figure")  # the small picture goes when the plot is drawn
    tile.press("Enter")
    expect(tab, tile.inner_text, name)


def test_tiles_open_without_javascript(visit):
    tab = visit("folded", viewport={"width": 1366, "height": 768}, java_script_enabled=False)
    tile = tab.locator("details.tile").first
    small = tile.locator(".still").bounding_box()["height"]
    tile.locator("summary").click()
    assert tile.locator("figcaption").is_visible() and tile.locator(".still").bounding_box()["height"] > 3 * small


def test_a_frame_hands_on_the_wheel_that_it_does_not_use(visit, pages):
    """VS Code scrolls a notebook by the wheel events of its own document, and gets none from inside a frame."""
    tab = visit("report").context.new_page()
    source = escape(pages["report"].read_text(encoding="utf-8"))
    tab.set_content(f'<iframe srcdoc="{source}" style="width: 60rem; height: 30rem"></iframe>')
    frame = tab.frames[1]
    frame.evaluate("document.documentElement.classList.remove('alone')")  # it has no instrument to show alone
    tab.evaluate("heard = []; document.querySelector('iframe').addEventListener('wheel', e => heard.push(e.deltaY))")
    tab.mouse.move(400, 200)
    tab.mouse.wheel(0, 90)
    until(tab, lambda: frame.evaluate("document.scrollingElement.scrollTop") > 0)
    assert tab.evaluate("heard") == []
    frame.evaluate("scrollTo({top: 1e6, behavior: 'instant'})")
    tab.mouse.wheel(0, 70)
    expect(tab, lambda: tab.evaluate("heard"), [70])


SEEN = ".claims > details:visible"


@pytest.mark.parametrize("name, scheme", LEDGERS)
def test_claims_are_filtered_by_verdict_and_by_words(visit, name, scheme):
    tab = visit(name, viewport={"width": 420, "height": 900}, color_scheme=scheme)
    assert tab.evaluate("document.documentElement.scrollWidth") == 420
    assert min(tab.evaluate(CONTRASTS)) >= 4.5
    count = tab.locator(".filters [role=status]")
    expect(tab, count.inner_text, "7 of 7 claims")
    button = tab.locator(".verdicts button[data-verdict='not tested']")
    button.press("Enter")  # a key needs no place: figures that are being drawn may move the page under a click
    expect(tab, count.inner_text, "2 of 7 claims")
    assert tab.locator(SEEN).count() == 2
    assert tab.locator(".mark[data-out]").count() == 5
    button.press("Enter")
    tab.locator(".filters input").fill("most c3 at")  # words in any order
    assert count.inner_text() == "1 of 7 claims"
    for absent in ("a", "d"):  # a letter is a symbol of what is claimed: none of these, and one of the rule
        tab.locator(".filters input").fill(absent)
        assert count.inner_text() == "0 of 7 claims"
    for found in ("horizon", "T", "k^d"):  # what T is called; a formula as it is written
        tab.locator(".filters input").fill(found)
        assert count.inner_text() == "7 of 7 claims"
    tab.locator(".filters input").fill("")
    assert count.inner_text() == "7 of 7 claims"


def test_a_mark_opens_its_row(visit):
    tab = visit("report", viewport={"width": 1366, "height": 768})
    tab.locator(".mark").nth(3).press("Enter")
    row = tab.locator("#claim-C3")
    assert row.get_attribute("open") is not None and row.locator("dl").is_visible()
    expect(tab, lambda: tab.evaluate("document.activeElement.parentElement.id"), "claim-C3")
    assert tab.locator(".claims > details[open]").count() == 1


def test_index_without_javascript(visit):
    tab = visit("index", viewport={"width": 1400, "height": 900}, java_script_enabled=False)
    assert not tab.is_visible(".filters")
    assert [row.inner_text().strip() for row in tab.locator(".claims .verdict").all()].count("reproduced") == 3
    tab.locator(".claims summary").first.click()
    assert tab.locator(".claims dl").first.is_visible()
    assert "Optimism loses only" in tab.inner_text(".reports")
