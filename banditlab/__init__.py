"""banditlab: an interactive research workbench for structured multi-armed bandits."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._lazy import later as _later

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
    "check_policy",
    "compare",
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
    "sweep",
    "trace",
    "uplifting",
]

if _TYPE_CHECKING:
    from . import censored, classic, composite, evidence, factored, figures, uplifting
    from .analysis.check_policy import check_policy
    from .analysis.record_run import play
    from .analysis.sweep import sweep
    from .analysis.trace import trace
    from .engine.instances import per_run
    from .engine.simulate import simulate
    from .engine.simulate_horizons import per_horizon
    from .evidence import Claims, Ledger
    from .explorer import Choice, Slider, Switch, check, explore, given
    from .results.comparison import compare
    from .results.result import Result, load
    from .study import Study
    from .study.overlay import join
else:
    __getattr__, __dir__ = _later(
        globals(), "censored", "classic", "composite", "evidence", "factored", "figures", "uplifting",
        Choice="explorer", Claims="evidence", Ledger="evidence", Result="results.result", Slider="explorer",
        Study="study", Switch="explorer", check="explorer", check_policy="analysis.check_policy",
        compare="results.comparison", explore="explorer", given="explorer", join="study.overlay",
        load="results.result", per_horizon="engine.simulate_horizons", per_run="engine.instances",
        play="analysis.record_run", simulate="engine.simulate", sweep="analysis.sweep", trace="analysis.trace",
    )  # fmt: skip
