"""The former place of tombacx.profiler.benchmark."""

import warnings

from tombacx.profiler import benchmark

__all__ = ["repeat"]


def repeat(*args, **kwargs):
    """tombacx.profiler.benchmark, with a DeprecationWarning."""
    warnings.warn("tombacx.time.repeat is deprecated; use tombacx.profiler.benchmark", DeprecationWarning, stacklevel=2)
    return benchmark(*args, **kwargs)
