"""Seeds: whatever names a stream of random numbers, hashed to the 64-bit key of a Philox stream."""

import functools
import operator
import os

from tombac import _core
from tombac._numpy import np

_MASK = (1 << 64) - 1


# First word of a hash: what kind of seed it is, so that 2**64, [0] and [0, 0] name three streams.
_ENTROPY, _INTEGER, _SEQUENCE, _SEED_SEQUENCE = range(4)


def _integer(value):
    """A non-negative integer as a list of 64-bit words, their number first."""
    value = operator.index(value)
    if value < 0:
        raise ValueError(f"seed must not be negative, it is {value}")
    words = [value & _MASK]
    while value := value >> 64:
        words.append(value & _MASK)
    return [len(words)] + words


def fresh():
    """A seed that nobody has had."""
    return int.from_bytes(os.urandom(16), "little")


def _words(seed):
    """The seed as a list of 64-bit words."""
    if seed is None:
        return [_ENTROPY] + _integer(fresh())
    if hasattr(seed, "generate_state"):
        return [_SEED_SEQUENCE] + [int(w) for w in seed.generate_state(4, np.uint64)]
    if isinstance(seed, _core.ndarray):
        seed = seed.get()
    if isinstance(seed, (list, tuple, np.ndarray)) and np.ndim(seed) > 0:
        return [_SEQUENCE] + [w for part in np.asarray(seed).ravel().tolist() for w in _integer(part)]
    if isinstance(seed, (bool, np.bool_)):
        seed = int(seed)
    return [_INTEGER] + _integer(seed.item() if isinstance(seed, np.ndarray) else seed)


@functools.cache
def _first_word(stream):
    return int.from_bytes(stream.encode()[:8].ljust(8, b"\0"), "little")


def key(seed, stream):
    """The key for ``seed``: None (fresh entropy), an integer, a sequence of integers, or a SeedSequence.

    ``stream`` is text that keeps the streams of different generator classes apart.

    Raises:
        TypeError: The seed is not made of integers.
        ValueError: An integer is negative.
    """
    words = (_INTEGER, 1, seed) if type(seed) is int and 0 <= seed <= _MASK else _words(seed)
    return _core.hash_words(_first_word(stream), *words)
