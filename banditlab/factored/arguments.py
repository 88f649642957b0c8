"""Checks that the factories and the bounds of this paper share."""

import warnings

import numpy as np

from ..validate import LARGEST, count_dimensions, listed, number, refuse_too_large, shown, vector, whole


def sizes(arms, name="arms"):
    """Return the numbers of options as an int64 array."""
    arms = listed(name, arms, "a list of whole numbers, one for each component")
    found = np.array([whole(f"{name}[{i}]", k, 1, LARGEST) for i, k in enumerate(arms)], np.int64)
    refuse_too_large(f"{name}={shown(found.tolist())}", 40 * len(found) * int(found.max()))
    return found


def components(name, rows, most=1.0):
    """Return rows of numbers from 0 to `most` as a table padded with nan, and their sizes."""
    rows = listed(name, rows, "a list of one-dimensional lists, one for each component")
    first = {id(row): i for i, row in reversed([*enumerate(rows)])}  # alike components are often one list d times
    made = {i: vector(f"{name}[{i}]", rows[i], least=0.0, most=most) for i in sorted(first.values())}
    arrays = [made[first[id(row)]] for row in rows]
    sizes = np.array([len(array) for array in arrays], np.int64)
    table = np.full((len(arrays), sizes.max()), np.nan)
    for i, array in enumerate(arrays):
        table[i, : len(array)] = array
    return table, sizes


def deviations(sigma, d):
    """Return sigma, a number or one for each component, as an array of shape (d,)."""
    if count_dimensions(sigma) == 0:
        return np.full(d, number("sigma", sigma, above=0))
    sigma = vector("sigma", sigma, size=d)
    return np.array([number(f"sigma[{i}]", s, above=0) for i, s in enumerate(sigma.tolist())])


def exploration(alpha):
    """Return alpha, with a warning where the theorems do not cover it."""
    alpha = number("alpha", alpha, above=0)
    if alpha <= 2:
        warnings.warn(f"alpha={alpha}: Theorems 4.1 and 4.2 ask for alpha > 2; no bound holds here", stacklevel=3)
    return alpha


def known(sizes, name, **rows):
    """Return tables of known numbers, at least 0, one for each option of components of these sizes."""
    tables = []
    for key, values in rows.items():
        table, same = components(key, values, most=None)
        if not np.array_equal(same, sizes):
            raise ValueError(f"{key} have sizes {same.tolist()}: must have those of {name}, {sizes.tolist()}")
        tables.append(table)
    return tables
