"""Filters of transforms: products with what Gaussian curves, boxes and shifts are among frequencies.

Each is one kernel: a product of factors for the axes.
"""

import functools
import math

from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy.ndimage import _support
from tombacx.scipy.ndimage._support import documented as _documented

__all__ = ["fourier_ellipsoid", "fourier_gaussian", "fourier_shift", "fourier_uniform"]


def _check(name, input, output, allowed, otherwise):
    """The dtype of the result: one of those allowed."""
    check_arrays(name, input)
    if output is None:
        return input.dtype if input.dtype.char in allowed else np.dtype(otherwise)
    dtype = _support.check_output(name, input, output)
    if dtype.char not in allowed + otherwise.lower() * (otherwise == "d"):
        raise RuntimeError(f"{name}: output type {dtype} is not supported")
    return dtype


_SMALL = 1 << 12  # elements of a transform whose filter the host keeps, as it keeps frequencies of any


def _factors(name, input, what, values, n, axis, of, whole=None):
    """Arrays that broadcast to the transform, of which the filter is the product: for each axis ``of(t, xp)`` its
    frequencies, in turns an element, times its value; or what ``whole`` makes of these.
    """
    axis = normalize_axis_index(axis, input.ndim)
    keys = tuple([(side, n if d == axis and n > 0 else 0, float(value), d, input.ndim, of) for d, (side, value)
                  in enumerate(zip(input.shape, _support.sequence(name, what, values, input.ndim)))])
    if (_core.backend() == "cpu" and 0 < input.size <= _SMALL
            and not (whole and _core.get_current_stream().is_capturing())):  # what is captured has no numbers yet
        return [_core.array(_kept(keys, whole))]
    rows = list(map(_row, keys))
    return [whole(rows)] if whole and input.size else rows


def _row(key):
    return _scaled(*key) if _core.backend() != "cpu" else _core.array(_listed(*key))


@functools.lru_cache(64)
def _kept(keys, whole):
    return whole(list(map(_row, keys))).get() if whole else math.prod([_listed(*key) for key in keys])


def _scaled(side, n, value, axis, ndim, of, xp=_core):
    """The frequencies of ``side`` elements, or of the real transform of ``n``, along an axis; of ``xp``, which on a
    device makes them a part of the filter's kernel.
    """
    i = xp.arange(side, dtype="d")
    turns = i / n if n else xp.where(i < (side + 1) // 2, i, i - side) / max(side, 1)
    turns = (turns * value).reshape([side if d == axis else 1 for d in range(ndim)])
    return of(turns, xp)


@functools.lru_cache(64)
def _listed(*key):
    return _scaled(*key, xp=np)


def _curve(t, xp):
    return xp.exp((-2 * math.pi * math.pi) * t * t)


def _square(t, xp):
    return t * t


def _turn(t, xp):
    return xp.exp((-2j * math.pi) * t)


def _box(t, xp):
    return xp.sinc(t)


def _product(input, factors, output, dtype):
    result = input.astype("D" if input.dtype.kind == "c" else "d", copy=False)
    for factor in factors:
        result = result * factor
    return _support.deliver(result, output, dtype)


@_documented
def fourier_gaussian(input, sigma, n=-1, axis=-1, output=None):
    """The transform of a Gaussian filter's result.

    Args:
        input: The transform of an image.
        sigma: The standard deviation of the curve, in elements: along every axis, or one number for each.
        n: -1 if the transform is complex; else how many elements the image had along ``axis``, of whose real transform
            half is there.
        axis: Along which axis the transform is a real one.
        output: An array of the same shape to write to; or the dtype of the result.

    Returns:
        An array: ``output``, if that is an array.

    Raises:
        TypeError: ``input`` is no tombac array.
        ValueError: There is no such axis (AxisError).
        RuntimeError: ``output`` is of another shape, or of a dtype that it cannot be of.

    >>> spectrum = tombac.ones(4, "D")
    >>> tombacx.scipy.ndimage.fourier_gaussian(spectrum, 1.0).real
    array([1.        , 0.29121293, 0.00719188, 0.29121293])
    """
    dtype = _check("fourier_gaussian", input, output, "fFD", "d")
    rows = _factors("fourier_gaussian", input, "sigma", sigma, n, axis, _curve)
    return _product(input, rows, output, dtype)


@_documented
def fourier_uniform(input, size, n=-1, axis=-1, output=None):
    """The transform of the means of boxes.

    Args:
        input: The transform of an image.
        size: The size of the box, in elements: along every axis, or one number for each.
        n: -1 if the transform is complex; else how many elements the image had along ``axis``, of whose real transform
            half is there.
        axis: Along which axis the transform is a real one.
        output: An array of the same shape to write to; or the dtype of the result.

    Returns:
        An array: ``output``, if that is an array.

    Raises:
        TypeError: ``input`` is no tombac array.
        ValueError: There is no such axis (AxisError).
        RuntimeError: ``output`` is of another shape, or of a dtype that it cannot be of.

    >>> spectrum = tombac.ones(4, "D")
    >>> tombacx.scipy.ndimage.fourier_uniform(spectrum, 2.0).real
    array([1.00000000e+00, 6.36619772e-01, 3.89817183e-17, 6.36619772e-01])
    """
    dtype = _check("fourier_uniform", input, output, "fFD", "d")
    rows = _factors("fourier_uniform", input, "size", size, n, axis, _box)
    return _product(input, rows, output, dtype)


@_documented
def fourier_shift(input, shift, n=-1, axis=-1, output=None):
    """The transform of a moved image.

    Args:
        input: The transform of an image.
        shift: By how many elements: along every axis, or one number for each.
        n: -1 if the transform is complex; else how many elements the image had along ``axis``, of whose real transform
            half is there.
        axis: Along which axis the transform is a real one.
        output: An array of the same shape to write to; or the dtype of the result.

    Returns:
        An array: ``output``, if that is an array.

    Raises:
        TypeError: ``input`` is no tombac array.
        ValueError: There is no such axis (AxisError).
        RuntimeError: ``output`` is of another shape, or of a dtype that it cannot be of.

    >>> spectrum = tombac.ones(4, "D")
    >>> tombacx.scipy.ndimage.fourier_shift(spectrum, 2)
    array([ 1.+0.0000000e+00j, -1.-1.2246468e-16j,  1.-2.4492936e-16j,
           -1.+1.2246468e-16j])
    """
    dtype = _check("fourier_shift", input, output, "FD", "D")
    rows = _factors("fourier_shift", input, "shift", shift, n, axis, _turn)
    return _product(input.astype("D"), rows, output, dtype)


@_documented
def fourier_ellipsoid(input, size, n=-1, axis=-1, output=None):
    """The transform of the means of ellipsoids.

    Args:
        input: The transform of an image.
        size: The size of the ellipsoid, in elements: along every axis, or one number for each.
        n: -1 if the transform is complex; else how many elements the image had along ``axis``, of whose real transform
            half is there.
        axis: Along which axis the transform is a real one.
        output: An array of the same shape to write to; or the dtype of the result.

    Returns:
        An array: ``output``, if that is an array.

    Raises:
        TypeError: ``input`` is no tombac array.
        ValueError: There is no such axis (AxisError).
        NotImplementedError: There are more than three dimensions.
        RuntimeError: ``output`` is of another shape, or of a dtype that it cannot be of.

    In two dimensions it needs ``tombacx.scipy.special.j1``.

    >>> spectrum = tombac.ones(4, "D")
    >>> tombacx.scipy.ndimage.fourier_ellipsoid(spectrum, 2.0).real
    array([1.00000000e+00, 6.36619772e-01, 3.89817183e-17, 6.36619772e-01])
    """
    check_arrays("fourier_ellipsoid", input)
    if input.ndim > 3:
        raise NotImplementedError("fourier_ellipsoid: inputs of one, two and three dimensions are supported")
    dtype = _check("fourier_ellipsoid", input, output, "fFD", "d")
    of, whole = (_square, _ball) if input.ndim > 1 else (_box, None)
    rows = _factors("fourier_ellipsoid", input, "size", size, n, axis, of, whole)
    return _product(input, rows if input.size else [], output, dtype)


_NEAR = 1e-100  # 2 J1(x) / x is 1 there


def _ball(squares):
    """The transform of a disc or a ball of the radius 1 / 2, by its volume, at squares of frequencies for each axis."""
    x = math.pi * _core.sqrt(sum(squares[1:]) + squares[0])
    if len(squares) == 3:
        cubed = where(x == 0, 1.0, x * x * x)
        return where(x == 0, 1.0, 3 * (_core.sin(x) - x * _core.cos(x)) / cubed)
    from tombacx.scipy import special

    x = _core.maximum(x, _NEAR)
    return 2 * special.j1(x) / x
