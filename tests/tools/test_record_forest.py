"""The recorder on a tiny made-up table with very small forests; its files; bad input."""

import csv
import gzip

import numpy as np
import pytest
from censored.runs import SHAPE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from banditlab import censored
from tools import record_forest as record

NEEDED = "scikit-learn is not installed: pip install -e '.[forest]'"


@pytest.fixture
def table(tmp_path):
    """A made-up table of 40 houses as a CSV file."""
    rng = np.random.default_rng(0)
    path = tmp_path / "houses.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["Order", "Area", "Street", "Rooms", "SalePrice"])
        for k in range(40):
            area, street = rng.uniform(50, 200), rng.choice(["Grvl", "Pave", "NA"])
            writer.writerow([k, "" if k == 3 else round(area, 1), street, rng.integers(1, 6), round(1000 * area)])
    return path


SMALL = record.Sizes((2, 4), (1, 2), (3,), (0.55, 0.8))


def test_factors_and_missing_numbers_are_encoded(table):
    problem = record.ames(table)
    assert problem.rows.shape == (40, 3)  # the column that numbers the rows is left out
    assert problem.rows[3, 0] == np.median(np.delete(problem.rows[:, 0], 3))
    assert set(problem.rows[:, 1]) == {0.0, 1.0, 2.0} and problem.prices.max() > 100_000


def test_the_data_folder_is_searched(table, tmp_path, monkeypatch):
    (tmp_path / "ames_housing").mkdir()
    for name in record.FILES:
        path = tmp_path / name
        path.write_bytes(gzip.compress(table.read_bytes()) if path.suffix == ".gz" else table.read_bytes())
        monkeypatch.setenv("BANDITLAB_DATA", str(tmp_path))
        assert record.ames().rows.shape == (40, 3)
        path.unlink()


def test_the_papers_configurations():
    assert record.Sizes().arms() == 672
    assert tuple(map(len, record.Sizes())) == SHAPE


def fake(problem, seed, split, sizes, progress):
    """Measurements without scikit-learn."""
    rng = np.random.default_rng([seed, split])
    return rng.random(sizes.arms()), rng.uniform(1, 2, sizes.arms())


HOUSES = record.Problem(np.arange(40.0).reshape(20, 2), np.arange(20.0))


def test_a_recording_continues_where_it_stopped(tmp_path, monkeypatch):
    calls = []

    def measure(problem, seed, split, sizes, progress):
        calls.append(split)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return fake(problem, seed, split, sizes, progress)

    monkeypatch.setattr(record, "measure", measure)
    with pytest.raises(KeyboardInterrupt):
        record.record(HOUSES, tmp_path, 4, sizes=SMALL)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["split-0-000.npz", "split-0-001.npz"]
    (tmp_path / "split-0-000.npz").write_bytes(b"damaged")
    found = record.record(HOUSES, tmp_path, 4, sizes=SMALL)
    assert calls == [0, 1, 2, 0, 2, 3]
    monkeypatch.setattr(record, "measure", fake)
    assert np.array_equal(found.time, record.record(HOUSES, tmp_path / "other", 4, sizes=SMALL).time)
    loaded = censored.load_table(tmp_path / "recorded.npz")
    assert np.allclose(loaded.reward, found.reward, rtol=1e-6) and loaded.time.shape == (4, 8)
    assert censored.recorded(loaded, limits=3).gaps.shape == (8, 3)
    assert not list(tmp_path.glob("*.part"))


OTHER = record.Sizes((2, 4), (1, 2), (4,), (0.55, 0.8))  # as many forests, other ones


@pytest.mark.parametrize(
    "problem, seed, sizes",
    [
        (HOUSES._replace(rows=HOUSES.rows + np.eye(20, 2)), 0, SMALL),
        (HOUSES._replace(prices=HOUSES.prices[::-1].copy()), 0, SMALL),
        (HOUSES, 1, SMALL),
        (HOUSES, 0, OTHER),
    ],
    ids=["rows", "prices", "seed", "sizes"],
)
def test_recordings_are_not_mixed(tmp_path, monkeypatch, problem, seed, sizes):
    monkeypatch.setattr(record, "measure", fake)
    record.record(HOUSES, tmp_path, 2, sizes=SMALL)
    (tmp_path / "split-0-000.npz").rename(tmp_path / f"split-{seed}-000.npz")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ValueError, match=f"split-{seed}-000.npz: is of another recording"):
        record.record(problem, tmp_path, 2, seed, sizes)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_split_without_a_fingerprint_is_measured_again(tmp_path, monkeypatch):
    monkeypatch.setattr(record, "measure", fake)
    record.write(tmp_path / "split-0-000.npz", reward=np.full(8, 0.5), time=np.full(8, 9.0))
    assert record.record(HOUSES, tmp_path, 1, sizes=SMALL).time.max() < 2
    assert censored.load_table(tmp_path / "recorded.npz").time.shape == (1, 8)


def test_a_damaged_byte_is_noticed(tmp_path):
    """Any byte of a recorded table or of a compressed CSV file changed: an error that names the file, or no harm."""
    rng = np.random.default_rng(0)
    kept = rng.random((3, 8)), rng.uniform(1, 2, (3, 8))
    path = tmp_path / "table.npz"
    record.write(path, reward=kept[0], time=kept[1])
    lines = ["Area,SalePrice", *(f"{x:.3f},{k}" for k, x in enumerate(rng.random(30)))]
    readers = {
        path: (path.read_bytes(), lambda: censored.load_table(path), kept),
        tmp_path / "houses.csv.gz": (
            gzip.compress("\n".join(lines).encode()), lambda: record.ames(tmp_path / "houses.csv.gz"), None,
        ),
    }  # fmt: skip

    @settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(sorted(readers)), st.floats(0, 1, exclude_max=True), st.integers(0, 255), st.booleans())
    def flip(file, place, mask, cut):
        data, read, expected = readers[file]
        damaged, k = bytearray(data), int(place * len(data))
        damaged[k] ^= mask
        file.write_bytes(data)
        expected = read() if expected is None else expected
        file.write_bytes(damaged[:k] if cut else damaged)
        try:
            found = read()
        except ValueError as error:
            assert file.name in str(error) and (mask or cut)
        else:
            assert all(map(np.array_equal, found, expected)) and not cut

    flip()


def test_small_forests_are_measured(table, tmp_path):
    pytest.importorskip("sklearn", reason=NEEDED)
    from sklearn.ensemble import RandomForestRegressor

    problem = record.ames(table)
    reward, seconds = (part.reshape(tuple(map(len, SMALL))) for part in record.measure(problem, 0, 1, SMALL))
    assert (seconds > 0).all() and (np.diff(seconds, axis=0) > 0).all()
    order = np.random.default_rng([0, 1]).permutation(40)
    train, test = order[:28], order[28:]
    options = dict(max_features=2, min_samples_split=4, max_samples=0.8, random_state=1, n_jobs=1)
    forest = RandomForestRegressor(4, **options).fit(problem.rows[train], problem.prices[train])
    error = np.sqrt(np.mean((forest.predict(problem.rows[test]) - problem.prices[test]) ** 2))
    assert reward[1, 1, 0, 1] == pytest.approx(1 - error / np.ptp(problem.prices), rel=1e-9)


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "is empty"),
        ("a,b\n1,2\n", "no column SalePrice or Sale_Price"),
        ("a,SalePrice\n1,2\n", "1 rows: at least 10"),
        ("a,SalePrice\n" + "1,2\n" * 12, "column SalePrice: must not be all alike"),
        ("a,SalePrice\n" + "1,2\n" * 12 + "1\n", "row 13 has 1 columns: must have 2"),
        ("a,a,SalePrice\n" + "1,2,3\n" * 12, "column a: stands twice"),
        ("SalePrice,Order\n" + "1,2\n" * 12, "no column beside SalePrice, Order"),
        ("a,SalePrice\n" + "1,2\n" * 12 + "1,\n", "column SalePrice, row 13: '' must be a finite number"),
        ("a,SalePrice\n" + "1,2\n" * 12 + "1,x\n", "column SalePrice, row 13: 'x' must be a finite number"),
        ("a,SalePrice\n" + "1,2\n" * 12 + "1,inf\n", "column SalePrice, row 13: 'inf' must be a finite number"),
        ("b,a,SalePrice\n" + "x,1,2\n" * 12 + "x,nan,3\n", "column a, row 13: 'nan' must be a finite number"),
        ("b,a,SalePrice\n" + "x,1,2\n" * 12 + "x,-inf,3\n", "column a, row 13: '-inf' must be a finite number"),
        ("a,SalePrice\n1,2\n" + '"' + "x" * 200_000, "not a CSV file, or damaged"),
    ],
)
def test_bad_tables_are_refused(tmp_path, text, words):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        record.ames(path)


def test_the_command_says_what_is_missing(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    assert record.main([str(tmp_path)]) == 2
    assert "pip install" in capsys.readouterr().err


def test_the_command_refuses_a_missing_file(tmp_path, capsys):
    pytest.importorskip("sklearn", reason=NEEDED)
    assert record.main([str(tmp_path), "--data", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err
