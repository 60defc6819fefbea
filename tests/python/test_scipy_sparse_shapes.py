"""Sparse matrices in files, with new axes and of other sizes, against SciPy's."""

import io

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import tombac as tb
import tombacx.scipy.sparse as xs

seeds = st.integers(0, 2**32 - 1)
names = st.sampled_from([f"{f}_{k}" for f in ("csr", "csc", "coo", "dia", "bsr") for k in ("array", "matrix")])


def both(name, seed, shape, dtype="d"):
    """A matrix for SciPy and for tombac."""
    rng = np.random.default_rng(seed)
    h = (rng.integers(1, 9, shape) * rng.integers(0, 2, shape)).astype(dtype)
    theirs = getattr(scipy.sparse, name)(h)
    return theirs, getattr(xs, name)(theirs)


def same(got, want):
    assert xs.issparse(got) and type(got).__name__ == type(want).__name__
    assert got.shape == want.shape and got.dtype == want.dtype
    np.testing.assert_array_equal(got.toarray().get(), want.toarray())


@given(names, seeds, st.integers(1, 6), st.integers(1, 6), st.sampled_from("?bifdFD"), st.booleans())
def test_files(name, seed, rows, cols, dtype, compressed):
    theirs, ours = both(name, seed, (rows, cols), dtype)
    file = io.BytesIO()
    xs.save_npz(file, ours, compressed)
    file.seek(0)
    same(xs.load_npz(file), theirs)
    file.seek(0)
    read = scipy.sparse.load_npz(file)
    assert type(read) is type(theirs) and (read != theirs).nnz == 0
    file = io.BytesIO()
    scipy.sparse.save_npz(file, theirs)
    file.seek(0)
    same(xs.load_npz(file), theirs)


def test_files_by_name(tmp_path):
    xs.save_npz(tmp_path / "a", xs.eye_array(3, dtype="e"))
    same(xs.load_npz(tmp_path / "a.npz"), scipy.sparse.eye_array(3, dtype="f"))
    with pytest.raises(OSError):
        xs.load_npz(tmp_path / "b.npz")
    with pytest.raises(NotImplementedError):
        xs.save_npz(tmp_path / "c", xs.lil_array((2, 2)))
    for bad in (tb.eye(2), scipy.sparse.eye_array(2), None):
        with pytest.raises(TypeError, match="a sparse matrix is expected"):
            xs.save_npz(tmp_path / "c", bad)


@given(names, seeds, st.integers(-3, 2))
def test_new_axes(name, seed, axis):
    theirs, ours = both(name, seed, (2, 3))
    h = np.expand_dims(theirs.toarray(), axis)
    got = xs.expand_dims(ours, axis=axis)
    assert type(got) is xs.coo_array and got.shape == h.shape
    np.testing.assert_array_equal(got.toarray().get(), h)


def test_new_axes_of_a_vector():
    a = xs.csr_array(tb.array([0, 2, 3]))
    assert [xs.expand_dims(a, axis=i).shape for i in (0, 1, -1, -2)] == [(1, 3), (3, 1), (3, 1), (1, 3)]
    for bad in (2, -3, 0.0, (0,), None):
        with pytest.raises(ValueError):
            xs.expand_dims(a, axis=bad)


@given(names, seeds, st.integers(1, 6), st.integers(1, 6), st.integers(0, 8), st.integers(0, 8))
def test_resize(name, seed, rows, cols, m, n):
    theirs, ours = both(name, seed, (rows, cols))
    if name.startswith("bsr") and theirs.blocksize != (1, 1):
        return
    shared = ours.T  # of the same parts
    before = shared.toarray().get()
    theirs.resize(m, n)
    ours.resize((m, n))
    same(ours, theirs)
    np.testing.assert_array_equal(shared.toarray().get(), before)


def test_resize_of_other_dimensions():
    a = xs.coo_array(tb.arange(24).reshape(2, 3, 4))
    a.resize(3, 2, 2)
    want = np.zeros((3, 2, 2), int)
    want[:2] = np.arange(24).reshape(2, 3, 4)[:, :2, :2]
    np.testing.assert_array_equal(a.toarray().get(), want)
    for bad in ((2,), (-1, 2)):
        with pytest.raises(ValueError):
            xs.eye(2, format="csr").resize(*bad)


@pytest.mark.parametrize("name", ["csr_array", "csc_matrix"])
def test_check_format(name):
    a = both(name, 0, (3, 3))[1]
    assert a.check_format() is None and a.check_format(full_check=False) is None
    a.indices = a.indices + 5
    with pytest.raises(ValueError, match="exceeds matrix dimension"):
        a.check_format()
