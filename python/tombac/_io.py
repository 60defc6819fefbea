"""Files and text: NumPy's formats, with arrays copied to the host and back."""

import collections.abc
import contextlib
import io

import numpy as np

from tombac import _core
from tombac._util import other_name

__all__ = [
    "array2string", "array_repr", "array_str", "format_float_positional", "format_float_scientific", "get_printoptions",
    "load", "printoptions", "save", "savetxt", "savez", "savez_compressed", "set_printoptions",
]

get_printoptions = np.get_printoptions
printoptions = np.printoptions
set_printoptions = np.set_printoptions


def _host(a):
    """An array on the host, in Fortran's order where it is so on the device, which files tell apart."""
    if not isinstance(a, _core.ndarray):
        return a
    return a.T.get().T if a.flags.f_contiguous and not a.flags.c_contiguous else a.get()


def _says_bfloat16(file):
    """Whether the header of a ``.npy`` file is that of bfloat16: of two bytes with an order, which bytes have not."""
    version = np.lib.format.read_magic(file)
    length = int.from_bytes(file.read(2 if version[0] == 1 else 4), "little")
    return b"'<V2'" in file.read(length)


def _on_device(host, open_again):
    """What NumPy has read, as an array. It takes bfloat16 for bytes: open_again() is the file it was in."""
    if host.dtype.type is np.void and host.dtype.fields is None and host.itemsize == 2:
        with open_again() as file:
            if _says_bfloat16(file):
                return _core.array(host.view(np.uint16)).view("bfloat16")
    return _core.array(host)


@contextlib.contextmanager
def _again(file, start):
    """A file or its name, from where an array in it began."""
    if not hasattr(file, "read"):
        with open(file, "rb") as opened:
            yield opened
    elif start is None:
        yield io.BytesIO(b"\x93NUMPY\x01\x00\x00\x00")  # a pipe has been read
    else:
        end = file.tell()
        file.seek(start)
        yield file
        file.seek(end)


class _Attributes:
    """The items of a mapping as attributes."""

    def __init__(self, mapping):
        self._mapping = mapping

    def __getattr__(self, name):
        try:
            return self._mapping[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self):
        return list(self._mapping)


class NpzFile(collections.abc.Mapping):
    """The arrays of an ``.npz`` file by name, read and copied to the device on access; also as attributes of ``f``."""

    def __init__(self, npz):
        self.npz_file = npz
        self.files = npz.files
        self.f = _Attributes(self)

    def __enter__(self):
        self.npz_file.__enter__()
        return self

    def __exit__(self, *args):
        self.npz_file.__exit__(*args)

    def __getitem__(self, key):
        name = key if key in self.npz_file.zip.namelist() else key + ".npy"
        return _on_device(self.npz_file[key], lambda: self.npz_file.zip.open(name))

    def __contains__(self, key):
        return key in self.files

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def __repr__(self):
        return repr(self.npz_file)

    def close(self):
        """Closes the file."""
        self.npz_file.close()


def load(file, mmap_mode=None, allow_pickle=None, *, fix_imports=True, encoding="ASCII", max_header_size=10000):
    """The array of a ``.npy`` file, or an NpzFile of a ``.npz`` file.

    Args:
        file: A file or its name.
        mmap_mode: As for numpy.load.
        allow_pickle: Whether objects may be unpickled, which can run programs; false by default.
        fix_imports, encoding, max_header_size: As for numpy.load.

    Returns:
        An array, or an NpzFile, which reads arrays as they are asked for.

    Raises:
        OSError: The file cannot be read.
        ValueError: It holds objects, and ``allow_pickle`` is not true.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     name = os.path.join(folder, 'x.npy')
    ...     tombac.save(name, tombac.arange(3))
    ...     read = tombac.load(name)
    >>> read
    array([0, 1, 2])
    """
    start = file.tell() if hasattr(file, "seekable") and file.seekable() else None
    obj = np.load(file, mmap_mode, allow_pickle=bool(allow_pickle), fix_imports=fix_imports, encoding=encoding,
                  max_header_size=max_header_size)
    if isinstance(obj, np.ndarray):
        return _on_device(obj, lambda: _again(file, start))
    return NpzFile(obj) if isinstance(obj, np.lib.npyio.NpzFile) else obj


def save(file, arr, allow_pickle=None):
    """Writes an array to a ``.npy`` file.

    Args:
        file: A file or its name.
        arr: An array of any dtype and shape, or what asarray makes one of.
        allow_pickle: Accepted; arrays have no objects.

    Returns:
        None.

    Raises:
        OSError: The file cannot be written.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     name = os.path.join(folder, 'x.npy')
    ...     tombac.save(name, tombac.arange(3))
    ...     read = tombac.load(name)
    >>> read
    array([0, 1, 2])
    """
    np.save(file, _host(arr), allow_pickle=True if allow_pickle is None else allow_pickle)


def savez(file, *args, **kwds):
    """Writes arrays to a ``.npz`` file.

    Args:
        file: A file or its name.
        args, kwds: Arrays; those without a name are called arr_0, arr_1 and so on.

    Returns:
        None.

    Raises:
        OSError: The file cannot be written.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     name = os.path.join(folder, 'x.npz')
    ...     tombac.savez(name, x=tombac.arange(3))
    ...     with tombac.load(name) as arrays:
    ...         read = arrays['x']
    >>> read
    array([0, 1, 2])
    """
    np.savez(file, *map(_host, args), **{k: _host(v) for k, v in kwds.items()})


def savez_compressed(file, *args, **kwds):
    """Writes arrays to a compressed ``.npz`` file.

    Args:
        file: A file or its name.
        args, kwds: Arrays; those without a name are called arr_0, arr_1 and so on.

    Returns:
        None.

    Raises:
        OSError: The file cannot be written.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     name = os.path.join(folder, 'x.npz')
    ...     tombac.savez_compressed(name, x=tombac.arange(3))
    ...     with tombac.load(name) as arrays:
    ...         read = arrays['x']
    >>> read
    array([0, 1, 2])
    """
    np.savez_compressed(file, *map(_host, args), **{k: _host(v) for k, v in kwds.items()})


def savetxt(fname, X, *args, **kwargs):
    """Writes an array to a text file.

    Args:
        fname: A file or its name.
        X: An array of one or two dimensions.
        args, kwargs: As of numpy.savetxt.

    Returns:
        None.

    Raises:
        ValueError: ``X`` has other dimensions.
        OSError: The file cannot be written.

    >>> import sys
    >>> tombac.savetxt(sys.stdout, tombac.array([[1, 2], [3, 4]]), fmt='%d')
    1 2
    3 4
    """
    np.savetxt(fname, _host(X), *args, **kwargs)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """repr(arr) with options.

    Args:
        arr: An array of any dtype and shape.
        max_line_width, precision, suppress_small: As of numpy.array_repr.

    Returns:
        A str.

    Raises:
        AttributeError: ``arr`` is no array.

    >>> tombac.array_repr(tombac.array([1.0, 2.5]))
    'array([1. , 2.5])'
    """
    return np.array_repr(_host(arr), max_line_width, precision, suppress_small)


def array_str(arr=None, max_line_width=None, precision=None, suppress_small=None, *, a=None):
    """str(arr) with options.

    Args:
        arr: An array of any dtype and shape.
        max_line_width, precision, suppress_small: As of numpy.array_str.
        a: NumPy's name of ``arr``.

    Returns:
        A str.

    Raises:
        AttributeError: ``arr`` is no array.

    >>> tombac.array_str(tombac.array([1.0, 2.5]))
    '[1.  2.5]'
    """
    if a is not None or arr is None:
        arr = other_name("array_str", arr, a)
    return np.array_str(_host(arr), max_line_width, precision, suppress_small)


def array2string(a, *args, **kwargs):
    """As numpy.array2string.

    Args:
        a: An array of any dtype and shape.
        args, kwargs: As of numpy.array2string.

    Returns:
        A str.

    Raises:
        TypeError: An option is none of NumPy's.

    >>> tombac.array2string(tombac.array([1.0, 2.5]), separator=', ')
    '[1. , 2.5]'
    """
    return np.array2string(_host(a), *args, **kwargs)


def format_float_positional(x, *args, **kwargs):
    """As numpy.format_float_positional.

    Args:
        x: A number, or an array without dimensions.
        args, kwargs: As of numpy.format_float_positional.

    Returns:
        A str.

    Raises:
        TypeError: ``x`` is no number, or has dimensions.

    >>> tombac.format_float_positional(0.1)
    '0.1'
    """
    return np.format_float_positional(_host(x), *args, **kwargs)


def format_float_scientific(x, *args, **kwargs):
    """As numpy.format_float_scientific.

    Args:
        x: A number, or an array without dimensions.
        args, kwargs: As of numpy.format_float_scientific.

    Returns:
        A str.

    Raises:
        TypeError: ``x`` is no number, or has dimensions.

    >>> tombac.format_float_scientific(0.1)
    '1.e-01'
    """
    return np.format_float_scientific(_host(x), *args, **kwargs)
