"""cuSPARSE's constants, for programs that hand them to cuSPARSELt; tombacx.cusparse has what CuPy has of its functions.

>>> tombac.cuda.cusparse.CUSPARSE_ORDER_ROW
2
"""

CUSPARSE_OPERATION_NON_TRANSPOSE = 0
CUSPARSE_OPERATION_TRANSPOSE = 1
CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
CUSPARSE_ORDER_COL = 1
CUSPARSE_ORDER_ROW = 2


def __getattr__(name):
    text = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(f"{text}: tombac has no bindings of cuSPARSE's functions", name=name)
