"""vdot, vecdot, matvec and vecmat: dtypes, broadcast shapes, layouts, pending operands, out=, refusals."""

import subprocess
import sys

import numpy as np
import pytest

import tombac as tb

DTYPES = "? b B i l e f d F D".split()
LINES = [((5,), (5,), -1), ((3, 5), (5,), -1), ((4, 3, 5), (3, 5), -1), ((5, 3), (5, 3), 0), ((5,), (5, 3), 0),
         ((0, 5), (5,), -1), ((3, 0), (3, 0), -1), ((2, 1, 5), (1, 7, 5), -1), ((16, 300), (16, 300), 1)]
MATRICES = [((4, 5), (5,)), ((2, 4, 5), (5,)), ((2, 4, 5), (2, 5)), ((3, 1, 4, 5), (2, 5)), ((0, 5), (5,)),
            ((4, 0), (0,))]


def data(shape, code, seed=0):
    rng = np.random.default_rng(seed)
    x = 3 * rng.standard_normal(shape)
    if code in "FD":
        x = x + 1j * rng.standard_normal(shape)
    return (np.abs(x) if code == "B" else x).astype(code)


def operands(x):
    """x as it is, turned in memory, backwards and, of numbers, still to be computed."""
    yield tb.array(x)
    yield tb.array(np.asfortranarray(x))
    yield tb.array(np.ascontiguousarray(x[..., ::-1]))[..., ::-1]
    if x.dtype != bool:
        yield tb.array(x) + tb.zeros(x.shape, x.dtype)


def check(got, want, code):
    assert got.dtype == want.dtype and got.shape == want.shape
    loose = want.dtype.char == "e" or code == "e"
    np.testing.assert_allclose(got.get(), want, rtol=2e-2 if loose else 1e-4, atol=0.1 if loose else 1e-3)


@pytest.mark.parametrize("other", ["", "f", "l", "F"])
@pytest.mark.parametrize("code", DTYPES)
def test_dot_products(code, other):
    for left, right, axis in LINES:
        a, b = data(left, code), data(right, other or code, 1)
        want = np.vecdot(a, b, axis=axis)
        for x in operands(a):
            check(tb.vecdot(x, tb.array(b), axis=axis), want, code)
            if a.size == b.size:
                check(tb.vdot(x, tb.array(b)), np.vdot(a, b), code)


@pytest.mark.parametrize("n", [1, 7, 31, 32, 100, 513, 5000, 100003])
@pytest.mark.parametrize("code", ["f", "d", "F", "D"])
def test_products_that_the_fold_makes_have_the_bits_of_products(code, n):
    x, y = tb.array(data(n, code)), tb.array(data(n, code, 1))
    assert tb.vdot(x, y).get().tobytes() == (x.conj() * y).sum().get().tobytes()
    rows = x[: n // 2 * 2].reshape(2, -1)
    assert tb.vecdot(rows, rows).get().tobytes() == (rows.conj() * rows).sum(axis=1).get().tobytes()


@pytest.mark.parametrize("other", ["", "f", "F"])
@pytest.mark.parametrize("code", DTYPES)
def test_vectors_and_matrices(code, other):
    for left, right in MATRICES:
        a, b = data(left, code), data(right, other or code, 1)
        turned = np.ascontiguousarray(np.swapaxes(a, -1, -2))
        matvec, vecmat = np.matvec(a, b), np.vecmat(b, turned)
        for x in operands(a):
            check(tb.matvec(x, tb.array(b)), matvec, code)
            got = tb.vecmat(tb.array(b), x.swapaxes(-1, -2))
            check(got, vecmat, code)
        out = tb.zeros(vecmat.shape, vecmat.dtype)
        assert tb.vecmat(tb.array(b), tb.array(turned), out=out) is out
        check(out, vecmat, code)


@pytest.mark.parametrize("name, shapes", [
    ("vecdot", ((3,), (4,))), ("vecdot", ((), (3,))), ("vecdot", ((2, 3), (4, 3))), ("vdot", ((3,), (4,))),
    ("matvec", ((3,), (3,))), ("matvec", ((3, 4), (3,))), ("vecmat", ((), (3, 3))), ("vecmat", ((3,), (3,)))])
def test_shapes_that_do_not_match(name, shapes):
    for xp in np, tb:
        with pytest.raises(ValueError):
            getattr(xp, name)(*map(xp.ones, shapes))


@pytest.mark.parametrize("axis", [2, -3, 1])
def test_axes_that_are_not_there(axis):
    for xp in np, tb:
        with pytest.raises(np.exceptions.AxisError):
            xp.vecdot(xp.ones((2, 3)), xp.ones(3), axis=axis)


@pytest.mark.parametrize("name", ["vecdot", "matvec", "vecmat"])
def test_arrays_of_the_host_are_refused(name):
    with pytest.raises(TypeError, match=f"{name}: a tombac.ndarray is expected"):
        getattr(tb, name)(np.ones((3, 3)), tb.ones(3))


def test_numbers():
    assert tb.vdot(2j, tb.array([3])) == -6j
    assert tb.inner(2, 3) == 6


@pytest.mark.parametrize("code", DTYPES)
def test_einsum_of_dot_products(code):
    a, b = data((6, 7, 5), code), data((6, 7, 5), code, 1)
    for text in "abc,abc->ab", "abc,abc->ba", "abc,abc->", "abc,abc->ac":
        check(tb.einsum(text, tb.array(a), tb.array(b)), np.einsum(text, a, b), code)


@pytest.mark.parametrize("fusion", [False, True, "all"])
def test_pending_operands_are_what_they_were(fusion):
    """Operands of expressions that others write to through a view before the product is made."""
    with tb.config.fusion(fusion):
        x = tb.array(data((4, 6), "d"))
        host = x.get()
        late, want = x[0] * 2 + x[1], host[0] * 2 + host[1]
        x[0, ::2] = x[1, ::2]
        host[0, ::2] = host[1, ::2]
        check(tb.vecdot(late, x), np.vecdot(want, host), "d")
        check(tb.matvec(x, late), np.matvec(host, want), "d")


NO_MEMORY = """
import tombac as tb
pool = tb.get_default_memory_pool()
x = tb.ones((64, 64, 64))
calls = [lambda: tb.vecdot(x, x), lambda: tb.matvec(x, x[0, 0]), lambda: tb.vecmat(x[0, 0], x),
         lambda: tb.einsum("abc,abc->ab", x, x)]
for call in calls:
    assert (call() == 64).all()
pool.free_all_blocks()
pool.set_limit(size=pool.total_bytes() + 512)
for call in calls:
    try:
        call().get()
    except MemoryError:
        continue
    raise SystemExit("there was memory")
pool.set_limit(size=0)
for call in calls:
    assert (call() == 64).all()
"""


def test_no_memory():
    """In a process of its own, whose pool has no room left over."""
    subprocess.run([sys.executable, "-c", NO_MEMORY], check=True)
