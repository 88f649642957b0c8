"""The problems of the paper, by name; their penalty is by default that of Section 5.1, promise 0.5, steepness 10."""

import numpy as np

from ...validate import choice, how_many
from ..arguments import grid
from ..penalties import power, promise
from .gaussian import gaussian
from .independent import indep_arms, independent
from .interval import gaussian_interval, independent_interval

__all__ = [
    "example", "indep", "indep_interval", "low_censoring", "many_arms", "negcorr", "negcorr_interval",
    "poscorr", "poscorr_interval",
]  # fmt: skip

EXAMPLE = ((0.8, 0.8), (0.5, 0.4), (0.3, 0.2))  # complex, medium, simple: ours, the paper gives no numbers


def with_promise(limits, penalty, high=0.9):
    """Limits, a number of them up to `high`, and their penalty: by default the strict promise of Section 5.1."""
    limits = grid("limits", limits, high=high)
    return limits, promise(limits) if penalty is None else penalty


def poscorr(arms=10, limits=10, penalty=None, instance="text"):
    """PosCorr: reward and consumption positively correlated, the first arm the best.

    Parameters
    ----------
    arms : int >= 1; the paper has 10
    limits : int or array_like, shape (m,)
    penalty : array_like, shape (m,), or Curve or callable
    instance : {"text", "tables"}
        The parameters of Appendix E.2, or others that give the printed tables (a fit of ours, no statement of the
        paper).

    References
    ----------
    Bengs, Hüllermeier, Multi-Armed Bandits with Censored Consumption of Resources, 2023, Section 5.1, Appendix E.2.

    Examples
    --------
    >>> round(float(poscorr().gains.max()), 5)
    0.21434
    """
    return gaussian(*poscorr_arms(arms, instance), *with_promise(limits, penalty))


def poscorr_arms(arms, instance="text"):
    """Means, x and variance of PosCorr."""
    n = how_many("arms", arms, 256)
    if choice("instance", instance, ("text", "tables")) == "tables":
        return [(0.9, 0.7)] + [(0.9, 0.8)] * (n - 1), 0.2, 0.2
    return [(0.6, 0.45)] + [(0.5, 0.5)] * (n - 1), ([0.2, 0.3, 0.4, 0.4] + [0.6] * n)[:n], 0.2


def negcorr(arms=10, limits=10, penalty=None, instance="text"):
    """NegCorr: reward and consumption negatively correlated.

    With the parameters of the text the first arm is not the best, by 0.002 to 0.003; the others are all alike.

    Parameters
    ----------
    arms : int >= 1; the paper has 10
    limits : int or array_like, shape (m,)
    penalty : array_like, shape (m,), or Curve or callable
    instance : {"text", "tables"}
        The parameters of Appendix E.2, or others that give the printed tables (a fit of ours, no statement of the
        paper).

    References
    ----------
    Censored consumption, Section 5.1, Appendix E.2.

    Examples
    --------
    >>> negcorr().gaps[0].min() > 0.002
    np.True_
    """
    return gaussian(*negcorr_arms(arms, instance), *with_promise(limits, penalty))


def negcorr_arms(arms, instance="text"):
    """Means, x and variance of NegCorr."""
    n = how_many("arms", arms, 256)
    few = max(1, round(0.6 * n)) if choice("instance", instance, ("text", "tables")) == "tables" else 1
    return [(0.9, 0.8)] * few + [(0.8, 0.8)] * (n - few), -0.2, 0.2


def indep(arms=10, limits=10, penalty=None):
    """Indep: rewards Beta, consumption exponential, independent; the first arm is the best.

    Parameters
    ----------
    arms : int >= 1; the paper has 10
    limits : int or array_like, shape (m,)
    penalty : array_like, shape (m,), or Curve or callable

    References
    ----------
    Censored consumption, Section 5.1, Appendix E.2.

    Examples
    --------
    >>> round(float(indep().gains.max()), 5)
    0.41657
    """
    return independent(*indep_arms(arms), *with_promise(limits, penalty))


def poscorr_interval(arms=10, penalty=None, cost=0.1, largest=1.0):
    r"""PosCorr on all limits of :math:`(0,\tau_{\max}]`, for z-RCUCB; the default penalty :math:`4x^2` is ours.

    Parameters
    ----------
    arms : int >= 1
    penalty, cost, largest
        As in `gaussian_interval`.

    Examples
    --------
    >>> round(poscorr_interval().best, 5)
    0.49576
    """
    return gaussian_interval(*poscorr_arms(arms), curved(penalty), cost, largest)


def negcorr_interval(arms=10, penalty=None, cost=0.1, largest=1.0):
    r"""NegCorr on all limits of :math:`(0,\tau_{\max}]`, for z-RCUCB; the default penalty :math:`4x^2` is ours.

    Parameters
    ----------
    arms : int >= 1
    penalty, cost, largest
        As in `gaussian_interval`.

    Examples
    --------
    >>> round(negcorr_interval().best, 5)
    0.60543
    """
    return gaussian_interval(*negcorr_arms(arms), curved(penalty), cost, largest)


def indep_interval(arms=3, penalty=None, cost=0.1, largest=1.0):
    r"""Indep on all limits of :math:`(0,\tau_{\max}]`, for z-RCUCB; the default penalty :math:`4x^2` is ours.

    The paper has no experiment with z-RCUCB.

    Parameters
    ----------
    arms : int >= 1; the first is the best
    penalty, cost, largest
        As in `independent_interval`.

    Examples
    --------
    >>> round(indep_interval().best, 5)
    0.12795
    """
    return independent_interval(*indep_arms(arms), curved(penalty), cost, largest)


def curved(penalty):
    """The penalty of our experiments with z-RCUCB, where none is given."""
    return power(4.0, 2.0) if penalty is None else penalty


def many_arms(arms, limits=5, penalty=None):
    """Many arms: the more reward an arm gives, the less it consumes.

    Parameters
    ----------
    arms : int >= 1; the paper has 20, 50 and 80
    limits : int or array_like, shape (m,)
    penalty : array_like, shape (m,), or Curve or callable

    References
    ----------
    Censored consumption, Appendix F.2.

    Examples
    --------
    >>> round(float(many_arms(20).gains.max()), 5)
    0.40564
    """
    share = np.arange(how_many("arms", arms, 256)) / arms
    return gaussian(np.stack([0.9 * (1 - share), 0.3 + 0.7 * share], 1), 0.2, 0.2, *with_promise(limits, penalty))


def low_censoring(arms=5, limits=10, penalty=None):
    """Low censoring: all arms consume little, the best is censored in 7.5 % of its rounds.

    Parameters
    ----------
    arms : int >= 1; the paper has 5
    limits : int or array_like, shape (m,); here m points from 0.1 to 0.6
    penalty : array_like, shape (m,), or Curve or callable

    References
    ----------
    Censored consumption, Appendix F.3.

    Examples
    --------
    >>> round(float(low_censoring().gains.max()), 5)
    0.6794
    """
    share = np.arange(how_many("arms", arms, 256)) / arms
    means = np.stack([0.9 * (1 - share), 0.0 * share], 1)
    return gaussian(means, 0.2, 0.1, *with_promise(limits, penalty, high=0.6))


def example(case="strict", limits=None):
    """Examples 1 and 2: a complex, a medium and a simple model, and a promised time; the numbers are ours.

    Parameters
    ----------
    case : {"strict", "soft"}
        A promise of 0.5 with steepness 10, or of 0.99 with steepness 5.
    limits : array_like, shape (m,), optional; by default 0.02 to 0.99 in 98 steps

    References
    ----------
    Censored consumption, Examples 1 and 2, Figures 1 and 2.

    Examples
    --------
    >>> int(example("soft").gains.max(axis=1).argmax())
    0
    """
    threshold, steepness = {"strict": (0.5, 10.0), "soft": (0.99, 5.0)}[choice("case", case, ("strict", "soft"))]
    limits = np.arange(2, 100) / 100 if limits is None else grid("limits", limits)
    return gaussian(EXAMPLE, 0.2, 0.02, limits, promise(limits, threshold, steepness))
