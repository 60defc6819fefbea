"""NumPy-compatible arrays on GPU and CPU, with deferred elementwise expressions that are fused into few kernels.

>>> import tombac as tb
>>> x = tb.arange(6.0).reshape(2, 3)
>>> (tb.exp(-x) * 2).sum(axis=1)      # one kernel
array([3.00642945, 0.14968131])

Functions have NumPy's and CuPy's names and signatures. ``tombac.cuda`` holds devices, streams and memory;
``tombac.config`` counters and the switch for fusion; ``tombac.explain(x)`` shows what is pending on an array.
"""

import importlib as _importlib
import sys as _sys
from math import e, inf, nan, pi

from tombac._core import (  # noqa: I001
    __version__, RawKernel, RawModule, ElementwiseKernel, ReductionKernel,
    absolute, abs, acos, acosh, add, arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, asin, asinh, atan,
    atan2, atanh, bitwise_and, bitwise_count, bitwise_invert, bitwise_left_shift, bitwise_not, bitwise_or,
    bitwise_right_shift, bitwise_xor, cbrt, ceil, conj, conjugate, copysign, cos, cosh, deg2rad, degrees, divide,
    divmod, equal, exp, exp2, expm1, fabs, fix, float_power, floor, floor_divide, fmax, fmin, fmod, frexp, gcd, greater,
    greater_equal, heaviside, hypot, i0, invert, isfinite, isinf, isnan, lcm, ldexp, left_shift, less, less_equal, log,
    log10, log1p, log2, logaddexp, logaddexp2, logical_and, logical_not, logical_or, logical_xor, maximum, minimum, mod,
    modf, multiply, negative, nextafter, not_equal, positive, pow, power, rad2deg, radians, reciprocal, remainder,
    right_shift, rint, sign, signbit, sin, sinc, sinh, spacing, sqrt, square, subtract, tan, tanh, true_divide, trunc,
    ufunc,
    all, alltrue, amax, amin, any, argmax, argmin, clip, count_nonzero, cumprod, cumsum, max, mean, min, nanargmax,
    nanargmin, nancumprod, nancumsum, nanmax, nanmin, nanprod, nansum, prod, ptp, sometrue, std, sum, var, where,
    arange, array, asanyarray, asarray, ascontiguousarray, asfortranarray, asnumpy, broadcast_to, concatenate, dot,
    empty, empty_like, eye, flatiter, from_dlpack, full, full_like, identity, linspace, matmul, may_share_memory,
    ndarray, ones, ones_like, packbits, stack, take, tri, unpackbits, zeros, zeros_like,
)
from tombac import _methods, _neighbours, _registered  # noqa: F401
from tombac._arranging import *  # noqa: F403
from tombac._creation import *  # noqa: F403
from tombac._dtypes import *  # noqa: F403
from tombac._einsum import *  # noqa: F403
from tombac._environment import *  # noqa: F403
from tombac._grid import *  # noqa: F403
from tombac._histograms import *  # noqa: F403
from tombac._indexing import *  # noqa: F403
from tombac._interpolation import *  # noqa: F403
from tombac._joining import *  # noqa: F403
from tombac._logic import *  # noqa: F403
from tombac._manipulation import *  # noqa: F403
from tombac._math import *  # noqa: F403
from tombac._order_statistics import *  # noqa: F403
from tombac._products import *  # noqa: F403
from tombac._select import *  # noqa: F403
from tombac._sets import *  # noqa: F403
from tombac._sorting import *  # noqa: F403
from tombac._statistics import *  # noqa: F403

__array_api_version__ = "2024.12"

euler_gamma = 0.5772156649015329  # of NumPy's constants the only one that the module math does not have
newaxis = None
disable_experimental_feature_warning = False  # for programs that set it: tombac has no such warnings

# NumPy 1's names, which CuPy keeps.
Inf = Infinity = PINF = infty = inf
NaN = NAN = nan
NINF, NZERO, PZERO = -inf, -0.0, 0.0
cumproduct, product = cumprod, prod

# What is NumPy's own; NumPy is imported with the first of it that is used.
_NUMPY = {name: name for name in (
    "False_", "ScalarType", "True_", "base_repr", "binary_repr", "bool", "bool_", "broadcast_shapes", "byte", "bytes_",
    "cdouble", "character", "complex128", "complex64", "complexfloating", "csingle", "datetime64", "double", "dtype",
    "flexible", "float16", "float32", "float64", "floating", "generic", "half", "iinfo", "index_exp", "inexact",
    "int16", "int32", "int64", "int8", "int_", "intc", "integer", "intp", "isdtype", "issubdtype", "iterable", "long",
    "longlong", "mintypecode", "ndindex", "number", "object_", "promote_types", "s_", "short", "signedinteger",
    "single", "str_", "timedelta64", "typecodes", "typename", "ubyte", "uint", "uint16", "uint32", "uint64", "uint8",
    "uintc", "uintp", "ulong", "ulonglong", "unsignedinteger", "ushort", "void",
)}
_NUMPY |= {"cfloat": "cdouble", "complex_": "complex128", "float_": "float64", "singlecomplex": "csingle"}

# Modules and functions that few programs need are imported on first use.
_MODULES = {name: "tombac." + name for name in (
    "config", "cublas", "cuda", "exceptions", "fft", "lib", "linalg", "polynomial", "random", "testing", "typing",
)}
_MODULES["emath"] = "tombac.lib.scimath"
_NAMES = {"explain": "tombac._explain", "fuse": "tombac._functional", "vectorize": "tombac._functional"}
_NAMES["__array_namespace_info__"] = "tombac._array_api"
_NAMES |= dict.fromkeys(("delete", "insert", "trim_zeros"), "tombac._add_remove")
_NAMES |= dict.fromkeys(("apply_along_axis", "apply_over_axes", "piecewise"), "tombac._apply")
_NAMES |= dict.fromkeys(("convolve", "correlate"), "tombac._convolution")
_NAMES |= dict.fromkeys(("errstate", "geterr", "seterr"), "tombac._floating_errors")
_NAMES["pad"] = "tombac._padding"
_NAMES |= dict.fromkeys(("bartlett", "blackman", "hamming", "hanning", "kaiser"), "tombac._window_functions")
_NAMES |= dict.fromkeys((
    "poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots",
), "tombac._polynomials")
_NAMES |= {"install_as_cupy": "tombac._alias", "poly1d": "tombac._poly1d"}
_NAMES |= dict.fromkeys((
    "byte_bounds", "clear_memo", "fromDlpack", "make_aligned_dtype", "memoize", "who",
), "tombac._miscellany")
_NAMES |= dict.fromkeys((
    "DataSource", "disp", "find_common_type", "format_parser", "get_array_wrap", "issctype", "issubclass_",
    "issubsctype", "obj2sctype", "safe_eval", "sctype2char", "set_string_function",
), "tombac._legacy")
_NAMES |= dict.fromkeys((
    "array2string", "array_repr", "array_str", "format_float_positional", "format_float_scientific", "get_printoptions",
    "load", "printoptions", "save", "savetxt", "savez", "savez_compressed", "set_printoptions",
), "tombac._io")
_NAMES |= dict.fromkeys((
    "AxisError", "ComplexWarning", "ModuleDeprecationWarning", "RankWarning", "TooHardError",
    "VisibleDeprecationWarning",
), "tombac.exceptions")


def __getattr__(name):
    if name in _MODULES:
        return _importlib.import_module(_MODULES[name])
    if name in _NAMES:
        value = getattr(_importlib.import_module(_NAMES[name]), name)
    elif name in _NUMPY:
        value = getattr(_importlib.import_module("numpy"), _NUMPY[name])
    else:
        from tombac._absent import no_attribute

        raise no_attribute("tombac", name)
    globals()[name] = value
    return value


def __dir__():
    names = set(globals()) | set(_MODULES) | set(_NAMES) | set(_NUMPY)
    return sorted(name for name in names if not name.startswith("_"))


class _Absent:
    """The last of the import system's finders: of modules and names that are not there yet it says so."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.startswith(("tombac.", "tombacx.")):
            from tombac._absent import refuse_import

            refuse_import(name)


_sys.meta_path.append(_Absent)
_neighbours.install()

__all__ = [name for name in __dir__() if name not in _MODULES]
