"""The notebooks run headlessly at quick size: as reports, by a bare papermill, and with other parameters."""

import contextlib
import importlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode

import nbformat
import papermill
import pytest
from bs4 import BeautifulSoup

from banditlab.explorer.paper import find_paper
from banditlab.explorer.precompile import list_file
from banditlab.page import wanted
from banditlab.report import run
from banditlab.report.__main__ import main
from tests.browser.lab import PATIENCE, expect, open_browser, until
from tests.papers import ALL, FEW, OPENED, SOAK, with_all
from tests.reports import ROOT

PLAYED = {path.stem for path in OPENED} if SOAK else {"composite"} if ALL else set()  # takes half of a report's time
PLOTLY, WIDGET = "application/vnd.plotly.v1+json", "application/vnd.jupyter.widget-view+json"

# What is written over what, plot by plot; ticks are left out: plotly thins them itself, and some of them are turned.
OVERLAPS = """() => [...document.querySelectorAll('.plot')].flatMap(plot => {
  const kinds = 'text.annotation-text, text.legendtext, text[class*="title"]';
  const words = [...plot.querySelectorAll(kinds)].map(e => [e.textContent, e.getBoundingClientRect()]);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return words.flatMap(([text, a], k) =>
    words.slice(k + 1).filter(([, b]) => over(a, b)).map(([other]) => [text, other]));
})"""

# Verdicts of the ledger whose visible words lie on what stands beside them.
COVERED = """() => [...document.querySelectorAll('.claims summary > :is(.then, .now)')].flatMap(({children}) => {
  const [verdict, ...beside] = children, words = document.createRange();
  if (!verdict || !verdict.offsetParent) return [];
  words.selectNodeContents(verdict);
  if (verdict.querySelector('i')) words.setEndBefore(verdict.querySelector('i'));
  const {top, right, bottom} = words.getBoundingClientRect();
  return beside.map(e => e.getBoundingClientRect())
    .filter(b => b.width && b.top < bottom && b.bottom > top && b.left < right).map(() => verdict.textContent);
})"""


@pytest.fixture(params=OPENED, ids=lambda path: path.stem, scope="module")
def notebook(request):
    return request.param


def test_every_control_is_a_parameter(notebook):
    """Otherwise the command that the explorer copies would not give what is on the screen."""
    experiments = importlib.import_module(notebook.stem)
    assert set(experiments.CONTROLS) <= set(papermill.inspect_notebook(str(notebook)))


def test_report_is_built_with_its_ledger(notebook, reports, monkeypatch, capsys):
    """It plays no pair that the paper's list lacks: if it does, the list has it now, to be committed.

    One page plays here where all notebooks are opened, all under `make soak`.
    """
    if notebook.stem not in PLAYED:
        monkeypatch.setattr(run, "begin_plays", lambda job: contextlib.nullcontext())
    monkeypatch.chdir(ROOT)
    listed = list_file(notebook).read_text()
    assert main([notebook.stem, "--out", str(reports)]) == 0
    assert list_file(notebook).read_text() == listed
    page = (reports / f"{notebook.stem}.html").read_text()
    assert ('id="plays"' in page) == (notebook.stem in PLAYED), capsys.readouterr().err
    assert len(page) < 6_000_000 and 'class="plot"' in page
    assert not [path for path in (ROOT, reports, Path.home(), tempfile.gettempdir()) if f"{path}/" in page]
    assert "...</td>" not in page  # pandas cuts texts of over 50 characters, and tables of over 60 rows
    rows = [row for row in json.loads((reports / "claims.json").read_text()) if row["paper"] == notebook.stem]
    judged = [row for row in rows if row["verdict"] != "not tested"]
    assert len(judged) >= 2 * len(rows) / 3 > 5
    assert all(row["scale"] == "quick" for row in rows)


def test_every_link_in_a_report_lands(notebook, reports):
    """From figures to claims and back, from texts and errata to claims, from the contents to sections."""
    page = BeautifulSoup((reports / f"{notebook.stem}.html").read_text(encoding="utf-8"), "html.parser")
    there = {element["id"] for element in page.find_all(id=True)}
    within = [unquote(link["href"][1:]) for link in page.find_all("a", href=re.compile("^#"))]
    settings = [parse_qs(place)["figure"][0] for place in within if place.startswith("figure=")]
    assert set(settings) <= set(find_paper(notebook).FIGURES)
    assert set(within) <= there | {place for place in within if place.startswith("figure=")} and len(within) > 100
    rows, figures = page.select(".claims > details"), page.select("figure[id]")
    shown = {(row["id"], link["href"][1:]) for row in rows for link in row.select("a[href^='#figure-']")}
    tested = {(link["href"][1:], figure["id"]) for figure in figures for link in figure.select(".tests a")}
    assert shown == tested and len(shown) > 10


@contextlib.contextmanager
def open_report(notebook, reports, **options):
    """The page of a notebook's report in a browser."""
    with open_browser() as browser:
        page = browser.new_page(**options)
        page.set_default_timeout(1000 * PATIENCE)
        page.goto((reports / f"{notebook.stem}.html").as_uri())
        yield page


LACKS = "the page has no sliders for its figure"
ELSEWHERE = {  # presets that a page lacks, by paper: title to why
    "censored": {
        "Paper, Figure 8, n = 50": LACKS,
        "Paper, Figure 9, n = 5": LACKS,
        "Paper, Figure 2, threshold = 0.99": "L = 5",  # of the formula the steepness is fixed
        "z-RCUCB, a long run": LACKS,
    },
    "composite": {"Theorem 1 applies": "Upper bound = on"},
    "factored": {"Paper, Figure 3, d = 3, k = 4": "Runs = 50", "Who wins at d = 20": "Runs = 200"},
    "uplifting": {
        "Campaign, all feedback from the models": LACKS,
        "The noise of the others": LACKS,
        "An unknown baseline, a large best set": LACKS,
    },
}
GOES = "asked => { history.replaceState(null, '', '#'); location.hash = `${asked}&seen=0`; }"  # it says where it led


def test_settings_that_a_report_names_are_there(notebook, reports):
    """Links of the text and steps of the tour lead just to their values; of the presets only a few are elsewhere."""
    if notebook.stem not in PLAYED:
        pytest.skip("its page does not play here")
    paper = find_paper(notebook)
    with open_report(notebook, reports) as page:
        page.wait_for_selector(".slides:not([hidden])")
        listed = page.get_by_label("Figure", exact=True).first.locator("option").all_inner_texts()
        assert sorted(listed) == sorted(paper.FIGURES)  # also those that only the notebook has
        away = page.locator("select[aria-label=Preset]").first.locator("optgroup > option").all_inner_texts()
        away = dict(text.split(": ", 1) for text in away)
        assert away == ELSEWHERE[notebook.stem]
        steps = page.locator(".tour button")
        assert steps.count() == len(paper.TOUR) >= 4
        for asked in [
            {"figure": next(iter(paper.FIGURES)), **one} for one in wanted.list_links(notebook, paper.CONTROLS)
        ]:
            setting = {name: value for name, value in asked.items() if name != "say"}
            page.evaluate(GOES, urlencode(setting))
            check_setting(page, paper, setting)
        for step, title in enumerate(paper.TOUR):
            page.evaluate("history.replaceState(null, '', '#seen=0')")
            steps.nth(step).click()
            told = paper.TOUR[title]
            check_setting(page, paper, {k: v for k, v in told.items() if k not in ("say", "move", "horizon", "runs")})


def check_setting(page, paper, setting):
    """The address, which follows what is shown, has these values; those of the start are left out."""
    until(page, lambda: "seen=0" not in page.evaluate("location.hash"))
    there = dict(parse_qsl(page.evaluate("location.hash.slice(1)")))
    assert there.pop("figure") == setting["figure"]
    for name, value in setting.items():
        if name != "figure":
            start = paper.CONTROLS[name].start
            assert wanted.parse_value(paper.CONTROLS[name], there.get(name, str(start))) == value, (setting, there)


def test_no_words_of_a_plot_lie_on_others(notebook, reports):
    """At the width that a page of text has on most screens."""
    with open_report(notebook, reports, viewport={"width": 1100, "height": 900}) as page:
        page.evaluate("document.querySelectorAll('.tile').forEach(tile => { tile.open = true; })")
        for plot in page.query_selector_all(".plot"):
            plot.scroll_into_view_if_needed()
            plot.wait_for_selector(".main-svg")
        expect(page, lambda: page.evaluate(OVERLAPS), [])  # a plot that is drawn may place its names once more


def test_a_report_is_short_its_instrument_fits_one_screen_and_its_ledger_two(notebook, reports):
    with open_report(notebook, reports, viewport={"width": 1366, "height": 768}) as page:
        page.wait_for_selector("#figure-1 .main-svg")
        foot = "document.querySelector('.slides .said').getBoundingClientRect().bottom"
        expect(page, lambda: page.evaluate(f"{foot} <= innerHeight"), True)
        assert page.evaluate("document.querySelector('.ledger').getBoundingClientRect().height") <= 2 * 768
        assert page.evaluate("document.documentElement.scrollHeight") <= 12 * 768
        assert page.evaluate("document.documentElement.scrollWidth") == 1366


def test_each_tile_has_a_picture_and_no_verdict_lies_on_its_neighbours(notebook, reports):
    with open_report(notebook, reports, viewport={"width": 360, "height": 800}) as page:
        page.wait_for_selector("#figure-1 .main-svg")
        assert page.evaluate("[...document.querySelectorAll('.tile')].filter(t => !t.querySelector('svg')).length") == 0
        for width in (360, 420):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(COVERED) == []


def test_claims_of_the_first_figure_stand_under_no_other(notebook, reports):
    with open_report(notebook, reports) as page:
        page.wait_for_selector("#figure-1 .main-svg")
        tests = page.locator("#figure-1 .tests")
        if not tests.count():
            pytest.skip("no claim is tested by the figure that this report opens with")
        tests.wait_for()
        page.get_by_label("Figure", exact=True).first.select_option(index=1)
        tests.wait_for(state="hidden")


@with_all
@pytest.mark.parametrize("notebook", FEW, ids=lambda path: path.stem)
def test_bare_papermill_keeps_the_figure_beside_the_widget(notebook, reports, kept, tmp_path):
    done = tmp_path / "out.ipynb"
    call = [sys.executable, "-m", "papermill", str(notebook), str(done), "--cwd", str(notebook.parent)]
    subprocess.run(call, check=True, capture_output=True)
    cells = [
        [output.data for output in cell.get("outputs", []) if "data" in output] for cell in nbformat.read(done, 4).cells
    ]
    (explorer,) = [bundles for bundles in cells if any(WIDGET in bundle for bundle in bundles)]
    assert [bundle[PLOTLY]["data"] for bundle in explorer if PLOTLY in bundle]
    assert sum(PLOTLY in bundle for bundles in cells for bundle in bundles) >= 3
