"""A map of a paper as data: over two parameters beyond those of its figures, where does a claim stop holding?"""

import functools
import inspect
from collections.abc import Callable
from typing import NamedTuple

from ..evidence import provenance
from ..validate import choice
from .sweep import list_cells, sweep


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
        By default the question that the map answers, with the names of the policies.
    opens : dict
        Where a reader can play a cell: "figure", as the explorer calls it, and values of its controls beside the
        horizon and the two parameters, which have their names.
    """

    first: str
    second: str
    instance: Callable
    axes: dict
    mark: tuple
    sizes: dict
    title: str = ""
    opens: dict = {}

    def figure(self, scale, seed=0):
        """The map, and the results behind it.

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
        figure.update_layout(title_text=self.title or f"Where does {self.first} lose less than {self.second}?")
        if self.opens:
            axes = [[name, sorted(set(size["grid"][name]))] for name in self.axes]
            values = {**self.opens, "horizon": size["horizon"]}
            figure.data[0].meta = {"cells": {"values": values, **dict(zip("xy", axes, strict=True))}}
        return figure.update_xaxes(title_text=x).update_yaxes(title_text=y), found

    def settings(self, scale):
        """What the sliders are set to by its cells, a list of dicts; empty where it opens nothing."""
        size = self.sizes[scale]
        cells = list_cells({name: size["grid"][name] for name in self.axes}) if self.opens else []
        return [{**self.opens, "horizon": size["horizon"], **cell} for cell in cells]
