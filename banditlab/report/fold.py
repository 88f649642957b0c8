"""A page at a glance: what is long keeps its beginning, the rest opens; figures become tiles that open."""

import re

from bs4 import BeautifulSoup
from bs4.element import NavigableString, Tag

LEAD, WHOLE = 200, 420  # letters of a text that are seen when it is folded; of one that is not folded
LEAST = 160  # letters that are worth a fold
FIRST = 150  # letters of a paragraph that may be cut after the next sentence
ROWS, MANY = 3, 6  # rows of a table that are seen when it is folded; of one that is not folded
NUMBER = re.compile(r"-?\d+(\.\d+)?")
BLOCKS = ("p", "ul", "ol", "table", "pre", "details")
SENTENCE = re.compile(r"(?<=[.?!:]) (?=[A-Z(])")


def split_heading(html):
    """The headings that a text begins with, and the rest."""
    found = re.match(r"\s*(?:<h\d\b.*?</h\d>\s*)+", html, re.S)
    return (found[0], html[found.end() :]) if found else ("", html)


def fold_text(html):
    """HTML of a text of which a long one, a long list and a long table show their beginnings, and open."""
    soup = BeautifulSoup(html, "html.parser")
    group_digits(soup)
    for table in soup.find_all("table"):
        fold_table(soup, table)
    for points in soup.find_all("ul", recursive=False):
        fold_points(soup, points)
    heads = [place for place, tag in enumerate(soup.contents) if isinstance(tag, Tag) and re.match(r"h\d", tag.name)]
    for start, end in reversed(list(zip([-1, *heads], [*heads, len(soup.contents)], strict=True))):
        fold_blocks(soup, soup.contents[start + 1 : end])
    return str(soup)


def fold_blocks(soup, blocks):
    """Fold what stands under one heading, where it is long."""
    prose = [block for block in blocks if isinstance(block, Tag)]
    if any(block.name not in ("p", "span", "ul", "ol") for block in prose) or measure_text(prose) <= WHOLE:
        return
    seen = 0
    for place, block in enumerate(prose):
        if is_formula(block):
            continue
        if seen and seen + measure_text([block]) > LEAD:
            break
        seen += measure_text([block])
        if seen > LEAD and (rest := cut_paragraph(soup, block)):
            prose.insert(place + 1, rest)
            place += 1
            break
    else:
        return
    if measure_text(prose[place:]) < LEAST:
        return
    details = make_details(soup, tell_rest(prose[place:]))
    prose[place].insert_before(details)
    for block in prose[place:]:
        details.append(block.extract())


def cut_paragraph(soup, paragraph):
    """Cut a paragraph after a sentence; returns the rest, or None where it cannot be cut."""
    seen = 0
    for child in list(paragraph.contents):
        text = str(child) if isinstance(child, NavigableString) else ""
        for found in SENTENCE.finditer(text):
            if seen + found.start() >= FIRST:
                rest = soup.new_tag("p")
                rest.append(text[found.end() :])
                for later in list(child.next_siblings):
                    rest.append(later.extract())
                child.replace_with(text[: found.start()])
                paragraph.insert_after(rest)
                return rest
        seen += len(child.get_text() if isinstance(child, Tag) else child)
    return None


def fold_points(soup, points):
    """Points that begin in bold show one line of their text, and open."""
    for point in points.find_all("li", recursive=False):
        first = next((child for child in point.children if str(child).strip()), None)
        if getattr(first, "name", None) == "p":
            first.unwrap()
            first = next((child for child in point.children if str(child).strip()), None)
        if getattr(first, "name", None) != "strong" or measure_text([point]) < FIRST:
            continue
        details = make_details(soup, "")
        for child in [child.extract() for child in list(point.children)]:
            (details if getattr(child, "name", None) in BLOCKS else details.summary).append(child)
        point.append(details)


def group_digits(soup):
    """Numbers of pandas' tables are written as in the text around them: 17,815.8 instead of 17815.8."""
    for cell in soup.select("table.dataframe td"):
        if NUMBER.fullmatch(text := cell.get_text()):
            whole, point, digits = text.removeprefix("-").partition(".")
            cell.string = "−" * text.startswith("-") + f"{int(whole):,}{point}{digits}"


def fold_table(soup, table):
    """The rows of a long table beyond its first ones stand in a second table, which opens."""
    body = table.tbody
    rows = body.find_all("tr", recursive=False) if body else []
    if len(rows) <= MANY or table.find_parent("details"):
        return
    share_cells(rows)
    again = soup.new_tag("table", attrs=dict(table.attrs))
    if table.thead:
        again.append(BeautifulSoup(str(table.thead), "html.parser"))
    again.append(soup.new_tag("tbody"))
    again.tbody.extend(row.extract() for row in rows[ROWS:])
    details = make_details(soup, f"{len(rows) - ROWS} more rows")
    details.append(again)
    table.insert_after(details)


def share_cells(rows):
    """Cells that reach over the cut through a table stand on both sides of it."""
    reach = []
    for place, row in enumerate(rows[:ROWS]):
        for cell in row.find_all(["th", "td"]):
            height = int(cell.get("rowspan", 1))
            if place + height > ROWS:
                again = BeautifulSoup(str(cell), "html.parser").contents[0]
                again["rowspan"], cell["rowspan"] = place + height - ROWS, ROWS - place
                reach.append(again)
    for again in reversed(reach):
        rows[ROWS].insert(0, again)


def make_details(soup, words):
    """An element that opens, with the words of its summary."""
    details = soup.new_tag("details", attrs={"class": "more"})
    details.append(soup.new_tag("summary"))
    details.summary.append(words)
    return details


def tell_rest(blocks):
    """What a folded text holds, in words."""
    words = sum(len(block.get_text().split()) for block in blocks if not is_formula(block))
    formulas = sum(map(is_formula, blocks)) + sum(len(block.select(".display")) for block in blocks)
    return f"Read on: {words} words" + f", {formulas} formula{'s' * (formulas > 1)}" * bool(formulas)


def is_formula(block):
    """Whether a block is a displayed formula."""
    shown = block if block.name == "span" else block.find("span", class_="display", recursive=False)
    return bool(shown) and "display" in shown.get("class", []) and len(block.get_text()) - len(shown.get_text()) < 4


def measure_text(blocks):
    """Letters of a text; a displayed formula takes the room of a hundred."""
    return sum(100 if is_formula(block) else len(block.get_text()) for block in blocks)


def number_formulas(html, count):
    """HTML whose displayed formulas have the next numbers of a counter, and addresses."""

    def mark(found):
        if r"\tag" in found[1] or r"\begin{equation}" in found[1]:
            return found[0]
        number = next(count)
        return f'<span class="tex display" id="formula-{number}" data-number="{number}">{found[1]}</span>'

    return re.sub(r'<span class="tex display">([^<]*)</span>', mark, html)


def link_ids(html, anchors):
    """HTML in which the claims that a text names, as in "(A5a, B1)" and "claim A13", lead to their rows."""
    if not anchors:
        return html
    ids = "|".join(sorted(map(re.escape, anchors), key=len, reverse=True))
    link = re.compile(rf"\b(?:{ids})\b")
    named = re.compile(rf"\((?:{ids})(?:(?:, | and )(?:{ids}))*[);,]|\b[Cc]laims? (?:{ids})(?:(?:, | and )(?:{ids}))*")

    def put(words):
        return link.sub(lambda found: f'<a href="#{anchors[found[0]]}">{found[0]}</a>', words[0])

    parts = re.split(r"(<span class=\"tex.*?</span>|<a\b.*?</a>|<code.*?</code>|<[^>]+>)", html, flags=re.S)
    return "".join(part if k % 2 else named.sub(put, part) for k, part in enumerate(parts))


def arrange_cells(cells):
    """Tell cells what the page opens before and closes after them: a text with its tile beside it, rows of tiles."""
    groups, joins = [], False
    for cell in cells:
        tile = cell.metadata["page"].get("tile")
        if not (tile and joins):
            groups.append([])
        groups[-1].append(cell)
        joins = tile or cell.cell_type == "markdown"
    for group in groups:
        if tiles := sum(bool(cell.metadata["page"].get("tile")) for cell in group):
            beside = tiles == 1 and group[0].cell_type == "markdown" and group[0].source.strip()
            group[0].metadata["page"]["before"] = f'<div class="{"beside" if beside else "tiles"}">'
            group[-1].metadata["page"]["after"] = "</div>"
