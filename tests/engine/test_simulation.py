"""The same seed gives the same bits however the work is split; bad input is refused; an interrupt ends everything."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import tracemalloc
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import banditlab as bl
from banditlab import classic
from banditlab.engine import compiling, scheduler
from banditlab.user_code import contract
from tests import toys

ARMS = classic.bernoulli([0.2, 0.5, 0.9])
BOTH = {"UCB1": classic.ucb1(3), "uniform": classic.uniform(3)}
SETTINGS = dict(environment=ARMS, policies=BOTH, horizon=300, runs=10, seed=3)


@pytest.fixture(scope="module")
def reference():
    return bl.simulate(**SETTINGS)


def equal(a, b):
    """Whether two results hold the same bits."""
    same = a.regret.tobytes() == b.regret.tobytes() and a.checkpoints.tolist() == b.checkpoints.tolist()
    return same and a.final.equals(b.final) and a.policies == b.policies


# The same bits.


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_number_of_threads_changes_nothing(count, reference, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(count)), raising=False)
    assert equal(bl.simulate(**SETTINGS), reference)


@pytest.mark.parametrize("cut", [[10], [1] * 10, [3, 7], [1, 8, 1]], ids=str)
def test_the_chunks_change_nothing(cut, reference, monkeypatch):
    parts = np.split(np.arange(10), np.cumsum(cut)[:-1])
    monkeypatch.setattr(scheduler, "chunk_runs", lambda *_: parts)
    assert equal(bl.simulate(**SETTINGS), reference)


def test_chunks_hold_every_run_once_in_order():
    for runs in 1, 2, 7, 8, 9, 100:
        for workers in 1, 2, 3:
            for horizon, most in (1, workers), (10**6, 4 * workers):
                parts = scheduler.chunk_runs(runs, horizon, workers)
                assert np.concatenate(parts).tolist() == list(range(runs))
                assert all(len(part) for part in parts)
                assert len(parts) == min(runs, most)


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_processes_change_nothing(reference):
    seen = []
    with ProcessPoolExecutor(2) as pool:
        assert equal(bl.simulate(**SETTINGS, executor=pool, progress=seen.append), reference)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_fresh_processes_change_nothing_and_take_classes_from_modules(reference):
    witness = dict(
        environment=bl.random_instances(witnessed, offset=0.5), policies={"fixed": toys.Fixed(1, 2)}, horizon=20, runs=3
    )
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert equal(bl.simulate(**SETTINGS, executor=pool), reference)
        assert equal(bl.simulate(**witness, executor=pool), bl.simulate(**witness))


def test_interpreted_is_compiled(reference, monkeypatch):
    monkeypatch.setattr(compiling.config, "DISABLE_JIT", True)
    assert equal(bl.simulate(**SETTINGS), reference)


def test_fewer_runs_are_the_first_of_many(reference):
    few = bl.simulate(**{**SETTINGS, "runs": 5})
    assert few.regret.tobytes() == reference.regret[:, :5].tobytes()


def test_a_policy_does_not_depend_on_its_company(reference):
    alone = bl.simulate(**{**SETTINGS, "policies": {"other name": BOTH["uniform"]}})
    assert alone.regret[0].tobytes() == reference.of_policy("uniform").tobytes()


def test_runs_and_seeds_differ(reference):
    uniform = reference.of_policy("uniform")
    assert len({run.tobytes() for run in uniform}) == 10
    other = bl.simulate(**{**SETTINGS, "seed": 4}).of_policy("uniform")
    assert not {run.tobytes() for run in uniform} & {run.tobytes() for run in other}


def test_worlds_and_policies_of_all_runs_and_seeds_have_streams_of_their_own():
    draws = {stream.random() for seed in range(3) for run in range(3) for stream in contract.make_streams(seed, run)}
    assert len(draws) == 18


def test_earlier_use_changes_nothing(reference):
    bl.simulate(**{**SETTINGS, "seed": 99})
    assert equal(bl.simulate(**SETTINGS), reference)


# Common random numbers and instances of their own.


def test_policies_that_draw_differently_meet_the_same_world():
    world = toys.Witness(np.array([0.5, 0.0]), 50)
    policies = {"none": toys.Fixed(0, 0), "many": toys.Fixed(0, 9), "other": toys.Fixed(1, 1)}
    final = bl.simulate(world, policies, 50, runs=4).final
    drawn = final.pivot(index="run", columns="policy", values="last")
    assert drawn["none"].equals(drawn["many"])
    assert drawn["none"].equals(drawn["other"])
    assert drawn["none"].nunique() == 4
    assert final.groupby("policy")["wasted"].nunique().to_dict() == {"none": 1, "many": 4, "other": 4}


def witnessed(seed, offset):
    """An instance with a mean that tells its seed."""
    return toys.Witness(np.array([np.random.default_rng(seed).random(), offset]), 20)


def test_per_run_draws_an_instance_for_every_run_and_the_same_for_all_policies():
    seeds = []

    def drawn(seed, arms):
        seeds.append(seed)
        return classic.bernoulli(np.random.default_rng(seed).random(arms))

    result = bl.simulate(bl.random_instances(drawn, arms=3), BOTH, 50, runs=6, seed=1)
    assert len(set(seeds)) == 6
    assert all(type(seed) is int and seed >= 0 for seed in seeds)
    one, two = result.of_policy("UCB1"), result.of_policy("uniform")
    gaps = [set(np.round(np.diff(run, prepend=0.0), 9)) for run in (*one, *two)]
    for run in range(6):  # the steps of regret are the gaps of the instance
        assert len(gaps[run] | gaps[run + 6]) <= 3
        assert all(len(gaps[run] | gaps[other]) > 3 for other in range(6) if other != run)


def test_a_function_that_does_not_heed_its_seed_is_refused():
    """Policies would meet different worlds."""

    def careless(seed, arms):
        return classic.bernoulli(np.random.default_rng().random(arms))

    with pytest.raises(ValueError, match="careless: draws another environment for the same seed; draw from numpy"):
        bl.simulate(bl.random_instances(careless, arms=3), BOTH, 50, runs=2)


def test_per_run_does_not_depend_on_the_number_of_runs():
    source = bl.random_instances(witnessed, offset=0.0)
    many, few = (bl.simulate(source, toys.Fixed(1, 0), 20, runs=runs, seed=2) for runs in (5, 2))
    assert many.regret[:, :2].tobytes() == few.regret.tobytes()


def test_an_instance_that_does_not_fit_is_refused_in_any_run():
    """The policy would read beyond its end."""
    drawn = []

    def shrinking(seed):
        drawn.append(seed)
        return classic.bernoulli([0.5] * (3 if len(drawn) < 3 else 1))

    with pytest.raises(ValueError, match="plays on actions 3, but the environment offers 1"):
        bl.simulate(bl.random_instances(shrinking), classic.uniform(3), 50, runs=6)


# Checkpoints and diagnostics.


@pytest.mark.parametrize("horizon, count", [(1, 1), (7, 7), (100, 3), (1000, 200), (1001, 200), (999, 998)])
def test_checkpoints_rise_to_the_horizon(horizon, count):
    checkpoints = bl.simulate(ARMS, classic.uniform(3), horizon, checkpoints=count).checkpoints
    assert len(checkpoints) == count
    assert checkpoints[-1] == horizon
    assert np.diff(checkpoints, prepend=0).min() >= horizon // count
    assert np.diff(checkpoints, prepend=0).max() <= horizon // count + 1


def test_a_short_horizon_records_every_round():
    assert bl.simulate(ARMS, classic.uniform(3), 5).checkpoints.tolist() == [1, 2, 3, 4, 5]


def test_checkpoints_read_the_same_curve():
    every = bl.simulate(ARMS, classic.uniform(3), 300, checkpoints=300)
    some = bl.simulate(ARMS, classic.uniform(3), 300, checkpoints=7)
    assert some.regret[0, 0].tobytes() == every.regret[0, 0, some.checkpoints - 1].tobytes()


def test_tallies_of_both_sides_become_columns():
    environment = toys.censored([0.5, 2.0], [0.1, 4.0])
    policies = {"pairs": toys.Pairwise(2, 2)}
    final = bl.simulate(environment, policies, 200, runs=3).final
    assert list(final.columns) == ["policy", "run", "regret", "censored"]
    assert final["censored"].between(1, 199).all()


# Progress, cancellation, interrupt.


def test_progress_rises_to_one():
    seen = []
    bl.simulate(ARMS, BOTH, 300_000, runs=8, progress=lambda fraction: seen.append((fraction, threading.get_ident())))
    fractions = [fraction for fraction, _ in seen]
    assert fractions == sorted(fractions)
    assert 0 <= fractions[0]
    assert fractions[-1] == 1.0
    assert {thread for _, thread in seen} == {threading.get_ident()}


class Cancel(Exception):
    pass


def workers():
    return [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPoolExecutor")]


def cancel(fraction):
    raise Cancel


def test_an_exception_in_progress_stops_every_run():
    before = set(workers())
    bl.simulate(ARMS, BOTH, 10)  # compiled beforehand: a compilation cannot be interrupted
    with pytest.raises(Cancel):
        bl.simulate(ARMS, BOTH, 10**9, runs=20, progress=cancel)
    for thread in set(workers()) - before:
        thread.join()  # they would play for minutes


def test_a_pair_that_stores_nothing_can_be_stopped_too():
    """The compiler may read a flag once for all where nothing in the loop can change it."""
    code = """
        import os, threading
        import banditlab as bl
        from tests import toys

        def cancel(fraction):
            raise InterruptedError

        bl.simulate(toys.Still(0.5), toys.Constant(3), 10)
        try:
            bl.simulate(toys.Still(0.5), toys.Constant(3), 10**11, checkpoints=1, progress=cancel)
        except InterruptedError:
            pass
        for thread in set(threading.enumerate()) - {threading.main_thread()}:
            thread.join()
        print(threading.active_count(), flush=True)
        os._exit(0)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], **outside(), capture_output=True, timeout=600)
    assert done.stdout.split() == ["1"], done.stderr


@pytest.mark.parametrize("round", [3, 5000], ids=["interpreted", "compiled"])
def test_an_error_in_a_policy_arrives_and_stops_the_others(round):
    before = set(workers())
    policies = {"endless": classic.uniform(3), "failing": toys.Failing(3, round)}
    bl.simulate(ARMS, {"endless": classic.uniform(3), "failing": toys.Failing(3, -1)}, 10)
    with pytest.raises(ValueError, match="the policy gave up"):
        bl.simulate(ARMS, policies, 10**9, checkpoints=100)
    for thread in set(workers()) - before:
        thread.join()


def test_regret_that_is_no_number_is_an_error():
    with pytest.raises(FloatingPointError, match="Constant, run 0, round 0: regret is nan"):
        bl.simulate(toys.Still(float("nan")), toys.Constant(3), 10, checkpoints=2)


def test_an_executor_passes_errors_on():
    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(ValueError, match="the policy gave up"):
            bl.simulate(ARMS, toys.Failing(3, 5000), 10_000, runs=4, executor=pool)
        with pytest.raises(Cancel):
            bl.simulate(ARMS, classic.uniform(3), 10_000, runs=4, executor=pool, progress=cancel)


ROOT = Path(__file__).parents[2]


def outside(**variables):
    """How to start a process that finds the package and the tests."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("BANDITLAB_")}
    return dict(cwd=ROOT, env={**kept, "PYTHONPATH": str(ROOT), **variables}, text=True)


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_an_interrupt_ends_a_long_run_and_leaves_no_file(tmp_path):
    code = """
        import threading
        import banditlab as bl
        from banditlab import classic

        arms, policy = classic.bernoulli([0.2, 0.5, 0.9]), classic.ucb1(3)
        bl.simulate(arms, policy, 10, runs=1, seed=1)
        try:
            bl.simulate(arms, policy, 10**9, progress=lambda fraction: print("running", flush=True))
        except KeyboardInterrupt:
            for thread in threading.enumerate():
                if thread is not threading.main_thread():
                    thread.join()
            print("ended")
    """
    folder = tmp_path / "kept"
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        **outside(BANDITLAB_KEEP=str(folder), TMPDIR=str(tmp_path)),
        stdout=subprocess.PIPE,
    )
    try:
        for _ in range(3):  # the third report comes from the middle of the run
            assert process.stdout.readline() == "running\n"
        before = set(folder.iterdir())
        process.send_signal(signal.SIGINT)
        *_, ended = process.communicate(timeout=600)[0].split()  # 200 runs would take hours
    finally:
        process.kill()
    assert ended == "ended"
    assert set(folder.iterdir()) == before
    assert set(tmp_path.iterdir()) == {folder}


def test_an_interrupt_right_after_a_task_was_handed_out_stops_it(monkeypatch):
    """Before anybody has noted the task: otherwise 200 runs of a billion rounds would go on in the background."""
    parts, submit_task = [], scheduler.Threads.submit

    def submit(self, part, numbers):
        submit_task(self, part, numbers)
        parts.append(part)
        raise KeyboardInterrupt

    monkeypatch.setattr(scheduler.Threads, "submit", submit)
    with pytest.raises(KeyboardInterrupt):
        bl.simulate(classic.bernoulli([0.2, 0.5, 0.9]), classic.ucb1(3), 10**9)
    assert parts[0].flags[:, 1].all()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the peak of a process from Linux")
def test_memory_grows_neither_with_the_horizon_nor_with_final_states():
    """In MB: a process with numba and pandas holds about 250; the final states of 80 runs would take 80 x 2."""
    code = """
        from pathlib import Path
        import banditlab as bl
        from banditlab import classic
        from tests import toys

        def peak():
            lines = Path("/proc/self/status").read_text().splitlines()
            return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))

        arms, policy = classic.bernoulli([0.2, 0.5, 0.9]), classic.uniform(3)
        bl.simulate(arms, policy, 1000, runs=100)
        first = peak()
        bl.simulate(arms, policy, 10**6, runs=100)
        second = peak()
        bl.simulate(toys.panel(100_000, 5), toys.Counting(5, 100_000), 6, runs=4)
        third = peak()
        bl.simulate(toys.panel(100_000, 5), toys.Counting(5, 100_000), 6, runs=80)
        print(first, second, third, peak())
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], **outside(), capture_output=True, timeout=300, check=True
    )
    first, second, third, fourth = map(int, done.stdout.split())
    assert second < 500
    assert second - first < 50
    assert fourth - third < 50


@pytest.mark.parametrize(("room", "draws"), [(scheduler.ROOM, 1 + 5), (3 * 48, 1 + 3 + 3 * 2), (0, 1 + 3 * 5)])
def test_an_environment_is_drawn_once_for_all_policies_where_there_is_room(monkeypatch, room, draws):
    seeds = []

    def three(seed):  # 48 bytes
        seeds.append(seed)
        return classic.bernoulli(np.random.default_rng(seed).random(3))

    settings = dict(
        environment=bl.random_instances(three), policies=[*BOTH.items(), ("again", classic.ucb1(3))], horizon=50
    )
    reference = bl.simulate(**settings, runs=5).regret
    seeds.clear()
    monkeypatch.setattr(scheduler, "ROOM", room)
    monkeypatch.setattr(scheduler, "count_cores", lambda: 1)  # one after the other
    assert np.array_equal(bl.simulate(**settings, runs=5).regret, reference)
    assert len(seeds) == draws  # one of them to check beforehand what is drawn


def test_cells_that_wait_hold_no_environments(monkeypatch):
    def large(seed, number):
        return classic.bernoulli(np.random.default_rng(seed).random(100_000))

    held, policies = [], {"a": classic.uniform(100_000), "b": classic.uniform(100_000)}
    monkeypatch.setattr("banditlab.analysis.sweep.play_all", lambda cells, *_: held.extend(cells))
    tracemalloc.start()
    try:
        bl.sweep(lambda number: (bl.random_instances(large, number=number), policies), {"number": list(range(20))}, 50)
        assert len(held) == 20 and tracemalloc.get_traced_memory()[0] < 2 * 100_000 * 8  # of two such arrays
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_after_an_interrupt_nobody_waits_for_a_kernel_under_way(tmp_path):
    """It is compiled only when the program has come to its end, and then given up, with nothing half-written."""
    code = """
        import atexit, os, pathlib, signal, threading
        import banditlab as bl
        from banditlab.engine import compiling
        from banditlab.user_code import code_identity

        code_identity.HOME, over, compile_kernel = pathlib.Path("kernels"), threading.Event(), compiling.load_or_compile

        def compile_late(*args):
            with compiling.kernel_cache.open_folder(pathlib.Path("kernels/draft")):
                os.kill(os.getpid(), signal.SIGINT)
                over.wait()
                return compile_kernel(*args)

        compiling.load_or_compile = compile_late
        atexit.register(print, "goodbye")
        try:
            bl.simulate(bl.classic.bernoulli([0.2, 0.5, 0.9]), bl.classic.ucb1(3), 10, runs=1)
        except KeyboardInterrupt:
            print("interrupted")
        over.set()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], **{**outside(), "cwd": tmp_path}, capture_output=True
    )
    assert (done.stdout.split(), done.stderr, done.returncode) == (["interrupted", "goodbye"], "", 0)
    assert not [*(tmp_path / "kernels").iterdir()]
