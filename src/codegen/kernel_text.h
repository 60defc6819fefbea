/* kernel_text.h - the files of src/kernels as text, without comments. Made by tools/embed.py. */
#ifndef TB_CODEGEN_KERNEL_TEXT_H
#define TB_CODEGEN_KERNEL_TEXT_H

typedef struct tb_kernel_text {
    const char *name; /* "types", of src/kernels/types.h */
    const char *text;
} tb_kernel_text;

extern const tb_kernel_text tb__kernel_texts[]; /* ends with a NULL name */
#endif
