"""Environments with composite anonymous feedback: a round shows the sum of whatever arrives in it."""

from .adversarial import Adversarial, Delays, adversarial, oblivious_delay, streak_delay
from .shapes import Shape, decreasing, discounted, increasing, interval, polynomial, random_delay, shape
from .stochastic import Stochastic, stochastic, weights_of

__all__ = [
    "Adversarial",
    "Delays",
    "Shape",
    "Stochastic",
    "adversarial",
    "decreasing",
    "discounted",
    "increasing",
    "interval",
    "oblivious_delay",
    "polynomial",
    "random_delay",
    "shape",
    "stochastic",
    "streak_delay",
    "weights_of",
]
