/* tree_find.h - TREE_NEAREST, TREE_COUNT, TREE_LIST: neighbours of points among those of a tree (kernels/tree.h), by a
 * thread for each. TB_DIMS: 0 where it is not known. TB_NEAREST: neighbours that a thread has in registers; 0 where
 * they are a heap in the result's memory. TB_LIST: neighbours are listed from start[i] on, else counted. */

struct tb_params {
    const double *packed, *boxes;
    const tb_i64 *order;
    const double *x, *periods, *radius;
    const tb_i64 *start;
    double *distance;
    tb_i64 *index;
    tb_i64 n, dims, leaves, m, k;
    double p, bound;
};

TB_FN tb_i64 tb_dims(const tb_params &p) { return TB_DIMS > 0 ? TB_DIMS : p.dims; }
TB_FN const double *tb_periods(const tb_params &p) { return TB_PERIODIC ? p.periods : nullptr; }

TB_FN tb_i64 tb_next(const tb_params &p, tb_tree_walk &w, const double *x, double bound)
{
    return tb_tree_next(&w, p.boxes, p.leaves, x, bound, tb_dims(p), TB_NORM, p.p, tb_periods(p));
}

TB_FN double tb_apart(const tb_params &p, const double *x, tb_i64 at)
{
    return tb_tree_apart(x, p.packed + at * tb_dims(p), tb_dims(p), TB_NORM, p.p, tb_periods(p));
}

/* The nearest so far, in order; `at` is the place among the tree's points, -1 for none. */
template <int K> struct tb_best {
    double distance[K];
    tb_i64 at[K];
};

template <int K> TB_FN void tb_offer(tb_best<K> &best, double d, tb_i64 at)
{
#pragma unroll
    for (int j = K - 1; j > 0; j--) {
        const bool moves = d < best.distance[j - 1], stays = d >= best.distance[j];
        best.at[j] = moves ? best.at[j - 1] : stays ? best.at[j] : at;
        best.distance[j] = moves ? best.distance[j - 1] : stays ? best.distance[j] : d;
    }
    if (d < best.distance[0]) {
        best.distance[0] = d;
        best.at[0] = at;
    }
}

TB_FN void tb_put_nearest(const tb_params &p, tb_i64 place, double sum, tb_i64 at)
{
    p.distance[place] = at < 0 ? TB_TREE_INFINITY : tb_tree_root(sum, TB_NORM, p.p);
    p.index[place] = at < 0 ? p.n : p.order[at];
}

template <int K> TB_FN void tb_find_nearest(const tb_params &p, tb_i64 i, const double *x)
{
    tb_best<K> best;
    tb_tree_walk w = tb_tree_begin();
#pragma unroll
    for (int j = 0; j < K; j++) {
        best.distance[j] = p.bound;
        best.at[j] = -1;
    }
    for (tb_i64 leaf; (leaf = tb_next(p, w, x, best.distance[K - 1])) >= 0;) {
        const tb_i64 end = tb_tree_end(leaf, p.n);
        for (tb_i64 at = leaf * TB_TREE_LEAF; at < end; at++) {
            const double d = tb_apart(p, x, at);
            if (d < best.distance[K - 1]) tb_offer<K>(best, d, at);
        }
    }
#pragma unroll
    for (int j = 0; j < K; j++)
        if (j < p.k) tb_put_nearest(p, i * p.k + j, best.distance[j], best.at[j]);
}

/* However many are asked for. */
TB_FN void tb_find_many(const tb_params &p, tb_i64 i, const double *x)
{
    double *distance = p.distance + i * p.k;
    tb_i64 *at_of = p.index + i * p.k;
    tb_tree_walk w = tb_tree_begin();
    for (tb_i64 j = 0; j < p.k; j++) {
        distance[j] = p.bound;
        at_of[j] = -1;
    }
    for (tb_i64 leaf; (leaf = tb_next(p, w, x, distance[0])) >= 0;) {
        const tb_i64 end = tb_tree_end(leaf, p.n);
        for (tb_i64 at = leaf * TB_TREE_LEAF; at < end; at++) {
            const double d = tb_apart(p, x, at);
            if (d < distance[0]) tb_tree_sink(distance, at_of, p.k, 0, d, at);
        }
    }
    tb_tree_order(distance, at_of, p.k);
    for (tb_i64 j = 0; j < p.k; j++) tb_put_nearest(p, i * p.k + j, distance[j], at_of[j]);
}

/* What is no further away than the radius. */
TB_FN void tb_find_within(const tb_params &p, tb_i64 i, const double *x)
{
    const double radius = p.radius[i];
    const double bound = radius >= 0 ? nextafter(tb_tree_power(radius, TB_NORM, p.p), TB_TREE_INFINITY) : 0;
    tb_i64 count = 0, *out = TB_LIST ? p.index + p.start[i] : p.index;
    tb_tree_walk w = tb_tree_begin();
    for (tb_i64 leaf; (leaf = tb_next(p, w, x, bound)) >= 0;) {
        const tb_i64 end = tb_tree_end(leaf, p.n);
        for (tb_i64 at = leaf * TB_TREE_LEAF; at < end; at++) {
            if (!(tb_apart(p, x, at) < bound)) continue;
            if (TB_LIST) out[count] = p.order[at];
            count++;
        }
    }
    if (!TB_LIST) out[i] = count;
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_i64 i = (tb_i64)blockIdx.x * TB_THREADS + threadIdx.x;
    if (i >= p.m) return;
    const double *x = p.x + i * tb_dims(p);
#if TB_DIMS > 0
    double own[TB_DIMS];
    for (int d = 0; d < TB_DIMS; d++) own[d] = x[d];
    x = own;
#endif
#if TB_WITHIN
    tb_find_within(p, i, x);
#elif TB_NEAREST > 0
    tb_find_nearest<TB_NEAREST>(p, i, x);
#else
    tb_find_many(p, i, x);
#endif
}
