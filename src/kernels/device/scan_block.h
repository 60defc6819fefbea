/* scan_block.h - SCAN of long rows: a block goes over its row tile by tile. */

extern "C" __global__ void __launch_bounds__(256, TB_BLOCKS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_idx chunks = tb_chunks(p);
    const tb_at row = tb_row(p, blockIdx.x);
    tb_acc carry = tb_init();
    unsigned turn = 0;
    for (tb_idx from = 0; from < chunks; from += TB_U * blockDim.x, turn ^= 1) {
        tb_tile t;
        const tb_acc total = tb_tile_scan(p, row, from, chunks, turn, t);
        tb_tile_put(p, row, t, carry);
        tb_merge(carry, total);
    }
}
