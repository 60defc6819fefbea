/* chain.h - SCAN in one pass over memory, where blocks share a line of elements: each takes one tile, and finds
 * out what lies before it from what other blocks have posted in the workspace. After Merrill and Garland, "Single-pass
 * Parallel Prefix Scan with Decoupled Look-back" (NVIDIA, 2016), but in an order that does not depend on timing: the
 * posts of a line form a tree. TB_FAN_IN tiles are a group, TB_FAN_IN groups a section. What lies before a tile is
 *   what lies before a section    posted by the last tile of the section before
 *   groups of that section        posted by the last tile of each
 *   tiles                         of its own group, and of the one before, whose post comes later.
 *
 * Block b works on tile b / lines of line b % lines ("line": a row; a strip of neighbouring columns). It waits for
 * blocks of lower numbers only. GPUs start these first; CUDA does not promise it. A post is `width` accumulators,
 * for as many neighbouring lines. Each word of it carries a mark, and both are written and read in one access:
 * nothing needs a fence. The workspace is zero when the kernel starts. */

#define TB_NOTHING 0xffffffffu

struct tb_chain {
    tb_idx line, tile, tiles, groups, sections;
};

TB_FN tb_chain tb_my_chain(const tb_params &p, tb_idx lines)
{
    tb_chain c;
    c.tiles = (tb_idx)p.parts;
    c.groups = (c.tiles + (TB_FAN_IN - 1)) / TB_FAN_IN;
    c.sections = (c.groups + (TB_FAN_IN - 1)) / TB_FAN_IN;
    c.tile = blockIdx.x / lines;
    c.line = blockIdx.x - c.tile * lines;
    return c;
}

/* Numbers of posts: of a tile, of a group, and of what lies before a section. */
TB_FN tb_idx tb_post_tile(const tb_chain &c, tb_idx k) { return c.line * (c.tiles + c.groups + c.sections) + k; }
TB_FN tb_idx tb_post_group(const tb_chain &c, tb_idx k) { return tb_post_tile(c, c.tiles + k); }
TB_FN tb_idx tb_post_section(const tb_chain &c, tb_idx k) { return tb_post_tile(c, c.tiles + c.groups + k); }

/* `k` counts accumulators: fewer than 2^32 for what fits a GPU's memory. */
TB_FN void tb_post(const tb_params &p, tb_u32 k, tb_acc s)
{
    tb_u32 w[TB_ACC_WORDS] = {0};
    memcpy(w, &s, sizeof s);
    volatile tb_u64 *to = (volatile tb_u64 *)p.workspace + (size_t)k * TB_ACC_WORDS;
#pragma unroll
    for (int i = 0; i < TB_ACC_WORDS; i++) to[i] = (tb_u64)w[i] << 32 | 1;
}

/* Some time between two looks at what is not there yet: those who wait share the caches with those who work. */
TB_FN void tb_pause()
{
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 700
    __nanosleep(200);
#endif
}

/* Accumulators k[0], k[1], ... of the workspace, once they are posted: all of them are asked for in one trip to memory.
 * Of TB_NOTHING it is the initial one. */
template <int N> TB_FN void tb_await(const tb_params &p, const tb_u32 *k, tb_acc *s)
{
    tb_u64 x[N][TB_ACC_WORDS];
    const volatile tb_u64 *from = (const volatile tb_u64 *)p.workspace;
    for (bool there = false; !there;) {
        there = true;
#pragma unroll
        for (int n = 0; n < N; n++) {
#pragma unroll
            for (int i = 0; i < TB_ACC_WORDS; i++)
                x[n][i] = k[n] == TB_NOTHING ? 1 : from[(size_t)k[n] * TB_ACC_WORDS + i];
        }
#pragma unroll
        for (int n = 0; n < N; n++) {
#pragma unroll
            for (int i = 0; i < TB_ACC_WORDS; i++) there &= x[n][i] != 0;
        }
        if (!there) tb_pause();
    }
#pragma unroll
    for (int n = 0; n < N; n++) {
        tb_u32 w[TB_ACC_WORDS];
#pragma unroll
        for (int i = 0; i < TB_ACC_WORDS; i++) w[i] = (tb_u32)(x[n][i] >> 32);
        if (k[n] == TB_NOTHING) s[n] = tb_init();
        else memcpy(&s[n], w, sizeof s[n]);
    }
}

/* The posts that tell what lies before a block's tile, and the number of the m-th: tiles last, the group's own behind
 * those of the group before it. Groups are small where posts are much beside a tile: then that group's own is read. */
TB_FN tb_idx tb_tiles_before(const tb_chain &c) { return c.tile % TB_FAN_IN; }
TB_FN tb_idx tb_groups_before(const tb_chain &c)
{
    const tb_idx group = c.tile / TB_FAN_IN, near = TB_FAN_IN >= 32;
    return group < near ? 0 : group - near;
}

TB_FN tb_idx tb_posts_before(const tb_chain &c)
{
    const tb_idx groups = tb_groups_before(c);
    return (groups / TB_FAN_IN > 0) + groups % TB_FAN_IN + (c.tile - groups * TB_FAN_IN);
}

TB_FN tb_idx tb_post_before(const tb_chain &c, tb_idx m)
{
    const tb_idx all = tb_groups_before(c), section = all / TB_FAN_IN, groups = all % TB_FAN_IN;
    if (section > 0 && m-- == 0) return tb_post_section(c, section);
    return m < groups ? tb_post_group(c, section * TB_FAN_IN + m) : tb_post_tile(c, all * TB_FAN_IN + m - groups);
}

/* Whether tile k is the last of a group that somebody asks about, of a section. */
TB_FN bool tb_ends_group(const tb_chain &c) { return (c.tile + 1) % TB_FAN_IN == 0; }
TB_FN bool tb_ends_section(const tb_chain &c)
{
    return (c.tile + 1) % (TB_FAN_IN * TB_FAN_IN) == 0 && c.tile + 1 < c.tiles;
}
TB_FN tb_idx tb_next_section(const tb_chain &c) { return c.tile / (TB_FAN_IN * TB_FAN_IN) + 1; }
