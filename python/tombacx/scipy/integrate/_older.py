"""SciPy's older interfaces to the solvers of ODEPACK and of Hairer: states are on the host, while the functions of a
program compute on the device."""

from tombac import _core
from tombacx.scipy._host import OfSciPy, device, host

__all__ = ["complex_ode", "ode", "odeint"]

HostValues = _core.HostValues
_of_scipy = OfSciPy("scipy.integrate")


def odeint(func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, ml=None, mu=None, rtol=None, atol=None,
           tcrit=None, h0=0.0, hmax=0.0, hmin=0.0, ixpr=0, mxstep=0, mxhnil=0, mxordn=12, mxords=5, printmessg=0,
           tfirst=False):
    """The solution of the system of differential equations dy/dt = func(y, t) at given times, by LSODA of ODEPACK.

    Args:
        func: A function of an array, the state, and a float, which gives an array of the state's shape.
        y0: The initial state: a real vector, or a number.
        t: The times, the first of which is that of the initial state: a sequence or vector, in order.
        args: Further arguments of ``func`` and ``Dfun``: a tuple.
        Dfun: The derivatives of ``func`` by the state: a function of the state and the time that gives a matrix;
            differences if None.
        col_deriv: Whether ``Dfun`` gives them by columns.
        full_output: Whether the second result is wanted.
        ml: How many diagonals of the derivatives below the main one there are; the matrix is full if it is None and so
            is ``mu``.
        mu: How many there are above it.
        rtol: How great the error may be by the size of the state: a number or a vector; 1.5e-8 if None.
        atol: How great it may be besides; 1.5e-8 if None.
        tcrit: Times that no step goes past: a vector.
        h0: How long the first step is; chosen if 0.
        hmax: How long a step may be; any if 0.
        hmin: How short a step may be.
        ixpr: Whether changes of the method are printed.
        mxstep: How many steps there may be between two times; 500 if 0.
        mxhnil: How often steps that change nothing are told of.
        mxordn: The greatest order of Adams' methods.
        mxords: That of the methods for stiff problems.
        printmessg: Whether it is told that the end was reached.
        tfirst: Whether the time is the first argument of ``func`` and ``Dfun``.

    Returns:
        An array of shape (times, state); with ``full_output`` a tuple of it and a dict of arrays and numbers, as
        SciPy's.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: The times are not in order.

    >>> y = tombacx.scipy.integrate.odeint(lambda y, t: -y, tombac.array([1.0]), tombac.array([0.0, 1.0]))
    >>> y[-1].round(6)
    array([0.367879])
    """
    y0, t, rtol, atol, tcrit = host((y0, t, rtol, atol, tcrit))
    found = _of_scipy.odeint(
        HostValues(func, args, True), y0, t, (), Dfun and HostValues(Dfun, args), col_deriv, full_output, ml, mu, rtol,
        atol, tcrit, h0, hmax, hmin, ixpr, mxstep, mxhnil, mxordn, mxords, printmessg, tfirst)
    if not full_output:
        return device(found)
    return device(found[0]), {key: device(value) for key, value in found[1].items()}


class ode:
    """A solver of the system of differential equations dy/dt = f(t, y), which goes from time to time: SciPy's.

    Args:
        f: A function of a float and an array, the state, which gives an array of the state's shape.
        jac: Its derivatives by the state: a function of the same that gives a matrix; differences if None.

    Raises:
        ImportError: SciPy is not installed.

    Its attributes are ``t`` and ``y``, where it is.

    >>> solver = tombacx.scipy.integrate.ode(lambda t, y: -y).set_integrator("vode", method="bdf")
    >>> solver.set_initial_value(tombac.array([1.0])).integrate(1.0).round(4)
    array([0.3679])
    """

    _name, _functions = "ode", ("f", "jac")  # and where SciPy's keeps these

    def __init__(self, f, jac=None):
        self._f, self._jac = f, jac
        self._solver = getattr(_of_scipy, self._name)(HostValues(f, (), True), jac and HostValues(jac, ()))

    @property
    def t(self):
        """The time."""
        return self._solver.t

    @property
    def y(self):
        """The state: an array."""
        return device(self._solver.y)

    def set_integrator(self, name, **integrator_params):
        """Chooses the method.

        Args:
            name: 'vode', 'zvode' (for complex states), 'lsoda', 'dopri5' or 'dop853'.
            integrator_params: Its options, as SciPy's.

        Returns:
            The solver itself.
        """
        self._solver.set_integrator(name, **{key: host(value) for key, value in integrator_params.items()})
        return self

    def set_initial_value(self, y, t=0.0):
        """Where to begin.

        Args:
            y: The state: a vector, or a number.
            t: The time.

        Returns:
            The solver itself.
        """
        self._solver.set_initial_value(host(y), t)
        return self

    def integrate(self, t, step=False, relax=False):
        """Goes on to a time.

        Args:
            t: The time.
            step: Whether to take one step alone.
            relax: Whether to end with the first step that is past the time.

        Returns:
            An array, the state there.
        """
        return device(self._solver.integrate(t, step, relax))

    def successful(self):
        """Whether the last time was reached: a bool."""
        return self._solver.successful()

    def get_return_code(self):
        """An int, by SciPy positive where the last time was reached and negative where it was not."""
        return self._solver.get_return_code()

    def set_f_params(self, *args):
        """Further arguments of ``f``; returns the solver itself."""
        setattr(self._solver, self._functions[0], HostValues(self._f, args, True))
        return self

    def set_jac_params(self, *args):
        """Further arguments of ``jac``; returns the solver itself."""
        setattr(self._solver, self._functions[1], self._jac and HostValues(self._jac, args))
        return self

    def set_solout(self, solout):
        """What 'dopri5' and 'dop853' call after each step: a function of the time and the state, which ends the
        solution by -1. It is set before the initial value.

        Raises:
            ValueError: The method calls nothing.
        """
        self._solver.set_solout(HostValues(solout, ()))


class complex_ode(ode):
    """As :class:`ode`, for complex states by methods for real ones.

    Args:
        f: A function of a float and an array, the state, which gives an array of the state's shape.
        jac: Its derivatives by the state: a function of the same that gives a matrix; differences if None.

    Raises:
        ImportError: SciPy is not installed.

    >>> solver = tombacx.scipy.integrate.complex_ode(lambda t, y: 1j * y).set_integrator("dop853")
    >>> solver.set_initial_value(tombac.array([1.0 + 0j])).integrate(1.0).round(4)
    array([0.5403+0.8415j])
    """

    _name, _functions = "complex_ode", ("cf", "cjac")
