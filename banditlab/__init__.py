"""banditlab: an interactive research workbench for structured multi-armed bandits."""

from ._lazy import load_later as _later
from ._lazy import read_stub as _read

_modules, _names = _read(__file__)
__all__ = sorted([*_modules, *_names])
__getattr__, __dir__ = _later(globals(), *_modules, **_names)
