"""Streams and events."""

from tombac._core import Event, ExternalStream, Stream, get_current_stream, get_elapsed_time

__all__ = ["Event", "ExternalStream", "Stream", "get_current_stream", "get_elapsed_time"]
