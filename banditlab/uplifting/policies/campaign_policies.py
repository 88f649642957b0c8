"""Policies of campaigns: choose whom to treat by the uplift that models of the payoffs promise (Section 8, App. C)."""

import math
from typing import NamedTuple

import numpy as np

from ...engine.methods import helper
from ...validate import choice, flag, how_many, number, refuse_unknown, vector, whole
from ..arguments import treating
from ..targets import Choice, new_choice, presume, top
from .payoff_models import Logistic, Models, Ridge, expected, look, optimistic, untrained

__all__ = ["c2ucb", "c2upucb", "c2upucb_bl", "c2upucb_m", "epsilon_greedy", "epsilon_greedy_bl", "greedy", "greedy_bl"]

FORMS = {"linear": Ridge, "logistic": Logistic}
OPTIONS = "form", "penalty", "norm", "delta", "at_most"


class Radius(NamedTuple):
    """What the width is multiplied with: the bonus and, if asked for, the radius of Theorem 5."""

    bonus: float
    theory: bool
    floor: float  # sqrt(lambda) S
    log: float  # 2 log((q + 1) / delta)


class TargetingState(NamedTuple):
    """Models of the payoffs, the rows behind them where they are needed, and the choice of the round."""

    models: Models
    history: object
    choice: Choice


@helper
def surprise(choice, place, treatment):
    """Give this treatment to the person in this place among those not yet chosen."""
    for i in range(len(choice.chosen)):
        if choice.chosen[i] == 0:
            if place == 0:
                choice.chosen[i], choice.treatment[i] = 1, treatment
                break
            place -= 1


class Targeting(NamedTuple):
    """Treat the people of largest uplifting index, and some at random: what the factories return."""

    individuals: int  # m
    features: int  # d
    treatments: int  # q
    budget: int  # L
    form: Ridge
    radius: Radius
    learnt: bool  # whether the baseline is learnt from the people who are not treated
    ignored: bool  # whether it is left out of the index
    known: np.ndarray  # (d,) weights of a known baseline
    epsilon: float  # chance of a treatment to be given at random
    at_most: bool  # whether only people of positive index are treated

    def actions(self):
        return treating(self.individuals, self.features, self.treatments, self.budget, self.at_most)

    def init(self, rng):
        q, m, d = self.treatments, self.individuals, self.features
        return TargetingState(untrained(q, m, d, self.form.penalty), self.form.history(q, m, d), new_choice(m))

    def select(self, state, context, t, rng):
        models, choice, m = state.models, state.choice, self.individuals
        look(models, context)
        alpha = self.alpha(t)
        self.baseline(models, alpha)
        for z in range(1, self.treatments + 1):
            optimistic(self.form, models, z, alpha)  # line 4 of Algorithms 7 and 8
        presume(models.U, choice)  # lines 5 and 6
        random = rng.binomial(self.budget, self.epsilon) if self.epsilon > 0.0 else 0
        top(choice, self.budget - random, self.at_most)  # line 8; line 7 of Algorithm 7
        for n in range(random):
            place, treatment = int((m - self.budget + random - n) * rng.random()), 1
            if self.treatments > 1:
                treatment += int(self.treatments * rng.random())
            surprise(choice, place, treatment)
        for i in range(m):
            choice.treatment[i] *= choice.chosen[i]  # line 9; line 8 of Algorithm 7
        return choice.treatment

    def alpha(self, t):
        """Alpha of the round."""
        radius, d = self.radius, self.features
        if not radius.theory:
            return radius.bonus
        growth = d * math.log(1.0 + self.individuals * (t + 1) / (d * self.form.penalty))
        return radius.bonus * (radius.floor + math.sqrt(radius.log + growth))

    def baseline(self, models, alpha):
        """Write U^0: learnt, known, or 0 where it is ignored."""
        if self.learnt:
            optimistic(self.form, models, 0, alpha)
        elif not self.ignored:
            expected(self.form, models, self.known, 0)

    def update(self, state, action, observation, t, rng):
        self.form.train(state.models, state.history, action, observation.y, 0 if self.learnt else 1)
        return state


def targeting(size, given, baseline=None, ignored=False, epsilon=0.0, bonus=0.0):
    """The policy of these rules; without a baseline it is learnt or, if so told, ignored."""
    refuse_unknown(given, OPTIONS)
    m, d = how_many("individuals", size[0], 64), how_many("features", size[1], 64)
    q, budget = how_many("treatments", size[2], 64 * d * d), whole("budget", size[3], 1, m)
    known = np.zeros(d) if baseline is None else vector("baseline", baseline, size=d)
    form, radius, at_most = confidence(q, number("bonus", bonus, least=0), **given)
    learnt = baseline is None and not ignored
    epsilon = number("epsilon", epsilon, least=0, most=1)
    return Targeting(m, d, q, budget, form, radius, learnt, bool(ignored), known, epsilon, at_most)


def confidence(q, bonus, form="linear", penalty=1.0, norm=None, delta=0.05, at_most=False):
    """Model of the payoffs, radius, and whether fewer than the budget may be treated."""
    made = FORMS[choice("form", form, tuple(FORMS))](number("penalty", penalty, above=0))
    floor, log = 0.0, 0.0
    if norm is not None:
        floor = math.sqrt(made.penalty) * number("norm", norm, above=0)
        log = 2.0 * math.log((q + 1) / number("delta", delta, above=0, below=1))
    return made, Radius(bonus, norm is not None, floor, log), flag("at_most", at_most)


def c2upucb_m(individuals, features, treatments, budget, bonus=1.0, baseline=None, **options):
    r"""C2UpUCB-M: for everybody the treatment of largest :math:`U^z-U^0`, and of these the L largest.

    :math:`U^z(i)` is the model's expectation plus the bonus times :math:`\|x\|_{(V^z)^{-1}}`.

    Parameters
    ----------
    individuals, features, treatments : int >= 1
        People m in a round, features d of each, and treatments q beside none.
    budget : int from 1 to m, how many are treated
    bonus : float >= 0, multiplier of the width
    baseline : array_like, shape (d,), optional
        Weights of the model without treatment, C2UpUCB-M (bl); by default it is learnt like the others.
    **options
        ``form="linear"`` or ``"logistic"``: model of the payoffs; a logistic one is refitted to all data in every
        round, the bonus outside the link. ``penalty=1.0``: λ of the ridge, positive. ``norm=None``: a bound S on the
        length of the weights multiplies the bonus with the radius of Theorem 5, ``delta=0.05``: which may fail with
        this probability, in (0, 1). ``at_most=False``: whether only those of positive index are treated; the campaign
        must allow that too.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Algorithm 8, equations (45) and (46).
    """
    return targeting((individuals, features, treatments, budget), options, baseline, bonus=bonus)


def c2upucb(individuals, features, budget, bonus=1.0, **options):
    """C2UpUCB: treat the L people of largest U^1 - U^0, baseline learnt (Algorithm 7).

    Parameters
    ----------
    individuals, features, budget, bonus, **options
        As in `c2upucb_m`.
    """
    return c2upucb_m(individuals, features, 1, budget, bonus, **options)


def c2upucb_bl(individuals, features, budget, baseline, bonus=1.0, **options):
    """C2UpUCB (bl): treat the L people of largest U^1 - g^0(x), baseline known (Algorithm 7).

    Parameters
    ----------
    individuals, features, budget, baseline, bonus, **options
        As in `c2upucb_m`.
    """
    return c2upucb_m(individuals, features, 1, budget, bonus, vector("baseline", baseline), **options)


def c2ucb(individuals, features, budget, bonus=1.0, treatments=1, **options):
    """C2UCB: treat the L people of largest optimistic payoff, whatever they would do untreated.

    Parameters
    ----------
    individuals, features, budget, bonus, treatments, **options
        As in `c2upucb_m`.

    References
    ----------
    Qin, Chen, Zhu, Contextual combinatorial bandit and its application on diversified online recommendation, 2014.
    """
    return targeting((individuals, features, treatments, budget), options, ignored=True, bonus=bonus)


def epsilon_greedy(individuals, features, budget, epsilon, baseline=None, treatments=1, **options):
    """Treat the L people of largest estimated uplift, but give each treatment with a small chance to anybody.

    Whom and, where there are several treatments, which one is then uniform.

    Parameters
    ----------
    individuals, features, budget
        As in `c2upucb_m`.
    epsilon : float from 0 to 1, the chance; with 1 all treatments are random
    baseline, treatments, **options
        As in `c2upucb_m`.

    References
    ----------
    Uplifting Bandits, Appendix C.3.
    """
    return targeting((individuals, features, treatments, budget), options, baseline, epsilon=epsilon)


def epsilon_greedy_bl(individuals, features, budget, baseline, epsilon, **options):
    """Treat as `greedy_bl`, but give each of the L treatments with a small chance to somebody drawn at random.

    Parameters
    ----------
    individuals, features, budget, baseline, epsilon, **options
        As in `epsilon_greedy`.
    """
    return epsilon_greedy(individuals, features, budget, epsilon, vector("baseline", baseline), **options)


def greedy(individuals, features, budget, **options):
    """Treat the L people of largest estimated uplift, baseline learnt.

    Parameters
    ----------
    individuals, features, budget, **options
        As in `epsilon_greedy`.
    """
    return epsilon_greedy(individuals, features, budget, 0.0, **options)


def greedy_bl(individuals, features, budget, baseline, **options):
    """Treat the L people of largest estimated uplift, baseline known.

    Parameters
    ----------
    individuals, features, budget, baseline, **options
        As in `epsilon_greedy`.
    """
    return epsilon_greedy(individuals, features, budget, 0.0, vector("baseline", baseline), **options)
