"""Logged rounds as an environment: against a literal draw, the weighted means, and files that are wrong."""

import numpy as np
import pandas as pd
import pytest

import banditlab as bl
from banditlab import classic

ROWS = "arm,click,chance\nb,1,0.5\na,0,0.25\nb,0,0.5\na,1,0.75\nc,1,1\n"


def file(folder, text=ROWS, name="log.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_step_is_a_weighted_draw_from_the_arm_s_own_rewards():
    rng = np.random.default_rng(0)
    actions = np.concatenate([np.arange(3), rng.integers(3, size=97)])
    rewards, chances = rng.random(100), rng.uniform(0.1, 1, 100)
    world = classic.logged(actions, rewards, chances)
    for arm in range(3):
        mine, weights = rewards[actions == arm], 1 / chances[actions == arm]
        assert world.means[arm] == pytest.approx(mine @ weights / weights.sum(), rel=1e-12)
        shares = np.cumsum(weights) / weights.sum()
        u = np.random.default_rng(7)
        expected = [mine[np.flatnonzero(shares > u.random())[0]] for _ in range(200)]
        drawn = np.random.default_rng(7)
        assert [world.step(0, arm, t, drawn) for t in range(200)] == expected
    assert world.gaps.min() == 0 and world.actions() == 3


def test_a_bandit_learns_on_a_log(tmp_path):
    log = classic.read_log(file(tmp_path), "arm", "click")
    assert (log.names, log.actions.tolist()) == (["a", "b", "c"], [1, 0, 1, 0, 2])
    assert log.environment().means.tolist() == [0.5, 0.5, 1.0]
    result = bl.simulate(log.environment(), {"UCB1": classic.ucb1(3), "uniform": classic.uniform(3)}, 500, 10)
    assert result.paired("uniform", "UCB1")["low"].iloc[-1] > 0


def test_propensities_undo_the_choice(tmp_path):
    log = classic.read_log(file(tmp_path), "arm", "click", "chance")
    assert log.environment().means.tolist() == [(4 / 3) / (4 + 4 / 3), 0.5, 1.0]


def test_parquet(tmp_path, monkeypatch):
    path = tmp_path / "log.parquet"
    frame = pd.DataFrame({"arm": [3, 1, 3], "click": [1, 0, 0]})
    monkeypatch.setattr(pd, "read_parquet", lambda path, columns: frame[columns])
    assert classic.read_log(path, "arm", "click").names == [1, 3]

    def lacking(path, columns):
        raise ImportError("Unable to find a usable engine")

    monkeypatch.setattr(pd, "read_parquet", lacking)
    with pytest.raises(ImportError, match="reading parquet needs the package pyarrow"):
        classic.read_log(path, "arm", "click")


@pytest.mark.parametrize(
    "text, columns, told",
    [
        (ROWS, ("arm", "clicks"), "it has no clicks, but arm, click, chance"),
        (ROWS, ("arm", "arm"), "column 'arm' must hold numbers"),
        (ROWS, ("arm", "click", 3), "must be names of columns"),
        (ROWS.replace("a,0", "a,"), ("arm", "click"), "row 2 has no click"),
        (ROWS.replace("a,0", "a,x"), ("arm", "click"), "column 'click' must hold numbers"),
        ("arm,click\n", ("arm", "click"), "it has no rows"),
        ("", ("arm", "click"), "must be a table with columns arm, click"),
    ],
)
def test_files_that_are_wrong(tmp_path, text, columns, told):
    with pytest.raises((ValueError, TypeError), match=told):
        classic.read_log(file(tmp_path, text), *columns)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        classic.read_log(tmp_path / "absent.csv", "arm", "click")
