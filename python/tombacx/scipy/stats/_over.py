"""Functions of samples along an axis: how samples lie, which of them NaN spoils, and the axes that results keep.

``over`` is what SciPy's functions have in common: it lays samples out as lines along the last axis, leaves NaN out or
refuses it, calls what computes, and gives the results their shape. Leaving NaN out makes lines of different lengths;
those of one length are computed together, so that nothing that computes needs to know of NaN.
"""

import functools
import math
import operator

import tombac
from tombac._core import where
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_tuple

__all__ = ["check_policy", "check_real", "confidence_interval", "of_any", "over", "reduced_axes"]

_POLICIES = ("propagate", "omit", "raise")


def check_policy(name, nan_policy, policies=_POLICIES):
    if nan_policy not in policies:
        raise ValueError(f"{name}: nan_policy must be one of {', '.join(map(repr, policies))}, not {nan_policy!r}")


def check_real(name, *samples):
    check_arrays(name, *samples)
    for x in samples:
        if x.dtype.kind == "c":
            raise TypeError(f"{name}: samples must be real, not {x.dtype}")


def reduced_axes(axis, ndim):
    """The axes along which samples lie, from the first on: of an int, of several, or all for None."""
    if axis is None:
        return tuple(range(ndim))
    return tuple(sorted(normalize_axis_tuple(axis, ndim, "axis")))


def over(name, samples, axis, nan_policy, keepdims, compute, *, least=1, paired=False, results=2, dtype="d",
         spoilt=True, result=None, refused=False):
    """What a function computes of samples along an axis: a tuple of arrays without it.

    Args:
        name: Whose samples they are, for messages.
        samples: Arrays whose shapes broadcast but for the axis, or with it where they are ``paired``.
        axis: Along which axis or axes they lie; None takes all elements of each for one sample.
        nan_policy: What is done where elements are NaN.
        keepdims: Whether the axes stay, with the length 1.
        compute: A function of the samples along the last axis, that gives a tuple of arrays without it.
        least: How many elements each sample needs: a number, or a function of the samples' lengths that says whether
            they are enough. Where there are fewer, results are NaN.
        paired: Whether elements of the samples belong together.
        results: How many arrays ``compute`` gives.
        dtype: The dtype to compute in; complex samples are refused. None leaves them as they are.
        spoilt: Whether NaN makes results NaN; if not, ``compute`` says what it does.
        result: The dtype of results that are computed in float64: as SciPy's, float32 where no sample has more
            digits, unless another is given; () leaves them as they are.
        refused: Whether several samples at once that are too short, but neither empty nor with NaN, are refused.
    """
    check_policy(name, nan_policy)
    check_arrays(name, *samples)
    if dtype is not None:
        check_real(name, *samples)
    lines, axes = _laid_out(name, samples, axis, paired)
    if dtype is not None:
        lines = [x.astype(dtype, copy=False) for x in lines]
    bad = []
    if spoilt or nan_policy != "propagate":
        bad = [tombac.isnan(x) for x, given in zip(lines, samples, strict=True) if given.dtype.kind in "fc"]
    if nan_policy == "raise" and any(bool(b.any()) for b in bad):
        raise ValueError(f"{name}: the samples contain NaN")

    def computed(*parts):
        sizes = [x.shape[-1] for x in parts]
        if min(sizes) < least if isinstance(least, int) else not least(*sizes):
            if refused and min(sizes) and max(x.ndim for x in samples) > 1 and not any(bool(b.any()) for b in bad):
                raise ValueError(f"{name}: samples of {' and '.join(map(str, sizes))} elements are too short")
            return [tombac.full(parts[0].shape[:-1], np.nan)] * results
        return [tombac.asarray(found) for found in compute(*parts)]

    if 0 in lines[0].shape[:-1]:
        found = [tombac.empty(lines[0].shape[:-1])] * results
    elif nan_policy == "omit" and bad and all(x.size for x in lines):
        found = _without_nan(lines, paired, computed, results)
    else:
        found = computed(*lines)
        if nan_policy == "propagate" and bad and spoilt:
            lost = functools.reduce(operator.or_, (b.any(axis=-1) for b in bad))
            found = [where(lost, np.nan, x) for x in found]
    if result is None and dtype == "d" and np.result_type(*(x.dtype for x in samples)) == "f":
        result = "f"
    if result:
        found = [x.astype(result, copy=False) for x in found]
    return tuple(tombac.expand_dims(x, axes) for x in found) if keepdims else tuple(found)


def _laid_out(name, samples, axis, paired):
    if len(samples) == 1 and samples[0].ndim == 1:  # as it lies
        return list(samples), reduced_axes(axis, 1)
    ndim = max(1, *(x.ndim for x in samples))
    axes = reduced_axes(axis, ndim)
    samples = [x.reshape((1,) * (ndim - x.ndim) + x.shape if axis is not None else (1,) * (ndim - 1) + (x.size,))
               for x in samples]
    across = [i for i in range(ndim) if i not in axes]
    try:
        if paired:
            whole = np.broadcast_shapes(*(x.shape for x in samples))
            samples = [tombac.broadcast_to(x, whole) for x in samples]
        batch = np.broadcast_shapes(*(tuple(x.shape[i] for i in across) for x in samples))
    except ValueError:
        raise ValueError(f"{name}: shapes of samples must agree {'' if paired else 'but for the axis'}, not be "
                         f"{', '.join(str(x.shape) for x in samples)}") from None
    lines = []
    for x in samples:
        length = math.prod(x.shape[i] for i in axes)
        x = tombac.transpose(x, (*across, *axes)).reshape(*(x.shape[i] for i in across), length)
        lines.append(x if x.shape[:-1] == batch else tombac.broadcast_to(x, (*batch, length)))
    return lines, axes


def _without_nan(lines, paired, computed, results):
    """Lines of one length together, after what counts was moved to their beginnings."""
    batch = lines[0].shape[:-1]
    lines = [x.reshape(-1, x.shape[-1]) for x in lines]
    good = [~tombac.isnan(x) for x in lines]
    if paired:
        good = [tombac.stack(good).all(axis=0)] * len(lines)
    counts = tombac.stack([g.sum(axis=-1) for g in good], axis=-1).get()
    lengths, kind = np.unique(counts, axis=0, return_inverse=True)
    kind = kind.ravel()
    if len(lengths) > 1 or tuple(lengths[0]) != tuple(x.shape[-1] for x in lines):
        lines = [tombac.take_along_axis(x, tombac.argsort(~g, axis=-1, kind="stable"), -1)
                 for x, g in zip(lines, good, strict=True)]
    if len(lengths) == 1:
        found = computed(*(x[:, :int(n)] for x, n in zip(lines, lengths[0], strict=True)))
        return [x.reshape(batch) for x in found]
    dtype = np.result_type(*(x.dtype for x in lines)) if results == 1 else "d"
    found = [tombac.empty(len(counts), dtype) for _ in range(results)]
    for i, sizes in enumerate(lengths):
        rows = tombac.array(np.flatnonzero(kind == i))
        for whole, part in zip(found, computed(*(x[rows, :int(n)] for x, n in zip(lines, sizes, strict=True))),
                               strict=True):
            whole[rows] = part
    return [x.reshape(batch) for x in found]


def of_any(tied, *samples):
    """Whether lines, or any of them, have ties: SciPy chooses one method for all that it computes at once, as it does
    unless an element is NaN."""
    bad = [tombac.isnan(x).any() for x in samples if x.dtype.kind == "f"]
    return where(functools.reduce(operator.or_, bad), tied, tied.any()) if bad else tied.any()


def confidence_interval(estimate, error, distribution, alternative, level):
    """Where a parameter is, by its estimate with the standard error: a tuple of arrays, the ends."""
    if not 0 < level < 1:
        raise ValueError(f"confidence_interval: confidence_level must be between 0 and 1, not {level!r}")
    reach = error * distribution.ppf((1 + level) / 2 if alternative == "two-sided" else level)
    endless = tombac.full_like(reach + estimate, np.inf)
    return (-endless if alternative == "less" else estimate - reach,
            endless if alternative == "greater" else estimate + reach)
