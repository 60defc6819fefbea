/* words.c - elements of records, and numbers that are not aligned, moved as words: the one place that knows how.
 *
 * A view of the memory as the largest words that divide the elements' size, offset and strides has the elements' axes,
 * and behind them one of an element's words. Copying, gathering, scattering and choosing between such views is what
 * they do with any array. */
#include <string.h>

#include "base/error.h"
#include "base/shape.h"
#include "ops/places.h"

/* All numbers that an element's address is made of. */
static int64_t address_bits(const tb_array *a)
{
    int64_t bits = a->offset | (int64_t)(intptr_t)a->buffer->ptr;
    for (int d = 0; d < a->ndim; d++)
        if (a->dims[d] > 1) bits |= a->strides[d];
    return bits;
}

bool tb__is_aligned(const tb_array *a) { return (address_bits(a) & (tb__dtype_alignment(a->dtype) - 1)) == 0; }

/* Complex numbers are moved as they are, and need the alignment of their parts alone. */
static tb_dtype word_dtype(int64_t bytes)
{
    return bytes == 16 ? TB_C128 : bytes == 8 ? TB_U64 : bytes == 4 ? TB_U32 : bytes == 2 ? TB_U16 : TB_U8;
}

static tb_status with_axis(tb_array *a, int64_t offset, tb_dtype t, int64_t length, int64_t stride, tb_array **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    if (a->ndim == TB_MAXDIM)
        return tb__fail(TB_ERR_VALUE, "elements of %s are moved as words, for which arrays have at most %d dimensions",
                        tb_dtype_name(a->dtype), TB_MAXDIM - 1);
    memcpy(shape, a->dims, (size_t)a->ndim * sizeof *shape);
    memcpy(strides, a->strides, (size_t)a->ndim * sizeof *strides);
    shape[a->ndim] = length;
    strides[a->ndim] = stride;
    return tb__view(a, a->offset + offset, t, a->ndim + 1, shape, strides, out);
}

/* A view with another axis, or if the elements are one word without. */
static tb_status words_of(tb_array *a, int64_t offset, int64_t size, int64_t word, tb_array **out)
{
    const int64_t n = size / word;
    if (n != 1) return with_axis(a, offset, word_dtype(word), n, word, out);
    return tb__view(a, a->offset + offset, word_dtype(word), a->ndim, a->dims, a->strides, out);
}

tb_status tb__words_at(int64_t offset, int64_t size, int64_t most, int n, tb_array *const *a, tb_array **out,
                       bool *axis)
{
    int64_t bits = 8 | size;
    tb_status status = TB_OK;
    int made = 0;
    for (int i = 0; i < n; i++) bits |= address_bits(a[i]) | offset;
    int64_t word = bits & -bits;
    if (word == 8 && most == 16 && size % 16 == 0) word = 16;
    for (; made < n && status == TB_OK; made += status == TB_OK)
        status = words_of(a[made], offset, size, word, &out[made]);
    if (status == TB_OK) *axis = size != word;
    while (status != TB_OK && made > 0) tb_array_release(out[--made]);
    return status;
}

tb_status tb__with_axes(tb_array *a, int n, tb_array **out)
{
    tb_array *wide = tb_array_retain(a);
    for (; n > 0; n--) {
        tb_array *wider;
        tb_status status = with_axis(wide, 0, wide->dtype, 1, 0, &wider);
        tb_array_release(wide);
        TB_TRY(status);
        wide = wider;
    }
    *out = wide;
    return TB_OK;
}

/* An operation's result (stolen), in which the axis is the innermost, as elements again. */
static tb_status elements_of(tb_array *words, tb_dtype t, bool axis, tb_array **out)
{
    const tb_status status = tb__view(words, words->offset, t, words->ndim - axis, words->dims, words->strides, out);
    tb_array_release(words);
    return status;
}

tb_status tb__aligned(tb_array *a, tb_array **out)
{
    tb_array *copy;
    if (tb__is_aligned(a)) {
        *out = tb_array_retain(a);
        return TB_OK;
    }
    TB_TRY(tb__empty(a->dtype, a->ndim, a->dims, 'C', &copy));
    const tb_status status = tb__move_all(copy, a);
    if (status == TB_OK) *out = copy;
    else tb_array_release(copy);
    return status;
}

static tb_status move_run(tb_array *dst, tb_array *mask, tb_array *src, int64_t offset, int64_t size)
{
    tb_array *words[2], *wide = NULL;
    bool axis;
    TB_TRY(tb__words_at(offset, size, 16, 2, (tb_array *const[]){dst, src}, words, &axis));
    tb_status status = mask ? tb__with_axes(mask, axis, &wide) : TB_OK;
    if (status == TB_OK)
        status = mask ? tb__assign_where(words[0], wide, &(tb_operand){TB_OPERAND_ARRAY, .array = words[1]})
                      : tb__assign(words[0], words[1], TB_CAST_NO);
    tb_array_release(wide);
    tb_array_release(words[0]);
    tb_array_release(words[1]);
    return status;
}

tb_status tb__move_all(tb_array *dst, tb_array *src)
{
    return dst->size > 0 ? move_run(dst, NULL, src, 0, (int64_t)tb_dtype_size(dst->dtype)) : TB_OK;
}

static tb_status move_field(tb_array *dst, tb_array *mask, tb_array *src, const tb_field *f)
{
    tb_array *d = NULL, *s = NULL, *m = NULL;
    tb_status status = tb__field(dst, f, &d);
    if (status == TB_OK) status = tb__field(src, f, &s);
    if (status == TB_OK && mask) status = tb__with_axes(mask, f->ndim, &m);
    if (status == TB_OK) status = tb__move(d, m, s);
    tb_array_release(d);
    tb_array_release(s);
    tb_array_release(m);
    return status;
}

tb_status tb__move(tb_array *dst, tb_array *mask, tb_array *src)
{
    int n;
    const tb_run *runs = tb__record_runs(dst->dtype, &n);
    if (dst->size == 0) return TB_OK;
    if (n == 0) return move_run(dst, mask, src, 0, (int64_t)tb_dtype_size(dst->dtype));
    for (int i = 0; i < n; i++) {
        if (runs[i].field) TB_TRY(move_field(dst, mask, src, runs[i].field));
        else if (runs[i].size > 0) TB_TRY(move_run(dst, mask, src, runs[i].offset, runs[i].size));
    }
    return TB_OK;
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

/* A key for an array that has `added` axes more, which an ellipsis would take for its own. */
typedef struct longer_key {
    int n;
    tb_index items[3 * TB_MAXDIM];
} longer_key;

static tb_status make_key(const tb_array *a, int n, const tb_index *key, int added, longer_key *out)
{
    bool ellipsis = false;
    TB_TRY(tb__check_items(a, n, key));
    for (int i = 0; i < n; i++) ellipsis |= (out->items[i] = key[i]).kind == TB_INDEX_ELLIPSIS;
    out->n = n;
    for (int i = 0; i < added && ellipsis; i++) out->items[out->n++] = (tb_index){.kind = TB_INDEX_SLICE, .step = 1};
    return TB_OK;
}

tb_status tb__record_index(tb_array *a, int n, const tb_index *key, tb_array **out)
{
    longer_key k;
    tb_array *words, *result;
    bool axis;
    TB_TRY(tb__words(1, &a, &words, &axis));
    tb_status status = make_key(a, n, key, axis, &k);
    if (status == TB_OK) status = tb_array_index(words, k.n, k.items, &result);
    if (status == TB_OK) status = elements_of(result, a->dtype, axis, out);
    tb_array_release(words);
    return status;
}

/* The value as elements of dtype t: a new reference. */
static tb_status value_of(const tb_operand *value, tb_dtype t, tb_array **out)
{
    if (value->array) return tb__astype(value->array, t, 'K', TB_CAST_UNSAFE, false, out);
    return tb__full(t, 0, NULL, 'C', value->scalar, out);
}

static tb_status set_run(tb_array *a, int n, const tb_index *key, tb_array *value, int64_t offset, int64_t size)
{
    longer_key k;
    tb_array *words[2];
    bool axis;
    TB_TRY(tb__words_at(offset, size, 16, 2, (tb_array *const[]){a, value}, words, &axis));
    tb_status status = make_key(a, n, key, axis, &k);
    if (status == TB_OK)
        status = tb_array_index_set(words[0], k.n, k.items, &(tb_operand){TB_OPERAND_ARRAY, .array = words[1]});
    tb_array_release(words[0]);
    tb_array_release(words[1]);
    return status;
}

static tb_status set_elements(tb_array *a, int n, const tb_index *key, tb_array *value);

static tb_status set_field(tb_array *a, int n, const tb_index *key, tb_array *value, const tb_field *f)
{
    longer_key k;
    tb_array *to = NULL, *from = NULL;
    TB_TRY(make_key(a, n, key, f->ndim, &k));
    tb_status status = tb__field(a, f, &to);
    if (status == TB_OK) status = tb__field(value, f, &from);
    if (status == TB_OK) status = set_elements(to, k.n, k.items, from);
    tb_array_release(to);
    tb_array_release(from);
    return status;
}

static tb_status set_elements(tb_array *a, int n, const tb_index *key, tb_array *value)
{
    int nrun;
    const tb_run *runs = tb__record_runs(a->dtype, &nrun);
    if (nrun == 0) return set_run(a, n, key, value, 0, (int64_t)tb_dtype_size(a->dtype));
    for (int i = 0; i < nrun; i++) {
        if (runs[i].field) TB_TRY(set_field(a, n, key, value, runs[i].field));
        else TB_TRY(set_run(a, n, key, value, runs[i].offset, runs[i].size));
    }
    return TB_OK;
}

tb_status tb__record_index_set(tb_array *a, int n, const tb_index *key, const tb_operand *value)
{
    tb_array *elements, *apart;
    TB_TRY(value_of(value, a->dtype, &elements));
    if (elements->buffer == a->buffer) { /* which one run after the other is written to */
        const tb_status copied = tb__copy(elements, 'K', &apart);
        tb_array_release(elements);
        TB_TRY(copied);
        elements = apart;
    }
    const tb_status status = set_elements(a, n, key, elements);
    tb_array_release(elements);
    return status;
}

/* ---- where ------------------------------------------------------------------------------------------------------- */

tb_status tb__record_where(const tb_operand *cond, tb_array *x, tb_array *y, tb_array **out)
{
    tb_array *words[2], *wide = NULL, *result;
    bool axis;
    if (x->dtype != y->dtype)
        return tb__fail(TB_ERR_TYPE, "where: elements of %s and of %s have no dtype in common", tb_dtype_name(x->dtype),
                        tb_dtype_name(y->dtype));
    TB_TRY(tb__words(2, (tb_array *const[]){x, y}, words, &axis));
    const tb_ufunc_args args = {sizeof(tb_ufunc_args), words[0]->dtype, TB_CAST_UNSAFE, 'C', NULL};
    tb_operand in[3] = {*cond, {TB_OPERAND_ARRAY, .array = words[0]}, {TB_OPERAND_ARRAY, .array = words[1]}};
    tb_status status = cond->array ? tb__with_axes(cond->array, axis, &wide) : TB_OK;
    if (cond->array) in[0].array = wide;
    if (status == TB_OK) status = tb__ufunc_call(&tb_op_table[TB_OP_where], in, &result, &args);
    if (status == TB_OK) status = elements_of(result, x->dtype, axis, out);
    tb_array_release(wide);
    tb_array_release(words[0]);
    tb_array_release(words[1]);
    return status;
}
