"""Filters that are sums of products: correlation, convolution, means of windows.

Sums are taken in float64 (complex128) whatever the dtypes are, in SciPy's order, and rounded or cut to the result's.
"""

import functools

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy.ndimage import _support, _windows
from tombacx.scipy.ndimage._support import documented as _documented

__all__ = ["convolve", "convolve1d", "correlate", "correlate1d", "uniform_filter", "uniform_filter1d"]

_EPSILON = 2.0**-52  # weights that are no more than this apart, or from 0, are one, as in SciPy


def _result_dtype(name, input, weights, output):
    """The dtype of the result and the one in which sums are taken; without weights these are 1."""
    check_arrays(name, input)
    if input.dtype.kind != "c" and (weights is None or weights.dtype.kind != "c"):
        return _support.check_output(name, input, output), np.dtype("d")
    return _support.complex_output(name, input, output), np.dtype("D")


def _symmetry(weights):
    """Whether weights are the same from either end, or the same but for the sign, or neither."""
    return _listed_symmetry(weights.tobytes()) if weights.dtype == "d" else _windows.SUM


@functools.lru_cache(256)
def _listed_symmetry(weights):
    weights = np.frombuffer(weights)
    n = len(weights)
    middle = n // 2
    if n % 2 and n > 1:
        mirrored = weights[::-1]
        if (abs(weights - mirrored)[:middle] <= _EPSILON).all():
            return _windows.MIRRORED
        if (abs(weights + mirrored)[:middle] <= _EPSILON).all():
            return _windows.OPPOSED
    return _windows.SUM


def weighted_window(row, weights):
    """The window of a correlation with real weights along an axis; None: it is none for two at once."""
    if not _windows.is_short(len(weights)):
        return None
    weights = np.asarray(weights, "d").tobytes()
    return _windows.window(_listed_symmetry(weights), row, len(weights) // 8, weights)


def _weighted(at, weights, dtype):
    """The sum of ``weights[i]`` times ``at(i)``: with half the products where weights are symmetric."""
    n = len(weights)
    middle = n // 2
    w = weights.tolist()

    def x(i):
        return at(i).astype(dtype, copy=False)

    symmetry = _symmetry(weights)
    if symmetry != _windows.SUM:
        total = x(middle) * w[middle]
        for i in range(middle):
            far = x(n - 1 - i)
            total = total + (x(i) + far if symmetry == _windows.MIRRORED else x(i) - far) * w[i]
        return total
    total = x(n - 1) * w[n - 1]
    for i in range(n - 1):
        total = total + x(i) * w[i]
    return total


@_documented
def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The correlation with a vector along an axis: sums of products of windows with weights.

    Args:
        {input}
        weights: The weights, a vector; complex ones are conjugated. They are read from the device.
        {axis}
        {output}
        {mode}
        {cval}
        {origin}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.correlate1d(x, [1, 2, 3])
    array([ 0., 24., 16.,  8.,  0.])
    """
    weights = _support.host(weights)
    if weights.ndim != 1 or not weights.size:
        raise RuntimeError("correlate1d: no filter weights given: they must be a vector")
    return _correlate1d("correlate1d", input, _conjugate(weights), axis, output, mode, cval, origin)


def _conjugate(weights):
    return weights.conj() if weights.dtype.kind == "c" else weights


@_support.cached_by_value
def _weighted_along(name, ndim, axis, n, origin, mode, weights):
    """(the kind of a window with weights along an axis, the window, the modes of all axes); of complex weights, which
    None stands for, the window's own are of no meaning"""
    kind = _windows.SUM if weights is None else _listed_symmetry(weights)
    return kind, *_windows.along(name, kind, ndim, axis, n, origin, mode, weights or bytes(8 * n))


@_support.cached_by_value
def _plan(name, ndim, axis, n, origin, mode, weights):
    return _windows.plan(name, _listed_symmetry(weights), ndim, axis, n, origin, mode, weights)


@_support.cached_by_value
def _plan_of_means(name, ndim, axis, size, origin, mode):
    return _windows.plan(name, _windows.MEAN, ndim, axis, size, origin, mode)


def _correlate1d(name, input, weights, axis, output, mode, cval, origin):
    n = len(weights)
    weights = weights.astype("D" if weights.dtype.kind == "c" else "d", copy=False)
    is_real = weights.dtype.kind == "f"
    listed = weights.tobytes() if is_real else None
    if is_real and type(input) is _core.ndarray:
        result = _windows.promptly(input, output, _plan(name, input.ndim, axis, n, origin, mode, listed))
        if result is not None:
            return result
    dtype, computed = _result_dtype(name, input, weights, output)
    kind, window, modes = _weighted_along(name, input.ndim, axis, n, origin, mode, listed)
    if not input.size:
        return _support.deliver(input, output, dtype)
    if not is_real:
        window = window[0], np.roll(weights, 1)
    result = _windows.filtered(input, kind, window, modes, cval, computed, dtype)
    if result is None:
        at, _ = _support.along(name, input, axis, n, origin, mode, cval)
        result = _weighted(at, weights, computed)
    return _support.deliver(result, output, dtype)


@_documented
def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The convolution with a vector along an axis: the correlation with the vector from behind.

    Args:
        {input}
        weights: The weights, a vector. They are read from the device.
        {axis}
        {output}
        {mode}
        {cval}
        {origin}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.convolve1d(x, [1, 2, 3])
    array([ 0.,  8., 16., 24.,  0.])
    """
    weights = _support.host(weights)
    if weights.ndim != 1 or not weights.size:
        raise RuntimeError("convolve1d: no filter weights given: they must be a vector")
    origin = -origin - (len(weights) + 1) % 2
    return _correlate1d("convolve1d", input, weights[::-1], axis, output, mode, cval, origin)


@_documented
def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The correlation: sums of products of windows with weights.

    Args:
        {input}
        weights: The weights, of as many dimensions as there are axes; complex ones are conjugated. They are
            read from the device.
        {output}
        {mode}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.correlate(x, [1, 2, 3])
    array([ 0., 24., 16.,  8.,  0.])
    """
    weights = _conjugate(_support.host(weights))
    axes = _support.chosen_axes(axes, input.ndim)
    weights, origins = _window("correlate", weights, input.ndim, axes, origin)
    return _correlate("correlate", input, weights, output, mode, cval, origins)


def _window(name, weights, ndim, axes, origin):
    """Weights and their origins for all axes. Dimensions of no elements do not count, as in SciPy: sums are 0."""
    if not weights.size and sum(n > 0 for n in weights.shape) == len(axes):
        weights = np.zeros([n for n in weights.shape if n], weights.dtype)
    elif not weights.size:
        raise RuntimeError(f"{name}: weights of shape {weights.shape} have no elements for {len(axes)} axes")
    return _support.over_all_axes(name, "weights", weights, ndim, axes, origin)


@functools.lru_cache(256)
def _counted(weights, code, shape, origins):
    """Which weights count, their places, and the weights themselves."""
    weights = np.frombuffer(weights, code).reshape(shape)
    counted = abs(weights) > _EPSILON
    return counted, _windows.places_of(counted, origins), weights[counted]


def _correlate(name, input, weights, output, mode, cval, origins):
    dtype, computed = _result_dtype(name, input, weights, output)
    _support.check_window(name, weights.shape, origins, mode)
    counted, places, numbers = _counted(weights.tobytes(), weights.dtype.str, weights.shape, tuple(origins))
    total = None
    if numbers.size:
        total = _windows.filtered(input, _windows.SUM, (places, numbers), mode, cval, computed, dtype)
    if input.size and total is None:
        for place, x in _support.views(name, input, counted, origins, mode, cval):
            term = x.astype(computed, copy=False) * weights[place].item()
            total = term if total is None else total + term
    if total is None:
        total = _core.zeros(input.shape, dtype)
    return _support.deliver(total, output, dtype)


@_documented
def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The convolution: the correlation with the weights from behind along every axis.

    Args:
        {input}
        weights: The weights, of as many dimensions as there are axes. They are read from the device.
        {output}
        {mode}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.convolve(x, [1, 2, 3])
    array([ 0.,  8., 16., 24.,  0.])
    """
    weights = _support.host(weights)
    axes = _support.chosen_axes(axes, input.ndim)
    weights, origins = _window("convolve", weights, input.ndim, axes, origin)
    origins = [-o - (n + 1) % 2 for o, n in zip(origins, weights.shape)]
    return _correlate("convolve", input, _support.reversed_window(weights), output, mode, cval, origins)


@_documented
def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """Means of windows along an axis.

    Args:
        {input}
        size: How many elements the window has.
        {axis}
        {output}
        {mode}
        {cval}
        {origin}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.uniform_filter1d(x, 4)
    array([0., 2., 2., 2., 2.])
    """
    name = "uniform_filter1d"
    if type(input) is _core.ndarray and size > 0 and _windows.pays(input, size):
        result = _windows.promptly(input, output, _plan_of_means(name, input.ndim, axis, size, origin, mode))
        if result is not None:
            return result
    dtype, computed = _result_dtype(name, input, None, output)
    size, origin = _core._on_host((size, origin))
    if size < 1:
        raise RuntimeError(f"{name}: incorrect filter size {size}")
    window, modes = _windows.along(name, _windows.MEAN, input.ndim, axis, size, origin, mode)
    if not input.size:
        return _support.deliver(input, output, dtype)
    result = None
    if _windows.pays(input, size):
        result = _windows.filtered(input, _windows.MEAN, window, modes, cval, computed, dtype)
    if result is None:
        axis = normalize_axis_index(axis, input.ndim)
        _, whole = _support.along(name, input, axis, size, origin, mode, cval)
        total = _support.folded(whole.astype(computed, copy=False), axis, input.shape[axis], size, _core.add)
        result = total / size
    return _support.deliver(result, output, dtype)


@_documented
def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, axes=None):
    """Means of windows.

    Args:
        {input}
        {size}
        {output}
        {modes}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.uniform_filter(x, 2)
    array([0., 0., 4., 4., 0.])
    """
    check_arrays("uniform_filter", input)
    rows, windows = _separate(input.ndim, axes, size, origin, mode)
    return _windows.one_after_another("uniform_filter", uniform_filter1d, input, output, rows, cval, windows)


@_support.cached_by_value
def _separate(ndim, axes, size, origin, mode):
    """(the filters along the axes, the last two as windows)"""
    rows = _support.separable("uniform_filter", ndim, axes, ("size", "origin", "mode"), size, origin, mode)
    rows = [{**row, "size": _support.whole_size("uniform_filter", row["size"])} for row in rows]
    rows = [row for row in rows if row["size"] > 1]
    return rows, [_windows.window(_windows.MEAN, row, row["size"]) for row in rows[-2:]]
