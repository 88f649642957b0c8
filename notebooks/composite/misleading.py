"""Whom delays that watch the player mislead: what the rule of Section 4.2 takes from a learner, exactly. Ours."""

from banditlab.validate import number, whole

__all__ = ["clw_drift", "clw_loss", "recovery_horizon"]


def clw_loss(d):
    r"""Share of its window that a fresh round of CLW on the best arm loses to the watching delays, on average.

    After the 3d-th pull of the best arm the delay jumps from 1 to d: the next d - 1 steps are empty. A round is fed its
    last d steps, so it loses those of the steps 3d + 1, ..., 4d - 1 that lie there. A step ends a round with chance q,
    and the first 4d steps at most one of them, so the loss is

    .. math:: L(d)=q\Bigl[(d-1)-\frac q6(d^2-1)\Bigr],\qquad q=\frac1{2d}\Bigl(1-\frac1{2d}\Bigr)^{2d-1},

    which rises to :math:`\frac1{2e}-\frac1{24e^2}=0.178`.

    Parameters
    ----------
    d : int >= 1, longest delay, which CLW is told

    Examples
    --------
    >>> [round(clw_loss(d), 3) for d in (2, 5, 10, 200)]
    [0.1, 0.149, 0.164, 0.178]
    """
    d = whole("d", d, 1, 10_000)
    ends = (1 - 1 / (2 * d)) ** (2 * d - 1) / (2 * d)
    return ends * ((d - 1) - ends / 6 * (d * d - 1))


def clw_drift(tie, d, best):
    """Where CLW goes where two arms nearly tie: positive to the best arm, negative to the second one, to first order.

    A fresh round of the best arm is worth `best` times 1 - L, with L of `clw_loss`; a round of it that continues one is
    worth all. A fresh round comes with probability 1 - `best` once the arms are played about as often as they pay, so
    the second arm looks better where (1 - tie) / L < 1 - `best`.

    Parameters
    ----------
    tie : float in (0, 1], second best chance over the best
    d : int >= 1, longest delay, which CLW is told
    best : float in (0, 1), chance of the best arm to be the one that pays
    """
    tie, best = number("tie", tie, above=0, most=1), number("best", best, above=0, below=1)
    return (1.0 - tie) - (1.0 - best) * clw_loss(d)


def recovery_horizon(tie, d):
    r"""The horizon at which ARS-EXP3 (beta = 1/2) recovers, :math:`T\approx\frac23((d-1)/(1-s_2/s_1))^3`.

    Its round of g steps loses d - 1 of them at most, which is less than the tie where g > (d - 1) / (1 - tie); and the
    k-th round has k^(1/2) steps.

    Parameters
    ----------
    tie : float in (0, 1), second best chance over the best
    d : int >= 1, longest delay
    """
    tie, d = number("tie", tie, above=0, below=1), whole("d", d, 1)
    return 2.0 / 3.0 * ((d - 1) / (1.0 - tie)) ** 3
