"""Copies between the host and the device that are large enough to be shared by threads."""

import threading
import time

import numpy as np
import pytest

import tombac as xp

MB = 1 << 20


def numbers(n, seed=0):
    return np.random.default_rng(seed).integers(0, 255, n, dtype="u1")


@pytest.mark.parametrize("n", [4 * MB - 1, 4 * MB, 4 * MB + 1, 5 * MB + 7, 40 * MB + 13])
@pytest.mark.parametrize("start", [0, 1, 4093])
def test_bytes_arrive(n, start):
    host = numbers(start + n)[start:]
    out = np.zeros(start + n + 1, "u1")
    x = xp.asarray(host)
    assert (xp.asnumpy(x) == host).all()
    x.get(out=out[start:-1])
    assert (out[start:-1] == host).all() and not out[:start].any() and out[-1] == 0
    half = n // 2
    x[half:] = host[: n - half]
    assert (xp.asnumpy(x[half:]) == host[: n - half]).all() and (xp.asnumpy(x[:half]) == host[:half]).all()


def test_host_memory_is_free_at_once():
    host = numbers(16 * MB)
    kept = host.copy()
    with xp.cuda.Stream(non_blocking=True) as stream:
        x = xp.asarray(host)
        host[:] = 0
        y = x + xp.uint8(1)
        stream.synchronize()
    assert (xp.asnumpy(x) == kept).all() and (xp.asnumpy(y) == (kept + np.uint8(1))).all()


def test_order_in_a_stream():
    """Copies come after what the stream was given before, and before what it is given next."""
    host = numbers(12 * MB).view("f4")
    np.nan_to_num(host, copy=False)
    host[:] = np.arange(host.size) % 1000
    with xp.cuda.Stream(non_blocking=True):
        x = xp.zeros(host.shape, "f4")
        for k in range(5):
            for _ in range(10):
                x += 1
            got = x.get()
            assert (got == 10).all()
            x.set(host + np.float32(k))
            x *= 2
            assert (x.get() == 2 * (host + np.float32(k))).all()
            x[...] = 0


def test_pinned_memory_as_before():
    import tombacx

    host = tombacx.empty_pinned(8 * MB, "u1")
    host[:] = numbers(8 * MB)
    x = xp.asarray(host)
    back = tombacx.zeros_pinned(8 * MB, "u1")
    x.get(out=back)
    assert (back == host).all()


def test_threads():
    wrong = []

    def work(seed):
        host = numbers(9 * MB + seed, seed)
        with xp.cuda.Stream(non_blocking=True):
            for _ in range(4):
                x = xp.asarray(host)
                y = x[::-1]
                if not (xp.asnumpy(x) == host).all() or not (xp.asnumpy(y) == host[::-1]).all():
                    wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_function_of_the_host_before_the_copy():
    """The stream waits for a function that needs what the copying thread holds."""
    seen = []
    host = numbers(8 * MB)
    stream = xp.cuda.Stream(non_blocking=True)
    with stream:
        x = xp.asarray(host)
        stream.launch_host_func(lambda _: seen.append(xp.zeros(3).shape), None)
        back = x.get(stream=stream)
    assert (back == host).all() and seen == [(3,)]


@pytest.mark.parametrize("function", ["array", "asarray", "asanyarray"])
@pytest.mark.parametrize("n", [10, 8 * MB])
def test_blocking_waits_for_the_stream(function, n):
    host = numbers(n)
    stream = xp.cuda.Stream(non_blocking=True)
    with stream:
        stream.launch_host_func(lambda _: time.sleep(0.05), None)
        x = getattr(xp, function)(host, blocking=True)
        assert stream.done
    assert (x.get() == host).all()
    with pytest.raises((TypeError, ValueError)):
        getattr(xp, function)(host, blocking=np.ones(2))


@pytest.mark.parametrize("n", [1023, 1024, 5000, 70_001, 5_000_000])
@pytest.mark.parametrize("by", [1, 3, 15, 16, 17, 63, 64, 65])
def test_copies_a_few_bytes_behind_their_source(n, by):
    """Where the destination is so within a page, the CPU does not leave the copy to memcpy."""
    host = np.random.default_rng(by).integers(0, 256, n).astype(np.uint8)
    x, shifted = xp.array(host), xp.zeros(n, np.uint8)
    shifted[by:] = x[:-by]
    np.testing.assert_array_equal(shifted.get(), np.concatenate([np.zeros(by, np.uint8), host[:-by]]))
    np.testing.assert_array_equal(xp.roll(x, by).get(), np.roll(host, by))
    x[by:] = x[:-by]  # overlapping
    np.testing.assert_array_equal(x.get(), np.concatenate([host[:by], host[:-by]]))
