"""Problems whose algorithms go step by step, on the host by SciPy."""

from tombacx.scipy._host import device, host, scipy_module

__all__ = ["linear_sum_assignment", "nnls"]


def linear_sum_assignment(cost_matrix, maximize=False):
    """The assignment of rows to columns of the least total cost; found by SciPy on the host.

    Args:
        cost_matrix: The costs: a real array of 2 dimensions.
        maximize: Whether the greatest total is wanted.

    Returns:
        A tuple of arrays (rows, columns) of int64, the rows in order.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: The array has not 2 dimensions, or holds NaN, or there is no assignment of a finite total.

    >>> tombacx.scipy.optimize.linear_sum_assignment(tombac.array([[4.0, 1.0], [2.0, 9.0]]))
    (array([0, 1]), array([1, 0]))
    """
    return device(scipy_module("scipy.optimize", "linear_sum_assignment").linear_sum_assignment(
        host(cost_matrix), maximize))


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
    x, distance = scipy_module("scipy.optimize", "nnls").nnls(host(A), host(b), maxiter=maxiter)
    return device(x), float(distance)
