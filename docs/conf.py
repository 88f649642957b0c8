"""Sphinx: the site is built from the pages of this folder and the package's docstrings, and needs no network.

`make docs` builds it into docs/_build; a warning is an error.
"""

import sys
from pathlib import Path

from docutils.nodes import SkipNode

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

project, author, copyright = "banditlab", "The banditlab contributors", "the banditlab contributors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "banditlab"
html_static_path = ["../banditlab/report/katex", "_static"]  # formulas are set by the copy that the reports carry
html_css_files = ["katex.min.css"]
html_js_files = ["katex.min.js", "formulas.js"]
html_math_renderer = "katex"
html_copy_source = False
napoleon_google_docstring = False
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # types stand in the docstrings
default_role = "code"


def formula(self, node):
    """A formula as text that formulas.js typesets; without JavaScript its TeX is readable."""
    display = " display" if node.tagname == "math_block" else ""
    tag = "div" if display else "span"
    self.body.append(f'<{tag} class="tex{display}">{self.encode(node.astext())}</{tag}>')
    raise SkipNode


def leave_out_fields(app, what, name, thing, skip, options):
    """Fields of a NamedTuple class are explained by its docstring."""
    return True if type(thing).__name__ == "_tuplegetter" else None


def setup(app):
    """Register the renderer of formulas."""
    app.add_html_math_renderer("katex", inline_renderers=(formula, None), block_renderers=(formula, None))
    app.connect("autodoc-skip-member", leave_out_fields)
