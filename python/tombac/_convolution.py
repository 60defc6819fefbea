"""convolve and correlate: sums of products of a vector's windows with another vector, as one fused reduction."""

from tombac import _core
from tombac._core import as_strided
from tombac._numpy import np
from tombac._util import as_device

__all__ = ["convolve", "correlate"]


def _vector(name, what, x):
    x = as_device(name, x)
    if x.ndim != 1:
        raise ValueError(f"{name}: {what} must have one dimension, it has {x.ndim}")
    if x.size == 0:
        raise ValueError(f"{name}: {what} must not be empty")
    return x


def _margins(name, n, k, mode):
    """How many zeros go before and behind n elements, of which windows of k are taken."""
    try:
        before, behind = {"full": (k - 1, k - 1), "same": (k // 2, k - k // 2 - 1), "valid": (0, 0)}[mode]
    except (KeyError, TypeError):
        raise ValueError(f"{name}: mode must be 'full', 'same' or 'valid', not {mode!r}") from None
    return before, behind


def _slide(a, w, before, behind):
    """result[i] = sum of a[i - before + j] * w[j], where what is outside of a is zero; a is not shorter than w."""
    t = np.result_type(a.dtype, w.dtype)
    work = np.dtype(np.float32) if t == np.float16 else t  # as NumPy: sums of halves are rounded once
    k, n = w.size, a.size + before + behind
    padded = a.astype(work, copy=False)
    if before or behind:
        padded = _core.zeros(n, work)
        padded[before : before + a.size] = a
    elif not padded.flags.c_contiguous:
        padded = padded.copy()
    w = w.astype(work, copy=False)
    step, m = padded.itemsize, n - k + 1
    if t == bool:
        windows = as_strided(padded, (m, k), (step, step))
        return (windows & w).any(1)
    if m < k:
        return (as_strided(padded, (m, k), (step, step)) * w).sum(1, dtype=work).astype(t, copy=False)
    # Sums down the columns: neighbours in the result are made of neighbours in memory.
    return (as_strided(padded, (k, m), (step, step)) * w[:, None]).sum(0, dtype=work).astype(t, copy=False)


def convolve(a, v, mode="full"):
    """The convolution of two vectors: result[k] is the sum of a[i] * v[k - i].

    Args:
        a: A vector or a number.
        v: Another one.
        mode: 'full' gives all max(n) + min(n) - 1 places where the vectors overlap, 'same' max(n) of them from the
            middle, 'valid' the max(n) - min(n) + 1 where the shorter one lies within the longer one.

    Returns:
        A vector of the dtype that the vectors' dtypes are promoted to; integers are exact.

    Raises:
        TypeError: A vector is neither a tombac array nor a number.
        ValueError: A vector has more dimensions or no element, or the mode is another one.

    The work grows with the product of the lengths.

    >>> import tombac as tb
    >>> tb.convolve(tb.array([1, 2, 3]), tb.array([0, 1]))
    array([0, 1, 2, 3])
    """
    a, v = (as_device("convolve", x) for x in (a, v))
    a, v = (x.reshape(1) if x.ndim == 0 else x for x in (a, v))
    a, v = _vector("convolve", "a", a), _vector("convolve", "v", v)
    if v.size > a.size:
        a, v = v, a
    before, behind = _margins("convolve", a.size, v.size, mode)
    return _slide(a, v[::-1], before, behind)


def correlate(a, v, mode="valid"):
    """The cross-correlation of two vectors: result[k] is the sum of a[i + k] * conj(v[i]).

    Args:
        a: A vector.
        v: Another one.
        mode: 'valid' gives the places where the shorter vector lies within the longer one, 'same' as many as the
            longer one has elements, 'full' all where they overlap.

    Returns:
        A vector of the dtype that the vectors' dtypes are promoted to; integers are exact.

    Raises:
        TypeError: A vector is no tombac array.
        ValueError: A vector has not one dimension or no element, or the mode is another one.

    >>> import tombac as tb
    >>> tb.correlate(tb.array([1, 2, 3]), tb.array([0, 1]))
    array([2, 3])
    """
    a, v = _vector("correlate", "a", a), _vector("correlate", "v", v)
    v = v.conj() if v._kind == "c" else v
    before, behind = _margins("correlate", max(a.size, v.size), min(a.size, v.size), mode)
    if v.size <= a.size:
        return _slide(a, v, before, behind)
    # The shorter one slides the other way.
    return _slide(v[::-1], a[::-1], behind, before)
