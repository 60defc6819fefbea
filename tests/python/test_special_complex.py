"""Special functions of complex numbers, and what the CPU computes of several points at a time."""

import numpy as np
import pytest
import scipy.special as reference
import tombac as tb
import tombacx.scipy.special as special
from test_special import CASES, COMPLEX, agree, of_scipy

# z, and gamma, loggamma and lambertw there, by mpmath with 40 digits: also where the logarithm turns.
COMPLEX_VALUES = np.array([
    ((3+1j), (0.9628651530237881+1.3390971760532575j), (0.5003693471951665+0.9474054519307212j),
        (1.070835222330208+0.1670228678653034j)),
    ((0.25-0.5j), (0.5155244901350691+1.3073259266318253j), (0.3402504204084198+1.1951830098875904j),
        (0.2898348853303129-0.301698140505918j)),
    ((1.5+6.75j), (8.850003202506367e-05+0.00041211840224046923j), (-7.771658182837444+7.642449995477947j),
        (1.4309773178134533+0.8277195377854158j)),
    ((2.5-6.9j), (-0.0023813479277301768-0.0003259707166981441j), (-6.030806541392295-9.28873847561752j),
        (1.4838684289777735-0.7533865988311658j)),
    ((-2.5+1j), (-0.04173662580789361-0.08636910736976348j), (-2.3441906524655924-8.304127986657926j),
        (0.5176471123859681+1.5187742084656057j)),
    ((-12.25-8.5j), (1.3644924600461922e-19-2.0910432052043876e-19j), (-42.834083506157306+17.856919380985758j),
        (1.7840970852143951-1.7571879325775617j)),
    ((20+8j), (9949943686400910-2.2520326657179464e+16j), (37.74235373880494+23.977976033529124j),
        (2.2515178920797014+0.2638505795339914j)),
    ((7.5+0.01j), (1870.8863858909203+36.426228871042824j), (7.534357105966303+0.019467578226667576j),
        (1.566231413912892+0.0008137642522310078j)),
    ((-0.75+0.125j), (-4.002147929118996+1.3552053125325518j), (1.441107330799438-3.468093185378874j),
        (-0.3884778633213406+1.0518626879709574j)),
    ((0.2+7.5j), (6.8599151291409856e-06+7.918435433415918e-06j), (-11.466362224097844+7.140087774161493j),
        (1.4578220253410286+0.9612155793535203j)),
]).T


@pytest.mark.parametrize("name, k", [("gamma", 1), ("rgamma", 1), ("loggamma", 2), ("lambertw", 3)])
def test_complex_values_are_exact(name, k):
    got = getattr(special, name)(tb.array(COMPLEX_VALUES[0])).get()
    agree(got, 1 / COMPLEX_VALUES[1] if name == "rgamma" else COMPLEX_VALUES[k], 60, 0)


@pytest.mark.parametrize("name", ["gamma", "rgamma", "loggamma", "lambertw", "wright_bessel", "gammasgn"])
@pytest.mark.parametrize("single", [False, True])
def test_a_point_alone_is_what_it_is_among_others(name, single):
    operands = CASES[name][0] if name in ("gammasgn", "wright_bessel") else [COMPLEX]
    if name == "wright_bessel":  # runs of points with the same parameters, and others
        operands = [np.repeat(operands[0], 20)[:900], np.repeat(operands[1], 20)[:900], np.resize(operands[2], 900)]
    operands = [o.astype({"D": "F", "d": "f"}[o.dtype.char]) if single else o for o in operands]
    function = getattr(special, name)
    whole = function(*map(tb.array, operands)).get()
    for part in (slice(1, None), slice(3, 8), slice(5, 6), slice(None, None, 7)):
        alone = function(*(tb.array(o[part]) for o in operands)).get()
        np.testing.assert_array_equal(alone, whole[part])


@pytest.mark.parametrize("name", ["gamma", "loggamma", "rgamma", "digamma", "log1p", "expm1", "exprel", "sinc"])
def test_complex(name):
    z = COMPLEX
    want = reference.expm1(z) / z if name == "exprel" else np.sinc(z) if name == "sinc" else of_scipy(name, z)
    got = getattr(special, name)(tb.asarray(z))
    agree(got.get(), want, 400, 1e-14)
    single = getattr(special, name)(tb.asarray(z.astype("F")))
    assert single.dtype == "F"
    again = getattr(special, name)(tb.asarray(z.astype("F").astype("D"))).astype("F")
    agree(single.get(), again.get(), 40, 1e-30)


@pytest.mark.parametrize("name", ["xlogy", "xlog1py"])
def test_complex_products_of_logarithms(name):
    x, y = COMPLEX, COMPLEX[::-1].copy()
    x[::7] = 0
    agree(getattr(special, name)(tb.asarray(x), tb.asarray(y)).get(), of_scipy(name, x, y), 400, 1e-13)


@pytest.mark.parametrize("name", ["gamma", "rgamma", "loggamma"])
@pytest.mark.parametrize("dtype", "FD")
def test_points_far_left_are_no_others_steps(name, dtype):
    """Which would be as many as they are to the left."""
    z = np.array([-1e20 + 1j, 1 + 1j, -1e9 + 0.5 + 1j, 5, 2.5 - 3j], dtype)
    agree(getattr(special, name)(tb.asarray(z)).get()[1::2], of_scipy(name, z[1::2]), 1e9 if dtype == "F" else 60, 0)


def test_digamma_next_to_its_poles():
    """By mpmath: psi(n + 1) and the reciprocal of the distance."""
    n = np.array([0, -1, -2, -20, -1000.0])
    real = [-0.5772156649015329, 0.4227843350984671, 0.9227843350984671, 3.020523992242149, 6.908255195648812]
    for y in (1e-160, -1e-300, 1e-306):
        got = special.digamma(tb.asarray(n + 1j * y)).get()
        np.testing.assert_allclose(got.real, real, 1e-14)
        np.testing.assert_allclose(got.imag, 1 / y, 1e-14)
    got = special.digamma(tb.asarray([-1e-200 + 1e-200j, -1e-180 - 3e-180j])).get()
    agree(got, -1 / np.array([-1e-200 + 1e-200j, -1e-180 - 3e-180j]), 10, 0)
