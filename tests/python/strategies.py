"""Hypothesis strategies that the array tests share: NumPy arrays of every dtype, shape and layout, and comparisons."""

import numpy as np
import scipy
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tombac

DTYPES = "? b B h H i I l L e f d F D".split()
INTS = "b B h H i I l L".split()
FLOATS = "e f d".split()
SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))


def dtypes(codes=DTYPES):
    return st.sampled_from(codes).map(np.dtype)


def shapes(max_dims=4, max_side=4, min_dims=0):
    return hnp.array_shapes(min_dims=min_dims, max_dims=max_dims, min_side=0, max_side=max_side)


def values(dtype, shape, seed):
    """Small numbers of any dtype, so that arithmetic on them is exact."""
    rng = np.random.default_rng(seed)
    if dtype.kind == "c":
        return np.asarray(rng.integers(-9, 9, shape) + 1j * rng.integers(-9, 9, shape), dtype)
    return rng.integers(0 if dtype.kind in "bu" else -9, 2 if dtype.kind == "b" else 9, shape).astype(dtype)


@st.composite
def layouts(draw, ndim):
    """A function that turns a C-contiguous array (of NumPy or tombac) into a view with other strides."""
    order = draw(st.permutations(range(ndim)))
    steps = [draw(st.sampled_from([1, 1, 1, -1, 2, -2])) for _ in range(ndim)]

    def apply(a):
        return a.transpose(order)[tuple(slice(None, None, s) for s in steps)] if ndim else a

    return apply


@st.composite
def arrays(draw, codes=DTYPES, max_dims=4, max_side=4, min_dims=0):
    """(NumPy array, tombac array) of the same content and layout."""
    dtype = draw(dtypes(codes))
    shape = draw(shapes(max_dims, max_side, min_dims))
    host = values(dtype, shape, draw(st.integers(0, 2**32 - 1)))
    layout = draw(layouts(host.ndim))
    return layout(host), layout(tombac.array(host))


def same(got, want, rtol=0, atol=0):
    """The same numbers, dtype and shape; NaN equals NaN. rtol is for what need not be rounded correctly, atol for sums
    of which another order of adding leaves zero."""
    want = np.asarray(want)
    assert type(got) is tombac.ndarray
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if rtol and want.dtype.kind in "fc":
        np.testing.assert_allclose(got.get(), want, rtol, atol)
    else:
        np.testing.assert_array_equal(got.get(), want)


def same_outcome(ours, theirs, rtol=0):
    """Both functions give the same array or raise the same kind of exception."""
    try:
        want = theirs()
    except Exception as e:
        try:
            got = ours()
        except Exception as mine:
            assert isinstance(mine, type(e)) or isinstance(e, type(mine)), f"{mine!r} where NumPy raises {e!r}"
            return
        raise AssertionError(f"no exception where NumPy raises {e!r}, but {got!r}") from e
    same(ours(), want, rtol)
