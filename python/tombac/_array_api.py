"""What the Array API standard has a program ask a namespace about: its devices, dtypes and abilities."""

from tombac import _core, cuda
from tombac._numpy import np

__all__ = ["__array_namespace_info__"]

_DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
    "complex128",
)


class __array_namespace_info__:
    """What tombac has of the Array API standard: see its methods.

    >>> tombac.__array_namespace_info__().capabilities()["boolean indexing"]
    True
    """

    def capabilities(self):
        """Dict of what the standard leaves open: masks as indices, shapes that depend on numbers, most dimensions."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": _core.MAXDIM}

    def default_device(self):
        """The calling thread's current device, on which arrays are made."""
        return cuda.Device()

    def devices(self):
        """All devices, as a list."""
        return [cuda.Device(i) for i in range(cuda.runtime.getDeviceCount())]

    def default_dtypes(self, *, device=None):
        """Dict of the dtypes that arrays get where none is asked for, by kind; the same for every device.

        Raises:
            ValueError: ``device`` is no device, or there is none of this number.
        """
        self._check(device)
        return {
            "real floating": np.dtype("float64"), "complex floating": np.dtype("complex128"),
            "integral": np.dtype("int64"), "indexing": np.dtype("int64"),
        }

    def dtypes(self, *, device=None, kind=None):
        """Dict of the standard's dtypes by name; the same for every device.

        Args:
            device: A device, or None.
            kind: A kind or a tuple of kinds as isdtype takes them: only these. All of them if None.

        Raises:
            ValueError: ``device`` is no device, or ``kind`` no kind.

        >>> list(tombac.__array_namespace_info__().dtypes(kind="real floating"))
        ['float32', 'float64']
        """
        self._check(device)
        dtypes = {name: np.dtype(name) for name in _DTYPES}
        return dtypes if kind is None else {name: t for name, t in dtypes.items() if np.isdtype(t, kind)}

    def _check(self, device):
        if device is not None and cuda.Device(device) not in self.devices():
            raise ValueError(f"there is no device {device!r}")
