"""A page makes the command of another report: what the page lets through the command takes, and nothing else."""

import json
import re
import shlex

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, writes

from banditlab.explorer.figure import call_figure, figure_bundle
from banditlab.explorer.grid import grid_bundle
from banditlab.report.exporter import ReportExporter
from banditlab.report.plan import plan
from tests.browser import demo
from tests.browser.lab import PATIENCE, expect, open_browser

PARAMETERS = """scale: str = "quick"  # size
seed: int = 0  # of all random numbers
figure: str = "Figure 1"  # to begin with
gap: float = 0.3  # the gap
d: int = 4  # components
shape: str = "steps"  # of the drawing
bound: bool = False  # whether the bound is drawn
words: str = "plain"  # any
live: bool = True  # sliders"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A notebook, its module, and its page."""
    folder = tmp_path_factory.mktemp("again")
    values = {**demo.VALUES, "figure": "Figure 1"}
    bundle = figure_bundle(call_figure(demo.regret, demo.VALUES))
    bundle |= grid_bundle(demo.FIGURES, values, demo.CONTROLS, {"Figure 1": {"gap": [0.1]}})
    cells = [new_markdown_cell("# A report"), new_code_cell(PARAMETERS, metadata={"tags": ["parameters"]})]
    cells.append(new_code_cell("1", outputs=[new_output("display_data", json.loads(json.dumps(bundle)))]))
    kernel = {"name": "python3", "language": "python", "display_name": "P"}
    nb = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    (folder / "again.ipynb").write_text(writes(nb), encoding="utf-8")
    (folder / "again.py").write_text("from tests.browser.demo import CONTROLS, FIGURES\n", encoding="utf-8")
    html, _ = ReportExporter().from_notebook_node(nb, {"metadata": {"name": "again"}})
    (folder / "again.html").write_text(html, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def panel(folder):
    """The panel of the page, opened."""
    with open_browser() as browser:
        context = browser.new_context(offline=True, permissions=["clipboard-read", "clipboard-write"])
        context.set_default_timeout(1000 * PATIENCE)
        tab = context.new_page()
        tab.goto((folder / "again.html").as_uri())
        tab.get_by_text("Make this report with other values").click()
        yield tab.locator(".remake")


@pytest.fixture(autouse=True)
def from_this_report(panel):
    """Every test begins at the values of the page."""
    panel.get_by_role("button", name="Back to this report").click()


def planned(panel, folder):
    """The parameters of the reports that the command of the page makes."""
    words = shlex.split(panel.locator(".command").text_content())
    assert words[:6] == ["python", "-m", "banditlab.report", "again", "--scale", words[5]]
    given = {words[place + 1]: words[place + 2] for place in range(6, len(words), 3)}
    return [job.parameters for job in plan(["again"], words[5], given, folder)]


def test_a_page_begins_with_its_own_command(panel, folder):
    assert planned(panel, folder) == [{"scale": "quick", "live": False}]


def test_changed_values_stand_in_the_command(panel, folder):
    panel.get_by_label("gap").fill("0.25")
    panel.get_by_label("d", exact=True).fill("+6")
    panel.get_by_label("bound").select_option("True")
    panel.get_by_label("scale").select_option("paper")
    panel.get_by_label("figure").select_option("Figure 2: long runs")
    panel.get_by_label("words").fill("it's $5")
    wanted = {"gap": 0.25, "d": 6, "bound": True, "figure": "Figure 2: long runs", "words": "it's $5"}
    assert planned(panel, folder) == [{"scale": "paper", **wanted, "live": False}]
    panel.get_by_role("button", name="Copy command").click()
    command = panel.locator(".command").text_content()
    expect(panel.page, lambda: panel.page.evaluate("navigator.clipboard.readText()"), command)
    assert "it'" in command


def test_several_values_make_a_report_each(panel, folder):
    panel.get_by_label("gap").fill("0.1, 0.3,.5")
    panel.get_by_label("d", exact=True).fill("2,3")
    assert [(job.get("gap", 0.3), job["d"]) for job in planned(panel, folder)] == [
        (gap, d) for gap in (0.1, 0.3, 0.5) for d in (2, 3)
    ]
    panel.get_by_label("seed").fill(",".join(map(str, range(11))))
    assert "66 reports; at most 64" in panel.inner_text() and panel.get_by_role("button", name="Copy").is_disabled()


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("gap", "2", "between 0.05 and 1"),
        ("gap", "0.01", "between 0.05 and 1"),
        ("gap", "wide", "must be a number"),
        ("gap", "0.1,0.1", "given twice"),
        ("gap", "0.1,,0.2", "nothing: must be a number"),
        ("d", "2.5", "must be a whole number"),
        ("d", "21", "between 1 and 20"),
        ("seed", "-1", "at least 0"),
        ("seed", "1e3", "must be a whole number"),
        ("words", " ", "must not be empty"),
    ],
)
def test_wrong_values_are_told_in_place(panel, folder, name, typed, said):
    field = panel.locator(f"[name={name}]")
    field.fill(typed)
    assert said in panel.locator(f"tr:has([name={name}]) .wrong").inner_text()
    assert field.get_attribute("aria-invalid") is not None and panel.get_by_role("button", name="Copy").is_disabled()
    assert panel.locator(".command").text_content() == f"First correct {name}."
    if name != "words":  # any text is a word for the command; nobody means none
        with pytest.raises(ValueError, match=re.escape(name)):
            plan(["again"], "quick", {name: typed}, folder)


def test_what_is_allowed_stands_beside_the_value(panel):
    rows = panel.locator("tbody tr").all()
    allowed = {row.locator("th").inner_text(): row.locator("td").nth(1).inner_text() for row in rows}
    assert allowed["gap"] == "0.05 to 1" and allowed["d"] == "1 to 20" and allowed["seed"] == "at least 0"
    assert panel.locator("[name=shape] option").all_inner_texts() == list(demo.CONTROLS["shape"].options)
    assert panel.locator("[name=figure] option").all_inner_texts() == list(demo.FIGURES)
