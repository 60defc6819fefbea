/* window_two.h - WINDOW_TWO: a filter over short windows along one axis, and of its results as they are rounded to the
 * result's dtype one along another axis. A block reads TB_SIDE by TB_SIDE elements and makes those results whose
 * windows lie within. Columns are neighbours in memory. */

enum { TB_EACH = 8, TB_SIDE = 64, TB_PITCH = TB_SIDE + 1, TB_TURNS = TB_SIDE * TB_SIDE / (TB_EACH * TB_THREADS) };
enum { TB_LOADS = TB_SIDE * TB_SIDE / TB_THREADS, TB_BESIDE = TB_THREADS / TB_SIDE };
enum { TB_MIRROR, TB_REFLECT, TB_WRAP, TB_NEAREST, TB_CONSTANT };
enum { TB_OF_SUM, TB_OF_MIRRORED, TB_OF_OPPOSED, TB_OF_MEAN, TB_OF_LEAST, TB_OF_GREATEST };
enum { TB_ROWS, TB_COLUMNS };

struct tb_params {
    const char *x;
    char *y;
    tb_i64 sx[2], sy[2]; /* of a row, of a column */
    tb_i64 batch_x[TB_BATCHES], batch_y[TB_BATCHES];
    tb_i64 whole; /* what is beyond constant edges: an integer, or a number */
    double number[2];
    double weights[2][TB_SHORT]; /* of the first and of the second windows */
    double reciprocal[2];        /* of how many places they have */
    tb_i32 n[2], tiles[2], first[2], edge[2];
    tb_u32 batch_n[TB_BATCHES];
    tb_i32 batches;
};

/* How far the results of a tile are apart from its elements' number. */
enum {
    TB_REACH_OF_ROWS = (TB_COLUMNS_FIRST ? TB_SECOND : TB_FIRST) - 1,
    TB_REACH_OF_COLUMNS = (TB_COLUMNS_FIRST ? TB_FIRST : TB_SECOND) - 1
};

/* Index i in [0, n), or -1 for beyond a constant edge. */
TB_FN int tb_within(int i, int n, int edge)
{
    if (i >= 0 && i < n) return i;
    if (edge == TB_CONSTANT) return -1;
    if (edge == TB_NEAREST) return i < 0 ? 0 : n - 1;
    const tb_u32 period = edge == TB_WRAP      ? (tb_u32)n
                          : edge == TB_REFLECT ? 2 * (tb_u32)n
                          : n > 1              ? 2 * (tb_u32)n - 2
                                               : 1;
    const bool mirrored = edge != TB_WRAP && i < 0; /* what is before an edge is what is behind it from the other end */
    tb_u32 at = i < 0 ? (tb_u32) - (i + (mirrored && edge == TB_REFLECT)) : (tb_u32)i;
    at %= period;
    if (edge == TB_WRAP) return (int)(i < 0 && at ? period - at : at);
    return (int)(at < (tb_u32)n ? at : edge == TB_REFLECT ? period - 1 - at : period - at);
}

struct tb_tile_place {
    const char *x;
    char *y;
    int row, column; /* of its first result */
};

TB_FN tb_tile_place tb_block_place(const tb_params &p)
{
    tb_u32 block = blockIdx.x;
    tb_tile_place at = {p.x, p.y, 0, 0};
    at.column = (int)(block % (tb_u32)p.tiles[TB_COLUMNS]) * (TB_SIDE - TB_REACH_OF_COLUMNS);
    block /= (tb_u32)p.tiles[TB_COLUMNS];
    at.row = (int)(block % (tb_u32)p.tiles[TB_ROWS]) * (TB_SIDE - TB_REACH_OF_ROWS);
    block /= (tb_u32)p.tiles[TB_ROWS];
    for (int d = p.batches - 1; d >= 0; d--) {
        const tb_u32 i = block % p.batch_n[d];
        at.x += i * p.batch_x[d];
        at.y += i * p.batch_y[d];
        block /= p.batch_n[d];
    }
    return at;
}

TB_FN void tb_load_tile(const tb_params &p, const tb_tile_place &at, tb_work *tile)
{
    const int column = (int)threadIdx.x % TB_SIDE, first = (int)threadIdx.x / TB_SIDE;
    const int row = at.row + p.first[TB_ROWS], left = at.column + p.first[TB_COLUMNS];
    tb_work *const to = tile + first * TB_PITCH + column;
    tb_in got[TB_LOADS];
    if (row >= 0 && left >= 0 && row + TB_SIDE <= p.n[TB_ROWS] && left + TB_SIDE <= p.n[TB_COLUMNS]) {
        const char *x = at.x + (row + first) * p.sx[TB_ROWS] + (left + column) * p.sx[TB_COLUMNS];
#pragma unroll
        for (int u = 0; u < TB_LOADS; u++) got[u] = *(const tb_in *)(x + u * (TB_BESIDE * p.sx[TB_ROWS]));
#pragma unroll
        for (int u = 0; u < TB_LOADS; u++) to[u * TB_BESIDE * TB_PITCH] = tb_work_of(got[u]);
        return;
    }
    const int of = tb_within(left + column, p.n[TB_COLUMNS], p.edge[TB_COLUMNS]);
    const char *const x = at.x + of * p.sx[TB_COLUMNS];
    int rows[TB_LOADS];
#pragma unroll
    for (int u = 0; u < TB_LOADS; u++) {
        rows[u] = of < 0 ? -1 : tb_within(row + first + u * TB_BESIDE, p.n[TB_ROWS], p.edge[TB_ROWS]);
        got[u] = tb_in();
        if (rows[u] >= 0) got[u] = *(const tb_in *)(x + rows[u] * p.sx[TB_ROWS]);
    }
#pragma unroll
    for (int u = 0; u < TB_LOADS; u++) to[u * TB_BESIDE * TB_PITCH] = rows[u] < 0 ? TB_FILL : tb_work_of(got[u]);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

/* TB_EACH windows of COUNT places, one after another: what they have is x[0], x[1], ... A SUM begins with the last
 * place. */
template <int KIND, int COUNT> TB_FN void tb_sums(const tb_work *x, const double *weights, tb_work *result)
{
    enum { MIDDLE = COUNT / 2, LAST = COUNT - 1, FROM = KIND == TB_OF_SUM ? LAST : MIDDLE };
#pragma unroll
    for (int i = 0; i < TB_EACH; i++) {
        tb_work sum = x[i + FROM] * weights[FROM];
#pragma unroll
        for (int j = 0; j < FROM; j++) {
            const tb_work near = x[i + j], far = x[i + LAST - j];
            const tb_work both = KIND == TB_OF_SUM ? near : KIND == TB_OF_OPPOSED ? near - far : near + far;
            sum = sum + both * weights[j];
        }
        result[i] = sum;
    }
}

template <int KIND> TB_FN tb_work tb_joined(tb_work a, tb_work b)
{
    if constexpr (KIND == TB_OF_MEAN) return a + b;
    else if constexpr (KIND == TB_OF_LEAST) return a < b || TB_IS_NAN(a) ? a : b;
    else return a > b || TB_IS_NAN(a) ? a : b;
}

/* Long windows share what all of them have. */
template <int KIND, int COUNT> TB_FN void tb_folds(const tb_work *x, tb_work *result)
{
    enum { LAST = TB_EACH - 1 };
    if constexpr (COUNT < TB_EACH) {
#pragma unroll
        for (int i = 0; i < TB_EACH; i++) {
            result[i] = x[i];
#pragma unroll
            for (int j = 1; j < COUNT; j++) result[i] = tb_joined<KIND>(result[i], x[i + j]);
        }
    } else {
        tb_work all = x[LAST];
#pragma unroll
        for (int j = TB_EACH; j < COUNT; j++) all = tb_joined<KIND>(all, x[j]);
        result[LAST] = all;
#pragma unroll
        for (int i = LAST - 1; i >= 0; i--) result[i] = tb_joined<KIND>(x[i], result[i + 1]);
        all = x[COUNT];
#pragma unroll
        for (int i = 1; i < TB_EACH; i++) {
            result[i] = tb_joined<KIND>(result[i], all);
            if (i < LAST) all = tb_joined<KIND>(all, x[COUNT + i]);
        }
    }
}

/* a / n, where r is 1 / n: of a quotient that is finite the rest is known. */
TB_FN double tb_divided(double a, double n, double r)
{
    const double q = a * r, rest = fma(-q, n, a);
    return rest - rest == 0 ? fma(rest, r, q) : q;
}

/* A thread's results of windows along rows or columns, from that on whose first element is *from; PITCH is the way to
 * the next one. */
template <int KIND, int COUNT, int PITCH>
TB_FN void tb_pass(const tb_work *from, const double *weights, double reciprocal, tb_out *kept)
{
    tb_work x[TB_EACH + COUNT - 1], result[TB_EACH];
#pragma unroll
    for (int j = 0; j < TB_EACH + COUNT - 1; j++) x[j] = from[j * PITCH];
    if constexpr (KIND <= TB_OF_OPPOSED) tb_sums<KIND, COUNT>(x, weights, result);
    else tb_folds<KIND, COUNT>(x, result);
#pragma unroll
    for (int i = 0; i < TB_EACH; i++) {
        if constexpr (KIND == TB_OF_MEAN) result[i] = tb_divided(result[i], COUNT, reciprocal);
        kept[i] = tb_result(result[i]);
    }
}

extern "C" __global__ void __launch_bounds__(TB_THREADS, 4) tb_main(const __grid_constant__ tb_params p)
{
    enum {
        AXIS = TB_COLUMNS_FIRST, /* the axis of the first windows, along columns or rows */
        FIRST_PITCH = TB_COLUMNS_FIRST ? 1 : TB_PITCH,
        SECOND_PITCH = TB_COLUMNS_FIRST ? TB_PITCH : 1
    };
    __shared__ tb_work tile[(TB_SIDE + TB_SHORT - 2) * TB_PITCH];
    tb_wait();
    const tb_tile_place at = tb_block_place(p);
    tb_load_tile(p, at, tile);
    __syncthreads();
    const int lane = (int)threadIdx.x % TB_SIDE, group = (int)threadIdx.x / TB_SIDE;
    tb_out kept[TB_TURNS][TB_EACH] = {};
    tb_work *const first = tile + lane * SECOND_PITCH + group * TB_EACH * FIRST_PITCH;
    enum { FIRST_TURN = TB_BESIDE * TB_EACH * FIRST_PITCH, SECOND_TURN = TB_BESIDE * TB_EACH * SECOND_PITCH };
#pragma unroll
    for (int u = 0; u < TB_TURNS; u++)
        if ((group + u * TB_BESIDE) * TB_EACH <= TB_SIDE - TB_FIRST)
            tb_pass<TB_FIRST_KIND, TB_FIRST, FIRST_PITCH>(first + u * FIRST_TURN, p.weights[0], p.reciprocal[0],
                                                          kept[u]);
    __syncthreads();
    /* Beyond a constant edge there is the constant again, not what is made of it. */
    const int place = (AXIS == TB_COLUMNS ? at.row : at.column) + p.first[1 - AXIS] + lane;
    const bool beyond = p.edge[1 - AXIS] == TB_CONSTANT && (place < 0 || place >= p.n[1 - AXIS]);
#pragma unroll
    for (int u = 0; u < TB_TURNS; u++)
#pragma unroll
        for (int i = 0; i < TB_EACH; i++)
            first[u * FIRST_TURN + i * FIRST_PITCH] = beyond ? TB_FILL : tb_work_again(kept[u][i]);
    __syncthreads();
    const tb_work *const second = tile + lane * FIRST_PITCH + group * TB_EACH * SECOND_PITCH;
#pragma unroll
    for (int u = 0; u < TB_TURNS; u++)
        if ((group + u * TB_BESIDE) * TB_EACH <= TB_SIDE - TB_SECOND)
            tb_pass<TB_SECOND_KIND, TB_SECOND, SECOND_PITCH>(second + u * SECOND_TURN, p.weights[1], p.reciprocal[1],
                                                             kept[u]);
    const int rows = min(p.n[TB_ROWS] - at.row, TB_SIDE - TB_REACH_OF_ROWS);
    const int columns = min(p.n[TB_COLUMNS] - at.column, TB_SIDE - TB_REACH_OF_COLUMNS);
    char *const y = at.y + at.row * p.sy[TB_ROWS] + (at.column + lane) * p.sy[TB_COLUMNS];
#if TB_COLUMNS_FIRST
#pragma unroll
    for (int u = 0; u < TB_TURNS; u++)
#pragma unroll
        for (int i = 0; i < TB_EACH; i++) {
            const int row = (group + u * TB_BESIDE) * TB_EACH + i;
            if (row < rows && lane < columns) *(tb_out *)(y + row * p.sy[TB_ROWS]) = kept[u][i];
        }
#else
    tb_out *const made = (tb_out *)tile;
    __syncthreads();
#pragma unroll
    for (int u = 0; u < TB_TURNS; u++)
#pragma unroll
        for (int i = 0; i < TB_EACH; i++) made[lane * TB_PITCH + (group + u * TB_BESIDE) * TB_EACH + i] = kept[u][i];
    __syncthreads();
#pragma unroll
    for (int u = 0; u < TB_LOADS; u++) {
        const int row = group + u * TB_BESIDE;
        if (row < rows && lane < columns) *(tb_out *)(y + row * p.sy[TB_ROWS]) = made[row * TB_PITCH + lane];
    }
#endif
}
