"""Filters by functions of one's own: Python's are called for each window, kernels' text becomes one kernel."""

from tombac import _core
from tombac._core import RawKernel, ReductionKernel
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy.ndimage import _kernels, _support
from tombacx.scipy.ndimage._ranks import window
from tombacx.scipy.ndimage._support import documented as _documented

__all__ = ["generic_filter", "generic_filter1d"]


@_documented
def generic_filter(input, function, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *,
                   extra_arguments=(), extra_keywords=None, axes=None):
    """What a function makes of windows.

    Args:
        {input}
        function: A function of a vector of float64, the window's elements, which is called for each window. Or, for
            one kernel that does all of them, a ReductionKernel of one input and one output, in which ``_raw_x`` are
            the window's elements and ``_in_ind.size()`` their number; or a RawKernel with the parameters ``(const
            double* window, int size, double* result)``, which does one window and asks for no thread or block.
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
        TypeError: ``input`` is complex.
        ValueError: A kernel is given more arguments, or is not of such a kind.

    >>> x = tombac.array([2.0, 8.0, 0.0, 4.0])
    >>> tombacx.scipy.ndimage.generic_filter(x, tombac.ptp, 2)
    array([0., 6., 8., 4.])
    """
    name = "generic_filter"
    check_arrays(name, input)
    if input.dtype.kind == "c":
        raise TypeError(f"{name}: complex type not supported")
    axes = _support.chosen_axes(axes, input.ndim)
    dtype = _support.check_output(name, input, output)
    footprint, sizes = window(name, input, size, footprint, axes)
    footprint = np.ones(sizes, bool) if footprint is None else footprint
    footprint, origins = _support.over_all_axes(name, "footprint", footprint, input.ndim, axes, origin)
    if not input.size:
        return _support.deliver(input, output, dtype)
    if isinstance(function, (RawKernel, ReductionKernel)):
        _check_alone(name, extra_arguments, extra_keywords)
        whole = _support.whole(name, input, footprint.shape, origins, mode, cval)
        result = _kernels.of_windows(name, function, whole, input.shape, footprint, dtype)
        return _support.deliver(result, output, dtype)
    elements = [x for _, x in _support.views(name, input, footprint, origins, mode, cval)]
    more = extra_keywords or {}
    rows = _core.stack(elements, -1).reshape(-1, len(elements)).astype("d", copy=False)
    values = [_core.asarray(function(row, *extra_arguments, **more), "d") for row in rows]
    return _support.deliver(_core.stack(values).reshape(input.shape), output, dtype)


def _check_alone(name, extra_arguments, extra_keywords):
    if extra_arguments or extra_keywords:
        raise ValueError(f"{name}: a kernel takes no more arguments")


@_documented
def generic_filter1d(input, function, filter_size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0, *,
                     extra_arguments=(), extra_keywords=None):
    """What a function makes of the lines along an axis.

    Args:
        {input}
        function: A function ``(line, result, *extra_arguments, **extra_keywords)`` of a line of float64 with the
            elements beyond its ends, and of the vector that it writes to, which is called for each line. Or, for one
            kernel that does all of them, a RawKernel with the parameters ``(const double* line, ptrdiff_t length,
            double* result, ptrdiff_t length)``, which does one line and asks for no thread or block.
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
        TypeError: ``input`` is complex.
        ValueError: A kernel is given more arguments, or has no such function.

    >>> x = tombac.array([2.0, 8.0, 0.0, 4.0])
    >>> def twice(line, result):
    ...     result[...] = 2 * line[1:-1]
    >>> tombacx.scipy.ndimage.generic_filter1d(x, twice, 3)
    array([ 4., 16.,  0.,  8.])
    """
    name = "generic_filter1d"
    check_arrays(name, input)
    if input.dtype.kind == "c":
        raise TypeError(f"{name}: complex type not supported")
    axis = normalize_axis_index(axis, input.ndim)
    dtype = _support.check_output(name, input, output)
    if filter_size < 1:
        raise RuntimeError(f"{name}: invalid filter size {filter_size}")
    _support.check_origin(name, origin, filter_size)
    if not input.size:
        return _support.deliver(input, output, dtype)
    _, whole = _support.along(name, input, axis, filter_size, origin, mode, cval)
    lines = whole.swapaxes(axis, -1).astype("d")
    shape = input.swapaxes(axis, -1).shape
    if isinstance(function, RawKernel):
        _check_alone(name, extra_arguments, extra_keywords)
        return _support.deliver(_kernels.of_lines(name, function, lines, shape).swapaxes(axis, -1), output, dtype)
    result = _core.zeros(shape, "d")
    for place in np.ndindex(result.shape[:-1]):
        function(lines[place], result[place], *extra_arguments, **(extra_keywords or {}))
    return _support.deliver(result.swapaxes(axis, -1), output, dtype)
