/* update.h - scatters that combine a value with what is in memory, where several threads may mean one place.
 *
 * Sums and bits that the machine has instructions for use them; complex numbers add by parts, narrow integers to a
 * part of a word, float16 in pairs. Everything else compares and swaps, unless that would change nothing, in words of
 * the element's size, or in the aligned 32 bits around a narrower element; elements of 16 bytes have locks. What is
 * there is read past the multiprocessor's cache. */

template <class T> union tb_bits32 {
    tb_u32 bits;
    T value;
};
template <class T> union tb_bits64 {
    tb_u64 bits;
    T value;
};
template <class T> union tb_bits128 {
    tb_u64 bits[2];
    T value;
};

template <class T, int N> struct tb_swap;

/* Those who lost a word to another thread try again at once, and then later and later, at different times: where
 * thousands want it, few would get on if all kept trying. True: what the word was is no news any more. */
TB_FN bool tb_step_back(tb_u32 &wait)
{
    enum { LEAST = 64, MOST = 1 << 15 }; /* nanoseconds */
    const tb_u32 now = wait;
    wait = now < LEAST ? LEAST : now < MOST ? 2 * now : MOST;
    if (now) __nanosleep(now / 2 + (threadIdx.x * 97u + blockIdx.x * 31u) % now);
    return now != 0;
}

template <class T> struct tb_swap<T, 8> {
    template <class F> TB_FN void run(char *to, F f)
    {
        tb_u64 *word = (tb_u64 *)to, seen = *(volatile tb_u64 *)word;
        tb_u32 wait = 0;
        for (;;) {
            tb_bits64<T> x;
            const tb_u64 had = x.bits = seen;
            x.value = f(x.value);
            if (x.bits == had || (seen = atomicCAS(word, had, x.bits)) == had) break;
            if (tb_step_back(wait)) seen = *(volatile tb_u64 *)word;
        }
    }
};

enum { TB_LOCKS = 4096 };
static __device__ tb_u32 tb_locks[TB_LOCKS]; /* zero: free. A place has one, which others may have as well. */

/* Whoever has the lock gives it back before the threads of its warp go on, which may want it. Memory is read and
 * written past the cache of the multiprocessor, as other threads do. */
template <class T> struct tb_swap<T, 16> {
    template <class F> TB_FN void run(char *to, F f)
    {
        tb_u32 *lock = &tb_locks[((tb_u64)to >> 3) % TB_LOCKS];
        volatile tb_u64 *word = (volatile tb_u64 *)to;
        for (bool done = false; !done;) {
            if (atomicCAS(lock, 0u, 1u) != 0) continue;
            __threadfence();
            tb_bits128<T> x;
            x.bits[0] = word[0];
            x.bits[1] = word[1];
            x.value = f(x.value);
            word[0] = x.bits[0];
            word[1] = x.bits[1];
            __threadfence();
            atomicExch(lock, 0u);
            done = true;
        }
    }
};

/* Where an element that has no word of its own begins in one, in bits. */
TB_FN tb_u32 tb_word_shift(const char *to) { return (tb_u32)((tb_u64)to & 3) * 8; }

template <class T, int N> struct tb_swap {
    template <class F> TB_FN void run(char *to, F f)
    {
        const tb_u32 shift = tb_word_shift(to), mask = (N == 4 ? ~0u : (1u << N % 4 * 8) - 1) << shift;
        tb_u32 *word = (tb_u32 *)(to - shift / 8), seen = *(volatile tb_u32 *)word, wait = 0;
        for (;;) {
            tb_bits32<T> x;
            const tb_u32 had = seen;
            x.bits = (had & mask) >> shift;
            x.value = f(x.value);
            const tb_u32 next = (had & ~mask) | (x.bits << shift & mask);
            if (next == had || (seen = atomicCAS(word, had, next)) == had) break;
            if (tb_step_back(wait)) seen = *(volatile tb_u32 *)word;
        }
    }
};

/* The element at `to` becomes f of what it is. */
template <class T, class F> TB_FN void tb_update(char *to, F f)
{
    tb_swap<T, (int)sizeof(T)>::run(to, f);
}

/* ---- what the machine has instructions for --------------------------------------------------------------------- */

#define TB_ADDS_NATIVELY(T, as)                                                                  \
    TB_FN void tb_atomic_add(char *to, T x) { atomicAdd((as *)to, (as)x); }                             \
    TB_FN void tb_atomic_subtract(char *to, T x) { atomicAdd((as *)to, (as)-x); }
TB_ADDS_NATIVELY(tb_i32, tb_i32)
TB_ADDS_NATIVELY(tb_u32, tb_u32)
TB_ADDS_NATIVELY(tb_i64, tb_u64)
TB_ADDS_NATIVELY(tb_u64, tb_u64)
TB_ADDS_NATIVELY(tb_f32, tb_f32)
TB_ADDS_NATIVELY(tb_f64, tb_f64)
#undef TB_ADDS_NATIVELY

/* Whether the aligned 32 bits around `to` are within the n bytes from `from`. Of what is beside them nothing is known:
 * what a carry does to others for a moment might meet with a store of theirs, and adding -0, as float16, might change
 * bits that are a NaN of that type. */
TB_FN bool tb_has_word(const char *to, const char *from, tb_i64 n)
{
    const char *word = to - tb_word_shift(to) / 8;
    return word >= from && word + 4 <= from + n;
}

/* Adds x to the narrow integer at `to` by additions to the aligned 32 bits around it. What one carries into the
 * elements above is taken away by the next, which may carry further up in its turn, so that there are as many at most
 * as a word has elements. The word is the sum of all that is added to it, in whatever order, and each addition sees
 * from what it found which carries it made: when all have ended every carry has been taken away, though not before. */
template <class T> TB_FN void tb_add_narrow(char *to, tb_i32 x)
{
    enum { BITS = sizeof(T) * 8, N = 32 / BITS };
    const tb_u32 shift = tb_word_shift(to);
    tb_i32 amount[N];    /* what is to be added to each element */
    tb_i64 below[N + 1]; /* what that makes below each element */
#pragma unroll
    for (int k = 0; k < N; k++) amount[k] = k * BITS == (int)shift ? x : 0;
    for (bool carried = true; carried;) {
        below[0] = 0;
#pragma unroll
        for (int k = 0; k < N; k++) below[k + 1] = below[k] + amount[k] * (1ll << k * BITS);
        const tb_i64 had = atomicAdd((tb_u32 *)(to - shift / 8), (tb_u32)below[N]);
        carried = false;
        amount[0] = 0;
#pragma unroll
        for (int k = 1; k < N; k++) {
            amount[k] = -(tb_i32)(((had & ((1ll << k * BITS) - 1)) + below[k]) >> k * BITS);
            carried |= amount[k] != 0;
        }
    }
}

#define TB_ADDS_NARROW(T)                                                                        \
    TB_FN void tb_atomic_add(char *to, T x) { tb_add_narrow<T>(to, x); }                                \
    TB_FN void tb_atomic_subtract(char *to, T x) { tb_add_narrow<T>(to, -(tb_i32)x); }
TB_ADDS_NARROW(tb_i8)
TB_ADDS_NARROW(tb_u8)
TB_ADDS_NARROW(tb_i16)
TB_ADDS_NARROW(tb_u16)
#undef TB_ADDS_NARROW

/* The machine adds pairs of float16; -0 changes no number that it is added to. A host needs half.h for it. */
#if !defined TB_HOST_CUDA || defined TB_HAS_HALF
template <class T> TB_FN void tb_add_half(char *to, T x)
{
#if defined __CUDA_ARCH__ && !defined TB_HOST_CUDA
    const tb_u32 odd = (tb_u32)(tb_u64)to & 2, pair = odd ? (tb_u32)x.bits << 16 | 0x8000u : 0x80000000u | x.bits;
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" : : "l"(to - odd), "r"(pair) : "memory");
#else
    tb_update<T>(to, [=](T old) { return tb_f16_of_f32(tb_f32_of_f16(old) + tb_f32_of_f16(x)); });
#endif
}
template <class T> TB_FN void tb_subtract_half(char *to, T x)
{
    x.bits ^= 0x8000;
    tb_add_half(to, x);
}
TB_FN void tb_atomic_add(char *to, tb_f16 x) { tb_add_half(to, x); }
TB_FN void tb_atomic_subtract(char *to, tb_f16 x) { tb_subtract_half(to, x); }
#endif

/* Pairs of bfloat16 would be added as such from 9.0 on. */
#ifdef TB_HAS_HALF
TB_FN void tb_atomic_add(char *to, tb_bf16 x)
{
    tb_update<tb_bf16>(to, [=](tb_bf16 old) { return tb_bf16_of_f32(tb_f32_of_bf16(old) + tb_f32_of_bf16(x)); });
}
TB_FN void tb_atomic_subtract(char *to, tb_bf16 x)
{
    x.bits ^= 0x8000;
    tb_atomic_add(to, x);
}
#endif

#define TB_ADDS_BY_PARTS(T, part)                                                                \
    TB_FN void tb_atomic_add(char *to, T x)                                                             \
    {                                                                                            \
        atomicAdd((part *)to, x.re);                                                             \
        atomicAdd((part *)to + 1, x.im);                                                         \
    }                                                                                            \
    TB_FN void tb_atomic_subtract(char *to, T x)                                                        \
    {                                                                                            \
        atomicAdd((part *)to, -x.re);                                                            \
        atomicAdd((part *)to + 1, -x.im);                                                        \
    }
TB_ADDS_BY_PARTS(tb_c64, float)
TB_ADDS_BY_PARTS(tb_c128, double)
#undef TB_ADDS_BY_PARTS

/* Of narrow elements in the aligned 32 bits around them. neutral: what leaves the neighbours as they are. */
#define TB_BITS_NATIVELY(op, function, neutral)                                                  \
    template <class T> TB_FN void tb_atomic_##op(char *to, T x)                                         \
    {                                                                                            \
        if constexpr (sizeof(T) == 8) {                                                          \
            function((tb_u64 *)to, (tb_u64)x);                                                   \
        } else {                                                                                 \
            const tb_u32 shift = sizeof(T) < 4 ? tb_word_shift(to) : 0;                          \
            const tb_u32 mask = (~0u >> (32 - 8 * sizeof(T))) << shift;                          \
            function((tb_u32 *)(to - shift / 8), (((tb_u32)x << shift) & mask) | (neutral & ~mask)); \
        }                                                                                        \
    }
TB_BITS_NATIVELY(bitwise_and, atomicAnd, ~0u)
TB_BITS_NATIVELY(bitwise_or, atomicOr, 0u)
TB_BITS_NATIVELY(bitwise_xor, atomicXor, 0u)
#undef TB_BITS_NATIVELY
