/* test_nvrtc_routines.c - the kernels that are made of no values (src/plan/routine.h) pass the runtime compiler for the
 * oldest or a current architecture without a message. Needs NVRTC but no GPU; skipped where there is none. */
#include "nvrtc.h"
#include "check.h"
#include "plans.h"
#include "backend/gpu/gpu.h"
#include "base/error.h"

enum { SKIPPED = 77 };

static nvrtc_api nvrtc;
static int compiled;

static void add_routines(const tb_routine_source *source, int n, const char *arch)
{
    static tb_plan p;
    for (int i = 0; i < n; i++) {
        const tb_routine r = {.source = source[i]};
        tb_text text = {0};
        p.kind = TB_PLAN_ROUTINE;
        p.routine = &r;
        CHECK_OK(tb__codegen_source(&p, &test_chip, &text));
        CHECK(nvrtc_compile(&nvrtc, text.s, arch, tb__codegen_options));
        tb__text_free(&text);
        compiled++;
    }
}

static void test_slides(void)
{
    static const tb_dtype types[] = {TB_I32, TB_I64, TB_F32, TB_F64, TB_C64, TB_C128};
    for (int i = 0; i < 6; i++)
        add_routines((tb_routine_source[]){tb__slide_source(types[i], i % 2 ? 10 : 1 << 20)}, 1, "sm_75");
}

static void test_softmax(void)
{
    static const tb_dtype types[] = {TB_F16, TB_BF16, TB_F32, TB_F64};
    static const int64_t lengths[] = {1, 7, 64, 200, 1000, 4096};
    for (int i = 0; i < 24; i++) {
        const tb_soft_rows x = {.dtype = types[i % 4], .log = i / 4 % 2, .rows = 5, .n = lengths[i / 4]};
        add_routines((tb_routine_source[]){tb__softmax_source(&x)}, 1, i % 2 ? "sm_75" : "sm_90");
    }
}

static void test_histogram(void)
{
    add_routines((tb_routine_source[]){tb__histogram_source(TB_F32), tb__histogram_source(TB_F64)}, 2, "sm_75");
    add_routines((tb_routine_source[]){tb__histogram_source(TB_F32), tb__histogram_source(TB_F64)}, 2, "sm_90");
}

static void test_phases(void)
{
    static const tb_dtype types[] = {TB_F32, TB_F64, TB_C64, TB_C128};
    static const int64_t rates[][3] = {{3, 2, 61}, {1, 20, 33}, {160, 147, 3201}, {300, 7, 90}, {2, 1, 10000}};
    for (int i = 0; i < 20; i++) {
        const tb_phases p = {.dtype = types[i % 4],
                             .rows = 1,
                             .n = 100000,
                             .count = 100000,
                             .up = rates[i / 4][0],
                             .down = rates[i / 4][1],
                             .taps = rates[i / 4][2]};
        add_routines((tb_routine_source[]){tb__phases_source(&p)}, 1, i % 3 ? "sm_75" : "sm_90");
    }
}

static void test_splines(void)
{
    static const tb_dtype types[] = {TB_BOOL, TB_U8, TB_I64, TB_F32, TB_F64, TB_F64, TB_F32};
    for (int i = 0; i < 14; i++) {
        const tb_spline_map m = {.naxis = 1 + i % 3,
                                 .order = i % TB_SPLINE_ORDERS,
                                 .mode = (tb_spline_mode)(i % 7),
                                 .diagonal = i < 7,
                                 .in_dtype = types[i % 7],
                                 .out_dtype = i % 2 ? TB_F32 : TB_F64,
                                 .batch = 1,
                                 .sides = (const int64_t[]){1000, 1000, i % 4 ? 10 : 1000},
                                 .shape = (const int64_t[]){1000, 1000, 10}};
        add_routines((tb_routine_source[]){tb__spline_map_source(&m)}, 1, i % 2 ? "sm_75" : "sm_90");
        const tb_two_sided t = {.dtype = types[i % 7],
                                .edge = (tb_spline_edge)(i % 3),
                                .inner = 1 + i % 2,
                                .poles = 1 + i / 7,
                                .pole = {-0.43, -0.04}};
        add_routines((tb_routine_source[]){tb__two_sided_source(&t)}, 1, i % 2 ? "sm_75" : "sm_90");
    }
}

static void test_sparse_products(void)
{
    static const tb_dtype types[] = {TB_BOOL, TB_I8, TB_U16, TB_I32, TB_I64, TB_F32, TB_F64, TB_C64, TB_C128};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 8; k++) {
            const bool transposed = k >= 4 && tb_dtype_size(types[i]) >= 4;
            add_routines((tb_routine_source[]){tb__sparse_source(types[i], k % 2, transposed, k % 4 < 2 ? 1 : 7, 20)},
                         1, "sm_75");
        }
    for (int k = 0; k < 2 * TB_SPARSE_STEPS; k++)
        add_routines((tb_routine_source[]){tb__sparse_step_source((tb_sparse_step_kind)(k / 2), k % 2)}, 1,
                     k < 4 ? "sm_75" : "sm_90");
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 6; k++)
            add_routines((tb_routine_source[]){tb__sparse_rows_source(k / 2, types[i], (k + i) % 2, k % 2)}, 1,
                         i % 2 ? "sm_75" : "sm_90");
    add_routines((tb_routine_source[]){tb__sparse_bound_source(false)}, 1, "sm_75");
    add_routines((tb_routine_source[]){tb__sparse_bound_source(true)}, 1, "sm_90");
}

/* Functions in pieces of each form and degree, and distances by each metric. */
static void test_points(void)
{
    for (int i = 0; i < 30; i++) {
        const tb_pieces p = {
            .form = (tb_piece_form)(i % (TB_PIECE_SPLINE + 1)), .orders = 1 + i / 3, .n = 100, .each = 1};
        add_routines((tb_routine_source[]){tb__pieces_source(&p)}, 1, i % 2 ? "sm_75" : "sm_90");
    }
    for (int i = 0; i < 4 * (TB_METRIC_COSINE + 1); i++) {
        const int64_t rows = i % 3 ? 100 : 10000;
        const tb_pairs p = {
            .dtype = i % 2 ? TB_F32 : TB_F64, .metric = (tb_metric)(i / 4), .once = i % 4 < 2, .m = rows, .k = rows};
        add_routines((tb_routine_source[]){tb__pairs_source(&p)}, 1, i % 3 ? "sm_75" : "sm_90");
    }
}

/* Of matrices that a warp has, that four have, and that stay where they are. */
static void test_small_matrices(void)
{
    static const tb_solver routines[] = {TB_SOLVER_getrf, TB_SOLVER_getrs, TB_SOLVER_geqrf, TB_SOLVER_orgqr};
    static const int sizes[] = {7, 50, 200};
    for (int t = TB_F32; t <= TB_C128; t++)
        for (int r = 0; r < 4; r++)
            for (int i = 0; i < 3; i++) {
                const tb_solve q = {routines[r], .dtype = (tb_dtype)t, .batch = 20, .m = sizes[i], .n = sizes[i],
                                    .k = 3,      .singular = true};
                if (tb__gpu_solves(&q))
                    add_routines((tb_routine_source[]){tb__dense_source(&q)}, 1, i ? "sm_75" : "sm_90");
            }
    add_routines((tb_routine_source[]){tb__vectors_source(TB_F32), tb__vectors_source(TB_F64)}, 2, "sm_75");
    for (int i = 0; i < 8; i++) {
        tb_routine_source source[TB_EIGEN_SOURCES];
        tb__eigenvalues_sources(i % 2 ? TB_F32 : TB_F64, i < 4 ? 100 : 500, source);
        add_routines(source, TB_EIGEN_SOURCES, i % 4 < 2 ? "sm_75" : "sm_90");
    }
    for (int t = TB_F32; t <= TB_C128; t++)
        add_routines((tb_routine_source[]){tb__exchanges_source((tb_dtype)t)}, 1, t % 2 ? "sm_75" : "sm_90");
}

static void test_trees(void)
{
    static const double periods[1], p[] = {1, 2, 3, 1e308};
    for (int i = 0; i < 20; i++) {
        const tb_tree_step x = {.kind = (tb_tree_step_kind)(i % 5),
                                .dims = 1 + i % 6,
                                .k = i % 3 ? 1 << i % 7 : 5,
                                .p = p[i / 5],
                                .periods = i % 2 ? periods : NULL};
        add_routines((tb_routine_source[]){tb__tree_source(&x)}, 1, i % 2 ? "sm_75" : "sm_90");
    }
}

/* Labels of vectors, matrices and more, with neighbours in other planes or not, and distances. */
static void test_objects(void)
{
    static const uint8_t connected[27] = {[4] = 1, [10] = 1, [12] = 1, [13] = 1, [14] = 1, [16] = 1, [22] = 1};
    for (int i = 0; i < 4; i++) {
        const tb_objects o = {
            .ndim = i % 2 ? 3 : 2, .shape = (const int64_t[]){9, 9, 9}, .connected = connected, .wide = i / 2};
        add_routines((tb_routine_source[]){tb__label_source(&o)}, 1, i % 2 ? "sm_75" : "sm_90");
    }
    for (int i = 0; i < 8; i++) {
        const tb_distance_pass d = {
            .to = i % 2 ? TB_F32 : TB_F64, .outer = i / 4 ? 5000000 : 5, .n = 1000, .inner = 1, .whole = i / 2 % 2};
        add_routines((tb_routine_source[]){tb__distances_source(&d)}, 1, i % 3 ? "sm_75" : "sm_90");
    }
}

static void test_filters(void)
{
    static const tb_dtype types[] = {TB_F32, TB_F64, TB_C64, TB_C128};
    static const double coefficients[64] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (int i = 0; i < 12; i++) {
        const tb_recur r = {.dtype = types[i % 4],
                            .sections = i % 2 ? 2 : 1,
                            .order = i / 4 == 0   ? i % 2 ? 2 : 3
                                     : i / 4 == 1 ? 12
                                                  : 1,
                            .single = i == 1,
                            .coefficients = coefficients};
        add_routines((tb_routine_source[]){tb__recur_source(&r)}, 1, i % 4 ? "sm_75" : "sm_90");
    }
}

/* Windows of each kind along both axes of a matrix, of each dtype to another one. */
static void test_windows(void)
{
    static const tb_dtype types[] = {TB_BOOL, TB_I8, TB_U16, TB_U64, TB_F16, TB_BF16, TB_F32, TB_F64, TB_C64, TB_C128};
    static const int64_t shape[2] = {300, 400}, strides[2] = {400, 1};
    static const int64_t places[2][6] = {{-1, 0, 0, 0, 1, 0}, {0, -1, 0, 0, 0, 1}};
    static const tb_spline_edge edge[2] = {TB_SPLINE_CONSTANT, TB_SPLINE_WRAP};
    static const double weights[6] = {1, 2, 1};
    for (int i = 0; i < 10; i++)
        for (int kind = TB_WINDOW_SUM; kind <= TB_WINDOW_RANK; kind++) {
            const bool complex = i >= 8, sums = kind <= TB_WINDOW_MEAN;
            if (complex && !sums) continue;
            const tb_window w = {.kind = (tb_window_kind)kind,
                                 .nplace = 3,
                                 .place = places[(i + kind) % 2],
                                 .weights = kind < TB_WINDOW_MEAN ? weights : NULL,
                                 .rank = 1,
                                 .edge = edge};
            const tb_windows q = {.w = &w,
                                  .from = types[i],
                                  .work = complex ? TB_C128
                                          : sums  ? TB_F64
                                                  : types[i],
                                  .to = types[(i + kind) % 10],
                                  .ndim = 2,
                                  .shape = shape,
                                  .x_strides = strides,
                                  .y_strides = strides};
            tb_routine_source source;
            CHECK_OK(tb__window_source(&q, &source));
            add_routines(&source, 1, kind % 2 ? "sm_75" : "sm_90");
        }
}

/* Short windows along both axes of a matrix, one after the other. */
static void test_two_windows(void)
{
    static const tb_dtype types[] = {TB_BOOL, TB_I16, TB_U64, TB_F16, TB_BF16, TB_F32, TB_F64};
    static const int64_t shape[2] = {300, 400}, strides[2] = {400, 1};
    static const int64_t places[2][6] = {{-1, 0, 0, 0, 1, 0}, {0, -1, 0, 0, 0, 1}}, turned[6] = {0, 1, 0, -1, 0, 0};
    static const tb_spline_edge edge[2] = {TB_SPLINE_CONSTANT, TB_SPLINE_WRAP};
    static const double weights[3] = {1, 2, 1};
    for (int i = 0; i < 7; i++)
        for (int kind = TB_WINDOW_SUM; kind <= TB_WINDOW_GREATEST; kind++) {
            const bool sums = kind <= TB_WINDOW_MEAN, last_first = kind == TB_WINDOW_SUM;
            const int first = last_first || (i + kind) % 2;
            const tb_window then = {.kind = sums ? TB_WINDOW_OPPOSED : (tb_window_kind)kind,
                                    .nplace = 3,
                                    .place = places[!first],
                                    .weights = sums ? weights : NULL};
            const tb_window w = {.kind = (tb_window_kind)kind,
                                 .nplace = 3,
                                 .place = last_first ? turned : places[first],
                                 .weights = kind < TB_WINDOW_MEAN ? weights : NULL,
                                 .edge = edge,
                                 .then = &then};
            const tb_windows q = {.w = &w,
                                  .from = types[i],
                                  .work = sums ? TB_F64 : types[i],
                                  .to = sums ? types[(i + kind) % 7] : types[i],
                                  .ndim = 2,
                                  .shape = shape,
                                  .x_strides = strides,
                                  .y_strides = strides};
            tb_routine_source source;
            CHECK_OK(tb__window_source(&q, &source));
            add_routines(&source, 1, kind % 2 ? "sm_75" : "sm_90");
        }
}

/* Sorts of short, middling and long rows, and selections of few positions. */
static void test_sorts(void)
{
    static const int64_t lengths[] = {3, 100, 1000, 7000, 100000, (int64_t)1 << 40};
    tb_routine_source source[TB_SORT_SOURCES];
    for (int t = 0; t < TB_NDTYPE; t++) {
        for (int k = 0; k < 6; k++) {
            const int n = tb__sort_sources((tb_dtype)t, lengths[k], (t + k) % 2, source);
            add_routines(source, n, k % 2 ? "sm_75" : "sm_90");
        }
        add_routines((tb_routine_source[]){tb__search_source((tb_dtype)t, t % 2)}, 1, t % 2 ? "sm_75" : "sm_90");
        const int n = tb__select_sources((tb_dtype)t, lengths[4 + t % 2], 1 + t % 8, t % 3 == 0, source);
        add_routines(source, n, t % 2 ? "sm_75" : "sm_90");
    }
    add_routines(source, tb__sort_sources_carrying(TB_I32, 100000, source), "sm_75");
    add_routines(source, tb__sort_sources_carrying(TB_I64, 100000, source), "sm_90");
}

int main(void)
{
    if (!nvrtc_open(&nvrtc)) {
        fprintf(stderr, "there is no NVRTC here\n");
        return SKIPPED;
    }
    test_sorts();
    test_slides();
    test_softmax();
    test_histogram();
    test_phases();
    test_splines();
    test_points();
    test_sparse_products();
    test_small_matrices();
    test_filters();
    test_trees();
    test_windows();
    test_objects();
    test_two_windows();
    printf("%d kernels compiled\n", compiled);
    return check_report();
}
