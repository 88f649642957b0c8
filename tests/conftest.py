"""Simulations that several tests need are run once: results are kept for the session, as reports keep them."""

import os
import signal

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background; what tests start would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
