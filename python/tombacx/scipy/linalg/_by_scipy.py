"""Functions of matrices that SciPy computes on the host: decompositions and recursions of small matrices."""

from tombac import _core
from tombac._util import check_arrays
from tombacx.scipy import _host


def _host_matrix(x):
    """An array as SciPy takes it: its routines know no precision below the single one. Numbers stay what they are."""
    if not isinstance(x, _core.ndarray):
        return x
    half = x._kind not in "biu" and x.itemsize == 2
    return _host.host(x.astype("f") if half else x)


def by_scipy(name, *arrays, **options):
    """What ``scipy.linalg.NAME`` gives for these arguments, with its arrays on the device.

    ``arrays`` are arrays, tuples of arrays and numbers, and None; TypeError for anything else.
    """
    check_arrays(name, *(x for x in arrays if x is not None and type(x) is not tuple))
    given = [tuple(map(_host_matrix, x)) if type(x) is tuple else _host_matrix(x) for x in arrays]
    options = {key: _core._on_host(value) for key, value in options.items()}
    return _host.device(_host.scipy_function("scipy.linalg", name)(*given, **options))
