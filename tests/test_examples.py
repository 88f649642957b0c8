"""The papers in docs/examples: what `banditlab.new` writes, in at most 250 lines; claims fail where they should."""

import dataclasses
import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import banditlab as bl
from banditlab.evidence import looks
from banditlab.report import check
from tests.papers import with_all

FOLDER = Path(__file__).parents[1] / "docs" / "examples"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
SMALL = dict(horizon=2000, runs=6)


def load(name):
    """The module of an example."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def studies(module):
    return [thing for thing in vars(module).values() if isinstance(thing, bl.Study)]


@pytest.fixture(autouse=True)
def one_look(monkeypatch):
    """A claim that such small runs leave open is not played again."""
    for scale in ("quick", "paper"):
        monkeypatch.setitem(looks.BUDGET, scale, 1.0)


@pytest.fixture(params=NAMES)
def paper(request, monkeypatch):
    """An example whose figures are small."""
    module = load(request.param)
    for study in studies(module):
        monkeypatch.setitem(study.sizes, "quick", SMALL)
    return module


def test_the_gallery_names_them():
    page = (FOLDER.parent / "gallery.md").read_text(encoding="utf-8")
    assert len(NAMES) >= 3 and all(f"examples/{name}.ipynb" in page for name in NAMES)


def test_the_gallery_has_a_figure_that_plays_for_every_paper():
    page = (FOLDER.parent / "gallery.md").read_text(encoding="utf-8")
    for notebook in (FOLDER.parent.parent / "notebooks").glob("*.ipynb"):
        shown = page.split(f"{{only}} {notebook.stem}_report")[1].partition("```")[0]  # where its report is built
        assert f'src="reports/{notebook.stem}.html?figure"' in shown and f"(report:{notebook.stem}.html)" in shown


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_module_and_a_notebook_that_keeps_the_rules(name):
    assert len((FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 250
    assert check.check_notebook(FOLDER / f"{name}.ipynb") == [] == check.list_left_over(FOLDER / f"{name}.ipynb")
    assert check.run_first_cells(FOLDER / f"{name}.ipynb") == []


@with_all
def test_the_rest_of_its_notebook_runs(paper, monkeypatch):
    """But for the explorer's grid and the checks, which another test runs: the cells as they stand, figures small."""
    monkeypatch.chdir(FOLDER)
    shown = []
    monkeypatch.setattr(bl, "explore", lambda figures, values, *rest: shown.append(figures))
    monkeypatch.setattr(bl, "check_policy", lambda *pair: None)
    notebook = json.loads((FOLDER / f"{paper.__name__}.ipynb").read_text(encoding="utf-8"))
    names = {}
    for cell in check.cells_of_kind(notebook, "code"):
        exec(check.read_cell(cell), names)
    assert shown == [paper.FIGURES]


def test_its_figures_slide(paper):
    for title, figure in paper.FIGURES.items():
        wanted = figure.__signature__.parameters
        values = {name: paper.CONTROLS[name].start for name in wanted if name in paper.CONTROLS}
        drawn, _ = figure(**{**values, **SMALL}, seed=1)
        assert len(drawn.data) >= 2 and drawn.layout.meta["caption"], title


def made_up(result, regret, times):
    """A result of which regret and stopping times are these, by policy; with noise, as equal runs decide nothing."""
    rng = np.random.default_rng(0)
    shape = result.regret.shape
    values = np.array([regret(name) * (result.checkpoints / result.checkpoints[-1]) for name in result.policies])
    noise = 1 + 1e-3 * rng.normal(size=shape)
    told = {**result.diagnostics}
    if "stopping_time" in told:
        told["stopping_time"] = np.array([[times(name)] * shape[1] for name in result.policies]) * noise[:, :, 0]
        told["error"] = np.ones(shape[:2])
    if "missed" in told:
        told |= {"missed": np.ones(shape[:2]), "computed": np.full(shape[:2], 1e9) * noise[:, :, 0]}
    return dataclasses.replace(result, regret=values[:, None, :] * noise, diagnostics=told)


def make_up(module, monkeypatch, told, size=SMALL):
    """Let studies at the paper's size return small results with what is told of a cell: regret and times by policy."""
    for study in studies(module):
        monkeypatch.setitem(study.sizes, "paper", size)
    real = bl.Study.results

    def results(study, scale, seed=0, **only):
        return {cell: made_up(result, *told(cell)) for cell, result in real(study, scale, seed, **only).items()}

    monkeypatch.setattr(bl.Study, "results", results)


WRONG = {  # what contradicts each claim: regret by policy, or stopping time
    "cascading": dict(regret=lambda name: 1e6 if name == "CascadeUCB1" else 2e6),
    "oful": dict(regret=lambda name: 1e9 if name == "OFUL" else 2e9),
    "tracking": dict(times=lambda name: 9.0 if name == "Track-and-Stop" else 3.0),
}


@pytest.mark.parametrize("name", WRONG)
def test_its_claims_fail_where_they_should(name, monkeypatch):
    """Made-up regret that is too large, grows like t, and is least for the wrong one; times below what is possible."""
    module = load(name)
    regret, times = WRONG[name].get("regret", lambda name: 1.0), WRONG[name].get("times", lambda name: 1.0)
    make_up(module, monkeypatch, lambda cell: (regret, times))
    verdicts = {claim.id: claim.verdict for claim in module.claims.ledger("paper", 0)}
    open_ = {"cascading": {"C4", "C5", "C6", "C7"}, "tracking": {"G1"}, "oful": {}}[name]
    refuted = {row for row, verdict in verdicts.items() if verdict in ("not reproduced", "not found")}
    assert set(verdicts) - refuted == set(open_), verdicts


@pytest.mark.parametrize("off, verdict", [(0, "reproduced"), (6, "not reproduced")])
def test_printed_numbers_are_known_from_others(off, verdict, monkeypatch):
    """Regret as printed, or off by six of the printed errors; times as printed, or longer by six tenths."""
    cascading, tracking = load("cascading"), load("tracking")

    def told(cell):
        if hasattr(cell, "instance"):
            draws = dict(zip(tracking.POLICIES, tracking.DRAWS[cell.instance], strict=False))
            return (lambda name: 1.0), (lambda name: draws.get(name, 1.0) * (1 + off / 10))
        printed = dict(zip(cascading.POLICIES, cascading.PRINTED[cell], strict=True))
        return (lambda name: printed[name][0] + off * printed[name][1]), (lambda name: 1.0)

    for module, id in ((cascading, "C8"), (tracking, "G6")):
        make_up(module, monkeypatch, told, dict(horizon=10, runs=3000))
        asked = next(one for one in module.claims.asked if one.id == id)
        assert module.claims.judge(asked, "paper", 0).verdict == verdict


def test_cascading_users_read_from_the_top():
    cascading = load("cascading")
    world, rng = cascading.problem(4, 2, 0.3, 0.5)[0], np.random.default_rng(0)
    clicks = np.bincount([world.step(0, np.array([0, 3]), t, rng) for t in range(4000)], minlength=3) / 4000
    # Tolerance: four standard deviations of a share of 4,000.
    assert clicks == pytest.approx([0.5, 0.5 * 0.2, 0.5 * 0.8], abs=0.032)
    assert world.regret(0, np.array([1, 0]), 0) == 0.0
    assert world.regret(0, np.array([0, 3]), 0) == pytest.approx(0.5 * 0.8 - 0.25)


def test_the_policies_of_the_examples_are_what_the_workbench_takes_them_for():
    """Nothing is skipped, although actions are lists and vectors."""
    cascading, tracking, oful = load("cascading"), load("tracking"), load("oful")
    for world, policies in (cascading.problem(6, 2, 0.15, 0.2), oful.problem(3, 12, 0.5, 0.05, 0.2)):
        for policy in policies.values():
            report = bl.check_policy(world, policy, 1000, runs=20)
            assert report.ok and all(check.verdict == "passed" for check in report.checks), str(report)
    assert bl.check_policy(bl.classic.bernoulli([0.6, 0.5, 0.3]), tracking.ChernoffRacing(3, 0.1), 3000, runs=20).ok
