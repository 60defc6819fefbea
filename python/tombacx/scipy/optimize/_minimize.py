"""Least values of functions of a vector that stay on the device: which method, and the function that it calls.

Methods whose steps are arithmetic of vectors are ours; others, of few variables, are SciPy's, whose points are on the
host while the function is computed on the device.
"""

import functools
import inspect

import tombac
from tombac import _core
from tombacx.scipy._host import device, host, scipy_module
from tombacx.scipy.optimize import _bounded, _descent
from tombacx.scipy.optimize._result import OptimizeResult, bounds_of, by_complex_steps, differences, point

__all__ = ["minimize"]

# The options of our methods and what they are where they are not given.
_OPTIONS = {
    "BFGS": {"gtol": 1e-5, "ftol": 0.0, "maxiter": None}, "CG": {"gtol": 1e-5, "maxiter": None},
    "L-BFGS-B": {"gtol": 1e-5, "ftol": 2.2e-9, "maxiter": 15000, "maxfun": None, "maxcor": 10},
    "Newton-CG": {"xtol": 1e-5, "maxiter": None},
}
_WITHOUT_EFFECT = {"disp", "eps", "finite_diff_rel_step", "iprint", "maxls", "norm", "return_all", "workers"}
_OF_SCIPY = ("Nelder-Mead", "Powell", "TNC", "COBYLA", "COBYQA", "SLSQP", "dogleg", "trust-constr", "trust-exact",
             "trust-krylov", "trust-ncg")
_METHODS = {name.lower(): name for name in (*_OPTIONS, *_OF_SCIPY)}


def minimize(fun, x0, args=(), method=None, jac=None, hess=None, hessp=None, bounds=None, constraints=(), tol=None,
             callback=None, options=None):
    """A point at which a function is least nearby.

    Args:
        fun: A function of a vector that gives a number of the device; with ``jac=True`` also the gradient.
        x0: Where to begin: a real vector, or a number.
        args: Further arguments of ``fun`` and its derivatives: a tuple.
        method: 'BFGS', 'L-BFGS-B', 'CG' or 'Newton-CG', whose vectors stay on the device; or, by SciPy with its points
            on the host, 'Nelder-Mead', 'Powell', 'TNC', 'COBYLA', 'COBYQA', 'SLSQP', 'dogleg', 'trust-constr',
            'trust-exact', 'trust-krylov' or 'trust-ncg'. 'SLSQP' with constraints, 'L-BFGS-B' with bounds and else
            'BFGS' if None.
        jac: The gradient: a function of a vector; True where ``fun`` gives it; None, '2-point' or '3-point' for
            differences; 'cs' for steps along the imaginary axis, of a ``fun`` that takes complex vectors.
        hess: The second derivatives, a function of a vector that gives a matrix: for 'Newton-CG' and methods of
            SciPy's.
        hessp: Their product with a vector, a function of the point and that vector. 'Newton-CG' takes differences of
            gradients where there is neither.
        bounds: For 'L-BFGS-B' and methods of SciPy's: a sequence of pairs of numbers, None where there is no bound; or
            an object with ``lb`` and ``ub``, as Bounds.
        constraints: For methods of SciPy's, whose functions get arrays of the device: a dict with ``type``, ``fun``,
            ``jac`` and ``args``, or a sequence of them.
        tol: How great an element of the gradient may be at the end, ``gtol``, or what it is for the method.
        callback: A function of the point after each step, for 'trust-constr' also of the result so far; or, where its
            one parameter is called ``intermediate_result``, of an OptimizeResult with ``x`` and ``fun``. It stops what
            it raises StopIteration in.
        options: A dict of ``gtol`` (1e-5), ``xtol`` (for 'Newton-CG': how long a step may be in the mean; 1e-5),
            ``ftol`` (for 'L-BFGS-B': by which part the value may change at the end; 2.2e-9), ``maxiter`` (200 times the
            number of variables, or 15000), ``maxfun`` and ``maxcor`` (10: how many steps 'L-BFGS-B' remembers); or of
            SciPy's.

    Returns:
        An OptimizeResult with ``x``, an array; ``fun``, a float; ``jac``, the gradient; ``nit``, ``nfev`` and ``njev``;
        ``status``, ``message`` and ``success``. Of 'BFGS' also ``hess_inv``.

    Raises:
        ImportError: SciPy is not installed, where the method is one of its.
        ValueError: There is no such method or option, or ``x0`` is no real vector, or bounds do not fit.

    Options of SciPy's that print or choose differences are taken and without effect in our methods.

    >>> f = lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
    >>> tombacx.scipy.optimize.minimize(f, tombac.array([-1.0, 1.0]), jac="3-point").x.round(4)
    array([1., 1.])
    """
    if method is None:
        method = "SLSQP" if constraints else "BFGS" if bounds is None else "L-BFGS-B"
    if not isinstance(method, str) or method.lower() not in _METHODS:
        raise ValueError(f"minimize: method must be one of {', '.join(_METHODS.values())}, not {method!r}")
    method = _METHODS[method.lower()]
    if not (callable(jac) or jac in (None, True, False, "2-point", "3-point", "cs")):
        raise ValueError(f"minimize: jac must be a function, True, None, '2-point', '3-point' or 'cs', not {jac!r}")
    x = point("minimize", x0)
    args = args if isinstance(args, tuple) else (args,)
    if method in _OF_SCIPY:
        return _of_scipy(fun, x, args, method, jac, hess, hessp, bounds, constraints, tol, callback, options)
    known, callback = _known_options(method, options, tol, x.size), _listener(callback, method)
    if constraints or (bounds is not None and method != "L-BFGS-B"):
        raise ValueError(f"minimize: {method!r} takes no {'constraints' if constraints else 'bounds'}")
    objective = Objective(fun, jac, args)
    if method == "BFGS":
        return _descent.descended(objective, _descent.Inverse(x.size), x, known, callback)
    if method == "CG":
        return _descent.descended(objective, _descent.Conjugate(), x, known, callback)
    if method == "Newton-CG":
        return _descent.descended(objective, _descent.Truncated(objective, hess, hessp, args), x, known, callback)
    low, high = bounds_of("minimize", bounds, x.size)
    if low is None:
        return _descent.descended(objective, _descent.Remembered(known["maxcor"]), x, known, callback)
    return _bounded.descended(objective, x, low, high, known, callback)


def _listener(callback, method):
    """A callback as a function of an OptimizeResult: its parameter's name says what it wants, as for SciPy."""
    if callback is None:
        return None
    if set(inspect.signature(callback).parameters) == {"intermediate_result"}:
        return lambda result: callback(intermediate_result=result)
    if method == "trust-constr":
        return lambda result: callback(result.x, result)
    return lambda result: callback(result.x)


def _known_options(method, options, tol, n):
    known = dict(_OPTIONS[method])
    unknown = set(options or {}) - set(known) - _WITHOUT_EFFECT
    if unknown:
        raise ValueError(f"minimize: no option of {method!r} is called {sorted(unknown)[0]!r}")
    if tol is not None:
        known["xtol" if method == "Newton-CG" else "gtol"] = tol
    known.update({key: value for key, value in (options or {}).items() if key in known and value is not None})
    known["maxiter"] = 200 * n if known["maxiter"] is None else known["maxiter"]
    return {"gtol": None, "ftol": 0.0, "xtol": None, "maxfun": None, **known}


class Objective:
    """A function and its gradient, which are counted."""

    def __init__(self, fun, jac, args):
        self._fun, self._jac, self._args = fun, jac, args
        self.nfev = self.njev = 0

    def value(self, x, dtype="d"):
        self.nfev += 1
        return tombac.asarray(self._fun(x, *self._args), dtype).reshape(())

    def __call__(self, x):
        """The value, a number of the device, and the gradient."""
        self.njev += 1
        if self._jac is True:
            self.nfev += 1
            value, gradient = self._fun(x, *self._args)
            value = tombac.asarray(value, "d").reshape(())
        elif callable(self._jac):
            value, gradient = self.value(x), self._jac(x, *self._args)
        elif self._jac == "cs":
            value, gradient = self.value(x), by_complex_steps(functools.partial(self.value, dtype="D"), x)
        else:
            value = self.value(x)
            gradient = differences(self.value, x, value, self._jac == "3-point")
        return value, tombac.asarray(gradient, "d").reshape(x.shape)

    def gradient(self, x):
        if not callable(self._jac):
            return self(x)[1]
        self.njev += 1
        return tombac.asarray(self._jac(x, *self._args), "d").reshape(x.shape)


def _on_host(f, args=()):
    """A function for SciPy: of arrays of the host, with values there."""
    return _core.HostValues(f, args) if callable(f) else f


def _constraint(c):
    if not isinstance(c, dict):
        return c
    return {**c, **{key: _on_host(c[key], c.get("args", ())) for key in ("fun", "jac") if key in c}, "args": ()}


def _of_scipy(fun, x, args, method, jac, hess, hessp, bounds, constraints, tol, callback, options):
    so = scipy_module("scipy.optimize", "minimize")
    if constraints:
        single = isinstance(constraints, dict) or not hasattr(constraints, "__iter__")
        constraints = _constraint(constraints) if single else [_constraint(c) for c in constraints]
    if bounds is not None:
        low, high = bounds_of("minimize", bounds, x.size)
        bounds = None if low is None else so.Bounds(host(low), host(high))

    listener = _listener(callback, method)

    def told(intermediate_result):  # of some methods the point alone
        known = intermediate_result if isinstance(intermediate_result, dict) else {"x": intermediate_result}
        return listener(_found(known))

    fun, jac, hess, hessp = (_on_host(f, args) for f in (fun, jac, hess, hessp))
    return _found(so.minimize(fun, host(x), (), method, jac, hess, hessp, bounds, constraints, tol,
                              None if callback is None else told, options))


def _found(result):
    """A result of SciPy's as ours."""
    found = OptimizeResult({key: device(value) for key, value in result.items()})
    if "fun" in found:
        found.fun = float(found.fun)
    return found
