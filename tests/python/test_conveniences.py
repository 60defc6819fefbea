"""The conveniences of the C API, through ctypes: text as NumPy's str() gives it, .npy files, take and put."""

import ctypes
import io
import pathlib

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tombac import _core

lib = ctypes.CDLL(str(next(pathlib.Path(_core.__file__).parent.glob("libtombac.so*"))))
lib.tb_error_message.restype = ctypes.c_char_p
for name in ("tb_array_shape", "tb_array_strides"):
    getattr(lib, name).restype = ctypes.POINTER(ctypes.c_int64)
lib.tb_array_size.restype = ctypes.c_int64
VALUE, TYPE, INDEX = 1, 2, 3
NUMBERS = "?bBhHiIlLeEfdFD"  # in the order of tb_dtype
CODES = NUMBERS.replace("E", "")  # bfloat16 is not NumPy's
NUMPY = tuple(int(x) for x in np.__version__.split(".")[:2])


class Array(ctypes.c_void_p):
    def __del__(self):
        lib.tb_array_release(self)

    @property
    def dtype(self):
        return np.dtype(NUMBERS[lib.tb_array_dtype(self)])

    def numpy(self):
        n = lib.tb_array_ndim(self)
        out = np.empty(lib.tb_array_shape(self)[:n], self.dtype)
        ok(lib.tb_get(self, lib.tb_array_dtype(self), pointer(out), ctypes.c_int64(out.size)))
        return out


def ok(status):
    assert status == 0, lib.tb_error_message().decode()


def pointer(x):
    return ctypes.c_void_p(x.ctypes.data)


def integers(x):
    return (ctypes.c_int64 * len(x))(*x)


def array(x):
    out = Array()
    ok(lib.tb_from_host(pointer(x), NUMBERS.index(x.dtype.char), x.ndim, integers(x.shape), integers(x.strides),
                        ctypes.c_char(b"C"), ctypes.byref(out)))
    return out


def text(a):
    out = ctypes.c_void_p()
    ok(lib.tb_to_string(a, ctypes.byref(out)))
    result = ctypes.string_at(out).decode("ascii")
    lib.tb_free(out)
    return result


# ---- text ------------------------------------------------------------------------------------------------------------

# Which float16 and float32 numbers get exponents has changed, with 2.4 the last time.
as_numpy = pytest.mark.skipif(NUMPY < (2, 4), reason="NumPy wrote some narrow floats in another way")


def check(x):
    assert text(array(x)) == str(x)


def shapes(draw_sides=12):
    return hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=draw_sides)


@as_numpy
@settings(max_examples=300)
@given(st.data())
def test_text_of_any_array(data):
    dtype = np.dtype(data.draw(st.sampled_from(CODES)))
    check(data.draw(hnp.arrays(dtype, shapes(5))))


@as_numpy
@settings(max_examples=300)
@given(st.data())
def test_text_of_floats_of_one_magnitude(data):
    """Mostly without exponents; rounding, wrapped lines, NaN and infinities among numbers."""
    dtype = np.dtype(data.draw(st.sampled_from("efdFD")))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    shape = data.draw(shapes(11))
    digits = data.draw(st.integers(0, 12))
    scale = 10.0 ** data.draw(st.integers(-12, 12))
    with np.errstate(all="ignore"):
        x = (np.round(rng.uniform(-1000, 1000, shape), digits) * scale).astype(dtype)
        if dtype.kind == "c":
            x = x + dtype.type(1j) * np.round(rng.normal(size=shape), digits).astype(dtype)
        x = np.asarray(x, dtype)
        for special in data.draw(st.lists(st.sampled_from([np.nan, np.inf, -np.inf, -0.0, 0.0]), max_size=3)):
            if x.size:
                x.reshape(-1)[rng.integers(x.size)] = special
    check(x)


@as_numpy
@settings(max_examples=60)
@given(st.sampled_from(CODES), st.lists(st.integers(1, 40), min_size=1, max_size=4), st.integers(0, 2**32 - 1))
def test_text_of_corners(code, shape, seed):
    rng = np.random.default_rng(seed)
    shape = [*shape, 1001 // max(1, int(np.prod(shape))) + 1] if np.prod(shape) <= 1000 else shape
    with np.errstate(all="ignore"):
        x = (rng.normal(size=shape) * 10 ** rng.integers(0, 4)).astype(code)
    check(x)
    check(x.T)


@as_numpy
@settings(max_examples=300)
@given(st.sampled_from("efdFD"), st.data())
def test_text_of_one_number(code, data):
    check(data.draw(hnp.arrays(code, data.draw(st.sampled_from([(), (1,)])))))


@as_numpy
@pytest.mark.parametrize("code", "efd")
def test_text_of_powers(code):
    """Neighbours of powers of two are not equally far, powers of ten are where notations change."""
    info = np.finfo(code)
    with np.errstate(all="ignore"):
        twos = np.ldexp(np.array(1, code), np.arange(info.minexp - info.nmant - 1, info.maxexp)).astype(code)
        tens = np.array([float(f"1e{k}") for k in range(-30, 25)]).astype(code)
        down, up = np.array(0, code), np.array(np.inf, code)
        around = np.concatenate([twos, np.nextafter(twos, down), tens, np.nextafter(tens, down),
                                 np.nextafter(tens, up)])
    for x in around:
        check(np.array(x))
        check(np.array([x]))
        check(np.array([x, 1]).astype(code))


@pytest.mark.parametrize("x", [
    np.zeros(0), np.zeros((0, 3)), np.zeros((2, 0, 3)), np.arange(1000), np.arange(1001), np.zeros((1,) * 32),
    np.full((1, 1, 1001), -1, np.int8), np.array(True), np.array([[True], [False]]), np.array(2**64 - 1, np.uint64),
    np.array([-(2**63), 2**63 - 1]), np.arange(2000).reshape(1000, 2), np.array([1e300, -1e-300]), np.array([0.5, 1e7]),
    np.array(1j), np.array(-0.0 + 1j), np.array(complex(np.nan, -np.inf)), np.array([1, np.nan + 1j, 2.25 - 3j]),
])
def test_text_of(x):
    check(x)


# ---- files -----------------------------------------------------------------------------------------------------------


def load(path):
    out = Array()
    ok(lib.tb_load_npy(str(path).encode(), ctypes.byref(out)))
    return out


def same(x, y):
    assert x.dtype == y.dtype.newbyteorder("=") and x.shape == y.shape
    assert x.tobytes() == y.astype(x.dtype).tobytes()


@given(st.data())
def test_files_of_numpy(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("npy") / "x.npy"
    dtype = np.dtype(data.draw(st.sampled_from(CODES)))
    x = data.draw(hnp.arrays(dtype, shapes(4)))
    x = np.asarray(x, order=data.draw(st.sampled_from("CF")))
    x = x.astype(dtype.newbyteorder(data.draw(st.sampled_from("<>"))), order="K")
    with open(path, "wb") as f:
        np.lib.format.write_array(f, x, version=data.draw(st.sampled_from([(1, 0), (2, 0), (3, 0)])))
    a = load(path)
    same(a.numpy(), x)
    n = x.ndim
    if x.size > 1 and 1 not in x.shape:
        assert list(lib.tb_array_strides(a)[:n]) == list(x.strides)


@given(st.data())
def test_files_for_numpy(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("npy") / "x.npy"
    x = data.draw(hnp.arrays(np.dtype(data.draw(st.sampled_from(CODES))), shapes(4)))
    a = array(x)
    if data.draw(st.booleans()):
        a, whole, x = Array(), a, x.T
        ok(lib.tb_transpose(whole, None, ctypes.byref(a)))
    ok(lib.tb_save_npy(a, str(path).encode()))
    y = np.load(path)
    same(y, x)
    assert y.size <= 1 or y.flags.c_contiguous == x.flags.c_contiguous
    whole = io.BytesIO()
    np.save(whole, x)
    assert path.stat().st_size <= len(whole.getvalue())
    same(load(path).numpy(), x)


def header(text, version=1):
    size = len(text).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + text


WRONG = {
    "no such file": None,
    "it is no .npy file": b"PK\3\4 and more than ten bytes",
    "no .npy file": b"",
    "its version": header(b"{}", 4),
    "ends after 5 of 100": b"\x93NUMPY\1\0\x64\0{'des",
    "ends within its header": b"\x93NUMPY\2\0\x64\0",
    "of 4294967295 bytes": b"\x93NUMPY\2\0\xff\xff\xff\xff{",
    "no dictionary": header(b"[1, 2]"),
    "has not all of": header(b"{'descr': '<f8', 'shape': (2,)}"),
    "'descr' that does not belong": header(b"{'descr': '<f8', 'descr': '<f8'}"),
    "something follows": header(b"{'descr': '<f8', 'fortran_order': True, 'shape': ()} x"),
    "is not a tuple": header(b"{'descr': '<f8', 'fortran_order': True, 'shape': (4)}"),
    "tuple of lengths": header(b"{'descr': '<f8', 'fortran_order': True, 'shape': (-4,)}"),
    "no truth value": header(b"{'descr': '<f8', 'fortran_order': 1, 'shape': ()}"),
    "can be counted": header(b"{'descr': '<f8', 'fortran_order': True, 'shape': (4294967296, 4294967296)}"),
    "of 8000000000000000000 bytes": header(b"{'descr': '<f8', 'fortran_order': True, 'shape': (1000000000000000000,)}"),
    "after 7 of 8 bytes": header(b"{'descr': '<f8', 'fortran_order': True, 'shape': ()}") + b"1234567",
    "dtype '<M8": header(b"{'descr': '<M8[s]', 'fortran_order': True, 'shape': ()}"),
    "records": header(b"{'descr': [('a', '<i4')], 'fortran_order': True, 'shape': ()}"),
}


@pytest.mark.parametrize("message", WRONG)
def test_files_that_are_none(tmp_path, message):
    path = tmp_path / "wrong.npy"
    if WRONG[message] is not None:
        path.write_bytes(WRONG[message])
    out = Array()
    status = lib.tb_load_npy(str(path).encode(), ctypes.byref(out))
    said = lib.tb_error_message().decode()
    assert status == (TYPE if "dtype" in message or "records" in message else VALUE)
    assert str(path) in said and message.lower() in said.lower() and not out
    assert said.startswith("tb_load_npy: ")


def test_files_that_cannot_be_written(tmp_path):
    path = str(tmp_path / "none" / "x.npy")
    assert lib.tb_save_npy(array(np.arange(3)), path.encode()) == VALUE
    assert path in lib.tb_error_message().decode()


@given(st.binary(max_size=200), st.booleans())
def test_files_of_any_bytes(tmp_path_factory, data, begins):
    path = tmp_path_factory.mktemp("npy") / "x.npy"
    path.write_bytes((b"\x93NUMPY\1\0" if begins else b"") + data)
    out = Array()
    assert lib.tb_load_npy(str(path).encode(), ctypes.byref(out)) in (VALUE, TYPE)
