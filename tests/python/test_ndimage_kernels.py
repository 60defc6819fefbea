"""Users' kernels as the functions of tombacx.scipy.ndimage.generic_filter and generic_filter1d."""

import numpy as np
import pytest
import scipy.ndimage as sn
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from test_ndimage_filters import check, images, modes

import tombacx.scipy.ndimage as xn

SPREAD = tb.RawKernel(r"""
extern "C" __global__ void spread(const double*, int, double*);
__device__ double larger(double a, double b) { return a > b ? a : b; }
extern "C" __global__ __launch_bounds__(128) void spread(const double* window, int size, double* result) {
    double top = window[0], sum = 0;
    for (int i = 0; i < size; ++i) {
        top = larger(top, window[i]);
        sum += window[i] * (i + 1);
    }
    result[0] = top + sum;
}
""", "spread")
SQUARES = tb.ReductionKernel("X x", "Y y", "x * x", "a + b", "y = a / _in_ind.size()", "0", "squares")
BELOW = tb.ReductionKernel("T x", "Y y", "_raw_x[_in_ind.size() / 2] > x", "a + b", "y = a", "0", "below", "int")
LARGEST = tb.ReductionKernel("T x", "T y", "x", "max(a, b)", "y = a", None, "largest")
DECLARED = tb.ReductionKernel("float64 x", "float64 y", "x + ONE", "a + b", "y = a", "0", "declared",
                              preamble="#define ONE 1")
REDUCTIONS = {
    "squares": (SQUARES, lambda x: (x * x).mean(), "d"),
    "below": (BELOW, lambda x: (x < x[len(x) // 2]).sum(), None),
    "largest": (LARGEST, np.max, None),
    "declared": (DECLARED, lambda x: (x + 1).sum(), "d"),
}
FOOTPRINTS = [None, np.array([[1, 0, 1], [0, 1, 1]], bool), np.array([[0, 1], [1, 1]], bool)]


def spread(x):
    return x.max() + (x * np.arange(1, len(x) + 1)).sum()


@settings(max_examples=30)
@given(st.data(), images("B h l f d ?", max_dims=2), modes, st.sampled_from([0.0, 1.0]), st.integers(-1, 0))
def test_raw_kernels_of_windows(data, image, mode, cval, origin):
    a, d = image
    footprint = data.draw(st.sampled_from(FOOTPRINTS)) if a.ndim == 2 else None
    size = 3 if footprint is None else None
    want = sn.generic_filter(a, spread, size, footprint, "d", mode, cval, origin)
    check(xn.generic_filter(d, SPREAD, size, footprint, "d", mode, cval, origin), want)


@pytest.mark.parametrize("name", REDUCTIONS)
@settings(max_examples=15)
@given(st.data(), images("h f d", max_dims=2), modes)
def test_reductions_of_windows(name, data, image, mode):
    kernel, function, output = REDUCTIONS[name]
    a, d = image
    footprint = data.draw(st.sampled_from(FOOTPRINTS)) if a.ndim == 2 else None
    size = 3 if footprint is None else None
    if name == "squares":  # of short integers squares do not fit in general
        a, d = a % 100, d % 100
    want = sn.generic_filter(a.astype("d") if output else a, function, size, footprint, output, mode)
    check(xn.generic_filter(d, kernel, size, footprint, output, mode), want)


def test_some_axes_and_outputs():
    a = np.random.default_rng(0).random((5, 6, 7))
    want = sn.generic_filter(a, spread, (2, 3), axes=(0, 2), origin=(0, 1))
    check(xn.generic_filter(tb.array(a), SPREAD, (2, 3), axes=(0, 2), origin=(0, 1)), want)
    same = tb.array(a)
    assert xn.generic_filter(same, SPREAD, (2, 3), axes=(0, 2), origin=(0, 1), output=same) is same
    check(same, want)
    half = xn.generic_filter(tb.array(a.astype("e")), LARGEST, 3)
    assert half.dtype == "e"
    np.testing.assert_array_equal(half.get(), sn.maximum_filter(a.astype("e").astype("f"), 3).astype("e"))


SHIFT = tb.RawKernel(r"""
extern "C" __global__
void shift(const double* line, ptrdiff_t length, double* result, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; ++i) result[i] = line[i] + 2 * line[i + length - count];
}
""", "shift")


def shift(line, result):
    result[:] = line[:len(result)] + 2 * line[len(line) - len(result):]


@settings(max_examples=30)
@given(st.data(), images("B l f d"), modes, st.integers(1, 5))
def test_kernels_of_lines(data, image, mode, size):
    a, d = image
    axis = data.draw(st.integers(-a.ndim, a.ndim - 1))
    want = sn.generic_filter1d(a, shift, size, axis, "d", mode)
    check(xn.generic_filter1d(d, SHIFT, size, axis, "d", mode), want)


def test_one_launch():
    d = tb.array(np.random.default_rng(0).random((30, 40)))
    for call in (lambda: xn.generic_filter(d, SPREAD, 5), lambda: xn.generic_filter(d, SQUARES, 5)):
        call().get()
        tb.config.reset_counters()
        call().get()
        # No array of all windows' elements is made.
        assert tb.config.counters()["bytes_allocated"] < 8 * 30 * 40 * 5


x = tb.ones((4, 5))
TWO = tb.ReductionKernel("T x, T z", "T y", "x * z", "a + b", "y = a", "0", "two")
HALF = tb.ReductionKernel("float16 x", "T y", "x", "a + b", "y = a", "0", "half")
ELSEWHERE = tb.RawKernel('extern "C" __device__ void f(const double* x, int n, double* y) { *y = n; }', "f")
WRONG = {
    "more arguments": (lambda: xn.generic_filter(x, SPREAD, 3, extra_arguments=(1,)), ValueError, "no more arguments"),
    "more by name": (lambda: xn.generic_filter1d(x, SHIFT, 3, extra_keywords={"a": 1}), ValueError, "no more"),
    "two inputs": (lambda: xn.generic_filter(x, TWO, 3), ValueError, "one input"),
    "float16": (lambda: xn.generic_filter(x, HALF, 3), TypeError, "float16"),
    "no kernel": (lambda: xn.generic_filter(x, ELSEWHERE, 3), ValueError, "no function f"),
    "complex": (lambda: xn.generic_filter(x * 1j, SPREAD, 3), TypeError, "complex"),
    "complex lines": (lambda: xn.generic_filter1d(x * 1j, SHIFT, 3), TypeError, "complex"),
    "modes": (lambda: xn.generic_filter(x, SPREAD, 3, mode=["wrap", "wrap"]), RuntimeError, "modes"),
    "origin": (lambda: xn.generic_filter(x, SPREAD, 3, origin=2), ValueError, "origin"),
}


@pytest.mark.parametrize("call, kind, says", WRONG.values(), ids=WRONG)
def test_refusals(call, kind, says):
    with pytest.raises(kind, match=says):
        call()
