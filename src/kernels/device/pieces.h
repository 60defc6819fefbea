/* pieces.h - PIECES: functions in pieces at points (kernels/pieces.h), a result a thread.
 *
 * Breakpoints, `stride` apart where there is no room for all, are in a block's shared memory, with the number of those
 * in buckets of equal width before each bucket. The bucket of a value does not fall as the value rises, so the place of
 * a value is within its bucket, among few breakpoints where these are about as far from one another: one or two words
 * are looked at, and with clusters as many as a binary search needs. */

struct tb_params {
    const double *x, *c, *points;
    double *out;
    tb_u64 count, stride, n, each; /* breakpoints; results; results of a point */
    tb_u64 first, last, pieces;
    tb_u32 samples, buckets; /* in shared memory */
    tb_i32 orders, nu, parts, outside;
};

enum { TB_SAMPLES = 2048, TB_BUCKETS = 2048 };

struct tb_places {
    double sample[TB_SAMPLES];
    unsigned short begin[TB_BUCKETS + 1]; /* samples in the buckets before one */
};

/* Descending breakpoints are ascending ones with the other sign. */
struct tb_scale {
    double sign, origin, rise;
    tb_u32 samples, buckets;
};

TB_FN tb_u32 tb_bucket(const tb_scale &scale, double v)
{
    const double b = (v - scale.origin) * scale.rise;
    return b >= (double)(scale.buckets - 1) ? scale.buckets - 1 : b > 0 ? (tb_u32)b : 0;
}

/* Needs a barrier before it and leaves with one. */
TB_FN void tb_plant(const tb_params &p, const tb_scale &scale, tb_places &places)
{
    for (tb_u32 i = threadIdx.x; i < scale.samples; i += TB_THREADS) places.sample[i] = scale.sign * p.x[i * p.stride];
    __syncthreads();
    for (tb_u32 i = threadIdx.x; i <= scale.samples; i += TB_THREADS) {
        const tb_u32 from = i ? tb_bucket(scale, places.sample[i - 1]) + 1 : 0;
        const tb_u32 to = i < scale.samples ? tb_bucket(scale, places.sample[i]) : scale.buckets;
        for (tb_u32 b = from; b <= to; b++) places.begin[b] = (unsigned short)i;
    }
    __syncthreads();
}

/* Lines take a value at a breakpoint from the piece before it. */
TB_FN bool tb_goes_on(double breakpoint, double v) { return TB_FORM == TB_LINES ? breakpoint < v : breakpoint <= v; }

/* The piece of a value: breakpoints that are not in order give another one of those there are. */
TB_FN tb_u64 tb_piece(const tb_params &p, const tb_scale &scale, const tb_places &places, double v)
{
    v *= scale.sign;
    const tb_u32 b = tb_bucket(scale, v);
    tb_u32 from = places.begin[b], end = places.begin[b + 1];
    end = end < scale.samples ? end : scale.samples;
    while (from < end) {
        const tb_u32 middle = (from + end) / 2;
        if (tb_goes_on(places.sample[middle], v)) from = middle + 1;
        else end = middle;
    }
    tb_u64 passed = from < scale.samples ? from : scale.samples;
    if (p.stride > 1 && passed > 0) {
        tb_u64 to = passed * p.stride;
        passed = (passed - 1) * p.stride + 1;
        to = to < p.count ? to : p.count;
        while (passed < to) {
            const tb_u64 middle = (passed + to) / 2;
            if (tb_goes_on(scale.sign * p.x[middle], v)) passed = middle + 1;
            else to = middle;
        }
    }
    const tb_u64 before = passed ? passed - 1 : 0;
    return before < p.first ? p.first : before > p.last ? p.last : before;
}

TB_FN double tb_value(const tb_params &p, tb_u64 piece, tb_u64 part, double x)
{
    if (TB_FORM == TB_POWERS)
        return tb_power_value(p.c + piece * p.each + part, (tb_i64)(p.pieces * p.each),
                              TB_ORDERS ? TB_ORDERS : p.orders, p.nu, x - p.x[piece]);
    if (TB_FORM == TB_LINES) {
        const double x0 = p.x[piece], y0 = p.c[piece * p.each + part];
        return (p.c[(piece + 1) * p.each + part] - y0) / (p.x[piece + 1] - x0) * (x - x0) + y0;
    }
    double d[TB_ORDERS ? TB_ORDERS : 1];
    return p.nu >= TB_ORDERS
               ? 0
               : tb_spline_value(p.x, (tb_i64)piece, p.c + part, (tb_i64)p.each, TB_ORDERS - 1, p.nu, x, d);
}

/* The coefficients of a spline's powers: derivatives where pieces begin. */
TB_FN void tb_convert(const tb_params &p)
{
    const tb_u64 row = p.pieces * p.each, all = TB_ORDERS * row;
    for (tb_u64 i = (tb_u64)blockIdx.x * TB_THREADS + threadIdx.x; i < all; i += (tb_u64)gridDim.x * TB_THREADS) {
        const tb_u64 order = i / row, piece = i % row / p.each + p.first;
        const int nu = TB_ORDERS - 1 - (int)order;
        double d[TB_ORDERS ? TB_ORDERS : 1], factorial = 1;
        for (int k = 2; k <= nu; k++) factorial *= k;
        p.out[i] =
            tb_spline_value(p.x, (tb_i64)piece, p.c + i % p.each, (tb_i64)p.each, TB_ORDERS - 1, nu, p.x[piece], d) /
            factorial;
    }
}

TB_FN void tb_evaluate(const tb_params &p, const tb_scale &scale, const tb_places &places)
{
    const double begin = p.x[p.first], end = p.x[p.last + 1];
    const double least = begin < end ? begin : end, most = begin < end ? end : begin;
    for (tb_u64 i = (tb_u64)blockIdx.x * TB_THREADS + threadIdx.x; i < p.n; i += (tb_u64)gridDim.x * TB_THREADS) {
        const tb_u64 point = p.each == 1 ? i : i / p.each, part = i - point * p.each;
        double x = p.points[point];
        if (p.outside == TB_REPEATS) x = tb_repeated(x, begin, end);
        double y = tb_value(p, tb_piece(p, scale, places, x), part, x);
        if (!(x == x) || (p.outside == TB_NAN_OUTSIDE && (x < least || x > most)))
            y = p.parts == 2 && part % 2 ? 0 : __longlong_as_double(0x7ff8000000000000);
        p.out[i] = y;
    }
}

/* Six blocks, but where a multiprocessor has 1,024 threads at most. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ == 750
enum { TB_RESIDENT = 4 };
#else
enum { TB_RESIDENT = 6 };
#endif

extern "C" __global__ void __launch_bounds__(TB_THREADS, TB_RESIDENT) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_places places;
    tb_wait();
    if (TB_FORM == TB_SPLINE && !p.points) {
        tb_convert(p);
        return;
    }
    const double sign = p.x[0] > p.x[p.count - 1] ? -1 : 1, origin = sign * p.x[0];
    const tb_scale scale = {sign, origin, p.buckets / (sign * p.x[p.count - 1] - origin), p.samples, p.buckets};
    tb_plant(p, scale, places);
    tb_evaluate(p, scale, places);
}
