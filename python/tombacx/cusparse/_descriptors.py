"""What cuSPARSE would be told of vectors and matrices: objects that hold these, for programs that pass them about."""

import sys

from tombacx.cusparse._operands import check_sparse

__all__ = [
    "BaseDescriptor", "DnMatDescriptor", "DnVecDescriptor", "MatDescriptor", "SpMatDescriptor", "SpVecDescriptor",
]


class BaseDescriptor:
    """Something described, and how it is asked and ended.

    Args:
        descriptor: What is described; here an object rather than a pointer of cuSPARSE's.
        get: A function of it, called when an attribute is asked for that it is to have.
        destroyer: A function of it, called at the end.

    >>> tombacx.cusparse.BaseDescriptor(3).descriptor
    3
    """

    def __init__(self, descriptor, get=None, destroyer=None):
        self.descriptor, self._get, self._destroyer = descriptor, get, destroyer

    @property
    def desc(self):
        """The same as descriptor."""
        return self.descriptor

    def __getattr__(self, name):
        get = self.__dict__.get("_get")
        if get is None or name[:2] == "__":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return getattr(get(self.descriptor), name)

    def __del__(self, is_shutting_down=sys.is_finalizing):
        destroyer = self.__dict__.get("_destroyer")
        if destroyer is not None and not is_shutting_down():
            destroyer(self.descriptor)


class MatDescriptor(BaseDescriptor):
    """Of which kind a matrix is, as functions of cuSPARSE of old took it.

    Args:
        descriptor: A dict of what is said.

    >>> m = tombacx.cusparse.MatDescriptor.create()
    >>> m.set_mat_fill_mode(1)
    >>> m.descriptor["fill_mode"]
    1
    """

    def __init__(self, descriptor):
        super().__init__(descriptor)

    @classmethod
    def create(cls):
        """One of a general matrix with indices from 0."""
        return cls({"type": 0, "fill_mode": 0, "diag_type": 0, "index_base": 0})

    def __reduce__(self):
        return _restored, (dict(self.descriptor),)

    def set_mat_type(self, typ):
        """Sets the type, a number of cuSPARSE's."""
        self.descriptor["type"] = int(typ)

    def set_mat_fill_mode(self, fill_mode):
        """Sets which triangle counts: 0 the lower one, 1 the upper one."""
        self.descriptor["fill_mode"] = int(fill_mode)

    def set_mat_diag_type(self, diag_type):
        """Sets whether the diagonal is of ones: 1 if it is."""
        self.descriptor["diag_type"] = int(diag_type)

    def set_mat_index_base(self, base):
        """Sets the first index, 0 or 1."""
        self.descriptor["index_base"] = int(base)


def _restored(descriptor):
    return MatDescriptor(descriptor)


class DnVecDescriptor(BaseDescriptor):
    """A dense vector.

    >>> tombacx.cusparse.DnVecDescriptor.create(tombac.ones(2)).descriptor
    array([1., 1.])
    """

    @classmethod
    def create(cls, x):
        """One of an array of one dimension."""
        if x.ndim != 1:
            raise ValueError(f"DnVecDescriptor: a vector is expected, not an array of shape {x.shape}")
        return cls(x)


class DnMatDescriptor(BaseDescriptor):
    """A dense matrix.

    >>> tombacx.cusparse.DnMatDescriptor.create(tombac.ones((2, 1))).descriptor.shape
    (2, 1)
    """

    @classmethod
    def create(cls, a):
        """One of an array of two dimensions."""
        if a.ndim != 2:
            raise ValueError(f"DnMatDescriptor: a matrix is expected, not an array of shape {a.shape}")
        return cls(a)


class SpVecDescriptor(BaseDescriptor):
    """A sparse vector.

    >>> d = tombacx.cusparse.SpVecDescriptor.create(tombac.array([3]), tombac.array([1.0]))
    >>> d.descriptor
    (array([3]), array([1.]))
    """

    @classmethod
    def create(cls, idx, x):
        """One of the places of elements and of their values."""
        if idx.ndim != 1 or idx.shape != x.shape:
            raise ValueError(f"SpVecDescriptor: two vectors of one length are expected, not {idx.shape} and {x.shape}")
        return cls((idx, x))


class SpMatDescriptor(BaseDescriptor):
    """A sparse matrix, and attributes that are set on it.

    >>> d = tombacx.cusparse.SpMatDescriptor.create(tombacx.scipy.sparse.eye(2, format="csr"))
    >>> d.descriptor.nnz
    2
    """

    @classmethod
    def create(cls, a):
        """One of a matrix in CSR, CSC or COO."""
        check_sparse("SpMatDescriptor", a)
        return cls(a)

    def set_attribute(self, attribute, data):
        """Keeps the value of an attribute, such as which triangle counts."""
        self.__dict__.setdefault("attributes", {})[attribute] = data
