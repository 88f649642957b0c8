"""UCB1 on ten Bernoulli arms with one library, through its public interface: run by `peers` in that library's own
environment, so nothing of banditlab is imported here.

    python tests/bench/peer.py river 20000 5
"""

import json
import random
import sys
import time
from importlib.metadata import version

MEANS = [k / 10 for k in range(1, 10)] + [0.95]


def river(horizon):
    """A hand-written loop: `bandit.evaluate` copies an environment and yields a dict a pull, and is slower."""
    from river import bandit

    policy, arms, rng = bandit.UCB(delta=2.0, seed=0), list(range(10)), random.Random(0)
    for _ in range(horizon):
        arm = policy.pull(arms)
        policy.update(arm, rng.random() < MEANS[arm])


def mabwiser(horizon):
    """Predict and partial fit; it has no environment."""
    from mabwiser.mab import MAB, LearningPolicy

    rng, arms = random.Random(0), list(range(10))
    policy = MAB(arms, LearningPolicy.UCB1(alpha=2.0))
    policy.fit(arms, [int(rng.random() < MEANS[arm]) for arm in arms])
    for _ in range(horizon):
        arm = policy.predict()
        policy.partial_fit([arm], [int(rng.random() < MEANS[arm])])


def mabby(horizon):
    """Its simulation, one trial."""
    from mabby import Bandit, BernoulliArm, Simulation, strategies

    bandit = Bandit([BernoulliArm(p) for p in MEANS], seed=0)
    Simulation(bandit=bandit, strategies=[strategies.UCB1Strategy(alpha=1.0)], seed=0).run(1, horizon)


def coba(horizon):
    """Its experiment, one learner, one environment; the learner's index is the tuned one."""
    import coba as library

    rng = random.Random(0)

    def context(index):
        return None

    def actions(index, context):
        return list(range(10))

    def rewards(index, context, action):
        return float(rng.random() < MEANS[action])

    worlds = library.Environments.from_lambda(horizon, context, actions, rewards)
    found = library.Experiment(worlds, library.BanditUCBLearner()).run(quiet=True)
    if len(found.interactions) != horizon:  # an error in one of the functions is logged, not raised
        raise RuntimeError(f"coba played {len(found.interactions)} of {horizon} rounds")


def SMPyBandits(horizon):
    """Its policy in a hand-written loop."""
    from SMPyBandits.Policies import UCB

    policy, rng = UCB(10), random.Random(0)
    policy.startGame()
    for _ in range(horizon):
        arm = policy.choice()
        policy.getReward(arm, float(rng.random() < MEANS[arm]))


def obp(horizon):
    """Its policies know no UCB1 without contexts: Bernoulli Thompson sampling instead."""
    from obp.policy import BernoulliTS

    policy, rng = BernoulliTS(n_actions=10), random.Random(0)
    for _ in range(horizon):
        arm = int(policy.select_action()[0])
        policy.update_params(arm, float(rng.random() < MEANS[arm]))


PEERS = (river, coba, mabby, mabwiser, SMPyBandits, obp)


if __name__ == "__main__":
    name, horizon, times = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    play = {peer.__name__: peer for peer in PEERS}[name]
    play(200)  # imports, first calls
    speeds = []
    for _ in range(times):
        began = time.process_time()
        play(horizon)
        speeds.append(horizon / (time.process_time() - began))
    print(json.dumps({"version": version(name), "speeds": speeds}))
