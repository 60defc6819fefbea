"""What optimizers give, and derivatives by differences."""

import tombac
from tombac._numpy import np

__all__ = ["OptimizeResult", "differences", "point", "size"]


class OptimizeResult(dict):
    """What an optimizer found: a dict whose keys are attributes too."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__

    def __dir__(self):
        return list(self.keys())


def point(name, x0):
    """The first point: a real vector of float64."""
    x = tombac.asarray(x0)
    if x.dtype.kind not in "biuf" or x.ndim > 1:
        raise ValueError(f"{name}: x0 must be a real vector, not of {x.dtype} and shape {x.shape}")
    return x.astype("d", copy=True).reshape(-1)


def size(x):
    """The length of a vector, on the host."""
    return float(tombac.linalg.norm(x).item()) if x.size else 0.0


def differences(f, x, at_x, central=False):
    """The derivatives of a function of a vector by each element, along the last axis: n calls, or twice as many."""
    steps = np.finfo("d").eps ** (1 / 3 if central else 1 / 2) * tombac.maximum(abs(x), 1.0)
    steps = tombac.copysign(steps, x)
    steps = (x + steps) - x  # which can be represented
    itself, columns = tombac.arange(x.size), []
    for i in range(x.size):
        step = tombac.where(itself == i, steps, 0.0)
        below = f(x - step) if central else at_x
        columns.append((f(x + step) - below) / (2 * steps[i] if central else steps[i]))
    return tombac.stack(columns, axis=-1)
