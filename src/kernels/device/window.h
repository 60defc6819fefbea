/* window.h - what filters over windows share: a block's part of an array with what its windows see around it, in shared
 * memory, which goes on beyond the array's edges as their modes say.
 *
 * A tile has TB_LINES lines of TB_SPAN positions along the axis on which windows are walked. TB_ACROSS: neighbours in
 * memory are lines, else positions. A thread has TB_EACH results that follow one another in a line. Threads of a warp
 * have lines of an odd pitch, or elements that are TB_EACH apart and lie one place further on (TB_SKEW), so that what
 * they take is in different banks. */

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

/* Elements that a thread takes of a plane before it puts them to shared memory, so that it waits for all of them once:
 * positions that are POSITION apart of each of NR lines that are LINE apart. */
enum {
    TB_LOAD_ROW = TB_ACROSS       ? TB_LINES
                  : TB_LINES >= 8 ? 32
                                  : TB_THREADS / TB_LINES,
    TB_LOAD_ROWS = TB_THREADS / TB_LOAD_ROW,
    TB_LOAD_POSITION = TB_ACROSS ? TB_LOAD_ROWS : TB_LOAD_ROW,
    TB_LOAD_LINE = TB_ACROSS ? TB_LOAD_ROW : TB_LOAD_ROWS,
    TB_LOAD_NR = TB_ACROSS || TB_LINES < 8 ? 1 : 4
};

/* NC positions. INSIDE: all of the plane is within the array. */
template <bool INSIDE, int NC>
TB_FN void tb_load_part(const tb_params &p, const char *x, tb_i64 walk, tb_i64 lane, int position, int line,
                        tb_work *tile)
{
    tb_in got[TB_LOAD_NR][NC];
    tb_i64 lanes[TB_LOAD_NR], walks[NC];
#pragma unroll
    for (int r = 0; r < TB_LOAD_NR; r++) {
        lanes[r] = lane + line + r * TB_LOAD_LINE;
        if (!INSIDE && line + r * TB_LOAD_LINE < p.rows) lanes[r] = tb_within(lanes[r], p.n[TB_LANE], p.edge[TB_LANE]);
    }
#pragma unroll
    for (int c = 0; c < NC; c++) {
        walks[c] = walk + position + c * TB_LOAD_POSITION;
        if (!INSIDE && position + c * TB_LOAD_POSITION < p.columns)
            walks[c] = tb_within(walks[c], p.n[TB_WALK], p.edge[TB_WALK]);
    }
    x += lanes[0] * p.sx[TB_LANE] + walks[0] * p.sx[TB_WALK];
#pragma unroll
    for (int r = 0; r < TB_LOAD_NR; r++)
#pragma unroll
        for (int c = 0; c < NC; c++) {
            const bool wanted = line + r * TB_LOAD_LINE < p.rows && position + c * TB_LOAD_POSITION < p.columns;
            const tb_i64 from = INSIDE ? r * (TB_LOAD_LINE * p.sx[TB_LANE]) + c * (TB_LOAD_POSITION * p.sx[TB_WALK])
                                       : (lanes[r] - lanes[0]) * p.sx[TB_LANE] + (walks[c] - walks[0]) * p.sx[TB_WALK];
            got[r][c] = tb_in();
            if (wanted && (INSIDE || (lanes[r] >= 0 && walks[c] >= 0))) got[r][c] = *(const tb_in *)(x + from);
        }
#pragma unroll
    for (int r = 0; r < TB_LOAD_NR; r++)
#pragma unroll
        for (int c = 0; c < NC; c++) {
            const int row = line + r * TB_LOAD_LINE, column = position + c * TB_LOAD_POSITION;
            if (row >= p.rows || column >= p.columns) continue;
            const bool there = INSIDE || (lanes[r] >= 0 && walks[c] >= 0);
            tile[row * p.pitch + tb_skewed(column)] = there ? tb_work_of(got[r][c]) : TB_FILL;
        }
}

template <bool INSIDE, int NC>
TB_FN void tb_load_parts(const tb_params &p, const char *x, tb_i64 walk, tb_i64 lane, tb_work *tile)
{
    const int major = (int)threadIdx.x / TB_LOAD_ROW, minor = (int)threadIdx.x % TB_LOAD_ROW;
    for (int line = TB_ACROSS ? minor : major; line < p.rows; line += TB_LOAD_NR * TB_LOAD_LINE)
        for (int position = TB_ACROSS ? major : minor; position < p.columns; position += NC * TB_LOAD_POSITION)
            tb_load_part<INSIDE, NC>(p, x, walk, lane, position, line, tile);
}

/* One plane of windows to shared memory; `offsets`: where it is along TB_LANE and each batch axis. */
TB_FN void tb_load_plane(const tb_params &p, const tb_tile_place &at, const tb_i32 *offsets, tb_work *tile)
{
    const char *x = at.x;
    bool inside = true;
#pragma unroll
    for (int d = 0; d < TB_BATCHES; d++) {
        if (d >= p.batches) continue;
        const tb_i64 i = tb_within(at.batch[d] + offsets[1 + d], p.batch_n[d], p.edge[TB_BATCH + d]);
        inside = inside && i >= 0;
        x += i * p.batch_x[d];
    }
    if (!inside) {
        for (int i = (int)threadIdx.x; i < p.rows * p.pitch; i += TB_THREADS) tile[i] = TB_FILL;
        return;
    }
    const tb_i64 walk = at.walk + p.first[TB_WALK], lane = at.lane + p.first[TB_LANE] + offsets[0];
    if (walk >= 0 && lane >= 0 && walk + p.columns <= p.n[TB_WALK] && lane + p.rows <= p.n[TB_LANE])
        tb_load_parts<true, 12 / TB_LOAD_NR>(p, x, walk, lane, tile);
    else tb_load_parts<false, 4 / TB_LOAD_NR>(p, x, walk, lane, tile);
}

/* Where a block's results go, of which `positions` and `lines` are wanted. */
struct tb_results {
    char *y;
    int positions, lines;
};

TB_FN tb_results tb_block_results(const tb_params &p, const tb_tile_place &at)
{
    const tb_i64 walk = p.n[TB_WALK] - at.walk, lane = p.n[TB_LANE] - at.lane;
    return {at.y + at.walk * p.sy[TB_WALK] + at.lane * p.sy[TB_LANE], walk < TB_SPAN ? (int)walk : (int)TB_SPAN,
            lane < TB_LINES ? (int)lane : (int)TB_LINES};
}

TB_FN void tb_put(const tb_params &p, const tb_results &to, int position, int line, tb_work v)
{
    if (position < to.positions && line < to.lines)
        *(tb_out *)(to.y + position * p.sy[TB_WALK] + line * p.sy[TB_LANE]) = tb_result(v);
}

TB_FN const double *tb_weights(const tb_params &p) { return p.weights ? p.weights : p.near; }
TB_FN const tb_i32 *tb_table(const tb_params &p) { return p.table ? p.table : (const tb_i32 *)(p.near + p.nweight); }
