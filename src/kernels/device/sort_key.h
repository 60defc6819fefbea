/* sort_key.h - SORT: elements as keys, numbers of several words whose digits of 8 bits put them in order: NaN last;
 * complex numbers by their real parts, then by their imaginary ones, those with a NaN behind all others.
 *
 * A sort's source begins with (codegen/sort_source.c)
 *   TB_BITS, tb_part      of a component of an element, and the integer that holds them
 *   TB_PARTS              components of an element
 *   TB_SIGNED, TB_FLOAT   what a component is; TB_INFINITY, TB_NAN: of a floating one
 *   TB_WORDS, TB_PASSES   32-bit words of a key; digits that matter
 *   TB_ORDER              whether positions are wanted, not elements: then zeros of both signs are equal
 *   tb_index              a position in a row, unsigned
 *   TB_THREADS, TB_ITEMS  of a block, and elements that each of its threads has */

struct tb_element {
    tb_part part[TB_PARTS];
};

/* Words of a component, the least first. The last word of a complex number says which of its parts are NaN, and, in
 * bits that no digit has, which are negative zeros: for the order of complex numbers zeros of both signs are equal. */
struct tb_key {
    tb_u32 w[TB_WORDS];
};

TB_FN bool tb_bits_nan(tb_part x) { return TB_FLOAT && (tb_part)(x & (tb_part)~TB_TOP) > TB_INFINITY; }

/* Integers in whose order the numbers are that these bits are, and back. */
TB_FN tb_part tb_bits_key(tb_part x)
{
    if (!TB_FLOAT) return TB_SIGNED ? (tb_part)(x ^ TB_TOP) : x;
    if (tb_bits_nan(x)) return (tb_part)~(tb_part)0;
    if ((TB_ORDER || TB_PARTS > 1) && x == TB_TOP) x = 0;
    return x & TB_TOP ? (tb_part)~x : (tb_part)(x | TB_TOP);
}

TB_FN tb_part tb_key_bits(tb_part k)
{
    if (!TB_FLOAT) return TB_SIGNED ? (tb_part)(k ^ TB_TOP) : k;
    if (k == (tb_part)~(tb_part)0) return TB_NAN;
    return k & TB_TOP ? (tb_part)(k ^ TB_TOP) : (tb_part)~k;
}

TB_FN tb_key tb_key_of(const tb_element &x)
{
    enum { EACH = TB_BITS == 64 ? 2 : 1 };
    tb_key key;
    key.w[TB_WORDS - 1] = 0;
#pragma unroll
    for (int i = 0; i < TB_PARTS; i++) {
        const tb_part part = x.part[TB_PARTS - 1 - i], k = tb_bits_key(part);
#pragma unroll
        for (int n = 0; n < EACH; n++) key.w[i * EACH + n] = (tb_u32)((tb_u64)k >> 32 * n);
        if (TB_PARTS > 1) key.w[TB_WORDS - 1] |= (tb_u32)tb_bits_nan(part) << i | (tb_u32)(part == TB_TOP) << (8 + i);
    }
    return key;
}

TB_FN tb_element tb_element_of(const tb_key &key)
{
    enum { EACH = TB_BITS == 64 ? 2 : 1 };
    tb_element x;
#pragma unroll
    for (int i = 0; i < TB_PARTS; i++) {
        tb_u64 k = 0;
#pragma unroll
        for (int n = 0; n < EACH; n++) k |= (tb_u64)key.w[i * EACH + n] << 32 * n;
        const bool zero = TB_PARTS > 1 && key.w[TB_WORDS - 1] >> (8 + i) & 1;
        x.part[TB_PARTS - 1 - i] = zero ? TB_TOP : tb_key_bits((tb_part)k);
    }
    return x;
}

/* Comes after all elements, or is as good as the last of them. */
TB_FN tb_key tb_key_last()
{
    tb_key key;
#pragma unroll
    for (int i = 0; i < TB_WORDS; i++) key.w[i] = ~0u;
    return key;
}

TB_FN tb_u32 tb_digit(const tb_key &key, tb_u32 pass)
{
    tb_u32 w = key.w[0];
#pragma unroll
    for (tb_u32 i = 1; i < TB_WORDS; i++) {
        const tb_u32 other = key.w[i];
        w = pass / 4 >= i ? other : w;
    }
    return w >> pass % 4 * 8 & 255;
}

TB_FN bool tb_key_less(const tb_key &a, const tb_key &b)
{
    bool less = false;
#pragma unroll
    for (int i = 0; i < TB_WORDS; i++) {
        const tb_u32 mask = TB_PARTS > 1 && i == TB_WORDS - 1 ? 255 : ~0u, x = a.w[i] & mask, y = b.w[i] & mask;
        less = x < y || (x == y && less);
    }
    return less;
}
