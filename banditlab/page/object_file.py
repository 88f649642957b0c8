"""An object file of WebAssembly that leaves nothing to link becomes a module: with exports, without a linker's notes.

LLVM writes into an object file the addresses that are right if it is loaded alone (it calls them provisional), so that
no linker is needed. That it goes on doing so is for the golden numbers to say.
"""

CUSTOM, IMPORT, EXPORT = 0, 2, 7
AFTER_EXPORTS = (8, 9, 12, 10, 11)  # start, elements, count of data, code, data
FUNCTION, DATA, SECTION = 0, 1, 3  # kinds of symbols
UNDEFINED, NAMED = 16, 64  # flags of a symbol
SYMBOLS = 8  # the table of symbols among the linker's notes
PROVIDED = {"__linear_memory", "__stack_pointer", "__indirect_function_table"}  # by the page


class Reader:
    """Reads numbers and names of WebAssembly's binary format one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        """So many bytes."""
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self):
        """An unsigned number, seven bits a byte."""
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def name(self):
        """A text with its length before it."""
        return self.take(self.number()).decode()


def coded(value):
    """A number as `Reader.number` reads it."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def sections(data):
    """Kind and content of every section."""
    reader = Reader(data)
    reader.take(8)
    while reader.at < len(data):
        kind = reader.take(1)[0]
        yield kind, reader.take(reader.number())


def defined_functions(notes):
    """Name to number of the functions that an object file defines, from the linker's notes."""
    reader, found = Reader(notes), {}
    reader.name(), reader.number()  # "linking", its version
    while reader.at < len(notes):
        kind = reader.take(1)[0]
        part = Reader(reader.take(reader.number()))
        if kind == SYMBOLS:
            for _ in range(part.number()):
                name, number = symbol(part)
                found |= {name: number} if name else {}
    return found


def symbol(reader):
    """The next symbol: name and number of a function that is defined here, or nothing of another kind."""
    kind, flags = reader.take(1)[0], reader.number()
    if kind == DATA:
        reader.name()
        for _ in range(0 if flags & UNDEFINED else 3):
            reader.number()
        return "", 0
    number = reader.number()
    name = reader.name() if kind != SECTION and (not flags & UNDEFINED or flags & NAMED) else ""
    return (name, number) if kind == FUNCTION and not flags & UNDEFINED else ("", 0)


def imported(body):
    """Names of what a section of imports asks for."""
    reader = Reader(body)
    for _ in range(reader.number()):
        reader.name()
        yield reader.name()
        kind = reader.take(1)[0]
        if kind == 0:  # a function: its type
            reader.number()
        elif kind == 3:  # a global: its type, whether it changes
            reader.take(2)
        else:  # a table (with the type of its elements) or memory: its limits
            reader.take(kind == 1)
            for _ in range(1 + (reader.take(1)[0] & 1)):
                reader.number()


def export_functions(data, wanted):
    """Return an object file as a module that exports these functions.

    Raises
    ------
    ValueError
        If it asks for something that is neither in it nor brought by the page.
    """
    parts = list(sections(data))
    asked = {name for kind, body in parts if kind == IMPORT for name in imported(body)} - PROVIDED
    if asked:
        raise ValueError(f"compiled code asks for {', '.join(sorted(asked))}, which a page does not have")
    notes = next(body for kind, body in parts if kind == CUSTOM and Reader(body).name() == "linking")
    found = defined_functions(notes)
    entries = (coded(len(name)) + name.encode() + b"\0" + coded(found[name]) for name in wanted)
    kept = [(kind, body) for kind, body in parts if kind not in (CUSTOM, EXPORT)]
    place = next(i for i, (kind, _) in enumerate(kept) if kind in AFTER_EXPORTS)
    kept.insert(place, (EXPORT, coded(len(wanted)) + b"".join(entries)))
    return data[:8] + b"".join(bytes([kind]) + coded(len(body)) + body for kind, body in kept)
