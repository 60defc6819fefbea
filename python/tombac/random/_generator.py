"""Generator and default_rng: NumPy's newer interface."""

from tombac import _core
from tombac.random._bit_generator import XORWOW, BitGenerator
from tombac.random._distributions import Draws


@_core._add_draws
class Generator(Draws):
    """Random numbers over a bit generator.

    >>> rng = tombac.random.default_rng(1)
    >>> rng.random(3, dtype="f").dtype
    dtype('float32')
    """

    def __init__(self, bit_generator):
        if not isinstance(bit_generator, BitGenerator):
            raise TypeError(f"a tombac.random.BitGenerator is expected, not {type(bit_generator)}")
        self.bit_generator = self._bit_generator = bit_generator  # the second: as Dask knows it
        self._rng = bit_generator._rng

    def __repr__(self):
        return f"Generator({type(self.bit_generator).__name__})"

    def choice(self, a, size=None, replace=True, p=None):
        """A sample with replacement from ``a`` or range(a), with probabilities ``p``."""
        return self._choice(a, size, replace, p)


def default_rng(seed=None):
    """A Generator.

    Args:
        seed: None (fresh entropy), an integer, a sequence of integers, a SeedSequence of NumPy's, a BitGenerator, or a
            Generator, which is returned as it is.

    Returns:
        A Generator.

    Raises:
        TypeError: The seed is none of these.
        ValueError: An integer is negative.

    >>> tombac.random.default_rng(1).random(3).shape
    (3,)
    """
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, BitGenerator) else XORWOW(seed))
