"""Arms and policies that every reader compares with; the papers use them.

May import `engine`, `building_blocks`, `evidence`, `user_code`, `validate` and `io`.
"""

from .._lazy import load_later as _later
from .bounds import *
from .changing import *
from .committing import *
from .duels import *
from .exploration import *
from .forgetting import *
from .greedy import *
from .kl_ucb import *
from .linear import *
from .logged import *
from .thompson import *
from .ucb import *
from .weights import *
from .worlds import *

_, __dir__ = _later(globals())
