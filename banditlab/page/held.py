"""Simulations held back: a figure function says what it would play.

Six names are replaced meanwhile: `make_cell` and `play_all`, where `simulate` and `simulate_horizons` look them up, the
drawing of panels, and `Study.drawn`, which calls the one that it replaces.
"""

import contextlib
import functools
import importlib
from types import SimpleNamespace

import numpy as np

from ..engine import player
from ..engine.simulate import name_policies, resolve_checkpoints
from ..figures import plots
from ..results.result import Result
from ..study.study import Study
from .sketch import sketch_panels

# the package's own names stand for the functions
PLAYERS = [importlib.import_module(f"banditlab.engine.{name}") for name in ("simulate", "simulate_horizons")]


class Held(BaseException):
    """Ends a figure function before it draws; not an Exception, so that nothing catches it on its way."""


def spread_evenly(rng, shape):
    """Steps of regret that are much alike."""
    return rng.uniform(0.5, 1.5, shape)


def spread_widely(rng, shape):
    """Steps of regret some of which are many times others: a few runs are stuck at first."""
    return rng.exponential(1.0, shape)


known_rounds = functools.lru_cache(1000)(resolve_checkpoints)


def resolved(checkpoints, horizon):
    """As `resolve_checkpoints`, which is asked the same again and again."""
    return (known_rounds if isinstance(checkpoints, int | None) else resolve_checkpoints)(checkpoints, horizon)


@contextlib.contextmanager
def keep_kernels():
    """Ask of each pair once what its code depends on, however often it plays meanwhile: nobody changes code."""
    token = player.unchanging.set({})
    try:
        yield
    finally:
        player.unchanging.reset(token)


@contextlib.contextmanager
def list_rounds():
    """A list of the rounds of every run that is played meanwhile."""
    play, counted = player.Player.play, []

    def count(self, *args, **options):
        counted.append(int(self.checkpoints[-1]))
        return play(self, *args, **options)

    player.Player.play = count
    try:
        yield counted
    finally:
        player.Player.play = play


@contextlib.contextmanager
def hold_back(asked, draws=None, salt=0, sketches=False):
    """List the simulations that are asked for meanwhile; none is played, their regret is made up.

    A study ends before it draws, unless ``draws(rng, shape)`` makes up steps of regret: to draw takes a hundred times
    as long, or with ``sketches``, which are no figures of plotly, twenty times. Where something is asked for it does
    not conclude: captions would speak of what was made up.
    """
    before = [(module, name, getattr(module, name)) for module in PLAYERS for name in ("make_cell", "play_all")]
    before += [(plots, "_panels", plots._panels), (Study, "drawn", Study.drawn)]

    def list_cell(environment, policies, horizon, runs, seed, checkpoints, metric="regret"):
        checkpoints, recorded = resolved(checkpoints, horizon)
        settings = dict(
            environment=environment, policies=name_policies(policies), horizon=horizon, runs=runs, seed=seed
        )
        settings |= dict(checkpoints=checkpoints, metric=metric)
        shape = len(settings["policies"]), runs, len(recorded)
        made_up = draws(np.random.default_rng((salt, len(asked))), shape) if draws else np.zeros(shape)
        regret = np.cumsum(made_up, axis=-1) if draws else made_up
        asked.append(SimpleNamespace(settings=settings, recorded=recorded))
        asked[-1].result = Result(settings, recorded, regret, {}, {"seconds": 0.0})
        return asked[-1]

    def draw_without_words(study, *what):
        if not draws:
            raise Held
        return before[-1][-1](study._replace(caption=lambda found, n: "") if asked else study, *what)

    held = {"make_cell": list_cell, "play_all": lambda *_, **options: None, "drawn": draw_without_words}
    held["_panels"] = sketch_panels if sketches else plots._panels
    for place, name, _ in before:
        setattr(place, name, held[name])
    try:
        yield
    except Held:
        pass
    finally:
        for place, name, function in before:
            setattr(place, name, function)
