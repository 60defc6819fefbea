# Made by tools/stubs.py of the signatures and docstrings of tombacx.scipy.signal.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
import tombac
from tombacx.scipy.signal import windows as windows

def get_window(window: _typing.Any, Nx: _typing.Any, fftbins: builtins.bool = True) -> tombac.ndarray: ...
__all__ = [
    "get_window", "windows"
]
