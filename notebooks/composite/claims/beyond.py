"""What the paper did not ask: claims of ours."""

import math

from banditlab.composite import bounds
from banditlab.evidence import Cases, count, exact, growth, mean, ratio
from banditlab.evidence.questions import jointly

from .. import misleading, refined
from ..beyond import GENERAL_TOLD
from ..delay import CASES
from ..drawings import CENTRE
from ..runs import CLW, GROWTHS, NINE, named
from ..studies import ALPHA_AGAINST_T, KNOWLEDGE, MISLED
from .registry import claims
from .stochastic import at_share


@claims("B1", "A map over (s₂/s₁, d) says where delays that watch mislead CLW, in the cells that were played.",
        "Section 4.2", ours=True, figure="Who is misled", note="four cells; what a fresh round loses is exact, "
        "where CLW goes then is first order; cells whose growth exponent is open are left out")  # fmt: skip
def map_holds(scale, seed):
    results = MISLED.results(scale, seed)
    asked = {cell: Cases("", growth(result, CLW)).linear() for cell, result in results.items()}
    answers = jointly(asked)
    agree = {f"s₂/s₁ = {cell.tie}, d = {cell.d}": answer is (misleading.clw_drift(cell.tie, cell.d, 0.5) < 0)
             for cell, answer in answers.items() if answer is not None}  # fmt: skip
    agree = agree or {"no cell is decided": None}
    return count("cells in which CLW's growth is as the map says", agree)


@claims("B2", "Under long delays the best α rises with T: stuck runs cost in proportion to T.", "Remark 1", ours=True,
        figure="α against T", note="α = 1 against 8 at T/64, T/16 and T, increasing 100")  # fmt: skip
def alpha_rises(scale, seed):
    (result,) = ALPHA_AGAINST_T.results(scale, seed).values()
    low, high, horizon = named(1.0, "k2"), named(8.0, "k2"), int(result.checkpoints[-1])
    early = {f"T = {horizon // part:,}": mean(at_share(result, high, 1 / part) - at_share(result, low, 1 / part))
             for part in (64, 16)}  # fmt: skip
    late = {f"T = {horizon:,}": mean(result.final_regret(low) - result.final_regret(high))}
    return [
        Cases("regret at α = 8 minus that at α = 1, early", early).above(0),
        Cases("regret at α = 1 minus that at α = 8, late", late).above(0),
    ]


@claims(
    "B3",
    "Generalised ODAAF that is told nothing loses much less than when it is told the truth.",
    "Section 4.1",
    ours=True,
    figure="Knowledge",
    note="told d = 0; increasing 50, interval 10–20; its schedule is derived",
)
def told_nothing(scale, seed):
    found = {cell.case: ratio(*(result.final_regret(GENERAL_TOLD.format(m)) for m in (0.0, 1.0)))
             for cell, result in KNOWLEDGE.results(scale, seed).items()}  # fmt: skip
    return Cases("regret given d = 0 over that given the truth", found, axis="log").much_less()


@claims("B4", "Told nothing, generalised ODAAF is no worse than ARS-UCB.",
        "Section 4.1", ours=True, figure="Knowledge",
        note="within 10 %, or better; its schedule is derived")  # fmt: skip
def constants_not_knowledge(scale, seed):
    found = {cell.case: ratio(result.final_regret(GENERAL_TOLD.format(0.0)), result.final_regret(CENTRE))
             for cell, result in KNOWLEDGE.results(scale, seed).items()}  # fmt: skip
    return Cases("regret of ODAAF given d = 0 over that of ARS-UCB", found, axis="log").at_most(1.1)


@claims("B5", "Remark 1 is a theorem: with f = k^β the horizon from which Theorem 1 is at work is of the order "
        "exp((d1/(√α - 2))^((β + 1)/β)), where the printed one stays at exp((4 d1/(√α - 2))²) from β = 2 on.",
        "Theorem 1, Remark 1", ours=True,
        figure="Hidden radius", note="proved in Beyond the paper, given Lemma 1; exact at α = 8: the power of d1 in "
        "ln T* for d1 from 10⁴ to 10⁵, and ln T* over the printed one in the eleven cases that the theorem "
        "covers")  # fmt: skip
def remark_as_theorem(scale, seed):
    powers, parts = {}, {}
    for beta in (2, 3):
        low, high = (refined.refined_log_horizon(late, 0.0, 8.0, (1, beta)) for late in (1e4, 1e5))
        powers[f"β = {beta}"] = exact(math.log10(high / low) - (beta + 1) / beta)
    for case, delay in CASES.items():
        late = bounds.d1(NINE, delay.shape), bounds.d2(NINE, delay.shape)
        if math.isfinite(late[0]):
            printed = bounds.ars_ucb_constant(*late, 8.0).log_t1
            parts |= {f"{case}, {GROWTHS[f]}": exact(refined.refined_log_horizon(*late, 8.0, f) / printed)
                      for f in ("k2", "k3")}  # fmt: skip
    return [
        Cases("power of d1 in ln T* minus (β + 1)/β", powers).between(-0.05, 0.05),
        Cases("refined ln T* over the printed one", parts, axis="log").much_less(),
    ]
