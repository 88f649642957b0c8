"""The doubling trick: any policy that must be told its horizon, without one."""

from typing import NamedTuple

from ...validate import whole

EPOCHS = 22


class Epoch(NamedTuple):
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

    def begin(self, rng):
        return Epoch(self.policies[0], self.policies[0].begin(rng), 0, 0, self.first)

    def select(self, state, t, rng):
        return state.policy.select(state.state, t - state.start, rng)

    def update(self, state, action, seen, t, rng):
        policy, start = state.policy, state.start
        if t + 1 == state.end:
            return self.next(state.number + 1, t + 1, rng)
        inner = policy.update(state.state, action, seen, t - start, rng)
        return Epoch(policy, inner, state.number, start, state.end)

    def next(self, number, played, rng):
        """Forget everything and begin the next epoch."""
        policy = self.policies[min(number, len(self.policies) - 1)]
        return Epoch(policy, policy.begin(rng), number, played, played + (self.first << number))


def doubling(factory, first=1000):
    """Play a policy that needs its horizon without one: fresh for T rounds, then for 2 T, 4 T, ...

    The world goes on, so that late rewards leak into the next epoch.

    Parameters
    ----------
    factory : callable
        ``factory(horizon)`` returns a policy.
    first : int
        Horizon T of the first epoch, at least 1.

    Returns
    -------
    Doubling
        The policy, for at most four million times `first` rounds.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

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
    first = whole("first", first, 1, 10**9)
    policies = tuple(factory(first << number) for number in range(EPOCHS))
    kinds = {type(policy) for policy in policies}
    if len(kinds) > 1 or not hasattr(policies[0], "_fields"):
        raise TypeError("factory: must return policies of one NamedTuple class for all horizons")
    return Doubling(policies, first, first * (2**EPOCHS - 1))
