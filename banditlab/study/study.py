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

from ..engine.simulate import split_progress
from ..evidence import looks, provenance
from ..evidence.moving import move
from ..figures import plots
from ..user_code import code_identity
from ..validate import choice, is_real
from .overlay import ABSENT, MAKERS, joined, mark_guests

kept = {}  # `code_key` of a cell -> what was played


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
    """

    draw: Callable | None = None
    moves: dict = {}
    switches: tuple = ()
    left: Callable | None = None


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
        ``draw(found, n)`` makes the figure of what was played by cell; by default regret, one panel per cell.
    panel : str
        Title of a panel, with names of the grid in braces.
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
        size = self.sizes[choice("scale", scale, tuple(self.sizes))]
        code, found = code_identity.code_key(self.play, outside_only=True), {}
        for cell in self.cells(self.grid):
            if all(getattr(cell, name) in values for name, values in only.items()):
                numbers = {**cell._asdict(), **move(self.fixed), **sized(size, cell)}
                found[cell] = play_once(self.play, numbers, self.seeds(seed, cell), code)
                provenance.saw(found[cell])
        return found

    def numbers(self, scale, seed=0):
        """What all cells share at this scale, by name."""
        switches = dict.fromkeys(self.live.switches, False)
        return SimpleNamespace(**{**move(self.fixed), **at_this_look(self.sizes[scale]), **switches, "seed": seed})

    def figure(self, scale, seed=0, **only):
        """The figure as the paper prints it; ``only`` as in `results`.

        Returns
        -------
        figure, found : plotly.graph_objects.Figure, dict
            The figure, and what was played by cell.
        """
        found, n = self.results(scale, seed, **only), self.numbers(scale, seed)
        title = self.title if self.ours else f"The paper's {self.name}: {self.title}"
        return self.drawn(self.draw or self.panels, title, found, n), found

    def explore(self, seed=0, progress=None, **values):
        """The figure at a slider's numbers, and what was played."""
        grid = {name: self.moved(name, values.get(name)) for name in self.grid}
        names = (*grid, *self.live.switches)
        numbers = {name: values[name] for name in self.parameters() if name not in names}
        cells = self.cells(grid)
        found, own, left = {}, {}, {}
        for cell, part in zip(cells, split_progress(progress, len(cells)), strict=True):
            first, rest = split_progress(part, 2) if MAKERS else (part, None)
            own[cell] = self.play(**cell._asdict(), **numbers, seed=seed, progress=first)
            found[cell] = joined(own[cell], left, rest)
        n = SimpleNamespace(**{**self.fixed, **values, "seed": seed})
        left = {name: left.get(name, ABSENT) for name in MAKERS}
        return self.drawn(self.live.draw or self.draw or self.panels, self.title, found, n, own, left), found

    def drawn(self, draw, title, found, n, own=None, left=None):
        """The figure with its title, and with caption and alt text, which speak of its own policies only."""
        figure, title = draw(found, n), title[0].upper() + title[1:]
        alt = (figure.layout.meta or {}).get("alt") or title
        figure.update_layout(title_text=title)
        said = self.caption(own or found, n)
        figure.layout.meta = {"caption": said[:1].upper() + said[1:], "alt": alt, "name": self.name}
        gone = {**(self.live.left(n) if self.live.left else {}), **(left or {})}
        if gone := {name: why for name, why in gone.items() if why}:
            figure.layout.meta = {**figure.layout.meta, "left": gone}
        return mark_guests(figure)

    def panels(self, found, n):
        """Regret, one panel per cell; the first name of the grid runs across."""
        if len(found) == 1:
            return plots.regret(*found.values(), self.band, styles=self.styles)
        shown = {self.title_of(cell): found[cell] for cell in sorted(found, key=lambda cell: cell[::-1])}
        return plots.panels(shown, self.band, "", "round t", "", self.styles)

    def title_of(self, cell):
        """Title of a cell's panel."""
        return self.panel.format(**cell._asdict())

    def cells(self, grid):
        """The cells of a grid."""
        return [cell_of(tuple(grid))(*values) for values in itertools.product(*grid.values())]

    def moved(self, name, value):
        """A slider's value as values of the grid."""
        move = self.live.moves.get(name, lambda value: (value,))
        return self.grid[name] if move is None else tuple(move(value))

    def parameters(self):
        """What sliders may move: the parameters of `play` without a default, and the switches."""
        taken = inspect.signature(self.play).parameters.values()
        names = [p.name for p in taken if p.default is p.empty and p.name != "seed"]
        return [name for name in names if self.live.moves.get(name, name) is not None] + list(self.live.switches)

    def slider(self, main=(), **opens):
        """The figure function for `explore`: it names what it takes.

        Parameters
        ----------
        main : tuple of str
            The two or three controls that matter here, which stand in front; by default those that say so themselves.
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
        figure.main, figure.opens, figure.marks = main, {**self.fixed, **opens}, self.printed()
        return figure

    def printed(self):
        """The paper's own values of what sliders move, by name; a figure of ours has none."""
        if self.ours or "paper" not in self.sizes:
            return {}
        single = {name: (value,) for name, value in {**self.fixed, **self.sizes["paper"]}.items()}
        known = {**single, **{name: values for name, values in self.grid.items() if name not in self.live.moves}}
        numbers = {name: [x for x in values if is_real(x)] for name, values in known.items()}
        return {name: found for name in self.parameters() if (found := numbers.get(name))}

    def preset(self, **cell):
        """Title and slider positions of one of the paper's cells; other numbers given here replace the paper's."""
        own = {name: value for name, value in cell.items() if name in self.grid}
        size = sized(self.sizes["paper"], cell_of(tuple(own))(*own.values()))
        numbers, allowed = {**self.fixed, **size, **cell}, set(self.parameters())
        title = self.panel.format(**own) or ", ".join(f"{name} = {value}" for name, value in own.items())
        values = {name: value for name, value in numbers.items() if name in allowed}
        return f"Paper, {self.name}, {title}", {"figure": self.name, **values}


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
