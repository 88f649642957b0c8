"""A study plays what its cells say, once; slider, preset, report and claims read the same numbers."""

import inspect
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
import pytest

import banditlab as bl
from banditlab.study import Live, Study, one_seed, own_seed
from banditlab.study import study as module


def play(gap, arms, alpha, horizon, runs, seed, progress=None, checkpoints=10):
    world = bl.classic.bernoulli([0.5 + gap / 2] + [0.5 - gap / 2] * (arms - 1))
    policies = {"UCB1": bl.classic.ucb1(arms, alpha), "uniform": bl.classic.uniform(arms)}
    return bl.simulate(world, policies, horizon, runs, seed, checkpoints, progress=progress)


def said(found, n):
    return f"{len(found)} cells, alpha {n.alpha}, {n.runs} runs"


STUDY = Study(
    "Figure 9", "two policies", play, said,
    grid=dict(gap=(0.2, 0.4), arms=(2, 3)), fixed=dict(alpha=2.0),
    sizes=dict(quick=dict(horizon=100, runs=lambda cell: 3 if cell.arms == 2 else 4), paper=dict(horizon=200, runs=5)),
    panel="Δ = {gap:g}, K = {arms}",
)  # fmt: skip


@pytest.fixture(autouse=True)
def forget():
    module.kept.clear()


def test_every_cell_is_played_once_with_its_own_seed_and_size():
    found = STUDY.results("quick", 2)
    again = STUDY.results("quick", 2, arms=(3,))
    assert [(cell.gap, cell.arms) for cell in found] == [(0.2, 2), (0.2, 3), (0.4, 2), (0.4, 3)]
    assert [cell.gap for cell in again] == [0.2, 0.4] and all(
        again[cell].regret is found[cell].regret for cell in again
    )
    shown = [(r.settings["policies"]["UCB1"].arms, r.settings["runs"], r.settings["seed"]) for r in found.values()]
    assert shown == [(cell.arms, 3 if cell.arms == 2 else 4, own_seed(2, cell)) for cell in found]
    assert len({seed for *_, seed in shown}) == 4


def test_a_cell_keeps_its_seed_whatever_else_is_in_the_grid():
    def seeds(seed, **grid):
        return {tuple(cell): own_seed(seed, cell) for cell in STUDY.cells(grid)}

    few, many = (seeds(0, gap=tuple(k / 10 for k in range(n)), arms=(2, 3)) for n in (3, 400))
    assert {cell: many[cell] for cell in few} == few
    other = seeds(1, gap=tuple(k / 10 for k in range(400)), arms=(2, 3))
    assert len({*many.values(), *other.values()}) == 1600
    assert seeds(0, gap=(0.2,), arms=(2,))[0.2, 2] == 205759394791454  # the same in every process


def test_a_cell_whose_values_have_no_text_of_their_own_is_refused():
    with pytest.raises(TypeError, match="one_seed"):
        STUDY._replace(grid=dict(gap=(lambda: 0.2,), arms=(2,))).results("quick")


CELL = """
class Same(NamedTuple):
    arms: int
    def init(self, rng): return 0
    def select(self, state, t, rng): return {arm}
    def update(self, state, action, observation, t, rng): return state
"""
PLAY = """
def play(gap, horizon, runs, seed):
    return bl.simulate(bl.classic.bernoulli([0.5 + gap, 0.5]), {"mine": Same(2)}, horizon, runs, seed)
"""


def test_a_class_written_anew_in_a_notebook_is_played_anew():
    scope = {"NamedTuple": NamedTuple, "bl": bl, "__name__": "__main__"}
    exec(CELL.format(arm=1) + PLAY, scope)
    study = Study("Mine", "mine", scope["play"], said, dict(gap=(0.2,)), sizes=dict(quick=dict(horizon=100, runs=2)))
    (before,) = study.results("quick").values()
    exec(CELL.format(arm=0), scope)
    (after,) = study.results("quick").values()
    assert before.final_regret("mine") == pytest.approx(20) and not after.final_regret("mine").any()
    assert study.results("quick").popitem()[1].regret is after.regret


def test_cells_may_share_their_random_numbers():
    found = STUDY._replace(seeds=one_seed).results("quick", 2)
    assert {result.settings["seed"] for result in found.values()} == {2} and len(found) == 4


def test_the_figure_is_titled_captioned_and_has_a_panel_a_cell():
    figure, found = STUDY.figure("paper", 0)
    assert figure.layout.title.text == "The paper's Figure 9: two policies"
    said = {"caption": "4 cells, alpha 2.0, 5 runs", "alt": "The paper's Figure 9: two policies"}
    assert figure.layout.meta == {**said, "name": "Figure 9"}
    assert [note.text for note in figure.layout.annotations] == [
        "Δ = 0.2, K = 2", "Δ = 0.4, K = 2", "Δ = 0.2, K = 3", "Δ = 0.4, K = 3"
    ]  # fmt: skip
    assert STUDY._replace(ours=True).figure("paper")[0].layout.title.text == "Two policies"


def test_a_slider_moves_what_play_takes_and_gets_the_same_numbers():
    slider = STUDY.slider()
    assert list(inspect.signature(slider).parameters) == ["gap", "arms", "alpha", "horizon", "runs", "seed", "progress"]
    (cell,) = STUDY.cells(dict(gap=(0.2,), arms=(2,)))
    figure, found = slider(gap=0.2, arms=2, alpha=2.0, horizon=100, runs=3, seed=own_seed(2, cell))
    (result,) = found.values()
    quick = STUDY.results("quick", 2, gap=(0.2,), arms=(2,))
    assert result.regret.tobytes() == next(iter(quick.values())).regret.tobytes()
    assert isinstance(figure, go.Figure) and figure.layout.title.text == "Two policies"


def test_sliders_may_move_the_grid_in_their_own_way():
    drawn = []

    def draw(found, n):
        drawn.append((list(found), n.bound))
        return bl.figures.blank("", "x", "y", "")

    live = Live(draw, moves=dict(gap=None, arms=lambda arms: range(2, arms + 1)), switches=("bound",))
    study = STUDY._replace(live=live)
    assert "gap" not in study.parameters() and study.parameters()[-1] == "bound"
    study.explore(arms=3, alpha=2.0, horizon=10, runs=1, bound=True)
    ((cells, bound),) = drawn
    assert [(c.gap, c.arms) for c in cells] == [(0.2, 2), (0.2, 3), (0.4, 2), (0.4, 3)] and bound is True
    assert study.numbers("quick").bound is False


def test_a_preset_is_the_papers_cell():
    title, values = STUDY.preset(gap=0.4, arms=3, runs=7)
    assert title == "Paper, Figure 9, Δ = 0.4, K = 3"
    assert values == dict(figure="Figure 9", gap=0.4, arms=3, alpha=2.0, horizon=200, runs=7)


def test_an_unknown_scale_is_refused():
    with pytest.raises(ValueError, match="scale='huge': must be one of 'quick', 'paper'"):
        STUDY.results("huge")


def test_what_one_reader_changes_no_other_gets():
    study = Study("Lists", "two numbers", lambda seed: {"regret": [1.0, 2.0]}, said, sizes=dict(quick={}, paper={}))
    for _ in range(2):
        (found,) = study.results("quick").values()
        assert found["regret"] == [1.0, 2.0]
        found["regret"].reverse()


@pytest.mark.parametrize("panel", ["Δ = {gap:g}", "same"])
def test_a_panel_that_does_not_tell_cells_apart_is_refused(panel):
    """Else one of them would be drawn for all."""
    study = STUDY._replace(panel=panel)
    with pytest.raises(ValueError, match=f"panel='{panel}': must tell all cells apart, by gap, arms"):
        study.figure("quick")
    assert len(study.results("quick")) == 4  # what is not drawn needs no titles


def test_a_panel_without_a_title_tells_the_values():
    study = STUDY._replace(panel="")
    figure, found = study.figure("quick", arms=(2,))
    titles = ["gap = 0.2, arms = 2", "gap = 0.4, arms = 2"]
    assert [note.text for note in figure.layout.annotations] == titles == [study.title_of(cell) for cell in found]
    assert study.preset(gap=0.4, arms=3)[0] == "Paper, Figure 9, gap = 0.4, arms = 3"


@pytest.mark.parametrize(
    "changes", [dict(fixed=dict(alpha=2.0, gap=0.3)), dict(sizes=dict(quick=dict(horizon=9, runs=1, gap=0.3)))]
)
def test_a_number_that_would_replace_the_grid_is_refused(changes):
    for ask in Study.results, Study.numbers, Study.figure:
        with pytest.raises(ValueError, match=r"grid\['gap'\]: stands in fixed or in sizes, too"):
            ask(STUDY._replace(**changes), "quick")


def test_numbers_of_numpy_play_what_those_of_python_do():
    found = STUDY.results("quick", 2)
    other = STUDY._replace(grid=dict(gap=np.array([0.2, 0.4]), arms=list(np.arange(2, 4)))).results(
        "quick", np.int64(2)
    )
    assert list(other) == list(found) and {type(value) for cell in other for value in cell} == {float, int}
    again = STUDY.results("quick", 2.0, gap=np.array([0.4]))
    for cells in other, again:
        assert all(cells[cell].regret is found[cell].regret for cell in cells) and cells


@pytest.mark.parametrize("seed, error", [(-1, ValueError), ("a", TypeError), (False, TypeError), (0.5, TypeError)])
def test_a_seed_is_a_whole_number(seed, error):
    for ask in STUDY.results, STUDY.numbers, STUDY.figure:
        with pytest.raises(error, match=f"seed={seed!r}: must be "):
            ask("quick", seed)


@pytest.mark.parametrize(
    "only, error, told",
    [
        (dict(gap=(g for g in (0.2, 0.4))), TypeError, "gap=<generator.*: must be a list, not empty"),
        (dict(gap="ab"), TypeError, "gap='ab': must be a list, not empty"),
        (dict(gap=0.2), TypeError, "gap=0.2: must be a list, not empty"),
        (dict(gap=()), ValueError, r"gap=\(\): must be a list, not empty"),
        (dict(gap=(0.2, 0.9)), ValueError, r"gap=\(0.2, 0.9\): must be of the grid's \[0.2, 0.4\]"),
        (dict(gapp=(0.2,)), ValueError, "option='gapp': must be one of 'gap', 'arms'"),
    ],
)
def test_cells_that_there_are_not_are_refused(only, error, told):
    for ask in STUDY.results, STUDY.figure:
        with pytest.raises(error, match=told):
            ask("quick", **only)


@pytest.mark.parametrize("values", ["ab", (x for x in (0.2, 0.4)), 0.2, ()])
def test_a_grid_holds_lists(values):
    with pytest.raises((TypeError, ValueError), match=r"grid\['gap'\]=.*: must be a list, not empty"):
        STUDY._replace(grid=dict(gap=values, arms=(2,))).results("quick")


@pytest.mark.parametrize(
    "ask, told",
    [
        (lambda: STUDY.numbers("big"), "scale='big': must be one of 'quick', 'paper'"),
        (lambda: STUDY._replace(sizes={}).results("quick"), "scale='quick': must be one of those there are: none"),
        (lambda: STUDY.preset(gapp=0.1), "option='gapp': must be one of 'gap', 'arms', "),
        (lambda: STUDY._replace(sizes={}).preset(gap=0.2, arms=2), "scale='paper': must be one of those"),
        (lambda: STUDY.preset(gap=0.2), "Δ = {gap:g}, K = {arms}': names 'arms', but this cell of Figure 9 has gap; "),
        (lambda: STUDY.preset(runs=7), "names 'gap', but this cell of Figure 9 has no values; all that it names must"),
        (
            lambda: STUDY._replace(panel="α = {alpha}").figure("quick"),
            "names 'alpha', but this cell of Figure 9 has gap, ",
        ),
        (lambda: STUDY.explore(gap=0.1, arms=2, runs=1), "alpha, horizon: must be given"),
        (lambda: STUDY._replace(live=Live(switches="sw")).slider(), "switches='sw': must be a tuple of names"),
    ],
)
def test_slips_are_named(ask, told):
    with pytest.raises((TypeError, ValueError), match=told):
        ask()


def test_what_is_kept_of_a_result_is_nobodys_to_change():
    (cell, mine), *_ = STUDY.results("quick").items()
    mine.settings["environment"].means[:] = 0
    mine.settings["policies"]["evil"] = None
    again = STUDY.results("quick")[cell]
    assert again.settings["environment"].means.all() and list(again.settings["policies"]) == ["UCB1", "uniform"]
