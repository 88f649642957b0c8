"""Data in, plotly figure out: curves with bands (`plots`), colours (`palette`), files for a paper (`save`).

May import `evidence` (for intervals) and `validate`.
"""

from .palette import *
from .plots import *
from .save import save_figure
