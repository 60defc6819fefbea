/* copy.c - strided copies by item size, and filling with one value. */
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "base/half.h"

/* Items move as integers of their size, whatever their type and alignment. */
#define ITEM(T) T __attribute__((aligned(1), may_alias))
typedef struct __attribute__((packed, may_alias)) item16 {
    uint64_t a, b;
} item16;
typedef ITEM(uint8_t) item1;
typedef ITEM(uint16_t) item2;
typedef ITEM(uint32_t) item4;
typedef ITEM(uint64_t) item8;

enum { ABREAST = 8, TILE = 64, STREAM_ROW = 256 };

/* One row of n items from a constant stride: compilers turn the loads into shuffles. */
#define ROW_OF_STRIDE(N, k)                                                             \
    case k * N:                                                                         \
        for (int64_t j = 0; j < n; j++) d[j] = ((const item##N *)src)[k * j];           \
        return;

#define COPY_ITEMS(N)                                                                                                \
    static void row_##N(int64_t n, char *dst, const char *src, int64_t s0)                                           \
    {                                                                                                                \
        item##N *restrict d = (item##N *)dst;                                                                        \
        const item##N first = *(const item##N *)src;                                                                 \
        switch (s0) {                                                                                                \
        case 0:                                                                                                      \
            for (int64_t j = 0; j < n; j++) d[j] = first;                                                            \
            return;                                                                                                  \
            ROW_OF_STRIDE(N, 1)                                                                                      \
            ROW_OF_STRIDE(N, 2)                                                                                      \
            ROW_OF_STRIDE(N, 3)                                                                                      \
            ROW_OF_STRIDE(N, 4)                                                                                      \
            ROW_OF_STRIDE(N, -1)                                                                                     \
        }                                                                                                            \
        for (int64_t j = 0; j < n; j++, src += s0) d[j] = *(const item##N *)src;                                     \
    }                                                                                                                \
    static void copy_##N(int64_t rows, int64_t cols, char *dst, int64_t d1, int64_t d0, const char *src, int64_t s1, \
                         int64_t s0)                                                                                 \
    {                                                                                                                \
        for (int64_t i = 0; i < rows; i++, dst += d1, src += s1) {                                                   \
            char *d = dst;                                                                                           \
            const char *s = src;                                                                                     \
            if (d0 == N) row_##N(cols, d, s, s0);                                                                    \
            else                                                                                                     \
                for (int64_t j = 0; j < cols; j++, s += s0, d += d0) *(item##N *)d = *(const item##N *)s;            \
        }                                                                                                            \
    }                                                                                                                \
    static void strip_##N(int64_t rows, char *dst, int64_t d1, int64_t d0, const char *src, int64_t s1, int64_t s0)  \
    {                                                                                                                \
        for (int64_t i = 0; i < rows; i++, dst += d1, src += s1)                                                     \
            for (int64_t j = 0; j < ABREAST; j++) *(item##N *)(dst + j * d0) = *(const item##N *)(src + j * s0);     \
    }

COPY_ITEMS(1)
COPY_ITEMS(2)
COPY_ITEMS(4)
COPY_ITEMS(8)
COPY_ITEMS(16)

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

static void copy_2d(int64_t item, int64_t rows, int64_t cols, char *dst, int64_t d1, int64_t d0, const char *src,
                    int64_t s1, int64_t s0, bool past)
{
    if (d0 == item && s0 == item && cols * item >= 64) {
        const size_t n = (size_t)(cols * item);
        past = past && n >= STREAM_ROW;
        for (int64_t i = 0; i < rows; i++, dst += d1, src += s1) {
            if (past) tb__nontemporal_copy(dst, src, n);
            else tb__copy_bytes(dst, src, n);
        }
        return;
    }
    /* The longer loop inside, unless the shorter one walks memory in order on both sides. */
    if (rows > cols && cols < 16 && !(d0 == item && s0 == item && cols >= 8)) {
        int64_t t = rows;
        rows = cols, cols = t;
        t = d1, d1 = d0, d0 = t;
        t = s1, s1 = s0, s0 = t;
    }
    switch (item) {
    case 1: copy_1(rows, cols, dst, d1, d0, src, s1, s0); break;
    case 2: copy_2(rows, cols, dst, d1, d0, src, s1, s0); break;
    case 4: copy_4(rows, cols, dst, d1, d0, src, s1, s0); break;
    case 8: copy_8(rows, cols, dst, d1, d0, src, s1, s0); break;
    default: copy_16(rows, cols, dst, d1, d0, src, s1, s0); break;
    }
}

static void copy_strip(int64_t item, int64_t rows, char *dst, int64_t d1, int64_t d0, const char *src, int64_t s1,
                       int64_t s0)
{
    switch (item) {
    case 1: strip_1(rows, dst, d1, d0, src, s1, s0); break;
    case 2: strip_2(rows, dst, d1, d0, src, s1, s0); break;
    case 4: strip_4(rows, dst, d1, d0, src, s1, s0); break;
    case 8: strip_8(rows, dst, d1, d0, src, s1, s0); break;
    default: strip_16(rows, dst, d1, d0, src, s1, s0); break;
    }
}

/* A transpose reads along the rows' direction, a few columns abreast: as many as one set of a first-level cache has
 * room for, since columns are often a power of two apart, so that a line is used up before it goes. */
static void copy_plane(int64_t item, int64_t rows, int64_t cols, char *dst, int64_t d1, int64_t d0, const char *src,
                       int64_t s1, int64_t s0, bool past)
{
    bool crossed = magnitude(s1) < magnitude(s0) && s1 != 0 && magnitude(d0) < magnitude(d1);
    if (!crossed || rows < ABREAST || cols < ABREAST) {
        copy_2d(item, rows, cols, dst, d1, d0, src, s1, s0, past);
        return;
    }
    for (int64_t i = 0; i < rows; i += TILE) {
        int64_t n = tb__min(TILE, rows - i), j = 0;
        for (; j + ABREAST <= cols; j += ABREAST)
            copy_strip(item, n, dst + i * d1 + j * d0, d1, d0, src + i * s1 + j * s0, s1, s0);
        if (j < cols) copy_2d(item, n, cols - j, dst + i * d1 + j * d0, d1, d0, src + i * s1 + j * s0, s1, s0, past);
    }
}

void tb__cpu_copy(size_t item, int nd, const int64_t *shape, char *dst, const int64_t *dst_strides, const char *src,
                  const int64_t *src_strides, bool past)
{
    int64_t n[TB_MAXDIM + 2], d[TB_MAXDIM + 2], s[TB_MAXDIM + 2];
    int m = 0; /* dimensions kept, the innermost first */
    for (int k = nd - 1; k >= 0; k--) {
        if (shape[k] == 1) continue;
        if (m > 0 && dst_strides[k] == d[m - 1] * n[m - 1] && src_strides[k] == s[m - 1] * n[m - 1]) {
            n[m - 1] *= shape[k];
            continue;
        }
        n[m] = shape[k], d[m] = dst_strides[k], s[m] = src_strides[k];
        m++;
    }
    for (; m < 2; m++) n[m] = 1, d[m] = m ? 0 : (int64_t)item, s[m] = m ? 0 : (int64_t)item;
    int64_t at[TB_MAXDIM + 2] = {0};
    for (;;) {
        copy_plane((int64_t)item, n[1], n[0], dst, d[1], d[0], src, s[1], s[0], past);
        int k = 2;
        for (; k < m; k++) {
            dst += d[k], src += s[k];
            if (++at[k] < n[k]) break;
            dst -= d[k] * n[k], src -= s[k] * n[k];
            at[k] = 0;
        }
        if (k >= m) return;
    }
}

/* n bytes of a pattern: the C library's copies are as wide as the machine allows. size: 2, 4, 8 or 16. */
static void fill_pattern(char *dst, size_t n, const char *item, size_t size)
{
    enum { PATTERN = 64, AHEAD = 8192 };
    char pattern[PATTERN];
#define REPEAT(constant) for (int i = 0; i < PATTERN; i += constant) memcpy(pattern + i, item, constant)
    switch (size) {
    case 2: REPEAT(2); break;
    case 4: REPEAT(4); break;
    case 8: REPEAT(8); break;
    default: REPEAT(16);
    }
#undef REPEAT
    size_t done = n < PATTERN ? n : PATTERN;
    memcpy(dst, pattern, done);
    while (done < n) {
        size_t more = done < AHEAD ? done : AHEAD;
        if (more > n - done) more = n - done;
        memcpy(dst + done, dst, more);
        done += more;
    }
}

static bool is_one_byte(const char *item, size_t size)
{
    for (size_t i = 1; i < size; i++)
        if (item[i] != item[0]) return false;
    return true;
}

void tb__cpu_number(const tb_scalar *x, void *dst)
{
    union {
        char bytes[16];
        uint8_t b;
        uint16_t h;
        float f;
        double d;
        float c[2];
        double z[2];
        int64_t i;
    } *u = dst;
    switch (x->dtype) {
    case TB_F16:
    case TB_BF16: u->h = tb__half_of(x->dtype, x->v.f); break;
    case TB_F32: u->f = (float)x->v.f; break;
    case TB_F64: u->d = x->v.f; break;
    case TB_C64: u->c[0] = (float)x->v.c.re, u->c[1] = (float)x->v.c.im; break;
    case TB_C128: u->z[0] = x->v.c.re, u->z[1] = x->v.c.im; break;
    case TB_BOOL: u->b = x->v.i != 0; break;
    default: u->i = x->v.i; break; /* little-endian: a small integer is the low bytes of a large one */
    }
}

void tb__cpu_fill(tb_scalar x, void *dst, int64_t n)
{
    _Alignas(16) char bytes[16];
    const size_t item = tb_dtype_size(x.dtype);
    tb__cpu_number(&x, bytes);
    if (n == 1) memcpy(dst, bytes, item);
    else if (is_one_byte(bytes, item)) memset(dst, bytes[0], (size_t)n * item);
    else fill_pattern(dst, (size_t)n * item, bytes, item);
}
