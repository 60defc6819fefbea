/* device_left.h - MAP: the end of an array. */

/* Elements of chunk c that exist. */
TB_FN int tb_left(tb_idx size, tb_idx c)
{
    const tb_idx from = c * TB_V;
    return from >= size ? 0 : size - from < TB_V ? (int)(size - from) : TB_V;
}
