"""SciPy's interpolation on tombac's arrays: polynomials in pieces, splines, grids and scattered points.

What is small or goes step by step, such as knots, slopes and coefficients of splines or triangulations, is found by
SciPy on the host. Evaluation is on the device: a binary search and one kernel, at any number of points.

>>> f = tombacx.scipy.interpolate.CubicSpline(tombac.arange(5.0), tombac.arange(5.0) ** 3)
>>> f(tombac.array([0.5, 3.5]))
array([ 0.125, 42.875])
"""

from tombacx.scipy.interpolate._bpoly import BPoly
from tombacx.scipy.interpolate._bspline import BSpline, splantider, splder
from tombacx.scipy.interpolate._cubic import (
    Akima1DInterpolator,
    CubicHermiteSpline,
    CubicSpline,
    PchipInterpolator,
    pchip,
    pchip_interpolate,
)
from tombacx.scipy.interpolate._fitting import make_interp_spline, make_lsq_spline, make_smoothing_spline
from tombacx.scipy.interpolate._grid import RegularGridInterpolator, interpn
from tombacx.scipy.interpolate._griddata import griddata
from tombacx.scipy.interpolate._interp1d import interp1d
from tombacx.scipy.interpolate._ndpieces import NdBSpline, NdPPoly
from tombacx.scipy.interpolate._polynomials import (
    BarycentricInterpolator,
    KroghInterpolator,
    barycentric_interpolate,
    krogh_interpolate,
)
from tombacx.scipy.interpolate._ppoly import PPoly
from tombacx.scipy.interpolate._rbf import RBFInterpolator
from tombacx.scipy.interpolate._scattered import (
    CloughTocher2DInterpolator,
    LinearNDInterpolator,
    NearestNDInterpolator,
)
from tombacx.scipy.interpolate._univariate import (
    InterpolatedUnivariateSpline,
    LSQUnivariateSpline,
    UnivariateSpline,
    splev,
    splrep,
)

__all__ = [
    "Akima1DInterpolator", "BPoly", "BSpline", "BarycentricInterpolator", "CloughTocher2DInterpolator",
    "CubicHermiteSpline", "CubicSpline", "InterpolatedUnivariateSpline", "KroghInterpolator", "LSQUnivariateSpline",
    "LinearNDInterpolator", "NdBSpline", "NdPPoly", "NearestNDInterpolator", "PPoly", "PchipInterpolator",
    "RBFInterpolator", "RegularGridInterpolator", "UnivariateSpline", "barycentric_interpolate", "griddata", "interp1d",
    "interpn", "krogh_interpolate", "make_interp_spline", "make_lsq_spline", "make_smoothing_spline", "pchip",
    "pchip_interpolate", "splantider", "splder", "splev", "splrep",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
