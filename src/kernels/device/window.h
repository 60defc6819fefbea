/* window.h - what filters over windows share: a block's part of an array with what its windows see around it, in shared
 * memory, which goes on beyond the array's edges as their modes say.
 *
 * A tile has TB_LINES lines of TB_SPAN positions along the axis on which windows are walked. TB_ACROSS: neighbours in
 * memory are lines, else positions. A thread has TB_EACH results that follow one another in a line, and takes elements
 * that are TB_EACH apart from its neighbours': TB_PITCH_SKEW of them lie one place further on, so that these are in
 * other banks. */

enum { TB_EACH = 8, TB_GROUPS = TB_THREADS / TB_LINES, TB_SPAN = TB_GROUPS * TB_EACH };
enum { TB_MIRROR, TB_REFLECT, TB_WRAP, TB_NEAREST, TB_CONSTANT };
enum { TB_WALK, TB_LANE, TB_BATCH };

struct tb_params {
    const char *x;
    char *y;
    const double *weights; /* 0: near */
    const tb_i32 *table;   /* 0: behind the weights in near. For each plane: how many runs it has, where it is along
                               TB_LANE and each batch axis; for each run: its line, its position, how many places */
    tb_i64 n[2], sx[2], sy[2], tiles[2];
    tb_i64 batch_n[TB_BATCHES], batch_x[TB_BATCHES], batch_y[TB_BATCHES];
    tb_i64 whole; /* what is beyond constant edges: an integer, or a number */
    double number[2];
    tb_i32 edge[2 + TB_BATCHES];
    tb_i32 batches, planes, runs, count, nweight;
    tb_i32 pairs; /* of weights that are the same from either end; -1: but for the sign */
    tb_i32 columns, rows, pitch, first[2];
    double near[TB_NEAR];
};

static_assert(TB_THREADS % TB_LINES == 0 && TB_LINES <= 32, "lines share a warp");

TB_CALLED tb_i64 tb_beyond(tb_i64 i, tb_i64 n, int edge)
{
    if (edge == TB_CONSTANT) return -1;
    if (edge == TB_NEAREST) return i < 0 ? 0 : n - 1;
    const tb_i64 period = edge == TB_WRAP ? n : edge == TB_REFLECT ? 2 * n : n > 1 ? 2 * n - 2 : 1;
    i %= period;
    if (i < 0) i += period;
    if (i < n) return i;
    return edge == TB_REFLECT ? 2 * n - 1 - i : 2 * n - 2 - i;
}

/* Index i in [0, n), or -1 for beyond a constant edge. */
TB_FN tb_i64 tb_within(tb_i64 i, tb_i64 n, int edge) { return i >= 0 && i < n ? i : tb_beyond(i, n, edge); }

/* Where position `at` of a line is. */
TB_FN int tb_skewed(int at) { return at + (TB_SKEW ? at / TB_EACH : 0); }

struct tb_tile_place {
    const char *x;
    char *y;
    tb_i64 walk, lane;            /* the tile's first position and line */
    tb_i64 batch[TB_BATCHES + 1]; /* where along these axes */
};

TB_FN tb_tile_place tb_block_place(const tb_params &p)
{
    tb_tile_place at;
    tb_u32 block = blockIdx.x;
    at.walk = (tb_i64)(block % (tb_u32)p.tiles[TB_WALK]) * TB_SPAN;
    block /= (tb_u32)p.tiles[TB_WALK];
    at.lane = (tb_i64)(block % (tb_u32)p.tiles[TB_LANE]) * TB_LINES;
    block /= (tb_u32)p.tiles[TB_LANE];
    at.x = p.x;
    at.y = p.y;
#pragma unroll
    for (int d = TB_BATCHES - 1; d >= 0; d--) {
        if (d >= p.batches) continue;
        at.batch[d] = block % (tb_u32)p.batch_n[d];
        block /= (tb_u32)p.batch_n[d];
        at.y += at.batch[d] * p.batch_y[d];
    }
    return at;
}

TB_FN tb_work tb_element(const tb_params &p, const char *x, tb_i64 walk, tb_i64 lane, tb_work fill)
{
    if (walk < 0 || lane < 0) return fill;
    return tb_work_of(*(const tb_in *)(x + walk * p.sx[TB_WALK] + lane * p.sx[TB_LANE]));
}

/* One plane of windows to shared memory; `offsets`: where it is along TB_LANE and each batch axis. */
TB_FN void tb_load_plane(const tb_params &p, const tb_tile_place &at, const tb_i32 *offsets, tb_work *tile)
{
    enum { ROW = TB_ACROSS ? TB_LINES : TB_LINES >= 8 ? 32 : TB_THREADS / TB_LINES, ROWS = TB_THREADS / ROW };
    const tb_work fill = TB_FILL;
    const char *x = at.x;
    bool inside = true;
#pragma unroll
    for (int d = 0; d < TB_BATCHES; d++) {
        if (d >= p.batches) continue;
        const tb_i64 i = tb_within(at.batch[d] + offsets[1 + d], p.batch_n[d], p.edge[TB_BATCH + d]);
        inside = inside && i >= 0;
        x += i * p.batch_x[d];
    }
    const tb_i64 walk = at.walk + p.first[TB_WALK], lane = at.lane + p.first[TB_LANE] + offsets[0];
    const int major = (int)threadIdx.x / ROW, minor = (int)threadIdx.x % ROW;
#if TB_ACROSS
    tb_i64 line = inside ? tb_within(lane + minor, p.n[TB_LANE], p.edge[TB_LANE]) : -1;
    if (lane + minor >= p.n[TB_LANE]) line = -1; /* lines have nothing around them */
#pragma unroll 4
    for (int i = major; i < p.columns; i += ROWS)
        tile[minor * p.pitch + tb_skewed(i)] =
            tb_element(p, x, tb_within(walk + i, p.n[TB_WALK], p.edge[TB_WALK]), line, fill);
#else
    for (int i = minor; i < p.columns; i += ROW) {
        const tb_i64 position = inside ? tb_within(walk + i, p.n[TB_WALK], p.edge[TB_WALK]) : -1;
        const int to = tb_skewed(i);
#pragma unroll 4
        for (int row = major; row < p.rows; row += ROWS)
            tile[row * p.pitch + to] =
                tb_element(p, x, position, tb_within(lane + row, p.n[TB_LANE], p.edge[TB_LANE]), fill);
    }
#endif
}

TB_FN void tb_put(const tb_params &p, const tb_tile_place &at, int position, int line, tb_work v)
{
    const tb_i64 walk = at.walk + position, lane = at.lane + line;
    if (walk < p.n[TB_WALK] && lane < p.n[TB_LANE])
        *(tb_out *)(at.y + walk * p.sy[TB_WALK] + lane * p.sy[TB_LANE]) = tb_result(v);
}

TB_FN const double *tb_weights(const tb_params &p) { return p.weights ? p.weights : p.near; }
TB_FN const tb_i32 *tb_table(const tb_params &p) { return p.table ? p.table : (const tb_i32 *)(p.near + p.nweight); }
