"""Programs written for CuPy, as they stand: what their imports give, and what those say that cannot be met."""

import subprocess
import sys

import pytest

# As programs begin: what is named is there.
HEADERS = [
    "import cupy as cp\nfrom cupy import ndarray\nassert cp.ndarray is ndarray",
    "import numpy\nimport cupy\nxp = cupy.get_array_module(cupy.zeros(1))\nassert xp is cupy",
    "from cupy.cuda import Device, Event, Stream, device, function, memory, nvtx, runtime, stream",
    "from cupy.cuda.memory import MemoryPointer, OutOfMemoryError, UnownedMemory",
    "from cupy.cuda.runtime import CUDARuntimeError, getDeviceCount, memGetInfo",
    "from cupy.cuda.nvtx import RangePop, RangePush\nfrom cupy.cuda import profiler",
    "from cupy.cuda.memory_hooks import DebugPrintHook, LineProfileHook",
    "from cupy import ElementwiseKernel, RawKernel, RawModule, ReductionKernel, fuse, memoize, vectorize",
    "from cupyx import jit, rsqrt, scatter_add\nfrom cupyx.profiler import benchmark, time_range",
    "from cupy import testing\nfrom cupy.testing import assert_allclose, assert_array_equal, parameterize",
    "from cupy.random import Generator, RandomState, XORWOW, default_rng",
    "from cupy.lib.stride_tricks import as_strided\nfrom cupy.linalg import norm",
    "from cupy import polynomial\nfrom cupy.polynomial.polynomial import polyvander",
    "import cupy.typing\nfrom cupy.exceptions import AxisError",
    "from cupyx.scipy import get_array_module\nimport cupyx.scipy",
    "from cupy._core import ndarray\nfrom cupy._core.core import ndarray as n\nassert n is ndarray",
    "import cupy\nassert cupy._core.core.ndarray is cupy.ndarray",
    "from cupy._core import _routines_linalg as linalg, set_compute_type\nimport cupy._core._routines_linalg as other\n"
    "import cupy\nassert cupy._core._routines_linalg is linalg is other and linalg.COMPUTE_TYPE_TF32 == 7\n"
    "set_compute_type('f', linalg.COMPUTE_TYPE_TF32)\nassert linalg.get_compute_type('F') == 7\n"
    "linalg.set_compute_type('f', 0)",
    "from cupy.core.core import ndarray\nfrom cupy.core import ElementwiseKernel",
    "import cupy, cupy_backends.cuda.api.runtime as r\nassert r is cupy.cuda.runtime\n"
    "assert r.CUDARuntimeError is cupy.cuda.runtime.CUDARuntimeError",
    "from cupy_backends.cuda.api.runtime import CUDARuntimeError\nfrom cupy_backends.cuda.api.driver import "
    "CUDADriverError\nimport cupy\ntry: cupy.cuda.Device(99).use()\nexcept CUDARuntimeError: pass",
    "from cupy_backends.cuda.libs import nccl, nvrtc, nvtx\nimport cupy\nassert nvrtc is cupy.cuda.nvrtc",
    "from cupy_backends.cuda.libs.cusparselt import Handle, MatmulPlan\nfrom cupy_backends.cuda.libs import cusparse, "
    "cusparselt\nassert cusparse.CUSPARSE_ORDER_ROW == 2 and cusparselt.Handle is Handle",
    "from cupy_backends.cuda.stream import get_current_stream\nimport cupy_backends\ncupy_backends.cuda.stream",
    "import cupy.linalg as la, cupy\nassert la is cupy.linalg and la.__name__ == 'tombac.linalg'",
]

# (program, what the ImportError names)
MISSING = [
    ("import cupy.no_such_module", "cupy.no_such_module"), ("from cupy import no_such_name", "no_such_name"),
    ("from cupy.linalg import no_such_name", "no_such_name"), ("import cupyx.no_such_module", "cupyx.no_such_module"),
    ("import cupy_backends.no_such_module", "cupy_backends.no_such_module"),
    ("from cupy_backends.cuda.libs import no_such_module", "no_such_module"),
    ("from cupy_backends.cuda.libs import cublas", "libs.cublas.*tombac has no"),
    ("import cupy_backends.cuda.libs.cusolver", "libs.cusolver.*tombac has no"),
    ("from cupy_backends.cuda.libs.curand import Generator", "libs.curand.*tombac has no"),
]

PROGRAM = """
import sys
for program in {programs!r}:
    try:
        exec(program, {{}})
        print('done')
    except Exception as e:
        print(type(e).__name__, str(e).replace(chr(10), ' '))
"""


def run(programs, tmp_path, *, through="-m"):
    script = tmp_path / "script.py"
    begin = "" if through == "-m" else "import tombac\ntombac.install_as_cupy()\n"
    script.write_text(begin + PROGRAM.format(programs=programs))
    command = ["-m", "tombac", str(script)] if through == "-m" else [str(script)]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("through", ["-m", "install_as_cupy"])
def test_headers(through, tmp_path):
    for header, said in zip(HEADERS, run(HEADERS, tmp_path, through=through), strict=True):
        assert said == "done", header


@pytest.mark.parametrize("header", HEADERS[-7:])
def test_headers_alone(header, tmp_path):
    assert run([header], tmp_path) == ["done"]


def test_what_is_missing_is_named(tmp_path):
    import re

    for (program, match), said in zip(MISSING, run([p for p, _ in MISSING], tmp_path), strict=True):
        assert re.match(f"(ModuleNotFound|Import)Error .*{match}", said), (program, said)


def test_nothing_is_aliased_unasked(tmp_path):
    code = "import sys, tombac\nprint([m for m in sys.modules if m.startswith('cupy')])\n" \
           "tombac.install_as_cupy(); tombac.install_as_cupy()\nimport cupy.cuda, cupy_backends.cuda.libs\n" \
           "print(cupy is tombac, cupy.cuda.__name__, tombac.__spec__.name, tombac.cuda.__spec__.name)\n" \
           "from tombac import _alias\n_alias.remove()\n" \
           "print('left' if {'cupy', 'cupy_backends'} & set(sys.modules) else 'gone')\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\nTrue tombac.cuda tombac tombac.cuda\ngone\n", done.stderr
