"""NumPy's dispatch, DLPack and __cuda_array_interface__: other libraries' functions and memory."""

import ctypes

import numpy as np
import pytest
from hypothesis import given
from strategies import arrays, same

import tombac

ON_HOST = tombac.zeros(1).__dlpack_device__()[0] == 1

# --- NumPy's functions on our arrays ----------------------------------------------------------------------------------


def test_ufuncs_are_ours():
    a = tombac.arange(4.0)
    same(np.add(a, 1), np.arange(4.0) + 1)
    same(np.multiply(np.float32(2), a), np.arange(4.0) * 2)
    out = tombac.empty(4)
    assert np.add(a, a, out=out) is out
    same(out, np.arange(4.0) * 2)
    same(np.add.reduce(a), np.asarray(6.0))
    same(np.add.outer(a, a), np.add.outer(np.arange(4.0), np.arange(4.0)))
    with pytest.raises(TypeError):
        np.add(a, np.arange(4.0))
    with pytest.raises(TypeError):
        np.add(np.arange(4.0), np.arange(4.0), out=out)


def test_functions_are_ours():
    a = tombac.arange(6).reshape(2, 3)
    same(np.sum(a, axis=0), np.arange(6).reshape(2, 3).sum(0))
    same(np.concatenate([a, a]), np.concatenate([a.get(), a.get()]))
    same(np.zeros_like(a), np.zeros((2, 3), int))
    assert np.shape(a) == (2, 3)
    with pytest.raises(TypeError):
        np.concatenate([a, np.zeros((2, 3))])


@pytest.mark.parametrize("convert", [np.asarray, np.array, lambda a: np.zeros(3).__setitem__(0, a[:2])])
def test_no_implicit_conversion(convert):
    with pytest.raises((TypeError, ValueError)):
        convert(tombac.zeros(3))


def test_explicit_conversion_error_says_what_to_do():
    with pytest.raises(TypeError, match="get"):
        tombac.zeros(3).__array__()


# --- __cuda_array_interface__ -----------------------------------------------------------------------------------------


class Foreign:
    def __init__(self, interface):
        self.__cuda_array_interface__ = interface


def test_interface_describes_the_array():
    a = tombac.zeros((3, 4), "f")[:, ::2]
    d = a.__cuda_array_interface__
    assert d["shape"] == (3, 2) and d["typestr"] == "<f4" and d["strides"] == (16, 8) and d["version"] == 3
    assert d["data"] == (a.data.ptr, False)
    assert tombac.zeros(3).__cuda_array_interface__["strides"] is None
    assert tombac.zeros(0).__cuda_array_interface__["data"][0] == 0


@given(arrays())
def test_interface_round_trip(pair):
    a, b = pair
    same(tombac.asarray(Foreign(b.__cuda_array_interface__)), a)


def test_interface_shares_memory():
    a = tombac.arange(10)
    b = tombac.asarray(Foreign(a.__cuda_array_interface__))
    b += 1
    same(a, np.arange(10) + 1)
    c = tombac.array(Foreign(a.__cuda_array_interface__))
    c += 1
    same(a, np.arange(10) + 1)


def test_interface_objects_are_operands():
    a = tombac.arange(3)
    same(a + Foreign(a.__cuda_array_interface__), np.arange(3) * 2)
    same(tombac.add(a, Foreign(a.__cuda_array_interface__)), np.arange(3) * 2)


def test_bad_interfaces():
    good = tombac.zeros(3).__cuda_array_interface__
    for change in ({"typestr": "|O8"}, {"mask": 1}, {"shape": "x"}, {"data": 3}, {"strides": (1, 2)}):
        with pytest.raises((TypeError, ValueError)):
            tombac.asarray(Foreign({**good, **change}))


def test_interface_owner_is_kept_alive():
    class Owner:
        alive = True

        def __init__(self):
            self.host = tombac.arange(5)
            self.__cuda_array_interface__ = self.host.__cuda_array_interface__

        def __del__(self):
            Owner.alive = False

    a = tombac.asarray(Owner())
    v = a[1:]
    del a
    same(v, np.arange(1, 5))
    assert Owner.alive
    del v
    assert not Owner.alive


# --- DLPack -----------------------------------------------------------------------------------------------------------


@given(arrays())
def test_dlpack_round_trip(pair):
    a, b = pair
    same(tombac.from_dlpack(b), a)
    same(tombac.from_dlpack(b.__dlpack__()), a)
    same(tombac.from_dlpack(b.__dlpack__(max_version=(1, 0))), a)
    same(tombac.from_dlpack(b.toDlpack()), a)


def test_dlpack_shares_memory():
    a = tombac.arange(6, dtype="f").reshape(2, 3)
    b = tombac.from_dlpack(a)
    b *= 2
    same(a, np.arange(6, dtype="f").reshape(2, 3) * 2)
    c = tombac.from_dlpack(a, copy=True)
    c += 1
    same(b, np.arange(6, dtype="f").reshape(2, 3) * 2)


def test_dlpack_capsules_are_used_once_and_freed_unused():
    capsule = tombac.zeros(3).__dlpack__()
    del capsule
    a = np.arange(4.0)
    capsule = a.__dlpack__()
    if ON_HOST:
        same(tombac.from_dlpack(capsule), a)
        with pytest.raises(ValueError):
            tombac.from_dlpack(capsule)


@pytest.mark.skipif(not ON_HOST, reason="host memory is out of a GPU's reach")
@given(arrays())
def test_dlpack_with_numpy(pair):
    a, b = pair
    np.testing.assert_array_equal(np.from_dlpack(b), a)
    same(tombac.from_dlpack(a), a)


@pytest.mark.skipif(not ON_HOST, reason="host memory is out of a GPU's reach")
def test_dlpack_with_numpy_shares_memory():
    a = np.arange(4.0)
    b = tombac.from_dlpack(a)
    a[0] = 9
    assert b[0] == 9
    b[1] = 8
    b[2:] += 1
    tombac.cuda.Stream.null.synchronize()
    assert a.tolist() == [9, 8, 3, 4]
    c = np.from_dlpack(b)
    assert c.__array_interface__["data"][0] == a.__array_interface__["data"][0]


@pytest.mark.skipif(not ON_HOST, reason="host memory is out of a GPU's reach")
def test_read_only_memory_is_copied():
    a = np.arange(4.0)
    a.flags.writeable = False
    b = tombac.from_dlpack(a)
    b += 1
    assert a[0] == 0


def test_dlpack_arguments():
    a = tombac.arange(3)
    same(tombac.from_dlpack(a.__dlpack__(copy=True)), np.arange(3))
    with pytest.raises(BufferError):
        a.__dlpack__(dl_device=(99, 0))
    with pytest.raises((TypeError, AttributeError)):
        tombac.from_dlpack(object())
    with pytest.raises(BufferError):
        tombac.from_dlpack(tombac.zeros(0).__dlpack__(dl_device=(99, 0)))


def test_to_the_host_by_dlpack():
    np.testing.assert_array_equal(np.from_dlpack(tombac.arange(3), device="cpu"), np.arange(3))


# --- raw memory -------------------------------------------------------------------------------------------------------


def test_unowned_memory():
    a = tombac.arange(8)
    mem = tombac.cuda.UnownedMemory(a.data.ptr, a.nbytes, a)
    same(tombac.ndarray(8, int, tombac.cuda.MemoryPointer(mem, 0)), np.arange(8))
    same(tombac.ndarray(4, int, tombac.cuda.MemoryPointer(mem, 32)), np.arange(4, 8))
    with pytest.raises((ValueError, IndexError)):
        tombac.ndarray(9, int, tombac.cuda.MemoryPointer(mem, 0))


def test_copies_by_pointer():
    a, b = tombac.arange(8), tombac.zeros(8, int)
    b.data.copy_from_device(a.data, 64)
    same(b, np.arange(8))
    (b.data + 8).memset(0, 8)
    same(b, np.array([0, 0, 2, 3, 4, 5, 6, 7]))
    host = (ctypes.c_int64 * 8)(*range(10, 18))
    b.data.copy_from_host(ctypes.addressof(host), 64)
    same(b, np.arange(10, 18))
    b += 1
    b.data.copy_to_host(ctypes.c_void_p(ctypes.addressof(host)), 64)
    assert list(host) == list(range(11, 19))
