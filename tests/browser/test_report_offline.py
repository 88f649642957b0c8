"""A report and the index in a real browser without a network: nothing requested, no error, every chart drawn."""

import json
import os
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import sync_playwright

from banditlab.evidence import Claim, Ledger
from banditlab.report.exporter import ReportExporter
from banditlab.report.index import write_index
from tests.browser.lab import PATIENCE, expect, until
from tests.reports import claim

DEMO = Path(__file__).parents[1] / "data" / "demo.ipynb"
PLOTLY = "application/vnd.plotly.v1+json"
NAMES = ["F-UCB", "UCB1 on all vectors", "Robust UCB with median of means", "TEA", "F-Track", "F-UCB, bound", "uniform"]
VERDICTS = {"reproduced": 3, "not reproduced": 1, "depends on the reading": 1, "not tested": 2}

LEGENDS_APART = """() => [...document.querySelectorAll('.plot')].filter(e => e.querySelector('.legend')).every(e => {
  const [a, b] = ['.legend .bg', '.nsewdrag'].map(name => e.querySelector(name).getBoundingClientRect());
  return a.left >= b.right - 1 || b.left >= a.right - 1 || a.top >= b.bottom - 1 || b.top >= a.bottom - 1;
})"""
STROKE = "getComputedStyle(document.querySelector('.js-line')).stroke"
CONTRASTS = """() => [...document.querySelectorAll('[class*="verdict-"]')].map(chip => {
  const light = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const [a, b] = [getComputedStyle(chip).color, getComputedStyle(chip).backgroundColor].map(light);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
})"""


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium, found by its name."""
    path = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    if path is None and not os.environ.get("CI"):
        pytest.skip("no chromium and no google-chrome on this machine: the report is not opened in a browser")
    assert path, "CI needs chromium or google-chrome"
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


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
    words = {"sentence": "It is at most $\\sqrt{T}$."}
    return [claim(number=k, verdict=verdict, **words) for k, verdict in enumerate(verdicts)]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The demo report alone in a folder, and the index of another."""
    nb = nbformat.read(DEMO, 4)
    table = nbformat.v4.new_output("display_data", Ledger(Claim(**row) for row in rows())._repr_mimebundle_())
    for cell in nb.cells:
        outputs = {"headline": figure(["round t"]), "explorer": figure(["left", "right"]), "ledger": table}
        cell.outputs = [outputs[cell.id]] if cell.id in outputs else []
    html, _ = ReportExporter().from_notebook_node(nb, {"metadata": {"name": "demo"}})
    alone, index = tmp_path_factory.mktemp("alone"), tmp_path_factory.mktemp("index")
    for folder in (alone, index):
        (folder / "demo.html").write_text(html, encoding="utf-8")
    (index / "claims.json").write_text(json.dumps(rows()))
    write_index(index)
    return {"report": alone / "demo.html", "index": index / "index.html"}


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


@pytest.mark.parametrize("width", [1400, 420])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_report_is_complete(visit, width, scheme):
    tab = visit("report", viewport={"width": width, "height": 900}, color_scheme=scheme)
    scroll_through(tab)
    lines = "[...document.querySelectorAll('.plot')].map(e => e.querySelectorAll('.scatterlayer .js-line').length)"
    expect(tab, lambda: tab.evaluate(lines), [7, 14])
    formulas = "[...document.querySelectorAll('.tex')].map(e => e.querySelectorAll('.katex-html > *').length)"
    until(tab, lambda: min(tab.evaluate(formulas)) > 0)
    assert not tab.query_selector(".katex-error")
    tab.evaluate("document.querySelectorAll('.katex-mathml').forEach(e => e.remove())")  # holds the source for readers
    assert not re.search(r"\$|\\[a-z]", tab.inner_text("main"))
    assert tab.evaluate("document.documentElement.scrollWidth") == width  # what is wide scrolls by itself
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_index_filters_by_verdict(visit, scheme):
    tab = visit("index", viewport={"width": 420, "height": 900}, color_scheme=scheme)
    assert tab.evaluate("document.documentElement.scrollWidth") == 420
    assert min(tab.evaluate(CONTRASTS)) >= 4.5
    assert tab.inner_text("#shown") == "7 of 7 claims"
    tab.locator(".filters select[data-name='verdict']").select_option("verdict-untested")
    assert tab.inner_text("#shown") == "2 of 7 claims"
    assert tab.locator(".claims > details:visible").count() == 2
    tab.locator(".filters select[data-name='verdict']").select_option("")
    tab.locator(".filters input").fill("C3")
    assert tab.inner_text("#shown") == "1 of 7 claims"
    tab.locator(".filters input").fill("")
    assert tab.inner_text("#shown") == "7 of 7 claims"


def test_index_without_javascript(visit):
    tab = visit("index", viewport={"width": 1400, "height": 900}, java_script_enabled=False)
    assert not tab.is_visible(".filters")
    assert tab.inner_text(".claims").count("reproduced") == 4
    assert "Optimism loses only" in tab.inner_text(".reports")
