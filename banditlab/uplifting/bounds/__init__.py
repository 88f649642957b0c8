"""Every bound of Uplifting Bandits (Hsieh, Kasiviswanathan, Kveton, NeurIPS 2022) as a function of the instance."""

from .linear_payoffs import *
from .lower import *
from .upper import *
