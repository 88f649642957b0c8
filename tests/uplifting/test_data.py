"""The loader: what it keeps, and what it refuses."""

import gzip

import numpy as np
import pandas as pd
import pytest
from uplifting import data


def rows(n=1000, seed=0):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({name: rng.uniform(low, high, n) for name, (low, high) in data.RANGES.items()})
    for name, share in (("treatment", 0.8), ("conversion", 0.01), ("visit", 0.1), ("exposure", 0.05)):
        table[name] = (rng.random(n) < share).astype(int)
    return table


def written(table, path):
    table.to_csv(path, index=False)
    return path


def test_keeps_all_visits_and_three_others_each(tmp_path):
    table = rows()
    pool = data.load(written(table, tmp_path / "a.csv"), progress=False)
    assert pool.visit.sum() == table["visit"].sum() and pool.visit.mean() == 0.25
    assert pool.name == f"a.csv, {len(pool.visit)} of 1,000 rows"
    assert pool.features.min() >= 0 and pool.features.max() <= 1
    low, high = table[data.FEATURES].min().to_numpy(), table[data.FEATURES].max().to_numpy()
    original = {tuple(row) for row in table[data.FEATURES].to_numpy().round(6)}
    people = [tuple(row) for row in (pool.features * (high - low) + low).round(6)]
    assert set(people) <= original and len(set(people)) == len(people), "drawn without replacement"


def test_chunks_and_compression_do_not_matter(tmp_path, monkeypatch):
    table = rows()
    whole = data.load(written(table, tmp_path / "a.csv"), progress=False)
    with gzip.open(tmp_path / "a.csv.gz", "wt") as file:
        table.to_csv(file, index=False)
    monkeypatch.setattr(data, "CHUNK", 97)
    parts = data.load(tmp_path / "a.csv.gz", progress=False)
    assert parts.visit.sum() == whole.visit.sum() and len(parts.visit) == len(whole.visit)


@pytest.mark.parametrize("size", [200, 2000, 3200, 4000, 20_000])
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_a_quarter_visits_and_people_come_from_all_over_the_file(size, share, tmp_path, monkeypatch):
    """Of 4,000 rows, `size` from below to above what there is of visits and of others.

    Mean position of visits and of others within 4 standard errors of the middle of theirs (drawn with replacement, so
    that the test is on the safe side).
    """
    monkeypatch.setattr(data, "CHUNK", 300)
    rng = np.random.default_rng(1)
    table = rows(4000).assign(f0=np.linspace(13.0, 26.0, 4000), visit=(rng.random(4000) < share).astype(int))
    pool = data.load(written(table, tmp_path / "a.csv"), rows=size, progress=False)
    visits = min(size // 4, table["visit"].sum(), (1 - table["visit"]).sum() // 3)
    assert pool.visit.mean() == 0.25 and pool.visit.sum() == visits
    for visited in (0, 1):
        places = pool.features[pool.visit == visited, 0]
        middle = np.linspace(0, 1, 4000)[table["visit"] == visited].mean()
        assert abs(places.mean() - middle) < 4 / np.sqrt(12 * len(places))


def test_progress_is_text_and_reaches_the_end(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(data, "CHUNK", 100)
    data.load(written(rows(), tmp_path / "a.csv"))
    shown = capsys.readouterr().err
    assert "a.csv" in shown and "100%" in shown


def test_the_stand_in():
    pool = data.stand_in()
    assert pool.name == data.STAND_IN and pool.features.shape == (5000, 12) and pool.features.max() <= 1
    assert pool.visit.mean() == 0.25 and pool.treatment.mean() == pytest.approx(0.86, abs=0.01)


def test_the_real_file_is_taken_where_it_is(tmp_path, monkeypatch):
    monkeypatch.delenv("BANDITLAB_DATA", raising=False)
    assert data.find() is None and data.pool().name == data.STAND_IN
    assert data.pool() is data.pool() and not data.pool().visit.flags.writeable
    monkeypatch.setenv("BANDITLAB_DATA", str(tmp_path))
    for other in ("criteo_uplift.csv.zip", "criteo_uplift.txt", "uplift.csv"):
        (tmp_path / other).write_text("no table")
    assert data.pool().name == data.STAND_IN
    written(rows(), tmp_path / "criteo_uplift_v2.csv")
    assert data.pool().name.startswith("criteo_uplift_v2.csv, ")


def test_the_file_is_read_once_until_it_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("BANDITLAB_DATA", str(tmp_path))
    written(rows(), tmp_path / "criteo_uplift.csv")
    first = data.pool()
    assert data.pool() is first
    with pytest.raises(ValueError, match="read-only"):
        first.visit[0] = 1.0
    written(rows(900), tmp_path / "criteo_uplift.csv")
    assert data.pool().name.endswith(" of 900 rows")


@pytest.mark.skipif(data.find() is None, reason="BANDITLAB_DATA names no folder with the Criteo uplift data")
def test_the_real_data():
    pool = data.pool()
    assert pool.name.startswith("criteo") and pool.visit.mean() == 0.25 and 0.8 < pool.treatment.mean() < 0.95


def changed(**columns):
    return rows(50).assign(**columns)


@pytest.mark.parametrize(
    "table, message",
    [
        (rows(50).drop(columns=["f3", "visit"]), "it has no f3, visit, but f0"),
        (rows(50).rename(columns={"f3": "g3"}), "it has no f3, but f0"),
        (changed(f1=12.5), "feature f1 is constant"),
        (changed(f0=[14.0, 1e9] + [15.0] * 48), r"row 2: f0=.*1000000000.*must be a number from 12.616 to 26.745"),
        (changed(f11=-0.1), "row 1: f11=.*must be a number from -1.384 to -0.169"),
        (changed(treatment=np.inf), "row 1: treatment=.*inf.*must be a whole number"),
        (changed(visit=2), r"row 1: visit=.*2.*must be 0 or 1"),
        (changed(treatment=0.5), "row 1: treatment=.*0.5.*must be a whole number"),
        (changed(f2=["a"] + [8.5] * 49), "row 1: f2='a'.*must be a number from"),
        (changed(f2=[8.3] * 7 + [np.nan] + [8.5] * 42), "row 8 has no f2"),
        (changed(visit=0), "must have a visit and three non-visits, has 0 and 50"),
        (changed(visit=[0, 0] + [1] * 48), "must have a visit and three non-visits, has 48 and 2"),
        (rows(50).iloc[:0], "it has no rows"),
    ],
)
def test_bad_files_are_refused(table, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        data.load(written(table, tmp_path / "bad.csv"), progress=False)


def test_an_empty_or_absent_file_is_refused(tmp_path):
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(ValueError, match="must be a table with columns f0, "):
        data.load(tmp_path / "empty.csv", progress=False)
    with pytest.raises(FileNotFoundError):
        data.load(tmp_path / "none.csv", progress=False)
    with pytest.raises(TypeError, match="path=None"):
        data.load(None)
    with pytest.raises(ValueError, match="rows=3"):
        data.load(tmp_path / "none.csv", rows=3)


def test_what_is_no_table_is_refused(tmp_path):
    packed = gzip.compress(rows().to_csv(index=False).encode())
    bad = {
        "cut.csv.gz": (packed[: len(packed) // 2], "is cut off or damaged"),
        "plain.csv.gz": (b"f0,f1", "is cut off or damaged"),
        "packed.csv": (packed, "is no UTF-8 text"),
        "header.csv": (b"f0,f1\n", "must be a table with columns"),
    }
    for name, (content, message) in bad.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=message):
            data.load(tmp_path / name, progress=False)
