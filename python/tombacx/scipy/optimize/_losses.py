"""Losses: what is summed of the squares of residuals, by which outliers have less weight."""

import tombac
from tombac._core import where
from tombac._numpy import np

__all__ = ["loss_of"]


def _soft_l1(z):
    root = tombac.sqrt(1 + z)
    return 2 * (root - 1), 1 / root, -0.5 / root**3


def _huber(z):
    far = z > 1
    root = tombac.sqrt(where(far, z, 1.0))
    return where(far, 2 * root - 1, z), where(far, 1 / root, 1.0), where(far, -0.5 / root**3, 0.0)


def _cauchy(z):
    return tombac.log1p(z), 1 / (1 + z), -1 / tombac.square(1 + z)


def _arctan(z):
    divisor = 1 + z * z
    return tombac.arctan(z), 1 / divisor, -2 * z / (divisor * divisor)


_LOSSES = {"soft_l1": _soft_l1, "huber": _huber, "cauchy": _cauchy, "arctan": _arctan}


def loss_of(loss, f_scale):
    """A function of residuals: half of the sum of the loss, and by what Jacobian and residuals are multiplied; or None.

    So multiplied they are those of a sum of squares with the same gradient, and nearly the same second derivatives.
    """
    if not callable(loss) and loss != "linear" and loss not in _LOSSES:
        raise ValueError(f"least_squares: loss must be 'linear', {', '.join(map(repr, _LOSSES))} or a function, not "
                         f"{loss!r}")
    if not f_scale > 0:
        raise ValueError(f"least_squares: f_scale must be positive, not {f_scale}")
    if not callable(loss) and loss == "linear":
        return None
    loss = _LOSSES.get(loss, loss) if isinstance(loss, str) else loss

    def weigh(f):
        value, first, second = loss(tombac.square(f / f_scale))
        of_j = first + 2 * second * tombac.square(f / f_scale)
        of_j = tombac.sqrt(tombac.maximum(of_j, np.finfo("d").eps))
        return f_scale * f_scale * value.sum() / 2, of_j, first / of_j

    return weigh
