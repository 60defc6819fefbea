"""SciPy's linear algebra on tombac's arrays: factors and equations, functions of matrices, matrices of special form."""

from tombac._products import kron
from tombacx.scipy.linalg._banded import (
    cho_solve_banded, cholesky_banded, eig_banded, eigh_tridiagonal, eigvals_banded, eigvalsh_tridiagonal,
    solve_banded, solveh_banded,
)
from tombacx.scipy.linalg._binomial_matrices import diagsvd, invhilbert, invpascal, pascal
from tombacx.scipy.linalg._companions import companion, fiedler, fiedler_companion, leslie
from tombacx.scipy.linalg._equations import det, inv, lstsq, norm, pinv, solve
from tombacx.scipy.linalg._exponential_functions import coshm, cosm, expm_cond, expm_frechet, sinhm, sinm, tanhm, tanm
from tombacx.scipy.linalg._factor_updates import cossin, qr_delete, qr_insert, qr_update
from tombacx.scipy.linalg._lu import lu, lu_factor, lu_solve
from tombacx.scipy.linalg._matrix_equations import (
    solve_continuous_are, solve_continuous_lyapunov, solve_discrete_are, solve_discrete_lyapunov, solve_lyapunov,
    solve_sylvester,
)
from tombacx.scipy.linalg._matrix_functions import (
    expm, fractional_matrix_power, funm, logm, null_space, orth, signm, sqrtm,
)
from tombacx.scipy.linalg._schur import (
    cdf2rdf, hessenberg, ldl, matrix_balance, ordqz, qr_multiply, qz, rq, rsf2csf, schur,
)
from tombacx.scipy.linalg._solving import cho_factor, cho_solve, cholesky, solve_triangular
from tombacx.scipy.linalg._special_matrices import (
    bandwidth, block_diag, circulant, convolution_matrix, dft, hadamard, hankel, helmert, hilbert, khatri_rao,
    toeplitz,
)
from tombacx.scipy.linalg._spectra import eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from tombacx.scipy.linalg._subspaces import (
    ishermitian, issymmetric, orthogonal_procrustes, pinvh, polar, subspace_angles,
)
from tombacx.scipy.linalg._toeplitz import matmul_toeplitz, solve_circulant, solve_toeplitz

__all__ = [
    "LinAlgError", "bandwidth", "block_diag", "cdf2rdf", "cho_factor", "cho_solve", "cho_solve_banded", "cholesky",
    "cholesky_banded", "circulant", "companion", "convolution_matrix", "coshm", "cosm", "cossin", "det", "dft",
    "diagsvd", "eig", "eig_banded", "eigh", "eigh_tridiagonal", "eigvals", "eigvals_banded", "eigvalsh",
    "eigvalsh_tridiagonal", "expm", "expm_cond", "expm_frechet", "fiedler", "fiedler_companion",
    "fractional_matrix_power", "funm", "hadamard", "hankel", "helmert", "hessenberg", "hilbert", "inv",
    "invhilbert", "invpascal", "ishermitian", "issymmetric", "khatri_rao", "kron", "ldl", "leslie", "logm", "lstsq",
    "lu", "lu_factor", "lu_solve", "matmul_toeplitz", "matrix_balance", "norm", "null_space", "ordqz", "orth",
    "orthogonal_procrustes", "pascal", "pinv", "pinvh", "polar", "qr", "qr_delete", "qr_insert", "qr_multiply",
    "qr_update", "qz", "rq", "rsf2csf", "schur", "signm", "sinhm", "sinm", "solve", "solve_banded",
    "solve_circulant", "solve_continuous_are", "solve_continuous_lyapunov", "solve_discrete_are",
    "solve_discrete_lyapunov", "solve_lyapunov", "solve_sylvester", "solve_toeplitz", "solve_triangular",
    "solveh_banded", "sqrtm", "subspace_angles", "svd", "svdvals", "tanhm", "tanm", "toeplitz",
]


def __getattr__(name):
    if name == "LinAlgError":
        from tombac._numpy import np

        value = np.linalg.LinAlgError
    elif name == "LinAlgWarning":  # not in __all__: SciPy has no types for it
        from tombacx.scipy._host import scipy_module

        value = scipy_module("scipy.linalg", name).LinAlgWarning
    else:
        from tombac._absent import no_attribute

        raise no_attribute(__name__, name)
    globals()[name] = value
    return value
