/* keys.c - items of keys, each by its name. */
#include "tombac/tombac.h"

tb_index tb_at(int64_t i) { return (tb_index){.kind = TB_INDEX_INT, .start = i}; }

tb_index tb_slice(int64_t start, int64_t stop, int64_t step)
{
    return (tb_index){.kind = TB_INDEX_SLICE,
                      .start = start,
                      .stop = stop,
                      .step = step,
                      .has_start = start != TB_OPEN,
                      .has_stop = stop != TB_OPEN};
}

tb_index tb_whole(void) { return tb_slice(TB_OPEN, TB_OPEN, 1); }

tb_index tb_newaxis(void) { return (tb_index){.kind = TB_INDEX_NEWAXIS}; }

tb_index tb_ellipsis(void) { return (tb_index){.kind = TB_INDEX_ELLIPSIS}; }

tb_index tb_by(tb_array *mask_or_indices) { return (tb_index){.kind = TB_INDEX_ARRAY, .array = mask_or_indices}; }

tb_index tb_along(tb_array *indices, int axis)
{
    return (tb_index){.kind = TB_INDEX_ALONG, .start = axis, .array = indices};
}
