"""Gaussian filters, and derivatives by correlations: each a correlation along one axis after another."""

import functools
import numbers

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy.ndimage import _support, _windows
from tombacx.scipy.ndimage._linear import correlate, correlate1d, weighted_window
from tombacx.scipy.ndimage._support import documented as _documented

__all__ = [
    "gaussian_filter", "gaussian_filter1d", "gaussian_gradient_magnitude", "gaussian_laplace",
    "generic_gradient_magnitude", "generic_laplace", "laplace", "prewitt", "sobel",
]


@functools.lru_cache(64)
def _gaussian_weights(sigma, order, radius):
    """A Gaussian curve's derivative of that order, by its own sum: the curve times a Hermite polynomial."""
    if order < 0:
        raise ValueError(f"gaussian_filter1d: order must not be negative: {order}")
    x = np.arange(-radius, radius + 1)
    curve = np.exp(-0.5 / (sigma * sigma) * x**2)
    curve /= curve.sum()
    polynomial = np.ones(1)
    for _ in range(order):  # q becomes q' - q x / sigma^2
        slope = np.append(polynomial[1:] * np.arange(1, len(polynomial)), [0.0, 0.0])[:len(polynomial) + 1]
        slope[1:] -= polynomial / (sigma * sigma)
        polynomial = slope
        if not np.isfinite(polynomial).all():
            return np.full(x.shape, np.nan)
        if not polynomial.any():
            break
    return np.polynomial.polynomial.polyval(x, polynomial) * curve


@_documented
def gaussian_filter1d(input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *,
                      radius=None):
    """A Gaussian filter along an axis, or one by a derivative of a Gaussian curve.

    Args:
        {input}
        sigma: The standard deviation, in elements.
        {axis}
        order: Which derivative; 0 is the curve itself.
        {output}
        {mode}
        {cval}
        truncate: After how many standard deviations the curve is cut off.
        radius: After how many elements it is cut off, in place of ``truncate``.

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.gaussian_filter1d(x, 0.5)
    array([2.11092066e-03, 8.51606176e-01, 6.29256581e+00, 8.51606176e-01,
           2.11092066e-03])
    """
    return correlate1d(input, _gaussian_window(sigma, order, truncate, radius), axis, output, mode, cval, 0)


def _gaussian_window(sigma, order, truncate, radius):
    """The weights of the correlation."""
    sigma, order, radius = float(sigma), _core._on_host(order), _core._on_host(radius)
    radius = int(truncate * sigma + 0.5) if radius is None else radius
    if not isinstance(radius, numbers.Integral) or radius < 0:
        raise ValueError(f"gaussian_filter1d: radius must be a whole number and not negative, not {radius!r}")
    return _gaussian_weights(sigma, order, int(radius))[::-1]


@_documented
def gaussian_filter(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, radius=None,
                    axes=None):
    """A Gaussian filter, or one by derivatives of Gaussian curves.

    Args:
        {input}
        {sigma}
        order: Which derivative, along every axis or one number for each; 0 is the curve itself.
        {output}
        {modes}
        {cval}
        truncate: After how many standard deviations the curve is cut off.
        radius: After how many elements it is cut off, in place of ``truncate``; one number, or one for each axis.
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.gaussian_filter(x, 0.5)
    array([2.11092066e-03, 8.51606176e-01, 6.29256581e+00, 8.51606176e-01,
           2.11092066e-03])
    """
    check_arrays("gaussian_filter", input)
    rows, windows = _gaussians(input.ndim, axes, sigma, order, mode, radius, truncate)
    return _windows.one_after_another("gaussian_filter", gaussian_filter1d, input, output, rows, cval, windows)


@_support.cached_by_value
def _gaussians(ndim, axes, sigma, order, mode, radius, truncate):
    """(the filters along the axes, the last two as windows)"""
    keys = "sigma", "order", "mode", "radius"
    rows = _support.separable("gaussian_filter", ndim, axes, keys, sigma, order, mode, radius)
    rows = [dict(row, truncate=truncate) for row in rows if row["sigma"] > 1e-15]
    return rows, [weighted_window(row, _gaussian_window(row["sigma"], row["order"], truncate, row["radius"]))
                  for row in rows[-2:]]


@functools.cache
def _second_difference():
    return np.array([1.0, -2.0, 1.0])


@functools.cache
def _cross(ndim):
    """The second differences along all axes as one window."""
    window = np.zeros((3,) * ndim)
    for axis in range(ndim):
        window[tuple(slice(None) if d == axis else 1 for d in range(ndim))] += _second_difference()
    return window


_ACROSS = {"prewitt": (1.0, 1.0, 1.0), "sobel": (1.0, 2.0, 1.0)}


def _gradient(name, input, axis, output, mode, cval):
    """A difference along an axis, and a sum along every other."""
    check_arrays(name, input)
    rows, windows = _differences(name, input.ndim, axis, mode)
    return _windows.one_after_another(name, correlate1d, input, output, rows, cval, windows)


@_support.cached_by_value
def _differences(name, ndim, axis, mode):
    """(the filters along the axes, the last two as windows)"""
    axis = normalize_axis_index(axis, ndim)
    modes = _support.sequence(name, "mode", mode, ndim)
    others = [d for d in range(ndim) if d != axis]
    rows = [{"axis": d, "mode": modes[d], "weights": np.array((-1.0, 0.0, 1.0) if d == axis else _ACROSS[name])}
            for d in [axis, *others]]
    return rows, [weighted_window(row, row["weights"]) for row in rows[-2:]]


@_documented
def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """The Prewitt filter: a difference along one axis, and sums of three along the others.

    Args:
        {input}
        {axis}
        {output}
        {modes}
        {cval}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.prewitt(x)
    array([ 0.,  8.,  0., -8.,  0.])
    """
    return _gradient("prewitt", input, axis, output, mode, cval)


@_documented
def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """The Sobel filter: a difference along one axis, and sums with the weights 1, 2, 1 along the others.

    Args:
        {input}
        {axis}
        {output}
        {modes}
        {cval}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.sobel(x)
    array([ 0.,  8.,  0., -8.,  0.])
    """
    return _gradient("sobel", input, axis, output, mode, cval)


@_documented
def generic_laplace(input, derivative2, output=None, mode="reflect", cval=0.0, extra_arguments=(),
                    extra_keywords=None, *, axes=None):
    """The sum of second derivatives along the axes, by a function of one's own.

    Args:
        {input}
        derivative2: A function ``(input, axis, output, mode, cval, *extra_arguments, **extra_keywords)`` that gives the
            second derivative along an axis, of the dtype ``output`` or written to it.
        {output}
        {modes}
        {cval}
        extra_arguments: More arguments of the function.
        extra_keywords: More arguments of the function by name.
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.generic_laplace(x, lambda x, axis, output, mode, cval: 2 * x)
    array([ 0.,  0., 16.,  0.,  0.])
    """
    dtype = _derived_dtype(input, output)
    rows = _support.separable("generic_laplace", input.ndim, axes, ("mode",), mode)
    more = extra_keywords or {}
    total = None
    for row in rows:
        term = derivative2(input, row["axis"], dtype, row["mode"], cval, *extra_arguments, **more)
        total = term if total is None else total + term
    return _support.deliver(input.copy() if total is None else total, output, dtype)


def _derived_dtype(input, output):
    return _support.check_output("generic_laplace", input, output)


@_documented
def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    """The Laplace filter: the sum of second differences along the axes.

    Args:
        {input}
        {output}
        {modes}
        {cval}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.laplace(x)
    array([  0.,   8., -16.,   8.,   0.])
    """
    check_arrays("laplace", input)
    if output is None and axes is None and isinstance(mode, str) and input.dtype.char in "fd" and input.ndim > 1:
        return correlate(input, _cross(input.ndim), None, mode, cval)  # no integers, whose sums wrap around
    weights = _second_difference()

    def second(input, axis, output, mode, cval):
        return correlate1d(input, weights, axis, output, mode, cval, 0)

    return generic_laplace(input, second, output, mode, cval, axes=axes)


@_documented
def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """The sum of second derivatives of what a Gaussian filter makes.

    Args:
        {input}
        {sigma}
        {output}
        {modes}
        {cval}
        {axes}
        kwargs: More arguments of gaussian_filter.

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.gaussian_laplace(x, 0.5)
    array([  0.12665524,  10.21927411, -25.17026323,  10.21927411,
             0.12665524])
    """
    return generic_laplace(input, _gaussian_derivative("gaussian_laplace", input, sigma, axes, 2), output, mode, cval,
                           extra_keywords=kwargs, axes=axes)


def _gaussian_derivative(name, input, sigma, axes, order):
    """A function that filters along all axes and takes the derivative along one of them."""
    check_arrays(name, input)
    axes = _support.chosen_axes(axes, input.ndim)
    sigmas = _support.sequence(name, "sigma", sigma, len(axes))

    def derivative(input, axis, output, mode, cval, **options):
        orders = [order if d == axis else 0 for d in axes]
        return gaussian_filter(input, sigmas, orders, output, mode, cval, axes=axes, **options)

    return derivative


@_documented
def generic_gradient_magnitude(input, derivative, output=None, mode="reflect", cval=0.0, extra_arguments=(),
                               extra_keywords=None, *, axes=None):
    """The size of the gradient, of derivatives along the axes by a function of one's own.

    Args:
        {input}
        derivative: A function ``(input, axis, output, mode, cval, *extra_arguments, **extra_keywords)`` that gives the
            derivative along an axis, of the dtype ``output`` or written to it.
        {output}
        {modes}
        {cval}
        extra_arguments: More arguments of the function.
        extra_keywords: More arguments of the function by name.
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.generic_gradient_magnitude(x, tombacx.scipy.ndimage.sobel)
    array([0., 8., 0., 8., 0.])
    """
    dtype = _derived_dtype(input, output)
    rows = _support.separable("generic_gradient_magnitude", input.ndim, axes, ("mode",), mode)
    more = extra_keywords or {}
    total = None
    for row in rows:
        term = derivative(input, row["axis"], dtype, row["mode"], cval, *extra_arguments, **more)
        total = term * term if total is None else total + term * term
    return _support.deliver(input.copy() if total is None else _core.sqrt(total), output, dtype)


@_documented
def gaussian_gradient_magnitude(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """The size of the gradient of what a Gaussian filter makes.

    Args:
        {input}
        {sigma}
        {output}
        {modes}
        {cval}
        {axes}
        kwargs: More arguments of gaussian_filter.

    Returns:
        {returns}

    Raises:
        {refusals}

    With ``axes``, derivatives are taken along these. One number for ``sigma`` smooths along all the others too, as in
    SciPy; numbers for each of ``axes`` along these alone.

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.gaussian_gradient_magnitude(x, 0.5)
    array([0.01688737, 3.4064247 , 0.        , 3.4064247 , 0.01688737])
    """
    name = "gaussian_gradient_magnitude"
    check_arrays(name, input)
    sigma = list(sigma) if np.iterable(sigma) else sigma
    alone = isinstance(sigma, list) and len(sigma) == len(_support.chosen_axes(axes, input.ndim))
    derivative = _gaussian_derivative(name, input, sigma, axes if alone else None, 1)
    return generic_gradient_magnitude(input, derivative, output, mode, cval, extra_keywords=kwargs, axes=axes)
