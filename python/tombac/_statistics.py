"""Means and spreads that are compositions of reductions: weighted, ignoring NaN, covariance."""

import warnings

from tombac import _core
from tombac._core import where
from tombac._dtypes import as_dtype, is_inexact
from tombac._numpy import np
from tombac._util import as_device, check_arrays, deliver, normalize_axis_tuple, other_name

__all__ = ["average", "corrcoef", "cov", "nanmean", "nanstd", "nanvar"]


def _axes(a, axis):
    return None if axis is None else normalize_axis_tuple(axis, a.ndim)


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    """The mean of ``a``, weighted.

    Args:
        a: An array of any dtype and shape, or what asarray makes one of.
        axis: An axis or a tuple of axes; None for all.
        keepdims: Whether reduced axes stay, with length 1.
        weights: An array of ``a``'s shape, or of the shape of its reduced axes.
        returned: Return ``(average, sum of weights)``.

    Returns:
        An array of an inexact dtype, or a tuple of two.

    Raises:
        ZeroDivisionError: The weights sum to zero (this waits for the device).
        ValueError: The weights' shape does not match.

    >>> tombac.average(tombac.array([1.0, 2.0]), weights=tombac.array([3, 1]))
    array(1.25)
    """
    a = a if isinstance(a, _core.ndarray) else _core.asarray(a)
    axis = _axes(a, axis)
    if weights is None:
        result = _core.mean(a, axis, None, None, keepdims)
        scale = _core.full_like(result, a.size / result.size if result.size else 0)
        return (result, scale) if returned else result
    weights = weights if isinstance(weights, _core.ndarray) else _core.asarray(weights)
    t = _core.result_type(a.dtype, weights.dtype, np.float64) if a._kind in "iub" else _core.result_type(a,
        weights.dtype)
    if a.shape != weights.shape:
        if axis is None:
            raise TypeError("average: axis is needed where the shapes of a and weights differ")
        if weights.shape != tuple(a.shape[d] for d in axis):
            raise ValueError(f"average: weights of shape {weights.shape} do not match axes {axis} of shape {a.shape}")
        order = np.argsort(axis)
        weights = weights.transpose([int(i) for i in order])
        weights = weights.reshape(tuple(n if d in axis else 1 for d, n in enumerate(a.shape)))
        weights = _core.broadcast_to(weights, a.shape)
    scale = _core.sum(weights, axis, t, None, keepdims)
    if bool((scale == 0).any()):
        raise ZeroDivisionError("average: weights sum to zero")
    result = _core.sum(_core.multiply(a, weights, dtype=t), axis, None, None, keepdims) / scale
    return (result, scale) if returned else result


# ---- where= of mean, var and std, and mean=: called by the reductions in C, with None or a mask for a's shape --------


def _masked_sums(a, mask, axis, dtype, keepdims):
    """(mean, count) of a's elements for which the mask holds."""
    count = _core.sum(_core.broadcast_to(mask, a.shape), axis, np.int64, None, keepdims)
    total = _core.sum(a, axis, dtype, None, keepdims, where=mask)
    return total / count.astype(total.real.dtype if total._kind in "fc" else np.float64), count


def _work_dtype(a, dtype):
    """What means of a are computed in: float16 and bfloat16 in float32, integers in float64."""
    if dtype is not None:
        return as_dtype(dtype)
    return np.dtype(np.float64 if a._kind in "iub" else np.float32 if a.itemsize == 2 else a.dtype)


def masked_mean(a, mask, axis, dtype, out, keepdims):
    """mean(a, ..., where=mask); NaN where the mask holds for nothing."""
    mean, _ = _masked_sums(a, mask, axis, _work_dtype(a, dtype), keepdims)
    default = np.float64 if a._kind in "iub" else a.dtype
    return _deliver("mean", mean, default if dtype is None else dtype, out)


def masked_var(a, mask, axis, dtype, out, keepdims, ddof, mean=None):
    """var(a, ..., where=mask, mean=mean); a mean that is given has a part in the result's dtype."""
    if mean is None:
        d = a - _masked_sums(a, mask, axis, _work_dtype(a, dtype), True)[0]
    else:
        d = a - (mean if isinstance(mean, _core.ndarray) else _core.asarray(mean))
        if dtype is None and d._kind in "fc":
            dtype = d.real.dtype
    mask = True if mask is None else mask
    square = d.real * d.real + d.imag * d.imag if d._kind == "c" else d * d
    work = dtype if dtype is not None and is_inexact(dtype) and as_dtype(dtype).kind != "c" else None
    total = _core.sum(square, axis, work, None, keepdims, where=mask)
    count = _core.sum(_core.broadcast_to(mask, a.shape), axis, np.int64, None, keepdims)
    result = total / _core.maximum(count - ddof, 0).astype(total.dtype)
    default = np.float64 if a._kind in "iub" else a.real.dtype
    return _deliver("var", result, default if dtype is None else dtype, out)


def masked_std(a, mask, axis, dtype, out, keepdims, ddof, mean=None):
    """std(a, ..., where=mask, mean=mean)."""
    work = np.float32 if dtype is None and mean is None and a._kind == "f" and a.itemsize == 2 else dtype
    result = _core.sqrt(masked_var(a, mask, axis, work, None, keepdims, ddof, mean))
    default = result.dtype if mean is not None else np.float64 if a._kind in "iub" else a.real.dtype
    return _deliver("std", result, default if dtype is None else dtype, out)


# ---- ignoring NaN ----------------------------------------------------------------------------------------------------


def _deliver(name, result, dtype, out):
    return deliver(name, result if out is not None or dtype is None else result.astype(dtype, copy=False), out)


def _numbers(name, a, dtype, out, where):
    """The mask of what is not NaN; TypeError for a dtype or an output that has no NaN for what has no mean."""
    for what, t in (("dtype", dtype), ("out", None if out is None else out.dtype)):
        if t is not None and np.dtype(t).kind not in "fc":
            raise TypeError(f"{name}: {what} must be inexact for {a.dtype} input, not {np.dtype(t)}")
    mask = ~_core.isnan(a)
    return mask if where is None or where is True else mask & _core._mask(where, name)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    """Arithmetic mean over the axes of what is not NaN; NaN where nothing is left.

    Args:
        a: An array of any dtype and shape, or a number.
        axis: An axis or a tuple of axes; None for all.
        dtype: The dtype of the computation and the result.
        out: An array of the result's shape to write to.
        keepdims: Whether reduced axes stay, with length 1.
        where: A mask that broadcasts to ``a``'s shape: which elements count.

    Returns:
        An array of an inexact dtype.

    Raises:
        TypeError: ``dtype`` or ``out`` is not inexact, or ``a`` is neither a tombac array nor a number.
        AxisError: There is no such axis.

    >>> tombac.nanmean(tombac.array([1.0, tombac.nan, 3.0]))
    array(2.)
    """
    a = as_device("nanmean", a)
    if a._kind not in "fc":
        return _core.mean(a, axis, dtype, out, keepdims, where=where)
    return masked_mean(a, _numbers("nanmean", a, dtype, out, where), axis, dtype, out, keepdims)


def _nan_spread(name, plain, masked, a, axis, dtype, out, ddof, keepdims, where, mean, correction):
    a, ddof = as_device(name, a), ddof if correction is None else correction
    if a._kind not in "fc":
        return plain(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean)
    mask = _numbers(name, a, dtype, out, where)
    if mean is not None:
        mean = _core.asarray(mean, a.dtype)
    left = _core.sum(mask, axis, None, None, keepdims) > ddof
    spread = masked(a, mask, axis, dtype, None, keepdims, ddof, mean)
    return _deliver(name, _core.where(left, spread, np.nan), None, out)


def nanvar(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None,
):
    """Variance over the axes of what is not NaN; NaN where no more than ``ddof`` elements are left.

    ``correction`` is another name for ``ddof``.

    Args:
        a: An array of any dtype and shape, or a number.
        axis: An axis or a tuple of axes; None for all.
        dtype: The dtype of the computation and the result.
        out: An array of the result's shape to write to.
        ddof, correction: What is subtracted from the number of elements in the divisor.
        keepdims: Whether reduced axes stay, with length 1.
        where: A mask that broadcasts to ``a``'s shape: which elements count.
        mean: The mean, where it is known: an array that broadcasts to ``a``'s shape.

    Returns:
        An array of a real and inexact dtype.

    Raises:
        TypeError: ``dtype`` or ``out`` is not inexact, or ``a`` is neither a tombac array nor a number.
        AxisError: There is no such axis.

    >>> tombac.nanvar(tombac.array([1.0, tombac.nan, 3.0]))
    array(1.)
    """
    return _nan_spread("nanvar", _core.var, masked_var, a, axis, dtype, out, ddof, keepdims, where, mean, correction)


def nanstd(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None,
):
    """Standard deviation over the axes of what is not NaN: the square root of nanvar.

    Args:
        a: An array of any dtype and shape, or a number.
        axis: An axis or a tuple of axes; None for all.
        dtype: The dtype of the computation and the result.
        out: An array of the result's shape to write to.
        ddof, correction: What is subtracted from the number of elements in the divisor.
        keepdims: Whether reduced axes stay, with length 1.
        where: A mask that broadcasts to ``a``'s shape: which elements count.
        mean: The mean, where it is known: an array that broadcasts to ``a``'s shape.

    Returns:
        An array of a real and inexact dtype.

    Raises:
        TypeError: ``dtype`` or ``out`` is not inexact, or ``a`` is neither a tombac array nor a number.
        AxisError: There is no such axis.

    >>> tombac.nanstd(tombac.array([1.0, tombac.nan, 3.0]))
    array(1.)
    """
    return _nan_spread("nanstd", _core.std, masked_std, a, axis, dtype, out, ddof, keepdims, where, mean, correction)


# ---- covariance ------------------------------------------------------------------------------------------------------


def _observations(name, a, y, rowvar, dtype):
    check_arrays(name, a)
    for x in (a,) if y is None else (a, y):
        if x.ndim > 2:
            raise ValueError(f"{name}: at most two dimensions are allowed, the array has {x.ndim}")
    t = _core.result_type(a.dtype, np.float64, *([y.dtype] if y is not None else [])) if dtype is None else dtype
    x = a.reshape((1,) * (2 - a.ndim) + a.shape).astype(t)
    if not rowvar and a.ndim != 1:
        x = x.T
    if y is not None and x.shape[0] > 0:
        y = y.reshape((1,) * (2 - y.ndim) + y.shape).astype(t)
        x = _core.concatenate((x, y.T if not rowvar and y.shape[0] != 1 else y))
    return x


def _weights(n, fweights, aweights, ddof):
    """Products of the weights of n observations, their sum, and the degrees of freedom; the host waits for these."""
    w, wrong = 1.0, []
    for name, part in (("fweights", fweights), ("aweights", aweights)):
        if part is None:
            continue
        part = as_device("cov", part)
        if part.ndim > 1:
            raise RuntimeError(f"cov: {name} must be one-dimensional, it has {part.ndim} dimensions")
        if part.shape != (n,):
            raise RuntimeError(f"cov: {name} of shape {part.shape} for {n} observations")
        part = part.astype(np.float64)
        if name == "fweights":
            wrong.append((TypeError("cov: fweights must be integers"), (part != _core.rint(part)).any()))
        wrong.append((ValueError(f"cov: {name} must not be negative"), (part < 0).any()))
        w = w * part
    squares = w.sum() if aweights is None else (w * as_device("cov", aweights)).sum()
    total, squares, *broken = _core.stack([w.sum(), squares, *(x.astype(np.float64) for _, x in wrong)]).get().tolist()
    for (error, _), is_broken in zip(wrong, broken):
        if is_broken:
            raise error
    if total == 0:
        raise ZeroDivisionError("cov: the weights sum to zero")
    return w, total, total - ddof * (1 if aweights is None or ddof == 0 else squares / total)


def cov(a=None, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None, m=None):
    """The covariance matrix of variables in rows (columns if not ``rowvar``), observations in the other axis.

    ``fweights`` and ``aweights`` are how often an observation was made, and how much it counts.

    Args:
        a: An array of any dtype and at most two dimensions.
        y: More variables, in an array of the same form.
        rowvar: Whether variables are in rows.
        bias: Whether to divide by the number of observations instead of one less.
        ddof: What to subtract from the number of observations; instead of ``bias``.
        fweights: An array of whole numbers of one dimension, or None; the host waits to see what weights are.
        aweights: An array of numbers of one dimension, or None.
        dtype: The result's dtype; float64 at least by default.
        m: NumPy's name of ``a``.

    Returns:
        An array of two dimensions, or without any for one variable.

    Raises:
        ValueError: An array has more dimensions, weights are negative, or ``ddof`` is no integer.
        ZeroDivisionError: The weights sum to zero.
        RuntimeError: Weights do not have one dimension, or there are not as many as observations.
        TypeError: ``fweights`` are not whole, or ``dtype`` is not inexact.

    >>> tombac.cov(tombac.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    if m is not None:
        a = other_name("cov", a, m)
    if ddof is not None and ddof != int(ddof):
        raise ValueError(f"cov: ddof must be an integer, not {ddof}")
    x = _observations("cov", a, y, rowvar, dtype)
    if x.shape[0] == 0:
        return _core.empty((0, 0), np.float64)
    if ddof is None:
        ddof = 0 if bias else 1
    if fweights is None and aweights is None:
        mean, freedom = x.mean(1, keepdims=True), x.shape[1] - ddof
        d = x - mean
        other = d.T
    else:
        w, total, freedom = _weights(x.shape[1], fweights, aweights, ddof)
        d = x - (x * w).sum(1, keepdims=True) / total
        other = (d * w).T
    if freedom <= 0:
        warnings.warn("cov: no degrees of freedom are left", RuntimeWarning, stacklevel=2)
        freedom = 0.0
    if x._kind not in "fc":
        raise TypeError(f"cov: dtype must be inexact, not {x.dtype}")
    product = _core.matmul(d, other.conj())
    return (product / freedom if freedom else product * np.inf).squeeze()


def corrcoef(a=None, y=None, rowvar=True, bias=None, ddof=None, *, dtype=None, x=None):
    """The matrix of correlation coefficients; ``bias`` and ``ddof`` have no effect.

    Args:
        a: An array of any dtype and at most two dimensions.
        y: More variables, in an array of the same form.
        rowvar: Whether variables are in rows.
        bias, ddof: Accepted without effect.
        dtype: The result's dtype; float64 at least by default.
        x: NumPy's name of ``a``.

    Returns:
        An array of two dimensions, or without any for one variable.

    Raises:
        ValueError: An array has more dimensions.
        TypeError: ``dtype`` is not inexact.

    >>> tombac.corrcoef(tombac.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    if x is not None:
        a = other_name("corrcoef", a, x)
    c = cov(a, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    d = _core.sqrt(c.diagonal().real)
    return c / d[:, None] / d[None, :]
