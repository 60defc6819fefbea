"""tombacx.jit: kernels written in Python."""

import numpy as np
import pytest
from jit_kernels import CASES
from numpy.testing import assert_allclose, assert_array_equal

import tombac as tb
from tombacx import jit

X = tb.arange(8, dtype="f")


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_case(case):
    args = case.device_args()
    case.kernel(case.grid, case.block, args, shared_mem=case.shared_mem)
    for k, want in case.want.items():
        got = args[k].get()
        if isinstance(want, list) and None in want:  # not defined
            got, want = zip(*((g, w) for g, w in zip(got, want) if w is not None))
        assert_allclose(got, want, rtol=case.rtol, atol=case.rtol)


def test_strided_arrays_and_every_layout():
    @jit.rawkernel()
    def add(x, y, out):
        i, j = jit.grid(2)
        if i < out.shape[0] and j < out.shape[1]:
            out[i, j] = x[i, j] + y[i, j]
    a, b = np.arange(30.0).reshape(5, 6), np.arange(60.0).reshape(6, 10)
    for f in (lambda v: v, lambda v: v[:, :], lambda v: v[::-1], lambda v: v[:, ::-1]):
        x, y = f(tb.asarray(a)), tb.asarray(b).T[::2]
        out = tb.zeros((10, 12))[::2, ::-2]
        add((1, 1), (8, 8), (x, y, out))
        assert_array_equal(out.get(), f(a) + b.T[::2])


@pytest.mark.parametrize("dtype", "? b B h H i I l L e f d F D".split())
def test_every_dtype_is_copied(dtype):
    @jit.rawkernel()
    def copy(x, y, v):
        i = jit.grid(1)
        y[i] = x[i] if i > 0 else v
    x = np.arange(8).astype(dtype)
    y = tb.zeros(8, dtype)
    copy(1, 8, (tb.asarray(x), y, x.dtype.type(1)))
    x[0] = 1
    assert y.dtype == x.dtype
    assert_array_equal(y.get(), x)


@pytest.mark.parametrize("value", [True, 5, -2**40, 2.5, 1 + 2j])
def test_python_numbers_as_arguments(value):
    @jit.rawkernel()
    def fill(y, v):
        y[0] = v
    y = tb.zeros(1, "D" if isinstance(value, complex) else "d")
    fill(1, 1, (y, value))
    assert y[0].item() == value


def test_calls():
    @jit.rawkernel()
    def fill(y, v):
        y[jit.grid(1)] = v
    stream = tb.cuda.Stream()
    for call in (lambda v: fill(2, 4, (X, v)), lambda v: fill((2,), (4,), [X, v]), lambda v: fill[2, 4](X, v),
                 lambda v: fill((2, 1, 1), (4, 1), (X, v), 0, None), lambda v: fill[(2,), (4,), None, 0](X, v),
                 lambda v: fill(2, 4, (X, v), shared_mem=16, stream=stream),
                 lambda v: fill[2, 4, stream](X, v)):
        v = np.random.default_rng().integers(1000)
        call(np.float32(v))
        stream.synchronize()
        assert (X.get() == v).all()
    assert len(fill.cached_codes) == 1 and "fill" in fill.cached_code
    fill(1, 1, (X, 1))
    assert len(fill.cached_codes) == 2
    assert fill.kernel.__name__ == fill.__name__ == "fill"


def test_deferred_arguments_and_readers():
    @jit.rawkernel()
    def double(x, y):
        i = jit.grid(1)
        y[i] = 2 * x[i]
    x = tb.arange(8.0)
    y = tb.zeros(8)
    before = y + 1
    double(1, 8, (x * x + 1, y))
    assert_array_equal(before.get(), np.ones(8))
    assert_array_equal(y.get(), 2 * (np.arange(8.0) ** 2 + 1))


def test_no_second_compilation():
    @jit.rawkernel()
    def fill(y):
        y[jit.grid(1)] = 1
    fill(1, 1, (X,))
    before = tb.config.counters()["compiles"]
    for n in (1, 2, 3):
        fill(1, n, (tb.zeros(n, "f"),))
    assert tb.config.counters()["compiles"] == before and len(fill.cached_codes) == 1


def test_closures_are_constants():
    def make(k, half):
        @jit.rawkernel()
        def f(y):
            y[0] = half(k)
        return f
    y = tb.zeros(1)
    make(3, lambda v: v / 2)(1, 1, (y,))
    assert y.item() == 1.5


def test_printf(capfd):
    @jit.rawkernel()
    def f(x):
        jit.printf("%d %5.2f %s 100%%\n", x.size, x[1], "text")
        print("sum", x[0] + 1)
    f(1, 1, (tb.arange(3.0),))
    tb.cuda.Device().synchronize()
    out = capfd.readouterr().out
    if tb.config.backend() == "cpu":
        assert out.splitlines() == ["3  1.00 text 100%", "sum 1"]


def test_no_arguments_and_large_offsets():
    @jit.rawkernel()
    def nothing():
        pass
    nothing(1, 1, ())

    @jit.rawkernel()
    def last(x, y):
        y[0] = x[x.size - 1] + x[x.shape[0] - 1]
    y = tb.zeros(1)
    last(1, 1, (tb.broadcast_to(tb.full(1, 2.0), (2**32 + 5,)), y))
    assert y.item() == 4


@pytest.mark.skipif(tb.config.backend() != "cpu", reason="a failed assertion ends the process's use of the GPU")
def test_a_failed_assertion(capfd):
    @jit.rawkernel()
    def f(x):
        assert x[0] > 1, "x is small"
    with pytest.raises(RuntimeError):
        f(1, 1, (tb.zeros(1),))
        tb.cuda.Device().synchronize()
    assert "assertion failed: x is small" in capfd.readouterr().out


# ---- the inferred launch ---------------------------------------------------------------------------------------------

def test_kernel_of_one_dimension():
    @jit.kernel()
    def axpy(a, x, y):
        i = jit.grid(1)
        if i < x.size:
            y[i] = a * x[i] + y[i]
    for n in (0, 1, 255, 256, 257, 1000):
        x, y = tb.arange(n, dtype="d"), tb.ones(n)
        axpy(2.0, x, y)
        assert_array_equal(y.get(), 2 * np.arange(n) + 1)
    x, y = tb.arange(100.0), tb.zeros(100)
    axpy(1.0, x, y, size=10, block=5)
    assert_array_equal(y.get(), np.where(np.arange(100) < 10, np.arange(100), 0))
    axpy[1, 100](0.0, x, y)


@pytest.mark.parametrize("shape", [(5, 70), (3, 4, 9)])
def test_kernel_of_more_dimensions(shape):
    if len(shape) == 2:
        @jit.kernel
        def index(x):
            i, j = jit.grid(2)
            if i < x.shape[0] and j < x.shape[1]:
                x[i, j] = i * x.shape[1] + j
    else:
        @jit.kernel
        def index(x):
            i, j, k = jit.grid(3)
            if i < x.shape[0] and j < x.shape[1] and k < x.shape[2]:
                x[i, j, k] = (i * x.shape[1] + j) * x.shape[2] + k
    x = tb.zeros(shape)
    index(x)
    assert_array_equal(x.get().ravel(), np.arange(x.size))
    with pytest.raises(ValueError, match="has 1 dimensions"):
        index(x, size=(3,))


def test_kernel_needs_an_array():
    @jit.kernel()
    def f(n):
        jit.grid(1)
    with pytest.raises(TypeError, match="no array"):
        f(3)
    f(3, size=2)


# ---- errors ----------------------------------------------------------------------------------------------------------

def fails(exception, func, *args, match, line):
    """The first call raises, and the message shows the line of the function that contains `line`."""
    with pytest.raises(exception) as e:
        jit.rawkernel()(func)(1, 1, args)
    text = str(e.value)
    assert match in text, text
    assert __file__ in text and line in text and "^" in text, text


def test_a_variable_keeps_its_type():
    def f(x):
        y = x[0]
        y = 1j
    fails(TypeError, f, X, match="variable: y is float32 and cannot become", line="y = 1j")

    def g(x):
        n = 0
        n += x[0]
    fails(TypeError, g, X, match="n is int32 and cannot become float32", line="n += x[0]")


@pytest.mark.parametrize("source, exception, match", [
    ("with x: pass", NotImplementedError, "with is not available"),
    ("y = [i for i in x]", NotImplementedError, "a list comprehension"),
    ("y = lambda: 0", NotImplementedError, "lambda"),
    ("try:\n        pass\n    except Exception:\n        pass", NotImplementedError, "try"),
    ("y = 0 < x < 1", TypeError, "index its elements"),
    ("for i in x: pass", NotImplementedError, "range(...)"),
    ("for i in range(2.5): pass", TypeError, "stop must be an integer"),
    ("for i in range(0, 3, 0): pass", ValueError, "step must not be 0"),
    ("while True:\n        break\n    else:\n        pass", NotImplementedError, "while ... else"),
    ("x[0, 0] = 1", IndexError, "too many indices"),
    ("x[-1] = 1", IndexError, "negative indices"),
    ("x[0.5] = 1", TypeError, "an index must be an integer"),
    ("x[1:2] = 1", NotImplementedError, "slices with bounds"),
    ("x[0] = 1j", TypeError, "complex number"),
    ("x[0] = 'a'", TypeError, "a Python str"),
    ("y = x + 1", TypeError, "index its elements"),
    ("y = x.T", AttributeError, "no attribute 'T'"),
    ("y = unknown", NameError, "unknown is not defined"),
    ("y += 1", NameError, "used before it is assigned"),
    ("return 1", TypeError, "a kernel returns nothing"),
    ("x.shape = 1", NotImplementedError, "attributes cannot be assigned"),
    ("jit.atomic_add(x, 0)", TypeError, "missing"),
    ("jit.atomic_inc(x, 0, 1)", TypeError, "available for uint32"),
    ("jit.grid(4)", ValueError, "ndim must be 1, 2 or 3"),
    ("s = jit.shared_memory(np.float32, x.size)", TypeError, "constant integer"),
    ("jit.printf('%d', x[0])", TypeError, "prints integers"),
    ("jit.shfl_sync(1, x[0], 0, width=5)", ValueError, "width"),
    ("np.linalg.norm(x)", NotImplementedError, "norm is not available"),
    ("a, b = 1, 2, 3", ValueError, "cannot be unpacked"),
    ("assert 1 > 2", AssertionError, "1 > 2"),
    ("jit.cg.sync(x)", TypeError, "a group is expected"),
    ("x[0] = recursive(x[0])", NotImplementedError, "recursion"),
])
def test_errors_point_at_the_line(tmp_path, source, exception, match):
    path = tmp_path / "kernels.py"
    path.write_text("import numpy as np\nfrom tombacx import jit\n\ndef recursive(n):\n    return recursive(n)\n\n"
                    f"def kernel(x):\n    n = 0\n    {source}\n")
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(exception) as e:
        jit.rawkernel()(scope["kernel"])(1, 1, (X,))
    text = str(e.value)
    assert match in text, text
    if "in kernel" in text:
        assert str(path) in text and source.splitlines()[0] in text and "^" in text, text
    where = 5 if "recursive" in source else 9
    assert any(f'kernels.py", line {n}' in text for n in (where, where + 1)), text


def test_errors_in_called_functions_show_both_lines():
    def inner(v):
        return v.shape

    def outer(x):
        x[0] = inner(x[0])
    with pytest.raises(AttributeError) as e:
        jit.rawkernel()(outer)(1, 1, (X,))
    assert "in inner" in str(e.value) and "in outer" in str(e.value) and "x[0] = inner(x[0])" in str(e.value)


def test_wrong_arguments():
    @jit.rawkernel()
    def f(x):
        x[0] = 1
    with pytest.raises(TypeError, match="takes 1 argument"):
        f(1, 1, (X, X))
    with pytest.raises(TypeError, match="numpy.ndarray"):
        f(1, 1, (np.zeros(3),))
    with pytest.raises(TypeError, match="argument 0 has type"):
        f(1, 1, ("text",))
    with pytest.raises(TypeError, match="args must be a tuple"):
        f(1, 1, X)
    with pytest.raises(TypeError):
        f("a", 1, (X,))
    with pytest.raises(ValueError):
        f((1, 1, 1, 1), 1, (X,))
    with pytest.raises(Exception, match="f"):
        f(1, 2000, (X,))
    with pytest.raises(TypeError, match=r"kernel\[grid, block\]"):
        f[1]
    with pytest.raises(TypeError, match="device function"):
        jit.rawkernel(device=True)(lambda v: v)(1)
    with pytest.raises(RuntimeError, match="kernels only"):
        jit.syncthreads()
    with pytest.raises(ValueError, match="mode"):
        jit.rawkernel(mode="fortran")


def test_vocabulary_is_complete():
    import json
    import pathlib
    names = json.loads((pathlib.Path(__file__).parent / "cupy_jit_names.json").read_text())
    for module, list_ in names.items():
        for name in list_:
            assert hasattr(eval(module), name), f"{module}.{name}"


def test_all_options_reach_the_compiler(monkeypatch):
    from tombacx.jit import _interface

    def translate(*args):
        source, name, _, *rest = original(*args)
        source = source.replace("4321", " + ".join(f"V{i}" for i in range(30)))
        return source, name, tuple(f"-DV{i}={i}" for i in range(30)), *rest

    original = _interface.translate
    monkeypatch.setattr(_interface, "translate", translate)

    @jit.rawkernel()
    def total(x):
        x[0] = 4321

    x = tb.zeros(1, "i")
    total((1,), (1,), (x,))
    assert x.item() == sum(range(30))
