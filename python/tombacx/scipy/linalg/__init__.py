"""SciPy's linear algebra on tombac's arrays: factors and equations, functions of matrices, matrices of special form."""

from tombac._products import kron
from tombacx.scipy.linalg._companions import companion, fiedler, fiedler_companion, leslie
from tombacx.scipy.linalg._equations import det, inv, lstsq, norm, pinv, solve
from tombacx.scipy.linalg._lu import lu, lu_factor, lu_solve
from tombacx.scipy.linalg._matrix_functions import expm, logm, null_space, orth, sqrtm
from tombacx.scipy.linalg._solving import cho_factor, cho_solve, cholesky, solve_triangular
from tombacx.scipy.linalg._special_matrices import (
    bandwidth, block_diag, circulant, convolution_matrix, dft, hadamard, hankel, helmert, hilbert, khatri_rao, toeplitz,
)
from tombacx.scipy.linalg._spectra import eig, eigh, eigvals, eigvalsh, qr, svd, svdvals

__all__ = [
    "bandwidth", "block_diag", "cho_factor", "cho_solve", "cholesky", "circulant", "companion", "convolution_matrix",
    "det", "dft", "eig", "eigh", "eigvals", "eigvalsh", "expm", "fiedler", "fiedler_companion", "hadamard", "hankel",
    "helmert", "hilbert", "inv", "khatri_rao", "kron", "leslie", "logm", "lstsq", "lu", "lu_factor", "lu_solve", "norm",
    "null_space", "orth", "pinv", "qr", "solve", "solve_triangular", "sqrtm", "svd", "svdvals", "toeplitz",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
