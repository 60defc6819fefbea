"""Integers divided by one number, which the host does by its inverse: floor_divide, remainder, fmod and divmod are
NumPy's, for every pair of 8 bits, and wherever an inverse could be a bit short otherwise."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import same

import tombac as tb
from tombac import config

FUNCTIONS = ["floor_divide", "remainder", "fmod"]
WIDE = "hHiIqQ"

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def edges(code):
    """Numbers about the ends of the range and about powers of two."""
    limits = np.iinfo(code)
    powers = [(1 << k) + near for k in range(limits.bits) for near in (-1, 0, 1)]
    some = {limits.min, limits.min + 1, limits.max, 0, 1, -1, *powers, *(-p for p in powers)}
    return sorted(n for n in some if limits.min <= n <= limits.max)


def check(code, divisor, dividends):
    """Every function of the dividends, an array of the dtype, and a number."""
    by, y = dividends.dtype.type(divisor), tb.array(dividends)
    for name in FUNCTIONS:
        same(getattr(tb, name)(y, by), getattr(np, name)(dividends, by))
    for mine, theirs in zip(tb.divmod(y, by), np.divmod(dividends, by)):
        same(mine, theirs)


@pytest.mark.parametrize("code", "bB" + WIDE)
def test_arrays_by_arrays(code):
    """Every pair of bytes, and of the others every pair of edges: vectors divide them as floats that hold them."""
    limits = np.iinfo(code)
    some = range(limits.min, limits.max + 1) if limits.bits == 8 else edges(code)
    x, y = (a.ravel() for a in np.meshgrid(np.array(some, code), np.array(some, code)))
    order = np.random.default_rng(0).permutation(x.size)  # small and large ones are divided together and apart
    for a, b in ((x, y), (x[order], y[order])):
        for name in FUNCTIONS:
            same(getattr(tb, name)(tb.array(a), tb.array(b)), getattr(np, name)(a, b))


@pytest.mark.parametrize("code", "bB")
def test_every_pair_of_bytes(code):
    limits = np.iinfo(code)
    every = np.arange(limits.min, limits.max + 1).astype(code)
    for divisor in every:
        check(code, divisor, every)


@pytest.mark.parametrize("code", WIDE)
def test_about_the_powers_of_two(code):
    some = edges(code)
    for divisor in some:
        multiples = np.arange(-9, 10).astype(code) * np.array(divisor, code)  # which wrap around
        near = [multiples - np.array(1, code), multiples, multiples + np.array(1, code)]
        check(code, divisor, np.concatenate([np.array(some, code), *near]))


@given(st.sampled_from(WIDE), st.data())
def test_any_numbers(code, data):
    limits = np.iinfo(code)
    numbers = st.integers(limits.min, limits.max) | st.integers(0, 99)
    divisor = data.draw(numbers)
    check(code, divisor, np.array(data.draw(st.lists(numbers, min_size=1, max_size=40)), code))


def quotients(x, xp):
    """Of a host array or one of ours: alone, in place, in expressions, of views, and reduced."""
    by, three = x.dtype.type(7), x.dtype.type(3)
    y = xp.concatenate([x, x])
    y //= three
    yield from (x // by, x % by, y, (x + three) // by * three % by, (x // by).sum(), x[::2] % by, x[::-3] // by,
                x.reshape(2, -1).T // by, by // xp.maximum(x, three), xp.fmod(x, by) + x // three)


@pytest.mark.parametrize("size", [2, 6, 30, 1024, 100_000])
@pytest.mark.parametrize("code", "bBhHiIqQ")
def test_wherever_it_is_computed(code, size):
    limits = np.iinfo(code)
    x = np.random.default_rng(size).integers(limits.min, limits.max, size, dtype=code, endpoint=True)
    for fused in (True, False):
        with config.fusion(fused):
            for mine, theirs in zip(quotients(tb.array(x), tb), quotients(x, np)):
                same(mine, np.asarray(theirs))


def test_each_instruction_set():
    if config.backend() != "cpu":
        pytest.skip("loops of the host")
    script = "import test_integer_division as t\nfor c in t.WIDE: t.test_about_the_powers_of_two(c)\n" \
             "for c in 'bB': t.test_every_pair_of_bytes(c)"
    for isa in ("base", "avx2"):
        environment = {**os.environ, "TOMBAC_BACKEND": "cpu", "TOMBAC_CPU_ISA": isa}
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], cwd=os.path.dirname(__file__),
                              env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
