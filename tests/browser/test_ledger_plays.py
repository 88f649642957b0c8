"""Rows of a ledger are judged anew in a page: by the rule of `evidence`, from the runs that `simulate` plays."""

import json
import os
import re

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from banditlab import simulate
from banditlab.evidence import claims as judging
from banditlab.evidence.estimates import t_quantile
from banditlab.explorer.paper import find_paper
from banditlab.page import modules, plays, replays
from banditlab.report.exporter import ReportExporter
from tests.browser.lab import PATIENCE, open_browser, until
from tests.page import test_replays
from tests.reports import ROOT

SOAK = bool(os.environ.get("SOAK"))
SAMPLES = 2000 if SOAK else 300
SEED = 5  # a reader's own
SCRIPTS = [(modules.HERE / f"{name}.js").read_text(encoding="utf-8") for name in ("lines", "judge")]
FOUND = """([name, seed]) => {
  const plays = unpackPlays(document.getElementById('plays').textContent);
  return plays.then(async plays => {
    const regret = [];
    const play = game => new Promise(resolve => {
      const player = openPlayer(plays, game => { if (game.complete || game.error) { player.close(); resolve(game); } });
      player.begin(game);
    });
    const noted = async game => {
      const found = await play(game);
      regret.push(found.regret.map(rows => rows.map(row => Array.from(row))));
      return found;
    };
    const found = await judgeAgain(plays, noted, name, seed);
    return {...found, regret, worlds: curvesOf(plays, plays.claims[name], seed, 0).map(curve => curve.seed)};
  });
}"""
COUNTED = """() => {
  window.counts = {createObjectURL: 0, revokeObjectURL: 0};
  for (const name in counts) {
    const own = URL[name].bind(URL);
    URL[name] = given => { counts[name] += 1; return own(given); };
  }
}"""
JUDGED = """samples => samples.map(({claim, regret}) => {
  const {measures, verdict} = judge(claim, regret, 0, null);
  const finite = x => (Number.isFinite(x) ? x : String(x));
  const numbers = one => ['value', 'low', 'high'].map(key => finite(one[key]));
  return {verdict, measures: measures.map(one => [...numbers(one), one.answer, one.name, one.held, one.failed])};
})"""


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


def write_page(path, claims, found, seed=0):
    """A report that shows nothing but the ledger of these claims; returns their rows by name."""
    ledger = claims.ledger("quick", seed)
    outputs = [new_output("display_data", json.loads(json.dumps(ledger._repr_mimebundle_())))]
    cells = [new_markdown_cell("# A report"), new_code_cell("1", outputs=outputs)]
    kernel = {"name": "python3", "language": "python", "display_name": "P"}
    nb = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    resources = {"metadata": {"name": path.stem}, "plays": found}
    path.write_text(ReportExporter().from_notebook_node(nb, resources)[0], encoding="utf-8")
    return {row.id: row for row in ledger}


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """The page of the toy's claims, and their rows."""
    path = tmp_path_factory.mktemp("toy") / "toy.html"
    found = plays.describe_plays({}, {}, {"seed": 0}, 2, claims=test_replays.toy)
    assert found["claims"] == [asked.id for asked in test_replays.toy.asked]
    return path, write_page(path, test_replays.toy, found)


@pytest.fixture(scope="module")
def visit(browser):
    """Opens a page; nothing may be asked for and nothing may go wrong."""
    wrong, outside = [], re.compile("^(?!file:|data:|blob:)")

    def opened(path, **options):
        tab = browser.new_context(offline=True, **{"viewport": {"width": 1366, "height": 768}, **options}).new_page()
        tab.set_default_timeout(1000 * PATIENCE)
        tab.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.on("request", lambda one: wrong.append(one.url) if outside.match(one.url) else None)
        tab.goto(path.as_uri())
        return tab

    yield opened
    assert wrong == []


def check_row(found, row):
    """What a page finds with the seed of a run is what the run found."""
    assert found["verdict"] == row.verdict
    for mine, theirs in zip(found["measures"], row.measures, strict=True):
        numbers = [
            [np.nan if one[key] is None else one[key] for key in ("value", "low", "high")] for one in (mine, theirs)
        ]
        np.testing.assert_allclose(*numbers, rtol=1e-9, err_msg=row.id)
        for key, other in dict(name="case", answer="answer", cases="cases", held="held", failed="failed").items():
            assert mine[key] == theirs[other], (row.id, key)


def test_with_the_seed_of_the_run_a_page_finds_what_the_run_found(visit, toy):
    path, rows = toy
    tab = visit(path)
    for name, row in rows.items():
        found = tab.evaluate(FOUND, [name, 0])
        check_row(found, row)
        assert f"look {found['looks']} of at most {found['most']}" in row.sizes


@pytest.mark.parametrize("number", range(2), ids=["one world", "fresh worlds"])
def test_with_another_seed_it_plays_what_simulate_plays(visit, toy, number):
    asked = test_replays.toy.asked[number]
    replay = replays.find_replay("toy", asked, 0)
    found = visit(toy[0]).evaluate(FOUND, [asked.id, SEED])
    cell = replay.cells[0]
    seed, ends = found["worlds"][0], np.array(found["regret"][0][0])[:, -1]
    assert seed not in [one.settings["seed"] for one in replay.cells]
    if not number:
        own = simulate(**{**cell.settings, "seed": seed}).of_policy("UCB1")[:, -1]
        np.testing.assert_array_equal(ends, own)
        return
    world, most = cell.settings["environment"], cell.settings["runs"] * 2 ** (replay.looks - 1)
    unseen = {world.draw(cell.settings["seed"], run).means.tobytes(): run for run in range(most, 3 * most)}
    for run, end in enumerate(ends[:3]):  # run by run: each has a world of its own, of those that nobody has seen
        can = []
        for place in set(unseen.values()):
            drawn = world.draw(cell.settings["seed"], place)
            can.append(
                simulate(drawn, {"UCB1": cell.settings["policies"]["UCB1"]}, 200, run + 1, seed).regret[0, run, -1]
            )
        assert end in can


def draw_sample(rng):
    """A claim of random shape, and regret for it."""
    n, kind = int(rng.choice([2, 3, 10, 40])), rng.integers(5)
    shape = (4, n, 2)
    values = {
        0: lambda: rng.normal(5, 1, shape),
        1: lambda: rng.exponential(3, shape),
        2: lambda: np.exp(rng.normal(0, 2, shape)),
        3: lambda: np.full(shape, float(rng.integers(0, 3))),
        4: lambda: rng.normal(0, 1, shape),
    }[kind]()

    def runs():
        terms = tuple((int(rng.integers(4)), 0, int(rng.integers(2)), s) for s in (1, -1)[: rng.integers(1, 3)])
        part = [(0.0, 1.0), (0.0, 0.5), (0.5, 1.0)][rng.integers(3)] if n >= 10 else (0.0, 1.0)
        return terms, float(rng.choice([1.0, 0.5, -2.0])), float(rng.choice([0.0, 3.0])), part

    def array(like=None):
        terms, factor, offset, part = runs()
        return replays.Runs(terms, factor, offset, like.part if like else part)

    def recipe(deep=0):
        name = rng.choice(["exact", "mean", "ratio", "quotient", "difference", "power", "average", "geometric"])
        if name == "exact":
            return ("exact", float(rng.normal(1, 2)))
        if name == "mean" or deep > 1:
            return ("mean", array())
        if name == "ratio":
            first = array()
            return ("ratio", first, array(first))
        if name in ("quotient", "difference"):
            return (str(name), recipe(deep + 1), recipe(deep + 1))
        if name == "power":
            first = array()
            return ("power", ("ratio", first, array(first)), 2.0)
        parts = [recipe(2) for _ in range(rng.integers(2, 6))]
        positive = [("exact", float(rng.exponential(2) + 0.1)) for _ in parts]
        return ("average", *parts) if name == "average" else ("geometric", *positive)

    return values, {
        reading: [(recipe_of_cases(rng, recipe), *rule(rng)) for _ in range(rng.integers(1, 3))]
        for reading in ("a", "b")[: rng.integers(1, 3)]
    }


def recipe_of_cases(rng, recipe):
    return {f"case {k}": recipe() for k in range(rng.integers(1, 4))}


def rule(rng):
    """A range, one in which it fails or None, and whether its limits do not belong to it."""
    low, high = sorted(float(x) for x in rng.normal(1, 2, 2))
    holds = [(low, None), (None, high), (low, high)][rng.integers(3)]
    return holds, [(None, low), None][rng.integers(2)] if holds[0] is None else None, bool(rng.integers(2))


@np.errstate(all="ignore")  # what lies beyond all numbers, or between equal ones
def test_the_rule_is_that_of_evidence(browser):
    rng, samples, expected = np.random.default_rng(1), [], []
    for _ in range(SAMPLES):
        values, drawn = draw_sample(rng)
        asked = {
            name: [
                judging.Question(f"what {k}", dict(cases), *own, "", "linear") for k, (cases, *own) in enumerate(parts)
            ]
            for name, parts in drawn.items()
        }
        made = {
            name: [
                one._replace(
                    found={case: replays.make_again(recipe, [*values[:, None]]) for case, recipe in one.found.items()}
                )
                for one in questions
            ]
            for name, questions in asked.items()
        }
        measures = judging.all_measures(made)
        counts = {name: max(1, sum(one.comparisons for one in questions)) for name, questions in made.items()}
        levels = {name: 1 - 0.05 / count for name, count in counts.items()}
        samples.append({"claim": told(asked, levels), "regret": [rows.tolist() for rows in values]})
        answers = {name: judging.every(one.answer for one in measures if one.reading == name) for name in asked}
        expected.append((judging.verdict(answers)[0], measures))
    tab = browser.new_context(offline=True).new_page()
    for script in SCRIPTS:
        tab.add_script_tag(content=script)
    found = tab.evaluate(JUDGED, samples)
    for (verdict, measures), one in zip(expected, found, strict=True):
        for mine, theirs in zip(one["measures"], measures, strict=True):
            np.testing.assert_allclose(
                [float(x) for x in mine[:3]],
                theirs[2:5],
                rtol=1e-8,
                atol=1e-12,
            )
            assert mine[3:] == [theirs.answer, theirs.case, theirs.held, theirs.failed]
        assert one["verdict"] == verdict
    assert len({verdict for verdict, _ in expected}) == 4  # all verdicts were met


def told(asked, levels):
    """The claim as a page has it."""

    def recipe(made):
        if isinstance(made, replays.Runs):
            terms = [[term[0], term[2], term[3]] for term in made.terms]
            return {"terms": terms, "factor": made.factor, "offset": made.offset, "part": made.part}
        return [recipe(part) for part in made] if isinstance(made, tuple) else made

    quantiles = {name: {n: t_quantile(n, level) for n in range(2, 41)} for name, level in levels.items()}
    readings = {
        name: {
            "levels": [{"level": levels[name], "quantiles": quantiles[name]}],
            "questions": [
                {**one._asdict(), "found": [[case, recipe(made)] for case, made in one.found.items()]}
                for one in questions
            ],
        }
        for name, questions in asked.items()
    }
    answers = {"true": "reproduced", "false": "not reproduced", "both": "depends on the reading", "null": "undecided"}
    return {"readings": readings, "answers": answers}


def test_a_reader_plays_a_row_again(visit, toy):
    path, rows = toy
    tab = visit(path)
    tab.locator("details", has=tab.locator('.again[data-claim="less"]')).last.locator("summary").first.click()
    slot = tab.locator('.again[data-claim="less"]')
    slot.get_by_label("with your seed").fill("7")
    slot.get_by_role("button", name="Play it again").click()
    until(tab, lambda: "with seed 7, 10 runs, look 1 of at most 5" in slot.inner_text())
    assert slot.locator("b").inner_text() == rows["less"].verdict == "reproduced"
    assert slot.locator(".drawn circle.yours").count() == slot.locator(".drawn circle.now").count() == 1
    assert tab.locator(".picture", has=slot).locator(":scope > .range").is_hidden()


def test_a_row_that_was_played_leaves_nothing_behind(visit, toy):
    tab = visit(toy[0])
    tab.evaluate(COUNTED)
    for name in toy[1]:
        tab.evaluate(FOUND, [name, 0])
    made, revoked = tab.evaluate("() => Object.values(counts)")
    assert made == revoked > 0
    until(tab, lambda: not tab.workers)


def test_without_webassembly_no_button_is_offered(browser, toy):
    tab = browser.new_context(offline=True).new_page()
    tab.set_default_timeout(1000 * PATIENCE)
    tab.add_init_script("delete globalThis.WebAssembly")
    tab.goto(toy[0].as_uri())
    assert tab.locator(".again").count() == len(test_replays.toy.asked) and not tab.locator(".again button").count()


@pytest.mark.skipif(not SOAK, reason="all claims of the papers that a page plays: some minutes")
@pytest.mark.parametrize("name", test_replays.FEWEST)
def test_papers_find_what_their_ledgers_found(visit, tmp_path, name):
    paper = find_paper(ROOT / "notebooks" / f"{name}.ipynb")
    claims = plays.find_claims(paper)
    found = plays.describe_plays({}, {}, {"seed": 0}, 2, claims=claims)
    claims.asked[:] = [asked for asked in claims.asked if asked.id in found["claims"]]
    rows = write_page(tmp_path / f"{name}.html", claims, found)
    tab = visit(tmp_path / f"{name}.html")
    for row in rows.values():
        check_row(tab.evaluate(FOUND, [row.id, 0]), row)
