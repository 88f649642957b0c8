"""A page from elsewhere is safe to open: whatever a notebook brings, nothing runs and nothing is asked for."""

import copy
import json
import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from banditlab.evidence import Claim, Ledger
from banditlab.report import page
from banditlab.report.exporter import PlainOutputs, ReportExporter
from banditlab.report.index import write_index
from tests.browser.lab import PATIENCE, open_browser
from tests.reports import DEMO, claim

PLOTLY = "application/vnd.plotly.v1+json"
AWAY = "https://evil.example/"
INJECTIONS = [
    "<script>window.hit = 1</script>",
    "</script><script>window.hit = 1</script>",
    "<SCRIPT\n>window.hit = 1</SCRIPT\n>",
    f"<script src={AWAY}x.js></script>",
    "<script type=module>window.hit = 1</script>",
    "<img src=x onerror='window.hit = 1'>",
    "<img src='data:,' onerror=window.hit=1>",
    f"<img src={AWAY}x.png>",
    f"<img srcset='{AWAY}x.png 2x'>",
    "<svg onload='window.hit = 1'></svg>",
    "<svg><script>window.hit = 1</script></svg>",
    "<svg><animate onbegin='window.hit = 1' attributeName=x dur=1s></svg>",
    f"<svg><image href='{AWAY}x.png'/></svg>",
    f"<svg><use href='{AWAY}x.svg#a'/></svg>",
    "<svg><foreignObject><iframe srcdoc='<script>parent.hit = 1</script>'></iframe></foreignObject></svg>",
    "<details open ontoggle='window.hit = 1'><summary>a</summary></details>",
    "<input autofocus onfocus='window.hit = 1'>",
    "<body onload='window.hit = 1'>",
    "<video autoplay><source onerror='window.hit = 1' src=x></video>",
    f"<meta http-equiv=refresh content='0;url={AWAY}'>",
    f"<META\nHTTP-EQUIV='Refresh' CONTENT='0;URL={AWAY}'>",
    "<meta http-equiv=Content-Security-Policy content=\"script-src 'unsafe-inline'\">",
    f"<base href={AWAY}>",
    f"<iframe src={AWAY}></iframe>",
    "<iframe srcdoc='<script>parent.hit = 1</script>'></iframe>",
    f"<object data={AWAY}></object>",
    f"<embed src={AWAY}>",
    f"<link rel=stylesheet href={AWAY}x.css>",
    f"<link rel=prefetch href={AWAY}>",
    f"<link rel=dns-prefetch href={AWAY}>",
    f"<style>@import '{AWAY}x.css';</style>",
    f"<style>body {{ background: url({AWAY}x.png) }}</style>",
    f"<p style='background: u\\rl({AWAY}x.png)'>a</p>",
    f"<form action={AWAY} id=f><button formaction={AWAY}>a</button></form>",
    "<script>location = 'https://evil.example/'</script>",
    "<script>window.open('https://evil.example/')</script>",
    "<noscript><p title='</noscript><img src=x onerror=window.hit=1>'>",
    "<textarea><p title='</textarea><img src=x onerror=window.hit=1>'>",
    '" onmouseover="window.hit=1" x="',
    "'\"><img src=x onerror=window.hit=1><meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "&lt;/title&gt;&lt;meta http-equiv=refresh content='0;url=https://evil.example/'&gt;",
    "$\\href{javascript:window.hit=1}{a}$ $\\includegraphics{https://evil.example/x.png}$",
]


@pytest.fixture(scope="module")
def chromium():
    """A headless Chromium."""
    with open_browser() as browser:
        yield browser


def carriers(text):
    """Cells that carry a text into a page, one for every place that can."""
    figure = {"data": [{"type": "scatter", "x": [1, 2], "y": [0, 1], "name": text}]}
    layout = {"title": {"text": text}, "meta": {"caption": text, "alt": text}, "xaxis": {"title": {"text": text}}}
    rows = Ledger([Claim(**claim(id=text, sentence=text, where=text, statistic=text, rule=text, reading=text))])
    outputs = [
        {PLOTLY: {**figure, "layout": layout}},
        {"text/html": text},
        {"text/markdown": text},
        {"text/latex": text},
        {"text/plain": text},
        {"image/png": text},
        {"image/svg+xml": text},
        rows._repr_mimebundle_(),
    ]
    for data in outputs:
        yield new_code_cell(f"# {text}", outputs=[new_output("display_data", data, metadata={"alt": text})])
    for source in (text, f"# A {text}", f"<details>\n\n{text}\n\n</details>"):
        yield new_markdown_cell(source)
    yield new_code_cell(f"# {text}", outputs=[new_output("stream", name="stdout", text=text)])


def accepted(cell):
    """Whether a cell is not refused."""
    try:
        told = {"metadata": {}, "report": {"headings": [], "index": {"title": "demo"}}}
        PlainOutputs().preprocess(new_notebook(cells=[copy.deepcopy(cell)]), told)
    except page.ReportError:
        return False
    return True


def pages(texts, folder):
    """A report of all cells that are not refused, and an index with the same words in titles and claims."""
    cells = [cell for text in texts for cell in carriers(text) if accepted(cell)]
    every = " ".join(texts)
    about = {
        "title": every,
        "claim": every,
        "bibtex": every,
        "paper": "demo",
        "run": {"versions": every, "machine": every},
    }
    html, _ = ReportExporter().from_notebook_node(new_notebook(cells=cells, metadata={"banditlab": about}))
    (folder / "report.html").write_text(html, encoding="utf-8")
    for number, text in enumerate(texts):
        facts = {key: text for key in ("title", "paper", "paper_title", "claim", "scale", "date", "special", "name")}
        (folder / f"foreign{number}.html").write_text(f'<script id="facts">{page.make_island(facts)}</script>')
    words = ("id", "sentence", "where", "statistic", "rule", "reading", "paper")
    rows = [claim(**dict.fromkeys(words, text)) for text in texts]
    (folder / "claims.json").write_text(json.dumps(rows))
    write_index(folder, DEMO)
    return [folder / "report.html", folder / "index.html"], cells


# A second of the page's own time, however slow the machine, and then until it has nothing left to do.
REST = "new Promise((done) => setTimeout(() => requestIdleCallback(done), 1000))"


def attempts(chromium, paths):
    """What happens on pages opened one after the other: requests, scripts that ran, places that were left."""
    context = chromium.new_context()
    context.set_default_timeout(1000 * PATIENCE)
    requests, found = [], []
    context.route(
        re.compile("^(?!file:|data:|blob:)"), lambda route: (requests.append(route.request.url), route.abort())
    )
    for path in paths:
        tab = context.new_page()
        tab.goto(path.as_uri())
        tab.evaluate(REST)
        found += [f"{path.name}: left for {tab.url}"] * (tab.url != path.as_uri())
        found += [f"{path.name}: ran"] * tab.evaluate("window.hit !== undefined")
        found += [f"{path.name}: opened another"] * (len(context.pages) > 1)
        tab.close()
    context.close()
    return requests, found


def test_nothing_runs_and_nothing_is_asked_for(chromium, tmp_path):
    paths, cells = pages(INJECTIONS, tmp_path)
    assert len(cells) >= 5 * len(INJECTIONS)  # what only shows its text is not refused
    assert attempts(chromium, paths) == ([], [])


def test_a_page_that_was_tampered_with_still_runs_only_our_scripts(chromium, tmp_path):
    """The second lock: scripts planted into a finished page, past everything that refuses them, stay dead."""
    html, _ = ReportExporter().from_notebook_node(new_notebook(cells=[new_markdown_cell("# A")]))
    scripts = [text for text in INJECTIONS if not re.search("refresh|<noscript|<base", text, re.I)]
    (tmp_path / "a.html").write_text(html.replace("</main>", "".join(scripts) + "</main>", 1), encoding="utf-8")
    requests, found = attempts(chromium, [tmp_path / "a.html"])
    assert [one for one in found if "left" not in one] == [] and [url for url in requests if "x." in url] == []


def test_what_is_harmless_is_shown(tmp_path):
    """The test above would pass if nothing were ever accepted."""
    _, cells = pages(["a *word* and $x^2$"], tmp_path)
    assert len(cells) == len(list(carriers("a")))
    assert (tmp_path / "report.html").read_text().count("<em>word</em>") >= 4
