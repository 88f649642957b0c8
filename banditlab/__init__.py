"""banditlab: an interactive research workbench for structured multi-armed bandits."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._lazy import load_later as _later

__all__ = [
    "Choice",
    "Claims",
    "Ledger",
    "Result",
    "Slider",
    "Study",
    "Switch",
    "censored",
    "check_parameters",
    "check_policy",
    "classic",
    "compare",
    "composite",
    "evidence",
    "explore",
    "factored",
    "figures",
    "load",
    "overlay",
    "random_instances",
    "read_parameters",
    "record_run",
    "simulate",
    "simulate_horizons",
    "sweep",
    "trace",
    "uplifting",
]

if _TYPE_CHECKING:
    from . import censored, classic, composite, evidence, factored, figures, uplifting
    from .analysis.check_policy import check_policy
    from .analysis.record_run import record_run
    from .analysis.sweep import sweep
    from .analysis.trace import trace
    from .engine.instances import random_instances
    from .engine.simulate import simulate
    from .engine.simulate_horizons import simulate_horizons
    from .evidence import Claims, Ledger
    from .explorer import Choice, Slider, Switch, check_parameters, explore, read_parameters
    from .results.comparison import compare
    from .results.result import Result, load
    from .study import Study
    from .study.overlay import overlay
else:
    __getattr__, __dir__ = _later(
        globals(), "censored", "classic", "composite", "evidence", "factored", "figures", "uplifting",
        Choice="explorer", Claims="evidence", Ledger="evidence", Result="results.result", Slider="explorer",
        Study="study", Switch="explorer", check_parameters="explorer", check_policy="analysis.check_policy",
        compare="results.comparison", explore="explorer", read_parameters="explorer", overlay="study.overlay",
        load="results.result", simulate_horizons="engine.simulate_horizons", random_instances="engine.instances",
        record_run="analysis.record_run", simulate="engine.simulate", sweep="analysis.sweep", trace="analysis.trace",
    )  # fmt: skip
