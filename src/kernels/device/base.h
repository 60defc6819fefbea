/* base.h - src/kernels/device is the kernels that generated sources are completed with. Here what each starts from,
 * after types.h: vectors, and in device/narrow.h or device/wide.h the arithmetic of indices. Device only.
 *
 * A generated source goes on with (codegen/source_values.c, codegen/source_access.c)
 *   TB_V, TB_U            elements of a chunk, chunks a thread has in flight
 *   TB_STAGED             whether operands go through shared memory: device/stage.h
 *   TB_PICKS              SCAN: whether what is stored is picked by what is counted: device/pick.h
 *   TB_FAN_IN, TB_NARROW     SCAN: parts of a line whose posts are put together, device/chain.h; whether rows are
 *                         narrow, device/scan_strip.h
 *   TB_PLAIN              REDUCE: whether there is one block a row, so that nobody's part has to be waited for
 *   tb_params             the kernel's argument
 *   tb_at                 where a chunk is: its number or its offsets in every operand
 *   tb_row(p, n)          the n-th chunk of set A          tb_along(p, at, n)   from there, the n-th chunk of set B
 *   tb_chunk, tb_fetch(p, at, x)                            what the loads of a chunk give
 *   tb_fetch_some(p, at, n, x)                              the same for the first n < TB_V elements; zeros follow
 *   tb_scalars, tb_take_scalars(p)                          MAP: the scalar operands
 *   tb_compute(scalars, at, x, y)                           MAP: all results of a chunk
 *   tb_compute(scalars, at[], x[], y[])                     MAP: those of all chunks of a thread; device/draws.h
 *   tb_compute(p, at, x, j)                                 REDUCE, SCAN: the value of element j
 *   tb_result, tb_put(p, at, y), tb_put_some(p, at, n, y)   MAP, SCAN: stores a chunk
 *   tb_put(p, at, j, value)                                 REDUCE: stores one element
 *   tb_acc, tb_init, tb_step, tb_merge, tb_final            REDUCE, SCAN: the accumulator; tb_final(s, p) its result
 *   tb_items, tb_keep(items, j, value), tb_kept(items, j)   device/scan_packed.h: a chunk's values as in memory
 *   tb_leave(at, value), tb_left(p, at)                     device/scan_places.h: a value, for a while
 * and ends with the kernel, one of the other files of the folder. */

/* Has x in a register from here on, as the compiler does not know that grids have no third dimension. */
template <class T> TB_FN void tb_hold(T &) {}
TB_FN void tb_hold(float &x)
{
    tb_u32 bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= blockIdx.z;
    memcpy(&x, &bits, sizeof bits);
}

template <class T, int N> struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) tb_vec {
    T v[N];
};

/* For complex numbers that are not aligned as a whole. */
template <class T, int N> struct tb_bare {
    T v[N];
};
