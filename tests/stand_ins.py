"""What stands in for packages that the documentation speaks of and the tests do without, by name of the module."""

import concurrent.futures
from types import SimpleNamespace

import numpy as np

from banditlab.new import mypaper


class Client:
    """dask's way to its workers: here two threads."""

    def __init__(self, address=None):
        self.pool = concurrent.futures.ThreadPoolExecutor(2)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.pool.shutdown()

    def get_executor(self):
        return self.pool


class Env:
    """A gymnasium environment; made by name it has three arms of which the last one is the best."""

    def reset(self, seed=None, options=None):
        self.np_random = np.random.default_rng(seed)

    def step(self, action):
        return 0, float(self.np_random.random() < (0.2, 0.4, 0.6)[action]), False, False, {}


class RiverPolicy:
    """A bandit policy of river: it pulls what `_pull` says."""

    def pull(self, arm_ids):
        return self._pull(arm_ids)

    def update(self, arm_id, reward):
        pass


class ObpPolicy:
    """A policy of Open Bandit Pipeline, whose full package does not install on a current Python."""

    def __init__(self, n_actions, random_state):
        self.n_actions, self.n_trial = n_actions, 0


MODULES = {
    "dask.distributed": SimpleNamespace(Client=Client),
    "dask_jobqueue": SimpleNamespace(SLURMCluster=lambda **asked: SimpleNamespace(scale=lambda jobs: None)),
    "mpi4py": SimpleNamespace(),
    "mpi4py.futures": SimpleNamespace(MPIPoolExecutor=lambda: concurrent.futures.ThreadPoolExecutor(2)),
    "gymnasium": SimpleNamespace(Env=Env, make=lambda name: Env(), spaces=SimpleNamespace(Discrete=range)),
    "river": SimpleNamespace(bandit=SimpleNamespace(base=SimpleNamespace(Policy=RiverPolicy))),
    "obp": SimpleNamespace(),
    "obp.policy": SimpleNamespace(BaseContextFreePolicy=ObpPolicy),
    "ladder": mypaper,
}
