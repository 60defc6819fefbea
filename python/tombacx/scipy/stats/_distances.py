"""Distances between distributions of which there are samples: Wasserstein's first, and Szekely's and Rizzo's energy."""

import tombac
from tombac._numpy import np
from tombacx.scipy.stats._over import check_real

__all__ = ["energy_distance", "wasserstein_distance"]


def _shares(name, values, weights, points):
    """The distribution function of samples at points."""
    if weights is None:
        return tombac.searchsorted(tombac.sort(values), points, side="right") / values.size
    order = tombac.argsort(values)
    running = tombac.cumsum(weights[order])
    running = tombac.concatenate([tombac.zeros(1), running]) / running[-1]
    return running[tombac.searchsorted(values[order], points, side="right")]


def _checked(name, values, weights):
    check_real(name, values)
    values = values.astype("d", copy=False)
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"{name}: a vector of at least one element is expected, not an array of shape {values.shape}")
    if weights is None:
        return values, None
    check_real(name, weights)
    weights = weights.astype("d", copy=False)
    if weights.shape != values.shape:
        raise ValueError(f"{name}: there are {values.size} values and weights of shape {weights.shape}")
    if bool((weights < 0).any()) or not 0 < weights.sum().item() < np.inf:
        raise ValueError(f"{name}: weights must not be negative, and their sum must be positive and finite")
    return values, weights


def _apart(name, u_values, v_values, u_weights, v_weights):
    """By how much the distribution functions differ between neighbouring elements, and how far these are apart."""
    samples = [_checked(name, *pair) for pair in ((u_values, u_weights), (v_values, v_weights))]
    points = tombac.sort(tombac.concatenate([values for values, _ in samples]))
    first, second = (_shares(name, *sample, points[:-1]) for sample in samples)
    return first - second, tombac.diff(points)


def wasserstein_distance(u_values, v_values, u_weights=None, v_weights=None):
    """The least work that makes one distribution the other: the area between their distribution functions.

    Args:
        u_values: The first sample: a vector of any real dtype.
        v_values: The second.
        u_weights: The weights of the first's elements, for which they are looked at; all alike if None.
        v_weights: Those of the second's.

    Returns:
        An array without dimensions, of float64.

    Raises:
        TypeError: The samples are no tombac arrays, or complex.
        ValueError: They are no vectors with elements, or weights are of another length, negative, or all 0.

    SciPy's has distances of several dimensions, too, which are a linear program.

    >>> tombacx.scipy.stats.wasserstein_distance(tombac.array([0.0, 1.0]), tombac.array([1.0, 2.0]))
    array(1.)
    """
    off, widths = _apart("wasserstein_distance", u_values, v_values, u_weights, v_weights)
    return (abs(off) * widths).sum()


def energy_distance(u_values, v_values, u_weights=None, v_weights=None):
    """The energy distance of distributions: of the squared difference of their distribution functions.

    Args:
        u_values: The first sample: a vector of any real dtype.
        v_values: The second.
        u_weights: The weights of the first's elements, for which they are looked at; all alike if None.
        v_weights: Those of the second's.

    Returns:
        An array without dimensions, of float64.

    Raises:
        TypeError: The samples are no tombac arrays, or complex.
        ValueError: They are no vectors with elements, or weights are of another length, negative, or all 0.

    >>> tombacx.scipy.stats.energy_distance(tombac.array([0.0]), tombac.array([2.0]))
    array(2.)
    """
    off, widths = _apart("energy_distance", u_values, v_values, u_weights, v_weights)
    return tombac.sqrt(2 * (off * off * widths).sum())
