"""A paper of one's own: made by the command, reported by the command, opened in a browser without a network."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from banditlab.new import mypaper
from banditlab.new.__main__ import main as new
from banditlab.report import check
from banditlab.results.result import Result

TEMPLATE = Path(mypaper.__file__)


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A folder in which somebody has made a paper and its report by the commands of the documentation."""
    folder = tmp_path_factory.mktemp("own")
    path = os.pathsep.join(filter(None, [str(TEMPLATE.parents[2]), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path}
    for command in ("new ladder", "report --notebooks mine --check", "report --notebooks mine --out reports"):
        call = [sys.executable, "-m", *f"banditlab.{command}".split()]
        done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return folder


def test_its_report_judges_two_claims(own):
    rows = json.loads((own / "reports" / "claims.json").read_text(encoding="utf-8"))
    assert [(row["paper"], row["id"], row["verdict"]) for row in rows] == [
        ("ladder", "M1", "reproduced"),
        ("ladder", "M2", "reproduced"),
    ]


@pytest.mark.parametrize(
    "file, old, new, said",
    [
        ("ladder.py", '"share": ', '"portion": ', "portion"),
        ("ladder.ipynb", '"paper": "ladder"', '"paper": "step"', "metadata.banditlab.paper is 'step': the claims are"),
        ("ladder.ipynb", "import ladder\\n", "import laddder\\n", "No module named 'laddder'"),
    ],
)
def test_what_the_first_cells_say_is_told(file, old, new, said, own, tmp_path):
    folder = shutil.copytree(own / "mine", tmp_path / "mine")
    source = (folder / file).read_text(encoding="utf-8")
    assert old in source
    (folder / file).write_text(source.replace(old, new), encoding="utf-8")
    (sentence,) = check.run_first_cells(folder / "ladder.ipynb")
    assert sentence.startswith("its first two code cells fail: ") and said in sentence


def until(page, condition):
    """Wait for a condition; the page's content policy forbids playwright's own way."""
    for _ in range(300):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(condition)


def test_its_page_and_the_index_open_without_a_network(own):
    path = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    if path is None and not os.environ.get("CI"):
        pytest.skip("no chromium and no google-chrome on this machine: the report is not opened in a browser")
    errors, requests = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto((own / "reports" / "ladder.html").as_uri())
        until(page, "document.querySelectorAll('.plot .js-line').length >= 6")
        assert page.get_by_text("grows more slowly than t.").count() and page.get_by_text("regret is linear.").count()
        line = "document.querySelector('#figure-1 .plot')?._fullData?.find(t => t.name === 'UCB1')?.y?.at(-1)"
        until(page, f"{line} > 0")
        before = page.evaluate(line)
        page.get_by_role("slider", name="Gap Δ").press("ArrowRight")
        until(page, f"{line} > 0 && {line} !== {before}")
        page.goto((own / "reports" / "index.html").as_uri())
        assert "ladder.html" in page.content()
        browser.close()
    assert errors == [] and [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []


def test_little_of_it_is_not_about_the_paper(own):
    """What is no class, play, caption, claim or prose: imports, the declaration of the figure, the notebook's code."""
    source = (own / "mine" / "ladder.py").read_text(encoding="utf-8")
    fixed = [line for line in source.splitlines() if re.match(r"(import|from|FIGURES|PRESETS|claims) ", line)]
    notebook = json.loads((own / "mine" / "ladder.ipynb").read_text(encoding="utf-8"))
    code = [
        line for cell in check.cells_of_kind(notebook, "code") for line in check.read_cell(cell).splitlines() if line
    ]
    assert len(fixed) + len(code) <= 60
    assert "mypaper" not in source + json.dumps(notebook)


def test_its_claims_fail_where_they_should(monkeypatch):
    """A made-up linear regret contradicts the first claim, a made-up logarithm the second."""
    for name, shape in (("falling share", lambda t: t), ("constant share", lambda t: 1 + 0 * t)):
        real = Result.of_policy

        def made_up(result, policy, name=name, shape=shape, real=real):
            return real(result, policy) * 0 + shape(result.checkpoints) if policy == name else real(result, policy)

        with monkeypatch.context() as patch:
            patch.setattr(Result, "of_policy", made_up)
            verdicts = [claim.verdict for claim in mypaper.claims.ledger("quick", 0)]
        assert verdicts == ["not reproduced" if name.startswith(word) else "reproduced" for word in ("fall", "const")]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My-Paper", "must be small letters"),
        ("class", "must be small letters"),
        ("numpy", "a module of that name is installed"),
        ("factored", "a module of that name is installed"),
        ("taken", "exists, and nothing is overwritten"),
    ],
)
def test_a_wrong_name_is_refused(name, said, tmp_path, capsys):
    (tmp_path / "taken.ipynb").write_text("mine")
    assert new([name, "--folder", str(tmp_path)]) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["taken.ipynb"]
