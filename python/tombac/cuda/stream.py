"""Streams and events."""

from tombac._core import Event, ExternalStream, Stream, get_current_stream, get_elapsed_time

__all__ = ["Event", "ExternalStream", "Stream", "get_current_stream", "get_elapsed_time", "is_ptds_enabled"]


def is_ptds_enabled():
    """Whether the current stream is the thread's own until another is chosen: TOMBAC has the null stream instead."""
    return False
