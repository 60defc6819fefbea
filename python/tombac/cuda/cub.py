"""The functions that CuPy has over CUB, for programs that call them: reductions, scans and histograms of tombac's own,
on both backends. ``available`` tells whether tombac.sum and the others go through CUB, which they do not.
"""

import enum

from tombac import _core
from tombac._numpy import np

__all__ = [
    "CUB_sum_support_dtype", "CUB_sum_support_dtype_with_half", "CUB_sum_support_dtype_without_half",
    "CUB_support_dtype", "CUB_support_dtype_with_half", "CUB_support_dtype_without_half", "CUPY_CUB_ARGMAX",
    "CUPY_CUB_ARGMIN", "CUPY_CUB_CUMPROD", "CUPY_CUB_CUMSUM", "CUPY_CUB_MAX", "CUPY_CUB_MIN", "CUPY_CUB_PROD",
    "CUPY_CUB_SUM", "available", "cub_histogram", "cub_reduction", "cub_scan", "cupy_cub_op", "device_histogram",
    "device_reduce", "device_scan", "device_segmented_reduce", "get_build_version",
]

available = False


class cupy_cub_op(enum.IntEnum):
    """Which reduction or scan."""

    CUPY_CUB_SUM = 0
    CUPY_CUB_MIN = 1
    CUPY_CUB_MAX = 2
    CUPY_CUB_ARGMIN = 3
    CUPY_CUB_ARGMAX = 4
    CUPY_CUB_CUMSUM = 5
    CUPY_CUB_CUMPROD = 6
    CUPY_CUB_PROD = 7


CUPY_CUB_SUM, CUPY_CUB_MIN, CUPY_CUB_MAX, CUPY_CUB_ARGMIN, CUPY_CUB_ARGMAX, CUPY_CUB_CUMSUM, CUPY_CUB_CUMPROD, \
    CUPY_CUB_PROD = cupy_cub_op

_REDUCTIONS = {
    CUPY_CUB_SUM: _core.sum, CUPY_CUB_PROD: _core.prod, CUPY_CUB_MIN: _core.min, CUPY_CUB_MAX: _core.max,
    CUPY_CUB_ARGMIN: _core.argmin, CUPY_CUB_ARGMAX: _core.argmax,
}
_SCANS = {CUPY_CUB_CUMSUM: _core.cumsum, CUPY_CUB_CUMPROD: _core.cumprod}
_SEARCHES = (CUPY_CUB_ARGMIN, CUPY_CUB_ARGMAX)
_BYTES = "int8 uint8 int16 uint16 int32 uint32"
_LISTS = {  # the dtypes that CuPy's functions over CUB take
    "CUB_support_dtype_without_half": f"{_BYTES} int64 uint64 float32 float64 complex64 complex128",
    "CUB_sum_support_dtype_without_half": "int64 uint64 float32 float64 complex64 complex128",
}


def _dtypes(name):
    if name.endswith("with_half"):
        return [*_dtypes(name.removesuffix("with_half") + "without_half"), np.dtype("float16")]
    return [np.dtype(text) for text in _LISTS[name].split()]


def __getattr__(name):
    if name in ("CUB_support_dtype", "CUB_sum_support_dtype"):  # by device
        value = {device: _dtypes(name + "_with_half") for device in range(_core.device_count())}
    elif name in __all__ and name.startswith(("CUB_support", "CUB_sum_support")):
        value = _dtypes(name)
    else:
        from tombac._absent import no_attribute

        raise no_attribute(__name__, name)
    globals()[name] = value
    return value


def _reduction(who, op):
    if op not in _REDUCTIONS:
        raise ValueError(f"{who}: {op!r} is no reduction; the scans are for device_scan")
    return _REDUCTIONS[op]


def _array(who, x):
    if not isinstance(x, _core.ndarray):
        raise TypeError(f"{who}: a tombac array is expected, not {type(x)}")
    return x


def device_reduce(x, op, out_axis=(), out=None, keepdims=False):
    """One number for all elements of an array.

    Args:
        x: An array of any numeric dtype and shape, with elements for minima and maxima.
        op: One of ``CUPY_CUB_SUM PROD MIN MAX ARGMIN ARGMAX``.
        out_axis: The axes that are left: none.
        out: An array to write the number to.
        keepdims: Whether the result has ``x``'s number of dimensions.

    Returns:
        An array.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: ``op`` is no reduction; axes are left; ``x`` has no elements and the reduction no identity.

    >>> from tombac.cuda import cub
    >>> cub.device_reduce(tombac.arange(5.0), cub.CUPY_CUB_SUM)
    array(10.)
    """
    if out_axis:
        raise ValueError(f"device_reduce: all axes are reduced, {out_axis} cannot be left")
    return _reduction("device_reduce", op)(_array("device_reduce", x), axis=None, out=out, keepdims=keepdims)


def device_segmented_reduce(x, op, reduce_axis, out_axis=(), out=None, keepdims=False, contiguous_size=0):
    """One number for each row along some axes.

    Args:
        x: An array of any numeric dtype and shape.
        op: One of ``CUPY_CUB_SUM PROD MIN MAX ARGMIN ARGMAX``; the last two along one axis.
        reduce_axis: A tuple of the axes that are reduced.
        out_axis: A tuple of the axes that are left; not looked at.
        out: An array to write to.
        keepdims: Whether reduced axes stay, with length 1.
        contiguous_size: Accepted for CuPy's sake.

    Returns:
        An array.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: ``op`` is no reduction.

    >>> from tombac.cuda import cub
    >>> cub.device_segmented_reduce(tombac.arange(6).reshape(2, 3), cub.CUPY_CUB_MAX, (1,), (0,))
    array([2, 5])
    """
    reduce = _reduction("device_segmented_reduce", op)
    axis = tuple(reduce_axis)
    if op in _SEARCHES and len(axis) == 1:
        axis = axis[0]
    return reduce(_array("device_segmented_reduce", x), axis=axis, out=out, keepdims=keepdims)


def device_scan(x, op):
    """Running sums or products in C order, in place.

    Args:
        x: An array of any numeric dtype and shape, which is overwritten.
        op: ``CUPY_CUB_CUMSUM`` or ``CUPY_CUB_CUMPROD``.

    Returns:
        An array: ``x``.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: ``op`` is no scan.

    >>> from tombac.cuda import cub
    >>> cub.device_scan(tombac.arange(1, 5), cub.CUPY_CUB_CUMPROD)
    array([ 1,  2,  6, 24])
    """
    if op not in _SCANS:
        raise ValueError(f"device_scan: {op!r} is no scan")
    x[...] = _SCANS[op](_array("device_scan", x), dtype=x.dtype).reshape(x.shape)
    return x


def device_histogram(x, bins, y):
    """How many elements are in each bin; every bin is without its upper end.

    Args:
        x: An array of any shape, of integers or floats.
        bins: An array of edges that rise, one more than there are bins; or an integer: bin *i* counts the elements from
            *i* to *i* + 1.
        y: An array of integers to write to: its length is the number of bins.

    Returns:
        An array: ``y``.

    Raises:
        TypeError: ``x`` or ``y`` is no tombac array.
        ValueError: There is not one edge more than bins.

    >>> from tombac.cuda import cub
    >>> cub.device_histogram(tombac.array([0.0, 0.5, 1.0, 2.0]), tombac.array([0.0, 1.0, 2.0]), tombac.zeros(2, int))
    array([2, 1])
    """
    from tombac._histograms import bincount
    from tombac._sorting import searchsorted

    flat = _array("device_histogram", x).ravel()
    if not isinstance(bins, _core.ndarray):
        bins = _core.arange(_array("device_histogram", y).size + 1)
    if bins.size != y.size + 1:
        raise ValueError(f"device_histogram: {y.size} bins have {y.size + 1} edges, not {bins.size}")
    y[...] = bincount(searchsorted(bins, flat, side="right"), minlength=bins.size + 1)[1:bins.size]
    return y


def cub_reduction(arr, op, axis=None, dtype=None, out=None, keepdims=False):
    """A reduction along any axes; None where CuPy's would be none either.

    Args:
        arr: An array of any shape.
        op: One of ``CUPY_CUB_SUM PROD MIN MAX ARGMIN ARGMAX``.
        axis: An integer, a tuple of integers, or None for all.
        dtype: What sums and products are computed in.
        out: An array to write to.
        keepdims: Whether reduced axes stay, with length 1.

    Returns:
        An array, or None: ``op`` is no reduction, or it cannot be computed in ``dtype``.

    Raises:
        TypeError: ``arr`` is no tombac array.
        AxisError: There is no such axis.

    >>> from tombac.cuda import cub
    >>> cub.cub_reduction(tombac.arange(6).reshape(2, 3), cub.CUPY_CUB_SUM, axis=0)
    array([3, 5, 7])
    """
    _array("cub_reduction", arr)
    if op not in _REDUCTIONS or arr.dtype not in _dtypes("CUB_support_dtype_with_half"):
        return None
    if op in (CUPY_CUB_SUM, CUPY_CUB_PROD):
        return _REDUCTIONS[op](arr, axis=axis, dtype=dtype, out=out, keepdims=keepdims)
    if dtype is not None and np.dtype(dtype) != arr.dtype or op in _SEARCHES and isinstance(axis, tuple):
        return None
    return _REDUCTIONS[op](arr, axis=axis, out=out, keepdims=keepdims)


def cub_scan(arr, op):
    """device_scan; None for what is no scan or a dtype that CuPy's does not take.

    Args:
        arr: An array of any shape, which is overwritten.
        op: ``CUPY_CUB_CUMSUM`` or ``CUPY_CUB_CUMPROD``.

    Returns:
        An array (``arr``), or None.

    Raises:
        TypeError: ``arr`` is no tombac array.

    >>> from tombac.cuda import cub
    >>> cub.cub_scan(tombac.arange(4.0), cub.CUPY_CUB_CUMSUM)
    array([0., 1., 3., 6.])
    """
    takes = _array("cub_scan", arr).dtype in _dtypes("CUB_support_dtype_with_half") and op in _SCANS
    return device_scan(arr, op) if takes else None


def cub_histogram(x, bins, y):
    """device_histogram; None for a dtype that CuPy's does not take.

    Args:
        x: An array of any shape, of integers or floats.
        bins: As in device_histogram.
        y: An array of integers to write to.

    Returns:
        An array (``y``), or None: ``x`` is complex or of truth values.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is not one edge more than bins.

    >>> from tombac.cuda import cub
    >>> cub.cub_histogram(tombac.array([0, 1, 1]), 3, tombac.zeros(2, int))
    array([1, 2])
    """
    return None if _array("cub_histogram", x).dtype.kind in "bc" else device_histogram(x, bins, y)


def get_build_version():
    """The version of CUB that was built against: 0, since tombac uses none.

    Returns:
        An int.

    >>> from tombac.cuda import cub
    >>> cub.get_build_version()
    0
    """
    return 0
