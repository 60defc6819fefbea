"""Names that NumPy has and CuPy has not: spacing, ndenumerate, emath, settings of errors, fields and flags."""

import asyncio
import contextvars
import operator
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import DTYPES, same, values

import tombac as tb

WORDS = {"e": "u2", "f": "u4", "d": "u8"}


@pytest.mark.parametrize("code", WORDS)
def test_spacing_has_the_bits_of_numpy(code):
    """Of every float16, and of numbers of all magnitudes."""
    word, facts = np.dtype(WORDS[code]), np.finfo(code)
    bits = np.arange(2**16, dtype=word) if code == "e" else np.random.default_rng(5).integers(
        0, 2**(8 * word.itemsize) - 1, 20000, dtype=word)
    special = [0, -0.0, facts.max, -facts.max, np.inf, -np.inf, np.nan, facts.tiny, -facts.tiny, 1, -1,
               facts.smallest_subnormal, -facts.smallest_subnormal, np.nextafter(facts.tiny, np.zeros(1, code)[0])]
    x = np.concatenate([bits.view(code), np.array(special, code)])
    with np.errstate(all="ignore"):
        want = np.spacing(x)
    got = tb.spacing(tb.array(x)).get()
    assert got.dtype == code and (np.isnan(got) == np.isnan(want)).all()
    number = ~np.isnan(want)
    np.testing.assert_array_equal(got.view(word)[number], want.view(word)[number])
    same(np.spacing(tb.array(x[::-7])), want[::-7])


@pytest.mark.parametrize("code", WORDS)
def test_nextafter_has_the_bits_of_numpy(code):
    word, facts, rng = np.dtype(WORDS[code]), np.finfo(code), np.random.default_rng(6)
    special = np.array([0, -0.0, facts.max, -facts.max, np.inf, -np.inf, np.nan, facts.tiny, -facts.tiny, 1, -1,
                        facts.smallest_subnormal, -facts.smallest_subnormal], code)
    x = np.concatenate([rng.integers(0, 2**(8 * word.itemsize) - 1, 300, dtype=word).view(code), special])
    with np.errstate(all="ignore"):
        want = np.nextafter(x[:, None], x)
    want = np.where(x[:, None] == x, x, want)  # of two zeros the second, as C has it; NumPy before 2.5 not of float16
    got = tb.nextafter(tb.array(x)[:, None], tb.array(x)).get()
    number = ~np.isnan(want)
    assert got.dtype == code and (np.isnan(got) == ~number).all()
    np.testing.assert_array_equal(got.view(word)[number], want.view(word)[number])


def test_spacing_of_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.arange(2**16, dtype="u2").view(ml_dtypes.bfloat16)
    with np.errstate(all="ignore"):
        want = np.spacing(x).astype("f")
    np.testing.assert_array_equal(tb.spacing(tb.array(x)).get().astype("f"), want)


@pytest.mark.parametrize("a", [np.arange(6).reshape(2, 3), np.arange(12.0).reshape(3, 4).T[::2], np.array(3 + 1j),
                               np.zeros((0, 2))], ids=lambda a: str(a.shape))
def test_ndenumerate(a):
    got, want = list(tb.ndenumerate(tb.array(a))), list(np.ndenumerate(a))
    assert [index for index, _ in got] == [index for index, _ in want]
    for (_, x), (_, y) in zip(got, want):
        same(x, np.asarray(y))
    with pytest.raises(TypeError, match="ndenumerate"):
        tb.ndenumerate(a)


def test_constants_and_scalar_types():
    for name in ("True_", "False_", "ScalarType", "bytes_", "str_", "void", "object_", "character", "datetime64",
                 "timedelta64"):
        assert getattr(tb, name) is getattr(np, name) and name in tb.__all__
    assert tb.typecodes == np.typecodes


# ---- functions that leave the real numbers ---------------------------------------------------------------------------

ONE = ["sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh"]
PICKS = {"inside": [1, 0.5, 0.25], "negative": [1, -4, 0.5], "large": [1, 2.5, 0], "zeros": [0, -0.0, 0],
         "nan": [np.nan, -1, 3], "infinite": [np.inf, -np.inf, 1], "none": []}


def compare(got, want):
    want = np.asarray(want)
    assert type(got) is tb.ndarray and got.dtype == want.dtype and got.shape == want.shape
    near = 4e-3 if want.dtype.char == "e" else 2e-6 if want.dtype.char in "fF" else 1e-14
    np.testing.assert_allclose(got.get(), want, rtol=near, atol=near)


@pytest.mark.parametrize("code", [*"bhilBHILefdFD?"])
@pytest.mark.parametrize("pick", PICKS)
@pytest.mark.parametrize("name", ONE)
def test_functions_that_leave_the_real_numbers(name, pick, code):
    with np.errstate(all="ignore"):
        x = np.array(PICKS[pick]).astype(code)
        want = getattr(np.emath, name)(x)
    if code in "FD" and (np.isinf(x).any() or np.isnan(x).any()):  # of which C leaves signs and parts open
        assert getattr(tb.emath, name)(tb.array(x)).dtype == want.dtype
        return
    compare(getattr(tb.emath, name)(tb.array(x)), want)
    if x.size:
        with np.errstate(all="ignore"):
            compare(getattr(tb.emath, name)(x[0]), getattr(np.emath, name)(x[0]))


@pytest.mark.parametrize("left", [*"ifdFDe"])
@pytest.mark.parametrize("right", [*"ifdFDe"])
def test_powers_and_logarithms_that_leave_the_real_numbers(left, right):
    for x in [2, 4], [2, -8]:
        for y in [2, 3], [-2, 3]:
            x, y = np.array(x, left), np.array(y, right)
            for name in "power", "logn":
                compare(getattr(tb.emath, name)(tb.array(x), tb.array(y)), getattr(np.emath, name)(x, y))
    compare(tb.emath.power(2, tb.array(-2)), np.emath.power(2, np.array(-2)))


def test_functions_that_leave_the_real_numbers_by_numpy():
    a = tb.array([-4.0, 1.0])
    assert np.emath.sqrt(a).tolist() == [2j, 1] and tb.lib.scimath is tb.emath
    for name in ONE:
        with pytest.raises(TypeError, match=name):
            getattr(tb.emath, name)(np.ones(2))


# ---- settings of errors ----------------------------------------------------------------------------------------------

MODES = st.sampled_from([None, "ignore", "warn", "nonsense", 3])
SETTINGS = st.fixed_dictionaries({}, optional={name: MODES for name in ("all", "divide", "over", "under", "invalid")})


def outcome(library, settings):
    """What seterr gives, and geterr within errstate and after it."""
    found = []
    for _ in range(2):
        try:
            with library.errstate(**settings):
                found.append(library.geterr())
            found.append(library.geterr())
            before = library.seterr(**settings)
            found.append((before, library.geterr()))
        except (TypeError, ValueError) as e:
            found.append(type(e))
    return found


@given(SETTINGS)
def test_settings_of_errors(settings):
    assert contextvars.copy_context().run(outcome, tb, settings) == \
        contextvars.copy_context().run(outcome, np, settings)


def test_what_needs_reports_of_errors_is_refused():
    before = tb.geterr()
    for mode in "raise", "call", "print", "log":
        for name in "all", "divide", "over", "under", "invalid":
            with pytest.raises(NotImplementedError, match=mode):
                tb.seterr(**{name: mode})
            with pytest.raises(NotImplementedError, match=mode), tb.errstate(**{name: mode}):
                pass
    with pytest.raises(NotImplementedError, match="call"), tb.errstate(call=print):
        pass
    with pytest.raises(TypeError):
        tb.errstate(linalg="raise")
    assert tb.geterr() == before == np.geterr()


def test_errors_of_a_block():
    with tb.errstate(divide="ignore", invalid="ignore", call=None):
        assert tb.geterr() == np.geterr() | {"divide": "ignore", "invalid": "ignore"}
        with tb.errstate(all="warn"):
            assert set(tb.geterr().values()) == {"warn"}
        assert np.isnan((tb.zeros(1) / 0).get()).all()
    assert tb.geterr() == np.geterr()
    once = tb.errstate(over="ignore")
    with once, pytest.raises(TypeError, match="twice"):
        once.__enter__()
    with pytest.raises(TypeError, match="twice"):
        once.__enter__()
    with pytest.raises(ZeroDivisionError), tb.errstate(under="warn"):
        1 / 0
    assert tb.geterr() == np.geterr()


def test_errors_of_a_function():
    @tb.errstate(divide="ignore")
    def settings(x, *, y):
        """What it does."""
        return tb.geterr()["divide"], x, y

    assert settings(1, y=2) == settings(1, y=2) == ("ignore", 1, 2) and settings.__doc__ == "What it does."
    assert tb.geterr()["divide"] == "warn"


def test_settings_of_errors_belong_to_the_context():
    found = []
    with tb.errstate(all="ignore"):
        thread = threading.Thread(target=lambda: found.append(tb.geterr()))
        thread.start()
        thread.join()
    assert found == [np.geterr()]

    async def task(mode):
        with tb.errstate(divide=mode):
            await asyncio.sleep(0)
            return tb.geterr()["divide"]

    async def both():
        return await asyncio.gather(task("ignore"), task("warn"))

    assert asyncio.run(both()) == ["ignore", "warn"]


# ---- fields and flags ------------------------------------------------------------------------------------------------


@given(st.sampled_from(DTYPES), st.sampled_from(["i1", "u2", "f4", "i8", "c8", "f8", "?"]), st.integers(-1, 16),
       st.integers(0, 99))
def test_fields(code, part, offset, seed):
    h = values(np.dtype(code), (3, 4), seed)[::-1, ::2]
    if np.dtype(part).kind == "b":
        h = (h != 0).astype(h.dtype)  # bytes that are truth values
        part = "i1"
    a = tb.array(h)[:]
    try:
        want = h.getfield(part, offset)
    except ValueError:
        for call in (lambda: a.getfield(part, offset), lambda: a.setfield(1, part, offset)):
            with pytest.raises(ValueError):
                call()
        return
    if offset % np.dtype(part).alignment == 0:
        np.testing.assert_array_equal(a.getfield(part, offset).get(), want)
    whole = tb.array(np.tile(h, (2, 1)))
    view, other = whole[::2], np.tile(h, (2, 1))[::2]
    view.setfield(1, part, offset)
    other.setfield(1, part, offset)
    assert view.get().tobytes() == other.tobytes()


def test_fields_that_are_none():
    a = tb.ones(2)
    assert a.setfield(tb.array([1, 2], "i4"), "i4", 4) is None and a.view("i4").tolist() == [0, 1, 0, 2]
    view = a.getfield("i4")
    view[...] = 7
    assert a.view("i4").tolist() == [7, 1, 7, 2]
    for error, args in ((TypeError, ("O",)), (TypeError, ("nonsense",)), (ValueError, ("f8", 1)),
                        (TypeError, ("i4", 0.5))):
        with pytest.raises(error):
            a.getfield(*args)
    with pytest.raises(ValueError):
        a.setfield(tb.ones(3), "i4")


def test_flags_that_can_be_set():
    a = tb.ones(2)
    for flags in {}, {"write": True}, {"align": True}, {"uic": False}, {"write": 1, "align": None}:
        assert a.setflags(**flags) is None
    with pytest.raises(ValueError, match="WRITEBACKIFCOPY"):
        a.setflags(uic=True)
    for flags in {"write": False}, {"align": False}:
        with pytest.raises(NotImplementedError, match="setflags"):
            a.setflags(**flags)
    with pytest.raises(TypeError):
        a.setflags(nonsense=True)
    assert a.flags.writeable


def test_flags_of_memory_that_is_read_only():
    if tb.zeros(1).__dlpack_device__()[0] != 1:
        pytest.skip("memory of the host")
    h = np.ones(3)
    h.flags.writeable = False
    a = tb.from_dlpack(h)
    assert not a.flags.writeable and a.setflags(write=False) is None
    with pytest.raises(ValueError, match="WRITEABLE"):
        a.setflags(write=True)


# ---- weights of observations -----------------------------------------------------------------------------------------


def test_weights_of_cov():
    x = tb.arange(6.0).reshape(2, 3)
    with pytest.raises(RuntimeError):
        tb.cov(x, fweights=tb.array([1, 2]))
    with pytest.raises(RuntimeError):
        tb.cov(x, aweights=tb.ones((2, 3)))
    for name, weights in (("fweights", [1, -1, 2]), ("fweights", [1.5, 1, 1]), ("fweights", [0, 0, 0]),
                          ("fweights", [np.nan, 1, 1]), ("aweights", [1.0, -1.0, 2.0]), ("aweights", [0.0, 0, 0])):
        with pytest.raises(Exception) as refused:
            np.cov(x.get(), **{name: np.array(weights)})
        with pytest.raises(refused.type, match="cov"):
            tb.cov(x, **{name: tb.array(weights)})
    f, w = np.array([1.0, 2, 3]), np.array([0.5, 1, 2])
    for options in {}, {"ddof": 0}, {"ddof": 2}, {"bias": True}:
        for weights in {"fweights": f}, {"aweights": w}, {"fweights": f, "aweights": w}:
            want = np.cov(x.get(), **{k: v.copy() for k, v in weights.items()}, **options)  # it writes to weights
            got = tb.cov(x, **{k: tb.array(v) for k, v in weights.items()}, **options)
            np.testing.assert_allclose(got.get(), want, rtol=1e-12)
    with pytest.warns(RuntimeWarning, match="freedom"):
        assert np.isinf(tb.cov(x, fweights=tb.array(f), ddof=10).get()).all()


def test_array_utils():
    theirs, ours = np.lib.array_utils, tb.lib.array_utils
    assert set(theirs.__all__) == set(ours.__all__)
    a = tb.ones((2, 3))[::-1]
    low, high = ours.byte_bounds(a)
    assert high - low == 48
    for args in ((-1, 3), (2, 3), (3, 3), (0, 0), (1.5, 3)):
        for f in ("normalize_axis_index", "normalize_axis_tuple"):
            try:
                want = getattr(theirs, f)(*args)
            except Exception as e:
                with pytest.raises(type(e)) as caught:
                    getattr(ours, f)(*args)
                assert str(caught.value) == str(e) or isinstance(e, TypeError)
            else:
                assert getattr(ours, f)(*args) == want
    assert ours.normalize_axis_tuple((0, -1), 3) == (0, 2)
    assert ours.normalize_axis_tuple((0, -3), 3, allow_duplicate=True) == (0, 0)
    with pytest.raises(ValueError, match="repeated axis in `axes`"):
        ours.normalize_axis_tuple((0, -3), 3, "axes")


X, Y = np.array([[4, 1, 3], [2, 2, 9]]), np.array([3, 4, 9])
BY_NAME = [  # (function, arguments by NumPy's names, by CuPy's)
    ("flip", {"m": X}, "a"), ("fliplr", {"m": X}, "a"), ("flipud", {"m": X}, "a"), ("rot90", {"m": X, "k": 3}, "a"),
    ("cov", {"m": X}, "a"), ("corrcoef", {"x": X}, "a"), ("delete", {"arr": Y, "obj": 1}, "arr indices"),
    ("ediff1d", {"ary": X, "to_end": 5}, "arr"), ("extract", {"condition": X > 2, "arr": X}, "condition a"),
    ("histogram", {"a": X, "bins": 3}, "x"), ("union1d", {"ar1": X, "ar2": Y}, "arr1 arr2"),
    ("intersect1d", {"ar1": X, "ar2": Y, "return_indices": True}, "arr1 arr2"), ("array_str", {"a": X}, "arr"),
    ("linalg.matrix_power", {"a": X[:, :2], "n": 3}, "M n"), ("linalg.matrix_rank", {"A": X}, "M"),
    ("stack", {"arrays": [X, X]}, "tup"), ("take_along_axis", {"arr": Y, "indices": Y % 2, "axis": 0}, "a"),
]


@pytest.mark.parametrize("path, named, others", BY_NAME)
def test_names_of_parameters(path, named, others):
    """NumPy's names are taken where CuPy's differ, and one argument by both of them is refused."""
    ours, theirs = operator.attrgetter(path)(tb), operator.attrgetter(path)(np)
    named = {k: [tb.array(x) for x in v] if isinstance(v, list) else tb.array(v) if isinstance(v, np.ndarray) else v
             for k, v in named.items()}

    def host(x):
        return [host(part) for part in x] if isinstance(x, (tuple, list)) else x.get() if hasattr(x, "get") else x

    want = theirs(**{k: host(v) for k, v in named.items()})
    renamed = dict(zip(others.split(), named.values())) | dict(list(named.items())[len(others.split()):])
    for got in (ours(**named), ours(*list(named.values())[:len(others.split())],
                                    **dict(list(named.items())[len(others.split()):])), ours(**renamed)):
        if path in ("cov", "corrcoef"):
            np.testing.assert_allclose(host(got), want, 1e-14)  # by a product of matrices
            continue
        np.testing.assert_equal(host(got), list(want) if isinstance(want, tuple) else want)
    if path not in ("stack", "take_along_axis"):
        for key, old in zip(named, others.split()):
            if key != old:
                with pytest.raises(TypeError):
                    ours(**(renamed | {key: named[key]}))
    with pytest.raises(TypeError):
        ours()


def test_names_of_random_parameters():
    for f in ("permutation", "shuffle"):
        results = []
        for name in ("a", "x"):
            tb.random.seed(3)
            y = tb.arange(9)
            result = getattr(tb.random, f)(**{name: y})
            results.append((y if result is None else result).tolist())
        assert results[0] == results[1] != list(range(9))
        for bad in ({}, {"a": tb.arange(3), "x": tb.arange(3)}):
            with pytest.raises(TypeError):
                getattr(tb.random, f)(**bad)
