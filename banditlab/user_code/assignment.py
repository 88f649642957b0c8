"""Which local variables may be read before they have a value: Python raises there, compiled code reads what lies there.

Definite assignment on byte code: a name is safe at an instruction if every path to it assigns the name. Byte code and
not source, because methods may come from cells, and because it is what compiles.
"""

import dis
import re

from .code_identity import quote_line

ENDS = ("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE")
ALWAYS = ("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT")
JUMPS = frozenset([*dis.hasjrel, *dis.hasjabs])
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def refuse_unassigned(method, function):
    """Refuse a function that may read a local variable before it has a value.

    Parameters
    ----------
    method : str
        What the message calls the function.
    function : function

    Raises
    ------
    TypeError
        With the line that reads, the name and the cure.
    """
    for name, line in find_unassigned(function.__code__):
        raise TypeError(
            f"{method}: `{name}` may be read before it has a value, and compiled code would play on with any number\n"
            f"at {quote_line(function.__code__.co_filename, line)}\n"
            f"cure: give `{name}` a value before the loop or branch that assigns it"
        )


def find_unassigned(code):
    """Names and lines of the reads, in this code and in the code inside it, that some path reaches unassigned."""
    steps, unsafe = list(dis.get_instructions(code)), set()
    at = trace_assigned(code, steps)
    restored = find_restored(steps)
    for i, assigned in at.items():
        for action, name in list_uses(code, steps, i, restored):
            if action != "STORE" and name not in assigned:
                unsafe.add((steps[i].positions.lineno or code.co_firstlineno, name))
            assigned = apply_use(assigned, action, name)
    yield from ((name, line) for line, name in sorted(unsafe))
    for inner in code.co_consts:
        if hasattr(inner, "co_code"):
            yield from find_unassigned(inner)


def trace_assigned(code, steps):
    """Which names have a value before each instruction that can be reached, whatever path leads there."""
    place = {step.offset: i for i, step in enumerate(steps)}
    handlers = [(e.start, e.end, place[e.target]) for e in dis.Bytecode(code).exception_entries]
    plain = code.co_argcount + code.co_kwonlyargcount
    several = bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)  # *args and **keywords
    restored = find_restored(steps)
    at, todo = {0: frozenset(code.co_varnames[: plain + several]) | frozenset(code.co_freevars)}, [0]
    while todo:
        i = todo.pop()
        after = at[i]
        for action, name in list_uses(code, steps, i, restored):
            after = apply_use(after, action, name)
        raised = [(target, at[i]) for start, end, target in handlers if start <= steps[i].offset < end]
        for target, known in [*((target, after) for target in list_next(steps, i, place)), *raised]:
            met = known & at.get(target, known)
            if met != at.get(target):
                at[target] = met
                todo.append(target)
    return at


def apply_use(assigned, action, name):
    """The names that have a value after this one was stored, read or deleted."""
    return assigned - {name} if action == "DELETE" else assigned | {name}


def list_uses(code, steps, i, restored):
    """What an instruction does to local variables, in order: LOAD, STORE or DELETE, and the name."""
    step = steps[i]
    actions = re.findall(r"(LOAD|STORE|DELETE)_(?:FAST|DEREF|CLOSURE)", step.opname)
    if not actions or step.opname == "LOAD_FAST_AND_CLEAR":  # this one sets aside a namesake of a comprehension's
        return []
    names = step.argval if isinstance(step.argval, tuple) else (step.argval,) * len(actions)
    uses = [(action, name) for action, name in zip(actions, names, strict=True) if (i, name) not in restored]
    return [] if is_capture(code, step) and not is_read_by_comprehension(steps, i) else uses


def is_capture(code, step):
    """Whether the instruction hands over the cell of a variable, not its value."""
    return step.opname == "LOAD_CLOSURE" or (step.opname.startswith("LOAD_FAST") and step.argval in code.co_cellvars)


def is_read_by_comprehension(steps, i):
    """Whether a comprehension, which runs at once, reads this cell and does not assign it; a function may run later."""
    made = next((step.argval for step in steps[i:] if hasattr(step.argval, "co_name")), None)
    return made is not None and made.co_name in COMPREHENSIONS and not is_assigned_in(made, steps[i].argval)


def is_assigned_in(code, name):
    """Whether this code, or code inside it, assigns a variable of the function around it: ``(name := ...)``."""
    own = any(step.opname == "STORE_DEREF" and step.argval == name for step in dis.get_instructions(code))
    return own or any(is_assigned_in(inner, name) for inner in code.co_consts if hasattr(inner, "co_code"))


def find_restored(steps):
    """Where a comprehension gives its variable's namesake back, (index, name): no assignment."""
    place, found = {step.offset: i for i, step in enumerate(steps)}, set()
    for i, step in enumerate(steps):
        if step.opname == "LOAD_FAST_AND_CLEAR":
            loop = next(later for later in steps[i:] if later.opname == "FOR_ITER")
            for k in range(place[loop.argval], len(steps)):
                named = steps[k].argval if isinstance(steps[k].argval, tuple) else (steps[k].argval,)
                if "STORE_FAST" in steps[k].opname and step.argval in named:
                    found.add((k, step.argval))
                    break
    return found


def list_next(steps, i, place):
    """Indices of the instructions that may come next, errors apart."""
    step, before = steps[i], [earlier.opname for earlier in steps[max(i - 2, 0) : i]]
    following = [] if step.opname in (*ENDS, *ALWAYS) else [i + 1]
    ends_with = before[-1:] == ["WITH_EXCEPT_START"] or before == ["WITH_EXCEPT_START", "TO_BOOL"]
    if step.opcode in JUMPS and not ends_with:  # no context that compiles swallows an error
        following.append(place[step.argval])
    return following
