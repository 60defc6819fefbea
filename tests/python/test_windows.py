"""Writes through views whose elements share memory (windows that overlap, strides of 0): the last element that NumPy
stores is the one that stays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided
from strategies import DTYPES, dtypes, values

import tombac
from tombac.lib import stride_tricks

CODES = [c for c in DTYPES if c != "?"]


@pytest.fixture(params=[True, False, "all"], autouse=True)
def fusion(request):
    with tombac.config.fusion(request.param):
        yield


@st.composite
def windows(draw, codes=CODES, max_dims=3):
    """NumPy memory, tombac memory of the same content, and a function that takes the same view of either."""
    dtype = draw(dtypes(codes))
    shape = tuple(draw(st.lists(st.integers(1, 5), min_size=1, max_size=max_dims)))
    part = dtype.itemsize // (2 if dtype.kind == "c" else 1)
    steps = [draw(st.integers(-4, 4)) for _ in shape]
    if part != dtype.itemsize and draw(st.booleans()):
        steps = [2 * s for s in steps]
    low = sum(min(s, 0) * (n - 1) for s, n in zip(steps, shape, strict=True)) * part
    high = sum(max(s, 0) * (n - 1) for s, n in zip(steps, shape, strict=True)) * part
    first = -(low // dtype.itemsize)
    size = first + -(-high // dtype.itemsize) + 2
    host = values(dtype, size, draw(st.integers(0, 2**32 - 1)))
    strides = [s * part for s in steps]

    def view(memory):
        trick = as_strided if isinstance(memory, np.ndarray) else stride_tricks.as_strided
        return trick(memory[first:], shape, strides)

    return host, tombac.array(host), view


def check(memory, host):
    np.testing.assert_array_equal(memory.get(), host)


def numbers(shape, dtype, seed=1):
    return values(np.dtype(dtype), shape, seed)


@given(windows())
def test_in_place_operators(case):
    host, memory, view = case
    h, v = view(host), view(memory)
    h += 1
    v += 1
    h *= h
    v *= v
    np.subtract(h, 3, out=h, casting="unsafe")
    tombac.subtract(v, 3, out=v, casting="unsafe")
    check(memory, host)


@given(windows(), st.integers(0, 2**32 - 1), st.sampled_from(["C", "F", "broadcast", "reversed", "pending"]))
def test_assignment(case, seed, layout):
    host, memory, view = case
    h, v = view(host), view(memory)
    new = numbers(h.shape, host.dtype, seed)
    mine = tombac.array(new)
    if layout == "F":
        new, mine = np.asfortranarray(new), tombac.asfortranarray(mine)
    elif layout == "broadcast":
        new, mine = new[:1], mine[:1]
    elif layout == "reversed":
        new, mine = new[::-1], mine[::-1]
    elif layout == "pending":
        new, mine = new + new, mine + mine
    h[...] = new
    v[...] = mine
    check(memory, host)
    h[...] = h[::-1]
    v[...] = v[::-1]
    check(memory, host)
    h.fill(3)
    v.fill(3)
    check(memory, host)


@given(windows(), st.integers(0, 2**32 - 1))
def test_host_memory(case, seed):
    host, memory, view = case
    h, v = view(host), view(memory)
    new = numbers(h.shape, host.dtype, seed)
    h[...] = new
    v.set(new)
    check(memory, host)


@given(windows(), st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from(["C", "F", "reversed"]))
def test_out(case, seed, masked, layout):
    host, memory, view = case
    h, v = view(host), view(memory)
    a, b = numbers(h.shape, host.dtype, seed), numbers(h.shape, host.dtype, seed + 1)
    if layout != "C":
        a = np.asfortranarray(a) if layout == "F" else a[::-1]
    where = {"where": numbers(h.shape, "?", seed + 2)} if masked else {}
    np.add(a, b, out=h, **where)
    mine = {"where": tombac.array(where["where"])} if masked else {}
    tombac.add(tombac.array(a), tombac.array(b), out=v, **mine)
    check(memory, host)
    np.add(h, b, out=h, **where)
    tombac.add(v, tombac.array(b), out=v, **mine)
    check(memory, host)


@given(windows(), st.integers(0, 2**32 - 1))
def test_masks(case, seed):
    host, memory, view = case
    h, v = view(host), view(memory)
    mask = numbers(h.shape, "?", seed)
    new = numbers(h.shape, host.dtype, seed + 1)
    h[mask] = new[mask]
    v[tombac.array(mask)] = tombac.array(new[mask])
    check(memory, host)
    h[mask] = 5
    v[tombac.array(mask)] = 5
    check(memory, host)
    np.copyto(h, new, where=mask)
    tombac.copyto(v, tombac.array(new), where=tombac.array(mask))
    check(memory, host)


@given(windows(), st.integers(0, 2**32 - 1))
def test_put(case, seed):
    host, memory, view = case
    h, v = view(host), view(memory)
    index = np.random.default_rng(seed).permutation(h.size)[: h.size // 2]
    new = numbers(index.shape, host.dtype, seed)
    np.put(h, index, new)
    tombac.put(v, tombac.array(index), tombac.array(new))
    check(memory, host)


@given(windows(), st.integers(0, 2**32 - 1))
def test_reductions_and_scans_with_out(case, seed):
    """Computed first, then assigned: NumPy's own reduction would go on with sums that it has overwritten."""
    host, memory, view = case
    h, v = view(host), view(memory)
    new = numbers((3, *h.shape), host.dtype, seed)
    h[...] = new.sum(0)
    tombac.sum(tombac.array(new), axis=0, out=v)
    check(memory, host)
    h[...] = np.cumsum(new[0], 0)
    tombac.cumsum(tombac.array(new[0]), 0, out=v)
    check(memory, host)


@given(windows("i I l L f d".split()), st.integers(0, 2**32 - 1), st.sampled_from(["whole", "slice", "mask", "rows"]))
def test_at(case, seed, key):
    """Each element counts, also where several are one."""
    host, memory, view = case
    h, v = view(host), view(memory)
    rng = np.random.default_rng(seed)
    keys = {
        "whole": ...,
        "slice": slice(None, None, 2),
        "mask": rng.integers(0, 2, h.shape).astype(bool),
        "rows": rng.integers(0, h.shape[0], 4),
    }
    k = keys[key]
    mine = tombac.array(k) if isinstance(k, np.ndarray) else k
    np.add.at(h, k, 1)
    tombac.add.at(v, mine, 1)
    check(memory, host)
    new = numbers(h[k].shape, host.dtype, seed)
    np.maximum.at(h, k, new)
    tombac.maximum.at(v, mine, tombac.array(new))
    check(memory, host)


@pytest.mark.parametrize("n", [1000, 200_000])
def test_many_windows(n):
    """More than one thread's share: the same numbers as NumPy's, in each run."""
    host = np.arange(n + 8.0)
    memory = tombac.array(host)
    h, v = as_strided(host, (n, 7), (8, 8)), stride_tricks.as_strided(memory, (n, 7), (8, 8))
    for _ in range(3):
        h += 1
        v += 1
        h[...] = h * 2 - np.arange(7.0)
        v[...] = v * 2 - tombac.arange(7.0)
    check(memory, host)


def test_stays_deferred_and_ordered():
    """What was computed from the memory before keeps its numbers, what comes after sees the new ones."""
    memory = tombac.arange(100.0)
    view = stride_tricks.as_strided(memory, (50, 3), (8, 8))
    before = memory * 2
    view += 1
    after = memory * 2
    np.testing.assert_array_equal(before.get(), np.arange(100.0) * 2)
    np.testing.assert_array_equal(after.get(), (np.arange(100.0) + (np.arange(100) < 52)) * 2)
