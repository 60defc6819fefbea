/* ship_routines.c - the kernels that are made of no values (src/plan/routine.h) for what calls of SciPy's modules ask
 * for most: float32 and float64, vectors and images, defaults and small sizes. They are the ones that take longest to
 * compile. Sizes stand for all that have the same source. */
#include "base/error.h"
#include "ship.h"

static const tb_dtype floats[] = {TB_F32, TB_F64};
enum { FLOATS = 2, SIDE = 1000 };

static tb_status note(tb_routine_source source) { return ship_note_sources(NULL, &source, 1); }

/* ---- filters over windows --------------------------------------------------------------------------------------- */

enum { MOST_PLACES = 81 };

/* Of an image, or of a vector; `then` is NULL or what follows. */
static tb_status note_window(tb_window w, tb_dtype from, tb_dtype work, int ndim)
{
    static const int64_t shape[] = {SIDE, SIDE}, strides[] = {SIDE, 1};
    static const tb_spline_edge edge[2];
    static const double weights[MOST_PLACES];
    if (w.kind < TB_WINDOW_MEAN) w.weights = weights;
    w.edge = edge;
    const tb_windows q = {.w = &w,
                          .from = from,
                          .work = work,
                          .to = from,
                          .ndim = ndim,
                          .shape = shape + 2 - ndim,
                          .x_strides = strides + 2 - ndim,
                          .y_strides = strides + 2 - ndim};
    tb_routine_source source;
    TB_TRY(tb__window_source(&q, &source));
    return note(source);
}

/* n places along an axis. */
static const int64_t *line(int n, int ndim, int axis, int64_t *place)
{
    for (int i = 0; i < n; i++)
        for (int d = 0; d < ndim; d++) place[i * ndim + d] = d == axis ? i - n / 2 : 0;
    return place;
}

static const int64_t *square(int n, int64_t *place)
{
    for (int i = 0; i < n * n; i++) {
        place[2 * i] = i / n - n / 2;
        place[2 * i + 1] = i % n - n / 2;
    }
    return place;
}

static tb_status note_line(tb_window_kind kind, int n, tb_dtype t, tb_dtype work)
{
    int64_t place[2 * MOST_PLACES];
    tb_window w = {.kind = kind, .nplace = n, .rank = n / 2};
    w.place = line(n, 1, 0, place);
    TB_TRY(note_window(w, t, work, 1));
    for (int axis = 0; axis < 2 && kind != TB_WINDOW_RANK; axis++) {
        w.place = line(n, 2, axis, place);
        TB_TRY(note_window(w, t, work, 2));
    }
    return TB_OK;
}

/* Along one axis and then along the other. */
static tb_status note_two(tb_window_kind first, tb_window_kind second, int n, int axis, tb_dtype t, tb_dtype work)
{
    static const double weights[MOST_PLACES];
    int64_t places[2][2 * MOST_PLACES];
    const tb_window then = {.kind = second,
                            .nplace = n,
                            .place = line(n, 2, !axis, places[0]),
                            .weights = second < TB_WINDOW_MEAN ? weights : NULL};
    const tb_window w = {.kind = first, .nplace = n, .place = line(n, 2, axis, places[1]), .then = &then};
    return note_window(w, t, work, 2);
}

static tb_status note_squares(tb_dtype t)
{
    static const int ranked[] = {3, 5}, summed[] = {3, 7};
    int64_t place[2 * MOST_PLACES];
    for (int i = 0; i < 2; i++) {
        const int n = ranked[i] * ranked[i], m = summed[i] * summed[i];
        const tb_window rank = {.kind = TB_WINDOW_RANK, .nplace = n, .rank = n / 2, .place = square(ranked[i], place)};
        TB_TRY(note_window(rank, t, t, 2));
        const tb_window sum = {.kind = TB_WINDOW_SUM, .nplace = m, .place = square(summed[i], place)};
        TB_TRY(note_window(sum, t, TB_F64, 2));
    }
    return TB_OK;
}

static tb_status note_windows_of(tb_dtype t)
{
    for (int n = 3; n <= 7; n += 2) TB_TRY(note_line(TB_WINDOW_RANK, n, t, t));
    TB_TRY(note_line(TB_WINDOW_MIRRORED, 11, t, TB_F64));
    TB_TRY(note_line(TB_WINDOW_MIRRORED, 25, t, TB_F64));
    TB_TRY(note_two(TB_WINDOW_MIRRORED, TB_WINDOW_MIRRORED, 9, 0, t, TB_F64));
    TB_TRY(note_two(TB_WINDOW_OPPOSED, TB_WINDOW_MIRRORED, 3, 0, t, TB_F64));
    TB_TRY(note_two(TB_WINDOW_OPPOSED, TB_WINDOW_MIRRORED, 3, 1, t, TB_F64));
    for (int n = 3; n <= 9; n += 2) {
        TB_TRY(note_two(TB_WINDOW_MEAN, TB_WINDOW_MEAN, n, 0, t, TB_F64));
        TB_TRY(note_two(TB_WINDOW_LEAST, TB_WINDOW_LEAST, n, 0, t, t));
        TB_TRY(note_two(TB_WINDOW_GREATEST, TB_WINDOW_GREATEST, n, 0, t, t));
    }
    return note_squares(t);
}

static tb_status note_windows(void)
{
    static const int64_t cross[] = {-1, 0, 0, -1, 0, 0, 0, 1, 1, 0};
    for (int i = 0; i < FLOATS; i++) TB_TRY(note_windows_of(floats[i]));
    for (tb_window_kind kind = TB_WINDOW_LEAST; kind <= TB_WINDOW_GREATEST; kind++)
        TB_TRY(note_window((tb_window){.kind = kind, .nplace = 5, .place = cross}, TB_BOOL, TB_BOOL, 2));
    return TB_OK;
}

/* ---- images ------------------------------------------------------------------------------------------------------ */

static tb_status note_splines(tb_dtype t)
{
    static const int64_t sides[] = {100, 100, 100};
    static const double pole[] = {-0.2679491924311227}; /* of the third order */
    for (int order = 1; order <= 3; order += 2)
        for (int k = 0; k < 4; k++) {
            const tb_spline_map m = {.naxis = 2 + k / 2,
                                     .order = order,
                                     .mode = TB_SPLINE_AT_CONSTANT,
                                     .diagonal = k % 2,
                                     .in_dtype = order == 1 ? t : TB_F64,
                                     .out_dtype = t,
                                     .batch = 1,
                                     .sides = sides,
                                     .shape = sides};
            TB_TRY(note(tb__spline_map_source(&m)));
        }
    for (int inner = 1; inner <= 2; inner++) {
        const tb_two_sided two = {.dtype = t, .edge = TB_SPLINE_MIRROR, .inner = inner, .poles = 1, .pole = {pole[0]}};
        TB_TRY(note(tb__two_sided_source(&two)));
    }
    return TB_OK;
}

static tb_status note_objects(void)
{
    static const uint8_t connected[27] = {[4] = 1, [10] = 1, [12] = 1, [13] = 1, [14] = 1, [16] = 1, [22] = 1};
    for (int ndim = 2; ndim <= 3; ndim++) {
        const tb_objects o = {.ndim = ndim, .shape = (const int64_t[]){9, 9, 9}, .connected = connected};
        TB_TRY(note(tb__label_source(&o)));
    }
    for (int whole = 0; whole < 2; whole++) {
        const tb_distance_pass d = {.to = TB_F64, .outer = SIDE, .n = SIDE, .inner = 1, .whole = whole};
        TB_TRY(note(tb__distances_source(&d)));
    }
    return TB_OK;
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

/* Sections of the second order, and filters of up to the fourth. */
static tb_status note_filters(tb_dtype t, bool single)
{
    static const double coefficients[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (int order = 1; order <= 4; order++) {
        const tb_recur r = {.dtype = t, .sections = 1, .order = order, .single = single, .coefficients = coefficients};
        TB_TRY(note(tb__recur_source(&r)));
    }
    return TB_OK;
}

/* Between two rates: taps of up to 1, 4 and 16 KB, and such that the signal goes through shared memory or not. */
static tb_status note_rates(tb_dtype t)
{
    static const int64_t taps[] = {61, 401};
    for (int k = 0; k < 2; k++)
        for (int64_t down = 1; down <= 4; down *= 2) {
            const tb_phases p = {
                .dtype = t, .rows = 1, .n = 1 << 20, .count = 1 << 20, .taps = taps[k], .up = 2, .down = 2 * down - 1};
            TB_TRY(note(tb__phases_source(&p)));
        }
    return TB_OK;
}

static tb_status note_signals(void)
{
    for (int i = 0; i < FLOATS; i++) {
        TB_TRY(note(tb__slide_source(floats[i], SIDE)));
        TB_TRY(note(tb__slide_source(floats[i], 1 << 20)));
        TB_TRY(note_filters(floats[i], false));
        TB_TRY(note_rates(floats[i]));
    }
    return note_filters(TB_F64, true);
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

static tb_status note_pairs(tb_dtype t)
{
    static const tb_metric metrics[] = {TB_METRIC_SQEUCLIDEAN, TB_METRIC_EUCLIDEAN, TB_METRIC_CITYBLOCK,
                                        TB_METRIC_HAMMING,     TB_METRIC_COSINE,    TB_METRIC_CHEBYSHEV,
                                        TB_METRIC_CANBERRA,    TB_METRIC_BRAYCURTIS};
    for (int k = 0; k < 4; k++)
        for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
            const int64_t rows = k / 2 ? 1 << 14 : 100;
            const tb_pairs p = {.dtype = t, .metric = metrics[i], .once = k % 2, .m = rows, .k = rows};
            TB_TRY(note(tb__pairs_source(&p)));
        }
    return TB_OK;
}

static tb_status note_trees(void)
{
    TB_TRY(note(tb__tree_source(&(tb_tree_step){.kind = TB_TREE_KEYS})));
    TB_TRY(note(tb__tree_source(&(tb_tree_step){.kind = TB_TREE_PACK})));
    for (int dims = 2; dims <= 3; dims++) {
        for (int k = 1; k <= 16; k *= 2)
            TB_TRY(note(tb__tree_source(&(tb_tree_step){.kind = TB_TREE_NEAREST, .dims = dims, .k = k, .p = 2})));
        TB_TRY(note(tb__tree_source(&(tb_tree_step){.kind = TB_TREE_COUNT, .dims = dims, .p = 2})));
        TB_TRY(note(tb__tree_source(&(tb_tree_step){.kind = TB_TREE_LIST, .dims = dims, .p = 2})));
    }
    return TB_OK;
}

static tb_status note_points(void)
{
    TB_TRY(note(tb__pieces_source(&(tb_pieces){.form = TB_PIECE_LINES, .orders = 1})));
    TB_TRY(note(tb__pieces_source(&(tb_pieces){.form = TB_PIECE_POWERS, .orders = 2})));
    TB_TRY(note(tb__pieces_source(&(tb_pieces){.form = TB_PIECE_POWERS, .orders = 4})));
    TB_TRY(note(tb__pieces_source(&(tb_pieces){.form = TB_PIECE_SPLINE, .orders = 4})));
    for (int i = 0; i < FLOATS; i++) TB_TRY(note_pairs(floats[i]));
    return note_trees();
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

/* The eigenvalues of symmetric ones of up to so many rows. */
static tb_status note_eigenvalues(tb_dtype t, int64_t most)
{
    for (int64_t n = 128; n <= most; n *= 2) {
        tb_routine_source source[TB_EIGEN_SOURCES];
        tb__eigenvalues_sources(t, n, source);
        for (int i = 0; i < TB_EIGEN_SOURCES; i++) TB_TRY(note(source[i]));
    }
    return TB_OK;
}

/* Those that a warp or four work on, alone or many; of larger ones the rows that are exchanged. */
static tb_status note_matrices(void)
{
    static const tb_solver routines[] = {TB_SOLVER_getrf, TB_SOLVER_getrs, TB_SOLVER_geqrf, TB_SOLVER_orgqr};
    static const struct {
        int64_t batch, n;
    } stacks[] = {{1, 32}, {4096, 32}, {1, 64}};
    for (int t = TB_F32; t <= TB_C128; t++) {
        TB_TRY(note(tb__exchanges_source((tb_dtype)t)));
        for (int i = 0; i < 12; i++) {
            const int64_t n = stacks[i / 4].n;
            const tb_solve q = {routines[i % 4], .dtype = (tb_dtype)t, .batch = stacks[i / 4].batch, .m = n, .n = n};
            if (tb__gpu_solves(&q)) TB_TRY(note(tb__dense_source(&q)));
        }
    }
    TB_TRY(note_eigenvalues(TB_F32, 1024));
    return note_eigenvalues(TB_F64, 512);
}

/* ---- sparse matrices, few positions in order --------------------------------------------------------------------- */

static tb_status note_sparse(void)
{
    tb_routine_source source[TB_SORT_SOURCES];
    TB_TRY(ship_note_sources(NULL, source, tb__sort_sources_carrying(TB_I32, SIDE, source)));
    for (int kind = 0; kind < TB_SPARSE_STEPS; kind++)
        TB_TRY(note(tb__sparse_step_source((tb_sparse_step_kind)kind, false)));
    TB_TRY(note(tb__sparse_bound_source(false)));
    for (int i = 0; i < FLOATS; i++) {
        static const double each[] = {3, 6, 12, 24, 60};
        for (int k = 0; k < 5; k++) TB_TRY(note(tb__sparse_source(floats[i], false, false, 1, each[k])));
        TB_TRY(note(tb__sparse_source(floats[i], false, true, 1, each[2])));
        TB_TRY(note(tb__sparse_source(floats[i], false, false, 32, each[2])));
    }
    return TB_OK;
}

static tb_status note_selections(tb_dtype t)
{
    tb_routine_source source[TB_SORT_SOURCES];
    for (int targets = 1; targets <= 2; targets++) {
        const int n = tb__select_sources(t, 1 << 20, targets, false, source);
        TB_TRY(ship_note_sources(NULL, source, n));
    }
    return TB_OK;
}

tb_status ship_routines(void)
{
    TB_TRY(note_windows());
    for (int i = 0; i < FLOATS; i++) {
        TB_TRY(note_splines(floats[i]));
        TB_TRY(note_selections(floats[i]));
    }
    TB_TRY(note_objects());
    TB_TRY(note_signals());
    TB_TRY(note_points());
    TB_TRY(note_matrices());
    return note_sparse();
}
