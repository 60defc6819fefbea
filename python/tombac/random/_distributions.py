"""Random numbers of many distributions, as compositions of uniform, normal and exponential draws.

``Draws`` is what Generator and RandomState share: it needs ``self._rng``. Parameters may be arrays; they are broadcast,
and the result has the broadcast shape unless ``size`` is given. Results are deferred like any elementwise expression.
"""

import math
import operator

from tombac import _core
from tombac._numpy import np


def _float_dtype(name, dtype):
    if dtype is float or dtype is None:
        return np.dtype(np.float64)
    dtype = np.dtype(dtype)
    if dtype.char not in "efd":
        raise TypeError(f"{name}: dtype must be float16, float32 or float64, not {dtype}")
    return dtype


def _is_number(x):
    return isinstance(x, (bool, int, float, np.number, np.bool_))


def _parameter(x):
    """A parameter as a number or a device array."""
    if _is_number(x) or isinstance(x, _core.ndarray):
        return x
    return _core.asarray(x)


def _shape(size, *parameters):
    """The result's shape: ``size``, or that of the parameters broadcast."""
    shapes = [p.shape for p in parameters if isinstance(p, _core.ndarray)]
    own = np.broadcast_shapes(*shapes) if shapes else None
    if size is None:
        return own
    size = (operator.index(size),) if np.ndim(size) == 0 else tuple(operator.index(n) for n in size)
    if own is not None and np.broadcast_shapes(own, size) != size:
        raise ValueError(f"size {size} does not fit parameters of shape {own}")
    return size


def _check(name, what, ok, p):
    """ValueError unless the number p is in range; arrays are not read, as that would wait for the device."""
    if _is_number(p) and not ok(p):
        raise ValueError(f"{name}: {what}, got {p}")


@_core._add_draws
class Draws:
    """Draws from distributions over one random stream.

    The extension gives it ``uniform``, ``normal``, ``exponential`` and the standard ones of them; what they are for
    parameters that are arrays is here.
    """

    _rng = None

    def _unit(self, dtype, size):
        return self._rng.draw("uniform", dtype, size, 0.0, 1.0)

    def _uniform(self, low, high, size, dtype):
        low, high = _parameter(low), _parameter(high)
        x = (low + self._unit(dtype, _shape(size, low, high)) * (high - low)).astype(dtype, copy=False)
        low, high = (_core.array(p).astype(dtype) for p in (low, high))
        end = _core.nextafter(high, low)
        return _core.where(low < high, _core.minimum(x, end), _core.maximum(x, end))

    def _normal(self, loc, scale, size, dtype):
        loc, scale = _parameter(loc), _parameter(scale)
        z = self._rng.draw("normal", dtype, _shape(size, loc, scale), 0.0, 1.0)
        return (loc + z * scale).astype(dtype, copy=False)

    def _exponential(self, scale, size, dtype):
        scale = _parameter(scale)
        return (self._rng.draw("exponential", dtype, _shape(size, scale), 1.0) * scale).astype(dtype, copy=False)

    def _integers(self, low, high, size, dtype, inclusive):
        """64 random bits reduced to each range; the bias is below (high - low) / 2**64."""
        low, high = _parameter(low), _parameter(high)
        span = (high - low + (1 if inclusive else 0)).astype(np.uint64)
        bits = self._rng.draw("bits", np.uint64, _shape(size, low, high))
        return ((bits % span).astype(np.int64) + low).astype(dtype)

    # ---- distributions by transformation ----

    def lognormal(self, mean=0.0, sigma=1.0, size=None, dtype=float):
        """The exponential of normal draws.

        Args:
            mean, sigma: Mean and standard deviation of the normal draws: numbers or arrays.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: The parameters do not broadcast to ``size``.

        >>> tombac.random.lognormal(0.0, 0.5, size=3).shape
        (3,)
        """
        return _core.exp(self.normal(mean, sigma, size, dtype))

    def _inverse(self, name, function, size, dtype, *parameters):
        """function(u, *parameters) for uniform u in (0, 1]."""
        dtype = _float_dtype(name, dtype)
        parameters = [_parameter(p) for p in parameters]
        work = np.dtype(np.float32) if dtype.char == "e" else dtype
        u = 1 - self._unit(work, _shape(size, *parameters))
        return function(u, *parameters).astype(dtype, copy=False)

    def laplace(self, loc=0.0, scale=1.0, size=None, dtype=float):
        """Numbers of the double exponential distribution.

        Args:
            loc, scale: Its centre and width: numbers or arrays.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: The parameters do not broadcast to ``size``.

        >>> tombac.random.laplace(size=(2, 3)).shape
        (2, 3)
        """

        def f(u, loc, scale):
            side = _core.where(u < 0.5, _core.log(2 * u), -_core.log(_open(2 * (1 - u))))
            return loc + scale * side

        return self._inverse("laplace", f, size, dtype, loc, scale)

    def logistic(self, loc=0.0, scale=1.0, size=None, dtype=float):
        """Numbers of the logistic distribution.

        Args:
            loc, scale: Its centre and width: numbers or arrays.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: The parameters do not broadcast to ``size``.

        >>> tombac.random.logistic(size=(2, 3)).shape
        (2, 3)
        """
        return self._inverse("logistic", lambda u, m, s: m + s * (_core.log(u) - _core.log(_open(1 - u))), size, dtype,
            loc,
                             scale)

    def gumbel(self, loc=0.0, scale=1.0, size=None, dtype=float):
        """Numbers of Gumbel's extreme value distribution.

        Args:
            loc, scale: Its mode and width: numbers or arrays.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: The parameters do not broadcast to ``size``.

        >>> tombac.random.gumbel(size=(2, 3)).shape
        (2, 3)
        """
        return self._inverse("gumbel", lambda u, m, s: m - s * _core.log(_open(-_core.log(u))), size, dtype, loc, scale)

    def pareto(self, a, size=None, dtype=float):
        """Numbers of the Pareto II (Lomax) distribution.

        Args:
            a: Its shape, positive: a number or an array, which is not looked at.
            size: The shape of the result: an int, a tuple of them, or None for that of ``a``.
            dtype: float16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: The number ``a`` is not positive, or ``a`` does not broadcast to ``size``.

        >>> tombac.random.pareto(3.0, size=4).shape
        (4,)
        """
        _check("pareto", "a must be positive", lambda p: p > 0, a)
        return self._inverse("pareto", lambda u, a: _core.expm1(-_core.log(u) / a), size, dtype, a)

    def power(self, a, size=None, dtype=float):
        """Numbers of the power distribution on [0, 1], whose density is proportional to x**(a - 1).

        Args:
            a: Its exponent plus one, positive: a number or an array, which is not looked at.
            size: The shape: an int, a tuple of them, or None for that of ``a``.
            dtype: float16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: The number ``a`` is not positive, or ``a`` does not broadcast to ``size``.

        >>> tombac.random.power(3.0, size=4).shape
        (4,)
        """
        _check("power", "a must be positive", lambda p: p > 0, a)
        return self._inverse("power", lambda u, a: _core.power(u, 1.0 / a), size, dtype, a)

    def rayleigh(self, scale=1.0, size=None, dtype=float):
        """Numbers of the Rayleigh distribution.

        Args:
            scale: Its mode, not negative: a number or an array, which is not looked at.
            size: The shape: an int, a tuple of them, or None for that of ``scale``.
            dtype: float16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: The number ``scale`` is negative, or ``scale`` does not broadcast to ``size``.

        >>> tombac.random.rayleigh(size=4).shape
        (4,)
        """
        _check("rayleigh", "scale must not be negative", lambda p: p >= 0, scale)
        return self._inverse("rayleigh", lambda u, s: s * _core.sqrt(-2 * _core.log(u)), size, dtype, scale)

    def weibull(self, a, size=None, dtype=float):
        """Numbers of the Weibull distribution of scale 1.

        Args:
            a: Its shape, not negative: a number or an array, which is not looked at.
            size: The shape of the result: an int, a tuple of them, or None for that of ``a``.
            dtype: float16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: The number ``a`` is negative, or ``a`` does not broadcast to ``size``.

        >>> tombac.random.weibull(2.0, size=4).shape
        (4,)
        """
        _check("weibull", "a must not be negative", lambda p: p >= 0, a)
        return self._inverse("weibull", lambda u, a: _core.power(-_core.log(u), 1.0 / a), size, dtype, a)

    def standard_cauchy(self, size=None, dtype=float):
        """Numbers of the Cauchy distribution with mode 0.

        Args:
            size: The shape: an int, a tuple of them, or None for no dimensions.
            dtype: float16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.

        >>> tombac.random.standard_cauchy(4).shape
        (4,)
        """
        return self._inverse("standard_cauchy", lambda u: _core.tan(np.pi * (u - 0.5)), size, dtype)

    def triangular(self, left, mode, right, size=None, dtype=float):
        """Numbers of the triangular distribution.

        Args:
            left, right: The ends of the interval: numbers or arrays, which are not looked at.
            mode: Where the density is greatest: a number or an array.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: The numbers are not in order, or the parameters do not broadcast to ``size``.

        >>> tombac.random.triangular(0.0, 1.0, 4.0, size=5).shape
        (5,)
        """
        if all(_is_number(p) for p in (left, mode, right)) and not (left <= mode <= right and left < right):
            raise ValueError("triangular: left <= mode <= right and left < right must hold")

        def f(u, left, mode, right):
            width = right - left
            cut = (mode - left) / width
            low = left + _core.sqrt(u * width * (mode - left))
            return _core.where(u < cut, low, right - _core.sqrt((1 - u) * width * (right - mode)))

        return self._inverse("triangular", f, size, dtype, left, mode, right)

    def geometric(self, p, size=None, dtype=int):
        """How many trials it takes until the first one succeeds.

        Args:
            p: The probability of a success, in (0, 1]: a number or an array, which is not looked at.
            size: The shape: an int, a tuple of them, or None for that of ``p``.
            dtype: A dtype of integers.

        Returns:
            An array.

        Raises:
            ValueError: The number ``p`` is not in (0, 1], or ``p`` does not broadcast to ``size``.

        >>> bool((tombac.random.geometric(0.5, size=10) >= 1).all())
        True
        """
        _check("geometric", "p must be in (0, 1]", lambda p: 0 < p <= 1, p)
        p = _parameter(p)
        u = 1 - self._unit(np.dtype(np.float64), _shape(size, p))
        n = _core.ceil(_core.log(u) / _core.log1p(-p)) if not (_is_number(p) and p == 1) else u * 0
        return _core.maximum(n, 1).astype(dtype)

    def wald(self, mean, scale, size=None, dtype=float):
        """Numbers of the inverse Gaussian distribution.

        Args:
            mean, scale: Its mean and shape, positive: numbers or arrays, which are not looked at.
            size: The shape: an int, a tuple of them, or None for that of the parameters together.
            dtype: float16, float32 or float64.

        Returns:
            An array.

        Raises:
            TypeError: ``dtype`` is none of these.
            ValueError: The parameters do not broadcast to ``size``.

        >>> tombac.random.wald(1.0, 2.0, size=4).shape
        (4,)
        """
        dtype = _float_dtype("wald", dtype)
        mean, scale = _parameter(mean), _parameter(scale)
        shape = _shape(size, mean, scale)
        work = np.dtype(np.float32) if dtype.char == "e" else dtype
        y = mean * _core.square(self._rng.draw("normal", work, shape, 0.0, 1.0))
        x = mean + mean / (2 * scale) * (y - _core.sqrt(4 * scale * y + _core.square(y)))
        u = self._unit(work, shape)
        return _core.where(u <= mean / (mean + x), x, mean * mean / x).astype(dtype, copy=False)

    # ---- selections ----

    def _choice(self, a, size, replace, p):
        """A sample from a or from range(a)."""
        population = a if isinstance(a, _core.ndarray) else operator.index(a) if np.ndim(a) == 0 else _core.asarray(a)
        n = population if isinstance(population, int) else population.shape[0]
        if n <= 0:
            raise ValueError("choice: a must be positive, or an array that is not empty")
        count = 1 if size is None else math.prod(_shape(size))
        if not replace:
            raise NotImplementedError(
                "choice: a sample without replacement is not supported; use replace=True"
            )
        if p is None:
            index = self._rng.draw("integers", np.int64, size, 0, n - 1)
        else:
            p = p if isinstance(p, _core.ndarray) else _core.asarray(p)
            if p.shape != (n,):
                raise ValueError(f"choice: p has shape {p.shape}, a has {n} elements")
            edges = _core.cumsum(p.astype(np.float64))
            u = self._unit(np.dtype(np.float64), (count,)) * edges[-1]
            index = _core.minimum(_core.sum(edges.reshape(1, -1) <= u.reshape(-1, 1), 1), n - 1)
            index = index.reshape(() if size is None else _shape(size))
        return index if isinstance(population, int) else population[index]

    def bytes(self, length):
        """Random bytes, on the host.

        Args:
            length: How many.

        Returns:
            A bytes object.

        Raises:
            TypeError: ``length`` is no int.
            ValueError: It is negative.

        >>> len(tombac.random.bytes(5))
        5
        """
        if length < 0:
            raise ValueError(f"bytes: length must not be negative, it is {length}")
        return self._rng.draw("bits", np.uint64, (length + 7) // 8).tobytes()[:length]


def _open(u):
    """u kept away from zero, for a logarithm."""
    return _core.maximum(u, np.finfo(u.dtype).tiny)
