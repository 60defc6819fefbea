"""poly1d: a polynomial as an object, its coefficients on the device."""

from tombac import _core
from tombac._add_remove import trim_zeros
from tombac._numpy import np
from tombac._polynomials import (
    coefficients, poly, polyadd, polyder, polydiv, polyint, polymul, polysub, polyval, roots,
)

__all__ = ["poly1d"]


def _is_number(x):
    return np.isscalar(x) or isinstance(x, _core.ndarray) and x.ndim == 0


class poly1d:
    """A polynomial in one variable, with the arithmetic of polynomials.

    Args:
        c_or_r: Coefficients, the highest power first: a vector, a sequence, or another poly1d, NumPy's too.
        r: They are the zeros instead.
        variable: The name by which str() calls the variable, x by default.

    Leading zeros are cut off, for which the device is waited for.

    >>> import tombac as tb
    >>> p = tb.poly1d(tb.array([1, 2, 3]))
    >>> p(2), p * p, p.deriv()
    (array(11), poly1d([ 1,  4, 10, 12,  9]), poly1d([2, 2]))
    """

    __hash__ = None
    __array_ufunc__ = None  # arrays leave operators to this class
    __array_priority__ = 1000

    def __init__(self, c_or_r, r=False, variable=None):
        self._variable = getattr(c_or_r, "variable", "x") if variable is None else variable
        if isinstance(c_or_r, poly1d):
            self._coeffs = c_or_r._coeffs
            return
        c = trim_zeros(coefficients("poly1d", poly(c_or_r) if r else c_or_r), "f")
        self._coeffs = c if c.size else _core.zeros(1, c.dtype)

    @property
    def coeffs(self):
        """The coefficients, the highest power first."""
        return self._coeffs

    @coeffs.setter
    def coeffs(self, value):
        if value is not self._coeffs:  # p.coeffs += 1 assigns what it changed in place
            raise AttributeError("poly1d: the coefficients' array cannot be exchanged, only written to")

    c = coef = coefficients = coeffs

    @property
    def order(self):
        """The degree."""
        return self._coeffs.size - 1

    o = order

    @property
    def roots(self):
        """The zeros."""
        return roots(self)

    r = roots

    @property
    def variable(self):
        """The name of the variable."""
        return self._variable

    def get(self, stream=None, order="C", out=None):
        """The polynomial as a numpy.poly1d, with a copy of the coefficients; ``out`` is one to write them to."""
        if out is None:
            return np.poly1d(self._coeffs.get(stream=stream, order=order), variable=self._variable)
        self._coeffs.get(stream=stream, order=order, out=out.coeffs)
        return out

    def set(self, polyin, stream=None):
        """Writes the coefficients of a numpy.poly1d, or of a host array, of the same length to this polynomial."""
        if not isinstance(polyin, (np.poly1d, np.ndarray)):
            raise TypeError(f"poly1d.set: a numpy.poly1d or numpy.ndarray is expected, not {type(polyin)}")
        self._coeffs.set(np.asarray(getattr(polyin, "coeffs", polyin), self._coeffs.dtype), stream=stream)

    def __cupy_get_ndarray__(self):
        return self._coeffs

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a NumPy "
                        "array explicitly.")

    def __repr__(self):
        return f"poly1d({repr(self._coeffs.get())[6:-1]})"

    def __str__(self):
        return str(self.get())

    def __len__(self):
        return self.order

    def __iter__(self):
        return iter(self._coeffs)

    def __getitem__(self, power):
        if not 0 <= power <= self.order:
            return _core.zeros((), self._coeffs.dtype)
        return self._coeffs[self.order - power]

    def __setitem__(self, power, value):
        if power < 0:
            raise ValueError("poly1d: powers are not negative")
        if power > self.order:
            self._coeffs = _core.concatenate((_core.zeros(power - self.order, self._coeffs.dtype), self._coeffs))
        self._coeffs[self.order - power] = value

    def __delitem__(self, power):
        raise NotImplementedError("poly1d: coefficients cannot be deleted")

    def __call__(self, val):
        return polyval(self, val)

    def __eq__(self, other):
        if not isinstance(other, poly1d):
            return NotImplemented
        return self.order == other.order and bool((self._coeffs == other._coeffs).all())

    def __ne__(self, other):
        return NotImplemented if not isinstance(other, poly1d) else not self == other

    def __neg__(self):
        return poly1d(-self._coeffs)

    def __pos__(self):
        return self

    def __add__(self, other):
        return polyadd(self, other)

    __radd__ = __add__

    def __sub__(self, other):
        return polysub(self, other)

    def __rsub__(self, other):
        return polysub(other, self)

    def __mul__(self, other):
        return poly1d(self._coeffs * other) if _is_number(other) else polymul(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return poly1d(self._coeffs / other) if _is_number(other) else polydiv(self, other)

    def __rtruediv__(self, other):
        return poly1d(other / self._coeffs) if _is_number(other) else polydiv(other, self)

    def __pow__(self, exponent):
        if not np.isscalar(exponent) or int(exponent) != exponent or exponent < 0:
            raise ValueError("poly1d: an exponent must be a non-negative integer")
        # Products begin with the integer 1, and have its dtype promoted.
        result, left = poly1d([1]), int(exponent)
        square = poly1d(self.coeffs.astype(_core.result_type(self.coeffs.dtype, np.int64), copy=False))
        while left:
            result, square, left = result * square if left & 1 else result, square * square if left > 1 else square, \
                left >> 1
        return result

    def deriv(self, m=1):
        """The ``m``-th derivative."""
        return polyder(self, m)

    def integ(self, m=1, k=0):
        """The ``m``-th antiderivative, with the constants ``k``."""
        return polyint(self, m, k)
