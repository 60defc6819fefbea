/* atomic.h - CUDA's atomic functions, for kernels that are compiled for the CPU.
 *
 * Atomic between all threads of the system, whatever the scope they are asked for. They return the value before. */
#ifndef TB_KERNELS_HOST_CUDA_ATOMIC_H
#define TB_KERNELS_HOST_CUDA_ATOMIC_H

template <int> struct tb_word;
template <> struct tb_word<2> { typedef unsigned short type; };
template <> struct tb_word<4> { typedef unsigned type; };
template <> struct tb_word<8> { typedef unsigned long long type; };
template <class T> struct tb_itself { typedef T type; };
#define TB_VALUE(T) typename tb_itself<T>::type

/* *p = f(*p) in one step. */
template <class T, class F> TB_FN T tb_atomic(T *p, F f)
{
    typedef typename tb_word<sizeof(T)>::type word;
    word *w = (word *)p, seen = __atomic_load_n(w, __ATOMIC_RELAXED);
    T before, after;
    do {
        __builtin_memcpy(&before, &seen, sizeof before);
        after = f(before);
        word wanted;
        __builtin_memcpy(&wanted, &after, sizeof wanted);
        if (__atomic_compare_exchange_n(w, &seen, wanted, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) break;
    } while (true);
    return before;
}

#define TB_ATOMIC_INTEGER(T) \
    TB_FN T atomicAdd(T *p, T v) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); } \
    TB_FN T atomicSub(T *p, T v) { return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST); } \
    TB_FN T atomicAnd(T *p, T v) { return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST); } \
    TB_FN T atomicOr(T *p, T v) { return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST); } \
    TB_FN T atomicXor(T *p, T v) { return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST); } \
    TB_ATOMIC_ANY(T)
#define TB_ATOMIC_FLOAT(T) \
    TB_FN T atomicAdd(T *p, T v) { return tb_atomic(p, [=](T x) { return (T)(x + v); }); } \
    TB_FN T atomicSub(T *p, T v) { return tb_atomic(p, [=](T x) { return (T)(x - v); }); } \
    TB_ATOMIC_ANY(T)
#define TB_ATOMIC_ANY(T) \
    TB_FN T atomicMin(T *p, T v) { return tb_atomic(p, [=](T x) { return v < x ? v : x; }); } \
    TB_FN T atomicMax(T *p, T v) { return tb_atomic(p, [=](T x) { return x < v ? v : x; }); } \
    TB_FN T atomicExch(T *p, T v) { return tb_atomic(p, [=](T) { return v; }); }
#define TB_ATOMIC_CAS(T) \
    TB_FN T atomicCAS(T *p, T compare, T v) \
    { \
        __atomic_compare_exchange_n(p, &compare, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return compare; \
    }

TB_ATOMIC_INTEGER(int)
TB_ATOMIC_INTEGER(unsigned)
TB_ATOMIC_INTEGER(long long)
TB_ATOMIC_INTEGER(tb_ull)
TB_ATOMIC_INTEGER(long)
TB_ATOMIC_INTEGER(unsigned long)
TB_ATOMIC_FLOAT(float)
TB_ATOMIC_FLOAT(double)
TB_ATOMIC_CAS(int)
TB_ATOMIC_CAS(unsigned)
TB_ATOMIC_CAS(long long)
TB_ATOMIC_CAS(tb_ull)
TB_ATOMIC_CAS(long)
TB_ATOMIC_CAS(unsigned long)
TB_ATOMIC_CAS(unsigned short)
TB_FN unsigned atomicInc(unsigned *p, unsigned most)
{
    return tb_atomic(p, [=](unsigned x) { return x >= most ? 0u : x + 1; });
}
TB_FN unsigned atomicDec(unsigned *p, unsigned most)
{
    return tb_atomic(p, [=](unsigned x) { return x == 0 || x > most ? most : x - 1; });
}

/* The scopes, and values whose type differs from the target's, go to the functions above. */
#define TB_ATOMIC_SCOPES(f) \
    template <class T> TB_FN T f##_block(T *p, TB_VALUE(T) v) { return f(p, v); } \
    template <class T> TB_FN T f##_system(T *p, TB_VALUE(T) v) { return f(p, v); }
TB_ATOMIC_SCOPES(atomicAdd) TB_ATOMIC_SCOPES(atomicSub) TB_ATOMIC_SCOPES(atomicMin) TB_ATOMIC_SCOPES(atomicMax)
TB_ATOMIC_SCOPES(atomicExch) TB_ATOMIC_SCOPES(atomicAnd) TB_ATOMIC_SCOPES(atomicOr) TB_ATOMIC_SCOPES(atomicXor)
TB_ATOMIC_SCOPES(atomicInc) TB_ATOMIC_SCOPES(atomicDec)
template <class T> TB_FN T atomicCAS_block(T *p, TB_VALUE(T) c, TB_VALUE(T) v) { return atomicCAS(p, c, v); }
template <class T> TB_FN T atomicCAS_system(T *p, TB_VALUE(T) c, TB_VALUE(T) v) { return atomicCAS(p, c, v); }
#endif
