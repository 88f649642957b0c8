"""What F-Track computes before its first round (Algorithm 2, Theorem 5.1)."""

import math
from typing import NamedTuple

import numpy as np

from ..validate import count_dimensions, number, unwrap_scalar, vector, whole
from .arguments import deviations

__all__ = ["FTrackConstants", "f_T", "ftrack_constants"]


class FTrackConstants(NamedTuple):
    """What F-Track computes before its first round: see `ftrack_constants`."""

    n0: int  # warm-up samples per option
    eps: float | np.ndarray  # epsilon_T: a mean that moves by more than twice this starts the recovery
    lead: float | np.ndarray  # 2 sigma^2 f_T(1/T): pulls of the plan times squared estimated gap


def f_T(horizon, delta, c=2.5):
    """The threshold f_T(delta) = (1 + 1/log T) (c log log T + log(1/delta)) of Lemma C.1.

    Parameters
    ----------
    horizon : int >= 3; below 3 the iterated logarithm is negative or undefined
    delta : float in (0, 1), probability that a confidence interval fails at some time
    c : float > 0; 2.5 is the authors' code, "about 2" the proof

    Examples
    --------
    >>> round(f_T(10_000, 0.1), 4)
    8.7061
    """
    log = math.log(whole("horizon", horizon, least=3))
    delta = number("delta", delta, above=0, below=1)
    return (1 + 1 / log) * (number("c", c, above=0) * math.log(log) - math.log(delta))


def ftrack_constants(horizon, sigma, c=2.5, n0_mult=1.0, eps_div=1.0):
    """Warm-up samples, threshold and planned pulls of F-Track (Algorithm 2, Theorem 5.1).

    n0 = ceil(n0_mult ceil(sqrt(log T))), eps = sqrt(2 sigma^2 f_T(1/log T) / (n0 eps_div)), lead = 2 sigma^2 f_T(1/T).

    Parameters
    ----------
    horizon : int >= 3
    sigma : float > 0, or array (d,)
    c : float > 0
    n0_mult : float > 0; 1 is the paper's N_0, versions of the authors' code used 3 and 10
    eps_div : float > 0, multiplies n0 in eps only; 1 is the paper's, the version with 3 N_0 used 6

    Returns
    -------
    FTrackConstants
        eps and lead have the shape of sigma.

    Examples
    --------
    >>> constants = ftrack_constants(10_000, 0.5)
    >>> constants.n0, round(constants.eps, 4), round(constants.lead, 4)
    (4, 1.0377, 8.1819)
    """
    horizon = whole("horizon", horizon, least=3)
    log = math.log(horizon)
    n0 = math.ceil(number("n0_mult", n0_mult, above=0, most=1e9) * math.ceil(math.sqrt(log)))
    spread = deviations(sigma, 1) if count_dimensions(sigma) == 0 else deviations(sigma, len(vector("sigma", sigma)))
    variance = np.reshape(spread**2, np.shape(sigma))
    eps = np.sqrt(2 * variance * f_T(horizon, 1 / log, c) / (n0 * number("eps_div", eps_div, above=0)))
    lead = 2 * variance * f_T(horizon, 1 / horizon, c)
    return FTrackConstants(n0, unwrap_scalar(eps), unwrap_scalar(lead))
