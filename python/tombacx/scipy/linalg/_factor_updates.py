"""QR decompositions that rows or columns come to or go from, and unitary matrices cut in four: by SciPy on the host."""

from tombac._docstrings import with_rows
from tombacx.scipy.linalg._by_scipy import by_scipy, of_scipy

__all__ = ["cossin", "qr_delete", "qr_insert", "qr_update"]

_documented = with_rows(
    factors="""Q: An array of a floating or complex dtype and shape ``(m, m)``; of economic decompositions ``(m, n)``.
        R: The triangle, of ``Q``'s dtype and shape ``(m, n)`` or ``(n, n)``.""",
    which="which: 'row' or 'col'.",
    check_finite="check_finite: Whether to see that there are no infinities or NaNs.",
    result="A tuple of arrays ``(Q, R)`` of the changed matrix.",
    refusals="""ValueError: Shapes or an argument are not as above, or an array holds infinities or NaNs.
        TypeError: An argument is no tombac array.
        ImportError: SciPy is not installed.""",
)


@_documented
def qr_delete(Q, R, k, p=1, which="row", overwrite_qr=False, check_finite=True):
    """The QR decomposition of a matrix without some rows or columns, from that of all; by SciPy on the host.

    Args:
        {factors}
        k: The first row or column that goes.
        p: How many go.
        {which}
        overwrite_qr: Accepted; nothing is overwritten.
        {check_finite}

    Returns:
        {result}

    Raises:
        {refusals}

    >>> a = tombac.array([[2.0, 1.0], [0.0, 3.0], [4.0, 0.0]])
    >>> q, r = tombacx.scipy.linalg.qr_delete(*tombacx.scipy.linalg.qr(a), 1)
    >>> tombac.allclose(q @ r, a[::2])
    array(True)
    """
    return by_scipy(of_scipy.qr_delete, Q, R, k=k, p=p, which=which, overwrite_qr=True, check_finite=check_finite)


@_documented
def qr_insert(Q, R, u, k, which="row", rcond=None, overwrite_qru=False, check_finite=True):
    """The QR decomposition of a matrix with rows or columns more, from that of the matrix; by SciPy on the host.

    Args:
        {factors}
        u: A row or a column, of one dimension, or several of them, ``(p, n)`` or ``(m, p)``.
        k: Before which row or column they come.
        {which}
        rcond: How small the condition number's inverse may be, for columns of an economic decomposition.
        overwrite_qru: Accepted; nothing is overwritten.
        {check_finite}

    Returns:
        {result}

    Raises:
        LinAlgError: A column depends on the others, as far as ``rcond`` says.
        {refusals}

    >>> a, row = tombac.array([[2.0, 1.0], [0.0, 3.0]]), tombac.array([5.0, 5.0])
    >>> q, r = tombacx.scipy.linalg.qr_insert(*tombacx.scipy.linalg.qr(a), row, 0)
    >>> tombac.allclose(q @ r, tombac.vstack((row, a)))
    array(True)
    """
    return by_scipy(of_scipy.qr_insert, Q, R, u, k=k, which=which, rcond=rcond, overwrite_qru=True,
                    check_finite=check_finite)


@_documented
def qr_update(Q, R, u, v, overwrite_qruv=False, check_finite=True):
    """The QR decomposition of ``a + u @ v.conj().T``, from that of ``a``; by SciPy on the host.

    Args:
        {factors}
        u: An array of shape ``(m,)`` or ``(m, k)``.
        v: An array of shape ``(n,)`` or ``(n, k)``.
        overwrite_qruv: Accepted; nothing is overwritten.
        {check_finite}

    Returns:
        {result}

    Raises:
        {refusals}

    >>> a, u = tombac.array([[2.0, 1.0], [0.0, 3.0]]), tombac.array([1.0, 2.0])
    >>> q, r = tombacx.scipy.linalg.qr_update(*tombacx.scipy.linalg.qr(a), u, u)
    >>> tombac.allclose(q @ r, a + tombac.outer(u, u))
    array(True)
    """
    return by_scipy(of_scipy.qr_update, Q, R, u, v, overwrite_qruv=True, check_finite=check_finite)


@_documented
def cossin(X, p=None, q=None, separate=False, swap_sign=False, compute_u=True, compute_vh=True):
    """The cosine-sine decomposition of a unitary matrix that is cut in four: ``X == U @ CS @ Vh``, where ``U`` and
    ``Vh`` have two blocks on the diagonal and ``CS`` diagonals of cosines and sines; by SciPy on the host.

    Args:
        X: An array of any numeric dtype and shape ``(m, m)``, or a tuple of its four parts, row by row.
        p: How many rows the first part has; only if ``X`` is one array.
        q: How many columns it has.
        separate: Whether the blocks are wanted rather than matrices of them.
        swap_sign: Whether the sines below are the negative ones rather than those above.
        compute_u: Whether ``U`` is wanted; else it is empty.
        compute_vh: Whether ``Vh`` is wanted; else it is empty.

    Returns:
        A tuple of arrays ``(U, CS, Vh)``; with ``separate`` ``((U1, U2), angles, (V1h, V2h))``.

    Raises:
        LinAlgError: There was no convergence.
        {refusals}

    >>> x = tombac.array([[0.0, 1.0], [-1.0, 0.0]])
    >>> u, cs, vh = tombacx.scipy.linalg.cossin(x, 1, 1)
    >>> tombac.allclose(u @ cs @ vh, x)
    array(True)
    """
    parts = tuple(X) if isinstance(X, list) else X
    return by_scipy(of_scipy.cossin, parts, p=p, q=q, separate=separate, swap_sign=swap_sign, compute_u=compute_u,
                    compute_vh=compute_vh)
