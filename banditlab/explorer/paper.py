"""The module of a paper: it stands beside the notebook of the same name, a file or a folder."""

import importlib
import json
import sys
from contextlib import contextmanager
from pathlib import Path


def find_paper(notebook):
    """Import the module of a paper.

    Parameters
    ----------
    notebook : path of the notebook; the module beside it has its name

    Returns
    -------
    module or None
        None where no module stands beside it.
    """
    path = Path(notebook).resolve()
    place = next((p for p in (path.with_suffix(""), path.with_suffix(".py")) if is_module(p)), None)
    if place is None:
        return None
    known = getattr(sys.modules.get(path.stem), "__file__", None)
    if known and Path(known).resolve() not in (place, place / "__init__.py"):  # a namesake from another folder
        for name in [name for name in sys.modules if name.partition(".")[0] == path.stem]:
            del sys.modules[name]
    with first_on_path(path.parent):
        return importlib.import_module(path.stem)


def is_module(place):
    """Whether Python could import it."""
    return (place / "__init__.py").is_file() or (place.suffix == ".py" and place.is_file())


@contextmanager
def first_on_path(folder):
    """Let modules of this folder be found meanwhile, before all others."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def metadata_of(notebook):
    """What a notebook says of its paper in its metadata, under "banditlab"; empty where it says nothing."""
    try:
        found = json.loads(Path(notebook).read_text(encoding="utf-8"))["metadata"]["banditlab"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def reading_order(notebook):
    """Sort key: the notebooks that say their ``order`` in their metadata, then the others by name."""
    order = metadata_of(notebook).get("order")
    numbered = isinstance(order, int | float)
    return (0, order, Path(notebook).stem) if numbered else (1, 0, Path(notebook).stem)


def choose_notebooks(names, folder):
    """The notebooks of these names in a folder, or all of it in reading order: name to path."""
    if not (there := {path.stem: path for path in sorted(Path(folder).glob("*.ipynb"), key=reading_order)}):
        raise ValueError(f"there is no notebook in {folder}")
    chosen = [name.removesuffix(".ipynb") for name in names] or list(there)
    if missing := [name for name in chosen if name not in there]:
        raise ValueError(f"there is no notebook {missing[0]!r} in {folder}; there are {', '.join(there)}")
    return {name: there[name] for name in chosen}
