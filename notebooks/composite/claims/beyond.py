"""What the paper did not ask: claims of ours."""

from banditlab.composite import bounds
from banditlab.evidence import Cases, count, growth, mean, ratio
from banditlab.evidence.questions import jointly

from ..beyond import GENERAL_TOLD
from ..drawings import CENTRE
from ..runs import CLW, named
from ..studies import ALPHA_AGAINST_T, KNOWLEDGE, MISLED
from .registry import claims
from .stochastic import at_share


@claims("B1", "An exact map over (s₂/s₁, d) says where delays that watch mislead CLW.", "Section 4.2", ours=True,
        figure="Who is misled", note="cells whose growth exponent is open are left out")  # fmt: skip
def map_holds(scale, seed):
    results = MISLED.results(scale, seed)
    asked = {cell: Cases("", growth(result, CLW)).linear() for cell, result in results.items()}
    answers = jointly(asked)
    agree = {f"s₂/s₁ = {cell.tie}, d = {cell.d}": answer is (bounds.clw_drift(cell.tie, cell.d, 0.5) < 0)
             for cell, answer in answers.items() if answer is not None}  # fmt: skip
    agree = agree or {"no cell is decided": None}
    return count("decided cells in which CLW is linear where the map says so", agree)


@claims("B2", "Under long delays the best α rises with T: stuck runs cost in proportion to T.", "Remark 1", ours=True,
        figure="α against T", note="α = 1 against 8 at T/64, T/16 and T, increasing 100; against Remark 1")  # fmt: skip
def alpha_rises(scale, seed):
    (result,) = ALPHA_AGAINST_T.results(scale, seed).values()
    low, high, horizon = named(1.0, "k2"), named(8.0, "k2"), int(result.checkpoints[-1])
    early = {f"T = {horizon // part:,}": mean(at_share(result, high, 1 / part) - at_share(result, low, 1 / part))
             for part in (64, 16)}  # fmt: skip
    late = {f"T = {horizon:,}": mean(result.final_regret(low) - result.final_regret(high))}
    return [
        Cases("early: regret at α = 8 less that at 1", early).above(0),
        Cases("late: regret at α = 1 less that at 8", late).above(0),
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
    return Cases("regret told 0 over that told the truth", found, axis="log").much_less()


@claims("B4", "Told nothing, generalised ODAAF is no worse than ARS-UCB: C1 is due to constants, not knowledge.",
        "Section 4.1", ours=True, figure="Knowledge", note="within 10 %, or better")  # fmt: skip
def constants_not_knowledge(scale, seed):
    found = {cell.case: ratio(result.final_regret(GENERAL_TOLD.format(0.0)), result.final_regret(CENTRE))
             for cell, result in KNOWLEDGE.results(scale, seed).items()}  # fmt: skip
    return Cases("regret of ODAAF told 0 over that of ARS-UCB", found, axis="log").at_most(1.1)
