"""einsum and tensordot against NumPy: random subscripts, dtypes, layouts and paths, and how many copies they take."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tombac as tb
from tombac import config

PATHS = [True, False, "greedy", "optimal", ("greedy", 1000), ("optimal", 10**6)]
THEIR_PATHS = ["dp", "auto", "auto-hq", "branch-1", "branch-2", "branch-all", "eager", "random-greedy", ("auto", 10**6)]


def numbers(code, shape, rng):
    """Small integers, whose sums of products are exact in float32."""
    x = rng.integers(-2, 3, shape)
    return (x + 1j * rng.integers(-2, 3, shape) if code in "FD" else x).astype(code)


@st.composite
def operand(draw, pool, sizes, ellipsis, code, rng):
    """(subscripts, array of NumPy, the same of tombac), whose axes lie in any order."""
    labels = draw(st.lists(st.sampled_from(pool), max_size=4))
    shape = [1 if labels.count(c) == 1 and draw(st.integers(0, 6)) == 0 else sizes[c] for c in labels]
    if ellipsis is not None and draw(st.booleans()):
        at, own = draw(st.integers(0, len(labels))), draw(st.integers(0, len(ellipsis)))
        shape[at:at] = [n if draw(st.integers(0, 4)) else 1 for n in ellipsis[len(ellipsis) - own :]]
        labels[at:at] = ["..."]
    x = numbers(code, shape, rng)
    order = draw(st.permutations(range(x.ndim)))
    back = [order.index(d) for d in range(x.ndim)]
    step = draw(st.sampled_from([1, 1, 1, -1, 2]))
    host = np.repeat(x.transpose(order), abs(step), -1) if x.ndim else x
    device = tb.array(host[..., ::-1].copy() if x.ndim and step < 0 else host)
    if x.ndim:
        host, device = (host[..., ::step] if step > 0 else host), device[..., ::step]
    return "".join(labels), host.transpose(back), device.transpose(back)


@st.composite
def expressions(draw, most=6, codes="?ilfdFD"):
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    pool = "aBcdE"[: draw(st.integers(1, 5))]
    sizes = {c: draw(st.sampled_from([0, 1, 2, 2, 3, 3, 4])) for c in pool}
    ellipsis = draw(st.none() | st.lists(st.integers(1, 3), max_size=2))
    code = st.sampled_from(codes)
    parts = [draw(operand(pool, sizes, ellipsis, draw(code), rng)) for _ in range(draw(st.integers(1, most)))]
    text = ",".join(labels for labels, _, _ in parts)
    if draw(st.booleans()):
        used = sorted(set(text) - set(".,"))
        output = draw(st.permutations(used))[: draw(st.integers(0, len(used)))]
        if "..." in text:
            output.insert(draw(st.integers(0, len(output))), "...")
        text += "->" + "".join(output)
    return text, [x for _, x, _ in parts], [x for _, _, x in parts]


@given(expressions(), st.sampled_from(PATHS), st.sampled_from("CFAK"))
def test_random_expressions(case, path, order):
    text, host, device = case
    want = np.einsum(text, *host, optimize=False)
    got = tb.einsum(text, *device, optimize=path, order=order)
    assert got.shape == want.shape and got.dtype == want.dtype
    np.testing.assert_array_equal(got.get(), want)
    if order in "CF":
        assert got.flags[order + "_CONTIGUOUS"]


@given(expressions(3, "efd"), st.integers(0, 3))
def test_random_expressions_into_out(case, extra):
    text, host, device = case
    want = np.einsum(text, *host, optimize=False)
    room = tb.full((*want.shape, extra + 1), 7, np.result_type(want, np.float32))
    got = tb.einsum(text, *device, out=room[..., extra])
    np.testing.assert_array_equal(got.get(), want)
    np.testing.assert_array_equal(room[..., extra].get(), want)
    assert (room[..., :extra] == 7).all()


@given(expressions(), st.sampled_from(THEIR_PATHS))
def test_paths_of_opt_einsum(case, path):
    pytest.importorskip("opt_einsum")
    text, host, device = case
    got = tb.einsum(text, *device, optimize=path)
    np.testing.assert_array_equal(got.get(), np.einsum(text, *host, optimize=False))


CHAIN = "ab,bc,cd,de->ae"


def chain(xp):
    return [xp.arange(6.0).reshape(2, 3), xp.arange(12.0).reshape(3, 4), xp.arange(8.0).reshape(4, 2),
            xp.arange(10.0).reshape(2, 5)]


@pytest.mark.parametrize("path", [
    ["einsum_path", (0, 1), (0, 1), (0, 1)], ["einsum_path", (2, 3), (0, 2), (0, 1)], [(0, 1), (0, 1), (0, 1)],
    ((0, 1, 2, 3),), ["einsum_path", (0, 1, 2), (0, 1)], [[1, 2], [0, 2], [0, 1]], [(3,), (0, 1), (0, 1), (0, 1)],
], ids=str)
def test_paths_that_are_spelled_out(path):
    want = np.einsum(CHAIN, *chain(np))
    np.testing.assert_allclose(tb.einsum(CHAIN, *chain(tb), optimize=path).get(), want, 1e-12)


def test_a_function_finds_the_path():
    calls = []

    def find(inputs, output, sizes, memory_limit=None):
        calls.append((inputs, output, sizes, memory_limit))
        return [(2, 3), (0, 2), (0, 1)]

    for _ in range(2):
        got = tb.einsum(CHAIN, *chain(tb), optimize=find)
        np.testing.assert_allclose(got.get(), np.einsum(CHAIN, *chain(np)), 1e-12)
    assert len(calls) == 2  # it may be one that draws numbers
    assert calls[0] == ([frozenset("ab"), frozenset("bc"), frozenset("cd"), frozenset("de")], frozenset("ae"),
                        {"a": 2, "b": 3, "c": 4, "d": 2, "e": 5}, None)


def test_einsum_path_takes_the_same_paths():
    pytest.importorskip("opt_einsum")
    for path in (*PATHS[:1], *PATHS[2:4], *THEIR_PATHS, [(0, 1), (0, 1), (0, 1)]):
        steps, text = tb.einsum_path(CHAIN, *chain(tb), optimize=path)
        assert steps[0] == "einsum_path" and "Complete contraction" in text
        np.testing.assert_allclose(tb.einsum(CHAIN, *chain(tb), optimize=steps).get(),
                                   np.einsum(CHAIN, *chain(np)), 1e-12)


@pytest.mark.parametrize("path, error, says", [
    ("nope", KeyError, "nope"), (["einsum_path", (0, 1)], RuntimeError, "3 operands"),
    ([(0, 9), (0, 1), (0, 1)], ValueError, "9"), ([(0, 0), (0, 1), (0, 1)], ValueError, r"\(0, 0\)"),
    ([(), (0, 1), (0, 1), (0, 1)], ValueError, "step"), ([(0, -1), (0, 1), (0, 1)], ValueError, "-1"),
    (3, TypeError, "int"), ([(0, 1.5), (0, 1)], TypeError, "float"), (lambda *a: [(0, 1)], RuntimeError, "3 operands"),
], ids=["name", "short", "far", "twice", "empty", "negative", "number", "float", "function"])
def test_bad_paths(path, error, says):
    with pytest.raises(error, match=says):
        tb.einsum(CHAIN, *chain(tb), optimize=path)


def test_opt_einsum_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "opt_einsum", None)
    monkeypatch.setitem(sys.modules, "opt_einsum.paths", None)
    with pytest.raises(ImportError, match="opt_einsum"):
        tb.einsum("ab,bc,cd", *chain(tb)[:3], optimize="branch-all")
    with pytest.raises(KeyError, match="gready"):
        tb.einsum("ab,bc,cd", *chain(tb)[:3], optimize="gready")


ONES = {1: tb.ones(3), 2: tb.ones((2, 3)), 3: tb.ones((2, 3, 4))}


@pytest.mark.parametrize("text, ndims", [
    ("ii", [2]), ("i...->i", [2]), ("...->", [1]), ("......", [2]), ("...->...i", [1]), ("i.j", [2]), ("..i", [1]),
    ("i,i->ii", [1, 1]), ("i->j", [1]), ("ij,k", [2]), ("i->i->i", [1]), ("i-", [1]), ("i>", [1]), ("ij", [1]),
    ("...ijk", [2]), ("ij,ji", [2, 2]), ("i1", [2]), ("i,", [1, 1]), ("->", [1]), ("i,i", [1]),
])
def test_subscripts_that_do_not_fit(text, ndims):
    for xp in (np, tb):
        arrays = [ONES[n].get() if xp is np else ONES[n] for n in ndims]
        with pytest.raises(ValueError):
            xp.einsum(text, *arrays)


@pytest.mark.parametrize("labels, error", [([60, 1], ValueError), ([-1, 1], ValueError), (["a", "b"], TypeError),
                                           ([0.5, 1], TypeError)])
def test_labels_that_do_not_fit(labels, error):
    for xp in (np, tb):
        with pytest.raises(error):
            xp.einsum(xp.ones((2, 3)), labels)


@pytest.mark.parametrize("labels", [[26, 0], [0, 26], [25, 26], [51, 3], [Ellipsis, 30, 1]], ids=str)
def test_labels_are_sorted_as_numbers(labels):
    shape = (2, 3, 4)[: len(labels)]
    x = np.arange(float(np.prod(shape))).reshape(shape)
    np.testing.assert_array_equal(tb.einsum(tb.array(x), labels).get(), np.einsum(x, labels))


def test_more_labels_than_letters():
    device = [tb.ones((1,) * 12 + (2,)) * (i + 1) for i in range(5)]
    text = ",".join("".join(chr(0x100 + 13 * i + j) for j in range(13)) for i in range(5)) + "->"
    assert float(tb.einsum(text, *device)) == 2**5 * 120


def test_order_of_the_result():
    x = tb.array(np.arange(24.0).reshape(2, 3, 4))
    f = x.copy(order="F")
    assert tb.einsum("abc,abc->ab", f, x, order="A").flags.c_contiguous
    assert tb.einsum("abc->abc", f, order="A").flags.f_contiguous
    assert tb.einsum("abc->cba", x, order="c").flags.c_contiguous
    view = tb.einsum("abc->cba", x)
    assert tb.shares_memory(view, x)
    assert not tb.shares_memory(tb.einsum("abc->cba", x, order="C"), x)
    for bad in ("X", None, 3):
        with pytest.raises(ValueError, match="order"):
            tb.einsum("abc->ab", x, order=bad)


# ---- copies ----------------------------------------------------------------------------------------------------------

A = np.random.default_rng(0).integers(-3, 4, (70, 72)).astype("f")
S = np.random.default_rng(1).integers(-3, 4, (5, 66, 68)).astype("f")
Q = np.random.default_rng(2).integers(-3, 4, (4, 40, 3, 48)).astype("f")
WITHOUT_COPIES = {
    "a transpose": lambda xp, a, s, q: a.T @ a,
    "rows apart, transposed": lambda xp, a, s, q: a[::2].T @ a[1::2],
    "a part, transposed": lambda xp, a, s, q: a[::2, 3:50].T @ a[::2, 2:],
    "a stack transposed": lambda xp, a, s, q: s.swapaxes(-1, -2) @ s,
    "a stack times a stack transposed": lambda xp, a, s, q: s @ s.swapaxes(-1, -2),
    "the stack between": lambda xp, a, s, q: s.swapaxes(0, 1) @ s[0].T,
    "both transposed": lambda xp, a, s, q: s.transpose(0, 2, 1) @ a[:66, :66].T,
    "a vector apart": lambda xp, a, s, q: a.T @ a[:, 3],
    "tensordot, last axes": lambda xp, a, s, q: xp.tensordot(q, q, ((3,), (3,))),
    "tensordot, an axis between": lambda xp, a, s, q: xp.tensordot(q, a[:40], ((1,), (0,))),
    "tensordot, two axes in another order": lambda xp, a, s, q: xp.tensordot(s.transpose(1, 0, 2), s, ((1, 0), (0, 1))),
    "inner": lambda xp, a, s, q: xp.inner(a, a),
    "attention": lambda xp, a, s, q: xp.einsum("bqhd,bkhd->bhqk", q, q),
    "attention, the other side": lambda xp, a, s, q: xp.einsum("bhqk,bkhd->bqhd", xp.ones((4, 3, 40, 40), "f"), q),
    "einsum, an axis between": lambda xp, a, s, q: xp.einsum("akcb,kn->acbn", q, a[:40]),
    "einsum, the result transposed": lambda xp, a, s, q: xp.einsum("ij,kj->ki", a, a[:66]),
    "einsum, two axes summed": lambda xp, a, s, q: xp.einsum("abc,abd->cd", s, s),
    "einsum, two axes summed in another order": lambda xp, a, s, q: xp.einsum("abc,dbc->ad", s, s),
    "einsum, all axes turned": lambda xp, a, s, q: xp.einsum("cba,dab->cd", s.transpose(2, 1, 0), s.transpose(2, 0, 1)),
}


@pytest.mark.parametrize("name", WITHOUT_COPIES)
def test_operands_are_not_copied(name):
    case = WITHOUT_COPIES[name]
    device = [tb.array(x) for x in (A, S, Q)]
    for x in device:
        x.data  # noqa: B018
    other = case(tb, *device)
    other.data  # noqa: B018
    before = config.counters()
    got = case(tb, *device)
    got.data  # noqa: B018
    after = config.counters()
    extra = 1 if "other side" in name else 0  # the ones
    assert after["allocations"] - before["allocations"] == 1 + extra
    want = case(np, A, S, Q)
    assert got.flags.c_contiguous
    np.testing.assert_array_equal(got.get(), want)


def test_small_matrices_are_copied_together():
    """Rows that lie apart become a stack where that spares a copy, but not of a few rows each."""
    x = tb.array(np.arange(30.0 * 40 * 2).reshape(30, 40, 2))
    y = tb.array(np.arange(40.0 * 3).reshape(40, 3))
    want = np.einsum("akb,kn->abn", x.get(), y.get())
    before = config.counters()["launches"]
    got = tb.einsum("akb,kn->abn", x, y)
    got.data  # noqa: B018
    assert config.counters()["launches"] - before <= 2
    np.testing.assert_array_equal(got.get(), want)


@given(st.data())
def test_tensordot_is_in_c_order(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    sizes = data.draw(st.lists(st.sampled_from([0, 1, 2, 3, 40]), min_size=3, max_size=3))
    n = data.draw(st.integers(0, 3))
    a_axes, b_axes = data.draw(st.permutations(range(4)))[:n], data.draw(st.permutations(range(4)))[:n]
    shapes = [[2, 2, 2, 2], [3, 3, 3, 3]]
    for i, j, size in zip(a_axes, b_axes, sizes):
        shapes[0][i] = shapes[1][j] = size
    orders = [data.draw(st.permutations(range(4))) for _ in shapes]
    host = [numbers("d", [s[d] for d in o], rng).transpose([o.index(d) for d in range(4)])
            for s, o in zip(shapes, orders)]
    device = [tb.array(x.transpose(o)).transpose([o.index(d) for d in range(4)]) for x, o in zip(host, orders)]
    want = np.tensordot(*host, (a_axes, b_axes))
    got = tb.tensordot(*device, (a_axes, b_axes))
    assert got.flags.c_contiguous and got.shape == want.shape
    np.testing.assert_array_equal(got.get(), want)
