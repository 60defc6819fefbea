# Made by tools/stubs.py of the signatures and docstrings of tombac.polynomial.polyutils.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

def as_series(alist: _typing.Any, trim: builtins.bool = True) -> _typing.Any: ...
def trimcoef(c: _typing.Any, tol: builtins.int = 0) -> _typing.Any: ...
def trimseq(seq: _typing.Any) -> _typing.Any: ...
__all__ = [
    "as_series", "trimcoef", "trimseq"
]
