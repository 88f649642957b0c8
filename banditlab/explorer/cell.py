"""The parameters cell of a notebook: its text, which papermill needs, and its values, checked."""

import json
from collections.abc import Mapping
from types import ModuleType

from ..evidence.status_line import running_shell
from .controls import Control, check_parameters


def read_parameters(controls: Mapping[str, Control], cell: Mapping[str, object]) -> dict:
    """Return the checked values of a parameters cell.

    Parameters
    ----------
    controls : dict of str to Slider, Choice or Switch
        The control of each parameter.
    cell : dict
        The notebook's variables: ``globals()``.

    Returns
    -------
    dict
        Every parameter as a plain Python value: those of `controls`, and `scale`, `seed`, `figure` and `live`.

    Examples
    --------
    >>> from banditlab.explorer import Slider
    >>> cell = {"scale": "quick", "seed": 0, "figure": "Regret", "d": 4, "live": True, "unrelated": print}
    >>> read_parameters({"d": Slider("Components d", 1, 10, 1)}, cell)
    {'scale': 'quick', 'seed': 0, 'figure': 'Regret', 'd': 4, 'live': True}
    """
    names = ["scale", "seed", "figure", *controls, "live"]
    if lacking := [name for name in names if name not in cell]:
        cure = "run it first; where a control is new, `parameters_cell` writes the cell anew"
        raise NameError(f"the parameters cell sets no {', '.join(lacking)}: {cure}")
    shell = running_shell()
    live = cell["live"] is True and shell is not None
    if live:
        from .reader import hear_reader, notify  # widgets are loaded only where they are shown

        hear_reader()
    try:
        values = check_parameters(controls, **{name: cell[name] for name in names})
    except (TypeError, ValueError) as error:
        if live:
            notify(error)
        raise
    if shell and (module := paper_of(controls, cell)):
        from .precompile import follow_notebook

        follow_notebook(module, live)
    return values


def paper_of(controls, cell):
    """The file of the module among a notebook's variables that has these controls; empty where none has."""
    modules = (thing for thing in cell.values() if isinstance(thing, ModuleType))
    return next((m.__file__ for m in modules if getattr(m, "CONTROLS", None) is controls and m.__file__), "")


def parameters_cell(controls: Mapping[str, Control], figure: str) -> str:
    """Return the text of a notebook's cell tagged `parameters`.

    papermill needs literals, so the cell repeats what the controls say; a test holds it to this text.

    Parameters
    ----------
    controls : dict of str to Slider, Choice or Switch
        The controls, each with its `start`.
    figure : str
        Title of the figure that the explorer starts with.

    Returns
    -------
    str
        A line ``name: type = value  # meaning`` for each parameter.

    Examples
    --------
    >>> from banditlab.explorer import Slider
    >>> print(parameters_cell({"gap": Slider("Gap Δ", 0.1, 1.0, 0.1, "lead of the best arm", start=0.3)}, "Regret"))
    scale: str = "quick"  # size of the paper's figures and of the ledger: quick or paper
    seed: int = 0  # of all random numbers
    figure: str = "Regret"  # what the explorer starts with
    gap: float = 0.3  # lead of the best arm
    live: bool = True  # sliders; False for a report
    """
    rows = {
        "scale": ("quick", "size of the paper's figures and of the ledger: quick or paper"),
        "seed": (0, "of all random numbers"),
        "figure": (figure, "what the explorer starts with"),
        **{name: (one.check(name, one.start), one.help or one.label) for name, one in controls.items()},
        "live": (True, "sliders; False for a report"),
    }
    lines = []
    for name, (value, meaning) in rows.items():
        literal = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
        lines.append(f"{name}: {type(value).__name__} = {literal}  # {' '.join(meaning.split())}")
    return "\n".join(lines)
