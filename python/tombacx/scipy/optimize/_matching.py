"""Problems whose algorithms go step by step, on the host by SciPy."""

from tombac import _core
from tombacx.scipy._host import device, host, scipy_function
from tombacx.scipy.optimize._result import OptimizeResult

__all__ = ["linear_sum_assignment", "linprog", "nnls"]


def linear_sum_assignment(cost_matrix, maximize=False):
    """The assignment of rows to columns of the least total cost; found on the host.

    Args:
        cost_matrix: The costs: a real array of 2 dimensions. One of infinity forbids a pair.
        maximize: Whether the greatest total is wanted.

    Returns:
        A tuple of arrays (rows, columns) of int64, the rows in order.

    Raises:
        TypeError: The costs are complex.
        ValueError: The array has not 2 dimensions, or holds NaN, or there is no assignment of a finite total.

    By shortest augmenting paths (D. F. Crouse, On implementing 2D rectangular assignment algorithms, IEEE Transactions
    on Aerospace and Electronic Systems 52, 2016), in n^3 steps at most.

    >>> tombacx.scipy.optimize.linear_sum_assignment(tombac.array([[4.0, 1.0], [2.0, 9.0]]))
    (array([0, 1]), array([1, 0]))
    """
    return _core._linear_sum_assignment(_core.asarray(cost_matrix), maximize)


def nnls(A, b, *, maxiter=None):
    """The vector without negative elements for which A x is nearest to b; found by SciPy on the host.

    Args:
        A: A real array of shape (m, n).
        b: A real vector of m elements.
        maxiter: How many steps may be taken; 3 n if None.

    Returns:
        A tuple (x, distance): an array of float64 and shape (n,), and a float.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: The shapes do not fit.
        RuntimeError: There were not enough steps.

    >>> tombacx.scipy.optimize.nnls(tombac.eye(2), tombac.array([1.0, -2.0]))
    (array([1., 0.]), 2.0)
    """
    x, distance = scipy_function("scipy.optimize", "nnls")(host(A), host(b), maxiter=maxiter)
    return device(x), float(distance)


def linprog(c, A_ub=None, b_ub=None, A_eq=None, b_eq=None, bounds=(0, None), method="highs", callback=None,
            options=None, x0=None, integrality=None):
    """The point at which a linear function is least under linear conditions; found by SciPy on the host.

    Args:
        c: The coefficients of the function: a real vector.
        A_ub, b_ub: An array of shape (m, n) and a vector: ``A_ub @ x`` must not be greater than ``b_ub``.
        A_eq, b_eq: Likewise: ``A_eq @ x`` must be ``b_eq``.
        bounds: A pair of numbers, or one for each variable, None where there is no bound; or an array of shape (n, 2).
        method: 'highs', 'highs-ds' or 'highs-ipm'.
        callback: None: SciPy's methods take none.
        options: A dict of SciPy's options.
        x0: Taken and without effect.
        integrality: Which variables are whole numbers: 1, else 0; an array or a number.

    Returns:
        An OptimizeResult with ``x``, ``slack`` and ``con``, arrays; ``fun``, a float; ``nit``, ``status``, ``message``
        and ``success``; ``ineqlin``, ``eqlin``, ``lower`` and ``upper``, each with the arrays ``residual`` and
        ``marginals``.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: The shapes do not fit.

    >>> c, A = tombac.array([-1.0, -2.0]), tombac.array([[1.0, 1.0]])
    >>> tombacx.scipy.optimize.linprog(c, A, tombac.array([3.0]), bounds=(0, 2)).x
    array([1., 2.])
    """
    found = scipy_function("scipy.optimize", "linprog")(
        host(c), host(A_ub), host(b_ub), host(A_eq), host(b_eq), host(bounds), method, callback, options, host(x0),
        host(integrality))
    return _moved(found)


def _moved(found):
    """SciPy's result with its arrays on the device."""
    return OptimizeResult({key: _moved(value) if isinstance(value, dict) else device(value)
                           for key, value in found.items()})
