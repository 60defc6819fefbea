"""SciPy's processing of images of any number of dimensions.

>>> tombacx.scipy.ndimage.median_filter(tombac.array([1, 9, 2, 3, 8]), 3)
array([1, 2, 3, 3, 8])
"""

from tombacx.scipy.ndimage._binary import *  # noqa: F403
from tombacx.scipy.ndimage._derivatives import *  # noqa: F403
from tombacx.scipy.ndimage._distances import *  # noqa: F403
from tombacx.scipy.ndimage._fourier import *  # noqa: F403
from tombacx.scipy.ndimage._generic import *  # noqa: F403
from tombacx.scipy.ndimage._grey import *  # noqa: F403
from tombacx.scipy.ndimage._interpolation import *  # noqa: F403
from tombacx.scipy.ndimage._linear import *  # noqa: F403
from tombacx.scipy.ndimage._measurements import *  # noqa: F403
from tombacx.scipy.ndimage._objects import *  # noqa: F403
from tombacx.scipy.ndimage._ranks import *  # noqa: F403

__all__ = [
    "affine_transform", "binary_closing", "binary_dilation", "binary_erosion", "binary_fill_holes",
    "binary_hit_or_miss", "binary_opening", "binary_propagation", "black_tophat", "center_of_mass", "convolve",
    "convolve1d", "correlate", "correlate1d", "distance_transform_bf", "distance_transform_cdt",
    "distance_transform_edt", "extrema", "find_objects", "fourier_ellipsoid", "fourier_gaussian", "fourier_shift",
    "fourier_uniform", "gaussian_filter", "gaussian_filter1d", "gaussian_gradient_magnitude", "gaussian_laplace",
    "generate_binary_structure", "generic_filter", "generic_filter1d", "generic_gradient_magnitude", "generic_laplace",
    "geometric_transform", "grey_closing", "grey_dilation", "grey_erosion", "grey_opening", "histogram",
    "iterate_structure", "label", "labeled_comprehension", "laplace", "map_coordinates", "maximum", "maximum_filter",
    "maximum_filter1d", "maximum_position", "mean", "median", "median_filter", "minimum", "minimum_filter",
    "minimum_filter1d", "minimum_position", "morphological_gradient", "morphological_laplace", "percentile_filter",
    "prewitt", "rank_filter", "rotate", "shift", "sobel", "spline_filter", "spline_filter1d", "standard_deviation",
    "sum", "sum_labels", "uniform_filter", "uniform_filter1d", "value_indices", "variance", "white_tophat", "zoom",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
