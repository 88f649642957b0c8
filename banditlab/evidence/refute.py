"""How far a claim holds: its verdict at other values of what the paper keeps fixed, one at a time and together."""

import itertools
from typing import NamedTuple

from ..validate import choice, listed, number, shown, whole
from .claims import SCALES, Claims
from .moving import moving
from .spending import spending
from .verdicts import OPEN, REFUSED

__all__ = ["Edge", "Robustness", "refute"]


class Edge(NamedTuple):
    """How far one number moves before the verdict changes.

    Parameters
    ----------
    name : str
    start, low, high : float
        The paper's value, and the ends of the range in which every value that was tried has the paper's verdict.
    below, above : tuple of (float, str) or None
        The next value beyond an end and what is found there; None where the end is the slider's own.
    """

    name: str
    start: float
    low: float
    high: float
    below: tuple | None = None
    above: tuple | None = None


class Robustness(NamedTuple):
    """What a search for the limits of a claim found.

    Parameters
    ----------
    paper, id, verdict : str
        The claim, and its verdict at the paper's own values.
    edges : list of Edge
    nearest : tuple of (dict, str) or None
        Of all values that were tried and decide otherwise, those that are moved least, as a share of their sliders, and
        what is found there; None where none was met.
    tried : int
        How often the claim was judged.
    """

    paper: str
    id: str
    verdict: str
    edges: list
    nearest: tuple | None
    tried: int


def refute(claims: Claims, id: str, space: dict, budget: int = 60, scale: str = "quick", seed: int = 0) -> Robustness:
    """Search for the values nearest to the paper's at which the verdict of a claim is another one.

    Along each axis the end of the slider is tried first; where the verdict changes there, the place of the change is
    bisected, so that a verdict which changes and changes back in between goes unseen. Then all pairs of axes are walked
    together, each halfway to its own edge and nearer. An interval at any one of the values leaves out its share of 5 %,
    so that all verdicts together hold at 95 %. Axes that the budget does not reach have no edge.

    Parameters
    ----------
    claims : Claims
        The paper's.
    id : str
        Of the claim.
    space : dict of str to list of float
        Name to the values that may be tried, increasing. Names that the claim's experiments do not keep fixed, or keep
        at different values, are left alone: a claim that plays d = 1, ..., 4 has no d to move.
    budget : int >= 1
        How often the claim is judged at most.
    scale, seed
        As in `Claims.ledger`.

    Raises
    ------
    TypeError
        If `claims` are no `Claims`, or the space holds something that is no list of numbers.
    ValueError
        If no claim has this id.

    Examples
    --------
    >>> from banditlab.evidence import Cases, exact
    >>> from banditlab.study import Study
    >>> double = Study("Double", "", lambda x, seed: 2 * x, "", fixed=dict(x=1), sizes=dict(quick={}))
    >>> claims = Claims("mine")
    >>> @claims("M1", "Twice a number is below nine.", "Section 1")
    ... def small(scale, seed):
    ...     return Cases("twice", exact(next(iter(double.results(scale, seed).values())))).below(9)
    >>> refute(claims, "M1", {"x": [0, 1, 2, 3, 4, 5, 6]}).edges
    [Edge(name='x', start=1, low=0, high=4, below=None, above=(5, 'not reproduced'))]
    """
    if not isinstance(claims, Claims):
        raise TypeError(f"claims={shown(claims)}: must be Claims")
    check_space(space)
    asked = {one.id: one for one in claims.asked}
    if id not in asked:
        raise ValueError(f"id={shown(id)}: must be a claim of {claims.paper}: {', '.join(asked)}")
    scale, seed = choice("scale", scale, SCALES), whole("seed", seed, 0)
    search = Search(lambda: claims.judge(asked[id], scale, seed), whole("budget", budget, 1))
    verdict, starts = search.begin()
    edges, nearest = [], None
    if verdict not in OPEN:
        axes = {name: sorted({*values, starts[name]}) for name, values in space.items() if name in starts}
        edges = [search.find_edge(name, axes[name], starts[name], verdict) for name in axes if search.left() > 1]
        search.walk_pairs(edges, axes, verdict)
        nearest = search.find_nearest(axes, starts, verdict)
    return Robustness(claims.paper, id, verdict, edges, nearest, len(search.found))


def check_space(space):
    """Refuse what is no dict of name to numbers."""
    if not isinstance(space, dict):
        raise TypeError(f"space={shown(space)}: must be a dict of name to the values that may be tried")
    for name, values in space.items():
        for i, value in enumerate(listed(f"space[{name!r}]", values, "a list of numbers, not empty")):
            number(f"space[{name!r}][{i}]", value)


class Search:
    """Verdicts at values that were asked for, each judged once, as long as the budget lasts."""

    def __init__(self, judge, budget):
        self.judge, self.budget, self.found = judge, budget, {}

    def left(self):
        """How often the claim may still be judged."""
        return self.budget - len(self.found)

    def begin(self):
        """The verdict at the paper's own values, and these values by name."""
        with moving({}) as moved, spending(1 / self.budget):
            self.found[()] = self.judge().verdict
        return self.found[()], {name: value for name, value in moved.met.items() if value is not None}

    def ask(self, values):
        """The verdict at these values, or that they are refused; None where the budget is spent."""
        key = tuple(sorted(values.items()))
        if key not in self.found and self.left():
            with moving(values), spending(1 / self.budget):
                self.found[key] = self.verdict()
        return self.found.get(key)

    def verdict(self):
        """The verdict, or that nothing can be played at these values."""
        try:
            return self.judge().verdict
        except (ValueError, ArithmeticError):
            return REFUSED

    def find_edge(self, name, values, start, verdict):
        """How far one number moves, downwards and upwards."""
        place = values.index(start)
        for end in {values[0], values[-1]} - {start}:
            self.ask({name: end})  # before bisection spends the budget
        low, below = self.bisect(name, values[place::-1], verdict)
        high, above = self.bisect(name, values[place:], verdict)
        return Edge(name, start, low, high, below, above)

    def bisect(self, name, outward, verdict):
        """The last value that has the verdict, and the next one with what is found there."""
        same, other = 0, len(outward) - 1
        if other == 0 or self.ask({name: outward[-1]}) == verdict:
            return outward[-1], None
        while other - same > 1 and self.left():
            middle = (same + other) // 2
            same, other = (middle, other) if self.ask({name: outward[middle]}) == verdict else (same, middle)
        return outward[same], (outward[other], self.ask({name: outward[other]}))

    def walk_pairs(self, edges, axes, verdict):
        """Move two numbers together, each at most halfway to its own edge, until the verdict changes."""
        for one, other in itertools.combinations(edges, 2):
            for ends in itertools.product(("below", "above"), repeat=2):
                values = {e.name: halfway(e, end, axes[e.name]) for e, end in zip((one, other), ends, strict=True)}
                moves = all(values[e.name] not in (None, e.start) for e in (one, other))
                if moves and decides_otherwise(self.ask(values), verdict):
                    return

    def find_nearest(self, axes, starts, verdict):
        """The values that decide otherwise and are moved least, and what is found there."""

        def far(key):
            steps = {name: axes[name].index(value) - axes[name].index(starts[name]) for name, value in key}
            return sum(abs(step) / len(axes[name]) for name, step in steps.items())

        if not (others := [key for key, found in self.found.items() if decides_otherwise(found, verdict)]):
            return None
        key = min(others, key=far)
        return dict(key), self.found[key]


def decides_otherwise(found, verdict):
    """Whether this contradicts the verdict; what nobody could decide, play or afford does not."""
    return found not in (verdict, None, *OPEN)


def halfway(edge, end, values):
    """The value halfway to an edge, or to the slider's end; None where there is no room."""
    place, last = values.index(edge.start), values.index(edge.low if end == "below" else edge.high)
    return values[(place + last) // 2] if abs(last - place) > 1 else None
