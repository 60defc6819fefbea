"""One CUDA C++ source: the functions compiled so far, what they need, and the text in the end."""

from tombacx.jit import _prelude
from tombacx.jit._types import VOID, Stored, Tuple, c_name, same_type, type_key

_HEADERS = {"float16": "tombac/float16.cuh", "complex64": "tombac/complex.cuh", "complex128": "tombac/complex.cuh",
            "grid": "cooperative_groups.h", "cub": "tombac/cub.cuh", "thrust": "tombac/thrust.cuh",
            "special": "tombac/special.cuh"}


class Unit:
    def __init__(self, mode):
        if mode not in ("cuda", "numpy"):
            raise ValueError(f"jit: mode must be 'cuda' or 'numpy', not {mode!r}")
        self.mode = mode
        self.needed, self.headers = set(), set()
        self.functions = {}     # key of function and argument types -> DeviceFunction; None: being compiled
        self.structs = {}       # key of a tuple type -> name
        self.texts = []
        self.cooperative = False
        self.grid_ndim = 0      # the largest that grid() or gridsize() was asked for
        self.dynamic_shared = False
        self._number = 0

    def need(self, name):
        self.needed.add(name)

    def number(self):
        self._number += 1
        return self._number

    def c_type(self, t):
        """The C type of values of type t."""
        if isinstance(t, Tuple):
            key = type_key(t)
            if key not in self.structs:
                fields = " ".join(f"{self.c_type(item)} f{i};" for i, item in enumerate(t.items))
                self.structs[key] = name = f"jit_tuple_{len(self.structs)}"
                self.texts.append(f"struct {name} {{ {fields} }};\n")
            return self.structs[key]
        if t is VOID:
            return "void"
        if isinstance(t, Stored):
            return t.c_type(self)
        if t.name in _HEADERS:
            self.need_header(t.name)
        return c_name(t)

    def need_header(self, name):
        self.headers.add(_HEADERS[name])

    def need_grid(self):
        self.need_header("grid")
        self.cooperative = True

    def source(self, last=""):
        includes = "".join(f"#include <{h}>\n" for h in sorted(self.headers))
        return includes + _prelude.text(self.needed) + "\n".join(self.texts) + last

    def device_function(self, func, args, ret=None):
        """func compiled for values `args` (constants included), as a DeviceFunction."""
        from tombacx.jit._compile import FunctionCompiler, Signature, constant_key

        key = (func, tuple(constant_key(a) or type_key(a.type) for a in args), ret and type_key(ret))
        if key in self.functions:
            if self.functions[key] is None:
                raise NotImplementedError(f"{func.__name__} calls itself: recursion is not available in kernels; "
                                          "write a loop")
            return self.functions[key]
        self.functions[key] = None
        try:
            fc = FunctionCompiler(self, func, Signature(self, args), kernel=False, ret=ret)
            fc.compile()
            result = fc.result_type()
            if ret is None and any(not same_type(t, result) for t in fc.returned):
                self.functions[key] = self.device_function(func, args, result)
            else:
                self.functions[key] = DeviceFunction(fc, f"{fc.c_name}_{self.number()}", result)
        finally:
            if self.functions[key] is None:
                del self.functions[key]
        return self.functions[key]


class DeviceFunction:
    """A __device__ function of the unit; uses: what it takes, as (argument, kind, axis)."""

    def __init__(self, fc, name, type):
        self.name, self.type, self.uses = name, type, list(fc.signature.uses)
        result = fc.unit.c_type(type)
        params = ", ".join(fc.signature.parameters())
        fc.unit.texts.append(f"__device__ inline {result} {name}({params})\n{{\n{fc.text()}}}\n")
