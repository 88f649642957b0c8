"""Further seeds are pooled with the committed one; only where they contradict each other is the claim undecided."""

import json

import pytest

from banditlab.evidence import Measure, every, verdict
from banditlab.evidence.verdicts import NOT_CONTRADICTED, OURS, REPRODUCED, UNTESTED
from banditlab.explorer.paper import find_paper
from banditlab.report import ledger
from tests.reports import ROOT, claim
from tools import seeds


def measured(low, high, **other):
    """A measure that holds above zero, as the ledger's rows have it."""
    return Measure("as printed", "lead", (low + high) / 2, low, high, (0, None), **other).row()


def row_of(seed, verdict, *measures, **other):
    return {
        **claim("factored", 1, scale="paper"),
        "seed": seed,
        "verdict": verdict,
        "measures": list(measures),
        **other,
    }


def rows_after(tmp_path, first, *others):
    rows = [first, claim("composite", 3, scale="paper")]
    (tmp_path / "claims-paper.json").write_text(json.dumps(rows))
    ledger.merge_table(tmp_path / "README.md", "factored", "The title", [first], "Seed 0; the note.")
    seeds.add(tmp_path, "factored", {row["seed"]: {row["id"]: row} for row in others})
    return json.loads((tmp_path / "claims-paper.json").read_text())


HOLDS, FAILS, OPEN = (1.0, 3.0), (-3.0, -1.0), (-0.5, 2.5)


def test_equal_verdicts_are_said_and_change_nothing(tmp_path):
    row, other = rows_after(tmp_path, *(row_of(seed, "reproduced", measured(*HOLDS)) for seed in range(3)))
    assert row["seeds"] == {"0": "reproduced", "1": "reproduced", "2": "reproduced"}
    assert row["verdict"] == "reproduced" and "seeds" not in other
    text = (tmp_path / "README.md").read_text()
    assert text.count("| 0, 1, 2: the same |") == 1 and "## The title" in text and "Seed 0; the note." in text


def test_seeds_that_contradict_each_other_are_undecided(tmp_path):
    rows = row_of(0, "reproduced", measured(*HOLDS)), row_of(1, "not reproduced", measured(*FAILS))
    row, _ = rows_after(tmp_path, *rows, row_of(2, "reproduced", measured(*HOLDS)))
    assert row["verdict"] == "undecided" and row["reading"].startswith("seeds contradict each other")
    assert "| 0: reproduced; 1: not reproduced; 2: reproduced |" in (tmp_path / "README.md").read_text()


@pytest.mark.parametrize("order", [(HOLDS, OPEN, HOLDS), (OPEN, HOLDS, HOLDS), (OPEN, OPEN, OPEN)])
def test_an_open_seed_is_lack_of_runs(tmp_path, order):
    words = {HOLDS: "reproduced", OPEN: "undecided"}
    row, _ = rows_after(tmp_path, *(row_of(i, words[ends], measured(*ends)) for i, ends in enumerate(order)))
    assert row["verdict"] == "reproduced"  # three open seeds of 1 +- 1.5 are one of 1 +- 0.87


def test_seeds_on_the_same_instances_narrow_nothing(tmp_path):
    """Three seeds of 1 +- 1.5 on the same drawn instances are no better than one: how these differ is in all three."""
    rows = (row_of(i, "undecided", measured(*OPEN), rule="lead: above 0; 40 drawn instances") for i in range(3))
    row, _ = rows_after(tmp_path, *rows)
    assert row["verdict"] == "undecided" and row["measures"][0]["answer"] is None
    same = [measured(*OPEN)] * 3
    assert (seeds.pool(same, shared=True).low, seeds.pool(same, shared=True).high) == OPEN
    assert seeds.pool(same).low > 0


def test_too_few_runs_in_all_seeds_stay_open(tmp_path):
    row, _ = rows_after(tmp_path, *(row_of(i, "undecided", measured(-3.0, 3.5)) for i in range(3)))
    assert row["verdict"] == "undecided"


def test_counts_of_another_total_are_not_pooled(tmp_path):
    """47 of 52 pairs and 49 of 54 hold by their own limits; their mean would be asked against the first one's."""
    exact = (Measure("as printed", "pairs", n, n, n, (n, None), unit=f"of {n + 4}").row() for n in (49.0, 47.0))
    rows = (row_of(i, "reproduced", one) for i, one in enumerate(exact))
    assert rows_after(tmp_path, *rows)[0]["verdict"] == "reproduced"


@pytest.mark.parametrize(
    ("needed", "held", "expected"),
    [
        (1, [(0, 1), (0, 0), (0, 0)], "undecided"),  # the mean of the ends, 1 / 3, would be below one
        (1, [(0, 0), (0, 0), (0, 0)], "not reproduced"),
        (1, [(1, 2), (0, 1), (1, 1)], "reproduced"),
        (3, [(3, 3), (2, 3), (3, 3)], "undecided"),
        (3, [(2, 3), (2, 2), (2, 2)], "not reproduced"),
    ],
)
def test_a_count_is_never_averaged(tmp_path, needed, held, expected):
    """Seeds choose other cases: where one is enough all seeds must fail, where more are needed one failing seed is."""
    counts = (Measure("as printed", "policies", *map(float, (a, a, b)), (needed, None), unit="of 3") for a, b in held)
    rows = (row_of(i, "undecided", one.row()) for i, one in enumerate(counts))
    assert rows_after(tmp_path, *rows)[0]["verdict"] == expected


def test_a_searched_sentence_and_one_of_ours_keep_their_words(tmp_path):
    rows = (row_of(i, "not contradicted", measured(*HOLDS)) for i in range(2))
    assert rows_after(tmp_path, *rows)[0]["verdict"] == "not contradicted"
    rows = (row_of(i, "found", measured(*HOLDS), ours=True) for i in range(2))
    assert rows_after(tmp_path, *rows)[0]["verdict"] == "found"


def test_an_end_without_limit_stays_one():
    pooled = seeds.pool([measured(1.0, 2.0), {**measured(1.0, 2.0), "high": None}])
    assert pooled.high == float("inf") and pooled.low > 0.5


CASES = dict(case="policy b", cases=3, held=2)


def test_a_row_shows_the_numbers_that_decide_it(tmp_path):
    """The committed seed leaves open what all together decide: its own interval would contradict the verdict."""
    first = row_of(0, "undecided", measured(-2.0, 0.5, **CASES))
    others = (row_of(i, "not reproduced", measured(*FAILS, **CASES, failed=1)) for i in (1, 2))
    row, _ = rows_after(tmp_path, first, *others)
    (one,) = row["measures"]
    assert row["verdict"] == "not reproduced" and one["answer"] is False and one["high"] < 0
    assert row["seeds"] == {"0": "undecided", "1": "not reproduced", "2": "not reproduced"}
    assert (one["cases"], one["held"], one["failed"]) == (3, 2, 1)
    said = "lead -1.58 [-2.21, -0.954] (policy b; seeds 0, 1, 2 pooled; 2 of 3 hold, 1 fail)"
    assert row["statistic"] == said and f"| {said} |" in (tmp_path / "README.md").read_text()


def test_a_row_judged_twice_is_the_same(tmp_path):
    first = row_of(0, "undecided", measured(-2.0, 0.5, **CASES))
    others = [row_of(i, "not reproduced", measured(*FAILS, **CASES, failed=1)) for i in (1, 2)]
    once, _ = rows_after(tmp_path, first, *others)
    seeds.add(tmp_path, "factored", {row["seed"]: {row["id"]: row} for row in others})
    assert json.loads((tmp_path / "claims-paper.json").read_text())[0] == once


def test_a_row_that_the_first_seed_decides_keeps_its_own_numbers(tmp_path):
    first = row_of(0, "reproduced", measured(*HOLDS))
    row, _ = rows_after(tmp_path, first, row_of(1, "undecided", measured(*OPEN)))
    assert (
        row["measures"] == json.loads(json.dumps(first["measures"]))
        and row["statistic"] == first["statistic"]
        and "own" not in row
    )


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((OPEN, OPEN, OPEN), "reproduced"),
        (((-2.5, 0.5),) * 3, "undecided"),  # the mean of three worst cases is no case that fails
        (((-2.5, 0.5), FAILS, FAILS), "not reproduced"),
        ((FAILS, FAILS, FAILS), "not reproduced"),
    ],
)
def test_worst_cases_that_differ_refute_nothing_together(tmp_path, ends, expected):
    words = {HOLDS: "reproduced", FAILS: "not reproduced"}
    rows = (row_of(i, words.get(one, "undecided"), measured(*one, case=f"policy {i}")) for i, one in enumerate(ends))
    row, _ = rows_after(tmp_path, *rows)
    assert row["verdict"] == expected
    answers = {"reproduced": True, "undecided": None, "not reproduced": False}
    assert row["measures"][0]["answer"] is answers[expected]


def test_a_seed_that_decides_alone_is_named(tmp_path):
    rows = (row_of(i, "undecided", measured(-2.5, 0.5, case="policy a")) for i in range(2))
    row, _ = rows_after(tmp_path, *rows, row_of(2, "not reproduced", measured(*FAILS, case="policy b")))
    assert row["statistic"] == "lead -2 [-3, -1] (policy b; seed 2)"


def test_committed_rows_say_what_their_measures_say():
    """A reading that all seeds together decide shows the numbers of all."""
    for row in json.loads((ROOT / "reports" / "claims-paper.json").read_text(encoding="utf-8")):
        answers = {}
        for measure in row["measures"]:
            answers.setdefault(measure["reading"], []).append(measure["answer"])
        if answers and row["verdict"] != UNTESTED:
            judged, reading = verdict({name: every(found) for name, found in answers.items()})
            known = {OURS.get(judged, judged) if row["ours"] else judged}
            assert row["verdict"] in known | ({NOT_CONTRADICTED} if judged == REPRODUCED else set()), row["id"]
            assert row["reading"] == reading, row["id"]


@pytest.mark.parametrize("paper", ["factored", "uplifting", "censored", "composite"])
def test_committed_rows_have_the_words_of_their_claims(paper):
    claims = find_paper(ROOT / "notebooks" / f"{paper}.ipynb").claims.claims
    rows = json.loads((ROOT / "reports" / "claims-paper.json").read_text(encoding="utf-8"))
    rows = {row["id"]: row for row in rows if row["paper"] == paper}
    for one in claims.asked:
        row = rows[one.id]
        assert row["rule"].endswith(one.note) and row["rule"].count("searched: ") <= 1, one.id
        own = one.sentence, one.quote, one.where, one.figure
        assert (row["sentence"], row["quote"], row["where"], row["figure"]) == own, one.id


def test_the_note_on_a_run_outlives_its_table(tmp_path):
    """It stands below the table, on one line or on several."""
    (tmp_path / "README.md").write_text(
        "# Reports\n\n<!-- toy -->\n## Toy\n\n| a |\n|---|\n| b |\n\nSeed 0;\n2 CPU s.\n"
    )
    seeds.replace_rows(tmp_path / "README.md", "toy", [row_of(0, "reproduced", measured(*HOLDS))])
    assert (tmp_path / "README.md").read_text().rstrip().endswith("\n\nSeed 0; 2 CPU s.")


def test_every_committed_table_says_of_which_run_it_is():
    text = (ROOT / "reports" / "README.md").read_text(encoding="utf-8")
    notes = [line for line in text.splitlines() if line.startswith("Seed 0; ")]
    assert len(notes) == 4 and all("CPU s of computing; commit" in line for line in notes)
