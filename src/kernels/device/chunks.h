/* chunks.h - what kernels that go through chunks in order share. */

/* Elements of chunk c that exist. */
TB_FN int tb_left(tb_idx size, tb_idx c)
{
    const tb_idx from = c * TB_V;
    return from >= size ? 0 : size - from < TB_V ? (int)(size - from) : TB_V;
}
