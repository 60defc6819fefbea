"""What all filters share: outputs, modes, axes, and arrays that go on beyond their edges.

A filter is an expression over shifted views of one extended array, so that a window of up to 16 elements is one kernel
that reads each element once from memory, on either backend.
"""

import functools
import itertools
import operator
import warnings

from tombac import _core
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombac._padding import pad
from tombac._util import check_arrays, normalize_axis_index, normalize_axis_tuple

# What NumPy's padding calls SciPy's modes.
_PADDING = {
    "reflect": "symmetric", "grid-mirror": "symmetric", "mirror": "reflect", "nearest": "edge", "wrap": "wrap",
    "grid-wrap": "wrap", "constant": "constant", "grid-constant": "constant",
}

documented = with_rows(
    input="input: The array to be filtered.",
    axis="axis: Along which axis.",
    output="""output: An array of the same shape to write to, which may be ``input``; or the dtype of the result;
            ``input``'s if None.""",
    mode="""mode: How the array goes on beyond its edges: ``"reflect"`` (d c b a | a b c d | d c b a), ``"mirror"``
            (d c b | a b c d | c b a), ``"nearest"`` (a a a | a b c d | d d d), ``"wrap"`` (b c d | a b c d | a b c),
            ``"constant"`` (with ``cval``), or SciPy's other names of these.""",
    modes="mode: How the array goes on beyond its edges, as in correlate; or one mode for each axis that is filtered.",
    cval="""cval: What is beyond the edges in the mode ``"constant"``.""",
    origin="""origin: By how many elements the window is moved against the order of elements; 0 puts its middle on the
            element that is computed. One number, or one for each axis where there are several.""",
    axes="axes: The axes that are filtered; all of them if None.",
    size="size: How many elements the window has: along every axis, or one number for each.",
    footprint="""footprint: An array of truth values of the window's shape: which elements count. It goes before
            ``size``.""",
    structure="""structure: What is added to elements of the window before they are compared, or taken from them; of
            the window's shape.""",
    sigma="sigma: The standard deviation, in elements: along every axis, or one number for each.",
    returns="An array of ``input``'s shape: ``output``, if that is an array.",
    refusals="""TypeError: ``input`` is no tombac array.
        ValueError: The origin is outside of the window, or there is no such axis (AxisError).
        RuntimeError: The window has other dimensions, ``output`` another shape; or no such mode.""",
)


# ---- arguments -------------------------------------------------------------------------------------------------------


def sequence(name, what, value, n):
    """One value for each of ``n`` axes."""
    value = _core._on_host(value)
    if value is None or isinstance(value, (int, float, str)) or not np.iterable(value):
        return [value] * n
    values = list(value)
    if len(values) != n:
        raise RuntimeError(f"{name}: {what} must have a value for each of {n} axes, not {len(values)}")
    return values


def whole_size(name, size):
    """A window's size along an axis as an int; of a float its whole part, as CuPy has it."""
    if isinstance(size, (str, bytes)):
        raise TypeError(f"{name}: size must be a whole number, not {size!r}")
    return int(size)


def chosen_axes(axes, ndim):
    return tuple(range(ndim)) if axes is None else normalize_axis_tuple(axes, ndim, "axes")


def host(weights, dtype=None):
    """A window's elements on the host: those of a device array are read."""
    weights = _core._on_host(weights)
    return np.asarray(weights, dtype)


def reversed_window(window):
    """A window from behind along every axis, as a view."""
    return window[(slice(None, None, -1),) * window.ndim]


def check_origin(name, origin, size):
    origin = operator.index(origin)
    if not 0 <= size // 2 + origin < size:
        raise ValueError(f"{name}: invalid origin {origin}: the window of {size} elements ends before")
    return origin


def padding_mode(name, mode):
    try:
        return _PADDING[mode]
    except (KeyError, TypeError):
        raise RuntimeError(f"{name}: boundary mode {mode!r} is not supported") from None


def over_all_axes(name, what, window, ndim, axes, origin):
    """A window and its origins for all axes: of one element along those that are not filtered.

    As in SciPy, a window's dimensions are those of the axes from the first on, in whatever order these are named; so
    are the origins, but where there are other axes.
    """
    if window.ndim != len(axes):
        raise RuntimeError(f"{name}: {what} has {window.ndim} dimensions, and {len(axes)} axes are filtered")
    origins = sequence(name, "origin", origin, len(axes))
    if len(axes) == ndim:
        return window, origins
    of_axis = dict(zip(axes, origins))
    across = tuple(d for d in range(ndim) if d not in of_axis)
    return np.expand_dims(window, across), [of_axis.get(d, 0) for d in range(ndim)]


# ---- outputs ---------------------------------------------------------------------------------------------------------


def check_output(name, input, output, shape=None):
    """The dtype of the result; RuntimeError for an array of another shape."""
    check_arrays(name, input)
    if output is None:
        return input.dtype
    if isinstance(output, _core.ndarray):
        if output.shape != (input.shape if shape is None else shape):
            raise RuntimeError(f"{name}: output shape not correct: {output.shape}, and input's is {input.shape}")
        return output.dtype
    return np.dtype(output)


def complex_output(name, input, output, shape=None, level=5):
    """The dtype of a complex result: a real dtype that is asked for is made complex, an array or a name must be."""
    dtype = check_output(name, input, output, shape)
    if dtype.kind == "c":
        return dtype
    if output is None:
        return np.promote_types(dtype, "F")
    if isinstance(output, (str, _core.ndarray)):
        raise RuntimeError(f"{name}: output must have complex dtype")
    warnings.warn(f"{name}: promoting the output's dtype, {dtype}, to complex", UserWarning, stacklevel=level)
    return np.promote_types(dtype, "F")


def any_output(name, input, output):
    """The dtype of a result that is complex where the input is."""
    if input.dtype.kind == "c":
        return complex_output(name, input, output, level=6)
    return check_output(name, input, output)


def deliver(result, output, dtype):
    """``result`` in ``output``, or as an array of ``dtype`` in C order."""
    if result.dtype != dtype:
        if result.dtype.kind == "f" and dtype.kind in "iu" and dtype.itemsize < 8:
            result = result.astype("l")  # what is out of range wraps around, as in C
        elif result.dtype.kind == "f" and dtype.char in "LQ":
            below = _core.where(result <= -1, -result, 0).astype("L")
            result = _core.where(result > -1, result, 0).astype("L") - below
        elif result.dtype.kind == "c" and dtype.kind != "c":
            result = result.real
        elif result.dtype.kind == "f" and dtype.kind == "b":
            result = _core.trunc(result)  # of truth values, too, SciPy keeps the whole part
        result = result.astype(dtype)
    if not isinstance(output, _core.ndarray):
        return _core.ascontiguousarray(result) if result.ndim else result
    output[...] = result
    return output


# ---- windows ---------------------------------------------------------------------------------------------------------


def holds(dtype, number):
    """Whether a dtype has that number, so that an array of it can be extended by it."""
    if dtype.kind in "fc":
        return dtype.kind == "c" or not isinstance(number, complex)
    if isinstance(number, complex) or number - number != 0 or number != int(number):
        return False
    if dtype.kind == "b":
        return number in (0, 1)
    return np.iinfo(dtype).min <= number <= np.iinfo(dtype).max


def extended(name, x, widths, modes, cval):
    """``x`` with ``widths[d]`` = (before, after) more elements along each axis, by the modes of the axes."""
    modes = [padding_mode(name, m) for m in modes]
    if "constant" in modes:
        cval = cval.item() if isinstance(cval, _core.ndarray) else cval
        if not holds(x.dtype, cval):
            x = x.astype("D" if isinstance(cval, complex) else "d")
    for mode in dict.fromkeys(modes):
        rows = [w if m == mode else (0, 0) for w, m in zip(widths, modes)]
        if any(map(any, rows)):
            x = pad(x, rows, mode, **({"constant_values": cval} if mode == "constant" else {}))
    return x


def window_widths(size, origin):
    """How many elements before and after an array a window reaches."""
    return size // 2 + origin, size - size // 2 - 1 - origin


def view(x, starts, shape):
    return x[tuple(slice(s, s + n) for s, n in zip(starts, shape))]


def views(name, x, footprint, origins, mode, cval):
    """[(place in the window, the shifted view of ``x`` for it)] for each place that counts."""
    around = whole(name, x, footprint.shape, origins, mode, cval)
    return [(p, view(around, p, x.shape)) for p in itertools.product(*map(range, footprint.shape)) if footprint[p]]


def check_window(name, sizes, origins, mode):
    """RuntimeError for a mode, ValueError for an origin that a window of these sizes cannot have."""
    if not isinstance(mode, str):
        raise RuntimeError(f"{name}: a sequence of modes is not supported by windows that are not separable")
    padding_mode(name, mode)
    for n, o in zip(sizes, origins):
        check_origin(name, o, n)


def whole(name, x, sizes, origins, mode, cval):
    """``x`` with what windows of these sizes see of what is beyond its edges."""
    check_window(name, sizes, origins, mode)
    widths = [window_widths(n, o) for n, o in zip(sizes, origins)]
    return extended(name, x, widths, [mode] * x.ndim, cval)


def along(name, x, axis, size, origin, mode, cval):
    """(a function of i that gives ``x`` moved so that the window's element i is in its place, the extended array)."""
    axis = normalize_axis_index(axis, x.ndim)
    widths = [(0, 0)] * x.ndim
    widths[axis] = window_widths(size, check_origin(name, origin, size))
    whole = extended(name, x, widths, ["nearest" if d != axis else mode for d in range(x.ndim)], cval)
    before = (slice(None),) * axis
    return (lambda i: whole[before + (slice(i, i + x.shape[axis]),)]), whole


def folded(whole, axis, length, size, operation):
    """``operation`` of each window of ``size`` neighbours along an axis, of which there are ``length``.

    Windows of more than 16 elements are put together from windows of 2, 4, 8, ... elements.
    """
    before = (slice(None),) * axis

    def part(x, start, n):
        return x[before + (slice(start, start + n),)]

    if size <= 16:
        result = part(whole, 0, length)
        for i in range(1, size):
            result = operation(result, part(whole, i, length))
        return result
    powers, n = {1: whole}, 1
    while 2 * n <= size:
        left = powers[n].shape[axis] - n
        powers[2 * n] = operation(part(powers[n], 0, left), part(powers[n], n, left))
        n *= 2
    result, at = part(powers[n], 0, length), n
    while at < size:
        n //= 2
        if size & n:
            result = operation(result, part(powers[n], at, length))
            at += n
    return result


# ---- one axis after another ------------------------------------------------------------------------------------------


_PLAIN, _LISTED = {int, float, str, bytes, type(None)}, {int, str}


def _is_plain(x):
    return type(x) in _PLAIN or type(x) is tuple and _LISTED.issuperset(map(type, x))


def cached_by_value(function):
    """Keeps what a function gives for numbers, names, bytes, None, and tuples of integers and names: of these those
    that are equal and of one type are the same. Arrays are read. What it gives is not to be written to.
    """
    cached = functools.lru_cache(256, typed=True)(function)

    @functools.wraps(function)
    def call(*args):
        plain = _PLAIN.issuperset(map(type, args)) or all(map(_is_plain, args))
        return cached(*args) if plain else function(*_core._on_host(args))

    return call


@cached_by_value
def separable(name, ndim, axes, keys, *values):
    """[{axis, and a value of each key}, ...] of the axes that are filtered."""
    axes = chosen_axes(axes, ndim)
    columns = [sequence(name, key, value, len(axes)) for key, value in zip(keys, values)]
    return [dict(zip(("axis", *keys), row)) for row in zip(axes, *columns)]
