"""Hypothesis strategies for stacks of matrices, in every dtype and layout, and how far results may be from NumPy's."""

import numpy as np
from hypothesis import strategies as st
from strategies import dtypes, shapes

import tombac as tb

CODES = "?bBhHiIlLefdFD"


def worked_on(dtype):
    """The dtype that matrices of that dtype are worked on as."""
    dtype = np.dtype(dtype)
    return np.dtype("f") if dtype == "e" else dtype if dtype.char in "fdFD" else np.dtype("d")


def eps(dtype):
    return float(np.finfo(worked_on(dtype)).eps)


def _transposed(h):
    return tb.array(np.swapaxes(h, -1, -2).copy()).swapaxes(-1, -2)


def _reversed(h):
    return tb.array(h[..., ::-1, ::-1].copy())[..., ::-1, ::-1]


def _sliced(h):
    large = np.ones((*h.shape[:-2], 2 * h.shape[-2] + 1, 3 * h.shape[-1] + 2), h.dtype)
    large[..., 1::2, 2::3] = h
    return tb.array(large)[..., 1::2, 2::3]


def _pending(h):
    x = tb.array(h)
    return tb.where(tb.ones(h.shape, bool), x, x)


LAYOUTS = {"rows": tb.array, "transposed": _transposed, "reversed": _reversed, "sliced": _sliced, "pending": _pending}


def numbers(dtype, shape, rng):
    """Numbers that every dtype holds exactly, of few digits."""
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return rng.integers(0 if dtype.kind == "u" else -9, 9, shape).astype(dtype)
    if dtype.kind == "c":
        return (rng.integers(-40, 40, shape) / 8 + 1j * rng.integers(-40, 40, shape) / 8).astype(dtype)
    return (rng.integers(-40, 40, shape) / 8).astype(dtype)


def regular(dtype, shape, rng):
    """Square matrices that are far from singular; of bool, triangles of ones."""
    n = shape[-1]
    a = numbers(dtype, shape, rng)
    if dtype.kind == "b":
        return np.tril(a) | np.eye(n, dtype=bool)
    return a + (12 * n * np.eye(n)).astype(dtype)


def hermitian(dtype, shape, rng):
    """Hermitian positive definite matrices; of bool, unit ones."""
    n = shape[-1]
    if dtype.kind == "b":
        return np.broadcast_to(np.eye(n, dtype=bool), shape).copy()
    a = np.tril(numbers(dtype, shape, rng))
    a = a + np.swapaxes(a, -1, -2).conj()
    a[..., range(n), range(n)] = a[..., range(n), range(n)].real
    return (a + (20 * n * np.eye(n)).astype(dtype)).astype(dtype)


@st.composite
def stacks(draw, make=numbers, codes=CODES, square=False, max_side=5):
    """(NumPy array, tombac array) with the same matrices, of one stack in some layout."""
    dtype = draw(dtypes(list(codes)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m = draw(st.integers(0, max_side))
    n = m if square else draw(st.integers(0, max_side))
    h = make(dtype, (*draw(shapes(max_dims=2, max_side=3)), m, n), rng)
    x = LAYOUTS[draw(st.sampled_from(sorted(LAYOUTS)))](h)
    if draw(st.integers(0, 4)) == 0:
        h, x = np.broadcast_to(h, (2, *h.shape)), tb.broadcast_to(x, (2, *x.shape))
    return h, x


def as_worked(h):
    return np.asarray(h, worked_on(h.dtype))


def near(got, want, scale=1.0):
    """An array of want's shape and dtype, whose elements are within 200 eps of want's, times scale."""
    want = np.asarray(want)
    assert type(got) is tb.ndarray
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    np.testing.assert_allclose(got.get(), want, rtol=200 * eps(want.dtype), atol=200 * eps(want.dtype) * scale)


def unchanged(x, h):
    np.testing.assert_array_equal(x.get(), h)
