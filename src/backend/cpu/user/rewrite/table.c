/* table.c - the tables that follow the rewritten text: kernels by name, among them those that name expressions
 * instantiate, and __device__ and __constant__ variables. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "backend/cpu/user/rewrite/rewrite.h"

static void add_quoted(const char *s, tb_text *out)
{
    tb__text_add(out, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') tb__text_add(out, "\\");
        if (*s == '\n') tb__text_add(out, "\\n");
        else tb__text_addn(out, s, 1);
    }
    tb__text_add(out, "\"");
}

static const char *skip_address(const char *expression)
{
    while (*expression == ' ' || *expression == '&') expression++;
    return expression;
}

/* The kernel that an expression instantiates, by its last name before <. */
static const tb_found_kernel *kernel_of(const tb_rewriter *r, const char *expression)
{
    const char *s = skip_address(expression), *end = s + strcspn(s, "<");
    while (end > s && isspace((unsigned char)end[-1])) end--;
    const char *name = end;
    while (name > s && (isalnum((unsigned char)name[-1]) || name[-1] == '_')) name--;
    return tb__kernel_named(r, name, (size_t)(end - name));
}

static void add_kernel(const char *name, const char *expression, const tb_found_kernel *k, tb_text *out)
{
    tb__text_addf(out, "%s(", k->waits ? "TB_KERNEL_WAITS" : "TB_KERNEL_LOOPS");
    add_quoted(name, out);
    tb__text_addf(out, ", %d, %s),\n", k->max_threads, expression);
}

void tb__add_tables(const tb_rewriter *r, tb_text *out)
{
    tb__text_add(out, "#line 1 \"name_expressions\"\nstatic const tb_host_kernel tb_kernels[] = {\n");
    for (int k = 0; k < r->nkernel; k++)
        if (r->kernels[k].looked_up) add_kernel(r->kernels[k].name, r->kernels[k].name, &r->kernels[k], out);
    for (int k = 0; k < r->nkernel; k++) {
        if (!r->kernels[k].mangled) continue;
        char name[TB_FOUND_NAME + 32];
        snprintf(name, sizeof name, "_Z%zu%s", strlen(r->kernels[k].name), r->kernels[k].name);
        add_kernel(name, r->kernels[k].name, &r->kernels[k], out);
    }
    for (int i = 0; i < r->source->nexpression; i++) {
        const char *e = r->source->expressions[i];
        const tb_found_kernel *k = kernel_of(r, e);
        if (k && !k->looked_up) add_kernel(e, skip_address(e), k, out);
    }
    tb__text_add(out, "{0, 0, 0, 0, 0, 0}};\nstatic const tb_host_global tb_globals[] = {\n");
    for (int i = 0; i < r->nglobal; i++)
        tb__text_addf(out, "TB_GLOBAL(\"%s\", %d, ::%s),\n", r->globals[i].name, r->globals[i].constant,
                      r->globals[i].name);
    for (int i = 0; i < r->source->nexpression; i++) {
        const char *e = r->source->expressions[i];
        if (kernel_of(r, e)) continue;
        tb__text_add(out, "TB_GLOBAL(");
        add_quoted(e, out);
        tb__text_addf(out, ", 0, %s),\n", skip_address(e));
    }
    tb__text_addf(out, "{0, 0, 0, 0}};\nTB_MODULE(%d, \"",
                  tb__mentions(r->t.text, strlen(r->t.text), (const char *const[]){"printf", NULL}));
    for (int k = 0, n = 0; k < r->nkernel; k++)
        if (!r->kernels[k].looked_up) tb__text_addf(out, "%s%s", n++ ? ", " : "", r->kernels[k].name);
    tb__text_add(out, "\");\n");
}
