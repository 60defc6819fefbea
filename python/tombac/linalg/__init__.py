"""Linear algebra: matrices solved and decomposed, norms, and products and powers of matrices."""

from tombac._core import matmul
from tombac._manipulation import matrix_transpose
from tombac._products import tensordot, vecdot
from tombac.linalg._decompositions import cholesky, eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from tombac.linalg._norm import cross, diagonal, matrix_norm, matrix_power, multi_dot, norm, outer, trace, vector_norm
from tombac.linalg._solve import cond, det, inv, lstsq, matrix_rank, pinv, slogdet, solve, tensorinv, tensorsolve

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv",
    "lstsq", "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer",
    "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot",
    "vector_norm",
]


def __getattr__(name):
    if name == "LinAlgError":
        from tombac._numpy import np

        return np.linalg.LinAlgError
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
