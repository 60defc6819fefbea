/* solve_on_host.c - dense linear algebra by the host's LAPACK: for what no library of the device solves. The host waits
 * for the stream. */
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/kernel.h"
#include "base/error.h"

/* What the routine reads and writes, on the device and on the host. */
typedef struct operand {
    char letter;
    void *device;
    void *host;
    size_t bytes; /* of the whole stack */
} operand;

enum { NOPERAND = 5 };

static void list_operands(const tb_solve *q, operand *out)
{
    tb_solve_sizes size;
    const size_t n = (size_t)q->batch;
    tb__solve_sizes(q, &size);
    out[0] = (operand){'a', q->a, NULL, n * size.a};
    out[1] = (operand){'b', q->b, NULL, n * size.b};
    out[2] = (operand){'c', q->c, NULL, n * size.c};
    out[3] = (operand){'v', q->v, NULL, n * size.v};
    out[4] = (operand){'p', q->pivots, NULL, n * size.pivots};
}

static tb_status bring(tb_stream *s, operand *o, const char *in)
{
    if (!o->bytes) return TB_OK;
    o->host = malloc(o->bytes);
    if (!o->host) return tb__fail_memory(o->bytes, 0, 0, 0);
    return strchr(in, o->letter) ? tb__backend->copy_out(s, o->host, o->device, o->bytes, true) : TB_OK;
}

static tb_status solve(tb_stream *s, const tb_solve *q, operand *o, int32_t *info)
{
    const tb_solve_use use = tb__solve_use(q);
    tb_solve here = *q;
    for (int i = 0; i < NOPERAND; i++) TB_TRY(bring(s, &o[i], use.in));
    here.a = o[0].host;
    here.b = o[1].host;
    here.c = o[2].host;
    here.v = o[3].host;
    here.pivots = o[4].host;
    here.info = info;
    TB_TRY(tb__host_solve(NULL, &here));
    for (int i = 0; i < NOPERAND; i++)
        if (o[i].bytes && strchr(use.out, o[i].letter))
            TB_TRY(tb__backend->copy_in(s, o[i].device, o[i].host, o[i].bytes, true));
    return q->info ? tb__backend->copy_in(s, q->info, info, (size_t)q->batch * sizeof *info, true) : TB_OK;
}

tb_status tb__gpu_solve_on_host(tb_stream *s, const tb_solve *q)
{
    operand operands[NOPERAND];
    const size_t bytes = (size_t)q->batch * sizeof(int32_t);
    int32_t *info = malloc(bytes);
    if (!info) return tb__fail_memory(bytes, 0, 0, 0);
    list_operands(q, operands);
    const tb_status status = solve(s, q, operands, info);
    for (int i = 0; i < NOPERAND; i++) free(operands[i].host);
    free(info);
    return status;
}
