"""Estimates cover, questions stay open where they must, verdicts follow from the readings, rows hold their numbers."""

import itertools
import json
import math

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from nbclient import NotebookClient
from scipy.special import stdtrit

import banditlab as bl
from banditlab.evidence import (
    CLASSES,
    SIGNS,
    Cases,
    Claim,
    Claims,
    Measure,
    Untested,
    bootstrap,
    count,
    difference,
    every,
    exact,
    growth_exponent,
    mean,
    median,
    power,
    proportion,
    quantile,
    quotient,
    ratio,
    regret_difference,
    some,
    verdict,
)
from banditlab.evidence.ledger_html import SHAPES
from banditlab.evidence.questions import jointly
from banditlab.evidence.verdicts import VERDICTS
from banditlab.explorer.figure import NOTEBOOK
from banditlab.report import ledger
from tests.bench import coverage


def between(low, high):
    """An estimate with this interval at every level."""
    return bl.evidence.Estimate((low + high) / 2, lambda level: (low, high))


@pytest.mark.parametrize(
    "holds, said, reading",
    [
        ({"printed": True}, "reproduced", "printed"),
        ({"printed": True, "other": True}, "reproduced", "holds: printed · other"),
        ({"printed": False, "other": False}, "not reproduced", "fails: printed · other"),
        ({"printed": False, "other": True}, "depends on the reading", "holds: other; fails: printed"),
        ({"printed": True, "other": False}, "depends on the reading", "holds: printed; fails: other"),
        ({"printed": None}, "undecided", "printed"),
        ({"printed": True, "other": None}, "reproduced", "holds: printed; undecided: other"),
        ({"printed": None, "other": True}, "undecided", "holds: other; undecided: printed"),
        ({"printed": False, "other": None}, "undecided", "fails: printed; undecided: other"),
        ({"a": True, "b": False, "c": None}, "depends on the reading", "holds: a; fails: b; undecided: c"),
    ],
)
def test_verdict_follows_from_the_readings(holds, said, reading):
    assert verdict(holds) == (said, reading)


@pytest.mark.parametrize(
    "ask, low, high, answer",
    [
        (lambda c: c.above(0), 0.1, 2, True),
        (lambda c: c.above(0), 0, 2, None),  # touches the limit
        (lambda c: c.above(0), -1, 0, False),
        (lambda c: c.above(0), -1, 1, None),
        (lambda c: c.at_least(0), 0, 2, True),
        (lambda c: c.at_least(0), -1, 0, None),
        (lambda c: c.at_least(0), -2, -1, False),
        (lambda c: c.below(1), 0, 1, None),
        (lambda c: c.below(1), 1, 2, False),
        (lambda c: c.at_most(1), 0, 1, True),
        (lambda c: c.between(0, 1), 0, 1, True),
        (lambda c: c.between(0, 1), 0.5, 1.5, None),
        (lambda c: c.between(0, 1), 1.5, 2, False),
        (lambda c: c.similar(), 0.95, 1.05, True),
        (lambda c: c.similar(), 1.2, 1.3, False),
        (lambda c: c.much_less(), 0.5, 0.66, True),
        (lambda c: c.much_less(), 0.6, 0.7, None),
        (lambda c: c.sublinear(), 0.4, 0.75, True),
        (lambda c: c.sublinear(), 0.8, 0.9, None),
        (lambda c: c.sublinear(), 0.95, 1.1, False),
        (lambda c: c.linear(), 0.95, 1.1, True),
        (lambda c: c.linear(), 0.8, 0.9, None),
        (lambda c: c.linear(), 0.4, 0.7, False),
        (lambda c: c.above(0), -math.inf, math.inf, None),
        (lambda c: c.above(0), math.nan, math.nan, None),
    ],
)
def test_a_question_is_answered_by_where_the_interval_lies(ask, low, high, answer):
    assert ask(Cases("it", between(low, high))).answer is answer


def test_exact_numbers_touch_their_limits():
    assert Cases("it", exact(0)).at_most(0).answer is True
    assert Cases("it", exact(0)).above(0).answer is False


def test_the_case_that_decides_is_named():
    found = {
        "good": between(3, 4),
        "near": between(0.1, 1),
        "open": between(-1, 1),
        "bad": between(-3, -2),
        "worst": between(-9, -8),
    }
    asked = Cases("lead", found)
    assert asked.above(0).measure().case == "worst"
    del found["bad"], found["worst"]
    assert Cases("lead", found).above(0).measure().case == "open"
    del found["open"]
    one = Cases("lead", found, unit="pulls").above(0).measure()
    assert (one.case, one.held, one.failed, one.cases) == ("near", 2, 0, 2)
    assert one.words() == "lead 0.55 [0.1, 1] pulls (near; 2 of 2 hold)" and one.rule() == "lead: above 0"


@pytest.mark.parametrize("ask", [lambda c: c.above(0), lambda c: c.below(9), lambda c: c.between(0, 9)])
def test_the_case_that_decides_where_intervals_have_no_end_does_not_depend_on_the_order_of_the_cases(ask):
    unknown = {"third": mean([3.0]), "second": mean([2.0]), "again": mean([2.0]), "nan": ratio([-1, 1], [1, 1])}
    for found in (
        unknown | {"near": mean([1, 7, 0.0])},
        {name: unknown[name] for name in ("third", "second", "again")},
    ):
        orders = itertools.permutations(found.items())
        assert len({ask(Cases("it", dict(order))).measure().case for order in orders}) == 1


def test_the_case_that_decides_is_the_first_of_equals():
    assert Cases("it", {"d = 3": exact(1), "d = 10": exact(1)}).above(0).measure().case == "d = 3"
    assert Cases("it", {"b": mean([1.0]), "a": mean([5.0])}).above(0).measure().case == "b"  # its number is nearer


def test_comparisons_share_the_level_and_exact_numbers_take_none():
    levels = []

    def ends(level):
        levels.append(level)
        return 0.0, 1.0

    found = {i: bl.evidence.Estimate(0.5, ends) for i in range(4)} | {"e": exact(1)}
    question = Cases("it", found).above(-1)
    question.measure()
    assert question.comparisons == 4 and set(levels) == {1 - 0.05 / 4}
    levels.clear()
    jointly({"a": question, "b": question})
    assert set(levels) == {1 - 0.05 / 8}


def test_counts_are_measures_too():
    answers = {"a": True, "b": None, "c": False}
    assert count("ranks", answers).answer is False
    assert count("ranks", answers, needed=2).answer is None
    assert count("ranks", answers, needed=1).answer is True
    assert (
        count("ranks", dict.fromkeys("abcdef", False)).measure().words() == "ranks 0 of 6 (fails: a, b, c and 3 more)"
    )


def test_a_bool_of_numpy_is_an_answer():
    yes, no = np.float64(3) > 2, np.float64(1) > 2
    assert count("panels", {"a": yes}).measure().words() == "panels 1 of 1" and count("panels", {"a": yes}).answer
    assert count("panels", {"a": yes, "b": no}).measure().words() == "panels 1 of 2 (fails: b)"
    assert every([yes, None]) is None and every([yes, no]) is False and some([no, yes]) is True
    assert verdict({"as printed": yes}) == ("reproduced", "as printed")


def test_all_and_one_of_several_conditions():
    assert every([True, True]) is True and every([True, None]) is None and every([None, False]) is False
    assert some([False, True, None]) is True and some([False, None]) is None and some([False, False]) is False


def covers(estimated, truth, level):
    """500 intervals hold the truth as often as they say, within 4 standard deviations."""
    hits = 0
    for _ in range(500):
        low, high = estimated().ends(level)
        hits += low < truth < high
    assert abs(hits / 500 - level) < 4 * math.sqrt(level * (1 - level) / 500)


@pytest.mark.parametrize("estimate", [mean, median, lambda x: ratio(x, np.ones_like(x))])
def test_intervals_cover(estimate):
    """300 samples of 40 standard exponentials moved by 2: a 90 % interval misses 10 % (4 standard errors: 7 %)."""
    rng = np.random.default_rng(5)
    truth = 2 + (np.log(2) if estimate is median else 1)
    misses = 0
    for _ in range(300):
        low, high = estimate(2 + rng.exponential(size=40)).ends(0.9)
        misses += not low <= truth <= high
    assert 0.03 < misses / 300 < 0.17


def test_ratios_of_same_and_of_independent_runs():
    rng = np.random.default_rng(6)
    x = rng.normal(10, 1, 200)
    low, high = ratio(2 * x, x).ends(0.95)
    assert low == pytest.approx(2) and high == pytest.approx(2)
    low, high = quotient(mean(2 * x), mean(rng.normal(10, 1, 200))).ends(0.95)
    assert low < 2 < high and high - low > 0.02
    assert math.isnan(ratio(-x, x).value) and Cases("", ratio(-x, x)).above(0).answer is None


def test_a_quotient_is_as_uncertain_below_as_its_numerator_and_above_as_its_denominator():
    found = quotient(mean([1, 3, 5, 7]), exact(1))  # 4, from below 0 to 8.1
    assert found.ends(0.95) == pytest.approx((0, mean([1, 3, 5, 7]).ends(0.95)[1]))
    assert Cases("", found).above(1).answer is None
    low, high = quotient(exact(4), mean([1, 3, 5, 7])).ends(0.95)
    assert low == pytest.approx(4 / mean([1, 3, 5, 7]).ends(0.95)[1]) and high == math.inf
    assert quotient(mean([3]), exact(1)).ends(0.95) == quotient(exact(1), mean([3])).ends(0.95) == (0, math.inf)
    down, up = between(2, 4), between(1, 5)  # both of value 3
    far = [math.hypot(math.log(3 / 2), math.log(5 / 3)), math.hypot(math.log(4 / 3), math.log(3))]
    assert quotient(down, up).ends(0.95) == pytest.approx((math.exp(-far[0]), math.exp(far[1])))
    assert quotient(exact(3), exact(2)).ends(0.95) == (1.5, 1.5) and quotient(exact(3), exact(2)).is_exact


def test_errors_of_the_logarithms_add_up_in_squares():
    rng = np.random.default_rng(7)
    first, second = (ratio(rng.normal(10, 2, 30), rng.normal(8, 1, 30)) for _ in range(2))
    (low, high), (least, most) = first.ends(0.9), second.ends(0.9)
    value = first.value / second.value
    down = math.hypot(math.log(first.value / low), math.log(most / second.value))
    up = math.hypot(math.log(high / first.value), math.log(second.value / least))
    assert quotient(first, second).ends(0.9) == pytest.approx((value * math.exp(-down), value * math.exp(up)), 1e-12)


def test_a_quotient_of_independent_means_covers_as_often_as_it_says():
    """500 pairs of samples of 20, 90 %, means 3 and 2, deviations 2 and 1: binomial, 4 standard deviations."""
    rng = np.random.default_rng(8)
    covers(lambda: quotient(mean(rng.normal(3, 2, 20)), mean(rng.normal(2, 1, 20))), 1.5, 0.9)


def test_a_single_run_decides_nothing():
    for found in (mean([3]), median([3]), bootstrap(lambda rows: np.full(np.shape(rows)[:-1], 3.0), 1)):
        assert found.value == 3 and found.ends(0.95) == (-math.inf, math.inf)
        assert Cases("it", found).above(0).answer is None and Cases("it", found).below(0).answer is None


def test_difference_of_independent_estimates_covers_as_often_as_it_says():
    """500 pairs of samples, 95 %: binomial, 4 standard deviations."""
    rng = np.random.default_rng(4)
    covers(lambda: difference(mean(rng.normal(3, 1, 30)), mean(rng.normal(1, 2, 30))), 2, 0.95)
    assert difference(exact(3), exact(1)).ends(0.95) == (2, 2) and difference(exact(3), exact(1)).is_exact


def test_share_is_clopper_and_pearson():
    from scipy.stats import binomtest

    for k, n in ((0, 20), (3, 20), (20, 20)):
        expected = binomtest(k, n).proportion_ci(0.9)
        assert proportion(k, n).ends(0.9) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("exponent, low, high", [(1.0, 0.99, 1.01), (0.5, 0.49, 0.51), (2 / 3, 0.65, 0.68)])
def test_growth_exponent_of_powers(exponent, low, high):
    t = np.arange(1, 201) * 50
    regret = np.random.default_rng(0).uniform(0.5, 1.5, (100, 1)) * t**exponent
    found = growth_exponent(t, regret)
    assert low < found.value < high and low < found.ends(0.95)[0] <= found.ends(0.95)[1] < high


def test_growth_of_a_logarithm_is_near_zero_and_of_falling_regret_unknown():
    t = np.arange(1, 201) * 500
    assert growth_exponent(t, np.log(t) * np.ones((5, 1))).value < 0.1
    assert math.isnan(growth_exponent(t, -t * np.ones((5, 1))).value)


@pytest.mark.parametrize("checkpoints", [[2000], [100, 2000], [700, 1400, 2100]])
def test_growth_asks_for_a_checkpoint_near_half_of_the_horizon(checkpoints):
    """Between distant ones regret taken as linear would decide."""
    with pytest.raises(ValueError, match="half of the horizon"):
        growth_exponent(checkpoints, np.ones((5, 1)) * np.sqrt(checkpoints))
    assert growth_exponent([1000, 2000], np.ones((5, 1)) * np.sqrt([1000, 2000])).value == pytest.approx(0.5)


def test_the_power_of_what_is_not_positive_says_nothing():
    found = power(mean([-4.0, -5.0, -4.5, -4.2]), 2)
    assert math.isnan(found.value) and Cases("power", found).sublinear().answer is None


def test_lead_is_the_paired_difference_of_the_result():
    result = bl.simulate(
        bl.classic.bernoulli([0.2, 0.8]), {"a": bl.classic.uniform(2), "b": bl.classic.ucb1(2)}, 200, runs=10
    )
    row = result.paired("a", "b").iloc[-1]
    found = regret_difference(result, "a", "b")
    low, high = found.ends(0.95)
    assert found.value == pytest.approx(row["mean"]) and low <= row["low"] < row["high"] <= high


@pytest.mark.parametrize("n, known", [(2, False), (58, False), (59, True)])
def test_few_equal_runs_decide_nothing(n, known):
    """An event of chance 5 % stays unseen in 58 runs more often than once in twenty times, in 59 less often."""
    constant = bootstrap(lambda rows: np.full(np.shape(rows)[:-1], 3.0), n)
    for found in (mean(np.full(n, 3.0)), constant, ratio(np.full(n, 6.0), np.full(n, 2.0))):
        low, high = found.ends(0.95)
        assert (low == pytest.approx(3) and high == pytest.approx(3)) if known else (low <= 0 and high == math.inf)
    assert mean(np.full(59, 3.0)).ends(0.999) == (-math.inf, math.inf)


def test_an_interval_holds_its_own_number_and_is_unknown_where_a_run_is_no_number():
    x = 1e16 * (1 + np.arange(100) % 3)
    found = ratio(x, x / 3)
    low, high = found.ends(0.95)
    assert low <= found.value <= high
    for broken in (mean([1.0, np.nan]), median([1.0] * 9 + [np.nan]), mean([1.0, np.inf, 2.0])):
        assert broken.ends(0.95) == (-math.inf, math.inf)


def test_the_interval_of_a_mean_reaches_further_on_the_side_of_the_long_tail():
    runs = np.random.default_rng(3).exponential(size=20)
    low, high = mean(runs).ends(0.95)
    half = stdtrit(19, 0.975) * runs.std(ddof=1) / math.sqrt(20)
    assert low == pytest.approx(runs.mean() - half) and high > runs.mean() + 1.2 * half
    assert mean(-runs).ends(0.95) == pytest.approx((-high, -low))


@pytest.mark.parametrize(
    "kind, law, n",
    [
        ("mean", "normal", 3), ("mean", "normal", 10), ("mean", "exponential", 20), ("mean", "lognormal, 1", 20),
        ("mean", "lognormal, 1.5", 100), ("mean", "t, 3 degrees", 10), ("mean", "0 or 1, 5 %", 20),
        ("mean", "0 or 1, 5 %", 100), ("mean", "1 to 3, tied", 5), ("ratio", "exponential", 10),
        ("quotient", "exponential", 10), ("growth_exponent", "normal", 10), ("growth_exponent", "lognormal, 1", 100),
        ("bootstrap of the mean", "normal", 100),
    ],
)  # fmt: skip
def test_intervals_hold_as_often_as_the_page_says(kind, law, n):
    """At least 93 % of so many samples, less three standard errors."""
    samples = 150 if "bootstrap" in kind else 1500
    held, _ = coverage.measure(kind, coverage.LAWS[law], n, samples, seed=1)
    assert held > 0.93 - 3 * math.sqrt(0.93 * 0.07 / samples)


@pytest.mark.parametrize("n", [2, 5, 20])
@pytest.mark.parametrize("chance", [0.05, 0.3, 0.5])
def test_the_interval_of_a_proportion_holds_at_least_as_often_as_it_says(n, chance):
    assert coverage.covered_proportion(n, chance) >= 0.95


@pytest.mark.parametrize("chance, n", [(0.5, 5), (0.5, 20), (0.9, 50), (0.95, 100), (0.25, 12)])
def test_quantiles_cover_whatever_the_law(chance, n):
    """2,000 samples of a skewed law, 95 %, by order statistics: at least 95 % less 3 standard errors."""
    rng = np.random.default_rng(9)
    truth, hits = -math.log(1 - chance), 0
    for _ in range(2000):
        low, high = quantile(rng.exponential(size=n), chance).ends(0.95)
        hits += low <= truth <= high
    assert hits / 2000 > 0.95 - 3 * math.sqrt(0.05 * 0.95 / 2000)


def some_claims():
    claims = Claims("toy")

    @claims("T1", "x < y & z", "Section 1", figure="Figure 1", note="20 runs")
    def first(scale, seed):
        return {"as printed": Cases("a", exact(1)).above(2), "times ten": [Cases("a", exact(10)).above(2)]}

    @claims("T2", "We found more.", "Section 2", ours=True)
    def second(scale, seed):
        return Cases("b", exact(seed)).at_least(0)

    @claims("T3", "Takes long.", "Section 3", scales=("paper",))
    def third(scale, seed):
        return Cases("c", exact(1)).above(2)

    @claims("T4", "On data.", "Section 4")
    def fourth(scale, seed):
        return Untested("on the paper's data", {"stand-in": Cases("d", between(-math.inf, 1)).above(0)})

    return claims


def test_a_sentence_on_all_instances_is_at_best_not_contradicted():
    claims = Claims("toy")
    for id, value in (("T1", 1), ("T2", 3)):
        claims(id, "For every instance.", "Theorem 1", universal=True, quote="for every $x$")(
            lambda scale, seed, value=value: Cases("largest ratio", exact(value)).at_most(2)
        )
    rows = claims.ledger("quick", 0)
    assert [row.verdict for row in rows] == ["not contradicted", "not reproduced"]
    assert [row.quote for row in rows] == ["for every $x$"] * 2 and "<q>for every $x$</q>" in rows.html()


def test_a_ledger_judges_in_the_order_of_the_file():
    rows = list(some_claims().ledger("quick", 3))
    assert [(c.id, c.verdict) for c in rows] == [
        ("T1", "depends on the reading"), ("T2", "found"), ("T3", "not tested"), ("T4", "not tested")
    ]  # fmt: skip
    assert rows[0].statistic == "as printed: a 1; times ten: a 10" and rows[0].rule == "a: above 2; 20 runs"
    assert rows[2].reading == "at this scale: it needs the paper size" and rows[2].measures == []
    assert rows[3].reading == "on the paper's data" and rows[3].measures[0]["low"] is None
    assert some_claims().ledger("paper").claims[2].verdict == "not reproduced"
    assert rows[0].source == f"{__name__}:some_claims.<locals>.first"


def test_measures_and_words_come_back_from_json():
    for claim in some_claims().ledger():
        again = json.loads(json.dumps(claim._asdict(), allow_nan=False))
        for row in again["measures"]:
            answer = row.pop("answer")
            ends = [math.nan if row[name] is None else row[name] for name in ("value", "low", "high")]
            one = Measure(**{**row, "holds": tuple(row["holds"])})._replace(value=ends[0], low=ends[1], high=ends[2])
            assert one.answer is answer


def test_a_row_tells_what_it_rests_on(monkeypatch):
    claims, world = Claims("toy"), bl.classic.bernoulli([0.2, 0.8])

    @claims("T1", "UCB1 learns.", "Section 1")
    def learns(scale, seed):
        first = bl.simulate(world, {"a": bl.classic.uniform(2), "b": bl.classic.ucb1(2)}, 200, runs=10, seed=seed)
        return [Cases("lead", regret_difference(first, "a", "b")).above(0) for _ in range(2)]

    @claims("T2", "One is one.", "Section 1")
    def one(scale, seed):
        return Cases("one", exact(1)).at_least(1)

    rows = list(claims.ledger())
    assert rows[0].sizes == "10 runs of 200 rounds; one look" and rows[0].seconds > 0
    assert rows[1].sizes == "" and rows[1].seconds == 0


def test_a_claim_that_puts_results_together_tells_the_seconds_of_their_parts():
    claims, arms = Claims("toy"), bl.classic.bernoulli([0.2, 0.8])

    def play(name, make, seed):
        return bl.simulate(arms, {name: make(2)}, 100_000, runs=3, checkpoints=[50_000, 100_000], seed=seed)

    @claims("J1", "UCB1 learns.", "Section 1")
    def joined(scale, seed):
        parts.extend([play("a", bl.classic.uniform, seed), play("b", bl.classic.ucb1, seed)])
        return Cases("lead", regret_difference(parts[0].join(parts[1]), "a", "b")).above(0)

    @claims("J2", "EXP3 learns.", "Section 1")
    def simulate_horizons(scale, seed):
        found = bl.simulate_horizons(
            arms, lambda T: {"EXP3": bl.classic.exp3(2, T)}, [50_000, 100_000], runs=3, seed=seed
        )
        parts.append(found)
        return Cases("growth", growth_exponent(found.checkpoints, found.of_policy("EXP3"))).sublinear()

    parts = []
    rows = claims.ledger()
    seconds = [part.origin["seconds"] for part in parts]
    assert min(seconds) > 0
    assert [row.seconds for row in rows] == pytest.approx([sum(seconds[:2]), seconds[2]])
    assert rows.seconds == pytest.approx(sum(seconds))
    for row in rows:
        assert isinstance(row.seconds, float)
        ledger.check_row(json.loads(json.dumps(row._asdict())))


def test_a_notebook_says_how_far_the_ledger_is():
    code = """
from banditlab.evidence import Cases, Claims, exact
claims = Claims("toy")
@claims("T1", "One is one.", "Section 1")
def one(scale, seed):
    return Cases("one", exact(1)).at_least(1)
@claims("T2", "It fails.", "Section 1")
def failing(scale, seed):
    if seed:
        raise ValueError(seed)
    return Cases("one", exact(1)).at_least(1)
"""
    cells = [nbformat.v4.new_code_cell(text) for text in (code, "claims.ledger()", "claims.ledger(seed=1)")]
    said = []

    class Client(NotebookClient):
        def process_message(self, message, cell, cell_index):
            if message["msg_type"] in ("display_data", "update_display_data"):
                said.append(message["content"]["data"]["text/plain"])
            return super().process_message(message, cell, cell_index)

    notebook = nbformat.v4.new_notebook(cells=cells)
    Client(notebook, allow_errors=True).execute()
    told = ["", "0 of 2 claims are judged ...", "1 of 2 claims are judged ...", ""]
    assert said == told * 2
    for cell, kind in zip(notebook.cells[1:], ("execute_result", "error"), strict=True):
        line, last = cell.outputs
        assert (line.data["text/plain"], line.data["text/html"], last.output_type) == ("", "", kind)
        assert NOTEBOOK in line.data


def test_the_ledger_shows_every_claim_with_sign_and_word_and_counts_ours_apart():
    rows = some_claims().ledger()
    bundle = rows._repr_mimebundle_()
    soup = BeautifulSoup(bundle["text/html"], "html.parser")
    for claim in rows:
        row = soup.find(id=f"claim-{claim.id}")
        sign = row.find(class_=CLASSES[claim.verdict])
        assert row.find(class_="id").text == claim.id and sign.svg and sign.text.strip() == claim.verdict
        mark = soup.find("a", class_="mark", href=f"#claim-{claim.id}")
        assert mark.svg == sign.svg and mark.text == f"{claim.id}, {claim.verdict}"
    fields = {field.b.text: len(field.select(".mark")) for field in soup.select(".field")}
    assert fields == {"the paper": 3, "ours": 1}
    assert [term.text.strip() for term in soup.select(".means dt")] == list(VERDICTS)
    assert rows.counts() == {"the paper's": {"depends on the reading": 1, "not tested": 2}, "ours": {"found": 1}}
    assert "x &lt; y &amp; z" in bundle["text/html"] and "x < y & z" in bundle["text/plain"] == str(rows)
    assert list(bundle["application/vnd.banditlab.ledger+json"]["claims"][0]) == [*Claim._fields, "also"]
    assert not any(isinstance(value, list) for value in bundle.values())  # VS Code takes a list for lines of text
    assert set(CLASSES) == set(SIGNS)


def test_no_two_verdicts_look_alike_without_colour():
    assert len({SHAPES[css] for css in CLASSES.values()}) == len(set(CLASSES.values())) == len(SHAPES)


def test_of_a_law_with_two_humps_a_single_failing_run_tells():
    """1,000 samples, 3 standard errors; 5 % of the runs lose thirty times as much, 8 % of the samples hold none."""
    rng, held, without = np.random.default_rng(0), 0, 0
    for _ in range(1000):
        fails = rng.random(50) < 0.05
        low, high = mean(np.where(fails, 30.0, 1.0) * rng.lognormal(-0.02, 0.2, 50)).ends(0.95)
        covers = low <= 0.95 + 0.05 * 30 <= high
        without += not fails.any()
        held += covers and fails.any()
        assert fails.any() or not covers
    assert held / (1000 - without) > 0.95 - 3 * np.sqrt(0.05 * 0.95 / (1000 - without))


def test_numbers_of_numpy_and_missing_runs_are_welcome():
    assert proportion(np.int64(1), np.int64(2)).value == 0.5 and exact(np.float32(2)).value == 2
    assert np.isnan(mean([1.0, np.nan]).value) and Cases("it", mean([1.0, np.nan])).above(0).answer is None
    row = Cases("it", exact(1)).between(np.int64(0), 2).measure().row()
    assert (row["holds"], type(row["holds"][0])) == ((0, 2), float)


def test_a_claim_that_cannot_be_tested_need_not_ask():
    claims = Claims("toy")
    claims("T1", "It holds.", "Section 1")(lambda scale, seed: Untested("why"))
    assert [(claim.verdict, claim.reading) for claim in claims.ledger()] == [("not tested", "why")]
