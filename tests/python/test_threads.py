"""Programs of several threads, and results that do not depend on how many threads compute them: the same program gives
the same bits with 1, 2 and 16. With a free-threaded Python these run without a GIL (tools/versions.sh)."""

import os
import subprocess
import sys
import sysconfig
import threading
import time
import types

import numpy as np
import pytest

import tombac as cp

# Prints one line for each result: its name and a hash of its bytes.
program = """
import hashlib
import numpy as np
import tombac as cp

rng = np.random.default_rng(7)
shapes = [(300007,), (61, 83, 67), (3, 100003), (100003, 3)]
dtypes = ["float16", "float32", "float64", "complex64", "int32", "bool"]

def show(name, value):
    value = cp.asnumpy(value)
    print(name, value.dtype, value.shape, hashlib.sha256(value.tobytes()).hexdigest())

def make(shape, dtype):
    x = rng.standard_normal(shape) * 3
    if dtype == "complex64":
        x = x + 1j * rng.standard_normal(shape)
    return cp.asarray(x.astype(dtype))

chains = {
    "softplus": lambda x: cp.maximum(0, x) + cp.log1p(cp.exp(-abs(x))),
    "gelu": lambda x: 0.5 * x * (1 + cp.tanh(0.79788456 * (x + 0.044715 * x * x * x))),
    "waves": lambda x: cp.tanh(cp.sin(x) + 0.1 * x) * cp.cos(x * 1e4),
    "roots": lambda x: cp.sqrt(abs(x)) + cp.cbrt(x) + cp.hypot(x, 2) + cp.power(abs(x), 0.3),
}
reductions = ["sum", "prod", "max", "min", "mean", "std", "var", "argmax", "argmin", "any", "all", "ptp", "nansum",
              "nanmax", "count_nonzero"]
scans = ["cumsum", "cumprod", "nancumsum"]

for shape in shapes:
    for dtype in dtypes:
        x = make(shape, dtype)
        where = f"{dtype} {shape}"
        if dtype.startswith("float"):
            for name, chain in chains.items():
                show(f"{name} {where}", chain(x))
                show(f"{name} strided {where}", chain(x[..., ::2]))
                show(f"{name} sum {where}", chain(x).sum())
        for axis in [None, *range(len(shape))]:
            for name in reductions:
                if dtype == "complex64" and name in ("max", "min", "argmax", "argmin", "ptp", "nanmax"):
                    continue
                if dtype == "bool" and name == "ptp":
                    continue
                show(f"{name} axis {axis} {where}", getattr(cp, name)(x, axis=axis))
            for name in scans:
                show(f"{name} axis {axis} {where}", getattr(cp, name)(x, axis=axis))
            if axis is not None:
                starts = np.arange(0, shape[axis], 37)
                show(f"maximum.accumulate axis {axis} {where}", cp.maximum.accumulate(x, axis))
                show(f"add.reduceat axis {axis} {where}", cp.add.reduceat(x, starts, axis))
        show(f"where {where}", cp.where(x > x.ravel()[0], x, -1) if dtype != "complex64" else x)

generator = cp.random.default_rng(3)
for name in ("random", "standard_normal", "standard_exponential"):
    for dtype in ("float32", "float64"):
        show(f"{name} {dtype}", getattr(generator, name)(200003, dtype=dtype))
show("integers", generator.integers(0, 1000, 200003))
show("normal chain", cp.exp(generator.standard_normal(200003, dtype="float32") * 0.1).sum())
"""


def run(threads):
    environment = dict(os.environ, TOMBAC_BACKEND="cpu", TOMBAC_NUM_THREADS=str(threads))
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_threads_share_arrays():
    program = os.path.join(os.path.dirname(__file__), "threads_program.py")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python always has a GIL")
def test_a_free_threaded_python_stays_without_gil():
    program = "import sys, tombac; float(tombac.ones((9, 9)).dot(tombac.ones(9))[0]); print(sys._is_gil_enabled())"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHON_GIL"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


COLD = """
import importlib
import sys
import threading

import tombac as tb

def module(name):
    return importlib.import_module("tombacx.scipy." + name)

calls = [
    lambda: tb.ones((2, 2)) @ tb.ones((2, 2)), lambda: tb.linalg.svd(tb.eye(3)), lambda: tb.fft.fft(tb.ones(5)),
    lambda: tb.random.rand(3), lambda: module("sparse").csr_matrix(tb.eye(3)), lambda: tb.histogram(tb.ones(3)),
    lambda: module("signal").firwin2(9, [0, 0.5, 1], [1, 1, 0]), lambda: module("special").gamma(tb.ones(3)),
    lambda: module("interpolate").CubicSpline(tb.arange(5.0), tb.arange(5.0)),
    lambda: module("fft").fht(tb.ones(4), 1, 0),
    lambda: module("sparse.linalg").spsolve(module("sparse").csc_matrix(tb.eye(3)), tb.ones(3)),
    lambda: tb.polyfit(tb.arange(5.0), tb.arange(5.0), 1),
]
start, failed = threading.Barrier(len(calls)), []

def run(call):
    start.wait()
    try:
        call()
    except BaseException as e:
        failed.append(repr(e))

shift = int(sys.argv[1])
threads = [threading.Thread(target=run, args=(call,)) for call in calls[shift:] + calls[:shift]]
for t in threads:
    t.start()
for t in threads:
    t.join()
assert not failed, failed
"""


@pytest.mark.parametrize("shift", range(2))
def test_modules_are_first_used_by_several_threads(shift):
    """SciPy's, too: each thread would begin to import them at another end."""
    pytest.importorskip("scipy")
    done = subprocess.run([sys.executable, "-c", COLD, str(5 * shift)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


MEANWHILE = """
import importlib
import sys
import threading
from importlib.machinery import PathFinder

import tombac as tb

def module(name):
    return importlib.import_module(name)

def raised(call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except Exception as e:
        return e

first, begun, tried = threading.get_ident(), threading.Event(), threading.Event()

def pause():
    if threading.get_ident() == first and not begun.is_set():
        begun.set()
        tried.wait(0.3)

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name != "numpy":
            return None
        spec = PathFinder.find_spec(name, path, target)

        class Loader(type(spec.loader)):
            def create_module(self, spec):
                pause()

        spec.loader.__class__ = Loader
        return spec

result = []

def other():
    begun.wait()
    result.append(eval(sys.argv[2]))
    tried.set()

thread = threading.Thread(target=other)
thread.start()
if sys.argv[1] == "found":  # and not in sys.modules yet
    sys.meta_path.insert(0, Finder())
else:  # it asks for the first of its modules
    sys.addaudithook(lambda event, args: event == "import" and args[0].startswith("numpy.") and pause())
import numpy
thread.join()
assert eval(sys.argv[3]), result
"""


@pytest.mark.parametrize(("needs", "holds"), [
    ("raised(tb.ones(3).sum, axis=5)", "isinstance(result[0], numpy.exceptions.AxisError)"),
    ("raised(tb.linalg.cholesky, tb.ones(3))", "isinstance(result[0], numpy.linalg.LinAlgError)"),
    ("tb.exceptions.AxisError", "result == [numpy.exceptions.AxisError]"),
    ("tb.linalg.LinAlgError", "result == [numpy.linalg.LinAlgError]"),
    ("module('tombacx.scipy.linalg').LinAlgError", "result == [numpy.linalg.LinAlgError]"),
    ("tb.DataSource", "result == [numpy.lib.npyio.DataSource]"),
    ("tb.format_parser", "result == [numpy.rec.format_parser]"),
    ("module('tombac.typing').ArrayLike", "result == [numpy.typing.ArrayLike]"),
    ("module('tombac.testing').assert_", "result == [numpy.testing.assert_]"),
])
@pytest.mark.parametrize("moment", ["found", "asks"])
def test_numpy_may_be_in_the_middle_of_its_import(needs, holds, moment):
    """By another thread: a module of its own is not asked for before it is whole, or each would wait for the other."""
    done = subprocess.run([sys.executable, "-c", MEANWHILE, moment, needs, holds], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_scipy_may_be_in_the_middle_of_its_import(monkeypatch):
    """By another thread: nothing can be a matrix of its yet."""
    from tombacx.scipy import sparse

    monkeypatch.setitem(sys.modules, "scipy.sparse", types.ModuleType("scipy.sparse"))
    assert sparse.csr_matrix(cp.eye(3)).nnz == 3


def test_kernels_first_called_by_several_threads():
    source = 'extern "C" __global__ void f(float *p) { p[threadIdx.x] += 3; }'
    for _ in range(5):
        raw, start, wrong = cp.RawKernel(source, "f"), threading.Barrier(4), []
        double = cp.ElementwiseKernel("T x", "T y", "y = x * 2", "twice")

        def call(raw=raw, double=double, start=start, wrong=wrong):
            p = cp.ones(8, "float32")
            start.wait()
            raw((1,), (8,), (p,))
            wrong.extend((double(p) != 8).get().nonzero()[0])

        threads = [threading.Thread(target=call) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert wrong == []


def test_same_bits_with_any_number_of_threads():
    one = run(1)
    assert len(one) > 500
    for threads in (2, 16):
        many = run(threads)
        assert [a for a, b in zip(one, many) if a != b] == []
        assert len(many) == len(one)


def test_a_shape_assigned_while_another_thread_evaluates():
    for _ in range(10):
        with cp.config.fusion("all"):
            x = cp.ones(1 << 21)
            for _ in range(20):
                x = cp.sin(x) + 1
        addresses, started = [], threading.Event()

        def read(x=x):
            started.set()
            addresses.append(x.data.ptr)

        reader = threading.Thread(target=read)
        reader.start()
        started.wait()
        time.sleep(0.005)
        x.shape = 1 << 11, 1 << 10
        others = [cp.empty(4).reshape(2, 2) for _ in range(50)]  # in the place of what the shape's change has freed
        reader.join()
        assert addresses == [x.data.ptr] and len(others) == 50


def test_shapes_assigned_again_and_again():
    x = cp.arange(12)
    for shape in [(3, 4), (12,), (2, 6), (3, 4), (12,), (12,), (2, 6)] * 3:
        x.shape = shape
        assert x.shape == shape and x.strides == np.arange(12).reshape(shape).strides
        x += 1
    assert (x.get() == np.arange(12).reshape(2, 6) + 21).all()


def test_lists_that_another_thread_changes():
    numbers, nested, arrays = [], [], []
    done = []

    def change():
        while not done:
            numbers[:] = range(500)
            nested[:] = [[cp.ones(3), [1, 2, 3]], [[4.0, 5, 6], cp.zeros(3)]]
            arrays[:] = [cp.ones(4) for _ in range(8)]
            numbers.clear(), nested.clear(), arrays.clear()

    changer = threading.Thread(target=change)
    changer.start()
    try:
        for _ in range(300):
            n = cp.asarray(numbers)
            assert (n.get() == np.arange(n.size)).all()
            assert cp.asarray(nested).shape in [(0,), (2, 2, 3)]
            try:
                joined = cp.concatenate(arrays)
            except ValueError:  # of no arrays
                continue
            assert joined.size % 4 == 0 and (joined == 1).all()
    finally:
        done.append(True)
        changer.join()
