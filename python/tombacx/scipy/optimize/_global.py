"""The least values of functions of vectors within bounds, wherever they are: searches of SciPy's on the host, while
functions compute on the device."""

import functools
import inspect

from tombac import _core
from tombacx.scipy._host import device, host, scipy_function
from tombacx.scipy.optimize._result import OptimizeResult

__all__ = ["basinhopping", "differential_evolution", "dual_annealing"]


def _on_host(f, args=()):
    return _core.HostValues(f, args) if callable(f) else f


def _limits(bounds):
    """Bounds as SciPy takes them: pairs of numbers, or its Bounds."""
    if hasattr(bounds, "lb"):
        of_scipy = scipy_function("scipy.optimize", "Bounds")
        return of_scipy(host(bounds.lb), host(bounds.ub))
    return host(bounds)


def _found(found):
    result = OptimizeResult({key: device(value) for key, value in found.items()})
    if "lowest_optimization_result" in result:
        result.lowest_optimization_result = _found(result.lowest_optimization_result)
    result.fun = float(found.fun)
    return result


@functools.cache
def _name_of_source(function):
    return "rng" if "rng" in inspect.signature(function).parameters else "seed"  # before SciPy 1.15


def _of_scipy(name, rng, seed):
    """SciPy's function, with the source of random numbers by the name that it has there."""
    if rng is not None and seed is not None:
        raise TypeError(f"{name}: rng and seed are one argument by two names")
    function = scipy_function("scipy.optimize", name)
    if seed is not None:
        return functools.partial(function, seed=seed)
    return function if rng is None else functools.partial(function, **{_name_of_source(function): rng})


def differential_evolution(func, bounds, args=(), strategy="best1bin", maxiter=1000, popsize=15, tol=0.01,
                           mutation=(0.5, 1), recombination=0.7, rng=None, callback=None, disp=False, polish=True,
                           init="latinhypercube", atol=0, updating="immediate", workers=1, constraints=(), x0=None, *,
                           integrality=None, vectorized=False, seed=None):
    """The point within bounds at which a function is least, by the evolution of a population; by SciPy on the host.

    Args:
        func: A function of a vector that gives a number of the device; of a matrix with a column for each point, which
            gives a vector, if ``vectorized``.
        bounds: The least and the greatest that variables may be: pairs of numbers, or a Bounds.
        args: Further arguments of ``func``: a tuple.
        strategy: How points become others: the name of one of SciPy's.
        maxiter: How many generations there may be.
        popsize: How many points there are for each variable.
        tol: By which part of their mean the values may differ at the end.
        mutation: How far points go: a number, or a pair between which it is drawn.
        recombination: How probable it is that a variable changes.
        rng: A seed, or a Generator of NumPy's.
        callback: A function of SciPy's result so far, on the host.
        disp: Whether each generation is printed.
        polish: Whether the best point is improved at the end.
        init: How the population begins: 'latinhypercube', 'sobol', 'halton', 'random', or a matrix.
        atol: By how much the values may differ at the end.
        updating: 'immediate', or 'deferred': once in a generation.
        workers: How many processes there are; 1, since devices belong to one.
        constraints: SciPy's constraints, whose functions are the host's.
        x0: A point that the population begins with.
        integrality: Which variables are whole numbers: a vector of truth values.
        vectorized: Whether ``func`` takes many points at once, in which there is most to compute at a time.
        seed: As ``rng``, by its older name: a seed, or a RandomState of NumPy's.

    Returns:
        An OptimizeResult with ``x``, an array, ``fun``, a float, ``nfev``, ``nit``, ``success`` and ``message``.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: An argument is out of range.

    >>> f = lambda x: ((x - 1) ** 2).sum()
    >>> tombacx.scipy.optimize.differential_evolution(f, [(-5, 5)] * 2, rng=1).x.round(4)
    array([1., 1.])
    """
    if workers != 1:
        raise ValueError(f"differential_evolution: workers must be 1, not {workers!r}")
    found = _of_scipy("differential_evolution", rng, seed)(
        _on_host(func, args if isinstance(args, tuple) else (args,)), _limits(bounds), (), strategy, maxiter, popsize,
        tol, mutation, recombination, callback=callback, disp=disp, polish=polish, init=host(init), atol=atol,
        updating=updating, constraints=constraints, x0=host(x0), integrality=host(integrality), vectorized=vectorized)
    return _found(found)


def dual_annealing(func, bounds, args=(), maxiter=1000, minimizer_kwargs=None, initial_temp=5230.0,
                   restart_temp_ratio=2e-05, visit=2.62, accept=-5.0, maxfun=10000000.0, rng=None,
                   no_local_search=False, callback=None, x0=None, *, seed=None):
    """The point within bounds at which a function is least, by annealing; by SciPy on the host.

    Args:
        func: A function of a vector that gives a number of the device.
        bounds: The least and the greatest that variables may be: pairs of numbers, or a Bounds.
        args: Further arguments of ``func``: a tuple.
        maxiter: How many steps there may be.
        minimizer_kwargs: Options of the local search: a dict.
        initial_temp: The temperature at first.
        restart_temp_ratio: By which part of it the temperature begins anew.
        visit: How far steps go: more than 1 and at most 3.
        accept: How probable steps to greater values are: more than -10000 and at most -5.
        maxfun: How often ``func`` may be called.
        rng: A seed, or a Generator of NumPy's.
        no_local_search: Whether there is no local search.
        callback: A function of the point, on the host, the value and the context of each new least value.
        x0: Where to begin.
        seed: As ``rng``, by its older name: a seed, or a RandomState of NumPy's.

    Returns:
        An OptimizeResult with ``x``, an array, ``fun``, a float, ``nfev``, ``nit``, ``success`` and ``message``.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: An argument is out of range.

    >>> f = lambda x: ((x - 1) ** 2).sum()
    >>> tombacx.scipy.optimize.dual_annealing(f, [(-5, 5)] * 2, maxiter=20, rng=1).x.round(4)
    array([1., 1.])
    """
    found = _of_scipy("dual_annealing", rng, seed)(
        _on_host(func, args if isinstance(args, tuple) else (args,)), _limits(bounds), (), maxiter, minimizer_kwargs,
        initial_temp, restart_temp_ratio, visit, accept, maxfun, no_local_search=no_local_search, callback=callback,
        x0=host(x0))
    return _found(found)


def basinhopping(func, x0, niter=100, T=1.0, stepsize=0.5, minimizer_kwargs=None, take_step=None, accept_test=None,
                 callback=None, interval=50, disp=False, niter_success=None, rng=None, *, target_accept_rate=0.5,
                 stepwise_factor=0.9, seed=None):
    """A point at which a function is least, by steps at random from one low point to another; by SciPy on the host.

    Args:
        func: A function of a vector that gives a number of the device.
        x0: Where to begin: a real vector.
        niter: How many steps there are.
        T: By how much values may be greater, about, for a step to be taken.
        stepsize: How long steps are at first.
        minimizer_kwargs: Options of SciPy's minimize, which goes down after each: a dict, whose ``args`` are those of
            ``func`` and whose ``jac`` is a function on the device.
        take_step: A function of a point that gives another, on the host.
        accept_test: A function by name of ``f_new``, ``x_new``, ``f_old`` and ``x_old``, on the host: a bool.
        callback: A function of the point, on the host, its value and whether it was accepted.
        interval: After how many steps their length is changed.
        disp: Whether steps are printed.
        niter_success: After how many steps without a lesser value the search ends.
        rng: A seed, or a Generator of NumPy's.
        target_accept_rate: How many steps are to be accepted.
        stepwise_factor: By which their length is changed.
        seed: As ``rng``, by its older name: a seed, or a RandomState of NumPy's.

    Returns:
        An OptimizeResult with ``x``, an array, ``fun``, a float, ``nfev``, ``nit``, ``success`` and ``message``.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: An argument is out of range.

    >>> f = lambda x: ((x - 1) ** 2).sum()
    >>> tombacx.scipy.optimize.basinhopping(f, tombac.array([3.0, -2.0]), 3, rng=1).x.round(4)
    array([1., 1.])
    """
    options = dict(minimizer_kwargs or {})
    args = options.pop("args", ())
    args = args if isinstance(args, tuple) else (args,)
    options["jac"] = _on_host(options.get("jac"), args)
    found = _of_scipy("basinhopping", rng, seed)(
        _on_host(func, args), host(x0), niter, T, stepsize, options, take_step, accept_test, callback, interval, disp,
        niter_success, target_accept_rate=target_accept_rate, stepwise_factor=stepwise_factor)
    return _found(found)
