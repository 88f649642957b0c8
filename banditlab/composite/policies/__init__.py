"""Policies for composite anonymous feedback, and their baselines."""

from .ars_ucb import *
from .clw import *
from .doubling import *
from .exp3 import *
from .odaaf import *
