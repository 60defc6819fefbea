/* routine.c - the sources and launches of kernels that are made of no values (plan/routine.h). */
#include "plan/routine.h"

#include <string.h>

#include "base/error.h"
#include "base/half.h"
#include "base/hash.h"
#include "codegen/kernel_text.h"
#include "codegen/layout.h"

tb_sort_key tb__sort_key(tb_dtype t)
{
    const bool complex = tb_dtype_kind(t) == TB_KIND_COMPLEX;
    const int size = (int)tb_dtype_size(t), parts = complex ? 2 : 1, bytes = size / parts;
    const int words = parts * (bytes > 4 ? 2 : 1) + complex;
    return (tb_sort_key){.bits = 8 * bytes, .parts = parts, .words = words, .passes = parts * bytes + complex};
}

/* ---- the source ------------------------------------------------------------------------------------------------- */

/* Of the bits of components of dtype t. */
static void add_floating(tb_text *out, tb_dtype t)
{
    const char *infinity = "0x7ff0000000000000", *nan = "0x7ff8000000000000";
    if (t == TB_F32) infinity = "0x7f800000", nan = "0x7fc00000";
    else if (t == TB_BF16) infinity = "0x7f80", nan = "0x7fc0";
    else if (t != TB_F64) infinity = "0x7c00", nan = "0x7e00";
    tb__text_addf(out, "#define TB_INFINITY ((tb_part)%s)\n#define TB_NAN ((tb_part)%s)\n", infinity, nan);
}

static void add_key(const tb_routine_source *r, tb_text *out)
{
    const tb_dtype t = (tb_dtype)r->dtype;
    const tb_kind kind = tb_dtype_kind(t);
    const tb_sort_key key = tb__sort_key(t);
    const bool floating = kind == TB_KIND_FLOAT || kind == TB_KIND_COMPLEX;
    tb__text_addf(
        out, "enum { TB_BITS = %d, TB_PARTS = %d, TB_SIGNED = %d, TB_FLOAT = %d, TB_WORDS = %d, TB_PASSES = %d };\n",
        key.bits, key.parts, kind == TB_KIND_INT && !tb_dtype_is_unsigned(t), floating, key.words, key.passes);
    tb__text_addf(out, "typedef tb_u%d tb_part;\n#define TB_TOP ((tb_part)1 << (TB_BITS - 1))\n", key.bits);
    add_floating(out, floating ? tb_dtype_real(t) : TB_F16);
    tb__text_addf(out, "enum { TB_ORDER = %d, TB_LANES = %d, TB_ITEMS = %d, TB_THREADS = %d, TB_TARGETS = %d };\n",
                  r->order, r->lanes, r->items, 32 * r->warps, r->targets);
    tb__text_addf(out, "enum { TB_RIGHT = %d, TB_LEVELS = %d };\n", r->right, r->levels);
}

static void add_number(const tb_routine_source *r, tb_text *out)
{
    tb__text_addf(out, "typedef tb_%s tb_number;\nenum { TB_ITEMS = %d, TB_THREADS = %d };\n", tb__token[r->dtype],
                  r->items, 32 * r->warps);
}

static void add_histogram(const tb_routine_source *r, tb_text *out)
{
    tb__text_addf(out, "typedef tb_%s tb_number;\nenum { TB_THREADS = %d, TB_BINS = %d };\n", tb__token[r->dtype],
                  32 * r->warps, TB_MOST_BINS);
}

static void add_softmax(const tb_routine_source *r, tb_text *out)
{
    const char *t = tb__token[r->dtype], *f = r->dtype == TB_F64 ? "" : "f";
    tb__text_addf(out,
                  "typedef tb_%s tb_number;\ntypedef tb_reg_%s tb_work;\n#define tb_work_of(x) tb_load_%s(x)\n"
                  "#define tb_number_of(x) tb_store_%s(x)\n",
                  t, t, t, t);
    tb__text_addf(out,
                  "enum { TB_LANES = %d, TB_CHUNKS = %d, TB_V = %d, TB_LOG = %d, TB_THREADS = %d };\n"
                  "#define TB_EXP exp%s\n#define TB_LOGARITHM log%s\n#define TB_INFINITY %s\n",
                  r->lanes ? r->lanes : 32 * r->warps, r->items, r->levels, r->order, 32 * r->warps, f, f,
                  r->dtype == TB_F64 ? "__longlong_as_double(0x7ff0000000000000ll)" : "__int_as_float(0x7f800000)");
}

static void add_phases(const tb_routine_source *r, tb_text *out)
{
    tb__text_addf(out,
                  "typedef tb_%s tb_number;\n#define TB_ITEMS %d\n"
                  "enum { TB_THREADS = %d, TB_ROOM = %d * 1024 / (int)sizeof(tb_number), TB_TAPS = %d * 1024 / "
                  "(int)sizeof(tb_number) };\n",
                  tb__token[r->dtype], r->items, 32 * r->warps, r->lanes, r->levels);
}

static void add_pieces(const tb_routine_source *r, tb_text *out)
{
    tb__text_addf(out,
                  "enum { TB_FORM = %d, TB_ORDERS = %d, TB_THREADS = %d };\n"
                  "enum { TB_POWERS = %d, TB_LINES = %d, TB_SPLINE = %d, TB_NAN_OUTSIDE = %d, TB_REPEATS = %d };\n",
                  r->targets, r->lanes, 32 * r->warps, TB_PIECE_POWERS, TB_PIECE_LINES, TB_PIECE_SPLINE, TB_PIECE_NAN,
                  TB_PIECE_REPEATS);
}

static void add_pairs(const tb_routine_source *r, tb_text *out)
{
    tb__text_addf(out,
                  "typedef tb_%s tb_number;\n"
                  "enum { TB_METRIC = %d, TB_ONCE = %d, TB_EACH = %d };\n"
                  "enum { TB_SQEUCLIDEAN, TB_EUCLIDEAN, TB_CITYBLOCK, TB_CHEBYSHEV, TB_MINKOWSKI, TB_HAMMING, "
                  "TB_CANBERRA, TB_BRAYCURTIS, TB_COSINE };\n",
                  tb__token[r->dtype], r->targets, r->order, r->items);
}

static void add_spline(const tb_routine_source *r, tb_text *out)
{
    const bool map = r->kind == TB_ROUTINE_SPLINE_MAP;
    tb__text_addf(out,
                  "typedef tb_%s tb_number;\ntypedef tb_i%d tb_offset;\n"
                  "enum { TB_CONSTANT = %d, TB_GRID_CONSTANT = %d, TB_NEAREST = %d, TB_WRAP = %d };\n"
                  "enum { TB_MIRROR = %d, TB_REFLECT = %d, TB_GRID_WRAP = %d };\n"
                  "enum { TB_MODE = %d, TB_THREADS = %d };\n",
                  tb__token[r->dtype], r->wide_places ? 64 : 32, TB_SPLINE_AT_CONSTANT, TB_SPLINE_AT_GRID_CONSTANT,
                  TB_SPLINE_AT_NEAREST, TB_SPLINE_AT_WRAP, map ? TB_SPLINE_AT_MIRROR : TB_SPLINE_MIRROR,
                  map ? TB_SPLINE_AT_REFLECT : TB_SPLINE_REFLECT, map ? TB_SPLINE_AT_GRID_WRAP : TB_SPLINE_WRAP,
                  r->levels, 32 * r->warps);
    if (map)
        tb__text_addf(out,
                      "typedef tb_%s tb_result;\nenum { TB_SPLINE = %d, TB_AXES = %d };\n"
                      "#define TB_DIAGONAL %d\n#define TB_FAR_AWAY %s\n",
                      tb__token[r->targets], r->items, r->lanes, r->right, r->wide_places ? "4e15" : "1e9");
    else
        tb__text_addf(out, "enum { TB_POLES = %d, TB_REACH = %d };\n#define TB_ALONG %d\n", r->items, r->lanes,
                      r->order);
}

static void add_elements(const tb_routine_source *r, tb_text *out)
{
    tb__text_addf(out, "typedef tb_%s tb_number;\ntypedef tb_i%d tb_column;\n", tb__token[r->dtype],
                  r->wide_places ? 64 : 32);
    tb__text_addf(out, "enum { TB_LANES = %d, TB_THREADS = %d, TB_TRUTH = %d };\n#define TB_TRANSPOSED %d\n", r->lanes,
                  32 * r->warps, r->dtype == TB_BOOL, r->right);
}

static bool is_pattern(const tb_routine_source *r)
{
    return r->kind >= TB_ROUTINE_SPARSE_ROWS && r->kind <= TB_ROUTINE_SPARSE_BOUND;
}

static void add_column(const tb_routine_source *r, tb_text *out)
{
    tb__text_addf(out, "typedef tb_i%d tb_column;\nenum { TB_ITEMS = %d, TB_THREADS = %d };\n",
                  r->wide_places ? 64 : 32, r->items, 32 * r->warps);
}

static bool is_sparse_row(const tb_routine_source *r)
{
    return r->kind == TB_ROUTINE_SPARSE_COUNT || r->kind == TB_ROUTINE_SPARSE_FILL;
}

static void add_row(const tb_routine_source *r, tb_text *out)
{
    add_column(r, out);
    tb__text_addf(out, "typedef tb_%s tb_number;\nenum { TB_TRUTH = %d, TB_WHOLE = %d };\n#define TB_FILLS %d\n",
                  tb__token[r->dtype], r->dtype == TB_BOOL, r->order, r->kind == TB_ROUTINE_SPARSE_FILL);
}

static void add_filter(const tb_routine_source *r, tb_text *out)
{
    const bool complex = tb_dtype_kind((tb_dtype)r->dtype) == TB_KIND_COMPLEX;
    tb__text_addf(out,
                  "typedef tb_%s tb_number;\ntypedef tb_%s tb_input;\n"
                  "enum { TB_ORDER = %d, TB_ITEMS = %d, TB_CARRIED = %d, TB_FEEDBACK = %d, TB_THREADS = %d };\n",
                  tb__token[r->dtype], r->order ? "f32" : tb__token[r->dtype], r->lanes, r->items, TB_RECUR_CARRIED,
                  r->right, 32 * r->warps);
    tb__text_add(out, complex ? "typedef tb_c128 tb_wide;\n#define tb_wide_of(re, im) tb_make_c128(re, im)\n"
                                "#define tb_is_zero(x) ((x).re == 0 && (x).im == 0)\n"
                              : "typedef tb_f64 tb_wide;\n#define tb_wide_of(re, im) ((tb_f64)(re))\n"
                                "#define tb_is_zero(x) ((x) == 0)\n");
}

static bool is_dense(const tb_routine_source *r)
{
    return r->kind >= TB_ROUTINE_DENSE_LU && r->kind <= TB_ROUTINE_DENSE_VECTORS;
}

static void add_matrix(const tb_routine_source *r, tb_text *out)
{
    const tb_dtype t = (tb_dtype)r->dtype;
    const bool complex = tb_dtype_kind(t) == TB_KIND_COMPLEX;
    const size_t part = tb_dtype_size(t) / (complex ? 2 : 1);
    tb__text_addf(out, "typedef tb_%s tb_number;\ntypedef tb_f%d tb_real;\n", tb__token[t], (int)(8 * part));
    if (r->kind == TB_ROUTINE_DENSE_ROWS) {
        tb__text_addf(out, "enum { TB_THREADS = %d, TB_ROWS_BYTES = %d };\n", 32 * r->warps, TB_ROWS_BYTES);
        return;
    }
    const bool rows = r->warps > 1 && r->kind >= TB_ROUTINE_DENSE_QR;
    tb__text_addf(out, "#define TB_ROOM %d\nenum { TB_THREADS = %d, TB_APART_BY = %d };\n", r->items, 32 * r->warps,
                  rows ? 4 : 1);
    tb__text_addf(out,
                  "#define TB_SMALL_SQUARE ((tb_real)%s)\n#define TB_LARGE_SQUARE ((tb_real)%s)\n#define TB_LEAST %s\n",
                  part == 4 ? "1e-30" : "1e-280", part == 4 ? "1e30" : "1e280",
                  part == 4 ? "((tb_real)1.1754943508222875e-38)" : "((tb_real)2.2250738585072014e-308)");
    if (complex) tb__text_addf(out, "#define tb_number_of(re, im) tb_make_%s((tb_real)(re), im)\n", tb__token[t]);
    else tb__text_add(out, "#define tb_number_of(re, im) ((tb_number)(re))\n");
}

static void add_symmetric(const tb_routine_source *r, tb_text *out)
{
    const bool wide = r->dtype == TB_F64;
    tb__text_addf(
        out,
        "typedef tb_%s tb_number;\ntypedef tb_u%d tb_posted;\nenum { TB_THREADS = %d, TB_ITEMS = %d, TB_WIDE = "
        "%d };\n#define TB_NAN_BITS ((tb_posted)%s)\n#define TB_MOST ((tb_number)%s)\n",
        tb__token[r->dtype], wide ? 64 : 32, 32 * r->warps, r->items, wide ? 1000 : 100,
        wide ? "0x7ff8000000000000" : "0x7fc00000", wide ? "1.7976931348623157e308" : "3.4028234663852886e38");
}

static bool is_tree(const tb_routine_source *r)
{
    return r->kind >= TB_ROUTINE_TREE_KEYS && r->kind <= TB_ROUTINE_TREE_LIST;
}

static void add_tree(const tb_routine_source *r, tb_text *out)
{
    tb__text_addf(out,
                  "enum { TB_THREADS = %d, TB_NORM = %d, TB_PERIODIC = %d, TB_LIST = %d };\n"
                  "#define TB_DIMS %d\n#define TB_NEAREST %d\n#define TB_WITHIN %d\n",
                  32 * r->warps, r->levels, r->right, r->kind == TB_ROUTINE_TREE_LIST, r->lanes, r->items,
                  r->kind != TB_ROUTINE_TREE_NEAREST);
}

static bool is_window(const tb_routine_source *r)
{
    return r->kind >= TB_ROUTINE_WINDOW_SUM && r->kind <= TB_ROUTINE_WINDOW_TWO;
}

/* The comparisons that bring the element of a rank to its place, from odd-even merging (K. E. Batcher, Sorting networks
 * and their applications, 1968): those that the place does not depend on are left out, from the last one back. */
static void add_network(int n, int rank, tb_text *out)
{
    enum { MOST = 1024 };
    struct {
        uint8_t i, j;
    } order[MOST];
    int count = 0;
    uint64_t needed = (uint64_t)1 << rank;
    for (int p = 1; p < n; p *= 2)
        for (int k = p; k > 0; k /= 2)
            for (int j = k % p; j < n - k; j += 2 * k)
                for (int i = j; i < j + k && i + k < n; i++)
                    if (i / (2 * p) == (i + k) / (2 * p) && count < MOST) {
                        order[count].i = (uint8_t)i;
                        order[count++].j = (uint8_t)(i + k);
                    }
    bool kept[MOST] = {false}, least[MOST], most[MOST];
    for (int c = count; c-- > 0;) {
        const uint64_t i = (uint64_t)1 << order[c].i, j = (uint64_t)1 << order[c].j;
        least[c] = needed & i;
        most[c] = needed & j;
        kept[c] = least[c] || most[c];
        if (kept[c]) needed |= i | j;
    }
    tb__text_add(out, "#define TB_NETWORK");
    for (int c = 0; c < count; c++)
        if (kept[c])
            tb__text_addf(out, " TB_ORDER_%s(%d, %d)",
                          least[c] && most[c] ? "BOTH"
                          : least[c]          ? "LEAST"
                                              : "MOST",
                          order[c].i, order[c].j);
    tb__text_add(out, "\n");
}

/* Results beyond an integer dtype wrap around, as where float64 becomes int64 first; those of uint64 by their size. */
static void add_window_result(const tb_routine_source *r, tb_text *out)
{
    const char *work = tb__token[r->work], *to = tb__token[r->to];
    const bool whole = tb_dtype_kind((tb_dtype)r->to) == TB_KIND_INT;
    const bool cut = whole && tb_dtype_kind((tb_dtype)r->work) == TB_KIND_FLOAT;
    tb__text_addf(out, "TB_FN tb_out tb_result(tb_work v)\n{\n    return ");
    if (cut && tb_dtype_size((tb_dtype)r->to) < 8)
        tb__text_addf(out, "tb_store_%s(TB_CAST(i64, %s, TB_CAST(%s, i64, v)));\n}\n", to, to, work);
    else if (cut && r->to == TB_U64)
        tb__text_addf(out, "TB_CAST(%s, u64, v > -1 ? v : 0) - TB_CAST(%s, u64, v <= -1 ? -v : 0);\n}\n", work, work);
    else tb__text_addf(out, "tb_store_%s(TB_CAST(%s, %s, v));\n}\n", to, work, to);
}

static void add_window(const tb_routine_source *r, tb_text *out)
{
    const tb_kind work = tb_dtype_kind((tb_dtype)r->work);
    const char *from = tb__token[r->dtype], *token = tb__token[r->work];
    const bool complex = work == TB_KIND_COMPLEX, rank = r->kind == TB_ROUTINE_WINDOW_RANK;
    const bool single = r->work == TB_F32 || tb__is_half((tb_dtype)r->work);
    tb__text_addf(out, "typedef tb_%s tb_in;\ntypedef tb_%s tb_out;\ntypedef tb_reg_%s tb_work;\n", from,
                  tb__token[r->to], token);
    tb__text_addf(out, "#define tb_work_of(x) TB_CAST(%s, %s, tb_load_%s(x))\n", from, token, from);
    tb__text_addf(out,
                  "enum { TB_THREADS = %d, TB_LINES = %d, TB_BATCHES = %d, TB_NEAR = %d, TB_SKEW = %d, TB_PARTS = %d,\n"
                  "       TB_ROOM = %d * 1024 / (int)sizeof(tb_work), TB_PLACES = %d, TB_RANK = %d };\n",
                  TB_WINDOW_THREADS, r->lanes, TB_WINDOW_BATCHES, TB_WINDOW_NEAR, !rank && r->lanes < 32,
                  complex ? 2 : 1, r->items, r->targets, r->levels);
    tb__text_addf(out, "#define TB_ACROSS %d\n#define TB_SUMS %d\n#define TB_PAIRS %d\n#define TB_BLOCKS %d\n",
                  r->order, r->kind == TB_ROUTINE_WINDOW_SUM,
                  r->targets == TB_WINDOW_MIRRORED  ? 1
                  : r->targets == TB_WINDOW_OPPOSED ? -1
                                                    : 0,
                  complex ? 1 : 4);
    tb__text_add(out, complex                 ? "#define TB_FILL tb_make_c128(p.number[0], p.number[1])\n"
                      : work == TB_KIND_FLOAT ? "#define TB_FILL (tb_work)p.number[0]\n"
                                              : "#define TB_FILL (tb_work)p.whole\n");
    tb__text_addf(out, "#define TB_ADDED(x, w) (tb_work)(%s)\n", r->right ? "(x) + (w)" : "x");
    tb__text_add(out, complex ? "TB_FN tb_c128 tb_add(tb_c128 a, tb_c128 b) { return tb_make_c128(a.re + b.re, a.im + "
                                "b.im); }\n"
                                "TB_FN tb_c128 tb_minus_of(tb_c128 a) { return tb_make_c128(-a.re, -a.im); }\n"
                                "TB_FN tb_c128 tb_times(tb_c128 a, tb_c128 b)\n"
                                "{\n"
                                "    return tb_make_c128(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);\n"
                                "}\n"
                                "#define tb_weight(w, i) tb_make_c128((w)[2 * (i)], (w)[2 * (i) + 1])\n"
                              : "#define tb_add(a, b) ((a) + (b))\n#define tb_minus_of(a) (-(a))\n"
                                "#define tb_times(a, b) ((a) * (b))\n#define tb_weight(w, i) ((w)[i])\n");
    if (r->kind == TB_ROUTINE_WINDOW_MEAN)
        tb__text_addf(out, "#define tb_join(a, b) tb_add(a, b)\n#define tb_finish(a, n) %s\n",
                      complex ? "tb_make_c128((a).re / (n), (a).im / (n))" : "((a) / (n))");
    else tb__text_add(out, "#define tb_finish(a, n) (a)\n");
    if (r->kind == TB_ROUTINE_WINDOW_LEAST || r->kind == TB_ROUTINE_WINDOW_GREATEST)
        tb__text_addf(out, "TB_FN tb_work tb_join(tb_work a, tb_work b) { return a %s b%s ? a : b; }\n",
                      r->kind == TB_ROUTINE_WINDOW_LEAST ? "<" : ">", work == TB_KIND_FLOAT ? " || a != a" : "");
    if (rank) {
        tb__text_add(out, single ? "#define tb_lesser(a, b) fminf(a, b)\n#define tb_greater(a, b) fmaxf(a, b)\n"
                                 : "#define tb_lesser(a, b) ((b) < (a) ? (b) : (a))\n"
                                   "#define tb_greater(a, b) ((b) < (a) ? (a) : (b))\n");
        add_network(r->targets, r->levels, out);
    }
    add_window_result(r, out);
}

static void add_label(const tb_routine_source *r, tb_text *out)
{
    tb__text_addf(out,
                  "typedef tb_i%d tb_label;\n#define TB_OUTER %d\n"
                  "enum { TB_THREADS = %d, TB_ITEMS = %d, TB_SUM_THREADS = %d };\n"
                  "enum { TB_LABEL_DIMS = %d, TB_LABEL_STEPS = %d };\n"
                  "enum { TB_LABEL_TILES, TB_LABEL_EDGES, TB_LABEL_PLANES, TB_LABEL_COUNT, TB_LABEL_SUM, "
                  "TB_LABEL_NUMBER };\n",
                  r->wide_places ? 64 : 32, r->order, 32 * r->warps, r->items, TB_LABEL_SUM_THREADS, TB_LABEL_DIMS,
                  TB_LABEL_STEPS);
}

static void add_distances(const tb_routine_source *r, tb_text *out)
{
    tb__text_addf(out,
                  "typedef tb_i%d tb_offset;\ntypedef tb_%s tb_square;\n#define TB_FAR %s\ntypedef tb_%s tb_distance;\n"
                  "enum { TB_THREADS = %d };\n"
                  "enum { TB_DISTANCES_ZEROS, TB_DISTANCES_BESIDE, TB_DISTANCES_ROWS };\n",
                  r->wide_places ? 64 : 32, r->order ? "u32" : "f64", r->order ? "0x7fffffffu" : "1e300",
                  tb__token[r->dtype], 32 * r->warps);
}

static void add_two_windows(const tb_routine_source *r, tb_text *out)
{
    const char *from = tb__token[r->dtype], *work = tb__token[r->work], *to = tb__token[r->to];
    const bool floating = tb_dtype_kind((tb_dtype)r->work) == TB_KIND_FLOAT;
    tb__text_addf(out, "typedef tb_%s tb_in;\ntypedef tb_%s tb_out;\ntypedef tb_reg_%s tb_work;\n", from, to, work);
    tb__text_addf(out,
                  "#define tb_work_of(x) TB_CAST(%s, %s, tb_load_%s(x))\n"
                  "#define tb_work_again(x) TB_CAST(%s, %s, tb_load_%s(x))\n"
                  "#define TB_FILL (tb_work)p.%s\n#define TB_IS_NAN(a) %s\n#define TB_COLUMNS_FIRST %d\n",
                  from, work, from, to, work, to, floating ? "number[0]" : "whole", floating ? "((a) != (a))" : "false",
                  r->order);
    tb__text_addf(out,
                  "enum { TB_THREADS = %d, TB_BATCHES = %d, TB_SHORT = %d };\n"
                  "enum { TB_FIRST = %d, TB_SECOND = %d, TB_FIRST_KIND = %d, TB_SECOND_KIND = %d };\n",
                  TB_WINDOW_THREADS, TB_WINDOW_BATCHES, TB_WINDOW_SHORT, r->lanes, r->items, r->targets, r->levels);
    add_window_result(r, out);
}

tb_status tb__routine_source(const tb_routine_source *r, tb_text *out)
{
    static const char *const texts[] = {
        [TB_ROUTINE_SORT_SHORT] = "device_sort_key device_sort_short",
        [TB_ROUTINE_SORT_BLOCK] = "device_sort_key device_sort_rank device_sort_block",
        [TB_ROUTINE_SORT_COUNT] = "device_sort_key device_counters device_sort_count",
        [TB_ROUTINE_SORT_STARTS] = "device_sort_starts",
        [TB_ROUTINE_SORT_SWEEP] = "device_sort_key device_sort_rank device_sort_sweep",
        [TB_ROUTINE_SELECT_COUNT] = "device_sort_key device_select device_counters device_select_count",
        [TB_ROUTINE_SELECT_NARROW] = "device_sort_key device_select device_select_narrow",
        [TB_ROUTINE_SELECT_MOVE] = "device_sort_key device_select device_select_move",
        [TB_ROUTINE_SEARCH] = "device_sort_key device_search",
        [TB_ROUTINE_HISTOGRAM] = "device_counters device_histogram",
        [TB_ROUTINE_SOFTMAX] = "device_softmax",
        [TB_ROUTINE_SLIDE] = "device_add_product device_slide",
        [TB_ROUTINE_POLYPHASE] = "device_add_product device_polyphase",
        [TB_ROUTINE_SPARSE] = "device_sparse_number device_sparse_product",
        [TB_ROUTINE_PAIRS] = "device_pairs",
        [TB_ROUTINE_PIECES] = "pieces device_pieces",
        [TB_ROUTINE_SPLINE_MAP] = "device_spline_map",
        [TB_ROUTINE_TWO_SIDED] = "device_two_sided",
        [TB_ROUTINE_SPARSE_ROWS] = "device_sparse_pattern device_sparse_rows",
        [TB_ROUTINE_SPARSE_CHECK] = "device_sparse_pattern device_sparse_check",
        [TB_ROUTINE_SPARSE_PAIR] = "device_sparse_pattern device_sparse_pair",
        [TB_ROUTINE_SPARSE_MERGE] = "device_sparse_pattern device_sparse_merge",
        [TB_ROUTINE_SPARSE_STARTS] = "device_sparse_pattern device_sparse_starts",
        [TB_ROUTINE_SPARSE_BOUND] = "device_sparse_bound",
        [TB_ROUTINE_SPARSE_COUNT] = "device_sparse_number device_sparse_multiply",
        [TB_ROUTINE_SPARSE_FILL] = "device_sparse_number device_sparse_multiply",
        [TB_ROUTINE_DENSE_LU] = "device_dense device_dense_lu",
        [TB_ROUTINE_DENSE_SOLVE] = "device_dense device_dense_solve",
        [TB_ROUTINE_DENSE_ROWS] = "device_dense_rows",
        [TB_ROUTINE_DENSE_QR] = "device_dense device_dense_qr",
        [TB_ROUTINE_DENSE_Q] = "device_dense device_dense_q",
        [TB_ROUTINE_DENSE_VECTORS] = "device_dense device_dense_vectors",
        [TB_ROUTINE_TRIDIAGONAL] = "device_tridiagonal",
        [TB_ROUTINE_EIGENVALUES] = "device_eigenvalues",
        [TB_ROUTINE_RECUR] = "device_recur device_recur_back device_recur_tile",
        [TB_ROUTINE_TREE_KEYS] = "tree device_tree_keys",
        [TB_ROUTINE_TREE_PACK] = "tree device_tree_pack",
        [TB_ROUTINE_TREE_NEAREST] = "tree device_tree_find",
        [TB_ROUTINE_TREE_COUNT] = "tree device_tree_find",
        [TB_ROUTINE_TREE_LIST] = "tree device_tree_find",
        [TB_ROUTINE_WINDOW_SUM] = "device_window device_window_walk",
        [TB_ROUTINE_WINDOW_MEAN] = "device_window device_window_walk",
        [TB_ROUTINE_WINDOW_LEAST] = "device_window device_window_walk",
        [TB_ROUTINE_WINDOW_GREATEST] = "device_window device_window_walk",
        [TB_ROUTINE_WINDOW_RANK] = "device_window device_window_rank",
        [TB_ROUTINE_LABEL] = "device_label",
        [TB_ROUTINE_DISTANCES] = "device_distances",
        [TB_ROUTINE_WINDOW_TWO] = "device_window_two",
    };
    tb__text_add(out, "#pragma nv_diag_suppress 177\n");
    const bool half = is_window(r) || r->kind == TB_ROUTINE_SOFTMAX;
    tb__kernel_text_add(half ? "types half device_wait" : "types device_wait", out);
    tb__text_addf(out, "typedef tb_u%d tb_index;\ntypedef tb_u%d tb_count;\n", r->wide_places ? 64 : 32,
                  r->wide_counts ? 64 : 32);
    if (r->kind == TB_ROUTINE_SLIDE) add_number(r, out);
    else if (r->kind == TB_ROUTINE_HISTOGRAM) add_histogram(r, out);
    else if (r->kind == TB_ROUTINE_SOFTMAX) add_softmax(r, out);
    else if (r->kind == TB_ROUTINE_POLYPHASE) add_phases(r, out);
    else if (r->kind == TB_ROUTINE_PIECES) add_pieces(r, out);
    else if (r->kind == TB_ROUTINE_PAIRS) add_pairs(r, out);
    else if (r->kind == TB_ROUTINE_SPLINE_MAP || r->kind == TB_ROUTINE_TWO_SIDED) add_spline(r, out);
    else if (r->kind == TB_ROUTINE_SPARSE) add_elements(r, out);
    else if (is_pattern(r)) add_column(r, out);
    else if (is_sparse_row(r)) add_row(r, out);
    else if (r->kind == TB_ROUTINE_RECUR) add_filter(r, out);
    else if (is_dense(r)) add_matrix(r, out);
    else if (r->kind == TB_ROUTINE_TRIDIAGONAL || r->kind == TB_ROUTINE_EIGENVALUES) add_symmetric(r, out);
    else if (is_tree(r)) add_tree(r, out);
    else if (r->kind == TB_ROUTINE_WINDOW_TWO) add_two_windows(r, out);
    else if (is_window(r)) add_window(r, out);
    else if (r->kind == TB_ROUTINE_LABEL) add_label(r, out);
    else if (r->kind == TB_ROUTINE_DISTANCES) add_distances(r, out);
    else if (r->kind != TB_ROUTINE_SORT_STARTS) add_key(r, out);
    tb__kernel_text_add(texts[r->kind], out);
    return out->failed ? tb__fail_memory(out->len, 0, 0, 0) : TB_OK;
}

/* ---- the launch ------------------------------------------------------------------------------------------------- */

void tb__routine_variant(const tb_routine *r, tb_variant *v)
{
    enum { ROUTINE = 255 }; /* no form of a plan's kernel (variant.c) */
    v->key[0] = ROUTINE;
    memcpy(v->key + 1, &r->source, sizeof r->source);
    v->keylen = 1 + (int)sizeof r->source;
    v->hash = tb__hash_bytes(TB_HASH_START, v->key, (size_t)v->keylen);
    v->grid[0] = r->grid;
    v->block[0] = r->block;
    v->grid[1] = v->grid[2] = v->block[1] = v->block[2] = 1;
    v->nparam = r->nparam;
    memcpy(v->params, r->params, r->nparam);
    v->operands_at = v->workspace_at = v->counters_at = 0;
    v->workspace = v->counters = 0;
    v->clear = false;
    v->together = r->source.kind == TB_ROUTINE_TRIDIAGONAL;
}
