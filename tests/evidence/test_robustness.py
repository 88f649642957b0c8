"""What the ledger and the sliders say of how far a claim holds: computed from a file, and only of what is asked now."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

from banditlab.evidence import Cases, Claims, exact
from banditlab.evidence.ledger import COMMITTED
from banditlab.evidence.robustness import describe_limits, hash_question, list_edges, read_limits
from banditlab.explorer import Slider
from banditlab.explorer.paper import find_paper
from banditlab.report.exporter import ReportExporter
from banditlab.study import Study
from tests.reports import executed, shown
from tools import robustness
from tools.robustness import search_all, thin

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "reports" / "robustness.json"
BELOW = 3  # what the toy's claim names


def edge(name="sigma", symbol="σ", start=1, low=0.5, high=1.3, below=None, above=(1.4, "not reproduced")):
    return dict(name=name, symbol=symbol, start=start, low=low, high=high, below=below, above=above)


def row(**changed):
    found = dict(paper="toy", id="X", verdict="reproduced", edges=[edge()], nearest=None, tried=12, shown={})
    return {**found, "scale": "quick", "seed": 0, "budget": 40, **changed}


@pytest.fixture
def claims(tmp_path):
    claims = Claims("toy", tmp_path)

    @claims("X", "It is below.", "nowhere", figure="Regret")
    def test(scale, seed):
        return Cases("it", exact(2)).below(BELOW)

    return claims


def written(claims, **changed):
    """The toy's claims with a file."""
    rows = [row(fingerprint=hash_question(claims.asked[0]), **changed)]
    (claims.reports / "robustness.json").write_text(json.dumps(rows), encoding="utf-8")
    return claims


def test_the_sentence_names_ranges_what_is_beyond_and_the_search():
    edges = [
        edge(below=None, above=(1.4, "not reproduced")),
        edge("gap", "Δ", 0.3, 0.06, 1.0, below=(0.05, "undecided"), above=None),
        edge("d", "d", 4, 1, 30, above=None),
        edge("low", "Lowest mean", 0.7, 0.5, 0.8, (0.4, "undecided"), (0.9, "not reproduced")),
        edge("k", "k", 3, 3, 3, (2, "refused"), (4, "undecided")),
    ]
    assert describe_limits(row(edges=edges)) == (
        "Holds for σ ≤ 1.3, Δ ≥ 0.06, any d tried (1 to 30), 0.5 ≤ lowest mean ≤ 0.8, k = 3; "
        "not reproduced at σ = 1.4, lowest mean = 0.9; undecided at Δ = 0.05, lowest mean = 0.4, k = 4; "
        "cannot be played at k = 2. Each number was moved alone, then two together, the others as in the paper; "
        "judged 12 times at quick size, seed 0, jointly at 95 %."
    )


def test_the_nearest_counterexample_is_a_link_where_the_page_has_its_sliders():
    found = row(nearest=({"sigma": 1.2}, "not reproduced"), shown={"sigma": 1.2, "law": "normal"})
    assert "Nearest counterexample: σ = 1.2 (not reproduced)." in describe_limits(found)
    link = '<a href="#figure=Figure+3&amp;sigma=1.2&amp;law=normal">σ = 1.2</a>'
    assert f"Nearest counterexample: {link} (not reproduced)." in describe_limits(found, "Figure 3")


def test_a_claim_that_fails_says_how_far_it_fails():
    found = row(verdict="not reproduced", nearest=({"sigma": 1.4}, "reproduced"))
    said = describe_limits(found)
    assert said.startswith("Fails for σ ≤ 1.3") and "Nearest change: σ = 1.4 (reproduced)." in said


def test_a_search_that_began_with_another_verdict_says_so():
    assert describe_limits(row(), verdict="reproduced").startswith("Holds for σ")
    assert describe_limits(row(), verdict="undecided").startswith("At quick size it is reproduced: holds for σ ≤ 1.3")


def test_a_spent_budget_is_told():
    assert "judged 12 times at quick size, when the budget was spent, seed 0" in describe_limits(row(budget=12))


def test_the_ledger_says_how_far_each_claim_holds(claims):
    shown = written(claims).ledger().html()
    assert "<dt>How far</dt><dd>Holds for σ ≤ 1.3" in shown
    (bundle,) = claims.ledger()._repr_mimebundle_()["application/vnd.banditlab.ledger+json"]["claims"]
    assert bundle["limits"]["tried"] == 12


def test_a_page_links_the_counterexample_only_where_it_has_sliders(claims):
    found = dict(nearest=({"sigma": 1.2}, "not reproduced"), shown={"sigma": 1.2})
    bundle = written(claims, **found).ledger()._repr_mimebundle_()
    nb = executed(shown(bundle))
    for figures, links in (({"Regret": {"fixed": {}, "axes": {}}}, ["#figure=Regret&sigma=1.2"]), ({}, [])):
        plays = {"figures": figures, "refused": {}, "claims": {}, "packed": ""}
        page = BeautifulSoup(ReportExporter().from_notebook_node(nb, {"plays": plays})[0], "html.parser")
        row = page.select_one("#claim-X")
        assert [link["href"] for link in row.select("dd a") if "figure=" in link["href"]] == links
        assert "Nearest counterexample: σ = 1.2 (not reproduced)." in row.get_text()


def test_a_claim_that_asks_something_else_now_says_nothing_of_it(claims, monkeypatch):
    written(claims)
    monkeypatch.setitem(globals(), "BELOW", 4)
    assert claims.limits() == {} and "How far" not in claims.ledger().html()
    monkeypatch.undo()
    assert set(claims.limits()) == {"X"}
    claims.asked[0] = claims.asked[0]._replace(sentence="It is far below.")
    assert claims.limits() == {}


def test_without_a_file_nothing_is_said(claims):
    assert claims.limits() == {} and "How far" not in claims.ledger().html()
    assert read_limits(None, "toy", claims.asked) == {}


@pytest.mark.parametrize("text", ["no json", '{"paper": "toy"}', '[{"paper": "toy"}]', "7"])
def test_a_file_that_holds_anything_else_is_named(claims, text):
    (claims.reports / "robustness.json").write_text(text, encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"robustness='.*robustness.json': must hold what `python -m tools.robustness`"
    ):
        claims.limits()


def test_marks_stand_where_the_verdict_changes_on_the_figure_of_the_claim(claims):
    edges = [edge(below=(0.4, "undecided")), edge("gap", "Δ", above=None), edge("d", "d", above=(9, "refused"))]
    asked, limits = claims.asked, written(claims, edges=edges).limits()
    assert list_edges(limits, "Regret", asked) == [
        ({"sigma": 0.4}, "X is undecided from here on", False, "It is below."),
        ({"sigma": 1.4}, "X stops holding here", True, "It is below."),
        ({"d": 9}, "X cannot be played from here on", False, "It is below."),
    ]
    assert list_edges(limits, "Figure 1", asked) == []


@pytest.mark.parametrize(("values", "new"), [({"sigma": 1.8}, 1), ({"sigma": 1.2, "d": 2}, 1), ({"sigma": 1.4}, 0)])
def test_the_nearest_counterexample_is_marked_where_an_undecided_end_stands_before_it(claims, values, new):
    limits = written(claims, nearest=(values, "not reproduced")).limits()
    marked = list_edges(limits, "Regret", claims.asked)
    assert len(marked) == 1 + new and marked[-1] == (values, "X stops holding here", True, "It is below.")


def test_a_claim_that_depends_on_the_reading_says_so(claims):
    ends = [edge(above=(1.4, "depends on the reading"))]
    limits = written(claims, verdict="not contradicted", edges=ends).limits()
    assert list_edges(limits, "Regret", claims.asked)[0][1] == "X depends on the reading from here on"


def test_figures_carry_their_marks(claims):
    def regret(sigma, progress=None):
        """Regret."""

    figures = written(claims).mark({"Regret": regret})
    assert figures == {"Regret": regret}
    assert regret.edges == [({"sigma": 1.4}, "X stops holding here", True, "It is below.")]


@pytest.mark.parametrize("name", sorted({row["paper"] for row in json.loads(FILE.read_text(encoding="utf-8"))}))
def test_the_committed_file_speaks_of_claims_and_sliders_that_are_there(name):
    paper = find_paper(ROOT / "notebooks" / f"{name}.ipynb")
    limits = paper.claims.claims.limits()
    assert limits
    for found in limits.values():
        for one in found["edges"]:
            places = thin(paper.CONTROLS[one["name"]])
            assert one["low"] <= one["start"] <= one["high"]
            assert {one["low"], one["high"]} <= {*places, one["start"]}
            assert one["symbol"] == paper.CONTROLS[one["name"]].symbol
            for end, beyond in ((one["low"], one["below"]), (one["high"], one["above"])):
                assert (beyond is None) == (end in (places[0], places[-1])) or end == one["start"]
        if found["shown"]:  # a link leads there, where the figure says which claim it is
            asked = next(one for one in paper.claims.claims.asked if one.id == found["id"])
            opens = {at: value for at, value in paper.FIGURES[asked.figure].opens.items() if at in paper.CONTROLS}
            assert found["shown"] == {**opens, **found["nearest"][0]}
        assert found["tried"] <= found["budget"] and re.fullmatch("[0-9a-f]{12}", found["fingerprint"])
        assert describe_limits(found)


@pytest.fixture
def paper(claims):
    """A paper of two claims, of which one rests on a number that a slider moves."""
    study = Study("Regret", "a toy", lambda x, seed: x, "", fixed=dict(x=1), sizes=dict(quick={}))

    @claims("Y", "It is below three.", "nowhere", figure="Regret")
    def test(scale, seed):
        return Cases("it", exact(*study.results(scale, seed).values())).below(BELOW)

    controls, figures = {"x": Slider("Gap x", 0, 9, 1)}, {"Regret": study.slider()}
    return SimpleNamespace(claims=SimpleNamespace(claims=claims), CONTROLS=controls, FIGURES=figures)


def test_a_search_writes_what_the_ledger_reads(claims, paper):
    search_all(paper, [], 0, (claims.reports / "robustness.json"))
    assert set(claims.limits()) == {"Y"}
    assert describe_limits(claims.limits()["Y"], "Regret").startswith(
        "Holds for x ≤ 2; not reproduced at x = 3. "
        'Nearest counterexample: <a href="#figure=Regret&amp;x=3">x = 3</a> (not reproduced). '
    )


def test_a_search_goes_on_where_it_stopped(claims, paper, monkeypatch):
    search_all(paper, [], 0, (claims.reports / "robustness.json"))
    with monkeypatch.context() as patch:
        patch.setattr(robustness, "refute", None)  # nothing is asked twice
        search_all(paper, [], 0, (claims.reports / "robustness.json"))
    monkeypatch.setitem(globals(), "BELOW", 5)  # the claim asks something else now
    search_all(paper, [], 0, (claims.reports / "robustness.json"))
    assert claims.limits()["Y"]["edges"][0]["high"] == 4


def test_a_claim_that_is_too_dear_is_left_out(claims, paper, monkeypatch, capsys):
    monkeypatch.setattr(robustness, "SECONDS", 0)
    search_all(paper, ["Y"], 0, (claims.reports / "robustness.json"))
    assert "toy Y: too dear" in capsys.readouterr().out and not (claims.reports / "robustness.json").exists()


def test_a_notebook_shows_the_committed_verdict_and_its_own_beside_it(claims):
    committed = {**claims.ledger("paper").rows()[0], "verdict": "not reproduced", "scale": "paper"}
    file = claims.reports / "claims-paper.json"
    file.write_text(json.dumps([committed, {**committed, "paper": "another", "verdict": "undecided"}]))
    shown = claims.ledger("quick")
    assert COMMITTED in shown.html() and "not reproduced<i>; in this run reproduced" in shown.html()
    assert [row["verdict"] for row in shown.rows()] == ["reproduced"]  # what a report takes is the run's own
    assert COMMITTED not in claims.ledger("paper").html()
    for text in ("[", '[{"paper": "toy", "id": "X"}]', "{}", "[1]"):
        file.write_text(text)
        assert COMMITTED not in claims.ledger("quick").html()


def test_a_row_whose_claim_has_changed_goes(claims, paper, monkeypatch):
    path = claims.reports / "robustness.json"
    search_all(paper, [], 0, path)
    assert len(json.loads(path.read_text(encoding="utf-8"))) == 1
    monkeypatch.setitem(globals(), "BELOW", 5)
    monkeypatch.setattr(robustness, "SECONDS", 0)  # and is not searched again
    search_all(paper, [], 0, path)
    assert json.loads(path.read_text(encoding="utf-8")) == []
