"""The operators of tombacx.cutensor, by the numbers that cuTENSOR gives them.

tombacx.cutensor has CuPy's interface to cuTENSOR over arrays of either backend; the library itself is not needed.
"""

available = True

OP_IDENTITY = 1
OP_SQRT = 2
OP_RELU = 8
OP_CONJ = 9
OP_RCP = 10
OP_SIGMOID = 11
OP_TANH = 12
OP_EXP = 22
OP_LOG = 23
OP_ABS = 24
OP_NEG = 25
OP_SIN = 26
OP_COS = 27
OP_TAN = 28
OP_SINH = 29
OP_COSH = 30
OP_ASIN = 31
OP_ACOS = 32
OP_ATAN = 33
OP_ASINH = 34
OP_ACOSH = 35
OP_ATANH = 36
OP_CEIL = 37
OP_FLOOR = 38
OP_MISH = 39
OP_SWISH = 40
OP_SOFT_PLUS = 41
OP_SOFT_SIGN = 42
OP_ADD = 3
OP_MUL = 5
OP_MAX = 6
OP_MIN = 7


class CuTensorError(RuntimeError):
    """A failure of cuTENSOR, for programs that catch it: nothing here raises it.

    Args:
        status: cuTENSOR's number for it.

    >>> tombac.cuda.cutensor.CuTensorError(15).status
    15
    """

    def __init__(self, status):
        super().__init__(status)
        self.status = status

    def __str__(self):
        return f"cuTENSOR: status {self.status}"
