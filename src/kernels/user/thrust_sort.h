/* thrust_sort.h - Thrust's sorts: a stable merge sort in place, which takes no memory.
 *
 * Runs of a few elements are sorted by insertion and merged by rotations. Comparisons that contradict each other, as
 * those of NaN do, leave some order of the same elements. */
#ifndef TB_USER_THRUST_SORT_H
#define TB_USER_THRUST_SORT_H
namespace thrust {

/* Keys and what moves with them. */
template <class K, class F> struct tb_sorted_keys {
    K keys;
    F comp;
    __device__ __forceinline__ bool before(ptrdiff_t i, ptrdiff_t j) const { return comp(keys[i], keys[j]); }
    __device__ __forceinline__ void swap(ptrdiff_t i, ptrdiff_t j) const { tb_swap(keys, i, keys, j); }
};
template <class K, class V, class F> struct tb_sorted_pairs {
    K keys;
    V values;
    F comp;
    __device__ __forceinline__ bool before(ptrdiff_t i, ptrdiff_t j) const { return comp(keys[i], keys[j]); }
    __device__ __forceinline__ void swap(ptrdiff_t i, ptrdiff_t j) const
    {
        tb_swap(keys, i, keys, j);
        tb_swap(values, i, values, j);
    }
};

template <class S> __device__ inline void tb_flip(S s, ptrdiff_t from, ptrdiff_t to)
{
    for (to--; from < to; from++, to--) s.swap(from, to);
}
/* [from, middle) and [middle, to) change places. */
template <class S> __device__ inline void tb_rotate(S s, ptrdiff_t from, ptrdiff_t middle, ptrdiff_t to)
{
    if (from == middle || middle == to) return;
    tb_flip(s, from, middle);
    tb_flip(s, middle, to);
    tb_flip(s, from, to);
}
/* The first of [from, to) that does not belong before element `key`; with `equals`, that belongs behind it. */
template <class S> __device__ inline ptrdiff_t tb_bound(S s, ptrdiff_t from, ptrdiff_t to, ptrdiff_t key, bool equals)
{
    while (from < to) {
        const ptrdiff_t middle = from + (to - from) / 2;
        if (equals ? !s.before(key, middle) : s.before(middle, key)) from = middle + 1;
        else to = middle;
    }
    return from;
}

struct tb_runs {
    ptrdiff_t from, middle, to;
};

/* Merges two neighbouring runs: halves the larger one, finds where the other has to be cut, exchanges the inner parts,
 * and goes on with the smaller of the two problems that are left, so that few of them wait. */
template <class S> __device__ inline void tb_merge_runs(S s, tb_runs r)
{
    enum { MOST_WAITING = 40 }; /* each is for half as many elements as the one before */
    tb_runs waiting[MOST_WAITING];
    int n = 0;
    for (;;) {
        const ptrdiff_t left = r.middle - r.from, right = r.to - r.middle;
        if (left <= 0 || right <= 0 || !s.before(r.middle, r.middle - 1)) {
            if (n == 0) return;
            r = waiting[--n];
            continue;
        }
        if (left == 1 && right == 1) {
            s.swap(r.from, r.middle);
            r.to = r.middle;
            continue;
        }
        ptrdiff_t a, b;
        if (left >= right) {
            a = r.from + left / 2;
            b = tb_bound(s, r.middle, r.to, a, false);
        } else {
            b = r.middle + right / 2;
            a = tb_bound(s, r.from, r.middle, b, true);
        }
        tb_rotate(s, a, r.middle, b);
        const ptrdiff_t cut = a + (b - r.middle);
        const tb_runs lower = {r.from, a, cut}, upper = {cut, b, r.to};
        const bool lower_is_smaller = cut - r.from < r.to - cut;
        waiting[n++] = lower_is_smaller ? upper : lower;
        r = lower_is_smaller ? lower : upper;
    }
}

template <class S> __device__ inline void tb_sort(S s, ptrdiff_t n)
{
    const ptrdiff_t run = 12;
    for (ptrdiff_t from = 0; from < n; from += run)
        for (ptrdiff_t i = from + 1; i < n && i < from + run; i++)
            for (ptrdiff_t j = i; j > from && s.before(j, j - 1); j--) s.swap(j, j - 1);
    for (ptrdiff_t width = run; width < n; width *= 2)
        for (ptrdiff_t from = 0; from + width < n; from += 2 * width)
            tb_merge_runs(s, tb_runs{from, from + width, from + 2 * width < n ? from + 2 * width : n});
}

#define TB_SORTS(sort, sort_by_key) \
    template <class K, class F = less<>> __device__ inline void sort(K first, K last, F comp = F()) \
    { \
        tb_sort(tb_sorted_keys<K, F>{first, comp}, last - first); \
    } \
    template <class K, class V, class F = less<>> \
    __device__ inline void sort_by_key(K keys_first, K keys_last, V values_first, F comp = F()) \
    { \
        tb_sort(tb_sorted_pairs<K, V, F>{keys_first, values_first, comp}, keys_last - keys_first); \
    } \
    TB_WITH_POLICY(sort) TB_WITH_POLICY(sort_by_key)
TB_SORTS(sort, sort_by_key)
TB_SORTS(stable_sort, stable_sort_by_key)
#undef TB_SORTS
#undef TB_WITH_POLICY
}
#endif
