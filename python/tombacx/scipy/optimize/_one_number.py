"""Roots and least values of functions of one number, found step by step by SciPy on the host.

Each step depends on the sign or size of the last value, which the host waits for. Many such problems at once are solved
by ``tombacx.scipy.optimize.elementwise`` without these waits.
"""

from tombac import _core
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombacx.scipy._host import OfSciPy
from tombacx.scipy.optimize._newton import newton_of_arrays

__all__ = [
    "bisect", "brenth", "brentq", "minimize_scalar", "newton", "ridder", "root_scalar", "toms748",
]

HostValues, _on_host = _core.HostValues, _core._on_host
_of_scipy = OfSciPy("scipy.optimize")
_XTOL, _RTOL = 2e-12, 4 * 2.0**-52

_documented = with_rows(
    f="f: A function of a float that gives a number, of the device or the host.",
    ab="a, b: The ends of the bracket: numbers at which the signs differ.",
    args="args: Further arguments of the function: a tuple.",
    xtol="xtol: How far from the root the result may be.",
    rtol="rtol: How far it may be besides, by the size of the root: at least four times the numbers' precision.",
    maxiter="maxiter: How many steps may be taken.",
    full_output="full_output: Whether the second result is wanted.",
    disp="disp: Whether a search that has not converged is an error.",
    returns="A float, the root; with ``full_output`` a tuple of it and SciPy's RootResults.",
    refusals="""ImportError: SciPy is not installed.
        ValueError: The signs do not differ, or a tolerance is out of range.
        RuntimeError: There were not enough steps.""",
)


def _number(f):
    """A function whose values are numbers of the host."""
    return HostValues(f) if f is not None and callable(f) else f


def _plain(x):
    return x.item() if isinstance(x, (_core.ndarray, np.generic)) else x


def _make_plain(found, *names):
    """The same result of SciPy's, with Python's numbers in those entries."""
    for name in names:
        x = found[name]
        if type(x) is not float:
            found[name] = float(x) if isinstance(x, float) else _plain(x)
    return found


def _found(found):
    """What SciPy found, as numbers of Python's."""
    if type(found) is float:
        return found
    if isinstance(found, tuple):
        return _plain(found[0]), _make_plain(found[1], "root")
    return _plain(found)


@_documented
def bisect(f, a, b, args=(), xtol=_XTOL, rtol=_RTOL, maxiter=100, full_output=False, disp=True):
    """A root of a function of one number by bisection; found by SciPy on the host.

    Args:
        {f}
        {ab}
        {args}
        {xtol}
        {rtol}
        {maxiter}
        {full_output}
        {disp}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> round(tombacx.scipy.optimize.bisect(lambda x: x**2 - 2, 0.0, 2.0), 6)
    1.414214
    """
    return _found(_of_scipy.bisect(HostValues(f), a, b, args, xtol, rtol, maxiter, full_output, disp))


@_documented
def brentq(f, a, b, args=(), xtol=_XTOL, rtol=_RTOL, maxiter=100, full_output=False, disp=True):
    """A root of a function of one number by Brent's method; found by SciPy on the host.

    Args:
        {f}
        {ab}
        {args}
        {xtol}
        {rtol}
        {maxiter}
        {full_output}
        {disp}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> round(tombacx.scipy.optimize.brentq(lambda x: x**2 - 2, 0.0, 2.0), 6)
    1.414214
    """
    return _found(_of_scipy.brentq(HostValues(f), a, b, args, xtol, rtol, maxiter, full_output, disp))


@_documented
def brenth(f, a, b, args=(), xtol=_XTOL, rtol=_RTOL, maxiter=100, full_output=False, disp=True):
    """A root of a function of one number by Brent's method with hyperbolas; found by SciPy on the host.

    Args:
        {f}
        {ab}
        {args}
        {xtol}
        {rtol}
        {maxiter}
        {full_output}
        {disp}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> round(tombacx.scipy.optimize.brenth(lambda x: x**2 - 2, 0.0, 2.0), 6)
    1.414214
    """
    return _found(_of_scipy.brenth(HostValues(f), a, b, args, xtol, rtol, maxiter, full_output, disp))


@_documented
def ridder(f, a, b, args=(), xtol=_XTOL, rtol=_RTOL, maxiter=100, full_output=False, disp=True):
    """A root of a function of one number by Ridder's method; found by SciPy on the host.

    Args:
        {f}
        {ab}
        {args}
        {xtol}
        {rtol}
        {maxiter}
        {full_output}
        {disp}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> round(tombacx.scipy.optimize.ridder(lambda x: x**2 - 2, 0.0, 2.0), 6)
    1.414214
    """
    return _found(_of_scipy.ridder(HostValues(f), a, b, args, xtol, rtol, maxiter, full_output, disp))


@_documented
def toms748(f, a, b, args=(), k=1, xtol=_XTOL, rtol=_RTOL, maxiter=100, full_output=False, disp=True):
    """A root of a function of one number by the method of Alefeld, Potra and Shi; found by SciPy on the host.

    Args:
        {f}
        {ab}
        {args}
        k: How many steps of Newton's a step has: a positive whole number.
        {xtol}
        {rtol}
        {maxiter}
        {full_output}
        {disp}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> round(tombacx.scipy.optimize.toms748(lambda x: x**2 - 2, 0.0, 2.0), 6)
    1.414214
    """
    a, b = _on_host((a, b))
    return _found(_of_scipy.toms748(HostValues(f), a, b, args, k, xtol, rtol, maxiter, full_output, disp))


@_documented
def newton(func, x0, fprime=None, args=(), tol=1.48e-8, maxiter=50, fprime2=None, x1=None, rtol=0.0,
           full_output=False, disp=True):
    """A root of a function of one number near another, or of each element of an array of them.

    Args:
        func: A function of a number that gives one; of an array, elementwise, if ``x0`` is one.
        x0: Where to begin: a number, or an array, real or complex.
        fprime: The derivative, with which the method is Newton's; without one it is that of secants.
        {args}
        tol: How far the last step may go.
        {maxiter}
        fprime2: The second derivative, with which the method is Halley's.
        x1: Where to begin besides, for secants; nearby if None.
        rtol: How far the last step may go besides, by the size of the root.
        {full_output}
        {disp}

    Returns:
        A float, the root, with ``full_output`` a tuple of it and SciPy's RootResults; of an array ``x0`` an array, or a
        tuple of arrays (roots, which have converged, where a derivative is 0).

    Raises:
        ImportError: SciPy is not installed, which finds the root of a number.
        ValueError: ``tol`` is not positive, or ``maxiter`` less than 1.
        RuntimeError: There were not enough steps, or a derivative was 0; of arrays, for all elements.

    Elements of arrays are solved side by side, on the device; an element that has converged stays as it is, where
    SciPy's goes on until all have.

    >>> tombacx.scipy.optimize.newton(lambda x: x**2 - tombac.array([4.0, 9.0]), tombac.ones(2)).round(6)
    array([2., 3.])
    """
    if isinstance(x0, _core.ndarray) and x0.ndim:
        return newton_of_arrays(func, x0, fprime, args, tol, maxiter, fprime2, x1, rtol, full_output, disp)
    return _found(_of_scipy.newton(
        HostValues(func), _on_host(x0), fprime=_number(fprime), args=args, tol=tol, maxiter=maxiter,
        fprime2=_number(fprime2), x1=_on_host(x1), rtol=rtol, full_output=full_output, disp=disp))


@_documented
def root_scalar(f, args=(), method=None, bracket=None, fprime=None, fprime2=None, x0=None, x1=None, xtol=None,
                rtol=None, maxiter=None, options=None):
    """A root of a function of one number, by any of SciPy's methods, on the host.

    Args:
        {f}
        {args}
        method: 'bisect', 'brentq', 'brenth', 'ridder', 'toms748', 'newton', 'secant' or 'halley'; what the other
            arguments are enough for if None.
        bracket: Two numbers at which the signs differ.
        fprime: The derivative: a function; or True where ``f`` gives it too.
        fprime2: The second derivative, likewise.
        x0: Where to begin: a number.
        x1: Where to begin besides, for secants.
        xtol: How far from the root the result may be.
        rtol: How far it may be besides, by the size of the root.
        {maxiter}
        options: A dict of further arguments of the method.

    Returns:
        SciPy's RootResults, with ``root``, a float, ``converged``, ``iterations``, ``function_calls`` and ``flag``.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: An argument that the method needs is missing, or the signs do not differ.

    >>> round(tombacx.scipy.optimize.root_scalar(lambda x: x**2 - 2, bracket=(0.0, 2.0)).root, 6)
    1.414214
    """
    found = _of_scipy.root_scalar(HostValues(f), args, method, _on_host(bracket), _number(fprime), _number(fprime2),
                                     _on_host(x0), _on_host(x1), xtol, rtol, maxiter, options)
    return _make_plain(found, "root")


@_documented
def minimize_scalar(fun, bracket=None, bounds=None, args=(), method=None, tol=None, options=None):
    """A point at which a function of one number is least; found by SciPy on the host.

    Args:
        fun: A function of a float that gives a number, of the device or the host.
        bracket: Two or three numbers from which a bracket is found.
        bounds: The two numbers between which the point lies, for 'bounded'.
        {args}
        method: 'brent', 'golden' or 'bounded'; the last if there are bounds, else the first, if None.
        tol: How exact the point is; the method's own if None.
        options: A dict of ``maxiter``, and ``xtol`` or ``xatol``.

    Returns:
        SciPy's OptimizeResult with ``x`` and ``fun``, floats, ``nfev``, ``nit``, ``success`` and ``message``.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: There is no such method, or the bracket or the bounds are none.

    >>> round(tombacx.scipy.optimize.minimize_scalar(lambda x: (x - 2) ** 2).x, 6)
    2.0
    """
    bracket, bounds = _on_host((bracket, bounds))
    found = _of_scipy.minimize_scalar(HostValues(fun), bracket, bounds, args, method, tol, options)
    return _make_plain(found, "x", "fun")
