"""Kernels with the algorithms of tombacx.jit.thrust and the reductions of tombacx.jit.cub, and what they must compute:
test_jit_device.py runs them, test_jit_source.py compiles them with NVRTC.

A kernel of ALGORITHMS takes 2-d arrays x, y and m (a permutation in each row), a 3-d array z and a 2-d one of integers
n; a thread works on a row of each. Its reference does the same to one row on the host.
"""

import numpy as np

from tombacx import jit
from tombacx.jit import thrust

ALGORITHMS = []


def group(reference):
    def decorator(func):
        ALGORITHMS.append((jit.rawkernel()(func), reference))
        return func
    return decorator


def arguments(rng, dtype, rows, length):
    """x and y with sorted rows of small numbers, m, and empty z and n."""
    def numbers():
        a = rng.integers(0, 5, (rows, length)).astype(dtype)
        if np.dtype(dtype).kind == "c":
            a += (1j * rng.integers(0, 2, a.shape)).astype(dtype)
        return np.sort(a, axis=1)
    m = np.argsort(rng.random((rows, length)), axis=1).astype(np.int32)
    return numbers(), numbers(), m, np.zeros((rows, 24, 2 * length + 6), dtype), np.zeros((rows, 24), np.int64)


def is_two(v):
    return v == 2


def is_small(v):
    return v.real < 2


def more(a, b):
    return b.real < a.real


def close(a, b):
    return abs(a - b) <= 1


def doubled(v):
    return v + v


def larger(a, b):
    return a if b.real < a.real else b


def shuffled(x, m):
    return x[m]


def position(x, test):
    return next((i for i, v in enumerate(x) if test(v)), len(x))


# ---- looking at elements ---------------------------------------------------------------------------------------------

def reference_find(x, y, m, z, n):
    s = shuffled(x, m)
    two, small = [is_two(v) for v in s], [is_small(v) for v in s]
    n[:6] = sum(two), sum(small), position(s, is_two), position(s, is_small), all(small), any(two)
    n[6] = not any(two)
    n[7:10] = (s == y).all(), (s == s).all(), position(np.arange(len(x)), lambda i: s[i] != y[i])
    n[10] = position(np.arange(len(x)), lambda i: abs(s[i] - y[i]) > 1)
    n[11:15] = len(x), True, 1 + position(np.arange(len(x) - 1), lambda i: s[i + 1] < s[i]) if len(x) else 0, \
        1 + position(np.arange(len(x) - 1), lambda i: more(s[i + 1], s[i])) if len(x) else 0
    if len(x):
        n[15:18] = position(s, lambda v: v == min(s)), position(s, lambda v: v == max(s)), \
            position(s, lambda v: v.real == max(s.real))


@group(reference_find)
def find(xs, ys, ms, zs, ns):
    i = jit.threadIdx.x
    x, y, m, s, n = xs[i], ys[i], ms[i], zs[i, 0], ns[i]
    thrust.gather(thrust.seq, m.begin(), m.end(), x.begin(), s.begin())
    first, last, other = s.begin(), s.begin() + len(x), y.begin()
    n[0] = thrust.count(thrust.seq, first, last, 2)
    n[1] = thrust.count_if(thrust.seq, first, last, is_small)
    n[2] = thrust.find(thrust.device, first, last, 2) - first
    n[3] = thrust.find_if(thrust.device, first, last, is_small) - first
    n[4] = thrust.all_of(thrust.host, first, last, is_small)
    n[5] = thrust.any_of(thrust.seq, first, last, is_two)
    n[6] = thrust.none_of(thrust.seq, first, last, is_two)
    n[7] = thrust.equal(thrust.seq, first, last, other)
    n[8] = thrust.equal(thrust.seq, first, last, first)
    p, q = thrust.mismatch(thrust.seq, first, last, other)
    n[9] = p - first
    pair = thrust.mismatch(thrust.seq, first, last, other, close)
    n[10] = pair[1] - other
    n[11] = thrust.is_sorted_until(thrust.seq, x.begin(), x.end()) - x.begin()
    n[12] = thrust.is_sorted(thrust.seq, x.begin(), x.end())
    n[13] = thrust.is_sorted_until(thrust.seq, first, last) - first
    n[14] = thrust.is_sorted_until(thrust.seq, first, last, comp=more) - first
    if len(x) > 0:
        n[15] = thrust.min_element(thrust.seq, first, last) - first
        n[16] = thrust.max_element(thrust.seq, first, last) - first
        n[17] = thrust.min_element(thrust.seq, first, last, more) - first
    thrust.fill(thrust.seq, first, last, 0)


def reference_search(x, y, m, z, n):
    left, right = np.searchsorted(x, x.dtype.type(2)), np.searchsorted(x, x.dtype.type(2), "right")
    n[:5] = left, right, left, right, 2 in x
    n[5] = np.searchsorted(x, x.dtype.type(7))
    length = len(x)
    z[0, :length], z[1, :length] = np.searchsorted(x, y), np.searchsorted(x, y, "right")
    z[2, :length] = np.isin(y, x)
    n[6] = position(x[::-1], lambda v: not more(v, x.dtype.type(3)))
    n[7] = length


@group(reference_search)
def search(xs, ys, ms, zs, ns):
    i = jit.threadIdx.x
    x, y, n, out = xs[i], ys[i], ns[i], zs[i]
    first, last = x.begin(), x.end()
    n[0] = thrust.lower_bound(thrust.seq, first, last, 2) - first
    n[1] = thrust.upper_bound(thrust.seq, first, last, 2) - first
    p, q = thrust.equal_range(thrust.seq, first, last, 2)
    n[2] = p - first
    n[3] = q - first
    n[4] = thrust.binary_search(thrust.seq, first, last, 2)
    n[5] = thrust.lower_bound(thrust.seq, first, last, 7.0) - first
    thrust.lower_bound(thrust.seq, first, last, y.begin(), y.end(), out[0].begin())
    thrust.upper_bound(thrust.seq, first, last, y.begin(), y.end(), out[1].begin())
    end = thrust.binary_search(thrust.seq, first, last, y.begin(), y.end(), out[2].begin())
    backwards = out[3].begin()
    thrust.reverse_copy(thrust.seq, first, last, backwards)
    n[6] = thrust.lower_bound(thrust.seq, backwards, backwards + len(x), 3, more) - backwards
    thrust.fill(thrust.seq, backwards, backwards + len(x), 0)
    n[7] = end - out[2].begin()


# ---- writing elements ------------------------------------------------------------------------------------------------

def reference_copy(x, y, m, z, n):
    length = len(x)

    def put(k, values, count=None):
        z[k, :len(values)] = values
        if count is not None:
            n[count] = len(values)
    put(0, x, 0)
    put(1, [v for v in x if is_small(v)], 1)
    put(2, np.full(length, 3))
    put(3, np.arange(length))
    put(4, 2 + 3 * np.arange(length))
    put(5, x + x)
    put(6, np.maximum(x, y) if x.dtype.kind != "c" else x + y)
    put(7, np.r_[x[:1], x[1:] - x[:-1]])
    put(8, np.r_[x[:1], x[1:] + x[:-1]])
    put(9, x[m], 2)
    z[10, m] = x
    put(11, x[::-1])
    put(12, x[::-1], 3)
    put(13, y)
    put(14, x, 4)


@group(reference_copy)
def copy(xs, ys, ms, zs, ns):
    i = jit.threadIdx.x
    x, y, m, n, z = xs[i], ys[i], ms[i], ns[i], zs[i]
    first, last, length = x.begin(), x.end(), len(x)
    n[0] = thrust.copy(thrust.device, first, last, z[0].begin()) - z[0].begin()
    n[1] = thrust.copy_if(thrust.seq, first, last, z[1].begin(), is_small) - z[1].begin()
    thrust.fill(thrust.seq, z[2].begin(), z[2].begin() + length, 3)
    thrust.sequence(thrust.seq, z[3].begin(), z[3].begin() + length)
    thrust.sequence(thrust.seq, z[4].begin(), z[4].begin() + length, 2, 3)
    thrust.transform(thrust.seq, first, last, z[5].begin(), doubled)
    if x.dtype.kind == "c":
        thrust.transform(thrust.seq, first, last, y.begin(), z[6].begin(), np.add)
    else:
        thrust.transform(thrust.seq, first, last, y.begin(), z[6].begin(), max)
    thrust.adjacent_difference(thrust.seq, first, last, z[7].begin())
    thrust.copy(thrust.seq, first, last, z[8].begin())
    thrust.adjacent_difference(thrust.seq, z[8].begin(), z[8].begin() + length, z[8].begin(), jit.cub.Sum())
    n[2] = thrust.gather(thrust.seq, m.begin(), m.end(), first, z[9].begin()) - z[9].begin()
    thrust.scatter(thrust.seq, first, last, m.begin(), z[10].begin())
    thrust.copy(thrust.seq, first, last, z[11].begin())
    thrust.reverse(thrust.seq, z[11].begin(), z[11].begin() + length)
    n[3] = thrust.reverse_copy(thrust.seq, first, last, z[12].begin()) - z[12].begin()
    thrust.copy(thrust.seq, first, last, z[13].begin())
    thrust.copy(thrust.seq, y.begin(), y.end(), z[14].begin())
    n[4] = thrust.swap_ranges(thrust.seq, z[13].begin(), z[13].begin() + length, z[14].begin()) - z[14].begin()


def runs(x, same=lambda a, b: a == b):
    """Where the runs begin."""
    starts = []
    for i in range(len(x)):
        if not i or not same(x[starts[-1]], x[i]):
            starts.append(i)
    return starts


def reference_remove(x, y, m, z, n):
    s = shuffled(x, m)

    def put(k, values, tail=()):
        z[k, :len(values)] = values
        n[k] = len(values)
    put(0, [v for v in s if v != 2])
    put(1, [v for v in s if not is_small(v)])
    put(2, [v for v in s if v != 2])
    put(3, np.where(s == 2, x.dtype.type(4), s))
    put(4, np.where(s == 2, x.dtype.type(4), s))
    put(5, s[runs(s)])
    put(6, s[runs(s, close)])
    put(7, x[runs(x)])
    put(8, y[runs(x)])


@group(reference_remove)
def remove(xs, ys, ms, zs, ns):
    i = jit.threadIdx.x
    x, y, m, n, z = xs[i], ys[i], ms[i], ns[i], zs[i]
    length = len(x)
    for k in range(7):
        thrust.gather(thrust.seq, m.begin(), m.end(), x.begin(), z[k].begin())
    end = thrust.remove(thrust.seq, z[0].begin(), z[0].begin() + length, 2)
    n[0] = end - z[0].begin()
    thrust.fill(thrust.seq, end, z[0].begin() + length, 0)
    end = thrust.remove_if(thrust.seq, z[1].begin(), z[1].begin() + length, is_small)
    n[1] = end - z[1].begin()
    thrust.fill(thrust.seq, end, z[1].begin() + length, 0)
    end = thrust.remove_copy(thrust.seq, z[3].begin(), z[3].begin() + length, z[2].begin(), 2)
    n[2] = end - z[2].begin()
    thrust.fill(thrust.seq, end, z[2].begin() + length, 0)
    thrust.replace(thrust.seq, z[3].begin(), z[3].begin() + length, 2, 4)
    n[4] = thrust.replace_copy(thrust.seq, z[5].begin(), z[5].begin() + length, z[4].begin(), 2, 4) - z[4].begin()
    n[3] = n[4]
    end = thrust.unique(thrust.seq, z[5].begin(), z[5].begin() + length)
    n[5] = end - z[5].begin()
    thrust.fill(thrust.seq, end, z[5].begin() + length, 0)
    end = thrust.unique(thrust.seq, z[6].begin(), z[6].begin() + length, close)
    n[6] = end - z[6].begin()
    thrust.fill(thrust.seq, end, z[6].begin() + length, 0)
    thrust.copy(thrust.seq, x.begin(), x.end(), z[7].begin())
    thrust.copy(thrust.seq, y.begin(), y.end(), z[8].begin())
    keys, values = thrust.unique_by_key(thrust.seq, z[7].begin(), z[7].begin() + length, z[8].begin())
    n[7] = keys - z[7].begin()
    n[8] = values - z[8].begin()
    thrust.fill(thrust.seq, keys, z[7].begin() + length, 0)
    thrust.fill(thrust.seq, values, z[8].begin() + length, 0)


# ---- reductions and scans --------------------------------------------------------------------------------------------

def exclusive(x, init):
    return (np.r_[x.dtype.type(0), np.cumsum(x, dtype=x.dtype)[:-1]] + x.dtype.type(init))[:len(x)]


def reference_reduce(x, y, m, z, n):
    dtype, length, starts = x.dtype, len(x), runs(x)
    ends = [*starts[1:], length]

    def put(k, values):
        z[k, :len(values)] = values
    with np.errstate(over="ignore"):
        put(0, [y.sum(dtype=dtype), y.sum(dtype=dtype) + dtype.type(3), max([3, *y.real]),
                (x * y).sum(dtype=dtype) + dtype.type(1), max([0, *(x + y).real]), (y + y).sum(dtype=dtype)])
        put(1, x[starts])
        put(2, [y[a:b].sum(dtype=dtype) for a, b in zip(starts, ends)])
        n[:2] = len(starts)
        put(3, np.cumsum(y, dtype=dtype))
        put(4, np.maximum.accumulate(y.real))
        put(5, exclusive(y, 0))
        put(6, exclusive(y, 3))
        parts = [y[a:b] for a, b in zip(starts, ends)]
        put(7, np.concatenate([np.cumsum(p, dtype=dtype) for p in parts] or [y]))
        put(8, np.concatenate([exclusive(p, 0) for p in parts] or [y]))
        put(9, np.concatenate([exclusive(p, 3) for p in parts] or [y]))
        put(10, np.cumsum(y, dtype=dtype))
        n[2] = length


def real_part(v):
    return v.real


@group(reference_reduce)
def reduce(xs, ys, ms, zs, ns):
    i = jit.threadIdx.x
    x, y, n, z = xs[i], ys[i], ns[i], zs[i]
    T = x.dtype.type
    first, last, length = y.begin(), y.end(), len(y)
    values = z[0].begin()
    values[0] = thrust.reduce(thrust.seq, first, last)
    values[1] = thrust.reduce(thrust.seq, first, last, T(3))
    thrust.transform(thrust.seq, first, last, z[4].begin(), real_part)
    real = z[4].begin()
    values[2] = thrust.reduce(thrust.seq, real, real + length, T(3), larger)
    values[3] = thrust.inner_product(thrust.seq, x.begin(), x.end(), first, T(1))
    values[4] = thrust.inner_product(thrust.seq, x.begin(), x.end(), first, T(0), larger, np.add)
    if x.dtype.kind == "c":
        values[4] = values[4].real
    values[5] = thrust.transform_reduce(thrust.seq, first, last, doubled, T(0), jit.cub.Sum)
    p, q = thrust.reduce_by_key(thrust.seq, x.begin(), x.end(), first, z[1].begin(), z[2].begin())
    n[0] = p - z[1].begin()
    n[1] = q - z[2].begin()
    thrust.inclusive_scan(thrust.seq, first, last, z[3].begin())
    thrust.inclusive_scan(thrust.seq, real, real + length, real, larger)
    thrust.exclusive_scan(thrust.seq, first, last, z[5].begin())
    thrust.exclusive_scan(thrust.seq, first, last, z[6].begin(), T(3))
    thrust.inclusive_scan_by_key(thrust.seq, x.begin(), x.end(), first, z[7].begin())
    thrust.exclusive_scan_by_key(thrust.seq, x.begin(), x.end(), first, z[8].begin())
    thrust.exclusive_scan_by_key(thrust.seq, x.begin(), x.end(), first, z[9].begin(), T(3))
    thrust.copy(thrust.seq, first, last, z[10].begin())
    n[2] = thrust.inclusive_scan(thrust.seq, z[10].begin(), z[10].begin() + length, z[10].begin()) - z[10].begin()


# ---- sorted ranges ---------------------------------------------------------------------------------------------------

def combined(x, y, keep, last):
    """(from, number) of what keep(m, n), how many of x's m and y's n equal elements stay, leaves of sorted x and y: the
    last ones of y, and of x the last ones or the first."""
    found = []
    for v in np.unique(np.r_[x, y]):
        at, bt = np.flatnonzero(x == v), np.flatnonzero(y == v)
        m, n = keep(len(at), len(bt))
        found += [(0, i) for i in (at[len(at) - m:] if last else at[:m])]
        found += [(1, j) for j in bt[len(bt) - n:]]
    return found


KEPT = [(lambda m, n: (m, n), False), (lambda m, n: (m, max(n - m, 0)), False),
        (lambda m, n: (min(m, n), 0), False), (lambda m, n: (max(m - n, 0), 0), True),
        (lambda m, n: (max(m - n, 0), max(n - m, 0)), True)]


def reference_sets(x, y, m, z, n):
    numbers = np.arange(len(x)).astype(x.dtype)
    for k, (keep, last) in enumerate(KEPT):
        found = combined(x, y, keep, last)
        keys = [(x, y)[which][i] for which, i in found]
        z[k, :len(keys)] = z[5 + k, :len(keys)] = keys
        z[10 + k, :len(keys)] = [numbers[i] if which == 0 else 1 + numbers[i] for which, i in found]
        n[k] = n[5 + k] = n[10 + k] = len(keys)


@group(reference_sets)
def sets(xs, ys, ms, zs, ns):
    i = jit.threadIdx.x
    x, y, n, z = xs[i], ys[i], ns[i], zs[i]
    a, b, c, d = x.begin(), x.end(), y.begin(), y.end()
    T = x.dtype.type
    n[0] = thrust.merge(thrust.seq, a, b, c, d, z[0].begin()) - z[0].begin()
    n[1] = thrust.set_union(thrust.seq, a, b, c, d, z[1].begin()) - z[1].begin()
    n[2] = thrust.set_intersection(thrust.seq, a, b, c, d, z[2].begin()) - z[2].begin()
    n[3] = thrust.set_difference(thrust.seq, a, b, c, d, z[3].begin()) - z[3].begin()
    n[4] = thrust.set_symmetric_difference(thrust.seq, a, b, c, d, z[4].begin()) - z[4].begin()
    v, w = z[15].begin(), z[16].begin()
    thrust.sequence(thrust.seq, v, v + len(x))
    thrust.sequence(thrust.seq, w, w + len(x), T(1))
    p, q = thrust.merge_by_key(thrust.seq, a, b, c, d, v, w, z[5].begin(), z[10].begin())
    n[5] = p - z[5].begin()
    n[10] = q - z[10].begin()
    p, q = thrust.set_union_by_key(thrust.seq, a, b, c, d, v, w, z[6].begin(), z[11].begin())
    n[6] = p - z[6].begin()
    n[11] = q - z[11].begin()
    p, q = thrust.set_intersection_by_key(thrust.seq, a, b, c, d, v, z[7].begin(), z[12].begin())
    n[7] = p - z[7].begin()
    n[12] = q - z[12].begin()
    p, q = thrust.set_difference_by_key(thrust.seq, a, b, c, d, v, w, z[8].begin(), z[13].begin())
    n[8] = p - z[8].begin()
    n[13] = q - z[13].begin()
    p, q = thrust.set_symmetric_difference_by_key(thrust.seq, a, b, c, d, v, w, z[9].begin(), z[14].begin())
    n[9] = p - z[9].begin()
    n[14] = q - z[14].begin()
    thrust.fill(thrust.seq, v, v + len(x), 0)
    thrust.fill(thrust.seq, w, w + len(x), 0)


def reference_sort(x, y, m, z, n):
    s, length = shuffled(x, m), len(x)
    order = np.argsort(s, kind="stable")
    backwards = np.argsort(-s.real.astype(float), kind="stable")
    z[:8, :length] = [x, x, s[order], order, s[order], order, s[backwards], s[backwards]]


@group(reference_sort)
def sort(xs, ys, ms, zs, ns):
    i = jit.threadIdx.x
    x, m, z, length = xs[i], ms[i], zs[i], len(xs[i])
    for k in range(8):
        thrust.gather(thrust.seq, m.begin(), m.end(), x.begin(), z[k].begin())
    thrust.sequence(thrust.seq, z[3].begin(), z[3].begin() + length)
    thrust.copy(thrust.seq, z[3].begin(), z[3].begin() + length, z[5].begin())
    thrust.sort(thrust.seq, z[0].begin(), z[0].begin() + length)
    thrust.stable_sort(thrust.seq, z[1].begin(), z[1].begin() + length)
    thrust.sort_by_key(thrust.seq, z[2].begin(), z[2].begin() + length, z[3].begin())
    thrust.stable_sort_by_key(thrust.seq, z[4].begin(), z[4].begin() + length, z[5].begin())
    thrust.sort(thrust.seq, z[6].begin(), z[6].begin() + length, more)
    thrust.stable_sort_by_key(thrust.seq, z[7].begin(), z[7].begin() + length, z[8].begin(), comp=more)


# ---- reductions by warps and blocks ----------------------------------------------------------------------------------

@jit.rawkernel()
def warp_reductions(x, y, valid):
    i, j = jit.blockIdx.x, jit.threadIdx.x
    WarpReduce, Quarter = jit.cub.WarpReduce[x.dtype], jit.cub.WarpReduce[x.dtype, 8]
    storage = jit.shared_memory(WarpReduce.TempStorage, 2)
    quarters = jit.shared_memory(Quarter.TempStorage, 8)
    reduction, v = WarpReduce(storage[j // 32]), x[i, j]
    total = reduction.Sum(v)
    most = reduction.Reduce(v, jit.cub.Max())
    least = reduction.Reduce(v, reduce_op=jit.cub.Min, valid_items=valid)
    few = reduction.Sum(v, valid)
    part = Quarter(quarters[j // 8]).Reduce(v, larger)
    if j % 32 == 0:
        y[i, j // 32, 0] = total
        y[i, j // 32, 1] = most
        y[i, j // 32, 2] = least
        y[i, j // 32, 3] = few
    if j % 8 == 0:
        y[i, j // 32, 4 + j % 32 // 8] = part


def block_kernel(threads):
    def leftmost(a, b):
        return a

    @jit.rawkernel()
    def block_reductions(x, y, valid):
        i, j = jit.blockIdx.x, jit.threadIdx.x + jit.threadIdx.y * jit.blockDim.x
        BlockReduce = jit.cub.BlockReduce[x.dtype, threads]
        storage = jit.shared_memory(dtype=BlockReduce.TempStorage, size=6)
        v = x[i, j]
        total = BlockReduce(storage[0]).Sum(v)
        most = BlockReduce(storage[1]).Reduce(v, jit.cub.Max())
        least = BlockReduce(storage[2]).Reduce(v, jit.cub.Min())
        few = BlockReduce(storage[3]).Sum(v, valid)
        first = BlockReduce(storage[4]).Reduce(v, leftmost)
        greatest = BlockReduce(storage[5]).Reduce(v, larger, valid)
        if j == 0:
            y[i, 0] = total
            y[i, 1] = most
            y[i, 2] = least
            y[i, 3] = few
            y[i, 4] = first
            y[i, 5] = greatest
    return block_reductions
