"""Distributions of parts of a whole and of counts of kinds."""


import tombac
from tombac._core import special, where
from tombac._numpy import np
from tombacx.scipy.stats._multivariate import Multivariate, numbers, shape_of
from tombacx.scipy.stats._sampling import generator_of

__all__ = ["dirichlet", "dirichlet_multinomial", "multinomial"]

_LITTLE = 1e-9  # that parts may be short of a whole
xlogy, lgamma = special.xlogy, special.gammaln


def _covariance(means, factor):
    """``factor`` times what the variances of means are short of products of means, along two axes."""
    products = means[..., :, None] * means[..., None, :]
    own = tombac.eye(means.shape[-1]) * means[..., None, :]
    return (own - products) * factor[..., None, None]


class _Dirichlet(Multivariate):
    """pdf logpdf mean var cov entropy rvs of parts of a whole."""

    def _parameters(self, alpha):
        alpha = numbers(self.name, alpha)
        if alpha.ndim != 1:
            raise ValueError(f"{self.name}: alpha must be a vector, not of shape {alpha.shape}")
        if not bool((alpha > 0).all()):
            raise ValueError(f"{self.name}: alpha must be positive")
        return alpha

    def logpdf(self, x, alpha):
        """The logarithm of the density at parts, which lie along the first axis, and of which the last may be left out.

        They are looked at: they must not be negative, and have the sum 1.
        """
        alpha, x = self._parameters(alpha), numbers(self.name, x)
        if x.ndim == 0 or len(x) not in (alpha.size, alpha.size - 1):
            raise ValueError(f"{self.name}: along the first axis {alpha.size} parts are expected, or one less, not an "
                             f"array of shape {x.shape}")
        if len(x) < alpha.size:
            x = tombac.concatenate([x, 1 - x.sum(axis=0, keepdims=True)])
        alpha = alpha.reshape((-1,) + (1,) * (x.ndim - 1))
        apart, endless = ((x < 0) | (x > 1)).any() | (abs(x.sum(axis=0) - 1) > _LITTLE).any(), (
            (x == 0) & (alpha < 1)).any()
        apart, endless = tombac.stack([apart, endless]).tolist()
        if apart:
            raise ValueError(f"{self.name}: parts must be from 0 to 1, and their sum 1")
        if endless:
            raise ValueError(f"{self.name}: parts whose alpha is less than 1 must not be 0")
        return lgamma(alpha.sum()) - lgamma(alpha).sum() + xlogy(alpha - 1, x).sum(axis=0)

    def pdf(self, x, alpha):
        """The density at parts, which lie along the first axis, and of which the last may be left out."""
        return tombac.exp(self.logpdf(x, alpha))

    def mean(self, alpha):
        """The mean."""
        alpha = self._parameters(alpha)
        return alpha / alpha.sum()

    def var(self, alpha):
        """The variances."""
        mean, total = self.mean(alpha), self._parameters(alpha).sum()
        return mean * (1 - mean) / (total + 1)

    def cov(self, alpha):
        """The covariances: a matrix."""
        return _covariance(self.mean(alpha), 1 / (self._parameters(alpha).sum() + 1))

    def entropy(self, alpha):
        """The differential entropy."""
        alpha = self._parameters(alpha)
        total = alpha.sum()
        return (lgamma(alpha).sum() - lgamma(total) + (total - alpha.size) * special.digamma(total) - (
            (alpha - 1) * special.digamma(alpha)).sum())

    def rvs(self, alpha, size=1, random_state=None):
        """Random parts: an array of the shape ``size``, and of their number behind it."""
        alpha, generator = self._parameters(alpha), generator_of(self.name, random_state)
        drawn = generator.standard_gamma(alpha, (*shape_of(size), alpha.size))
        return drawn / drawn.sum(axis=-1, keepdims=True)


class _Multinomial(Multivariate):
    """pmf logpmf mean cov entropy rvs of counts of kinds."""

    def _parameters(self, n, p):
        """Numbers of trials, probabilities whose sum is 1, and where they are allowed."""
        n, p = numbers(self.name, n), numbers(self.name, p)
        if p.ndim == 0:
            raise ValueError(f"{self.name}: p must be a vector, not a number")
        last = 1 - p[..., :-1].sum(axis=-1, keepdims=True)
        p = where(last < 0, np.nan, tombac.concatenate([p[..., :-1], last], axis=-1))
        n = tombac.floor(n)
        good = (n >= 0) & (p >= 0).all(axis=-1) & (p <= 1).all(axis=-1)
        return n, p, good

    def logpmf(self, x, n, p):
        """The logarithm of the probability of counts, which lie along the last axis."""
        n, p, good = self._parameters(n, p)
        x = numbers(self.name, x)
        if x.ndim == 0 or x.shape[-1] != p.shape[-1]:
            raise ValueError(f"{self.name}: along the last axis {p.shape[-1]} counts are expected, not an array of "
                             f"shape {x.shape}")
        fits = ((x >= 0) & (x == tombac.floor(x))).all(axis=-1) & (x.sum(axis=-1) == n)
        value = lgamma(n + 1) + (xlogy(x, p) - lgamma(x + 1)).sum(axis=-1)
        return where(good, where(fits, value, -np.inf), np.nan)

    def pmf(self, x, n, p):
        """The probability of counts, which lie along the last axis."""
        return tombac.exp(self.logpmf(x, n, p))

    def mean(self, n, p):
        """The mean."""
        n, p, good = self._parameters(n, p)
        return where(good[..., None], n[..., None] * p, np.nan)

    def cov(self, n, p):
        """The covariances: a matrix."""
        n, p, good = self._parameters(n, p)
        return where(good[..., None, None], _covariance(p, n + 0 * p[..., 0]), np.nan)

    def entropy(self, n, p):
        """The entropy, for which the number of trials is looked at."""
        n, p, good = self._parameters(n, p)
        k = tombac.arange(float(where(n >= 0, n, 0.0).max().item()) + 1)
        p_, n_ = p[..., None], n[..., None, None]
        logs = lgamma(n_ + 1) - lgamma(k + 1) - lgamma(tombac.maximum(n_ - k, 0) + 1) + xlogy(k, p_) + special.xlog1py(
            tombac.maximum(n_ - k, 0), -p_)
        terms = where(k <= n_, tombac.exp(logs) * lgamma(k + 1), 0.0).sum(axis=(-2, -1))
        value = n * special.entr(p).sum(axis=-1) - lgamma(n + 1) + terms
        return where(good, value, np.nan)

    def rvs(self, n, p, size=None, random_state=None):
        """Random counts: an array of the shape ``size``, and of the number of kinds behind it."""
        generator = generator_of(self.name, random_state)
        return generator.multinomial(n, p, size)


class _DirichletMultinomial(Multivariate):
    """pmf logpmf mean var cov of counts of kinds, the probabilities of which are Dirichlet variables."""

    def _parameters(self, alpha, n):
        alpha, n = numbers(self.name, alpha), numbers(self.name, n)
        wrong = tombac.stack([~(alpha > 0).all(), ~((n > 0) & (n == tombac.floor(n))).all()]).tolist()
        if alpha.ndim == 0 or wrong[0]:
            raise ValueError(f"{self.name}: alpha must be vectors of positive numbers")
        if wrong[1]:
            raise ValueError(f"{self.name}: n must be a positive whole number")
        return alpha, alpha.sum(axis=-1), n

    def logpmf(self, x, alpha, n):
        """The logarithm of the probability of counts, which lie along the last axis, and are looked at."""
        alpha, total, n = self._parameters(alpha, n)
        x = numbers(self.name, x)
        if x.ndim == 0 or x.shape[-1] != alpha.shape[-1]:
            raise ValueError(f"{self.name}: along the last axis {alpha.shape[-1]} counts are expected, not an array of "
                             f"shape {x.shape}")
        if not bool(((x >= 0) & (x == tombac.floor(x))).all()):
            raise ValueError(f"{self.name}: counts must be whole numbers that are not negative")
        value = lgamma(total) + lgamma(n + 1) - lgamma(n + total) + (
            lgamma(x + alpha) - lgamma(alpha) - lgamma(x + 1)).sum(axis=-1)
        return where(x.sum(axis=-1) == n, value, -np.inf)

    def pmf(self, x, alpha, n):
        """The probability of counts, which lie along the last axis."""
        return tombac.exp(self.logpmf(x, alpha, n))

    def mean(self, alpha, n):
        """The mean."""
        alpha, total, n = self._parameters(alpha, n)
        return n[..., None] * alpha / total[..., None]

    def cov(self, alpha, n):
        """The covariances: a matrix."""
        alpha, total, n = self._parameters(alpha, n)
        return _covariance(alpha / total[..., None], n * (n + total) / (1 + total))

    def var(self, alpha, n):
        """The variances."""
        return tombac.diagonal(self.cov(alpha, n), axis1=-2, axis2=-1)


dirichlet = _Dirichlet("dirichlet", "Dirichlet distribution of parts of a whole", ("alpha",),
                       "mean(tombac.array([1.0, 3.0]))\narray([0.25, 0.75])")
multinomial = _Multinomial("multinomial", "distribution of counts of kinds in n trials, of the probabilities p",
                           ("n", "p"), "mean(4, tombac.array([0.25, 0.75]))\narray([1., 3.])")
dirichlet_multinomial = _DirichletMultinomial(
    "dirichlet_multinomial", "distribution of counts of kinds in n trials, whose probabilities are Dirichlet variables",
    ("alpha", "n"), "mean(tombac.array([1.0, 3.0]), 4)\narray([1., 3.])")
