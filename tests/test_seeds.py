"""Verdicts of further seeds stand beside the committed ones; where they differ the claim is undecided."""

import json

from banditlab.report import ledger
from tests.reports import claim
from tools import seeds


def rows_after(tmp_path, *found):
    rows = [claim("factored", number, scale="paper") for number in (1, 2)]
    (tmp_path / "claims-paper.json").write_text(json.dumps([*rows, claim("composite", 3, scale="paper")]))
    ledger.merge_table(tmp_path / "README.md", "factored", "The title", rows, "Seed 0; the note.")
    for one in found:
        seeds.add(tmp_path, "factored", one)
    return json.loads((tmp_path / "claims-paper.json").read_text())


def test_equal_verdicts_are_told_and_change_nothing(tmp_path):
    same = {"C1": "reproduced", "C2": "reproduced"}
    first, second, other = rows_after(tmp_path, {1: same}, {2: same})
    assert first["seeds"] == {"0": "reproduced", "1": "reproduced", "2": "reproduced"}
    assert first["verdict"] == second["verdict"] == "reproduced" and "seeds" not in other
    text = (tmp_path / "README.md").read_text()
    assert text.count("| 0, 1, 2: the same |") == 2 and "## The title" in text and "Seed 0; the note." in text


def test_a_verdict_that_differs_is_undecided_for_ever(tmp_path):
    first, second, _ = rows_after(
        tmp_path, {1: {"C1": "not reproduced", "C2": "reproduced"}}, {2: {"C1": "reproduced"}}
    )
    assert (first["verdict"], first["reading"]) == ("undecided", "differs between seeds: a")
    assert first["seeds"] == {"0": "reproduced", "1": "not reproduced", "2": "reproduced"}
    assert second["seeds"]["2"] is None and second["verdict"] == "undecided"
    assert "| 0: reproduced; 1: not reproduced; 2: reproduced |" in (tmp_path / "README.md").read_text()
