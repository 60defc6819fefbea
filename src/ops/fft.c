/* fft.c - Fourier transforms: NumPy's rules for axes, lengths, dtypes and norms; the backend's library does the rest.
 *
 * What the library does not do at once is done in several passes: more axes than it takes, and axes that are named
 * twice. Where it does not scale, the factor is left to a pending multiplication, which fuses with what follows. */
#include "ops/fft.h"

#include <math.h>
#include <string.h>

#include "backend/compile/option_words.h"
#include "backend/retry.h"
#include "backend/start.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/half.h"
#include "base/lock.h"
#include "base/shape.h"

static const char who[] = "fft";

typedef struct job {
    tb_fft_kind kind;
    tb_fft_norm norm;
    bool wide;
    bool ours; /* what is transformed next is a result of a pass before */
    int naxis;
    int axis[TB_MAXDIM];
    int64_t length[TB_MAXDIM];
    const tb_fft_callback *callback; /* NULL: none */
} job;

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static bool takes_reals(tb_fft_kind kind) { return kind == TB_FFT_REAL || kind > TB_FFT_HALF; }
static bool gives_reals(tb_fft_kind kind) { return kind >= TB_FFT_HALF; }

/* The dtype of elements on either side. */
static tb_dtype dtype_of(bool real, bool wide) { return real ? wide ? TB_F64 : TB_F32 : wide ? TB_C128 : TB_C64; }

static tb_status choose_length(const tb_array *a, job *j, int i, const int64_t *length)
{
    const int64_t there = a->dims[j->axis[i]];
    const bool halved = j->kind == TB_FFT_HALF && i == j->naxis - 1 && !length;
    const int64_t n = length && length[i] != -1 ? length[i] : halved ? 2 * (there - 1) : there;
    if (n < 1) return tb__fail(TB_ERR_VALUE, "Invalid number of FFT data points (%lld) specified.", (long long)n);
    j->length[i] = n;
    return TB_OK;
}

static tb_status read_arguments(const tb_array *a, int naxis, const int *axis, const int64_t *length, job *j)
{
    const tb_dtype t = (tb_dtype)a->dtype;
    TB_ARE_NUMBERS(who, a->dtype);
    if (naxis < 0 || naxis > TB_MAXDIM)
        return tb__fail(TB_ERR_VALUE, "fft: from 0 to %d axes are expected, not %d", TB_MAXDIM, naxis);
    if (naxis == 0 && j->kind >= TB_FFT_REAL)
        return tb__fail(TB_ERR_VALUE, "fft: a real transform needs at least one axis");
    if (j->kind > TB_FFT_HALF && !tb__backend->fft_cosines)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "fft: the backend %s has no cosine and sine transforms",
                        tb__backend->name);
    if (takes_reals(j->kind) && tb_dtype_kind(t) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "fft: a real transform takes real numbers, not %s", tb_dtype_name(t));
    j->wide = !tb__is_half(t) && t != TB_F32 && t != TB_C64;
    j->naxis = naxis;
    for (int i = 0; i < naxis; i++) TB_TRY(tb__axis(axis[i], a->ndim, &j->axis[i]));
    for (int i = 0; i < naxis; i++) TB_TRY(choose_length(a, j, i, length));
    return TB_OK;
}

/* ---- one pass ---------------------------------------------------------------------------------------------------- */

/* The result while the backend works: room's, until it is known whose memory it has. */
typedef struct result {
    tb_dtype dtype;
    tb_array *array;
    tb_status status;
} result;

static void *make_room(tb_transform *t)
{
    result *r = t->owner;
    if (!r->array) r->status = tb__empty_strided(r->dtype, t->ndim, t->out_shape, t->out_strides, &r->array);
    if (r->status == TB_OK) r->status = tb__before_write(r->array->buffer);
    return r->status == TB_OK ? r->array->buffer->ptr : NULL;
}

static double scale_of(const tb_transform *t)
{
    const bool forward = t->kind == TB_FFT_FORWARD || t->kind == TB_FFT_REAL;
    double n = 1;
    for (int i = 0; i < t->naxis; i++) n *= (double)t->points[t->axis[i]];
    if (t->norm == TB_FFT_NORM_ORTHO) return 1 / sqrt(n);
    return forward == (t->norm == TB_FFT_NORM_FORWARD) ? 1 / n : 1;
}

/* The shapes before and behind a transform over `naxis` of a job's axes from `first` on, of a's other dimensions. */
static void describe(const tb_array *a, const job *j, tb_fft_kind kind, int first, int naxis, tb_transform *t)
{
    const size_t bytes = (size_t)a->ndim * sizeof *a->dims;
    t->kind = kind;
    t->norm = j->norm;
    t->wide = j->wide;
    t->ndim = a->ndim;
    t->naxis = naxis;
    memcpy(t->axis, j->axis + first, (size_t)naxis * sizeof *t->axis);
    memcpy(t->points, a->dims, bytes);
    for (int i = 0; i < naxis; i++) t->points[t->axis[i]] = j->length[first + i];
    memcpy(t->shape, t->points, bytes);
    memcpy(t->out_shape, t->points, bytes);
    const int last = t->axis[naxis - 1];
    if (kind == TB_FFT_HALF) t->shape[last] = t->points[last] / 2 + 1;
    if (kind == TB_FFT_REAL) t->out_shape[last] = t->points[last] / 2 + 1;
    t->scale = scale_of(t);
}

/* Whether the input's elements are to be real. */
static bool reads_reals(const tb_array *a, const job *j, tb_fft_kind kind)
{
    if (kind > TB_FFT_BACKWARD) return takes_reals(kind);
    if (j->callback || tb_dtype_kind((tb_dtype)a->dtype) == TB_KIND_COMPLEX) return false;
    return tb__backend->fft_reals && tb__backend->fft_reals();
}

/* x, which is in memory, as the input. */
static void take_input(const tb_array *x, bool ours, tb_dtype to, tb_transform *t)
{
    const int64_t item = (int64_t)tb_dtype_size(to);
    memcpy(t->strides, x->strides, (size_t)t->ndim * sizeof *t->strides);
    t->in = x->buffer->ptr + x->offset;
    t->spare = ours && x->buffer->refs == 1;
    if (tb__backend->on_host) tb__strides_c(t->ndim, t->out_shape, item, t->out_strides);
    else tb__strides_like(t->ndim, t->out_shape, x->strides, item, t->out_strides);
}

/* Whether the backend takes it as it is. */
static bool suits(const tb_array *x, const tb_fft_callback *c, const tb_transform *t)
{
    const bool seen = !c || c->stores; /* by the library, else by the callback alone */
    if (tb__backend->fft_spoils && t->kind == TB_FFT_HALF && !t->spare && seen) return false;
    if (c) return tb__is_c_contiguous(x->ndim, x->dims, x->strides, (int64_t)tb_dtype_size((tb_dtype)x->dtype));
    return !tb__backend->fft_suits || tb__backend->fft_suits(t);
}

/* Replaces *x by a copy if it is not. */
static tb_status suit(tb_array **x, const tb_fft_callback *c, tb_dtype to, tb_transform *t)
{
    if (suits(*x, c, t)) return TB_OK;
    tb_array *copy;
    TB_TRY(tb__fft_lay_out(*x, t, &copy));
    tb_array_release(*x);
    *x = copy;
    take_input(copy, true, to, t);
    tb__fft_strides(t, t->out_shape, (int64_t)tb_dtype_size(to), t->out_strides);
    return TB_OK;
}

static tb_status enqueue(tb_array *x, const tb_fft_callback *c, tb_transform *t, result *r)
{
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__reach(s, x->buffer));
    t->room = make_room;
    t->owner = r;
    t->out = NULL;
    t->release = NULL;
    t->scaled = false;
    const uint64_t before = tb__count.launches++;
    const tb_status status = c ? tb__backend->fft_called(s, t, c) : tb__backend->fft(s, t);
    if (status == TB__AGAIN || (c && !t->out)) tb__count.launches = before;
    return r->status != TB_OK ? r->status : status;
}

/* Whose memory it is, the array that has the result. */
static tb_status collect(tb_array *x, const tb_transform *t, result *r, tb_array **out)
{
    if (t->release) {
        TB_TRY(tb__array_adopt(t->out, r->dtype, t->ndim, t->out_shape, t->release, t->release_arg, out));
    } else if (r->array) {
        *out = r->array;
        r->array = NULL;
    } else {
        *out = tb_array_retain(x);
    }
    tb__wrote((*out)->buffer);
    return TB_OK;
}

static tb_status transform(tb_array *a, const job *j, tb_transform *t, tb_array **out)
{
    const tb_fft_callback *c = j->callback;
    tb_array *x;
    result r = {.dtype = dtype_of(gives_reals(t->kind), t->wide)};
    t->reals = reads_reals(a, j, t->kind);
    TB_TRY(tb__fft_fit(a, dtype_of(t->reals, t->wide), t->shape, &x));
    take_input(x, j->ours || x->buffer != a->buffer, r.dtype, t);
    tb_status status = suit(&x, c, r.dtype, t);
    if (c) tb__strides_c(t->ndim, t->out_shape, (int64_t)tb_dtype_size(r.dtype), t->out_strides);
    if (status == TB_OK) status = enqueue(x, c, t, &r);
    if (status == TB_OK && c && !t->out) {
        *out = NULL;
    } else if (status == TB_OK) {
        status = collect(x, t, &r, out);
        if (status != TB_OK && t->release) tb__defer(t->release, t->release_arg);
    }
    if (r.array) tb_array_release(r.array);
    tb_array_release(x);
    return status;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

/* The first of the axes up to `end` that one pass takes: as many as the backend does, none twice. A halved axis of one
 * point is taken alone: cuFFT leaves such axes out, and halves the one before. */
static int begin_of_pass(const job *j, int end)
{
    uint32_t taken = 0;
    int first = end;
    const bool halves = j->kind == TB_FFT_REAL || j->kind == TB_FFT_HALF;
    if (halves && end == j->naxis && j->length[end - 1] == 1) return end - 1;
    while (first > 0 && end - first < tb__backend->fft_axes && !(taken >> j->axis[first - 1] & 1))
        taken |= UINT32_C(1) << j->axis[--first];
    return first;
}

/* One pass: *x (stolen) becomes the result. *scale is multiplied by what the backend left to do. */
static tb_status pass(const job *j, tb_fft_kind kind, int first, int end, tb_array **x, double *scale)
{
    tb_transform t; /* not cleared: it is large */
    tb_array *next;
    describe(*x, j, kind, first, end - first, &t);
    if (tb__product(t.ndim, t.out_shape) == 0) {
        TB_TRY(tb__empty(dtype_of(gives_reals(kind), j->wide), t.ndim, t.out_shape, 'C', &next));
    } else {
        TB_TRY(transform(*x, j, &t, &next));
        if (!t.scaled) *scale *= t.scale;
    }
    tb_array_release(*x);
    *x = next;
    return TB_OK;
}

/* Backward to real numbers the halved axis goes last, otherwise first. */
static tb_status run_passes(job *j, tb_array **x, double *scale)
{
    int first[TB_MAXDIM], n = 0;
    for (int end = j->naxis; end > 0; end = first[n++]) first[n] = begin_of_pass(j, end);
    for (int i = 0; i < n; i++) {
        const int k = j->kind == TB_FFT_HALF ? n - 1 - i : i;
        const tb_fft_kind other = j->kind == TB_FFT_HALF ? TB_FFT_BACKWARD : TB_FFT_FORWARD;
        const bool halves = j->kind == TB_FFT_REAL || j->kind == TB_FFT_HALF;
        const tb_fft_kind kind = k == 0 || !halves ? j->kind : other;
        TB_TRY(pass(j, kind, first[k], k == 0 ? j->naxis : first[k - 1], x, scale));
        j->ours = true;
    }
    return TB_OK;
}

static tb_status scaled(tb_array *x, double by, tb_array **out)
{
    const tb_operand in[] = {tb_operand_array(x), tb_operand_float(by)};
    if (by != 1) return tb__ufunc_call(tb_ufunc_find("multiply"), in, out, &(tb_ufunc_args)TB_UFUNC_ARGS_INIT);
    *out = tb_array_retain(x);
    return TB_OK;
}

static tb_status result_shape(const tb_array *a, const job *j, int64_t *shape)
{
    int64_t size;
    memcpy(shape, a->dims, (size_t)a->ndim * sizeof *shape);
    for (int i = 0; i < j->naxis; i++) shape[j->axis[i]] = j->length[i];
    if (j->kind == TB_FFT_REAL) shape[j->axis[j->naxis - 1]] = j->length[j->naxis - 1] / 2 + 1;
    return tb__shape_size(who, a->ndim, shape, 16, &size);
}

static tb_status fft(tb_array *a, job j, int naxis, const int *axis, const int64_t *length, tb_array *into,
                     tb_array **out)
{
    int64_t shape[TB_MAXDIM];
    double scale = 1;
    tb_array *x, *done;
    TB_TRY(read_arguments(a, naxis, axis, length, &j));
    TB_TRY(result_shape(a, &j, shape));
    const tb_dtype t = dtype_of(gives_reals(j.kind), j.wide);
    if (into) TB_TRY(tb__check_out(who, into, t, TB_CAST_SAME_KIND, a->ndim, shape));
    tb_status status = naxis == 0 ? tb__astype(a, t, 'C', TB_CAST_UNSAFE, true, &x) : TB_OK;
    TB_TRY(status);
    if (naxis > 0) x = tb_array_retain(a);
    status = run_passes(&j, &x, &scale);
    if (status == TB_OK) status = scaled(x, scale, &done);
    tb_array_release(x);
    TB_TRY(status);
    return tb__deliver(done, into, out);
}

static tb_status check(tb_fft_kind kind, tb_fft_norm norm, int naxis, const int *axis)
{
    TB_IS_CHOICE(kind, TB_FFT_SINE_4 + 1);
    TB_IS_CHOICE(norm, TB_FFT_NORM_FORWARD + 1);
    if (naxis > 0) TB_NOT_NULL(axis);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB_OK;
}

tb_status tb_fft(tb_array *a, tb_fft_kind kind, tb_fft_norm norm, int naxis, const int *axis, const int64_t *length,
                 tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_TRY(check(kind, norm, naxis, axis));
    return TB__OPERATION(fft(a, (job){.kind = kind, .norm = norm}, naxis, axis, length, NULL, out));
}

tb_status tb_fft_into(tb_array *a, tb_fft_kind kind, tb_fft_norm norm, int naxis, const int *axis,
                      const int64_t *length, tb_array *into)
{
    TB_NOT_NULL(a, into);
    TB_TRY(check(kind, norm, naxis, axis));
    return TB__OPERATION(fft(a, (job){.kind = kind, .norm = norm}, naxis, axis, length, into, NULL));
}

/* ---- with a callback --------------------------------------------------------------------------------------------- */

static tb_status one_pass(const job *j, int ndim)
{
    bool plain = j->naxis > 0 && j->naxis <= tb__backend->fft_axes && tb__backend->fft_called;
    for (int i = 0; i < j->naxis; i++) plain = plain && j->axis[i] == ndim - j->naxis + i;
    if (plain) return TB_OK;
    return tb__fail(TB_ERR_NOT_IMPLEMENTED, "fft: no callback within transforms over these axes on %s",
                    tb__backend->name);
}

static tb_status fft_called(tb_array *a, job j, int naxis, const int *axis, const int64_t *length, tb_array **out)
{
    tb_transform t;
    TB_TRY(read_arguments(a, naxis, axis, length, &j));
    TB_TRY(one_pass(&j, a->ndim));
    describe(a, &j, j.kind, 0, naxis, &t);
    if (tb__product(t.ndim, t.out_shape) == 0)
        return tb__empty(dtype_of(j.kind == TB_FFT_HALF, j.wide), t.ndim, t.out_shape, 'C', out);
    return transform(a, &j, &t, out);
}

tb_status tb_fft_called(tb_array *a, tb_fft_kind kind, int naxis, const int *axis, const int64_t *length,
                        const tb_fft_callback *callback, tb_array **out)
{
    TB_NOT_NULL(a, callback, out);
    TB_WHOLE_ARGS(tb_fft_callback, callback, TB_FFT_CALLBACK_INIT);
    TB_NOT_NULL(callback->source, callback->function);
    TB_TRY(check(kind, TB_FFT_NORM_BACKWARD, naxis, axis));
    TB_TRY(tb__options_check(callback->source));
    const bool forward = kind == TB_FFT_FORWARD || kind == TB_FFT_REAL;
    const job j = {.kind = kind, .norm = forward ? TB_FFT_NORM_BACKWARD : TB_FFT_NORM_FORWARD, .callback = callback};
    return TB__OPERATION(fft_called(a, j, naxis, axis, length, out));
}

/* ---- plans that are kept ----------------------------------------------------------------------------------------- */

static tb_status cache(const char *function, int device, tb_fft_cache_op op, tb_fft_cache *c)
{
    TB_TRY(tb__device_ready(function, device));
    return tb__backend->fft_cache(device, op, c);
}

tb_status tb_fft_cache_read(int device, tb_fft_cache *out)
{
    tb_fft_cache found = {0};
    TB_NOT_NULL(out);
    TB_TRY(TB__OPERATION(cache(__func__, device, TB_FFT_CACHE_READ, &found)));
    *out = found;
    return TB_OK;
}

tb_status tb_fft_cache_limit(int device, int64_t most_plans, int64_t most_bytes)
{
    tb_fft_cache limits = {.most_plans = most_plans, .most_bytes = most_bytes};
    if (most_plans < -1 || most_bytes < -1)
        return tb__fail(TB_ERR_VALUE, "%s: limits must be at least -1, they are %lld and %lld", __func__,
                        (long long)most_plans, (long long)most_bytes);
    return TB__OPERATION(cache(__func__, device, TB_FFT_CACHE_LIMIT, &limits));
}

tb_status tb_fft_cache_clear(int device)
{
    tb_fft_cache none = {0};
    return TB__OPERATION(cache(__func__, device, TB_FFT_CACHE_CLEAR, &none));
}
