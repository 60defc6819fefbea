"""The compiler's options and the names of kernels: what NVRTC takes is taken, whatever the backend, and nothing else
gets to a compiler of the host's."""

import os
import platform
import re
import shutil
import subprocess
import sys

import pytest

import tombac as tb
from tombac import config

ON_CPU = pytest.mark.skipif(config.backend() != "cpu", reason="the CPU backend's list")

SOURCE = """
#ifndef N
#define N 0
#endif
extern "C" __global__ void f(int *x) { *x = N; }
"""


def value(options, source=SOURCE):
    x = tb.full(1, -1, "i")
    tb.RawModule(code=source, options=options).get_function("f")((1,), (1,), (x,))
    return int(x[0])


@pytest.mark.parametrize("options", [
    ("-DN=21",), ("-D N=21",), ("-D=N=21",), ("-D", "N=21"), ("--define-macro=N=21",), ("--define-macro", "N=21"),
    ("-DM", "-UM", "-DN=21"), ("-DN=(20 + 1)",), ("--use_fast_math", "-DN=21"), ("-DN=21", "-lineinfo", "-G"),
    ("-DN=21", "--fmad=false", "--ftz=true", "-default-device"), ("-DN=21", "--maxrregcount=32", "-w"),
    ("-DN=21", "--extra-device-vectorization", "--std=c++14"),
])
def test_spellings(options):
    assert value(options) == 21


@ON_CPU  # NVRTC has it since CUDA 12.8
def test_less_time_for_compiling():
    for how in "0", "min", "mid", "max":
        assert value(("-DN=21", f"--Ofast-compile={how}")) == 21
        assert value(("-DN=21", "-Ofc", how)) == 21
    with pytest.raises(tb.cuda.compiler.CompileException, match="0, min, mid or max"):
        value(("-DN=21", "--Ofast-compile=-O1"))


@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++17", "c++20"])
def test_standards(standard):
    """Of what our own headers say nothing is of a later standard, and no name is taken."""
    source = """#include <cuda_fp16.h>
    extern "C" __global__ void f(int *x)
    {
        int linux = __double2int_rz(2.5e10), unix = (int)__half2float(__float2half(3.0f));
        *x = linux == 2147483647 ? unix : -2;
    }"""
    assert value(("--std=" + standard,), source) == 3


@pytest.mark.parametrize("option", ["-I{}", "-I {}", "-I={}", "--include-path={}", "-I|{}", "--include-path|{}"])
def test_folders_of_headers(tmp_path, option):
    (tmp_path / "n.h").write_text("#define N 5")
    source = "#include <n.h>" + SOURCE
    options = tuple(option.format(tmp_path).split("|"))
    assert value(options, source) == 5
    (tmp_path / "n.h").write_text("#define N 6")  # part of the module's name, however it is spelled
    assert value(options, source) == 6


@ON_CPU
@pytest.mark.parametrize("option", ["-include={}/n.h", "--pre-include={}/n.h", "-include|{}/n.h"])
def test_headers_that_come_first(tmp_path, option):
    for n in 7, 8:
        (tmp_path / "n.h").write_text(f"#define N {n}")
        assert value(tuple(option.format(tmp_path).split("|"))) == n


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


HOST_OPTIONS = [
    ("-wrapper", "sh,-c,touch x"), ("-Wl,-Map=x",), ("-aux-info", "x"), ("-save-temps",), ("-fplugin=x.so",),
    ("-specs=x",), ("-B.",), ("-o", "x"), ("-ox",), ("-O3",), ("-Wall",), ("-fdump-tree-all",), ("x.cpp",), ("",),
    ("-MD",), ("-Xlinker", "-Map=x"), ("-x", "c"), ("-Wp,-MD,x",), ("-no-such-option",),
]


@pytest.mark.parametrize("options", HOST_OPTIONS)
def test_options_of_host_compilers_are_refused_by_name(elsewhere, options):
    with pytest.raises(tb.cuda.compiler.CompileException) as e:
        value(options)
    assert options[0] in str(e.value) and e.value.options == options
    assert list(elsewhere.iterdir()) == []


@ON_CPU
def test_every_kind_of_kernel_has_the_same_list(elsewhere):
    options = ("-wrapper", "sh,-c,touch x")
    x = tb.arange(3.0)
    for call in (
        lambda: tb.ElementwiseKernel("T x", "T y", "y = x", "copy", options=options)(x),
        lambda: tb.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total", options=options)(x),
        lambda: tb.RawKernel(SOURCE, "f", options=options)((1,), (1,), (x,)),
        lambda: tb.RawKernel(SOURCE, "f", options=options, backend="nvcc")((1,), (1,), (x,)),
    ):
        with pytest.raises(tb.cuda.compiler.CompileException, match="-wrapper"):
            call()
    assert list(elsewhere.iterdir()) == []


@ON_CPU
def test_options_of_nvcc_where_it_was_asked_for():
    x = tb.full(1, -1, "i")
    options = ("-O3", "-gencode=arch=compute_80,code=sm_80", "--expt-relaxed-constexpr", "-ccbin", "g++", "-DN=3")
    tb.RawKernel(SOURCE, "f", options=options, backend="nvcc")((1,), (1,), (x,))
    assert int(x[0]) == 3
    with pytest.raises(tb.cuda.compiler.CompileException, match="-O3"):
        tb.RawKernel(SOURCE, "f", options=options)((1,), (1,), (x,))


@pytest.mark.parametrize("backend", ["nvrtc", "nvcc"])
@pytest.mark.parametrize("option", ["-DN=1\n#include </etc/passwd>", "-DN\r", "@options", "-I.\n"])
def test_options_are_of_one_line_and_not_in_files(elsewhere, option, backend):
    (elsewhere / "options").write_text("-DN=4")
    with pytest.raises(ValueError, match="option"):
        tb.RawModule(code=SOURCE, options=(option,), backend=backend).compile()


def test_null_characters():
    x = tb.zeros(1, "i")
    for call in (
        lambda: tb.RawKernel(SOURCE, "f\0g")((1,), (1,), (x,)),
        lambda: tb.RawKernel(SOURCE + "\0", "f")((1,), (1,), (x,)),
        lambda: tb.RawModule(code=SOURCE, options=("-DN=1\0",)).compile(),
        lambda: tb.RawModule(code=SOURCE, name_expressions=("f\0",)).compile(),
        lambda: tb.RawModule(code=SOURCE).get_function("f\0")((1,), (1,), (x,)),
        lambda: tb.RawModule(code=SOURCE).get_global("g\0"),
        lambda: tb.ElementwiseKernel("T x", "T y", "y = x\0", "copy"),
        lambda: tb.ElementwiseKernel("T x", "T y", "y = x", "copy\0"),
        lambda: tb.ElementwiseKernel("T x", "T y", "y = x", "copy", options=("-w\0",)),
        lambda: tb.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0\0", "total"),
        lambda: tb.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total", options=("\0",)),
    ):
        with pytest.raises(ValueError, match="null"):
            call()


@ON_CPU
def test_the_name_of_a_source_is_one_name(elsewhere):
    for name in 'a"b.cu', "a\\b.cu", 'x" 1 "y.cu':
        (elsewhere / name).write_text(SOURCE)
        x = tb.zeros(1, "i")
        tb.RawModule(path=str(elsewhere / name), options=("-DN=2",)).get_function("f")((1,), (1,), (x,))
        assert int(x[0]) == 2
    (elsewhere / "a\nb.cu").write_text(SOURCE)
    with pytest.raises(ValueError, match="control"):
        tb.RawModule(path=str(elsewhere / "a\nb.cu")).compile()


@ON_CPU
def test_a_pipe_among_the_headers_is_no_part_of_a_name(elsewhere):
    os.mkfifo(elsewhere / "pipe.h")
    source = "#if 0\n#include <pipe.h>\n#endif\n" + SOURCE
    assert value(("-I.", "-DN=9"), source) == 9


# ---- instruction sets ------------------------------------------------------------------------------------------------

INSTRUCTIONS = """
import tombac as tb, numpy

source = '''extern "C" __global__ void f(float *x, float *y, int *set)
{
#if defined(__AVX512VL__)
    *set = 2;
#elif defined(__AVX2__)
    *set = 1;
#elif defined(__AVX__)
    *set = -1;
#else
    *set = 0;
#endif
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = __half2float(__float2half(x[i])) * x[i] + fmaf(x[i], 3.0f, 1.0f);
}'''
x, y, set = tb.arange(1024, dtype="f"), tb.zeros(1024, "f"), tb.zeros(1, "i")
tb.RawKernel("#include <cuda_fp16.h>\\n" + source, "f")((4,), (256,), (x, y, set))
host = x.get()
numpy.testing.assert_array_equal(y.get(), host * host + (host * 3 + 1))
print(int(set[0]))
tb.show_config()
"""


def instructions(folder, isa):
    """(what the kernel was compiled for, what the library's loops are), as numbers from base on."""
    done = subprocess.run([sys.executable, "-c", INSTRUCTIONS], capture_output=True, text=True,
                          env={**os.environ, "TOMBAC_CACHE_DIR": str(folder), "TOMBAC_CPU_ISA": isa})
    assert done.returncode == 0, done.stderr
    chosen = re.search(r"CPU instruction set +: (\w+)", done.stdout)[1]
    return int(done.stdout.split()[0]), ["base", "avx2", "avx512"].index(chosen)


@ON_CPU
@pytest.mark.skipif(platform.machine() != "x86_64", reason="instruction sets of x86-64")
def test_kernels_have_the_instructions_of_the_loops(tmp_path):
    """One cache for all, as where it is shared between machines."""
    found = [instructions(tmp_path, isa) for isa in ("avx512", "avx2", "base", "")]
    assert all(kernel == loops for kernel, loops in found)
    assert found[2] == (0, 0)
    files = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert len(files) == len(set(found))


@ON_CPU
@pytest.mark.skipif(platform.machine() != "x86_64", reason="instruction sets of x86-64")
@pytest.mark.skipif(not shutil.which("objdump"), reason="objdump (binutils) is not there")
def test_code_of_the_base_set_has_no_wider_registers(tmp_path):
    instructions(tmp_path / "cache", "base")
    (file,) = [p for p in (tmp_path / "cache").rglob("*") if p.is_file()]
    content = file.read_bytes()
    (tmp_path / "kernel.so").write_bytes(content[content.index(b"\x7fELF"):])
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", tmp_path / "kernel.so"], capture_output=True,
                          text=True, check=True).stdout
    assert "%xmm" in code
    assert not re.search(r"%[yz]mm|%k[1-7]|\tv[a-z]+ .*%xmm", code)
