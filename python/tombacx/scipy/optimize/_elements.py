"""What elementwise methods have in common: problems that broadcast, their states, and when all are done."""

import tombac
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy.optimize._result import OptimizeResult

__all__ = ["CONVERGED", "INVALID", "LIMIT", "NOT_FINITE", "ORDER", "Problems", "RUNNING", "broadcast"]

CONVERGED, INVALID, LIMIT, NOT_FINITE, STOPPED, ORDER, RUNNING = 0, -1, -2, -3, -4, -5, 1
_BETWEEN_LOOKS = 4  # steps


def broadcast(name, f, points, args):
    """Points of a common floating dtype and shape, further arguments of it, and the function's values at the points."""
    if not callable(f):
        raise ValueError(f"{name}: f must be a function, not {f!r}")
    args = tuple(map(tombac.asarray, args if isinstance(args, tuple) else (args,)))
    points = [tombac.asarray(p) for p in points]
    if any(p.dtype.kind not in "biuf" for p in points):
        raise ValueError(f"{name}: points must be real numbers")
    dtype = np.result_type(*(p.dtype if p.dtype.kind == "f" else np.dtype("d") for p in points))
    shape = np.broadcast_shapes(*(x.shape for x in (*points, *args)))
    points = [tombac.broadcast_to(p.astype(dtype), shape) for p in points]
    args = [tombac.broadcast_to(a, shape) for a in args]

    def values(x):
        value = tombac.asarray(f(x, *args))
        if value.shape != shape:
            raise ValueError(f"{name}: f must give an array of shape {shape}, not {value.shape}")
        return value.astype(dtype, copy=False)

    return points, values


class Problems:
    """The states of problems that are solved side by side: arrays, which change where a problem is still running."""

    def __init__(self, shape, **arrays):
        self.__dict__.update(arrays)
        self._names = tuple(arrays)
        self.status = tombac.full(shape, RUNNING, "i")
        self.nit = tombac.zeros(shape, "i")

    @property
    def running(self):
        return self.status == RUNNING

    def end(self, status, reached):
        """Problems that are still running end with a status where ``reached``."""
        self.status = where(self.running & reached, status, self.status).astype("i")

    def change(self, **arrays):
        """New arrays, where problems are still running."""
        running = self.running
        for name, value in arrays.items():
            setattr(self, name, where(running, value, getattr(self, name)))

    def run(self, step, check, maxiter, callback=None, result=None):
        """Steps until all have ended, or ``callback`` stops them."""
        check(self)
        told = self._told(callback, result)
        for count in range(int(maxiter)):
            if told or ((callback is not None or count % _BETWEEN_LOOKS == 0) and not bool(self.running.any())):
                break
            self.nit = self.nit + self.running.astype("i")
            step(self)
            check(self)
            told = self._told(callback, result)
        self.end(STOPPED if told else LIMIT, True)

    def _told(self, callback, result):
        if callback is None:
            return False
        try:
            callback(result(self))
        except StopIteration:
            return True
        return False

    def result(self, nfev, **fields):
        return OptimizeResult(success=self.status == CONVERGED, status=self.status, nit=self.nit, nfev=nfev, **fields)
