# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.stream.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
from tombac.cuda import Event as Event
from tombac.cuda import ExternalStream as ExternalStream
from tombac.cuda import Stream as Stream

def get_current_stream(device_id: builtins.int = -1) -> _typing.Any: ...
def get_elapsed_time(start_event: _typing.Any, end_event: _typing.Any) -> _typing.Any: ...
def is_ptds_enabled() -> _typing.Any: ...
__all__ = [
    "Event", "ExternalStream", "Stream", "get_current_stream", "get_elapsed_time", "is_ptds_enabled"
]
