"""What an unknown baseline costs UpUCB: ours, after Theorem 1, whose price it pays once and not for every action."""

import math

from banditlab.uplifting.bounds.upper import confidence, gaps_of, of_best, sizes_of
from banditlab.validate import number, whole

__all__ = ["baseline_price", "unknown_baseline_lower", "upucb_once_upper"]


def upucb_once_upper(gaps, sizes, horizon, delta=0.05):
    r"""Upper bound on UpUCB's regret in which the size of the best action's set stands once; ours.

    On the event of Theorem 1, with its :math:`\beta=\log(4KLT/\delta)`, the regret is at most
    :math:`\sum_a(32\beta(L^a)^2/\Delta^a+\Delta^a)+256\beta(L^{a^\star})^2/\Delta_{\min}`. Theorem 1 itself has
    :math:`8\beta(L^a+L^{a^\star})^2/\Delta^a` for every worse action.

    Parameters
    ----------
    gaps, sizes, horizon, delta
        As described in `bounds.upper`.

    Examples
    --------
    With a hundred actions of one variable and a best one of fifty it is a third of Theorem 1:

    >>> from banditlab.uplifting.bounds import upucb_upper
    >>> gaps, sizes = [0.0] + [0.5] * 99, [50] + [1] * 99
    >>> round(upucb_once_upper(gaps, sizes, 10**6) / upucb_upper(gaps, sizes, 10**6).regret, 2)
    0.31
    """
    gaps = gaps_of(gaps)
    sizes, worse = sizes_of(sizes, gaps), gaps > 0
    if not worse.any():
        return 0.0
    beta = math.log(4 * len(gaps) * sizes.max() * confidence(horizon, delta))
    own = (32 * beta * sizes[worse] ** 2 / gaps[worse] + gaps[worse]).sum()
    return float(own + 256 * beta * of_best(gaps, sizes) ** 2 / gaps[worse].min())


def unknown_baseline_lower(arms, size, best_size, gap):
    r"""Lower bound on regret / log T of consistent policies that know the sets but not the baseline; ours.

    For disjoint sets, one standard normal common to the variables of a set, and equal gaps. A worse action is the best
    one if its own L means and the baseline of the best action's set, which every pull of a worse action shows, rise by
    enough together: :math:`L^2/N+(L^{a^\star})^2/((K-1)N)\le\Delta^2/(2\log T)` for N pulls of each (Graves, Lai), so
    that the regret is at least :math:`2((K-1)L^2+(L^{a^\star})^2)/\Delta\cdot\log T`.

    Parameters
    ----------
    arms : int >= 2, number of actions K
    size, best_size : int >= 1, variables that a worse and that the best action affects
    gap : float > 0, of every worse action

    Examples
    --------
    >>> unknown_baseline_lower(3, 2, 4, 0.5)
    96.0
    """
    worse = whole("arms", arms, 2) - 1
    size, best_size = whole("size", size, 1), whole("best_size", best_size, 1)
    return 2.0 * (worse * size**2 + best_size**2) / number("gap", gap, above=0)


def baseline_price(arms, size, best_size):
    r"""How many times UpUCB's regret is that of UpUCB (bl), without noise, as T grows; disjoint sets, equal gaps; ours.

    A worse action is played until :math:`\Delta=L\sqrt{2\beta/N}+L^{a^\star}\sqrt{2\beta/((K-1)N)}`, since every pull
    of a worse action shows the baseline of the best one's set; with the baseline known the last term is missing.

    Parameters
    ----------
    arms : int >= 2, number of actions K
    size, best_size : int >= 1, variables that a worse and that the best action affects

    Examples
    --------
    >>> baseline_price(2, 10, 10), round(baseline_price(101, 10, 10), 2)
    (4.0, 1.21)
    """
    worse, size = whole("arms", arms, 2) - 1, whole("size", size, 1)
    return (1.0 + whole("best_size", best_size, 1) / (size * math.sqrt(worse))) ** 2
