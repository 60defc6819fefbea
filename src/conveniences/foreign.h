/* foreign.h - memory of somebody else's seen as an array. */
#ifndef TB_CONVENIENCES_FOREIGN_H
#define TB_CONVENIENCES_FOREIGN_H
#include "tombac/tombac.h"

/* Bytes [first + lo, first + hi) hold the elements. */
typedef struct tb_foreign {
    char *first;
    tb_dtype dtype;
    int ndim;
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM], lo, hi; /* strides in bytes */
} tb_foreign;

/* C order. False where the shape is larger than memory can be. */
bool tb__foreign_fill_strides(tb_foreign *m);
/* Sets lo and hi from the rest. False where there is no such memory: a null pointer with a size, or one that would
 * reach around the end of all addresses. */
bool tb__foreign_extent(tb_foreign *m);
/* An array over it. deleter(owner) runs when the memory is used no more, but not on failure. */
tb_status tb__foreign_wrap(const tb_foreign *m, int device, bool read_only, void (*deleter)(void *), void *owner,
                           tb_array **out);
#endif
