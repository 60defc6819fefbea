/* kernel_text.c - the texts of src/kernels by name, and the headers that a source may include without a toolkit. */
#include "codegen/kernel_text.h"
#include "codegen/special.h"

#include <string.h>

const tb_own_header tb__own_headers[TB_OWN_HEADERS + 1] = {
    {"tombac/complex.cuh", "user_complex", NULL},
    {"cupy/complex.cuh", "user_complex", NULL},
    {"tombac/bfloat16.cuh", "user_bfloat", NULL},
    {"tombac/carray.cuh", "user_types user_half user_complex user_carray", NULL},
    {"cupy/carray.cuh", "user_types user_half user_complex user_carray", NULL},
    {"tombac/cub.cuh", "user_cub", NULL},
    {"tombac/cufft.cuh", "user_cufft", NULL},
    {"tombac/float16.cuh", "user_half", NULL},
    {"tombac/special.cuh", "", tb__special_functions},
    {"tombac/thrust.cuh",
     "user_thrust user_thrust_find user_thrust_copy user_thrust_reduce user_thrust_set"
     " user_thrust_sort",
     NULL},
    {NULL, NULL, NULL},
};

void tb__kernel_text_add(const char *names, tb_text *out)
{
    for (const char *name = names; *name;) {
        size_t n = strcspn(name, " ");
        for (const tb_kernel_text *t = tb__kernel_texts; t->name; t++)
            if (strlen(t->name) == n && memcmp(t->name, name, n) == 0) tb__text_add(out, t->text);
        name += n + (name[n] == ' ');
    }
}

static bool is_own(const char *name, size_t n)
{
    for (const tb_own_header *h = tb__own_headers; h->path; h++)
        if (strlen(h->path) == n && memcmp(h->path, name, n) == 0) return true;
    return false;
}

/* Whether each word of the source is in its text: it includes nothing but own headers, and joins no words. */
static bool is_complete(const char *text)
{
    for (const char *p = text; (p = strstr(p, "include")) != NULL; p += 7) {
        const char *name = p + 7 + strspn(p + 7, " \t<\"");
        if (!is_own(name, strcspn(name, ">\"\n"))) return false;
    }
    return !strstr(text, "##");
}

void tb__own_header_add(const tb_own_header *h, const tb_module_source *source, tb_text *out)
{
    tb__kernel_text_add(h->texts, out);
    if (!h->more) return;
    tb_text all = {0};
    tb__text_add(&all, source ? source->code : "");
    for (int k = 0; source && k < source->noption; k++) tb__text_addf(&all, "\n%s", source->options[k]);
    for (int k = 0; source && k < source->nexpression; k++) tb__text_addf(&all, "\n%s", source->expressions[k]);
    if (all.failed) out->failed = true;
    else if (!source || !is_complete(all.s)) h->more(NULL, out);
    else if (strstr(all.s, h->path)) h->more((const char *const[]){all.s, NULL}, out);
    tb__text_free(&all);
}
