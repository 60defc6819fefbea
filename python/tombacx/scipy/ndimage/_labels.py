"""The connected objects of an array: on the CPU by runs of elements, on a device by a forest that all threads build."""

import functools

from tombac import _core
from tombac._core import where
from tombac._numpy import np

_FOREST = """
// Roots are their own parents; an element's parent does not come after it.
__device__ long long root_of(volatile const long long *parent, long long i)
{
    for (long long above = parent[i]; above != i; above = parent[i]) i = above;
    return i;
}

__device__ void unite(long long *parent, long long i, long long k)
{
    for (;;) {
        i = root_of(parent, i);
        k = root_of(parent, k);
        if (i == k) return;
        if (i < k) {
            const long long other = i;
            i = k;
            k = other;
        }
        // If it was no root any more, what it hung on is united with k instead.
        const long long before = atomicMin(&parent[i], k);
        if (before == i) return;
        i = before;
    }
}
"""
_UNITE = """
if (inside) {
    long long place[32];
    for (long long d = ndim - 1, rest = i; d >= 0; d--) {
        place[d] = rest % layout[d];
        rest /= layout[d];
    }
    for (long long k = 1; k <= near; k++) {
        bool there = true;
        long long other = 0;
        for (long long d = 0; d < ndim; d++) {
            const long long x = place[d] + layout[k * ndim + d];
            there = there && x >= 0 && x < layout[d];
            other = other * layout[d] + x;
        }
        if (there && all[other]) unite((long long *)&parent[0], i, other);
    }
}
"""


@functools.cache
def _kernels():
    unite = _core.ElementwiseKernel(
        "bool inside, raw bool all, raw int64 layout, int64 ndim, int64 near", "raw int64 parent", _UNITE,
        "tombac_unite", preamble=_FOREST)
    find = _core.ElementwiseKernel(
        "int64 i_, raw int64 parent", "int64 root", "root = root_of((const long long *)&parent[0], i_)",
        "tombac_roots", preamble=_FOREST)
    return unite, find


def labelled(input, structure):
    """(labels, how many) of what is not zero, for a structure on the host of sides of 3, the same from either end."""
    if _core.backend() == "cpu":
        return _core._label(input, structure.tobytes())
    return _united(_core.ascontiguousarray(input != 0), structure)


def _united(inside, structure):
    """On a device. Source: C. Komura, GPU-based cluster-labeling algorithm without the use of conventional iteration,
    Computer Physics Communications 194 (2015): trees are hooked to one another by atomic minima."""
    if not inside.size or not inside.ndim:
        return inside.astype(int), int(inside) if inside.size else 0
    before = np.argwhere(structure)[: np.count_nonzero(structure.ravel()[: structure.size // 2])] - 1
    layout = _core.array(np.concatenate([np.array([inside.shape]), before.reshape(-1, inside.ndim)]).astype(np.int64))
    unite, find = _kernels()
    flat, index = inside.ravel(), _core.arange(inside.size)
    parent = index.copy()
    unite(flat, flat, layout.ravel(), inside.ndim, len(before), parent)
    roots = find(index, parent)
    number = (flat & (roots == index)).cumsum()
    return where(flat, number[roots], 0).reshape(inside.shape), int(number[-1])
