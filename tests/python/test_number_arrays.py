"""Arrays of no dimension in place of numbers: what is read on the host takes them alone and within sequences, as NumPy
and SciPy do."""

import numpy as np
import pytest
import tombac as tb
from tombac.lib.stride_tricks import sliding_window_view
from tombac.polynomial import hermite, polynomial
from tombacx.scipy import fft, integrate, interpolate, linalg, ndimage, optimize, signal, sparse, stats
from tombacx.scipy.sparse.linalg import svds

IMAGE = tb.array(np.random.default_rng(0).normal(size=(6, 7)))
LINE = tb.array(np.random.default_rng(1).normal(size=12))

# n(x) is x, or an array of it.
CALLS = {
    "roll": lambda n: tb.roll(IMAGE, n(2)),
    "roll along": lambda n: tb.roll(IMAGE, n(-1), 1),
    "roll along two": lambda n: tb.roll(IMAGE, (n(2), 1), (0, n(1))),
    "rot90": lambda n: tb.rot90(IMAGE, n(3)),
    "pad": lambda n: tb.pad(IMAGE, ((n(2), 1), (0, n(1)))),
    "pad one": lambda n: tb.pad(IMAGE, n(2), constant_values=((n(0.5), 1), (0, 2))),
    "pad dict": lambda n: tb.pad(IMAGE, {0: (n(1), 2)}),
    "percentile": lambda n: tb.percentile(LINE, [n(25.0), 50]),
    "quantile": lambda n: tb.quantile(LINE, [n(0.25), 0.1]),
    "histogram": lambda n: tb.histogram(LINE, [n(-1.0), n(0.0), n(2.0)]),
    "histogram range": lambda n: tb.histogram(LINE, n(3), (n(-1.0), n(2.0))),
    "histogramdd": lambda n: tb.histogramdd((LINE, LINE), [[n(-1.0), n(2.0)], [-1.0, n(0.0), n(2.0)]])[0],
    "delete": lambda n: tb.delete(LINE, [n(-1), 2]),
    "insert": lambda n: tb.insert(LINE, [n(-1), 2], 0.0),
    "logspace": lambda n: tb.logspace(0, 1, 4, base=[n(2.0), 3.0]),
    "shape": lambda n: tb.array([*tb.shape([n(1), n(2)]), tb.ndim([[n(1)]]), tb.size([n(1), 2])]),
    "sliding_window_view": lambda n: sliding_window_view(LINE, n(3)),
    "sliding_window_view of two": lambda n: sliding_window_view(IMAGE, (n(3), 2)),
    "norm": lambda n: tb.linalg.norm(IMAGE, n(1)),
    "norm of a vector": lambda n: tb.linalg.norm(LINE, n(3)),
    "matrix_norm": lambda n: tb.linalg.matrix_norm(IMAGE, ord=n(-1)),
    "vector_norm": lambda n: tb.linalg.vector_norm(IMAGE, ord=n(np.inf)),
    "sum": lambda n: IMAGE.sum(0, initial=n(2.0)),
    "max": lambda n: tb.max(IMAGE, 1, initial=n(1.0)),
    "constant edges": lambda n: ndimage.uniform_filter(IMAGE, 3, mode="constant", cval=n(2.0)),
    "constant edges of one axis": lambda n: ndimage.convolve1d(IMAGE, [1.0, 2], mode="constant", cval=n(2.0)),
    "constant edges of points": lambda n: ndimage.shift(IMAGE, n(1.5), mode="constant", cval=n(2.0)),
    "polyint": lambda n: polynomial.polyint(LINE, n(2), [n(1.0), 2.0]),
    "randint": lambda n: tb.random.RandomState(1).randint(0, 40, (n(3),)),
    "simpson": lambda n: integrate.simpson(LINE, dx=n(2.0)),
    "simpson of odd": lambda n: integrate.simpson(LINE[1:], dx=n(2.0)),
    "solve_ivp": lambda n: integrate.solve_ivp(lambda t, y: -y, (n(0.0), 1), tb.ones(1), t_eval=[n(0.25), 0.5]).y,
    "fftn": lambda n: fft.fftn(IMAGE, (n(4), 5), axes=(n(1), 0)),
    "fht": lambda n: fft.fht(LINE, n(0.5), n(0.25), n(0.1), n(0.2)),
    "dct": lambda n: fft.dct(LINE, type=n(3)),
    "dstn": lambda n: fft.dstn(IMAGE, type=n(4)),
    "convolve2d": lambda n: signal.convolve2d(IMAGE, IMAGE[:2, :2], fillvalue=n(0.5)),
    "correlate2d": lambda n: signal.correlate2d(IMAGE, IMAGE[:2, :2], fillvalue=[n(0.5)]),
    "savgol_filter": lambda n: signal.savgol_filter(LINE, n(5), n(2), n(1), n(0.5)),
    "unit_impulse": lambda n: signal.unit_impulse(5, n(1)),
    "unit_impulse of two": lambda n: signal.unit_impulse((3, 4), (n(1), 2)),
    "lfilter": lambda n: signal.lfilter([1.0, n(0.5)], [n(1.0), 0.25], LINE),
    "filtfilt": lambda n: signal.filtfilt([1.0, n(0.5)], [1.0], LINE),
    "convolve": lambda n: ndimage.convolve(IMAGE, [[n(2.0), 1]], origin=n(0)),
    "convolve1d": lambda n: ndimage.convolve1d(IMAGE, [n(2.0), 1.0], n(0), origin=n(-1)),
    "uniform_filter": lambda n: ndimage.uniform_filter(IMAGE, (n(3), 2), origin=(n(-1), 0)),
    "uniform_filter1d": lambda n: ndimage.uniform_filter1d(IMAGE, n(3), origin=n(1)),
    "maximum_filter": lambda n: ndimage.maximum_filter(IMAGE, n(3), origin=n(1)),
    "median_filter": lambda n: ndimage.median_filter(IMAGE, n(3), origin=(n(1), 0)),
    "gaussian_filter": lambda n: ndimage.gaussian_filter(IMAGE, (n(1.0), 2), order=(n(1), 0)),
    "gaussian_filter1d": lambda n: ndimage.gaussian_filter1d(IMAGE, n(1.0), order=n(2)),
    "affine_transform": lambda n: ndimage.affine_transform(IMAGE, [1, n(0.5)], [n(0.5), 1], order=n(2)),
    "geometric_transform": lambda n: ndimage.geometric_transform(LINE, lambda i: (i[0] * n(0.5),), order=1),
    "shift": lambda n: ndimage.shift(IMAGE, (n(0.5), 1), order=n(3)),
    "spline_filter": lambda n: ndimage.spline_filter(IMAGE, order=n(3)),
    "generate_binary_structure": lambda n: ndimage.generate_binary_structure(n(2), n(1)),
    "moment": lambda n: stats.moment(LINE, [n(2), 3]),
    "eye": lambda n: sparse.eye(n(4), k=n(1)).toarray(),
    "spdiags": lambda n: sparse.spdiags(IMAGE, [n(1), -1, 0, 2, 3, 4], 7, 7).toarray(),
    "expand_dims": lambda n: sparse.expand_dims(sparse.coo_array(IMAGE), axis=n(1)).toarray(),
    "fractional_matrix_power": lambda n: linalg.fractional_matrix_power(IMAGE[:, :6] @ IMAGE[:, :6].T, n(0.5)),
    "lu_solve": lambda n: linalg.lu_solve(linalg.lu_factor(IMAGE[:, :6]), LINE[:6], n(1)),
    "qr_delete": lambda n: linalg.qr_delete(*linalg.qr(IMAGE), n(1)),
    "eig_banded": lambda n: linalg.eig_banded(IMAGE[:2], select="i", select_range=(n(0), 2))[0],
    "krogh_interpolate": lambda n: interpolate.krogh_interpolate(tb.arange(12.0), LINE, LINE, n(1)),
    "hermgauss": lambda n: hermite.hermgauss(n(4)),
    "symiirorder2": lambda n: signal.symiirorder2(LINE, n(0.05), n(1.0)),
    "partition": lambda n: tb.partition(IMAGE, (n(2), 3)),
    "matmul axes": lambda n: tb.matmul(IMAGE, LINE[:7], axes=[(0, 1), n(0), n(0)]),
    "diag_indices": lambda n: tb.stack(tb.diag_indices(n(3), n(2))),
    "choice": lambda n: tb.random.RandomState(1).choice([n(1.0), 2.0, 5.0], n(4)),
    "exponential": lambda n: tb.random.RandomState(1).exponential([n(1.0), 2.0]),
    "multinomial": lambda n: tb.random.RandomState(1).multinomial(n(9), [n(0.5), 0.5]),
    "boxcox": lambda n: stats.boxcox(LINE * LINE, n(0.5)),
    "boxcox of several": lambda n: stats.boxcox(LINE[:2] * LINE[:2], [n(0.5), 1.0]),
    "lmoment": lambda n: stats.lmoment(LINE, order=[n(2), 3]),
    "expectile": lambda n: stats.expectile(LINE, n(0.25)),
    "quantile_test": lambda n: tb.array(stats.quantile_test(LINE, q=n(0.5), p=n(0.25)).pvalue),
    "binomtest": lambda n: tb.array(stats.binomtest(n(3), n(9), n(0.25)).pvalue),
    "binned_statistic": lambda n: stats.binned_statistic(LINE, LINE, "sum", n(4), (n(-1.0), n(1.0))).statistic,
    "differential_entropy": lambda n: stats.differential_entropy(LINE, window_length=n(3)),
    "rvs": lambda n: stats.norm.rvs(size=n(3), random_state=n(1)),
    "bootstrap": lambda n: stats.bootstrap((LINE,), tb.mean, n_resamples=n(20), axis=n(0), rng=1).standard_error,
    "svds": lambda n: abs(svds(sparse.csr_matrix(IMAGE), k=n(2), rng=1)[1]),
    "compared": lambda n: (sparse.csr_matrix(IMAGE) > n(0.5)).toarray(),
    "invhilbert": lambda n: linalg.invhilbert(n(3)),
    "splev": lambda n: interpolate.splev(LINE, interpolate.splrep(tb.arange(12.0), LINE), ext=n(1)),
    "least_squares": lambda n: optimize.least_squares(lambda x: x - LINE, tb.zeros(12), diff_step=n(1e-7)).x,
    "iqr": lambda n: stats.iqr(LINE, rng=(n(10.0), 60), scale=n(2.0)),
    "power": lambda n: sparse.csr_matrix(IMAGE).power(n(2)).toarray(),
    "random": lambda n: tb.array(sparse.random(9, n(9), n(0.5), rng=1).nnz),
    "csr_matrix": lambda n: tb.array([*sparse.csr_matrix((n(5), n(2))).shape, *sparse.coo_matrix((n(5), 2)).shape]),
    "scipy.linalg.norm": lambda n: linalg.norm(IMAGE, n(1)),
}


def parts(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("name", CALLS)
def test_arrays_stand_for_numbers(name):
    call = CALLS[name]
    for want, got in zip(parts(call(lambda x: x)), parts(call(tb.array)), strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got.get(), want.get(), 1e-14)


def test_arguments_are_left_alone():
    k, shift, rank = tb.array(7), tb.array(3), tb.array(2)
    tb.rot90(IMAGE, k)
    tb.roll(LINE, shift)
    ndimage.generate_binary_structure(rank, rank)
    assert (int(k), int(shift), int(rank)) == (7, 3, 2)


def test_roll_by_arrays():
    a = np.arange(24).reshape(2, 3, 4)
    for shift, axis in [([1, 2], (0, 1)), ([3, -1], 2), ([], 0), (5, (0, 2))]:
        got = tb.roll(tb.array(a), tb.array(shift, dtype=int), axis)
        np.testing.assert_array_equal(got.get(), np.roll(a, np.array(shift, int), axis))
    np.testing.assert_array_equal(tb.roll(tb.array(a), tb.array(a).argmax()).get(), np.roll(a, a.argmax()))


def test_what_is_read():
    """Sequences without arrays stay what they are; others hold NumPy's of the same dtypes."""
    plain = [1, (2.0, "x"), [None]]
    assert tb._core._on_host(plain) is plain
    read = tb._core._on_host([1, (tb.array(2, "f"), [tb.ones(2)])])
    assert type(read[1]) is tuple and type(read[1][0]) is np.float32
    np.testing.assert_array_equal(read[1][1][0], np.ones(2))
    nested = []
    nested.append(nested)
    with pytest.raises(RecursionError):
        tb._core._on_host(nested)
