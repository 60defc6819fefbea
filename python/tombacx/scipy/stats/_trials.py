"""Of powers over beta functions, the logarithm: densities of beta variables, and probabilities of numbers of trials."""

import math

import tombac
from tombac._core import special, where

_HALF_LOG_2PI = math.log(2 * math.pi) / 2
_FAR = 16  # from where Stirling's series has a double's digits
_SERIES = 1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12
log, log1p = tombac.log, tombac.log1p


def trials_log(k, j, p, q):
    """The log of gamma(k + j + 1) / (gamma(k + 1) gamma(j + 1)) p^k q^j for k, j > 0 and p + q = 1.

    By what k and j are off k + j times p and q, so that nothing large is taken off another (C. Loader, "Fast and
    accurate computation of binomial probabilities", 2000).
    """
    n = k + j
    off = where(p <= 0.5, n * p - k, j - n * q)
    return k * _log_near(off / k, n * p / k) + j * _log_near(-off / j, n * q / j) + (
        log(n / k / j) / 2 - _HALF_LOG_2PI + _rest(n) - _rest(k) - _rest(j))


def failures_log(k, n, p):
    """The log of the probability of k >= 0 failures before n > 0 successes of the probability p > 0."""
    q = 1 - p
    some = trials_log(tombac.maximum(k, 0.5), n, q, p) + log(n / (n + k))
    return where(k == 0, n * log(p), where(q == 0, -math.inf, some))


def mixed_trials_log(k, n, a, b):
    """The log of the probability of k of n trials, whose probability is a beta variable.

    As that of k failures before a successes and n - k before b, given that they are n before a + b.
    """
    p = (a + b) / (n + a + b)
    return failures_log(k, a, p) + failures_log(n - k, b, p) - failures_log(n, a + b, p)


def _log_near(less, x):
    """The log of x, which is 1 + less."""
    return where(abs(less) < 0.5, log1p(less), log(x))


def _rest(x):
    """What the log of gamma(x + 1) is more than (x + 1/2) log(x) - x + log(2 pi) / 2."""
    inverse = 1 / x
    square, series = inverse * inverse, _SERIES[0]
    for c in _SERIES[1:]:
        series = series * square + c
    near = tombac.minimum(x, _FAR)
    return where(x < _FAR, special.gammaln(near) - (near - 0.5) * log(near) + near - _HALF_LOG_2PI, series * inverse)
