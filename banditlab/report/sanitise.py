"""What may stand in a page: nothing that loads, runs or leads away by itself."""

import re

from bs4 import BeautifulSoup

from .page import ReportError

# The content policy of a page stops scripts and requests, but no policy stops a page from being left; so the elements
# that can lead away, and those that two parsers read differently, are refused wherever their names follow a "<".
REFUSED = re.compile(
    r"<[\s/]*(script|meta|base|i?frame|frameset|object|embed|applet|form|link|portal|fencedframe|template|noscript|"
    r"noembed|noframes|plaintext|xmp|title|textarea|html|head|body|foreignobject)\b",
    re.I,
)
NETWORK = re.compile(r"""@import|url\(\s*["']?(?!data:|#)[\w/.]""", re.I)
LOADING = ("src", "srcset", "poster", "data", "background", "xlink:href", "href", "ping", "formaction", "action")
LINKS = re.compile(r"\s*(#|https?:|mailto:|[\w./?=&%+-]*$)", re.I)


def harmless(html, where):
    """Return HTML of a notebook, or raise where it would load, run or lead away.

    Parameters
    ----------
    html : str
        A cell of text, or an output.
    where : str
        What it is, for the error.
    """
    if found := REFUSED.search(html):
        raise ReportError(f"{where} brings <{found[1].lower()}>; a report runs and embeds nothing of a notebook")
    for tag in BeautifulSoup(html, "html.parser").find_all(True):
        for name, value in tag.attrs.items():
            refuse_attribute(tag, name.lower(), " ".join(value) if isinstance(value, list) else value, where)
        code = (tag.get("style") or "") + (tag.get_text() if tag.name == "style" else "")
        if NETWORK.search(code):
            raise ReportError(f"{where} loads from the network ({NETWORK.search(code)[0]!r} in <{tag.name}>)")
    return html


def refuse_attribute(tag, name, value, where):
    """Raise where an attribute runs, loads or leads to anything but a page or a place."""
    if name.startswith("on") or name == "srcdoc":
        raise ReportError(f"{where} brings a script ({name} of <{tag.name}>)")
    if name not in LOADING or not value:
        return
    if name == "href" and tag.name in ("a", "area"):
        if not LINKS.match(value):
            raise ReportError(f"{where} links to {value[:60]!r}; only pages and places in this page can be linked to")
    elif not value.startswith(("data:", "#")):
        raise ReportError(f"{where} loads {value} ({name} of <{tag.name}>); a report must hold all it shows")
