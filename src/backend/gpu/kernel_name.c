/* kernel_name.c - names of compiled kernels in the caches: a hash of the source, the architecture, the compiler and its
 * options. */
#include "backend/gpu/kernel.h"

static void make_name(const char *source, int arch, const char *compiler, tb_kernel_name *out)
{
    tb_name_hash h;
    tb__name_start(&h);
    tb__name_add(&h, &arch, sizeof arch);
    tb__name_add_text(&h, compiler);
    for (const char *const *o = tb__codegen_options; *o; o++) tb__name_add_text(&h, *o);
    tb__name_add_text(&h, source);
    tb__name_end(&h, out);
}

bool tb__disk_name(const char *source, int arch, tb_kernel_name *out)
{
    static char compiler[512]; /* under the core lock */
    if (!compiler[0] && !tb__gpu->compiler_identity(compiler, sizeof compiler)) return false;
    make_name(source, arch, compiler, out);
    return true;
}

void tb__disk_shipped_name(const char *source, int arch, tb_kernel_name *out)
{
    make_name(source, arch, "shipped", out);
}
