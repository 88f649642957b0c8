"""A delay as the sliders describe it: one value, with its words, its shape and what a benchmark may be told."""

import math
from typing import NamedTuple

from banditlab.composite import environments
from banditlab.validate import choice

SHAPES = ("random delay", "interval", "decreasing", "increasing", "discounted", "polynomial")


class Delay(NamedTuple):
    """How the reward of one pull spreads over time."""

    delay: str = "increasing"  # one of SHAPES
    d: int = 50  # longest delay, of the shapes with an end
    start: float = 0.0  # first delay over d, of a random delay or an interval
    gamma: float = 0.8  # of the discounted shape
    power: float = 2.0  # of the polynomial shape

    @classmethod
    def of(cls, numbers):
        """The delay among named numbers."""
        return cls(*(getattr(numbers, name) for name in cls._fields))

    @property
    def first(self):
        """The first delay of a random delay or an interval."""
        return min(round(self.start * self.d), self.d - 1 if self.delay == "interval" else self.d)

    @property
    def told(self):
        """The longest delay that a benchmark may be told; infinite where there is none."""
        return math.inf if self.delay in ("discounted", "polynomial") else self.d

    @property
    def shape(self):
        """What `stochastic` takes."""
        kind = choice("delay", self.delay, SHAPES)
        if kind == "random delay":
            return environments.random_delay(self.first, self.d)
        if kind == "interval":
            return environments.interval(self.first, self.d)
        if kind in ("decreasing", "increasing"):
            return getattr(environments, kind)(self.d)
        return environments.discounted(self.gamma) if kind == "discounted" else environments.polynomial(self.power)

    @property
    def words(self):
        """For titles."""
        if self.delay in ("random delay", "interval"):
            return f"{self.delay} {self.first} to {self.d}"
        if math.isfinite(self.told):
            return f"{self.delay} parts, d = {self.d}"
        return f"{self.delay} parts, γ = {self.gamma if self.delay == 'discounted' else self.power:g}"


def described(delay, d, start, gamma, power):
    """The delay at the sliders' numbers."""
    return Delay(delay, d, start, gamma, power)


CASES = {  # the paper's twelve
    "random 10–30": Delay("random delay", 30, 1 / 3),
    "random 0–60": Delay("random delay", 60),
    "interval 30–40": Delay("interval", 40, 0.75),
    "interval 10–20": Delay("interval", 20, 0.5),
    "decreasing 100": Delay("decreasing", 100),
    "decreasing 50": Delay("decreasing", 50),
    "increasing 100": Delay("increasing", 100),
    "increasing 50": Delay("increasing", 50),
    "discounted 0.8": Delay("discounted", gamma=0.8),
    "discounted 0.9": Delay("discounted", gamma=0.9),
    "polynomial 3": Delay("polynomial", power=3.0),
    "polynomial 2": Delay("polynomial", power=2.0),
}
EIGHT = tuple(name for name, delay in CASES.items() if math.isfinite(delay.told))  # cells with a benchmark
FOUR = tuple(name for name in CASES if name not in EIGHT)  # without an end: little is late
TAILED = "increasing 100"  # where most is late
