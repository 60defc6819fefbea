/* geometry.c - grids and blocks. Runs at every launch. The figures suit chips from Turing to Hopper: about four blocks
 * of 256 threads on each multiprocessor keep its memory busy. */
#include "codegen/layout.h"

enum { BLOCK = TB_LARGEST_BLOCK, BLOCKS_PER_SM = 4, MAX_GRID_Y = 65535 };
/* Chunks a thread of a reduction should have at least. Not the layout's unroll: see tb__is_inexact. */
enum { STEPS = 4 };

static int64_t at_least(int64_t x, int64_t low) { return x > low ? x : low; }
static int64_t at_most(int64_t x, int64_t high) { return x < high ? x : high; }

/* What each gets when n is divided evenly, `most` to each at most. */
static int64_t even_share(int64_t n, int64_t most) { return tb__ceil_div(n, tb__ceil_div(n, most)); }

static int64_t power_of_2_from(int64_t x)
{
    int64_t r = 1;
    while (r < x) r *= 2;
    return r;
}

static int log2_of(int64_t x)
{
    int n = 0;
    while (x > 1) x /= 2, n++;
    return n;
}

static void set_launch(tb_geometry *g, int64_t grid_x, int64_t grid_y, int64_t block_x, int64_t block_y)
{
    g->grid[0] = (uint32_t)grid_x;
    g->grid[1] = (uint32_t)grid_y;
    g->block[0] = (uint32_t)block_x;
    g->block[1] = (uint32_t)block_y;
}

/* The block size that gives each multiprocessor something to do, if any does. */
static int64_t block_for(const tb_chip *chip, int64_t items)
{
    int64_t block = BLOCK;
    while (block > TB_SMALLEST_BLOCK && items < block * chip->sms) block /= 2;
    return block;
}

/* The size of the block is known to the kernel, whose addresses then differ by constants. */
static void geometry_map(const tb_layout *l, tb_geometry *g)
{
    set_launch(g, tb__ceil_div(l->rows, BLOCK * l->unroll), 1, BLOCK, 1);
}

/* About as many blocks as Hopper has shared memory for: each adds to memory what it has found. */
static void geometry_bins(const tb_chip *chip, const tb_layout *l, tb_geometry *g)
{
    enum { BINS_PER_SM = 6 };
    set_launch(g, at_most(tb__ceil_div(l->rows, BLOCK * l->unroll), (int64_t)chip->sms * BINS_PER_SM), 1, BLOCK, 1);
}

bool tb__rows_fit_warps(const tb_chip *chip, const tb_layout *l)
{
    const int64_t chunks = tb__layout_chunks(l);
    return chunks <= 32 || (chunks <= 256 && l->rows >= (int64_t)chip->sms * 16) || l->rows > INT32_MAX;
}

/* A reduction has as few as there can be without leaving the chip idle: what they find must be combined. A scan's are
 * side by side wherever they store. */
int64_t tb__warp_lanes(const tb_plan *p, const tb_chip *chip, const tb_layout *l)
{
    enum { MANY = 8, FEW = 2 };
    const int64_t chunks = tb__layout_chunks(l);
    if (p->kind == TB_PLAN_SCAN) return at_most(power_of_2_from(chunks), 32);
    const int64_t most = at_most(power_of_2_from(tb__ceil_div(chunks, FEW)), 32);
    int64_t lanes = at_most(power_of_2_from(tb__ceil_div(chunks, MANY)), 32);
    while (lanes < most && l->rows * lanes < (int64_t)chip->sms * chip->threads_per_sm) lanes *= 2;
    return lanes;
}

/* As many rows a block as shared memory has room for, if there are enough of them. */
static void geometry_staged(const tb_plan *p, const tb_chip *chip, const tb_layout *l, int64_t lanes, tb_geometry *g)
{
    int64_t block = BLOCK;
    while (block > TB_SMALLEST_BLOCK && tb__stage_bytes(p, l, block / lanes * l->along) > TB_STAGE) block /= 2;
    int64_t rows = block / lanes;
    while (tb__stage_bytes(p, l, 2 * rows * l->along) <= TB_STAGE && 2 * rows * chip->sms * BLOCKS_PER_SM <= l->rows)
        rows *= 2;
    g->parts = rows;
    set_launch(g, tb__ceil_div(l->rows, rows), 1, block, 1);
}

static void geometry_warp(const tb_plan *p, const tb_chip *chip, const tb_layout *l, tb_geometry *g)
{
    const int64_t lanes = tb__warp_lanes(p, chip, l), block = block_for(chip, l->rows * lanes);
    g->part = log2_of(lanes);
    if (l->staged) geometry_staged(p, chip, l, lanes, g);
    else set_launch(g, tb__ceil_div(l->rows, block / lanes), 1, block, 1);
}

/* A block a row; several when there are fewer rows than the chip can hold blocks. */
static void geometry_block(const tb_plan *p, const tb_chip *chip, const tb_layout *l, int64_t chunks, tb_geometry *g)
{
    const int64_t block = at_least(at_most(power_of_2_from(tb__ceil_div(chunks, STEPS)), BLOCK), TB_SMALLEST_BLOCK);
    const int64_t step = block * STEPS, target = (int64_t)chip->sms * BLOCKS_PER_SM;
    int64_t parts = at_least(at_most(target / l->rows, chunks / step), 1);
    g->part = chunks;
    if (parts > 1) {
        g->part = tb__ceil_div(tb__ceil_div(chunks, parts), step) * step;
        parts = tb__ceil_div(chunks, g->part);
    }
    g->parts = parts;
    set_launch(g, l->rows, parts, block, 1);
    if (parts == 1) return;
    g->workspace = (size_t)(l->rows * parts) * tb__acc_bytes(p);
    g->counters = (size_t)l->rows;
}

/* Chunks of neighbouring results, for decisions that must not depend on operands: those there are where operands are
 * aligned and their dimensions could be merged. */
static int64_t column_chunks(const tb_plan *p, const tb_layout *l)
{
    if (!tb__is_inexact(p)) return l->rows;
    const int64_t columns = l->rows * l->vec, vec = at_most(tb__input_vector(p), columns & -columns);
    return columns / at_most(vec, 4);
}

/* Chunks of neighbouring results for a block, so that runs of memory are long. Fewer, and with them more threads down a
 * column, where there are parts to combine: that makes fewer of these. */
static int64_t strip_width(const tb_chip *chip, const tb_layout *l, int64_t chunks, bool narrow)
{
    enum { FEW = 16, MANY = 32 };
    if (l->along <= 2 * STEPS || chunks >= (int64_t)chip->sms * chip->threads_per_sm) return BLOCK;
    if (chunks >= (int64_t)chip->sms * BLOCKS_PER_SM * MANY) return MANY;
    return narrow && chunks > MANY ? MANY : FEW;
}

/* Parts of a column at most: those that the last block combines in one trip to memory, or more where walking along a
 * part takes longer than that. */
static int64_t most_parts(int64_t along, int64_t down)
{
    enum { TRIP = 8, SHARE = 8 };
    int64_t parts = TRIP * down;
    while (SHARE * parts * parts <= along) parts *= 2;
    return parts;
}

/* It takes more threads to keep the memory busy where chunks are narrow, less than 16 bytes. Where several strips share
 * rows, so many only get in each other's way. */
static void geometry_column(const tb_plan *p, const tb_chip *chip, const tb_layout *l, tb_geometry *g)
{
    const int64_t chunks = column_chunks(p, l), columns = l->rows * l->vec;
    const bool narrow = tb__is_inexact(p) ? (columns & -columns) < tb__input_vector(p) : l->vec < 4;
    const int64_t wide = even_share(chunks, strip_width(chip, l, chunks, narrow));
    const int64_t down = at_most((int64_t)1 << log2_of(BLOCK / wide), power_of_2_from(tb__ceil_div(l->along, STEPS)));
    const int64_t strip = even_share(chunks, BLOCK / down), strips = tb__ceil_div(chunks, strip), step = down * STEPS;
    const int64_t threads = narrow && strips == 1 ? BLOCKS_PER_SM * BLOCK * 3 / 2 : BLOCKS_PER_SM * BLOCK;
    const int64_t target = chip->sms * (threads / (strip * down)) / strips;
    const int64_t most = at_most(l->along / step, most_parts(l->along, down));
    const int64_t parts = at_most(at_least(at_most(target, most), 1), MAX_GRID_Y);
    const int64_t across = even_share(l->rows, BLOCK / down), blocks = tb__ceil_div(l->rows, across);
    g->part = tb__ceil_div(tb__ceil_div(l->along, parts), step) * step;
    g->parts = tb__ceil_div(l->along, g->part);
    set_launch(g, blocks, g->parts, across, down);
    if (g->parts == 1) return;
    g->workspace = (size_t)(columns * g->parts) * tb__acc_bytes(p);
    g->counters = (size_t)blocks;
}

/* SCAN: `tiles` blocks share each of `lines` lines, of `width` accumulators: see device/chain.h. */
static void set_chain(const tb_plan *p, tb_layout *l, int64_t lines, int64_t tiles, int64_t width, tb_geometry *g)
{
    l->split = true;
    g->parts = tiles;
    g->grid[0] = (uint32_t)(lines * tiles);
    g->grid[1] = 1;
    const int64_t groups = tb__ceil_div(tiles, l->fan_in),
                  posts = lines * (tiles + groups + tb__ceil_div(groups, l->fan_in));
    g->workspace = (size_t)(posts * width) * ((tb__acc_bytes(p) + 3) / 4 * sizeof(uint64_t));
    g->clear = true;
}

/* One block a row, or several where rows are long and fewer than the chip can hold blocks. */
static void geometry_scan_block(const tb_plan *p, const tb_chip *chip, tb_layout *l, int64_t chunks, tb_geometry *g)
{
    const int64_t tile = BLOCK * l->unroll;
    const int64_t block = at_least(at_most(power_of_2_from(tb__ceil_div(chunks, l->unroll)), BLOCK), TB_SMALLEST_BLOCK);
    set_launch(g, l->rows, 1, block, 1);
    if (chunks <= tile || l->rows >= (int64_t)chip->sms * BLOCKS_PER_SM) return;
    g->part = tile;
    set_chain(p, l, l->rows, tb__ceil_div(chunks, tile), 1, g);
}

/* A thread a line where that is enough of them, or lines are short. */
static void geometry_scan_column(const tb_plan *p, const tb_chip *chip, tb_layout *l, tb_geometry *g)
{
    const bool narrow = tb__has_narrow_rows(p, l);
    const int64_t chunks = narrow ? l->rows : column_chunks(p, l);
    const int64_t block = block_for(chip, l->rows);
    set_launch(g, tb__ceil_div(l->rows, block), 1, block, 1);
    if (l->along <= TB_SHORT_LINES || 2 * chunks >= (int64_t)chip->sms * BLOCKS_PER_SM * BLOCK) return;
    const int64_t wanted = narrow ? chunks : even_share(chunks, TB_STRIP);
    const int64_t down = at_most(BLOCK / wanted, power_of_2_from(l->along / l->unroll));
    const int64_t across = even_share(l->rows, BLOCK / down), strips = tb__ceil_div(l->rows, across);
    set_launch(g, 0, 1, across, down);
    g->part = down * l->unroll;
    set_chain(p, l, strips, tb__ceil_div(l->along, g->part), across * l->vec, g);
}

void tb__geometry(const tb_plan *p, const tb_chip *chip, tb_layout *l, tb_geometry *g)
{
    const int64_t chunks = tb__layout_chunks(l);
    g->grid[2] = g->block[2] = 1;
    g->parts = 1;
    g->clear = false;
    g->part = l->along;
    g->workspace = g->counters = 0;
    switch ((tb_form)l->form) {
    case TB_FORM_MAP: geometry_map(l, g); break;
    case TB_FORM_BINS: geometry_bins(chip, l, g); break;
    case TB_FORM_PANEL: set_launch(g, l->rows, 1, BLOCK, 1); break;
    case TB_FORM_TILE: set_launch(g, l->rows, 1, TB_TILE, TB_TILE_THREADS / TB_TILE); break;
    case TB_FORM_COLUMN: geometry_column(p, chip, l, g); break;
    case TB_FORM_SCAN_COLUMN: geometry_scan_column(p, chip, l, g); break;
    default:
        if (!tb__picks(p) && tb__rows_fit_warps(chip, l)) {
            l->form = p->kind == TB_PLAN_REDUCE ? TB_FORM_ROW_WARP : TB_FORM_SCAN_WARP;
            geometry_warp(p, chip, l, g);
        } else if (p->kind == TB_PLAN_REDUCE) {
            geometry_block(p, chip, l, chunks, g);
        } else {
            geometry_scan_block(p, chip, l, chunks, g);
        }
    }
}
