/* transfer.c - arrays of other devices: copying them here.
 *
 * Elements move as one block, in the order of the axes that they have, or that the caller wants. What has gaps is made
 * contiguous on its own device first. The copy is this device's work: it waits for what the other device's stream had
 * to do, and that stream waits for the copy before the memory that was read is used again. */
#include <stdlib.h>

#include "base/error.h"
#include "ops/array_ops.h"

static bool is_block(const tb_array *a, char wanted)
{
    return (wanted != 'F' && a->c_contiguous) || (wanted != 'C' && a->f_contiguous);
}

/* Written, and contiguous in the order `wanted`, on its own device. */
static tb_status make_block(tb_array *a, char wanted, tb_array **out)
{
    int here = tb__device_current();
    if (is_block(a, wanted)) {
        *out = tb_array_retain(a);
    } else {
        TB_TRY(tb_device_use(a->buffer->device));
        tb_status status = tb__copy(a, wanted, out);
        tb_device_use(here);
        TB_TRY(status);
    }
    tb_status status = tb__buffer_eval((*out)->buffer);
    if (status != TB_OK) tb_array_release(*out);
    return status;
}

static tb_status move(tb_array *block, tb_array **out)
{
    tb_array *r;
    tb_stream *to, *from = block->buffer->stream;
    TB_TRY(tb__current_stream(&to));
    TB_TRY(tb__empty_strided((tb_dtype)block->dtype, block->ndim, block->dims, block->strides, &r));
    size_t bytes = (size_t)block->size * tb_dtype_size((tb_dtype)block->dtype);
    if (bytes && !to->capture) tb__peer_reach(to->device, from->device);
    tb_status status = bytes ? tb__stream_follow(to, from) : TB_OK;
    if (status == TB_OK && bytes)
        status = tb__backend->copy(to, r->buffer->ptr + r->offset, block->buffer->ptr + block->offset, bytes);
    if (status == TB_OK && bytes) status = tb__stream_follow(from, to);
    if (status != TB_OK) tb_array_release(r);
    else *out = r;
    return status;
}

tb_status tb__bring(tb_array *a, char wanted, tb_array **out)
{
    tb_array *block = NULL;
    TB_TRY(make_block(a, wanted, &block));
    tb_status status = move(block, out);
    tb_array_release(block);
    return status;
}
