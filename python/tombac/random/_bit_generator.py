"""Bit generators: named streams of random bits.

All are Philox 4x32-10: the class name is part of the key, so each class has a stream of its own for every seed. The
names are CuPy's; the numbers are not those of the algorithms so named.
"""

import operator

from tombac import _core
from tombac._numpy import np
from tombac.random import _seed


_JUMP = 0x9E3779B97F4A7C15  # odd, so that 2**64 jumps come to as many keys


class BitGenerator:
    """The base of all bit generators: a position in one random stream.

    Args:
        seed: None, an integer, a sequence of integers, or a SeedSequence.
        size: Accepted for CuPy's sake; streams need no state per thread.
    """

    def __init__(self, seed=None, *, size=-1):
        self._seed = _seed.fresh() if seed is None else seed
        self._rng = _core.Rng(_seed.key(self._seed, type(self).__name__))

    @property
    def seed_seq(self):
        """NumPy's SeedSequence of the seed, from which ``spawn`` takes the seeds of others."""
        if not hasattr(self._seed, "spawn"):
            seed = self._seed.get() if isinstance(self._seed, _core.ndarray) else self._seed
            self._seed = np.random.SeedSequence(seed)
        return self._seed

    _seed_seq = seed_seq  # as Dask knows it

    def spawn(self, n_children):
        """A list of ``n_children`` bit generators of this class with streams of their own; each call gives others."""
        if operator.index(n_children) < 0:
            raise ValueError(f"spawn: n_children must not be negative, it is {n_children}")
        return [type(self)(seed) for seed in self.seed_seq.spawn(n_children)]

    def jumped(self, jumps=1):
        """A bit generator of this class at the same position of another stream: the ``jumps``-th from this one's.

        Two jumps one after the other come to where one of their sum does. The streams have keys of their own, so they
        do not meet, however much is drawn.
        """
        other = type(self)(self._seed)
        other._rng.set((self._rng.seed + operator.index(jumps) * _JUMP) % 2**64, self._rng.offset)
        return other

    def random_raw(self, size=None, output=True):
        """uint64 random bits: an array of shape ``size``; None if not ``output`` (the position moves all the same)."""
        bits = self._rng.draw("bits", np.uint64, size)
        return bits if output else None

    def state(self):
        """The stream's key and position, enough to make the same numbers again."""
        return {"bit_generator": type(self).__name__, "key": self._rng.seed, "offset": self._rng.offset}

    def set_state(self, state):
        """Goes to a position that ``state()`` gave."""
        if state.get("bit_generator") != type(self).__name__:
            raise ValueError(f"the state is of a {state.get('bit_generator')}, not of a {type(self).__name__}")
        self._rng.set(state["key"], state["offset"])

    def __repr__(self):
        return f"<{type(self).__name__} at offset {self._rng.offset}>"


class XORWOW(BitGenerator):
    """The default stream of ``default_rng``."""


class MRG32k3a(BitGenerator):
    """A stream apart from XORWOW's and Philox4x3210's."""


class Philox4x3210(BitGenerator):
    """A stream apart from XORWOW's and MRG32k3a's."""
