"""What numba is asked for: the loop and the methods without its global lock, and without its counts of references.

With ``BANDITLAB_LEND=0`` in the environment, and with another minor version of numba than the one whose inside
`numba_compilers` knows, numba compiles as it is: slower, the same numbers. Then it is no error either where the
arithmetic of code from outside has no value (see `numba_checks`).
"""

import os
import warnings

import numba

PINNED = numba.__version__.startswith("0.68.")
LENDS = PINNED and os.environ.get("BANDITLAB_LEND", "1") != "0"
if PINNED:
    from . import numba_compilers
else:
    warnings.warn(
        f"numba {numba.__version__}: banditlab was made for 0.68; it runs, but slower, and in classes of your own "
        "math.log(0.0) and the like are no errors",
        stacklevel=2,
    )


def ask_loop(checked):
    """The options for the loop; whether it is checked for code from outside."""
    own = {"pipeline_class": numba_compilers.LOOP[checked]} if LENDS else {}
    return {"nogil": True, "boundscheck": checked or None, **own}


def ask_method(checked):
    """The options for a method or a helper."""
    own = {"pipeline_class": numba_compilers.METHOD[checked]} if LENDS else {}
    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
    return {"nogil": True, "boundscheck": checked or None, **bare, **own}
