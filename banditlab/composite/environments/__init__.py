"""Environments with composite anonymous feedback: a round shows the sum of whatever arrives in it."""

from .adversarial import *
from .shapes import *
from .stochastic import *
