"""The ledger of all papers and the index of a folder."""

import json
import re
import time

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_markdown_cell

from banditlab.evidence import CLASSES, Cases, Claim, Claims, Ledger, count, exact, mean
from banditlab.evidence.ledger_html import list_places, render_ledger
from banditlab.evidence.ledger_words import list_synonyms, name_symbols, set_plain_formulas
from banditlab.evidence.picture import draw_picture, draw_strip, spread_words
from banditlab.explorer import Slider
from banditlab.report import ledger, page
from banditlab.report.__main__ import main
from banditlab.report.exporter import ReportExporter, tell_unplayed
from banditlab.report.index import write_index
from banditlab.user_code.code_identity import DIGEST
from tests.reports import DEMO, FIGURE, PLOTLY, SPECIAL, claim, convert, drawn, executed, files, ledger_of, shown


def test_claims_of_the_run_are_written(built):
    rows = json.loads((built / "out" / "claims.json").read_text())
    assert [row["id"] for row in rows] == ["D1", "D2", "D3", "D4"]
    assert set(rows[0]) == set(Claim._fields)
    assert rows[0]["statistic"] == "1.25 (quick)"


def test_merge_replaces_the_rows_of_its_own_paper(tmp_path):
    path = tmp_path / "claims.json"
    ledger.merge_rows(path, "zebra", [claim("zebra")])
    ledger.merge_rows(path, "composite", [claim("composite", 1), claim("composite", 2)])
    ledger.merge_rows(path, "factored", [claim("factored")])
    ledger.merge_rows(path, "composite", [claim("composite", 3, "not reproduced")])
    rows = json.loads(path.read_text())
    assert [(row["paper"], row["id"]) for row in rows] == [("zebra", "C1"), ("composite", "C3"), ("factored", "C1")]
    ledger.merge_rows(path, "zebra", [])
    assert [row["paper"] for row in ledger.read_claims(path)] == ["composite", "factored"]


def test_ledger_of_a_notebook_keeps_the_style_of_the_page():
    bundle = Ledger([Claim(**claim(sentence="at most $\\sqrt{T}$"))])._repr_mimebundle_()
    shown_page = convert(executed(shown(bundle))).main
    assert "<style>" in bundle["text/html"] and not shown_page.find("style")
    (row,) = shown_page.select(".claims > details")
    assert row["id"] == "claim-C1" and row.find(class_="verdict-reproduced").text.strip() == "reproduced"
    assert row.find(class_="tex").decode_contents() == drawn(r"\sqrt{T}")
    assert ledger.collect_claims(executed(shown(bundle))) == [claim(sentence="at most $\\sqrt{T}$")]
    assert convert(executed(shown({"text/plain": "C1", **ledger_of(claim())}))).main.find("pre", string="C1")


def test_the_index_collects_the_errata_and_renders_them_itself(tmp_path):
    table = "| where | it says |\n|---|---|\n| Eq. 2 | $x<y$ |"
    nb = executed()
    folded = "<details><summary>Slips of the pen</summary>\n\nA comma.\n\n</details>"
    nb.cells.insert(0, new_markdown_cell(f"### What is wrong or unclear in print\n\n{table}\n\n{folded}\n\n## Next"))
    html, resources = ReportExporter().from_notebook_node(nb, {"metadata": {"name": "demo"}})
    assert resources["report"]["index"]["errata"].split("\n\n") == [table, "\n**Slips of the pen**", "\nA comma."]
    tampered = html.replace("| Eq. 2 |", "| Eq. 2 \\u003cimg src=x> |")  # in what the page says about itself
    assert tampered != html
    (tmp_path / "demo.html").write_text(tampered)
    write_index(tmp_path, DEMO)
    found = BeautifulSoup((tmp_path / "index.html").read_text(), "html.parser").find(class_="errata")
    assert (
        found.td.text == "Eq. 2 <img src=x>"
        and found.find(class_="tex").decode_contents() == drawn("x<y")
        and not found.find("img")
    )


MADE_UP = Claims("demo")


@MADE_UP("M1", "A is at least twice B.", "Figure 3", figure="Figure 3")
def twice(scale, seed):
    """M1, in two readings of which one fails."""
    return {"as printed": Cases("ratio", exact(3)).above(2), "in the code": Cases("ratio", exact(1.5)).above(2)}


def test_a_claim_leads_to_its_figure_and_its_source_and_back():
    rows = MADE_UP.ledger("quick")
    theirs = {"data": FIGURE["data"], "layout": {"title": {"text": "The paper's Figure 3: two policies"}}}
    nb = executed(shown({PLOTLY: FIGURE}), shown({PLOTLY: theirs}), shown(rows._repr_mimebundle_()))
    paper = {("demo", "M1"): {**rows.rows()[0], "scale": "paper", "verdict": "reproduced"}}
    html, _ = ReportExporter().from_notebook_node(nb, {"metadata": {"name": "demo"}, "paper_size": paper})
    soup = BeautifulSoup(html, "html.parser")
    assert [figure.figcaption.b.text for figure in soup.find_all("figure")] == ["Figure A.", "Paper, Figure 3."]
    assert soup.find(id="figure-2").find(class_="title").text == "Two policies"
    row = soup.find(id="claim-M1")
    assert row.find("a", href="#figure-2") and soup.find(id="figure-2").figcaption.find("a", href="#claim-M1")
    chips = [chip.find(string=True, recursive=False).strip() for chip in row.select(".verdict")]
    assert chips == ["reproduced", "depends on the reading"]  # paper size first
    assert "def twice" in row.find(class_="code").text
    strips = row.summary.select(".strip")  # closed as opened: the paper's size is hollow, and the words say so
    assert [strip.circle["class"] for strip in strips] == [["then"], ["now"]]
    assert [strip["title"] for strip in strips] == ["hollow: the paper's size", "filled: this run"]
    drawing = row.select_one(".fold svg.range")
    assert "as printed · ratio: this run 3, paper size 3" in drawing["aria-label"]
    assert len(drawing.select("circle.now")) == len(drawing.select("circle.then")) == 2


@pytest.mark.parametrize("axis", ["linear", "log"])
def test_a_picture_puts_values_where_they_are(axis):
    """The dot of what holds lies in the green range, that of what fails in the red one, the open one's bar in both."""
    one = {"reading": "a", "what": "ratio", "holds": [2.0, None], "fails": None, "axis": axis, "answer": True}
    for value, low, high, inside in ((4.0, 3.0, 5.0, "yes"), (1.0, 0.5, 1.5, "no"), (2.0, 1.0, 3.0, None)):
        drawn = BeautifulSoup(draw_picture([{**one, "value": value, "low": low, "high": high}]), "html.parser")
        zones = {z["class"][0]: (float(z["x"]), float(z["x"]) + float(z["width"])) for z in drawn.find_all("rect")}
        start, end = map(
            float, re.fullmatch(r"M([\d.]+) [\d.]+H([\d.]+)", drawn.find("path", class_="now")["d"]).groups()
        )
        within = [name for name, (a, b) in zones.items() if a - 0.2 <= start and end <= b + 0.2]
        assert within == ([inside] if inside else [])
    assert draw_picture([]) == "" and draw_picture([{**one, "value": None, "low": None, "high": None}]) == ""


def test_a_row_that_is_closed_shows_the_measure_that_fails():
    one = {"reading": "a", "what": "ratio", "holds": [2.0, None], "fails": None, "axis": "linear"}
    found = [{**one, "value": v, "low": v, "high": v, "answer": v > 2} for v in (3.0, 1.5, 4.0)]
    html = render_ledger([claim(measures=found)])
    assert BeautifulSoup(html, "html.parser").find(class_="number").text == "1.5"
    assert draw_strip(found[1], "now") in html and draw_strip(found[0], "now") not in html
    assert not BeautifulSoup(render_ledger([claim()]), "html.parser").summary.find("svg", class_="range")


def test_places_of_a_claim():
    assert list_places("Sections 5.1 and F.1, tables") == ["Section 5", "Section F"]
    assert list_places("Appendix F.1, Figures 4, 6 and 7") == ["Appendix F", "Figure 4", "Figure 6", "Figure 7"]
    assert list_places("Section 3.1, after Theorem 3.2") == ["Section 3", "Theorem 3.2"]
    assert list_places("Proof sketch of Theorem 1") == ["Theorem 1"] and list_places("everywhere") == []


def test_the_size_of_the_paper_is_counted_and_this_run_has_a_second_sign():
    committed = claim(scale="paper", verdict="not reproduced")
    rows = ledger.rows_for_page([claim(), claim(number=2)], {("demo", "C1"): committed})
    soup = BeautifulSoup(render_ledger(rows), "html.parser")
    shown = {b["data-verdict"]: b.b.text for b in soup.select(".verdicts button")}
    assert {verdict for verdict, number in shown.items() if number == "1"} == {"reproduced", "not reproduced"}
    assert shown["undecided"] == "0" and "found" not in shown  # none is ours
    first, second = soup.select(".claims summary")
    assert first.select_one(".then [title]")["title"] == "this run: reproduced" and not second.select(".then")


def test_claims_are_checked():
    def showing(row):
        return executed(shown({**ledger_of(row), "text/html": "<table></table>"}))

    assert ledger.collect_claims(showing(claim(note="dropped"))) == [claim()]
    with pytest.raises(page.ReportError, match="cell shown: claim C1 has verdict 'fine'; allowed: reproduced, not"):
        ledger.collect_claims(showing(claim(verdict="fine")))
    with pytest.raises(page.ReportError, match="claim C1 has no rule, scale"):
        ledger.collect_claims(showing({key: value for key, value in claim().items() if key not in ("rule", "scale")}))


MEASURE = Cases("ratio", exact(3)).above(2).measure("as printed").row()
NO_MEASURES = [  # and what is said of them
    (3, "without answer, axis, case"),
    ({key: value for key, value in MEASURE.items() if key != "holds"}, "without holds$"),
    ({**MEASURE, "value": "two"}, "with value='two': must be a finite number or null"),
    ({**MEASURE, "low": True}, "with low=True: must be a finite number or null"),
    ({**MEASURE, "high": float("nan")}, "with high=nan: must be a finite number or null"),
    ({**MEASURE, "high": 10**400}, "must be a finite number or null"),
    ({**MEASURE, "holds": None}, "with holds=None: must be a pair of numbers or nulls"),
    ({**MEASURE, "holds": [1]}, r"with holds=\[1\]: must be a pair of numbers or nulls"),
    ({**MEASURE, "fails": ["a", None]}, r"with fails=\['a', None\]: must be a pair of numbers or nulls, or null"),
    ({**MEASURE, "reading": ["a"]}, r"with reading=\['a'\]: must be text"),
    ({**MEASURE, "strict": 1}, "with strict=1: must be true or false"),
    ({**MEASURE, "cases": 1.5}, "with cases=1.5: must be a whole number"),
    ({**MEASURE, "answer": "yes"}, "with answer='yes': must be true, false or null"),
]


@pytest.mark.parametrize("one, said", NO_MEASURES)
def test_measures_are_checked(tmp_path, capsys, one, said):
    with pytest.raises(page.ReportError, match=f"claim C1 has a measure {said}" if said[0] == "w" else said):
        ledger.check_row(claim(measures=[one]))
    (tmp_path / "claims.json").write_text(json.dumps([claim(measures=[one]), claim(number=2, measures=[MEASURE])]))
    write_index(tmp_path, DEMO)
    assert BeautifulSoup((tmp_path / "index.html").read_text(), "html.parser").select(".claims > details")
    assert "it was moved to claims.damaged.json" in capsys.readouterr().err


def test_the_measures_of_a_run_are_measures():
    asked = [Cases("it", mean([3.0])).above(0), Cases("it", exact(1)).sublinear(), count("it", {"a": None})]
    rows = [question.measure("a").row() for question in asked]
    for measures in (rows, json.loads(json.dumps(rows))):
        ledger.check_row(claim(measures=measures))


@pytest.mark.parametrize(
    "text",
    [
        '[{"paper"', "", "{}", "null", "3", '"claims"', "[1]", "[[]]", "[null]", '[{"paper": "demo"}]', "[" * 99_999,
        json.dumps([claim(verdict="fine")]), json.dumps([claim(sentence=None)]), "\x00",
    ],
)  # fmt: skip
def test_a_file_that_holds_no_claims_is_moved_aside_not_lost(tmp_path, capsys, text):
    (tmp_path / "claims.json").write_text(text)
    ledger.merge_rows(tmp_path / "claims.json", "demo", [claim()])
    assert ledger.read_claims(tmp_path / "claims.json") == [claim()]
    assert (tmp_path / "claims.damaged.json").read_text() == text
    assert "it was moved to claims.damaged.json" in capsys.readouterr().err


def test_index_lists_reports_and_all_claims(built, tmp_path):
    for name in ("demo.html", SPECIAL):
        (tmp_path / name).write_bytes((built / "out" / name).read_bytes())
    (tmp_path / "foreign.html").write_text("<p>no report of ours</p>")
    rows = [claim("factored"), claim("factored", 2, "not reproduced", sentence="a < $b$ *c* <i>")]
    rows.append(claim("demo", 1, "depends on the reading"))
    (tmp_path / "claims.json").write_text(json.dumps(rows))
    write_index(tmp_path, DEMO)  # from what lies there: nothing is run again
    index = BeautifulSoup((tmp_path / "index.html").read_text(encoding="utf-8"), "html.parser")
    report, special = index.find(class_="reports").find_all("li")
    assert (
        report.find("a", class_="thumb").find("path")
        and special.a["href"] == SPECIAL
        and special.find(class_="special").text == "gap = 1.0, means = [0.9, 1]"
    )
    assert not special.find(class_="counts") and not report.find(class_="special")
    assert (
        report.h3.a["href"] == "demo.html"
        and report.h3.a.text == "Optimism loses only O(log\u2061T): the demo of a report"
    )
    assert "Finite-time Analysis" in report.text and "Optimistic learners lose only" in report.text
    assert "quick size" in report.text and "1 depends on the reading" in report.find(class_="counts").text
    claims = index.select(".claims > details")
    assert [json.loads(row["data-filter"])["paper"] for row in claims] == [["demo"], ["factored"], ["factored"]]
    assert claims[0].find("a", href="demo.html#claim-C1") and not claims[1].a
    assert claims[2].find(class_="verdict-not-reproduced").text.strip() == "not reproduced"
    assert "a < b *c* <i>" in claims[2].text and claims[2].find(class_="tex").decode_contents() == drawn("b")
    assert [select["data-name"] for select in index.select(".filters select")] == ["paper"]
    told = {button["data-verdict"]: button.b.text for button in index.select(".verdicts button")}
    assert [verdict for verdict, number in told.items() if number != "0"] == [
        "reproduced", "not reproduced", "depends on the reading"
    ]  # fmt: skip
    assert list(told) == list(CLASSES) and index.find(href="#verdicts-mean") and index.find(id="verdicts-mean")
    assert not index.find_all(src=True) and not index.find_all("link")


HOSTILE = (
    '<img src=x onerror="hit()"><meta http-equiv="refresh" content="0;url=https://a.org">$x$<script>hit()</script>'
)
FACTS = {key: HOSTILE for key in ("title", "paper", "paper_title", "claim", "scale", "date", "special")}


def test_index_takes_only_text_from_pages(tmp_path):
    """Facts that are HTML stay words; a file name is quoted in its link."""
    facts = page.make_island({**FACTS, "name": "javascript:hit()"})
    (tmp_path / "a b#.html").write_text(f'<script type="application/json" id="facts">{facts}</script>')
    write_index(tmp_path, DEMO)
    index = BeautifulSoup((tmp_path / "index.html").read_text(encoding="utf-8"), "html.parser").main
    assert not index.find_all(["img", "meta", "script"])
    assert index.find(class_="reports").a["href"] == "a%20b%23.html"
    assert "onerror" in index.find(class_="paper").text


def test_reports_elsewhere_are_listed_with_the_ledger_beside_their_notebook(tmp_path):
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "claims-paper.json").write_text(json.dumps([claim(scale="paper")]))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "claims.json").write_text(json.dumps([claim(verdict="undecided")]))
    write_index(tmp_path / "elsewhere", tmp_path / "notebooks" / "demo.ipynb")
    index = BeautifulSoup((tmp_path / "elsewhere" / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert json.loads(index.select_one(".claims > details")["data-filter"])["verdict"] == {
        "then": "reproduced", "now": "undecided"
    }  # fmt: skip


@pytest.mark.parametrize(
    "facts", ["{", "null", "[]", "3", '{"title": "a"}', json.dumps({**FACTS, "paper": 3}), "[" * 50_000]
)
def test_index_passes_over_pages_that_are_no_reports(tmp_path, facts):
    (tmp_path / "foreign.html").write_text(f'<script id="facts">{facts}</script>')
    write_index(tmp_path, DEMO)
    assert not (tmp_path / "index.html").read_text().count("<li>")


def test_index_of_an_empty_folder(tmp_path):
    write_index(tmp_path, DEMO)
    assert "No report has stated a claim yet" in (tmp_path / "index.html").read_text()


def test_paper_size_ledger_is_kept_apart(built, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    old = [claim("factored", scale="paper"), claim("demo", 9, scale="paper")]
    (out / "claims-paper.json").write_text(json.dumps(old))
    (out / "README.md").write_text("# Ours\n\nWords of a hand.\n\n")
    ledger.merge_table(out / "README.md", "factored", "Factored", [claim("factored", sentence="a | b")], "Seed 7.")
    before = files(out)
    call = ["--notebooks", str(built / "notebooks"), "--out", str(out)]
    assert main(["demo", *call]) == 0
    assert main(["demo", "--scale", "paper", "-p", "d", "4", *call]) == 0  # not the paper's own numbers
    assert {name: before[name] for name in before} == {name: files(out)[name] for name in before}
    assert main(["demo", "--scale", "paper", *call]) == 0
    rows = json.loads((out / "claims-paper.json").read_text())
    assert [row["id"] for row in rows] == ["C1", "D1", "D2", "D3", "D4"]
    assert {row["scale"] for row in rows} == {"paper"} and all(set(row) == set(Claim._fields) for row in rows)
    text = (out / "README.md").read_text()
    assert text.startswith("# Ours\n\nWords of a hand.\n\n<!-- factored -->\n")
    assert text.index("## Factored") < text.index("## Finite-time Analysis")
    assert "| C1 | a \\| b | Theorem 1 |" in text and "Seed 7." in text
    assert "1 reproduced, 1 not reproduced, 1 depends on the reading, 1 not tested." in text
    assert f"Seed 0; {time.gmtime().tm_mday} " in text and f"source {DIGEST}; Python 3." in text
    assert re.search(r"; \d+ CPU s of computing; (commit [0-9a-f]{12}( and changes since)?, )?source", text)


def test_limits_that_are_near_each_other_stay_legible():
    one = {"reading": "a", "what": "x", "unit": "", "case": "", "axis": "linear", "fails": None, "held": 0, "failed": 1}
    one |= {"holds": [0.38, 0.42], "value": 1.0, "low": 1.0, "high": 1.0, "strict": False, "cases": 1, "answer": False}
    soup = BeautifulSoup(draw_picture([{**one, "name": ""}]), "html.parser")
    first, second = (float(text["x"]) for text in soup.find_all("text") if text.text in ("0.38", "0.42"))
    assert second - first > 4 * 6 and first >= 2 * 6
    assert spread_words([1.0, 335.0], ["-0.001", "0.001"]) == pytest.approx([19.2, 320.0])
    assert spread_words([100.0, 200.0], ["1", "2"]) == [100.0, 200.0]


@pytest.mark.parametrize(
    "text, drawn",
    [
        ("exp((d1/(√α - 2))^((β + 1)/β))", "exp((d1/(√α − 2))<sup>(β + 1)/β</sup>)"),
        ("(1 - q)^min(t, 2d - 1)", "(1 − q)<sup>min(t, 2d − 1)</sup>"),
        ("(α - 2)^-2, k^{1/2}, (L^a)²", "(α − 2)<sup>−2</sup>, k<sup>1/2</sup>, (L<sup>a</sup>)²"),
        ("-0.0752 [-0.129, -0.0225], 4.7e-16", "−0.0752 [−0.129, −0.0225], 4.7 · 10<sup>−16</sup>"),
        ("v_i(t) and n0_mult=10 in UCB1-like F-UCB, 3-5", "v<sub>i</sub>(t) and n0_mult=10 in UCB1-like F-UCB, 3-5"),
        ('<b title="k^d - 1">k^d</b> &#x27;x^2', '<b title="k^d - 1">k<sup>d</sup></b> &#x27;x<sup>2</sup>'),
        ('<span class="tex">k^d - 1</span>', '<span class="tex">k^d - 1</span>'),
    ],
)  # fmt: skip
def test_formulas_in_plain_text_are_set(text, drawn):
    assert set_plain_formulas(text) == drawn


def test_a_search_knows_a_symbol_by_its_name_and_a_name_by_its_symbol():
    controls = {
        "d": Slider("Components d", 1, 9, 1), "sigma": Slider("Noise σ", 0, 2, 1), "L": Slider("Given L", 1, 9, 1),
        "best": Slider("Best's L*", 1, 9, 1), "tau": Slider("Promise τ̃", 1, 9, 1), "runs": Slider("Runs", 1, 9, 1),
    }  # fmt: skip
    named = name_symbols(controls)
    assert [words for _, words in named] == [["components"], ["noise"], ["given"], ["promise"]]
    assert list_synonyms(claim(sentence="It grows like kᵈ."), named) == "d components"
    assert list_synonyms(claim(sentence=r"It is $\sigma^2$."), named) == "Sigma sigma σ noise"
    assert list_synonyms(claim(quote="with one component"), named) == "d components"
    assert list_synonyms(claim(rule="with one component"), named) == ""  # nothing is claimed of it
    assert list_synonyms(claim(statistic="0.3 (d = 2)", sentence="Less than D."), named) == ""


def test_a_row_that_a_page_does_not_play_says_why():
    plays = {"claims": ["C1"], "unplayed": {"C2": "it plays 1e+09 rounds"}}
    assert tell_unplayed(claim(sizes="20 runs"), plays) == ""
    assert tell_unplayed(claim(number=2, sizes="20 runs"), plays).endswith("this claim again: it plays 1e+09 rounds.")
    assert "short simulations" in tell_unplayed(claim(number=3, sizes="20 runs"), plays)
    assert "played nothing" in tell_unplayed(claim(number=3), plays)
    assert tell_unplayed(claim(number=3), {}) == ""  # where no row plays none says why
