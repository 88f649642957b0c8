"""Two results side by side, and tables for a paper."""

import numpy as np
import pytest

import banditlab as bl
from banditlab import classic, evidence

ARMS = classic.bernoulli([0.2, 0.5, 0.9])
SETTINGS = dict(environment=ARMS, horizon=200, runs=8, seed=5, checkpoints=4)
POLICIES = {"UCB1": classic.ucb1(3), "uniform": classic.uniform(3)}


@pytest.fixture(scope="module")
def result():
    return bl.simulate(policies=POLICIES, **SETTINGS)


def test_differences_are_paired(result):
    other = bl.simulate(policies={"wide": classic.ucb1(3, 8.0)}, **{**SETTINGS, "checkpoints": 8})
    table = bl.compare(result, other)
    assert list(table.columns) == ["policy", "other", "t", "mean", "se", "low", "high", "median", "q95"]
    assert table[["policy", "other", "t"]].values.tolist() == [
        [name, "wide", t] for name in POLICIES for t in (50, 100, 150, 200)
    ]
    both = bl.simulate(policies={**POLICIES, **other.settings["policies"]}, **SETTINGS)
    expected = both.paired("uniform", "wide")
    found = table.query("policy == 'uniform'")
    # Tolerance: another order of summation.
    assert found["low"].tolist() == pytest.approx(expected["low"].tolist(), rel=1e-12)


def test_a_policy_in_both_is_compared_with_itself(result):
    table = bl.compare(result, result)
    assert table["policy"].tolist() == table["other"].tolist()
    assert (table[["mean", "se"]] == 0).all(axis=None)


@pytest.mark.parametrize(
    "changes, told",
    [
        ({"environment": classic.bernoulli([0.2, 0.5, 0.8])}, "another environment"),
        ({"seed": 6}, "another seed"),
        ({"runs": 9}, "another runs"),
        ({"horizon": 201}, "another horizon"),
    ],
)
def test_other_worlds_are_refused(changes, told, result):
    with pytest.raises(ValueError, match=told):
        bl.compare(result, bl.simulate(policies=POLICIES, **{**SETTINGS, **changes}))
    with pytest.raises(TypeError, match="other=int: must be a Result"):
        bl.compare(result, 3)


def made(finals):
    """A result with these regrets at the horizon."""
    regret = np.array(finals, float)[:, :, None]
    policies = {f"P_{i}": classic.uniform(3) for i in range(len(finals))}
    settings = dict(environment=ARMS, policies=policies, horizon=10, runs=regret.shape[1], seed=0, checkpoints=1)
    return bl.Result(settings, np.array([10]), regret, {}, {"seconds": 0.0})


def test_bold_is_what_cannot_be_told_from_the_least():
    """P_1 differs from P_0 by noise around 0, P_2 by 5 in every run."""
    table = made([[10, 11, 12, 13], [11, 10, 13, 12.2], [15, 16, 17, 18.1]])
    text = table.table()
    assert "| P_0 | **11.5** ± 0.6 |" in text
    assert "| P_1 | **11.6** ± 0.7 |" in text
    assert "| P_2 | 16.5 ± 0.7 |" in text
    assert "Bold: the least mean" in text and "10 rounds, 4 runs" in text
    latex = table.table("latex", digits=2)
    assert r"P\_0 & $\mathbf{11.50} \pm 0.65$ \\" in latex
    assert r"P\_2 & $16.52 \pm 0.67$ \\" in latex
    with pytest.raises(ValueError, match="form='html': must be one of"):
        table.table("html")


def test_the_best_reward_is_the_largest():
    text = made([[10, 11, 12, 13], [15, 16, 17, 18.1]]).table(best="largest")
    assert "| P_0 | 11.5 ±" in text and "| P_1 | **16.5** ±" in text and "Bold: the largest mean" in text
    with pytest.raises(ValueError, match="best='most': must be one of"):
        made([[1.0, 2.0]]).table(best="most")


def test_what_is_unknown_is_not_the_best():
    text = made([[np.nan, 1.0], [15.0, 16.0]]).table()
    assert "| P_0 | nan ± nan |" in text and "| P_1 | **15.5** ±" in text


def test_a_bar_in_a_name_ends_no_column():
    result = made([[1.0, 2.0], [3.0, 4.0]])
    result.settings["policies"] = {"a|b": classic.uniform(3), "c": classic.uniform(3)}
    assert "| a&#124;b | **1.5** ± 0.5 |" in result.table()


def test_bold_is_judged_as_a_claim_is():
    """By the interval of `evidence.mean`: a single run says nothing, and a long tail of the differences counts."""
    single = made([[10.0], [15.0]])
    assert single.table().count("**") == 4 and "± unknown" in single.table() and "1 run." in single.table()
    assert "1 run of" in repr(single) and r"\pm \text{unknown}$" in single.table("latex")
    gaps = np.array([*np.linspace(0.5, 1.5, 29), -8.0])
    skewed = made([np.full(30, 10.0), 10 + gaps])
    assert skewed.paired("P_1", "P_0")["low"].iloc[0] > 0 > evidence.mean(gaps).ends(0.95)[0]
    assert "| P_1 | **10.7** ± 0.3 |" in skewed.table()


def test_quantiles_at_any_level(result):
    summary = result.summary(quantiles=[0.05, 0.5, 0.975])
    assert list(summary.columns) == ["policy", "t", "mean", "se", "low", "high", "median", "q5", "q50", "q97.5"]
    assert summary["q50"].tolist() == summary["median"].tolist()
    assert summary["q5"].iloc[-1] == np.quantile(result.final_regret("uniform"), 0.05)
    with pytest.raises(ValueError, match="quantiles=1.5"):
        result.summary(quantiles=[1.5])
