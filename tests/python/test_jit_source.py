"""The CUDA C++ that tombacx.jit makes is compiled by NVRTC for the oldest and a new architecture; no GPU is needed."""

import ctypes
import glob
import os
import pathlib
import sys

import pytest
from jit_device_kernels import ALGORITHMS, arguments, block_kernel, warp_reductions
from jit_kernels import CASES

KERNELS = pathlib.Path(__file__).parents[2] / "src" / "kernels"
THRUST = ["user/thrust.h", *(f"user/thrust_{part}.h" for part in ("find", "copy", "reduce", "set", "sort"))]
HEADERS = {"tombac/complex.cuh": ["user/complex.h"], "tombac/float16.cuh": ["user/half.h"],
           "tombac/cub.cuh": ["user/cub.h"], "tombac/thrust.cuh": THRUST}


def find(patterns):
    places = [p for base in sys.path for p in glob.glob(os.path.join(base, "nvidia", "*"))]
    roots = [os.environ.get("CUDA_PATH", "/usr/local/cuda"), *places]
    return [f for root in roots for pattern in patterns for f in sorted(glob.glob(os.path.join(root, pattern)))]


LIBRARIES = find(["lib64/libnvrtc.so*", "lib/libnvrtc.so*"])
GROUPS = [f.removesuffix("/cooperative_groups.h") for f in find(["include/cooperative_groups.h"])]
pytestmark = pytest.mark.skipif(not LIBRARIES, reason="NVRTC is not installed (nvidia-cuda-nvrtc)")


@pytest.fixture(scope="module")
def nvrtc():
    return ctypes.CDLL([f for f in LIBRARIES if "builtins" not in f and "alt" not in f][0])


def compile_source(nvrtc, source, arch):
    """The compiler's messages; None if there was no error."""
    used = [h for h in HEADERS if h in source]
    texts = [b"".join((KERNELS / name).read_bytes() for name in HEADERS[h]) for h in used]
    program = ctypes.c_void_p()
    array = ctypes.c_char_p * len(used)
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", len(used), array(*texts),
                                    array(*(h.encode() for h in used))) == 0
    options = [f"--gpu-architecture=sm_{arch}".encode(), b"--std=c++17", b"--fmad=false"]
    if "cooperative_groups" in source:
        options += [b"-I" + GROUPS[0].encode(), b"-I" + GROUPS[0].encode() + b"/cccl"]
    failed = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return log.value.decode() if failed else None


@pytest.mark.parametrize("arch", [75, 90])
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_nvrtc_compiles(nvrtc, case, arch):
    source = case.kernel.source(*case.device_args())
    if "cooperative_groups" in source and not GROUPS:
        pytest.skip("cooperative_groups.h comes with the CUDA toolkit")
    log = compile_source(nvrtc, source, arch)
    assert log is None, log + source


@pytest.mark.parametrize("arch", [75, 90])
@pytest.mark.parametrize("dtype", "? b B h H i I l L e f d F D".split())
def test_every_conversion_compiles(nvrtc, dtype, arch):
    import numpy as np

    import tombac as tb
    from tombacx import jit

    @jit.rawkernel()
    def convert(x, b, i, e, f, d, F, D):
        k = jit.grid(1)
        v = x[k]
        F[k] = v
        D[k] = v + F[k]
        b[k] = v
        if v.dtype.kind != "c":
            i[k] = v
            e[k] = v
            f[k] = v + e[k]
            d[k] = v * f[k]
    args = [tb.zeros(4, t) for t in (dtype, "?", "i", "e", "f", "d", "F", "D")]
    log = compile_source(nvrtc, convert.source(*args), arch)
    assert log is None, log + convert.source(*args)
    convert(1, 4, tuple([tb.ones(4, dtype), *args[1:]]))
    wanted = [1, 1, 1, 2, 2, 1, 2] if dtype not in "FD" else [1, 0, 0, 0, 0, 1, 2]
    assert [np.asarray(a.get())[0] for a in args[1:]] == wanted


@pytest.mark.parametrize("dtype, order, arch", [("e", "C", 75), ("F", "F", 90), ("q", "C", 90)])
@pytest.mark.parametrize("kernel", [k for k, _ in ALGORITHMS], ids=[r.__name__[10:] for _, r in ALGORITHMS])
def test_algorithms_compile(nvrtc, kernel, dtype, order, arch):
    import numpy as np

    import tombac as tb

    source = kernel.source(*(tb.asarray(a, order=order) for a in arguments(np.random.default_rng(0), dtype, 2, 3)))
    log = compile_source(nvrtc, source, arch)
    assert log is None, log + source


@pytest.mark.parametrize("dtype", "b B h H i I q Q e f d F D".split())
def test_reductions_compile(nvrtc, dtype):
    import tombac as tb

    x = tb.zeros((2, 64), dtype)
    for source, arch in ((warp_reductions.source(x, tb.zeros((2, 2, 8), dtype), 3), 75),
                         (block_kernel(20).source(x, x, 3), 90), (block_kernel(1000).source(x, x, 3), 75)):
        log = compile_source(nvrtc, source, arch)
        assert log is None, log + source
