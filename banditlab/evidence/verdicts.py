"""The words of a verdict, and the classes that style them."""

REPRODUCED, NOT_REPRODUCED = "reproduced", "not reproduced"
DEPENDS, UNDECIDED, UNTESTED = "depends on the reading", "undecided", "not tested"
NOT_CONTRADICTED = "not contradicted"  # of a sentence on all instances: searched, and nothing found against it
FOUND, NOT_FOUND = "found", "not found"  # of claims that are ours
REFUSED = "refused"  # of values at which the experiment cannot be played
OPEN = (UNDECIDED, UNTESTED, REFUSED)  # found where nothing is decided
VERDICTS = (REPRODUCED, NOT_CONTRADICTED, NOT_REPRODUCED, DEPENDS, UNDECIDED, UNTESTED)
OURS = {REPRODUCED: FOUND, NOT_REPRODUCED: NOT_FOUND}
CLASSES = {
    REPRODUCED: "verdict-reproduced",
    NOT_CONTRADICTED: "verdict-searched",
    NOT_REPRODUCED: "verdict-not-reproduced",
    DEPENDS: "verdict-depends",
    UNDECIDED: "verdict-undecided",
    UNTESTED: "verdict-untested",
    FOUND: "verdict-reproduced",
    NOT_FOUND: "verdict-not-reproduced",
}
