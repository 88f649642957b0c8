"""The only loop."""

import numpy as np


def run(environment, policy, checkpoints, contextual, flags, world_rng, policy_rng):
    """Play one run; return cumulative expected regret at the checkpoints, the final world and the final state.

    ``contextual`` is () or (1,): numba drops the branch that does not apply before it types anything.
    ``flags[0]`` is the number of steps done (written), ``flags[1]`` asks the run to stop (read).
    """
    world, state = environment.reset(world_rng), policy.init(policy_rng)
    regret, total, start = np.zeros(len(checkpoints)), 0.0, 0
    for k in range(len(checkpoints)):
        for t in range(start, checkpoints[k]):
            if flags[1]:
                return regret, world, state
            if len(contextual) == 0:
                action = policy.select(state, t, policy_rng)
            else:
                action = policy.select(state, environment.context(world, t, world_rng), t, policy_rng)
            observation = environment.step(world, action, t, world_rng)
            state = policy.update(state, action, observation, t, policy_rng)
            total += environment.regret(world, action, t)
            regret[k] = total  # at every step: without a store the compiler may read flags[1] once for all
        start = flags[0] = checkpoints[k]
    return regret, world, state
