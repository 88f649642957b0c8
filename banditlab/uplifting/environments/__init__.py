"""Environments of Uplifting Bandits: m payoffs a round, their sum is the reward, an action moves a few of them."""

from .bernoulli import *
from .campaigns import *
from .few_actions import *
from .gaussian import *
from .paper_instances import *
