"""The page of the public interface names all of it."""

import re
from pathlib import Path

import pytest

import banditlab as bl

PAGE = (Path(__file__).parents[1] / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", bl.__all__)
def test_the_page_names_it(name):
    assert re.search(rf"\b{name}\b", PAGE.partition("## Simulating")[2])
