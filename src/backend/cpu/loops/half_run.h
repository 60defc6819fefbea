/* half_run.h - runs of float16 and bfloat16 to and from float, with the widest instructions of the set compiled for. */
#ifndef TB_BACKEND_CPU_LOOPS_HALF_RUN_H
#define TB_BACKEND_CPU_LOOPS_HALF_RUN_H
#include "kernels/types.h"
#include "kernels/half.h"
#ifdef __F16C__
#include <immintrin.h>
#endif

/* Points that loops of 16 bits convert at a time: the buffers of three operands stay in the first-level cache. */
enum { TB_HALF_RUN = 1024 };

TB_FN void tb_f32_run_of_f16(float *restrict out, const tb_f16 *restrict in, int64_t n)
{
    int64_t k = 0;
#if defined(__AVX512F__)
    for (; k + 16 <= n; k += 16)
        _mm512_storeu_ps(out + k, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)(in + k))));
#elif defined(__F16C__)
    for (; k + 8 <= n; k += 8)
        _mm256_storeu_ps(out + k, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(in + k))));
#endif
    for (; k < n; k++) out[k] = tb_f32_of_f16(in[k]);
}

TB_FN void tb_f16_run_of_f32(tb_f16 *restrict out, const float *restrict in, int64_t n)
{
    int64_t k = 0;
#if defined(__AVX512F__)
    for (; k + 16 <= n; k += 16)
        _mm256_storeu_si256((__m256i *)(void *)(out + k), _mm512_cvtps_ph(_mm512_loadu_ps(in + k), 0));
#elif defined(__F16C__)
    for (; k + 8 <= n; k += 8)
        _mm_storeu_si128((__m128i *)(void *)(out + k), _mm256_cvtps_ph(_mm256_loadu_ps(in + k), 0));
#endif
    for (; k < n; k++) out[k] = tb_f16_of_f32(in[k]);
}

TB_FN void tb_f32_run_of_bf16(float *restrict out, const tb_bf16 *restrict in, int64_t n)
{
    for (int64_t k = 0; k < n; k++) out[k] = tb_f32_of_bf16(in[k]);
}

TB_FN void tb_bf16_run_of_f32(tb_bf16 *restrict out, const float *restrict in, int64_t n)
{
    for (int64_t k = 0; k < n; k++) out[k] = tb_bf16_of_f32(in[k]);
}

/* By the type of the elements. */
#define TB_FLOATS_OF_RUN(out, in, n) \
    _Generic(*(in), tb_f16: tb_f32_run_of_f16, tb_bf16: tb_f32_run_of_bf16)(out, (const void *)(in), n)
#define TB_RUN_OF_FLOATS(out, in, n) \
    _Generic(*(out), tb_f16: tb_f16_run_of_f32, tb_bf16: tb_bf16_run_of_f32)((void *)(out), in, n)
#endif
