"""Estimates by sorted samples: L-moments and differential entropies.

Hosking, J. R. Statist. Soc. B 52, 1990; Vasicek, J. R. Statist. Soc. B 38, 1976; van Es, Scand. J. Statist. 19, 1992;
Ebrahimi, Pflughoeft and Soofi, Statist. Probab. Letters 20, 1994; Correa, Commun. Statist. 24, 1995.
"""

import math

import tombac
from tombac._core import _on_host
from tombac._numpy import np
from tombacx.scipy.stats._over import check_real, over
from tombacx.scipy.stats._sample import documented as _documented

__all__ = ["differential_entropy", "lmoment"]


def _own_dtype(a):
    return a.dtype if a.dtype.kind == "f" else np.dtype("d")


def _orders(order):
    orders = np.asarray([1, 2, 3, 4] if order is None else _on_host(order))
    if orders.ndim > 1 or orders.size == 0:
        raise ValueError(f"lmoment: order must be a number or a vector of some, not {order!r}")
    if orders.dtype.kind not in "iu" or (orders <= 0).any():
        raise ValueError(f"lmoment: orders must be positive whole numbers, not {order!r}")
    return orders


def _l_moment(x, order):
    """Of sorted samples: the mean of elements by a polynomial of their places."""
    n = x.shape[-1]
    if order > n:
        return tombac.full(x.shape[:-1], np.nan)
    place = tombac.arange(float(n))
    weight, factor = 0.0, 1.0
    for k in range(order):
        weight = weight + (-1) ** (order - 1 - k) * math.comb(order - 1, k) * math.comb(order - 1 + k, k) * factor
        if k + 1 < order:
            factor = factor * ((place - k) / (n - 1 - k))
    return (x * weight).sum(axis=-1) / n


@_documented
def lmoment(sample, order=None, *, axis=0, sorted=False, standardize=True, nan_policy="propagate", keepdims=False):
    """L-moments: expectations of linear combinations of sorted elements, estimated without bias.

    Args:
        sample: The samples: an array of any real dtype.
        order: Which: a positive whole number, or a vector of them; 1 to 4 if None.
        {axis}
        sorted: Whether the samples are sorted already.
        standardize: Whether those of the orders from 3 on are divided by that of order 2.
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis; with an axis of the orders in front if there are several. NaN of samples with less
        elements than the order.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.lmoment(tombac.array([1.0, 2.0, 3.0, 4.0]), [1, 2])
    array([2.5       , 0.83333333])
    """
    check_real("lmoment", sample)
    orders = _orders(order)

    def compute(x):
        x = x.astype("d", copy=False)
        x = x if sorted else tombac.sort(x, axis=-1)
        needed = {int(k) for k in orders.ravel()}
        scaled = standardize and max(needed) > 2
        found = {k: _l_moment(x, k) for k in needed | ({2} if scaled else set())}
        return tuple(found[k] / found[2] if scaled and k > 2 else found[k] for k in map(int, orders.ravel()))

    found = over("lmoment", (sample,), axis, nan_policy, keepdims, compute, results=orders.size,
                 result=_own_dtype(sample))
    return found[0] if orders.ndim == 0 else tombac.stack(found)


def _spacings(x, m):
    """Differences of elements 2 m places apart; beyond the ends there are the last elements again."""
    place = np.arange(x.shape[-1])
    low, high = (tombac.array(np.clip(place + k, 0, x.shape[-1] - 1)) for k in (-m, m))
    return x[..., high] - x[..., low]


def _vasicek(x, m):
    n = x.shape[-1]
    return tombac.log(n / (2 * m) * _spacings(x, m)).mean(axis=-1)


def _van_es(x, m):
    n = x.shape[-1]
    own = tombac.log((n + 1) / m * (x[..., m:] - x[..., :-m])).sum(axis=-1) / (n - m)
    return own + (1 / np.arange(m, n + 1)).sum() + math.log(m / (n + 1))


def _ebrahimi(x, m):
    n = x.shape[-1]
    place = tombac.arange(1.0, n + 1)
    weight = 1 + tombac.minimum(tombac.minimum(place - 1, n - place) / m, 1.0)
    return tombac.log(n * _spacings(x, m) / (weight * m)).mean(axis=-1)


def _correa(x, m):
    n = x.shape[-1]
    off = np.arange(-m, m + 1)[:, None]
    near = x[..., tombac.array(np.clip(np.arange(n) + off, 0, n - 1))]
    off, near = tombac.array(off), near - near.mean(axis=-2, keepdims=True)
    slope = (near * off).sum(axis=-2) / (n * (near * near).sum(axis=-2))
    return -tombac.log(slope).mean(axis=-1)


_ESTIMATES = {"vasicek": _vasicek, "van es": _van_es, "ebrahimi": _ebrahimi, "correa": _correa}


@_documented
def differential_entropy(values, *, window_length=None, base=None, axis=0, method="auto", nan_policy="propagate",
                         keepdims=False):
    """The differential entropy of what samples come from, estimated by distances of sorted elements.

    Args:
        values: The samples: an array of any real dtype.
        window_length: How many places are between elements whose distance is taken: positive, and less than half of
            the sample's length; that length's root, rounded, if None.
        base: The base of the logarithms; e if None.
        {axis}
        method: ``"vasicek"``, ``"van es"``, ``"ebrahimi"``, ``"correa"``, or ``"auto"``: van Es's for up to 10
            elements, Vasicek's for more than 1,000, and Ebrahimi's between.
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis; NaN of a sample too short for the window, of which several at once are refused.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.differential_entropy(tombac.arange(5.0)).round(4)
    array(1.9765)
    """
    check_real("differential_entropy", values)
    if base is not None and base <= 0:
        raise ValueError(f"differential_entropy: base must be positive, not {base!r}")
    if method.lower() not in ("auto", *_ESTIMATES):
        raise ValueError(f"differential_entropy: no method is called {method!r}")

    def window(n):
        return math.floor(math.sqrt(n) + 0.5) if window_length is None else _on_host(window_length)

    def compute(x):
        n = x.shape[-1]
        name = method.lower()
        if name == "auto":
            name = "van es" if n <= 10 else "ebrahimi" if n <= 1000 else "vasicek"
        return _ESTIMATES[name](tombac.sort(x, axis=-1), window(n)) / (1 if base is None else math.log(base)),

    return over("differential_entropy", (values,), axis, nan_policy, keepdims, compute, results=1,
                least=lambda n: 2 <= 2 * window(n) < n, refused=True, result=_own_dtype(values))[0]
