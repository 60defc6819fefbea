"""Files and text: NumPy's formats, with arrays copied to the host and back."""

import numpy as np

from tombac import _core

__all__ = [
    "array2string", "array_repr", "array_str", "format_float_positional", "format_float_scientific", "get_printoptions",
    "load", "printoptions", "save", "savetxt", "savez", "savez_compressed", "set_printoptions",
]

get_printoptions = np.get_printoptions
printoptions = np.printoptions
set_printoptions = np.set_printoptions


def _host(a):
    return a.get() if isinstance(a, _core.ndarray) else a


class NpzFile:
    """The arrays of an ``.npz`` file, read and copied to the device on access."""

    def __init__(self, npz):
        self.npz_file = npz
        self.files = npz.files

    def __enter__(self):
        self.npz_file.__enter__()
        return self

    def __exit__(self, *args):
        self.npz_file.__exit__(*args)

    def __getitem__(self, key):
        return _core.array(self.npz_file[key])

    def __contains__(self, key):
        return key in self.files

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def keys(self):
        """The arrays' names."""
        return self.files

    def close(self):
        """Closes the file."""
        self.npz_file.close()


def load(file, mmap_mode=None, allow_pickle=None):
    """The array of a ``.npy`` file, or an NpzFile of a ``.npz`` file."""
    obj = np.load(file, mmap_mode, allow_pickle=bool(allow_pickle))
    if isinstance(obj, np.ndarray):
        return _core.array(obj)
    return NpzFile(obj) if isinstance(obj, np.lib.npyio.NpzFile) else obj


def save(file, arr, allow_pickle=None):
    """Writes an array to a ``.npy`` file."""
    np.save(file, _core.asnumpy(arr), allow_pickle=True if allow_pickle is None else allow_pickle)


def savez(file, *args, **kwds):
    """Writes arrays to a ``.npz`` file."""
    np.savez(file, *map(_host, args), **{k: _host(v) for k, v in kwds.items()})


def savez_compressed(file, *args, **kwds):
    """Writes arrays to a compressed ``.npz`` file."""
    np.savez_compressed(file, *map(_host, args), **{k: _host(v) for k, v in kwds.items()})


def savetxt(fname, X, *args, **kwargs):
    """Writes an array to a text file."""
    np.savetxt(fname, _host(X), *args, **kwargs)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """repr(arr) with options."""
    return np.array_repr(_host(arr), max_line_width, precision, suppress_small)


def array_str(arr, max_line_width=None, precision=None, suppress_small=None):
    """str(arr) with options."""
    return np.array_str(_host(arr), max_line_width, precision, suppress_small)


def array2string(a, *args, **kwargs):
    """As numpy.array2string."""
    return np.array2string(_host(a), *args, **kwargs)


def format_float_positional(x, *args, **kwargs):
    """As numpy.format_float_positional."""
    return np.format_float_positional(_host(x), *args, **kwargs)


def format_float_scientific(x, *args, **kwargs):
    """As numpy.format_float_scientific."""
    return np.format_float_scientific(_host(x), *args, **kwargs)
