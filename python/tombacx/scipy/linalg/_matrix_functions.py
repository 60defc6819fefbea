"""Functions of matrices, and bases of what matrices map to and to nothing."""

import math

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays
from tombac.linalg._decompositions import svd
from tombacx.scipy import _host
from tombacx.scipy.linalg._common import check_square

__all__ = ["expm", "fractional_matrix_power", "funm", "logm", "null_space", "orth", "signm", "sqrtm"]

# The largest 1-norm for which Taylor's polynomial of each degree is exact to rounding: where the series of
# log(exp(-x) p(x)) / x with its coefficients' absolute values reaches the rounding unit, as in N. J. Higham, The
# scaling and squaring method for the matrix exponential revisited, SIAM J. Matrix Anal. Appl. 26 (2005).
_POLYNOMIALS = {
    "d": ((4, 3.397168839976962e-4), (9, 8.957760203223343e-2), (16, 0.7802874256626574), (25, 2.428582524442826),
          (30, 3.539666348743689)),
    "f": ((4, 5.116619363445086e-2), (9, 0.7795113374358031), (16, 2.478280877521971), (20, 3.550926214706495)),
}  # fmt: skip


def _taylor(a, degree):
    """Taylor's polynomial of exp, by products alone: M. S. Paterson and L. J. Stockmeyer, SIAM J. Comput. 2 (1973)."""
    step = math.isqrt(degree - 1) + 1
    powers = [_core.eye(a.shape[-1], dtype=a.dtype), a]
    while len(powers) <= step:
        powers.append(_core.matmul(powers[len(powers) // 2], powers[(len(powers) + 1) // 2]))
    c = [1 / math.factorial(i) for i in range(degree + 1)]
    last = (degree - 1) // step * step
    result = sum(c[last + i] * powers[i] for i in range(degree - last + 1))
    for first in range(last - step, -1, -step):
        result = _core.matmul(powers[step], result) + sum(c[first + i] * powers[i] for i in range(step))
    return result


def expm(a):
    """The exponentials of square matrices, by scaling, an approximation, and squaring.

    The approximation is Padé's on the CPU (Al-Mohy and Higham, 2009), where each matrix of a stack has its own degree,
    and Taylor's on a GPU, where solving takes more time than all products and the host waits for the norms of the
    matrices. Matrices with infinities or NaNs give NaN.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``, or of no dimension, which is a matrix of one
            element; integers are converted to float64, float16 to float32.

    Returns:
        An array of ``a``'s shape.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices.
        TypeError: ``a`` is no tombac array.

    >>> tombacx.scipy.linalg.expm(tombac.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    check_arrays("expm", a)
    if a.ndim == 0:
        a = a.reshape(1, 1)
    if _core.backend() == "cpu":
        return _core._expm(a)
    check_square("expm", a)
    dtype = np.float64 if a._kind not in "fc" else np.float32 if a.dtype == np.float16 else a.dtype
    a = a.astype(dtype, copy=False)
    if a.size == 0:
        return a.copy()
    norms = _core.max(_core.sum(_core.absolute(a), -2), -1).get()
    finite = np.isfinite(norms)
    all_finite = finite.all()
    largest = float(norms.max() if all_finite else norms.max(where=finite, initial=0))
    degrees = _POLYNOMIALS[norms.dtype.char]
    degree, bound = next((d for d in degrees if largest <= d[1]), degrees[-1])
    if largest <= bound:
        halvings, result = np.zeros(0, int), _taylor(a, degree)
    else:
        halvings = np.where(finite, np.ceil(np.log2(np.maximum(np.where(finite, norms, 0) / bound, 1))), 0).astype(int)
        result = _taylor(_scaled(a, halvings), degree)
    for i in range(int(halvings.max(initial=0))):
        squared = _core.matmul(result, result)
        chosen = halvings > i
        result = squared if chosen.all() else _core.where(_core.array(chosen)[..., None, None], squared, result)
    if all_finite:
        return result
    return _core.where(_core.array(finite)[..., None, None], result, result.dtype.type(np.nan))


def _scaled(a, halvings):
    """a / 2**halvings, whose powers may be larger than the dtype's numbers."""
    halves = halvings // 2
    kind = a.real.dtype
    first, second = (_core.array(np.ldexp(1.0, -n).astype(kind))[..., None, None] for n in (halves, halvings - halves))
    return a * first * second


def _rank(name, s, shape, rcond):
    """How many singular values count, which has to be one number for all matrices."""
    if rcond is None:
        rcond = float(np.finfo(s.dtype).eps) * max(shape[-2:])
    if not s.size:
        return 0
    ranks = _core.sum(s > rcond * _core.max(s, -1, None, True), -1, dtype=int).get()
    if ranks.min() != ranks.max():
        raise ValueError(f"{name}: matrices of a stack must have the same rank, not {ranks.min()} to {ranks.max()}")
    return int(ranks.flat[0])


def _check_matrix(name, a):
    check_arrays(name, a)
    if a.ndim < 2:
        raise np.linalg.LinAlgError(f"{name}: {a.ndim}-dimensional array given: a must have two dimensions at least")


def orth(A, rcond=None):
    """An orthonormal basis of what a matrix maps to, by its singular values; the host waits for their number.

    Args:
        A: An array of any numeric dtype and shape ``(..., m, n)``.
        rcond: Singular values not above ``rcond`` times the largest count as 0; None: machine precision times
            ``max(m, n)``.

    Returns:
        An array of shape ``(..., m, k)`` whose columns are the basis, k being the rank.

    Raises:
        LinAlgError: ``A`` has fewer than two dimensions.
        ValueError: Matrices of a stack have different ranks.
        TypeError: ``A`` is no tombac array.

    >>> tombacx.scipy.linalg.orth(tombac.array([[2.0, 0.0], [0.0, 0.0]])).shape
    (2, 1)
    """
    _check_matrix("orth", A)
    u, s, _ = svd(A, False)
    return u[..., : _rank("orth", s, A.shape, rcond)]


def null_space(A, rcond=None, *, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    """An orthonormal basis of what a matrix maps to zero, by its singular values; the host waits for their number.

    Args:
        A: An array of any numeric dtype and shape ``(..., m, n)``.
        rcond: Singular values not above ``rcond`` times the largest count as 0; None: machine precision times
            ``max(m, n)``.
        overwrite_a: Accepted; nothing is overwritten.
        check_finite: Whether to wait and see that there are no infinities or NaNs.
        lapack_driver: Accepted; the routine is what ``tombac.linalg.svd`` uses.

    Returns:
        An array of shape ``(..., n, n - k)`` whose columns are the basis, k being the rank.

    Raises:
        LinAlgError: ``A`` has fewer than two dimensions.
        ValueError: ``A`` holds infinities or NaNs, or matrices of a stack have different ranks.
        TypeError: ``A`` is no tombac array.

    >>> tombacx.scipy.linalg.null_space(tombac.array([[2.0, 0.0], [0.0, 0.0]])).shape
    (2, 1)
    """
    from tombacx.scipy.linalg._common import check_matrices

    _check_matrix("null_space", A)
    check_matrices("null_space", check_finite, A)
    _, s, vh = svd(A, True)
    return vh[..., _rank("null_space", s, A.shape, rcond) :, :].swapaxes(-1, -2).conj()


def _on_host(name, A, *arguments):
    """SciPy's function of one matrix, or of each of a stack."""
    check_arrays(name, A)
    check_square(name, A)
    if not A.size:
        return A.astype(np.result_type(A.dtype, "f"))
    f, arguments = _host.scipy_function("scipy.linalg", name), _core._on_host(arguments)
    matrices = A.astype("f").get() if A.dtype == np.float16 else A.get()
    if A.ndim == 2:
        return _core.array(f(matrices, *arguments))
    found = [f(m, *arguments) for m in matrices.reshape(-1, *A.shape[-2:])]
    return _core.array(np.stack(found).reshape(A.shape))


def sqrtm(A):
    """The square roots of square matrices, by SciPy on the host.

    Args:
        A: An array of any numeric dtype and shape ``(..., n, n)``.

    Returns:
        An array of ``A``'s shape, complex where a root is not real.

    Raises:
        LinAlgError: ``A`` is no stack of square matrices.
        ImportError: SciPy is not installed.
        TypeError: ``A`` is no tombac array.

    >>> tombacx.scipy.linalg.sqrtm(tombac.array([[4.0, 0.0], [0.0, 9.0]]))
    array([[2., 0.],
           [0., 3.]])
    """
    return _on_host("sqrtm", A)


def logm(A):
    """The logarithms of square matrices, by SciPy on the host.

    Args:
        A: An array of any numeric dtype and shape ``(..., n, n)``.

    Returns:
        An array of ``A``'s shape, complex where a logarithm is not real.

    Raises:
        LinAlgError: ``A`` is no stack of square matrices.
        ImportError: SciPy is not installed.
        TypeError: ``A`` is no tombac array.

    >>> tombacx.scipy.linalg.logm(tombac.array([[1.0, 0.0], [0.0, 1.0]]))
    array([[0., 0.],
           [0., 0.]])
    """
    return _on_host("logm", A)


def signm(A):
    """The sign functions of square matrices, whose eigenvalues are the signs of theirs; by SciPy on the host.

    Args:
        A: An array of any numeric dtype and shape ``(..., n, n)``.

    Returns:
        An array of ``A``'s shape.

    Raises:
        LinAlgError: ``A`` is no stack of square matrices.
        ImportError: SciPy is not installed.
        TypeError: ``A`` is no tombac array.

    >>> tombacx.scipy.linalg.signm(tombac.array([[4.0, 0.0], [0.0, -9.0]]))
    array([[ 1.,  0.],
           [ 0., -1.]])
    """
    return _on_host("signm", A)


def fractional_matrix_power(A, t):
    """Powers of square matrices, by SciPy on the host.

    Args:
        A: An array of any numeric dtype and shape ``(..., n, n)``.
        t: The exponent, any real number.

    Returns:
        An array of ``A``'s shape, complex where a power is not real.

    Raises:
        LinAlgError: ``A`` is no stack of square matrices.
        ImportError: SciPy is not installed.
        TypeError: ``A`` is no tombac array.

    >>> tombacx.scipy.linalg.fractional_matrix_power(tombac.array([[4.0, 0.0], [0.0, 9.0]]), 0.5)
    array([[2., 0.],
           [0., 3.]])
    """
    return _on_host("fractional_matrix_power", A, t)


def funm(A, func, disp=True):
    """A function of a square matrix, by its Schur decomposition: by SciPy on the host.

    Args:
        A: An array of any numeric dtype and shape ``(n, n)``.
        func: A function of NumPy's arrays, which is called with the eigenvalues, elementwise.
        disp: Whether a large error is warned of, rather than its estimate returned.

    Returns:
        An array of ``A``'s shape; unless ``disp``, a tuple of it and of an estimate of the error.

    Raises:
        ValueError: ``A`` is no square matrix.
        ImportError: SciPy is not installed.
        TypeError: ``A`` is no tombac array.

    >>> tombacx.scipy.linalg.funm(tombac.array([[1.0, 0.0], [0.0, 2.0]]), lambda x: x * x)
    array([[1., 0.],
           [0., 4.]])
    """
    from tombacx.scipy.linalg._by_scipy import by_scipy, of_scipy

    return by_scipy(of_scipy.funm, A, func=func, disp=disp)
