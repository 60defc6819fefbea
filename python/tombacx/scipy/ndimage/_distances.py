"""Distances to what is zero, exactly: axis by axis, of the nearest elements along the axes before."""

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


def _nearest_along(squares, axis, step, first, wanted):
    """(the least squared distance by way of an element along the axis, that element's index if it is wanted)."""
    if _core.backend() == "cpu":
        return _core._least_parabolas(squares, axis, step, wanted)
    n = squares.shape[axis]
    i = _core.arange(n)
    moved = squares.swapaxes(axis, -1)
    if first:  # of what is zero itself: the last one before, or the next one
        there = moved == 0
        before = _core.maximum.accumulate(where(there, i, -n), axis=-1)
        after = _core.minimum.accumulate(where(there, i, 2 * n)[..., ::-1], axis=-1)[..., ::-1]
        nearest = where(i - before <= after - i, before, after)
        apart = where((nearest >= 0) & (nearest < n), _core.square((nearest - i) * step), _NOWHERE)
        nearest = _core.clip(nearest, 0, n - 1)
    else:
        # Without a name the sums are the reduction's prologue, and no array of all pairs.
        nearest = (moved[..., None, :] + _core.square((i[:, None] - i) * step)).argmin(axis=-1)
        apart = _core.minimum(_NOWHERE, _along(moved, nearest) + _core.square((nearest - i) * step))
    return apart.swapaxes(axis, -1), nearest.swapaxes(axis, -1)


def _along(x, index):
    """``x[..., index[..., i]]``."""
    n = x.shape[-1]
    rows = _core.arange(x.size // n if n else 0).reshape(x.shape[:-1] + (1,))
    return x.ravel()[rows * n + index]


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
        indices: An array of int32 and the shape (ndim, ...) to write the indices to, in place of returning them.
        block_params: Accepted for CuPy's sake.
        float64_distances: Whether distances are of float64 rather than of float32.

    Returns:
        An array, or a tuple of two: distances of ``image``'s shape, indices of int32 and the shape (ndim, ...); None
            if both
        are given.

    Raises:
        TypeError: ``image`` is no tombac array.
        RuntimeError: Nothing is wanted, or an array that is given is of another shape or dtype.

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
    steps = [1.0] * image.ndim if sampling is None else \
        [float(s) for s in _support.sequence("distance_transform_edt", "sampling", sampling, image.ndim)]
    dtype = np.dtype("d" if float64_distances else "f")
    if indices is not None and (indices.shape != (image.ndim, *image.shape) or indices.dtype != np.int32):
        wanted = (image.ndim, *image.shape)
        raise RuntimeError(f"distance_transform_edt: indices must be of int32 and the shape {wanted}")
    if distances is not None and (distances.shape != image.shape or distances.dtype != dtype):
        raise RuntimeError(f"distance_transform_edt: distances must be of {dtype} and the shape {image.shape}")
    squares = where(image == 0, 0.0, _NOWHERE)
    places = []  # for each axis so far, the index along it of the nearest element
    for d in range(image.ndim if image.size else 0):
        squares, nearest = _nearest_along(squares, d, steps[d], d == 0, return_indices)
        if return_indices:
            places = [_along(p.swapaxes(d, -1), nearest.swapaxes(d, -1)).swapaxes(d, -1) for p in places] + [nearest]
    results = []
    if return_distances:
        found = _core.sqrt(where(squares < _NOWHERE, squares, np.inf)).astype(dtype)
        results += _given(found, distances)
    if return_indices:
        found = _core.stack(places).astype("i") if places else _core.zeros((image.ndim, *image.shape), "i")
        results += _given(found, indices)
    return None if not results else results[0] if len(results) == 1 else tuple(results)


def _given(found, out):
    if out is None:
        return [found]
    out[...] = found
    return []
