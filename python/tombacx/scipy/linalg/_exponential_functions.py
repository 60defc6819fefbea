"""Functions of matrices that are made of exponentials, and how these change with the matrix."""

from tombac import _core
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombac._util import check_arrays
from tombac.linalg._solve import solve
from tombacx.scipy.linalg._by_scipy import by_scipy, of_scipy, sooner_by_scipy
from tombacx.scipy.linalg._common import check_matrices, check_square
from tombacx.scipy.linalg._matrix_functions import expm

__all__ = ["coshm", "cosm", "expm_cond", "expm_frechet", "sinhm", "sinm", "tanhm", "tanm"]

_documented = with_rows(
    square="""A: An array of any numeric dtype and shape ``(..., n, n)``; integers are converted to float64, float16 to
            float32.""",
    returns="An array of ``A``'s shape, real where ``A`` is.",
    refusals="""LinAlgError: ``A`` is no stack of square matrices.
        TypeError: ``A`` is no tombac array.""",
)


def _waves(name, A):
    """exp(i A) and exp(-i A)."""
    check_arrays(name, A)
    check_square(name, A)
    turned = A * np.complex64(1j) if A.dtype.char in "eF" else A * 1j
    return expm(turned), expm(-turned) if A._kind == "c" else None


@_documented
def cosm(A):
    """The cosines of square matrices.

    Args:
        {square}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.cosm(tombac.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    up, down = _waves("cosm", A)
    return up.real.copy() if down is None else (up + down) * 0.5


@_documented
def sinm(A):
    """The sines of square matrices.

    Args:
        {square}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.sinm(tombac.zeros((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    up, down = _waves("sinm", A)
    return up.imag.copy() if down is None else (up - down) * -0.5j


@_documented
def tanm(A):
    """The tangents of square matrices.

    Args:
        {square}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.tanm(tombac.zeros((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    up, down = _waves("tanm", A)
    if down is None:
        return solve(up.real, up.imag)
    return solve(up + down, (up - down) * -1j)


@_documented
def coshm(A):
    """The hyperbolic cosines of square matrices.

    Args:
        {square}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.coshm(tombac.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    return (expm(A) + expm(-A)) * 0.5


@_documented
def sinhm(A):
    """The hyperbolic sines of square matrices.

    Args:
        {square}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.sinhm(tombac.zeros((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    return (expm(A) - expm(-A)) * 0.5


@_documented
def tanhm(A):
    """The hyperbolic tangents of square matrices.

    Args:
        {square}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.tanhm(tombac.zeros((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    grown, shrunk = expm(A), expm(-A)
    return solve(grown + shrunk, grown - shrunk)


def expm_frechet(A, E, method=None, compute_expm=True, check_finite=True):
    """How the exponential of ``A`` changes in the direction ``E``: a block of the exponential of twice as many rows.

    Args:
        A: An array of any numeric dtype and shape ``(..., n, n)``.
        E: Another one of that shape.
        method: None, 'SPS' or 'blockEnlarge', which are all one here.
        compute_expm: Whether the exponential is wanted too.
        check_finite: Whether to wait and see that there are no infinities or NaNs.

    Returns:
        A tuple of arrays, of float64 or complex128: the exponential, and its derivative. Or the latter alone.

    Raises:
        LinAlgError: ``A`` or ``E`` is no stack of square matrices.
        ValueError: Their shapes differ, there is no such method, or one holds infinities or NaNs.
        TypeError: ``A`` or ``E`` is no tombac array.

    >>> tombacx.scipy.linalg.expm_frechet(tombac.zeros((1, 1)), tombac.ones((1, 1)))
    (array([[1.]]), array([[1.]]))
    """
    if method not in (None, "SPS", "blockEnlarge"):
        raise ValueError(f"expm_frechet: method must be None, 'SPS' or 'blockEnlarge', not {method!r}")
    check_matrices("expm_frechet", check_finite, A, E)
    check_square("expm_frechet", A)
    check_square("expm_frechet", E)
    if A.shape != E.shape:
        raise ValueError(f"expm_frechet: A and E must have one shape, not {A.shape} and {E.shape}")
    found = sooner_by_scipy("expm_frechet", A, E, compute_expm=compute_expm, check_finite=False)
    if found is not NotImplemented:
        return found
    n = A.shape[-1]
    A, E = (x.astype(np.complex128 if x._kind == "c" else np.float64, copy=False) for x in (A, E))
    above = _core.concatenate((A, E), -1)
    below = _core.concatenate((_core.zeros_like(A), A), -1)
    both = expm(_core.concatenate((above, below), -2))
    exponential, derivative = both[..., :n, :n], both[..., :n, n:].copy()
    if A._kind != "c":
        exponential = exponential.real
    return (exponential.copy(), derivative) if compute_expm else derivative


def expm_cond(A, check_finite=True):
    """The relative condition number of a matrix's exponential, in Frobenius' norm; by SciPy on the host.

    Args:
        A: An array of any numeric dtype and shape ``(n, n)``.
        check_finite: Whether to see that there are no infinities or NaNs.

    Returns:
        An array without dimensions.

    Raises:
        ValueError: ``A`` is no square matrix, or holds infinities or NaNs.
        TypeError: ``A`` is no tombac array.
        ImportError: SciPy is not installed.

    >>> tombacx.scipy.linalg.expm_cond(tombac.eye(2)).round(12)
    array(1.)
    """
    return by_scipy(of_scipy.expm_cond, A, check_finite=check_finite)
