"""How far a claim holds: edges, pairs, what is refused, and what the search costs."""

import re
from pathlib import Path

import numpy as np
import pytest

from banditlab.evidence import Cases, Claims, exact, mean, refute
from banditlab.evidence.moving import moving
from banditlab.evidence.spending import spend_share, spending
from banditlab.study import Study

ROOT = Path(__file__).resolve().parents[2]
SPACE = {"x": [0, 1, 2, 3, 4, 5, 6], "y": [0, 1, 2, 3, 4, 5, 6], "elsewhere": [1, 2]}


def asked(play, below, **fixed):
    """A claim on the only cell of an experiment: it plays less than this."""
    study, claims = Study("Toy", "a toy", play, "", fixed=fixed, sizes=dict(quick={})), Claims("toy")

    @claims("X", "It is below.", "nowhere")
    def test(scale, seed):
        return Cases("it", exact(next(iter(study.results(scale, seed).values())))).below(below)

    return claims


def test_edges_on_both_sides_are_the_last_values_that_hold():
    edge, other = refute(asked(lambda x, y, seed: (x - 3) ** 2 + 0 * y, 2, x=3, y=0), "X", SPACE).edges
    assert (edge.name, edge.start, edge.low, edge.high) == ("x", 3, 2, 4)
    assert edge.below == (1, "not reproduced") and edge.above == (5, "not reproduced")
    assert (other.name, other.low, other.high, other.below, other.above) == ("y", 0, 6, None, None)


def test_a_verdict_that_nothing_keeps_fixed_has_no_edges():
    assert refute(asked(lambda z, seed: z, 2, z=1), "X", SPACE).edges == []


def test_two_numbers_together_are_nearer_than_one_alone():
    found = refute(asked(lambda x, y, seed: x * y, 5, x=0, y=0), "X", SPACE)
    assert all(edge.above is None for edge in found.edges)
    assert found.nearest == ({"x": 3, "y": 3}, "not reproduced")


def test_a_value_that_is_refused_ends_the_range_and_is_no_counterexample():
    def play(x, y, seed):
        if x > 4:
            raise ValueError(f"x={x}: must be at most 4")
        return 0 * y

    edge, _ = refute(asked(play, 1, x=1, y=1), "X", SPACE).edges
    assert (edge.high, edge.above) == (4, (5, "refused"))


def test_an_error_at_the_papers_own_values_is_raised():
    def play(x, seed):
        raise ValueError("x: must not be")

    with pytest.raises(ValueError, match="must not be"):
        refute(asked(play, 1, x=1), "X", SPACE)


def test_a_spent_budget_leaves_axes_out():
    claims = asked(lambda x, y, seed: x + y, 3, x=0, y=0)
    found = refute(claims, "X", SPACE, budget=3)
    assert found.tried == 3 and [edge.name for edge in found.edges] == ["x"] and found.edges[0].above[0] == 3


def test_the_nearest_values_that_decide_otherwise_are_named():
    found = refute(asked(lambda x, y, seed: max(x, 2 * y), 5, x=0, y=0), "X", SPACE)
    assert found.nearest == ({"y": 3}, "not reproduced")


def test_what_nobody_could_play_is_no_counterexample():
    def play(x, seed):
        if x > 4:
            raise ValueError(f"x={x}: must be at most 4")
        return x

    assert refute(asked(play, 9, x=1), "X", SPACE).nearest is None


def test_a_number_that_experiments_keep_at_different_values_stays_where_it_is():
    sizes = dict(sizes=dict(quick={}))
    one, two = (Study("Toy", "a toy", lambda x, seed: x, "", fixed=dict(x=x), **sizes) for x in (1, 2))
    with moving({}) as moved:
        one.results("quick"), two.results("quick")
    assert moved.met == {"x": None}


def test_every_value_spends_its_share_of_the_error():
    claims, shares = Claims("toy"), []

    @claims("X", "Its mean is below.", "nowhere", looks=1)
    def test(scale, seed):
        shares.append(spend_share())
        return Cases("it", mean(np.arange(20.0))).below(100)

    refute(claims, "X", SPACE, budget=8)
    assert shares[-1] == 1 / 8


def test_parts_of_the_error_nest():
    with spending(0.5), spending(0.25):
        assert spend_share() == 0.125
    assert spend_share() == 1.0


def test_experiments_are_played_at_the_moved_values_and_only_then():
    study = Study("Toy", "a toy", lambda x, seed: x, "", fixed=dict(x=1), sizes=dict(quick={}))
    with moving({"x": 7}) as moved:
        assert list(study.results("quick").values()) == [7] and study.numbers("quick").x == 7
    assert moved.met == {"x": 1}
    assert list(study.results("quick").values()) == [1] and study.numbers("quick").x == 1


def test_an_unknown_claim_is_named():
    with pytest.raises(ValueError, match=re.escape("id='Y': must be a claim of toy: X")):
        refute(asked(lambda x, seed: x, 2, x=1), "Y", SPACE)


def test_no_claim_reads_what_is_fixed_behind_the_back_of_who_moves_it():
    found = [path for path in ROOT.glob("notebooks/*/claims/*.py") if ".fixed[" in path.read_text(encoding="utf-8")]
    theory = ROOT / "notebooks/factored/claims/theory.py"  # A19 plays by itself what sliders start with
    assert found == [theory] and theory.read_text(encoding="utf-8").count(".fixed[") == 2
