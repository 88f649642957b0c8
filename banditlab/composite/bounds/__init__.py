"""The bounds of the paper as functions of the instance."""

from .delays import *
from .misled import *
from .refined import *
from .theorems import *
