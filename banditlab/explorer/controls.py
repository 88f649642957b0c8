"""What a reader may change: sliders, choices and switches, and the check of a parameters cell against them."""

import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from ..validate import is_real, listed, number, shown, whole

MOST_POSITIONS = 10_001  # of one slider: the browser holds the texts of all of them


@dataclass(frozen=True, kw_only=True)
class Control:
    """What sliders, choices and switches share."""

    main: bool = False
    start: float | str | bool | None = None
    where: dict | None = None

    def __post_init__(self):
        if not (isinstance(self.label, str) and self.label.strip()):
            raise TypeError(f"label={shown(self.label)}: must be a word or more")
        for name, allowed in (self.where or {}).items():
            listed(f"where[{name!r}]", allowed)
        if self.start is not None:
            self.check("start", self.start)

    @property
    def symbol(self):
        """Its name in a sentence."""
        return self.label


@dataclass(frozen=True)
class Slider(Control):
    """A number that a reader slides.

    Parameters
    ----------
    label : str
        Name beside the slider, as in the paper (``"Gap Δ"``).
    lo, hi : int or float
        Smallest and largest value, both allowed; ``lo < hi``.
    step : int or float
        Distance of two positions, greater than 0. If `lo`, `hi` and `step` are ints the values are ints.
    help : str
        What the number means, in a few words.
    unit : str
        Unit shown after the value.
    symbol : str
        Its name in a sentence (``"Δ"``); by default the last word of the label where that is a letter, else the label.
    main : bool
        Whether it stands at the top of the panel; the others are folded under "More settings".
    start : int or float, optional
        Value in the parameters cell.
    where : dict of str to tuple, optional
        Values of other parameters at which it acts (``{"shape": ("interval",)}``); elsewhere it is hidden.

    Raises
    ------
    TypeError
        If a limit is no number.
    ValueError
        If the limits or the step make no slider.

    Examples
    --------
    >>> Slider("Gap Δ", 0.1, 0.4, 0.1).positions()
    [0.1, 0.2, 0.3, 0.4]
    """

    label: str
    lo: float
    hi: float
    step: float
    help: str = ""
    unit: str = ""
    symbol: str = ""

    def __post_init__(self):
        try:
            number("hi", self.hi, above=number("lo", self.lo))
            number("step", self.step, above=0)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{error} (slider {self.label!r})") from None
        for name in ("lo", "hi", "step"):
            value = getattr(self, name)  # of any kind, but positions are decimals, and a page knows plain numbers only
            plain = int(value) if isinstance(value, numbers.Integral) else float(Fraction(str(value)))
            object.__setattr__(self, name, plain)
        if (self.hi - self.lo) / self.step > MOST_POSITIONS - 1:
            most = f"at most {MOST_POSITIONS:,} positions"
            raise ValueError(f"step={self.step!r}: must leave {most} (slider {self.label!r})")
        super().__post_init__()
        if not self.symbol:
            last = self.label.split()[-1]
            object.__setattr__(self, "symbol", last if len(last) < 3 and last[0].isalpha() else self.label)

    @property
    def whole(self):
        """Whether the values are ints."""
        return all(isinstance(x, numbers.Integral) for x in (self.lo, self.hi, self.step))

    def check(self, name, value):
        """Return the value as a plain int or float, or raise what is wrong with it."""
        if not is_real(value):
            raise TypeError(f"{name}={value!r}: must be a number ({self.help or self.label})")
        if self.whole and not isinstance(value, numbers.Integral):
            raise TypeError(f"{name}={value!r}: must be a whole number ({self.help or self.label})")
        if not self.lo <= value <= self.hi:  # also false for nan
            limits = f"between {shorten_limit(self.lo)} and {shorten_limit(self.hi)}"
            raise ValueError(f"{name}={value!r}: must be {limits} ({self.help or self.label})")
        return int(value) if self.whole else float(value)

    def positions(self):
        """Return the values of all positions, exact to the last digit (0.3, not 0.30000000000000004)."""
        lo, hi, step = (Decimal(str(x)) for x in (self.lo, self.hi, self.step))
        grid = [lo + i * step for i in range(int((hi - lo) / step) + 1)]
        grid += [hi] if grid[-1] < hi else []
        return [int(x) if self.whole else float(x) for x in grid]

    def text(self, value):
        """Return a value as it is shown, with its unit."""
        unit = self.unit[:-1] if value == 1 and self.unit[2:].endswith("s") else self.unit  # 1 round, 2 rounds
        if self.whole:
            return f"{value:,} {unit}".rstrip()
        digits = max(-Decimal(str(shorten_limit(x))).as_tuple().exponent for x in (self.lo, self.hi, self.step))
        number = f"{value:.{max(digits, 0)}f}"
        if float(number) != value:  # between two positions
            simple = Fraction(value).limit_denominator(12)
            number = f"{value:.4g}"
            number = str(simple) if float(simple) == value != float(number) else number
        return f"{number} {unit}".rstrip()


@dataclass(frozen=True)
class Choice(Control):
    """One of several words.

    Parameters
    ----------
    label : str
        Name beside the box.
    options : sequence of str
        What may be chosen, at least two.
    help : str
        What the choice means, in a few words.
    words : dict of str to str, optional
        How options are shown that are not shown as they are (``{"k2": "k²"}``).
    main : bool
        Whether it stands at the top of the panel.
    start : str, optional
        Value in the parameters cell.
    where : dict of str to tuple, optional
        As of a `Slider`.

    Raises
    ------
    ValueError
        If there are not two different words to choose from.
    """

    label: str
    options: tuple
    help: str = ""
    words: dict | None = None

    def __post_init__(self):
        must = f"two or more different strings (choice {self.label!r})"
        words = listed("options", self.options, must, 2)
        if not all(isinstance(word, str) for word in words) or len({*words}) < len(words):
            raise ValueError(f"options={shown(self.options)}: must be {must}")
        super().__post_init__()
        if unknown := [word for word in self.words or () if word not in words]:
            raise ValueError(f"words={self.words!r}: {unknown[0]!r} is none of the options (choice {self.label!r})")

    def text(self, value):
        """Return an option as it is shown."""
        return (self.words or {}).get(value, value)

    def check(self, name, value):
        """Return the value, or raise what is wrong with it."""
        allowed = f"must be one of {', '.join(map(repr, self.options))} ({self.help or self.label})"
        if not isinstance(value, str):
            raise TypeError(f"{name}={value!r}: {allowed}")
        if value not in self.options:
            raise ValueError(f"{name}={value!r}: {allowed}")
        return str(value)


@dataclass(frozen=True)
class Switch(Control):
    """On or off.

    Parameters
    ----------
    label : str
        Name beside the box.
    help : str
        What it switches, in a few words.
    main : bool
        Whether it stands at the top of the panel.
    start : bool, optional
        Value in the parameters cell.
    where : dict of str to tuple, optional
        As of a `Slider`.
    """

    label: str
    help: str = ""

    def text(self, value):
        """Return a value as it is shown."""
        return "on" if value else "off"

    def check(self, name, value):
        """Return the value as a plain bool, or raise what is wrong with it."""
        if not isinstance(value, bool):
            raise TypeError(f"{name}={value!r}: must be True or False ({self.help or self.label})")
        return value


class Seed:
    """The rule of the parameter `seed`, which has no control."""

    def check(self, name, value):
        """Return the value as a plain int, or raise what is wrong with it."""
        return whole(name, value, 0)


# What every parameters cell has beside the paper's own numbers.
COMMON = {
    "seed": Seed(),
    "scale": Choice("Scale", ("quick", "paper"), "size of the runs"),
    "live": Switch("Live", "sliders; a report is made with False"),
}


def check_parameters(controls: Mapping[str, Control], **values: object) -> dict:
    """Check the values of a parameters cell.

    Parameters
    ----------
    controls : dict of str to Slider, Choice or Switch
        The control of each parameter.
    **values
        Parameter values, numpy scalars included. `seed`, `scale` and `live` have rules of their own; any other name
        without a control passes.

    Returns
    -------
    dict
        The values as plain Python numbers, strings and bools.

    Raises
    ------
    TypeError
        If a value has the wrong type (a bool or a string is no number, 2.5 is no whole number).
    ValueError
        If a value is out of range or not among the choices.

    Examples
    --------
    >>> check_parameters({"d": Slider("Components d", 1, 10, 1)}, d=4, seed=0)
    {'d': 4, 'seed': 0}
    >>> check_parameters({"d": Slider("Components d", 1, 10, 1)}, d=40)
    Traceback (most recent call last):
    ValueError: d=40: must be between 1 and 10 (Components d)
    """
    rules = {**COMMON, **controls}
    plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in values.items()}
    return {name: rules[name].check(name, value) if name in rules else value for name, value in plain.items()}


def timed(presets: Mapping[str, dict], takes: Mapping[str, float]) -> dict:
    """Return presets, those that take long named with the seconds that two cores need.

    Parameters
    ----------
    presets : dict of str to dict
        Named settings, as of `explore`.
    takes : dict of str to float
        Title of a preset to its seconds; `tools/presets.py` measures them.

    Examples
    --------
    >>> timed({"Short": {"d": 2}, "Paper": {"d": 9}}, {"Paper": 12})
    {'Short': {'d': 2}, 'Paper · about 12 s': {'d': 9}}
    """
    if unknown := [title for title in takes if title not in presets]:
        raise ValueError(f"takes: {unknown[0]!r} is no preset")
    names = {title: f"{title} · about {takes[title]:.0f} s" if title in takes else title for title in presets}
    return {names[title]: preset for title, preset in presets.items()}


def offered_values(control, wanted):
    """Return all values that a control offers; of a slider also wanted ones, which may lie between two positions."""
    if isinstance(control, Slider):
        return sorted({*control.positions(), *wanted})
    return list(control.options) if isinstance(control, Choice) else [False, True]


def has_effect(control, values):
    """Tell whether a control does anything at these values, those that a figure takes."""
    return all(values[name] in allowed for name, allowed in (control.where or {}).items() if name in values)


def shorten_limit(value):
    """Return 1 for 1.0, so that limits read as a person writes them."""
    return int(value) if value == int(value) else value
