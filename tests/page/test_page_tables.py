"""What a figure plays, as tables: what they say is what the figure asks for; what a page cannot draw is refused."""

import itertools
import json
import random
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from banditlab import classic, record_run
from banditlab.engine.instances import random_instances
from banditlab.evidence.estimates import interval, mean
from banditlab.explorer import Choice, Slider, Switch
from banditlab.explorer.controls import offered_values
from banditlab.explorer.figure import list_arguments
from banditlab.explorer.paper import find_paper
from banditlab.figures import plots
from banditlab.page import alone, arguments, plays, room, tables, traces
from banditlab.page.arguments import Leaf, list_leaves
from banditlab.page.held import hold_back
from banditlab.study.parameters import Size, bundle
from banditlab.study.study import Study
from tests.papers import NOTEBOOKS, OPENED, SOAK, with_all

CONTROLS = {
    "gap": Slider("Gap Δ", 0.1, 0.4, 0.1, start=0.2),
    "arms": Slider("Arms", 2, 5, 1, start=3),
    "alpha": Slider("α", 1.0, 4.0, 0.5, start=2.0),
    "rival": Choice("Rival", ("uniform", "ucb1"), start="uniform"),
    "bound": Switch("Bound", start=True),
    "horizon": Slider("T", 100, 1000, 100, start=200),
    "runs": Slider("Runs", 2, 10, 1, start=4),
}
VALUES = {"seed": 3, **{name: control.start for name, control in CONTROLS.items()}}


def means_of(arms, gap):
    return [0.5, *[0.5 - gap] * (arms - 1)]


@bundle(size=Size)
def play(gap, arms, alpha, rival, size):
    """UCB1 against another, which leaves where there are many arms."""
    policies = {"UCB1": classic.ucb1(arms, alpha)}
    if arms < 5:
        policies["rival"] = classic.uniform(arms) if rival == "uniform" else classic.ucb1(arms, 1.0)
    return size.simulate(classic.bernoulli(means_of(arms, gap)), policies, 10)


@bundle(size=Size)
def play_two(gap, alpha, size):
    return size.simulate(
        classic.bernoulli([0.5, 0.5 - gap]), {"UCB1": classic.ucb1(2, alpha), "B": classic.uniform(2)}, 10
    )


def shuffled(seed, arms, gap):
    return classic.bernoulli(np.random.default_rng(seed).permutation(means_of(arms, gap)))


@bundle(size=Size)
def play_drawn(gap, arms, size):
    return size.simulate(random_instances(shuffled, arms=arms, gap=gap), {"UCB1": classic.ucb1(arms)}, 10)


@bundle(size=Size)
def play_seeded(gap, arms, size):
    return size.simulate(shuffled(size.seed, arms, gap), {"UCB1": classic.ucb1(arms)}, 10)


def with_bound(found, n):
    (result,) = found.values()
    figure = plots.regret(result)
    plots.bound(figure, result.checkpoints, n.gap * result.checkpoints, "at most")
    return figure


def slope(found, n):
    """What no page knows: the last regret over the horizon."""
    (result,) = found.values()
    figure = plots.regret(result)
    plots.curve(figure, [0, 1], result.regret[0, :2, -1] ** 2, "squares", 3)
    return figure


def scaled(found, n):
    """Regret over what a bound promises, and the share of runs."""
    (result,) = found.values()
    figure, values = plots.blank("", "x", "y", ""), result.of_policy("UCB1") / (n.gap * result.checkpoints)
    middle, error, _ = interval(values)
    plots.curve(figure, result.checkpoints, middle, "UCB1", 0, (middle - 1.96 * error, middle + 1.96 * error))
    plots.distribution(figure, result)
    plots.quantiles(figure, result, 0.95, method="higher")
    return figure


def ends(found, n):
    """The last regret with the interval of `evidence`, at a place of its own."""
    (result,) = found.values()
    figure, one = plots.blank("", "x", "y", ""), mean(result.final_regret("UCB1"))
    plots.curve(figure, [n.gap], [one.value], "UCB1", 0, [[end] for end in one.ends(0.95)])
    return figure


def ratios(found, n):
    """Means over the least one and over the other's, and the share of runs that are stuck."""
    (result,) = found.values()
    figure, means = plots.blank("", "x", "y", ""), result.regret.mean(axis=1)
    plots.curve(figure, result.checkpoints, means[0] / means.min(axis=0), "least", 0)
    plots.curve(figure, result.checkpoints, means[0] / means[1], "other", 0)
    plots.curve(
        figure,
        result.checkpoints,
        (result.regret[1] > 2 * np.median(result.regret[1], axis=0)).mean(axis=0),
        "stuck",
        0,
    )
    return figure


def formula(gap, seed, progress=None):
    return gap * np.arange(20.0)


def line(found, n):
    figure = plots.blank("", "x", "y", "")
    plots.curve(figure, np.arange(20), *found.values(), "line", 0)
    return figure


def told(found, n):
    return f"gap {n.gap}"


def never(found, n):
    raise AssertionError("captions would conclude from what is made up")


def study(**other):
    return Study("Toy", "a toy", **{"play": play, "caption": never, "draw": with_bound, **other})


@pytest.fixture
def pool():
    return tables.Pool()


@pytest.fixture(autouse=True)
def unbuilt(monkeypatch):
    """No module is built: others test them."""
    monkeypatch.setattr(plays.modules, "build_modules", lambda kinds, workers: dict.fromkeys(kinds, b""))


def asked_at(play, at):
    """The simulations that a figure asks for."""
    asked = []
    with hold_back(asked):
        play(**{name: value for name, value in {**VALUES, **at}.items() if name in list_arguments(play)})
    return asked


def look_up_anywhere(made, kind, one, at):
    """The numbers of a curve or a part, as the page looks them up; `kind` says which of the two it is."""
    setting = tuple(at.get(name) for name in made.base)
    for single, value in ((made.wanted, setting), *((single, at[name]) for name, single in made.alone.items())):
        if value in single.values:
            place = single.values.index(value)
            columns = getattr(single, kind).get(one, [[tables.MISSING]])  # a bound may be at a named setting only
            found = [n[place if len(n) > 1 else 0] for n in columns]
            return [n[at[tables.RUN]] if isinstance(n, tuple) else n for n in found]
    return [tables.look_up(column, at, made.positions) for column in getattr(made, kind)[one]]


def looked_up(kind, one, at, made, leaves):
    """The fields of a curve or a part at a position; None where it is not."""
    there, *rest = look_up_anywhere(made, kind, one, at)
    return None if there < 0 else [leaves[number] for number in rest]


def in_order(fields):
    """Fields as the page joins them: an order puts the entries of the array before it where they belong."""
    for i, leaf in enumerate(fields):
        if leaf.shape != arguments.ORDER:
            follows = i + 1 < len(fields) and fields[i + 1].shape == arguments.ORDER
            places = np.frombuffer(fields[i + 1].data, np.uint16) if follows else None
            yield leaf if places is None else Leaf(leaf.shape, np.frombuffer(leaf.data)[places].tobytes())


def numbers_of(leaf):
    return np.frombuffer(leaf.data, np.float32).reshape(leaf.shape).astype(float)


def numbers_of_line(line, factor, series):
    """What a line shows, of the regret that was asked for."""
    one = next(one for one in series if (one.policy, one.simulation) == (line["policy"], line["simulation"]))
    below = [two for two in series if two.simulation == one.simulation and line["told"] in (None, two.policy)]
    middle, error, half = interval(one.values)
    if line["statistic"] == "mean":
        return middle * factor
    if line["statistic"] == "band":
        wide = half if line["told"] is None else line["told"] * error
        return np.concatenate([(middle + wide) * factor, ((middle - wide) * factor)[::-1]])
    if line["statistic"] == "ends":
        low, high = np.transpose([mean(column).ends(0.95) for column in one.values.T])
        return np.concatenate([high, low[::-1]])
    if line["statistic"] == "stuck":
        return (one.values > 2 * np.median(one.values, axis=0)).mean(axis=0)
    if line["statistic"] == "ratio":
        return middle / np.min([two.values.mean(axis=0) for two in below], axis=0)
    if line["statistic"] == "shares":
        return np.arange(1, len(one.values) + 1) / len(one.values)
    return np.quantile(one.values, line["told"], axis=0, method=line["method"]) * factor


def redrawn(made, at, leaves, asked):
    """Names and numbers of the traces as the page makes them."""
    found, series = {}, list(traces.list_series(asked))
    for part in made.parts:
        fields = looked_up("parts", part, at, made, leaves)
        if fields is None or part.place == traces.LAYOUT:
            continue
        words = json.loads(fields[0].data)
        arrays, line = dict(zip(words["arrays"], map(numbers_of, fields[1:]), strict=True)), words["line"]
        y = arrays.get("y", words["trace"].get("y"))
        shown = y if line is None else numbers_of_line(line, arrays.get("factor", 1.0), series)
        found[part.place] = words["trace"].get("name"), shown
    return found


def check_drawing(play, values, made, leaves, rng, places):
    """At places drawn at random the tables draw what the figure draws, of regret that they have not met."""
    for _ in range(places):
        at = {name: rng.choice(positions) for name, positions in made.positions.items()}
        if made.alone and rng.random() < 0.5:
            name = rng.choice(sorted(made.alone))
            at = {**made.base, name: rng.choice(made.alone[name].values)}
        given = {**values, **{name: value for name, value in at.items() if name != tables.RUN}}
        try:
            taken = {name: given[name] for name in list_arguments(play) if name in given}
            drawn, _, asked = traces.draw(play, taken, 2)
        except ValueError:
            continue
        found = redrawn(made, at, leaves, asked)
        for place, trace in enumerate(drawn):
            if trace.get("name") in made.hidden:
                continue
            name, y = found[place]
            assert name == trace.get("name"), (at, place)
            if points := traces.points_of(trace):
                np.testing.assert_allclose(np.asarray(y, float), points[1], rtol=1e-6, err_msg=f"{at}, {name}")


def test_tables_say_what_the_figure_asks_for_at_every_position(pool):
    play = study().slider()
    made, leaves = plays.tabulate(play, VALUES, CONTROLS, pool), list(pool.places)
    assert set(made.positions) == {"gap", "arms", "alpha", "rival", "horizon"}  # the horizon changes the bound
    for spot in itertools.product(*made.positions.values()):
        at = dict(zip(made.positions, spot, strict=True))
        if at["horizon"] != 200:
            continue
        (cell,) = asked_at(play, at)
        expected = {
            name: list(list_leaves((cell.settings["environment"], policy)))
            for name, policy in cell.settings["policies"].items()
        }
        found = [looked_up("curves", curve, at, made, leaves) for curve in made.curves]
        assert {name.data.decode(): fields for name, _, *fields in filter(None, found)} == expected


def check_alone(play, made, leaves, values):
    """At every value that a control takes alone, the tables say what the figure asks for."""
    for name, one in made.alone.items():
        for value in one.values:
            given = {**values, **made.base, name: value}
            asked = []
            with hold_back(asked):
                play(**{key: given[key] for key in list_arguments(play) if key in given})
            expected = [
                (policy, *list_leaves((cell.settings["environment"], thing)))
                for cell in asked
                for policy, thing in cell.settings["policies"].items()
            ]
            found = [looked_up("curves", curve, {**made.base, name: value}, made, leaves) for curve in made.curves]
            assert [(told.data.decode(), *fields) for told, _, *fields in filter(None, found)] == expected


def test_a_control_alone_has_the_values_that_tables_have_no_room_for(pool, monkeypatch):
    monkeypatch.setattr(tables.Case, "most", 8)
    play = study().slider()
    made, leaves = plays.tabulate(play, VALUES, CONTROLS, pool), list(pool.places)
    assert {"gap", "arms"} <= {*made.alone} and "rival" not in made.alone
    for name, one in made.alone.items():
        assert not {*one.values} & {*made.positions[name]}
        assert {*one.values, *made.positions[name]} <= {*offered_values(CONTROLS[name], {VALUES[name]})}
    check_alone(play, made, leaves, VALUES)
    facts = plays.describe_title({name: plays.join_values(made, name) for name in made.base}, made, CONTROLS)
    assert facts["base"]["gap"] == VALUES["gap"] and facts["joint"]["gap"] == made.positions["gap"]
    assert facts["axes"]["gap"] == sorted([*made.positions["gap"], *made.alone["gap"].values])


def test_a_control_alone_has_a_world_for_every_run(pool, monkeypatch):
    monkeypatch.setattr(tables.Case, "most", 60)
    play = study(play=play_drawn).slider()
    made, leaves = plays.tabulate(play, VALUES, CONTROLS, pool), list(pool.places)
    (curve,) = made.curves
    for name, one in made.alone.items():
        for value, run in itertools.product(one.values[:3], made.positions[tables.RUN][:3]):
            at = {**made.base, name: value, tables.RUN: run}
            _, _, *fields = looked_up("curves", curve, at, made, leaves)
            world = asked_at(play, at)[0].settings["environment"].draw(VALUES["seed"], run)
            assert list(in_order(fields))[:2] == list(list_leaves(world)), at
    assert made.alone


def test_a_setting_that_somebody_asks_for_is_there_with_what_it_lets_move(pool, monkeypatch):
    """Two controls off the start, where no table has them; the others open at the start of the page."""
    monkeypatch.setattr(tables.Case, "most", 8)
    wanted = [{"gap": 0.4, "arms": 4, "rival": "ucb1", "say": "", "move": ("alpha",)}, {"gap": 0.3, "alpha": 3.5}]
    made = plays.tabulate(study().slider(), VALUES, CONTROLS, pool, wanted)
    names, leaves = [*made.base], list(pool.places)
    settings = [dict(zip(names, at, strict=True)) for at in made.wanted.values]
    there = [{**made.base, **{k: v for k, v in one.items() if k in names}} for one in wanted]
    assert all(one in settings or all(one[name] in made.positions[name] for name in names) for one in there)
    assert len([at for at in settings if {**at, "alpha": 2.0} == {**there[0], "alpha": 2.0}]) > 2
    for at in settings:
        (cell,) = asked_at(study().slider(), at)
        expected = [
            (name, *list_leaves((cell.settings["environment"], policy)))
            for name, policy in cell.settings["policies"].items()
        ]
        found = [looked_up("curves", curve, at, made, leaves) for curve in made.curves]
        assert [(told.data.decode(), *fields) for told, _, *fields in filter(None, found)] == expected
    monkeypatch.setattr(room, "FULL", room.weigh(room.fields_joint(made), pool))
    found = {"Toy": made}
    room.make_room(found, pool, too_long)
    assert len(found["Toy"].wanted.values) < len(settings)


def test_a_row_that_worlds_share_is_packed_once(pool, monkeypatch):
    rows = np.random.default_rng(0).random((3, 2000))
    one, other = (Leaf((2, 2000), rows[places].tobytes()) for places in ([0, 1], [0, 2]))
    numbers = [pool.number(one), pool.number(other)]
    assert room.weigh(numbers, pool) < 0.8 * sum(pool.sizes)
    assert [len(arguments.split_rows(leaf)) for leaf in (one, Leaf((9,), bytes(72)))] == [2, 1]


def too_long():
    return room.LENGTH + 1


def test_controls_alone_have_more_room_in_a_page_that_is_short(pool, monkeypatch):
    monkeypatch.setattr(tables.Case, "most", 8)
    made = plays.tabulate(study().slider(), VALUES, CONTROLS, pool)
    monkeypatch.setattr(room, "FULL", room.weigh_all({"Toy": made}, pool) - 1)
    short, long = {"Toy": made}, {"Toy": made}
    assert room.make_room(short, pool, lambda: room.LENGTH) == room.make_room(long, pool, too_long) == []
    assert short["Toy"].alone == made.alone
    assert room.weigh_all(long, pool) <= room.FULL


def test_a_page_without_room_takes_values_from_the_heaviest_control(monkeypatch):
    def figure(**weights):
        single = {
            name: alone.Alone([1, 2, 3, 4], {}, {"line": [[0], numbers]}, {1}) for name, numbers in weights.items()
        }
        return plays.Tables({}, {}, {"line": [((), [0]), ((), [0])]}, False, None, [], {}, single, {})

    found, pool = (
        {"Toy": figure(light=[1, 2, 3, 4], heavy=[5, 6, 7, 8])},
        SimpleNamespace(sizes=[1] * 5 + [10] * 4, rows={}),
    )
    monkeypatch.setattr(room, "FULL", 35)
    room.make_room(found, pool, too_long)
    assert {name: one.values for name, one in found["Toy"].alone.items()} == {"light": [1, 2, 3, 4], "heavy": [1, 2, 4]}
    assert found["Toy"].alone["heavy"].parts == {"line": [[0], [5, 6, 8]]}
    monkeypatch.setattr(room, "FULL", 0)
    room.make_room(found, pool, too_long)
    assert found["Toy"].alone == {}


def test_a_field_stands_over_what_changes_it_only(pool):
    made = plays.tabulate(study().slider(), VALUES, CONTROLS, pool)
    used = {name for columns in made.curves.values() for names, _ in columns[2:] for name in names}
    assert used - {"rival"} == {"gap", "arms", "alpha"}  # one policy's name may be another's place
    assert all({"gap", "alpha"} - set(names) for columns in made.curves.values() for names, _ in columns)


def test_drawn_worlds_have_a_table_over_runs(pool):
    play, at = study(play=play_drawn).slider(), {"gap": 0.1, "arms": 4, tables.RUN: 7, "horizon": 200}
    made, leaves = plays.tabulate(play, VALUES, CONTROLS, pool), list(pool.places)
    (curve,) = made.curves
    _, _, *fields = looked_up("curves", curve, at, made, leaves)
    world = asked_at(play, at)[0].settings["environment"].draw(3, 7)
    assert made.drawn and list(in_order(fields))[:2] == list(list_leaves(world))
    used = [set(names) for names, _ in made.curves[curve]]
    assert not any({"gap", tables.RUN} <= names for names in used)  # the order of the arms stands alone


def test_an_instance_that_a_seed_draws_is_played_for_one_seed_only(pool):
    assert plays.tabulate(study(play=play_seeded).slider(), VALUES, CONTROLS, pool).drawn
    assert not plays.tabulate(study().slider(), VALUES, CONTROLS, pool).drawn


@pytest.mark.parametrize(
    "other", [{}, {"play": play_drawn}, {"draw": scaled}, {"draw": ends}, {"play": play_two, "draw": ratios}]
)
def test_tables_draw_what_the_figure_draws(pool, other):
    play = study(**other).slider()
    made = plays.tabulate(play, VALUES, CONTROLS, pool)
    check_drawing(play, VALUES, made, list(pool.places), random.Random(5), 20)
    assert made.hidden == []


def drawn_everything(found, n):
    """What drawings ask of a figure, words in parts of parts among it."""
    figure = plots.panels({"one": found, "two": found}, 1, "", "round t", "", None, shared_yaxes=True)
    plots.printed(figure, [1], [2], "0.2", row=1, column=2)
    bars = dict(type="data", array=[0.5] * 2)
    figure.add_scatter(x=[1, 2], y=[3, 4], error_y=bars, marker_size=9, line=dict(width=2), row=1, col=2, name="own")
    figure.add_heatmap(z=np.eye(3), colorbar=dict(title="share"), colorscale="Viridis", row=1, col=1)
    figure.add_bar(x=["a"], y=[n.gap], marker=dict(color="#123456"))
    figure.update_xaxes(type="log", dtick=None, row=1, col=2).update_yaxes(title=dict(text="y", standoff=4))
    figure.update_layout(legend_orientation="h", paper_bgcolor="white", title="words")
    figure.data = figure.data[2:] + figure.data[:2]
    figure.data[0].line.color = "#654321"
    return figure


def two_axes(found, n):
    """Two y axes in one panel."""
    figure = plots.blank("", "x", "y", "", specs=[[dict(secondary_y=True)]])
    figure.add_bar(x=pd.Series([1, 2]), y=[n.gap, 2.0], name="bars", secondary_y=False)
    figure.add_scatter(x=[1, 2], y=[3.0, n.gap], name="line", mode="lines", secondary_y=True)
    figure.update_yaxes(title_text="the second", range=[0, 1.05], secondary_y=True, showgrid=False)
    return figure.update_xaxes(dtick=1).update_yaxes(zeroline=True)


EVERYTHING = [with_bound, scaled, ends, lambda found, n: drawn_everything(*found.values(), n), two_axes]


@pytest.mark.parametrize("draw", EVERYTHING)
def test_a_sketch_is_what_plotly_draws(draw):
    play = study(draw=draw).slider()
    values = {name: VALUES[name] for name in list_arguments(play) if name in VALUES}
    (data, layout, _), (own, own_layout, _) = traces.draw(play, values), traces.draw(play, values, sketches=True)
    assert layout == own_layout and [*map(traces.to_json, data)] == [*map(traces.to_json, own)]
    assert [type(one.get("x")) for one in data] == [type(one.get("x")) for one in own]


def unknown(found, n):
    """What a sketch does not know: a line across."""
    figure = with_bound(found, n)
    figure.add_vline(x=n.gap * 100)
    return figure


def whole_number(found, n):
    """What a sketch says otherwise than plotly, and at one position only: a number as a name."""
    figure = with_bound(found, n)
    figure.data[-1].name = 7 if n.gap == 0.4 else "7"
    return figure


def test_plotly_draws_no_figure_that_differs_in_numbers_only(pool, monkeypatch):
    sketched = []
    monkeypatch.setattr(traces, "hold_back", lambda *told: sketched.append(told[-1]) or hold_back(*told))
    plays.tabulate(study().slider(), VALUES, CONTROLS, pool)
    assert sketched.count(True) > 100 and 0 < sketched.count(False) < 20  # it is checked at 40 places


@pytest.mark.parametrize("draw", [unknown, whole_number])
def test_plotly_draws_what_a_sketch_does_not_know(pool, draw, monkeypatch):
    used = []

    def watched(asked, draws, salt, sketches):
        used.append(sketches)
        return hold_back(asked, draws, salt, sketches)

    monkeypatch.setattr(traces, "hold_back", watched)
    play = study(draw=draw).slider()
    made = plays.tabulate(play, VALUES, CONTROLS, pool)
    assert used[0] and len(used) > 40 and not any(used[-40:])  # when it is checked, too
    check_drawing(play, VALUES, made, list(pool.places), random.Random(5), 20)


def test_a_bound_that_is_left_out_is_drawn_nowhere(pool, monkeypatch):
    monkeypatch.setattr(traces, "BOUNDS", 8)  # where the rival has left, the bound has another place in the figure
    made, leaves = plays.tabulate(study().slider(), VALUES, CONTROLS, pool), list(pool.places)
    words = [leaves[n] for _, (_, numbers), *_ in made.parts.values() for n in numbers if n >= 0]
    names = {json.loads(one.data).get("trace", {}).get("name") for one in words}
    assert made.hidden == ["at most"] and "UCB1" in names and "at most" not in names
    assert 5 in made.positions["arms"]


def test_a_bound_that_is_left_out_is_drawn_at_a_setting_that_somebody_names(pool, monkeypatch):
    monkeypatch.setattr(traces, "BOUNDS", 8)
    wanted = [{"say": "where it opens", "move": ()}]
    made, leaves = plays.tabulate(study().slider(), VALUES, CONTROLS, pool, wanted), list(pool.places)
    assert made.hidden == ["at most"] and made.wanted.values == [tuple(made.base.values())]
    found = [looked_up("parts", part, made.base, made, leaves) for part in made.parts if part.place != traces.LAYOUT]
    names = [json.loads(words.data)["trace"].get("name") for words, *_ in filter(None, found)]
    assert "at most" in names and "UCB1" in names


def test_a_policy_that_leaves_at_two_controls_together_leaves_its_curves_too(pool):
    module = find_paper(NOTEBOOKS["factored"])  # UCB1 plays at few components, or few options
    values = {"seed": 0, **{name: control.start for name, control in module.CONTROLS.items()}}
    made, leaves = plays.tabulate(module.FIGURES["Figure 3"], values, module.CONTROLS, pool), list(pool.places)
    met = set()
    for k, d in itertools.product(made.positions["k"], made.positions["d"]):
        at = {name: values.get(name, 0) for name in made.positions} | {"k": k, "d": d}
        playing = {
            found[0].data.decode() for curve in made.curves if (found := looked_up("curves", curve, at, made, leaves))
        }
        words = [found[0] for part in made.parts if (found := looked_up("parts", part, at, made, leaves))]
        drawn = [json.loads(one.data).get("line") for one in words]
        assert {line["policy"] for line in drawn if line} == playing
        met.add(frozenset(playing))
    assert len(met) == 2


@bundle(size=Size)
def play_below(gap, arms, size):
    """UCB1 against another, which plays below a line through both controls."""
    policies = {"UCB1": classic.ucb1(arms)}
    if arms * gap < 2.0:
        policies["rival"] = classic.uniform(arms)
    return size.simulate(classic.bernoulli(means_of(arms, gap / 10)), policies, 10)


def test_who_plays_leaves_a_control_its_positions(pool, monkeypatch):
    """A figure is drawn once for those who play, not at each position that changes who does."""
    drawn, draw = [], traces.draw
    monkeypatch.setattr(traces, "draw", lambda *told: drawn.append(told) or draw(*told))
    controls = CONTROLS | {"gap": Slider("Gap", 0.1, 2.0, 0.1, start=0.2), "arms": Slider("Arms", 2, 21, 1, start=3)}
    play = study(play=play_below, draw=None).slider()
    made = plays.tabulate(play, VALUES, controls, pool)
    assert made.positions["arms"] == [*range(2, 22)] and len(made.positions["gap"]) == 20
    assert len(drawn) < 200  # of 400 positions
    check_drawing(play, VALUES, made, list(pool.places), random.Random(5), 30)


@bundle(size=Size)
def play_within(gap, arms, size):
    if gap > 1.0:
        raise ValueError(f"gap={gap}: must be at most 1")
    return size.simulate(classic.bernoulli(means_of(arms, gap / 10)), {"UCB1": classic.ucb1(arms)}, 10)


def test_ends_at_which_the_figure_refuses_to_be_go_first(pool, monkeypatch):
    monkeypatch.setattr(tables.Case, "most", 150)
    controls = CONTROLS | {"gap": Slider("Gap", 0.1, 2.0, 0.1, start=0.2), "arms": Slider("Arms", 2, 21, 1, start=3)}
    made = plays.tabulate(study(play=play_within, draw=None).slider(), VALUES, controls, pool)
    assert made.positions["gap"][-1] == 1.0 and len(made.positions["gap"]) >= 5


@with_all
def test_the_instrument_of_factored_keeps_each_component_and_option(pool):
    module = find_paper(NOTEBOOKS["factored"])
    values = {"seed": 0, **{name: control.start for name, control in module.CONTROLS.items()}}
    made = plays.tabulate(module.FIGURES["Regret"], values, module.CONTROLS, pool)
    for name in ("d", "k", "gap", "sigma"):
        assert made.positions[name] == [*module.CONTROLS[name].positions()]
    assert made.positions["upper"] == [False] and made.hidden  # it would switch only bounds that are left out
    assert made.switched == {name: ["upper"] if "at most" in name else ["lower"] for name in made.hidden}


@with_all
@pytest.mark.parametrize("paper", ["composite", "censored"])
def test_a_bound_is_missed_only_where_its_switch_is_on(paper, pool):
    module = find_paper(NOTEBOOKS[paper])
    values = {"seed": 0, **{name: control.start for name, control in module.CONTROLS.items()}}
    made = plays.tabulate(module.FIGURES["Regret"], values, module.CONTROLS, pool)
    assert made.hidden and made.switched == dict.fromkeys(made.hidden, ["upper"])


def test_what_is_made_up_warns_of_nothing(pool):
    def logs(found, n):
        np.log10(np.array([-1.0]))  # as of a difference of what is made up
        return with_bound(found, n)

    assert plays.tabulate(study(draw=logs).slider(), VALUES, CONTROLS, pool).curves


def test_what_no_page_draws_is_refused_with_a_reason():
    figures = {"good": study(), "bad": study(draw=slope), "formula": study(play=formula, draw=line, caption=told)}
    found = plays.describe_plays({name: one.slider() for name, one in figures.items()}, CONTROLS, VALUES)
    assert list(found["figures"]) == ["good", "formula"]
    assert "what no page makes (squares)" in found["refused"]["bad"]
    assert list(found["figures"]["good"]["axes"]) == ["gap", "arms", "alpha", "rival", "horizon", "runs"]
    assert found["figures"]["formula"]["exact"] and list(found["figures"]["formula"]["axes"]) == ["gap"]


def test_too_large_fields_leave_the_page(monkeypatch):
    monkeypatch.setattr(room, "ROOM", 10)
    found = plays.describe_plays({"Toy": study().slider()}, CONTROLS, VALUES)
    assert found["refused"] == {"Toy": "its fields would make the page too large"} and found["figures"] == {}


@pytest.mark.parametrize("paper", OPENED, ids=lambda path: path.stem)
def test_what_a_paper_lets_play_is_drawn_from_tables(paper):
    module, rng = find_paper(paper), random.Random(paper.stem)
    values, pool = {"seed": 0, **{name: control.start for name, control in module.CONTROLS.items()}}, tables.Pool()
    for title in module.PLAYS if SOAK else module.PLAYS[-1:]:
        made = plays.tabulate(module.FIGURES[title], values, module.CONTROLS, pool)
        check_drawing(module.FIGURES[title], values, made, list(pool.places), rng, 30 if SOAK else 3)
        if made.curves:
            check_alone(module.FIGURES[title], made, list(pool.places), values)
        assert {name for name, at in made.positions.items() if len(at) > 1}


@with_all
@pytest.mark.parametrize(
    ("paper", "title"),
    [
        ("factored", "Figure 4"),  # a warm-up that fits into no short horizon is met at the ends of two controls only
        ("censored", "Shares of the tables"),  # where a bound is left out, a key of the legend stands in its place
    ],
)
def test_what_is_drawn_at_few_positions_is_drawn_there(paper, title, pool):
    module = find_paper(NOTEBOOKS[paper])
    values = {"seed": 0, "scale": "quick", **{name: control.start for name, control in module.CONTROLS.items()}}
    made = plays.tabulate(module.FIGURES[title], values, module.CONTROLS, pool)
    check_drawing(module.FIGURES[title], values, made, list(pool.places), random.Random(0), 40)


def list_holes(made):
    """Fields that a table lacks where its curve is."""
    for (where, there), *fields in made.curves.values():
        present = [
            dict(zip(where, at, strict=True)) for at, n in zip(places(made, where), there, strict=True) if n == 0
        ]
        for names, numbers in fields:
            shared = [name for name in where if name in names]
            met = {tuple(at[name] for name in shared) for at in present}
            spots = zip(places(made, names), numbers, strict=True)
            lacking = (dict(zip(names, at, strict=True)) for at, number in spots if number == tables.MISSING)
            yield from (at for at in lacking if tuple(at[name] for name in shared) in met)


def places(made, names):
    return itertools.product(*(made.positions[name] for name in names))


@with_all
def test_a_curve_that_is_there_for_some_values_only_has_all_its_fields():
    """UCB1 has up to 2,048 vectors here: of eleven components with two options each, of seven with three."""
    module = find_paper(NOTEBOOKS["factored"])
    values = {"seed": 0, **{name: control.start for name, control in module.CONTROLS.items()}}
    made = plays.tabulate(module.FIGURES["Manufacturing"], values, module.CONTROLS, tables.Pool())
    assert any(number == tables.MISSING for (_, there), *_ in made.curves.values() for number in there)
    assert not [*list_holes(made)]


@with_all
def test_what_was_drawn_only_where_no_control_leads_any_more_has_no_table(pool):
    """Matrices of few rows are words, larger ones are arrays: with the positions of K all but one of the kinds go."""
    module = find_paper(NOTEBOOKS["uplifting"])
    values = {"seed": 0, **{name: control.start for name, control in module.CONTROLS.items()}}
    play = module.FIGURES["Who touches what"]
    made = plays.tabulate(play, values, module.CONTROLS, pool)
    check_drawing(play, values, made, list(pool.places), random.Random(1), 3)
    assert len(made.positions["sigma"]) > 1


def test_whichever_frees_most_leaves_a_page_without_room(monkeypatch):
    """The largest figure shares most of its fields with another one here: it would free little."""
    monkeypatch.setattr(room, "ROOM", 10)
    made = {"large": (0, 2), "shares": (0,), "alone": (1,)}
    found = {
        name: SimpleNamespace(curves={}, alone={}, parts={"line": ((), ((), fields))}) for name, fields in made.items()
    }
    assert room.drop_largest(found, SimpleNamespace(sizes=[6, 5, 1], rows={})) == ["alone"]
    assert [*found] == ["large", "shares"]


def test_a_horizon_whose_positions_had_no_room_is_no_slider():
    """Of a formula: its tables stand over the horizon, and have nothing at another one."""
    controls = {"gap": Slider("Gap", 0.1, 0.5, 0.1, start=0.3), "horizon": Slider("T", 100, 500, 100, start=300)}
    left = SimpleNamespace(positions={"gap": [0.1, 0.3], "horizon": [300]}, alone={}, curves={}, runs=None)
    left.base, left.wanted = {"gap": 0.3, "horizon": 300}, alone.Alone([], {}, {}, set())

    def formula(gap, horizon):
        raise AssertionError("only its names are read")

    assert plays.list_moves(formula, left, controls, {"gap": 0.3, "horizon": 300}) == {"gap": [0.1, 0.3]}
    played = SimpleNamespace(positions={"gap": [0.1, 0.3]}, alone={}, curves={"one": ()}, runs=5)
    played.base, played.wanted = {"gap": 0.3}, left.wanted
    assert plays.list_moves(formula, played, controls, {"gap": 0.3, "horizon": 300})["horizon"][0] == 100


def test_a_figure_that_plays_runs_is_left_the_horizons_that_it_plays_soon(monkeypatch):
    monkeypatch.setattr(plays, "ROUNDS", 300)
    positions = {"horizon": [50, 100, 200, 300, 400], "gap": [0.1, 0.2]}

    def play(horizon=100):
        record_run(classic.bernoulli([0.5, 0.4]), classic.uniform(2), horizon)
        return plots.blank("A run", "x", "y", ""), None

    plays.shorten(play, {"horizon": 100}, positions)
    assert positions == {"horizon": [50, 100, 200, 300], "gap": [0.1, 0.2]}
    plays.shorten(play, {}, {"gap": [0.1]})  # its horizon is its own: nothing to shorten
