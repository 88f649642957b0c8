"""The documentation's pages: their examples run and print what they say, their links lead somewhere."""

import doctest
import re
import shutil
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from plotly.basedatatypes import BaseFigure

from banditlab.report.index import write_index
from tests.reports import DEMO
from tests.stand_ins import MODULES

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs").glob("*.md"))
WRITTEN = [*PAGES, *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "reports/README.md"))]
BLOCK = re.compile(r"^```(python|pycon)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"(?<!`)\]\(([^)\s]+)\)")


def blocks(path):
    """(kind, number of the first line, code) of the examples of a page."""
    text = path.read_text(encoding="utf-8")
    return [(m[1], text[: m.start()].count("\n") + 2, m[2]) for m in BLOCK.finditer(text)]


def run(page, code, line, names):
    """Run an example that shows what it prints."""
    example = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), line - 1)
    example.globs = names  # the parser copies them, and the next example needs what this one defines
    said = []
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(optionflags=options).run(example, out=said.append, clear_globs=False)
    assert not said, "".join(said)
    assert example.examples, f"{page.name}, line {line}: nothing to run"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.stem)
def test_examples_run(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(BaseFigure, "show", lambda figure, *args, **keywords: figure.to_json())  # opens no browser
    for name, module in MODULES.items():
        monkeypatch.setitem(sys.modules, name, module)
    names = {"__name__": "__main__"}  # as in a script
    for kind, line, code in blocks(page):
        if kind == "python":
            exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)
        else:
            run(page, code, line, names)


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.stem)
def test_no_example_hides_as_words(page):
    hidden = [code for code in re.findall(r"^```text\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
              if re.search(r"^(from \w+ )?import ", code, re.M)]  # fmt: skip
    assert hidden == []


def test_there_are_examples():
    assert {"tutorial", "protocol", "evidence"} <= {page.stem for page in PAGES if blocks(page)}


def test_a_wrong_example_is_found(tmp_path):
    with pytest.raises(AssertionError, match="Expected"):
        run(tmp_path / "page.md", ">>> 1 + 1\n3\n", 1, {})


def anchors(path):
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+?) *$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead(path):
    """The links of a page that lead nowhere in the repository."""
    found = []
    for target in LINK.findall(re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)):
        place, _, anchor = target.partition("#")
        there = (path.parent / place).resolve() if place else path
        if not target.startswith(("http", "mailto:", "claim:", "report:")) and (
            not there.exists() or (anchor and there.suffix == ".md" and anchor not in anchors(there))
        ):
            found.append(target)
    return found


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    assert dead(page) == []


def test_links_to_claims_and_reports_land(tmp_path):
    """In the site, where docs/conf.py brings the committed ledger, and the reports as far as they are built."""
    shutil.copy(ROOT / "reports" / "claims-paper.json", tmp_path / "claims.json")
    write_index(tmp_path, DEMO)
    index = BeautifulSoup((tmp_path / "index.html").read_text(encoding="utf-8"), "html.parser")
    ids = {element["id"] for element in index.find_all(id=True)}
    reports = {"index.html", *(path.with_suffix(".html").name for path in (ROOT / "notebooks").glob("*.ipynb"))}
    targets = [target for page in PAGES for target in LINK.findall(page.read_text(encoding="utf-8"))]
    named = [target.removeprefix("claim:") for target in targets if target.startswith("claim:")]
    pages = [target.removeprefix("report:").partition("#") for target in targets if target.startswith("report:")]
    assert set(named) <= ids and len(named) > 10
    assert {place for place, _, _ in pages} <= reports and {place for _, _, place in pages} <= {"", *ids}


def test_a_dead_link_is_found(tmp_path):
    (tmp_path / "page.md").write_text("# One\n[a](page.md#one) [b](page.md#two) [c](gone.md) [d](#one)\n")
    assert dead(tmp_path / "page.md") == ["page.md#two", "gone.md"]
