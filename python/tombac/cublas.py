"""BLAS routines by their names, on either backend: products, reductions and expressions with what BLAS says of dtypes.

Arrays are of float32, float64, complex64 or complex128, all of a call of the same. Factors (``a``, ``alpha``, ``beta``)
are numbers, or arrays without dimensions on the host or the device.

>>> x, y = tombac.array([1.0, 2.0]), tombac.array([3.0, 4.0])
>>> tombac.cublas.axpy(2.0, x, y)
>>> y
array([5., 8.])
"""

from tombac import _core
from tombac._core import absolute, where
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombac._util import check_arrays
from tombac.lib.stride_tricks import as_strided, sliding_window_view

__all__ = [
    "asum", "axpy", "batched_gesv", "dgmm", "dot", "dotc", "dotu", "geam", "gemm", "gemv", "ger", "gerc", "geru",
    "get_batched_gesv_limit", "iamax", "iamin", "nrm2", "sbmv", "scal", "set_batched_gesv_limit", "syrk",
]

_documented = with_rows(
    x="x: A vector.",
    y="y: A vector of as many elements.",
    out="out: An array without dimensions, of tombac or NumPy, to write to.",
    refusals="""TypeError: An array is of another dtype than BLAS has, or than the other.
        ValueError: The dimensions are others.""",
)


# ---- arguments -------------------------------------------------------------------------------------------------------


def _check(name, *arrays, ndim=None):
    """The dtype that all arrays have; TypeError or ValueError where BLAS could not take them."""
    check_arrays(name, *arrays)
    dtype = arrays[0].dtype
    if dtype.char not in "fdFD":
        raise TypeError(f"{name}: float32, float64, complex64 or complex128 is expected, not {dtype}")
    for a in arrays:
        if a.dtype != dtype:
            raise TypeError(f"{name}: all arrays must be of one dtype, not {dtype} and {a.dtype}")
    for a, n in zip(arrays, ndim or ()):
        if a.ndim != n:
            raise ValueError(f"{name}: an array of {n} dimensions is expected, not {a.ndim}")
    return dtype


def _check_shape(name, what, shape, wanted):
    if tuple(shape) != tuple(wanted):
        raise ValueError(f"{name}: {what} must be of the shape {tuple(wanted)}, not {tuple(shape)}")


def _factor(name, a, dtype):
    """A factor as something that does not change the dtype of what it multiplies."""
    if np.ndim(a) if not isinstance(a, _core.ndarray) else a.ndim:
        raise ValueError(f"{name}: a factor is a number or an array without dimensions")
    if dtype.kind == "f" and (a.dtype.kind if hasattr(a, "dtype") else type(a) is complex and "c") == "c":
        raise TypeError(f"{name}: a complex factor of {dtype} arrays")
    return a.astype(dtype) if isinstance(a, _core.ndarray) else dtype.type(a)


def _is_zero(factor):
    """Whether what is multiplied by a factor is not to be read; a factor on the device is not looked at."""
    return not isinstance(factor, _core.ndarray) and factor == 0


def _turned(name, trans, a):
    """``a`` as BLAS's letter or number says: as it is, transposed, or transposed and conjugated."""
    if trans in ("N", "n", 0):
        return a
    if trans in ("T", "t", 1):
        return a.T
    if trans in ("H", "h", "C", "c", 2):
        return a.T.conj()
    raise TypeError(f"{name}: trans must be 'N', 'T' or 'H', not {trans!r}")


def _number(name, result, out):
    if out is None:
        return result
    if out.ndim:
        raise ValueError(f"{name}: out has {out.ndim} dimensions, the result none")
    out[...] = result if isinstance(out, _core.ndarray) else result.get()
    return out


def _taxicab(x):
    """The size of each element as BLAS's reductions take it."""
    return absolute(x.real) + absolute(x.imag) if x.dtype.kind == "c" else absolute(x)


def _update(out, alpha, product, beta):
    """``alpha * product + beta * out`` in ``out``; what is there is not read if beta is zero."""
    out[...] = alpha * product if _is_zero(beta) else alpha * product + beta * out


# ---- vectors ---------------------------------------------------------------------------------------------------------


@_documented
def asum(x, out=None):
    """The sum of the absolute values, of complex numbers those of their parts.

    Args:
        {x}
        {out}

    Returns:
        An array without dimensions, of the real dtype; ``out`` if that is given.

    Raises:
        {refusals}

    >>> tombac.cublas.asum(tombac.array([1.0, -2.0]))
    array(3.)
    """
    _check("asum", x, ndim=(1,))
    return _number("asum", _taxicab(x).sum(), out)


@_documented
def nrm2(x, out=None):
    """The Euclidean norm, without overflow on the way.

    Args:
        {x}
        {out}

    Returns:
        An array without dimensions, of the real dtype; ``out`` if that is given.

    Raises:
        {refusals}

    >>> tombac.cublas.nrm2(tombac.array([3.0, -4.0]))
    array(5.)
    """
    dtype = _check("nrm2", x, ndim=(1,))
    size = absolute(x)
    if dtype.char in "fF":  # float64 holds the squares of all float32
        return _number("nrm2", _core.sqrt(_core.square(size.astype("d")).sum()).astype("f"), out)
    largest = size.max(initial=0)
    largest = where(_core.isfinite(largest) & (largest > 0), largest, 1.0)
    return _number("nrm2", largest * _core.sqrt(_core.square(size / largest).sum()), out)


def _place(name, x, out, find):
    _check(name, x, ndim=(1,))
    found = find(_taxicab(x)).astype("i") + 1 if x.size else _core.zeros((), "i")
    return _number(name, found, out)


@_documented
def iamax(x, out=None):
    """The place of the largest element by absolute value, of complex numbers by the sum of their parts'.

    Args:
        {x}
        {out}

    Returns:
        An array without dimensions, of int32: counted from 1, the first of several, 0 of no elements.

    Raises:
        {refusals}

    >>> tombac.cublas.iamax(tombac.array([1.0, -2.0]))
    array(2, dtype=int32)
    """
    return _place("iamax", x, out, _core.argmax)


@_documented
def iamin(x, out=None):
    """The place of the smallest element by absolute value, of complex numbers by the sum of their parts'.

    Args:
        {x}
        {out}

    Returns:
        An array without dimensions, of int32: counted from 1, the first of several, 0 of no elements.

    Raises:
        {refusals}

    >>> tombac.cublas.iamin(tombac.array([1.0, -2.0]))
    array(1, dtype=int32)
    """
    return _place("iamin", x, out, _core.argmin)


@_documented
def scal(a, x):
    """Multiplies a vector by a number, where it is.

    Args:
        a: The factor.
        {x}

    Returns:
        None.

    Raises:
        {refusals}

    >>> x = tombac.array([1.0, 2.0])
    >>> tombac.cublas.scal(3.0, x)
    >>> x
    array([3., 6.])
    """
    dtype = _check("scal", x, ndim=(1,))
    x *= _factor("scal", a, dtype)


@_documented
def axpy(a, x, y):
    """Adds a multiple of a vector to another one: ``y += a * x``.

    Args:
        a: The factor.
        {x}
        {y}

    Returns:
        None.

    Raises:
        {refusals}

    >>> y = tombac.array([1.0, 1.0])
    >>> tombac.cublas.axpy(2.0, tombac.array([1.0, 2.0]), y)
    >>> y
    array([3., 5.])
    """
    dtype = _check("axpy", x, y, ndim=(1, 1))
    _check_shape("axpy", "y", y.shape, x.shape)
    y += _factor("axpy", a, dtype) * x


def _dot(name, x, y, out, real_only=False, conjugate=False):
    dtype = _check(name, x, y, ndim=(1, 1))
    if real_only and dtype.kind == "c":
        raise TypeError(f"{name}: the vectors are complex; dotu and dotc are their products")
    _check_shape(name, "y", y.shape, x.shape)
    return _number(name, _core.dot(x.conj() if conjugate else x, y), out)


@_documented
def dot(x, y, out=None):
    """The product of two real vectors.

    Args:
        {x}
        {y}
        {out}

    Returns:
        An array without dimensions; ``out`` if that is given.

    Raises:
        {refusals}

    >>> tombac.cublas.dot(tombac.array([1.0, 2.0]), tombac.array([3.0, 4.0]))
    array(11.)
    """
    return _dot("dot", x, y, out, real_only=True)


@_documented
def dotu(x, y, out=None):
    """The product of two vectors, neither of which is conjugated.

    Args:
        {x}
        {y}
        {out}

    Returns:
        An array without dimensions; ``out`` if that is given.

    Raises:
        {refusals}

    >>> tombac.cublas.dotu(tombac.array([1j]), tombac.array([2j]))
    array(-2.+0.j)
    """
    return _dot("dotu", x, y, out)


@_documented
def dotc(x, y, out=None):
    """The product of two vectors, of which the first is conjugated.

    Args:
        {x}
        {y}
        {out}

    Returns:
        An array without dimensions; ``out`` if that is given.

    Raises:
        {refusals}

    >>> tombac.cublas.dotc(tombac.array([1j]), tombac.array([2j]))
    array(2.+0.j)
    """
    return _dot("dotc", x, y, out, conjugate=True)


# ---- matrices and vectors --------------------------------------------------------------------------------------------


@_documented
def gemv(transa, alpha, a, x, beta, y):
    """The product of a matrix and a vector, added to another: ``y = alpha * op(a) @ x + beta * y``.

    Args:
        transa: What op is: ``"N"`` nothing, ``"T"`` transposes, ``"H"`` conjugates as well.
        alpha: The factor of the product.
        a: The matrix.
        x: The vector.
        beta: The factor of ``y``, which is not read if this is 0.
        y: The vector to write to.

    Returns:
        None.

    Raises:
        {refusals}

    >>> y = tombac.zeros(2)
    >>> tombac.cublas.gemv("N", 1.0, tombac.array([[1.0, 2.0], [3.0, 4.0]]), tombac.ones(2), 0.0, y)
    >>> y
    array([3., 7.])
    """
    dtype = _check("gemv", a, x, y, ndim=(2, 1, 1))
    a = _turned("gemv", transa, a)
    _check_shape("gemv", "x", x.shape, a.shape[1:])
    _check_shape("gemv", "y", y.shape, a.shape[:1])
    _update(y, _factor("gemv", alpha, dtype), a @ x, _factor("gemv", beta, dtype))


def _ger(name, alpha, x, y, a, real_only=False, conjugate=False):
    dtype = _check(name, x, y, a, ndim=(1, 1, 2))
    if real_only and dtype.kind == "c":
        raise TypeError(f"{name}: the vectors are complex; geru and gerc are for them")
    _check_shape(name, "a", a.shape, x.shape + y.shape)
    a += _factor(name, alpha, dtype) * x[:, None] * (y.conj() if conjugate else y)


@_documented
def ger(alpha, x, y, a):
    """Adds the outer product of two real vectors to a matrix: ``a += alpha * outer(x, y)``.

    Args:
        alpha: The factor.
        {x}
        y: A vector.
        a: The matrix.

    Returns:
        None.

    Raises:
        {refusals}

    >>> a = tombac.zeros((1, 2))
    >>> tombac.cublas.ger(2.0, tombac.array([1.0]), tombac.array([3.0, 4.0]), a)
    >>> a
    array([[6., 8.]])
    """
    _ger("ger", alpha, x, y, a, real_only=True)


@_documented
def geru(alpha, x, y, a):
    """Adds the outer product of two vectors to a matrix: ``a += alpha * outer(x, y)``.

    Args:
        alpha: The factor.
        {x}
        y: A vector.
        a: The matrix.

    Returns:
        None.

    Raises:
        {refusals}

    >>> a = tombac.zeros((1, 1), complex)
    >>> tombac.cublas.geru(1.0, tombac.array([1j]), tombac.array([2j]), a)
    >>> a
    array([[-2.+0.j]])
    """
    _ger("geru", alpha, x, y, a)


@_documented
def gerc(alpha, x, y, a):
    """Adds the outer product of a vector and a conjugated one to a matrix: ``a += alpha * outer(x, y.conj())``.

    Args:
        alpha: The factor.
        {x}
        y: The vector that is conjugated.
        a: The matrix.

    Returns:
        None.

    Raises:
        {refusals}

    >>> a = tombac.zeros((1, 1), complex)
    >>> tombac.cublas.gerc(1.0, tombac.array([1j]), tombac.array([2j]), a)
    >>> a
    array([[2.+0.j]])
    """
    _ger("gerc", alpha, x, y, a, conjugate=True)


@_documented
def sbmv(k, alpha, a, x, beta, y, lower=False):
    """The product of a symmetric band matrix and a vector, added to another: ``y = alpha * A @ x + beta * y``.

    Args:
        k: How many diagonals the band has on either side.
        alpha: The factor of the product.
        a: The band as BLAS stores it, of shape (k + 1, n): column j has column j of the triangle that is stored, the
            diagonal in its last row, or in its first if ``lower``.
        x: The vector, of n elements.
        beta: The factor of ``y``, which is not read if this is 0.
        y: The vector to write to, of n elements.
        lower: Whether the lower triangle is stored.

    Returns:
        An array: ``y``.

    Raises:
        {refusals}

    >>> band = tombac.array([[0.0, 1.0], [2.0, 3.0]])
    >>> tombac.cublas.sbmv(1, 1.0, band, tombac.array([1.0, 10.0]), 0.0, tombac.zeros(2))
    array([12., 31.])
    """
    dtype = _check("sbmv", a, x, y, ndim=(2, 1, 1))
    n = x.size
    _check_shape("sbmv", "a", a.shape, (k + 1, n))
    _check_shape("sbmv", "y", y.shape, (n,))
    # Row i of the band is the i-th diagonal, by its column; backwards, a lower triangle is an upper one.
    band, v = (a[:, ::-1], x[::-1]) if lower else (a[::-1], x)
    product = _band_product(band, v, k, n) if n else _core.zeros_like(x)
    _update(y, _factor("sbmv", alpha, dtype), product[::-1] if lower else product, _factor("sbmv", beta, dtype))
    return y


def _band_product(band, x, k, n):
    """The product with a symmetric matrix whose element (j - i, j) is ``band[i, j]``; columns before i do not count."""
    before = _core.zeros(n + k, x.dtype)
    before[k:] = x
    # windows[j, i] is x[j + i - k], which is zero where a column of the band does not count.
    windows = sliding_window_view(before, k + 1)[:, ::-1].T
    inside = _core.arange(n) >= _core.arange(k + 1)[:, None]
    band = where(inside, band, 0)
    above = _core.zeros((k + 1, n + k), x.dtype)
    above[:, :n] = band * x
    step, element = above.strides
    diagonals = as_strided(above, (k + 1, n), (step + element, element))
    return (band * windows).sum(axis=0) + diagonals[1:].sum(axis=0)


# ---- matrices --------------------------------------------------------------------------------------------------------


@_documented
def gemm(transa, transb, a, b, out=None, alpha=1.0, beta=0.0):
    """The product of two matrices, added to another: ``alpha * op(a) @ op(b) + beta * out``.

    Args:
        transa: What op is for ``a``: ``"N"`` nothing, ``"T"`` transposes, ``"H"`` conjugates as well.
        transb: The same for ``b``.
        a: A matrix.
        b: A matrix.
        out: The matrix to add to and to write to; a new one if None.
        alpha: The factor of the product.
        beta: The factor of ``out``, which is not read if this is 0 or ``out`` is None.

    Returns:
        An array: the matrix that was written.

    Raises:
        {refusals}

    >>> tombac.cublas.gemm("N", "T", tombac.ones((1, 2)), tombac.ones((1, 2)), alpha=3.0)
    array([[6.]])
    """
    dtype = _check("gemm", a, b, *(() if out is None else (out,)), ndim=(2, 2, 2))
    a, b = _turned("gemm", transa, a), _turned("gemm", transb, b)
    _check_shape("gemm", "op(b)", b.shape, (a.shape[1], b.shape[1]))
    alpha = _factor("gemm", alpha, dtype)
    if out is None:
        return alpha * (a @ b)
    _check_shape("gemm", "out", out.shape, (a.shape[0], b.shape[1]))
    _update(out, alpha, a @ b, _factor("gemm", beta, dtype))
    return out


@_documented
def geam(transa, transb, alpha, a, beta, b, out=None):
    """The sum of two matrices: ``alpha * op(a) + beta * op(b)``.

    Args:
        transa: What op is for ``a``: ``"N"`` nothing, ``"T"`` transposes, ``"H"`` conjugates as well.
        transb: The same for ``b``.
        alpha: The factor of ``a``.
        a: A matrix.
        beta: The factor of ``b``.
        b: A matrix.
        out: The matrix to write to; a new one if None.

    Returns:
        An array: the matrix that was written.

    Raises:
        {refusals}

    >>> tombac.cublas.geam("N", "T", 1.0, tombac.array([[1.0, 2.0]]), 10.0, tombac.array([[3.0], [4.0]]))
    array([[31., 42.]])
    """
    dtype = _check("geam", a, b, *(() if out is None else (out,)), ndim=(2, 2, 2))
    a, b = _turned("geam", transa, a), _turned("geam", transb, b)
    _check_shape("geam", "op(b)", b.shape, a.shape)
    result = _factor("geam", alpha, dtype) * a + _factor("geam", beta, dtype) * b
    return _matrix("geam", result, out)


def _matrix(name, result, out):
    if out is None:
        return result
    _check_shape(name, "out", out.shape, result.shape)
    out[...] = result
    return out


@_documented
def dgmm(side, a, x, out=None, incx=1):
    """The product of a matrix and a diagonal one.

    Args:
        side: ``"L"``: the diagonal matrix is on the left; ``"R"``: on the right.
        a: The matrix.
        x: Where the diagonal is: an array of any shape, whose elements are taken in the order of rows.
        out: The matrix to write to, which may be ``a``; a new one if None.
        incx: How far apart in ``x`` the elements are; negative, it starts with the last of them, and 0 takes one.

    Returns:
        An array: the matrix that was written.

    Raises:
        {refusals}

    >>> tombac.cublas.dgmm("R", tombac.ones((2, 2)), tombac.array([2.0, 3.0]))
    array([[2., 3.],
           [2., 3.]])
    """
    _check("dgmm", a, x, *(() if out is None else (out,)), ndim=(2, x.ndim, 2))
    if side not in ("L", "R"):
        raise ValueError(f"dgmm: side must be 'L' or 'R', not {side!r}")
    n = a.shape["LR".index(side)]
    if x.size < (n - 1) * abs(incx) + 1 and n:
        raise ValueError(f"dgmm: x must have {(n - 1) * abs(incx) + 1} elements, not {x.size}")
    x = x.ravel()
    diagonal = x[:(n - 1) * abs(incx) + 1:abs(incx)] if incx and n else x[:min(n, 1)]
    diagonal = diagonal[::-1] if incx < 0 else diagonal
    return _matrix("dgmm", diagonal[:, None] * a if side == "L" else a * diagonal, out)


@_documented
def syrk(trans, a, out=None, alpha=1.0, beta=0.0, lower=False):
    """One triangle of a matrix's product with its own transpose, added to another: ``alpha * A @ A.T + beta * out``.

    Args:
        trans: What A is: ``"N"`` ``a``, ``"T"`` its transpose.
        a: A matrix.
        out: The square matrix to add to and to write to, of which the other triangle stays; zeros if None.
        alpha: The factor of the product.
        beta: The factor of ``out``.
        lower: Whether the lower triangle is computed, rather than the upper one.

    Returns:
        An array: the matrix that was written.

    Raises:
        {refusals}

    >>> tombac.cublas.syrk("N", tombac.array([[1.0], [2.0]]))
    array([[1., 2.],
           [0., 4.]])
    """
    dtype = _check("syrk", a, *(() if out is None else (out,)), ndim=(2, 2))
    a = _turned("syrk", trans, a)
    n = a.shape[0]
    product = _factor("syrk", alpha, dtype) * (a @ a.T)
    i = _core.arange(n)
    computed = i[:, None] >= i if lower else i[:, None] <= i
    if out is None:
        return where(computed, product, _core.zeros((), dtype))
    _check_shape("syrk", "out", out.shape, (n, n))
    beta = _factor("syrk", beta, dtype)
    out[...] = where(computed, product if _is_zero(beta) else product + beta * out, out)
    return out


# ---- solving ---------------------------------------------------------------------------------------------------------

_gesv_limit = 256


def get_batched_gesv_limit():
    """Up to which size of matrices CuPy would take batched_gesv in its solve; tombac keeps it for programs that ask.

    Returns:
        An int.

    >>> tombac.cublas.get_batched_gesv_limit()
    256
    """
    return _gesv_limit


def set_batched_gesv_limit(limit):
    """Sets what get_batched_gesv_limit tells.

    Args:
        limit: The size.

    Returns:
        None.

    >>> tombac.cublas.set_batched_gesv_limit(256)
    """
    global _gesv_limit
    _gesv_limit = limit


@_documented
def batched_gesv(a, b):
    """Solves ``a @ x = b`` for many matrices.

    Args:
        a: Square matrices (..., n, n).
        b: Vectors (..., n) or matrices (..., n, k), with the same batch.

    Returns:
        An array of ``b``'s shape.

    Raises:
        {refusals}

    >>> tombac.cublas.batched_gesv(2 * tombac.eye(2), tombac.ones(2))
    array([0.5, 0.5])
    """
    from tombac import linalg

    _check("batched_gesv", a, b)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"batched_gesv: a must be square matrices, not of the shape {a.shape}")
    if b.ndim not in (a.ndim - 1, a.ndim):
        raise ValueError("batched_gesv: b must have as many dimensions as a, or one less")
    _check_shape("batched_gesv", "b", b.shape, a.shape[:-1] + b.shape[a.ndim - 1:])
    if b.ndim == a.ndim:
        return linalg.solve(a, b)
    return linalg.solve(a, b[..., None])[..., 0]
