"""Connected objects: their labels, and where objects and values are."""

import numbers

from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._sorting import argsort
from tombac._util import check_arrays
from tombacx.scipy.ndimage import _support
from tombacx.scipy.ndimage._binary import structure_of

__all__ = ["find_objects", "label", "value_indices"]


def label(input, structure=None, output=None):
    """Numbers the connected objects of an array: elements that are not zero and neighbours of one another.

    Args:
        input: The array.
        structure: Which neighbours are connected: an array of truth values of shape (3, 3, ...), the same from either
            end; those along the axes if None. It is read from the device.
        output: An array of ``input``'s shape to write the labels to, or their dtype; int32 if None.

    Returns:
        A tuple of the labels, an array, and of how many objects there are, an int; that alone where ``output`` is an
        array.

    Raises:
        TypeError: ``input`` is no tombac array, or complex.
        ValueError: The structure has other sides, or is not symmetric; ``output`` is of another shape.
        RuntimeError: The structure has other dimensions, or ``output`` does not hold all labels.

    Objects are numbered in the order of their first elements. Source: R. E. Tarjan, Efficiency of a good but not linear
    set union algorithm (1975); on a GPU C. Komura, GPU-based cluster-labeling algorithm (2015), and D. P. Playne,
    K. Hawick, A new algorithm for parallel connected-component labelling on GPUs (2018).

    >>> tombacx.scipy.ndimage.label(tombac.array([0, 1, 1, 0, 1]))
    (array([0, 1, 1, 0, 2], dtype=int32), 2)
    """
    check_arrays("label", input)
    if input.dtype.kind == "c":
        raise TypeError("label: complex type not supported")
    structure = structure_of(input.ndim) if structure is None else _support.host(structure, bool)
    if structure.ndim != input.ndim:
        raise RuntimeError(f"label: the structure has {structure.ndim} dimensions, input {input.ndim}")
    if any(n != 3 for n in structure.shape) or (structure != np.flip(structure)).any():
        raise ValueError("label: the sides of the structure must be 3, and it must be symmetric")
    given = isinstance(output, _core.ndarray)
    if given and output.shape != input.shape:
        raise ValueError(f"label: output must be of the shape {input.shape}, not {output.shape}")
    dtype = output.dtype if given else np.dtype("i" if output is None else output)
    labels, n = _core._label(input, structure.tobytes())
    if dtype.kind in "iu" and n > np.iinfo(dtype).max or dtype.kind == "b" and n > 1:
        raise RuntimeError(f"label: {dtype} does not hold {n} labels")
    labels = labels.astype(dtype, copy=False)
    if given:
        output[...] = labels
        return n
    return labels, n


def find_objects(input, max_label=0):
    """The box around each label's elements.

    Args:
        input: The labels, an array of integers.
        max_label: The greatest label that is looked for; all if it is less than 1.

    Returns:
        A list of tuples of slices, for the labels 1, 2, ...; None for labels that are nowhere. It is read from the
        device.

    Raises:
        TypeError: ``input`` is no tombac array, or not of integers.

    >>> tombacx.scipy.ndimage.find_objects(tombac.array([0, 1, 1, 0, 3]))
    [(slice(1, 3, None),), None, (slice(4, 5, None),)]
    """
    check_arrays("find_objects", input)
    if input.dtype.kind not in "biu":
        raise TypeError(f"find_objects: labels are integers, not {input.dtype}")
    if max_label < 1:
        max_label = int(input.max()) if input.size else 0
    n = max(int(max_label), 0)
    if not n or not input.ndim:
        return [() if input.ndim == 0 and input.size and int(input) == i + 1 else None for i in range(n)]
    if _core.backend() == "cpu":
        return _core._box_slices(_core._label_boxes(input, n).get())
    # Labels that are not looked for are counted as 0, whose row is left out.
    place = where((input > 0) & (input <= n), input, 0).astype(int).ravel()
    boxes = []
    for d, side in enumerate(input.shape):
        along = _core.arange(side).reshape([side if d == e else 1 for e in range(input.ndim)])
        along = _core.broadcast_to(along, input.shape).ravel()
        first, last = _core.full(n + 1, side, int), _core.full(n + 1, -1, int)
        if input.size:
            _core.minimum.at(first, place, along)
            _core.maximum.at(last, place, along)
        boxes += [first, last + 1]
    return _core._box_slices(_core.stack(boxes, 1)[1:].reshape(n, input.ndim, 2).get())


_FEW = 1 << 15  # elements of which the host has the least and the greatest at once


def _in_order(flat):
    """The positions that put integers in order, equal ones as they come: of few that are bytes by counting these."""
    if _core.backend() == "cpu" and 0 < flat.size <= _FEW and flat.itemsize > 1:
        least, most = flat.min().item(), flat.max().item()
        if 0 <= least and most < 256:
            flat = flat.astype("B")
    return argsort(flat, kind="stable")


def value_indices(arr, *, ignore_value=None, adaptive_index_dtype=False):
    """Where each value of an array is.

    Args:
        arr: An array of integers.
        ignore_value: A value that is left out.
        adaptive_index_dtype: Whether indices are of the least unsigned dtype that holds them, rather than of int64.

    Returns:
        A dict: for each value a tuple of arrays, the indices along each axis in the order of elements.

    Raises:
        TypeError: ``arr`` is no tombac array.
        ValueError: It is not of integers.

    The values are read from the device.

    >>> tombacx.scipy.ndimage.value_indices(tombac.array([7, 3, 7]))
    {np.int64(3): (array([1]),), np.int64(7): (array([0, 2]),)}
    """
    check_arrays("value_indices", arr)
    if arr.dtype.kind not in "iu":
        raise ValueError(f"value_indices: arr must be of integers, not {arr.dtype}")
    if ignore_value is not None and not isinstance(ignore_value, (numbers.Integral, np.generic)):
        ignore_value = int(ignore_value)
    flat = arr.ravel()
    order = _in_order(flat)
    values = flat[order].get()
    last = np.empty(values.size, bool)  # of its value
    last[-1:] = True
    np.not_equal(values[1:], values[:-1], out=last[:-1])
    last = last.nonzero()[0]
    keys, cuts = values[last], (last[:-1] + 1).tolist()
    coordinates, rest = [], order
    for d in range(arr.ndim - 1, -1, -1):
        side = arr.shape[d]
        index, rest = (rest % side, rest // side) if d else (rest, None)
        coordinates.append(index.astype(np.min_scalar_type(max(side - 1, 0))) if adaptive_index_dtype else index)
    places = [_core._split(c, cuts, 0) for c in coordinates[::-1]]
    found = dict(zip(keys, zip(*places) if places else [()] * len(keys)))
    if ignore_value is not None:
        found.pop(ignore_value, None)
    return found
