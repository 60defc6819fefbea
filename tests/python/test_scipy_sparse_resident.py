"""lsqr and lsmr by the kernel that takes many steps: the CPU runs it, too, by one block or several."""

import math
from types import SimpleNamespace

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse as ss
import scipy.sparse.linalg as sl

import tombac as tb
import tombacx.scipy.sparse as xs
import tombacx.scipy.sparse.linalg as xl
from tombac.cuda import nvrtc
from tombacx.scipy.sparse.linalg import _least_squares, _recurrence, _resident

SOLVERS = ["lsqr", "lsmr"]


class Runs(list):
    """The numbers of blocks of the runs; what is to be so of the next ones."""

    def __init__(self, monkeypatch):
        self.monkeypatch = monkeypatch
        run = _resident.Resident.run

        def noted(resident, limit):
            self.append(resident.blocks)
            return run(resident, limit)

        monkeypatch.setattr(_least_squares.Problem, "by_routine", lambda *_: None)
        monkeypatch.setattr(_least_squares, "suits", lambda operator, dtype: 0 not in operator.shape)
        monkeypatch.setattr(_resident.Resident, "run", noted)

    def let(self, blocks=1, steps=None, room=None):
        if blocks > 1:
            self.monkeypatch.setattr(_resident, "_FEW", 0)
            self.monkeypatch.setattr(_resident, "_THREADS", 64)
        attributes = {"MultiProcessorCount": blocks, "MaxSharedMemoryPerBlockOptin": room or 48 << 10}
        self.monkeypatch.setattr(_resident, "_attribute", lambda name, default: attributes[name])
        if steps:
            self.monkeypatch.setattr(_resident, "_STEPS", steps)


@pytest.fixture
def runs(monkeypatch):
    kernels = _resident._kernel  # which remember how much shared memory they have
    kernels.cache_clear()
    yield Runs(monkeypatch)
    kernels.cache_clear()


def system(shape, dtype="d", density=0.2, index="i4", seed=0):
    """A matrix that is well conditioned if it is square or high, and a right-hand side."""
    rng = np.random.default_rng(seed)
    a = ss.random(*shape, density, format="csr", rng=rng) + ss.eye(*shape, format="csr")
    a = a.astype(dtype)
    if a.dtype.kind == "c":
        a.data += 1j * rng.standard_normal(a.nnz)
    a = ss.csr_matrix((a.data, a.indices.astype(index), a.indptr.astype(index)), a.shape)
    a.indices, a.indptr = a.indices.astype(index), a.indptr.astype(index)
    return a, rng.standard_normal(shape[0]).astype(dtype)


def limited(name, steps):
    return {"iter_lim" if name == "lsqr" else "maxiter": steps}


def check(name, a, b, tol=1e-7, sparse=True, **kw):
    found = getattr(xl, name)(xs.csr_matrix(a) if sparse else tb.array(a.toarray()), tb.array(b),
                              **kw | ({"x0": tb.array(kw["x0"])} if "x0" in kw else {}))
    expected = getattr(sl, name)(a if sparse else a.toarray(), b, **kw)
    assert found[1] == expected[1]
    assert abs(found[2] - expected[2]) <= 1  # where rounding decides when it is precise enough
    assert found[0].dtype == expected[0].dtype
    scale = max(1, np.abs(expected[0]).max(initial=0))
    if found[2] != expected[2]:
        tol = max(tol, 50 * kw.get("atol", 0))
    np.testing.assert_allclose(found[0].get(), expected[0], atol=tol * scale)
    exact = expected[3] < 1e-12  # then rounding decides whether a step comes to 0, which norms leave out
    # Of the others, which are estimates, rounding changes what comes after some steps.
    if found[2] == expected[2] and not exact:
        norms = range(3, 9 if name == "lsqr" else 8) if found[2] <= 8 else [3, 4, 8] if name == "lsqr" else [3, 7]
        np.testing.assert_allclose([found[i] for i in norms], [expected[i] for i in norms], rtol=tol, atol=tol)
    return found, expected


@pytest.mark.parametrize("blocks", [1, 3])
@pytest.mark.parametrize("dtype", list("dfDF"))
@pytest.mark.parametrize("name", SOLVERS)
def test_dtypes(runs, name, dtype, blocks):
    runs.let(blocks)
    check(name, *system((90, 70), dtype), tol=1e-3 if dtype in "fF" else 1e-5, **limited(name, 12))
    assert runs == [blocks]


@pytest.mark.parametrize("kw", [{}, {"damp": 0.3}, {"x0": np.linspace(0, 1, 40)}, {"conlim": 5.0}, {"atol": 1e-3}],
                         ids=lambda kw: "-".join(kw))
@pytest.mark.parametrize("name", SOLVERS)
def test_options(runs, name, kw):
    runs.let(2, steps=7)
    check(name, *system((60, 40)), tol=1e-4, **kw)
    check(name, *system((60, 40)), tol=1e-4, sparse=False, **kw)
    assert runs == [2, 2]


def test_variances(runs):
    runs.let(2, steps=7)
    found, expected = check("lsqr", *system((60, 40)), tol=1e-5, calc_var=True, iter_lim=9)
    np.testing.assert_allclose(found[9].get(), expected[9], rtol=1e-5)


@pytest.mark.parametrize("index", ["i4", "i8"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 300), (300, 1), (30, 200), (200, 30)])
@pytest.mark.parametrize("name", SOLVERS)
def test_shapes(runs, name, shape, index):
    """A row that all lanes share, also more elements than they ask for at once; and 64 bits of places."""
    runs.let(3)
    a, b = system(shape, density=0.5, index=index)
    assert xs.csr_matrix(a).indices.dtype == index
    check(name, a, b, tol=1e-5, **limited(name, 20))


@pytest.mark.parametrize("room", [2048, 4096, 48 << 10])
def test_room(runs, room):
    """Whatever stays in shared memory."""
    runs.let(2, room=room)
    a, b = system((300, 200), density=0.05)
    check("lsqr", a, b, tol=1e-5, **limited("lsqr", 15))


@pytest.mark.parametrize("name", SOLVERS)
def test_uneven(runs, name):
    """Rows and columns without elements, and with all of them."""
    runs.let(4)
    a, b = system((200, 150), density=0.02)
    a = a.tolil()
    a[::3] = 0
    a[:, ::4] = 0
    a[7] = 1
    a[:, 9] = 1
    a = a.tocsr()
    check(name, a, b, tol=1e-5, **limited(name, 8))
    many = ss.csr_matrix((np.repeat(a.data, 2) / 2, np.repeat(a.indices, 2), 2 * a.indptr), a.shape)
    assert not many.has_canonical_format
    check(name, many, b, tol=1e-5, **limited(name, 8))


@pytest.mark.parametrize("blocks", [1, 2])
@pytest.mark.parametrize("steps", [1, 2, 3, 5, 6, 7, 13])
@pytest.mark.parametrize("name", SOLVERS)
def test_limits(runs, name, steps, blocks):
    """Launches of three steps: limits on either side of their ends."""
    runs.let(blocks, steps=3)
    a, b = system((50, 30))
    found, _ = check(name, a, b, tol=1e-6, **limited(name, steps))
    assert found[1:3] == (7, steps)


@pytest.mark.parametrize("steps", [1, 2, 256])
@pytest.mark.parametrize("name", SOLVERS)
def test_end_anywhere(runs, name, steps):
    """Whether it ends in a launch or between two does not matter."""
    runs.let(2, steps=steps)
    a, b = system((50, 30))
    found, _ = check(name, a, b, tol=1e-5)
    assert found[1] == 2 and found[2] < 60


@pytest.mark.parametrize("name", SOLVERS)
def test_same_numbers(runs, name):
    """Sums are added up in one order."""
    runs.let(3)
    a, b = system((300, 200), density=0.05)
    once, again = (getattr(xl, name)(xs.csr_matrix(a), tb.array(b)) for _ in range(2))
    assert once[1:8] == again[1:8]
    np.testing.assert_array_equal(once[0].get(), again[0].get())


@pytest.mark.parametrize("name", SOLVERS)
def test_nothing(runs, name):
    """No elements, or a right-hand side that is zero or orthogonal to all columns: no step is taken."""
    runs.let(2)
    nothing = ss.csr_matrix((40, 30))
    check(name, nothing, np.ones(40))
    a, b = system((40, 30))
    check(name, a, 0 * b)
    a = ss.csr_matrix(np.diag([1.0, 2, 0]))
    check(name, a, np.array([0, 0, 1.0]))
    assert runs == []
    check(name, a, np.array([1, 1, 1.0]))  # ends with a length of 0
    assert runs == [1]


@pytest.mark.parametrize("blocks", [1, 2])
@pytest.mark.parametrize("name", SOLVERS)
def test_nan(runs, name, blocks):
    """Blocks meet whatever their sums are."""
    runs.let(blocks)
    a, b = system((70, 70))
    a.data[11] = np.nan
    found = getattr(xl, name)(xs.csr_matrix(a), tb.array(b), **limited(name, 40))
    assert found[1:3] == (7, 40) and np.isnan(found[0].get()).any() and runs == [blocks]


@pytest.mark.parametrize("name", SOLVERS)
def test_arguments_stay(runs, name):
    runs.let(2)
    a, b = system((60, 40), density=0.1)
    A, B, x0 = xs.csr_matrix(a), tb.array(b), tb.ones(40)
    getattr(xl, name)(A, B, x0=x0)
    np.testing.assert_array_equal(A.toarray().get(), a.toarray())
    np.testing.assert_array_equal(B.get(), b)
    assert (x0 == 1).all()


def test_integers(runs):
    runs.let(2)
    a, b = system((60, 40))
    check("lsqr", ss.csr_matrix(np.rint(9 * a.toarray()).astype("i4")), b, tol=1e-5, **limited("lsqr", 9))


special = st.sampled_from([0.0, -0.0, 1.0, np.inf, -np.inf, np.nan])
numbers = st.one_of(st.floats(width=64, allow_subnormal=False), special)


def everything(f, a, b):
    """Each function that recurrences of numbers use."""
    return (a + b, 2 - b, a * 3, a / b, 1 / a, -a, abs(b), a**2, f.hypot(a, b), f.sqrt(a), f.sign(b),
            f.maximum(a, b), f.minimum(a, b), f.where(a < b, a, 7), f.where(a == b, math.inf, b),
            f.where(1 + a <= 1, 1.5, a), f.where(a >= b, a - b, b), f.where(a != b, 1.0, 2.0), f.where(a > 2, a, b))


@hypothesis.settings(deadline=None)
@hypothesis.given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=20))
def test_recurrences(rows):
    """What a kernel computes is what the host does."""
    owner = SimpleNamespace(f=_recurrence.HOST, a=np.float64(1), b=np.float64(2), other="no number")
    part = SimpleNamespace(sum=np.float64(1))

    def change(x):
        owner.a, owner.b, part.sum = owner.b, owner.a * x, part.sum + x
        return everything(owner.f, owner.a, x)

    state = _recurrence.State(owner, part)
    lines = state.written(change, "given[3 * i + 2]")
    assert (owner.a, owner.b, part.sum, owner.f) == (1, 2, 1, _recurrence.HOST) and state.place("b") == 1
    count = lines.count("made[")
    kernel = tb.RawKernel(f"""
        inline __device__ double magnitude(double x) {{ return fabs(x); }}
        extern "C" __global__ void recur(const double *given, double *all_made, double *all_state)
        {{
            const int i = threadIdx.x;
            double state[3] = {{given[3 * i], given[3 * i + 1], 1}}, *made = all_made + {count} * i;
            {lines}
            for (int k = 0; k < 3; k++) all_state[3 * i + k] = state[k];
        }}""", "recur")
    made, after = tb.zeros((len(rows), count)), tb.zeros((len(rows), 3))
    kernel((1,), (len(rows),), (tb.array(rows), made, after))
    for (a, b, x), found, end in zip(rows, made.get(), after.get(), strict=True):
        state.set([np.float64(a), np.float64(b), np.float64(1)])
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(found, change(np.float64(x)), rtol=1e-14)
            np.testing.assert_allclose(end, state.get(), rtol=1e-14)


def test_elements():
    """Arrays that do not change are not written, and those that are not needed not read."""
    owner = SimpleNamespace(x=tb.zeros(2), y=tb.zeros(2), z=tb.zeros(2), n=3)

    def change(v):
        owner.x = owner.x + 2 * v * owner.y

    names, lines = _recurrence.elements(owner, change, "v")
    assert names == ["x", "y"] and lines.count("] = ") == 1 and isinstance(owner.x, tb.ndarray)


def test_lanes():
    assert [_resident._lanes(each, False) for each in (0, 5, 8, 9, 40, 1e6)] == [1, 1, 1, 2, 8, 32]
    assert [_resident._lanes(each, True) for each in (0, 4, 5, 16, 40, 1e6)] == [1, 1, 2, 4, 16, 32]


def test_what_suits():
    on_gpu = tb.config.backend() != "cpu"
    assert _resident.suits(xl.aslinearoperator(tb.eye(3)), np.dtype("d")) == on_gpu
    assert _resident.suits(xl.aslinearoperator(xs.eye(3)), np.dtype("d")) == on_gpu
    assert not _resident.suits(xl.aslinearoperator(xs.eye(3)) * 2, np.dtype("d"))
    assert not _resident.suits(xl.aslinearoperator(xs.csr_matrix((3, 0))), np.dtype("d"))
    large = xl.aslinearoperator(tb.broadcast_to(tb.zeros(()), (1 << 14, 1 << 12)))
    assert not _resident.suits(large, np.dtype("d"))


@pytest.mark.parametrize("arch", [75, 120])
@pytest.mark.parametrize("dtype", list("dfDF"))
@pytest.mark.parametrize("name", SOLVERS)
def test_nvrtc(runs, monkeypatch, name, dtype, arch):
    """No warning for the oldest and the newest architecture."""
    try:
        nvrtc.getVersion()
    except (ImportError, OSError, RuntimeError):
        pytest.skip("NVRTC is not installed (nvidia-cuda-nvrtc)")
    runs.let(2)
    texts = []

    def noted(text, device):
        texts.append(text)
        raise InterruptedError

    monkeypatch.setattr(_resident, "_kernel", noted)
    a, b = system((60, 40), dtype)
    for matrix in (xs.csr_matrix(a), tb.array(a.toarray())):
        with pytest.raises(InterruptedError):
            getattr(xl, name)(matrix, tb.array(b))
    for text in texts:
        program = nvrtc.createProgram(text, "resident.cu", [], [])
        nvrtc.compileProgram(program, [f"--gpu-architecture=sm_{arch}", "--std=c++17"])
        assert nvrtc.getProgramLog(program) == ""
        nvrtc.destroyProgram(program)
    assert len(texts) == 2
