"""``python -m tools.seeds``: do the verdicts of the committed ledger hold with further seeds?

Runs the paper-size ledger of each paper with further seeds, pools their measures with the committed ones, and judges
again. An open seed beside seeds that decide is lack of runs; only seeds that contradict each other undo a verdict.
"""

import argparse
import json
import math
import os
import re
import sys
from pathlib import Path

from banditlab.evidence import Measure, every, some, verdict
from banditlab.evidence.verdicts import NOT_CONTRADICTED, OURS, REPRODUCED, UNDECIDED, UNTESTED
from banditlab.explorer.paper import find_paper, reading_order
from banditlab.report import ledger
from banditlab.report.page import write_text

CONTRADICT = "seeds contradict each other"


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
        found = {seed: {row["id"]: row for row in judge("paper", seed).rows()} for seed in options.seeds}
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
        Seed to rows by id of the claim.
    """
    path = out / "claims-paper.json"
    rows = ledger.read_claims(path)
    for row in rows:
        if row["paper"] == paper:
            judge_again(row, [others[row["id"]] for others in found.values() if row["id"] in others])
    write_text(path, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    replace_rows(out / "README.md", paper, [row for row in rows if row["paper"] == paper])


def replace_rows(path, paper, rows):
    """Write the table of one paper anew, with the title and the note on its run as they are."""
    block = re.search(rf"<!-- {re.escape(paper)} -->\n(.*?)(?=<!-- \S+ -->|\Z)", path.read_text(encoding="utf-8"), re.S)
    lines = block[1].strip().splitlines()
    ledger.merge_table(path, paper, lines[0].removeprefix("## "), rows, lines[-1])


def judge_again(row, others):
    """Put verdicts by seed into a row, and the verdict of all seeds together."""
    seeds = [dict(row), *others]
    row["seeds"] = {str(one["seed"]): one["verdict"] for one in seeds}
    if (
        not row["measures"]
        or row["verdict"] == UNTESTED
        or any(len(o["measures"]) != len(row["measures"]) for o in others)
    ):
        return
    by_place = list(zip(*(one["measures"] for one in seeds), strict=True))
    if any({True, False} <= {one["answer"] for one in same} for same in by_place):
        row["verdict"], row["reading"] = UNDECIDED, f"{CONTRADICT}: {row['reading']}"
        return
    answers = {}
    for same in by_place:
        answers.setdefault(same[0]["reading"], []).append(join(same))
    judged, row["reading"] = verdict({reading: every(found) for reading, found in answers.items()})
    if judged == REPRODUCED and NOT_CONTRADICTED in row["seeds"].values():
        judged = NOT_CONTRADICTED
    row["verdict"] = OURS.get(judged, judged) if row["ours"] else judged


def join(same):
    """One answer of several seeds. Counts have no error to pool: of "at least one" a single seed may be the witness."""
    limits = {tuple(limits_of(one).values()) for one in same}
    counted = same[0]["unit"].startswith("of ")
    if len(limits) == 1 and not counted:
        return pool(same).answer
    return (some if counted and limits == {((1, None), None)} else every)(one["answer"] for one in same)


def pool(same):
    """One measure of several seeds: the mean of its values; independent errors add up in squares."""
    first = {key: value for key, value in same[0].items() if key != "answer"}
    value = math.fsum(float_of(one["value"], math.nan) for one in same) / len(same)
    down, up = (
        math.sqrt(
            math.fsum((float_of(one[end], side * math.inf) - float_of(one["value"], math.nan)) ** 2 for one in same)
        )
        for end, side in (("low", -1), ("high", 1))
    )
    return Measure(
        **{**first, **limits_of(first), "value": value, "low": value - down / len(same), "high": value + up / len(same)}
    )


def limits_of(measure):
    """Where a measure holds, and where it fails."""
    return {key: measure[key] and tuple(measure[key]) for key in ("holds", "fails")}


def float_of(value, missing):
    """The number, or what stands for it where JSON had none."""
    return missing if value is None else value


if __name__ == "__main__":
    sys.exit(main())
