"""A scheduler and two workers of dask over loopback: the same bits as on threads, whoever comes and goes."""

import os
import signal
import time

import numpy as np
import pytest

import banditlab as bl
from banditlab import classic
from banditlab.engine import compiling, player, workers
from tests.papers import with_all

dask = pytest.importorskip("dask", reason="needs the extra `cluster`")
distributed = pytest.importorskip("distributed", reason="needs the extra `cluster`")

ARMS = classic.bernoulli([0.2, 0.5, 0.9])
BOTH = {"UCB1": classic.ucb1(3), "uniform": classic.uniform(3)}
SETTINGS = dict(environment=ARMS, policies=BOTH, horizon=500, runs=20, seed=3)


@pytest.fixture(scope="module")
def cluster():
    patient = {"distributed.comm.timeouts.connect": "600s", "distributed.comm.timeouts.tcp": "600s"}
    quiet = {"distributed.worker.multiprocessing-method": "spawn", "logging.distributed": "error"}
    with (
        dask.config.set({**quiet, **patient, "distributed.scheduler.worker-ttl": None}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", host="127.0.0.1"
        ) as cluster,
    ):
        yield cluster


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster) as client:
        client.run(count_compilations)
        yield client


def count_compilations():
    """In a worker: count what is compiled or loaded there."""
    original = compiling.load_or_compile
    compiling.made = []

    def counted(*args):
        compiling.made.append(args)
        return original(*args)

    compiling.load_or_compile = counted


def made():
    return len(compiling.made)


def busy(dask_worker):
    """Threads of a worker that play."""
    return len(dask_worker.active_threads)


def test_simulate_gives_the_same_bits_and_compiles_once_a_worker(client):
    alone = bl.simulate(**SETTINGS)
    for _ in range(2):
        seen = []
        shared = bl.simulate(**{**SETTINGS}, executor=client.get_executor(pure=False), progress=seen.append)
        assert shared.regret.tobytes() == alone.regret.tobytes()
        assert shared.final.equals(alone.final)
        assert seen == sorted(seen) and seen[-1] == 1.0
    counts = client.run(made).values()
    assert max(counts) <= len(BOTH) <= sum(counts)  # a slow worker may have got nothing of one policy


def instance(gap):
    return classic.bernoulli([0.5, 0.5 + gap]), {"UCB1": classic.ucb1(2), "uniform": classic.uniform(2)}


def test_sweep_gives_the_same_bits(client):
    grid = dict(grid={"gap": [0.1, 0.2, 0.3]}, horizon=300, runs=6, seed=1)
    alone = bl.sweep(instance, **grid)
    shared = bl.sweep(instance, **grid, executor=client.get_executor())
    assert [r.regret.tobytes() for r in shared.results] == [r.regret.tobytes() for r in alone.results]


class Cancel(Exception):
    """What a progress callback raises to stop everything."""


def test_cancel_reaches_the_workers(client):
    """Within two seconds where nothing else runs."""
    endless = {**SETTINGS, "horizon": 10**12, "checkpoints": 10}

    def cancel(fraction):
        if sum(client.run(busy).values()) == 2:
            raise Cancel

    with pytest.raises(Cancel):
        bl.simulate(**endless, executor=client.get_executor(), progress=cancel)
    while sum(client.run(busy).values()):  # else the test does not end
        time.sleep(0.05)
    again = bl.simulate(**{**SETTINGS, "seed": 4}, executor=client.get_executor())
    assert again.regret.tobytes() == bl.simulate(**{**SETTINGS, "seed": 4}).regret.tobytes()


class Disturbed:
    """An executor that loses a worker and wins another when a result is there and the rest is given out."""

    def __init__(self, client, cluster):
        self.pool, self.client, self.cluster = client.get_executor(pure=False), client, cluster
        self.given, self.killed = 0, None

    def submit(self, *task):
        job = self.pool.submit(*task)
        self.given += 1
        if self.given == len(BOTH) + 1:  # a policy's second task is known when its first one is played
            self.killed = next(iter(self.client.run(os.getpid).values()))
            self.cluster.scale(3)
            os.kill(self.killed, signal.SIGKILL)
        return job


def test_a_worker_killed_and_one_added_half_way_change_no_bit(client, cluster):
    long = {**SETTINGS, "horizon": 1_000_000, "runs": 40, "checkpoints": 5}
    disturbed = Disturbed(client, cluster)
    shared = bl.simulate(**long, executor=disturbed)
    assert disturbed.killed
    assert shared.regret.tobytes() == bl.simulate(**long).regret.tobytes()


class Restarted:
    """An executor whose cluster is restarted half-way."""

    def __init__(self, client):
        self.pool, self.client, self.given = client.get_executor(pure=False), client, 0

    def submit(self, *task):
        job = self.pool.submit(*task)
        self.given += 1
        if self.given == len(BOTH) + 1:
            self.client.restart(wait_for_workers=False, timeout=600)
        return job


@with_all
def test_a_cluster_restarted_half_way_is_told_and_plays_again(client, monkeypatch, tmp_path):
    """Cells that had ended are not played again where results are kept."""
    monkeypatch.setenv("BANDITLAB_KEEP", str(tmp_path / "kept"))
    grid = dict(grid={"gap": [0.1, 0.2, 0.3]}, horizon=1000, runs=20, seed=1)
    with pytest.raises(RuntimeError, match="executor: it gave a task up, its scheduler was lost or restarted"):
        bl.sweep(instance, **grid, executor=Restarted(client))
    again = bl.sweep(instance, **grid, executor=client.get_executor())
    monkeypatch.setenv("BANDITLAB_KEEP", "")
    alone = bl.sweep(instance, **grid)
    assert [r.regret.tobytes() for r in again.results] == [r.regret.tobytes() for r in alone.results]


# What the workers do, in this process.


def test_a_task_that_nobody_wants_ends_and_returns_nothing(tmp_path, monkeypatch):
    token = tmp_path / "token"
    token.write_text("")
    work, play = player.Work(ARMS, np.array([10**12]), 0), player.Work.play

    def given_up(work, *rest):
        if work.checkpoints[-1] > 1:  # what is compiled beforehand plays one round
            token.unlink()
        return play(work, *rest)

    code = workers.fingerprint_task(work, BOTH["uniform"])
    monkeypatch.setattr(player.Work, "play", given_up)
    with pytest.raises(InterruptedError):
        workers.play_remotely(code, str(token), work, BOTH["uniform"], np.arange(1))


def test_a_policy_that_stops_by_itself_ends_no_task():
    policy = classic.lucb(3, 0.1)
    work = player.Work(ARMS, np.array([10**5]), 0)
    code = workers.fingerprint_task(work, policy)
    _, told, _ = workers.play_remotely(code, "", work, policy, np.arange(2))
    assert [one["stopping_time"] for one in told] == [
        bl.record_run(ARMS, policy, 10**5, run=run).regret.size for run in range(2)
    ]


def test_a_task_without_a_token_to_see_plays_on():
    """As on another machine."""
    work = player.Work(ARMS, np.array([10**5]), 0)
    code = workers.fingerprint_task(work, BOTH["uniform"])
    regret, _, seconds = workers.play_remotely(code, "/no/such/file", work, BOTH["uniform"], np.arange(3))
    assert regret.shape == (3, 1) and seconds > 0


@with_all
def test_a_worker_with_other_code_refuses():
    work = player.Work(ARMS, np.array([10]), 0)
    with pytest.raises(
        RuntimeError, match=f"worker {os.getpid()} on .* runs banditlab source or classes of another version"
    ):
        workers.play_remotely("0" * 16, "", work, BOTH["uniform"], np.arange(1))
