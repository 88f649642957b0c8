"""The bounds of the paper as functions of the instance."""

from .delays import *
from .theorems import *
