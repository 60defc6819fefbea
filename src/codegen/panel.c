/* panel.c - MAP where operands differ in which of two dimensions is inside the other, and that one is narrow: (n, 3)
 * beside (3, n). Tiles would be empty for the most part. A block takes a panel, all of the narrow dimension and a
 * part of the other. Operands in which that is one piece of memory are staged; the others' neighbours are along the
 * panel. */
#include "codegen/layout.h"

enum { LANES = 32, BLOCKS_PER_SM = 4 };

typedef struct tb_panel {
    int narrow, other; /* dimensions */
} tb_panel;

static int64_t item_size(const tb_plan *p, int k) { return (int64_t)tb_dtype_size(tb__operand_dtype(p, k)); }

/* Whether the narrow dimension is inside the other one. */
static bool is_turned(const tb_plan *p, tb_panel r, int k)
{
    const int64_t *strides = tb__operand_strides(p, k), size = item_size(p, k);
    return strides[r.narrow] == size && strides[r.other] == size * p->shape[r.narrow];
}

static bool suits(const tb_plan *p, const tb_layout *l, tb_panel r)
{
    bool turned = false, straight = false;
    for (int k = 0; k < l->noperand; k++) {
        if (l->access[k] == TB_ACCESS_SAME) continue;
        const int64_t *strides = tb__operand_strides(p, k);
        if (is_turned(p, r, k)) turned = true;
        else if (strides[r.narrow] != 0 && strides[r.other] == item_size(p, k)) straight = true;
        else if (k >= p->nload) return false;
    }
    return turned && straight;
}

static bool find_panel(const tb_plan *p, const tb_layout *l, tb_panel *r)
{
    for (r->other = p->ndim; r->other-- > 0;)
        for (r->narrow = 0; r->narrow < p->ndim; r->narrow++)
            if (r->narrow != r->other && p->shape[r->narrow] <= p->shape[r->other] && suits(p, l, *r)) return true;
    return false;
}

/* Tiles would do where they are full, but for a sixth, and neighbours along a panel should be in different banks of
 * shared memory. */
static bool is_narrow(int64_t narrow, int64_t vec, int64_t size)
{
    enum { BANKS = 128, WAYS = 8 };
    const int64_t width = tb__ceil_div(narrow, TB_TILE) * TB_TILE, bits = vec * narrow * size | BANKS;
    return 5 * width > 6 * narrow && (bits & -bits) <= WAYS * (size > 4 ? size : 4);
}

/* Chunks of 4 bytes of the widest operand, if all can be moved so. */
static int64_t panel_vector(const tb_plan *p, tb_layout *l)
{
    int64_t widest = 1;
    for (int k = 0; k < l->noperand; k++)
        if (l->access[k] != TB_ACCESS_SAME && item_size(p, k) > widest) widest = item_size(p, k);
    l->wanted = (uint8_t)(widest > 4 ? 1 : 4 / widest);
    if (p->shape[l->dim[l->inner]] % l->wanted) return 1;
    for (int k = 0; k < l->noperand; k++) {
        const bool free = l->access[k] == TB_ACCESS_SAME || l->access[k] == TB_ACCESS_STAGED;
        const bool spread = k < p->nload && tb__operand_strides(p, k)[l->dim[l->inner]] == 0;
        if (!free && !spread && !tb__moves_in_chunks(p, l, k)) return 1;
    }
    return l->wanted;
}

static void order_dims(const tb_plan *p, tb_panel r, tb_layout *l)
{
    int n = 0;
    for (int d = 0; d < p->ndim; d++)
        if (d != r.narrow && d != r.other) l->dim[n++] = (uint8_t)d;
    l->dim[n++] = (uint8_t)r.narrow;
    l->dim[n++] = (uint8_t)r.other;
    l->na = (uint8_t)n;
    l->inner = (uint8_t)(n - 1);
}

static void choose_access(const tb_plan *p, tb_panel r, tb_layout *l)
{
    l->aligned = l->staged = true;
    for (int k = 0; k < l->noperand; k++) {
        if (l->access[k] == TB_ACCESS_SAME) continue;
        l->access[k] = is_turned(p, r, k) ? TB_ACCESS_STAGED : TB_ACCESS_STRIDED;
        if (l->access[k] == TB_ACCESS_STRIDED && !tb__operand_is_aligned(p, k)) l->aligned = false;
    }
    l->vec = (uint8_t)panel_vector(p, l);
    for (int k = 0; k < l->noperand && l->vec > 1; k++)
        if (l->access[k] == TB_ACCESS_STRIDED)
            l->access[k] = tb__operand_strides(p, k)[r.other] ? TB_ACCESS_VECTOR : TB_ACCESS_SPREAD;
}

bool tb__panel(const tb_plan *p, const tb_chip *chip, tb_layout *l)
{
    tb_layout found = *l;
    tb_panel r;
    if (p->size < (int64_t)chip->sms * chip->threads_per_sm || p->uses_index || p->scatters) return false;
    for (int k = 0; k < p->nload; k++)
        if (p->load[k].base) return false;
    if (!find_panel(p, l, &r)) return false;
    order_dims(p, r, &found);
    choose_access(p, r, &found);
    const int64_t narrow = p->shape[r.narrow], other = p->shape[r.other], batches = p->size / (narrow * other);
    for (int k = 0; k < found.noperand; k++)
        if (found.access[k] == TB_ACCESS_STAGED && !is_narrow(narrow, found.vec, item_size(p, k))) return false;
    int64_t length = LANES * found.vec;
    if (length > other || tb__stage_bytes(p, &found, length * narrow) > TB_STAGE) return false;
    while (tb__stage_bytes(p, &found, 2 * length * narrow) <= TB_STAGE &&
           batches * (other / (2 * length)) >= (int64_t)chip->sms * BLOCKS_PER_SM)
        length *= 2;
    found.form = TB_FORM_PANEL;
    found.along = length / found.vec;
    found.rows = batches * tb__ceil_div(other, length);
    *l = found;
    return true;
}
