"""banditlab: an interactive research workbench for structured multi-armed bandits."""

from .lazy import later as _later

__all__ = [
    "Claims",
    "Ledger",
    "Result",
    "Study",
    "censored",
    "check",
    "classic",
    "composite",
    "evidence",
    "explore",
    "factored",
    "figures",
    "given",
    "load",
    "per_horizon",
    "per_run",
    "play",
    "simulate",
    "uplifting",
]
__getattr__, __dir__ = _later(
    globals(), "censored", "classic", "composite", "evidence", "factored", "figures", "uplifting",
    Claims="evidence", Ledger="evidence", Result="result", Study="study", check="explorer", explore="explorer",
    given="explorer", load="result", per_horizon="horizons", per_run="simulation", play="recording",
    simulate="simulation",
)  # fmt: skip
