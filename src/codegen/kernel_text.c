/* kernel_text.c - the texts of src/kernels by name, and the headers that a source may include without a toolkit. */
#include "codegen/kernel_text.h"

#include <string.h>

const tb_own_header tb__own_headers[TB_OWN_HEADERS + 1] = {
    {"tombac/complex.cuh", "user_complex"},
    {"cupy/complex.cuh", "user_complex"},
    {"tombac/carray.cuh", "user_types user_half user_complex user_carray"},
    {"cupy/carray.cuh", "user_types user_half user_complex user_carray"},
    {"tombac/cub.cuh", "user_cub"},
    {"tombac/cufft.cuh", "user_cufft"},
    {"tombac/float16.cuh", "user_half"},
    {"tombac/thrust.cuh", "user_thrust user_thrust_find user_thrust_copy user_thrust_reduce user_thrust_set"
                          " user_thrust_sort"},
    {NULL, NULL},
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
