"""Matrix products over dtypes, layouts, stacks and out=, against NumPy, and how many calls and copies they take."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tombac as tb
from tombac import config

INTEGERS = "?bBhHiIlL"


def integers(code, shape, seed):
    """Every value of the dtype, so that products and sums overflow."""
    rng = np.random.default_rng(seed)
    if code == "?":
        return rng.random(shape) < 0.05
    info = np.iinfo(code)
    return rng.integers(info.min, info.max, shape, code, endpoint=True)


def numbers(code, shape, seed):
    """Small integers in any dtype: their products are exact."""
    rng = np.random.default_rng(seed)
    x = rng.integers(-4, 5, shape)
    return (x + 1j * rng.integers(-4, 5, shape) if code in "FD" else x).astype(code)


def random_numbers(code, shape, seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if code in "FD" else x).astype(code)


def arrange(x, layout):
    """x with other strides: the same numbers in tombac and NumPy."""
    if layout == "C":
        return x
    if layout == "F":
        return x.swapaxes(-1, -2).copy().swapaxes(-1, -2)
    if layout == "reversed":
        return x[..., ::-1, ::-1].copy()[..., ::-1, ::-1]
    wide = tb.zeros if type(x) is tb.ndarray else np.zeros
    room = wide((*x.shape[:-2], 2 * x.shape[-2], x.shape[-1] + 3), x.dtype)
    inside = room[..., ::2, 1 : x.shape[-1] + 1] if layout == "rows" else room[..., ::2, : x.shape[-1]]
    inside[...] = x
    return inside


LAYOUTS = ["C", "F", "rows", "reversed"]


@pytest.mark.parametrize("m, k, n", [(4, 1, 4), (5, 3, 9), (64, 128, 128), (65, 129, 129), (130, 300, 70), (3, 40, 200),
                                     (200, 40, 2), (1, 300, 64), (64, 300, 1), (17, 257, 259)])
@pytest.mark.parametrize("code", INTEGERS)
def test_integers_wrap_around(m, k, n, code):
    x, y = integers(code, (m, k), 0), integers(code, (k, n), 1)
    want = np.matmul(x, y)
    for left in LAYOUTS:
        got = arrange(tb.array(x), left) @ arrange(tb.array(y), LAYOUTS[(m + n) % 4])
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got.get(), want)


@given(st.sampled_from("?bHil" "efdFD"), st.sampled_from(LAYOUTS), st.sampled_from(LAYOUTS),
       st.sampled_from([None, *LAYOUTS]), st.tuples(*[st.integers(0, 6)] * 3), st.lists(st.integers(1, 3), max_size=3),
       st.integers(0, 63), st.integers(0, 2**20))
def test_stacks(code, left, right, result, sizes, batch, shared, seed):
    """Stacks with some axes broadcast, operands and out= in any layout."""
    m, k, n = sizes
    a = [1 if shared >> i & 1 else d for i, d in enumerate(batch)]
    b = [1 if shared >> (i + 3) & 1 else d for i, d in enumerate(batch)]
    x, y = numbers(code, (*a, m, k), seed), numbers(code, (*b, k, n), seed + 1)
    want = np.matmul(x, y)
    out = None if result is None else arrange(tb.ones(want.shape, code), result)
    got = tb.matmul(arrange(tb.array(x), left), arrange(tb.array(y), right), out=out)
    assert out is None or got is out
    assert got.shape == want.shape and got.dtype == want.dtype
    np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("shape", [(63, 9), (64, 3), (65, 130), (200, 64), (3, 70, 5)], ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_matrix_times_its_transpose(code, shape, layout):
    x = numbers(code, shape, 0)
    a = arrange(tb.array(x), layout)
    y = x.swapaxes(-1, -2)
    np.testing.assert_array_equal((a @ a.swapaxes(-1, -2)).get(), x @ y)
    np.testing.assert_array_equal((a.swapaxes(-1, -2) @ a).get(), y @ x)
    np.testing.assert_array_equal((a.conj() @ a.swapaxes(-1, -2)).get(), x.conj() @ y)


@pytest.mark.parametrize("code", "fdFD")
def test_one_matrix_twice_but_not_its_transpose(code):
    x = numbers(code, (90, 90), 0)
    a = tb.array(x)
    np.testing.assert_array_equal((a @ a).get(), x @ x)
    np.testing.assert_array_equal((a[:70, :80] @ a[:80, :70]).get(), x[:70, :80] @ x[:80, :70])
    np.testing.assert_array_equal((a[:70, :80] @ a.T[:80, 1:71]).get(), x[:70, :80] @ x.T[:80, 1:71])
    stack, b = numbers(code, (3, 70, 4), 1), tb.array(numbers(code, (3, 70, 4), 1))
    np.testing.assert_array_equal((b @ b[:1].swapaxes(-1, -2)).get(), stack @ stack[:1].swapaxes(-1, -2))


@pytest.mark.parametrize("code", "?ilefdFD")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("m, k", [(1, 1), (3, 200), (200, 3), (150, 151)])
def test_vectors(code, layout, m, k):
    x, y, z = numbers(code, (m, k), 0), numbers(code, (2 * k,), 1), numbers(code, (m, 3), 2)
    a, b, c = arrange(tb.array(x), layout), tb.array(y), tb.array(z)
    for cut in (slice(k), slice(None, None, 2), slice(None, None, -2)):
        np.testing.assert_array_equal((a @ b[cut]).get(), x @ y[cut])
        np.testing.assert_array_equal((a[None] @ b[cut][:, None]).get(), x[None] @ y[cut][:, None])
    np.testing.assert_array_equal((c[:, 1] @ a).get(), z[:, 1] @ x)
    np.testing.assert_array_equal((c.T[1:2] @ a).get(), z.T[1:2] @ x)
    out = tb.ones((m, 4), code)
    tb.matmul(a, b[:k], out=out[:, 2])
    want = np.ones((m, 4), code)
    want[:, 2] = x @ y[:k]
    np.testing.assert_array_equal(out.get(), want)


@pytest.mark.parametrize("code", "lfd")
@pytest.mark.parametrize("axes", list(itertools.permutations(range(3))))
def test_products_are_in_c_order(code, axes):
    """However the operands lie in memory, as in NumPy."""
    host = np.random.default_rng(4).integers(-9, 9, (6, 7, 40)).astype(code).transpose(axes)
    base = tb.array(np.ascontiguousarray(host.transpose(np.argsort(axes))))
    a = base.transpose(axes)
    assert a.strides == host.strides
    for left, right, want in ((a, a.swapaxes(1, 2), host @ host.swapaxes(1, 2)),
                              (a[0].T, a[0], host[0].T @ host[0]), (a, a[0, 0], host @ host[0, 0])):
        got = left @ right
        assert got.flags.c_contiguous
        np.testing.assert_allclose(got.get(), want, rtol=1e-5)


THREADS = """
import sys, tombac as tb
x = tb.sin(tb.arange(50 * 20 * 30, dtype="d")).reshape(50, 20, 30)
for a in (x, x.astype("f"), x.astype("e"), (100 * x).astype("i")):
    sys.stdout.buffer.write((a @ a.swapaxes(1, 2)).tobytes() + (a @ a[0, 0]).tobytes())
"""


def test_the_number_of_threads_changes_nothing():
    found = {subprocess.run([sys.executable, "-c", THREADS], env=os.environ | {"TOMBAC_NUM_THREADS": n}, check=True,
                            capture_output=True).stdout for n in ("1", "2", "16")}
    assert len(found) == 1 and found.pop()


def test_out_beside_its_elements_is_left_alone():
    room = tb.full((6, 9), 7.0)
    x, y = numbers("d", (3, 4), 0), numbers("d", (4, 5), 1)
    tb.matmul(tb.array(x), tb.array(y), out=room[::2, 1:6])
    want = np.full((6, 9), 7.0)
    want[::2, 1:6] = x @ y
    np.testing.assert_array_equal(room.get(), want)


@pytest.mark.parametrize("overlap", [lambda r: (r[:4, :4], r[:4, :4]), lambda r: (r[:4, :4], r[1:5, :4]),
                                     lambda r: (r[2:6, :4], r[:4, 1:5])])
def test_out_over_an_operand(overlap):
    a = numbers("f", (6, 6), 0)
    host, device = a.copy(), tb.array(a)
    x, out = overlap(host)
    want = x @ x
    out[...] = want
    x, out = overlap(device)
    tb.matmul(x, x, out=out)
    np.testing.assert_array_equal(device.get(), host)


@pytest.mark.parametrize("a, b, calls", [((7, 65, 64), (64, 66), 1), ((3, 40, 65, 64), (40, 64, 66), 3),
                                         ((40, 1, 65, 64), (3, 64, 66), 3),
                                         ((5, 1, 40, 1, 65, 64), (3, 1, 2, 64, 66), 30)])
def test_a_stack_takes_few_calls_and_no_copies(a, b, calls):
    x, y = numbers("f", a, 0), numbers("f", b, 1)
    A, B = tb.array(x), tb.array(y).swapaxes(-1, -2).copy().swapaxes(-1, -2)
    A.data.ptr, B.data  # noqa: B018
    before = config.counters()["launches"]
    got = A @ B
    got.data  # noqa: B018
    assert config.counters()["launches"] == before + calls
    np.testing.assert_array_equal(got.get(), x @ y)


@pytest.mark.parametrize("order", "CF")
def test_the_product_is_stored_where_out_is(order):
    x, y = numbers("f", (70, 80), 0), numbers("f", (80, 90), 1)
    A, B, room = tb.array(x), tb.array(y), tb.zeros((140, 100), "f")
    out = room[::2, :90] if order == "C" else room[:90, :70].T
    room.data  # noqa: B018
    before = config.counters()["launches"]
    tb.matmul(A, B, out=out)
    out.data  # noqa: B018
    assert config.counters()["launches"] == before + 1
    np.testing.assert_array_equal(out.get(), x @ y)


def test_products_are_stored_in_a_pending_out():
    out = tb.zeros((70, 70), "f") + 1
    a = tb.ones((70, 70), "f")
    tb.matmul(a, a, out=out)
    np.testing.assert_array_equal(out.get(), np.full((70, 70), 70, "f"))


@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("n", [1, 3, 31, 32, 33, 65])
def test_small_and_large_agree_with_float64(code, n):
    """Whatever does the product, its error is that of a sum of n products."""
    rng = np.random.default_rng(n)
    x = rng.standard_normal((n, n)) + (1j * rng.standard_normal((n, n)) if code in "FD" else 0)
    x = x.astype(code)
    want = x.astype("D" if code in "FD" else "d") @ x.astype("D" if code in "FD" else "d").T
    got = (tb.array(x) @ tb.array(x).T).get()
    assert got.dtype == code
    assert np.abs(got - want).max() <= 4 * n * np.finfo(code).eps * np.abs(x).max() ** 2


@pytest.mark.parametrize("code", "fd")
@pytest.mark.parametrize("n", [5, 40, 100])
def test_non_finite_numbers(code, n):
    x, y = numbers(code, (n, n), 0), numbers(code, (n, n), 1)
    x[1, 2] = np.nan
    y[3, 4] = np.inf
    with np.errstate(invalid="ignore"):
        want = x @ y
    got = (tb.array(x) @ tb.array(y)).get()
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("size", [1, 7, 1024, 2049, 100_003])
@pytest.mark.parametrize("step", [1, 3, -1])
def test_inner_products_of_float16_are_summed_in_float(size, step):
    random = np.random.default_rng(size)
    a, b = (random.standard_normal(size * abs(step)).astype("e") for _ in range(2))
    got = tb.array(a)[::step].dot(tb.array(b)[::step])
    want = np.dot(a[::step].astype("d"), b[::step].astype("d"))
    scale = np.abs(a[::step].astype("d")) @ np.abs(b[::step].astype("d"))
    assert got.dtype == np.float16
    np.testing.assert_allclose(float(got), want, rtol=2**-10, atol=2**-20 * scale)
    stack = np.stack([a[::step], 2 * a[::step]])[:, None, :]
    rows = tb.matmul(tb.array(stack), tb.array(b)[::step]).get()
    np.testing.assert_allclose(rows.astype("d").ravel(), [want, 2 * want], rtol=2**-10, atol=2**-19 * scale)


LENGTHS = [1, 2, 63, 64, 65, 255, 1000, 1023, 1024, 1025, 8192, 16_384, 16_385, 70_001, 1_000_003]


@pytest.mark.parametrize("code", "fdFD")
def test_inner_products_have_the_bits_of_a_sum_of_products(code):
    """Products are summed as they are made, in the tree that the sum of a stored product takes."""
    for size in LENGTHS:
        a, b = (random_numbers(code, size, seed) for seed in (size, size + 1))
        x, y = tb.array(a), tb.array(b)
        stored = (x * y).copy()
        sums = np.array([x.dot(y).get(), tb.inner(x, y).get(), (x * y).sum().get()])
        assert sums.tobytes() == np.repeat(stored.sum().get(), 3).tobytes()
        assert (x * y).mean().get().tobytes() == stored.mean().get().tobytes()
        assert (x**2).sum().get().tobytes() == (x**2).copy().sum().get().tobytes()
        want = np.vdot(a.astype("D"), b.astype("D"))
        scale = np.abs(a) @ np.abs(b) * np.finfo(code).eps * (4 + np.log2(size))
        assert abs(complex(tb.vdot(x, y)) - want) <= scale


@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("shape", [(3, 5), (300, 17), (17, 300), (2, 70_001), (64, 4096), (5, 100, 30)])
def test_sums_of_products_along_axes(code, shape):
    a, b = (random_numbers(code, shape, seed) for seed in range(2))
    x, y = tb.array(a), tb.array(b)
    for step in (slice(None), slice(None, None, -1), slice(None, None, 2)):
        u, v = x[..., step], y[..., step]
        stored = (u * v).copy()
        for axis in range(len(shape)):
            assert (u * v).sum(axis).get().tobytes() == stored.sum(axis).get().tobytes()
            assert (u * 3).sum(axis).get().tobytes() == (u * 3).copy().sum(axis).get().tobytes()
            assert ((u - v) ** 2).mean(axis).get().tobytes() == ((u - v) ** 2).copy().mean(axis).get().tobytes()


@pytest.mark.parametrize("code", "efdFD")
@pytest.mark.parametrize("m, n", [(1, 1), (1, 3), (3, 1), (3, 3), (7, 4), (10, 10), (16, 17), (33, 40), (45, 45)])
@pytest.mark.parametrize("k", [1024, 33333])
def test_long_inside(code, m, n, k):
    """Few sums of many products: by reductions, or in parts that are added up. Operands lie in all ways; into out."""
    x, y = numbers(code, (k, m), 0), numbers(code, (k, n), 1)
    wide = "D" if code in "FD" else "d"
    want = (x.T.astype(wide) @ y.astype(wide)).astype(code)
    A, B = tb.array(x), tb.array(y)
    room, turned = tb.zeros((m, 2 * n), code), tb.empty((n, m), code)
    tb.matmul(A.T, B, out=room[:, :n])
    tb.matmul(A.T, B, out=turned.T)
    for got in (A.T @ B, A.T.copy() @ B, A.T @ B.T.copy().T, (B.T @ A).T, room[:, :n], turned.T):
        assert got.dtype == x.dtype and got.shape == want.shape
        np.testing.assert_allclose(got.get(), want, 2e-3 if code == "e" else 0, 2 if code == "e" else 0)
    assert not room[:, n:].any()
