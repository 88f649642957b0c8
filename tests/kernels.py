"""Compile any function of environments and policies, as `player.compile_pair` compiles the loop."""

from banditlab.engine import compiling
from banditlab.engine.methods import helper
from banditlab.user_code import code_identity, guards


def compile_for(function, *args):
    """The function compiled for these arguments."""
    theirs = code_identity.classes_from_outside(args)
    for plain in guards.prepare_functions(theirs):
        helper(plain)
    known = code_identity.code_keys(set(code_identity.classes_in(args)))
    folder = code_identity.HOME if code_identity.is_lasting_everywhere(known) else None
    signature = compiling.signature_of(args)
    return compiling.compile_loop(function, signature, frozenset(known.items()), bool(theirs), folder)
