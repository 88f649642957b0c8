"""Sentences of captions, concluded from the results that are drawn by the estimates that claims use; none is typed."""

from ..evidence import LINEAR, SUBLINEAR, Cases, growth, regret_difference

FEW = 3  # cases that a caption names


def counted(found, where=str):
    """Cases by answer in words.

    Parameters
    ----------
    found : dict of cell to bool or None
    where : callable
        Cell to its name.

    Examples
    --------
    >>> counted({"d = 1": True, "d = 2": None, "d = 3": False})
    'in 1 of 3 panels, not in 1 (d = 3), open in 1 (d = 2)'
    """
    by = {answer: [where(case) for case, holds in found.items() if holds is answer] for answer in (True, False, None)}
    if len(found) == 1:
        return {True: "yes", False: "no", None: "open"}[next(iter(found.values()))]
    rest = []
    for answer, word in ((False, "not"), (None, "open")):
        if by[answer]:
            rest.append(f"{word} in {len(by[answer])}" + f" ({'; '.join(by[answer])})" * (len(by[answer]) <= FEW))
    return ", ".join([f"in {len(by[True])} of {len(found)} panels", *rest])


def least(results, name, where=str):
    """In which panels a policy surely has the least regret.

    Parameters
    ----------
    results : dict of cell to Result
    name : str, of the policy
    where : callable
        Cell to its name.
    """
    found = {}
    for cell, result in results.items():
        others = {other: regret_difference(result, other, name) for other in result.policies if other != name}
        found[cell] = Cases("", others).above(0).answer if others else None
    return f"{name} has the least regret: {counted(found, where)}."


def compared(results, first, second, where=str):
    """In which panels the first policy surely has less regret than the second.

    Parameters
    ----------
    results : dict of cell to Result
    first, second : str, names of policies
    where : callable
        Cell to its name.
    """
    both = {cell: r for cell, r in results.items() if {first, second} <= set(r.policies)}
    found = {cell: Cases("", regret_difference(r, second, first)).above(0).answer for cell, r in both.items()}
    return f"{first} has less regret than {second}: {counted(found, where)}." if found else ""


def shapes(results):
    """How the regret of every policy grows, over all panels.

    Parameters
    ----------
    results : dict of cell to Result
    """
    said = []
    for name in dict.fromkeys(name for result in results.values() for name in result.policies):
        found = [growth(result, name).value for result in results.values() if name in result.policies]
        if known := sorted(value for value in found if value == value):
            said.append(f"{name} {known[0]:.2f}" + (f" to {known[-1]:.2f}" if len(known) > 1 else ""))
    return (
        rf"Growth exponents $\log_2(R_T/R_{{T/2}})$ (1 is linear; up to {SUBLINEAR:g} counts as sublinear, "
        f"from {LINEAR:g} on as linear): {', '.join(said)}."
    )
