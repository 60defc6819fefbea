/* device_quotient.h - quotients of float32, those of a chunk together. Device only.
 *
 * The machine's own division branches for every quotient, to code for operands of rare magnitudes, and computes
 * nothing once for all quotients by one number. This one takes the same steps: an approximate reciprocal, Newton's step
 * on it, a quotient and its remainder, which round correctly as long as nothing over- or underflows (P. Markstein,
 * Computation of elementary functions on the IBM RISC System/6000 processor, IBM J. Res. Dev. 34, 1990). Whether
 * something might is asked once for a chunk, whose quotients then are the machine's. */

static __device__ __noinline__ float tb_rare_quotient(float a, float b)
{
    return a / b;
}

TB_FN float tb_near_reciprocal(float b)
{
#ifdef __CUDACC_RTC__
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(b));
    return y;
#else
    return 1 / b;
#endif
}

TB_FN float tb_quotient(float a, float b, bool &rare)
{
    const float near = tb_near_reciprocal(b), y = fmaf(fmaf(-b, near, 1.0f), near, near);
    const float q = a * y, r = fmaf(-b, q, a), rounded = fmaf(r, y, q);
    rare |= !(fabsf(b) <= 0x1p63f);
    rare |= !(fabsf(a) >= 0x1p-63f) & (__float_as_uint(a) != 0); /* 0 / b is right, -0 / b not */
    rare |= rounded != rounded;
    return rounded;
}

TB_FN float tb_item(float x, int) { return x; }
TB_FN float tb_item(const float (&x)[TB_V], int j) { return x[j]; }

/* q = a / b; a or b may be one number. */
template <class A, class B> TB_FN void tb_quotients(const A &a, const B &b, float (&q)[TB_V])
{
    bool rare = false;
#pragma unroll
    for (int j = 0; j < TB_V; j++) q[j] = tb_quotient(tb_item(a, j), tb_item(b, j), rare);
    if (!rare) return;
#pragma unroll
    for (int j = 0; j < TB_V; j++) q[j] = tb_rare_quotient(tb_item(a, j), tb_item(b, j));
}
