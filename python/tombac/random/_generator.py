"""Generator and default_rng: NumPy's newer interface."""

import numpy as np

from tombac import _core
from tombac.random._bit_generator import XORWOW, BitGenerator
from tombac.random._distributions import Draws, _float_dtype


def _deliver(result, out):
    if out is None:
        return result
    if not isinstance(out, _core.ndarray):
        raise TypeError(f"out must be a tombac.ndarray, not {type(out)}")
    if out.dtype != result.dtype or out.shape != result.shape:
        raise ValueError(f"out must have shape {result.shape} and dtype {result.dtype}")
    out[...] = result
    return out


class Generator(Draws):
    """Random numbers over a bit generator.

    >>> rng = tombac.random.default_rng(1)
    >>> rng.random(3, dtype="f").dtype
    dtype('float32')
    """

    def __init__(self, bit_generator):
        if not isinstance(bit_generator, BitGenerator):
            raise TypeError(f"a tombac.random.BitGenerator is expected, not {type(bit_generator)}")
        self.bit_generator = bit_generator

    @property
    def _rng(self):
        return self.bit_generator._rng

    def __repr__(self):
        return f"Generator({type(self.bit_generator).__name__})"

    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        """Integers from ``low`` up to ``high``, which is left out unless ``endpoint``; [0, low) if ``high`` is None.

        Raises:
            ValueError: The range is empty or exceeds the dtype.
        """
        if high is None:
            low, high = 0, low
        return self._integers("integers", low, high, size, dtype, endpoint)

    def random(self, size=None, dtype=np.float64, out=None):
        """Uniform in [0, 1)."""
        size = out.shape if size is None and out is not None else size
        return _deliver(self._unit(_float_dtype("random", dtype), size), out)

    def standard_normal(self, size=None, dtype=np.float64, out=None):
        """Normal with mean 0 and standard deviation 1."""
        size = out.shape if size is None and out is not None else size
        return _deliver(self._draw("normal", _float_dtype("standard_normal", dtype), size, 0.0, 1.0), out)

    def standard_exponential(self, size=None, dtype=np.float64, method="inv", out=None):
        """Exponential with mean 1; ``method`` is accepted and always the inverse."""
        size = out.shape if size is None and out is not None else size
        return _deliver(Draws.exponential(self, 1.0, size, dtype), out)

    def choice(self, a, size=None, replace=True, p=None):
        """A sample with replacement from ``a`` or range(a), with probabilities ``p``."""
        return self._choice(a, size, replace, p)


def default_rng(seed=None):
    """A Generator for ``seed``: None, an integer, a sequence, a SeedSequence, a BitGenerator or a Generator."""
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, BitGenerator) else XORWOW(seed))
