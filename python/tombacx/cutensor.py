"""Tensors whose axes have names (modes): CuPy's interface to cuTENSOR, as expressions and products of arrays.

An element-wise operation is one kernel; a contraction is what einsum makes of it. Modes are characters or integers, one
for each axis of an array. A mode that an operand of an element-wise operation lacks is broadcast; one that only
operands of a contraction have, or the array that is reduced, is summed over.
"""

from tombac import _core, einsum
from tombac._numpy import np
from tombac._util import check_arrays
from tombac.cuda import cutensor as _numbers

__all__ = [
    "contraction", "create_mode", "create_tensor_descriptor", "elementwise_binary", "elementwise_trinary", "reduction",
]


# ---- modes -----------------------------------------------------------------------------------------------------------


class _Mode(tuple):
    """The modes of an array's axes, as integers."""

    __slots__ = ()

    @property
    def ndim(self):
        return len(self)

    @property
    def data(self):
        """The modes, as something that is the same for the same modes."""
        return tuple(self)

    def __repr__(self):
        return f"mode({', '.join(map(str, self))})"


def create_mode(*mode):
    """The modes of an array's axes.

    Args:
        mode: A character or an integer for each axis.

    Returns:
        A tuple of integers: characters by their code points.

    Raises:
        TypeError: A mode is neither a character nor an integer.

    >>> tombacx.cutensor.create_mode('x', 'y')
    mode(120, 121)
    """
    try:
        return _Mode(ord(m) if isinstance(m, str) else int(m) for m in mode)
    except TypeError as e:
        raise TypeError(f"create_mode: a mode is one character or an integer: {mode!r}") from e


def create_tensor_descriptor(a):
    """What cuTENSOR is told of an array: lengths, strides in elements and dtype.

    Args:
        a: An array.

    Returns:
        A tuple ``(shape, strides, dtype)``.

    Raises:
        TypeError: ``a`` is no tombac array.

    >>> tombacx.cutensor.create_tensor_descriptor(tombac.ones((2, 3)))
    ((2, 3), (3, 1), dtype('float64'))
    """
    check_arrays("create_tensor_descriptor", a)
    return a.shape, tuple([s // a.itemsize for s in a.strides]), a.dtype


def _modes(name, what, a, mode):
    check_arrays(name, a)
    mode = mode if isinstance(mode, _Mode) else create_mode(*mode)
    if len(mode) != a.ndim:
        raise ValueError(f"{name}: {what} has {a.ndim} axes, and {len(mode)} modes are given for it")
    if len(set(mode)) != len(mode):
        raise ValueError(f"{name}: a mode of {what} is given twice: {mode}")
    return mode


def _laid_out(name, what, a, mode, to, shape):
    """A view of ``a`` with its axes where ``to`` has their modes, of length 1 where it has others."""
    for m, n in zip(mode, a.shape):
        if m not in to:
            raise ValueError(f"{name}: {what} has the mode {m}, which the result does not have")
        if shape[to.index(m)] != n:
            raise ValueError(f"{name}: the mode {m} has the length {n} in {what}, {shape[to.index(m)]} in the result")
    view = a.transpose([mode.index(m) for m in to if m in mode])
    return view.reshape([n if m in mode else 1 for m, n in zip(to, shape)])


# ---- operators -------------------------------------------------------------------------------------------------------


def _sigmoid(x):
    return 1 / (1 + _core.exp(-x))


def _softplus(x):
    return _core.log1p(_core.exp(-_core.absolute(x))) + _core.maximum(x, 0)


_UNARY = {
    "OP_IDENTITY": lambda x: x, "OP_SQRT": _core.sqrt, "OP_RELU": lambda x: _core.maximum(x, 0),
    "OP_CONJ": _core.conjugate, "OP_RCP": _core.reciprocal, "OP_SIGMOID": _sigmoid, "OP_TANH": _core.tanh,
    "OP_EXP": _core.exp, "OP_LOG": _core.log, "OP_ABS": _core.absolute, "OP_NEG": _core.negative, "OP_SIN": _core.sin,
    "OP_COS": _core.cos, "OP_TAN": _core.tan, "OP_SINH": _core.sinh, "OP_COSH": _core.cosh, "OP_ASIN": _core.arcsin,
    "OP_ACOS": _core.arccos, "OP_ATAN": _core.arctan, "OP_ASINH": _core.arcsinh, "OP_ACOSH": _core.arccosh,
    "OP_ATANH": _core.arctanh, "OP_CEIL": _core.ceil, "OP_FLOOR": _core.floor,
    "OP_MISH": lambda x: x * _core.tanh(_softplus(x)), "OP_SWISH": lambda x: x * _sigmoid(x),
    "OP_SOFT_PLUS": _softplus, "OP_SOFT_SIGN": lambda x: x / (1 + _core.absolute(x)),
}
_BINARY = {"OP_ADD": _core.add, "OP_MUL": _core.multiply, "OP_MAX": _core.maximum, "OP_MIN": _core.minimum}
_REDUCTION = {"OP_ADD": _core.sum, "OP_MUL": _core.prod, "OP_MAX": _core.max, "OP_MIN": _core.min}
_UNARY, _BINARY, _REDUCTION = ({getattr(_numbers, key): f for key, f in table.items()}
                               for table in (_UNARY, _BINARY, _REDUCTION))


def _operator(name, table, number):
    try:
        return table[number]
    except (KeyError, TypeError):
        raise ValueError(f"{name}: {number!r} is no operator for this: see tombac.cuda.cutensor") from None


def _term(name, factor, a, op):
    """The operator of an array, times a number that does not change the dtype."""
    value = _operator(name, _UNARY, op)(a)
    return value if isinstance(factor, (int, float)) and factor == 1 else np.dtype(a.dtype).type(factor) * value


def _dtype(name, *arrays):
    dtype = np.result_type(*[a.dtype for a in arrays])
    if dtype.kind not in "fc":
        raise TypeError(f"{name}: arrays of floats or complex numbers are expected, not of {dtype}")
    return dtype


def _delivered(name, result, out, shape, dtype):
    if out is None:
        return result.astype(dtype, copy=False)
    if out.shape != shape:
        raise ValueError(f"{name}: out must have the shape {shape}, not {out.shape}")
    out[...] = result
    return out


# ---- operations ------------------------------------------------------------------------------------------------------


def elementwise_trinary(alpha, A, mode_A, beta, B, mode_B, gamma, C, mode_C, *, out=None,
                        op_A=_numbers.OP_IDENTITY, op_B=_numbers.OP_IDENTITY, op_C=_numbers.OP_IDENTITY,
                        op_AB=_numbers.OP_ADD, op_ABC=_numbers.OP_ADD, compute_desc=0):
    """``op_ABC(op_AB(alpha op_A(A), beta op_B(B)), gamma op_C(C))``, element by element, as one kernel.

    Args:
        alpha, beta, gamma: Numbers.
        A, B, C: Arrays of floats or complex numbers.
        mode_A, mode_B, mode_C: Their modes; those of ``A`` and ``B`` are among those of ``C``.
        out: An array of ``C``'s shape to write to.
        op_A, op_B, op_C: Operators of one number, of tombac.cuda.cutensor.
        op_AB, op_ABC: OP_ADD, OP_MUL, OP_MAX or OP_MIN.
        compute_desc: Accepted for CuPy's sake: operations round to the dtype.

    Returns:
        An array of ``C``'s shape and modes: ``out``, if that is given.

    Raises:
        ValueError: Modes or lengths do not fit, or there is no such operator.
        TypeError: An array is no tombac array, or of integers.

    >>> x, y = tombac.array([[1.0, 2.0]]), tombac.array([10.0, 20.0])
    >>> tombacx.cutensor.elementwise_trinary(1, x, 'ab', 2, y, 'b', 1, x, 'ab')
    array([[22., 44.]])
    """
    name = "elementwise_trinary"
    modes = _modes(name, "C", C, mode_C)
    a = _laid_out(name, "A", A, _modes(name, "A", A, mode_A), modes, C.shape)
    b = _laid_out(name, "B", B, _modes(name, "B", B, mode_B), modes, C.shape)
    dtype = _dtype(name, A, B, C)
    both = _operator(name, _BINARY, op_AB)(_term(name, alpha, a, op_A), _term(name, beta, b, op_B))
    result = _operator(name, _BINARY, op_ABC)(both, _term(name, gamma, C, op_C))
    return _delivered(name, result, out, C.shape, dtype)


def elementwise_binary(alpha, A, mode_A, gamma, C, mode_C, *, out=None, op_A=_numbers.OP_IDENTITY,
                       op_C=_numbers.OP_IDENTITY, op_AC=_numbers.OP_ADD, compute_desc=0):
    """``op_AC(alpha op_A(A), gamma op_C(C))``, element by element, as one kernel.

    Args:
        alpha, gamma: Numbers.
        A, C: Arrays of floats or complex numbers.
        mode_A, mode_C: Their modes; those of ``A`` are among those of ``C``.
        out: An array of ``C``'s shape to write to.
        op_A, op_C: Operators of one number, of tombac.cuda.cutensor.
        op_AC: OP_ADD, OP_MUL, OP_MAX or OP_MIN.
        compute_desc: Accepted for CuPy's sake: operations round to the dtype.

    Returns:
        An array of ``C``'s shape and modes: ``out``, if that is given.

    Raises:
        ValueError: Modes or lengths do not fit, or there is no such operator.
        TypeError: An array is no tombac array, or of integers.

    >>> x = tombac.array([[1.0, 2.0], [3.0, 4.0]])
    >>> tombacx.cutensor.elementwise_binary(1, x, 'ab', 10, x, 'ba')
    array([[11., 23.],
           [32., 44.]])
    """
    name = "elementwise_binary"
    modes = _modes(name, "C", C, mode_C)
    a = _laid_out(name, "A", A, _modes(name, "A", A, mode_A), modes, C.shape)
    result = _operator(name, _BINARY, op_AC)(_term(name, alpha, a, op_A), _term(name, gamma, C, op_C))
    return _delivered(name, result, out, C.shape, _dtype(name, A, C))


def contraction(alpha, A, mode_A, B, mode_B, beta, C, mode_C, *, op_A=_numbers.OP_IDENTITY, op_B=_numbers.OP_IDENTITY,
                op_C=_numbers.OP_IDENTITY, algo=None, jit_mode=None, compute_desc=0, ws_pref=None):
    """``C = alpha op_A(A) op_B(B) + beta op_C(C)``, summed over the modes that ``C`` lacks.

    Args:
        alpha, beta: Numbers. With a ``beta`` of 0 ``C`` is not read.
        A, B: Arrays of floats or complex numbers.
        mode_A, mode_B: Their modes.
        C: The array that is written to.
        mode_C: Its modes, each of them one of ``A`` or ``B``.
        op_A, op_B, op_C: Operators of one number, of tombac.cuda.cutensor.
        algo, jit_mode, compute_desc, ws_pref: Accepted for CuPy's sake.

    Returns:
        ``C``.

    Raises:
        ValueError: Modes or lengths do not fit, or there is no such operator.
        TypeError: An array is no tombac array, or of integers.

    >>> x, y = tombac.ones((2, 3)), tombac.zeros((2, 2))
    >>> tombacx.cutensor.contraction(1, x, 'ij', x, 'kj', 0, y, 'ik')
    array([[3., 3.],
           [3., 3.]])
    """
    name = "contraction"
    modes = [_modes(name, what, x, mode) for what, x, mode in (("A", A, mode_A), ("B", B, mode_B), ("C", C, mode_C))]
    _dtype(name, A, B, C)
    numbers = {}
    labels = [[numbers.setdefault(m, len(numbers)) for m in mode] for mode in modes]
    lost = set(labels[2]) - set(labels[0]) - set(labels[1])
    if lost:
        raise ValueError(f"contraction: C has modes that neither A nor B has: {modes[2]}")
    product = einsum(_operator(name, _UNARY, op_A)(A), labels[0], _operator(name, _UNARY, op_B)(B), labels[1],
                     labels[2])
    if product.shape != C.shape:
        raise ValueError(f"contraction: C must have the shape {product.shape}, not {C.shape}")
    result = product if alpha == 1 else product.dtype.type(alpha) * product
    C[...] = result if beta == 0 else result + _term(name, beta, C, op_C)
    return C


def reduction(alpha, A, mode_A, beta, C, mode_C, *, op_A=_numbers.OP_IDENTITY, op_C=_numbers.OP_IDENTITY,
              op_reduce=_numbers.OP_ADD, compute_desc=0):
    """``C = alpha op_reduce(op_A(A)) + beta op_C(C)``, reduced over the modes that ``C`` lacks.

    Args:
        alpha, beta: Numbers. With a ``beta`` of 0 ``C`` is not read.
        A: An array of floats or complex numbers.
        mode_A: Its modes.
        C: The array that is written to.
        mode_C: Its modes, each of them one of ``A``.
        op_A, op_C: Operators of one number, of tombac.cuda.cutensor.
        op_reduce: OP_ADD, OP_MUL, OP_MAX or OP_MIN.
        compute_desc: Accepted for CuPy's sake.

    Returns:
        ``C``.

    Raises:
        ValueError: Modes or lengths do not fit, or there is no such operator.
        TypeError: An array is no tombac array, or of integers.

    >>> x, y = tombac.array([[1.0, 2.0], [3.0, 4.0]]), tombac.zeros(2)
    >>> tombacx.cutensor.reduction(1, x, 'ij', 0, y, 'j')
    array([4., 6.])
    """
    name = "reduction"
    mode, kept = _modes(name, "A", A, mode_A), _modes(name, "C", C, mode_C)
    dtype = _dtype(name, A, C)
    if not set(kept) <= set(mode):
        raise ValueError(f"reduction: C has modes that A does not have: {kept}")
    away = tuple([d for d, m in enumerate(mode) if m not in kept])
    left = [m for m in mode if m in kept]
    shape = tuple([A.shape[mode.index(m)] for m in kept])
    if C.shape != shape:
        raise ValueError(f"reduction: C must have the shape {shape}, not {C.shape}")
    value = _operator(name, _UNARY, op_A)(A)
    if away:
        value = _operator(name, _REDUCTION, op_reduce)(value, away)
    result = dtype.type(alpha) * value.transpose([left.index(m) for m in kept])
    C[...] = result if beta == 0 else result + _term(name, beta, C, op_C)
    return C
