"""A notebook in JupyterLab whose explorer draws what tests know: `demo`."""

import nbformat
import pytest

from tests.browser import demo
from tests.browser.explored import CELLS, expect_lines, shown
from tests.browser.lab import lab


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """A JupyterLab in which the demo notebook has run."""
    folder = tmp_path_factory.mktemp("explore")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    nbformat.write(notebook, folder / "demo.ipynb")
    with lab(folder / "demo.ipynb", folder / "lab", [demo.__file__]) as page:
        page.run_all()
        page.click("More settings")
        yield page


@pytest.fixture
def page(opened):
    """The same, back at the parameters cell; nothing may have gone wrong in the browser at the end."""
    opened.click("Reset")
    expect_lines(opened, shown(demo.regret(gap=0.3, d=4, runs=20)[0]))
    yield opened
    assert not opened.errors


@pytest.fixture
def hold(opened):
    """The file that holds computations: a test makes it, looks at what is shown meanwhile, and removes it."""
    file = opened.folder / demo.HOLD
    yield file
    file.unlink(missing_ok=True)
