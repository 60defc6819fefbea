/* search.c - where values belong among elements in order: the host's loops, or on another device a kernel that searches
 * for one value a thread. Narrow dtypes are searched as wider ones that hold them. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/lock.h"
#include "ops/array_ops.h"

static tb_dtype search_dtype(tb_dtype t)
{
    switch (t) {
    case TB_BOOL:
    case TB_I8:
    case TB_U8:
    case TB_I16:
    case TB_U16: return TB_I32;
    case TB_F16: return TB_F32;
    default: return t;
    }
}

/* *sorted and *values are replaced by new arrays of one dtype, of which the loops know. */
static tb_status make_ready(tb_array **sorted, tb_array **values)
{
    const tb_dtype t = search_dtype(tb_promote((tb_dtype)(*sorted)->dtype, (tb_dtype)(*values)->dtype));
    tb_array *first, *second;
    TB_TRY(tb__stored(*sorted, t, &first));
    const tb_status status = tb__stored(*values, t, &second);
    if (status == TB_OK) {
        *sorted = first;
        *values = second;
    } else {
        tb_array_release(first);
    }
    return status;
}

static const char *at_of(const tb_array *a) { return (const char *)a->buffer->ptr + a->offset; }

static tb_status search_here(tb_array *sorted, tb_array *values, bool right, tb_array **out)
{
    tb_stream *s;
    tb_array *result;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__empty(TB_I64, values->ndim, values->dims, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK) {
        const tb_search search = {(tb_dtype)sorted->dtype,
                                  right,
                                  at_of(sorted),
                                  at_of(values),
                                  .nsorted = sorted->size,
                                  .n = values->size,
                                  .out = (int64_t *)(void *)result->buffer->ptr};
        status = tb__backend->search(s, &search);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* ---- by a kernel ------------------------------------------------------------------------------------------------ */

/* By NumPy's order: NaN last, complex numbers by what is NaN in them first. */
static const char LESS[] =
    "template <typename T> __device__ inline bool comes_before(T a, T b) { return a < b || (b != b && a == a); }\n"
    "template <typename T> __device__ inline bool comes_before(complex<T> a, complex<T> b)\n"
    "{\n"
    "    const bool a_whole = a.imag() == a.imag(), b_whole = b.imag() == b.imag();\n"
    "    if (a.real() < b.real()) return a_whole || !b_whole;\n"
    "    if (a.real() > b.real()) return a_whole && !b_whole;\n"
    "    if (a.real() == b.real() || (a.real() != a.real() && b.real() != b.real()))\n"
    "        return comes_before(a.imag(), b.imag());\n"
    "    return b.real() != b.real();\n"
    "}\n";

static const char SEARCH[] = "long long from = 0, left = count;\n"
                             "while (left > 0) {\n"
                             "    const long long half = left / 2;\n"
                             "    const T here = sorted[from + half];\n"
                             "    if (right ? !comes_before(value, here) : comes_before(here, value)) {\n"
                             "        from += half + 1;\n"
                             "        left -= half + 1;\n"
                             "    } else {\n"
                             "        left = half;\n"
                             "    }\n"
                             "}\n"
                             "place = from;";

/* One for all calls, which keeps what it has compiled. */
static tb_status search_kernel(tb_elementwise **out)
{
    static tb_elementwise *kernel;
    tb_elementwise_source source = TB_ELEMENTWISE_SOURCE_INIT;
    source.in_params = "raw T sorted, T value, int64 count, bool right";
    source.out_params = "int64 place";
    source.operation = SEARCH;
    source.preamble = LESS;
    source.name = "tombac_searchsorted";
    if (!kernel) TB_TRY(tb_elementwise_new(&source, &kernel));
    *out = kernel;
    return TB_OK;
}

static tb_status search_by_kernel(tb_array *sorted, tb_array *values, bool right, tb_array **out)
{
    tb_elementwise *kernel;
    const tb_operand in[] = {tb_operand_array(sorted), tb_operand_array(values), tb_operand_int(sorted->size),
                             tb_operand_int(right)};
    TB_TRY(search_kernel(&kernel));
    return tb_elementwise_call(kernel, in, out, NULL);
}

static tb_status search(tb_array *sorted, tb_array *values, bool right, tb_array **out)
{
    if (sorted->ndim != 1)
        return tb__fail(TB_ERR_VALUE, "searchsorted: elements in order must be one-dimensional, not of %d dimensions",
                        sorted->ndim);
    if (sorted->size == 0 || values->size == 0)
        return tb__full(TB_I64, values->ndim, values->dims, 'C', tb_scalar_int(0), out);
    TB_TRY(make_ready(&sorted, &values));
    const tb_status status = (tb__backend->search ? search_here : search_by_kernel)(sorted, values, right, out);
    tb_array_release(sorted);
    tb_array_release(values);
    return status;
}

tb_status tb_searchsorted(tb_array *sorted, tb_array *values, bool right, tb_array **out)
{
    TB_NOT_NULL(sorted, values, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(search(sorted, values, right, out));
}
