"""``python -m banditlab.report``: run the notebooks and write their reports."""

import argparse
import logging
import signal
import sys
import warnings
from pathlib import Path

from . import check
from .folder import explain_trouble, lock_folder
from .grid_page import write_grid
from .plan import SCALES, plan
from .run import run_jobs

USAGE, FAILED, INTERRUPTED = 2, 1, 130


def main(argv=None):
    """Run the command line; returns the exit status: 0, 1 (a notebook failed), 2 (a wrong call), 130 (interrupted)."""
    parser = argparse.ArgumentParser(prog="python -m banditlab.report", description=__doc__.partition(": ")[2])
    parser.add_argument("names", nargs="*", metavar="NAME", help="notebooks to run, without .ipynb (default: all)")
    parser.add_argument("--scale", choices=SCALES, default="quick", help="size of the experiments (default: quick)")
    given = "a parameter of the one notebook named; several values, with commas between, make a report each"
    parser.add_argument("-p", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"), dest="pairs", help=given)
    parser.add_argument("--out", type=Path, default="reports", help="folder for the reports (default: reports)")
    parser.add_argument("--notebooks", type=Path, default="notebooks", help="folder of the notebooks")
    parser.add_argument("--check", action="store_true", help="only tell which rules the notebooks break")
    options = parser.parse_args(argv)
    try:
        if options.check:
            return check.main(options.names, options.notebooks)
        parameters = dict(options.pairs)
        if len(parameters) < len(options.pairs):
            raise ValueError("a parameter is given twice: " + ", ".join(name for name, _ in options.pairs))
        jobs = plan(options.names, options.scale, parameters, options.notebooks)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return USAGE
    try:
        with lock_folder(options.out):
            failures = run_jobs(jobs, options.out.resolve())
            if parameters and len(jobs) > 1 and not failures:
                write_grid(options.out.resolve(), jobs)
            return FAILED if failures else 0
    except OSError as error:
        print(f"error: {options.out} cannot be written: {explain_trouble(error)}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        # At exit asyncio would mourn the task that waited for the kernel, and the coroutine that it never awaited.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        warnings.simplefilter("ignore", RuntimeWarning)
        print("interrupted; finished reports and kept results stay", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends a run as Ctrl-C does
    sys.exit(main())
