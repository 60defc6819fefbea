/* kernel.c - the kernels of this process, by variant and device.
 *
 * The table is guarded by the core lock; kernels never leave it. Of a kernel's fields a thread that compiles
 * (compilers.c) writes image, read, failure and state, and only while it is QUEUED; of one that was made in a hurry
 * `better`, until `improved` says that it is there. */
#include "backend/gpu/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "backend/capture.h"
#include "base/error.h"
#include "base/hash.h"

static tb_kernel **table;
static size_t slots, taken; /* slots is a power of two */

static size_t slot_of(uint64_t hash, int device) { return (size_t)tb__hash_u64(hash, (uint64_t)device) & (slots - 1); }

static bool grow(void)
{
    size_t old_slots = slots, bigger = slots ? 2 * slots : 256;
    tb_kernel **old = table, **fresh = calloc(bigger, sizeof *fresh);
    if (!fresh) return false;
    table = fresh;
    slots = bigger;
    for (size_t i = 0; i < old_slots; i++) {
        for (tb_kernel *k = old[i]; k;) {
            tb_kernel *next = k->next;
            size_t at = slot_of(k->hash, k->device);
            k->next = table[at];
            table[at] = k;
            k = next;
        }
    }
    free(old);
    return true;
}

static tb_status add(int device, const tb_variant *v, tb_kernel **out)
{
    size_t keylen = (size_t)v->keylen;
    if (taken >= slots && !grow()) return tb__fail_memory(slots, 0, 0, 0);
    tb_kernel *k = calloc(1, sizeof *k + keylen);
    if (!k) return tb__fail_memory(sizeof *k + keylen, 0, 0, 0);
    k->device = device;
    k->hash = v->hash;
    k->keylen = v->keylen;
    memcpy(k->key, v->key, keylen);
    size_t at = slot_of(k->hash, device);
    k->next = table[at];
    table[at] = k;
    taken++;
    *out = k;
    return TB_OK;
}

static tb_status load_image(tb_kernel *k, const tb_image *image)
{
    tb_gpu_function function;
    TB_TRY(tb__gpu->enter(k->device));
    TB_TRY(tb__gpu->load(k->device, image, &function));
    k->function = function.handle;
    k->early = function.early;
    tb__kernel_set_state(k, TB_KERNEL_READY);
    return TB_OK;
}

/* What was made in a hurry gives way; it stays loaded, since launches of it may be under way, or part of a graph. Not
 * during a capture, which a program that has warmed up for it expects to load nothing. */
static void improve(tb_kernel *k)
{
    if (tb__kernel_state(k) != TB_KERNEL_READY) return;
    if (tb__capturing(k->device)) {
        tb__recent_forget();
        return;
    }
    load_image(k, &k->better); /* where that fails it serves on */
    free(k->better.data);
    k->better = (tb_image){0};
    __atomic_store_n(&k->improved, false, __ATOMIC_RELAXED);
}

tb_status tb__kernel_get(int device, const tb_variant *v, tb_kernel **out)
{
    tb_kernel *k = slots ? table[slot_of(v->hash, device)] : NULL;
    for (; k; k = k->next) {
        if (k->hash != v->hash || k->device != device || k->keylen != v->keylen) continue;
        if (memcmp(k->key, v->key, (size_t)v->keylen) != 0) continue;
        if (__atomic_load_n(&k->improved, __ATOMIC_ACQUIRE)) improve(k);
        *out = k;
        return TB_OK;
    }
    return add(device, v, out);
}

/* ---- loading -------------------------------------------------------------------------------------------------- */

tb_status tb__kernel_load(tb_kernel *k)
{
    const tb_status status = load_image(k, &k->image);
    if (status != TB_OK && !k->read) return status;
    free(k->image.data);
    k->image = (tb_image){0};
    if (status == TB_OK) return TB_OK;
    k->searched = TB_ON_DISK;
    k->distrusted = true;
    tb__kernel_set_state(k, TB_KERNEL_MISSING);
    return TB_OK;
}

/* A file that the driver will not load counts as one that is not there. */
static bool try_image(tb_kernel *k, tb_image *image)
{
    bool loaded = load_image(k, image) == TB_OK;
    free(image->data);
    *image = (tb_image){0};
    return loaded;
}

static bool search_shipped(tb_kernel *k, const char *source, int arch)
{
    tb_image image;
    if (!tb__bundle_read(source, arch, &image) || !try_image(k, &image)) return false;
    tb__count_up(&tb__count.cache_hits_shipped);
    return true;
}

static bool search_disk(tb_kernel *k, const char *source, int arch)
{
    tb_kernel_name name;
    tb_image image;
    if (!tb__disk_name(source, arch, &name) || !tb__disk_read(&name, &image) || !try_image(k, &image)) return false;
    tb__count_up(&tb__count.cache_hits_disk);
    return true;
}

tb_status tb__kernel_search(tb_kernel *k, const tb_plan *p, tb_kernel_place place)
{
    const tb_gpu_device *d = &tb__gpu_devices[k->device];
    const tb_kernel_place searched = k->searched;
    tb_text source = {0};
    if (searched >= place) return TB_OK;
    tb_status status = tb__codegen_source(p, &d->chip, &source);
    if (status == TB_OK && source.failed) status = tb__fail_memory(source.len, 0, 0, 0);
    if (status == TB_OK) {
        k->searched = place;
        if (searched >= TB_SHIPPED || !search_shipped(k, source.s, d->arch))
            if (place >= TB_ON_DISK) search_disk(k, source.s, d->arch);
    }
    tb__text_free(&source);
    return status;
}

static tb_status compile_source(tb_kernel *k, const char *source, int arch)
{
    tb_kernel_name name;
    TB_TRY(tb__gpu->compile(source, arch, false, &k->image));
    tb__count_up(&tb__count.compiles);
    if (tb__disk_name(source, arch, &name)) tb__disk_write(&name, &k->image);
    tb_status status = tb__kernel_load(k);
    free(k->image.data);
    k->image = (tb_image){0};
    return status;
}

tb_status tb__kernel_compile(tb_kernel *k, const tb_plan *p)
{
    const tb_gpu_device *d = &tb__gpu_devices[k->device];
    tb_text source = {0};
    tb_status status = tb__codegen_source(p, &d->chip, &source);
    if (status == TB_OK && source.failed) status = tb__fail_memory(source.len, 0, 0, 0);
    if (status == TB_OK) status = compile_source(k, source.s, d->arch);
    tb__text_free(&source);
    return status;
}
