"""tombacx.scipy.spatial.distance against SciPy's."""

import numpy as np
import pytest
import scipy.spatial
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import distance as sd
from strategies import values

import tombacx.scipy.spatial as xs
import tombacx.scipy.spatial.distance as xd

PLAIN = [
    "braycurtis", "canberra", "chebyshev", "cityblock", "correlation", "cosine", "euclidean", "hamming", "jaccard",
    "sqeuclidean", "minkowski",
]
TRUTH = ["dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"]
seeds = st.integers(0, 2**32 - 1)
codes = st.sampled_from("? b B h l f d".split())
layouts = st.sampled_from([np.s_[:, :], np.s_[::-1, ::2], np.s_[::2, ::-1]])
sizes = st.integers(0, 6)
widths = st.integers(1, 9)


def points(m, n, dtype, seed, cut):
    host = values(np.dtype(dtype), (2 * m, 2 * n), seed)
    return host[cut][:m, :n], tb.array(host)[cut][:m, :n]


def check(got, want, *sources, atol=1e-12):
    """float32 where every source is."""
    single = bool(sources) and all(s.dtype == "f" for s in sources)
    assert type(got) is tb.ndarray and got.dtype == ("f" if single else "d") and got.shape == np.shape(want)
    np.testing.assert_allclose(got.get(), want, 2e-4 if single else 1e-9, 2e-3 if single else atol)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", PLAIN + TRUTH)
def test_pairs_of_two_sets(name, weighted):
    @given(sizes, sizes, widths, codes, codes, seeds, layouts)
    def run(m, k, n, code_a, code_b, seed, cut):
        (a, da), (b, db) = points(m, n, code_a, seed, cut), points(k, n, code_b, seed + 1, cut)
        w = np.random.default_rng(seed).integers(1, 5, n) / 2
        options = [{}, {"w": w}][weighted]
        # SciPy's weighted Jaccard of numbers that are not truth values is not its unweighted one.
        truth = name in TRUTH or name == "jaccard"
        ha, hb = (x != 0 if truth else x.astype(float) for x in (a, b))
        want = sd.cdist(ha, hb, name, **options)
        if name in ("cosine", "correlation"):  # SciPy's says something else of vectors without a direction
            want = np.array([[getattr(sd, name)(x, y, **options) for y in hb] for x in ha]).reshape(m, k)
            near = np.zeros((m, k), bool)
            if name == "correlation":  # of constant vectors what is left is rounding errors'
                near = (np.ptp(ha, axis=1) == 0)[:, None] | (np.ptp(hb, axis=1) == 0)
            got = xd.cdist(da, db, name, **options)
            assert got.shape == (m, k)
            check(tb.where(tb.array(near), 0, got), np.where(near, 0, want), a, b)
        else:
            check(xd.cdist(da, db, name, **options), want, a, b)

    run()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PLAIN + TRUTH)
@given(sizes, widths, codes, seeds, layouts)
def test_pairs_of_one_set(name, m, n, code, seed, cut):
    a, da = points(m, n, code, seed, cut)
    whole = xd.cdist(da, da, name).get()
    got = xd.pdist(da, name)
    assert got.shape == (m * (m - 1) // 2,) and got.dtype == ("f" if a.dtype == "f" else "d")
    np.testing.assert_array_equal(got.get(), whole[np.triu_indices(m, 1)])
    want = sd.pdist((a != 0 if name in [*TRUTH, "jaccard"] else a.astype(float)), name)
    if name not in ("cosine", "correlation"):
        check(got, want, a)


@pytest.mark.parametrize("name, p", [
    ("sqeuclidean", 2), ("euclidean", 2), ("cityblock", 2), ("chebyshev", 2), ("hamming", 2), ("canberra", 2),
    ("minkowski", 1.5), ("braycurtis", 2), ("cosine", 2), ("correlation", 2),
])
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_many_pairs(name, p, dtype):
    """More than one tile of rows; of one set and of two the same numbers, and those of NaN and infinities."""
    rng = np.random.default_rng(7)
    options = {"p": p} if name == "minkowski" else {}
    for m, k, n in ((37, 50, 5), (16, 17, 1), (1, 33, 300)):
        a, b = rng.integers(-9, 9, (m, n)).astype(dtype), rng.integers(-9, 9, (k, n)).astype(dtype)
        b[0, 0], b[k // 2, -1], b[-1, 0] = np.inf, np.nan, -np.inf
        with np.errstate(all="ignore"):
            want = sd.cdist(a.astype("d"), b.astype("d"), name, **options)
        plain = np.isfinite(b).all(axis=1)
        got = xd.cdist(tb.array(a), tb.array(b), name, **options)
        check(got[:, plain], want[:, plain], a, b)
        if name not in ("hamming", "chebyshev"):  # of NaN the first is like any other number to SciPy's, too
            np.testing.assert_array_equal(np.isnan(got.get()), np.isnan(want))
        one = xd.pdist(tb.array(b), name, **options)
        np.testing.assert_array_equal(one.get(), xd.cdist(tb.array(b), tb.array(b), name, **options).get()[
            np.triu_indices(k, 1)])


@pytest.mark.parametrize("name", ["sqeuclidean", "euclidean", "cityblock", "chebyshev", "minkowski", "hamming",
                                  "canberra", "braycurtis", "cosine", "correlation"])
@pytest.mark.parametrize("m, k, n", [(1, 1, 1000), (1, 1, 33), (5, 3, 700), (3, 1, 31), (200, 1, 5), (200, 3, 64),
                                     (2, 300, 7), (130, 70, 40), (70, 130, 40), (1, 1, 0), (90, 2, 2000)])
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_pairs_of_few_and_many_rows(name, m, k, n, dtype):
    """Each pair by itself, tiles of either set's rows; with NaN in some of the rows."""
    rng = np.random.default_rng(11)
    a, b = rng.integers(-9, 9, (m, n)).astype(dtype), rng.integers(-9, 9, (k, n)).astype(dtype)
    if k > 1:
        b[-1, n // 2] = np.nan
    if name in ("cosine", "correlation") and n < 2:
        return
    options = {"p": 3} if name == "minkowski" else {}
    with np.errstate(all="ignore"):
        want = sd.cdist(a.astype("d"), b.astype("d"), name, **options)
    got = xd.cdist(tb.array(a), tb.array(b), name, **options)
    rows = slice(None, -1) if k > 1 and name in ("hamming", "chebyshev") else slice(None)
    check(got[:, rows], want[:, rows], a, b)
    np.testing.assert_array_equal(xd.cdist(tb.array(b), tb.array(a), name, **options).get(), got.get().T)
    one = xd.cdist(tb.array(a), tb.array(a), name, **options).get()
    np.testing.assert_array_equal(xd.pdist(tb.array(a), name, **options).get(), one[np.triu_indices(m, 1)])


def test_pairs_are_one_launch_without_temporaries():
    x = tb.array(np.random.default_rng(3).random((64, 8)))
    x.sum().item()
    before = tb.config.counters()["allocations"]
    xd.pdist(x, "cityblock").data
    assert tb.config.counters()["allocations"] == before + 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PLAIN + TRUTH)
@given(widths, codes, codes, seeds, st.booleans())
def test_vectors(name, n, code_a, code_b, seed, weighted):
    if name in TRUTH:
        code_a = code_b = "?"
    (u,), (v,) = values(np.dtype(code_a), (1, n), seed), values(np.dtype(code_b), (1, n), seed + 1)
    options = {"w": np.random.default_rng(seed).integers(1, 5, n) / 2} if weighted else {}
    du, dv = tb.array(u), tb.array(v)
    if name == "correlation" and min(map(np.ptp, (u * 1.0, v * 1.0))) == 0:  # what is left is rounding errors'
        return
    try:
        want = getattr(sd, name)(*(x if name in [*TRUTH, "jaccard"] else x.astype(float) for x in (u, v)), **options)
    except ValueError:  # Sokal and Sneath's of what is false throughout
        want = np.nan
    check(getattr(xd, name)(du, dv, **options), want, u, v)


@pytest.mark.parametrize("p", [0.5, 1, 1.5, 2, 3, np.inf])
@given(sizes, sizes, widths, seeds, st.booleans())
def test_minkowski(p, m, k, n, seed, weighted):
    (a, da), (b, db) = points(m, n, "d", seed, np.s_[:, :]), points(k, n, "d", seed + 1, np.s_[:, :])
    options = {"w": np.arange(n) / 2} if weighted else {}
    check(xd.cdist(da, db, "minkowski", p=p, **options), sd.cdist(a, b, "minkowski", p=p, **options))
    if p >= 1:
        check(xs.distance_matrix(da, db, p), scipy.spatial.distance_matrix(a, b, p))
        check(xd.distance_matrix(da, db, p), scipy.spatial.distance_matrix(a, b, p))
    if m and k:
        check(xd.minkowski(da[0], db[0], p, **options), sd.minkowski(a[0], b[0], p, **options))


@given(sizes, st.integers(1, 6), widths, seeds, st.sampled_from([None, 2.0, 10]))
def test_distributions(m, k, n, seed, base):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 4, (m, n)) + 1e-3, rng.integers(0, 4, (k, n)) + 0.5
    b[0, 0] = 0
    b[0, -1] += 1
    a /= a.sum(axis=1, keepdims=True)
    b /= b.sum(axis=1, keepdims=True)
    da, db = tb.array(a), tb.array(b)
    # Near zero a root of what rounding leaves.
    pairs = [(x, y) for x in a for y in b]
    want = np.reshape([sd.jensenshannon(x, y, base) for x, y in pairs], (m, k))
    check(xd.cdist(da, db, "jensenshannon", base=base), want, atol=1e-7)
    divergence = [np.sum(scipy.special.rel_entr(x, y)) for x, y in pairs]
    check(xd.cdist(da, db, "kl_divergence"), np.reshape(divergence, (m, k)))
    apart = [np.sqrt(max(1 - np.sum(np.sqrt(x * y)), 0)) for x, y in pairs]
    check(xd.cdist(da, db, "hellinger"), np.reshape(apart, (m, k)), atol=1e-7)
    if m:
        check(xd.jensenshannon(da[0], db[0], base), sd.jensenshannon(a[0], b[0], base), atol=1e-7)
        check(xd.kl_divergence(da[0], db[0]), divergence[0])
        check(xd.hellinger(da[0], db[0]), apart[0], atol=1e-7)


@given(st.integers(2, 6), sizes, widths, seeds)
def test_variances(m, k, n, seed):
    rng = np.random.default_rng(seed)
    a, b, V, VI = rng.random((m, n)), rng.random((k, n)), rng.random(n) + 0.1, rng.random((n, n)) + n * np.eye(n)
    da, db = tb.array(a), tb.array(b)
    check(xd.cdist(da, db, "seuclidean"), sd.cdist(a, b, "seuclidean"))
    check(xd.cdist(da, db, "seuclidean", V=tb.array(V)), sd.cdist(a, b, "seuclidean", V=V))
    check(xd.cdist(da, db, "mahalanobis", VI=VI), sd.cdist(a, b, "mahalanobis", VI=VI))
    check(xd.pdist(da, "seuclidean"), sd.pdist(a, "seuclidean"))
    check(xd.seuclidean(da[0], da[1], V), sd.seuclidean(a[0], a[1], V))
    check(xd.mahalanobis(da[0], da[1], tb.array(VI)), sd.mahalanobis(a[0], a[1], VI))


@pytest.mark.parametrize("m", [2, 3, 100, 129, 300])
@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name, options", [
    ("jensenshannon", {}), ("seuclidean", {}), ("euclidean", {"w": np.arange(4.0)}),
    ("mahalanobis", {"VI": np.eye(4) + 0.1}), ("minkowski", {"p": np.inf}), ("cosine", {}), ("correlation", {})])
def test_pairs_of_many(m, dtype, name, options):
    x = np.random.default_rng(m).random((m, 4)).astype(dtype)
    check(xd.pdist(tb.array(x), name, **options), sd.pdist(x, name, **options), x, atol=1e-7)
    check(xd.cdist(tb.array(x), tb.array(x[:7]), name, **options), sd.cdist(x, x[:7], name, **options), x, atol=1e-7)


@given(st.sampled_from([((3,), (3,)), ((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (3, 4)), ((2, 3, 4), (3, 4)),
                        ((0,), (0,))]),
       st.sampled_from("fdl"), st.sampled_from([0, -1]), st.booleans(), st.sampled_from([None, 2.0]), seeds)
@pytest.mark.filterwarnings("ignore")
def test_distributions_along_axes(shapes, code, axis, keepdims, base, seed):
    rng = np.random.default_rng(seed)
    p, q = (rng.integers(0, 9, s).astype(code) for s in shapes)
    options = {"base": base, "axis": axis, "keepdims": keepdims}
    check(xd.jensenshannon(tb.array(p), tb.array(q), **options), sd.jensenshannon(p, q, **options), p, q, atol=1e-7)


def test_mahalanobis_by_the_points():
    a, b = np.random.default_rng(0).random((2, 9, 3))
    check(xd.cdist(tb.array(a), tb.array(b), "mahalanobis"), sd.cdist(a, b, "mahalanobis"))


def test_functions_as_metrics():
    a, b = np.arange(6.0).reshape(3, 2), np.arange(4.0).reshape(2, 2)
    da, db = tb.array(a), tb.array(b)
    check(xd.cdist(da, db, lambda u, v: abs(u - v).sum()), sd.cdist(a, b, "cityblock"))
    check(xd.cdist(da, db, xd.canberra), sd.cdist(a, b, "canberra"))
    check(xd.pdist(da, xd.minkowski, p=3), sd.pdist(a, "minkowski", p=3))
    check(xd.cdist(da, db, lambda u, v, s: s * (u - v).sum(), s=2.0), 2 * (a.sum(1)[:, None] - b.sum(1)))


def test_special_numbers():
    a = np.array([[0, 0.0], [np.inf, 1], [np.nan, 2], [1e200, 3]])
    with np.errstate(all="ignore"):
        apart = np.abs(a[:, None] - a)
        wanted = {"cityblock": apart.sum(-1), "chebyshev": apart.max(-1), "sqeuclidean": (apart**2).sum(-1)}
        wanted["euclidean"] = np.sqrt(wanted["sqeuclidean"])
    for name, want in wanted.items():
        check(xd.cdist(tb.array(a), tb.array(a), name), want)


def test_out():
    a = tb.arange(6.0).reshape(3, 2)
    out = tb.zeros((3, 3))
    assert xd.cdist(a, a, out=out) is out
    check(out, sd.cdist(a.get(), a.get()))
    out = tb.zeros(3)
    assert xd.pdist(a, out=out) is out
    check(out, sd.pdist(a.get()))


@given(st.integers(1, 7), st.sampled_from("d f l ? D".split()), seeds)
def test_squareform(m, code, seed):
    v = values(np.dtype(code), (m * (m - 1) // 2,), seed)
    whole = xd.squareform(tb.array(v))
    want = sd.squareform(v)
    assert whole.dtype == want.dtype
    np.testing.assert_array_equal(whole.get(), want)
    back = xd.squareform(whole)
    assert back.dtype == v.dtype
    np.testing.assert_array_equal(back.get(), v)


x, points_ = tb.ones(3), tb.ones((2, 3))
WRONG = {
    "one dimension": (lambda: xd.cdist(x, points_), ValueError),
    "columns": (lambda: xd.cdist(points_, tb.ones((2, 2))), ValueError),
    "host": (lambda: xd.cdist(np.ones((2, 2)), points_), TypeError),
    "name": (lambda: xd.cdist(points_, points_, "no such"), ValueError),
    "metric": (lambda: xd.cdist(points_, points_, 3), TypeError),
    "p": (lambda: xd.cdist(points_, points_, "minkowski", p=0), ValueError),
    "weights below zero": (lambda: xd.cdist(points_, points_, w=[1, 1, -1]), ValueError),
    "weights": (lambda: xd.cdist(points_, points_, w=tb.ones(2)), ValueError),
    "V": (lambda: xd.cdist(points_, points_, "seuclidean", V=tb.ones(2)), ValueError),
    "few points": (lambda: xd.pdist(points_, "mahalanobis"), ValueError),
    "option": (lambda: xd.cdist(points_, points_, "euclidean", foo=1), TypeError),
    "complex": (lambda: xd.cdist(points_ * 1j, points_), ValueError),
    "out": (lambda: xd.cdist(points_, points_, out=tb.ones((2, 3))), ValueError),
    "dtype of out": (lambda: xd.cdist(points_, points_, out=tb.ones((2, 2), "f")), ValueError),
    "pdist": (lambda: xd.pdist(x), ValueError),
    "vectors": (lambda: xd.euclidean(points_, points_), ValueError),
    "lengths": (lambda: xd.euclidean(x, tb.ones(1)), ValueError),
    "squareform of 4": (lambda: xd.squareform(tb.ones(4)), ValueError),
    "not square": (lambda: xd.squareform(points_), ValueError),
    "diagonal": (lambda: xd.squareform(tb.ones((2, 2))), ValueError),
    "symmetry": (lambda: xd.squareform(tb.array([[0.0, 1], [2, 0]])), ValueError),
    "three dimensions": (lambda: xd.squareform(tb.ones((2, 2, 2))), ValueError),
    "tomatrix": (lambda: xd.squareform(tb.zeros((2, 2)), "tomatrix"), ValueError),
    "tovector": (lambda: xd.squareform(tb.ones(3), "tovector"), ValueError),
    "farthest of rows": (lambda: xd.directed_hausdorff(tb.ones(3), tb.ones((1, 3))), ValueError),
    "farthest of other rows": (lambda: xd.directed_hausdorff(tb.ones((2, 3)), tb.ones((2, 2))), ValueError),
    "farthest of none": (lambda: xd.directed_hausdorff(tb.ones((0, 3)), tb.ones((2, 3))), ValueError),
    "farthest from none": (lambda: xd.directed_hausdorff(tb.ones((2, 3)), tb.ones((0, 3))), ValueError),
    "farthest on the host": (lambda: xd.directed_hausdorff(np.ones((2, 3)), tb.ones((2, 3))), TypeError),
}


@pytest.mark.parametrize("call, kind", WRONG.values(), ids=WRONG)
def test_refusals(call, kind):
    with pytest.raises(kind):
        call()


@pytest.mark.parametrize("name", [*PLAIN, *TRUTH, "jensenshannon", "kl_divergence", "hellinger", "seuclidean"])
def test_no_array_of_all_differences(name):
    m, k, n = 64, 48, 50
    a, b = tb.array(np.full((m, n), 0.5)), tb.array(np.full((k, n), 0.25))
    options = {"V": tb.ones(n)} if name == "seuclidean" else {}
    with tb.config.fusion("all"):
        tb.config.reset_counters()
        d = xd.cdist(a, b, name, **options)
        d.get()
        counters = tb.config.counters()
    if name in ("cityblock", "sqeuclidean", "chebyshev"):
        assert counters["launches"] <= 2
    assert counters["bytes_allocated"] < 8 * m * k * n / 2


def test_nothing_is_needed():
    assert xd.cuvs_available and xd.pylibraft_available
    assert xd.check_soft_dependencies() is None
    info = xd.MetricInfo("euclidean", aka={"l2"}, types=["double"])
    assert (info.canonical_name, info.aka, info.validator, info.types) == ("euclidean", {"l2"}, None, ["double"])


# ---- sets as wholes --------------------------------------------------------------------------------------------------


@given(st.integers(1, 300), st.integers(1, 300), st.sampled_from([0, 1, 2, 5, 40]), codes, seeds,
       st.sampled_from(["apart", "equal", "walk", "few"]))
def test_the_farthest_point(m, k, n, code, seed, kind):
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((m, n)) * 9, rng.standard_normal((k, n)) * 9
    if kind == "equal":
        b[:] = b[:1]
    elif kind == "walk":
        a, b = a.cumsum(0), b.cumsum(0)
    elif kind == "few":
        a, b = np.sign(a), np.sign(b)
    a, b = (np.nan_to_num(x.astype(code)) for x in (a, b))
    distance, i, j = xd.directed_hausdorff(tb.array(a), tb.array(b))
    assert type(distance) is float and type(i) is int and type(j) is int
    a, b = a.astype("d"), b.astype("d")
    want = sd.directed_hausdorff(a, b)[0]
    np.testing.assert_allclose(distance, want, 1e-12)
    np.testing.assert_allclose(np.linalg.norm(a[i] - b[j]), want, 1e-12)
    np.testing.assert_allclose(np.linalg.norm(b - a[i], axis=1).min(), want, 1e-12)


@pytest.mark.parametrize("n", [2, 7])
def test_the_farthest_of_many_points(n):
    rng = np.random.default_rng(n)
    a, b = rng.random((3000, n)), rng.random((2000, n))
    a[1234] += 3
    assert xd.directed_hausdorff(tb.array(a), tb.array(b))[:2] == pytest.approx(sd.directed_hausdorff(a, b)[:2])
    assert xd.directed_hausdorff(tb.array(b), tb.array(a), 3)[0] == pytest.approx(sd.directed_hausdorff(b, a)[0])


FORMS = {
    "matrix": np.array([[0.0, 1], [1, 0]]), "not symmetric": np.array([[0, 1], [2, 0]]),
    "nearly": np.array([[0, 1], [1.25, 0.25]]), "diagonal": np.array([[1.0, 1], [1, 0]]), "one": np.zeros((1, 1)),
    "nan": np.full((1, 1), np.nan), "nothing": np.zeros((0, 0)), "wide": np.zeros((2, 3)), "number": np.zeros(()),
    "three": np.zeros(3), "two": np.zeros(2), "none": np.zeros(0), "pair": np.zeros(1, "i"),
    "deep": np.zeros((1, 1, 1)),
}


def told(f, *args, **options):
    try:
        return f(*args, **options)
    except ValueError:
        return ValueError


@pytest.mark.parametrize("x", FORMS.values(), ids=FORMS)
def test_forms_of_distances(x):
    y = tb.array(x)
    for tol in (0.0, 0.5):
        for throw in (False, True):
            assert told(xd.is_valid_dm, y, tol, throw, "some") is told(sd.is_valid_dm, x, tol, throw, "some")
    for throw in (False, True):
        assert told(xd.is_valid_y, y, throw=throw) is told(sd.is_valid_y, x, throw=throw)
    assert told(xd.num_obs_dm, y) == told(sd.num_obs_dm, x)
    assert told(xd.num_obs_y, y) == told(sd.num_obs_y, x)


def test_truth_values_are_distances_of_0_and_1():
    for x in (np.zeros((3, 3), bool), np.ones((3, 3), bool), np.eye(3, dtype=bool)[::-1], np.eye(3, k=1, dtype=bool)):
        for tol in (0, 0.1, 2):
            assert xd.is_valid_dm(tb.array(x), tol=tol) is sd.is_valid_dm(x.astype(float), tol=tol)


def test_forms_are_warned_of():
    with pytest.warns(UserWarning, match="symmetric"):
        assert not xd.is_valid_dm(tb.array([[0.0, 1], [2, 0]]), warning=True)
    with pytest.warns(UserWarning, match="number of pairs"):
        assert not xd.is_valid_y(tb.zeros(2), warning=True)
    with pytest.raises(ValueError, match="'mine'"):
        xd.is_valid_y(tb.zeros(2), throw=True, name="mine")


@pytest.mark.parametrize("columns", [1, 50])  # by a kernel, and by products of matrices
@pytest.mark.parametrize("name", ["cosine", "correlation"])
def test_small_angles_of_float32(name, columns):
    a = np.tile(np.array([[0, 1], [2.0**-13, 1 + 2.0**-12]], "f"), (1, columns))
    if name == "correlation":
        a = np.concatenate([a, -a], axis=1)
    d, want = tb.array(a), sd.pdist(a.astype("d"), name)
    for got in (xd.pdist(d, name), xd.cdist(d[:1], d[1:], name)[0], getattr(xd, name)(d[0], d[1])[None]):
        assert got.dtype == "f"
        np.testing.assert_allclose(got.get(), want, 1e-6)
