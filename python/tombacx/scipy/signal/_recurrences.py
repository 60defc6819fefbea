"""Filters of which an output depends on the outputs before it, along an axis, once or forward and backward.

All of them are ``tombac._core._recurrence``: sections in direct form II transposed, of coefficients that the host has.
"""

import operator

from tombac import _core
from tombac._core import asarray
from tombac._docstrings import with_rows
from tombac._manipulation import moveaxis
from tombac._numpy import np
from tombac._util import normalize_axis_index
from tombacx.scipy._host import call, computed, host

__all__ = ["deconvolve", "filtfilt", "lfilter", "sosfilt", "sosfiltfilt"]

documented = with_rows(
    ba="""b: Coefficients of the numerator in powers of 1/z, from the zeroth on: a vector or a sequence, which is read
            by the host.
        a: The same of the denominator. The first one, by which all are divided, must not be 0.""",
    sos="""sos: Sections of second order, as tf2sos and the design functions give them: an array of shape
            (sections, 6), which is read by the host.""",
    x="x: The signal: an array of numbers, or a sequence.",
    axis="axis: Along which axis.",
)


# ---- arguments -------------------------------------------------------------------------------------------------------


def floating(*dtypes):
    """The dtype in which a filter of such coefficients and signals is computed."""
    dtype = dtypes[0] if dtypes.count(dtypes[0]) == len(dtypes) else np.result_type(*dtypes)
    if dtype.char in "fdFD":
        return dtype
    return np.dtype("f" if dtype.char == "e" else "d")


def coefficients(name, which, values):
    """A vector of coefficients on the host."""
    values = _core._on_host(values)
    if type(values) is not np.ndarray or values.ndim != 1:
        values = np.atleast_1d(np.asarray(values))
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"{name}: {which} must be a vector that is not empty, and has shape {values.shape}")
    return values


def polynomials(name, b, a):
    """b and a of one length."""
    b, a = coefficients(name, "b", b), coefficients(name, "a", a)
    if a[0] == 0:
        raise ValueError(f"{name}: a[0] must not be 0")
    return b, a


def signal(name, x, axis):
    """``x`` as an array, and which of its axes."""
    x = asarray(x)
    if x.ndim == 0:
        raise ValueError(f"{name}: x must have a dimension at least")
    return x, normalize_axis_index(axis, x.ndim)


def _row(values, columns):
    if values.size == columns:
        return values[None]
    row = np.zeros((1, columns), values.dtype)
    row[0, :values.size] = values
    return row


def sections(b, a):
    """Vectors b and a as the matrices of one section."""
    columns = max(b.size, a.size)
    return _row(b, columns), _row(a, columns)


def recur(x, axis, dtype, b, a, zi=None, backwards=False):
    """``x`` by sections b[i] / a[i] along an axis, of matrices of the same shape; the states after it too, if ``zi``
    are those before it."""
    kind = "D" if "c" in (b.dtype.kind, a.dtype.kind) else "d"
    b, a = np.ascontiguousarray(b, kind), np.ascontiguousarray(a, kind)
    if x.size and b.shape[1] > _LONG and b.shape[1] * x.shape[axis] > _MANY and _is_sum(a):
        return _convolved(x, axis, dtype, b[0] / a[0, 0], zi, backwards)
    return _core._recurrence(x, axis, dtype, b, a, backwards, zi)


_LONG, _MANY = 32, 1 << 15  # coefficients, and products of a row: with more, convolutions are faster than lanes of rows


def _is_sum(a):
    """Whether there is one section without feedback, on the host."""
    return len(a) == 1 and not a[0, 1:].any() and _core.backend() == "cpu"


def _convolved(x, axis, dtype, b, zi, backwards):
    """What :func:`recur` gives for a filter without feedback: the convolutions of rows with its coefficients, to which
    the states before are added, and of which the states after are what is behind."""
    n, states = x.shape[axis], b.size - 1
    x = moveaxis(x.astype(dtype, copy=False), axis, -1)
    shape, rows = x.shape[:-1], x.reshape(-1, n)
    rows = rows[:, ::-1] if backwards else rows
    b = _core.array(b.astype(dtype if b.dtype.kind == "c" else dtype.char.lower()))
    full = _core.stack([_filtered(row, b) for row in rows])
    if zi is not None:
        full[:, :states] += moveaxis(zi[0], axis, -1).reshape(-1, states)
    y = full[:, n - 1::-1] if backwards else full[:, :n]
    y, zf = [_core.ascontiguousarray(moveaxis(part.reshape(*shape, part.shape[1]), -1, axis))
             for part in (y, full[:, n:])]
    return y if zi is None else (y, zf[None])


def _filtered(row, b):
    """Real coefficients leave a NaN in the part of a complex number that it is in."""
    if row.dtype.kind != "c" or b.dtype.kind == "c":
        return _core._convolve(row, b, 0)
    result = _core.empty(row.size + b.size - 1, row.dtype)
    result.real, result.imag = _core._convolve(row.real, b, 0), _core._convolve(row.imag, b, 0)
    return result


def at(axis, start, stop=None, step=None):
    """The key of some elements along an axis."""
    return (slice(None),) * axis + (slice(start, stop, step),)


# ---- once ------------------------------------------------------------------------------------------------------------


def _states_like(name, zi, shape, axis):
    """``zi`` broadcast to a shape along all axes but one."""
    zi = asarray(zi)
    if zi.ndim != len(shape) or zi.shape[axis] != shape[axis] or \
            any(n not in (1, m) for n, m in zip(zi.shape, shape)):
        raise ValueError(f"{name}: unexpected shape for zi: expected {shape}, found {zi.shape}")
    return _core.broadcast_to(zi, shape)


@documented
def lfilter(b, a, x, axis=-1, zi=None):
    """A signal, filtered by a rational filter: y[n] = b[0] x[n] + b[1] x[n-1] + ... - a[1] y[n-1] - ...

    Args:
        {ba}
        {x}
        {axis}
        zi: The filter's state before the signal, of ``x``'s shape with max(len(a), len(b)) - 1 in place of the axis'
            length, or 1 for other axes; zeros if None.

    Returns:
        An array of ``x``'s shape, and of the dtype to which coefficients and ``x`` are promoted; float64 for integers
        alone, which SciPy refuses, and float32 for float16. With ``zi`` a tuple of it and the state after the signal.

    Raises:
        ValueError: ``a`` or ``b`` is no vector or empty, a[0] is 0, or ``zi`` has another shape.
        AxisError: There is no such axis.

    Long rows are computed in blocks side by side where the filter forgets, which rounds differently in the last places.
    Real coefficients filter both parts of complex numbers apart, so that NaN stays in the part that it is in. On a GPU
    it stays for good, as infinities do, where ``zi`` is given and there are three coefficients and more besides b[0],
    also without feedback.

    >>> tombacx.scipy.signal.lfilter([1.0], [1.0, -0.5], tombac.array([1.0, 0.0, 0.0, 2.0]))
    array([1.   , 0.5  , 0.25 , 2.125])
    """
    b, a = polynomials("lfilter", b, a)
    x, axis = signal("lfilter", x, axis)
    if zi is None:
        return recur(x, axis, floating(b.dtype, a.dtype, x.dtype), *sections(b, a))
    shape = x.shape[:axis] + (max(b.size, a.size) - 1,) + x.shape[axis + 1:]
    zi = _states_like("lfilter", zi, shape, axis)
    y, zf = recur(x, axis, floating(b.dtype, a.dtype, x.dtype, zi.dtype), *sections(b, a), zi[None])
    return y, zf[0]


def _sections(name, sos):
    sos = np.atleast_2d(np.asarray(host(sos)))
    if sos.ndim != 2 or sos.shape[1] != 6 or len(sos) == 0:
        raise ValueError(f"{name}: sos must have shape (sections, 6), and has {sos.shape}")
    if not (sos[:, 3] == 1).all():
        raise ValueError(f"{name}: sos[:, 3] must be all ones")
    return sos


@documented
def sosfilt(sos, x, axis=-1, zi=None):
    """A signal, filtered by sections of second order, one after the other, in one pass.

    Args:
        {sos}
        {x}
        {axis}
        zi: The sections' states before the signal: their number, and behind it ``x``'s shape with 2 in place of the
            axis' length; zeros if None.

    Returns:
        An array of ``x``'s shape, and of the dtype to which ``sos`` and ``x`` are promoted; float64 for integers alone,
        which SciPy refuses, and float32 for float16. With ``zi`` a tuple of it and the states after the signal.

    Raises:
        ValueError: ``sos`` has another shape, its fourth column is not all ones, or ``zi`` has another shape.
        AxisError: There is no such axis.

    It is computed as lfilter is, in blocks.

    >>> tombacx.scipy.signal.sosfilt([[1, 1, 0, 1, -0.5, 0]], tombac.array([1.0, 0.0, 0.0, 2.0]))
    array([1.   , 1.5  , 0.75 , 2.375])
    """
    sos = _sections("sosfilt", sos)
    x, axis = signal("sosfilt", x, axis)
    if zi is None:
        return recur(x, axis, floating(sos.dtype, x.dtype), sos[:, :3], sos[:, 3:])
    zi = asarray(zi)
    shape = (len(sos),) + x.shape[:axis] + (2,) + x.shape[axis + 1:]
    if zi.shape != shape:
        raise ValueError(f"sosfilt: invalid zi shape: with axis={axis}, an input of shape {x.shape} and {len(sos)} "
                         f"sections it must be {shape}, and is {zi.shape}")
    return recur(x, axis, floating(sos.dtype, x.dtype, zi.dtype), sos[:, :3], sos[:, 3:], zi)


# ---- forward and backward --------------------------------------------------------------------------------------------


def _extended(name, x, axis, padtype, padlen, few):
    """(x with more elements at both ends, how many at each)."""
    if padtype not in ("even", "odd", "constant", None):
        raise ValueError(f"{name}: unknown padtype {padtype!r}: it must be 'even', 'odd', 'constant' or None")
    n = few if padlen is None else operator.index(padlen)
    if padtype is None:
        n = 0
    if x.shape[axis] <= n:
        raise ValueError(f"{name}: the length of x along the axis, {x.shape[axis]}, must be greater than padlen, "
                         f"which is {n}")
    if n <= 0:
        return x, 0
    first, last = x[at(axis, 0, 1)], x[at(axis, -1, None)]
    if padtype == "constant":
        shape = x.shape[:axis] + (n,) + x.shape[axis + 1:]
        left, right = _core.broadcast_to(first, shape), _core.broadcast_to(last, shape)
    else:
        left, right = x[at(axis, n, 0, -1)], x[at(axis, -2, -(n + 2), -1)]
        if padtype == "odd":
            left, right = 2 * first - left, 2 * last - right
    return _core.concatenate((left, x, right), axis=axis), n


def _both_ways(x, axis, n, dtype, b, a, zi):
    """``x`` forward and then backward, each begun in ``zi`` (sections, order) times the first element; without n
    elements at both ends."""
    if x.shape[axis] == 0:
        return x.astype(dtype)
    x = x.astype(dtype, copy=False)
    zi = asarray(zi).reshape(zi.shape[:1] + (1,) * axis + zi.shape[1:] + (1,) * (x.ndim - 1 - axis))
    y, _ = recur(x, axis, dtype, b, a, zi * x[at(axis, 0, 1)][None])
    y, _ = recur(y, axis, dtype, b, a, zi * y[at(axis, -1, None)][None], backwards=True)
    return y[at(axis, n, y.shape[axis] - n)] if n else y


@documented
def filtfilt(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    """A signal, filtered forward and then backward, so that nothing is delayed.

    Args:
        {ba}
        {x}
        {axis}
        padtype: How the signal goes on beyond its ends while it is filtered: 'odd' (turned about the end), 'even'
            (mirrored), 'constant' (by its first and last element), or None: it does not.
        padlen: By how many elements; 3 * max(len(a), len(b)) if None.
        method: 'pad', or 'gust' for Gustafsson's choice of the first states, which is computed by SciPy on the host.
        irlen: For 'gust': after how many elements the filter's answer is over.

    Returns:
        An array of float64 or complex128 and of ``x``'s shape.

    Raises:
        ValueError: There is no such way to go on, ``x`` is not longer than ``padlen``, or as of lfilter and lfilter_zi.
        AxisError: There is no such axis.

    >>> x = tombac.array([0.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0])
    >>> tombacx.scipy.signal.filtfilt([0.5, 0.5], [1.0], x)
    array([0., 0., 2., 4., 2., 0., 0.])
    """
    if method not in ("pad", "gust"):
        raise ValueError(f"filtfilt: method must be 'pad' or 'gust', not {method!r}")
    if method == "gust":
        return call("filtfilt", b, a, asarray(x), axis, method=method, irlen=irlen)
    b, a = polynomials("filtfilt", b, a)
    x, axis = signal("filtfilt", x, axis)
    longer, n = _extended("filtfilt", x, axis, padtype, padlen, 3 * max(b.size, a.size))
    zi = computed("lfilter_zi", b, a)
    return _both_ways(longer, axis, n, floating(b.dtype, a.dtype, x.dtype, zi.dtype), *sections(b, a),
                      np.atleast_2d(zi))


@documented
def sosfiltfilt(sos, x, axis=-1, padtype="odd", padlen=None):
    """A signal, filtered by sections of second order forward and then backward, so that nothing is delayed.

    Args:
        {sos}
        {x}
        {axis}
        padtype: How the signal goes on beyond its ends while it is filtered: 'odd' (turned about the end), 'even'
            (mirrored), 'constant' (by its first and last element), or None: it does not.
        padlen: By how many elements; if None, 3 times the number of coefficients that b and a of the same filter have.

    Returns:
        An array of float64 or complex128 and of ``x``'s shape.

    Raises:
        ValueError: There is no such way to go on, ``x`` is not longer than ``padlen``, or as of sosfilt.
        AxisError: There is no such axis.

    >>> x = tombac.array([0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0])
    >>> tombacx.scipy.signal.sosfiltfilt([[0.5, 0.5, 0, 1, 0, 0]], x)
    array([0., 0., 0., 2., 4., 2., 0., 0., 0.])
    """
    sos = _sections("sosfiltfilt", sos)
    x, axis = signal("sosfiltfilt", x, axis)
    few = 2 * len(sos) + 1 - min((sos[:, 2] == 0).sum(), (sos[:, 5] == 0).sum())
    longer, n = _extended("sosfiltfilt", x, axis, padtype, padlen, int(3 * few))
    zi = computed("sosfilt_zi", sos)
    return _both_ways(longer, axis, n, floating(sos.dtype, x.dtype, zi.dtype), sos[:, :3], sos[:, 3:], zi)


def deconvolve(signal, divisor):
    """The quotient and the remainder of two polynomials, or what a signal was before a convolution.

    Args:
        signal: The dividend: a vector, or a sequence.
        divisor: The divisor: the same; its first element must not be 0.

    Returns:
        A tuple of arrays (quotient, remainder): ``signal`` is the convolution of quotient and divisor, and remainder.

    Raises:
        ValueError: One of both is no vector or empty, or the divisor's first element is 0.

    The quotient is an array also where it is empty; SciPy's is a list then.

    >>> tombacx.scipy.signal.deconvolve([2.0, 7.0, 6.0], [1.0, 2.0])
    (array([2., 3.]), array([0., 0., 0.]))
    """
    from tombac._convolution import convolve

    signal, by = _core.array(signal, ndmin=1), coefficients("deconvolve", "divisor", divisor)
    if signal.ndim != 1 or signal.size == 0:
        raise ValueError(f"deconvolve: signal must be a vector that is not empty, and has shape {signal.shape}")
    n = signal.size - by.size + 1
    if n <= 0:
        return _core.empty(0, floating(by.dtype, signal.dtype)), signal
    quotient = lfilter([1.0], by, signal[:n])
    return quotient, signal - convolve(asarray(by), quotient, mode="full")
