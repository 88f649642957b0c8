"""What all pages share: the markdown renderer, inlined scripts and fonts, and writing a file whole or not at all."""

import base64
import functools
import hashlib
import json
import re
from html import escape, unescape
from pathlib import Path

from math_core import LatexError, LatexToMathML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.utils.exceptions import ConversionException
from plotly.offline import get_plotlyjs
from pygments.formatters import HtmlFormatter

from ..io import open_whole
from ..page.arguments import zip_text

HERE = Path(__file__).parent
TEMPLATES = HERE / "template"
LEDGER = HERE.parent / "evidence" / "ledger.js"
INSTRUMENT = HERE.parent / "explorer"  # what a notebook shows, too
SHARED = [INSTRUMENT / name for name in ("shared.js", "instrument.js")]  # absolute paths
PLAYER = HERE.parent / "page"
PLAYS = [PLAYER / f"{name}.js" for name in ("tables", "lines", "player", "judge")]
OWN = {  # our own scripts, in this order
    "report": (*SHARED, *PLAYS, "slide.js", "take.js", LEDGER, "report.js", "stops.js", "again.js", "other_values.js"),
    "index": (LEDGER, "stops.js"),
}
CONVERTER = LatexToMathML(allow_unreliable_rendering=True, fancy_error=False)  # wide tildes are drawn well enough
LONG, LONG_MATH = 30, '<math class="long"'  # letters of TeX; browsers break no formula: on a phone a long one scrolls


class ReportError(ConversionException):
    """A notebook that cannot become a report; the message says why."""


def write_text(path, text):
    """Write a text file so that nobody ever sees half of it."""
    with open_whole(path, "w") as file:
        file.write(text)


def tex(source, display=False):
    """TeX, marked for `set_formulas`."""
    return f'<span class="tex{" display" if display else ""}">{escape(source.strip(), quote=False)}</span>'


def tex_in_text(source):
    """Escaped text with $...$ marked as TeX."""
    return re.sub(r"(?<![\\$])\$([^$\n]+)\$", r'<span class="tex">\1</span>', source)


def escape_with_tex(source):
    """Text as HTML, with $...$ marked as TeX."""
    return tex_in_text(escape(source))


def tex_in_html(source):
    """Raw HTML with $...$ of its text, but not of its tags, marked as TeX."""
    return re.sub(r">[^<]+", lambda text: tex_in_text(text[0]), source)


def set_formulas(html):
    """HTML in which all that is marked as TeX is MathML, which browsers draw, print and read aloud; wrong TeX stays."""

    def draw(found):
        source = unescape(found[2])
        drawn = draw_formula(source, "display" in found[1])
        return f"<span{found[1]}>{drawn.replace('<math', LONG_MATH, 1) if len(source) > LONG else drawn}</span>"

    return re.sub(r'<span([^>]*\bclass="tex(?: display)?"[^>]*)>([^<]*)</span>', draw, html)


@functools.cache
def draw_formula(source, display=False):
    """A formula as MathML, or its escaped TeX where that is wrong."""
    try:
        return CONVERTER.convert_with_local_state(source, displaystyle=display)
    except LatexError:
        return escape(source, quote=False)


def glue_commas(html):
    """HTML in which no line starts with the comma after a formula, or ends with the parenthesis before it."""
    short = r'<span class="tex">[^<]{1,30}</span>'
    return re.sub(rf"\({short}[,.;:!?)]*|{short}[,.;:!?)]+", r'<span class="glue">\g<0></span>', html)


class Renderer(IPythonRenderer):
    """nbconvert's renderer, with TeX marked as such and the headings collected for the table of contents."""

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
    renderer = Renderer([] if headings is None else headings, **options)
    return glue_commas(MarkdownWithMath(renderer=renderer).render(source))


def render_markdown_line(source, **options):
    """One line of markdown, without the paragraph around it."""
    return re.sub(r"</?p>", "", render_markdown(source, **options)).strip()


def make_island(value):
    """JSON that can stand in a script element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def read_asset(name):
    """A file of ours as it is."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def read_look():
    """The style that all pages share with the notebook."""
    return "".join((INSTRUMENT / name).read_text(encoding="utf-8") for name in ("look.css", "instrument.css"))


def code_css():
    """Colours of highlighted code, light and dark."""
    light, dark = (HtmlFormatter(style=style).get_style_defs(".highlight") for style in ("default", "github-dark"))
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}"


def list_scripts(kind):
    """The scripts that a report or an index runs, and nothing else runs there."""
    return [*map(read_asset, OWN[kind])]


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
    """plotly.js of the installed plotly, as of `zip_text`: 4.8 MB in 1.8."""
    return zip_text(get_plotlyjs().encode())
