"""A trace is a run of `simulate`, looked into."""

import json

import numpy as np
import pytest

import banditlab as bl
from banditlab import censored, classic, composite, factored, uplifting
from tests import toys
from tests.toys import broken

ARMS = classic.bernoulli([0.8, 0.6, 0.3])
PAIRS = {
    "with indices": (ARMS, classic.ucb1(3)),
    "without": (ARMS, classic.uniform(3)),
    "a vector": (factored.gaussian([[0.9, 0.4], [0.2, 0.8, 0.1]], 0.3), factored.fucb([2, 3], 0.3)),
    "a pair": (censored.poscorr(3, 5), censored.ucb(3, 5, censored.poscorr(3, 5).penalty)),
    "with a context": (
        uplifting.linear_campaign([[0.6, 0.2], [0.5, 0.4]], 8, 3),
        uplifting.greedy_bl(8, 2, 3, [0.6, 0.2]),
    ),
    "from outside": (ARMS, broken.Right(3)),
}


@pytest.mark.parametrize("every", [1, 7])
@pytest.mark.parametrize("name", PAIRS)
def test_a_trace_is_a_run_of_simulate(name, every):
    environment, policy = PAIRS[name]
    found = bl.trace(environment, policy, 60, seed=5, run=2, every=every)
    result = bl.simulate(environment, policy, 60, runs=3, seed=5, checkpoints=60)
    assert found.regret.tolist() == result.regret[0, 2, ::every].tolist()
    assert found.t.tolist() == list(range(0, 60, every))
    played = bl.record_run(environment, policy, 60, seed=5, run=2)
    assert found.actions.tolist() == played.actions[::every].tolist()
    assert len(found.frame) == len(found.t)


def test_a_trace_is_named_in_a_line():
    assert (
        repr(bl.trace(classic.bernoulli([0.2, 0.8]), classic.ucb1(2), 50)) == "Trace of UCB1: 50 of the rounds 1 to 50"
    )


def test_the_index_that_is_shown_is_the_one_that_is_played():
    found = bl.trace(ARMS, classic.ucb1(3), 500)
    estimate, radius, index = np.moveaxis(found.indices, 1, 0)
    known = ~np.isnan(index).any(axis=1)
    assert known.sum() > 490
    assert (index[known].argmax(axis=1) == found.actions[known]).all()
    assert np.allclose(estimate[known] + radius[known], index[known], rtol=1e-12)  # rounding of one sum
    assert found.frame["index 2"].equals(found.frame["estimate 2"] + found.frame["radius 2"])


def test_what_was_seen_is_written_down():
    found = bl.trace(toys.Scripted(np.arange(30.0).reshape(10, 3)), toys.Fixed(2, 0), 10)
    assert found.observations.tolist() == [3.0 * t + 2.0 for t in range(10)]
    assert found.actions.tolist() == found.world.tolist() == [2] * 10


def test_an_action_out_of_range_is_refused():
    with pytest.raises(IndexError, match="PastTheEnd, run 0, round 450, in past_the_end: action 3 outside 0 to 2"):
        bl.trace(ARMS, broken.PastTheEnd(3), 1000)


@pytest.mark.parametrize("name", ["with indices", "without"])
def test_the_figure_slides_without_a_kernel(name):
    environment, policy = PAIRS[name]
    found = bl.trace(environment, policy, 400)
    figure = json.loads(found.figure().to_json())
    (slider,) = figure["layout"]["sliders"]
    assert {step["method"] for step in slider["steps"]} == {"restyle"}
    assert slider["steps"][0]["label"] == "1" and slider["steps"][-1]["label"] == "400"
    assert len(figure["data"]) == 4
    assert figure["data"][1]["x"] == slider["steps"][slider["active"]]["args"][0]["x"][0]
    assert found.figure("UCB").layout.title.text == "UCB, round by round"
    for step in slider["steps"]:
        values, moved = step["args"]
        assert moved == [1, 2, 3]
        (row,) = [int(values["x"][0][0]) - 1]
        assert values["y"][0] == [round(found.regret[row], 4)]
        assert values["x"][2] == [found.actions[row]]
        assert len(values["y"][1]) == 3
        told = values["hovertext"][1]
        assert told is None if name == "without" else told == [f"index {v:.4g}" for v in found.indices[row, 2]]


def test_a_figure_of_real_limits_is_refused():
    world = censored.indep_interval(3)
    with pytest.raises(ValueError, match="ZRCUCB: its actions are no arms or options"):
        bl.trace(world, censored.zrcucb(3, 20, world.penalty), 20).figure()


@pytest.mark.parametrize("policy", [factored.fucb([2, 3], 0.3), factored.tea([2, 3])])
def test_a_figure_of_vectors_marks_an_option_of_each_component(policy):
    found = bl.trace(PAIRS["a vector"][0], policy, 200)
    assert found.labels == ["0.0", "0.1", "1.0", "1.1", "1.2"]
    stop = found.stop(150)
    assert stop["x"][2] == [found.actions[150, 0], 2 + found.actions[150, 1]]
    assert len(stop["y"][1]) == 5 and len(found.figure().data) == 4
    if found.indices is None:
        assert sum(stop["y"][1]) == pytest.approx(2, abs=1e-3)  # a share of the rounds for each component


def test_the_index_of_f_ucb_is_the_one_that_is_played():
    found = bl.trace(*PAIRS["a vector"], 300)
    index = found.indices[10:, 2]
    chosen = np.stack([index[:, :2].argmax(axis=1), index[:, 2:].argmax(axis=1)], axis=1)
    assert (chosen == found.actions[10:]).all()


def test_the_plan_of_f_track_empties():
    world, policy = factored.gaussian([[1.0, 0.5], [1.0, 0.5, 0.3]], 0.3), factored.ftrack([2, 3], 0.3, 2000)
    found = bl.trace(world, policy, 2000)
    planned = found.frame.filter(like="still planned").to_numpy()
    assert np.isnan(planned[: policy.warmup]).all()
    left = np.nansum(planned[policy.warmup :], axis=1)
    bad = (found.actions[policy.warmup :] != found.actions[-1]).sum(axis=1)
    assert left[0] > 10 and (left[:-1] - left[1:] == bad[:-1]).all()  # a bad choice is a round less of the plan


def test_coins_of_clw():
    """A round ends, and another arm may be drawn, only in a step that comes 2 d and more after heads."""
    world, d = composite.stochastic([0.9, 0.1], composite.interval(0, 3)), 3
    found = bl.trace(world, composite.clw(2, 4000, d), 4000)
    waited, chances = found.indices[:, 0, 2], found.indices[:, 0, :2]
    assert np.allclose(chances.sum(axis=1), 1)
    moved = np.flatnonzero((np.diff(chances, axis=0) != 0).any(axis=1))
    assert len(moved) > 50 and (waited[moved] >= 1 - 1 / (2 * d)).all()


def test_pairs_are_bars_named_by_their_second_choice():
    """RCUCB on one arm: a bar per limit, the triangle on the limit that is played; with two arms a bar per pair."""
    world = censored.indep(1, [0.2, 0.5, 0.9])
    found = bl.trace(world, censored.rcucb(1, world.limits, world.penalty, width="gain_only"), 200, seed=1)
    assert found.labels == ["0.2", "0.5", "0.9"] and found.indices.shape == (200, 3, 3)
    assert found.played[:, 0].tolist() == found.actions[:, 1].tolist()
    best = found.indices[1:, 2].argmax(axis=1)
    assert best.tolist() == found.played[1:, 0].tolist() and len(set(best.tolist())) > 1
    assert found.figure().layout.xaxis2.ticktext == ("0.2", "0.5", "0.9")
    world = censored.indep(2, [0.2, 0.5])
    found = bl.trace(world, censored.ucb(2, world.limits, world.penalty), 20, seed=1)
    assert found.labels == ["0: 0.2", "0: 0.5", "1: 0.2", "1: 0.5"]
    assert found.played[:4, 0].tolist() == [0, 1, 2, 3] and found.figure().layout.xaxis2.title.text == "pair"
