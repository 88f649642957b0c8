"""banditlab: an interactive research workbench for structured multi-armed bandits."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .lazy import later as _later

__all__ = [
    "Choice",
    "Claims",
    "Ledger",
    "Result",
    "Slider",
    "Study",
    "Switch",
    "censored",
    "check",
    "classic",
    "composite",
    "evidence",
    "explore",
    "factored",
    "figures",
    "given",
    "join",
    "load",
    "per_horizon",
    "per_run",
    "play",
    "simulate",
    "uplifting",
]

if _TYPE_CHECKING:
    from . import censored, classic, composite, evidence, factored, figures, uplifting
    from .evidence import Claims, Ledger
    from .explorer import Choice, Slider, Switch, check, explore, given
    from .horizons import per_horizon
    from .own import join
    from .recording import play
    from .result import Result, load
    from .simulation import per_run, simulate
    from .study import Study
else:
    __getattr__, __dir__ = _later(
        globals(), "censored", "classic", "composite", "evidence", "factored", "figures", "uplifting",
        Choice="explorer", Claims="evidence", Ledger="evidence", Result="result", Slider="explorer", Study="study",
        Switch="explorer", check="explorer", explore="explorer", given="explorer", join="own", load="result",
        per_horizon="horizons", per_run="simulation", play="recording", simulate="simulation",
    )  # fmt: skip
