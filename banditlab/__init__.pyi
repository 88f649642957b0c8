# ruff: noqa: I001
# What the package offers, each name once: type checkers read it here, and `_lazy` at run time.
from . import (
    censored as censored,
    classic as classic,
    composite as composite,
    evidence as evidence,
    factored as factored,
    figures as figures,
    uplifting as uplifting,
)
from .analysis.check_policy import check_policy as check_policy
from .analysis.record_run import record_run as record_run
from .analysis.sweep import sweep as sweep
from .analysis.trace import trace as trace
from .engine.instances import random_instances as random_instances
from .engine.simulate import simulate as simulate
from .engine.simulate_horizons import simulate_horizons as simulate_horizons
from .evidence import Claims as Claims, Ledger as Ledger, refute as refute
from .explorer import (
    Choice as Choice,
    Slider as Slider,
    Switch as Switch,
    check_parameters as check_parameters,
    explore as explore,
    read_parameters as read_parameters,
)
from .results.comparison import compare as compare
from .results.result import Result as Result, load as load
from .results.state_file import load_state as load_state, save_state as save_state
from .study import Study as Study
from .study.overlay import overlay as overlay
from .user_code import spaces as spaces
