"""What functions of arrays give for sparse matrices: sparse ones where methods and operators do, as SciPy's.

A ufunc asks its operands' ``__tombac_ufunc__``; what that has no answer to is computed of dense arrays.
"""

import operator

from tombacx.scipy.sparse._arithmetic import Arithmetic, is_number

__all__ = ["asked"]

_METHODS = ("arcsin", "arcsinh", "arctan", "arctanh", "ceil", "conjugate", "deg2rad", "expm1", "floor", "log1p",
            "rad2deg", "rint", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "trunc")
_OF_ONE = {"absolute": abs, "negative": operator.neg, "positive": operator.methodcaller("copy"),
           "square": lambda a: a.multiply(a), **{name: operator.methodcaller(name) for name in _METHODS}}
_OF_TWO = {"add": operator.add, "subtract": operator.sub}


def _is_sparse(x):
    return isinstance(x, Arithmetic)


def _symmetric(name):
    """A method of either operand that takes the other."""
    return lambda a, b: getattr(a, name)(b) if _is_sparse(a) else getattr(b, name)(a)


_WITH_NUMBERS = {name: _symmetric(name) for name in ("maximum", "minimum", "multiply")}
_BY_NUMBERS = {"divide": operator.truediv, "power": lambda a, n: a.power(n) if n else NotImplemented}


def asked(name, args):
    """The result of the ufunc of that name, or NotImplemented."""
    if len(args) == 1:
        return _OF_ONE[name](*args) if name in _OF_ONE else NotImplemented
    if len(args) != 2:
        return NotImplemented
    a, b = args
    if _is_sparse(a) and _is_sparse(b):
        f = _OF_TWO.get(name) or _WITH_NUMBERS.get(name)
    elif is_number(a) or is_number(b):
        f = _WITH_NUMBERS.get(name) or (_BY_NUMBERS.get(name) if _is_sparse(a) else None)
    else:
        f = _WITH_NUMBERS[name] if name == "multiply" else None
    return NotImplemented if f is None else f(a, b)
