"""Every function that NumPy has too, over all dtypes and layouts: the same dtype, shape, order in memory and kind of
result, and the same numbers; and where NumPy's rules are subtle, more of them."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import DTYPES, same, values

import tombac as tb

LAYOUTS = {
    "C": lambda a: a, "F": lambda a: a.T, "reversed": lambda a: a[::-1], "steps": lambda a: a[..., ::2],
    "moved": lambda a: a.transpose(*range(1, a.ndim), 0), "empty": lambda a: a[:0],
}
SHAPES = [(5,), (3, 4), (2, 3, 4)]

# What is given beside the array, as a function of it.
ARGUMENTS = {
    "reshape": lambda a: (-1,), "take": lambda a: ([0],), "repeat": lambda a: (2,), "tile": lambda a: ((2, 2),),
    "roll": lambda a: (1,), "full_like": lambda a: (3,), "expand_dims": lambda a: (0,), "swapaxes": lambda a: (0, -1),
    "moveaxis": lambda a: (0, -1), "rollaxis": lambda a: (0,), "broadcast_to": lambda a: ((2, *a.shape),),
    "array_split": lambda a: (2,), "resize": lambda a: ((3, 5),), "astype": lambda a: ("d",), "clip": lambda a: (0, 2),
    "where": lambda a: (a, 0),
}
TWICE = ["outer", "inner", "kron", "vdot", "array_equal", "isclose", "append", "isin", "tensordot", "vecdot", "matmul",
         "broadcast_arrays", "dot"]
JOINS = ["concatenate", "stack", "hstack", "vstack", "dstack", "column_stack"]
ALONG = ["sum", "prod", "mean", "std", "var", "max", "min", "argmax", "argmin", "any", "all", "nansum", "nanprod",
         "nanmax", "nanmin", "nanmean", "nanstd", "nanvar", "ptp", "count_nonzero"]
SCANS = ["cumsum", "cumprod", "nancumsum", "nancumprod", "diff", "flip"]
# What is right another way: results of which only the numbers count (contiguous where NumPy has views, or in C order).
ANY_ORDER = {"nonzero", "argwhere", "imag", "isreal", "inner", "dot", "kron", "vecdot", "where", "isclose", "isin",
             "linspace", "real_if_close", "trapezoid", "choose", "angle", "i0", "unstack", "matmul", "tensordot"}
# Not functions of numbers; what NumPy computes in float16 and tombac in float32; what is nan or not by the order of
# operations; NumPy's quirks with empty arrays (cov); what NumPy leaves open (the order of equal elements, and of unique
# values), and histograms, which refuse complex numbers: these have tests of their own.
LEFT_OUT = {"empty_like", "empty", "asnumpy", "array_repr", "array_str", "array2string", "frompyfunc", "vectorize",
            "average", "geomspace", "fromfunction", "fromiter", "frombuffer", "identity", "tri", "eye", "zeros", "ones",
            "diag_indices", "indices", "gradient", "round", "around", "shares_memory", "may_share_memory", "require",
            "info", "cumprod", "nancumprod", "cov", "corrcoef", "argsort", "unique_values", "histogram",
            "histogram_bin_edges", "histogramdd"}


def one_array_functions():
    """Names of functions that NumPy calls with one array alone."""
    x = np.full((2, 3), 0.5)
    for name in sorted(set(dir(tb)) & set(dir(np)) - LEFT_OUT - set(ARGUMENTS)):
        f = getattr(np, name)
        if name.startswith("_") or not callable(f) or not callable(getattr(tb, name)) or isinstance(f, type):
            continue
        try:
            if isinstance(f(x), (np.ndarray, np.generic, tuple, bool)):
                yield name
        except Exception:  # noqa: BLE001 - whatever it says, it is not called so
            continue


def alike(got, want, any_order=False):
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want) or not type(want).__module__ == "builtins"
        assert len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            alike(g, w, any_order)
        return
    if not isinstance(want, (np.ndarray, np.generic)):
        assert bool(got) == bool(want)
        return
    want = np.asarray(want)
    if isinstance(got, (bool, int)):
        assert got == want
        return
    exact = want.dtype.kind in "biu"
    tolerance = {"e": 2e-2, "f": 1e-4, "F": 1e-4}.get(want.dtype.char, 1e-9)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_allclose(got.get(), want, 0 if exact else tolerance, 0 if exact else tolerance)
    if want.size > 1 and not any_order:
        assert got.flags.c_contiguous == want.flags.c_contiguous
        assert got.flags.f_contiguous == want.flags.f_contiguous


def compare(name, call):
    """call(module) is alike on NumPy and tombac, if NumPy has an answer."""
    try:
        want = call(np)
    except Exception:  # noqa: BLE001 - errors have tests of their own
        return
    alike(call(tb), want, name in ANY_ORDER)


def sweep(name, call):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for code in DTYPES:
            for shape in SHAPES:
                base = values(np.dtype(code), shape, 3)
                for layout in LAYOUTS.values():
                    compare(name, lambda m: call(m, layout(m.array(base)), layout(base)))  # noqa: B023


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    ONE_ARRAY = list(one_array_functions())


@pytest.mark.parametrize("name", ONE_ARRAY)
def test_functions_of_one_array(name):
    sweep(name, lambda m, a, host: getattr(m, name)(a))


@pytest.mark.parametrize("name", ARGUMENTS)
def test_functions_with_arguments(name):
    sweep(name, lambda m, a, host: getattr(m, name)(a, *ARGUMENTS[name](host if name != "where" else a)))


@pytest.mark.parametrize("name", TWICE)
def test_functions_of_two_arrays(name):
    sweep(name, lambda m, a, host: getattr(m, name)(a, a.astype("b") if a.dtype == "?" else a))


@pytest.mark.parametrize("name", JOINS)
def test_joins(name):
    sweep(name, lambda m, a, host: getattr(m, name)([a, a]))


@pytest.mark.parametrize("options", [{"axis": -1}, {"axis": 0, "keepdims": True}], ids=str)
@pytest.mark.parametrize("name", ALONG)
def test_reductions_along_an_axis(name, options):
    sweep(name, lambda m, a, host: getattr(m, name)(a, **options))


@pytest.mark.parametrize("name", SCANS)
def test_scans_along_an_axis(name):
    sweep(name, lambda m, a, host: getattr(m, name)(a, axis=-1))


def test_index_arrays_of_narrow_integers_give_wide_places():
    for code in "bBhHiIlL":
        index = np.array([3, 100], code)
        for order in "CF":
            for got, want in zip(tb.unravel_index(tb.array(index), (40, 300), order),
                                 np.unravel_index(index, (40, 300), order), strict=True):
                same(got, want)


def test_gradient_of_unsigned_coordinates():
    x, y = np.array([9, 4, 2], "B"), np.array([1.0, 5, 7])
    same(tb.gradient(tb.array(y), tb.array(x)), np.gradient(y, x))


@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_joined_arrays_keep_their_order_in_memory(ndim, seed):
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 4, ndim)
    host, device = [], []
    for _ in range(rng.integers(1, 4)):
        order, steps = rng.permutation(ndim), rng.choice([1, 1, -1, 2], ndim)
        whole = np.empty(ndim, int)
        whole[order] = shape * abs(steps) - (abs(steps) - 1)
        a = rng.random(whole)
        for module, arrays_ in ((np, host), (tb, device)):
            arrays_.append(module.array(a).transpose(*order.tolist())[tuple(slice(None, None, int(s)) for s in steps)])
    axis, new = int(rng.integers(ndim)), int(rng.integers(ndim + 1))
    for name, args in (("concatenate", (axis,)), ("stack", (new,)), ("hstack", ()), ("vstack", ()), ("dstack", ())):
        want, got = getattr(np, name)(host, *args), getattr(tb, name)(device, *args)
        same(got, want)
        assert [g for g, n in zip(got.strides, got.shape, strict=True) if n > 1] == \
            [w for w, n in zip(want.strides, want.shape, strict=True) if n > 1]


def test_several_results_are_tuples():
    x, y = tb.arange(3), tb.arange(2)
    for result in (tb.meshgrid(x, y), tb.meshgrid(x, y, sparse=True), tb.meshgrid(), tb.broadcast_arrays(x, x[:1]),
                   tb.broadcast_arrays(), tb.atleast_1d(x, y), tb.atleast_2d(x, y), tb.atleast_3d(x, y)):
        assert type(result) is tuple


LIMITS = [None, -1, 0, 7, 255, 256, 300, -(2**63), 2**63, 2**64 - 1, 2**64, 2**70, -(2**70)]


@pytest.mark.parametrize("code", "bBhHiIlL")
@pytest.mark.parametrize("low", LIMITS)
@pytest.mark.parametrize("high", LIMITS)
def test_clip_by_integers_that_the_dtype_cannot_hold(code, low, high):
    info = np.iinfo(code)
    a = np.array([info.min, 1, 100, info.max], code)
    try:
        want = np.clip(a, low, high)
    except OverflowError:
        with pytest.raises(OverflowError):
            tb.clip(tb.array(a), low, high)
    else:
        same(tb.clip(tb.array(a), low, high), want)


@pytest.mark.parametrize("x", ["b", "B", "L", "e", "?", 3, -3, 2**63, 1.5, True])
@pytest.mark.parametrize("y", ["h", "L", "D", -3, 300, 2**63, 2**64 - 1, 1e10, 1j, False])
def test_where_of_numbers(x, y):
    mask = np.array([True, False, True])
    host = [np.array([1, 0, 1]).astype(v) if isinstance(v, str) else v for v in (x, y)]
    device = [tb.array(v) if isinstance(v, np.ndarray) else v for v in host]
    try:
        with np.errstate(all="ignore"):
            want = np.where(mask, *host)
    except OverflowError:  # from NumPy 2.5 on: numbers that the other's dtype cannot hold
        assert tb.where(tb.array(mask), *device).shape == mask.shape
    else:
        same(tb.where(tb.array(mask), *device), want)


@pytest.mark.parametrize("name", ["sinc", "i0"])
@pytest.mark.parametrize("code", "?bBhHiIlLefd")
def test_sinc_and_i0_of_every_real_dtype(name, code):
    a = np.array([0, 1, 3]).astype(code)
    want, got = getattr(np, name)(a), getattr(tb, name)(tb.array(a))
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, rtol=1e-3 if code == "e" else 1e-6, atol=1e-3 if code == "e" else 1e-7)
