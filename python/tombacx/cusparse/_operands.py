"""What functions of this module do with their arguments: looked at, transposed, scaled, added up."""

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy.sparse._base import SparseBase

__all__ = ["check_dense", "check_sparse", "conjugated", "delivered", "number", "scaled", "transposed"]

_TRANSPOSED = {False: "N", True: "T", 0: "N", 1: "T", "N": "N", "T": "T", "H": "H"}


def check_sparse(name, a, *formats):
    """Raises TypeError if a is no sparse matrix of one of these formats, by default CSR, CSC and COO."""
    formats = formats or ("csr", "csc", "coo")
    if not isinstance(a, SparseBase) or a.format not in formats:
        kind = f"{a.format}_matrix" if isinstance(a, SparseBase) else type(a).__name__
        raise TypeError(f"{name}: a sparse matrix in {', '.join(formats)} is expected, not {kind}")


def check_dense(name, x, *ndims):
    """Raises TypeError if x is no array, ValueError if it has another number of dimensions."""
    check_arrays(name, x)
    if x.ndim not in ndims:
        raise ValueError(f"{name}: an array of {' or '.join(map(str, ndims))} dimensions is expected, not {x.ndim}")


def transposed(name, trans):
    """'N', 'T' or 'H' of what says whether an operand is transposed."""
    try:
        return _TRANSPOSED[trans]
    except (KeyError, TypeError) as e:
        raise ValueError(f"{name}: False, True, 'N', 'T' or 'H' is expected, not {trans!r}") from e


def conjugated(a, trans):
    """a, its transpose or its conjugate transpose."""
    if trans == "N":
        return a
    return a.transpose().conj() if trans == "H" else a.transpose()


def number(x):
    """A factor as Python's number, which changes no array's precision."""
    return x.item() if hasattr(x, "item") else x


def scaled(x, factor):
    """x times a factor; x itself if that is 1."""
    factor = number(factor)
    return x if factor == 1 else x * factor


def delivered(name, made, out, beta, order):
    """``made + beta * out``, in out where that has the dtype, else in a new array. What beta 0 is for is not read."""
    beta = number(beta)
    if out is None:
        if made.ndim < 2 or made.flags.f_contiguous:
            return made
        out = _core.empty(made.shape, made.dtype, order)
        out[...] = made
        return out
    if out.shape != made.shape:
        raise ValueError(f"{name}: the array to add to must have shape {made.shape}, not {out.shape}")
    if beta:
        made = made + scaled(out, beta)
    dtype = np.result_type(made.dtype, out.dtype)
    if out.dtype != dtype:
        return made.astype(dtype, copy=False)
    out[...] = made
    return out
