"""What a reader's program looks like to a type checker; it is checked by `mypy --strict` and never run."""

import concurrent.futures
from typing import assert_type

import numpy as np
import pandas as pd

import banditlab as bl
from banditlab.evidence import Cases, Estimate, Question, growth, regret_difference

result = bl.simulate(bl.classic.bernoulli([0.9, 0.8]), {"UCB1": bl.classic.ucb1(2)}, 1000, runs=20, seed=1)
assert_type(result, bl.Result)
assert_type(result.policies, list[str])
assert_type(result.of_policy("UCB1"), np.ndarray)
assert_type(result.paired("UCB1", "UCB1", level=0.9), pd.DataFrame)
assert_type(bl.load("result.npz"), bl.Result)
result.save("result.npz")

with concurrent.futures.ProcessPoolExecutor() as pool:
    drawn = bl.random_instances(bl.uplifting.paper_gaussian)
    bl.simulate(drawn, [("UCB1", bl.classic.ucb1(2))], 100, executor=pool, progress=print)

bl.simulate_horizons(drawn, lambda horizon: {"EXP3": bl.classic.exp3(2, horizon)}, [100, 200], runs=5)
assert_type(bl.record_run(bl.classic.bernoulli([0.9]), bl.classic.ucb1(1), 100).regret, np.ndarray)

claims = bl.Claims("mine")


@claims("M1", "It is sublinear.", "Theorem 1", scales=("paper",))
def sublinear(scale: str, seed: int) -> list[Question]:
    exponents = {name: growth(result, name) for name in result.policies}
    assert_type(regret_difference(result, "UCB1", "UCB1"), Estimate)
    return [Cases("growth exponent", exponents).sublinear()]


ledger = claims.ledger("paper", seed=2)
assert_type(ledger, bl.Ledger)
assert_type([claim.verdict for claim in ledger], list[str])
assert_type(Cases("lead", regret_difference(result, "UCB1", "UCB1")).above(0).answer, bool | None)
