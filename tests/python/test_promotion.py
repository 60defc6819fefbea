"""The dtype tables of libtombac against NumPy's, whole: names, promotion, casting rules, NEP 50 result types."""

import ctypes
import itertools
import pathlib

import numpy as np
import pytest

import tombac

# By number; 10 is bfloat16, which is not NumPy's (test_bfloat16.py).
DTYPES = {i: np.dtype(c) for i, c in enumerate("?bBhHiIlLeEfdFD") if c != "E"}
CASTINGS = ["no", "equiv", "safe", "same_kind", "unsafe"]
WEAK = {bool: (0, True), int: (7, 1), float: (12, 1.0), complex: (14, 1j)}


class Value(ctypes.Union):
    _fields_ = [("i", ctypes.c_int64), ("f", ctypes.c_double), ("c", ctypes.c_double * 2)]


class Scalar(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("weak", ctypes.c_bool), ("v", Value)]


@pytest.fixture(scope="module")
def library():
    path = next(pathlib.Path(tombac.__file__).parent.glob("libtombac.*"))
    library = ctypes.CDLL(str(path))
    library.tb_can_cast.restype = ctypes.c_bool
    library.tb_dtype_name.restype = ctypes.c_char_p
    library.tb_dtype_char.restype = ctypes.c_char
    library.tb_dtype_size.restype = ctypes.c_size_t
    return library


def test_names(library):
    for i, t in DTYPES.items():
        assert library.tb_dtype_name(i).decode() == t.name
        assert library.tb_dtype_char(i).decode() == t.char
        assert library.tb_dtype_size(i) == t.itemsize


def test_promotion(library):
    for (i, a), (j, b) in itertools.product(DTYPES.items(), repeat=2):
        assert DTYPES[library.tb_promote(i, j)] == np.promote_types(a, b), (a, b)


@pytest.mark.parametrize("rule", range(5), ids=CASTINGS)
def test_casting(library, rule):
    for (i, a), (j, b) in itertools.product(DTYPES.items(), repeat=2):
        assert library.tb_can_cast(i, j, rule) == np.can_cast(a, b, CASTINGS[rule]), (a, b)


def result_type(library, dtypes, kinds):
    scalars = (Scalar * max(len(kinds), 1))()
    for scalar, kind in zip(scalars, kinds):
        scalar.dtype, scalar.weak = WEAK[kind][0], True
    out = ctypes.c_int(-1)
    arrays = (ctypes.c_int * max(len(dtypes), 1))(*dtypes)
    assert library.tb_result_type(len(dtypes), arrays, len(kinds), scalars, ctypes.byref(out)) == 0
    return DTYPES[out.value]


@pytest.mark.parametrize("arrays", [0, 1, 2])
@pytest.mark.parametrize("numbers", [0, 1, 2])
def test_result_type(library, arrays, numbers):
    if arrays + numbers == 0:
        pytest.skip("nothing to promote")
    for dtypes in itertools.product(DTYPES, repeat=arrays):
        for kinds in itertools.product(WEAK, repeat=numbers):
            expected = np.result_type(*[DTYPES[t] for t in dtypes], *[WEAK[k][1] for k in kinds])
            assert result_type(library, dtypes, kinds) == expected, (dtypes, kinds)


def test_three_dtypes():
    """NumPy begins with the highest: int8, uint8 and float16 make float16."""
    arrays = [np.ones(1, t) for t in "?bBhHiIlLefdFD"]
    ours = [tombac.array(a) for a in arrays]
    for i, j, k in itertools.product(range(len(arrays)), repeat=3):
        want = np.result_type(arrays[i], arrays[j], arrays[k])
        assert tombac.concatenate((ours[i], ours[j], ours[k])).dtype == want
        assert tombac.result_type(ours[i], ours[j], ours[k]) == want


def test_bool_squared():
    for e in (2, 3):
        want = np.array([True, False]) ** e
        got = tombac.array([True, False]) ** e
        assert got.dtype == want.dtype and got.tolist() == want.tolist()


@pytest.mark.parametrize("code", "?bBlLd")
def test_integers_beyond_64_bits_in_float_functions(code):
    a = np.array([1, 0 if code == "?" else 3]).astype(code)
    x = tombac.array(a)
    for f in (lambda x: x / 2**64, lambda x: 2**70 / (x + x.dtype.type(1)), lambda x: x / -(2**100)):
        assert f(x).dtype == f(a).dtype
        np.testing.assert_array_equal(f(x).get(), f(a))


@pytest.mark.parametrize("huge", [2**64, -(2**64), 2**2000], ids=["above", "below", "beyond float"])
@pytest.mark.parametrize("name", ["less", "greater_equal", "equal", "not_equal"])
def test_comparisons_with_integers_beyond_64_bits(name, huge):
    a = np.array([1, 2**64 - 1], "L")
    want = getattr(np, name)(a, huge).tolist()
    assert getattr(tombac, name)(tombac.array(a), huge).tolist() == want
    assert getattr(tombac, name)(huge, tombac.array(a)).tolist() == getattr(np, name)(huge, a).tolist()


def test_integers_that_nothing_holds():
    x = tombac.arange(3)
    for f in (lambda: x + 2**64, lambda: x * 2**64, lambda: x // 2**64, lambda: x / 2**2000, lambda: x ** 2**64):
        with pytest.raises(OverflowError):
            f()


def test_logical_functions_need_no_room_for_a_number():
    for name in ("logical_and", "logical_or", "logical_xor"):
        for code in "BLb":
            a = np.array([0, 3], code)
            want = getattr(np, name)(a, -1).tolist()
            assert getattr(tombac, name)(tombac.array(a), -1).tolist() == want


OTHERS = [1, -1, 1.5, True, 2j, 2**63, 2**70, int, float, "f4", np.dtype("u2"), np.float32(1), np.int8(1), None,
          np.ones(2, "i1"), [1, 2], "no dtype"]


@pytest.mark.parametrize("other", OTHERS, ids=repr)
def test_result_type_of_arrays_and_others(other):
    for code in "?bBhHiIlLefdFD":
        x, a = tombac.ones(2, code), np.ones(2, code)
        for ours, theirs in (((x, other), (a, other)), ((other, x), (other, a)), ((x, other, x), (a, other, a))):
            try:
                want = np.result_type(*theirs)
            except Exception as e:
                with pytest.raises(type(e)):
                    tombac.result_type(*ours)
            else:
                assert tombac.result_type(*ours) == want
        for code2 in "?bBhHiIlLefdFD":
            assert tombac.result_type(x, tombac.ones(2, code2)) == np.result_type(a, np.ones(2, code2))
        assert tombac.result_type(x) == a.dtype
    with pytest.raises(ValueError):
        tombac.result_type()
