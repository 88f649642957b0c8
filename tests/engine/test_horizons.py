"""Policies that must know their horizon: each point of the curve is a simulation of its own."""

import numpy as np

import banditlab as bl
from banditlab import classic, composite

ARMS = classic.bernoulli([0.2, 0.5, 0.9])
HORIZONS = [20, 50, 200]


def make(T):
    """EXP3 for this horizon; a second one that cannot play less than 50 rounds."""
    policies = {"EXP3": classic.exp3(3, T)}
    return policies if T < 50 else {**policies, "late": classic.exp3(3, 2 * T)}


def test_every_horizon_is_a_simulation():
    result = bl.simulate_horizons(ARMS, make, HORIZONS, runs=4, seed=3)
    assert result.checkpoints.tolist() == HORIZONS
    assert result.policies == ["EXP3", "late"]
    for h, T in enumerate(HORIZONS):
        alone = bl.simulate(ARMS, make(T), T, 4, 3, 1)
        for p, name in enumerate(result.policies):
            if name in alone.policies:
                assert result.regret[p, :, h].tolist() == alone.final_regret(name).tolist()
            else:
                assert np.isnan(result.regret[p, :, h]).all()


def test_a_policy_without_a_horizon_joins():
    result = bl.simulate_horizons(ARMS, make, HORIZONS, runs=4, seed=3)
    always = bl.simulate(ARMS, {"UCB1": classic.ucb1(3)}, 200, 4, 3, checkpoints=HORIZONS)
    both = always.join(result)
    assert both.policies == ["UCB1", "EXP3", "late"]
    alone = bl.simulate(ARMS, classic.ucb1(3), 200, 4, 3, 1)
    assert both.final_regret("UCB1").tolist() == alone.final_regret("UCB1").tolist()


def test_the_world_may_have_a_length_too():
    def world(T):
        return composite.adversarial(np.arange(T) % 3, composite.oblivious_delay(1, 1))

    result = bl.simulate_horizons(world, lambda T: {"EXP3": classic.exp3(3, T)}, [30, 60], runs=2)
    alone = bl.simulate(world(30), {"EXP3": classic.exp3(3, 30)}, 30, 2)
    assert result.regret[0, :, 0].tolist() == alone.final_regret("EXP3").tolist()
    assert result.settings["horizon"] == 60


def test_its_settings_give_the_longest_horizon_again():
    result = bl.simulate_horizons(ARMS, make, HORIZONS, runs=4.0, seed=3.0)
    again = bl.simulate(**result.settings)
    assert again.regret[:, :, -1].tobytes() == result.regret[:, :, -1].tobytes() and again != result
    assert result == bl.simulate_horizons(ARMS, make, np.array(HORIZONS), runs=4, seed=3)


def test_saved_and_summed_up(tmp_path):
    result = bl.simulate_horizons(ARMS, make, HORIZONS, runs=4, seed=3)
    result.save(tmp_path / "a.npz")
    assert bl.load(tmp_path / "a.npz").regret.tobytes() == result.regret.tobytes()
    assert result.summary()["mean"].isna().tolist() == [False] * 3 + [True] + [False] * 2


def test_progress():
    seen = []
    bl.simulate_horizons(ARMS, make, HORIZONS, progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 1.0
