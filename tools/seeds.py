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
from banditlab.evidence.claims import spoken
from banditlab.evidence.verdicts import NOT_CONTRADICTED, OURS, REPRODUCED, UNDECIDED, UNTESTED
from banditlab.explorer.paper import find_paper, reading_order
from banditlab.report import ledger
from banditlab.report.page import write_text

CONTRADICT = "seeds contradict each other"
SHARED = "drawn instances"  # in the rule of a row whose seeds play the same ones: their errors are not independent


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
    title, note = block[1].strip().splitlines()[0], " ".join(block[1].rpartition("|\n")[2].split())
    ledger.merge_table(path, paper, title.removeprefix("## "), rows, note)


def judge_again(row, others):
    """Put verdicts by seed into a row, the verdict of all seeds together, and the numbers that decide it.

    What the committed seed found alone stays in the row as `own` where other numbers are shown, so that a row can be
    judged again.
    """
    verdict_alone = row.get("seeds", {}).get(str(row["seed"]), row["verdict"])
    seeds = [{**row, "verdict": verdict_alone, "measures": row.pop("own", row["measures"])}, *others]
    row["seeds"], row["measures"] = {str(one["seed"]): one["verdict"] for one in seeds}, seeds[0]["measures"]
    if (
        not row["measures"]
        or row["verdict"] == UNTESTED
        or any(len(o["measures"]) != len(row["measures"]) for o in others)
    ):
        return
    by_place = list(zip(*(one["measures"] for one in seeds), strict=True))
    if any({True, False} <= {one["answer"] for one in same} for same in by_place):
        row["verdict"], row["reading"] = UNDECIDED, f"{CONTRADICT}: {row['reading'].removeprefix(f'{CONTRADICT}: ')}"
        return
    shared, answers = SHARED in row["rule"], {}
    joint = [join(same, shared) for same in by_place]
    for same, answer in zip(by_place, joint, strict=True):
        answers.setdefault(same[0]["reading"], []).append(answer)
    judged, row["reading"] = verdict({reading: every(found) for reading, found in answers.items()})
    if judged == REPRODUCED and NOT_CONTRADICTED in row["seeds"].values():
        judged = NOT_CONTRADICTED
    row["verdict"] = OURS.get(judged, judged) if row["ours"] else judged
    shown = [
        same[0] if answer is same[0]["answer"] else tell(same, answer, shared, list(row["seeds"]))
        for same, answer in zip(by_place, joint, strict=True)
    ]
    if shown != row["measures"]:  # all seeds together say something else than the committed one
        row["own"], row["measures"] = row["measures"], shown
        row["statistic"] = spoken([measure_of(one) for one in shown], list(answers))


def tell(same, answer, shared, seeds):
    """The measure behind the joint answer of several seeds, with the seeds that it is from in its case."""
    one = pool(same, shared) if can_pool(same, shared) else None
    if one is None:
        place = [other["answer"] for other in same].index(answer)
        return {**same[place], "case": "; ".join(filter(None, [same[place]["case"], f"seed {seeds[place]}"]))}
    alike = next((other for other in same if other["answer"] is answer), {})
    counts = {key: alike.get(key, {"held": one.cases * (answer is True), "failed": int(answer is False)}[key])
              for key in ("held", "failed")}  # fmt: skip
    cases = " or ".join(dict.fromkeys(other["case"] for other in same if other["case"]))
    return one._replace(**counts, case="; ".join(filter(None, [cases, f"seeds {', '.join(seeds)} pooled"]))).row()


def join(same, shared=False):
    """One answer of several seeds. Counts have no error to pool: of "at least one" a single seed may be the witness."""
    if can_pool(same, shared):
        return pool(same, shared).answer
    counted, limits = is_count(same[0]), {tuple(limits_of(one).values()) for one in same}
    return (some if counted and limits == {((1, None), None)} else every)(one["answer"] for one in same)


def can_pool(same, shared=False):
    """Whether the numbers of several seeds are of one thing; the worst cases of seeds that differ in it refute none."""
    limits, cases = {tuple(limits_of(one).values()) for one in same}, {one["case"] for one in same}
    return len(limits) == 1 and not is_count(same[0]) and (len(cases) == 1 or pool(same, shared).answer is not False)


def is_count(measure):
    """Whether it says in how many cases something holds."""
    return measure["unit"].startswith("of ")


def pool(same, shared=False):
    """One measure of several seeds: the mean of its values; errors add up, in squares where they are independent."""
    first, every_seed = measure_of(same[0]), [measure_of(one) for one in same]
    value = math.fsum(one.value for one in every_seed) / len(same)
    add_up = math.fsum if shared else lambda errors: math.sqrt(math.fsum(error**2 for error in errors))
    down, up = (add_up(abs(getattr(one, end) - one.value) for one in every_seed) for end in ("low", "high"))
    return first._replace(value=value, low=value - down / len(same), high=value + up / len(same))


def measure_of(row):
    """The measure of a row of JSON, where no number stands for one that is not finite."""
    missing = {"value": math.nan, "low": -math.inf, "high": math.inf}
    numbers = {key: float_of(row[key], none) for key, none in missing.items()}
    return Measure(**{key: row[key] for key in Measure._fields} | numbers | limits_of(row))


def limits_of(measure):
    """Where a measure holds, and where it fails."""
    return {key: measure[key] and tuple(measure[key]) for key in ("holds", "fails")}


def float_of(value, missing):
    """The number, or what stands for it where JSON had none."""
    return missing if value is None else value


if __name__ == "__main__":
    sys.exit(main())
