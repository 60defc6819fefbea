"""Timing of functions that use the device."""

import contextlib
import math
import time

import numpy as np

import tombac
from tombac import cuda

__all__ = ["benchmark", "profile", "time_range"]


class PerfCaseResult:
    """Times of one function in seconds: ``cpu_times`` (until the call returned), ``gpu_times`` (one row a device)."""

    def __init__(self, name, cpu_times, gpu_times, devices):
        self.name, self.cpu_times, self.gpu_times, self._devices = name, cpu_times, gpu_times, devices

    @staticmethod
    def _row(label, times):
        t = times * 1e6
        text = f"    {label}: {t.mean():9.3f} us"
        if t.size > 1:
            text += f"   +/- {t.std():6.3f} (min: {t.min():9.3f} / max: {t.max():9.3f}) us"
        return text

    def to_str(self, show_gpu=False):
        """The times as a line of text."""
        text = f"{self.name:<20s}:{self._row('CPU', self.cpu_times)}"
        if show_gpu:
            text += "".join(self._row(f"GPU-{d}", t) for d, t in zip(self._devices, self.gpu_times))
        return text

    def __str__(self):
        return self.to_str(show_gpu=True)

    __repr__ = __str__


def benchmark(func, args=(), kwargs={}, n_repeat=10000, *, name=None, n_warmup=10, max_duration=math.inf, devices=None):
    """Calls ``func(*args, **kwargs)`` many times and measures each call on the host and on the devices.

    What a call leaves deferred is enqueued before its end is marked, so that it counts.

    Args:
        n_repeat: Number of calls.
        n_warmup: Number of calls before, not measured.
        max_duration: Seconds after which no further call is made.
        devices: Numbers of the devices to measure; the current one by default.

    Returns:
        An object with ``cpu_times`` and ``gpu_times`` in seconds, whose text sums them up.
    """
    name = name or getattr(func, "__name__", type(func).__name__)
    devices = (cuda.Device().id,) if devices is None else tuple(devices)
    for _ in range(n_warmup):
        func(*args, **kwargs)
    starts, stops = [], []
    for d in devices:
        with cuda.Device(d):
            starts.append(cuda.Event())
            stops.append(cuda.Event())
            cuda.Device(d).synchronize()
    cpu, gpu = [], [[] for _ in devices]
    deadline = time.perf_counter() + max_duration
    for _ in range(n_repeat):
        result = _measure(func, args, kwargs, devices, starts, stops)
        cpu.append(result[0])
        for row, t in zip(gpu, result[1]):
            row.append(t)
        if time.perf_counter() > deadline:
            break
    return PerfCaseResult(name, np.asarray(cpu), np.asarray(gpu), devices)


def _measure(func, args, kwargs, devices, starts, stops):
    for d, e in zip(devices, starts):
        with cuda.Device(d):
            e.record()
    t = time.perf_counter()
    result = func(*args, **kwargs)
    elapsed = time.perf_counter() - t
    for d, e in zip(devices, stops):
        with cuda.Device(d):
            e.record()
    for e in stops:
        e.synchronize()
    del result
    return elapsed, [cuda.get_elapsed_time(a, b) * 1e-3 for a, b in zip(starts, stops)]


@contextlib.contextmanager
def time_range(message=None, color_id=None, argb_color=None, sync=False):
    """Marks a block of code by waiting for the device around it if ``sync``; colours are accepted."""
    if sync:
        cuda.Device().synchronize()
    yield
    if sync:
        cuda.Device().synchronize()


@contextlib.contextmanager
def profile():
    """A block whose device work is done when it ends."""
    yield
    tombac.cuda.Device().synchronize()
