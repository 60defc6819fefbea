"""Distributions of vectors and matrices of tombacx.scipy.stats against SciPy's."""

import copy
import pickle

import numpy as np
import pytest
import scipy.stats as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx.scipy.stats as xs

pytestmark = pytest.mark.filterwarnings("ignore")
seeds = st.integers(0, 2**32 - 1)


def close(got, want, rtol=1e-9, atol=1e-10):
    assert type(got) is tb.ndarray and got.shape == np.shape(want)
    np.testing.assert_allclose(got.get(), want, rtol, atol)


def matrix(rng, dim, rank=None):
    a = rng.standard_normal((dim, rank or dim))
    return a @ a.T + (0 if rank else 0.1 * np.eye(dim))


@given(seeds, st.integers(1, 4), st.sampled_from([(), (3,), (0,), (2, 3)]),
       st.sampled_from(["matrix", "row", "number"]), st.sampled_from("dfl"))
def test_densities_of_vectors(seed, dim, shape, kind, dtype):
    rng = np.random.default_rng(seed)
    x, mean = (3 * rng.standard_normal((*shape, dim))).astype(dtype), rng.standard_normal(dim)
    cov = {"matrix": matrix(rng, dim), "row": rng.random(dim) + 0.1, "number": 0.7}[kind]
    ours = cov if kind == "number" else tb.array(cov)
    want = ss.multivariate_normal.logpdf(x, mean, cov).reshape(shape)
    close(xs.multivariate_normal.logpdf(tb.array(x), tb.array(mean), ours), want)
    frozen = xs.multivariate_normal(tb.array(mean), ours)
    close(frozen.pdf(tb.array(x)), np.exp(want))
    close(frozen.entropy(), ss.multivariate_normal.entropy(mean, cov))
    close(frozen.cov, ss.multivariate_normal(mean, cov).cov)
    for df in (0.7, 5, np.inf):
        whole = cov if kind == "matrix" else np.diag(cov * np.ones(dim))
        want = ss.multivariate_normal.logpdf(x, mean, cov) if df == np.inf else ss.multivariate_t.logpdf(
            x, mean, whole, df)
        close(xs.multivariate_t.logpdf(tb.array(x), tb.array(mean), ours, df), want.reshape(shape))
        if kind == "matrix":  # SciPy's entropy takes no others
            close(xs.multivariate_t(tb.array(mean), ours, df).entropy(), ss.multivariate_t.entropy(mean, cov, df))


def test_singular_covariances():
    rng = np.random.default_rng(0)
    cov, x = matrix(rng, 3, 2), rng.standard_normal((4, 3))
    x[:2] = x[:2] @ cov  # of the space that the matrix spans
    close(xs.multivariate_normal.logpdf(tb.array(x), None, tb.array(cov), True),
          ss.multivariate_normal.logpdf(x, None, cov, True), 1e-7)
    close(xs.multivariate_normal.entropy(None, tb.array(cov)), ss.multivariate_normal.entropy(None, cov))
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        xs.multivariate_normal.pdf(tb.array(x), None, tb.array(cov))


def test_what_normal_vectors_are_made_of():
    rng = np.random.default_rng(1)
    cov, mean, x = matrix(rng, 3), rng.standard_normal(3), rng.standard_normal((5, 3))
    ours, theirs = xs.multivariate_normal(mean, tb.array(cov)), ss.multivariate_normal(mean, cov)
    close(ours.cdf(tb.array(x)), theirs.cdf(x), 1e-3, 1e-4)
    close(ours.logcdf(tb.array(x[0])), theirs.logcdf(x[0]), 1e-3, 1e-3)
    part = ours.marginal([2, 0])
    close(part.mean, mean[[2, 0]])
    close(part.logpdf(tb.array(x[:, :2])), theirs.marginal([2, 0]).logpdf(x[:, :2]))
    close(xs.multivariate_t(mean, tb.array(cov), 4).marginal([1]).logpdf(tb.array(x[:, :1])),
          ss.multivariate_t.marginal([1], mean, cov, 4).logpdf(x[:, :1]))
    for options in ({}, {"fix_mean": mean}, {"fix_cov": cov}):
        found = xs.multivariate_normal.fit(tb.array(x), **options)
        for got, want in zip(found, ss.multivariate_normal.fit(x, **options), strict=True):
            close(got, want)


@pytest.mark.parametrize("size, shape", [(1, (3,)), (5, (5, 3)), ((2, 4), (2, 4, 3))])
def test_shapes_of_drawn_vectors(size, shape):
    for row, more in ((xs.multivariate_normal, ()), (xs.multivariate_t, (5.0,))):
        drawn = row.rvs(tb.arange(3.0), tb.eye(3), *more, size=size, random_state=1)
        assert drawn.shape == shape
        assert (drawn == row(tb.arange(3.0), tb.eye(3), *more).rvs(size, 1)).all()
    assert xs.multivariate_normal.rvs(random_state=2).shape == ()


def test_drawn_vectors():
    rng = np.random.default_rng(2)
    cov, mean = matrix(rng, 2), rng.standard_normal(2)
    for row, more in (("multivariate_normal", ()), ("multivariate_t", (4.0,))):
        drawn = getattr(xs, row).rvs(mean, tb.array(cov), *more, size=4000, random_state=5).get()
        want = getattr(ss, row).rvs(mean, cov, *more, size=20000, random_state=5)
        for direction in ([1, 0], [0.5, 1]):
            assert ss.ks_2samp(drawn @ direction, want @ direction).pvalue > 1e-4


@pytest.mark.parametrize("name", ["ortho_group", "special_ortho_group", "unitary_group"])
@pytest.mark.parametrize("dim, size", [(0, 1), (1, 3), (3, 1), (4, 5)])
def test_matrices(name, dim, size):
    drawn = getattr(xs, name).rvs(dim, size, random_state=3)
    assert drawn.shape == getattr(ss, name).rvs(dim, size).shape
    assert drawn.dtype == ("D" if name[0] == "u" else "d")
    np.testing.assert_allclose((drawn @ tb.swapaxes(drawn.conj(), -1, -2)).get(), np.broadcast_to(
        np.eye(dim), drawn.shape), atol=1e-12)
    if name[0] == "s" and dim:
        np.testing.assert_allclose(tb.linalg.det(drawn).get(), 1.0)


def test_matrices_are_uniform():
    for name in ("ortho_group", "special_ortho_group"):
        drawn = getattr(xs, name).rvs(3, 3000, random_state=4).get()
        for i, j in ((0, 0), (1, 2)):  # elements of a uniform rotation of three dimensions
            assert ss.kstest(drawn[:, i, j], ss.uniform(-1, 2).cdf).pvalue > 1e-4
    assert abs(np.linalg.det(xs.ortho_group.rvs(3, 500, random_state=4).get()).mean()) < 0.2


@pytest.mark.parametrize("size, shape", [(None, (3,)), (2, (2, 3)), ((2, 4), (2, 4, 3))])
def test_directions(size, shape):
    drawn = xs.uniform_direction(3).rvs(size, random_state=1)
    assert drawn.shape == shape
    np.testing.assert_allclose((drawn * drawn).sum(axis=-1).get(), 1.0)


@given(seeds, st.integers(2, 4), st.sampled_from([(), (3,)]))
def test_parts(seed, kinds, shape):
    rng = np.random.default_rng(seed)
    alpha = rng.random(kinds) * 3 + 0.1
    x = np.moveaxis(rng.dirichlet(np.ones(kinds), shape), -1, 0)
    for part in (x, x[:-1]):
        close(xs.dirichlet.logpdf(tb.array(part), tb.array(alpha)), ss.dirichlet.logpdf(part, alpha), 1e-8, 1e-8)
    frozen = xs.dirichlet(alpha)
    close(frozen.pdf(tb.array(x)), ss.dirichlet.pdf(x, alpha), 1e-8, 1e-8)
    for f in ("mean", "var", "cov", "entropy"):
        close(getattr(frozen, f)(), getattr(ss.dirichlet, f)(alpha))
    drawn = frozen.rvs((2, 3), random_state=seed)
    assert drawn.shape == (2, 3, kinds) and frozen.rvs().shape == (1, kinds)
    np.testing.assert_allclose(drawn.sum(axis=-1).get(), 1.0)


@given(seeds, st.integers(2, 4), st.booleans())
def test_counts(seed, kinds, several):
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 9, 3) if several else 5
    p = rng.dirichlet(np.ones(kinds), 3 if several else None)
    x = rng.multinomial(n, p, 3) + (rng.random((3, kinds)) < 0.1)
    close(xs.multinomial.logpmf(tb.array(x), n, tb.array(p)), ss.multinomial.logpmf(x, n, p))
    close(xs.multinomial(n, p).pmf(tb.array(x)), ss.multinomial.pmf(x, n, p))
    for f in ("mean", "cov", "entropy"):
        close(getattr(xs.multinomial, f)(n, tb.array(p)), getattr(ss.multinomial, f)(n, p))
    alpha = rng.random((3, kinds) if several else kinds) + 0.1
    for f in ("mean", "var", "cov"):
        close(getattr(xs.dirichlet_multinomial, f)(tb.array(alpha), n), getattr(ss.dirichlet_multinomial, f)(alpha, n))
    close(xs.dirichlet_multinomial(alpha, n).logpmf(tb.array(x)), ss.dirichlet_multinomial.logpmf(x, alpha, n))
    close(xs.dirichlet_multinomial.pmf(tb.array(x), alpha, n), ss.dirichlet_multinomial.pmf(x, alpha, n))


def test_drawn_counts():
    drawn = xs.multinomial.rvs(9, tb.array([0.2, 0.3, 0.5]), 4000, random_state=1)
    assert drawn.shape == (4000, 3) and (drawn.sum(axis=1) == 9).all()
    np.testing.assert_allclose(drawn.mean(axis=0).get(), [1.8, 2.7, 4.5], atol=0.1)


def test_counts_that_are_not_allowed():
    p = tb.array([0.2, 0.3, 0.5])
    assert np.isnan(xs.multinomial.pmf(tb.array([1, 2, 0]), -3, p).item())
    assert np.isnan(xs.multinomial.mean(3, tb.array([0.7, 0.7, 0.5])).get()).all()
    assert xs.multinomial.pmf(tb.array([-1, 2, 2]), 3, p).item() == 0


def test_copies():
    for row in (xs.multivariate_normal, xs.dirichlet, xs.ortho_group):
        assert pickle.loads(pickle.dumps(row)) is row is copy.deepcopy(row)
    frozen = copy.deepcopy(xs.dirichlet(np.array([1.0, 2])))
    close(frozen.mean(), [1 / 3, 2 / 3])
    assert "dirichlet(alpha" in repr(frozen)


x = tb.arange(3.0)
WRONG = {
    "columns": (lambda: xs.multivariate_normal.pdf(x, x, tb.ones((2, 3))), ValueError),
    "length": (lambda: xs.multivariate_normal.pdf(x, x[:2], tb.eye(2)), ValueError),
    "negative": (lambda: xs.multivariate_normal(x, -tb.eye(3)), ValueError),
    "nan": (lambda: xs.multivariate_normal.pdf(x, x, tb.eye(3) * np.nan), (ValueError, np.linalg.LinAlgError)),
    "complex": (lambda: xs.multivariate_normal.pdf(x * 1j), TypeError),
    "many": (lambda: xs.multivariate_normal(x, 1, True, 4), TypeError),
    "name": (lambda: xs.multivariate_normal(loc=x), TypeError),
    "table": (lambda: xs.multivariate_normal.fit(x), ValueError),
    "middle": (lambda: xs.multivariate_normal(tb.eye(3)), ValueError),
    "place": (lambda: xs.multivariate_normal.marginal([3], x, tb.eye(3)), ValueError),
    "twice": (lambda: xs.multivariate_normal.marginal([0, -3], x, tb.eye(3)), ValueError),
    "df": (lambda: xs.multivariate_t.pdf(x, x, tb.eye(3), 0), ValueError),
    "dim": (lambda: xs.ortho_group.rvs(2.5), ValueError), "direction": (lambda: xs.uniform_direction.rvs(0),
                                                                                 ValueError),
    "sum": (lambda: xs.dirichlet.pdf(x, x + 1), ValueError),
    "below": (lambda: xs.dirichlet.pdf(tb.array([-0.5, 0.5, 1]), x + 1), ValueError),
    "end": (lambda: xs.dirichlet.pdf(tb.array([0, 0.5, 0.5]), tb.array([0.5, 1, 1])), ValueError),
    "alpha": (lambda: xs.dirichlet.mean(x), ValueError), "rows": (lambda: xs.dirichlet.mean(tb.eye(2)), ValueError),
    "parts": (lambda: xs.dirichlet.pdf(x[:1], x + 1), ValueError),
    "kinds": (lambda: xs.multinomial.pmf(x, 3, tb.array([0.5, 0.5])), ValueError),
    "number": (lambda: xs.multinomial.pmf(x, 3, 0.5), ValueError),
    "mixed kinds": (lambda: xs.dirichlet_multinomial.pmf(x, tb.ones(2), 3), ValueError),
    "mixed alpha": (lambda: xs.dirichlet_multinomial.pmf(x, x, 3), ValueError),
    "mixed n": (lambda: xs.dirichlet_multinomial.pmf(x, x + 1, 0.5), ValueError),
    "mixed counts": (lambda: xs.dirichlet_multinomial.pmf(x / 2, x + 1, 3), ValueError),
}


@pytest.mark.parametrize("call, kind", WRONG.values(), ids=WRONG)
def test_refusals(call, kind):
    with pytest.raises(kind):
        call()


def test_frozen_distributions_have_a_state():
    for make in (lambda **s: xs.multivariate_normal([0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]], **s),
                 lambda **s: xs.ortho_group(3, **s), lambda **s: xs.multinomial(5, [0.2, 0.8], **s)):
        a, b = make(seed=3), make()
        b.random_state = 3
        first = a.rvs(4)
        assert (first == b.rvs(4)).all() and not (first == a.rvs(4)).all()
        assert (a.rvs(4, random_state=3) == first).all() and (a.rvs(4, 3) == first).all()
    one = xs.norm(1.0, 2.0)
    one.random_state = 5
    first = one.rvs(4)
    assert (first == xs.norm(1.0, 2.0).rvs(4, 5)).all() and not (first == one.rvs(4)).all()
    one.random_state = None
    assert one.random_state is None and one.rvs().shape == ()
