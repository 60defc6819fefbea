"""Empirical distribution functions of samples all of whose elements are known.

Greenwood, Reports on Public Health and Medical Subjects 33, 1926, has the variance.
"""

import tombac
from tombac._numpy import np
from tombacx.scipy.stats._families import norm
from tombacx.scipy.stats._over import check_real
from tombacx.scipy.stats._relations import ConfidenceInterval

__all__ = ["ecdf"]


class EmpiricalDistributionFunction:
    """A function that is ``probabilities`` from each of the ``quantiles`` on; ``evaluate`` gives its values."""

    def __init__(self, quantiles, probabilities, n, kind):
        self.quantiles, self.probabilities, self._n, self._kind = quantiles, probabilities, n, kind

    def __repr__(self):
        return f"EmpiricalDistributionFunction(quantiles={self.quantiles!r}, probabilities={self.probabilities!r})"

    def evaluate(self, x):
        """The values at points: an array."""
        x = tombac.asarray(x)
        start = tombac.full(1, 0.0 if self._kind == "cdf" else 1.0)
        values = tombac.concatenate([start, self.probabilities])
        return values[tombac.searchsorted(self.quantiles, x, side="right")]

    def confidence_interval(self, confidence_level=0.95, *, method="linear"):
        """Between which functions it is: a tuple with the fields ``low`` and ``high``; also by ``"log-log"``."""
        if method not in ("linear", "log-log"):
            raise ValueError(f"ecdf: method must be 'linear' or 'log-log', not {method!r}")
        if not 0 <= confidence_level <= 1:
            raise ValueError(f"ecdf: confidence_level must be from 0 to 1, not {confidence_level!r}")
        left = self.probabilities if self._kind == "sf" else 1 - self.probabilities
        left = tombac.where(left > 0, left, np.nan)
        z = norm.isf((1 - confidence_level) / 2)
        error = tombac.sqrt((1 - left) / (left * self._n))  # of the logarithm
        if method == "linear":
            low, high = left - z * left * error, left + z * left * error
        else:
            power = z * error / tombac.log(left)
            low, high = left ** tombac.exp(-power), left ** tombac.exp(power)
        if self._kind == "cdf":
            low, high = 1 - high, 1 - low
        return ConfidenceInterval(*(EmpiricalDistributionFunction(self.quantiles, tombac.clip(p, 0, 1), self._n,
                                                                  self._kind) for p in (low, high)))


class ECDFResult:
    """``cdf`` and ``sf``: the functions of what is not above points, and of what is."""

    def __init__(self, cdf, sf):
        self.cdf, self.sf = cdf, sf

    def __repr__(self):
        return f"ECDFResult(cdf={self.cdf!r}, sf={self.sf!r})"


def ecdf(sample):
    """The empirical distribution function.

    Args:
        sample: The sample: a vector of any real dtype.

    Returns:
        A result with the attributes ``cdf`` and ``sf``, which have the attributes ``quantiles`` and ``probabilities``,
        vectors, and the methods ``evaluate`` and ``confidence_interval``.

    Raises:
        TypeError: The sample is no tombac array, or complex.
        ValueError: It is no vector, or has NaN, for which it is looked at.

    SciPy's takes samples of which some elements are known to be beyond limits only, too.

    >>> tombacx.scipy.stats.ecdf(tombac.array([3.0, 1.0, 3.0, 2.0])).cdf.probabilities
    array([0.25, 0.5 , 1.  ])
    """
    check_real("ecdf", sample)
    if sample.ndim != 1:
        raise ValueError(f"ecdf: a vector is expected, not an array of {sample.ndim} dimensions")
    if bool(tombac.isnan(sample).any()):
        raise ValueError("ecdf: the sample contains NaN")
    n = sample.size
    if n == 0:
        nothing = tombac.empty(0)
        return ECDFResult(*(EmpiricalDistributionFunction(nothing, nothing, n, kind) for kind in ("cdf", "sf")))
    quantiles, counts = tombac.unique(sample, return_counts=True)
    up_to = tombac.cumsum(counts)
    return ECDFResult(EmpiricalDistributionFunction(quantiles, up_to / n, n, "cdf"),
                      EmpiricalDistributionFunction(quantiles, (n - up_to) / n, n, "sf"))
