"""Simulations that several tests need are run once: results are kept for the session, as reports keep them."""

import pytest


@pytest.fixture(scope="session")
def reports(tmp_path_factory):
    """A folder for reports, with the kept results in it."""
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module")
def kept(reports):
    """Let `simulate` keep its results where the reports of this session do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BANDITLAB_KEEP", str(reports / ".kept"))
        yield
