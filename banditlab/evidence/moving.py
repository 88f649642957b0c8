"""Values of sliders in place of the paper's own, while somebody asks how far a claim holds."""

from contextvars import ContextVar
from types import SimpleNamespace

from ..validate import is_real
from .spending import holding

current = ContextVar("moved", default=None)


def move(fixed):
    """What an experiment keeps fixed, at the values that are asked for now; its own outside of `moving`."""
    if (now := current.get()) is None:
        return fixed
    for name, value in fixed.items():
        if is_real(value):
            now.met[name] = value if now.met.get(name, value) == value else None
    return {name: now.values.get(name, value) for name, value in fixed.items()}


def moving(values):
    """Play experiments at these values while this lasts; gives what was met."""
    return holding(current, SimpleNamespace(values=values, met={}))
