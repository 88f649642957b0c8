"""What a reader waits for: first plot, end of Run All, a slider, a report; in a copy that has no kernels yet."""

import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from unittest import mock

import nbformat
from nbclient import NotebookClient

from banditlab.report.papermill_engine import connection_of

from .bench import ROOT, say

SLIDERS = {"factored": "Gap Δ", "composite": "Longest delay d", "censored": "Lead of arm 1",
           "uplifting": "Gap Δ"}  # fmt: skip
FIRST = {"cold": "target 8", "warm": "target 3", "once more": "target 3"}


def copied(folder):
    """A copy of what is committed or changed here, without caches: its kernels are its own."""
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
        capture_output=True, text=True,
    ).stdout  # fmt: skip
    for name in filter(None, files.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def surroundings(home, keeping=False):
    """Environment variables under which a process uses the copy; with results kept as for a reader, or nothing kept."""
    kept = {} if keeping else {"BANDITLAB_KEEP": ""}
    return {**{k: v for k, v in os.environ.items() if k != "BANDITLAB_KEEP"}, "PYTHONPATH": str(home), **kept}


def run_all(home, name, keeping):
    """Seconds from Run All to the first plot and to the end; the start of the kernel is not counted."""
    notebook = nbformat.read(home / "notebooks" / f"{name}.ipynb", 4)
    where = {"metadata": {"path": str(home / "notebooks")}}
    with tempfile.TemporaryDirectory() as folder:
        config = connection_of(f"{folder}/kernel.json")
        client = NotebookClient(notebook, timeout=600, record_timing=True, resources=where, config=config)
        with client.setup_kernel(env=surroundings(home, keeping)):
            for place, cell in enumerate(notebook.cells):
                client.execute_cell(cell, place)
    cells = [cell for cell in notebook.cells if "execution" in cell.metadata]
    began, first, end = moment(cells[0], "execute_input"), None, moment(cells[-1], "status.idle")
    for cell in cells:
        if first is None and any("application/vnd.plotly.v1+json" in out.get("data", {}) for out in cell.outputs):
            first = moment(cell, "status.idle")
    return first - began, end - began


def moment(cell, what):
    """When a cell began or ended, in seconds."""
    return datetime.fromisoformat(cell.metadata.execution[f"iopub.{what}"].replace("Z", "+00:00")).timestamp()


def notebooks(home):
    """First plot and end of Run All: with no kernels, with all of them on disk, and once more with results kept."""
    for name in SLIDERS:
        for state in FIRST:
            first, end = run_all(home, name, state != "cold")
            say(f"{name}, {state}: first plot after Run All: s", f"{first:.1f}", FIRST[state])
            say(f"{name}, {state}: Run All to its end: s", f"{end:.1f}", "" if state == "cold" else "target 12")


def sliders(home):
    """From the key to the first painted line and to the whole figure, in a real JupyterLab, at the starting values."""
    for name, label in SLIDERS.items():
        try:
            meanwhile, first, whole = in_browser(home, name, label)
        except BaseException as error:  # no browser: pytest's skip is no Exception
            say(f"{name}: slider", "not measured", str(error).splitlines()[0][:60])
            continue
        say(f"{name}: slider while the cells below run, to first repaint, median of 6: ms", f"{meanwhile:.0f}", "")
        say(f"{name}: slider to first repaint, median of 10: ms", f"{first:.0f}", "target 100")
        say(f"{name}: slider to the whole figure, median of 10: ms", f"{whole:.0f}", "target 500")


def in_browser(home, name, label):
    """Medians of six presses while the cells below run, and of ten when they are done; the first two warm up."""
    from tests.browser.lab import lab

    with (
        mock.patch.dict(os.environ, BANDITLAB_KEEP=""),
        tempfile.TemporaryDirectory() as folder,
        lab(home / f"notebooks/{name}.ipynb", Path(folder) / "lab") as page,
    ):
        page.menu("Run", "runmenu:run-all")
        page.until(page.panel.count)
        meanwhile = page.latency(label, 8)[2:]
        if not page.waiting():
            meanwhile = [(math.nan,)]  # they ended too soon
        page.ended(600)
        after = page.latency(label, 12)[2:]
    return statistics.median(next(zip(*meanwhile, strict=True))), *map(statistics.median, zip(*after, strict=True))


def reports(home, scale="quick"):
    """All four reports, with no kernels and with all of them on disk; nothing is kept."""
    for kernels in home.glob("banditlab/__pycache__/kernels-*"):
        shutil.rmtree(kernels)
    for state, target in (("cold", "target 90"), ("warm", "target 45")):
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            call = [sys.executable, "-m", "banditlab.report", "--scale", scale, "--out", folder]
            subprocess.run(call, check=True, capture_output=True, cwd=home, env=surroundings(home))
            say(f"all four reports, {scale} size, {state}: s", f"{time.perf_counter() - began:.0f}", target)


def start(home):
    """Import, least of three."""
    times = []
    for _ in range(4):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import banditlab"], check=True, cwd=home, env=surroundings(home))
        times.append(time.perf_counter() - began)
    say("import banditlab, with the start of Python: s", f"{min(times[1:]):.2f}", "target 0.4")


def waits():
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        home = copied(Path(folder) / "banditlab-bench")
        start(home)
        notebooks(home)
        sliders(home)
        reports(home)


if __name__ == "__main__":
    waits()
