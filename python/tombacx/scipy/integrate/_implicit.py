"""Methods for stiff problems: SciPy's, whose states are on the host while the function is computed on the device.

What they do between calls of the function is arithmetic of small matrices, and decisions by single numbers.
"""

from tombac import _core
from tombac._numpy import np
from tombacx.scipy._host import OfSciPy, device, host
from tombacx.scipy.integrate._solver import DenseOutput, OdeSolver

__all__ = ["BDF", "LSODA", "Radau", "solved_by_scipy"]

HostValues = _core.HostValues
_of_scipy = OfSciPy("scipy.integrate")


def _matrix(x):
    """A Jacobian, or where it has elements, on the host."""
    from tombacx.scipy.sparse import issparse

    return x.get() if issparse(x) else host(x)


def _matrices(jac):
    return lambda t, y: _matrix(jac(t, y))


def _on_host(options):
    """A method's options as SciPy takes them."""
    options = {name: host(value) for name, value in options.items()}
    for name in ("jac", "jac_sparsity"):
        value = options.get(name)
        if value is not None:
            options[name] = HostValues(_matrices(value), ()) if callable(value) else _matrix(value)
    return options


def solved_by_scipy(method, fun, t_span, y0, **options):
    """All steps of one of these methods, where nobody asks for what is between them: SciPy's result."""
    return _of_scipy.solve_ivp(HostValues(fun, (), True), t_span, host(y0), method._name, **_on_host(options))


class _Within(DenseOutput):
    """SciPy's solution within a step."""

    def __init__(self, found):
        super().__init__(found.t_old, found.t)
        self._found = found

    def _call_impl(self, t):
        return device(np.asarray(self._found(t)))


class _OfSciPy(OdeSolver):
    """SciPy's method of a name."""

    _name = None
    _support_complex = False

    def __init__(self, fun, t0, y0, t_bound, vectorized, **options):
        super().__init__(fun, t0, y0, t_bound, vectorized, self._support_complex)
        of_scipy = getattr(_of_scipy, self._name)(
            HostValues(fun, (), True), t0, host(self.y), t_bound, vectorized=vectorized, **_on_host(options))
        self.nfev, self.njev, self.nlu, self._solver = of_scipy.nfev, of_scipy.njev, of_scipy.nlu, of_scipy

    def _step_impl(self):
        of_scipy = self._solver
        message = of_scipy.step()
        self.nfev, self.njev, self.nlu = of_scipy.nfev, of_scipy.njev, of_scipy.nlu
        if of_scipy.status == "failed":
            return False, message
        self.t, self.y = float(of_scipy.t), _core.array(of_scipy.y)
        return True, message

    def _dense_output_impl(self):
        return _Within(self._solver.dense_output())


_ARGUMENTS = """; by SciPy, with its states on the host.

    Args:
        fun: A function of a float and an array, the state, which gives an array of the state's shape.
        t0: The first time.
        y0: The initial state: a {vector}.
        t_bound: The last time.
        max_step: How long a step may be.
        rtol: How great the error of a step may be: a number or a vector, by the size of the state.
        atol: How great it may be besides: a number or a vector.
        jac: The derivatives of ``fun`` by the state: {jac}; differences if None.{more}
        vectorized: Whether ``fun`` takes states as columns of a matrix, and is to be given such alone.
        first_step: How long the first step is; chosen if None.
        extraneous: Other options, of which SciPy warns.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: An argument is out of range.
    """
_MATRIX = "a matrix, dense or sparse, or a function of the time and the state that gives one"
_SPARSITY = """
        jac_sparsity: Where the derivatives may be other than 0: a matrix, dense or sparse, so that differences are
            taken of several elements of the state together."""
_BANDS = """
        lband: How many diagonals of the derivatives below the main one there are, of which ``jac`` then gives the
            diagonals; the matrix is full if it is None and so is ``uband``.
        uband: How many there are above it.
        min_step: How short a step may be."""


class _Implicit(_OfSciPy):
    def __init__(self, fun, t0, y0, t_bound, max_step=np.inf, rtol=1e-3, atol=1e-6, jac=None, jac_sparsity=None,
                 vectorized=False, first_step=None, **extraneous):
        super().__init__(fun, t0, y0, t_bound, vectorized, max_step=max_step, rtol=rtol, atol=atol, jac=jac,
                         jac_sparsity=jac_sparsity, first_step=first_step, **extraneous)


class Radau(_Implicit):
    __doc__ = ("The implicit Runge-Kutta method Radau IIA of order 5, with an error of order 3" +
               _ARGUMENTS.format(vector="real vector", jac=_MATRIX, more=_SPARSITY))
    _name = "Radau"


class BDF(_Implicit):
    __doc__ = ("Backward differentiation formulas of orders 1 to 5" +
               _ARGUMENTS.format(vector="vector, real or complex", jac=_MATRIX, more=_SPARSITY))
    _name = "BDF"
    _support_complex = True


class LSODA(_OfSciPy):
    __doc__ = ("Adams' methods, and backward differentiation formulas where the problem is stiff, by ODEPACK" +
               _ARGUMENTS.format(vector="real vector", jac="a function of the time and the state that gives a matrix",
                                 more=_BANDS))
    _name = "LSODA"

    def __init__(self, fun, t0, y0, t_bound, first_step=None, min_step=0.0, max_step=np.inf, rtol=1e-3, atol=1e-6,
                 jac=None, lband=None, uband=None, vectorized=False, **extraneous):
        super().__init__(fun, t0, y0, t_bound, vectorized, first_step=first_step, min_step=min_step, max_step=max_step,
                         rtol=rtol, atol=atol, jac=jac, lband=lband, uband=uband, **extraneous)
