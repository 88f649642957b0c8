"""What runs, or is believed, must be the user's own: folders and files that others may write are refused by name."""

import os
import stat

import numba.core.caching
import numpy as np
import pytest

import banditlab as bl
from banditlab import classic, io
from banditlab.engine import compiling
from banditlab.user_code import code_identity

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="this system has no owners of files")
ARMS = classic.bernoulli([0.2, 0.5, 0.9])


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def open_handed():
    """A user whose new files are open to the group, as on many systems."""
    before = os.umask(0o002)
    yield
    os.umask(before)


@pytest.fixture
def disk(tmp_path, monkeypatch):
    """An empty folder of kernels; nothing compiled is remembered."""
    monkeypatch.setattr(code_identity, "HOME", tmp_path / "kernels")
    monkeypatch.setattr(code_identity, "stamp_sources", lambda: code_identity.STAMP)
    monkeypatch.setattr(compiling, "entries", {})
    return tmp_path / "kernels"


@pytest.fixture
def loaded(monkeypatch):
    """The kernels that were taken from the disk."""
    found, load = [], numba.core.caching.IndexDataCacheFile.load

    def told(file, key):
        data = load(file, key)
        found.extend([key] * (data is not None))
        return data

    monkeypatch.setattr(numba.core.caching.IndexDataCacheFile, "load", told)
    return found


def uniform():
    """A result that the disk is asked for first."""
    compiling.entries.clear()
    return bl.simulate(ARMS, classic.uniform(3), 300, seed=5).regret


def another_user(monkeypatch):
    """From now on we are somebody else."""
    monkeypatch.setattr(os, "getuid", lambda: os.stat(__file__).st_uid + 1)


def test_kernels_are_made_for_their_user_alone(disk):
    uniform()
    assert mode(disk) == 0o700
    assert {mode(path) for path in disk.rglob("*") if path.is_dir()} == {0o700}
    assert {mode(path) for path in disk.rglob("*") if path.is_file()} == {0o600}


def test_a_kernel_that_nobody_else_could_write_is_loaded(disk, loaded):
    before = uniform()
    assert (uniform() == before).all() and len(loaded) == 1


@pytest.mark.parametrize("pattern", ["kernels", "kernels/*", "kernels/*/*.nbi", "kernels/*/*.nbc", "kernels/*/sha256"])
def test_a_kernel_that_others_may_write_is_never_loaded(pattern, disk, loaded):
    before = uniform()
    (path,) = disk.parent.glob(pattern)
    path.chmod(mode(path) | 0o020)
    assert (uniform() == before).all()
    assert loaded == []


def test_a_kernel_of_another_user_is_never_loaded(disk, loaded, monkeypatch):
    before = uniform()
    another_user(monkeypatch)
    assert (uniform() == before).all()
    assert loaded == []


def test_a_folder_of_kernels_that_others_may_write_is_refused_by_name(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    shared = tmp_path / "source" / "__pycache__" / "kernels-1"
    shared.mkdir(parents=True)
    for change in (lambda: shared.chmod(0o777), lambda: (shared.chmod(0o755), another_user(monkeypatch))):
        change()
        with pytest.warns(UserWarning) as told:
            found = io.find_cache_folder(tmp_path / "source", "banditlab", "kernels-1")
        assert str(shared) in str(told[0].message) and "belongs to another user, or others" in str(told[0].message)
        assert found != shared
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert io.find_cache_folder(tmp_path / "source", "banditlab", "kernels-1") == shared


SETTINGS = dict(environment=ARMS, policies=classic.uniform(3), horizon=200, runs=4, seed=3)


def halve(file):
    """Other numbers, sealed as a neighbour could."""
    from banditlab.results import result_file

    with np.load(file) as archive:
        arrays = dict(archive)
    arrays["regret"] = arrays["regret"] / 2
    arrays.pop("digest")
    np.savez(file, **arrays, digest=np.array(result_file.hash_arrays(arrays)))


@pytest.mark.parametrize("whose", ["folder", "file"])
@pytest.mark.parametrize("how", ["others may write", "another user"])
def test_kept_numbers_that_a_neighbour_could_have_written_are_not_believed(whose, how, tmp_path, monkeypatch):
    monkeypatch.setattr(code_identity, "stamp_sources", lambda: code_identity.STAMP)
    kept = tmp_path / "kept"
    monkeypatch.setenv("BANDITLAB_KEEP", str(kept))
    truth = bl.simulate(**SETTINGS).regret
    (file,) = kept.iterdir()
    assert mode(kept) == 0o700 and mode(file) == 0o600
    halve(file)
    assert (bl.simulate(**SETTINGS).regret == truth / 2).all()  # a forgery by oneself
    halve(file)
    if how == "another user":
        another_user(monkeypatch)
    else:
        (kept if whose == "folder" else file).chmod(0o777 if whose == "folder" else 0o666)
    with pytest.warns(UserWarning, match="belongs to another user, or others may write"):
        assert (bl.simulate(**SETTINGS).regret == truth).all()
