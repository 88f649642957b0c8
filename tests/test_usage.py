"""Who watches sees the results that were used meanwhile, whoever else watches."""

import banditlab as bl
from banditlab import usage


def test_a_watch_within_a_watch():
    result = bl.simulate(bl.classic.bernoulli([0.9]), bl.classic.ucb1(1), 10)
    with usage.watch() as outer:
        with usage.watch() as inner:
            usage.saw(result)
        with usage.watch() as later:
            usage.saw([])
        usage.saw({"again": (result, bl.simulate(bl.classic.bernoulli([0.5]), bl.classic.ucb1(1), 10))})
    assert [len(used) for used in (outer, inner, later)] == [2, 1, 0]
    assert usage.watchers == []


def test_sizes_in_words():
    with usage.watch() as used:
        for runs in (2, 5):
            bl.simulate(bl.classic.bernoulli([0.9]), bl.classic.ucb1(1), 1000, runs)
    assert usage.sizes(used)[0] == "2 to 5 runs of 1,000 rounds"
    with usage.watch() as nothing:
        pass
    assert usage.sizes(nothing) == ("", 0.0)


def test_what_a_result_was_put_together_from_counts_once():
    arms = bl.classic.bernoulli([0.2, 0.9])
    with usage.watch() as used:
        found = bl.per_horizon(arms, lambda T: {"EXP3": bl.classic.exp3(2, T)}, [50_000, 100_000], runs=3)
        other = bl.simulate(arms, bl.classic.ucb1(2), 100_000, 3, checkpoints=[50_000, 100_000])
        both = found.join(other)
        usage.saw(both)
    words, seconds = usage.sizes(used)
    assert words == "3 runs of 50,000 to 100,000 rounds"
    parts = [result.origin["seconds"] for result in (found, other)]
    assert min(parts) > 0 and seconds == both.origin["seconds"] == round(sum(parts), 3)
