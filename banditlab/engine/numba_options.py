"""What numba is asked for: the loop and the methods without its global lock, and without its counts of references.

With another minor version of numba than the one whose inside `numba_refcounts` knows, or with ``BANDITLAB_LEND=0`` in
the environment, numba compiles as it is: slower, the same numbers.
"""

import os
import warnings

import numba

PINNED = numba.__version__.startswith("0.68.")
LENDS = PINNED and os.environ.get("BANDITLAB_LEND", "1") != "0"
if not PINNED:
    warnings.warn(f"numba {numba.__version__}: banditlab was made for 0.68; it runs, but slower", stacklevel=2)

LOOP = {"nogil": True}
METHOD = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
if LENDS:
    from .numba_refcounts import LoopCompiler, MethodCompiler

    LOOP["pipeline_class"], METHOD["pipeline_class"] = LoopCompiler, MethodCompiler
