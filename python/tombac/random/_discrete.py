"""Whole numbers of many distributions.

A number that an int64 cannot hold is the largest that it can.
"""

from tombac import _core
from tombac._numpy import np
from tombac.random._arguments import (
    common_shape, count_dtype, exact_parameter, parameter, real_parameter, truncated, whole_parameter,
)


def _wide(x):
    """The end of a range of integers, so that their distance does not wrap: but for integers of 64 bits."""
    x = exact_parameter(x)
    return x.astype(np.int64) if isinstance(x, _core.ndarray) and x.dtype.itemsize < 8 and x.dtype.kind in "biu" else x


class Discrete:
    """Draws of whole numbers; needs ``self._rng`` and ``self._check``."""

    def _integers(self, low, high, size, dtype, inclusive):
        """64 random bits reduced to each range; the bias is below (high - low) / 2**64."""
        least, most = (0, 1) if dtype == bool else (int(n) for n in (np.iinfo(dtype).min, np.iinfo(dtype).max))
        self._check("integers with endpoint" if inclusive else "integers", low, high, least, most)
        low, high = _wide(low), _wide(high)
        span = (high - low + (1 if inclusive else 0)).astype(np.uint64)
        bits = self._rng.draw("bits", np.uint64, common_shape(size, low, high))
        return ((bits % span).astype(np.int64) + low).astype(dtype)

    def poisson(self, lam=1.0, size=None, dtype=int):
        """Numbers of events in a time in which ``lam`` are expected.

        By inversion below a mean of 10, by rejection above it (Hoermann, 1993).

        Args:
            lam: The mean, not negative: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of ``lam``.
            dtype: A real dtype.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is complex.
            ValueError: A mean is negative, NaN, or about as large as an int64, or the parameters do not broadcast
                to ``size``.

        >>> tombac.random.poisson(3.0, size=4).shape
        (4,)
        """
        dtype = count_dtype("poisson", dtype)
        self._check("poisson", lam)
        return self._rng.draw("poisson", dtype, size, parameter(lam))

    def binomial(self, n, p, size=None, dtype=int):
        """Numbers of successes in ``n`` trials.

        By inversion where fewer than 10 successes, or failures, are expected, else by rejection (Hoermann, 1993).

        Args:
            n: The number of trials, not negative: an integer or an array; floats are truncated.
            p: The probability of a success, in [0, 1]: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: A real dtype.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is complex.
            ValueError: ``n`` is negative, or ``p`` is no probability, or the parameters do not broadcast to
                ``size``.

        >>> tombac.random.binomial(10, 0.5, size=4).shape
        (4,)
        """
        dtype = count_dtype("binomial", dtype)
        n = truncated(n)
        self._check("binomial", n, p)
        return self._rng.draw("binomial", dtype, size, whole_parameter(n), parameter(p))

    def negative_binomial(self, n, p, size=None, dtype=int):
        """Numbers of failures before the ``n``-th success.

        Poisson numbers whose means are gamma numbers.

        Args:
            n: The number of successes, positive, which need not be whole: a number or an array.
            p: The probability of a success, in (0, 1]: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: A real dtype.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is complex.
            ValueError: ``n`` is not positive, or ``p`` not in (0, 1], or the parameters do not broadcast to
                ``size``.

        >>> tombac.random.negative_binomial(3, 0.5, size=4).shape
        (4,)
        """
        dtype = count_dtype("negative_binomial", dtype)
        self._check("negative_binomial", n, p)
        n, p = real_parameter(n, np.float64), real_parameter(p, np.float64)
        shape = common_shape(size, n, p)
        return self._rng.draw("poisson", dtype, shape, self._rng.draw("gamma", np.float64, shape, n) * ((1 - p) / p))

    def geometric(self, p, size=None, dtype=int):
        """How many trials it takes until the first one succeeds.

        Args:
            p: The probability of a success, in (0, 1]: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of ``p``.
            dtype: A real dtype.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is complex.
            ValueError: ``p`` is not in (0, 1], or the parameters do not broadcast to ``size``.

        >>> bool((tombac.random.geometric(0.5, size=10) >= 1).all())
        True
        """
        dtype = count_dtype("geometric", dtype)
        self._check("geometric", p)
        return self._rng.draw("geometric", dtype, size, parameter(p))

    def hypergeometric(self, ngood, nbad, nsample, size=None, dtype=int):
        """How many are good of those drawn from an urn without putting any back.

        By inversion for up to 10 draws, or good ones, else by rejection (Stadlober, 1990).

        Args:
            ngood, nbad: What the urn holds, each less than 10**9: integers or arrays.
            nsample: How many are drawn, at most all: an integer or an array.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: A real dtype.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is complex.
            ValueError: A number is negative, too large, or more are drawn than there are, or the parameters do not
                broadcast to ``size``.

        >>> tombac.random.hypergeometric(10, 20, 5, size=4).shape
        (4,)
        """
        dtype = count_dtype("hypergeometric", dtype)
        ngood, nbad, nsample = map(truncated, (ngood, nbad, nsample))
        self._check("hypergeometric", ngood, nbad, nsample)
        return self._rng.draw("hypergeometric", dtype, size, *(whole_parameter(n) for n in (ngood, nbad, nsample)))

    def logseries(self, p, size=None, dtype=int):
        """Numbers of the logarithmic series distribution.

        By Kemp's second method (1981).

        Args:
            p: Its parameter, in [0, 1): a number or an array.
            size: The shape: an int, a tuple of them, or None for that of ``p``.
            dtype: A real dtype.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is complex.
            ValueError: ``p`` is not in [0, 1), or the parameters do not broadcast to ``size``.

        >>> tombac.random.logseries(0.5, size=4).shape
        (4,)
        """
        dtype = count_dtype("logseries", dtype)
        self._check("logseries", p)
        return self._rng.draw("logseries", dtype, size, parameter(p))

    def zipf(self, a, size=None, dtype=int):
        """Numbers whose probabilities are proportional to ``k**-a``.

        By rejection (Devroye, 1986), among the numbers that an int64 holds.

        Args:
            a: The exponent, above 1: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of ``a``.
            dtype: A real dtype.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is complex.
            ValueError: ``a`` is not above 1, or the parameters do not broadcast to ``size``.

        >>> tombac.random.zipf(2.0, size=4).shape
        (4,)
        """
        dtype = count_dtype("zipf", dtype)
        self._check("zipf", a)
        return self._rng.draw("zipf", dtype, size, parameter(a))
