/* distances.h - DISTANCES: squared distances to what is zero, along an axis; a step a launch. The last axis, the first
 * one to be looked at, has a bit for each element, and among these no search; along others a thread looks outwards from
 * its element as far as any could be nearer. Squares are tb_square, TB_FAR where nothing is zero; the last pass has
 * distances. */

enum { TB_LANES = 32, TB_ROWS = 8 };

struct tb_params {
    const void *in;
    void *out;
    tb_u32 *words;
    tb_i32 *before, *behind; /* of each word: the last zero up to its end, -1 if there is none; the first one from its
                              * beginning on, n if there is none */
    const tb_i32 *from;
    tb_i32 *places;
    tb_i64 size, lines, n, inner, each; /* words of a line */
    double apart;
    tb_i32 step, others, last;
};

TB_FN void tb_deliver(const tb_params &p, tb_offset at, tb_square square)
{
    if (!p.last) ((tb_square *)p.out)[at] = square < TB_FAR ? square : TB_FAR;
    else if (square < TB_FAR) ((tb_distance *)p.out)[at] = (tb_distance)sqrt((double)square);
    else ((tb_distance *)p.out)[at] = (tb_distance)__longlong_as_double(0x7ff0000000000000ll);
}

/* Where a row is zero: a bit for each element, 32 of them a word. */
TB_FN void tb_find_zeros(const tb_params &p)
{
    const tb_i64 word = ((tb_i64)blockIdx.x * TB_THREADS + threadIdx.x) / TB_LANES, line = word / p.each;
    const int lane = (int)threadIdx.x % TB_LANES;
    const tb_i64 at = word % p.each * TB_LANES + lane;
    const tb_bool *set = (const tb_bool *)p.in;
    const unsigned mask = __ballot_sync(~0u, line < p.lines && at < p.n && !set[line * p.n + at]);
    if (lane == 0 && line < p.lines) p.words[word] = mask;
}

TB_FN void tb_find_before(const tb_params &p, tb_i64 first, int lane)
{
    int last = -1;
    for (int from = 0; from < p.each; from += TB_LANES) {
        const int w = from + lane;
        const unsigned mask = w < p.each ? p.words[first + w] : 0;
        int place = mask ? w * TB_LANES + 31 - __clz((int)mask) : -1;
        for (int apart = 1; apart < TB_LANES; apart *= 2) {
            const int other = __shfl_up_sync(~0u, place, (unsigned)apart);
            place = lane >= apart && other > place ? other : place;
        }
        place = place > last ? place : last;
        if (w < p.each) p.before[first + w] = place;
        last = __shfl_sync(~0u, place, 31);
    }
}

TB_FN void tb_find_behind(const tb_params &p, tb_i64 first, int lane)
{
    int next = (int)p.n;
    for (int from = ((int)p.each - 1) / TB_LANES * TB_LANES; from >= 0; from -= TB_LANES) {
        const int w = from + lane;
        const unsigned mask = w < p.each ? p.words[first + w] : 0;
        int place = mask ? w * TB_LANES + __ffs((int)mask) - 1 : (int)p.n;
        for (int apart = 1; apart < TB_LANES; apart *= 2) {
            const int other = __shfl_down_sync(~0u, place, (unsigned)apart);
            place = lane + apart < TB_LANES && other < place ? other : place;
        }
        place = place < next ? place : next;
        if (w < p.each) p.behind[first + w] = place;
        next = __shfl_sync(~0u, place, 0);
    }
}

/* A warp has a row. */
TB_FN void tb_find_beside(const tb_params &p)
{
    const tb_i64 line = ((tb_i64)blockIdx.x * TB_THREADS + threadIdx.x) / TB_LANES;
    const int lane = (int)threadIdx.x % TB_LANES;
    if (line >= p.lines) return;
    tb_find_before(p, line * p.each, lane);
    tb_find_behind(p, line * p.each, lane);
}

/* The nearest zero of each element's row; of two as near, the one before. */
TB_FN void tb_along_rows(const tb_params &p)
{
    const tb_offset i = (tb_offset)((tb_i64)blockIdx.x * TB_THREADS + threadIdx.x);
    if ((tb_i64)blockIdx.x * TB_THREADS + threadIdx.x >= p.size) return;
    const int n = (int)p.n, each = (int)p.each;
    const tb_offset line = i / n;
    const int here = (int)(i - line * n), bit = here % TB_LANES;
    const tb_offset w = line * each + here / TB_LANES;
    const unsigned mask = p.words[w], low = mask << (31 - bit), high = mask >> bit;
    const int last = low ? here - __clz((int)low) : here >= TB_LANES ? p.before[w - 1] : -1;
    const int next = high ? here + __ffs((int)high) - 1 : here / TB_LANES + 1 < each ? p.behind[w + 1] : n;
    const bool left = last >= 0 && (next >= n || here - last <= next - here);
    const int found = left ? last : next < n ? next : -1;
    const tb_square apart = (tb_square)(found < here ? here - found : found - here) * (tb_square)p.apart;
    tb_deliver(p, i, found < 0 ? TB_FAR : apart * apart);
    if (p.others >= 0) p.places[i] = found < 0 ? here : found;
}

/* Where the nearest element is along this axis, and what that one's places along the others are. */
TB_FN void tb_put_places(const tb_params &p, tb_offset at, tb_offset place, int found)
{
    p.places[at] = found;
    for (int e = 0; e < p.others; e++) p.places[(e + 1) * p.size + at] = p.from[e * p.size + place];
}

TB_FN void tb_along_columns(const tb_params &p)
{
    const tb_offset across = (tb_offset)((p.inner + TB_LANES - 1) / TB_LANES);
    const tb_offset down = (tb_offset)((p.n + TB_ROWS - 1) / TB_ROWS), block = (tb_offset)blockIdx.x;
    const tb_offset column = block % across * TB_LANES + (int)threadIdx.x % TB_LANES, next = (tb_offset)p.inner;
    const int here = (int)(block / across % down) * TB_ROWS + (int)threadIdx.x / TB_LANES, end = (int)p.n;
    if (column >= next || here >= end) return;
    const tb_offset top = block / across / down * (tb_offset)(p.n * p.inner) + column, at = top + here * next;
    const tb_square *up = (const tb_square *)p.in + at, *down_from = up, step = (tb_square)p.apart;
    tb_square best = *up;
    int found = here;
    for (int k = 1; k <= here || k < end - here; k++) {
        const tb_square apart = (tb_square)k * step * ((tb_square)k * step);
        if (apart > best) break;
        up -= next;
        down_from += next;
        if (k <= here && *up + apart <= best) {
            best = *up + apart;
            found = here - k;
        }
        if (k < end - here && *down_from + apart < best) {
            best = *down_from + apart;
            found = here + k;
        }
    }
    tb_deliver(p, at, best);
    if (p.others >= 0) tb_put_places(p, at, top + found * next, found);
}

/* One kernel has all steps, so that one is compiled. */
extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    switch (p.step) {
    case TB_DISTANCES_ZEROS: tb_find_zeros(p); break;
    case TB_DISTANCES_BESIDE: tb_find_beside(p); break;
    case TB_DISTANCES_ROWS: tb_along_rows(p); break;
    default: tb_along_columns(p);
    }
}
