/* layout.c - chooses form, vector width, unrolling and index width from a plan's strides. Runs at every launch. */
#include "codegen/layout.h"
#include "base/half.h"
#include <string.h>

/* A tb_store of a reduction is written one element at a time and takes no part in the choice of the vector width. */
static int vector_operands(const tb_plan *p) { return p->kind == TB_PLAN_REDUCE ? p->nload : p->nload + p->nstore; }

static bool is_same(const tb_plan *p, const int64_t *strides)
{
    for (int d = 0; d < p->ndim; d++)
        if (strides[d]) return false;
    return true;
}

static bool is_linear(const tb_plan *p, const int64_t *strides, int64_t itemsize)
{
    for (int d = p->ndim; d-- > 0;) {
        if (strides[d] != itemsize) return false;
        itemsize *= p->shape[d];
    }
    return true;
}

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

/* The dimension along which most bytes are neighbours: where threads should be side by side. */
static int fast_dim(const tb_plan *p)
{
    int best = p->ndim - 1;
    int64_t most = 0;
    for (int d = p->ndim; d-- > 0;) {
        int64_t bytes = 0;
        for (int k = 0; k < vector_operands(p); k++) {
            const int64_t size = (int64_t)tb_dtype_size(tb__operand_dtype(p, k));
            if (magnitude(tb__operand_strides(p, k)[d]) == size) bytes += size;
        }
        if (bytes > most) {
            most = bytes;
            best = d;
        }
    }
    return best;
}

/* Puts the fast dimension last in its set where the order of the set is free. */
static void make_last(tb_layout *l, int from, int to, int d)
{
    for (int k = from; k < to; k++) {
        if (l->dim[k] != d) continue;
        for (; k + 1 < to; k++) l->dim[k] = l->dim[k + 1];
        l->dim[k] = (uint8_t)d;
    }
}

/* Reductions read more than they write: results are visited in the order in which the largest operand lies in
 * memory. */
static void sort_kept(const tb_plan *p, tb_layout *l)
{
    const int64_t *strides = NULL;
    int64_t most = 0;
    for (int k = 0; k < p->nload; k++) {
        int64_t bytes = (int64_t)tb_dtype_size((tb_dtype)p->load[k].dtype);
        for (int d = 0; d < p->ndim; d++) bytes *= p->load[k].strides[d] ? p->shape[d] : 1;
        if (bytes <= most) continue;
        most = bytes;
        strides = p->load[k].strides;
    }
    for (int n = 1; n < l->na && strides; n++) {
        const uint8_t d = l->dim[n];
        int at = n;
        for (; at > 0 && magnitude(strides[l->dim[at - 1]]) < magnitude(strides[d]); at--) l->dim[at] = l->dim[at - 1];
        l->dim[at] = d;
    }
}

/* Splits dimensions into A and B and chooses between forms that go along or across the inner dimension. */
static void divide_dims(const tb_plan *p, tb_layout *l)
{
    const uint32_t walked = p->ndim == 0 ? 0 : p->kind == TB_PLAN_REDUCE ? p->reduced : 1u << p->axis;
    const int fast = fast_dim(p);
    int n = 0;
    for (int d = 0; d < p->ndim; d++)
        if (!(walked >> d & 1)) l->dim[n++] = (uint8_t)d;
    l->na = (uint8_t)n;
    for (int d = 0; d < p->ndim; d++)
        if (walked >> d & 1) l->dim[n++] = (uint8_t)d;
    l->nb = (uint8_t)(n - l->na);
    if (p->kind == TB_PLAN_REDUCE) sort_kept(p, l);
    make_last(l, 0, l->na, fast);
    const bool position = p->kind == TB_PLAN_REDUCE && tb_red_table[p->red].has_index;
    if (!position) make_last(l, l->na, n, fast);
    const bool row = l->na == 0 || walked >> fast & 1;
    if (p->kind == TB_PLAN_REDUCE) l->form = row ? TB_FORM_ROW_BLOCK : TB_FORM_COLUMN;
    else l->form = row ? TB_FORM_SCAN_BLOCK : TB_FORM_SCAN_COLUMN;
    l->inner = (uint8_t)(n == 0 ? 0 : row ? n - 1 : l->na - 1);
}

bool tb__interleaves(const tb_plan *p)
{
    const int n = p->nstore, last = p->ndim - 1;
    if (n < 2 || p->kind != TB_PLAN_MAP || p->scatters || p->ndim == 0) return false;
    const tb_store *first = &p->store[0];
    const int64_t size = (int64_t)tb_dtype_size((tb_dtype)first->dtype);
    if (first->strides[last] != n * size) return false;
    for (int k = 1; k < n; k++) {
        const tb_store *s = &p->store[k];
        if (s->dtype != first->dtype || s->ptr != first->ptr + k * size) return false;
        for (int d = 0; d < p->ndim; d++)
            if (s->strides[d] != first->strides[d]) return false;
    }
    return true;
}

/* Elements that may move in one access of operand k: a power of two, 16 when alignment sets no limit, 0 when even a
 * single element is not aligned as a whole. A chunk that is read backwards ends with its first element. */
static int64_t alignment_limit(const tb_plan *p, const tb_layout *l, int k)
{
    const int64_t *strides = tb__operand_strides(p, k);
    uintptr_t bits = (uintptr_t)tb__operand_ptr(p, k);
    if (l->access[k] == TB_ACCESS_REVERSED) bits += tb_dtype_size(tb__operand_dtype(p, k));
    const bool single = l->access[k] == TB_ACCESS_STRIDED || l->access[k] == TB_ACCESS_BASE;
    const int along = l->access[k] == TB_ACCESS_TILED ? l->na - 2 : l->inner;
    if (l->access[k] != TB_ACCESS_LINEAR)
        for (int t = 0; t < l->na + l->nb; t++)
            if (t != along || single) bits |= (uintptr_t)strides[l->dim[t]];
    bits |= 16;
    const int64_t align = (int64_t)(bits & -bits);
    return align == 16 ? 16 : align / (int64_t)tb_dtype_size(tb__operand_dtype(p, k));
}

/* Chunks of 16 bytes of the widest operand; more when the narrowest would move less than 4 bytes, fewer when a point is
 * so much work that memory is not what limits, and copies of the work are what compilation takes its time for. */
static int64_t wanted_vector(const tb_plan *p, const tb_layout *l, int work)
{
    enum { MUCH = 64, LARGE = 24 }; /* work; bytes of an accumulator, of which a thread has as many */
    if (tb__is_inexact(p) && l->inner >= l->na) return tb__input_vector(p);
    int64_t widest = p->kind == TB_PLAN_MAP ? 1 : 4, narrowest = 16;
    for (int k = 0; k < vector_operands(p); k++) {
        if (l->access[k] == TB_ACCESS_SAME) continue;
        const int64_t size = (int64_t)tb_dtype_size(tb__operand_dtype(p, k));
        if (size > widest) widest = size;
        if (size < narrowest) narrowest = size;
    }
    int64_t v = 16 / widest;
    if (v * narrowest < 4) v = 4 / narrowest;
    const bool columns = l->form == TB_FORM_COLUMN || l->form == TB_FORM_SCAN_COLUMN;
    if (l->form == TB_FORM_SCAN_COLUMN && (work >= 16 || tb__has_narrow_rows(p, l))) return 1;
    if (columns && tb__acc_bytes(p) > LARGE) work = MUCH + 1;
    const int64_t most = work > MUCH ? 2 : work >= 16 || columns ? 4 : p->kind == TB_PLAN_MAP ? 8 : 16;
    return v < most ? v : most;
}

/* Sets vec, aligned and every operand's access. `ragged`: a partial last chunk is possible. */
static void choose_vector(const tb_plan *p, tb_layout *l, bool ragged, int work)
{
    const int n = vector_operands(p);
    const int inner = l->na + l->nb ? l->dim[l->inner] : 0;
    const bool interleaved = inner == p->ndim - 1 && tb__interleaves(p);
    bool strided = false;
    for (int k = 0; k < n; k++) {
        if (l->access[k] == TB_ACCESS_SAME || l->access[k] == TB_ACCESS_LINEAR) continue;
        const int64_t stride = tb__operand_strides(p, k)[inner];
        const int64_t size = (int64_t)tb_dtype_size(tb__operand_dtype(p, k));
        if (tb__is_base(p, k)) l->access[k] = TB_ACCESS_BASE;
        else if (k >= p->nload && interleaved) l->access[k] = TB_ACCESS_INTERLEAVED;
        else if (stride == size) l->access[k] = TB_ACCESS_VECTOR;
        else if (stride == -size && p->kind == TB_PLAN_MAP && k < p->nload) l->access[k] = TB_ACCESS_REVERSED;
        else if (stride == 0 && k < p->nload) l->access[k] = TB_ACCESS_SPREAD;
        else l->access[k] = TB_ACCESS_STRIDED;
        strided |= l->access[k] == TB_ACCESS_STRIDED;
    }
    const int64_t wanted = wanted_vector(p, l, work);
    l->wanted = (uint8_t)wanted;
    int64_t v = strided ? 1 : wanted;
    if (!ragged && v > 1) {
        const int64_t extent = p->shape[inner] | 16;
        if (v > (extent & -extent)) v = extent & -extent;
    }
    l->aligned = true;
    for (int k = 0; k < n; k++) {
        if (l->access[k] == TB_ACCESS_SAME || l->access[k] == TB_ACCESS_SPREAD || tb__is_base(p, k)) continue;
        if (l->access[k] == TB_ACCESS_INTERLEAVED && k > p->nload) continue; /* the first is where all of them begin */
        const int64_t limit = alignment_limit(p, l, k);
        if (limit == 0) l->aligned = false;
        if (v > limit) v = limit ? limit : 1;
    }
    l->gather = v < wanted && tb__is_inexact(p) && l->inner >= l->na;
    l->vec = (uint8_t)(l->gather ? wanted : v);
    if (v == 1 || l->gather)
        for (int k = 0; k < n; k++)
            if ((l->access[k] >= TB_ACCESS_VECTOR && l->access[k] <= TB_ACCESS_SPREAD) ||
                l->access[k] == TB_ACCESS_INTERLEAVED)
                l->access[k] = TB_ACCESS_STRIDED;
}

static bool equal_strides(const tb_plan *p, int k, int m)
{
    const int64_t *a = tb__operand_strides(p, k), *b = tb__operand_strides(p, m);
    for (int d = 0; d < p->ndim; d++)
        if (a[d] != b[d]) return false;
    return true;
}

/* Gives operands whose offsets must be computed a group, and finds out whether 32 bits are enough for them. */
static void make_groups(const tb_plan *p, tb_layout *l)
{
    l->ngroup = 0;
    for (int k = 0; k < l->noperand; k++) {
        l->group[k] = TB_NOGROUP;
        if (l->access[k] == TB_ACCESS_SAME || l->access[k] == TB_ACCESS_LINEAR) continue;
        const bool apart = l->access[k] == TB_ACCESS_STAGED || (p->kind == TB_PLAN_REDUCE && k >= p->nload);
        int g = apart ? l->ngroup : 0;
        while (g < l->ngroup && (l->access[l->first[g]] == TB_ACCESS_STAGED || !equal_strides(p, k, l->first[g]))) g++;
        l->group[k] = (uint8_t)g;
        if (g < l->ngroup) continue;
        l->first[l->ngroup++] = (uint8_t)k;
        int64_t extent = 0;
        for (int d = 0; d < p->ndim; d++) extent += magnitude(tb__operand_strides(p, k)[d]) * (p->shape[d] - 1);
        if (extent >= INT32_MAX - 64) l->wide = true;
    }
}

/* A rough count of a point's instructions. */
static int count_work(const tb_plan *p)
{
    int work = 0;
    for (int k = 0; k < p->ninstr; k++) work += tb_loop_table[p->instr[k].loop].flags & TB_LOOP_HEAVY ? 16 : 1;
    return work;
}

/* Chunks a thread has in a tile of a scan. Tiles are part of the order of steps, and must not depend on operands. */
static int64_t scan_unroll(const tb_plan *p, const tb_layout *l)
{
    enum { RUNNING = 192, PACKED = 176, MOST = 16 }; /* bytes that a thread keeps in registers */
    const int64_t acc = (int64_t)tb__acc_bytes(p), item = (int64_t)tb_dtype_size((tb_dtype)tb_red_table[p->red].in);
    const int64_t chunks = tb__scan_packs(p) ? PACKED / (l->vec * item + acc) : RUNNING / (l->vec * acc);
    return chunks < 1 ? 1 : chunks < MOST ? chunks : MOST;
}

/* Blocks read up to twice as many posts, of all their columns: of many that would be as much as the tile. The fewer the
 * longer the chain. */
static uint8_t choose_fan_in(const tb_plan *p, const tb_layout *l)
{
    enum { MANY = 16 };
    if (p->kind != TB_PLAN_SCAN) return 0;
    return l->form == TB_FORM_SCAN_COLUMN && l->rows * l->vec >= MANY ? 16 : 32;
}

static uint8_t choose_unroll(const tb_plan *p, const tb_layout *l, int work)
{
    enum { MUCH = 128 }; /* work on a chunk, from which on two chunks keep the units busier */
    int64_t bytes = 0, moving = 0;
    for (int k = 0; k < p->nload; k++) {
        if (l->access[k] == TB_ACCESS_SAME) continue;
        bytes += l->vec * (int64_t)tb_dtype_size(tb__operand_dtype(p, k));
        moving++;
    }
    if (l->form == TB_FORM_TILE) return (uint8_t)(TB_TILE * TB_TILE / TB_TILE_THREADS * l->vec);
    if (p->kind == TB_PLAN_MAP) {
        if (moving == 0) return 4; /* random numbers: what all chunks have in common is computed once */
        if (tb__has_draws(p)) return 4;
        if (work >= 16) return l->vec == 1 || work * l->vec >= MUCH ? 2 : 1;
        if (l->vec == 1) return moving > 4 ? 2 : 4;
        return bytes >= 8 ? 1 : 4;
    }
    if (tb__has_narrow_rows(p, l)) return (uint8_t)tb__narrow_unroll(p);
    if (l->form == TB_FORM_SCAN_COLUMN) return l->rows * l->vec % 2 ? 16 : 8;
    if (p->kind == TB_PLAN_SCAN) return (uint8_t)scan_unroll(p, l);
    if (work >= 16 && bytes <= 16 && tb__has_inverses(p, l)) return 4; /* which are computed once */
    return work >= 16 || bytes > 48 ? 1 : work > 8 || bytes > 16 ? 2 : bytes > 4 ? 4 : 8;
}

/* The dimension along which load k's elements are neighbours, if that is not the last; else -1. */
static int tile_dim(const tb_plan *p, int k)
{
    const int64_t *strides = p->load[k].strides, size = (int64_t)tb_dtype_size((tb_dtype)p->load[k].dtype);
    const int last = p->ndim - 1;
    if (p->load[k].base || strides[last] == 0 || magnitude(strides[last]) == size) return -1;
    for (int d = 0; d < last; d++)
        if (magnitude(strides[d]) == size && p->shape[d] >= TB_TILE / 4) return d;
    return -1;
}

enum { SHARED_BYTES = 48 << 10 };

/* Elements of a chunk in a tile: 4 bytes of the widest operand. Operands in tiles have their chunks along `down`, all
 * others along the last dimension; one where that cannot be. `shared`: bytes of tiles of single elements. */
static int64_t tile_vector(const tb_plan *p, const tb_layout *l, int down, int64_t shared, int work)
{
    const int last = p->ndim - 1;
    const int64_t low = p->shape[down] < p->shape[last] ? p->shape[down] : p->shape[last];
    const int64_t bits = p->shape[down] | p->shape[last] | 4;
    int64_t v = work >= 16 ? 1 : work > 4 ? 2 : 4;
    if (v > (bits & -bits)) v = bits & -bits;
    while (v > 1 && (v * v * shared > SHARED_BYTES || v * TB_TILE / 4 > low)) v /= 2;
    for (int k = 0; k < l->noperand; k++) {
        const int64_t size = (int64_t)tb_dtype_size(tb__operand_dtype(p, k));
        if (l->access[k] == TB_ACCESS_SAME) continue;
        if (l->access[k] == TB_ACCESS_STRIDED || l->access[k] == TB_ACCESS_BASE) return 1;
        if (l->access[k] == TB_ACCESS_TILED && p->load[k].strides[down] != size) return 1;
        while (v > 1 && (v * size > 4 || (l->access[k] != TB_ACCESS_SPREAD && v > alignment_limit(p, l, k)))) v /= 2;
    }
    return v;
}

/* Chooses tiles where some load is a transpose of the stores. */
static bool layout_tile(const tb_plan *p, tb_layout *l, int work)
{
    const int last = p->ndim - 1;
    int64_t shared = 0;
    int down = -1;
    if (p->uses_index || p->scatters || p->ndim < 2 || p->shape[last] < TB_TILE / 4) return false;
    for (int k = 0; k < p->nstore; k++)
        if (p->store[k].strides[last] != (int64_t)tb_dtype_size((tb_dtype)p->store[k].dtype)) return false;
    for (int k = 0; k < p->nload; k++) {
        const int d = tile_dim(p, k);
        const int64_t bytes = TB_TILE * (TB_TILE + 1) * (int64_t)tb_dtype_size((tb_dtype)p->load[k].dtype);
        if (d < 0 || (down >= 0 && d != down) || shared + bytes > SHARED_BYTES) continue;
        l->access[k] = TB_ACCESS_TILED;
        shared += bytes;
        down = d;
    }
    if (down < 0) return false;
    l->form = TB_FORM_TILE;
    l->aligned = true;
    l->na = (uint8_t)p->ndim;
    l->inner = (uint8_t)last;
    int n = 0;
    for (int d = 0; d < last; d++)
        if (d != down) l->dim[n++] = (uint8_t)d;
    l->dim[n++] = (uint8_t)down;
    l->dim[n] = (uint8_t)last;
    for (int k = 0; k < l->noperand; k++) {
        if (l->access[k] == TB_ACCESS_LINEAR) l->access[k] = TB_ACCESS_STRIDED;
        if (tb__is_base(p, k) && l->access[k] != TB_ACCESS_SAME) l->access[k] = TB_ACCESS_BASE;
        if (l->access[k] == TB_ACCESS_SAME || l->access[k] == TB_ACCESS_BASE) continue;
        const int64_t stride = tb__operand_strides(p, k)[last];
        if (l->access[k] != TB_ACCESS_TILED && stride == 0) l->access[k] = TB_ACCESS_SPREAD;
        else if (l->access[k] != TB_ACCESS_TILED && stride == (int64_t)tb_dtype_size(tb__operand_dtype(p, k)))
            l->access[k] = TB_ACCESS_VECTOR;
        if (alignment_limit(p, l, k) == 0) l->aligned = false;
    }
    l->vec = (uint8_t)tile_vector(p, l, down, shared, work);
    for (int k = 0; k < l->noperand && l->vec == 1; k++)
        if (l->access[k] == TB_ACCESS_VECTOR || l->access[k] == TB_ACCESS_SPREAD) l->access[k] = TB_ACCESS_STRIDED;
    const int64_t edge = TB_TILE * l->vec;
    const int64_t tiles = tb__ceil_div(p->shape[down], edge) * tb__ceil_div(p->shape[last], edge);
    l->rows = p->size / (p->shape[down] * p->shape[last]) * tiles;
    return true;
}

/* A dimension, not the last, along which a load's elements are neighbours, and groups of them along the last: such
 * groups are too short for tiles. -1 if there is none. */
static int narrow_dim(const tb_plan *p)
{
    const int last = p->ndim - 1;
    for (int k = 0; k < p->nload && !p->uses_index; k++) {
        const int64_t *strides = p->load[k].strides, size = (int64_t)tb_dtype_size((tb_dtype)p->load[k].dtype);
        for (int d = 0; d < last && !p->load[k].base; d++) {
            const bool groups = magnitude(strides[d]) == size && magnitude(strides[last]) == size * p->shape[d];
            if (groups && p->shape[d] < TB_TILE / 4) return d;
        }
    }
    return -1;
}

/* Visits a narrow dimension fastest, so that loads are dense. Stores are spread then, between few places, and caches
 * join them. */
static void visit_narrow_dim(const tb_plan *p, tb_layout *l)
{
    const int d = narrow_dim(p);
    if (d < 0) return;
    make_last(l, 0, l->na, d);
    for (int k = 0; k < l->noperand; k++)
        if (l->access[k] == TB_ACCESS_LINEAR) l->access[k] = TB_ACCESS_STRIDED;
}

static void layout_map(const tb_plan *p, const tb_chip *chip, tb_layout *l, int work)
{
    bool flat = true;
    for (int k = 0; k < l->noperand; k++) {
        const int64_t *strides = tb__operand_strides(p, k);
        if (is_linear(p, strides, (int64_t)tb_dtype_size(tb__operand_dtype(p, k)))) l->access[k] = TB_ACCESS_LINEAR;
        else if (is_same(p, strides) && (k < p->nload || p->scatters)) l->access[k] = TB_ACCESS_SAME;
        else l->access[k] = TB_ACCESS_STRIDED, flat = false;
    }
    if (!flat && chip && tb__panel(p, chip, l)) return;
    if (!flat && layout_tile(p, l, work)) return;
    l->na = flat ? 0 : (uint8_t)p->ndim;
    l->inner = (uint8_t)(l->na ? l->na - 1 : 0);
    for (int d = 0; d < p->ndim; d++) l->dim[d] = (uint8_t)d;
    if (!flat) visit_narrow_dim(p, l);
    choose_vector(p, l, flat || (p->ndim == 1 && tb__interleaves(p)), work);
    l->rows = tb__ceil_div(p->size, l->vec);
}

bool tb__is_native(const tb_plan *p)
{
    if (!p->scatters || p->combine == TB_NOLOOP) return false;
    const tb_update u = tb__plan_update(p);
    const bool atomic = tb__op_of(p->combine)->facts & TB_FACT_ATOMIC;
    return atomic && tb_loop_table[p->combine].out != TB_BOOL && !tb__update_casts(&u);
}

bool tb__adds_narrow(const tb_plan *p)
{
    if (!tb__is_native(p)) return false;
    const size_t size = tb_dtype_size((tb_dtype)tb_loop_table[p->combine].out);
    return size < 4 && !(tb__op_of(p->combine)->facts & TB_FACT_BIT_BY_BIT);
}

/* Of what fits the words that the machine's atomic operations take: narrower elements are widened. */
static tb_dtype bin_dtype(tb_dtype t)
{
    if (tb_dtype_size(t) >= 4) return t;
    return tb__is_half(t) ? TB_F32 : t == TB_U8 || t == TB_U16 ? TB_U32 : TB_I32;
}

tb_red tb__bin_red(const tb_plan *p)
{
    const tb_update u = tb__plan_update(p);
    if (u.combine == TB_NOLOOP || tb__update_casts(&u)) return TB_NOLOOP;
    const tb_red_op fold = (tb_red_op)tb__op_of(p->combine)->folds;
    const tb_dtype t = (tb_dtype)tb_loop_table[p->combine].out;
    /* Truth values soon do not change any more; numbers of 16 bytes are combined under locks. */
    if (t == TB_BOOL || (t == TB_C128 && !tb__is_native(p))) return TB_NOLOOP;
    return fold != TB_REDUCE_NONE ? tb__red_find(fold, bin_dtype(t)) : TB_NOLOOP;
}

/* A block is given fewer values than a word counts: what is on a device is shared by hundreds of blocks. */
bool tb__bins_count(const tb_plan *p)
{
    const int value = p->store[0].value;
    return value >= p->nload && value < p->nload + p->nscalar && tb__op_of(p->combine)->folds == TB_REDUCE_SUM &&
           tb_dtype_kind((tb_dtype)tb_loop_table[p->combine].out) <= TB_KIND_INT;
}

int tb__bin_size(const tb_plan *p)
{
    return tb__bins_count(p) ? (int)sizeof(uint32_t) : tb_red_table[tb__bin_red(p)].acc_bytes;
}

/* Whether it takes less time to combine in shared memory first: the places fit, and come up often. */
static bool has_bins(const tb_plan *p)
{
    enum { POINTS = 1 << 13, OFTEN = 4 };
    if (p->kind != TB_PLAN_MAP || p->count < 1 || p->size < POINTS || (double)p->size < OFTEN * p->count) return false;
    return tb__bin_red(p) != TB_NOLOOP && p->count * tb__bin_size(p) <= TB_BIN_BYTES;
}

void tb__layout(const tb_plan *p, const tb_chip *chip, tb_layout *l)
{
    const int work = count_work(p);
    l->noperand = (uint8_t)(p->nload + p->nstore);
    l->na = l->nb = l->inner = 0;
    l->split = l->gather = l->plain = l->staged = false;
    l->wide = p->size >= INT32_MAX - 64;
    l->along = 1;
    if (p->kind == TB_PLAN_MAP) {
        l->form = TB_FORM_MAP;
        layout_map(p, chip, l, work);
    } else {
        divide_dims(p, l);
        for (int k = 0; k < l->noperand; k++)
            l->access[k] = is_same(p, tb__operand_strides(p, k)) && k < p->nload ? TB_ACCESS_SAME : TB_ACCESS_STRIDED;
        for (int t = 0; t < l->nb; t++) l->along *= p->shape[l->dim[l->na + t]];
        l->rows = p->size / l->along;
        choose_vector(p, l, l->nb == 1 && l->inner == l->na, work);
        if (l->inner + 1 == l->na) l->rows /= l->vec;
        if (chip) tb__stage(p, chip, l);
    }
    l->fan_in = choose_fan_in(p, l);
    make_groups(p, l);
    l->unroll = choose_unroll(p, l, work);
    if (has_bins(p)) {
        /* Few blocks: each thread has more on its way. */
        const uint8_t least = work >= 16 ? 2 : 4;
        l->form = TB_FORM_BINS;
        if (l->unroll < least) l->unroll = least;
    }
}
