/* reduce_places.c - the loops of argmin and argmax, which need positions. Compiled once per instruction set (TB_ISA).
 */
#include <limits.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/reduce_fold.h"
#include "backend/cpu/loops/reduce_rows.h"

enum { GROUP = 128, STRIP = 128, STRIP_ROWS = 64, ARG_LEAF = 4096, WIDE_LEAF = 256 };
/* Of each kind: elements of a line that are looked at one by one, of complex numbers few twice; and whether there are
 * no values but 0 and 1. */
enum { SHORT_TRUTH = 20, SHORT_OTHER = 20, SHORT_HALF = 20, SHORT_REAL = 20, SHORT_COMPLEX = 256 };
enum { IS_TRUTH_TRUTH = 1, IS_TRUTH_OTHER = 0, IS_TRUTH_HALF = 0, IS_TRUTH_REAL = 0, IS_TRUTH_COMPLEX = 0 };

/* A row of a strip, as wide as a register of the dtype. */
typedef int8_t place_bool, place_i8, place_u8;
typedef int16_t place_i16, place_u16;
typedef int32_t place_i32, place_u32, place_f16, place_bf16, place_f32;
typedef int64_t place_i64, place_u64, place_f64, place_c64, place_c128;

/* worse_T: v's real part says that it is not the best. better_T: v comes before the best, in a line of which odd_T
 * holds for no element. pick_T: a if it comes first, else b. same_T: v is as good as the best of its line, unless that
 * is NaN: a line with one has it as its best, and then no number is as good. */
#define SAME_REAL(T)                                                                                             \
    FN int is_nan_##T(tb_reg_##T v) { return v != v; }                                                           \
    FN tb_reg_##T pick_##T(int first, tb_reg_##T a, tb_reg_##T b) { return first ? a : b; }                      \
    FN int worse_argmin_##T(tb_reg_##T v, tb_reg_##T best) { return (void)v, (void)best, 0; }                    \
    FN int worse_argmax_##T(tb_reg_##T v, tb_reg_##T best) { return (void)v, (void)best, 0; }                    \
    FN int odd_##T(tb_reg_##T v) { return v != v; }                                                              \
    FN int better_argmin_##T(tb_reg_##T v, tb_reg_##T best) { return v < best; }                                 \
    FN int better_argmax_##T(tb_reg_##T v, tb_reg_##T best) { return v > best; }                                 \
    FN int same_argmin_##T(tb_reg_##T best, tb_reg_##T v) { return v == best; }                                  \
    FN int same_argmax_##T(tb_reg_##T best, tb_reg_##T v) { return v == best; }
#define SAME_COMPLEX(T)                                                                                          \
    FN int is_nan_##T(tb_reg_##T v) { return tb_has_nan_##T(v); }                                                \
    FN tb_##T pick_##T(int first, tb_##T a, tb_##T b)                                                            \
    {                                                                                                            \
        return tb_make_##T(first ? a.re : b.re, first ? a.im : b.im);                                            \
    }                                                                                                            \
    FN int worse_argmin_##T(tb_reg_##T v, tb_reg_##T best) { return (v.re > best.re) & (v.im == v.im); }         \
    FN int worse_argmax_##T(tb_reg_##T v, tb_reg_##T best) { return (v.re < best.re) & (v.im == v.im); }         \
    FN int odd_##T(tb_reg_##T v) { return (void)v, 0; }                                                          \
    FN int better_argmin_##T(tb_reg_##T v, tb_reg_##T best) { return tb_before_argmin_##T(v, best); }            \
    FN int better_argmax_##T(tb_reg_##T v, tb_reg_##T best) { return tb_before_argmax_##T(v, best); }            \
    FN int same_argmin_##T(tb_reg_##T best, tb_reg_##T v) { return !tb_before_argmin_##T(best, v); }             \
    FN int same_argmax_##T(tb_reg_##T best, tb_reg_##T v) { return !tb_before_argmax_##T(best, v); }
SAME_REAL(bool)
SAME_REAL(i8)
SAME_REAL(u8)
SAME_REAL(i16)
SAME_REAL(u16)
SAME_REAL(i32)
SAME_REAL(u32)
SAME_REAL(i64)
SAME_REAL(u64)
SAME_REAL(f16)
SAME_REAL(bf16)
SAME_REAL(f32)
SAME_REAL(f64)
SAME_COMPLEX(c64)
SAME_COMPLEX(c128)

/* The first of n elements that TEST holds for; n if there is none. A truth value of all bits, as wide as an element, is
 * what comparing vectors gives. No branches: where the first one is, is often random. */
#define FIND(fn, IN, REG, LOAD, PLACE, TEST)                                                                     \
    FN int fn##_first(int n, const IN *p, REG best)                                                              \
    {                                                                                                            \
        int at = n;                                                                                              \
        (void)best;                                                                                              \
        for (int j = 0; j < n; j++) {                                                                            \
            const REG v = LOAD(p[j]);                                                                            \
            const int here = j | (((TEST) - 1) & INT_MAX);                                                       \
            at = here < at ? here : at;                                                                          \
        }                                                                                                        \
        return at;                                                                                               \
    }                                                                                                            \
    FN int64_t fn(int64_t n, const IN *p, REG best)                                                              \
    {                                                                                                            \
        int64_t k = 0;                                                                                           \
        for (; k + GROUP <= n; k += GROUP) {                                                                     \
            PLACE found = 0;                                                                                     \
            for (int j = 0; j < GROUP; j++) {                                                                    \
                const REG v = LOAD(p[k + j]);                                                                    \
                found |= (PLACE)-(PLACE)(TEST);                                                                  \
            }                                                                                                    \
            if (found) return k + fn##_first(GROUP, p + k, best);                                                \
        }                                                                                                        \
        return k + fn##_first((int)(n - k), p + k, best);                                                        \
    }

/* Best values are found without positions, leaf by leaf; only in the leaf of the best one is it looked for, and there
 * only in the first group that has it: the wider the elements, the longer that takes beside a leaf's own cost. Of truth
 * values what is better than the first is the best. */
#define ARG_LINES(name, KIND, BEST, IN, REG, LOAD, ACC, PLACE, ARG, BEFORE, ODD, BEATS, WORSE, PICK, SAME, IS_NAN) \
    FIND(name##_find, IN, REG, LOAD, PLACE, SAME(best, v))                                                       \
    FIND(name##_find_nan, IN, REG, LOAD, PLACE, IS_NAN(v))                                                       \
    FIND(name##_find_better, IN, REG, LOAD, PLACE, BEFORE(v, best))                                              \
    FN ACC name##_odd(int n, const IN *p, int64_t i)                                                             \
    {                                                                                                            \
        REG best = LOAD(p[0]);                                                                                   \
        int at = 0;                                                                                              \
        for (int k = 1; k < n; k++) {                                                                            \
            const REG v = LOAD(p[k]);                                                                            \
            if (BEFORE(v, best)) best = v, at = k;                                                               \
        }                                                                                                        \
        return ARG(best, i + at);                                                                             \
    }                                                                                                            \
    FN ACC name##_short(int n, const IN *p, int64_t i)                                                           \
    {                                                                                                            \
        REG best = LOAD(p[0]);                                                                                   \
        int at = 0, odd = ODD(best);                                                                             \
        for (int k = 1; k < n; k++) {                                                                            \
            const REG v = LOAD(p[k]);                                                                            \
            if (WORSE(v, best)) continue;                                                                        \
            const int better = BEATS(v, best);                                                                  \
            odd |= ODD(v);                                                                                       \
            best = PICK(better, v, best);                                                                        \
            at = better ? k : at;                                                                                \
        }                                                                                                        \
        return odd ? name##_odd(n, p, i) : ARG(best, i + at);                                                 \
    }                                                                                                            \
    FN ACC name##_line(int64_t n, const IN *p, int64_t i)                                                        \
    {                                                                                                            \
        const int64_t leaf = sizeof(IN) < 8 ? ARG_LEAF : WIDE_LEAF;                                              \
        REG best = LOAD(p[0]);                                                                                   \
        int64_t at = 0;                                                                                          \
        if (JOIN(IS_TRUTH_, KIND)) {                                                                             \
            at = *(const tb_u8 *)p == BEST ? n : name##_find_better(n, p, best);                                 \
            return at < n ? ARG(LOAD(p[at]), i + at) : ARG(best, i);                                       \
        }                                                                                                        \
        for (int64_t k = 0; k < n; k += leaf) {                                                                  \
            const int64_t m = n - k < leaf ? n - k : leaf;                                                       \
            const REG v = name##_leaf(m, p + k);                                                                 \
            if (BEFORE(v, best)) best = v, at = k;                                                               \
        }                                                                                                        \
        const int64_t k = IS_NAN(best) ? name##_find_nan(n - at, p + at, best) : name##_find(n - at, p + at, best);\
        return ARG(best, i + at + k);                                                                        \
    }                                                                                                            \
    FN void name##_lines(int64_t nline, int64_t n, const void *v, int64_t stride, void *acc, int64_t i)          \
    {                                                                                                            \
        ACC *a = acc;                                                                                            \
        for (int64_t r = 0; r < nline; r++) {                                                                    \
            const IN *p = (const IN *)((const char *)v + r * stride);                                            \
            a[r] = n <= JOIN(SHORT_, KIND) ? name##_short((int)n, p, i) : name##_line(n, p, i);                  \
        }                                                                                                        \
    }

/* The best of a strip of columns and its row, in arrays of one item size so that vectors of both match; the
 * accumulators are looked at only then. */
#define ARG_ROWS(name, IN, REG, LOAD, ACC, PLACE, ARG_OF, BEFORE, PICK)                                          \
    FN void name##_strip(int nrow, int w, const char *p, int64_t stride, ACC *a, int64_t i)                      \
    {                                                                                                            \
        REG best[STRIP];                                                                                         \
        PLACE place[STRIP];                                                                                      \
        for (int j = 0; j < w; j++) best[j] = LOAD(((const IN *)p)[j]), place[j] = 0;                            \
        for (int r = 1; r < nrow; r++) {                                                                         \
            const IN *row = (const IN *)(p + r * stride);                                                        \
            for (int j = 0; j < w; j++) {                                                                        \
                const REG v = LOAD(row[j]), s = best[j];                                                         \
                const int better = BEFORE(v, s);                                                                 \
                best[j] = PICK(better, v, s);                                                                    \
                place[j] = better ? (PLACE)r : place[j];                                                         \
            }                                                                                                    \
        }                                                                                                        \
        for (int j = 0; j < w; j++)                                                                              \
            if (a[j].i < 0 || BEFORE(best[j], a[j].v)) a[j] = ARG_OF(best[j], i + place[j]);                     \
    }                                                                                                            \
    FN void name##_rows(int64_t nrow, int64_t w, const void *rows, int64_t stride, void *acc, int64_t i)         \
    {                                                                                                            \
        const char *p = rows;                                                                                    \
        for (int64_t n; nrow > 0; nrow -= n, i += n, p += n * stride) {                                          \
            n = nrow < STRIP_ROWS ? nrow : STRIP_ROWS;                                                           \
            for (int64_t j = 0; j < w; j += STRIP)                                                               \
                name##_strip((int)n, (int)(w - j < STRIP ? w - j : STRIP), p + j * (int64_t)sizeof(IN), stride,  \
                             (ACC *)acc + j, i);                                                                 \
        }                                                                                                        \
    }

#define WINS_argmin <
#define WINS_argmax >
/* Of truth values. */
#define BEST_argmin 0
#define BEST_argmax 1

#define RED_INDEX(op, in, acc_, out, init_, step_, merge_, final_)                                               \
    JOIN(LEAF_, KIND_##in)(op##_##in, WINS_##op, KIND_##in, tb_##in, tb_reg_##in, tb_load_##in, tb_reg_##in,     \
                           first, tb_best_##op##_##in(v, s), tb_best_##op##_##in(t, s))                           \
    ARG_LINES(op##_##in, KIND_##in, BEST_##op, tb_##in, tb_reg_##in, tb_load_##in, acc_, place_##in,             \
              tb_arg_of_##in, tb_before_##op##_##in, odd_##in, better_##op##_##in, worse_##op##_##in, pick_##in, \
              same_##op##_##in, is_nan_##in)                                                                     \
    ARG_ROWS(op##_##in, tb_##in, tb_reg_##in, tb_load_##in, acc_, place_##in, tb_arg_of_##in,                    \
             tb_before_##op##_##in, pick_##in)                                                                   \
    INIT_AND_MERGE(op##_##in, acc_, (init_), (merge_))                                                           \
    FINAL_FN(op##_##in, tb_##out, tb_store_##out, acc_, (final_))
#include "tables/reduce.def"

#define RED_INDEX(op, in, acc_, ...)                                                                             \
    table[AT_##op##_##in] = (tb_red_loops){.acc = sizeof(acc_), .init = op##_##in##_init,                        \
                                           .lines = op##_##in##_lines, .rows = op##_##in##_rows,                 \
                                           .merge = op##_##in##_merge, .final = op##_##in##_final};

void TB_ISA_NAME(tb__red_places_, TB_ISA)(tb_red_loops *table)
{
#include "tables/reduce.def"
}
