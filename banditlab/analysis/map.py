"""A map of a paper as data: over two parameters beyond those of its figures, where does a claim stop holding?"""

import functools
import inspect
from collections.abc import Callable
from typing import NamedTuple

from ..evidence import provenance
from ..validate import choice
from .sweep import sweep


class Map(NamedTuple):
    """The regret of one policy over that of another, by two parameters.

    Parameters
    ----------
    first, second : str
        Names of policies.
    instance : callable
        ``instance(**cell)`` returns environment and policies, as for `sweep`; where it has parameters ``horizon`` or
        ``seed`` it is told these.
    axes : dict of str to str
        The two parameters, the first from left to right, to the titles of their axes.
    mark : tuple of two numbers
        The paper's own cell.
    sizes : dict of str to dict
        "quick" and "paper" to what `sweep` takes: ``grid``, ``horizon``, ``runs``.
    title : str
    """

    first: str
    second: str
    instance: Callable
    axes: dict
    mark: tuple
    sizes: dict
    title: str = "Where does the claim stop holding?"

    def figure(self, scale, seed=0):
        """The map, and what was played.

        Parameters
        ----------
        scale : {"quick", "paper"}
        seed : int >= 0

        Returns
        -------
        figure, found : plotly.graph_objects.Figure, Sweep
        """
        size = self.sizes[choice("scale", scale, tuple(self.sizes))]
        seeded = "seed" in inspect.signature(self.instance).parameters
        with provenance.lasting():
            instance = functools.partial(self.instance, seed=seed) if seeded else self.instance
            found = sweep(instance, **size, seed=seed)
        figure, (x, y) = found.map(*self.axes, self.first, self.second, mark=self.mark), self.axes.values()
        figure.update_layout(title_text=self.title)
        return figure.update_xaxes(title_text=x).update_yaxes(title_text=y), found
