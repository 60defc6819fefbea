"""config.strict_indices: an index out of range is an error of the call that uses it, and nothing has been written."""

import doctest
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import INTS, same
from tombac import config


@pytest.fixture(autouse=True)
def strict():
    with config.strict_indices(True):
        yield


def outcome(f, xp):
    """What f(xp) gives, or the IndexError's message."""
    try:
        r = f(xp)
    except IndexError as error:
        return str(error)
    return r.get() if xp is tb else r


def agree(f):
    want, got = outcome(f, np), outcome(f, tb)
    assert isinstance(want, str) == isinstance(got, str), f"{got!r} where NumPy gives {want!r}"
    if isinstance(want, np.ndarray):
        np.testing.assert_array_equal(got, want)


@given(st.sampled_from(INTS), st.integers(1, 5), st.integers(0, 6), st.integers(0, 2**32 - 1))
def test_reading_and_writing(code, length, n, seed):
    low = 0 if code.isupper() else -length - 1
    index = np.random.default_rng(seed).integers(low, length + 1, n).astype(code)

    def write(xp):
        a = xp.zeros((length, 2))
        a[xp.asarray(index)] = 1
        return a

    def add(xp):
        a = xp.zeros(length, int)
        xp.add.at(a, xp.asarray(index), 2)
        return a

    agree(lambda xp: xp.arange(length)[xp.asarray(index)])
    agree(lambda xp: xp.arange(2 * length).reshape(2, length)[:, xp.asarray(index) + 0])
    agree(write)
    agree(add)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=3), st.lists(st.integers(-5, 5), min_size=1, max_size=1))
def test_several_arrays(i, j):
    def host(xp):
        return xp.arange(60).reshape(3, 4, 5)

    agree(lambda xp: host(xp)[xp.array(i), xp.array(j)])
    agree(lambda xp: host(xp)[xp.array(i), 1, xp.array(j)])
    agree(lambda xp: host(xp)[xp.array(i), :, None, xp.array(j)])
    agree(lambda xp: host(xp)[..., xp.array(i)])
    agree(lambda xp: host(xp)[xp.ones(3, bool), xp.array(j)])
    agree(lambda xp: host(xp).flat[xp.array(i) * 20])


@pytest.mark.parametrize("key, message", [
    (lambda: tb.array([0, 4, 2]), "index 4 is out of bounds for axis 0 with size 3"),
    (lambda: tb.array([0, -4, 2]), "index -4 is out of bounds for axis 0 with size 3"),
    (lambda: (slice(None), tb.array([[7]], "B")), "index 7 is out of bounds for axis 1 with size 4"),
    (lambda: (None, 1, tb.arange(5)), "index 4 is out of bounds for axis 1 with size 4"),
    (lambda: (tb.array([True, False, True]), tb.array([9])), "index 9 is out of bounds for axis 1 with size 4"),
    (lambda: tb.arange(1000) * 2, "index 1998 is out of bounds for axis 0 with size 3"),
    (lambda: [0, 5], "index 5 is out of bounds for axis 0 with size 3"),
])
def test_messages(key, message):
    a = tb.zeros((3, 4))
    for use in (lambda k: a[k], lambda k: a.__setitem__(k, 1), lambda k: tb.add.at(a, k, 1),
                lambda k: tb.maximum.at(a, k, 1)):
        with pytest.raises(IndexError, match=message):
            use(key())
    same(a, np.zeros((3, 4)))  # nothing was written


def test_what_cannot_be_out_of_range():
    a = tb.arange(6).reshape(2, 3)
    same(a[tb.array([True, False])], np.array([[0, 1, 2]]))
    same(a[a > 3], np.array([4, 5]))
    same(a[tb.zeros(0, int)], np.zeros((0, 3), int))
    same(a[tb.array(1)], np.array([3, 4, 5]))
    same(a[tb.array([7]), tb.zeros((0, 1), int)], np.zeros((0, 1), int))  # broadcast to nothing, as in NumPy
    assert np.arange(6).reshape(2, 3)[np.array([7]), np.zeros((0, 1), int)].shape == (0, 1)
    for dtype in ("b", "i8", "?"):
        for mode in ("wrap", "clip"):
            index = np.array([7, -9, 1]).astype(dtype)
            same(tb.take(a, tb.array(index), mode=mode), np.take(a.get(), index, mode=mode))
            same(tb.take(a, tb.array(index), 1, mode=mode), np.take(a.get(), index, 1, mode=mode))
            b, c = a.copy(), a.get()
            b.put(tb.array(index), -1, mode=mode)
            c.put(index, -1, mode=mode)
            same(b, c)
    same(a.T[::-1][tb.array([2, -3])], a.get().T[::-1][np.array([2, -3])])


@pytest.mark.parametrize("index", [6, -7, [0, 6], [[-7], [1]], 5, -6, [5, -6], []])
def test_take_and_put(index):
    def put(xp, *how):
        a = xp.arange(6)
        a.put(xp.array(index, dtype=int) if xp is tb else np.array(index, int), -1, *how)
        return a

    agree(lambda xp: xp.arange(6).take(index if isinstance(index, int) else xp.array(index, dtype=int)))
    agree(lambda xp: xp.take(xp.arange(12).reshape(6, 2), xp.array(index, dtype=int), axis=0))
    agree(lambda xp: xp.take_along_axis(xp.arange(6), xp.array(index, dtype=int).ravel(), 0))
    agree(put)
    agree(lambda xp: put(xp, "wrap"))
    with config.strict_indices(False):
        same(tb.arange(6).take(tb.array(index, dtype=int)), np.arange(6).take(np.array(index, int), mode="wrap"))
        same(put(tb), put(np, "wrap"))


def test_each_index_array_is_one_more_kernel():
    a, i = tb.arange(10000.0), tb.arange(0, 10000, 3)
    a.get()
    i.get()
    config.reset_counters()
    with config.fusion("all"):
        r = a[i] + 1
        assert config.counters()["launches"] == 1  # the check
        r.get()
        assert config.counters()["launches"] == 2
        with config.strict_indices(False):
            config.reset_counters()
            (a[i] + 1).get()
            assert config.counters()["launches"] == 1


def test_the_switch():
    a, i = tb.arange(3), tb.array([3, -4])
    assert config.strict_indices() is True
    with config.strict_indices(False):
        assert config.strict_indices() is False
        same(a[i], np.array([0, 2]))
        with pytest.raises(ValueError), config.strict_indices(True):
            raise ValueError
        same(a[i], np.array([0, 2]))
    with pytest.raises(IndexError):
        a[i]
    seen = []
    thread = threading.Thread(target=lambda: seen.append(config.strict_indices()))
    thread.start()
    thread.join()
    assert seen == [os.environ.get("TOMBAC_STRICT_INDICES") == "1"]
    config.strict_indices(False)
    assert config.strict_indices() is False
    config.strict_indices(True)


@pytest.mark.parametrize("value, code", [("1", 1), ("0", 0), ("", 0)])
def test_the_environment(value, code):
    program = "import tombac as tb\ntry:\n    tb.arange(3)[tb.array([3])]\nexcept IndexError:\n    raise SystemExit(1)"
    env = os.environ | {"TOMBAC_STRICT_INDICES": value}
    assert subprocess.run([sys.executable, "-c", program], env=env, timeout=120).returncode == code


def test_a_bad_value_in_the_environment():
    env = os.environ | {"TOMBAC_STRICT_INDICES": "yes"}
    out = subprocess.run([sys.executable, "-c", "import tombac; tombac.zeros(1)"], env=env, capture_output=True,
        text=True, timeout=120)
    assert out.returncode and "TOMBAC_STRICT_INDICES" in out.stderr


def test_examples():
    with config.strict_indices(False):
        runner = doctest.DocTestRunner()
        for test in doctest.DocTestFinder().find(config.strict_indices, globs={"tombac": tb}):
            runner.run(test)
    assert runner.failures == 0 and runner.tries > 1
