"""Simulations that several tests need are run once: results are kept for the session, as reports keep them."""

import os
import signal

import hypothesis
import pytest

# The same examples every time, and none that must come within a time: the machine may be busy.
slow = [hypothesis.HealthCheck.too_slow]
hypothesis.settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=slow)
hypothesis.settings.load_profile("steady")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background; what tests start would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ.setdefault("BANDITLAB_KEEP", "")  # nothing is taken from what others kept

LATER = {"test_notebooks.py": -1, "test_papers_lab.py": 1, "test_overlay.py": 1}
LAST = {"factored": 2, "uplifting": 2}  # folders that take long together, so that no process works alone at the end
EXAMPLES = 3  # many short files, for the same reason


def pytest_collection_modifyitems(items):
    """Reports first: who opens a notebook or draws its figures later finds kernels, modules and results kept."""
    items.sort(key=lambda item: LATER.get(item.path.name, place_of(item.path)))


def place_of(path):
    """When a file has its turn that says nothing itself."""
    return LAST.get(path.parent.name, 0) if "tests" in path.parts else EXAMPLES


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """One more than cores: who tests a page waits for the browser half of the time."""
    return 1 + (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count())


@pytest.fixture(scope="session")
def reports(tmp_path_factory):
    """A folder for reports, with the kept results in it; the processes of a parallel run share it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "reports"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def kept(reports):
    """Let `simulate` keep its results where the reports of this session do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BANDITLAB_KEEP", str(reports / ".kept"))
        yield


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A folder in which two reports of the demo notebook were built: as it is, and with two parameters."""
    from banditlab.report.__main__ import main  # slow to load: only where a report is built
    from tests.reports import DEMO

    folder = tmp_path_factory.mktemp("report")
    (folder / "notebooks").mkdir()
    (folder / "notebooks" / "demo.ipynb").write_bytes(DEMO.read_bytes())
    call = ["demo", "--out", str(folder / "out"), "--notebooks", str(folder / "notebooks")]
    assert main(call) == 0
    assert main([*call, "-p", "gap", "1", "-p", "means", "[0.9, 1]"]) == 0
    return folder


@pytest.fixture(scope="session")
def demo(built):
    """The special page of the demo notebook, parsed."""
    from bs4 import BeautifulSoup

    from tests.reports import SPECIAL

    return BeautifulSoup((built / "out" / SPECIAL).read_text(encoding="utf-8"), "html.parser")


@pytest.fixture(scope="session")
def soak():
    """Whether the large matrices are asked for: `make soak`."""
    return bool(os.environ.get("SOAK"))
