"""Images between their elements: at points, moved, made larger or smaller, turned."""

import functools
import math
import warnings

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy.ndimage import _splines, _support
from tombacx.scipy.ndimage._support import documented as _documented

__all__ = [
    "affine_transform", "geometric_transform", "map_coordinates", "rotate", "shift", "spline_filter", "spline_filter1d",
    "zoom",
]


def _checked_order(name, order, least=0):
    order = _core._on_host(order)
    if not least <= order <= 5:
        raise RuntimeError(f"{name}: spline order {order} is not supported")
    if order != int(order):
        raise TypeError(f"{name}: order must be a whole number, not {order!r}")
    return order


def _check(name, input, order, mode, cval, output, shape):
    """The dtype of the result, and the order."""
    check_arrays(name, input)
    order = _checked_order(name, order)
    _support.padding_mode(name, mode)
    if input.ndim < 1:
        raise RuntimeError(f"{name}: input and output must have dimensions")
    if input.dtype.kind != "c" and isinstance(cval, complex):
        raise TypeError(f"{name}: cval must be a real number, as the image is, not {cval!r}")
    if shape and min(shape) < 0:
        raise ValueError(f"{name}: the result's shape must not be negative: {tuple(shape)}")
    dtype_of = _support.complex_output if input.dtype.kind == "c" else _support.check_output
    return dtype_of(name, input, output, tuple(shape)), order


def _by_parts(function):
    """Of complex images the real and the imaginary part, which splines do not mix, one after the other."""
    @functools.wraps(function)
    def call(name, input, *args):
        if input.dtype.kind != "c":
            return function(name, input, *args)
        *points, output, dtype, order, mode, cval, prefilter = args
        cval, part = complex(_core._on_host(cval)), np.dtype(dtype.char.lower())
        real, imag = [function(name, x, *points, None, part, order, mode, c, prefilter)
                      for x, c in ((input.real, cval.real), (input.imag, cval.imag))]
        result = _core.empty(real.shape, dtype)
        result.real, result.imag = real, imag
        return _support.deliver(result, output, dtype)

    return call


def _at_map(name, input, axes, shape, diagonal, rows, output, dtype, order, mode, cval, prefilter):
    """What an image is at the points of a map of its last ``axes`` axes, by one kernel; None where there is none."""
    if axes > _splines.MOST_AXES:
        return None
    x, margin = _splines.prepared(name, input, order, range(input.ndim - axes, input.ndim), mode, cval, prefilter)
    result = _splines.mapped(x, shape, diagonal, rows, margin, order, mode, cval, dtype.char == "f")
    return None if result is None else _splines.deliver(result, output, dtype)


@_by_parts
def _separable(name, input, shape, rows, output, dtype, order, mode, cval, prefilter):
    """What an image is at the coordinates ``(i + a) * b + c`` along each axis, for a row ``a, b, c`` of each."""
    if not math.prod(shape) or not input.size:
        return _splines.deliver(_core.full(tuple(shape), cval, dtype), output, dtype)
    result = _at_map(name, input, input.ndim, shape, True, rows, output, dtype, order, mode, cval, prefilter)
    if result is not None:
        return result
    axes = range(input.ndim)
    coordinates = [(_core.arange(n, dtype="d") + a) * b + c for n, (a, b, c) in zip(shape, rows)]
    x, margin = _splines.prepared(name, input, order, axes, mode, cval, prefilter)
    result = _splines.separable(x.astype("d", copy=False), axes, coordinates, margin, order, mode, cval)
    return _splines.deliver(result, output, dtype)


@_by_parts
def _affinely(name, input, matrix, offset, shape, output, dtype, order, mode, cval, prefilter):
    """What an image is at ``matrix @ i + offset`` for the indices of ``shape``, for each of the images that its first
    axes hold."""
    n = len(matrix)
    square = len(shape) == n and math.prod(shape) and input.size
    if square:
        rows = [(*row, o) for row, o in zip(matrix.tolist(), offset)]
        result = _at_map(name, input, n, shape, False, rows, output, dtype, order, mode, cval, prefilter)
        if result is not None:
            return result
    points = _mapped(matrix, offset, shape)
    return _scattered(name, input, input.ndim - n, points, output, dtype, order, mode, cval, prefilter)


@_by_parts
def _scattered(name, input, batch, coordinates, output, dtype, order, mode, cval, prefilter):
    """What an image is at points, for each of the images that the first ``batch`` axes hold."""
    if not coordinates[0].size or not input.size:
        return _splines.deliver(_core.full(input.shape[:batch] + coordinates[0].shape, cval, dtype), output, dtype)
    axes = tuple(range(batch, input.ndim))
    x, margin = _splines.prepared(name, input, order, axes, mode, cval, prefilter)
    result = _splines.scattered(x, batch, coordinates, margin, order, mode, cval)
    return _splines.deliver(result, output, dtype)


@_documented
def spline_filter1d(input, order=3, axis=-1, output=np.float64, mode="mirror"):
    """The coefficients of splines through the elements along an axis.

    Args:
        {input}
        order: The degree of the splines, 0 to 5.
        {axis}
        output: An array of the same shape to write to, or the dtype of the result.
        {mode}

    Returns:
        An array: ``output``, if that is an array.

    Raises:
        TypeError: ``input`` is no tombac array, or coordinates are complex.
        RuntimeError: The order or the mode is another one, or shapes do not fit.

    Coefficients are exact to rounding in every mode; SciPy's of short arrays are less so in the mode ``"reflect"``.

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.spline_filter1d(x)
    array([ 2., -4., 14., -4.,  2.])
    """
    check_arrays("spline_filter1d", input)
    order = _checked_order("spline_filter1d", order)
    output = "D" if output is np.float64 and input.dtype.kind == "c" else output
    if order < 2:
        return _support.deliver(input.copy(), output, _support.any_output("spline_filter1d", input, output))
    return _splines.along(input, order, normalize_axis_index(axis, input.ndim), mode, output)


@_documented
def spline_filter(input, order=3, output=np.float64, mode="mirror"):
    """The coefficients of splines through the elements along every axis.

    Args:
        {input}
        order: The degree of the splines, 2 to 5.
        output: An array of the same shape to write to, or the dtype of the result.
        {mode}

    Returns:
        An array: ``output``, if that is an array.

    Raises:
        TypeError: ``input`` is no tombac array, or coordinates are complex.
        RuntimeError: The order or the mode is another one, or shapes do not fit.

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.spline_filter(x)
    array([ 2., -4., 14., -4.,  2.])
    """
    check_arrays("spline_filter", input)
    order = _checked_order("spline_filter", order, 2)
    output = "D" if output is np.float64 and input.dtype.kind == "c" else output
    return _splines.coefficients(input, order, range(input.ndim), mode, output)


@_documented
def map_coordinates(input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """What an image is at points between its elements.

    Args:
        {input}
        coordinates: The points: an array whose first axis has an index along each axis of ``input``.
        output: An array of the result's shape to write to; or the dtype of the result; ``input``'s if None.
        order: The degree of the splines, 0 to 5.
        mode: What is beyond the edges: ``"constant"`` (``cval`` from the last element on), ``"grid-constant"``
            (splines go
            down to ``cval``), ``"nearest"``, ``"mirror"``, ``"reflect"``, ``"wrap"`` (after one element less than there
            are) or ``"grid-wrap"``.
        {cval}
        prefilter: Whether the splines go through the elements; False takes these for their coefficients.

    Returns:
        An array: ``output``, if that is an array.

    Raises:
        TypeError: ``input`` is no tombac array, or coordinates are complex.
        RuntimeError: The order or the mode is another one, or shapes do not fit.

    >>> x = tombac.arange(6.0).reshape(2, 3)
    >>> tombacx.scipy.ndimage.map_coordinates(x, [[0.5, 1.0], [0.5, 1.0]], order=1)
    array([2., 4.])
    """
    name = "map_coordinates"
    check_arrays(name, input)
    coordinates = _core.asarray(coordinates)
    if coordinates.dtype.kind == "c":
        raise TypeError(f"{name}: complex type not supported")
    if coordinates.ndim < 2 or coordinates.shape[0] != input.ndim:
        raise RuntimeError(f"{name}: invalid shape {coordinates.shape} of coordinates, for {input.ndim} dimensions")
    dtype, order = _check(name, input, order, mode, cval, output, coordinates.shape[1:])
    points = [at.astype("d", copy=False) for at in coordinates]
    return _scattered(name, input, 0, points, output, dtype, order, mode, cval, prefilter)


@_documented
def geometric_transform(input, mapping, output_shape=None, output=None, order=3, mode="constant", cval=0.0,
                        prefilter=True, extra_arguments=(), extra_keywords=None):
    """What an image is at the points that a function gives for the elements of the result.

    Args:
        {input}
        mapping: A function of an element's index, a tuple, which gives a place in ``input``: a number along each axis.
        output_shape: The shape of the result; ``input``'s if None, or that of ``output``.
        output: An array of the result's shape to write to; or the dtype of the result; ``input``'s if None.
        order: The degree of the splines, 0 to 5.
        mode: What is beyond the edges, as of map_coordinates.
        {cval}
        prefilter: Whether the splines go through the elements; False takes these for their coefficients.
        extra_arguments: More arguments of the function.
        extra_keywords: More arguments of the function by name.

    Returns:
        An array: ``output``, if that is an array.

    Raises:
        TypeError: ``input`` is no tombac array.
        RuntimeError: The order or the mode is another one, or shapes do not fit.

    The function is called on the host, once for each element; SciPy's LowLevelCallable is none. It may be quicker to
    compute all places at once, for map_coordinates.

    >>> x = tombac.arange(5.0)
    >>> tombacx.scipy.ndimage.geometric_transform(x, lambda index: (index[0] / 2,), order=1)
    array([0. , 0.5, 1. , 1.5, 2. ])
    """
    name = "geometric_transform"
    check_arrays(name, input)
    if output_shape is None:
        output_shape = output.shape if isinstance(output, _core.ndarray) else input.shape
    shape, keywords = tuple(output_shape), extra_keywords or {}
    places = [mapping(index, *extra_arguments, **keywords) for index in np.ndindex(shape)]
    if any(len(place) != input.ndim for place in places):
        raise RuntimeError(f"{name}: mapping must give a number along each of {input.ndim} axes")
    dtype, order = _check(name, input, order, mode, cval, output, shape)
    points = _core.array(np.array(_core._on_host(places), "d").reshape(*shape, input.ndim))
    points = [points[..., d] for d in range(input.ndim)]
    return _scattered(name, input, 0, points, output, dtype, order, mode, cval, prefilter)


@_documented
def shift(input, shift, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """Moves an image.

    Args:
        {input}
        shift: By how many elements: along every axis, or one number for each.
        output: An array of the result's shape to write to; or the dtype of the result; ``input``'s if None.
        order: The degree of the splines, 0 to 5.
        mode: What is beyond the edges: ``"constant"`` (``cval`` from the last element on), ``"grid-constant"``
            (splines go
            down to ``cval``), ``"nearest"``, ``"mirror"``, ``"reflect"``, ``"wrap"`` (after one element less than there
            are) or ``"grid-wrap"``.
        {cval}
        prefilter: Whether the splines go through the elements; False takes these for their coefficients.

    Returns:
        An array: ``output``, if that is an array.

    Raises:
        TypeError: ``input`` is no tombac array, or coordinates are complex.
        RuntimeError: The order or the mode is another one, or shapes do not fit.

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.shift(x, 1.5, order=1)
    array([0., 0., 0., 4., 4.])
    """
    check_arrays("shift", input)
    dtype, order = _check("shift", input, order, mode, cval, output, input.shape)
    by = _support.sequence("shift", "shift", shift, input.ndim)
    rows = [(-float(s), 1.0, 0.0) for s in by]
    return _separable("shift", input, input.shape, rows, output, dtype, order, mode, cval, prefilter)


@_documented
def zoom(input, zoom, output=None, order=3, mode="constant", cval=0.0, prefilter=True, *, grid_mode=False):
    """Makes an image larger or smaller.

    Args:
        {input}
        zoom: How many times as many elements it gets: along every axis, or one number for each.
        output: An array of the result's shape to write to; or the dtype of the result; ``input``'s if None.
        order: The degree of the splines, 0 to 5.
        mode: What is beyond the edges: ``"constant"`` (``cval`` from the last element on), ``"grid-constant"``
            (splines go
            down to ``cval``), ``"nearest"``, ``"mirror"``, ``"reflect"``, ``"wrap"`` (after one element less than there
            are) or ``"grid-wrap"``.
        {cval}
        prefilter: Whether the splines go through the elements; False takes these for their coefficients.
        grid_mode: True takes an element for a piece of the image, and not for a point in it, so that the edges of the
            outer
            elements stay in place and not their middles.

    Returns:
        An array: ``output``, if that is an array.

    Raises:
        TypeError: ``input`` is no tombac array, or coordinates are complex.
        RuntimeError: The order or the mode is another one, or shapes do not fit.
        ValueError: The result's shape is negative.

    >>> x = tombac.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> tombacx.scipy.ndimage.zoom(x, 1.4, order=1)
    array([0.        , 0.        , 2.66666667, 8.        , 2.66666667,
           0.        , 0.        ])
    """
    check_arrays("zoom", input)
    factors = [float(z) for z in _support.sequence("zoom", "zoom", zoom, input.ndim)]
    shape = tuple(int(round(n * z)) for n, z in zip(input.shape, factors))
    dtype, order = _check("zoom", input, order, mode, cval, output, shape)
    if all(z == 1 for z in factors) and prefilter:
        return _support.deliver(input.copy(), output, dtype)
    if grid_mode and mode in ("constant", "wrap"):
        warnings.warn(f"zoom: mode 'grid-{mode}' is recommended, not {mode!r}, where grid_mode is True", stacklevel=2)
    rows = []
    for n, m in zip(input.shape, shape):
        if grid_mode:
            rows.append((0.5, n / m if m else 1.0, -0.5))
        else:
            rows.append((0.0, (n - 1) / (m - 1) if m != 1 else 1.0, 0.0))
    return _separable("zoom", input, shape, rows, output, dtype, order, mode, cval, prefilter)


@_documented
def affine_transform(input, matrix, offset=0.0, output_shape=None, output=None, order=3, mode="constant", cval=0.0,
                     prefilter=True,
                     *, texture_memory=False, float64_coords=False):
    """An image at the points that an affine map makes of indices: ``matrix @ o + offset``.

    Args:
        {input}
        matrix: The matrix, of shape (ndim, ndim); its diagonal alone; or with the offset as a last column, and
            perhaps a
            last row of zeros and a one. It is read from the device.
        offset: The offset: along every axis, or one number for each.
        output_shape: The shape of the result; ``output``'s or ``input``'s if None.
        output: An array of the result's shape to write to; or the dtype of the result; ``input``'s if None.
        order: The degree of the splines, 0 to 5.
        mode: What is beyond the edges: ``"constant"`` (``cval`` from the last element on), ``"grid-constant"``
            (splines go
            down to ``cval``), ``"nearest"``, ``"mirror"``, ``"reflect"``, ``"wrap"`` (after one element less than there
            are) or ``"grid-wrap"``.
        {cval}
        prefilter: Whether the splines go through the elements; False takes these for their coefficients.
        texture_memory: Accepted for CuPy's sake.
        float64_coords: Accepted for CuPy's sake: coordinates are of float64.

    Returns:
        An array: ``output``, if that is an array.

    Raises:
        TypeError: ``input`` is no tombac array, or coordinates are complex.
        RuntimeError: The order or the mode is another one, or shapes do not fit.
        ValueError: The result's shape is negative.

    >>> x = tombac.arange(6.0).reshape(2, 3)
    >>> tombacx.scipy.ndimage.affine_transform(x, [[0, 1], [1, 0]], output_shape=(3, 2), order=1)
    array([[0., 3.],
           [1., 4.],
           [2., 5.]])
    """
    name = "affine_transform"
    check_arrays(name, input)
    shape = output_shape
    if shape is None:
        shape = output.shape if isinstance(output, _core.ndarray) else input.shape
    shape = tuple(shape)
    dtype, order = _check(name, input, order, mode, cval, output, shape)
    matrix, offset = _affine(name, _support.host(matrix, "d"), offset, input.ndim, len(shape))
    if matrix.ndim == 1:
        rows = [(o / m, m, 0.0) if m else (0.0, 0.0, o) for m, o in zip(matrix.tolist(), offset)]
        return _separable(name, input, shape, rows, output, dtype, order, mode, cval, prefilter)
    return _affinely(name, input, matrix, offset, shape, output, dtype, order, mode, cval, prefilter)


def _affine(name, matrix, offset, ndim, columns):
    """The matrix, or its diagonal, and the offset along each axis."""
    if matrix.ndim not in (1, 2) or not matrix.size:
        raise RuntimeError(f"{name}: no proper affine matrix: its shape is {matrix.shape}")
    if matrix.ndim == 2 and matrix.shape[1] == ndim + 1 and matrix.shape[0] in (ndim, ndim + 1):
        if matrix.shape[0] == ndim + 1 and (matrix[ndim] != np.eye(ndim + 1)[ndim]).any():
            raise ValueError(f"{name}: the last row of a homogeneous matrix must be 0, ..., 0, 1")
        matrix, offset = matrix[:ndim, :ndim], matrix[:ndim, ndim].tolist()
    if matrix.shape[0] != ndim:
        raise RuntimeError(f"{name}: the matrix has {matrix.shape[0]} rows, and input {ndim} dimensions")
    if matrix.ndim == 2 and matrix.shape[1] != columns:
        raise RuntimeError(f"{name}: the matrix has {matrix.shape[1]} columns, and the output {columns} dimensions")
    if type(offset) in (int, float):
        return matrix, [float(offset)] * ndim
    offset = _support.host(offset, "d")
    if offset.ndim > 1 or offset.ndim and offset.size != ndim:
        raise RuntimeError(f"{name}: offset must be a number or {ndim}, not of the shape {offset.shape}")
    return matrix, np.full(ndim, offset).tolist()


def _mapped(matrix, offset, shape):
    """The points, an array for each axis, that indices of an array of that shape are mapped to."""
    grid = [_core.arange(n, dtype="d").reshape([n if d == e else 1 for e in range(len(shape))])
            for d, n in enumerate(shape)]
    points = []
    for row, o in zip(matrix.tolist(), offset):
        total = o
        for m, at in zip(row, grid):
            total = total + m * at
        points.append(total)
    return points


@_documented
def rotate(input, angle, axes=(1, 0), reshape=True, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """Turns an image in the plane of two axes.

    Args:
        {input}
        angle: The angle in degrees.
        axes: The two axes.
        reshape: Whether the result is as large as the turned image, rather than as ``input``.
        output: An array of the result's shape to write to; or the dtype of the result; ``input``'s if None.
        order: The degree of the splines, 0 to 5.
        mode: What is beyond the edges: ``"constant"`` (``cval`` from the last element on), ``"grid-constant"``
            (splines go
            down to ``cval``), ``"nearest"``, ``"mirror"``, ``"reflect"``, ``"wrap"`` (after one element less than there
            are) or ``"grid-wrap"``.
        {cval}
        prefilter: Whether the splines go through the elements; False takes these for their coefficients.

    Returns:
        An array: ``output``, if that is an array.

    Raises:
        TypeError: ``input`` is no tombac array, or coordinates are complex.
        ValueError: The axes are not two of ``input``'s.
        RuntimeError: The order or the mode is another one, or shapes do not fit.

    >>> x = tombac.arange(6.0).reshape(2, 3)
    >>> tombacx.scipy.ndimage.rotate(x, 90, order=1)
    array([[2., 5.],
           [1., 4.],
           [0., 3.]])
    """
    check_arrays("rotate", input)
    ndim = input.ndim
    if ndim < 2:
        raise ValueError(f"rotate: input must have at least two dimensions, not {ndim}")
    if len(axes) != 2 or any(float(d) != int(d) for d in axes):
        raise ValueError(f"rotate: axes must be two whole numbers, not {axes!r}")
    axes = [int(d) + ndim if d < 0 else int(d) for d in axes]
    if not all(0 <= d < ndim for d in axes):
        raise ValueError("rotate: invalid rotation plane specified")
    if axes[0] == axes[1]:
        raise ValueError(f"rotate: axes must be two different ones, not {axes[0]} twice")
    axes.sort()
    c, s = _cosine_and_sine(float(angle))
    turn = np.array([[c, s], [-s, c]])
    plane = np.array([input.shape[d] for d in axes])
    turned = plane
    if reshape:
        y, x = plane
        corners = turn @ [[0, 0, y, y], [0, x, 0, x]]
        turned = (np.ptp(corners, axis=1) + 0.5).astype(int)
    offset = (plane - 1) / 2 - turn @ ((turned - 1) / 2)
    shape = list(input.shape)
    shape[axes[0]], shape[axes[1]] = turned.tolist()
    dtype, order = _check("rotate", input, order, mode, cval, output, shape)
    rest = [d for d in range(ndim) if d not in axes]
    planes = _affinely("rotate", input.transpose([*rest, *axes]), turn, offset, turned.tolist(), None, dtype, order,
                       mode, cval, prefilter)
    return _support.deliver(planes.transpose(np.argsort([*rest, *axes]).tolist()), output, dtype)


# S. L. Moshier, Methods and Programs for Mathematical Functions: sine and cosine to 45 degrees. SciPy's rotations are
# by these, and where points fall between two elements the last bit decides which one is nearest.
_SINE = (1.58962301572218447952e-10, -2.50507477628503540135e-8, 2.75573136213856773549e-6, -1.98412698295895384658e-4,
         8.33333333332211858862e-3, -1.66666666666666307295e-1)
_COSINE = (1.13678171382044553091e-11, -2.08758833757683644217e-9, 2.75573155429816611547e-7,
           -2.48015872936186303776e-5, 1.38888888888806666760e-3, -4.16666666666666348141e-2,
           4.99999999999999999798e-1)


def _polynomial(x, coefficients):
    total = coefficients[0]
    for c in coefficients[1:]:
        total = total * x + c
    return total


def _cosine_and_sine(angle):
    """Of degrees; exact for quarter turns."""
    quarters = math.floor((abs(angle) + 45) / 90)
    rest = (abs(angle) - 90 * quarters) * 1.74532925199432957692e-2
    square = rest * rest
    c, s = 1 - square * _polynomial(square, _COSINE), rest + rest * (square * _polynomial(square, _SINE))
    c, s = [(c, s), (-s, c), (-c, -s), (s, -c)][quarters % 4]
    return c, (s if angle >= 0 else -s)
