"""``python -m banditlab.new NAME``: a module and a notebook to start a paper of one's own from."""

import argparse
import ast
import importlib.util
import json
import keyword
import re
import shlex
import sys
from pathlib import Path

from ..io import open_whole

HERE = Path(__file__).parent
TEMPLATE = "mypaper"
NEXT = """wrote {0} and {1}

  jupyter lab {1}                                           # sliders
  python -m banditlab.report --notebooks {2} --check        # are the rules kept?
  python -m banditlab.report --notebooks {2} --out reports  # the report, its ledger and the index"""


def main(argv=None):
    """Run the command line; returns the exit status: 0, or 2 for a wrong call."""
    parser = argparse.ArgumentParser(prog="python -m banditlab.new", description=__doc__.partition(": ")[2])
    parser.add_argument("name", metavar="NAME", help="name of the module and of the notebook: small letters, digits, _")
    parser.add_argument("--folder", type=Path, default="mine", help="where to write them (default: mine)")
    options = parser.parse_args(argv)
    try:
        paths = [*write_paper(options.name, options.folder), options.folder]
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(NEXT.format(*(shlex.quote(str(path)) for path in paths)))
    return 0


def list_template_names():
    """All names that the code of the template's notebook uses: a module of such a name would stand for another thing,
    or another thing for it."""
    cells = json.loads((HERE / f"{TEMPLATE}.ipynb").read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return sorted({node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)} - {TEMPLATE})


def write_paper(name, folder):
    """Write the two files; nothing that exists is overwritten.

    Parameters
    ----------
    name : str, a Python name in small letters that neither an installed module has nor a variable of the notebook
    folder : path, made if it is not there

    Returns
    -------
    module, notebook : pathlib.Path
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ValueError(f"name={name!r}: must be small letters, digits and underscores, a letter first")
    targets = [Path(folder) / f"{name}{ending}" for ending in (".py", ".ipynb")]
    if name in (used := list_template_names()):
        raise ValueError(f"name={name!r}: the notebook uses it for something else; must be none of {', '.join(used)}")
    if there := [path for path in targets if path.exists()]:
        raise ValueError(f"name={name!r}: {there[0]} exists, and nothing is overwritten")
    if importlib.util.find_spec(name) or (HERE.parent / name).is_dir():
        raise ValueError(f"name={name!r}: a module of that name is installed; the notebook would import that one")
    Path(folder).mkdir(parents=True, exist_ok=True)
    for path in targets:
        text = (HERE / f"{TEMPLATE}{path.suffix}").read_text(encoding="utf-8")
        with open_whole(path, "w") as file:
            file.write(re.sub(rf"\b{TEMPLATE}\b", name, text))
    return targets


if __name__ == "__main__":
    sys.exit(main())
