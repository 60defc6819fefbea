"""Equations with matrices of which something is known: triangles and their products."""

from tombac import _core
from tombac.linalg._decompositions import cholesky as _cholesky
from tombacx.scipy.linalg._common import check_matrices, check_square, trans_letter

__all__ = ["cho_factor", "cho_solve", "cholesky", "solve_triangular"]


def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=False):
    """``x`` with ``a @ x == b``, where ``a`` is a triangle.

    Other than SciPy's, a triangle with a zero on its diagonal is no error, unless ``tombacx.errstate(linalg='raise')``
    or strict indices ask for that.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``, of which only one triangle is read; integers are
            converted to float64, float16 to float32.
        b: An array of shape ``(n,)``, one vector for all matrices, or ``(..., n, k)``; stacks broadcast. One of the
            shape ``a.shape[:-1]`` is a stack of vectors.
        trans: 0 or 'N'; 1 or 'T' for ``a.T @ x == b``; 2 or 'C' for ``a.conj().T @ x == b``.
        lower: Whether the lower triangle is read, not the upper one.
        unit_diagonal: Whether the diagonal counts as ones and is not read.
        overwrite_b: Accepted; nothing is overwritten.
        check_finite: Whether to wait and see that there are no infinities or NaNs.

    Returns:
        An array of ``b``'s shape, after broadcasting.

    Raises:
        ValueError: Shapes do not match, there is no such ``trans``, or an array holds infinities or NaNs.
        LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, singular.
        TypeError: An argument is no tombac array.

    >>> a = tombac.array([[2.0, 0.0], [2.0, 4.0]])
    >>> tombacx.scipy.linalg.solve_triangular(a, tombac.array([2.0, 6.0]), lower=True)
    array([1., 1.])
    """
    letter = trans_letter("solve_triangular", trans)
    check_matrices("solve_triangular", check_finite, a, b)
    check_square("solve_triangular", a)
    if a.ndim > 2 and b.shape == a.shape[:-1]:
        return _core._solve_triangular(a, b[..., None], lower, letter, unit_diagonal)[..., 0]
    return _core._solve_triangular(a, b, lower, letter, unit_diagonal)


def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    """The triangle ``U`` with ``U.conj().T @ U == a`` of Hermitian positive definite matrices, or the lower one.

    Other than SciPy's, a matrix that is not positive definite is no error, unless ``tombacx.errstate(linalg='raise')``
    or strict indices ask for that.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``, of which only one triangle is read.
        lower: Whether the lower triangle ``L`` with ``L @ L.conj().T == a`` is returned.
        overwrite_a: Accepted; nothing is overwritten.
        check_finite: Whether to wait and see that there are no infinities or NaNs.

    Returns:
        An array of ``a``'s shape; the other triangle is zero.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, not positive definite.
        ValueError: ``a`` holds infinities or NaNs.
        TypeError: ``a`` is no tombac array.

    >>> tombacx.scipy.linalg.cholesky(tombac.array([[4.0, 2.0], [2.0, 5.0]]))
    array([[2., 1.],
           [0., 2.]])
    """
    check_matrices("cholesky", check_finite, a)
    return _cholesky(a, upper=not lower)


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    """What cho_solve takes: the triangle that cholesky gives, and which one it is.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``, of which only one triangle is read.
        lower: Whether the lower triangle is made.
        overwrite_a: Accepted; nothing is overwritten.
        check_finite: Whether to wait and see that there are no infinities or NaNs.

    Returns:
        A tuple: an array of ``a``'s shape, whose other triangle is zero, and ``lower``.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, not positive definite.
        ValueError: ``a`` holds infinities or NaNs.
        TypeError: ``a`` is no tombac array.

    >>> factor = tombacx.scipy.linalg.cho_factor(tombac.array([[4.0, 2.0], [2.0, 5.0]]))
    >>> tombacx.scipy.linalg.cho_solve(factor, tombac.array([8.0, 12.0]))
    array([1., 2.])
    """
    return cholesky(a, lower, overwrite_a, check_finite), lower


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """``x`` with ``a @ x == b``, by the Cholesky factor of ``a``.

    Args:
        c_and_lower: A triangle of shape ``(..., n, n)``, and whether it is the lower one; the other one is not read.
        b: An array of shape ``(n,)``, one vector for all matrices, or ``(..., n, k)``; stacks broadcast.
        overwrite_b: Accepted; nothing is overwritten.
        check_finite: Whether to wait and see that there are no infinities or NaNs.

    Returns:
        An array of ``b``'s shape, after broadcasting.

    Raises:
        ValueError: Shapes do not match, or an array holds infinities or NaNs.
        LinAlgError: The triangles are not square.
        TypeError: An argument is no tombac array.

    >>> triangle = tombac.array([[2.0, 1.0], [0.0, 2.0]])
    >>> tombacx.scipy.linalg.cho_solve((triangle, False), tombac.array([8.0, 12.0]))
    array([1., 2.])
    """
    c, lower = c_and_lower
    check_matrices("cho_solve", check_finite, c, b)
    check_square("cho_solve", c)
    return _core._cho_solve(c, b, lower)
