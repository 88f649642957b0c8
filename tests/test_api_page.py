"""The pages of the public interface name all of it."""

import re
from pathlib import Path

import pytest

import banditlab as bl

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((DOCS / "api").glob("*.md"))}


@pytest.mark.parametrize("name", bl.__all__)
def test_a_page_names_it(name):
    assert any(re.search(rf"\b{name}\b", text) for text in PAGES.values())


def test_the_first_page_leads_to_all_others():
    first = (DOCS / "api.md").read_text(encoding="utf-8")
    assert all(f"(api/{name}.md)" in first and f"\napi/{name}\n" in first for name in PAGES)
