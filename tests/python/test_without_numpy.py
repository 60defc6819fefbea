"""Programs that run without NumPy until they need something of it."""

import os
import subprocess
import sys
import textwrap

import pytest

SETTLED = "assert 'numpy' not in sys.modules, 'NumPy was imported'\n"


def run(code):
    done = subprocess.run([sys.executable, "-W", "error", "-c", "import sys\nimport tombac as tb\n" + code],
                          env=os.environ | {"TOMBAC_CPU_CUDA_INTERFACE": "1"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("code", [
    "float((tb.arange(10, dtype='float32') + 1).sum())",
    "tb.sin(tb.ones(3)).data.ptr",
    "tb.arange(100.0).reshape(10, 10).max(axis=0).data.ptr",
    "a = tb.arange(9); tb.where(a > 5, a, 0).data.ptr",
    "(tb.arange(9.0).astype('int32') % 7).data.ptr",
    "a = tb.arange(9.0); a[2:5] = 1; a[a > 3] += 2; a[0].item(), int(a[1])",
    "tb.arange(9.0)[::2].std(), tb.arange(9).argmin(), tb.cumsum(tb.arange(9)), tb.dot(tb.ones(3), tb.ones(3))",
    "tb.linalg.norm(tb.arange(9))",
    "tb.random.random(10), tb.random.default_rng(3).normal(size=5), tb.random.randint(0, 9, 4)",
    "tb.concatenate([tb.arange(3), tb.arange(2.0)]), tb.linspace(0, 1, 5), tb.full((2, 2), 7), tb.eye(3)",
    "a = tb.ones(4, 'f'); tb.ElementwiseKernel('T x', 'T y', 'y = x * T(3)', 'k')(a).data.ptr",
    "a = tb.ones(4, 'f'); tb.ReductionKernel('T x', 'T y', 'x * x', 'a + b', 'y = a', '0', 'r')(a).data.ptr",
    "k = tb.RawKernel('extern \"C\" __global__ void f(float *x, int n) { x[n] = 2; }', 'f')\n"
    "k((1,), (1,), (tb.ones(4, 'f'), 3))",
    "s = tb.cuda.Stream()\nwith s:\n    tb.ones(3).data.ptr\ns.synchronize(); tb.cuda.Event().record()",
    "tb.ones(3).__cuda_array_interface__, tb.from_dlpack(tb.ones(3))",
    "tb.array(2), tb.asarray(3.5), tb.pi, tb.newaxis, tb.inf",
], ids=lambda code: code[:40])
def test_does_not_import_numpy(code):
    run(code + "\n" + SETTLED)


@pytest.mark.parametrize("code", [
    "np.array_equal(tb.array(np.arange(3)).get(), np.arange(3))",
    "tb.ones(3, np.float32).dtype is np.dtype('float32')",
    "tb.ones(3, np.dtype('int8')).dtype == np.int8",
    "(tb.ones(3, 'f') * np.float64(2)).dtype == np.float64",
    "(tb.ones(3, 'f') * np.float32(2)).dtype == np.float32",
    "(tb.ones(3, 'i1') + np.int16(2)).dtype == np.int16",
    "int(tb.arange(9)[np.int64(4)]) == 4 and int(tb.arange(9)[np.array(5)]) == 5",
    "tb.float32 is np.float32 and tb.dtype is np.dtype and tb.bool_ is np.bool_ and tb.index_exp is np.index_exp",
    "tb.cfloat is np.complex128 and tb.s_ is np.s_ and tb.euler_gamma == np.euler_gamma and tb.pi == np.pi",
    "tb.get_array_module(np.ones(3)) is np and tb.get_array_module(tb.ones(3)) is tb",
    "tb.ones(3).__cuda_array_interface__['typestr'] == np.dtype(float).str",
    "all(tb.zeros(1, t).__cuda_array_interface__['typestr'] == np.dtype(t).str for t in '?bBhHiIqQefdFD')",
    "all(tb.zeros(1, t)._kind == np.dtype(t).kind for t in '?bBhHiIqQefdFD')",
    "tb.linalg.LinAlgError is np.linalg.LinAlgError",
])
def test_numpy_is_known_when_it_comes_later(code):
    """What is NumPy's is recognised when NumPy is imported after tombac."""
    run(SETTLED + f"a = tb.ones(3) * 2\na.data.ptr\n{SETTLED}import numpy as np\nassert {code}\n")


def test_numpy_argument_before_anything_else():
    run("import numpy as np\nk = tb.RawKernel('extern \"C\" __global__ void f(float *x, float v) { x[0] = v; }', 'f')\n"
        "x = tb.zeros(1, 'f')\nk((1,), (1,), (x, np.float32(2.5)))\nassert float(x[0]) == 2.5")


def test_axis_error_is_numpys():
    run(textwrap.dedent("""
        try:
            tb.ones(3).sum(axis=2)
        except ValueError as e:
            error = e
        import numpy as np
        assert type(error) is np.exceptions.AxisError and error.axis == 2 and error.ndim == 1
        try:
            tb.concatenate([tb.ones(3)], axis=5)
        except np.exceptions.AxisError as e:
            assert "axis 5 is out of bounds for array of dimension 1" in str(e)
        else:
            raise AssertionError
    """))


def test_star_import_has_numpys_types():
    run("from tombac import *\nassert float32 is dtype('float32').type and ndarray is tb.ndarray")


def test_threads_that_need_numpy_at_once():
    run(textwrap.dedent("""
        import threading
        seen, barrier = [], threading.Barrier(8)
        def work():
            barrier.wait()
            seen.append(tb.ones(3, 'f').dtype)
        threads = [threading.Thread(target=work) for _ in range(8)]
        for t in threads: t.start()
        for t in threads: t.join()
        assert len(seen) == 8 and len(set(map(id, seen))) == 1
    """))
