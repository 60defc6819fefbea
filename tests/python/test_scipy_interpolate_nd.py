"""tombacx.scipy.interpolate's functions of several variables against SciPy's."""

import numpy as np
import pytest
import scipy.interpolate as si
import scipy.spatial as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from test_scipy_interpolate import close, kinds, numbers, seeds, shapes, vector

import tombacx.scipy.interpolate as xi
import tombacx.scipy.spatial as xs

pytestmark = pytest.mark.filterwarnings("ignore")
extrapolations = st.sampled_from([None, True, False])
BY_LOOP = "tombacx.scipy.interpolate._grid_kernel.by_loop"


def scattered(rng, shape, axes):
    """Points within and without the ranges of axes, with some of their elements and NaN among them."""
    columns = []
    for x in axes:
        q = rng.uniform(x.min() - 0.5, x.max() + 0.5, shape)
        q = np.where(rng.random(shape) < 0.3, rng.choice(x, shape), q)
        columns.append(np.where(rng.random(shape) < 0.05, np.nan, q))
    return np.stack(columns, axis=-1)


@st.composite
def pieces(draw):
    rng = np.random.default_rng(draw(seeds))
    d = draw(st.integers(1, 3))
    k, m = draw(st.tuples(*[st.integers(1, 3)] * d)), draw(st.tuples(*[st.integers(1, 3)] * d))
    c, x = numbers(rng, (*k, *m, 2), draw(kinds)), tuple(vector(rng, n + 1) for n in m)
    mode = draw(extrapolations)
    return xi.NdPPoly(tb.array(c), tuple(map(tb.array, x)), mode), si.NdPPoly(c, x, mode), rng, d


@given(pieces(), st.data(), shapes, extrapolations)
def test_polynomials_in_pieces(made, data, shape, mode):
    ours, theirs, rng, d = made
    nu = data.draw(st.none() | st.tuples(*[st.integers(0, 3)] * d))
    q = scattered(rng, shape, theirs.x)
    if q.ndim > 1:  # one point is as many of one dimension for SciPy
        close(ours(tb.array(q), nu, mode), theirs(q, nu, mode))
    if d == 1:
        close(ours(tb.array(q[..., 0].ravel()), nu, mode), theirs(q[..., 0].ravel(), nu, mode))


@given(pieces(), st.data())
def test_derivatives_and_integrals(made, data):
    ours, theirs, _, d = made
    nu = data.draw(st.tuples(*[st.integers(-2, 2)] * d))
    close(ours.derivative(nu).c, theirs.derivative(nu).c)
    close(ours.antiderivative(nu).c, theirs.antiderivative(nu).c)
    ranges = [(-2.0, 0.5), (1.0, -0.5), (0.0, 0.25)][:d]
    close(ours.integrate(ranges, True), theirs.integrate(ranges, True))
    if d > 1:
        close(ours.integrate_1d(0, 1, d - 1, True).c, theirs.integrate_1d(0, 1, d - 1, True).c)


@given(seeds, kinds, st.integers(1, 3), st.integers(0, 3), shapes, st.data(), extrapolations)
def test_splines(seed, kind, d, k, shape, data, mode):
    rng = np.random.default_rng(seed)
    t = tuple(vector(rng, 2 * k + 4 + i) for i in range(d))
    c = numbers(rng, (*(len(v) - k - 1 for v in t), 2), kind)
    nu = data.draw(st.tuples(*[st.integers(0, k)] * d))
    ours, theirs = xi.NdBSpline(tuple(map(tb.array, t)), tb.array(c), k), si.NdBSpline(t, c, k)
    q = scattered(rng, shape, [v[k:len(v) - k] for v in t])
    close(ours(tb.array(q), nu=nu, extrapolate=mode), theirs(q, nu=nu, extrapolate=mode), 1e-6)


@pytest.mark.parametrize("kind", ["d", "D"])
@pytest.mark.parametrize("k, nu", [((3, 2, 1), None), ((2, 0, 3), (1, 0, 3)), ((1, 4, 5), (2, 1, 0)), ((9,), (4,))])
@pytest.mark.parametrize("loop", [True, False])
def test_splines_of_several_degrees(k, nu, kind, loop, monkeypatch):
    """Knots that are repeated; points on knots, at the ends, beyond them; by the host's loop, and by expressions."""
    if not loop:
        monkeypatch.setattr(BY_LOOP, lambda: False)
    rng = np.random.default_rng(6)
    t = tuple(np.r_[[0.0] * (d + 1), np.sort(rng.random(9)), [0.5] * d, [1.0] * (d + 1)] for d in k)
    t = tuple(map(np.sort, t))
    c = numbers(rng, tuple(len(v) - d - 1 for v, d in zip(t, k, strict=True)), kind)
    ours, theirs = xi.NdBSpline(tuple(map(tb.array, t)), tb.array(c), k), si.NdBSpline(t, c, k)
    q = rng.uniform(-0.1, 1.1, (1500, len(k)))
    q[:200] = np.stack([rng.choice(v, 200) for v in t], -1)
    q[300, 0] = np.nan
    for extrapolate in (True, False):
        close(ours(tb.array(q), nu=nu, extrapolate=extrapolate), theirs(q, nu=nu, extrapolate=extrapolate), 1e-6)


@pytest.mark.parametrize("t, c, k", [
    (([0.0, 1, 2, 3],), (3,), 1), (([0.0, 1, 1, 3],), (2,), 1), (([0.0, 2, 1, 3],), (2,), 1), (([0.0, 1, 2],), (2,), 1),
    (([0.0, 1, 2, 3], [0.0, 1, 2, 3]), (2,), 1), (([0.0, 1, 2, 3],), (2,), (1, 1))])
def test_splines_that_do_not_fit(t, c, k):
    with pytest.raises(ValueError, match="NdBSpline"):
        xi.NdBSpline(tuple(map(tb.array, t)), tb.ones(c), k)


@pytest.mark.parametrize("nu", [(0, 0), (1, 0), (0, 2), (2, 3), (4, 0)])
@pytest.mark.parametrize("kind", "dD")
def test_partial_derivatives(nu, kind):
    rng = np.random.default_rng(3)
    t = np.r_[[0.0] * 4, 1, 2, 3, [4] * 4], np.r_[[0.0] * 4, 1.5, [2] * 4]
    c = numbers(rng, (7, 5, 2), kind)
    ours = xi.NdBSpline(tuple(map(tb.array, t)), tb.array(c), 3, extrapolate=False).derivative(nu)
    theirs = si.NdBSpline(t, c, 3, extrapolate=False).derivative(nu)
    x = rng.uniform((0, 0), (4, 2), (6, 2))
    assert tuple(ours.k) == tuple(theirs.k) and ours.extrapolate is theirs.extrapolate is False
    close(ours(tb.array(x)), theirs(x), 1e-8)
    for wrong in ((1,), 1, (-1, 0)):
        with pytest.raises(ValueError):
            ours.derivative(wrong)


def test_design_matrices():
    rng = np.random.default_rng(3)
    t = vector(rng, 9), vector(rng, 10)
    x = np.stack([rng.uniform(v[3], v[-4], 7) for v in t], axis=-1)
    for k in (3, (2, 1)):
        got = xi.NdBSpline.design_matrix(tb.array(x), tuple(map(tb.array, t)), k)
        want = si.NdBSpline.design_matrix(x, t, k).toarray()  # without its last columns, if they are 0
        close(got.toarray()[:, :want.shape[1]], want)
        assert got.sum().item() == pytest.approx(len(x))


# ---- grids -----------------------------------------------------------------------------------------------------------

METHODS = ["linear", "nearest", "slinear", "cubic", "quintic", "pchip"]


@pytest.mark.parametrize("method", METHODS)
@given(seeds, kinds, st.integers(1, 3), shapes, st.sampled_from([None, np.nan, 5.0]), st.booleans(), st.booleans())
def test_grids(method, seed, kind, d, shape, fill, descending, several):
    rng = np.random.default_rng(seed)
    axes = [vector(rng, 6 + i) for i in range(d)]
    if descending:
        axes[-1] = axes[-1][::-1].copy()
    values = numbers(rng, (*map(len, axes), *((2,) if several else ())), kind)
    q = scattered(rng, shape, axes)
    if method == "pchip":  # SciPy's fails of NaN
        q = np.nan_to_num(q)
    if method == "nearest" and not several and kind == "d":
        values = values.astype("f")
    f = xi.RegularGridInterpolator(tuple(map(tb.array, axes)), tb.array(values), method, False, fill)
    got = f(tb.array(q))
    options = {"solver": exactly} if method in METHODS[2:5] else {}
    if descending and method in METHODS[2:]:  # of which SciPy takes no splines
        axes[-1], values = axes[-1][::-1].copy(), np.flip(values, d - 1)
    parts = [values.real, values.imag] if values.dtype.kind == "c" and method == "pchip" else [values]
    want = [si.RegularGridInterpolator(tuple(axes), part, method, False, fill, **options)(q) for part in parts]
    want = want[0] + 1j * want[1] if parts[1:] else want[0]
    if parts[1:] and fill == 5.0:
        want = np.where(want == 5 + 5j, 5, want)
    if method == "nearest":
        assert got.dtype == np.result_type(values.dtype, "e")
        want = want.astype(got.dtype)
    close(got, want, 1e-7)


@pytest.mark.parametrize("method", ["linear", "nearest"])
@given(seeds, st.lists(st.sampled_from([1, 2, 3, 9, 40]), min_size=1, max_size=6), st.booleans(), st.booleans())
def test_lines_of_any_number(method, seed, lengths, equal, empty):
    """Equally spaced and not, points on lines, outside and NaN."""
    rng = np.random.default_rng(seed)
    lengths = [min(n, 3) if len(lengths) > 3 else n for n in lengths]
    axes = [np.linspace(-1, 2, n) if equal else np.cumsum(rng.random(n) ** 4 + 1e-3) for n in lengths]
    values = rng.standard_normal(lengths)
    q = np.stack([np.where(rng.random(50) < 0.3, rng.choice(a, 50), rng.uniform(a[0] - 0.1, a[-1] + 0.1, 50))
                  for a in axes], -1)
    if empty:
        q = q[:0]
    else:
        q[3, 0] = np.nan
    got = xi.RegularGridInterpolator(tuple(map(tb.array, axes)), tb.array(values), method, False, -7.0)(tb.array(q))
    want = si.RegularGridInterpolator(tuple(axes), values, method, False, -7.0)(q)
    close(got, want)


@pytest.mark.parametrize("method", ["linear", "nearest"])
@pytest.mark.parametrize("kind", ["d", "f", "D"])
def test_grids_by_a_kernel(method, kind, monkeypatch):
    """That of GPUs, wherever arrays are."""
    monkeypatch.setattr(BY_LOOP, lambda: False)
    rng = np.random.default_rng(1)
    axes = [np.array([0.0, 1, 2, 4, 5]), np.linspace(3, 1, 9), np.array([2.0])]
    values, inside = numbers(rng, (5, 9, 1, 2), "D").astype(kind), rng.uniform([0, 1, 2], [5, 3, 2], (60, 3))
    inside[:9] = np.stack([rng.choice(a, 9) for a in axes], -1)
    outside = rng.uniform([-1, 0, 2], [6, 4, 2], (60, 3))
    outside[7, 1] = np.nan
    for q, refuses, fill in ((inside, True, np.nan), (outside, False, 2.5), (outside, False, None)):
        given = (method, refuses, fill)
        got = xi.RegularGridInterpolator(tuple(map(tb.array, axes)), tb.array(values), *given)(tb.array(q))
        want = si.RegularGridInterpolator(tuple(axes), values, *given)(q)
        close(got, want.astype(got.dtype))
    f = xi.RegularGridInterpolator(tuple(map(tb.array, axes)), tb.array(values), method)
    for wrong in ([[1.0, 3.5, 2.0]], [[1.0, 2.0, 2.0], [1.0, np.nan, 2.0]]):
        with pytest.raises(ValueError, match="out of bounds in dimension 1"):
            f(tb.array(wrong))
    assert f(tb.zeros((0, 3))).shape == (0, 2)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("d", [1, 2])
def test_points_with_nan(method, d):
    """Are outside where that is an error, and else NaN, whatever the fill value is."""
    axes, values = [np.arange(7.0)] * d, np.random.default_rng(2).standard_normal((7,) * d).astype("f")
    q = np.random.default_rng(3).uniform(0, 6, (5, d))
    q[2, -1] = np.nan
    for m, c in ((si, np.asarray), (xi, tb.array)):
        with pytest.raises(ValueError, match="out of bounds in dimension"):
            m.RegularGridInterpolator([c(a) for a in axes], c(values), method)(c(q))
    for fill in (None, 5.0, np.nan):
        f = xi.RegularGridInterpolator([tb.array(a) for a in axes], tb.array(values), method, False, fill)
        got = f(tb.array(q))
        assert np.isnan(got.get()).tolist() == [False, False, True, False, False]
        want = si.RegularGridInterpolator(axes, values, method, False, fill)(np.delete(q, 2, 0))
        assert got.dtype == want.dtype
        np.testing.assert_allclose(np.delete(got.get(), 2), want, 1e-3, 1e-4)


def exactly(a, b, **_):
    """The coefficients of splines, which SciPy finds by iterations otherwise."""
    import scipy.sparse.linalg as sl

    return sl.spsolve(a.tocsc(), b), 0


@given(seeds, st.sampled_from(["slinear", "cubic"]))
def test_derivatives_on_grids(seed, method):
    rng = np.random.default_rng(seed)
    x, y = vector(rng, 5), vector(rng, 6)
    values, q = numbers(rng, (5, 6)), np.stack([np.linspace(x[0], x[-1], 7), np.linspace(y[0], y[-1], 7)], -1)
    f = xi.RegularGridInterpolator((tb.array(x), tb.array(y)), tb.array(values), method)
    g = si.RegularGridInterpolator((x, y), values, method, solver=exactly)
    close(f(tb.array(q), nu=(0, 1)), g(q, nu=(0, 1)), 1e-7)
    close(f(tb.array(q), "linear"), g(q, "linear"))


def test_interpn():
    x, y = np.arange(5.0), np.arange(6.0)
    v = np.sin(x)[:, None] * np.cos(y)
    q = np.array([[0.5, 2.25], [4.0, 5.0], [-1.0, 2.0]])
    for method in ("linear", "nearest", "splinef2d"):
        want = si.interpn((x, y), v, q, method, False, 9.0)
        close(xi.interpn((tb.array(x), tb.array(y)), tb.array(v), tb.array(q), method, False, 9.0), want)
    close(xi.interpn((tb.array(x), tb.array(y)), tb.array(v), (tb.array(x[:, None]), tb.array(y))), v)


LAYOUTS = {
    "C": lambda v: v.copy(), "F": lambda v: v.copy("F"), "backwards": lambda v: v[::-1, ::-1].copy()[::-1, ::-1],
    "parts": lambda v: v.repeat(2, axis=0).repeat(3, axis=1)[::2, ::3], "turned": lambda v: v.swapaxes(0, 1).copy().T
    if v.ndim == 2 else tb.moveaxis(tb.moveaxis(v, -1, 0).copy(), 0, -1), "one": lambda v: v[:1],
    "repeated": lambda v: tb.broadcast_to(v[:1], v.shape),
}


@pytest.mark.parametrize("dtype", ["e", "f", "d", "F", "D", "i", "?", ">f4"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(5, 6), (5, 6, 3), (5, 6, 2, 3), (5, 6, 0)], ids=str)
def test_values_are_read_where_they_are(dtype, layout, shape):
    """Of any dtype, in any layout, with axes behind those of the grid."""
    rng = np.random.default_rng(5)
    host = (rng.standard_normal(shape) * 9).astype(dtype)
    if host.dtype.kind == "c":
        host = host * host.dtype.type(1 + 2j)
    v = LAYOUTS[layout](tb.array(host))
    host = v.get()
    lines = [np.sort(rng.random(n)) for n in shape[:2]]
    lines[0] = lines[0][:len(host)]
    q = np.stack([np.linspace(x[0], x[-1], 7) for x in lines], axis=-1)
    for method in ("linear", "nearest"):
        for points, ours in ((lines, v), ((lines[0][::-1], lines[1]), v[::-1])):
            want = si.interpn(tuple(points), host[::-1] if ours is not v else host, q, method)
            got = xi.interpn(tuple(map(tb.array, points)), ours, tb.array(q), method)
            if ours is v or host.dtype.kind not in "ib":  # SciPy keeps whole numbers where lines descend
                assert got.dtype == want.dtype
            assert got.shape == want.shape
            np.testing.assert_allclose(got.get(), want, 1e-6, 1e-6)


def test_values_that_are_written_later():
    x = tb.arange(4.0)
    v = tb.arange(16, dtype="f").reshape(4, 4)
    f = xi.RegularGridInterpolator((x, x), v.T)
    close(f(tb.array([[1.0, 2.0]])), np.array([9.0]))
    v[2, 1] = 100
    close(f(tb.array([[1.0, 2.0]])), np.array([100.0]))


def test_grids_have_solvers_of_splines_alone():
    x = tb.arange(6.0)
    got = xi.RegularGridInterpolator((x,), x * x, "cubic", solver=None, solver_args={"rtol": 1e-9})
    close(got(tb.array([[2.5]])), np.array([6.25]))
    with pytest.raises(ValueError, match="solver"):
        xi.RegularGridInterpolator((x,), x * x, "linear", solver_args={"rtol": 1e-9})


def test_grids_refuse():
    x = tb.arange(3.0)
    make = xi.RegularGridInterpolator
    for wrong in (lambda: make((x,), tb.zeros(4)), lambda: make((x, x), tb.zeros(3)), lambda: make((x,), x, "wrong"),
                  lambda: make((tb.array([0.0, 0, 1]),), x), lambda: make((x,), x, "cubic"),
                  lambda: make((x,), x, fill_value=1j), lambda: make((x,), x)(tb.array([[3.5]])),
                  lambda: make((x,), x)(tb.array([[3.5, 1]])), lambda: make((x,), x)(tb.array([[1.0]]), nu=[1]),
                  lambda: xi.interpn((x,), x, tb.array([[0.0]]), "splinef2d")):
        with pytest.raises(ValueError):
            wrong()


# ---- scattered points ------------------------------------------------------------------------------------------------

KERNELS = ["linear", "thin_plate_spline", "cubic", "quintic", "multiquadric", "inverse_multiquadric",
           "inverse_quadratic", "gaussian"]


@pytest.mark.parametrize("kernel", KERNELS)
@given(seeds, kinds, st.integers(1, 3), st.none() | st.just(15), st.sampled_from([0.0, 0.1]), st.integers(0, 9))
def test_radial_basis_functions(kernel, seed, kind, d, neighbors, smoothing, n):
    rng = np.random.default_rng(seed)
    y, values, x = rng.random((25, d)), numbers(rng, (25, 2), kind), rng.random((n, d))
    y[:, 0] = (np.arange(25) + y[:, 0] / 2) / 25  # so that the equations have one solution in double
    if smoothing:
        smoothing = rng.random(25)
    options = {"neighbors": neighbors, "kernel": kernel, "epsilon": 25.0}
    f = xi.RBFInterpolator(tb.array(y), tb.array(values), smoothing=tb.array(smoothing), **options)
    g = si.RBFInterpolator(y, values, smoothing=smoothing, **options)
    close(f(tb.array(x)), g(x), 1e-4)


@pytest.mark.parametrize("options", [{"degree": -1}, {"degree": 2}, {"kernel": "gaussian", "epsilon": 3, "degree": 1}])
def test_degrees_of_monomials(options):
    rng = np.random.default_rng(4)
    y, values, x = rng.random((20, 2)), rng.random(20), rng.random((5, 2))
    close(xi.RBFInterpolator(tb.array(y), tb.array(values), **options)(tb.array(x)),
          si.RBFInterpolator(y, values, **options)(x), 1e-6)


def test_radial_basis_functions_refuse():
    y, d = tb.random.rand(9, 2), tb.zeros(9)
    for wrong in (lambda: xi.RBFInterpolator(y[0], d), lambda: xi.RBFInterpolator(y, d[1:]),
                  lambda: xi.RBFInterpolator(y, d, kernel="wrong"), lambda: xi.RBFInterpolator(y, d, kernel="gaussian"),
                  lambda: xi.RBFInterpolator(y, d, smoothing=tb.zeros(3)), lambda: xi.RBFInterpolator(y, d, degree=9),
                  lambda: xi.RBFInterpolator(y, d, degree=-2), lambda: xi.RBFInterpolator(y, d)(tb.zeros((3, 3)))):
        with pytest.raises(ValueError):
            wrong()
    with pytest.warns(UserWarning, match="quintic"):
        xi.RBFInterpolator(y, d, kernel="quintic", degree=0)


@pytest.mark.parametrize("name", ["NearestNDInterpolator", "LinearNDInterpolator", "CloughTocher2DInterpolator"])
@given(seeds, kinds, st.booleans(), shapes)
def test_scattered_points(name, seed, kind, rescale, shape):
    rng = np.random.default_rng(seed)
    d = 2 if name[0] == "C" else 3
    y, x = (rng.random((*s, d)) * [1, 7, 3][:d] for s in ((25,), shape))
    values = numbers(rng, (25, 2), kind)
    f = getattr(xi, name)(tb.array(y), tb.array(values), rescale=rescale)
    g = getattr(si, name)(y, values, rescale=rescale)
    close(f(tb.array(x)), g(x), 1e-7)
    columns = [x[..., i] for i in range(d)]
    close(f(*map(tb.array, columns)), g(*columns), 1e-7)


@pytest.mark.parametrize("name", ["LinearNDInterpolator", "CloughTocher2DInterpolator"])
@given(seeds, kinds, st.sampled_from([4, 25, 300]), st.sampled_from([np.nan, -2.5]))
def test_functions_on_triangles(name, seed, kind, n, outside):
    rng = np.random.default_rng(seed)
    y, x = rng.random((n, 2)), np.concatenate([rng.uniform(-0.2, 1.2, (400, 2)), [[np.nan, 0.5], [1e300, 0]]])
    values = numbers(rng, (n, 2, 3), kind)
    g = getattr(si, name)(y, values, outside)
    for points in (tb.array(y), xs.Delaunay(tb.array(y), incremental=True)):
        got = getattr(xi, name)(points, tb.array(values), outside)(tb.array(x))
        close(got, g(x), 1e-6)


def test_functions_at_corners_and_flat_triangles():
    y, values = np.array([[0, 0], [1, 0], [0.5, 1e-17], [0.5, 1.0]]), np.array([1.0, 2.0, 3.0, 4.0])
    f = xi.LinearNDInterpolator(tb.array(y), tb.array(values))
    assert np.isin(f(tb.array(y)).get(), values).all()
    for name in ("LinearNDInterpolator", "CloughTocher2DInterpolator"):
        np.testing.assert_allclose(getattr(xi, name)(tb.array(y[[0, 1, 3]]), tb.array(values[:3]))(y[[0, 1, 3]]).get(),
                                   values[:3], 1e-12)


def test_slopes_that_are_not_found():
    y = np.random.default_rng(3).random((40, 2))
    with pytest.warns(Warning):
        xi.CloughTocher2DInterpolator(tb.array(y), tb.array(y[:, 0] ** 3), maxiter=1)


def test_triangulations_are_taken():
    y = np.random.default_rng(0).random((20, 2))
    x = np.random.default_rng(1).random((9, 2))
    for name in ("LinearNDInterpolator", "CloughTocher2DInterpolator"):
        f = getattr(xi, name)(xs.Delaunay(tb.array(y)), tb.array(y[:, 0] ** 2), fill_value=-1)
        close(f(tb.array(x)), getattr(si, name)(ss.Delaunay(y), y[:, 0] ** 2, fill_value=-1)(x))
        with pytest.raises(ValueError):
            getattr(xi, name)(tb.array(y), tb.zeros(3))
        with pytest.raises(ValueError):
            f(tb.zeros(3))


def test_the_nearest_must_be_near():
    y = np.array([[0.0, 0.0], [1.0, 1.0]])
    f, g = (m.NearestNDInterpolator(y, np.array([1.0, 2.0])) for m in (xi, si))
    x = np.array([[0.1, 0.0], [5.0, 5.0]])
    close(f(tb.array(x), distance_upper_bound=1.0), g(x, distance_upper_bound=1.0))


# ---- griddata --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["nearest", "linear", "cubic"])
@given(seeds, kinds, st.integers(1, 3), shapes, st.booleans(), st.sampled_from([np.nan, -2.5]), st.booleans())
def test_griddata(method, seed, kind, d, shape, rescale, fill, several):
    rng = np.random.default_rng(seed)
    d = min(d, 2) if method == "cubic" else d
    y, x = rng.random((25, d)) * [1, 7, 3][:d], rng.uniform(-0.2, 1.2, (*shape, d)) * [1, 7, 3][:d]
    values = numbers(rng, (25, 2) if several else (25,), kind)
    options = {"method": method, "rescale": rescale}
    if method != "nearest":
        options["fill_value"] = fill
    for points, asked in ((y, x), (tuple(y.T), tuple(np.moveaxis(x, -1, 0)))):
        got = xi.griddata(*(tuple(map(tb.array, p)) if isinstance(p, tuple) else tb.array(p) for p in (points,)),
                          tb.array(values),
                          tuple(map(tb.array, asked)) if isinstance(asked, tuple) else tb.array(asked), **options)
        close(got, si.griddata(points, values, asked, **options), 1e-6)
    if d == 1:
        got = xi.griddata(tb.array(y[:, 0]), tb.array(values), tb.array(x[..., 0]), **options)
        close(got, si.griddata(y[:, 0], values, x[..., 0], **options), 1e-6)


def test_griddata_of_a_mesh():
    """What SciPy's documentation shows: columns of coordinates that are broadcast to a grid."""
    rng = np.random.default_rng(4)
    y, row, column = rng.random((200, 2)), np.linspace(0, 1, 20)[:, None], np.linspace(0, 1, 30)
    for method in ("nearest", "linear", "cubic"):
        got = xi.griddata(tb.array(y), tb.array(y[:, 0] ** 2), (tb.array(row), tb.array(column)), method)
        assert got.shape == (20, 30)
        close(got, si.griddata(y, y[:, 0] ** 2, (row, column), method), 1e-6)


@pytest.mark.parametrize("points, values, x, method", [
    (np.zeros((5, 2)), np.zeros(5), np.zeros((1, 2)), "wrong"), (np.arange(5.0), np.zeros(5), np.zeros(2), "spline"),
    (np.eye(4)[:, :3], np.zeros(4), np.zeros((1, 3)), "cubic"),
    (np.random.rand(5, 2), np.zeros(4), np.zeros((1, 2)), "linear"),
    (np.random.rand(5, 2), np.zeros(5), np.zeros((1, 3)), "nearest"),
])
def test_griddata_refuses(points, values, x, method):
    for m, c in ((si, np.asarray), (xi, tb.array)):
        with pytest.raises(ValueError):
            m.griddata(c(points), c(values), c(x), method)


@pytest.mark.parametrize("dtype", list("?bilefdFD"))
def test_nearest_values_have_scipys_dtype(dtype):
    rng = np.random.default_rng(7)
    points, values, asked = rng.random((9, 2)), (np.arange(9) % 5).astype(dtype), rng.random((4, 2))
    for f in (lambda m, a: m.NearestNDInterpolator(a(points), a(values))(a(asked)),
              lambda m, a: m.griddata(a(points), a(values), a(asked), method="nearest")):
        got, want = f(xi, tb.array), f(si, np.asarray)
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got.get(), want)


@pytest.mark.skipif(tb._core.backend() != "cpu", reason="a GPU's kernels read values as they are: nothing is kept")
@pytest.mark.parametrize("method", ["linear", "nearest"])
@pytest.mark.parametrize("code", "fdFD")
def test_grids_are_read_as_they_are_once(method, code):
    rng = np.random.default_rng(3)
    host = (rng.random((300, 400)) * 50).astype(code)
    at = rng.uniform(1, 200, (5, 2))
    for layout in (lambda x: x, lambda x: x.T, lambda x: x[::-1, ::2]):
        a, d = layout(host.copy()), layout(tb.array(host))
        lines = [np.arange(n, dtype=float) for n in a.shape]
        f, g = si.RegularGridInterpolator(lines[:2], a, method), xi.RegularGridInterpolator(lines, d, method)
        down = [lines[0][::-1], lines[1]]
        h, k = si.RegularGridInterpolator(down, a, method), xi.RegularGridInterpolator(down, d, method)
        for fill in (None, 7):
            if fill is not None:
                a[50:150], d[50:150] = fill, fill
            for want, got in ((f(at), g(tb.array(at))), (h(at), k(tb.array(at)))):
                assert got.dtype == want.dtype
                np.testing.assert_allclose(got.get(), want, 1e-6)
        points = tb.array(at)
        points.get()
        tb.config.reset_counters()
        g(points).get(), k(points).get()
        assert tb.config.counters()["bytes_allocated"] < 10000
