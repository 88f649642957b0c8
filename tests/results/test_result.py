"""Frames and intervals against pandas and scipy.stats; files that hold everything and run nothing."""

import copy
import dataclasses
import io
import json
import os
import stat
import subprocess
import sys
import zipfile
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import banditlab as bl
from banditlab import classic, composite, uplifting, validate
from banditlab.results import result as module
from banditlab.results import result_file, settings_json
from tests import toys

ARMS = classic.bernoulli([0.2, 0.5, 0.9])
POLICIES = {"UCB1": classic.ucb1(3), "uniform": classic.uniform(3)}


@pytest.fixture(scope="module")
def result():
    return bl.simulate(ARMS, POLICIES, 40, runs=7, seed=5, checkpoints=4)


# Frames.


def test_frame_has_a_row_for_every_policy_run_and_checkpoint(result):
    assert list(result.frame.columns) == ["policy", "run", "t", "regret"]
    expected = [
        (name, run, t, result.regret[p, run, k])
        for p, name in enumerate(POLICIES)
        for run in range(7)
        for k, t in enumerate([10, 20, 30, 40])
    ]
    assert list(result.frame.itertuples(index=False, name=None)) == expected


def test_final_has_a_row_for_every_policy_and_run():
    arms = toys.Witness(np.array([0.5, 0.0]), 10)
    result = bl.simulate(arms, {"A": toys.Fixed(1, 2), "B": toys.Listed(2)}, 10, runs=3)
    assert list(result.final.columns) == ["policy", "run", "regret", "first", "last", "wasted"]
    assert result.final["policy"].tolist() == ["A"] * 3 + ["B"] * 3
    assert result.final["run"].tolist() == [0, 1, 2] * 2
    assert result.final["regret"].tolist() == [*result.regret[0, :, -1], *result.regret[1, :, -1]]
    assert (result.final["wasted"][:3] > 0).all()
    assert result.final["wasted"][3:].isna().all()
    assert result.final["first"][:3].tolist() == result.final["first"][3:].tolist()


def test_tallies_may_be_arrays(tmp_path):
    """A diagnostic that is an array keeps its shape; frames show those that are numbers."""
    result = bl.simulate(toys.Witness(np.zeros(3), 5), {"A": Chart(3), "B": toys.Listed(3)}, 5, runs=4)
    result.save(tmp_path / "a.npz")
    for found in result, bl.load(tmp_path / "a.npz"):
        assert found.diagnostics["chart"].shape == (2, 4, 3, 2)
        assert found.diagnostics["chart"][0, 1].tolist() == [[5.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
        assert np.isnan(found.diagnostics["chart"][1]).all()
        assert list(found.final.columns) == ["policy", "run", "regret", "first", "last"]


class Chart(NamedTuple):
    """Always arm 0; counts its pulls in a table."""

    arms: int

    def init(self, rng):
        return np.zeros((self.arms, 2))

    def select(self, state, t, rng):
        return 0

    def update(self, state, action, observation, t, rng):
        state[action, 0] += 1.0
        return state

    def diagnostics(self, world, state):
        return {"chart": state}


def test_a_tally_has_one_shape():
    rows = {"A": [{"pulls": np.zeros(2)}], "B": [{"pulls": np.zeros(3)}]}
    with pytest.raises(
        ValueError, match=r"diagnostic 'pulls': has the shapes \(2,\), \(3,\); they must all be the same"
    ):
        module.Result.of({"policies": POLICIES}, np.array([1]), np.zeros((2, 1, 1)), rows, 0.0)


@pytest.mark.parametrize("key", ["policy", "run", "loss"])
def test_a_tally_takes_the_place_of_no_column(key):
    settings, rows = {"policies": POLICIES, "metric": "loss"}, {"A": [{key: 1.0}], "B": [{}]}
    with pytest.raises(ValueError, match=f"diagnostic '{key}': is a column of `final` already, must have another name"):
        module.Result.of(settings, np.array([1]), np.zeros((2, 1, 1)), rows, 0.0)


def test_quantity_names_what_is_measured(tmp_path):
    rewards = ARMS._replace(gaps=ARMS.means)
    found = bl.simulate(rewards, POLICIES, 40, 2, metric="cumulative reward")
    assert found.metric == "cumulative reward"
    assert list(found.frame.columns) == ["policy", "run", "t", "cumulative reward"]
    assert list(found.final.columns) == ["policy", "run", "cumulative reward"]
    assert found.final_regret("UCB1").tolist() == found.final["cumulative reward"][:2].tolist()
    found.save(tmp_path / "a.npz")
    assert bl.load(tmp_path / "a.npz").metric == "cumulative reward"
    for bad in ("", "t", "run", "policy", None, 3):
        with pytest.raises(ValueError, match="metric=.*: must be a non-empty string"):
            bl.simulate(rewards, POLICIES, 40, metric=bad)


def test_join_puts_policies_side_by_side(result):
    parts = [bl.simulate(ARMS, {name: policy}, 40, 7, 5, 4) for name, policy in POLICIES.items()]
    joined = parts[0].join(parts[1])
    assert joined.policies == list(POLICIES)
    assert joined.regret.tobytes() == result.regret.tobytes()
    assert joined.summary().equals(result.summary())
    assert bl.simulate(**joined.settings).regret.tobytes() == result.regret.tobytes()


def test_join_fills_what_only_one_side_counts():
    arms = toys.Witness(np.array([0.5, 0.0]), 10)
    both = bl.simulate(arms, {"A": toys.Fixed(1, 2), "B": toys.Listed(2)}, 10, 3)
    parts = [bl.simulate(arms, {name: policy}, 10, 3) for name, policy in both.settings["policies"].items()]
    joined = parts[0].join(parts[1])
    assert joined.final.equals(both.final)
    assert parts[1].join(parts[0]).final["wasted"].isna().tolist() == [True] * 3 + [False] * 3


@pytest.mark.parametrize(
    "changes, told",
    [
        ({"environment": classic.bernoulli([0.2, 0.5, 0.8])}, "other: has another environment"),
        ({"seed": 6}, r"another seed \(6, not 5\)"),
        ({"runs": 8}, r"another runs \(8, not 7\)"),
        ({"horizon": 80}, r"another horizon \(80, not 40\)"),
        ({"checkpoints": 5}, "its 5 checkpoints are not the 4"),
        ({}, "'UCB1', 'uniform' stands in both results"),
    ],
)
def test_join_refuses_what_does_not_belong_together(changes, told, result):
    settings = {**result.settings, **changes}
    with pytest.raises(ValueError, match=told):
        result.join(bl.simulate(**settings))
    with pytest.raises(TypeError, match="other=dict: must be a Result"):
        result.join({})


def test_of_policy(result):
    assert result.of_policy("uniform").tolist() == result.regret[1].tolist()
    for bad in "none", "", None, 0:
        with pytest.raises(ValueError, match=r"policy=.*: must be one of \['UCB1', 'uniform'\]"):
            result.of_policy(bad)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_summary_against_pandas_and_scipy(result, level):
    summary = result.summary(level)
    assert list(summary.columns) == ["policy", "t", "mean", "se", "low", "high", "median", "q95"]
    assert summary["policy"].tolist() == ["UCB1"] * 4 + ["uniform"] * 4
    groups = result.frame.groupby(["policy", "t"])["regret"]
    expected = pd.DataFrame(
        {
            "mean": groups.mean(),
            "se": groups.sem(),
            "median": groups.median(),
            "q95": groups.quantile(0.95),
        }
    )
    expected["low"], expected["high"] = scipy.stats.t.interval(level, 6, expected["mean"], expected["se"])
    found = summary.set_index(["policy", "t"]).sort_index()[expected.columns]
    pd.testing.assert_frame_equal(found, expected.sort_index(), rtol=1e-10)  # other orders of summation


def test_few_equal_runs_have_no_interval(result):
    """Events of one in twenty may be still to come; a hundred equal runs rule them out."""
    same = result.paired("UCB1", "UCB1")
    assert (same["mean"] == 0).all() and (same["se"] == 0).all() and same[["low", "high"]].isna().all(axis=None)
    many = result.statistics(np.ones((100, 4)))
    assert (many["low"] == 1).all() and (many["high"] == 1).all()


def test_paired_against_a_paired_test(result):
    paired = result.paired("uniform", "UCB1", 0.9)
    assert list(paired.columns) == ["t", "mean", "se", "low", "high", "median", "q95"]
    for k, row in enumerate(paired.itertuples()):
        a, b = result.regret[1, :, k], result.regret[0, :, k]
        test = scipy.stats.ttest_rel(a, b)
        interval = test.confidence_interval(0.9)
        assert row.t == (k + 1) * 10
        # Tolerance: other orders of summation.
        assert (row.mean, row.low, row.high) == pytest.approx(((a - b).mean(), *interval), rel=1e-9)
        assert row.mean / row.se == pytest.approx(test.statistic, rel=1e-9)
        assert row.median == pytest.approx(np.median(a - b), rel=1e-12)


def test_a_single_run_has_no_interval():
    summary = bl.simulate(ARMS, POLICIES, 20, checkpoints=2).summary()
    assert summary[["se", "low", "high"]].isna().all(axis=None)
    assert summary[["mean", "median", "q95"]].notna().all(axis=None)


def test_latex_prints_names_as_they_are():
    policies = {r"a_1^2\b": classic.uniform(3), "50% & #{~}$": classic.ucb1(3)}
    text = bl.simulate(ARMS, policies, 20, 3, metric="lost_% of a^2").table("latex")
    assert r"policy & lost\_\% of a\textasciicircum 2 \\" in text
    assert r"a\_1\textasciicircum 2\textbackslash b & $" in text
    assert r"50\% \& \#\{\textasciitilde \}\$ & $" in text


def test_markdown_prints_names_as_they_are():
    text = bl.simulate(ARMS, {"a|b": classic.uniform(3)}, 20, 3, metric="lost|won").table()
    assert text.startswith("| policy | lost&#124;won |\n|---|---|\n| a&#124;b | ")


def test_every_quantile_has_a_column_of_its_own(result):
    found = result.summary(quantiles=[0.95, 0.99999999, 1])
    assert list(found.columns[-3:]) == ["q95", "q99.999999", "q100"]


# Files.


def same(a, b):
    """Whether two results hold the same bits, settings and origin included."""
    return (
        a.regret.tobytes() == b.regret.tobytes()
        and a.regret.shape == b.regret.shape
        and a.checkpoints.tolist() == b.checkpoints.tolist()
        and a.checkpoints.dtype == b.checkpoints.dtype
        and a.origin == b.origin
        and a.final.equals(b.final)
        and list(a.settings) == list(b.settings)
    )


def test_a_file_holds_everything(result, tmp_path):
    result.save(tmp_path / "a.npz")
    loaded = bl.load(tmp_path / "a.npz")
    assert same(loaded, result)
    assert type(loaded.settings["environment"]) is classic.Bernoulli
    assert loaded.settings["environment"].means.tobytes() == ARMS.means.tobytes()
    assert loaded.settings["policies"] == POLICIES
    assert list(loaded.settings["policies"]) == list(POLICIES)
    again = bl.simulate(**loaded.settings)
    assert again.regret.tobytes() == result.regret.tobytes()


def test_equal_are_settings_and_numbers_bit_by_bit(result, tmp_path):
    result.save(tmp_path / "a.npz")
    assert bl.load(tmp_path / "a.npz") == result
    other = dataclasses.replace(result, regret=np.nextafter(result.regret, 9.0))
    assert other != result and result != dataclasses.replace(result, settings={**result.settings, "seed": 12})
    assert dataclasses.replace(result, origin={}) == result and result != "a result"
    rounds = f"{result.settings['runs']} runs of {result.settings['horizon']:,} rounds, seed {result.settings['seed']}"
    assert repr(result) == f"<Result: regret of {', '.join(result.policies)}; {rounds}>"


def test_a_saved_instance_per_run_plays_again(tmp_path):
    source = bl.random_instances(uplifting.paper_gaussian, reading="var80")
    settings = dict(environment=source, policies=POLICIES, horizon=3, runs=1, seed=0, checkpoints=3)
    made = module.Result(settings, np.arange(1, 4), np.zeros((2, 1, 3)), {}, {})
    made.save(tmp_path / "a.npz")
    assert bl.load(tmp_path / "a.npz").settings["environment"] == source


VALUES = {
    "numbers": [0, -1, 2**70, 0.1, -0.0, 1e-320, float("inf"), True, None, "ü"],
    "nested": {"a": (1, [2, (3.5, "x")]), "b": {}},
    "ragged": [np.arange(3.0), np.arange(4, dtype=np.int32), np.zeros((2, 0))],
    "scalars": (np.float32(0.1), np.int8(3), np.bool_(True)),
    "fortran": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_come_back_as_they_were(name, tmp_path):
    settings = {"policies": {}, "value": VALUES[name]}
    made = module.Result(settings, np.arange(1), np.zeros((0, 1, 1)), {}, {})
    made.save(tmp_path / "a.npz")
    assert alike(bl.load(tmp_path / "a.npz").settings, settings)


def alike(a, b):
    """Whether two values are of the same type and equal bit for bit."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, (np.ndarray, np.generic)):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes("A") == b.tobytes("A")
    return repr(a) == repr(b)


def test_nothing_is_pickled(result, tmp_path):
    result.save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as file:
        assert all(file[name].dtype != object for name in file.files)


@pytest.mark.parametrize("value", [object(), {1, 2}, np.array([None, "x"])], ids=["object", "set", "array of objects"])
def test_what_cannot_be_saved_is_named_and_leaves_no_file(value, tmp_path):
    settings = {"policies": {}, "value": value}
    with pytest.raises(TypeError, match="cannot be saved"):
        module.Result(settings, np.arange(1), np.zeros((0, 1, 1)), {}, {}).save(tmp_path / "a.npz")
    assert not list(tmp_path.iterdir())


class Outside(NamedTuple):
    arms: int
    table: np.ndarray

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return 0

    def update(self, state, action, observation, t, rng):
        return state


def test_a_class_from_outside_comes_back_where_its_module_is_imported(tmp_path, monkeypatch):
    result = bl.simulate(ARMS, {"A": Outside(3, np.arange(2.0)), "B": classic.uniform(3)}, 10)
    result.save(tmp_path / "a.npz")
    loaded = bl.load(tmp_path / "a.npz")
    assert type(loaded.settings["policies"]["A"]) is Outside
    assert bl.simulate(**loaded.settings).regret.tobytes() == result.regret.tobytes()
    monkeypatch.delitem(sys.modules, Outside.__module__)
    loaded = bl.load(tmp_path / "a.npz")
    assert same(loaded, result)
    description = loaded.settings["policies"]["A"]
    assert description["outside"].endswith("test_result:Outside")
    assert description["arms"] == 3
    assert description["table"].tolist() == [0.0, 1.0]
    assert loaded.settings["policies"]["B"] == classic.uniform(3)
    with pytest.raises(TypeError, match=r"policies\['A'\]"):
        bl.simulate(**loaded.settings)


CELL = """
class Edited(NamedTuple):
    means: np.ndarray
    def actions(self): return len(self.means)
    def reset(self, rng): return 0
    def step(self, world, action, t, rng): return float(rng.random() < self.means[action])
    def regret(self, world, action, t): return {} * (self.means.max() - self.means[action])
"""


def test_worlds_are_the_same_where_a_cell_was_run_again_and_others_where_it_was_edited(tmp_path, monkeypatch):
    def play(factor, name):
        scope = {"NamedTuple": NamedTuple, "np": np, "__name__": __name__}
        exec(CELL.format(factor), scope)
        monkeypatch.setattr(sys.modules[__name__], "Edited", scope["Edited"], raising=False)
        return bl.simulate(scope["Edited"](np.array([0.9, 0.5])), {name: classic.ucb1(2)}, 20, 3)

    first = play(1.0, "first")
    first.save(tmp_path / "first.npz")
    assert first.join(play(1.0, "again")).policies == ["first", "again"]
    assert bl.load(tmp_path / "first.npz").join(play(1.0, "again")).policies == ["first", "again"]
    edited = play(2.0, "edited")
    for one in first, bl.load(tmp_path / "first.npz"):
        with pytest.raises(ValueError, match="has another environment"):
            one.join(edited)


def test_what_is_read_of_a_result_does_not_change_it(result):
    before, mine = (result.frame, result.final), (result.frame, result.final)
    for array in (result.of_policy("UCB1"), result.checkpoints, *result.diagnostics.values()):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
    for table in mine:
        table["regret"] = 0.0
    copied = copy.deepcopy(result)
    copied.diagnostics["new"] = copied.settings["new"] = 0
    assert "new" not in result.diagnostics and "new" not in result.settings
    assert all(map(pd.DataFrame.equals, before, (result.frame, result.final)))


def test_a_function_from_outside_comes_back_as_a_description(tmp_path):
    result = bl.simulate(bl.random_instances(lambda seed, arms: ARMS, arms=3), classic.uniform(3), 10)
    result.save(tmp_path / "a.npz")
    loaded = bl.load(tmp_path / "a.npz")
    assert same(loaded, result) and loaded != result
    with pytest.raises(TypeError, match="^(environment|function)="):
        bl.simulate(**loaded.settings)
    with pytest.raises(ValueError, match="other: has another environment"):
        bl.compare(result, loaded)


def test_a_file_is_replaced_in_one_go(result, tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    result.save(path)
    before = path.read_bytes()

    def interrupted(file, **arrays):
        file.write(b"half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez", interrupted)
    with pytest.raises(KeyboardInterrupt):
        result.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_file_has_the_permissions_of_any_new_file(result, tmp_path):
    result.save(tmp_path / "a.npz")
    (tmp_path / "other").write_text("")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a.npz", "other")]
    assert modes[0] == modes[1]


def test_a_relative_path_will_do(result, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result.save("a.npz")
    assert same(bl.load("a.npz"), result)


# Files that are not what they seem.


def test_a_missing_file_is_an_ordinary_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        bl.load(tmp_path / "none.npz")


def test_a_file_cut_short_is_refused(result, tmp_path):
    path = tmp_path / "a.npz"
    result.save(path)
    whole = path.read_bytes()
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match="a.npz.*not a result written by banditlab, or damaged"):
            bl.load(path)


def test_a_byte_that_flipped_is_noticed_or_harmless(result, tmp_path):
    path = tmp_path / "a.npz"
    result.save(path)
    whole, refused = path.read_bytes(), 0
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            assert same(bl.load(path), result)
        except ValueError as error:
            assert "not a result written by banditlab, or damaged" in str(error)
            refused += 1
    assert refused > len(whole) / 7 / 3


def test_other_files_are_refused(tmp_path):
    (tmp_path / "text").write_text("policy,run,t,regret")
    np.save(tmp_path / "array.npy", np.zeros(3))
    np.savez(tmp_path / "arrays.npz", a=np.zeros(3))
    np.savez(tmp_path / "words.npz", text="[1, 2]", checkpoints=np.zeros(1), regret=np.zeros(1))
    for name in "text", "array.npy", "arrays.npz", "words.npz":
        with pytest.raises(ValueError, match=f"{name}.*not a result written by banditlab, or damaged"):
            bl.load(tmp_path / name)


def forged(result, path, environment):
    """A file whose environment is this description."""
    result.save(path)
    with np.load(path) as file:
        arrays = dict(file)
    head = json.loads(str(arrays["text"]))
    head["settings"]["pairs"][0] = ["environment", environment]
    return written(path, arrays, head)


def written(path, arrays, head):
    """A file of these arrays and this text, with the hash that belongs to them."""
    arrays = {**arrays, "text": np.array(json.dumps(head))}
    arrays.pop("digest")
    np.savez(path, **arrays, digest=np.array(result_file.hash_arrays(arrays)))
    return path


@pytest.mark.parametrize(
    "name",
    [
        "banditlab.results.result:os.mkdir",
        "banditlab.results.result:tempfile.mkdtemp",
        "os:mkdir",
        "banditlab_of_another:mkdir",
        "banditlab.results.result:Result",
        "banditlab.classic:bernoulli",
    ],
)
def test_a_file_can_run_nothing(name, result, tmp_path):
    """Only named tuples of the package are made."""
    target = tmp_path / "target"
    for fields in [["path", str(target)]], [["dir", str(tmp_path)]], [["means", [0.5]]]:
        with pytest.raises(ValueError, match="not a result written by banditlab, or damaged"):
            bl.load(forged(result, tmp_path / "a.npz", {"class": name, "fields": fields}))
    for path in tmp_path.iterdir():
        assert path.name == "a.npz"


@pytest.mark.parametrize(
    "description",
    [
        {"class": "banditlab.classic:Renamed", "fields": []},
        {"class": "banditlab.vanished:Bernoulli", "fields": []},
        {"class": "banditlab.classic:Bernoulli", "fields": [["other", 1]]},
        {"class": "banditlab.classic:Bernoulli"},
        {"name": "banditlab.classic:renamed"},
        {"array": 99},
    ],
    ids=str,
)
def test_what_another_version_wrote_is_refused_with_a_sentence(description, result, tmp_path):
    with pytest.raises(ValueError, match="a.npz.*not a result written by banditlab, or damaged"):
        bl.load(forged(result, tmp_path / "a.npz", description))


def told(head, **changes):
    """The text of a file, with other settings."""
    pairs = [[name, changes.get(name, value)] for name, value in head["settings"]["pairs"]]
    return {**head, "settings": {"pairs": pairs}}


def other(array, place, value):
    array = array.copy()
    array[place] = value
    return array


LIES = {  # what a file says that does not fit together: other arrays, other text
    "no settings": (lambda a: {}, lambda head: {**head, "settings": None}),
    "no policies": (lambda a: {}, lambda head: told(head, policies=None)),
    "fewer policies": (lambda a: {}, lambda head: told(head, policies={"pairs": [["UCB1", 0]]})),
    "more runs": (lambda a: {}, lambda head: told(head, runs=10**12)),
    "another horizon": (lambda a: {}, lambda head: told(head, horizon=10**12)),
    "no origin": (lambda a: {}, lambda head: {**head, "origin": 3}),
    "no text": (lambda a: {}, lambda head: None),
    "rounds cut short": (lambda a: {"checkpoints": a["checkpoints"][:-1]}, dict),
    "no rounds": (lambda a: {"checkpoints": a["checkpoints"][:0]}, dict),
    "rounds that do not ascend": (lambda a: {"checkpoints": a["checkpoints"][::-1]}, dict),
    "rounds that are no whole numbers": (lambda a: {"checkpoints": a["checkpoints"].astype(float)}, dict),
    "regret of another shape": (lambda a: {"regret": a["regret"][:, :1]}, dict),
    "regret of one dimension": (lambda a: {"regret": a["regret"].ravel()}, dict),
    "regret of whole numbers": (lambda a: {"regret": a["regret"].astype(int)}, dict),
    "regret that is no number": (lambda a: {"regret": other(a["regret"], (0, 0, 1), np.nan)}, dict),
    "infinite regret": (lambda a: {"regret": other(a["regret"], (0, 0, 1), np.inf)}, dict),
    "a diagnostic of another shape": (lambda a: {"diagnostic0": a["diagnostic0"][:, :1]}, dict),
    "a diagnostic of words": (lambda a: {"diagnostic0": np.full(a["diagnostic0"].shape, "x")}, dict),
    "a diagnostic too few": (lambda a: {}, lambda head: {**head, "diagnostics": ["pulls", "more"]}),
    "something else besides": (lambda a: {"more": np.zeros(3)}, dict),
    "objects": (lambda a: {"field0": np.array([None, {}])}, dict),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_does_not_fit_together_is_refused(lie, result, tmp_path):
    path = tmp_path / "a.npz"
    dataclasses.replace(result, diagnostics={"pulls": np.ones((2, 7))}).save(path)
    with np.load(path) as file:
        arrays = dict(file)
    head = json.loads(str(arrays["text"]))
    assert same(bl.load(written(path, arrays, head)), bl.load(path))
    changed, said = LIES[lie]
    with pytest.raises(ValueError, match="a.npz.*not a result written by banditlab, or damaged"):
        bl.load(written(path, {**arrays, **changed(arrays)}, said(head)))


def test_numbers_that_are_not_those_written_are_refused(result, tmp_path):
    path = tmp_path / "a.npz"
    result.save(path)
    with np.load(path) as file:
        arrays = dict(file)
    np.savez(path, **{**arrays, "regret": other(arrays["regret"], (0, 0, 1), 3.0)})
    with pytest.raises(ValueError, match="its numbers are not those that were written"):
        bl.load(path)


@pytest.mark.parametrize("count", [10**12, 10**15])
@pytest.mark.parametrize("name", ["regret", "field0", "text"])
def test_a_small_file_that_declares_much_is_refused_before_it_is_read(name, count, result, tmp_path, monkeypatch):
    """The header of an array is believed by numpy, which asks for the memory first."""
    path = tmp_path / "a.npz"
    result.save(path)
    with np.load(path) as file:
        arrays = dict(file)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (count,)})
    with zipfile.ZipFile(path, "w") as archive:
        for member, array in arrays.items():
            plain = io.BytesIO()
            np.save(plain, array)
            archive.writestr(f"{member}.npy", header.getvalue() if member == name else plain.getvalue())
    monkeypatch.setattr(np.lib.format, "read_array", lambda *args, **options: pytest.fail("an array was read"))
    with pytest.raises(ValueError, match=f"{name} declares the shape .{count},"):
        bl.load(path)


def test_an_archive_that_grows_beyond_memory_is_refused_before_it_is_read(result, tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    result.save(path)
    monkeypatch.setattr(validate, "BYTES", 100)
    with pytest.raises(ValueError, match=r"its arrays: would take [\d,]+ bytes, must be at most 100"):
        bl.load(path)


SEQUENCE = composite.adversarial(np.arange(60) % 3, composite.oblivious_delay(1, 1))
UNFIT = {  # environment and policy whose fields do not fit together
    "more arms than the world": (ARMS, classic.uniform(3)._replace(arms=10**9)),
    "an array cut short": (ARMS._replace(gaps=np.zeros(1)), classic.uniform(3)),
    "a world that ends before its horizon": (SEQUENCE._replace(horizon=10**9), classic.uniform(3)),
}


@pytest.mark.parametrize("what", UNFIT)
def test_settings_from_a_file_never_reach_foreign_memory(what, tmp_path):
    """No factory has seen whether they fit together: their indexing is checked. (Unchecked, it may end the process.)"""
    settings = dict(zip(("environment", "policies"), UNFIT[what], strict=True), horizon=10**6, runs=1, checkpoints=2)
    settings["policies"] = {"A": settings["policies"]}
    made = module.Result(settings, np.array([500_000, 10**6]), np.zeros((1, 1, 2)), {}, {"seconds": 0.0})
    made.save(tmp_path / "a.npz")
    code = f"import banditlab as bl; bl.simulate(**bl.load({str(tmp_path / 'a.npz')!r}).settings)"
    call = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert call.returncode == 1
    assert call.stderr.strip().splitlines()[-1].startswith(("IndexError: ", "ValueError: policies"))


def test_what_was_loaded_is_remembered_as_long_as_somebody_has_it(result, tmp_path):
    """A registry that only grows would hold the arrays of every file that was ever opened."""
    result.save(tmp_path / "a.npz")
    held = [bl.load(tmp_path / "a.npz").settings["environment"] for _ in range(3)]
    before = len(settings_json.strangers)
    for _ in range(300):
        bl.load(tmp_path / "a.npz")
    assert len(settings_json.strangers) <= 2 * before + 8
    assert all(map(settings_json.is_strange, held)) and not settings_json.is_strange(ARMS)


class Fixed(NamedTuple):
    """Plays the option that its array names."""

    option: np.ndarray

    def actions(self):
        return 2

    def init(self, rng):
        return np.zeros(1)

    def select(self, state, t, rng):
        return int(self.option[0])

    def update(self, state, action, observation, t, rng):
        return state


def test_settings_do_not_change_with_the_callers_array():
    option = np.zeros(1)
    result = bl.simulate(classic.bernoulli([0.2, 0.9]), Fixed(option), horizon=10, runs=1)
    option[0] = 1.0
    assert np.array_equal(bl.simulate(**result.settings).regret, result.regret)
