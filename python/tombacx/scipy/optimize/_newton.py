"""Newton's, Halley's and the secants' method for each element of an array."""

import collections
import warnings

import tombac
from tombac._core import where

__all__ = ["newton_of_arrays"]

_Found = collections.namedtuple("result", ["root", "converged", "zero_der"])
_BETWEEN_LOOKS = 4  # steps, before whether all have converged is asked


def newton_of_arrays(func, x0, fprime, args, tol, maxiter, fprime2, x1, rtol, full_output, disp):
    """What ``newton`` gives for an array."""
    if tol <= 0:
        raise ValueError(f"newton: tol must be positive, not {tol}")
    if maxiter < 1:
        raise ValueError(f"newton: maxiter must be at least 1, not {maxiter}")
    x = x0 if x0.dtype.kind in "fc" else x0.astype("d")
    walk = _secants(func, x, x1, args) if fprime is None else _slopes(func, fprime, fprime2, x, args)
    left, flat = tombac.ones(x.shape, "?"), tombac.zeros(x.shape, "?")  # what has not converged, and cannot go on
    step, zero, done = next(walk)
    for count in range(maxiter):
        flat = flat | (left & zero & ~done)
        new = where(left & ~zero & ~done, x - step, x)
        left = left & ~done & ~zero & (abs(step) > tol + rtol * abs(new))
        x = new
        if count + 1 == maxiter or (count % _BETWEEN_LOOKS == _BETWEEN_LOOKS - 1 and not bool(left.any())):
            break
        step, zero, done = walk.send(x)
    failed = left | flat
    if not full_output:
        _tell(failed, flat, maxiter, disp)
    return _Found(x, ~failed, flat) if full_output else x


def _slopes(func, fprime, fprime2, x, args):
    """Steps by derivatives, where these are 0 and where the value is; takes the next points."""
    while True:
        value, slope = tombac.asarray(func(x, *args)), tombac.asarray(fprime(x, *args))
        zero = slope == 0
        step = value / where(zero, 1, slope)
        if fprime2 is not None:
            bent = 1 - 0.5 * step * tombac.asarray(fprime2(x, *args)) / where(zero, 1, slope)
            step = where(abs(bent - 1) < 1, step / bent, step)
        x = yield step, zero, value == 0


def _secants(func, x, x1, args):
    """Steps by secants, the first to a point nearby."""
    near = x * (1 + 1e-4) + where(x.real >= 0, 1e-4, -1e-4) if x1 is None else tombac.asarray(x1)
    before, at_before, at = near, tombac.asarray(func(near, *args)), tombac.asarray(func(x, *args))
    while True:
        change = at - at_before
        zero = change == 0
        new = yield at * (x - before) / where(zero, 1, change), zero, at == 0
        before, at_before, x = x, at, new
        at = tombac.asarray(func(x, *args))


def _tell(failed, flat, maxiter, disp):
    some, all_, is_flat = tombac.stack([failed.any(), failed.all(), flat.any()]).tolist()
    if some:
        why = "a derivative was 0" if is_flat else f"no convergence within {maxiter} steps"
        if all_ and disp and failed.size:
            raise RuntimeError(f"newton: all elements failed: {why}")
        warnings.warn(f"newton: some elements failed: {why}", RuntimeWarning, stacklevel=4)
