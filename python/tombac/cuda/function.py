"""Compiled code on a device: Module and Function, which RawModule and RawKernel make; arguments by value; a linker."""

import ctypes
import functools
import os

from tombac import _core
from tombac._core import Function, Module
from tombac._numpy import np

__all__ = ["CIntptr", "CNumpyArray", "CPointer", "CUIntMax", "Function", "LinkState", "Module"]


class _Value:
    """An argument of a kernel that is passed as the bytes it is."""

    @property
    def ptr(self):
        """Where the value is on the host."""
        return ctypes.addressof(self)


class CPointer(_Value, ctypes.c_void_p):
    """An address as a kernel's argument.

    >>> x = tombac.arange(3.0)
    >>> p = tombac.cuda.function.CPointer(x.data.ptr)
    """


class CIntptr(_Value, ctypes.c_ssize_t):
    """A signed integer of a pointer's size as a kernel's argument."""


class CUIntMax(_Value, ctypes.c_uint64):
    """An unsigned integer of 64 bits as a kernel's argument."""


class CNumpyArray(_Value):
    """The bytes of a NumPy array or scalar as a kernel's argument: a copy, for a structure or an array by value.

    >>> three = tombac.cuda.function.CNumpyArray(numpy.array([1, 2, 3], "f"))
    """

    def __new__(cls, a):
        """Copies ``a``, in C order."""
        packed = np.ascontiguousarray(a).tobytes()
        self = ctypes.Array.__new__(_bytes_of(cls, len(packed)))
        ctypes.memmove(self, packed, len(packed))
        return self


@functools.cache
def _bytes_of(cls, n):
    """The class of ``n`` bytes under CNumpyArray."""
    base = ctypes.c_ubyte * n
    return type(base)(cls.__name__, (cls, base), {"__init__": lambda self, a: None})


class LinkState:
    """The driver's linker: from PTX of relocatable device code and libraries to machine code. On a GPU alone.

    Raises:
        CUDARuntimeError: On the CPU backend (801).
    """

    _PTX, _BY_SUFFIX = 1, {".cubin": 0, ".ptx": 1, ".fatbin": 2, ".o": 3, ".a": 4}
    ptr = 0

    def __init__(self):
        self.ptr = _core.runtime_call("linkCreate")

    def __del__(self):
        if self.ptr:
            _core.runtime_call("linkDestroy", self.ptr)
            self.ptr = 0

    def add_ptr_data(self, data, name):
        """Adds PTX.

        Args:
            data: str or bytes.
            name: What messages call it.
        """
        code = ctypes.create_string_buffer(data.encode() if isinstance(data, str) else bytes(data))
        text = ctypes.create_string_buffer(name.encode() if isinstance(name, str) else bytes(name))
        address = ctypes.addressof
        _core.runtime_call("linkAddData", self.ptr, self._PTX, address(code), len(code), address(text))

    def add_ptr_file(self, path):
        """Adds a file: what it holds is told by its suffix, .cubin, .ptx, .fatbin, .o or .a (else PTX)."""
        kind = self._BY_SUFFIX.get(os.path.splitext(path)[1], self._PTX)
        text = ctypes.create_string_buffer(os.fsencode(path))
        _core.runtime_call("linkAddFile", self.ptr, kind, ctypes.addressof(text))

    def complete(self):
        """Links, and gives the machine code as bytes, for Module.load."""
        address, size = _core.runtime_call("linkComplete", self.ptr)
        return ctypes.string_at(address, size)
