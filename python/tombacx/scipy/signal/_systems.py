"""Linear time-invariant systems: SciPy's objects on the host, whose arrays are read and given as device arrays.

Which class a system has follows SciPy's: it has one form (TransferFunction, ZerosPolesGain, StateSpace), and is an lti
or a dlti, of continuous or discrete time.
"""

from tombacx.scipy._host import Held, OfSciPy, device, host

__all__ = ["StateSpace", "TransferFunction", "ZerosPolesGain", "dlti", "lti"]


def wrapped(held):
    """The system of ours over one of SciPy's."""
    self = object.__new__(_CLASSES[type(held).__name__])
    self._held = held
    return self


_of_scipy = OfSciPy("scipy.signal")


def _made(name, system, kwargs=None):
    made = getattr(_of_scipy, name)
    system = host(system)
    return wrapped(made(*system, **kwargs) if kwargs else made(*system))


def _part(name, doc):
    """A part of the system, as a device array that is a copy; assigning to it changes the system."""

    def read(self):
        return device(getattr(self._held, name))

    def write(self, value):
        setattr(self._held, name, host(value))

    return property(read, write, doc=doc)


class LinearTimeInvariant(Held):
    """What all systems have."""

    zeros = _part("zeros", "The zeros.")
    poles = _part("poles", "The poles.")
    dt = _part("dt", "The sampling time: True where it is not known, None in continuous time.")

    def __repr__(self):
        return repr(self._held)

    def __reduce__(self):
        return wrapped, (self._held,)

    def _call(self, name, *args):
        return device(getattr(self._held, name)(*map(host, args)))


class lti(LinearTimeInvariant):
    """A system of continuous time.

    Args:
        system: Two, three or four sequences or arrays: coefficients of the numerator and the denominator; zeros, poles
            and gain; or the matrices A, B, C, D of the state space.

    It becomes a TransferFunction, a ZerosPolesGain or a StateSpace. It is kept on the host, by SciPy.

    >>> tombacx.scipy.signal.lti([1.0], [1.0, 2.0]).poles
    array([-2.])
    """

    def __new__(cls, *system):
        return _made("lti", system)

    def impulse(self, X0=None, T=None, N=None):
        """The response to an impulse: what the function impulse gives."""
        return self._call("impulse", X0, T, N)

    def step(self, X0=None, T=None, N=None):
        """The response to a step: what the function step gives."""
        return self._call("step", X0, T, N)

    def output(self, U, T, X0=None):
        """The response to an input: what lsim gives."""
        return self._call("output", U, T, X0)

    def bode(self, w=None, n=100):
        """Magnitude and phase over frequency: what the function bode gives."""
        return self._call("bode", w, n)

    def freqresp(self, w=None, n=10000):
        """The frequency response: what the function freqresp gives."""
        return self._call("freqresp", w, n)

    def to_discrete(self, dt, method="zoh", alpha=None):
        """A system of discrete time like this one: see cont2discrete."""
        return wrapped(self._held.to_discrete(host(dt), method, host(alpha)))


class dlti(LinearTimeInvariant):
    """A system of discrete time.

    Args:
        system: Two, three or four sequences or arrays: coefficients of the numerator and the denominator; zeros, poles
            and gain; or the matrices A, B, C, D of the state space.
        dt: The sampling time, by keyword; True, not known, if it is not given.

    It becomes a TransferFunction, a ZerosPolesGain or a StateSpace. It is kept on the host, by SciPy.

    >>> tombacx.scipy.signal.dlti([1.0], [1.0, 0.5], dt=0.1).dt
    0.1
    """

    def __new__(cls, *system, **kwargs):
        return _made("dlti", system, kwargs)

    def impulse(self, x0=None, t=None, n=None):
        """The response to an impulse: what dimpulse gives."""
        return self._call("impulse", x0, t, n)

    def step(self, x0=None, t=None, n=None):
        """The response to a step: what dstep gives."""
        return self._call("step", x0, t, n)

    def output(self, u, t, x0=None):
        """The response to an input: what dlsim gives."""
        return self._call("output", u, t, x0)

    def bode(self, w=None, n=100):
        """Magnitude and phase over frequency: what dbode gives."""
        return self._call("bode", w, n)

    def freqresp(self, w=None, n=10000, whole=False):
        """The frequency response: what dfreqresp gives."""
        return self._call("freqresp", w, n, whole)


class TransferFunction(LinearTimeInvariant):
    """A system as a quotient of polynomials.

    Args:
        system: Coefficients of the numerator and the denominator, the highest power first: sequences or arrays; or
            another system.
        dt: The sampling time, by keyword: of discrete time; True where it is not known.

    >>> tombacx.scipy.signal.TransferFunction([1.0, 3.0], [1.0, 2.0]).den
    array([1., 2.])
    """

    num = _part("num", "Coefficients of the numerator: a copy. Assigning an array changes the system.")
    den = _part("den", "Coefficients of the denominator: a copy. Assigning an array changes the system.")

    def __new__(cls, *system, **kwargs):
        return _made("TransferFunction", system, kwargs)

    def to_tf(self):
        """A copy."""
        return wrapped(self._held.to_tf())

    def to_zpk(self):
        """The system as a ZerosPolesGain."""
        return wrapped(self._held.to_zpk())

    def to_ss(self):
        """The system as a StateSpace."""
        return wrapped(self._held.to_ss())


class ZerosPolesGain(LinearTimeInvariant):
    """A system as zeros, poles and gain.

    Args:
        system: The zeros, the poles and the gain: sequences or arrays, and a number; or another system.
        dt: The sampling time, by keyword: of discrete time; True where it is not known.

    >>> tombacx.scipy.signal.ZerosPolesGain([], [-2.0], 3.0).to_tf().den
    array([1., 2.])
    """

    gain = _part("gain", "The gain. Assigning a number changes the system.")

    def __new__(cls, *system, **kwargs):
        return _made("ZerosPolesGain", system, kwargs)

    def to_tf(self):
        """The system as a TransferFunction."""
        return wrapped(self._held.to_tf())

    def to_zpk(self):
        """A copy."""
        return wrapped(self._held.to_zpk())

    def to_ss(self):
        """The system as a StateSpace."""
        return wrapped(self._held.to_ss())


class StateSpace(LinearTimeInvariant):
    """A system as the matrices of x' = A x + B u, y = C x + D u.

    Args:
        system: A, B, C and D: sequences or arrays of two dimensions; or another system.
        dt: The sampling time, by keyword: of discrete time; True where it is not known.

    Systems of as many inputs and outputs are added, subtracted, and multiplied: ``f * g`` is g, then f. So are systems
    and matrices or numbers; numbers divide.

    >>> two = tombacx.scipy.signal.StateSpace([[-2.0]], [[1.0]], [[3.0]], [[0.0]]) * 2
    >>> two.C @ two.B
    array([[6.]])
    """

    __array_ufunc__ = None  # arrays leave operators to this class
    __array_priority__ = 1000
    A = _part("A", "The system's matrix: a copy. Assigning an array changes the system.")
    B = _part("B", "The inputs' matrix: a copy. Assigning an array changes the system.")
    C = _part("C", "The outputs' matrix: a copy. Assigning an array changes the system.")
    D = _part("D", "The matrix from inputs to outputs: a copy. Assigning an array changes the system.")

    def __new__(cls, *system, **kwargs):
        return _made("StateSpace", system, kwargs)

    def _operated(self, name, *other):
        result = getattr(self._held, name)(*map(host, other))
        return result if result is NotImplemented else wrapped(result)

    def __add__(self, other):
        return self._operated("__add__", other)

    def __radd__(self, other):
        return self._operated("__radd__", other)

    def __sub__(self, other):
        return self._operated("__sub__", other)

    def __rsub__(self, other):
        return self._operated("__rsub__", other)

    def __mul__(self, other):
        return self._operated("__mul__", other)

    def __rmul__(self, other):
        return self._operated("__rmul__", other)

    def __truediv__(self, other):
        return self._operated("__truediv__", other)

    def __neg__(self):
        return self._operated("__neg__")

    def to_tf(self, **kwargs):
        """The system as a TransferFunction; ``input`` is the number of the input, of several."""
        return wrapped(self._held.to_tf(**kwargs))

    def to_zpk(self, **kwargs):
        """The system as a ZerosPolesGain; ``input`` is the number of the input, of several."""
        return wrapped(self._held.to_zpk(**kwargs))

    def to_ss(self):
        """A copy."""
        return wrapped(self._held.to_ss())


def _timed(form, time, suffix):
    name = form.__name__ + suffix
    return type(name, (form, time), {"__doc__": form.__doc__, "__module__": __name__})


# SciPy's classes, by the names of which a system is wrapped.
_CLASSES = {c.__name__: c for form in (TransferFunction, ZerosPolesGain, StateSpace)
            for c in (_timed(form, lti, "Continuous"), _timed(form, dlti, "Discrete"))}
