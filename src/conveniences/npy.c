/* npy.c - arrays to and from .npy files. What a file says of its size is believed only as far as it has the bytes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/shape.h"
#include "base/text.h"
#include "conveniences/npy_header.h"

enum { ALIGNMENT = 64, CHUNK = 1 << 20 };

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* n bytes, of which *bytes is to be freed. Memory grows with what has been read, so that a wrong n does no harm. */
static tb_status read_bytes(FILE *f, size_t n, char **bytes)
{
    size_t have = 0, room = 0;
    *bytes = NULL;
    while (have < n || !*bytes) {
        const size_t more = room < CHUNK ? CHUNK : room;
        room = n - room > more ? room + more : n;
        char *grown = realloc(*bytes, room + 1);
        if (!grown) return tb__fail(TB_ERR_MEMORY, "there is no memory for %zu bytes", room);
        *bytes = grown;
        const size_t got = fread(grown + have, 1, room - have, f);
        have += got;
        if (have < room && ferror(f)) return tb__fail(TB_ERR_VALUE, "it cannot be read: %s", strerror(errno));
        if (have < room) return tb__fail(TB_ERR_VALUE, "it ends after %zu of %zu bytes", have, n);
    }
    return TB_OK;
}

static tb_status read_header(FILE *f, tb_npy *out)
{
    unsigned char preamble[TB_NPY_PREAMBLE];
    size_t n = fread(preamble, 1, 10, f), begin, length;
    if (n == 10 && preamble[6] > 1) n += fread(preamble + n, 1, 2, f);
    const char *wrong = tb__npy_preamble(preamble, n, &begin, &length);
    if (wrong) return tb__fail(TB_ERR_VALUE, "%s", wrong);
    char *text;
    tb_status status = read_bytes(f, length, &text);
    if (status == TB_OK) status = tb__npy_header(text, length, out);
    free(text);
    return status;
}

static void reverse(char *p, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        const char c = p[i];
        p[i] = p[n - 1 - i];
        p[n - 1 - i] = c;
    }
}

/* Complex numbers are pairs of floats, each in the file's byte order; truth values are 0 or 1. */
static void to_native(const tb_npy *h, char *bytes)
{
    const size_t part = tb_dtype_size(tb_dtype_real(h->dtype));
    const size_t all = (size_t)h->size * tb_dtype_size(h->dtype);
    for (size_t i = 0; h->swapped && part > 1 && i < all; i += part) reverse(bytes + i, part);
    for (size_t i = 0; h->dtype == TB_BOOL && i < all; i++) bytes[i] = bytes[i] != 0;
}

static tb_status load(FILE *f, tb_array **out)
{
    tb_npy h;
    char *bytes = NULL;
    int64_t strides[TB_MAXDIM];
    TB_TRY(read_header(f, &h));
    tb_status status = read_bytes(f, (size_t)h.size * tb_dtype_size(h.dtype), &bytes);
    if (status == TB_OK) {
        const int64_t size = (int64_t)tb_dtype_size(h.dtype);
        to_native(&h, bytes);
        if (h.fortran_order) tb__strides_f(h.ndim, h.shape, size, strides);
        else tb__strides_c(h.ndim, h.shape, size, strides);
        status = tb_from_host(bytes, h.dtype, h.ndim, h.shape, strides, h.fortran_order ? 'F' : 'C', out);
    }
    free(bytes);
    return status;
}

/* The message begins with the function and the path. */
static tb_status named(tb_status status, const char *who, const char *path)
{
    if (status == TB_OK) return TB_OK;
    tb_text t = {0};
    tb__text_addf(&t, "%s: '%s': ", who, path);
    if (!t.failed) tb__error_prefix(t.s);
    tb__text_free(&t);
    return status;
}

static tb_status fail_path(const char *who, const char *path)
{
    return tb__fail(TB_ERR_VALUE, "%s: '%s': %s", who, path, strerror(errno));
}

tb_status tb_load_npy(const char *path, tb_array **out)
{
    TB_NOT_NULL(path, out);
    FILE *f = fopen(path, "rb");
    if (!f) return fail_path(__func__, path);
    const tb_status status = named(load(f, out), __func__, path);
    fclose(f);
    return status;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void add_header(const tb_array *a, bool fortran_order, tb_text *t)
{
    static const char kinds[] = {
        [TB_KIND_BOOL] = 'b', [TB_KIND_INT] = 'i', [TB_KIND_FLOAT] = 'f', [TB_KIND_COMPLEX] = 'c'};
    const tb_dtype dtype = tb_array_dtype(a);
    const size_t size = tb_dtype_size(dtype);
    const char order = size == 1 ? '|' : __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
    const int ndim = tb_array_ndim(a);
    tb__text_addf(t, "{'descr': '%c%c%zu', 'fortran_order': %s, 'shape': (", order,
                  tb_dtype_is_unsigned(dtype) ? 'u'
                  : dtype == TB_BF16          ? 'V'
                                              : kinds[tb_dtype_kind(dtype)],
                  size, fortran_order ? "True" : "False");
    for (int d = 0; d < ndim; d++)
        tb__text_addf(t, "%lld%s", (long long)tb_array_shape(a)[d], d < ndim - 1 ? ", " : ndim == 1 ? "," : "");
    tb__text_add(t, "), }");
    while (!t->failed && (10 + t->len + 1) % ALIGNMENT != 0) tb__text_addn(t, " ", 1);
    tb__text_addn(t, "\n", 1);
}

static bool write_file(FILE *f, const tb_text *header, const void *bytes, size_t n)
{
    const unsigned char preamble[10] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)header->len, (unsigned char)(header->len >> 8)};
    return fwrite(preamble, 1, sizeof preamble, f) == sizeof preamble &&
           fwrite(header->s, 1, header->len, f) == header->len && fwrite(bytes, 1, n, f) == n && fflush(f) == 0;
}

static tb_status save(tb_array *a, const char *who, const char *path)
{
    const int64_t size = (int64_t)tb_dtype_size(tb_array_dtype(a));
    const size_t n = (size_t)(tb_array_size(a) * size);
    const bool fortran_order = tb_array_is_f_contiguous(a) && !tb_array_is_c_contiguous(a);
    int64_t strides[TB_MAXDIM];
    char *bytes = malloc(n + 1);
    if (!bytes) return tb__fail(TB_ERR_MEMORY, "%s: there is no memory for %zu bytes", who, n);
    if (fortran_order) tb__strides_f(tb_array_ndim(a), tb_array_shape(a), size, strides);
    else tb__strides_c(tb_array_ndim(a), tb_array_shape(a), size, strides);
    tb_text header = {0};
    tb_status status = tb_array_get(a, bytes, strides, NULL, true);
    add_header(a, fortran_order, &header);
    if (status == TB_OK && header.failed) status = tb__fail(TB_ERR_MEMORY, "%s: there is no memory for a header", who);
    if (status == TB_OK) { /* the file is made when there is something to be in it */
        FILE *f = fopen(path, "wb");
        const bool written = f && write_file(f, &header, bytes, n);
        if (!written) status = fail_path(who, path);
        if (f && fclose(f) != 0 && written) status = fail_path(who, path);
    }
    tb__text_free(&header);
    free(bytes);
    return status;
}

tb_status tb_save_npy(tb_array *a, const char *path)
{
    TB_NOT_NULL(a, path);
    TB_ARE_NUMBERS(__func__, tb_array_dtype(a));
    return save(a, __func__, path);
}
