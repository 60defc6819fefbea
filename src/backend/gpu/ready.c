/* ready.c - a plan in pieces, up to the point where nothing is left but to call the driver.
 *
 * No piece may run before all of them are known to: the first may overwrite what the whole kernel would read. So every
 * piece is prepared once, its launch is kept, and the driver is called with it later. */
#include <stdlib.h>

#include "backend/gpu/kernel.h"

/* The launch of a piece by its variant. */
static bool by_variant(int device, const tb_plan *p, const tb_outline *o, tb_kernel_place place, tb_launch *out)
{
    tb_variant v;
    tb_kernel *k;
    if (tb__codegen_variant(p, &tb__gpu_devices[device].chip, &v) != TB_OK) return false;
    if (tb__kernel_get(device, &v, &k) != TB_OK) return false;
    if (tb__kernel_state(k) != TB_KERNEL_READY && tb__tier_advance(k, p, place) != TB_OK) return false;
    if (tb__kernel_state(k) != TB_KERNEL_READY) return false;
    if (o) tb__recent_add(device, o, k, &v);
    if (!o || !tb__recent_find(device, o, p, out)) out->function = NULL;
    return true;
}

static bool prepare(int device, const tb_plan *p, tb_kernel_place place, tb_launch *out)
{
    tb_outline o;
    const bool outlined = tb__codegen_outline(p, &o);
    if (outlined && tb__recent_find(device, &o, p, out)) return true;
    return by_variant(device, p, outlined ? &o : NULL, place, out);
}

static bool prepare_all(int device, tb_kernel_place place, tb_ready *r)
{
    tb_plan piece;
    for (int i = 0; i < r->pieces.n; i++) {
        tb__pieces_plan(&r->pieces, i, r->slots, &piece);
        if (!prepare(device, &piece, place, &r->launch[i])) return false;
    }
    return true;
}

static void give_back(tb_stream *s, tb_ready *r, int nslot)
{
    while (nslot > 0) tb__pool_free(s->device, s->handle, r->slots[--nslot]);
    free(r->launch);
}

bool tb__ready_pieces(tb_stream *s, const tb_plan *p, tb_kernel_place place, tb_ready *out)
{
    int n = 0;
    if (!tb__pieces_of(p, &out->pieces)) return false;
    out->launch = malloc((size_t)out->pieces.n * sizeof *out->launch);
    bool ok = out->launch != NULL;
    while (ok && n < out->pieces.nslot) {
        ok = tb__pool_alloc(s, out->pieces.slot_size[n], &out->slots[n]) == TB_OK;
        n += ok;
    }
    if (ok && prepare_all(s->device, place, out)) return true;
    give_back(s, out, n);
    return false;
}

void tb__ready_free(tb_stream *s, tb_ready *r) { give_back(s, r, r->pieces.nslot); }
