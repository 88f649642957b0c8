"""What the claims share: readings, and paired differences."""

from ..experiments.instances import GAIN, PRINTED

FIRST, AS_PRINTED = "first term of the width only", "width as printed"
READINGS = {FIRST: GAIN, AS_PRINTED: PRINTED}
