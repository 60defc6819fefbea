/* sort_convert.h - elements to keys and back, for sort_loops.c. A float's bits without the sign are in the order of its
 * magnitude; those of negative ones are turned over. */

#define FLIP_32(b) ((b) ^ (((b) >> 31) & INT32_MAX))
#define FLIP_64(b) ((b) ^ (((b) >> 63) & INT64_MAX))

#define LOOP(T, K, e)                                    \
    for (int64_t i = 0; i < n; i++) {                    \
        T x;                                             \
        memcpy(&x, (const T *)in + i, sizeof x);         \
        key[i] = (K)(e);                                 \
    }                                                    \
    break

/* b: the bits with their sign extended, of which inf are those of infinity. */
static inline int32_t float_key_32(int32_t b, int32_t inf, bool ties)
{
    if ((b & INT32_MAX) > inf) return INT32_MAX;
    return ties && b == INT32_MIN ? 0 : FLIP_32(b);
}

static inline int64_t float_key_64(int64_t b, bool ties)
{
    if ((b & INT64_MAX) > 0x7ff0000000000000) return INT64_MAX;
    return ties && b == INT64_MIN ? 0 : FLIP_64(b);
}

static void keys_32(tb_dtype t, const void *in, int64_t n, bool ties, int32_t *key)
{
    switch (t) {
    case TB_BOOL:
    case TB_U8: LOOP(uint8_t, int32_t, x);
    case TB_I8: LOOP(int8_t, int32_t, x);
    case TB_U16: LOOP(uint16_t, int32_t, x);
    case TB_I16: LOOP(int16_t, int32_t, x);
    case TB_F16: LOOP(int16_t, int32_t, float_key_32((int32_t)((uint32_t)(uint16_t)x << 16), 0x7c000000, ties));
    case TB_BF16: LOOP(int16_t, int32_t, float_key_32((int32_t)((uint32_t)(uint16_t)x << 16), 0x7f800000, ties));
    case TB_U32: LOOP(uint32_t, int32_t, x ^ 0x80000000u);
    case TB_F32: LOOP(int32_t, int32_t, float_key_32(x, 0x7f800000, ties));
    default:
        if (key != in) memcpy(key, in, (size_t)n * sizeof *key);
    }
}

static void keys_64(tb_dtype t, const void *in, int64_t n, bool ties, int64_t *key)
{
    switch (t) {
    case TB_U64: LOOP(uint64_t, int64_t, x ^ 0x8000000000000000u);
    case TB_F64: LOOP(int64_t, int64_t, float_key_64(x, ties));
    default:
        if (key != in) memcpy(key, in, (size_t)n * sizeof *key);
    }
}

static bool plain_32(const void *in, int64_t n)
{
    int32_t odd = 0;
    for (int64_t i = 0; i < n; i++) {
        int32_t b;
        memcpy(&b, (const int32_t *)in + i, sizeof b);
        const int32_t magnitude = b & INT32_MAX;
        odd |= (magnitude > 0x7f800000) | ((magnitude < 0x00800000) & (b != 0));
    }
    return !odd;
}

static bool plain_64(const void *in, int64_t n)
{
    int64_t odd = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t b;
        memcpy(&b, (const int64_t *)in + i, sizeof b);
        const int64_t magnitude = b & INT64_MAX;
        odd |= (int64_t)(magnitude > 0x7ff0000000000000) | ((magnitude < 0x0010000000000000) & (b != 0));
    }
    return !odd;
}

#undef LOOP
#define LOOP(T, e)                                    \
    for (int64_t i = 0; i < n; i++) {                 \
        const T x = (T)(e);                           \
        memcpy((T *)out + i, &x, sizeof x);           \
    }                                                 \
    break

static void elements_32(tb_dtype t, const int32_t *key, int64_t n, void *out)
{
    switch (t) {
    case TB_BOOL:
    case TB_U8:
    case TB_I8: LOOP(uint8_t, key[i]);
    case TB_U16:
    case TB_I16: LOOP(uint16_t, key[i]);
    case TB_F16: LOOP(uint16_t, key[i] == INT32_MAX ? 0x7e00 : (uint32_t)FLIP_32(key[i]) >> 16);
    case TB_BF16: LOOP(uint16_t, key[i] == INT32_MAX ? 0x7fc0 : (uint32_t)FLIP_32(key[i]) >> 16);
    case TB_U32: LOOP(uint32_t, (uint32_t)key[i] ^ 0x80000000u);
    case TB_F32: LOOP(int32_t, key[i] == INT32_MAX ? 0x7fc00000 : FLIP_32(key[i]));
    default:
        if (out != key) memcpy(out, key, (size_t)n * sizeof *key);
    }
}

static void elements_64(tb_dtype t, const int64_t *key, int64_t n, void *out)
{
    switch (t) {
    case TB_U64: LOOP(uint64_t, (uint64_t)key[i] ^ 0x8000000000000000u);
    case TB_F64: LOOP(int64_t, key[i] == INT64_MAX ? 0x7ff8000000000000 : FLIP_64(key[i]));
    default:
        if (out != key) memcpy(out, key, (size_t)n * sizeof *key);
    }
}

#undef LOOP
#undef FLIP_32
#undef FLIP_64
