"""The exporter: what a page says, shows and refuses."""

import json
import re

import nbconvert
import nbformat
import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_markdown_cell, new_notebook, new_output

from banditlab.report import page
from banditlab.report.exporter import ReportExporter, attach_plays
from banditlab.report.static_svg import draw_still
from banditlab.user_code.code_identity import DIGEST
from tests.reports import FIGURE, PLOTLY, ROOT, SPECIAL, VIEW, WIDGET, claim, convert, drawn, executed, ledger_of, shown


def test_figures_are_islands_with_caption_and_alt_text(demo):
    first, second = demo.find_all("figure")
    assert first.figcaption.text.startswith("Figure A. Mean cumulative regret")
    assert first.figcaption.find(class_="tex").decode_contents() == drawn(r"\Delta = 1.0")  # -p gap 1 for a float
    assert first.figcaption.em.text == "optimistic"
    assert first.find(class_="plot")["aria-label"].startswith("Regret of seven policies against rounds; all but")
    assert first.find(class_="title").text == "Cumulative regret of seven policies, gap 1.0, d = 3, 50 runs"
    assert len(json.loads(first.script.string)["data"]) == 7
    assert second.figcaption.text.strip() == "Figure B."
    assert re.search(
        r"Chart. .*F-UCB ends at [\d.]+; UCB1 on all vectors ends at", second.find(class_="plot")["aria-label"]
    )


def test_plain_figure_is_taken_beside_a_widget_view(demo):
    assert json.loads(demo.find(id="figure-2").script.string)["layout"]["title"]["text"] == "Two panels"
    assert "model_id" not in demo.find(id="cell-explorer").find("figure").decode()


def test_text_formulas_and_folded_answers(demo):
    assert demo.h1.find(class_="tex").decode_contents() == drawn(r"O(\log T)")
    assert demo.find(string=re.compile("Where do the curves bend"))
    answer = demo.select_one(".text details")
    assert answer.summary.find(class_="tex").decode_contents() == drawn(r"\Delta = 0.2")
    assert answer.find(class_="highlight") and "which" in answer.text  # what follows the summary is folded with it
    displayed = [formula.decode_contents() for formula in demo.find_all(class_="tex display")]
    assert drawn(r"\hat\mu \to \mu", display=True) in displayed  # an output of type text/latex
    assert len(displayed) > 2 and all(formula.startswith("<math") for formula in displayed)


def test_contents_lead_to_the_headings(demo):
    links = [link["href"].removeprefix("#") for link in demo.nav.find_all("a")]
    assert links[:2] == ["the-idea", "a-detail-of-delta_i"] and links[-1] == "this-run"
    assert all(demo.find(id=link) for link in links)


def test_code_is_folded_and_parameters_are_hidden(demo):
    folded = demo.find_all("details", class_="code")
    assert len(folded) == 5 and not any("open" in cell.attrs for cell in folded)
    assert not demo.find(string=re.compile("Parameters$")) and "live: bool" not in demo.main.text
    assert "display(Latex" not in demo.main.text  # tag remove-input
    assert demo.find(id="cell-numbers").pre.text == "a line of output\n"  # and nothing of stderr


def test_this_run_says_how_it_was_made(built, demo):
    run = demo.find(class_="run")
    rows = [(row.find(["input", "select"]), row.find_all("td")) for row in run.tbody.find_all("tr")]
    values = {field["name"]: (field.get("value"), cells[-1].text) for field, cells in rows}
    assert values["gap"] == ("1.0", "gap between the best arm and the others (mean reward)")
    assert values["means"] == ("[0.9, 1]", "means of the arms")
    assert values["seed"] == ("0", "random seed") and "live" not in values
    told = dict(zip([dt.text for dt in run.find_all("dt")], [dd.text for dd in run.find_all("dd")], strict=True))
    assert told["Source"] == DIGEST
    assert "Python 3." in told["Versions"] and "numba" in told["Versions"]
    assert "cores" in told["Machine"] and "UTC" in run.find(string=re.compile("Run on"))
    commands, opens, bibtex = (pre.text for pre in run.select("pre:not(.command)"))
    places = f"--notebooks {built / 'notebooks'}"  # --out is the maker's
    assert commands == f"python -m banditlab.report demo --scale quick -p gap 1.0 -p means '[0.9, 1]' {places}"
    assert opens == f"jupyter lab {built / 'notebooks' / 'demo.ipynb'}"
    assert bibtex.startswith("@article{auer2002finite,\n") and r"Nicol{\`o}" in bibtex


@pytest.mark.parametrize(
    ("run", "path", "usual"),
    [({}, "notebooks/own.ipynb", True), ({"notebooks": "my papers/"}, "'my papers/own.ipynb'", False)],
)
def test_your_turn_says_how_the_notebook_is_opened(run, path, usual):
    nb = executed(shown({**ledger_of(claim()), "text/html": ""}))
    nb.cells.append(new_markdown_cell("## Your turn\n\nWrite a policy."))
    nb.metadata["banditlab"] = {"run": run}
    html, _ = ReportExporter().from_notebook_node(nb, {"metadata": {"name": "own"}})
    told = BeautifulSoup(html, "html.parser").find(id="your-turn").find_next_sibling("p")
    assert told.code.text == f"jupyter lab {path}"
    assert ("in banditlab's repository" in told.text) is usual


def test_page_is_one_file_that_loads_nothing(built, demo):
    assert (built / "out" / SPECIAL).stat().st_size < 6_000_000
    assert not demo.find_all("link") and not demo.find_all(src=re.compile("^(?!data:)"))
    assert not re.search(r"url\((?!data:)|@import", "".join(style.text for style in demo.find_all("style")))
    policy = demo.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    assert "default-src 'none'" in policy and "connect-src 'none'" in policy
    scripts = policy.partition("script-src ")[2].partition(";")[0]
    assert re.fullmatch(r"('sha256-[\w+/=]{44}' ?)+", scripts)  # our own, and no other
    ran = [script for script in demo.find_all("script") if not script.get("type")]
    assert [script.string for script in ran] == page.list_scripts("report")


def test_page_without_javascript_keeps_text_and_ledger(demo):
    assert len(demo.select(".claims > details")) == 4
    assert "Nothing is loaded from the network" in demo.noscript.find_next("noscript").text
    picture = demo.find("figure").find("svg", class_="still")
    assert len(picture.find_all("path")) > 7 and "F-UCB" in picture.text


# The exporter


def test_exporter_is_found_by_its_path():
    assert nbconvert.get_exporter("banditlab.report.exporter.ReportExporter") is ReportExporter


def test_widget_state_is_dropped():
    nb = executed(shown({WIDGET: VIEW, PLOTLY: FIGURE}))
    nb.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {"1": {"model_name": "secret"}}}}
    assert "secret" not in convert(nb).decode()
    assert nb.metadata["widgets"]  # the notebook itself stays as it is


def captioned(caption):
    """A figure of this caption."""
    return {"data": [], "layout": {"meta": {"caption": caption}}}


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (shown({WIDGET: VIEW, "text/plain": "slider"}), "shows a live widget without a plain figure"),
        (new_output("error", ename="KeyError", evalue="'x'", traceback=[]), "raised KeyError: 'x'"),
        (shown({"application/javascript": "alert(1)"}), "shows only application/javascript"),
        (shown({}), "shows only nothing"),
        (shown({"text/html": '<script src="https://a.org/x.js"></script>'}), "brings <script>"),
        (shown({"text/html": "<img src='//a.org/x.png'>"}), "loads //a.org/x.png"),
        (shown({"text/html": '<link rel="stylesheet" href="https://a.org/x.css">'}), "brings <link>"),
        (shown({"text/html": "<video src='https://a.org/x.mp4'>"}), "loads https://a.org/x.mp4"),
        (shown({"text/markdown": "![a](https://a.org/x.png)"}), "loads https://a.org/x.png"),
        (shown({"text/markdown": "a <MeTa http-equiv='refresh'>"}), "brings <meta>"),
        (shown({"text/html": "<p onclick='hit()'>"}), "brings a script (onclick of <p>)"),
        (shown({"text/html": "<a href=' javascript:hit()'>a</a>"}), "links to ' javascript:hit()'"),
        (shown({"text/html": "<script>require(['plotly'])</script>"}), "brings <script>"),
        (shown({"text/html": "<style>@import 'https://a.org/x.css'</style>"}), "loads from the network"),
        (shown({"text/html": '<p style="background: url(https://a.org/x.png)">'}), "loads from the network"),
        (shown({"text/html": "a" * 6_000_000}), "the page is 6"),
        (shown({PLOTLY: captioned("[a](javascript:hit())")}), "links to 'javascript:hit()'"),
        (shown({PLOTLY: captioned("![a](https://a.org/x.png)")}), "loads https://a.org/x.png"),
    ],
)
def test_what_cannot_be_shown_is_refused(output, message):
    with pytest.raises(page.ReportError, match=re.escape(message)) as caught:
        convert(executed(output))
    assert "cell shown" in str(caught.value) or "MB" in message or "the page" in message


def test_markdown_that_loads_is_refused_and_links_are_not():
    with pytest.raises(page.ReportError, match="cell far loads https://a.org/x.png"):
        convert(new_notebook(cells=[new_markdown_cell("![a](https://a.org/x.png)", id="far")]))
    assert convert(new_notebook(cells=[new_markdown_cell("[a](https://a.org)")])).main.find("a", href="https://a.org")


def test_pictures_beside_the_notebook_go_into_the_page(tmp_path):
    (tmp_path / "x.svg").write_text("<svg/>")
    text = "![drawn](x.svg)\n\n<details><summary>More</summary>\n\nfolded <img alt='again' src=\"x.svg\">\n\n</details>"
    nbformat.write(new_notebook(cells=[new_markdown_cell(text)]), tmp_path / "picture.ipynb")
    html, _ = ReportExporter().from_filename(str(tmp_path / "picture.ipynb"))
    sources = [image["src"] for image in BeautifulSoup(html, "html.parser").main.find_all("img")]
    assert len(sources) == 2 and all(source.startswith("data:image/svg+xml;base64,") for source in sources)


def test_images_and_text_outputs():
    soup = convert(executed(shown({"image/png": "iVBO"}, metadata={"alt": "a curve"}), shown({"text/plain": "a < b"})))
    assert soup.main.img["src"] == "data:image/png;base64,iVBO" and soup.main.img["alt"] == "a curve"
    assert soup.main.find("pre", string="a < b")


def test_figure_text_cannot_close_its_island():
    figure = {"data": [{"name": "</script><b>x</b>"}], "layout": {}}
    island = convert(executed(shown({PLOTLY: figure}))).figure.script
    assert json.loads(island.string) == figure


def test_sizes_and_parameters_are_no_markup():
    away = '"><meta http-equiv="refresh" content="0;url=https://a.org">'
    nb = executed(shown({PLOTLY: {**FIGURE, "layout": {"height": "1px" + away}}}))
    nb.cells[0].outputs.append(shown({"text/html": "<p>a</p>", **ledger_of(claim())}))
    nb.metadata["papermill"] = {"parameters": {"scale": away, "live": False}}
    soup = convert(nb)
    assert soup.find("meta", attrs={"http-equiv": "refresh"}) is None
    assert soup.find(class_="plot")["style"] == "min-height: 450px"
    assert away in soup.find(class_="about-ledger").text


def test_the_still_picture_follows_many_close_points():
    """Points closer than the eye can tell are left out; together they may be a long way."""
    x = np.geomspace(1, 1e6, 5000)
    figure = {
        "data": [{"type": "scatter", "x": x.tolist(), "y": np.log(x).tolist()}],
        "layout": {"xaxis": {"type": "log"}},
    }
    path = BeautifulSoup(draw_still(figure), "html.parser").find_all("path")[-1]["d"]
    places = np.array([point.split() for point in path[1:].split("L")], float)
    steps = np.hypot(*np.diff(places, axis=0).T)
    assert 0.3 < steps[:-1].min() and steps.max() < 1.5


def test_headings_with_the_same_words_get_their_own_anchors():
    headings = []
    page.render_markdown("## Play\n\n## Play\n\n### `code` and [link](#x)", headings)
    assert [heading["anchor"] for heading in headings] == ["play", "play-2", "code-and-link"]
    assert headings[2]["html"] == "code and link"


def test_money_is_no_formula():
    assert "tex" not in page.tex_in_html("<p>from $5</p><p>to $6</p>")
    assert page.tex_in_html('<td title="$a$">$b$</td>') == '<td title="$a$"><span class="tex">b</span></td>'


def test_formulas_are_drawn_when_the_page_is_made():
    marked = page.tex(r"a < \sqrt{b}") + '<p>from $5</p><script>"tex"</script>' + page.tex_in_text("$c$")
    made = BeautifulSoup(page.set_formulas(marked), "html.parser")
    assert [formula.decode_contents() for formula in made.select(".tex")] == [drawn(r"a < \sqrt{b}"), drawn("c")]
    assert page.set_formulas(str(made)) == str(made)  # once is enough


def test_wrong_tex_stays_as_it_is_and_brings_no_markup():
    made = BeautifulSoup(page.set_formulas(page.tex(r"\wrong <img src=x>")), "html.parser")
    assert made.text == r"\wrong <img src=x>" and not made.find(["img", "math"])
    assert not BeautifulSoup(page.set_formulas(page.tex(r"\text{<img src=x>}")), "html.parser").find("img")


def list_notebook_formulas():
    """All formulas of the notebooks and of the committed claims: (TeX, whether it is displayed)."""
    notebooks = (json.loads(file.read_text(encoding="utf-8")) for file in (ROOT / "notebooks").glob("*.ipynb"))
    cells = (cell for notebook in notebooks for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    texts = ["".join(cell["source"]) for cell in cells]
    rows = json.loads((ROOT / "reports" / "claims-paper.json").read_text(encoding="utf-8"))
    texts += [value for row in rows for value in row.values() if isinstance(value, str)]
    found = (re.findall(r"\$\$(.+?)\$\$|(?<!\\)\$([^$\n]+)\$", text, re.S) for text in texts)
    return {(display or inline, bool(display)) for formulas in found for display, inline in formulas}


def test_every_formula_of_the_papers_can_be_drawn():
    made = {tex: page.draw_formula(tex, display) for tex, display in list_notebook_formulas()}
    assert len(made) > 400 and [tex for tex, formula in made.items() if not formula.startswith("<math")] == []
    # Chromium draws a fence of a fixed size small where it has an exponent: such ones are \\left and \\right.
    assert [tex for tex, formula in made.items() if re.search("<ms(up|ub|ubsup)><mo m(in|ax)size", formula)] == []


def test_a_page_that_plays_nothing_says_why():
    shown = new_output("display_data", metadata={"figure": {"grid": {"facts": {}}}})
    plays = {"figures": {}, "refused": {"Regret": "it asks for tanh"}, "claims": [], "packed": ""}
    attach_plays([shown], {"plays": plays, "report": {"page": {}}})
    assert shown.metadata.figure.grid.facts.plays["refused"] == {"Regret": "it asks for tanh"}


def test_the_style_of_one_table_of_pandas_is_not_that_of_all():
    frame = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_product([["a"], ["b", "c"]]))
    html = frame._repr_html_()
    assert "<style scoped>" in html and "text-align: left" in html
    table = convert(executed(shown({"text/html": html}))).find("table", class_="dataframe")
    assert table and not table.find_parent("section").find("style")


def test_a_line_breaks_neither_after_the_parenthesis_before_a_formula_nor_before_the_one_behind_it():
    page = convert(
        new_notebook(
            cells=[new_markdown_cell(r"How small an uplift can be ($\Delta$), or $d$ of them ($k^d$ in all).")]
        )
    )
    assert [span.get_text() for span in page.select(".glue")] == ["(Δ),", "(kd"]
