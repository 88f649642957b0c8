"""The ledger as a notebook has it, on a page that is built like JupyterLab's."""

import json

import pytest

from banditlab.evidence.ledger import Claim, Ledger
from tests.browser.lab import PATIENCE, open_browser
from tests.reports import ROOT

WIDTH = 914  # of an output where the window is 1366 wide and the file browser open
PAGE = """<body data-jp-theme-light="true"><div class="jp-Notebook" style="width: {width}px">
<div class="jp-RenderedMarkdown"><p>See (A7, T2b), claim A13 and <code>claim A7</code>; T1 alone, (A99).</p></div>
<div id="caption"></div>{ledger}</div></body>"""
CAPTION = '<div class="jp-RenderedMarkdown"><p>In the limit (T5) it <em>falls</em> (claim A10).</p></div>'


@pytest.fixture(scope="module")
def tab():
    """The committed ledger of a paper, with a text above it and room for a caption."""
    rows = json.loads((ROOT / "reports" / "claims-paper.json").read_text(encoding="utf-8"))
    claims = [Claim(*(row[name] for name in Claim._fields)) for row in rows if row["paper"] == "factored"]
    html = Ledger(claims)._repr_mimebundle_()["text/html"]
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.set_default_timeout(1000 * PATIENCE)
        page.set_content(PAGE.format(width=WIDTH, ledger=html))
        yield page


def links(tab):
    """The addresses of all links in texts and captions."""
    return tab.eval_on_selector_all(".jp-RenderedMarkdown a", "links => links.map(a => a.getAttribute('href'))")


def test_every_sentence_is_there_to_be_read(tab):
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"
    assert tab.eval_on_selector_all(".claims .sentence, .claims .verdict", cut) == []


def test_claims_that_texts_and_captions_name_lead_to_their_rows(tab):
    assert links(tab) == ["#claim-A7", "#claim-T2b", "#claim-A13"]
    tab.locator(".jp-RenderedMarkdown a", has_text="T2b").click()
    assert tab.eval_on_selector_all(".claims details[open]", "rows => rows.map(e => e.id)") == ["claim-T2b"]
    assert tab.evaluate("document.activeElement.parentElement.id") == "claim-T2b"
    for _ in range(2):  # the caption of one figure after another
        tab.evaluate("html => { document.getElementById('caption').innerHTML = html; }", CAPTION)
        tab.locator("#caption a").nth(1).wait_for()
        assert links(tab)[3:] == ["#claim-T5", "#claim-A10"]
    assert tab.inner_text("#caption") == "In the limit (T5) it falls (claim A10)."
