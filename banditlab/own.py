"""A reader's own policies in the explorer's figures: one more curve each, which stays while sliders move."""

import weakref
from collections.abc import Callable

from .result import Result
from .simulation import simulate

MAKERS: dict[str, Callable] = {}
WATCHING: weakref.WeakSet = weakref.WeakSet()  # explorers that are drawn anew


def join(name: str, make: Callable | None) -> None:
    """Let a policy of one's own join the figures of the explorer.

    Every figure that plays policies plays this one too, on the same worlds and for as many rounds and runs, and draws
    its curve. To join again under the same name replaces it; None takes it out.

    Parameters
    ----------
    name : str
        Its name in the legend.
    make : callable or None
        ``make(environment)`` returns the policy for an environment, or None where there is nothing for it to play.

    Examples
    --------
    >>> import banditlab as bl
    >>> bl.join("Mine", lambda environment: bl.classic.uniform(len(environment.means)))
    >>> bl.join("Mine", None)
    """
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"name={name!r}: must be a name for the legend")
    if make is None:
        MAKERS.pop(name, None)
    elif callable(make):
        MAKERS[name] = make
    else:
        raise TypeError(f"make={make!r}: must be a function of the environment that returns a policy, or None")
    for explorer in list(WATCHING):
        explorer.again()


def joined(result):
    """Return a result with the reader's own policies in it; what is no result of `simulate` stays as it is."""
    if not isinstance(result, Result) or result.settings.get("environment") is None:
        return result
    for name, make in MAKERS.items():
        if name in result.policies:
            continue
        try:
            policy = make(result.settings["environment"])
            if policy is not None:
                result = result.join(simulate(**{**result.settings, "policies": {name: policy}}))
        except Exception as error:
            error.add_note(f"{name!r} was to join this figure; bl.join({name!r}, None) takes it out")
            raise
    return result
