"""SciPy's window functions, by which the ends of a signal are faded.

>>> tombacx.scipy.signal.windows.get_window("hann", 4)
array([0. , 0.5, 1. , 0.5])
"""

from tombacx.scipy.signal.windows._cosines import *  # noqa: F403
from tombacx.scipy.signal.windows._choice import get_window
from tombacx.scipy.signal.windows._shapes import *  # noqa: F403
from tombacx.scipy.signal.windows._side_lobes import *  # noqa: F403

__all__ = [
    "barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "chebwin", "cosine", "dpss",
    "exponential", "flattop", "gaussian", "general_cosine", "general_gaussian", "general_hamming", "get_window",
    "hamming", "hann", "kaiser", "kaiser_bessel_derived", "lanczos", "nuttall", "parzen", "taylor", "triang", "tukey",
]
