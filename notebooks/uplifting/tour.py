"""The guided tour: settings that show something, and what to look at; and what stands in front of each figure."""

TELLING = {"gap": 2.0, "L": 5, "horizon": 10_000}  # long enough for UCB to finish exploring
FRONT = {  # the controls that matter to a figure, and values at which its words come true
    "Regret": dict(main=("m", "L", "rho"), marks=dict(m=[100], L=[10], K=[10], runs=[100]), **TELLING),
    "Who touches what": dict(main=("gap", "L", "m")),
    "Uplifts and intervals": dict(main=("gap", "L", "sigma")),
    "Figure 3 (a)": dict(main=("beta", "L", "gap"), beta=1.0),
    "Figure 3 (b)": dict(main=("given", "L", "gap"), given=3),
    "Outside the sets": dict(main=("effect", "beta"), effect=0.8),
    "Price of the baseline": dict(main=("best", "L")),
}

TOUR = {
    "More variables": {
        "figure": "Regret", "m": 50, **TELLING, "move": ("m", "L", "gap"),
        "say": "Move m up to 100 while every action touches L = 5 variables. UCB's radius counts all m of "
               "them, that of UpUCB (bl) only the L touched: whose regret grows?",
    },
    "Independent payoffs": {
        "figure": "Regret", "m": 100, "rho": 0.0, **TELLING, "move": ("rho", "m", "L"),
        "say": "With ρ = 0 the noise of the sum is only √m times that of a variable, yet UCB's radius still "
               "counts m. Raise ρ to 1: UCB's regret stays about the same; whose is halved?",
    },
    "Which bound on the baseline": {
        "figure": "Figure 3 (a)", "beta": 1.0, "horizon": 20_000, "move": ("beta", "L", "gap"),
        "say": "At β = 1 the variant with the lower bound loses more in its worst runs (right panel). Move β to 4: "
               "it now loses about half as much as UpUCB. Which of the two needs the larger β?",
    },
    "Told a wrong L": {
        "figure": "Figure 3 (b)", "given": 3, "move": ("given", "L", "gap"),
        "say": "The policies are told L = 3, but 10 variables are affected. Move the value they are told: which "
               "one loses least over this horizon, and what does too large an L cost?",
    },
    "Outside the sets": {
        "figure": "Outside the sets", "effect": 0.8, "beta": 1.0, "move": ("effect", "beta"),
        "say": "The second-best action also affects a variable that the policies do not know about. Lower this "
               "effect to 0: below what size does regret no longer grow in every round?",
    },
}  # fmt: skip
