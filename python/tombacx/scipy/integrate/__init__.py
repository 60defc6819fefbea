"""SciPy's integration on tombac's arrays: of samples, of functions between fixed points, and of differential equations.

>>> x = tombac.linspace(0.0, 1.0, 5)
>>> tombacx.scipy.integrate.simpson(x**3, x=x)
array(0.25)
"""

from tombacx.scipy.integrate._equations import OdeResult, solve_ivp
from tombacx.scipy.integrate._implicit import BDF, LSODA, Radau
from tombacx.scipy.integrate._older import complex_ode, ode, odeint
from tombacx.scipy.integrate._quadpack import dblquad, nquad, quad, tplquad
from tombacx.scipy.integrate._runge_kutta import DOP853, RK23, RK45
from tombacx.scipy.integrate._samples import (
    cumulative_simpson,
    cumulative_trapezoid,
    fixed_quad,
    newton_cotes,
    romb,
    simpson,
    trapezoid,
)
from tombacx.scipy.integrate._solver import DenseOutput, OdeSolution, OdeSolver
from tombacx.scipy.integrate._vectors import quad_vec

__all__ = [
    "BDF", "DOP853", "DenseOutput", "LSODA", "OdeResult", "OdeSolution", "OdeSolver", "RK23", "RK45", "Radau",
    "complex_ode", "cumulative_simpson", "cumulative_trapezoid", "dblquad", "fixed_quad", "newton_cotes", "nquad",
    "ode", "odeint", "quad", "quad_vec", "romb", "simpson", "solve_ivp", "tplquad", "trapezoid",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
