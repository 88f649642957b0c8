"""The ledger of the paper, and the questions that several claims ask."""

from pathlib import Path

from banditlab.evidence import Cases, Claims, growth, regret_difference

from ..runs import PRINTED, TENFOLD, THREEFOLD

claims = Claims("factored", Path(__file__).parents[3] / "reports")
E1, E2, E3 = "Appendix E.1, Figure 3", "Appendix E.2, Figure 4", "Appendix E.3, Figure 6"
TRACKS = {"N₀ as printed": PRINTED, "N₀ × 3, ε/√6 (a version of the code)": THREEFOLD, "N₀ × 10": TENFOLD}


def growths(study, results, name):
    """Growth exponents of a policy's regret, by panel."""
    found = {study.title_of(cell): growth(result, name) for cell, result in results.items()}
    return Cases(f"growth exponent of {name}", found)


def leads(study, results, first, second):
    """What the first policy loses more than the second, by panel."""
    found = {study.title_of(cell): regret_difference(result, first, second) for cell, result in results.items()}
    return Cases(f"{first}'s regret minus {second}'s", found)
