"""Equations whose unknown is a matrix: Sylvester's, Lyapunov's and Riccati's, by SciPy on the host."""

from tombac._docstrings import with_rows
from tombacx.scipy.linalg._by_scipy import by_scipy, of_scipy

__all__ = [
    "solve_continuous_are", "solve_continuous_lyapunov", "solve_discrete_are", "solve_discrete_lyapunov",
    "solve_lyapunov", "solve_sylvester",
]

_documented = with_rows(
    square="An array of any numeric dtype and shape ``(n, n)``.",
    riccati="""b: An array of shape ``(n, k)``.
        q: An array of shape ``(n, n)``, Hermitian.
        r: An array of shape ``(k, k)``, Hermitian and not singular.
        e: An array of shape ``(n, n)`` that is not singular; the identity if None.
        s: An array of shape ``(n, k)``; zeros if None.
        balanced: Whether the pencil is balanced first.""",
    refusals="""LinAlgError: There is no solution, or no one.
        ValueError: Shapes do not match, or an argument is not as above.
        TypeError: An argument is no tombac array.
        ImportError: SciPy is not installed.""",
)


@_documented
def solve_sylvester(a, b, q):
    """``x`` with ``a @ x + x @ b == q``, by SciPy on the host.

    Args:
        a: An array of any numeric dtype and shape ``(m, m)``.
        b: An array of shape ``(n, n)``.
        q: An array of shape ``(m, n)``.

    Returns:
        An array of ``q``'s shape.

    Raises:
        {refusals}

    >>> a, b = tombac.array([[1.0, 0.0], [0.0, 2.0]]), tombac.array([[1.0]])
    >>> tombacx.scipy.linalg.solve_sylvester(a, b, tombac.array([[4.0], [9.0]]))
    array([[2.],
           [3.]])
    """
    return by_scipy(of_scipy.solve_sylvester, a, b, q)


@_documented
def solve_continuous_lyapunov(a, q):
    """``x`` with ``a @ x + x @ a.conj().T == q``, by SciPy on the host.

    Args:
        a: {square}
        q: Another one.

    Returns:
        An array of ``a``'s shape.

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.solve_continuous_lyapunov(tombac.eye(2), 4 * tombac.eye(2))
    array([[2., 0.],
           [0., 2.]])
    """
    return by_scipy(of_scipy.solve_continuous_lyapunov, a, q)


solve_lyapunov = solve_continuous_lyapunov


@_documented
def solve_discrete_lyapunov(a, q, method=None):
    """``x`` with ``a @ x @ a.conj().T - x + q == 0``, by SciPy on the host.

    Args:
        a: {square}
        q: Another one.
        method: 'direct', 'bilinear', or None: the former for fewer than ten rows.

    Returns:
        An array of ``a``'s shape.

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.solve_discrete_lyapunov(tombac.eye(2) / 2, 3 * tombac.eye(2))
    array([[4., 0.],
           [0., 4.]])
    """
    return by_scipy(of_scipy.solve_discrete_lyapunov, a, q, method=method)


@_documented
def solve_continuous_are(a, b, q, r, e=None, s=None, balanced=True):
    """The stabilising solution of the algebraic Riccati equation in continuous time, by SciPy on the host.

    That is ``x`` with ``a' x e + e' x a - (e' x b + s) inv(r) (b' x e + s') + q == 0``, a quote for conjugated and
    transposed.

    Args:
        a: {square}
        {riccati}

    Returns:
        An array of ``a``'s shape.

    Raises:
        {refusals}

    >>> one = tombac.ones((1, 1))
    >>> tombacx.scipy.linalg.solve_continuous_are(0 * one, one, 4 * one, one)
    array([[2.]])
    """
    return by_scipy(of_scipy.solve_continuous_are, a, b, q, r, e, s, balanced=balanced)


@_documented
def solve_discrete_are(a, b, q, r, e=None, s=None, balanced=True):
    """The stabilising solution of the algebraic Riccati equation in discrete time, by SciPy on the host.

    That is ``x`` with ``a' x a - e' x e - (a' x b + s) inv(r + b' x b) (b' x a + s') + q == 0``, a quote for conjugated
    and transposed.

    Args:
        a: {square}
        {riccati}

    Returns:
        An array of ``a``'s shape.

    Raises:
        {refusals}

    >>> one = tombac.ones((1, 1))
    >>> tombacx.scipy.linalg.solve_discrete_are(0 * one, one, 4 * one, one)
    array([[4.]])
    """
    return by_scipy(of_scipy.solve_discrete_are, a, b, q, r, e, s, balanced=balanced)
