"""Equations and products with matrices that are constant along diagonals, of which only vectors are given."""

from tombac import _core
from tombac._manipulation import moveaxis
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombac.fft import fft, ifft, irfft, rfft
from tombacx.scipy.linalg._by_scipy import by_scipy, of_scipy
from tombacx.scipy.linalg._common import check_matrices

__all__ = ["matmul_toeplitz", "solve_circulant", "solve_toeplitz"]


def _column_and_row(name, c_or_cr):
    c, r = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, None)
    check_arrays(name, c)
    c = c.reshape(-1)
    if r is None:
        return c, c.conj()
    check_arrays(name, r)
    return c, r.reshape(-1)


def matmul_toeplitz(c_or_cr, x, check_finite=False, workers=None):
    """The product of a Toeplitz matrix and vectors, by Fourier transforms.

    Args:
        c_or_cr: The first column, m numbers, or a tuple of it and of the first row, n numbers of which the first does
            not count; the row is the column's conjugate if it is not given.
        x: An array of shape ``(n,)`` or ``(n, k)``.
        check_finite: Whether to wait and see that there are no infinities or NaNs.
        workers: Accepted; how many threads work is the backend's matter.

    Returns:
        An array of float64 or complex128 and shape ``(m,)`` or ``(m, k)``.

    Raises:
        ValueError: Shapes do not match, or an array holds infinities or NaNs.
        TypeError: An argument is no tombac array.

    >>> tombacx.scipy.linalg.matmul_toeplitz(tombac.array([1.0, 2.0]), tombac.array([1.0, 1.0])).round(12)
    array([3., 3.])
    """
    c, r = _column_and_row("matmul_toeplitz", c_or_cr)
    check_matrices("matmul_toeplitz", check_finite, c, r, x)
    m, n = c.size, max(r.size, 1) if c.size == 0 else r.size
    if x.ndim not in (1, 2) or x.shape[0] != n:
        raise ValueError(f"matmul_toeplitz: the matrix has {n} columns, x the shape {x.shape}")
    is_complex = any(a._kind == "c" for a in (c, r, x))
    columns = x.reshape(n, -1).astype(np.complex128 if is_complex else np.float64, copy=False)
    length = m + n - 1
    if not length or not columns.size:
        return _core.zeros((m, *x.shape[1:]), columns.dtype)
    forward, backward = (fft, ifft) if is_complex else (rfft, irfft)
    diagonals = _core.concatenate((c, r[:0:-1])).astype(columns.dtype, copy=False)
    product = backward(forward(diagonals)[:, None] * forward(columns, length, axis=0), length, axis=0)
    return product[:m].reshape(m, *x.shape[1:])


def solve_circulant(c, b, singular="raise", tol=None, caxis=-1, baxis=0, outaxis=0):
    """``x`` with ``circulant(c) @ x == b``, by Fourier transforms; the host waits to see whether that is possible.

    Args:
        c: The first column of the matrix, or several of them along ``caxis``.
        b: An array of vectors along ``baxis``; its other dimensions broadcast with those of ``c``.
        singular: 'raise' refuses a matrix that is nearly singular, 'lstsq' gives what is nearest to a solution.
        tol: Eigenvalues up to this count as 0; if None, machine precision times the length times the largest of all.
        caxis: The axis of ``c`` along which columns lie.
        baxis: The axis of ``b`` along which right sides lie.
        outaxis: The axis of the result along which solutions lie.

    Returns:
        An array of floats or complex numbers: the solutions.

    Raises:
        LinAlgError: A matrix is nearly singular, with ``singular='raise'``.
        ValueError: Shapes do not match, or there is no such ``singular``.
        TypeError: An argument is no tombac array.

    >>> tombacx.scipy.linalg.solve_circulant(tombac.array([2.0, 1.0]), tombac.array([4.0, 5.0]))
    array([1., 2.])
    """
    check_arrays("solve_circulant", c, b)
    if singular not in ("raise", "lstsq"):
        raise ValueError(f"solve_circulant: singular must be 'raise' or 'lstsq', not {singular!r}")
    c, b = (x if x.ndim else x.reshape(1) for x in (c, b))
    shapes = f"solve_circulant: c of the shape {c.shape} and b of the shape {b.shape} do not match"
    c = moveaxis(c, normalize_axis_index(caxis, c.ndim), -1)
    b = moveaxis(b, normalize_axis_index(baxis, b.ndim), -1)
    if c.shape[-1] != b.shape[-1]:
        raise ValueError(shapes)
    t = np.result_type(np.float32, *(x.dtype if x._kind in "fc" else np.float64 for x in (c, b)))
    n = c.shape[-1]
    if not b.size or not c.size:
        return _core.zeros(np.broadcast_shapes(c.shape, b.shape), t)
    values = fft(c.astype(t, copy=False))
    sizes = abs(values)
    if tol is None:
        tol = sizes.max(-1, keepdims=True) * n * float(np.finfo(t).eps)
    zero = sizes <= tol
    if singular == "raise" and bool(zero.any()):
        raise np.linalg.LinAlgError("solve_circulant: the circulant matrix is nearly singular")
    quotient = fft(b.astype(t, copy=False)) / _core.where(zero, 1, values)
    x = ifft(_core.where(zero, 0, quotient))
    return moveaxis(x if np.issubdtype(t, np.complexfloating) else x.real, -1, outaxis)


def solve_toeplitz(c_or_cr, b, check_finite=True):
    """``x`` with ``toeplitz(c, r) @ x == b``, by Levinson's recursion: by SciPy on the host.

    Args:
        c_or_cr: The first column, or a tuple of it and of the first row, whose first element does not count; the row
            is the column's conjugate if it is not given.
        b: An array of shape ``(n,)`` or ``(n, ...)``.
        check_finite: Whether to see that there are no infinities or NaNs.

    Returns:
        An array of ``b``'s shape, of float64 or complex128.

    Raises:
        LinAlgError: A leading part of the matrix is singular.
        ValueError: Shapes do not match, or an array holds infinities or NaNs.
        TypeError: An argument is no tombac array.
        ImportError: SciPy is not installed.

    >>> tombacx.scipy.linalg.solve_toeplitz(tombac.array([2.0, 1.0]), tombac.array([4.0, 5.0]))
    array([1., 2.])
    """
    return by_scipy(of_scipy.solve_toeplitz, c_or_cr, b, check_finite=check_finite)
