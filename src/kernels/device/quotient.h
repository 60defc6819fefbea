/* quotient.h - quotients of float32, those of a chunk together. Device only.
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

/* Neither so large nor so small that what follows from it could over- or underflow. */
TB_FN bool tb_is_moderate(float x) { return fabsf(x) >= 0x1p-63f && fabsf(x) <= 0x1p63f; }

/* Of numbers that may have to be told apart as rare: NaN where the reciprocal is 0 or infinite, or the quotient is. */
TB_FN float tb_quotient(float a, float b)
{
    const float near = tb_near_reciprocal(b), y = fmaf(fmaf(-b, near, 1.0f), near, near);
    const float q = a * y, r = fmaf(-b, q, a);
    return fmaf(r, y, q);
}

TB_FN float tb_item(float x, int) { return x; }
TB_FN float tb_item(const float (&x)[TB_V], int j) { return x[j]; }

/* Where one of the operands is one number and moderate, quotients from a least one on tell that the other is, too. */
TB_FN bool tb_is_rare(const float (&a)[TB_V], const float (&b)[TB_V], const float (&q)[TB_V])
{
    bool rare = false;
#pragma unroll
    for (int j = 0; j < TB_V; j++) rare |= !(fabsf(a[j]) >= 0x1p-63f) | !(fabsf(b[j]) <= 0x1p63f) | (q[j] != q[j]);
    return rare;
}

TB_FN bool tb_is_rare(float scale, bool moderate, const float (&q)[TB_V])
{
    const float least = fabsf(scale) * 0x1p-62f;
    bool rare = !moderate;
#pragma unroll
    for (int j = 0; j < TB_V; j++) rare |= !(fabsf(q[j]) >= least);
    return rare;
}

TB_FN bool tb_is_rare(const float (&)[TB_V], float b, const float (&q)[TB_V])
{
    return tb_is_rare(tb_near_reciprocal(b), tb_is_moderate(b), q);
}

TB_FN bool tb_is_rare(float a, const float (&)[TB_V], const float (&q)[TB_V])
{
    return tb_is_rare(a, tb_is_moderate(a), q);
}

/* q = a / b; a or b may be one number. Zero over something moderate is common enough to be spared the call. */
template <class A, class B> TB_FN void tb_quotients(const A &a, const B &b, float (&q)[TB_V])
{
#pragma unroll
    for (int j = 0; j < TB_V; j++) q[j] = tb_quotient(tb_item(a, j), tb_item(b, j));
    if (!tb_is_rare(a, b, q)) return;
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        const float x = tb_item(a, j), y = tb_item(b, j);
        q[j] = x == 0 && tb_is_moderate(y) ? x * y : tb_rare_quotient(x, y);
    }
}
