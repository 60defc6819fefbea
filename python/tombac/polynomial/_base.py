"""A series of a family's polynomials as an object; the classes of all families are this one."""

import numbers as _numbers

from tombac import _core
from tombac._numpy import np
from tombac.polynomial import _family, _series
from tombac.polynomial.polyutils import as_series, device_array, getdomain, trimcoef, trimseq


class _Ends:
    """A class's domain or window: an array on the device that is current when it is asked for."""

    def __get__(self, series, cls):
        return _core.asarray(list(cls._family.domain))


def _map(old, new):
    """off and scl of the map between two intervals, as numbers of the host; waits where they are not known there."""
    old, new = old.get(), new.get()
    with np.errstate(all="ignore"):
        length = old[1] - old[0]
        return (old[1] * new[0] - old[0] * new[1]) / length, (new[1] - new[0]) / length


def _interval(name, ends):
    (ends,) = as_series([ends], trim=False)
    if ends.size != 2:
        raise ValueError(f"{name} must have two elements, it has {ends.size}")
    return ends


class ABCPolyBase:
    """What the series of all families have in common: arithmetic, values, calculus and conversions.

    Args:
        coef: Coefficients, the lowest degree first: a vector, a sequence or a number.
        domain: Two numbers, which are mapped to those of ``window`` before the polynomials are evaluated.
        window: Two numbers; both are the family's own by default.
        symbol: The variable's name where the series is printed, an identifier.
    """

    __hash__ = None
    __array_ufunc__ = None  # arrays leave operators to this class
    __array_priority__ = 1000
    maxpower = 100
    domain = _Ends()
    window = _Ends()
    _family = _functions = None  # of each class its own: the family, and its functions by name

    def __init__(self, coef, domain=None, window=None, symbol="x"):
        (self.coef,) = as_series([coef], trim=False)
        if domain is not None:
            self.domain = _interval("domain", domain)
        else:
            self.domain = type(self).domain
        self.window = _interval("window", window) if window is not None else type(self).window
        if not isinstance(symbol, str):
            raise TypeError(f"symbol must be a str, not {type(symbol)}")
        if not symbol.isidentifier():
            raise ValueError(f"symbol must be an identifier, not {symbol!r}")
        self._symbol = symbol

    @property
    def symbol(self):
        """The variable's name where the series is printed."""
        return self._symbol

    @property
    def basis_name(self):
        """What the family's polynomials are called where a series is printed; None for powers."""
        return self._family.letter

    def get(self, stream=None):
        """The series as an object of NumPy's class of that name, with arrays on the host.

        >>> tombac.polynomial.Chebyshev([1, 2]).get()
        Chebyshev([1., 2.], domain=[-1.,  1.], window=[-1.,  1.], symbol='x')
        """
        theirs = getattr(np.polynomial, "Polynomial" if self._family is _family.POWER else self._family.title)
        return theirs(self.coef.get(stream=stream), self.domain.get(stream=stream), self.window.get(stream=stream),
                      self.symbol)

    # ---- comparison and printing -------------------------------------------------------------------------------------

    def has_samecoef(self, other):
        """Whether both have the same coefficients; waits for the device."""
        return self.coef.shape == other.coef.shape and bool((self.coef == other.coef).all())

    def has_samedomain(self, other):
        """Whether both have the same domain."""
        return bool(np.all(self.domain.get() == other.domain.get()))

    def has_samewindow(self, other):
        """Whether both have the same window."""
        return bool(np.all(self.window.get() == other.window.get()))

    def has_sametype(self, other):
        """Whether the other is of this class."""
        return isinstance(other, self.__class__)

    def __eq__(self, other):
        return isinstance(other, self.__class__) and self.has_samedomain(other) and self.has_samewindow(other) and \
            self.has_samecoef(other) and self.symbol == other.symbol

    def __ne__(self, other):
        return not self == other

    def __repr__(self):
        return repr(self.get())

    def __str__(self):
        return str(self.get())

    def __format__(self, style):
        return format(self.get(), style)

    def _repr_latex_(self):
        return self.get()._repr_latex_()

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a NumPy "
                        "object explicitly.")

    def __len__(self):
        return len(self.coef)

    def __iter__(self):
        return iter(self.coef)

    def __getstate__(self):
        return self.__dict__.copy()

    def __setstate__(self, state):
        self.__dict__ = state

    # ---- arithmetic --------------------------------------------------------------------------------------------------

    @classmethod
    def _function(cls, name):
        return cls._functions[cls._family.prefix + name]

    def _like(self, coef):
        return self.__class__(coef, self.domain, self.window, self.symbol)

    def _operand(self, other):
        """A series' coefficients, or what is no series; TypeError for a series of another kind."""
        if isinstance(other, ABCPolyBase):
            if not isinstance(other, self.__class__):
                raise TypeError("polynomials of different families")
            if not self.has_samedomain(other):
                raise TypeError("polynomials with different domains")
            if not self.has_samewindow(other):
                raise TypeError("polynomials with different windows")
            if self.symbol != other.symbol:
                raise ValueError("polynomials with different symbols")
            return other.coef
        return other

    def _combined(self, name, left, right, other):
        """What a function of the family makes of coefficients; NotImplemented if it is not for these operands."""
        other = self._operand(other)
        left, right = [self.coef if x is self else other for x in (left, right)]
        try:
            result = self._function(name)(left, right)
        except ZeroDivisionError:
            raise
        except Exception:
            return NotImplemented
        return tuple([self._like(c) for c in result]) if name == "div" else self._like(result)

    def __neg__(self):
        return self._like(-self.coef)

    def __pos__(self):
        return self

    def __add__(self, other):
        return self._combined("add", self, other, other)

    def __radd__(self, other):
        return self._combined("add", other, self, other)

    def __sub__(self, other):
        return self._combined("sub", self, other, other)

    def __rsub__(self, other):
        return self._combined("sub", other, self, other)

    def __mul__(self, other):
        return self._combined("mul", self, other, other)

    def __rmul__(self, other):
        return self._combined("mul", other, self, other)

    def __truediv__(self, other):
        if not isinstance(other, _numbers.Number) or isinstance(other, bool):
            if not (isinstance(other, _core.ndarray) and other.ndim == 0):
                raise TypeError(f"a series is divided by numbers with /, not by {type(other)}; // is for series")
        return self.__floordiv__(other)

    def __rtruediv__(self, other):
        return NotImplemented

    def __floordiv__(self, other):
        both = self.__divmod__(other)
        return both if both is NotImplemented else both[0]

    def __rfloordiv__(self, other):
        both = self.__rdivmod__(other)
        return both if both is NotImplemented else both[0]

    def __mod__(self, other):
        both = self.__divmod__(other)
        return both if both is NotImplemented else both[1]

    def __rmod__(self, other):
        both = self.__rdivmod__(other)
        return both if both is NotImplemented else both[1]

    def __divmod__(self, other):
        return self._combined("div", self, other, other)

    def __rdivmod__(self, other):
        return self._combined("div", other, self, other)

    def __pow__(self, other):
        return self._like(self._function("pow")(self.coef, other, maxpower=self.maxpower))

    # ---- values and calculus -----------------------------------------------------------------------------------------

    def __call__(self, arg):
        if isinstance(arg, (list, tuple, np.ndarray)):
            arg = device_array(self.__class__.__name__, arg)
        off, scl = self.mapparms()
        return _series.value(self._family, off + scl * arg, self.coef)

    def mapparms(self):
        """off and scl of the map off + scl x from the domain to the window, as numbers of the host.

        >>> tombac.polynomial.Chebyshev([1, 2], domain=[0, 4]).mapparms()[1].item()
        0.5
        """
        return _map(self.domain, self.window)

    def deriv(self, m=1):
        """The ``m``-th derivative.

        >>> tombac.polynomial.Polynomial([1, 2, 3]).deriv().coef
        array([2., 6.])
        """
        return self._like(_series.derivative(self._family, self.coef, m, self.mapparms()[1]))

    def integ(self, m=1, k=[], lbnd=None):
        """The ``m``-th integral, with the constants ``k`` at ``lbnd``, a point of the domain.

        >>> tombac.polynomial.Polynomial([2, 6]).integ(k=1).coef
        array([1., 2., 3.])
        """
        off, scl = self.mapparms()
        lbnd = 0 if lbnd is None else off + scl * lbnd
        return self._like(_series.integral(self._family, self.coef, m, k, lbnd, 1.0 / scl))

    def roots(self):
        """The zeros, in the domain.

        >>> tombac.polynomial.Polynomial([2, -3, 1]).roots()
        array([1., 2.])
        """
        off, scl = _map(self.window, self.domain)
        return off + scl * self._function("roots")(self.coef)

    def linspace(self, n=100, domain=None):
        """``n`` points of the domain, or of another one, in equal distances, and the values there.

        >>> tombac.polynomial.Polynomial([0, 2]).linspace(3)
        (array([-1.,  0.,  1.]), array([-2.,  0.,  2.]))
        """
        domain = self.domain if domain is None else device_array("linspace", domain)
        x = _core.linspace(domain[0], domain[1], n)
        return x, self(x)

    # ---- degrees and conversions -------------------------------------------------------------------------------------

    def copy(self):
        """A copy with coefficients of its own."""
        return self._like(self.coef)

    def degree(self):
        """The number of coefficients less one, whether or not the last are zero."""
        return len(self) - 1

    def cutdeg(self, deg):
        """The series without what is above degree ``deg``; ValueError unless that is a whole number from 0 on."""
        return self.truncate(deg + 1)

    def trim(self, tol=0):
        """The series without the coefficients at its end that are no larger than ``tol``; waits for the device."""
        return self._like(trimcoef(self.coef, tol))

    def truncate(self, size):
        """The first ``size`` coefficients; ValueError unless that is a whole number from 1 on."""
        n = int(size)
        if n != size or n < 1:
            raise ValueError(f"truncate: size must be a positive integer, it is {size}")
        return self._like(self.coef[:n])

    def convert(self, domain=None, kind=None, window=None):
        """The series as one of another class, ``kind``, domain or window.

        >>> tombac.polynomial.Chebyshev([0, 0, 1]).convert(kind=tombac.polynomial.Polynomial).coef
        array([-1.,  0.,  2.])
        """
        kind = self.__class__ if kind is None else kind
        domain = kind.domain if domain is None else _interval("domain", domain)
        window = kind.window if window is None else _interval("window", window)
        # x of the new window is a point of the new domain, which this series maps to its own window.
        off, scl = _map(window, domain)
        own_off, own_scl = self.mapparms()
        off, scl = own_off + own_scl * off, own_scl * scl
        dtype = _core.result_type(self.coef.dtype, off.dtype, scl.dtype)
        coef = self._family.combine(self.coef.astype(dtype), _core.ones(1, dtype), kind._family, off, scl)
        return kind(trimseq(coef), domain, window, self.symbol)

    @classmethod
    def fit(cls, x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
        """The series of the least squared distance from points.

        Args:
            x, y, deg, rcond, full, w: As for the function of that name in the family's module.
            domain: Two numbers; by default the ends of the points, the family's own for ``[]``.
            window, symbol: The series' own.

        Returns:
            A series, or a tuple of one and ``[residuals, rank, singular values, rcond]`` if ``full``.

        >>> x = tombac.arange(5.0)
        >>> tombac.polynomial.Polynomial.fit(x, x * 2 + 1, 1).convert().coef.round(9)
        array([1., 2.])
        """
        x = device_array("fit", x)
        if domain is None:
            domain = getdomain(x).get()
            if domain[0] == domain[1]:
                domain = domain + [-1, 1]
            domain = _core.asarray(domain)
        elif isinstance(domain, list) and not domain:
            domain = cls.domain
        domain = _interval("domain", domain)
        window = cls.window if window is None else _interval("window", window)
        off, scl = _map(domain, window)
        result = _series.fit(cls._family, off + scl * x, y, deg, rcond, full, w)
        if full:
            return cls(result[0], domain, window, symbol), result[1]
        return cls(result, domain, window, symbol)

    @classmethod
    def fromroots(cls, roots, domain=[], window=None, symbol="x"):
        """The series with given zeros: that of the product of all x - r.

        Args:
            roots: A vector or a sequence of zeros.
            domain: Two numbers; the ends of the zeros for None, the family's own for ``[]``.
            window, symbol: The series' own.

        Returns:
            A series.

        >>> tombac.polynomial.Polynomial.fromroots([1, 2]).coef
        array([ 2., -3.,  1.])
        """
        (roots,) = as_series([roots], trim=False)
        if domain is None:
            domain = getdomain(roots)
        elif isinstance(domain, list) and not domain:
            domain = cls.domain
        domain = _interval("domain", domain)
        window = cls.window if window is None else _interval("window", window)
        off, scl = _map(domain, window)
        return cls(cls._family.from_roots(off + scl * roots) / scl**roots.size, domain, window, symbol)

    @classmethod
    def identity(cls, domain=None, window=None, symbol="x"):
        """The series whose value at x is x.

        >>> tombac.polynomial.Hermite.identity().coef
        array([0. , 0.5])
        """
        domain = cls.domain if domain is None else _interval("domain", domain)
        window = cls.window if window is None else _interval("window", window)
        off, scl = _map(window, domain)
        return cls(cls._function("line")(off, scl), domain, window, symbol)

    @classmethod
    def basis(cls, deg, domain=None, window=None, symbol="x"):
        """The polynomial of degree ``deg``; ValueError unless that is a whole number from 0 on.

        >>> tombac.polynomial.Chebyshev.basis(2).coef
        array([0., 0., 1.])
        """
        n = int(deg)
        if n != deg or n < 0:
            raise ValueError(f"basis: deg must be a non-negative integer, it is {deg}")
        return cls([0] * n + [1], domain, window, symbol)

    @classmethod
    def cast(cls, series, domain=None, window=None):
        """A series of any family as one of this class.

        >>> tombac.polynomial.Polynomial.cast(tombac.polynomial.Legendre([0, 1])).coef
        array([0., 1.])
        """
        return series.convert(cls.domain if domain is None else domain, cls, cls.window if window is None else window)
