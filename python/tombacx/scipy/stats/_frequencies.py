"""Tests of whether frequencies are as expected: Pearson's, and Cressie's and Read's, J. R. Statist. Soc. B 46, 1984."""

import tombac
from tombac._core import special
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy.stats._over import over
from tombacx.scipy.stats._sample import documented as _documented
from tombacx.scipy.stats._tests import TestResult

__all__ = ["chisquare", "power_divergence"]

_POWERS = {"pearson": 1.0, "log-likelihood": 0.0, "freeman-tukey": -0.5, "mod-log-likelihood": -1.0, "neyman": -2.0,
           "cressie-read": 2 / 3}


def divergence_power(name, lambda_):
    """The number that ``lambda_`` is or names."""
    if isinstance(lambda_, str):
        if lambda_ not in _POWERS:
            raise ValueError(f"{name}: lambda_ must be a number or one of {', '.join(_POWERS)}, not {lambda_!r}")
        return _POWERS[lambda_]
    return 1.0 if lambda_ is None else lambda_


def divergence_terms(seen, expected, power):
    """Whose sum is the statistic."""
    if power == 1:
        return tombac.square(seen - expected) / expected
    if power == 0:
        return 2 * special.xlogy(seen, seen / expected)
    if power == -1:
        return 2 * special.xlogy(expected, expected / seen)
    return 2 / (power * (power + 1)) * seen * ((seen / expected) ** power - 1)


def chi_squared_tail(statistic, df):
    """How probable a statistic as great is; 0 where there is no degree of freedom."""
    return special.gammaincc(tombac.asarray(df, "d") / 2, statistic / 2)


def _divergence(name, f_obs, f_exp, ddof, axis, power, sum_check, nan_policy, keepdims):
    check_arrays(name, f_obs)

    def compute(seen, expected=None):
        if expected is None:
            expected = seen.mean(axis=-1, keepdims=True)
        elif sum_check:
            sums = seen.sum(axis=-1), expected.sum(axis=-1)
            if (abs(sums[0] - sums[1]) / tombac.minimum(*sums) > np.sqrt(np.finfo("d").eps)).any():
                raise ValueError(f"{name}: the sums of frequencies that were observed and expected differ")
        statistic = divergence_terms(seen, expected, power).sum(axis=-1)
        return statistic, chi_squared_tail(statistic, seen.shape[-1] - 1 - ddof)

    frequencies = (f_obs,) if f_exp is None else (f_obs, f_exp)
    return TestResult(*over(name, frequencies, axis, nan_policy, keepdims, compute, least=0, paired=True,
                            result="f" if f_obs.dtype == "f" else "d"))


@_documented
def chisquare(f_obs, f_exp=None, ddof=0, axis=0, *, sum_check=True, nan_policy="propagate", keepdims=False):
    """Pearson's test of whether frequencies are as expected.

    Args:
        f_obs: The frequencies that were observed: an array of any real dtype.
        f_exp: Those that were expected, of a shape that broadcasts; all alike if None.
        ddof: By how much the degrees of freedom are less than the number of frequencies less 1.
        {axis}
        sum_check: Whether the sums must be the same but for rounding, for which they are looked at.
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.chisquare(tombac.array([10, 20, 30])).statistic
    array(10.)
    """
    return _divergence("chisquare", f_obs, f_exp, ddof, axis, 1.0, sum_check, nan_policy, keepdims)


@_documented
def power_divergence(f_obs, f_exp=None, ddof=0, axis=0, lambda_=None, *, nan_policy="propagate", keepdims=False):
    """Cressie's and Read's tests of whether frequencies are those that are expected.

    Args:
        f_obs: The frequencies that were observed: an array of any real dtype.
        f_exp: Those expected, of a shape that broadcasts; all alike if None.
        ddof: By how much the degrees of freedom are less than the number of frequencies less 1.
        {axis}
        lambda_: The power, a number, or a name: ``"pearson"`` (1, also if None), ``"log-likelihood"`` (0),
            ``"freeman-tukey"``, ``"mod-log-likelihood"``, ``"neyman"`` or ``"cressie-read"``.
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.power_divergence(tombac.array([10, 20, 30])).statistic
    array(10.)
    """
    power = divergence_power("power_divergence", lambda_)
    return _divergence("power_divergence", f_obs, f_exp, ddof, axis, power, True, nan_policy, keepdims)
