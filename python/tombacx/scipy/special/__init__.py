"""Special functions, as ufuncs: expressions of them are fused like any other.

>>> x = tombac.array([0.5, 1.0, 2.5])
>>> tombacx.scipy.special.gamma(x) * tombacx.scipy.special.erf(x)      # one kernel
array([0.92256201, 0.84270079, 1.32879941])
"""

from tombac._core import special as _ufuncs
from tombacx.scipy.special._combinatorics import comb, factorial, factorial2, perm
from tombacx.scipy.special._functions import (
    airy, airye, btdtr, btdtri, ellipj, lambertw, multigammaln, polygamma, round, sph_harm, sph_harm_y, spherical_yn,
)
from tombacx.scipy.special._reductions import log_softmax, logsumexp, softmax

globals().update({name: f for name, f in vars(_ufuncs).items() if name[0] != "_"})
psi = _ufuncs.digamma
jn = jve = _ufuncs.jv
yve = _ufuncs.yv

__all__ = sorted([*(name for name in vars(_ufuncs) if name[0] != "_"),
                  "airy", "airye", "btdtr", "btdtri", "comb", "ellipj", "factorial", "factorial2", "jn", "jve",
                  "lambertw", "log_softmax", "logsumexp", "multigammaln", "perm", "polygamma", "psi", "round",
                  "softmax", "sph_harm", "sph_harm_y", "spherical_yn", "yve"])


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
