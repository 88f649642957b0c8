"""What the page hears of its reader before there is an explorer: where he has scrolled to he stays."""

import functools
import pathlib

import anywidget


class Reader(anywidget.AnyWidget):
    """Hears the reader scroll while cells run; it has nothing to show."""

    _esm = pathlib.Path(__file__).parent / "reader.js"


@functools.cache
def hear_reader():
    """Let the page hear from now on whether its reader scrolls; once in a process."""
    return Reader()
