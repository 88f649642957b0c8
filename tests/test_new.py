"""A paper of one's own: made by the command, reported by the command, opened in a browser without a network."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from bs4 import BeautifulSoup

from banditlab.engine import compiling
from banditlab.explorer import precompile
from banditlab.explorer.paper import find_paper
from banditlab.new import mypaper
from banditlab.new.__main__ import main as new
from banditlab.report import check, ledger, plan
from banditlab.results.result import Result
from banditlab.user_code import code_identity
from tests.browser import lab
from tests.papers import with_all
from tools import seeds

TEMPLATE = Path(mypaper.__file__)


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A folder in which somebody has made two papers and their reports by the commands of the documentation.

    One says in its notebook that it comes first, and what it is called.
    """
    folder = tmp_path_factory.mktemp("own")
    for command in ("new ladder", "new stairs"):
        call(folder, command)
    notebook = folder / "mine" / "stairs.ipynb"
    found = json.loads(notebook.read_text(encoding="utf-8"))
    found["metadata"]["banditlab"] |= {"order": 1, "title": "The stairs"}
    notebook.write_text(json.dumps(found), encoding="utf-8")
    for command in ("report --notebooks mine --check", "report --notebooks mine --out reports"):
        call(folder, command)
    return folder


def call(folder, command):
    """Run a command of the package in a folder outside the repository."""
    path = os.pathsep.join(filter(None, [str(TEMPLATE.parents[2]), os.environ.get("PYTHONPATH")]))
    arguments = [sys.executable, "-m", *f"banditlab.{command}".split()]
    done = subprocess.run(arguments, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def soup(own, page):
    return BeautifulSoup((own / "reports" / f"{page}.html").read_text(encoding="utf-8"), "html.parser")


def test_its_report_judges_two_claims(own):
    rows = json.loads((own / "reports" / "claims.json").read_text(encoding="utf-8"))
    found = sorted((row["paper"], row["id"], row["verdict"]) for row in rows)
    assert found == [(name, number, "reproduced") for name in ("ladder", "stairs") for number in ("M1", "M2")]


def test_the_function_that_decided_a_claim_stands_under_it_in_the_report_and_on_the_index(own):
    for page, row in (("ladder", "claim-M1"), ("index", "ladder-claim-M1")):
        code = soup(own, page).find(id=row).find(class_="code").text
        assert "ladder:grows_slowly" in code and "def grows_slowly(scale, seed):" in code


def test_its_place_and_name_are_those_of_its_notebook(own):
    assert [row["id"].partition("-")[0] for row in soup(own, "index").select(".claims > details")] == [
        "stairs", "stairs", "ladder", "ladder",
    ]  # fmt: skip
    assert [found.text for found in soup(own, "index").select("p.paper")][0] == "The stairs"


@with_all
def test_a_second_report_plays_nothing(own):
    def kept():
        return {path.name: path.stat().st_ino for path in (own / "reports" / ".kept").glob("*.npz")}

    before = kept()
    call(own, "report ladder --notebooks mine --out reports")
    assert before and kept() == before  # a result that is played again is written again, into a file of its own


def test_its_parameters_are_checked_before_a_kernel_starts(own, monkeypatch):
    for share, said in (("7", "share=7.0: must be between 0.02 and 0.5"), ("0.1", None)):
        try:
            plan.plan(["ladder"], "quick", {"share": share}, own / "mine")
        except ValueError as error:
            assert said and said in str(error)
        else:
            assert said is None


def test_its_kernels_are_compiled_ahead_with_its_own_class(own, monkeypatch):
    notebook = own / "mine" / "ladder.ipynb"
    call(own, "explorer.precompile mine/ladder.ipynb")
    assert precompile.is_warm(notebook)
    paper = find_paper(notebook)
    compiling.entries.clear()

    def refuse(*args, **kwargs):
        raise AssertionError("compiled")

    monkeypatch.setattr(numba.core.compiler, "compile_extra", refuse)
    _, found = paper.FIGURES["Figure 1"](gap=0.3, share=0.1, arms=5, horizon=1000, runs=2, seed=0)
    (result,) = found.values()
    assert result.regret.shape[:2] == (3, 2)
    assert not code_identity.is_packaged(type(result.settings["policies"]["falling share"]))


def test_the_tool_of_further_seeds_judges_it(own, tmp_path, monkeypatch):
    monkeypatch.setenv("BANDITLAB_KEEP", "")
    paper = find_paper(own / "mine" / "ladder.ipynb")
    monkeypatch.setitem(paper.FIGURE_1.sizes, "paper", paper.FIGURE_1.sizes["quick"])
    rows = paper.claims.ledger("paper", 0).rows()
    (tmp_path / "claims-paper.json").write_text(json.dumps(rows))
    ledger.merge_table(tmp_path / "README.md", "ladder", "The ladder", rows, "Seed 0.")
    assert seeds.main([str(own / "mine" / "ladder.ipynb"), "--seeds", "1", "--out", str(tmp_path)]) == 0
    judged = json.loads((tmp_path / "claims-paper.json").read_text(encoding="utf-8"))
    assert [row["seeds"] for row in judged] == [{"0": "reproduced", "1": "reproduced"}] * 2


@pytest.mark.parametrize(
    "file, old, new, said",
    [
        ("ladder.py", '"share": ', '"portion": ', "portion"),
        (
            "ladder.py",
            "FIGURE_1.preset(gap=0.3)",
            "FIGURE_1.preset(gap=0.3, runs=7000)",
            "runs=7000: must be between 5 and",
        ),
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


def test_metadata_that_are_still_the_templates_are_noted(own, capsys):
    """A new paper has all of them; the other one was given a title of its own."""
    template = json.loads(TEMPLATE.with_suffix(".ipynb").read_text(encoding="utf-8"))["metadata"]["banditlab"]
    assert all(template[key].startswith(text) for key, text in check.TEMPLATE.items())
    assert check.main([], own / "mine") == 0
    told = capsys.readouterr().out
    assert "ladder: every rule is kept\n  note: metadata.banditlab still speaks of" in told
    assert "began with: title, claim, bibtex\n" in told and "began with: claim, bibtex\n" in told


def until(page, condition):
    """Wait for a condition; the page's content policy forbids playwright's own way."""
    lab.until(page, lambda: page.evaluate(condition))


def test_its_page_and_the_index_open_without_a_network(own):
    errors, requests = [], []
    with lab.open_browser() as browser:
        page = browser.new_page()
        page.set_default_timeout(1000 * lab.PATIENCE)
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
            found = real(result, policy)
            noise = 1 + 1e-3 * np.random.default_rng(0).normal(size=found.shape)  # few equal runs decide nothing
            return noise * shape(result.checkpoints) if policy == name else found

        with monkeypatch.context() as patch:
            patch.setattr(Result, "of_policy", made_up)
            verdicts = [claim.verdict for claim in mypaper.claims.ledger("quick", 0)]
        assert verdicts == ["not reproduced" if name.startswith(word) else "reproduced" for word in ("fall", "const")]


def test_the_commands_that_are_told_are_for_a_shell(tmp_path, capsys):
    """Also where the folder has a blank in its name."""
    folder = tmp_path / "my own"
    assert new(["rungs", "--folder", str(folder)]) == 0
    wrote, _, *lines = capsys.readouterr().out.splitlines()
    words = [shlex.split(line, comments=True) for line in lines]
    assert shlex.split(wrote) == ["wrote", str(folder / "rungs.py"), "and", str(folder / "rungs.ipynb")]
    assert words[0] == ["jupyter", "lab", str(folder / "rungs.ipynb")]
    assert [line[3:5] for line in words[1:]] == [["--notebooks", str(folder)]] * 2


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My-Paper", "must be small letters"),
        ("class", "must be small letters"),
        ("numpy", "a module of that name is installed"),
        ("factored", "a module of that name is installed"),
        ("taken", "exists, and nothing is overwritten"),
        *(
            (name, f"name='{name}': the notebook uses it for something else; must be none of arms, ")
            for name in ("bl", "gap", "seed", "live", "figure", "values", "world", "policy", "globals", "float")
        ),
    ],
)
def test_a_wrong_name_is_refused(name, said, tmp_path, capsys):
    (tmp_path / "taken.ipynb").write_text("mine")
    assert new([name, "--folder", str(tmp_path)]) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["taken.ipynb"]
