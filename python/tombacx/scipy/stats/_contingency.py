"""Tests of tables of frequencies: Pearson's and its relatives, and Fisher's exact one."""

import collections
import math

import tombac
from tombac._core import where
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy.stats._families_whole import hypergeom
from tombacx.scipy.stats._frequencies import chi_squared_tail, divergence_power, divergence_terms
from tombacx.scipy.stats._over import check_real
from tombacx.scipy.stats._ranks import SignificanceResult

__all__ = ["chi2_contingency", "expected_freq", "fisher_exact", "margins", "tiecorrect"]

Chi2ContingencyResult = collections.namedtuple("Chi2ContingencyResult", "statistic pvalue dof expected_freq")


def margins(a):
    """The sums of a table along all axes but one.

    Args:
        a: The table: an array of any dtype.

    Returns:
        A list of arrays, as many as there are axes, with the other axes of length 1.

    Raises:
        TypeError: The table is no tombac array.

    >>> tombacx.scipy.stats.contingency.margins(tombac.array([[1, 2], [3, 4]]))[1]
    array([[4, 6]])
    """
    check_arrays("margins", a)
    return [a.sum(axis=tuple(i for i in range(a.ndim) if i != d), keepdims=True) for d in range(a.ndim)]


def expected_freq(observed):
    """The frequencies of a table if its factors were independent.

    Args:
        observed: The frequencies: an array of any real dtype, of a dimension for each factor.

    Returns:
        An array of float64, of the same shape.

    Raises:
        TypeError: The frequencies are no tombac array, or complex.

    >>> tombacx.scipy.stats.contingency.expected_freq(tombac.array([[1, 3], [3, 1]]))
    array([[2., 2.],
           [2., 2.]])
    """
    check_real("expected_freq", observed)
    seen = observed.astype("d")
    product = 1.0
    for sums in margins(seen):
        product = product * sums
    return product / seen.sum() ** (seen.ndim - 1)


def chi2_contingency(observed, correction=True, lambda_=None):
    """A test of whether the factors of a table of frequencies are independent.

    Args:
        observed: The frequencies: an array of any real dtype, of a dimension for each factor.
        correction: Whether Yates's correction is made where there is one degree of freedom.
        lambda_: Which statistic, as that of power_divergence.

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without dimensions, ``dof``, the number of degrees
        of freedom, and ``expected_freq``, an array of the frequencies of independent factors.

    Raises:
        TypeError: The frequencies are no tombac array, or complex.
        ValueError: There are none, or some are negative, or some would be 0 if factors were independent, for which they
            are looked at.

    >>> tombacx.scipy.stats.chi2_contingency(tombac.array([[10, 20], [20, 10]]), correction=False).statistic.round(4)
    array(6.6667)
    """
    check_real("chi2_contingency", observed)
    power, seen = divergence_power("chi2_contingency", lambda_), observed.astype("d", copy=False)
    if seen.size == 0:
        raise ValueError("chi2_contingency: there are no frequencies")
    expected = expected_freq(seen)
    negative, nothing = tombac.stack([(seen < 0).any(), (expected == 0).any()]).tolist()
    if negative:
        raise ValueError("chi2_contingency: frequencies must not be negative")
    if nothing:
        raise ValueError("chi2_contingency: of independent factors some frequencies would be 0")
    dof = seen.size - sum(seen.shape) + seen.ndim - 1
    if dof == 0:
        return Chi2ContingencyResult(tombac.zeros(()), tombac.ones(()), dof, expected)
    if dof == 1 and correction:
        off = expected - seen
        seen = seen + tombac.sign(off) * tombac.minimum(0.5, abs(off))
    statistic = divergence_terms(seen, expected, power).sum()
    return Chi2ContingencyResult(statistic, chi_squared_tail(statistic, dof), dof, expected)


def fisher_exact(table, alternative="two-sided"):
    """Fisher's exact test of whether the factors of a table of two rows and two columns are independent.

    Args:
        table: The frequencies: an array of shape (2, 2), of whole numbers.
        alternative: Which quotients of odds the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"``.

    Returns:
        A tuple with the fields ``statistic``, the sample's quotient of odds, and ``pvalue``, arrays without dimensions.

    Raises:
        TypeError: The table is no tombac array, or complex.
        ValueError: It is of another shape, or a frequency is negative, for which they are looked at, or there is no
            such alternative.

    SciPy's takes larger tables, too, whose p-values it draws at random.

    >>> tombacx.scipy.stats.fisher_exact(tombac.array([[8, 2], [1, 5]])).pvalue.round(4)
    array(0.035)
    """
    check_real("fisher_exact", table)
    alternative = "two-sided" if alternative is None else alternative
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"fisher_exact: alternative must be 'two-sided', 'less' or 'greater', not {alternative!r}")
    if table.shape != (2, 2):
        raise ValueError(f"fisher_exact: a table of shape (2, 2) is expected, not {table.shape}")
    (a, b), (c, d) = table.astype("l").tolist()
    if min(a, b, c, d) < 0:
        raise ValueError("fisher_exact: frequencies must not be negative")
    if 0 in (a + b, c + d, a + c, b + d):
        return SignificanceResult(tombac.full((), np.nan), tombac.ones(()))
    odds = tombac.full((), a * d / (b * c) if b and c else math.inf)
    whole, row, column = a + b + c + d, a + b, a + c
    if alternative != "two-sided":
        p = hypergeom.cdf(a, whole, row, column) if alternative == "less" else hypergeom.sf(a - 1, whole, row, column)
        return SignificanceResult(odds, tombac.minimum(p, 1.0))
    k = tombac.arange(max(0, row + column - whole), min(row, column) + 1)
    p = hypergeom.pmf(k, whole, row, column)
    own = hypergeom.pmf(a, whole, row, column)
    return SignificanceResult(odds, tombac.minimum(where(p <= own * (1 + 1e-10), p, 0.0).sum(), 1.0))


def tiecorrect(rankvals):
    """By what statistics of Mann's and Whitney's and of Kruskal's and Wallis's tests are less where ranks are equal.

    Args:
        rankvals: The ranks: a vector.

    Returns:
        An array without dimensions, of float64.

    Raises:
        TypeError: The ranks are no tombac array, or complex.

    >>> tombacx.scipy.stats.tiecorrect(tombac.array([1.0, 2.5, 2.5, 4.0]))
    array(0.9)
    """
    check_real("tiecorrect", rankvals)
    n = float(rankvals.size)
    if n < 2:
        return tombac.ones(())
    ordered = tombac.sort(rankvals.ravel())
    new = tombac.concatenate([tombac.ones(1, "?"), ordered[1:] != ordered[:-1]])
    sizes = tombac.bincount(tombac.cumsum(new) - 1, minlength=rankvals.size).astype("d")
    return 1 - (sizes**3 - sizes).sum() / (n**3 - n)
