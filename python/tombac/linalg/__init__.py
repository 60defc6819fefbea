"""Linear algebra: norms, and products and powers of matrices."""

from tombac._core import matmul
from tombac._manipulation import matrix_transpose
from tombac._products import tensordot, vecdot
from tombac.linalg._norm import cross, diagonal, matrix_norm, matrix_power, multi_dot, norm, outer, trace, vector_norm

__all__ = [
    "LinAlgError", "cross", "diagonal", "matmul", "matrix_norm", "matrix_power", "matrix_transpose", "multi_dot",
    "norm",
    "outer", "tensordot", "trace", "vecdot", "vector_norm",
]


def __getattr__(name):
    if name == "LinAlgError":
        from numpy.linalg import LinAlgError

        return LinAlgError
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
