"""Figures show the numbers of the result, and say what their bands are."""

import numpy as np
import pytest

from banditlab import classic, figures, simulate

RESULT = simulate(
    classic.bernoulli([0.9, 0.5]), {"UCB1": classic.ucb1(2), "uniform": classic.uniform(2)}, 300, runs=6, seed=1
)


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


def test_regret_draws_means_and_intervals():
    figure, table = figures.regret(RESULT), RESULT.summary()
    for name in RESULT.policies:
        rows = table[table["policy"] == name]
        assert np.array_equal(trace(figure, name).x, rows["t"]) and np.array_equal(trace(figure, name).y, rows["mean"])
        edge = np.asarray(trace(figure, f"{name} (band)").y)
        assert np.array_equal(edge[: len(rows)], rows["high"]) and np.array_equal(edge[len(rows) :][::-1], rows["low"])
    assert trace(figure, "mean, 95 % t-interval").marker.size


@pytest.mark.parametrize("band, words", [(1, "mean ± 1 standard error"), (2, "mean ± 2 standard errors")])
def test_the_papers_band_is_named_in_the_legend(band, words):
    figure, table = figures.regret(RESULT, band), RESULT.summary()
    rows = table[table["policy"] == "UCB1"]
    assert np.allclose(trace(figure, "UCB1 (band)").y[: len(rows)], rows["mean"] + band * rows["se"], rtol=1e-12)
    assert trace(figure, words).showlegend is not False


def test_policies_differ_by_colour_and_dash():
    looks = {(figures._style(i)["color"], figures._style(i)["dash"]) for i in range(6)}
    assert len(looks) == len({c for c, _ in looks}) == len({d for _, d in looks}) == 6


def test_a_single_run_has_no_band():
    one = simulate(classic.bernoulli([0.9, 0.5]), {"UCB1": classic.ucb1(2)}, 100, runs=1)
    assert [t.name for t in figures.regret(one).data] == ["mean, 95 % t-interval", "UCB1"]


def test_figures_offer_no_upload_and_carry_their_words():
    figure = figures.blank("title", "x", "y", "what to conclude", alt="in words")
    assert "sendChartToCloud" in figure.layout.template.layout.modebar.remove
    assert figure.layout.meta == {"caption": "what to conclude", "alt": "in words"}
    assert figures.blank("title", "x", "y", "c").layout.meta["alt"] == "title"
