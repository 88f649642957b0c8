"""Loose numbers put together: what callers see, what reaches the function."""

import inspect

import pytest

import banditlab as bl
from banditlab.study.parameters import Size, bundle


def spread(means, gap, seed=0):
    return "spread", means, gap, seed


@bundle(means=lambda arms: [0.5] * arms)
def nested(means, gap):
    return "nested", means, gap


@bundle(world=spread, size=Size)
def played(world, means, share, size, label="x"):
    return world, means, share, size, label


def test_a_number_that_several_take_is_given_once():
    """And must be given where one of them has no default, as the seed of the size."""
    parameters = inspect.signature(played).parameters
    assert list(parameters) == ["gap", "means", "share", "horizon", "runs", "seed", "progress", "label"]
    assert [name for name, one in parameters.items() if one.default is not one.empty] == ["progress", "label"]
    found = played(means=3, gap=0.1, share=0.5, horizon=10, runs=2, seed=7)
    assert found == (("spread", 3, 0.1, 7), 3, 0.5, Size(10, 2, 7), "x")
    assert played(0.1, 3, 0.5, 10, 2, 7, label="y")[-1] == "y"


def test_what_is_gathered_may_be_gathered_again():
    @bundle(world=nested)
    def outer(world, share):
        return world, share

    assert list(inspect.signature(outer).parameters) == ["arms", "gap", "share"]
    assert outer(arms=2, gap=0.1, share=1) == (("nested", [0.5, 0.5], 0.1), 1)


@pytest.mark.parametrize("wrong", [dict(world="a"), dict(gap=0.1, means=3), dict(size=Size(1, 1, 1))])
def test_only_the_loose_numbers_are_taken(wrong):
    with pytest.raises(TypeError, match="argument"):
        played(**wrong)


def test_a_gathered_function_keeps_its_name_and_words():
    @bundle(size=Size)
    def words(size):
        """What it plays."""

    assert (words.__name__, words.__doc__) == ("words", "What it plays.")


def test_a_size_plays_and_is_split():
    told = []
    size = Size(50, 2, 3, told.append)
    arms, policies = bl.classic.bernoulli([0.9, 0.5]), {"UCB1": bl.classic.ucb1(2)}
    found, plain = size.simulate(arms, policies, 5), bl.simulate(arms, policies, 50, 2, 3, 5)
    assert found.regret.tobytes() == plain.regret.tobytes() and told[-1] == 1.0
    assert size.simulate(arms, policies, metric="share").metric == "share"
    first, second = size.split(2)
    first.progress(0.5), second.progress(0.5)
    assert told[-2:] == [0.25, 0.75] and first[:3] == second[:3] == size[:3]
    assert Size(50, 2, 3).split(2) == [Size(50, 2, 3)] * 2
