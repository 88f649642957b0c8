"""Rounds that somebody logged, as an environment: policies that were never played, on rewards that were."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..building_blocks.order_statistics import first_above
from ..evidence import mean
from ..io import read_pieces
from ..validate import table, vector
from .worlds import Bernoulli

__all__ = ["Log", "Logged", "doubly_robust", "logged", "read_log"]

RAREST = 1e-9  # chance of an arm; what could not be played was not logged


class Log(NamedTuple):
    """Logged rounds: what `read_log` returns."""

    actions: np.ndarray  # (rounds,) number of the arm, its place in `names`
    rewards: np.ndarray  # (rounds,)
    propensities: np.ndarray | None  # (rounds,) chance with which the arm was played
    names: list  # (arms,) as the file has them, sorted

    def environment(self):
        """The environment that `logged` makes of these rounds."""
        return logged(self.actions, self.rewards, self.propensities)


class Logged(NamedTuple):
    """Arms whose rewards are drawn from a log: what `logged` returns.

    A step draws one uniform whatever the arm, so all policies meet the same world.
    """

    rewards: np.ndarray  # (rounds,) arm by arm
    first: np.ndarray  # (arms + 1,) where the rewards of each arm begin
    upto: np.ndarray  # (rounds,) share of the arm's weight up to and with this reward
    means: np.ndarray  # (arms,)
    gaps: np.ndarray  # (arms,) best mean minus mean

    actions, reset, regret = Bernoulli.actions, Bernoulli.reset, Bernoulli.regret

    def step(self, world, action, t, rng):
        place = first_above(self.upto, self.first[action], self.first[action + 1] - 1, rng.random())
        return self.rewards[place]


def logged(actions, rewards, propensities=None):
    """Arms whose rewards are drawn, with replacement, from those that were logged when the arm was played.

    The law of the log is taken for the truth: the mean of an arm is its mean in the log, and regret is measured against
    the best of these. So what is found holds for the arms behind the log as far as (1) rewards of an arm do not depend
    on time or on what was played before; (2) the arm was chosen without regard to anything that also moves the reward,
    or `propensities` say with which chance it was chosen; (3) every arm was played often enough, for an arm's mean has
    an error of its own, which no number of simulated runs makes smaller.

    Parameters
    ----------
    actions : array_like of int, shape (rounds,)
        Arm that was played, from 0; every arm up to the largest at least once.
    rewards : array_like, shape (rounds,)
        What was seen.
    propensities : array_like in [1e-9, 1], shape (rounds,), optional
        Chance with which the arm was played in this round. A reward is then drawn in proportion to its inverse (the
        self-normalised estimator), which undoes a choice that depended on a context, if every context could have met
        every arm.

    Returns
    -------
    Logged

    References
    ----------
    Li, Chu, Langford, Wang, Unbiased offline evaluation of contextual-bandit-based news article recommendation
    algorithms, WSDM 2011; Swaminathan, Joachims, The self-normalized estimator for counterfactual learning, NIPS 2015.

    Examples
    --------
    >>> logged([0, 1, 1, 0], [1.0, 0.0, 1.0, 1.0]).means
    array([1. , 0.5])
    >>> logged([0, 1, 1], [1.0, 0.0, 1.0], propensities=[0.5, 0.1, 0.4]).means
    array([1. , 0.2])
    """
    rewards = vector("rewards", rewards)
    arms, weights = check_arms(actions, len(rewards), len(rewards)), np.ones(len(rewards))
    if propensities is not None:
        weights = 1.0 / vector("propensities", propensities, least=RAREST, most=1, size=len(rewards))
    counts = np.bincount(arms)
    if len(counts) < 2 or (counts == 0).any():
        absent = np.flatnonzero(counts == 0).tolist()
        raise ValueError(f"actions: must hold at least two arms and each of them, not {absent or 'a single one'}")
    order, first = np.argsort(arms, kind="mergesort"), np.concatenate([[0], np.cumsum(counts)])
    rewards, upto, means = rewards[order], np.zeros(len(rewards)), np.zeros(len(counts))
    for arm, (start, end) in enumerate(zip(first, first[1:], strict=False)):
        part = weights[order][start:end]
        upto[start:end] = np.cumsum(part) / part.sum()
        means[arm] = part @ rewards[start:end] / part.sum()
    return Logged(rewards, first, upto, means, means.max() - means)


def check_arms(actions, arms, rounds):
    """Numbers of the arms that were played, int64, so many rounds."""
    chosen = vector("actions", actions, least=0, most=arms - 1, size=rounds)
    if (chosen != np.floor(chosen)).any():
        raise ValueError(f"actions: must be whole numbers, not {chosen[chosen != np.floor(chosen)][0]}")
    return chosen.astype(np.int64)


def doubly_robust(actions, rewards, propensities, target, predicted=None):
    r"""What a policy that was never played would earn a round, from rounds that another one logged.

    The mean of
    :math:`\sum_a\pi(a|x_t)\hat r(x_t,a)+\frac{\pi(a_t|x_t)}{p_t}(r_t-\hat r(x_t,a_t))` over the rounds. It is right if
    the propensities p are, whatever the predictions; good predictions make its interval narrow.

    Parameters
    ----------
    actions : array_like of int, shape (rounds,)
        Arm that was played, from 0.
    rewards : array_like, shape (rounds,)
        What was seen.
    propensities : array_like in [1e-9, 1], shape (rounds,)
        Chance with which the arm was played in this round.
    target : array_like in [0, 1], shape (rounds, arms)
        Chance with which the policy in question would play each arm in this round; each row adds up to 1.
    predicted : array_like, shape (rounds, arms), optional
        Expected rewards by a model that has not seen these rounds; without it inverse propensities alone are used.

    Returns
    -------
    Estimate
        Of `banditlab.evidence`: ``.value``, and ``.ends(0.95)`` for its interval; rounds are taken to be independent.

    References
    ----------
    Dudík, Langford, Li, Doubly robust policy evaluation and learning, ICML 2011, Equation 1.

    Examples
    --------
    >>> always_one = [[0.0, 1.0]] * 4
    >>> doubly_robust([0, 1, 1, 0], [0.0, 1.0, 0.0, 1.0], [0.5] * 4, always_one).value
    0.5
    """
    rewards = vector("rewards", rewards)
    rounds = len(rewards)
    target = table("target", target, least=0, most=1)
    arms = target.shape[1]
    chosen = check_arms(actions, arms, rounds)
    chances = vector("propensities", propensities, least=RAREST, most=1, size=rounds)
    if len(target) != rounds or np.abs(target.sum(axis=1) - 1.0).max() > 1e-6:
        raise ValueError(f"target: must have a row for each of {rounds} rounds, and each must add up to 1")
    guess = np.zeros((rounds, arms)) if predicted is None else table("predicted", predicted, shape=(rounds, arms))
    played = np.arange(rounds), chosen
    return mean((target * guess).sum(axis=1) + target[played] / chances * (rewards - guess[played]))


def read_log(path, action, reward, propensity=None):
    """Read logged rounds from a table.

    Parameters
    ----------
    path : path-like
        A table with a header: CSV, plain or packed (``.csv``, ``.csv.gz``, ``.csv.zip``), or ``.parquet``, which needs
        the package pyarrow.
    action, reward : str
        Columns: the arm that was played, numbers or words; and what was seen, a number.
    propensity : str, optional
        Column: the chance with which the arm was played.

    Returns
    -------
    Log
        ``.environment()`` makes an environment of it; see `logged` for what this takes for granted.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "clicks.csv")
    >>> _ = path.write_text("banner,click\\nred,0\\nblue,1\\nred,1\\n")
    >>> log = read_log(path, action="banner", reward="click")
    >>> log.names, log.environment().means
    (['blue', 'red'], array([1. , 0.5]))
    """
    columns = [action, reward, *([] if propensity is None else [propensity])]
    if not all(isinstance(name, str) for name in columns):
        raise TypeError(f"action, reward, propensity: must be names of columns, not {columns!r}")
    if len({*columns}) < len(columns):
        raise ValueError(f"action, reward, propensity: must be different columns, not {columns!r}")
    table = read_columns(Path(path), columns)
    if table.empty or table[columns].isna().any(axis=None):
        raise ValueError(f"{path}: must hold rounds, without an empty entry in {', '.join(columns)}")
    numbers = []
    for name in columns[1:]:
        try:
            numbers.append(table[name].to_numpy(np.float64))
        except (TypeError, ValueError):
            raise ValueError(f"{path}: column {name!r} must hold numbers") from None
    names, arms = np.unique(table[action].to_numpy(), return_inverse=True)
    return Log(arms, numbers[0], numbers[1] if propensity else None, names.tolist())


def read_columns(path, columns):
    """The columns of a table, or one clear error."""
    import pandas as pd

    if path.suffix != ".parquet":
        pieces = list(read_pieces(path, columns))
        kinds = {name: {piece[name].dtype.kind in "iuf" or piece[name].dtype for piece in pieces} for name in columns}
        if mixed := {name: str for name, found in kinds.items() if len(found) > 1}:  # as it stands: 01 is not 1
            pieces = read_pieces(path, columns, dtype=mixed)
        return pd.concat(pieces, ignore_index=True)
    try:
        return pd.read_parquet(path, columns=columns)
    except ImportError:
        raise ImportError(f"{path}: reading parquet needs the package pyarrow") from None
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"{path}: cannot be read as a parquet table with columns {', '.join(columns)}") from error
