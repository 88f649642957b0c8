"""What a page calls: one run of a pair, told by words in memory.

=========  ==========================================================================================================
word       holds
=========  ==========================================================================================================
0, 1       seed, number of the run
2, 3       flags of the loop
4 to 15    two streams of six words
16 to 18   number of checkpoints, their address, the address for the regret at each
from 19    fields of the environment, then of the policy, in order: a number is a word, an array its address and shape
=========  ==========================================================================================================
"""

import numpy as np
from llvmlite import ir
from numba import carray, njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from ..engine import loop, numba_options
from .seeding import seed_instance, seed_stream

FLAGS, STREAMS, COUNT, CHECKPOINTS, REGRET, FIELDS = 2, 4, 16, 17, 18, 19  # words
WORD = 8  # bytes


@intrinsic
def numbers_at(context, address, kind):
    """A pointer to numbers of this type."""

    def make(context, builder, signature, args):
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return types.CPointer(kind.dtype)(types.int64, kind), make


@intrinsic
def generator_at(context, address):
    """A `numpy.random.Generator` on the PCG64 at this address."""
    kind, bits_kind = types.NumPyRandomGeneratorType("generator"), types.NumPyRandomBitGeneratorType("bit_generator")

    def make(context, builder, signature, args):
        word = ir.IntType(64)
        bits = cgutils.create_struct_proxy(bits_kind)(context, builder)
        bits.state = bits.state_address = args[0]
        for name, result in (("uint64", word), ("uint32", ir.IntType(32)), ("double", ir.DoubleType())):
            draw = cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, (word,)), f"next_{name}")
            setattr(bits, f"fnptr_next_{name}", builder.ptrtoint(draw, word))
        whole = cgutils.create_struct_proxy(kind)(context, builder)
        whole.bit_generator = bits._getvalue()
        return whole._getvalue()

    return kind(types.int64), make


def instance_of(kind):
    """A compiled function that reads an instance of this type from the words at an address."""

    @intrinsic
    def instance_at(context, address):
        def make(context, builder, signature, args):
            place = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
            words = (builder.gep(place, [ir.Constant(ir.IntType(64), k)]) for k in range(count_words(kind)))
            return read_value(context, builder, kind, words)

        return kind(types.int64), make

    return instance_at


def environment_of(kind):
    """As `instance_of`, with seed, run and address of a stream besides: a recipe draws its environment for the run."""
    instance_at, ask = instance_of(kind), numba_options.ask_method(False)
    if not hasattr(kind.instance_class, "draw"):
        return njit(**ask)(lambda address, seed, run, stream: instance_at(address))

    def draw_environment(address, seed, run, stream):
        seed_instance(seed, run, carray(numbers_at(stream, np.uint64), (6,)))
        return instance_at(address).draw(generator_at(stream))

    return njit(**ask)(draw_environment)


def read_value(context, builder, kind, words):
    """Read a value of this type from the next words."""
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [read_value(context, builder, part, words) for part in kind.types])
    if isinstance(kind, types.Array):
        return load_array(context, builder, kind, words)
    if isinstance(kind, types.NoneType):
        return context.get_dummy_value()
    word = next(words)
    if kind == types.float64:
        return builder.load(builder.bitcast(word, ir.DoubleType().as_pointer()))
    if kind == types.boolean:
        return builder.icmp_unsigned("!=", builder.load(word), ir.Constant(ir.IntType(64), 0))
    return builder.load(word)


def load_array(context, builder, kind, words):
    """Read an array: its entries stay where they are."""
    array = make_array(kind)(context, builder)
    address, shape = builder.load(next(words)), [builder.load(next(words)) for _ in range(kind.ndim)]
    size = ir.Constant(ir.IntType(64), context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [size]
    for length in shape[:0:-1]:
        strides.insert(0, builder.mul(strides[0], length))
    data = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
    populate_array(array, data, shape, strides[: kind.ndim], size, None)
    return array._getvalue()


def count_words(kind):
    """How many words a value of this type takes; TypeError for what a page cannot lay down."""
    if isinstance(kind, types.BaseTuple):
        return sum(map(count_words, kind.types))
    if isinstance(kind, types.Array) and kind.layout == "C" and isinstance(kind.dtype, types.Number | types.Boolean):
        return 1 + kind.ndim
    if isinstance(kind, types.NoneType):
        return 0
    if kind not in (types.float64, types.int64, types.boolean):
        raise TypeError(f"a field of type {kind} cannot be laid down in a page")
    return 1


def make_entry(environment, policy, shown):
    """The function that plays a run of environments and policies of these types; `shown` is the loop's marker."""
    play = njit(**numba_options.ask_method(False))(loop.run)
    environment_at, policy_at = environment_of(environment), instance_of(policy)
    first, second = WORD * FIELDS, WORD * (FIELDS + count_words(environment))
    flagged, one, other = WORD * FLAGS, WORD * STREAMS, WORD * (STREAMS + 6)

    def entry(at):
        words = carray(numbers_at(at, np.int64), (FIELDS,))
        drawn = environment_at(at + first, np.uint64(words[0]), words[1], at + one)
        streams = carray(numbers_at(at + one, np.uint64), (2, 6))
        for stream in range(2):
            seed_stream(np.uint64(words[0]), words[1], stream, streams[stream])
        flags = carray(numbers_at(at + flagged, np.int64), (2,))
        checkpoints = carray(numbers_at(words[CHECKPOINTS], np.int64), (words[COUNT],))
        rngs = generator_at(at + one), generator_at(at + other)
        found = play(drawn, policy_at(at + second), checkpoints, shown, flags, *rngs)[0]
        out = carray(numbers_at(words[REGRET], np.float64), (words[COUNT],))
        for k in range(len(found)):  # `out[:] = found` would bring numba's messages with it, 100 kB of them
            out[k] = found[k]

    return entry
