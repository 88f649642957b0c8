"""What a figure of simulations plays at the positions of its controls: fields of environments and policies."""

import numpy as np

from ..engine.instances import RandomInstances
from ..user_code.contract import has_method
from . import modules
from .arguments import TEXT, Leaf, list_leaves, split_leaves
from .held import hold_back
from .tables import DRAWS, LARGEST, PLACES, RECENT, RUN, Case, Curve


class Played(Case):
    """What a figure plays."""

    def __init__(self, *figure):
        super().__init__(*figure)
        self.kinds, self.runs, self.recent = {}, None, {}
        asked = self.ask({})
        self.plays, self.budget = bool(asked), PLACES // max(1, 2 * len(asked) - 1)
        worlds = [cell.settings["environment"] for cell in asked]
        self.drawn = any(isinstance(world, RandomInstances) and not world.recipe() for world in worlds)
        if self.drawn:  # worlds for every run, and so for one seed only
            self.positions[RUN] = list(range(DRAWS))

    def ask(self, at):
        """The simulations that the figure asks for at a position, the same for all runs."""
        key = tuple(at.get(name) for name in self.positions if name != RUN)
        if key not in self.recent:
            if len(self.recent) == RECENT:
                del self.recent[next(iter(self.recent))]
            asked = []
            with hold_back(asked):
                self.play(**self.numbers_at(at))
            self.recent[key] = asked
        return self.recent[key]

    def group(self, curve):
        """What is learnt of a curve holds for all of its kind in the same case."""
        return id(curve.kind), curve.case

    def lay_down(self, at):
        """As `fields`, computed: for each curve its name, the rounds of its simulation, all fields."""
        try:
            asked = self.ask(at)
        except ValueError:
            return {}
        found, case = {}, self.case_at(at)
        for number, cell in enumerate(asked):
            settings, environment = cell.settings, cell.settings["environment"]
            if settings["seed"] != self.values["seed"]:
                raise TypeError("it plays another seed than it is given")
            self.runs = self.values.get("runs", self.runs or settings["runs"])
            if settings["runs"] != self.runs:
                raise TypeError("it plays another number of runs than it is given")
            if isinstance(environment, RandomInstances):
                environment = environment.recipe() or environment.draw(settings["seed"], at.get(RUN, 0))
            rounds, leaves = self.pool.number(self.rounds_of(cell, at)), list_leaves(environment)
            first = [self.pool.number(leaf) for leaf in (split_leaves(leaves) if self.drawn else leaves)]
            if max(self.pool.sizes[number] for number in first) > LARGEST:
                raise TypeError(f"a field of its world takes more than {LARGEST / 1e3:.0f} kB")
            for place, (name, policy) in enumerate(settings["policies"].items()):
                if has_method(policy, "stop"):
                    raise TypeError("a policy ends its runs by itself")
                told = self.pool.number(Leaf(TEXT, name.encode()))
                fields = [self.pool.number(leaf) for leaf in list_leaves(policy)]
                curve = Curve(number, place, self.kind_of(environment, policy), case)
                found[curve] = (told, rounds, *first, *fields)
        return found

    def rounds_of(self, cell, at):
        """The checkpoints of a simulation: how many, where the horizon is the slider's own, else which."""
        horizon, count = at.get("horizon", self.values.get("horizon")), cell.settings["checkpoints"]
        free = cell.settings["horizon"] == horizon and isinstance(count, int)
        return count if free else Leaf(cell.recorded.shape, cell.recorded.tobytes())

    def kind_of(self, environment, policy):
        """The kind of a pair, asked once for every pair of types."""
        key = types_of((environment, policy))
        if key not in self.kinds:
            self.kinds[key] = modules.kind_of(environment, policy)
        return self.kinds[key]


def types_of(thing):
    """What the types of numba depend on."""
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.ndim, thing.flags.c_contiguous
    return (type(thing), *map(types_of, thing)) if isinstance(thing, tuple) else type(thing)
