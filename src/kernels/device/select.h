/* select.h - SELECT: elements of long rows at TB_TARGETS wanted positions, found from the upper digit of keys down
 * (device/sort_key.h). After each pass the digits so far are known of the key at each position. */

struct tb_target {
    tb_key key;   /* as far as it is known; the other digits are 0 */
    tb_u64 left;  /* the position among the elements with these digits */
    tb_u64 equal; /* how many have them */
};

/* How far a row is: which elements still may be at a target. */
enum { TB_ALL, TB_KEEPS /* the pass that comes keeps them */, TB_KEPT };

struct tb_progress {
    tb_u64 kept, filled; /* how many there are; how many have been kept */
    tb_u32 state;
};

/* Whether the digits above `pass` are the same. */
TB_FN bool tb_same_above(const tb_key &a, const tb_key &b, tb_u32 pass)
{
    tb_u32 differs = 0;
#pragma unroll
    for (tb_u32 i = 0; i < TB_WORDS; i++) {
        const tb_u32 digits = TB_PARTS > 1 && i == TB_WORDS - 1 ? 255 : ~0u;
        const tb_u32 above = pass / 4 > i ? 0 : pass / 4 < i ? ~0u : pass % 4 == 3 ? 0 : ~0u << (pass % 4 * 8 + 8);
        differs |= (a.w[i] ^ b.w[i]) & above & digits;
    }
    return differs == 0;
}

/* The first of the targets that target t has these digits in common with: whose counts are t's. */
TB_FN int tb_leader(const tb_target *targets, int t, tb_u32 pass)
{
    int leader = t;
    for (int i = t; i-- > 0;)
        if (tb_same_above(targets[i].key, targets[t].key, pass)) leader = i;
    return leader;
}

/* Class 2 * t + 2 is what is behind target t, and before the next; that of what is equal to it comes before, or, where
 * several targets are equal, takes the place of one that nothing is in. */
TB_FN int tb_class(const tb_target *targets, const tb_key &key)
{
    int n = 0;
#pragma unroll
    for (int t = 0; t < TB_TARGETS; t++)
        n += (int)tb_key_less(targets[t].key, key) + (int)!tb_key_less(key, targets[t].key);
    return n;
}
