"""Arms and policies that every reader compares with; the papers use them."""

from .bounds import *
from .changing import *
from .committing import *
from .forgetting import *
from .greedy import *
from .kl_ucb import *
from .thompson import *
from .ucb import *
from .weights import *
from .worlds import *


def __dir__():
    return [name for name, thing in globals().items() if callable(thing) and name[0].islower()]
