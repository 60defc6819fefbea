"""SciPy's processing of images of any number of dimensions.

>>> tombacx.scipy.ndimage.median_filter(tombac.array([1, 9, 2, 3, 8]), 3)
array([1, 2, 3, 3, 8])
"""

from tombacx.scipy.ndimage._derivatives import *  # noqa: F403
from tombacx.scipy.ndimage._linear import *  # noqa: F403
from tombacx.scipy.ndimage._ranks import *  # noqa: F403

__all__ = [
    "convolve", "convolve1d", "correlate", "correlate1d", "gaussian_filter", "gaussian_filter1d",
    "gaussian_gradient_magnitude", "gaussian_laplace", "generic_gradient_magnitude", "generic_laplace", "laplace",
    "maximum_filter", "maximum_filter1d", "median_filter", "minimum_filter", "minimum_filter1d", "percentile_filter",
    "prewitt", "rank_filter", "sobel", "uniform_filter", "uniform_filter1d",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
