"""A JupyterLab of its own: folders, port, process."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

PATIENCE = 240  # seconds for anything that comes for certain: a busy machine may take its time
TOKEN = f"t{os.getpid()}"
ROOT = pathlib.Path(__file__).resolve().parents[2]


@contextlib.contextmanager
def server(notebook, folder, files):
    """Start JupyterLab and yield the address of the notebook."""
    root = folder / "root"
    root.mkdir(parents=True)
    for file in map(pathlib.Path, (notebook, *files)):
        shutil.copy(file, root)
        if (module := file.with_suffix("")).is_dir():
            shutil.copytree(module, root / module.name, ignore=shutil.ignore_patterns("__pycache__"))
    settings = folder / "settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    settings.parent.mkdir(parents=True)  # no news over the page
    settings.write_text('{"fetchNews": "false", "checkForUpdates": false, "doNotDisturbMode": true}')
    lab, address = start(root, folder)
    try:
        yield f"{address}/lab/tree/{pathlib.Path(notebook).name}?token={TOKEN}&reset"
    finally:
        stop(lab)


def start(root, folder):
    """Start JupyterLab; return its process and its address.

    It takes its port seconds after that was found free, and ends where another has taken it: three are tried.
    """
    log = folder / "lab.log"
    for tries in (2, 1, 0):  # left after this one
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{free.getsockname()[1]}"
        with log.open("a") as out:
            options = {"stdout": out, "stderr": out, "env": environment(folder), "start_new_session": True}
            lab = subprocess.Popen(arguments(root, address), **options)
        try:
            if came_up(lab, address, tries, log):
                return lab, address
        except BaseException:
            stop(lab)
            raise


def came_up(lab, address, tries, log):
    """Wait until JupyterLab answers; tells whether it does, or has ended with tries left."""
    own = f"{address}/api/status?token={TOKEN}"  # whoever has taken the port does not know the token

    def alive():
        return lab.poll() is None

    wait_for(lambda: answers(own) or (tries and not alive()), "JupyterLab did not start", lambda: tries or alive(), log)
    return alive()


def arguments(root, address):
    """Return the command that starts JupyterLab."""
    return [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
        *(f"--port={address.rpartition(':')[2]}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}"),
        *(f"--ServerApp.root_dir={root}", "--LabApp.extension_manager=readonly"),
    ]


def environment(folder):
    """Return the environment of a JupyterLab that keeps everything in a folder, and finds banditlab."""
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTERLAB_WORKSPACES_DIR")
    own = {name: str(folder / name.lower()) for name in names}
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, **own, "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"), "PYTHONPATH": paths}


def answers(url):
    """Tell whether a server answers at an address."""
    try:
        urllib.request.urlopen(url, timeout=10).close()
    except OSError:
        return False
    return True


def wait_for(true, sentence, alive, log):
    """Wait until something is true; fail with a sentence and the log."""
    end = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > end or not alive():
            pytest.fail(f"{sentence}:\n{log.read_text()}")
        time.sleep(0.2)


def stop(process):
    """End a process and those it started: it leads a group of its own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
