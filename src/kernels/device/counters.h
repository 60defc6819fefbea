/* counters.h - words in a block's shared memory that its threads add to. Their address is worked out once: left to
 * itself the compiler does so for each addition that depends on a condition, which takes longer than to add. */

#if defined __CUDA_ARCH__ && !defined TB_HOST_CUDA
typedef tb_u32 tb_counters;

TB_FN tb_counters tb_counters_at(tb_u32 *first)
{
    tb_u32 at = (tb_u32)__cvta_generic_to_shared(first);
    asm volatile("" : "+r"(at));
    return at;
}

TB_FN void tb_counter_add(tb_counters to, tb_u32 i, tb_u32 n)
{
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(to + 4 * i), "r"(n) : "memory");
}
#else
typedef tb_u32 *tb_counters;

TB_FN tb_counters tb_counters_at(tb_u32 *first) { return first; }
TB_FN void tb_counter_add(tb_counters to, tb_u32 i, tb_u32 n) { atomicAdd(&to[i], n); }
#endif
