/* bandwidth.c - how far from the diagonal a matrix has elements that are not zero. Rows
 * are looked through from the corner on, as far as would make the band wider: of a full matrix that is one element
 * below the diagonal, and one above it. */
#include <string.h>

#include "backend/cpu/plans/plans.h"

typedef struct element {
    size_t part; /* bytes of an integer, a truth value, or a part of a complex number */
    int parts;
    bool is_float; /* the sign of a zero does not count */
} element;

static inline __attribute__((always_inline)) uint64_t bits_at(const char *p, size_t part)
{
    uint8_t b1;
    uint16_t b2;
    uint32_t b4;
    uint64_t b8;
    switch (part) {
    case 1: memcpy(&b1, p, 1); return b1;
    case 2: memcpy(&b2, p, 2); return b2;
    case 4: memcpy(&b4, p, 4); return b4;
    default: memcpy(&b8, p, 8); return b8;
    }
}

static inline bool is_set(element e, const char *p)
{
    const uint64_t sign = e.is_float ? (uint64_t)1 << (8 * e.part - 1) : 0;
    return (bits_at(p, e.part) & ~sign) != 0 || (e.parts == 2 && (bits_at(p + e.part, e.part) & ~sign) != 0);
}

/* The width below the diagonal of an m x n matrix with these strides. */
static int64_t below(element e, const char *a, int64_t m, int64_t n, int64_t row, int64_t column)
{
    int64_t width = 0;
    for (int64_t i = m - 1; i > width; i--)
        for (int64_t j = 0; j < tb__min(n, i - width); j++)
            if (is_set(e, a + i * row + j * column)) width = i - j;
    return width;
}

/* And above it. */
static int64_t above(element e, const char *a, int64_t m, int64_t n, int64_t row, int64_t column)
{
    int64_t width = 0;
    for (int64_t i = 0; i < tb__min(m, n - width); i++)
        for (int64_t j = n - 1; j > i + width; j--)
            if (is_set(e, a + i * row + j * column)) width = j - i;
    return width;
}

void tb__cpu_bandwidth(tb_dtype t, const void *a, const int64_t *shape, const int64_t *strides, int64_t *out)
{
    const bool is_complex = tb_dtype_kind(t) == TB_KIND_COMPLEX;
    const element e = {tb_dtype_size(t) / (is_complex ? 2 : 1), is_complex ? 2 : 1, tb_dtype_kind(t) > TB_KIND_INT};
    out[0] = below(e, a, shape[0], shape[1], strides[0], strides[1]);
    out[1] = above(e, a, shape[0], shape[1], strides[0], strides[1]);
}
