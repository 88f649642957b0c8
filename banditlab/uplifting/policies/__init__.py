"""Policies of Uplifting Bandits and their baselines."""

from .campaign_policies import *
from .few_actions import *
from .known_sets import *
from .least_uplift import *
from .noise_adjusted import *
from .ucb_thompson import *
from .unknown_sets import *
