"""Turning a profiler that is attached on and off."""

from tombac.cuda import runtime

__all__ = ["start", "stop"]


def start():
    """Lets the profiler collect from here on. Nothing happens when there is none."""
    runtime.profilerStart()


def stop():
    """Lets the profiler stop collecting."""
    runtime.profilerStop()
