"""What the papers' reports slide through: every point is a position of its slider, and there are enough of them."""

import importlib
import math

import nbformat
import pytest

from banditlab.explorer.grid import check_grid
from tests.reports import ROOT

PAPERS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
LEAST = {"quick": 24, "paper": 140}  # figures that a report looks up; those that play compute every position


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("scale", LEAST)
def test_grids_fit_their_sliders_and_are_fine_enough(paper, scale):
    experiments = importlib.import_module(paper)
    cells = nbformat.read(ROOT / "notebooks" / f"{paper}.ipynb", 4).cells
    values = {}
    exec(next(cell.source for cell in cells if "parameters" in cell.metadata.get("tags", [])), values)
    count = 0
    assert set(experiments.PLAYS) <= set(experiments.FIGURES)
    for title, given in experiments.GRID[scale].items():
        axes, fixed = check_grid(title, given, experiments.FIGURES, values, experiments.CONTROLS)
        assert all(values[name] in axis for name, axis in axes.items())
        count += math.prod(map(len, axes.values()))
    assert count >= LEAST[scale]
