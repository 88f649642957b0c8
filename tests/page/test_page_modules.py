"""Modules for a page: numpy's streams, kept by what their code depends on, and nothing of this machine in them."""

import gzip

import numpy as np
import pytest

from banditlab import classic
from banditlab.engine.instances import random_instances
from banditlab.page import modules
from banditlab.page.arguments import list_leaves
from banditlab.page.object_file import export_functions
from banditlab.page.seeding import seed_instance, seed_stream
from tests import toys


@pytest.mark.parametrize("seed", [0, 1, 7, 2**32 - 1, 2**32, 2**64 - 1])
@pytest.mark.parametrize("run, stream", [(0, 0), (0, 1), (12_345, 1), (2**32 - 1, 0)])
def test_streams_are_those_of_numpy(seed, run, stream):
    found = np.ones(6, np.uint64)
    seed_stream(np.uint64(seed), run, stream, found)
    state = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(run, stream))).state["state"]
    low, high, step_low, step_high, *rest = map(int, found)
    assert (high << 64 | low, step_high << 64 | step_low, rest) == (state["state"], state["inc"], [0, 0])


@pytest.mark.parametrize("seed", [0, 7, 2**32, 2**64 - 1])
@pytest.mark.parametrize("run", [0, 12_345])
def test_environments_are_drawn_from_the_stream_of_random_instances(seed, run):
    found = np.ones(6, np.uint64)
    seed_instance(np.uint64(seed), run, found)
    rng = random_instances(np.random.default_rng).draw(seed, run)
    low, high, step_low, step_high, *rest = map(int, found)
    state = rng.bit_generator.state["state"]
    assert (high << 64 | low, step_high << 64 | step_low, rest) == (state["state"], state["inc"], [0, 0])


def test_fields_are_laid_down_in_order():
    arms, policy = classic.bernoulli([0.9, 0.5]), classic.ucb1(2, 1.5)
    leaves = list(list_leaves((arms, policy, (True, None))))
    assert [leaf.shape for leaf in leaves][:2] == [(2,), (2,)]
    assert leaves[0].data == np.array([0.9, 0.5]).tobytes()
    assert leaves[-1].data == (1).to_bytes(8, "little")
    assert np.array([1.5]).tobytes() in [leaf.data for leaf in leaves]
    with pytest.raises(TypeError, match="'words' cannot be laid down in a page"):
        list(list_leaves(("words",)))


ARMS = classic.bernoulli([0.9, 0.5])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Modules are kept in a folder of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(modules, "HOME", tmp_path_factory.mktemp("pages"))
        yield modules.HOME


def test_a_module_is_built_once_and_names_nothing_of_this_machine(folder, monkeypatch):
    kind = modules.kind_of(ARMS, classic.uniform(2))
    module = modules.build_modules([kind])[kind]
    assert module[:4] == b"\0asm" and len(gzip.compress(module)) < 20_000
    for word in (b"banditlab", b"site-packages", b"/home", b".py"):
        assert word not in module
    monkeypatch.setattr(modules, "ProcessPoolExecutor", None)  # nothing is built again
    assert modules.build_modules([kind, kind]) == {kind: module}


def test_a_damaged_module_is_not_taken(folder):
    kind = modules.kind_of(ARMS, classic.uniform(2))
    modules.path_of_module(kind).write_bytes(b"0" * modules.SEAL + b"\0asm")
    assert modules.kept(kind) is None


def test_another_code_is_another_module():
    one, other = modules.kind_of(ARMS, classic.uniform(2)), modules.kind_of(ARMS, classic.ucb1(2))
    assert one.key() == modules.kind_of(classic.bernoulli([0.1, 0.2, 0.3]), classic.uniform(3)).key()
    assert one.key() != other.key()


def test_what_cannot_be_built_says_why(folder):
    class Mine(toys.Counting):
        pass

    kind = modules.kind_of(ARMS, classic.uniform(2))._replace(classes=frozenset({Mine}))
    assert "stands in no file" in modules.build_modules([kind])[kind]


def test_an_object_file_that_asks_for_more_is_refused():
    """An import section: one function, `fmod` of module `env`, of type 0."""
    body = b"\x01\x03env\x04fmod\x00\x00"
    with pytest.raises(ValueError, match="asks for fmod, which a page does not have"):
        export_functions(b"\0asm\1\0\0\0" + bytes([2, len(body)]) + body, ("play",))
