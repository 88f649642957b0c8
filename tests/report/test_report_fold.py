"""A page at a glance: what is folded, that nothing of it is lost, and what leads where."""

import itertools
import json
import re

import pandas as pd
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from banditlab.report import fold
from banditlab.report.exporter import ERRATA
from banditlab.report.page import render_markdown
from banditlab.report.static_svg import draw_still
from tests.reports import FIGURE, PLOTLY, ROOT, claim, convert, ledger_of, shown

SENTENCE = "One sentence that is here to be read by somebody. "
FORMULA = '<span class="tex display">x = 1</span>'


def words(html):
    """The words of a text, in order, without those of the summaries that open."""
    soup = BeautifulSoup(html, "html.parser")
    for summary in soup.select("details.more > summary"):
        if not summary.strong:
            summary.decompose()
    return soup.get_text(" ").split()


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{SENTENCE * 12}</p>",
        f"<p>{SENTENCE * 3}</p>\n{FORMULA}\n<p>{SENTENCE * 9} <em>and</em> {SENTENCE}</p>",
        f"<p><strong>Lead.</strong> {SENTENCE * 9}</p><ul><li>a</li></ul>",
        f"<ul><li><strong>Point.</strong> {SENTENCE * 5}</li><li>short</li></ul>",
        f"<h3>Head</h3><p>{SENTENCE * 12}</p><h3>Other</h3><p>{SENTENCE}</p>",
    ],
)
def test_a_long_text_is_folded_and_no_word_is_lost(html):
    folded = fold.fold_text(html)
    assert BeautifulSoup(folded, "html.parser").select("details.more")
    assert words(folded) == words(html)


def test_a_short_text_and_one_with_answers_stay_as_they_are():
    for html in (f"<p>{SENTENCE}</p>", f"<p>{SENTENCE * 9}</p><details><summary>Answer</summary><p>b</p></details>"):
        assert fold.fold_text(html) == html


def test_the_formula_that_a_lead_ends_in_is_seen():
    soup = BeautifulSoup(fold.fold_text(f"<p>{SENTENCE * 3}</p>{FORMULA}<p>{SENTENCE * 9}</p>{FORMULA}"), "html.parser")
    assert [bool(formula.find_parent("details")) for formula in soup.select(".display")] == [False, True]
    assert soup.summary.text == "Read on: 90 words, 1 formula"


def table(rows):
    """A table of rows of cells."""
    body = "".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return f"<table><thead><tr><th>a</th></tr></thead><tbody>{body}</tbody></table>"


def test_a_long_table_shows_its_first_rows_and_a_cell_over_the_cut_stands_on_both_sides():
    rows = [[f"<td>{k}</td>"] for k in range(9)]
    rows[2].insert(0, '<th rowspan="4">both</th>')
    first, second = BeautifulSoup(fold.fold_text(table(rows)), "html.parser").find_all("table")
    assert [row.find("td").text for row in first.tbody.find_all("tr")] == list("012")
    assert [row.find("td").text for row in second.tbody.find_all("tr")] == list("345678")
    assert [cell["rowspan"] for cell in first.select("[rowspan]") + second.select("[rowspan]")] == ["1", "3"]
    assert second.find_parent("details").summary.text == "6 more rows" and second.thead.text == "a"
    assert fold.fold_text(table(rows[:5])) == table(rows[:5])


def test_formulas_have_numbers_and_addresses():
    count = itertools.count(3)
    html = fold.number_formulas(f'{FORMULA}<span class="tex display">\\tag{{a}}</span>{FORMULA}', count)
    soup = BeautifulSoup(html, "html.parser")
    assert [found.get("id") for found in soup.select(".display")] == ["formula-3", None, "formula-4"] and next(
        count
    ) == 5


def test_claims_in_a_text_lead_to_their_rows():
    anchors = {"A5": "claim-A5", "A5a": "claim-A5a", "T1": "claim-T1"}
    html = 'See (A5a, T1), claim A5 and <span class="tex">claim T1</span> <code>claim T1</code>; T1 alone, (A6).'
    linked = BeautifulSoup(fold.link_ids(html, anchors), "html.parser")
    assert [(a["href"], a.text) for a in linked.find_all("a")] == [
        ("#claim-A5a", "A5a"), ("#claim-T1", "T1"), ("#claim-A5", "A5")
    ]  # fmt: skip
    assert linked.text == BeautifulSoup(html, "html.parser").text


@pytest.mark.parametrize("notebook", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_every_claim_that_an_erratum_names_is_a_link(notebook):
    rows = json.loads((ROOT / "reports" / "claims-paper.json").read_text(encoding="utf-8"))
    anchors = {row["id"]: f"claim-{row['id']}" for row in rows if row["paper"] == notebook.stem}
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    (errata,) = filter(None, (ERRATA.search("".join(cell["source"])) for cell in cells))
    linked = BeautifulSoup(fold.link_ids(render_markdown(errata[1]), anchors), "html.parser")
    assert len(linked.select("a[href^='#claim-']")) > 2
    for hidden in linked.select("a, .tex, code"):
        hidden.decompose()
    assert set(re.findall(r"\b[A-Z]+\d+[a-z]?\b", linked.text)) & set(anchors) == set()


def report():
    """A notebook with a ledger, and after it a text with a figure, and two figures in a row."""
    ledger = new_code_cell("1", id="ledger", outputs=[shown({"text/html": "", **ledger_of(claim(), claim(number=2))})])
    figures = [new_code_cell("1", id=f"f{k}", outputs=[shown({PLOTLY: FIGURE})]) for k in range(4)]
    text, head = new_markdown_cell("## One\n\n" + SENTENCE * 12 + "(C2)"), new_markdown_cell("## Two")
    return new_notebook(cells=[figures[0], ledger, text, figures[1], head, figures[2], figures[3]])


def test_after_the_ledger_figures_are_tiles_and_texts_are_folded():
    soup = convert(report())
    tiles = soup.select("details.tile")
    assert [tile.figure["id"] for tile in tiles] == ["figure-2", "figure-3", "figure-4"]
    assert all(tile.summary.find("svg", class_="still") and "open" not in tile.attrs for tile in tiles)
    assert not soup.find(id="figure-1").find_parent("details")
    beside, row = soup.select(".beside, .tiles")
    assert beside.find(class_="text").find("details", class_="more") and len(row.select(".tile")) == 2
    assert beside.find("a", href="#claim-C2")
    assert [head.text for head in soup.find_all("h2")][:2] == ["One", "Two"]


def test_a_notebook_cannot_say_what_stands_around_its_cells():
    nb = report()
    for cell in nb.cells:
        cell.metadata["page"] = {"before": "<b>hit</b>", "head": "<b>hit</b>", "after": "<b>hit</b>", "tile": True}
    assert convert(nb).main.decode() == convert(report()).main.decode()


def test_bars_maps_and_dots_are_drawn_still():
    grid = {"type": "heatmap", "z": [[0, 1, 1], [0, 1, None]], "colorscale": [[0, "#000000"], [1, "rgb(250,0,0)"]]}
    bars = {"type": "bar", "x": ["a", "b"], "y": [1, 2], "marker": {"color": "#00ff00"}}
    dots = {"type": "scatter", "mode": "markers", "x": [1, 2], "y": [1, 2]}
    found = [BeautifulSoup(draw_still({"data": [one], "layout": {}}), "html.parser") for one in (grid, bars, dots)]
    black, red = found[0].select("path[fill^=rgb]")
    assert (black["fill"], red["fill"]) == ("rgb(0,0,0)", "rgb(250,0,0)")
    assert black["d"].count("M") == 2 and red["d"].count("M") == 2  # a box for a run of cells
    assert found[1].find("path", fill="#00ff00")["d"].count("M") == 2
    assert found[2].find("path", attrs={"stroke-linecap": "round"})["d"].count("M") == 2


def test_a_still_map_without_a_number_has_no_boxes():
    grid = {"type": "heatmap", "z": [[None, None], [None, None]], "colorscale": [[0, "#000000"], [1, "#ffffff"]]}
    assert not BeautifulSoup(draw_still({"data": [grid], "layout": {}}), "html.parser").select("path[fill^=rgb]")


def test_a_still_map_has_the_ticks_of_its_axes_and_may_tell_edges():
    grid = {"type": "heatmap", "z": [[0, 1, 1]], "x": [0, 1, 5, 6], "y": ["one"],
            "colorscale": [[0, "#000000"], [1, "#000000"]]}  # fmt: skip
    axis = {"tickvals": [0.5, 3, 5.5, 9], "ticktext": ["a", "<b>b</b>", "<", "outside"]}
    found = BeautifulSoup(draw_still({"data": [grid], "layout": {"xaxis": axis}}), "html.parser")
    ticks = [text.text for text in found.select("text.d")]
    assert ticks == ["one", "a", "b", "<"]
    across = [float(text["x"]) for text in found.select("text[text-anchor=middle].d")]
    assert across[1] - across[0] == pytest.approx(across[2] - across[1])
    first, second = (path["d"] for path in found.select("path[fill^=rgb]"))  # cells of width 1, and of 4 and 1
    left, right, end = (
        float(x) for x in (*re.findall(r"[MH]([\d.]+)", first)[:2], re.findall(r"H([\d.]+)", second)[0])
    )
    assert (end - right) / (right - left) == pytest.approx(5)


def test_numbers_of_pandas_tables_have_their_digits_grouped():
    html = pd.DataFrame({"a": [17815.8, -10393.46], "b": ["1234 and more", "12"]}).to_html()
    cells = [cell.get_text() for cell in BeautifulSoup(fold.fold_text(html), "html.parser").find_all("td")]
    assert cells == ["17,815.80", "1234 and more", "−10,393.46", "12"]
    assert fold.fold_text(table([["<td>2016</td>"]])) == table([["<td>2016</td>"]])


def test_a_line_is_drawn_still_with_its_gaps():
    line = {"type": "scatter", "mode": "lines", "x": [1, 2, None, 3, 4], "y": [1, None, 2, 1, 2]}
    found = [draw_still({"data": [{**line, **more}], "layout": {}}) for more in ({}, {"fill": "toself"})]
    paths = [BeautifulSoup(one, "html.parser").select("path:not(.g)")[-1]["d"] for one in found]
    assert [(path.count("M"), path.count("L"), path.count("Z")) for path in paths] == [(2, 1, 0), (2, 1, 2)]
