"""Marks for NVIDIA's profilers. Without libnvToolsExt every function does nothing, and ``available`` is False."""

import ctypes
import functools
import os

__all__ = ["Mark", "MarkC", "RangeEnd", "RangePop", "RangePush", "RangePushC", "RangeStart", "available"]

_COLORS = (0xFF880000, 0xFF008800, 0xFF000088, 0xFF888800, 0xFF008888, 0xFF880088, 0xFF888888, 0xFF88FF00)


class _Attributes(ctypes.Structure):
    """nvtxEventAttributes of version 2."""

    _fields_ = [
        ("version", ctypes.c_uint16), ("size", ctypes.c_uint16), ("category", ctypes.c_uint32),
        ("colorType", ctypes.c_int32), ("color", ctypes.c_uint32), ("payloadType", ctypes.c_int32),
        ("reserved", ctypes.c_int32), ("payload", ctypes.c_uint64), ("messageType", ctypes.c_int32),
        ("message", ctypes.c_char_p),
    ]


@functools.cache
def _library():
    """Looked for when it is first wanted: that takes longer than all other imports of this package."""
    import ctypes.util
    import glob

    places = [os.environ.get("NVTX_INJECTION64_PATH"), "libnvToolsExt.so.1", ctypes.util.find_library("nvToolsExt")]
    for root in filter(None, (os.environ.get("CUDA_PATH"), "/usr/local/cuda")):
        places += glob.glob(f"{root}/lib64/libnvToolsExt.so.1")
    for place in filter(None, places):
        try:
            library = ctypes.CDLL(place)
            library.nvtxRangeStartEx.restype = ctypes.c_uint64
            library.nvtxRangeEnd.argtypes = [ctypes.c_uint64]
            return library
        except (OSError, AttributeError):
            continue
    return None


def __getattr__(name):
    if name == "available":
        return _library() is not None
    raise AttributeError(f"module 'tombac.cuda.nvtx' has no attribute {name!r}")


def _call(function, *args):
    library = _library()
    return getattr(library, function)(*args) if library else 0


def _attributes(message, color):
    return ctypes.byref(_Attributes(version=2, size=ctypes.sizeof(_Attributes), colorType=1,
        color=color & 0xFFFFFFFF, messageType=1, message=message.encode()))


def _color(id_color):
    return _COLORS[id_color % len(_COLORS)] if id_color >= 0 else 0xFF888888


def MarkC(message, color=0):
    """A mark on the time line; ``color`` is ARGB."""
    _call("nvtxMarkEx", _attributes(message, color))


def Mark(message, id_color=-1):
    """A mark on the time line, in one of a few colours."""
    MarkC(message, _color(id_color))


def RangePushC(message, color=0):
    """Begins a nested range of this thread; ``color`` is ARGB."""
    _call("nvtxRangePushEx", _attributes(message, color))


def RangePush(message, id_color=-1):
    """Begins a nested range of this thread, in one of a few colours."""
    RangePushC(message, _color(id_color))


def RangePop():
    """Ends the innermost range of this thread."""
    _call("nvtxRangePop")


def RangeStart(message, color=0):
    """Begins a range that any thread may end; gives its number."""
    return _call("nvtxRangeStartEx", _attributes(message, color))


def RangeEnd(range_id):
    """Ends a range of RangeStart."""
    _call("nvtxRangeEnd", range_id)
