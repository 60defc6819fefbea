"""Draws of several numbers that depend on one another, as compositions of draws of single ones."""

import functools
import operator
import warnings

from tombac import _core
from tombac._numpy import np
from tombac.random._arguments import (
    common_shape, count_of, divides, float_dtype, is_number, on_host, parameter, shape_of, whole_parameter,
)


_FEW_COLUMNS = 16


def _rows(size):
    return () if size is None else shape_of(size)


def _checked_colors(colors, nsample):
    colors = np.asarray(_core._on_host(colors))
    if colors.ndim != 1 or colors.dtype.kind not in "iu" or (colors < 0).any():
        raise ValueError("multivariate_hypergeometric: colors must be a one-dimensional sequence of integers from 0 on")
    if (colors >= 10**9).any() or colors.sum() >= 10**9:
        raise ValueError("multivariate_hypergeometric: sum(colors) must be less than 10**9")
    if nsample < 0:
        raise ValueError("multivariate_hypergeometric: nsample < 0")
    if nsample > colors.sum():
        raise ValueError("multivariate_hypergeometric: nsample > sum(colors)")
    return [int(n) for n in colors]


def _probabilities(pvals):
    """pvals as an array of float64: NumPy's, if they are on the host."""
    seen = on_host(pvals)
    pvals = pvals if seen is None else np.asarray(seen)
    if pvals.ndim == 0 or pvals.shape[-1] == 0:
        raise ValueError("multinomial: pvals must have at least 1 dimension, whose length is not 0")
    if pvals.dtype.char != "E" and pvals.dtype.kind not in "biuf":
        raise TypeError("multinomial: parameters must be real numbers")
    return pvals.astype(np.float64, copy=False)


def _factor(cov, method, check_valid, tol):
    """A matrix whose transpose times itself is cov."""
    if method == "cholesky":
        return np.linalg.cholesky(cov).T
    if method == "eigh":
        values, vectors = np.linalg.eigh(cov)
        valid = (values >= -tol).all()
        factor = np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
    else:
        _, values, vectors = np.linalg.svd(cov)
        valid = np.allclose(vectors.T * values @ vectors, cov, rtol=tol, atol=tol)
        factor = np.sqrt(values)[:, None] * vectors
    if check_valid != "ignore" and not valid:
        if check_valid == "raise":
            raise ValueError("multivariate_normal: cov is not symmetric positive-semidefinite")
        warnings.warn("multivariate_normal: cov is not symmetric positive-semidefinite", RuntimeWarning, stacklevel=4)
    return factor


class Multivariate:
    """Draws of vectors; needs ``self._rng`` and the draws of single numbers."""

    def dirichlet(self, alpha, size=None, dtype=float):
        """Vectors of the Dirichlet distribution: shares, which add up to 1.

        Gamma numbers divided by their sum, by way of their logarithms where parameters are small or a device's, so that
        those near 0 do not divide 0 by 0.

        Args:
            alpha: The parameters, positive: an array of one dimension, or a sequence.
            size: The shape before the axis of the shares: an int, a tuple of them, or None for none.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array of shape ``(*size, len(alpha))``.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: ``alpha`` has not one dimension, or is negative.

        >>> tombac.random.dirichlet([1.0, 2.0, 3.0], size=4).shape
        (4, 3)
        """
        dtype = float_dtype("dirichlet", dtype)
        self._check("dirichlet", alpha)
        known = on_host(alpha)
        alpha = parameter(alpha)
        if not isinstance(alpha, _core.ndarray) or alpha.ndim != 1:
            raise ValueError("dirichlet: alpha must have one dimension")
        if alpha.size == 0:
            return _core.empty((*_rows(size), 0), dtype)
        direct = known is not None and divides(np.float64, known.min())
        if alpha.size <= _FEW_COLUMNS:
            columns = alpha if known is None else known.tolist()
            return self._dirichlet_columns(columns, _rows(size), dtype, direct)
        shares = self._rng.draw("gamma" if direct else "log_gamma", np.float64, (*_rows(size), alpha.size), alpha)
        shares.data  # noqa: B018: stored, as drawing them again for each of the steps below takes longer
        if not direct:
            shares = _core.exp(shares - shares.max(-1, keepdims=True))
        return (shares / shares.sum(-1, keepdims=True)).astype(dtype, copy=False)

    def _dirichlet_columns(self, alpha, rows, dtype, direct):
        """The same column by column, for rows so short that reducing them would take most of the time."""
        shares = [self._rng.draw("gamma" if direct else "log_gamma", np.float64, rows, a) for a in alpha]
        if not direct:
            most = functools.reduce(_core.maximum, shares)
            shares = [_core.exp(column - most) for column in shares]
        total = functools.reduce(operator.add, shares)
        return _core.stack([(share / total).astype(dtype, copy=False) for share in shares], -1)

    def multinomial(self, n, pvals, size=None):
        """Counts of how often each of several outcomes comes up in ``n`` trials.

        Each count is binomial, of the trials that the outcomes before it leave.

        Args:
            n: The number of trials, not negative: an integer or an array.
            pvals: The outcomes' probabilities, along the last axis; the last of them is what the others leave.
            size: The shape before the axis of the outcomes: an int, a tuple of them, or None for that of ``n`` and
                ``pvals`` together.

        Returns:
            An array of int64, of shape ``(*size, pvals.shape[-1])``.

        Raises:
            ValueError: A number is negative, the probabilities are none or too large together, or they do not
                broadcast to ``size``.

        >>> tombac.random.multinomial(10, [0.2, 0.3, 0.5], size=4).shape
        (4, 3)
        """
        pvals = _probabilities(pvals)
        known = isinstance(pvals, np.ndarray)
        n = n if is_number(n) else parameter(n) if isinstance(n, _core.ndarray) else np.asarray(n)
        total = pvals[..., :-1].sum(-1, keepdims=True) if known or self._reads else 0.0
        self._check("multinomial", n if is_number(n) else n[..., None], pvals, total)
        columns = [pvals[..., k] for k in range(pvals.shape[-1])]
        if not known or pvals.ndim > 1:
            columns = [parameter(p) for p in columns]
        left = whole_parameter(n)
        shape = common_shape(size, left, *columns)
        counts, rest = [], 1.0
        for p in columns[:-1]:
            share = _core.clip(p / _core.maximum(rest, 1e-300), 0.0, 1.0) if isinstance(p, _core.ndarray) else (
                min(max(p / rest, 0.0), 1.0) if rest > 0 else 0.0)
            counts.append(self._rng.draw("binomial", np.int64, shape, left, share))
            left, rest = left - counts[-1], rest - p
        counts.append(_core.broadcast_to(_core.asarray(left, dtype=np.int64), () if shape is None else shape))
        return _core.stack(counts, -1)

    def _hypergeometric_vectors(self, colors, nsample, size, method):
        if method not in ("count", "marginals"):
            raise ValueError('multivariate_hypergeometric: method must be "count" or "marginals"')
        nsample = whole_parameter(nsample)
        colors = _checked_colors(colors, nsample)
        rows = _rows(size)
        counts, left, rest = [], nsample, sum(colors)
        for good in colors[:-1]:
            rest -= good
            counts.append(self._rng.draw("hypergeometric", np.int64, rows, good, rest, left))
            left = left - counts[-1]
        if colors:
            counts.append(_core.broadcast_to(_core.asarray(left, dtype=np.int64), rows))
        return _core.stack(counts, -1) if counts else _core.zeros((*rows, 0), np.int64)

    def _normal_vectors(self, mean, cov, size, check_valid, tol, method, dtype):
        dtype = float_dtype("multivariate_normal", dtype)
        if method not in ("cholesky", "eigh", "svd"):
            raise ValueError(f"multivariate_normal: method must be 'cholesky', 'eigh' or 'svd', not {method!r}")
        if check_valid not in ("warn", "raise", "ignore"):
            raise ValueError("multivariate_normal: check_valid must be 'warn', 'raise' or 'ignore', "
                             f"not {check_valid!r}")
        mean = _core.asarray(mean, dtype=np.float64)
        cov = np.asarray(_core._on_host(cov), np.float64)
        if mean.ndim != 1:
            raise ValueError("multivariate_normal: mean must have one dimension")
        if cov.ndim != 2 or cov.shape[0] != cov.shape[1]:
            raise ValueError("multivariate_normal: cov must be a square matrix")
        if cov.shape[0] != mean.shape[0]:
            raise ValueError("multivariate_normal: mean and cov must have same length")
        factor = _core.asarray(_factor(cov, method, check_valid, tol))
        z = self._rng.draw("normal", np.float64, (count_of(size), mean.size), 0.0, 1.0)
        return (mean + z @ factor).reshape((*_rows(size), mean.size)).astype(dtype, copy=False)
