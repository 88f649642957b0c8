"""Kept results: loaded where everything is the same, computed anew where anything differs."""

import os
import time
from typing import NamedTuple

import numpy as np
import pytest

import banditlab as bl
from banditlab import classic
from banditlab.classic import ucb
from banditlab.engine.methods import helper
from banditlab.evidence import Cases, Claims, mean, provenance
from banditlab.results import result_cache, result_file
from banditlab.user_code import code_identity
from tests import toys

SETTINGS = dict(
    environment=classic.bernoulli([0.2, 0.5, 0.9]),
    policies={"UCB1": classic.ucb1(3), "uniform": classic.uniform(3)},
    horizon=200,
    runs=4,
    seed=3,
    checkpoints=50,
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("BANDITLAB_KEEP", str(tmp_path / "kept"))
    monkeypatch.setattr(
        code_identity, "stamp_sources", lambda: code_identity.STAMP
    )  # an editor at work is no concern of these tests
    return tmp_path / "kept"


@pytest.fixture
def simulated(monkeypatch):
    """One entry for each simulation that really ran."""
    calls, save = [], result_cache.save_kept

    def counted(path, result):
        calls.append(result)
        save(path, result)

    monkeypatch.setattr(result_cache, "save_kept", counted)
    return calls


def test_without_a_folder_nothing_is_kept(monkeypatch, simulated, tmp_path):
    monkeypatch.delenv("BANDITLAB_KEEP", raising=False)
    monkeypatch.chdir(tmp_path)
    bl.simulate(**SETTINGS)
    bl.simulate(**SETTINGS)
    assert len(simulated) == 2
    assert not list(tmp_path.iterdir())


@pytest.fixture
def beside(monkeypatch, tmp_path):
    """Where results are kept beside kernels, while no folder is named."""
    monkeypatch.setattr(code_identity, "HOME", tmp_path / "kernels")
    monkeypatch.setattr(code_identity, "stamp_sources", lambda: code_identity.STAMP)
    monkeypatch.delenv("BANDITLAB_KEEP", raising=False)
    (tmp_path / "results").mkdir()
    return tmp_path / "results"


def test_what_figures_play_is_kept_beside_the_kernels(monkeypatch, simulated, beside):
    stale = beside / "0123456789abcdef-0.npz"
    stale.touch()
    for seed in (1, 2, 1):
        with provenance.lasting():
            bl.simulate(**{**SETTINGS, "seed": seed})
    assert len(simulated) == 2 and len(list(beside.iterdir())) == 2 and not stale.exists()
    bl.simulate(**{**SETTINGS, "seed": 1})
    assert len(simulated) == 3
    monkeypatch.setenv("BANDITLAB_KEEP", "")
    provenance.lasting()(bl.simulate)(**{**SETTINGS, "seed": 1})
    assert len(simulated) == 4 and len(list(beside.iterdir())) == 2


def test_what_killed_processes_left_half_written_goes_after_a_day(tmp_path):
    """One of today may be under way."""
    for name, days in (("now", 0), ("old", 2)):
        (tmp_path / f"{name}.npz.1-2.part").touch()
        os.utime(tmp_path / f"{name}.npz.1-2.part", (time.time() - days * 86400,) * 2)
    result_cache.drop_stale(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["now.npz.1-2.part"]


def test_what_a_claim_plays_by_itself_is_kept_too(simulated, beside):
    claims = Claims("toy")

    @claims("T1", "It is positive.", "Section 1")
    def positive(scale, seed):
        return Cases("regret", mean(bl.simulate(**{**SETTINGS, "seed": seed}).final_regret("UCB1"))).above(0)

    for _ in range(2):
        claims.ledger()
    assert len(simulated) == 1 and len(list(beside.iterdir())) == 1


def test_what_was_kept_is_loaded(folder, simulated):
    first = bl.simulate(**SETTINGS)
    again = bl.simulate(**{**SETTINGS, "policies": dict(SETTINGS["policies"])})
    assert len(simulated) == 1
    assert len(list(folder.iterdir())) == 1
    assert again.regret.tobytes() == first.regret.tobytes()
    assert again.checkpoints.tolist() == first.checkpoints.tolist()
    assert again.origin == first.origin
    assert again.final.equals(first.final)


CHANGES = {
    "environment": classic.bernoulli([0.2, 0.5, np.nextafter(0.9, 1)]),
    "policies": {"UCB1": classic.ucb1(3, alpha=3.0), "uniform": classic.uniform(3)},
    "names": {"UCB": classic.ucb1(3), "uniform": classic.uniform(3)},
    "order": {"uniform": classic.uniform(3), "UCB1": classic.ucb1(3)},
    "horizon": 201,
    "runs": 5,
    "seed": 4,
    "checkpoints": 49,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_anything_is_computed(name, folder, simulated, monkeypatch):
    argument = {"names": "policies", "order": "policies"}.get(name, name)
    bl.simulate(**SETTINGS)
    changed = bl.simulate(**{**SETTINGS, argument: CHANGES[name]})
    assert len(simulated) == 2
    monkeypatch.delenv("BANDITLAB_KEEP")
    assert changed.regret.tobytes() == bl.simulate(**{**SETTINGS, argument: CHANGES[name]}).regret.tobytes()


def test_another_source_is_computed(folder, simulated, monkeypatch):
    bl.simulate(**SETTINGS)
    monkeypatch.setattr(code_identity, "ENGINE_DIGEST", "0123456789abcdef")
    bl.simulate(**SETTINGS)
    assert len(simulated) == 2


def test_a_source_edited_since_its_import_keeps_nothing(folder, simulated, monkeypatch):
    bl.simulate(**SETTINGS)
    monkeypatch.setattr(code_identity, "stamp_sources", lambda: ())
    bl.simulate(**SETTINGS)
    bl.simulate(**{**SETTINGS, "seed": 8})
    assert len(simulated) == 3
    assert len(list(folder.iterdir())) == 1


@helper
def always_first(tally, width):
    return 0


def select(self, state, t, rng):
    return 0


@pytest.mark.parametrize(
    "place, name, value",
    [(classic.UCB1, "select", select), (ucb, "most_optimistic", always_first)],
    ids=["method", "helper"],
)
def test_a_patched_package_is_computed(place, name, value, folder, monkeypatch):
    plain = bl.simulate(**SETTINGS).of_policy("UCB1")[:, -1].tolist()
    with monkeypatch.context() as patch:
        patch.setattr(place, name, value)
        always = bl.simulate(**SETTINGS).of_policy("UCB1")[:, -1]
        assert always == pytest.approx([200 * 0.7] * 4)  # rounding of a sum of 200 gaps
    assert bl.simulate(**SETTINGS).of_policy("UCB1")[:, -1].tolist() == plain


@pytest.mark.parametrize(
    "changes",
    [
        {"policies": {"A": type("Local", (toys.Constant,), {"__slots__": (), "__module__": "__main__"})(3)}},
        {"environment": bl.random_instances(lambda seed: classic.bernoulli([0.2, 0.5, 0.9]))},
    ],
    ids=["class of a notebook", "function"],
)
def test_what_no_other_process_can_tell_is_never_kept(changes, folder, simulated):
    for _ in range(2):
        bl.simulate(**{**SETTINGS, **changes})
    assert len(simulated) == 2
    assert not folder.exists() or not list(folder.iterdir())


@pytest.mark.parametrize(
    "changes",
    [{"policies": {"A": toys.Constant(3)}}, {"environment": toys.Witness(np.zeros(3), 200)}],
    ids=["policy", "environment"],
)
def test_classes_of_a_module_are_kept(changes, folder, simulated, monkeypatch):
    before = [bl.simulate(**{**SETTINGS, **changes}) for _ in range(2)]
    assert len(simulated) == 1
    assert before[1].regret.tobytes() == before[0].regret.tobytes()
    monkeypatch.setattr(toys.Constant, "select", lambda self, state, t, rng: 1)
    monkeypatch.setattr(toys.Witness, "regret", lambda self, world, action, t: 1.0)
    assert bl.simulate(**{**SETTINGS, **changes}).regret.tobytes() != before[0].regret.tobytes()
    assert len(simulated) == 2


def read_means(seed, file):
    """An environment whose means stand in a file."""
    return classic.bernoulli(np.loadtxt(file))


def test_what_a_module_s_function_draws_is_kept_until_what_it_reads_changes(folder, simulated, tmp_path):
    file = tmp_path / "means.txt"
    changes = {"environment": bl.random_instances(read_means, file=str(file))}
    np.savetxt(file, [0.2, 0.5, 0.9])
    before = [bl.simulate(**{**SETTINGS, **changes}) for _ in range(2)]
    assert len(simulated) == 1 and before[1].regret.tobytes() == before[0].regret.tobytes()
    np.savetxt(file, [0.2, 0.5, 0.6])
    assert bl.simulate(**{**SETTINGS, **changes}).regret.tobytes() != before[0].regret.tobytes()
    assert len(simulated) == 2


class Drawn:
    """Callable, but nothing that a file could describe."""

    def __call__(self, seed):
        return classic.bernoulli([0.2, 0.5, 0.9])


def test_what_cannot_be_described_is_simulated_all_the_same(folder):
    result = bl.simulate(**{**SETTINGS, "environment": bl.random_instances(Drawn())})
    assert result.regret.shape == (2, 4, 50)


def test_the_word_outside_means_nothing(folder, simulated):
    for _ in range(2):
        bl.simulate(**{**SETTINGS, "policies": {"outside option": classic.uniform(3)}})
    assert len(simulated) == 1


def test_a_damaged_file_is_computed_and_written_again(folder, simulated):
    first = bl.simulate(**SETTINGS)
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    damages = [whole[: len(whole) // 2], whole[:-40], b"", b"not a zip file at all"]
    for count, damage in enumerate([*damages, flipped(whole, 0.3), flipped(whole, 0.6)], start=2):
        file.write_bytes(damage)
        with pytest.warns(UserWarning, match=f"{file.name}: not what was kept .* it is computed again"):
            assert bl.simulate(**SETTINGS).regret.tobytes() == first.regret.tobytes()
        assert len(simulated) == count
        assert bl.simulate(**SETTINGS).regret.tobytes() == first.regret.tobytes()
        assert len(simulated) == count


def cut(path, other):
    """The numbers of the first half of the runs, with the hash that belongs to them."""
    rewrite(path, lambda arrays: {"regret": arrays["regret"][:, :2]})


def forge(path, other):
    """Other numbers, without a new hash."""
    rewrite(path, lambda arrays: {"regret": arrays["regret"] / 2}, sealed=False)


def rename(path, other):
    """The sound result of another request, under this name."""
    path.write_bytes(other.read_bytes())


def seconds(path, other):
    """A file of ours, written by hand."""
    bl.load(path).save(path)


def thin(path, other):
    """Fewer checkpoints than were asked for."""
    rewrite(path, lambda arrays: {"regret": arrays["regret"][..., ::-2][..., ::-1],
                                  "checkpoints": arrays["checkpoints"][::-2][::-1]})  # fmt: skip


def rewrite(path, changes, sealed=True):
    with np.load(path) as file:
        arrays = dict(file)
    arrays |= changes(arrays)
    if sealed:
        arrays.pop("digest")
        arrays["digest"] = np.array(result_file.hash_arrays(arrays))
    np.savez(path, **arrays)


@pytest.mark.parametrize("fraud", [cut, forge, rename, seconds, thin])
def test_what_was_not_kept_under_this_name_is_computed(fraud, folder, simulated):
    first = bl.simulate(**SETTINGS)
    (file,) = folder.iterdir()
    bl.simulate(**{**SETTINGS, "seed": 4})
    (other,) = set(folder.iterdir()) - {file}
    fraud(file, other)
    with pytest.warns(UserWarning, match=f"{file.name}: not what was kept .* it is computed again"):
        assert bl.simulate(**SETTINGS).regret.tobytes() == first.regret.tobytes()
    assert len(simulated) == 3
    assert bl.simulate(**SETTINGS).regret.tobytes() == first.regret.tobytes()
    assert len(simulated) == 3


def flipped(data, place):
    """The data with 64 bytes turned over."""
    place = int(place * len(data))
    return data[:place] + bytes(byte ^ 0xFF for byte in data[place : place + 64]) + data[place + 64 :]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_folder_that_cannot_be_written_wastes_no_work(tmp_path, monkeypatch, simulated):
    """Either the call is refused before anything runs, or it returns its result."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BANDITLAB_KEEP", str(tmp_path / "file"))
    try:
        assert bl.simulate(**SETTINGS).regret.shape == (2, 4, 50)
    except (OSError, ValueError):
        assert not simulated


class Words:
    SCALE = 1


class Told(NamedTuple):
    arms: int
    SCALE = 1

    @property
    def twice(self):
        return 2

    @classmethod
    def thrice(cls):
        return 3

    def diagnostics(self, world, state):
        return {"told": self.SCALE + self.twice + self.thrice() + Words.SCALE}


@pytest.mark.parametrize(
    ("cls", "name", "value"),
    [
        (Told, "SCALE", 9),
        (Told, "twice", property(lambda self: 9)),
        (Told, "thrice", classmethod(lambda cls: 9)),
        (Told, "__len__", lambda self: 9),
        (Words, "SCALE", 9),
    ],
)
def test_constants_and_properties_of_classes_count(monkeypatch, cls, name, value):
    before = code_identity.code_key(Told)
    assert code_identity.is_lasting(before)
    monkeypatch.setattr(cls, name, value)
    assert code_identity.code_key(Told) != before
