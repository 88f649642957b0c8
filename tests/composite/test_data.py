"""Loaders: small files written here, the real sample where it is, every way a file can be wrong; the stand-ins."""

import gzip
import os
import tracemalloc
import zipfile
from pathlib import Path

import composite as experiments
import numpy as np
import pytest
from composite import data

CLICKS = "display_id,ad_id,clicked\n3,30,1\n1,10,1\n1,20,0\n2,20,1\n4,10,1\n5,10,1\n6,50,1\n"
CONTENT = "ad_id,document_id,campaign_id,advertiser_id\n10,100,1,7\n20,200,2,8\n30,300,2,7\n50,500,3,9\n"
CATEGORIES = "document_id,category_id,confidence_level\n100,5,0.9\n200,6,0.4\n200,4,0.4\n300,5,0.1\n300,4,0.8\n"
VISITS = "PURCHASE_FLG,I_DATE\n0,2012-03-28 14:15:00\n1,2012-03-26 09:00:00\n0,2012-03-28 08:00:00\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "clicks_train.csv").write_text(CLICKS)
    with gzip.open(tmp_path / "promoted_content.csv.gz", "wt") as file:
        file.write(CONTENT)
    with zipfile.ZipFile(tmp_path / "documents_categories.csv.zip", "w") as file:
        file.writestr("documents_categories.csv", CATEGORIES)
    (tmp_path / "coupon_visit_train.csv").write_text(VISITS)
    return tmp_path


def test_outbrain_joins_and_ranks(folder):
    """By display: ads 10, 20, 30, 10, 10, 50; categories 5, 4 (tie of 4 and 6), 4, 5, 5, none."""
    found = data.outbrain(folder)
    assert (found.labels.tolist(), found.names) == ([0, 1, 1, 0, 0], ("category 5", "category 4"))
    by_advertiser = data.outbrain(folder, by="advertiser", top=2)
    assert (by_advertiser.labels.tolist(), by_advertiser.names) == ([0, 1, 0, 0, 0], ("advertiser 7", "advertiser 8"))
    assert data.outbrain(folder, by="campaign").labels.tolist() == [0, 1, 1, 0, 0, 2]


def test_chunks_do_not_change_the_result(folder, monkeypatch):
    whole = data.outbrain(folder)
    monkeypatch.setattr(data, "CHUNK", 2)
    assert np.array_equal(data.outbrain(folder).labels, whole.labels)


def test_coupon_counts_weekdays(folder):
    assert data.coupon(folder, order="file").labels.tolist() == [0, 1, 0]
    assert data.coupon(folder, order="time").labels.tolist() == [1, 0, 0]
    assert data.coupon(folder, order="time").names == ("weekday 2", "weekday 0")  # a Wednesday and a Monday
    assert sorted(data.coupon(folder, order="shuffle").labels) == [0, 0, 1]


def test_progress_is_text(folder, capfd):
    data.outbrain(folder, progress=True)
    assert "clicks_train.csv" in capfd.readouterr().err


def test_categories_that_match_nothing_are_said_clearly(folder):
    with zipfile.ZipFile(folder / "documents_categories.csv.zip", "w") as file:
        file.writestr("documents_categories.csv", "document_id,category_id,confidence_level\n1,5,0.9\n")
    with pytest.raises(ValueError, match="matches none of the 6 clicked ads; group by='advertiser'"):
        data.outbrain(folder)


def test_missing_files_are_named(folder, tmp_path):
    (folder / "clicks_train.csv").unlink()
    with pytest.raises(FileNotFoundError, match="clicks_train"):
        data.outbrain(folder)
    with pytest.raises(FileNotFoundError, match="no such folder"):
        data.coupon(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "content, said",
    [
        (b"display_id,clicked\n1,1\n", "columns"),
        (b"display_id,ad_id,clicked\n1,,1\n", "has no ad_id"),
        (b"display_id,ad_id,clicked\n1,x,1\n", "columns"),
        ("display_id,ad_id,clicked\n1,é,1\n".encode("latin-1"), "UTF-8"),
        (b"", "columns"),
        (b"display_id,ad_id,clicked\n", "clicks_train.csv.*no rows"),
        (b"display_id,ad_id,clicked\n1,10,0\n", "clicks_train holds no row with clicked = 1"),
        (b"display_id,ad_id,clicked\n1,10,2\n", "clicks_train.csv.*clicked 2 is no whole number from 0 to 1"),
        (b"display_id,ad_id,clicked\n1,10.7,1\n", "clicks_train.csv.*ad_id 10.7 is no whole number"),
        (b"display_id,ad_id,clicked\n1,inf,1\n", "clicks_train.csv.*ad_id inf is no whole number"),
        (b"display_id,ad_id,clicked\n3000000000,10,1\n", "clicks_train.csv.*display_id 3e.09 is no whole number"),
        (b"display_id,ad_id,clicked\n1,10,1,1\n2,20,1,1\n", "clicks_train.csv.*Expected 3 fields in line 2, saw 4"),
        (b"display_id,ad_id,clicked\n1,10,1\n2,20,1,5\n", "clicks_train.csv.*Expected 3 fields in line 3, saw 4"),
    ],
)
def test_damaged_text_is_refused(folder, content, said):
    (folder / "clicks_train.csv").write_bytes(content)
    with pytest.raises(ValueError, match=said):
        data.outbrain(folder)


def test_tables_without_rows_or_matches_are_named(folder):
    (folder / "promoted_content.csv.gz").unlink()
    (folder / "promoted_content.csv").write_text("ad_id,document_id,campaign_id,advertiser_id\n")
    with pytest.raises(ValueError, match="promoted_content.csv.*no rows"):
        data.outbrain(folder)
    (folder / "promoted_content.csv").write_text("ad_id,document_id,campaign_id,advertiser_id\n99,1,1,1\n")
    for by in ("category", "advertiser"):
        with pytest.raises(ValueError, match="promoted_content matches none of the 6 clicked ads$"):
            data.outbrain(folder, by)
    (folder / "promoted_content.csv").write_text(CONTENT)
    (folder / "documents_categories.csv.zip").unlink()
    (folder / "documents_categories.csv").write_text("document_id,category_id,confidence_level\n")
    with pytest.raises(ValueError, match="documents_categories.csv.*no rows"):
        data.outbrain(folder)
    (folder / "documents_categories.csv").write_text("document_id,category_id,confidence_level\n100,5,1.5\n")
    with pytest.raises(ValueError, match="documents_categories.csv.*confidence_level 1.5"):
        data.outbrain(folder)


def test_rows_out_of_order_are_sorted_by_display(folder, monkeypatch):
    """Whether chunks meet in order or not: the first display comes last in the file."""
    rows = CLICKS.splitlines()
    (folder / "clicks_train.csv").write_text("\n".join([rows[0], *rows[:0:-1]]) + "\n")
    expected = data.outbrain(folder).labels
    monkeypatch.setattr(data, "CHUNK", 1)
    assert data.outbrain(folder).labels.tolist() == expected.tolist() == [0, 1, 1, 0, 0]


def test_memory_stays_bounded(folder, monkeypatch):
    """At most 20 bytes for every click, as the docstring says, with chunks of 10,000 rows."""
    data.outbrain(folder)  # imports
    clicks = 300_000
    monkeypatch.setattr(data, "CHUNK", 10_000)
    rows = "".join(f"{display},{10 * (1 + display % 3)},1\n" for display in range(clicks))
    (folder / "clicks_train.csv").write_text(f"display_id,ad_id,clicked\n{rows}")
    del rows
    tracemalloc.start()
    try:
        found = data.outbrain(folder, by="campaign")
        assert len(found.labels) == clicks and tracemalloc.get_traced_memory()[1] < 20 * clicks
    finally:
        tracemalloc.stop()


def test_cut_archives_are_refused(folder):
    packed = (folder / "promoted_content.csv.gz").read_bytes()
    (folder / "promoted_content.csv.gz").write_bytes(packed[:-12])
    with pytest.raises(ValueError, match="cut off or damaged"):
        data.outbrain(folder)
    (folder / "promoted_content.csv.gz").write_bytes(b"no archive")
    with pytest.raises(ValueError, match="cut off or damaged"):
        data.outbrain(folder)


def test_dates_must_be_dates(folder):
    for text, said in (
        ("I_DATE\nyesterday\n", 'I_DATE .*"yesterday"'),
        ("A,I_DATE\n", "coupon_visit_train.csv.*no rows"),
    ):
        (folder / "coupon_visit_train.csv").write_text(text)
        with pytest.raises(ValueError, match=said):
            data.coupon(folder)


@pytest.mark.parametrize("name", data.STAND_INS)
def test_stand_ins(name):
    """Shares of 20,000 rounds within 4.5 deviations of the chances, in an order that the seed permutes."""
    found, other = data.synthetic(name, 20_000, 1), data.synthetic(name, 20_000, 2)
    assert "synthetic" in found.source and found.names != other.names
    chances = np.array(data.STAND_INS[name]) / sum(data.STAND_INS[name])
    share = np.bincount(found.labels, minlength=len(chances)) / 20_000
    expected = chances[[int(rank.split()[1]) - 1 for rank in found.names]]
    assert (np.abs(share - expected) < 4.5 * np.sqrt(expected * (1 - expected) / 20_000)).all()
    assert np.array_equal(found.labels, data.synthetic(name, 20_000, 1).labels)


REAL = Path(os.environ.get("BANDITLAB_DATA", "")) / "outbrain"


@pytest.mark.skipif(not os.environ.get("BANDITLAB_DATA") or not REAL.is_dir(),
                    reason="BANDITLAB_DATA names no folder with a sample of Outbrain")  # fmt: skip
def test_the_real_sample():
    """9,796 displays with a click; its category table matches none of the ads."""
    with pytest.raises(ValueError, match="matches none of the 9796 clicked ads"):
        data.outbrain(REAL)
    found = data.outbrain(REAL, by="advertiser", top=10_000)
    assert len(found.labels) == 9796
    ten = data.outbrain(REAL, by="advertiser")
    figure, result = experiments.recorded(ten, runs=5)
    assert "Outbrain clicks by advertiser" in figure.layout.title.text and len(ten.names) == 10
    assert result.settings["environment"].best == 0 and result.checkpoints[-1] == len(ten.labels)


def test_figure_of_a_sequence_says_where_it_comes_from(folder):
    figure, result = experiments.recorded(data.coupon(folder), rule="oblivious", d=2, runs=2)
    assert "Coupon visits" in figure.layout.title.text and "weekday 2" in figure.layout.meta["caption"]
    assert "synthetic" in experiments.recorded(data.synthetic("week7", 50), runs=2)[0].layout.title.text
    for call in (lambda: experiments.recorded([0, 1]),
                 lambda: experiments.recorded(data.synthetic("week7", 50), rule="none")):  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            call()
