"""Reports play: at settings drawn at random the page finds the regret that `simulate` finds, bit for bit."""

import json
import math
import random
import re
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from banditlab import classic, simulate
from banditlab.evidence.estimates import interval, mean, t_quantile
from banditlab.explorer import Slider
from banditlab.explorer.figure import call_figure, figure_bundle, list_arguments
from banditlab.explorer.grid import grid_bundle
from banditlab.explorer.paper import find_paper
from banditlab.page import plays
from banditlab.page.held import hold_back
from banditlab.report.exporter import ReportExporter
from banditlab.study import Study
from banditlab.study.parameters import Size, bundle
from tests.browser.firefox import firefox
from tests.browser.lab import PATIENCE, open_browser, until
from tests.papers import SOAK, with_all, with_soak
from tests.reports import ROOT

PAPERS = {"factored": ("Regret",), "composite": ("Figures 2 to 4: α", "Who is misled", "Hidden radius")}
if SOAK:
    PAPERS = dict.fromkeys(("factored", "uplifting", "censored", "composite"))  # with all of their figures
SETTINGS = 1000 if SOAK else 24
IN_FIREFOX = 48 if SOAK else 6
PLAY = """async ([title, at]) => {
  const plays = window.unpacked = window.unpacked || await unpackPlays(document.getElementById('plays').textContent);
  window.opened = window.opened || openPlayer(plays, game => window.heard(game));
  const listed = (curve, runs) => ({...curve, regret: runs.map(run => Array.from(run))});
  const played = game => game.curves.map((curve, i) => listed(curve, game.regret[i]));
  const found = game => game.error || [played(game), window.opened.draw(game)];
  return new Promise(resolve => {
    window.heard = game => { if (game.complete || game.error) resolve(found(game)); };
    window.heard(window.opened.start(title, at));
  });
}"""


class Reading(NamedTuple):
    """A reader's own policy: it goes round in a list of arms and plays what it reads, as far as somebody says."""

    arms: np.ndarray
    reach: int

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return self.arms[int(self.reach * (0.5 + 0.49 * math.cos(t + math.sin(t))))]

    def update(self, state, action, observation, t, rng):
        return state


@bundle(size=Size)
def read(reach, size):
    """A reader's own policy, which reads beyond its list of four where it reaches further."""
    return size.simulate(classic.bernoulli([0.5, 0.3]), {"Reading": Reading(np.array([0, 1, 1, 0]), reach)}, 20)


@bundle(size=Size)
def know(best, size):
    """A policy that was told the horizon."""
    arms = classic.bernoulli([best, 0.3])
    return size.simulate(arms, {"MOSS": classic.moss(2, size.horizon)}, 20)


def no_words(found, n):
    return ""


OWN = Study("Reading", "what a list says", read, no_words, fixed=dict(reach=4, horizon=200, runs=3))
KNOWN = Study("Horizon known", "who is told T", know, no_words, fixed=dict(best=0.5, horizon=200, runs=3))
READER = SimpleNamespace(
    FIGURES={OWN.name: OWN.slider(), KNOWN.name: KNOWN.slider()},
    CONTROLS={
        "best": Slider("Best mean", 0.4, 0.9, 0.1, start=0.5),
        "reach": Slider("Reach", 1, 8, 1, start=4),
        "horizon": Slider("Horizon T", 100, 1000, 100, start=200),
        "runs": Slider("Runs", 2, 10, 1, start=3),
    },
    PRESETS={},
)


class Paper:
    """The page of a paper with some of its figures, and what it is made of."""

    def __init__(self, name, titles, folder, module=None):
        self.module = module or find_paper(ROOT / "notebooks" / f"{name}.ipynb")
        self.figures = {title: self.module.FIGURES[title] for title in titles or self.module.FIGURES}
        starts = {name: control.start for name, control in self.module.CONTROLS.items()}
        self.values = {"scale": "quick", "seed": 0, "figure": next(iter(self.figures)), **starts}
        self.plays = plays.describe_plays(
            self.figures, self.module.CONTROLS, self.values, presets=self.module.PRESETS.values()
        )
        self.path = folder / f"{name}.html"
        self.path.write_text(self.page(), encoding="utf-8")

    def page(self):
        """Its first figure, with a grid of two cells."""
        title, controls = self.values["figure"], self.module.CONTROLS
        order = [name for name in self.plays["figures"][title]["order"] if name not in ("horizon", "runs")]
        axis = next(name for name in order if isinstance(controls[name], Slider))
        grid = {title: {axis: [controls[axis].positions()[0]], "runs": 2}}
        bundle = figure_bundle(call_figure(self.figures[title], self.values))
        bundle |= grid_bundle(self.figures, self.values, controls, grid, self.module.PRESETS)
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
        short = {name: values[:3] for name, values in facts["axes"].items() if name in ("horizon", "runs")}
        short |= {name: values[:3] for name, values in facts["joint"].items() if name == "horizon"}
        at = {name: rng.choice(values) for name, values in {**facts["axes"], **facts["joint"], **short}.items()}
        if facts["joint"] and rng.random() < 0.5:  # one control alone, at any of its values
            name = rng.choice([one for one in facts["joint"] if one != "horizon"] or [*short])
            at |= {**facts["base"], name: rng.choice(facts["single"][name])}
        if facts["wanted"]["values"] and rng.random() < 0.3:  # a setting that somebody asks for
            at |= zip(facts["wanted"]["names"], rng.choice(facts["wanted"]["values"]), strict=True)
        return title, {**facts["fixed"], **at, "seed": 0 if facts["drawn"] else rng.randrange(2**40)}

    def given(self, title, at):
        """What the figure function takes there."""
        values = {**self.values, **at}
        return {name: values[name] for name in list_arguments(self.figures[title]) if name in values}

    def simulated(self, title, at):
        """What Python finds there: regret by simulation and policy; none where the figure refuses the setting."""
        asked = []
        with hold_back(asked):
            try:
                self.figures[title](**self.given(title, at))
            except ValueError:
                return {}
        results = [simulate(**cell.settings) for cell in asked]
        return {(n, name): result.of_policy(name) for n, result in enumerate(results) for name in result.policies}


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plays")
    found = {name: Paper(name, titles, folder) for name, titles in PAPERS.items()}
    mine = {title.split()[0].lower(): (title,) for title in READER.FIGURES}
    return found | {name: Paper(name, titles, folder, READER) for name, titles in mine.items()}


@pytest.fixture(scope="module")
def visit(papers):
    """Opens a report; nothing may be asked for and nothing may go wrong."""
    wrong, outside = [], re.compile("^(?!file:|data:|blob:)")
    with open_browser() as browser:

        def opened(name, init="", address="", **options):
            tab = browser.new_context(
                offline=True, **{"viewport": {"width": 1400, "height": 1100}, **options}
            ).new_page()
            tab.add_init_script(init)
            tab.set_default_timeout(1000 * PATIENCE)
            tab.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
            tab.on("pageerror", lambda error: wrong.append(str(error)))
            tab.on("request", lambda one: wrong.append(one.url) if outside.match(one.url) else None)
            tab.goto(papers[name].path.as_uri() + address)
            tab.wait_for_selector(".slides:not([hidden])")
            return tab

        yield opened
        assert wrong == []


@pytest.mark.parametrize("name", PAPERS)
def test_a_page_plays_what_simulate_plays(papers, visit, name):
    check_settings(papers[name], visit(name), SETTINGS // len(PAPERS))


@with_all
@pytest.mark.parametrize("name", PAPERS)
def test_firefox_plays_what_simulate_plays(papers, tmp_path, name):
    with firefox(tmp_path) as tab:
        tab.goto(papers[name].path.as_uri())
        check_settings(papers[name], tab, IN_FIREFOX // len(PAPERS))
    assert tab.wrong == []


def check_settings(paper, tab, count):
    """At settings drawn at random the page plays what Python plays."""
    rng = random.Random(f"settings of {paper.path.stem}")
    for _ in range(count):
        title, at = paper.anywhere(rng)
        expected, found = paper.simulated(title, at), tab.evaluate(PLAY, [title, at])
        assert isinstance(found, list), (title, at, found)
        there = {(curve["simulation"], curve["policy"]): np.array(curve["regret"], float) for curve in found[0]}
        assert set(there) == set(expected), (title, at)
        for key, regret in expected.items():
            assert np.array_equal(there[key], regret), (title, at, key)
        if expected:
            check_figure(paper, title, at, found[1])


def check_figure(paper, title, at, found):
    """What the page draws is what Python draws, but for bounds that it leaves out."""
    with np.errstate(all="ignore"):  # captions fit lines through few equal runs
        figure, _ = paper.figures[title](**paper.given(title, at))
    left_out = {*paper.plays["figures"][title]["hidden"]} - {trace.get("name") for trace in found["data"]}
    kept = [trace for trace in figure.data if trace.name not in left_out]  # a named setting has all bounds
    assert [trace.name for trace in kept] == [trace.get("name") for trace in found["data"]], (title, at)
    for theirs, ours in zip(kept, found["data"], strict=True):
        for axis in "xy":
            expected = np.array([np.nan if x is None else x for x in theirs[axis]], float)
            shown = np.array([np.nan if x is None else x for x in ours[axis]], float)
            expected[np.isinf(expected)] = shown[np.isinf(shown)] = np.nan  # neither is drawn
            np.testing.assert_allclose(shown, expected, rtol=1e-6, err_msg=f"{title} {at} {theirs.name} {axis}")
    layout = {name: found["layout"].get(name) for name in ("xaxis", "yaxis", "title", "xaxis2", "yaxis2")}
    expected = figure.layout.to_plotly_json()
    assert layout == {name: json.loads(json.dumps(expected.get(name), default=list)) for name in layout}


def test_intervals_are_those_of_evidence(visit):
    tab, rng = visit("factored"), np.random.default_rng(3)
    for n in (2, 3, 10, 50):
        for values in (rng.normal(5, 1, n), rng.exponential(1, n), np.exp(rng.normal(0, 2, n)), np.full(n, 2.0)):
            for size in (1, 1e-170, 1e-310, 1e170):  # squares of some are no numbers
                sized = [(values * size).tolist(), t_quantile(n)]
                found = tab.evaluate("([values, quantile]) => endsOf(values, quantile)", sized)
                error = tab.evaluate("([values]) => moments(values.map(x => [x])).error[0]", sized)
                if np.ptp(values) > 0:
                    np.testing.assert_allclose(error, interval(values * size)[1], rtol=1e-9)
                    np.testing.assert_allclose(found, mean(values * size).ends(0.95), rtol=1e-9)


def test_few_equal_runs_have_no_interval(visit):
    called = "([rows, quantiles]) => STATISTICS.ends([1], rows, {}, quantiles).y"
    found = visit("factored").evaluate(called, [[[2.0]] * 3, [t_quantile(n) for n in (2, 3)]])
    assert found == [*reversed(mean([2.0] * 3).ends(0.95))]


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
    tab.get_by_role("spinbutton", name="Seed").fill("7")
    tab.keyboard.press("Tab")
    assert len(paper.plays["figures"]["Regret"]["hidden"]) > 2  # they find no place in tables
    played = "Computed here: T = 10,000, 10 runs, seed 7. Bounds are not drawn at this setting."
    until(tab, lambda: said(tab) == played)
    expected = paper.simulated("Regret", {"sigma": 0.55, "seed": 7})
    until(tab, lambda: len(drawn(tab)["F-UCB"][0]) == 200)
    for (_, name), regret in expected.items():
        mean, _, half = interval(regret)
        np.testing.assert_array_equal(drawn(tab)[name][1], mean)
        edges = np.concatenate([mean + half, (mean - half)[::-1]])
        np.testing.assert_allclose(drawn(tab)[f"{name} (band)"][1], edges, rtol=1e-13)
    assert "Reset brings back the figure of the notebook" in tab.locator("figcaption .says").inner_text()
    tab.get_by_role("button", name="Reset", exact=True).click()
    assert tab.locator("figcaption .says").inner_text() == before


def test_a_line_alone_is_in_view(visit):
    """From many arms on one learner is left; the panel had a range of its own before."""
    tab = visit("factored")
    slider = tab.get_by_role("slider", name="Components d")
    slider.focus()
    for _ in range(5):
        slider.press("ArrowRight")
        until(tab, lambda: said(tab).startswith("Computed here: T = 10,000, 10 runs, seed 0."))
    until(tab, lambda: "F-UCB" in (lines := drawn(tab)) and "UCB1" not in lines)
    low, high = tab.evaluate("document.querySelector('.plot')._fullLayout.xaxis.range")
    x, _ = drawn(tab)["F-UCB"]
    assert low <= x[0] and high == x[-1]


def memory_of_pages(tab):
    """Bytes of the processes that draw and play, once what nobody needs is gone."""
    tab.context.new_cdp_session(tab).send("HeapProfiler.collectGarbage")
    below = psutil.Process().children(recursive=True)
    return sum(one.memory_info().rss for one in below if "--type=renderer" in one.cmdline())


@with_soak
def test_memory_is_flat_over_two_thousand_moves(visit):
    """Tolerance: a tenth more than after the first hundred, which fill what is kept."""
    tab, after = visit("factored"), {}
    slider, ends = tab.get_by_role("slider", name="Noise σ"), {}
    for move in range(2000):
        key = ("ArrowRight", "ArrowLeft")[move % 2]
        slider.press(key)
        if move < 4:
            until(
                tab,
                lambda: (
                    said(tab).startswith("Computed here: T = 10,000, 10 runs, seed 0.")
                    and len(drawn(tab)["F-UCB"][1]) == 200
                ),
            )
            tab.wait_for_timeout(1000)
            ends[key] = drawn(tab)["F-UCB"][1][-1]
        until(tab, lambda key=key: drawn(tab)["F-UCB"][1][-1] == ends[key])
        if move in (99, 1999):
            after[move] = memory_of_pages(tab)
    assert ends["ArrowLeft"] != ends["ArrowRight"]
    assert after[1999] < 1.1 * after[99], after


def test_a_readers_own_policy_plays_and_an_index_out_of_range_is_a_sentence(papers, visit):
    paper, tab = papers["reading"], visit("reading")
    tab.get_by_role("slider", name="Reach").press("ArrowLeft")
    until(tab, lambda: said(tab) == "Computed here: T = 200, 3 runs, seed 0.")
    (regret,) = paper.simulated("Reading", {"reach": 3}).values()
    until(tab, lambda: len(drawn(tab)["Reading"][0]) == 20)
    np.testing.assert_array_equal(drawn(tab)["Reading"][1], interval(regret)[0])
    for _ in range(2):
        tab.get_by_role("slider", name="Reach").press("ArrowRight")
    until(tab, lambda: "Reading ended a run with an error, such as an index out of range" in said(tab))
    assert "Reading" not in drawn(tab)
    with pytest.raises(IndexError):
        paper.simulated("Reading", {"reach": 5})
    tab.get_by_role("slider", name="Reach").press("Home")
    until(tab, lambda: "Reading" in drawn(tab) and said(tab) == "Computed here: T = 200, 3 runs, seed 0.")


def test_a_page_warms_up_where_the_horizon_changes_a_policy(papers, visit):
    paper, tab = papers["horizon"], visit("horizon")
    slider = tab.get_by_role("slider", name="Best mean")
    slider.focus()  # the player is hired and warmed up; `visit` hears of errors
    slider.press("ArrowRight")
    until(tab, lambda: said(tab) == "Computed here: T = 200, 3 runs, seed 0.")
    (regret,) = paper.simulated("Horizon known", {"best": 0.6}).values()
    until(tab, lambda: len(drawn(tab)["MOSS"][0]) == 20)
    np.testing.assert_array_equal(drawn(tab)["MOSS"][1], interval(regret)[0])


def cancel_long_game(tab):
    """Ask for the longest horizon and most runs, and cancel them when they are under way."""
    tab.get_by_role("button", name="More settings").click()
    for label in ("Horizon T", "Runs"):
        tab.get_by_role("slider", name=label).press("End")
    until(tab, lambda: "rounds a second" in said(tab))
    tab.get_by_role("button", name="Cancel").click()


def test_a_long_game_is_cancelled(visit):
    tab = visit("factored")
    cancel_long_game(tab)
    until(tab, lambda: said(tab).startswith("Stopped"))
    assert tab.evaluate("document.activeElement.type") == "range"  # where the focus was
    tab.keyboard.press("ArrowLeft")
    until(tab, lambda: "rounds a second" in said(tab))
    tab.keyboard.press("Escape")
    until(tab, lambda: said(tab).startswith("Stopped"))


def test_who_cancels_before_the_first_run_keeps_the_figure_before_with_its_words(visit):
    tab = visit("factored")
    paths = "[...document.querySelectorAll('.slides .plot .js-line')].map(e => e.getAttribute('d'))"
    until(tab, lambda: len(tab.evaluate(paths)) > 1)
    before, caption = tab.evaluate(paths), tab.locator("figcaption .says").inner_text()
    tab.evaluate("""() => {
      const slider = document.querySelector('[data-name=gap] input[type=range]');
      slider.value = 3;
      slider.dispatchEvent(new Event('input', {bubbles: true}));
      const escape = () => slider.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}));
      const busy = new MutationObserver(() => { busy.disconnect(); escape(); });
      busy.observe(document.querySelector('.instrument'), {attributeFilter: ['aria-busy']});
    }""")
    until(tab, lambda: said(tab).startswith("Stopped before the first run"))
    assert tab.evaluate(paths) == before
    assert tab.locator("figcaption .says").inner_text() == caption
    tab.get_by_role("slider", name="Noise σ").press("ArrowRight")
    until(tab, lambda: said(tab).startswith("Computed here"))
    assert tab.evaluate(paths) != before and "Bands: 95 % t-interval" in tab.locator("figcaption .says").inner_text()


def test_a_move_is_not_said_to_be_stopped_and_moves_nothing_below(visit):
    tab = visit("factored")
    tab.evaluate("""() => {
      const line = document.querySelector('.slides .said');
      window.heard = [];
      const all = {childList: true, characterData: true, subtree: true};
      new MutationObserver(() => heard.push(line.textContent)).observe(line, all);
    }""")
    height = tab.evaluate("document.body.scrollHeight")
    for _ in range(3):
        tab.get_by_role("slider", name="Noise σ").press("ArrowRight")
        until(tab, lambda: said(tab).startswith("Computed here"))
    assert tab.evaluate("document.body.scrollHeight") == height  # nothing below has moved
    heard = tab.evaluate("heard")
    assert heard[0].startswith("Computing T = ") and not [words for words in heard if words.startswith("Stopped")]


REFUSED = "WebAssembly.Module = class { constructor() { throw Error('refused'); } }"


@pytest.mark.parametrize("init", ["delete globalThis.WebAssembly", REFUSED])
def test_without_webassembly_the_grid_slides(visit, init):
    tab = visit("factored", init=init)
    assert "This browser runs no WebAssembly" in tab.locator(".slides .fixed").inner_text()
    tab.get_by_role("slider", name="Gap Δ").focus()
    tab.keyboard.press("Home")
    until(tab, lambda: said(tab) == "Shown: Δ = 0.05.")


def test_a_step_of_the_tour_is_played_and_who_leaves_keeps_its_name(visit):
    tab = visit("factored")
    tab.get_by_role("button", name="2 Too many vectors").click()
    until(tab, lambda: said(tab).startswith("Computed here: T = 10,000, 10 runs, seed 0."))
    until(tab, lambda: set(drawn(tab)) >= {"F-UCB"} and "UCB1" not in drawn(tab))
    until(tab, tab.locator(".annotation", has_text="UCB1: too many vectors to learn one by one").count)
    assert "19,683 vectors" in tab.locator(".say").inner_text()
    until(tab, lambda: tab.evaluate("location.hash") == "#figure=Regret&d=9&step=2")
    for _ in range(2):  # to 3 ** 7 vectors
        tab.get_by_role("slider", name="Components d").press("ArrowLeft")
    until(tab, lambda: "UCB1" in drawn(tab))
    until(tab, lambda: not tab.locator(".annotation", has_text="UCB1").count())


def test_a_switch_that_the_page_cannot_move_is_disabled_and_says_why(visit):
    tab = visit("factored")
    tab.get_by_role("button", name="More settings").click()
    box = tab.get_by_role("checkbox", name="Upper bounds")
    assert box.is_enabled()
    tab.get_by_role("slider", name="Noise σ").press("ArrowRight")
    until(tab, box.is_disabled)
    assert box.get_attribute("title") == "Not available at this setting. The notebook has it at every setting."
    tab.get_by_label("Preset").select_option("All bounds")
    until(tab, box.is_enabled)
    assert box.is_checked() and "Not available" not in box.get_attribute("title")


def test_lines_that_a_choice_names_otherwise_have_not_left(visit):
    tab = visit("composite")
    tab.get_by_role("slider", name="Longest delay d").press("ArrowRight")
    until(tab, lambda: said(tab).startswith("Computed here"))
    assert not tab.locator(".annotation", has_text="cannot play").count()


def test_panels_side_by_side_stand_on_top_of_each_other_on_a_phone(visit):
    tab = visit("composite", viewport={"width": 420, "height": 900})
    until(tab, lambda: tab.evaluate("!!(document.querySelector('.slides .plot')._fullLayout || {}).yaxis2"))
    axes = "(({xaxis, xaxis2, yaxis, yaxis2}) => [xaxis, xaxis2, yaxis, yaxis2].map(axis => axis.domain))"
    left, right, top, bottom = tab.evaluate(f"{axes}(document.querySelector('.slides .plot')._fullLayout)")
    assert left == right == [0, 1] and top[0] > bottom[1]
    assert tab.evaluate("document.querySelector('.slides .plot').scrollWidth") <= 420


def test_a_link_opens_a_page_that_plays_at_its_setting(papers, visit):
    tab = visit("factored", address="#figure=Regret&sigma=0.75&seed=3")
    until(tab, lambda: said(tab).startswith("Computed here: T = 10,000, 10 runs, seed 3."))
    expected = papers["factored"].simulated("Regret", {"sigma": 0.75, "seed": 3})
    until(tab, lambda: len(drawn(tab)["F-UCB"][0]) == 200)
    for (_, name), regret in expected.items():
        np.testing.assert_array_equal(drawn(tab)[name][1], interval(regret)[0])
    tab.get_by_role("slider", name="Gap Δ").press("ArrowRight")
    until(tab, lambda: tab.evaluate("location.hash") == "#figure=Regret&gap=0.35&sigma=0.75&seed=3")


def test_who_points_and_who_follows_a_link_at_once_meet_one_player(visit):
    tab = visit("factored")
    tab.evaluate("""() => {
      document.querySelector('.slides').dispatchEvent(new Event('pointerenter'));
      location.hash = '#figure=Regret&sigma=0.75';
    }""")
    until(tab, lambda: said(tab).startswith("Computed here: T = 10,000, 10 runs, seed 0."))
    until(tab, lambda: len(drawn(tab)["F-UCB"][0]) == 200)


def saved(tab):
    """The lines on top of the numbers that a reader saves."""
    with tab.expect_download() as download:
        tab.get_by_role("button", name="CSV").first.click()
    return [line for line in download.value.path().read_text().splitlines() if line.startswith("#")]


def test_numbers_of_a_game_that_was_stopped_say_how_far_it_came(visit):
    tab = visit("factored")
    cancel_long_game(tab)
    until(tab, lambda: said(tab).startswith("Stopped"))
    partial = re.match(r"Stopped. Complete: [\d,]+ of [\d,]+ runs of all curves", said(tab))
    assert partial or "before the first run" in said(tab)  # then the figure is the one before
    assert bool(partial) == any(line.startswith("# complete: ") for line in saved(tab))
    for label in ("Horizon T", "Runs"):
        tab.get_by_role("slider", name=label).press("Home")
    until(tab, lambda: said(tab).startswith("Computed here"))
    assert not [line for line in saved(tab) if line.startswith("# complete: ")]


def test_a_seed_is_a_whole_number_and_stands_in_the_address(visit):
    tab = visit("factored", address="#figure=Regret&sigma=0.75&seed=-1.5")
    until(tab, lambda: said(tab).startswith("Computed here: T = 10,000, 10 runs, seed 0."))
    tab.get_by_role("spinbutton", name="Seed").fill("7")
    tab.keyboard.press("Tab")
    until(tab, lambda: tab.evaluate("location.hash") == "#figure=Regret&sigma=0.75&seed=7")
    assert tab.evaluate("readSeed('1e30')") == 2**53 - 1


def test_a_formula_has_no_runs_and_a_value_without_a_position_is_named(visit):
    tab = visit("composite", address="#figure=Hidden+radius&power=2&growth=k3&horizon=1000")
    until(tab, lambda: said(tab).startswith("Computed in advance"))
    told = said(tab)
    assert "Not available here: " in told and "k³" in told
    assert "runs" not in tab.evaluate("document.querySelector('figure:has(.slides)').taken")


def test_a_value_that_is_nowhere_says_nothing_of_other_controls(papers, visit):
    paper, title = papers["composite"], "Hidden radius"
    there, gap = paper.plays["figures"][title]["axes"]["gap"], paper.module.CONTROLS["gap"]
    absent = next(value for value in gap.positions() if value > max(there))  # no chances of nine arms differ so much
    tab = visit("composite", address=f"#figure=Hidden+radius&gap={absent:g}")
    until(tab, lambda: said(tab).startswith("Computed in advance"))
    assert said(tab).endswith(f"Not available here: Δ = {gap.text(absent)}.")


def test_the_start_of_another_figure_is_played_to_be_compared_with(visit):
    tab = visit("composite", address="#figure=Who+is+misled&d=9")
    until(tab, lambda: said(tab).startswith("Computed here"))
    tab.get_by_label("Compare with").select_option("start")
    until(tab, lambda: said(tab).startswith("Computed here") and "Faint lines: the start." in said(tab))
