"""A sweep is `simulate`, cell by cell: the same bits, whatever is in flight."""

import itertools
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import banditlab as bl
from banditlab import classic
from banditlab.analysis import sweep
from banditlab.engine import scheduler
from banditlab.results import result_cache
from banditlab.user_code import code_identity
from tests import toys

GRID = {"gap": [0.1, 0.3], "arms": [2, 5]}
HORIZON, RUNS, SEED = 300, 6, 3


def instance(gap, arms):
    world = classic.bernoulli([0.5] * (arms - 1) + [0.5 + gap])
    return world, {"UCB1": classic.ucb1(arms), "uniform": classic.uniform(arms)}


def knowing(gap, horizon):
    return classic.bernoulli([0.5, 0.5 + gap]), {"EXP3": classic.exp3(2, horizon)}


@pytest.fixture(scope="module")
def found():
    return bl.sweep(instance, GRID, HORIZON, RUNS, SEED)


def test_every_cell_is_a_simulation(found):
    assert found.cells == [{"gap": g, "arms": k} for g in GRID["gap"] for k in GRID["arms"]]
    for cell, result in found:
        alone = bl.simulate(*instance(**cell), HORIZON, RUNS, SEED, 1)
        assert result.regret.tobytes() == alone.regret.tobytes()
        assert bl.simulate(**result.settings).regret.tobytes() == alone.regret.tobytes()


def test_the_frame_is_tidy(found):
    assert list(found.frame.columns) == ["gap", "arms", "policy", "run", "regret"]
    assert len(found.frame) == 4 * 2 * RUNS
    one = found.frame.query("gap == 0.3 and arms == 5 and policy == 'UCB1'")["regret"]
    assert one.tolist() == found.results[3].final_regret("UCB1").tolist()
    assert list(found.summary().columns)[:4] == ["gap", "arms", "policy", "t"]
    assert len(found.summary()) == 8


def test_an_executor_gives_the_same_bits(found):
    seen = []
    with ThreadPoolExecutor(3) as pool:
        other = bl.sweep(instance, GRID, HORIZON, RUNS, SEED, executor=pool, progress=seen.append)
    assert [r.regret.tobytes() for r in other.results] == [r.regret.tobytes() for r in found.results]
    assert seen == sorted(seen) and seen[-1] == 1.0


class AtOnce:
    """An executor that plays each task when it is given one."""

    def submit(self, function, *arguments):
        job = Future()
        job.set_result(function(*arguments))
        return job


def test_progress_counts_rounds(monkeypatch):
    """Not tasks or cells: of 100 and 900 rounds the first are a tenth."""
    ticks = itertools.count()
    monkeypatch.setattr(scheduler.time, "monotonic", lambda: next(ticks))
    seen = []
    bl.sweep(
        lambda: instance(0.1, 2), [{"horizon": 100}, {"horizon": 900}], 1, 1, executor=AtOnce(), progress=seen.append
    )
    assert seen == pytest.approx([0.05, 0.1, 0.55, 1.0, 1.0])


def test_few_tasks_are_in_flight_at_once(monkeypatch, found):
    """Else a million cells would have to be held by somebody."""
    monkeypatch.setattr(scheduler, "IN_FLIGHT", 3)
    most, jobs = [], set()
    with ThreadPoolExecutor(2) as pool:

        class Counted:
            def submit(self, *arguments):
                jobs.add(job := pool.submit(*arguments))
                most.append(sum(not job.done() for job in jobs))
                return job

        other = bl.sweep(instance, GRID, HORIZON, RUNS, SEED, executor=Counted())
    assert [r.regret.tobytes() for r in other.results] == [r.regret.tobytes() for r in found.results]
    assert max(most) <= 3


def test_tasks_follow_the_cost_and_hold_every_run_once():
    for runs in 1, 2, 9, 100, 1000:
        for seconds in 1e-6, 0.02, 0.5, 7.0:
            cut = scheduler.cut_into_tasks(runs, seconds)
            assert np.concatenate([[0], *cut]).tolist() == list(range(runs))
            assert all(len(part) == 1 or len(part) * seconds <= 1.01 * scheduler.TASK + seconds for part in cut)
    assert len(scheduler.cut_into_tasks(1000, 1e-6)) == 1


def test_policies_may_know_their_horizon():
    found = bl.sweep(knowing, {"gap": [0.2], "horizon": [50, 200]}, 1000, 3)
    assert [result.settings["horizon"] for result in found.results] == [50, 200]
    assert [result.settings["policies"]["EXP3"].horizon for result in found.results] == [50, 200]
    assert found.frame["horizon"].unique().tolist() == [50, 200]


def test_an_interrupted_sweep_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("BANDITLAB_KEEP", str(tmp_path))
    monkeypatch.setattr(code_identity, "stamp_sources", lambda: code_identity.STAMP)
    saved, save = [], result_cache.save_kept

    def counted(path, result):
        saved.append(result)
        save(path, result)

    def stop(fraction):
        if saved:
            raise KeyboardInterrupt

    monkeypatch.setattr(result_cache, "save_kept", counted)
    with pytest.raises(KeyboardInterrupt):
        bl.sweep(instance, GRID, 20_000, RUNS, progress=stop)
    done = len(saved)
    assert 0 < done
    again = bl.sweep(instance, GRID, 20_000, RUNS)
    assert len(saved) == 4 and again.found == done
    assert f"{4 - done} played now, {done} found" in repr(again)
    monkeypatch.delenv("BANDITLAB_KEEP")
    alone = bl.simulate(*instance(0.3, 5), 20_000, RUNS, 0, 1)
    assert again.results[3].regret.tobytes() == alone.regret.tobytes()


def test_slopes_of_exact_powers():
    """Regret x ** 1.5 has slope 1.5, whatever the runs; few equal runs tell nothing of its interval, many that it has
    no length."""

    def power(x):
        return classic.bernoulli([0.2, 0.8]), classic.uniform(2)

    for runs, ends in (3, (-np.inf, np.inf)), (100, (1.5, 1.5)):
        found = bl.sweep(power, {"x": [1.0, 2.0, 4.0]}, 10, runs)
        powers = [replace(one, regret=np.full_like(one.regret, cell["x"] ** 1.5)) for cell, one in found]
        found = sweep.Sweep(found.cells, powers)
        assert found.slope("x", "Uniform") == pytest.approx((1.5, *ends), rel=1e-9)


def test_figures(found):
    one = sweep.Sweep(found.cells[:2], found.results[:2])
    curve = one.curve("arms")
    assert [trace.name for trace in curve.data if trace.showlegend][0].startswith("UCB1: slope ")
    drawn = found.map("gap", "arms", "UCB1", "uniform")
    assert drawn.data[0].z.shape == (2, 2)
    assert (2.0 ** drawn.data[0].z[1, 1]) == pytest.approx(
        found.results[3].final_regret("UCB1").mean() / found.results[3].final_regret("uniform").mean()
    )
    assert [trace.name for trace in drawn.data[1:]] == ["decided", "undecided"]
    star = found.map("gap", "arms", "UCB1", "uniform", mark=(found.cells[3]["gap"], found.cells[3]["arms"])).data[-1]
    assert (star.name, star.x, star.y) == ("the paper's", (1,), (1,))
    with pytest.raises(ValueError, match="mark: gap=7 must be one of"):
        found.map("gap", "arms", "UCB1", "uniform", mark=(7, 2))
    with pytest.raises(ValueError, match="'arms' has several values too"):
        found.curve("gap")
    with pytest.raises(ValueError, match="'delta': must be one of the parameters"):
        found.curve("delta")


def test_columns_are_those_that_no_parameter_may_be_called(found):
    ratio = found.ratio("UCB1", "uniform")
    columns = dict.fromkeys(name for table in (found.frame, found.summary(), ratio) for name in table)
    assert set(columns) - set(GRID) == set(sweep.COLUMNS)


def test_an_array_is_one_value():
    """Of a cell, in each of its rows; not spread over them."""

    def worlds(means):
        return classic.bernoulli(means), {"UCB1": classic.ucb1(2), "uniform": classic.uniform(2)}

    for values in [[0.9, 0.5], [0.8, 0.1]], np.array([[0.9, 0.5], [0.8, 0.1]]):
        found = bl.sweep(worlds, {"means": values}, 50, 3)
        for table, rows in (found.frame, 6), (found.summary(), 2), (found.ratio("UCB1", "uniform"), 1):
            assert [list(value) for value in table["means"]] == [[0.9, 0.5]] * rows + [[0.8, 0.1]] * rows


def test_a_parameter_and_a_tally_of_one_name_are_refused():
    def world(wasted):
        return toys.Witness(np.array([0.5, 0.0]), 10), toys.Fixed(1, 2)

    found = bl.sweep(world, {"wasted": [1, 2]}, 10, 2)
    assert found.summary()["wasted"].tolist() == [1, 2]
    with pytest.raises(ValueError, match="'wasted' is a parameter of the sweep and a diagnostic: one of them must"):
        _ = found.frame


@pytest.mark.parametrize("level, error", [(95, ValueError), (0, ValueError), (np.nan, ValueError), ("x", TypeError)])
def test_a_level_is_one_everywhere(level, error, found):
    one = sweep.Sweep(found.cells[:2], found.results[:2])
    for call in (
        lambda: found.summary(level), lambda: found.ratio("UCB1", "uniform", level),
        lambda: found.map("gap", "arms", "UCB1", "uniform", level), lambda: one.slope("arms", "UCB1", level),
        lambda: one.curve("arms", level),
    ):  # fmt: skip
        with pytest.raises(error, match=f"level={level!r}: must be "):
            call()


def test_a_single_run_has_no_interval(found):
    alone = bl.sweep(instance, GRID, HORIZON)
    single = bl.sweep(instance, GRID, HORIZON, 1)
    caption = single.map("gap", "arms", "UCB1", "uniform").layout.meta["caption"]
    assert "contains 1, in 0, or there is none, in 4 (it takes two runs, and regret of uniform)" in caption
    assert "there is none" not in alone.map("gap", "arms", "UCB1", "uniform").layout.meta["caption"]
    assert sweep.Sweep(single.cells[:2], single.results[:2]).slope("arms", "UCB1")[1:] == (-np.inf, np.inf)


def words(word, arms):
    return instance(0.2, arms)


@pytest.mark.parametrize(
    "function, grid, call, told",
    [
        (words, {"word": ["a", "b"], "arms": [2, 5]}, lambda s: s.map("word", "arms", "UCB1", "uniform"), "word='a'"),
        (words, {"word": ["a", "b"], "arms": [2]}, lambda s: s.curve("word"), "word='a': must be a number"),
        (
            instance, {"gap": [0.1, 0.1], "arms": [2]}, lambda s: s.map("gap", "arms", "UCB1", "uniform"),
            r"gap, arms: \(0.1, 2\) stands in the grid 2 times, must be there once",
        ),
        (instance, {"gap": [0.1, 0.3], "arms": [2]}, lambda s: s.slope("typo", "UCB1"), "'typo': must be one of"),
        (instance, {"gap": [0.1, 0.3], "arms": [2]}, lambda s: s.slope("gap", "typo"), "policy='typo': must be one of"),
        (instance, {"gap": [0.0, 0.3], "arms": [2]}, lambda s: s.slope("gap", "UCB1"), "gap=0.0: must be finite and g"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn(function, grid, call, told):
    swept = bl.sweep(function, grid, 20, 2)
    with pytest.raises((TypeError, ValueError), match=told):
        call(swept)


def test_borders_run_between_cells_of_different_state():
    assert sweep.find_borders(np.array([[0, 1]])) == ([0.5, 0.5, None], [-0.5, 0.5, None])
    assert sweep.find_borders(np.zeros((2, 3))) == ([], [])


def lose(cell, result, **regret):
    """A result whose policies lose these numbers, run by run."""
    return replace(result, regret=np.array([regret[name] for name in result.policies])[:, :, None])


def test_a_level_is_written_as_it_was_given(found):
    one = sweep.Sweep(found.cells[:2], found.results[:2])
    for level, told in (0.95, "95%"), (0.995, "99.5%"), (0.55, "55%"), (0.9999999, "99.99999%"):
        assert f"({told})" in one.curve("arms", level).layout.meta["caption"]
        assert f"the {told} interval" in found.map("gap", "arms", "UCB1", "uniform", level).layout.meta["caption"]
        assert f"a {told} interval" in found.results[0].table(level=level)


def test_a_band_that_reaches_zero_is_drawn_as_far_as_the_axis():
    """Not to the mean, as if the policy could not lose less."""
    played = bl.sweep(instance, {"gap": [0.3], "arms": [2, 5]}, 10, 3)
    wide = sweep.Sweep(played.cells, [lose(*pair, UCB1=[1.0, 2.0, 90.0], uniform=[8.0, 9.0, 10.0]) for pair in played])
    figure, (low, *_) = wide.curve("arms"), wide.summary()["low"]
    band = next(trace for trace in figure.data if trace.name.startswith("UCB1") and trace.fill == "toself")
    least = wide.results[0].summary().query("policy == 'uniform'")["low"].item()
    assert low < 0 and list(band.y[2:]) == pytest.approx([least, least]) and least < 31
    said = figure.layout.meta["caption"]
    assert f"Those that reach 0 or below end at {least:.3g}, the least value shown." in said
    same = sweep.Sweep(played.cells, [lose(*pair, UCB1=[7.0, 8.0, 9.0], uniform=[8.0, 9.0, 10.0]) for pair in played])
    assert "0 or below" not in same.curve("arms").layout.meta["caption"]


@pytest.mark.filterwarnings("error")
def test_a_policy_that_loses_nothing_has_a_colour(found):
    lost = [[0.0] * RUNS, [1.0, 2.0] * 3, [4.0, 5.0] * 3, [0.0] * RUNS]
    free = [lose(*pair, UCB1=own, uniform=[2.0, 4.0] * 3) for pair, own in zip(found, lost, strict=True)]
    drawn = sweep.Sweep(found.cells, free).map("gap", "arms", "UCB1", "uniform")
    cells = drawn.data[0]
    assert np.ravel(cells.z) == pytest.approx([-1, np.log2(1.5), -1, -1]) and (cells.zmin, cells.zmax) == (-1, 1)
    assert (
        cells.customdata[0, 0, 0] == 0
        and "darkest blue is also where UCB1 loses nothing" in drawn.layout.meta["caption"]
    )
    nothing = [lose(*pair, UCB1=[0.0] * RUNS, uniform=[2.0, 4.0] * 3) for pair in found]
    cells = sweep.Sweep(found.cells, nothing).map("gap", "arms", "UCB1", "uniform").data[0]
    assert (cells.z == -1).all() and cells.colorbar.ticktext == ("0.50", "1.00", "2.00")
    assert "loses nothing" not in found.map("gap", "arms", "UCB1", "uniform").layout.meta["caption"]


@pytest.mark.parametrize(
    "mark, error, told",
    [(0.3, ValueError, "mark=0.3: must be "), ((0.3, 5, 7), ValueError, "mark has 3 entries: must have 2"),
     ("ab", TypeError, "mark='ab': must be ")],
)  # fmt: skip
def test_a_mark_is_a_pair_of_numbers(mark, error, told, found):
    with pytest.raises(error, match=told):
        found.map("gap", "arms", "UCB1", "uniform", mark=mark)


def test_ticks_tell_values_apart():
    gaps = [Fraction(1, 3), Fraction(1, 2)], [0.1, 0.1000001], [0.1, 0.30000000000000004]
    for values, told in zip(gaps, [("0.333333", "0.5"), ("0.1", "0.1000001"), ("0.1", "0.3")], strict=True):
        drawn = bl.sweep(lambda gap, arms: instance(float(gap), arms), {"gap": values, "arms": [2, 5]}, 20, 2)
        axes = drawn.map("gap", "arms", "UCB1", "uniform").layout
        assert axes.xaxis.ticktext == told and axes.yaxis.ticktext == ("2", "5")
