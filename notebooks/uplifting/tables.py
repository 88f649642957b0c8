"""The paper's numbers beside ours."""

import pandas as pd

from banditlab.evidence import growth
from banditlab.uplifting import bounds

from . import drawings, names, studies, tuning
from .runs import PANELS
from .tuning import q95


def final_regrets(scale, seed=0):
    """Final regrets in Figures 2 and 4: a row per setting and policy.

    Mean, standard error, median, 95 % quantile, and the growth exponent log2(R_T / R_{T/2}).

    Parameters
    ----------
    scale : {"quick", "paper"}
    seed : int >= 0
    """
    settings = {panel: panel[4:] for panel in PANELS}
    results = {settings[cell.panel]: one for cell, one in studies.FIGURE_2.results(scale, seed).items()}
    results |= {f"campaign, {cell.mode}": one for cell, one in studies.FIGURE_4.results(scale, seed).items()}
    rows = []
    for setting, result in results.items():
        last = result.summary().groupby("policy", sort=False).last()
        for name, row in last.iterrows():
            numbers = row["mean"], row["se"], row["median"], q95(result.final_regret(name))
            rows.append((setting, name, *map(rounded, numbers), f"{growth(result, name).value:.2f}"))
    columns = ["setting", "policy", "mean", "standard error", "median", "95 % quantile", "growth exponent"]
    return pd.DataFrame(rows, columns=columns).set_index(["setting", "policy"])


def rounded(value):
    """Three digits or more."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def tunings(scale, seed=0):
    """The tunings behind Table 3 by setting, as many as the scale has: setting to name of the policy to Tuned."""
    found = {
        "Gaussian": {cell.policy: one for cell, one in studies.TUNED.results(scale, seed).items()},
        "Bernoulli, clusters": {cell.policy: one for cell, one in studies.TUNED_CLUSTERS.results(scale, seed).items()},
    }
    found["Gaussian"].pop(names.LCB)  # not in Table 3
    if scale == "paper":
        people = studies.TUNED_PEOPLE.results(scale, seed)
        found["Bernoulli, variables"] = {cell.policy: one for cell, one in people.items()}
        for cell, one in studies.TUNED_CAMPAIGN.results(scale, seed).items():
            found.setdefault(f"campaign, {cell.mode}", {})[cell.policy] = one
    return found


def printed(setting, name):
    """The value in the paper's Table 3."""
    return tuning.TABLE_3[setting.removeprefix("campaign, ").partition(",")[0]][name]


def table_3(scale, seed=0):
    """Table 3: the paper's tuned parameters beside ours, a row per setting and policy.

    Whether ours is at the edge of the grid; both scores, and the standard error (paired bootstrap) of their difference.
    Quick leaves out the campaign and the nAff policies on Bernoulli payoffs, and takes a part of each grid.

    Parameters
    ----------
    scale : {"quick", "paper"}
    seed : int >= 0
    """
    rows = []
    for setting, found in tunings(scale, seed).items():
        for name, one in found.items():
            paper, scores = printed(setting, name), one.table.set_index("parameter")["score"]
            rows.append(
                (setting, name, f"{paper:g}", f"{one.best:g}", one.edge, scores[paper], scores[one.best],
                 one.worse_by(paper)[1], int(one.result.checkpoints[-1]), one.result.regret.shape[1], len(scores))
            )  # fmt: skip
    columns = ["setting", "policy", "paper", "ours", "at the edge", "score of the paper's", "best score",
               "standard error", "rounds", "runs", "grid values"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns).round(1).set_index(["setting", "policy"])


def printed_parameters(scale, seed=0):
    """Figure of Table 3: what every parameter scores, and behind it the paper's choice.

    Parameters
    ----------
    scale, seed
        As in `table_3`.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    found = {setting: {n: (printed(setting, n), one) for n, one in tuned.items()} for setting, tuned in
             tunings(scale, seed).items()}  # fmt: skip
    figure = drawings.tuned_beside(found)
    losses = [one.worse_by(theirs) for own in found.values() for theirs, one in own.values()]
    near = sum(loss <= 2 * error for loss, error in losses)
    caption = (
        "Mean plus standard deviation of the final regret (Appendix D.1) over that of the best parameter: β of UCB and "
        "UpUCB, σ² of Thompson sampling; in the campaign a bonus or ε. Pale: the parameter that the paper prints. Of "
        f"{len(losses)} printed ones {near} are within two standard errors of our best."
    )
    figure.update_layout(title_text="What the printed parameters score", meta=dict(caption=caption))
    return figure


KNOWS = {
    "UCB": "nothing",
    "UpUCB (bl)": "baseline and affected sets",
    "UpUCB": "affected sets",
    "UpUCB-nAff": "L",
    "UpUCB-iLift": "Δᵤₚ",
}


def table_1(L=10, m=100, K=10, gap=0.2, delta_up=0.1):
    """Table 1: what every algorithm knows, the order of its regret, and the order's number for one instance.

    Parameters
    ----------
    L, m, K : int, affected variables, variables, actions
    gap : float, gap of all actions but the best
    delta_up : float, least individual uplift
    """
    orders = bounds.orders(K, m, L, gap, delta_up)
    words = ["K m² / Δ", "K L² / Δ", "K L² / Δ", "K L² / Δ", "K clip(Δ/Δᵤₚ, L, m)² / Δ"]
    rows = [(name, KNOWS[name], word, orders[name]) for name, word in zip(orders, words, strict=True)]
    number = f"for K = {K}, m = {m}, L = {L}, Δ = {gap:g}, Δᵤₚ = {delta_up:g}"
    return pd.DataFrame(rows, columns=["algorithm", "knows", "order of regret / log T", number]).set_index("algorithm")
