"""Distances to what is zero, exactly: axis by axis, of the nearest elements along the axes before."""

import functools
import math
import operator

from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy.ndimage import _support

__all__ = ["distance_transform_edt"]

_NOWHERE = 1e300  # farther than any element


def _check(distances, indices, return_distances, return_indices):
    why = []
    if not return_distances and not return_indices:
        why.append("at least one of return_distances and return_indices must be True")
    if distances is not None and not return_distances:
        why.append("return_distances must be True if distances is given")
    if indices is not None and not return_indices:
        why.append("return_indices must be True if indices is given")
    if why:
        raise RuntimeError("distance_transform_edt: " + ", ".join(why))


# Squares are T: unsigned where all distances are whole and their squares fit, else double; FAR is farther than any.
# What a kernel finds it stores as T, or, as the last one, as distances of R.
_KERNELS = """
enum { THREADS = 256, LANES = 32, ROWS = 8 };

#ifdef R
__device__ void deliver(T square, R *to) { *to = (R)(square < FAR ? sqrt((double)square) : 1.0 / 0.0); }
#else
__device__ void deliver(T square, T *to) { *to = square < FAR ? square : FAR; }
#endif

// Where a row is zero: a bit for each element, 32 of them a word.
extern "C" __global__ void __launch_bounds__(THREADS)
tombac_zeros(const bool *set, unsigned *words, long long lines, int n, int each)
{
    const long long word = ((long long)blockIdx.x * THREADS + threadIdx.x) / LANES, line = word / each;
    const int lane = threadIdx.x % LANES, at = (int)(word % each) * LANES + lane;
    const unsigned mask = __ballot_sync(0xffffffffu, line < lines && at < n && !set[line * n + at]);
    if (lane == 0 && line < lines) words[word] = mask;
}

// The last zero up to the end of each word, and the first one from its beginning on; -1 and n where there is none. A
// warp has a row.
extern "C" __global__ void __launch_bounds__(THREADS)
tombac_zeros_beside(const unsigned *words, int *before, int *behind, long long lines, int n, int each)
{
    const long long line = ((long long)blockIdx.x * THREADS + threadIdx.x) / LANES;
    const int lane = threadIdx.x % LANES;
    if (line >= lines) return;
    int last = -1, next = n;
    for (int from = 0; from < each; from += LANES) {
        const int w = from + lane;
        const unsigned mask = w < each ? words[line * each + w] : 0;
        int place = mask ? w * LANES + 31 - __clz(mask) : -1;
        for (int apart = 1; apart < LANES; apart *= 2) {
            const int other = __shfl_up_sync(0xffffffffu, place, apart);
            place = lane >= apart && other > place ? other : place;
        }
        place = place > last ? place : last;
        if (w < each) before[line * each + w] = place;
        last = __shfl_sync(0xffffffffu, place, 31);
    }
    for (int from = (each - 1) / LANES * LANES; from >= 0; from -= LANES) {
        const int w = from + lane;
        const unsigned mask = w < each ? words[line * each + w] : 0;
        int place = mask ? w * LANES + __ffs(mask) - 1 : n;
        for (int apart = 1; apart < LANES; apart *= 2) {
            const int other = __shfl_down_sync(0xffffffffu, place, apart);
            place = lane + apart < LANES && other < place ? other : place;
        }
        place = place < next ? place : next;
        if (w < each) behind[line * each + w] = place;
        next = __shfl_sync(0xffffffffu, place, 0);
    }
}

// The nearest zero of each element's row; of two as near, the one before.
template <class TO> __device__ void along_rows(const unsigned *words, const int *before, const int *behind, TO *least,
                                               int *nearest, long long size, int n, int each, double step, int wanted)
{
    const place i = (place)blockIdx.x * THREADS + threadIdx.x;
    if (i >= size) return;
    const place line = i / n;
    const int here = (int)(i - line * n), bit = here % LANES;
    const place w = line * each + here / LANES;
    const unsigned mask = words[w], low = mask << (31 - bit), high = mask >> bit;
    const int last = low ? here - __clz(low) : here >= LANES ? before[w - 1] : -1;
    const int next = high ? here + __ffs(high) - 1 : here / LANES + 1 < each ? behind[w + 1] : n;
    const bool left = last >= 0 && (next >= n || here - last <= next - here);
    const int found = left ? last : next < n ? next : -1;
    const T apart = (T)(found < here ? here - found : found - here) * (T)step;
    deliver(found < 0 ? FAR : apart * apart, least + i);
    if (wanted) nearest[i] = found < 0 ? here : found;
}

// From each element outwards along an axis, as far as any could be nearer than the nearest so far.
template <class TO>
__device__ void along_columns(const T *squares, TO *least, int *nearest, long long n, long long inner, double step,
                              int wanted)
{
    const place across = (place)((inner + LANES - 1) / LANES), down = (place)((n + ROWS - 1) / ROWS);
    const place column = (place)(blockIdx.x % across) * LANES + threadIdx.x % LANES;
    const int here = (int)(blockIdx.x / across % down) * ROWS + threadIdx.x / LANES, end = (int)n;
    if (column >= inner || here >= end) return;
    const place at = (place)(blockIdx.x / across / down) * (place)(n * inner) + column, next = (place)inner;
    const T *up = squares + at + here * next, *down_from = up;
    T best = *up;
    int found = here;
    for (int k = 1; k <= here || k < end - here; k++) {
        const T apart = (T)k * (T)step * ((T)k * (T)step);
        if (apart > best) break;
        up -= next;
        down_from += next;
        if (k <= here && *up + apart <= best) {
            best = *up + apart;
            found = here - k;
        }
        if (k < end - here && *down_from + apart < best) {
            best = *down_from + apart;
            found = here + k;
        }
    }
    deliver(best, least + at + here * next);
    if (wanted) nearest[at + here * next] = found;
}

#define ROWS_KERNEL(NAME, TO)                                                                                        \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                            \
    NAME(const unsigned *words, const int *before, const int *behind, TO *least, int *nearest, long long size, int n, \
         int each, double step, int wanted)                                                                          \
    {                                                                                                                \
        along_rows(words, before, behind, least, nearest, size, n, each, step, wanted);                              \
    }
#define COLUMNS_KERNEL(NAME, TO)                                                                                     \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                            \
    NAME(const T *squares, TO *least, int *nearest, long long n, long long inner, double step, int wanted)           \
    {                                                                                                                \
        along_columns(squares, least, nearest, n, inner, step, wanted);                                              \
    }
#ifdef R
ROWS_KERNEL(tombac_rows, R)
COLUMNS_KERNEL(tombac_columns, R)
#else
ROWS_KERNEL(tombac_rows, T)
COLUMNS_KERNEL(tombac_columns, T)
#endif
"""
_THREADS, _LANES, _ROWS = 256, 32, 8


@functools.cache
def _module(whole, dtype, wide):
    """Kernels that store squares, or as the last ones distances of a dtype."""
    code = f"typedef {'long long' if wide else 'int'} place;\n"
    code += "typedef unsigned T;\n#define FAR 0x7fffffffu\n" if whole else "typedef double T;\n#define FAR 1e300\n"
    code += "" if dtype is None else f"#define R {dtype}\n"
    return _core.RawModule(code=code + _KERNELS)


def _blocks(n, each=_THREADS):
    return (-(-n // each),)


def _zeros_beside(image, module):
    """Bits for where an image is zero, and what of these is beside each word of 32, along the last axis."""
    n = image.shape[-1]
    lines, each = image.size // n, -(-n // _LANES)
    words, before, behind = (_core.empty(lines * each, t) for t in "Iii")
    size = (lines, np.int32(n), np.int32(each))
    set = _core.ascontiguousarray(image if image.dtype.char == "?" else image != 0)
    module.get_function("tombac_zeros")(_blocks(lines * each, _THREADS // _LANES), (_THREADS,), (set, words, *size))
    module.get_function("tombac_zeros_beside")(_blocks(lines, _THREADS // _LANES), (_THREADS,),
                                               (words, before, behind, *size))
    return words, before, behind


def _nearest_on_device(image, steps, dtype, wanted):
    """(the distances to the nearest zero, if wanted its index along each axis): bits of the last axis, which need no
    search, then the other axes; of zeros that are as near another one is found than on the CPU."""
    if not image.size:
        return _core.empty(image.shape, dtype), []
    whole = all(s == 1 for s in steps) and sum((n - 1) ** 2 for n in image.shape) < 2**31 - 1
    wide, last = image.size >= 2**31, image.ndim - 1
    squares, places = None, {}
    for d in range(last, -1, -1):
        module = _module(whole, None if d else {"d": "double", "f": "float"}[dtype.char], wide)
        found = _core.empty(image.shape, dtype if d == 0 else "I" if whole else "d")
        nearest = _core.empty(image.shape if wanted else 1, "i")
        n, inner = image.shape[d], math.prod(image.shape[d + 1 :])
        if d == last:
            sides = (image.size, np.int32(n), np.int32(-(-n // _LANES)), steps[d], np.int32(wanted))
            beside = _zeros_beside(image, module)
            module.get_function("tombac_rows")(_blocks(image.size), (_THREADS,), (*beside, found, nearest, *sides))
        else:
            blocks = (-(-inner // _LANES) * -(-n // _ROWS) * (image.size // (n * inner)),)
            module.get_function("tombac_columns")(
                blocks, (_THREADS,), (squares, found, nearest, n, inner, steps[d], np.int32(wanted)))
        squares = found
        if wanted:
            places = {e: _along(p.swapaxes(d, -1), nearest.swapaxes(d, -1)).swapaxes(d, -1) for e, p in places.items()}
            places[d] = nearest
    return squares, [places[d] for d in sorted(places)]


def _along(x, index):
    """``x[..., index[..., i]]``."""
    n = x.shape[-1]
    rows = _core.arange(x.size // n if n else 0).reshape(x.shape[:-1] + (1,))
    return x.ravel()[rows * n + index]


def _nearest(image, steps, dtype, wanted):
    """(the distances to the nearest zero, if wanted its index along each axis of what has elements)."""
    if _core.backend() != "cpu":
        return _nearest_on_device(image, steps, dtype, wanted)
    squares, places = where(image == 0, 0.0, _NOWHERE), {}
    for d in range(image.ndim if image.size else 0):
        squares, nearest = _core._least_parabolas(squares, d, steps[d], wanted)
        if wanted:
            places = {e: _along(p.swapaxes(d, -1), nearest.swapaxes(d, -1)).swapaxes(d, -1) for e, p in places.items()}
            places[d] = nearest
    distances = _core.sqrt(where(squares < _NOWHERE, squares, np.inf)).astype(dtype)
    return _core.ascontiguousarray(distances), [places[d] for d in sorted(places)]


def distance_transform_edt(image, sampling=None, return_distances=True, return_indices=False, distances=None,
                           indices=None, *,
                           block_params=None, float64_distances=True):
    """The Euclidean distance of each element to the nearest one that is zero.

    Args:
        image: An array; what is not zero has a distance.
        sampling: How far apart elements are: along every axis, or one number for each; 1 if None.
        return_distances: Whether the distances are wanted.
        return_indices: Whether the indices of the nearest elements are wanted.
        distances: An array of float64 to write the distances to, in place of returning them.
        indices: An array of the shape (ndim, ...) to write the indices to, in place of returning them: of int32, or
            other integers of at least two bytes that hold them.
        block_params: Three positive integers, the second a power of two, by which CuPy divides its work; of no effect.
        float64_distances: Whether distances are of float64 rather than of float32.

    Returns:
        An array, or a tuple of two: distances of ``image``'s shape, indices of int32 and the shape (ndim, ...); None
        if both are given.

    Raises:
        TypeError: ``image`` is no tombac array.
        RuntimeError: Nothing is wanted, or an array that is given is of another shape or dtype.
        ValueError: There can be no such ``block_params``.

    Where nothing is zero, distances are infinite. Of several nearest elements indices may be another one's than
    SciPy's.
    Source: P. F. Felzenszwalb, D. P. Huttenlocher, Distance transforms of sampled functions (2012): axis by axis, on
    the CPU by lower envelopes; on a GPU by search outwards along each axis but the last.

    >>> tombacx.scipy.ndimage.distance_transform_edt(tombac.array([0, 1, 1, 1, 0, 1]))
    array([0., 1., 2., 1., 0., 1.])
    """
    _check(distances, indices, return_distances, return_indices)
    check_arrays("distance_transform_edt", image)
    image = image.reshape(1) if image.ndim == 0 else image
    _check_blocks(block_params, image.shape)
    steps = [1.0] * image.ndim if sampling is None else \
        [float(s) for s in _support.sequence("distance_transform_edt", "sampling", sampling, image.ndim)]
    dtype = np.dtype("d" if float64_distances else "f")
    wanted = (image.ndim, *image.shape)
    if indices is not None and (indices.shape != wanted or not _holds_indices(indices.dtype, image.shape)):
        raise RuntimeError(f"distance_transform_edt: indices must be of int32 or integers of two bytes or more that "
                           f"hold them, and of the shape {wanted}, not of {indices.dtype} and {indices.shape}")
    if distances is not None and (distances.shape != image.shape or distances.dtype != dtype):
        raise RuntimeError(f"distance_transform_edt: distances must be of {dtype} and the shape {image.shape}")
    found, places = _nearest(image, steps, dtype, bool(return_indices))
    results = []
    if return_distances:
        results += _given(found, distances)
    if return_indices:
        found = _core.stack(places).astype("i") if places else _core.zeros((image.ndim, *image.shape), "i")
        results += _given(found, indices)
    return None if not results else results[0] if len(results) == 1 else tuple(results)


def _holds_indices(dtype, shape):
    return dtype.kind in "iu" and dtype.itemsize > 1 and max(shape, default=0) - 1 <= np.iinfo(dtype).max


def _check_blocks(params, shape):
    """ValueError unless so many blocks of rows could be made, CuPy's rule: of lines of 32 elements or more."""
    if params is None:
        return
    try:
        bands, columns, colours = map(operator.index, params)
    except TypeError:
        raise ValueError(f"distance_transform_edt: block_params must be three integers, not {params!r}") from None
    most = -(-max(shape, default=1) // 32)
    if not 1 <= min(bands, columns, colours) <= max(bands, columns, colours) <= most or columns & (columns - 1):
        raise ValueError(f"distance_transform_edt: block_params must be three integers from 1 to {most}, the second a "
                         f"power of two, not {params!r}")


def _given(found, out):
    if out is None:
        return [found]
    out[...] = found
    return []
