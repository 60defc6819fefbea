"""Decompositions that SciPy computes on the host: Schur's, Hessenberg's, of pairs, of indefinite matrices."""

from tombac._docstrings import with_rows
from tombacx.scipy.linalg._by_scipy import by_scipy, of_scipy

__all__ = [
    "cdf2rdf", "hessenberg", "ldl", "matrix_balance", "ordqz", "qr_multiply", "qz", "rq", "rsf2csf", "schur",
]

_documented = with_rows(
    square="An array of any numeric dtype and shape ``(n, n)``; integers are converted to float64, float16 to float32.",
    output="output: 'real' or 'complex': with the former real matrices have real factors, and blocks of 2 by 2.",
    lwork="lwork: Accepted; how much memory is needed is found out.",
    sort="""sort: Which eigenvalues come first: 'lhp' and 'rhp' those with negative and positive real parts, 'iuc' and
            'ouc' those within and outside of the unit circle, or a function of them, which is called on the host; in
            any order if None.""",
    overwrite="Accepted; nothing is overwritten.",
    check_finite="check_finite: Whether to see that there are no infinities or NaNs.",
    refusals="""LinAlgError: There was no convergence.
        ValueError: Shapes or an argument are not as above, or an array holds infinities or NaNs.
        TypeError: An argument is no tombac array.
        ImportError: SciPy is not installed.""",
)


@_documented
def schur(a, output="real", lwork=None, overwrite_a=False, sort=None, check_finite=True):
    """Schur's decomposition ``a == Z @ T @ Z.conj().T``, ``Z`` unitary, ``T`` an upper triangle; by SciPy on the host.

    Args:
        a: {square}
        {output}
        {lwork}
        overwrite_a: {overwrite}
        {sort}
        {check_finite}

    Returns:
        A tuple of arrays ``(T, Z)``, and with ``sort`` the number of eigenvalues that it put first, an int.

    Raises:
        {refusals}

    >>> t, z = tombacx.scipy.linalg.schur(tombac.array([[1.0, 2.0], [0.0, 3.0]]))
    >>> t
    array([[1., 2.],
           [0., 3.]])
    """
    return by_scipy(of_scipy.schur, a, output=output, lwork=lwork, sort=sort, check_finite=check_finite)


@_documented
def rsf2csf(T, Z, check_finite=True):
    """The complex Schur decomposition, made of a real one; by SciPy on the host.

    Args:
        T: {square}
        Z: Another one: both are as ``schur`` gives them.
        {check_finite}

    Returns:
        A tuple of complex arrays ``(T, Z)``.

    Raises:
        {refusals}

    >>> t, z = tombacx.scipy.linalg.schur(tombac.array([[0.0, 2.0], [-2.0, 0.0]]))
    >>> abs(tombacx.scipy.linalg.rsf2csf(t, z)[0].diagonal())
    array([2., 2.])
    """
    return by_scipy(of_scipy.rsf2csf, T, Z, check_finite=check_finite)


@_documented
def cdf2rdf(w, v):
    """Real blocks of 2 by 2, and real vectors, in the place of conjugate eigenvalues and vectors; by SciPy on the host.

    Args:
        w: An array of complex numbers: the eigenvalues of real matrices, of shape ``(..., n)``.
        v: An array of the vectors as columns, ``(..., n, n)``.

    Returns:
        A tuple of real arrays, both of ``v``'s shape.

    Raises:
        {refusals}

    >>> w, v = tombacx.scipy.linalg.eig(tombac.array([[0.0, 2.0], [-2.0, 0.0]]))
    >>> abs(tombacx.scipy.linalg.cdf2rdf(w, v)[0])
    array([[0., 2.],
           [2., 0.]])
    """
    return by_scipy(of_scipy.cdf2rdf, w, v)


@_documented
def hessenberg(a, calc_q=False, overwrite_a=False, check_finite=True):
    """Hessenberg's form ``Q.conj().T @ a @ Q``, zero below the first diagonal under the main one; by SciPy on the host.

    Args:
        a: {square}
        calc_q: Whether ``Q`` is wanted too.
        overwrite_a: {overwrite}
        {check_finite}

    Returns:
        An array of ``a``'s shape, or a tuple of it and of ``Q``.

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.hessenberg(tombac.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 2.],
           [3., 4.]])
    """
    return by_scipy(of_scipy.hessenberg, a, calc_q=calc_q, check_finite=check_finite)


@_documented
def qz(A, B, output="real", lwork=None, sort=None, overwrite_a=False, overwrite_b=False, check_finite=True):
    """``A == Q @ AA @ Z.conj().T`` and ``B == Q @ BB @ Z.conj().T`` with triangles, by SciPy on the host.

    Args:
        A: {square}
        B: Another one.
        {output}
        {lwork}
        sort: Must be None; see ``ordqz``.
        overwrite_a: {overwrite}
        overwrite_b: {overwrite}
        {check_finite}

    Returns:
        A tuple of arrays ``(AA, BB, Q, Z)``.

    Raises:
        {refusals}

    >>> a, b = tombac.array([[1.0, 2.0], [0.0, 3.0]]), tombac.eye(2)
    >>> [x.shape for x in tombacx.scipy.linalg.qz(a, b)]
    [(2, 2), (2, 2), (2, 2), (2, 2)]
    """
    return by_scipy(of_scipy.qz, A, B, output=output, lwork=lwork, sort=sort, check_finite=check_finite)


@_documented
def ordqz(A, B, sort="lhp", output="real", overwrite_a=False, overwrite_b=False, check_finite=True):
    """As ``qz``, with some of the eigenvalues first; by SciPy on the host.

    Args:
        A: {square}
        B: Another one.
        {sort}
        {output}
        overwrite_a: {overwrite}
        overwrite_b: {overwrite}
        {check_finite}

    Returns:
        A tuple of arrays ``(AA, BB, alpha, beta, Q, Z)``: the eigenvalues are ``alpha / beta``.

    Raises:
        {refusals}

    >>> a, b = tombac.array([[1.0, 2.0], [0.0, -3.0]]), tombac.eye(2)
    >>> _, _, alpha, beta, _, _ = tombacx.scipy.linalg.ordqz(a, b)
    >>> (alpha / beta).real.round(12)
    array([-3.,  1.])
    """
    return by_scipy(of_scipy.ordqz, A, B, sort=sort, output=output, check_finite=check_finite)


@_documented
def ldl(A, lower=True, hermitian=True, overwrite_a=False, check_finite=True):
    """``A == L @ D @ L.conj().T`` with a permuted triangle and blocks of 1 by 1 and 2 by 2; by SciPy on the host.

    Args:
        A: {square} One triangle is read.
        lower: Whether the lower triangle is read, not the upper one.
        hermitian: Whether complex matrices are Hermitian rather than symmetric.
        overwrite_a: {overwrite}
        {check_finite}

    Returns:
        A tuple of arrays: ``L``, ``D``, and the int32 indices of rows with which ``L[perm]`` is a triangle.

    Raises:
        {refusals}

    >>> l, d, perm = tombacx.scipy.linalg.ldl(tombac.array([[4.0, 2.0], [2.0, 3.0]]))
    >>> d
    array([[4., 0.],
           [0., 2.]])
    """
    return by_scipy(of_scipy.ldl, A, lower=lower, hermitian=hermitian, check_finite=check_finite)


@_documented
def rq(a, overwrite_a=False, lwork=None, mode="full", check_finite=True):
    """A matrix as product of an upper triangle and one with orthonormal rows, ``R @ Q``; by SciPy on the host.

    Args:
        a: An array of any numeric dtype and shape ``(m, n)``.
        overwrite_a: {overwrite}
        {lwork}
        mode: 'full': ``R`` is ``(m, n)`` and ``Q`` ``(n, n)``; 'economic': ``(m, k)`` and ``(k, n)`` with
            ``k = min(m, n)``; 'r': ``R`` alone.
        {check_finite}

    Returns:
        A tuple of arrays ``(R, Q)``, or ``R`` alone.

    Raises:
        {refusals}

    >>> r, q = tombacx.scipy.linalg.rq(tombac.array([[3.0, 4.0], [0.0, 2.0]]))
    >>> (r @ q).round(12)
    array([[3., 4.],
           [0., 2.]])
    """
    return by_scipy(of_scipy.rq, a, lwork=lwork, mode=mode, check_finite=check_finite)


@_documented
def qr_multiply(a, c, mode="right", pivoting=False, conjugate=False, overwrite_a=False, overwrite_c=False):
    """The product of a matrix and the orthonormal factor of another one, and that one's triangle; by SciPy on the host.

    Args:
        a: An array of any numeric dtype and shape ``(m, n)``: the matrix that is decomposed as ``Q @ R``.
        c: An array of one dimension or two that is multiplied.
        mode: 'left' for ``Q @ c``, 'right' for ``c @ Q``.
        pivoting: Whether columns are permuted, so that the triangle's diagonal descends.
        conjugate: Whether ``Q`` is conjugated first.
        overwrite_a: {overwrite}
        overwrite_c: {overwrite}

    Returns:
        A tuple of arrays: the product, ``R``, and with ``pivoting`` the int32 indices of columns.

    Raises:
        {refusals}

    >>> a = tombac.array([[2.0, 1.0], [0.0, 3.0]])
    >>> product, r = tombacx.scipy.linalg.qr_multiply(a, tombac.eye(2))
    >>> (product @ r).round(12)
    array([[2., 1.],
           [0., 3.]])
    """
    return by_scipy(of_scipy.qr_multiply, a, c, mode=mode, pivoting=pivoting, conjugate=conjugate)


@_documented
def matrix_balance(A, permute=True, scale=True, separate=False, overwrite_a=False):
    """A matrix with the same eigenvalues whose rows and columns are about as long; by SciPy on the host.

    Args:
        A: {square}
        permute: Whether rows and columns are permuted, so that eigenvalues that stand alone come off.
        scale: Whether they are multiplied by powers of two.
        separate: Whether scales and permutation are wanted rather than their product.
        overwrite_a: {overwrite}

    Returns:
        A tuple of arrays: the balanced matrix ``inv(T) @ A @ T``, and ``T``, or a pair of scales and indices.

    Raises:
        {refusals}

    >>> b, t = tombacx.scipy.linalg.matrix_balance(tombac.array([[1.0, 256.0], [0.25, 1.0]]))
    >>> b
    array([[1., 8.],
           [8., 1.]])
    """
    return by_scipy(of_scipy.matrix_balance, A, permute=permute, scale=scale, separate=separate)
