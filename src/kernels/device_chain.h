/* device_chain.h - SCAN in one pass over memory, where blocks share a line of elements: each takes one tile, and finds
 * out what lies before it from what other blocks have posted in the workspace. After Merrill and Garland, "Single-pass
 * Parallel Prefix Scan with Decoupled Look-back" (NVIDIA, 2016), but in an order that does not depend on timing: the
 * posts of a line form a tree. 32 tiles are a group, 32 groups a section. What lies before a tile is
 *   what lies before its section    posted by the last tile of the section before
 *   the groups before its own       in the section, posted by the last tile of each
 *   the tiles before it             in the group.
 *
 * Block b works on tile b / lines of line b % lines ("line": a row; a strip of neighbouring columns). It waits for
 * blocks of lower numbers only. GPUs start these first; CUDA does not promise it. A post is `width` accumulators,
 * for as many neighbouring lines. Each word of it carries a mark, and both are written and read in one access:
 * nothing needs a fence. The workspace is zero when the kernel starts. */

enum { TB_FAN = 32 };

struct tb_chain {
    tb_idx line, tile, tiles, groups, sections;
};

TB_FN tb_chain tb_my_chain(const tb_params &p, tb_idx lines)
{
    tb_chain c;
    c.tiles = (tb_idx)p.parts;
    c.groups = (c.tiles + (TB_FAN - 1)) / TB_FAN;
    c.sections = (c.groups + (TB_FAN - 1)) / TB_FAN;
    c.tile = blockIdx.x / lines;
    c.line = blockIdx.x - c.tile * lines;
    return c;
}

/* Numbers of posts: of a tile, of a group, and of what lies before a section. */
TB_FN tb_idx tb_post_tile(const tb_chain &c, tb_idx k) { return c.line * (c.tiles + c.groups + c.sections) + k; }
TB_FN tb_idx tb_post_group(const tb_chain &c, tb_idx k) { return tb_post_tile(c, c.tiles + k); }
TB_FN tb_idx tb_post_section(const tb_chain &c, tb_idx k) { return tb_post_tile(c, c.tiles + c.groups + k); }

/* `k` counts accumulators. */
TB_FN void tb_post(const tb_params &p, size_t k, tb_acc s)
{
    tb_u32 w[TB_ACC_WORDS] = {0};
    memcpy(w, &s, sizeof s);
    volatile tb_u64 *to = (volatile tb_u64 *)p.workspace + k * TB_ACC_WORDS;
#pragma unroll
    for (int i = 0; i < TB_ACC_WORDS; i++) to[i] = (tb_u64)w[i] << 32 | 1;
}

TB_FN tb_acc tb_await(const tb_params &p, size_t k)
{
    tb_u32 w[TB_ACC_WORDS];
    const volatile tb_u64 *from = (const volatile tb_u64 *)p.workspace + k * TB_ACC_WORDS;
#pragma unroll
    for (int i = 0; i < TB_ACC_WORDS; i++) {
        tb_u64 x;
        do x = from[i];
        while (x == 0);
        w[i] = (tb_u32)(x >> 32);
    }
    tb_acc s;
    memcpy(&s, w, sizeof s);
    return s;
}

/* Whether tile k is the last of a group that somebody asks about, of a section. */
TB_FN bool tb_ends_group(const tb_chain &c) { return (c.tile + 1) % TB_FAN == 0; }
TB_FN bool tb_ends_section(const tb_chain &c)
{
    return (c.tile + 1) % (TB_FAN * TB_FAN) == 0 && c.tile + 1 < c.tiles;
}
