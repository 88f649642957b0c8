"""Sphinx: the site is built from the pages of this folder and the package's docstrings, and needs no network.

`make docs` builds it into docs/_build; a warning is an error. The committed ledger is part of it, and so are the
reports that are built: a link like `claim:factored-claim-A6` leads to a row, one like `report:factored.html` to a page.
"""

import shutil
import sys
from pathlib import Path

from docutils.nodes import SkipNode

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from banditlab.report.index import write_index  # noqa: E402
from banditlab.report.page import draw_formula  # noqa: E402

REPORTS = ROOT / "reports"

project, author, copyright = "banditlab", "The banditlab contributors", "the banditlab contributors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
schemes = {"http": None, "https": None, "mailto": None}
myst_url_schemes = {**schemes, "claim": "reports/index.html#{{path}}", "report": "reports/{{path}}{{fragment}}"}
html_theme = "furo"
html_title = "banditlab"
html_static_path = ["../banditlab/explorer/look.css", "_static"]  # what the reports carry
html_css_files = ["look.css", "site.css"]
html_math_renderer = "mathml"
html_copy_source = False
napoleon_google_docstring = False
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # types stand in the docstrings
default_role = "code"


def formula(self, node):
    """A formula as MathML."""
    self.body.append(draw_formula(node.astext(), node.tagname == "math_block"))
    raise SkipNode


def leave_out_fields(app, what, name, thing, skip, options):
    """Fields of a NamedTuple class are explained by its docstring."""
    return True if type(thing).__name__ == "_tuplegetter" else None


def add_reports(app, error):
    """Bring the committed ledger into the site, and the reports that are built."""
    folder = Path(app.outdir) / "reports"
    folder.mkdir(exist_ok=True)
    shutil.copy(REPORTS / "claims-paper.json", folder / "claims.json")
    for path in REPORTS.glob("*.html"):
        shutil.copy(path, folder)
    write_index(folder, ROOT / "notebooks" / "factored.ipynb")


def setup(app):
    """Register the renderer of formulas, and what joins the site when it is built."""
    app.connect("build-finished", add_reports)
    for path in REPORTS.glob("*.html"):
        app.tags.add(f"{path.stem}_report")  # pages show what plays
    app.add_html_math_renderer("mathml", inline_renderers=(formula, None), block_renderers=(formula, None))
    app.connect("autodoc-skip-member", leave_out_fields)
