"""Matrices of which only the diagonals next to the main one are given: equations and eigenvalues, by SciPy on the host.

Diagonals are rows of an array in LAPACK's order: ``ab[u + i - j, j] == a[i, j]`` with ``u`` diagonals above the main
one; of Hermitian matrices either those above and the main one as the last row, or the main one as the first row and
those below.
"""

from tombac._docstrings import with_rows
from tombacx.scipy.linalg._by_scipy import by_scipy, of_scipy

__all__ = [
    "cho_solve_banded", "cholesky_banded", "eig_banded", "eigh_tridiagonal", "eigvals_banded", "eigvalsh_tridiagonal",
    "solve_banded", "solveh_banded",
]

_documented = with_rows(
    hermitian="""An array of any numeric dtype and shape ``(u + 1, n)``: the diagonals of Hermitian matrices from the
            topmost to the main one, or with ``lower`` from the main one down.""",
    lower="lower: Whether these are the diagonals below the main one.",
    b="b: An array of shape ``(n,)`` or ``(n, k)``.",
    overwrite="Accepted; nothing is overwritten.",
    check_finite="check_finite: Whether to see that there are no infinities or NaNs.",
    select="""select: Which eigenvalues are wanted: 'a' all, 'v' those above the first of ``select_range`` up to the
            second, 'i' those with the numbers from its first to its second.
        select_range: Two numbers, for 'v' and 'i'.""",
    driver="""tol: How far eigenvalues may be off, for the driver 'stebz'.
        lapack_driver: 'auto', 'stemr', 'stebz', 'sterf', 'stev' or 'stevd'.""",
    tridiagonal="""d: The diagonal, n real numbers.
        e: The diagonal next to it, n - 1 real numbers.""",
    refusals="""LinAlgError: The matrix is singular, or not positive definite where it has to be.
        ValueError: Shapes do not match, or an array holds infinities or NaNs.
        TypeError: An argument is no tombac array.
        ImportError: SciPy is not installed.""",
    eigen_refusals="""LinAlgError: There was no convergence.
        ValueError: Shapes or an argument are not as above, or an array holds infinities or NaNs.
        TypeError: An argument is no tombac array.
        ImportError: SciPy is not installed.""",
)


@_documented
def solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True):
    """``x`` with ``a @ x == b`` for a banded matrix, by SciPy on the host.

    Args:
        l_and_u: How many diagonals there are below the main one, and how many above.
        ab: An array of any numeric dtype and shape ``(l + u + 1, n)``: ``ab[u + i - j, j] == a[i, j]``.
        {b}
        overwrite_ab: {overwrite}
        overwrite_b: {overwrite}
        {check_finite}

    Returns:
        An array of ``b``'s shape.

    Raises:
        {refusals}

    >>> ab = tombac.array([[0.0, 1.0], [2.0, 4.0]])
    >>> tombacx.scipy.linalg.solve_banded((0, 1), ab, tombac.array([4.0, 8.0]))
    array([1., 2.])
    """
    return by_scipy(of_scipy.solve_banded, tuple(l_and_u), ab, b, check_finite=check_finite)


@_documented
def solveh_banded(ab, b, overwrite_ab=False, overwrite_b=False, lower=False, check_finite=True):
    """``x`` with ``a @ x == b`` for a banded Hermitian positive definite matrix, by SciPy on the host.

    Args:
        ab: {hermitian}
        {b}
        overwrite_ab: {overwrite}
        overwrite_b: {overwrite}
        {lower}
        {check_finite}

    Returns:
        An array of ``b``'s shape.

    Raises:
        {refusals}

    >>> ab = tombac.array([[0.0, 1.0], [2.0, 2.0]])
    >>> tombacx.scipy.linalg.solveh_banded(ab, tombac.array([4.0, 5.0]))
    array([1., 2.])
    """
    return by_scipy(of_scipy.solveh_banded, ab, b, lower=lower, check_finite=check_finite)


@_documented
def cholesky_banded(ab, overwrite_ab=False, lower=False, check_finite=True):
    """The Cholesky factor of a banded Hermitian positive definite matrix, again by its diagonals; by SciPy on the host.

    Args:
        ab: {hermitian}
        overwrite_ab: {overwrite}
        {lower}
        {check_finite}

    Returns:
        An array of ``ab``'s shape.

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.cholesky_banded(tombac.array([[0.0, 2.0], [4.0, 5.0]]))
    array([[0., 1.],
           [2., 2.]])
    """
    return by_scipy(of_scipy.cholesky_banded, ab, lower=lower, check_finite=check_finite)


@_documented
def cho_solve_banded(cb_and_lower, b, overwrite_b=False, check_finite=True):
    """``x`` with ``a @ x == b``, by the factor of ``a`` that cholesky_banded gives; by SciPy on the host.

    Args:
        cb_and_lower: The factor's diagonals, of shape ``(u + 1, n)``, and whether it is the lower one.
        {b}
        overwrite_b: {overwrite}
        {check_finite}

    Returns:
        An array of ``b``'s shape.

    Raises:
        {refusals}

    >>> factor = tombacx.scipy.linalg.cholesky_banded(tombac.array([[0.0, 1.0], [2.0, 2.0]]))
    >>> tombacx.scipy.linalg.cho_solve_banded((factor, False), tombac.array([4.0, 5.0])).round(12)
    array([1., 2.])
    """
    return by_scipy(of_scipy.cho_solve_banded, tuple(cb_and_lower), b, check_finite=check_finite)


@_documented
def eig_banded(a_band, lower=False, eigvals_only=False, overwrite_a_band=False, select="a", select_range=None, max_ev=0,
               check_finite=True):
    """Eigenvalues and eigenvectors of a banded Hermitian matrix, by SciPy on the host.

    Args:
        a_band: {hermitian}
        {lower}
        eigvals_only: Whether eigenvalues alone are wanted.
        overwrite_a_band: {overwrite}
        {select}
        max_ev: How many eigenvalues there may be with 'v', for vectors; 0 if that is not known.
        {check_finite}

    Returns:
        A tuple of arrays: the values, real and ascending; the vectors as columns. Or the values alone.

    Raises:
        {eigen_refusals}

    >>> w, v = tombacx.scipy.linalg.eig_banded(tombac.array([[0.0, 0.0], [3.0, 2.0]]))
    >>> w
    array([2., 3.])
    """
    return by_scipy(of_scipy.eig_banded, a_band, lower=lower, eigvals_only=eigvals_only, select=select,
                    select_range=select_range, max_ev=max_ev, check_finite=check_finite)


@_documented
def eigvals_banded(a_band, lower=False, overwrite_a_band=False, select="a", select_range=None, check_finite=True):
    """The eigenvalues of a banded Hermitian matrix, by SciPy on the host.

    Args:
        a_band: {hermitian}
        {lower}
        overwrite_a_band: {overwrite}
        {select}
        {check_finite}

    Returns:
        An array of real numbers, ascending.

    Raises:
        {eigen_refusals}

    >>> tombacx.scipy.linalg.eigvals_banded(tombac.array([[0.0, 0.0], [3.0, 2.0]]))
    array([2., 3.])
    """
    return eig_banded(a_band, lower, True, select=select, select_range=select_range, check_finite=check_finite)


@_documented
def eigh_tridiagonal(d, e, eigvals_only=False, select="a", select_range=None, check_finite=True, tol=0.0,
                     lapack_driver="auto"):
    """Eigenvalues and eigenvectors of a real symmetric tridiagonal matrix, by SciPy on the host.

    Args:
        {tridiagonal}
        eigvals_only: Whether eigenvalues alone are wanted.
        {select}
        {check_finite}
        {driver}

    Returns:
        A tuple of arrays: the values, ascending; the vectors as columns. Or the values alone.

    Raises:
        {eigen_refusals}

    >>> w, v = tombacx.scipy.linalg.eigh_tridiagonal(tombac.array([3.0, 2.0]), tombac.array([0.0]))
    >>> w
    array([2., 3.])
    """
    return by_scipy(of_scipy.eigh_tridiagonal, d, e, eigvals_only=eigvals_only, select=select,
                    select_range=select_range, check_finite=check_finite, tol=tol, lapack_driver=lapack_driver)


@_documented
def eigvalsh_tridiagonal(d, e, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"):
    """The eigenvalues of a real symmetric tridiagonal matrix, by SciPy on the host.

    Args:
        {tridiagonal}
        {select}
        {check_finite}
        {driver}

    Returns:
        An array, ascending.

    Raises:
        {eigen_refusals}

    >>> tombacx.scipy.linalg.eigvalsh_tridiagonal(tombac.array([3.0, 2.0]), tombac.array([0.0]))
    array([2., 3.])
    """
    return eigh_tridiagonal(d, e, True, select, select_range, check_finite, tol, lapack_driver)
