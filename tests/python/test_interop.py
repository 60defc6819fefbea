"""NumPy's dispatch, DLPack and __cuda_array_interface__: other libraries' functions and memory."""

import ctypes
import os
import subprocess
import sys

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


def interface(a):
    """What a has, or would have on a GPU."""
    if not ON_HOST:
        return a.__cuda_array_interface__
    strides = None if a.flags.c_contiguous else a.strides
    address = a.data.ptr if a.size else 0
    return {"shape": a.shape, "typestr": a.dtype.str, "data": (address, not a.flags.writeable), "version": 3,
            "strides": strides}


DESCRIBED = """
import tombac
a = tombac.zeros((3, 4), "f")[:, ::2]
d = a.__cuda_array_interface__
assert d["shape"] == (3, 2) and d["typestr"] == "<f4" and d["strides"] == (16, 8) and d["version"] == 3
assert d["data"] == (a.data.ptr, False)
assert tombac.zeros(3).__cuda_array_interface__["strides"] is None
assert tombac.zeros(0).__cuda_array_interface__["data"][0] == 0
"""


def test_interface_describes_the_array():
    subprocess.run([sys.executable, "-c", DESCRIBED], check=True, env=os.environ | {"TOMBAC_CPU_CUDA_INTERFACE": "1"})


@pytest.mark.skipif(not ON_HOST, reason="a GPU's memory is announced")
def test_host_memory_is_not_announced_as_a_gpus():
    a = tombac.zeros(3)
    assert not hasattr(a, "__cuda_array_interface__")
    with pytest.raises(AttributeError, match="CPU backend"):
        a.__cuda_array_interface__


@given(arrays())
def test_interface_round_trip(pair):
    a, b = pair
    same(tombac.asarray(Foreign(interface(b))), a)


def test_interface_shares_memory():
    a = tombac.arange(10)
    b = tombac.asarray(Foreign(interface(a)))
    b += 1
    same(a, np.arange(10) + 1)
    c = tombac.array(Foreign(interface(a)))
    c += 1
    same(a, np.arange(10) + 1)


def test_interface_objects_are_operands():
    a = tombac.arange(3)
    same(a + Foreign(interface(a)), np.arange(3) * 2)
    same(tombac.add(a, Foreign(interface(a))), np.arange(3) * 2)


BAD_INTERFACES = [
    {"typestr": "|O8"}, {"typestr": ">i4"}, {"typestr": None}, {"typestr": 3}, {"typestr": "<U4"}, {"typestr": "zz"},
    {"mask": 1}, {"mask": np.zeros(3)}, {"shape": "x"}, {"shape": 3}, {"shape": None}, {"shape": (-3,)},
    {"shape": (1.5,)}, {"shape": (2**62,)}, {"shape": (2**40, 2**40)}, {"shape": (2**70,)}, {"shape": (1,) * 100},
    {"data": 3}, {"data": None}, {"data": (0, False)}, {"data": (None, False)}, {"data": (-8, False)},
    {"data": ("x", False)}, {"data": (2**70, False)}, {"data": (1.5, False)}, {"data": ()}, {"data": (1, 2, 3)},
    {"strides": (1, 2)}, {"strides": 8}, {"strides": "x"}, {"strides": ()}, {"strides": (2**62,)}, {"strides": (None,)},
    {"strides": (-(2**62),)}, {"strides": (2**70,)}, {"version": "3"}, {"version": 1.5},
]


@pytest.mark.parametrize("change", BAD_INTERFACES, ids=str)
def test_bad_interfaces(change):
    good = interface(tombac.zeros(3))
    with pytest.raises((TypeError, ValueError, OverflowError)):
        tombac.asarray(Foreign({**good, **change}))
    for key in change:
        if key in ("shape", "typestr", "data"):
            with pytest.raises(ValueError):
                tombac.asarray(Foreign({k: v for k, v in good.items() if k != key}))


@pytest.mark.skipif(not ON_HOST, reason="the host cannot tell what is on a GPU")
def test_interfaces_of_memory_that_is_not_there():
    for address in (8, 2**40, 2**64 - 64):
        with pytest.raises(ValueError):
            tombac.asarray(Foreign({**interface(tombac.zeros(3)), "data": (address, False)}))


def test_interfaces_of_every_kind():
    a = tombac.arange(12).reshape(3, 4)
    same(tombac.asarray(Foreign({**interface(a), "version": 0, "strides": (-32, 8),
                                 "data": (a.data.ptr + 64, False)})), a.get()[::-1])
    same(tombac.asarray(Foreign({**interface(a), "shape": [3, 4]})), a.get())
    nothing = {"shape": (0, 5), "typestr": "<f4", "data": (None, False), "version": 3}
    assert tombac.asarray(Foreign(nothing)).shape == (0, 5)
    with pytest.raises(TypeError):
        tombac.asarray(Foreign(7))


@pytest.mark.parametrize("wrong", [
    {"data": (0, False)}, {"data": (None, False)},               # no memory, and a size
    {"strides": (2**62,), "shape": (4,)}, {"strides": (-(2**63),)},  # around the end of all addresses
    {"shape": (2**40, 2**40)},
])
def test_interfaces_that_no_memory_can_have(wrong):
    good = {**interface(tombac.zeros(3)), "strides": None}
    with pytest.raises(ValueError, match="__cuda_array_interface__"):
        tombac.asarray(Foreign({**good, **wrong}))


def test_an_empty_interface_needs_no_memory():
    good = interface(tombac.zeros(3))
    assert tombac.asarray(Foreign({**good, "data": (0, False), "shape": (0,)})).shape == (0,)


def test_interface_owner_is_kept_alive():
    class Owner:
        alive = True

        def __init__(self):
            self.host = tombac.arange(5)
            self.__cuda_array_interface__ = interface(self.host)

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


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_a_capsule_that_was_used_holds_nothing(version):
    pool = tombac.cuda.MemoryPool()
    with tombac.cuda.using_allocator(pool.malloc):
        a = tombac.empty(1 << 20)
        capsule, unused = a.__dlpack__(max_version=version), a.__dlpack__(max_version=version)
        b = tombac.from_dlpack(capsule)
        assert '"used_dltensor' in str(capsule) and '"dltensor' in str(unused)
        with pytest.raises(ValueError):
            tombac.from_dlpack(capsule)
        del a, unused
        assert pool.used_bytes() == b.nbytes
        del b
        assert pool.used_bytes() == 0


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


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


class Producer:
    """Offers four float64 in a capsule of either form; `old`: it knows of the older one alone."""

    alive = []  # nothing tells when a capsule's description is needed no more

    def __init__(self, versioned=True, flags=0, old=False, major=1, shape=(4,), strides=None, **changes):
        a = self.host = tombac.arange(4.0)
        where, device = a.__dlpack_device__()
        self.dims = [None if n is None else (ctypes.c_int64 * max(len(n), 1))(*n) for n in (shape, strides)]
        tensor = {"data": a.data.ptr, "device_type": where, "device_id": device, "ndim": len(shape or ()), "code": 2,
                  "bits": 64, "lanes": 1, "byte_offset": 0} | changes
        t = Tensor(**tensor)
        for name, dims in zip(("shape", "strides"), self.dims):
            if dims is not None:
                setattr(t, name, ctypes.cast(dims, ctypes.POINTER(ctypes.c_int64)))
        self.managed = Versioned(major=major, flags=flags, tensor=t) if versioned else Managed(tensor=t)
        self.name = b"dltensor_versioned" if versioned else b"dltensor"
        self.old, self.device = old, (where, device)
        Producer.alive.append(self)

    def __dlpack_device__(self):
        return self.device

    def capsule(self):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), self.name, None)

    def __dlpack__(self, **kwargs):
        if self.old and "max_version" in kwargs:
            raise TypeError("unexpected keyword argument 'max_version'")
        return self.capsule()


READ_ONLY = 1


@pytest.mark.parametrize("producer, writeable", [
    ({}, True), ({"flags": READ_ONLY}, False), ({"flags": 2}, True), ({"versioned": False}, False),
    ({"versioned": False, "old": True}, True),
])
def test_who_may_write_what_comes_by_dlpack(producer, writeable):
    p = Producer(**producer)
    a = tombac.from_dlpack(p)
    assert a.flags.writeable is writeable and a[1:].flags["W"] is writeable
    assert tombac.asarray(p).flags.writeable is writeable
    assert a.copy().flags.writeable and (a + 0).flags.writeable and tombac.from_dlpack(p, copy=True).flags.writeable
    if writeable:
        a += 1
        same(p.host, np.arange(4.0) + 1)
    assert tombac.from_dlpack(Producer(versioned=False).capsule()).flags.writeable


def read_only():
    """An array that must not change, and what it looks at."""
    p = Producer(flags=READ_ONLY)
    return tombac.from_dlpack(p), p.host


def increment(a):
    a += 1


def assign(key, value):
    def f(a):
        a[key] = value

    return f


WRITES = {
    "+=": increment,
    "[...]": assign(..., 1),
    "[0]": assign(0, 1),
    "[1:]": assign(slice(1, None), 2.0),
    "[[0, 1]]": assign([0, 1], 7),
    "[mask]": lambda a: assign(a > 1, 7)(a),
    "[mask] values": lambda a: assign(a > 1, tombac.ones(2))(a),
    "[...] array": lambda a: assign(..., a[::-1])(a),
    "view": lambda a: increment(a[1:3]),
    "reshaped": lambda a: increment(a.reshape(2, 2).T),
    "broadcast": lambda a: assign(0, 1)(tombac.broadcast_to(a, (2, 4))),
    "reinterpreted": lambda a: increment(a.view("i8")),
    "strided": lambda a: increment(tombac.lib.stride_tricks.as_strided(a, (2,), (16,))),
    "fill": lambda a: a.fill(3),
    "set": lambda a: a.set(np.zeros(4)),
    "put": lambda a: a.put([0], 1),
    "out": lambda a: tombac.add(1, 2, out=a),
    "where": lambda a: tombac.add(a, 1, out=a, where=a > 1),
    "unary": lambda a: tombac.exp(tombac.zeros(4), out=a),
    "sum": lambda a: tombac.ones((3, 4)).sum(axis=0, out=a),
    "cumsum": lambda a: tombac.cumsum(tombac.ones(4), out=a),
    "reduceat": lambda a: tombac.add.reduceat(tombac.ones(4), [0, 1, 2, 3], out=a),
    "at": lambda a: tombac.add.at(a, [0, 0], 1),
    "take": lambda a: tombac.take(tombac.ones(4), [0, 1, 2, 3], out=a),
    "matmul": lambda a: tombac.matmul(tombac.ones((4, 64)), tombac.ones(64), out=a),
    "product": lambda a: tombac.matmul(tombac.ones((1, 300)), tombac.ones((300, 4)), out=a.reshape(1, 4)),
    "dot": lambda a: tombac.dot(tombac.ones((4, 2)), tombac.ones(2), out=a),
    "concatenate": lambda a: tombac.concatenate([tombac.ones(2), tombac.ones(2)], out=a),
    "copyto": lambda a: tombac.copyto(a, 1),
    "fill_diagonal": lambda a: tombac.fill_diagonal(a.reshape(2, 2), 1),
    "clip": lambda a: a.clip(1, 2, out=a),
    "pointer": lambda a: a.data.memset(0, 8),
    "copy_from": lambda a: a.data.copy_from_device(tombac.zeros(4).data, 32),
    "kernel": lambda a: tombac.ElementwiseKernel("T x", "T y", "y = x", "copies")(tombac.ones(4), a),
    "raw": lambda a: tombac.ElementwiseKernel("", "raw T y", "y[i] = 1", "stores")(a, size=4),
    "reduction": lambda a: tombac.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "sums")(
        tombac.ones((3, 4)), a, axis=0),
}


@pytest.mark.parametrize("fusion", [True, False])
@pytest.mark.parametrize("name", WRITES)
def test_read_only_arrays_are_not_written(name, fusion):
    a, host = read_only()
    with tombac.config.fusion(fusion), pytest.raises(ValueError, match="read-only"):
        WRITES[name](a)
    same(host, np.arange(4.0))
    same(a, np.arange(4.0))
    same(a + 1, np.arange(4.0) + 1)


def test_what_read_only_arrays_tell():
    a, host = read_only()
    assert not a.flags.writeable and not a.flags["BEHAVED"] and a.flags != host.flags
    assert not tombac.asarray(Foreign(interface(a))).flags.writeable
    with pytest.raises(BufferError):
        a.__dlpack__()
    with pytest.raises(BufferError):
        a.toDlpack()
    assert not tombac.from_dlpack(a).flags.writeable
    if ON_HOST and np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # the first whose capsules can tell
        assert not np.from_dlpack(a).flags.writeable
        frozen = np.arange(3.0)
        frozen.flags.writeable = False
        assert not tombac.from_dlpack(frozen).flags.writeable and tombac.from_dlpack(np.arange(3.0)).flags.writeable
    for name, match in (("[0]", "assignment destination is read-only"), ("out", "output array is read-only")):
        with pytest.raises(ValueError, match=match):
            WRITES[name](a)


@pytest.mark.skipif(not ON_HOST, reason="jax is tried on the host")
def test_jax_arrays_do_not_change():
    jnp = pytest.importorskip("jax.numpy")
    x = jnp.arange(4.0)
    with pytest.raises(ValueError):
        increment(tombac.from_dlpack(x))
    assert x.tolist() == [0, 1, 2, 3]
    assert jnp.asarray(tombac.arange(4.0)).tolist() == [0, 1, 2, 3]


@pytest.mark.skipif(not ON_HOST, reason="torch is tried on the host")
def test_torch_tensors_change():
    torch = pytest.importorskip("torch")
    t = torch.arange(4.0)
    increment(tombac.from_dlpack(t))
    tombac.cuda.Device().synchronize()
    assert t.tolist() == [1, 2, 3, 4]
    assert torch.as_tensor(tombac.arange(4.0)).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("changes", [
    {"code": 3}, {"code": 4, "bits": 8}, {"code": 2, "bits": 128}, {"bits": 7}, {"lanes": 4}, {"lanes": 0},
    {"code": 99}, {"ndim": -1}, {"ndim": 100}, {"ndim": 2**31 - 1}, {"device_type": 99}, {"device_type": -1},
    {"shape": (-4,)}, {"shape": (2**62,)}, {"shape": (2**40, 2**40)}, {"strides": (2**62,)}, {"strides": (-(2**63),)},
    {"shape": (3, 3), "strides": (2**61, 2**61)}, {"data": 0}, {"shape": None, "ndim": 1},
])
def test_tensors_that_make_no_sense(versioned, changes):
    with pytest.raises(BufferError):
        tombac.from_dlpack(Producer(versioned=versioned, **changes))


def test_tensors_of_every_kind():
    same(tombac.from_dlpack(Producer(shape=(), byte_offset=16)), np.array(2.0))
    same(tombac.from_dlpack(Producer(shape=(2, 2))), np.arange(4.0).reshape(2, 2))
    same(tombac.from_dlpack(Producer(shape=(2, 2), strides=(1, 2))), np.arange(4.0).reshape(2, 2).T)
    same(tombac.from_dlpack(Producer(strides=(-1,), byte_offset=24)), np.arange(4.0)[::-1])
    same(tombac.from_dlpack(Producer(shape=(3, 5), strides=(1, 0))), np.repeat(np.arange(3.0), 5).reshape(3, 5))
    assert tombac.from_dlpack(Producer(shape=(0, 3), data=0)).shape == (0, 3)
    with pytest.raises(BufferError):
        tombac.from_dlpack(Producer(major=2))


class Odd:
    def __init__(self, device=None, capsule=None):
        self.device, self.given = device or tombac.zeros(1).__dlpack_device__(), capsule

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **kwargs):
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


@pytest.mark.parametrize("device", [1, (1,), (1, 2, 3), "ab", [1, 0], ("x", 0), (1, None), (2**40, 0), (1.5, 0), None])
def test_devices_that_make_no_sense(device):
    o = Odd()
    o.device = device
    with pytest.raises((TypeError, OverflowError)):
        tombac.from_dlpack(o)


def test_producers_that_fail():
    for wrong in (None, 1, "x", object(), b"dltensor"):
        with pytest.raises(TypeError):
            tombac.from_dlpack(Odd(capsule=wrong))
    for error in (RuntimeError("no"), BufferError("no"), KeyError("no"), TypeError("no")):
        with pytest.raises(type(error), match="no"):
            tombac.from_dlpack(Odd(capsule=error))
    p = Producer()
    p.name = b"something else"
    with pytest.raises(ValueError):
        tombac.from_dlpack(p)
    p = Producer()
    capsule = p.capsule()
    same(tombac.from_dlpack(Odd(capsule=capsule)), np.arange(4.0))
    with pytest.raises(ValueError):
        tombac.from_dlpack(Odd(capsule=capsule))


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


@pytest.mark.skipif(not ON_HOST, reason="the capsules are over host memory")
@pytest.mark.parametrize("ndim, shape, strides, changes, message", [
    (1, (4,), None, {"data": None}, "no memory"),
    (1, (4,), None, {"shape": None}, "no shape"),
    (1, (-4,), None, {}, "negative"),
    (1, (4,), (2**61,), {}, "strides reach past all addresses"),
    (1, (4,), (2**59,), {}, "more than there can be"),
    (2, (2**40, 2**40), None, {}, "larger than memory"),
    (1, (4,), None, {"offset": 2**64 - 1}, "offset"),
    (-1, (4,), None, {}, "dimensions"),
    (65, (1,) * 65, None, {}, "more dimensions"),
    (1, (4,), None, {"lanes": 4}, "4 lanes"),
])
def test_capsules_that_no_memory_can_have(ndim, shape, strides, changes, message):
    memory = (ctypes.c_double * 4)()
    numbers = [None if n is None else (ctypes.c_int64 * len(n))(*n) for n in (shape, strides)]
    pointers = [ctypes.cast(n, ctypes.POINTER(ctypes.c_int64)) for n in numbers]
    tensor = DLTensor(ctypes.addressof(memory), 1, 0, ndim, 2, 64, 1, *pointers, 0, None, None)
    for name, value in changes.items():
        setattr(tensor, name, value)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    with pytest.raises(BufferError, match=message):
        tombac.from_dlpack(new(ctypes.addressof(tensor), b"dltensor", None))


def test_dlpack_arguments():
    a = tombac.arange(3)
    same(tombac.from_dlpack(a.__dlpack__(copy=True)), np.arange(3))
    for place in ((99, 0), (a.__dlpack_device__()[0], 2**30)):
        with pytest.raises(BufferError):
            a.__dlpack__(dl_device=place)
    for wrong in (1, (1,), "ab", (None, 0), [1, 0], object()):
        with pytest.raises(TypeError):
            a.__dlpack__(dl_device=wrong)
        with pytest.raises(TypeError):
            a.__dlpack__(max_version=wrong)
    with pytest.raises(BufferError):
        tombac.lib.stride_tricks.as_strided(tombac.zeros(4, "D"), (2,), (8,)).__dlpack__()
    with pytest.raises((TypeError, AttributeError)):
        tombac.from_dlpack(object())
    with pytest.raises(BufferError):
        tombac.from_dlpack(tombac.zeros(0).__dlpack__(dl_device=(99, 0)))


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.1.0", reason="NumPy 2.0 takes no device")
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


def test_stream_zero_is_taken_for_the_legacy_stream_with_a_warning():
    a = tombac.arange(3)
    with pytest.warns(UserWarning, match="Stream 0"):
        capsule = a.__dlpack__(stream=0)
    same(tombac.from_dlpack(capsule), np.arange(3))
    for stream in (None, 1, 2, -1):
        tombac.from_dlpack(a.__dlpack__(stream=stream))
    with pytest.raises(TypeError):
        a.__dlpack__(stream="first")


NAMED = {
    "argpartition": lambda m, v: m.argpartition(v, 2, order=None)[2],
    "array_str": lambda m, v: m.array_str(a=v),
    "corrcoef": lambda m, v: m.corrcoef(x=v.reshape(2, 3)),
    "cov": lambda m, v: m.cov(m=v.reshape(2, 3), ddof=0),
    "delete": lambda m, v: m.delete(arr=v, obj=[1, 2]),
    "ediff1d": lambda m, v: m.ediff1d(ary=v),
    "extract": lambda m, v: m.extract(condition=v > 2, arr=v),
    "flip": lambda m, v: m.flip(m=v),
    "fliplr": lambda m, v: m.fliplr(m=v.reshape(2, 3)),
    "flipud": lambda m, v: m.flipud(m=v),
    "histogram": lambda m, v: m.histogram(a=v, bins=3)[0],
    "histogram2d": lambda m, v: m.histogram2d(v, v, 3, None, True)[0],
    "histogram2d of weights": lambda m, v: m.histogram2d(v, v, 3, None, None, v)[0],
    "histogramdd": lambda m, v: m.histogramdd(v.reshape(3, 2), 3, None, True)[0],
    "histogramdd by name": lambda m, v: m.histogramdd(v.reshape(3, 2), 3, weights=v[:3])[0],
    "i0": lambda m, v: m.i0(x=v),
    "intersect1d": lambda m, v: m.intersect1d(ar1=v, ar2=v[::2]),
    "matrix_power": lambda m, v: m.linalg.matrix_power(a=v[:4].reshape(2, 2), n=3),
    "matrix_rank": lambda m, v: m.linalg.matrix_rank(A=v.reshape(2, 3)),
    "partition": lambda m, v: m.partition(v, 2, order=None)[2],
    "rot90": lambda m, v: m.rot90(m=v.reshape(2, 3), k=3),
    "sinc": lambda m, v: m.sinc(x=v),
    "stack": lambda m, v: m.stack(arrays=[v, v], axis=1),
    "take_along_axis": lambda m, v: m.take_along_axis(arr=v, indices=v.astype(int), axis=0),
    "union1d": lambda m, v: m.union1d(ar1=v, ar2=v + 1),
}


@pytest.mark.parametrize("name", NAMED)
def test_numpys_functions_take_numpys_names_and_order(name):
    """Also where the function here has CuPy's."""
    v = np.array([3.0, 1, 4, 5, 0, 2])
    want, got = NAMED[name](np, v), NAMED[name](np, tombac.array(v))
    if isinstance(want, str):
        assert got == want
    else:
        np.testing.assert_allclose(got.get(), want, rtol=1e-12)
    for wrong in (lambda: np.flip(tombac.array(v), foo=1), lambda: np.partition(tombac.array(v), 2, order="a")):
        with pytest.raises(TypeError):
            wrong()
