"""Checks that the factories, the bounds and the experiments of this paper share."""

import numpy as np

from ..validate import WORD, count_dimensions, is_real, listed, number, refuse_too_large, table, vector, whole


def sets(affected, variables):
    """Return the affected sets, lists of variable numbers or an array of bool, as a boolean table (K, m).

    A table of 0 and 1 that are integers is refused: its rows would be read as lists of variables.
    """
    rows = listed("affected", affected, "a list of lists of variable numbers, one for each action")
    refuse_too_large(f"affected of {len(rows)} actions and {variables} variables", 32 * len(rows) * variables)
    if isinstance(affected, np.ndarray) and affected.dtype == bool:
        if affected.ndim != 2 or affected.shape[1] != variables:
            raise ValueError(f"affected has shape {affected.shape}: must have {variables} columns, one per variable")
        table = affected.copy()
    elif isinstance(affected, np.ndarray) and affected.ndim != 1:
        raise TypeError(
            f"affected is an array of {affected.dtype}: must be an array of bool, or lists of variable numbers"
        )
    else:
        table = np.zeros((len(rows), variables), bool)
        for a, members in enumerate(rows):
            for member in listed(f"affected[{a}]", members, "a list of variable numbers", 0):
                i = whole(f"affected[{a}]", member, 0, variables - 1)
                if table[a, i]:
                    raise ValueError(f"affected[{a}] holds variable {i} twice")
                table[a, i] = True
    for a in np.flatnonzero(~table.any(axis=1)):
        raise ValueError(f"affected[{a}] is empty: every action must affect at least one variable")
    return np.ascontiguousarray(table)


def alike(affected):
    """Return the patterns of a boolean table (K, m), each once, as rows in their order, and which each column shows.

    Eight bits a byte sort as the bits do, and much faster.
    """
    packed = np.ascontiguousarray(np.packbits(affected.T, axis=1))
    rows = packed.view(f"V{packed.shape[1]}").ravel()
    _, first, shown = np.unique(rows, return_index=True, return_inverse=True)
    return affected.T[first], shown


def exploration(beta):
    """Return two beta: a confidence radius is sqrt(2 beta / N), Eq. (3)."""
    return 2.0 * number("beta", beta, above=0)


def weights(sizes, variables):
    """Return how many variables every observed number is the sum of, as floats, ones by default."""
    if sizes is None:
        return np.ones(variables)
    sizes = vector("sizes", sizes, size=variables)
    for i in np.flatnonzero((sizes < 1) | (sizes % 1 != 0) | (sizes > WORD)):
        whole(f"sizes[{i}]", sizes[i].item(), 1)  # says what is allowed
    return sizes


def limits_of(most_affected, arms, variables):
    """Return the bound on the number of affected variables, one for each action, as an int64 array (K,)."""
    if is_real(most_affected):
        return np.full(arms, whole("most_affected", most_affected, 1, variables), np.int64)
    most_affected = listed("most_affected", most_affected, "a whole number, or a list of them, one for each action")
    if len(most_affected) != arms:
        raise ValueError(f"most_affected has {len(most_affected)} entries: must have {arms}")
    return np.array([whole(f"most_affected[{a}]", one, 1, variables) for a, one in enumerate(most_affected)], np.int64)


def covariances(covariance, arms, variables):
    """Return the covariances of the noise, one for each action, as an array (K, m, m)."""
    if count_dimensions(covariance) != 3:
        return np.repeat(table("covariance", covariance, (variables, variables))[None], arms, axis=0)
    if len(covariance) != arms:
        raise ValueError(f"covariance has {len(covariance)} laws: must be one law, or one for each of {arms} actions")
    return np.array([table(f"covariance[{a}]", law, (variables, variables)) for a, law in enumerate(covariance)])


def treating(individuals, features, treatments, budget, at_most):
    """The action space of a campaign: who comes, what can be done, and for how many."""
    return (individuals, features, treatments, budget) + (("or fewer",) if at_most else ())
