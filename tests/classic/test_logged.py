"""Logged rounds as an environment: against a literal draw, the weighted means, and files that are wrong."""

import numpy as np
import pandas as pd
import pytest

import banditlab as bl
from banditlab import classic
from banditlab.io import CHUNK

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
        (ROWS, ("arm", "arm"), r"reward, propensity: must be different columns, not \['arm', 'arm'\]"),
        (ROWS, ("arm", "click", "click"), r"must be different columns, not \['arm', 'click', 'click'\]"),
        (ROWS, ("arm", "click", 3), "must be names of columns"),
        (ROWS.replace("a,0", "a,"), ("arm", "click"), "row 2 has no click"),
        (ROWS.replace("a,0", "a,x"), ("arm", "click"), "column 'click' must hold numbers"),
        ("arm,click\n", ("arm", "click"), "it has no rows"),
        ("arm,click,click\na,1,0\n", ("arm", "click"), "it has click twice"),
        ("", ("arm", "click"), "must be a table with columns arm, click"),
    ],
)
def test_files_that_are_wrong(tmp_path, text, columns, told):
    with pytest.raises((ValueError, TypeError), match=told):
        classic.read_log(file(tmp_path, text), *columns)


def test_blanks_after_commas_make_no_other_arms(tmp_path):
    assert classic.read_log(file(tmp_path, "click, arm\n1, x\n0,x\n"), "arm", "click").names == ["x"]


@pytest.mark.parametrize("first", [["01", "02"], ["True", "False"], ["0.50", "2"]])
@pytest.mark.filterwarnings("error")
def test_arms_are_words_everywhere_where_a_later_piece_has_a_word(first, tmp_path):
    """As in a short file, whose arms keep their words as they stand."""
    short, long = "".join(f"{arm},1\n" for arm in first), "red,0\n"
    for times in 1, CHUNK // 2:
        log = classic.read_log(file(tmp_path, "arm,click\n" + short * times + long), "arm", "click")
        assert log.names == sorted([*first, "red"]) and len(log.actions) == 2 * times + 1
        assert log.rewards[-1] == 0 and log.names[log.actions[-1]] == "red"


def test_a_reward_that_is_no_number_is_refused_in_a_later_piece_as_in_a_short_file(tmp_path):
    for times in 1, CHUNK:
        for rows in ("a,True\n" * times + "b,2\n", "a,1\n" * times + "b,x\n"):
            with pytest.raises(ValueError, match="column 'click' must hold numbers"):
                classic.read_log(file(tmp_path, "arm,click\n" + rows), "arm", "click")


def test_whole_numbers_and_fractions_in_different_pieces_are_numbers(tmp_path):
    log = classic.read_log(file(tmp_path, "arm,click\n" + "1,0\n" * CHUNK + "1.5,0.5\n2,1\n"), "arm", "click")
    assert log.names == [1.0, 1.5, 2.0] and log.rewards[-2:].tolist() == [0.5, 1.0]


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        classic.read_log(tmp_path / "absent.csv", "arm", "click")


def log_of(rng, rounds=400):
    """Rounds with a context of three kinds, logged by a policy that leans on it; and what each arm is worth in each."""
    worth = np.array([[0.9, 0.1], [0.2, 0.6], [0.5, 0.4]])
    kinds = rng.integers(0, 3, rounds)
    leaning = np.array([[0.8, 0.2], [0.7, 0.3], [0.1, 0.9]])[kinds]
    actions = (rng.random(rounds) < leaning[:, 1]).astype(int)
    rewards = (rng.random(rounds) < worth[kinds, actions]).astype(float)
    return worth, kinds, actions, rewards, leaning[np.arange(rounds), actions]


def test_doubly_robust_estimates_cover_the_truth_and_a_model_makes_them_narrow():
    """A policy that plays the better arm of each kind earns (0.9 + 0.6 + 0.5) / 3 a round."""
    best, widths, inside = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), {}, {}
    for seed in range(100):
        worth, kinds, *log = log_of(np.random.default_rng(seed))
        models = {"none": None, "true": worth[kinds], "wrong": 1.0 - worth[kinds]}
        for name, model in models.items():
            low, high = classic.doubly_robust(*log, best[kinds], model).ends(0.95)
            widths.setdefault(name, []).append(high - low)
            inside.setdefault(name, []).append(low <= 2.0 / 3.0 <= high)
    # Tolerance: of 100 intervals of 95 %, at least 88 cover with chance 0.998.
    assert all(sum(covers) >= 88 for covers in inside.values()), inside
    assert np.mean(widths["true"]) < 0.8 * np.mean(widths["none"])


def test_doubly_robust_is_the_sum_that_the_paper_writes():
    rng = np.random.default_rng(0)
    actions, rewards, chances = rng.integers(0, 3, 20), rng.random(20), rng.uniform(0.2, 1.0, 20)
    target, guess = rng.dirichlet(np.ones(3), 20), rng.random((20, 3))
    terms = [
        sum(target[t, a] * guess[t, a] for a in range(3))
        + target[t, actions[t]] / chances[t] * (rewards[t] - guess[t, actions[t]])
        for t in range(20)
    ]
    assert classic.doubly_robust(actions, rewards, chances, target, guess).value == pytest.approx(np.mean(terms))
