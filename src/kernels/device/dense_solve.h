/* dense_solve.h - DENSE_SOLVE: k right sides b by the LU factors a of an n x n matrix, or of its transpose. As many
 * lanes of a warp share a column as there would be idle ones; a block has TB_COLUMNS columns at a time. */

enum { TB_COLUMNS = TB_ROOM <= 32 ? 32 : 16, TB_LANES = TB_THREADS / TB_COLUMNS };

struct tb_triangle {
    tb_matrix a;
    bool transposed, conjugated;
};

TB_FN tb_number tb_read(const tb_triangle &t, int i, int j)
{
    const tb_number x = t.transposed ? tb_cell(t.a, j, i) : tb_cell(t.a, i, j);
    return t.conjugated ? tb_conj(x) : x;
}

/* A column x by a triangle: from the top down or from below upwards; `unit`: its diagonal is ones. */
TB_FN void tb_solve_triangle(const tb_triangle &t, tb_number *x, int n, bool down, bool unit, int lane, int lanes)
{
    for (int s = 0; s < n; s++) {
        const int j = down ? s : n - 1 - s;
        const tb_number known = unit ? x[j] : tb_over(x[j], tb_read(t, j, j));
        __syncwarp();
        if (lane == 0 && !unit) x[j] = known;
        if (down)
            for (int i = j + 1 + lane; i < n; i += lanes) x[i] = tb_less_product(x[i], tb_read(t, i, j), known);
        else
            for (int i = lane; i < j; i += lanes) x[i] = tb_less_product(x[i], tb_read(t, i, j), known);
        __syncwarp();
    }
}

TB_FN void tb_exchange(const tb_i32 *pivots, tb_number *x, int n, bool backwards)
{
    for (int s = 0; s < n; s++) {
        const int i = backwards ? n - 1 - s : s, j = pivots[i] - 1;
        const tb_number y = x[i];
        if (i != j) {
            x[i] = x[j];
            x[j] = y;
        }
    }
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_number room[TB_ELEMENTS], sides[TB_COLUMNS * TB_APART];
    __shared__ tb_i32 pivots[TB_ROOM];
    tb_wait();
    const int n = (int)p.n;
    tb_number *b = p.b + (tb_i64)blockIdx.x * n * p.k;
    for (int i = (int)threadIdx.x; i < n; i += TB_THREADS) pivots[i] = p.pivots[(tb_i64)blockIdx.x * n + i];
    const tb_triangle t = {tb_bring(p.a + (tb_i64)blockIdx.x * n * n, room, n, n), p.transposed != 0,
                           p.conjugated != 0};
    const int most = tb_lanes_of(p.k < TB_COLUMNS ? (int)p.k : TB_COLUMNS), lanes = most > TB_LANES ? most : TB_LANES;
    const int lane = (int)threadIdx.x % lanes, group = (int)threadIdx.x / lanes, groups = TB_THREADS / lanes;
    for (tb_i64 first = 0; first < p.k; first += groups) {
        const int count = p.k - first < groups ? (int)(p.k - first) : groups;
        for (int i = (int)threadIdx.x; i < groups * n; i += TB_THREADS)
            sides[i / n * TB_APART + i % n] = i < count * n ? b[first * n + i] : tb_number_of(0, 0);
        __syncthreads();
        tb_number *x = sides + group * TB_APART;
        if (!t.transposed && lane == 0) tb_exchange(pivots, x, n, false);
        __syncwarp();
        tb_solve_triangle(t, x, n, true, !t.transposed, lane, lanes);
        tb_solve_triangle(t, x, n, false, t.transposed, lane, lanes);
        if (t.transposed && lane == 0) tb_exchange(pivots, x, n, true);
        __syncthreads();
        for (int i = (int)threadIdx.x; i < count * n; i += TB_THREADS)
            b[first * n + i] = sides[i / n * TB_APART + i % n];
        __syncthreads();
    }
    if (p.info && threadIdx.x == 0) p.info[blockIdx.x] = 0;
}
