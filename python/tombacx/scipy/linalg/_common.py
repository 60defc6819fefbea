"""What the solvers of tombacx.scipy.linalg have in common: arguments that SciPy has, and their checks."""

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays

_LETTERS = {0: "N", 1: "T", 2: "C", "N": "N", "T": "T", "C": "C"}


def trans_letter(name, trans):
    """LAPACK's letter for SciPy's ``trans``."""
    try:
        return _LETTERS[_core._on_host(trans)]
    except (KeyError, TypeError):
        raise ValueError(f"{name}: trans must be 0 or 'N', 1 or 'T', 2 or 'C', not {trans!r}") from None


def check_matrices(name, check_finite, *arrays):
    """TypeError for what is no array; ValueError for NaN and infinity, if that is asked for, which waits."""
    check_arrays(name, *arrays)
    if check_finite and not all([_core.all_finite(a) for a in arrays]):
        raise ValueError(f"{name}: array must not contain infs or NaNs")


def check_square(name, a):
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError(f"{name}: the last two dimensions must be square, the shape is {a.shape}")
