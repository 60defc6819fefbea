"""Roots of functions of vectors, by SciPy on the host, while functions and Jacobians compute on the device."""

from tombac import _core
from tombac._numpy import np
from tombacx.scipy._host import device, host, scipy_function
from tombacx.scipy.optimize._result import OptimizeResult

__all__ = ["fsolve", "root"]


def _on_host(f, args=()):
    return _core.HostValues(f, args) if callable(f) else f


def _arguments(args):
    return args if isinstance(args, tuple) else (args,)


def root(fun, x0, args=(), method="hybr", jac=None, tol=None, callback=None, options=None):
    """A root of a function of a vector whose values are vectors of as many elements; found by SciPy on the host.

    Args:
        fun: A function of an array that gives an array of its shape; with ``jac=True`` a tuple of it and the Jacobian.
        x0: Where to begin: an array, or a number.
        args: Further arguments of ``fun`` and ``jac``: a tuple.
        method: 'hybr', 'lm', 'broyden1', 'broyden2', 'anderson', 'linearmixing', 'diagbroyden', 'excitingmixing',
            'krylov' or 'df-sane'.
        jac: The derivatives: a function of the array that gives a matrix; True where ``fun`` gives it; differences if
            None.
        tol: How exact the root has to be.
        callback: A function of the point and the values there after each step, for some methods.
        options: Options of the method: a dict.

    Returns:
        An OptimizeResult with ``x``, ``fun``, ``success``, ``status``, ``message`` and ``nfev``.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: There is no such method.

    >>> f = lambda x: tombac.stack([x[0] + x[1] - 3, x[0] * x[1] - 2])
    >>> tombacx.scipy.optimize.root(f, tombac.array([0.0, 3.0])).x.round(6)
    array([1., 2.])
    """
    args = _arguments(args)
    found = scipy_function("scipy.optimize", "root")(
        _on_host(fun, args), np.asarray(host(x0)), (), method, _on_host(jac, args), tol, _on_host(callback), options)
    return OptimizeResult({key: device(value) for key, value in found.items()})


def fsolve(func, x0, args=(), fprime=None, full_output=0, col_deriv=0, xtol=1.49012e-8, maxfev=0, band=None,
           epsfcn=None, factor=100, diag=None):
    """A root of a function of a vector whose values are vectors of as many elements; found by MINPACK on the host.

    Args:
        func: A function of an array that gives an array of its shape.
        x0: Where to begin: an array, or a number.
        args: Further arguments of ``func`` and ``fprime``: a tuple.
        fprime: The derivatives: a function of the array that gives a matrix; differences if None.
        full_output: Whether three more results are wanted, and nobody is warned.
        col_deriv: Whether ``fprime`` gives derivatives by columns.
        xtol: By which part the root may be off.
        maxfev: How often ``func`` may be called; 100 times as often as there are variables, and 100 more, if 0.
        band: How many diagonals of the derivatives below and above the main one there are: two numbers.
        epsfcn: How exact the function is, from which the steps of differences follow.
        factor: How long the first step may be: between 0.1 and 100.
        diag: How great variables are: a vector of positive numbers.

    Returns:
        An array, the root; with ``full_output`` a tuple of it, a dict, an int and a str, as SciPy's.

    Raises:
        ImportError: SciPy is not installed.
        TypeError: The values are of another shape.

    >>> f = lambda x: tombac.stack([x[0] + x[1] - 3, x[0] * x[1] - 2])
    >>> tombacx.scipy.optimize.fsolve(f, tombac.array([0.0, 3.0])).round(6)
    array([1., 2.])
    """
    args = _arguments(args)
    found = scipy_function("scipy.optimize", "fsolve")(
        _on_host(func, args), np.asarray(host(x0)), (), _on_host(fprime, args), full_output, col_deriv, xtol, maxfev,
        band, epsfcn, factor, host(diag))
    if not full_output:
        return device(found)
    return device(found[0]), {key: device(value) for key, value in found[1].items()}, *found[2:]
