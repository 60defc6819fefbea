/* layout.h - how a plan's operands lie in memory, and the form of kernel that suits it.
 *
 * Dimensions fall into two sets: A is visited in parallel (MAP: all dimensions; REDUCE: those that are kept; SCAN: all
 * but the axis), B is walked along (reduced dimensions, the axis). One dimension is the inner one: a thread moves `vec`
 * neighbours along it at a time, a "chunk". Everything the source depends on is in the key (variant.c); the rest
 * sizes the launch. Operands are numbered loads first, then stores. */
#ifndef TB_CODEGEN_LAYOUT_H
#define TB_CODEGEN_LAYOUT_H
#include "codegen/codegen.h"
#include "plan/routine.h"

typedef enum tb_form {
    TB_FORM_MAP,         /* a thread: `unroll` chunks */
    TB_FORM_TILE,        /* MAP, some loads staged through shared memory: their fastest dimension is not the store's but
                          * the last but one in dim[] */
    TB_FORM_PANEL,       /* MAP, some operands staged, in which the last but one in dim[], a narrow one, is inside the
                          * last */
    TB_FORM_ROW_WARP,    /* REDUCE along the inner dimension: part of a warp, or all of it, a result */
    TB_FORM_ROW_BLOCK,   /* as above: one block a result, or several with a last one that combines */
    TB_FORM_COLUMN,      /* REDUCE across the inner dimension: a thread walks along B, neighbours are in A */
    TB_FORM_SCAN_WARP,   /* SCAN along the inner dimension: part of a warp a line */
    TB_FORM_SCAN_BLOCK,  /* as above: one block a line, or, split, several */
    TB_FORM_SCAN_COLUMN, /* SCAN across the inner dimension: a thread a line; split, blocks share strips of lines */
    TB_FORM_BINS,        /* MAP that scatters sums to few places: blocks add up in shared memory first */
} tb_form;

typedef enum tb_access {
    TB_ACCESS_SAME,        /* one element for all points; no store but a scatter's */
    TB_ACCESS_LINEAR,      /* MAP: point i is element i */
    TB_ACCESS_VECTOR,      /* the elements of a chunk are neighbours, aligned */
    TB_ACCESS_REVERSED,    /* MAP, loads: as VECTOR, but neighbours backwards */
    TB_ACCESS_SPREAD,      /* the elements of a chunk are one */
    TB_ACCESS_STRIDED,     /* chunks of one element */
    TB_ACCESS_TILED,       /* TILE: from shared memory */
    TB_ACCESS_STAGED,      /* not aligned, in shared memory, where a block's elements are as one piece: stage.c */
    TB_ACCESS_BASE,        /* neither moved nor aligned as chunks: where the elements are is worked out one by one */
    TB_ACCESS_INTERLEAVED, /* MAP, stores, all of them: their elements take turns in one piece of memory */
} tb_access;

enum { TB_MAXOPERAND = TB_PLAN_MAXLOAD + TB_PLAN_MAXSTORE, TB_NOGROUP = 255 };
enum { TB_TILE = 32, TB_TILE_THREADS = 256 }; /* a tile's edge, in chunks; see kernels/device/tile.h */

typedef struct tb_layout {
    uint8_t form, vec, unroll;
    uint8_t wanted; /* vec if operands were aligned */
    bool wide;      /* 64-bit index arithmetic */
    bool aligned;   /* complex elements can move as one access */
    bool split;     /* SCAN: blocks share lines */
    bool plain;     /* REDUCE: the source is for one block a row alone */
    bool gather;    /* a chunk's elements are found and moved one by one */
    bool staged;    /* some operand is TB_ACCESS_STAGED */
    uint8_t fan_in; /* SCAN, split: what is posted of so many parts of a line is posted together as well */
    uint8_t na, nb; /* dimensions in A and B; MAP: na is 0 when no index must be taken apart */
    uint8_t inner;  /* position in dim[] of the inner dimension */
    uint8_t noperand, ngroup;
    uint8_t dim[TB_MAXDIM]; /* the plan's dimensions: A, outer to inner, then B */
    uint8_t access[TB_MAXOPERAND];
    uint8_t group[TB_MAXOPERAND]; /* operands with equal strides share their offsets */
    uint8_t first[TB_MAXOPERAND]; /* a group's first operand */
    int64_t rows;                 /* chunks in A (a partial last one counts), tiles or panels */
    int64_t along;                /* elements in B; PANEL: chunks along the last dimension */
} tb_layout;

static inline const int64_t *tb__operand_strides(const tb_plan *p, int k)
{
    return k < p->nload ? p->load[k].strides : p->store[k - p->nload].strides;
}

static inline tb_dtype tb__operand_dtype(const tb_plan *p, int k)
{
    return (tb_dtype)(k < p->nload ? p->load[k].dtype : p->store[k - p->nload].dtype);
}

/* Whether operand k's elements are found at offsets from where it is: a gather's base, or the store of a scatter. */
static inline bool tb__is_base(const tb_plan *p, int k) { return k < p->nload ? p->load[k].base : p->scatters; }

static inline const void *tb__operand_ptr(const tb_plan *p, int k)
{
    return k < p->nload ? p->load[k].ptr : p->store[k - p->nload].ptr;
}

/* Whether device/update.h has a function for what a scatter does that does not compare and swap. */
bool tb__is_native(const tb_plan *p);
/* Whether that is an addition to a part of a word, which only words of the array's own stand. */
bool tb__adds_narrow(const tb_plan *p);
/* The reduction whose accumulators can be bins, in which a block combines what goes to a place; or TB_NOLOOP. */
tb_red tb__bin_red(const tb_plan *p);
/* Whether bins count how often the same integer is added: in words, whatever the dtype. */
bool tb__bins_count(const tb_plan *p);
int tb__bin_size(const tb_plan *p);
enum { TB_BIN_BYTES = 32 << 10 }; /* of a block */

/* MAP: whether the stores' elements take turns along the last dimension, and lie behind one another. */
bool tb__interleaves(const tb_plan *p);

/* Whether a block has a part of the last two dimensions in dim[]. */
static inline bool tb__has_cells(const tb_layout *l) { return l->form == TB_FORM_TILE || l->form == TB_FORM_PANEL; }

/* Whether operand k's elements, complex ones too, are aligned as a whole. */
static inline bool tb__operand_is_aligned(const tb_plan *p, int k)
{
    uintptr_t bits = (uintptr_t)tb__operand_ptr(p, k);
    for (int d = 0; d < p->ndim; d++) bits |= (uintptr_t)tb__operand_strides(p, k)[d];
    return bits % tb_dtype_size(tb__operand_dtype(p, k)) == 0;
}

/* What position t of dim[] counts: elements, or chunks of them. */
static inline int64_t tb__unit(const tb_layout *l, int t)
{
    return t == l->inner && !l->gather && !tb__has_cells(l) ? l->vec : 1;
}

/* Whether position t of dim[] needs a divisor to be told from the index of its set. */
static inline bool tb__has_divisor(const tb_layout *l, int t)
{
    if (tb__has_cells(l) && t >= l->na - 2) return false;
    return t != 0 && t != l->na;
}

static inline int64_t tb__ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* chip: NULL where rows are not to be staged. */
void tb__layout(const tb_plan *p, const tb_chip *chip, tb_layout *l);

/* Reductions whose result depends on the order of their steps. Theirs is fixed: it follows from shape, dtype and chip,
 * and not from how operands lie in memory or what the prologue is, so that fusing does not change a number. */
static inline bool tb__is_inexact(const tb_plan *p)
{
    return p->kind != TB_PLAN_MAP && tb_red_table[p->red].in >= TB_F16 && !tb_red_table[p->red].has_index;
}

/* Elements of the reduction's input in 16 bytes: the chunk of inexact reductions. */
static inline int64_t tb__input_vector(const tb_plan *p)
{
    return 16 / (int64_t)tb_dtype_size((tb_dtype)tb_red_table[p->red].in);
}

/* SCAN: whether values are picked. */
static inline bool tb__picks(const tb_plan *p) { return p->kind == TB_PLAN_SCAN && p->scatters; }

/* Whether an accumulator counts what fits 32 bits, though the reduction's own is wider. */
static inline bool tb__counts_few(const tb_plan *p) { return tb__picks(p) && p->size < INT32_MAX; }

static inline const char *tb__acc_type(const tb_plan *p)
{
    return tb__counts_few(p) ? "tb_i32" : tb_red_table[p->red].acc;
}

/* Bytes of workspace for one accumulator of a reduction or scan; sources assert that theirs fits. */
static inline size_t tb__acc_bytes(const tb_plan *p)
{
    const size_t bytes = tb_red_table[p->red].acc_bytes;
    return bytes < 4 || tb__counts_few(p) ? 4 : bytes;
}

/* SCAN: whether a thread keeps the values of its chunks rather than running ones: they take a part of the registers. */
static inline bool tb__scan_packs(const tb_plan *p)
{
    return p->kind == TB_PLAN_SCAN && 2 * tb_dtype_size((tb_dtype)tb_red_table[p->red].in) <= tb__acc_bytes(p);
}

enum { TB_SMALLEST_BLOCK = 64, TB_LARGEST_BLOCK = 256 };
enum {
    TB_STRIP = 32,       /* SCAN_COLUMN: chunks side by side in a block at most */
    TB_SHORT_LINES = 64, /* what a thread goes along alone */
};

/* SCAN: bytes of an element in shared memory, its value's and then its result's. */
static inline int64_t tb__scan_bytes(const tb_plan *p)
{
    const tb_red_info *red = &tb_red_table[p->red];
    const size_t in = tb_dtype_size((tb_dtype)red->in), out = tb_dtype_size((tb_dtype)red->out);
    return (int64_t)(in > out ? in : out);
}

/* SCAN_COLUMN: whether rows are so short that a block has all of them: one strip, whose tiles wait for each other. The
 * more of it is on the way the better, and shared memory has room for more than registers; single elements are as good
 * as chunks there. Follows from shape and dtype: tiles depend on it. */
static inline bool tb__has_narrow_rows(const tb_plan *p, const tb_layout *l)
{
    enum { NARROW = 512 }; /* bytes */
    const int64_t columns = p->size / l->along;
    return l->form == TB_FORM_SCAN_COLUMN && l->along > TB_SHORT_LINES && columns <= TB_LARGEST_BLOCK &&
           columns * tb__scan_bytes(p) <= NARROW;
}

/* Rows that a thread takes of narrow ones: as many as shared memory has room for in five blocks, and an odd number:
 * what neighbouring threads begin with is in different banks of it. */
static inline int tb__narrow_unroll(const tb_plan *p)
{
    enum { BYTES = (40 << 10) + 512 };
    return ((int)(BYTES / (TB_LARGEST_BLOCK * tb__scan_bytes(p))) - 1) | 1;
}

/* Chunks along B, for the forms that walk along the inner dimension. */
static inline int64_t tb__layout_chunks(const tb_layout *l) { return tb__ceil_div(l->along, l->vec); }

/* ---- geometry.c: how a launch is cut into blocks ---------------------------------------------------------------- */

typedef struct tb_geometry {
    uint32_t grid[3], block[3];
    int64_t part;     /* what a block (SCAN_COLUMN not split: a thread) walks along B: chunks, or elements across;
                        * ROW_WARP, SCAN_WARP: log2 of the lanes that share a row */
    int64_t parts;    /* along B; rows of a block where they are staged */
    size_t workspace; /* bytes */
    bool clear;       /* the workspace must be zero before */
    size_t counters;
} tb_geometry;

/* Whether rows are short enough, and enough, for several to a warp. */
bool tb__rows_fit_warps(const tb_chip *chip, const tb_layout *l);
/* ROW_WARP, SCAN_WARP: lanes that share a row. */
int64_t tb__warp_lanes(const tb_plan *p, const tb_chip *chip, const tb_layout *l);
/* Also chooses form (whole blocks or parts of a warp) and split, which depend on how much there is to do. */
void tb__geometry(const tb_plan *p, const tb_chip *chip, tb_layout *l, tb_geometry *g);

/* ---- stage.c: what goes through shared memory as it lies in memory ----------------------------------------------- */

enum { TB_STAGE = 24 << 10, TB_STAGE_ENDS = 32 }; /* bytes of a block; of them, what an operand leaves unused */

/* Has rows staged where that is better than what the layout says. */
void tb__stage(const tb_plan *p, const tb_chip *chip, tb_layout *l);
/* SCAN_COLUMN: the load whose elements lie where values and results will, of the same size; -1 if there is none. */
int tb__sharing_load(const tb_plan *p, const tb_layout *l);
/* Bytes of shared memory for so many elements. */
int64_t tb__stage_bytes(const tb_plan *p, const tb_layout *l, int64_t elements);
/* Whether the form's kernel has what stage.c writes. */
static inline bool tb__has_stage(const tb_layout *l)
{
    return l->form == TB_FORM_ROW_WARP || l->form == TB_FORM_SCAN_WARP || l->form == TB_FORM_SCAN_COLUMN ||
           l->form == TB_FORM_PANEL;
}
/* Whether operand k can be moved in chunks of the wanted size along the inner dimension. */
bool tb__moves_in_chunks(const tb_plan *p, const tb_layout *l, int k);
/* tb_stage_in, tb_stage_at, tb_stage_out: see kernels/device/stage.h. */
void tb__source_stage(const tb_plan *p, const tb_layout *l, tb_text *out);

/* ---- panel.c ---------------------------------------------------------------------------------------------------- */

/* Chooses panels if they are better than tiles. */
bool tb__panel(const tb_plan *p, const tb_chip *chip, tb_layout *l);

/* ---- params.c: the parameter block, packed for a launch and declared for a source ------------------------------- */

tb_status tb__params_pack(const tb_plan *p, const tb_layout *l, const tb_geometry *g, tb_variant *v);
/* A divisor of indices below 2^31 (wide: of any), 16 bytes. */
unsigned char *tb__put_divisor(unsigned char *to, int64_t n, bool wide);
void tb__params_declare(const tb_plan *p, const tb_layout *l, tb_text *out);

/* ---- source_values.c, source_access.c: what the kernels of src/kernels/device are written with ------------------- */

extern const char *const tb__token[TB_NDTYPE]; /* "bool", "i8", ...: see kernels/types.h */
void tb__source_values(const tb_plan *p, const tb_layout *l, tb_text *out);
/* MAP: whether it divides float32, which device/quotient.h does for a chunk at a time. */
bool tb__has_quotients(const tb_plan *p);
/* REDUCE: whether it divides floats by what is one number for all points, which device/inverse.h does. */
bool tb__has_inverses(const tb_plan *p, const tb_layout *l);
/* MAP: whether it takes draws by rejection, and whether they are those of all chunks of a thread at a time, as
 * device/draws.h has them. */
bool tb__has_draws(const tb_plan *p);
bool tb__draws_together(const tb_plan *p, const tb_layout *l);
void tb__source_access(const tb_plan *p, const tb_layout *l, tb_text *out);
/* The address of element j of a chunk in operand k, for which tb__is_base holds. */
void tb__source_address(const tb_plan *p, const tb_layout *l, int k, tb_text *out);
/* The function of a loop that occurs so often. */
void tb__source_loop(tb_loop loop, int uses, tb_text *out);

/* ---- source.c: the two parts of a source, so that tests can put many bodies behind one set of helpers ------------ */

void tb__source_helpers(tb_text *out);
void tb__source_body(const tb_plan *p, const tb_layout *l, tb_text *out);
/* ---- routine.c: kernels without values ---- */
tb_status tb__routine_source(const tb_routine_source *r, tb_text *out);
void tb__routine_variant(const tb_routine *r, tb_variant *v);
#endif
