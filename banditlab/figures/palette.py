"""Colours and dashes of the curves, and which policy has which."""

import itertools

PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]  # Okabe and Ito: for all eyes
DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid"]
BOUND = "#6b7480"


def places_of(names, styles=None):
    """The place of every policy in the palette.

    Parameters
    ----------
    names : sequence of str
        Policies of a figure.
    styles : dict of str to int, optional
        Places given beforehand; a policy that has none, such as a reader's own, takes the next free one. By default
        their order.

    Returns
    -------
    dict of str to int

    Examples
    --------
    >>> places_of(["UCB1", "yours", "F-UCB"], {"F-UCB": 0, "UCB1": 1})
    {'UCB1': 1, 'yours': 2, 'F-UCB': 0}
    """
    styles = styles or {}
    taken = {styles[name] for name in names if name in styles}
    free = (place for place in itertools.count() if place not in taken)
    return {name: styles[name] if name in styles else next(free) for name in names}
