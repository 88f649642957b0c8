"""Policies that end a run by themselves and give an answer: pure exploration.

The loop looks at a flag in every round anyway; a policy with a method `stop` is put into one that raises it. So the
loop is what it was, and nothing becomes slower for the others.
"""

from typing import NamedTuple

import numpy as np

from .contract import has_method


class Stopping(NamedTuple):
    """A policy, as it is played, that raises the flag of its run when it says so."""

    policy: object  # as it is played, with its witnesses
    asked: object  # the policy itself
    flags: np.ndarray  # of the run

    around = True

    def init(self, rng):
        return self.policy.init(rng)

    def select(self, state, *seen):  # the context, where one is shown; t, rng
        return self.policy.select(state, *seen)

    def update(self, state, action, observation, t, rng):
        after = self.policy.update(state, action, observation, t, rng)
        if self.asked.stop(after, t + 1):
            self.flags[1] = -1 - t  # an interrupt writes 1
        return after


def let_stop(player, policy, flags, asked=None):
    """The policy as it is played in the run of these flags, where it may end it; who is asked, if not the policy."""
    return Stopping(player, asked or policy, flags) if has_method(policy, "stop") else player


def count_rounds_of_run(flags, horizon):
    """Rounds that the run of these flags lasted."""
    return int(-flags[1]) if flags[1] < 0 else horizon


def complete_regret(regret, checkpoints, flags):
    """Regret after the end of a run stays what it was; in place."""
    if flags[1] < 0:
        end = int(np.searchsorted(checkpoints, -flags[1]))
        regret[end + 1 :] = regret[end]
        flags[0] = checkpoints[-1]  # nothing is left to do


def judge_answer(environment, policy, world, answer, rounds):
    """Columns of `Result.final`: when the run ended, what was answered, and how wrong that is."""
    told = {"stopping_time": rounds} if has_method(policy, "stop") else {}
    if has_method(policy, "answer"):
        lost = float(environment.regret(world, answer, rounds - 1))
        if np.ndim(answer) == 0:
            told["answer"] = answer
        told |= {"simple_regret": lost, "error": float(lost > 0.0)}
    return told
