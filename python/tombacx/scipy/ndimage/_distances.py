"""Distances to what is zero: Euclidean ones exactly, axis by axis, of the nearest elements along the axes before; by
other metrics by SciPy on the host."""

import operator

from tombac import _core
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy._host import by_host, scipy_function
from tombacx.scipy.ndimage import _support
from tombacx.scipy.ndimage._binary import structure_of

__all__ = ["distance_transform_bf", "distance_transform_cdt", "distance_transform_edt"]

_documented = with_rows(
    input="input: An array; what is not zero has a distance.",
    wanted="""return_distances: Whether the distances are wanted.
        return_indices: Whether the indices of the nearest elements are wanted.""",
    given="indices: An array of int32 and the shape (ndim, ...) to write the indices to, in place of returning them.",
    refusals="""TypeError: ``input`` is no tombac array.
        ImportError: SciPy is not installed.
        RuntimeError: Nothing is wanted, the metric is another, or an array that is given is of another shape or
            dtype.""",
)


def _check(name, distances, indices, return_distances, return_indices):
    why = []
    if not return_distances and not return_indices:
        why.append("at least one of return_distances and return_indices must be True")
    if distances is not None and not return_distances:
        why.append("return_distances must be True if distances is given")
    if indices is not None and not return_indices:
        why.append("return_indices must be True if indices is given")
    if why:
        raise RuntimeError(f"{name}: " + ", ".join(why))


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

    Where nothing is zero, distances are infinite. Of several nearest elements indices are those of the first in
    Fortran's order, but for rounding where ``sampling`` is not of whole numbers.
    Source: P. F. Felzenszwalb, D. P. Huttenlocher, Distance transforms of sampled functions (2012): axis by axis, on
    the CPU by lower envelopes; on a GPU by search outwards along each axis but the last.

    >>> tombacx.scipy.ndimage.distance_transform_edt(tombac.array([0, 1, 1, 1, 0, 1]))
    array([0., 1., 2., 1., 0., 1.])
    """
    _check("distance_transform_edt", distances, indices, return_distances, return_indices)
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
    found, places = (_by_columns if return_indices else _core._distance_transform)(
        image, tuple(steps), not float64_distances, return_indices)
    return _wanted((found, return_distances, distances), (places, return_indices, indices))


def _by_columns(image, steps, single, with_indices):
    """The transform with its axes from the first on, not the last: the order says which of equally near elements is the
    nearest, the one that comes first in Fortran's order, as SciPy's is.
    """
    found, places = _core._distance_transform(image.T, steps[::-1], single, with_indices)
    axes = (0, *range(image.ndim, 0, -1))
    return _core.ascontiguousarray(found.T), _core.ascontiguousarray(places[::-1].transpose(axes))


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


def _wanted(*rows):
    """Of (result, whether it is wanted, an array for it or None) those results that are to be returned."""
    results = []
    for found, wanted, out in rows:
        if wanted and out is None:
            results.append(found)
        elif wanted:
            out[...] = found
    return None if not results else results[0] if len(results) == 1 else tuple(results)


# ---- other metrics ---------------------------------------------------------------------------------------------------


def _by_scipy(name, image, metric, return_distances, return_indices, distances, indices, **options):
    _check(name, distances, indices, return_distances, return_indices)
    check_arrays(name, image)
    found = by_host(scipy_function("scipy.ndimage", name), image, metric, return_distances=return_distances,
                    return_indices=return_indices, **options)
    found, places = found if return_distances and return_indices else (found, found)
    for what, out, result in ("distances", distances, found), ("indices", indices, places):
        if out is not None and (out.shape != result.shape or out.dtype != result.dtype):
            raise RuntimeError(f"{name}: {what} must be of {result.dtype} and the shape {result.shape}, not of "
                               f"{out.dtype} and {out.shape}")
    return _wanted((found, return_distances, distances), (places, return_indices, indices))


_STEPS = {"taxicab": 1, "cityblock": 1, "manhattan": 1, "chessboard": None}  # along how many axes; None for all


@_documented
def distance_transform_cdt(input, metric="chessboard", return_distances=True, return_indices=False, distances=None,
                           indices=None):
    """The distance of each element to the nearest one that is zero, in steps from neighbour to neighbour.

    Args:
        {input}
        metric: 'chessboard', whose steps may be diagonal; 'taxicab', 'cityblock' or 'manhattan', whose are along axes;
            or an array of truth values of length 3 along every axis: the neighbours that are a step away.
        {wanted}
        distances: An array of int32 to write the distances to, in place of returning them.
        {given}

    Returns:
        An array, or a tuple of two: distances of int32, indices of int32 and the shape (ndim, ...); None if both are
        given.

    Raises:
        {refusals}
        ValueError: There is no such metric.

    It is computed by SciPy on the host. Where nothing is zero, distances are -1.

    >>> tombacx.scipy.ndimage.distance_transform_cdt(tombac.array([0, 1, 1, 1, 0, 1]))
    array([0, 1, 2, 1, 0, 1], dtype=int32)
    """
    check_arrays("distance_transform_cdt", input)
    if type(metric) is str and metric in _STEPS:  # neighbours that are made once
        metric = structure_of(input.ndim, _STEPS[metric] or input.ndim)
    return _by_scipy("distance_transform_cdt", input, metric, return_distances, return_indices, distances, indices)


@_documented
def distance_transform_bf(input, metric="euclidean", sampling=None, return_distances=True, return_indices=False,
                          distances=None, indices=None):
    """The distance of each element to the nearest one that is zero, by comparing it with all of these.

    Args:
        {input}
        metric: 'euclidean'; 'taxicab', 'cityblock' or 'manhattan'; or 'chessboard'.
        sampling: For Euclidean distances: how far apart elements are, along every axis, or one number for each; 1 if
            None.
        {wanted}
        distances: An array to write the distances to, in place of returning them: of float64, or of uint32 for other
            metrics.
        {given}

    Returns:
        An array, or a tuple of two: distances of float64 or uint32, indices of int32 and the shape (ndim, ...); None
        if both are given.

    Raises:
        {refusals}

    It is computed by SciPy on the host, and takes the square of the number of elements; distance_transform_edt is the
    fast one.

    >>> tombacx.scipy.ndimage.distance_transform_bf(tombac.array([0, 1, 1, 1, 0, 1]), "taxicab")
    array([0, 1, 2, 1, 0, 1], dtype=uint32)
    """
    return _by_scipy("distance_transform_bf", input, metric, return_distances, return_indices, distances, indices,
                     sampling=sampling)
