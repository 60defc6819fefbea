"""NumPy's arrays as arguments: functions that are a method of their argument call its own, as CuPy's do."""

import numpy as np
import pytest

import tombac as tb


HOST = {
    "sum": ((0,), {}), "prod": ((), {"axis": 1}), "mean": ((), {"keepdims": True}), "std": ((0,), {"ddof": 1}),
    "var": ((), {}), "max": ((1,), {}), "amin": ((), {}), "argmax": ((), {}), "any": ((), {}), "clip": ((2, 4), {}),
    "reshape": ((3, 2), {"order": "F"}), "ravel": (("F",), {}), "transpose": ((), {}), "swapaxes": ((0, 1), {}),
    "squeeze": ((), {}), "take": (([0, 2],), {"axis": 1}), "repeat": ((2,), {"axis": 0}), "diagonal": ((), {}),
    "trace": ((), {}), "around": ((1,), {}), "round": ((1,), {}), "dot": ((np.ones((3, 2)),), {}),
}


@pytest.mark.parametrize("name", HOST)
def test_methods_of_host_arrays(name):
    a = np.arange(6).reshape(2, 3)
    args, kwargs = HOST[name]
    if name in ("reshape",):
        args = (args,)
    got = getattr(tb, name)(a, *args, **kwargs)
    np.testing.assert_array_equal(got, getattr(np, name)(a, *args, **kwargs))
    assert not isinstance(got, tb.ndarray)


def test_methods_of_host_arrays_that_write():
    a = np.arange(6)
    tb.put(a, [0, 1], [9, 8])
    np.testing.assert_array_equal(tb.choose(np.array([0, 1]), [[1, 2], [3, 4]]), [1, 4])
    np.testing.assert_array_equal(tb.compress([True, False, True], a), [9, 2])
    out = np.zeros(2)
    assert tb.sum(a.reshape(2, 3), axis=1, out=out) is out
    np.testing.assert_array_equal(out, [19, 12])


@pytest.mark.parametrize("call", [
    lambda a: tb.cumsum(a), lambda a: tb.nansum(a), lambda a: tb.add.reduce(a), lambda a: tb.add(a, 1),
    lambda a: tb.nonzero(a), lambda a: tb.concatenate((a, a)), lambda a: tb.dot(tb.ones(3), a),
    lambda a: tb.expand_dims(a, 0), lambda a: tb.sum(tb.ones(3), out=a),
])
def test_other_functions_refuse_them(call):
    with pytest.raises(TypeError):
        call(np.ones(3))


def test_save_takes_what_numpys_does(tmp_path):
    file = tmp_path / "a.npy"
    for x in ([[1, 2], [3, 4]], np.arange(3.0), 5, tb.arange(3), np.array(["a", "b"])):
        tb.save(file, x)
        assert np.array_equal(np.load(file), tb.asnumpy(x))
    with pytest.raises(ValueError):
        tb.save(file, {"a": 1}, allow_pickle=False)
    tb.save(file, {"a": 1}, allow_pickle=True)
    assert np.load(file, allow_pickle=True).item() == {"a": 1}
