"""NVRTC's own functions, by CuPy's names; programs are integers.

RawModule compiles in one step, keeps what it made on disk, and works on the CPU backend too; this is for programs that
want PTX or CUBIN. It needs NVRTC but no GPU.

>>> p = tombac.cuda.nvrtc.createProgram('extern "C" __global__ void f() {}', "f.cu", [], [])  # doctest: +SKIP
>>> tombac.cuda.nvrtc.compileProgram(p, ["-arch=sm_90"])  # doctest: +SKIP
"""

import ctypes
import functools

from tombac import _core

__all__ = [
    "NVRTCError", "addNameExpression", "compileProgram", "createProgram", "destroyProgram", "getCUBIN",
    "getLoweredName", "getPTX", "getProgramLog", "getVersion",
]


class NVRTCError(RuntimeError):
    """NVRTC reported an error; ``status`` is its number."""

    def __init__(self, status):
        self.status = status
        text = _library().nvrtcGetErrorString(status).decode()
        super().__init__(f"{text} ({status})")

    def __reduce__(self):
        return type(self), (self.status,)


@functools.cache
def _library():
    library = ctypes.CDLL("libnvrtc.so", handle=_core.library_handle("nvrtc"))
    library.nvrtcGetErrorString.restype = ctypes.c_char_p
    return library


def _check(status):
    if status:
        raise NVRTCError(status)


def _string(text):
    data = text.encode() if isinstance(text, str) else text
    if b"\0" in data:
        raise ValueError("embedded null character")
    return data


def _strings(texts):
    return (ctypes.c_char_p * len(texts))(*map(_string, texts))


def getVersion():
    """(major, minor) of NVRTC."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(_library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
    return major.value, minor.value


def createProgram(src, name, headers, include_names):
    """A program with the given source; ``headers`` are texts, by ``include_names``."""
    program = ctypes.c_void_p()
    _check(_library().nvrtcCreateProgram(ctypes.byref(program), _string(src), _string(name), len(headers),
        _strings(headers), _strings(include_names)))
    return program.value


def destroyProgram(prog):
    """Frees a program."""
    _check(_library().nvrtcDestroyProgram(ctypes.byref(ctypes.c_void_p(prog))))


def compileProgram(prog, options):
    """Compiles. NVRTCError if it does not; getProgramLog says why."""
    _check(_library().nvrtcCompileProgram(ctypes.c_void_p(prog), len(options), _strings(options)))


def _output(prog, what):
    library, size = _library(), ctypes.c_size_t()
    _check(getattr(library, f"nvrtcGet{what}Size")(ctypes.c_void_p(prog), ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(max(size.value, 1))
    _check(getattr(library, f"nvrtcGet{what}")(ctypes.c_void_p(prog), buffer))
    return buffer.raw[: size.value]


def getPTX(prog):
    """The PTX of a compiled program, as bytes that end with a zero."""
    return _output(prog, "PTX")


def getCUBIN(prog):
    """The machine code of a program that was compiled for a real architecture."""
    return _output(prog, "CUBIN")


def getProgramLog(prog):
    """The compiler's messages."""
    return _output(prog, "ProgramLog").rstrip(b"\0").decode()


def addNameExpression(prog, name):
    """Asks for a template's instantiation, before compiling."""
    _check(_library().nvrtcAddNameExpression(ctypes.c_void_p(prog), _string(name)))


def getLoweredName(prog, name):
    """The mangled name of a name expression, after compiling."""
    lowered = ctypes.c_char_p()
    _check(_library().nvrtcGetLoweredName(ctypes.c_void_p(prog), _string(name), ctypes.byref(lowered)))
    return lowered.value.decode()
