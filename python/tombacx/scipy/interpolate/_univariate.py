"""FITPACK's splines of one variable: fitted by SciPy on the host, evaluated on the device."""

import tombac
from tombac import _core
from tombac._core import where
from tombacx.scipy._host import Held, device, host, scipy_function
from tombacx.scipy.interpolate._pieces import documented as _documented
from tombacx.scipy.interpolate._pieces import SPLINE, made_by_scipy, outside, pieces_at, points_of

__all__ = ["InterpolatedUnivariateSpline", "LSQUnivariateSpline", "UnivariateSpline", "splev", "splrep"]

_EXTENSIONS = {0: 0, "extrapolate": 0, 1: 1, "zeros": 1, 2: 2, "raise": 2, 3: 3, "const": 3}


def _extension(name, ext):
    try:
        return _EXTENSIONS[_core._on_host(ext)]
    except (KeyError, TypeError):
        raise ValueError(f"{name}: ext must be 0 to 3, 'extrapolate', 'zeros', 'raise' or 'const', not {ext!r}") \
            from None


def evaluated(name, t, c, k, x, nu, ext):
    """A spline of FITPACK's at points, which go on outside as ``ext`` says."""
    points, shape = points_of(name, x)
    if not 0 <= nu <= k:
        raise ValueError(f"{name}: derivatives of the orders 0 to {k} are there, not {nu}")
    first, last = t[k], t[t.size - k - 1]
    if ext == 2 and outside(points, first, last).any():
        raise ValueError(f"{name}: a point is outside of the range of the knots")
    inner = tombac.clip(points, first, last) if ext == 3 and nu == 0 else points  # derivatives go on, as FITPACK's
    result = pieces_at(SPLINE, t, c, inner, nu, True, k)
    if ext == 1:
        result = where(outside(points, first, last), 0.0, result)
    return result.reshape(shape)


class UnivariateSpline(Held):
    """The smoothest spline that is near enough to points.

    Args:
        x: The first coordinates: a real vector that does not descend.
        y: The values at these: a real vector.
        w: The points' weights: a vector; 1 if None.
        bbox: Where the spline begins and ends; at the first and the last point if None.
        k: The degree, from 1 to 5.
        s: What the sum of squared weighted distances may be; as many as there are points if None, and with 0 the
            spline goes through all of them.
        ext: What is said outside: 0 or 'extrapolate', the polynomials go on; 1 or 'zeros'; 2 or 'raise', a ValueError;
            3 or 'const', the value at the end.
        check_finite: Whether NaN and infinities are refused.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: The points are out of order, or do not fit each other, in SciPy's words.

    The fit is FITPACK's, by SciPy on the host, but of a spline through all points without weights; evaluation is on the
    device.

    >>> x = tombac.arange(6.0)
    >>> tombacx.scipy.interpolate.UnivariateSpline(x, x**2, s=0)(tombac.array([0.5, 2.5])).round(6)
    array([0.25, 6.25])
    """

    __slots__ = ("_made", "_points", "_tck", "ext")

    def __init__(self, x, y, w=None, bbox=(None, None), k=3, s=None, ext=0, check_finite=False):
        if not (s == 0 and self._goes_through(x, y, w, bbox, k, ext)):
            self._hold(x, y, w=w, bbox=list(bbox), k=k, s=s, ext=ext, check_finite=check_finite)

    def _goes_through(self, x, y, w, bbox, k, ext):
        """Whether it is the spline through all points, which needs nothing of SciPy's to be evaluated."""
        if w is not None or tuple(bbox) != (None, None):
            return False
        self._points = tombac.array(x), tombac.array(y), k
        made = _through(*self._points)
        if made is None or made[0].size <= 2 * (k + 1):
            return False
        self.ext, self._tck, self._made = _extension(type(self).__name__, ext), made, None
        self.__class__ = InterpolatedUnivariateSpline
        return True

    @property
    def _held(self):
        if self._made is None:
            x, y, k = self._points
            self._made = made_by_scipy("InterpolatedUnivariateSpline", x, y, k=k, ext=self.ext)
        return self._made

    @_held.setter
    def _held(self, held):
        self._made = held

    def _hold(self, x, y, *args, ext, **kwargs):
        x, y, kwargs["w"] = _vectors(type(self).__name__, x, y, kwargs["w"])
        self.ext = _extension(type(self).__name__, ext)
        self._set(made_by_scipy(type(self).__name__, x, y, *args, ext=ext, **kwargs))

    def _set(self, held):
        self._held = held
        self.__class__ = _classes()[type(held).__name__]  # SciPy's says by its class how it was fitted
        t, c, self_k = held._eval_args
        self._tck = tombac.array(t), tombac.array(c), self_k

    def _of(self, held):
        made = object.__new__(UnivariateSpline)
        made.ext = held.ext  # the derivative of what is constant outside is 0 there
        made._set(held)
        return made

    @_documented
    def __call__(self, x, nu=0, ext=None):
        """The spline or a derivative of it at points.

        Args:
            {points}
            {nu}
            ext: What is said outside, as in the constructor; as the object was made with if None.

        Returns:
            An array of the shape of ``x``.

        Raises:
            ValueError: ``nu`` is negative or greater than the degree, or a point is outside and must not be.
        """
        name = type(self).__name__
        return evaluated(name, *self._tck, x, nu, self.ext if ext is None else _extension(name, ext))

    def set_smoothing_factor(self, s):
        """Fits the spline anew with another ``s``, from the knots that there are.

        Args:
            s: What the sum of squared weighted distances may be.
        """
        self._held.set_smoothing_factor(s)
        self._set(self._held)

    def get_knots(self):
        """The knots, without the repetitions at the ends: an array."""
        return device(self._held.get_knots())

    def get_coeffs(self):
        """The coefficients: an array."""
        return device(self._held.get_coeffs())

    def get_residual(self):
        """The sum of squared weighted distances of the points: a float."""
        return float(self._held.get_residual())

    def integral(self, a, b):
        """The integral from ``a`` to ``b``, numbers; outside the spline is 0 for it. A float."""
        return float(self._held.integral(float(a), float(b)))

    def derivatives(self, x):
        """The value and all derivatives at ``x``, a number: an array of k + 1 elements."""
        return device(self._held.derivatives(host(x)))

    def roots(self):
        """Where the spline is 0: an array. It has to be of the degree 3."""
        return device(self._held.roots())

    def derivative(self, n=1):
        """The derivative of order ``n``: a UnivariateSpline."""
        return self._of(self._held.derivative(n))

    def antiderivative(self, n=1):
        """The antiderivative of order ``n``: a UnivariateSpline."""
        return self._of(self._held.antiderivative(n))


class InterpolatedUnivariateSpline(UnivariateSpline):
    """The spline through all points.

    Args:
        x: The first coordinates: a real vector in ascending order.
        y: The values at these: a real vector.
        w: The points' weights: a vector; 1 if None.
        bbox: Where the spline begins and ends; at the first and the last point if None.
        k: The degree, from 1 to 5.
        ext: What is said outside, as for a UnivariateSpline.
        check_finite: Whether NaN and infinities are refused.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: The points are out of order, or do not fit each other, in SciPy's words.

    >>> x = tombac.arange(6.0)
    >>> tombacx.scipy.interpolate.InterpolatedUnivariateSpline(x, x**2)(tombac.array([0.5, 2.5])).round(6)
    array([0.25, 6.25])
    """

    __slots__ = ()

    def __init__(self, x, y, w=None, bbox=(None, None), k=3, ext=0, check_finite=False):
        if not self._goes_through(x, y, w, bbox, k, ext):
            self._hold(x, y, w=w, bbox=list(bbox), k=k, ext=ext, check_finite=check_finite)


class LSQUnivariateSpline(UnivariateSpline):
    """The spline of given knots that is nearest to points, by the sum of squared distances.

    Args:
        x: The first coordinates: a real vector that does not descend.
        y: The values at these: a real vector.
        t: The inner knots: a vector in ascending order.
        w: The points' weights: a vector; 1 if None.
        bbox: Where the spline begins and ends; at the first and the last point if None.
        k: The degree, from 1 to 5.
        ext: What is said outside, as for a UnivariateSpline.
        check_finite: Whether NaN and infinities are refused.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: The points are out of order, or do not fit each other, in SciPy's words.

    >>> x = tombac.arange(9.0)
    >>> tombacx.scipy.interpolate.LSQUnivariateSpline(x, x**2, [4.0])(tombac.array([0.5, 2.5])).round(6)
    array([0.25, 6.25])
    """

    __slots__ = ()

    def __init__(self, x, y, t, w=None, bbox=(None, None), k=3, ext=0, check_finite=False):
        self._hold(x, y, t, w=w, bbox=list(bbox), k=k, ext=ext, check_finite=check_finite)


def _vectors(name, x, y, w):
    """The points and weights, of which SciPy's FITPACK takes it on trust that they are real vectors of one length."""
    x, y, w = (v if v is None else tombac.asarray(v) for v in (x, y, w))
    if x.ndim != 1 or any(v is not None and v.shape != x.shape for v in (y, w)):
        raise ValueError(f"{name}: x, y and w must be vectors of one length, not of the shapes "
                         f"{[v.shape for v in (x, y, w) if v is not None]}")
    return x, y, w


def _classes():
    return {c.__name__: c for c in (UnivariateSpline, InterpolatedUnivariateSpline, LSQUnivariateSpline)}


def _through(x, y, k):
    """The spline through points as FITPACK lays it out; None where SciPy is to say what is wrong."""
    x, y = tombac.asarray(x), tombac.asarray(y)
    if not (isinstance(k, int) and 1 <= k <= 5 and y.ndim == 1 and x.dtype.kind in "biuf" and y.dtype.kind in "biuf"):
        return None
    try:
        t, c = _core._spline_through(x, y, k)
    except ValueError:
        return None
    return t, tombac.concatenate([c, tombac.zeros(k + 1)]), k


def splrep(x, y, w=None, xb=None, xe=None, k=3, task=0, s=None, t=None, full_output=0, per=0, quiet=1):
    """A smoothing spline by its knots and coefficients.

    Args:
        x, y: The points: real vectors.
        w: Their weights: a vector; 1 if None.
        xb, xe: Where the spline begins and ends; at the first and the last point if None.
        k: The degree, from 1 to 5.
        task: 0, knots are chosen; -1, they are ``t``.
        s: What the sum of squared weighted distances may be; SciPy's choice if None.
        t: The inner knots: a vector.
        full_output: Whether it is said, too, how well the spline fits.
        per: Whether the spline is periodic.
        quiet: Whether FITPACK's messages are not printed.

    Returns:
        A tuple (knots, coefficients, degree) of two arrays and an int; if ``full_output``, a tuple of that tuple, the
        sum of squared weighted distances, FITPACK's number of what happened and its message.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: The points do not fit each other, in SciPy's words.
        TypeError: There are too few points, in SciPy's words.

    >>> x = tombac.arange(6.0)
    >>> tck = tombacx.scipy.interpolate.splrep(x, x**2)
    >>> tombacx.scipy.interpolate.splev(tombac.array([0.5, 2.5]), tck).round(6)
    array([0.25, 6.25])
    """
    if task == 0 and not per and not full_output and all(v is None for v in (w, xb, xe, t)) and (s is None or s == 0):
        made = _through(x, y, k)
        if made is not None:
            return made
    x, y, w = _vectors("splrep", x, y, w)
    of_scipy = scipy_function("scipy.interpolate", "splrep")
    return device(of_scipy(*map(host, (x, y, w, xb, xe, k, task, s, t, full_output, per, quiet))))


@_documented
def splev(x, tck, der=0, ext=0):
    """A spline or a derivative of it at points.

    Args:
        {points}
        tck: A BSpline, or a tuple (knots, coefficients, degree); coefficients of a curve are a list of vectors.
        der: Which derivative, from 0 to the degree.
        ext: What is said outside: 0, the polynomials go on; 1, zeros; 2, a ValueError; 3, the value at the end.

    Returns:
        An array of the shape of ``x``; of a curve a list of them.

    Raises:
        ValueError: ``der`` is negative or greater than the degree, or a point is outside and must not be.

    >>> tck = tombac.array([0.0, 0.0, 1.0, 2.0, 2.0]), tombac.array([1.0, 3.0, 2.0]), 1
    >>> tombacx.scipy.interpolate.splev(tombac.array([0.5, 1.5]), tck)
    array([2. , 2.5])
    """
    from tombacx.scipy.interpolate._bspline import BSpline

    if isinstance(tck, BSpline):
        return tck(x, der, extrapolate=ext == 0)
    t, c, k = tck
    ext = _extension("splev", ext)
    t = tombac.asarray(t, "d")
    if isinstance(c, (list, tuple)) and not isinstance(c[0], (int, float)):
        return [evaluated("splev", t, tombac.asarray(part, "d"), k, x, der, ext) for part in c]
    return evaluated("splev", t, tombac.asarray(c, "d"), k, x, der, ext)
