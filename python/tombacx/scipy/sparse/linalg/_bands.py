"""How far from the diagonal the stored elements of a matrix are."""

from tombacx.scipy.sparse import issparse

__all__ = ["is_sptriangular", "spbandwidth"]


def _diagonals(name, A):
    """The lowest and the highest diagonal that has a stored element, (0, 0) where there is none."""
    if not issparse(A):
        raise TypeError(f"{name}: a sparse matrix is expected, not {type(A)}")
    if A.ndim != 2:
        raise ValueError(f"{name}: A must have two dimensions, not the shape {A.shape}")
    if A.format == "dia":
        d = A.offsets
    else:
        a = A.tocoo()
        d = a.col - a.row
    if d.size == 0:
        return 0, 0
    return int(d.min()), int(d.max())


def spbandwidth(A):
    """How many diagonals below and above the main one have stored elements.

    Zeros that are stored count, and in the DIA format all diagonals that are. Of a matrix without elements it is
    (0, 0), where SciPy raises ValueError for some formats.

    Args:
        A: A sparse matrix of shape (m, n).

    Returns:
        A tuple of two ints, below and above.

    Raises:
        ValueError: ``A`` has not two dimensions.
        TypeError: It is no sparse matrix of tombac's.

    >>> A = tombacx.scipy.sparse.csr_matrix(tombac.array([[1, 0, 2], [0, 1, 0], [0, 3, 1]]))
    >>> tombacx.scipy.sparse.linalg.spbandwidth(A)
    (1, 2)
    """
    low, high = _diagonals("spbandwidth", A)
    return max(-low, 0), max(high, 0)


def is_sptriangular(A):
    """Whether no element is stored above, and whether none is below, the main diagonal.

    Args:
        A: A sparse matrix of shape (m, n).

    Returns:
        A tuple of two bools: whether it is a lower, and whether it is an upper triangle.

    Raises:
        ValueError: ``A`` has not two dimensions.
        TypeError: It is no sparse matrix of tombac's.

    >>> A = tombacx.scipy.sparse.csr_matrix(tombac.array([[1, 0], [2, 1]]))
    >>> tombacx.scipy.sparse.linalg.is_sptriangular(A)
    (True, False)
    """
    low, high = _diagonals("is_sptriangular", A)
    return high <= 0, low >= 0
