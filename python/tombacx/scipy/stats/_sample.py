"""Samples along an axis, some elements of which may not count: what all functions of this package begin with."""

import math

import tombac
from tombac import _core
from tombac._core import where
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombacx.scipy.stats._over import check_policy, check_real, reduced_axes

documented = with_rows(
    a="a: The samples: an array of any real dtype.",
    axis="axis: Along which axis, or axes, the samples lie; None takes all elements for one.",
    alternative="""alternative: Which statistics the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"``.""",
    limits="limits: The least and the greatest element that count, either of which may be None; all do if None.",
    inclusive="inclusive: Whether the limits themselves count: two bools.",
    ddof="ddof: By how much the divisor is less than the number of elements.",
    nan_policy="""nan_policy: ``"propagate"``: samples with NaN have NaN for a result; ``"omit"``: NaN does not count;
            ``"raise"``: a ValueError if there is any, for which the array is looked at.""",
    keepdims="keepdims: Whether the axis stays, with the length 1.",
    test="A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis.",
    refusals="""TypeError: The samples are no tombac array, or complex.
        ValueError: There is no such axis (AxisError), or another argument is of another kind.""",
)


class Sample:
    """An array of a floating dtype, or as it is if ``whole``, the axis of its samples, and which elements count (None:
    all).
    """

    def __init__(self, name, a, axis, nan_policy="propagate", whole=False):
        check_real(name, a)
        check_policy(name, nan_policy)
        self.name = name
        self.values = a if whole or a.dtype.kind == "f" else a.astype("d")
        if self.values.ndim == 0:  # a number is a sample of one
            self.values = self.values.reshape(1)
        self.axes = reduced_axes(axis, self.values.ndim)
        self.axis, self.shape = self.axes[0], self.values.shape
        if len(self.axes) > 1:
            self.values = _together(self.values, self.axes)
        self.counted = None
        if a.dtype.kind == "f" and nan_policy != "propagate":
            self.counted = ~_core.isnan(self.values)
            if nan_policy == "raise":
                if not self.counted.all():
                    raise ValueError(f"{name}: the samples contain NaN")
                self.counted = None

    @property
    def n(self):
        """How many elements count: a number, or an array of the results' shape with the axis kept."""
        if self.counted is None:
            return self.values.shape[self.axis]
        return self.counted.sum(axis=self.axis, keepdims=True)

    def count(self, like):
        """``n`` as a floating array, so that divisions by zero make infinities."""
        return _core.full(like.shape, self.n, like.dtype) if isinstance(self.n, int) else self.n.astype(like.dtype)

    def total(self, terms):
        """The sum of an expression of the elements that count, the axis kept."""
        terms = terms if self.counted is None else where(self.counted, terms, 0)
        return terms.sum(axis=self.axis, keepdims=True)

    def mean(self, terms=None):
        n = self.n
        total = self.total(self.values if terms is None else terms)
        if isinstance(n, int):
            return total / n if n else total + np.nan
        return total / n.astype(total.dtype)

    def moment(self, order, mean):
        """The mean power of the deviations from ``mean``, the axis kept."""
        return self.mean(_power(self.values - mean, order))

    def variance(self, ddof=0, mean=None):
        second = self.total(_core.square(self.values - (self.mean() if mean is None else mean)))
        return self._per_degree(second, ddof)

    def _per_degree(self, second, ddof):
        left = self.n - ddof
        if isinstance(left, int):
            return second / _core.full((), max(left, 0), second.dtype)
        return second / _core.maximum(left, 0).astype(second.dtype)

    def spread(self, ddof):
        """The variance, but infinite, not NaN, where only the mean is: SciPy's where it leaves NaN out of it, too."""
        mean = self.mean()
        apart = self.values - mean
        second = self.total(where(_core.isnan(apart), 0, _core.square(apart)))
        return self.known(self._per_degree(where(_core.isfinite(mean) | (second > 0), second, np.nan), ddof), ddof)

    def known(self, variance, ddof):
        """A variance, but NaN where there are no more than ``ddof`` elements."""
        if isinstance(self.n, int):
            return variance if self.n > ddof else _core.full_like(variance, np.nan)
        return where(self.n > ddof, variance, np.nan)

    def mean_and_variance(self, ddof):
        """By one reduction, where all elements count."""
        if self.counted is not None or self.n <= max(ddof, 0):
            mean = self.mean()
            return mean, self.variance(ddof, mean)
        return _core._mean_var(self.values, self.axis, ddof, True)

    def weights(self, given):
        """Weights of the samples' shape, or of the length of their axis, as the values lie."""
        given = _core.asarray(given).astype(self.values.dtype, copy=False)
        if given.ndim == 1 and len(self.shape) > 1:
            given = given.reshape((-1,) + (1,) * (len(self.shape) - 1 - self.axis))
        given = _core.broadcast_to(given, self.shape)
        return _together(given, self.axes) if len(self.axes) > 1 else given

    def result(self, kept, keepdims=False):
        found = kept.squeeze(self.axis)
        return tombac.expand_dims(found, self.axes) if keepdims else found


def promoted(*samples):
    """Samples that are computed with together, in the floating dtype that all of them have a place in."""
    dtype = np.result_type(*(x.dtype for x in samples))
    return [x.astype(dtype if dtype.kind in "fc" else "d", copy=False) for x in samples]


def _together(a, axes):
    """Several axes as one, in the place of the first."""
    across = [i for i in range(a.ndim) if i not in axes]
    before = axes[0]
    moved = tombac.transpose(a, (*across[:before], *axes, *across[before:]))
    return moved.reshape(*moved.shape[:before], -1 if a.size else math.prod(a.shape[i] for i in axes),
                         *(a.shape[i] for i in across[before:]))


def _power(x, order):
    """``x`` to a whole power by multiplications, or to any power."""
    if order != int(order) or order > 8:
        return x**order
    if order == 0:
        return where(_core.isnan(x), x, 1)
    result = _core.square(x) if order > 1 else x
    for _ in range(2, int(order)):
        result = result * x
    return result


def is_constant(variance, mean):
    """Whether a variance is no more than what rounding makes of elements that are all the same."""
    return variance <= _core.square(np.finfo(variance.dtype).eps * mean)
