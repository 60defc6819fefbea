/* spline_map.h - SPLINE_MAP: sums of B-splines at the points that an affine map makes of the result's indices. A block
 * has a tile of the result's last two axes, or a piece of its only one.
 *
 * TB_DIAGONAL: an index alone decides where a point is along its axis, so that weights are computed once for each row
 * and each column of a tile. Arithmetic is in double; coordinates are summed up from the offset on in the order of
 * axes, as SciPy does: their last bit decides which element is nearest. */

enum {
    TB_TAPS = TB_SPLINE + 1,
    TB_FLAT = TB_AXES == 1,
    TB_WIDTH = 32,
    TB_PASSES = 4, /* points of a thread of a piece */
    TB_ROWS = TB_THREADS / TB_WIDTH,
    TB_MOST_ROWS = 8 * TB_ROWS,
};

struct tb_params {
    const tb_number *image;
    tb_result *out;
    double cval, margin;
    tb_i64 points; /* of a result, and elements of an image */
    tb_i64 elements;
    tb_i64 across, down, height; /* tiles; rows of one: some times TB_ROWS, TB_MOST_ROWS at most */
    tb_i64 sides[8], shape[8];
    double map[72];           /* of each axis: (i + a) * b + c; or a row of the matrix and the offset */
    double least[8], most[8]; /* where a tile's first point is, if all the elements around its points are the image's */
};

/* What a point is of along an axis: elements times their stride, -1 where there is none. */
struct tb_near {
    double weight[TB_TAPS];
    tb_offset at[TB_TAPS];
    bool inside;
};

TB_FN double tb_remainder(double x, double period) { return x - period * floor(x / period); }

/* A coordinate beyond the edges of n elements as the mode takes it. */
TB_FN double tb_folded(double x, double n)
{
    const double last = n - 1;
    if (TB_MODE == TB_CONSTANT || TB_MODE == TB_GRID_CONSTANT || TB_MODE == TB_NEAREST) return x;
    if (n == 1) return 0;
    if (TB_MODE == TB_GRID_WRAP) return tb_remainder(x, n);
    if (TB_MODE == TB_WRAP) return x < 0 ? x + last * (floor(-x / last) + 1) : tb_remainder(x, last);
    if (TB_MODE == TB_MIRROR) {
        const double around = tb_remainder(fabs(x), 2 * last);
        return around > last ? 2 * last - around : around;
    }
    const double around = tb_remainder(x < 0 ? -x - 1 : x, 2 * n);
    return around >= n ? 2 * n - 1 - around : around;
}

/* The same for elements. */
TB_FN tb_offset tb_element(tb_offset i, tb_offset n)
{
    if (i >= 0 && i < n) return i;
    if (TB_MODE == TB_GRID_CONSTANT) return -1;
    if (TB_MODE == TB_NEAREST) return i < 0 ? 0 : n - 1;
    if (n == 1) return 0;
    if (TB_MODE == TB_GRID_WRAP) {
        i %= n;
        return i < 0 ? i + n : i;
    }
    if (TB_MODE == TB_REFLECT) {
        i = (i < 0 ? -i - 1 : i) % (2 * n);
        return i >= n ? 2 * n - 1 - i : i;
    }
    i = (i < 0 ? -i : i) % (2 * n - 2);
    return i >= n ? 2 * n - 2 - i : i;
}

/* The B-spline at the elements around a point that is t behind the middle one: polynomials of t. */
TB_FN double tb_spline(double t, int k)
{
    const int half = TB_SPLINE / 2;
    const int piece = TB_SPLINE % 2 == 0 ? (k < half ? half - k : k - half) : (k > half ? k - half - 1 : half - k);
    const double d = fabs(t - (k - half));
    if (TB_SPLINE == 0) return 1;
    if (TB_SPLINE == 1) return k == 0 ? 1 - t : t;
    if (TB_SPLINE == 2) return piece == 0 ? 0.75 - d * d : 0.5 * ((1.5 - d) * (1.5 - d));
    if (TB_SPLINE == 3) {
        const double e = 2 - d;
        return piece == 0 ? (4 + d * d * (3 * d - 6)) * (1.0 / 6) : e * e * e * (1.0 / 6);
    }
    if (TB_SPLINE == 4) {
        const double e = (2.5 - d) * (2.5 - d);
        if (piece == 0) return 115.0 / 192 + d * d * (d * d * 0.25 - 0.625);
        if (piece == 1) return 55.0 / 96 + d * (5.0 / 24 + d * (-1.25 + d * (5.0 / 6 - d * (1.0 / 6))));
        return e * e * (1.0 / 24);
    }
    const double e = (3 - d) * (3 - d);
    if (piece == 0) return 0.55 + d * d * (-0.5 + d * d * (0.25 - d * (1.0 / 12)));
    if (piece == 1) return 0.425 + d * (0.625 + d * (-1.75 + d * (1.25 + d * (-0.375 + d * (1.0 / 24)))));
    return e * e * (3 - d) * (1.0 / 120);
}

/* The element below (odd splines) or nearest to (even ones) x, which is within what coordinates are cut to, and how far
 * behind it x is, rounded once. Where 32 bits are enough it is found by a sum that is rounded downwards: conversions
 * are a quarter as many a clock, and were most of what lines between elements took. */
TB_FN tb_offset tb_split(double x, double &t)
{
    const double SHIFT = 6755399441055744.0; /* 1.5 * 2^52: sums with it are integers, in their low bits */
    const double y = TB_SPLINE % 2 == 0 ? x + 0.5 : x;
    if (sizeof(tb_offset) > 4) {
        const double whole = floor(y);
        t = x - whole;
        return (tb_offset)whole;
    }
    const double shifted = __dadd_rd(y, SHIFT);
    tb_i64 bits;
    memcpy(&bits, &shifted, sizeof bits);
    t = x - (shifted - SHIFT);
    return (tb_offset)(tb_i32)bits;
}

TB_FN void tb_look(double x, tb_offset n, tb_offset stride, tb_near &near)
{
    const double MOST = TB_FAR_AWAY; /* neither it nor an element near it is out of tb_offset's range */
    near.inside = TB_MODE != TB_CONSTANT || (x >= 0 && x <= (double)(n - 1));
    if (!(x >= 0 && x <= (double)(n - 1))) x = fmin(fmax(tb_folded(x, (double)n), -MOST), MOST);
    double t;
    const tb_offset first = tb_split(x, t) - TB_SPLINE / 2;
#pragma unroll
    for (int k = 0; k < TB_TAPS; k++) {
        near.weight[k] = tb_spline(t, k);
        near.at[k] = (tb_offset)((tb_index)(first + k) * (tb_index)stride); /* or is out of range */
    }
    if (first >= 0 && first + TB_SPLINE < n) return;
#pragma unroll
    for (int k = 0; k < TB_TAPS; k++) {
        const tb_offset i = tb_element(first + k, n);
        near.at[k] = TB_MODE == TB_GRID_CONSTANT && i < 0 ? -1 : i * stride;
    }
}

/* sum + x * weight: for float32 in one rounding, which is an operation less. What is double may become whole numbers,
 * and a tie must be the tie that two roundings make of it. */
TB_FN double tb_more(double sum, double x, double weight)
{
    return sizeof(tb_result) == sizeof(float) ? fma(x, weight, sum) : sum + x * weight;
}

/* The sum over the axes from D on, for elements `at` along those before. */
template <int D> struct tb_total {
    static __device__ __forceinline__ double of(const tb_params &p, const tb_number *image, const tb_near *near,
                                                tb_offset at)
    {
        double sum = 0;
#pragma unroll(TB_AXES - D > (TB_TAPS > 4 ? 2 : 3) ? 1 : TB_TAPS)
        for (int k = 0; k < TB_TAPS; k++) {
            const tb_offset step = near[D].at[k];
            const bool there = TB_MODE != TB_GRID_CONSTANT || (at >= 0 && step >= 0);
            const double x = tb_total<D + 1>::of(p, image, near, there ? at + step : -1);
            sum = k ? tb_more(sum, x, near[D].weight[k]) : x * near[D].weight[k];
        }
        return sum;
    }
};
template <> struct tb_total<TB_AXES> {
    static __device__ __forceinline__ double of(const tb_params &p, const tb_number *image, const tb_near *,
                                                tb_offset at)
    {
        return TB_MODE == TB_GRID_CONSTANT && at < 0 ? p.cval : (double)image[at];
    }
};

/* Of an index whose numbers are of any type that has them all. */
template <class I> TB_FN double tb_coordinate(const tb_params &p, int d, const I *index)
{
    if (TB_DIAGONAL) return ((double)index[d] + p.map[3 * d]) * p.map[3 * d + 1] + p.map[3 * d + 2] + p.margin;
    const double *row = p.map + d * (TB_AXES + 1);
    double x = row[TB_AXES];
#pragma unroll
    for (int e = 0; e < TB_AXES; e++) x = x + row[e] * (double)index[e];
    return TB_SPLINE < 2 ? x : x + p.margin; /* lines have no margin */
}

TB_FN void tb_near_of(const tb_params &p, int d, const tb_offset *index, tb_near &near)
{
    tb_offset stride = 1;
    for (int e = d + 1; e < TB_AXES; e++) stride *= (tb_offset)p.sides[e];
    tb_look(tb_coordinate(p, d, index), (tb_offset)p.sides[d], stride, near);
}

/* ---- tiles inside the image -------------------------------------------------------------------------------------- */

#if !TB_DIAGONAL
/* The sum over the axes from D on, of elements that lie regularly behind the first one. */
template <int D> struct tb_regular {
    static __device__ __forceinline__ double of(const tb_number *at, const tb_offset *stride,
                                                const double (*weight)[TB_TAPS])
    {
        double sum = 0;
#pragma unroll(TB_AXES - D > (TB_TAPS > 4 ? 2 : 3) ? 1 : TB_TAPS)
        for (int k = 0; k < TB_TAPS; k++) {
            const tb_offset step = D == TB_AXES - 1 ? k : k * stride[D];
            const double x = tb_regular<D + 1>::of(at + step, stride, weight);
            sum = k ? tb_more(sum, x, weight[D][k]) : x * weight[D][k];
        }
        return sum;
    }
};
template <> struct tb_regular<TB_AXES> {
    static __device__ __forceinline__ double of(const tb_number *at, const tb_offset *, const double (*)[TB_TAPS])
    {
        return (double)*at;
    }
};

/* Whether none of a tile's points, nor any element around one, is beyond an edge. */
TB_FN bool tb_is_inside(const tb_params &p, const tb_offset *first)
{
    bool inside = true;
    for (int d = 0; d < TB_AXES; d++) {
        const double x = tb_coordinate(p, d, first);
        inside = inside && x >= p.least[d] && x <= p.most[d];
    }
    return inside;
}

TB_FN double tb_point_inside(const tb_params &p, const tb_number *image, const tb_offset *stride, const double *index)
{
    double weight[TB_AXES][TB_TAPS];
    tb_offset place = 0;
#pragma unroll
    for (int d = 0; d < TB_AXES; d++) {
        double t;
        const tb_offset first = tb_split(tb_coordinate(p, d, index), t) - TB_SPLINE / 2;
        place += d == TB_AXES - 1 ? first : first * stride[d];
#pragma unroll
        for (int k = 0; k < TB_TAPS; k++) weight[d][k] = tb_spline(t, k);
    }
    return tb_regular<0>::of(image + place, stride, weight);
}

enum { TB_TOGETHER = TB_TAPS > 2 || TB_AXES > 3 ? 1 : 4 }; /* points that wait for memory once */

/* The points of a thread, below one another. */
TB_FN void tb_tile_inside(const tb_params &p, const tb_number *image, tb_result *out, const tb_offset *first)
{
    const int above = TB_AXES - (TB_FLAT ? 1 : 2);
    const tb_offset columns = (tb_offset)p.shape[TB_AXES - 1], rows = (tb_offset)p.shape[above];
    tb_offset stride[TB_AXES], step = 1;
    double index[TB_AXES];
    if (first[TB_AXES - 1] >= columns) return;
#pragma unroll
    for (int d = TB_AXES - 1; d >= 0; d--) {
        stride[d] = step;
        step *= (tb_offset)p.sides[d];
        index[d] = (double)first[d];
    }
    double row = index[above];
    out += (tb_i64)first[above] * columns + first[TB_AXES - 1];
    tb_offset left = rows - first[above], passes = (tb_offset)p.height / TB_ROWS;
#pragma unroll 1
    for (; passes > 0 && left > 0; passes -= TB_TOGETHER) {
        double x[TB_TOGETHER];
#pragma unroll
        for (int k = 0; k < TB_TOGETHER; k++) {
            index[above] = row + k * TB_ROWS; /* whole numbers: no conversion, no error */
            x[k] = tb_point_inside(p, image, stride, index);
        }
#pragma unroll
        for (int k = 0; k < TB_TOGETHER; k++, out += (tb_i64)TB_ROWS * columns)
            if (left > k * TB_ROWS) *out = (tb_result)x[k];
        row += TB_TOGETHER * TB_ROWS;
        left -= TB_TOGETHER * TB_ROWS;
    }
}
#endif

/* ---- any tile ---------------------------------------------------------------------------------------------------- */

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_offset columns = (tb_offset)p.shape[TB_AXES - 1],
                    rows = TB_FLAT ? 1 : (tb_offset)p.shape[TB_AXES - (TB_FLAT ? 1 : 2)];
    const tb_offset width = TB_FLAT ? TB_THREADS * TB_PASSES : TB_WIDTH, height = TB_FLAT ? 1 : (tb_offset)p.height;
    const tb_index across = (tb_index)p.across, down = (tb_index)p.down;
    const int lane = (int)threadIdx.x % TB_WIDTH, warp = (int)threadIdx.x / TB_WIDTH;
    tb_offset index[TB_AXES], line = 0, scale = 1;
    const tb_index tiles = blockIdx.x / across, stacks = tiles / down;
    const tb_offset left = (tb_offset)(blockIdx.x - tiles * across) * width;
    const tb_offset top = (tb_offset)(tiles - stacks * down) * height;
    tb_offset block = (tb_offset)stacks;
    for (int d = TB_AXES - 3; d >= 0; d--) {
        index[d] = block % (tb_offset)p.shape[d];
        block /= (tb_offset)p.shape[d];
        line += index[d] * scale;
        scale *= (tb_offset)p.shape[d];
    }
    const tb_number *image = p.image + (tb_i64)block * p.elements;
    tb_result *out = p.out + (tb_i64)block * p.points + (tb_i64)line * rows * columns;
    tb_near near[TB_AXES];
#if TB_DIAGONAL
    __shared__ tb_near of_row[TB_FLAT ? 1 : TB_MOST_ROWS];
    if (!TB_FLAT) {
        if ((tb_offset)threadIdx.x < height) {
            index[TB_FLAT ? 0 : TB_AXES - 2] = top + (tb_offset)threadIdx.x;
            tb_near_of(p, TB_FLAT ? 0 : TB_AXES - 2, index, of_row[threadIdx.x]);
        }
        index[TB_AXES - 1] = left + lane;
        tb_near_of(p, TB_AXES - 1, index, near[TB_AXES - 1]);
        for (int d = 0; d < TB_AXES - 2; d++) tb_near_of(p, d, index, near[d]);
        __syncthreads();
    }
#else
    index[TB_AXES - 1] = left;
    index[TB_AXES - (TB_FLAT ? 1 : 2)] = TB_FLAT ? left : top;
    if (!TB_FLAT && tb_is_inside(p, index)) {
        index[TB_AXES - 1] = left + lane;
        index[TB_AXES - (TB_FLAT ? 1 : 2)] = top + warp;
        tb_tile_inside(p, image, out, index);
        return;
    }
#endif
    const int passes = TB_FLAT ? TB_PASSES : (int)height / TB_ROWS;
#pragma unroll 1
    for (int pass = 0; pass < passes; pass++) {
        const tb_offset column = TB_FLAT ? left + (tb_offset)threadIdx.x + pass * TB_THREADS : left + lane;
        const int below = warp + pass * TB_ROWS;
        const tb_offset row = TB_FLAT ? 0 : top + below;
        if (column >= columns || row >= rows) continue;
        bool inside = true;
        index[TB_AXES - 1] = column;
        if (!TB_FLAT) index[TB_FLAT ? 0 : TB_AXES - 2] = row;
#if TB_DIAGONAL
        if (TB_FLAT) tb_near_of(p, 0, index, near[0]);
        else near[TB_FLAT ? 0 : TB_AXES - 2] = of_row[below];
#else
#pragma unroll
        for (int d = 0; d < TB_AXES; d++) tb_near_of(p, d, index, near[d]);
#endif
#pragma unroll
        for (int d = 0; d < TB_AXES; d++) inside = inside && near[d].inside;
        out[(tb_i64)row * columns + column] = (tb_result)(inside ? tb_total<0>::of(p, image, near, 0) : p.cval);
    }
}
