"""A figure of a paper as data (`Study`): its grid, its sizes, the values its sliders move, and the reader's own curves.

May import `engine`, `results`, `figures`, `evidence` and what these may import.
"""

from .study import Live, Study, one_seed, own_seed, sized

__all__ = ["Live", "Study", "one_seed", "own_seed", "sized"]
