"""SciPy's solvers for sparse matrices and linear operators."""

from tombacx.scipy.sparse.linalg._gmres import gmres
from tombacx.scipy.sparse.linalg._interface import LinearOperator, aslinearoperator
from tombacx.scipy.sparse.linalg._krylov import bicgstab, cg, cgs
from tombacx.scipy.sparse.linalg._lsmr import lsmr
from tombacx.scipy.sparse.linalg._lsqr import lsqr
from tombacx.scipy.sparse.linalg._minres import minres
from tombacx.scipy.sparse.linalg._eigsh import eigsh
from tombacx.scipy.sparse.linalg._svds import svds
