"""Functions of matrices that SciPy computes on the host: decompositions and recursions of small matrices."""

from tombac import _core
from tombacx.scipy._host import by_host, scipy_function

_ndarray, _backend, _all_finite = _core.ndarray, _core.backend, _core.all_finite


def _matrix(name, x, finite):
    """An array as SciPy takes it: its routines know no precision below the single one. Numbers stay what they are."""
    if isinstance(x, _ndarray):
        if finite and not _all_finite(x):
            raise ValueError(f"{name}: array must not contain infs or NaNs")
        return x.astype("f") if x.itemsize == 2 and x._kind not in "biu" else x
    return tuple([_matrix(name, y, finite) for y in x]) if type(x) is tuple else x


def by_scipy(name, *arrays, **options):
    """What ``scipy.linalg.NAME`` gives for these arguments, with its arrays on the device.

    ``arrays`` are arrays, tuples of arrays and numbers, and None; TypeError for anything else.
    """
    finite = options.get("check_finite") is True and _backend() == "cpu"  # seen sooner here than by SciPy
    if finite:
        options["check_finite"] = False
    given = []
    for x in arrays:
        if not isinstance(x, _ndarray) and x is not None and type(x) is not tuple:
            raise TypeError(f"{name}: a tombac.ndarray is expected, not {type(x)}")
        given.append(_matrix(name, x, finite))
    return by_host(scipy_function("scipy.linalg", name), *given, **options)
