"""The guided tour: settings that show something, and what to look at; and what stands in front of each figure."""

FRONT = {  # the controls that matter to a figure, and values at which its words come true
    "Regret": dict(main=("steepness", "lead", "correlation"), marks=dict(arms=[10], limits=[2, 10, 20], alpha=[1.0])),
    "Share of censored rounds": dict(main=("correlation", "lead", "threshold")),
    "Landscape": dict(main=("steepness", "lead", "threshold")),
    "Shared and safe": dict(horizon=100_000),  # where the printed width has long cost more than sharing saves
}

TOUR = {
    "The printed width": {
        "figure": "Regret", "steepness": 10.0, "move": ("steepness", "lead", "correlation"),
        "say": "Lower the steepness L. As printed, RCUCB's width sends all rounds to the largest limit: at L = 10 "
               "this costs regret in every round; at L = 3 and below that limit is the best.",
    },
    "Each round on the map": {
        "figure": "Landscape", "move": ("lead", "steepness", "threshold"),
        "say": "Circles show where each policy spends its rounds; colour shows what each pair of arm and limit "
               "earns. Which finds the column just below the promise? Raise the first arm's lead to 0.4: who notices?",
    },
    "How often cut short": {
        "figure": "Share of censored rounds", "move": ("correlation", "lead", "threshold"),
        "say": "A good learner is censored as often as the best pair, here in 54 % of its rounds (grey line, where it "
               "is drawn). Which policies approach that share, and from which side? Does ρ matter?",
    },
    "Another best arm": {
        "figure": "Regret", "correlation": -0.9, "move": ("correlation", "lead", "steepness"),
        "say": "The first arm has the largest mean reward, but here the others are better: more of its rounds are cut "
               "off. From ρ = -0.6 on it is the best again. Raise ρ to 0.9: whose regret doubles, whose stays?",
    },
    "Two limits": {
        "figure": "Regret", "limits": 2, "arms": 2, "move": ("limits", "arms", "lead"),
        "say": "With two limits there is little to share. Raise the number of limits: whose regret grows, and "
               "whose does not?",
    },
}  # fmt: skip
