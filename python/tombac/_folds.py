"""reduce, accumulate and reduceat of functions that no reduction of the library is made of, such as subtract, gcd and
logaddexp: compositions of calls of the function.

Which dtype they compute in and what they refuse, NumPy's function of the name says of an array of one element along
each axis.
"""

import math

from tombac import _core
from tombac._manipulation import moveaxis
from tombac._numpy import np
from tombac._util import as_device, check_arrays, deliver, normalize_axis_index, normalize_axis_tuple

__all__ = ["ufunc_fold", "ufunc_fold_slices", "ufunc_running"]

# They go by halves, others by one element after the other.
_ASSOCIATIVE = {"gcd", "hypot", "logaddexp", "logaddexp2", "logical_xor"}


def _asked(ufunc, method, stand_in, out, *args, **kwargs):
    """The dtype to compute in, or what NumPy's method raises."""
    function = getattr(np, ufunc.__name__, None)
    if not isinstance(function, np.ufunc):
        raise NotImplementedError(f"{ufunc.__name__}.{method} is not supported")
    if out is not None:
        check_arrays(method, out)
        kwargs["out"] = np.ones([min(n, 1) for n in out.shape], out.dtype)
    with np.errstate(all="ignore"):
        given = getattr(function, method)(stand_in, *args, **kwargs)
    dtype = "?" if ufunc.__name__ == "logical_xor" else kwargs.get("dtype")
    return np.asarray(given).dtype if dtype is None else np.dtype(dtype)


def _stand_in(a, axis=None):
    """As many elements as ``a`` along an axis, and one along each other, if there is any."""
    return np.ones([n if i == axis else min(n, 1) for i, n in enumerate(a.shape)], a.dtype)


def _only(out):
    return out[0] if isinstance(out, tuple) and len(out) == 1 else out


def _halved(ufunc, x):
    while len(x) > 1:
        half = len(x) // 2
        rest = x[2 * half :]
        x = ufunc(x[:half], x[half : 2 * half])
        if len(rest):
            x = _core.concatenate((ufunc(x[:1], rest), x[1:]))
    return x[0]


def _one_by_one(ufunc, x, mask, r):
    for i in range(0 if r is not None else 1, len(x)):
        if r is None:
            r = x[0]
        y = ufunc(r, x[i])
        r = y if mask is None else _core.where(mask[i], y, r)
    return x[0] if r is None else r


def _fold(ufunc, x, mask, initial):
    """Over the first axis of x, which has elements, or there is an identity, or a number to begin with."""
    identity = ufunc.identity
    if initial is not None:
        initial = _core.broadcast_to(_core.asarray(initial).astype(x.dtype), x.shape[1:])
    by_halves = ufunc.__name__ in _ASSOCIATIVE
    if len(x) == 0:
        return _core.full(x.shape[1:], identity, x.dtype) if initial is None else initial.copy()
    if not by_halves:
        return _one_by_one(ufunc, x, mask, initial)
    r = _halved(ufunc, x if mask is None else _core.where(mask, x, x.dtype.type(identity)))
    if initial is not None:
        return ufunc(initial, r)
    return ufunc(x.dtype.type(identity), r) if len(x) == 1 else r  # gcd and hypot of one element are no longer negative


def ufunc_fold(ufunc, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """reduce."""
    a, out = as_device("reduce", array), _only(out)
    options = {"axis": axis, "dtype": dtype, "keepdims": bool(keepdims)}
    if initial is not None:
        options["initial"] = _core._on_host(initial)
    if where is not None and where is not True:
        where = as_device("reduce", where)
        options["where"] = _stand_in(where)
    else:
        where = None
    work = _asked(ufunc, "reduce", _stand_in(a), out, **options)
    axes = () if a.ndim == 0 else tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
    kept = tuple(i for i in range(a.ndim) if i not in axes)

    def in_front(x):
        rest = tuple(a.shape[i] for i in kept)
        return x.transpose(axes + kept).reshape((math.prod(a.shape[i] for i in axes), *rest))

    mask = None if where is None else in_front(_core.broadcast_to(where, a.shape))
    r = _fold(ufunc, in_front(a).astype(work), mask, initial)
    if keepdims:
        r = r.reshape(tuple(1 if i in axes else n for i, n in enumerate(a.shape)))
    return deliver("reduce", r, out)


def ufunc_running(ufunc, array, axis=0, dtype=None, out=None):
    """accumulate."""
    a, out = as_device("accumulate", array), _only(out)
    work = _asked(ufunc, "accumulate", _stand_in(a), out, axis=axis, dtype=dtype)
    axis = normalize_axis_index(axis, a.ndim)
    r = moveaxis(a, axis, 0).astype(work)
    if ufunc.__name__ in _ASSOCIATIVE:
        step = 1
        while step < len(r):
            r = _core.concatenate((r[:step], ufunc(r[:-step], r[step:])))
            step *= 2
    else:
        for i in range(1, len(r)):
            r[i] = ufunc(r[i - 1], r[i])
    return deliver("accumulate", _core.ascontiguousarray(moveaxis(r, 0, axis)), out)


def ufunc_fold_slices(ufunc, array, indices, axis=0, dtype=None, out=None):
    """reduceat. The host waits for the indices."""
    check_arrays("reduceat", array)
    a, out = array, _only(out)
    starts = _core.asarray(indices).get()
    if starts.ndim != 1 or (starts.size and starts.dtype.kind not in "biu"):
        raise TypeError("reduceat: the indices must be one-dimensional and of integers")
    starts = starts.astype(np.int64)
    within = axis + a.ndim if axis < 0 else axis
    work = _asked(ufunc, "reduceat", _stand_in(a, within), None, starts, axis=axis, dtype=dtype)
    axis = normalize_axis_index(axis, a.ndim)
    n = a.shape[axis]
    x = moveaxis(a, axis, 0).astype(work)
    lengths = np.maximum(np.append(starts[1:], n) - starts, 1)
    r = x[starts]
    for k in range(1, lengths.max(initial=1)):
        left = np.flatnonzero(lengths > k)
        r[left] = ufunc(r[left], x[starts[left] + k])
    return deliver("reduceat", _core.ascontiguousarray(moveaxis(r, 0, axis)), out)
