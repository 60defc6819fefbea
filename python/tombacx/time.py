"""The former place of tombacx.profiler.benchmark."""

from tombacx.profiler import benchmark as repeat

__all__ = ["repeat"]
