/* groups_reduce.h - reductions over cooperative groups, for kernels that are compiled for the CPU.
 *
 * The text of <cooperative_groups/reduce.h> and <cooperative_groups/scan.h>. */
#ifndef TB_KERNELS_HOST_CUDA_GROUPS_REDUCE_H
#define TB_KERNELS_HOST_CUDA_GROUPS_REDUCE_H
#include <cooperative_groups.h>
namespace cooperative_groups {

#define TB_FUNCTOR(name, e) \
    template <class T = void> struct name { \
        T operator()(T a, T b) const { return e; } \
    };
TB_FUNCTOR(plus, a + b)
TB_FUNCTOR(less, b < a ? b : a)
TB_FUNCTOR(greater, a < b ? b : a)
TB_FUNCTOR(bit_and, a &b)
TB_FUNCTOR(bit_or, a | b)
TB_FUNCTOR(bit_xor, a ^ b)
#undef TB_FUNCTOR

/* Every thread of the group gets op over all of them, taken in the order of their ranks. */
template <class G, class T, class F> TB_FN T reduce(const G &g, T v, F op)
{
    T all = g.shfl(v, 0);
    for (unsigned i = 1; i < g.size(); i++) all = op(all, g.shfl(v, (int)i));
    return all;
}
template <class G, class T, class F> TB_FN T inclusive_scan(const G &g, T v, F op)
{
    T all = g.shfl(v, 0), mine = all;
    for (unsigned i = 1; i < g.size(); i++) {
        all = op(all, g.shfl(v, (int)i));
        if (i == g.thread_rank()) mine = all;
    }
    return mine;
}
template <class G, class T> TB_FN T inclusive_scan(const G &g, T v) { return inclusive_scan(g, v, plus<T>()); }
template <class G, class T, class F> TB_FN T exclusive_scan(const G &g, T v, F op)
{
    T upto = inclusive_scan(g, v, op), before = g.shfl_up(upto, 1);
    return g.thread_rank() == 0 ? T() : before;
}
template <class G, class T> TB_FN T exclusive_scan(const G &g, T v) { return exclusive_scan(g, v, plus<T>()); }
}
#endif
