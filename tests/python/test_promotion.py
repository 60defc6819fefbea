"""The dtype tables of libtombac against NumPy's, whole: names, promotion, casting rules, NEP 50 result types."""

import ctypes
import itertools
import pathlib

import numpy as np
import pytest

import tombac

DTYPES = [np.dtype(c) for c in "?bBhHiIlLefdFD"]
CASTINGS = ["no", "equiv", "safe", "same_kind", "unsafe"]
WEAK = {bool: (0, True), int: (7, 1), float: (11, 1.0), complex: (13, 1j)}


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
    for i, t in enumerate(DTYPES):
        assert library.tb_dtype_name(i).decode() == t.name
        assert library.tb_dtype_char(i).decode() == t.char
        assert library.tb_dtype_size(i) == t.itemsize


def test_promotion(library):
    for (i, a), (j, b) in itertools.product(enumerate(DTYPES), repeat=2):
        assert DTYPES[library.tb_promote(i, j)] == np.promote_types(a, b), (a, b)


@pytest.mark.parametrize("rule", range(5), ids=CASTINGS)
def test_casting(library, rule):
    for (i, a), (j, b) in itertools.product(enumerate(DTYPES), repeat=2):
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
    for dtypes in itertools.product(range(len(DTYPES)), repeat=arrays):
        for kinds in itertools.product(WEAK, repeat=numbers):
            expected = np.result_type(*[DTYPES[t] for t in dtypes], *[WEAK[k][1] for k in kinds])
            assert result_type(library, dtypes, kinds) == expected, (dtypes, kinds)
