"""What an environment and a policy are, and how compiled code finds their methods.

An environment, a policy, and the state of either are ``typing.NamedTuple`` classes with ordinary methods::

    world       = environment.reset(rng)                     # what changes in a run
    context     = environment.context(world, t, rng)         # optional: what the policy sees before it acts
    observation = environment.step(world, action, t, rng)    # what the policy sees afterwards
    loss        = environment.regret(world, action, t)       # expected, never from the noise

    state       = policy.init(rng)                           # what the policy remembers
    action      = policy.select(state, [context,] t, rng)    # with `context` only where the environment has one
    state       = policy.update(state, action, observation, t, rng)

Conventions, decided once: ``t`` counts the rounds already played (0-based), arms are 0-based, ties go to the
lowest index, an arm never pulled has index +infinity. World arrays change in place; a scalar of the world is a
one-element array.

``indices(self, state, t)`` of a policy is optional too: estimate, radius and index of every arm, for `trace`.
Two methods are optional and never compiled: ``actions(self)`` names the action space (the number of arms, or the sizes
of the components), so that a policy and an environment of different sizes are refused; after a run
``diagnostics(self, world, state)`` returns a dict of numbers, which become columns of ``Result.final``, or of arrays of
one shape per key, as at rounds that it kept itself; both are in ``Result.diagnostics``.

Any method of any NamedTuple class compiles, these and whatever else a class defines; `helper` does the same for a
function. numba's own ``overload_method`` and ``register_jitable`` keep what they compiled per type for ever, so that
a method or a global changed in a notebook would not be seen; here the version of the code is part of the key: that of
the function and of the classes of its arguments, so that all pairs of an environment and a policy share what they have
in common.
"""

import functools
from types import FunctionType

from llvmlite import ir
from numba import njit, types
from numba.core.dispatcher import Dispatcher
from numba.core.imputils import lower_cast
from numba.core.typing import templates
from numba.core.typing.typeof import Purpose
from numba.extending import lower_builtin, register_model, typeof_impl

from ..user_code import code_identity
from . import numba_options

digests = {}  # of the code met in the compilation under way
checked = False  # whether its indexing and its arithmetic are checked


def hash_code(thing):
    """A hash of the `code_key` of a class or function, the same all through a compilation."""
    if thing not in digests:
        digests[thing] = code_identity.digest_code(thing)
    return digests[thing]


def find_compiler(function, arguments):
    """The key under which numba knows this function as its code is now, and its compiler.

    What it does depends on its own code and on the methods of its arguments; whatever else it meets is made by these.
    """
    classes = {cls for kind in arguments for cls in classes_of(kind)}
    return register_once(function, hash_code(function), frozenset(map(hash_code, classes)), checked)


def classes_of(kind):
    """The NamedTuple classes of a type of numba's, and of everything in it."""
    if isinstance(kind, types.BaseNamedTuple):
        yield kind.instance_class
    inner = getattr(kind, "dtype", None), getattr(kind, "type", None)
    for part in (*getattr(kind, "types", ()), *(part for part in inner if isinstance(part, types.Type))):
        yield from classes_of(part)


@functools.cache
def register_once(function, code, classes, checked):
    """What `find_compiler` returns, made once for every version of the code."""
    dispatcher = njit(**numba_options.ask_method(checked))(function)
    key = function, code, classes, checked

    @lower_builtin(key, types.VarArg(types.Any))
    def lower(context, builder, sig, args):
        call = context.get_function(types.Dispatcher(dispatcher), sig)
        context.add_linking_libs(getattr(call, "libs", ()))
        return call(builder, args)

    return key, dispatcher


def type_call(function, context, args, keywords):
    """The signature of a call."""
    dispatcher = find_compiler(function, (*args, *keywords.values()))[1]
    return types.Dispatcher(dispatcher).get_call_type(context, args, keywords)


class Method(types.BoundFunction):
    """The type of a bound method: its code is looked up when all its arguments are known."""

    def get_impl_key(self, sig):
        return find_compiler(self.template.key, sig.args)[0]


@register_model(Method)
def model_method(manager, kind):
    """In memory a bound method is the instance."""
    return manager[kind.this]


@templates.infer_getattr
class Methods(templates.AttributeTemplate):
    """Methods of NamedTuple classes, for compiled code."""

    key = types.BaseNamedTuple

    def generic_resolve(self, instance, name):
        """The bound method, or None where numba's own rules (fields) apply."""
        function = getattr(instance.instance_class, name, None)
        if not isinstance(function, FunctionType):
            return None
        if name == "_replace":
            function = write_replace(instance.instance_class)

        class Call(templates.AbstractTemplate):
            key = function

            def generic(self, args, keywords):
                return type_call(function, self.context, (self.this, *args), keywords).as_method()

        return Method(Call, instance)


@functools.cache
def write_replace(cls):
    """The method ``_replace`` of a NamedTuple class written out: numba drops the branches that a call does not take."""
    asked = ", ".join(f"{name}=None" for name in cls._fields)
    given = ", ".join(f"self.{name} if {name} is None else {name}" for name in cls._fields)
    scope = {"cls": cls, "__name__": __name__}
    exec(f"def _replace(self, {asked}):\n    return cls({given})", scope)
    return scope["_replace"]


@templates.infer_global(float)
class OfTruth(templates.AbstractTemplate):
    """``float(u < p)``: numba has it of numbers only."""

    def generic(self, args, keywords):
        return templates.signature(types.float64, *args) if args == (types.boolean,) and not keywords else None


@lower_cast(types.float64, types.int64)
def to_whole(context, builder, source, target, x):
    """``int(x)``: for code from outside an error where 64 bits hold no such number, and not whatever lies there."""
    if checked:
        limit, least = (ir.Constant(x.type, end) for end in (2.0**63, -(2.0**63)))
        fits = builder.and_(builder.fcmp_ordered("<", x, limit), builder.fcmp_ordered(">=", x, least))
        with builder.if_then(builder.not_(fits), likely=False):
            words = "int() of a number that is not finite, or too large"
            context.call_conv.return_user_exc(builder, ValueError, (words,))
    return builder.fptosi(x, context.get_value_type(target))


def to_narrow(context, builder, source, target, x):
    """A whole number of fewer bits: for code from outside an error where it does not fit."""
    if isinstance(source, types.Float):
        x = to_whole(context, builder, source, types.int64, x)
    if checked:
        low, high = (ir.Constant(x.type, end) for end in (target.minval, target.maxval))
        wrong = builder.or_(builder.icmp_signed("<", x, low), builder.icmp_signed(">", x, high))
        with builder.if_then(wrong, likely=False):
            words = f"a whole number out of bounds for {target}"
            context.call_conv.return_user_exc(builder, OverflowError, (words,))
    return builder.trunc(x, context.get_value_type(target))


for narrow in types.int8, types.int16, types.int32, types.uint8, types.uint16, types.uint32:
    for wide in (types.int64, types.float64):
        lower_cast(wide, narrow)(to_narrow)


helpers = {}  # functions that compiled code can call, with their types


def helper(function):
    """Let methods call this function, compiled or interpreted.

    The package's own functions need it; those of a class from outside are found by the names in its methods.

    Parameters
    ----------
    function : function
        Plain Python that numba can compile, or a dispatcher of numba's, whose function is then compiled as methods are.

    Returns
    -------
    function
        The same function.
    """

    if function in helpers:
        return function
    plain = getattr(function, "py_func", function)

    @templates.infer
    class Call(templates.AbstractTemplate):
        key = function

        def generic(self, args, keywords):
            return type_call(plain, self.context, args, keywords)

        def get_impl_key(self, sig):
            return find_compiler(plain, sig.args)[0]

    helpers[function] = types.Function(Call)
    if plain is function:
        templates.infer_global(function, helpers[function])
    return function


@typeof_impl.register(Dispatcher)
def type_of_dispatcher(value, context):
    """In compiled code, where a method calls it, the type of a helper: numba's own would not be checked."""
    return helpers.get(value, value._numba_type_) if context.purpose is Purpose.constant else value._numba_type_
