"""What tables of frequencies say: counts of combinations, association of factors, risks, and Somers's D.

Agresti, An Introduction to Categorical Data Analysis, 2007; Fisher, J. R. Statist. Soc. 98, 1935 (the conditional
quotient of odds); Somers, Am. Sociol. Rev. 27, 1962; Brown and Benedetti, J. Am. Stat. Assoc. 72, 1977.
"""

import collections
import math

import tombac
from tombac._core import _on_host, where
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy._host import host, scipy_function
from tombacx.scipy.stats._contingency import chi2_contingency
from tombacx.scipy.stats._families import norm
from tombacx.scipy.stats._over import check_real
from tombacx.scipy.stats._ranks import tail
from tombacx.scipy.stats._relations import ConfidenceInterval

__all__ = ["association", "crosstab", "odds_ratio", "relative_risk", "somersd"]

CrosstabResult = collections.namedtuple("CrosstabResult", "elements count")


def crosstab(*args, levels=None, sparse=False):
    """How often each combination of elements is there.

    Args:
        args: The samples: vectors of one length.
        levels: For each sample the elements that are counted, a vector in its order, or None for all that are there;
            None for all samples.
        sparse: Whether the result is a sparse matrix, of two samples.

    Returns:
        A tuple with the fields ``elements``, a tuple of vectors, and ``count``, an array of whole numbers with an axis
        for each sample.

    Raises:
        TypeError: The samples are no tombac arrays.
        ValueError: There are none, they are of several lengths, or not as many as levels, or not two for a sparse
            matrix.

    >>> x, y = tombac.array([0, 1, 1, 0]), tombac.array([5, 7, 7, 7])
    >>> tombacx.scipy.stats.contingency.crosstab(x, y).count
    array([[1, 1],
           [0, 2]])
    """
    if not args:
        raise ValueError("crosstab: there is nothing to be counted")
    check_arrays("crosstab", *args)
    if len({x.shape for x in args}) > 1 or args[0].ndim != 1:
        raise ValueError("crosstab: vectors of one length are expected, not arrays of the shapes "
                         f"{', '.join(str(x.shape) for x in args)}")
    if sparse and len(args) != 2:
        raise ValueError(f"crosstab: a sparse matrix is of two samples, not {len(args)}")
    levels = [None] * len(args) if levels is None else levels
    if len(levels) != len(args):
        raise ValueError(f"crosstab: there are {len(args)} samples, and levels of {len(levels)}")
    elements, counted, place = [], tombac.ones(args[0].shape, "?"), tombac.zeros(args[0].shape, "l")
    for x, given in zip(args, levels, strict=True):
        if given is None:
            own, at = tombac.unique(x, return_inverse=True)
        else:
            own = tombac.asarray(given)
            same = x[:, None] == own
            at, counted = same.argmax(axis=1), counted & same.any(axis=1)
        elements.append(own)
        place = place * own.size + at.reshape(-1)
    shape = tuple(e.size for e in elements)
    # What does not count is a place behind all others.
    total = math.prod(shape)
    counts = tombac.bincount(where(counted, place, total), minlength=total + 1)[:total].reshape(shape)
    if sparse:
        from tombacx.scipy.sparse import coo_matrix

        counts = coo_matrix(counts)
    return CrosstabResult(tuple(elements), counts)


def association(observed, method="cramer", correction=False, lambda_=None):
    """How far two factors of a table depend on each other, from 0 to 1.

    Args:
        observed: The frequencies: an array of whole numbers, of two dimensions.
        method: ``"cramer"``: Cramer's V; ``"tschuprow"``: Tschuprow's T; ``"pearson"``: Pearson's coefficient.
        correction: Whether Yates's correction is made where there is one degree of freedom.
        lambda_: Which statistic, as that of power_divergence.

    Returns:
        An array of float64 without dimensions.

    Raises:
        TypeError: The frequencies are no tombac array, or complex.
        ValueError: They are no whole numbers, or of other dimensions, or there is no such method; or
            ``chi2_contingency`` refuses them.

    >>> tombacx.scipy.stats.contingency.association(tombac.array([[2, 0], [0, 2]]))
    array(1.)
    """
    check_real("association", observed)
    if observed.dtype.kind not in "iu":
        raise ValueError(f"association: frequencies must be whole numbers, not {observed.dtype}")
    if observed.ndim != 2:
        raise ValueError(f"association: a table of 2 dimensions is expected, not of {observed.ndim}")
    if method not in ("cramer", "tschuprow", "pearson"):
        raise ValueError(f"association: method must be 'cramer', 'tschuprow' or 'pearson', not {method!r}")
    squared = chi2_contingency(observed, correction, lambda_).statistic / observed.sum()
    rows, columns = observed.shape
    if method == "cramer":
        return tombac.sqrt(squared / min(rows - 1, columns - 1))
    if method == "tschuprow":
        return tombac.sqrt(squared / math.sqrt((rows - 1) * (columns - 1)))
    return tombac.sqrt(squared / (1 + squared))


def _count(name, what, value, least):
    value = _on_host(value)
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        raise TypeError(f"{name}: {what} must be a whole number, not {value!r}")
    if value < least:
        raise ValueError(f"{name}: {what} must be {least} or greater, not {value!r}")
    return int(value)


class RelativeRiskResult:
    """``relative_risk``, and the numbers that it is made of."""

    def __init__(self, relative_risk, exposed_cases, exposed_total, control_cases, control_total):
        self.relative_risk, self.exposed_cases, self.exposed_total = relative_risk, exposed_cases, exposed_total
        self.control_cases, self.control_total = control_cases, control_total

    def confidence_interval(self, confidence_level=0.95):
        """Where the quotient is: a tuple with the fields ``low`` and ``high``, numbers."""
        if not 0 <= confidence_level <= 1:
            raise ValueError(f"relative_risk: confidence_level must be from 0 to 1, not {confidence_level!r}")
        if self.exposed_cases == 0:
            return ConfidenceInterval(*((math.nan,) * 2 if self.control_cases == 0 else (0.0, math.nan)))
        if self.control_cases == 0:
            return ConfidenceInterval(math.nan, math.inf)
        error = math.sqrt(1 / self.exposed_cases - 1 / self.exposed_total + 1 / self.control_cases -
                          1 / self.control_total)
        reach = norm.ppf((1 + confidence_level) / 2).item() * error
        return ConfidenceInterval(self.relative_risk * math.exp(-reach), self.relative_risk * math.exp(reach))


def relative_risk(exposed_cases, exposed_total, control_cases, control_total):
    """The quotient of two parts: of the cases among who is exposed, and among who is not.

    Args:
        exposed_cases: How many cases are among who is exposed: a whole number.
        exposed_total: How many are exposed.
        control_cases: How many cases are among who is not.
        control_total: How many are not.

    Returns:
        A result with the attribute ``relative_risk``, a number, and the method ``confidence_interval``.

    Raises:
        TypeError: An argument is no whole number.
        ValueError: There are more cases than there are in all, or a number is negative.

    >>> tombacx.scipy.stats.contingency.relative_risk(27, 122, 44, 487).relative_risk.__round__(4)
    2.4495
    """
    cases = [_count("relative_risk", what, value, 0) for what, value in (
        ("exposed_cases", exposed_cases), ("control_cases", control_cases))]
    totals = [_count("relative_risk", what, value, 1) for what, value in (
        ("exposed_total", exposed_total), ("control_total", control_total))]
    for what, part, whole in zip(("exposed", "control"), cases, totals, strict=True):
        if part > whole:
            raise ValueError(f"relative_risk: {what}_cases, {part}, must not be above {what}_total, {whole}")
    exposed, control = (part / whole for part, whole in zip(cases, totals, strict=True))
    quotient = exposed / control if control else math.nan if exposed == 0 else math.inf
    return RelativeRiskResult(quotient, cases[0], totals[0], cases[1], totals[1])


class OddsRatioResult:
    """``statistic``: the quotient of odds."""

    def __init__(self, found):
        self._found, self.statistic = found, float(found.statistic)

    def confidence_interval(self, confidence_level=0.95, alternative="two-sided"):
        """Where the quotient is: a tuple with the fields ``low`` and ``high``, numbers; SciPy's, on the host."""
        return ConfidenceInterval(*map(float, self._found.confidence_interval(confidence_level, alternative)))


def odds_ratio(table, *, kind="conditional"):
    """The quotient of the odds of a table's two rows.

    Args:
        table: The frequencies: an array of whole numbers, of the shape (2, 2).
        kind: ``"conditional"``: the most probable one by Fisher's noncentral distribution; ``"sample"``: that of the
            frequencies themselves.

    Returns:
        A result with the attribute ``statistic``, a number, and the method ``confidence_interval``.

    Raises:
        TypeError: The table is no tombac array, or complex.
        ValueError: It is of another shape, holds no whole numbers or negative ones, or there is no such kind.

    The four numbers go to the host, where SciPy searches.

    >>> tombacx.scipy.stats.contingency.odds_ratio(tombac.array([[3, 1], [1, 3]]), kind="sample").statistic
    9.0
    """
    check_real("odds_ratio", table)
    if kind not in ("conditional", "sample"):
        raise ValueError(f"odds_ratio: kind must be 'conditional' or 'sample', not {kind!r}")
    if table.shape != (2, 2) or table.dtype.kind not in "iu":
        raise ValueError(f"odds_ratio: whole numbers of shape (2, 2) are expected, not {table.dtype} of {table.shape}")
    return OddsRatioResult(scipy_function("scipy.stats.contingency", "odds_ratio")(host(table), kind=kind))


class SomersDResult:
    """``statistic`` and ``pvalue``, arrays without dimensions, and the ``table`` that they are of."""

    def __init__(self, statistic, pvalue, table):
        self.statistic, self.pvalue, self.table = statistic, pvalue, table

    @property
    def correlation(self):
        """The statistic, under the name that other measures have."""
        return self.statistic

    def __repr__(self):
        return f"SomersDResult(statistic={self.statistic!r}, pvalue={self.pvalue!r})"


def somersd(x, y=None, alternative="two-sided"):
    """Somers's D: how far the order of one variable is that of another.

    Args:
        x: The variable that the other is taken to depend on: a vector of any real dtype; or a table of the frequencies
            of combinations, an array of two dimensions.
        y: The other variable: a vector of the same length; None for a table.
        alternative: Which statistics the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"``.

    Returns:
        A result with the attributes ``statistic`` and ``pvalue``, arrays without dimensions, and ``table``.

    Raises:
        TypeError: The samples are no tombac arrays, or complex.
        ValueError: There are no two vectors of one length, and no table of two rows and columns of whole numbers that
            are not negative, for which it is looked at; or there is no such alternative.

    >>> tombacx.scipy.stats.somersd(tombac.array([1, 2, 3, 4]), tombac.array([1, 3, 2, 4])).statistic.round(4)
    array(0.6667)
    """
    check_real("somersd", x, *(() if y is None else (y,)))
    if x.ndim == 1:
        if y is None or x.shape != y.shape:
            raise ValueError("somersd: a second vector of the same length is expected")
        table = crosstab(x, y).count
    elif x.ndim == 2:
        table = x
        few = [(x.sum(axis=axis) > 0).sum() < 2 for axis in (0, 1)]
        if min(x.shape) < 2 or bool(tombac.stack([((x < 0) | (x != tombac.floor(x))).any(), *few]).any()):
            raise ValueError("somersd: a table must have two rows and columns, of whole numbers that are not negative")
    else:
        raise ValueError(f"somersd: vectors or a table are expected, not an array of {x.ndim} dimensions")
    a = table.astype("d")
    agree, differ = _beside(a), _beside(a[:, ::-1])[:, ::-1]
    n, off = a.sum(), (a * (agree - differ)).sum()
    statistic = off / (n * n - tombac.square(a.sum(axis=1)).sum()) if min(a.shape) > 1 else tombac.full((), np.nan)
    spread = (a * tombac.square(agree - differ)).sum() - off * off / n
    pvalue = tail(off / tombac.sqrt(4 * spread), norm, alternative, "somersd")
    return SomersDResult(statistic, pvalue, table)


def _beside(a):
    """For each cell the sum of what is above it on its left, and below it on its right."""
    sums = tombac.pad(tombac.cumsum(tombac.cumsum(a, axis=0), axis=1), ((1, 0), (1, 0)))
    above = sums[:-1, :-1]
    rows, columns = sums[1:, -1:], sums[-1:, 1:]
    return above + sums[-1, -1] - rows - columns + sums[1:, 1:]
