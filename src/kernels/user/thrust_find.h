/* thrust_find.h - Thrust's algorithms that only look at elements: searching, counting, comparing. */
#ifndef TB_USER_THRUST_FIND_H
#define TB_USER_THRUST_FIND_H
namespace thrust {

template <class I, class P> __device__ inline I find_if(I first, I last, P pred)
{
    const ptrdiff_t n = last - first;
    ptrdiff_t i = 0;
    while (i < n && !pred(first[i])) i++;
    return first + i;
}
template <class P> struct tb_not {
    P pred;
    template <class U> __device__ __forceinline__ bool operator()(const U &a) const { return !pred(a); }
};
template <class I, class P> __device__ inline I find_if_not(I first, I last, P pred)
{
    return find_if(first, last, tb_not<P>{pred});
}
template <class I, class T> __device__ inline I find(I first, I last, T value)
{
    return find_if(first, last, tb_equals<T>{value});
}
template <class I, class P> __device__ inline bool any_of(I first, I last, P pred)
{
    return find_if(first, last, pred) != last;
}
template <class I, class P> __device__ inline bool none_of(I first, I last, P pred)
{
    return find_if(first, last, pred) == last;
}
template <class I, class P> __device__ inline bool all_of(I first, I last, P pred)
{
    return find_if_not(first, last, pred) == last;
}

template <class I, class P> __device__ inline ptrdiff_t count_if(I first, I last, P pred)
{
    const ptrdiff_t n = last - first;
    ptrdiff_t count = 0;
    for (ptrdiff_t i = 0; i < n; i++) count += pred(first[i]) ? 1 : 0;
    return count;
}
template <class I, class T> __device__ inline ptrdiff_t count(I first, I last, T value)
{
    return count_if(first, last, tb_equals<T>{value});
}

template <class I, class J, class P = equal_to<>>
__device__ inline pair<I, J> mismatch(I first1, I last1, J first2, P pred = P())
{
    const ptrdiff_t n = last1 - first1;
    ptrdiff_t i = 0;
    while (i < n && pred(first1[i], first2[i])) i++;
    return make_pair(first1 + i, first2 + i);
}
template <class I, class J, class P = equal_to<>>
__device__ inline bool equal(I first1, I last1, J first2, P pred = P())
{
    return mismatch(first1, last1, first2, pred).first == last1;
}

template <class I, class F = less<>> __device__ inline I is_sorted_until(I first, I last, F comp = F())
{
    const ptrdiff_t n = last - first;
    ptrdiff_t i = 1;
    while (i < n && !comp(first[i], first[i - 1])) i++;
    return n < 2 ? last : first + i;
}
template <class I, class F = less<>> __device__ inline bool is_sorted(I first, I last, F comp = F())
{
    return is_sorted_until(first, last, comp) == last;
}

template <class I, class F = less<>> __device__ inline I min_element(I first, I last, F comp = F())
{
    const ptrdiff_t n = last - first;
    ptrdiff_t best = 0;
    for (ptrdiff_t i = 1; i < n; i++)
        if (comp(first[i], first[best])) best = i;
    return first + best;
}
template <class I, class F = less<>> __device__ inline I max_element(I first, I last, F comp = F())
{
    const ptrdiff_t n = last - first;
    ptrdiff_t best = 0;
    for (ptrdiff_t i = 1; i < n; i++)
        if (comp(first[best], first[i])) best = i;
    return first + best;
}

/* ---- in sorted ranges: of one value, and of each value of a range, whose positions or findings are written ------- */

template <class I, class T, class F = less<>> __device__ inline I lower_bound(I first, I last, T value, F comp = F())
{
    ptrdiff_t from = 0, to = last - first;
    while (from < to) {
        const ptrdiff_t middle = from + (to - from) / 2;
        if (comp(first[middle], value)) from = middle + 1;
        else to = middle;
    }
    return first + from;
}
template <class I, class T, class F = less<>> __device__ inline I upper_bound(I first, I last, T value, F comp = F())
{
    ptrdiff_t from = 0, to = last - first;
    while (from < to) {
        const ptrdiff_t middle = from + (to - from) / 2;
        if (comp(value, first[middle])) to = middle;
        else from = middle + 1;
    }
    return first + from;
}
template <class I, class T, class F = less<>>
__device__ inline pair<I, I> equal_range(I first, I last, T value, F comp = F())
{
    return make_pair(lower_bound(first, last, value, comp), upper_bound(first, last, value, comp));
}
template <class I, class T, class F = less<>>
__device__ inline bool binary_search(I first, I last, T value, F comp = F())
{
    const I at = lower_bound(first, last, value, comp);
    return at != last && !comp(value, at[0]);
}

#define TB_FOR_EACH_VALUE(name, what) \
    template <class I, class V, class O, class F = less<>> \
    __device__ inline O name(I first, I last, V values_first, V values_last, O result, F comp = F()) \
    { \
        const ptrdiff_t n = values_last - values_first; \
        for (ptrdiff_t i = 0; i < n; i++) \
            result[i] = (tb_element<O>)(what(first, last, (tb_element<V>)values_first[i], comp)); \
        return result + n; \
    }
#define TB_POSITION_OF_LOWER(first, last, value, comp) lower_bound(first, last, value, comp) - first
#define TB_POSITION_OF_UPPER(first, last, value, comp) upper_bound(first, last, value, comp) - first
TB_FOR_EACH_VALUE(lower_bound, TB_POSITION_OF_LOWER)
TB_FOR_EACH_VALUE(upper_bound, TB_POSITION_OF_UPPER)
TB_FOR_EACH_VALUE(binary_search, binary_search)
#undef TB_POSITION_OF_UPPER
#undef TB_POSITION_OF_LOWER
#undef TB_FOR_EACH_VALUE

TB_WITH_POLICY(find_if) TB_WITH_POLICY(find_if_not) TB_WITH_POLICY(find) TB_WITH_POLICY(any_of) TB_WITH_POLICY(none_of)
TB_WITH_POLICY(all_of) TB_WITH_POLICY(count_if) TB_WITH_POLICY(count) TB_WITH_POLICY(mismatch) TB_WITH_POLICY(equal)
TB_WITH_POLICY(is_sorted_until) TB_WITH_POLICY(is_sorted) TB_WITH_POLICY(min_element) TB_WITH_POLICY(max_element)
TB_WITH_POLICY(lower_bound) TB_WITH_POLICY(upper_bound) TB_WITH_POLICY(equal_range) TB_WITH_POLICY(binary_search)
}
#endif
