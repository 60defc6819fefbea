"""Timing of functions that use the device, and marks for NVIDIA's profilers."""

import contextlib
import functools
import math
import time

from tombac import cuda
from tombac._numpy import np

__all__ = ["benchmark", "profile", "time_range"]


class PerfCaseResult:
    """Times of one function in seconds: ``cpu_times`` (until the call returned), ``gpu_times`` (one row a device)."""

    def __init__(self, name, ts, devices):
        if ts.ndim != 2 or ts.shape[0] != len(devices) + 1:
            raise ValueError(f"PerfCaseResult: times of shape {ts.shape} for {len(devices)} devices")
        self.name, self._ts, self._devices = name, ts, devices

    @property
    def cpu_times(self):
        """Seconds of each call on the host: shape (calls,)."""
        return self._ts[0]

    @property
    def gpu_times(self):
        """Seconds of each call on each device: shape (devices, calls)."""
        return self._ts[1:]

    @staticmethod
    def _to_str_per_item(device_name, t):
        t_us = t * 1e6
        s = f"    {device_name}: {t_us.mean():9.3f} us"
        if t.size > 1:
            s += f"   +/- {t_us.std():6.3f} (min: {t_us.min():9.3f} / max: {t_us.max():9.3f}) us"
        return s

    def to_str(self, show_gpu=False):
        """The times as a line of text: mean, standard deviation, least and most, in microseconds."""
        text = f"{self.name:<20s}:{self._to_str_per_item('CPU', self.cpu_times)}"
        if show_gpu:
            text += "".join(self._to_str_per_item(f"GPU-{d}", t) for d, t in zip(self._devices, self.gpu_times))
        return text

    def __str__(self):
        return self.to_str(show_gpu=True)

    __repr__ = __str__


def benchmark(func, args=(), kwargs={}, n_repeat=10000, *, name=None, n_warmup=10, max_duration=math.inf, devices=None):
    """Calls ``func(*args, **kwargs)`` many times and measures each call on the host and on the devices.

    What a call leaves deferred is enqueued before its end is marked, so that it counts.

    Args:
        func: A callable.
        n_repeat: Number of calls.
        name: What the result calls it; the function's own name by default.
        n_warmup: Number of calls before, not measured.
        max_duration: Seconds after which no further call is made.
        devices: Numbers of the devices to measure; the current one by default.

    Returns:
        An object with ``cpu_times`` and ``gpu_times`` in seconds, whose text sums them up.

    Raises:
        ValueError: An argument is not of the kind described.

    >>> print(tombacx.profiler.benchmark(tombac.ones(10).sum, (), n_repeat=5))  # doctest: +SKIP
    sum                 :    CPU:     3.120 us   +/-  0.310 (min: ...
    """
    if name is None:
        name = getattr(func, "__name__", type(func).__name__)
    if devices is None:
        devices = (cuda.Device().id,)
    if not callable(func):
        raise ValueError("benchmark: `func` should be a callable object.")
    if not isinstance(args, tuple):
        raise ValueError("benchmark: `args` should be of tuple type.")
    if not isinstance(kwargs, dict):
        raise ValueError("benchmark: `kwargs` should be of dict type.")
    if not isinstance(n_repeat, int):
        raise ValueError("benchmark: `n_repeat` should be an integer.")
    if not isinstance(name, str):
        raise ValueError("benchmark: `name` should be a string.")
    if not isinstance(n_warmup, int):
        raise ValueError("benchmark: `n_warmup` should be an integer.")
    devices = tuple(devices)
    starts, stops = _events(devices), _events(devices)
    for _ in range(n_warmup):
        func(*args, **kwargs)
    for d, e in zip(devices, stops):
        with cuda.Device(d):
            e.record()
            e.synchronize()
    times = [_measure(func, args, kwargs, devices, starts, stops)] if n_repeat > 0 else []
    duration = sum(max(t) for t in times)
    while len(times) < n_repeat and duration < max_duration:
        times.append(_measure(func, args, kwargs, devices, starts, stops))
        duration += max(times[-1])
    return PerfCaseResult(name, np.array(times, dtype=float).reshape(-1, len(devices) + 1).T, devices)


def _events(devices):
    events = []
    for d in devices:
        with cuda.Device(d):
            events.append(cuda.Event())
    return events


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
    return [elapsed] + [cuda.get_elapsed_time(a, b) * 1e-3 for a, b in zip(starts, stops)]


class time_range:
    """A range on a profiler's time line: a context manager and a decorator.

    Args:
        message: Its name; a decorated function's own by default.
        color_id: One of a few colours. Not together with argb_color.
        argb_color: A colour as 0xAARRGGBB.
        sync: Whether the current stream is waited for at both ends.

    >>> with tombacx.profiler.time_range("step", color_id=1):
    ...     x = tombac.ones(3) + 1
    """

    def __init__(self, message=None, color_id=None, argb_color=None, sync=False):
        if color_id is not None and argb_color is not None:
            raise ValueError("time_range: only one of color_id and argb_color can be given")
        self.message, self.color_id, self.argb_color, self.sync = message, color_id, argb_color, sync

    def __enter__(self):
        if self.message is None:
            raise ValueError("time_range: message must be given when it is used as a context manager")
        if self.sync:
            cuda.get_current_stream().synchronize()
        if self.argb_color is not None:
            cuda.nvtx.RangePushC(self.message, self.argb_color)
        else:
            cuda.nvtx.RangePush(self.message, -1 if self.color_id is None else self.color_id)
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        if self.sync:
            cuda.get_current_stream().synchronize()
        cuda.nvtx.RangePop()

    def __call__(self, func):
        if self.message is None:
            self.message = func.__name__

        @functools.wraps(func)
        def inner(*args, **kwargs):
            with time_range(self.message, self.color_id, self.argb_color, self.sync):
                return func(*args, **kwargs)

        return inner


@contextlib.contextmanager
def profile():
    """A block that a profiler collects, if it was told to wait for that (nsys profile -c cudaProfilerApi).

    >>> with tombacx.profiler.profile():
    ...     x = tombac.ones(3) + 1
    """
    cuda.profiler.start()
    try:
        yield
    finally:
        cuda.profiler.stop()


def load_ipython_extension(ipython):
    """Adds the magics %gpu_timeit and %%gpu_timeit: benchmark of a line or a cell.

    Options: -n (calls, 100), -w (calls to warm up, 10), -d (seconds at most).
    """

    def gpu_timeit(line, cell=None):
        options, code = ipython.parse_options(line, "n:w:d:", posix=False, strict=False) if hasattr(
            ipython, "parse_options") else ({}, line)
        source = code if cell is None else cell
        compiled = compile(source, "<gpu_timeit>", "exec")
        space = ipython.user_ns
        print(benchmark(lambda: exec(compiled, space), n_repeat=int(options.get("n", 100)), name="run",
            n_warmup=int(options.get("w", 10)), max_duration=float(options.get("d", math.inf))))

    ipython.register_magic_function(gpu_timeit, "line_cell", "gpu_timeit")
