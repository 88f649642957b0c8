"""Who watches sees the results that were used meanwhile, whoever else watches."""

import threading
from dataclasses import replace

import banditlab as bl
from banditlab.evidence import provenance


def test_a_watch_within_a_watch():
    result = bl.simulate(bl.classic.bernoulli([0.9]), bl.classic.ucb1(1), 10)
    with provenance.watch() as outer:
        with provenance.watch() as inner:
            provenance.saw(result)
        with provenance.watch() as later:
            provenance.saw([])
        provenance.saw({"again": (result, bl.simulate(bl.classic.bernoulli([0.5]), bl.classic.ucb1(1), 10))})
    assert [len(used) for used in (outer, inner, later)] == [2, 1, 0]
    assert provenance.watchers.get() == ()


def test_sizes_in_words():
    with provenance.watch() as used:
        for runs in (2, 5):
            bl.simulate(bl.classic.bernoulli([0.9]), bl.classic.ucb1(1), 1000, runs)
    assert provenance.sizes(used)[0] == "2 to 5 runs of 1,000 rounds"
    with provenance.watch() as one:
        bl.simulate(bl.classic.bernoulli([0.9]), bl.classic.ucb1(1), 1000, 1)
    assert provenance.sizes(one)[0] == "1 run of 1,000 rounds"
    with provenance.watch() as short:
        bl.simulate(bl.classic.bernoulli([0.9]), bl.classic.ucb1(1), 1, 2)
    assert provenance.sizes(short)[0] == "2 runs of 1 round"
    with provenance.watch() as nothing:
        pass
    assert provenance.sizes(nothing) == ("", 0.0)


def test_what_a_result_was_put_together_from_counts_once():
    arms = bl.classic.bernoulli([0.2, 0.9])
    with provenance.watch() as used:
        found = bl.simulate_horizons(arms, lambda T: {"EXP3": bl.classic.exp3(2, T)}, [50_000, 100_000], runs=3)
        other = bl.simulate(arms, bl.classic.ucb1(2), 100_000, 3, checkpoints=[50_000, 100_000])
        both = found.join(other)
        provenance.saw(both)
    words, seconds = provenance.sizes(used)
    assert words == "3 runs of 50,000 to 100,000 rounds"
    parts = [result.origin["seconds"] for result in (found, other)]
    assert min(parts) > 0 and seconds == both.origin["seconds"] == round(sum(parts), 3)


def test_a_copy_with_other_settings_is_no_more_rounds():
    arms = bl.classic.bernoulli([0.2, 0.9])
    with provenance.watch() as used:
        first, last = (bl.simulate(arms, {name: bl.classic.ucb1(2)}, 100, 3) for name in ("one", "other"))
        first.join(replace(last, settings=last.settings | {"environment": bl.classic.bernoulli([0.2, 0.9])}))
    assert provenance.sum_rounds(used) == 2 * 3 * 100


def test_what_another_thread_plays_is_not_seen():
    """The sliders of a notebook in JupyterLab play beside the claim that is judged."""
    arms, played = bl.classic.bernoulli([0.2, 0.9]), []
    with provenance.watch() as used:
        thread = threading.Thread(target=lambda: played.append(bl.simulate(arms, bl.classic.ucb1(2), 10)))
        thread.start()
        thread.join()
        own = bl.simulate(arms, bl.classic.ucb1(2), 20)  # on threads of the engine
    assert len(played) == 1 and list(used.values()) == [own]


def timed(name, seconds, seed=0):
    """A result that took so long."""
    found = bl.simulate(bl.classic.bernoulli([0.9]), {name: bl.classic.ucb1(1)}, 10, 2, seed)
    found.origin["seconds"] = seconds
    return found


def test_parts_count_once_whether_their_whole_is_seen_or_not():
    a, b, c = timed("a", 1.001), timed("b", 2.002), timed("c", 4.004)
    for see in (False, True):
        with provenance.watch() as used:
            provenance.saw(a)  # b and c were there before: who puts them together uses them
            for whole in (a.join(b), a.join(c), a.join(b).join(c)):
                provenance.saw(whole if see else ())
            alike = timed("a", 3.003, seed=1)  # of a join's seconds, and no join
            provenance.saw(alike)
        assert provenance.sizes(used) == ("2 runs of 10 rounds", 10.01)
    with provenance.watch() as used:
        provenance.saw(a.join(b).join(c))
    with provenance.watch() as later:
        provenance.saw(list(used.values())[-1])  # from memory: nobody sees the parts
    assert provenance.sizes(used)[1] == provenance.sizes(later)[1] == 7.007
