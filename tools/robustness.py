"""``python -m tools.robustness``: how far does each claim hold?

Moves what each claim's experiments keep fixed along the notebook's sliders until the verdict changes, at quick size,
and writes what was found into ``reports/robustness.json``.
"""

import argparse
import json
import sys
import time
from pathlib import Path

from banditlab.evidence import refute
from banditlab.evidence.moving import moving
from banditlab.evidence.robustness import hash_question
from banditlab.evidence.verdicts import UNDECIDED, UNTESTED
from banditlab.explorer import Slider
from banditlab.explorer.paper import find_paper, reading_order
from banditlab.report.page import write_text

MOST, FEWEST = 40, 8  # how often a claim is judged; one that the seconds do not allow so often is left out
SECONDS = 60  # of a claim, as far as the paper's own values tell
POSITIONS = 17  # of a slider that are tried, at most


def main(argv=None):
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.robustness", description=__doc__.partition("\n")[0])
    words = "notebooks to ask (default: notebooks/*.ipynb)"
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK", help=words)
    parser.add_argument("--claims", nargs="+", default=[], metavar="ID", help="claims to ask (default: all)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("reports"), help="folder of the reports (default: reports)")
    options = parser.parse_args(argv)
    options.out.mkdir(parents=True, exist_ok=True)
    for notebook in options.notebooks or sorted(Path("notebooks").glob("*.ipynb"), key=reading_order):
        paper = find_paper(notebook)
        search_all(paper, options.claims, options.seed, options.out / "robustness.json")
    return 0


def search_all(paper, wanted, seed, path):
    """Ask the claims of a paper, the cheapest first, and write each row as it comes.

    Rows that are there stay, but for those whose claim has changed since.
    """
    claims = paper.claims.claims
    space = {name: thin(control) for name, control in paper.CONTROLS.items() if isinstance(control, Slider)}
    now = {(claims.paper, asked.id): hash_question(asked) for asked in claims.asked}
    rows = {(row["paper"], row["id"]): row for row in read_rows(path)}
    found = {
        key: row for key, row in rows.items() if row["paper"] != claims.paper or now.get(key) == row["fingerprint"]
    }
    prices = {}
    for asked in claims.asked:
        if asked.id in wanted or not (wanted or (claims.paper, asked.id) in found):
            if price := price_of(claims, asked, seed, space):
                prices[asked.id] = price
    for id, price in sorted(prices.items(), key=lambda item: item[1]):
        budget = min(MOST, int(SECONDS / price))
        if budget < FEWEST:
            print(f"{claims.paper} {id}: too dear, {price:.1f} s each time", flush=True)
            continue
        found[claims.paper, id] = search(paper, id, space, budget, seed)
        write_rows(path, found)
    if found.keys() < rows.keys():
        write_rows(path, found)


def write_rows(path, found):
    """Write the rows."""
    write_text(path, json.dumps(list(found.values()), indent=1, ensure_ascii=False) + "\n")


def read_rows(path):
    """The rows that are there already."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def price_of(claims, asked, seed, space):
    """CPU seconds of judging a claim once; None where nothing that it rests on moves, or nothing is decided."""
    began = time.process_time()
    with moving({}) as moved:
        row = claims.judge(asked, "quick", seed)
    moves = any(value is not None for name, value in moved.met.items() if name in space)
    decided = row.verdict not in (UNDECIDED, UNTESTED)
    return max(row.seconds, time.process_time() - began, 1e-3) if moves and decided else None


def search(paper, id, space, budget, seed):
    """How far one claim holds, as a row."""
    claims, began = paper.claims.claims, time.process_time()
    found = refute(claims, id, space, budget, seed=seed)
    seconds = round(time.process_time() - began, 1)
    said = f"{found.verdict}, {len(found.edges)} axes, judged {found.tried} times, {seconds} s"
    print(f"{claims.paper} {id}: {said}", flush=True)
    asked = next(one for one in claims.asked if one.id == id)
    return {
        **found._asdict(),
        "edges": [{**edge._asdict(), "symbol": paper.CONTROLS[edge.name].symbol} for edge in found.edges],
        "shown": settings(paper, asked.figure, found),
        "fingerprint": hash_question(asked),
        "scale": "quick",
        "seed": seed,
        "budget": budget,
        "seconds": seconds,
    }


def settings(paper, figure, found):
    """The sliders of the claim's figure at the nearest values that decide otherwise; none where there are none."""
    if found.nearest is None or figure not in paper.FIGURES:
        return {}
    opens = {name: value for name, value in paper.FIGURES[figure].opens.items() if name in paper.CONTROLS}
    return {**opens, **found.nearest[0]}


def thin(slider):
    """Positions of a slider, both ends among them."""
    positions = slider.positions()
    step = max(1, -(-(len(positions) - 1) // (POSITIONS - 1)))
    return [*positions[:-1:step], positions[-1]]


if __name__ == "__main__":
    sys.exit(main())
