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


# From each element outwards, as far as any could be nearer than the nearest so far: of two as near, the one before.
_SEARCH = """
const double *line = (const double *)&squares[0] + i / (n * inner) * n * inner + i % inner;
const long long here = i / inner % n;
double best = line[here * inner];
long long place = here;
for (long long k = 1; k <= here || k < n - here; k++) {
    const double apart = (k * step) * (k * step);
    if (apart > best) break;
    if (k <= here && line[(here - k) * inner] + apart <= best) {
        best = line[(here - k) * inner] + apart;
        place = here - k;
    }
    if (k < n - here && line[(here + k) * inner] + apart < best) {
        best = line[(here + k) * inner] + apart;
        place = here + k;
    }
}
least = best < nowhere ? best : nowhere;
nearest = (int)place;
"""


@functools.cache
def _search(wanted):
    least = "float64 least, int32 nearest" if wanted else "float64 least"
    return _core.ElementwiseKernel(
        "raw float64 squares, int64 n, int64 inner, float64 step, float64 nowhere", least,
        _SEARCH if wanted else _SEARCH.replace("nearest = (int)place;", ""), "tombac_nearest")


def _nearest_along(squares, axis, step, first, wanted):
    """(the least squared distance by way of an element along the axis, that element's index if it is wanted)."""
    if _core.backend() == "cpu":
        return _core._least_parabolas(squares, axis, step, wanted)
    if first:
        return _nearest_in_rows(squares, step)
    found = [_core.empty(squares.shape, t) for t in ("d", "i")[: 1 + wanted]]
    inner = math.prod(squares.shape[axis + 1 :])
    _search(wanted)(squares, squares.shape[axis], inner, step, _NOWHERE, *found)
    return found[0], found[-1]


def _nearest_in_rows(squares, step):
    """Of elements that are zero or nowhere, along the last axis: the last zero before each, or the next one."""
    n = squares.shape[-1]
    i = _core.arange(n, dtype="i")
    before = _core.maximum.accumulate(where(squares == 0, i, -n).astype("i"), axis=-1)
    after = _core.minimum.accumulate(where(squares == 0, i, 2 * n).astype("i")[..., ::-1], axis=-1)[..., ::-1]
    nearest = where(i - before <= after - i, before, after)
    apart = where((nearest >= 0) & (nearest < n), _core.square((nearest - i) * step), _NOWHERE)
    return _core.ascontiguousarray(apart), _core.clip(nearest, 0, n - 1)


def _along(x, index):
    """``x[..., index[..., i]]``."""
    n = x.shape[-1]
    rows = _core.arange(x.size // n if n else 0).reshape(x.shape[:-1] + (1,))
    return x.ravel()[rows * n + index]


def _nearest(image, steps, wanted):
    """(the squared distances to the nearest zero, if wanted its index along each axis of what has elements)."""
    squares, places = where(image == 0, 0.0, _NOWHERE), {}
    order = range(image.ndim if image.size else 0)
    if _core.backend() != "cpu":
        order = order[::-1]  # the last axis needs no search; of zeros that are as near another one is found
    for d in order:
        squares, nearest = _nearest_along(squares, d, steps[d], d == order[0], wanted)
        if wanted:
            places = {e: _along(p.swapaxes(d, -1), nearest.swapaxes(d, -1)).swapaxes(d, -1) for e, p in places.items()}
            places[d] = nearest
    return squares, [places[d] for d in sorted(places)]


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
            if both
        are given.

    Raises:
        TypeError: ``image`` is no tombac array.
        RuntimeError: Nothing is wanted, or an array that is given is of another shape or dtype.
        ValueError: There can be no such ``block_params``.

    Where nothing is zero, distances are infinite. Of several nearest elements indices may be another one's than
    SciPy's.
    Source: P. F. Felzenszwalb, D. P. Huttenlocher, Distance transforms of sampled functions (2012): axis by axis, on
    the CPU by lower envelopes; on a GPU over all pairs along each axis but the first.

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
    squares, places = _nearest(image, steps, return_indices)
    results = []
    if return_distances:
        found = _core.sqrt(where(squares < _NOWHERE, squares, np.inf)).astype(dtype)
        results += _given(_core.ascontiguousarray(found), distances)
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
