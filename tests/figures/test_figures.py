"""Figures show the numbers of the result, and say what their bands are."""

import numpy as np
import pytest

from banditlab import classic, simulate
from banditlab.figures import plots

RESULT = simulate(
    classic.bernoulli([0.9, 0.5]), {"UCB1": classic.ucb1(2), "uniform": classic.uniform(2)}, 300, runs=6, seed=1
)


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


def test_regret_draws_means_and_intervals():
    figure, table = plots.regret(RESULT), RESULT.summary()
    for name in RESULT.policies:
        rows = table[table["policy"] == name]
        assert np.array_equal(trace(figure, name).x, rows["t"]) and np.array_equal(trace(figure, name).y, rows["mean"])
        edge = np.asarray(trace(figure, f"{name} (band)").y)
        high, low = (rows[end].fillna(rows["mean"]) for end in ("high", "low"))  # a line where runs are equal
        assert np.allclose(edge, [*high, *low[::-1]], rtol=1e-12)
    assert trace(figure, "95 % t-interval of the mean").marker.size


def test_a_figure_says_which_quantity_it_draws():
    assert plots.regret(RESULT).layout.yaxis.title.text == "cumulative regret"
    reward = simulate(**{**RESULT.settings, "metric": "reward of AUC"})
    figure = plots.regret(reward)
    assert figure.layout.yaxis.title.text == "reward of AUC" and figure.layout.title.text == "Reward of AUC"
    assert figure.layout.meta["caption"].startswith("Mean reward of AUC over 6 runs")


@pytest.mark.parametrize("band, words", [(1, "mean ± 1 standard error"), (2, "mean ± 2 standard errors")])
def test_the_papers_band_is_named_in_the_legend(band, words):
    figure, table = plots.regret(RESULT, band), RESULT.summary()
    rows = table[table["policy"] == "UCB1"]
    assert np.allclose(trace(figure, "UCB1 (band)").y[: len(rows)], rows["mean"] + band * rows["se"], rtol=1e-12)
    assert trace(figure, words).showlegend is not False


def test_policies_differ_by_colour_and_dash():
    looks = {(plots._style(i)["color"], plots._style(i)["dash"]) for i in range(6)}
    assert len(looks) == len({c for c, _ in looks}) == len({d for _, d in looks}) == 6


def test_a_single_run_has_no_band():
    one = simulate(classic.bernoulli([0.9, 0.5]), {"UCB1": classic.ucb1(2)}, 100, runs=1)
    assert [t.name for t in plots.regret(one).data] == ["95 % t-interval of the mean", "UCB1"]


def test_figures_offer_no_upload_and_carry_their_words():
    figure = plots.blank("title", "x", "y", "what to conclude")
    assert "sendChartToCloud" in figure.layout.template.layout.modebar.remove
    assert figure.layout.meta == {"caption": "what to conclude", "alt": "title"}


def test_what_a_paper_prints_is_pale_and_named_once():
    figure = plots.blank("title", "x", "y", "caption", columns=2)
    plots.printed(figure, [0, 9], [0.4, 0.4], "0.4 in Table 1", plots.PALETTE[0])
    plots.printed(figure, [3], [0.6], "0.6 in Table 1", plots.PALETTE[1], column=2)
    named, line, place = figure.data
    assert [trace.name for trace in figure.data] == [plots.PRINTED] * 3
    assert [trace.showlegend for trace in figure.data] == [None, False, False]
    assert (line.mode, place.mode, place.xaxis) == ("lines", "markers", "x2") and "0.4 in Table 1" in line.hovertemplate


def test_quantiles_and_distribution_draw_the_result():
    figure = plots.blank("title", "x", "y", "caption", columns=2)
    plots.quantiles(figure, RESULT, 0.95, {"UCB1": 3, "uniform": 1}, "higher", column=2)
    drawn = [trace for trace in figure.data if trace.xaxis == "x2"]
    assert [trace.name for trace in drawn] == list(RESULT.policies) and not any(trace.showlegend for trace in drawn)
    for trace, regret in zip(drawn, RESULT.regret, strict=True):
        assert np.array_equal(trace.y, regret.max(axis=0))  # of six runs the 95 % quantile is the largest
    assert drawn[0].line.color == plots.PALETTE[3]

    figure = plots.blank("title", "x", "y", "caption", columns=2)
    plots.quantiles(figure, RESULT, line=dict(width=1))
    plots.distribution(figure, RESULT, column=2)
    for place, regret in enumerate(RESULT.regret):
        assert np.array_equal(figure.data[place].y, np.median(regret, axis=0)) and figure.data[place].line.width == 1
        assert np.array_equal(figure.data[2 + place].x, np.sort(regret[:, -1]))
        assert np.allclose(figure.data[2 + place].y, np.arange(1, 7) / 6)
    assert figure.layout.xaxis2.title.text == "regret at T = 300"


def test_rounds_of_a_bound_end_at_the_horizon():
    assert plots.rounds(2).tolist() == [2]
    assert np.array_equal(plots.rounds(10_000), np.unique(np.geomspace(2, 10_000, 60).astype(int)))
    assert plots.rounds(50, 20, 3).tolist() == [20, 31, 50]
