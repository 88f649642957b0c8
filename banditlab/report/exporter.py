"""The nbconvert exporter: an executed notebook becomes one HTML file that loads nothing from anywhere."""

import ast
import datetime
import re

import papermill
from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import Preprocessor

from ..evidence import CLASSES, SIGNS
from ..evidence.status_line import NOTEBOOK
from ..explorer.export import list_options, report_lines
from ..explorer.grid import GRID
from . import ledger, page
from .ledger import CLAIMS
from .page import ReportError
from .sanitise import harmless
from .static_svg import as_floats, draw_still, height_of

PLOTLY = "application/vnd.plotly.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
SHOWN = [
    PLOTLY, "text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/latex", "text/plain",
]  # fmt: skip
PLACES = {"notebooks": "notebooks", "out": "reports"}  # where the commands look and write by themselves
PAPERS_OWN = re.compile(r"The paper's (Figure [^:]+): (.+)")
ERRATA = re.compile(r"^#+ What is wrong or unclear in print\s*\n(.*?)(?=^#|\Z)", re.M | re.S)
SPOKEN = 8  # lines that an alternative text names
LARGEST = 6_000_000  # bytes of a page


class PlainOutputs(Preprocessor):
    """Keeps of every output what a page without a kernel and without a network can show, and refuses the rest."""

    enabled = True

    def preprocess(self, nb, resources):
        nb.metadata.pop("widgets", None)
        path = resources["metadata"].get("path", "")
        headings, figures = resources["report"]["headings"], 0
        index = resources["report"]["index"]
        for cell in nb.cells:
            where = f"cell {cell.id}"
            if cell.cell_type == "markdown":
                if errata := ERRATA.search(cell.source):  # as text: the index renders it itself
                    index["errata"] = errata[1].strip()
                cell.source = page.render_markdown(
                    cell.source, headings, attachments=cell.get("attachments"), path=path
                )
                harmless(cell.source, where)
            if cell.cell_type == "code":  # what is for notebooks only
                cell.outputs = [output for output in cell.outputs if NOTEBOOK not in output.get("data", {})]
            for output in cell.get("outputs", []):
                figures = reduce_output(output, where, figures)
            if cell.cell_type == "code":
                cell.outputs = [o for o in cell.outputs if o.output_type == "display_data" or o.get("name") == "stdout"]
        resources["report"]["figures"] = figures
        link_claims(nb, resources)
        attach_plays(nb, resources)
        harmless("".join(heading["html"] for heading in headings), "the contents")
        for heading in headings:
            if heading["level"] == 1:
                resources["report"]["index"]["title"] = heading["html"]
                break
        return nb, resources


def link_claims(nb, resources):
    """Join claims and figures: each claim knows its figure, each figure its claims."""
    shown = [output for cell in nb.cells for output in cell.get("outputs", []) if "data" in output]
    figures = [output.metadata["figure"] for output in shown if "figure" in output.metadata]
    known = [(figure["number"], figure["names"]) for figure in figures]
    commit = resources["report"].get("run", {}).get("commit", "")
    for output in shown:
        if "claims" in output.metadata:
            rows = [dict(row) for row in output.metadata["claims"]]
            for row in rows:
                ledger.check_row(row)
            rows = ledger.rows_for_page(rows, resources.get("paper_size", {}), known, commit)
            output.metadata["claims"] = rows
            for figure in figures:
                figure["claims"] += [row for row in rows if row["place"] == figure["number"]]
    charts = (output.data[PLOTLY] for output in shown if PLOTLY in output.get("data", {}))
    thumbs = (draw_still(chart, legend=False) for chart in charts if "sliders" not in chart["layout"])
    resources["report"]["index"]["thumb"] = next(filter(None, thumbs), "")  # the headline figure, where it has lines
    letters = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for figure in figures:  # theirs keep their numbers, ours have letters
        theirs = PAPERS_OWN.fullmatch(figure["title"])
        figure["label"] = f"Paper, {theirs[1]}" if theirs else f"Figure {next(letters, figure['number'])}"
        if theirs:
            figure["title"] = theirs[2][:1].upper() + theirs[2][1:]


def reduce_output(output, where, figures):
    """Reduce one output in place; returns the number of figures so far."""
    if output.output_type == "error":
        raise ReportError(f"{where} raised {output.ename}: {output.evalue}")
    if output.output_type == "stream":
        return figures
    data, output.output_type = output.data, "display_data"
    output.pop("execution_count", None)
    if PLOTLY in data:
        output.data = {PLOTLY: {"data": [], "layout": {}, **data[PLOTLY]}}
        output.metadata["figure"] = describe_figure(output.data[PLOTLY], figures + 1, where, data.get(GRID))
        return figures + 1
    if WIDGET in data:
        raise ReportError(f"{where} shows a live widget without a plain figure: run the notebook with live=False")
    if not any(kind in data for kind in SHOWN):
        raise ReportError(f"{where} shows only {', '.join(data) or 'nothing'}, which no page can display")
    if "text/markdown" in data:
        data["text/markdown"] = harmless(page.render_markdown(data["text/markdown"]), where)
    if "text/html" in data:
        harmless(data["text/html"], where)
        data["text/html"] = page.tex_in_html(data["text/html"])
        if CLAIMS in data:  # the ledger brings its style for JupyterLab; the page has one of its own
            data["text/html"] = re.sub(r"<style>.*?</style>", "", data["text/html"], flags=re.S)
            output.metadata["claims"] = data[CLAIMS]
    return figures


def describe_figure(figure, number, where, grid=None):
    """What the page says about a plotly figure, and what it slides through."""
    layout = figure["layout"]
    meta = layout.get("meta") or {}
    title = layout.get("title") or ""
    title = title.get("text") or "" if isinstance(title, dict) else title
    title = re.sub(r"<[^>]+>", " ", title)
    theirs = PAPERS_OWN.fullmatch(title)
    caption = page.render_markdown_line(str(meta.get("caption") or ""), escape=True, embed_images=False)
    own = {title, str(meta.get("name") or ""), theirs[1] if theirs else ""}
    return {
        "number": number,
        "title": title,
        "names": [own, set(grid["titles"]) if grid else set()],
        "caption": harmless(caption, where),
        "alt": put_into_words(figure, title, str(meta.get("alt") or "")),
        "height": height_of(layout),
        "still": draw_still(figure),
        "claims": [],
        "grid": grid and describe_grid(grid),
    }


def describe_grid(grid):
    """What the page says about a grid, and its cells."""
    facts = {name: value for name, value in grid.items() if name != "packed"}
    return {
        "packed": grid["packed"],
        "facts": facts,
        "rows": [(name, facts["controls"][name]) for name in facts["order"]],
    }


def attach_plays(nb, resources):
    """Let the figures that slide be played, where the page can."""
    plays = resources.get("plays")
    if not plays or not plays["figures"]:
        return
    shown = [
        output.metadata["figure"]["grid"]
        for cell in nb.cells
        for output in cell.get("outputs", [])
        if "figure" in output.get("metadata", {})
    ]
    for grid in filter(None, shown):
        grid["facts"]["plays"] = {name: value for name, value in plays.items() if name != "packed"}
        grid["rows"] = list({**plays["controls"], **dict(grid["rows"])}.items())
        resources["report"]["plays"] = plays["packed"]


def put_into_words(figure, title, alt):
    """The picture in words: those that it brings, or where its lines end."""
    if alt and alt.casefold() not in title.casefold():  # more than the title, which is read anyway
        return alt
    ends = []
    for trace in figure["data"]:
        x, y = (as_floats(trace.get(name)) for name in "xy")
        known = [k for k in range(min(len(x), len(y))) if x[k] == x[k] and y[k] == y[k]]
        if trace.get("name") and trace.get("fill") != "toself" and trace.get("showlegend") is not False:
            ends.append(f"{trace['name']} ends at {y[known[-1]]:,.4g}" if known else str(trace["name"]))
    return f"Chart. {title}. {'; '.join(ends[:SPOKEN])}{'; and others' if len(ends) > SPOKEN else ''}"


class ReportExporter(HTMLExporter):
    """Executed notebook to one self-contained page: ``jupyter nbconvert --to banditlab executed.ipynb``."""

    export_from_notebook = "banditlab report"

    @property
    def default_config(self):
        config = super().default_config
        config.ReportExporter.template_name, config.ReportExporter.template_file = "base", "report.html.j2"
        config.ReportExporter.extra_template_paths = [str(page.TEMPLATES)]
        config.ReportExporter.preprocessors = [PlainOutputs]
        config.NbConvertBase.display_data_priority = SHOWN
        config.TagRemovePreprocessor.remove_cell_tags = {"parameters", "injected-parameters", "remove-cell"}
        config.TagRemovePreprocessor.remove_input_tags = {"remove-input"}
        config.TagRemovePreprocessor.remove_all_outputs_tags = {"remove-output"}
        return config

    def default_filters(self):
        yield from super().default_filters()
        yield "markdown2html", page.render_markdown
        yield "tex", page.tex
        yield "island", page.make_island
        yield "tex_in_text", page.tex_in_text

    def _create_environment(self):
        environment = super()._create_environment()
        environment.globals.update(page=page, classes=CLASSES, signs=SIGNS)
        return environment

    def from_notebook_node(self, nb, resources=None, **kw):
        resources = self._init_resources(resources)
        name = resources["metadata"]["name"]
        resources["report"] = {"headings": [], **collect_facts(nb, name, resources.get("page", name))}
        html, resources = super().from_notebook_node(nb, resources, **kw)
        if len(html.encode()) > LARGEST:
            size, most = len(html.encode()) / 1e6, LARGEST / 1e6
            raise ReportError(f"the page is {size:.1f} MB large, at most {most:.0f} MB are allowed: show fewer points")
        return html, resources


def collect_facts(nb, name, file):
    """What the page says about the notebook and its run; `index` is what the index of all reports needs of it."""
    paper, papermill_says = nb.metadata.get("banditlab", {}), nb.metadata.get("papermill", {})
    given = dict(papermill_says.get("parameters", {}))
    scale = given.pop("scale", "")
    given.pop("live", None)
    run = paper.get("run", {})
    places = {place: run[place] for place in PLACES if run.get(place, PLACES[place]) != PLACES[place]}
    started = papermill_says.get("start_time")
    index = {
        "name": file,
        "special": ", ".join(f"{key} = {value}" for key, value in given.items()),
        "title": name,
        "paper": paper.get("paper", name),
        "order": paper.get("order"),
        "paper_title": paper.get("title", ""),
        "claim": paper.get("claim", ""),
        "scale": scale,
        "date": format_moment(datetime.datetime.fromisoformat(started)) if started else "",
    }
    return {
        "index": index,
        "parameters": (rows := list_parameters(nb, given)),
        "page": {
            "notebook": name,
            "scale": scale or "quick",
            "places": list_options({}, places),
            "run": {row[0]: row[1] for row in rows},
            "own": {row[0]: row[1] for row in list_parameters(nb, {})},
        },
        "run": run,
        "seconds": papermill_says.get("duration"),
        "computing": ledger.cpu_seconds(nb),
        "bibtex": paper.get("bibtex", ""),
        "commands": report_lines(name, scale or "quick", given, places),
    }


def format_moment(moment):
    """A moment in words."""
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def list_parameters(nb, given):
    """Rows (name, value, meaning) of the parameters cell, with the values of this run."""
    known = papermill.inspect_notebook(nb) if "kernelspec" in nb.metadata else {}
    rows = []
    for name, parameter in known.items():
        try:
            value = given.get(name, ast.literal_eval(parameter["default"]))
        except (ValueError, SyntaxError):  # a default that is an expression
            value = parameter["default"]
        if name != "live":
            rows.append((name, str(value), parameter["help"]))
    return rows
