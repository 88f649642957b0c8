"""Play until it is decided: a claim's runs double from look to look, and each look spends a share of the error.

The first look spends half of the error, each further one half of what is left, the last one all that is left. How many
looks there may be follows from the rounds of the first one and the budget, never from what it found; so all intervals
of all looks hold jointly at 95 %, and a question that is decided once stays decided.

At quick size looking also ends where even the last look would hardly decide what is open now: the ledger then shows
what the paper's own size has decided. To stop early without an answer spends no error.
"""

import contextlib
import math
from contextvars import ContextVar
from types import SimpleNamespace

from . import provenance
from .questions import every
from .spending import holding, spending

DRIFT = 1 / 3  # how far into its interval a number may move with more runs: about a standard error
BUDGET = {"quick": 4e6, "paper": 5e9}  # rounds of all policies that one look of one claim may play

# The look under way: its `factor` times the runs of the first one, whether anybody `asked` for them, its `share`.
current = ContextVar("current", default=None)


def runs_now(runs: int) -> int:
    """Number of runs at this look of a claim; outside of a claim the runs themselves.

    Parameters
    ----------
    runs : int >= 1
        Of the first look, which a figure shows.
    """
    if (look := current.get()) is None:
        return runs
    look.asked = True
    return runs * look.factor


def runs_before(runs: int) -> int:
    """Number of runs that the look before this one played of so many; 0 at the first one, and outside of a claim."""
    look = current.get()
    return 0 if look is None or look.factor == 1 or runs % 2 else runs // 2


def share_of(number, looks):
    """Share of the error that a look spends, of so many that there may be; they add up to one."""
    return 0.5 ** min(number + 1, looks - 1)


def count_looks(rounds, scale, most):
    """How many looks a claim may take whose first one played so many rounds."""
    return 1 if not rounds else min(most, 1 + max(0, int(math.log2(BUDGET[scale] / rounds))))


@contextlib.contextmanager
def looking(number, share=1.0):
    """Look for the ``number``-th time while this lasts; intervals leave out this share of the error at most."""
    look = SimpleNamespace(factor=2**number, asked=False)
    with holding(current, look), spending(share) as look.share:
        yield look


def look_until_decided(test, measure, scale, most):
    """Ask a claim's test at growing numbers of runs until each reading is answered, or hardly would be.

    Parameters
    ----------
    test : callable
        ``test()`` returns why nothing could be tested, empty where it could, and the questions by reading.
    measure : callable
        ``measure(readings)`` returns the measures of all readings, in order.
    scale : {"quick", "paper"}
    most : int
        Looks at most.

    Returns
    -------
    why, readings, measures, words
        Those of the last look, where questions that were decided keep the measure that decided them, and how often it
        was looked, in words; empty where nothing was played.
    """
    with provenance.watch() as used, looking(0, share_of(0, most)) as look:
        why, readings = test()
    looks = 1 if why or not look.asked else count_looks(provenance.sum_rounds(used), scale, most)
    again = looks == 1 < most and look.share.spent  # what the test judged itself may spend all of the error
    measures = []
    for number in range(looks):
        with looking(number, share_of(number, looks)):
            if number or again:
                why, readings = test()
            now = measure(readings)
        measures = [old if old.answer is not None else new for old, new in zip(measures or now, now, strict=True)]
        left = list_open(measures)
        if not left or (scale == "quick" and is_hopeless(left, 2 ** (looks - 1 - number))):
            break
    budget = f"at twice the runs, within {BUDGET[scale] / 1e6:,.0f} million rounds"
    words = f"look {number + 1} of at most {looks}, each {budget}" if looks > 1 else "one look" * bool(used)
    return why, readings, measures, words


def list_open(measures):
    """The measures of each reading that neither holds nor fails."""
    by_name = ([one for one in measures if one.reading == name] for name in dict.fromkeys(x.reading for x in measures))
    return [own for own in by_name if every(one.answer for one in own) is None]


def is_hopeless(readings, times):
    """Whether so many times the runs would hardly let one of these readings fail, by one measure, or hold, by all."""
    later = [[answers_later(one, times) for one in own] for own in readings]
    return not any(any(False in one for one in own) or all(True in one for one in own) for own in later)


def answers_later(one, times):
    """What a measure may answer after so many times the runs: the interval shrinks, the number drifts within it."""
    if not math.isfinite(one.high - one.low):
        return {True, False}  # with more runs there may be an interval
    low, high = one.low - one.value, one.high - one.value
    drifts, share = (one.value, one.value + DRIFT * low, one.value + DRIFT * high), times**-0.5
    return {one.answer, *(one._replace(low=x + share * low, high=x + share * high).answer for x in drifts)}
