"""Matrices of binomial coefficients and their like, which are computed on the host, and matrices of singular values."""

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy._host import by_host
from tombacx.scipy.linalg._by_scipy import of_scipy

__all__ = ["diagsvd", "invhilbert", "invpascal", "pascal"]


def _integers(f, n, *options):
    """SciPy's matrix; ValueError where its elements are larger than a dtype's integers."""
    found = by_host(f, n, *options)
    if not isinstance(found, _core.ndarray):
        raise ValueError(f"{f.__name__}: the elements for n={n} are larger than 64 bits; exact=False gives floats")
    return found


def pascal(n, kind="symmetric", exact=True):
    """The Pascal matrix of binomial coefficients, made by SciPy on the host.

    Args:
        n: Its size.
        kind: 'symmetric' for ``binomial(i + j, i)``, 'lower' for ``binomial(i, j)``, 'upper' for its transpose.
        exact: Whether elements are uint64, which they can be up to 34 rows, rather than float64.

    Returns:
        An array of shape ``(n, n)``.

    Raises:
        ValueError: There is no such kind, or elements are too large for 64 bits: SciPy has Python's integers then.
        ImportError: SciPy is not installed.

    >>> tombacx.scipy.linalg.pascal(3)
    array([[1, 1, 1],
           [1, 2, 3],
           [1, 3, 6]], dtype=uint64)
    """
    return _integers(of_scipy.pascal, n, kind, exact)


def invpascal(n, kind="symmetric", exact=True):
    """The inverse of the Pascal matrix, made by SciPy on the host.

    Args:
        n: Its size.
        kind: 'symmetric', 'lower' or 'upper', as of ``pascal``.
        exact: Whether elements are int64, which they can be up to 34 rows, rather than float64.

    Returns:
        An array of shape ``(n, n)``.

    Raises:
        ValueError: There is no such kind, or elements are too large for 64 bits: SciPy has Python's integers then.
        ImportError: SciPy is not installed.

    >>> tombacx.scipy.linalg.invpascal(2)
    array([[ 2, -1],
           [-1,  1]])
    """
    return _integers(of_scipy.invpascal, n, kind, exact)


def invhilbert(n, exact=False):
    """The inverse of the Hilbert matrix, made by SciPy on the host.

    Args:
        n: Its size.
        exact: Whether elements are int64, which they can be up to 14 rows, rather than float64.

    Returns:
        An array of shape ``(n, n)``.

    Raises:
        ValueError: Elements are too large for 64 bits: SciPy has Python's integers then.
        ImportError: SciPy is not installed.

    >>> tombacx.scipy.linalg.invhilbert(2)
    array([[ 4., -6.],
           [-6., 12.]])
    """
    return _integers(of_scipy.invhilbert, n, exact)


def diagsvd(s, M, N):
    """The matrices of singular values ``S`` with ``a == U @ S @ Vh``, for full ``U`` and ``Vh``.

    Args:
        s: An array of shape ``(..., k)`` with ``k == M`` or ``k == N``.
        M: How many rows there are.
        N: How many columns.

    Returns:
        An array of shape ``(..., M, N)``.

    Raises:
        ValueError: ``s`` has neither as many elements as there are rows, nor as columns.
        TypeError: ``s`` is no tombac array.

    >>> tombacx.scipy.linalg.diagsvd(tombac.array([1, 2]), 2, 3)
    array([[1, 0, 0],
           [0, 2, 0]])
    """
    check_arrays("diagsvd", s)
    k = s.shape[-1] if s.ndim else 0
    if not s.ndim or k not in (M, N) or k > max(M, N):
        raise ValueError(f"diagsvd: the length of s must be M={M} or N={N}, its shape is {s.shape}")
    if k > min(M, N):
        raise ValueError(f"diagsvd: {k} values do not fit on a diagonal of {min(M, N)}")
    rows, columns = _core.arange(M)[:, None], _core.arange(N)
    padded = _core.concatenate((s, _core.zeros((*s.shape[:-1], max(M - k, 0)), s.dtype)), -1)
    return _core.where(rows == columns, padded[..., :, None], np.zeros((), s.dtype)[()])
