"""The random streams of a run: numpy's SeedSequence and the start of its PCG64, as functions that numba compiles."""

import numpy as np
from numba import njit

WORD = np.uint32
HASH_START, HASH_FACTOR = WORD(0x43B0D7E5), WORD(0x931E8875)
OUT_START, OUT_FACTOR = WORD(0x8B51F9DD), WORD(0x58F38DED)
LEFT, RIGHT = WORD(0xCA01F9DD), WORD(0x4973F715)
HALF, LOWER = np.uint64(32), np.uint64(0xFFFFFFFF)
FACTOR_HIGH, FACTOR_LOW = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)  # of PCG64
POOL, ENTROPY = 4, 6  # words of a seed alone, and of a seed with run and stream
INSTANCE = 2  # the stream of an environment that is drawn for its run


@njit
def seed_stream(seed, run, stream, state):
    """Write the state of ``PCG64(SeedSequence(seed, spawn_key=(run, stream)))``.

    Parameters
    ----------
    seed : uint64
    run, stream : int
    state : uint64[6]
        State and increment, the lower word first; then no half of a word is left over.
    """
    begin_stream(spawn_words(seed, run, stream), state)


@njit
def seed_instance(seed, run, state):
    """Write the state of ``default_rng`` of the seed with which `random_instances` draws the environment of a run."""
    begin_stream(draw_words(mix_entropy(split_seed(spawn_words(seed, run, INSTANCE)[0], POOL))), state)


@njit
def spawn_words(seed, run, stream):
    """Four words of ``SeedSequence(seed, spawn_key=(run, stream))``."""
    entropy = split_seed(seed, ENTROPY)
    entropy[4], entropy[5] = WORD(run), WORD(stream)
    return draw_words(mix_entropy(entropy))


@njit
def split_seed(seed, length):
    """The two words of a seed, filled up with zeros."""
    entropy = np.zeros(length, np.uint32)
    entropy[0], entropy[1] = WORD(seed & LOWER), WORD(seed >> HALF)
    return entropy


@njit
def begin_stream(words, state):
    """Write the state of a PCG64 from the four words of its SeedSequence."""
    start_low, start_high, step_low, step_high = words[1], words[0], words[3], words[2]
    low = (step_low << np.uint64(1)) | np.uint64(1)
    high = (step_high << np.uint64(1)) | (step_low >> np.uint64(63))
    first_low = low + start_low
    first_high = high + start_high + np.uint64(first_low < low)
    state[0] = first_low * FACTOR_LOW + low
    carry = np.uint64(state[0] < low)
    state[1] = upper(first_low, FACTOR_LOW) + first_low * FACTOR_HIGH + first_high * FACTOR_LOW + high + carry
    state[2], state[3] = low, high
    state[4] = state[5] = np.uint64(0)


@njit
def mix_entropy(entropy):
    """The pool of a SeedSequence: every word of the entropy changes every word of it."""
    pool, factor = np.zeros(POOL, np.uint32), HASH_START
    for i in range(POOL):
        pool[i], factor = scramble(entropy[i], factor)
    for i in range(len(entropy)):
        for j in range(POOL):
            if i != j:
                word, factor = scramble(pool[i] if i < POOL else entropy[i], factor)
                pool[j] = mix(pool[j], word)
    return pool


@njit
def draw_words(pool):
    """Four words of 64 bits from a pool."""
    words, factor = np.zeros(4, np.uint64), OUT_START
    for i in range(8):
        word = WORD(pool[i % POOL] ^ factor)
        factor = WORD(factor * OUT_FACTOR)
        word = WORD(word * factor)
        word = WORD(word ^ (word >> WORD(16)))
        words[i // 2] |= np.uint64(word) << np.uint64(32 * (i % 2))
    return words


@njit
def scramble(word, factor):
    word = WORD(word ^ factor)
    factor = WORD(factor * HASH_FACTOR)
    word = WORD(word * factor)
    return WORD(word ^ (word >> WORD(16))), factor


@njit
def mix(x, y):
    word = WORD(WORD(LEFT * x) - WORD(RIGHT * y))
    return WORD(word ^ (word >> WORD(16)))


@njit
def upper(a, b):
    """The upper word of a product of two words of 64 bits."""
    low = (a & LOWER) * (b & LOWER)
    one = (a >> HALF) * (b & LOWER) + (low >> HALF)
    other = (a & LOWER) * (b >> HALF) + (one & LOWER)
    return (a >> HALF) * (b >> HALF) + (one >> HALF) + (other >> HALF)
