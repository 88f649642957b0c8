"""Drive a real JupyterLab in a headless Chromium.

    with lab("notebooks/factored.ipynb", tmp_path) as page:
        page.run_all()
        page.press("Gap Δ", "ArrowRight")
        assert page.lines()[0].name == "F-UCB"

Every Lab has folders of its own, so that neither the machine's settings nor a second run interfere.
"""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from typing import NamedTuple

import nbformat
import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Suggestions below a window's address start a process that takes three quarters of the CPU of an empty window.
OPTIONS = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
)
PANEL = ".jp-NotebookPanel .banditlab-explorer"
IDLE = ".jp-StatusBar-TextItem >> text=/ipykernel.*Idle/"
PATIENCE = 240  # seconds for anything that comes for certain: a busy machine may take its time
LATE = "[anywidget] Failed to initialize model."  # it waits two seconds for the script; the widget comes all the same
TOKEN = f"t{os.getpid()}"
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Two promises: the ms from the next keydown until a line has changed and two frames are drawn, so that the pixels are
# there; and the ms until the same is true of the last line that changed before the panel rested for 100 ms.
PROBE = """
window.repaint = (panel) => {
  const root = document.querySelector(panel), bar = root.querySelector('.instrument');
  const LINE = '.scatterlayer path.js-line';
  const lines = () => [...root.querySelectorAll(LINE)].map((p) => p.getAttribute('d')).join('|');
  let pressed = null, shown = lines(), last = null, tell;
  window.addEventListener('keydown', () => { pressed = performance.now(); }, {capture: true, once: true});
  const painted = () => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - pressed))));
  const changed = () => {
    const now = lines();
    if (pressed === null || !now || now === shown) return;
    shown = now;
    last = painted();
    tell(last);
  };
  const seen = new MutationObserver(changed);
  seen.observe(root, {subtree: true, childList: true, attributes: true, attributeFilter: ['d']});
  const first = new Promise((done, fail) => {
    tell = done;
    setTimeout(() => fail(new Error('no repaint in 240 s')), 240000);
  });
  const whole = first.then(() => new Promise((done) => {
    let since = performance.now();
    const look = setInterval(() => {
      if (bar.getAttribute('aria-busy') !== 'false') since = performance.now();
      if (performance.now() - since < 100) return;
      clearInterval(look);
      seen.disconnect();
      done(last);
    }, 20);
  }));
  return {first, whole};
};
"""

# Whether a panel computes; asked of the page itself: selectors of playwright walk through all of JupyterLab for 15 ms.
BUSY = "(panel) => document.querySelector(`${panel} .instrument`)?.getAttribute('aria-busy') !== 'false'"

# Wait until the window has this width and the panel has been the same for ten frames.
STILL = """([panel, width]) => new Promise((done) => {
  let last = '', frames = 0;
  const look = () => {
    const box = document.querySelector(panel).getBoundingClientRect(), now = [box.width, box.height].join();
    frames = innerWidth === width && now === last ? frames + 1 : 0;
    last = now;
    if (frames > 10) done(); else requestAnimationFrame(look);
  };
  look();
})"""

# The traces of the plot as plotly has understood them, in plain arrays; without the names at their ends.
TRACES = r"""
(panel) => document.querySelector(panel + ' .js-plotly-plot')._fullData
  .filter((t) => !/^end/.test(t.uid)).map((trace) => ({
  name: trace.name, x: Array.from(trace.x ?? []), y: Array.from(trace.y ?? []), visible: trace.visible === true,
  lines: trace.type === 'scatter' && trace.mode.includes('lines'),
}))
"""


class Line(NamedTuple):
    """A trace of the plot, as the browser has it."""

    name: str
    x: list
    y: list
    visible: bool


@contextlib.contextmanager
def lab(notebook, folder, files=()):
    """Open a notebook in JupyterLab and yield its `Page`.

    Parameters
    ----------
    notebook : path
        The notebook; a copy of it is opened.
    folder : path
        An empty folder for everything that JupyterLab writes.
    files : iterable of path, optional
        Modules to put beside the notebook.
    """
    folder = pathlib.Path(folder)
    with server(notebook, folder, files) as url, open_browser() as browser:
        context = browser.new_context(viewport={"width": 1300, "height": 1350}, accept_downloads=True)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.set_default_timeout(1000 * PATIENCE)
        page = Page(context.new_page(), url, folder / "root")
        page.open()
        yield page


@contextlib.contextmanager
def open_browser():
    """Start a headless Chromium and yield it, as playwright has it; needs what `find_browser` needs."""
    from playwright.sync_api import sync_playwright

    program = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=OPTIONS, timeout=1000 * PATIENCE)
        try:
            yield browser
        finally:
            browser.close()


def find_browser(names=BROWSERS):
    """Return the path of a browser; without one the test is skipped, or fails where CI is set."""
    for name in names:
        if path := shutil.which(name):
            return path
    sentence = f"no browser was found (looked for {', '.join(names)})"
    if os.environ.get("CI"):
        pytest.fail(sentence)
    pytest.skip(sentence)


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


def until(page, true, seconds=PATIENCE):
    """Wait until a function returns something true; the page goes on meanwhile."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"not so after {seconds} s"
        page.wait_for_timeout(50)


def expect(page, look, wanted):
    """Wait until what a function sees is what is wanted; fail with what it saw last."""
    end = time.monotonic() + PATIENCE
    while not (found := look()) == wanted and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert found == wanted


def stop(process):
    """End a process and those it started: it leads a group of its own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


class Page:
    """A notebook in JupyterLab, with its explorer.

    Attributes
    ----------
    page : playwright Page
        The browser's page, for what has no method here.
    folder : path
        Where the notebook is.
    errors : list of str
        Console errors and failed requests so far.
    """

    def __init__(self, page, url, folder):
        self.page, self.url, self.folder, self.errors = page, url, folder, []
        self.threads = []  # widgets that came, threads that JupyterLab asked the kernel for, and which it was given
        page.on("websocket", self.listen)
        page.on("console", lambda m: self.wrong(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: self.wrong(str(error)))
        page.on("requestfailed", self.failed)
        page.add_init_script(PROBE)
        self.panel = page.locator(PANEL).first

    def listen(self, socket):
        """Hear of widgets, of the threads beside the cells that JupyterLab asks for, and of the kernel's answers."""
        socket.on("framesent", lambda frame: self.heard(frame, "asked", "create_subshell_request"))
        socket.on("framereceived", lambda frame: self.heard(frame, "given", "create_subshell_reply"))
        socket.on("framereceived", lambda frame: self.heard(frame, "widget", "comm_open", '"jupyter.widget"'))

    def heard(self, frame, kind, *words):
        """Keep a message with these words; an answer ends its head with the number of what it answers."""
        text = frame if isinstance(frame, str) else frame.decode("utf-8", "replace")
        if all(word in text for word in words):
            numbers = re.findall(r'"msg_id":\s*"([^"]+)"', text)
            self.threads.append((kind, numbers[-1]))

    def has_threads(self):
        """Tell whether JupyterLab was given the thread that it asks for when the first widget comes.

        It asks for another one when it connects: that one, or its answer, may come late.
        """
        kinds = [kind for kind, _ in self.threads]
        came = kinds.index("widget") if "widget" in kinds else len(kinds)
        asked = {number for kind, number in self.threads[came:] if kind == "asked"}
        return asked != set() and asked <= {number for kind, number in self.threads if kind == "given"}

    def wrong(self, text):
        """Keep an error, unless it tells only that a script came late."""
        if LATE not in text:
            self.errors.append(text)

    def failed(self, request):
        """Keep a failed request among the errors, unless the page itself gave it up, as it does when it is left."""
        if request.failure != "net::ERR_ABORTED":
            self.errors.append(f"failed request: {request.url} ({request.failure})")

    def open(self):
        """Load the page and wait for the kernel: Run All before that asks which kernel to take."""
        self.page.goto(self.url)
        self.page.wait_for_selector(".jp-NotebookPanel .jp-Notebook-cell")
        self.idle()

    def beside(self, notebook):
        """Return the page of another notebook in the same JupyterLab; this page is closed."""
        name = self.url.rpartition("/")[2].partition("?")[0]
        other = Page(self.page.context.new_page(), self.url.replace(name, notebook.name), self.folder)
        self.page.close()
        other.open()
        return other

    def idle(self, seconds=PATIENCE):
        """Wait until the kernel has nothing to do."""
        self.page.wait_for_selector(IDLE, timeout=1000 * seconds)

    def run_all(self, seconds=PATIENCE):
        """Run all cells, and wait until the last one is done and the explorer has drawn."""
        self.menu("Run", "runmenu:run-all")
        self.until(lambda: self.waiting() or self.panel.count())
        self.ended(seconds)

    def waiting(self):
        """Return how many cells are running or wait for it."""
        return self.page.locator(".jp-InputPrompt", has_text="[*]").count()

    def ended(self, seconds=PATIENCE):
        """Wait until the last cell is done and the explorer has drawn."""
        self.until(lambda: self.tracebacks() or not self.waiting(), seconds)
        assert not self.tracebacks(), self.tracebacks()[0]
        self.idle(seconds)
        self.drawn()

    def drawn(self):
        """Bring the explorer into view, for nothing is drawn before, and wait for its plot."""
        self.panel.scroll_into_view_if_needed()
        self.page.locator(f"{PANEL} .js-plotly-plot .main-svg").first.wait_for()
        self.settle()

    def menu(self, title, command):
        """Choose a command of Lab's menu."""
        self.page.click(f"li.lm-MenuBar-item >> text={title}")
        self.page.click(f"li[data-command='{command}']")

    def save(self):
        """Save the notebook, and return it as it is in the file."""
        file = self.folder / self.url.rpartition("/")[2].partition("?")[0]
        before = file.stat().st_mtime_ns
        self.menu("File", "docmanager:save")
        self.until(lambda: file.stat().st_mtime_ns != before and file.read_bytes().endswith(b"}\n"))
        self.page.wait_for_load_state("networkidle")
        return nbformat.read(file, 4)

    def reload(self):
        """Load the page again, with the notebook as it was saved and the kernel as it is.

        ipywidgets looks for a widget's model for two seconds; where the page took longer a reader loads it once more.
        """
        self.until(self.finds_widgets)
        self.drawn()

    def finds_widgets(self):
        """Load the page again, and tell whether its widgets were found."""
        self.page.goto(self.url.replace("&reset", ""))
        self.idle()
        lost = self.page.get_by_text("Error displaying widget")
        self.until(lambda: self.panel.count() or lost.count())
        if lost.count():
            self.errors[:] = [error for error in self.errors if "widget model not found" not in error]
        return not lost.count()

    def tracebacks(self):
        """Return the errors that cells have printed."""
        found = self.page.locator(
            ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error'], "
            ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']"
        )
        return found.all_text_contents()

    def until(self, true, seconds=PATIENCE):
        """Wait until a function returns something true."""
        until(self.page, true, seconds)

    def expect(self, look, wanted):
        """Wait until what a function sees is what is wanted."""
        expect(self.page, look, wanted)

    def resize(self, width, height):
        """Give the window another size, and wait until JupyterLab has laid itself out."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(STILL, [PANEL, width])

    def settle(self, seconds=PATIENCE):
        """Wait until nothing has been running for .3 s; where nothing was seen to begin, for .6.

        On a slow machine it may begin later: a test waits for what it asserts besides.
        """
        end, since, quiet = time.monotonic() + seconds, time.monotonic(), 0.6
        while time.monotonic() < since + quiet:
            if self.page.evaluate(BUSY, PANEL):
                since, quiet = time.monotonic(), 0.3
            assert time.monotonic() < end, f"still running after {seconds} s: {self.status()}"
            self.page.wait_for_timeout(30)

    def slider(self, label):
        """Return the handle of a slider, found by its accessible name."""
        return self.panel.get_by_role("slider", name=label, exact=True)

    def readout(self, label):
        """Return the text of a slider's value."""
        return self.slider(label).get_attribute("aria-valuetext")

    def press(self, label, key, times=1, settle=True):
        """Press a key on a slider."""
        self.slider(label).focus()
        for _ in range(times):
            self.page.keyboard.press(key)
        if settle:
            self.settle()

    def select(self, label, option, settle=True):
        """Choose an option of a box."""
        self.panel.get_by_label(label, exact=True).select_option(option)
        if settle:
            self.settle()

    def select_figure(self, title):
        """Choose a figure."""
        self.select("Figure", title)
        self.until(lambda: self.alert() or self.status().startswith(f"{title}: "))

    def click(self, button, settle=True):
        """Press a button of the explorer."""
        self.panel.get_by_role("button", name=button, exact=True).click()
        if settle:
            self.settle()

    def status(self):
        """Return the status line."""
        return self.page.locator(f"{PANEL} .said").inner_text()

    def alert(self):
        """Return the error line."""
        return self.page.locator(f"{PANEL} .alert").inner_text()

    def lines(self):
        """Return the traces as plotted, once the browser has drawn every line among them."""
        self.until(self.drawn_lines)
        return [Line(t["name"], t["x"], t["y"], t["visible"]) for t in self.page.evaluate(TRACES, PANEL)]

    def drawn_lines(self):
        """Tell whether there is a path for every line."""
        count = "paths => paths.filter((path) => path.getAttribute('d')).length"
        drawn = self.page.eval_on_selector_all(f"{PANEL} .scatterlayer path.js-line", count)
        return drawn == sum(trace["visible"] and trace["lines"] for trace in self.page.evaluate(TRACES, PANEL))

    def legend(self):
        """Return the names in the plot's legend."""
        return self.page.locator(f"{PANEL} .legend .legendtext").all_text_contents()

    def names(self):
        """Return pairs (role, accessible name) of all controls of the explorer, from Chromium's accessibility tree."""
        session = self.page.context.new_cdp_session(self.page)
        panel = session.send("Runtime.evaluate", {"expression": f"document.querySelector('{PANEL}')"})["result"]
        tree = session.send("Accessibility.queryAXTree", {"objectId": panel["objectId"]})["nodes"]
        roles = ("slider", "combobox", "checkbox", "button", "progressbar", "spinbutton", "textbox", "status", "alert")
        shown = [n for n in tree if not n["ignored"] and n["role"]["value"] in roles]
        return [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in shown]

    def latency(self, label, presses):
        """Return the ms from key to repaint, and to the whole figure, of presses on a slider; it turns at its ends."""
        handle, found, key = self.slider(label), [], "ArrowRight"
        handle.focus()
        for _ in range(presses):
            low, high, now = handle.evaluate("e => [Number(e.min), Number(e.max), Number(e.value)]")
            key = "ArrowLeft" if now >= high else "ArrowRight" if now <= low else key
            probe = self.page.evaluate_handle("(panel) => window.repaint(panel)", PANEL)
            self.page.keyboard.press(key)
            found.append([probe.evaluate(f"o => o.{time}") for time in ("first", "whole")])
        return found

    def download(self, button):
        """Press a button that saves a file; return the file's name and text."""
        with self.page.expect_download() as waiting:
            button() if callable(button) else self.click(button, settle=False)
        download = waiting.value
        return download.suggested_filename, pathlib.Path(download.path()).read_text(encoding="utf-8")

    def clipboard(self):
        """Return the text of the clipboard."""
        return self.page.evaluate("() => navigator.clipboard.readText()")

    def screenshot(self, path):
        """Save a picture of the page, the explorer in view."""
        self.panel.scroll_into_view_if_needed()
        self.page.screenshot(path=str(path))
