"""The guided tour: settings that show something, and what to look at; and what stands in front of each figure."""

PAPER = dict(d=[50, 100], gamma=[0.8, 0.9], power=[2.0, 3.0], alpha=[1.0, 2.0, 4.0, 8.0], gap=[0.1], arms=[9])
FRONT = {  # the controls that matter to a figure, and values at which its words come true
    "Regret": dict(main=("d", "delay", "alpha"), marks=PAPER),
    "Who is misled": dict(main=("tie", "d", "horizon")),
    "Figures 2 to 4: α": dict(main=("delay", "d", "gap"), marks=PAPER),
    "Figures 2 to 4: f": dict(main=("delay", "d", "gap"), marks=PAPER, d=100),
    "Knowledge": dict(main=("told", "delay", "d")),
}

TOUR = {
    "Longer delays": {
        "figure": "Regret", "delay": "increasing", "d": 100, "move": ("d", "alpha", "delay"),
        "say": "Move d between 1 and 100. UCB1 credits each reward to the arm it has just played. When does it "
               "break down, and what do the delays cost the policies that hold an arm for a whole round?",
    },
    "How much exploration": {
        "figure": "Figures 2 to 4: α", "delay": "increasing", "d": 100, "move": ("d", "delay", "gap"),
        "say": "The right panel shows the distribution of the final regret. Which α has the smallest regret in "
               "most runs, and which never fails?",
    },
    "How rounds grow": {
        "figure": "Figures 2 to 4: f", "delay": "increasing", "d": 100, "move": ("d", "delay", "gap"),
        "say": "With f(k) = k, early rounds collect mostly rewards of the rounds before them. Lower d to 10: "
               "does it still matter?",
    },
    "What the truth is worth": {
        "figure": "Knowledge", "told": 0.5, "move": ("told", "d", "delay"),
        "say": "ODAAF is given the truth about the delays times this factor. Move it: what is the truth worth, "
               "and is it better to err high or low?",
    },
    "Who is misled": {
        "figure": "Who is misled", "d": 5, "tie": 0.94, "move": ("tie", "d", "horizon"),
        "say": "The adversary sets the delays after watching the player. Move s₂/s₁ up and down: where does it "
               "lure CLW to the second-best arm?",
    },
}  # fmt: skip
