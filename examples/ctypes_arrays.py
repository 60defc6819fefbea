"""libtombac from Python by ctypes alone, without tombac's extension: the length of a vector.

    python examples/ctypes_arrays.py [LIBRARY]

Any language that can call C does it like this: opaque arrays, statuses, a message. tombac.h has the numbers.
"""

import ctypes as c
import sys

tb = c.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libtombac.so.0")
tb.tb_error_message.restype = c.c_char_p
TB_F64, TB_ALL_AXES = 12, -(2**31)


class Array:
    """The array that tb_<name>(arguments..., &out) makes; released with this object."""

    def __init__(self, name, *arguments):
        self._as_parameter_ = c.c_void_p()  # what ctypes passes for this object
        if getattr(tb, f"tb_{name}")(*arguments, c.byref(self._as_parameter_)):
            raise RuntimeError(tb.tb_error_message().decode())

    def __del__(self):
        tb.tb_array_release(self)


x = Array("from_host", (c.c_double * 3)(2, 3, 6), TB_F64, 1, (c.c_int64 * 1)(3), None, ord("C"))
length = Array("sqrt", Array("sum", Array("square", x), TB_ALL_AXES))  # one kernel, and a root
number = c.c_double()
if tb.tb_array_get(length, c.byref(number), None, None, True):
    raise RuntimeError(tb.tb_error_message().decode())
print(f"the length of (2, 3, 6) is {number.value}")
