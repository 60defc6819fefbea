/* thrust_reduce.h - Thrust's reductions and scans. Scans may write over their input. */
#ifndef TB_USER_THRUST_REDUCE_H
#define TB_USER_THRUST_REDUCE_H
namespace thrust {

template <class I, class U, class T, class F>
__device__ inline T transform_reduce(I first, I last, U unary, T init, F op)
{
    const ptrdiff_t n = last - first;
    for (ptrdiff_t i = 0; i < n; i++) init = (T)op(init, (T)unary(first[i]));
    return init;
}
template <class I, class T = tb_element<I>, class F = plus<>>
__device__ inline T reduce(I first, I last, T init = T(), F op = F())
{
    return transform_reduce(first, last, identity<>(), init, op);
}
template <class I, class J, class T, class F = plus<>, class G = multiplies<>>
__device__ inline T inner_product(I first1, I last1, J first2, T init, F op1 = F(), G op2 = G())
{
    const ptrdiff_t n = last1 - first1;
    for (ptrdiff_t i = 0; i < n; i++) init = (T)op1(init, (T)op2(first1[i], first2[i]));
    return init;
}

/* The keys' predicate says whether two neighbours belong together. */
template <class K, class V, class A, class B, class P = equal_to<>, class F = plus<>>
__device__ inline pair<A, B> reduce_by_key(K keys_first, K keys_last, V values_first, A keys_output, B values_output,
                                           P pred = P(), F op = F())
{
    typedef tb_element<V> T;
    const ptrdiff_t n = keys_last - keys_first;
    ptrdiff_t groups = 0;
    for (ptrdiff_t i = 0; i < n; groups++) {
        const tb_element<K> key = keys_first[i];
        tb_element<K> before = key;
        T sum = values_first[i];
        for (i++; i < n && pred(before, keys_first[i]); i++) {
            before = keys_first[i];
            sum = (T)op(sum, values_first[i]);
        }
        keys_output[groups] = (tb_element<A>)key;
        values_output[groups] = (tb_element<B>)sum;
    }
    return make_pair(keys_output + groups, values_output + groups);
}

template <class I, class O, class F = plus<>>
__device__ inline O inclusive_scan(I first, I last, O result, F op = F())
{
    typedef tb_element<I> T;
    const ptrdiff_t n = last - first;
    T sum = T();
    for (ptrdiff_t i = 0; i < n; i++) {
        sum = i ? (T)op(sum, first[i]) : (T)first[i];
        result[i] = (tb_element<O>)sum;
    }
    return result + n;
}
template <class I, class O, class T = tb_element<I>, class F = plus<>>
__device__ inline O exclusive_scan(I first, I last, O result, T init = T(), F op = F())
{
    const ptrdiff_t n = last - first;
    for (ptrdiff_t i = 0; i < n; i++) {
        const T before = init;
        init = (T)op(init, (T)first[i]);
        result[i] = (tb_element<O>)before;
    }
    return result + n;
}
template <class K, class V, class O, class P = equal_to<>, class F = plus<>>
__device__ inline O inclusive_scan_by_key(K first1, K last1, V first2, O result, P pred = P(), F op = F())
{
    typedef tb_element<V> T;
    const ptrdiff_t n = last1 - first1;
    tb_element<K> before = tb_element<K>();
    T sum = T();
    for (ptrdiff_t i = 0; i < n; i++) {
        const tb_element<K> key = first1[i];
        sum = i && pred(before, key) ? (T)op(sum, first2[i]) : (T)first2[i];
        before = key;
        result[i] = (tb_element<O>)sum;
    }
    return result + n;
}
template <class K, class V, class O, class T = tb_element<V>, class P = equal_to<>, class F = plus<>>
__device__ inline O exclusive_scan_by_key(K first1, K last1, V first2, O result, T init = T(), P pred = P(),
                                          F op = F())
{
    const ptrdiff_t n = last1 - first1;
    tb_element<K> before = tb_element<K>();
    T sum = init;
    for (ptrdiff_t i = 0; i < n; i++) {
        const tb_element<K> key = first1[i];
        const T here = i && pred(before, key) ? sum : init;
        sum = (T)op(here, (T)first2[i]);
        before = key;
        result[i] = (tb_element<O>)here;
    }
    return result + n;
}

TB_WITH_POLICY(transform_reduce) TB_WITH_POLICY(reduce) TB_WITH_POLICY(inner_product) TB_WITH_POLICY(reduce_by_key)
TB_WITH_POLICY(inclusive_scan) TB_WITH_POLICY(exclusive_scan) TB_WITH_POLICY(inclusive_scan_by_key)
TB_WITH_POLICY(exclusive_scan_by_key)
}
#endif
