"""What all papers share: order statistics, growing arrays, arms, files, tuning."""

import gzip
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uplifting import tuning

from banditlab import classic, io
from banditlab.building_blocks import indices, order_statistics
from banditlab.building_blocks.growing_arrays import double, double_rows

entries = st.lists(st.sampled_from([-1.5, 0.0, 0.25, 0.25, 1.0, 7.0]) | st.floats(-9, 9), min_size=1, max_size=12)


# Order statistics


@given(entries, st.data())
def test_kth_largest_is_what_a_sort_says(values, data):
    size = data.draw(st.integers(1, len(values)))
    rank = data.draw(st.integers(1, size))
    array = np.array(values)
    assert order_statistics.kth_largest(array, size, rank) == sorted(values[:size], reverse=True)[rank - 1]
    assert array[size:].tolist() == values[size:] and sorted(array[:size]) == sorted(values[:size])
    assert (array[:rank] >= array[rank - 1]).all() and (array[rank:size] <= array[rank - 1]).all()


@given(entries, st.data())
def test_median_is_numpys(values, data):
    size = data.draw(st.integers(1, len(values)))
    assert order_statistics.median_of_first(np.array(values), size) == pytest.approx(
        np.median(values[:size]), abs=1e-14
    )  # one rounding


@given(entries, st.data())
def test_sum_of_largest_is_what_a_sort_says(values, data):
    size = data.draw(st.integers(1, len(values)))
    rank = data.draw(st.integers(-1, size))
    expected = sum(sorted(values[:size], reverse=True)[: max(rank, 0)])
    assert order_statistics.sum_of_largest(np.array(values), size, rank) == pytest.approx(expected, abs=1e-12)


@given(entries, st.data())
def test_choose_takes_the_largest_and_of_equal_ones_the_first(values, data):
    budget, chosen = data.draw(st.integers(0, len(values))), np.full(len(values), 9)
    order_statistics.mark_largest(np.array(values), budget, np.zeros(len(values)), chosen)
    best = sorted(range(len(values)), key=lambda i: -values[i])[:budget]  # a stable sort
    assert np.flatnonzero(chosen).tolist() == sorted(best) and set(chosen.tolist()) <= {0, 1}


# Growing arrays


def test_doubled_arrays_keep_what_they_hold():
    assert double(np.array([1.0, 2.0])).tolist() == [1.0, 2.0, 0.0, 0.0]
    assert double_rows(np.array([[1.0, 2.0, 3.0]])).tolist() == [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]


# Arms


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, 1)), max_size=30), st.floats(0, 3))
def test_a_tally_holds_means_and_the_most_optimistic_arm_is_the_first_of_the_best(rewards, width):
    tally, seen = indices.new_tally(3), [[], [], []]
    for arm, reward in rewards:
        tally = indices.add_reward(tally, arm, reward)
        seen[arm].append(reward)
    untried = [arm for arm in range(3) if not seen[arm]]
    assert tally.pulls.tolist() == list(map(len, seen))
    for arm in set(range(3)) - set(untried):
        assert tally.means[arm] == pytest.approx(np.mean(seen[arm]), abs=1e-14)
    if untried and width > 0:
        assert indices.most_optimistic(tally, width) == untried[0]
    if not untried:
        index = tally.means + width / np.sqrt(tally.pulls)
        assert index[indices.most_optimistic(tally, width)] == pytest.approx(index.max(), abs=1e-14)


@given(entries)
def test_largest_is_the_first_largest(values):
    assert indices.place_of_largest(np.array(values)) == values.index(max(values))


def test_confidence_is_positive_from_the_first_round_on():
    assert indices.confidence(2.0, 0) == indices.confidence(2.0, 1) == np.sqrt(2.0 * np.log(2.0))
    assert indices.confidence(2.0, 9) == np.sqrt(2.0 * np.log(10.0))


@settings(deadline=None)
@given(st.lists(st.floats(-700, 700), min_size=1, max_size=6), st.floats(0, 1), st.floats(0.01, 50), st.integers(0, 99))
def test_a_draw_has_the_chances_it_writes_down(weights, gamma, scale, seed):
    chances, rng = np.zeros(len(weights)), np.random.default_rng(seed)
    arm = indices.draw_arm(np.array(weights), chances, gamma, scale, rng)
    powers = np.exp((np.array(weights) - max(weights)) / scale)
    assert chances == pytest.approx((1 - gamma) * powers / powers.sum() + gamma / len(weights), abs=1e-12)
    edges, uniform = np.cumsum(chances), np.random.default_rng(seed).random()  # one variate, by inversion
    expected = min(np.searchsorted(edges, uniform, side="right"), len(weights) - 1)
    assert arm == expected or np.isclose(edges, uniform).any()


# Files


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "a.txt"
    with io.open_whole(path, "w") as file:
        file.write("ä")
    assert path.read_bytes() == "ä".encode()
    with pytest.raises(KeyboardInterrupt):
        with io.open_whole(path) as file:
            file.write(b"half")
            assert path.read_bytes() == "ä".encode()
            raise KeyboardInterrupt
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"] and path.read_bytes() == "ä".encode()


TEXT = "a,b,c\n1,2.5,x\n3,4.5,y\n5,6.5,z\n"


def packed(folder, text=TEXT):
    """The same table in all packings."""
    (folder / "t.csv").write_text(text)
    (folder / "t.csv.gz").write_bytes(gzip.compress(text.encode()))
    with zipfile.ZipFile(folder / "t.csv.zip", "w") as file:
        file.writestr("t.csv", text)
    return [folder / name for name in ("t.csv", "t.csv.gz", "t.csv.zip")]


@pytest.mark.parametrize("chunk", [1, 2, 100])
def test_a_table_is_read_in_pieces_whatever_its_packing(chunk, tmp_path, capsys):
    for path in packed(tmp_path):
        pieces = list(io.read_pieces(path, ["b", "a"], chunk=chunk))
        assert max(map(len, pieces)) <= chunk
        assert pd.concat(pieces).to_dict("list") == {"b": [2.5, 4.5, 6.5], "a": [1, 3, 5]}
        assert pd.concat(pieces).index.tolist() == [0, 1, 2]
        assert [sum(piece["a"]) for piece in io.read_pieces(path, ["a"], chunk=3)] == [9]
        assert list(io.read_pieces(path, ["a"], read=lambda piece: int(piece["a"].sum()), chunk=2)) == [4, 5]
    assert not capsys.readouterr().err
    list(io.read_pieces(path, ["a"], progress=True))
    assert "t.csv.zip" in capsys.readouterr().err


def refused(piece):
    raise ValueError("row 2: a=3, must be even\nmore")


@pytest.mark.parametrize(
    "name, content, said, read",
    [
        ("t.csv", b"", "must be a table with columns a, b", None),
        ("t.csv", b"a,b\n", r"must be a table with columns a, b \(it has no rows\)", None),
        ("t.csv", b"a,c\n1,2\n", r"it has no b, but a, c\)", None),
        ("t.csv", b"a,b\n1,2\n3,\n", r"\(row 2 has no b\)", None),
        ("t.csv", b"a,b\n1,2,3\n", "Expected 2 fields in line 2, saw 3", None),
        ("t.csv", "a,b\n1,é\n".encode("latin-1"), "is no UTF-8 text", None),
        ("t.csv", b"a,b\n1,2\n", r"\(row 2: a=3, must be even\)$", refused),
        ("t.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 9, mtime=0)[:-10], "is cut off or damaged", None),
        ("t.csv.gz", b"a,b\n1,2\n", "is cut off or damaged", None),
        ("t.csv.zip", b"a,b\n1,2\n", "is cut off or damaged", None),
    ],
)
def test_a_damaged_table_is_one_clear_error(name, content, said, read, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=said) as caught:
        list(io.read_pieces(tmp_path / name, ["a", "b"], read))
    assert name in str(caught.value) and "\n" not in str(caught.value)


# Tuning


def test_the_standard_error_of_a_mean_is_the_known_one():
    values = np.random.default_rng(0).normal(size=100)
    found = tuning.standard_error(lambda runs: values[runs].mean(axis=-1), 100)
    # Tolerance: 2,000 draws tell a standard deviation to 1.6 %; six times that.
    assert found == pytest.approx(values.std() / 10, rel=0.1)


def test_tuning_takes_the_least_score_on_common_worlds():
    world = classic.bernoulli([0.9, 0.5])
    found = tuning.tune(world, lambda alpha: classic.ucb1(2, alpha), [0.2, 2.0, 40.0], 300, 20, seed=3)
    assert found.table["parameter"].tolist() == [0.2, 2.0, 40.0]
    for row in found.table.itertuples():
        final = found.final(row.parameter)
        assert (row.mean, row.std) == pytest.approx((final.mean(), final.std(ddof=1)))
        assert row.score == row.mean + row.std == tuning.score(final) and row.q95 == np.sort(final)[19]
    assert found.best == found.table.sort_values("score")["parameter"].iloc[0]
    assert found.edge == (found.best != 2.0)
    assert tuning.Tuned(2.0, found.table, found.result).edge is False
    loss, error = found.worse_by(40.0)
    assert loss == pytest.approx(found.table["score"].iloc[2] - found.table["score"].min()) and 0 < error < loss
    assert found.worse_by(found.best) == (0.0, 0.0)
