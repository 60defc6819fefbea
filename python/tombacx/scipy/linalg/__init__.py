"""SciPy's linear algebra on tombac's arrays: matrices of special form."""

from tombac._products import kron
from tombacx.scipy.linalg._companions import companion, fiedler, fiedler_companion, leslie
from tombacx.scipy.linalg._special_matrices import (
    bandwidth, block_diag, circulant, convolution_matrix, dft, hadamard, hankel, helmert, hilbert, khatri_rao, toeplitz,
)

__all__ = [
    "bandwidth", "block_diag", "circulant", "companion", "convolution_matrix", "dft", "fiedler", "fiedler_companion",
    "hadamard", "hankel", "helmert", "hilbert", "khatri_rao", "kron", "leslie", "toeplitz",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
