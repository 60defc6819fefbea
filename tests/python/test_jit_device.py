"""tombacx.jit.thrust and tombacx.jit.cub, against NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jit_device_kernels import ALGORITHMS, arguments, block_kernel, warp_reductions
from numpy.testing import assert_array_equal

import tombac as tb
from tombacx import jit
from tombacx.jit import thrust

LAYOUTS = {
    "C": tb.asarray, "F": lambda a: tb.asarray(a, order="F"),
    "reversed": lambda a: tb.asarray(np.ascontiguousarray(a[..., ::-1]))[..., ::-1],
    "steps": lambda a: tb.asarray(np.repeat(a, 2, axis=-1))[..., ::2],
}


@pytest.mark.parametrize("dtype, layout", [("i", "C"), ("f", "F"), ("F", "reversed"), ("e", "steps"), ("B", "C")])
@pytest.mark.parametrize("kernel, reference", ALGORITHMS, ids=[r.__name__[10:] for _, r in ALGORITHMS])
def test_algorithms(kernel, reference, dtype, layout):
    rng = np.random.default_rng(5)
    for length in (0, 1, 2, 13, 60):
        host = arguments(rng, dtype, 3, length)
        device = [LAYOUTS[layout](a) for a in host]
        kernel[1, 3](*device)
        with np.errstate(over="ignore"):
            for row in zip(*host):
                reference(*row)
        for got, want in zip(device, host):
            assert_array_equal(got.get(), want)


def test_booleans():
    @jit.rawkernel()
    def kernel(x, out):
        thrust.sort(thrust.seq, x.begin(), x.end())
        out[0] = thrust.count(thrust.seq, x.begin(), x.end(), True)
        out[1] = thrust.unique(thrust.seq, x.begin(), x.end()) - x.begin()
    x, out = tb.asarray([True, False, True, False, True]), tb.zeros(2, "q")
    kernel[1, 1](x, out)
    assert out.tolist() == [3, 2] and x.tolist()[:2] == [False, True]


@jit.rawkernel()
def sort_both(keys, values):
    thrust.sort_by_key(thrust.seq, keys.begin(), keys.end(), values.begin())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-4, 4) | st.integers(-2**31, 2**31 - 1), max_size=400))
def test_sorts_are_stable(keys):
    keys = np.array(keys, "i")
    device, values = tb.asarray(keys), tb.arange(len(keys))
    sort_both[1, 1](device, values)
    order = np.argsort(keys, kind="stable")
    assert_array_equal(device.get(), keys[order])
    assert_array_equal(values.get(), order)


def test_sorts_keep_all_elements_whatever_nan_does():
    rng = np.random.default_rng(0)
    keys = rng.integers(0, 50, 500).astype("f")
    keys[rng.random(500) < 0.3] = np.nan
    device, values = tb.asarray(keys), tb.arange(500)
    sort_both[1, 1](device, values)
    assert_array_equal(np.sort(device.get()), np.sort(keys))
    assert_array_equal(keys[values.get()], device.get())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_ranges_of_several_dimensions(layout):
    @jit.rawkernel()
    def kernel(x, y):
        thrust.copy(thrust.seq, x.begin(), x.end(), y.begin())
        it = x.end() - 1
        it[0] = 7
        thrust.copy(thrust.seq, x[1].begin(), x[1].end(), y.begin() + x.size)
    a = np.arange(24, dtype="f").reshape(2, 3, 4)
    x, y = LAYOUTS[layout](a), tb.zeros(36, "f")
    kernel[1, 1](x, y)
    a[-1, -1, -1] = 7
    assert_array_equal(x.get(), a)
    assert_array_equal(y.get(), np.r_[np.arange(24), a[1].ravel()])


def test_iterators():
    @jit.rawkernel(device=True)
    def after(it, n):
        return it + n

    @jit.rawkernel()
    def kernel(x, out):
        first, last = x.begin(), x.end()
        out[0] = last - first
        out[1] = first[2]
        first += 3
        out[2] = first[0]
        first -= 1
        out[3] = first[0]
        out[4] = (1 + first)[0] + after(x.begin(), 4)[0]
        out[5] = first < last and first != last and not first > last and first <= first == first
        it = after(first, jit.threadIdx.x + 1)
        it[0] = 50
        it[1] += 100
        n = 0
        while first != last:
            n += 1
            first = first + 1
        out[6] = n
    for x in (tb.arange(6), tb.arange(12)[::2] // 2, tb.arange(5, -1, -1)[::-1]):
        out = tb.zeros(7, "q")
        kernel[1, 1](x, out)
        assert out.tolist() == [6, 2, 3, 2, 7, 1, 4]
        assert x.tolist() == [0, 1, 2, 50, 104, 5]


def test_constant_and_counting_iterators():
    @jit.rawkernel()
    def kernel(x, out, total):
        i = jit.threadIdx.x
        same, count = thrust.make_constant_iterator(x[i]), thrust.make_counting_iterator(i * i)
        out[i, 0] = same[i] + (same + 2)[0]
        out[i, 1] = count[i] + (count + 2)[1]
        out[i, 2] = thrust.reduce(thrust.seq, count, count + 4)
        out[i, 3] = thrust.make_counting_iterator(10) - thrust.make_counting_iterator(3)
        out[i, 4] = thrust.inner_product(thrust.seq, count, count + 3, same, np.float32(0))
        end = thrust.copy(thrust.seq, same, same + 2, out[i].begin() + 5)
        total[i] = end - out[i].begin()
    x, out, total = tb.arange(5, dtype="f"), tb.zeros((5, 7)), tb.zeros(5, "i")
    kernel[1, 5](x, out, total)
    i = np.arange(5)
    want = np.stack([2 * i, 2 * i * i + i + 3, 4 * i * i + 6, i * 0 + 7, i * (3 * i * i + 3), i, i], 1)
    assert_array_equal(out.get(), want)
    assert_array_equal(total.get(), 7)


def test_shared_memory_is_a_range():
    @jit.rawkernel()
    def kernel(x, y, n):
        i = jit.threadIdx.x
        s, d = jit.shared_memory(np.int32, 32), jit.shared_memory(np.float16, None)
        s[i] = x[i]
        d[i] = x[i]
        jit.syncthreads()
        y[i] = thrust.count(thrust.device, s, s + 32, i) + 10 * thrust.count(thrust.seq, d, d + n, i)
        y[i] += 100 * (thrust.find(thrust.seq, s.begin(), s.end(), x[31]) - s)
    x, y = tb.arange(32, dtype="i") // 2, tb.zeros(32, "i")
    kernel((1,), (32,), (x, y, 32), shared_mem=64)
    assert_array_equal(y.get(), np.where(np.arange(32) < 16, 22, 0) + 3000)


def test_accumulators_are_as_wide_as_their_elements():
    @jit.rawkernel()
    def kernel(x, out):
        out[0] = thrust.reduce(thrust.seq, x.begin(), x.end(), 0)
        out[1] = thrust.reduce(thrust.seq, x.begin(), x.end(), 0.5)
        out[2] = thrust.count(thrust.seq, x.begin(), x.end(), 0.25)
    out = tb.zeros(3)
    kernel[1, 1](tb.asarray([0.25, 0.5, 2.0**40]), out)
    assert out.tolist() == [2.0**40 + 0.75, 2.0**40 + 1.25, 1]
    kernel[1, 1](tb.asarray([2**40, 0]), out)
    assert out.tolist()[0::2] == [2.0**40, 0]


# ---- warps and blocks ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", "b H i Q e f d F D".split())
@pytest.mark.parametrize("valid", [1, 13, 32])
def test_warp_reductions(dtype, valid):
    x = np.random.default_rng(1).integers(0, 4, (3, 64)).astype(dtype)
    y = tb.zeros((3, 2, 8), dtype)
    warp_reductions[3, 64](tb.asarray(x), y, valid)
    w = x.reshape(3, 2, 32)
    want = np.stack([w.sum(-1), w.max(-1), w[..., :valid].min(-1), w[..., :valid].sum(-1)], -1)
    assert_array_equal(y.get()[..., :4], want)
    assert_array_equal(y.get()[..., 4:], w.reshape(3, 2, 4, 8).max(-1))


@pytest.mark.parametrize("threads, dtype", [(1, "i"), (8, "F"), (32, "e"), (100, "d"), (101, "D"), (256, "b"),
                                            (1024, "q")])
def test_block_reductions(threads, dtype):
    kernel = block_kernel(threads)
    for valid in {1, threads, max(threads // 3, 1)}:
        x = np.random.default_rng(2).integers(0, 2, (2, threads)).astype(dtype)
        y = tb.zeros((2, 6), dtype)
        block = threads if threads % 2 else (threads // 2, 2)
        kernel[2, block](tb.asarray(x), y, valid)
        want = [x.sum(1, dtype=dtype), x.max(1), x.min(1), x[:, :valid].sum(1, dtype=dtype), x[:, 0],
                x[:, :valid].max(1)]
        assert_array_equal(y.get(), np.stack(want, 1))


def test_storage_is_used_again_after_a_barrier_and_passed_to_functions():
    def total(reduction, v):
        return reduction.Sum(v)

    @jit.rawkernel(mode="numpy")
    def kernel(x, y):
        i = jit.threadIdx.x
        BlockReduce = jit.cub.BlockReduce[np.float64, 96]
        storage = jit.shared_memory(BlockReduce.TempStorage, (1,))
        for k in range(4):
            s = total(BlockReduce(storage[0]), x[i] * k)
            jit.syncthreads()
            if i == 0:
                y[k] = s
    y = tb.zeros(4)
    kernel[1, 96](tb.arange(96.0), y)
    assert y.tolist() == [0, 4560, 9120, 13680]


# ---- what is refused -------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("source, exception, match", [
    ("thrust.sort(x.begin(), x.end())", TypeError, "exec_policy must be"),
    ("thrust.sort(thrust.seq, x)", TypeError, "missing a required argument: 'last'"),
    ("thrust.sort(thrust.seq, x, x)", TypeError, "thrust.sort: first: an iterator such as x.begin()"),
    ("thrust.sort(thrust.seq, x.begin(), y.end())", TypeError, "last: the end of a range of an iterator over float32"),
    ("thrust.sort(thrust.seq, x.begin(), x.end(), 3)", TypeError, "comp: a function is expected, not the number 3"),
    ("thrust.sort(thrust.seq, x.begin(), x.end(), np.linalg.norm)", NotImplementedError, "norm is not available"),
    ("thrust.copy(thrust.seq, z.begin(), z.end(), x.begin())", TypeError, "result: complex64 cannot become float32"),
    ("thrust.fill(thrust.seq, x.begin(), x.end(), x)", TypeError, "value: a number is expected"),
    ("thrust.fill(thrust.seq, c, c + 1, 1)", TypeError, "constant or counting iterator cannot be written"),
    ("c[0] = 1", TypeError, "cannot be assigned to"),
    ("thrust.make_counting_iterator(1j)", TypeError, "x must be an integer or a real number"),
    ("x.begin() * 2", TypeError, "not this operator"),
    ("x.begin() + 0.5", TypeError, "an integer is expected"),
    ("x.begin()[x[0]]", TypeError, "an integer is expected"),
    ("x.begin() - y.begin()", TypeError, "not of the same range"),
    ("x.begin(1)", TypeError, "begin() takes no arguments"),
    ("x.first()", AttributeError, "begin and end"),
    ("x[0] = x.begin()", TypeError, "cannot be an iterator over float32"),
    ("jit.shared_memory(np.int32, None).end()", NotImplementedError, "dynamic shared memory"),
    ("jit.cub.BlockReduce[x.dtype]", TypeError, "BlockReduce[dtype, threads]"),
    ("jit.cub.WarpReduce[x.dtype, 64]", ValueError, "must be 1 to 32, not 64"),
    ("jit.cub.WarpReduce['S3']", TypeError, "no type for dtype"),
    ("jit.cub.WarpReduce[x.dtype](x)", TypeError, "TempStorage is expected, not a 1-d array"),
    ("jit.cub.WarpReduce[x.dtype](s[0])", TypeError, "cub.WarpReduce[float32, 32]: an element of shared memory"),
    ("W(s[0]).Sum(x)", TypeError, "Sum: the number: a number is expected"),
    ("W(s[0]).Reduce(x[0], 5)", TypeError, "Reduce: op: a function is expected"),
    ("W(s[0]).Scan(x[0])", AttributeError, "no method 'Scan' in kernels, only Sum, Reduce"),
    ("W(s[0]).Sum()", TypeError, "missing"),
    ("s[0] = 1", TypeError, "cannot be assigned to"),
])
def test_errors_point_at_the_line(tmp_path, source, exception, match):
    path = tmp_path / "kernels.py"
    path.write_text("import numpy as np\nfrom tombacx import jit\nfrom tombacx.jit import thrust\n"
                    "def kernel(x, y, z):\n    c = thrust.make_constant_iterator(1)\n"
                    "    W = jit.cub.WarpReduce[np.int32]\n    s = jit.shared_memory(W.TempStorage, 1)\n"
                    f"    {source}\n")
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(exception) as e:
        jit.rawkernel()(scope["kernel"])(1, 32, tuple(tb.zeros(3, t) for t in "fdF"))
    text = str(e.value)
    assert match in text and 'kernels.py", line 8' in text and source in text and "^" in text, text


def test_outside_of_kernels():
    with pytest.raises(RuntimeError, match="tombacx.jit.thrust.sort exists in kernels only"):
        thrust.sort(thrust.seq, 1, 2)
    with pytest.raises(RuntimeError, match="kernels only"):
        jit.cub.WarpReduce["f"](1)
    assert "comp" in thrust.sort.__doc__ and repr(jit.cub.BlockReduce["f", 64]) == \
        "<tombacx.jit.cub.BlockReduce[float32, 64]>"
