"""Running notebooks by papermill: parameters checked before a kernel starts, a report or a clear error after it."""

import ast
import contextlib
import errno
import importlib.metadata
import json
import logging
import math
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import nbformat
import papermill
import zmq
from nbclient.exceptions import DeadKernelError

from . import ledger, page
from .exporter import ReportExporter
from .index import write_index
from .page import ReportError

SCALES = ("quick", "paper")


class Job(NamedTuple):
    """A notebook to run."""

    name: str
    path: Path
    parameters: dict
    special: bool  # parameters other than the notebook's own were asked for


def build(names=(), *, scale="quick", parameters=None, out="reports", notebooks="notebooks"):
    """Run notebooks and write a report of each, the merged claims and the index.

    Parameters
    ----------
    names : sequence of str
        Names of notebooks, without the ending; empty for all there are.
    scale : {"quick", "paper"}
        Size of the experiments.
    parameters : dict, optional
        Values for the parameters cell of the one notebook named; text is read as on the command line.
    out, notebooks : str or path
        Folder for the reports, folder of the notebooks.

    Raises
    ------
    ValueError
        A scale, notebook or parameter that does not exist, or a value of the wrong type; before any kernel starts.
    OSError
        The folder for the reports cannot be written.
    ReportError
        A notebook failed. Its last good report is untouched; ``<name>.failed.ipynb`` holds it as far as it came.
    """
    jobs = plan(names, scale, parameters or {}, Path(notebooks))
    failures = run(jobs, prepare(Path(out)))
    if failures:
        raise ReportError("\n".join(failures))


def plan(names, scale, parameters, notebooks):
    """The jobs to do, everything checked."""
    if scale not in SCALES:
        raise ValueError(f"scale must be one of {', '.join(SCALES)}, got {scale!r}")
    there = {path.stem: path for path in notebooks.glob("*.ipynb")}
    if not there:
        raise ValueError(f"there is no notebook in {notebooks}")
    chosen = list(dict.fromkeys(name.removesuffix(".ipynb") for name in names)) or sorted(there, key=page.reading_order)
    for name in chosen:
        if name not in there:
            known = ", ".join(sorted(there, key=page.reading_order))
            raise ValueError(f"there is no notebook {name!r} in {notebooks}; there are {known}")
    if parameters and len(names) != 1:
        raise ValueError(f"parameters are for one named notebook, got {len(names)} names")
    return [
        Job(name, there[name].resolve(), typed(there[name], scale, parameters), bool(parameters)) for name in chosen
    ]


def typed(path, scale, parameters):
    """Parameters for papermill, which itself would take any name and any type."""
    try:
        known = papermill.inspect_notebook(str(path))
    except Exception as error:  # whatever a file that is no notebook provokes
        raise ValueError(f"{path} cannot be read as a notebook: {error}") from None
    for name in ("scale", "live"):
        if name not in known:
            raise ValueError(f"{path} declares no parameter {name!r} in its cell tagged parameters")
        if name in parameters:
            raise ValueError(f"{name} is no parameter to set here: --scale sets the scale, a report is never live")
    values = {}
    for name, value in parameters.items():
        if name not in known:
            allowed = ", ".join(key for key in known if key not in ("scale", "live"))
            raise ValueError(f"{path} has no parameter {name!r}; it has {allowed}")
        values[name] = fit(name, value, known[name])
    return {"scale": scale, **values, "live": False}


def fit(name, value, declared):
    """The value with the declared type; text is read as JSON or as a Python literal."""
    kind = declared["inferred_type_name"]
    try:
        if kind == "None":  # no annotation: the type of the default
            kind = type(literal(declared["default"])).__name__
        return cast(literal(value) if isinstance(value, str) and kind != "str" else value, kind)
    except (ValueError, SyntaxError, TypeError, OverflowError):
        meaning = f" ({declared['help']})" if declared["help"] else ""
        finite = "finite " if kind == "float" else ""
        raise ValueError(f"{name}{meaning} must be of type {finite}{kind}, got {value!r}") from None


def literal(text):
    """Text as JSON or else as a Python literal."""
    try:
        return json.loads(text)
    except ValueError:
        return ast.literal_eval(text)


def cast(value, kind):
    """The value where it is of the kind (an int passes as a float), else TypeError."""
    base, _, inner = kind.partition("[")
    if base == "float" and type(value) is int:
        value = float(value)
    if type(value).__name__ != base or (base == "float" and not math.isfinite(value)):
        raise TypeError
    return [cast(item, inner.removesuffix("]")) for item in value] if base == "list" and inner else value


def prepare(out):
    """The folder for the reports, made and found writable."""
    out = out.resolve()
    (out / ".kept").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=out):
        return out


def run(jobs, out):
    """Do all jobs, one line each; returns the messages of those that failed."""
    logging.getLogger("papermill").setLevel(logging.CRITICAL)  # what it has to say, ReportError says better
    failures = []
    for number, job in enumerate(jobs, 1):
        try:
            print(report(job, out, f"{number}/{len(jobs)} {job.name}"), flush=True)
        except ReportError as error:
            failures.append(f"{job.name}: {error}")
            print(f"error: {failures[-1]}", file=sys.stderr, flush=True)
    if not failures:
        drop_stale(out / ".kept")
    return failures


def report(job, out, label):
    """Run one notebook and write its report, its claims and the index; returns a line about it."""
    failed = out / f"{job.name}.failed.ipynb"
    with tempfile.TemporaryDirectory(dir=out, prefix=".") as scratch:
        draft = Path(scratch) / job.path.name
        try:
            nb = execute(job, draft, out / ".kept", label)
            nb.metadata.setdefault("banditlab", {})["run"] = circumstances()
            resources = {"metadata": {"name": job.name, "path": str(job.path.parent)}}
            html, resources = ReportExporter().from_notebook_node(nb, resources)
            rows = ledger.collect(nb)
        except ReportError as error:
            if draft.exists():
                os.replace(draft, failed)
            raise ReportError(f"{error}; the notebook so far: {failed}") from error
    target = out / f"{job.name}.html"
    facts = resources["report"]
    ledger.merge(out / "claims.json", facts["index"]["paper"], rows)
    if job.parameters["scale"] == "paper" and not job.special:
        merge_paper_size(out, facts, rows)
    page.write_whole(target, html)
    write_index(out)
    failed.unlink(missing_ok=True)
    return f"{job.name}: {facts['seconds']:.1f} s, {len(html.encode()) / 1e6:.2f} MB, {target}"


def execute(job, draft, kept, label):
    """The executed notebook; `draft` holds it as far as it came."""
    with environment("BANDITLAB_KEEP", str(kept)):
        for attempt in (1, 2):
            try:
                return papermill.execute_notebook(
                    job.path,
                    draft,
                    job.parameters,
                    kernel_name="python3",
                    cwd=job.path.parent,
                    progress_bar={"desc": label, "leave": False, "disable": not sys.stderr.isatty()},
                    extra_arguments=["--log-level=50"],  # else kernels talk of TCP and of sockets
                )
            except papermill.PapermillExecutionError as error:
                raise ReportError(f"{place(draft, job.path)} raised {error.ename}: {error.evalue}") from error
            except DeadKernelError as error:
                raise ReportError(f"the kernel died in {place(draft, job.path)} (out of memory?)") from error
            except (RuntimeError, zmq.ZMQError) as error:
                if attempt == 2 or not port_taken(error):
                    raise ReportError(f"the kernel did not start: {error}") from error


def port_taken(error):
    """Whether a kernel did not start because another process took its port; the kernel itself then just dies."""
    return getattr(error, "errno", None) == errno.EADDRINUSE or "died before replying to kernel_info" in str(error)


def place(draft, original):
    """The cell that was run last: its id and its number in the stored notebook."""
    cells = nbformat.read(draft, 4).cells
    last = [cell.id for cell in cells if cell.metadata.get("papermill", {}).get("start_time")][-1]
    ids = [cell.get("id") for cell in nbformat.read(original, 4).cells]
    number = f" (cell {ids.index(last) + 1} of {len(ids)})" if last in ids else ""
    return f"cell {last}{number}"


@contextlib.contextmanager
def environment(name, value):
    """An environment variable set for a while."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


def circumstances():
    """Versions, source and machine of this run."""
    from ..kernel import DIGEST

    versions = {"Python": platform.python_version()}
    for name in ("banditlab-workbench", "numpy", "numba", "plotly", "papermill"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[name] = importlib.metadata.version(name)
    machine = f"{processor()}, {os.cpu_count()} cores, {platform.platform(terse=True)}"
    told = ", ".join(f"{name} {version}" for name, version in versions.items())
    return {"versions": told, "source": DIGEST, "machine": machine}


def processor():
    """The processor's model, as far as the system tells."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def merge_paper_size(out, facts, rows):
    """Bring the committed ledger of the papers' own sizes up to date."""
    index, made = facts["index"], facts["run"]
    ledger.merge(out / "claims-paper.json", index["paper"], rows)
    seed = next((value for name, value, _ in facts["parameters"] if name == "seed"), "none")
    note = f"Seed {seed}; {index['date']}; {facts['seconds']:.0f} s; source {made['source']}; {made['versions']}."
    ledger.merge_table(out / "README.md", index["paper"], index["paper_title"] or index["title"], rows, note)


def drop_stale(kept):
    """Remove the kept results of other versions of the engine, and those that nobody asked for in a month."""
    from ..kernel import ENGINE_DIGEST

    for file in kept.glob("*.npz"):
        if not file.name.startswith(f"{ENGINE_DIGEST}-") or file.stat().st_mtime < time.time() - 30 * 86400:
            file.unlink()
