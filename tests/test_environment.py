"""pyproject.toml is the source of what gets installed; every other set-up file says the same."""

import json
import re
import tomllib
from importlib.metadata import requires
from pathlib import Path

import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
INSTALLED = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["test"]
PYTHON = SpecifierSet(PROJECT["requires-python"])
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text())
LINES = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
PINS = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in LINES)}


def ranges(requirements):
    """Package name to allowed versions."""
    return {canonicalize_name(r.name): r.specifier for r in map(Requirement, requirements)}


ASKED = ranges(INSTALLED)


def test_conda_installs_what_pip_installs():
    packages = [d for d in CONDA["dependencies"] if isinstance(d, str) and d != "pip" and not d.startswith("python=")]
    asked = [line for line in PROJECT["dependencies"] if not line.startswith("math-core")]  # pip brings it
    assert ranges(packages) == ranges(asked)
    assert {"pip": ["-e ."]} in CONDA["dependencies"]
    assert CONDA["channels"] == ["conda-forge", "nodefaults"]


def test_conda_python_is_allowed():
    (python,) = [d.removeprefix("python=") for d in CONDA["dependencies"] if str(d).startswith("python=")]
    assert PYTHON.contains(python)


def test_lower_bounds_are_the_versions_that_were_run():
    lowest = {name: [s.version for s in allowed if s.operator == ">="] for name, allowed in ASKED.items()}
    assert [n for n, bound in lowest.items() if len(bound) != 1 or not f"{PINS[n]}.".startswith(f"{bound[0]}.")] == []


def test_numba_is_held_to_one_minor_version():
    major, minor = map(int, PINS["numba"].split(".")[:2])
    assert ASKED["numba"] == SpecifierSet(f">={major}.{minor},<{major}.{minor + 1}")


def test_constraints_are_names_and_versions_only():
    assert [line for line in LINES if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9A-Za-z.]*", line)] == []
    assert len(PINS) == len(LINES)


def test_constraints_are_inside_the_ranges():
    assert {name: PINS.get(name) for name, allowed in ASKED.items() if not allowed.contains(PINS.get(name, "0"))} == {}


def test_every_extra_is_pinned_inside_its_range():
    asked = ranges(line for extra in PROJECT["optional-dependencies"].values() for line in extra)
    outside = {name: PINS.get(name) for name, allowed in asked.items() if not allowed.contains(PINS.get(name, "0"))}
    assert set(outside) <= {"pre-commit"}  # for who commits; no test runs it


def test_constraints_pin_everything_that_gets_installed():
    linux = default_environment() | {"sys_platform": "linux", "platform_system": "Linux"}
    todo, seen = list(map(Requirement, INSTALLED)), set()
    while todo:
        requirement = todo.pop()
        name, extras = canonicalize_name(requirement.name), frozenset({"", *requirement.extras})
        assert name in PINS, f"constraints.txt does not pin {name}"
        if (name, extras) not in seen:
            seen.add((name, extras))
            below = map(Requirement, requires(name) or [])
            todo += [b for b in below if not b.marker or any(b.marker.evaluate(linux | {"extra": e}) for e in extras)]
    assert len({name for name, _ in seen}) > 80  # JupyterLab alone brings that many


def test_makefile_asks_for_the_same_python():
    makefile = (ROOT / "Makefile").read_text()
    low, high = re.search(r"\(3, (\d+)\) <= sys.version_info\[:2\] <= \(3, (\d+)\)", makefile).groups()
    assert [minor for minor in range(30) if PYTHON.contains(f"3.{minor}")] == list(range(int(low), int(high) + 1))
    assert set(re.findall(r"Python (3\.\d+) to (3\.\d+)", makefile)) == {(f"3.{low}", f"3.{high}")}


def test_commit_hooks_are_local():
    repositories = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [r["repo"] for r in repositories] == ["local"]
    assert {hook["language"] for hook in repositories[0]["hooks"]} == {"system"}


def test_citation_names_the_papers_of_the_notebooks():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    papers = {paper["title"]: [author["family-names"] for author in paper["authors"]] for paper in cited}
    notebooks = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    said = {n["metadata"]["banditlab"]["title"]: n["metadata"]["banditlab"]["bibtex"] for n in notebooks}
    assert set(papers) == set(said)
    for title, names in papers.items():
        authors = re.search(r"author\s*= \{(.*)\},", said[title])[1].replace('{\\"u}', "ü")
        assert [author.partition(",")[0] for author in authors.split(" and ")] == names


def test_version_stands_once_in_every_file():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == PROJECT["version"]
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
