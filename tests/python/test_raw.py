"""RawKernel and RawModule: arguments of every kind, options, templates, variables, errors, attributes, caches, threads.

What CUDA code means is tested elsewhere; here it is how it gets compiled and launched. The same tests run on the CPU
and on a GPU.
"""

import ctypes
import io
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from raw_kernels import compiled

import tombac as tb
from tombac import _core

ON_CPU = _core.backend() == "cpu"
ADD = r"""
extern "C" __global__ void add(const float* x, const float* y, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}"""


def counters():
    return _core.counters()


def store(ctype, name="put", result=None):
    """A kernel that stores its second argument in the array that is its first."""
    return tb.RawKernel(
        f'extern "C" __global__ void {name}({result or ctype}* out, {ctype} value) {{ out[0] = value; }}', name
    )


# ---- arguments ---------------------------------------------------------------------------------------------------


def test_kernels_say_what_they_are():
    k = tb.RawKernel('extern "C" __global__ void f(int *p) { p[0] = 1; }', "f")
    assert (repr(k), repr(k.kernel)) == ("<RawKernel f>", "<Function f>")
    assert repr(tb.ElementwiseKernel("T x", "T y", "y = x", "alike")) == "<tombac.ElementwiseKernel 'alike'>"
    assert repr(tb.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")) == \
        "<tombac.ReductionKernel 'total'>"


def test_machine_code_that_is_none(tmp_path):
    m = tb.cuda.function.Module()
    with pytest.raises(tb.cuda.runtime.CUDARuntimeError):
        m.load(b"no machine code")
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises((tb.cuda.runtime.CUDARuntimeError, ValueError)):
        m.load_file(tmp_path / "empty")
    with pytest.raises(FileNotFoundError):
        m.load_file(tmp_path / "nowhere")
    with pytest.raises(TypeError):
        m.load(3)
    for ask in (m.get_function, m.get_global_var):
        with pytest.raises(RuntimeError, match="nothing has been loaded"):
            ask("f")


def test_arrays_and_scalars():
    k = tb.RawKernel(ADD, "add")
    x, y, z = tb.arange(1000, dtype="f"), tb.ones(1000, "f"), tb.zeros(1000, "f")
    k((4,), (256,), (x, y, z, np.int32(1000)))
    assert (z.get() == np.arange(1000) + 1).all()
    k(4, 256, [x, z, z, 10])
    assert (z.get()[:12] == np.r_[np.arange(10) * 2 + 1, 11, 12]).all()


def test_grid_and_block_of_three_dimensions():
    k = tb.RawKernel(
        r"""extern "C" __global__ void where(int* out) {
            int b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
            int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
            out[b * blockDim.x * blockDim.y * blockDim.z + t] = b * 1000 + t;
        }""",
        "where",
    )
    for grid, block in (((3,), (4,)), ((2, 3), (4, 2)), ((2, 3, 2), (4, 2, 3)), ([2, 2], [8]), (2, (3, 2))):
        blocks, threads = int(np.prod(grid)), int(np.prod(block))
        out = tb.zeros((blocks, threads), "i")
        k(grid, block, (out,))
        assert (out.get() == np.arange(blocks)[:, None] * 1000 + np.arange(threads)).all()


@pytest.mark.parametrize("dtype, ctype", [
    ("?", "bool"), ("b", "signed char"), ("B", "unsigned char"), ("h", "short"), ("H", "unsigned short"), ("i", "int"),
    ("I", "unsigned"), ("q", "long long"), ("Q", "unsigned long long"), ("f", "float"), ("d", "double"),
    ("e", "unsigned short"), ("F", "float2"), ("D", "double2"),
])
def test_numpy_scalars(dtype, ctype):
    value = np.dtype(dtype).type(-1.5 + 2j if dtype in "FD" else 1 if dtype in "?BHIQ" else -2)
    out = tb.zeros(1, dtype)
    store(ctype)((1,), (1,), (out, value))
    assert out.get()[0] == value


@pytest.mark.parametrize("value, ctype, dtype", [
    (7, "int", "i"), (-7, "int", "i"), (2**32 - 1, "unsigned", "I"), (7, "short", "h"), (255, "unsigned char", "B"),
    (2**40, "long long", "q"), (2**64 - 1, "unsigned long long", "Q"), (1.5, "float", "f"), (1.5, "double", "d"),
    (1.5, "unsigned short", "e"), (True, "bool", "?"), (True, "int", "i"), (1 + 2j, "double2", "D"),
    (1 + 2j, "float2", "F"),
])
def test_python_numbers_take_the_parameters_size(value, ctype, dtype):
    out = tb.zeros(1, dtype)
    store(ctype)((1,), (1,), (out, value))
    assert out.get()[0] == value


class IntOfItsOwn(int):
    pass


def test_subclasses_of_numbers():
    out = tb.zeros(1, "i")
    store("int")((1,), (1,), (out, IntOfItsOwn(5)))
    assert out.get()[0] == 5
    out = tb.zeros(1, "d")
    store("double")((1,), (1,), (out, np.float64(2.5)))
    assert out.get()[0] == 2.5


def test_numbers_that_do_not_fit():
    out = tb.zeros(1, "i")
    with pytest.raises(OverflowError, match="argument 1 is 4294967296.*4 bytes"):
        store("int")((1,), (1,), (out, 2**32))
    with pytest.raises(OverflowError, match="argument 1"):
        store("long long")((1,), (1,), (out, 2**64))
    with pytest.raises(OverflowError, match="argument 1"):
        store("float")((1,), (1,), (out, 1e300))


STRUCT = r"""
struct item { int a; double b; float c[3]; };
extern "C" __global__ void spread(double* out, item s) {
    out[0] = s.a; out[1] = s.b; for (int i = 0; i < 3; i++) out[2 + i] = s.c[i];
}"""
ITEM = np.dtype([("a", "i4"), ("b", "f8"), ("c", "f4", 3)], align=True)


def test_structured_values():
    k = tb.RawKernel(STRUCT, "spread")
    item = np.array((1, 2.5, (3, 4, 5)), ITEM)
    for value in (item, item[()], item.reshape(1)):
        out = tb.zeros(5)
        k((1,), (1,), (out, value))
        assert out.get().tolist() == [1, 2.5, 3, 4, 5]


class Item(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_double), ("c", ctypes.c_float * 3)]


def test_ctypes_values():
    out = tb.zeros(5)
    tb.RawKernel(STRUCT, "spread")((1,), (1,), (out, Item(1, 2.5, (3, 4, 5))))
    assert out.get().tolist() == [1, 2.5, 3, 4, 5]
    out = tb.zeros(1, "i")
    store("int")((1,), (1,), (out, ctypes.c_int(9)))
    assert out.get()[0] == 9
    store("int")((1,), (1,), (ctypes.c_void_p(out.data.ptr), ctypes.c_int(10)))
    assert out.get()[0] == 10


def test_none_is_a_null_pointer():
    k = tb.RawKernel('extern "C" __global__ void null(int* out, const float* p) { out[0] = p == nullptr; }', "null")
    out = tb.zeros(1, "i")
    k((1,), (1,), (out, None))
    assert out.get()[0] == 1
    k((1,), (1,), (out, tb.zeros(1, "f")))
    assert out.get()[0] == 0


class Offers:
    def __init__(self, array):
        self.array = array
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "data": (array.data.ptr, False), "version": 3,
        }


class Pointer:
    def __init__(self, array):
        self.ptr = array.data.ptr


def test_memory_and_other_libraries_arrays():
    x = tb.zeros(4, "i")
    k = store("int")
    for i, target in enumerate((x.data, x.data + 4, x.data.mem, x.data.ptr, Pointer(x), Offers(x), x[3:])):
        k((1,), (1,), (target, i + 1))
    assert x.get().tolist() == [6, 2, 0, 7]


def test_deferred_work_comes_first():
    x = tb.arange(8, dtype="f")
    y = x * 2 + 1
    later = x + 100
    k = tb.RawKernel(
        'extern "C" __global__ void f(float* x, const float* y) { x[threadIdx.x] = -y[threadIdx.x]; }', "f"
    )
    k((1,), (8,), (x, y))
    assert (later.get() == np.arange(8) + 100).all()
    assert (x.get() == -(np.arange(8) * 2 + 1)).all()
    x += 1
    k((1,), (8,), (y.data, x.data.ptr))
    assert (y.get() == np.arange(8) * 2).all()


@pytest.mark.parametrize("bad, name", [("text", "str"), (b"bytes", "bytes"), ([1], "list"), (object(), "object"),
                                       ({}, "dict")])
def test_arguments_of_other_types(bad, name):
    with pytest.raises(TypeError, match=f"kernel put: argument 1 is of type {name}"):
        store("int")((1,), (1,), (tb.zeros(1, "i"), bad))


def test_host_arrays_are_refused():
    with pytest.raises(TypeError, match="argument 0 is a numpy.ndarray.*tombac.asarray"):
        store("int")((1,), (1,), (np.zeros(4, "i"), 1))


def test_wrong_number_and_size_of_arguments():
    out = tb.zeros(1, "i")
    with pytest.raises(ValueError, match="kernel put takes 2 arguments, but 1 was given"):
        store("int")((1,), (1,), (out,))
    with pytest.raises(ValueError, match="takes 2 arguments, but 3 were given"):
        store("int")((1,), (1,), (out, 1, 2))
    with pytest.raises(TypeError, match="argument 1 has 8 bytes, but the kernel's parameter has 4"):
        store("int")((1,), (1,), (out, np.int64(1)))
    with pytest.raises(TypeError, match="argument 1 has 8 bytes .the address of an array"):
        store("int")((1,), (1,), (out, out))
    assert out.get()[0] == 0


def test_many_arguments():
    n = 100
    names = ", ".join(f"int a{i}" for i in range(n))
    total = " + ".join(f"a{i}" for i in range(n))
    k = tb.RawKernel(f'extern "C" __global__ void many(int* out, {names}) {{ out[0] = {total}; }}', "many")
    out = tb.zeros(1, "i")
    k((1,), (1,), (out, *range(n)))
    assert out.get()[0] == sum(range(n))


# ---- the call ----------------------------------------------------------------------------------------------------


def test_calls_that_are_wrong():
    k, out = store("int"), tb.zeros(1, "i")
    with pytest.raises(TypeError, match="missing required argument 'args'"):
        k((1,), (1,))
    with pytest.raises(TypeError, match="args must be a tuple or a list, not ndarray|args must be a tuple or a list"):
        k((1,), (1,), out)
    with pytest.raises(ValueError, match="grid must have 1 to 3 extents, it has 4"):
        k((1, 1, 1, 1), (1,), (out, 1))
    with pytest.raises(ValueError, match="block has an extent of -1"):
        k((1,), (-1,), (out, 1))
    with pytest.raises(TypeError):
        k("1", (1,), (out, 1))
    with pytest.raises(TypeError, match="unexpected keyword argument 'color'"):
        k((1,), (1,), (out, 1), color=1)


def test_launches_that_the_device_refuses():
    k, out = store("int"), tb.zeros(1, "i")
    for grid, block, shared in (((1,), (2048,), 0), ((0,), (1,), 0), ((1,), (0,), 0), ((1, 70000), (1,), 0),
                                ((1,), (1,), 1 << 20)):
        with pytest.raises(tb.cuda.runtime.CUDARuntimeError, match="put") as e:
            k(grid, block, (out, 1), shared_mem=shared)
        assert e.value.status != 0
        assert str(block[0]) in str(e.value)
    k((1,), (1,), (out, 3))
    assert out.get()[0] == 3


FAULT = """
import tombac as tb
fine = tb.RawKernel('extern "C" __global__ void fine(int* p) { *p = 1; }', "fine")
boom = tb.RawKernel('extern "C" __global__ void boom(int* p) { *p = 1; }', "boom")
fine((1,), (1,), (tb.zeros(1, "i"),))
try:
    boom((1,), (1,), (8,))
    tb.cuda.Device().synchronize()
except tb.cuda.runtime.CUDARuntimeError as e:
    print("status", e.status, e, flush=True)
"""


def test_a_kernel_that_faults_is_named():
    out = subprocess.run([sys.executable, "-c", FAULT], text=True, capture_output=True, check=False)
    assert "boom" in out.stdout and "status 700" in out.stdout, out.stdout + out.stderr


def test_streams():
    k, x = store("int"), tb.zeros(2, "i")
    s = tb.cuda.Stream(non_blocking=True)
    tb.cuda.Device().synchronize()
    with s:
        k((1,), (1,), (x, 1))
    k((1,), (1,), (x[1:], 2), stream=s)
    s.synchronize()
    assert x.get().tolist() == [1, 2]


def test_threads_on_streams_of_their_own():
    k = tb.RawKernel(ADD, "add")
    failures = []

    def work(n):
        try:
            with tb.cuda.Stream(non_blocking=True) as s:
                x, y = tb.full(1000, n, "f"), tb.zeros(1000, "f")
                for _ in range(50):
                    k((4,), (256,), (x, y, y, 1000))
                s.synchronize()
                assert (y.get() == 50 * n).all()
        except BaseException as e:
            failures.append(e)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures, failures


def test_threads_compile_a_source_once():
    source = ADD + f"// {os.getpid()} {os.urandom(8).hex()}"
    before = counters()["compiles"]
    threads = [threading.Thread(target=tb.RawKernel(source, "add").compile) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert counters()["compiles"] == before + 1


def test_dynamic_shared_memory():
    k = tb.RawKernel(
        r"""extern "C" __global__ void turn(int* x) {
            extern __shared__ int s[];
            s[threadIdx.x] = x[threadIdx.x];
            __syncthreads();
            x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
        }""",
        "turn",
    )
    x = tb.arange(64, dtype="i")
    k((1,), (64,), (x,), shared_mem=256)
    assert (x.get() == np.arange(64)[::-1]).all()
    assert k.max_dynamic_shared_size_bytes > 0
    k.max_dynamic_shared_size_bytes = 60000
    assert k.max_dynamic_shared_size_bytes == 60000
    k((1,), (64,), (x,), shared_mem=60000)
    assert (x.get() == np.arange(64)).all()


def test_cooperative_launch():
    k = tb.RawKernel(
        r"""#include <cooperative_groups.h>
        extern "C" __global__ void both(int* x, int* y) {
            x[blockIdx.x] = blockIdx.x + 1;
            cooperative_groups::this_grid().sync();
            y[blockIdx.x] = x[gridDim.x - 1 - blockIdx.x];
        }""",
        "both", enable_cooperative_groups=True,
    )
    assert compiled(k).enable_cooperative_groups
    x, y = tb.zeros(4, "i"), tb.zeros(4, "i")
    k((4,), (1,), (x, y))
    assert y.get().tolist() == [4, 3, 2, 1]


def test_kernels_that_launch_kernels():
    k = tb.RawKernel(
        r"""extern "C" __global__ void child(int* x) { x[threadIdx.x] = threadIdx.x + 1; }
        extern "C" __global__ void parent(int* x) { child<<<1, 4>>>(x); }""",
        "parent", ("-dc",),
    )
    x = tb.zeros(4, "i")
    compiled(k)((1,), (1,), (x,))
    assert x.get().tolist() == [1, 2, 3, 4]


def test_nvcc():
    k = tb.RawKernel(ADD, "add", ("-DA1=1",), backend="nvcc")
    x = tb.ones(10, "f")
    compiled(k)((1,), (32,), (x, x, x, 10))
    assert k.backend == "nvcc" and (x.get() == 2).all()


# ---- attributes ----------------------------------------------------------------------------------------------------


def test_attributes():
    k = tb.RawKernel(ADD, "add", options=("-std=c++17",))
    assert (k.name, k.__name__, k.code, k.file_path, k.options, k.backend) == (
        "add", "add", ADD, None, ("-std=c++17",), "nvrtc")
    assert not k.enable_cooperative_groups
    a = k.attributes
    assert set(a) == {
        "max_threads_per_block", "shared_size_bytes", "const_size_bytes", "local_size_bytes", "num_regs", "ptx_version",
        "binary_version", "cache_mode_ca", "max_dynamic_shared_size_bytes", "preferred_shared_memory_carveout",
    }
    assert all(getattr(k, name) == value for name, value in a.items())
    assert a["max_threads_per_block"] == 1024 and a["shared_size_bytes"] == 0
    shared = tb.RawKernel(
        'extern "C" __global__ void s(int* x) { __shared__ int t[32]; t[threadIdx.x] = x[0]; __syncthreads();'
        " x[0] = t[31 - threadIdx.x]; }", "s")
    if not ON_CPU:
        assert shared.shared_size_bytes == 128
    with pytest.raises(AttributeError):
        k.num_regs = 3
    with pytest.raises(AttributeError):
        del k.max_dynamic_shared_size_bytes
    with pytest.raises(ValueError):
        k.max_dynamic_shared_size_bytes = 2**40


def test_pickle():
    k = pickle.loads(pickle.dumps(tb.RawKernel(ADD, "add", ("-DA=1",))))
    assert (k.code, k.name, k.options) == (ADD, "add", ("-DA=1",))
    m = pickle.loads(pickle.dumps(tb.RawModule(code=ADD, name_expressions=["f<int>"])))
    assert (m.code, m.name_expressions) == (ADD, ("f<int>",))


def test_function_and_module_objects():
    k = tb.RawKernel(ADD, "add")
    f = k.kernel
    assert isinstance(f, tb.cuda.Function) and f.ptr and f.name == "add" and f.attributes == k.attributes
    x = tb.ones(100, "f")
    f((1,), (128,), (x, x, x, 100))
    f.linear_launch(100, (x, x, x, 100))
    assert (x.get() == 4).all()
    again = f.module.get_function("add")
    again((1,), (128,), (x, x, x, 100), 0, tb.cuda.Stream.null)
    assert (x.get() == 8).all()
    with pytest.raises(RuntimeError, match="nothing has been loaded"):
        tb.cuda.Module().get_function("add")


# ---- modules -------------------------------------------------------------------------------------------------------

MODULE = r"""
template<class T> __global__ void scale(T* x, T s) { x[threadIdx.x] *= s; }
__constant__ float factor[2];
__device__ int count;
extern "C" __global__ void use(float* y) { y[threadIdx.x] = factor[threadIdx.x]; }
extern "C" __global__ void tick() { atomicAdd(&count, 1); }
"""


def test_templates():
    m = tb.RawModule(code=MODULE, name_expressions=["scale<float>", "scale<long long>"])
    assert m.name_expressions == ("scale<float>", "scale<long long>")
    for dtype, name in (("f", "scale<float>"), ("q", "scale<long long>"), ("q", "scale< long long >")):
        x = tb.arange(5, dtype=dtype)
        m.get_function(name)((1,), (5,), (x, x.dtype.type(3)))
        assert (x.get() == np.arange(5) * 3).all()
    with pytest.raises(Exception, match="scale<double>"):
        m.get_function("scale<double>").compile()


def test_variables():
    m = tb.RawModule(code=MODULE)
    factor = tb.ndarray((2,), "f", m.get_global("factor"))
    factor[...] = tb.array([3, 4], "f")
    y = tb.zeros(2, "f")
    m.get_function("use")((1,), (2,), (y,))
    assert y.get().tolist() == [3, 4]
    pointer = m.get_global("count")
    assert pointer.mem.size == 4
    count = tb.ndarray((1,), "i", pointer)
    count[...] = 0
    m.get_function("tick")((5,), (7,), ())
    del m
    assert count.get()[0] == 35
    with pytest.raises(tb.cuda.runtime.CUDARuntimeError, match="nowhere"):
        tb.RawModule(code=MODULE).get_global("nowhere")


def test_kernels_that_are_not_there():
    with pytest.raises(Exception, match='nowhere.*extern "C"'):
        tb.RawKernel(ADD, "nowhere").compile()


def test_options():
    code = '#ifdef TWICE\n#define F 2\n#else\n#define F 1\n#endif\nextern "C" __global__ void f(int* x) { *x = F * G; }'
    x = tb.zeros(1, "i")
    tb.RawKernel(code, "f", ("-DTWICE", "-DG=5"))((1,), (1,), (x,))
    assert x.get()[0] == 10
    tb.RawKernel(code, "f", ("-DG=7", "--std=c++17"))((1,), (1,), (x,))
    assert x.get()[0] == 7
    with pytest.raises(TypeError, match="options must be a tuple of str, not str"):
        tb.RawKernel(code, "f", "-DG=7")
    with pytest.raises(TypeError, match="item 1 is of type int"):
        tb.RawKernel(code, "f", ("-DG=7", 3))


def test_headers_of_ones_own(tmp_path):
    header = tmp_path / "value.h"
    code = '#include "value.h"\nextern "C" __global__ void f(int* x) { *x = VALUE; }'
    x = tb.zeros(1, "i")
    for value in (3, 4):  # the content is part of what names a compiled kernel
        header.write_text(f"#define VALUE {value}\n")
        tb.RawKernel(code, "f", (f"-I{tmp_path}",))((1,), (1,), (x,))
        assert x.get()[0] == value


def test_construction_errors():
    with pytest.raises(TypeError, match="exactly one of code and path"):
        tb.RawModule()
    with pytest.raises(TypeError, match="exactly one of code and path"):
        tb.RawModule(code="", path="x")
    with pytest.raises(TypeError):
        tb.RawKernel(3, "f")
    with pytest.raises(ValueError, match="backend must be 'nvrtc' or 'nvcc', not 'hip'"):
        tb.RawKernel("", "f", backend="hip")
    with pytest.raises(ValueError, match="name_expressions need backend='nvrtc'"):
        tb.RawModule(code="", backend="nvcc", name_expressions=["f<int>"])


# ---- files ---------------------------------------------------------------------------------------------------------


def test_source_file(tmp_path):
    path = tmp_path / "add.cu"
    path.write_text(ADD)
    m = tb.RawModule(path=path)
    assert m.file_path == str(path) and m.code is None
    x = tb.ones(10, "f")
    m.get_function("add")((1,), (32,), (x, x, x, 10))
    assert (x.get() == 2).all()
    with pytest.raises(FileNotFoundError):
        tb.RawModule(path=tmp_path / "none.cu").compile()


PTX = b"""// made by hand
.version 6.0
.target sm_50
.address_size 64
.visible .entry five(.param .u64 p) {
    .reg .b64 %rd<3>;
    .reg .b32 %r<2>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, 5;
    st.global.u32 [%rd2], %r1;
    ret;
}
"""


@pytest.mark.skipif(ON_CPU, reason="PTX is for GPUs")
def test_ptx_file(tmp_path):
    path = tmp_path / "five.ptx"
    path.write_bytes(PTX)
    x = tb.zeros(1, "i")
    tb.RawModule(path=str(path)).get_function("five")((1,), (1,), (x,))
    assert x.get()[0] == 5
    m = tb.cuda.Module()
    m.load(PTX)
    m.get_function("five")((1,), (1,), (x,))
    path.write_bytes(PTX.replace(b"mov.u32", b"nonsense.u32"))
    with pytest.raises(tb.cuda.runtime.CUDARuntimeError, match="nonsense"):
        tb.RawModule(path=str(path)).compile()


def test_files_that_are_no_code(tmp_path):
    path = tmp_path / "image.bin"
    path.write_bytes(b"\x7fELF" + bytes(100))
    with pytest.raises((tb.cuda.runtime.CUDARuntimeError, ImportError, ValueError)):
        tb.RawModule(path=str(path)).compile()


# ---- compile errors --------------------------------------------------------------------------------------------------


def test_compile_errors():
    code = 'extern "C" __global__ void f(float* x) {\n    x[0] = undeclared_name;\n}'
    k = tb.RawKernel(code, "f", ("-DA=1",))
    with pytest.raises(tb.cuda.compiler.CompileException) as e:
        k((1,), (1,), (tb.zeros(1, "f"),))
    text = str(e.value)
    assert "undeclared_name" in text and "kernel.cu" in text and "   2      x[0] = undeclared_name;" in text
    assert e.value.get_message() == text and e.value.source == code and e.value.options == ("-DA=1",)
    out = io.StringIO()
    e.value.dump(out)
    assert "   3  }" in out.getvalue() and "-DA=1" in out.getvalue()


def test_compile_errors_of_long_sources():
    lines = [f"__device__ int f{i}() {{ return {i}; }}" for i in range(1000)]
    lines[700] = "__device__ int f700() { return missing; }"
    with pytest.raises(tb.cuda.compiler.CompileException) as e:
        tb.RawModule(code="\n".join(lines)).compile()
    assert " 701  __device__ int f700() { return missing; }" in str(e.value)
    assert "f600" not in str(e.value)


def test_messages_of_the_compiler():
    log = io.StringIO()
    code = '#pragma message("take care")\n' + ADD + "// " + os.urandom(8).hex()
    tb.RawKernel(code, "add").compile(log_stream=log)
    assert "take care" in log.getvalue()


# ---- caches ----------------------------------------------------------------------------------------------------------


def test_the_same_source_is_compiled_once():
    source = ADD + "// " + os.urandom(8).hex()
    before = counters()["compiles"]
    for _ in range(3):
        tb.RawKernel(source, "add").compile()
    tb.RawModule(code=source).compile()
    assert counters()["compiles"] == before + 1
    tb.RawKernel(source, "add", ("-DB=1",)).compile()
    assert counters()["compiles"] == before + 2


SECOND = """
import tombac as tb
from tombac import _core
m = tb.RawModule(code=open({source!r}).read(), name_expressions=["scale<int>"])
x = tb.ones(3, "i")
m.get_function("scale<int>")((1,), (3,), (x, tb.asnumpy(x)[0] * 4))
assert x.get().tolist() == [4, 4, 4]
c = _core.counters()
print(c["compiles"], c["cache_hits_disk"])
"""


def test_kernels_come_from_disk(tmp_path):
    source = tmp_path / "source.cu"
    source.write_text(MODULE)
    cache = tmp_path / "cache"
    environment = os.environ | {"TOMBAC_CACHE_DIR": str(cache), "TOMBAC_COMPILE": "sync"}

    def run():
        out = subprocess.run([sys.executable, "-c", SECOND.format(source=str(source))], env=environment, text=True,
                             capture_output=True, check=True)
        return [int(n) for n in out.stdout.split()]

    first = run()
    assert first[0] >= 1
    assert run()[0] == 0
    for entry in cache.glob("*.tbk"):  # what is damaged is compiled again
        data = bytearray(entry.read_bytes())
        data[len(data) // 2] ^= 255
        entry.write_bytes(data)
    assert run() == first
    assert run()[0] == 0


# ---- cuComplex -------------------------------------------------------------------------------------------------------


def test_translate_cucomplex():
    code = r"""
    #include <cuComplex.h>
    extern "C" __global__ void f(const cuDoubleComplex* x, cuDoubleComplex* y, cuComplex s) {
        cuDoubleComplex t = make_cuDoubleComplex(cuCrealf(s), cuCimagf(s)); // cuCmul in a comment
        y[threadIdx.x] = cuCadd(cuCmul(x[threadIdx.x], t), cuConj(x[threadIdx.x]));
    }"""
    x = tb.array([1 + 2j, 3 - 1j])
    y = tb.zeros_like(x)
    tb.RawKernel(code, "f", translate_cucomplex=True)((1,), (2,), (x, y, np.complex64(2 + 1j)))
    assert np.allclose(y.get(), x.get() * (2 + 1j) + x.get().conj())


def test_complex_header():
    code = r"""
    #include <cupy/complex.cuh>
    extern "C" __global__ void f(complex<float>* x) { x[threadIdx.x] = x[threadIdx.x] * complex<float>(0, 1) + 1.f; }"""
    x = tb.array([1 + 2j, 3 - 1j], "F")
    tb.RawKernel(code, "f")((1,), (2,), (x,))
    assert np.allclose(x.get(), np.array([1 + 2j, 3 - 1j]) * 1j + 1)


def test_mangled_names():
    """A kernel that is not extern "C" goes by the name that the compiler gives it, on a GPU as on the CPU."""
    module = tb.RawModule(code="__global__ void triple(float *x, int n) { for (int i = 0; i < n; i++) x[i] *= 3; }")
    x = tb.arange(5, dtype="f")
    module.get_function("_Z6triplePfi")((1,), (1,), (x, np.int32(5)))
    assert x.tolist() == [0, 3, 6, 9, 12]
    with pytest.raises(tb.cuda.driver.CUDADriverError):
        module.get_function("_Z5triplPfi")((1,), (1,), (x, np.int32(5)))
