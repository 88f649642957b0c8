"""A figure of a paper as data: a grid of cells, what stays fixed, the sizes; how a cell is played, how all are drawn.

The slider, the preset, the report's panels, the tables and the claims all ask the same `Study`, so that no number of a
paper stands twice.
"""

import copy
import functools
import hashlib
import inspect
import itertools
from collections import namedtuple
from collections.abc import Callable
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from ..engine.simulate import split_progress
from ..evidence import looks, provenance
from ..evidence.moving import move
from ..figures import plots
from ..user_code import code_identity
from ..user_code.fields import map_arrays
from ..validate import choice, is_real, listed, refuse_unknown, shown, whole
from .overlay import MAKERS, joined, mark_guests, tell_absent

kept = {}  # `code_key` of a cell -> its result


def own_seed(seed, cell):
    """A seed for every cell, a hash of its values: cells are independent, and keep theirs when others join the grid."""
    text = repr((seed, sorted(cell._asdict().items())))
    if " at 0x" in text:
        raise TypeError(f"grid: {cell}: must hold numbers and texts, or tuples of them, unless `seeds=one_seed`")
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


def one_seed(seed, cell):
    """The same seed in all cells: they meet the same random numbers."""
    return seed


class Live(NamedTuple):
    """What only the reader's sliders need.

    Parameters
    ----------
    draw : callable, optional
        How the slider's cell is drawn; as `Study.draw` by default.
    moves : dict
        Name of the grid to a function that turns a slider's value into values of the grid (``d`` into 1, ..., d); None
        for a name that no slider moves. A name that is missing here is itself the slider's value.
    switches : tuple of str
        What a reader may switch on in the figure; off in the report.
    left : callable, optional
        ``left(n)`` returns the policies that cannot play at these numbers, each with the reason, named above the frame.
    guests : bool
        Whether a reader's own policies and worlds join; off where the figure would not draw them.
    """

    draw: Callable | None = None
    moves: dict = {}
    switches: tuple = ()
    left: Callable | None = None
    guests: bool = True


class Study(NamedTuple):
    """One figure of a paper.

    Parameters
    ----------
    name : str
        What the explorer calls it: "Figure 3", or a word of ours ("Regret").
    title : str
        What is seen, in a few words; a lower-case continuation of "The paper's Figure 3: ...".
    play : callable
        ``play(**cell, **fixed, **size, seed, progress=None)`` makes one cell: a Result, or whatever `draw` and
        `caption` understand. Its parameters without a default are what sliders move; what belongs together among them
        reaches the function as one value (`bundle`).
    caption : callable
        ``caption(found, n)`` concludes from what is drawn.
    grid : dict of str to tuple
        Name to values; the last name changes fastest. Values are hashable.
    fixed : dict
        What the paper keeps fixed.
    sizes : dict of str to dict
        "quick" and "paper" to numbers; a function of the cell where they differ by cell. Empty for a figure that stands
        in no report.
    draw : callable, optional
        ``draw(found, n)`` makes the figure of the results by cell; by default regret, one panel per cell.
    panel : str
        Title of a panel, with names of the grid in braces, so that no two cells share one; by default "name = value".
    band : float, optional
        Half width of bands in standard errors; by default the 95 % t-interval.
    styles : dict, optional
        Place of each policy in the palette.
    seeds : callable
        `own_seed` or `one_seed`: of the seed and the cell.
    ours : bool
        Whether the figure is ours and not the paper's.
    live : Live
        What only sliders need.

    Notes
    -----
    `draw` and `caption` get all numbers by name: ``n.sigma``, ``n.runs``, ``n.seed``, the switches.
    """

    name: str
    title: str
    play: Callable
    caption: Callable
    grid: dict = {}
    fixed: dict = {}
    sizes: dict = {}
    draw: Callable | None = None
    panel: str = ""
    band: float | None = None
    styles: dict | None = None
    seeds: Callable = own_seed
    ours: bool = False
    live: Live = Live()

    def results(self, scale, seed=0, **only):
        """What was played, by cell, a NamedTuple of its values (``cell.d``); each is played once in a process.

        Parameters
        ----------
        scale : {"quick", "paper"}
        seed : int >= 0
        **only
            Name of the grid to the values wanted: ``results("quick", d=(2, 3))``.
        """
        size, seed = self.size_of(scale), whole("seed", seed, 0)
        seeds = {cell: self.seeds(seed, cell) for cell in self.cells(self.wanted(only))}
        code, found = code_identity.code_key(self.play, outside_only=True), {}
        for cell, own in seeds.items():
            numbers = {**cell._asdict(), **move(self.fixed), **sized(size, cell)}
            found[cell] = play_once(self.play, numbers, own, code)
            provenance.saw(found[cell])
        return found

    def size_of(self, scale):
        """What differs by scale; a name of the grid may stand neither there nor in `fixed`, which would replace it."""
        size = self.sizes[choice("scale", scale, tuple(self.sizes))]
        if twice := [name for name in self.grid if name in self.fixed or name in size]:
            raise ValueError(f"grid[{twice[0]!r}]: stands in fixed or in sizes, too; must stand in one of them")
        return size

    def wanted(self, only):
        """The grid, of which only these values of some names."""
        refuse_unknown(only, self.grid)
        grid = {name: listed(f"grid[{name!r}]", values) for name, values in self.grid.items()}
        for name, values in only.items():
            if not all(value in grid[name] for value in listed(name, values)):
                raise ValueError(f"{name}={shown(values)}: must be of the grid's {shown(grid[name])}")
            grid[name] = [value for value in grid[name] if value in values]
        return grid

    def numbers(self, scale, seed=0):
        """What all cells share at this scale, by name."""
        switches, seed = dict.fromkeys(self.live.switches, False), whole("seed", seed, 0)
        return SimpleNamespace(**{**move(self.fixed), **at_this_look(self.size_of(scale)), **switches, "seed": seed})

    def figure(self, scale, seed=0, **only):
        """The figure as the paper prints it; ``only`` as in `results`.

        Returns
        -------
        figure, found : plotly.graph_objects.Figure, dict
            The figure, and the results by cell.
        """
        found, n = self.results(scale, seed, **only), self.numbers(scale, seed)
        title = self.title if self.ours else f"The paper's {self.name}: {self.title}"
        return self.drawn(self.draw or self.panels, title, found, n), found

    def explore(self, seed=0, progress=None, **values):
        """The figure at a slider's numbers, and the results."""
        grid = {name: self.moved(name, values.get(name)) for name in self.grid}
        names = (*grid, *self.live.switches)
        if missing := [name for name in self.parameters() if name not in values]:
            raise TypeError(f"{', '.join(missing)}: must be given")
        numbers = {name: values[name] for name in self.parameters() if name not in names}
        cells = self.cells(grid)
        found, own, left = {}, {}, {}
        for cell, part in zip(cells, split_progress(progress, len(cells)), strict=True):
            first, rest = split_progress(part, 2) if MAKERS and self.live.guests else (part, None)
            own[cell] = self.play(**cell._asdict(), **numbers, seed=seed, progress=first)
            found[cell] = joined(own[cell], left, rest) if self.live.guests else own[cell]
        n = SimpleNamespace(**{**self.fixed, **values, "seed": seed})
        return self.drawn(self.live.draw or self.draw or self.panels, self.title, found, n, own, left), found

    def drawn(self, draw, title, found, n, own=None, left=None):
        """The figure with its title, and with caption and alt text, which speak of its own policies only."""
        figure, title = draw(found, n), title[0].upper() + title[1:]
        alt = (figure.layout.meta or {}).get("alt") or title
        figure.update_layout(title_text=title)
        said = self.caption(own or found, n)
        figure.layout.meta = {"caption": said[:1].upper() + said[1:], "alt": alt, "name": self.name}
        absent = {} if left is None else tell_absent(figure, left)
        if gone := {**(self.live.left(n) if self.live.left else {}), **absent}:
            figure.layout.meta = {**figure.layout.meta, "left": gone}
        return mark_guests(figure)

    def panels(self, found, n):
        """Regret, one panel per cell; the first name of the grid runs across."""
        if len(found) == 1:
            return plots.regret(*found.values(), self.band, styles=self.styles)
        titled = {self.title_of(cell): found[cell] for cell in sorted(found, key=lambda cell: cell[::-1])}
        if len(titled) < len(found):  # one would hide another
            raise ValueError(f"panel={self.panel!r}: must tell all cells apart, by {', '.join(self.grid)}")
        return plots.panels(titled, self.band, "", "round t", "", self.styles)

    def title_of(self, cell):
        """Title of a cell's panel."""
        given = cell._asdict()
        try:
            return self.panel.format(**given) or ", ".join(f"{k} = {v}" for k, v in given.items())
        except LookupError as error:
            told = f"names {error.args[0]!r}, but this cell of {self.name} has {', '.join(given) or 'no values'}"
            raise ValueError(f"panel={self.panel!r}: {told}; all that it names must be given") from None

    def cells(self, grid):
        """The cells of a grid; numpy's numbers are made Python's, for seeds depend on what is written."""
        cells = map_arrays(list(itertools.product(*grid.values())), np.generic.item, np.generic)
        return [cell_of(tuple(grid))(*values) for values in cells]

    def moved(self, name, value):
        """A slider's value as values of the grid."""
        move = self.live.moves.get(name, lambda value: (value,))
        return self.grid[name] if move is None else tuple(move(value))

    def parameters(self):
        """What sliders may move: the parameters of `play` without a default, and the switches."""
        taken = inspect.signature(self.play).parameters.values()
        names = [p.name for p in taken if p.default is p.empty and p.name != "seed"]
        switches = listed("switches", self.live.switches, "a tuple of names", 0)
        return [name for name in names if self.live.moves.get(name, name) is not None] + switches

    def slider(self, main=(), marks=None, **opens):
        """The figure function for `explore`: it names what it takes.

        Parameters
        ----------
        main : tuple of str
            The two or three controls that matter here, which stand in front; by default those that say so themselves.
        marks : dict of str to sequence, optional
            The paper's own values, by control, for a figure that is not the paper's; by default those of the study.
        **opens
            Values at which its own words come true, beside those that the figure keeps fixed.
        """
        kind = inspect.Parameter.KEYWORD_ONLY
        names = [inspect.Parameter(name, kind) for name in self.parameters()]
        names += [inspect.Parameter(name, kind, default=value) for name, value in (("seed", 0), ("progress", None))]

        def figure(**values):
            return self.explore(**values)

        end = "" if self.title.endswith("?") else "."
        figure.__name__, figure.__doc__ = self.name, f"{self.name}: {self.title}{end}"
        figure.__signature__ = inspect.Signature(names)
        figure.main, figure.opens, figure.marks = main, {**self.fixed, **opens}, marks or self.printed()
        figure.about = ""  # its title stands above the plot
        return figure

    def printed(self):
        """The paper's own values of what sliders move, by name; a figure of ours has none."""
        if self.ours or "paper" not in self.sizes:
            return {}
        single = {name: (value,) for name, value in {**self.fixed, **self.sizes["paper"]}.items()}
        known = {**single, **{name: values for name, values in self.grid.items() if name not in self.live.moves}}
        return {name: found for name in self.parameters() if (found := [x for x in known.get(name, ()) if is_real(x)])}

    def preset(self, **cell):
        """Title and slider positions of one of the paper's cells; other numbers given here replace the paper's."""
        refuse_unknown(cell, [*self.grid, *self.parameters()])
        (own,) = self.cells({name: (value,) for name, value in cell.items() if name in self.grid})
        numbers, allowed = {**self.fixed, **sized(self.size_of("paper"), own), **cell}, set(self.parameters())
        values = {name: value for name, value in numbers.items() if name in allowed}
        return f"Paper, {self.name}, {self.title_of(own)}", {"figure": self.name, **values}


def sized(size, cell):
    """The numbers of a size for this cell."""
    return at_this_look({name: value(cell) if callable(value) else value for name, value in size.items()})


def at_this_look(size):
    """The numbers of a size, with as many runs as a claim that is being judged looks at."""
    runs = size.get("runs")
    return size if runs is None or callable(runs) else {**size, "runs": looks.runs_now(runs)}


@functools.cache
def cell_of(names):
    """A tuple whose entries also have names: ``cell.d``."""
    return namedtuple("Cell", names)


def play_once(play, numbers, seed, code):
    """One cell, played once in a process and kept on disk for the next one, but anew where a reader's code changed."""
    key = code, code_identity.code_key((numbers, seed), outside_only=True)
    if key not in kept or not code_identity.is_lasting(key):
        with provenance.lasting():
            kept[key] = play(**numbers, seed=seed)
    return copy.deepcopy(kept[key])  # whoever gets it may change it
