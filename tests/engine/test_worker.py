"""A worker needs numpy, numba, pandas and scipy, and nothing else of the workbench."""

import importlib.util
import pickle
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np

import banditlab as bl
from banditlab import classic
from banditlab.engine import player, workers

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("numpy", "numba", "pandas", "scipy")  # what is installed for a worker
THEIRS = ("llvmlite", "dateutil", "six")  # what comes with it


def bare(folder):
    """A folder with these packages alone, and one with the package itself."""
    folder.mkdir()
    for name in (*NEEDED, *THEIRS):
        found = Path(importlib.util.find_spec(name).origin)
        place = found.parent if found.name == "__init__.py" else found
        (folder / place.name).symlink_to(place)
        for libraries in place.parent.glob(f"{name}.libs"):
            (folder / libraries.name).symlink_to(libraries)
    shutil.copytree(ROOT / "banditlab", folder / "banditlab", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


CODE = """
    import pickle, sys
    from banditlab.engine import workers
    code, work, policy, numbers = pickle.load(sys.stdin.buffer)
    regret, diagnostics, seconds = workers.play_remotely(code, "", work, policy, numbers)
    import banditlab as bl
    result = bl.simulate(work.environment, policy, int(work.checkpoints[-1]), runs=3, seed=work.seed, checkpoints=5)
    result.summary(), result.final
    pickle.dump((regret, result.regret[0]), sys.stdout.buffer)
"""


def test_a_chunk_runs_where_nothing_else_is_installed(tmp_path):
    world, policy = classic.bernoulli([0.2, 0.5, 0.9]), classic.ucb1(3)
    work = player.Work(world, np.array([20, 40, 60, 80, 100]), 3)
    task = pickle.dumps((workers.fingerprint_task(work, policy), work, policy, np.arange(3)))
    # -I -S: no folder of installed packages, no variable of ours; the standard library and these few only
    code = f"import sys; sys.path.insert(0, {str(bare(tmp_path / 'bare'))!r})\n" + textwrap.dedent(CODE)
    call = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=task, capture_output=True, timeout=600)
    assert call.returncode == 0, call.stderr.decode()
    chunk, whole = pickle.loads(call.stdout)
    alone = bl.simulate(world, policy, 100, runs=3, seed=3, checkpoints=5).regret[0]
    assert chunk.tobytes() == whole.tobytes() == alone.tobytes()
