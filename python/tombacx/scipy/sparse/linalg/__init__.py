"""SciPy's solvers for sparse matrices and linear operators."""

from tombacx.scipy.sparse.linalg._bands import is_sptriangular, spbandwidth
from tombacx.scipy.sparse.linalg._biconjugate import bicg, tfqmr
from tombacx.scipy.sparse.linalg._by_scipy import eigs, expm, inv, onenormest
from tombacx.scipy.sparse.linalg._direct import SuperLU, factorized, spilu, splu, spsolve, spsolve_triangular
from tombacx.scipy.sparse.linalg._eigsh import eigsh
from tombacx.scipy.sparse.linalg._gmres import gmres
from tombacx.scipy.sparse.linalg._host_solvers import gcrotmk, lgmres, qmr
from tombacx.scipy.sparse.linalg._interface import LinearOperator, aslinearoperator
from tombacx.scipy.sparse.linalg._krylov import bicgstab, cg, cgs
from tombacx.scipy.sparse.linalg._lobpcg import lobpcg
from tombacx.scipy.sparse.linalg._lsmr import lsmr
from tombacx.scipy.sparse.linalg._lsqr import lsqr
from tombacx.scipy.sparse.linalg._matrix_functions import expm_multiply, matrix_power
from tombacx.scipy.sparse.linalg._minres import minres
from tombacx.scipy.sparse.linalg._norm import norm
from tombacx.scipy.sparse.linalg._svds import svds

__all__ = [
    "LinearOperator", "SuperLU", "aslinearoperator", "bicg", "bicgstab", "cg", "cgs", "eigs", "eigsh", "expm",
    "expm_multiply", "factorized", "gcrotmk", "gmres", "inv", "is_sptriangular", "lgmres", "lobpcg", "lsmr", "lsqr",
    "matrix_power", "minres", "norm", "onenormest", "qmr", "spbandwidth", "spilu", "splu", "spsolve",
    "spsolve_triangular", "svds", "tfqmr",
]

_EXCEPTIONS = {"ArpackError", "ArpackNoConvergence", "MatrixRankWarning"}


def __getattr__(name):
    from tombac._absent import no_attribute

    if name in _EXCEPTIONS:  # SciPy's own, so that programs that catch them go on doing so
        from tombacx.scipy._host import scipy_function

        return scipy_function("scipy.sparse.linalg", name)
    raise no_attribute(__name__, name)
