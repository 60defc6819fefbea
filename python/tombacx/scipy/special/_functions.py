"""Special functions that are compositions of others."""

import math

import tombac as tb
from tombac import _core
from tombac._core import special as _ufuncs

__all__ = [
    "airy", "airye", "btdtr", "btdtri", "ellipj", "lambertw", "multigammaln", "polygamma", "round", "sph_harm",
    "sph_harm_y", "spherical_yn",
]


def round(a, decimals=0, out=None):
    """Numbers rounded to so many decimals; tombac.around by SciPy's name.

    Args:
        a: An array of numbers of any shape.
        decimals: How many digits stay behind the point; negative numbers round before it.
        out: An array to write to.

    Returns:
        An array.

    Raises:
        TypeError: ``a`` is no tombac array.

    >>> tombacx.scipy.special.round(tombac.array([0.5, 1.5, 2.4]))
    array([0., 2., 2.])
    """
    return tb.around(a, decimals, out)


def polygamma(n, x):
    """Derivative n of the digamma function.

    Args:
        n: An array of whole numbers from 0 on, or one.
        x: An array of real numbers, broadcast together with ``n``, or one.

    Returns:
        An array of float64.

    Raises:
        TypeError: Neither is a tombac array or a number.

    >>> tombacx.scipy.special.polygamma(1, tombac.array([1.0, 2.0]))
    array([1.64493407, 0.64493407])
    """
    n, x = tb.broadcast_arrays(tb.asarray(n, dtype="d"), tb.asarray(x, dtype="d"))
    sign = 2 * _core.remainder(n, 2) - 1
    derivative = sign * _ufuncs.gamma(n + 1) * _ufuncs.zeta(n + 1, x)
    return _core.where(n == 0, _ufuncs.digamma(x), derivative)


def multigammaln(a, d):
    """The logarithm of the multivariate gamma function.

    Args:
        a: An array of real numbers, all above (d - 1) / 2.
        d: The dimension, a whole number.

    Returns:
        An array of a's shape.

    Raises:
        ValueError: ``d`` is no whole number, or an element of ``a`` is too small.

    It waits for the numbers, to look whether they are large enough.

    >>> tombacx.scipy.special.multigammaln(tombac.array([2.0, 3.5]), 2)
    array([0.45158271, 2.46648573])
    """
    if not _core.isfinite(tb.asarray(d)).all() or math.floor(d) != d:
        raise ValueError("multigammaln: d should be a positive integer (dimension)")
    a = tb.asarray(a)
    if (a <= 0.5 * (d - 1)).any():
        raise ValueError(f"multigammaln: condition a ({a}) > 0.5 * (d-1) ({0.5 * (d - 1)}) not met")
    result = d * (d - 1) * 0.25 * math.log(math.pi)
    for j in range(int(d)):
        result = result + _ufuncs.gammaln(a - 0.5 * j)
    return result


def btdtr(a, b, x, out=None):
    """The distribution function of the beta distribution: betainc by its former name.

    Args:
        a: An array of positive numbers, or one: the first shape.
        b: An array of positive numbers, or one: the second shape.
        x: An array of numbers in [0, 1], or one.
        out: An array to write to.

    Returns:
        An array.

    Raises:
        TypeError: There is no loop for these dtypes.

    >>> tombacx.scipy.special.btdtr(2.0, 3.0, tombac.array([0.25, 0.5]))
    array([0.26171875, 0.6875    ])
    """
    return _ufuncs.betainc(a, b, x, out)


def btdtri(a, b, p, out=None):
    """The quantile function of the beta distribution: betaincinv by its former name.

    Args:
        a: An array of positive numbers, or one: the first shape.
        b: An array of positive numbers, or one: the second shape.
        p: An array of probabilities, or one.
        out: An array to write to.

    Returns:
        An array.

    Raises:
        TypeError: There is no loop for these dtypes.

    >>> tombacx.scipy.special.btdtri(2.0, 3.0, tombac.array([0.26171875, 0.6875]))
    array([0.25, 0.5 ])
    """
    return _ufuncs.betaincinv(a, b, p, out)


def ellipj(u, m, out=None):
    """Jacobi's elliptic functions; fused into one kernel where several of them are used.

    Args:
        u: An array of real arguments, or one.
        m: An array of parameters in [0, 1], or one.
        out: A tuple of four arrays, or None in the place of one, to write to.

    Returns:
        A tuple of arrays: sn, cn, dn, and the amplitude.

    Raises:
        ValueError: ``out`` does not have four entries.

    >>> sn, cn, dn, ph = tombacx.scipy.special.ellipj(tombac.array([0.0, 1.0]), 0.5)
    >>> sn
    array([0.        , 0.80300182])
    """
    out = (None,) * 4 if out is None else out
    if len(out) != 4:
        raise ValueError(f"ellipj: the out tuple must have exactly one entry per output (4), it has {len(out)}")
    parts = _ufuncs._ellipj_sn, _ufuncs._ellipj_cn, _ufuncs._ellipj_dn, _ufuncs._ellipj_ph
    if out == (None,) * 4 and tb.result_type(u, m) == "d":
        return _ellipj_of_double(u, m)
    if any(o is not None and any(tb.shares_memory(o, x) for x in (u, m) if isinstance(x, tb.ndarray)) for o in out):
        u, m = (x.copy() if isinstance(x, tb.ndarray) else x for x in (u, m))
    return tuple(part(u, m, o) for part, o in zip(parts, out))


def _ellipj_of_double(u, m):
    """All four by the two that need transformations: the amplitude's sine, and dn^2 = cn^2 + (1 - m) sn^2."""
    ph, cn = _ufuncs._ellipj_ph(u, m), _ufuncs._ellipj_cn(u, m)
    sn = _core.sin(ph)
    return sn, cn, _core.hypot(cn, _core.sqrt(1.0 - m) * sn), ph


def _four(name, pair, slopes, z, out):
    """Ai, Ai', Bi and Bi', as SciPy orders them; each pair is one kernel."""
    out = (None,) * 4 if out is None else out
    if len(out) != 4:
        raise ValueError(f"{name}: the out tuple must have exactly one entry per output (4), it has {len(out)}")
    if any(o is not None and isinstance(z, tb.ndarray) and tb.shares_memory(o, z) for o in out):
        z = z.copy()
    (ai, bi), (ai_slope, bi_slope) = pair(z, out=(out[0], out[2])), slopes(z, out=(out[1], out[3]))
    return ai, ai_slope, bi, bi_slope


def airy(z, out=None):
    """The Airy functions and their derivatives.

    Args:
        z: An array of real numbers, or one.
        out: A tuple of four arrays, or None in the place of one, to write to.

    Returns:
        A tuple of arrays: Ai, its derivative, Bi, its derivative.

    Raises:
        TypeError: ``z`` is complex.
        ValueError: ``out`` does not have four entries.

    >>> ai, aip, bi, bip = tombacx.scipy.special.airy(tombac.array([0.0, 1.0]))
    >>> ai
    array([0.35502805, 0.13529242])
    """
    return _four("airy", _ufuncs._airy, _ufuncs._airy_slopes, z, out)


def airye(z, out=None):
    """The Airy functions and their derivatives, scaled: exp(2/3 z sqrt(z)) Ai and exp(-|Re(2/3 z sqrt(z))|) Bi.

    Args:
        z: An array of real numbers, or one.
        out: A tuple of four arrays, or None in the place of one, to write to.

    Returns:
        A tuple of arrays: Ai, its derivative, Bi, its derivative, all scaled. Those of Ai of negative numbers, which
        are complex, are NaN.

    Raises:
        TypeError: ``z`` is complex.
        ValueError: ``out`` does not have four entries.

    >>> ai, aip, bi, bip = tombacx.scipy.special.airye(tombac.array([0.0, 1.0]))
    >>> bi
    array([0.61492663, 0.61991194])
    """
    return _four("airye", _ufuncs._airye, _ufuncs._airye_slopes, z, out)


def lambertw(z, k=0, tol=1e-8):
    """Lambert's W function, the inverse of w exp(w).

    Args:
        z: An array of numbers, or one.
        k: An array of whole numbers, or one: the branches; 0 is the principal one, and -1 the other real one.
        tol: At which relative change of the result the iteration stops.

    Returns:
        An array of complex128.

    Raises:
        TypeError: There is no cast of an argument to the dtype that it is computed with.

    After an iteration of a relative change below ``tol`` the error is about its cube.

    >>> tombacx.scipy.special.lambertw(tombac.array([1.0, -0.25]))
    array([ 0.56714329+0.j, -0.35740296+0.j])
    """
    k = k.astype("q") if isinstance(k, tb.ndarray) and k.dtype.kind == "u" else k
    return _ufuncs._lambertw(z, k, tol)


def _with_longitude(n, m, polar, azimuth):
    """The spherical harmonic, in the angles' precision."""
    n, m, polar, azimuth = map(tb.asarray, (n, m, polar, azimuth))
    single = all(x.dtype.char in "ef" for x in (polar, azimuth))
    part = _ufuncs._harmonic(n.astype("d"), m.astype("d"), polar.astype("d"))
    turned = m * azimuth.astype("d")
    result = part * (_core.cos(turned) + 1j * _core.sin(turned))
    return result.astype("F") if single else result


def sph_harm_y(n, m, theta, phi, *, diff_n=0):
    """Spherical harmonics, normalised, with Condon and Shortley's sign.

    Args:
        n: An array of degrees, whole numbers from 0 on, or one.
        m: An array of orders, whole numbers, or one; 0 comes of those beyond n.
        theta: An array of polar angles in [0, pi], or one.
        phi: An array of azimuthal angles, or one.
        diff_n: 0; derivatives are not there.

    Returns:
        An array of complex numbers.

    Raises:
        NotImplementedError: ``diff_n`` is not 0.

    >>> tombacx.scipy.special.sph_harm_y(1, 0, tombac.array([0.0, 1.0]), 0.5).real
    array([0.48860251, 0.26399306])
    """
    if diff_n != 0:
        raise NotImplementedError("sph_harm_y: derivatives (diff_n other than 0) are not there")
    return _with_longitude(n, m, theta, phi)


def sph_harm(m, n, theta, phi, out=None):
    """Spherical harmonics in the former order of arguments; sph_harm_y has the present one.

    Args:
        m: An array of orders, whole numbers, or one.
        n: An array of degrees, whole numbers from 0 on, or one.
        theta: An array of azimuthal angles, or one.
        phi: An array of polar angles in [0, pi], or one.
        out: An array of complex numbers to write to.

    Returns:
        An array of complex numbers.

    Raises:
        TypeError: ``out`` cannot hold complex numbers.

    >>> tombacx.scipy.special.sph_harm(0, 1, 0.5, tombac.array([0.0, 1.0])).real
    array([0.48860251, 0.26399306])
    """
    result = _with_longitude(n, m, phi, theta)
    return result if out is None else _core.positive(result, out)


def spherical_yn(n, z, derivative=False):
    """Spherical Bessel functions of the second kind, or their derivatives.

    Args:
        n: An array of orders, whole numbers from 0 on, or one.
        z: An array of real numbers, or one.
        derivative: Whether the derivative is computed instead.

    Returns:
        An array.

    Raises:
        TypeError: ``z`` is complex.

    >>> tombacx.scipy.special.spherical_yn(0, tombac.array([1.0, 2.0]))
    array([-0.54030231,  0.20807342])
    """
    y = _ufuncs._spherical_yn
    n, z = tb.asarray(n), tb.asarray(z)
    z = z if z.dtype.kind in "fc" else z.astype("d")
    order = n.astype("d" if z.dtype.char == "d" else "f")
    if not derivative:
        return y(order, z)
    below = y(_core.maximum(order - 1, order.dtype.type(0)), z) - (order + 1) / z * y(order, z)
    at_zero = _core.where(z == 0, z.dtype.type(tb.inf), below)
    return _core.where(order == 0, -y(order + 1, z), at_zero)
