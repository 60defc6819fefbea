"""Measurements of what labels mark: sums, means, extremes, medians, histograms, centres and places."""

from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._sorting import argsort
from tombac._sorting import searchsorted as _searchsorted
from tombac._util import check_arrays
from tombacx.scipy._host import readable
from tombacx.scipy.ndimage._groups import Groups
from tombacx.scipy.ndimage._groups import documented as _documented

__all__ = [
    "center_of_mass", "extrema", "histogram", "labeled_comprehension", "maximum", "maximum_position", "mean", "median",
    "minimum", "minimum_position", "standard_deviation", "sum", "sum_labels", "variance",
]


@_documented
def sum_labels(input, labels=None, index=None):
    """The sum of the elements of each group.

    Args:
        {input}
        {labels}
        {index}

    Returns:
        An array of ``index``'s shape, of float64; for one group without dimensions, of the dtype of ``input.sum()``.

    Raises:
        {refusals}

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.sum_labels(x, labels, [1, 2])
    array([ 6., 12.])
    """
    groups = Groups("sum_labels", input, labels, index, True)
    if labels is None:
        return input.sum()
    if groups.chosen is not None:  # in the dtype of NumPy's sum
        return where(groups.chosen, groups.values, 0).sum().astype(_sum_dtype(input), copy=False)
    return groups.each(groups.sums())


def _sum_dtype(input):
    return _core.empty(0, input.dtype).sum().dtype


@_documented
def sum(input, labels=None, index=None):
    """Another name of sum_labels: the sum of the elements of each group.

    Args:
        {input}
        {labels}
        {index}

    Returns:
        {value}

    Raises:
        {refusals}

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.sum(x, labels, [1, 2])
    array([ 6., 12.])
    """
    return sum_labels(input, labels, index)


@_documented
def mean(input, labels=None, index=None):
    """The mean of each group.

    Args:
        {input}
        {labels}
        {index}

    Returns:
        {value}

    Raises:
        {refusals}

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.mean(x, labels, [1, 2])
    array([3., 6.])
    """
    groups = Groups("mean", input, labels, index)
    return groups.each(groups.sums() / groups.counts())


@_documented
def variance(input, labels=None, index=None):
    """The variance of each group.

    Args:
        {input}
        {labels}
        {index}

    Returns:
        {value}

    Raises:
        {refusals}

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.variance(x, labels, [1, 2])
    array([4., 4.])
    """
    return _variance("variance", input, labels, index)


def _variance(name, input, labels, index):
    groups = Groups(name, input, labels, index)
    counts = groups.counts()
    apart = groups.values - groups.of_elements(groups.sums() / counts)
    return groups.each(groups.sums(_core.square(apart) if apart.dtype.kind != "c" else apart * apart.conj()) / counts)


@_documented
def standard_deviation(input, labels=None, index=None):
    """The standard deviation of each group.

    Args:
        {input}
        {labels}
        {index}

    Returns:
        {value}

    Raises:
        {refusals}

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.standard_deviation(x, labels, [1, 2])
    array([2., 2.])
    """
    return _core.sqrt(_variance("standard_deviation", input, labels, index))


@_documented
def minimum(input, labels=None, index=None):
    """The least element of each group.

    Args:
        {input}
        {labels}
        {index}

    Returns:
        {value}

    Raises:
        {refusals}
            There is one group, which has no elements, for which the device is waited for.

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.minimum(x, labels, [1, 2])
    array([1., 4.])
    """
    groups = Groups("minimum", input, labels, index).filled()
    return groups.each(groups.extremes(True))


@_documented
def maximum(input, labels=None, index=None):
    """The greatest element of each group.

    Args:
        {input}
        {labels}
        {index}

    Returns:
        {value}

    Raises:
        {refusals}
            There is one group, which has no elements, for which the device is waited for.

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.maximum(x, labels, [1, 2])
    array([5., 8.])
    """
    groups = Groups("maximum", input, labels, index).filled()
    return groups.each(groups.extremes(False))


@_documented
def median(input, labels=None, index=None):
    """The median of each group.

    Args:
        {input}
        {labels}
        {index}

    Returns:
        {value}

    Raises:
        {refusals}

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.median(x, labels, [1, 2])
    array([3., 6.])
    """
    groups = Groups("median", input, labels, index)
    return groups.each(groups.medians())


@_documented
def minimum_position(input, labels=None, index=None):
    """Where the least element of each group is, the first of several.

    Args:
        {input}
        {labels}
        {index}

    Returns:
        A tuple of ints; a list of tuples if ``index`` has several. They are read from the device.

    Raises:
        {refusals}
            There is one group, which has no elements, for which the device is waited for.

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.minimum_position(x, labels, [1, 2])
    [(0,), (3,)]
    """
    groups = Groups("minimum_position", input, labels, index).filled()
    return _indices(groups, groups.places(groups.extremes(True)))


def _indices(groups, places):
    places = groups.each(places).get()
    if not groups.dims:  # numpy.unravel_index has no indices of numbers
        return [()] * places.size if groups.shape else ()
    found = np.unravel_index(places, groups.dims)
    if not groups.shape:
        return tuple([int(i) for i in found])
    found = np.stack(found, -1)
    return [tuple(row) for row in found.reshape(-1, found.shape[-1]).tolist()]


@_documented
def maximum_position(input, labels=None, index=None):
    """Where the greatest element of each group is, the first of several.

    Args:
        {input}
        {labels}
        {index}

    Returns:
        A tuple of ints; a list of tuples if ``index`` has several. They are read from the device.

    Raises:
        {refusals}
            There is one group, which has no elements, for which the device is waited for.

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.maximum_position(x, labels, [1, 2])
    [(1,), (4,)]
    """
    groups = Groups("maximum_position", input, labels, index).filled()
    return _indices(groups, groups.places(groups.extremes(False)))


@_documented
def extrema(input, labels=None, index=None):
    """The least and the greatest element of each group, and where they are.

    Args:
        {input}
        {labels}
        {index}

    Returns:
        A tuple of two arrays and of what minimum_position and maximum_position return.

    Raises:
        {refusals}
            There is one group, which has no elements, for which the device is waited for.

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.extrema(x, labels, [1, 2])
    (array([1., 4.]), array([5., 8.]), [(0,), (3,)], [(1,), (4,)])
    """
    groups = Groups("extrema", input, labels, index).filled()
    least, greatest = groups.extremes(True), groups.extremes(False)
    return (groups.each(least), groups.each(greatest), _indices(groups, groups.places(least)),
            _indices(groups, groups.places(greatest)))


@_documented
def center_of_mass(input, labels=None, index=None):
    """The centre of mass of each group, whose elements are masses.

    Args:
        {input}
        {labels}
        {index}

    Returns:
        A tuple of arrays without dimensions, an index along each axis; a list of tuples if ``index`` has several.

    Raises:
        {refusals}

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.center_of_mass(x, labels, [1, 2])
    [(array(0.83333333),), (array(3.66666667),)]
    """
    groups = Groups("center_of_mass", input, labels, index, True)
    masses = input.astype("D" if input.dtype.kind == "c" else "d", copy=False)
    if labels is None:
        return _centre(masses)
    if groups.chosen is not None:
        return _centre(where(groups.chosen.reshape(groups.dims), masses, 0))
    total = groups.sums()
    centres, index = [], _core.arange(groups.values.size)
    for n in groups.dims[::-1]:
        centres.insert(0, groups.each(groups.sums(groups.values * (index % max(n, 1)).astype("d")) / total))
        index = index // max(n, 1)
    if not groups.shape:
        return tuple(centres)
    return [tuple(c[i] for c in centres) for i in np.ndindex(groups.shape)]


def _centre(masses):
    """Of all elements: by the sums of what is at each place along an axis."""
    total, axes = masses.sum(), range(masses.ndim)
    along = [masses.sum(axis=tuple([e for e in axes if e != d])) for d in axes]
    return tuple([(some * _core.arange(some.size)).sum() / total for some in along])


def _check_index(name, wanted, labels):
    if (wanted.astype(labels.dtype).astype(wanted.dtype) != wanted).any():
        raise ValueError(f"{name}: index of {wanted.dtype} does not fit the labels' {labels.dtype}")


@_documented
def histogram(input, min, max, bins, labels=None, index=None):
    """How many elements of each group there are in bins of one width.

    Args:
        {input}
        min: Where the first bin begins.
        max: Where the last bin ends, which has this end as well.
        bins: How many bins there are.
        {labels}
        {index}

    Returns:
        An array of int64: of shape (bins,) for one group, else with ``index``'s dimensions before that.

    Raises:
        {refusals}
        ValueError: ``index`` has what the labels' dtype does not, if it is on the host or short; or there are no labels
            for it; or bins do not increase.

    Of labels that are nowhere it holds zeros, where SciPy has None.

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.histogram(x, 0, 8, 2, labels, [1, 2])
    array([[1, 1],
           [0, 2]])
    """
    if labels is None and index is not None:
        raise ValueError("histogram: index without defined labels")
    if min > max:
        raise ValueError(f"histogram: bins must increase, not from {min} to {max}")
    groups = Groups("histogram", input, labels, index)
    wanted = None if labels is None or index is None else readable(index)
    if wanted is not None:
        _check_index("histogram", wanted, labels)
    edges = _core.array(np.linspace(min, max, bins + 1))
    values, number = groups.of_wanted()
    place = _searchsorted(edges, values, "right") - 1
    place = where(values == edges[-1], bins - 1, place)
    counted = (values >= edges[0]) & (values <= edges[-1])
    table = _core.zeros((groups.n + 1) * bins, int)
    places = where(counted, number * bins + place, groups.n * bins)
    if places.size and bins:
        _core.add.at(table, places, counted.astype(int))
    return groups.each(table.reshape(groups.n + 1, bins))


@_documented
def labeled_comprehension(input, labels, index, func, out_dtype, default, pass_positions=False):
    """What a function makes of the elements of each group.

    Args:
        {input}
        {labels}
        {index}
        func: A function of a vector of the group's elements, which gives a number; called once for each group.
        out_dtype: The dtype of the result.
        default: What stands for labels that are nowhere.
        pass_positions: Whether the function gets their places in the order of elements as a second argument.

    Returns:
        An array of ``index``'s shape.

    Raises:
        {refusals}

    Which labels there are is read from the device.

    >>> x, labels = tombac.array([1.0, 5.0, 2.0, 4.0, 8.0]), tombac.array([1, 1, 0, 2, 2])
    >>> tombacx.scipy.ndimage.labeled_comprehension(x, labels, [1, 2, 3], tombac.sum, float, -1)
    array([ 6., 12., -1.])
    """
    check_arrays("labeled_comprehension", input)
    if labels is None and index is not None:
        raise ValueError("labeled_comprehension: index without defined labels")
    places = (_core.arange(input.size).reshape(input.shape),) if pass_positions else ()
    if labels is None:
        return func(*(x.ravel() for x in (input, *places)))
    check_arrays("labeled_comprehension", labels)
    arrays = [_core.broadcast_to(x, np.broadcast_shapes(input.shape, labels.shape)) for x in (input, labels, *places)]
    input, labels, *places = arrays
    if index is None:
        return func(*(x[labels > 0] for x in (input, *places)))
    wanted = np.asarray(_core._on_host(index))
    _check_index("labeled_comprehension", wanted, labels)
    result = _core.array(np.full(wanted.size, default, out_dtype))
    for i, vectors in enumerate(_groups(wanted.ravel(), labels, (input, *places))):
        if vectors[0].size:
            result[i] = func(*vectors)
    return result[0] if np.isscalar(index) else result.reshape(wanted.shape)


def _groups(wanted, labels, arrays):
    """The elements of each array that have a label, as a vector, for each label that is wanted."""
    if not wanted.size:
        return
    inside = (labels >= wanted.min().item()) & (labels <= wanted.max().item())
    labels = labels[inside]
    order = argsort(labels, kind="stable")
    labels, vectors = labels[order], [x[inside][order] for x in arrays]
    ends = [_searchsorted(labels, _core.asarray(wanted), side).get().tolist() for side in ("left", "right")]
    for first, end in zip(*ends):
        yield [x[first:end] for x in vectors]
