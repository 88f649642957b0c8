"""The report command, and every way in which a run can fail."""

import contextlib
import errno
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace

import papermill
import pytest
from bs4 import BeautifulSoup

from banditlab.engine import scheduler
from banditlab.report import page, run
from banditlab.report.__main__ import main
from banditlab.report.folder import lock_folder, take_turns
from banditlab.report.plan import Job, plan
from banditlab.user_code.code_identity import ENGINE_DIGEST
from tests.reports import ROOT, SPECIAL, VIEW, WIDGET, claim, files, notebook

INTERRUPTS = [(signal.SIGINT, "ab"), (signal.SIGTERM, "a")]  # in processes of their own, and in the command's
if os.environ.get("SOAK"):
    INTERRUPTS = list(itertools.product((signal.SIGINT, signal.SIGTERM), ("a", "ab")))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], "there is no notebook 'nope' in {notebooks}; there are demo"),
        (["demo", "-p", "gp", "3"], "has no parameter 'gp'; it has seed, gap, d, means, bounds, figure"),
        (["demo", "-p", "d", "1e3"], "d (number of components) must be of type int, got '1e3'"),
        (["demo", "-p", "d", "many"], "must be of type int, got 'many'"),
        (["demo", "-p", "d", "True"], "must be of type int, got 'True'"),
        (["demo", "-p", "gap", "nan"], "must be of type finite float, got 'nan'"),
        (["demo", "-p", "gap", "1e999"], "must be of type finite float, got '1e999'"),
        (["demo", "-p", "bounds", "no"], "bounds (draw the bounds) must be of type bool, got 'no'"),
        (["demo", "-p", "bounds", "1"], "must be of type bool, got '1'"),
        (["demo", "-p", "means", "3"], "must be of type list, got '3'"),
        (["demo", "-p", "means", "[" * 99_999], "must be of type list, got '[["),
        (["demo", "-p", "gap", "1", "-p", "gap", "2"], "given twice"),
        (
            ["demo", "-p", "gap", "0.1,oops"],
            "gap (gap between the best arm and the others (mean reward)) must be of type",
        ),
        (["demo", "-p", "gap", "0.1,,0.3"], "must be of type finite float, got ''"),
        (["demo", "-p", "gap", "1,2,1"], "gap='1,2,1': '1' is given twice; each value must be given once"),
        (["demo", "-p", "gap", "1,2,3,4,5,6,7,8,9", "-p", "d", "1,2,3,4,5,6,7,8"], "make 72 reports; at most 64 are"),
        (["demo", "-p", "live", "True"], "live is no parameter to set here"),
        (["demo", "-p", "scale", "paper"], "scale is no parameter to set here"),
        (["-p", "gap", "1"], "parameters are for one named notebook, got 0 names"),
        (["demo", "demo", "-p", "gap", "1"], "parameters are for one named notebook, got 2 names"),
        (["--notebooks", "{out}"], "there is no notebook in {out}"),
        (["--out", "{notebooks}/demo.ipynb"], "demo.ipynb cannot be written"),
        (["--out", "{notebooks}/demo.ipynb/deeper"], "deeper cannot be written"),
    ],
)
def test_wrong_calls_end_before_a_kernel_starts(built, tmp_path, capsys, monkeypatch, arguments, message):
    monkeypatch.setattr(papermill, "execute_notebook", lambda *_, **__: pytest.fail("a kernel was started"))
    places = {"notebooks": built / "notebooks", "out": tmp_path}
    call = ["--notebooks", str(built / "notebooks"), "--out", str(tmp_path)]
    assert main([*call, *(argument.format(**places) for argument in arguments)]) == 2
    assert message.format(**places) in capsys.readouterr().err


def test_a_notebook_does_not_take_the_name_of_the_list(tmp_path):
    notebook(tmp_path / "index.ipynb", "1")
    with pytest.raises(ValueError, match="index.ipynb: the list of all reports is called index, must be another name"):
        plan([], "quick", {}, tmp_path)


def test_scale_is_one_of_two():
    with pytest.raises(SystemExit) as caught:
        main(["--scale", "huge"])
    assert caught.value.code == 2


@pytest.mark.parametrize(
    ("parameters", "message"),
    [("live: bool = True", "declares no parameter 'scale'"), ("scale: str = 'quick'", "declares no parameter 'live'")],
)
def test_notebook_must_declare_scale_and_live(tmp_path, parameters, message):
    notebook(tmp_path / "a.ipynb", parameters=parameters)
    with pytest.raises(ValueError, match=message):
        plan([], "quick", {}, tmp_path)


def test_file_that_is_no_notebook(tmp_path, capsys):
    (tmp_path / "a.ipynb").write_text("no JSON")
    assert main(["--notebooks", str(tmp_path), "--out", str(tmp_path)]) == 2
    assert "a.ipynb cannot be read as a notebook" in capsys.readouterr().err


def test_failure_keeps_the_last_good_report(tmp_path, capfd):
    place = tmp_path / "notebooks"
    notebook(place / "a.ipynb", "print('first')", paper="a")
    call = ["--notebooks", str(place), "--out", str(tmp_path / "out")]
    assert main(call) == 0
    line = capfd.readouterr().out
    assert re.fullmatch(r"a: \d+\.\d s, \d\.\d\d MB, .*a\.html\n", line)
    good = files(tmp_path / "out")

    failing = "x = 1\nraise ValueError('gap must be positive, got -1')"
    notebook(place / "a.ipynb", "print('second')", failing, "never = 1", paper="a")
    notebook(place / "b.ipynb", "print('third')")
    assert main(call) == 1
    captured = capfd.readouterr()
    failed = tmp_path / "out" / "a.failed.ipynb"
    assert "error: a: cell code-1 (cell 4 of 5) raised ValueError: gap must be positive, got -1" in captured.err
    assert f"the notebook so far: {failed}" in captured.err
    assert captured.out.startswith("b: ")  # the others are still built
    after = files(tmp_path / "out")
    assert after[Path("a.html")] == good[Path("a.html")]
    assert "second" in failed.read_text()

    notebook(place / "a.ipynb", "print('mended')", paper="a")
    assert main(["a", *call]) == 0
    assert not failed.exists()
    assert "mended" in (tmp_path / "out" / "a.html").read_text()
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [".kept", "a.html", "b.html", "claims.json", "index.html"]


def test_page_that_cannot_be_made_fails_as_a_cell_does(tmp_path, capsys):
    source = f"from IPython.display import display\ndisplay({{'{WIDGET}': {VIEW}}}, raw=True)"
    notebook(tmp_path / "a.ipynb", source)
    assert main(["--notebooks", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "a: cell code-0 shows a live widget without a plain figure" in capsys.readouterr().err
    assert (tmp_path / "out" / "a.failed.ipynb").exists() and not (tmp_path / "out" / "a.html").exists()


def test_kernel_that_dies_is_reported(tmp_path, capsys):
    notebook(tmp_path / "a.ipynb", "x = 1", "import os\nos._exit(3)")
    assert main(["a", "--notebooks", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "a: the kernel died in cell code-1 (cell 4 of 4)" in capsys.readouterr().err


def test_kernel_gets_folders_and_parameters(tmp_path, monkeypatch):
    monkeypatch.setenv("BANDITLAB_KEEP", "mine")
    parameters = """scale: str = 'quick'
n: list[float] = [1.0]
free = 3
live: bool = True"""
    source = "import os\nprint(os.environ['BANDITLAB_KEEP'], os.getcwd(), scale, n, free, live)"
    notebook(tmp_path / "notebooks" / "a.ipynb", source, parameters=parameters)
    places = ["--notebooks", str(tmp_path / "notebooks"), "--out", str(tmp_path / "out")]
    assert main(["a", "-p", "n", "[1, 2.5]", "-p", "free", "4", *places]) == 0
    (made,) = (tmp_path / "out").glob("a-*.html")
    soup = BeautifulSoup(made.read_text(), "html.parser")
    assert soup.find(id="cell-code-0").pre.text.split("\n")[0] == (
        f"{tmp_path / 'out' / '.kept'} {tmp_path / 'notebooks'} quick [1.0, 2.5] 4 False"
    )
    assert os.environ["BANDITLAB_KEEP"] == "mine"
    told = """n must be of type list[float], got '[1, "x"]'"""
    with pytest.raises(ValueError, match=re.escape(told)):
        plan(["a"], "quick", {"n": '[1, "x"]'}, tmp_path / "notebooks")


def test_stale_kept_results_are_removed_after_success(tmp_path):
    kept = tmp_path / "out" / ".kept"
    kept.mkdir(parents=True)
    for name in (f"{ENGINE_DIGEST}-1.npz", "0123456789abcdef-1.npz"):
        (kept / name).write_bytes(b"")
    notebook(tmp_path / "a.ipynb", "1 / 0")
    assert main(["--notebooks", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert len(list(kept.iterdir())) == 2
    notebook(tmp_path / "a.ipynb")
    assert main(["--notebooks", str(tmp_path), "--out", str(tmp_path / "out")]) == 0
    assert [path.name for path in kept.iterdir()] == [f"{ENGINE_DIGEST}-1.npz"]


def test_a_kernel_that_does_not_start_is_told(tmp_path, monkeypatch, capsys):
    def execute(*_, **__):
        raise RuntimeError("Kernel died before replying to kernel_info")

    notebook(tmp_path / "a.ipynb")
    monkeypatch.setattr(papermill, "execute_notebook", execute)
    assert main(["--notebooks", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "the kernel did not start: Kernel died before replying to kernel_info" in capsys.readouterr().err


@pytest.mark.parametrize(("folder", "transport"), [("", "ipc"), ("deep" * 30, "tcp")])
def test_kernels_need_no_port_and_leave_no_socket(tmp_path, monkeypatch, folder, transport):
    source = """import json
from ipykernel.connect import get_connection_info
print(json.loads(get_connection_info())["transport"])"""
    notebook(tmp_path / "a.ipynb", source)
    with tempfile.TemporaryDirectory() as scratch:  # not a folder of pytest's, whose names are long
        (Path(scratch) / folder).mkdir(exist_ok=True)
        monkeypatch.setattr(tempfile, "tempdir", str(Path(scratch) / folder))
        assert main(["a", "--notebooks", str(tmp_path), "--out", str(tmp_path / "out")]) == 0
        assert list((Path(scratch) / folder).iterdir()) == []
    page = BeautifulSoup((tmp_path / "out" / "a.html").read_text(), "html.parser")
    assert page.find(id="cell-code-0").pre.text.split("\n")[0] == transport


def test_half_written_files_are_never_seen(tmp_path, monkeypatch):
    path = tmp_path / "a.html"
    path.write_text("good")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        page.write_text(path, "new")
    assert files(tmp_path) == {Path("a.html"): b"good"}


@contextlib.contextmanager
def under_way(folder, names):
    """The command, all of whose notebooks that run at once are in a cell that takes ten minutes, and their kernels."""
    source = """import os, pathlib, time
pathlib.Path('{0}.part').write_text(str(os.getpid()))
os.replace('{0}.part', '{0}.pid')
time.sleep(600)"""
    for name in names:
        notebook(folder / "notebooks" / f"{name}.ipynb", source.format(name))
    call = [sys.executable, "-m", "banditlab.report", "--notebooks", "notebooks", "--out", "out"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(call, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as process:
        while len(begun := list((folder / "notebooks").glob("*.pid"))) < min(len(names), scheduler.count_cores()):
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        yield process, [int(file.read_text()) for file in begun]


def is_there(pid):
    """Whether a process of this number lives."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


@pytest.mark.parametrize("sent, names", INTERRUPTS)
def test_interrupt_ends_the_kernels_and_leaves_no_half_work(tmp_path, sent, names):
    with under_way(tmp_path, names) as (process, kernels):
        process.send_signal(sent)
        _, errors = process.communicate()
    assert process.returncode == 130
    assert errors == "interrupted; finished reports and kept results stay\n"
    assert not any(map(is_there, kernels))
    assert files(tmp_path / "out") == {}


@pytest.mark.skipif(scheduler.count_cores() < 2, reason="one core runs one notebook after the other")
def test_an_interrupt_while_a_process_has_nothing_to_do_is_told_in_one_line(tmp_path):
    notebook(tmp_path / "notebooks" / "b.ipynb", "print(1)")
    with under_way(tmp_path, "a") as (process, kernels):
        while not (tmp_path / "out" / "index.html").exists():
            time.sleep(0.1)
        with take_turns(tmp_path / "out"):
            pass  # all steps after its page are done
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate()
    assert errors == "interrupted; finished reports and kept results stay\n"
    assert not any(map(is_there, kernels))


def test_an_interrupt_that_python_loses_ends_the_process_all_the_same():
    source = """import os, signal
from banditlab.report import pool
alarm, signal.alarm = signal.alarm, lambda seconds: alarm(1)
signal.signal(signal.SIGTERM, pool.end_work)
class Finalizer:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)  # Python drops what is raised here
Finalizer()
print("still here", flush=True)
while True:
    signal.pause()"""
    ended = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert ended.stdout == "still here\n"
    assert ended.returncode == -signal.SIGALRM


@pytest.mark.skipif(scheduler.count_cores() < 2, reason="one core runs one notebook after the other")
def test_a_process_that_dies_is_told(tmp_path):
    source = """import os, signal, time
while not os.path.exists('seen'):
    time.sleep(0.05)
os.kill(os.getppid(), signal.SIGKILL)"""
    notebook(tmp_path / "notebooks" / "b.ipynb", source)
    notebook(tmp_path / "notebooks" / "c.ipynb", "print(1)")
    with under_way(tmp_path, "a") as (process, kernels):
        (tmp_path / "notebooks" / "seen").touch()
        _, errors = process.communicate()
    assert process.returncode == 1
    assert errors.splitlines() == [
        f"error: {name}: a process that runs notebooks died (out of memory?)" for name in "abc"
    ]
    assert not any(map(is_there, kernels))


@pytest.mark.parametrize("names", ["a", "ab"])
def test_a_killed_command_leaves_no_kernel(tmp_path, names):
    with under_way(tmp_path, names) as (process, kernels):
        process.kill()
    while any(map(is_there, kernels)):  # else the test does not end
        time.sleep(0.1)


def test_folders_links_and_pipes_of_any_shape_are_survived(tmp_path, capsys):
    """Whatever lies in the folder of the reports, the report and the index are made."""
    notebook(tmp_path / "notebooks" / "a.ipynb", "print(1)", paper="a")
    out = tmp_path / "out"
    (out / "folder.html").mkdir(parents=True)
    (out / "nowhere.html").symlink_to("missing")
    (out / "loop.html").symlink_to("loop.html")
    os.mkfifo(out / "pipe.html")
    (out / "empty.html").touch()
    (out / "binary.html").write_bytes(bytes(range(256)) * 100)
    (out / "claims.json").symlink_to("gone")
    (out / ".draft-of-a-killed-run").mkdir()
    (out / ".draft-of-a-killed-run" / "a.ipynb").touch()
    (out / "a.html.4711-1.part").touch()
    assert main(["--notebooks", str(tmp_path / "notebooks"), "--out", str(out)]) == 0
    assert (out / "a.html").is_file() and "a.html" in (out / "index.html").read_text()
    assert not [path.name for path in out.iterdir() if path.name.startswith(".") and path.name != ".kept"]


def test_what_fails_after_the_page_does_not_lose_it(tmp_path, capsys):
    """The page is written before the claims; each later step that fails is told, and the others are done."""
    notebook(tmp_path / "notebooks" / "a.ipynb", "print(1)", paper="a")
    out = tmp_path / "out"
    (out / "claims.json" / "folder").mkdir(parents=True)
    (out / "index.html" / "folder").mkdir(parents=True)
    assert main(["--notebooks", str(tmp_path / "notebooks"), "--out", str(out)]) == 1
    errors = capsys.readouterr().err
    assert errors.count("error: a: the page is written, but: is a directory") == 2
    assert "Traceback" not in errors and (out / "a.html").is_file()


def test_any_error_of_one_notebook_is_told_and_the_others_run(tmp_path, capsys, monkeypatch):
    errors = {
        "b": (OSError(errno.ENOSPC, "No space left on device", "a.html"), "no space left on device: a.html"),
        "c": (OSError(errno.EROFS, "Read-only file system"), "read-only file system"),
        "d": (MemoryError(), "MemoryError: no words"),
        "e": (KeyError("x"), "KeyError: 'x'"),
        "f": (RecursionError("too deep\nindeed"), "RecursionError: too deep"),
    }
    for name in "abcdefg":
        notebook(tmp_path / "notebooks" / f"{name}.ipynb", "print(1)", paper=name)
    write = page.write_text

    def failing(path, text):
        if path.stem in errors:
            raise errors[path.stem][0]
        write(path, text)

    monkeypatch.setattr(page, "write_text", failing)
    monkeypatch.setattr(scheduler, "count_cores", lambda: 1)  # all of them in this process
    assert main(["--notebooks", str(tmp_path / "notebooks"), "--out", str(tmp_path / "out")]) == 1
    told = [f"error: {name}: {words}" for name, (_, words) in errors.items()]
    assert capsys.readouterr().err.splitlines() == told
    assert sorted(path.name for path in (tmp_path / "out").glob("*.html")) == ["a.html", "g.html", "index.html"]


def test_one_run_at_a_time_in_a_folder(tmp_path, capsys):
    notebook(tmp_path / "notebooks" / "a.ipynb", "print(1)")
    call = ["--notebooks", str(tmp_path / "notebooks"), "--out", str(tmp_path / "out")]
    with lock_folder(tmp_path / "out"):
        assert main(call) == 2
    assert "out cannot be written: another run is writing into it; wait for its end" in capsys.readouterr().err
    assert main(call) == 0


def test_no_space_for_kept_results_is_told(tmp_path, capsys):
    warning = "BANDITLAB_KEEP=x: the result could not be kept (full)"
    notebook(tmp_path / "a.ipynb", f"import warnings\nfor _ in range(3): warnings.warn({warning!r})")
    assert main(["--notebooks", str(tmp_path), "--out", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().err == f"a: {warning}\n"


def test_a_special_report_has_a_page_of_its_own_and_leaves_the_ledger_alone(built):
    rows = json.loads((built / "out" / "claims.json").read_text())
    assert {row["statistic"] for row in rows if row["id"] == "D1"} == {"1.25 (quick)"}
    assert sorted(path.name for path in (built / "out").glob("*.html")) == [SPECIAL, "demo.html", "index.html"]


JUDGE = """import json
from IPython.display import display
rows = json.loads(%r)
rows[0]["verdict"] = "reproduced" if gap < 1 else "not reproduced"
display({"text/html": "", "application/vnd.banditlab.ledger+json": {"claims": rows, "seconds": 0.0}}, raw=True)"""
DRAW = """figure = {"data": [{"type": "scatter", "name": "UCB1", "x": [1, 2], "y": [0, gap]}], "layout": {}}
display({"application/vnd.plotly.v1+json": figure}, raw=True)"""


def test_a_grid_makes_a_report_for_each_value_and_a_page_that_lays_them_side_by_side(tmp_path, capsys):
    rows = json.dumps([claim(sentence="a < $b$"), claim(number=2)])
    cells = "scale: str = 'quick'  # size\ngap: float = 0.5  # gap\nlive: bool = True  # sliders"
    notebook(tmp_path / "notebooks" / "a.ipynb", JUDGE % rows, DRAW, parameters=cells)
    call = ["a", "--notebooks", str(tmp_path / "notebooks"), "--out", str(tmp_path)]
    assert main([*call, "-p", "gap", "0.5, 2"]) == 0
    assert "side by side" in capsys.readouterr().out
    (beside,) = tmp_path.glob("a-gap0.5_2.0-*.html")
    soup = BeautifulSoup(beside.read_text(encoding="utf-8"), "html.parser")
    cards = soup.select(".reports li")
    assert [card.a["href"] for card in cards] == ["a.html", "a-gap2.0.html"]  # 0.5 is the notebook's own
    assert [card.h3.text for card in cards] == ["gap = 0.5", "gap = 2.0"] and all(card.svg for card in cards)
    assert "UCB1 ends at 2" in cards[1].text
    differing, same = soup.select("details.more")
    assert [cell.a["href"] for cell in differing.find_all("td")] == ["a.html#claim-C1", "a-gap2.0.html#claim-C1"]
    assert [cell.text for cell in differing.find_all("td")] == [" reproduced", " not reproduced"]
    assert differing.tbody.th.text == "C1 a < b" and same.tbody.th.text == "C2 It holds."
    index = BeautifulSoup((tmp_path / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert "side by side: gap = 0.5, 2.0" in [text.text for text in index.select(".special")]


def test_words_with_a_comma_are_one_value_where_the_paper_has_them(tmp_path):
    jobs = plan(["censored"], "quick", {"figure": "Figures 4, 6, 7"}, ROOT / "notebooks")
    assert [job.changed for job in jobs] == [{"figure": "Figures 4, 6, 7"}]
    jobs = plan(["factored"], "quick", {"noisy": "second,both", "d": "3"}, ROOT / "notebooks")
    assert [job.given for job in jobs] == [{"noisy": "second", "d": 3}, {"noisy": "both", "d": 3}]


def test_names_of_special_reports_are_distinct():
    names = [
        Job("a", Path("a"), {}, changed, {}, {}).page
        for changed in (
            {}, {"d": 20, "gap": 0.9}, {"x": "a b"}, {"x": "a_b"}, {"x": "a/b"}, {"x": "../b"}, {"x": "a" * 300},
            {"x": "a" * 301}, {"x": "Figure 4"},
        )
    ]  # fmt: skip
    assert names[:2] == ["a", "a-d20-gap0.9"] and len(set(names)) == len(names)
    assert all(re.fullmatch(r"[\w.=+-]+", name) and len(name) < 100 for name in names)


@pytest.mark.parametrize(
    ("name", "value", "words"), [("d", "60", "between 1 and 30"), ("figure", "Figure 9", "one of")]
)
def test_a_value_out_of_range_is_refused_before_a_kernel_starts(tmp_path, name, value, words):
    with pytest.raises(ValueError, match=words):
        plan(["factored"], "quick", {name: value}, ROOT / "notebooks")


def test_a_parameter_that_changes_nothing_makes_no_special_report(tmp_path):
    notebook(tmp_path / "a.ipynb", parameters="scale: str = 'quick'\nd: int = 4\nlive: bool = True")
    (job,) = plan(["a"], "quick", {"d": "4"}, tmp_path)
    assert job.page == "a"
    (job,) = plan(["a"], "quick", {"d": "5"}, tmp_path)
    assert job.page == "a-d5"


def test_a_figure_that_its_page_cannot_play_is_told(capsys):
    playing = Future()
    playing.set_result({"refused": {"Map": "it draws more than regret"}})
    assert run.end_plays(SimpleNamespace(name="demo"), playing) is playing.result()
    assert capsys.readouterr().err == "demo: its page cannot play Map: it draws more than regret\n"
