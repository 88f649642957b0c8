"""What a search for the limits of claims has found, as a sentence of the ledger and as marks on sliders."""

import hashlib
import html
import inspect
import json
from urllib.parse import urlencode

from .questions import short
from .verdicts import DEPENDS, FOUND, NOT_CONTRADICTED, NOT_FOUND, NOT_REPRODUCED, OPEN, REFUSED, REPRODUCED

PLAIN = int | float | str  # values that a test may name
SAID = {REFUSED: "cannot be played", DEPENDS: DEPENDS}
STAYS = {
    REPRODUCED: "Holds", FOUND: "Holds", NOT_CONTRADICTED: "Not contradicted", NOT_REPRODUCED: "Fails",
    NOT_FOUND: "Fails", DEPENDS: "Depends on the reading",
}  # fmt: skip


def hash_question(asked):
    """What a claim asks: its sentence, the source of its test, and the plain values that this names."""
    test = asked.test
    plain = {name: value for name in test.__code__.co_names if isinstance(value := test.__globals__.get(name), PLAIN)}
    text = repr((asked.sentence, read_source(test), sorted(plain.items())))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def read_source(function):
    """The source of a function; empty where nobody can read it."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return ""


def read_limits(reports, paper, asked):
    """How far the claims of a paper hold, by their ids: those that were searched and ask the same now.

    Parameters
    ----------
    reports : Path or None
        Folder in which ``python -m tools.robustness`` wrote its file; none where nobody searched.
    paper : str
    asked : list of Asked
    """
    path = reports and reports / "robustness.json"
    if not path or not path.exists():
        return {}
    marks = {one.id: hash_question(one) for one in asked}
    try:
        rows = [row for row in json.loads(path.read_text(encoding="utf-8")) if row["paper"] == paper and row["edges"]]
        return {row["id"]: row for row in rows if row["fingerprint"] == marks.get(row["id"])}
    except (ValueError, LookupError, TypeError) as error:
        raise ValueError(f"robustness={str(path)!r}: must hold what `python -m tools.robustness` writes") from error


def describe_limits(found, slides="", verdict=""):
    """How far a claim holds, in words, as HTML.

    Parameters
    ----------
    found : dict
        Row of the file.
    slides : str
        Figure of the page on which the nearest values that decide otherwise can be set; empty where there is none.
    verdict : str
        That the page believes; where the search began with another one this is said. Empty for no matter which.

    Examples
    --------
    >>> edges = [{"symbol": "σ", "start": 1, "low": 0, "high": 2, "below": None, "above": [3, "not reproduced"]}]
    >>> row = {"verdict": "reproduced", "edges": edges, "nearest": None, "tried": 9, "budget": 9, "scale": "quick"}
    >>> describe_limits({**row, "seed": 0})  # doctest: +ELLIPSIS
    'Holds for σ ≤ 2; not reproduced at σ = 3. Each number was moved alone, ...'
    """
    text = f"{STAYS[found['verdict']]} for {', '.join(map(describe_reach, found['edges']))}"
    beyond = {}
    for edge in found["edges"]:
        for value, there in filter(None, (edge["below"], edge["above"])):
            beyond.setdefault(SAID.get(there, there), []).append(f"{spell_symbol(edge)} = {short(value)}")
    said = html.escape("; ".join([text, *(f"{there} at {', '.join(at)}" for there, at in beyond.items())]))
    if verdict not in ("", found["verdict"]):
        said = f"At {found['scale']} size it is {html.escape(found['verdict'])}: {said[0].lower()}{said[1:]}"
    return f"{said}. {name_nearest(found, slides)}{html.escape(describe_search(found))}"


def describe_reach(edge):
    """The range of one number that has the verdict."""
    low, high, symbol = short(edge["low"]), short(edge["high"]), spell_symbol(edge)
    if edge["below"] is None and edge["above"] is None:
        return f"any {symbol} tried ({low} to {high})"
    if edge["low"] == edge["high"]:
        return f"{symbol} = {low}"
    if edge["below"] is None:
        return f"{symbol} ≤ {high}"
    return f"{symbol} ≥ {low}" if edge["above"] is None else f"{low} ≤ {symbol} ≤ {high}"


def spell_symbol(edge):
    """A number in the middle of a sentence."""
    symbol = edge["symbol"]
    return symbol[0].lower() + symbol[1:] if symbol[1:2].islower() else symbol


def name_nearest(found, slides):
    """The nearest values that decide otherwise, as a link where the page has sliders for them."""
    if found["nearest"] is None:
        return ""
    values, verdict = found["nearest"]
    symbols = {edge["name"]: spell_symbol(edge) for edge in found["edges"]}
    words = html.escape(", ".join(f"{symbols[name]} = {short(value)}" for name, value in values.items()))
    if slides and found["shown"]:
        words = f'<a href="#{html.escape(urlencode({"figure": slides, **found["shown"]}))}">{words}</a>'
    what = "Nearest counterexample" if STAYS[found["verdict"]] in ("Holds", "Not contradicted") else "Nearest change"
    return f"{what}: {words} ({html.escape(verdict)}). "


def describe_search(found):
    """What was searched."""
    spent = ", when the budget was spent" if found["tried"] >= found["budget"] else ""
    return (
        f"Each number was moved alone, then two together, the others as in the paper; judged {found['tried']} times at "
        f"{found['scale']} size{spent}, seed {found['seed']}, jointly at 95 %."
    )


def list_edges(limits, figure, asked):
    """Where on the sliders of a figure its claims change: (values, words, whether it is decided there, the sentence).

    Parameters
    ----------
    limits : dict
        As of `read_limits`.
    figure : str
        As the explorer names it.
    asked : list of Asked
    """
    return [
        (values, describe_edge(one.id, limits[one.id], there), there not in OPEN, one.sentence)
        for one in asked
        for values, there in (list_changes(limits[one.id]) if one.figure == figure and one.id in limits else ())
    ]


def list_changes(found):
    """Pairs of values and verdict: the ends of what keeps a verdict, and the nearest values that decide otherwise."""
    changes = [({one["name"]: end[0]}, end[1]) for one in found["edges"] for end in (one["below"], one["above"]) if end]
    nearest = [tuple(found["nearest"])] if found["nearest"] else []
    return changes + [one for one in nearest if one not in changes]


def describe_edge(id, found, there):
    """What begins at an edge, in a few words."""
    ends = {} if there in OPEN else {"Holds": "stops holding", "Fails": "stops failing"}
    stops = ends.get(STAYS[found["verdict"]])
    return f"{id} {stops} here" if stops else f"{id} {SAID.get(there, f'is {there}')} from here on"
