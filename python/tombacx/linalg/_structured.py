"""Matrices of which two in each four elements of a row are zero (2:4 structured sparsity), which GPUs multiply in half
the time: by cuSPARSELt where it is found, and otherwise by the dense product, which gives the same numbers."""

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays

__all__ = ["SemiStructured", "matmul_2to4", "prune_2to4"]

_GROUP = 4


def _lanes(name, a):
    """The elements of each four that come first, second, ... as four arrays."""
    check_arrays(name, a)
    if a.dtype.char not in "befd":
        raise TypeError(f"{name}: int8, float16, float32 or float64 is expected, not {a.dtype}")
    if a.ndim == 0 or a.shape[-1] % _GROUP:
        raise ValueError(f"{name}: the last axis must have a multiple of {_GROUP} elements, the shape is {a.shape}")
    groups = a.reshape(*a.shape[:-1], a.shape[-1] // _GROUP, _GROUP)
    return [groups[..., i] for i in range(_GROUP)]


def _magnitude(x):
    """What is compared. The bits of floating numbers without their sign are in the order of magnitudes, NaN above all
    of them, so that it is not lost; and -128 is larger than 127."""
    if x.dtype.kind == "i":
        return abs(x.astype("h"))
    bits = x.view(f"u{x.dtype.itemsize}")
    return bits & bits.dtype.type(np.iinfo(bits.dtype).max >> 1)


def _two_of(a, b, c):
    return (a & b) | (c & (a | b))


def _kept(lanes):
    """Four arrays of bool, two of them true everywhere: whether an element is larger than two others. Of equal ones the
    first is the larger."""
    w, x, y, z = (_magnitude(lane) for lane in lanes)
    wx, wy, wz, xy, xz, yz = w >= x, w >= y, w >= z, x >= y, x >= z, y >= z
    return [_two_of(wx, wy, wz), _two_of(~wx, xy, xz), _two_of(~wy, ~xy, yz), _two_of(~wz, ~xz, ~yz)]


def _join(lanes):
    """The inverse of _lanes."""
    joined = _core.stack(lanes, -1)
    return joined.reshape(*joined.shape[:-2], joined.shape[-2] * len(lanes))


def prune_2to4(a):
    """``a`` with two of each four neighbours along the last axis set to zero.

    The two of largest magnitude stay: of equal ones the first, and NaN before any number.

    Args:
        a: An array of int8, float16, float32 or float64 and shape ``(..., 4 * n)``.

    Returns:
        An array of ``a``'s shape and dtype.

    Raises:
        ValueError: The last axis has no multiple of four elements.
        TypeError: ``a`` is no tombac array, or of another dtype.

    >>> tombacx.linalg.sparse.prune_2to4(tombac.array([1.0, -4.0, 2.0, 3.0, 5.0, 5.0, 5.0, 0.0]))
    array([ 0., -4.,  0.,  3.,  5.,  5.,  0.,  0.])
    """
    lanes = _lanes("prune_2to4", a)
    zero = _core.zeros((), a.dtype)
    return _join([_core.where(keep, x, zero) for keep, x in zip(_kept(lanes), lanes, strict=True)])


def matmul_2to4(a, b):
    """``prune_2to4(a) @ b``: prunes, compresses and multiplies.

    Who multiplies with the same ``a`` again keeps ``SemiStructured(a)`` and does the first two once.

    Args:
        a: An array of int8, float16, float32 or float64 and shape ``(m, 4 * n)``.
        b: An array of shape ``(4 * n,)``, ``(4 * n, k)`` or a stack of such matrices.

    Returns:
        An array of shape ``(m,)``, ``(m, k)`` or a stack of these, of the dtype to which both promote.

    Raises:
        ValueError: The shapes do not match, ``a`` is no matrix or its rows have no multiple of four elements.
        TypeError: An argument is no tombac array, or ``a`` is of another dtype.

    >>> a = tombac.array([[1.0, -4.0, 2.0, 3.0]])
    >>> tombacx.linalg.sparse.matmul_2to4(a, tombac.ones((4, 2)))
    array([[-1., -1.]])
    """
    check_arrays("matmul_2to4", a, b)
    return SemiStructured(a) @ b


class SemiStructured:
    """A matrix with two elements in each four of a row, the two of largest magnitude of the array it is made of.

    ``s @ x`` is computed by cuSPARSELt for float16 and int8 on GPUs of compute capability 8.0 and later, where the
    library is found (``pip install nvidia-cusparselt-cu13``), ``x`` is a matrix of the same dtype, and the sizes are
    multiples of what the library asks for: rows and columns of 16 (int8: 32), columns of ``x`` of 8 (int8: 16). All
    else is the dense product. Both give the same numbers, but for the order in which float16 is summed, in float32.
    float32 is always multiplied densely: the library would round it to 10 bits. As with NumPy's product, int8 wraps
    around unless ``matmul`` is asked for int32.

    The matrix does not change: its parts are not to be written to.

    Args:
        a: An array of int8, float16, float32 or float64 and shape ``(m, 4 * n)``. It is pruned as ``prune_2to4``
            does; of one that has no more than two elements in four nothing is lost.

    Raises:
        ValueError: ``a`` is no matrix, or its rows have no multiple of four elements.
        TypeError: ``a`` is no tombac array, or of another dtype.

    Attributes:
        values: An array ``(m, 2 * n)``: the elements that are kept, row by row.
        indices: An array of uint8, ``(m, 2 * n)``: which of its four each of them is, 0 to 3, ascending.

    >>> s = tombacx.linalg.sparse.SemiStructured(tombac.array([[1.0, -4.0, 2.0, 3.0]]))
    >>> s.values, s.indices
    (array([[-4.,  3.]]), array([[1, 3]], dtype=uint8))
    >>> s @ tombac.ones(4)
    array([-1.])
    """

    __array_ufunc__ = None  # NumPy's and tombac's operators leave it to this one's
    __array_priority__ = 10.1
    ndim = 2

    def __init__(self, a):
        check_arrays("SemiStructured", a)
        if a.ndim != 2:
            raise ValueError(f"SemiStructured: a matrix is expected, the shape is {a.shape}")
        lanes = _lanes("SemiStructured", a)
        keep = _kept(lanes)
        first = _core.where(keep[0], 0, _core.where(keep[1], 1, 2)).astype("B")
        second = _core.where(keep[3], 3, _core.where(keep[2], 2, 1)).astype("B")
        low = _core.where(keep[0], lanes[0], _core.where(keep[1], lanes[1], lanes[2]))
        high = _core.where(keep[3], lanes[3], _core.where(keep[2], lanes[2], lanes[1]))
        self._set(_join([low, high]), _join([first, second]))

    def _set(self, values, indices):
        self.values, self.indices = values, indices
        self._dense = self._compressed = None

    @property
    def shape(self):
        """The numbers of rows and columns."""
        return self.values.shape[0], 2 * self.values.shape[1]

    @property
    def dtype(self):
        """The dtype of the elements."""
        return self.values.dtype

    @property
    def nbytes(self):
        """How many bytes ``values`` and ``indices`` have."""
        return self.values.nbytes + self.indices.nbytes

    def __repr__(self):
        return f"<SemiStructured {self.dtype} matrix of shape {self.shape}>"

    def __reduce__(self):
        return _restore, (self.values, self.indices)

    def todense(self):
        """The matrix as an array.

        Returns:
            A new array.
        """
        pairs = [x.reshape(x.shape[0], x.shape[1] // 2, 2) for x in (self.values, self.indices)]
        (low, high), (first, second) = ([p[..., 0], p[..., 1]] for p in pairs)
        zero = _core.zeros((), self.dtype)
        return _join([_core.where(first == i, low, _core.where(second == i, high, zero)) for i in range(_GROUP)])

    toarray = todense

    def matmul(self, x, dtype=None):
        """The product with an array.

        Args:
            x: An array of shape ``(cols,)``, ``(cols, n)`` or a stack of such matrices.
            dtype: The dtype to compute in and of the result; None: that to which both promote.

        Returns:
            An array of shape ``(rows,)``, ``(rows, n)`` or a stack of these.

        Raises:
            ValueError: Shapes do not match.
            TypeError: ``x`` is no tombac array.

        >>> s = tombacx.linalg.sparse.SemiStructured(tombac.full((1, 4), 100, "b"))
        >>> s.matmul(tombac.full((4, 1), 2, "b"), "i4")
        array([[400]], dtype=int32)
        """
        check_arrays("SemiStructured.matmul", x)
        kind = np.result_type(self.dtype, x.dtype) if dtype is None else np.dtype(dtype)
        if self._library_has(x, kind):
            return _core._sparse_structured_matmul(self._compress(), self.shape[0], x).astype(kind, copy=False)
        return _core.matmul(self._as_dense().astype(kind, copy=False), x.astype(kind, copy=False))

    def __matmul__(self, x):
        return self.matmul(x) if isinstance(x, _core.ndarray) else NotImplemented

    def __rmatmul__(self, x):
        return _core.matmul(x, self._as_dense()) if isinstance(x, _core.ndarray) else NotImplemented

    def _library_has(self, x, kind):
        if x.dtype != self.dtype or x.ndim != 2 or x.shape[0] != self.shape[1]:
            return False
        if kind.char not in {"e": "e", "b": "bi"}.get(self.dtype.char, ""):
            return False
        return _core._sparse_structured_suits(self.dtype, *self.shape, x.shape[1])

    def _compress(self):
        """As the library has it on the current device; its form is no one else's, and is made anew elsewhere."""
        device = _core.Device().id
        if self._compressed is None or self._compressed[0] != device:
            self._compressed = device, _core._sparse_structured_compress(self.todense())
        return self._compressed[1]

    def _as_dense(self):
        if self._dense is None:
            self._dense = self.todense()
        return self._dense


def _restore(values, indices):
    made = SemiStructured.__new__(SemiStructured)
    made._set(values, indices)
    return made
