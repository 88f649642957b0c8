"""Everything that is asked of a reader's own classes, and the one place that tells them from ours.

Which code is this, and whose (`code_identity`); what an environment and a policy must have (`contract`, `fields`), what
actions there are (`spaces`) and who ends a run (`stopping`); what they are held to while they run (`guards`); and what
is said when they fail (`diagnose`, `errors`).
May import `validate` and `io`.
"""

from . import spaces as spaces
