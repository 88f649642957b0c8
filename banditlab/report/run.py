"""Running notebooks by papermill: parameters checked before a kernel starts, a report or a clear error after it."""

import contextlib
import hashlib
import importlib.metadata
import logging
import os
import platform
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

import nbformat
import papermill
import zmq
from nbclient.exceptions import DeadKernelError

from ..engine import scheduler
from ..explorer import precompile
from ..explorer.paper import is_module
from ..page import plays
from ..results import result_cache
from . import ledger, page, pool
from .exporter import ReportExporter
from .folder import SCRATCH, explain_trouble, take_turns
from .index import write_index
from .page import ReportError
from .papermill_engine import ENGINE


def run_jobs(jobs, out):
    """Do all jobs, as many at once as there are cores; returns the messages of those that failed."""
    cores = scheduler.count_cores()
    idle = [job.path for job in jobs] if len(jobs) < cores else []  # a core that compiles ahead is taken from nobody
    with precompile.Ahead(idle), pool.open_crew(min(len(jobs), cores)) as submit:
        done = [submit(report_notebook, job, out, f"{n}/{len(jobs)} {job.name}") for n, job in enumerate(jobs, 1)]
        failures = [message for job, future in zip(jobs, done, strict=True) for message in outcome_of(job, future)]
    if not failures:
        result_cache.drop_stale(out / ".kept")
    return failures


def outcome_of(job, future):
    """What went wrong with a job; its process may have died."""
    try:
        return future.result()
    except BrokenProcessPool:
        return collect_messages([f"{job.name}: a process that runs notebooks died (out of memory?)"])


def collect_messages(messages):
    """The messages, which are told on the way."""
    for message in messages:
        pool.say_line(f"error: {message}", sys.stderr)
    return messages


def report_notebook(job, out, label):
    """Run one notebook and write its page, then its claims, then the index; returns, and says, what went wrong."""
    return collect_messages([f"{job.name}: {message}" for message in attempt_job(job, out, label)])


def attempt_job(job, out, label):
    """Do one job; a page that is made is never lost: what comes after it may fail, and the message says what."""
    logging.getLogger("papermill").setLevel(logging.CRITICAL)  # what it has to say, ReportError says better
    failed = out / f"{job.page}.failed.ipynb"
    try:
        with tempfile.TemporaryDirectory(dir=out, prefix=SCRATCH, ignore_cleanup_errors=True) as scratch:
            draft = Path(scratch) / job.path.name
            try:
                html, facts, rows = make_page(job, draft, out / ".kept", label)
            except Exception as error:
                if draft.exists():
                    os.replace(draft, failed)
                    raise ReportError(f"{error_sentence(error)}; the notebook so far: {failed}") from error
                raise
        target = out / f"{job.page}.html"
        page.write_text(target, html)
    except Exception as error:  # whatever it is, the other notebooks are run
        return [error_sentence(error)]
    pool.say_line(f"{job.page}: {facts['seconds']:.1f} s, {len(html.encode()) / 1e6:.2f} MB, {target}", sys.stdout)
    later = [lambda: write_index(out, job.path), lambda: failed.unlink(missing_ok=True)]
    if not job.changed:  # the ledger holds the papers' numbers, not those of a special report
        later.insert(0, lambda: merge_claims(job, out, facts, rows))
    with take_turns(out):
        return [message for step in later if (message := attempt_step(step))]


def attempt_step(step):
    """Do one of the steps after the page; returns what went wrong, if anything."""
    try:
        step()
    except Exception as error:
        return f"the page is written, but: {error_sentence(error)}"
    return None


def error_sentence(error):
    """An error in one sentence."""
    if isinstance(error, ReportError):
        return str(error)
    if isinstance(error, OSError):
        return explain_trouble(error)
    return f"{type(error).__name__}: {(str(error).splitlines() or ['no words'])[0]}"


def make_page(job, draft, kept, label):
    """The page of a notebook as text, the facts about it, and its claims; `draft` holds the notebook so far."""
    with begin_plays(job) as playing:
        nb = execute_notebook(job, draft, kept, label)
        found = end_plays(job, playing)
    told = {**describe_run(), "beside": hash_modules(job.path.parent), "notebooks": job.notebooks}
    nb.metadata.setdefault("banditlab", {})["run"] = told
    resources = {"metadata": {"name": job.name, "path": str(job.path.parent)}, "plays": found}
    resources["paper_size"] = ledger.read_committed(kept.parent, job.path)
    html, resources = ReportExporter().from_notebook_node(nb, resources)
    for note in sorted(list_not_kept(nb)):
        pool.say_line(f"{job.name}: {note}", sys.stderr)
    return html, resources["report"], ledger.collect_claims(nb)


@contextlib.contextmanager
def begin_plays(job):
    """A future of what the page needs to play by itself, made in a process that nobody waits for before the end."""
    if not is_module(job.path.with_suffix("")) and not is_module(job.path.with_suffix(".py")):
        yield None
        return
    builder = ProcessPoolExecutor(1, get_context("spawn"))
    with pool.end_with_block(builder):
        yield builder.submit(plays.describe_paper, str(job.path), job.parameters)


def end_plays(job, playing):
    """What `begin_plays` made, or None; a page that plays nothing is a page."""
    try:
        found = playing and playing.result()
    except Exception as error:
        pool.say_line(f"{job.name}: its page plays nothing: {error_sentence(error)}", sys.stderr)
        return None
    for title, why in found["refused"].items() if found else ():
        pool.say_line(f"{job.name}: its page cannot play {title}: {why}", sys.stderr)
    return found


def list_not_kept(nb):
    """What the kernel warned of results that could not be kept: a page shows no warnings."""
    streams = (o.text for cell in nb.cells for o in cell.get("outputs", []) if o.get("name") == "stderr")
    lines = (line.partition("Warning: ")[2] for text in streams for line in text.splitlines())
    return {line for line in lines if "could not be kept" in line}


def execute_notebook(job, draft, kept, label):
    """The executed notebook; `draft` holds it as far as it came."""
    bar = dict(desc=label, leave=False, disable=not sys.stderr.isatty(), position=pool.line)
    how = dict(engine_name=ENGINE, kernel_name="python3", cwd=job.path.parent, progress_bar=bar)
    how |= dict(extra_arguments=["--log-level=50"], start_timeout=600, iopub_timeout=600)  # quiet even on TCP; patient
    with result_cache.keep_in(kept):
        try:
            return papermill.execute_notebook(job.path, draft, job.parameters, **how)
        except papermill.PapermillExecutionError as error:
            raise ReportError(f"{last_cell(draft, job.path)} raised {error.ename}: {error.evalue}") from error
        except DeadKernelError as error:
            raise ReportError(f"the kernel died in {last_cell(draft, job.path)} (out of memory?)") from error
        except (RuntimeError, zmq.ZMQError) as error:
            raise ReportError(f"the kernel did not start: {error}") from error


def last_cell(draft, original):
    """The cell that was run last: its id and its number in the stored notebook."""
    cells = nbformat.read(draft, 4).cells
    last = [cell.id for cell in cells if cell.metadata.get("papermill", {}).get("start_time")][-1]
    ids = [cell.get("id") for cell in nbformat.read(original, 4).cells]
    number = f" (cell {ids.index(last) + 1} of {len(ids)})" if last in ids else ""
    return f"cell {last}{number}"


def describe_run():
    """Versions, source and machine of this run."""
    from ..user_code.code_identity import DIGEST

    versions = {"Python": platform.python_version()}
    for name in ("banditlab-workbench", "numpy", "numba", "plotly", "papermill"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[name] = importlib.metadata.version(name)
    machine = f"{processor_model()}, {os.cpu_count()} cores, {platform.platform(terse=True)}"
    told = ", ".join(f"{name} {version}" for name, version in versions.items())
    return {"versions": told, "source": DIGEST, "machine": machine, "commit": commit_of_source()}


def hash_modules(folder):
    """The modules beside a notebook and in folders beside it, each with the start of its SHA-256."""
    digests = {file: hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in sorted(folder.rglob("*.py"))}
    return ", ".join(f"{file.relative_to(folder).as_posix()} {digest}" for file, digest in digests.items())


def commit_of_source():
    """The commit of the source, with a word where files differ from it; nothing outside a repository."""
    here = Path(__file__).parent

    def git(*words):
        return subprocess.run(["git", *words], cwd=here, capture_output=True, text=True, timeout=20, check=True).stdout

    try:
        changed = " and changes since" if git("status", "--porcelain", "--", "..").strip() else ""
        return git("rev-parse", "--short=12", "HEAD").strip() + changed
    except (OSError, subprocess.SubprocessError):
        return ""


def processor_model():
    """The processor's model, as far as the system tells."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def merge_claims(job, out, facts, rows):
    """Bring claims.json, and at paper size the committed ledger, up to date."""
    index, made = facts["index"], facts["run"]
    ledger.merge_rows(out / "claims.json", index["paper"], rows)
    if job.parameters["scale"] != "paper":
        return
    ledger.merge_rows(out / "claims-paper.json", index["paper"], rows)
    seed = next((row.value for row in facts["parameters"] if row.name == "seed"), "none")
    source = f"commit {made['commit']}, source {made['source']}" if made["commit"] else f"source {made['source']}"
    note = f"Seed {seed}; {index['date']}; {facts['computing']:.0f} CPU s of computing; {source}; {made['versions']}."
    ledger.merge_table(out / "README.md", index["paper"], index["paper_title"] or index["title"], rows, note)
