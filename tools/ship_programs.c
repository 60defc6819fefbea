/* ship_programs.c - arrays that programs begin with, and operations on them. */
#include "ship_programs.h"

#include <string.h>

#include "base/error.h"

enum { MOST = 24 };

/* What a program has made; of a program that has failed the rest makes nothing. */
static struct {
    tb_array *made[MOST];
    int n;
    tb_status status;
} now;

tb_array *keep(tb_status status, tb_array *a)
{
    if (status == TB_OK && now.n == MOST) status = tb__fail(TB_ERR_INTERNAL, "a program of more than %d arrays", MOST);
    if (status != TB_OK) return now.status = status, NULL;
    return now.made[now.n++] = a;
}

bool failed(void) { return now.status != TB_OK; }

void forget(tb_array *a)
{
    int i = 0;
    if (failed()) return;
    while (i < now.n && now.made[i] != a) i++;
    if (i == now.n) return;
    tb_array_release(a);
    for (now.n--; i < now.n; i++) now.made[i] = now.made[i + 1];
}

tb_status done_and_kept(void)
{
    tb_status status = now.status;
    if (status == TB_OK) status = tb_array_eval(now.made[now.n - 1]);
    while (now.n > 0) tb_array_release(now.made[--now.n]);
    now.status = TB_OK;
    return status;
}

tb_status done(void)
{
    if (failed()) return done_and_kept();
    for (int i = 0; i + 1 < now.n; i++) tb_array_release(now.made[i]);
    now.made[0] = now.made[now.n - 1];
    now.n = 1;
    return done_and_kept();
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

tb_array *fresh(tb_dtype t, int ndim, const int64_t *shape)
{
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_empty(t, ndim, shape, 'C', &out);
    return keep(status, out);
}

tb_array *view(tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides)
{
    const int64_t room = 2 * SIDE * SIDE + 8 * SIDE, size = (int64_t)tb_dtype_size(t);
    int64_t bytes[3], first = 0;
    tb_array *base, *out = NULL;
    if (failed()) return NULL;
    for (int d = 0; d < ndim; d++) {
        bytes[d] = strides[d] * size;
        if (strides[d] < 0) first -= (shape[d] - 1) * bytes[d];
    }
    tb_status status = tb_empty(t, 1, &room, 'C', &base);
    if (status != TB_OK) return keep(status, NULL);
    status = tb_as_strided(base, ndim, shape, bytes, first, &out);
    tb_array_release(base);
    return keep(status, out);
}

tb_array *flat(tb_dtype t) { return view(t, 1, (const int64_t[]){SIDE * SIDE}, (const int64_t[]){1}); }

tb_array *many(tb_dtype t) { return fresh(t, 1, (const int64_t[]){1 << 20}); }
tb_array *one(tb_dtype t) { return fresh(t, 0, NULL); }
tb_array *apart(tb_dtype t, int64_t step) { return view(t, 1, (const int64_t[]){SIDE}, &step); }

tb_array *matrix(tb_dtype t, int64_t n, int64_t pitch)
{
    return view(t, 2, (const int64_t[]){n, n}, (const int64_t[]){pitch, 1});
}

tb_array *row(tb_dtype t, int64_t n) { return view(t, 2, (const int64_t[]){1, n}, (const int64_t[]){n, 1}); }

tb_array *column(tb_dtype t, int64_t n) { return view(t, 2, (const int64_t[]){n, 1}, (const int64_t[]){1, 1}); }

/* ---- operations -------------------------------------------------------------------------------------------------- */

tb_operand of(tb_array *a) { return tb_operand_array(a); }
tb_operand number(double x) { return tb_operand_float(x); }

tb_array *call3(const char *name, tb_operand a, tb_operand b, tb_operand c)
{
    const tb_operand in[] = {a, b, c};
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_ufunc_call(tb_ufunc_find(name), in, &out, NULL);
    return keep(status, out);
}

tb_array *call2(const char *name, tb_operand a, tb_operand b) { return call3(name, a, b, a); }
tb_array *call1(const char *name, tb_array *a) { return call3(name, of(a), of(a), of(a)); }
tb_array *both(const char *name, tb_array *a, tb_array *b) { return call2(name, of(a), of(b)); }

tb_array *where(tb_array *condition, tb_operand x, tb_operand y)
{
    const tb_operand c = of(condition);
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_where(&c, &x, &y, &out);
    return keep(status, out);
}

tb_array *cast(tb_array *a, tb_dtype t)
{
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_astype(a, t, 'K', TB_CAST_UNSAFE, true, &out);
    return keep(status, out);
}

tb_array *reduced_to(tb_dtype t, tb_reduction r, tb_array *a, int axis)
{
    const tb_reduce_args args = {sizeof args, .naxis = axis < 0 ? -1 : 1, .axis = {axis}, .dtype = t};
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_reduce(r, a, &args, &out);
    return keep(status, out);
}

tb_array *reduced(tb_reduction r, tb_array *a, int axis)
{
    return failed() ? NULL : reduced_to(tb_array_dtype(a), r, a, axis);
}

tb_array *product(tb_array *x, tb_array *y)
{
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_matmul(x, y, &out);
    return keep(status, out);
}

tb_array *count(tb_dtype t)
{
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_arange(t, tb_scalar_int(0), tb_scalar_int(1), SIDE * SIDE, &out);
    return keep(status, out);
}

void store(tb_array *to, tb_operand from)
{
    const tb_index all = {.kind = TB_INDEX_ELLIPSIS};
    if (failed()) return;
    now.status = tb_array_index_set(to, 1, &all, &from);
    keep(now.status, tb_array_retain(to));
}

tb_array *taken(tb_array *a, tb_array *index)
{
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = index};
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_array_index(a, 1, &key, &out);
    return keep(status, out);
}

void put(tb_array *to, tb_array *index, tb_operand from)
{
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = index};
    if (failed()) return;
    now.status = tb_array_index_set(to, 1, &key, &from);
    keep(now.status, tb_array_retain(to));
}

tb_array *copied(tb_array *a)
{
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_copy(a, 'C', &out);
    return keep(status, out);
}

tb_array *scanned(tb_array *a)
{
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_scan(TB_RED_SUM, a, 0, tb_array_dtype(a), &out);
    return keep(status, out);
}

void added(tb_array *to, tb_array *index, tb_array *from)
{
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = index};
    const tb_operand value = of(from);
    if (failed()) return;
    now.status = tb_ufunc_update(tb_ufunc_find("add"), to, 1, &key, &value);
    keep(now.status, tb_array_retain(to));
}

tb_array *joined(tb_array *x, tb_array *y)
{
    tb_array *const parts[] = {x, y};
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_concatenate(2, parts, -1, &out);
    return keep(status, out);
}

tb_array *turned(tb_array *a)
{
    tb_array *out = NULL;
    if (failed()) return NULL;
    const int n = tb_array_ndim(a), axes[] = {0, n == 3 ? 2 : 1, 1};
    const tb_status status = tb_transpose(a, n == 3 ? axes : NULL, &out);
    return keep(status, out);
}
