"""Transforms on several devices: each has a part of the rows."""

import operator

from tombac import _core

__all__ = ["chosen", "parts_of", "transform"]


def chosen(name, gpus):
    """Numbers of devices: of the first ``gpus`` ones, or those that a list names."""
    if not hasattr(gpus, "__index__") and not hasattr(gpus, "__iter__"):
        raise TypeError(f"{name}: the number of devices or a list of them is expected, not {type(gpus)}")
    devices = tuple(range(gpus)) if hasattr(gpus, "__index__") else tuple(map(operator.index, gpus))
    if not devices or len(set(devices)) < len(devices):
        raise ValueError(f"{name}: one device or several different ones are expected, not {gpus}")
    there = _core.device_count()
    for d in devices:
        if not 0 <= d < there:
            raise ValueError(f"{name}: there is no device {d}; there are {there}")
    return devices


def parts_of(rows, devices, call):
    """[(slice of the rows, call(part))]: each part is copied to a device, and its result stays there."""
    if len(devices) > 1:
        callbacks = _core._fft_divert(None)
        _core._fft_divert(callbacks)
        if callbacks is not None:
            raise NotImplementedError("transforms on several devices run no callbacks")
    cuts = [len(rows) * i // len(devices) for i in range(len(devices) + 1)]
    found = []
    for d, begin, end in zip(devices, cuts, cuts[1:], strict=False):
        if begin < end:
            with _core.Device(d):
                found.append((slice(begin, end), call(_core.array(rows[begin:end]))))
    return found


def transform(a, kind, norm, axis, n, devices):
    """The transform of ``a``, which is on one of the devices, along an axis; the result is on the current device."""
    if devices is None:
        raise RuntimeError("config.use_multi_gpus: config.set_cufft_gpus has to choose devices first")
    if a.device.id not in devices:
        raise ValueError(f"the array is on device {a.device.id}, which is none of {list(devices)}")
    if not a.size or not -a.ndim <= axis < a.ndim:
        return _core._fft(a, kind, norm, axis, n, None)
    x = a.swapaxes(axis, -1)
    parts = parts_of(x.reshape(-1, x.shape[-1]), devices, lambda part: _core._fft(part, kind, norm, -1, n, None))
    y = _core.concatenate([_core.array(part) for _, part in parts])
    return y.reshape(*x.shape[:-1], -1).swapaxes(axis, -1)
