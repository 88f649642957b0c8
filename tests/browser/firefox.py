"""Drive a headless Firefox, as it comes from a distribution, over WebDriver BiDi.

    with firefox(tmp_path) as tab:
        tab.goto(path.as_uri())
        assert tab.evaluate("([a, b]) => a + b", [1, 2]) == 3
        assert tab.wrong == []

Its calls are called as those of playwright, which drives only a Firefox of its own.
"""

import contextlib
import itertools
import json
import re
import subprocess

import websocket

from tests.browser.lab import find_browser
from tests.browser.lab_server import PATIENCE, wait_for

PROGRAMS = ("firefox", "firefox-esr")
CALLED = "async text => JSON.stringify(await (%s)(JSON.parse(text))) ?? 'null'"
HEARD = ["log.entryAdded", "network.beforeRequestSent"]
OUTSIDE = re.compile("^(?!about:|file:|data:|blob:)")


@contextlib.contextmanager
def firefox(folder, width=1400, height=1100, dark=False):
    """Start Firefox offline, its profile in an empty folder, and yield its `Tab`."""
    program = find_browser(PROGRAMS)
    profile, log = folder / "profile", folder / "firefox.log"
    profile.mkdir()
    (profile / "user.js").write_text(f'user_pref("layout.css.prefers-color-scheme.content-override", {int(not dark)});')
    options = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
    with log.open("w") as out:
        process = subprocess.Popen(
            [program, *options, f"--width={width}", f"--height={height}"], stdout=out, stderr=out
        )
    try:
        listens = re.compile(r"WebDriver BiDi listening on (\S+)")
        wait_for(lambda: listens.search(log.read_text()), "Firefox did not start", lambda: process.poll() is None, log)
        (address,) = listens.findall(log.read_text())
        talk = websocket.create_connection(f"{address}/session", timeout=PATIENCE, suppress_origin=True)
        with contextlib.closing(talk) as socket:
            tab = Tab(socket)
            tab.resize(width, height)
            yield tab
    finally:
        process.terminate()
        process.wait(PATIENCE)


class Tab:
    """A tab of Firefox.

    Attributes
    ----------
    wrong : list of str
        Console errors and warnings, and what was asked of a network, so far.
    """

    def __init__(self, socket):
        self.socket, self.numbers, self.wrong = socket, itertools.count(1), []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=HEARD)
        self.context = self.ask("browsingContext.create", type="tab")["context"]  # the first may become a start page
        self.ask("emulation.setNetworkConditions", contexts=[self.context], networkConditions={"type": "offline"})
        self.goto("about:blank")  # the page that it begins with forbids WebAssembly

    def ask(self, method, **params):
        """Send a command and return its answer."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self.socket.recv())).get("id") != number:
            self.hear(answer.get("params", {}))
        assert answer["type"] == "success", answer
        return answer["result"]

    def hear(self, event):
        """Keep what went wrong."""
        if event.get("level") in ("error", "warn"):
            self.wrong.append(event["text"])
        url = event.get("request", {}).get("url", "about:")
        if OUTSIDE.match(url):
            self.wrong.append(url)

    def goto(self, url):
        """Open an address and wait until it is loaded."""
        self.ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def resize(self, width, height):
        """Give the page this many pixels."""
        self.ask("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def evaluate(self, function, value=None):
        """Call a function of JavaScript with a value, and return what it comes to; both as JSON."""
        given = {"arguments": [{"type": "string", "value": json.dumps(value)}], "target": {"context": self.context}}
        found = self.ask("script.callFunction", functionDeclaration=CALLED % function, awaitPromise=True, **given)
        assert found["type"] == "success", found["exceptionDetails"]["text"]
        return json.loads(found["result"]["value"])
