/* npy_header.h - what the beginning of a .npy file says. */
#ifndef TB_CONVENIENCES_NPY_HEADER_H
#define TB_CONVENIENCES_NPY_HEADER_H
#include <stddef.h>

#include "tombac/tombac.h"

enum { TB_NPY_PREAMBLE = 12 }; /* bytes that say how long the rest is, or fewer in version 1 */

typedef struct tb_npy {
    tb_dtype dtype;
    bool swapped; /* elements are in the other byte order than this machine's */
    bool fortran_order;
    int ndim;
    int64_t shape[TB_MAXDIM], size; /* size: elements; their bytes can be counted */
} tb_npy;

/* Where the description begins and how long it is, from the first TB_NPY_PREAMBLE bytes (fewer where the file ends);
 * NULL, or what is wrong. */
const char *tb__npy_preamble(const unsigned char *bytes, size_t n, size_t *begin, size_t *length);
/* Reads the description, n bytes of text. TB_ERR_VALUE, or TB_ERR_TYPE for a dtype that arrays cannot have. */
tb_status tb__npy_header(const char *text, size_t n, tb_npy *out);
#endif
