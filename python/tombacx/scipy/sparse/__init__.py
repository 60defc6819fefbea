"""SciPy's sparse matrices and arrays: BSR, COO, CSR, CSC and DIA, on either backend.

Their values are arrays like any others; the structure is the core's work. Results are those of SciPy, dense ones
tombac's arrays. DOK and LIL are for construction, SciPy's on the host.
"""

import importlib as _importlib

from tombacx.scipy.sparse._base import (
    SparseEfficiencyWarning, SparseWarning, issparse, sparray, spmatrix,
)
from tombacx.scipy.sparse._bsr import bsr_array, bsr_matrix, isspmatrix_bsr
from tombacx.scipy.sparse._built import dok_array, dok_matrix, isspmatrix_dok, isspmatrix_lil, lil_array, lil_matrix
from tombacx.scipy.sparse._construct import (
    block_array, block_diag, bmat, diags, diags_array, expand_dims, eye, eye_array, hstack, identity, kron, kronsum,
    matrix_transpose, permute_dims, rand, random, random_array, spdiags, swapaxes, vstack,
)
from tombacx.scipy.sparse._coo import coo_array, coo_matrix, isspmatrix_coo
from tombacx.scipy.sparse._csc import csc_array, csc_matrix, isspmatrix_csc
from tombacx.scipy.sparse._csr import csr_array, csr_matrix, isspmatrix_csr
from tombacx.scipy.sparse._dia import dia_array, dia_matrix, isspmatrix_dia
from tombacx.scipy.sparse._extract import find, tril, triu
from tombacx.scipy.sparse._files import load_npz, save_npz
from tombacx.scipy.sparse._index_dtypes import get_index_dtype, safely_cast_index_arrays

__all__ = [
    "SparseEfficiencyWarning", "SparseWarning", "block_array", "block_diag", "bmat", "bsr_array", "bsr_matrix",
    "coo_array", "coo_matrix", "csc_array", "csc_matrix", "csr_array", "csr_matrix", "dia_array", "dia_matrix", "diags",
    "diags_array", "dok_array", "dok_matrix", "expand_dims", "eye", "eye_array", "find", "get_index_dtype", "hstack",
    "identity", "issparse", "isspmatrix", "isspmatrix_bsr", "isspmatrix_coo", "isspmatrix_csc", "isspmatrix_csr",
    "isspmatrix_dia", "isspmatrix_dok", "isspmatrix_lil", "kron", "kronsum", "lil_array", "lil_matrix", "load_npz",
    "matrix_transpose", "permute_dims", "rand", "random", "random_array", "safely_cast_index_arrays", "save_npz",
    "sparray", "spdiags", "spmatrix", "swapaxes", "tril", "triu", "vstack",
]


def isspmatrix(x):
    """Whether x is a sparse matrix of tombac's, and no sparse array.

    Args:
        x: Anything.

    Returns:
        A bool.

    >>> tombacx.scipy.sparse.isspmatrix(tombacx.scipy.sparse.eye_array(3))
    False
    """
    return isinstance(x, spmatrix)


_MODULES = {"csgraph", "linalg"}


def __getattr__(name):
    if name in _MODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
