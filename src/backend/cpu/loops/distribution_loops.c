/* distribution_loops.c - vector versions of the draws by rejection, compiled once for each instruction set (TB_ISA).
 *
 * A run of points takes its attempts together, and those that fail go on to the next one, moved up to the front. What
 * is computed of parameters alone is computed once where the run shares them, as it does where they are numbers. The
 * arithmetic is that of kernels/random_floats.h and random_counts.h, and so are the bits. Where there are no fused
 * multiply-adds the loops of single points are as good. */
#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/random_lanes.h"
#include "kernels/types.h"
#include "kernels/random_math.h"
#include "kernels/philox.h"
#include "kernels/random_points.h"
#include "kernels/random_floats.h"
#include "kernels/random_counts.h"
#include "tables/loops.h"

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
/* Points at a time. Attempts are made of whole groups, which may have points beyond the last that nobody asks for: a
 * rest that is no vector would take as long as many. */
enum { RUN = 512, GROUP = 16, ROOM = RUN + GROUP };

#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety) interleave(enable)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif
/* Compilers make so many vectors at a time as the narrowest elements of a loop ask for. With some of 16 bits, which
 * nobody reads, that is four of float64: chains as long as a logarithm's go by turns. n is ROOM at most. */
#define BY_TURNS(n, ...)                                 \
    do {                                                 \
        uint16_t turn[ROOM];                             \
        INDEPENDENT for (int64_t k = 0; k < (n); k++)    \
        {                                                \
            __VA_ARGS__;                                 \
            turn[k] = (uint16_t)k;                       \
        }                                                \
        __asm__ volatile("" : : "r"(turn) : "memory");   \
    } while (0)

/* What a loop calls must be in line for it to become vector code. */
#define IN_LINE __attribute__((flatten, noinline))

static inline tb_lanes_state start_points(const uint64_t *key, uint32_t attempt, uint32_t part)
{
    const lanes zero = {0};
    tb_lanes_state s = {zero + attempt, zero + part, zero, zero + TB_POINT_STREAM, zero};
    memcpy(&s.key, key, sizeof s.key);
    return s;
}

static inline void store_points(const tb_lanes_state *s, uint64_t *x, uint64_t *y)
{
    const lanes even = tb_lanes_even(s), odd = tb_lanes_odd(s);
    memcpy(x, &even, sizeof even);
    memcpy(y, &odd, sizeof odd);
}

/* The words of a block of each of n points; reads and writes up to a group more. */
static void point_words(int64_t n, const uint64_t *key, uint32_t attempt, uint32_t part, uint64_t *x, uint64_t *y)
{
    for (int64_t k = 0; k < n; k += 2 * LANES) {
        tb_lanes_state s[2];
        for (int j = 0; j < 2; j++) s[j] = start_points(key + k + j * LANES, attempt, part);
        tb_lanes_encrypt(2, s);
        for (int j = 0; j < 2; j++) store_points(&s[j], x + k + j * LANES, y + k + j * LANES);
    }
}

static bool are_same(int64_t n, const void *p, int64_t size)
{
    return size == 0 || n < 2 || memcmp(p, (const char *)p + size, (size_t)((n - 1) * size)) == 0;
}

/* Points whose numbers are not decided: their places in the run, keys and up to three parameters. `same`: those that
 * are first are everybody's. `whole`: it is all points of the run, in their places. */
#define POINTS(T, s)                                                                                  \
    typedef struct points_##s {                                                                       \
        int64_t n;                                                                                    \
        bool same, whole;                                                                             \
        int32_t at[ROOM];                                                                             \
        uint64_t key[ROOM];                                                                           \
        T p[3][ROOM];                                                                                 \
    } points_##s;                                                                                     \
    static inline void copy_##s(points_##s *w, int64_t to, const points_##s *of, int64_t from)        \
    {                                                                                                 \
        w->at[to] = of->at[from];                                                                     \
        w->key[to] = of->key[from];                                                                   \
        for (int i = 0; i < 3 && !of->same; i++) w->p[i][to] = of->p[i][from];                        \
    }                                                                                                 \
    /* All n points of a run, but for their parameters. */                                            \
    static inline void start_##s(points_##s *w, int64_t n, const uint64_t *key, bool same)            \
    {                                                                                                 \
        w->n = n;                                                                                     \
        w->same = same;                                                                               \
        w->whole = true;                                                                              \
        for (int32_t k = 0; k < n; k++) w->at[k] = k;                                                 \
        memcpy(w->key, key, (size_t)n * sizeof *key);                                                 \
    }                                                                                                 \
    /* Values for those that have none, and who is left. */                                           \
    static inline void settle_##s(points_##s *w, const T *r, T *value)                                \
    {                                                                                                 \
        int64_t n = 0;                                                                                \
        if (w->whole) memcpy(value, r, (size_t)w->n * sizeof *r);                                     \
        else                                                                                          \
            for (int64_t k = 0; k < w->n; k++) value[w->at[k]] = r[k];                                \
        for (int64_t k = 0; k < w->n; k += GROUP) {                                                   \
            uint32_t bits = tb_nan_bits_##s(r + k);                                                   \
            if (w->n - k < GROUP) bits &= (1u << (w->n - k)) - 1;                                     \
            for (; bits; bits &= bits - 1) copy_##s(w, n++, w, k + __builtin_ctz(bits));              \
        }                                                                                             \
        w->n = n;                                                                                     \
        w->whole = false;                                                                             \
    }
POINTS(float, f32)
POINTS(double, f64)

/* Takes attempts until no point is left: try(r, x, y, set) makes a number of the words x and y and of what begin(x, y,
 * set) made of them, make(...) the set of the parameters a, b and c. Where the set is everybody's the two have a loop
 * each: an attempt is a long chain, of which a processor sees too few at a time. */
#define ATTEMPTS(name, T, s, set_type, make, begin, try)                                              \
    static IN_LINE void name##_begun(int64_t groups, const uint64_t *x, const uint64_t *y, set_type set, T *r) \
    {                                                                                                 \
        BY_TURNS(groups * GROUP, r[k] = begin(x[k], y[k], set));                                      \
    }                                                                                                 \
    static IN_LINE void name##_alike(int64_t groups, const uint64_t *x, const uint64_t *y, set_type set, T *r) \
    {                                                                                                 \
        BY_TURNS(groups * GROUP, r[k] = try(r[k], x[k], y[k], set));                                  \
    }                                                                                                 \
    static IN_LINE void name##_each(const points_##s *w, const uint64_t *x, const uint64_t *y, T *r)  \
    {                                                                                                 \
        INDEPENDENT for (int64_t k = 0; k < w->n; k++) {                                              \
            const T a = w->p[0][k], b = w->p[1][k], c = w->p[2][k];                                   \
            (void)b, (void)c;                                                                         \
            const set_type set = make;                                                                \
            r[k] = try(begin(x[k], y[k], set), x[k], y[k], set);                                      \
        }                                                                                             \
    }                                                                                                 \
    static void name##_attempts(points_##s *w, T *value)                                              \
    {                                                                                                 \
        const T a = w->p[0][0], b = w->p[1][0], c = w->p[2][0];                                       \
        const set_type set = make;                                                                    \
        uint64_t x[ROOM], y[ROOM];                                                                    \
        T r[ROOM];                                                                                    \
        (void)b, (void)c;                                                                             \
        for (uint32_t attempt = 0; w->n > 0 && attempt < TB_ATTEMPTS; attempt++) {                    \
            const int64_t groups = (w->n + GROUP - 1) / GROUP;                                        \
            point_words(w->n, w->key, attempt, 0, x, y);                                              \
            if (w->same) {                                                                            \
                name##_begun(groups, x, y, set, r);                                                  \
                name##_alike(groups, x, y, set, r);                                                   \
            } else {                                                                                  \
                name##_each(w, x, y, r);                                                              \
            }                                                                                         \
            settle_##s(w, r, value);                                                                  \
        }                                                                                             \
    }

/* ---- real numbers ------------------------------------------------------------------------------------------------ */

/* A loop of one parameter a: `direct`, an expression over the key of the points for which `known` is true, values by
 * attempts for the others, then `end`, an expression over the value r, the parameter a and a word x of the block for
 * what comes after the attempts, drawn if `needs` is true of a point; `end` is of use where it is, or always. */
#define REAL_LOOP(name, T, s, known, direct, needs, always, tries, end)                               \
    static IN_LINE void name##_start(int64_t n, const uint64_t *keys, const T *as, T *o)              \
    {                                                                                                 \
        BY_TURNS(n, const uint64_t key = keys[k]; const T a = as[k]; (void)a; (void)key;              \
                 o[k] = known ? direct : (T)NAN);                                                     \
    }                                                                                                 \
    static IN_LINE void name##_end(int64_t n, const uint64_t *xs, const T *as, const T *rs, T *o)     \
    {                                                                                                 \
        BY_TURNS(n, const uint64_t x = xs[k]; const T a = as[k]; const T r = rs[k]; (void)a; (void)x; o[k] = end); \
    }                                                                                                 \
    static void name##_run(int64_t n, const uint64_t *key, const T *as, T *out)                       \
    {                                                                                                 \
        uint64_t x[ROOM], y[ROOM];                                                                    \
        T o[ROOM];                                                                                    \
        points_##s w;                                                                                 \
        const bool same = are_same(n, as, sizeof *as);                                                \
        const int64_t each = same ? n : 1;                                                            \
        int64_t tried = 0, started = 0, needed = 0;                                                   \
        for (int64_t k = 0; k < n; k += each) {                                                       \
            const T a = as[k];                                                                        \
            tried += ((a >= 0) & !(known)) * each;                                                    \
            started += (known)*each;                                                                  \
            needed += (needs)*each;                                                                   \
        }                                                                                             \
        const bool ends = needed || (always); /* else out may be written to at once, though it may be an operand */ \
        T *value = ends ? o : out;                                                                    \
        if (tried) {                                                                                  \
            start_##s(&w, n, key, same);                                                              \
            memcpy(w.p[0], as, (size_t)n * sizeof *as);                                               \
            if (tried < n) {                                                                          \
                w.n = 0;                                                                              \
                w.whole = false;                                                                      \
                for (int64_t k = 0; k < n; k++) {                                                     \
                    const T a = w.p[0][k];                                                            \
                    if (a >= 0 && !(known)) copy_##s(&w, w.n++, &w, k);                               \
                }                                                                                     \
            }                                                                                         \
        }                                                                                             \
        if (started) name##_start(n, key, as, value);                                                 \
        else                                                                                          \
            for (int64_t k = 0; k < n; k++) value[k] = (T)NAN;                                        \
        if (tried) tries##_attempts(&w, value);                                                       \
        if (!ends) return;                                                                            \
        memset(x, 0, (size_t)n * sizeof *x);                                                          \
        if (needed) {                                                                                 \
            memcpy(w.key, key, (size_t)n * sizeof *key);                                              \
            point_words(n, w.key, 0, 1, x, y);                                                        \
        }                                                                                             \
        name##_end(n, x, as, o, out);                                                                 \
    }                                                                                                 \
    static void name##_loop(int64_t n, void *const *p, int64_t index)                                 \
    {                                                                                                 \
        (void)index;                                                                                  \
        for (int64_t at = 0, m; at < n; at += m) {                                                    \
            m = n - at < RUN ? n - at : RUN;                                                          \
            name##_run(m, (const uint64_t *)p[1] + at, (const T *)p[2] + at, (T *)p[0] + at);         \
        }                                                                                             \
    }

#define REAL_LOOPS(T, s)                                                                              \
    ATTEMPTS(gamma_##s, T, s, tb_gamma_set_##s, tb_make_gamma_##s(a), tb_gamma_begin_##s, tb_gamma_try_##s) \
    ATTEMPTS(vonmises_##s, T, s, tb_vonmises_set_##s, tb_set_random_vonmises_u64_##s##_##s(a),        \
             tb_vonmises_begin_##s, tb_vonmises_try_##s)                                              \
    REAL_LOOP(gamma_##s, T, s, a == 1, tb_gamma_of_1_##s(key), a < 1, 0, gamma_##s, tb_gamma_end_##s(x, a, r)) \
    REAL_LOOP(log_gamma_##s, T, s, a == 1, tb_gamma_of_1_##s(key), a < 1, 1, gamma_##s,               \
              tb_log_gamma_end_##s(x, a, r))                                                          \
    REAL_LOOP(vonmises_##s, T, s, 0, (T)NAN, 0, 0, vonmises_##s, r)                                   \
    ATTEMPTS(beta_##s, T, s, tb_beta_set_##s, tb_set_random_beta_u64_##s##_##s##_##s(a, b), tb_beta_begin_##s, \
             tb_beta_try_##s)                                                                         \
    static void beta_##s##_run(int64_t n, const uint64_t *key, const T *a, const T *b, T *o)          \
    {                                                                                                 \
        points_##s w;                                                                                 \
        start_##s(&w, n, key, are_same(n, a, sizeof *a) && are_same(n, b, sizeof *b));                \
        memcpy(w.p[0], a, (size_t)n * sizeof *a);                                                     \
        memcpy(w.p[1], b, (size_t)n * sizeof *b);                                                     \
        int64_t valid = 0;                                                                            \
        for (int64_t k = 0; k < n; k++) valid += tb_beta_valid_##s(a[k], b[k]);                       \
        if (valid < n) {                                                                              \
            w.n = 0;                                                                                  \
            w.whole = false;                                                                          \
            for (int64_t k = 0; k < n; k++) {                                                         \
                o[k] = (T)NAN;                                                                        \
                if (tb_beta_valid_##s(w.p[0][k], w.p[1][k])) copy_##s(&w, w.n++, &w, k);              \
            }                                                                                         \
        }                                                                                             \
        beta_##s##_attempts(&w, o);                                                                   \
    }                                                                                                 \
    static void beta_##s##_loop(int64_t n, void *const *p, int64_t index)                             \
    {                                                                                                 \
        (void)index;                                                                                  \
        for (int64_t at = 0, m; at < n; at += m) {                                                    \
            m = n - at < RUN ? n - at : RUN;                                                          \
            beta_##s##_run(m, (const uint64_t *)p[1] + at, (const T *)p[2] + at, (const T *)p[3] + at, \
                           (T *)p[0] + at);                                                           \
        }                                                                                             \
    }
REAL_LOOPS(float, f32)
REAL_LOOPS(double, f64)

/* ---- whole numbers ----------------------------------------------------------------------------------------------- */

/* Searches of many points: at step k all that are not done stand at k - 1. start and step are expressions over the
 * parameters a, b, c, the step k and the term t; `more` is when the search goes on. */
#define SEARCH(name, start, step, more)                                                               \
    static IN_LINE void name##_search(const points_f64 *w, double *value)                             \
    {                                                                                                 \
        double u[ROOM], term[ROOM], count[ROOM];                                                      \
        INDEPENDENT for (int64_t j = 0; j < w->n; j++) {                                              \
            const double a = w->p[0][j], b = w->p[1][j], c = w->p[2][j];                              \
            (void)b, (void)c;                                                                         \
            u[j] = tb_first_f64(w->key[j], w->key[j]);                                                \
            term[j] = start;                                                                          \
            count[j] = 0;                                                                             \
        }                                                                                             \
        uint64_t any = 1;                                                                             \
        for (double k = 1; any; k++) {                                                                \
            const double inverse = 1 / k;                                                             \
            (void)inverse;                                                                            \
            any = 0;                                                                                  \
            INDEPENDENT for (int64_t j = 0; j < w->n; j++) {                                          \
                const double a = w->p[0][j], b = w->p[1][j], c = w->p[2][j], t = term[j];             \
                (void)a, (void)b, (void)c;                                                            \
                const bool on = (u[j] > t) & (more);                                                  \
                u[j] = on ? u[j] - t : u[j];                                                          \
                count[j] = on ? k : count[j];                                                         \
                term[j] = on ? (step) : t;                                                            \
                any |= on;                                                                            \
            }                                                                                         \
        }                                                                                             \
        for (int64_t j = 0; j < w->n; j++) value[w->at[j]] = count[j];                                \
    }

SEARCH(poisson, tb_exp_below_f64(-a), t *(a *inverse), t > TB_LEAST_TERM)
SEARCH(binomial, tb_exp_below_f64(a *tb_log1p_above_f64(-b)), t *((a - k + 1) * (b / (1 - b)) * inverse),
       t > TB_LEAST_TERM)
SEARCH(hypergeometric, tb_hypergeometric_first(a, b, c), t *((b - k + 1) * (c - k + 1) / (k * (a - b - c + k))), k <= c)
static inline void zipf_search(const points_f64 *w, double *value) { (void)w, (void)value; }

ATTEMPTS(poisson, double, f64, tb_poisson_set, tb_set_random_poisson_u64_f64_i64(a), tb_poisson_begin, tb_poisson_try)
ATTEMPTS(binomial, double, f64, tb_binomial_set, tb_make_binomial(a, b), tb_binomial_begin, tb_binomial_try)
ATTEMPTS(hypergeometric, double, f64, tb_hypergeometric_set, tb_make_hypergeometric((tb_urn){a, b, c}),
         tb_hypergeometric_begin, tb_hypergeometric_try)
ATTEMPTS(zipf, double, f64, tb_zipf_set, tb_set_random_zipf_u64_f64_i64(a), tb_zipf_begin, tb_zipf_try)

/* For a distribution, name##_prepare writes the parameters of point k of a run, whose operands are p, and says whether
 * they are ones and (2) whether the point is searched for; name##_result makes of its value what was asked for. */
static inline int32_t poisson_prepare(points_f64 *w, int64_t k, void *const *p)
{
    const double mean = w->p[0][k] = ((const double *)p[2])[k];
    return (mean >= 0) + 2 * (mean < TB_FEW);
}

static inline int32_t binomial_prepare(points_f64 *w, int64_t k, void *const *p)
{
    const tb_i64 trials = ((const tb_i64 *)p[2])[k];
    const double share = ((const double *)p[3])[k], less = share > 0.5 ? 1 - share : share;
    w->p[0][k] = (double)trials;
    w->p[1][k] = less;
    return ((trials >= 0) & (share >= 0) & (share <= 1)) + 2 * ((double)trials * less < TB_FEW);
}

static inline int32_t hypergeometric_prepare(points_f64 *w, int64_t k, void *const *p)
{
    const tb_c128 content = ((const tb_c128 *)p[2])[k];
    const double drawn = ((const double *)p[3])[k];
    const tb_urn urn = tb_make_urn(content, drawn);
    w->p[0][k] = urn.total;
    w->p[1][k] = urn.good;
    w->p[2][k] = urn.drawn;
    return tb_urn_valid(content, drawn) + 2 * (urn.drawn <= TB_FEW);
}

static inline int32_t zipf_prepare(points_f64 *w, int64_t k, void *const *p)
{
    return (w->p[0][k] = ((const double *)p[2])[k]) > 1;
}

static inline tb_i64 poisson_result(void *const *p, int64_t k, double value)
{
    (void)p, (void)k;
    return tb_count(value);
}

static inline tb_i64 binomial_result(void *const *p, int64_t k, double value)
{
    return tb_binomial_result(value, ((const tb_i64 *)p[2])[k], ((const double *)p[3])[k] > 0.5);
}

static inline tb_i64 hypergeometric_result(void *const *p, int64_t k, double value)
{
    return tb_count(tb_urn_result(((const tb_c128 *)p[2])[k], ((const double *)p[3])[k], value));
}

#define zipf_result poisson_result

/* The points of a run that are searched for, go to `few`, and those whose parameters are none go. */
static void part(points_f64 *all, const int32_t *kind, points_f64 *few)
{
    const int64_t n = all->n;
    few->n = all->n = 0;
    few->same = all->whole = false; /* or all points are of one kind */
    for (int64_t k = 0; k < n; k++) {
        if (kind[k] == 3) copy_f64(few, few->n++, all, k);
        else if (kind[k] == 1) copy_f64(all, all->n++, all, k);
    }
}

/* size_2, size_3: bytes of an operand; 0 for the last one that a loop has not. */
#define COUNT_LOOP(name, size_2, size_3)                                                              \
    static IN_LINE int64_t name##_kinds(int64_t n, void *const *p, points_f64 *w, int32_t *kind, int64_t *few) \
    {                                                                                                 \
        int32_t tried = 0, searched = 0;                                                              \
        INDEPENDENT for (int64_t k = 0; k < n; k++) {                                                 \
            kind[k] = name##_prepare(w, k, p);                                                        \
            tried += kind[k] == 1;                                                                    \
            searched += kind[k] == 3;                                                                 \
        }                                                                                             \
        *few = searched;                                                                              \
        return tried;                                                                                 \
    }                                                                                                 \
    static IN_LINE void name##_results(int64_t n, void *const *p, const double *value)                \
    {                                                                                                 \
        tb_i64 *o = p[0];                                                                             \
        INDEPENDENT for (int64_t k = 0; k < n; k++) o[k] = name##_result(p, k, value[k]);             \
    }                                                                                                 \
    static void name##_run(int64_t n, void *const *p)                                                 \
    {                                                                                                 \
        points_f64 all, few;                                                                          \
        double value[ROOM];                                                                           \
        int32_t kind[ROOM];                                                                           \
        start_f64(&all, n, p[1], are_same(n, p[2], size_2) && are_same(n, p[3], size_3));             \
        int64_t searched, tried = name##_kinds(n, p, &all, kind, &searched);                          \
        for (int64_t k = 0; k < n; k++) value[k] = NAN;                                               \
        if (searched == n) name##_search(&all, value);                                                \
        else if (tried == n) name##_attempts(&all, value);                                            \
        else {                                                                                        \
            part(&all, kind, &few);                                                                   \
            if (few.n) name##_search(&few, value);                                                    \
            name##_attempts(&all, value);                                                             \
        }                                                                                             \
        name##_results(n, p, value);                                                                  \
    }                                                                                                 \
    static void name##_loop(int64_t n, void *const *p, int64_t index)                                 \
    {                                                                                                 \
        (void)index;                                                                                  \
        for (int64_t at = 0; at < n; at += RUN) {                                                     \
            void *run[4] = {(tb_i64 *)p[0] + at, (uint64_t *)p[1] + at, (char *)p[2] + at * (size_2)}; \
            if (size_3) run[3] = (char *)p[3] + at * (size_3);                               \
            name##_run(n - at < RUN ? n - at : RUN, run);                                             \
        }                                                                                             \
    }
COUNT_LOOP(poisson, 8, 0)
COUNT_LOOP(binomial, 8, 8)
COUNT_LOOP(hypergeometric, 16, 8)
COUNT_LOOP(zipf, 8, 0)

/* By inversion alone: values by vectors, of(x, y, set), and whole numbers of them in a loop of its own, as not every
 * instruction set makes 64-bit integers of vectors. draw(...) finds the words x and y. */
#define INVERSE_LOOP(name, draw, of)                                                                  \
    static IN_LINE void name##_alike(int64_t n, const uint64_t *x, const uint64_t *y, tb_##name##_set set, \
                                     double *value)                                                   \
    {                                                                                                 \
        BY_TURNS(n, value[k] = of(x[k], y[k], set));                                                  \
    }                                                                                                 \
    static IN_LINE void name##_each(int64_t n, const uint64_t *x, const uint64_t *y, const double *a, double *value) \
    {                                                                                                 \
        INDEPENDENT for (int64_t k = 0; k < n; k++)                                                   \
            value[k] = of(x[k], y[k], tb_set_random_##name##_u64_f64_i64(a[k]));                      \
    }                                                                                                 \
    static void name##_loop(int64_t n, void *const *p, int64_t index)                                 \
    {                                                                                                 \
        (void)index;                                                                                  \
        for (int64_t at = 0, m; at < n; at += m) {                                                    \
            const double *a = (const double *)p[2] + at;                                              \
            tb_i64 *o = (tb_i64 *)p[0] + at;                                                          \
            uint64_t x[ROOM], y[ROOM];                                                                \
            double value[RUN];                                                                        \
            m = n - at < RUN ? n - at : RUN;                                                          \
            draw(m, (const uint64_t *)p[1] + at, x, y);                                               \
            if (are_same(m, a, sizeof *a)) name##_alike(m, x, y, tb_set_random_##name##_u64_f64_i64(*a), value); \
            else name##_each(m, x, y, a, value);                                                      \
            for (int64_t k = 0; k < m; k++) o[k] = tb_count(value[k]);                                \
        }                                                                                             \
    }

static void key_as_words(int64_t n, const uint64_t *key, uint64_t *x, uint64_t *y)
{
    memcpy(x, key, (size_t)n * sizeof *key);
    memcpy(y, key, (size_t)n * sizeof *key);
}

static void first_words(int64_t n, const uint64_t *key, uint64_t *x, uint64_t *y)
{
    uint64_t keys[ROOM];
    memcpy(keys, key, (size_t)n * sizeof *key);
    point_words(n, keys, 0, 0, x, y);
}

INVERSE_LOOP(geometric, key_as_words, tb_geometric_of)
INVERSE_LOOP(logseries, first_words, tb_logseries_of)

/* ---- the table --------------------------------------------------------------------------------------------------- */

static void put(tb_cpu_loop *table, tb_op op, int nin, tb_dtype b, tb_dtype c, tb_cpu_loop loop)
{
    table[tb__loop_find(op, nin, (tb_dtype[]){TB_U64, b, c})] = loop;
}

void TB_ISA_NAME(tb__distributions_, TB_ISA)(tb_cpu_loop *table)
{
    put(table, TB_OP_random_gamma, 2, TB_F32, TB_BOOL, gamma_f32_loop);
    put(table, TB_OP_random_gamma, 2, TB_F64, TB_BOOL, gamma_f64_loop);
    put(table, TB_OP_random_log_gamma, 2, TB_F32, TB_BOOL, log_gamma_f32_loop);
    put(table, TB_OP_random_log_gamma, 2, TB_F64, TB_BOOL, log_gamma_f64_loop);
    put(table, TB_OP_random_vonmises, 2, TB_F32, TB_BOOL, vonmises_f32_loop);
    put(table, TB_OP_random_vonmises, 2, TB_F64, TB_BOOL, vonmises_f64_loop);
    put(table, TB_OP_random_beta, 3, TB_F32, TB_F32, beta_f32_loop);
    put(table, TB_OP_random_beta, 3, TB_F64, TB_F64, beta_f64_loop);
    put(table, TB_OP_random_poisson, 2, TB_F64, TB_BOOL, poisson_loop);
    put(table, TB_OP_random_binomial, 3, TB_I64, TB_F64, binomial_loop);
    put(table, TB_OP_random_hypergeometric, 3, TB_C128, TB_F64, hypergeometric_loop);
    put(table, TB_OP_random_geometric, 2, TB_F64, TB_BOOL, geometric_loop);
    put(table, TB_OP_random_logseries, 2, TB_F64, TB_BOOL, logseries_loop);
    put(table, TB_OP_random_zipf, 2, TB_F64, TB_BOOL, zipf_loop);
}
#else
void TB_ISA_NAME(tb__distributions_, TB_ISA)(tb_cpu_loop *table) { (void)table; }
#endif
