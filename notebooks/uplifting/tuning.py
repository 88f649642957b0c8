"""The grids of Appendix D.1 and the parameters that the paper chose from them (Table 3)."""

GAUSSIAN_BETAS = tuple(range(1, 11))
GAUSSIAN_SIGMA2 = tuple(sorted({round(k * 10.0**-g, 10) for k in range(1, 11) for g in (0, 1, 2)}))
BERNOULLI_GRID = tuple(sorted({round(k * 10.0**-g, 12) for k in range(1, 11) for g in (5, 6, 7)}))
EPSILONS, BONUSES = (0.05, 0.1, 0.2, 0.3), (0.5, 1.0, 2.0, 3.0)

# Table 3, the paper's choices: beta, sigma^2, and in the campaign bonus or epsilon.
TABLE_3 = {
    "Gaussian": {
        "UCB": 2, "Thompson": 0.08, "UpUCB (bl)": 5, "UpUCB": 3, "UpUCB-nAff (bl)": 5, "UpUCB-nAff": 3,
    },
    "Bernoulli": {
        "UCB": 7e-7, "Thompson": 2e-7, "UpUCB (bl)": 8e-5, "UpUCB": 8e-5, "UpUCB-nAff (bl)": 5e-7, "UpUCB-nAff": 2e-6,
    },
    "counterfactual": {"ε-greedy (bl)": 0.2, "ε-greedy": 0.1, "C2UpUCB (bl)": 2.0, "C2UpUCB": 2.0, "C2UCB": 2.0},
    "all": {"ε-greedy (bl)": 0.2, "ε-greedy": 0.2, "C2UpUCB (bl)": 2.0, "C2UpUCB": 2.0, "C2UCB": 2.0},
}  # fmt: skip


NEGLIGIBLE = 0.05  # a loss of this share of the best


def negligible(loss, error, best):
    """Whether a loss is negligible: True if surely below 5 % of the best, False if above that and 3 standard errors."""
    least = NEGLIGIBLE * best
    return True if loss + 2 * error < least else False if loss > max(least, 3 * error) else None
