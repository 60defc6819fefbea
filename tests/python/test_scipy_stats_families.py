"""The further families of tombacx.scipy.stats' distributions against SciPy's."""

import doctest
import math

import numpy as np
import pytest
import scipy.integrate as integrate
import scipy.stats as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx.scipy.stats as xs

pytestmark = pytest.mark.filterwarnings("ignore")

PARAMETERS = {  # name: parameters, the last of which are not allowed
    "alpha": [(0.5,), (3.0,), (-1.0,)], "anglit": [()], "arcsine": [()], "argus": [(0.5,), (2.0,), (-1.0,)],
    "betaprime": [(1.5, 6.0), (5.0, 5.5), (2.0, 0.5), (-1.0, 1.0)], "bradford": [(0.3,), (4.0,), (-0.5,)],
    "burr": [(10.5, 4.3), (5.0, 0.5), (1.5, 1.0), (-1.0, 1.0)], "burr12": [(10.0, 4.0), (2.5, 3.0), (1.0, -1.0)],
    "chi": [(1.0,), (3.5,), (78.0,), (0.0,)], "cosine": [()], "crystalball": [(2.0, 3.0), (1.0, 6.0), (1.0, 1.0)],
    "dgamma": [(1.1,), (3.0,), (-1.0,)], "dweibull": [(2.0,), (0.8,), (-1.0,)], "erlang": [(3,), (-1,)],
    "exponnorm": [(1.5,), (0.3,), (-1.0,)], "exponpow": [(2.7,), (0.7,), (0.0,)],
    "exponweib": [(2.9, 1.9), (0.7, 1.0), (0.0, 1.0)], "fatiguelife": [(29.0,), (0.5,), (-1.0,)],
    "fisk": [(4.5,), (1.5,), (0.0,)], "foldcauchy": [(4.7,), (0.0,), (-1.0,)], "foldnorm": [(1.95,), (0.0,), (-1.0,)],
    "genexpon": [(9.1, 16.2, 3.28), (1.0, 2.0, 0.5), (0.0, 1.0, 1.0)],
    "genextreme": [(-0.1,), (0.0,), (0.3,), (-0.6,), (1.5,), (np.inf,)],
    "gengamma": [(4.4, 3.1), (3.0, -2.5), (1.0, 0.7), (1.0, 0.0)], "genhalflogistic": [(0.77,), (0.2,), (-1.0,)],
    "genlogistic": [(0.4,), (3.0,), (0.0,)], "gennorm": [(1.3,), (2.0,), (0.6,), (0.0,)],
    "genpareto": [(0.1,), (0.0,), (-0.4,), (0.6,), (np.inf,)], "gibrat": [()], "gompertz": [(0.95,), (3.0,), (-1.0,)],
    "halfcauchy": [()], "halfgennorm": [(0.7,), (2.0,), (0.0,)], "halflogistic": [()], "hypsecant": [()],
    "invgamma": [(4.1,), (0.7,), (20.0,), (0.0,)], "invgauss": [(0.145,), (2.0,), (0.0,)],
    "invweibull": [(10.6,), (4.5,), (0.0,)], "jf_skew_t": [(8.0, 4.0), (3.0, 12.0), (0.0, 1.0)],
    "johnsonsb": [(4.3, 3.2), (-1.0, 0.7), (0.0, -1.0)], "johnsonsu": [(2.55, 2.25), (0.0, 1.5), (0.0, -1.0)],
    "laplace_asymmetric": [(2.0,), (0.7,), (0.0,)], "levy": [()], "levy_l": [()], "loggamma": [(0.4,), (3.0,), (0.0,)],
    "loglaplace": [(3.25,), (5.0,), (0.0,)], "lomax": [(1.88,), (5.0,), (0.0,)],
    "loguniform": [(0.01, 1.25), (2.0, 3.0), (2.0, 1.0)], "maxwell": [()],
    "mielke": [(10.4, 4.6), (0.7, 1.5), (0.0, 1.0)], "moyal": [()], "nakagami": [(4.97,), (0.6,), (0.0,)],
    "pearson3": [(0.1,), (0.0,), (-2.0,), (np.inf,)], "powerlaw": [(1.66,), (0.5,), (0.0,)],
    "powerlognorm": [(2.14, 0.446), (0.7, 1.0), (0.0, 1.0)], "powernorm": [(4.45,), (0.5,), (0.0,)],
    "rdist": [(1.6,), (4.0,), (0.0,)], "recipinvgauss": [(0.63,), (2.0,), (0.0,)], "semicircular": [()],
    "skewcauchy": [(0.5,), (-0.3,), (1.0,)], "trapezoid": [(0.2, 0.8), (0.3, 0.3), (0.8, 0.2)],
    "triang": [(0.15,), (0.6,), (1.5,)], "truncexpon": [(4.69,), (0.5,), (-1.0,)],
    "truncnorm": [(-1.0, 2.0), (3.0, 5.0), (-9.0, -4.0), (-np.inf, 0.5), (2.0, 1.0)],
    "truncpareto": [(1.8, 5.3), (2.0, 2.0), (1.0, 0.5)], "truncweibull_min": [(2.5, 0.25, 1.75), (1.0, 0.0, 3.0),
                                                                            (1.0, 2.0, 1.0)],
    "dpareto_lognorm": [(3.0, 1.2, 1.5, 2.0), (0.0, 0.5, 5.0, 6.0), (0.0, 0.0, 1.0, 1.0)],
    "genhyperbolic": [(0.5, 1.5, -0.5), (-2.0, 1.5, 0.5), (1.0, 1.0, 2.0)],
    "geninvgauss": [(2.3, 1.5), (10.0, 50.0), (1.0, 0.0)], "kappa3": [(1.0,), (2.5,), (0.0,)],
    "kappa4": [(0.1, 0.2), (0.0, 0.0), (0.0, 0.1), (1.0, -0.2), (-0.3, -0.1)], "kstwobign": [()],
    "ncf": [(27.0, 27.0, 0.4), (3.0, 12.0, 2.0), (0.0, 1.0, 1.0)],
    "nct": [(14.0, 0.24), (6.0, 5.0), (3.0, -2.0), (0.0, 1.0)],
    "ncx2": [(21.0, 1.06), (0.5, 100.0), (3.0, 0.0), (0.0, 1.0)],
    "norminvgauss": [(1.25, 0.5), (4.0, -3.0), (1.0, 2.0)], "rel_breitwigner": [(36.5,), (0.5,), (0.0,)],
    "rice": [(0.5,), (8.0,), (0.0,), (-1.0,)], "skewnorm": [(4.0,), (-0.5,), (np.inf,)],
    "tukeylambda": [(3.13,), (0.0,), (-0.2,), (np.inf,)], "vonmises": [(3.99,), (0.1,), (-1.0,)],
    "vonmises_line": [(3.99,), (0.1,), (-1.0,)], "wald": [()], "weibull_max": [(2.87,), (0.8,), (0.0,)],
    "wrapcauchy": [(0.03,), (0.7,), (1.0,)],
}
DISCRETE = {
    "betabinom": [(5, 2.3, 0.63), (0, 1.0, 1.0), (40, 3.0, 5.0), (-1, 1.0, 1.0)],
    "boltzmann": [(1.4, 19), (0.1, 3), (0.0, 3)], "dlaplace": [(0.8,), (3.0,), (0.0,)],
    "hypergeom": [(30, 12, 6), (21, 3, 12), (5, 5, 2), (400, 100, 60), (5, 6, 2)],
    "logser": [(0.6,), (0.99,), (1.0,)],
    "nchypergeom_fisher": [(140, 80, 60, 0.5), (20, 6, 4, 3.0), (5, 6, 2, 1.0)],
    "skellam": [(15.0, 8.0), (0.5, 3.0), (0.0, 1.0)], "zipfian": [(1.25, 10), (0.0, 5), (3.0, 50), (1.0, 0)],
    "nhypergeom": [(20, 6, 4), (3, 1, 1), (30, 12, 0), (5, 6, 2)], "planck": [(0.51,), (3.0,), (0.0,)],
    "yulesimon": [(11.0,), (2.5,), (0.0,)], "zipf": [(6.6,), (2.5,), (1.0,)],
}
CASES = [(name, p) for table in (PARAMETERS, DISCRETE) for name, rows in table.items() for p in rows]
SLOW = ("genhyperbolic", "norminvgauss")  # SciPy's integrals
INTEGRALS = 1e-6  # how exact moments are that are integrals or differences
Q = np.array([0.0, 1e-3, 0.1, 0.25, 0.4, 0.5, 0.6, 0.9, 0.999, 1.0, -0.1, 1.1, np.nan])


def close(got, want, rtol=1e-8, atol=1e-12):
    want = np.asarray(want)
    assert type(got) is tb.ndarray and got.shape == want.shape and got.dtype == np.float64
    np.testing.assert_allclose(got.get(), want.astype("d"), rtol, atol)


def scipys(name, f, x, *parameters, **moved):
    """What SciPy's function gives; of one number after the other where it takes the first for all."""
    of = getattr(getattr(ss, name), f)
    if name == "norminvgauss" and f in ("sf", "logsf", "isf"):
        return np.array([of(v, *parameters, **moved) for v in x])
    return of(x, *parameters, **moved)


def points(name, parameters):
    """Places from all parts of the distribution, and some that are nowhere."""
    if name in DISCRETE:
        between = [] if name == "hypergeom" else [0.5]  # of which SciPy says NaN
        return np.r_[-40.0, -2:13, between, 30, 400, np.nan]
    inner = getattr(ss, name).ppf(np.linspace(0.003, 0.997, 31 if name not in SLOW else 7), *parameters)
    if name in SLOW or name == "vonmises":  # SciPy's integrals miss what is far from all points; of angles see below
        return np.r_[inner, -1.5, np.nan]
    return np.r_[inner[np.isfinite(inner)], -40.0, -1.5, 40.0, np.nan, -np.inf, np.inf]


@pytest.mark.parametrize("name, parameters", CASES)
@pytest.mark.parametrize("moved", [{}, {"loc": 1, "scale": 2.5}])
def test_functions_of_points(name, parameters, moved):
    moved = {"loc": 2} if name in DISCRETE and moved else moved
    ours, theirs, x = getattr(xs, name), getattr(ss, name), points(name, parameters)
    density = "pmf" if name in DISCRETE else "pdf"
    x = x * moved.get("scale", 1.0) + moved.get("loc", 0)
    cdf = theirs.cdf(x, *parameters, **moved)
    for f in (density, "cdf", "sf", "log" + density, "logcdf", "logsf"):
        want = scipys(name, f, x, *parameters, **moved)
        got = getattr(ours, f)(tb.array(x), *parameters, **moved)
        if f[:3] == "log":  # SciPy's are mostly logarithms of what cannot be small
            few = (cdf > 1e-5) & (cdf < 1 - 1e-5)
            assert np.array_equal(np.isnan(got.get()), np.isnan(cdf))
            got, want = got[tb.array(few)], want[few]
            close(got, want, 1e-7, 1e-9)
        elif f == density:  # whose values at infinity are SciPy's own
            fine = np.isfinite(want)
            close(got[tb.array(fine)], want[fine], 1e-7)
        else:
            close(got, want, 1e-8, 1e-11)


@pytest.mark.parametrize("name, parameters", [(name, p) for name in PARAMETERS for p in PARAMETERS[name]])
def test_ends_of_the_support(name, parameters):
    ours, theirs = getattr(xs, name), getattr(ss, name)
    ends = np.array(theirs.support(*parameters), "d")
    ends = ends[np.isfinite(ends)]
    got, want = ours.pdf(tb.array(ends), *parameters), theirs.pdf(ends, *parameters)
    known = ~np.isnan(want)
    if name in ("powerlaw", "tukeylambda", "ncx2", "genextreme"):  # SciPy's is 0 also where its limit is not
        known &= want != 0
    close(got[tb.array(known)], want[known], 1e-7)
    next_to = np.nextafter(ends, 1)[ends == 0]
    for f in ("pdf", "cdf", "sf", "logcdf", "logsf"):
        got = getattr(ours, f)(tb.array(next_to), *parameters).get()
        assert not np.isnan(got).any() or name == "recipinvgauss", f


@pytest.mark.parametrize("name, parameters", [
    ("genextreme", (1.0,)), ("genextreme", (0.5,)), ("genextreme", (-1.0,)), ("genhalflogistic", (1.0,)),
    ("genhalflogistic", (0.5,)), ("genpareto", (-1.0,)), ("genpareto", (-0.5,)), ("rdist", (2.0,)), ("rdist", (3.0,)),
    ("kappa4", (1.0, 0.5)), ("kappa4", (1.0, 1.0)), ("kappa4", (0.5, 1.0)), ("lognorm", (0.5,)), ("gibrat", ()),
    ("gengamma", (2.0, -1.0)), ("gengamma", (1.0, 1.0))])
def test_densities_of_some_shapes_at_ends(name, parameters):
    theirs = getattr(ss, name)
    ends = np.array(theirs.support(*parameters), "d")
    ends = ends[np.isfinite(ends)]
    close(getattr(xs, name).pdf(tb.array(ends), *parameters), theirs.pdf(ends, *parameters), 1e-7)


def test_logarithms_of_tails():
    x = np.array([1e-300, 1e-3, 1.0, 50.0, 1e5])
    for name, parameters in (("invgauss", (0.3,)), ("wald", ()), ("lognorm", (0.7,))):
        for f in ("logcdf", "logsf"):
            close(getattr(getattr(xs, name), f)(tb.array(x), *parameters),
                  getattr(getattr(ss, name), f)(x, *parameters), 1e-7)
    assert xs.powerlaw.logcdf(1e-300, 2.0).item() == pytest.approx(600 * np.log(0.1))
    assert xs.geom.logsf(100_000, 0.5).item() == pytest.approx(100_000 * np.log(0.5))
    b, c = np.array([-2.0, -0.5, 0.0, 3.0]), 5.0
    inner = np.array([[1.0], [2.0], [5.0]])
    for f in ("pdf", "cdf", "sf"):
        want = getattr(ss.truncpareto, f)(inner, b, c)
        close(getattr(xs.truncpareto, f)(tb.array(inner), tb.array(b), c), want)
    close(xs.truncpareto.ppf(tb.array([[0.0], [0.3], [1.0]]), tb.array(b), c),
          ss.truncpareto.ppf(np.array([[0.0], [0.3], [1.0]]), b, c))


@pytest.mark.parametrize("name, parameters", CASES)
def test_quantiles(name, parameters):
    ours = getattr(xs, name)
    q = Q + np.where((Q > 0) & (Q < 1), 1e-9, 0) if name in DISCRETE else Q
    for f in ("ppf", "isf"):
        want = scipys(name, f, q, *parameters, loc=1.0)
        close(getattr(ours, f)(tb.array(q), *parameters, loc=1.0), want, 1e-7, 1e-8)


@pytest.mark.parametrize("name, parameters", [(name, p) for name in PARAMETERS for p in PARAMETERS[name]])
def test_quantiles_are_inverse(name, parameters):
    ours = getattr(xs, name)
    q = tb.array([1e-9, 1e-4, 0.2, 0.7, 0.99])
    if np.isnan(ours.mean(*parameters).item()) and np.isnan(ours.cdf(0.0, *parameters).item()):
        assert np.isnan(ours.ppf(q, *parameters).get()).all()
        return
    np.testing.assert_allclose(ours.cdf(ours.ppf(q, *parameters), *parameters).get(), q.get(), 1e-6, 1e-15)
    np.testing.assert_allclose(ours.sf(ours.isf(q, *parameters), *parameters).get(), q.get(), 1e-6, 1e-9)


@pytest.mark.parametrize("name, parameters", [case for case in CASES if case[0] != "vonmises"])  # see below
def test_numbers(name, parameters):
    ours, theirs = getattr(xs, name), getattr(ss, name)
    wanted = np.broadcast_arrays(*theirs.stats(*parameters, moments="mvsk"))  # at once, for they are integrals
    for m, want in zip("mvsk", np.asarray(wanted, "d"), strict=True):
        got = ours.stats(*parameters, moments=m)
        if np.isfinite(want):  # what is not finite is NaN or infinite by SciPy's choice
            close(got, want, INTEGRALS, INTEGRALS)
    close(ours.median(*parameters, loc=3), theirs.median(*parameters, loc=3), 1e-7, 1e-8)
    for got, want in zip(ours.support(*parameters), theirs.support(*parameters), strict=True):
        close(got, want)


@pytest.mark.parametrize("name, parameters", [(name, rows[0]) for name, rows in (PARAMETERS | DISCRETE).items()])
def test_random_numbers(name, parameters):
    drawn = getattr(xs, name).rvs(*parameters, size=3000, random_state=5).get()
    if name in DISCRETE:
        assert drawn.dtype == np.int64
        p = getattr(ss, name).cdf(drawn, *parameters)
        below = getattr(ss, name).cdf(drawn - 1, *parameters)
        drawn = below + (p - below) * np.random.default_rng(0).random(3000)
        assert ss.kstest(drawn, "uniform").pvalue > 1e-4
    else:
        assert ss.kstest(drawn, getattr(ss, name)(*parameters).cdf).pvalue > 1e-4


@pytest.mark.parametrize("name", [*PARAMETERS, *DISCRETE])
def test_example(name):
    import tombacx

    test = doctest.DocTestParser().get_doctest(getattr(xs, name).__doc__, {"tombacx": tombacx}, name, None, 0)
    said = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert test.examples and not said, said


@pytest.mark.parametrize("kappa", [0.0, 0.1, 4.0, 60.0, 3000.0])
def test_angles(kappa):
    x = np.r_[np.linspace(-np.pi, np.pi, 9)[1:-1] / max(1.0, kappa**0.5), 0.01]
    want = [integrate.quad(ss.vonmises.pdf, 0, v, kappa, epsabs=1e-13)[0] + 0.5 for v in x]
    for row in (xs.vonmises, xs.vonmises_line):
        np.testing.assert_allclose(row.cdf(tb.array(x), kappa).get(), want, 1e-10)
        np.testing.assert_allclose(row.pdf(tb.array(x), kappa).get(), ss.vonmises.pdf(x, kappa), 1e-12)
        np.testing.assert_allclose(row.cdf(row.ppf(tb.array([1e-5, 0.3]), kappa), kappa).get(), [1e-5, 0.3], 1e-8)
    turned = np.array([4.0, -4, 10, -33])
    if kappa < 50:
        close(xs.vonmises.cdf(tb.array(turned), kappa), ss.vonmises.cdf(turned, kappa))
    close(xs.vonmises.pdf(tb.array(turned), kappa), ss.vonmises.pdf(turned, kappa))
    assert xs.vonmises_line.cdf(tb.array(turned), kappa).get().tolist() == [1, 0, 1, 0]
    for number in ("mean", "var", "entropy", "median"):
        close(getattr(xs.vonmises, number)(kappa, loc=1), getattr(xs.vonmises_line, number)(kappa, loc=1).get())


def test_what_is_far_from_the_middle():
    x = np.array([1e-3, 1.0, 1e3, 1e4, 1e30, 1e300])
    for nc in (0.0, 1.0, 1e3):
        got = xs.ncx2.logsf(tb.array(x), 3.0, nc).get()
        want = ss.ncx2.logsf(x, 3.0, nc)
        fine = want > -200
        np.testing.assert_allclose(got[fine], want[fine], 1e-6, 1e-12)
        assert (got[~fine] < -199).all() and (xs.ncx2.pdf(tb.array(x), 3.0, nc)[tb.array(~fine)] < 1e-80).all()
    np.testing.assert_allclose(xs.nct.sf(tb.array([1e3, 1e8]), 5.0, 2.0).get(), ss.nct.sf([1e3, 1e8], 5.0, 2.0), 1e-8)
    np.testing.assert_allclose(xs.skellam.sf(tb.array([100, 300]), 5.0, 2.0).get(), [
        sum(ss.poisson.pmf(j, 2.0) * ss.poisson.sf(k + j, 5.0) for j in range(80)) for k in (100, 300)], 1e-9)
    for row, shapes in ((xs.ncx2, (1.0, 1e12)), (xs.nct, (1.0, 1e6)), (xs.ncf, (1.0, 1.0, 1e12))):  # sums take for ever
        assert np.isnan(row.sf(tb.array([1.0]), *shapes).item()) and np.isnan(row.ppf(tb.array([0.5]), *shapes).item())


@given(st.integers(0, 2**32 - 1))
def test_noncentral_tails_and_quantiles(seed):
    """Both tails, their inverses, and densities."""
    rng = np.random.default_rng(seed)
    df, nc, q = 10 ** rng.uniform(-0.5, 2, 9), 10 ** rng.uniform(-3, 2, 9), rng.uniform(0.001, 0.999, 9)
    for row, theirs, shapes in ((xs.ncx2, ss.ncx2, (df, nc)), (xs.nct, ss.nct, (df, nc / 10 * rng.choice([-1, 1], 9))),
                                (xs.rice, ss.rice, (nc / 10,)), (xs.ncf, ss.ncf, (df, df[::-1] + 3, nc))):
        ours = [tb.array(v) for v in shapes]
        x = row.ppf(tb.array(q), *ours)
        close(x, theirs.ppf(q, *shapes), 1e-8)
        np.testing.assert_allclose(row.cdf(x, *ours).get(), q, 1e-11)
        np.testing.assert_allclose(row.sf(x, *ours).get(), 1 - q, 1e-11)
        np.testing.assert_allclose(row.sf(row.isf(tb.array(q), *ours), *ours).get(), q, 1e-11)
        close(row.pdf(x, *ours), theirs.pdf(x.get(), *shapes), 1e-9)


def test_noncentral_distributions_far_out():
    """By mpmath with 60 digits."""
    x = tb.array([1e-3, 0.5, 200.0, 900.0])
    np.testing.assert_allclose(xs.ncx2.cdf(x[:2], 9.0, 40.0).get(), [5.5110005595267639e-26, 1.4658725834668682e-13],
                               1e-12)
    np.testing.assert_allclose(xs.ncx2.sf(x[2:], 9.0, 40.0).get(), [6.5225036308188102e-14, 1.5924792202208123e-121],
                               1e-12)
    for k in (0.0, 1e-300, 1e-30, 1.0, 1e30, 1e300):
        for df in (1e-12, 0.5, 3.0, 1e8, 1e160, 1e300):
            for nc in (0.0, 1e-300, 1e-8, 30.0, 1e6):
                both = xs.ncx2.cdf(k, df, nc) + xs.ncx2.sf(k, df, nc)
                assert abs(both - 1) < 1e-11, (k, df, nc)
    with pytest.raises(ValueError, match="too many"):
        xs.zipfian.cdf(tb.array([1.0]), 1.0, 1e9)


def test_noncentral_f_far_out():
    """By mpmath with 250 digits: below, above, and the density."""
    for x, m, n, nc, *want in (
            (0.125, 3.0, 0.5, 2.0, 0.034351705911474652, 0.96564829408852535, 0.33638705185508745),
            (0.5, 9.0, 40.0, 40.0, 1.9417974776804377e-7, 0.99999980582025223, 2.8419567593784752e-6),
            (40.0, 9.0, 40.0, 40.0, 0.99999999079706441, 9.2029355905548266e-9, 3.4376132147958704e-9),
            (0.001, 20.0, 30.0, 5.0, 2.7602689047961426e-27, 1.0, 2.7571335927726235e-23),
            (8.0, 100.0, 0.25, 900.0, 0.17224300572445921, 0.82775699427554079, 0.0112500447637373)):
        got = [getattr(xs.ncf, f)(x, m, n, nc).item() for f in ("cdf", "sf", "pdf")]
        np.testing.assert_allclose(got, want, 1e-12)
        assert xs.ncf.ppf(want[0], m, n, nc).item() == pytest.approx(x, rel=1e-12) or want[0] > 0.9
        assert xs.ncf.isf(want[1], m, n, nc).item() == pytest.approx(x, rel=1e-12) or want[1] > 0.9
    for x in (0.0, 1e-300, 1e-3, 1.0, 1e30, 1e300):
        for m, n in ((1e-12, 1e-12), (0.5, 1e160), (1e160, 0.5), (1e300, 1e300), (3.0, 1e4), (1e8, 3.0)):
            for nc in (0.0, 1e-300, 30.0, 1e6):
                assert abs(xs.ncf.cdf(x, m, n, nc) + xs.ncf.sf(x, m, n, nc) - 1) < 1e-11, (x, m, n, nc)
    x = tb.array([0.0, 1.0, np.inf, np.nan, -1.0])
    for m, n, nc in ((2.0, 5.0, 1.5), (1.0, 5.0, 0.5), (0.0, 5.0, 1.0), (4.0, -1.0, 1.0), (4.0, 3.0, -1.0)):
        for f in ("cdf", "sf", "ppf", "isf"):
            close(getattr(xs.ncf, f)(x, m, n, nc), scipys("ncf", f, x.get(), m, n, nc), 1e-9)
    close(xs.ncf.pdf(x, 2.0, 5.0, 1.5), [np.exp(-0.75), ss.ncf.pdf(1.0, 2.0, 5.0, 1.5), 0, np.nan, 0])


def test_densities_of_large_parameters():
    """By mpmath."""
    for name, x, shapes, want in (
            ("beta", 0.0474, (1e5, 2e6), 894.86589081691043), ("f", 0.93, (5000.0, 3000.0), 1.0963821025438529),
            ("binom", 201000, (1e6, 0.2), 4.3909660985938817e-5),
            ("nbinom", 1800000, (2e5, 0.1), 9.4031557642804066e-5),
            ("hypergeom", 610, (1e6, 3e5, 2000), 0.017217946509668324),
            ("skellam", -87, (0.125, 137.5), 1.0555198446927305e-6),
            ("skellam", 900, (5000.0, 4000.0), 0.0024136712696257956),
            ("betabinom", 741, (5000, 300.0, 1700.0), 0.0083612857139034825),
            ("nhypergeom", 34000, (374501, 102743, 90000), 0.002229152908284255),
            ("hypergeom", 20, (60, 30, 40), 0.21534742643722271)):
        row = getattr(xs, name)
        got = (row.pmf if hasattr(row, "pmf") else row.pdf)(x, *shapes)
        assert got.item() == pytest.approx(want, rel=1e-12)


def test_tails_beside_the_ends():
    """By mpmath: what 1 - x would lose."""
    for got, want in (
            (xs.beta.sf(2.0**-56, 0.1, 0.2), 0.98587794610470457), (xs.f.sf(2.0**-56, 0.25, 0.5), 0.99502633864918064),
            (xs.f.sf(2.0**60, 0.25, 0.5), 1.2597735881213892e-5),
            (xs.betaprime.sf(2.0**60, 0.25, 0.5), 3.5518769337880108e-10),
            (xs.betaprime.cdf(2.0**-56, 0.25, 0.5), 4.6555161346546215e-5)):
        assert got.item() == pytest.approx(want, rel=1e-13)
    q = tb.array([1e-12, 1e-3, 0.5, 0.999, 0.99999])
    for name, shapes in (("beta", (0.1, 0.2)), ("f", (0.25, 0.5)), ("f", (2.0, 0.5)), ("f", (0.3, 2.0)),
                         ("betaprime", (0.25, 0.5)), ("jf_skew_t", (0.5, 1.0)), ("jf_skew_t", (8.0, 4.0))):
        row = getattr(xs, name)
        few = q[2:] if name == "beta" else q
        np.testing.assert_allclose(row.sf(row.isf(few, *shapes), *shapes).get(), few.get(), 1e-12)
        few = q[:3] if name == "beta" else q[:4]
        np.testing.assert_allclose(row.cdf(row.ppf(few, *shapes), *shapes).get(), few.get(), 1e-12)


@pytest.mark.parametrize("name, shapes", [
    ("binom", (7, 0.3)), ("binom", (100_000, 0.999)), ("binom", (40, 0.0)), ("binom", (40, 1.0)), ("binom", (0, 0.5)),
    ("nbinom", (0.3, 0.01)), ("nbinom", (900.0, 0.7)), ("nbinom", (3, 1.0)), ("poisson", (0.0,)), ("poisson", (0.4,)),
    ("poisson", (1e6,)), ("hypergeom", (30, 9, 12)), ("hypergeom", (30, 25, 20)), ("hypergeom", (9, 0, 4)),
    ("hypergeom", (9, 9, 9)), ("hypergeom", (40_000, 9000, 20_000))])
def test_quantiles_of_counts_are_the_least(name, shapes):
    row, rng = getattr(xs, name), np.random.default_rng(len(shapes))
    little = 10.0 ** rng.uniform(-14, -2, 99)
    q = tb.array(np.concatenate([rng.random(300), little, 1 - little]))
    k = row.ppf(q, *shapes)
    low = row.support(*shapes)[0]
    assert ((row.cdf(k, *shapes) >= q) & ((k == low) | (row.cdf(k - 1, *shapes) < q))).all()
    k = row.isf(q, *shapes)
    assert ((row.sf(k, *shapes) <= q) & ((k == low) | (row.sf(k - 1, *shapes) > q))).all()


def test_drawing_without_putting_back():
    rng = np.random.default_rng(8)
    m = rng.integers(1, 400, 500)
    n, d = (np.floor(rng.random(500) * (m + 1)).astype("l") for _ in range(2))
    k = rng.integers(-1, 60, 500)
    given = [tb.array(v) for v in (k, m, n, d)]
    for f in ("pmf", "cdf", "sf"):
        close(getattr(xs.hypergeom, f)(*given), getattr(ss.hypergeom, f)(k, m, n, d), 1e-10, 1e-15)
    odds = 10.0 ** rng.uniform(-2, 2, 500)
    close(xs.nchypergeom_fisher.pmf(*given, tb.array(odds)), ss.nchypergeom_fisher.pmf(k, m, n, d, odds), 1e-8, 1e-13)


@pytest.mark.parametrize("name, shapes", [
    ("arcsine", ()), ("laplace_asymmetric", (2.0,)), ("laplace_asymmetric", (0.3,)), ("skewcauchy", (0.5,)),
    ("trapezoid", (0.2, 0.8)), ("trapezoid", (0.0, 1.0)), ("trapezoid", (0.3, 0.3)), ("triang", (0.158,)),
    ("triang", (1.0,))])
def test_entropies_of_densities_with_corners(name, shapes):
    for scale in (1.0, 2.5):
        got = getattr(xs, name).entropy(*shapes, loc=1.0, scale=scale)
        assert float(got) == pytest.approx(float(getattr(ss, name).entropy(*shapes, loc=1.0, scale=scale)), abs=1e-9)


@pytest.mark.parametrize("a", [0.5, 2.0, 5.0, 20.0, 1e3])
def test_the_thin_tail_of_skewnorm(a):
    """The differences of functions that are nearly one have no digits there."""
    x = np.array([-0.02, -0.3, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0, -10.0])

    def tail(v):
        reach = np.geomspace(1e-3, 1.0, 8) * 40 / (-v * (1 + a * a) + (1 + a * a) ** 0.5)
        ends = np.r_[v, v - reach]
        return sum(integrate.quad(ss.skewnorm.pdf, low, high, a, epsabs=0, epsrel=1e-12)[0]
                   for high, low in zip(ends, ends[1:]))

    want = np.array([tail(v) for v in x])
    np.testing.assert_allclose(xs.skewnorm.cdf(tb.array(x), a).get(), want, 1e-8, 1e-300)
    np.testing.assert_allclose(xs.skewnorm.sf(tb.array(-x), -a).get(), want, 1e-8, 1e-300)
    ends = np.array([-np.inf, -1e200, np.inf, np.nan])
    np.testing.assert_array_equal(xs.skewnorm.cdf(tb.array(ends), a).get(), [0, 0, 1, np.nan])
    p = np.array([1e-12, 1e-40, 1e-200])
    np.testing.assert_allclose(xs.skewnorm.cdf(xs.skewnorm.ppf(tb.array(p), a), a).get(), p, 1e-6)


@pytest.mark.parametrize("name, shapes, least, noise", [
    ("dpareto_lognorm", (3.0, 1.2, 1.5, 2.0), 1e-300, 0), ("exponnorm", (1.5,), 1e-14, 1e-16),
    ("genexpon", (9.1, 16.2, 3.28), 1e-300, 0), ("genexpon", (1e-20, 1e-20, 1e-20), 1e-280, 0),
    ("kstwobign", (), 1e-300, 0), ("foldcauchy", (0.5,), 1e-12, 1e-16), ("geninvgauss", (2.3, 1.5), 1e-300, 0),
    ("genhyperbolic", (0.5, 1.5, -0.5), 1e-300, 0), ("invgauss", (2e-6,), 1e-300, 0), ("invgauss", (2e6,), 1e-300, 0),
    ("skewnorm", (-4.0,), 1e-300, 0), ("vonmises_line", (1e4,), 1e-100, 0), ("argus", (2.0,), 1e-6, 1e-16),
    ("rel_breitwigner", (36.5,), 1e-12, 0), ("foldnorm", (1.95,), 1e-12, 1e-16), ("wald", (), 1e-300, 0)])
def test_quantiles_that_are_searched_for(name, shapes, least, noise):
    q = np.r_[np.geomspace(least, 1e-3, 40), np.linspace(0.01, 0.99, 60), 1 - np.geomspace(1e-12, 1e-3, 40)]
    row, high = getattr(xs, name), tb.array(q[q > 1e-6])
    x = row.ppf(tb.array(q), *shapes)
    np.testing.assert_allclose(row.cdf(x, *shapes).get(), q, 1e-9, noise)  # of sums of which little may be left
    np.testing.assert_allclose(row.sf(row.isf(high, *shapes), *shapes).get(), high.get(), 1e-9, 1e-14)
    both = row.ppf(tb.array(np.c_[q, q[::-1]]), *shapes).get()  # where some searches end later than others
    assert np.array_equal(both, np.c_[x.get(), x.get()[::-1]])
    assert np.isnan(row.ppf(high, *[np.nan] * len(shapes)).get()).all() or not shapes


@pytest.mark.parametrize("name, shapes", [
    ("crystalball", (2.0, 3.0)), ("crystalball", (0.5, 1.5)), ("skewcauchy", (0.5,)), ("skewcauchy", (-0.7,))])
def test_quantiles_far_above(name, shapes):
    """Less than 1 differs from by 1e-16."""
    q = np.array([0.999, 0.6, 0.3, 1e-3, 1e-12, 1e-17, 1e-60, 1e-200])
    row = getattr(xs, name)
    np.testing.assert_allclose(row.sf(row.isf(tb.array(q), *shapes), *shapes).get(), q, 1e-9)
    np.testing.assert_allclose(row.isf(tb.array(q[:4]), *shapes).get(), getattr(ss, name).isf(q[:4], *shapes), 1e-6)


# The shapes p, a and b, points, and the logarithm of cdf by mpmath.
TAILS = [
    ((0.5, 1.5, -0.5), [-60.0, -100.0, -200.0, -500.5],
     [np.log(2.0956201131e-27), np.log(6.9562988e-45), np.log(1.8419217159e-88), -502.97135]),
    ((-0.5, 1.2, 0.5), [-500.5], [np.log(2.0617229119e-300) - 74 * np.log(10)]),
    ((3.0, 20.0, -10.0), [-100.0], [np.log(1.2948027046e-300) - 124 * np.log(10)]),
]


@pytest.mark.parametrize("shapes, x, want", TAILS)
def test_tails_of_hyperbolic_distributions(shapes, x, want):
    p, a, b = shapes
    families = [(xs.genhyperbolic, shapes, (p, a, -b))]
    if p == -0.5:
        families.append((xs.norminvgauss, (a, b), (a, -b)))
    x = np.array(x)
    for family, below, above in families:
        np.testing.assert_allclose(family.logcdf(tb.array(x), *below).get(), want, 2e-8)
        np.testing.assert_allclose(family.logsf(tb.array(-x), *above).get(), want, 2e-8)
        np.testing.assert_allclose(family.cdf(tb.array(x), *below).get(), np.exp(want), 1e-5)
        np.testing.assert_allclose(family.sf(tb.array(-x), *above).get(), np.exp(want), 1e-5)


def test_hyperbolic_distributions_at_huge_points():
    x = tb.array([-1e300, 1e300, -np.inf, np.inf, np.nan])
    np.testing.assert_array_equal(xs.genhyperbolic.cdf(x, 0.5, 1.5, -0.5).get(), [0, 1, 0, 1, np.nan])


@pytest.mark.parametrize("name, shapes", [("rel_breitwigner", (36.5,)), ("crystalball", (1.5, 2.4)), ("lomax", (2.5,)),
                                          ("dgamma", (1.5,))])
@pytest.mark.parametrize("place", [{}, {"loc": 2.0, "scale": 3.0}])
def test_moments_that_are_infinite(name, shapes, place):
    for order in range(5):
        got, want = (getattr(m, name).moment(order, *shapes, **place) for m in (xs, ss))
        np.testing.assert_allclose(got.get(), want, 1e-9)


def test_the_density_of_geninvgauss_at_0():
    assert xs.geninvgauss.logpdf(tb.array([0.0]), 2.3, 1.5).item() == -np.inf


def test_far_from_the_middle():
    """Where squares and powers on the way overflow or are 0; by mpmath."""
    x = tb.array([1e149, 1e155, 1e200, 1e308, np.inf])
    want = -np.log(np.pi) - 2 * np.log(x.get())
    for sign in (1, -1):
        np.testing.assert_allclose(xs.cauchy.logpdf(sign * x).get(), want, 1e-14)
    np.testing.assert_allclose(xs.halfcauchy.logpdf(x).get(), want + np.log(2), 1e-14)
    np.testing.assert_allclose(xs.skewcauchy.logpdf(x, 0.0).get(), want, 1e-14)
    part = tb.array([1e-300, 1e-100, 1e-20])
    np.testing.assert_allclose(xs.halfnorm.ppf(part).get(), np.sqrt(np.pi / 2) * part.get(), 1e-15)
    np.testing.assert_allclose(xs.genlogistic.ppf(part, 0.25).get(), np.log(part.get()) / 0.25, 1e-14)
    want = (np.log(part.get()) + math.lgamma(1.25)) / 0.25
    np.testing.assert_allclose(xs.loggamma.ppf(part, 0.25).get(), want, 1e-13)
    assert xs.loggamma.ppf(tb.array([-0.5, 0.0, 1.0, 1.5]), 0.25).tolist() == pytest.approx(
        [np.nan, -np.inf, np.inf, np.nan], nan_ok=True)
    for k in (50.0, 1e16, 1e160, 1e300):
        assert abs(xs.skellam.cdf(k, 15, 8) - 1) < 1e-14 and abs(xs.skellam.sf(-k, 15, 8) - 1) < 1e-14
        assert xs.skellam.pmf(k, 15, 8) <= 1e-14 and xs.skellam.sf(k, 15, 8) <= 1e-14


@pytest.mark.parametrize("shape", [-80.0, -3.0, -0.3, -1e-9, 0.0, 1e-9, 0.1, 0.9, 1.0, 1.49, 1.51, 2.5, 10.0, 300.0])
def test_tukeys_distribution_function_undoes_quantiles(shape):
    q = np.r_[np.geomspace(1e-3 if abs(shape) > 3 else 1e-9, 0.1, 40), np.linspace(0.1, 0.9, 41)]
    x = xs.tukeylambda.ppf(tb.array(q), shape)
    np.testing.assert_allclose(xs.tukeylambda.cdf(x, shape).get(), q, 1e-6 if shape > 1 else 1e-11, 1e-13)
    np.testing.assert_allclose(xs.tukeylambda.sf(-x, shape).get(), q, 1e-6 if shape > 1 else 1e-11, 1e-13)


@pytest.mark.parametrize("name", ["cosine", "semicircular"])
def test_quantiles_of_arcs(name):
    q = np.r_[1e-300, 1e-30, 1e-10, np.linspace(1e-3, 0.999, 200), 1 - 1e-10]
    row, theirs = getattr(xs, name), getattr(ss, name)
    np.testing.assert_allclose(row.ppf(tb.array(q)).get(), theirs.ppf(q), 1e-13, 1e-14)
    np.testing.assert_allclose(row.cdf(row.ppf(tb.array(q))).get(), q, 1e-13, 1e-15)
    x = -1 + np.geomspace(1e-12, 0.9, 30)  # near the end below, of which SciPy's loses digits
    if name == "semicircular":
        np.testing.assert_allclose(row.cdf(tb.array(x)).get(), ss.beta.cdf((1 + x) / 2, 1.5, 1.5), 1e-12)


@pytest.mark.parametrize("name, shapes", [
    ("geom", (0.3,)), ("geom", (0.999,)), ("geom", (1e-6,)), ("geom", (1.0,)), ("planck", (0.5,)), ("planck", (1e-8,)),
    ("boltzmann", (0.5, 19)), ("boltzmann", (20.0, 4)), ("boltzmann", (1.0, 1)), ("randint", (2, 15)),
    ("randint", (-2**31, 2**31))])
def test_quantiles_that_are_rounded(name, shapes):
    """The least number that has a probability, where one has just that."""
    row = getattr(xs, name)
    k = row.ppf(tb.array(np.linspace(0.003, 0.997, 99)), *shapes)
    for f, part, side in (("ppf", "cdf", 1), ("isf", "sf", -1)):
        p = getattr(row, part)(k, *shapes).get()
        q = np.r_[p, np.nextafter(p, side), np.nextafter(p, -side)]
        q = q[(q > 1e-12) & (q < 1 - 1e-9)]
        found = getattr(row, f)(tb.array(q), *shapes)
        reached = lambda k: side * (getattr(row, part)(k, *shapes).get() - q) >= 0
        assert reached(found).all()
        assert not (reached(found - 1) & (found.get() > row.support(*shapes)[0].get())).any()


@pytest.mark.parametrize("ends", [(-1, 2), (3, 5), (-np.inf, 0.5), (50, 60), (-60, -50), (-40, 40), (-5, np.inf)])
def test_quantiles_of_truncnorm(ends):
    q = np.r_[1e-100, 1e-10, np.linspace(1e-3, 0.999, 100), 1 - 1e-10]
    row = xs.truncnorm
    np.testing.assert_allclose(row.sf(row.isf(tb.array(q), *ends), *ends).get(), q, 1e-10, 1e-12)
    x = row.ppf(tb.array(q), *ends)
    np.testing.assert_allclose(row.cdf(x, *ends).get(), q, 1e-10, 1e-12)
    np.testing.assert_allclose(x.get(), ss.truncnorm.ppf(q, *ends), 1e-8, 1e-14)


def test_bessel_functions_past_doubles():
    x = np.array([0.5, 2.0, 599.0, 1e5])
    order, z = 300.0, 1e-3
    bessel = math.lgamma(order) - math.log(2) + order * math.log(2 / z)  # the first term of its series
    want = (order - 1) * np.log(x) - z * (x + 1 / x) / 2 - math.log(2) - bessel
    np.testing.assert_allclose(xs.geninvgauss.logpdf(tb.array(x), order, z).get(), want, 1e-8)
    both = xs.geninvgauss.logpdf(tb.array(x), tb.array([[order], [1.5]]), z).get()
    np.testing.assert_allclose(both[0], want, 1e-8)
    np.testing.assert_allclose(both[1], ss.geninvgauss.logpdf(x, 1.5, z), 1e-8)


@pytest.mark.parametrize("p", [1e-5, 0.6, 0.99])
def test_the_tail_of_logser(p):
    k = np.array([1.0, 2.0, 7.0, 20.0, 50.0])
    want = [math.fsum(p**j / j for j in range(int(v) + 1, int(v) + 9000)) / -math.log1p(-p) for v in k]
    np.testing.assert_allclose(xs.logser.sf(tb.array(k), p).get(), want, 1e-12)
