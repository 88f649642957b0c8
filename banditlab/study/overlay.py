"""A reader's own policies and worlds in the explorer's figures: curves of their own, which stay while sliders move."""

import dataclasses
import weakref
from collections.abc import Callable

from ..engine.instances import RandomInstances
from ..engine.simulate import simulate, split_progress
from ..results.result import Result
from ..user_code.contract import has_method

MAKERS: dict[str, Callable] = {}
GUEST, GUEST_BAND = "#000000", "rgba(0,0,0,0.12)"  # a page turns black to white where it is dark
WATCHING: weakref.WeakSet = weakref.WeakSet()  # explorers that are drawn anew


def overlay(name: str, make: Callable | None) -> None:
    """Let a policy or an environment of one's own join the figures of the explorer.

    Every figure that plays policies plays this one too, on the same worlds and for as many rounds and runs, and
    draws its curve, black with long dashes, once the reader switches it on. An environment is met by all policies
    of the figure, and each draws one more curve, named "policy, name"; bounds and captions go on speaking of the
    figure's own world. To join again under the same name replaces it; None takes it out. A figure refuses a policy
    under the name of one of its own.

    Parameters
    ----------
    name : str
        Its name in the legend.
    make : callable or None
        ``make(environment)`` returns the policy for an environment of the figure, or an environment in its place (with
        the same actions and observations), or None where it does not fit in.

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
    for explorer in list(WATCHING):
        explorer.again()


def joined(result, progress=None):
    """Return a result with the reader's own things in it; what is no result of `simulate` stays as it is."""
    if not MAKERS or not isinstance(result, Result) or result.settings.get("environment") is None:
        return result
    environment = result.settings["environment"]
    if isinstance(environment, RandomInstances):  # a fresh one for every run: the first tells what kind they are
        environment = environment.draw(result.settings["seed"], 0)
    made = {name: it for name, make in MAKERS.items() if (it := call_or_blame(name, make, environment)) is not None}
    order = sorted(made, key=lambda name: has_method(made[name], "step"))  # worlds last: all policies meet them
    alone = result
    for name, part in zip(order, split_progress(progress, max(1, len(order))), strict=False):
        if has_method(made[name], "step"):
            result = result.join(call_or_blame(name, play_elsewhere, alone, name, made[name], part))
        else:
            alone = result = result.join(call_or_blame(name, play_beside, result, name, made[name], part))
    return result


def mark_guests(figure):
    """Give the reader's own curves a style that no policy of a paper has; they wait until they are switched on."""
    for trace in figure.data:
        said = trace.legendgroup or trace.name or ""
        if trace.type == "scatter" and any(said == name or said.endswith(f", {name}") for name in MAKERS):
            trace.visible = "legendonly"
            if trace.fill == "toself":
                trace.fillcolor = GUEST_BAND
            else:
                trace.line.update(color=GUEST, dash="longdash")
    return figure


def call_or_blame(name, function, *args):
    """Call a function; its error says who was to join, and how it is taken out."""
    try:
        return function(*args)
    except Exception as error:
        error.add_note(f"{name!r} was to join this figure; bl.overlay({name!r}, None) takes it out")
        raise


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
