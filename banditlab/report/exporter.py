"""The nbconvert exporter: an executed notebook becomes one HTML file that loads nothing from anywhere."""

import datetime
import itertools
import re

from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import Preprocessor

from ..evidence import SIGNS
from ..evidence.ledger import COMMITTED
from ..evidence.ledger_html import anchor_of, leading, render_ledger
from ..evidence.status_line import NOTEBOOK
from ..explorer.export import lab_line, list_options, report_lines
from ..explorer.grid import GRID
from . import fold, ledger, page
from .other_values import list_parameters
from .page import ReportError
from .plan import MOST
from .sanitise import harmless
from .static_marks import as_floats
from .static_svg import draw_still, height_of

PLOTLY = "application/vnd.plotly.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
SHOWN = [
    PLOTLY, "text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/latex", "text/plain",
]  # fmt: skip
NOTEBOOKS = "notebooks"  # where the commands look by themselves
PAPERS_OWN = re.compile(r"The paper's (Figure [^:]+): (.+)")
ERRATA = re.compile(r"^#+ What is wrong or unclear in print\s*\n(.*?)(?=^#|\Z)", re.M | re.S)
FOLDED = re.compile(r"<details><summary>(.*?)</summary>")
STYLE = re.compile(r"<style scoped>.*?</style>\s*", re.S)  # pandas', of one table; browsers apply it to all
VERDICT = ("id", "anchor", "sentence", "verdict")  # of a claim, for a page that lays reports side by side
SPOKEN = 8  # lines that an alternative text names
LARGEST = 6  # MB of a page


class PlainOutputs(Preprocessor):
    """Keeps of every output what a page without a kernel and without a network can show, and refuses the rest."""

    def preprocess(self, nb, resources):
        nb.metadata.pop("widgets", None)
        path = resources["metadata"].get("path", "")
        headings, index = resources["report"]["headings"], resources["report"]["index"]
        anchors, formulas, tiling, folding = list_anchors(nb), itertools.count(1), False, False
        for cell in nb.cells:
            where = f"cell {cell.id}"
            cell.metadata["page"] = {"tiling": tiling, "folding": folding}
            if cell.cell_type == "markdown":
                if errata := ERRATA.search(cell.source):  # as text: the index renders it itself
                    index["errata"] = FOLDED.sub(r"\n**\1**\n", errata[1]).replace("</details>", "").strip()
                render_text(cell, headings, anchors, formulas, path)
                harmless(cell.source, where)
            if cell.cell_type == "code":
                cell.outputs = [output for output in cell.outputs if reduce_output(output, where)]
                arrange_outputs(cell)
                told = [o.get("metadata", {}) for o in cell.outputs]
                folding = folding or any("claims" in one for one in told)
                tiling = tiling or folding or any(one.get("figure", {}).get("grid") for one in told)
        fold.arrange_cells(nb.cells)
        shown = [output for cell in nb.cells for output in cell.get("outputs", []) if "data" in output]
        link_claims(shown, resources)
        attach_plays(shown, resources)
        resources["report"]["formulas"] = draw_captions(shown, resources)
        harmless("".join(heading["html"] for heading in headings), "the contents")
        index["title"] = next((heading["html"] for heading in headings if heading["level"] == 1), index["title"])
        return nb, resources


def list_anchors(nb):
    """Where the claims of a notebook stand in its page, by their names."""
    rows = (row for _, shown in ledger.ledgers_of(nb) for row in shown["claims"])
    return {row["id"]: anchor_of(row) for row in rows if isinstance(row, dict) and row.get("id")}


def render_text(cell, headings, anchors, formulas, path):
    """Render a cell of text in place, folded where the page is; `formulas` counts those of the page."""
    html = page.render_markdown(cell.source, headings, attachments=cell.get("attachments"), path=path)
    cell.source = fold.link_ids(fold.number_formulas(html, formulas), anchors)
    if cell.metadata["page"]["tiling"]:
        cell.metadata["page"]["head"], cell.source = fold.split_heading(cell.source)
        harmless(cell.metadata["page"]["head"], f"cell {cell.id}")
    if cell.metadata["page"]["folding"]:
        cell.source = fold.fold_text(cell.source)


def arrange_outputs(cell):
    """After the instrument a figure is a tile that opens, and a long table shows its first rows."""
    if not cell.metadata["page"]["tiling"]:
        return
    for output in cell.outputs:
        if (figure := output.get("metadata", {}).get("figure")) and not figure["grid"]:
            figure["tile"] = cell.metadata["page"]["tile"] = True
        elif "<table" in output.get("data", {}).get("text/html", ""):
            output.data["text/html"] = fold.fold_text(output.data["text/html"])


def list_figures(shown):
    """What the page says about the figures among these outputs."""
    return [output.metadata["figure"] for output in shown if "figure" in output.metadata]


def link_claims(shown, resources):
    """Join claims and figures: each claim knows its figure, each figure its claims and its number."""
    figures = list_figures(shown)
    resources["report"]["figures"] = len(figures)
    known = [(number, figure["names"]) for number, figure in enumerate(figures, 1)]
    commit = resources["report"].get("run", {}).get("commit", "")
    plays = resources.get("plays") or {}
    positions = list_slider_values(figures, plays)
    for output in shown:
        if "claims" in output.metadata:
            rows = [dict(row) for row in output.metadata["claims"]]
            for row in rows:
                ledger.check_row(row)
                shows = row.get("limits", {}).get("shown", {})
                row["slides"] = row["figure"] if can_stand(positions.get(row["figure"]), shows) else ""
                row["unplayed"] = tell_unplayed(row, plays)
            rows = ledger.rows_for_page(rows, resources.get("paper_size", {}), known, commit)
            output.metadata["claims"] = rows
            resources["report"]["index"]["verdicts"] = [[row[key] for key in VERDICT] for row in rows]
            resources["report"]["index"]["also"] = {row["id"]: row.get("also", "") for row in rows}
            output.data["text/html"] = render_ledger(rows, text=page.escape_with_tex)
            for number, figure in enumerate(figures, 1):
                figure["claims"] += [row for row in rows if row["place"] == number]
    charts = [output.data[PLOTLY] for output in shown if PLOTLY in output.get("data", {})]
    for figure, chart in zip(figures, charts, strict=True):
        figure["cells"] = lead_cells(chart, positions)
    thumbs = (draw_still(chart, legend=False) for chart in charts if "sliders" not in chart["layout"])
    resources["report"]["index"]["thumb"] = next(filter(None, thumbs), "")  # the headline figure, where it has lines
    letters = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for number, figure in enumerate(figures, 1):  # theirs keep their numbers, ours have letters
        theirs = PAPERS_OWN.fullmatch(figure["title"])
        figure["number"] = number
        figure["label"] = f"Paper, {theirs[1]}" if theirs else f"Figure {next(letters, number)}"
        if theirs:
            figure["title"] = theirs[2][:1].upper() + theirs[2][1:]


def can_stand(there, shown):
    """Whether a figure has sliders in the page, `there`, and can stand at these values."""
    return there is not None and all(value in there.get(name, [value]) for name, value in shown.items())


def lead_cells(chart, positions):
    """Whether cells of a map lead to the page's sliders; those that no slider meets lose their values, in place.

    Parameters
    ----------
    chart : dict
        A plotly figure whose map tells what its cells set, as `banditlab.analysis.map.Map` does.
    positions : dict of str to dict
        Figures that have sliders in the page, and the values of each control there.
    """
    found = False
    for cells in (cells for trace in chart["data"] if (cells := (trace.get("meta") or {}).get("cells"))):
        there, own = positions.get(cells["values"]["figure"]), {**cells["values"], "figure": None}
        if not can_stand(there, own):
            cells["values"] = {}
            continue
        for name, values in (cells["x"], cells["y"]):
            values[:] = [value if value in there.get(name, []) else None for value in values]
        found = True
    return found


def list_slider_values(figures, plays):
    """Name of each figure that has sliders in the page to the values of each control."""
    known = dict(pair for figure in figures if figure["grid"] for pair in figure["grid"]["facts"]["figures"].items())
    known |= plays.get("figures", {})
    still = {title: {name: [value] for name, value in one["fixed"].items()} for title, one in known.items()}
    return {title: still[title] | one["axes"] for title, one in known.items()}


def reduce_output(output, where):
    """Reduce one output in place; returns whether the page shows it."""
    if output.output_type == "error":
        raise ReportError(f"{where} raised {output.ename}: {output.evalue}")
    if output.output_type == "stream":
        return output.name == "stdout"
    data, output.output_type = output.data, "display_data"
    if NOTEBOOK in data:
        return False
    output.pop("execution_count", None)
    if PLOTLY in data:
        output.data = {PLOTLY: {"data": [], "layout": {}, **data[PLOTLY]}}
        output.metadata["figure"] = prepare_figure(output.data[PLOTLY], where, data.get(GRID))
        return True
    if WIDGET in data:
        raise ReportError(f"{where} shows a live widget without a plain figure: run the notebook with live=False")
    if not any(kind in data for kind in SHOWN):
        raise ReportError(f"{where} shows only {', '.join(data) or 'nothing'}, which no page can display")
    if "text/markdown" in data:
        data["text/markdown"] = harmless(page.render_markdown(data["text/markdown"]), where)
    if "text/html" in data and ledger.LEDGER in data:  # the page makes the ledger itself, from its rows
        data["text/html"], output.metadata["claims"] = "", data[ledger.LEDGER]["claims"]
    elif "text/html" in data:
        harmless(data["text/html"], where)
        plain = STYLE.sub("", data["text/html"]).replace("<th></th>", "<td></td>")  # a corner heads nothing
        data["text/html"] = page.tex_in_html(plain)
    return True


def prepare_figure(figure, where, grid):
    """What the page says about a plotly figure, and what it slides through."""
    layout = figure["layout"]
    meta = layout.get("meta") or {}
    title = layout.get("title") or ""
    title = re.sub(r"<[^>]+>", " ", title.get("text") or "" if isinstance(title, dict) else title)
    theirs = PAPERS_OWN.fullmatch(title)
    caption = page.render_markdown_line(str(meta.get("caption") or ""), escape=True, embed_images=False)
    own = {title, str(meta.get("name") or ""), theirs[1] if theirs else ""}
    return {
        "title": title,
        "names": [own, set(grid["titles"]) if grid else set()],
        "caption": harmless(caption, where),
        "alt": put_into_words(figure, title, str(meta.get("alt") or "")),
        "height": height_of(layout),
        "still": draw_still(figure),
        "claims": [],
        "grid": grid and {"packed": grid.pop("packed"), "facts": grid},
    }


def attach_plays(shown, resources):
    """Let the figures that slide be played, and claims be judged anew, where the page can."""
    plays = resources.get("plays")
    if not plays or not any(plays[part] for part in ("figures", "refused", "claims")):
        return
    resources["report"]["plays"] = plays["packed"]
    facts = {name: value for name, value in plays.items() if name not in ("packed", "claims", "unplayed")}
    for grid in filter(None, (figure["grid"] for figure in list_figures(shown))):
        grid["facts"] |= {"plays": facts} if plays["figures"] or plays["refused"] else {}
    rows = [row for output in shown for row in output.metadata.get("claims", ()) if row["id"] in plays["claims"]]
    resources["report"]["page"]["replays"] = {row["id"]: list_marks(row) for row in rows}


def tell_unplayed(row, plays):
    """Why the page does not play the runs of a row again, as a sentence; empty where it does, or plays none."""
    if not plays.get("claims") or row["id"] in plays["claims"]:
        return ""
    if not row["sizes"]:
        return "This run played nothing for this row, so there is nothing to play again."
    why = plays["unplayed"].get(row["id"], "it plays only claims that the regret of short simulations decides")
    return f"This page cannot play this claim again: {why}."


def list_marks(row):
    """What a page draws beside a reader's intervals: those of this run, and of the committed one."""
    found = [("now", row), *([("then", row["at_paper_size"])] if row["at_paper_size"] else [])]
    keys = ("reading", "what", "value", "low", "high")
    return [{"css": css, **{key: one[key] for key in keys}} for css, run in found for one in run["measures"]]


def draw_captions(shown, resources):
    """TeX to MathML of all formulas in captions that the page shows later."""
    facts = [figure["grid"]["facts"] for figure in list_figures(shown) if figure["grid"]]
    facts.append(resources.get("plays") or {})
    return {tex: page.draw_formula(tex) for one in facts for tex in one.get("formulas", [])}


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

    def _create_environment(self):
        environment = super()._create_environment()
        environment.globals.update(page=page, leading=leading, signs=SIGNS, committed=COMMITTED)
        return environment

    def from_notebook_node(self, nb, resources=None, **kw):
        resources = self._init_resources(resources)
        resources["report"] = {"headings": [], **collect_facts(nb, resources["metadata"]["name"])}
        html, resources = super().from_notebook_node(nb, resources, **kw)
        html = page.set_formulas(html)
        if (size := len(html.encode()) / 1e6) > LARGEST:
            raise ReportError(f"the page is {size:.1f} MB large, at most {LARGEST} MB are allowed: show fewer points")
        return html, resources


def collect_facts(nb, name):
    """What the page says about the notebook and its run; `index` is what the index of all reports needs of it."""
    paper, papermill_says = nb.metadata.get("banditlab", {}), nb.metadata.get("papermill", {})
    given = dict(papermill_says.get("parameters", {}))
    scale = given.pop("scale", "")
    given.pop("live", None)
    run = paper.get("run", {})
    places = {"notebooks": run["notebooks"]} if run.get("notebooks", NOTEBOOKS) != NOTEBOOKS else {}
    moment = (started := papermill_says.get("start_time")) and datetime.datetime.fromisoformat(started)
    index = {
        "title": name, "scale": scale, "special": ", ".join(f"{key} = {given[key]}" for key in given),
        "paper": paper.get("paper", name), "order": paper.get("order"), "paper_title": paper.get("title", ""),
        "claim": paper.get("claim", ""), "date": f"{moment.day} {moment:%B %Y, %H:%M} UTC" if moment else "",
    }  # fmt: skip
    rows, scale = list_parameters(nb, given), scale or "quick"
    shown = {
        "notebook": name, "scale": scale, "places": list_options({}, places), "most": MOST,
        "run": {row.name: row.value for row in rows}, "own": {row.name: row.value for row in list_parameters(nb, {})},
    }  # fmt: skip
    return {
        "index": index, "parameters": rows, "page": shown, "run": run, "seconds": papermill_says.get("duration"),
        "computing": ledger.cpu_seconds(nb), "bibtex": paper.get("bibtex", ""),
        "commands": report_lines(name, scale, given, places), "opens": lab_line(name, places),
    }  # fmt: skip
