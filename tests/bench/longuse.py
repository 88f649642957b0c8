"""What long use leaves behind: 2,000 moves of sliders in each report's page, and in a kernel beside 500 simulations.

``python -m tests.bench.longuse reports`` measures the pages in that folder, ``python -m tests.bench.longuse`` a kernel.
"""

import os
import random
import sys
import tempfile
import time
from pathlib import Path

import psutil
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from banditlab import classic, simulate
from banditlab.explorer import Slider
from banditlab.explorer.figure import call_figure
from banditlab.explorer.panel import Panel
from banditlab.explorer.paper import find_paper
from banditlab.report.papermill_engine import connection_of
from banditlab.user_code import code_identity
from tests.browser.lab import PATIENCE, open_browser
from tests.reports import ROOT

PAPERS = "factored", "uplifting", "censored", "composite"
MOVES, LOOKS, SIMULATIONS, BURST = 2000, 4, 500, 5
MOVE = """async ([moves, burst, seed]) => {
  const panel = document.querySelector('.slides'), busy = () => panel.querySelector('.instrument').ariaBusy === 'true';
  const frame = () => new Promise(done => requestAnimationFrame(done));
  for (let i = 0; i < moves; i++) {
    seed = (1103515245 * seed + 12345) % 2147483648;
    const sliders = [...panel.querySelectorAll('.main input[type=range]')], one = sliders[(seed >> 8) % sliders.length];
    one.value = (seed >> 16) % (Number(one.max) + 1);
    for (const name of ['input', 'change']) one.dispatchEvent(new Event(name, {bubbles: true}));
    await frame();
    if (i % burst === burst - 1) while (busy()) await frame();
  }
  return seed;
}"""


def pages(folder):
    """Heap after collection, nodes, listeners and workers of each page while its sliders move."""
    with open_browser() as browser:
        for path in sorted(Path(folder).glob("*.html")):
            tab = browser.new_context(offline=True, viewport={"width": 1400, "height": 1100}).new_page()
            tab.set_default_timeout(1000 * PATIENCE)
            tab.goto(path.resolve().as_uri())
            if not tab.locator(".slides").count():
                continue
            tab.wait_for_selector(".slides:not([hidden])")
            seed, asks = 1, tab.context.new_cdp_session(tab)
            asks.send("Performance.enable")
            for looked in range(LOOKS + 1):
                say(f"{path.stem}, {looked * MOVES // LOOKS} moves", seen(tab, asks))
                if looked < LOOKS:
                    for _ in range(MOVES // LOOKS // BURST // 5):
                        seed = tab.evaluate(MOVE, [5 * BURST, BURST, seed])


def seen(tab, asks):
    """What a page holds now."""
    asks.send("HeapProfiler.collectGarbage")
    found = {one["name"]: one["value"] for one in asks.send("Performance.getMetrics")["metrics"]}
    held = f"{found['JSHeapUsedSize'] / 1e6:.1f} MB", *(f"{found[name]:.0f}" for name in ("Nodes", "JSEventListeners"))
    return "; ".join([*held, f"{len(tab.workers)}"])


def kernels():
    """Let a notebook's kernel for each paper do its part."""
    for name in PAPERS:
        notebook = new_notebook(cells=[new_code_cell(f"from tests.bench import longuse\nlonguse.use({name!r})")])
        with tempfile.TemporaryDirectory() as folder:
            config = connection_of(f"{folder}/kernel.json")
            client = NotebookClient(notebook, timeout=None, kernel_name="python3", config=config)
            with client.setup_kernel(cwd=str(ROOT), env={**os.environ, "PYTHONPATH": str(ROOT)}):
                client.execute_cell(notebook.cells[0], 0)
        print("".join(output.get("text", "") for output in notebook.cells[0].outputs), end="", flush=True)


def use(name):
    """Move the sliders of a paper's first figure, and simulate in between; say what the process holds."""
    paper, rng = find_paper(ROOT / "notebooks" / f"{name}.ipynb"), random.Random(name)
    title, function = next(iter(paper.FIGURES.items()))
    starts = {name: control.start for name, control in paper.CONTROLS.items()}
    values = {"scale": "quick", "seed": 0, "figure": title, **starts}
    panel = Panel(paper.FIGURES, values, paper.CONTROLS, paper.PRESETS, name, call_figure(function, values), 1.0)
    sliders = [
        one for one in panel.acting(values) if isinstance(paper.CONTROLS[one], Slider) and paper.CONTROLS[one].main
    ]
    arms, moves = classic.bernoulli([0.6, 0.5, 0.4]), MOVES // len(PAPERS)
    for moved in range(moves + 1):
        if moved % (moves // LOOKS) == 0:
            say(f"{name}, {moved} moves", held())
        one = rng.choice(sliders)
        panel.heard({"do": "ask", "values": {one: rng.choice(paper.CONTROLS[one].positions())}, "preset": "", "by": ""})
        if moved % BURST == BURST - 1:
            while panel.worker.running:
                time.sleep(0.01)
        if moved % (MOVES // SIMULATIONS) == 0:
            simulate(arms, {"UCB1": classic.ucb1(3)}, 1000, runs=10, seed=moved)


def held():
    """What this process holds, and what is kept on disk."""
    process, kept = psutil.Process(), [file for file in code_identity.HOME.parent.rglob("*") if file.is_file()]
    memory, disk = process.memory_info().rss / 1e6, sum(file.stat().st_size for file in kept) / 1e6
    return f"{memory:.0f} MB; {process.num_fds()}; {process.num_threads()}; {len(kept)} files, {disk:.1f} MB"


def say(what, value):
    """One line of the table."""
    print(f"{what:<40}{value}", flush=True)


if __name__ == "__main__":
    pages(sys.argv[1]) if sys.argv[1:] else kernels()
