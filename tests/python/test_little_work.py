"""Operations on a few elements, which the host computes at the call, and single elements read and written: the same
numbers, order and errors as ever."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tombac as tb
from tombac import config

DTYPES = "?bBhHiIlLefdFD"
BINARY = ["add", "subtract", "multiply", "maximum", "less", "equal", "logical_and", "bitwise_xor", "true_divide"]


def numbers(shape, code, seed=0):
    host = np.random.default_rng(seed).integers(0, 2 if code == "?" else 9, shape)
    return host.astype(code)


def outcome(f):
    try:
        return f()
    except TypeError:
        return TypeError


def same(ours, theirs):
    if theirs is TypeError or ours is TypeError:
        assert ours is theirs
        return
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    assert ours.strides == np.asarray(theirs, order="K").strides or theirs.size < 2
    np.testing.assert_array_equal(ours.get(), theirs)


SHAPES = [(), (1,), (1, 1), (5,), (1, 5), (3, 5), (3, 1), (2, 1, 5), (0,), (0, 5)]


@pytest.mark.parametrize("code", DTYPES)
@pytest.mark.parametrize("name", BINARY)
def test_shapes_that_meet(name, code):
    for a in SHAPES:
        for b in [(), (1, 1), a]:
            x, y = numbers(a, code), numbers(b, code, 1)
            with np.errstate(all="ignore"):
                want = outcome(lambda: np.asarray(getattr(np, name)(x, y)))
            same(outcome(lambda: getattr(tb, name)(tb.asarray(x), tb.asarray(y))), want)


@given(st.sampled_from(SHAPES), st.sampled_from(SHAPES), st.sampled_from("?ild"), st.sampled_from("?ild"),
       st.booleans(), st.sampled_from(["add", "multiply", "less"]))
def test_any_two(a, b, code_a, code_b, transposed, name):
    x, y = numbers(a, code_a), numbers(b, code_b, 1)
    p, q = tb.asarray(x), tb.asarray(y)
    if transposed:
        x, p = x.T, p.T
    try:
        want = getattr(np, name)(x, y)
    except ValueError:
        with pytest.raises(ValueError, match="broadcast"):
            getattr(tb, name)(p, q)
        return
    ours = getattr(tb, name)(p, q)
    assert ours.dtype == want.dtype and ours.shape == want.shape
    np.testing.assert_array_equal(ours.get(), want)


def test_it_is_done_at_the_call():
    if config.backend() != "cpu":
        pytest.skip("only where the device is the host")
    x = tb.arange(1024, dtype="float32")
    with config.fusion(True):
        before = config.counters()
        y = tb.sin(x) * 2 + x
        after = config.counters()
        assert not config.is_pending(y)
        assert after["launches"] - before["launches"] == 3 and after["nodes"] == before["nodes"]
        assert config.is_pending(tb.ones(1 << 16) + 1)
    with config.fusion("all"):
        z = tb.sin(x) * 2 + x
        assert config.is_pending(z)
    assert z.get().tobytes() == y.get().tobytes()


@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
@pytest.mark.parametrize("code", "fd")
def test_few_random_numbers_are_those_that_are_deferred(name, code):
    at_once, later = tb.random.default_rng(3), tb.random.default_rng(3)
    for shape in [(), (0,), (1,), (7,), (3, 5), (1024,)]:
        with config.fusion(True):
            x = getattr(at_once, name)(shape, dtype=code)
            assert config.backend() != "cpu" or not config.is_pending(x)
        with config.fusion("all"):
            y = getattr(later, name)(shape, dtype=code)
        assert x.shape == y.shape and x.dtype == y.dtype
        assert x.get().tobytes() == y.get().tobytes()


@pytest.mark.parametrize("code", DTYPES)
def test_a_line_of_stored_elements(code):
    """Folded without a plan if it is short and contiguous; views that are not take the other way."""
    for n in (1, 2, 63, 64, 65, 129, 1000, 1024, 2049, 20000):
        x = numbers(n, code, n)
        ours = tb.asarray(x)
        for of, host in ((ours, x), (ours[::2], x[::2]), (ours[1:], x[1:]), (ours[::-1], x[::-1])):
            if host.size == 0:
                continue
            for name in ("argmax", "argmin", "max", "min", "any", "all"):
                assert getattr(of, name)().get() == getattr(host, name)(), (n, name)
            if code not in "efFD":  # sums of floats are rounded in another order
                assert of.sum().get() == host.sum(), n
                assert of.dot(of).get() == host.dot(host), n


@pytest.mark.parametrize("code", "efd")
def test_a_nan_in_a_line_comes_first(code):
    for n in (1, 8, 64, 127, 128, 129, 700, 1024, 5000):
        for at in {0, n // 3, n - 1}:
            x = numbers(n, code, n)
            x[at] = np.nan
            x[-1] = np.nan
            ours = tb.asarray(x)
            assert ours.argmax().get() == at == ours.argmin().get()
            x[:] = [np.inf, -np.inf] * (n // 2) + [0] * (n % 2)
            assert tb.asarray(x).argmax().get() == x.argmax() and tb.asarray(x).argmin().get() == x.argmin()


@pytest.mark.usefixtures("deferral")
def test_a_line_into_an_array_that_is_read_or_pending():
    x = tb.arange(100, dtype="float64")
    out = tb.zeros((), dtype="float64")
    reader = out + 1
    x.dot(x, out=out)
    assert reader.get() == 1 and out.get() == np.arange(100.0).dot(np.arange(100.0))
    promised = tb.zeros((), dtype="float64") + 5
    x.sum(out=promised)
    assert promised.get() == 4950
    if config.backend() != "cpu":  # a GPU runs new expressions in pieces
        return
    with config.fusion("all"):
        before = config.counters()
        x.sum()
        x.dot(x)
        after = config.counters()
    assert after["launches"] - before["launches"] == 2
    assert after["fused_kernels"] - before["fused_kernels"] == 1


def test_the_mode_is_a_word_or_a_bool():
    with pytest.raises(ValueError, match="'all'"):
        config.fusion("some")
    with config.fusion("all"):
        assert config.fusion() == "all"
        with config.fusion(False):
            assert config.fusion() is False
        assert config.fusion() == "all"


@pytest.mark.usefixtures("deferral")
def test_in_place_with_itself_and_with_neighbours():
    host = np.arange(20.0)
    x, y = host.copy(), tb.asarray(host)
    for _ in range(2):
        x += x
        y += y
        x[1:] += x[:-1]
        y[1:] += y[:-1]
        x[:10] *= x[10:]
        y[:10] *= y[10:]
        x -= x[3:4]
        y -= y[3:4]
        x[::2] += x[::-2]
        y[::2] += y[::-2]
    np.testing.assert_array_equal(y.get(), x)


@pytest.mark.usefixtures("deferral")
def test_readers_that_wait_read_the_old_elements():
    with config.fusion("all"):
        x = tb.arange(8.0)
        late = x[::-1] + 1
    x += 100
    x[0] = -1
    x[2:4] = tb.asarray([5, 6])
    np.testing.assert_array_equal(late.get(), np.arange(8.0)[::-1] + 1)
    np.testing.assert_array_equal(x.get(), [-1, 101, 5, 6, 104, 105, 106, 107])


def test_out_of_another_dtype_and_a_failing_call():
    x = tb.arange(4)
    out = tb.zeros(4)
    tb.add(x, 1, out=out)
    np.testing.assert_array_equal(out.get(), [1, 2, 3, 4])
    with pytest.raises(TypeError, match="cast"):
        tb.add(x, 0.5, out=x)
    with pytest.raises(ValueError, match="broadcast"):
        tb.add(x, x, out=tb.zeros(3, int))
    np.testing.assert_array_equal(x.get(), [0, 1, 2, 3])


def test_memory_of_others():
    host = np.arange(6.0)
    if config.backend() != "cpu":
        pytest.skip("host memory cannot be wrapped here")
    x = tb.from_dlpack(host)
    x += 1
    assert host[0] == 1
    host[:] = 7
    assert float(x[2]) == 7 and x.item(-1) == 7
    np.testing.assert_array_equal((x * 2).get(), np.full(6, 14.0))
    x[1] = 3
    assert host[1] == 3


# ---- single elements -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", DTYPES)
def test_elements_of_every_dtype(code):
    host = numbers((3, 4), code)
    x = tb.asarray(host)
    for i in (0, 2, -1, -3, np.int8(1), np.uint64(2)):
        np.testing.assert_array_equal(x[i].get(), host[i])
        assert x[i, -2].item() == host[i, -2].item() and type(x[i, 1].item()) is type(host[0, 0].item())
        assert x.item(int(i), 3) == host.item(int(i), 3) and x.T.item((3, int(i))) == host.T.item((3, int(i)))
        assert x.item(int(i)) == host.item(int(i)) and x[1].item(int(i)) == host[1].item(int(i))
    assert bool(x[0, 0]) == bool(host[0, 0])
    if code not in "FD":
        assert float(x[1, 1]) == float(host[1, 1]) and int(x[1, 1]) == int(host[1, 1])
    x[1, 2] = 1
    x[-1] = 0
    host[1, 2], host[-1] = 1, 0
    np.testing.assert_array_equal(x.get(), host)
    assert [e.item() for e in x[0]] == host[0].tolist()


def test_bad_indices():
    x = tb.arange(3)
    for key in (3, -4, 1 << 40, 1 << 70, -(1 << 70), (0, 0), np.int64(3)):
        with pytest.raises(IndexError):
            x[key]
        with pytest.raises(IndexError):
            x[key] = 1
    for at in (3, -4):
        with pytest.raises(IndexError, match="out of bounds"):
            x.item(at)
    with pytest.raises(IndexError):
        tb.asarray(1)[0]
    with pytest.raises(ValueError):
        x.item(0, 0)
    assert x[True].shape == (1, 3) and x[False].shape == (0, 3)
    with pytest.raises(TypeError):
        iter(tb.asarray(1))


def test_elements_of_what_waits_and_of_a_subclass():
    class Mine(tb.ndarray):
        pass

    with config.fusion("all"):
        y = tb.arange(5.0) * 2
        assert y.item(3) == 6 and float(y[1]) == 2
    mine = tb.arange(5.0).view(Mine)
    assert type(mine[2]) is Mine and mine[2].item() == 2 and mine[2].base is not None
    first, *rest = mine
    assert type(first) is Mine and float(rest[-1]) == 4


def test_many_elements_alive():
    x = tb.arange(3000)
    elements = list(x)
    x[5] = -1
    assert [int(e) for e in elements[:7]] == [0, 1, 2, 3, 4, -1, 6] and int(elements[-1]) == 2999


def test_work_behind_a_function_of_the_host():
    """What is small keeps its place behind a function that the stream waits for."""
    gate, order = threading.Event(), []
    x = tb.zeros(4)
    stream = tb.cuda.Stream(non_blocking=True)
    with stream:
        stream.launch_host_func(lambda _: (gate.wait(120), order.append(1)), None)
        y = x + 1
        y += 1
        y[0] = 9
        z = y * 2
        threading.Timer(0.05, gate.set).start()
        assert z.item(0) == 18 and order == [1]
        assert float(y[1]) == 2
    np.testing.assert_array_equal(z.get(), [18, 4, 4, 4])


def test_threads():
    """Every thread's arrays are its own, and all of them the library's."""
    errors = []

    def work(seed):
        host = np.arange(16.0) + seed
        x = tb.asarray(host)
        for i in range(300):
            x = x * 1 + 1
            x[i % 16] = 0
            host = host + 1
            host[i % 16] = 0
            if float(x[3]) != host[3]:
                errors.append((seed, i))

    threads = [threading.Thread(target=work, args=(s,)) for s in range(4)]
    for t in threads:
        t.start()
    work(9)
    for t in threads:
        t.join()
    assert not errors


@pytest.mark.parametrize("start, step", [(0, 1), (7, 3), (-5, 2), (3, -1), (0.1, 0.7), (1e10, 1.3), (-2.5, 1e-3)])
@pytest.mark.parametrize("code", "bBhHiIlLefdFD")
def test_few_numbers_are_the_first_of_many(code, start, step):
    """Few are made by the host, or when they are asked for; the first of many by a kernel, which computes with them."""
    if code not in "efdFD":
        start, step = int(start) % 100, int(step) or 1
    few, many = (tb.arange(start, start + n * step, step, dtype=code)[:20] for n in (20, 5000))
    assert few.copy().get().tobytes() == many.copy().get().tobytes()
    few, many = (tb.arange(start, start + n * step, step, dtype=code)[:20] for n in (20, 5000))
    assert (few * few).get().tobytes() == (many * many).get().tobytes()


@pytest.mark.parametrize("code", DTYPES)
@pytest.mark.parametrize("value", [0, 1, -0.0, 0.1, 257, -1, np.nan, np.inf, 1e-42])
def test_fills_whatever_their_bytes(code, value):
    if code not in "efdFD" and not float(value).is_integer():
        value = 3
    value = np.array(value).astype(code)[()]
    for shape in [(), (1,), (7,), (3, 5), (70000,)]:
        want = np.full(shape, value)
        assert tb.full(shape, value).get().tobytes() == want.tobytes()
        if code not in "FD":  # NumPy's imaginary parts are no zeros that were assigned
            x = tb.empty(shape, code)
            x[...] = value
            assert x.get().tobytes() == want.tobytes()


VIEWS = [
    np.s_[::2], np.s_[1:], np.s_[:, 1:], np.s_[1:-1, 1:-1], np.s_[::-1], np.s_[:, ::2], np.s_[3], np.s_[:, 4],
    np.s_[::3, ::-2], np.s_[None, ::2], np.s_[::2, None],
]


@pytest.mark.parametrize("number", range(len(VIEWS)))
@pytest.mark.parametrize("transposed", [False, True])
def test_operands_that_are_not_dense(number, transposed):
    want = np.random.default_rng(number).random((12, 14))
    got = tb.array(want)
    got, want = (got.T, want.T) if transposed else (got, want)
    x, y = got[VIEWS[number]], want[VIEWS[number]]
    same(x * 2, y * 2)
    same(x + x, y + y)
    same(tb.maximum(x, x[:1]), np.maximum(y, y[:1]))
    same(tb.sqrt(x), np.sqrt(y))


def test_what_is_written_while_a_part_of_it_is_read():
    """The output begins where an operand does, and lies denser."""
    a = np.arange(64.0)
    got, want = tb.array(a), a.copy()
    tb.add(got[::2], 1, got[:32])
    np.add(want[::2].copy(), 1, want[:32])
    np.testing.assert_array_equal(got.get(), want)
    matrix, theirs = tb.array(a).reshape(8, 8), a.reshape(8, 8).copy()
    tb.multiply(matrix[:, :4], 2, matrix[:4].reshape(8, 4))
    np.multiply(theirs[:, :4].copy(), 2, theirs[:4].reshape(8, 4))
    np.testing.assert_array_equal(matrix.get(), theirs)
