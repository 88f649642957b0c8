"""``python -m tools.seeds``: does a verdict of the committed ledger depend on the seed?

Runs the paper-size ledger of each paper with further seeds and writes their verdicts beside the committed one. Where
they differ the claim is undecided, whatever seed 0 said.
"""

import argparse
import json
import os
import re
import sys
from pathlib import Path

from banditlab.evidence.claims import UNDECIDED
from banditlab.explorer.paper import find_paper, reading_order
from banditlab.report import ledger
from banditlab.report.page import write_whole

DIFFER = "differs between seeds"


def main(argv=None):
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.seeds", description=__doc__.partition("\n")[0])
    words = "notebooks to run (default: notebooks/*.ipynb)"
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK", help=words)
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2], help="further seeds (default: 1 2)")
    parser.add_argument("--out", type=Path, default=Path("reports"), help="folder of the reports (default: reports)")
    options = parser.parse_args(argv)
    os.environ.setdefault("BANDITLAB_KEEP", str((options.out / ".kept").resolve()))
    for path in options.notebooks or sorted(Path("notebooks").glob("*.ipynb"), key=reading_order):
        paper, judge = path.stem, find_paper(path).claims.ledger
        found = {seed: {claim.id: claim.verdict for claim in judge("paper", seed)} for seed in options.seeds}
        add(options.out, paper, found)
        print(f"{paper}: seeds {', '.join(map(str, options.seeds))}", flush=True)
    return 0


def add(out, paper, found):
    """Write the verdicts of further seeds into the committed rows and their table.

    Parameters
    ----------
    out : Path, folder of the reports
    paper : str, name of its folder
    found : dict of int to dict
        Seed to verdict by claim.
    """
    path = out / "claims-paper.json"
    rows = ledger.read(path)
    for row in rows:
        if row["paper"] == paper:
            steady(row, {str(seed): verdicts.get(row["id"]) for seed, verdicts in found.items()})
    write_whole(path, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    replace_rows(out / "README.md", paper, [row for row in rows if row["paper"] == paper])


def replace_rows(path, paper, rows):
    """Write the table of one paper anew, with the title and the note on its run as they are."""
    block = re.search(rf"<!-- {re.escape(paper)} -->\n(.*?)(?=<!-- \S+ -->|\Z)", path.read_text(encoding="utf-8"), re.S)
    lines = block[1].strip().splitlines()
    ledger.merge_table(path, paper, lines[0].removeprefix("## "), rows, lines[-1])


def steady(row, found):
    """Put verdicts by seed into a row; a claim whose verdicts differ is undecided."""
    own = row.get("seeds", {str(row["seed"]): row["verdict"]})
    row["seeds"] = {**own, **found}
    if len(set(row["seeds"].values())) > 1 and row["verdict"] != UNDECIDED:
        row["verdict"], row["reading"] = UNDECIDED, f"{DIFFER}: {row['reading']}"


if __name__ == "__main__":
    sys.exit(main())
