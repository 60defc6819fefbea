/* kernel_text.h - the files of src/kernels as text, without comments. Made by tools/embed.py. */
#ifndef TB_CODEGEN_KERNEL_TEXT_H
#define TB_CODEGEN_KERNEL_TEXT_H
#include "base/text.h"
#include "tombac/tombac.h"

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
    /* Adds what is made rather than kept: what one of these texts, NULL-terminated, may use, or all. May be NULL. */
    void (*more)(const char *const *code, tb_text *out);
} tb_own_header;
enum { TB_OWN_HEADERS = 10 };
extern const tb_own_header tb__own_headers[TB_OWN_HEADERS + 1]; /* ends with a NULL path */

/* A header's text, as far as the source may use it; NULL: all of it. */
void tb__own_header_add(const tb_own_header *h, const tb_module_source *source, tb_text *out);
#endif
