"""Takes the documentation's screenshots: every report, and every notebook in JupyterLab, at a step of its tour.

``python docs/screens.py REPORTS [NAME ...]`` (`make screens`): the folder of built reports, and the papers wanted.
Needs Chromium or Chrome, and what the tests need.
"""

import re
import sys
import tempfile
from pathlib import Path

from tests.browser.lab import PANEL, lab, open_browser

ROOT = Path(__file__).resolve().parent.parent
SCREENS = ROOT / "docs" / "screens"
PAPERS = ("factored", "uplifting", "censored", "composite")
SIZE = {"width": 1366, "height": 768}
PICTURE = {"type": "jpeg", "quality": 82}
FIRST_STEP = re.compile("^1 ")


def reports(folder, papers):
    """The instrument of each report at the first step of its tour, and the index."""
    with open_browser() as browser:
        tab = browser.new_context(viewport=SIZE, offline=True).new_page()
        for paper in papers:
            tab.goto((folder / f"{paper}.html").resolve().as_uri())
            panel = tab.locator("figure:has(.slides:not([hidden]))").first
            panel.evaluate("e => e.scrollIntoView({behavior: 'instant'})")  # nothing is drawn before
            panel.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=120_000)
            panel.get_by_role("button", name=FIRST_STEP).click()
            panel.locator(".said", has_text=re.compile("^Computed|^Shown|^As")).wait_for(timeout=120_000)
            panel.evaluate("e => e.scrollIntoView({block: 'start', behavior: 'instant'})")
            tab.wait_for_timeout(1500)
            tab.screenshot(path=SCREENS / f"{paper}-report.jpg", **PICTURE)
        tab.goto((folder / "index.html").resolve().as_uri())
        tab.wait_for_timeout(1500)
        tab.screenshot(path=SCREENS / "index.jpg", **PICTURE)


def notebooks(papers):
    """The instrument of each notebook at the first step of its tour, while the ledger below is still computed."""
    for paper in papers:
        with lab(ROOT / "notebooks" / f"{paper}.ipynb", Path(tempfile.mkdtemp()) / "lab") as page:
            page.page.set_viewport_size(SIZE)
            page.page.set_default_timeout(300_000)
            page.menu("Run", "runmenu:run-all")
            page.panel.wait_for()
            page.drawn()
            page.panel.get_by_role("button", name=FIRST_STEP).click()
            page.settle()
            page.panel.locator(".said", has_text=re.compile(r" s\)$")).wait_for()  # whole, no sketch
            page.page.evaluate(f"document.querySelector('{PANEL}').scrollIntoView()")
            page.page.wait_for_timeout(1500)
            page.page.screenshot(path=SCREENS / f"{paper}-notebook.jpg", **PICTURE)


def main(folder, *papers):
    """Take the screenshots of some papers, or of all."""
    SCREENS.mkdir(exist_ok=True)
    reports(Path(folder), papers or PAPERS)
    notebooks(papers or PAPERS)


if __name__ == "__main__":
    main(*sys.argv[1:])
