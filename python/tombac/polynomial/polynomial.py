"""Power series: coefficients of 1, x, x**2 and so on."""

import operator

import tombac
from tombac import _core
from tombac._util import check_arrays
from tombac.polynomial.polyutils import as_series

__all__ = ["polycompanion", "polyval", "polyvalfromroots", "polyvander"]


def polyvander(x, deg):
    """The powers 0 to ``deg`` of ``x`` along a new last axis.

    Raises:
        ValueError: ``deg`` is negative.

    >>> import tombac as tb
    >>> polyvander(tb.array([1, 2]), 2)
    array([[1., 1., 1.],
           [1., 2., 4.]])
    """
    check_arrays("polyvander", x)
    deg = operator.index(deg)
    if deg < 0:
        raise ValueError(f"polyvander: deg must not be negative, it is {deg}")
    x = tombac.atleast_1d(x) + 0.0
    result = _core.empty((deg + 1,) + x.shape, x.dtype)
    result[0] = x * 0 + 1
    if deg:
        result[1:] = x
        _core.cumprod(result[1:], 0, x.dtype, result[1:])
    return tombac.moveaxis(result, 0, -1)


def polycompanion(c):
    """The companion matrix of a series, whose eigenvalues are the zeros of the polynomial.

    Raises:
        ValueError: The degree is zero.

    >>> import tombac as tb
    >>> polycompanion(tb.array([1.0, 2.0, 1.0]))
    array([[ 0., -1.],
           [ 1., -2.]])
    """
    (c,) = as_series([c])
    n = c.size - 1
    if n < 1:
        raise ValueError("polycompanion: the series must have a degree of at least one")
    result = _core.eye(n, k=-1, dtype=c.dtype)
    result[:, -1] -= c[:-1] / c[-1]
    return result


def polyval(x, c, tensor=True):
    """The values of a series at ``x``: c[0] + c[1] * x + ...

    Args:
        x: An array, a number or a sequence.
        c: Coefficients along the first axis; the others are of several polynomials.
        tensor: Every polynomial at every point; if false, ``x`` broadcasts to the polynomials.

    >>> import tombac as tb
    >>> polyval(tb.array([1.0, 2.0]), tb.array([1, 2, 3]))
    array([ 6., 17.])
    """
    c = tombac.atleast_1d(c)
    c = c + 0.0 if c._kind in "biu" else c
    x = x if isinstance(x, _core.ndarray) else _core.asarray(x)
    if tensor:
        c = c.reshape(c.shape + (1,) * x.ndim)
    result = c[-1] + x * 0
    for i in range(2, len(c) + 1):
        result = c[-i] + result * x
    return result


def polyvalfromroots(x, r, tensor=True):
    """The values at ``x`` of the polynomial with the zeros ``r`` along the first axis: the product of x - r.

    ``tensor`` as in polyval; if false, ``x`` must have fewer dimensions than ``r``, else it is a ValueError.

    >>> import tombac as tb
    >>> polyvalfromroots(tb.array([0.0, 3.0]), tb.array([1.0, 2.0]))
    array([2., 2.])
    """
    r = tombac.atleast_1d(r)
    r = r.astype(float) if r._kind in "biu" else r
    x = x if isinstance(x, _core.ndarray) else _core.asarray(x)
    if tensor:
        r = r.reshape(r.shape + (1,) * x.ndim)
    elif x.ndim >= r.ndim:
        raise ValueError("polyvalfromroots: x must have fewer dimensions than r if not tensor")
    return (x - r).prod(0)
