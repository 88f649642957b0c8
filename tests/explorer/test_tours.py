"""The guided tours: every step names a figure, sliders and values that are there."""

from types import SimpleNamespace

import pytest

from banditlab.explorer import Slider
from banditlab.explorer.controls import has_effect
from banditlab.explorer.facts import describe_instrument
from banditlab.explorer.figure import call_figure, list_arguments
from banditlab.explorer.paper import find_paper
from banditlab.page import wanted
from tests.reports import ROOT

NAMES = ("factored", "uplifting", "censored", "composite")


@pytest.fixture(scope="module", params=NAMES)
def paper(request):
    """A paper, its start, and the facts of its instrument."""
    module = find_paper(ROOT / "notebooks" / f"{request.param}.ipynb")
    start = {name: control.start for name, control in module.CONTROLS.items()}
    values = {"scale": "quick", "seed": 0, "live": True, "figure": next(iter(module.FIGURES)), **start}
    facts = describe_instrument(module.FIGURES, values, module.CONTROLS, module.PRESETS)
    return SimpleNamespace(module=module, values=values, facts=facts)


def test_a_tour_has_four_or_five_steps_and_they_come_first(paper):
    steps = [preset["title"] for preset in paper.facts["presets"] if preset["say"]]
    assert len(steps) in (4, 5) and steps == list(paper.module.PRESETS)[: len(steps)]


def test_every_step_can_be_taken(paper):
    for step in filter(lambda preset: preset["say"], paper.facts["presets"]):
        at = {**paper.values, **step["values"]}
        taken = list_arguments(paper.module.FIGURES[at["figure"]])
        there = {name: at[name] for name in taken if name in at}
        for name in step["move"]:
            assert name in taken and has_effect(paper.module.CONTROLS[name], there), (step["title"], name)
        for name, value in step["values"].items():
            if name != "figure":
                assert name in taken, (step["title"], name)
                check_place(paper.module.CONTROLS[name], name, value)
        assert 2 <= len(step["move"]) <= 3 and step["say"][-1] in ".?"


def test_links_of_the_text_set_what_their_figure_has(paper):
    notebook = ROOT / "notebooks" / f"{paper.module.__name__}.ipynb"
    links = wanted.list_links(notebook, paper.module.CONTROLS)
    assert len(links) >= 2
    for link in links:
        taken = list_arguments(paper.module.FIGURES[link.pop("figure")])
        assert link.pop("say") == "" and set(link) <= set(taken)
        for name, value in link.items():
            check_place(paper.module.CONTROLS[name], name, value)


def check_place(control, name, value):
    """A value is where a reader can put the control."""
    assert control.check(name, value) == value
    if isinstance(control, Slider):
        assert value in control.positions(), (name, value)


def test_what_stands_in_front_of_a_figure_is_there_and_it_opens_where_sliders_reach(paper):
    for title, about in paper.facts["figures"].items():
        function, front = paper.module.FIGURES[title], paper.module.FRONT.get(title, {})
        assert set(about["main"]) == set(function.main or about["main"]), title  # none that the figure does not take
        for name, value in about["opens"].items():
            assert paper.module.CONTROLS[name].check(name, value) == value, (title, name)
        for name in set(front) - {"main", "marks"}:
            assert name in about["opens"], (title, name)
        for name, at in about["marks"].items():
            control = paper.module.CONTROLS[name]
            assert [control.check(name, value) for value in at] == list(at), (title, name)
    assert set(paper.module.FRONT) <= set(paper.module.FIGURES)


def test_a_figure_draws_where_it_opens(paper):
    """The first one, which a reader meets first."""
    title = next(iter(paper.module.FIGURES))
    values = {**paper.values, **paper.facts["figures"][title]["opens"], "figure": title, "runs": 2}
    assert call_figure(paper.module.FIGURES[title], values).data


def test_what_a_map_opens_is_a_figure_with_its_sliders(paper):
    """All values that it sets are positions of controls which that figure asks for, and so is the paper's own cell."""
    found = paper.module.WHERE_IT_STOPS
    if not found.opens:  # no figure of the explorer plays these instances, or a page has no room for them
        assert paper.module.__name__.split(".")[-1] in ("censored", "uplifting")
        return
    cell = dict(zip(found.axes, found.mark, strict=True))
    values = {**found.opens, **cell, "horizon": found.sizes["quick"]["horizon"]}
    asked = list_arguments(paper.module.FIGURES[values.pop("figure")])
    for name, value in values.items():
        assert name in asked
        paper.module.CONTROLS[name].check(name, value)
