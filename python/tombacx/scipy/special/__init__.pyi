# Made by tools/stubs.py of the signatures and docstrings of tombacx.scipy.special.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
import tombac

def airy(z: _typing.Any, out: _typing.Any = None) -> builtins.tuple[tombac.ndarray, ...]: ...
def airye(z: _typing.Any, out: _typing.Any = None) -> builtins.tuple[tombac.ndarray, ...]: ...
bdtr: tombac.ufunc[tombac.ndarray]
bdtrc: tombac.ufunc[tombac.ndarray]
bdtri: tombac.ufunc[tombac.ndarray]
beta: tombac.ufunc[tombac.ndarray]
betainc: tombac.ufunc[tombac.ndarray]
betaincc: tombac.ufunc[tombac.ndarray]
betainccinv: tombac.ufunc[tombac.ndarray]
betaincinv: tombac.ufunc[tombac.ndarray]
betaln: tombac.ufunc[tombac.ndarray]
binom: tombac.ufunc[tombac.ndarray]
boxcox: tombac.ufunc[tombac.ndarray]
boxcox1p: tombac.ufunc[tombac.ndarray]
def btdtr(a: _typing.Any, b: _typing.Any, x: _typing.Any, out: _typing.Any = None) -> tombac.ndarray: ...
def btdtri(a: _typing.Any, b: _typing.Any, p: _typing.Any, out: _typing.Any = None) -> tombac.ndarray: ...
cbrt: tombac.ufunc[tombac.ndarray]
chdtr: tombac.ufunc[tombac.ndarray]
chdtrc: tombac.ufunc[tombac.ndarray]
chdtri: tombac.ufunc[tombac.ndarray]
def comb(N: _typing.Any, k: _typing.Any, *, exact: builtins.bool = False, repetition: builtins.bool = False) -> tombac.ndarray: ...
cosdg: tombac.ufunc[tombac.ndarray]
cosm1: tombac.ufunc[tombac.ndarray]
cotdg: tombac.ufunc[tombac.ndarray]
digamma: tombac.ufunc[tombac.ndarray]
ellipeinc: tombac.ufunc[tombac.ndarray]
def ellipj(u: _typing.Any, m: _typing.Any, out: _typing.Any = None) -> builtins.tuple[tombac.ndarray, ...]: ...
ellipk: tombac.ufunc[tombac.ndarray]
ellipkinc: tombac.ufunc[tombac.ndarray]
ellipkm1: tombac.ufunc[tombac.ndarray]
entr: tombac.ufunc[tombac.ndarray]
erf: tombac.ufunc[tombac.ndarray]
erfc: tombac.ufunc[tombac.ndarray]
erfcinv: tombac.ufunc[tombac.ndarray]
erfcx: tombac.ufunc[tombac.ndarray]
erfinv: tombac.ufunc[tombac.ndarray]
eval_chebyt: tombac.ufunc[tombac.ndarray]
eval_chebyu: tombac.ufunc[tombac.ndarray]
eval_hermite: tombac.ufunc[tombac.ndarray]
eval_hermitenorm: tombac.ufunc[tombac.ndarray]
eval_laguerre: tombac.ufunc[tombac.ndarray]
eval_legendre: tombac.ufunc[tombac.ndarray]
exp1: tombac.ufunc[tombac.ndarray]
exp10: tombac.ufunc[tombac.ndarray]
exp2: tombac.ufunc[tombac.ndarray]
expi: tombac.ufunc[tombac.ndarray]
expit: tombac.ufunc[tombac.ndarray]
expm1: tombac.ufunc[tombac.ndarray]
expn: tombac.ufunc[tombac.ndarray]
exprel: tombac.ufunc[tombac.ndarray]
def factorial(n: _typing.Any, exact: builtins.bool = False, extend: builtins.str = 'zero') -> _typing.Any: ...
def factorial2(n: _typing.Any, exact: builtins.bool = False, extend: builtins.str = 'zero') -> _typing.Any: ...
fdtr: tombac.ufunc[tombac.ndarray]
fdtrc: tombac.ufunc[tombac.ndarray]
fdtri: tombac.ufunc[tombac.ndarray]
gamma: tombac.ufunc[tombac.ndarray]
gammainc: tombac.ufunc[tombac.ndarray]
gammaincc: tombac.ufunc[tombac.ndarray]
gammainccinv: tombac.ufunc[tombac.ndarray]
gammaincinv: tombac.ufunc[tombac.ndarray]
gammaln: tombac.ufunc[tombac.ndarray]
gammasgn: tombac.ufunc[tombac.ndarray]
gdtr: tombac.ufunc[tombac.ndarray]
gdtrc: tombac.ufunc[tombac.ndarray]
hankel1: tombac.ufunc[tombac.ndarray]
hankel1e: tombac.ufunc[tombac.ndarray]
hankel2: tombac.ufunc[tombac.ndarray]
hankel2e: tombac.ufunc[tombac.ndarray]
huber: tombac.ufunc[tombac.ndarray]
i0: tombac.ufunc[tombac.ndarray]
i0e: tombac.ufunc[tombac.ndarray]
i1: tombac.ufunc[tombac.ndarray]
i1e: tombac.ufunc[tombac.ndarray]
inv_boxcox: tombac.ufunc[tombac.ndarray]
inv_boxcox1p: tombac.ufunc[tombac.ndarray]
iv: tombac.ufunc[tombac.ndarray]
ive: tombac.ufunc[tombac.ndarray]
j0: tombac.ufunc[tombac.ndarray]
j1: tombac.ufunc[tombac.ndarray]
jn: tombac.ufunc[tombac.ndarray]
jv: tombac.ufunc[tombac.ndarray]
jve: tombac.ufunc[tombac.ndarray]
k0: tombac.ufunc[tombac.ndarray]
k0e: tombac.ufunc[tombac.ndarray]
k1: tombac.ufunc[tombac.ndarray]
k1e: tombac.ufunc[tombac.ndarray]
kl_div: tombac.ufunc[tombac.ndarray]
kn: tombac.ufunc[tombac.ndarray]
kv: tombac.ufunc[tombac.ndarray]
kve: tombac.ufunc[tombac.ndarray]
def lambertw(z: _typing.Any, k: _typing.Any = 0, tol: builtins.float = 1e-08) -> tombac.ndarray: ...
log1p: tombac.ufunc[tombac.ndarray]
log_expit: tombac.ufunc[tombac.ndarray]
log_ndtr: tombac.ufunc[tombac.ndarray]
def log_softmax(x: _typing.Any, axis: _typing.SupportsIndex | _typing.Sequence[_typing.SupportsIndex] | None = None) -> tombac.ndarray: ...
loggamma: tombac.ufunc[tombac.ndarray]
logit: tombac.ufunc[tombac.ndarray]
def logsumexp(a: _typing.Any, axis: _typing.SupportsIndex | _typing.Sequence[_typing.SupportsIndex] | None = None, b: _typing.Any = None, keepdims: builtins.bool = False, return_sign: builtins.bool = False) -> _typing.Any: ...
lpmv: tombac.ufunc[tombac.ndarray]
def multigammaln(a: _typing.Any, d: _typing.Any) -> tombac.ndarray: ...
nbdtr: tombac.ufunc[tombac.ndarray]
nbdtrc: tombac.ufunc[tombac.ndarray]
nbdtri: tombac.ufunc[tombac.ndarray]
ndtr: tombac.ufunc[tombac.ndarray]
ndtri: tombac.ufunc[tombac.ndarray]
pdtr: tombac.ufunc[tombac.ndarray]
pdtrc: tombac.ufunc[tombac.ndarray]
pdtri: tombac.ufunc[tombac.ndarray]
def perm(N: _typing.Any, k: _typing.Any, exact: builtins.bool = False) -> tombac.ndarray: ...
poch: tombac.ufunc[tombac.ndarray]
def polygamma(n: _typing.Any, x: _typing.Any) -> tombac.ndarray: ...
pseudo_huber: tombac.ufunc[tombac.ndarray]
psi: tombac.ufunc[tombac.ndarray]
radian: tombac.ufunc[tombac.ndarray]
rel_entr: tombac.ufunc[tombac.ndarray]
rgamma: tombac.ufunc[tombac.ndarray]
def round(a: _typing.Any, decimals: builtins.int = 0, out: _typing.Any = None) -> tombac.ndarray: ...
shichi: tombac.ufunc[builtins.tuple[tombac.ndarray, tombac.ndarray]]
sici: tombac.ufunc[builtins.tuple[tombac.ndarray, tombac.ndarray]]
sinc: tombac.ufunc[tombac.ndarray]
sindg: tombac.ufunc[tombac.ndarray]
def softmax(x: _typing.Any, axis: _typing.SupportsIndex | _typing.Sequence[_typing.SupportsIndex] | None = None) -> tombac.ndarray: ...
def sph_harm(m: _typing.Any, n: _typing.Any, theta: _typing.Any, phi: _typing.Any, out: _typing.Any = None) -> tombac.ndarray: ...
def sph_harm_y(n: _typing.Any, m: _typing.Any, theta: _typing.Any, phi: _typing.Any, *, diff_n: builtins.int = 0) -> tombac.ndarray: ...
def spherical_yn(n: _typing.Any, z: _typing.Any, derivative: builtins.bool = False) -> tombac.ndarray: ...
tandg: tombac.ufunc[tombac.ndarray]
wright_bessel: tombac.ufunc[tombac.ndarray]
xlog1py: tombac.ufunc[tombac.ndarray]
xlogy: tombac.ufunc[tombac.ndarray]
y0: tombac.ufunc[tombac.ndarray]
y1: tombac.ufunc[tombac.ndarray]
yn: tombac.ufunc[tombac.ndarray]
yv: tombac.ufunc[tombac.ndarray]
yve: tombac.ufunc[tombac.ndarray]
zeta: tombac.ufunc[tombac.ndarray]
zetac: tombac.ufunc[tombac.ndarray]
__all__ = [
    "airy", "airye", "bdtr", "bdtrc", "bdtri", "beta", "betainc", "betaincc", "betainccinv", "betaincinv", "betaln",
    "binom", "boxcox", "boxcox1p", "btdtr", "btdtri", "cbrt", "chdtr", "chdtrc", "chdtri", "comb", "cosdg", "cosm1",
    "cotdg", "digamma", "ellipeinc", "ellipj", "ellipk", "ellipkinc", "ellipkm1", "entr", "erf", "erfc", "erfcinv",
    "erfcx", "erfinv", "eval_chebyt", "eval_chebyu", "eval_hermite", "eval_hermitenorm", "eval_laguerre",
    "eval_legendre", "exp1", "exp10", "exp2", "expi", "expit", "expm1", "expn", "exprel", "factorial", "factorial2",
    "fdtr", "fdtrc", "fdtri", "gamma", "gammainc", "gammaincc", "gammainccinv", "gammaincinv", "gammaln", "gammasgn",
    "gdtr", "gdtrc", "hankel1", "hankel1e", "hankel2", "hankel2e", "huber", "i0", "i0e", "i1", "i1e", "inv_boxcox",
    "inv_boxcox1p", "iv", "ive", "j0", "j1", "jn", "jv", "jve", "k0", "k0e", "k1", "k1e", "kl_div", "kn", "kv", "kve",
    "lambertw", "log1p", "log_expit", "log_ndtr", "log_softmax", "loggamma", "logit", "logsumexp", "lpmv",
    "multigammaln", "nbdtr", "nbdtrc", "nbdtri", "ndtr", "ndtri", "pdtr", "pdtrc", "pdtri", "perm", "poch", "polygamma",
    "pseudo_huber", "psi", "radian", "rel_entr", "rgamma", "round", "shichi", "sici", "sinc", "sindg", "softmax",
    "sph_harm", "sph_harm_y", "spherical_yn", "tandg", "wright_bessel", "xlog1py", "xlogy", "y0", "y1", "yn", "yv",
    "yve", "zeta", "zetac"
]
