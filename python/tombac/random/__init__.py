"""Random numbers.

Every stream is Philox 4x32-10: numbers depend on the seed and the position alone, so a seed gives the same numbers on
every backend (the same bits for whole and uniform numbers; others agree to the accuracy of log and sin).
``SeedSequence`` is NumPy's.
"""

from tombac.random._bit_generator import MRG32k3a, Philox4x3210, XORWOW, BitGenerator
from tombac.random._generator import Generator, default_rng
from tombac.random._state import *  # noqa: F403
from tombac.random._state import __all__ as _functions

__all__ = _functions + ["BitGenerator", "Generator", "MRG32k3a", "Philox4x3210", "XORWOW", "default_rng"]


def __getattr__(name):
    if name == "SeedSequence":
        from tombac._numpy import np

        return np.random.SeedSequence
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
