"""Draws the gallery: every figure of the notebooks as a picture, and the page that shows them (`make gallery`).

The notebooks run at quick size; results are kept beside the reports, so that a second run is quick. Pictures need
kaleido and Chromium or Chrome. ``python docs/gallery.py FOLDER`` takes executed notebooks from a folder.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

import nbformat
import papermill
import plotly.graph_objects as go
import plotly.io as pio

ROOT = Path(__file__).resolve().parent.parent
PICTURES, SCREENS = ROOT / "docs" / "gallery", ROOT / "docs" / "screens"
SCALE = 0.7  # of 900 pixels: the repository stays small
PLOTLY = "application/vnd.plotly.v1+json"
PREFACE = """# Gallery

The figures of the notebooks, drawn at quick size by `make gallery`. Each paper has a figure that plays, where its
report is built (`make reports docs`); in JupyterLab all figures of the explorer move with their sliders.
Screenshots are taken by `make screens`.

![The index of all reports](screens/index.jpg)

## Papers of others

Each is a module of at most 250 lines and a notebook, as `python -m banditlab.new` writes them: open it in JupyterLab,
or make its report with `python -m banditlab.report --notebooks docs/examples`.

* [Cascading Bandits](examples/cascading.ipynb): ranking from the first click alone (Kveton and others, ICML 2015).
* [The best arm with fixed confidence](examples/tracking.ipynb): Track-and-Stop (Garivier, Kaufmann, COLT 2016).
* [Optimism in an ellipsoid](examples/oful.ipynb): OFUL (Abbasi-Yadkori, Pál, Szepesvári, NIPS 2011).
"""
PLAYS = """
```{{only}} {paper}_report
<iframe class="live" src="reports/{paper}.html?figure" title="{title}: move its sliders" loading="lazy"></iframe>

[The whole report](report:{paper}.html), with its ledger of claims.
```
"""
SHOTS = {
    "notebook": "The notebook in JupyterLab, at the first step of its tour",
    "report": "The report, at the first step of its tour",
}


def executed(path):
    """The notebook as papermill leaves it."""
    with tempfile.TemporaryDirectory() as scratch:
        done = Path(scratch) / path.name
        papermill.execute_notebook(path, done, {"live": False}, cwd=path.parent, progress_bar=False)
        return nbformat.read(done, 4)


def figures(notebook):
    """Title and (title, figure) of what an executed notebook shows, without its sliders."""
    found = []
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        if PLOTLY in output.get("data", {}):
            figure = go.Figure(output.data[PLOTLY], skip_invalid=True)
            found.append((plain(figure.layout.title.text or ""), figure))
    return notebook.metadata["banditlab"]["title"], found


def plain(title):
    """A title without the tags that plotly understands."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", title)).strip()


def lay_out(pictures):
    """Two pictures a row, each with its caption; a table is read everywhere."""
    pairs = zip(pictures[::2], [*pictures[1::2], ""][: len(pictures[::2])], strict=True)
    return ["| | |", "|---|---|", *(f"| {left} | {right} |" for left, right in pairs), ""]


def main(folder=None):
    """Draw the pictures and write the page."""
    os.environ.setdefault("BANDITLAB_KEEP", str(ROOT / "reports" / ".kept"))
    page, names, drawn = [PREFACE], [], []
    order = ("factored", "uplifting", "censored", "composite")
    for paper in order:
        name = f"{paper}.ipynb"
        title, found = figures(nbformat.read(Path(folder) / name, 4) if folder else executed(ROOT / "notebooks" / name))
        page.append(f"\n## {title}\n{PLAYS.format(paper=paper, title=title)}")
        shots = [kind for kind in SHOTS if (SCREENS / f"{paper}-{kind}.jpg").exists()]
        shown = [f"![{SHOTS[kind]}](screens/{paper}-{kind}.jpg)<br>{SHOTS[kind]}" for kind in shots]
        for number, (caption, figure) in enumerate(found, 1):
            name = f"{paper}-{number}.webp"
            figure.update_layout(width=900, height=figure.layout.height or 470)
            drawn.append(figure)
            names.append(PICTURES / name)
            shown.append(f"![{caption}](gallery/{name})<br>{caption}")
        page += lay_out(shown)
        print(f"{paper}: {len(found)} figures", file=sys.stderr)
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.glob("*.webp"):
        old.unlink()
    sizes = {side: [figure.layout[side] for figure in drawn] for side in ("width", "height")}
    pio.write_images(fig=drawn, file=names, scale=SCALE, **sizes)
    (ROOT / "docs" / "gallery.md").write_text("\n".join(page), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
