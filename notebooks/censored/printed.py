"""What the paper prints as numbers: shares of censored rounds, in Section 5.1 and Appendix F.1."""

from .runs import TS, TS_PLAYED, UCB

HEADS = ("RCUCB", "TS", "UCB", "P*")
SHARES = {  # printed mean and standard deviation under each head; Section 5.1 prints no deviations
    ("PosCorr", "size 10"): ((0.6399, None), (0.7516, None), (0.7993, None), (0.6116, None)),
    ("NegCorr", "size 10"): ((0.7700, None), (0.8510, None), (0.8894, None), (0.7631, None)),
    ("Indep", "size 10"): ((0.4462, None), (0.5749, None), (0.5455, None), (0.4404, None)),
    ("PosCorr", "M1"): ((0.5876, 0.0029), (0.5688, 0.0166), (0.5919, 0.0038), (0.5584, None)),
    ("NegCorr", "M1"): ((0.7266, 0.0018), (0.7081, 0.0030), (0.7246, 0.0030), (0.7189, None)),
    ("Indep", "M1"): ((0.4122, 0.0017), (0.4158, 0.0052), (0.4142, 0.0016), (0.4066, None)),
    ("PosCorr", "M2"): ((0.6126, 0.0027), (0.7383, 0.0935), (0.8157, 0.0027), (0.5851, None)),
    ("NegCorr", "M2"): ((0.7477, 0.0016), (0.8396, 0.0432), (0.9185, 0.0021), (0.7559, None)),
    ("Indep", "M2"): ((0.4282, 0.0017), (0.5639, 0.0019), (0.5870, 0.0736), (0.4222, None)),
}
BEST = "best pair"
HEAD_OF = {BEST: "P*", UCB: "TS", TS: "UCB", TS_PLAYED: "UCB"}  # very probably exchanged


def head_of(name):
    """The head under which the paper prints what is to be compared with ours of this name."""
    return HEAD_OF.get(name, "RCUCB")


def printed(problem, grid, head):
    """The printed mean under a head."""
    return SHARES[problem, grid][HEADS.index(head)][0]
