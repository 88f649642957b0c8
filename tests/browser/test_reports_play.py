"""Reports play: at settings drawn at random the page finds the regret that `simulate` finds, bit for bit."""

import json
import os
import random
import re

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from banditlab import simulate
from banditlab.evidence.estimates import interval
from banditlab.explorer.figure import call_figure, figure_bundle, list_arguments
from banditlab.explorer.grid import grid_bundle
from banditlab.explorer.paper import find_paper
from banditlab.page import plays
from banditlab.page.tables import hold_back
from banditlab.report.exporter import ReportExporter
from tests.browser.lab import PATIENCE, find_browser, until
from tests.reports import ROOT

SOAK = bool(os.environ.get("SOAK"))
PAPERS = {"factored": ("Regret",)}
SETTINGS = 1000 if SOAK else 24
PLAY = """async ([title, at]) => {
  const plays = window.unpacked = window.unpacked || await unpackPlays(document.getElementById('plays').textContent);
  window.opened = window.opened || openPlayer(plays, game => window.heard(game));
  const listed = (curve, runs) => ({...curve, regret: runs.map(run => Array.from(run))});
  const found = ({curves, regret, error}) => error || curves.map((curve, i) => listed(curve, regret[i]));
  return new Promise(resolve => {
    window.heard = game => { if (game.complete || game.error) resolve(found(game)); };
    window.heard(window.opened.start(title, at));
  });
}"""


class Paper:
    """The page of a paper with some of its figures, and what it is made of."""

    def __init__(self, name, titles, folder):
        self.module = find_paper(ROOT / "notebooks" / f"{name}.ipynb")
        self.figures = {title: self.module.FIGURES[title] for title in titles or self.module.FIGURES}
        starts = {name: control.start for name, control in self.module.CONTROLS.items()}
        self.values = {"scale": "quick", "seed": 0, "figure": next(iter(self.figures)), **starts}
        self.plays = plays.describe_plays(self.figures, self.module.CONTROLS, self.values)
        self.path = folder / f"{name}.html"
        self.path.write_text(self.page(), encoding="utf-8")

    def page(self):
        """Its first figure, with a grid of two cells."""
        title, controls = self.values["figure"], self.module.CONTROLS
        axis = next(name for name in self.plays["figures"][title]["order"] if name not in ("horizon", "runs"))
        grid = {title: {axis: [controls[axis].positions()[0]], "runs": 2}}
        bundle = figure_bundle(call_figure(self.figures[title], self.values))
        bundle |= grid_bundle(self.figures, self.values, controls, grid)
        rows = [f"{name}: {type(value).__name__} = {value!r}  # {name}" for name, value in self.values.items()]
        cells = [new_markdown_cell("# A report"), new_code_cell("\n".join(rows), metadata={"tags": ["parameters"]})]
        cells.append(
            new_code_cell("1", outputs=[new_output("display_data", json.loads(json.dumps(bundle, sort_keys=True)))])
        )
        kernel = {"name": "python3", "language": "python", "display_name": "P"}
        nb = new_notebook(cells=cells, metadata={"kernelspec": kernel})
        return ReportExporter().from_notebook_node(nb, {"metadata": {"name": self.path.stem}, "plays": self.plays})[0]

    def anywhere(self, rng):
        """A figure and a setting drawn at random, small enough to be played at once."""
        title = rng.choice(sorted(self.plays["figures"]))
        facts = self.plays["figures"][title]
        at = {
            name: rng.choice(values[:3] if name in ("horizon", "runs") else values)
            for name, values in facts["axes"].items()
        }
        return title, {**at, "seed": 0 if facts["drawn"] else rng.randrange(2**40)}

    def simulated(self, title, at):
        """What Python finds there: regret by simulation and policy; none where the figure refuses the setting."""
        asked, values = [], {**self.values, **at}
        with hold_back(asked):
            try:
                self.figures[title](
                    **{name: values[name] for name in list_arguments(self.figures[title]) if name in values}
                )
            except ValueError:
                return {}
        results = [simulate(**cell.settings) for cell in asked]
        return {(n, name): result.of_policy(name) for n, result in enumerate(results) for name in result.policies}


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plays")
    return {name: Paper(name, None if SOAK else titles, folder) for name, titles in PAPERS.items()}


@pytest.fixture(scope="module")
def visit(papers):
    """Opens a report; nothing may be asked for and nothing may go wrong."""
    from playwright.sync_api import sync_playwright

    wrong, outside = [], re.compile("^(?!file:|data:|blob:)")
    options = dict(executable_path=find_browser(), args=["--no-sandbox", "--disable-dev-shm-usage"])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**options)

        def opened(name, init="", **options):
            tab = browser.new_context(
                offline=True, **{"viewport": {"width": 1400, "height": 1100}, **options}
            ).new_page()
            tab.add_init_script(init)
            tab.set_default_timeout(1000 * PATIENCE)
            tab.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
            tab.on("pageerror", lambda error: wrong.append(str(error)))
            tab.on("request", lambda one: wrong.append(one.url) if outside.match(one.url) else None)
            tab.goto(papers[name].path.as_uri())
            tab.wait_for_selector(".slides:not([hidden])")
            return tab

        yield opened
        assert wrong == []
        browser.close()


@pytest.mark.parametrize("name", PAPERS)
def test_a_page_plays_what_simulate_plays(papers, visit, name):
    tab, rng = visit(name), random.Random(f"settings of {name}")
    for _ in range(SETTINGS // len(PAPERS)):
        title, at = papers[name].anywhere(rng)
        expected, found = papers[name].simulated(title, at), tab.evaluate(PLAY, [title, at])
        assert isinstance(found, list), (title, at, found)
        there = {(curve["simulation"], curve["policy"]): np.array(curve["regret"], float) for curve in found}
        assert set(there) == set(expected), (title, at)
        for key, regret in expected.items():
            assert np.array_equal(there[key], regret), (title, at, key)


def drawn(tab):
    """Lines on the screen by name, without bands' fill: x and y."""
    own = "document.querySelector('.plot').data.filter(t => !/^(ghost|end)/.test(t.uid) && t.mode === 'lines')"
    return {
        name: (np.array(x, float), np.array(y, float))
        for name, x, y in tab.evaluate(f"{own}.map(t => [t.name, [...t.x], [...t.y]])")
    }


def said(tab):
    return tab.locator(".slides .said").inner_text()


def test_a_reader_plays_and_goes_back(papers, visit):
    paper, tab = papers["factored"], visit("factored")
    before = tab.locator("figcaption .says").inner_text()
    tab.get_by_role("slider", name="Noise σ").focus()
    tab.keyboard.press("ArrowRight")
    tab.locator(".seed input").fill("7")
    tab.keyboard.press("Tab")
    until(tab, lambda: said(tab) == "Computed here: T = 10,000, 10 runs, seed 7.")
    expected = paper.simulated("Regret", {"sigma": 0.55, "seed": 7})
    until(tab, lambda: len(drawn(tab)["F-UCB"][0]) == 200)
    for (_, name), regret in expected.items():
        mean, _, half = interval(regret)
        np.testing.assert_array_equal(drawn(tab)[name][1], mean)
        edges = np.concatenate([mean + half, (mean - half)[::-1]])
        np.testing.assert_allclose(drawn(tab)[f"{name} (band)"][1], edges, rtol=1e-13)
    assert "concludes stands here after Reset" in tab.locator("figcaption .says").inner_text()
    tab.get_by_role("button", name="Reset", exact=True).click()
    assert tab.locator("figcaption .says").inner_text() == before


def test_a_long_game_is_cancelled(visit):
    tab = visit("factored")
    for label in ("Horizon T", "Runs"):
        tab.get_by_role("slider", name=label).focus()
        tab.keyboard.press("End")
    until(tab, lambda: "rounds a second" in said(tab))
    tab.get_by_role("button", name="Cancel").click()
    until(tab, lambda: said(tab).startswith("Stopped."))


def test_without_webassembly_the_grid_slides(papers, visit):
    tab = visit("factored", init="delete globalThis.WebAssembly")
    assert "This browser has no WebAssembly" in tab.locator(".slides .fixed").inner_text()
    tab.get_by_role("slider", name="Gap Δ").focus()
    tab.keyboard.press("Home")
    until(tab, lambda: said(tab) == "Shown: Δ = 0.05.")
