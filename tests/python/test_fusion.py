"""Deferral and fusion: never a different number, hazards in program order, and the promised number of launches."""

import contextlib
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import tombac as tb
from tombac import config

pytestmark = pytest.mark.usefixtures("fused")

UFUNCS = sorted({f.__name__ for f in vars(tb).values() if isinstance(f, tb.ufunc)})


@contextlib.contextmanager
def counted():
    """The counters of a block, in a dict that is filled at its end."""
    found = {}
    config.compile_wait()
    tb.cuda.Device().synchronize()
    before = config.counters()
    yield found
    tb.cuda.Device().synchronize()
    found.update({k: v - before[k] for k, v in config.counters().items()})


def bits(a):
    """The bit pattern of every element; which NaN it is does not count."""
    h = np.ascontiguousarray(a.get())
    parts = h.view(h.real.dtype) if h.dtype.kind == "c" else h
    if parts.dtype.kind == "f":
        parts = np.where(np.isnan(parts), np.full_like(parts, np.nan), parts)
    return parts.tobytes()


def values(code, n=64):
    t = np.dtype(code)
    rng = np.random.default_rng(4)
    if t.kind == "b":
        return rng.integers(0, 2, n).astype(t)
    if t.kind in "iu":
        return rng.integers(0 if t.kind == "u" else -20, 20, n).astype(t)
    special = [0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5]
    real = np.concatenate([special, rng.standard_normal(n - 8) * 3])
    return real.astype(t) if t.kind == "f" else (real + 1j * rng.standard_normal(n)).astype(t)


# ---- the same bits ---------------------------------------------------------------------------------------------------


def chain(f, operands):
    """An expression around f: something before it, something behind it, every output used."""
    operands = [x if x.dtype == bool else x + x.dtype.type(1) for x in operands]
    out = f(*operands)
    out = out if isinstance(out, tuple) else (out,)
    return [tb.where(o, o, operands[0].dtype.type(0)) if o.dtype == bool else tb.add(o, o) for o in out]


@pytest.mark.parametrize("name", UFUNCS)
def test_fused_equals_unfused(name):
    f = getattr(tb, name)
    for sig in dict.fromkeys(t for t in f.types if "E" not in t):  # test_bfloat16.py has those
        operands = [values(c) for c in sig.split("->")[0]]
        fused = [bits(r) for r in chain(f, list(map(tb.array, operands)))]
        with config.fusion(False):
            unfused = [bits(r) for r in chain(f, list(map(tb.array, operands)))]
        assert fused == unfused, sig


@pytest.mark.parametrize("code", "efdFD")
def test_casts_round_inside_a_kernel(code):
    x = tb.array(values(code))

    def f(x):
        y = (x * 3).astype("e" if code in "efd" else "F") + 1
        return (y.astype(code) / 7).astype("f" if code in "efd" else "F") * x

    fused = bits(f(x))
    with config.fusion(False):
        assert bits(f(x)) == fused


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "var", "std", "argmax", "any", "cumsum"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_prologues_do_not_change_reductions(name, axis):
    a = tb.array(np.random.default_rng(0).standard_normal((70, 90)))
    f = getattr(tb, name)
    fused = bits(f(tb.exp(a) * 2 - a, axis))
    with config.fusion(False):
        assert bits(f(tb.exp(a) * 2 - a, axis)) == fused


# ---- hazards ---------------------------------------------------------------------------------------------------------


def both(program):
    """Runs a program on NumPy and on tombac; every array it returns must be equal."""
    want, got = program(np), program(tb)
    for w, g in zip(want, got):
        np.testing.assert_array_equal(g.get(), w)


def test_reading_before_a_write():
    def program(xp):
        x = xp.arange(6.0)
        y = x + 1
        x += 10
        z = x * 2
        x[...] = 0
        return x, y, z

    both(program)


def test_views_see_writes_and_pending_readers_do_not():
    def program(xp):
        x = xp.arange(12.0).reshape(3, 4)
        row, column = x[1], x[:, 2]
        before = row + column.sum()
        x *= 2
        after = row - column[0]
        row[:] = -1
        column += 100
        return x, row, column, before, after

    both(program)


def test_in_place_on_views():
    def program(xp):
        x = xp.arange(10.0)
        x[::2] += x[1::2]
        x[1:] *= 3
        v = x[2:8]
        v -= v[::-1]
        v **= 2
        return x, v

    both(program)


def test_overlapping_assignments():
    def program(xp):
        x = xp.arange(10.0)
        x[1:] = x[:-1]
        y = xp.arange(10.0)
        y[:-1] = y[1:] * 2
        z = xp.arange(16.0).reshape(4, 4)
        z[...] = z.T
        w = xp.arange(9.0)
        w[::-1] += w
        u = xp.arange(9.0)
        u[1:] += u[:-1]
        return x, y, z, w, u

    both(program)


def test_self_referring_updates():
    def program(xp):
        x = xp.arange(5.0)
        for _ in range(20):
            x += x * 0.5
            x -= xp.floor(x)
        y = x
        x = x + y
        return x, y

    both(program)


def test_out_while_read():
    def program(xp):
        x = xp.arange(6.0)
        y = x * 2
        z = y + 1
        xp.add(x, 5, out=y)
        xp.multiply(y, y, out=x)
        return x, y, z

    both(program)


def test_reductions_between_writes():
    def program(xp):
        x = xp.arange(6.0)
        a = x.sum()
        x += a
        b = x.max()
        x /= b
        return x, a, b

    both(program)


def test_long_chains_and_wide_graphs():
    def program(xp):
        x = xp.arange(10.0)
        for i in range(3000):
            x = x * 1.0001 + i % 3
        xs = [xp.arange(10.0) + i for i in range(100)]
        wide = sum(xs[1:], xs[0])
        deep = xs[0]
        for a in xs:
            deep = xp.where(deep > a, deep - a, deep + a)
        return x, wide, deep

    both(program)


def test_shared_subexpressions():
    def program(xp):
        x = xp.arange(8.0)
        for _ in range(40):
            x = x * 0.5 + x * 0.25
        return (x,)

    both(program)


def test_dropped_results_cost_nothing():
    x = tb.ones(100)
    with counted() as n:
        for _ in range(10):
            x * 2 + 1
    assert n["launches"] == 0 and n["allocations"] == 0


def test_threads():
    results = {}

    def work(k):
        x = tb.full(1000, float(k))
        for _ in range(50):
            x = x + k
            x *= 1
        results[k] = x.sum().item()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert results == {k: 51_000.0 * k for k in range(4)}


# ---- counters --------------------------------------------------------------------------------------------------------


def warm(f):
    """Graphs seen for the first time may run piece by piece; the promises are about those seen before."""
    for _ in range(3):
        f()
        tb.cuda.Device().synchronize()
    config.compile_wait()


def launches(f):
    warm(f)
    with counted() as n:
        r = f()
        tb.cuda.Device().synchronize()
        del r
    return n["launches"]


def test_one_launch():
    x = tb.array(np.linspace(-3, 3, 1000))
    y = tb.array(np.linspace(0, 1, 1000))
    z = tb.array(np.linspace(0, 2, 5000))
    m = tb.array(np.ones((30, 40)))
    assert launches(lambda: tb.maximum(0, x) + tb.log1p(tb.exp(-abs(x)))) == 1
    assert launches(lambda: tb.tanh(tb.sin(x) + 0.1 * x)) == 1
    assert launches(lambda: tb.where(x > y, x, y).astype("f") * 2) == 1
    assert launches(lambda: tb.sum(abs(x) ** 2)) == 1
    assert launches(lambda: (m * y[:40]).mean(axis=0)) == 1
    assert launches(lambda: (m + 1).T[::2] * 3) <= 2
    assert launches(lambda: tb.clip(z, -1, 1) + tb.arange(5000)) == 1
    assert launches(lambda: tb.zeros(5000) + tb.arange(5000)) == 1


def test_a_pending_array_is_computed_on_the_fly_once():
    y = tb.array(np.linspace(-3, 3, 1000))
    x = y * 2
    states = []
    for _ in range(3):
        total = x.sum()
        states.append(tb._core.is_pending(x))
    assert states == [True, False, False]
    np.testing.assert_allclose(float(total), 0, atol=1e-9)


def test_in_place_is_one_launch_and_no_memory():
    x = tb.ones(1000)
    y = tb.ones(1000)

    def f(x=x):
        x += 1
        x *= 2
        x -= y

    warm(f)
    with counted() as n:
        f()
    assert n["launches"] == 1 and n["allocations"] == 0

    def g(x=x):
        x -= x * 0.5

    warm(g)
    with counted() as n:
        g()
    assert n["launches"] <= 2


def test_several_outputs_of_one_kernel():
    x = tb.ones(1000)

    def f():
        a = x + 1
        b = a * 2
        c = b - x
        c.data
        return a, b, c

    assert launches(f) == 1
    assert [r.sum().item() for r in f()] == [2000, 4000, 3000]


def test_memory_is_handed_on():
    def f():
        x = tb.array(np.ones(100_000))
        x.data
        x = x + 1
        x.data
        return x * 2

    warm(f)
    with counted() as n:
        f().data
    assert n["allocations"] <= 2


def test_the_switch():
    assert config.fusion() == "all"
    x = tb.ones(100)
    with counted() as n, config.fusion(False) as _:
        assert not config.fusion()
        y = x + 1
        assert not config.is_pending(y)
        y * 2
    assert config.fusion() == "all" and n["launches"] == 2 and n["fused_kernels"] == 0
    seen = []
    for on in (True, False):
        with config.fusion(on):
            t = threading.Thread(target=lambda: seen.append(config.fusion()))
            t.start()
            t.join()
    assert seen == [os.environ.get("TOMBAC_FUSION") != "0"] * 2


def test_pending_and_explain():
    x = tb.arange(5.0) + 1
    assert config.is_pending(x)
    e = tb.explain(tb.exp(x) * 2)
    assert "exp" in repr(e) and "<svg" in e._repr_svg_() and "<svg" in e._repr_html_()
    if config.backend() == "cuda":
        assert "exp" in e.source
    else:
        with pytest.raises(NotImplementedError):
            e.source
    assert config.is_pending(x)
    x.data
    assert not config.is_pending(x)
    assert repr(tb.explain(x))
    with pytest.raises(TypeError):
        tb.explain(5)
    with pytest.raises(TypeError):
        config.is_pending(5)


def test_counters_can_be_reset():
    (tb.ones(3) + 1).get()
    config.reset_counters()
    assert set(config.counters().values()) == {0}


def test_errors_come_at_the_call():
    x = tb.arange(3)
    for bad in (lambda: x + tb.arange(4), lambda: x + "a", lambda: tb.sin(x, dtype="i"), lambda: x.reshape(2),
        lambda: x[5]):
        with pytest.raises((ValueError, TypeError, IndexError)):
            bad()
    assert x.get().tolist() == [0, 1, 2]


EXIT_EARLY = """
import tombac as tb
x = tb.ones(1000, "f")
for k in range(2):
    y = [tb.hypot(tb.sin(x) * 2, x + 1) - x, tb.exp2(x * 3) + tb.cbrt(x), tb.log1p(tb.sqrt(x)) * x - 4]
    for a in y:
        a.data
"""


def test_exit_while_kernels_are_being_compiled(tmp_path):
    environment = {**os.environ, "TOMBAC_CACHE_DIR": str(tmp_path)}
    environment.pop("TOMBAC_COMPILE", None)
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", EXIT_EARLY], env=environment, capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr


def test_several_divisions():
    """Quotients are rounded correctly, whatever the operands."""
    rng = np.random.default_rng(5)
    mantissas = (np.arange(1 << 23, dtype=np.uint32) | 127 << 23).view(np.float32)
    scale = np.exp2(rng.integers(-30, 30, mantissas.size)).astype(np.float32)
    special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -3e-39, 3e38, 1], "float32")
    some = rng.permutation(np.repeat(special, 99))
    pairs = [(mantissas, scale * mantissas[::-1]), (some, some[::-1].copy()), (some[:7], mantissas[:7])]
    with np.errstate(all="ignore"):
        for x, y in pairs:
            a, b = tb.array(x), tb.array(y)
            for f in (lambda x, y: (1 / x, y / x), lambda x, y: ((2 / x) / (x / y), 3 / y)):
                for got, want in zip(f(a, b), f(x, y)):
                    got = tb.asnumpy(got)
                    nan = np.isnan(want)
                    assert (np.isnan(got) == nan).all()
                    assert (got.view(np.uint32) == want.view(np.uint32))[~nan].all()


@pytest.mark.parametrize("n", [2, 3, 5, 8, 9, 20])
@pytest.mark.parametrize("join", ["stack", "concatenate"])
def test_joins_of_long_expressions(join, n):
    """However many arrays are read and operations pending, they are joined."""
    rng = np.random.default_rng(n)
    host = [[rng.random((300, 4)) for _ in range(8)] for _ in range(n)]

    def parts(arrays, operations):
        done = []
        for group in arrays:
            y = group[0]
            for k in range(operations):
                y = y * (k + 0.5) + group[(k + 1) % 8]
            done.append(y)
        return done

    for operations in (3, 7, 13):
        got = getattr(tb, join)(parts([[tb.array(x) for x in g] for g in host], operations), axis=1)
        np.testing.assert_array_equal(got.get(), getattr(np, join)(parts(host, operations), axis=1))


def test_writes_of_long_expressions_at_long_expressions():
    rng = np.random.default_rng(3)
    host = rng.random((7, 8, 9, 10))
    base = [rng.integers(0, 7, 5000) for _ in range(30)]

    def write(xp, target):
        arrays = [xp.array(b) for b in base]
        key = []
        for d in range(4):
            k = arrays[d]
            for j in range(1, 7):
                k = (k * 3 + arrays[d * 6 + j]) % 7
            key.append(k)
        value = arrays[0] * 0.5
        for j in range(1, 8):
            value = value * 0.5 + arrays[j]
        xp.add.at(target, tuple(key), xp.ones(()))
        target[tuple(key)] = value[-1] * 2
        return target

    np.testing.assert_array_equal(write(tb, tb.array(host)).get(), write(np, host.copy()))


# ---- real and imaginary parts


def parts_of(z, other):
    """Uses of the parts of numbers that are pending, while these are still there and when they are gone."""
    yield lambda: (z * other).real * 2
    yield lambda: (z * other).imag - z.real
    yield lambda: ((z + other).T.imag + (z - other).real.T).sum(axis=0)
    yield lambda: tb.hypot((z * 2).real, (z * 2).imag[::-1])
    yield lambda: (lambda w: w.real + w.imag * w)(z / other)


@pytest.mark.parametrize("code", ["F", "D"])
def test_parts_of_what_is_pending(code):
    z = tb.array(values(code, 60).reshape(6, 10))
    other = tb.array(values(code, 60).reshape(6, 10)[::-1].copy())
    got = [f() for f in parts_of(z, other)]
    with config.fusion(False):
        want = [f() for f in parts_of(z, other)]
    for a, b in zip(got, want, strict=True):
        assert a.dtype == b.dtype
        assert bits(a) == bits(b)


def test_parts_are_computed_with_the_whole():
    z, x = tb.ones((64, 64), "F"), tb.ones((64, 64), "f")
    assert launches(lambda: (z * 3).real * x + 1) == 1
    assert launches(lambda: (z * 3).imag.sum()) == 1
    assert launches(lambda: (lambda w: (w.real * 2, w.imag + x, w))(z * 3)) <= 2


def test_parts_of_what_is_pending_are_views():
    for imag in (False, True):
        w, h = tb.ones(8, "F") * 3, np.ones(8, "F") * 3
        part, of_host = (w.imag, h.imag) if imag else (w.real, h.real)
        before = part + 1
        part += part[::-1] + w.imag
        of_host += of_host[::-1] + h.imag
        w *= 2
        h *= 2
        assert w.get().tolist() == h.tolist()
        assert before.get().tolist() == [1 if imag else 4] * 8
        assert part.get().tolist() == of_host.tolist()
