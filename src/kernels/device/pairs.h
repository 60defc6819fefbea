/* pairs.h - PAIRS: distances of m rows from k others. A block makes a square tile of results, a thread TB_EACH by
 * TB_EACH of them, from what the block has of both sets in shared memory, TB_DEEP elements of each row at a time. Rows
 * and elements that are not there stand for the last row and for zeros, which add nothing. */

struct tb_params {
    const tb_number *a, *b;
    tb_number *out;
    tb_u64 m, k, n, across; /* tiles along k */
    double p;
};

enum {
    TB_SIDE = 16,
    TB_THREADS = TB_SIDE * TB_SIDE,
    TB_TILE = TB_SIDE * TB_EACH,
    TB_DEEP = 16,
    TB_TERMS = TB_METRIC == TB_MINKOWSKI || TB_METRIC == TB_CANBERRA ? 1 : 4, /* of a pair, as code */
    TB_PITCH = TB_TILE + 4,
    TB_V = TB_EACH < 16 / (int)sizeof(tb_number) ? TB_EACH : 16 / (int)sizeof(tb_number), /* neighbours of a thread */
};

struct alignas(TB_V * sizeof(tb_number)) tb_several {
    tb_number v[TB_V];
};

struct alignas(16) tb_tile {
    tb_number element[TB_DEEP][TB_PITCH];
};

TB_FN float tb_add_product(float s, float x, float y) { return fmaf(x, y, s); }
TB_FN double tb_add_product(double s, double x, double y) { return fma(x, y, s); }

/* Not inlined: a thread adds dozens of terms. */
TB_CALLED double tb_power(double x, double p) { return pow(x, p); }

TB_FN tb_number tb_add_term(tb_number s, tb_number x, tb_number y, double p)
{
    const tb_number d = x - y, size = d < 0 ? -d : d;
    if (TB_METRIC == TB_CITYBLOCK || TB_METRIC == TB_BRAYCURTIS) return s + size;
    if (TB_METRIC == TB_CHEBYSHEV) return size > s || size != size ? size : s;
    if (TB_METRIC == TB_MINKOWSKI) return s + (tb_number)tb_power((double)size, p);
    if (TB_METRIC == TB_HAMMING) return s + (x != y ? 1 : 0);
    if (TB_METRIC == TB_CANBERRA) {
        const tb_number both = (x < 0 ? -x : x) + (y < 0 ? -y : y);
        return s + (both == 0 ? 0 : size / both);
    }
    return TB_METRIC == TB_COSINE ? tb_add_product(s, x, y) : tb_add_product(s, d, d);
}

TB_FN tb_number tb_distance(tb_number s, const tb_params &p)
{
    if (TB_METRIC == TB_EUCLIDEAN) return sqrt(s);
    if (TB_METRIC == TB_MINKOWSKI) return (tb_number)tb_power((double)s, 1 / p.p);
    if (TB_METRIC == TB_HAMMING) return (tb_number)((double)s / (double)p.n);
    if (TB_METRIC == TB_COSINE) return s > 1 ? 0 : s < -1 ? 2 : 1 - s;
    return s;
}

/* Elements [from, from + TB_DEEP) of the rows of a tile, element by element. */
TB_FN void tb_bring(const tb_number *rows, tb_u64 count, tb_u64 first, tb_u64 n, tb_u64 from, tb_number (*to)[TB_PITCH])
{
#pragma unroll
    for (int i = (int)threadIdx.x; i < TB_TILE * TB_DEEP; i += TB_THREADS) {
        const int element = i % TB_DEEP, row = i / TB_DEEP;
        const tb_u64 at = first + row < count ? first + row : count - 1;
        to[element][row] = from + element < n ? rows[at * n + from + element] : (tb_number)0;
    }
}

/* The elements of the rows of thread number `own` along an axis. */
TB_FN void tb_take(const tb_number *row, int own, tb_number *x)
{
#pragma unroll
    for (int i = 0; i < TB_EACH; i += TB_V) {
        const tb_several some = *(const tb_several *)(row + i * TB_SIDE + own * TB_V);
#pragma unroll
        for (int j = 0; j < TB_V; j++) x[i + j] = some.v[j];
    }
}

/* TB_V results of a row that follow one another. */
TB_FN void tb_put(const tb_params &p, tb_u64 row, tb_u64 column, const tb_number *sum)
{
    tb_several some;
#pragma unroll
    for (int j = 0; j < TB_V; j++) some.v[j] = tb_distance(sum[j], p);
    if (!TB_ONCE && p.k % TB_V == 0 && column < p.k) {
        *(tb_several *)(p.out + row * p.k + column) = some;
        return;
    }
    const tb_u64 before = TB_ONCE ? row * (2 * p.m - row - 1) / 2 - row - 1 : row * p.k;
#pragma unroll
    for (int j = 0; j < TB_V; j++)
        if (column + j < p.k && (!TB_ONCE || column + j > row)) p.out[before + column + j] = some.v[j];
}

extern "C" __global__ void __launch_bounds__(TB_THREADS, 2) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_tile a, b;
    tb_wait();
    const tb_u64 row = blockIdx.x / p.across * TB_TILE, column = blockIdx.x % p.across * TB_TILE;
    if (TB_ONCE && column + TB_TILE <= row + 1) return;
    const int x = (int)threadIdx.x % TB_SIDE, y = (int)threadIdx.x / TB_SIDE;
    constexpr bool two = TB_METRIC == TB_BRAYCURTIS;
    tb_number sum[TB_EACH][TB_EACH] = {}, rest[two ? TB_EACH : 1][two ? TB_EACH : 1] = {};
    for (tb_u64 from = 0; from < p.n; from += TB_DEEP) {
        __syncthreads();
        tb_bring(p.a, p.m, row, p.n, from, a.element);
        tb_bring(p.b, p.k, column, p.n, from, b.element);
        __syncthreads();
#pragma unroll TB_TERMS
        for (int e = 0; e < TB_DEEP; e++) {
            tb_number u[TB_EACH], v[TB_EACH];
            tb_take(a.element[e], y, u);
            tb_take(b.element[e], x, v);
#pragma unroll
            for (int i = 0; i < TB_EACH; i++)
#pragma unroll
                for (int j = 0; j < TB_EACH; j++) {
                    sum[i][j] = tb_add_term(sum[i][j], u[i], v[j], p.p);
                    if (two) rest[two ? i : 0][two ? j : 0] += fabs(u[i] + v[j]);
                }
        }
    }
#pragma unroll
    for (int i = 0; i < TB_EACH; i++) {
        if (two)
#pragma unroll
            for (int j = 0; j < TB_EACH; j++) sum[i][j] /= rest[two ? i : 0][two ? j : 0];
        const tb_u64 own = row + i / TB_V * (TB_SIDE * TB_V) + y * TB_V + i % TB_V;
#pragma unroll
        for (int j = 0; j < TB_EACH; j += TB_V)
            if (own < p.m) tb_put(p, own, column + j * TB_SIDE + x * TB_V, sum[i] + j);
    }
}
