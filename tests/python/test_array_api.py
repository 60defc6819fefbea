"""What the Array API standard asks for beyond NumPy's functions: the namespace's facts, and devices as arguments."""

import doctest
import inspect

import numpy as np
import pytest
import tombac as tb
from strategies import same
from test_devices import run
from tombac import _array_api, cuda

HERE = cuda.Device()


def test_namespace():
    a = tb.zeros(1)
    assert tb.__array_api_version__ == "2024.12"
    for version in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
        assert a.__array_namespace__(api_version=version) is tb
    for version in ("2019.01", "", 2024, b"2024.12"):
        with pytest.raises(ValueError, match="api_version"):
            a.__array_namespace__(api_version=version)


def test_info():
    info, host = tb.__array_namespace_info__(), np.__array_namespace_info__()
    assert set(info.capabilities()) == set(host.capabilities())
    assert tb.zeros((1,) * info.capabilities()["max dimensions"]).ndim == info.capabilities()["max dimensions"]
    assert info.default_device() == HERE and HERE in info.devices() and isinstance(info.devices(), list)
    assert info.default_dtypes() == info.default_dtypes(device=HERE) == host.default_dtypes()
    assert tb.arange(3).dtype == info.default_dtypes()["integral"] and tb.ones(3).dtype == float
    for kind in (None, "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating",
                 "numeric", (), ("bool", "real floating")):
        assert info.dtypes(kind=kind) == host.dtypes(kind=kind) == info.dtypes(kind=kind, device=HERE)
    for wrong in (dict(kind="x"), dict(kind=3), dict(device=len(info.devices())), dict(device=-1)):
        with pytest.raises((ValueError, TypeError)):
            info.dtypes(**wrong)
    with pytest.raises(ValueError, match="99"):
        info.default_dtypes(device=99)


def test_info_examples():
    found = doctest.testmod(_array_api, globs={"tombac": tb})
    assert found.failed == 0 and found.attempted > 1


MAKERS = {
    "arange": (3,), "asarray": ([1, 2],), "asanyarray": (5,), "empty": ((2, 3),), "empty_like": ([1, 2],), "eye": (3,),
    "full": (2, 7), "full_like": ([1.0], 7), "linspace": (0, 1, 5), "ones": (3,), "ones_like": ([1],), "zeros": (3,),
    "zeros_like": ([1],),
}


@pytest.mark.parametrize("name", MAKERS)
def test_device_argument(name):
    f, args = getattr(tb, name), MAKERS[name]
    parameter = inspect.signature(f).parameters["device"]
    assert parameter.kind == parameter.KEYWORD_ONLY and parameter.default is None
    for device in (None, HERE, HERE.id):
        r = f(*args, device=device)
        assert r.device == HERE
        if "empty" not in name:
            same(r, getattr(np, name)(*args))
    for wrong in ("cpu", "cuda:0", 1.5, [0], b"0"):
        with pytest.raises(ValueError, match=name + ": device"):
            f(*args, device=wrong)
    with pytest.raises(Exception, match="99"):
        f(*args, device=99)
    assert cuda.Device() == HERE


def test_linspace_of_arrays_takes_a_device():
    same(tb.linspace(tb.zeros(2), 1, 3, device=HERE), np.linspace(np.zeros(2), 1, 3))
    with pytest.raises(ValueError, match="linspace: device"):
        tb.linspace(tb.zeros(2), 1, 3, device="gpu")


def test_astype_and_from_dlpack_take_a_device():
    a = tb.arange(4)
    same(tb.astype(a, "f", device=HERE), np.arange(4, dtype="f"))
    assert tb.astype(a, a.dtype, copy=False, device=HERE.id) is a
    assert not tb.may_share_memory(tb.astype(a, a.dtype, device=HERE), a)
    assert tb.may_share_memory(tb.from_dlpack(a, device=HERE), a)
    assert tb.may_share_memory(tb.from_dlpack(a, device=HERE, copy=False), a)
    b = tb.from_dlpack(a, device=HERE, copy=True)
    same(b, a.get())
    assert not tb.may_share_memory(b, a)
    for f in (lambda d: tb.from_dlpack(a, device=d), lambda d: tb.astype(a, int, device=d), a.to_device):
        with pytest.raises(ValueError, match="device"):
            f("gpu")


def test_to_device():
    a = tb.arange(4)
    assert a.to_device(HERE) is a and a.to_device(HERE.id) is a
    with cuda.Stream() as s:
        assert a.to_device(HERE, stream=s) is a
    with pytest.raises(TypeError):
        a.to_device(HERE, stream=3)
    assert cuda.Device() == HERE


def test_devices_named_by_arguments():
    run("""
one = cuda.Device(1)
made = [tb.arange(3, device=one), tb.asarray([1, 2], device=1), tb.empty(3, device=one), tb.eye(2, device=one),
        tb.full(2, 7, device=one), tb.full(2, np.ones(2), device=one), tb.linspace(0, 1, 3, device=one),
        tb.ones(3, device=one), tb.zeros(3, device=one)]
x = tb.arange(5.0) + 1
made += [f(x, device=one) for f in (tb.empty_like, tb.ones_like, tb.zeros_like, tb.asarray, tb.asanyarray)]
made += [tb.full_like(x, 3, device=one), tb.astype(x, 'f', device=one), tb.astype(x, float, copy=False, device=one)]
made += [x.to_device(one), x[::-2].to_device(1), tb.from_dlpack(x, device=one)]
assert all(r.device == one for r in made), [r.device for r in made]
assert cuda.Device().id == 0
assert made[0].get().tolist() == [0, 1, 2] and made[-2].get().tolist() == [5, 3, 1]
y = x.to_device(one)
assert y.get().tolist() == [1, 2, 3, 4, 5] and y.to_device(0).get().tolist() == [1, 2, 3, 4, 5]
assert tb.from_dlpack(y).device == one and tb.from_dlpack(y, copy=True).device == one
with one:
    s = cuda.Stream()
    before = cuda.get_current_stream()
assert x.to_device(one, stream=s).device == one
with one:
    assert cuda.get_current_stream() == before
for f in (lambda: x.to_device(0, stream=s), lambda: tb.asarray(x, copy=False, device=one),
          lambda: tb.from_dlpack(x, device=one, copy=False)):
    try:
        f()
    except ValueError:
        continue
    raise AssertionError
assert cuda.Device().id == 0 and tb.__array_namespace_info__().devices() == [cuda.Device(0), one]
""")


@pytest.mark.parametrize("f", [
    lambda a, c: a.reshape(2, 3, copy=c), lambda a, c: tb.reshape(a, (2, 3), copy=c),
    lambda a, c: tb.asarray(a, copy=c),
    lambda a, c: tb.asanyarray(a, copy=c), lambda a, c: tb.array(a, copy=c), lambda a, c: tb.from_dlpack(a, copy=c),
], ids=["method", "reshape", "asarray", "asanyarray", "array", "from_dlpack"])
def test_copy_argument(f):
    """numpy.reshape(copy=...) and the like: any truth value, no strings."""
    a = tb.arange(6)
    for copy in (True, 1, 2.0, np.True_, False, 0, np.False_, None):
        r = f(a, copy)
        assert tb.may_share_memory(r, a) is not bool(copy)
        assert r.get().ravel().tolist() == [0, 1, 2, 3, 4, 5]
    for copy in ("False", "", "never"):
        with pytest.raises(ValueError, match="strings are not allowed for 'copy'"):
            f(a, copy)


def test_reshape_names_and_copies():
    a = tb.arange(6).reshape(2, 3)
    same(tb.reshape(a, shape=(3, 2)), a.get().reshape(3, 2))
    same(tb.reshape(a, newshape=6), np.arange(6))
    for wrong in (dict(), dict(shape=6, newshape=6)):
        with pytest.raises(TypeError, match="newshape"):
            tb.reshape(a, **wrong)
    for falsy in (False, 0, np.False_):
        with pytest.raises(ValueError, match="Unable to avoid creating a copy"):
            tb.reshape(a.T, 6, copy=falsy)
    assert isinstance(tb.reshape(np.arange(6), (2, 3)), np.ndarray)


@pytest.mark.parametrize("f", [
    lambda a, n: a.reshape((1,) * n), lambda a, n: a.reshape(*(1,) * n), lambda a, n: tb.zeros((1,) * n),
    lambda a, n: tb.array(1, ndmin=n), lambda a, n: tb.broadcast_to(a, (1,) * n),
])
def test_most_dimensions(f):
    most = tb.__array_namespace_info__().capabilities()["max dimensions"]
    assert f(tb.zeros(()), most).ndim == most
    with pytest.raises(ValueError, match="maximum supported dimension for an ndarray is"):
        f(tb.zeros(()), most + 1)
