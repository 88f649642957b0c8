"""The doubling trick: any policy that must be told its horizon, without one."""

from typing import NamedTuple

from numba import typeof

from ...user_code import contract
from ...validate import whole

__all__ = ["Doubling", "doubling"]

EPOCHS = 22
LONGEST = 10**4  # first epoch


class DoublingState(NamedTuple):
    """What the wrapper remembers."""

    policy: tuple  # of this epoch
    state: tuple  # of that policy
    number: int  # of the epoch
    start: int  # rounds played before it
    end: int


class Doubling(NamedTuple):
    """Fresh policies for horizons that double: what `doubling` returns."""

    policies: tuple  # one of each epoch, all of the same class
    first: int
    horizon: int  # all epochs together

    def actions(self):
        return self.policies[0].actions()

    def init(self, rng):
        return self.open(0, 0, rng)

    def select(self, state, t, rng):
        return state.policy.select(state.state, t - state.start, rng)

    def update(self, state, action, observation, t, rng):
        if t + 1 == state.end:  # forget everything
            return self.open(state.number + 1, t + 1, rng)
        return state._replace(state=state.policy.update(state.state, action, observation, t - state.start, rng))

    def open(self, number, played, rng):
        """Begin an epoch."""
        policy = self.policies[min(number, len(self.policies) - 1)]
        return DoublingState(policy, policy.init(rng), number, played, played + (self.first << number))


def doubling(factory, first=1000):
    """Play a policy that needs its horizon without one: fresh for T rounds, then for 2 T, 4 T, ...

    The world goes on, so that late rewards leak into the next epoch. It plays at most four million times `first`.

    Parameters
    ----------
    factory : callable
        ``factory(horizon)`` returns a policy; all of one class, with the same actions.
    first : int from 1 to 10,000, horizon T of the first epoch

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 3.1, footnote 3.

    Examples
    --------
    >>> from banditlab.composite import ars_exp3
    >>> doubling(lambda horizon: ars_exp3(10, horizon)).policies[1].horizon
    2000
    """
    if not callable(factory):
        raise TypeError(f"factory={factory!r}: must be callable, horizon -> policy")
    first = whole("first", first, 1, LONGEST)
    horizons = [first << number for number in range(EPOCHS)]
    policies = tuple(map(factory, horizons))
    for policy, horizon in zip(policies, horizons, strict=True):
        contract.check_methods(policy, "factory", contract.POLICY | {"actions": ("self",)})
        if typeof(policy) != typeof(policies[0]):
            raise TypeError("factory: must return policies of one class, with fields of the same types")
        if policy.actions() != policies[0].actions():
            raise ValueError(f"factory: must return policies of {policies[0].actions()} actions as for the first "
                             f"horizon, not of {policy.actions()} as for {horizon}")  # fmt: skip
        if getattr(policy, "horizon", horizon) < horizon:
            raise ValueError(f"factory: must return a policy for the horizon {horizon}, not for {policy.horizon}")
    return Doubling(policies, first, sum(horizons))
