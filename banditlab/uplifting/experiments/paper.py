"""The paper's figures as printed."""

import numpy as np

from ... import figures
from ...result import interval
from ...tuning import q95
from ..environments.campaigns import MODES
from . import instances, live, studies
from .instances import NAFF, NAFF_BL, STYLES, TS, UCB, UP, UPLIFTING


def headline(scale, seed=0):
    """Regret of all policies on the Gaussian instance, with what each is told in its name.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, result : plotly.graph_objects.Figure, Result
        The figure and its runs.
    """
    result = studies.gaussian_runs(scale, seed)
    best, reward = (min(result.of_policy(name)[:, -1].mean() for name in names) for names in (UPLIFTING, (UCB, TS)))
    caption = (
        rf"Ten actions, each moves 10 of 100 correlated variables. Mean cumulative regret of {result.regret.shape[1]} "
        rf"runs, {figures.band_name(1)}. The best policy that looks at the payoffs of the variables has "
        rf"regret {best:,.0f}, the best that looks at their sum {reward:,.0f}."
    )
    return figures.regret(result, 1, "What seeing every payoff is worth", caption, styles=STYLES), result


def paper_figure2(scale, seed=0):
    """Figure 2: regret with Gaussian and with Bernoulli payoffs.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, list
        The figure, and the results of its three panels.
    """
    results = [of(scale, seed) for of in (studies.gaussian_runs, studies.bernoulli_runs, studies.people_runs)]
    titles = ["(a) Gaussian", "(b) Bernoulli, by clusters", "(b) Bernoulli, 100,000 variables"]
    people, size = results[2], studies.sizes(scale)
    last = {name: np.median(people.of_policy(name)[:, -1]) for name in people.policies}
    caption = (
        rf"{figures.band_name(1).capitalize()} over {size.runs} runs ({size.people_runs} in the right panel), "
        "parameters of Table 3. The nAff policies need every variable's payoff, so that they stand in the right panel "
        f"only, on a shorter horizon; there the median regret of UCB is {last[UCB]:,.0f}, of UpUCB {last[UP]:,.0f}, "
        f"of UpUCB-nAff (bl) {last[NAFF_BL]:,.0f}, and of UpUCB-nAff {last[NAFF]:,.0f}."
    )
    shown = dict(zip(titles, results, strict=True))
    return figures.panels(shown, 1, "The paper's Figure 2: six policies", "round t", caption, STYLES), results


def paper_figure3(scale, seed=0):
    """Figure 3: which bound of the baseline, and a misspecified L; parameters tuned as in Appendix D.1.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, list
        The figure, and the tunings behind its two rows.
    """
    told = {f"given L = {L}": one for L, one in studies.limits(scale, seed).items()}
    rows = [studies.ablations(scale, seed), told]
    titles = ["(a) mean", "(a) 95 % quantile", "(b) mean", "(b) 95 % quantile"]
    text = ", ".join(f"{name}: {t.best:g}" for row in rows for name, t in row.items())
    caption = rf"{figures.band_name(1).capitalize()} over {studies.sizes(scale).tuning_runs} runs; tuned β: {text}."
    figure = figures.blank(
        "The paper's Figure 3: ablations", "round t", "regret", caption, rows=2, columns=2, subplot_titles=titles
    )
    for row, found in enumerate(rows, 1):
        for index, (name, one) in enumerate(found.items()):
            regret, checkpoints = one.result.of_policy(repr(one.best)), one.result.checkpoints
            mean, error, _ = interval(regret)
            place = index if row == 1 else index + 2
            figures.curve(figure, checkpoints, mean, name, place, mean - error, mean + error, row=row, column=1)
            figures.curve(figure, checkpoints, q95(regret), name, place, row=row, column=2, legend=False)
    figures.name_band(figure, 1)
    return figure, rows


def paper_figure4(scale, seed=0):
    """Figure 4: the campaign in both feedback modes.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, list
        The figure, and the results of its two rows.
    """
    campaigns = [studies.campaign_runs(mode, scale, seed) for mode in MODES]
    results, pool = [one.result for one in campaigns], campaigns[0].pool
    gains = "; ".join(f"with feedback “{mode}” {gained(r)}" for mode, r in zip(MODES, results, strict=True))
    caption = (
        rf"Data: {pool}. {studies.sizes(scale).campaign_runs} runs, {figures.band_name(1)}, bonus and ε "
        "of Table 3. Top: the logged visit is used where the log agrees with the choice; bottom: all visits follow the "
        f"oracle models. Predicted uplift per treated person at the end, {gains}."
    )
    return live.campaign_figure(results, MODES, caption, "The paper's Figure 4: a targeted campaign"), results


def gained(result):
    """Mean uplift at the end, policy by policy, in words."""
    _, uplift, oracle = instances.mean_uplift(result)
    said = [f"{name} {mean:.3f}" for name, mean in zip(result.policies, uplift[:, :, -1].mean(axis=1), strict=True)]
    return ", ".join([*said, f"oracle {oracle[-1]:.3f}"])


def linear_payoffs(scale, seed=0):
    """Linear payoffs (Section 8) with one and with two treatments; the paper has no such experiment.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results by number of treatments.
    """
    results = studies.linear_runs(scale, seed)
    one = next(iter(results.values()))
    world, runs = one.settings["environment"], one.regret.shape[1]
    last = ", ".join(f"{name} {one.of_policy(name)[:, -1].mean():,.0f}" for name in one.policies)
    caption = (
        rf"{figures.band_name(1).capitalize()} over {runs} runs: {world.individuals} people a round with "
        rf"{world.theta.shape[1]} features, {world.budget} of them treated, instance ours. $\lambda=1$, and with the "
        rf"$\alpha_t$ of Theorem 5 $\lambda={world.budget}$, $S=1$, $\delta=0.05$. C2UpUCB-M with one treatment is "
        f"C2UpUCB; mean regrets there: {last}."
    )
    titles = list(results)
    figure = figures.blank("Linear payoffs", "round t", "regret", caption, columns=2, subplot_titles=titles)
    for column, result in enumerate(results.values(), 1):
        figures.regret(result, 1, figure=figure, column=column, legend=column == 1, styles=STYLES)
    figures.name_band(figure, 1)
    figure.update_layout(margin_t=150)
    return figure, results
