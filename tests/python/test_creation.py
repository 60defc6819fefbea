"""Creation functions against NumPy's: from objects, from shapes, like other arrays, ranges."""

import inspect
import array as stdlib_array

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import DTYPES, arrays, dtypes, same, same_outcome, shapes, values

import tombac


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@given(pair=arrays(), dtype=dtypes())
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_from_host_arrays(order, pair, dtype):
    a, _ = pair
    same(tombac.array(a), a)
    b = tombac.array(a, dtype, order=order)
    same(b, a.astype(dtype))
    if order in "CF":
        assert b.flags[order] or a.size == 0


@given(arrays(), dtypes(), st.sampled_from("CFAK"))
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_from_own_arrays(pair, dtype, order):
    a, b = pair
    c = tombac.array(b, dtype, order=order)
    same(c, np.array(a, dtype, order=order))
    assert not tombac.may_share_memory(b, c) or b.size == 0
    assert tombac.asarray(b) is b and tombac.asarray(b, b.dtype) is b


@pytest.mark.parametrize(
    "x",
    [
        0, 1.5, True, 1j, [], [1, 2], [1.5, 2], [True, False], [[1, 2], [3, 4]], ((1,), (2,)), [[]], [1, 2.5, 3j],
        [2**63], range(4), np.float32(3), [np.int8(1), np.int8(2)], [np.arange(2), np.arange(2)], [True, 2], [1, True],
        [0.1] * 100, list(range(200)), bytearray(b"ab"), stdlib_array.array("f", [1, 2]), memoryview(b"xyz"),
    ],
    ids=lambda x: repr(x).partition(" at 0x")[0][:30],
)  # fmt: skip
def test_from_python_objects(x):
    same(tombac.array(x), np.array(x))
    same(tombac.asarray(x, dtype="f") if not np.iscomplexobj(x) else tombac.asarray(x, dtype="F"),
         np.asarray(x, dtype="F" if np.iscomplexobj(x) else "f"))  # fmt: skip


def test_from_lists_of_own_arrays():
    a, b = tombac.arange(3), tombac.ones(3)
    same(tombac.array([a, b]), np.array([np.arange(3), np.ones(3)]))
    same(tombac.array([[a, b], [b, a]], "f").astype(float), np.array([[range(3), [1] * 3], [[1] * 3, range(3)]], float))
    same(tombac.array([tombac.array(1), 2, 3.5]), np.array([1, 2, 3.5]))
    with pytest.raises(ValueError):
        tombac.array([a, tombac.ones(4)])


@pytest.mark.parametrize("x", [["a", "b"], [object()], "text", [None], np.array(["a"]), np.zeros(2, "S3"), None])
def test_what_arrays_cannot_hold(x):
    with pytest.raises((TypeError, ValueError)):
        tombac.array(x)


def test_ragged_lists():
    with pytest.raises(ValueError):
        tombac.array([[1, 2], [3]])


def test_byte_order_is_converted():
    a = np.arange(5, dtype=">i4")
    same(tombac.array(a), a.astype("i4"))


def test_numbers_that_do_not_fit():
    for x, dtype, error in [(300, "u1", OverflowError), ([300], "u1", OverflowError), (1j, float, TypeError)]:
        with pytest.raises(error):
            tombac.array(x, dtype)
    with pytest.raises((OverflowError, TypeError, ValueError)):
        tombac.array(2**70)


def test_array_arguments():
    a = tombac.arange(3)
    same(tombac.array(a, ndmin=3), np.arange(3)[None, None])
    same(tombac.array([1, 2], ndmin=2), np.array([[1, 2]]))
    assert tombac.array(a, copy=False) is a
    assert tombac.asarray(a, copy=True) is not a
    with pytest.raises(ValueError):
        tombac.asarray([1, 2], copy=False)
    with pytest.raises(ValueError):
        tombac.asarray(a, "f", copy=False)
    with pytest.raises(TypeError):
        tombac.array()
    with pytest.raises(TypeError):
        tombac.array(a, nonsense=1)


@given(arrays())
def test_contiguous(pair):
    a, b = pair
    same(tombac.ascontiguousarray(b), np.ascontiguousarray(a))
    same(tombac.asfortranarray(b), np.asfortranarray(a))
    assert tombac.ascontiguousarray(b).flags.c_contiguous and tombac.asfortranarray(b).flags.f_contiguous


@given(shapes(), dtypes(), st.sampled_from("CF"))
def test_from_shapes(shape, dtype, order):
    for name in ("zeros", "ones"):
        got, want = getattr(tombac, name)(shape, dtype, order), getattr(np, name)(shape, dtype, order)
        same(got, want)
        if want.size:
            assert got.strides == want.strides
    e = tombac.empty(shape, dtype, order)
    assert e.shape == shape and e.dtype == dtype and e.flags[order]
    same(tombac.full(shape, 3 if dtype.kind != "b" else True, dtype), np.full(shape, 3, dtype))


def test_shape_spellings():
    for shape in (3, (3,), [3], np.int64(3), np.array([3]), (np.int8(3),)):
        assert tombac.empty(shape).shape == (3,)
    assert tombac.zeros(()).shape == ()
    negative, floats = [-1, (2, -1)], [1.5, (1.5,), None]
    for bad, error in [(x, ValueError) for x in negative] + [(x, TypeError) for x in floats]:
        with pytest.raises(error):
            tombac.zeros(bad)
    with pytest.raises(ValueError):
        tombac.zeros(3, order="K")
    with pytest.raises((ValueError, MemoryError, OverflowError)):
        tombac.empty((2**40, 2**40))


@pytest.mark.parametrize("value", [1, 1.5, True, 2j, np.float32(2), np.uint8(7)])
def test_full_takes_the_values_dtype(value):
    same(tombac.full((2, 2), value), np.full((2, 2), value))


def test_full_of_arrays():
    same(tombac.full((2, 3), tombac.arange(3)), np.full((2, 3), np.arange(3)))
    same(tombac.full((2, 3), [1.0, 2, 3], "f"), np.full((2, 3), [1.0, 2, 3], "f"))
    with pytest.raises(OverflowError):
        tombac.full(3, 300, "i1")


@given(arrays(), dtypes(), st.sampled_from("CFAK"))
def test_like(pair, dtype, order):
    a, b = pair
    for name in ("zeros_like", "ones_like"):
        for kw in ({}, {"dtype": dtype}, {"order": order}):
            got, want = getattr(tombac, name)(b, **kw), getattr(np, name)(a, **kw)
            same(got, want)
            assert got.flags.c_contiguous == want.flags.c_contiguous
            assert got.flags.f_contiguous == want.flags.f_contiguous
    same(tombac.full_like(b, 1), np.full_like(a, 1))
    assert tombac.empty_like(b, dtype, order).dtype == dtype
    same(tombac.zeros_like(b, shape=(2, 3)), np.zeros_like(a, shape=(2, 3)))
    same(tombac.ones_like(a), np.ones_like(a))


numbers = st.integers(-20, 20) | st.floats(-20, 20, allow_subnormal=False).map(lambda x: round(x, 2))


@given(numbers, numbers, numbers.filter(lambda x: abs(x) > 0.05))
def test_arange(start, stop, step):
    same(tombac.arange(start, stop, step), np.arange(start, stop, step))
    same(tombac.arange(stop), np.arange(stop))
    same(tombac.arange(start, stop), np.arange(start, stop))


@given(st.integers(-20, 20), st.integers(-20, 20), st.integers(1, 5), dtypes([c for c in DTYPES if c != "?"]))
def test_arange_dtype(start, stop, step, dtype):
    if dtype.kind == "u":
        start, stop = abs(start), abs(stop)
    same(tombac.arange(start, stop, step, dtype), np.arange(start, stop, step, dtype))


def test_arange_dtypes_and_errors():
    for args in [(np.float32(3),), (np.int8(3),), (True,), (0, np.uint64(3))]:
        assert tombac.arange(*args).dtype == np.arange(*args).dtype
    same(tombac.arange(2, dtype=bool), np.arange(2, dtype=bool))
    same(tombac.arange(2**60, 2**60 + 5), np.arange(2**60, 2**60 + 5))
    for args, error in [((0, 3, 0), ZeroDivisionError), ((0.0, 3, 0), ZeroDivisionError), ((), TypeError),
                        ((float("nan"),), ValueError), (("x",), TypeError)]:  # fmt: skip
        with pytest.raises(error):
            tombac.arange(*args)
    with pytest.raises(TypeError):
        tombac.arange(3, dtype=bool)


@given(numbers, numbers, st.integers(0, 20), st.booleans())
def test_linspace(start, stop, num, endpoint):
    got, want = tombac.linspace(start, stop, num, endpoint), np.linspace(start, stop, num, endpoint)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(got.get(), want, rtol=1e-14, atol=1e-13)
    if num > 1 and endpoint:
        assert got[0] == start and got[-1] == stop


def test_linspace_arguments():
    got, step = tombac.linspace(0, 1, 5, retstep=True)
    assert step == 0.25
    same(tombac.linspace(0, 10, 4, dtype=int), np.linspace(0, 10, 4, dtype=int))
    assert tombac.linspace(0, 1, 3, dtype="f").dtype == np.float32
    np.testing.assert_allclose(tombac.linspace(0, 1 + 2j, 3).get(), np.linspace(0, 1 + 2j, 3))
    with pytest.raises(ValueError):
        tombac.linspace(0, 1, -1)


@given(st.integers(0, 6), st.none() | st.integers(0, 6), st.integers(-8, 8), dtypes())
def test_eye_and_tri(n, m, k, dtype):
    same(tombac.eye(n, m, k, dtype), np.eye(n, m, k, dtype))
    same(tombac.tri(n, m, k, dtype), np.tri(n, m, k, dtype))
    same(tombac.identity(n, dtype), np.identity(n, dtype))


@given(arrays())
def test_asnumpy(pair):
    a, b = pair
    assert (tombac.asnumpy(b) == a).all() and type(tombac.asnumpy(b)) is np.ndarray
    assert tombac.asnumpy(b, order="F").flags.f_contiguous
    out = np.empty(a.shape, a.dtype)
    assert tombac.asnumpy(b, out=out) is out and (out == a).all()


def test_asnumpy_of_host_objects():
    a = np.arange(3)
    assert tombac.asnumpy(a) is a
    assert tombac.asnumpy([1, 2]).tolist() == [1, 2]
    assert tombac.asnumpy(3) == 3


def test_values_are_copied_from_the_host():
    a = values(np.dtype("f"), (5,), 0)
    b = tombac.array(a)
    a[:] = 99
    assert b[0] != 99


def test_integers_beyond_64_bits_as_floats():
    same(tombac.full(3, 2**64, "f"), np.full(3, 2**64, "f"))
    same(tombac.full_like(tombac.ones(3), -(2**70)), np.full(3, -(2.0**70)))
    same(tombac.array(2**64, "D"), np.array(2**64, "D"))
    for f in (lambda: tombac.full(3, 2**64, "L"), lambda: tombac.full(3, 10**400, "d"), lambda: tombac.array(2**64)):
        with pytest.raises((OverflowError, ValueError)):
            f()


def test_host_scalars_as_shapes():
    same(tombac.zeros(np.array(3)), np.zeros(3))
    same(tombac.zeros(np.array([2, 3])), np.zeros((2, 3)))


RANGES = [(0, 1, np.float16(0.1)), (np.float32(0), np.float32(1), np.float32(0.1)), (0, 1, np.float32(0.3)),
          (np.uint8(3), np.uint8(9), 2), (np.uint8(5), np.uint8(3)), (np.int8(-100), np.int8(100), np.int8(50)),
          (np.float64(0), 1, 0.1), (1e-320, 1, 1e300), (np.float16(2), 5)]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("args", RANGES)
@pytest.mark.parametrize("dtype", [None, "f", "i", "L"])
def test_arange_counts_in_its_arguments_arithmetic(args, dtype):
    same(tombac.arange(*args, dtype=dtype), np.arange(*args, dtype=dtype))


def test_arange_of_device_numbers():
    step = tombac.array(0.1, "e")
    same(tombac.arange(0, 1, step), np.arange(0, 1, np.float16(0.1)))


def test_arange_beyond_int64():
    same(tombac.arange(2**63, 2**63 + 3), np.arange(2**63, 2**63 + 3))


SPACES = [lambda xp: xp.linspace(xp.array([0, 1], "e"), 2, 3), lambda xp: xp.linspace([0, 1], [2, 3], 3),
          lambda xp: xp.logspace([0, 1], 2, 3), lambda xp: xp.logspace(0, 1, 5, base=xp.array([2.0, 3.0])),
          lambda xp: xp.logspace([0, 1], xp.array([[1.0], [2.0]]), 4, base=xp.array([2.0, 3.0]), axis=1),
          lambda xp: xp.logspace(0, [1, 2], 4, base=[[2.0], [3.0]], axis=-1),
          lambda xp: xp.geomspace(1, 1000, 4), lambda xp: xp.geomspace(1, -1, 3),
          lambda xp: xp.geomspace(1j, 16j, 5), lambda xp: xp.geomspace([1, 2], 8, 3),
          lambda xp: xp.geomspace(1, xp.array([4.0, 9]), 3, axis=1), lambda xp: xp.geomspace(-1, -8, 4, endpoint=False),
          lambda xp: xp.geomspace(1, 8, 0), lambda xp: xp.geomspace(1, 256, 9, dtype=int)]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("f", SPACES)
def test_spaces(f):
    want, got = f(np), f(tombac)
    assert got.dtype == want.dtype
    whole = want.dtype.kind == "i"  # a power just below a whole number is cut off
    np.testing.assert_allclose(got.get(), want, rtol=1e-3 if want.dtype == "e" else 1e-12, atol=1 if whole else 1e-12)


def test_geomspace_has_no_zero():
    with pytest.raises(ValueError):
        tombac.geomspace(0, 1, 3)


def test_signatures_of_creation():
    for f in (tombac.linspace, tombac.arange, tombac.eye, tombac.identity, tombac.tri, tombac.zeros, tombac.empty):
        assert inspect.signature(f).parameters
    assert str(inspect.signature(tombac.linspace)) == (
        "(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)")


@pytest.mark.parametrize("num", [0, 1, 2, 8, 1024, 1025, 5000])
@pytest.mark.parametrize("endpoint", [False, True])
@pytest.mark.parametrize("dtype", [None, "f", "d", "i", "D"])
def test_linspace_lengths(num, endpoint, dtype):
    """Few numbers are made at the call, more of them are promised: both are NumPy's."""
    same(tombac.linspace(-3, 7, num, endpoint, dtype=dtype), np.linspace(-3, 7, num, endpoint, dtype=dtype))


@pytest.mark.parametrize("shape", [(300, 7), (3, 5000), (129, 129), (1, 4097), (4097, 1)])
@pytest.mark.parametrize("k", [-200, -1, 0, 3, 4000])
def test_eye_and_tri_of_many_rows(shape, k):
    for dtype in ("?", "f4", "c16"):
        same(tombac.eye(*shape, k, dtype), np.eye(*shape, k, dtype))
        same(tombac.tri(*shape, k, dtype), np.tri(*shape, k, dtype))
    a = np.random.default_rng(0).random(shape)
    same(tombac.tril(tombac.asarray(a), k), np.tril(a, k))
    same(tombac.triu(tombac.asarray(a), k), np.triu(a, k))


@pytest.mark.parametrize("code", "?bhilBefdFD")
@pytest.mark.parametrize("increasing", [False, True])
def test_vander_of_dtypes(code, increasing):
    h = np.array([0, 1, 2, 3]).astype(code)
    for x, a in ((tombac.array(h), h), (tombac.array(h)[::-2], h[::-2]), (tombac.array(h[:0]), h[:0])):
        for n in (None, 0, 1, 2, 5):
            same(tombac.vander(x, n, increasing), np.vander(a, n, increasing))


def test_copy_false_never_copies():
    a = tombac.arange(6.0).reshape(2, 3)
    for copy in (False, None):
        assert tombac.array(a, copy=copy) is a
        b = tombac.array(a, copy=copy, ndmin=4)
        assert b.shape == (1, 1, 2, 3) and tombac.may_share_memory(a, b) and b.base is not None
    assert tombac.array(a, ndmin=4).base is None
    for x, options in [(a, {"order": "F"}), (a, {"dtype": "f"}), (a.get(), {}), ([1, 2], {}), (3, {})]:
        with pytest.raises(ValueError, match="avoid copy"):
            tombac.array(x, copy=False, **options)
        same(tombac.array(x, copy=None, **options), np.array(tombac.asnumpy(x), **options))
    same(tombac.array(a.T, copy=False, order="F"), a.get().T)


VIEWS = [lambda a: a, lambda a: a.T, lambda a: a[:, ::2].swapaxes(0, 1), lambda a: a.transpose(1, 2, 0), lambda a: a[0]]


@pytest.mark.parametrize("order", "CFAK")
@pytest.mark.parametrize("shape", [None, 4, (4,), (4, 2), (4, 2, 3), (1, 2, 3), (3, 0, 2), (5, 4, 2, 3), ()])
def test_layout_of_arrays_like_others(order, shape):
    a = np.arange(24.0).reshape(2, 3, 4)
    b = tombac.asarray(a)
    for view in VIEWS:
        theirs = np.empty_like(view(a), order=order, shape=shape)
        for like in (tombac.empty_like, tombac.zeros_like, tombac.ones_like):
            ours = like(view(b), order=order, shape=shape)
            assert ours.strides == theirs.strides and ours.shape == theirs.shape
        ours = tombac.full_like(view(b), 5, order=order, shape=shape)
        assert ours.strides == theirs.strides
        same(ours, np.full_like(view(a), 5, order=order, shape=shape))


def test_like_functions_make_ndarrays_only():
    a = tombac.ones(2)
    for call in (tombac.empty_like, tombac.zeros_like, tombac.ones_like, lambda x, **o: tombac.full_like(x, 1, **o)):
        assert call(a, subok=False).shape == call(a, subok=None).shape == (2,)
        with pytest.raises(TypeError, match="subok"):
            call(a, subok=True)


@pytest.mark.parametrize("shape", [(0,), (1, 0, 2), (0, 3), (3, 0), (2, 3)])
def test_strides_of_arrays_without_elements(shape):
    other = (*shape[::-1], 1)

    def made(xp):
        a = xp.empty(shape)
        yield from (a, xp.zeros(shape, order="F"), a + 1, xp.exp(a.T), a.copy("F"), a.astype("f4"), a[:0], a.T)
        yield from (xp.concatenate([a]), xp.empty_like(a.T), a.sum(0), a.cumsum(0), xp.sort(a, 0), a.reshape(other))
        yield from (xp.reshape(a, other, order="F"), xp.full(shape, 2.0), xp.array(a), xp.ones((4, 4))[:0].copy())
    for theirs, ours in zip(made(np), made(tombac)):
        assert ours.strides == theirs.strides and ours.shape == theirs.shape
        for flag in ("C_CONTIGUOUS", "F_CONTIGUOUS"):
            assert ours.flags[flag] == theirs.flags[flag]


def test_shapes_that_are_none_or_too_long():
    for call in (tombac.empty, tombac.zeros, tombac.ones, tombac.ndarray, lambda s: tombac.full(s, 1)):
        with pytest.raises(TypeError, match=r"Use \(\)"):
            call(None)
        with pytest.raises(ValueError, match="maximum supported dimension for an ndarray is 32, found 40"):
            call((1,) * 40)


@pytest.mark.parametrize("order", "CFAK")
def test_lists_of_arrays_have_the_order_asked_for(order):
    a = np.arange(12.0).reshape(3, 4)
    for host in (a, a.T, a[:, ::2]):
        b = tombac.asarray(host)
        for make in (lambda x: [x, x], lambda x: ([x], [x]), lambda x: [x]):
            ours, theirs = tombac.array(make(b), order=order), np.array(make(host), order=order)
            same(ours, theirs)
            assert ours.strides == theirs.strides


class Owner:
    """Hands over an array that it has."""

    def __init__(self, a):
        self.a = a

    def __cupy_get_ndarray__(self):
        return self.a


class Announcer:
    """Announces an array's memory."""

    def __init__(self, a):
        self.a = a

    @property
    def __cuda_array_interface__(self):
        a = self.a
        return {"shape": a.shape, "typestr": a.dtype.str, "data": (a.data.ptr, False), "version": 3}


@pytest.mark.parametrize("wrap", [Owner, Announcer])
def test_lists_may_hold_objects_over_device_memory(wrap):
    a, b = tombac.arange(3), tombac.arange(3.0)
    same(tombac.array([wrap(a), wrap(b)]), np.array([a.get(), b.get()]))
    same(tombac.asarray((wrap(a), a)), np.array([a.get(), a.get()]))
    same(tombac.array([[wrap(a)], [b]], "f4"), np.array([[a.get()], [b.get()]], "f4"))
    same(tombac.array([wrap(a), [4, 5, 6]]), np.array([a.get(), [4, 5, 6]]))
    with pytest.raises(ValueError):
        tombac.array([wrap(a), [1, 2]])


@pytest.mark.parametrize("name", ["tril", "triu"])
@pytest.mark.parametrize("k", [-1, 0, 2])
def test_triangles_of_what_is_no_array_yet(name, k):
    for m in ([[1, 2, 3], [4, 5, 6]], ((1.5, 2), (3, 4)), [1, 2], np.arange(24).reshape(2, 3, 4)):
        same(getattr(tombac, name)(m, k), getattr(np, name)(m, k))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30, -1.5, 300.5, np.float32(np.inf), np.float64(-1e10)])
@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "i8", "u8", "f2"])
def test_full_casts_floats_as_arrays_of_them_are(value, dtype):
    """Also those that are no integer; what is assigned has to be one."""
    with np.errstate(all="ignore"):
        want = np.full(3, value, dtype)
    same(tombac.full(3, value, dtype), want)
    same(tombac.full_like(tombac.zeros(3, dtype), value), want)
    if not np.isfinite(value) and dtype[0] in "iu" and isinstance(value, float):
        with pytest.raises((ValueError, OverflowError)):
            tombac.zeros(3, dtype)[:] = float(value)


def test_fill_takes_one_number():
    a = tombac.zeros(3)
    for value in (2, 2.5, np.float32(3), np.array(4), tombac.array(5.0), True):
        a.fill(value)
        same(a, np.full(3, float(value)))
    for value in ([1], (1, 2), np.ones(1), np.ones((0,)), tombac.ones(1), tombac.ones((1, 1)), [[1]]):
        with pytest.raises(ValueError):
            a.fill(value)
    same(a, np.ones(3))


@pytest.mark.parametrize("k", [1, -1, 7, 2**62, 2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 2**70, -(2**70)])
def test_diagonals_that_no_matrix_has(k):
    same(tombac.eye(5, 4, k), np.eye(5, 4, max(-9, min(k, 9))))
    same(tombac.tri(5, 4, k), np.tri(5, 4, max(-9, min(k, 9))))
    m = np.ones((3, 4))
    same(tombac.tril(m, k), np.tril(m, max(-9, min(k, 9))))
    same(tombac.triu(m, k), np.triu(m, max(-9, min(k, 9))))


def test_a_diagonal_is_an_integer():
    for call in (tombac.eye, tombac.tri):
        with pytest.raises(TypeError):
            call(3, 3, 1.5)


@pytest.mark.parametrize("x", [3, [1, 2], [[1, 2], [3, 4]], ((1,), (2,)), [], np.ones((2, 2))])
@pytest.mark.parametrize("ndmax", [0, 1, 2, 3])
def test_how_deep_lists_may_be(x, ndmax):
    same_outcome(lambda: tombac.array(x, ndmax=ndmax), lambda: np.array(x, ndmax=ndmax))
    with pytest.raises(ValueError, match="ndmax"):
        tombac.array(x, ndmax=-1)


@pytest.mark.parametrize("code", "l f d F".split())
@pytest.mark.parametrize("num", [1, 2, 5])
def test_steps_of_zero_and_below_the_least_number(code, num):
    """Where a step vanishes NumPy multiplies in another order, all of them: the last bits depend on it."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        a, b = (rng.choice([0, 3, 1e-5, 5e-324, 7e16, -2e17 / 3], 4).astype(code) for _ in range(2))
        for endpoint in (True, False):
            same(tombac.linspace(tombac.asarray(a), tombac.asarray(b), num, endpoint), np.linspace(a, b, num, endpoint))


@pytest.mark.parametrize("order", ["A", "K"])
def test_shapes_have_no_order_of_memory_to_keep(order):
    for make in (lambda m: m.empty((2, 2), order=order), lambda m: m.zeros((2, 2), order=order),
                 lambda m: m.ones((2, 2), order=order), lambda m: m.full((2, 2), 1, order=order),
                 lambda m: m.eye(2, order=order)):
        for module in (np, tombac):
            with pytest.raises(ValueError, match="only 'C' or 'F'"):
                make(module)
