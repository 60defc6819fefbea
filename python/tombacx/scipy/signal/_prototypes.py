"""Butterworth's and Chebyshev's filters on the host, in NumPy, so that SciPy is not imported for them: an analog filter
of edge 1, by its zeros, poles and gain; other bands of it; the bilinear transformation; polynomials or sections."""

import math

from tombac._numpy import np
from tombacx.scipy._host import own

__all__ = []


# ---- analog filters whose edge is at 1 rad/s -------------------------------------------------------------------------


def _order(N):
    if N < 0 or int(N) != N:
        raise ValueError(f"the order of a filter must be a whole number and not negative, not {N}")
    return int(N)


def _angles(N):
    """Of the N poles on the left half of a circle, from the negative real axis."""
    return np.arange(1 - N, N, 2) * (math.pi / (2 * N)) if N else np.zeros(0)


def _symmetric(p):
    """Poles of which the middle one of an odd number is real."""
    if p.size % 2:
        p[p.size // 2] = p[p.size // 2].real
    return p


@own
def buttap(N):
    N = _order(N)
    return np.zeros(0), _symmetric(-np.exp(1j * _angles(N))), 1.0


@own
def cheb1ap(N, rp):
    N = _order(N)
    if N == 0:
        return np.zeros(0), np.zeros(0), 10 ** (-rp / 20)
    ripple = math.sqrt(10 ** (0.1 * rp) - 1)
    p = _symmetric(-np.sinh(math.asinh(1 / ripple) / N + 1j * _angles(N)))
    gain = np.prod(-p).real
    return np.zeros(0), p, gain if N % 2 else gain / math.sqrt(1 + ripple * ripple)


@own
def cheb2ap(N, rs):
    N = _order(N)
    if N == 0:
        return np.zeros(0), np.zeros(0), 1.0
    depth, angles = 1 / math.sqrt(10 ** (0.1 * rs) - 1), _angles(N)
    z = 1j / np.sin(angles[angles != 0])
    radius = math.asinh(1 / depth) / N
    unit = -np.exp(1j * angles)
    p = _symmetric(1 / (math.sinh(radius) * unit.real + 1j * math.cosh(radius) * unit.imag))
    return z, p, (np.prod(-p) / np.prod(-z)).real


# ---- other bands, and digital filters --------------------------------------------------------------------------------


def _numbers(*values):
    """Zeros and poles as vectors of at least float64."""
    return [np.atleast_1d(v).astype(np.result_type(np.asarray(v).dtype, "d"), copy=False) for v in values]


def _excess(z, p):
    if len(p) < len(z):
        raise ValueError(f"a filter of {len(p)} poles must not have more zeros: {len(z)}")
    return len(p) - len(z)


@own
def lp2lp_zpk(z, p, k, wo=1.0):
    (z, p), wo = _numbers(z, p), float(wo)
    return wo * z, wo * p, k * wo ** _excess(z, p)


def _turned(z, p, k):
    """The gain of the filter that has 1 / s for s."""
    return k * np.real(np.prod(-z) / np.prod(-p))


@own
def lp2hp_zpk(z, p, k, wo=1.0):
    (z, p), wo = _numbers(z, p), float(wo)
    return np.append(wo / z, np.zeros(_excess(z, p))), wo / p, _turned(z, p, k)


def _apart(x, wo):
    """The two s of each x for which s + wo^2 / s is 2 x."""
    x = x.astype("D")
    root = np.sqrt(x * x - wo * wo)
    return np.append(x + root, x - root)


@own
def lp2bp_zpk(z, p, k, wo=1.0, bw=1.0):
    (z, p), wo, bw = _numbers(z, p), float(wo), float(bw)
    excess = _excess(z, p)
    return np.append(_apart(z * bw / 2, wo), np.zeros(excess)), _apart(p * bw / 2, wo), k * bw**excess


@own
def lp2bs_zpk(z, p, k, wo=1.0, bw=1.0):
    (z, p), wo, bw = _numbers(z, p), float(wo), float(bw)
    middle = np.full(_excess(z, p), 1j * wo)
    z2 = np.concatenate((_apart(bw / 2 / z, wo), middle, -middle))
    return z2, _apart(bw / 2 / p, wo), _turned(z, p, k)


def _rate(fs):
    if fs is None or np.size(fs) != 1:
        raise ValueError(f"fs must be one number, not {fs}")
    return float(fs)


@own
def bilinear_zpk(z, p, k, fs):
    (z, p), twice = _numbers(z, p), 2 * _rate(fs)
    excess = _excess(z, p)
    gain = k * np.real(np.prod(twice - z) / np.prod(twice - p))
    return np.append((twice + z) / (twice - z), -np.ones(excess)), (twice + p) / (twice - p), gain


# ---- filters of an order, a kind and edges ---------------------------------------------------------------------------

_BANDS = {"lowpass": "low lp l", "highpass": "high hp h", "bandpass": "band pass bp", "bandstop": "bs bands stop"}
_BANDS = {name: kind for kind, names in _BANDS.items() for name in (kind, *names.split())}
_KINDS = {"butter": "butterworth", "cheby1": "chebyshev1 chebyshevi", "cheby2": "chebyshev2 chebyshevii"}
_KINDS = {name: kind for kind, names in _KINDS.items() for name in (kind, *names.split())}


def _prototype(kind, N, rp, rs):
    if kind == "butter":
        return buttap(N)
    number, name = (rp, "rp") if kind == "cheby1" else (rs, "rs")
    if number is None:
        raise ValueError(f"a filter of the kind {kind} needs {name}")
    if number < 0:
        raise ValueError(f"{name} must not be negative: {number}")
    return cheb1ap(N, rp) if kind == "cheby1" else cheb2ap(N, rs)


def _edges(Wn, analog, fs):
    """The edges in rad/s of the analog filter."""
    if fs is not None:
        if analog:
            raise ValueError("an analog filter has no sampling frequency: fs must be None")
        Wn = Wn / (_rate(fs) / 2)
    if not (Wn > 0).all():
        raise ValueError(f"critical frequencies must be greater than 0, not {Wn}")
    if Wn.size > 1 and not Wn[0] < Wn[1]:
        raise ValueError(f"the first of two critical frequencies must be less than the second: {Wn}")
    if analog:
        return Wn
    if not (Wn < 1).all():
        raise ValueError("critical frequencies of a digital filter must be between 0 and half of the sampling "
                         f"frequency: {Wn} of that")
    return 4 * np.tan(math.pi * Wn / 2)


def _banded(name, zpk, edges):
    if name in ("lowpass", "highpass"):
        if edges.size != 1:
            raise ValueError(f"a {name} filter has one critical frequency, not {edges.size}")
        return (lp2lp_zpk if name == "lowpass" else lp2hp_zpk)(*zpk, edges.item())
    if edges.size != 2:
        raise ValueError(f"a {name} filter has two critical frequencies, not {edges.size}")
    low, high = edges.tolist()
    return (lp2bp_zpk if name == "bandpass" else lp2bs_zpk)(*zpk, math.sqrt(low * high), high - low)


@own
def iirfilter(N, Wn, rp=None, rs=None, btype="band", analog=False, ftype="butter", output="ba", fs=None):
    kind, name = _KINDS.get(str(ftype).lower()), _BANDS.get(str(btype).lower())
    if kind is None:
        return NotImplemented  # an elliptic or a Bessel filter, or none
    if name is None:
        raise ValueError(f"there is no band of type {btype!r}")
    if output not in ("ba", "zpk", "sos"):
        raise ValueError(f"output must be 'ba', 'zpk' or 'sos', not {output!r}")
    edges = _edges(np.atleast_1d(np.asarray(Wn, float)).ravel(), analog, fs)
    z, p, k = _banded(name, _prototype(kind, N, rp, rs), edges)
    if not analog:
        z, p, k = bilinear_zpk(z, p, k, 2.0)
    if output == "zpk":
        return z, p, k
    return zpk2sos(z, p, k, analog=analog) if output == "sos" else (k * _polynomial(z), _polynomial(p))


@own
def butter(N, Wn, btype="low", analog=False, output="ba", fs=None):
    return iirfilter(N, Wn, None, None, btype, analog, "butter", output, fs)


@own
def cheby1(N, rp, Wn, btype="low", analog=False, output="ba", fs=None):
    return iirfilter(N, Wn, rp, None, btype, analog, "cheby1", output, fs)


@own
def cheby2(N, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    return iirfilter(N, Wn, None, rs, btype, analog, "cheby2", output, fs)


# ---- polynomials and sections of zeros and poles ---------------------------------------------------------------------


def _polynomial(roots):
    """The coefficients, the highest power first: real where complex roots have their conjugates."""
    values = np.poly(roots) if len(roots) else np.ones(1)
    if values.dtype.kind == "c":
        above, below = roots[roots.imag > 0], roots[roots.imag < 0]
        if above.size == below.size and (np.sort(above) == np.sort(below.conj())).all():
            values = values.real.copy()
    return values


def _halves(x):
    """Of conjugate pairs the halves with positive imaginary parts, and then what is real, each in order."""
    x = np.asarray(x, "D").ravel()
    near = 100 * np.finfo("d").eps
    real = abs(x.imag) <= near * abs(x)
    above, below = x[(x.imag > 0) & ~real], x[(x.imag < 0) & ~real].conj().tolist()
    if above.size != len(below):
        raise ValueError("zeros and poles that are not real must come with their conjugates")
    pairs = []
    for value in above.tolist():
        mate = min(below, key=lambda other, value=value: abs(other - value))
        if abs(mate - value) > near * abs(value):
            raise ValueError("zeros and poles that are not real must come with their conjugates")
        below.remove(mate)
        pairs.append((value + mate) / 2)
    return [*sorted(pairs, key=lambda v: (v.real, v.imag)), *sorted(x[real].real.tolist())]


def _taken(values, distance, which=lambda v: True):
    """The one of the values, of those that are asked for, whose distance is least; it is taken away."""
    at = min((i for i, v in enumerate(values) if which(v)), key=lambda i: distance(values[i]))
    return values.pop(at)


def _is_real(v):
    return not isinstance(v, complex)


def _one_section(z, p, minimal):
    """Coefficients of a numerator and a denominator of up to two roots. What a section of first order lacks is a zero
    and a pole at 0, or the power of two where nothing may be added."""
    row = np.zeros(6)
    for roots, at in ((z, 0), (p, 3)):
        values = _polynomial(np.asarray(roots)).real
        start = at + (3 - values.size if minimal else 0)
        row[start:start + values.size] = values
    return row


def _section_of(z, p, remoteness):
    """Takes the roots of the next section: its pole is the least remote from where a filter is unstable."""
    p1 = _taken(p, remoteness)
    if _is_real(p1) and not any(map(_is_real, p)):  # the last real pole has a section of its own
        return ([_taken(z, lambda v: abs(v - p1), _is_real)] if any(map(_is_real, z)) else []), [p1]
    if not _is_real(p1) and sum(map(_is_real, z)) == 1 and len(z) > 1:
        z1 = _taken(z, lambda v: abs(v - p1), lambda v: not _is_real(v))
    elif z:
        z1 = _taken(z, lambda v: abs(v - p1))
    else:
        z1 = None
    if not _is_real(p1):
        p2 = p1.conjugate()
    else:
        p2 = _taken(p, remoteness, _is_real)
    if z1 is None:
        return [], [p1, p2]
    if not _is_real(z1):
        return [z1, z1.conjugate()], [p1, p2]
    return [z1] + ([_taken(z, lambda v: abs(v - p1), _is_real)] if any(map(_is_real, z)) else []), [p1, p2]


@own
def zpk2sos(z, p, k, pairing=None, *, analog=False):
    pairing = pairing or ("minimal" if analog else "nearest")
    if pairing not in ("nearest", "keep_odd", "minimal"):
        raise ValueError(f"pairing must be 'nearest', 'keep_odd' or 'minimal', not {pairing!r}")
    if analog and pairing != "minimal":
        raise ValueError("sections of an analog filter are paired by 'minimal' alone")
    z, p = list(np.asarray(z).ravel()), list(np.asarray(p).ravel())
    if not z and not p:
        return np.array([[k, 0, 0, 1, 0, 0]] if not analog else [[0, 0, k, 0, 0, 1]], float)
    if pairing == "minimal":
        if len(p) < len(z):
            raise ValueError(f"sections of an analog filter need as many poles as zeros: {len(p)}, not {len(z)}")
    else:
        p, z = p + [0.0] * (len(z) - len(p)), z + [0.0] * (len(p) - len(z))
        if pairing == "nearest" and len(p) % 2:
            p, z = [*p, 0.0], [*z, 0.0]
    z, p = _halves(z), _halves(p)
    rows = []
    while p:
        zeros, poles = _section_of(z, p, (lambda v: abs(v.real)) if analog else (lambda v: abs(1 - abs(v))))
        rows.append(_one_section(zeros, poles, pairing == "minimal"))
    if z:
        raise ValueError("zeros and poles do not go into sections: more zeros are left than poles")
    rows[-1][:3] *= k
    return np.array(rows[::-1])
