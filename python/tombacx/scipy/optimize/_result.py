"""What optimizers give, bounds, and derivatives by differences."""

import tombac
from tombac._numpy import np

__all__ = [
    "Bounds", "OptimizeResult", "approx_fprime", "bounds_of", "by_complex_steps", "check_grad", "differences", "limits",
    "point",
]


class OptimizeResult(dict):
    """What an optimizer found: a dict whose keys are attributes too."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__

    def __dir__(self):
        return list(self.keys())

    def __repr__(self):
        """An item a line, as SciPy's."""
        width = max(map(len, self), default=0) + 2
        lines = (key.rjust(width) + ": " + repr(value).replace("\n", "\n" + " " * (width + 2))
                 for key, value in self.items())
        return "\n".join(lines) or "OptimizeResult()"


class Bounds:
    """Bounds of variables: ``lb`` and ``ub``, numbers or arrays; ``keep_feasible`` is for methods of SciPy's."""

    def __init__(self, lb=-np.inf, ub=np.inf, keep_feasible=False):
        self.lb, self.ub, self.keep_feasible = lb, ub, keep_feasible

    def __repr__(self):
        return f"Bounds({self.lb!r}, {self.ub!r})"

    def residual(self, x):
        """How far a point is above the lower bounds and below the upper ones: a tuple of two arrays."""
        x = tombac.asarray(x)
        return x - tombac.asarray(self.lb), tombac.asarray(self.ub) - x


def bounds_of(name, bounds, n):
    """The least and the greatest that each of n variables may be: two vectors, or (None, None) without any bound."""
    if bounds is None:
        return None, None
    if hasattr(bounds, "lb"):
        low, high = bounds.lb, bounds.ub
    else:
        pairs = [tuple(pair) for pair in bounds]
        if len(pairs) != n or any(len(pair) != 2 for pair in pairs):
            raise ValueError(f"{name}: bounds must be {n} pairs of numbers, not {len(pairs)}")
        low = [-np.inf if pair[0] is None else float(pair[0]) for pair in pairs]
        high = [np.inf if pair[1] is None else float(pair[1]) for pair in pairs]
    return limits(name, low, high, n)


def limits(name, low, high, n):
    """As bounds_of, of two numbers or vectors."""
    vectors = []
    for v in (low, high):
        v = tombac.asarray(v, "d")
        if v.ndim > 1 or (v.ndim and v.shape[0] not in (1, n)):
            raise ValueError(f"{name}: bounds of shape {v.shape} do not fit {n} variables")
        vectors.append(tombac.broadcast_to(v.reshape(-1), (n,)))
    low, high = vectors
    wrong, some = tombac.stack([(~(low <= high)).any(), (tombac.isfinite(low) | tombac.isfinite(high)).any()]).tolist()
    if wrong:
        raise ValueError(f"{name}: a lower bound is greater than the upper one")
    return (low, high) if some else (None, None)


def point(name, x0):
    """The first point: a real vector of float64."""
    x = tombac.asarray(x0)
    if x.dtype.kind not in "biuf" or x.ndim > 1:
        raise ValueError(f"{name}: x0 must be a real vector, not of {x.dtype} and shape {x.shape}")
    return x.astype("d", copy=True).reshape(-1)


def differences(f, x, at_x, central=False, steps=None):
    """The derivatives of a function of a vector by each element, along the last axis: n calls, or twice as many."""
    if steps is None:
        steps = np.finfo("d").eps ** (1 / 3 if central else 1 / 2) * tombac.maximum(abs(x), 1.0)
        steps = tombac.copysign(steps, x)
        steps = (x + steps) - x  # which can be represented
    itself, columns = tombac.arange(x.size), []
    for i in range(x.size):
        step = tombac.where(itself == i, steps, 0.0)
        below = f(x - step) if central else at_x
        columns.append((f(x + step) - below) / (2 * steps[i] if central else steps[i]))
    return tombac.stack(columns, axis=-1)


def by_complex_steps(f, x):
    """The derivatives of an analytic function of a vector by each element, along the last axis, without differences
    that digits are lost in (Squire and Trapp, SIAM Review 40, 1998): n calls."""
    steps = 2.0**-26 * tombac.maximum(abs(x), 1.0)
    itself = tombac.arange(x.size)
    columns = [tombac.asarray(f(x + 1j * tombac.where(itself == i, steps, 0.0))).imag / steps[i] for i in range(x.size)]
    return tombac.stack(columns, axis=-1)


_STEP = 2.0**-26  # the root of the numbers' precision


def approx_fprime(xk, f, epsilon=_STEP, *args):
    """The derivatives of a function of a vector by differences.

    Args:
        xk: Where: a real vector, or a number.
        f: A function of a vector that gives a number or a vector of the device.
        epsilon: How long the steps are: a number, or a vector of ``xk``'s length.
        args: Further arguments of ``f``.

    Returns:
        An array of shape (variables,), or (values, variables) if ``f`` gives several values.

    Raises:
        ValueError: ``xk`` is no real vector, or ``epsilon`` does not fit.

    >>> tombacx.scipy.optimize.approx_fprime(tombac.array([1.0, 3.0]), lambda x: (x**2).sum()).round(6)
    array([2., 6.])
    """
    x = point("approx_fprime", xk)
    steps = tombac.asarray(epsilon, "d")
    if steps.ndim > 1 or (steps.ndim and steps.shape != x.shape):
        raise ValueError(f"approx_fprime: epsilon of shape {steps.shape} does not fit {x.size} variables")
    steps = tombac.broadcast_to(steps, x.shape)

    def value(x):
        v = tombac.asarray(f(x, *args), "d")
        return v.reshape(()) if v.size == 1 else v

    return differences(value, x, value(x), steps=steps)


def check_grad(func, grad, x0, *args, epsilon=_STEP, direction="all", rng=None, seed=None):
    """How far a gradient is from differences: the root of the sum of squares.

    Args:
        func: A function of a vector that gives a number of the device.
        grad: Its gradient: a function of a vector.
        x0: Where: a real vector, or a number.
        args: Further arguments of both.
        epsilon: How long the steps are.
        direction: 'all': by each variable; 'random': along one direction of normal numbers.
        rng: The generator of the direction, or its seed, or None.
        seed: Another name of ``rng``.

    Returns:
        A float.

    Raises:
        ValueError: There is no such direction, or ``x0`` is no real vector.

    >>> round(tombacx.scipy.optimize.check_grad(lambda x: (x**2).sum(), lambda x: 2 * x, tombac.array([1.0, 3.0])), 4)
    0.0
    """
    if direction not in ("all", "random"):
        raise ValueError(f"check_grad: direction must be 'all' or 'random', not {direction!r}")
    x = point("check_grad", x0)
    slope = tombac.asarray(grad(x, *args), "d").reshape(x.shape)
    if direction == "random":
        rng = seed if rng is None else rng
        rng = rng if isinstance(rng, tombac.random.Generator) else tombac.random.default_rng(rng)
        along, start = rng.standard_normal(x.shape), x
        x, slope = tombac.zeros(1), (slope @ along).reshape(1)
        by_differences = approx_fprime(x, lambda t: func(start + t * along, *args), epsilon)
    else:
        by_differences = approx_fprime(x, func, epsilon, *args)
    return float(tombac.sqrt(tombac.square(slope - by_differences).sum()).item())
