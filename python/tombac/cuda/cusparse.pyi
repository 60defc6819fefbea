# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.cusparse.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE: builtins.int
CUSPARSE_OPERATION_NON_TRANSPOSE: builtins.int
CUSPARSE_OPERATION_TRANSPOSE: builtins.int
CUSPARSE_ORDER_COL: builtins.int
CUSPARSE_ORDER_ROW: builtins.int
