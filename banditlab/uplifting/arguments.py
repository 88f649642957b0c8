"""Checks that the factories, the bounds and the experiments of this paper share."""

import numpy as np

from ..validate import number, table, vector, whole


def sets(affected, variables):
    """Return the affected sets, lists of variable numbers or an array of bool, as a boolean table (K, m).

    A table of 0 and 1 that are integers is refused: its rows would be read as lists of variables.
    """
    if isinstance(affected, (str, bytes)) or not hasattr(affected, "__len__") or len(affected) == 0:
        raise ValueError(f"affected={affected!r}: must be a list of lists of variable numbers, one for each action")
    if isinstance(affected, np.ndarray) and affected.dtype == bool:
        if affected.ndim != 2 or affected.shape[1] != variables:
            raise ValueError(
                f"affected has shape {affected.shape}: must have a column for each of {variables} variables"
            )
        table = affected.copy()
    elif isinstance(affected, np.ndarray) and affected.ndim != 1:
        raise TypeError(
            f"affected is an array of {affected.dtype}: must be an array of bool, or lists of variable numbers"
        )
    else:
        table = np.zeros((len(affected), variables), bool)
        for a, members in enumerate(affected):
            if isinstance(members, (str, bytes)) or not hasattr(members, "__len__"):
                raise TypeError(f"affected[{a}]={members!r}: must be a list of variable numbers")
            for member in members:
                i = whole(f"affected[{a}]", member, 0, variables - 1)
                if table[a, i]:
                    raise ValueError(f"affected[{a}] holds variable {i} twice")
                table[a, i] = True
    for a, row in enumerate(table):
        if not row.any():
            raise ValueError(f"affected[{a}] is empty: every action must affect at least one variable")
    return np.ascontiguousarray(table)


def exploration(beta):
    """Return two beta: a confidence radius is sqrt(2 beta / N), Eq. (3)."""
    return 2.0 * number("beta", beta, above=0)


def weights(sizes, variables):
    """Return how many variables every observed number is the sum of, as floats, ones by default."""
    if sizes is None:
        return np.ones(variables)
    sizes = vector("sizes", sizes, size=variables)
    return np.array([whole(f"sizes[{i}]", size, 1) for i, size in enumerate(sizes.tolist())], float)


def limits_of(most_affected, arms, variables):
    """Return the bound on the number of affected variables, one for each action, as an int64 array (K,)."""
    if isinstance(most_affected, str) or not hasattr(most_affected, "__len__"):
        return np.full(arms, whole("most_affected", most_affected, 1, variables), np.int64)
    if len(most_affected) != arms:
        raise ValueError(f"most_affected has {len(most_affected)} entries: must have {arms}")
    limits = [whole(f"most_affected[{a}]", value, 1, variables) for a, value in enumerate(most_affected)]
    return np.array(limits, np.int64)


def covariances(covariance, arms, variables):
    """Return the covariances of the noise, one for each action, as an array (K, m, m)."""
    if np.ndim(covariance) != 3:
        return np.repeat(table("covariance", covariance, (variables, variables))[None], arms, axis=0)
    if len(covariance) != arms:
        raise ValueError(f"covariance has {len(covariance)} laws: must be one law, or one for each of {arms} actions")
    return np.array([table(f"covariance[{a}]", law, (variables, variables)) for a, law in enumerate(covariance)])


def treating(individuals, features, treatments, budget, at_most):
    """The action space of a campaign: who comes, what can be done, and for how many."""
    return (individuals, features, treatments, budget) + (("or fewer",) if at_most else ())
