"""Sparse matrices in files, of the form that SciPy's ``save_npz`` has; SciPy reads and writes them on the host."""

from tombacx.scipy._host import scipy_function
from tombacx.scipy.sparse._base import FAMILY, SparseBase

__all__ = ["load_npz", "save_npz"]


def save_npz(file, matrix, compressed=True):
    """Writes a sparse matrix to a file, as SciPy's function does, on the host.

    float16 becomes float32, since SciPy's matrices have no float16.

    Args:
        file: A name, to which ``.npz`` is added if it does not end so, or a file that is open for writing of bytes.
        matrix: A sparse matrix in the BSR, COO, CSR, CSC or DIA format.
        compressed: Whether the file is compressed.

    Returns:
        None.

    Raises:
        NotImplementedError: The format is DOK or LIL.
        TypeError: ``matrix`` is no sparse matrix of tombac's.

    >>> import io
    >>> file = io.BytesIO()
    >>> tombacx.scipy.sparse.save_npz(file, tombacx.scipy.sparse.eye_array(3))
    """
    if not isinstance(matrix, SparseBase):
        raise TypeError(f"save_npz: a sparse matrix is expected, not {type(matrix)}")
    scipy_function("scipy.sparse", "save_npz")(file, matrix.get(), compressed)


def load_npz(file):
    """A sparse matrix from a file that ``save_npz`` has written, SciPy's or this one, on the host.

    Args:
        file: A name, or a file that is open for reading of bytes.

    Returns:
        A sparse matrix or array of the format that was written.

    Raises:
        OSError: The file cannot be read.
        ValueError: It holds no sparse matrix.

    >>> import io
    >>> file = io.BytesIO()
    >>> tombacx.scipy.sparse.save_npz(file, tombacx.scipy.sparse.eye_array(3))
    >>> file.seek(0)
    0
    >>> tombacx.scipy.sparse.load_npz(file).trace()
    array(3.)
    """
    h = scipy_function("scipy.sparse", "load_npz")(file)
    return FAMILY[h.format, type(h).__name__.endswith("_array")](h)
