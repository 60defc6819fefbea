"""Other libraries on tombac's arrays, each as its users would: those that are not installed are passed over."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from strategies import same

import tombac as tb

ON_HOST = tb.zeros(1).__dlpack_device__()[0] == 1


def library(name):
    # Any ImportError: mpi4py is there without an MPI as well.
    return pytest.importorskip(name, reason=f"{name} is not installed", exc_type=ImportError)


@pytest.fixture
def pair():
    h = np.arange(12.0).reshape(3, 4) * 1.5 - 4
    return tb.array(h), h


# --- How they are told ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["import tombac, einops", "import einops, tombac"])
def test_the_order_of_imports_does_not_matter(order):
    library("einops")
    code = f"{order}\nprint(einops.reduce(tombac.ones((2, 3)), 'a b -> b', 'sum'))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[2. 2. 2.]\n"


def test_libraries_that_were_imported_before():
    for name in ("dask.array", "autoray", "opt_einsum"):
        library(name)
    code = "import numpy as np, dask.array as da, autoray, opt_einsum, tombac\n" \
           "print(da.from_array(tombac.arange(4.0), chunks=2).mean().compute(), da.mean.__module__)\n" \
           "print(type(autoray.to_numpy(tombac.ones(1))).__module__, len(opt_einsum.contract_expression(\n" \
           "    'ij,jk->ik', (2, 2), (2, 2))(np.ones((2, 2)), np.ones((2, 2)), backend='tombac')))\n"
    done = subprocess.run([sys.executable, "-W", "error::ImportWarning", "-c", code], capture_output=True, text=True)
    assert done.stdout == "1.5 dask.array.reductions\nnumpy 2\n", done.stderr


def test_nothing_is_imported_for_it():
    code = "import sys, tombac\n" \
           "names = ('autoray', 'dask', 'einops', 'opt_einsum', 'numpy', 'tombac._neighbour_tables')\n" \
           "print([n for n in names if n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_a_table_that_has_changed_does_not_hinder_the_import(tmp_path):
    package = tmp_path / "einops"
    package.mkdir()
    (package / "__init__.py").write_text("from einops import _backends\n")
    (package / "_backends.py").write_text("made = True\n")
    code = f"import sys, warnings; sys.path.insert(0, {str(tmp_path)!r}); import tombac\n" \
           "with warnings.catch_warnings(record=True) as told:\n" \
           "    warnings.simplefilter('always')\n" \
           "    import einops\n" \
           "print(einops._backends.made, type(einops._backends.__spec__.loader).__name__)\n" \
           "print([w.category.__name__ for w in told], 'einops._backends' in str(told[0].message))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "True SourceFileLoader\n['ImportWarning'] True\n", done.stderr


# --- NumPy ------------------------------------------------------------------------------------------------------------


def test_numpy_has_our_functions_run(pair):
    a, h = pair
    for f in (lambda x: np.mean(x, axis=0), lambda x: np.concatenate([x, x], axis=1), lambda x: np.percentile(x, 30),
              lambda x: np.linalg.norm(x), lambda x: np.einsum("ij,kj->ik", x, x), lambda x: np.full_like(x, 2),
              lambda x: np.pad(x, 1), lambda x: np.histogram(x, bins=3)[0], lambda x: np.where(x > 0, x, 0 * x)):
        assert type(f(a)) is tb.ndarray
        np.testing.assert_allclose(f(a).get(), f(h), rtol=1e-12)


@pytest.mark.parametrize("name, arguments", [
    ("array", ([1, 2],)), ("zeros", (3,)), ("ones", ((2, 2),)), ("full", (3, 7)), ("arange", (1, 5, 2)), ("eye", (3,)),
    ("identity", (2,)), ("tri", (3,)), ("asarray", ([1.5],)), ("require", ([1],)), ("fromiter", ([1, 2], int)),
    ("frombuffer", (b"12345678", "i4")), ("loadtxt", (["1 2", "3 4"],)), ("fromfunction", (lambda i: i * 2, (3,))),
])
def test_numpy_creates_what_is_like_ours(name, arguments):
    f = getattr(np, name)
    made = f(*arguments, like=tb.zeros(1))
    assert type(made) is tb.ndarray
    same(made, f(*arguments))


def test_what_is_not_there_is_named(pair):
    a, _ = pair
    with pytest.raises(TypeError, match="busday_count"):
        np.busday_count(a, a)
    with pytest.raises(TypeError, match="'isalpha'") as caught:
        np.strings.isalpha(a)
    assert "array(" not in str(caught.value)
    with pytest.raises(TypeError, match="'isnat', method '__call__'"):
        np.isnat(a)


def test_host_arrays_are_asked_for(pair):
    a, h = pair
    for f in (lambda: np.add(a, h), lambda: h + a, lambda: np.concatenate([a, h]), lambda: np.asarray(a),
              lambda: h.__iadd__(a), lambda: np.dot(h, a.T)):
        with pytest.raises(TypeError):
            f()
    assert not hasattr(a, "__array_interface__") and not hasattr(a, "__array_struct__")
    assert a.to_numpy().tolist() == h.tolist() and type(a.to_numpy()) is np.ndarray


# --- Dask -------------------------------------------------------------------------------------------------------------

DASK = {
    "mean": lambda d: d.mean(axis=0), "std": lambda d: d.std(), "var": lambda d: d.var(axis=1, ddof=1),
    "sum": lambda d: d.sum(), "nanmean": lambda d: (d * 1).mean(), "max": lambda d: d.max(axis=1),
    "cumsum": lambda d: d.cumsum(axis=0), "product": lambda d: d @ d.T, "slices": lambda d: d[1:, ::2] - 1,
    "mask": lambda d: d[d > 0], "map": lambda d: d.map_blocks(lambda x: x * 2), "rechunk": lambda d: d.rechunk(1) + 1,
    "overlap": lambda d: d.map_overlap(lambda x: x + 1, depth=1, boundary="reflect"), "all": lambda d: (d > 3).all(),
}


@pytest.mark.parametrize("name", DASK)
def test_dask(name, pair):
    da = library("dask.array")
    a, h = pair
    ours = DASK[name](da.from_array(a, chunks=2)).compute()
    assert isinstance(ours, tb.ndarray)
    np.testing.assert_allclose(ours.get(), DASK[name](da.from_array(h, chunks=2)).compute(), rtol=1e-12)


@pytest.mark.parametrize("name", ["tensordot", "einsum", "percentile", "nanmean", "where", "concatenate", "median"])
def test_dask_functions(name, pair):
    da = library("dask.array")
    functions = {
        "tensordot": lambda d: da.tensordot(d, d.T, 1), "einsum": lambda d: da.einsum("ij,kj->ik", d, d),
        "percentile": lambda d: da.percentile(d[:, 0], [0, 100]), "nanmean": lambda d: da.nanmean(d, axis=0),
        "where": lambda d: da.where(d > 0, d, 0), "concatenate": lambda d: da.concatenate([d, d]),
        "median": lambda d: da.median(d, axis=0),
    }
    ours, theirs = (functions[name](da.from_array(x, chunks=2)).compute() for x in pair)
    assert isinstance(ours, tb.ndarray)
    np.testing.assert_allclose(ours.get(), theirs, rtol=1e-12)


def test_dask_random_numbers():
    da = library("dask.array")
    d = da.random.default_rng(tb.random.default_rng(3)).standard_normal((40, 40), chunks=20)
    a = d.compute()
    assert isinstance(a, tb.ndarray) and a.shape == (40, 40) and len(tb.unique(a)) == 1600
    same(da.random.default_rng(tb.random.default_rng(3)).standard_normal((40, 40), chunks=20).compute(), a.get())
    state = da.random.RandomState(3, RandomState=tb.random.RandomState)
    assert isinstance(state.normal(size=10, chunks=5).compute(), tb.ndarray)


def test_dask_creates_our_blocks(pair):
    da = library("dask.array")
    import dask

    with dask.config.set({"array.backend": "tombac"}):
        for d in (da.ones((4, 4), chunks=2), da.arange(6, chunks=3), da.full(3, 2.0), da.zeros(3)):
            assert isinstance(d._meta, tb.ndarray) and isinstance(d.compute(), tb.ndarray)
        assert isinstance(da.random.default_rng(1).random(3).compute(), tb.ndarray)
        assert isinstance(da.from_array(pair[1], chunks=2).to_backend("tombac").compute(), tb.ndarray)
    assert isinstance(da.from_array(pair[0], chunks=2).to_backend("numpy").compute(), np.ndarray)


def test_dask_names_and_measures_blocks(pair):
    library("dask.array")
    from dask.base import tokenize
    from dask.sizeof import sizeof

    a, _ = pair
    assert tokenize(a) == tokenize(a.copy()) != tokenize(a + 1)
    assert sizeof(a) == a.nbytes


def test_seed_sequences_have_children():
    generator = tb.random.default_rng(5)
    sequence = generator._bit_generator._seed_seq
    assert sequence is generator.bit_generator.seed_seq and sequence.entropy == 5
    one, two = (type(generator.bit_generator)(s) for s in sequence.spawn(2))
    assert not bool((tb.random.Generator(one).random(4) == tb.random.Generator(two).random(4)).any())
    given = np.random.SeedSequence(9)
    assert tb.random.XORWOW(given).seed_seq is given
    fresh = tb.random.XORWOW()
    assert fresh.seed_seq is fresh.seed_seq and fresh.seed_seq.entropy != tb.random.XORWOW().seed_seq.entropy


# --- Functions of tensors ---------------------------------------------------------------------------------------------


def test_einops(pair):
    einops = library("einops")
    a, h = pair
    for f in (lambda x: einops.rearrange(x, "a (b c) -> b a c", c=2), lambda x: einops.reduce(x, "a b -> a", "mean"),
              lambda x: einops.repeat(x, "a b -> a b c", c=2), lambda x: einops.einsum(x, x, "a b, c b -> a c"),
              lambda x: einops.rearrange([x, x], "k a b -> a k b"), lambda x: einops.pack([x, x], "* d")[0]):
        assert type(f(a)) is tb.ndarray
        np.testing.assert_allclose(f(a).get(), f(h), rtol=1e-12)
    assert type(einops.asnumpy(a)) is np.ndarray


def test_autoray(pair):
    ar = library("autoray")
    a, h = pair
    assert ar.infer_backend(a) == "tombac"
    assert type(ar.to_numpy(a)) is np.ndarray
    same(ar.do("complex", a, a), h + 1j * h)
    for name in ("exp", "sum", "transpose", "linalg.norm", "ravel", "conj", "trace"):
        np.testing.assert_allclose(ar.do(name, a).get(), ar.do(name, h), rtol=1e-12)
    assert type(ar.do("zeros", 3, like="tombac")) is tb.ndarray
    assert ar.get_dtype_name(ar.astype(a, "float32")) == "float32"
    x = ar.lazy.array(a)
    same((x @ x.T).compute(), h @ h.T)


def test_opt_einsum(pair):
    oe = library("opt_einsum")
    a, h = pair
    expected = oe.contract("ij,kj,kl->il", h, h, h)
    np.testing.assert_allclose(oe.contract("ij,kj,kl->il", a, a, a).get(), expected, rtol=1e-12)
    expression = oe.contract_expression("ij,kj->ik", (3, 4), (3, 4))
    assert type(expression(a, a)) is tb.ndarray
    made = expression(h, h, backend="tombac")  # NumPy's in, NumPy's out, computed here
    assert type(made) is np.ndarray
    np.testing.assert_allclose(made, h @ h.T, rtol=1e-12)
    fixed = oe.contract_expression("ij,jk->ik", h, (4, 3), constants=[0])
    np.testing.assert_allclose(fixed(h.T, backend="tombac"), h @ h.T, rtol=1e-12)
    fixed = oe.contract_expression("ij,jk->ik", a, (4, 3), constants=[0])
    assert type(fixed(a.T)) is tb.ndarray


# --- Labels -----------------------------------------------------------------------------------------------------------


def test_xarray(pair):
    xr = library("xarray")
    a, h = pair
    ours, theirs = (xr.DataArray(x, dims=("x", "y"), coords={"x": [1, 2, 3]}) for x in (a, h))
    for f in (lambda x: x.mean("x"), lambda x: (x + 1) * x[0], lambda x: np.exp(x), lambda x: x.where(x > 0).sum(),
              lambda x: x.sel(x=2), lambda x: xr.concat([x, x], "z"), lambda x: x.groupby("x").mean(),
              lambda x: x.fillna(0).std("y"), lambda x: x.rolling(x=2).mean(), lambda x: x.quantile(0.5, "x"),
              lambda x: xr.dot(x, x, dim="y"), lambda x: x.astype("f4"), lambda x: x.pad(x=1), lambda x: x.argmax("y")):
        assert type(f(ours).data) is tb.ndarray
        np.testing.assert_allclose(f(ours).to_numpy(), f(theirs).to_numpy(), rtol=1e-6)
    assert type(ours.as_numpy().data) is np.ndarray and ours.identical(ours.copy())
    assert "<xarray.DataArray" in repr(ours)
    with pytest.raises(TypeError, match="get"):
        ours.values


def test_pandas(pair):
    pd = library("pandas")
    a, h = pair
    same(tb.asarray(pd.Series([1.0, 2.0])), np.array([1.0, 2.0]))
    same(tb.array(pd.DataFrame({"a": [1, 2], "b": [3, 4]})), np.array([[1, 3], [2, 4]]))
    same(tb.asarray(pd.Index([1, 2])), np.array([1, 2]))
    assert (pd.DataFrame(a.get()).to_numpy() == h).all()
    for f in (lambda: pd.Series(a[0]), lambda: pd.Series(h[0]) + a[0], lambda: a[0] + pd.Series(h[0])):
        with pytest.raises(TypeError):
            f()


def test_pyarrow():
    pa = library("pyarrow")
    column = pa.array([1.5, 2.5])
    same(tb.asarray(column), np.array([1.5, 2.5]))
    assert pa.array(tb.asarray(column).get()).equals(column)
    if ON_HOST:
        shared = tb.from_dlpack(column)
        assert not shared.flags.writeable
        same(shared, np.array([1.5, 2.5]))


# --- The array API's users --------------------------------------------------------------------------------------------


def test_array_api_compat(pair):
    compat = library("array_api_compat")
    a, h = pair
    assert compat.array_namespace(a, a[0], 1.0) is tb
    assert compat.is_array_api_obj(a) and compat.is_writeable_array(a) and not compat.is_lazy_array(a)
    assert not compat.is_numpy_array(a) and compat.size(a) == 12
    assert compat.to_device(a, compat.device(a)) is not None
    with pytest.raises(TypeError):
        compat.array_namespace(a, h)


def test_array_api_extra(pair):
    xpx = library("array_api_extra")
    a, h = pair
    for f in (lambda x: xpx.atleast_nd(x, ndim=3), lambda x: xpx.cov(x), lambda x: xpx.kron(x, x),
              lambda x: xpx.at(x, x > 0).add(1), lambda x: xpx.nan_to_num(x), lambda x: xpx.setdiff1d(x, x[:1]),
              lambda x: xpx.apply_where(x > 0, x, lambda v: v + 1, lambda v: v - 1), lambda x: xpx.sinc(x)):
        ours = f(a)
        assert type(ours) is tb.ndarray
        np.testing.assert_allclose(ours.get(), f(h), rtol=1e-12)


SKLEARN = """
import numpy as np, sklearn, tombac
from sklearn import metrics, preprocessing
sklearn.set_config(array_api_dispatch=True)
h = np.random.default_rng(0).normal(size=(30, 3))
a, y = tombac.array(h), tombac.array((h[:, 0] > 0).astype(int))
for scaler in (preprocessing.StandardScaler, preprocessing.MinMaxScaler, preprocessing.MaxAbsScaler,
               preprocessing.Normalizer, preprocessing.PolynomialFeatures):
    made = scaler().fit_transform(a)
    assert type(made) is tombac.ndarray, scaler
    np.testing.assert_allclose(made.get(), scaler().fit_transform(h), rtol=1e-9, atol=1e-12)
assert metrics.accuracy_score(y, y) == 1 and metrics.r2_score(a, a) == 1
distances = metrics.pairwise.euclidean_distances(a, a)
np.testing.assert_allclose(distances.get(), metrics.pairwise.euclidean_distances(h, h), rtol=1e-6, atol=1e-6)
print('done')
"""


def test_scikit_learn():
    library("sklearn")
    library("array_api_compat")
    import os

    done = subprocess.run([sys.executable, "-W", "ignore", "-c", SKLEARN], capture_output=True, text=True,
                          env={**os.environ, "SCIPY_ARRAY_API": "1"})
    assert done.stdout == "done\n", done.stderr


# --- Processes, compilers, tensors ------------------------------------------------------------------------------------


def twice(x):
    return x * 2


def test_joblib(pair, tmp_path):
    joblib = library("joblib")
    a, h = pair
    joblib.dump({"a": a}, tmp_path / "a.joblib")
    same(joblib.load(tmp_path / "a.joblib")["a"], h)
    assert joblib.hash(a) == joblib.hash(a.copy()) != joblib.hash(a + 1)
    cached = joblib.Memory(tmp_path / "cache", verbose=0).cache(twice)
    assert not cached.check_call_in_cache(a)
    same(cached(a), h * 2)
    assert cached.check_call_in_cache(a)
    same(cached(a), h * 2)
    for made in joblib.Parallel(2, backend="threading")(joblib.delayed(twice)(a) for _ in range(3)):
        same(made, h * 2)


@pytest.mark.skipif(not ON_HOST, reason="processes of a GPU's own take long to start")
def test_joblib_processes(pair):
    joblib = library("joblib")
    large = tb.arange(200_000.0)  # more than what is put into memory maps
    sums = joblib.Parallel(2)(joblib.delayed(tb.sum)(x) for x in (large, pair[0]))
    assert float(sums[0]) == float(large.sum()) and isinstance(sums[1], tb.ndarray)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        same(pickle.loads(pickle.dumps(pair[0][::2], protocol)), pair[1][::2])


def test_numba(pair):
    numba = library("numba")

    @numba.njit
    def add_one(x):
        total = 0.0
        for i in range(x.shape[0]):
            total += x[i, 0]
            x[i, 0] += 1
        return total

    a, h = pair
    if ON_HOST:
        assert add_one(np.from_dlpack(a)) == h[:, 0].sum()  # the same memory
        h[:, 0] += 1
        same(a, h)
    with pytest.raises(TypeError, match="ufunc 'add_two'"):
        numba.vectorize(add_two)(a)
    with pytest.raises(Exception, match="pyobject|Cannot determine"):
        add_one(a)


def add_two(x):
    return x + 2


def test_mpi4py(pair):
    library("mpi4py.MPI")
    from mpi4py import MPI

    a, h = pair
    received = tb.zeros_like(a)
    if ON_HOST or "cuda" in MPI.Get_library_version().lower():
        MPI.COMM_SELF.Allreduce(a, received, op=MPI.SUM)
        same(received, h)
    same(MPI.COMM_SELF.bcast(a), h)


@pytest.mark.skipif(not ON_HOST, reason="torch and jax are tried on the host")
def test_torch(pair):
    torch = library("torch")
    a, h = pair
    t = torch.from_dlpack(a)
    t += 1
    same(a, h + 1)
    same(tb.from_dlpack(t), h + 1)
    same(tb.from_dlpack(t.T), h.T + 1)
    with pytest.raises((RuntimeError, BufferError)):
        tb.from_dlpack(torch.zeros(3, requires_grad=True))


@pytest.mark.skipif(not ON_HOST, reason="torch and jax are tried on the host")
def test_jax(pair):
    jnp = library("jax.numpy")
    a, h = pair
    a, h = a.astype("f"), h.astype("f")
    x = jnp.from_dlpack(a)
    same(tb.from_dlpack(x * 2), h * 2)
    assert not tb.from_dlpack(x * 2).flags.writeable
