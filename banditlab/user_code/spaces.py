"""Action spaces: what `actions` of an environment or a policy may declare, in the words of gymnasium where they fit.

A space knows one of its actions from another thing (`refuse`), draws one (`sample`), counts and lists them. What a
policy is held to, the policy without skill that it is compared with, and the actions among which the best one is sought
all come from there.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

from ..validate import LARGEST, how_many, number, table, vector, whole

ENDLESS = 2**62  # where nobody tells how many actions there are
OUTSIDE = "action outside the action space"


class Discrete(NamedTuple):
    """The actions 0, ..., n - 1: a number of arms."""

    n: int

    def refuse(self, action):
        if action < 0 or action >= self.n:
            raise IndexError(OUTSIDE)

    def sample(self, rng):
        return int(self.n * rng.random())

    def told(self):
        return f"an int from 0 to {self.n - 1}" if self.n < ENDLESS else "an int from 0, 1, 2 and so on"

    def count(self):
        return self.n

    def every(self):
        return range(self.n)


class MultiDiscrete(NamedTuple):
    """Vectors and tuples, entry i of which is one of 0, ..., sizes[i] - 1."""

    sizes: np.ndarray  # (entries,)

    def refuse(self, action):
        if len(action) != len(self.sizes):
            raise IndexError(OUTSIDE)
        for i in range(len(self.sizes)):
            if action[i] < 0 or action[i] >= self.sizes[i]:
                raise IndexError(OUTSIDE)

    def sample(self, rng):
        drawn = np.zeros(len(self.sizes), np.int64)
        for i in range(len(self.sizes)):
            drawn[i] = int(self.sizes[i] * rng.random())
        return drawn

    def told(self):
        return f"whole numbers from 0, below {self.sizes.tolist()}"

    def count(self):
        return math.prod(self.sizes.tolist())

    def every(self):
        return map(np.array, itertools.product(*map(range, self.sizes.tolist())))


class MultiBinary(NamedTuple):
    """Subsets of n items as arrays of 0 and 1: what `multi_binary` returns."""

    n: int
    least: int  # ones in an action
    most: int

    def refuse(self, action):
        ones = 0
        for i in range(len(action)):
            if action[i] != 0 and action[i] != 1:
                raise IndexError(OUTSIDE)
            ones += int(action[i])
        if len(action) != self.n or ones < self.least or ones > self.most:
            raise IndexError(OUTSIDE)

    def sample(self, rng):
        drawn = np.zeros(self.n, np.int64)
        ones = self.least + int((self.most - self.least + 1) * rng.random())
        for i in range(self.n):  # each item with its chance, given how many are left to choose
            if rng.random() * (self.n - i) < ones:
                drawn[i] = 1
                ones -= 1
        return drawn

    def told(self):
        return f"an array of {self.n} entries 0 or 1, {self.least} to {self.most} of them 1"

    def count(self):
        return sum(math.comb(self.n, ones) for ones in range(self.least, self.most + 1))

    def every(self):
        for ones in range(self.least, self.most + 1):
            for chosen in itertools.combinations(range(self.n), ones):
                yield np.bincount(chosen, minlength=self.n) if chosen else np.zeros(self.n, np.int64)


class Ranked(NamedTuple):
    """Lists of different items: what `ranked` returns."""

    items: int
    length: int

    def refuse(self, action):
        if len(action) != self.length:
            raise IndexError(OUTSIDE)
        for i in range(self.length):
            if action[i] < 0 or action[i] >= self.items:
                raise IndexError(OUTSIDE)
            for j in range(i):
                if action[i] == action[j]:
                    raise IndexError(OUTSIDE)

    def sample(self, rng):
        order, drawn = np.arange(self.items), np.zeros(self.length, np.int64)
        for i in range(self.length):
            j = i + int((self.items - i) * rng.random())
            drawn[i] = order[j]
            order[j] = order[i]
        return drawn

    def told(self):
        return f"an array of {self.length} different whole numbers from 0 to {self.items - 1}"

    def count(self):
        return math.perm(self.items, self.length)

    def every(self):
        return map(np.array, itertools.permutations(range(self.items), self.length))


class Vectors(NamedTuple):
    """One of these rows: what `vectors` returns."""

    rows: np.ndarray  # (actions, features)

    def refuse(self, action):
        if len(action) != self.rows.shape[1]:
            raise IndexError(OUTSIDE)
        for a in range(len(self.rows)):
            i = 0
            while i < len(action) and action[i] == self.rows[a, i]:
                i += 1
            if i == len(action):
                return
        raise IndexError(OUTSIDE)

    def sample(self, rng):
        return self.rows[int(len(self.rows) * rng.random())].copy()

    def told(self):
        return f"one of the {len(self.rows)} vectors of {self.rows.shape[1]} features, as it stands"

    def count(self):
        return len(self.rows)

    def every(self):
        return iter(self.rows.copy())


class Ball(NamedTuple):
    """Vectors of at most this length: what `ball` returns."""

    dimension: int
    radius: float

    def refuse(self, action):
        total = 0.0
        for i in range(len(action)):
            total += action[i] * action[i]
        if len(action) != self.dimension or not total <= self.radius * self.radius * (1.0 + 1e-9):  # rounding
            raise IndexError(OUTSIDE)

    def sample(self, rng):
        drawn, total = np.zeros(self.dimension), 0.0
        for i in range(self.dimension):
            drawn[i] = rng.standard_normal()
            total += drawn[i] * drawn[i]
        scale = self.radius * math.pow(rng.random(), 1.0 / self.dimension) / math.sqrt(total)
        for i in range(self.dimension):
            drawn[i] *= scale
        return drawn

    def told(self):
        return f"an array of {self.dimension} numbers, of length at most {self.radius:g}"

    def count(self):
        return math.inf


class One(NamedTuple):
    """The end of a `Product`."""

    space: object

    def refuse(self, action):
        self.space.refuse(action[0])

    def sample(self, rng):
        return (self.space.sample(rng),)

    def told(self):
        return self.space.told()

    def count(self):
        return self.space.count()

    def every(self):
        return ((action,) for action in self.space.every())


class Product(NamedTuple):
    """Tuples with an action of each of several spaces: what `tuple_of` returns."""

    first: object
    others: object  # `Product` or `One`

    def refuse(self, action):
        self.first.refuse(action[0])
        self.others.refuse(action[1:])

    def sample(self, rng):
        first = self.first.sample(rng)
        return (first,) + self.others.sample(rng)  # noqa: RUF005, which compiled code does not know

    def told(self):
        return f"{self.first.told()}; then {self.others.told()}"

    def count(self):
        return self.first.count() * self.others.count()

    def every(self):
        return ((first, *rest) for first in self.first.every() for rest in self.others.every())


SPACES = Discrete, MultiDiscrete, MultiBinary, Ranked, Vectors, Ball, Product


class Held(NamedTuple):
    """A witness that stops the run at an action that is none of the space."""

    space: object

    def before(self, policy, state, t):
        pass

    def chosen(self, action, t):
        self.space.refuse(action)

    def after(self, action, observation, t):
        pass


def discrete(n):
    """The whole numbers from 0 to n - 1, as a plain number of arms.

    Parameters
    ----------
    n : int >= 1, how many

    Returns
    -------
    Discrete
    """
    return Discrete(whole("n", n, 1, LARGEST))


def multi_discrete(sizes):
    """Arrays of choices, entry i of which is one of 0, ..., sizes[i] - 1; an array of sizes means the same.

    Parameters
    ----------
    sizes : array_like of int, how many choices each entry has

    Returns
    -------
    MultiDiscrete
    """
    sizes = vector("sizes", sizes, least=1, most=LARGEST)
    return MultiDiscrete(np.array([whole(f"sizes[{i}]", n, 1) for i, n in enumerate(sizes.tolist())]))


def multi_binary(n, most=None, least=0):
    """Subsets of n items, as arrays of n entries 0 or 1.

    Parameters
    ----------
    n : int >= 1, number of items
    most : int, optional, how many items an action holds at most; n by default
    least : int, how many it holds at least

    Returns
    -------
    MultiBinary

    Examples
    --------
    >>> space = multi_binary(4, most=2)
    >>> space.count(), space.sample(np.random.default_rng(0)).tolist()
    (11, [0, 1, 0, 0])
    """
    n = how_many("n", n)
    most = n if most is None else whole("most", most, 1, n)
    return MultiBinary(n, whole("least", least, 0, most), most)


def ranked(items, length):
    """Lists of K different items out of L, in order, as arrays of their numbers.

    Parameters
    ----------
    items : int >= 1, number L of items
    length : int from 1 to `items`, length K of a list

    Returns
    -------
    Ranked

    Examples
    --------
    >>> ranked(16, 2).count(), ranked(16, 2).sample(np.random.default_rng(0)).tolist()
    (240, [10, 5])
    """
    items = how_many("items", items)
    return Ranked(items, whole("length", length, 1, items))


def vectors(rows):
    """A finite set of feature vectors: an action is one of the rows.

    Parameters
    ----------
    rows : array_like, shape (actions, features), all different

    Returns
    -------
    Vectors
    """
    rows = table("rows", rows)
    if len(np.unique(rows, axis=0)) < len(rows):
        raise ValueError("rows: must be all different, but some row stands there twice")
    return Vectors(rows)


def ball(dimension, radius=1.0):
    """All vectors of at most this length.

    Parameters
    ----------
    dimension : int >= 1, number of entries
    radius : float > 0, largest Euclidean length

    Returns
    -------
    Ball
    """
    return Ball(how_many("dimension", dimension), number("radius", radius, above=0))


def tuple_of(*spaces):
    """Tuples with an action of each of these spaces, as ``(arm, price)``.

    Parameters
    ----------
    *spaces : at least two of those that functions here return

    Returns
    -------
    Product

    Examples
    --------
    >>> pair = tuple_of(discrete(3), ball(2))
    >>> pair.refuse((2, np.array([0.6, 0.8])))
    >>> pair.refuse((3, np.array([0.6, 0.8])))
    Traceback (most recent call last):
    IndexError: action outside the action space
    """
    if len(spaces) < 2 or not all(isinstance(space, SPACES) for space in spaces):
        raise TypeError(f"spaces={spaces!r}: must be at least two action spaces, as `discrete(3)`")
    *before, others = *spaces[:-1], One(spaces[-1])
    for space in reversed(before):
        others = Product(space, others)
    return others
