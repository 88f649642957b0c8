"""What the steps of the guided tours say comes true, and what they ask has its answer in the figure."""

import re

import numpy as np

from banditlab.explorer.figure import list_arguments
from banditlab.explorer.paper import find_paper
from tests.reports import ROOT


def final(found):
    """Mean final regret of every policy of a result."""
    return {name: found.final_regret(name).mean() for name in found.policies}


def played(name, title, **changes):
    """The figure of a step of a tour with some values changed, and the results in it."""
    module = find_paper(ROOT / "notebooks" / f"{name}.ipynb")
    start = {key: control.start for key, control in module.CONTROLS.items()}
    step = {key: value for key, value in module.TOUR[title].items() if key not in ("say", "move")}
    values = {**start, "runs": 5, **step, **changes}
    function = module.FIGURES[values["figure"]]
    figure, found = function(**{key: values[key] for key in list_arguments(function) if key in values})
    return figure, list(found.values())


def test_more_components_and_too_many_vectors():
    """UCB1's regret follows the number of vectors, and its name stays where it cannot play."""
    (_, (four,)), (figure, (seven,)) = (played("factored", "More components", d=d) for d in (4, 7))
    assert final(seven)["UCB1"] / final(four)["UCB1"] > 2 * final(seven)["F-UCB"] / final(four)["F-UCB"]
    assert "left" not in figure.layout.meta
    figure, (nine,) = played("factored", "Too many vectors")
    assert "UCB1" not in nine.policies
    assert figure.layout.meta["left"] == {"UCB1": "too many vectors to learn one by one"}


def test_more_variables():
    """UCB's regret grows with m, that of UpUCB (bl) stays."""
    (_, (few,)), (_, (many,)) = (played("uplifting", "More variables", m=m) for m in (10, 100))
    assert final(many)["UCB"] > 5 * final(few)["UCB"]
    assert final(many)["UpUCB (bl)"] < 2 * final(few)["UpUCB (bl)"]


def test_smaller_gaps():
    """At a small gap F-UCB still explores after 10,000 rounds, at a larger one hardly."""
    grown = {}
    for gap in (0.05, 0.15):
        (_, (early,)), (_, (late,)) = (
            played("factored", "Smaller gaps", gap=gap, horizon=T) for T in (10_000, 100_000)
        )
        grown[gap] = final(late)["F-UCB"] / final(early)["F-UCB"]
    assert grown[0.05] > 2.3 and grown[0.15] < 1.8


def test_the_warm_up():
    """F-Track's regret is smallest in between; with the printed warm-up some runs lose many times the median."""
    found = {}
    for times in (1, 3, 20):
        _, (result,) = played("factored", "The warm-up", n0_mult=times, runs=20)
        found[times] = final(result)["F-Track, N₀ as printed" if times == 1 else f"F-Track, N₀ × {times}"]
    printed = result.final_regret("F-Track, N₀ as printed")
    assert found[3] < found[20] < found[1]
    assert printed.max() > 10 * np.median(printed)


def test_shared_noise():
    """Between 0.6 and 0.8 the best product changes, and every policy's regret grows in every round."""
    (_, (below,)), (_, (above,)) = (played("factored", "Shared noise", rho=rho) for rho in (0.6, 0.8))
    for name, regret in final(above).items():
        assert regret > 50 * final(below)[name]


def test_independent_payoffs():
    """UCB's radius is for noise that is added up: with less noise it loses as much; learning the sets gets harder."""
    (_, (apart,)), (_, (together,)) = (played("uplifting", "Independent payoffs", rho=rho) for rho in (0.0, 1.0))
    assert abs(final(together)["UCB"] / final(apart)["UCB"] - 1) < 0.1
    for name in ("UpUCB-nAff (bl)", "UpUCB-nAff"):
        assert final(together)[name] < 0.6 * final(apart)[name]


def test_which_bound_on_the_baseline():
    """With the lower bound a small beta fails more often, and a larger one costs half as much."""
    found = {}
    for beta in (1.0, 2.0, 4.0, 8.0):
        _, (result,) = played("uplifting", "Which bound on the baseline", beta=beta, runs=10)
        upper, lower = (np.quantile(result.final_regret(name), 0.95) for name in ("UpUCB", "UpUCB, baseline LCB"))
        found[beta] = lower / upper, final(result)["UpUCB, baseline LCB"] / final(result)["UpUCB"]
    assert found[1.0][0] > 1.1
    assert max(found[beta][1] for beta in (2.0, 4.0, 8.0)) < 0.7


def test_told_a_wrong_l():
    """A little too few lose least over this horizon; too many cost more than the truth."""
    _, (result,) = played("uplifting", "Told a wrong L", given=15)
    regret = final(result)
    assert min(regret, key=regret.get) == "L = 5"
    assert regret["L = 8"] < regret["L = 10"] < regret["L = 15"]


def test_outside_the_sets():
    """Regret is linear at 0.8, and no more than that of the policy that is told all from 0.4 down."""
    for effect in (0.8, 0.4, 0.0):
        _, (result,) = played("uplifting", "Outside the sets", effect=effect)
        without, told = final(result).values()
        assert (without > 10 * told) == (effect == 0.8), effect


def test_the_printed_width():
    """As printed RCUCB is far behind the other width at L = 10, and no longer at 3."""
    found = {}
    for steepness in (10.0, 3.0):
        _, (result,) = played("censored", "The printed width", steepness=steepness)
        regrets = final(result)
        printed, narrow = (next(r for name, r in regrets.items() if word in name) for word in ("printed", "first term"))
        found[steepness] = printed / narrow
    assert found[10.0] > 2 and found[3.0] < 1.5


def test_each_round_on_the_map():
    """The first term alone finds the limit 0.456, the fifth, and notices an arm that leads by 0.4; no other does."""
    for lead, noticed in ((0.1, False), (0.4, True)):
        figure, _ = played("censored", "Each round on the map", lead=lead)
        assert "arm 1 with limit $\\tau=0.456$" in figure.layout.meta["caption"]
        circles = [np.array(panel.customdata, float) for panel in figure.data if panel.type == "scatter"]
        first, *others = (shares.reshape(10, 10) for shares in circles)  # an arm a row
        assert first[:, 4].sum() > 0.85 and (first[0].sum() > 0.35) == noticed
        assert all(shares[:, 4].sum() < 0.5 and shares[0].sum() < 0.25 for shares in others)


def test_how_often_cut_short():
    """One policy stays far below the line; the others end within a twentieth of it, at any correlation."""
    figure, _ = played("censored", "How often cut short")
    assert "censored in 54% of its rounds" in figure.layout.meta["caption"]
    for rho in (-0.4, 0.4, 0.8):
        figure, _ = played("censored", "How often cut short", correlation=rho)
        last = {line.name: line.y[-1] for line in figure.data if line.name and "(band)" not in line.name}
        line = last["best pair"]
        assert last["RCUCB, width as printed"] < line / 3
        for name in ("RCUCB, first term only", "UCB", "Thompson sampling"):
            assert abs(last[name] - line) < 0.06, (rho, name)


def test_another_best_arm():
    """Between -0.9 and -0.6 the first arm becomes the best again; at 0.9 the first term's regret has doubled."""
    found = {}
    for rho, best in ((-0.9, 2), (-0.6, 1), (0.9, 1)):
        figure, (found[rho],) = played("censored", "Another best arm", correlation=rho)
        assert f"Best pair: arm {best} " in figure.layout.meta["caption"]
    early, late = final(found[-0.9]), final(found[0.9])
    assert late["RCUCB, first term only"] > 1.8 * early["RCUCB, first term only"]
    assert 0.8 < late["UCB"] / early["UCB"] < 1.1


def test_two_limits():
    """From 5 limits to 20 the regret of UCB, which shares nothing, grows; that of RCUCB's first term does not."""
    (_, (few,)), (_, (many,)) = (played("censored", "Two limits", limits=limits) for limits in (5, 20))
    assert final(many)["UCB"] > 1.6 * final(few)["UCB"]
    assert final(many)["RCUCB, first term only"] < 1.3 * final(few)["RCUCB, first term only"]


def test_longer_delays():
    """UCB1 is the best at d = 1 and breaks down at 30; generic ODAAF pays for the delays most, ARS-UCB late."""
    regret = {d: final(played("composite", "Longer delays", d=d)[1][0]) for d in (1, 30, 100)}
    blind, ars, told = "UCB1, delay-blind", "ARS-UCB", "gen. ODAAF, told d"
    assert min(regret[1], key=regret[1].get) == blind
    assert regret[30][blind] > 2 * regret[30][ars] > 2 * regret[1][ars]
    assert regret[100][told] / regret[1][told] > 2 * regret[100][ars] / regret[1][ars]


def test_how_much_exploration():
    """The smallest alpha has the smallest median and a heavy tail, the largest has none."""
    _, (result,) = played("composite", "How much exploration", runs=10)
    medians = {name: np.median(result.final_regret(name)) for name in result.policies}
    worst = {name: result.final_regret(name).max() / medians[name] for name in result.policies}
    assert min(medians, key=medians.get) == "α = 1, f = k²"
    assert [name for name in worst if worst[name] < 2] == ["α = 8, f = k²"]


def test_how_rounds_grow():
    """At d = 100 short early rounds cost a multiple; at d = 10 all growths are alike."""
    spread = {}
    for d in (100, 10):
        regret = final(played("composite", "How rounds grow", d=d)[1][0])
        spread[d] = regret["α = 4, f = k"] / min(regret.values())
    assert spread[100] > 2.5 and spread[10] < 1.3


def test_what_the_truth_is_worth():
    """Nothing: to be told less than the truth is better at these delays, more is worse."""
    for told, better in ((0.1, True), (2.0, False)):
        _, (result,) = played("composite", "What the truth is worth", told=told)
        regret = final(result)
        for name, said in (("ODAAF", "the mean"), ("gen. ODAAF", "d")):
            assert (regret[f"{name}, told {told:g} × {said}"] < regret[f"{name}, told 1 × {said}"]) == better


def test_who_is_misled():
    """The caption names the arm to which CLW drifts: another one from a near tie on."""
    for tie, arm in ((0.8, "the best arm"), (0.88, "the best arm"), (0.94, "the second arm"), (0.99, "the second arm")):
        figure, _ = played("composite", "Who is misled", tie=tie)
        assert re.search(r"drift is then [+-][\d.]+: to ([a-z ]+)", figure.layout.meta["caption"])[1] == arm
