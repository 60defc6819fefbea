"""Means and spreads that are compositions of reductions: weighted, ignoring NaN, covariance."""

import numpy as np

from tombac import _core
from tombac._core import where
from tombac._util import as_device, check_arrays, normalize_axis_tuple

__all__ = ["average", "corrcoef", "cov", "nanmean", "nanstd", "nanvar"]


def _axes(a, axis):
    return None if axis is None else normalize_axis_tuple(axis, a.ndim)


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    """The mean of ``a``, weighted.

    Args:
        weights: An array of ``a``'s shape, or of the shape of its reduced axes.
        returned: Return ``(average, sum of weights)``.

    Raises:
        ZeroDivisionError: The weights sum to zero (this waits for the device).
        ValueError: The weights' shape does not match.
    """
    a = as_device("average", a)
    if weights is None:
        result = _core.mean(a, axis, None, None, keepdims)
        scale = _core.full_like(result, a.size / result.size if result.size else 0)
        return (result, scale) if returned else result
    weights = as_device("average", weights)
    t = np.result_type(a.dtype, weights.dtype, np.float64) if a.dtype.kind in "iub" else np.result_type(a,
        weights.dtype)
    if a.shape != weights.shape:
        if axis is None:
            raise TypeError("average: axis is needed where the shapes of a and weights differ")
        axes = _axes(a, axis)
        if weights.shape != tuple(a.shape[d] for d in axes):
            raise ValueError(f"average: weights of shape {weights.shape} do not match axes {axes} of shape {a.shape}")
        order = np.argsort(axes)
        weights = weights.transpose([int(i) for i in order])
        weights = weights.reshape(tuple(n if d in axes else 1 for d, n in enumerate(a.shape)))
        weights = _core.broadcast_to(weights, a.shape)
    scale = _core.sum(weights, axis, t, None, keepdims)
    if bool((scale == 0).any()):
        raise ZeroDivisionError("average: weights sum to zero")
    result = _core.sum(_core.multiply(a, weights, dtype=t), axis, None, None, keepdims) / scale
    return (result, scale) if returned else result


# ---- ignoring NaN ----------------------------------------------------------------------------------------------------


def _mean_without_nan(a, axis, dtype, keepdims):
    """(mean, count) over what is not NaN."""
    count = _core.sum(~_core.isnan(a), axis, np.int64, None, keepdims)
    total = _core.nansum(a, axis, dtype, None, keepdims)
    return total / count.astype(total.real.dtype), count


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False):
    """Arithmetic mean over the axes of what is not NaN; NaN where nothing is left."""
    a = as_device("nanmean", a)
    if a.dtype.kind not in "fc":
        return _core.mean(a, axis, dtype, out, keepdims)
    wide = np.float32 if a.dtype == np.float16 and dtype is None else dtype
    mean, _ = _mean_without_nan(a, axis, wide, keepdims)
    return _deliver(mean, a.dtype if dtype is None else dtype, out)


def _deliver(result, dtype, out):
    if out is None:
        return result.astype(dtype, copy=False)
    out[...] = result
    return out


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    """Variance over the axes of what is not NaN; NaN where no more than ``ddof`` elements are left."""
    a = as_device("nanvar", a)
    if a.dtype.kind not in "fc":
        return _core.var(a, axis, dtype, out, ddof, keepdims)
    wide = np.float32 if a.dtype == np.float16 and dtype is None else dtype
    mean, count = _mean_without_nan(a, axis, wide, True)
    d = where(_core.isnan(a), mean.dtype.type(0), a - mean)
    square = d.real * d.real + d.imag * d.imag if d.dtype.kind == "c" else d * d
    freedom = (count if keepdims else _core.sum(~_core.isnan(a), axis)) - ddof
    total = _core.sum(square, axis, None, None, keepdims)
    result = total / where(freedom > 0, freedom, np.nan).astype(total.dtype)
    final = np.dtype(a.dtype if dtype is None else dtype).type(0).real.dtype
    return _deliver(result, final, out)


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    """Standard deviation over the axes of what is not NaN."""
    a = as_device("nanstd", a)
    if a.dtype.kind not in "fc":
        return _core.std(a, axis, dtype, out, ddof, keepdims)
    result = _core.sqrt(nanvar(a, axis, dtype, None, ddof, keepdims))
    return result if out is None else _deliver(result, out.dtype, out)


# ---- covariance ------------------------------------------------------------------------------------------------------


def _observations(name, a, y, rowvar, dtype):
    check_arrays(name, a)
    if a.ndim > 2:
        raise ValueError(f"{name}: at most two dimensions are allowed, the array has {a.ndim}")
    t = np.result_type(a.dtype, np.float64, *([y.dtype] if y is not None else [])) if dtype is None else dtype
    x = a.reshape((1,) * (2 - a.ndim) + a.shape).astype(t)
    if not rowvar and x.shape[0] != 1:
        x = x.T
    if y is not None:
        y = y.reshape((1,) * (2 - y.ndim) + y.shape).astype(t)
        x = _core.concatenate((x, y.T if not rowvar and y.shape[0] != 1 else y))
    return x


def cov(a, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """The covariance matrix of variables in rows (columns if not ``rowvar``), observations in the other axis.

    ``fweights`` and ``aweights`` are how often an observation was made, and how much it counts.
    """
    x = _observations("cov", a, y, rowvar, dtype)
    if ddof is None:
        ddof = 0 if bias else 1
    w = None
    for part in (fweights, aweights):
        if part is not None:
            part = as_device("cov", part).astype(np.float64)
            w = part if w is None else w * part
    if w is None:
        mean, freedom = x.mean(1, keepdims=True), x.shape[1] - ddof
        d = x - mean
        other = d.T
    else:
        total = w.sum()
        mean = (x * w).sum(1, keepdims=True) / total
        if ddof == 0 or aweights is None:
            freedom = total - ddof
        else:
            freedom = total - ddof * (w * as_device("cov", aweights)).sum() / total
        d = x - mean
        other = (d * w).T
    if not isinstance(freedom, _core.ndarray):
        freedom = max(freedom, 0.0)
    product = _core.matmul(d, other.conj())
    return (product / freedom if isinstance(freedom, _core.ndarray) or freedom else product * np.inf).squeeze()


def corrcoef(a, y=None, rowvar=True, bias=None, ddof=None, *, dtype=None):
    """The matrix of correlation coefficients; ``bias`` and ``ddof`` have no effect."""
    c = cov(a, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    d = _core.sqrt(c.diagonal().real)
    return c / d[:, None] / d[None, :]
