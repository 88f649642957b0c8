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
    results = [bl.simulate(bl.classic.bernoulli([0.9]), bl.classic.ucb1(1), 1000, runs) for runs in (2, 5)]
    assert usage.sizes({id(result): result for result in results})[0] == "2 to 5 runs of 1,000 rounds"
    assert usage.sizes({}) == ("", 0.0)
