/* window_walk.h - WINDOW_SUM, WINDOW_MIRRORED, WINDOW_MEAN, WINDOW_LEAST, WINDOW_GREATEST: what is made of windows by
 * going through their places in order. A thread keeps the TB_EACH elements in registers that its results meet at one
 * place, of which the next place needs one more. */

/* An array of the elements at one place; the element of result i is in slot (i + turned) % TB_EACH. */
struct tb_ring {
    tb_work at[TB_EACH];
};

TB_FN tb_work tb_at(const tb_work *line, int position) { return line[tb_skewed(position)]; }

TB_FN void tb_ring_load(tb_ring *ring, const tb_work *line, int position)
{
#pragma unroll
    for (int i = 0; i < TB_EACH; i++) ring->at[i] = tb_at(line, position + i);
}

#if TB_SUMS && !TB_PAIRS
/* `count` places from `position` on, each with a weight. */
TB_FN void tb_walk(const tb_work *line, int position, int count, const double *weights, tb_work *sum)
{
    tb_ring ring;
    tb_ring_load(&ring, line, position);
    for (int j = 0; j < count; j += TB_EACH)
#pragma unroll
        for (int u = 0; u < TB_EACH; u++) {
            if (j + u >= count) return;
            const tb_work weight = tb_weight(weights, j + u);
#pragma unroll
            for (int i = 0; i < TB_EACH; i++) sum[i] = tb_add(sum[i], tb_times(ring.at[(u + i) % TB_EACH], weight));
            ring.at[u] = tb_at(line, position + j + u + TB_EACH);
        }
}

#elif TB_SUMS
/* The same where weights are those from behind, or these with the other sign (TB_PAIRS is -1): the middle first, then
 * pairs from the ends on. */
TB_FN void tb_walk(const tb_work *line, int position, int count, const double *weights, tb_work *sum)
{
    const int middle = count / 2;
    tb_ring left, right;
    tb_ring_load(&left, line, position + middle);
    tb_work weight = tb_weight(weights, middle);
#pragma unroll
    for (int i = 0; i < TB_EACH; i++) sum[i] = tb_times(left.at[i], weight);
    tb_ring_load(&left, line, position);
    tb_ring_load(&right, line, position + count - 1);
    for (int j = 0; j < middle; j += TB_EACH)
#pragma unroll
        for (int u = 0; u < TB_EACH; u++) {
            if (j + u >= middle) return;
            weight = tb_weight(weights, j + u);
#pragma unroll
            for (int i = 0; i < TB_EACH; i++) {
                const tb_work far = right.at[(i + TB_EACH - u) % TB_EACH];
                const tb_work both = tb_add(left.at[(u + i) % TB_EACH], TB_PAIRS < 0 ? tb_minus_of(far) : far);
                sum[i] = tb_add(sum[i], tb_times(both, weight));
            }
            left.at[u] = tb_at(line, position + j + u + TB_EACH);
            right.at[TB_EACH - 1 - u] = tb_at(line, position + count - 2 - j - u);
        }
}
#else
/* All of `count` places from `position` on. Of many, results share what all of them have. */
TB_FN void tb_fold_run(const tb_work *line, int position, int count, tb_work *result)
{
    tb_ring before, behind;
    tb_ring_load(&before, line, position);
    if (count < TB_EACH) {
#pragma unroll
        for (int i = 0; i < TB_EACH; i++) result[i] = before.at[i];
        tb_ring_load(&behind, line, position + TB_EACH);
#pragma unroll
        for (int j = 1; j < TB_EACH; j++) {
            if (j >= count) return;
#pragma unroll
            for (int i = 0; i < TB_EACH; i++)
                result[i] = tb_join(result[i], i + j < TB_EACH ? before.at[i + j] : behind.at[i + j - TB_EACH]);
        }
        return;
    }
    tb_ring_load(&behind, line, position + count);
    tb_work all = before.at[TB_EACH - 1];
    for (int j = TB_EACH; j < count; j++) all = tb_join(all, tb_at(line, position + j));
    tb_work tail = all;
    result[TB_EACH - 1] = all;
#pragma unroll
    for (int i = TB_EACH - 2; i >= 0; i--) { /* what goes before */
        tail = tb_join(before.at[i], tail);
        result[i] = tail;
    }
    tail = behind.at[0];
#pragma unroll
    for (int i = 1; i < TB_EACH; i++) { /* and behind */
        result[i] = tb_join(result[i], tail);
        if (i + 1 < TB_EACH) tail = tb_join(tail, behind.at[i]);
    }
}

/* With what windows have so far. */
TB_FN void tb_fold_places(const tb_work *line, int position, int count, const double *weights, bool first,
                          tb_work *result)
{
    for (int j = 0; j < count; j++)
#pragma unroll
        for (int i = 0; i < TB_EACH; i++) {
            const tb_work x = TB_ADDED(tb_at(line, position + j + i), weights[j]);
            result[i] = first && j == 0 ? x : tb_join(result[i], x);
        }
}
#endif

extern "C" __global__ void __launch_bounds__(TB_THREADS, TB_BLOCKS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_work tile[TB_ROOM];
    tb_wait();
    const tb_tile_place at = tb_block_place(p);
    const bool beside = TB_ACROSS || TB_LINES == 32; /* lines are threads' that are neighbours, else groups */
    const int line = beside ? (int)threadIdx.x % TB_LINES : (int)threadIdx.x / TB_GROUPS;
    const int from = (beside ? (int)threadIdx.x / TB_LINES : (int)threadIdx.x % TB_GROUPS) * TB_EACH;
    const double *weights = tb_weights(p);
    const tb_i32 *table = tb_table(p);
    tb_work result[TB_EACH] = {};
    for (int plane = 0; plane < p.planes; plane++) {
        const int runs = table[0];
        if (plane > 0) __syncthreads();
        tb_load_plane(p, at, table + 1, tile);
        __syncthreads();
        table += 2 + p.batches;
        for (int i = 0; i < runs; i++, table += 3) {
            const tb_work *const lines = tile + (line + table[0]) * p.pitch;
            const int position = from + table[1], count = table[2];
#if TB_SUMS
            tb_walk(lines, position, count, weights, result);
            weights += TB_PARTS * count;
#else
            if (p.runs == 1 && !p.nweight) tb_fold_run(lines, position, count, result);
            else tb_fold_places(lines, position, count, weights, plane == 0 && i == 0, result);
            weights += count;
#endif
        }
    }
    const tb_results to = tb_block_results(p, at);
#pragma unroll
    for (int i = 0; i < TB_EACH; i++) result[i] = tb_finish(result[i], p.count);
#if TB_ACROSS
    char *const y = to.y + from * p.sy[TB_WALK] + line * p.sy[TB_LANE];
#pragma unroll
    for (int i = 0; i < TB_EACH; i++)
        if (from + i < to.positions && line < to.lines) *(tb_out *)(y + i * p.sy[TB_WALK]) = tb_result(result[i]);
#else
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TB_EACH; i++) tile[line * p.pitch + tb_skewed(from + i)] = result[i];
    __syncthreads();
    const int first = (int)threadIdx.x / TB_SPAN, place = (int)threadIdx.x % TB_SPAN;
    const tb_work *const made = tile + first * p.pitch + tb_skewed(place);
    char *const y = to.y + place * p.sy[TB_WALK] + first * p.sy[TB_LANE];
#pragma unroll
    for (int u = 0; u < TB_EACH; u++) { /* a thread's places are THREADS apart, which is whole lines or a part of one */
        const int down = u * TB_THREADS / TB_SPAN, along = u * TB_THREADS % TB_SPAN;
        if (place + along < to.positions && first + down < to.lines)
            *(tb_out *)(y + down * p.sy[TB_LANE] + along * p.sy[TB_WALK]) =
                tb_result(made[down * p.pitch + tb_skewed(along)]);
    }
#endif
}
