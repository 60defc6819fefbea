"""What tools/stubs.py knows of types: of parameters by their names, of members by theirs, and what docstrings say."""

import re

_INT, _BOOL, _STR, _FLOAT = "builtins.int", "builtins.bool", "builtins.str", "builtins.float"
_SHAPE = "builtins.int | _typing.Sequence[builtins.int]"
_AXIS = "_typing.SupportsIndex | _typing.Sequence[_typing.SupportsIndex] | None"
_ARRAY, _ARRAYS = "tombac.ndarray", "builtins.tuple[tombac.ndarray, ...]"

# Parameters whose names mean the same wherever they occur. All others have the types of their defaults.
PARAMETERS = {
    "axis": _AXIS, "axes": "_typing.Any", "dtype": "_npt.DTypeLike | None",
    "order": "builtins.str | _typing.Sequence[builtins.str] | None",
    "keepdims": _BOOL, "shape": "_typing.Any", "size": "_typing.Any", "casting": _STR, "where": "_typing.Any",
    "out": "_typing.Any", "initial": "_typing.Any", "ddof": "_typing.Any", "copy": "builtins.bool | None",
    "subok": "builtins.bool | None", "mode": "_typing.Any", "k": "_typing.Any", "blocking": _BOOL,
}

# Parameters of functions that take more than their names or defaults say.
WIDER = {
    ("lmoment", "order"), ("median_test", "lambda_"), ("power", "significance"), ("quantile_test", "q"),
}


def default_type(value):
    """The type of a parameter with this default, or of a constant; Any where that could be too narrow."""
    return {bool: _BOOL, str: _STR, int: _INT, float: _FLOAT, complex: "builtins.complex"}.get(type(value),
                                                                                               "_typing.Any")


# What ufuncs return, by the number of outputs.
RETURNS = {1: _ARRAY, 2: f"builtins.tuple[{_ARRAY}, {_ARRAY}]"}

# The beginning of a docstring's section "Returns:", and the type that it means. The first that fits counts.
_PHRASES = [
    (r"An? (?:[\w.]+ )?array[^.]* or an? (?!array)", None), (r"A tuple of two arrays.* or ", None),
    (r"An array,? or ", None), (r"(?:An|A new|A bool) array\b", _ARRAY), (r"A view\b", _ARRAY),
    (r"A tuple of (?:two )?(?:arrays|views)", _ARRAYS),
    (r"A tuple of (?:two )?ints", "builtins.tuple[builtins.int, ...]"),
    (r"A list of views", f"builtins.list[{_ARRAY}]"), (r"A bool\b", _BOOL), (r"An int\b", _INT), (r"A str\b", _STR),
    (r"A dtype\.", "_np.dtype[_typing.Any]"), (r"None\.", "None"), (r"A numpy\.ndarray", "_npt.NDArray[_typing.Any]"),
    (r"A dict\b", "builtins.dict[builtins.str, _typing.Any]"), (r"A module\b", "_types.ModuleType"),
    (r"A bytes object", "builtins.bytes"), (r"A RandomState\.", "tombac.random.RandomState"),
    (r"A Generator\.", "tombac.random.Generator"), (r"A tombac\.cuda\.MemoryPool", "tombac.cuda.memory.MemoryPool"),
    (r"A tombac\.cuda\.PinnedMemoryPool", "tombac.cuda.pinned_memory.PinnedMemoryPool"),
]


def returned(doc):
    """The type that a docstring's section of returns names, or None."""
    match = re.search(r"^Returns:\n    (.*(?:\n    .*)*)", doc, re.MULTILINE)
    text = " ".join(match[1].split()) if match else ""
    return next((kind for phrase, kind in _PHRASES if re.match(phrase, text)), None)


# Members by name, or by class and name: what a property is, or a method returns.
_OPERATORS = "add sub mul truediv floordiv mod pow matmul lshift rshift and or xor".split()
MEMBER_TYPES = {f"__{prefix}{name}__": _ARRAY for name in _OPERATORS for prefix in ("", "r")}
MEMBER_TYPES |= {f"__i{name}__": "_typing.Self" for name in _OPERATORS}
MEMBER_TYPES |= dict.fromkeys(("__neg__", "__pos__", "__abs__", "__invert__"), _ARRAY)
MEMBER_TYPES |= dict.fromkeys(("__divmod__", "__rdivmod__"), RETURNS[2])
MEMBER_TYPES |= {
    "__bool__": _BOOL, "__complex__": "builtins.complex", "__contains__": _BOOL, "__enter__": "_typing.Self",
    "__float__": _FLOAT, "__index__": _INT, "__init__": "None", "__int__": _INT, "__len__": _INT,
    "__setitem__": "None", "__delitem__": "None", "name": _STR, "nbytes": _INT, "ndim": _INT, "size": "_typing.Any",
}
_COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
MEMBER_TYPES |= {f"ndarray.{name}": _ARRAY for name in (
    *_COMPARISONS, "T", "all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "choose", "clip",
    "compress", "conj", "conjugate", "copy", "cumprod", "cumsum", "diagonal", "dot", "flatten", "imag", "max", "mean",
    "min", "mT", "prod", "ptp", "ravel", "real", "repeat", "reshape", "round", "searchsorted", "squeeze", "std", "sum",
    "swapaxes", "take", "trace", "transpose", "var", "view", "__copy__", "__deepcopy__", "__getitem__",
)}
MEMBER_TYPES |= {
    "ndarray.shape": "builtins.tuple[builtins.int, ...]", "ndarray.strides": "builtins.tuple[builtins.int, ...]",
    "ndarray.dtype": "_np.dtype[_typing.Any]", "ndarray.size": _INT, "ndarray.itemsize": _INT,
    "ndarray.device": "tombac.cuda.Device", "ndarray.get": "_npt.NDArray[_typing.Any]",
    "ndarray.to_numpy": "_npt.NDArray[_typing.Any]",
    "ndarray.tobytes": "builtins.bytes", "ndarray.dumps": "builtins.bytes",
    "ndarray.nonzero": _ARRAYS, "ndarray.flat": "tombac.flatiter",
    "ndarray.__iter__": f"_typing.Iterator[{_ARRAY}]",
}
MEMBER_TYPES |= {f"LinearOperator.{name}": "LinearOperator" for name in (
    "__add__", "__neg__", "__pow__", "__sub__", "__truediv__", "H", "T", "adjoint", "transpose",
)}
MEMBER_TYPES |= {f"LinearOperator.__{name}__": "_typing.Any" for name in ("mul", "rmul", "matmul", "rmatmul")}
MEMBER_TYPES |= {f"LinearOperator.{name}": _ARRAY for name in ("matvec", "rmatvec", "matmat", "rmatmat")}
MEMBER_TYPES |= {
    "LinearOperator.shape": "builtins.tuple[builtins.int, builtins.int]", "SuperLU.solve": _ARRAY,
    "SuperLU.perm_r": _ARRAY, "SuperLU.perm_c": _ARRAY, "SuperLU.nnz": _INT,
    "SuperLU.shape": "builtins.tuple[builtins.int, builtins.int]",
}
MEMBER_TYPES |= {f"ndarray.{name}": "None" for name in (
    "dump", "fill", "partition", "put", "scatter_add", "scatter_max", "scatter_min", "set", "sort", "tofile",
)}
MEMBER_TYPES |= {
    "ufunc.__name__": _STR, "ufunc.nin": _INT, "ufunc.nout": _INT, "ufunc.nargs": _INT, "ufunc.ntypes": _INT,
    "ufunc.types": "builtins.list[builtins.str]", "ufunc.at": "None", "ufunc.reduce": _ARRAY,
    "ufunc.accumulate": _ARRAY, "ufunc.reduceat": _ARRAY, "ufunc.outer": _ARRAY, "ufunc.__call__": "_R",
}

# Properties that can be set.
WRITABLE = {"ndarray": {"real", "imag", "shape", "flat"}}

# What a type checker holds against members that are as they have to be.
IGNORED = {
    "ndarray.__eq__": "override", "ndarray.__ne__": "override", "ndarray.__ipow__": "misc",
    "LineProfileHook.alloc_preprocess": "override", "LineProfileHook.malloc_preprocess": "override",
}
