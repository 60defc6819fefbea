/* pool_limit.c - limits of pools and their figures, both per device. */
#include <stdlib.h>

#include "backend/memory/pool.h"
#include "base/error.h"

static void consolidate_all(tb_pool_part *p)
{
    for (tb_pool_arena *a = p->arenas; a; a = a->next) tb__pool_consolidate(a);
}

/* TOMBAC_GPU_MEMORY_LIMIT: bytes, or a part of the device's memory such as "50%". */
tb_status tb__pool_read_limit(tb_pool_part *p, int device)
{
    const char *text = getenv("TOMBAC_GPU_MEMORY_LIMIT");
    p->ready = true;
    if (!text || !*text) return TB_OK;
    char *end;
    double value = strtod(text, &end);
    if (end != text && end[0] == '%' && end[1] == 0 && value >= 0 && value <= 100) {
        size_t free_bytes, total_bytes;
        TB_TRY(tb__backend->mem_info(device, &free_bytes, &total_bytes));
        p->limit = (size_t)((double)total_bytes * value / 100);
        return TB_OK;
    }
    unsigned long long bytes = strtoull(text, &end, 10);
    if (end == text || *end || text[0] == '-') {
        p->ready = false;
        return tb__fail(TB_ERR_VALUE,
                        "TOMBAC_GPU_MEMORY_LIMIT is \"%s\"; expected a number of bytes or a percentage"
                        " such as \"50%%\"",
                        text);
    }
    p->limit = (size_t)bytes;
    return TB_OK;
}

void tb__pool_statistics(tb_pool *from, int device, tb_pool_stats *out)
{
    tb_pool_part *p = tb__pool_part(from, device);
    tb__pool_ready(p, device);
    consolidate_all(p);
    *out = (tb_pool_stats){
        .used_bytes = p->used,
        .free_bytes = p->total - p->used,
        .total_bytes = p->total,
        .n_free_blocks = p->n_free,
        .limit = p->limit,
    };
}

bool tb__pool_has_room(tb_pool *from, int device, size_t bytes)
{
    tb_pool_part *p = tb__pool_part(from, device);
    tb__pool_ready(p, device);
    consolidate_all(p);
    size_t free_bytes;
    if (!p->capacity && tb__backend->mem_info(device, &free_bytes, &p->capacity) != TB_OK) return true;
    size_t most = p->limit ? p->limit : p->capacity;
    return bytes <= most && p->used <= most - bytes;
}

void tb__pool_set_limit(tb_pool *from, int device, size_t bytes)
{
    tb_pool_part *p = tb__pool_part(from, device);
    p->ready = true;
    p->limit = bytes;
}
