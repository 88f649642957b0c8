"""Which notebooks of papers a run of the suite opens: the quickest; PAPERS=all opens all, SOAK=1 all in every way."""

import os

import pytest

from tests.reports import ROOT

NOTEBOOKS = {path.stem: path for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}
SOAK = bool(os.environ.get("SOAK"))
ALL = SOAK or os.environ.get("PAPERS") == "all"
OPENED = list(NOTEBOOKS.values()) if ALL else [NOTEBOOKS["composite"]]
with_all = pytest.mark.skipif(not ALL, reason="takes long: PAPERS=all")
with_soak = pytest.mark.skipif(not SOAK, reason="takes long: make soak")
FEW = OPENED if SOAK else [NOTEBOOKS["factored"]]  # where each takes minutes
