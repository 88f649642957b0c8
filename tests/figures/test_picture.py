"""Figures as files for a paper: size, fonts, and what a reader without kaleido or browser is told."""

import re

import plotly.graph_objects as go
import pytest

from banditlab.figures import save
from banditlab.figures.save import fit_to_print
from banditlab.new import mypaper
from tests.browser.lab import find_browser

WIDE = "of a legend that needs more than one line in a column"


@pytest.fixture(scope="module")
def panels():
    """Three panels of regret with a legend and a title each."""
    return mypaper.FIGURE_1.figure("quick")[0]


@pytest.fixture
def browser():
    """Skip where there is no browser, but not in CI."""
    find_browser()


def test_a_column_in_svg_and_pdf(panels, browser, tmp_path):
    save.save_figure(panels, tmp_path / "a.svg", font="Example Roman", size=9)
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert re.search(r'<svg [^>]*width="312"', svg)  # 3.25 inches of 96
    assert set(re.findall(r"font-family: ([^;]+);", svg)) == {"'Example Roman'"}
    assert set(re.findall(r"font-size: ([\d.]+)px", svg)) == {"12"}  # 9 points
    save.save_figure(panels, tmp_path / "a.pdf", width="page", height=2.0)
    assert re.search(rb"/MediaBox \[0 0 486 144\b", (tmp_path / "a.pdf").read_bytes())  # 72 points an inch


def test_the_figure_itself_stays(panels):
    before = panels.to_json()
    small = fit_to_print(panels, 3.25, None, {"size": 10.0, "family": "serif", "color": "black"})
    assert panels.to_json() == before
    assert small.layout.title.text is None and panels.layout.title.text
    assert {a.font.size for a in small.layout.annotations} == {10.0}


def test_room_grows_with_legend_and_rows():
    text = {"size": 10.0, "family": "serif", "color": "black"}
    heights = []
    for names in (["a", "b"], [WIDE, WIDE[::-1]]):
        figure = go.Figure([go.Scatter(x=[0, 1], y=[0, 1], name=name) for name in names])
        heights.append(fit_to_print(figure, 3.25, None, text).layout.height)
    assert heights[0] < heights[1]


def test_what_is_missing_is_told(monkeypatch, tmp_path):
    def fails(figure, *args, **keywords):
        raise ValueError("kaleido is not here")

    monkeypatch.setattr(go.Figure, "write_image", fails)
    with pytest.raises(RuntimeError, match=r"pip install -e '.\[picture\]'.*kaleido is not here"):
        save.save_figure(go.Figure(), tmp_path / "a.svg")
