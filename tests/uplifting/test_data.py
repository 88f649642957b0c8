"""The loader: what it keeps, and what it refuses."""

import gzip

import numpy as np
import pandas as pd
import pytest

from banditlab.uplifting import data


def rows(n=1000, seed=0):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.normal(5, 2, (n, 12)), columns=data.FEATURES)
    for name, share in (("treatment", 0.8), ("conversion", 0.01), ("visit", 0.1), ("exposure", 0.05)):
        table[name] = (rng.random(n) < share).astype(int)
    return table


def written(table, path):
    table.to_csv(path, index=False)
    return path


def test_keeps_all_visits_and_three_others_each(tmp_path):
    table = rows()
    pool = data.load(written(table, tmp_path / "a.csv"), progress=False)
    assert pool.name == data.REAL and pool.visit.sum() == table["visit"].sum() and pool.visit.mean() == 0.25
    assert pool.features.min() >= 0 and pool.features.max() <= 1
    low, high = table[data.FEATURES].min().to_numpy(), table[data.FEATURES].max().to_numpy()
    original = {tuple(row) for row in table[data.FEATURES].to_numpy().round(6)}
    assert {tuple(row) for row in (pool.features * (high - low) + low).round(6)} <= original


def test_chunks_and_compression_do_not_matter(tmp_path, monkeypatch):
    table = rows()
    whole = data.load(written(table, tmp_path / "a.csv"), progress=False)
    with gzip.open(tmp_path / "a.csv.gz", "wt") as file:
        table.to_csv(file, index=False)
    monkeypatch.setattr(data, "CHUNK", 97)
    parts = data.load(tmp_path / "a.csv.gz", progress=False)
    assert parts.visit.sum() == whole.visit.sum() and len(parts.visit) == len(whole.visit)


def test_a_small_pool_is_a_fair_sample(tmp_path, monkeypatch):
    """Mean row number of 40 samples of 40 of 1,000 rows within 4 standard errors of the middle."""
    monkeypatch.setattr(data, "CHUNK", 100)
    table = rows().assign(f0=np.arange(1000.0))
    path = written(table, tmp_path / "a.csv")
    means = [data.load(path, rows=40, seed=s, progress=False).features[:, 0].mean() for s in range(40)]
    assert len(data.load(path, rows=40, progress=False).visit) == 40
    assert abs(np.mean(means) - 0.5) < 4 * (1 / np.sqrt(12)) / np.sqrt(40 * 40) + 0.02  # visits are not spread evenly


def test_progress_is_text(tmp_path, capsys):
    data.load(written(rows(), tmp_path / "a.csv"))
    assert "a.csv" in capsys.readouterr().err


def test_the_stand_in():
    pool = data.stand_in()
    assert pool.name == data.STAND_IN and pool.features.shape == (5000, 12) and pool.features.max() <= 1
    assert pool.visit.mean() == 0.25 and pool.treatment.mean() == pytest.approx(0.86, abs=0.01)


def test_the_real_file_is_taken_where_it_is(tmp_path, monkeypatch):
    monkeypatch.delenv("BANDITLAB_DATA", raising=False)
    assert data.find() is None and data.pool().name == data.STAND_IN
    monkeypatch.setenv("BANDITLAB_DATA", str(tmp_path))
    assert data.pool().name == data.STAND_IN
    written(rows(), tmp_path / "criteo_uplift_v2.csv")
    assert data.pool().name == data.REAL


@pytest.mark.skipif(data.find() is None, reason="BANDITLAB_DATA names no folder with the Criteo uplift data")
def test_the_real_data():
    pool = data.pool()
    assert pool.name == data.REAL and pool.visit.mean() == 0.25 and 0.8 < pool.treatment.mean() < 0.95


def changed(**columns):
    return rows(50).assign(**columns)


@pytest.mark.parametrize(
    "table, message",
    [
        (rows(50).drop(columns=["f3", "visit"]), "has no column f3, visit"),
        (rows(50).rename(columns={"f3": "g3"}), "has no column f3"),
        (changed(f1=1.5), "feature f1 is constant"),
        (changed(visit=2), r"row 1: visit=.*2.*must be 0 or 1"),
        (changed(treatment=0.5), "row 1: treatment=.*0.5.*must be a whole number"),
        (changed(f2=["a"] + [1.0] * 49), "row 1: f2='a'.*must be a finite number"),
        (changed(f2=[1.0] * 7 + [np.nan] + [2.0] * 42), "row 8: f2=.*must be a finite number"),
        (changed(visit=0), "visit is the same in every row"),
        (rows(50).iloc[:0], "has no rows"),
    ],
)
def test_bad_files_are_refused(table, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        data.load(written(table, tmp_path / "bad.csv"), progress=False)


def test_an_empty_or_absent_file_is_refused(tmp_path):
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(ValueError, match="is empty"):
        data.load(tmp_path / "empty.csv", progress=False)
    with pytest.raises(FileNotFoundError):
        data.load(tmp_path / "none.csv", progress=False)
    with pytest.raises(ValueError, match="rows=3"):
        data.load(tmp_path / "none.csv", rows=3)
