"""The words of a ledger: formulas in plain text are set, and a search for a control's name finds its symbol."""

import re
import unicodedata

KEPT = re.compile(r'(<span class="tex.*?</span>|<[^>]+>|&#?\w+;)', re.S)  # what is set already, tags, escaped letters
NESTED = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
POWER = re.compile(rf"(?<=[\w)])\^(?:\(({NESTED})\)|\{{([^{{}}]*)\}}|([a-z]{{2,}}\([^()]*\)|[-−]?\w+\*?))")
INDEX = re.compile(r"(?<!\w)([^\W\d_])_(\w+)")
SMALL = re.compile(r"(?<![\w.])(?:1|(\d+(?:\.\d+)?))e([+-]?)0*(\d+)(?!\w)")
MINUS = re.compile(r"(?<= )-(?= )|(?<![\w.)\]–-])-(?=[\d.∞])")
RAISED = str.maketrans("0123456789abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
SAID = ("sentence", "quote")  # of a row: what is claimed; its rule and its measures name every number


def set_plain_formulas(html):
    """HTML whose plain text has exponents, indices, powers of ten and minus signs as print has them.

    Examples
    --------
    >>> set_plain_formulas("Σ 1 - (1 - Δ q_t)^d, T^(2/3), 1e-09")
    'Σ 1 − (1 − Δ q<sub>t</sub>)<sup>d</sup>, T<sup>2/3</sup>, 10<sup>−9</sup>'
    """
    return "".join(part if k % 2 else set_text(part) for k, part in enumerate(KEPT.split(html)))


def set_text(text):
    """The same of text without tags."""
    text = POWER.sub(lambda found: f"<sup>{set_text(next(filter(None, found.groups()), ''))}</sup>", text)
    text = INDEX.sub(r"\1<sub>\2</sub>", text)
    text = SMALL.sub(lambda found: f"{found[1]} · " * bool(found[1]) + f"10<sup>{found[2]}{found[3]}</sup>", text)
    return MINUS.sub("−", text.replace("<sup>-", "<sup>−").replace("<sup>+", "<sup>"))


def set_label(text):
    """Text of a drawing, where nothing can be raised: with minus signs, and small letters for simple exponents.

    Examples
    --------
    >>> set_label("all k^d vectors - the first")
    'all kᵈ vectors − the first'
    """
    return MINUS.sub("−", re.sub(r"\^([0-9a-pr-z]+)(?!\w)", lambda found: found[1].translate(RAISED), text))


def name_symbols(controls):
    """The symbols of a paper, and what each is called, from its controls.

    Parameters
    ----------
    controls : dict of str to Slider, Choice or Switch

    Returns
    -------
    list of tuple
        Spellings of a symbol, and the words of its control's label.

    Examples
    --------
    >>> from banditlab.explorer import Slider
    >>> [(sorted(symbols), words) for symbols, words in name_symbols({"sigma": Slider("Noise σ", 0, 2, 1)})]
    [(['Sigma', 'sigma', 'σ'], ['noise'])]
    """
    found = []
    for control in controls.values():
        letter = "".join(c for c in unicodedata.normalize("NFKD", control.symbol) if not unicodedata.combining(c))
        words = [word.lower() for word in re.findall(r"\w\w+", control.label)]
        if len(letter) == 1 and words:
            greek = unicodedata.name(letter).split()[-1] if "GREEK" in unicodedata.name(letter) else letter
            found.append(({letter, greek.capitalize(), greek.lower()} if greek != letter else {letter}, words))
    return found


def list_synonyms(row, named):
    """Symbols and names of all that a row speaks of by either, as words to search for."""
    text = " ".join(row[key] for key in SAID)
    raised = (f" {unicodedata.normalize('NFKC', c)} " if "<super>" in unicodedata.decomposition(c) else c for c in text)
    tokens = {*re.findall(r"[^\W_]+", "".join(raised))}
    plain = {token.lower().rstrip("s") for token in tokens}
    found = (
        (*sorted(symbols), *words)
        for symbols, words in named
        if symbols & tokens or all(word.rstrip("s") in plain for word in words)
    )
    return " ".join(dict.fromkeys(word for words in found for word in words))
