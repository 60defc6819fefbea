"""What goes wrong when a kernel is compiled, and compiling to PTX or CUBIN without loading it.

RawModule is the way to compile and run in one step, with a cache, on a GPU and on the CPU.
"""

import os
import re

from tombac import _core
from tombac._core import CompileException

__all__ = [
    "CompileException", "HIPCCException", "JitifyException", "NVCCException", "compile_using_hipcc",
    "compile_using_nvcc", "compile_using_nvrtc", "is_valid_kernel_name",
]


class NVCCException(Exception):
    """nvcc could not be run: there is none on the PATH, in CUDA_PATH or in /usr/local/cuda."""


class HIPCCException(Exception):
    """hipcc was asked for: there is no backend for ROCm."""


class JitifyException(Exception):
    """Never raised: Jitify is not needed."""


def is_valid_kernel_name(name):
    """Whether a kernel can be called so.

    >>> is_valid_kernel_name("my_kernel"), is_valid_kernel_name("2nd")
    (True, False)
    """
    return re.match(r"[a-zA-Z_][a-zA-Z_0-9]*$", name) is not None


def _architecture(arch):
    return _core.Device().compute_capability if arch is None else str(arch)


def compile_using_nvrtc(source, options=(), arch=None, filename="kern.cu", name_expressions=None, log_stream=None,
                        cache_in_memory=False, jitify=None, method=None):
    """Compiles CUDA C++ by NVRTC; nothing is cached.

    Args:
        arch: Compute capability such as ``"90"``; by default that of the current device.
        name_expressions: Template instantiations to look up.
        method: ``"cubin"`` (the default) or ``"ptx"``.
        cache_in_memory, jitify: Accepted, without effect.

    Returns:
        (bytes, mapping): The code, and for each name expression the name it has in it (None without any).

    Raises:
        CompileException: The source does not compile.
    """
    from tombac.cuda import nvrtc

    ptx = method == "ptx"
    options = (*options, f"--gpu-architecture={'compute' if ptx else 'sm'}_{_architecture(arch)}")
    program = nvrtc.createProgram(source, filename, [], [])
    try:
        for expression in name_expressions or ():
            nvrtc.addNameExpression(program, expression)
        try:
            nvrtc.compileProgram(program, options)
        except nvrtc.NVRTCError:
            raise CompileException(nvrtc.getProgramLog(program), source, filename, options, "nvrtc") from None
        if log_stream is not None:
            log_stream.write(nvrtc.getProgramLog(program))
        code = (nvrtc.getPTX if ptx else nvrtc.getCUBIN)(program)
        names = {e: nvrtc.getLoweredName(program, e) for e in name_expressions} if name_expressions else None
    finally:
        nvrtc.destroyProgram(program)
    return code, names


def compile_using_nvcc(source, options=(), arch=None, filename="kern.cu", code_type="cubin",
                       separate_compilation=False, log_stream=None):
    """Compiles CUDA C++ by the toolkit's nvcc to the bytes of a CUBIN, or of PTX; nothing is cached.

    Raises:
        NVCCException: There is no nvcc.
        CompileException: The source does not compile.
    """
    import shutil  # these take long to import, and few programs get here
    import subprocess
    import tempfile

    if code_type not in ("cubin", "ptx"):
        raise ValueError(f"compile_using_nvcc: code_type must be 'cubin' or 'ptx', not {code_type!r}")
    for option in options:
        if option.startswith("@") or not option.isprintable():
            raise ValueError(f"compile_using_nvcc: {option!r} is not an option that is passed on")
    roots = [os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
    path = os.pathsep.join([os.environ.get("PATH", ""), *(os.path.join(r, "bin") for r in roots if r)])
    nvcc = shutil.which("nvcc", path=path)
    if nvcc is None:
        raise NVCCException("nvcc was not found on the PATH, in CUDA_PATH or in /usr/local/cuda")
    virtual = "compute" if code_type == "ptx" else "sm"
    extra = ["-rdc=true"] if separate_compilation else []
    with tempfile.TemporaryDirectory() as folder:
        source_file, result = os.path.join(folder, filename), os.path.join(folder, "result")
        with open(source_file, "w", encoding="utf-8") as f:
            f.write(source)
        target = f"-arch={virtual}_{_architecture(arch)}"
        command = [nvcc, f"--{code_type}", target, *extra, *options, source_file, "-o", result]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            raise CompileException(done.stdout, source, filename, tuple(options), "nvcc")
        if log_stream is not None:
            log_stream.write(done.stdout)
        with open(result, "rb") as f:
            return f.read()


def compile_using_hipcc(source, options, arch, log_stream=None):
    """Fails: there is no backend for ROCm that could run what hipcc compiles.

    Args:
        source, options, arch, log_stream: As CuPy's.

    Returns:
        Nothing.

    Raises:
        HIPCCException: Always.

    >>> tombac.cuda.compiler.compile_using_hipcc("", (), "gfx90a")
    Traceback (most recent call last):
      ...
    tombac.cuda.compiler.HIPCCException: compile_using_hipcc: tombac has no backend for ROCm
    """
    raise HIPCCException("compile_using_hipcc: tombac has no backend for ROCm")


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
