/* tree.h - trees of boxes over points, for host and device: how they are made, and walked through.
 *
 * Points are put in an order, and each TB_TREE_LEAF that follow one another are a leaf, in a box (Kamel and Faloutsos,
 * On packing R-trees, 1993). On a GPU it is that in which a Hilbert curve passes them, through the ranks of coordinates
 * among those of some points, so that neither scale nor outliers matter; on the host half of the points come first, and
 * half of these, and so on (cpu/plans/tree_order.c), which makes better boxes and takes less time there. Boxes are a
 * complete binary tree: node i has the children 2 i and 2 i + 1, the root is 1, the leaves begin at `leaves`, a power
 * of two; a box has its least coordinates, then its greatest. Boxes of no points are infinitely far away.
 *
 * Distances are kept as the powers that are summed up. They are computed so that what bounds them in theory does in
 * rounded arithmetic, too. `norm` is 0 for the greatest difference, 1, 2, or TB_TREE_POWER for any other p; as `dims`
 * it may be known when this is compiled. `periods` is NULL, or has 0 for axes that are not periodic. Needs types.h. */
#ifndef TB_KERNELS_TREE_H
#define TB_KERNELS_TREE_H

enum { TB_TREE_LEAF = 8, TB_TREE_AXES = 32, TB_TREE_POWER = 3 };

#ifdef __CUDACC_RTC__
#define TB_TREE_INFINITY __longlong_as_double(0x7ff0000000000000LL)
#define TB_TREE_LOWEST_BIT(x) (__ffsll((tb_i64)(x)) - 1)
#define TB_TREE_FN TB_FN
#else
#define TB_TREE_INFINITY ((double)INFINITY)
#define TB_TREE_LOWEST_BIT(x) __builtin_ctzll(x)
#define TB_TREE_FN static inline __attribute__((always_inline, unused))
#endif

/* ---- the order --------------------------------------------------------------------------------------------------- */

/* How many of n numbers in order are less than x. */
TB_FN tb_i64 tb_tree_rank(const double *sorted, tb_i64 n, double x)
{
    tb_i64 low = 0;
    while (n > 0) {
        const tb_i64 half = n / 2;
        const int less = sorted[low + half] < x;
        low = less ? low + half + 1 : low;
        n = less ? n - half - 1 : half;
    }
    return low;
}

/* Where a Hilbert curve passes a cell with coordinates of `bits` bits, which are overwritten (Skilling, Programming the
 * Hilbert curve, 2004). */
TB_FN tb_u64 tb_tree_curve(tb_u32 *cell, int axes, int bits)
{
    tb_u32 flips = 0;
    tb_u64 key = 0;
    for (tb_u32 bit = 1u << (bits - 1); bit > 1; bit >>= 1) {
        for (int d = 0; d < axes; d++) {
            const tb_u32 below = bit - 1, swapped = (cell[0] ^ cell[d]) & below;
            if (cell[d] & bit) cell[0] ^= below;
            else cell[0] ^= swapped, cell[d] ^= swapped;
        }
    }
    for (int d = 1; d < axes; d++) cell[d] ^= cell[d - 1];
    for (tb_u32 bit = 1u << (bits - 1); bit > 1; bit >>= 1)
        if (cell[axes - 1] & bit) flips ^= bit - 1;
    for (int d = 0; d < axes; d++) cell[d] ^= flips;
    for (int bit = bits - 1; bit >= 0; bit--)
        for (int d = 0; d < axes; d++) key = key << 1 | (cell[d] >> bit & 1);
    return key;
}

/* columns: for each axis n coordinates in order, 2^bits at most. */
TB_FN tb_u64 tb_tree_key(const double *x, const double *columns, tb_i64 n, tb_i64 dims, int bits)
{
    tb_u32 cell[TB_TREE_AXES];
    const int axes = dims < TB_TREE_AXES ? (int)dims : TB_TREE_AXES;
    for (int d = 0; d < axes; d++) {
        const tb_i64 rank = tb_tree_rank(columns + d * n, n, x[d]), last = ((tb_i64)1 << bits) - 1;
        cell[d] = (tb_u32)(rank < last ? rank : last);
    }
    return tb_tree_curve(cell, axes, bits);
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

/* Brings a leaf's points together, in a box. */
TB_FN void tb_tree_pack(const double *points, const tb_i64 *order, tb_i64 n, tb_i64 dims, tb_i64 leaf, double *packed,
                        double *box)
{
    const tb_i64 first = leaf * TB_TREE_LEAF, left = n - first;
    const int count = left < TB_TREE_LEAF ? (int)(left > 0 ? left : 0) : TB_TREE_LEAF;
    for (tb_i64 d = 0; d < dims; d++) {
        double low = TB_TREE_INFINITY, high = -TB_TREE_INFINITY;
        for (int i = 0; i < count; i++) {
            const double x = points[order[first + i] * dims + d];
            packed[(first + i) * dims + d] = x;
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        box[d] = low;
        box[dims + d] = high;
    }
}

/* The box around both children's. */
TB_FN void tb_tree_unite(double *boxes, tb_i64 node, tb_i64 dims)
{
    double *box = boxes + 2 * dims * node;
    const double *a = boxes + 4 * dims * node, *b = a + 2 * dims;
    for (tb_i64 d = 0; d < dims; d++) {
        box[d] = a[d] < b[d] ? a[d] : b[d];
        box[dims + d] = a[dims + d] > b[dims + d] ? a[dims + d] : b[dims + d];
    }
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

/* Of x and what is between two coordinates of an axis; x is within the period. */
TB_TREE_FN double tb_tree_gap(double x, double low, double high, const double *periods, tb_i64 d)
{
    const double below = low - x, above = x - high;
    double gap = below > above ? below : above;
    if (periods && periods[d] > 0) {
        const double around = periods[d] - (below > above ? high - x : x - low);
        gap = around < gap ? around : gap;
    }
    return gap > 0 ? gap : 0;
}

TB_TREE_FN double tb_tree_add(double sum, double gap, int norm, double p)
{
    if (norm == 0) return gap > sum ? gap : sum;
    return sum + (norm == 1 ? gap : norm == 2 ? gap * gap : pow(gap, p));
}

TB_TREE_FN double tb_tree_power(double distance, int norm, double p)
{
    return norm == 2 ? distance * distance : norm == TB_TREE_POWER ? pow(distance, p) : distance;
}

TB_TREE_FN double tb_tree_root(double sum, int norm, double p)
{
    return norm == 2 ? sqrt(sum) : norm == TB_TREE_POWER ? pow(sum, 1 / p) : sum;
}

/* Of x and the nearest place of a box. */
TB_TREE_FN double tb_tree_least(const double *x, const double *box, tb_i64 dims, int norm, double p,
                                const double *periods)
{
    double sum = 0;
    for (tb_i64 d = 0; d < dims; d++)
        sum = tb_tree_add(sum, tb_tree_gap(x[d], box[d], box[dims + d], periods, d), norm, p);
    return sum;
}

/* Of two boxes. */
TB_TREE_FN double tb_tree_between(const double *a, const double *b, tb_i64 dims, int norm, double p,
                                  const double *periods)
{
    double sum = 0;
    for (tb_i64 d = 0; d < dims; d++) {
        const double below = b[d] - a[dims + d], above = a[d] - b[dims + d];
        double gap = below > above ? below : above;
        if (periods && periods[d] > 0) {
            const double over = b[dims + d] - a[d], under = a[dims + d] - b[d];
            const double around = periods[d] - (over > under ? over : under);
            gap = around < gap ? around : gap;
        }
        sum = tb_tree_add(sum, gap > 0 ? gap : 0, norm, p);
    }
    return sum;
}

/* Of x and a point. */
TB_TREE_FN double tb_tree_apart(const double *x, const double *y, tb_i64 dims, int norm, double p,
                                const double *periods)
{
    double sum = 0;
    for (tb_i64 d = 0; d < dims; d++) {
        const double apart = x[d] - y[d];
        if (norm == 2 && !periods) sum += apart * apart;
        else sum = tb_tree_add(sum, tb_tree_gap(x[d], y[d], y[d], periods, d), norm, p);
    }
    return sum;
}

/* ---- walking through --------------------------------------------------------------------------------------------- */

/* The nearer child first. Instead of a stack there is a bit for each level: whether the other child is still to be
 * looked at (Barringer and Akenine-Moeller, Dynamic stackless binary tree traversal, 2013). */
typedef struct tb_tree_walk {
    tb_i64 node;
    tb_u64 trail;
} tb_tree_walk;

TB_TREE_FN tb_tree_walk tb_tree_begin(void)
{
    tb_tree_walk w;
    w.node = 1;
    w.trail = 0;
    return w;
}

/* The number of the next leaf that is nearer than `bound`; -1: there is none. */
TB_TREE_FN tb_i64 tb_tree_next(tb_tree_walk *w, const double *boxes, tb_i64 leaves, const double *x, double bound,
                               tb_i64 dims, int norm, double p, const double *periods)
{
    tb_i64 node = w->node;
    tb_u64 trail = w->trail;
    int near_enough = 1;
    if (node >= leaves && leaves > 1) near_enough = 0; /* the leaf before */
    else if (node != 1) return -1;
    for (;;) {
        while (near_enough && node < leaves) {
            const double *left = boxes + 4 * dims * node;
            const double a = tb_tree_least(x, left, dims, norm, p, periods);
            const double b = tb_tree_least(x, left + 2 * dims, dims, norm, p, periods);
            const int right = b < a;
            near_enough = (right ? b : a) < bound;
            trail = trail << 1 | (tb_u64)((right ? a : b) < bound);
            node = 2 * node + right;
        }
        if (near_enough) break;
        if (trail == 0) return -1;
        const int up = TB_TREE_LOWEST_BIT(trail);
        node = node >> up ^ 1;
        trail = trail >> up ^ 1;
        near_enough = tb_tree_least(x, boxes + 2 * dims * node, dims, norm, p, periods) < bound;
    }
    w->node = leaves > 1 ? node : 0; /* the only leaf comes once */
    w->trail = trail;
    return node - leaves;
}

/* The first point behind a leaf. */
TB_TREE_FN tb_i64 tb_tree_end(tb_i64 leaf, tb_i64 n)
{
    const tb_i64 end = (leaf + 1) * TB_TREE_LEAF;
    return end < n ? end : n;
}

/* ---- the k nearest, as a heap whose first element is the furthest ------------------------------------------------ */

/* Puts an element at `at` or below it, where there is a place for it. */
TB_FN void tb_tree_sink(double *distance, tb_i64 *index, tb_i64 k, tb_i64 at, double d, tb_i64 i)
{
    for (;;) {
        tb_i64 child = 2 * at + 1;
        if (child >= k) break;
        if (child + 1 < k && distance[child + 1] > distance[child]) child++;
        if (distance[child] <= d) break;
        distance[at] = distance[child];
        index[at] = index[child];
        at = child;
    }
    distance[at] = d;
    index[at] = i;
}

/* Puts the heap in order, from the nearest on. */
TB_FN void tb_tree_order(double *distance, tb_i64 *index, tb_i64 k)
{
    for (tb_i64 end = k - 1; end > 0; end--) {
        const double d = distance[end];
        const tb_i64 i = index[end];
        distance[end] = distance[0];
        index[end] = index[0];
        tb_tree_sink(distance, index, end, 0, d, i);
    }
}
#endif
