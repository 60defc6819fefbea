"""Which dtype indices have."""

from tombac import _core
from tombac._numpy import np

__all__ = ["get_index_dtype", "safely_cast_index_arrays"]


def get_index_dtype(arrays=(), maxval=None, check_contents=False):
    """A dtype of indices that holds what is in arrays of them.

    Args:
        arrays: One array or several.
        maxval: The largest index that there will be.
        check_contents: Whether to look at the elements of int64 arrays, which may be small, and then wait for them.

    Returns:
        A dtype: int32 or int64.

    Raises:
        TypeError: Something is no array.

    >>> tombacx.scipy.sparse.get_index_dtype((tombac.arange(3),))
    <class 'numpy.int64'>
    """
    narrow = np.iinfo(np.int32)
    if maxval is not None and int(maxval) > narrow.max:
        return np.int64
    for a in (arrays,) if hasattr(arrays, "dtype") else arrays:
        if not hasattr(a, "dtype"):
            raise TypeError(f"arrays are expected, not {type(a).__name__}")
        if np.can_cast(a.dtype, np.int32):
            continue
        small = check_contents and (a.size == 0 or a.dtype.kind in "iu" and int(a.min()) >= narrow.min
                                    and int(a.max()) <= narrow.max)
        if not small:
            return np.int64
    return np.int32


def safely_cast_index_arrays(A, idx_dtype=np.int32, msg=""):
    """The index arrays of a sparse matrix in another dtype.

    Args:
        A: A sparse matrix.
        idx_dtype: A dtype of integers.
        msg: What the error says the arrays are for.

    Returns:
        A tuple of arrays: those that have the dtype as they are.

    Raises:
        ValueError: The shape or an index does not fit.
        TypeError: A has no index arrays.

    >>> len(tombacx.scipy.sparse.safely_cast_index_arrays(tombacx.scipy.sparse.eye(3, format="csr"), "int64"))
    2
    """
    compressed = ("indices", "indptr")
    parts = {"csr": compressed, "csc": compressed, "bsr": compressed, "coo": ("coords",), "dia": ("offsets",)}
    if getattr(A, "format", None) not in parts:
        raise TypeError(f"Format {getattr(A, 'format', None)} is not associated with index arrays.")
    dtype = np.dtype(idx_dtype)
    most = np.iinfo(dtype).max
    if max(A.shape) > most or A.nnz > most:
        raise ValueError(f"{msg or 'A'}: shape or number of elements does not fit {dtype}")
    arrays = A.coords if A.format == "coo" else [getattr(A, name) for name in parts[A.format]]
    for a in arrays:
        if a.size and a.dtype.itemsize > dtype.itemsize and (int(a.max()) > most or int(a.min()) < np.iinfo(dtype).min):
            raise ValueError(f"{msg or 'A'}: an index does not fit {dtype}")
    return tuple(_core.asarray(a, dtype) for a in arrays)
