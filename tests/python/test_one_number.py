"""Operations with one number give the bits of those with an array of it, whichever side it is on."""
import numpy as np
import pytest

import tombac as tb

EDGES = [0.0, -0.0, 1.0, -1.0, 3.0, np.nan, np.inf, -np.inf, 5e-324, 1e300]
NAMES = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "less", "less_equal", "greater",
         "greater_equal", "equal", "not_equal"]


def values(n, dtype):
    rng = np.random.default_rng(n)
    if dtype in "il":
        info = np.iinfo(dtype)
        x = rng.integers(info.min, info.max, n, dtype, True)
        x[:6] = [0, 1, -1, 3, info.min, info.max][: min(n, 6)]
        return x
    with np.errstate(over="ignore"):
        x = rng.standard_normal(n).astype(dtype)
        x[: len(EDGES)] = np.array(EDGES).astype(dtype)[:n]
    return x


def same(got, want):
    got, want = got.get(), want.get()
    assert got.dtype == want.dtype
    floats = got.dtype.kind == "f"
    assert np.array_equal(got, want, equal_nan=floats)
    if floats:
        numbers = ~np.isnan(want)
        assert np.array_equal(np.signbit(got[numbers]), np.signbit(want[numbers]))


@pytest.mark.parametrize("n", [1, 9, 100, 3000, 40000])
@pytest.mark.parametrize("dtype", "fdilhe")
@pytest.mark.parametrize("name", NAMES)
def test_both_sides(name, dtype, n):
    op, reference = getattr(tb, name), getattr(np, name)
    if dtype in "h":
        x = values(n, "i").astype("h")
    elif dtype == "e":
        x = values(n, "f").astype("e")
    else:
        x = values(n, dtype)
    numbers = x[: min(n, 10)]
    there = tb.asarray(x)
    for array in (there, tb.asarray(np.repeat(x, 2))[::2]):
        for number in numbers:
            many = tb.asarray(np.full(n, number))
            same(op(array, number), op(array, many))
            same(op(number, array), op(many, array))
        with np.errstate(all="ignore"):
            want = reference(x, numbers[-1])
        assert np.array_equal(op(array, numbers[-1]).get(), want, equal_nan=want.dtype.kind == "f")


@pytest.mark.usefixtures("fused")
@pytest.mark.parametrize("n", [100, 5000, 300_000, 5_000_000])
@pytest.mark.parametrize("dtype", "fdil")
def test_in_a_chain(dtype, n):
    x = values(n, dtype)
    want, got = x.copy(), tb.asarray(x)
    with np.errstate(all="ignore"):
        for k in (3, 5, 7, 2):
            want = np.maximum(k - want * k, want) + (want < k)
            got = tb.maximum(k - got * k, got) + (got < k)
    assert got.dtype == want.dtype
    assert np.array_equal(got.get(), want, equal_nan=dtype in "fd")


@pytest.mark.parametrize("n", [40, 40_000, 5_000_000])
def test_number_is_read_and_stored(n):
    """What is read as one number in one place is an array in another."""
    x = np.linspace(-2, 2, n)
    there = tb.asarray(x)
    half = 0.5
    a, b = there * half, tb.where(there > half, there, half)
    c = tb.full(n, half)
    got = a + b + c
    assert np.array_equal(got.get(), x * half + np.where(x > half, x, half) + half)
    assert np.array_equal(b.get(), np.where(x > half, x, half))


@pytest.mark.parametrize("n", [10, 5000, 1_000_000])
def test_in_a_reduction(n):
    x = np.arange(n, dtype=np.int64)
    there = tb.asarray(x)
    assert int((3 * there + 1).sum()) == int((3 * x + 1).sum())
    assert int((there * 2).max()) == 2 * (n - 1)
    assert np.array_equal(tb.cumsum(7 - there).get(), np.cumsum(7 - x))
    assert int(tb.count_nonzero(there < 5)) == 5


@pytest.mark.parametrize("mode", [False, True, "all"])
@pytest.mark.parametrize("dtype", "fdil")
def test_a_program_whose_memory_runs_out(own_pool, mode, dtype):
    """Many live arrays and views that are written through, by numbers on either side; calls that are refused."""
    rng, failed = np.random.default_rng(7), 0
    base = (rng.standard_normal(24000) * 9).astype(dtype)
    got, want = [tb.asarray(base)], [base.copy()]
    for views in (got, want):
        whole = views[0]
        views += [whole[::2], whole[12000:], whole[:12000][::-1]]
    wrong = tb.ones(7, dtype)
    with tb.config.fusion(mode):
        for step in range(120):
            k, c = int(rng.integers(len(got))), int(rng.integers(-3, 4))
            x, y = got[k], want[k]
            own_pool.set_limit(size=0)
            used = own_pool.used_bytes()  # which has what is pending computed
            own_pool.free_all_blocks()
            own_pool.set_limit(size=used + (1 if step % 4 == 3 else 1 << 22))
            try:
                if step % 3 == 0:
                    x[...] = c - x * 2
                    y[...] = c - y * 2
                elif step % 3 == 1:
                    made = tb.where(x < c, x, c * x) + 1
                    got.append(made)
                    want.append(np.where(y < c, y, c * y) + 1)
                    assert made.dtype == want[-1].dtype
                else:
                    x += 3
                    y += 3
                with pytest.raises(ValueError):
                    x += wrong
                np.testing.assert_array_equal(got[-1].get(), want[-1])
            except tb.cuda.memory.OutOfMemoryError:
                failed += 1
        own_pool.set_limit(size=0)
        for x, y in zip(got, want, strict=True):
            np.testing.assert_array_equal(x.get(), y)
    assert failed
