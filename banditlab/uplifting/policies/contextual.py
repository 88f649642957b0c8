"""The factories of the campaign policies."""

import math

import numpy as np

from ...validate import choice, number, vector, whole
from ..environments.contextual import flag
from .models import IGNORED, KNOWN, LEARNT, LinearTargets, LogisticTargets, Rules

FORMS = {"linear": LinearTargets, "logistic": LogisticTargets}


def targets(individuals, features, budget, form, baseline=LEARNT, known=None, treatments=1, bonus=0.0, penalty=1.0,
            norm=None, delta=0.05, epsilon=0.0, at_most=False):  # fmt: skip
    """The policy that these rules make."""
    individuals, features = whole("individuals", individuals, 1), whole("features", features, 1)
    treatments, penalty = whole("treatments", treatments, 1), number("penalty", penalty, above=0)
    known = np.zeros(features) if known is None else vector("baseline", known, size=features)
    constant, log = -1.0, 0.0
    if norm is not None:
        constant = math.sqrt(penalty) * number("norm", norm, above=0)
        log = 2.0 * math.log((treatments + 1) / number("delta", delta, above=0, below=1))
    rules = Rules(
        individuals, features, treatments, whole("budget", budget, 1, individuals), baseline, known, penalty,
        number("bonus", bonus, least=0), constant, log, number("epsilon", epsilon, least=0, most=1),
        flag("at_most", at_most),
    )  # fmt: skip
    return FORMS[choice("form", form, tuple(FORMS))](rules)


def c2upucb_m(individuals, features, treatments, budget, bonus=1.0, form="linear", penalty=1.0, norm=None, delta=0.05,
              at_most=False):  # fmt: skip
    r"""C2UpUCB-M: for everybody the treatment of largest :math:`U^z-U^0`, and of these the L largest.

    :math:`U^z(i)` is the model's expectation plus the bonus times :math:`\|x\|_{(V^z)^{-1}}`.

    Parameters
    ----------
    individuals, features, treatments : int
        People m in a round, features d of each, and treatments q beside none; at least 1.
    budget : int
        How many are treated, from 1 to m.
    bonus : float
        Multiplier of the width, at least 0.
    form : {"linear", "logistic"}
        Model of the payoffs; a logistic one is refitted to all data in every round, the bonus outside the link.
    penalty : float
        λ of the ridge, positive.
    norm : float, optional
        Bound S on the length of the weights: multiplies the bonus with the radius of Theorem 5.
    delta : float
        Probability with which that radius may fail, in (0, 1).
    at_most : bool
        Treat those of positive index only; the campaign must allow that too.

    Returns
    -------
    LinearTargets or LogisticTargets
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Algorithm 8, equations (45) and (46).
    """
    return targets(individuals, features, budget, form, treatments=treatments, bonus=bonus, penalty=penalty, norm=norm,
                   delta=delta, at_most=at_most)  # fmt: skip


def c2upucb(individuals, features, budget, bonus=1.0, form="linear", penalty=1.0, norm=None, delta=0.05, at_most=False):
    r"""C2UpUCB: treat the L people of largest :math:`U^1-U^0`, baseline learnt.

    Parameters
    ----------
    individuals, features : int
        People m in a round, and features d of each.
    budget : int
        How many are treated, from 1 to m.
    bonus : float
        Multiplier of the width, at least 0.
    form : {"linear", "logistic"}
        Model of the payoffs.
    penalty : float
        λ of the ridge, positive.
    norm : float, optional
        Bound S on the length of the weights: multiplies the bonus with the radius of Theorem 5.
    delta : float
        Probability with which that radius may fail, in (0, 1).
    at_most : bool
        Treat those of positive index only; the campaign must allow that too.

    Returns
    -------
    LinearTargets or LogisticTargets
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Algorithm 7.
    """
    return c2upucb_m(individuals, features, 1, budget, bonus, form, penalty, norm, delta, at_most)


def c2upucb_bl(individuals, features, budget, baseline, bonus=1.0, form="linear", penalty=1.0, norm=None, delta=0.05,
               at_most=False):  # fmt: skip
    r"""C2UpUCB (bl): treat the L people of largest :math:`U^1-g^0(x)`, baseline known.

    Parameters
    ----------
    individuals, features : int
        People m in a round, and features d of each.
    budget : int
        How many are treated, from 1 to m.
    baseline : array_like, shape (d,)
        Weights of the model without treatment.
    bonus : float
        Multiplier of the width, at least 0.
    form : {"linear", "logistic"}
        Model of the payoffs.
    penalty : float
        λ of the ridge, positive.
    norm : float, optional
        Bound S on the length of the weights: multiplies the bonus with the radius of Theorem 5.
    delta : float
        Probability with which that radius may fail, in (0, 1).
    at_most : bool
        Treat those of positive index only; the campaign must allow that too.

    Returns
    -------
    LinearTargets or LogisticTargets
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Algorithm 7.
    """
    return targets(individuals, features, budget, form, KNOWN, baseline, bonus=bonus, penalty=penalty, norm=norm,
                   delta=delta, at_most=at_most)  # fmt: skip


def c2ucb(individuals, features, budget, bonus=1.0, form="linear", penalty=1.0, norm=None, delta=0.05):
    """C2UCB: treat the L people of largest optimistic payoff, whatever they would do untreated.

    Parameters
    ----------
    individuals, features : int
        People m in a round, and features d of each.
    budget : int
        How many are treated, from 1 to m.
    bonus : float
        Multiplier of the width, at least 0.
    form : {"linear", "logistic"}
        Model of the payoffs.
    penalty : float
        λ of the ridge, positive.
    norm : float, optional
        Bound S on the length of the weights: multiplies the bonus with the radius of Theorem 5.
    delta : float
        Probability with which that radius may fail, in (0, 1).

    Returns
    -------
    LinearTargets or LogisticTargets
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Qin, Chen, Zhu, Contextual combinatorial bandit and its application on diversified online recommendation, 2014.
    """
    return targets(individuals, features, budget, form, IGNORED, bonus=bonus, penalty=penalty, norm=norm, delta=delta)


def greedy(individuals, features, budget, form="linear", penalty=1.0):
    """Treat the L people of largest estimated uplift, baseline learnt.

    Parameters
    ----------
    individuals, features : int
        People m in a round, and features d of each.
    budget : int
        How many are treated, from 1 to m.
    form : {"linear", "logistic"}
        Model of the payoffs.
    penalty : float
        λ of the ridge, positive.

    Returns
    -------
    LinearTargets or LogisticTargets
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Appendix C.3.
    """
    return targets(individuals, features, budget, form, penalty=penalty)


def greedy_bl(individuals, features, budget, baseline, form="linear", penalty=1.0):
    """Treat the L people of largest estimated uplift, baseline known.

    Parameters
    ----------
    individuals, features : int
        People m in a round, and features d of each.
    budget : int
        How many are treated, from 1 to m.
    baseline : array_like, shape (d,)
        Weights of the model without treatment.
    form : {"linear", "logistic"}
        Model of the payoffs.
    penalty : float
        λ of the ridge, positive.

    Returns
    -------
    LinearTargets or LogisticTargets
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Appendix C.3.
    """
    return targets(individuals, features, budget, form, KNOWN, baseline, penalty=penalty)


def epsilon_greedy(individuals, features, budget, epsilon, form="linear", penalty=1.0):
    """Treat as `greedy`, but give each of the L treatments with probability epsilon to somebody drawn at random.

    Parameters
    ----------
    individuals, features : int
        People m in a round, and features d of each.
    budget : int
        How many are treated, from 1 to m.
    epsilon : float
        Probability, in [0, 1]; with 1 all treatments are random.
    form : {"linear", "logistic"}
        Model of the payoffs.
    penalty : float
        λ of the ridge, positive.

    Returns
    -------
    LinearTargets or LogisticTargets
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Appendix C.3.
    """
    return targets(individuals, features, budget, form, penalty=penalty, epsilon=epsilon)


def epsilon_greedy_bl(individuals, features, budget, baseline, epsilon, form="linear", penalty=1.0):
    """Treat as `greedy_bl`, but give each of the L treatments with probability epsilon to somebody drawn at random.

    Parameters
    ----------
    individuals, features : int
        People m in a round, and features d of each.
    budget : int
        How many are treated, from 1 to m.
    baseline : array_like, shape (d,)
        Weights of the model without treatment.
    epsilon : float
        Probability, in [0, 1].
    form : {"linear", "logistic"}
        Model of the payoffs.
    penalty : float
        λ of the ridge, positive.

    Returns
    -------
    LinearTargets or LogisticTargets
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Appendix C.3.
    """
    return targets(individuals, features, budget, form, KNOWN, baseline, penalty=penalty, epsilon=epsilon)
