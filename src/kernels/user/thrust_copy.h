/* thrust_copy.h - Thrust's algorithms that write elements one by one: copying, filling, transforming, removing. */
#ifndef TB_USER_THRUST_COPY_H
#define TB_USER_THRUST_COPY_H
namespace thrust {

template <class I, class N, class O> __device__ inline O copy_n(I first, N n, O result)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) result[i] = (tb_element<O>)first[i];
    return result + (ptrdiff_t)n;
}
template <class I, class O> __device__ inline O copy(I first, I last, O result)
{
    return copy_n(first, last - first, result);
}
template <class I, class O, class P> __device__ inline O copy_if(I first, I last, O result, P pred)
{
    const ptrdiff_t n = last - first;
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        if (pred(first[i])) result[kept++] = (tb_element<O>)first[i];
    return result + kept;
}
template <class O, class N, class T> __device__ inline O fill_n(O first, N n, T value)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) first[i] = (tb_element<O>)value;
    return first + (ptrdiff_t)n;
}
template <class O, class T> __device__ inline void fill(O first, O last, T value)
{
    fill_n(first, last - first, value);
}
template <class O, class T = tb_element<O>>
__device__ inline void sequence(O first, O last, T init = T(0), T step = T(1))
{
    const ptrdiff_t n = last - first;
    for (ptrdiff_t i = 0; i < n; i++) first[i] = (tb_element<O>)(init + (T)i * step);
}

template <class I, class O, class F> __device__ inline O transform(I first, I last, O result, F op)
{
    const ptrdiff_t n = last - first;
    for (ptrdiff_t i = 0; i < n; i++) result[i] = (tb_element<O>)op(first[i]);
    return result + n;
}
template <class I, class J, class O, class F>
__device__ inline O transform(I first1, I last1, J first2, O result, F op)
{
    const ptrdiff_t n = last1 - first1;
    for (ptrdiff_t i = 0; i < n; i++) result[i] = (tb_element<O>)op(first1[i], first2[i]);
    return result + n;
}
/* The result may be the input. */
template <class I, class O, class F = minus<>>
__device__ inline O adjacent_difference(I first, I last, O result, F op = F())
{
    const ptrdiff_t n = last - first;
    if (n <= 0) return result;
    tb_element<I> before = first[0];
    result[0] = (tb_element<O>)before;
    for (ptrdiff_t i = 1; i < n; i++) {
        const tb_element<I> now = first[i];
        result[i] = (tb_element<O>)op(now, before);
        before = now;
    }
    return result + n;
}

template <class M, class I, class O> __device__ inline O gather(M map_first, M map_last, I input_first, O result)
{
    const ptrdiff_t n = map_last - map_first;
    for (ptrdiff_t i = 0; i < n; i++) result[i] = (tb_element<O>)input_first[(ptrdiff_t)map_first[i]];
    return result + n;
}
template <class I, class M, class O> __device__ inline void scatter(I first, I last, M map, O result)
{
    const ptrdiff_t n = last - first;
    for (ptrdiff_t i = 0; i < n; i++) result[(ptrdiff_t)map[i]] = (tb_element<O>)first[i];
}

template <class I> __device__ inline void reverse(I first, I last)
{
    for (ptrdiff_t i = 0, j = last - first - 1; i < j; i++, j--) tb_swap(first, i, first, j);
}
template <class I, class O> __device__ inline O reverse_copy(I first, I last, O result)
{
    const ptrdiff_t n = last - first;
    for (ptrdiff_t i = 0; i < n; i++) result[i] = (tb_element<O>)first[n - 1 - i];
    return result + n;
}
template <class I, class J> __device__ inline J swap_ranges(I first1, I last1, J first2)
{
    const ptrdiff_t n = last1 - first1;
    for (ptrdiff_t i = 0; i < n; i++) tb_swap(first1, i, first2, i);
    return first2 + n;
}

template <class I, class O, class P> __device__ inline O remove_copy_if(I first, I last, O result, P pred)
{
    return copy_if(first, last, result, tb_not<P>{pred});
}
template <class I, class P> __device__ inline I remove_if(I first, I last, P pred)
{
    return remove_copy_if(first, last, first, pred);
}
template <class I, class T> __device__ inline I remove(I first, I last, T value)
{
    return remove_if(first, last, tb_equals<T>{value});
}
template <class I, class O, class T> __device__ inline O remove_copy(I first, I last, O result, T value)
{
    return remove_copy_if(first, last, result, tb_equals<T>{value});
}

template <class I, class O, class P, class T>
__device__ inline O replace_copy_if(I first, I last, O result, P pred, T value)
{
    const ptrdiff_t n = last - first;
    for (ptrdiff_t i = 0; i < n; i++) result[i] = pred(first[i]) ? (tb_element<O>)value : (tb_element<O>)first[i];
    return result + n;
}
template <class I, class P, class T> __device__ inline void replace_if(I first, I last, P pred, T value)
{
    replace_copy_if(first, last, first, pred, value);
}
template <class I, class T, class U> __device__ inline void replace(I first, I last, T old_value, U new_value)
{
    replace_if(first, last, tb_equals<T>{old_value}, new_value);
}
template <class I, class O, class T, class U>
__device__ inline O replace_copy(I first, I last, O result, T old_value, U new_value)
{
    return replace_copy_if(first, last, result, tb_equals<T>{old_value}, new_value);
}

/* The first of each run of equal keys, and its value. */
template <class K, class V, class A, class B, class P = equal_to<>>
__device__ inline pair<A, B> unique_by_key_copy(K keys_first, K keys_last, V values_first, A keys_result,
                                                B values_result, P pred = P())
{
    const ptrdiff_t n = keys_last - keys_first;
    ptrdiff_t kept = 0;
    tb_element<K> key = tb_element<K>();
    for (ptrdiff_t i = 0; i < n; i++) {
        if (kept && pred(key, keys_first[i])) continue;
        key = keys_first[i];
        keys_result[kept] = (tb_element<A>)key;
        values_result[kept++] = (tb_element<B>)values_first[i];
    }
    return make_pair(keys_result + kept, values_result + kept);
}
template <class K, class V, class P = equal_to<>>
__device__ inline pair<K, V> unique_by_key(K keys_first, K keys_last, V values_first, P pred = P())
{
    return unique_by_key_copy(keys_first, keys_last, values_first, keys_first, values_first, pred);
}
template <class I, class O, class P = equal_to<>>
__device__ inline O unique_copy(I first, I last, O result, P pred = P())
{
    const ptrdiff_t n = last - first;
    ptrdiff_t kept = 0;
    tb_element<I> key = tb_element<I>();
    for (ptrdiff_t i = 0; i < n; i++) {
        if (kept && pred(key, first[i])) continue;
        key = first[i];
        result[kept++] = (tb_element<O>)key;
    }
    return result + kept;
}
template <class I, class P = equal_to<>> __device__ inline I unique(I first, I last, P pred = P())
{
    return unique_copy(first, last, first, pred);
}

TB_WITH_POLICY(copy_n) TB_WITH_POLICY(copy) TB_WITH_POLICY(copy_if) TB_WITH_POLICY(fill_n) TB_WITH_POLICY(fill)
TB_WITH_POLICY(sequence) TB_WITH_POLICY(transform) TB_WITH_POLICY(adjacent_difference) TB_WITH_POLICY(gather)
TB_WITH_POLICY(scatter) TB_WITH_POLICY(reverse) TB_WITH_POLICY(reverse_copy) TB_WITH_POLICY(swap_ranges)
TB_WITH_POLICY(remove_copy_if) TB_WITH_POLICY(remove_if) TB_WITH_POLICY(remove) TB_WITH_POLICY(remove_copy)
TB_WITH_POLICY(replace_copy_if) TB_WITH_POLICY(replace_if) TB_WITH_POLICY(replace) TB_WITH_POLICY(replace_copy)
TB_WITH_POLICY(unique_by_key_copy) TB_WITH_POLICY(unique_by_key) TB_WITH_POLICY(unique_copy) TB_WITH_POLICY(unique)
}
#endif
