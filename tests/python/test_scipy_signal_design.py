"""tombacx.scipy.signal's designs, conversions, systems and waveforms against SciPy's."""

import copy
import math
import pathlib
import pickle
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest
import scipy.signal as ss
import tombac as tb

import tombacx.scipy.signal as xs

A = np.array
B2, A2 = A([1.0, 0.5, 0.25]), A([1.0, -0.5, 0.125])
Z, P = A([-1.0, 0.5]), A([-0.5, 0.25])
SOS = A([[1.0, 0.5, 0.25, 1.0, -0.5, 0.125], [1.0, 1.0, 0.0, 1.0, 0.25, 0.0]])
SS = A([[-2.0, -1.0], [1.0, 0.0]]), A([[1.0], [0.0]]), A([[1.0, 3.0]]), A([[0.0]])
TF, DTF, ZPK = (A([1.0, 3.0]), A([1.0, 2.0, 1.0])), (A([1.0]), A([1.0, -0.5]), 0.1), (Z[:1], P, 2.0)
BAND = A([0.2, 0.4])
T = np.linspace(0, 5, 11)
RPK = A([4.0, -3.0]), A([-1.0, -2.0]), A([1.0])
TIMES = A([-7.0, -0.5, 0.0, 0.3, 1.5, 3.5, 6.5, 100.0])

CALLS = [  # name, arguments
    *((f, n, *r, w, t, False, o) for f, r in (("butter", ()), ("cheby1", (1,)), ("cheby2", (40,)), ("ellip", (1, 40)))
      for n, w, t in ((3, 0.3, "low"), (2, BAND, "bandpass")) for o in ("ba", "zpk", "sos")),
    ("butter", 2, 100.0, "high", True), ("bessel", 3, 0.3), ("iirfilter", 2, BAND, 1, 40, "bandstop", False, "ellip"),
    ("iirdesign", 0.2, 0.4, 1, 40), ("iirnotch", 60.0, 30.0, 400.0), ("iirpeak", 60.0, 30.0, 400.0),
    ("iircomb", 50.0, 30.0, "peak", 200.0), ("gammatone", 440, "iir", None, None, 16000),
    ("gammatone", 440, "fir", 4, 20, 16000), *((f, w, s, 1, 40) for f in ("buttord", "cheb1ord", "cheb2ord", "ellipord")
                                                for w, s in ((0.2, 0.4), (BAND, A([0.1, 0.5])))),
    ("band_stop_obj", 1.5, 0, A([1.0, 4.0]), A([2.0, 3.0]), 1, 40, "ellip"), ("buttap", 3), ("cheb1ap", 3, 1),
    ("cheb2ap", 3, 40), ("ellipap", 3, 1, 40), ("besselap", 3), ("kaiser_beta", 65), ("kaiser_atten", 211, 0.0375),
    ("kaiserord", 65, 0.1), ("savgol_coeffs", 7, 3, 1, 0.5), ("minimum_phase", A([1.0, 2.0, 3.0, 2.0, 1.0])),
    ("tf2zpk", B2, A2), ("zpk2tf", Z, P, 2.0), ("tf2sos", B2, A2), ("sos2tf", SOS), ("zpk2sos", Z, P, 2.0),
    ("sos2zpk", SOS), ("tf2ss", *TF), ("ss2tf", *SS), ("zpk2ss", *ZPK), ("ss2zpk", *SS), ("abcd_normalize", *SS[:3]),
    ("normalize", A([4.0, 2.0]), A([2.0, 1.0])), *((f, *x, w) for f in ("lp2lp", "lp2hp", "lp2bp", "lp2bs")
                                                    for x, w in ((TF, 2.0),)),
    *((f, *ZPK, 2.0) for f in ("lp2lp_zpk", "lp2hp_zpk", "lp2bp_zpk", "lp2bs_zpk", "bilinear_zpk")),
    ("bilinear", *TF, 2.0), ("residue", *TF), ("residuez", *TF), ("invres", *RPK), ("invresz", *RPK),
    ("unique_roots", A([1.0, 2.0, 2.0])), ("lfilter_zi", B2, A2), ("sosfilt_zi", SOS),
    ("lfiltic", B2, A2, A([1.0, 2.0]), A([3.0])), ("freqs", *TF, T), ("freqs_zpk", *ZPK, 9), ("freqz", B2, A2, 8, True),
    ("freqz", B2, 1, T), ("freqz_zpk", *ZPK, T), ("sosfreqz", SOS, 8), ("group_delay", (B2, A2), 8),
    ("findfreqs", *TF, 5), ("check_COLA", np.hanning(9)[:8], 8, 4), ("check_NOLA", A([1.0, 0.0]), 2, 0),
    ("correlation_lags", 5, 3, "same"), ("impulse", TF, None, T), ("step", SS), ("lsim", TF, np.sin(T), T),
    ("bode", ZPK, T[1:]), ("freqresp", SS, T[1:]), ("dimpulse", DTF, None, None, 5),
    ("dstep", (*SS, 0.1), None, None, 5),
    ("dlsim", (*SS, 0.1), np.sin(T)), ("dbode", DTF, None, 7), ("dfreqresp", DTF, None, 7, True),
    *(("cont2discrete", s, 0.1, m) for s in (TF, SS) for m in ("zoh", "foh", "tustin", "impulse")),
    ("max_len_seq", 5), ("max_len_seq", 4, A([1, 0, 1, 0]), 9), ("chirp", TIMES, 1, 2, 3),
    ("chirp", TIMES, 1, 2, 3, "quadratic", 30, False), ("chirp", TIMES, 1, 2, 3, "quadratic"),
    ("chirp", TIMES[2:5], 1, 9, 3, "log"), ("chirp", TIMES[2:5], 1, 9, 3, "hyperbolic"),
    ("chirp", TIMES, 2, 9, 2, "lo"),
    ("square", TIMES), ("square", TIMES, 0.2), ("square", TIMES, np.linspace(-0.2, 1.2, 8)), ("square", TIMES[:0]),
    ("sawtooth", TIMES), ("sawtooth", TIMES, 0.3), ("sawtooth", TIMES, np.linspace(-0.2, 1.2, 8)),
    ("gausspulse", TIMES / 100, 5), ("gausspulse", TIMES / 100, 5, 0.4, -3, -60, True, True),
    ("gausspulse", "cutoff", 5),
    ("sweep_poly", TIMES, A([0.1, -0.5, 2.0]), 45), ("unit_impulse", 5), ("unit_impulse", (4, 5), "mid"),
    ("unit_impulse", (4, 5), 2, np.int8), ("unit_impulse", (4, 5), (1, 3)), ("gauss_spline", TIMES, 3),
]
KEYED = [
    ("firwin", 7, 0.3, {"fs": None}), ("firwin", 7, BAND, {"pass_zero": False}),
    ("firwin", 8, 0.3, {"window": ("kaiser", 4.0), "fs": 3}),
    ("firwin2", 9, A([0.0, 0.5, 1.0]), A([1.0, 0.5, 0.0]), {"fs": 2}),
    ("firls", 7, A([0.0, 0.3, 0.5, 1.0]), A([1.0, 1.0, 0.0, 0.0]), {"weight": A([1.0, 2.0]), "fs": 2}),
    ("remez", 9, A([0.0, 0.1, 0.2, 0.5]), A([1.0, 0.0]), {"weight": A([1.0, 3.0])}),
    ("remez", 8, A([0.2, 0.9]), A([1.0]), {"type": "hilbert", "fs": 2, "grid_density": 20, "maxiter": 40}),
]


def moved(x, to):
    """``x`` with its arrays as ``to`` gives them."""
    return type(x)(moved(v, to) for v in x) if type(x) in (tuple, list) else to(x) if isinstance(x, np.ndarray) else x


def check(got, want):
    """The same numbers and types: what SciPy gives in NumPy's arrays and scalars is in the device's."""
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want) and len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            check(g, w)
    elif isinstance(want, (np.ndarray, np.generic)) and not isinstance(got, (bool, float)):
        assert type(got) is tb.ndarray and got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_allclose(got.get(), want, 1e-9, 1e-11)
    else:
        assert type(got) in (type(want), bool, float) and got == pytest.approx(want)


def both(name, args, to, kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = getattr(ss, name)(*args, **kwargs)
        got = getattr(xs, name)(*moved(args, to), **{k: moved(v, to) for k, v in kwargs.items()})
    check(got, want)


# What SciPy itself does not take lists for.
ARRAYS_ALONE = {"band_stop_obj", "cont2discrete"}


@pytest.mark.parametrize("to", [tb.array, np.ndarray.tolist], ids=["array", "list"])
@pytest.mark.parametrize("row", [*((*r, {}) for r in CALLS), *KEYED], ids=lambda r: r[0])
def test_like_scipy(row, to):
    name, *args, kwargs = row
    if to is tb.array or name not in ARRAYS_ALONE:
        both(name, tuple(args), to, kwargs)


def test_every_name_is_called():
    """Here or in the files beside this one."""
    called = {row[0] for row in [*CALLS, *KEYED]}
    here = pathlib.Path(__file__).parent
    beside = "".join((here / f"test_scipy_signal_{part}.py").read_text(encoding="utf-8")
                     for part in ("blocks", "convolution", "envelope", "filters", "spectral"))
    called |= {name for name in xs.__all__ if re.search(rf"\b{name}\b", beside)}
    others = {"StateSpace", "TransferFunction", "ZerosPolesGain", "dlti", "lti", "place_poles", "freqz_sos",
              "morlet", "morlet2", "qmf", "ricker",
              "get_window", "windows", "ShortTimeFFT", "closest_STFT_dual_window"}  # in files of their own
    assert called | others == set(xs.__all__)


def test_freqz_sos_is_sosfreqz():
    check(xs.freqz_sos(tb.array(SOS), 8), ss.sosfreqz(SOS, 8))


def test_plot_is_given_arrays():
    seen = []
    xs.freqz(B2, A2, 4, plot=lambda *a: seen.extend(a))
    assert [type(x) for x in seen] == [tb.ndarray, tb.ndarray]


def test_chirp_with_its_sine():
    t = tb.array(TIMES)
    for how in ({"phi": 30}, {"method": "quadratic", "vertex_zero": False}):
        got = xs.chirp(t, 1, 2, 3, complex=True, **how)
        assert got.dtype == "D"
        np.testing.assert_array_equal(got.real.get(), xs.chirp(t, 1, 2, 3, **how).get())
        turned = {**how, "phi": how.get("phi", 0) - 90}
        np.testing.assert_allclose(got.imag.get(), ss.chirp(TIMES, 1, 2, 3, **turned), atol=1e-12)


def test_nyq_of_firwin2():
    check(xs.firwin2(9, [0, 2, 4], [1, 1, 0], nyq=4), ss.firwin2(9, [0, 2, 4], [1, 1, 0], fs=8))


def test_wavelets():
    x = np.arange(5) - 2
    check(xs.ricker(5, 2.0), 2 / (math.sqrt(6) * math.pi**0.25) * (1 - x**2 / 4) * np.exp(-(x**2) / 8))
    check(xs.morlet2(5, 2.0, 3), np.exp(1.5j * x) * np.exp(-(x**2) / 8) * math.pi**-0.25 * math.sqrt(0.5))
    t = np.linspace(-2 * math.pi, 2 * math.pi, 5)
    check(xs.morlet(5, 2.0), (np.exp(2j * t) - math.exp(-2)) * np.exp(-(t**2) / 2) * math.pi**-0.25)
    check(xs.morlet(5, 2.0, complete=False), np.exp(2j * t) * np.exp(-(t**2) / 2) * math.pi**-0.25)
    check(xs.qmf(tb.array([1.0, 2.0, 3.0, 4.0])), A([4.0, -3.0, 2.0, -1.0]))


SYSTEMS = [("lti", TF, {}), ("lti", ZPK, {}), ("lti", SS, {}), ("dlti", DTF[:2], {"dt": 0.1}), ("dlti", SS, {}),
           ("TransferFunction", TF, {}), ("ZerosPolesGain", ZPK, {"dt": 0.5}), ("StateSpace", SS, {"dt": True})]
PARTS = "A B C D num den gain zeros poles dt".split()


def check_system(got, want):
    assert type(got).__name__ == type(want).__name__ and repr(got) == repr(want)
    for cls in ("lti", "dlti", "TransferFunction", "ZerosPolesGain", "StateSpace"):
        assert isinstance(got, getattr(xs, cls)) is isinstance(want, getattr(ss, cls))
    for part in PARTS:
        assert hasattr(got, part) is hasattr(want, part)
        if hasattr(want, part):
            check(getattr(got, part), getattr(want, part))


@pytest.mark.parametrize("name, args, kwargs", SYSTEMS, ids=range(len(SYSTEMS)))
def test_systems(name, args, kwargs):
    got, want = getattr(xs, name)(*moved(args, tb.array), **kwargs), getattr(ss, name)(*args, **kwargs)
    check_system(got, want)
    for to in ("to_tf", "to_zpk", "to_ss"):
        check_system(getattr(got, to)(), getattr(want, to)())
    for other in (copy.copy(got), copy.deepcopy(got), pickle.loads(pickle.dumps(got))):
        check_system(other, want)
    if isinstance(want, ss.lti):
        check_system(got.to_discrete(0.1), want.to_discrete(0.1))
        check_system(xs.cont2discrete(got, 0.1), want.to_discrete(0.1))
        methods = [("impulse", None, T), ("step",), ("output", np.sin(T), T), ("bode", T[1:]), ("freqresp", T[1:])]
    else:
        methods = [("impulse", None, None, 5), ("step", None, None, 5), ("output", np.sin(T), T), ("bode", T[1:6]),
                   ("freqresp", T[1:6])]
    for method, *arguments in methods:
        check(getattr(got, method)(*moved(arguments, tb.array)), getattr(want, method)(*arguments))


def test_parts_are_assigned():
    s = xs.lti([1.0], [1.0, 2.0])
    s.den = tb.array([1.0, 3.0])
    check(s.poles, A([-3.0]))
    with pytest.raises(AttributeError):
        s.poles = [1.0]


def test_arithmetic_of_state_spaces():
    f, g = xs.StateSpace(*moved(SS, tb.array)), xs.StateSpace([[-1.0]], [[1.0]], [[1.0]], [[0.5]])
    v, w = ss.StateSpace(*SS), ss.StateSpace([[-1.0]], [[1.0]], [[1.0]], [[0.5]])
    m = A([[2.0]])
    for got, want in ((f + g, v + w), (f - g, v - w), (f * g, v * w), (-f, -v), (f / 2, v / 2), (2 * f, 2 * v),
                      (f + tb.array(m), v + m), (tb.array(m) * f, m * v), (tb.array(m) - f, m - v), (3.0 + f, 3.0 + v)):
        check_system(got, want)
    with pytest.raises(TypeError):
        f + "no system"


def test_place_poles():
    a, b, p = A([[0.0, 1.0], [0.0, 0.0]]), A([[0.0], [1.0]]), A([-1.0, -2.0])
    got, want = xs.place_poles(*map(tb.array, (a, b, p))), ss.place_poles(a, b, p)
    for part in ("gain_matrix", "computed_poles", "requested_poles", "X"):
        check(getattr(got, part), getattr(want, part))


@pytest.mark.parametrize("output", ["zpk", "ba", "sos"])
@pytest.mark.parametrize("band, edge", [("low", 0.23), ("high", 0.4), ("bandpass", BAND), ("bandstop", [0.3, 0.6])])
@pytest.mark.parametrize("name, ripple", [("butter", ()), ("cheby1", (1.5,)), ("cheby2", (35,))])
def test_designs_of_all_orders(name, ripple, band, edge, output):
    for order in range(13):
        for analog in (False, True):
            args = order, *ripple, edge, band, analog, output
            try:
                want = getattr(ss, name)(*args)
            except IndexError:  # SciPy finds no pairs for sections of some analog filters
                continue
            got = tuple(x.get() if isinstance(x, tb.ndarray) else x for x in getattr(xs, name)(*args))
            want = want if type(want) is tuple else tuple(want)
            for g, w in zip(got, want, strict=True):
                if output == "zpk" and np.ndim(w):
                    g, w = np.sort_complex(g.round(9)), np.sort_complex(w.round(9))
                assert np.shape(g) == np.shape(w)
                np.testing.assert_allclose(g, w, 1e-7, 1e-9)


@pytest.mark.parametrize("pairing, analog", [("nearest", False), ("keep_odd", False), ("minimal", False), (None, True)])
def test_sections_of_any_zeros_and_poles(pairing, analog):
    rng, counts = np.random.default_rng(3), 0
    for _ in range(150):
        roots = []
        for size in (1.0, 0.4):
            pairs = (rng.normal(size=(rng.integers(0, 3), 2)) * size).view(complex).ravel()
            roots.append(np.concatenate((pairs, pairs.conj(), rng.normal(size=rng.integers(0, 3)) * size)))
        try:
            want = ss.zpk2sos(*roots, 2.5, pairing, analog=analog)
        except (IndexError, ValueError):
            continue
        check(xs.zpk2sos(*map(tb.array, roots), 2.5, pairing, analog=analog), want)
        counts += 1
    assert counts > 50


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize(
    "window", ["hamming", ("kaiser", 5.0), 7.5, "hann", "blackman", "boxcar", ("gaussian", 3.0), "nope"])
def test_firwin_of_all_bands(window, scale):
    for n in (1, 2, 3, 8, 21, 64):
        for edges in (0.3, [0.2, 0.5], [0.1, 0.4, 0.7], (0.2, 0.3, 0.5, 0.9), 0, 1.2, [0.5, 0.2], [], [[0.1, 0.2]]):
            for passes in (True, False, "lowpass", "highpass", "bandpass", "bandstop", "none"):
                options = {"window": window, "pass_zero": passes, "scale": scale}
                try:
                    want = ss.firwin(n, edges, **options)
                except ValueError:
                    with pytest.raises(ValueError):
                        xs.firwin(n, edges, **options)
                    continue
                check(xs.firwin(n, edges, **options), want)


@pytest.mark.parametrize("use", ["conv", "dot"])
def test_savgol_coeffs_of_all_orders(use):
    """Like SciPy's; from order 5 on, where those lose their digits, by what they make of powers."""
    for n, order in ((n, order) for n in range(1, 40, 3) for order in range(min(n, 10))):
        for deriv, pos in ((0, None), (1, None), (2, 1), (order + 1, None)):
            if pos is not None and pos >= n:
                continue
            got = xs.savgol_coeffs(n, order, deriv, 0.7, pos, use)
            if order < 5:
                check(got, ss.savgol_coeffs(n, order, deriv, 0.7, pos, use))
                continue
            at, weights = (n - 1) / 2 if pos is None else pos, got.get()[::-1 if use == "conv" else 1]
            for power in range(order + 1):
                sums = ((np.arange(n) - at) * 0.7 / n) ** power * weights
                want = math.factorial(deriv) / n**deriv if power == deriv else 0
                assert abs(sums.sum() - want) <= 1e-12 * (abs(sums).sum() + want) + 1e-15


def test_states_of_filters_of_all_orders():
    rng = np.random.default_rng(0)
    for n, m in ((n, m) for n in range(1, 7) for m in range(1, 7) if n + m > 2):
        b, a = rng.normal(size=n), rng.normal(size=m)
        check(xs.lfilter_zi(tb.array(b), tb.array(a)), ss.lfilter_zi(b, a))
    narrow = np.float32([1, 2]), np.float32([2, 1])
    for args in ((A([1j, 2]), A([1, 0.5])), (A([1.0, 2.0, 3.0]), A([2.0, 1.0])), narrow):
        check(xs.lfilter_zi(*map(tb.array, args)), ss.lfilter_zi(*args))
    # Leading zeros of the denominator are left out, as SciPy does before 1.18, which refuses them.
    b, a = A([1.0, 2.0, 3.0]), A([0.0, 2.0, 1.0])
    check(xs.lfilter_zi(tb.array(b), tb.array(a)), ss.lfilter_zi(b, a[1:]))
    for sos in (ss.butter(7, 0.3, output="sos"), ss.ellip(5, 1, 40, BAND, "bandpass", output="sos")):
        check(xs.sosfilt_zi(tb.array(sos)), ss.sosfilt_zi(sos))
    got = xs.sosfilt_zi(tb.array(SOS.astype("f"))).get()
    assert got.dtype == "f"
    np.testing.assert_allclose(got, ss.sosfilt_zi(SOS), 1e-6)


@pytest.mark.parametrize("name, args", [
    ("butter", (2.5, 0.5)), ("butter", (-1, 0.5)), ("butter", (2, [0.1, 0.2])), ("butter", (2, 0.2, "bandpass")),
    ("butter", (2, 0.2, "low", False, "none")), ("butter", (2, [0.4, 0.2], "bandpass")),
    ("butter", (2, 0.2, "low", True, "ba", 5)), ("butter", (2, 9, "low", False, "ba", 5)), ("cheby1", (2, -1, 0.5)),
    ("iirfilter", (2, 0.5, None, None, "low", False, "cheby1")), ("iirfilter", (2, 0.5, 1, 1, "low", False, "none")),
    ("zpk2sos", ([1j], [0.5], 1)), ("zpk2sos", ([1], [0.5], 1, "none")), ("bilinear_zpk", ([1, 2], [1], 1, 1)),
    ("savgol_coeffs", (3, 3)), ("savgol_coeffs", (3, 1, 0, 1.0, 3)), ("savgol_coeffs", (3, 1, 0, 1.0, None, "none")),
    ("kaiserord", (3, 0.1)), ("lfilter_zi", ([[1, 1]], [1])), ("lfilter_zi", ([1.0, 2.0], [1.0, -1.0])),
    ("butter", (2, 3.0)), ("butter", (2, 0.5, "sideways")), ("cheb1ord", (0.2, 0.4, 40, 1)), ("iirnotch", (2.0, 1.0)),
    ("firwin", (4, 0.5, None, "hamming", False)), ("sos2tf", ([1.0],)), ("residue", ([1], [1, 2], 0.1, "none")),
    ("lti", ([1],)), ("step", (5,)), ("max_len_seq", (99,)), ("chirp", ([1.0], 1, 1, 2, "none")),
    ("chirp", ([1.0], 0, 1, 2, "log")), ("chirp", ([1.0], 0, 1, 2, "hyp")), ("gausspulse", ([1.0], -1)),
    ("gausspulse", ([1.0], 1, 0)), ("gausspulse", ([1.0], 1, 1, 1)), ("gausspulse", ("cutoff", 1, 1, -1, 1)),
    ("gausspulse", ("none",)), ("unit_impulse", (3, 5)), ("square", ([1j],)), ("sawtooth", ([1j],)),
    ("sweep_poly", ([1.0], [[1.0]])),
])
def test_bad_input(name, args):
    """What SciPy refuses is refused by exceptions of the same type."""
    named = args if name != "firwin" else args[:2]
    kwargs = {"pass_zero": args[4]} if name == "firwin" else {}
    with pytest.raises(Exception) as theirs:  # noqa: B017
        getattr(ss, name)(*named, **kwargs)
    with pytest.raises(Exception) as ours:  # noqa: B017
        getattr(xs, name)(*args)
    assert issubclass(ours.type, theirs.type) or issubclass(theirs.type, ours.type)


def test_bad_coefficients_are_scipys():
    assert xs.BadCoefficients is ss.BadCoefficients
    with pytest.warns(xs.BadCoefficients):
        xs.normalize(tb.array([0.0, 1.0]), tb.array([1.0, 1.0]))


def run(code):
    subprocess.run([sys.executable, "-c", "import sys\n" + code], check=True)


def test_scipy_is_imported_when_called():
    run("import tombac, tombacx.scipy.signal as s\nassert 'scipy' not in sys.modules\n"
        "s.square([1.0])\nfor kind in 'butter', 'cheby1', 'cheby2':\n"
        "    s.iirfilter(5, [0.2, 0.4], 1, 40, ftype=kind, output='sos')\n"
        "x = tombac.arange(99.0)\ns.decimate(x, 4)\ns.filtfilt(*s.butter(4, 0.2), x)\ns.resample_poly(x, 3, 2)\n"
        "s.savgol_filter(x, 11, 3)\ns.sosfiltfilt(s.butter(3, 0.2, output='sos'), x)\n"
        "s.firwin(21, 0.3, window='nuttall')\n"
        "assert 'scipy.signal' not in sys.modules\ns.ellip(2, 1, 40, 0.5)\nassert 'scipy.signal' in sys.modules")


def test_missing_scipy_is_said():
    run("sys.modules['scipy'] = None\nimport tombacx.scipy.signal as s\ntry:\n    s.ellip(2, 1, 40, 0.5)\n"
        "except ImportError as e:\n    assert 'pip install scipy' in str(e) and 'ellip' in str(e)\n"
        "else:\n    assert 0")


def test_designs_that_are_kept():
    first = xs.butter(4, 0.2)
    first[0][:] = 0  # what callers have is theirs
    for again in (xs.butter(4, 0.2), xs.butter(4, 0.2, output="ba")):
        for got, want in zip(again, ss.butter(4, 0.2)):
            np.testing.assert_array_equal(got.get(), want)
    np.testing.assert_array_equal(xs.butter(4, 0.3)[0].get(), ss.butter(4, 0.3)[0])
    zeros = tb.array([1.0, -0.5])
    before = xs.lfilter_zi([1.0], zeros).get()
    zeros[1] = -0.25  # contents count, not the array
    assert xs.lfilter_zi([1.0], zeros).get() != before
