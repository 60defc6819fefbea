/* kernel_text.h - the files of src/kernels as text, without comments. Made by tools/embed.py. */
#ifndef TB_CODEGEN_KERNEL_TEXT_H
#define TB_CODEGEN_KERNEL_TEXT_H
#include "base/text.h"

typedef struct tb_kernel_text {
    const char *name; /* "types", of src/kernels/types.h */
    const char *text;
} tb_kernel_text;

extern const tb_kernel_text tb__kernel_texts[]; /* ends with a NULL name */

/* Adds the texts of these names, which a blank separates. */
void tb__kernel_text_add(const char *names, tb_text *out);

/* What a user's source may include wherever it is compiled. */
typedef struct tb_own_header {
    const char *path;
    const char *texts; /* as tb__kernel_text_add takes them */
} tb_own_header;
enum { TB_OWN_HEADERS = 8 };
extern const tb_own_header tb__own_headers[TB_OWN_HEADERS + 1]; /* ends with a NULL path */
#endif
