"""What SciPy computes on the host for us: matrices and operators go there, arrays come back."""

from tombac import _core
from tombacx.scipy._host import device, host, scipy_function
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse.linalg._interface import LinearOperator

__all__ = ["host_operator", "on_host", "to_host"]


def to_host(x):
    """``x`` as SciPy takes it: sparse matrices as its own, operators as operators that apply ours on the device."""
    if issparse(x):
        return x.get()
    return host_operator(x, x.dtype) if isinstance(x, LinearOperator) else host(x)


def host_operator(x, dtype):
    """An operator of SciPy's and of that dtype that applies ours on the device."""

    def applied(f):
        return lambda v: f(_core.array(v)).get()

    operator = scipy_function("scipy.sparse.linalg", "LinearOperator")
    return operator(x.shape, applied(x.matvec), applied(x.rmatvec), applied(x.matmat), dtype, applied(x.rmatmat))


def on_host(name, *args, **kwargs):
    """What ``scipy.sparse.linalg.name`` gives for these arguments, on the device; sparse results as ours."""
    f = scipy_function("scipy.sparse.linalg", name)
    return to_device(f(*map(to_host, args), **{key: to_host(value) for key, value in kwargs.items()}))


def to_device(x):
    """Arrays and sparse matrices of SciPy's, also within tuples, on the device."""
    if type(x) is tuple:
        return tuple(map(to_device, x))
    if hasattr(x, "tocsr"):
        from tombacx.scipy import sparse

        return getattr(sparse, type(x).__name__)(x)
    return device(x)
