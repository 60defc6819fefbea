/* dlpack.c - DLPack in both directions, in the older form without a version too. */
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "conveniences/dl_tensor.h"

static bool on_host(void) { return strcmp(tb_backend_name(), "cpu") == 0; }

/* ---- export ------------------------------------------------------------------------------------------------------ */

typedef struct exported {
    union {
        struct DLManagedTensor plain;
        struct DLManagedTensorVersioned versioned;
    } u;
    tb_array *array;
    int64_t dims[2 * TB_MAXDIM];
} exported;

static void free_exported(exported *e)
{
    tb_array_unshare(e->array);
    tb_array_release(e->array);
    free(e);
}

static void delete_plain(struct DLManagedTensor *m) { free_exported(m->context); }
static void delete_versioned(struct DLManagedTensorVersioned *m) { free_exported(m->context); }

static void describe(exported *e, dl_tensor *x, void *data)
{
    const tb_array *a = e->array;
    const tb_dtype t = tb_array_dtype(a);
    const int64_t size = (int64_t)tb_dtype_size(t);
    x->data = data;
    x->device.type = on_host() ? DL_CPU : DL_CUDA;
    x->device.id = on_host() ? 0 : tb_array_device(a);
    x->ndim = tb_array_ndim(a);
    x->dtype.bits = (uint8_t)(8 * size);
    x->dtype.lanes = 1;
    switch (tb_dtype_kind(t)) {
    case TB_KIND_BOOL: x->dtype.code = DL_BOOL; break;
    case TB_KIND_INT: x->dtype.code = tb_dtype_is_unsigned(t) ? DL_UINT : DL_INT; break;
    case TB_KIND_FLOAT: x->dtype.code = t == TB_BF16 ? DL_BFLOAT : DL_FLOAT; break;
    default: x->dtype.code = DL_COMPLEX; break;
    }
    x->shape = e->dims;
    x->strides = e->dims + x->ndim;
    for (int i = 0; i < x->ndim; i++) {
        x->shape[i] = tb_array_shape(a)[i];
        x->strides[i] = tb_array_strides(a)[i] / size;
    }
    x->byte_offset = 0;
}

/* DLPack counts strides in elements, and only the newer form can say that memory is for reading. */
static tb_status check_exportable(const tb_array *a, bool versioned)
{
    const int64_t size = (int64_t)tb_dtype_size(tb_array_dtype(a));
    const char *why = NULL;
    if (tb__is_record(tb_array_dtype(a))) why = "DLPack has no such elements";
    for (int i = 0; i < tb_array_ndim(a); i++)
        if (tb_array_strides(a)[i] % size != 0) why = "its strides are not multiples of the item's size";
    if (!versioned && !tb_array_is_writable(a)) why = "it is read-only, which only max_version=(1, 0) can tell";
    return why ? tb__fail(TB_ERR_VALUE, "__dlpack__: the array cannot be exported: %s", why) : TB_OK;
}

static tb_status export(tb_array *a, bool versioned, exported **out, void **data)
{
    TB_TRY(check_exportable(a, versioned));
    exported *e = calloc(1, sizeof *e);
    if (!e) return tb__fail_memory(sizeof *e, 0, 0, 0);
    const tb_status status = tb_array_share(a, data);
    if (status != TB_OK) {
        free(e);
        return status;
    }
    e->array = tb_array_retain(a);
    *out = e;
    return TB_OK;
}

tb_status tb_to_dlpack(tb_array *a, struct DLManagedTensor **managed)
{
    exported *e;
    void *data;
    TB_NOT_NULL(a, managed);
    TB_TRY(export(a, false, &e, &data));
    struct DLManagedTensor *m = &e->u.plain;
    describe(e, &m->tensor, data);
    m->context = e;
    m->deleter = delete_plain;
    *managed = m;
    return TB_OK;
}

tb_status tb_to_dlpack_versioned(tb_array *a, bool copied, struct DLManagedTensorVersioned **managed)
{
    exported *e;
    void *data;
    TB_NOT_NULL(a, managed);
    TB_TRY(export(a, true, &e, &data));
    struct DLManagedTensorVersioned *m = &e->u.versioned;
    describe(e, &m->tensor, data);
    m->version.major = 1;
    m->context = e;
    m->deleter = delete_versioned;
    m->flags = (copied ? DL_COPIED : 0) | (tb_array_is_writable(a) ? 0 : DL_READ_ONLY);
    *managed = m;
    return TB_OK;
}

void tb_dlpack_delete(struct DLManagedTensor *managed)
{
    if (managed && managed->deleter) managed->deleter(managed);
}

void tb_dlpack_delete_versioned(struct DLManagedTensorVersioned *managed)
{
    if (managed && managed->deleter) managed->deleter(managed);
}

/* ---- import ------------------------------------------------------------------------------------------------------ */

static void (*call_deleter)(void (*fn)(void *), void *arg);

void tb_dlpack_deleter_function(void (*call)(void (*fn)(void *), void *arg)) { call_deleter = call; }

static void delete_now(void *managed) { tb_dlpack_delete(managed); }
static void delete_versioned_now(void *managed) { tb_dlpack_delete_versioned(managed); }

static void plain_gone(void *managed)
{
    if (call_deleter) call_deleter(delete_now, managed);
    else delete_now(managed);
}

static void versioned_gone(void *managed)
{
    if (call_deleter) call_deleter(delete_versioned_now, managed);
    else delete_versioned_now(managed);
}

/* Whether this backend can reach the memory. */
static bool reachable(int type)
{
    if (on_host()) return type == DL_CPU || type == DL_CUDA_HOST;
    return type == DL_CUDA || type == DL_CUDA_MANAGED;
}

/* An array over x's memory. What the tensor says of itself is somebody else's word. */
static tb_status wrap(const dl_tensor *x, bool read_only, void (*gone)(void *), void *managed, tb_array **out)
{
    tb_foreign m;
    int ndevice = 0;
    TB_TRY(tb_init());
    if (!reachable(x->device.type))
        return tb__fail(TB_ERR_VALUE, "from_dlpack: memory of device type %d is out of reach of the '%s' backend",
                        (int)x->device.type, tb_backend_name());
    TB_TRY(tb_device_count(&ndevice));
    if (!on_host() && (x->device.id < 0 || x->device.id >= ndevice))
        return tb__fail(TB_ERR_VALUE, "from_dlpack: there is no device %d", (int)x->device.id);
    const char *wrong = tb__dl_read(x, &m);
    if (wrong)
        return tb__fail(TB_ERR_VALUE, "from_dlpack: %s: type code %d, %d bits, %d lanes, %d dimensions", wrong,
                        x->dtype.code, x->dtype.bits, x->dtype.lanes, (int)x->ndim);
    return tb__foreign_wrap(&m, on_host() ? 0 : x->device.id, read_only, gone, managed, out);
}

/* A tensor of our own: the array in it keeps its place among pending work. */
static tb_array *take_own(exported *e)
{
    tb_array *a = tb_array_retain(e->array);
    free_exported(e);
    return a;
}

tb_status tb_from_dlpack(struct DLManagedTensor *managed, bool read_only, tb_array **out)
{
    TB_NOT_NULL(managed, out);
    if (managed->deleter != delete_plain) return wrap(&managed->tensor, read_only, plain_gone, managed, out);
    *out = take_own(managed->context);
    return TB_OK;
}

tb_status tb_from_dlpack_versioned(struct DLManagedTensorVersioned *managed, tb_array **out)
{
    TB_NOT_NULL(managed, out);
    if (managed->version.major > 1)
        return tb__fail(TB_ERR_VALUE, "from_dlpack: DLPack version %u is not supported",
                        (unsigned)managed->version.major);
    if (managed->deleter != delete_versioned)
        return wrap(&managed->tensor, managed->flags & DL_READ_ONLY, versioned_gone, managed, out);
    *out = take_own(managed->context);
    return TB_OK;
}
