"""tombac.ndarray against numpy.ndarray: attributes, operators, methods, conversions, subclasses."""

import copy
import gc
import operator
import pickle
import threading
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import DTYPES, arrays, dtypes, same, same_outcome, shapes, values

import tombac

# --- attributes -------------------------------------------------------------------------------------------------------


@given(arrays())
def test_attributes(pair):
    a, b = pair
    assert b.shape == a.shape and b.ndim == a.ndim and b.size == a.size
    assert b.dtype is np.dtype(a.dtype) and b.itemsize == a.itemsize and b.nbytes == a.nbytes
    assert b.flags.c_contiguous == a.flags.c_contiguous
    assert b.flags["F_CONTIGUOUS"] == a.flags["F_CONTIGUOUS"]
    same(b, a)
    same(b.T, a.T)
    same(b.real, a.real)
    same(b.imag, a.imag)
    assert b.__array_priority__ == 100


def test_strides_of_transposed_and_sliced():
    a, b = np.zeros((3, 4, 5), "f"), tombac.zeros((3, 4, 5), "f")
    assert b.strides == a.strides
    assert b.T.strides == a.T.strides
    assert b[::2, ::-1].strides == a[::2, ::-1].strides


def test_matrix_transpose():
    a = np.arange(24).reshape(2, 3, 4)
    same(tombac.array(a).mT, a.mT)
    with pytest.raises(ValueError):
        tombac.zeros(3).mT


def test_flags():
    a = tombac.zeros((2, 3))
    assert a.flags.owndata and not a.T.flags.owndata
    assert "C_CONTIGUOUS : True" in repr(a.flags)
    with pytest.raises(KeyError):
        a.flags["NONSENSE"]
    with pytest.raises(AttributeError):
        a.flags.c_contiguous = True


def test_base_is_the_owner():
    a = tombac.zeros((4, 4))
    v = a[1:]
    assert a.base is None and v.base is a and v[1:].base is a and a.copy().base is None


def test_shape_is_settable():
    a = tombac.arange(6)
    a.shape = 2, 3
    same(a, np.arange(6).reshape(2, 3))
    a.shape = -1
    assert a.shape == (6,)
    b = tombac.zeros((4, 4))[:, :2]
    with pytest.raises(AttributeError):
        b.shape = 8
    with pytest.raises(ValueError):
        a.shape = 7


def test_real_and_imag_are_views():
    a = tombac.zeros(3, complex)
    a.real = [1, 2, 3]
    a.imag[1:] = 5
    same(a, np.array([1, 2 + 5j, 3 + 5j]))
    b = tombac.zeros(3)
    b.real = 7
    same(b, np.full(3, 7.0))
    with pytest.raises(TypeError):
        b.imag = 1


def test_device_and_data():
    a = tombac.arange(10.0)
    assert a.device.id == 0
    p = a.data
    assert p.ptr == a.data.ptr == int(p) and p.mem.size >= a.nbytes and p.device_id == 0
    assert a[2:].data.ptr == p.ptr + 16
    same(tombac.ndarray((4,), float, a[2:].data), np.arange(2.0, 6.0))
    same(tombac.ndarray((2, 2), float, p + 8, strides=(16, 8)), np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert tombac.ndarray((2, 3), float, strides=(0, 8)).strides == (0, 8)
    assert tombac.ndarray((2, 0), float, strides=(80, 8)).strides == (80, 8)
    for strides in ((8,), (-8, 8), (24, 16), (2**62, 2**62)):
        with pytest.raises(ValueError, match=r"ndarray\(\) with strides"):
            tombac.ndarray((2, 3), float, strides=strides)


def test_data_ptr_evaluates():
    a = tombac.ones(8) + 1
    p = tombac.ndarray((8,), float, a.data)
    same(p, np.full(8, 2.0))


def test_unhashable_and_weakly_referable():
    a = tombac.zeros(3)
    with pytest.raises(TypeError):
        hash(a)
    r = weakref.ref(a)
    assert r() is a
    del a
    gc.collect()
    assert r() is None


def test_constructor():
    a = tombac.ndarray((2, 3), dtype="f", order="F")
    assert a.dtype == np.float32 and a.strides == (4, 8)
    with pytest.raises(TypeError):
        tombac.ndarray()
    with pytest.raises(ValueError):
        tombac.ndarray((-1,))


# --- operators --------------------------------------------------------------------------------------------------------

BINARY = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.and_,
    operator.or_, operator.xor, operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge,
]  # fmt: skip


@pytest.mark.parametrize("op", BINARY, ids=lambda f: f.__name__)
@given(a=arrays(max_dims=2), b=arrays(max_dims=2))
@settings(max_examples=60)
def test_binary_operators(op, a, b):
    rtol = 1e-6 if op is operator.truediv and "c" in a[0].dtype.kind + b[0].dtype.kind else 0
    with np.errstate(all="ignore"):
        same_outcome(lambda: op(a[1], b[1]), lambda: op(a[0], b[0]), rtol)


@pytest.mark.parametrize("op", BINARY, ids=lambda f: f.__name__)
@given(a=arrays(max_dims=2), x=st.sampled_from([0, 1, 3, -2, 2.5, 1 + 2j, True, np.float32(2), np.int8(3), np.True_]))
@settings(max_examples=60)
def test_operators_with_numbers(op, a, x):
    rtol = 1e-6 if op is operator.truediv and (a[0].dtype.kind == "c" or isinstance(x, complex)) else 0
    with np.errstate(all="ignore"):
        same_outcome(lambda: op(a[1], x), lambda: np.asarray(op(a[0], x)), rtol)
        if not isinstance(x, np.generic):
            same_outcome(lambda: op(x, a[1]), lambda: np.asarray(op(x, a[0])), rtol)


@pytest.mark.parametrize("op", [operator.neg, operator.pos, operator.abs, operator.invert], ids=lambda f: f.__name__)
@given(a=arrays())
@settings(max_examples=60)
def test_unary_operators(op, a):
    rtol = 1e-6 if op is operator.abs and a[0].dtype.kind == "c" else 0
    same_outcome(lambda: op(a[1]), lambda: np.asarray(op(a[0])), rtol)


@pytest.mark.parametrize(
    "op", [operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod,
           operator.ior, operator.iand, operator.ixor]
)
@given(a=arrays(max_dims=2), b=arrays(max_dims=2))
@settings(max_examples=40)
def test_in_place_operators(op, a, b):
    with np.errstate(all="ignore"):
        same_outcome(lambda: op(a[1], b[1]), lambda: op(a[0].copy("K"), b[0]), 1e-6)


def test_shifts_and_products_in_place():
    a, b, c = tombac.arange(6), tombac.arange(6), tombac.eye(2)
    a <<= 2
    b >>= 1
    c @= tombac.array([[1.0, 2], [3, 4]])
    same(a, np.arange(6) << 2)
    same(b, np.arange(6) >> 1)
    same(c, np.array([[1.0, 2], [3, 4]]))


def test_flags_are_compared():
    a, b = tombac.zeros((2, 3)), tombac.zeros((3, 2))
    assert a.flags == b.flags and not a.flags != b.flags
    assert a.flags != b.T.flags and not a.flags == b.T.flags
    assert a.flags != 3 and not a.flags == "C"


def test_in_place_keeps_the_object_and_reaches_views():
    a = tombac.zeros(4)
    v, b = a[1:3], a
    a += 1
    a **= 2
    assert a is b
    v *= 5
    same(a, np.array([1.0, 5, 5, 1]))
    with pytest.raises(TypeError):
        tombac.arange(3).__iadd__(1.5)
    with pytest.raises(TypeError, match="power"):
        tombac.arange(3).__ipow__(0.5)


@pytest.mark.parametrize("x", [2, 2.0, 0.5, 3, -1.0, 0])
@pytest.mark.parametrize("dtype", ["?", "B", "i", "L", "e", "f", "d", "D"])
def test_powers(dtype, x):
    a = np.array([1, 2, 3, 9], dtype)
    want = a**x
    got = (tombac.array(a) ** x).get()
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-2 if dtype == "e" else 1e-6)
    np.testing.assert_allclose((x ** tombac.array(a)).get(), x**a, rtol=1e-2 if dtype == "e" else 1e-6)


def test_divmod():
    a, b = np.array([7, -7, 5]), np.array([2, 2, -3])
    for got, want in zip(divmod(tombac.array(a), tombac.array(b)), divmod(a, b), strict=True):
        same(got, want)
    for got, want in zip(divmod(20, tombac.array(b)), divmod(20, b), strict=True):
        same(got, want)


def test_shifts():
    a, s = np.array([1, 2, 300], "h"), np.array([3, 2, 1], "h")
    same(tombac.array(a) << tombac.array(s), a << s)
    same(tombac.array(a) >> 1, a >> 1)
    same(2 << tombac.array(s), 2 << s)


def test_matmul():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    same(tombac.array(a) @ tombac.array(b), a @ b)
    with pytest.raises(ValueError):
        tombac.array(a) @ tombac.array(a)
    with pytest.raises((TypeError, ValueError)):
        tombac.array(a) @ 3


@pytest.mark.parametrize("other", [np.zeros(3), [1, 2, 3], (1, 2, 3)], ids=["ndarray", "list", "tuple"])
def test_host_operands_are_refused(other):
    a = tombac.zeros(3)
    for op in [operator.add, operator.mul, operator.lt, operator.eq]:
        with pytest.raises(TypeError, match="Unsupported type"):
            op(a, other)
        with pytest.raises(TypeError):
            op(other, a)
    with pytest.raises(TypeError):
        a += other


def test_unknown_operands():
    class Mine:
        def __radd__(self, other):
            return "mine"

    class Before:
        __array_ufunc__ = None

        def __rmul__(self, other):
            return "before"

    a = tombac.zeros(3)
    assert a + Mine() == "mine" and a * Before() == "before"
    for x in (None, "text", object()):
        assert (a == x) is False and (a != x) is True
        with pytest.raises(TypeError):
            a + x


def test_integers_beyond_64_bits():
    i, f = tombac.arange(3), tombac.arange(3.0)
    with pytest.raises(OverflowError):
        i + 2**70
    same(f + 2**70, np.arange(3.0) + 2**70)
    same(i < 2**70, np.array([True] * 3))
    same(i > -(2**2000), np.array([True] * 3))
    same(tombac.array([2**63], "u8") + (2**64 - 1), np.array([2**63], "u8") + np.uint64(2**64 - 1))
    with pytest.raises(OverflowError):
        tombac.zeros(2, "u1") + 300
    same(tombac.zeros(2, "u1") < 300, np.array([True, True]))


def test_numpy_scalars_on_the_left():
    a = tombac.arange(3, dtype="f")
    same(np.float32(2) * a, np.float32(2) * np.arange(3, dtype="f"))
    same(np.float64(2) + a, np.float64(2) + np.arange(3, dtype="f"))


@pytest.mark.parametrize("op", ["lt", "le", "eq", "ne", "gt", "ge"])
@pytest.mark.parametrize("code", DTYPES)
def test_comparisons_with_numpy_scalars_on_the_left(op, code):
    f, a = getattr(operator, op), np.arange(4).astype("d")
    x = np.dtype(code).type(1)
    same(f(x, tombac.array(a)), f(x, a))
    with pytest.raises(TypeError, match="numpy.ndarray"):
        f(np.ones(4), tombac.array(a))


# --- conversions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", DTYPES)
def test_python_numbers(code):
    for x in (0, 1):
        a, b = np.array(x, code), tombac.array(x, code)
        assert b.item() == a.item() and type(b.item()) is type(a.item())
        assert bool(b) == bool(a) and complex(b) == complex(a)
        for convert in (int, float, operator.index):
            try:
                want = convert(a)
            except TypeError:
                with pytest.raises(TypeError):
                    convert(b)
            else:
                assert convert(b) == want


def test_conversion_errors():
    a = tombac.arange(3)
    for convert in (int, float, complex, operator.index):
        with pytest.raises(TypeError):
            convert(a)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(a)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(tombac.zeros(0))
    assert bool(tombac.ones((1, 1)))
    with pytest.raises(TypeError):
        len(tombac.array(1))
    with pytest.raises(TypeError):
        iter(tombac.array(1))


@given(arrays(max_side=3))
def test_lists_and_bytes(pair):
    a, b = pair
    assert b.tolist() == a.tolist()
    assert b.tobytes() == a.tobytes()
    assert b.tobytes("F") == a.tobytes("F")


@given(arrays())
def test_text_is_numpys(pair):
    a, b = pair
    assert repr(b) == repr(a) and str(b) == str(a)


def test_format():
    assert f"{tombac.array(1.5):.3f}" == "1.500"
    assert f"{tombac.arange(3)}" == "[0 1 2]"
    with pytest.raises(TypeError):
        format(tombac.arange(3), ".2f")


def test_item():
    a, b = np.arange(6).reshape(2, 3), tombac.arange(6).reshape(2, 3)
    for key in [(4,), (1, 2), ((1, 2),), (-1,)]:
        assert b.item(*key) == a.item(*key)
    for key, error in [((), ValueError), ((6,), IndexError), ((0, 1, 2), ValueError)]:
        with pytest.raises(error):
            b.item(*key)


def test_get():
    a = np.arange(6.0).reshape(2, 3)
    b = tombac.array(a)
    assert b.get(order="F").flags.f_contiguous
    out = np.empty((2, 3))
    assert b.get(out=out) is out and (out == a).all()
    wide = np.zeros((2, 6))[:, ::2]
    b.get(out=wide)
    assert (wide == a).all()
    for bad, error in [(np.empty(6), ValueError), (np.empty((2, 3), "f"), TypeError), ([], TypeError)]:
        with pytest.raises(error):
            b.get(out=bad)
    with pytest.raises(ValueError):
        b.get(order="X")


def test_set():
    b = tombac.zeros((2, 3))[:, ::-1]
    b.set(np.arange(6.0).reshape(2, 3))
    same(b, np.arange(6.0).reshape(2, 3))
    for bad, error in [(np.zeros(6), ValueError), (np.zeros((2, 3), "f"), TypeError), ([1], TypeError)]:
        with pytest.raises(error):
            b.set(bad)


@given(arrays(), dtypes(), st.sampled_from("CFAK"))
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_astype(pair, dtype, order):
    a, b = pair
    same(b.astype(dtype), a.astype(dtype))
    got, want = b.astype(dtype, order=order), a.astype(dtype, order=order)
    same(got, want)
    assert got.flags.c_contiguous == want.flags.c_contiguous
    assert got.flags.f_contiguous == want.flags.f_contiguous


def test_astype_rules():
    a = tombac.arange(3.0)
    assert a.astype(float, copy=False) is a and a.astype(float) is not a
    with pytest.raises(TypeError):
        a.astype("i", casting="safe")
    with pytest.raises(ValueError, match="dtype"):
        a.astype("U3")
    with pytest.warns(np.exceptions.ComplexWarning):
        tombac.ones(2, complex).astype(float)


@pytest.mark.parametrize("code", ["O", "U3", "S2", ">M8[s]", ">i4", "g", [("a", "U4")]], ids=str)
def test_dtypes_that_arrays_cannot_have(code):
    with pytest.raises(ValueError, match="Unsupported dtype"):
        tombac.zeros(3, code)
    with pytest.raises(ValueError, match="Unsupported dtype"):
        tombac.arange(3).view(code)
    if code == ">i4":
        with pytest.raises(ValueError, match="byte-order"):
            tombac.ndarray((3,), code)


def test_dtype_spellings():
    for spelling in (float, "f8", "<f8", "d", "float64", np.float64, np.dtype("d")):
        assert tombac.zeros(1, spelling).dtype is np.dtype("d")
    assert tombac.zeros(1, "q").dtype == np.int64 and tombac.zeros(1, np.longlong).dtype == np.int64


@given(arrays(), st.sampled_from("CFAK"))
def test_copy(pair, order):
    a, b = pair
    c = b.copy(order)
    same(c, a)
    assert c.flags.f_contiguous == a.copy(order).flags.f_contiguous
    same(copy.copy(b), a)
    same(copy.deepcopy(b), a)
    same(pickle.loads(pickle.dumps(b)), a)


def test_files(tmp_path):
    a = tombac.arange(5)
    a.tofile(tmp_path / "raw")
    assert (np.fromfile(tmp_path / "raw", int) == np.arange(5)).all()
    a.dump(tmp_path / "pickle")
    assert (np.load(tmp_path / "pickle", allow_pickle=True) == np.arange(5)).all()
    assert (pickle.loads(a.dumps()) == np.arange(5)).all()


# --- shapes -----------------------------------------------------------------------------------------------------------


@given(arrays(max_dims=3), shapes(), st.sampled_from("CFA"))
def test_reshape(pair, shape, order):
    a, b = pair
    same_outcome(lambda: b.reshape(shape, order=order), lambda: a.reshape(shape, order=order))
    same_outcome(lambda: b.reshape(-1), lambda: a.reshape(-1))
    same_outcome(lambda: b.reshape((-1, 2), order=order), lambda: a.reshape((-1, 2), order=order))


def test_reshape_spellings():
    a = tombac.arange(6)
    for b in (a.reshape(2, 3), a.reshape((2, 3)), a.reshape([2, -1]), a.reshape(shape=(2, 3))):
        same(b, np.arange(6).reshape(2, 3))
    assert a.reshape(2, 3).base is a
    for bad in ((4,), (-1, -1), (-1, 4)):
        with pytest.raises(ValueError):
            a.reshape(bad)
    with pytest.raises(TypeError):
        a.reshape()
    with pytest.raises(ValueError):
        tombac.zeros((4, 4)).T.reshape(16, copy=False)
    for bad in ((2**62, 0), (0, 2**61), (2**31, 0, 2**31)):  # without an element, and too big all the same
        with pytest.raises(ValueError, match="too big"):
            tombac.zeros(0).reshape(bad)


@given(arrays(), st.sampled_from("CFAK"))
def test_ravel_and_flatten(pair, order):
    a, b = pair
    same(b.ravel(order), a.ravel(order))
    same(b.flatten(order), a.flatten(order))


@given(arrays(), st.data())
def test_transposes(pair, data):
    a, b = pair
    axes = data.draw(st.permutations(range(a.ndim)))
    same(b.transpose(axes), a.transpose(axes))
    same(b.transpose(*axes), a.transpose(*axes))
    same(b.transpose(), a.transpose())
    if a.ndim:
        i, j = data.draw(st.tuples(*[st.integers(-a.ndim, a.ndim - 1)] * 2))
        same(b.swapaxes(i, j), a.swapaxes(i, j))


def test_transpose_errors():
    a = tombac.zeros((2, 3))
    for axes, error in [((0, 0), ValueError), ((0,), ValueError), ((0, 5), np.exceptions.AxisError)]:
        with pytest.raises(error):
            a.transpose(axes)
    with pytest.raises(np.exceptions.AxisError):
        a.swapaxes(0, 2)


@given(arrays(max_side=2))
def test_squeeze(pair):
    a, b = pair
    same(b.squeeze(), a.squeeze())
    for axis in range(-a.ndim - 1, a.ndim + 1):
        same_outcome(lambda axis=axis: b.squeeze(axis), lambda axis=axis: a.squeeze(axis))


@given(arrays(min_dims=2), st.integers(-4, 4), st.data())
def test_diagonal_and_trace(pair, offset, data):
    a, b = pair
    axes = data.draw(st.tuples(*[st.integers(-a.ndim, a.ndim - 1)] * 2))
    same_outcome(lambda: b.diagonal(offset, *axes), lambda: a.diagonal(offset, *axes))
    if a.dtype.kind in "iu":
        same_outcome(lambda: b.trace(offset, *axes), lambda: a.trace(offset, *axes))


@given(arrays(max_dims=2), dtypes())
def test_view_as_dtype(pair, dtype):
    a, b = pair
    if dtype.kind == "b" and a.dtype.kind != "b":
        return
    same_outcome(lambda: b.view(dtype), lambda: a.view(dtype))


def test_views_share_memory():
    a = tombac.zeros((3, 4))
    for v in (a.T, a.reshape(12), a.ravel(), a.diagonal(), a.view("i8"), a.squeeze(), a[1:], a.swapaxes(0, 1)):
        v[...] = 1
        assert a.get().any()
        a[...] = 0
    assert not tombac.may_share_memory(a, a.flatten())


# --- computing methods ------------------------------------------------------------------------------------------------


@given(arrays())
def test_conj_and_fill(pair):
    a, b = pair
    same(b.conj(), a.conj())
    c, d = a.copy("K"), b.copy("K")
    c.fill(1)
    d.fill(1)
    same(d, c)


@pytest.mark.parametrize("code", ["h", "B", "e", "f", "d", "D"])
@pytest.mark.parametrize("decimals", [0, 1, 2, -1, -2])
def test_round(code, decimals):
    rng = np.random.default_rng(0)
    a = (rng.random((3, 5)) * 100).astype(code)
    same(tombac.array(a).round(decimals), a.round(decimals))
    out = tombac.zeros((3, 5), code)
    assert tombac.array(a).round(decimals, out=out) is out
    same(out, a.round(decimals))


def test_clip():
    a, b = np.arange(10), tombac.arange(10)
    same(b.clip(2, 7), a.clip(2, 7))
    same(b.clip(max=3), a.clip(max=3))
    same(b.clip(min=tombac.full(10, 4)), a.clip(min=np.full(10, 4)))


REDUCTIONS = "sum prod min max argmin argmax any all mean var std".split()


@pytest.mark.parametrize("name", REDUCTIONS)
@given(pair=arrays(codes=list("?bHilLfdD"), max_side=3), data=st.data())
@settings(max_examples=60)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_reductions(name, pair, data):
    a, b = pair
    axis = data.draw(st.sampled_from([None, *range(-a.ndim, a.ndim)]))
    keepdims = data.draw(st.booleans())
    try:
        want = getattr(a, name)(axis=axis, keepdims=keepdims)
    except Exception as e:
        with pytest.raises((type(e), ValueError, TypeError)):
            getattr(b, name)(axis=axis, keepdims=keepdims)
        return
    got = getattr(b, name)(axis=axis, keepdims=keepdims)
    assert type(got) is tombac.ndarray and got.dtype == np.asarray(want).dtype and got.shape == np.shape(want)
    np.testing.assert_allclose(got.get(), want, rtol=1e-5, atol=1e-6)


def test_reduction_arguments():
    a = np.arange(24.0).reshape(2, 3, 4)
    b = tombac.array(a)
    same(b.sum((0, 2)), a.sum((0, 2)))
    same(b.sum(1, "f"), a.sum(1, "f"))
    same(b.max(0, initial=15), a.max(0, initial=15))
    np.testing.assert_allclose(b.var(ddof=1).get(), a.var(ddof=1))
    same(b.ptp(axis=1), np.ptp(a, axis=1))
    out = tombac.empty((2, 4))
    assert b.sum(1, out=out) is out
    same(out, a.sum(1))
    with pytest.raises(np.exceptions.AxisError):
        b.sum(3)
    with pytest.raises(ValueError):
        b.sum((0, 0))
    with pytest.raises(TypeError):
        b.sum(nonsense=1)
    with pytest.raises(ValueError):
        tombac.zeros(0).max()


def test_scans():
    a = np.arange(12).reshape(3, 4) % 5
    b = tombac.array(a)
    same(b.cumsum(), a.cumsum())
    same(b.cumsum(axis=1), a.cumsum(axis=1))
    same(b.cumprod(axis=0, dtype="d"), a.cumprod(axis=0, dtype="d"))
    with pytest.raises(np.exceptions.AxisError):
        b.cumsum(axis=2)


def test_dot():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(3.0)
    same(tombac.array(a).dot(tombac.array(b)), a.dot(b))
    same(tombac.array(b).dot(tombac.array(b)), np.asarray(b.dot(b)))
    same(tombac.array(a).dot(2), a.dot(2))


# --- subclasses -------------------------------------------------------------------------------------------------------


class Tagged(tombac.ndarray):
    def __new__(cls, shape, tag="new", **kw):
        self = super().__new__(cls, shape, **kw)
        self.tag = tag
        return self

    def __array_finalize__(self, obj):
        self.tag = getattr(obj, "tag", "none")


def test_subclass_views_and_copies():
    a = Tagged((3, 4), tag="x", dtype="f")
    a[...] = 2
    for b in (a[1:], a.T, a.reshape(12), a.copy(), a.astype("d"), a.view(), a.squeeze()):
        assert type(b) is Tagged and b.tag == "x"
    v = tombac.zeros(3).view(Tagged)
    assert type(v) is Tagged and v.tag == "none"
    assert type(v.view(tombac.ndarray)) is tombac.ndarray
    assert type(tombac.asarray(a)) is tombac.ndarray and tombac.asanyarray(a) is a
    assert type(a + 1) is Tagged and (a + 1).tag == "x"
    same((a + 1).view(tombac.ndarray), np.full((3, 4), 3, "f"))


@given(dtypes(), shapes())
@settings(max_examples=20)
def test_memory_is_given_back(dtype, shape):
    a = tombac.array(values(dtype, shape, 0))
    r = weakref.ref(a)
    v = a[...]
    del a
    assert r() is not None
    del v
    assert r() is None


class Plain(tombac.ndarray):
    """A subclass that defines nothing."""


def test_plain_subclass():
    a = Plain((2, 3))
    a.note = "kept apart"
    assert type(a.T) is Plain and isinstance(a.copy(), Plain) and a.dtype == float


def test_namespace_and_generic_alias():
    assert tombac.zeros(1).__array_namespace__(api_version="2024.12") is tombac
    assert tombac.ndarray[int, float].__origin__ is tombac.ndarray
    assert bytes(tombac.arange(2, dtype="u1")) == b"\0\1"


@given(arrays())
def test_flat(pair):
    a, b = pair[0].copy("K"), pair[1].copy("K")
    assert len(b.flat) == len(a.flat) and b.flat.base is b
    assert [x.item() for x in b.flat] == [x.item() for x in a.flat]
    same(b.flat[1:5], a.flat[1:5])
    for i in range(-a.size, a.size):
        same(b.flat[i], a.flat[i])
    same(b.flat.copy(), a.flat.copy())
    b.flat[::2] = 1
    a.flat[::2] = 1
    same(b, a)
    b.flat = 0
    a.flat = 0
    same(b, a)
    for i in (b.size, -b.size - 1, 2**70):
        with pytest.raises(IndexError):
            b.flat[i]


# --- threads ----------------------------------------------------------------------------------------------------------


def test_threads_share_arrays():
    shared = tombac.arange(1000.0) + 1
    failures = []

    def work(k):
        try:
            for i in range(50):
                a = shared * k + i
                v = a[::2]
                a += 1
                want = (np.arange(1000.0) + 1) * k + i + 1
                assert (a.get() == want).all() and (v.get() == want[::2]).all()
                assert float(a.sum()) == want.sum()
        except Exception as e:
            failures.append(e)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures


def strided(rng, shape):
    """A view of NumPy's and the same of ours: axes in any order, with steps, one of them backwards now and then."""
    axes = [int(d) for d in rng.permutation(len(shape))]
    steps = rng.integers(1, 3, len(shape))
    key = [slice(None, int(n * k), int(k)) for n, k in zip(shape, steps)]
    if rng.random() < 0.3:
        d = rng.integers(len(shape))
        key[d] = slice(None, None, -int(steps[d]))
    block = np.zeros([shape[d] * steps[d] for d in axes])
    place = [axes.index(d) for d in range(len(shape))]
    return block.transpose(place)[tuple(key)], tombac.array(block).transpose(place)[tuple(key)]


@pytest.mark.parametrize("seed", range(300))
def test_results_lie_in_memory_as_those_of_numpy_do(seed):
    """Strides of axes of one element say nothing."""
    rng = np.random.default_rng(seed)
    shape = tuple(int(n) for n in rng.integers(1, 4, rng.integers(1, 5)))
    other = shape if rng.random() < 0.7 else tuple(n if rng.random() < 0.5 else 1 for n in shape)
    (a, x), (b, y) = strided(rng, shape), strided(rng, other)
    for want, got in ((np.negative(a), tombac.negative(x)), (a + b, x + y), (a * 2 - b, x * 2 - y)):
        assert [s for s, n in zip(got.strides, shape) if n > 1] == [s for s, n in zip(want.strides, shape) if n > 1]


def test_ravel_is_contiguous():
    a = np.arange(24.0).reshape(2, 3, 4)
    views = [lambda x: x, lambda x: x.T, lambda x: x[:, ::2], lambda x: x[0, 0, ::2], lambda x: x.transpose(1, 0, 2),
             lambda x: x[..., 1], lambda x: x[::-1], lambda x: x[0, 0, ::-1], lambda x: x[:1, :, :1]]
    for view in views:
        for order in "CFAK":
            host, mine = view(a).ravel(order), view(tombac.array(a)).ravel(order)
            same(mine, host)
            assert mine.flags.c_contiguous
            base = tombac.array(a)
            shared = tombac.may_share_memory(base, view(base).ravel(order))
            assert shared == np.may_share_memory(view(a), host) or order == "K"


@given(arrays(), st.booleans())
def test_byteswap(pair, inplace):
    h, a = pair[0].copy(), pair[1].copy()
    swapped = a.byteswap(inplace)
    assert (swapped is a) is inplace and swapped.dtype == h.dtype and swapped.shape == h.shape
    assert swapped.get().tobytes() == h.byteswap().tobytes()
    assert a.get().tobytes() == (h.byteswap() if inplace else h).tobytes()
    view = pair[1]
    assert view.byteswap(inplace=True) is view
    assert view.get().tobytes() == pair[0].byteswap().tobytes()
