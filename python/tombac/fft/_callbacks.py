"""Functions of the caller's, in CUDA C++, that run where transforms load and store elements.

Each is called by a kernel of its own, before the transform or behind it: so it works on the CPU and with any cuFFT. For
those transforms where that is faster cuFFT calls it from its own kernels, into which it links it, once that will have
paid for the linking.
"""

import functools as _functools
import math as _math
import os as _os
import re as _re

from tombac import _core
from tombac._util import normalize_axis_tuple

__all__ = ["set_cufft_callbacks"]

_FORWARD, _BACKWARD, _REAL, _HALF = range(4)
_COMMENT = _re.compile(r"//[^\n]*|/\*.*?\*/", _re.S)
_POINTER = {
    "load": _re.compile(r"\bd_loadCallbackPtr\s*=\s*&?\s*([A-Za-z_][\w:]*)\s*;"),
    "store": _re.compile(r"\bd_storeCallbackPtr\s*=\s*&?\s*([A-Za-z_][\w:]*)\s*;"),
}
_FUNCTION = _re.compile(r"\b([A-Za-z_]\w*)\s*\(\s*void\s*\*\s*\w*\s*,")
_INCLUDE = _re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]cufft(?:Xt)?\.h[>\"]", _re.M)
_CUCOMPLEX = _re.compile(r"\b(?:cuC[a-z]\w*|make_cu\w+)\s*\(")  # functions of cuComplex.h, not its types

_TYPES = {"f": "cufftReal", "d": "cufftDoubleReal", "F": "cufftComplex", "D": "cufftDoubleComplex"}
_CALLS = {
    "load": """
template <class T, class N>
__device__ void tb_call(T *out, void *data, size_t i, T (*f)(void *, N, void *, void *), void *info)
{
    out[i] = f(data, (N)i, info, nullptr);
}
""",
    "store": """
template <class T, class N>
__device__ void tb_call(void *out, T *data, size_t i, void (*f)(void *, N, T, void *, void *), void *info)
{
    f(out, (N)i, data[i], info, nullptr);
}
""",
}
_KERNEL = """
extern "C" __global__ void tb_callback(%s *out, %s *data, size_t n, void *info)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (size_t)blockDim.x)
        tb_call(out, data, i, %s, info);
}
"""
_BLOCK, _MOST_BLOCKS = 256, 65535

# What a kernel of its own costs on an H200 beyond what it takes in cuFFT's: nanoseconds, and bytes in one of them.
# Linking takes tens of milliseconds, where cuFFT's files have been read: it is due when that much has been lost.
_LAUNCH, _BYTES, _LINK = 5e3, 4e3, 6e7
# Words for what depends on the kernel that calls a function, and variables, of which there would be two.
_OF_KERNELS = _re.compile(r"\b(?:(?:thread|block)Idx|(?:block|grid)Dim|__sync\w*|__shfl\w*|__shared__|__constant__|"
                          r"__managed__|cooperative_groups|__device__[^(){};]*(?:=|\[|;))")


def _source(code):
    """``code`` with the types of callbacks."""
    head = "#include <tombac/cufft.cuh>\n"
    if _CUCOMPLEX.search(code) and "cuComplex.h" not in code:
        head += "#include <cuComplex.h>\n"  # which cuFFT's own header brings
    return f"{head}#line 1\n{_INCLUDE.sub('', code)}\n"  # the toolkit's are for the host


@_functools.lru_cache(64)
def _kernel(side, code, name, dtype, options):
    """The kernel that calls the function for every element, of this dtype, of an array."""
    of_type = _TYPES[dtype]
    arrays = (of_type, "void") if side == "load" else ("void", of_type)
    text = f"{_source(code)}{_CALLS[side]}{_KERNEL % (*arrays, name)}"
    return _core.RawModule(code=text, options=options).get_function("tb_callback")


def _is_faster_inside(side, kind, dtype, points):
    """Whether cuFFT's kernels are faster with the callback than a kernel of its own is (bench/NOTES.md)."""
    if kind in (_FORWARD, _BACKWARD):  # one kernel for each axis
        return side == "store" and max(points) <= (4096 if dtype == "F" else 2048)
    # A kernel that does nothing but make complex numbers of halves of them, or the reverse.
    long = len(points) == 1 and points[0] >= 1 << 18 and points[0].bit_count() == 1
    return long and side == ("store" if kind == _REAL else "load")


class _Link:
    """A callback within one kind of transform, on one device."""

    def __init__(self, text, kind, axes, points, *_):
        self._text, self._kind, self._axes, self._points = text, kind, axes, points
        self.lost = 0  # ns that kernels of its own cost since it was linked last

    def transform(self, a, data):
        """The unscaled transform by cuFFT's kernels that call it; None: they are not to, or cannot."""
        link = self.lost >= _LINK or _os.environ.get("TOMBAC_COMPILE") == "sync"
        try:
            y = _core._fft_called(a, self._kind, self._axes, self._points, self._text, data, link)
        except (NotImplementedError, _core.CompileException):  # which a kernel of its own will say better
            self.lost = -_math.inf
            return None
        if link:
            self.lost = 0
        if y is None:
            self.lost += _LAUNCH + a.nbytes / _BYTES
        return y


_link_of = _functools.lru_cache(256)(_Link)


class _Callback:
    def __init__(self, side, code, name, data, options):
        if not isinstance(code, str):
            raise TypeError(f"set_cufft_callbacks: cb_{side} must be CUDA C++ as str, not {type(code)}")
        self.side, self.code, self.data, self.options = side, code, data, options
        plain = _COMMENT.sub(" ", code)
        self.name = name or self._name_in(plain)
        self._links = not _OF_KERNELS.search(_POINTER[side].sub("", plain))
        self.text = (_source(code), self.name, options, side == "store")

    def _name_in(self, text):
        found = _POINTER[self.side].findall(text) or sorted(set(_FUNCTION.findall(text)))
        if len(found) != 1:
            raise ValueError(f"set_cufft_callbacks: cb_{self.side} does not say which function is called: it must set "
                             f"d_{self.side}CallbackPtr, or cb_{self.side}_name name it")
        return found[0]

    def address(self):
        """Of what it is handed."""
        data = self.data.data if isinstance(self.data, _core.ndarray) else self.data
        return data.ptr if data else 0

    def link(self, a, kind, axes, points):
        """How cuFFT's kernels would call it in a transform over a's last axes, or None."""
        if (not self._links or not a.size or axes != tuple(range(a.ndim - len(axes), a.ndim))
                or not _is_faster_inside(self.side, kind, a.dtype.char, points)
                or _core.get_current_stream().is_capturing()):
            return None
        link = _link_of(self.text, kind, axes, tuple(points), a.shape, a.dtype.char, a.device.id)
        return link if link.lost >= 0 else None

    def __call__(self, a):
        """A new array, of a's shape and dtype, of the elements that the function gives for ``a``."""
        out = _core.empty(a.shape, a.dtype)
        if a.size:
            kernel = _kernel(self.side, self.code, self.name, a.dtype.char, self.options)
            grid = min(-(-a.size // _BLOCK), _MOST_BLOCKS)
            kernel((grid,), (_BLOCK,), (out, a, a.size, self.data))
        return out


def _data(side, callback, array, pointer):
    """What a callback is handed: an array, a MemoryPointer, or 0."""
    if array is not None and pointer is not None:
        raise ValueError(f"set_cufft_callbacks: cb_{side}_aux_arr and cb_{side}_data are two names of one thing")
    data = array if pointer is None else pointer
    if data is None:
        return 0
    if not callback:
        raise ValueError(f"set_cufft_callbacks: there is data for cb_{side}, but no cb_{side}")
    if not isinstance(data, (_core.ndarray, _core.MemoryPointer)):
        raise TypeError(f"set_cufft_callbacks: data for cb_{side} must be a tombac.ndarray or a MemoryPointer, not "
                        f"{type(data)}")
    return data


def _points(a, kind, axes, lengths):
    """How many points there are along each axis."""
    points = [a.shape[axis] if lengths is None or lengths[i] == -1 else lengths[i] for i, axis in enumerate(axes)]
    if kind == _HALF and lengths is None:
        points[-1] = 2 * (points[-1] - 1)
    return points


def _fitted(a, shape, dtype):
    """``a`` in C order, cut off or continued by zeros."""
    if a.shape == shape:
        return _core.ascontiguousarray(a, dtype)
    out = _core.zeros(shape, dtype)
    common = tuple([slice(min(n, m)) for n, m in zip(a.shape, shape, strict=True)])
    out[common] = a[common]
    return out


class set_cufft_callbacks:  # noqa: N801 (CuPy's name)
    """Has functions of the caller's run where transforms in a ``with`` block load and store elements.

    They are compiled as user kernels are, on the CPU too, and called once for each element: before the transform, of
    the input after it was cast, and cut off or continued by zeros; and behind it, before the norm scales. ``offset``
    counts the elements of that input or result in C order, with the axis last for transforms along one. Several axes
    are one transform.

    Args:
        cb_load: CUDA C++ with a function ``cufftComplex f(void *dataIn, size_t offset, void *callerInfo, void
            *sharedPtr)``, which gives the element, and ``__device__ cufftCallbackLoadC d_loadCallbackPtr = f;``. For
            real numbers and double precision: R, D and Z in place of C.
        cb_store: CUDA C++ with a function ``void f(void *dataOut, size_t offset, cufftComplex element, void
            *callerInfo, void *sharedPtr)``, which stores it, and ``__device__ cufftCallbackStoreC d_storeCallbackPtr
            = f;``.
        cb_load_aux_arr: An array whose address is the load function's ``callerInfo``.
        cb_store_aux_arr: The same for the store function.
        cb_load_name: The load function's name, where ``cb_load`` sets no ``d_loadCallbackPtr``.
        cb_store_name: The same for the store function.
        cb_load_data: As ``cb_load_aux_arr``, by a :class:`tombac.cuda.MemoryPointer`.
        cb_store_data: The same for the store function.
        cb_ver: 'legacy' or 'jit', cuFFT's two kinds, whose offsets are of different types: either takes both.
        nvrtc_options: A tuple of options for the compiler.

    Raises:
        TypeError: An argument has another type.
        ValueError: There is neither function, data for a function that is not there, or no way to tell which function
            of the text is called.

    ``sharedPtr`` is null. Each function costs a pass over the elements, unless cuFFT's kernels call it: if these are
    faster with it (as a rule in stores of complex transforms whose axes have up to 4,096 points) and the same
    transform has been made so often that linking it into them pays. ``TOMBAC_COMPILE=sync`` has it linked at once.

    >>> import tombac as tb
    >>> code = r'''
    ... __device__ cufftDoubleComplex twice(void *data, size_t i, void *info, void *shared)
    ... {
    ...     cufftDoubleComplex x = ((cufftDoubleComplex *)data)[i];
    ...     x.x *= 2, x.y *= 2;
    ...     return x;
    ... }
    ... __device__ cufftCallbackLoadZ d_loadCallbackPtr = twice;
    ... '''
    >>> with tb.fft.config.set_cufft_callbacks(cb_load=code):
    ...     y = tb.fft.fft(tb.ones(2))
    >>> y
    array([4.+0.j, 0.+0.j])
    """

    def __init__(self, cb_load=None, cb_store=None, cb_load_aux_arr=None, *, cb_store_aux_arr=None, cb_load_name=None,
                 cb_store_name=None, cb_load_data=None, cb_store_data=None, cb_ver="legacy", nvrtc_options=()):
        if not cb_load and not cb_store:
            raise ValueError("set_cufft_callbacks: cb_load or cb_store is expected")
        if cb_ver not in ("legacy", "jit"):
            raise ValueError(f"set_cufft_callbacks: cb_ver must be 'legacy' or 'jit', not {cb_ver!r}")
        options = tuple(nvrtc_options)
        load_data = _data("load", cb_load, cb_load_aux_arr, cb_load_data)
        store_data = _data("store", cb_store, cb_store_aux_arr, cb_store_data)
        self._load = _Callback("load", cb_load, cb_load_name, load_data, options) if cb_load else None
        self._store = _Callback("store", cb_store, cb_store_name, store_data, options) if cb_store else None
        self._before = []

    def __enter__(self):
        self._before.append(_core._fft_divert(self._transform))
        return self

    def __exit__(self, *_):
        _core._fft_divert(self._before.pop())

    def _transform(self, a, kind, norm, axes, lengths, out):
        """What the extension's ``_fft`` is, with the callbacks."""
        one = hasattr(axes, "__index__")
        axes = normalize_axis_tuple((axes,) if one else axes, a.ndim)
        lengths = (lengths,) if lengths is not None and one else lengths
        if lengths is not None and len(lengths) != len(axes):
            raise ValueError("Shape and axes have different lengths.")
        if not axes or (kind == _REAL and a.dtype.kind == "c"):  # nothing to do, an error
            return _core._fft(a, kind, norm, axes, lengths, out)
        points = _points(a, kind, axes, lengths)
        if min(points) < 1:
            raise ValueError(f"Invalid number of FFT data points ({min(points)}) specified.")
        x = a.swapaxes(axes[0], -1) if one else a
        y = self._along(x, kind, (a.ndim - 1,) if one else axes, points)
        y = y.swapaxes(axes[0], -1) if one else y
        return _scaled(y, _scale(kind, norm, _math.prod(points)), out)

    def _along(self, a, kind, axes, points):
        """The transform of ``a``, unscaled."""
        shape = list(a.shape)
        for axis, n in zip(axes, points, strict=True):
            shape[axis] = n
        if kind == _HALF:
            shape[axes[-1]] = points[-1] // 2 + 1
        single = a.dtype.char in "eEfF"
        x = _fitted(a, tuple(shape), ("f" if single else "d") if kind == _REAL else ("F" if single else "D"))
        load, store = self._load, self._store
        inside, link = self._linked(x, kind, axes, points)
        if load and inside is not load:
            x, load = load(x), None
        y = link.transform(x, inside.address()) if link else None
        if y is None:
            x = load(x) if load else x
            y = _core._fft(x, kind, "backward" if kind in (_FORWARD, _REAL) else "forward", axes, points, None)
        elif inside is store:
            return y
        return store(_core.ascontiguousarray(y)) if store else y

    def _linked(self, *transform):
        """The callback that cuFFT's kernels are to call, and how; there is one at most for which that is faster."""
        for callback in (self._load, self._store) if _core.backend() == "cuda" else ():
            link = callback and callback.link(*transform)
            if link:
                return callback, link
        return None, None


def _scale(kind, norm, n):
    norms = (None, "backward", "ortho", "forward")
    if norm not in norms:
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    if norm == "ortho":
        return 1 / _math.sqrt(n)
    return 1 / n if (norm == "forward") == (kind in (_FORWARD, _REAL)) else 1


def _scaled(a, by, out):
    if out is None:
        return a if by == 1 else a * by
    return _core.positive(a, out=out) if by == 1 else _core.multiply(a, by, out=out)
