/* loop_forms.h - the functions that rows of one to four inputs become, for loops.c and special_loops.c. */
#ifndef TB_BACKEND_CPU_LOOPS_LOOP_FORMS_H
#define TB_BACKEND_CPU_LOOPS_LOOP_FORMS_H
#include "backend/cpu/loops/half_run.h"

/* Points are independent even where the output is an input: a point is read before it is written. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety) interleave(enable)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Conversions are not inlined: a call for a run costs nothing here, and there are some hundred callers. */
static __attribute__((noinline, unused)) void half_in(float *restrict run, const tb_f16 *restrict x, int64_t m)
{
    tb_f32_run_of_f16(run, x, m);
}

static __attribute__((noinline, unused)) void half_out(tb_f16 *restrict o, const float *restrict run, int64_t m)
{
    tb_f16_run_of_f32(o, run, m);
}

static __attribute__((noinline, unused)) void bfloat_in(float *restrict run, const tb_bf16 *restrict x, int64_t m)
{
    tb_f32_run_of_bf16(run, x, m);
}

static __attribute__((noinline, unused)) void bfloat_out(tb_bf16 *restrict o, const float *restrict run, int64_t m)
{
    tb_bf16_run_of_f32(o, run, m);
}

/* IS_HALF_T: whether dtype T goes through a buffer. IN_T(x, k): pointer x to the run's points of operand k, as
 * registers. OUT_T, END_T: the same for the output, before and after the run. */
#define IS_HALF_f16 1
#define IN_f16(x, k)             \
    float x##_run[TB_HALF_RUN];  \
    const float *x = x##_run;    \
    half_in(x##_run, (const tb_f16 *)p[k] + at, m);
#define OUT_f16 float o[TB_HALF_RUN];
#define END_f16 half_out((tb_f16 *)p[0] + at, o, m);
#define IS_HALF_bf16 1
#define IN_bf16(x, k)            \
    float x##_run[TB_HALF_RUN];  \
    const float *x = x##_run;    \
    bfloat_in(x##_run, (const tb_bf16 *)p[k] + at, m);
#define OUT_bf16 float o[TB_HALF_RUN];
#define END_bf16 bfloat_out((tb_bf16 *)p[0] + at, o, m);

#define IN_AS_IS(T, x, k) const tb_##T *x = (const tb_##T *)p[k] + at;
#define OUT_AS_IS(T) tb_##T *o = (tb_##T *)p[0] + at;
#define IS_HALF_bool 0
#define IN_bool(x, k) IN_AS_IS(bool, x, k)
#define OUT_bool OUT_AS_IS(bool)
#define END_bool
#define IS_HALF_i8 0
#define IN_i8(x, k) IN_AS_IS(i8, x, k)
#define OUT_i8 OUT_AS_IS(i8)
#define END_i8
#define IS_HALF_u8 0
#define IN_u8(x, k) IN_AS_IS(u8, x, k)
#define OUT_u8 OUT_AS_IS(u8)
#define END_u8
#define IS_HALF_i16 0
#define IN_i16(x, k) IN_AS_IS(i16, x, k)
#define OUT_i16 OUT_AS_IS(i16)
#define END_i16
#define IS_HALF_u16 0
#define IN_u16(x, k) IN_AS_IS(u16, x, k)
#define OUT_u16 OUT_AS_IS(u16)
#define END_u16
#define IS_HALF_i32 0
#define IN_i32(x, k) IN_AS_IS(i32, x, k)
#define OUT_i32 OUT_AS_IS(i32)
#define END_i32
#define IS_HALF_u32 0
#define IN_u32(x, k) IN_AS_IS(u32, x, k)
#define OUT_u32 OUT_AS_IS(u32)
#define END_u32
#define IS_HALF_i64 0
#define IN_i64(x, k) IN_AS_IS(i64, x, k)
#define OUT_i64 OUT_AS_IS(i64)
#define END_i64
#define IS_HALF_u64 0
#define IN_u64(x, k) IN_AS_IS(u64, x, k)
#define OUT_u64 OUT_AS_IS(u64)
#define END_u64
#define IS_HALF_f32 0
#define IN_f32(x, k) IN_AS_IS(f32, x, k)
#define OUT_f32 OUT_AS_IS(f32)
#define END_f32
#define IS_HALF_f64 0
#define IN_f64(x, k) IN_AS_IS(f64, x, k)
#define OUT_f64 OUT_AS_IS(f64)
#define END_f64
#define IS_HALF_c64 0
#define IN_c64(x, k) IN_AS_IS(c64, x, k)
#define OUT_c64 OUT_AS_IS(c64)
#define END_c64
#define IS_HALF_c128 0
#define IN_c128(x, k) IN_AS_IS(c128, x, k)
#define OUT_c128 OUT_AS_IS(c128)
#define END_c128

/* Starts a loop function: runs of m points from `at`; all n at once where no operand is of 16 bits. linkage: static, or
 * nothing. */
#define BEGIN(linkage, name, half)                                              \
    linkage void name(int64_t n, void *const *p, int64_t index)                  \
    {                                                                           \
        (void)index;                                                            \
        const int64_t longest = (half) ? TB_HALF_RUN : INT64_MAX;               \
        for (int64_t at = 0, m; at < n; at += m) {                              \
            m = n - at < longest ? n - at : longest;

#define FORM1(linkage, name, A, O, e)                                                  \
    BEGIN(linkage, name, IS_HALF_##A || IS_HALF_##O)                           \
            IN_##A(x, 1) OUT_##O                                                \
            INDEPENDENT for (int64_t k = 0; k < m; k++) {                       \
                const tb_reg_##A a = x[k];                                      \
                (void)a;                                                        \
                o[k] = e;                                                       \
            }                                                                   \
            END_##O                                                             \
        }                                                                       \
    }
#define FORM2(linkage, name, A, B, O, e)                                                  \
    BEGIN(linkage, name, IS_HALF_##A || IS_HALF_##B || IS_HALF_##O)      \
            IN_##A(x, 1) IN_##B(y, 2) OUT_##O                                   \
            INDEPENDENT for (int64_t k = 0; k < m; k++) {                       \
                const tb_reg_##A a = x[k];                                      \
                const tb_reg_##B b = y[k];                                      \
                o[k] = e;                                                       \
            }                                                                   \
            END_##O                                                             \
        }                                                                       \
    }
#define FORM3(linkage, name, A, B, C, O, e)                                                  \
    BEGIN(linkage, name, IS_HALF_##A || IS_HALF_##B || IS_HALF_##C || IS_HALF_##O) \
            IN_##A(x, 1) IN_##B(y, 2) IN_##C(z, 3) OUT_##O                      \
            INDEPENDENT for (int64_t k = 0; k < m; k++) {                       \
                const tb_reg_##A a = x[k];                                      \
                const tb_reg_##B b = y[k];                                      \
                const tb_reg_##C c = z[k];                                      \
                o[k] = e;                                                       \
            }                                                                   \
            END_##O                                                             \
        }                                                                       \
    }
#define FORM4(linkage, name, A, B, C, D, O, e)                                  \
    BEGIN(linkage, name, IS_HALF_##A || IS_HALF_##B || IS_HALF_##C || IS_HALF_##D || IS_HALF_##O) \
            IN_##A(x, 1) IN_##B(y, 2) IN_##C(z, 3) IN_##D(w, 4) OUT_##O         \
            INDEPENDENT for (int64_t k = 0; k < m; k++) {                       \
                const tb_reg_##A a = x[k];                                      \
                const tb_reg_##B b = y[k];                                      \
                const tb_reg_##C c = z[k];                                      \
                const tb_reg_##D d = w[k];                                      \
                o[k] = e;                                                       \
            }                                                                   \
            END_##O                                                             \
        }                                                                       \
    }
#endif
