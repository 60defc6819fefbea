/* npy_header.c - see npy_header.h. The description is a dictionary as Python writes it, with three entries in any
 * order: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } and space after it. */
#include "conveniences/npy_header.h"

#include <string.h>

#include "base/error.h"

const char *tb__npy_preamble(const unsigned char *bytes, size_t n, size_t *begin, size_t *length)
{
    if (n < 10 || memcmp(bytes, "\x93NUMPY", 6) != 0) return "it is no .npy file";
    const int version = bytes[6];
    if (version < 1 || version > 3) return "its version is none of 1, 2 and 3";
    *length = (size_t)bytes[8] | (size_t)bytes[9] << 8;
    *begin = 10;
    if (version == 1) return NULL;
    if (n < 12) return "it ends within its header";
    *length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    *begin = 12;
    return NULL;
}

/* ---- words of the text ------------------------------------------------------------------------------------------- */

typedef struct reader {
    const char *at, *end;
} reader;

static void skip_space(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r')) r->at++;
}

/* Whether `word` comes next, which is read then. */
static bool take(reader *r, const char *word)
{
    const size_t n = strlen(word);
    skip_space(r);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) return false;
    r->at += n;
    return true;
}

/* A string without escapes, in either kind of quotes, of fewer than cap characters. */
static bool take_string(reader *r, char *out, size_t cap)
{
    skip_space(r);
    if (r->at == r->end || (*r->at != '\'' && *r->at != '"')) return false;
    const char quote = *r->at++;
    size_t n = 0;
    for (; r->at < r->end && *r->at != quote; r->at++) {
        if (n + 1 == cap || *r->at == '\\' || *r->at == 0) return false;
        out[n++] = *r->at;
    }
    out[n] = 0;
    return take(r, quote == '"' ? "\"" : "'");
}

/* A number that is not negative; Python 2 wrote an L behind long ones. */
static bool take_length(reader *r, int64_t *out)
{
    int64_t x = 0;
    skip_space(r);
    const char *first = r->at;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
        if (__builtin_mul_overflow(x, 10, &x) || __builtin_add_overflow(x, *r->at - '0', &x)) return false;
    *out = x;
    return r->at > first && (take(r, "L") || true);
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

/* ml_dtypes has bfloat16 written as two bytes with an order, which bytes do not have. */
static tb_status read_dtype(reader *r, tb_npy *out)
{
    static const char *const codes[TB_NDTYPE] = {
        [TB_BOOL] = "b1", [TB_I8] = "i1",  [TB_U8] = "u1",  [TB_I16] = "i2", [TB_U16] = "u2",
        [TB_I32] = "i4",  [TB_U32] = "u4", [TB_I64] = "i8", [TB_U64] = "u8", [TB_F16] = "f2",
        [TB_BF16] = "V2", [TB_F32] = "f4", [TB_F64] = "f8", [TB_C64] = "c8", [TB_C128] = "c16",
    };
    char text[32];
    if (!take_string(r, text, sizeof text))
        return tb__fail(TB_ERR_TYPE, "its elements are records, or objects of no dtype that arrays can have");
    const bool marked = *text && strchr("<>|=", *text);
    for (int t = 0; t < TB_NDTYPE; t++) {
        if (strcmp(text + marked, codes[t]) != 0 || (t == TB_BF16 && *text != '<' && *text != '>')) continue;
        out->dtype = (tb_dtype)t;
        out->swapped = *text == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '>' : '<');
        return TB_OK;
    }
    return tb__fail(TB_ERR_TYPE, "no array can have its dtype '%s'", text);
}

static tb_status read_shape(reader *r, tb_npy *out)
{
    bool comma = true;
    out->ndim = 0;
    if (!take(r, "(")) return tb__fail(TB_ERR_VALUE, "its shape is not a tuple");
    while (!take(r, ")")) {
        if (!comma) return tb__fail(TB_ERR_VALUE, "its shape is not a tuple of lengths");
        if (out->ndim == TB_MAXDIM)
            return tb__fail(TB_ERR_VALUE, "it has more than the %d dimensions that are supported", TB_MAXDIM);
        if (!take_length(r, &out->shape[out->ndim++]))
            return tb__fail(TB_ERR_VALUE, "its shape is not a tuple of lengths");
        comma = take(r, ",");
    }
    if (out->ndim == 1 && !comma) return tb__fail(TB_ERR_VALUE, "its shape is not a tuple");
    return TB_OK;
}

static tb_status read_order(reader *r, tb_npy *out)
{
    out->fortran_order = take(r, "True");
    if (out->fortran_order || take(r, "False")) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "its fortran_order is no truth value");
}

static tb_status read_entry(reader *r, tb_npy *out, unsigned *seen)
{
    static const struct {
        const char *name;
        tb_status (*read)(reader *, tb_npy *);
    } entries[] = {{"descr", read_dtype}, {"fortran_order", read_order}, {"shape", read_shape}};
    char key[32];
    if (!take_string(r, key, sizeof key) || !take(r, ":")) return tb__fail(TB_ERR_VALUE, "its header is no dictionary");
    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(key, entries[i].name) != 0 || *seen >> i & 1) continue;
        *seen |= 1u << i;
        return entries[i].read(r, out);
    }
    return tb__fail(TB_ERR_VALUE, "its header has an entry '%s' that does not belong there", key);
}

/* Zero lengths hide no others: the bytes of what else there is can be counted. */
static tb_status count(tb_npy *out)
{
    int64_t all = (int64_t)tb_dtype_size(out->dtype);
    bool empty = false;
    out->size = 1;
    for (int d = 0; d < out->ndim; d++) {
        empty |= out->shape[d] == 0;
        if (out->shape[d] > 0 && __builtin_mul_overflow(all, out->shape[d], &all))
            return tb__fail(TB_ERR_VALUE, "its shape has more elements than can be counted");
        out->size *= empty ? 0 : out->shape[d];
    }
    return TB_OK;
}

tb_status tb__npy_header(const char *text, size_t n, tb_npy *out)
{
    reader r = {text, text + n};
    unsigned seen = 0;
    bool comma = true;
    if (!take(&r, "{")) return tb__fail(TB_ERR_VALUE, "its header is no dictionary");
    while (!take(&r, "}")) {
        if (!comma) return tb__fail(TB_ERR_VALUE, "its header is no dictionary");
        TB_TRY(read_entry(&r, out, &seen));
        comma = take(&r, ",");
    }
    skip_space(&r);
    if (r.at != r.end) return tb__fail(TB_ERR_VALUE, "something follows on its header's dictionary");
    if (seen != 7) return tb__fail(TB_ERR_VALUE, "its header has not all of descr, fortran_order and shape");
    return count(out);
}
