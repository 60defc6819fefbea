"""Transformations that make samples more like normal ones: Box and Cox, J. R. Statist. Soc. B 26, 1964;
Yeo and Johnson, Biometrika 87, 2000.
"""

import math

import tombac
from tombac import _core
from tombac._core import special, where
from tombac._numpy import np
from tombac._util import is_number
from tombacx.scipy._host import host, scipy_module
from tombacx.scipy.stats._families import chi2, norm
from tombacx.scipy.stats._over import check_real, over
from tombacx.scipy.stats._relations import boxcox_likelihood
from tombacx.scipy.stats._sample import documented as _documented

__all__ = ["boxcox", "boxcox_normmax", "yeojohnson", "yeojohnson_llf", "yeojohnson_normmax"]


def _vector(name, x):
    check_real(name, x)
    if x.ndim != 1:
        raise ValueError(f"{name}: a vector is expected, not an array of shape {x.shape}")
    return x if x.dtype.kind == "f" and x.dtype != "e" else x.astype("d")


def _greatest(name, f, brack, optimizer=None):
    """Where a function of a number is greatest: by Brent's method, whose steps are chosen on the host, or another."""
    def least(lmb):
        return -float(f(float(np.ravel(host(lmb))[0])).item())

    if optimizer is None:
        return float(scipy_module("scipy.optimize", name).brent(least, brack=brack or (-2.0, 2.0)))
    if not callable(optimizer) or brack is not None:
        raise ValueError(f"{name}: optimizer must be a function, and is not given beside brack")
    found = getattr(optimizer(least), "x", None)
    if found is None:
        raise ValueError(f"{name}: optimizer must give an object whose x is the parameter")
    return float(np.ravel(host(found))[0])


def _correlation_with_normal(transformed):
    """The correlation of sorted elements with the medians that they would have if they were normal."""
    n = transformed.size
    ends = 0.5 ** (1 / n)
    medians = (tombac.arange(1.0, n + 1) - 0.3175) / (n + 0.365)
    medians[0], medians[-1] = 1 - ends, ends
    return tombac.corrcoef(tombac.sort(transformed), norm.ppf(medians))[0, 1]


def boxcox_normmax(x, brack=None, method="pearsonr", optimizer=None):
    """The parameter of the Box-Cox transformation that makes samples most like normal ones.

    Args:
        x: The sample: a vector of positive numbers, for which it is looked at.
        brack: Two numbers between which, or past which, the search begins; -2 and 2 if None.
        method: ``"pearsonr"``: by the correlation with what is normal; ``"mle"``: by the likelihood; ``"all"``: both.
        optimizer: What finds the least value in place of the search: a function of a function of a number, which gives
            an object whose ``x`` is where, as minimize_scalar does.

    Returns:
        A float; an array of two for ``"all"``.

    Raises:
        TypeError: The sample is no tombac array, or complex.
        ValueError: It is no vector, or an element is not positive, or there is no such method.

    The search is SciPy's, on the host, of functions that are computed on the device.

    >>> abs(round(tombacx.scipy.stats.boxcox_normmax(tombac.exp(tombac.linspace(0, 1, 9)), method="mle"), 2))
    0.0
    """
    x = _vector("boxcox_normmax", x).astype("d", copy=False)
    if not bool(((x > 0) & (x < np.inf)).all()):
        raise ValueError("boxcox_normmax: all elements must be positive and finite")
    searches = {"pearsonr": lambda lmb: _correlation_with_normal(special.boxcox(x, lmb)),
                "mle": lambda lmb: boxcox_likelihood(lmb, x)}
    if method == "all":
        return tombac.array([_greatest("boxcox_normmax", f, brack, optimizer) for f in searches.values()])
    if method not in searches:
        raise ValueError(f"boxcox_normmax: method must be 'pearsonr', 'mle' or 'all', not {method!r}")
    return _greatest("boxcox_normmax", searches[method], brack, optimizer)


def boxcox(x, lmbda=None, alpha=None, optimizer=None):
    """The Box-Cox transformation, with the parameter that makes samples most like normal ones unless it is known.

    Args:
        x: The sample: a vector of positive numbers, for which it is looked at.
        lmbda: The parameter, or several that broadcast with the sample; if None the one of the greatest likelihood.
        alpha: If given, a number between 0 and 1, an interval that has the parameter with the probability 1 - alpha
            comes back, too.
        optimizer: As that of boxcox_normmax.

    Returns:
        An array of ``x``'s shape if the parameter is known or there is no element; else a tuple of it, the parameter,
        and with ``alpha`` the interval's ends.

    Raises:
        TypeError: The sample is no tombac array, or complex.
        ValueError: It is no vector, or an element is not positive, or all are the same.

    >>> tombacx.scipy.stats.boxcox(tombac.array([1.0, 3.0]), 1.0)
    array([0., 2.])
    """
    x = _vector("boxcox", x)
    if lmbda is not None:
        return special.boxcox(x, lmbda if is_number(lmbda) else tombac.asarray(lmbda))
    if x.size == 0:
        return x
    x = x.astype("d", copy=False)  # the likelihood of a float32 sample is too rough to be searched
    if not bool(((x > 0) & (x < np.inf)).all()):
        raise ValueError("boxcox: all elements must be positive and finite")
    if bool((x == x[0]).all()):
        raise ValueError("boxcox: all elements are the same")
    found = boxcox_normmax(x, method="mle", optimizer=optimizer)
    if alpha is None:
        return special.boxcox(x, found), found
    return special.boxcox(x, found), found, _likely(x, found, alpha)


def _likely(x, found, alpha):
    """Where the likelihood is not too much less than the greatest."""
    least = float(boxcox_likelihood(found, x).item()) - float(chi2.ppf(1 - alpha, 1).item()) / 2
    optimize = scipy_module("scipy.optimize", "boxcox")

    def end(direction):
        step = 0.1 * direction
        while float(boxcox_likelihood(found + step, x).item()) > least:
            step *= 2
            if abs(step) > 500:
                raise RuntimeError("boxcox: no end of the interval was found")
        return optimize.brentq(lambda lmb: float(boxcox_likelihood(float(lmb), x).item()) - least,
                               *sorted((found, found + step)))

    return end(-1), end(1)


def _yeo_johnson(x, lmb):
    above = tombac.log1p(abs(x)) if lmb == 0 else tombac.expm1(lmb * tombac.log1p(abs(x))) / lmb
    other = 2 - lmb
    below = -tombac.log1p(abs(x)) if other == 0 else -tombac.expm1(other * tombac.log1p(abs(x))) / other
    return where(x >= 0, above, below)


@_documented
def yeojohnson_llf(lmb, data, *, axis=0, nan_policy="propagate", keepdims=False):
    """The logarithm of the likelihood of a Yeo-Johnson transformation.

    Args:
        lmb: The parameter of the transformation, a number.
        data: The samples: an array of any real dtype.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.yeojohnson_llf(1, tombac.array([1.0, 2.0, 4.0])).round(4)
    array(-0.6627)
    """
    check_real("yeojohnson_llf", data)

    def compute(x):
        return _yeo_johnson_likelihood(lmb, x),

    return over("yeojohnson_llf", (data if data.dtype.kind == "f" else data.astype("d"),), axis, nan_policy, keepdims,
                compute, results=1, dtype=None)[0]


def _yeo_johnson_likelihood(lmb, x):
    spread = _yeo_johnson(x, lmb).var(axis=-1)
    slopes = (lmb - 1) * (tombac.sign(x) * tombac.log1p(abs(x))).sum(axis=-1)
    return where(spread < np.finfo("d").tiny, np.nan if x.shape[-1] == 0 else np.inf,
                 slopes - x.shape[-1] / 2 * tombac.log(spread))


def _bounds(x):
    """Parameters between which no power that is transformed to, nor its square, is beyond numbers; and of elements 20
    times as large neither, as SciPy has it."""
    limits, (low, high) = np.finfo("d"), _core._extremes(x).tolist()
    steep = 2 * math.log1p(20 * max(-low, high))
    least = math.log(limits.tiny / limits.eps) / steep
    most = (math.log(limits.max) + math.log(limits.eps)) / steep
    if high < 0:  # whose powers are of 2 less the parameter
        return 2 - most, 2 - least
    return (least, most) if low >= 0 else (max(least, 2 - most), min(most, 2 - least))


def yeojohnson_normmax(x, brack=None):
    """The parameter of the Yeo-Johnson transformation that makes samples most like normal ones.

    Args:
        x: The sample: a vector of any real dtype.
        brack: Two numbers between which, or past which, the search begins; if None it goes as far as numbers do.

    Returns:
        A float; 1.0 where no element is other than 0.

    Raises:
        TypeError: The sample is no tombac array, or complex.
        ValueError: It is no vector, or has elements that are not finite, for which it is looked at.

    The search is SciPy's, on the host, of a function that is computed on the device.

    >>> round(tombacx.scipy.stats.yeojohnson_normmax(tombac.array([-2.0, -1.0, 1.0, 2.0])), 4)
    1.0
    """
    x = _vector("yeojohnson_normmax", x).astype("d", copy=False)
    if not bool(tombac.isfinite(x).all()):
        raise ValueError("yeojohnson_normmax: finite elements are expected")
    if not bool((x != 0).any()):
        return 1.0
    if brack is not None:
        return _greatest("yeojohnson_normmax", lambda lmb: _yeo_johnson_likelihood(lmb, x), brack)

    def unlikely(lmb):
        value = float(_yeo_johnson_likelihood(float(lmb), x).item())
        return math.inf if math.isinf(value) else -value  # of infinite ones nothing is told

    optimize = scipy_module("scipy.optimize", "yeojohnson_normmax")
    return float(optimize.fminbound(unlikely, *_bounds(x), xtol=1.48e-8))


def yeojohnson(x, lmbda=None):
    """The Yeo-Johnson transformation, with the parameter that makes samples most like normal ones unless it is known.

    Args:
        x: The sample: a vector of any real dtype.
        lmbda: The parameter; if None the one of the greatest likelihood.

    Returns:
        An array of ``x``'s shape if the parameter is known or there is no element; else a tuple of it and the
        parameter.

    Raises:
        TypeError: The sample is no tombac array, or complex.
        ValueError: It is no vector, or the parameter is to be found of elements that are not finite.

    >>> tombacx.scipy.stats.yeojohnson(tombac.array([-1.0, 3.0]), 1.0)
    array([-1.,  3.])
    """
    x = _vector("yeojohnson", x)
    if lmbda is not None:
        return _yeo_johnson(x, lmbda)
    if x.size == 0:
        return x
    x = x.astype("d", copy=False)
    found = yeojohnson_normmax(x)
    return _yeo_johnson(x, found), found
