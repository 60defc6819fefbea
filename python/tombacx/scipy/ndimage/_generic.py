"""Filters by functions of one's own."""

from tombac import _core
from tombac._core import ReductionKernel
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy.ndimage import _support
from tombacx.scipy.ndimage._ranks import window
from tombacx.scipy.ndimage._support import documented as _documented

__all__ = ["generic_filter", "generic_filter1d"]


@_documented
def generic_filter(input, function, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *,
                   extra_arguments=(), extra_keywords=None, axes=None):
    """What a function makes of windows.

    Args:
        {input}
        function: A ReductionKernel of one input, which is one kernel for all windows; or a function of a vector of
            float64,
            the window's elements, which is called for each of them.
        {size}
        {footprint}
        {output}
        {mode}
        {cval}
        {origin}
        extra_arguments: More arguments of the function.
        extra_keywords: More arguments of the function by name.
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    CuPy's RawKernel is not taken for a function.

    >>> x = tombac.array([2.0, 8.0, 0.0, 4.0])
    >>> tombacx.scipy.ndimage.generic_filter(x, tombac.ptp, 2)
    array([0., 6., 8., 4.])
    """
    name = "generic_filter"
    axes = _support.chosen_axes(axes, input.ndim)
    dtype = _support.check_output(name, input, output)
    footprint, sizes = window(name, input, size, footprint, axes)
    footprint = np.ones(sizes, bool) if footprint is None else footprint
    footprint, origins = _support.over_all_axes(name, "footprint", footprint, input.ndim, axes, origin)
    if not input.size:
        return _support.deliver(input, output, dtype)
    elements = [x for _, x in _support.views(name, input, footprint, origins, mode, cval)]
    windows = _core.stack(elements, -1)
    if isinstance(function, ReductionKernel):
        return _support.deliver(function(windows, axis=-1), output, dtype)
    more = extra_keywords or {}
    rows = windows.reshape(-1, len(elements)).astype("d", copy=False)
    values = [_core.asarray(function(row, *extra_arguments, **more), "d") for row in rows]
    return _support.deliver(_core.stack(values).reshape(input.shape), output, dtype)


@_documented
def generic_filter1d(input, function, filter_size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0, *,
                     extra_arguments=(), extra_keywords=None):
    """What a function makes of the lines along an axis.

    Args:
        {input}
        function: A function ``(line, result, *extra_arguments, **extra_keywords)`` of a line of float64 with the
            elements beyond
            its ends, and of the vector that it writes to; it is called for each line.
        filter_size: How many elements the window has: by one less the line is longer than the result.
        {axis}
        {output}
        {mode}
        {cval}
        {origin}
        extra_arguments: More arguments of the function.
        extra_keywords: More arguments of the function by name.

    Returns:
        {returns}

    Raises:
        {refusals}

    CuPy's RawKernel is not taken for a function.

    >>> x = tombac.array([2.0, 8.0, 0.0, 4.0])
    >>> def twice(line, result):
    ...     result[...] = 2 * line[1:-1]
    >>> tombacx.scipy.ndimage.generic_filter1d(x, twice, 3)
    array([ 4., 16.,  0.,  8.])
    """
    name = "generic_filter1d"
    check_arrays(name, input)
    axis = normalize_axis_index(axis, input.ndim)
    dtype = _support.check_output(name, input, output)
    if filter_size < 1:
        raise RuntimeError(f"{name}: invalid filter size {filter_size}")
    _support.check_origin(name, origin, filter_size)
    if not input.size:
        return _support.deliver(input, output, dtype)
    _, whole = _support.along(name, input, axis, filter_size, origin, mode, cval)
    lines = whole.swapaxes(axis, -1).astype("d")
    result = _core.zeros(input.swapaxes(axis, -1).shape, "d")
    for place in np.ndindex(result.shape[:-1]):
        function(lines[place], result[place], *extra_arguments, **(extra_keywords or {}))
    return _support.deliver(result.swapaxes(axis, -1), output, dtype)
