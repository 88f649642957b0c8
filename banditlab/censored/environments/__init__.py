"""Environments of bandits with censored consumption: an arm and a limit, and what the limit lets one see."""

from .gaussian import *
from .grid import *
from .independent import *
from .interval import *
from .paper_instances import *
from .recorded import *
