"""SciPy's optimization on tombac's arrays: least values of functions, roots, least squares, curves, assignments.

Points, gradients and matrices stay on the device; the host sees the numbers by which steps are chosen.

>>> x = tombac.linspace(0.0, 1.0, 20)
>>> p, _ = tombacx.scipy.optimize.curve_fit(lambda x, a, b: a * tombac.exp(-b * x), x, 3 * tombac.exp(-2 * x))
>>> p.round(5)
array([3., 2.])
"""

from tombacx.scipy.optimize import elementwise
from tombacx.scipy.optimize._global import basinhopping, differential_evolution, dual_annealing
from tombacx.scipy.optimize._least_squares import curve_fit, least_squares
from tombacx.scipy.optimize._matching import linear_sum_assignment, linprog, nnls
from tombacx.scipy.optimize._minimize import minimize
from tombacx.scipy.optimize._one_number import (
    bisect,
    brenth,
    brentq,
    minimize_scalar,
    newton,
    ridder,
    root_scalar,
    toms748,
)
from tombacx.scipy.optimize._result import Bounds, OptimizeResult, approx_fprime, check_grad
from tombacx.scipy.optimize._systems import fsolve, root

__all__ = [
    "Bounds", "OptimizeResult", "approx_fprime", "basinhopping", "bisect", "brenth", "brentq", "check_grad",
    "curve_fit", "differential_evolution", "dual_annealing", "elementwise", "fsolve", "least_squares",
    "linear_sum_assignment", "linprog", "minimize", "minimize_scalar", "newton", "nnls", "ridder", "root",
    "root_scalar", "toms748",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
