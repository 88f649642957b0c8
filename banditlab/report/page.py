"""What all pages share: the markdown renderer, inlined scripts and fonts, and writing a file whole or not at all."""

import base64
import functools
import gzip
import hashlib
import html
import json
import re
from pathlib import Path

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.utils.exceptions import ConversionException
from plotly.offline import get_plotlyjs
from pygments.formatters import HtmlFormatter

from ..io import open_whole

HERE = Path(__file__).parent
TEMPLATES = HERE / "template"
SHARED = HERE.parent / "explorer" / "shared.js"  # an absolute path: it stands beside the explorer
KATEX = HERE / "katex"
# Our own scripts, after KaTeX and in this order.
PLAYER = HERE.parent / "page"
PLAYS = [PLAYER / f"{name}.js" for name in ("tables", "lines", "player")]
OWN = {
    "report": ("katex.js", SHARED, *PLAYS, "slide.js", "take.js", "report.js"),
    "index": ("katex.js", "index.js"),
}


class ReportError(ConversionException):
    """A notebook that cannot become a report; the message says why."""


def write_text(path, text):
    """Write a text file so that nobody ever sees half of it."""
    with open_whole(path, "w") as file:
        file.write(text)


def tex(source, display=False):
    """TeX for KaTeX to set; without JavaScript the source stays readable."""
    return f'<span class="tex{" display" if display else ""}">{html.escape(source.strip(), quote=False)}</span>'


def tex_in_text(source):
    """Escaped text with $...$ marked as TeX."""
    return re.sub(r"(?<![\\$])\$([^$\n]+)\$", r'<span class="tex">\1</span>', source)


def tex_in_html(source):
    """Raw HTML with $...$ of its text, but not of its tags, marked as TeX."""
    return re.sub(r">[^<]+", lambda text: tex_in_text(text[0]), source)


def glue_commas(html):
    """HTML in which no line starts with the comma after a formula."""
    return re.sub(r'<span class="tex">[^<]{1,30}</span>[,.;:!?)]+', r'<span class="glue">\g<0></span>', html)


class Renderer(IPythonRenderer):
    """nbconvert's renderer, with TeX marked for KaTeX and the headings collected for the table of contents."""

    def __init__(self, headings, escape=False, embed_images=True, **options):
        super().__init__(escape=escape, embed_images=embed_images, exclude_anchor_links=True, **options)
        self.headings = headings

    def heading(self, text, level, **attributes):
        plain = re.sub(r"<[^>]+>", "", text)
        slug = re.sub(r"\W+", "-", plain.lower()).strip("-") or "section"
        taken = sum(heading["slug"] == slug for heading in self.headings)
        anchor = f"{slug}-{taken + 1}" if taken else slug
        linked = re.sub(r"</?(?!span)\w[^>]*>", "", text)  # TeX stays, links and emphasis go
        self.headings.append({"level": level, "slug": slug, "anchor": anchor, "html": glue_commas(linked)})
        return f'<h{level} id="{anchor}">{text}</h{level}>\n'

    def block_html(self, html):
        return super().block_html(tex_in_html(html))

    def _html_embed_images(self, html):  # nbconvert's own closes a <details> whose content follows as markdown
        source = re.compile(r"""(<img\b[^>]*?\bsrc=["'])([^"']*)""")
        return source.sub(lambda found: found[1] + self._embed_image_or_attachment(found[2]), html)

    def inline_math(self, body):
        return tex(body)

    def block_math(self, body):
        return tex(body, display=True)

    def latex_environment(self, name, body):
        return tex(f"\\begin{{{name}}}{body}\\end{{{name}}}", display=True)


def render_markdown(source, headings=None, **options):
    """Markdown with TeX as HTML."""
    return glue_commas(
        MarkdownWithMath(renderer=Renderer([] if headings is None else headings, **options)).render(source)
    )


def render_markdown_line(source, **options):
    """One line of markdown, without the paragraph around it."""
    return re.sub(r"</?p>", "", render_markdown(source, **options)).strip()


def make_island(value):
    """JSON that can stand in a script element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def read_asset(name):
    """A file of ours as it is."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def play_worker():
    """The script of the workers that play; the page makes a blob of it."""
    return (PLAYER / "worker.js").read_text(encoding="utf-8")


@functools.cache
def code_css():
    """Colours of highlighted code, light and dark."""
    light, dark = (HtmlFormatter(style=style).get_style_defs(".highlight") for style in ("default", "github-dark"))
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}"


@functools.cache
def katex():
    """KaTeX: its licence, its style sheet with the fonts inside, and its script."""

    def font(match):
        return f"url(data:font/woff2;base64,{base64.b64encode((KATEX / match[1]).read_bytes()).decode()})"

    css = (KATEX / "katex.min.css").read_text(encoding="utf-8")
    css = re.sub(r',url\([^)]*\) format\("(?:woff|truetype)"\)', "", css)
    css = re.sub(r"url\((fonts/[^)]+\.woff2)\)", font, css)
    licence, script = ((KATEX / name).read_text(encoding="utf-8") for name in ("LICENSE", "katex.min.js"))
    return {"licence": licence, "css": css, "script": script}


@functools.cache
def list_scripts(kind):
    """The scripts that a report or an index runs, and nothing else runs there."""
    return [katex()["script"], *map(read_asset, OWN[kind])]


@functools.cache
def hash_scripts(kind):
    """Sources of a content policy that lets only our own scripts run.

    They are named here: to hash whatever stands in a page would bless what an output brought along. plotly.js runs as
    it is unpacked. JSON and text need no hash, they do not run.
    """
    texts = [*list_scripts(kind), *([get_plotlyjs()] if kind == "report" else [])]
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)


@functools.cache
def plotly_js():
    """plotly.js of the installed plotly, gzipped in base64: 4.8 MB in 2."""
    return base64.b64encode(gzip.compress(get_plotlyjs().encode(), 9, mtime=0)).decode()
