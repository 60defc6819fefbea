"""Every universal function: type lists, each loop against NumPy on special values, layouts, scalars, keywords."""

import itertools
import json
import operator
import pathlib
import pickle
import warnings

import numpy as np
import pytest
from strategies import same

import tombac as tb

UFUNCS = sorted({f.__name__ for f in vars(tb).values() if isinstance(f, tb.ufunc)})
ONE = sorted({f.__name__ for f in vars(tb).values() if isinstance(f, tb.ufunc) and f.nin == 1 and f.nout == 1})
TWO = sorted({f.__name__ for f in vars(tb).values() if isinstance(f, tb.ufunc) and f.nin == 2 and f.nout == 1})

# Functions that NumPy has under another name, or not as a ufunc.
NUMPY = {"sinc": np.sinc, "i0": lambda x: np.i0(x).astype(x.dtype if x.dtype.kind == "f" else "d"), "fix": np.fix}

# Units in the last place that a result may be away from NumPy's, where neither library rounds correctly.
EXACT = {
    "absolute", "add", "bitwise_and", "bitwise_count", "bitwise_or", "bitwise_xor", "ceil", "conjugate", "copysign",
    "divide",
    "divmod", "equal", "fabs", "fix", "floor", "floor_divide", "fmax", "fmin", "fmod", "frexp", "gcd", "greater",
    "greater_equal", "heaviside", "invert", "isfinite", "isinf", "isnan", "lcm", "ldexp", "left_shift", "less",
    "less_equal",
    "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "modf", "multiply", "negative",
    "nextafter", "not_equal", "positive", "reciprocal", "remainder", "right_shift", "rint", "sign", "signbit",
    "spacing", "sqrt", "square", "subtract", "trunc",
}
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 1e-3, -7.25, 11.0, 100.0, -100.0, np.inf, -np.inf,
    np.nan]


def values(code, modest=False):
    """Numbers of a dtype with everything that is special about it."""
    t = np.dtype(code)
    if t.kind == "b":
        return np.array([False, True])
    if t.kind in "iu":
        top = np.iinfo(t)
        picks = [0, 1, 2, 3, 5, 7, 12, 100, top.max, top.max - 1, top.min, top.min + 1]
        if modest:
            picks = [0, 1, 2, 3, 4, 5, 6, 7]
        return np.array([v for v in picks + [-1, -2, -3, -7] if top.min <= v <= top.max and (not modest or v >= 0)], t)
    if t.kind == "f":
        return np.array(FLOATS, t)
    parts = np.array([0.0, -0.0, 1.0, -1.5, 2.25, 0.5])
    return (parts[:, None] + 1j * parts).ravel().astype(t)


def numpy_of(name):
    return NUMPY.get(name) or getattr(np, name)


def signatures(names):
    for name in names:
        for sig in dict.fromkeys(t for t in getattr(tb, name).types if "E" not in t):  # test_bfloat16.py has those
            yield pytest.param(name, *sig.split("->"), id=f"{name}-{sig}")


# Which of two zeros of different sign is the larger is not laid down; NumPy's answer depends on the machine.
# NumPy 2.5 gives nextafter(0, -0) the sign of the second argument, earlier ones that of the first.
UNSIGNED_ZEROS = {"fmax", "fmin", "maximum", "minimum", "nextafter"}


def compare(name, got, want):
    """Exact where both libraries must be, else within a few units in the last place of the magnitude."""
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    got = got.get()
    if name in EXACT and want.dtype.kind != "c" or want.dtype.kind in "biu":
        np.testing.assert_array_equal(got, want)
        if want.dtype.kind == "f" and name not in UNSIGNED_ZEROS:
            assert (np.signbit(got) == np.signbit(want))[~np.isnan(want)].all()
        return
    eps = np.finfo(want.dtype).eps
    with np.errstate(all="ignore"):
        if want.dtype.kind == "c":
            size = np.maximum(np.abs(want), np.finfo(want.dtype).tiny)
            special = ~np.isfinite(want)
            close = np.abs(got - want) <= 16 * eps * size
            assert (close | special).all(), (got[~(close | special)], want[~(close | special)])
            return
        np.testing.assert_allclose(got, want, rtol=8 * eps, atol=16 * np.finfo(want.dtype).tiny, equal_nan=True)


def grid(name, codes):
    """Operands of one loop: all pairs of special values."""
    modest = name in ("left_shift", "right_shift", "ldexp", "power", "float_power", "gcd", "lcm")
    operands = [values(c, modest and (i == 1 or name in ("gcd", "lcm"))) for i, c in enumerate(codes)]
    if len(operands) == 2:
        x, y = np.meshgrid(*operands, indexing="ij")
        return [x.ravel(), y.ravel()]
    return operands


def reference(name, operands, right):
    with np.errstate(all="ignore"):
        want = numpy_of(name)(*operands)
    want = want if isinstance(want, tuple) else (want,)
    return [np.asarray(w).astype(np.dtype(c), copy=False) for w, c in zip(want, right)]


# ---- the table -------------------------------------------------------------------------------------------------------


def test_names_and_attributes():
    f = tb.add
    assert f.name == "tombac_add" and f.__name__ == "add" and repr(f) == "<ufunc 'tombac_add'>"
    assert (f.nin, f.nout, f.nargs) == (2, 1, 3)
    assert f.ntypes == len(f.types) and "ff->f" in f.types
    assert "ff->f" in f.__doc__ and "add(x1, x2" in f.__doc__
    assert pickle.loads(pickle.dumps(f)) is f
    assert tb.abs is tb.absolute and tb.true_divide is tb.divide and tb.bitwise_not is tb.invert
    with pytest.raises(TypeError):
        type(f)()


@pytest.mark.parametrize("name", UFUNCS)
def test_signature_dtypes_agree_with_numpy(name):
    """What NumPy computes for the input dtypes of a signature has the output dtype of the signature."""
    f = getattr(tb, name)
    for sig in (t for t in f.types if "E" not in t):
        left, right = sig.split("->")
        assert len(left) == f.nin and len(right) == f.nout
        if name in NUMPY or not isinstance(getattr(np, name, None), np.ufunc):
            continue
        try:
            types = getattr(np, name).resolve_dtypes(tuple(np.dtype(c) for c in left) + (None,) * f.nout)
        except TypeError:
            continue
        assert [t.char.replace("q", "l").replace("Q", "L") for t in types[f.nin :]] == [
            np.dtype(c).char.replace("q", "l").replace("Q", "L") for c in right], sig


def test_type_lists_hold_those_of_numpy():
    for name in UFUNCS:
        if name in NUMPY or name in ("logical_xor",):
            continue
        ours = {t.replace("q", "l").replace("Q", "L") for t in getattr(tb, name).types if "E" not in t}
        theirs = {t.replace("q", "l").replace("Q", "L") for t in getattr(np, name).types}
        theirs = {t for t in theirs if not set(t) & set("gGOmMVSUT") and "->" in t}
        missing = {t for t in theirs if t not in ours}
        # NumPy lists conversions such as 'b->d' loops of its own for some functions; a wider loop of ours serves them.
        for t in missing:
            left = [np.dtype(c) for c in t.split("->")[0]]
            assert any(all(np.can_cast(a, np.dtype(b)) for a, b in zip(left, o.split("->")[0])) for o in ours), (name,
                t)


# ---- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, left, right", list(signatures(UFUNCS)))
def test_every_loop(name, left, right):
    operands = grid(name, left)
    try:
        want = reference(name, operands, right)
    except TypeError:
        pytest.skip("NumPy has no such loop")
    got = getattr(tb, name)(*map(tb.array, operands))
    got = got if isinstance(got, tuple) else (got,)
    if name == "reciprocal" and np.dtype(left).kind in "iu":
        keep = operands[0] != 0
        got, want = [got[0][tb.array(np.nonzero(keep)[0])]], [want[0][keep]]
    for g, w in zip(got, want):
        # The magnitude of a complex number is no correctly rounded function.
        compare("abs" if name == "absolute" and left in "FD" else name, g, w)


LAYOUTS = {
    "empty": lambda a: a[:0],
    "0-d": lambda a: a[3],
    "strided": lambda a: a[::3],
    "reversed": lambda a: a[::-2],
    "matrix": lambda a: a[:24].reshape(4, 6),
    "transposed": lambda a: a[:24].reshape(4, 6).T,
    "block": lambda a: a[:24].reshape(2, 3, 4)[:, ::-1, 1:3],
    "fortran": lambda a: (a[:24].reshape(4, 6).T.copy() if isinstance(a, np.ndarray) else a[:24].reshape(4,
    6).T.copy("C")).T,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ONE + TWO)
def test_layouts(name, layout):
    f = getattr(tb, name)
    sig = next((s for s in ("d->d", "dd->d", "d->?", "dd->?", "ll->l", "l->l", "l->B", "l->?",
        "dl->d") if s in f.types))
    view = LAYOUTS[layout]
    operands = []
    for i, c in enumerate(sig.split("->")[0]):
        base = values(c, True)
        operands.append(np.resize(base[i:], 30))
    want = reference(name, [view(a) for a in operands], sig.split("->")[1])[0]
    got = f(*(view(tb.array(a)) for a in operands))
    compare(name, got, want)


@pytest.mark.parametrize("name", TWO)
def test_broadcasting(name):
    f = getattr(tb, name)
    sig = next(s for s in ("dd->d", "dd->?", "ll->l", "dl->d") if s in f.types)
    a = np.resize(values(sig[0], True), 6).reshape(2, 3, 1)
    b = np.resize(values(sig[1], True), 4)
    compare(name, f(tb.array(a), tb.array(b)), reference(name, [a, b], sig.split("->")[1])[0])
    with pytest.raises(ValueError):
        f(tb.array(a[0, :, 0]), tb.array(b))


# ---- scalars ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scalar", [True, 3, 2.5, 1 + 2j, np.float32(1.5), np.int8(3), np.uint64(7), np.bool_(True),
                                    np.complex64(1j), np.float64(0.1)], ids=lambda s: f"{type(s).__name__}")
@pytest.mark.parametrize("code", "?bBhHiIlLefdFD")
@pytest.mark.parametrize("op", [operator.add, operator.mul, operator.truediv], ids=lambda f: f.__name__)
def test_scalars_weak_and_strong(op, code, scalar):
    a = values(code, True)
    with np.errstate(all="ignore"):
        want = op(a, scalar), op(scalar, a)
    got = op(tb.array(a), scalar), op(scalar, tb.array(a))
    for g, w in zip(got, want):
        assert g.dtype == w.dtype
        np.testing.assert_allclose(g.get(), w, rtol=1e-2 if w.dtype == np.float16 else 1e-5)


def test_integer_that_the_dtype_cannot_hold():
    a = tb.array([1, 2], "b")
    for bad in (128, -129, 1 << 40):
        with pytest.raises(OverflowError):
            a + bad
    assert (a < 1000).all() and not (a > 1 << 70).any()
    assert (tb.array([1.5]) + (1 << 80)).item() == 1.5 + (1 << 80)


def test_two_scalars_make_an_array():
    r = tb.add(1, 2.5)
    assert r.shape == () and r.dtype == np.float64 and r.item() == 3.5


# ---- remainders ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", "efd")
@pytest.mark.parametrize("name", ["fmod", "remainder", "floor_divide"])
def test_remainders_have_no_rounding_error(name, code):
    """Quotients of all sizes, among them those with more digits than the dtype has, and whole ones."""
    random = np.random.default_rng(3)
    t, n = np.dtype(code), 20_011
    any_bits = [random.integers(0, 256, (n, t.itemsize), np.uint8).view(t).ravel() for _ in range(2)]
    normal = [random.standard_normal(n).astype(t) for _ in range(2)]
    whole = [random.integers(-1000, 1000, n).astype(t), random.integers(-20, 20, n).astype(t)]
    with np.errstate(all="ignore"):
        pairs = [any_bits, normal, whole, (normal[0] * t.type(1e4), normal[1] * t.type(1e-3)),
                 (whole[0] * t.type(0.1), np.full(n, 0.1, t)), (normal[0], normal[0]),
                 (normal[0][::-3], normal[1][::3])]
        for a, b in pairs:
            want = getattr(np, name)(a, b)
            x, y = tb.array(a), tb.array(b)
            for got in (getattr(tb, name)(x, y), getattr(tb, name)(x, y, out=x)):
                np.testing.assert_array_equal(got.get(), want)
                assert (np.signbit(got.get()) == np.signbit(want))[~np.isnan(want)].all()


# ---- keywords --------------------------------------------------------------------------------------------------------


def test_out():
    a = tb.arange(4.0)
    out = tb.empty(4)
    assert tb.sin(a, out) is out and tb.sin(a, out=out) is out and tb.sin(a, out=(out,)) is out
    np.testing.assert_allclose(out.get(), np.sin(np.arange(4.0)))
    wide = tb.empty((3, 4))
    assert tb.add(a, 1, out=wide) is wide
    np.testing.assert_array_equal(wide.get(), np.broadcast_to(np.arange(4.0) + 1, (3, 4)))
    base = tb.zeros((4, 4), "f")
    assert tb.multiply(a, 2, out=base[::2, ::-1]) is not base
    np.testing.assert_array_equal(base.get()[::2, ::-1], np.broadcast_to(np.arange(4) * 2, (2, 4)))
    q, r = tb.empty(4), tb.empty(4)
    assert tb.divmod(a, 3, out=(q, None))[0] is q
    result = tb.divmod(a, 3, q, r)
    assert result[0] is q and result[1] is r and r.get().tolist() == [0, 1, 2, 0]


def test_out_errors():
    a = tb.arange(4.0)
    with pytest.raises(TypeError):
        tb.add(a, 1, out=tb.empty(4, "i"))
    with pytest.raises(TypeError):
        tb.add(a, 1, out=np.empty(4))
    with pytest.raises(ValueError):
        tb.add(a, 1, out=tb.empty(3))
    with pytest.raises(ValueError):
        tb.add(a, 1, out=(tb.empty(4), tb.empty(4)))
    with pytest.raises(TypeError):
        tb.add(a, 1, tb.empty(4), out=tb.empty(4))
    with pytest.raises(TypeError):
        tb.divmod(a, 1, out=tb.empty(4))
    kept = tb.ones(4, "i")
    with pytest.raises(TypeError):
        tb.add(a, 1.5, out=kept)
    assert kept.get().tolist() == [1] * 4
    assert tb.add(a, 1.5, out=kept, casting="unsafe").get().tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("left", "bBhHiIlLefdFD")
@pytest.mark.parametrize("right", "?bBhHiIlLefdFD")
def test_casting_to_out(left, right):
    a, out = np.ones(3, left), np.zeros(3, right)
    try:
        np.add(a, a, out=out)
    except TypeError:
        with pytest.raises(TypeError):
            tb.add(tb.array(a), tb.array(a), out=tb.zeros(3, right))
        return
    np.testing.assert_array_equal(tb.add(tb.array(a), tb.array(a), out=tb.zeros(3, right)).get(), out)


@pytest.mark.parametrize("code", "efdFD")
def test_dtype(code):
    a = np.arange(5, dtype="i2")
    want = np.sin(a, dtype=code)
    got = tb.sin(tb.array(a), dtype=code)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, rtol=8 * np.finfo(code).eps)
    assert tb.add(tb.array(a), 1, dtype=code).dtype == np.dtype(code)


def test_dtype_errors():
    with pytest.raises(TypeError):
        tb.sin(tb.ones(3), dtype="i")
    with pytest.raises(TypeError):
        tb.add(tb.ones(3), 1, dtype="i4")
    with pytest.raises(TypeError):
        tb.add(tb.ones(3), 1, dtype="nope")
    with pytest.raises(TypeError):
        tb.bitwise_and(tb.ones(3), tb.ones(3))


def test_where():
    a = np.arange(6.0)
    mask = a % 2 == 0
    out = np.full(6, -1.0)
    np.multiply(a, 10, out=out, where=mask)
    got = tb.multiply(tb.array(a), 10, out=tb.full(6, -1.0), where=tb.array(mask))
    np.testing.assert_array_equal(got.get(), out)
    x = tb.array(a)
    tb.negative(x, out=x, where=tb.array(mask))
    np.testing.assert_array_equal(x.get(), np.where(mask, -a, a))
    assert tb.add(x, 1, where=True).shape == (6,)
    with pytest.raises(TypeError):
        tb.add(x, 1, where=x)


# Functions of tombac or NumPy, an array and a mask.
MASKED = {
    "add": lambda m, x, w: m.add(x, 1, where=w, out=m.zeros(3)),
    "modf": lambda m, x, w: m.modf(x, where=w, out=(m.zeros(3), m.zeros(3)))[1],
    "reduce": lambda m, x, w: m.add.reduce(x, where=w),
    "sum": lambda m, x, w: m.sum(x, where=w), "mean": lambda m, x, w: m.mean(x, where=w),
    "max": lambda m, x, w: m.max(x, where=w, initial=-1.0), "any": lambda m, x, w: m.any(x, where=w),
    "var": lambda m, x, w: m.var(x, where=w), "nansum": lambda m, x, w: m.nansum(x, where=w),
    "nanmean": lambda m, x, w: m.nanmean(x, where=w), "nanmax": lambda m, x, w: m.nanmax(x, where=w, initial=-1.0),
    "copyto": lambda m, x, w: m.copyto(x, 7, where=w),
}


@pytest.mark.parametrize("name", MASKED)
def test_masks_are_truth_values(name):
    # NumPy's means take the sum of such a mask for the number of elements that count, unless it is of 0 and 1.
    def on_device(mask):
        return tb.array(mask) if isinstance(mask, np.ndarray) else mask

    for mask in (np.array([1, 0, 1]), np.array([1.0, 0, 1]), np.array(1), np.array([1, 0, 1], "b")):
        for m, w in ((np, mask), (tb, tb.array(mask))):
            with pytest.raises(TypeError):
                MASKED[name](m, m.arange(3.0), w)
    for mask in (np.array([True, False, True]), [1, 0, 1], [True, False, True], [True, 0, 1], 1, np.float64(1),
                 np.array(True), [1], *([] if name in ("mean", "var", "nanmean") else [1.5, [0.5, 0, 2]])):
        x, a = tb.arange(3.0), np.arange(3.0)
        got, want = MASKED[name](tb, x, on_device(mask)), MASKED[name](np, a, mask)
        np.testing.assert_array_equal(*((x.get(), a) if want is None else (got.get(), want)))


OF_SHAPES = {
    "C": lambda t: np.ones((3, 4), t), "F": lambda t: np.ones((3, 4), t, "F"), "number": lambda t: np.array(1, t),
    "row": lambda t: np.ones(4, t), "column": lambda t: np.ones((3, 1), t), "rows": lambda t: np.ones((6, 4), t)[::2],
}


@pytest.mark.parametrize("types", ["dd", "df", "fd", "id", "fi"])
@pytest.mark.parametrize("first", OF_SHAPES)
@pytest.mark.parametrize("second", OF_SHAPES)
def test_layouts_of_operands_of_other_dtypes(first, second, types):
    a, b = OF_SHAPES[first](types[0]), OF_SHAPES[second](types[1])
    for f in "add", "less", "maximum":
        got, want = getattr(tb, f)(tb.asarray(a), tb.asarray(b)), np.asarray(getattr(np, f)(a, b))
        assert got.strides == want.strides or 1 in want.shape
    condition = np.ones((3, 4), bool, "F")
    got = tb.where(tb.asarray(condition), tb.asarray(a), tb.asarray(b))
    assert got.strides == np.where(condition, a, b).strides


@pytest.mark.parametrize("order", "CFKA")
def test_order(order):
    a = np.arange(6.0).reshape(2, 3).T
    got = tb.add(tb.arange(6.0).reshape(2, 3).T, 1, order=order)
    want = np.add(a, 1, order=order)
    assert (got.flags.c_contiguous, got.flags.f_contiguous) == (want.flags.c_contiguous, want.flags.f_contiguous)
    np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("call", [
    lambda: tb.add(tb.ones(2)), lambda: tb.add(), lambda: tb.sin(tb.ones(2), None, None), lambda: tb.add(1, 2, 3, 4),
    lambda: tb.add(tb.ones(2), 1, nope=3), lambda: tb.add(tb.ones(2), 1, casting="nope"),
    lambda: tb.add(tb.ones(2), 1, order="Z"), lambda: tb.add(tb.ones(2), np.ones(2)), lambda: tb.add([1, 2], 1),
    lambda: tb.sin(np.ones(2)), lambda: tb.add(tb.ones(2), "a"), lambda: tb.add(tb.ones(2), None),
    lambda: tb.add(tb.ones(2), object()),
])
def test_bad_arguments(call):
    with pytest.raises((TypeError, ValueError)) as e:
        call()
    assert str(e.value)


def test_host_arrays_are_named():
    with pytest.raises(TypeError, match="Unsupported type <class 'numpy.ndarray'>"):
        tb.add(tb.ones(2), np.ones(2))
    with pytest.raises(TypeError, match="list"):
        tb.power([tb.arange(5)], 2)


def test_numpy_dispatches_to_these():
    x = tb.arange(3.0)
    assert type(np.sin(x)) is tb.ndarray
    assert type(np.add(x, 1)) is tb.ndarray and type(np.add.reduce(x)) is tb.ndarray
    assert type(np.multiply.outer(x, x)) is tb.ndarray


# Signatures that CuPy lists and NumPy has not: for most of them the call fails in CuPy too, or an equal loop serves it.
CUPY_ALONE = {
    "arctan2": "FF->F DD->D", "atan2": "FF->F DD->D", "copysign": "FF->F DD->D", "hypot": "FF->F DD->D",
    "nextafter": "FF->F DD->D", "i0": "F->F D->D", "float_power": "FF->D", "gcd": "??->?", "lcm": "??->?",
    "ldexp": "dq->d",
    "logical_and": "qQ->? Qq->?", "logical_or": "qQ->? Qq->?", "negative": "?->?", "positive": "?->?",
    "subtract": "??->?",
    "pow": "??->b", "power": "??->b",
}


def test_type_lists_hold_those_of_cupy():
    path = pathlib.Path(__file__).with_name("cupy_ufunc_types.json")
    for name, types in json.loads(path.read_text()).items():
        # Of structured dtypes ('V') there are no loops.
        missing = {t for t in types if "V" not in t} - set(getattr(tb, name).types)
        assert missing <= set(CUPY_ALONE.get(name, "").split()), name


SIGNATURES = [("add", 2, "ff->f"), ("add", 2, ("d", None, None)), ("add", 2, (None, None, "f")), ("less", 2, "ff->?"),
              ("sin", 1, "e->e"), ("absolute", 1, (None, "f")), ("divide", 2, "dd->d"), ("multiply", 2, "DD->D")]


@pytest.mark.parametrize("name, nin, signature", SIGNATURES)
def test_signature(name, nin, signature):
    a = [np.array([1.0, 2.5, -3]), np.array([0.1, 2, 4])][:nin]
    want = getattr(np, name)(*a, signature=signature)
    for kw in ({"signature": signature}, {"sig": signature}):
        got = getattr(tb, name)(*map(tb.array, a), **kw)
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got.get(), want, rtol=1e-3 if want.dtype == np.float16 else 1e-6)


def test_signature_of_two_outputs_and_numbers():
    assert [r.dtype.char for r in tb.modf(tb.ones(2), signature="f->ff")] == ["f", "f"]
    assert tb.add(tb.ones(2, "b"), np.int64(300), signature="bb->b").tolist() == [45, 45]
    assert tb.add(1, 2, signature="ff->f").dtype == np.float32


@pytest.mark.parametrize("signature", ["f", ("f",), "ff", "ii->i", "ff->d", 3, "fff->f"])
def test_signature_errors(signature):
    with pytest.raises((TypeError, ValueError)) as numpy_error:
        np.add(np.ones(2), 2, signature=signature)
    with pytest.raises(TypeError if isinstance(numpy_error.value, TypeError) else ValueError, match="add"):
        tb.add(tb.ones(2), 2, signature=signature)


def test_signature_excludes_other_keywords():
    x = tb.ones(2)
    with pytest.raises(TypeError, match="both"):
        tb.add(x, 1, signature="ff->f", dtype="f")
    with pytest.raises(TypeError, match="both"):
        tb.add(x, 1, signature="ff->f", sig="ff->f")
    with pytest.raises(OverflowError):
        tb.add(tb.ones(2, "b"), 300, signature="bb->b")
    with pytest.raises(TypeError, match="No loop"):
        tb.add(x, x, signature=("f", None, None))


def test_dtype_names_the_loop_by_its_output():
    z = tb.array([3 + 4j], "F")
    assert tb.absolute(z, dtype="f").tolist() == [5]
    assert tb.less(tb.ones(2), 2, dtype=bool).tolist() == [True, True]


@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor", "logical_not", "equal", "less"])
@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
def test_casts_of_what_is_only_asked_whether_it_is_zero(name, casting):
    for codes in itertools.product("?bHqefdD", repeat=getattr(np, name).nin):
        arrays = [np.arange(3).astype(code) for code in codes]
        for options in ({}, {"dtype": bool}, {"out": "?"}, {"out": "b"}):
            results = []
            for m, convert in ((np, np.asarray), (tb, tb.array)):
                given = {key: m.zeros(3, v) if key == "out" else v for key, v in options.items()}
                try:
                    results.append(getattr(m, name)(*map(convert, arrays), casting=casting, **given))
                except TypeError:
                    results.append(None)
            want, got = results
            assert (want is None) == (got is None), (codes, options)
            if want is not None:
                same(got, want)


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind"])
@pytest.mark.parametrize("name", ["add", "divide", "power", "left_shift", "less", "maximum"])
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_casts_of_truth_values(name, casting):
    """True is of the dtype bool, where 2 has the other argument's."""
    for code in "?", "u1", "i8", "f4", "f8":
        for number in (True, False, 2) if casting[0] == "s" else (True, False):
            if name == "left_shift" and code[0] == "f":
                continue
            try:
                want = getattr(np, name)(np.ones(3, code), number, casting=casting)
            except TypeError:
                with pytest.raises(TypeError):
                    getattr(tb, name)(tb.ones(3, code), number, casting=casting)
            else:
                same(getattr(tb, name)(tb.ones(3, code), number, casting=casting), want)


@pytest.mark.parametrize("casting", ["no", "equiv"])
def test_strict_casting(casting):
    with pytest.raises(TypeError):
        tb.sin(tb.arange(3), casting=casting)
    assert tb.sin(tb.zeros(3), casting=casting).tolist() == [0, 0, 0]


def test_gcd_of_bool():
    for f in (tb.gcd, tb.lcm):
        with pytest.raises(TypeError):
            f(tb.array([True]), tb.array([True]))


@pytest.mark.parametrize("code", ["b", "B", "h", "H", "i", "I"])
@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod"])
def test_quotients_close_to_whole_numbers(name, code):
    """Multiples of the divisor, one more and one less, of any number of digits."""
    rng, bits = np.random.default_rng(4), np.iinfo(code).bits
    divisor = rng.integers(0, 2**bits, 20000, np.uint64) >> rng.integers(0, bits, 20000).astype("u8")
    times = rng.integers(0, 2**bits, 20000, np.uint64) % (2**bits // np.maximum(divisor, 1))
    a, b = ((n % 2**bits).astype(code) for n in (divisor * times + rng.integers(0, 3, 20000).astype("u8") - 1, divisor))
    with np.errstate(all="ignore"):
        same(getattr(tb, name)(tb.array(a), tb.array(b)), getattr(np, name)(a, b))


def test_powers_of_whole_numbers_are_exact_in_float32():
    pairs = [(b, e) for b in range(1, 4096) for e in range(-1 if b & (b - 1) == 0 else 0, 25) if b**e < 2**24]
    base, exponent, want = (np.array(c, "f") for c in zip(*((b, e, float(b) ** e) for b, e in pairs)))
    np.testing.assert_array_equal(tb.power(tb.array(base), tb.array(exponent)).get(), want)
    np.testing.assert_array_equal(tb.power(tb.array(-base), tb.array(exponent)).get(), want * (-1) ** exponent)


def float32_of_all_kinds(n, seed):
    """Every magnitude, and what divisions treat apart: zeros, denormal numbers, infinities, NaN, bounds."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 1 << 32, n, dtype=np.uint32)
    bits[1::4] = bits[1::4] & 0x807FFFFF | rng.integers(100, 156, n // 4, dtype=np.uint32) << 23
    bits[3::16] |= 0x7FFFFF
    special = np.array([0.0, 1.0, np.inf, np.nan, 1e-45, 1.1754942e-38, 1.1754944e-38, 3.4028235e38, 2.0**63, 2.0**-63,
        2.0**126, 2.0**64, 2.0**-64, 1.9999999, 0.99999994], "f")
    bits[rng.integers(0, n, n // 8)] = rng.choice(np.concatenate((special, -special)).view(np.uint32), n // 8)
    return bits.view(np.float32)


@pytest.mark.parametrize("layout", [slice(None), slice(1, None), slice(None, None, 3), slice(None, None, -1)])
def test_quotients_of_float32_are_rounded_correctly(layout):
    n = 1 << 18
    h, g = (float32_of_all_kinds(n, seed)[layout] for seed in (1, 2))
    x, y = (tb.array(float32_of_all_kinds(n, seed))[layout] for seed in (1, 2))
    numbers = np.array([1, -1, 3, -0.1, 0, -0.0, np.inf, 1.9999999, 2.0**-70, 2.0**70, 2.0**127, 1e-45], "f")
    with np.errstate(all="ignore"):
        same(x / y, h / g)
        same(tb.reciprocal(x), np.reciprocal(h))
        same(x / y + y / x * (1 / x), h / g + g / h * (1 / h))
        for c in numbers:
            same(x / c, h / c)
            same(c / x, c / h)
            same((x - c) / c + 1 / y, (h - c) / c + 1 / g)


def test_quotients_of_zeros_keep_their_sign():
    h = np.array([0.0, -0.0, 5.0, -0.0] * 64, "f")
    for c in (np.float32(3), np.float32(-3)):
        got = (tb.array(h) / c).get()
        assert (np.signbit(got) == np.signbit(h / c)).all() and (got == h / c).all()
    got, want = (tb.array(h) / tb.array(-h - 1)).get(), h / (-h - 1)
    assert (np.signbit(got) == np.signbit(want)).all() and (got == want).all()


@pytest.mark.parametrize("dtype", "fd")
def test_quotients_by_one_number_are_the_same_in_reductions(dtype):
    """A GPU has them by the number's inverse there: of every magnitude, and of what divisions treat apart."""
    n, info, rng = 20000, np.finfo(dtype), np.random.default_rng(5)
    usual = [1.0, 3.0, 1 / 3, 1.9999999, 2.0**40, 2.0**-40, *rng.uniform(1, 2, 8)]
    rare = [0.0, -0.0, np.inf, np.nan, info.tiny, info.smallest_subnormal, info.max, 2.0**41, 2.0**-41]
    h = np.exp2(rng.uniform(info.minexp, info.maxexp, n)) * rng.choice([-1, 1], n)
    h[::2] = rng.normal(size=n // 2)
    h[:18] = rare + [-c for c in rare]
    x, h = tb.array(h.astype(dtype)), h.astype(dtype)
    for c in np.array(usual + rare + [-7.0], dtype):
        with np.errstate(all="ignore"):
            want = tb.array(h / c)
        for divisor in (tb.array(c), float(c)):
            quotient = x / divisor
            alike = (quotient == want) & (tb.signbit(quotient) == tb.signbit(want))
            assert int((alike | tb.isnan(quotient) & tb.isnan(want)).sum()) == n


def test_logarithms_of_float64_are_within_two_units():
    """Of every exponent, beside 1, and where intervals of a table meet; those that are no number or not normal."""
    rng = np.random.default_rng(6)
    beside = (1 + np.arange(-40, 41) / 64)[:, None] * (1 + np.arange(-3, 4) * 2.0**-52)
    h = np.concatenate([np.exp2(rng.uniform(-1074, 1024, 30000)), rng.uniform(0.5, 2, 30000), beside.ravel(),
        1 + rng.normal(size=5000) * np.exp2(-rng.uniform(5, 52, 5000)), np.arange(1, 300) * 5e-324])
    got, want = tb.log(tb.array(h)).get(), np.log(h.astype("g"))
    assert (abs(got - want) <= 2 * np.spacing(abs(want.astype("d")))).all()
    odd = np.array([0.0, -0.0, -1.0, -np.inf, np.inf, np.nan, 1.0, -5e-324])
    with np.errstate(all="ignore"):
        same(tb.log(tb.array(odd)), np.log(odd))


def test_where_of_two_results():
    a = np.arange(-6.0, 6.0)
    mask = a % 2 == 0
    for name, args in [("divmod", (4.0,)), ("modf", ()), ("frexp", ())]:
        dtypes = [x.dtype for x in getattr(np, name)(a, *args)]
        out = [np.full(a.shape, -1, t) for t in dtypes]
        got = [tb.array(x) for x in out]
        getattr(np, name)(a, *args, *out, where=mask)
        getattr(tb, name)(tb.array(a), *args, *got, where=tb.array(mask))
        for x, y in zip(got, out):
            np.testing.assert_array_equal(x.get(), y)


@pytest.mark.parametrize("dtype", ["i4", "i8", "u1", "f4", "?"])
@pytest.mark.parametrize("number", [2.5, -1.75, True, 3, 2 + 1j])
def test_python_numbers_are_cast_unsafely(number, dtype):
    h = np.arange(1, 4)
    for name in ("add", "maximum", "multiply"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                want = getattr(np, name)(h, number, dtype=dtype, casting="unsafe")
            except TypeError:
                continue  # no loop
            got = getattr(tb, name)(tb.array(h), number, dtype=dtype, casting="unsafe")
        same(got, want)
        with pytest.raises(TypeError, match="same_kind|loop"):
            getattr(tb, name)(tb.array(h), 1j, dtype="i4")


@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod", "divmod"])
def test_division_of_int64(name):
    """Quotients next to whole numbers, numbers that double has and has not, zero and -1 as divisors."""
    rng = np.random.default_rng(4)
    divisor = np.concatenate([rng.integers(1, 10**k, 600) for k in (1, 4, 8, 15)]) * rng.choice([-1, 1], 2400)
    quotient = rng.integers(-(2**53), 2**53, 2400) // divisor
    for limit in (2**52 - 1, 2**63 - 1):
        for beside in (-1, 0, 1):
            x = np.clip(quotient * divisor + beside, -limit, limit)
            x[::300] = limit
            for y in (divisor, np.where(np.arange(2400) % 600 < 599, divisor, 0), np.full(2400, -1), divisor[:1]):
                with np.errstate(all="ignore"):
                    want = getattr(np, name)(x, y)
                got = getattr(tb, name)(tb.array(x), tb.array(y))
                for g, w in zip(got, want) if name == "divmod" else ((got, want),):
                    np.testing.assert_array_equal(g.get(), w)


@pytest.mark.parametrize("code", "FD")
@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 2.0])
def test_whole_powers_of_complex_infinities(code, exponent):
    """Products of the number with itself, as in NumPy; a product with 1 + 0j would make an infinity a NaN."""
    parts = [np.inf, -np.inf, np.nan, 1, -2, 0]
    host = np.array([complex(x, y) for x in parts for y in parts], code)
    with np.errstate(all="ignore"):
        want = np.power(host, exponent)
    same(tb.power(tb.array(host), exponent), want)
    same(tb.array(host) ** exponent, want)


@pytest.mark.parametrize("code", "iIlL")
@pytest.mark.parametrize("n", [1, 7, 255, 257, 5000])
def test_powers_of_integers(code, n):
    rng = np.random.default_rng(n)
    for most in (4, 70, 2**31 - 1):
        a, b = rng.integers(0, 9, n).astype(code), rng.integers(0, most, n).astype(code)
        if code in "il":
            a -= 4
        same(tb.power(tb.array(a), tb.array(b)), np.power(a, b))
        x = tb.array(a)
        x **= tb.array(b)
        same(x, np.power(a, b))
        if code in "il":  # a negative power is the true one truncated
            b[::2] = np.iinfo(code).min + b[::2]
            with np.errstate(all="ignore"):
                positive = np.power(a, np.maximum(b, 0))
            negative = np.where(abs(a) == 1, np.where(b & 1, a, 1), 0).astype(code)
            same(tb.power(tb.array(a), tb.array(b)), np.where(b < 0, negative, positive))
