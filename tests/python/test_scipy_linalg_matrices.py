"""tombacx.scipy.linalg's matrices of special form against SciPy's."""

import numpy as np
import pytest
import scipy.linalg as sl
import tombac as tb
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import arrays, same, same_outcome

import tombacx.scipy.linalg as xl

NUMBERS = "b B h H i I l L f d F D".split()


def vectors(codes=NUMBERS, max_dims=2, max_side=6):
    return arrays(codes, max_dims, max_side, 1).filter(lambda pair: pair[0].size)


@given(vectors(), st.none() | vectors(max_dims=1))
def test_toeplitz(c, r):
    same(xl.toeplitz(c[1], r and r[1]), sl.toeplitz(c[0], r and r[0]))


@given(vectors(max_dims=1), st.none() | vectors(max_dims=1))
def test_hankel(c, r):
    same(xl.hankel(c[1], r and r[1]), sl.hankel(c[0], r and r[0]))


@pytest.mark.parametrize("name", ["circulant", "fiedler"])
@given(vectors(max_dims=3))
def test_of_one_vector(name, a):
    same(getattr(xl, name)(a[1]), getattr(sl, name)(a[0]), 1e-6)


@pytest.mark.parametrize("name", ["companion", "fiedler_companion"])
@given(vectors("b l f d F D".split()))
def test_companions(name, a):
    assume((a[0][..., 0] != 0).all())
    if name == "fiedler_companion" and a[0].shape[-1] == 1:  # a matrix of no elements, of two dimensions in SciPy 1.18
        assert xl.fiedler_companion(a[1]).shape == (*a[0].shape[:-1], 0)
        return
    same_outcome(lambda: getattr(xl, name)(a[1]), lambda: getattr(sl, name)(a[0]), 1e-6)


def test_empty_vectors():
    same(xl.toeplitz(tb.zeros(0), tb.zeros(3)), np.zeros((0, 3)))
    same(xl.toeplitz(tb.zeros(2), tb.zeros(0)), np.zeros((2, 0)))
    same(xl.hankel(tb.zeros(0)), np.zeros((0, 0)))
    same(xl.circulant(tb.zeros(0)), np.zeros((0, 0)))
    same(xl.fiedler(tb.zeros(0)), np.zeros(0))
    same(xl.fiedler_companion(tb.zeros(1)), np.zeros(0))
    same(xl.block_diag(tb.zeros((2, 0)), tb.ones((1, 1))), sl.block_diag(np.zeros((2, 0)), np.ones((1, 1))))


@given(vectors(max_dims=1), vectors(max_dims=1))
def test_leslie(f, s):
    same_outcome(lambda: xl.leslie(f[1], s[1]), lambda: sl.leslie(f[0], s[0]))


def test_batches_of_leslie():
    f, s = np.arange(12.0).reshape(2, 2, 3), np.arange(4.0).reshape(2, 2)
    same(xl.leslie(tb.array(f), tb.array(s)), sl.leslie(f, s))


@pytest.mark.parametrize("n", [-1, 0, 1, 2, 3, 5, 8, 17, 64])
def test_of_a_size(n):
    for name in "hilbert", "helmert", "dft":
        if n > 0:
            got, want = getattr(xl, name)(n), getattr(sl, name)(n)
            assert got.dtype == want.dtype and got.shape == want.shape
            np.testing.assert_allclose(got.get(), want, 1e-12, 1e-12)
        elif n < 0:
            with pytest.raises(ValueError):
                getattr(xl, name)(n)
    same_outcome(lambda: xl.hadamard(n), lambda: sl.hadamard(n))
    if n > 0:
        same(xl.helmert(n, full=True), sl.helmert(n, full=True), 1e-14)
        for scale in "sqrtn", "n":
            np.testing.assert_allclose(xl.dft(n, scale).get(), sl.dft(n, scale), 1e-12, 1e-12)


@pytest.mark.parametrize("dtype", ["b", "f", "D", "l"])
def test_dtype_of_hadamard(dtype):
    same(xl.hadamard(8, dtype), sl.hadamard(8, dtype))


@given(st.lists(arrays(NUMBERS, 3, 3, 0), max_size=4))
def test_block_diag(blocks):
    same_outcome(lambda: xl.block_diag(*(b for _, b in blocks)), lambda: sl.block_diag(*(a for a, _ in blocks)))


@given(arrays(NUMBERS, 2, 5, 1), st.integers(-1, 6), st.sampled_from(["full", "same", "valid", "none"]))
def test_convolution_matrix(a, n, mode):
    same_outcome(lambda: xl.convolution_matrix(a[1], n, mode), lambda: sl.convolution_matrix(a[0], n, mode))


@given(arrays(NUMBERS, 2, 4, 1), arrays(NUMBERS, 2, 4, 2))
def test_khatri_rao(a, b):
    def wanted():  # of no elements SciPy gives the first one's dtype
        want = sl.khatri_rao(a[0], b[0])
        return want.astype(np.result_type(a[0], b[0]))

    same_outcome(lambda: xl.khatri_rao(a[1], b[1]), wanted)


@given(arrays("f d F D b l".split(), 2, 6, 2))
def test_bandwidth(a):
    i, j = np.nonzero(a[0])  # SciPy says (0, 0) of some matrices of one row
    assert xl.bandwidth(a[1]) == (max([0, *(i - j)]), max([0, *(j - i)]))


def test_bandwidth_of_bands():
    for lower in range(4):
        for upper in range(3):
            a = np.triu(np.tril(np.ones((5, 7)), upper), -lower)
            assert xl.bandwidth(tb.array(a)) == (lower, upper) == sl.bandwidth(a)


def test_kron_is_that_of_the_module():
    assert xl.kron is tb.kron


def test_refusals():
    for call, kind in ((lambda: xl.dft(3, "x"), ValueError), (lambda: xl.hadamard(3), ValueError),
                       (lambda: xl.companion(tb.ones(1)), ValueError), (lambda: xl.hilbert(1.5), TypeError),
                       (lambda: xl.bandwidth(tb.ones(3)), ValueError),
                       (lambda: xl.leslie(tb.ones(1), tb.ones(0)), ValueError),
                       (lambda: xl.toeplitz(tb.ones((2, 3)), tb.ones((3, 2))), ValueError)):
        with pytest.raises(kind):
            call()


def test_indices_and_one_kernel():
    for make, most in ((lambda: xl.hilbert(300), 2), (lambda: xl.dft(300), 3)):
        make().get()
        with tb.config.fusion("all"):
            tb.config.reset_counters()
            make().get()
            assert tb.config.counters()["launches"] <= most
