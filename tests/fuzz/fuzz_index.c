/* fuzz_index.c - keys. `places` counts from 0, `data` holds 3 * that + 1, and both are viewed alike: so what a key
 * gives of the one says what it must give of the other, and which elements an assignment may change. */
#include "fuzz.h"
#include "tombac/tombac.h"

enum { MOST = 512, ITEMS = 7 };

/* The elements, in C order; free it. */
static int64_t *numbers(tb_array *a)
{
    int64_t *n = malloc((size_t)tb_array_size(a) * sizeof *n + 1);
    FUZZ_CHECK(n && tb_array_get(a, n, NULL, NULL, true) == TB_OK);
    return n;
}

static tb_array *from_host(const void *x, tb_dtype t, int ndim, const int64_t *shape)
{
    tb_array *a = NULL;
    if (tb_from_host(x, t, ndim, shape, NULL, 'C', &a) != TB_OK) fprintf(stderr, "%s\n", tb_error_message());
    FUZZ_CHECK(a != NULL);
    return a;
}

/* ---- from the input ---------------------------------------------------------------------------------------------- */

static int64_t fuzz_shape(fuzz_input *in, int most, int64_t *shape, int *ndim)
{
    int64_t size = 1;
    *ndim = fuzz_below(in, most + 1);
    for (int d = 0; d < *ndim; d++) {
        shape[d] = fuzz_below(in, 6);
        size *= shape[d];
    }
    return size;
}

static tb_array *fuzz_index_array(fuzz_input *in)
{
    static const tb_dtype types[] = {TB_I64, TB_BOOL, TB_I32, TB_I8, TB_U8, TB_U64, TB_I16, TB_F32};
    const tb_dtype t = types[fuzz_below(in, 8)];
    int64_t shape[3], values[125];
    int ndim;
    const int64_t size = fuzz_shape(in, 3, shape, &ndim);
    for (int64_t i = 0; i < size; i++) values[i] = t == TB_BOOL ? fuzz_byte(in) & 1 : fuzz_int(in);
    tb_array *wide = from_host(values, TB_I64, ndim, shape), *a = NULL;
    FUZZ_CHECK(tb_astype(wide, t, 'K', TB_CAST_UNSAFE, true, &a) == TB_OK);
    tb_array_release(wide);
    return a;
}

static int fuzz_key(fuzz_input *in, bool arrays, tb_index *key)
{
    const int n = fuzz_below(in, ITEMS + 1);
    for (int i = 0; i < n; i++) {
        tb_index *x = &key[i];
        *x = (tb_index){.kind = (tb_index_kind)fuzz_below(in, arrays ? 6 : 4), .step = 1};
        if (x->kind == TB_INDEX_INT) x->start = fuzz_int(in);
        if (x->kind == TB_INDEX_BOOL) x->start = fuzz_byte(in) & 1;
        if (x->kind == TB_INDEX_ARRAY) x->array = fuzz_index_array(in);
        if (x->kind != TB_INDEX_SLICE) continue;
        const unsigned has = fuzz_byte(in);
        x->has_start = has & 1;
        x->has_stop = has & 2;
        if (has & 1) x->start = fuzz_int(in);
        if (has & 2) x->stop = fuzz_int(in);
        if (has & 4) x->step = fuzz_int(in);
    }
    return n;
}

static void free_key(int n, tb_index *key)
{
    for (int i = 0; i < n; i++)
        if (key[i].kind == TB_INDEX_ARRAY) tb_array_release(key[i].array);
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

typedef struct view {
    int what, n, ndim;
    tb_index key[ITEMS];
    int64_t shape[5], strides[5], offset;
    int axes[5];
    char order;
} view;

static view fuzz_view(fuzz_input *in)
{
    view v = {.what = fuzz_below(in, 5)};
    if (v.what == 0) v.n = fuzz_key(in, false, v.key);
    else v.ndim = fuzz_below(in, 6);
    for (int d = 0; d < v.ndim; d++) {
        v.shape[d] = v.what == 1 ? fuzz_int(in) : fuzz_below(in, 6);
        v.axes[d] = fuzz_below(in, 8) - 3;
        if (v.what == 4) v.strides[d] = fuzz_byte(in) & 1 ? fuzz_int(in) : 8 * (int64_t)(fuzz_below(in, 16) - 4);
    }
    if (v.what == 4) v.offset = fuzz_byte(in) & 1 ? fuzz_int(in) : 8 * (int64_t)(fuzz_below(in, 64) - 2);
    v.order = "CFA"[fuzz_below(in, 3)];
    return v;
}

static tb_status take_view(tb_array *a, const view *v, tb_array **out)
{
    bool copied;
    switch (v->what) {
    case 0: return tb_array_index(a, v->n, v->key, out);
    case 1: return tb_reshape(a, v->ndim, v->shape, v->order, &copied, out);
    case 2: return tb_transpose(a, v->ndim == tb_array_ndim(a) ? v->axes : NULL, out);
    case 3: return tb_broadcast_to(a, v->ndim, v->shape, out);
    default: return tb_as_strided(a, v->ndim, v->shape, v->strides, v->offset, out);
    }
}

/* Both in the same way; they stay as they are where that is an error. */
static void view_both(fuzz_input *in, tb_array **places, tb_array **data)
{
    const view v = fuzz_view(in);
    tb_array *p = NULL, *d = NULL;
    const tb_status status = take_view(*places, &v, &p);
    FUZZ_CHECK(take_view(*data, &v, &d) == status);
    if (status != TB_OK) return;
    if (tb_array_size(p) > MOST) {
        tb_array_release(p);
        tb_array_release(d);
        return;
    }
    tb_array_release(*places);
    tb_array_release(*data);
    *places = p;
    *data = d;
}

/* ---- what must hold ---------------------------------------------------------------------------------------------- */

static void check_shape(const tb_array *a, const tb_array *b)
{
    FUZZ_CHECK(tb_array_ndim(a) == tb_array_ndim(b));
    for (int d = 0; d < tb_array_ndim(a); d++) FUZZ_CHECK(tb_array_shape(a)[d] == tb_array_shape(b)[d]);
}

/* data[key] = value, or += value, in `whole`, of which `data` is a view; at[0..n): what the key names. */
static void check_write(tb_array *data, tb_array *whole, int n, tb_index *key, const int64_t *at, int64_t count,
                        bool add)
{
    const tb_operand value = tb_operand_int(7);
    int64_t *expected = numbers(whole);
    const tb_status status =
        add ? tb_ufunc_update(tb_ufunc_find("add"), data, n, key, &value) : tb_array_index_set(data, n, key, &value);
    int64_t *got = numbers(whole);
    for (int64_t i = 0; i < count && status == TB_OK; i++) expected[at[i]] = add ? expected[at[i]] + 7 : 7;
    for (int64_t i = 0; i < tb_array_size(whole); i++) FUZZ_CHECK(got[i] == expected[i]);
    free(expected);
    free(got);
}

static bool are_distinct(const int64_t *at, int64_t n)
{
    bool seen[MOST] = {false};
    for (int64_t i = 0; i < n; i++) {
        if (seen[at[i]]) return false;
        seen[at[i]] = true;
    }
    return true;
}

static bool has_arrays(int n, const tb_index *key)
{
    for (int i = 0; i < n; i++)
        if (key[i].kind == TB_INDEX_ARRAY || key[i].kind == TB_INDEX_BOOL) return true;
    return false;
}

static void check_key(fuzz_input *in, tb_array *places, tb_array *data, tb_array *whole)
{
    tb_index key[ITEMS];
    tb_array *p = NULL, *d = NULL;
    const int n = fuzz_key(in, true, key);
    const tb_status status = tb_array_index(places, n, key, &p);
    FUZZ_CHECK(tb_array_index(data, n, key, &d) == status);
    if (status == TB_OK && tb_array_size(p) <= 4 * MOST) {
        check_shape(p, d);
        const int64_t count = tb_array_size(p), size = tb_array_size(whole);
        int64_t *at = numbers(p), *value = numbers(d);
        for (int64_t i = 0; i < count; i++) FUZZ_CHECK(at[i] >= 0 && at[i] < size && value[i] == 3 * at[i] + 1);
        /* In views that overlap themselves the order of sums is nobody's promise. */
        const bool add = fuzz_byte(in) & 1;
        int64_t *viewed = numbers(places);
        if (!add || (has_arrays(n, key) ? are_distinct(viewed, tb_array_size(places)) : are_distinct(at, count)))
            check_write(data, whole, n, key, at, count, add);
        free(viewed);
        free(at);
        free(value);
    } else if (status != TB_OK) {
        FUZZ_CHECK(*tb_error_message());
        check_write(data, whole, n, key, NULL, 0, false);
    }
    tb_array_release(p);
    tb_array_release(d);
    free_key(n, key);
}

/* Memory of its own for every array, so that a sanitizer sees what is read past it. */
static void start(void)
{
    static tb_allocator *direct;
    if (direct) return;
    FUZZ_CHECK(tb_init() == TB_OK && tb_allocator_direct(TB_MEMORY_DEVICE, 0, NULL, &direct) == TB_OK);
    tb_allocator_set(direct);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const tb_fusion modes[] = {TB_FUSION_ON, TB_FUSION_OFF, TB_FUSION_ALL};
    fuzz_input in = {bytes, length};
    int64_t shape[4], of[MOST + 1], to[MOST + 1];
    int ndim;
    start();
    tb_fusion_set(modes[fuzz_below(&in, 3)]);
    const int64_t size = fuzz_shape(&in, 4, shape, &ndim);
    if (size > MOST) return 0;
    for (int64_t i = 0; i <= MOST; i++) of[i] = i, to[i] = 3 * i + 1;
    tb_array *places = from_host(of, TB_I64, ndim, shape), *data = from_host(to, TB_I64, ndim, shape);
    tb_array *whole = tb_array_retain(data);
    for (int views = fuzz_below(&in, 4); views > 0; views--) {
        view_both(&in, &places, &data);
        if (tb_array_size(data) == 0 || tb_may_share_memory(data, whole)) continue;
        /* A reshape has copied: then the copy is what is viewed and written from here on. */
        tb_array_release(whole);
        whole = tb_array_retain(data);
        tb_array *p = from_host(of, TB_I64, tb_array_ndim(places), tb_array_shape(places));
        tb_array *d = from_host(to, TB_I64, tb_array_ndim(places), tb_array_shape(places));
        FUZZ_CHECK(tb_assign(places, p, TB_CAST_NO) == TB_OK && tb_assign(data, d, TB_CAST_NO) == TB_OK);
        tb_array_release(p);
        tb_array_release(d);
    }
    check_key(&in, places, data, whole);
    tb_array_release(places);
    tb_array_release(data);
    tb_array_release(whole);
    return 0;
}
