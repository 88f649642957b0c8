"""Estimates, questions, claims; sliders and the parameters cell."""

import re
from functools import partial

import numpy as np

from banditlab.evidence import (
    Cases,
    Claims,
    Untested,
    bootstrap,
    count,
    difference,
    every,
    exact,
    growth_exponent,
    mean,
    median,
    proportion,
    quotient,
    ratio,
    refute,
    some,
    verdict,
)
from banditlab.explorer import Choice, Slider, Switch, check_parameters

EITHER = (TypeError, ValueError)


RETURNS = "; it must return a Question, a list of them or a dict of reading to either, none of them empty, or Untested$"


def judge(found):
    """Judge a claim whose test returns this."""
    claims = Claims("toy")
    claims("T7", "It holds.", "Section 1")(lambda scale, seed: found())
    claims.ledger()


def name_twice(claims):
    """Register two claims of one name."""
    for sentence in ("It holds.", "again"):
        claims("T1", sentence, "Section 1")(lambda scale, seed: None)


def rows_of_evidence():
    """Estimates, questions, and claims that ask nothing."""
    ONE = Cases("one", exact(1))
    return [
        (lambda: refute("mine", "M1", {}), TypeError, "claims='mine': must be Claims"),
        (lambda: refute(Claims("mine"), "M1", [1]), TypeError, "space=[1]: must be a dict of name to the values"),
        (lambda: refute(Claims("mine"), "M1", {"x": 1}), TypeError, "space['x']=1: must be a list of numbers"),
        (lambda: refute(Claims("mine"), "M1", {"x": []}), ValueError, "space['x']=[]: must be a list of numbers"),
        (lambda: refute(Claims("mine"), "M1", {"x": ["a"]}), TypeError, "space['x'][0]='a': must be a number"),
        (lambda: exact("3"), TypeError, "value='3': must be a number"),
        (lambda: mean([]), ValueError, "values=[]: must be a one-dimensional list or array, not empty"),
        (lambda: mean([[1, 2], [3, 4]]), ValueError, "values=[[1, 2], [3, 4]]: must be a one-dimensional"),
        (lambda: mean("12"), TypeError, "values='12': must be a list or array of numbers, one of each run"),
        (lambda: median([]), ValueError, "values=[]: must be a one-dimensional list or array, not empty"),
        (lambda: ratio([1, 2, 3], [1]), ValueError, "second has 1 entries: must have 3, one of each run"),
        (lambda: ratio([], [1]), ValueError, "first=[]: must be a one-dimensional"),
        (lambda: quotient(3, exact(1)), TypeError, "first=3: must be an Estimate"),
        (lambda: difference(exact(1), 3), TypeError, "second=3: must be an Estimate"),
        (lambda: proportion(5, 3), ValueError, "count=5: must be at least 0 and at most 3"),
        (lambda: proportion(-1, 3), ValueError, "count=-1: must be at least 0 and at most 3"),
        (lambda: proportion(0, 0), ValueError, "n=0: must be at least 1"),
        (lambda: proportion(0.5, 3), TypeError, "count=0.5: must be a whole number"),
        (lambda: proportion(1, "3"), TypeError, "n='3': must be a whole number"),
        (lambda: bootstrap(np.mean, 0), ValueError, "runs=0: must be at least 1"),
        (lambda: bootstrap(np.mean, 5, seed=-1), ValueError, "seed=-1: must be at least 0"),
        (lambda: growth_exponent([2, 1], [[1, 2]]), ValueError, "checkpoints=array([2., 1.]): must be ascending"),
        (lambda: growth_exponent([1, 2], [1, 2]), ValueError, "regret has shape (2,): must have a row for each run"),
        (lambda: ONE.between(2, 1), ValueError, "high=1: must be finite and at least 2"),
        (lambda: ONE.above("1"), TypeError, "limit='1': must be a number"),
        (lambda: ONE.below(None), TypeError, "limit=None: must be a number"),
        (lambda: ONE.at_least(float("nan")), ValueError, "limit=nan: must be finite"),
        (lambda: ONE.at_most(True), TypeError, "limit=True: must be a number"),
        (lambda: ONE.ask((1, 0)), ValueError, "holds[1]=0: must be finite and at least 1"),
        (lambda: ONE.ask((1, None), 0), TypeError, "fails=0: must be a pair of numbers"),
        (lambda: Cases("it", 3.0), TypeError, "found=3.0: must be an Estimate, or a dict of case to Estimate"),
        (lambda: Cases("it", {"a": 3}), TypeError, "found['a']=3: must be an Estimate"),
        (lambda: count("it", {}), ValueError, "answers={}: must hold at least one answer (what='it')"),
        (lambda: count("it", [True]), TypeError, "answers=[True]: must be a dict of case to True, False or None"),
        (lambda: count("it", {"a": 1}), TypeError, "answers['a']=1: must be True, False or None"),
        (lambda: count("it", {"a": True}, 2), ValueError, "needed=2: must be at least 1 and at most 1"),
        (lambda: count("it", {"a": True}, "1"), TypeError, "needed='1': must be a whole number"),
        (lambda: every([True, 1]), TypeError, "answers[1]=1: must be True, False or None"),
        (lambda: some(["yes"]), TypeError, "answers[0]='yes': must be True, False or None"),
        (lambda: verdict({}), ValueError, "answers={}: must hold at least one answer"),
        (lambda: verdict({"a": "yes"}), TypeError, "answers['a']='yes': must be True, False or None"),
        *[
            (partial(judge, found), ValueError, f"claim T7 of toy: .*{re.escape(words)}.*{RETURNS}")
            for found, words in [
                (lambda: None, "returned None"),
                (lambda: [], "returned []"),
                (lambda: {}, "returned {}"),
                (lambda: {"as printed": []}, "returned {'as printed': []}"),
                (lambda: True, "returned True"),
                (lambda: Cases("it", exact(1)), "returned <banditlab.evidence.questions.Cases"),
                (lambda: [ONE.above(0), None], "None]"),
                (lambda: ONE.above(0)._replace(found={}), "returned Question(what='one', found={}"),
                (lambda: count("x", {}), "answers={}: must hold at least one answer (what='x')"),
                (lambda: Cases("x", {}).above(0), "found={}: must hold at least one estimate (what='x')"),
                (lambda: Untested(""), "returned Untested(why='', found={})"),
                (lambda: Untested("why", {"a": []}), "returned {'a': []}"),
            ]
        ],
        (lambda: Cases("it", {}), ValueError, "found={}: must hold at least one estimate"),
        (
            lambda: Claims("toy")("T1", "Long.", "Section 1", quote="word " * 26),
            ValueError,
            "at most 25 words, has 26",
        ),
        (lambda: name_twice(Claims("toy")), ValueError, "id='T1': another claim of toy has it"),
        (lambda: Claims("toy").ledger("small"), ValueError, "scale='small': must be one of 'quick', 'paper'"),
    ]


def rows_of_explorer():
    """Sliders, choices, switches and the parameters cell."""
    CONTROLS = {
        "gap": Slider("Gap Δ", 0.05, 1, 0.05, "gap between the best and the other option"),
        "d": Slider("Components d", 1, 20, 1),
        "shape": Choice("Shape", ["steps", "ramp"]),
        "bound": Switch("Bound", "Theorem 1"),
    }
    return [
        *[
            (partial(Slider, "x", *given), error, words + r".* \(slider 'x'\)")
            for given, error, words in [
                ((1, 1, 1), ValueError, "hi=1: must be finite and greater than 1.0"),
                ((2, 1, 1), ValueError, "hi=1: must be finite and greater than 2.0"),
                ((0, 1, 0), ValueError, "step=0: must be finite and greater than 0"),
                ((0, 1, -0.1), ValueError, "step=-0.1: must be finite and greater than 0"),
                ((0, 1, float("nan")), ValueError, "step=nan: must be finite"),
                ((0, float("inf"), 1), ValueError, "hi=inf: must be finite"),
                (("0", 1, 1), TypeError, "lo='0': must be a number"),
                ((False, 1, 1), TypeError, "lo=False: must be a number"),
                ((0, 1, 1e-9), ValueError, "step=1e-09: must leave at most 10,001 positions"),
            ]
        ],
        *[
            (partial(Choice, "x", options), ValueError, "must be two or more different strings (choice 'x')")
            for options in [[], ["one"], ["a", "a"], ["a", 1], ["a", ["b"]]]
        ],
        *[
            (partial(Choice, "x", options), TypeError, "must be two or more different strings (choice 'x')")
            for options in ["ab", 3, None, {"a", "b"}, iter("ab")]
        ],
        *[
            (partial(kind, label, *more), TypeError, f"label={label!r}: must be a word or more")
            for kind, *more in [(Slider, 0, 1, 1), (Choice, ["a", "b"]), (Switch,)]
            for label in ["", " ", 3, None]
        ],
        (lambda: Switch("x", where={"shape": "ramp"}), TypeError, "where['shape']='ramp': must be a list, not empty"),
        (lambda: Switch("x", where={"shape": ()}), ValueError, "where['shape']=(): must be a list, not empty"),
        (lambda: Slider("x", 1, 9, 1, start=10), EITHER, "start=10: must be between 1 and 9"),
        (lambda: Choice("x", ["a", "b"], start="c"), EITHER, "start='c': must be one of 'a', 'b'"),
        (lambda: Switch("x", start=1), EITHER, "start=1: must be True or False"),
        (lambda: Choice("x", ["a", "b"], words={"c": "C"}), EITHER, "'c' is none of the options"),
        *[
            (partial(check_parameters, CONTROLS, **{name: value}), error, words)
            for name, value, error, words in [
                (
                    "gap",
                    1.5,
                    ValueError,
                    "gap=1.5: must be between 0.05 and 1 (gap between the best and the other option)",
                ),
                ("gap", np.float64(1.5), ValueError, "gap=1.5: must be between 0.05 and 1"),
                ("gap", 0.049, ValueError, "gap=0.049: must be between"),
                ("gap", float("nan"), ValueError, "gap=nan: must be between"),
                ("gap", "0.5", TypeError, "gap='0.5': must be a number"),
                ("gap", True, TypeError, "gap=True: must be a number"),
                ("gap", None, TypeError, "gap=None: must be a number"),
                ("gap", [0.5], TypeError, "gap=[0.5]: must be a number"),
                ("d", 21, ValueError, "d=21: must be between 1 and 20 (Components d)"),
                ("d", 0, ValueError, "d=0: must be between 1 and 20"),
                ("d", 5.0, TypeError, "d=5.0: must be a whole number"),
                ("d", np.bool_(True), TypeError, "d=True: must be a number"),
                ("shape", "sine", ValueError, "shape='sine': must be one of 'steps', 'ramp' (Shape)"),
                ("shape", 1, TypeError, "shape=1: must be one of"),
                ("bound", 1, TypeError, "bound=1: must be True or False (Theorem 1)"),
                ("bound", "no", TypeError, "bound='no': must be True or False"),
                ("seed", -1, ValueError, "seed=-1: must be at least 0"),
                ("seed", 1.5, TypeError, "seed=1.5: must be a whole number"),
                ("seed", True, TypeError, "seed=True: must be a whole number"),
                ("scale", "huge", ValueError, "scale='huge': must be one of 'quick', 'paper'"),
                ("live", 0, TypeError, "live=0: must be True or False"),
            ]
        ],
    ]
