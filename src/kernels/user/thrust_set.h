/* thrust_set.h - Thrust's algorithms on two sorted ranges: merging, and sets in which elements may be repeated.
 *
 * An element that is m times in the first range and n times in the second is min(m, n) times in the intersection (taken
 * from the first), max(m, n) times in the union, max(m - n, 0) times in the difference, |m - n| times in the symmetric
 * difference. */
#ifndef TB_USER_THRUST_SET_H
#define TB_USER_THRUST_SET_H
namespace thrust {

/* Where keys, and values with them, are written. */
template <class A, class B, class O> struct tb_keys_to {
    A a;
    B b;
    O result;
    __device__ __forceinline__ void from_first(ptrdiff_t at, ptrdiff_t i) { result[at] = (tb_element<O>)a[i]; }
    __device__ __forceinline__ void from_second(ptrdiff_t at, ptrdiff_t j) { result[at] = (tb_element<O>)b[j]; }
};
template <class A, class B, class O, class V, class W, class R> struct tb_pairs_to {
    tb_keys_to<A, B, O> keys;
    tb_keys_to<V, W, R> values;
    __device__ __forceinline__ void from_first(ptrdiff_t at, ptrdiff_t i)
    {
        keys.from_first(at, i);
        values.from_first(at, i);
    }
    __device__ __forceinline__ void from_second(ptrdiff_t at, ptrdiff_t j)
    {
        keys.from_second(at, j);
        values.from_second(at, j);
    }
};

enum { TB_OF_FIRST = 1, TB_OF_SECOND = 2, TB_OF_BOTH = 4 };

/* Keeps the elements that only the first range has, only the second, or both; returns how many. */
template <int kept, class A, class B, class S, class F>
__device__ inline ptrdiff_t tb_combine(A a, ptrdiff_t na, B b, ptrdiff_t nb, S to, F comp)
{
    ptrdiff_t at = 0, i = 0, j = 0;
    while (i < na && j < nb) {
        if (comp(a[i], b[j])) {
            if (kept & TB_OF_FIRST) to.from_first(at++, i);
            i++;
        } else if (comp(b[j], a[i])) {
            if (kept & TB_OF_SECOND) to.from_second(at++, j);
            j++;
        } else {
            if (kept & TB_OF_BOTH) to.from_first(at++, i);
            i++, j++;
        }
    }
    for (; kept & TB_OF_FIRST && i < na; i++) to.from_first(at++, i);
    for (; kept & TB_OF_SECOND && j < nb; j++) to.from_second(at++, j);
    return at;
}
/* Equal elements of the first range come first. */
template <class A, class B, class S, class F>
__device__ inline ptrdiff_t tb_merge(A a, ptrdiff_t na, B b, ptrdiff_t nb, S to, F comp)
{
    ptrdiff_t at = 0, i = 0, j = 0;
    while (i < na || j < nb) {
        if (j == nb || (i < na && !comp(b[j], a[i]))) to.from_first(at++, i++);
        else to.from_second(at++, j++);
    }
    return at;
}

#define TB_OF_KEYS(name, combine) \
    template <class A, class B, class O, class F = less<>> \
    __device__ inline O name(A first1, A last1, B first2, B last2, O result, F comp = F()) \
    { \
        return result + combine(first1, last1 - first1, first2, last2 - first2, \
                                tb_keys_to<A, B, O>{first1, first2, result}, comp); \
    } \
    TB_WITH_POLICY(name)
#define TB_OF_PAIRS(name, combine) \
    template <class A, class B, class V, class W, class O, class R, class F = less<>> \
    __device__ inline pair<O, R> name(A keys_first1, A keys_last1, B keys_first2, B keys_last2, V values_first1, \
                                      W values_first2, O keys_result, R values_result, F comp = F()) \
    { \
        const ptrdiff_t n = combine(keys_first1, keys_last1 - keys_first1, keys_first2, keys_last2 - keys_first2, \
                                    tb_pairs_to<A, B, O, V, W, R>{{keys_first1, keys_first2, keys_result}, \
                                                                  {values_first1, values_first2, values_result}}, \
                                    comp); \
        return make_pair(keys_result + n, values_result + n); \
    } \
    TB_WITH_POLICY(name)

TB_OF_KEYS(merge, tb_merge)
TB_OF_KEYS(set_union, tb_combine<7>)
TB_OF_KEYS(set_intersection, tb_combine<TB_OF_BOTH>)
TB_OF_KEYS(set_difference, tb_combine<TB_OF_FIRST>)
TB_OF_KEYS(set_symmetric_difference, tb_combine<3>)
TB_OF_PAIRS(merge_by_key, tb_merge)
TB_OF_PAIRS(set_union_by_key, tb_combine<7>)
TB_OF_PAIRS(set_difference_by_key, tb_combine<TB_OF_FIRST>)
TB_OF_PAIRS(set_symmetric_difference_by_key, tb_combine<3>)
#undef TB_OF_PAIRS
#undef TB_OF_KEYS

/* All elements come from the first range, which alone has values. */
template <class A, class B, class V, class O, class R, class F = less<>>
__device__ inline pair<O, R> set_intersection_by_key(A keys_first1, A keys_last1, B keys_first2, B keys_last2,
                                                     V values_first1, O keys_result, R values_result, F comp = F())
{
    const ptrdiff_t n = tb_combine<TB_OF_BOTH>(
        keys_first1, keys_last1 - keys_first1, keys_first2, keys_last2 - keys_first2,
        tb_pairs_to<A, B, O, V, V, R>{{keys_first1, keys_first2, keys_result},
                                      {values_first1, values_first1, values_result}}, comp);
    return make_pair(keys_result + n, values_result + n);
}
TB_WITH_POLICY(set_intersection_by_key)
}
#endif
