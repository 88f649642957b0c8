"""A policy that never returns, in a real JupyterLab: an interrupt stops it, names it, and leaves the kernel."""

import nbformat
import pytest

from tests.browser.lab import lab
from tests.readers import stuck

CELLS = [
    "import pathlib\nfrom typing import NamedTuple\nimport numpy as np\nimport banditlab as bl\n"
    "arms, there = bl.classic.bernoulli([0.5, 0.4]), pathlib.Path('there')\n",
    "bl.simulate(arms, Stuck(2, 1000), 500, 4).regret.shape",
    "bl.simulate(arms, Stuck(2, 300), 500, 4, progress=lambda share: share and there.touch())",
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A JupyterLab with a notebook that defines such a policy and plays it."""
    folder = tmp_path_factory.mktemp("stuck")
    with open(stuck.__file__) as file:
        policy = "class " + file.read().partition("class ")[2]
    cells = [CELLS[0] + policy, *CELLS[1:]]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    nbformat.write(notebook, folder / "stuck.ipynb")
    with lab(folder / "stuck.ipynb", folder / "lab") as page:
        yield page


def press_keys(page):
    """Twice I within a second, in the notebook's command mode: a busy machine may need another try."""
    asked = []
    page.page.on("request", lambda request: asked.append(request.url))

    def heard():
        page.page.keyboard.press("i")
        page.page.keyboard.press("i")
        page.page.wait_for_timeout(1000)  # a second interrupt would hit the answer to the first
        return any("/interrupt" in url for url in asked)

    page.until(heard)


def choose_in_menu(page):
    page.menu("Kernel", "kernelmenu:interrupt")


def run(page, number):
    """Run one cell."""
    page.page.locator(".jp-Notebook .jp-InputPrompt").nth(number).click()
    page.page.keyboard.press("Control+Enter")


def test_an_interrupt_stops_and_names_a_method_that_never_returns(page):
    there, cells = page.folder / "there", page.page.locator(".jp-Notebook .jp-CodeCell")
    page.menu("Run", "runmenu:run-all")
    for interrupt in (choose_in_menu, press_keys):
        page.until(there.exists)  # some of its rounds are played: it is in the loop
        interrupt(page)
        page.until(lambda: not page.waiting() and any("cure: " in told for told in page.tracebacks()))
        (told,) = page.tracebacks()
        assert "KeyboardInterrupt: stopped in select, which did not return\nat " in told
        assert "`while t >= self.late:`\ncure: look at how its loop ends" in told
        before = cells.nth(1).inner_text()
        run(page, 1)  # the kernel is the same, and plays on
        page.until(lambda before=before: not page.waiting() and cells.nth(1).inner_text() != before)
        assert "(1, 4, 200)" in cells.nth(1).inner_text()
        there.unlink()
        run(page, 2)
    page.until(there.exists)
    choose_in_menu(page)
    page.until(lambda: not page.waiting())
