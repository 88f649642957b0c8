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
import time
from typing import NamedTuple

import nbformat
import pytest

from tests.browser.lab_scripts import BUSY, PROBE, STILL, TRACES
from tests.browser.lab_server import PATIENCE, server

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
LATE = "[anywidget] Failed to initialize model."  # it waits two seconds for the script; the widget comes all the same


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
