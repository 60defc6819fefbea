/* fft_callback.c - transforms that call a function of the caller's where cuFFT's own kernels load or store elements.
 *
 * cuFFT links the function, as LTO-IR, into kernels that it makes with the plan, by nvJitLink. It knows it by a C++
 * name and the types that its callbacks have, and has read both when the plan is made. The function is text of the
 * caller's, with any name and either type of offsets: what cuFFT knows is a function behind it that calls it. That one
 * hands it other addresses than cuFFT's own. Info is an address that a plan has for good, so it is a slot's (fft.h),
 * which says where the caller's is. And cuFFT may keep what it has computed so far where the result will be, or where
 * elements to be loaded are; so it is given memory of nobody's there, and functions load from where they like and store
 * to where they like, as kernels do that run before and behind the transform. */
#include <stdlib.h>
#include <string.h>

#include "backend/capture.h"
#include "backend/cuda/fft.h"
#include "backend/cuda/module.h"
#include "backend/memory/memory.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/shape.h"
#include "base/text.h"

enum { ALIGNMENT = 512 };

/* ---- the text ---------------------------------------------------------------------------------------------------- */

static const char slot_text[] = "\nstruct tb_slot { void *data, *info; };\n";
static const char load_text[] =
    "template <class T, class N>\n"
    "__device__ T tb_call(T (*f)(void *, N, void *, void *), const tb_slot *s, unsigned long long i)\n"
    "{\n"
    "    return f(s->data, (N)i, s->info, nullptr);\n"
    "}\n"
    "__device__ %s tb_load(void *, unsigned long long i, void *slot, void *)\n"
    "{\n"
    "    return tb_call<%s>(%s, (const tb_slot *)slot, i);\n"
    "}\n";
static const char store_text[] =
    "template <class T, class N>\n"
    "__device__ void tb_call(void (*f)(void *, N, T, void *, void *), const tb_slot *s, unsigned long long i, T x)\n"
    "{\n"
    "    f(s->data, (N)i, x, s->info, nullptr);\n"
    "}\n"
    "__device__ void tb_store(void *, unsigned long long i, %s x, void *slot, void *)\n"
    "{\n"
    "    tb_call<%s>(%s, (const tb_slot *)slot, i, x);\n"
    "}\n";

static bool is_real(const tb_transform *t, const tb_fft_callback *c)
{
    return t->kind == (c->stores ? TB_FFT_HALF : TB_FFT_REAL);
}

void tb__cufft_callback_text(const tb_fft_callback *c, bool real, bool wide, tb_text *out)
{
    static const char *const types[] = {"cufftComplex", "cufftDoubleComplex", "cufftReal", "cufftDoubleReal"};
    const char *of_type = types[2 * real + wide];
    tb__text_add(out, c->source->code);
    tb__text_add(out, slot_text);
    tb__text_addf(out, c->stores ? store_text : load_text, of_type, of_type, c->function);
}

static tb_status compile(int device, const tb_transform *t, const tb_fft_callback *c, tb_user_image *out)
{
    tb_module_source source = *c->source;
    tb_text text = {0};
    const char **options = malloc(((size_t)source.noption + 2) * sizeof *options);
    if (!options) return tb__fail_memory(0, 0, 0, 0);
    for (int i = 0; i < source.noption; i++) options[i] = source.options[i];
    options[source.noption++] = "-dlto";
    options[source.noption++] = "-rdc=true";
    tb__cufft_callback_text(c, is_real(t, c), t->wide, &text);
    tb_status status = text.failed ? tb__fail_memory(text.len, 0, 0, 0) : TB_OK;
    source.code = text.s;
    source.options = options;
    if (status == TB_OK) status = tb__nvrtc_compile_lto(&source, tb__gpu_devices[device].arch, out);
    if (status == TB_OK) tb__count_up(&tb__count.compiles);
    tb__text_free(&text);
    free(options);
    return status;
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

static uint64_t add_text(uint64_t h, const char *text) { return tb__hash_bytes(h, text, strlen(text) + 1); }

/* What makes a callback another one: types follow from the rest of the layout. */
static uint64_t hash_of(const tb_fft_callback *c)
{
    uint64_t h = add_text(add_text(TB_HASH_START, c->source->code), c->function);
    for (int i = 0; i < c->source->noption; i++) h = add_text(h, c->source->options[i]);
    h = tb__hash_u64(h, c->stores);
    return h ? h : 1;
}

/* Of the side that only the callback sees: what cuFFT is given in its place. */
static size_t hidden_bytes(const tb_transform *t, const tb_fft_callback *c)
{
    const size_t item = (is_real(t, c) ? 4 : 8) * (t->wide ? 2 : 1);
    return (size_t)tb__product(t->ndim, c->stores ? t->out_shape : t->shape) * item;
}

static size_t aligned(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static tb_status new_slot(tb_stream *s, tb_cufft_slot **out)
{
    tb_cufft_slot *slot = calloc(1, sizeof *slot);
    if (!slot) return tb__fail_memory(sizeof *slot, 0, 0, 0);
    const tb_status status = tb__pool_alloc(s, sizeof slot->holds, &slot->memory);
    if (status != TB_OK) {
        free(slot);
        return status;
    }
    slot->device = s->device;
    slot->stream = s->handle;
    *out = slot;
    return TB_OK;
}

static tb_status link_plan(tb_stream *s, const tb_cufft_layout *layout, const tb_transform *t, const tb_fft_callback *c,
                           tb_cufft_plan *out)
{
    tb_user_image image;
    tb_cufft_slot *slot = NULL;
    TB_TRY(compile(s->device, t, c, &image));
    tb_status status = new_slot(s, &slot);
    if (status == TB_OK) {
        const int type = (c->stores ? CUFFT_CB_ST_COMPLEX : CUFFT_CB_LD_COMPLEX) + 2 * is_real(t, c) + t->wide;
        const size_t size = image.size - (size_t)((const unsigned char *)image.code - image.data);
        tb_cufft_link link = {c->stores ? "tb_store" : "tb_load", image.code, size, type, {slot->memory}};
        status = tb__cufft_plan_make(s->device, layout, &link, out);
        if (status != TB_OK) {
            tb__pool_free(s->device, s->handle, slot->memory);
            free(slot);
        }
    }
    free(image.data);
    TB_TRY(status);
    slot->work_size = out->work_size;
    out->work_size = aligned(slot->work_size) + hidden_bytes(t, c);
    out->slot = slot;
    return TB_OK;
}

static tb_status not_kept(void) { return tb__fail(TB_ERR_NOT_IMPLEMENTED, "fft: no plan of that size is kept"); }

/* One that would be made for every call is none: *found is false, as where it is not to be made. */
static tb_status find_or_link(tb_stream *s, const tb_transform *t, const tb_fft_callback *c, tb_cufft_plan *plan,
                              bool *found)
{
    tb_cufft_layout layout;
    bool fits = false;
    if (!tb__cufft_layout(t, &layout)) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "fft: cuFFT has no such layout");
    layout.callback = hash_of(c);
    layout.stream = (uint64_t)(uintptr_t)s->handle;
    TB_TRY(tb__cufft_plan_find(s->device, &layout, found, plan));
    if (*found || !c->link) return TB_OK;
    TB_TRY(tb__cufft_plan_fits(s->device, hidden_bytes(t, c), &fits));
    if (!fits) return not_kept();
    TB_TRY(link_plan(s, &layout, t, c, plan));
    TB_TRY(tb__cufft_plan_keep(s->device, &layout, plan));
    *found = plan->kept;
    if (plan->kept) return TB_OK;
    tb__cufft_plan_done(plan);
    return not_kept();
}

/* ---- running it -------------------------------------------------------------------------------------------------- */

static tb_status fill_slot(tb_stream *s, tb_cufft_slot *slot, void *data, void *info)
{
    if (slot->holds[0] == data && slot->holds[1] == info) return TB_OK;
    void *const holds[] = {data, info};
    slot->holds[0] = NULL;
    TB_CU(cuMemcpyHtoDAsync, tb__cuda_ptr(slot->memory), holds, sizeof holds, s->handle);
    memcpy(slot->holds, holds, sizeof holds);
    return TB_OK;
}

static tb_status run(tb_stream *s, const tb_transform *t, const tb_fft_callback *c, const tb_cufft_plan *plan,
                     void *out)
{
    char *area = NULL;
    TB_TRY(fill_slot(s, plan->slot, c->stores ? out : t->in, c->info));
    TB_TRY(tb__cufft_check(tb__cufft.cufftSetStream(plan->handle, s->handle), "cufftSetStream"));
    TB_TRY(tb__pool_alloc(s, plan->work_size, (void **)&area));
    char *hidden = area + aligned(plan->slot->work_size);
    tb_status status = TB_OK;
    if (plan->slot->work_size > 0)
        status = tb__cufft_check(tb__cufft.cufftSetWorkArea(plan->handle, area), "cufftSetWorkArea");
    if (status == TB_OK) status = tb__cufft_run(t, plan, c->stores ? t->in : hidden, c->stores ? hidden : out);
    tb__pool_free(s->device, s->handle, area);
    return status;
}

tb_status tb__cuda_fft_called(tb_stream *s, tb_transform *t, const tb_fft_callback *c)
{
    tb_cufft_plan plan;
    bool found = false;
    TB_TRY(tb__library_load(&tb__library_cufft));
    if (!tb__cufft.cufftSetCallback12 && !tb__cufft.cufftSetCallback)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "fft: this cuFFT links no callbacks");
    /* The copy to the slot would be recorded, with an address of the host's. */
    if (tb__capturing(s->device)) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "fft: a graph is captured");
    TB_TRY(tb__cuda_enter(s->device));
    TB_TRY(find_or_link(s, t, c, &plan, &found));
    if (!found) return TB_OK;
    void *out = t->room(t);
    if (!out) return TB_ERR_MEMORY;
    void *given = tb__cuda_wait_begin();
    const tb_status status = run(s, t, c, &plan, out);
    tb__wait_end(given);
    if (status == TB_OK) t->out = out;
    return status;
}
