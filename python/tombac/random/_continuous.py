"""Real numbers of many distributions, as compositions of draws."""

import math

from tombac import _core
from tombac._numpy import np
from tombac._dtypes import finfo
from tombac.random._arguments import (
    common_shape, count_dtype, divides, float_dtype, parameter, real_parameter, working,
)


def _counts(x, neutral=1):
    """Whether x changes what it is multiplied by, or added to."""
    return isinstance(x, _core.ndarray) or x != neutral


def _above_0(u):
    """u kept away from zero, for a logarithm."""
    return _core.maximum(u, finfo(u.dtype).tiny)


class Continuous:
    """Draws of real numbers; needs ``self._rng`` and what ``Draws`` has."""

    def _transformed(self, name, kind, function, size, dtype, *parameters):
        """function(x, *parameters) of uniform numbers in [0, 1) or of exponential ones."""
        dtype = float_dtype(name, dtype)
        work = working(dtype)
        parameters = [real_parameter(p, work) for p in parameters]
        x = self._rng.draw(kind, work, common_shape(size, *parameters), *((0.0, 1.0) if kind == "uniform" else (1.0,)))
        return function(x, *parameters).astype(dtype, copy=False)

    def _standard_gamma(self, shape, size, dtype):
        dtype = float_dtype("standard_gamma", dtype)
        self._check("standard_gamma", shape)
        return self._rng.draw("gamma", dtype, size, parameter(shape))

    def _chisquare(self, df, size, work):
        return 2 * self._rng.draw("gamma", work, size, real_parameter(df, work) / 2)

    def _noncentral_chisquare(self, df, nonc, size, work):
        df, nonc = real_parameter(df, work), real_parameter(nonc, work)
        shape = common_shape(size, df, nonc)
        if isinstance(df, float) and df > 1:
            z = self._rng.draw("normal", work, shape, 0.0, 1.0)
            return self._chisquare(df - 1, shape, work) + _core.square(z + nonc ** 0.5)
        events = self._rng.draw("poisson", work, shape, nonc / 2)
        return 2 * self._rng.draw("gamma", work, shape, events + df / 2)

    # ---- by rejection ----

    def standard_gamma(self, shape, size=None, dtype=float):
        """Numbers of the gamma distribution with scale 1.

        By rejection (Marsaglia and Tsang, 2000).

        Args:
            shape: Its shape, not negative: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of ``shape``.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A shape is negative, or the parameters do not broadcast to ``size``.

        >>> tombac.random.standard_gamma(2.0, size=4).shape
        (4,)
        """
        return self._standard_gamma(shape, size, dtype)

    def gamma(self, shape, scale=1.0, size=None, dtype=float):
        """Numbers of the gamma distribution.

        By rejection (Marsaglia and Tsang, 2000).

        Args:
            shape, scale: Its shape and scale, not negative: numbers or arrays.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A shape or a scale is negative, or the parameters do not broadcast to ``size``.

        >>> tombac.random.gamma(2.0, 3.0, size=4).shape
        (4,)
        """
        dtype = float_dtype("gamma", dtype)
        self._check("gamma", shape, scale)
        work = working(dtype)
        shape, scale = parameter(shape), real_parameter(scale, work)
        x = self._rng.draw("gamma", work, common_shape(size, shape, scale), shape)
        return (x * scale if _counts(scale) else x).astype(dtype, copy=False)

    def beta(self, a, b, size=None, dtype=float):
        """Numbers of the beta distribution.

        By rejection (Cheng, 1978).

        Args:
            a, b: Its shapes, positive: numbers or arrays.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A shape is not positive, or the parameters do not broadcast to ``size``.

        >>> tombac.random.beta(2.0, 3.0, size=4).shape
        (4,)
        """
        dtype = float_dtype("beta", dtype)
        self._check("beta", a, b)
        return self._rng.draw("beta", dtype, size, parameter(a), parameter(b))

    def chisquare(self, df, size=None, dtype=float):
        """Numbers of the chi-square distribution.

        Args:
            df: Its degrees of freedom, positive: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of ``df``.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A number of degrees is not positive, or the parameters do not broadcast to ``size``.

        >>> tombac.random.chisquare(3, size=4).shape
        (4,)
        """
        dtype = float_dtype("chisquare", dtype)
        self._check("chisquare", df)
        return self._chisquare(df, size, working(dtype)).astype(dtype, copy=False)

    def noncentral_chisquare(self, df, nonc, size=None, dtype=float):
        """Numbers of the noncentral chi-square distribution.

        The square of a normal number around ``sqrt(nonc)``, and a chi-square number of the other degrees of freedom;
        where ``df`` is an array, or at most 1, a chi-square number with two more degrees of freedom for each event of
        a Poisson distribution of mean ``nonc / 2``.

        Args:
            df: Its degrees of freedom, positive: a number or an array.
            nonc: Its noncentrality, not negative: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: A real dtype.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is complex.
            ValueError: ``df`` is not positive, or ``nonc`` is negative, or the parameters do not broadcast to
                ``size``.

        >>> tombac.random.noncentral_chisquare(3, 1.0, size=4).shape
        (4,)
        """
        dtype = count_dtype("noncentral_chisquare", np.float64 if dtype in (None, float) else dtype)
        self._check("noncentral_chisquare", df, nonc)
        return self._noncentral_chisquare(df, nonc, size, working(dtype)).astype(dtype, copy=False)

    def f(self, dfnum, dfden, size=None, dtype=float):
        """Numbers of the F distribution.

        A gamma number divided by another one, by their logarithms unless both degrees are numbers and not small: so
        degrees near 0 do not divide 0 by 0.

        Args:
            dfnum, dfden: Degrees of freedom of numerator and denominator, positive: numbers or arrays.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A number of degrees is not positive, or the parameters do not broadcast to ``size``.

        >>> tombac.random.f(3, 5, size=4).shape
        (4,)
        """
        dtype = float_dtype("f", dtype)
        self._check("f", dfnum, dfden)
        work = working(dtype)
        above, below = real_parameter(dfnum, work), real_parameter(dfden, work)
        shapes = above / 2, below / 2
        direct = divides(work, *shapes)
        size = common_shape(size, *shapes)
        x, y = (self._rng.draw("gamma" if direct else "log_gamma", work, size, p) for p in shapes)
        ratio = x / y if direct else _core.exp(x - y)
        return (ratio * (below / above)).astype(dtype, copy=False)

    def noncentral_f(self, dfnum, dfden, nonc, size=None, dtype=float):
        """Numbers of the noncentral F distribution.

        Args:
            dfnum, dfden: Degrees of freedom of numerator and denominator, positive: numbers or arrays.
            nonc: The numerator's noncentrality, not negative: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: A real dtype.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is complex.
            ValueError: A number of degrees is not positive, or ``nonc`` is negative, or the parameters do not
                broadcast to ``size``.

        >>> tombac.random.noncentral_f(3, 5, 1.0, size=4).shape
        (4,)
        """
        dtype = count_dtype("noncentral_f", np.float64 if dtype in (None, float) else dtype)
        self._check("noncentral_f", dfnum, dfden, nonc)
        work = working(dtype)
        above, below, nonc = (real_parameter(p, work) for p in (dfnum, dfden, nonc))
        shape = common_shape(size, *(p for p in (above, below, nonc)))
        x = self._noncentral_chisquare(above, nonc, shape, work) / above
        return (x / (self._chisquare(below, shape, work) / below)).astype(dtype, copy=False)

    def standard_t(self, df, size=None, dtype=float):
        """Numbers of Student's t distribution.

        Args:
            df: Its degrees of freedom, positive: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of ``df``.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A number of degrees is not positive, or the parameters do not broadcast to ``size``.

        >>> tombac.random.standard_t(3, size=4).shape
        (4,)
        """
        dtype = float_dtype("standard_t", dtype)
        self._check("standard_t", df)
        work = working(dtype)
        half = real_parameter(df, work) / 2
        z = self._rng.draw("normal", work, common_shape(size, half), 0.0, 1.0)
        g = self._rng.draw("gamma", work, common_shape(size, half), half)
        return (z * _core.sqrt(half / g)).astype(dtype, copy=False)

    def vonmises(self, mu, kappa, size=None, dtype=float):
        """Angles of von Mises' distribution, in [-pi, pi].

        By rejection (Best and Fisher, 1979).

        Args:
            mu: The mode, an angle in radians: a number or an array.
            kappa: The concentration, not negative: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A concentration is negative, or the parameters do not broadcast to ``size``.

        >>> tombac.random.vonmises(0.0, 2.0, size=4).shape
        (4,)
        """
        dtype = float_dtype("vonmises", dtype)
        self._check("vonmises", mu, kappa)
        work = working(dtype)
        mu, kappa = real_parameter(mu, work), parameter(kappa)
        x = self._rng.draw("vonmises", work, common_shape(size, mu, kappa), kappa)
        if _counts(mu, 0):
            x = x + mu
            x = x - 2 * np.pi * _core.rint(x * (0.5 / np.pi))
        return x.astype(dtype, copy=False)

    # ---- by transformation ----

    def lognormal(self, mean=0.0, sigma=1.0, size=None, dtype=float):
        """The exponential of normal draws.

        Args:
            mean, sigma: Mean and standard deviation of the normal draws, the latter not negative: numbers or
                arrays.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: ``sigma`` is negative, or the parameters do not broadcast to ``size``.

        >>> tombac.random.lognormal(0.0, 0.5, size=3).shape
        (3,)
        """
        dtype = float_dtype("lognormal", dtype)
        self._check("lognormal", mean, sigma)
        return _core.exp(self._normals(mean, sigma, size, working(dtype))).astype(dtype, copy=False)

    def laplace(self, loc=0.0, scale=1.0, size=None, dtype=float):
        """Numbers of the double exponential distribution.

        Args:
            loc, scale: Its centre and its width, which is not negative: numbers or arrays.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A width is negative, or the parameters do not broadcast to ``size``.

        >>> tombac.random.laplace(size=4).shape
        (4,)
        """
        self._check("laplace", loc, scale)

        def f(x, loc, scale):
            x = 2 * x - 1
            return loc - scale * _core.copysign(_core.log1p(-abs(x)), x)

        return self._transformed("laplace", "uniform", f, size, dtype, loc, scale)

    def logistic(self, loc=0.0, scale=1.0, size=None, dtype=float):
        """Numbers of the logistic distribution.

        Args:
            loc, scale: Its centre and its width, which is not negative: numbers or arrays.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A width is negative, or the parameters do not broadcast to ``size``.

        >>> tombac.random.logistic(size=4).shape
        (4,)
        """
        self._check("logistic", loc, scale)

        def f(x, loc, scale):
            return loc + scale * _core.log(_above_0(x) / (1 - x))

        return self._transformed("logistic", "uniform", f, size, dtype, loc, scale)

    def gumbel(self, loc=0.0, scale=1.0, size=None, dtype=float):
        """Numbers of Gumbel's extreme value distribution.

        Args:
            loc, scale: Its mode and its width, which is not negative: numbers or arrays.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A width is negative, or the parameters do not broadcast to ``size``.

        >>> tombac.random.gumbel(size=4).shape
        (4,)
        """
        self._check("gumbel", loc, scale)

        def f(x, loc, scale):
            return loc - scale * _core.log(_above_0(x))

        return self._transformed("gumbel", "exponential", f, size, dtype, loc, scale)

    def pareto(self, a, size=None, dtype=float):
        """Numbers of the Pareto II (Lomax) distribution.

        Args:
            a: Its shape, positive: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of ``a``.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A shape is not positive, or the parameters do not broadcast to ``size``.

        >>> tombac.random.pareto(3.0, size=4).shape
        (4,)
        """
        self._check("pareto", a)

        def f(x, a):
            return _core.expm1(x / a)

        return self._transformed("pareto", "exponential", f, size, dtype, a)

    def power(self, a, size=None, dtype=float):
        """Numbers of the power distribution on [0, 1], whose density is proportional to x**(a - 1).

        Args:
            a: Its exponent plus one, positive: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of ``a``.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: An exponent is out of range, or the parameters do not broadcast to ``size``.

        >>> tombac.random.power(3.0, size=4).shape
        (4,)
        """
        self._check("power", a)

        def f(x, a):
            return _core.exp(-x / a)

        return self._transformed("power", "exponential", f, size, dtype, a)

    def rayleigh(self, scale=1.0, size=None, dtype=float):
        """Numbers of the Rayleigh distribution.

        Args:
            scale: Its mode, not negative: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of ``scale``.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A scale is negative, or the parameters do not broadcast to ``size``.

        >>> tombac.random.rayleigh(size=4).shape
        (4,)
        """
        self._check("rayleigh", scale)

        def f(x, scale):
            return scale * _core.sqrt(2 * x)

        return self._transformed("rayleigh", "exponential", f, size, dtype, scale)

    def weibull(self, a, size=None, dtype=float):
        """Numbers of the Weibull distribution of scale 1.

        Args:
            a: Its shape, not negative: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of ``a``.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A shape is negative, or the parameters do not broadcast to ``size``.

        >>> tombac.random.weibull(2.0, size=4).shape
        (4,)
        """
        self._check("weibull", a)

        def f(x, a):
            if not isinstance(a, _core.ndarray):
                return x * 0 if a == 0 else x if a == 1 else _core.sqrt(x) if a == 2 else _core.power(x, 1 / a)
            return _core.where(a == 0, 0, _core.power(x, 1 / a))

        return self._transformed("weibull", "exponential", f, size, dtype, a)

    def standard_cauchy(self, size=None, dtype=float):
        """Numbers of the Cauchy distribution with mode 0.

        Args:
            size: The shape: an int, a tuple of them, or None for no dimensions.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.

        >>> tombac.random.standard_cauchy(4).shape
        (4,)
        """
        return self._transformed("standard_cauchy", "uniform", lambda x: _core.tan(np.pi * (x - 0.5)), size, dtype)

    def triangular(self, left, mode, right, size=None, dtype=float):
        """Numbers of the triangular distribution.

        Args:
            left, right: The ends of the interval: numbers or arrays.
            mode: Where the density is greatest: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: The parameters are not in order, or the ends are equal, or the parameters do not broadcast
                to ``size``.

        >>> tombac.random.triangular(0.0, 1.0, 4.0, size=5).shape
        (5,)
        """
        self._check("triangular", left, mode, right)

        def f(x, left, mode, right):
            width = right - left
            low = left + _core.sqrt(x * (width * (mode - left)))
            return _core.where(x * width < mode - left, low, right - _core.sqrt((1 - x) * (width * (right - mode))))

        return self._transformed("triangular", "uniform", f, size, dtype, left, mode, right)

    def wald(self, mean, scale, size=None, dtype=float):
        """Numbers of the inverse Gaussian distribution.

        By two roots of a quadratic (Michael, Schucany and Haas, 1976), which are written as the mean times and
        divided by one number, so that nothing cancels.

        Args:
            mean, scale: Its mean and shape, positive: numbers or arrays.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, bfloat16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: A mean or a shape is not positive, or the parameters do not broadcast to ``size``.

        >>> tombac.random.wald(1.0, 2.0, size=4).shape
        (4,)
        """
        self._check("wald", mean, scale)
        dtype = float_dtype("wald", dtype)
        work = working(dtype)
        mean, scale = real_parameter(mean, work), real_parameter(scale, work)
        shape = common_shape(size, mean, scale)
        z = abs(self._rng.draw("normal", work, shape, 0.0, 1.0))
        ratio = mean / (4 * scale)
        g = z * (math.sqrt(ratio) if isinstance(ratio, float) else _core.sqrt(ratio))
        root = _core.square(g + _core.sqrt(_core.square(g) + 1))
        u = self._rng.draw("uniform", work, shape, 0.0, 1.0)
        return (mean * _core.where(u * (1 + root) <= root, 1 / root, root)).astype(dtype, copy=False)
