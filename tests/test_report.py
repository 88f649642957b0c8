"""The report command and its exporter: pages, ledger, index, and every way in which a run can fail."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbconvert
import nbformat
import papermill
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from banditlab.evidence import Claim, Ledger
from banditlab.kernel import DIGEST, ENGINE_DIGEST
from banditlab.report import build, ledger, page
from banditlab.report.__main__ import main
from banditlab.report.exporter import ReportExporter
from banditlab.report.index import write_index

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "tests" / "data" / "demo.ipynb"
PLOTLY = "application/vnd.plotly.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
FIGURE = {"data": [{"type": "scatter", "name": "UCB1", "x": [1, 2], "y": [0, 1]}], "layout": {}}
VIEW = {"model_id": "1", "version_major": 2, "version_minor": 0}


def notebook(path, *sources, parameters="scale: str = 'quick'  # size\nlive: bool = True  # sliders", **about):
    """Write a notebook of a title, a parameters cell and code cells."""
    cells = [new_markdown_cell("# A title"), new_code_cell(parameters, metadata={"tags": ["parameters"]})]
    cells += [new_code_cell(source, id=f"code-{number}") for number, source in enumerate(sources)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel, "banditlab": about}), path)


def executed(*outputs):
    """A notebook that was run: one code cell with these outputs."""
    return new_notebook(cells=[new_code_cell("1", id="shown", outputs=list(outputs))])


def shown(data, **options):
    """An output with this MIME bundle."""
    return new_output("display_data", data=data, **options)


def convert(nb):
    """The page of an executed notebook, parsed."""
    return BeautifulSoup(ReportExporter().from_notebook_node(nb)[0], "html.parser")


def claim(paper="demo", number=1, verdict="reproduced", **other):
    """One row of the ledger."""
    words = {"sentence": "It holds.", "where": "Theorem 1", "statistic": "1", "rule": "[0, 2]", "reading": "a"}
    rest = {"ours": False, "figure": "", "measures": [], "seed": 0, "source": "demo:claim"}
    return {"paper": paper, "id": f"C{number}", **words, "verdict": verdict, "scale": "quick", **rest, **other}


def files(folder):
    """The bytes of every file below a folder."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder in which the report of the demo notebook was built with two parameters."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "notebooks").mkdir()
    (folder / "notebooks" / "demo.ipynb").write_bytes(DEMO.read_bytes())
    call = ["demo", "-p", "gap", "1", "-p", "means", "[0.9, 1]", "--out", str(folder / "out")]
    assert main([*call, "--notebooks", str(folder / "notebooks")]) == 0
    return folder


@pytest.fixture(scope="module")
def demo(built):
    """The page of the demo notebook, parsed."""
    return BeautifulSoup((built / "out" / "demo.html").read_text(encoding="utf-8"), "html.parser")


# The page


def test_figures_are_islands_with_caption_and_alt_text(demo):
    first, second = demo.find_all("figure")
    assert first.figcaption.text.startswith("Figure 1. Mean cumulative regret")
    assert first.figcaption.find(class_="tex").text == r"\Delta = 1.0"  # -p gap 1 for a float
    assert first.figcaption.em.text == "optimistic"
    assert first.find(class_="plot")["aria-label"].startswith("Regret of seven policies against rounds; all but")
    assert first.find(class_="title").text == "Cumulative regret of seven policies, gap 1.0, d = 3, 50 runs"
    assert len(json.loads(first.script.string)["data"]) == 7
    assert second.figcaption.text.strip() == "Figure 2."
    assert "F-UCB, UCB1 on all vectors" in second.find(class_="plot")["aria-label"]


def test_plain_figure_is_taken_beside_a_widget_view(demo):
    assert json.loads(demo.find(id="figure-2").script.string)["layout"]["title"]["text"] == "Two panels"
    assert "model_id" not in demo.find(id="cell-explorer").find("figure").decode()


def test_text_formulas_and_folded_answers(demo):
    assert demo.h1.find(class_="tex").text == r"O(\log T)"
    assert demo.find(string=re.compile("Where do the curves bend"))
    answer = demo.select_one(".text details")
    assert answer.summary.find(class_="tex").text == r"\Delta = 0.2"
    assert answer.find(class_="highlight") and "which" in answer.text  # what follows the summary is folded with it
    displayed = [formula.text for formula in demo.find_all(class_="tex display")]
    assert any(formula.startswith(r"\begin{equation}") for formula in displayed)
    assert any(formula.startswith(r"A_t = \arg\max") for formula in displayed)
    assert r"\hat\mu \to \mu" in displayed  # an output of type text/latex


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


def test_this_run_says_how_it_was_made(demo):
    run = demo.find(class_="run")
    rows = [[cell.text for cell in row.find_all(["th", "td"])] for row in run.table.find_all("tr")]
    assert ["gap", "1.0", "gap between the best arm and the others (mean reward)"] in rows
    assert ["means", "[0.9, 1]", "means of the arms"] in rows
    assert ["seed", "0", "random seed"] in rows and "live" not in [row[0] for row in rows]
    told = dict(zip([dt.text for dt in run.find_all("dt")], [dd.text for dd in run.find_all("dd")], strict=True))
    assert told["Source"] == DIGEST
    assert "Python 3." in told["Versions"] and "numba" in told["Versions"]
    assert "cores" in told["Machine"] and "UTC" in told["Run"]
    commands, bibtex = (pre.text for pre in run.find_all("pre"))
    assert commands.splitlines() == [
        """make report NB=demo P="-p gap 1.0 -p means '[0.9, 1]'" SCALE=quick""",
        "python -m banditlab.report demo --scale quick -p gap 1.0 -p means '[0.9, 1]'",
    ]
    assert bibtex.startswith("@article{auer2002finite,\n") and r"Nicol{\`o}" in bibtex


def test_page_is_one_file_that_loads_nothing(built, demo):
    assert (built / "out" / "demo.html").stat().st_size < 6_000_000
    assert not demo.find_all("link") and not demo.find_all(src=re.compile("^(?!data:)"))
    assert not re.search(r"url\((?!data:)|@import", "".join(style.text for style in demo.find_all("style")))
    policy = demo.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    assert "default-src 'none'" in policy and "connect-src 'none'" in policy and "unsafe-eval" not in policy
    assert "Khan Academy" in demo.head.decode()  # the licence of KaTeX


def test_page_without_javascript_keeps_text_and_ledger(demo):
    ledger_table = demo.find("table", class_="ledger")
    assert len(ledger_table.tbody.find_all("tr")) == 4
    assert "Nothing is loaded from the network" in demo.noscript.find_next("noscript").text
    assert demo.find("figure").noscript.text.strip().startswith("Regret of seven policies")


# The exporter


def test_exporter_is_found_by_its_path():
    assert nbconvert.get_exporter("banditlab.report.exporter.ReportExporter") is ReportExporter


def test_widget_state_is_dropped():
    nb = executed(shown({WIDGET: VIEW, PLOTLY: FIGURE}))
    nb.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {"1": {"model_name": "secret"}}}}
    assert "secret" not in convert(nb).decode()
    assert nb.metadata["widgets"]  # the notebook itself stays as it is


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (shown({WIDGET: VIEW, "text/plain": "slider"}), "shows a live widget without a plain figure"),
        (new_output("error", ename="KeyError", evalue="'x'", traceback=[]), "raised KeyError: 'x'"),
        (shown({"application/javascript": "alert(1)"}), "shows only application/javascript"),
        (shown({}), "shows only nothing"),
        (shown({"text/html": '<script src="https://a.org/x.js"></script>'}), "loads https://a.org/x.js"),
        (shown({"text/html": "<img src='//a.org/x.png'>"}), "loads //a.org/x.png"),
        (shown({"text/html": '<link rel="stylesheet" href="https://a.org/x.css">'}), "loads https://a.org/x.css"),
        (shown({"text/html": "<script>require(['plotly'])</script>"}), "loads from the network"),
        (shown({"text/html": "<script>import('https://a.org')</script>"}), "loads from the network"),
        (shown({"text/html": "<style>@import 'https://a.org/x.css'</style>"}), "loads from the network"),
        (shown({"text/html": '<p style="background: url(https://a.org/x.png)">'}), "loads from the network"),
        (shown({"text/html": "a" * 6_000_000}), "the page is 6"),
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


def test_headings_with_the_same_words_get_their_own_anchors():
    headings = []
    page.markdown("## Play\n\n## Play\n\n### `code` and [link](#x)", headings)
    assert [heading["anchor"] for heading in headings] == ["play", "play-2", "code-and-link"]
    assert headings[2]["html"] == "code and link"


def test_money_is_no_formula():
    assert "tex" not in page.tex_in_html("<p>from $5</p><p>to $6</p>")
    assert page.tex_in_html('<td title="$a$">$b$</td>') == '<td title="$a$"><span class="tex">b</span></td>'


# Ledger and index


def test_claims_of_the_run_are_written(built):
    rows = json.loads((built / "out" / "claims.json").read_text())
    assert [row["id"] for row in rows] == ["D1", "D2", "D3", "D4"]
    assert list(rows[0]) == list(Claim._fields)
    assert rows[0]["statistic"] == "1.25 (quick)"


def test_merge_replaces_the_rows_of_its_own_paper(tmp_path):
    path = tmp_path / "claims.json"
    ledger.merge(path, "zebra", [claim("zebra")])
    ledger.merge(path, "composite", [claim("composite", 1), claim("composite", 2)])
    ledger.merge(path, "factored", [claim("factored")])
    ledger.merge(path, "composite", [claim("composite", 3, "not reproduced")])
    rows = json.loads(path.read_text())
    assert [(row["paper"], row["id"]) for row in rows] == [("factored", "C1"), ("composite", "C3"), ("zebra", "C1")]
    ledger.merge(path, "zebra", [])
    assert [row["paper"] for row in ledger.read(path)] == ["factored", "composite"]


def test_ledger_of_a_notebook_keeps_the_style_of_the_page():
    bundle = Ledger([Claim(**claim(sentence="at most $\\sqrt{T}$"))])._repr_mimebundle_()
    shown_page = convert(executed(shown(bundle))).main
    assert "<style>" in bundle["text/html"] and not shown_page.find("style")
    table = shown_page.find("table", class_="ledger")
    assert table.find(class_="verdict-reproduced").text == "✓ reproduced"
    assert table.find(class_="tex").text == r"\sqrt{T}"
    assert ledger.collect(executed(shown(bundle))) == [claim(sentence="at most $\\sqrt{T}$")]
    assert convert(executed(shown({"text/plain": "C1", ledger.CLAIMS: [claim()]}))).main.find("pre", string="C1")


def test_claims_are_checked():
    def showing(row):
        return executed(shown({ledger.CLAIMS: [row], "text/html": "<table></table>"}))

    assert ledger.collect(showing(claim(note="dropped"))) == [claim()]
    with pytest.raises(page.ReportError, match="cell shown: claim C1 has verdict 'fine'; allowed: reproduced, not"):
        ledger.collect(showing(claim(verdict="fine")))
    with pytest.raises(page.ReportError, match="claim C1 has no rule, scale"):
        ledger.collect(showing({key: value for key, value in claim().items() if key not in ("rule", "scale")}))


def test_damaged_claims_are_an_error_not_a_loss(tmp_path):
    (tmp_path / "claims.json").write_text('[{"paper"')
    with pytest.raises(page.ReportError, match="claims.json is damaged"):
        ledger.merge(tmp_path / "claims.json", "demo", [claim()])
    assert (tmp_path / "claims.json").read_text() == '[{"paper"'


def test_index_lists_reports_and_all_claims(built, tmp_path):
    (tmp_path / "demo.html").write_bytes((built / "out" / "demo.html").read_bytes())
    (tmp_path / "foreign.html").write_text("<p>no report of ours</p>")
    rows = [claim("factored"), claim("factored", 2, "not reproduced", sentence="a < $b$ *c* <i>")]
    rows.append(claim("demo", 1, "depends on the reading"))
    (tmp_path / "claims.json").write_text(json.dumps(rows))
    write_index(tmp_path)  # from what lies there: nothing is run again
    index = BeautifulSoup((tmp_path / "index.html").read_text(encoding="utf-8"), "html.parser")
    (report,) = index.find(class_="reports").find_all("li")
    assert report.a["href"] == "demo.html" and report.a.text == r"Optimism loses only O(\log T): the demo of a report"
    assert "Finite-time Analysis" in report.text and "Optimistic learners lose only" in report.text
    assert "quick size" in report.text and "1 depends on the reading" in report.find(class_="counts").text
    table = index.find("table", class_="ledger").tbody.find_all("tr")
    assert [row.td.text for row in table] == ["factored", "factored", "demo"]
    assert table[2].a["href"] == "demo.html" and not table[0].a
    assert table[1].find(class_="verdict-not-reproduced").text == "✗ not reproduced"
    assert "a < b *c* <i>" in table[1].text and table[1].find(class_="tex").text == "b"
    assert [b.text for b in index.find(class_="filters").find_all("button")] == [
        "all", "✓ reproduced", "✗ not reproduced", "◐ depends on the reading",
    ]  # fmt: skip
    assert not index.find_all(src=True) and not index.find_all("link")


def test_index_of_an_empty_folder(tmp_path):
    write_index(tmp_path)
    assert "No report has stated a claim yet" in (tmp_path / "index.html").read_text()


def test_paper_size_ledger_is_kept_apart(built, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    old = [claim("factored", scale="paper"), claim("demo", 9, scale="paper")]
    (out / "claims-paper.json").write_text(json.dumps(old))
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
    assert text.index("## Factored") < text.index("## Finite-time Analysis")
    assert "| C1 | a \\| b | Theorem 1 |" in text and "Seed 7." in text
    assert "1 reproduced, 1 not reproduced, 1 depends on the reading, 1 not tested." in text
    assert f"Seed 0; {time.gmtime().tm_mday} " in text and f"source {DIGEST}; Python 3." in text


# The command


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], "there is no notebook 'nope' in {notebooks}; there are demo"),
        (["demo", "-p", "gp", "3"], "has no parameter 'gp'; it has seed, gap, d, means, bounds, figure"),
        (["demo", "-p", "d", "1e3"], "d (number of components) must be of type int, got '1e3'"),
        (["demo", "-p", "d", "many"], "must be of type int, got 'many'"),
        (["demo", "-p", "d", "True"], "must be of type int, got 'True'"),
        (["demo", "-p", "gap", "nan"], "must be of type finite float, got 'nan'"),
        (["demo", "-p", "gap", "1e999"], "must be of type finite float, got '1e999'"),
        (["demo", "-p", "bounds", "no"], "bounds (draw the bounds) must be of type bool, got 'no'"),
        (["demo", "-p", "bounds", "1"], "must be of type bool, got '1'"),
        (["demo", "-p", "means", "3"], "must be of type list, got '3'"),
        (["demo", "-p", "gap", "1", "-p", "gap", "2"], "given twice"),
        (["demo", "-p", "live", "True"], "live is no parameter to set here"),
        (["demo", "-p", "scale", "paper"], "scale is no parameter to set here"),
        (["-p", "gap", "1"], "parameters are for one named notebook, got 0 names"),
        (["demo", "demo", "-p", "gap", "1"], "parameters are for one named notebook, got 2 names"),
        (["--notebooks", "{out}"], "there is no notebook in {out}"),
        (["--out", "{notebooks}/demo.ipynb"], "demo.ipynb cannot be written"),
        (["--out", "{notebooks}/demo.ipynb/deeper"], "deeper cannot be written"),
    ],
)
def test_wrong_calls_end_before_a_kernel_starts(built, tmp_path, capsys, monkeypatch, arguments, message):
    monkeypatch.setattr(papermill, "execute_notebook", lambda *_, **__: pytest.fail("a kernel was started"))
    places = {"notebooks": built / "notebooks", "out": tmp_path}
    call = ["--notebooks", str(built / "notebooks"), "--out", str(tmp_path)]
    assert main([*call, *(argument.format(**places) for argument in arguments)]) == 2
    assert message.format(**places) in capsys.readouterr().err


def test_scale_is_one_of_two():
    with pytest.raises(SystemExit) as caught:
        main(["--scale", "huge"])
    assert caught.value.code == 2
    with pytest.raises(ValueError, match="scale must be one of quick, paper, got 'huge'"):
        build(scale="huge")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [("live: bool = True", "declares no parameter 'scale'"), ("scale: str = 'quick'", "declares no parameter 'live'")],
)
def test_notebook_must_declare_scale_and_live(tmp_path, parameters, message):
    notebook(tmp_path / "a.ipynb", parameters=parameters)
    with pytest.raises(ValueError, match=message):
        build(notebooks=tmp_path, out=tmp_path / "out")


def test_file_that_is_no_notebook(tmp_path, capsys):
    (tmp_path / "a.ipynb").write_text("no JSON")
    assert main(["--notebooks", str(tmp_path), "--out", str(tmp_path)]) == 2
    assert "a.ipynb cannot be read as a notebook" in capsys.readouterr().err


def test_failure_keeps_the_last_good_report(tmp_path, capsys):
    place = tmp_path / "notebooks"
    notebook(place / "a.ipynb", "print('first')", paper="a")
    call = ["--notebooks", str(place), "--out", str(tmp_path / "out")]
    assert main(call) == 0
    line = capsys.readouterr().out
    assert re.fullmatch(r"a: \d+\.\d s, \d\.\d\d MB, .*a\.html\n", line)
    good = files(tmp_path / "out")

    failing = "x = 1\nraise ValueError('gap must be positive, got -1')"
    notebook(place / "a.ipynb", "print('second')", failing, "never = 1", paper="a")
    notebook(place / "b.ipynb", "print('third')")
    assert main(call) == 1
    captured = capsys.readouterr()
    failed = tmp_path / "out" / "a.failed.ipynb"
    assert "error: a: cell code-1 (cell 4 of 5) raised ValueError: gap must be positive, got -1" in captured.err
    assert f"the notebook so far: {failed}" in captured.err
    assert captured.out.startswith("b: ")  # the others are still built
    after = files(tmp_path / "out")
    assert after[Path("a.html")] == good[Path("a.html")]
    assert "second" in failed.read_text()

    notebook(place / "a.ipynb", "print('mended')", paper="a")
    assert main(["a", *call]) == 0
    assert not failed.exists()
    assert "mended" in (tmp_path / "out" / "a.html").read_text()
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [".kept", "a.html", "b.html", "claims.json", "index.html"]


def test_page_that_cannot_be_made_fails_as_a_cell_does(tmp_path, capsys):
    source = f"from IPython.display import display\ndisplay({{'{WIDGET}': {VIEW}}}, raw=True)"
    notebook(tmp_path / "a.ipynb", source)
    assert main(["--notebooks", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "a: cell code-0 shows a live widget without a plain figure" in capsys.readouterr().err
    assert (tmp_path / "out" / "a.failed.ipynb").exists() and not (tmp_path / "out" / "a.html").exists()


def test_kernel_that_dies_is_reported(tmp_path):
    notebook(tmp_path / "a.ipynb", "x = 1", "import os\nos._exit(3)")
    with pytest.raises(page.ReportError, match=r"a: the kernel died in cell code-1 \(cell 4 of 4\)"):
        build(["a"], notebooks=tmp_path, out=tmp_path / "out")


def test_kernel_gets_folders_and_parameters(tmp_path, monkeypatch):
    monkeypatch.setenv("BANDITLAB_KEEP", "mine")
    parameters = """scale: str = 'quick'
n: list[float] = [1.0]
free = 3
live: bool = True"""
    source = "import os\nprint(os.environ['BANDITLAB_KEEP'], os.getcwd(), scale, n, free, live)"
    notebook(tmp_path / "notebooks" / "a.ipynb", source, parameters=parameters)
    build(["a"], parameters={"n": [1, 2.5], "free": "4"}, notebooks=tmp_path / "notebooks", out=tmp_path / "out")
    soup = BeautifulSoup((tmp_path / "out" / "a.html").read_text(), "html.parser")
    assert soup.find(id="cell-code-0").pre.text.split("\n")[0] == (
        f"{tmp_path / 'out' / '.kept'} {tmp_path / 'notebooks'} quick [1.0, 2.5] 4 False"
    )
    assert os.environ["BANDITLAB_KEEP"] == "mine"
    with pytest.raises(ValueError, match=re.escape("n must be of type list[float], got [1, 'x']")):
        build(["a"], parameters={"n": [1, "x"]}, notebooks=tmp_path / "notebooks", out=tmp_path / "out")


def test_stale_kept_results_are_removed_after_success(tmp_path):
    kept = tmp_path / "out" / ".kept"
    kept.mkdir(parents=True)
    for name in (f"{ENGINE_DIGEST}-1.npz", "0123456789abcdef-1.npz"):
        (kept / name).write_bytes(b"")
    notebook(tmp_path / "a.ipynb", "1 / 0")
    assert main(["--notebooks", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert len(list(kept.iterdir())) == 2
    notebook(tmp_path / "a.ipynb")
    assert main(["--notebooks", str(tmp_path), "--out", str(tmp_path / "out")]) == 0
    assert [path.name for path in kept.iterdir()] == [f"{ENGINE_DIGEST}-1.npz"]


@pytest.mark.parametrize(
    ("errors", "starts", "status"),
    [
        (["Kernel died before replying to kernel_info"], 2, 0),
        (["Kernel died before replying to kernel_info"] * 2, 2, 1),
        (["no such thing"], 1, 1),
    ],
)
def test_a_taken_port_is_tried_once_more(tmp_path, monkeypatch, capsys, errors, starts, status):
    notebook(tmp_path / "a.ipynb")
    done = nbformat.read(tmp_path / "a.ipynb", 4)
    done.metadata["papermill"] = {"duration": 1.0, "parameters": {"scale": "quick", "live": False}}
    calls = []

    def execute(*_, **__):
        calls.append(1)
        if len(calls) <= len(errors):
            raise RuntimeError(errors[len(calls) - 1])
        return done

    monkeypatch.setattr(papermill, "execute_notebook", execute)
    assert main(["--notebooks", str(tmp_path), "--out", str(tmp_path / "out")]) == status
    assert len(calls) == starts
    assert ("the kernel did not start: " + errors[-1] in capsys.readouterr().err) == (status == 1)


def test_half_written_files_are_never_seen(tmp_path, monkeypatch):
    path = tmp_path / "a.html"
    path.write_text("good")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        page.write_whole(path, "new")
    assert files(tmp_path) == {Path("a.html"): b"good"}


def test_interrupt_ends_the_kernel_and_leaves_no_half_work(tmp_path):
    source = """import os, pathlib, time
pathlib.Path('pid.part').write_text(str(os.getpid()))
os.replace('pid.part', 'pid')
time.sleep(600)"""
    notebook(tmp_path / "notebooks" / "a.ipynb", source)
    call = [sys.executable, "-m", "banditlab.report", "--notebooks", "notebooks", "--out", "out"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(call, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as process:
        while not (tmp_path / "notebooks" / "pid").exists():
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 130
    assert errors == "interrupted; finished reports and kept results stay\n"
    kernel = int((tmp_path / "notebooks" / "pid").read_text())
    with contextlib.suppress(ProcessLookupError):
        os.kill(kernel, 0)
        pytest.fail("the kernel is still there")
    assert files(tmp_path / "out") == {}
