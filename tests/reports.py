"""What the tests of reports share: small notebooks, outputs and claims."""

from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from banditlab.evidence.ledger import LEDGER
from banditlab.report.exporter import ReportExporter
from banditlab.report.page import draw_formula

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "tests" / "data" / "demo.ipynb"
PLOTLY = "application/vnd.plotly.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
FIGURE = {"data": [{"type": "scatter", "name": "UCB1", "x": [1, 2], "y": [0, 1]}], "layout": {}}
SPECIAL = "demo-gap1.0-means_0.9_1-65cc37.html"  # the page of the demo notebook with two parameters
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


def drawn(tex, display=False):
    """A formula as a parsed page has it."""
    return BeautifulSoup(draw_formula(tex, display), "html.parser").decode()


def claim(paper="demo", number=1, verdict="reproduced", **other):
    """One row of the ledger."""
    words = {"sentence": "It holds.", "where": "Theorem 1", "statistic": "1", "rule": "[0, 2]", "reading": "a"}
    rest = {
        "ours": False,
        "figure": "",
        "measures": [],
        "seed": 0,
        "source": "demo:claim",
        "code": "",
        "quote": "",
        "sizes": "",
        "seconds": 0.0,
    }
    return {"paper": paper, "id": f"C{number}", **words, "verdict": verdict, "scale": "quick", **rest, **other}


def ledger_of(*rows):
    """What an output holds that shows these rows."""
    return {LEDGER: {"claims": list(rows), "seconds": 0.0}}


def files(folder):
    """The bytes of every file below a folder."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
