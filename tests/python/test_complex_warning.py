"""Casts from complex to real: where NumPy warns of the imaginary parts that are lost, so do we, once a call."""

import warnings

import numpy as np
import pytest
import tombac as tb

UNSAFE = {"casting": "unsafe"}


def numbers(xp, dtype="D", n=3):
    return (xp.arange(n) + 1).astype(dtype) * (1 + 2j if dtype in "FD" else 1)


def into(f, dtype="d"):
    """f(xp, out) as a function that returns out."""
    def g(xp):
        out = xp.zeros(3, dtype)
        f(xp, out)
        return out
    return g


CALLS = {
    "concatenate": lambda xp: xp.concatenate((numbers(xp), numbers(xp)), dtype="d", **UNSAFE),
    "concatenate to bool": lambda xp: xp.concatenate((numbers(xp),), dtype="?", **UNSAFE),
    "concatenate to complex": lambda xp: xp.concatenate((numbers(xp),), dtype="F", **UNSAFE),
    "concatenate one of two": lambda xp: xp.concatenate((numbers(xp, "f"), numbers(xp)), dtype="i", **UNSAFE),
    "concatenate out": lambda xp: xp.concatenate((numbers(xp), numbers(xp)), out=xp.zeros(6), **UNSAFE),
    "concatenate flat": lambda xp: xp.concatenate((numbers(xp), numbers(xp)), axis=None, dtype="d", **UNSAFE),
    "concatenate real": lambda xp: xp.concatenate((numbers(xp, "d"),), dtype="i", **UNSAFE),
    "stack": lambda xp: xp.stack((numbers(xp), numbers(xp)), dtype="d", **UNSAFE),
    "stack out": lambda xp: xp.stack((numbers(xp), numbers(xp)), out=xp.zeros((2, 3)), **UNSAFE),
    "hstack": lambda xp: xp.hstack((numbers(xp), numbers(xp)), dtype="d", **UNSAFE),
    "vstack": lambda xp: xp.vstack((numbers(xp), numbers(xp)), dtype="d", **UNSAFE),
    "add": into(lambda xp, out: xp.add(numbers(xp), 1, out=out, **UNSAFE)),
    "add a complex number": into(lambda xp, out: xp.add(out, 2j, out=out, **UNSAFE)),
    "add as complex": into(lambda xp, out: xp.add(out, 2, dtype="D", out=out, **UNSAFE)),
    "add as real": lambda xp: xp.add(numbers(xp), 1, dtype="d", **UNSAFE),
    "add by signature": lambda xp: xp.add(numbers(xp), 1, signature="dd->d", **UNSAFE),
    "add where": into(lambda xp, out: xp.add(numbers(xp), 2, out=out, where=xp.arange(3) > 1, **UNSAFE), "i"),
    "floor": lambda xp: xp.floor(numbers(xp), dtype="d", **UNSAFE),
    "power": into(lambda xp, out: xp.power(numbers(xp), 2, out=out, **UNSAFE)),
    "absolute": into(lambda xp, out: xp.absolute(numbers(xp), out=out, **UNSAFE), "f"),
    "absolute as real": lambda xp: xp.absolute(numbers(xp), dtype="d", **UNSAFE),
    "equal": into(lambda xp, out: xp.equal(numbers(xp), 1 + 2j, out=out, **UNSAFE)),
    "matmul": into(lambda xp, out: xp.matmul(xp.eye(3) * 1j, numbers(xp), out=out, **UNSAFE)),
    "matmul as real": lambda xp: xp.matmul(xp.eye(3) * (1 + 1j), numbers(xp), dtype="d", **UNSAFE),
    "matmul of one complex": lambda xp: xp.matmul(xp.eye(3), numbers(xp), dtype="d", **UNSAFE),
    "at": into(lambda xp, out: xp.add.at(out, xp.array([0, 0, 2]), numbers(xp))),
    "at a number": into(lambda xp, out: xp.add.at(out, xp.array([0, 0, 2]), 1)),
    "take": into(lambda xp, out: xp.take(numbers(xp), xp.array([0, 2, 1]), out=out, mode="clip")),
    "compress": into(lambda xp, out: xp.compress(xp.ones(3, bool), numbers(xp), out=out)),
    "put": into(lambda xp, out: xp.put(out, xp.array([0, 2]), numbers(xp))),
    "linspace": lambda xp: xp.linspace(0, 1 + 1j, 3, dtype="d"),
    "full": lambda xp: xp.full(3, 1 + 2j, "d"),
    "full of NumPy's number": lambda xp: xp.full(3, np.complex64(1 + 2j), "i"),
    "full of an array": lambda xp: xp.full(3, numbers(xp), "f"),
    "full of complex": lambda xp: xp.full(3, 1j),
    "full_like": lambda xp: xp.full_like(xp.zeros(3), 1 + 2j),
    "setitem": into(lambda xp, out: out.__setitem__(slice(None), numbers(xp))),
    "copyto": into(lambda xp, out: xp.copyto(out, numbers(xp), casting="unsafe")),
    "astype": lambda xp: numbers(xp).astype("i"),
    "asarray": lambda xp: xp.asarray(numbers(xp), dtype="d"),
    "sum": into(lambda xp, out: xp.sum(xp.ones((2, 3), "D"), axis=0, out=out)),
}


def outcome(f, xp):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        r = f(xp)
    return r, sum(w.category is np.exceptions.ComplexWarning for w in caught)


@pytest.mark.parametrize("name", CALLS)
def test_warns_where_numpy_does(name):
    (want, theirs), (got, ours) = outcome(CALLS[name], np), outcome(CALLS[name], tb)
    assert bool(ours) == bool(theirs)
    np.testing.assert_allclose(got.get(), want, rtol=1e-6)
    assert got.dtype == want.dtype


def test_something_warns():
    assert sum(outcome(f, tb)[1] > 0 for f in CALLS.values()) > 20


@pytest.mark.parametrize("name", [name for name, f in CALLS.items() if outcome(f, np)[1]])
def test_warnings_may_be_errors(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        with pytest.raises(np.exceptions.ComplexWarning):
            CALLS[name](tb)


@pytest.mark.parametrize("f", [lambda xp, a, v: xp.putmask(a, xp.ones(3, bool), v),
                               lambda xp, a, v: xp.place(a, xp.ones(3, bool), v)], ids=["putmask", "place"])
def test_arrays_that_masks_put_are_cast_safely(f):
    def result(xp, dtype, value):
        a = xp.zeros(3, dtype)
        try:
            f(xp, a, value)
        except (TypeError, OverflowError) as error:
            return type(error)
        return a.get() if xp is tb else a

    for dtype in "?bilfdD":
        for value in "?bilfdD":
            want, got = (result(xp, dtype, numbers(xp, value)) for xp in (np, tb))
            np.testing.assert_equal(got, want, f"{dtype} {value}")
        for value in (True, 1, 300, 1.5, 1j, [1, 2], np.float64(2.5)):
            want, got = (result(xp, dtype, value) for xp in (np, tb))
            np.testing.assert_equal(got, want, f"{dtype} {value}")
