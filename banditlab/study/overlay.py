"""A reader's own policies and worlds in the explorer's figures: curves of their own, which stay while sliders move."""

import contextvars
import dataclasses
import weakref
from collections.abc import Callable

from ..engine.instances import RandomInstances
from ..engine.simulate import simulate, split_progress
from ..evidence.spending import holding
from ..results.result import Result
from ..user_code.contract import has_method

MAKERS: dict[str, Callable] = {}
GUEST, GUEST_BAND = "#c2189b", "rgba(194,24,155,0.12)"  # no policy of ours has it; it reads on white and on black
WATCHING: weakref.WeakSet = weakref.WeakSet()  # explorers that are drawn anew
# who is tried in the reader's own cell, which is told what is wrong
TRIED = contextvars.ContextVar("TRIED", default="")
ABSENT = "plays no part here: no regret curves, or no environment of its kind"


def overlay(name: str, make: Callable | None) -> None:
    """Let a policy or an environment of one's own join the figures of the explorer.

    Every figure that plays policies plays this one too, on the same worlds and for as many rounds and runs, and
    draws its curve, magenta with long dashes, once the reader switches it on. An environment is met by all policies
    of the figure, and each draws one more curve, named "policy, name"; bounds and captions go on speaking of the
    figure's own world. To join again under the same name replaces it; None takes it out. It is tried at once in the
    figure that an explorer shows, and joins none where that fails; a figure that it cannot join later says why.

    Parameters
    ----------
    name : str
        Its name in the legend.
    make : callable or None
        ``make(environment)`` returns the policy for an environment of the figure, or an environment in its place (with
        the same actions and observations), or None where it does not fit in.

    Raises
    ------
    Exception
        Whatever is wrong with it in the figure that an explorer shows.

    Examples
    --------
    >>> import banditlab as bl
    >>> bl.overlay("Mine", lambda environment: bl.classic.uniform(len(environment.means)))
    >>> bl.overlay("Mine", None)
    """
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"name={name!r}: must be a name for the legend")
    if make is None:
        MAKERS.pop(name, None)
    elif callable(make):
        MAKERS[name] = make
    else:
        raise TypeError(f"make={make!r}: must be a function of the environment that returns a policy, or None")
    explorers = list(WATCHING)
    try:
        with holding(TRIED, name):
            for explorer in explorers if make else ():
                explorer.attempt()
    except BaseException:
        MAKERS.pop(name)
        raise
    finally:
        for explorer in explorers:
            explorer.again()


def joined(result, left, progress=None):
    """Return a result with the reader's own things in it; `left` is filled with what is wrong with each, or ""."""
    environment = result.settings.get("environment") if MAKERS and isinstance(result, Result) else None
    if isinstance(environment, RandomInstances):  # a fresh one for every run: the first tells what kind they are
        environment = environment.draw(result.settings["seed"], 0)
    played = MAKERS if environment is not None else {}
    made = {name: attempt(left, name, make, environment) for name, make in played.items()}
    made = {name: it for name, it in made.items() if it is not None}
    order = sorted(made, key=lambda name: has_method(made[name], "step"))  # worlds last: all policies meet them
    alone = result
    for name, part in zip(order, split_progress(progress, max(1, len(order))), strict=False):
        elsewhere = has_method(made[name], "step")
        found = attempt(left, name, play_elsewhere if elsewhere else play_beside, alone, name, made[name], part)
        if found is not None:
            left.setdefault(name, "")
            result = result.join(found)
            alone = alone if elsewhere else result
    return result


def guests_of(trace):
    """The reader's own things that a trace of a figure shows."""
    said = trace.legendgroup or trace.name or ""
    return [name for name in MAKERS if trace.type == "scatter" and (said == name or said.endswith(f", {name}"))]


def tell_absent(figure, left):
    """Why the reader's own things are not in a figure: what is wrong with them, or it draws nothing that they play."""
    drawn = {name for trace in figure.data for name in guests_of(trace)}
    return {name: left.get(name) or ABSENT for name in MAKERS if name not in drawn or left.get(name, ABSENT)}


def mark_guests(figure):
    """Give the reader's own curves a style that no policy of a paper has; they wait until they are switched on."""
    for trace in figure.data:
        if guests_of(trace):
            band, line = {"fillcolor": GUEST_BAND}, {"line": {"color": GUEST, "dash": "longdash", "width": 3}}
            trace.update(visible="legendonly", meta={"guest": True}, **(band if trace.fill == "toself" else line))
    return figure


def attempt(left, name, function, *args):
    """Call a function; what is wrong is told where somebody tries it, else `left` is told."""
    try:
        return function(*args)
    except Exception as error:
        if TRIED.get() == name:
            raise
        left[name] = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def play_beside(result, name, policy, progress):
    """What another policy loses on the worlds of a result."""
    if name in result.policies:
        raise ValueError(f"name={name!r}: is a policy of this figure already, must be another name")
    return simulate(**{**result.settings, "policies": {name: policy}}, progress=progress)


def play_elsewhere(result, name, world, progress):
    """What the policies of a result lose in another world, by names that tell it, to be drawn beside it."""
    found = simulate(**{**result.settings, "environment": world}, progress=progress)
    policies = {f"{policy}, {name}": own for policy, own in found.settings["policies"].items()}
    settings = {**found.settings, "environment": result.settings["environment"], "policies": policies}
    return dataclasses.replace(found, settings=settings, diagnostics={})
