"""SciPy's linear algebra on tombac's arrays: factors and equations, functions of matrices, matrices of special form."""

from tombac._products import kron
from tombacx.scipy.linalg._companions import companion, fiedler, fiedler_companion, leslie
from tombacx.scipy.linalg._lu import lu, lu_factor, lu_solve
from tombacx.scipy.linalg._matrix_functions import expm, null_space, orth
from tombacx.scipy.linalg._solving import cho_factor, cho_solve, cholesky, solve_triangular
from tombacx.scipy.linalg._special_matrices import (
    bandwidth, block_diag, circulant, convolution_matrix, dft, hadamard, hankel, helmert, hilbert, khatri_rao, toeplitz,
)

__all__ = [
    "bandwidth", "block_diag", "cho_factor", "cho_solve", "cholesky", "circulant", "companion", "convolution_matrix",
    "dft", "expm", "fiedler", "fiedler_companion", "hadamard", "hankel", "helmert", "hilbert", "khatri_rao", "kron",
    "leslie", "lu", "lu_factor", "lu_solve", "null_space", "orth", "solve_triangular", "toeplitz",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
