# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.cutensor.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

class CuTensorError(builtins.RuntimeError):
    status: _typing.Any
    def __init__(self, status: _typing.Any) -> None: ...
OP_ABS: builtins.int
OP_ACOS: builtins.int
OP_ACOSH: builtins.int
OP_ADD: builtins.int
OP_ASIN: builtins.int
OP_ASINH: builtins.int
OP_ATAN: builtins.int
OP_ATANH: builtins.int
OP_CEIL: builtins.int
OP_CONJ: builtins.int
OP_COS: builtins.int
OP_COSH: builtins.int
OP_EXP: builtins.int
OP_FLOOR: builtins.int
OP_IDENTITY: builtins.int
OP_LOG: builtins.int
OP_MAX: builtins.int
OP_MIN: builtins.int
OP_MISH: builtins.int
OP_MUL: builtins.int
OP_NEG: builtins.int
OP_RCP: builtins.int
OP_RELU: builtins.int
OP_SIGMOID: builtins.int
OP_SIN: builtins.int
OP_SINH: builtins.int
OP_SOFT_PLUS: builtins.int
OP_SOFT_SIGN: builtins.int
OP_SQRT: builtins.int
OP_SWISH: builtins.int
OP_TAN: builtins.int
OP_TANH: builtins.int
available: builtins.bool
