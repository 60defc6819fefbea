"""Types of the kernel language: dtypes and their C names, how they promote, and the values that expressions become."""

import numpy as np

C_NAMES = {
    "bool": "bool", "int8": "signed char", "uint8": "unsigned char", "int16": "short", "uint16": "unsigned short",
    "int32": "int", "uint32": "unsigned int", "int64": "long long", "uint64": "unsigned long long",
    "float16": "float16", "float32": "float", "float64": "double",
    "complex64": "complex<float>", "complex128": "complex<double>",
}
DTYPES = [np.dtype(name) for name in C_NAMES]  # number i is dtype i of the extension
DTYPES.insert(10, np.dtype("V2"))  # bfloat16, which these kernels do not have

BOOL, INT32, UINT32, INT64 = (np.dtype(t) for t in ("bool", "int32", "uint32", "int64"))
FLOAT16, FLOAT32, FLOAT64 = (np.dtype(t) for t in ("float16", "float32", "float64"))

# C-like promotion: the later one of two dtypes wins, whatever their signs and widths.
_CUDA_ORDER = {np.dtype(t): i for i, t in enumerate("? b B h H i I q Q e f d F D".split())}


def canonical(dtype):
    """The dtype of that kind and width which is a key of C_NAMES; TypeError if kernels have none."""
    dtype = np.dtype(dtype)
    name = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}.get(dtype.kind)
    if name is not None:
        name = name if name == "bool" else f"{name}{8 * dtype.itemsize}"
    if name not in C_NAMES or not dtype.isnative:
        raise TypeError(f"kernels have no type for dtype {dtype}")
    return np.dtype(name)


def c_name(dtype):
    return C_NAMES[dtype.name]


class Array:
    """The type of an array: what code for it depends on, its data and extents not included.

    contiguous: elements lie in C order; otherwise strides are used. wide: element offsets need 64 bits.
    shape: the extents of shared memory, which are known; None for arrays of the caller.
    """

    def __init__(self, dtype, ndim, contiguous=True, wide=False, shape=None):
        self.dtype, self.ndim, self.contiguous, self.wide, self.shape = dtype, ndim, contiguous, wide, shape
        self.key = ("array", dtype, ndim, contiguous, wide, shape)

    def __str__(self):
        return f"{self.ndim}-d array of {self.dtype}"


class Tuple:
    """The type of a tuple of scalars or of tuples."""

    def __init__(self, items):
        self.items = tuple(items)
        self.key = ("tuple", *(type_key(t) for t in self.items))

    def __str__(self):
        return "(" + ", ".join(map(str, self.items)) + ("," if len(self.items) == 1 else "") + ")"


class Dim3:
    """The type of a triple of uint32 with fields x, y, z."""

    key = ("dim3",)

    def __str__(self):
        return "dim3"


class Stored:
    """The type of values that are no numbers and are kept in a variable of C: c_type(unit) is its type."""


class Iterator(Stored):
    """The type of a position in a range of elements: a pointer, or a class of tombac/thrust.cuh whose name is `form`,
    with `more` after the dtype among its parameters."""

    def __init__(self, dtype, form=None, more=()):
        self.dtype, self.form, self.more = dtype, form, more
        self.key = ("iterator", dtype, form, more)

    @property
    def is_writable(self):
        return self.form in (None, "tb_strided")

    def c_type(self, unit):
        c = unit.c_type(self.dtype)
        if self.form is None:
            return f"{c} *"
        unit.need_header("thrust")
        return f"thrust::{self.form}<{', '.join([c, *map(str, self.more)])}>"

    def __str__(self):
        return f"iterator over {self.dtype}"


class Group:
    """The type of a cooperative group: 'block' or 'grid'."""

    def __init__(self, scope):
        self.scope = scope
        self.key = ("group", scope)

    def call_method(self, fc, group, name, args, kwargs):
        from tombacx.jit import cg

        return cg.method(fc, group, name, args, kwargs)

    def __str__(self):
        return f"cooperative group of the {self.scope}"


class Void:
    key = ("void",)

    def __str__(self):
        return "nothing"


VOID, DIM3 = Void(), Dim3()


def type_key(t):
    return t if isinstance(t, np.dtype) else t.key


def same_type(a, b):
    return type_key(a) == type_key(b)


class Constant:
    """A Python object that is known when the kernel is compiled."""

    def __init__(self, obj):
        self.obj = obj

    @property
    def is_number(self):
        return isinstance(self.obj, (bool, int, float, complex, np.bool_, np.number))


class Value:
    """C code of a type. precise: the same number before it was rounded to the type, for Python's floats, which take on
    the width of what they meet; (code, dtype). weak: a Python integer, which bends to what it meets as literals do."""

    def __init__(self, code, type, precise=None, weak=False):
        self.code, self.type, self.precise, self.weak = code, type, precise, weak

    @property
    def is_scalar(self):
        return isinstance(self.type, np.dtype)


class TupleValue:
    """A tuple whose items are values: one that was written down, or that has been taken apart."""

    def __init__(self, items):
        self.items = list(items)

    @property
    def type(self):
        return Tuple(item.type for item in self.items)


class ArrayValue:
    """An array: code of its address, and `meta(kind, axis)`, which gives code for 'size' (elements), 'shape' (extent)
    and 'stride' (bytes), and notes that they are needed."""

    def __init__(self, code, type, meta):
        self.code, self.type, self.meta = code, type, meta

    @property
    def index_type(self):
        return "long long" if self.type.wide else "int"



def literal_dtype(x, mode):
    """The dtype of a number in the source."""
    if isinstance(x, np.generic):
        return canonical(x.dtype)
    if isinstance(x, bool):
        return BOOL
    if isinstance(x, int):
        if mode == "cuda" and -2**31 <= x < 2**31:
            return INT32
        if not -2**63 <= x < 2**64:
            raise OverflowError(f"integer {x} has more than 64 bits")
        return INT64 if x < 2**63 else np.dtype("uint64")
    if isinstance(x, float):
        return FLOAT32 if mode == "cuda" else FLOAT64
    return np.dtype("complex64" if mode == "cuda" else "complex128")


def promote(mode, *operands):
    """The dtype that values and constants are brought to before an operation."""
    if mode == "cuda":
        dtypes = [v.type if isinstance(v, Value) else literal_dtype(v.obj, mode) for v in operands]
        result = max(dtypes, key=_CUDA_ORDER.__getitem__)
        return np.dtype("complex128") if result == "complex64" and FLOAT64 in dtypes else result
    values = [v for v in operands if isinstance(v, Value)]
    strong = [v.type for v in values if not v.weak] or [v.type for v in values]
    weak = []
    for v in operands:
        if isinstance(v, Constant):
            (strong if isinstance(v.obj, np.generic) else weak).append(v.obj)
    result = np.result_type(*strong) if strong else None
    if result == BOOL and any(v.weak for v in values):
        result = INT64
    for x in weak:
        if result is None:
            result = literal_dtype(x, mode)
        elif isinstance(x, int) and result.kind in "iu" and not isinstance(x, bool):
            info = np.iinfo(result)
            result = result if info.min <= x <= info.max else np.promote_types(result, np.min_scalar_type(x))
        else:
            result = np.result_type(result, type(x)(0))
    return canonical(result)


def literal(x, dtype):
    """C code of the number x as dtype."""
    if dtype.kind == "c":
        x = complex(x)
        part = FLOAT32 if dtype.itemsize == 8 else FLOAT64
        return f"{c_name(dtype)}({literal(x.real, part)}, {literal(x.imag, part)})"
    if isinstance(x, (complex, np.complexfloating)):
        raise TypeError(f"complex number {x} where {dtype} is expected")
    if dtype.kind == "b":
        return "true" if x else "false"
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        x = int(x)
        if dtype.kind == "u":
            x &= int(info.max)  # as C converts
        if not info.min <= x <= info.max:
            raise OverflowError(f"integer {x} is out of bounds for {dtype}")
        suffix = {"int64": "LL", "uint64": "ULL", "uint32": "u"}.get(dtype.name, "")
        if x == info.min and x < 0 and dtype.itemsize >= 4:
            return f"(-{-(x + 1)}{suffix} - 1)"
        text = f"{x}{suffix}" if x >= 0 else f"({x}{suffix})"
        return text if dtype.itemsize >= 4 else f"(({c_name(dtype)}){text})"
    if dtype == FLOAT16:
        return f"float16({literal(np.float16(x), FLOAT32)})"
    with np.errstate(over="ignore"):
        x = float(dtype.type(x))
    if x != x or x in (float("inf"), float("-inf")):
        single = dtype == FLOAT32
        bits = int(np.array(x, dtype).view("u4" if single else "u8"))
        return f"__int_as_float(0x{bits:x})" if single else f"__longlong_as_double(0x{bits:x}LL)"
    text = repr(x) + ("f" if dtype == FLOAT32 else "")
    return text if not text.startswith("-") else f"({text})"


def cast(v, dtype, mode):
    """A scalar value or a number as C code of type dtype; TypeError where Python has no such conversion."""
    if isinstance(v, Constant):
        return literal(v.obj, dtype)
    if v.type == dtype:
        return str(v.code)
    code, source = v.code, v.type
    if v.precise is not None and (dtype.kind == "c" or dtype == FLOAT64):
        code, source = v.precise
        if source == dtype:
            return str(code)
    if source.kind == "c":
        if dtype.kind == "b":
            return f"({code} != {c_name(source)}(0))"
        if dtype.kind != "c":
            raise TypeError(f"{source} cannot become {dtype}: take its .real or .imag")
        return f"{c_name(dtype)}({code})"
    if dtype.kind == "c":
        part = FLOAT32 if dtype.itemsize == 8 else FLOAT64
        return f"{c_name(dtype)}({cast(Value(code, source), part, mode)})"
    if dtype.kind == "b":
        return f"({code} != {literal(0, source)})"
    if FLOAT16 in (source, dtype) and FLOAT32 not in (source, dtype):
        code = f"((float){code})"
    return f"(({c_name(dtype)}){code})"
