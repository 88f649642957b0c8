"""How long the explorer's presets take: CPU seconds of each, for the `TAKES` of a paper's module.

``python tools/presets.py factored`` runs every preset of the notebook's explorer once, after its code is compiled; half
of the CPU seconds is what a reader with two cores waits.
"""

import sys
import time
from pathlib import Path

import nbformat

from banditlab.explorer.figure import call_figure, list_arguments
from banditlab.explorer.paper import find_paper

FEW = {"runs": 2, "horizon": 1000}  # enough to compile


def main(paper):
    """Print the CPU seconds of every preset of a paper."""
    notebook = Path(__file__).parents[1] / "notebooks" / f"{paper}.ipynb"
    module, cells = find_paper(notebook), nbformat.read(notebook, 4).cells
    start = {}
    exec(next(cell.source for cell in cells if "parameters" in cell.metadata.get("tags", [])), start)
    for title, preset in module.PRESETS.items():
        values = {**start, **preset}
        figure = module.FIGURES[values["figure"]]
        call_figure(figure, {**values, **{name: few for name, few in FEW.items() if name in list_arguments(figure)}})
        begin = time.process_time()
        call_figure(figure, values)
        print(f"{title}: {time.process_time() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
