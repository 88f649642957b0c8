"""How long RCUCB with the width as printed stays at the largest limit: no theorem of the paper, but arithmetic."""

import math

import numpy as np

from banditlab.censored.arguments import increasing
from banditlab.validate import number, table

__all__ = ["leaving_round"]


def leaving_round(gains, penalty, alpha=1.0):
    r"""The round in which RCUCB, width as printed, is expected to play a limit below the largest for the first time.

    Until then all limits of an arm share their rounds N, so that with estimates that are exact the index of a limit is
    :math:`\nu_\tau+(1+\lambda(\tau))\sqrt{2\alpha\log t/N}`. The arm leaves the largest limit when
    :math:`\sqrt{N/(2\alpha\log t)}` reaches the least :math:`(\lambda_{\max}-\lambda(\tau))/(\nu_\tau-\nu_{\max})` over
    the limits that are worth more; how the rounds are shared among the arms follows from equal indices.

    Parameters
    ----------
    gains : array_like, shape (arms, limits), expected penalised gains
    penalty : array_like, shape (limits,)
    alpha : float > 0, exploration

    Returns
    -------
    float
        The round; infinite where no limit is worth more than the largest.

    Examples
    --------
    >>> bool(leaving_round([[0.5, 0.0]], [0.0, 1.0]) < 60)
    True
    """
    gains, alpha = table("gains", gains), number("alpha", alpha, above=0)
    penalty = increasing("penalty", penalty, gains.shape[1])
    last, top = gains[:, -1], 1 + penalty[-1]
    more = gains[:, :-1] - last[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = np.where(more > 0, (penalty[-1] - penalty[:-1]) / more, np.inf).min(axis=1, initial=np.inf)
    level = np.max(last + top / reach)  # the largest index at which an arm leaves
    if level <= last.max():  # but another arm is played for ever before
        return math.inf
    factor, t = 2 * alpha * np.sum((top / (level - last)) ** 2), 1.0 + len(last)
    for _ in range(200):  # the largest solution of t = factor * log t, every arm having been played
        t = max(1.0 + len(last), factor * math.log(t))
    return t
